//! The board that is drawn on: what the pointer does with the tool in hand.

use std::collections::BTreeSet;

use boardwright_editing::selection::moved_cell;
use boardwright_editing::{Edit, Splice, Step, StepKind, paint};
use boardwright_model::{CellId, CellSet};
use boardwright_ui::board::{Clicks, Scene, Travels};
use boardwright_ui::command::ChoiceCommand;
use boardwright_ui::text;
use boardwright_ui::theme::Palette;
use egui::{CursorIcon, DragAndDrop, Id, PointerButton, Pos2, Rect, Response, Ui};

use crate::edge_tool::paint_edges;
use crate::editor::Ask;
use crate::file::OpenFile;
use crate::gesture::Begun;
use crate::overlays::{overlays_ui, wash};
use crate::paint::{set_of, with_images};
use crate::piece_tools::{Dragged, piece_reach};
use crate::tools::{Choices, HeightMode, Tool};

/// Shows the board and carries out what the pointer does on it.
pub(crate) fn board_ui(ui: &mut Ui, file: &mut OpenFile, choices: &mut Choices, has_keys: bool, asks: &mut Vec<Ask>) {
    let travels = Travels::default();
    let mut view = std::mem::take(&mut file.view);
    let unit = view.unit();
    let title = file.title();
    wash(file, choices, Palette::of(ui.visuals()));
    let reply = view.ui(ui, &scene(file, choices, &travels, &title));
    if (view.unit() - unit).abs() > f32::EPSILON {
        // The line below the board tells it, and was drawn before.
        ui.ctx().request_repaint();
    }
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
        .filter(|_| !matches!(tool, Tool::Hand | Tool::Edge))
        .map(|cell| reach(file, choices, tool, cell));
    overlays_ui(ui, file, choices, response.rect, reach.as_ref());
    if tool == Tool::Edge {
        let palette = Palette::of(ui.visuals());
        paint_edges(&ui.painter_at(response.rect), file, choices, palette, pointer);
    }
    gesture_lines(ui, file, &response);
    let mut view = std::mem::take(&mut file.view);
    view.minimap_ui(ui, &scene(file, choices, &travels, &title), &response);
    file.view = view;
    if file.triggers.is_pointing() {
        let pressed = ui.input(|input| input.pointer.button_pressed(PointerButton::Primary));
        let cell = pointer.filter(|_| pressed).and_then(|pointer| file.view.cell_at(pointer));
        let clicked = reply.commands.into_iter().find_map(|command| match command {
            ChoiceCommand::Click(click) => Some(click.cell),
            _ => None,
        });
        asks.extend(cell.or(clicked).map(Ask::PointAt));
        return;
    }
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

/// The board as it is drawn.
fn scene<'a>(file: &'a OpenFile, choices: &Choices, travels: &'a Travels, title: &'a str) -> Scene<'a> {
    Scene {
        state: &file.drawn.state,
        looks: &file.drawn.looks,
        art: &file.ruleset.art,
        marks: &file.marks,
        travels,
        washes: file.overlays.washes(),
        title,
        translator: None,
        clicks: Clicks::Drawn,
        shows_names: choices.shows_names,
        takes_wheel: false,
    }
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
        Tool::Select => return selected_to(file, from, cell),
        Tool::Piece => return piece_reach(file, choices, cell),
        _ => return set_of(lattice, [cell]),
    };
    with_images(file, choices.symmetry, &cells)
}

/// What a selection would be if the pointer were let go now: what it spans, or what is selected where that is dragged to.
fn selected_to(file: &OpenFile, from: CellId, to: CellId) -> CellSet {
    let lattice = &file.lattice;
    match file.gesture.begun {
        Begun::Move(from) => {
            let moved = file
                .selection
                .cells()
                .iter()
                .filter_map(|cell| moved_cell(lattice, *cell, from, to));
            set_of(lattice, moved)
        }
        _ if file.is_graph() => lattice.no_cells(),
        _ => paint::rectangle(lattice, from, to, true),
    }
}

