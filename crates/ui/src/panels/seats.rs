//! Who sits where, whose turn it is, who is thinking.

use std::time::{Duration, Instant};

use egui::{Align, AsIdSalt, Color32, ComboBox, DragValue, Label, Layout, Popup, Rect, RichText, Role, Ui, WidgetInfo, vec2};

use super::thinking::thinking_ui;
use super::{button_ui, concerns_seat, send};
use crate::command::UiCommand;
use crate::match_controller::MatchController;
use crate::players::{Choice, PLAYER_KINDS, level_title, sort};
use crate::texts::text;
use crate::theme::{
    Icon, IconButton, MenuRow, Palette, chip_ui, from_right_ui, heading_ui, label_in_ui, remark, seat_colour, seat_mark_ui, space, strong,
    strong_if, text_width, veil,
};
use boardwright_client::{Mirror, clock_text};
use boardwright_model::{Declarations, SeatDeclaration, SeatId, State};
use boardwright_protocol::Command;

/// The height of a seat in one line, in points.
const ONE_LINE: f32 = 26.0;

/// Shows the seats; who plays can be changed at any time. Where there are more than two, they have one line each; true if they do.
pub(crate) fn seats_ui(ui: &mut Ui, controller: &MatchController, state: &State, commands: &mut Vec<UiCommand>) -> bool {
    let mirror = controller.mirror();
    let declarations = state.declarations();
    let computers = mirror.players().iter().filter(|player| !Choice::read(player).is_person()).count();
    let is_short = declarations.seats.len() > 2;
    head_ui(ui, mirror, declarations, computers > 0, is_short, commands);
    if is_short {
        ui.scope(|ui| short_seats_ui(ui, controller, state, commands));
    } else {
        for (index, declared) in declarations.seats.iter().enumerate() {
            seat_ui(ui, controller, state, SeatId::from_index(index), declared, commands);
        }
    }
    is_short
}

fn head_ui(ui: &mut Ui, mirror: &Mirror, declarations: &Declarations, has_computers: bool, is_short: bool, commands: &mut Vec<UiCommand>) {
    let between = ui.spacing().item_spacing.y;
    if is_short {
        ui.spacing_mut().item_spacing.y = 2.0;
    }
    ui.horizontal(|ui| {
        if is_short {
            make_short(ui);
        }
        heading_ui(ui, Icon::Person, &text!("form-seats"));
        from_right_ui(ui, |ui| {
            if declarations.seats.len() == 2 && may_assign(mirror) {
                let swap = IconButton::icon(Icon::Swap, text!("seats-swap")).height(28.0);
                let (a, b) = (SeatId(0), SeatId(1));
                button_ui(ui, swap, send(Command::Swap { a, b }), commands);
            }
            if has_computers && !mirror.is_guest() {
                let paused = !mirror.is_paused();
                let button = if paused {
                    IconButton::icon(Icon::Pause, text!("seats-wait"))
                } else {
                    IconButton::icon(Icon::Play, text!("seats-go-on"))
                };
                button_ui(ui, button.height(28.0), send(Command::Pause { paused }), commands);
                if is_short {
                    pace_list_ui(ui, mirror.pace(), commands);
                }
            }
        });
    });
    ui.spacing_mut().item_spacing.y = between;
    if has_computers && !is_short && !mirror.is_guest() {
        ui.horizontal(|ui| {
            ui.label(remark(text!("pace-short")));
            pace_list_ui(ui, mirror.pace(), commands);
        });
    }
}

/// Makes what stands in a line as high as one that is short.
fn make_short(ui: &mut Ui) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().interact_size.y = ONE_LINE;
    ui.spacing_mut().button_padding = vec2(space::S, 2.0);
}

