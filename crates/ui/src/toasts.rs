//! Short messages that come up beside the board, one at a time, and go by themselves.

use egui::{Align, Align2, Area, Color32, Id, Layout, Order, Rect, Role, Ui, WidgetInfo, vec2};

use super::command::{AppCommand, MatchCommand, UiCommand};
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, card, size, space, veil, with_code};
use boardwright_protocol::Command;

/// How long a message stays, in seconds.
const STAY: f64 = 6.0;
/// The most messages that wait to be shown.
const MOST: usize = 4;
/// How wide a message over the board may be, in points.
const WIDEST: f32 = 420.0;
/// The room of the icon at its left and the button at its right, in points.
const BESIDE: f32 = 64.0;

/// The more urgent ones come later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Note,
    Good,
    Undoable,
    Refusal,
    Error,
}

#[derive(Clone, Debug)]
struct Toast {
    sort: Sort,
    text: String,
    /// The number of the rule; empty if there is none.
    rule: String,
    /// Until when it is shown, once it is.
    until: Option<f64>,
}

/// The messages: the most urgent is shown, of several the newest; the others wait.
#[derive(Clone, Debug, Default)]
pub(crate) struct Toasts {
    waiting: Vec<Toast>,
}

impl Toasts {
    pub(crate) fn note(&mut self, text: impl Into<String>, now: f64) {
        self.add(Sort::Note, text, "", now);
    }

    pub(crate) fn good(&mut self, text: impl Into<String>, now: f64) {
        self.add(Sort::Good, text, "", now);
    }

    /// Something was done that can be undone from the message.
    pub(crate) fn undoable(&mut self, text: impl Into<String>, now: f64) {
        self.add(Sort::Undoable, text, "", now);
    }

    /// The rules say no: the reason and the number of the rule. It takes the place of an earlier refusal.
    pub(crate) fn refusal(&mut self, reason: impl Into<String>, rule: &str, now: f64) {
        self.waiting.retain(|toast| toast.sort != Sort::Refusal);
        self.add(Sort::Refusal, reason, rule, now);
    }

    pub(crate) fn error(&mut self, text: impl Into<String>, now: f64) {
        self.add(Sort::Error, text, "", now);
    }

    /// Takes a message away that is no longer true.
    pub(crate) fn withdraw(&mut self, text: &str) {
        self.waiting.retain(|toast| toast.text != text);
    }

    /// Takes away what was refused: something else was done since.
    pub(crate) fn withdraw_refusal(&mut self) {
        self.waiting.retain(|toast| toast.sort != Sort::Refusal);
    }

    fn add(&mut self, sort: Sort, text: impl Into<String>, rule: &str, now: f64) {
        let text = text.into();
        self.withdraw(&text);
        self.drop_expired(now);
        self.waiting.push(Toast {
            sort,
            text,
            rule: rule.to_owned(),
            until: None,
        });
        let surplus = self.waiting.len().saturating_sub(MOST);
        self.waiting.drain(..surplus);
    }

    fn drop_expired(&mut self, now: f64) {
        self.waiting.retain(|toast| toast.until.is_none_or(|until| until > now));
    }

    /// The message to be shown now, whose time begins when it is shown first.
    fn current(&mut self, now: f64) -> Option<&Toast> {
        self.drop_expired(now);
        let toast = self.waiting.iter_mut().max_by_key(|toast| toast.sort)?;
        toast.until.get_or_insert(now + STAY);
        Some(toast)
    }

