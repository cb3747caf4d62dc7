//! The board that is drawn on: what the pointer does with the tool in hand.

use std::collections::BTreeSet;

use boardwright_editing::{Edit, Step, StepKind, outlines, paint, points, setup};
use boardwright_model::{CellId, CellSet, Pose, SetupPiece, SetupPlace};
use boardwright_ui::board::{Clicks, Scene, Travels};
use boardwright_ui::command::ChoiceCommand;
use boardwright_ui::text;
use egui::{CursorIcon, PointerButton, Pos2, Response, Ui};

use crate::editor::Ask;
use crate::file::OpenFile;
use crate::gesture::Begun;
use crate::overlays::overlays_ui;
use crate::paint::{set_of, with_images};
use crate::tools::{Choices, HeightMode, Tool};

/// How near the pointer has to be to a corner of an area to catch it, in points of the screen.
const NEAR: f32 = 9.0;
/// How far apart points are put that snap, in thousandths of a unit.
const SNAP: i32 = 250;

/// Shows the board and carries out what the pointer does on it.
pub(crate) fn board_ui(ui: &mut Ui, file: &mut OpenFile, choices: &mut Choices, has_keys: bool, asks: &mut Vec<Ask>) {
    let travels = Travels::default();
    let mut view = std::mem::take(&mut file.view);
    let title = file.title();
    let reply = {
        let scene = Scene {
            state: &file.drawn.state,
            looks: &file.drawn.looks,
            art: &file.ruleset.art,
            marks: &file.marks,
            travels: &travels,
            title: &title,
            clicks: Clicks::Drawn,
            shows_names: choices.shows_names,
            takes_wheel: false,
        };
        view.ui(ui, &scene)
    };
    file.view = view;
    file.gesture.hovered = reply.hovered;
    let response = reply.response;
    let pointer = ui.ctx().pointer_latest_pos().filter(|_| response.contains_pointer());
    let (alt, shift) = ui.input(|input| (input.modifiers.alt, input.modifiers.shift));
    let tool = if alt && choices.tool.paints_terrain() {
        Tool::Dropper
    } else {
        choices.tool
    };
    if let Some(pointer) = pointer {
        ui.ctx().set_cursor_icon(cursor(tool));
        // What is under it may be a hole, which the board does not know.
        if file.gesture.hovered.is_none() && tool == Tool::Hole {
            file.gesture.hovered = hole_at(file, pointer);
        }
    }
    let reach = file
        .gesture
        .hovered
        .filter(|_| tool != Tool::Hand)
        .map(|cell| reach(file, choices, tool, cell));
    overlays_ui(ui, file, choices, response.rect, reach.as_ref());
    gesture_lines(ui, file, &response);
    let mut pane = Pane {
        file,
        choices,
        asks,
        tool,
        takes_away: shift,
    };
    pane.pointer(ui, &response);
    for command in reply.commands {
        if let ChoiceCommand::Click(click) = command
            && has_keys
        {
            pane.press(click.cell);
            pane.release(Some(click.cell));
        }
    }
    context_menu(&response, pane.file, pane.asks);
}

fn cursor(tool: Tool) -> CursorIcon {
    match tool {
        Tool::Hand => CursorIcon::Default,
        Tool::Select | Tool::Rectangle | Tool::Line | Tool::Dropper => CursorIcon::Crosshair,
        _ => CursorIcon::Cell,
    }
}

fn hole_at(file: &OpenFile, pointer: Pos2) -> Option<CellId> {
    let (x, y) = file.view.drawing_point(pointer);
    file.lattice.board().hit(x, y)
}

