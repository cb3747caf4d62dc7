//! Cells that are called otherwise, or are gone, since scenarios named them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use boardwright_model::{Map, MapCell, Scenario, Topology};
use boardwright_triggers::{FieldKind, FieldValue, Part, Sentence, Trigger};

use super::resize::{Resized, rename_in_scenario};
use super::{Edit, Splice, StepKind, script};

/// Which cells of a map are called otherwise or are gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames {
    /// New names by old ones.
    pub names: BTreeMap<String, String>,
    /// The names of cells that are gone.
    pub gone: BTreeSet<String>,
}

impl From<&Resized> for Renames {
    fn from(resized: &Resized) -> Self {
        Self {
            names: resized.names.clone(),
            gone: resized.cut_off.clone(),
        }
    }
}

impl Renames {
    /// What edits that are not applied to a map yet do to the names of its cells. A resize is none of them, see [`Resized`].
    pub fn of(map: &Map, kind: StepKind, edits: &[Edit]) -> Self {
        match kind {
            // What another program changed it has changed everywhere.
            StepKind::Merge | StepKind::Resize => Self::default(),
            _ if map.topology == Topology::Graph => of_points(map, edits),
            _ => of_grid(map, edits),
        }
    }

    /// Whether all cells are called as before.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.gone.is_empty()
    }

    /// These, and then others.
    #[must_use]
    pub fn then(&self, later: &Self) -> Self {
        let mut all = self.clone();
        for (old, new) in &self.names {
            if later.gone.contains(new) {
                all.names.remove(old);
                all.gone.insert(old.clone());
            } else if let Some(newest) = later.names.get(new) {
                all.names.insert(old.clone(), newest.clone());
            }
        }
        let is_own = |name: &&String| !self.names.contains_key(*name) && !self.gone.contains(*name);
        let came = |name: &&String| self.names.values().any(|new| new == *name);
        for name in later.gone.iter().filter(is_own).filter(|name| !came(name)) {
            all.gone.insert(name.clone());
        }
        for (name, new) in later.names.iter().filter(|(name, _)| is_own(name) && !came(name)) {
            all.names.insert(name.clone(), new.clone());
        }
        all.names.retain(|old, new| old != new);
        all
    }

    /// What has a scenario name the cells as they are called now. What stands on cells that are gone is taken out.
    pub fn edits(&self, scenario: &Scenario) -> Vec<Edit> {
        let mut edits = rename_in_scenario(scenario, &self.names, &self.gone);
        let mut read = script::read(scenario);
        let changed: Vec<(usize, Trigger)> = read
            .triggers()
            .filter_map(|(part, trigger)| Some((part, self.in_trigger(trigger)?)))
            .collect();
        for (part, trigger) in changed {
            read.replace(part, trigger);
        }
        edits.extend(script::write(scenario, &read.print(), |_| false));
        edits
    }

    /// Whether the script of a scenario still says one of the old names, in what is no trigger or in the text of one.
    pub fn are_in_script(&self, scenario: &Scenario) -> bool {
        let text = scenario.overlay.as_ref().map_or("", |(_, text)| text);
        let mut old = self.names.keys().chain(&self.gone);
        !text.is_empty() && old.any(|name| text.contains(&format!("\"{name}\"")))
    }

    fn in_trigger(&self, trigger: &Trigger) -> Option<Trigger> {
        let mut new = trigger.clone();
        for part in [Part::When, Part::If, Part::Then] {
            let sentences = trigger.sentences(part).iter();
            new = new.with_part(part, sentences.map(|sentence| self.in_sentence(sentence)).collect())?;
        }
        (new != *trigger).then_some(new)
    }

    fn in_sentence(&self, sentence: &Sentence) -> Sentence {
        let fields = sentence.form().fields.iter().zip(sentence.values());
        let value = |(field, value): (&boardwright_triggers::Field, &FieldValue)| match value {
            FieldValue::Name(name) if field.kind == FieldKind::Cell => FieldValue::Name(self.names.get(name).unwrap_or(name).clone()),
            FieldValue::Computed(inner) => FieldValue::Computed(Box::new(self.in_sentence(inner))),
            other => other.clone(),
        };
        Sentence::new(sentence.form(), fields.map(value).collect()).unwrap_or_else(|| sentence.clone())
    }
}

