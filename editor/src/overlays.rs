//! What is drawn over the board: regions, heights, the selection, the brush, and marks of problems. What does not follow the pointer is kept
//! from frame to frame; colours of cells of a grid are a part of the board's ground.

use std::collections::BTreeSet;
use std::sync::Arc;

use boardwright_editing::Lattice;
use boardwright_model::{CellId, CellSet, Map, MapCell};
use boardwright_ui::board::{BoardView, Viewpoint, baked};
use boardwright_ui::theme::{Palette, bold, ink_on, veil};
use egui::epaint::Mesh;
use egui::{Align2, Color32, Context, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2};

use crate::file::OpenFile;
use crate::paint;
use crate::side::region_colour;
use crate::tools::{Choices, Side, Tool};

/// From which size on a cell has room for its height in figures, in points.
const ROOM_FOR_HEIGHT: f32 = 13.0;

/// How much of its colour the selection lays over cells.
const SELECTED: f32 = 0.12;

/// From which size of a cell on the steps between heights are shaded, in points.
const LEAST_SLOPED: f32 = 8.0;

/// The most cells in sight between which steps are shaded.
const MOST_SLOPED: usize = 5_000;

/// The most heights whose steps are shaded: of more, some are left out.
const MOST_LEVELS: usize = 16;
/// Where the light comes from on the screen.
const TO_LIGHT: Vec2 = Vec2::new(-std::f32::consts::FRAC_1_SQRT_2, -std::f32::consts::FRAC_1_SQRT_2);

/// How regions are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Regions {
    Hidden,
    /// By their outlines, so that terrains and pieces keep their colours; the chosen one is filled.
    Outlined,
    /// Filled, while they are painted.
    Filled,
}

/// What of a file is shown over the board.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shown {
    regions: Regions,
    heights: bool,
    region: Option<usize>,
}

impl Shown {
    fn of(file: &OpenFile, choices: &Choices) -> Self {
        Self {
            regions: match choices.tool {
                Tool::Region => Regions::Filled,
                _ if choices.shows_regions => Regions::Outlined,
                _ => Regions::Hidden,
            },
            heights: choices.shows_heights || choices.tool == Tool::Height,
            region: file.region,
        }
    }
}

/// Overlays that are kept from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Overlays {
    /// What the colours of cells depend on, which follow a stroke.
    washed: Option<(Shown, u64, bool)>,
    washes: Option<Arc<[Color32]>>,
    /// The selected cells that are shown, and the lines around them with what these depend on.
    selected: BTreeSet<CellId>,
    rim: Option<(Viewpoint, bool)>,
    rim_shapes: Vec<Shape>,
    /// What the rest depends on, and the map that it shows.
    key: Option<(Shown, Viewpoint, bool)>,
    map: Option<Arc<Map>>,
    shapes: Vec<Shape>,
    texts: Vec<(Pos2, String, Color32)>,
}

impl Overlays {
    /// Colours that are laid over the ground of the cells of a grid, by cell.
    pub(crate) fn washes(&self) -> Option<&Arc<[Color32]>> {
        self.washes.as_ref()
    }

    /// Lays colours over the cells again if anything has changed.
    fn wash(&mut self, file: &OpenFile, choices: &Choices, palette: &Palette) {
        let shown = Shown::of(file, choices);
        let key = Some((shown, file.outline_revision, palette.is_dark()));
        let is_selected = self.selected == *file.selection.cells();
        if self.washed == key && is_selected {
            return;
        }
        self.washed = key;
        self.washes = None;
        if !is_selected {
            self.selected.clone_from(file.selection.cells());
            self.rim = None;
        }
        if file.is_graph() {
            // There they lie above the pieces: points have no ground.
            return;
        }
        let mut washes = Vec::new();
        let mut lay = |cell: CellId, colour: Color32| {
            if washes.len() <= cell.index() {
                washes.resize(cell.index() + 1, Color32::TRANSPARENT);
            }
            if let Some(wash) = washes.get_mut(cell.index()) {
                *wash = wash.blend(colour);
            }
        };
        // A scenario shows those of its map.
        let map = file.map().unwrap_or(&file.drawn.map);
        if shown.heights {
            height_colours(file, map, &mut lay);
        }
        region_colours(file, map, shown, &mut lay);
        for cell in &self.selected {
            lay(*cell, veil(palette.chosen, SELECTED));
        }
        self.washes = (!washes.is_empty()).then(|| Arc::from(washes));
    }

