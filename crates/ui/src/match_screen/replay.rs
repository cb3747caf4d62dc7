//! Looking back: the replay bar, its keys, and the clock that goes through the history.

use egui::{ComboBox, FontId, Rect, Slider, Ui, vec2};

use crate::command::{MatchCommand, UiCommand, button_ui};
use crate::keys::{self, Act, key_of};
use crate::match_controller::MatchController;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, bold, lay_out, remark, size, space};
use boardwright_protocol::{Command, EntryCause};

/// How long an action is looked at, in seconds, at the normal speed.
const PAUSE: f64 = 1.2;

/// How fast a replay goes, in hundredths of the normal speed.
const SPEEDS: [u16; 4] = [50, 100, 200, 400];

/// The replay of a match: its bar, and the clock that goes through the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Replay {
    /// Whether the bar is open even while the present is shown.
    pub(super) is_open: bool,
    compares: bool,
    /// Whether the present is shown in place of the past position.
    pub(super) shows_present: bool,
    /// The speed, one of [`SPEEDS`].
    speed: u16,
    /// When it goes on, if it does by itself.
    pub(super) next: Option<f64>,
}

/// The least width of the bar in one line, and with the slider beside the buttons.
const ONE_LINE: f32 = 900.0;
const BESIDE: f32 = 380.0;
/// How much room the choices need with their labels, and how much the last of them need in one line.
const WORDS: f32 = 520.0;
const CHOICES: f32 = 545.0;

impl Default for Replay {
    fn default() -> Self {
        Self {
            is_open: false,
            compares: false,
            shows_present: false,
            speed: 100,
            next: None,
        }
    }
}

impl Replay {
    /// Whether it goes on by itself.
    pub(super) fn is_running(&self) -> bool {
        self.next.is_some()
    }

    /// Runs from now on, or stops. Returns the position to go to, if it begins again at the beginning.
    fn run(&mut self, runs: bool, now: f64, first: usize, at: usize, length: usize) -> Option<usize> {
        self.next = runs.then(|| now + self.pause());
        if runs {
            self.is_open = true;
            self.shows_present = false;
        }
        (runs && at >= length && first < length).then_some(first)
    }

    fn pause(&self) -> f64 {
        PAUSE * 100.0 / f64::from(self.speed.max(1))
    }

    /// The position to go to, if it is time. `steps` are the positions after each action that can be seen, rising.
    fn due(&mut self, now: f64, at: usize, steps: &[usize]) -> Option<usize> {
        let next = self.next.filter(|next| *next <= now)?;
        let position = steps.iter().copied().find(|position| *position > at);
        let is_last = position.is_none() || position == steps.last().copied();
        self.next = (!is_last).then(|| f64::max(next + self.pause(), now));
        position
    }

    /// Back to the present: nothing is compared or running any more.
    pub(super) fn close(&mut self) {
        let speed = self.speed;
        *self = Self { speed, ..Self::default() };
    }

    pub(super) fn is_shown(&self, controller: &MatchController) -> bool {
        self.is_open || controller.mirror().at() < controller.mirror().length()
    }

    /// Runs from now on, or pauses. From the end it begins again at the beginning.
    pub(super) fn set_running(&mut self, runs: bool, controller: &mut MatchController, now: f64) {
        let (first, at, length) = (controller.first(), controller.mirror().at(), controller.mirror().length());
        if let Some(position) = self.run(runs, now, first, at, length) {
            controller.handle(go_to(position));
        }
    }

    pub(super) fn set_comparing(&mut self, compares: bool, controller: &mut MatchController) {
        (self.compares, self.shows_present) = (compares, false);
        controller.set_comparing(compares);
    }

    /// Goes on, if it is time.
    pub(super) fn tick(&mut self, ui: &Ui, controller: &mut MatchController, now: f64) {
        let at = controller.mirror().at();
        let (first, history) = (controller.first(), controller.mirror().history());
        let seen = history
            .iter()
            .filter(|entry| entry.cause != EntryCause::Host && entry.event >= first);
        let mut steps: Vec<usize> = seen.map(|entry| entry.event + 1).collect();
        // What the rules did by themselves at the end belongs to the last action.
        if let Some(last) = steps.last_mut() {
            *last = history.len();
        }
        if !controller.display().travels.is_under_way(now)
            && let Some(position) = self.due(now, at, &steps)
        {
            controller.handle(go_to(position));
        }
        if let Some(next) = self.next {
            ui.ctx().request_repaint_after_secs((next - now).max(0.0) as f32);
        }
        self.shows_present &= controller.can_compare();
    }

