//! What players say to one another, and the line to say something in.

use egui::{ComboBox, Label, ScrollArea, TextEdit, Ui};

use super::send;
use crate::command::UiCommand;
use crate::keys::{self, Act, key_of};
use crate::texts::text;
use crate::theme::{Icon, IconButton, heading_with_ui, remark, seat_colour, seat_mark_ui, space};
use boardwright_client::Mirror;
use boardwright_model::{Declarations, SeatId};
use boardwright_protocol::{ChatLine, Command};

const ROW: f32 = 26.0;

/// The panel, with what is being written in it.
#[derive(Debug, Default)]
pub(crate) struct ChatPanel {
    is_open: bool,
    line: String,
    to: Option<SeatId>,
    wants_focus: bool,
    /// How many lines there were then.
    shut_at: Option<usize>,
}

impl ChatPanel {
    pub(crate) fn toggle(&mut self, mirror: &Mirror) {
        let opens = !self.is_shown(mirror);
        self.is_open = opens;
        self.wants_focus = opens;
        self.shut_at = (!opens).then_some(mirror.chat().len());
    }

    /// Whether it is shown: when it was opened, and when there is something to be read.
    pub(crate) fn is_shown(&self, mirror: &Mirror) -> bool {
        let said = mirror.chat().len();
        self.is_open || (said > 0 && self.shut_at.is_none_or(|shut| said > shut))
    }

    /// Shows what was said, and the line.
    pub(crate) fn ui(&mut self, ui: &mut Ui, mirror: &Mirror, commands: &mut Vec<UiCommand>) {
        let Some(declarations) = mirror.declarations() else { return };
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.spacing_mut().interact_size.y = ROW;
        // The panel is as high as it was made, whatever was said.
        ui.set_min_height(ui.available_height());
        let close = IconButton::icon(Icon::Close, text!("chat-close"))
            .hint(key_of(Act::Chat))
            .height(24.0);
        if heading_with_ui(ui, Icon::Chat, &text!("chat-title"), |ui| ui.add(close)).clicked() {
            self.toggle(mirror);
        }
        let room = (ui.available_height() - ROW - 2.0 * space::S).max(0.0);
        messages_ui(ui, declarations, mirror.chat(), room);
        commands.extend(self.line_ui(ui, declarations, mirror).map(send));
    }

    /// The line to be written, and whom it is for. Gives what is said.
    fn line_ui(&mut self, ui: &mut Ui, declarations: &Declarations, mirror: &Mirror) -> Option<Command> {
        let is_for = |to: Option<SeatId>| to.map_or_else(|| text!("chat-everyone"), |seat| declarations.seat_title(seat).to_string());
        let held = mirror.seats();
        let state = mirror.main_view();
        let acting = state.and_then(|state| state.acting().iter().find(|seat| held.contains(*seat)));
        let speaks = acting.or_else(|| held.first());
        let line = ui.horizontal(|ui| {
            let combo = ComboBox::from_id_salt("talk to").selected_text(is_for(self.to)).width(96.0);
            let combo = combo.show_ui(ui, |ui| {
                ui.selectable_value(&mut self.to, None, is_for(None));
                // Who holds no seat speaks to everyone.
                let others = (0..declarations.seats.len()).map(SeatId::from_index);
                for seat in others.filter(|seat| speaks.is_some_and(|speaks| speaks != *seat)) {
                    ui.selectable_value(&mut self.to, Some(seat), is_for(Some(seat)));
                }
            });
            combo.response.accessible_name(text!("chat-to"));
            let edit = TextEdit::singleline(&mut self.line).hint_text(text!("chat-line"));
            ui.add(edit.desired_width(f32::INFINITY)).accessible_name(text!("chat-line"))
        });
        let field = line.inner;
        if std::mem::take(&mut self.wants_focus) {
            field.request_focus();
        }
        if !keys::is_entered(ui, &field) || self.line.trim().is_empty() {
            return None;
        }
        self.wants_focus = true;
        Some(Command::Say {
            text: std::mem::take(&mut self.line).trim().to_owned(),
            from: None,
            to: self.to,
        })
    }
}

fn messages_ui(ui: &mut Ui, declarations: &Declarations, said: &[ChatLine], room: f32) {
    ScrollArea::vertical()
        .id_salt("said")
        .auto_shrink([false, false])
        .max_height(room)
        .min_scrolled_height(0.0)
        .stick_to_bottom(true)
        .show(ui, |ui| {
            if said.is_empty() {
                ui.label(remark(text!("chat-empty")));
            }
            for line in said {
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing.x = space::XS;
                    if let Some(seat) = line.from.filter(|seat| seat.index() < declarations.seats.len()) {
                        seat_mark_ui(ui, seat_colour(declarations, seat), seat.index(), 14.0);
                    }
                    if let Some(to) = line.to {
                        ui.label(remark(text!("chat-alone", seat = declarations.seat_title(to).to_string())));
                    }
                    ui.add(Label::new(chat_text(declarations, line)).wrap());
                });
            }
        });
}

pub(crate) fn chat_text(declarations: &Declarations, line: &ChatLine) -> String {
    let from = line.from.map(|seat| declarations.seat_title(seat).to_string());
    let from = from.unwrap_or_else(|| text!("chat-spectator"));
    text!("chat-said", seat = from, words = line.text.as_str())
}
