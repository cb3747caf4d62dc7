//! What is left to do in a turn: a list over the button that ends it, from which one comes to each, or ends the turn all the same.

use egui::{Id, Popup, PopupCloseBehavior, ScrollArea, Ui};

use crate::command::{CellClick, ChoiceCommand, UiCommand};
use crate::keys::{Act, key_of};
use crate::match_controller::MatchController;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, MenuRow, size, space, title};
use boardwright_model::ActionId;

/// How high the list may be before it rolls, in points.
const MOST: f32 = 260.0;

fn popup() -> Id {
    Id::unique("left to do")
}

/// Whether the player is asked before an action: it ends the turn, and something is left to do.
pub(crate) fn asks_before(controller: &MatchController, action: ActionId) -> bool {
    let declared = controller
        .mirror()
        .declarations()
        .and_then(|declarations| declarations.action(action));
    declared.is_some_and(|declared| declared.ends_turn) && !controller.display().looks.left_to_do.is_empty()
}

pub(crate) fn open_left_to_do(ui: &Ui) {
    Popup::open_id(ui.ctx(), popup());
}

pub(crate) fn is_left_to_do_open(ui: &Ui) -> bool {
    Popup::is_id_open(ui.ctx(), popup())
}

/// A button that ends the turn, after a list of what is left to do. A click on a line shows its cell and picks what can be picked there.
pub(super) fn left_to_do_ui(
    ui: &mut Ui,
    controller: &MatchController,
    button: IconButton,
    (name, command): (&str, ChoiceCommand),
    commands: &mut Vec<UiCommand>,
) {
    let Some(state) = controller.state() else { return };
    let lines = &controller.display().looks.left_to_do;
    let had_focus = popup().with("focus");
    if !is_left_to_do_open(ui) {
        ui.data_mut(|data| data.remove::<bool>(had_focus));
    }
    let button = ui.add(button);
    let menu = Popup::menu(&button).id(popup()).close_behavior(PopupCloseBehavior::CloseOnClick);
    menu.show(|ui| {
        ui.label(title(text!("left-to-do", count = lines.len()), size::SMALL));
        ScrollArea::vertical().max_height(MOST).show(ui, |ui| {
            for line in lines {
                let words = line.text(state.declarations());
                let row = match line.cell {
                    Some(cell) => MenuRow::new(Icon::Eye, words).key(state.board().cell_title(cell)),
                    None => MenuRow::new(Icon::Note, words),
                };
                if let (true, Some(cell)) = (ui.add(row).clicked(), line.cell) {
                    let click = CellClick {
                        cell,
                        side: None,
                        is_double: false,
                    };
                    commands.extend([UiCommand::ShowCell(cell), ChoiceCommand::Click(click).into()]);
                }
            }
        });
        ui.add_space(space::XS);
        let end = IconButton::with_text(Icon::Play, name)
            .kind(ButtonKind::Primary)
            .hint(key_of(Act::Play));
        let end = ui.add(end);
        // Enter ends the turn, unless the player goes elsewhere.
        if ui.data(|data| data.get_temp::<bool>(had_focus)).is_none() {
            end.request_focus();
            ui.data_mut(|data| data.insert_temp(had_focus, true));
        }
        if end.clicked() {
            commands.push(command.into());
        }
    });
}