    pub(super) fn keys(&mut self, ui: &Ui, controller: &MatchController, commands: &mut Vec<UiCommand>) {
        let nothing_has_focus = ui.memory(|memory| memory.focused().is_none());
        if self.is_shown(controller) && nothing_has_focus && keys::pressed(ui, Act::Run) {
            commands.push(UiCommand::RunReplay(!self.is_running()));
        }
        if controller.can_compare() && keys::pressed(ui, Act::Compare) {
            if self.compares {
                self.shows_present = !self.shows_present;
            } else {
                commands.push(UiCommand::Compare(true));
            }
        }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, controller: &MatchController, commands: &mut Vec<UiCommand>) {
        if ui.available_width() >= ONE_LINE {
            ui.horizontal(|ui| {
                transport_ui(ui, self, controller, CHOICES, commands);
                ui.add_space(space::M);
                more_ui(ui, self, controller, commands);
            });
        } else {
            ui.horizontal_wrapped(|ui| transport_ui(ui, self, controller, 40.0, commands));
            ui.horizontal_wrapped(|ui| more_ui(ui, self, controller, commands));
        }
    }
}

/// Goes to a position of the history.
pub(super) fn go_to(position: usize) -> MatchCommand {
    MatchCommand::Send(Command::GoTo { position })
}

const HISTORY_KEYS: [Act; 4] = [Act::Beginning, Act::Newest, Act::StepBack, Act::StepForward];
const REPLAY_KEYS: [Act; 2] = [Act::ReplayBack, Act::ReplayForward];

/// The keys that go through the history, each from where the one before leads, whether the host has answered that one or not. The arrows do so
/// only from a past position, and while nothing has the focus.
pub(super) fn history_keys(ui: &Ui, controller: &MatchController, commands: &mut Vec<UiCommand>) {
    let (first, destination, length) = (controller.first(), controller.destination(), controller.mirror().length());
    let counts_arrows = destination < length && ui.memory(|memory| memory.focused().is_none());
    let acts = HISTORY_KEYS.into_iter().chain(REPLAY_KEYS.into_iter().filter(|_| counts_arrows));
    let pressed = keys::take_all(ui, &acts.collect::<Vec<_>>());
    let position = pressed.iter().fold(destination, |position, event| {
        let is = |acts| keys::is_one_of(event, acts);
        if is(&[Act::Beginning]) {
            first
        } else if is(&[Act::Newest]) {
            length
        } else if is(&[Act::StepBack, Act::ReplayBack]) {
            position.saturating_sub(1).max(first)
        } else {
            (position + 1).min(length)
        }
    });
    if position != destination {
        commands.push(go_to(position).into());
    }
}

/// To and fro. `rest` is how much room is kept free behind the slider.
fn transport_ui(ui: &mut Ui, replay: &Replay, controller: &MatchController, rest: f32, commands: &mut Vec<UiCommand>) {
    let (first, at, length) = (controller.first(), controller.mirror().at(), controller.mirror().length());
    let spacing = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, 2.0);
    let mut go = |ui: &mut Ui, icon, label: String, act, enabled, position| {
        let button = IconButton::icon(icon, label).hint(key_of(act)).height(30.0);
        if ui.add_enabled(enabled, button).clicked() {
            commands.push(go_to(position).into());
        }
    };
    let destination = controller.destination();
    let (back, forth) = (destination.saturating_sub(1).max(first), (destination + 1).min(length));
    go(ui, Icon::First, text!("replay-beginning"), Act::Beginning, at > first, first);
    go(ui, Icon::Previous, text!("replay-back"), Act::StepBack, at > first, back);
    let (icon, label) = if replay.is_running() {
        (Icon::Pause, text!("replay-pause"))
    } else {
        (Icon::Play, text!("replay-run"))
    };
    let run = IconButton::icon(icon, label).hint(key_of(Act::Run)).kind(ButtonKind::Primary);
    let is_pressed = ui.add(run.height(30.0)).clicked();
    go(ui, Icon::Next, text!("replay-forward"), Act::StepForward, at < length, forth);
    go(ui, Icon::Last, text!("replay-newest"), Act::Newest, at < length, length);
    if is_pressed {
        commands.push(UiCommand::RunReplay(!replay.is_running()));
    }
    ui.spacing_mut().item_spacing.x = spacing;
    if ui.max_rect().width() < BESIDE {
        ui.end_row();
    }
    let (mut position, last) = (at.saturating_sub(first), length.saturating_sub(first));
    ui.spacing_mut().slider_width = (ui.available_width() - rest - 60.0).max(60.0);
    let slider = Slider::new(&mut position, 0..=last.max(1)).step_by(1.0).show_value(false);
    let moved = ui.add_enabled(last > 0, slider);
    let is_moved = moved.changed();
    moved.accessible_name(text!("replay-position"));
    if is_moved && position + first != at {
        commands.push(go_to(position + first).into());
    }
    ui.label(remark(text!("replay-count", at = at.saturating_sub(first), of = last)));
}

