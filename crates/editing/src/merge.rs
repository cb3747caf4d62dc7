//! Drafts compared and merged, entry by entry.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boardwright_content::align;
use boardwright_model::{AuthoredProperties, Map, MapCell, MapEdge, MapLine, MapRegion, Scenario, SetupPiece, SetupTarget, SetupValue};

use super::step::apply_all;
use super::{Draft, Edit, Place, Splice, Step, StepKind, grid_cells};

/// Two sets of changes of one draft taken together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The draft with both; where they contradict each other, with ours.
    pub draft: Draft,
    /// Where they contradict each other.
    pub conflicts: Vec<Conflict>,
}

/// A place where two sets of changes contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What both changed.
    pub subject: ConflictSubject,
    /// What it is on our side, as text; empty where it is not there.
    pub ours: String,
    /// What it is on the other side.
    pub theirs: String,
    /// The merged draft, and what would lead from it to one with the other side's.
    merged: Arc<Draft>,
    edits: Vec<Edit>,
}

impl Conflict {
    /// The step that takes the other side's instead. The draft may have been changed since it was merged, also by steps of other conflicts.
    pub fn take_theirs(&self, draft: &Draft) -> Step {
        let mut other = (*self.merged).clone();
        drop(apply_all(self.edits.clone(), &mut other));
        // What is here counts as theirs, so that the choice made here stands where both changed the same since.
        let chosen = merge(&self.merged, &other, draft).draft;
        Step::new(StepKind::Merge, differences(draft, &chosen))
    }
}

/// What two sets of changes contradict each other in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants name parts of maps and scenarios")]
pub enum ConflictSubject {
    Id,
    Title,
    /// How cells lie, and how many there are.
    Topology,
    /// A cell of a grid.
    Cell(Place),
    /// A point or area of a free graph, by its name.
    Point(String),
    Line(String),
    Region(String),
    Edge(String, String),
    Description,
    Ruleset,
    Map,
    Overlay,
    Seats,
    Player(String),
    Option(String),
    Pieces,
    /// A property of the match, a seat, a cell or an edge.
    Property(String),
}

/// The edits that lead from one draft to another of the same sort. Drafts of two sorts have none.
pub fn differences(old: &Draft, new: &Draft) -> Vec<Edit> {
    let mut edits = Vec::new();
    match (old, new) {
        (Draft::Map(old), Draft::Map(new)) => map_differences(old, new, &mut edits),
        (Draft::Scenario(old), Draft::Scenario(new)) => scenario_differences(old, new, &mut edits),
        (Draft::Map(_), Draft::Scenario(_)) | (Draft::Scenario(_), Draft::Map(_)) => {}
    }
    edits
}

fn text(old: &str, new: &str, edit: fn(String) -> Edit) -> Option<Edit> {
    (old != new).then(|| edit(new.to_owned()))
}

/// What leads from one list to another: the entries between those that both begin and end with.
fn splice<T: Clone + PartialEq>(old: &[T], new: &[T], edit: impl FnOnce(Splice<T>) -> Edit) -> Option<Edit> {
    if old == new {
        return None;
    }
    let at = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = |list: &[T]| list.len() - at;
    let ends = old.iter().rev().zip(new.iter().rev()).take(rest(old).min(rest(new)));
    let behind = ends.take_while(|(old, new)| old == new).count();
    Some(edit(Splice {
        at,
        remove: rest(old) - behind,
        insert: new.get(at..new.len() - behind).unwrap_or_default().to_vec(),
    }))
}

fn map_differences(old: &Map, new: &Map, edits: &mut Vec<Edit>) {
    edits.extend(text(&old.id, &new.id, Edit::Id));
    edits.extend(text(&old.title, &new.title, Edit::Title));
    let is_grid = |map: &Map| map.topology.size().is_some();
    if is_grid(old) && is_grid(new) {
        let changes = changed_cells(old, new);
        if !changes.is_empty() {
            edits.push(Edit::Cells(changes));
        }
    } else {
        edits.extend(splice(&old.cells, &new.cells, Edit::Points));
    }
    if old.topology != new.topology {
        edits.push(Edit::Topology(new.topology));
    }
    edits.extend(splice(&old.lines, &new.lines, Edit::Lines));
    edits.extend(splice(&old.regions, &new.regions, Edit::Regions));
    edits.extend(splice(&old.edges, &new.edges, Edit::Edges));
}

