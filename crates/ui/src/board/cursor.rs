//! The board by keyboard and for those who do not see it: a cell that has the focus, moved by the arrow keys, and a node for every cell
//! in sight.

use egui::accesskit::{self, Action, Node};
use egui::{Event, EventFilter, Id, Rect, Role, Sense, Ui, Vec2, vec2};

use super::camera::Camera;
use super::geometry::{Drawing, Geometry};
use super::scene::{CellTexts, Clicks, Scene};
use super::widget::Surface;
use crate::keys::{self, Act};
use boardwright_model::CellId;

/// The most cells in sight that are nodes of their own. Beyond that, those that are marked are.
const MOST_NODES: usize = 2500;

/// What happened to the cells by keyboard or from an assistive program.
#[derive(Debug, Default)]
pub(super) struct Handled {
    pub(super) focused: Option<CellId>,
    pub(super) clicked: Option<CellId>,
}

/// Where the keyboard is on the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    cell: Option<CellId>,
    /// Whether the cell gets the focus in the next frame.
    takes_focus: bool,
}

impl Cursor {
    /// Goes to a cell, which gets the focus.
    pub(super) fn go_to(&mut self, cell: CellId) {
        (self.cell, self.takes_focus) = (Some(cell), true);
    }

    /// Takes keys and requests, and makes the nodes.
    pub(super) fn ui(&mut self, ui: &mut Ui, surface: &Surface<'_>, camera: &mut Camera, visible: &[CellId]) -> Handled {
        let Surface { id, geometry, scene } = *surface;
        let mut handled = Handled::default();
        let node_of = |cell: CellId| id.with(cell.0);
        let nodes = nodes(scene, visible);
        for (cell, action) in requests(ui, &nodes, node_of) {
            self.cell = Some(cell);
            match action {
                Action::Click => handled.clicked = Some(cell),
                _ => ui.memory_mut(|memory| memory.request_focus(node_of(cell))),
            }
        }
        let known = self.cell.filter(|cell| scene.state.board().contains(*cell));
        let begun = known.or_else(|| first_of_interest(scene));
        let cell = begun.or_else(|| middle_of(geometry, scene, camera.seen(), visible));
        let keep_in_sight = |camera: &mut Camera, cell: CellId| {
            let room = geometry.cell(cell).map_or(0.5, |shape| shape.room);
            camera.keep_in_sight(geometry.middle(cell), room);
        };
        if let Some(mut cell) = cell {
            if std::mem::take(&mut self.takes_focus) {
                ui.memory_mut(|memory| memory.request_focus(node_of(cell)));
            }
            if let Some(act) = begins(ui, ui.memory(|memory| memory.has_focus(node_of(cell)))) {
                let marks = scene.marks;
                if act == Act::NextOffered && !marks.targets.contains(&cell) && !marks.pickable.contains(&cell) {
                    cell = marks.targets.first().or(marks.pickable.first()).copied().unwrap_or(cell);
                }
                ui.memory_mut(|memory| memory.request_focus(node_of(cell)));
                keep_in_sight(camera, cell);
            }
            if ui.memory(|memory| memory.has_focus(node_of(cell))) {
                // The arrows move within the board, not to the next widget.
                let filter = EventFilter {
                    horizontal_arrows: true,
                    vertical_arrows: true,
                    ..EventFilter::default()
                };
                ui.memory_mut(|memory| memory.set_focus_lock_filter(node_of(cell), filter));
                if let Some(next) = moved(ui, geometry, scene, cell) {
                    cell = next;
                    ui.memory_mut(|memory| memory.request_focus(node_of(next)));
                    keep_in_sight(camera, next);
                }
                if keys::pressed(ui, Act::ClickCell) {
                    handled.clicked = Some(cell);
                }
                handled.focused = Some(cell);
                // Where nobody went yet, the keyboard begins at what can be done by then.
                self.cell = Some(cell);
            }
            // The one cell that Tab comes to.
            let rect = node_rect(camera, geometry, scene, cell).unwrap_or(camera.screen());
            ui.interact(rect, node_of(cell), Sense::FOCUSABLE);
        }
        let texts = CellTexts::new();
        for cell in nodes {
            let Some(rect) = node_rect(camera, geometry, scene, cell) else {
                continue;
            };
            let write = |node: &mut Node| describe(node, rect, scene, cell, &texts);
            // Nothing is written where no assistive program listens.
            if ui.ctx().accesskit_node_builder(node_of(cell), write).is_none() {
                break;
            }
        }
        handled
    }
}

