//! What went wrong, or is good to know: above the board, until it is closed.

use boardwright_ui::theme::{Icon, IconButton, Palette, card, from_right_ui, icon_ui, space};
use boardwright_ui::{problem_ui, text};
use egui::{Frame, Label, Margin, Panel, Ui};

use crate::editor::Notice;

/// Shows the notices; a click closes one.
pub(crate) fn notices_ui(ui: &mut Ui, notices: &mut Vec<Notice>) {
    if notices.is_empty() {
        return;
    }
    let mut closed = None;
    Panel::top("editor notices")
        .frame(Frame::NONE.inner_margin(Margin::same(space::S as i8)))
        .show_separator_line(false)
        .show(ui, |ui| {
            let palette = Palette::of(ui.visuals());
            for (index, notice) in notices.iter().enumerate().take(3) {
                card(palette.surface, palette.line, 10, (10, 6)).show(ui, |ui| {
                    // A row is as high as what is in it, and leaves the rest to the board.
                    ui.horizontal(|ui| {
                        from_right_ui(ui, |ui| {
                            if ui
                                .add(IconButton::icon(Icon::Close, text!("problems-close")).height(26.0))
                                .clicked()
                            {
                                closed = Some(index);
                            }
                            ui.with_layout(egui::Layout::left_to_right(egui::Align::Min), |ui| match notice {
                                Notice::Problem(problem) => {
                                    ui.vertical(|ui| problem_ui(ui, problem));
                                }
                                Notice::Note(note) => {
                                    icon_ui(ui, Icon::Note, 18.0, palette.accent);
                                    ui.add(Label::new(note).wrap());
                                }
                            });
                        });
                    });
                });
            }
        });
    if let Some(index) = closed {
        notices.remove(index);
    }
}
