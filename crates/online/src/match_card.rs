//! A match in the list: what it is, who sits where, and what can be done with it.

use boardwright_network::{MatchPolicy, MatchSummary, RulesetSummary, SeatState};
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, Palette, card, chip_ui, from_right_ui, remark, space, strong};
use boardwright_ui::{player_title, text};
use egui::{Label, Ui};

/// What is wanted of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A seat, by its name.
    Seat(String),
    /// To play on, or to look at it.
    Show,
    /// To wait until it begins.
    Wait,
    /// To give the player's seats up.
    Leave,
    /// To have it listed no more.
    Forget,
}

/// What a match is to the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Membership {
    /// The player has a seat.
    Own,
    /// The player waits for it to begin.
    Awaited,
    /// It is one of others; whether the player may take a seat in it now.
    Other { may_join: bool },
}

/// The title of a ruleset and a scenario, as far as the server has told them.
pub(crate) fn game_title(rulesets: &[RulesetSummary], found: &MatchSummary) -> String {
    let ruleset = rulesets.iter().find(|ruleset| ruleset.id == found.ruleset);
    let scenario = ruleset.and_then(|ruleset| ruleset.scenarios.iter().find(|scenario| scenario.id == found.scenario));
    let title = ruleset.map_or(&found.ruleset, |ruleset| &ruleset.title);
    let scenario = scenario.map_or(&found.scenario, |scenario| &scenario.title);
    format!("{title}: {scenario}")
}

/// Shows a match; gives what is wanted of it.
pub(crate) fn match_ui(ui: &mut Ui, rulesets: &[RulesetSummary], found: &MatchSummary, membership: Membership) -> Option<Wanted> {
    let mut wanted = None;
    let palette = Palette::of(ui.visuals());
    let edge = if membership == Membership::Awaited {
        palette.accent
    } else {
        palette.line
    };
    card(palette.surface, edge, 10, (14, 10)).show(ui, |ui| {
        ui.horizontal(|ui| {
            from_right_ui(ui, |ui| {
                wanted = buttons_ui(ui, found, membership);
                ui.vertical(|ui| {
                    ui.add(Label::new(strong(&found.name)).truncate());
                    ui.add(Label::new(remark(facts(rulesets, found))).truncate());
                });
            });
        });
        ui.add_space(space::XS);
        ui.horizontal_wrapped(|ui| {
            for seat in &found.seats {
                let (colour, who) = match &seat.player {
                    SeatState::Free => (palette.good, text!("online-free")),
                    SeatState::Computer(player) => (palette.muted, player_title(player)),
                    SeatState::Held(name) => (palette.text, name.clone()),
                };
                chip_ui(ui, &text!("online-seat", seat = seat.name.as_str(), player = who), colour);
            }
        });
    });
    ui.add_space(space::XS);
    wanted
}

fn facts(rulesets: &[RulesetSummary], found: &MatchSummary) -> String {
    let mut facts = vec![game_title(rulesets, found)];
    match found.policy {
        MatchPolicy::Rated => {}
        MatchPolicy::Casual => facts.push(text!("online-casual")),
        MatchPolicy::Supervised => facts.push(text!("online-supervised")),
    }
    facts.extend(found.clock.map(|clock| clock.to_string()));
    if found.luck.is_some() {
        facts.push(text!("online-verifiable-match"));
    }
    if found.has_password {
        facts.push(text!("online-has-password"));
    }
    facts.join(" · ")
}

fn buttons_ui(ui: &mut Ui, found: &MatchSummary, membership: Membership) -> Option<Wanted> {
    let has_ended = found.status == "ended";
    let is_full = super::server::is_full(found);
    let mut buttons: Vec<(IconButton, Wanted)> = Vec::new();
    match membership {
        Membership::Own if has_ended => {
            buttons.push((IconButton::text(text!("online-look")), Wanted::Show));
            buttons.push((IconButton::text(text!("online-forget")).kind(ButtonKind::Quiet), Wanted::Forget));
        }
        Membership::Own if is_full => {
            let go_on = IconButton::with_text(Icon::Play, text!("online-go-on")).kind(ButtonKind::Primary);
            buttons.push((go_on, Wanted::Show));
        }
        Membership::Own => {
            buttons.push((IconButton::text(text!("online-wait")).kind(ButtonKind::Primary), Wanted::Wait));
            buttons.push((IconButton::text(text!("online-leave")).kind(ButtonKind::Quiet), Wanted::Leave));
        }
        Membership::Awaited => buttons.push((IconButton::text(text!("online-leave")), Wanted::Leave)),
        Membership::Other { .. } if is_full => {
            buttons.push((IconButton::with_text(Icon::Eye, text!("online-watch")), Wanted::Show));
        }
        Membership::Other { .. } => {
            let free = found.seats.iter().filter(|seat| seat.player == SeatState::Free);
            let seats = free.map(|seat| {
                let label = text!("online-take", seat = seat.name.as_str());
                (IconButton::text(label).kind(ButtonKind::Primary), Wanted::Seat(seat.name.clone()))
            });
            let seats: Vec<_> = seats.take(4).collect();
            buttons.extend(seats.into_iter().rev());
        }
    }
    let is_enabled = is_full || !matches!(membership, Membership::Other { may_join: false });
    let clicked = buttons.into_iter().filter_map(|(button, wanted)| {
        let button = ui.add_enabled(is_enabled, button.height(32.0));
        let is_clicked = button.clicked();
        button.on_disabled_hover_text(text!("online-name-first"));
        is_clicked.then_some(wanted)
    });
    clicked.last()
}