fn changed_cells(old: &Map, new: &Map) -> Vec<(Place, Option<MapCell>)> {
    let key = |cell: &MapCell| (cell.y, cell.x);
    let (mut old, mut new) = (old.cells.iter().peekable(), new.cells.iter().peekable());
    let mut changes = Vec::new();
    loop {
        match (old.peek().copied(), new.peek().copied()) {
            (None, None) => return changes,
            (Some(one), other) if other.is_none_or(|other| key(one) < key(other)) => {
                changes.push(((one.x, one.y), None));
                old.next();
            }
            (one, Some(other)) if one.is_none_or(|one| key(other) < key(one)) => {
                changes.push(((other.x, other.y), Some(other.clone())));
                new.next();
            }
            (one, other) => {
                if one != other {
                    changes.extend(other.map(|other| ((other.x, other.y), Some(other.clone()))));
                }
                old.next();
                new.next();
            }
        }
    }
}

fn scenario_differences(old: &Scenario, new: &Scenario, edits: &mut Vec<Edit>) {
    edits.extend(text(&old.id, &new.id, Edit::Id));
    edits.extend(text(&old.title, &new.title, Edit::Title));
    edits.extend(text(&old.description, &new.description, Edit::Description));
    edits.extend(text(&old.ruleset, &new.ruleset, Edit::Ruleset));
    edits.extend(text(&old.map, &new.map, Edit::Map));
    match (&old.overlay, &new.overlay) {
        (Some((old, before)), Some((new, after))) if old == new => {
            edits.extend(script_difference(before, after));
        }
        (old, new) if old != new => edits.push(Edit::Overlay(new.clone())),
        _ => {}
    }
    edits.extend(splice(&old.setup.seats, &new.setup.seats, Edit::Seats));
    edits.extend(splice(&old.players, &new.players, Edit::Players));
    edits.extend(splice(&old.setup.options, &new.setup.options, Edit::Options));
    edits.extend(splice(&old.setup.pieces, &new.setup.pieces, Edit::Pieces));
    edits.extend(splice(&old.setup.values, &new.setup.values, Edit::Values));
}

/// What leads from one text of a script to another.
pub(crate) fn script_difference(old: &str, new: &str) -> Option<Edit> {
    let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<String>>();
    splice(&lines(old), &lines(new), Edit::Script)
}

/// What one side and the other made of something: both together, or ours and the other where they contradict each other.
fn choose<T: Clone + PartialEq>(base: &T, ours: &T, theirs: &T) -> Result<T, (T, T)> {
    if ours == theirs || theirs == base {
        Ok(ours.clone())
    } else if ours == base {
        Ok(theirs.clone())
    } else {
        Err((ours.clone(), theirs.clone()))
    }
}

/// Takes theirs instead of ours in a draft.
type TakeTheirs<D> = Box<dyn FnOnce(&mut D)>;

/// What is merged so far. Each conflict is noted with the draft as it would be if it were solved the other way.
struct Merger<D> {
    merged: D,
    /// What would take theirs instead, applied to the merged draft in the end.
    conflicts: Vec<(ConflictSubject, String, String, TakeTheirs<D>)>,
}

