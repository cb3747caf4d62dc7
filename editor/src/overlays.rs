//! What is drawn over the board: regions, heights, the selection, the brush, and marks of problems. What does not follow the pointer is kept
//! from frame to frame.

use std::collections::BTreeSet;

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

/// From which size of a cell on the steps between heights are shaded, in points.
const LEAST_SLOPED: f32 = 8.0;

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

/// What the kept overlays depend on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    view: Viewpoint,
    revision: u64,
    regions: Regions,
    heights: bool,
    region: Option<usize>,
    is_dark: bool,
}

/// Overlays that are kept from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Overlays {
    key: Option<Key>,
    shapes: Vec<Shape>,
    texts: Vec<(Pos2, String, Color32)>,
}

impl Overlays {
    /// Makes them again if anything has changed.
    fn update(&mut self, context: &Context, file: &OpenFile, choices: &Choices, palette: &Palette) {
        let key = Key {
            view: file.view.viewpoint(),
            revision: file.outline_revision,
            regions: match choices.tool {
                Tool::Region => Regions::Filled,
                _ if choices.shows_regions => Regions::Outlined,
                _ => Regions::Hidden,
            },
            heights: choices.shows_heights || choices.tool == Tool::Height,
            region: file.region,
            is_dark: palette.is_dark(),
        };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        *self = Self::default();
        // A scenario shows those of its map.
        let map = &*file.drawn.map;
        if key.heights {
            self.heights(file, map);
        }
        if key.regions != Regions::Hidden {
            self.regions(file, map, key.regions);
        }
        // Lines are above all fills.
        self.shapes.sort_by_key(|shape| !matches!(shape, Shape::Mesh(_)));
        self.shapes = baked(context, std::mem::take(&mut self.shapes));
        self.key = Some(key);
    }

    fn heights(&mut self, file: &OpenFile, map: &Map) {
        let most = map.cells.iter().map(|cell| cell.elevation.unsigned_abs()).max().unwrap_or(0).max(3);
        let mut mesh = Mesh::default();
        for (id, cell) in raised(file, map) {
            let share = 0.12 + 0.5 * f32::from(cell.elevation.unsigned_abs()) / f32::from(most);
            let colour = if cell.elevation > 0 { Color32::WHITE } else { Color32::BLACK };
            file.view.fill(&mut mesh, id, veil(colour, share));
            if file.view.room_of(id) > ROOM_FOR_HEIGHT
                && let Some(place) = file.view.place_of(id)
            {
                self.texts.push((place, cell.elevation.to_string(), ink_on(colour)));
            }
        }
        self.shapes.push(Shape::mesh(mesh));
        // On smaller cells nobody sees them, and there are many.
        if file.view.unit() >= LEAST_SLOPED {
            self.slopes(file, map);
        }
    }

    /// Shades the steps between heights as if the light came from the upper left: edges that face it are bright, the others dark.
    fn slopes(&mut self, file: &OpenFile, map: &Map) {
        let heights: Vec<(CellId, i16)> = raised(file, map).map(|(id, cell)| (id, cell.elevation)).collect();
        let levels: BTreeSet<i16> = heights.iter().map(|(_, height)| *height).collect();
        let every = levels.len().div_ceil(MOST_LEVELS).max(1);
        let width = (file.view.unit() * 0.05).clamp(1.5, 4.0);
        for level in levels.into_iter().step_by(every) {
            let is_above = |height: i16| if level > 0 { height >= level } else { height <= level };
            let cells = heights.iter().filter(|(_, height)| is_above(*height)).map(|(cell, _)| *cell);
            let cells = paint::set_of(&file.lattice, cells);
            for line in file.view.rim(cells.iter(), |cell| cells.contains(cell)) {
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

    fn regions(&mut self, file: &OpenFile, map: &Map, shown: Regions) {
        let board = file.drawn.board();
        for (index, region) in map.regions.iter().enumerate() {
            let colour = region_colour(index);
            let is_chosen = file.region == Some(index);
            let cells = paint::set_of(&file.lattice, region.cells.iter().filter_map(|name| board.find_cell(name)));
            if is_chosen || shown == Regions::Filled {
                let mut mesh = Mesh::default();
                let share = if is_chosen { 0.42 } else { 0.2 };
                cells.iter().for_each(|cell| file.view.fill(&mut mesh, cell, veil(colour, share)));
                self.shapes.push(Shape::mesh(mesh));
            }
            let width = if is_chosen { 3.0 } else { 1.6 };
            let rim = file.view.rim(cells.iter(), |cell| cells.contains(cell));
            self.shapes
                .extend(rim.into_iter().map(|line| Shape::line(line, Stroke::new(width, colour))));
        }
    }

    fn paint(&self, painter: &Painter) {
        painter.extend(self.shapes.iter().cloned());
        for (place, text, colour) in &self.texts {
            painter.text(*place, Align2::CENTER_CENTER, text, FontId::new(13.0, bold()), *colour);
        }
    }
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
    overlays.paint(&painter);
    file.overlays = overlays;
    if choices.side == Side::Triggers && !file.is_map() {
        for cells in crate::triggers::named_cells(file) {
            outlined(&painter, &file.view, &cells, palette.accent, 0.14);
        }
    }
    if choices.tool == Tool::Hole {
        holes(&painter, file, palette);
    }
    selection(&painter, file, palette);
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
    for line in view.rim(cells.iter(), |cell| cells.contains(cell)) {
        painter.add(Shape::line(line.clone(), Stroke::new(3.5, veil(Color32::BLACK, 0.35))));
        painter.add(Shape::line(line, Stroke::new(2.0, colour)));
    }
}

fn selection(painter: &Painter, file: &OpenFile, palette: &Palette) {
    if !file.selection.cells().is_empty() {
        let cells = paint::set_of(&file.lattice, file.selection.cells().iter().copied());
        outlined(painter, &file.view, &cells, palette.chosen, 0.12);
    }
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
