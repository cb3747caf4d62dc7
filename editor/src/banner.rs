//! Cards above the board: something to be known or decided, with its buttons on the right.

use boardwright_ui::theme::{Icon, Palette, card, from_right_ui, icon_ui, space};
use egui::{Align, Frame, Label, Layout, Margin, Panel, Ui, WidgetText};

/// The room above the board in which cards stand.
pub(crate) fn banners_ui(ui: &mut Ui, id: &'static str, cards: impl FnOnce(&mut Ui)) {
    Panel::top(id)
        .frame(Frame::NONE.inner_margin(Margin::same(space::S as i8)))
        .show_separator_line(false)
        .show(ui, cards);
}

/// A card: what it says, its buttons from right to left, and what follows below.
pub(crate) fn banner_ui<R>(
    ui: &mut Ui,
    message: impl FnOnce(&mut Ui),
    buttons: impl FnOnce(&mut Ui) -> R,
    below: impl FnOnce(&mut Ui),
) -> R {
    let palette = Palette::of(ui.visuals());
    let shown = card(palette.surface, palette.line, 10, (10, 6)).show(ui, |ui| {
        // A row is as high as what is in it, and leaves the rest to the board.
        let row = ui.horizontal(|ui| {
            from_right_ui(ui, |ui| {
                let pressed = buttons(ui);
                ui.with_layout(Layout::left_to_right(Align::Center), message);
                pressed
            })
        });
        below(ui);
        row.inner
    });
    shown.inner
}

/// What a card says in words, behind a sign.
pub(crate) fn message_ui(ui: &mut Ui, icon: Icon, message: impl Into<WidgetText>) {
    icon_ui(ui, icon, 18.0, Palette::of(ui.visuals()).accent);
    ui.add(Label::new(message).wrap());
}