impl<D: Clone + 'static> Merger<D> {
    fn scalar<T: Clone + PartialEq + 'static>(
        &mut self,
        subject: ConflictSubject,
        [base, ours, theirs]: [&T; 3],
        print: impl Fn(&T) -> String,
        field: fn(&mut D) -> &mut T,
    ) {
        match choose(base, ours, theirs) {
            Ok(value) => *field(&mut self.merged) = value,
            Err((ours, theirs)) => {
                *field(&mut self.merged) = ours.clone();
                let texts = (print(&ours), print(&theirs));
                self.conflicts
                    .push((subject, texts.0, texts.1, Box::new(move |draft| *field(draft) = theirs)));
            }
        }
    }

    /// Merges lists whose entries are told apart by a key. They stay in our order; what is new on the other side comes behind what it stands
    /// behind there.
    fn keyed<T, K>(
        &mut self,
        [base, ours, theirs]: [&[T]; 3],
        key: impl Fn(&T) -> K + Copy + 'static,
        subject: impl Fn(&T) -> ConflictSubject,
        merge: impl Fn([&T; 3]) -> Option<T>,
        print: impl Fn(&T) -> String,
        field: fn(&mut D) -> &mut Vec<T>,
    ) where
        T: Clone + PartialEq + 'static,
        K: Ord + Clone + 'static,
    {
        let index = |list: &[T]| -> BTreeMap<K, usize> { list.iter().enumerate().rev().map(|(at, entry)| (key(entry), at)).collect() };
        let [in_base, in_ours, in_theirs] = [base, ours, theirs].map(index);
        let mut list = Vec::with_capacity(ours.len());
        for (at, entry) in ours.iter().enumerate() {
            let id = key(entry);
            if in_ours.get(&id) != Some(&at) {
                // Twice the same key: the draft is wrong, and stays so.
                list.push(entry.clone());
                continue;
            }
            let base = in_base.get(&id).and_then(|at| base.get(*at));
            let theirs = in_theirs.get(&id).and_then(|at| theirs.get(*at));
            if let Ok(chosen) = choose(&base, &Some(entry), &theirs) {
                list.extend(chosen.cloned());
                continue;
            }
            let both = base.zip(theirs).and_then(|(base, theirs)| merge([base, entry, theirs]));
            if let Some(both) = both {
                list.push(both);
                continue;
            }
            list.push(entry.clone());
            let other = theirs.cloned();
            let texts = (print(entry), theirs.map(&print).unwrap_or_default());
            let take = move |draft: &mut D| {
                let list = field(draft);
                if let Some(at) = list.iter().position(|there| key(there) == id) {
                    list.splice(at..=at, other);
                }
            };
            self.conflicts.push((subject(entry), texts.0, texts.1, Box::new(take)));
        }
        let mut before: Option<K> = None;
        for entry in theirs {
            let id = key(entry);
            if !in_ours.contains_key(&id) {
                let at = before
                    .as_ref()
                    .and_then(|before| list.iter().position(|there| key(there) == *before));
                let at = at.map_or(if before.is_none() { 0 } else { list.len() }, |at| at + 1);
                match in_base.get(&id).and_then(|at| base.get(*at)) {
                    None => list.insert(at.min(list.len()), entry.clone()),
                    Some(base) if base != entry => {
                        let other = entry.clone();
                        let take = move |draft: &mut D| {
                            let list = field(draft);
                            list.insert(at.min(list.len()), other);
                        };
                        self.conflicts.push((subject(entry), String::new(), print(entry), Box::new(take)));
                    }
                    Some(_) => continue,
                }
            }
            before = Some(id);
        }
        *field(&mut self.merged) = list;
    }

    /// Merges lists whose order matters and whose entries have no names.
    fn ordered<T, K>(
        &mut self,
        subject: ConflictSubject,
        [base, ours, theirs]: [&[T]; 3],
        key: impl Fn(&T) -> K,
        print: impl Fn(&[T]) -> String,
        field: fn(&mut D) -> &mut Vec<T>,
    ) where
        T: Clone + PartialEq + 'static,
        K: Ord,
    {
        let keys = |list: &[T]| list.iter().map(&key).collect::<Vec<K>>();
        let of_base = keys(base);
        let place_in = |list: &[T]| {
            let mut places = vec![None; base.len()];
            for (at, place) in align(&of_base, &keys(list)).into_iter().enumerate() {
                if let Some(slot) = place.and_then(|place| places.get_mut(place)) {
                    *slot = Some(at);
                }
            }
            places
        };
        let (in_ours, in_theirs) = (place_in(ours), place_in(theirs));
        let (mut from_base, mut from_ours, mut from_theirs) = (0, 0, 0);
        let (mut list, mut others) = (Vec::new(), Vec::new());
        let mut conflicts = false;
        let kept = in_ours.iter().zip(&in_theirs).enumerate();
        let kept = kept.filter_map(|(at, (ours, theirs))| Some((at, (*ours)?, (*theirs)?)));
        for (to_base, to_ours, to_theirs) in kept.chain([(base.len(), ours.len(), theirs.len())]) {
            let parts = [
                base.get(from_base..to_base),
                ours.get(from_ours..to_ours),
                theirs.get(from_theirs..to_theirs),
            ];
            let [base_part, ours_part, theirs_part] = parts.map(Option::unwrap_or_default);
            match choose(&base_part, &ours_part, &theirs_part) {
                Ok(part) => {
                    list.extend_from_slice(part);
                    others.extend_from_slice(part);
                }
                Err((ours, theirs)) => {
                    conflicts = true;
                    list.extend_from_slice(ours);
                    others.extend_from_slice(theirs);
                }
            }
            list.extend(base.get(to_base).cloned());
            others.extend(base.get(to_base).cloned());
            (from_base, from_ours, from_theirs) = (to_base + 1, to_ours + 1, to_theirs + 1);
        }
        if conflicts {
            let texts = (print(&list), print(&others));
            self.conflicts
                .push((subject, texts.0, texts.1, Box::new(move |draft| *field(draft) = others)));
        }
        *field(&mut self.merged) = list;
    }

    fn finish(self, wrap: fn(D) -> Draft) -> Merged {
        let draft = wrap(self.merged.clone());
        let whole = Arc::new(draft.clone());
        let conflicts = self.conflicts.into_iter().map(|(subject, ours, theirs, take)| {
            let mut other = self.merged.clone();
            take(&mut other);
            Conflict {
                subject,
                ours,
                theirs,
                edits: differences(&draft, &wrap(other)),
                merged: Arc::clone(&whole),
            }
        });
        Merged {
            conflicts: conflicts.collect(),
            draft,
        }
    }
}