    /// Makes the rest again if anything has changed.
    fn update(&mut self, context: &Context, file: &OpenFile, choices: &Choices, palette: &Palette) {
        let shown = Shown::of(file, choices);
        let key = (shown, file.view.viewpoint(), palette.is_dark());
        let map = &file.drawn.map;
        if self.key.as_ref() == Some(&key) && self.map.as_ref().is_some_and(|known| Arc::ptr_eq(known, map)) {
            return;
        }
        self.key = Some(key);
        self.map = Some(Arc::clone(map));
        self.rim = None;
        self.shapes.clear();
        self.texts.clear();
        if file.is_graph() {
            let mut mesh = Mesh::default();
            if shown.heights {
                height_colours(file, map, |cell, colour| file.view.fill(&mut mesh, cell, colour));
            }
            region_colours(file, map, shown, |cell, colour| file.view.fill(&mut mesh, cell, colour));
            self.shapes.push(Shape::mesh(mesh));
        }
        if shown.heights {
            self.heights(file, map);
        }
        if shown.regions != Regions::Hidden {
            self.regions(file, map);
        }
        self.shapes = baked(context, std::mem::take(&mut self.shapes));
    }

    fn heights(&mut self, file: &OpenFile, map: &Map) {
        let visible = file.view.visible();
        // Where cells are small nobody sees them, and there are many.
        if file.view.unit() < LEAST_SLOPED || visible.len() > MOST_SLOPED {
            return;
        }
        // Beside the middle, where pieces stand.
        let aside = egui::vec2(0.24, -0.27) * file.view.unit();
        for (id, cell) in raised(file, map).filter(|(id, _)| file.view.room_of(*id) > ROOM_FOR_HEIGHT) {
            if let Some(place) = file.view.place_of(id).filter(|_| visible.binary_search(&id).is_ok()) {
                let colour = if cell.elevation > 0 { Color32::WHITE } else { Color32::BLACK };
                self.texts.push((place + aside, cell.elevation.to_string(), ink_on(colour)));
            }
        }
        self.slopes(file, map, &visible);
    }

    /// Shades the steps between heights as if the light came from the upper left: edges that face it are bright, the others dark.
    fn slopes(&mut self, file: &OpenFile, map: &Map, visible: &[CellId]) {
        let heights: Vec<(CellId, i16)> = raised(file, map).map(|(id, cell)| (id, cell.elevation)).collect();
        let levels: BTreeSet<i16> = heights.iter().map(|(_, height)| *height).collect();
        let every = levels.len().div_ceil(MOST_LEVELS).max(1);
        let width = (file.view.unit() * 0.05).clamp(1.5, 4.0);
        for level in levels.into_iter().step_by(every) {
            let is_above = |height: i16| if level > 0 { height >= level } else { height <= level };
            let cells = heights.iter().filter(|(_, height)| is_above(*height)).map(|(cell, _)| *cell);
            let cells = paint::set_of(&file.lattice, cells);
            let seen = visible.iter().copied().filter(|cell| cells.contains(*cell));
            for line in file.view.rim(seen, |cell| cells.contains(cell)) {
                for (from, to) in line.iter().zip(line.iter().skip(1)) {
                    let across = (*to - *from).normalized().rot90();
                    let middle = *from + (*to - *from) / 2.0;
                    let is_inside = file.view.cell_at(middle + across * 3.0).is_some_and(|cell| cells.contains(cell));
                    let outwards = if is_inside { -across } else { across };
                    // What is deep slopes inwards.
                    let slope = if level > 0 { outwards } else { -outwards };
                    let light = slope.dot(TO_LIGHT);
                    let colour = if light > 0.0 { Color32::WHITE } else { Color32::BLACK };
                    let stroke = Stroke::new(width, veil(colour, 0.25 + 0.45 * light.abs()));
                    self.shapes.push(Shape::line_segment([*from, *to], stroke));
                }
            }
        }
    }

