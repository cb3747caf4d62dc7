//! A saved match as a row of a list.

use std::time::{Duration, SystemTime};

use egui::{Color32, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::players::Choice;
use crate::texts::{capitalized, localized, text};
use crate::theme::{Icon, Palette, bold, mix, size, space, veil};
use boardwright_client::content::SaveCard;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

pub(crate) struct SaveLines {
    pub(crate) title: String,
    /// Who plays, how far it came, when it was saved; or why it cannot be opened.
    pub(crate) line: String,
}

impl SaveLines {
    /// The lines of a save as seen now.
    pub(crate) fn of(save: &SaveCard, now: SystemTime) -> Self {
        let saved = save.saved.map(|saved| ago(saved, now));
        match &save.content {
            Ok(content) => {
                let players = content.players.iter().map(|(seat, player)| {
                    let player = Choice::read(player).title();
                    text!("save-player", seat = capitalized(seat), player = player)
                });
                let actions = if content.is_finished {
                    text!("save-finished", count = content.actions)
                } else {
                    text!("save-actions", count = content.actions)
                };
                let copy = save.is_autosave.then(|| text!("save-copy"));
                let parts: Vec<String> = players.chain([actions]).chain(saved).chain(copy).collect();
                let title = if content.scenario == content.title || content.scenario.is_empty() {
                    content.title.clone()
                } else {
                    text!("save-title", ruleset = &*content.title, scenario = &*content.scenario)
                };
                let line = parts.join(" · ");
                Self { title, line }
            }
            Err(problem) => Self {
                title: save.name.clone(),
                line: text!("save-broken", reason = localized(&problem.message)),
            },
        }
    }
}

/// Shows a save; a click chooses it.
pub(super) fn row_ui(ui: &mut Ui, save: &SaveCard, is_chosen: bool, now: SystemTime) -> Response {
    let palette = Palette::of(ui.visuals());
    let lines = SaveLines::of(save, now);
    let is_broken = save.content.is_err();
    let width = ui.available_width();
    let inner = width - 56.0;
    let ink = if is_broken { palette.muted } else { palette.text };
    let below = if is_broken { palette.danger } else { palette.muted };
    let painter = ui.painter().clone();
    let one_line = |text: String, font: FontId, colour: Color32| {
        let mut job = egui::text::LayoutJob::simple_singleline(text, font, colour);
        job.wrap = egui::text::TextWrapping::truncate_at_width(inner);
        painter.layout_job(job)
    };
    let title = one_line(lines.title.clone(), FontId::new(size::BODY, bold()), ink);
    let line = one_line(lines.line.clone(), FontId::proportional(size::SMALL), below);
    let height = title.size().y + line.size().y + 2.0 + 2.0 * space::S;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response.widget_info(|| {
        let label = format!("{}, {}, {}", lines.title, lines.line, save.name);
        WidgetInfo::selected(Role::ListItem, true, is_chosen, label)
    });
    if ui.is_rect_visible(rect) {
        let over = ui.ctx().animate_bool(response.id, response.hovered());
        let fill = if is_chosen {
            veil(palette.accent, 0.2)
        } else {
            mix(Color32::TRANSPARENT, palette.raised, over)
        };
        painter.rect_filled(rect, 8, fill);
        if response.has_focus() {
            painter.rect_stroke(rect, 8, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
        }
        let (icon, colour) = match (&save.content, save.was_cut_off) {
            (Err(_), _) => (Icon::Error, palette.danger),
            (Ok(content), _) if content.is_finished => (Icon::Trophy, palette.muted),
            (Ok(_), true) => (Icon::Warning, palette.warning),
            (Ok(_), false) => (Icon::Play, palette.accent),
        };
        let sign = Rect::from_center_size(pos2(rect.left() + 22.0, rect.center().y), vec2(20.0, 20.0));
        icon.paint(&painter, sign, colour);
        let corner = rect.left_top() + vec2(44.0, space::S);
        let below_title = corner + vec2(0.0, title.size().y + 2.0);
        painter.galley(corner, title, ink);
        painter.galley(below_title, line, below);
    }
    response.on_hover_text(save.file.display().to_string())
}

/// How long before `now` something was: "3 hours ago".
fn ago(then: SystemTime, now: SystemTime) -> String {
    let seconds = now.duration_since(then).unwrap_or(Duration::ZERO).as_secs();
    if seconds < MINUTE {
        text!("ago-now")
    } else if seconds < HOUR {
        text!("ago-minutes", count = seconds / MINUTE)
    } else if seconds < DAY {
        text!("ago-hours", count = seconds / HOUR)
    } else {
        text!("ago-days", count = seconds / DAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_given_in_the_largest_unit_that_fits() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let text = |seconds| ago(now - Duration::from_secs(seconds), now);
        assert_eq!(text(59), "just now");
        assert_eq!(text(60), "1 minute ago");
        assert_eq!(text(2 * HOUR + 59), "2 hours ago");
        assert_eq!(text(DAY), "yesterday");
        assert_eq!(text(9 * DAY), "9 days ago");
        assert_eq!(ago(now + Duration::from_secs(5), now), "just now");
    }
}