fn more_ui(ui: &mut Ui, replay: &mut Replay, controller: &MatchController, commands: &mut Vec<UiCommand>) {
    let is_back = controller.mirror().at() < controller.mirror().length();
    let can_compare = controller.can_compare();
    let is_narrow = ui.available_width() < WORDS;
    let button = |icon, label: String| {
        if is_narrow {
            IconButton::icon(icon, label).kind(ButtonKind::Plain)
        } else {
            IconButton::with_text(icon, label)
        }
    };
    let chosen = text!("replay-times", speed = times(replay.speed));
    let combo = ComboBox::from_id_salt("replay speed")
        .selected_text(chosen)
        .width(58.0)
        .show_ui(ui, |ui| {
            for speed in SPEEDS {
                ui.selectable_value(&mut replay.speed, speed, text!("replay-times", speed = times(speed)));
            }
        });
    combo.response.accessible_name(text!("replay-speed"));
    let compare = button(Icon::Compare, text!("replay-compare"))
        .selected(replay.compares)
        .hint(text!("replay-compare-line"))
        .height(30.0);
    if ui.add_enabled(can_compare, compare).clicked() {
        commands.push(UiCommand::Compare(!replay.compares));
    }
    if replay.compares && can_compare {
        let label = if replay.shows_present {
            text!("replay-show-then")
        } else {
            text!("replay-show-now")
        };
        let flip = button(Icon::Swap, label).hint(key_of(Act::Compare)).height(30.0);
        if ui.add(flip).clicked() {
            replay.shows_present = !replay.shows_present;
        }
    }
    if controller.mirror().undoes_freely() {
        let go_on = IconButton::with_text(Icon::Branch, text!("replay-go-on")).hint(text!("replay-go-on-line"));
        if ui.add_enabled(is_back, go_on.height(30.0)).clicked() {
            commands.push(UiCommand::PlayFromHere);
        }
    }
    let close = IconButton::icon(Icon::Close, text!("replay-close")).height(30.0);
    button_ui(ui, close, UiCommand::CloseReplay, commands);
}

/// A speed as people write it: ½, 2.
fn times(speed: u16) -> String {
    match speed {
        50 => "½".to_owned(),
        speed => (f64::from(speed) / 100.0).to_string(),
    }
}

/// What stands over the board while the present is shown in place of what is looked back at.
pub(super) fn present_sign_ui(ui: &Ui, within: Rect) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(within);
    let galley = lay_out(ui, &text!("replay-is-now"), FontId::new(size::BODY, bold()));
    let rect = Rect::from_center_size(within.center_top() + vec2(0.0, 24.0), galley.size() + vec2(24.0, 10.0));
    painter.rect_filled(rect, 255, palette.warning);
    painter.galley(rect.center() - galley.size() / 2.0, galley, palette.surface);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_from_action_to_action_and_stops_at_the_newest() {
        let mut replay = Replay::default();
        assert_eq!(replay.run(true, 10.0, 1, 5, 5), Some(1), "at the end it begins again");
        let steps = [2, 3, 5];
        assert_eq!(replay.due(10.5, 1, &steps), None);
        assert_eq!(replay.due(11.3, 1, &steps), Some(2));
        assert_eq!(replay.due(11.4, 2, &steps), None, "each action is looked at for a while");
        assert_eq!(replay.due(12.5, 2, &steps), Some(3));
        assert_eq!(replay.due(14.0, 3, &steps), Some(5));
        assert!(!replay.is_running());
    }

    #[test]
    fn twice_the_speed_is_half_the_wait() {
        let mut replay = Replay {
            speed: 200,
            ..Replay::default()
        };
        assert_eq!(replay.run(true, 0.0, 0, 0, 9), None);
        assert!((replay.next.unwrap() - 0.6).abs() < 1e-9);
        assert_eq!(replay.due(0.7, 0, &[1, 2]), Some(1));
    }
}