/// Takes together what two sides made of one draft. Drafts of two sorts cannot be merged: ours stands.
pub fn merge(base: &Draft, ours: &Draft, theirs: &Draft) -> Merged {
    match (base, ours, theirs) {
        (Draft::Map(base), Draft::Map(ours), Draft::Map(theirs)) => merge_maps([base, ours, theirs]),
        (Draft::Scenario(base), Draft::Scenario(ours), Draft::Scenario(theirs)) => merge_scenarios([base, ours, theirs]),
        _ => Merged {
            draft: ours.clone(),
            conflicts: Vec::new(),
        },
    }
}

fn merge_properties([base, ours, theirs]: [&AuthoredProperties; 3]) -> Option<AuthoredProperties> {
    let names: BTreeSet<&String> = base.keys().chain(ours.keys()).chain(theirs.keys()).collect();
    let mut merged = AuthoredProperties::new();
    for name in names {
        let value = choose(&base.get(name), &ours.get(name), &theirs.get(name)).ok()?;
        merged.extend(value.map(|value| (name.clone(), value.clone())));
    }
    Some(merged)
}

fn merge_cell([base, ours, theirs]: [&MapCell; 3]) -> Option<MapCell> {
    Some(MapCell {
        name: choose(&base.name, &ours.name, &theirs.name).ok()?,
        title: choose(&base.title, &ours.title, &theirs.title).ok()?,
        x: choose(&base.x, &ours.x, &theirs.x).ok()?,
        y: choose(&base.y, &ours.y, &theirs.y).ok()?,
        terrain: choose(&base.terrain, &ours.terrain, &theirs.terrain).ok()?,
        elevation: choose(&base.elevation, &ours.elevation, &theirs.elevation).ok()?,
        outline: choose(&base.outline, &ours.outline, &theirs.outline).ok()?,
        absent: choose(&base.absent, &ours.absent, &theirs.absent).ok()?,
        properties: merge_properties([&base.properties, &ours.properties, &theirs.properties])?,
    })
}

/// Regions are sets: what came and went on either side.
fn merge_region([base, ours, theirs]: [&MapRegion; 3]) -> MapRegion {
    let set = |region: &MapRegion| region.cells.iter().cloned().collect::<BTreeSet<String>>();
    let (base, in_ours, in_theirs) = (set(base), set(ours), set(theirs));
    let mut cells = ours.cells.clone();
    cells.retain(|cell| in_theirs.contains(cell) || !base.contains(cell));
    cells.extend(
        theirs
            .cells
            .iter()
            .filter(|cell| !base.contains(*cell) && !in_ours.contains(*cell))
            .cloned(),
    );
    MapRegion {
        name: ours.name.clone(),
        cells,
    }
}

fn cell_text(cell: &MapCell) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend((!cell.name.is_empty()).then(|| cell.name.clone()));
    parts.extend(cell.terrain.clone());
    parts.extend((cell.elevation != 0).then(|| cell.elevation.to_string()));
    parts.extend(cell.absent.then(|| "-".to_owned()));
    parts.extend(cell.properties.iter().map(|(name, value)| format!("{name}={value}")));
    parts.join(", ")
}