/// A seat in two lines, with what its player thinks below them.
fn seat_ui(
    ui: &mut Ui,
    controller: &MatchController,
    state: &State,
    seat: SeatId,
    declared: &SeatDeclaration,
    commands: &mut Vec<UiCommand>,
) {
    let (mirror, index) = (controller.mirror(), seat.index());
    let palette = Palette::of(ui.visuals());
    let is_acting = state.acting().contains(seat);
    let colour = Palette::seat(&state.declarations().seats, index);
    ui.horizontal(|ui| {
        seat_mark_ui(ui, colour, index, 22.0);
        ui.label(strong_if(is_acting, &declared.title));
        if state.eliminated().contains(seat) {
            chip_ui(ui, &text!("seats-out"), palette.muted);
        } else if is_acting {
            chip_ui(ui, &text!("seats-to-act"), palette.accent);
        }
        absence_ui(ui, mirror, seat);
        from_right_ui(ui, |ui| {
            clock_ui(ui, mirror, seat);
            if let Some(count) = pieces_text(controller, state, seat) {
                ui.weak(count);
            }
        });
    });
    let Some(player) = mirror.players().get(index) else { return };
    let mut choice = Choice::read(player);
    let is_computer = !choice.is_person();
    if !may_assign(mirror) {
        ui.label(remark(player_text(mirror, seat, &choice)));
        thoughts_ui(ui, controller, seat, is_computer, colour, commands);
        return;
    }
    let room = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let row = ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
        if state.declarations().seats.len() > 2 {
            swap_ui(ui, state.declarations(), seat, commands);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            player_ui(ui, &declared.title, &mut choice, strategies(mirror), ("seat", index))
        })
    });
    assign(seat, &choice, row.inner.inner, commands);
    thoughts_ui(ui, controller, seat, is_computer, colour, commands);
}

/// What the computer player of a seat thinks, or thought last.
fn thoughts_ui(ui: &mut Ui, controller: &MatchController, seat: SeatId, is_computer: bool, colour: Color32, commands: &mut Vec<UiCommand>) {
    let mirror = controller.mirror();
    let now = mirror.thinking().get(&seat);
    if let Some(report) = now.or_else(|| {
        controller
            .thinking()
            .latest
            .get(&seat)
            .filter(|_| is_computer && !mirror.is_paused())
    }) {
        thinking_ui(ui, report, now.is_some(), colour, commands);
    }
    ui.add_space(space::XS);
}

/// The seats in one line each, in columns; what is thought stands below all of them, so that nothing jumps as one after the other thinks.
fn short_seats_ui(ui: &mut Ui, controller: &MatchController, state: &State, commands: &mut Vec<UiCommand>) {
    let (mirror, declarations) = (controller.mirror(), state.declarations());
    make_short(ui);
    let widths = declarations.seats.iter().map(|declared| text_width(ui, strong(&*declared.title)));
    let widest = widths.fold(0.0, f32::max).ceil();
    let names = widest.min(ui.available_width() * 0.4);
    for (index, declared) in declarations.seats.iter().enumerate() {
        short_seat_ui(ui, controller, state, SeatId::from_index(index), declared, names, commands);
    }
    if let Some((seat, report, is_now)) = controller.thinker().filter(|(_, _, is_now)| *is_now || !mirror.is_paused()) {
        ui.add_space(space::XS);
        thinking_ui(ui, report, is_now, seat_colour(declarations, seat), commands);
    }
}

fn short_seat_ui(
    ui: &mut Ui,
    controller: &MatchController,
    state: &State,
    seat: SeatId,
    declared: &SeatDeclaration,
    names: f32,
    commands: &mut Vec<UiCommand>,
) {
    let (mirror, index) = (controller.mirror(), seat.index());
    let palette = Palette::of(ui.visuals());
    let (is_acting, is_out) = (state.acting().contains(seat), state.eliminated().contains(seat));
    let row = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), ONE_LINE));
    if is_acting {
        let lit = row.expand2(vec2(space::XS, 1.0));
        ui.painter().rect_filled(lit, 8, veil(palette.accent, 0.16));
    }
    ui.horizontal(|ui| {
        ui.set_height(ONE_LINE);
        ui.spacing_mut().item_spacing.x = space::S;
        seat_mark_ui(ui, Palette::seat(&state.declarations().seats, index), index, 22.0);
        let name = if is_out {
            RichText::new(&*declared.title).weak().strikethrough()
        } else {
            strong_if(is_acting, &declared.title)
        };
        let name = label_in_ui(ui, vec2(names, ONE_LINE), Label::new(name).truncate());
        let facts = [
            is_out.then(|| text!("seats-out")),
            (is_acting && !is_out).then(|| text!("seats-to-act")),
            mirror.substitutes().contains(seat).then(|| text!("seats-played-on")),
            (mirror.gone().contains(seat) && !mirror.substitutes().contains(seat)).then(|| text!("seats-gone")),
            pieces_text(controller, state, seat),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        let facts = facts.join(", ");
        name.widget_info(|| {
            let label = format!("{}, {facts}", declared.title);
            WidgetInfo::labeled(Role::Label, true, label.trim_end_matches(", "))
        });
        if !facts.is_empty() {
            name.on_hover_text(facts);
        }
        from_right_ui(ui, |ui| {
            clock_ui(ui, mirror, seat);
            let player = mirror.players().get(index);
            if !may_assign(mirror) {
                if let Some(player) = player {
                    ui.add(Label::new(remark(player_text(mirror, seat, &Choice::read(player)))).truncate());
                }
                return;
            }
            swap_ui(ui, state.declarations(), seat, commands);
            if let Some(player) = player {
                let mut choice = Choice::read(player);
                let is_changed = short_player_ui(ui, &declared.title, &mut choice, strategies(mirror), ("seat", index));
                assign(seat, &choice, is_changed, commands);
            }
        });
    });
}