fn grid_name(cell: &MapCell) -> Option<String> {
    if cell.absent {
        return None;
    }
    let own = Some(cell.name.clone()).filter(|name| !name.is_empty());
    own.or_else(|| Topology::default_name(cell.x, cell.y))
}

fn of_grid(map: &Map, edits: &[Edit]) -> Renames {
    let cells = edits.iter().filter_map(|edit| match edit {
        Edit::Cells(changes) => Some(changes),
        _ => None,
    });
    let mut changes = cells.flatten().peekable();
    let mut renames = Renames::default();
    if changes.peek().is_none() {
        return renames;
    }
    let is_special = |cell: &&MapCell| cell.absent || !cell.name.is_empty();
    let special: HashMap<(i32, i32), &MapCell> = map.cells.iter().filter(is_special).map(|cell| ((cell.x, cell.y), cell)).collect();
    let mut came = BTreeSet::new();
    let mut after: BTreeMap<(i32, i32), Option<String>> = BTreeMap::new();
    for (place, entry) in changes {
        let unnamed = || Topology::default_name(place.0, place.1);
        after.insert(*place, entry.as_ref().map_or_else(unnamed, grid_name));
    }
    for (place, new) in after {
        let old = special
            .get(&place)
            .map_or_else(|| Topology::default_name(place.0, place.1), |cell| grid_name(cell));
        if old == new {
            continue;
        }
        came.extend(new.clone());
        match (old, new) {
            (Some(old), Some(new)) => drop(renames.names.insert(old, new)),
            (Some(old), None) => drop(renames.gone.insert(old)),
            (None, _) => {}
        }
    }
    // A name that has moved to another cell is still a name.
    renames.names.retain(|old, _| !came.contains(old));
    renames.gone.retain(|old| !came.contains(old));
    renames
}