/// The key that brings the keyboard to the board; it does no more than that. The arrows do so where nothing else wants them, the key of
/// what can be chosen from everywhere.
fn begins(ui: &Ui, has_focus: bool) -> Option<Act> {
    if has_focus || ui.ctx().text_edit_focused() || ui.ctx().memory(|memory| memory.top_modal_layer().is_some()) {
        return None;
    }
    let arrows = [Act::FocusLeft, Act::FocusRight, Act::FocusUp, Act::FocusDown];
    let is_free = ui.memory(|memory| memory.focused().is_none());
    let acts = std::iter::once(Act::NextOffered).chain(arrows.into_iter().filter(|_| is_free));
    acts.into_iter().find(|act| keys::pressed(ui, *act))
}

/// The cell nearest to the middle of what is seen.
fn middle_of(geometry: &Geometry, scene: &Scene<'_>, seen: Rect, visible: &[CellId]) -> Option<CellId> {
    // The cells of a grid are alike, so that the middle lies in the nearest one.
    let under = scene.cell_at(seen.center()).filter(|_| geometry.drawing != Drawing::Graph);
    if under.is_some() {
        return under;
    }
    let away = |cell: &CellId| geometry.middle(*cell).distance_sq(seen.center());
    visible.iter().copied().min_by(|a, b| away(a).total_cmp(&away(b)))
}

/// The cells that are nodes: all in sight, or the marked ones where there are too many.
fn nodes(scene: &Scene<'_>, visible: &[CellId]) -> Vec<CellId> {
    if visible.len() <= MOST_NODES {
        return visible.to_vec();
    }
    let marked = visible.iter().copied().filter(|cell| scene.marks.can_be_clicked(*cell));
    marked.take(MOST_NODES).collect()
}

fn requests(ui: &Ui, nodes: &[CellId], node_of: impl Fn(CellId) -> Id) -> Vec<(CellId, Action)> {
    let asked: Vec<(accesskit::NodeId, Action)> = ui.input(|input| {
        let request = |event: &Event| match event {
            Event::AccessKitActionRequest(request) => Some((request.target_node, request.action)),
            _ => None,
        };
        input.events.iter().filter_map(request).collect()
    });
    let known = asked
        .into_iter()
        .filter(|(_, action)| matches!(action, Action::Click | Action::Focus));
    let of_cell = |(node, action)| {
        let cell = nodes.iter().find(|cell| node_of(**cell).accesskit_id() == node)?;
        Some((*cell, action))
    };
    known.filter_map(of_cell).collect()
}

fn first_of_interest(scene: &Scene<'_>) -> Option<CellId> {
    let marks = scene.marks;
    let last = marks.chosen.last().or(marks.targets.first()).or(marks.pickable.first());
    let newest = marks.last.first().and_then(|action| action.cells.last());
    last.or(newest).copied()
}