fn merge_maps([base, ours, theirs]: [&Map; 3]) -> Merged {
    let mut merger = Merger {
        merged: ours.clone(),
        conflicts: Vec::new(),
    };
    let texts = String::clone;
    merger.scalar(ConflictSubject::Id, [&base.id, &ours.id, &theirs.id], texts, |map| &mut map.id);
    merger.scalar(ConflictSubject::Title, [&base.title, &ours.title, &theirs.title], texts, |map| {
        &mut map.title
    });
    let topologies = [&base.topology, &ours.topology, &theirs.topology];
    let size = |topology: &boardwright_model::Topology| {
        topology
            .size()
            .map_or_else(String::new, |(width, height)| format!("{width} x {height}"))
    };
    merger.scalar(ConflictSubject::Topology, topologies, size, |map| &mut map.topology);
    let cells = [&*base.cells, &*ours.cells, &*theirs.cells];
    if topologies.iter().all(|topology| topology.size().is_some()) {
        let place = |cell: &MapCell| (cell.y, cell.x);
        let subject = |cell: &MapCell| ConflictSubject::Cell((cell.x, cell.y));
        merger.keyed(cells, place, subject, merge_cell, cell_text, |map| &mut map.cells);
        merger.merged.cells.sort_by_key(place);
        grid_cells::normalize(&mut merger.merged.cells);
    } else {
        let name = |cell: &MapCell| cell.name.clone();
        let subject = |cell: &MapCell| ConflictSubject::Point(cell.name.clone());
        let text = |cell: &MapCell| format!("{} ({}, {})", cell_text(cell), cell.x, cell.y);
        merger.keyed(cells, name, subject, merge_cell, text, |map| &mut map.cells);
    }
    let lines = [&*base.lines, &*ours.lines, &*theirs.lines];
    let line_key = |line: &MapLine| {
        line.name
            .clone()
            .map_or_else(|| (false, line.cells.join("\n")), |name| (true, name))
    };
    let line_name = |line: &MapLine| line.name.clone().unwrap_or_else(|| line.cells.join(" "));
    merger.keyed(
        lines,
        line_key,
        |line| ConflictSubject::Line(line_name(line)),
        |_| None,
        |line| line.cells.join(" "),
        |map| &mut map.lines,
    );
    merger.keyed(
        [&base.regions, &ours.regions, &theirs.regions],
        |region: &MapRegion| region.name.clone(),
        |region| ConflictSubject::Region(region.name.clone()),
        |regions| Some(merge_region(regions)),
        |region| region.cells.join(" "),
        |map| &mut map.regions,
    );
    merger.keyed(
        [&base.edges, &ours.edges, &theirs.edges],
        |edge: &MapEdge| (edge.a.clone().min(edge.b.clone()), edge.a.clone().max(edge.b.clone())),
        |edge| ConflictSubject::Edge(edge.a.clone(), edge.b.clone()),
        |[base, ours, theirs]| {
            let properties = merge_properties([&base.properties, &ours.properties, &theirs.properties])?;
            Some(MapEdge {
                properties,
                ..ours.clone()
            })
        },
        |edge| {
            let values = edge.properties.iter().map(|(name, value)| format!("{name}={value}"));
            values.collect::<Vec<_>>().join(", ")
        },
        |map| &mut map.edges,
    );
    merger.finish(Draft::Map)
}

fn target_text(target: &SetupTarget) -> String {
    match target {
        SetupTarget::Match => String::new(),
        SetupTarget::Seat(name) | SetupTarget::Cell(name) => format!("{name} "),
        SetupTarget::Edge(a, b) => format!("{a}-{b} "),
    }
}

