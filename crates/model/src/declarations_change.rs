//! Taking a running match over to changed declarations, and back.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    ActionId, Declarations, EffectError, EndingCondition, Gone, KindId, Limit, PropertyId, Scope, State, TerrainId, Value, ValueType, Zone,
    ZoneId,
};

/// Something the changed declarations no longer have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Lost {
    /// The list of declarations it stood in: `kinds`.
    pub list: &'static str,
    /// Its name; empty where the whole list is meant.
    pub name: String,
    /// What is lost, in one sentence without a full stop.
    pub message: String,
}

impl Lost {
    fn one(what: &str, list: &'static str, name: &str) -> Self {
        Self {
            list,
            name: name.to_owned(),
            message: format!("{what} {name:?} is in use and no longer declared"),
        }
    }

    fn order(list: &'static str) -> Self {
        Self {
            list,
            name: String::new(),
            message: format!("the {list} are others, or in another order, which cannot be while a match runs"),
        }
    }
}

/// The declarations of a match before and after its rules changed. [`State::reconcile`] makes those after: they hold everything
/// that was there before under the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclarationsChange {
    /// The declarations before.
    pub old: Arc<Declarations>,
    /// The declarations after.
    pub new: Arc<Declarations>,
}

/// Brings the new list into the order of the old one: what was there keeps its index, what is new comes after it. What is gone stays
/// where it is; gives the ids of that.
fn keep<T: Clone, Id>(old: &[T], new: &mut Vec<T>, id: impl Fn(usize) -> Id, same: impl Fn(&T, &T) -> bool) -> Vec<Id> {
    let mut rest: Vec<Option<T>> = new.drain(..).map(Some).collect();
    let mut gone = Vec::new();
    for (index, before) in old.iter().enumerate() {
        let found = rest.iter_mut().find(|item| item.as_ref().is_some_and(|item| same(before, item)));
        new.push(found.and_then(Option::take).unwrap_or_else(|| {
            gone.push(id(index));
            before.clone()
        }));
    }
    new.extend(rest.into_iter().flatten());
    gone
}

/// Whether values of one type can be values of the other.
fn same_sort(a: &ValueType, b: &ValueType) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

