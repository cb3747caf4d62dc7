//! Short messages that come up over the board and go by themselves.

use egui::{Align2, Area, Color32, Id, Order, Rect, Role, Ui, WidgetInfo, vec2};

use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, card, size, space, veil, with_code};

/// How long a message stays, in seconds.
const STAY: f64 = 6.0;
/// The most messages shown at once.
const MOST: usize = 4;
/// How wide the text of a message may be, in points.
const WIDEST: f32 = 460.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Note,
    Good,
    Refusal,
    Error,
}

#[derive(Clone, Debug)]
struct Toast {
    sort: Sort,
    text: String,
    /// The number of the rule; empty if there is none.
    rule: String,
    until: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Toasts {
    shown: Vec<Toast>,
}

impl Toasts {
    pub(crate) fn note(&mut self, text: impl Into<String>, now: f64) {
        self.add(Sort::Note, text, "", now);
    }

    pub(crate) fn good(&mut self, text: impl Into<String>, now: f64) {
        self.add(Sort::Good, text, "", now);
    }

    /// The rules say no: the reason and the number of the rule.
    pub(crate) fn refusal(&mut self, reason: impl Into<String>, rule: &str, now: f64) {
        self.add(Sort::Refusal, reason, rule, now);
    }

    pub(crate) fn error(&mut self, text: impl Into<String>, now: f64) {
        self.add(Sort::Error, text, "", now);
    }

    /// Takes a message away that is no longer true.
    pub(crate) fn withdraw(&mut self, text: &str) {
        self.shown.retain(|toast| toast.text != text);
    }

    fn add(&mut self, sort: Sort, text: impl Into<String>, rule: &str, now: f64) {
        let text = text.into();
        self.withdraw(&text);
        self.shown.push(Toast {
            sort,
            text,
            rule: rule.to_owned(),
            until: now + STAY,
        });
        let surplus = self.shown.len().saturating_sub(MOST);
        self.shown.drain(..surplus);
    }

    /// Shows the messages at the foot of a rectangle. Returns the number of a rule that the player wants to read.
    pub(crate) fn ui(&mut self, ui: &Ui, within: Rect) -> Option<String> {
        let now = ui.input(|input| input.time);
        self.shown.retain(|toast| toast.until > now);
        let next = self.shown.iter().map(|toast| toast.until).min_by(f64::total_cmp)?;
        ui.ctx().request_repaint_after_secs((next - now) as f32);
        let palette = Palette::of(ui.visuals());
        let (mut closed, mut rule) = (None, None);
        Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .pivot(Align2::CENTER_BOTTOM)
            .fixed_pos(within.center_bottom() - vec2(0.0, space::L))
            .show(ui.ctx(), |ui| {
                for (index, toast) in self.shown.iter().enumerate() {
                    let (icon, colour) = toast.sort.sign(palette);
                    let frame = card(palette.surface, veil(colour, 0.7), 10, (12, 6)).shadow(ui.visuals().popup_shadow);
                    let (closes, reads_rule) = frame.show(ui, |ui| toast_ui(ui, toast, icon, colour)).inner;
                    closed = closes.then_some(index).or(closed);
                    rule = reads_rule.then(|| toast.rule.clone()).or(rule.take());
                }
            });
        if let Some(index) = closed {
            self.shown.remove(index);
        }
        rule
    }
}

/// One message with its sign. The text is laid out first, for an area does not know yet how wide
/// it will be when it is shown for the first time. Returns whether it is to be closed, and whether its rule is to be read.
fn toast_ui(ui: &mut Ui, toast: &Toast, icon: Icon, colour: Color32) -> (bool, bool) {
    let palette = Palette::of(ui.visuals());
    let mut job = with_code(&toast.text, size::BODY, palette.text);
    job.wrap.max_width = WIDEST;
    let galley = ui.painter().layout_job(job);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(18.0, 24.0), egui::Sense::hover());
        icon.paint(ui.painter(), Rect::from_center_size(rect.center(), vec2(18.0, 18.0)), colour);
        let (rect, said) = ui.allocate_exact_size(galley.size(), egui::Sense::hover());
        said.widget_info(|| WidgetInfo::labeled(Role::Alert, true, &toast.text));
        ui.painter().galley(rect.min, galley, palette.text);
        let link = IconButton::with_text(Icon::Book, text!("rule-link", rule = &*toast.rule)).kind(ButtonKind::Quiet);
        let reads_rule = !toast.rule.is_empty() && ui.add(link.hint(text!("rule-link-line")).height(24.0)).clicked();
        let close = IconButton::icon(Icon::Close, text!("toast-dismiss")).height(24.0);
        (ui.add(close).clicked(), reads_rule)
    })
    .inner
}

impl Sort {
    fn sign(self, palette: &Palette) -> (Icon, Color32) {
        match self {
            Self::Note => (Icon::Note, palette.muted),
            Self::Good => (Icon::Check, palette.good),
            Self::Refusal => (Icon::Warning, palette.warning),
            Self::Error => (Icon::Error, palette.danger),
        }
    }
}