    fn regions(&mut self, file: &OpenFile, map: &Map) {
        let board = file.drawn.board();
        for (index, region) in map.regions.iter().enumerate() {
            let colour = region_colour(index);
            let is_chosen = file.region == Some(index);
            let cells = paint::set_of(&file.lattice, region.cells.iter().filter_map(|name| board.find_cell(name)));
            let width = if is_chosen { 3.0 } else { 1.6 };
            let rim = file.view.rim(cells.iter(), |cell| cells.contains(cell));
            self.shapes
                .extend(rim.into_iter().map(|line| Shape::line(line, Stroke::new(width, colour))));
        }
    }

    /// The lines around what is selected.
    fn selection(&mut self, context: &Context, file: &OpenFile, palette: &Palette) {
        let key = Some((file.view.viewpoint(), palette.is_dark()));
        if self.rim == key {
            return;
        }
        self.rim = key;
        self.rim_shapes.clear();
        if self.selected.is_empty() {
            return;
        }
        let cells = paint::set_of(&file.lattice, self.selected.iter().copied());
        let mut shapes = Vec::new();
        if file.is_graph() {
            let mut mesh = Mesh::default();
            cells
                .iter()
                .for_each(|cell| file.view.fill(&mut mesh, cell, veil(palette.chosen, SELECTED)));
            shapes.push(Shape::mesh(mesh));
        }
        shapes.extend(outline(&file.view, &cells, palette.chosen));
        self.rim_shapes = baked(context, shapes);
    }

    fn paint(&self, painter: &Painter) {
        painter.extend(self.shapes.iter().cloned());
        for (place, text, colour) in &self.texts {
            painter.text(*place, Align2::CENTER_CENTER, text, FontId::new(13.0, bold()), *colour);
        }
    }
}

/// The colours that heights lay over cells.
fn height_colours(file: &OpenFile, map: &Map, mut lay: impl FnMut(CellId, Color32)) {
    let most = map.cells.iter().map(|cell| cell.elevation.unsigned_abs()).max().unwrap_or(0).max(3);
    for (id, cell) in raised(file, map) {
        let share = 0.12 + 0.5 * f32::from(cell.elevation.unsigned_abs()) / f32::from(most);
        let colour = if cell.elevation > 0 { Color32::WHITE } else { Color32::BLACK };
        lay(id, veil(colour, share));
    }
}

/// The colours that regions lay over cells.
fn region_colours(file: &OpenFile, map: &Map, shown: Shown, mut lay: impl FnMut(CellId, Color32)) {
    let board = file.drawn.board();
    for (index, region) in map.regions.iter().enumerate() {
        let share = match shown.regions {
            Regions::Hidden => continue,
            _ if shown.region == Some(index) => 0.42,
            Regions::Filled => 0.2,
            Regions::Outlined => continue,
        };
        let colour = veil(region_colour(index), share);
        let cells = region.cells.iter().filter_map(|name| board.find_cell(name));
        paint::set_of(&file.lattice, cells).iter().for_each(|cell| lay(cell, colour));
    }
}

/// Lays the colours of heights, regions and the selection over the cells of a grid.
pub(crate) fn wash(file: &mut OpenFile, choices: &Choices, palette: &Palette) {
    let mut overlays = std::mem::take(&mut file.overlays);
    overlays.wash(file, choices, palette);
    file.overlays = overlays;
}

/// The cells that are higher or lower than the others.
fn raised<'m>(file: &OpenFile, map: &'m Map) -> impl Iterator<Item = (CellId, &'m MapCell)> {
    let there = map.cells.iter().enumerate().filter(|(_, cell)| cell.elevation != 0 && !cell.absent);
    there.filter_map(|(index, cell)| {
        let id = if file.is_graph() {
            Some(CellId::from_index(index))
        } else {
            file.cell((cell.x, cell.y))
        };
        Some((id?, cell))
    })
}

