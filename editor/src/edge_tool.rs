//! The tool that gives edges between cells a property: rivers, walls, roads.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_editing::{StepKind, SymmetryTable, paint};
use boardwright_model::{CellId, PropertyDeclaration, Scope, Value, ValueType};
use boardwright_ui::text;
use boardwright_ui::theme::{Icon, Palette, heading_ui, remark_ui, space, veil};
use egui::{Color32, Id, Painter, Pos2, Shape, Stroke, Ui};

use crate::board_pane::Pane;
use crate::file::OpenFile;
use crate::gesture::Begun;
use crate::tools::Choices;
use crate::values::{value_row_ui, written};

/// How near the pointer has to come to a line between two points, in points of the screen.
const REACH: f32 = 14.0;

/// Two cells side by side, the smaller id first.
pub(crate) type Ends = [CellId; 2];

/// What edges are given.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeBrush {
    /// The property, by name.
    property: Option<String>,
    /// The values that were chosen, by property.
    values: BTreeMap<String, String>,
}

impl EdgeBrush {
    /// Takes the first declared property if that in hand is not declared.
    pub(crate) fn fit(&mut self, file: &OpenFile) {
        if self.declared(file).is_none() {
            let first = file.ruleset.declarations.properties_of(Scope::Edge).next();
            self.property = first.map(|(_, property)| property.name.to_string());
        }
    }

    fn declared<'f>(&self, file: &'f OpenFile) -> Option<&'f PropertyDeclaration> {
        let mut declared = file.ruleset.declarations.properties_of(Scope::Edge);
        let found = declared.find(|(_, property)| Some(&*property.name) == self.property.as_deref());
        found.map(|(_, property)| property)
    }

    /// The value that is painted: the chosen one; of a flag the one that is not its default.
    fn value(&self, property: &PropertyDeclaration) -> String {
        let chosen = self.values.get(&*property.name).cloned();
        chosen.unwrap_or_else(|| match property.default {
            Value::Flag(flag) => (!flag).to_string(),
            _ => written(&property.default),
        })
    }

    /// Whether the stroke that is under way takes the property away: all edges have the default as it is.
    fn takes_away(&self, file: &OpenFile, property: &PropertyDeclaration) -> bool {
        file.gesture.takes_away || self.value(property) == written(&property.default)
    }
}

/// Whether the ruleset of a map declares properties of edges.
pub(crate) fn has_properties(file: &OpenFile) -> bool {
    file.ruleset.declarations.properties_of(Scope::Edge).next().is_some()
}

/// Shows which property is painted, and with which value.
pub(crate) fn edge_brush_ui(ui: &mut Ui, file: &OpenFile, brush: &mut EdgeBrush) {
    heading_ui(ui, Icon::Edge, &text!("tool-edge"));
    let declarations = &file.ruleset.declarations;
    for (_, property) in declarations.properties_of(Scope::Edge) {
        let is_chosen = brush.property.as_deref() == Some(&*property.name);
        if ui.radio(is_chosen, &*property.title).clicked() {
            brush.property = Some(property.name.to_string());
        }
    }
    if let Some(property) = brush.declared(file)
        && property.value_type != ValueType::Flag
    {
        let now = brush.value(property);
        let salt = Id::unique("edge brush").with(&*property.name);
        let (title, default) = (text!("edge-value"), &property.default);
        let changed = value_row_ui(ui, salt, &title, &property.value_type, default, declarations, Some(&now));
        if let Some(changed) = changed {
            let new = changed.new.unwrap_or_else(|| written(default));
            brush.values.insert(property.name.to_string(), new);
        }
    }
    remark_ui(ui, text!("edge-hint"));
    ui.add_space(space::XS);
}

/// The edge under a point of the screen.
pub(crate) fn edge_at(file: &OpenFile, at: Pos2) -> Option<Ends> {
    let board = file.drawn.board();
    let over = file.view.cell_at(at);
    let off = |ends: &Ends| borders(file, *ends).iter().map(|side| distance(at, *side)).reduce(f32::min);
    let nearest = |cell: CellId| {
        let edges = board.neighbours(cell).iter().map(|other| ends(cell, *other));
        let found = edges.filter_map(|edge| Some((edge, off(&edge)?)));
        found.min_by(|(_, a), (_, b)| a.total_cmp(b))
    };
    if let Some(cell) = over {
        return nearest(cell).map(|(edge, _)| edge);
    }
    // Between points there is no cell.
    let visible = file.view.visible().into_iter().filter(|_| file.is_graph());
    let found = visible.filter_map(nearest).min_by(|(_, a), (_, b)| a.total_cmp(b));
    found.filter(|(_, off)| *off <= REACH).map(|(edge, _)| edge)
}

fn ends(a: CellId, b: CellId) -> Ends {
    [a.min(b), a.max(b)]
}

