//! A saved match as a row of a list.

use std::time::SystemTime;

use egui::{Color32, CornerRadius, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::when::ago;
use boardwright_client::content::SaveCard;
use crate::players::Choice;
use crate::texts::{heard, text};
use crate::theme::{Icon, Palette, bold, mix, size, space, veil};

/// What a save is, in two lines.
pub(in crate) struct SaveLines {
    /// What is played.
    pub(in crate) title: String,
    /// Who plays, how far it came, when it was saved; or why it cannot be opened.
    pub(in crate) line: String,
}

impl SaveLines {
    /// The lines of a save as seen now.
    pub(in crate) fn of(save: &SaveCard, now: SystemTime) -> Self {
        let saved = save.saved.map(|saved| ago(saved, now));
        match &save.content {
            Ok(content) => {
                let players = content.players.iter().map(|(seat, player)| {
                    let player = Choice::read(player).title();
                    text!("save-player", seat = capital(seat), player = player)
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
                Self {
                    title,
                    line: parts.join(" · "),
                }
            }
            Err(problem) => Self {
                title: save.name(),
                line: text!("save-broken", reason = heard(&problem.message)),
            },
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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
        let label = format!("{}, {}, {}", lines.title, lines.line, save.name());
        WidgetInfo::selected(Role::ListItem, true, is_chosen, label)
    });
    if ui.is_rect_visible(rect) {
        let over = ui.ctx().animate_bool(response.id, response.hovered());
        let fill = if is_chosen {
            veil(palette.accent, 0.2)
        } else {
            mix(Color32::TRANSPARENT, palette.raised, over)
        };
        painter.rect_filled(rect, CornerRadius::same(8), fill);
        if response.has_focus() {
            painter.rect_stroke(rect, CornerRadius::same(8), Stroke::new(1.5, palette.accent), StrokeKind::Inside);
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