    /// Whether there is a message.
    pub(crate) fn is_shown(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Shows the message in all the width there is.
    pub(crate) fn ui(&mut self, ui: &mut Ui, commands: &mut Vec<UiCommand>) {
        let now = ui.input(|input| input.time);
        let Some(toast) = self.current(now) else { return };
        if let Some(until) = toast.until {
            ui.ctx().request_repaint_after_secs((until - now) as f32);
        }
        let palette = Palette::of(ui.visuals());
        let (icon, colour) = toast.sort.sign(palette);
        let frame = card(palette.surface, veil(colour, 0.7), 10, (10, 6));
        let closes = frame.show(ui, |ui| toast_ui(ui, toast, icon, colour, commands)).inner;
        if closes {
            let text = toast.text.clone();
            self.withdraw(&text);
        }
    }

    /// Shows the message at the foot of a rectangle, where there is no room beside it.
    pub(crate) fn over_ui(&mut self, ui: &Ui, within: Rect, commands: &mut Vec<UiCommand>) {
        if self.is_shown() {
            Area::new(Id::unique("toast"))
                .order(Order::Foreground)
                .pivot(Align2::CENTER_BOTTOM)
                .fixed_pos(within.center_bottom() - vec2(0.0, space::S))
                .show(ui.ctx(), |ui| {
                    ui.set_width((within.width() - 2.0 * space::L).clamp(160.0, WIDEST));
                    self.ui(ui, commands);
                });
        }
    }
}

/// One message with its sign. Whether it is to be closed.
fn toast_ui(ui: &mut Ui, toast: &Toast, icon: Icon, colour: Color32, commands: &mut Vec<UiCommand>) -> bool {
    let palette = Palette::of(ui.visuals());
    let mut job = with_code(&toast.text, size::BODY, palette.text);
    job.wrap.max_width = (ui.available_width() - BESIDE).max(80.0);
    let galley = ui.painter().layout_job(job);
    ui.set_width(ui.available_width());
    ui.spacing_mut().item_spacing.x = space::XS;
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(18.0, 24.0), egui::Sense::hover());
        icon.paint(ui.painter(), Rect::from_center_size(rect.center(), vec2(18.0, 18.0)), colour);
        ui.vertical(|ui| {
            let (rect, response) = ui.allocate_exact_size(galley.size().max(vec2(0.0, 24.0)), egui::Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, &toast.text));
            let corner = rect.left_center() - vec2(0.0, galley.size().y / 2.0);
            ui.painter().galley(corner, galley, palette.text);
            if !toast.rule.is_empty() {
                let link = IconButton::with_text(Icon::Book, text!("rule-link", rule = &*toast.rule)).kind(ButtonKind::Quiet);
                if ui.add(link.hint(text!("rule-link-line")).height(24.0)).clicked() {
                    commands.push(AppCommand::ShowRule(toast.rule.clone()).into());
                }
            }
        });
        let close = IconButton::icon(Icon::Close, text!("toast-dismiss")).height(24.0);
        let undo = IconButton::with_text(Icon::Undo, text!("match-undo")).height(24.0);
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let closes = ui.add(close).clicked();
            let undoes = toast.sort == Sort::Undoable && ui.add(undo).clicked();
            if undoes {
                commands.push(MatchCommand::Send(Command::Undo).into());
            }
            closes || undoes
        })
        .inner
    })
    .inner
}

impl Sort {
    fn sign(self, palette: &Palette) -> (Icon, Color32) {
        match self {
            Self::Note | Self::Undoable => (Icon::Note, palette.muted),
            Self::Good => (Icon::Check, palette.good),
            Self::Refusal => (Icon::Warning, palette.warning),
            Self::Error => (Icon::Error, palette.danger),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(toasts: &mut Toasts, now: f64) -> Option<String> {
        toasts.current(now).map(|toast| toast.text.clone())
    }

    #[test]
    fn a_refusal_takes_the_place_of_the_one_before() {
        let mut toasts = Toasts::default();
        toasts.refusal("not there", "2.1", 0.0);
        toasts.refusal("nor there", "2.2", 0.1);
        assert_eq!(shown(&mut toasts, 0.2).as_deref(), Some("nor there"));
        assert_eq!(toasts.waiting.len(), 1);
    }

    #[test]
    fn what_is_less_urgent_waits_and_is_shown_as_long() {
        let mut toasts = Toasts::default();
        toasts.error("the rules are broken", 0.0);
        assert_eq!(shown(&mut toasts, 0.0).as_deref(), Some("the rules are broken"));
        toasts.note("saved", 1.0);
        assert_eq!(shown(&mut toasts, 2.0).as_deref(), Some("the rules are broken"));
        assert_eq!(shown(&mut toasts, STAY + 0.1).as_deref(), Some("saved"));
        assert_eq!(shown(&mut toasts, 2.0 * STAY).as_deref(), Some("saved"));
        assert_eq!(shown(&mut toasts, 2.0 * STAY + 0.2), None);
    }
}
