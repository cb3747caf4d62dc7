//! Where the tray, the cards and the bar lie, and how large they are. All of it follows from the window, the board and the declarations of
//! the match, never from what is in the tray or asked in the bar: so the board stays where it is from the first action to the last.

use egui::{Rect, Vec2};

use boardwright_model::{ActionDeclaration, Declarations, PhaseId, PickKind};

/// The least and the greatest width of a tray beside the board, in points.
const BESIDE: std::ops::RangeInclusive<f32> = 190.0..=520.0;
/// The height of a tray below the board: as a share of the room, and its limits in points.
const BELOW: f32 = 0.28;
const BELOW_LIMITS: std::ops::RangeInclusive<f32> = 96.0..=200.0;
/// The height of a row of cards in points, and in windows that are lower than this.
const CARDS: f32 = 104.0;
const LOW_CARDS: f32 = 76.0;
const LOW: f32 = 600.0;
/// The height of a row of the bar, in points, and the width below which it has two: where numbers are asked, and where not.
const BAR_ROW: f32 = 38.0;
const ROOM_FOR_NUMBERS: f32 = 1100.0;
const ROOM_FOR_ONE_ROW: f32 = 600.0;
/// So many buttons have room there, and each more needs so much.
const BUTTONS_IN_ONE_ROW: usize = 6;
const ROOM_FOR_BUTTON: f32 = 120.0;
/// Below this width of the window the bar lies below the panel at the right as well.
const NARROW: f32 = 900.0;

/// Where the tray lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TrayPlace {
    /// At the right of the board, so wide.
    Beside(f32),
    /// Below the board, so high.
    Below(f32),
}

/// Where the tray lies in the room it shares with the board, so that the board is as large as it can be. `shape` is the width of the board as
/// a share of its height.
pub(super) fn tray_place(room: Vec2, shape: f32) -> TrayPlace {
    let beside = (room.x - room.y * shape).clamp(*BESIDE.start(), *BESIDE.end());
    let below = (room.y * BELOW).clamp(*BELOW_LIMITS.start(), *BELOW_LIMITS.end());
    let board_height = |room: Vec2| room.y.min(room.x / shape);
    if board_height(room - egui::vec2(beside, 0.0)) >= board_height(room - egui::vec2(0.0, below)) {
        TrayPlace::Beside(beside)
    } else {
        TrayPlace::Below(below)
    }
}

/// Whether pieces with shapes can lie off the board.
pub(super) fn has_tray(declarations: &Declarations) -> bool {
    !declarations.zones.is_empty() && declarations.kinds.iter().any(|kind| kind.figure.is_some())
}

/// The height of the row of cards in a window, if pieces without shapes can lie off the board.
pub(super) fn cards_height(declarations: &Declarations, window: Rect) -> Option<f32> {
    let has_cards = !declarations.zones.is_empty() && declarations.kinds.iter().any(|kind| kind.figure.is_none());
    has_cards.then_some(if window.height() < LOW { LOW_CARDS } else { CARDS })
}

/// Whether the bar is as wide as the window.
pub(super) fn is_bar_wide(window: Rect) -> bool {
    window.width() < NARROW
}

/// The height of the bar in a width.
pub(super) fn bar_height(declarations: &Declarations, width: f32) -> f32 {
    let mut picks = declarations.actions.iter().flat_map(|action| &action.picks);
    let needed = if picks.any(|pick| pick.kind == PickKind::Number) {
        ROOM_FOR_NUMBERS
    } else {
        // Each action has a button, unless it stands beside the play or answers a question.
        let buttons = (0..declarations.phases.len()).map(|phase| {
            let phase = PhaseId::from_index(phase);
            let is_offered = |action: &&ActionDeclaration| action.phases.is_empty() || action.phases.contains(&phase);
            let actions = declarations.actions.iter().filter(is_offered);
            actions.filter(|action| !action.is_aside && !action.answers_decision).count()
        });
        let more = buttons.max().unwrap_or(0).saturating_sub(BUTTONS_IN_ONE_ROW);
        ROOM_FOR_ONE_ROW + more as f32 * ROOM_FOR_BUTTON
    };
    if width < needed { 2.0 * BAR_ROW + 4.0 } else { BAR_ROW }
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    #[test]
    fn the_tray_lies_beside_the_board_where_that_is_wide_and_below_where_it_is_high() {
        assert_eq!(tray_place(vec2(1130.0, 780.0), 1.0), TrayPlace::Beside(350.0));
        assert_eq!(tray_place(vec2(1600.0, 900.0), 1.0), TrayPlace::Beside(520.0));
        assert!(matches!(tray_place(vec2(690.0, 520.0), 1.0), TrayPlace::Beside(_)));
        assert!(matches!(tray_place(vec2(500.0, 900.0), 1.0), TrayPlace::Below(_)));
        assert!(matches!(tray_place(vec2(1130.0, 780.0), 2.0), TrayPlace::Below(_)));
    }
}
