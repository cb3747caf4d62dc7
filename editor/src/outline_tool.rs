//! Outlines of areas: drawn corner by corner, along borders that are there.

use boardwright_editing::{Step, StepKind, outlines};
use boardwright_model::CellId;
use boardwright_ui::theme::{Palette, veil};
use egui::{Color32, Painter, Pos2, Shape, Stroke};

use crate::board_pane::Pane;
use crate::file::OpenFile;
use crate::graph_tools::NEAR;

/// A part of an area that is being drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sketch {
    /// Its corners so far, in thousandths of a unit of the drawing.
    pub(crate) corners: Vec<(i32, i32)>,
    /// By how many corners each click has made it longer, for the way back.
    clicks: Vec<usize>,
    /// The area of which it becomes a part, by its position in the list of cells; none for a new area.
    pub(crate) area: Option<usize>,
}

impl Sketch {
    /// Whether something is being drawn.
    pub(crate) fn is_begun(&self) -> bool {
        !self.corners.is_empty()
    }

    /// Adds corners in one click.
    fn push(&mut self, corners: Vec<(i32, i32)>) {
        self.clicks.push(corners.len());
        self.corners.extend(corners);
    }

    /// Goes back to before the last click.
    pub(crate) fn step_back(&mut self) {
        let last = self.clicks.pop().unwrap_or_default();
        self.corners.truncate(self.corners.len().saturating_sub(last));
    }
}

/// Where a corner would be put: on a corner or a side near the pointer, else where the pointer is.
fn corner_at(file: &OpenFile, at: Pos2) -> (i32, i32) {
    let place = file.view.drawing_point(at);
    let near = file.reach_in_drawing(NEAR);
    let away = |(x, y): &(i32, i32)| file.view.screen_point((*x, *y)).distance(at);
    // The corners of what is drawn come first, so that it can be closed.
    let own = file.sketch.corners.first().copied().filter(|corner| away(corner) <= NEAR);
    let Some(map) = file.map() else { return place };
    let corner = || outlines::corners_near(map, place, near).first().copied();
    let side = || outlines::side_near(map, place, near).map(|(_, foot)| foot);
    own.or_else(corner).or_else(side).unwrap_or(place)
}

/// The corners that a click adds to what is drawn: those along the border on which both ends lie, then its own.
fn next_corners(file: &OpenFile, at: (i32, i32), is_straight: bool) -> Vec<(i32, i32)> {
    let (Some(map), Some(last)) = (file.map(), file.sketch.corners.last()) else {
        return vec![at];
    };
    let mut corners = if is_straight {
        Vec::new()
    } else {
        outlines::along_border(map, *last, at)
    };
    corners.retain(|corner| !file.sketch.corners.contains(corner));
    corners.push(at);
    corners
}

impl Pane<'_> {
    /// A press of the outline tool: Shift takes a corner away, a corner or side is taken hold of, and everything else is a click.
    pub(crate) fn press_outline(&mut self, at: Pos2) {
        if self.file.sketch.is_begun() {
            let corner = corner_at(self.file, at);
            self.click_outline(corner);
            return;
        }
        let corner = self.corner_near(at);
        if let Some(corner) = corner.filter(|_| self.takes_away) {
            let Some(map) = self.file.map() else { return };
            let edits = outlines::remove_corner(map, corner);
            self.file.apply(Step::new(StepKind::Outline, edits));
            return;
        }
        if let Some(corner) = corner {
            self.hold_corner(corner, None, at);
            return;
        }
        let place = self.file.view.drawing_point(at);
        let near = self.file.reach_in_drawing(NEAR);
        match self.file.map().and_then(|map| outlines::side_near(map, place, near)) {
            Some((side, foot)) => self.hold_corner(foot, Some(side), at),
            None => self.click_outline(place),
        }
    }

    /// One more corner of what is drawn; the first one again closes it.
    pub(crate) fn click_outline(&mut self, at: (i32, i32)) {
        let sketch = &self.file.sketch;
        if sketch.corners.first() == Some(&at) {
            self.close_outline();
            return;
        }
        if sketch.corners.contains(&at) {
            return;
        }
        if !sketch.is_begun() {
            let selected = self.file.selection.only_cell();
            self.file.sketch.area = selected.filter(|_| self.choices.adds_part).map(CellId::index);
        }
        let corners = next_corners(self.file, at, self.takes_away);
        self.file.sketch.push(corners);
    }

    fn close_outline(&mut self) {
        close(self.file, self.takes_away);
    }
}

/// Makes an area, or one more part of one, of what is drawn.
pub(crate) fn close(file: &mut OpenFile, is_straight: bool) {
    let (Some(map), Some(first)) = (file.map(), file.sketch.corners.first().copied()) else {
        return;
    };
    let last = next_corners(file, first, is_straight);
    let between = last.len().saturating_sub(1);
    let mut corners = file.sketch.corners.clone();
    corners.extend(last.into_iter().take(between));
    if corners.len() < 3 {
        return;
    }
    let area = file.sketch.area;
    let index = area.unwrap_or(map.cells.len());
    let edits = outlines::draw_part(map, area, &boardwright_ui::text!("area-name"), &corners);
    file.sketch = Sketch::default();
    file.apply(Step::new(StepKind::Outline, edits));
    file.selection.set_cells([CellId::from_index(index)].into());
}

/// The area at a point of the screen, and which of its several parts is there.
pub(crate) fn part_at(file: &OpenFile, at: Pos2) -> Option<(usize, usize)> {
    let (map, cell) = (file.map()?, file.view.cell_at(at)?);
    let outline = &map.cells.get(cell.index())?.outline;
    let point = file.view.drawing_point(at);
    let part = outline.iter().position(|part| outlines::is_inside(part, point))?;
    (outline.len() > 1).then_some((cell.index(), part))
}

/// Shows what is drawn so far, and where the next click would lead.
pub(crate) fn sketch_ui(painter: &Painter, file: &OpenFile, palette: &Palette, pointer: Option<Pos2>) {
    let Some(first) = file.sketch.corners.first() else { return };
    let place = |corner: &(i32, i32)| file.view.screen_point(*corner);
    let mut line: Vec<Pos2> = file.sketch.corners.iter().map(place).collect();
    if let Some(pointer) = pointer {
        let next = corner_at(file, pointer);
        line.extend(next_corners(file, next, false).iter().map(place));
    }
    painter.add(Shape::line(line.clone(), Stroke::new(4.5, veil(Color32::BLACK, 0.35))));
    painter.add(Shape::line(line.clone(), Stroke::new(2.5, palette.chosen)));
    for corner in line {
        painter.circle_filled(corner, 3.5, palette.chosen);
    }
    painter.circle_stroke(place(first), NEAR, Stroke::new(2.0, palette.chosen));
}
