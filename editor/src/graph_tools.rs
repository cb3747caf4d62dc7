//! Points and lines under the pointer: put, dragged, linked; and corners of areas.

use boardwright_editing::{Step, StepKind, outlines, points};
use boardwright_model::CellId;
use egui::Pos2;

use crate::board_pane::Pane;
use crate::gesture::{Begun, HeldCorner, HeldPoint};
use crate::tools::Tool;

/// How near the pointer has to be to a corner of an area to catch it, in points of the screen.
pub(crate) const NEAR: f32 = 9.0;
/// How far apart the places are onto which points snap, in thousandths of a unit.
const SNAP: i32 = 250;
/// How far the pointer slips in a click that moves nothing, in points of the screen.
const SLIP: f32 = 5.0;

impl Pane<'_> {
    /// A place on the board where the pointer is; without Shift the nearest of a fine grid.
    fn snapped(&self, place: (i32, i32)) -> (i32, i32) {
        if self.takes_away { place } else { points::snapped(place, SNAP) }
    }

    /// Whether a place on the screen is on an area or a point, and not only nearer to it than to others.
    pub(crate) fn is_on(&self, cell: CellId, at: Pos2) -> bool {
        let is_area = !self.file.drawn.board().outline(cell).is_empty();
        let reach = self.file.view.room_of(cell).max(1.5 * NEAR);
        is_area || self.file.view.place_of(cell).is_some_and(|place| place.distance(at) <= reach)
    }

    pub(crate) fn put_point(&mut self, at: Pos2) {
        let Some(map) = self.file.map() else { return };
        let count = map.cells.len();
        let place = self.snapped(self.file.view.drawing_point(at));
        let edits = points::add_point(map, "p", place);
        self.file.apply(Step::new(StepKind::Points, edits));
        self.file.selection.set_cells([CellId::from_index(count)].into());
    }

    /// Takes hold of a point or an area, with all that is selected if it is.
    pub(crate) fn hold_point(&mut self, cell: CellId, at: Pos2) {
        if self.takes_away && self.tool != Tool::Point {
            self.file.selection.toggle_cell(cell);
            return;
        }
        if !self.file.selection.cells().contains(&cell) {
            self.file.selection.set_cells([cell].into());
        }
        let Some(entry) = self.file.map().and_then(|map| map.cells.get(cell.index())) else {
            return;
        };
        self.file.gesture.begun = Begun::Points(HeldPoint {
            index: cell.index(),
            was: (entry.x, entry.y),
            from: self.file.view.drawing_point(at),
            is_whole: self.tool == Tool::Select,
        });
    }

    pub(crate) fn drag_points(&mut self, held: HeldPoint, at: Pos2) {
        let Some(map) = self.file.map() else { return };
        let to = self.file.view.drawing_point(at);
        if !self.file.gesture.has_step && self.file.view.screen_point(held.from).distance(at) <= SLIP {
            return;
        }
        let wanted = self.snapped((held.was.0 + to.0 - held.from.0, held.was.1 + to.1 - held.from.1));
        let Some(is_at) = map.cells.get(held.index).map(|cell| (cell.x, cell.y)) else {
            return;
        };
        if wanted == is_at {
            return;
        }
        let edits = if held.is_whole || self.file.selection.cells().len() > 1 {
            let all = self.file.selection.cells().iter().map(|cell| cell.index()).collect();
            points::move_points(map, &all, (wanted.0 - is_at.0, wanted.1 - is_at.1))
        } else {
            points::move_label(map, held.index, wanted)
        };
        self.say(StepKind::Points, edits);
        self.file.redraw();
    }

    /// The corner of areas near the pointer.
    pub(crate) fn corner_near(&self, at: Pos2) -> Option<(i32, i32)> {
        let map = self.file.map().filter(|_| self.file.is_graph())?;
        outlines::corners_near(map, self.file.view.drawing_point(at), self.file.reach_in_drawing(NEAR))
            .first()
            .copied()
    }

    /// Takes hold of the corner of areas near the pointer; true if there is one.
    pub(crate) fn catch_corner(&mut self, at: Pos2) -> bool {
        let corner = self.corner_near(at).filter(|_| self.file.shows_corners());
        if let Some(at_corner) = corner {
            self.hold_corner(at_corner, None, at);
        }
        corner.is_some()
    }

    pub(crate) fn hold_corner(&mut self, corner: (i32, i32), side: Option<outlines::Side>, at: Pos2) {
        self.file.gesture.begun = Begun::Corner(HeldCorner {
            at: corner,
            side,
            from: self.file.view.drawing_point(at),
        });
    }

    pub(crate) fn drag_corner(&mut self, held: HeldCorner, at: Pos2) {
        let to = self.file.view.drawing_point(at);
        let is_slip = !self.file.gesture.has_step && self.file.view.screen_point(held.from).distance(at) <= SLIP;
        if is_slip || to == held.at {
            return;
        }
        if let Some(side) = held.side {
            let Some(map) = self.file.map() else { return };
            let edits = outlines::add_corner(map, side, held.at);
            self.say(StepKind::Outline, edits);
        }
        let Some(map) = self.file.map() else { return };
        let edits = outlines::move_corner(map, held.at, to);
        self.say(StepKind::Outline, edits);
        self.file.gesture.begun = Begun::Corner(HeldCorner {
            at: to,
            side: None,
            ..held
        });
        self.file.redraw();
    }

    /// Links cells: dragged from one to another, or clicked one after the other.
    pub(crate) fn link(&mut self, cell: CellId) {
        if let Begun::Link(cells) = &mut self.file.gesture.begun {
            if cells.last() != Some(&cell) {
                cells.push(cell);
            }
        } else {
            let before = self.file.selection.only_cell();
            let first = before.filter(|before| *before != cell);
            self.file.gesture.begun = Begun::Link(first.into_iter().chain([cell]).collect());
        }
        self.file.selection.set_cells([cell].into());
    }

    pub(crate) fn finish_links(&mut self, cells: &[CellId]) {
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
        self.file.selection.clear_cells();
    }
}