/// A script with the lines that either side changed; none if they changed the same, or more than lines.
fn merge_scripts(overlays: [&Option<(String, String)>; 3]) -> Option<(String, String)> {
    let [Some((file, base)), Some((ours_file, ours)), Some((theirs_file, theirs))] = overlays else {
        return None;
    };
    if file != ours_file || file != theirs_file {
        return None;
    }
    let [base, ours, theirs] = [base, ours, theirs].map(|text| text.split('\n').collect::<Vec<&str>>());
    let place_in = |list: &[&str]| {
        let mut places = vec![None; base.len()];
        for (at, place) in align(&base, list).into_iter().enumerate() {
            if let Some(slot) = place.and_then(|place| places.get_mut(place)) {
                *slot = Some(at);
            }
        }
        places
    };
    let kept = place_in(&ours).into_iter().zip(place_in(&theirs)).enumerate();
    let kept = kept.filter_map(|(at, (ours, theirs))| Some([at, ours?, theirs?]));
    let part = |list: &[&'_ str], from: usize, to: usize| {
        let lines = list.get(from..to).unwrap_or_default().iter();
        lines.map(|line| (*line).to_owned()).collect::<Vec<String>>()
    };
    let mut merged: Vec<String> = Vec::new();
    let mut from = [0; 3];
    for to in kept.chain([[base.len(), ours.len(), theirs.len()]]) {
        let ([b, o, t], [b_end, o_end, t_end]) = (from, to);
        let chosen = choose(&part(&base, b, b_end), &part(&ours, o, o_end), &part(&theirs, t, t_end));
        merged.extend(chosen.ok()?);
        merged.extend(base.get(b_end).map(|line| (*line).to_owned()));
        from = to.map(|at| at + 1);
    }
    Some((file.clone(), merged.join("\n")))
}

fn merge_scenarios([base, ours, theirs]: [&Scenario; 3]) -> Merged {
    let mut merger = Merger {
        merged: ours.clone(),
        conflicts: Vec::new(),
    };
    let texts = String::clone;
    merger.scalar(ConflictSubject::Id, [&base.id, &ours.id, &theirs.id], texts, |scenario| {
        &mut scenario.id
    });
    merger.scalar(
        ConflictSubject::Title,
        [&base.title, &ours.title, &theirs.title],
        texts,
        |scenario| &mut scenario.title,
    );
    let descriptions = [&base.description, &ours.description, &theirs.description];
    merger.scalar(ConflictSubject::Description, descriptions, texts, |scenario| {
        &mut scenario.description
    });
    let rulesets = [&base.ruleset, &ours.ruleset, &theirs.ruleset];
    merger.scalar(ConflictSubject::Ruleset, rulesets, texts, |scenario| &mut scenario.ruleset);
    merger.scalar(ConflictSubject::Map, [&base.map, &ours.map, &theirs.map], texts, |scenario| {
        &mut scenario.map
    });
    let file = |overlay: &Option<(String, String)>| overlay.as_ref().map_or_else(String::new, |(file, _)| file.clone());
    let overlays = [&base.overlay, &ours.overlay, &theirs.overlay];
    match merge_scripts(overlays) {
        Some(both) => merger.merged.overlay = Some(both),
        None => merger.scalar(ConflictSubject::Overlay, overlays, file, |scenario| &mut scenario.overlay),
    }
    let [base_setup, our_setup, their_setup] = [base, ours, theirs].map(|scenario| &scenario.setup);
    let seats = [&base_setup.seats, &our_setup.seats, &their_setup.seats];
    merger.scalar(
        ConflictSubject::Seats,
        seats,
        |seats| seats.join(" "),
        |scenario| &mut scenario.setup.seats,
    );
    let first = |pair: &(String, String)| pair.0.clone();
    let second = |pair: &(String, String)| pair.1.clone();
    merger.keyed(
        [&base.players, &ours.players, &theirs.players],
        first,
        |pair| ConflictSubject::Player(pair.0.clone()),
        |_| None,
        second,
        |scenario| &mut scenario.players,
    );
    merger.keyed(
        [&base_setup.options, &our_setup.options, &their_setup.options],
        first,
        |pair| ConflictSubject::Option(pair.0.clone()),
        |_| None,
        second,
        |scenario| &mut scenario.setup.options,
    );
    merger.keyed(
        [&base_setup.values, &our_setup.values, &their_setup.values],
        |value: &SetupValue| (format!("{:?}", value.target), value.name.clone()),
        |value| ConflictSubject::Property(format!("{}{}", target_text(&value.target), value.name)),
        |_| None,
        |value| value.value.clone(),
        |scenario| &mut scenario.setup.values,
    );
    merger.ordered(
        ConflictSubject::Pieces,
        [&base_setup.pieces, &our_setup.pieces, &their_setup.pieces],
        |piece: &SetupPiece| format!("{piece:?}"),
        |pieces| pieces.len().to_string(),
        |scenario| &mut scenario.setup.pieces,
    );
    merger.finish(Draft::Scenario)
}