/// Draws everything over the board.
pub(crate) fn overlays_ui(ui: &egui::Ui, file: &mut OpenFile, choices: &Choices, rect: Rect, reach: Option<&CellSet>) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(rect);
    crate::picture::paint_drawing(&painter, file);
    let mut overlays = std::mem::take(&mut file.overlays);
    overlays.update(ui.ctx(), file, choices, palette);
    overlays.selection(ui.ctx(), file, palette);
    overlays.paint(&painter);
    let selected = overlays.rim_shapes.clone();
    file.overlays = overlays;
    if choices.side == Side::Triggers && !file.is_map() {
        for cells in crate::triggers::named_cells(file) {
            outlined(&painter, &file.view, &cells, palette.accent, 0.14);
        }
    }
    if choices.tool == Tool::Hole {
        holes(&painter, file, palette);
    }
    painter.extend(selected);
    selected_pieces(&painter, file, palette);
    if let Some(reach) = reach {
        outlined(&painter, &file.view, reach, palette.chosen, 0.16);
    }
    if choices.shows_problems {
        problems(&painter, file, palette);
    }
    let edits_corners = matches!(choices.tool, Tool::Hand | Tool::Point | Tool::Outline) && choices.side != Side::Picture;
    if file.is_graph() && file.is_map() && edits_corners {
        corners(&painter, file, palette);
    }
}

/// A set of cells, filled lightly and outlined.
fn outlined(painter: &Painter, view: &BoardView, cells: &CellSet, colour: Color32, share: f32) {
    let mut mesh = Mesh::default();
    cells.iter().for_each(|cell| view.fill(&mut mesh, cell, veil(colour, share)));
    painter.add(mesh);
    painter.extend(outline(view, cells, colour));
}

/// The lines around a set of cells.
fn outline(view: &BoardView, cells: &CellSet, colour: Color32) -> impl Iterator<Item = Shape> {
    let lines = view.rim(cells.iter(), |cell| cells.contains(cell)).into_iter();
    lines.flat_map(move |line| {
        let below = Shape::line(line.clone(), Stroke::new(3.5, veil(Color32::BLACK, 0.35)));
        [below, Shape::line(line, Stroke::new(2.0, colour))]
    })
}

fn selected_pieces(painter: &Painter, file: &OpenFile, palette: &Palette) {
    for piece in file.selection.pieces().iter().filter_map(|index| file.drawn.piece_of(*index)) {
        let state = &file.drawn.state;
        for cell in state.piece(piece).into_iter().flat_map(|piece| state.cells_of(piece)) {
            if let Some(place) = file.view.place_of(cell) {
                painter.circle_stroke(place, file.view.room_of(cell) * 0.92, Stroke::new(3.0, palette.chosen));
            }
        }
    }
}

/// Where there is no cell: nothing shows there otherwise.
fn holes(painter: &Painter, file: &OpenFile, palette: &Palette) {
    let lattice: &Lattice = &file.lattice;
    let board = file.drawn.board();
    let radius = (file.view.unit() * 0.12).clamp(1.5, 7.0);
    for cell in lattice.board().cells().filter(|cell| !board.contains(*cell)) {
        let place = file.view.screen_point(lattice.board().position(cell));
        painter.circle_stroke(place, radius, Stroke::new(1.5, palette.muted));
    }
}

fn problems(painter: &Painter, file: &OpenFile, palette: &Palette) {
    for finding in file.findings.iter().take(200) {
        let Some(place) = crate::checks::cell_of(finding, file).and_then(|cell| file.view.place_of(cell)) else {
            continue;
        };
        // Hints are not marked: there may be many.
        if crate::checks::is_hint(finding) {
            continue;
        }
        let (icon, colour) = crate::checks::sign(finding, palette);
        let mark = Rect::from_center_size(place, Vec2::splat(20.0));
        painter.circle_filled(place, 12.0, veil(palette.surface, 0.92));
        icon.paint(painter, mark.shrink(2.0), colour);
    }
}

/// The corners of areas, to be caught.
fn corners(painter: &Painter, file: &OpenFile, palette: &Palette) {
    let Some(map) = file.map() else { return };
    if !file.shows_corners() {
        return;
    }
    // Traced outlines have many corners.
    let radius = (file.view.unit() * 0.045).clamp(1.6, 4.0);
    for point in map.cells.iter().flat_map(|cell| cell.outline.iter().flatten()) {
        let place = file.view.screen_point(*point);
        painter.circle_filled(place, radius, palette.surface);
        painter.circle_stroke(place, radius, Stroke::new(1.2, palette.accent));
    }
}