/// The cells that a tool would reach if it were used now.
fn reach(file: &OpenFile, choices: &Choices, tool: Tool, cell: CellId) -> CellSet {
    let lattice = &file.lattice;
    let from = match file.gesture.begun {
        Begun::Span(from) => from,
        _ => cell,
    };
    let cells = match tool {
        Tool::Brush | Tool::Hole | Tool::Height | Tool::Region => paint::brush(lattice, cell, choices.size),
        Tool::Line => paint::line(lattice, from, cell, choices.size),
        Tool::Rectangle => paint::rectangle(lattice, from, cell, true),
        // A selection is what it spans, without images.
        Tool::Select => return paint::rectangle(lattice, from, cell, true),
        _ => return set_of(lattice, [cell]),
    };
    with_images(file, choices.symmetry, &cells)
}

/// How a map says that a cell has a terrain: the usual one goes without saying, unless the map names it elsewhere.
fn terrain_written(file: &OpenFile, terrain: Option<&String>) -> Option<String> {
    let usual = || {
        let usual = file.drawn.state.declarations().terrains.first()?;
        let is_named = file.map()?.cells.iter().any(|cell| cell.terrain.as_deref() == Some(&*usual.name));
        is_named.then(|| usual.name.to_string())
    };
    terrain.cloned().or_else(usual)
}

struct Pane<'a> {
    file: &'a mut OpenFile,
    choices: &'a mut Choices,
    asks: &'a mut Vec<Ask>,
    tool: Tool,
    takes_away: bool,
}