impl State {
    /// Changed declarations with the ids this match knows: everything declared before keeps its id.
    ///
    /// # Errors
    /// Everything in use that is no longer declared.
    pub fn reconcile(&self, mut new: Declarations) -> Result<Declarations, Vec<Lost>> {
        let old = &*self.declarations;
        // Where not all declared seats take part, the others do not matter.
        if let Some(few) = new.of_seats(old.seats.iter().map(|seat| &*seat.name)) {
            new = few;
        }
        let mut lost = Vec::new();
        if !old.seats.iter().map(|seat| &seat.name).eq(new.seats.iter().map(|seat| &seat.name)) {
            lost.push(Lost::order("seats"));
        }
        let renamed = |(index, phase): (usize, &super::PhaseDeclaration)| new.phases.get(index).is_none_or(|new| new.name != phase.name);
        if old.phases.iter().enumerate().any(renamed) {
            lost.push(Lost::order("phases"));
        }
        if !old.turns.iter().map(|turn| &turn.name).eq(new.turns.iter().map(|turn| &turn.name)) {
            lost.push(Lost::order("turns"));
        }
        for (index, kind) in old.kinds.iter().enumerate() {
            let is_on_board = |piece: &super::Piece| piece.kind.index() == index && piece.place.cell().is_some();
            let mut others = new.kinds.iter();
            let changes = others.any(|other| other.name == kind.name && other.figure != kind.figure);
            if changes && self.pieces().any(is_on_board) {
                lost.push(Lost::one("the shape of kind", "kinds", &kind.name));
            }
        }
        // Kinds and endings refer to properties and options by id; these are translated at the end.
        let properties = new.properties.iter();
        let properties: Vec<(Scope, Arc<str>)> = properties.map(|property| (property.scope, Arc::clone(&property.name))).collect();
        let options: Vec<Arc<str>> = new.options.iter().map(|option| Arc::clone(&option.name)).collect();
        let kind_names: Vec<Arc<str>> = new.kinds.iter().map(|kind| Arc::clone(&kind.name)).collect();

        let gone = Gone {
            kinds: keep(&old.kinds, &mut new.kinds, KindId::from_index, |a, b| a.name == b.name),
            terrains: keep(&old.terrains, &mut new.terrains, TerrainId::from_index, |a, b| a.name == b.name),
            zones: keep(&old.zones, &mut new.zones, ZoneId::from_index, |a, b| {
                a.name == b.name && a.owner == b.owner
            }),
            actions: keep(&old.actions, &mut new.actions, ActionId::from_index, |a, b| a.name == b.name),
            options: keep(
                &old.options,
                &mut new.options,
                |index| index,
                |a, b| a.name == b.name && same_sort(&a.value_type, &b.value_type),
            ),
            properties: keep(&old.properties, &mut new.properties, PropertyId::from_index, |a, b| {
                a.scope == b.scope && a.name == b.name && same_sort(&a.value_type, &b.value_type)
            }),
        };
        let is_kind = |id: &&KindId| self.pieces().any(|piece| piece.kind == **id);
        let kinds = gone.kinds.iter().filter(is_kind).filter_map(|id| old.kind(*id));
        lost.extend(kinds.map(|kind| Lost::one("kind", "kinds", &kind.name)));
        let is_terrain = |id: &&TerrainId| self.terrains.contains(id);
        let terrains = gone.terrains.iter().filter(is_terrain);
        let terrains = terrains.filter_map(|id| old.terrains.get(id.index()));
        lost.extend(terrains.map(|terrain| Lost::one("terrain", "terrains", &terrain.name)));
        let has_pieces = |id: &&ZoneId| self.zone(**id).is_some_and(|zone| zone.count() > 0);
        let zones = gone.zones.iter().filter(has_pieces).filter_map(|id| old.zones.get(id.index()));
        lost.extend(zones.map(|zone| Lost::one("zone", "zones", &zone.name)));
        let answers = |id: &&ActionId| self.sequence.decisions.iter().any(|decision| decision.action == **id);
        let actions = gone.actions.iter().filter(answers).filter_map(|id| old.action(*id));
        lost.extend(actions.map(|action| Lost::one("action", "actions", &action.name)));
        new.gone = gone;
        new.count_slots();
        let properties: Vec<Option<PropertyId>> = properties.iter().map(|(scope, name)| new.find_property(*scope, name)).collect();
        let options: Vec<Option<usize>> = options.iter().map(|name| new.find_option(name)).collect();
        let kinds: Vec<Option<KindId>> = kind_names.iter().map(|name| new.find_kind(name)).collect();
        new.translate(&properties, &options, &kinds);
        if lost.is_empty() { Ok(new) } else { Err(lost) }
    }

    /// Goes over to changed declarations, where properties that are new have their default, or back from them. What came after
    /// the change was taken back before, so that all of what was new has its default again.
    pub(super) fn change_declarations(
        &mut self,
        change: &DeclarationsChange,
        old: &Declarations,
        new: &Arc<Declarations>,
    ) -> Result<(), EffectError> {
        if *self.declarations != *old || !change.new.extends(&change.old) {
            return Err(EffectError::Differs("the declarations".to_owned()));
        }
        self.fit_to(new);
        Ok(())
    }

    /// Gives everything the places that declarations ask for: what has one keeps its value, what is too much is cut off.
    fn fit_to(&mut self, declarations: &Arc<Declarations>) {
        let defaults = |scope| declarations.defaults(scope).collect::<Vec<_>>();
        fit(&mut self.match_values, &defaults(Scope::Match));
        let of_seat = defaults(Scope::Seat);
        self.seat_values.iter_mut().for_each(|values| fit(values, &of_seat));
        let of_piece = defaults(Scope::Piece);
        for piece in self.pieces.iter_mut().flatten().map(Arc::make_mut) {
            let known = piece.values.len().min(of_piece.len());
            piece.values.truncate(known);
            piece.values.extend(of_piece.iter().skip(known).cloned());
        }
        let cells = self.board.cell_count();
        let of_cell: Vec<Arc<[Value]>> = defaults(Scope::Cell).into_iter().map(|value| vec![value; cells].into()).collect();
        fit(&mut self.cell_values, &of_cell);
        self.fit_edges(declarations);
        self.zones.resize(declarations.zones.len(), Zone::default());
        let of_options: Vec<Value> = declarations.options.iter().map(|option| option.default.clone()).collect();
        let mut options = self.options.to_vec();
        fit(&mut options, &of_options);
        self.options = options.into();
        self.declarations = Arc::clone(declarations);
        self.digests = self.digests_from_scratch();
        self.index_all_words();
    }