/// The points of the screen from one to another, so near to each other that no cell of a size is passed over.
fn between(from: Pos2, to: Pos2, unit: f32) -> impl Iterator<Item = Pos2> {
    let count = (from.distance(to) / (unit * 0.4).max(2.0)).ceil().clamp(1.0, 400.0) as u16;
    (1..=count).map(move |step| from.lerp(to, f32::from(step) / f32::from(count)))
}

/// How a map says that a cell has a terrain: the default one goes without saying, unless the map names it elsewhere.
fn terrain_written(file: &OpenFile, terrain: Option<&String>) -> Option<String> {
    let default = || {
        let default = file.drawn.state.declarations().terrains.first()?;
        let is_named = file.map()?.cells.iter().any(|cell| cell.terrain.as_deref() == Some(&*default.name));
        is_named.then(|| default.name.to_string())
    };
    terrain.cloned().or_else(default)
}

/// The board under the pointer, with the tool in hand.
pub(crate) struct Pane<'a> {
    pub(crate) file: &'a mut OpenFile,
    pub(crate) choices: &'a mut Choices,
    asks: &'a mut Vec<Ask>,
    pub(crate) tool: Tool,
    /// Whether Shift is held.
    pub(crate) takes_away: bool,
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
            self.drag(ui, cell, at);
        }
        // A click may be pressed and let go in one frame.
        if !is_down && !self.file.gesture.is_idle() {
            if let Begun::Frame(from) = self.file.gesture.begun {
                self.select_framed(Rect::from_two_pos(from, at));
            }
            self.release(cell.filter(|_| response.contains_pointer()));
        }
        if let Some(dragged) = response.dnd_release_payload::<Dragged>() {
            self.drop_piece(&dragged, cell);
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
        if self.tool == Tool::Outline {
            self.press_outline(at);
            return;
        }
        if self.tool == Tool::Edge {
            self.press_edge(at);
            return;
        }
        if matches!(self.tool, Tool::Hand | Tool::Point) && self.catch_corner(at) {
            return;
        }
        if self.file.is_map() && self.file.is_graph() && matches!(self.tool, Tool::Hand | Tool::Point | Tool::Select) {
            match cell.filter(|cell| self.is_on(*cell, at)) {
                Some(cell) => self.hold_point(cell, at),
                None if self.tool == Tool::Point => self.put_point(at),
                None => self.begin_frame(at),
            }
            return;
        }
        match cell {
            Some(cell) if self.tool != Tool::Select || !self.file.is_graph() => self.press(cell),
            _ if matches!(self.tool, Tool::Hand | Tool::Select) => self.begin_frame(at),
            _ => {}
        }
    }

    /// Begins a frame around what is to be selected; without Shift in place of what is.
    fn begin_frame(&mut self, at: Pos2) {
        if !self.takes_away {
            self.file.selection.clear();
        }
        self.file.gesture.begun = Begun::Frame(at);
    }

    /// Selects what a frame on the screen holds: cells of a map, pieces of a scenario.
    fn select_framed(&mut self, frame: Rect) {
        let view = &self.file.view;
        let framed = |cell: &CellId| view.place_of(*cell).is_some_and(|place| frame.contains(place));
        let cells: Vec<CellId> = view.visible().into_iter().filter(framed).collect();
        if self.file.is_map() {
            self.file.selection.add_cells(cells);
        } else {
            let state = &self.file.drawn.state;
            let pieces = cells.iter().flat_map(|cell| state.pieces_at(*cell));
            let found: Vec<usize> = pieces.filter_map(|piece| self.file.drawn.setup_index(*piece)).collect();
            self.file.selection.add_pieces(found);
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
                let is_selected = self.file.selection.cells().contains(&cell);
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
                let mut cells = with_images(self.file, self.choices.symmetry, &cells);
                // A map need not be symmetric: where land is filled, a hole stays one.
                let board = self.file.drawn.board();
                if board.contains(cell) {
                    cells.intersect_with(&set_of(&self.file.lattice, board.cells()));
                }
                self.paint(kind, &cells);
            }
            Tool::Dropper => self.pick(cell),
            Tool::Piece => self.put_piece(cell),
            Tool::Point => self.file.selection.set_cells([cell].into()),
            Tool::Link => self.link(cell),
            // Corners and edges lie between cells.
            Tool::Outline | Tool::Edge => {}
        }
    }

    fn drag(&mut self, ui: &Ui, cell: Option<CellId>, at: Pos2) {
        match self.file.gesture.begun.clone() {
            Begun::Stroke(_) => {
                // What lies between where the pointer was and where it is, is painted too.
                let last = self.file.gesture.last.unwrap_or(at);
                let mut cells = self.file.lattice.no_cells();
                let mut known = None;
                for point in between(last, at, self.file.view.unit()) {
                    let found = self.cell_at(point);
                    if let Some(found) = found.filter(|_| found != known) {
                        cells.union_with(&reach(self.file, self.choices, self.tool, found));
                    }
                    known = found;
                }
                self.stroke(&cells);
            }
            Begun::Edges(_) => {
                let last = self.file.gesture.last.unwrap_or(at);
                for point in between(last, at, self.file.view.unit()) {
                    self.stroke_edge(point);
                }
            }
            Begun::Points(held) => self.drag_points(held, at),
            Begun::Corner(held) => self.drag_corner(held, at),
            Begun::Link(_) => {
                if let Some(cell) = cell {
                    self.link(cell);
                }
            }
            // Zones take it too, which are beside the board.
            Begun::Piece(held) if cell != Some(held.cell) => DragAndDrop::set_payload(ui.ctx(), Dragged::Selected),
            Begun::Nothing | Begun::Span(_) | Begun::Move(_) | Begun::Piece(_) | Begun::Frame(_) => {}
        }
    }

    fn release(&mut self, cell: Option<CellId>) {
        let begun = std::mem::take(&mut self.file.gesture.begun);
        match (begun, cell) {
            (Begun::Span(from), Some(to)) => self.span(from, to),
            (Begun::Move(from), Some(to)) if from != to => crate::clipboard::shift(self.file, from, to),
            (Begun::Move(_), Some(to)) => self.file.selection.set_cells([to].into()),
            (Begun::Piece(held), Some(to)) => self.release_piece(held, to),
            (Begun::Corner(held), _) if self.tool == Tool::Outline && !self.file.gesture.has_step => self.click_outline(held.at),
            // A click on a corner means the area there.
            (Begun::Corner(_), Some(cell)) if !self.file.gesture.has_step => self.file.selection.set_cells([cell].into()),
            (Begun::Link(cells), _) => self.finish_links(&cells),
            _ => {}
        }
        self.file.gesture.has_step = false;
    }

    /// Makes a step, or goes on with that of the stroke.
    pub(crate) fn say(&mut self, kind: StepKind, edits: Vec<Edit>) {
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
                self.file.selection.clear_pieces();
            }
            self.file.selection.add_pieces(found);
            self.file.selection.clear_cells();
            return;
        }
        if self.file.gesture.takes_away {
            self.file.selection.add_cells(cells);
        } else {
            self.file.selection.set_cells(cells);
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
        Begun::Piece(held) if file.gesture.hovered != Some(held.cell) => {
            painter.circle_stroke(pointer, (file.view.unit() * 0.4).max(8.0), stroke);
        }
        Begun::Frame(from) => {
            let frame = Rect::from_two_pos(*from, pointer);
            painter.rect_filled(frame, 0, boardwright_ui::theme::veil(palette.chosen, 0.12));
            painter.rect_stroke(frame, 0, egui::Stroke::new(1.5, palette.chosen), egui::StrokeKind::Inside);
        }
        _ => {}
    }
    if let Some(dragged) = DragAndDrop::payload::<Dragged>(ui.ctx())
        && let Dragged::Kind(_) = *dragged
        && response.contains_pointer()
    {
        painter.circle_stroke(pointer, (file.view.unit() * 0.4).max(8.0), stroke);
    }
    crate::outline_tool::sketch_ui(&painter, file, palette, Some(pointer).filter(|_| response.contains_pointer()));
}

