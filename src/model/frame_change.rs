//! Taking a running match over to changed declarations.

use std::sync::Arc;

use super::{Frame, Scope, State, Value};

/// Something the changed declarations no longer have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {name:?} is in use and no longer declared")]
pub struct Lost {
    /// What sort of thing.
    pub what: &'static str,
    /// Its name.
    pub name: String,
}

/// Puts the new list into the order of the old one: what was there keeps its index, what is new comes after it. What is gone
/// stays declared as before if nothing uses it.
fn keep<T: Clone>(old: &[T], new: Vec<T>, same: impl Fn(&T, &T) -> bool, mut gone: impl FnMut(usize, &T)) -> Vec<T> {
    let mut rest: Vec<Option<T>> = new.into_iter().map(Some).collect();
    let mut list: Vec<T> = Vec::with_capacity(rest.len());
    for (index, before) in old.iter().enumerate() {
        let found = rest.iter_mut().find(|item| item.as_ref().is_some_and(|item| same(before, item)));
        if let Some(item) = found.and_then(Option::take) {
            list.push(item);
        } else {
            gone(index, before);
            list.push(before.clone());
        }
    }
    list.extend(rest.into_iter().flatten());
    list
}

impl State {
    /// Changed declarations with the ids this match knows: everything declared before keeps its id.
    ///
    /// # Errors
    /// Everything in use that is no longer declared.
    pub fn reconcile(&self, mut new: Frame) -> Result<Frame, Vec<Lost>> {
        let old = &*self.frame;
        let mut lost = Vec::new();
        let mut lose = |what, name: &str| {
            lost.push(Lost {
                what,
                name: name.to_owned(),
            });
        };
        if old.seats.len() != new.seats.len() || old.seats.iter().zip(&new.seats).any(|(a, b)| a.name != b.name) {
            lose("the list of seats of", "the match");
        }
        // Kinds refer to properties by id; the ids of the new list are translated at the end.
        let translated: Vec<(Scope, Arc<str>)> = new
            .properties
            .iter()
            .map(|property| (property.scope, Arc::clone(&property.name)))
            .collect();
        let mut gone_kinds = Vec::new();
        new.kinds = keep(
            &old.kinds,
            new.kinds,
            |a, b| a.name == b.name,
            |index, kind| {
                gone_kinds.push(Arc::clone(&kind.name));
                if self.pieces().any(|piece| piece.kind.index() == index) {
                    lose("kind", &kind.name);
                }
            },
        );
        new.terrains = keep(
            &old.terrains,
            new.terrains,
            |a, b| a.name == b.name,
            |index, terrain| {
                if self.terrains.iter().any(|found| found.index() == index) {
                    lose("terrain", &terrain.name);
                }
            },
        );
        new.zones = keep(
            &old.zones,
            new.zones,
            |a, b| a.name == b.name && a.owner == b.owner,
            |index, zone| {
                if self.zones.get(index).is_some_and(|zone| zone.count() > 0) {
                    lose("zone", &zone.name);
                }
            },
        );
        new.actions = keep(
            &old.actions,
            new.actions,
            |a, b| a.name == b.name,
            |index, action| {
                if self.sequence.decisions.iter().any(|decision| decision.action.index() == index) {
                    lose("action", &action.name);
                }
            },
        );
        if old
            .phases
            .iter()
            .enumerate()
            .any(|(index, phase)| new.phases.get(index).is_none_or(|new| new.name != phase.name))
        {
            lose("the order of phases, from", old.phases.first().map_or("", |phase| &phase.name));
        }
        new.options = keep(&old.options, new.options, |a, b| a.name == b.name, |_, _| {});
        new.properties = keep(
            &old.properties,
            new.properties,
            |a, b| a.scope == b.scope && a.name == b.name && std::mem::discriminant(&a.value_type) == std::mem::discriminant(&b.value_type),
            |_, _| {},
        );
        for scope in [Scope::Match, Scope::Seat, Scope::Piece, Scope::Cell, Scope::Edge] {
            let in_scope = new.properties.iter_mut().filter(|property| property.scope == scope);
            in_scope
                .enumerate()
                .for_each(|(slot, property)| property.slot = slot.min(usize::from(u16::MAX)) as u16);
        }
        let moved: Vec<Option<super::PropertyId>> = translated.iter().map(|(scope, name)| new.find_property(*scope, name)).collect();
        for kind in &mut new.kinds {
            if !gone_kinds.contains(&kind.name) {
                kind.values
                    .retain_mut(|(property, _)| match moved.get(property.index()).copied().flatten() {
                        Some(id) => {
                            *property = id;
                            true
                        }
                        None => false,
                    });
            }
        }
        for ending in &mut new.endings {
            if let super::EndingCondition::Reached { property, .. } = &mut ending.condition {
                *property = moved.get(property.index()).copied().flatten().unwrap_or(*property);
            }
        }
        new.progress_clock = new.progress_clock.and_then(|clock| moved.get(clock.index()).copied().flatten());
        if lost.is_empty() { Ok(new) } else { Err(lost) }
    }

    /// Takes over declarations that [`reconcile`](Self::reconcile) has made: properties that are new have their default.
    pub fn adopt(&mut self, frame: &Arc<Frame>) {
        let fill = |values: &mut Vec<Value>, scope| {
            let declared = frame.properties_of(scope).map(|(_, property)| property.default.clone());
            let missing: Vec<Value> = declared.skip(values.len()).collect();
            values.extend(missing);
        };
        fill(&mut self.match_values, Scope::Match);
        self.seat_values.iter_mut().for_each(|values| fill(values, Scope::Seat));
        for piece in self.pieces.iter_mut().flatten() {
            let missing: Vec<Value> = frame
                .properties_of(Scope::Piece)
                .skip(piece.values.len())
                .map(|(_, property)| property.default.clone())
                .collect();
            piece.values.extend(missing);
        }
        let cells = self.board.cell_count();
        let slots = self.cell_values.len().checked_div(cells).unwrap_or(0);
        let per_cell: Vec<Value> = frame
            .properties_of(Scope::Cell)
            .map(|(_, property)| property.default.clone())
            .collect();
        if per_cell.len() > slots {
            let old = std::mem::take(&mut self.cell_values);
            let mut old = old.into_iter();
            for _ in 0..cells {
                self.cell_values.extend(old.by_ref().take(slots));
                self.cell_values.extend(per_cell.iter().skip(slots).cloned());
            }
        }
        self.zones.resize(frame.zones.len().max(self.zones.len()), super::Zone::default());
        let mut options = self.options.to_vec();
        options.extend(frame.options.iter().skip(options.len()).map(|option| option.default.clone()));
        self.options = options.into();
        self.frame = Arc::clone(frame);
        self.digests = self.digests_from_scratch();
    }
}
