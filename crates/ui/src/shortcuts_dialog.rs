//! The list of keyboard shortcuts, drawn from the table that handles them, in which they are changed.

use egui::{Align, FontId, Label, Layout, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::keys::{self, BINDINGS, Binding, KeyContext, KeyMap, Shortcut, key_map, set_key_map};
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, from_right_ui, lay_out, size, space, strong, title, titled_dialog_ui};

/// How wide a column of the map is, in points.
const COLUMN: f32 = 318.0;
/// The height of a line, in points.
const LINE: f32 = 26.0;
/// The room for a reset at the end of a line, in points.
const RESET: f32 = 24.0;

/// A key of the list that is being changed.
#[derive(Clone, Copy)]
struct Change {
    binding: &'static Binding,
    /// Which of its keys.
    index: usize,
    /// What was pressed, if something else has it already.
    contested: Option<Shortcut>,
}

/// The list of the keys, while it is shown.
#[derive(Default)]
pub(super) struct ShortcutsDialog {
    pub(super) is_shown: bool,
    change: Option<Change>,
}

impl ShortcutsDialog {
    /// Takes the key that is pressed for the change, before anything else sees it.
    pub(super) fn capture(&mut self, ui: &Ui) {
        let Some(change) = self.change.filter(|change| change.contested.is_none()) else {
            return;
        };
        match keys::take_any(ui) {
            None => {}
            Some(Err(())) => self.change = None,
            Some(Ok(shortcut)) => {
                let is_contested = change.binding.rivals(shortcut).next().is_some();
                self.change = is_contested.then_some(Change {
                    contested: Some(shortcut),
                    ..change
                });
                if !is_contested {
                    change.binding.bind(change.index, shortcut);
                }
            }
        }
    }

    pub(super) fn ui(&mut self, ui: &Ui) {
        if !self.is_shown {
            self.change = None;
            return;
        }
        let window = ui.ctx().content_rect();
        let columns = if window.width() > 2.0 * COLUMN + 120.0 { 2 } else { 1 };
        let width = COLUMN * columns as f32 + space::XL * (columns - 1) as f32;
        self.is_shown = titled_dialog_ui(ui, "keymap", text!("keys-title"), width, |ui| {
            self.head_ui(ui);
            let height = window.height() - 190.0;
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
                                    self.place_ui(ui, place);
                                }
                            });
                        }
                    });
                });
        });
    }

    /// What is to be done now: how keys are changed, which key is awaited, or what has it already.
    fn head_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.set_min_height(34.0);
            let Some(change) = self.change else {
                ui.weak(text!("keys-change"));
                let all = IconButton::text(text!("keys-reset-all")).kind(ButtonKind::Quiet);
                let is_changed = key_map() != KeyMap::default();
                if from_right_ui(ui, |ui| ui.add_enabled(is_changed, all)).clicked() {
                    set_key_map(KeyMap::default());
                }
                return;
            };
            let about = (change.binding.label)();
            from_right_ui(ui, |ui| {
                if ui.add(IconButton::text(text!("dialog-cancel"))).clicked() {
                    self.change = None;
                }
                let contested = change.contested;
                let replace = IconButton::text(text!("keys-replace")).kind(ButtonKind::Primary);
                if let Some(shortcut) = contested
                    && ui.add(replace).clicked()
                {
                    change.binding.bind(change.index, shortcut);
                    self.change = None;
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let text = contested.map_or_else(
                        || text!("keys-press", about = &*about),
                        |shortcut| {
                            let rivals = change.binding.rivals(shortcut).map(|rival| (rival.label)());
                            text!("keys-taken", key = shortcut.label(), others = rivals.collect::<Vec<_>>().join(", "))
                        },
                    );
                    ui.add(Label::new(strong(text)).wrap());
                });
            });
        });
        ui.add_space(space::XS);
    }

    fn place_ui(&mut self, ui: &mut Ui, place: KeyContext) {
        ui.spacing_mut().item_spacing = vec2(space::XS, 3.0);
        ui.label(title(place.title(), size::SMALL).weak());
        for binding in lines(place) {
            self.line_ui(ui, binding);
        }
        ui.add_space(space::M);
    }

    /// What is done on the left, the keys for it on the right: a click on one changes it.
    fn line_ui(&mut self, ui: &mut Ui, binding: &'static Binding) {
        let palette = Palette::of(ui.visuals());
        let label = (binding.label)();
        let shortcuts = binding.shortcuts();
        let keys: Vec<String> = shortcuts.iter().map(|key| key.label()).collect();
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{label}: {}", keys.join(", "))));
        let galley = lay_out(ui, &label, FontId::proportional(size::BODY));
        let left = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(left, galley, palette.text);
        if binding.is_changed() {
            let place = Rect::from_min_max(pos2(rect.right() - RESET, rect.top()), rect.max);
            let reset = IconButton::icon(Icon::Undo, text!("keys-reset", about = &*label)).height(LINE);
            if ui.put(place, reset).clicked() {
                binding.reset();
            }
        }
        let mut right = rect.right() - RESET;
        // What has lost its only key can get one.
        let caps: Vec<String> = if keys.is_empty() { vec![text!("keys-none")] } else { keys };
        for (index, key) in caps.iter().enumerate().rev() {
            let is_awaited = self
                .change
                .is_some_and(|change| change.binding.act == binding.act && change.index == index);
            let shown = if is_awaited { "…" } else { key.as_str() };
            let galley = lay_out(ui, shown, FontId::proportional(size::SMALL));
            let width = (galley.size().x + 14.0).max(24.0);
            let cap = Rect::from_x_y_ranges(right - width..=right, rect.y_range().shrink(2.0));
            let button = ui.interact(cap, ui.scope_id().with(("key", binding.act, index)), Sense::click());
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, text!("keys-change-one", key = &**key, about = &*label)));
            let is_lit = is_awaited || button.hovered() || button.has_focus();
            let edge = if is_lit { palette.accent } else { palette.line };
            let painter = ui.painter();
            painter.rect_filled(cap.translate(vec2(0.0, 1.0)), 5, palette.line);
            painter.rect(cap, 5, palette.raised, Stroke::new(1.0, edge), StrokeKind::Inside);
            painter.galley(cap.center() - galley.size() / 2.0, galley, palette.text);
            if button.clicked() {
                button.surrender_focus();
                self.change = Some(Change {
                    binding,
                    index,
                    contested: None,
                });
            }
            right -= width + space::XS;
        }
    }
}

fn lines(place: KeyContext) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |binding| binding.place == place)
}

fn columns_of(columns: usize) -> Vec<Vec<KeyContext>> {
    let height = |place: KeyContext| lines(place).count() + 2;
    let whole: usize = KeyContext::ALL.iter().copied().map(height).sum();
    let mut made: Vec<Vec<KeyContext>> = vec![Vec::new()];
    let mut filled = 0;
    for place in KeyContext::ALL.iter().copied() {
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
