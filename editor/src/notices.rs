//! What went wrong, or is good to know: above the board, until it is closed.

use boardwright_ui::theme::{Icon, IconButton};
use boardwright_ui::{problem_ui, text};
use egui::Ui;

use crate::banner::{banner_ui, banners_ui, message_ui};
use crate::editor::Notice;

/// How many are shown at once; the next one comes when one is closed.
const MOST_SHOWN: usize = 3;

/// Shows the notices; a click closes one.
pub(crate) fn notices_ui(ui: &mut Ui, notices: &mut Vec<Notice>) {
    if notices.is_empty() {
        return;
    }
    let mut closed = None;
    banners_ui(ui, "editor notices", |ui| {
        for (index, notice) in notices.iter().enumerate().take(MOST_SHOWN) {
            let close = |ui: &mut Ui| {
                ui.add(IconButton::icon(Icon::Close, text!("problems-close")).height(26.0))
                    .clicked()
            };
            let message = |ui: &mut Ui| match notice {
                Notice::Problem(problem) => {
                    ui.vertical(|ui| problem_ui(ui, problem));
                }
                Notice::Note(note) | Notice::Outside(_, note) => message_ui(ui, Icon::Note, note),
            };
            if banner_ui(ui, message, close, |_| {}) {
                closed = Some(index);
            }
        }
    });
    if let Some(index) = closed {
        notices.remove(index);
    }
}