/// Whether who plays can be changed from here: not in a rated match, and not in one that others steer.
fn may_assign(mirror: &Mirror) -> bool {
    !mirror.is_guest() && mirror.description().is_none_or(|description| !description.rated)
}

/// Who plays a seat: the name of a person, as far as it is known, or what people call the computer player.
fn player_text(mirror: &Mirror, seat: SeatId, choice: &Choice) -> String {
    match mirror.name(seat) {
        Some(name) if mirror.substitutes().contains(seat) => text!("seats-substitute", name = name, player = choice.title()),
        Some(name) => name.to_owned(),
        None if choice.is_person() && mirror.seats().contains(seat) => text!("seats-you"),
        None => choice.title(),
    }
}

/// Says of a person who is gone that they are waited for, or that a computer plays on.
fn absence_ui(ui: &mut Ui, mirror: &Mirror, seat: SeatId) {
    let palette = Palette::of(ui.visuals());
    if mirror.substitutes().contains(seat) {
        chip_ui(ui, &text!("seats-played-on"), palette.muted);
    } else if mirror.gone().contains(seat) {
        chip_ui(ui, &text!("seats-gone"), palette.warning);
    }
}

/// The time that a seat has left.
fn clock_ui(ui: &mut Ui, mirror: &Mirror, seat: SeatId) {
    let Some(clocks) = mirror.clocks() else { return };
    let Some(left) = clocks.left(seat, Instant::now()) else { return };
    let runs = clocks.running.contains(seat);
    let palette = Palette::of(ui.visuals());
    let colour = match runs {
        true if left < clocks.warning() => palette.danger,
        true => palette.text,
        false => palette.muted,
    };
    let time = clock_text(left);
    let shown = RichText::new(&time).monospace().color(colour);
    let shown = ui.add(Label::new(if runs { shown.strong() } else { shown }));
    shown.widget_info(|| WidgetInfo::labeled(Role::Label, true, text!("seats-time-left", time = time.as_str())));
    if runs {
        // When the next second begins.
        let next = Duration::from_nanos(u64::from(left.subsec_nanos()) + 1_000_000);
        ui.ctx().request_repaint_after(next);
    }
}

/// How many pieces a seat has in play, if it has any and the ruleset does not tell itself how the seat stands.
fn pieces_text(controller: &MatchController, state: &State, seat: SeatId) -> Option<String> {
    let count = state.in_play(seat);
    (count > 0 && !concerns_seat(&controller.display().looks.panel, seat)).then(|| controller.pieces_text(count))
}

fn strategies(mirror: &Mirror) -> &[String] {
    mirror.description().map_or(&[][..], |description| &description.strategies)
}

fn assign(seat: SeatId, choice: &Choice, is_changed: bool, commands: &mut Vec<UiCommand>) {
    if is_changed {
        let player = choice.text();
        commands.push(send(Command::Assign { seat, player }));
    }
}

/// A menu of the seats that one may change places with.
fn swap_ui(ui: &mut Ui, declarations: &Declarations, a: SeatId, commands: &mut Vec<UiCommand>) {
    let button = IconButton::icon(Icon::Swap, text!("seats-swap-with", seat = declarations.seat_title(a).to_string()));
    let button = ui.add(button.height(ui.spacing().interact_size.y.min(28.0)));
    Popup::menu(&button).show(|ui| {
        for (index, declared) in declarations.seats.iter().enumerate() {
            let b = SeatId::from_index(index);
            if b != a && ui.add(MenuRow::new(Icon::Swap, &*declared.title)).clicked() {
                commands.push(send(Command::Swap { a, b }));
            }
        }
    });
}

/// How long computer players wait before they act, in milliseconds.
const PACES: [u64; 5] = [0, 500, 1000, 2500, 6000];