/// An edge and those in which the chosen symmetry repeats it.
fn with_images(file: &OpenFile, chosen: usize, edge: Ends) -> BTreeSet<Ends> {
    let table: Option<&SymmetryTable> = chosen.checked_sub(1).and_then(|index| file.symmetries.get(index));
    let board = file.drawn.board();
    let all = table.map_or_else(|| [edge].into(), |table| table.spread_edge(edge));
    all.into_iter().filter(|[a, b]| board.edge_between(*a, *b).is_some()).collect()
}

/// Where an edge lies on the screen: the sides that two cells share, or between two points the line from one to the other. Cells that only share
/// a corner have none.
fn borders(file: &OpenFile, [a, b]: Ends) -> Vec<[Pos2; 2]> {
    let view = &file.view;
    if !file.is_graph() {
        return view.shared_side(a, b).into_iter().collect();
    }
    let mut sides = Vec::new();
    for line in view.rim([a], |cell| cell == a) {
        for (from, to) in line.iter().zip(line.iter().skip(1)) {
            let across = (*to - *from).normalized().rot90() * 3.0;
            let middle = from.lerp(*to, 0.5);
            if [middle + across, middle - across]
                .into_iter()
                .any(|beside| view.cell_at(beside) == Some(b))
            {
                sides.push([*from, *to]);
            }
        }
    }
    if sides.is_empty() {
        sides.extend(view.place_of(a).zip(view.place_of(b)).map(|(from, to)| [from, to]));
    }
    sides
}

/// How far a point is from a line between two others.
fn distance(at: Pos2, [from, to]: [Pos2; 2]) -> f32 {
    let along = to - from;
    let share = ((at - from).dot(along) / along.length_sq().max(f32::EPSILON)).clamp(0.0, 1.0);
    at.distance(from + along * share)
}

/// Marks the edges that have the property in hand, and those that would get it at a point of the screen. What a ruleset does not draw is seen too.
pub(crate) fn paint_edges(painter: &Painter, file: &OpenFile, choices: &Choices, palette: &Palette, at: Option<Pos2>) {
    let Some(property) = choices.edge_brush.declared(file).filter(|_| file.is_map()) else {
        return;
    };
    let board = file.drawn.board();
    let width = (file.view.unit() * 0.07).clamp(2.0, 6.0);
    let clip = painter.clip_rect();
    let draw = |edge: Ends, colour: Color32| {
        let is_seen = edge
            .iter()
            .any(|cell| file.view.place_of(*cell).is_some_and(|place| clip.contains(place)));
        if !is_seen {
            return;
        }
        for side in borders(file, edge) {
            painter.add(Shape::line_segment(side, Stroke::new(width + 2.0, veil(Color32::BLACK, 0.35))));
            painter.add(Shape::line_segment(side, Stroke::new(width, colour)));
        }
    };
    // The board is drawn again when a stroke is over.
    let none = BTreeSet::new();
    let (stroke, takes_away) = match &file.gesture.begun {
        Begun::Edges(done) => (done, choices.edge_brush.takes_away(file, property)),
        _ => (&none, false),
    };
    let has_property = board.authored_edges().filter(|(_, given)| given.contains_key(&*property.name));
    let before = has_property.map(|(edge, _)| <Ends>::from(board.edge_ends(edge)));
    for edge in before.filter(|edge| !stroke.contains(edge)) {
        draw(edge, palette.accent);
    }
    for edge in stroke.iter().filter(|_| !takes_away) {
        draw(*edge, palette.accent);
    }
    for edge in at
        .and_then(|at| edge_at(file, at))
        .into_iter()
        .flat_map(|edge| with_images(file, choices.symmetry, edge))
    {
        draw(edge, palette.chosen);
    }
}

impl Pane<'_> {
    /// Begins a stroke along edges.
    pub(crate) fn press_edge(&mut self, at: Pos2) {
        self.file.gesture.has_step = false;
        self.file.gesture.takes_away = self.takes_away;
        self.file.gesture.begun = Begun::Edges(BTreeSet::new());
        self.stroke_edge(at);
    }

    /// Gives the edge at a point of the screen the property in hand, if the stroke has not done so yet.
    pub(crate) fn stroke_edge(&mut self, at: Pos2) {
        let Some(edge) = edge_at(self.file, at) else { return };
        let Some(property) = self.choices.edge_brush.declared(self.file) else {
            return;
        };
        let takes_away = self.choices.edge_brush.takes_away(self.file, property);
        let value = Some(self.choices.edge_brush.value(property)).filter(|_| !takes_away);
        let name = property.name.to_string();
        for [a, b] in with_images(self.file, self.choices.symmetry, edge) {
            if let Begun::Edges(done) = &mut self.file.gesture.begun
                && !done.insert([a, b])
            {
                continue;
            }
            let board = self.file.drawn.board();
            let names = [board.cell_name(a), board.cell_name(b)];
            let Some(map) = self.file.map() else { return };
            let edits = paint::edge_property(map, names, &name, value.as_deref());
            self.say(StepKind::Property, edits);
        }
    }
}