impl Pane<'_> {
    fn pointer(&mut self, ui: &Ui, response: &Response) {
        let (pressed, is_down, latest) = ui.input(|input| {
            let pointer = &input.pointer;
            (
                pointer.button_pressed(PointerButton::Primary),
                pointer.primary_down(),
                pointer.latest_pos(),
            )
        });
        let Some(at) = latest else { return };
        let cell = self.cell_at(at);
        if pressed && response.contains_pointer() && response.interact_pointer_pos().is_some() {
            self.press_at(cell, at);
        } else if is_down && !self.file.gesture.is_idle() {
            self.drag(cell, at);
        }
        // A click may be pressed and let go in one frame.
        if !is_down && !self.file.gesture.is_idle() {
            self.release(cell.filter(|_| response.contains_pointer()));
        }
        self.file.gesture.last = Some(at);
    }

    fn cell_at(&self, at: Pos2) -> Option<CellId> {
        match self.tool {
            Tool::Hole => hole_at(self.file, at),
            _ => self.file.view.cell_at(at),
        }
    }

    fn press_at(&mut self, cell: Option<CellId>, at: Pos2) {
        self.file.gesture.cancel();
        if matches!(self.tool, Tool::Hand | Tool::Point) && self.catch_corner(at) {
            return;
        }
        match cell {
            Some(cell) => self.press(cell),
            None if self.tool == Tool::Point => self.put_point(at),
            None if matches!(self.tool, Tool::Hand | Tool::Select) => {
                self.file.selection.clear();
                self.file.selected_pieces.clear();
            }
            None => {}
        }
    }

    fn press(&mut self, cell: CellId) {
        self.file.gesture.has_step = false;
        self.file.gesture.takes_away = self.takes_away;
        match self.tool {
            Tool::Hand => self.take_hold(cell),
            Tool::Brush | Tool::Height | Tool::Region | Tool::Hole => {
                if self.tool == Tool::Region && self.file.region.is_none() {
                    self.begin_region();
                }
                if self.tool == Tool::Hole {
                    self.file.gesture.takes_away = !self.file.drawn.board().contains(cell);
                }
                self.file.gesture.begun = Begun::Stroke(BTreeSet::new());
                self.stroke(&reach(self.file, self.choices, self.tool, cell));
            }
            Tool::Line | Tool::Rectangle | Tool::Select => {
                let is_selected = self.file.selection.contains(&cell);
                self.file.gesture.begun =
                    if self.tool == Tool::Select && is_selected && !self.takes_away && !self.file.is_graph() && self.file.is_map() {
                        Begun::Move(cell)
                    } else {
                        Begun::Span(cell)
                    };
            }
            Tool::Fill | Tool::Replace => {
                let Some(map) = self.file.map() else { return };
                let (cells, kind) = if self.tool == Tool::Fill {
                    (paint::flood(map, &self.file.lattice, cell), StepKind::Fill)
                } else {
                    (paint::same_ground(map, &self.file.lattice, cell), StepKind::Replace)
                };
                self.paint(kind, &with_images(self.file, self.choices.symmetry, &cells));
            }
            Tool::Dropper => self.pick(cell),
            Tool::Piece => self.put_piece(cell),
            Tool::Point => {
                self.file.selection = [cell].into();
                self.file.gesture.begun = Begun::Point(cell.index());
            }
            Tool::Link => self.link(cell),
        }
    }

    fn drag(&mut self, cell: Option<CellId>, at: Pos2) {
        match self.file.gesture.begun.clone() {
            Begun::Stroke(_) => {
                // What lies between where the pointer was and where it is, is painted too.
                let last = self.file.gesture.last.unwrap_or(at);
                let apart = (self.file.view.unit() * 0.4).max(2.0);
                let count = (last.distance(at) / apart).ceil().clamp(1.0, 400.0) as u16;
                let mut cells = self.file.lattice.no_cells();
                let mut known = None;
                for step in 1..=count {
                    let point = last.lerp(at, f32::from(step) / f32::from(count));
                    let found = self.cell_at(point);
                    if let Some(found) = found.filter(|_| found != known) {
                        cells.union_with(&reach(self.file, self.choices, self.tool, found));
                    }
                    known = found;
                }
                self.stroke(&cells);
            }
            Begun::Point(index) => self.drag_point(index, at),
            Begun::Corner(from) => self.drag_corner(from, at),
            Begun::Link(_) => {
                if let Some(cell) = cell {
                    self.link(cell);
                }
            }
            Begun::Nothing | Begun::Span(_) | Begun::Move(_) | Begun::Piece(_) => {}
        }
    }

    fn release(&mut self, cell: Option<CellId>) {
        let begun = std::mem::take(&mut self.file.gesture.begun);
        match (begun, cell) {
            (Begun::Span(from), Some(to)) => self.span(from, to),
            (Begun::Move(from), Some(to)) if from != to => crate::clipboard::shift(self.file, from, to),
            (Begun::Move(_), Some(to)) => self.file.selection = [to].into(),
            (Begun::Piece(index), Some(to)) => self.move_piece(index, to),
            (Begun::Link(cells), _) => self.finish_links(&cells),
            _ => {}
        }
        self.file.gesture.has_step = false;
    }

    /// Makes a step, or goes on with that of the stroke.
    fn say(&mut self, kind: StepKind, edits: Vec<Edit>) {
        if edits.is_empty() {
            return;
        }
        if self.file.gesture.has_step {
            self.file.extend(edits);
        } else {
            self.file.apply(Step::new(kind, edits));
            self.file.gesture.has_step = true;
        }
    }

    /// Paints what a stroke has not painted yet.
    fn stroke(&mut self, cells: &CellSet) {
        let Begun::Stroke(done) = &mut self.file.gesture.begun else {
            return;
        };
        let new: Vec<CellId> = cells.iter().filter(|cell| done.insert(*cell)).collect();
        if new.is_empty() {
            return;
        }
        let new = set_of(&self.file.lattice, new);
        let Some(map) = self.file.map() else { return };
        let (lattice, takes_away) = (&self.file.lattice, self.file.gesture.takes_away);
        let terrain = terrain_written(self.file, self.choices.terrain.as_ref());
        let (kind, edits) = match self.tool {
            Tool::Brush => (StepKind::Paint, paint::terrain(map, lattice, &new, terrain.as_deref())),
            Tool::Hole if takes_away => (StepKind::Holes, paint::fill_holes(map, lattice, &new)),
            Tool::Hole => (StepKind::Holes, paint::make_holes(map, lattice, &new)),
            Tool::Height => {
                let by = self.choices.height.max(1);
                let height = match (self.choices.height_mode, takes_away) {
                    (HeightMode::Set, _) => paint::Height::To(self.choices.height),
                    (HeightMode::Raise, false) | (HeightMode::Lower, true) => paint::Height::By(by),
                    (HeightMode::Raise, true) | (HeightMode::Lower, false) => paint::Height::By(-by),
                };
                (StepKind::Elevation, paint::elevation(map, lattice, &new, height))
            }
            Tool::Region => {
                let Some(region) = self.file.region else { return };
                let edits = if takes_away {
                    paint::take_from_region(map, lattice, region, &new)
                } else {
                    paint::add_to_region(map, lattice, region, &new)
                };
                (StepKind::Region, edits)
            }
            _ => return,
        };
        self.say(kind, edits);
    }

    fn paint(&mut self, kind: StepKind, cells: &CellSet) {
        let Some(map) = self.file.map() else { return };
        let terrain = terrain_written(self.file, self.choices.terrain.as_ref());
        let edits = paint::terrain(map, &self.file.lattice, cells, terrain.as_deref());
        if !edits.is_empty() {
            self.file.apply(Step::new(kind, edits));
        }
    }

    fn span(&mut self, from: CellId, to: CellId) {
        let lattice = &self.file.lattice;
        match self.tool {
            Tool::Line => {
                let cells = paint::line(lattice, from, to, self.choices.size);
                self.paint(StepKind::Line, &with_images(self.file, self.choices.symmetry, &cells));
            }
            Tool::Rectangle => {
                let cells = paint::rectangle(lattice, from, to, true);
                self.paint(StepKind::Rectangle, &with_images(self.file, self.choices.symmetry, &cells));
            }
            Tool::Select => self.select(from, to),
            _ => {}
        }
    }

    fn select(&mut self, from: CellId, to: CellId) {
        let cells = paint::rectangle(&self.file.lattice, from, to, true);
        let board = self.file.drawn.board();
        let cells: BTreeSet<CellId> = cells.iter().filter(|cell| board.contains(*cell)).collect();
        if !self.file.is_map() {
            let state = &self.file.drawn.state;
            let pieces = cells.iter().flat_map(|cell| state.pieces_at(*cell));
            let found: BTreeSet<usize> = pieces.filter_map(|piece| self.file.drawn.setup_index(*piece)).collect();
            if !self.file.gesture.takes_away {
                self.file.selected_pieces.clear();
            }
            self.file.selected_pieces.extend(found);
            self.file.selection.clear();
            return;
        }
        if self.file.gesture.takes_away {
            self.file.selection.extend(cells);
        } else {
            self.file.selection = cells;
        }
    }

    /// The hand takes what lies on a cell: a piece, a point, or else the cell itself.
    fn take_hold(&mut self, cell: CellId) {
        let pieces = self.file.drawn.state.pieces_at(cell);
        let piece = pieces.last().and_then(|piece| self.file.drawn.setup_index(*piece));
        if self.takes_away {
            if !self.file.selection.remove(&cell) {
                self.file.selection.insert(cell);
            }
            self.file.selected_pieces.extend(piece);
            return;
        }
        if let Some(piece) = piece.filter(|_| !self.file.is_map()) {
            if !self.file.selected_pieces.contains(&piece) {
                self.file.selected_pieces = [piece].into();
            }
            self.file.selection.clear();
            self.file.gesture.begun = Begun::Piece(piece);
        } else {
            self.file.selected_pieces.clear();
            self.file.selection = [cell].into();
            if self.file.is_map() && self.file.is_graph() {
                self.file.gesture.begun = Begun::Point(cell.index());
            }
        }
    }

    /// Takes the terrain of a cell, or the kind and owner of what stands on it.
    fn pick(&mut self, cell: CellId) {
        let state = &self.file.drawn.state;
        let terrain = state.terrain(cell).filter(|terrain| terrain.index() > 0);
        let declared = terrain.and_then(|terrain| state.declarations().terrains.get(terrain.index()));
        self.choices.terrain = declared.map(|terrain| terrain.name.to_string());
        if self.choices.tool == Tool::Dropper {
            self.choices.tool = Tool::Brush;
        }
    }

    fn begin_region(&mut self) {
        let Some(map) = self.file.map() else { return };
        let count = map.regions.len();
        let edits = paint::new_region(
            map,
            &self.file.lattice,
            &text!("region-name", number = count + 1),
            &self.file.lattice.no_cells(),
        );
        self.file.apply(Step::new(StepKind::Region, edits));
        self.file.gesture.has_step = true;
        self.file.region = Some(count);
    }

    fn put_piece(&mut self, cell: CellId) {
        let Some(kind) = self.choices.kind.clone() else { return };
        let Some(scenario) = self.file.document.draft().scenario() else {
            return;
        };
        let declarations = &self.file.ruleset.declarations;
        let has_shape = declarations
            .find_kind(&kind)
            .and_then(|kind| declarations.kind(kind))
            .is_some_and(|kind| kind.figure.is_some());
        let name = self.file.drawn.board().cell_name(cell).to_owned();
        let place = match Pose::ALL.get(self.choices.pose).filter(|_| has_shape) {
            Some(pose) => SetupPlace::Posed(name, pose.word().to_owned()),
            None => SetupPlace::Cell(name),
        };
        let piece = SetupPiece {
            kind,
            owner: self.choices.owner.clone(),
            place,
            values: Vec::new(),
        };
        let edits = setup::add_piece(scenario, piece);
        // It may come between others that are like it.
        let at = edits.iter().find_map(|edit| match edit {
            Edit::Pieces(splice) => Some(splice.at),
            _ => None,
        });
        self.file.selected_pieces = at.into_iter().collect();
        self.file.selection.clear();
        self.file.apply(Step::new(StepKind::Pieces, edits));
    }

    /// Puts the piece that was dragged onto a cell.
    fn move_piece(&mut self, index: usize, to: CellId) {
        let Some(scenario) = self.file.document.draft().scenario() else {
            return;
        };
        let name = self.file.drawn.board().cell_name(to);
        let from = scenario.setup.pieces.get(index).and_then(setup::cell_of);
        if from.is_some_and(|from| from == name) {
            return;
        }
        let edits = setup::move_pieces(scenario, &[index].into(), name);
        self.file.apply(Step::new(StepKind::Pieces, edits));
    }

    fn put_point(&mut self, at: Pos2) {
        let Some(map) = self.file.map() else { return };
        let count = map.cells.len();
        let place = points::snapped(self.file.view.drawing_point(at), SNAP);
        let edits = points::add_point(map, "p", place);
        self.file.apply(Step::new(StepKind::Points, edits));
        self.file.selection = [CellId::from_index(count)].into();
    }

    fn drag_point(&mut self, index: usize, at: Pos2) {
        let Some(map) = self.file.map() else { return };
        let to = self.file.view.drawing_point(at);
        let to = if self.takes_away { to } else { points::snapped(to, 50) };
        let from = map.cells.get(index).map_or(to, |cell| (cell.x, cell.y));
        // A click that slips a little moves nothing.
        let is_far = self.file.view.screen_point(from).distance(at) > 5.0;
        if from != to && (self.file.gesture.has_step || is_far) {
            let edits = points::move_label(map, index, to);
            self.say(StepKind::Points, edits);
            self.file.redraw();
        }
    }

    /// Takes hold of the corner of areas near the pointer; true if there is one.
    fn catch_corner(&mut self, at: Pos2) -> bool {
        let Some(map) = self.file.map().filter(|_| self.file.is_graph()) else {
            return false;
        };
        let radius = (NEAR / self.file.view.unit() * 1000.0) as i32;
        let corner = outlines::corners_near(map, self.file.view.drawing_point(at), radius)
            .first()
            .copied();
        if let Some(corner) = corner {
            self.file.gesture.begun = Begun::Corner(corner);
        }
        corner.is_some()
    }

    fn drag_corner(&mut self, from: (i32, i32), at: Pos2) {
        let Some(map) = self.file.map() else { return };
        let to = self.file.view.drawing_point(at);
        if to != from {
            let edits = outlines::move_corner(map, from, to);
            self.say(StepKind::Outline, edits);
            self.file.gesture.begun = Begun::Corner(to);
            self.file.redraw();
        }
    }

    /// Links cells: dragged from one to another, or clicked one after the other.
    fn link(&mut self, cell: CellId) {
        if let Begun::Link(cells) = &mut self.file.gesture.begun {
            if cells.last() != Some(&cell) {
                cells.push(cell);
            }
        } else {
            let before = self.file.selection.first().copied().filter(|_| self.file.selection.len() == 1);
            let first = before.filter(|before| *before != cell);
            self.file.gesture.begun = Begun::Link(first.into_iter().chain([cell]).collect());
        }
        self.file.selection = [cell].into();
    }

    fn finish_links(&mut self, cells: &[CellId]) {
        let Some(map) = self.file.map() else { return };
        let indexes: Vec<usize> = cells.iter().map(|cell| cell.index()).collect();
        let edits = match *indexes.as_slice() {
            [] | [_] => return,
            [one, other] => points::toggle_link(map, one, other),
            _ => points::draw_line(map, None, &indexes),
        };
        if !edits.is_empty() {
            self.file.apply(Step::new(StepKind::Lines, edits));
        }
        self.file.selection.clear();
    }
}