/// The least time between an action and the next one of a computer player.
fn pace_list_ui(ui: &mut Ui, pace: u64, commands: &mut Vec<UiCommand>) {
    let name = |pace: u64| match pace {
        0 => text!("pace-at-once"),
        pace => text!("pace-seconds", seconds = pace as f64 / 1000.0),
    };
    let mut milliseconds = pace;
    let width = ui.available_width().min(96.0);
    let combo = ComboBox::from_id_salt("pace").selected_text(name(pace)).truncate().width(width);
    let combo = combo.show_ui(ui, |ui| {
        for choice in PACES {
            ui.selectable_value(&mut milliseconds, choice, name(choice));
        }
    });
    combo.response.on_hover_text(text!("pace")).accessible_name(text!("pace"));
    if milliseconds != pace {
        commands.push(send(Command::Pace { milliseconds }));
    }
}

/// The height up to which the list of players is shown whole, in points.
const MOST_OF_LIST: f32 = 420.0;

/// A form for who plays a seat; true if it was changed.
pub fn player_ui(ui: &mut Ui, seat: &str, choice: &mut Choice, strategies: &[String], salt: impl AsIdSalt) -> bool {
    let before = choice.clone();
    ui.horizontal(|ui| {
        let levels = sort(&choice.word).and_then(|sort| sort.levels);
        sorts_ui(ui, seat, choice, strategies, ComboBox::from_id_salt(salt).width(132.0));
        if let (Some(level), Some(levels)) = (choice.level.as_mut(), levels) {
            level_ui(ui, seat, level, levels);
        }
    });
    before != *choice
}

/// The same in the room that is left of a line, from its right end: the level is a number.
fn short_player_ui(ui: &mut Ui, seat: &str, choice: &mut Choice, strategies: &[String], salt: impl AsIdSalt) -> bool {
    let before = choice.clone();
    let levels = sort(&choice.word).and_then(|sort| sort.levels);
    if let (Some(level), Some((low, high))) = (choice.level.as_mut(), levels) {
        ui.spacing_mut().interact_size.x = 26.0;
        let number = DragValue::new(level).range(low..=high).speed(0.05).update_while_editing(false);
        let shown = ui.add(number).on_hover_text(text!("seats-level"));
        shown.accessible_name(text!("seats-level-of", seat = seat));
    }
    let list = ComboBox::from_id_salt(salt).truncate().width(ui.available_width());
    sorts_ui(ui, seat, choice, strategies, list);
    before != *choice
}

/// The levels of a player to choose from, by name. Where there is no room for its name the one that is chosen is shown by its number.
fn level_ui(ui: &mut Ui, seat: &str, level: &mut u8, (low, high): (u8, u8)) {
    let width = (ui.available_width() - 12.0).clamp(60.0, 110.0);
    let spacing = ui.spacing();
    let room = ui.available_width() - spacing.icon_width - spacing.icon_spacing - 2.0 * spacing.button_padding.x;
    let title = level_title(*level);
    let fits = text_width(ui, title.as_str().into()) <= room;
    let chosen = if fits { title } else { level.to_string() };
    let list = ComboBox::from_id_salt(("level", seat)).truncate().width(width);
    let list = list.selected_text(chosen).height(MOST_OF_LIST).show_ui(ui, |ui| {
        for each in low..=high {
            ui.selectable_value(level, each, level_title(each));
        }
    });
    let shown = list.response.on_hover_text(text!("seats-level"));
    shown.accessible_name(text!("seats-level-of", seat = seat));
}

/// The sorts of players to choose from, in a list.
fn sorts_ui(ui: &mut Ui, seat: &str, choice: &mut Choice, strategies: &[String], list: ComboBox<'_>) {
    let title = sort(&choice.word).map_or_else(|| choice.title(), |sort| (sort.title)());
    let combo = list.selected_text(&title).height(MOST_OF_LIST).show_ui(ui, |ui| {
        ui.set_min_width(132.0);
        let mut offer = |word: &str, title: String, line: String| {
            let is_chosen = choice.word == word;
            if ui.selectable_label(is_chosen, title).on_hover_text(line).clicked() {
                *choice = choice.with_word(word);
            }
        };
        for sort in &PLAYER_KINDS {
            offer(sort.word, (sort.title)(), (sort.line)());
        }
        for name in strategies {
            offer(name, text!("player-strategy", name = name.as_str()), text!("player-strategy-line"));
        }
    });
    let shown = combo.response.on_hover_text(title);
    shown.accessible_name(text!("seats-player-of", seat = seat));
}