    /// Edges keep only what differs from the default: a changed default is written down where it used to go without saying.
    fn fit_edges(&mut self, declarations: &Declarations) {
        let known = declarations.properties.len();
        Arc::make_mut(&mut self.edge_values).truncate_properties(known);
        for (property, declared) in declarations.properties_of(Scope::Edge) {
            let Some(before) = self
                .declarations
                .property(property)
                .filter(|before| before.default != declared.default)
            else {
                continue;
            };
            for edge in (0..self.board.edge_count()).map(super::EdgeId::from_index) {
                let value = Arc::make_mut(&mut self.edge_values)
                    .remove(edge, property)
                    .unwrap_or_else(|| before.default.clone());
                if value != declared.default {
                    Arc::make_mut(&mut self.edge_values).insert(edge, property, value);
                }
            }
        }
    }
}

impl Declarations {
    fn count_slots(&mut self) {
        for scope in [Scope::Match, Scope::Seat, Scope::Piece, Scope::Cell, Scope::Edge] {
            let in_scope = self.properties.iter_mut().filter(|property| property.scope == scope);
            in_scope
                .enumerate()
                .for_each(|(slot, property)| property.slot = slot.min(usize::from(u16::MAX)) as u16);
        }
    }

    /// Remaps ids after properties, options or kinds were reordered. Kinds that are
    /// gone keep theirs.
    fn translate(&mut self, properties: &[Option<PropertyId>], options: &[Option<usize>], kinds: &[Option<KindId>]) {
        let moved = |property: PropertyId| properties.get(property.index()).copied().flatten();
        let gone = &self.gone.kinds;
        let declared = self.kinds.iter_mut().enumerate();
        for (_, kind) in declared.filter(|(index, _)| !gone.contains(&KindId::from_index(*index))) {
            kind.values.retain_mut(|(property, _)| match moved(*property) {
                Some(id) => {
                    *property = id;
                    true
                }
                None => false,
            });
        }
        for ending in &mut self.endings {
            if let EndingCondition::NoPieces { kind: Some(kind) } | EndingCondition::Enters { kind: Some(kind), .. } = &mut ending.condition
            {
                *kind = kinds.get(kind.index()).copied().flatten().unwrap_or(*kind);
            }
            if let EndingCondition::Reached { property, limit } = &mut ending.condition {
                *property = moved(*property).unwrap_or(*property);
                if let Limit::Option(option) = limit {
                    *option = options.get(*option).copied().flatten().unwrap_or(*option);
                }
            }
        }
        self.progress_clock = self.progress_clock.and_then(moved);
    }

    /// Whether everything that other declarations declare has the same id here.
    fn extends(&self, old: &Self) -> bool {
        fn begins<T>(new: &[T], old: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
            new.len() >= old.len() && new.iter().zip(old).all(|(new, old)| same(new, old))
        }
        let mut numbered = self.clone();
        numbered.count_slots();
        numbered.properties == self.properties
            && self.seats.len() == old.seats.len()
            && begins(&self.kinds, &old.kinds, |a, b| a.name == b.name)
            && begins(&self.terrains, &old.terrains, |a, b| a.name == b.name)
            && begins(&self.zones, &old.zones, |a, b| a.name == b.name && a.owner == b.owner)
            && begins(&self.phases, &old.phases, |a, b| a.name == b.name)
            && begins(&self.actions, &old.actions, |a, b| a.name == b.name)
            && begins(&self.options, &old.options, |a, b| a.name == b.name)
            && begins(&self.properties, &old.properties, |a, b| a.scope == b.scope && a.name == b.name)
    }
}

/// Brings values to as many as there are defaults: what is missing gets its default.
fn fit<T: Clone>(values: &mut Vec<T>, defaults: &[T]) {
    values.truncate(defaults.len());
    let missing = defaults.iter().skip(values.len());
    values.extend(missing.cloned());
}
