//! The open offers of a match, with the buttons that answer them.

use egui::{Align, Label, Layout, Ui};

use super::{button_ui, send};
use crate::command::UiCommand;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, from_right_ui, icon_ui, strong};
use boardwright_client::Mirror;
use boardwright_model::Declarations;
use boardwright_protocol::{Command, Offer, OfferKind};

/// Shows the offers that are made to seats held here, or by them.
pub(crate) fn offers_ui(ui: &mut Ui, mirror: &Mirror, declarations: &Declarations, commands: &mut Vec<UiCommand>) {
    for offer in mirror.offers() {
        ui.horizontal(|ui| {
            ui.set_min_height(30.0);
            icon_ui(ui, Icon::Question, 18.0, Palette::of(ui.visuals()).accent);
            from_right_ui(ui, |ui| {
                answers_ui(ui, mirror, *offer, commands);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(strong(offer_text(mirror, declarations, *offer))).wrap());
                });
            });
        });
    }
}

fn offer_text(mirror: &Mirror, declarations: &Declarations, offer: Offer) -> String {
    let seat = declarations.seat_title(offer.seat).to_string();
    match (offer.offer, mirror.seats().contains(offer.seat)) {
        (OfferKind::Draw, true) => text!("offer-draw-own"),
        (OfferKind::Draw, false) => text!("offer-draw", seat = seat),
        (OfferKind::Wait, true) => text!("offer-wait-own"),
        (OfferKind::Wait, false) => text!("offer-wait", seat = seat),
        (OfferKind::Undo, true) => text!("offer-undo-own"),
        (OfferKind::Undo, false) => text!("offer-undo", seat = seat),
    }
}

fn answers_ui(ui: &mut Ui, mirror: &Mirror, Offer { offer, seat, waiting, .. }: Offer, commands: &mut Vec<UiCommand>) {
    let held = mirror.seats();
    if held.contains(seat) {
        let withdraw = IconButton::text(text!("offer-withdraw")).height(28.0);
        button_ui(ui, withdraw, send(Command::Withdraw { offer }), commands);
    } else if waiting.iter().any(|seat| held.contains(seat)) {
        let decline = IconButton::text(text!("offer-decline")).height(28.0);
        button_ui(ui, decline, send(Command::Decline { offer }), commands);
        let accept = IconButton::text(text!("offer-accept")).kind(ButtonKind::Primary).height(28.0);
        button_ui(ui, accept, send(Command::Accept { offer }), commands);
    }
}