fn of_points(map: &Map, edits: &[Edit]) -> Renames {
    let splices = || {
        edits.iter().filter_map(|edit| match edit {
            Edit::Points(splice) => Some(splice),
            _ => None,
        })
    };
    let says_the_same = |splice: &Splice<MapCell>| {
        let end = splice.at.saturating_add(splice.remove).min(map.cells.len());
        let old = map.cells.get(splice.at..end).unwrap_or_default();
        old.len() == splice.insert.len() && old.iter().zip(&splice.insert).all(|(old, new)| old.name == new.name)
    };
    if splices().all(says_the_same) {
        return Renames::default();
    }
    let mut cells: Vec<(Option<String>, String)> = map.cells.iter().map(|cell| (Some(cell.name.clone()), cell.name.clone())).collect();
    for splice in splices() {
        let at = splice.at.min(cells.len());
        let end = at.saturating_add(splice.remove).min(cells.len());
        let old: Vec<_> = cells.get(at..end).unwrap_or_default().to_vec();
        let are_as_many = old.len() == splice.insert.len();
        let new = splice.insert.iter().enumerate().map(|(index, cell)| {
            let origin = if are_as_many {
                old.get(index)
            } else {
                old.iter().find(|(_, name)| *name == cell.name)
            };
            (origin.and_then(|(origin, _)| origin.clone()), cell.name.clone())
        });
        let new: Vec<_> = new.collect();
        cells.splice(at..end, new);
    }
    let there: BTreeSet<&String> = cells.iter().map(|(_, name)| name).collect();
    let kept: BTreeMap<&String, &String> = cells.iter().filter_map(|(origin, name)| Some((origin.as_ref()?, name))).collect();
    let mut renames = Renames::default();
    for name in map.cells.iter().map(|cell| &cell.name).filter(|name| !there.contains(name)) {
        match kept.get(name) {
            Some(new) => drop(renames.names.insert(name.clone(), (*new).clone())),
            None => drop(renames.gone.insert(name.clone())),
        }
    }
    renames
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resize::{Anchor, resize};
    use boardwright_model::{Board, Declarations, SetupPiece, SetupPlace};
    use boardwright_triggers::{Choices, FORMS, Form};

    fn renames(names: &[(&str, &str)], gone: &[&str]) -> Renames {
        Renames {
            names: names.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect(),
            gone: gone.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn squares() -> Map {
        let topology = Topology::Square {
            width: 3,
            height: 3,
            diagonals: true,
        };
        let mut map = Map::new("m", "M", topology);
        map.cells = vec![MapCell::new("gate", 1, 1)];
        map
    }

    #[test]
    fn cells_of_grids_that_get_names_lose_them_or_are_gone_are_told() {
        let map = squares();
        let hole = MapCell {
            absent: true,
            ..MapCell::new("", 0, 0)
        };
        let edits = [Edit::Cells(vec![
            ((1, 1), None),
            ((2, 2), Some(MapCell::new("mill", 2, 2))),
            ((0, 0), Some(hole)),
        ])];
        let found = Renames::of(&map, StepKind::Name, &edits);
        assert_eq!(found, renames(&[("gate", "b2"), ("c3", "mill")], &["a1"]));
        // A name that moves is not gone.
        let moved = [Edit::Cells(vec![((1, 1), None), ((2, 2), Some(MapCell::new("gate", 2, 2)))])];
        assert_eq!(Renames::of(&map, StepKind::Move, &moved), renames(&[("c3", "gate")], &[]));
    }

    #[test]
    fn points_that_are_renamed_or_deleted_are_told_and_those_that_move_are_not() {
        let mut map = Map::new("m", "M", Topology::Graph);
        map.cells = ["a", "b", "c"].iter().map(|name| MapCell::new(*name, 0, 0)).collect();
        let renamed = [Edit::Points(Splice::replace(1, MapCell::new("mill", 0, 0)))];
        assert_eq!(Renames::of(&map, StepKind::Name, &renamed), renames(&[("b", "mill")], &[]));
        let deleted = [Edit::Points(Splice::remove(2)), Edit::Points(Splice::remove(0))];
        assert_eq!(Renames::of(&map, StepKind::Cut, &deleted), renames(&[], &["a", "c"]));
        let moved = [Edit::Points(Splice::replace(1, MapCell::new("b", 9, 9)))];
        assert!(Renames::of(&map, StepKind::Points, &moved).is_empty());
    }

    #[test]
    fn renames_after_each_other_lead_from_the_first_names_to_the_last() {
        let first = renames(&[("a1", "b2"), ("b2", "c3")], &["c3"]);
        let later = renames(&[("b2", "mill")], &["c3"]);
        assert_eq!(first.then(&later), renames(&[("a1", "mill")], &["b2", "c3"]));
        let there_and_back = renames(&[("a", "b")], &[]).then(&renames(&[("b", "a")], &[]));
        assert!(there_and_back.is_empty());
    }

    #[test]
    fn a_scenario_follows_with_its_triggers() {
        let map = squares();
        let grown = resize(&map, (4, 4), Anchor { across: 1000, down: 1000 }).unwrap();
        let piece = |cell: &str| SetupPiece {
            kind: "man".to_owned(),
            place: SetupPlace::Cell(cell.to_owned()),
            ..SetupPiece::default()
        };
        let choices = Choices::of(&Board::from_map(&map).unwrap(), &Declarations::default());
        let names_cell = |form: &&'static Form| form.part == Part::When && form.fields.iter().any(|field| field.kind == FieldKind::Cell);
        let when = FORMS.iter().filter(names_cell).find_map(|form| choices.first(form)).unwrap();
        let trigger = Trigger::new("Gate", when, Vec::new(), Vec::new(), false).unwrap();
        let script = format!("{}\nfn helper() {{\n    \"b1\"\n}}\n", trigger.print());
        let mut scenario = Scenario {
            overlay: Some(("s.rhai".to_owned(), script)),
            ..Scenario::default()
        };
        scenario.setup.pieces = vec![piece("a1"), piece("gate")];
        let renames = Renames::from(&grown);
        assert!(renames.are_in_script(&scenario));
        let mut draft = crate::Draft::Scenario(scenario.clone());
        for edit in renames.edits(&scenario) {
            drop(edit.apply(&mut draft));
        }
        let new = draft.scenario().unwrap();
        let places: Vec<_> = new.setup.pieces.iter().map(|piece| piece.place.clone()).collect();
        assert_eq!(places, [SetupPlace::Cell("b2".to_owned()), SetupPlace::Cell("gate".to_owned())]);
        let text = &new.overlay.as_ref().unwrap().1;
        assert!(text.contains("\"b2\"") && !text.contains("\"a1\""), "{text}");
        assert!(text.contains("\"b1\""), "what is no trigger is left to its author: {text}");
    }
}
