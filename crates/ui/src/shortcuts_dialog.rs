//! The list of keyboard shortcuts, drawn from the table that handles them.

use egui::{Align, FontId, Layout, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::keys::{BINDINGS, Binding, Place};
use super::texts::text;
use super::theme::{Palette, lay_out, size, space, title, titled_dialog_ui};

/// How wide a column of the map is, in points.
const COLUMN: f32 = 318.0;

/// The map of the keys, while it is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShortcutsDialog {
    pub(super) is_shown: bool,
}

impl ShortcutsDialog {
    pub(super) fn ui(&mut self, ui: &Ui) {
        if !self.is_shown {
            return;
        }
        let window = ui.ctx().content_rect();
        let columns = if window.width() > 2.0 * COLUMN + 120.0 { 2 } else { 1 };
        let width = COLUMN * columns as f32 + space::XL * (columns - 1) as f32;
        self.is_shown = titled_dialog_ui(ui, "keymap", text!("keys-title"), width, |ui| {
            let height = window.height() - 130.0;
            ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, |ui| {
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = space::XL;
                        for places in columns_of(columns) {
                            ui.allocate_ui_with_layout(vec2(COLUMN, 0.0), Layout::top_down(Align::Min), |ui| {
                                ui.set_width(COLUMN);
                                for place in places {
                                    place_ui(ui, place);
                                }
                            });
                        }
                    });
                });
        });
    }
}

fn lines(place: Place) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |binding| binding.place == place)
}

fn columns_of(columns: usize) -> Vec<Vec<Place>> {
    let height = |place: Place| lines(place).count() + 2;
    let whole: usize = Place::ALL.iter().copied().map(height).sum();
    let mut made: Vec<Vec<Place>> = vec![Vec::new()];
    let mut filled = 0;
    for place in Place::ALL.iter().copied() {
        let is_over = filled + height(place) / 2 > whole / columns;
        if is_over && made.len() < columns {
            made.push(Vec::new());
            filled = 0;
        }
        filled += height(place);
        if let Some(column) = made.last_mut() {
            column.push(place);
        }
    }
    made
}

fn place_ui(ui: &mut Ui, place: Place) {
    ui.spacing_mut().item_spacing = vec2(space::XS, 3.0);
    ui.label(title(place.title(), size::SMALL).weak());
    for binding in lines(place) {
        line_ui(ui, binding);
    }
    ui.add_space(space::M);
}

/// What is done on the left, the keys for it on the right; read out as one.
fn line_ui(ui: &mut Ui, binding: &Binding) {
    let palette = Palette::of(ui.visuals());
    let label = (binding.label)();
    let keys: Vec<String> = binding.shortcuts.iter().map(|key| key.label()).collect();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{label}: {}", keys.join(", "))));
    let painter = ui.painter();
    let galley = lay_out(ui, &label, FontId::proportional(size::BODY));
    painter.galley(pos2(rect.left(), rect.center().y - galley.size().y / 2.0), galley, palette.text);
    let mut right = rect.right();
    for key in keys.iter().rev() {
        let galley = lay_out(ui, key, FontId::proportional(size::SMALL));
        let width = (galley.size().x + 14.0).max(24.0);
        let cap = Rect::from_x_y_ranges(right - width..=right, rect.y_range().shrink(2.0));
        painter.rect_filled(cap.translate(vec2(0.0, 1.0)), 5, palette.line);
        painter.rect(cap, 5, palette.raised, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        painter.galley(cap.center() - galley.size() / 2.0, galley, palette.text);
        right -= width + space::XS;
    }
}