/// Where the keys lead from a cell: arrows to the next cell in a direction, N and Shift+N to the next that may be picked.
fn moved(ui: &Ui, geometry: &Geometry, scene: &Scene<'_>, from: CellId) -> Option<CellId> {
    let arrows = [
        (Act::FocusLeft, vec2(-1.0, 0.0)),
        (Act::FocusRight, vec2(1.0, 0.0)),
        (Act::FocusUp, vec2(0.0, -1.0)),
        (Act::FocusDown, vec2(0.0, 1.0)),
    ];
    if let Some((_, direction)) = arrows.into_iter().find(|(act, _)| keys::pressed(ui, *act)) {
        return next_cell(geometry, scene.state.board().cells(), from, direction);
    }
    let back = keys::pressed(ui, Act::PreviousOffered);
    if !back && !keys::pressed(ui, Act::NextOffered) {
        return None;
    }
    let marks = scene.marks;
    let lit: Vec<CellId> = marks.pickable.union(&marks.targets).copied().collect();
    let after = lit.partition_point(|cell| *cell <= from);
    let before = lit.partition_point(|cell| *cell < from);
    if back {
        before.checked_sub(1).and_then(|place| lit.get(place)).or(lit.last()).copied()
    } else {
        lit.get(after).or(lit.first()).copied()
    }
}

/// The nearest cell about in a direction; one that lies askew counts as farther away.
pub(super) fn next_cell(geometry: &Geometry, cells: impl Iterator<Item = CellId>, from: CellId, direction: Vec2) -> Option<CellId> {
    let start = geometry.middle(from);
    let cost = |cell: CellId| {
        let way = geometry.middle(cell) - start;
        let straight = way.normalized().dot(direction);
        (cell != from && straight > 0.3).then(|| (way.length() / straight.powi(2), cell))
    };
    cells.filter_map(cost).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cell)| cell)
}

/// Where the node of a cell is: around it, as far as it is in sight, so that its middle lies in the cell.
fn node_rect(camera: &Camera, geometry: &Geometry, scene: &Scene<'_>, cell: CellId) -> Option<Rect> {
    let shape = geometry.cell(cell)?;
    let around = if scene.cell_at(shape.bounds.center()) == Some(cell) {
        shape.bounds
    } else {
        Rect::from_center_size(shape.middle, Vec2::splat(shape.room.max(0.1)))
    };
    let on_screen = Rect::from_min_max(camera.to_screen(around.min), camera.to_screen(around.max));
    let rect = on_screen.intersect(camera.screen());
    rect.is_positive().then_some(rect)
}

fn describe(node: &mut Node, rect: Rect, scene: &Scene<'_>, cell: CellId, texts: &CellTexts) {
    node.set_role(Role::Button);
    node.set_label(scene.cell_text_with(cell, texts));
    node.set_toggled(scene.marks.chosen.contains(&cell).into());
    node.set_bounds(accesskit::Rect {
        x0: rect.min.x.into(),
        y0: rect.min.y.into(),
        x1: rect.max.x.into(),
        y1: rect.max.y.into(),
    });
    node.add_action(Action::Focus);
    if scene.clicks == Clicks::Ignored {
        node.set_disabled();
    } else {
        node.add_action(Action::Click);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Board, Map, Offset, Orientation, Topology};

    #[test]
    fn arrows_lead_through_squares_and_over_the_rows_of_hexes() {
        let hexes = Topology::Hex {
            width: 5,
            height: 5,
            orientation: Orientation::Pointy,
            offset: Offset::Odd,
        };
        let squares = Topology::Square {
            width: 5,
            height: 5,
            diagonals: true,
        };
        for topology in [hexes, squares] {
            let board = Board::from_map(&Map::new("m", "M", topology)).unwrap();
            let geometry = Geometry::of(&board);
            let go = |from: &str, x: f32, y: f32| {
                let from = board.find_cell(from).unwrap();
                next_cell(&geometry, board.cells(), from, vec2(x, y)).map(|cell| board.cell_name(cell).to_owned())
            };
            assert_eq!(go("c3", 1.0, 0.0).as_deref(), Some("d3"), "{topology:?}");
            assert_eq!(go("c3", -1.0, 0.0).as_deref(), Some("b3"), "{topology:?}");
            assert!(go("c3", 0.0, 1.0).is_some_and(|name| name.ends_with('4')), "{topology:?}");
            assert_eq!(go("a1", -1.0, 0.0), None, "{topology:?}");
        }
    }
}