/// What the pointer draws before it is let go: a link, a piece on its way.
fn gesture_lines(ui: &Ui, file: &OpenFile, response: &Response) {
    let palette = boardwright_ui::theme::Palette::of(ui.visuals());
    let painter = ui.painter_at(response.rect);
    let Some(pointer) = ui.ctx().pointer_latest_pos() else { return };
    let stroke = egui::Stroke::new(3.0, palette.chosen);
    match &file.gesture.begun {
        Begun::Link(cells) => {
            let mut line: Vec<Pos2> = cells.iter().filter_map(|cell| file.view.place_of(*cell)).collect();
            line.push(pointer);
            painter.add(egui::Shape::line(line, stroke));
        }
        Begun::Piece(_) | Begun::Move(_) => {
            painter.circle_stroke(pointer, (file.view.unit() * 0.4).max(8.0), stroke);
        }
        _ => {}
    }
}

/// What can be done with the cell under the pointer.
fn context_menu(response: &Response, file: &mut OpenFile, asks: &mut Vec<Ask>) {
    use boardwright_ui::keys::{Act, key_of, label_of};
    use boardwright_ui::theme::{Icon, MenuRow};
    if response.secondary_clicked()
        && let Some(cell) = file.gesture.hovered
        && !file.selection.contains(&cell)
    {
        file.selection = [cell].into();
    }
    response.context_menu(|ui| {
        let mut rows = Vec::new();
        if file.is_map() && !file.is_graph() {
            rows.extend([
                (Icon::Layers, Act::CopyCells, Ask::Copy),
                (Icon::Compare, Act::CutCells, Ask::Cut),
                (Icon::Save, Act::PasteCells, Ask::Paste),
                (Icon::Turn, Act::TurnCells, Ask::Turn),
                (Icon::Mirror, Act::MirrorCells, Ask::Mirror),
            ]);
        }
        rows.extend([
            (Icon::Trash, Act::DeleteDrawn, Ask::Delete),
            (Icon::Select, Act::SelectAll, Ask::SelectAll),
            (Icon::Undo, Act::DrawUndo, Ask::Undo),
        ]);
        for (icon, act, ask) in rows {
            if ui.add(MenuRow::new(icon, label_of(act)).key(key_of(act))).clicked() {
                asks.push(ask);
                ui.close();
            }
        }
    });
}
