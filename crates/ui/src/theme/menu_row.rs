//! A row of a menu.

use egui::{Color32, CornerRadius, FontId, Response, Role, Sense, Ui, Widget, WidgetInfo, pos2, vec2};

use super::icons::field;
use super::{Icon, Palette, mix, size, space, veil};

/// The height of a row, in points.
const HEIGHT: f32 = 32.0;
/// The width of a row, in points, unless its words need more.
const WIDTH: f32 = 264.0;
/// The side of the icon, in points.
const ICON: f32 = 18.0;

/// A row of a menu: what it does, with an icon before it and its key behind.
#[derive(Clone, Debug)]
pub struct MenuRow {
    icon: Icon,
    label: String,
    key: String,
    selected: bool,
}

impl MenuRow {
    /// A row without a key.
    pub fn new(icon: Icon, label: impl Into<String>) -> Self {
        Self {
            icon,
            label: label.into(),
            key: String::new(),
            selected: false,
        }
    }

    /// The key that does the same.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Whether it stands for something that is on.
    #[must_use]
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }
}

impl Widget for MenuRow {
    fn ui(self, ui: &mut Ui) -> Response {
        let palette = Palette::of(ui.visuals());
        let lay = |text: &str, points: f32| {
            ui.painter()
                .layout_no_wrap(text.to_owned(), FontId::proportional(points), Color32::PLACEHOLDER)
        };
        let (label, key) = (lay(&self.label, size::BODY), lay(&self.key, size::SMALL));
        let wanted = space::S + ICON + space::S + label.size().x + space::XL + key.size().x + space::S;
        let width = wanted.max(WIDTH);
        let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click());
        let (enabled, selected) = (ui.is_enabled(), self.selected);
        response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, selected, &self.label));
        if ui.is_rect_visible(rect) {
            let over = ui
                .ctx()
                .animate_bool(response.id, enabled && (response.hovered() || response.has_focus()));
            let fill = if selected {
                veil(palette.accent, 0.25)
            } else {
                veil(mix(palette.raised, palette.accent, 0.14), over)
            };
            let ink = if enabled { palette.text } else { palette.muted };
            let painter = ui.painter();
            painter.rect_filled(rect, CornerRadius::same(8), fill);
            let middle = rect.center().y;
            let icon = field(pos2(rect.left() + space::S + ICON / 2.0, middle), ICON);
            self.icon.paint(painter, icon, ink);
            let text = pos2(rect.left() + 2.0 * space::S + ICON, middle - label.size().y / 2.0);
            painter.galley(text, label, ink);
            let end = pos2(rect.right() - space::S - key.size().x, middle - key.size().y / 2.0);
            painter.galley(end, key, palette.muted);
        }
        response
    }
}