/// What can be done with the cell under the pointer.
fn context_menu(response: &Response, file: &mut OpenFile, asks: &mut Vec<Ask>) {
    use boardwright_ui::keys::{Act, key_of, label_of};
    use boardwright_ui::theme::{Icon, MenuRow};
    if response.secondary_clicked()
        && let Some(cell) = file.gesture.hovered
    {
        file.select_for_menu(cell);
    }
    let place = Id::unique("part under the menu");
    if response.secondary_clicked() {
        let part = response
            .interact_pointer_pos()
            .and_then(|at| crate::outline_tool::part_at(file, at));
        response.ctx.data_mut(|data| data.insert_temp(place, part));
    }
    response.context_menu(|ui| {
        let part: Option<Option<(usize, usize)>> = ui.data(|data| data.get_temp(place));
        if let Some((area, part)) = part.flatten()
            && ui.add(MenuRow::new(Icon::Pencil, text!("edit-remove-part"))).clicked()
        {
            asks.push(Ask::RemovePart(area, part));
            ui.close();
        }
        let mut rows = Vec::new();
        if file.is_map() {
            rows.extend([
                (Icon::Layers, Act::CopyCells, Ask::Copy),
                (Icon::Compare, Act::CutCells, Ask::Cut),
                (Icon::Save, Act::PasteCells, Ask::Paste),
                (Icon::Turn, Act::TurnCells, Ask::Turn),
                (Icon::Mirror, Act::MirrorCells, Ask::Mirror),
            ]);
        }
        let has_pieces = !file.selection.pieces().is_empty();
        if has_pieces {
            pieces_menu(ui, file, asks);
            if file.has_posed_selected() {
                rows.extend([
                    (Icon::Turn, Act::TurnCells, Ask::Turn),
                    (Icon::Mirror, Act::MirrorCells, Ask::Mirror),
                ]);
            }
        }
        if has_pieces || file.is_map() {
            rows.push((Icon::Trash, Act::DeleteDrawn, Ask::Delete));
        }
        rows.push((Icon::Select, Act::SelectAll, Ask::SelectAll));
        if file.document.may_undo() {
            rows.push((Icon::Undo, Act::DrawUndo, Ask::Undo));
        }
        for (icon, act, ask) in rows {
            if ui.add(MenuRow::new(icon, label_of(act)).key(key_of(act))).clicked() {
                asks.push(ask);
                ui.close();
            }
        }
    });
}

/// What can be done with the selected pieces: another owner, a zone.
fn pieces_menu(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    let Some(scenario) = file.document.draft().scenario() else { return };
    let declarations = file.drawn.state.declarations();
    let selected = || file.selection.pieces().iter();
    ui.menu_button(text!("palette-owner"), |ui| {
        let seats = declarations
            .seats
            .iter()
            .map(|seat| (Some(seat.name.to_string()), seat.title.to_string()));
        for (owner, title) in seats.chain([(None, text!("palette-nobody"))]) {
            if ui.button(title).clicked() {
                let changed = selected().filter_map(|index| {
                    let mut piece = scenario.setup.pieces.get(*index)?.clone();
                    piece.owner.clone_from(&owner);
                    Some(Edit::Pieces(Splice::replace(*index, piece)))
                });
                asks.push(Ask::Apply(Step::new(StepKind::Pieces, changed.collect())));
                ui.close();
            }
        }
    });
    ui.menu_button(text!("piece-zone"), |ui| {
        for (place, title) in crate::zones::places(declarations) {
            if ui.button(title).clicked() {
                asks.push(Ask::PlacePieces(file.selection.pieces().clone(), place));
                ui.close();
            }
        }
    });
}
