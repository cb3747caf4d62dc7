//! Small widgets that every screen uses.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align, Align2, Color32, FontFamily, FontId, Frame, Galley, Id, Label, Layout, Margin, Modal, ModalResponse, Rect, Response, RichText,
    Role, Sense, Shape, Stroke, StrokeKind, TextStyle, TextWrapMode, Ui, Vec2, Widget, WidgetInfo, WidgetText, pos2, vec2,
};

use super::{Icon, Palette, add_patterned_disc, bold, ink_on, mix, seat_pattern, seat_style, size, space, title, veil};
use crate::texts::text;

/// How much a button asks to be pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ButtonKind {
    /// The one to press.
    Primary,
    /// One of several.
    #[default]
    Plain,
    /// Without a frame until the pointer is over it.
    Quiet,
}

/// A button with an icon, a text or both. Without a text it still has a label for those who do not see it.
#[derive(Clone, Debug)]
pub struct IconButton {
    icon: Option<Icon>,
    label: String,
    shows_text: bool,
    kind: ButtonKind,
    hover: Option<String>,
    selected: bool,
    height: f32,
    most: f32,
}

impl IconButton {
    /// An icon alone; the label is read out and shown under the pointer.
    pub fn icon(icon: Icon, label: impl Into<String>) -> Self {
        Self {
            icon: Some(icon),
            label: label.into(),
            shows_text: false,
            kind: ButtonKind::Quiet,
            hover: None,
            selected: false,
            height: 32.0,
            most: f32::INFINITY,
        }
    }

    /// An icon and a text.
    pub fn with_text(icon: Icon, text: impl Into<String>) -> Self {
        Self {
            shows_text: true,
            kind: ButtonKind::Plain,
            ..Self::icon(icon, text)
        }
    }

    /// A text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            icon: None,
            ..Self::with_text(Icon::Play, text)
        }
    }

    /// How much it asks to be pressed.
    #[must_use]
    pub fn kind(mut self, kind: ButtonKind) -> Self {
        self.kind = kind;
        self
    }

    /// Whether it is drawn as the chosen one of several.
    #[must_use]
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }

    /// The text shown under the pointer, beside the label.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hover = Some(text.into());
        self
    }

    /// The height in points.
    #[must_use]
    pub fn height(mut self, height: f32) -> Self {
        self.height = height;
        self
    }

    /// The greatest width in points. A text that is longer is cut, and shown whole under the pointer.
    #[must_use]
    pub fn at_most(mut self, width: f32) -> Self {
        self.most = width;
        self
    }

    /// How wide it is, in points.
    pub fn width(&self, ui: &Ui) -> f32 {
        let text = self.galley(ui).map_or(0.0, |galley| galley.size().x);
        self.width_beside_text() + text
    }

    fn icon_side(&self) -> f32 {
        if self.icon.is_some() { 18.0 } else { 0.0 }
    }

    fn gap(&self) -> f32 {
        if self.icon.is_some() && self.shows_text { space::S } else { 0.0 }
    }

    fn padding(&self) -> f32 {
        if self.shows_text {
            space::M
        } else {
            (self.height - self.icon_side()) / 2.0
        }
    }

    fn width_beside_text(&self) -> f32 {
        self.icon_side() + self.gap() + 2.0 * self.padding()
    }

    fn galley(&self, ui: &Ui) -> Option<Arc<Galley>> {
        let family = if self.kind == ButtonKind::Primary {
            bold()
        } else {
            FontFamily::Proportional
        };
        self.shows_text.then(|| {
            let mut job = LayoutJob::simple_singleline(self.label.clone(), FontId::new(size::BODY, family), Color32::PLACEHOLDER);
            job.wrap = TextWrapping::truncate_at_width((self.most - self.width_beside_text()).max(0.0));
            ui.painter().layout_job(job)
        })
    }
}

impl Widget for IconButton {
    fn ui(self, ui: &mut Ui) -> Response {
        let palette = Palette::of(ui.visuals());
        let (icon_side, gap, padding) = (self.icon_side(), self.gap(), self.padding());
        let galley = self.galley(ui);
        let is_cut = galley.as_ref().is_some_and(|galley| galley.elided);
        let text_width = galley.as_ref().map_or(0.0, |galley| galley.size().x);
        let wanted = vec2(self.width_beside_text() + text_width, self.height);
        let (rect, mut response) = ui.allocate_exact_size(wanted, Sense::click());
        let enabled = ui.is_enabled();
        response.widget_info(|| {
            if self.selected {
                WidgetInfo::selected(Role::Button, enabled, true, &self.label)
            } else {
                WidgetInfo::labeled(Role::Button, enabled, &self.label)
            }
        });
        if ui.is_rect_visible(rect) {
            let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
            let pressed = response.is_pointer_button_down_on();
            let no_edge = Color32::TRANSPARENT;
            let (fill, edge) = match self.kind {
                ButtonKind::Primary if !enabled => (mix(palette.raised, palette.line, 0.4), no_edge),
                _ if self.selected => (veil(palette.accent, 0.25), palette.accent),
                ButtonKind::Primary => (mix(palette.accent, palette.text, if pressed { 0.25 } else { 0.12 * over }), no_edge),
                ButtonKind::Plain => (
                    mix(palette.raised, palette.accent, 0.14 * over),
                    mix(palette.line, palette.accent, over),
                ),
                ButtonKind::Quiet => (veil(mix(palette.raised, palette.accent, 0.14), over), no_edge),
            };
            let ink = match self.kind {
                _ if !enabled => palette.muted,
                ButtonKind::Primary => palette.on_accent,
                ButtonKind::Plain | ButtonKind::Quiet => palette.text,
            };
            let painter = ui.painter();
            painter.rect(rect, 8, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
            if response.has_focus() {
                painter.rect_stroke(rect.expand(2.0), 10, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
            }
            let mut x = rect.left() + padding;
            if let Some(icon) = self.icon {
                let middle = pos2(x + icon_side / 2.0, rect.center().y);
                icon.paint(painter, Rect::from_center_size(middle, Vec2::splat(icon_side)), ink);
                x += icon_side + gap;
            }
            if let Some(galley) = galley {
                let y = rect.center().y - galley.size().y / 2.0;
                painter.galley(pos2(x, y), galley, ink);
            }
        }
        if !self.shows_text || is_cut || self.hover.is_some() {
            let text = match self.hover {
                Some(more) if self.shows_text && !is_cut => more,
                Some(more) => format!("{} ({more})", self.label),
                None => self.label,
            };
            response = response.on_hover_text(text);
        }
        response
    }
}

/// The frame of a panel.
pub fn panel_frame(palette: &Palette) -> Frame {
    card(palette.surface, palette.line, 12, (space::L as i8, space::L as i8))
}

/// A frame with round corners. The margin is that at the sides, and above and below.
pub fn card(fill: Color32, edge: Color32, corner: u8, (x, y): (i8, i8)) -> Frame {
    let frame = Frame::NONE.fill(fill).stroke(Stroke::new(1.0, edge));
    frame.corner_radius(corner).inner_margin(Margin::symmetric(x, y))
}

/// A text laid out in one line, in whatever colour it is painted with.
pub(crate) fn lay_out(ui: &Ui, text: &str, font: FontId) -> Arc<Galley> {
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER)
}

/// How wide a text is in one line, in points.
pub(crate) fn text_width(ui: &Ui, text: RichText) -> f32 {
    let text = WidgetText::from(text);
    text.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body)
        .size()
        .x
}

/// A text of less weight than others.
pub fn remark(text: impl Into<String>) -> RichText {
    RichText::new(text).small().weak()
}

/// Shows a remark in as many lines as it takes.
pub fn remark_ui(ui: &mut Ui, text: impl Into<String>) {
    ui.add(Label::new(remark(text)).wrap());
}

/// Lays widgets out from the right to the left.
pub fn from_right_ui<T>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> T) -> T {
    ui.with_layout(Layout::right_to_left(Align::Center), add).inner
}

/// Shows a label in a field of its own, however long it is.
pub(crate) fn label_in_ui(ui: &mut Ui, size: Vec2, label: Label) -> Response {
    let field = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_width(size.x);
        ui.add(label)
    });
    field.inner
}

/// Fills the part of a rectangle that a share of it takes, from its left.
pub(crate) fn paint_share(ui: &Ui, rect: Rect, share: f32, colour: Color32, corner: u8) {
    ui.painter().rect_filled(rect, corner, Palette::of(ui.visuals()).raised);
    let filled = Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
    ui.painter().rect_filled(filled, corner, colour);
}

/// Shows a dialog in the middle of the window; `name` is what it is remembered by.
pub fn dialog_ui<T>(ui: &Ui, name: &'static str, add: impl FnOnce(&mut Ui) -> T) -> ModalResponse<T> {
    let id = Id::unique(name);
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(space::XL as i8 - 4));
    let modal = Modal::new(id).frame(frame).show(ui.ctx(), add);
    // Where its middle is, is known only when its size is.
    let known = id.with("size");
    let size = modal.response.rect.size();
    if ui.data(|data| data.get_temp::<Vec2>(known)) != Some(size) {
        ui.data_mut(|data| data.insert_temp(known, size));
        ui.ctx().request_repaint();
    }
    modal
}

/// Shows a dialog with a title and a button that closes it beside that. False when it is to be closed.
pub fn titled_dialog_ui(ui: &Ui, name: &'static str, heading: String, width: f32, add: impl FnOnce(&mut Ui)) -> bool {
    let mut closes = false;
    let modal = dialog_ui(ui, name, |ui| {
        ui.set_width(width);
        ui.horizontal(|ui| {
            ui.label(title(heading, size::TITLE));
            let close = IconButton::icon(Icon::Close, text!("dialog-close")).height(28.0);
            closes = from_right_ui(ui, |ui| ui.add(close)).clicked();
        });
        ui.add_space(space::S);
        add(ui);
    });
    !(closes || modal.should_close())
}

/// Shows an icon of a size, in points.
pub fn icon_ui(ui: &mut Ui, icon: Icon, side: f32, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    icon.paint(ui.painter(), rect, colour);
}

/// The title of a part of a panel, with an icon.
pub fn heading_ui(ui: &mut Ui, icon: Icon, text: &str) {
    ui.horizontal(|ui| {
        icon_ui(ui, icon, 18.0, Palette::of(ui.visuals()).muted);
        ui.label(title(text, size::TITLE));
    });
}

/// The same with what stands at the right end of the line.
pub fn heading_with_ui<T>(ui: &mut Ui, icon: Icon, text: &str, add_right: impl FnOnce(&mut Ui) -> T) -> T {
    let line = ui.horizontal(|ui| {
        heading_ui(ui, icon, text);
        from_right_ui(ui, add_right)
    });
    line.inner
}

/// A short text in a rounded field of a colour.
pub fn chip_ui(ui: &mut Ui, text: &str, colour: Color32) -> Response {
    let galley = lay_out(ui, text, FontId::new(size::SMALL, bold()));
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(14.0, 5.0), Sense::hover());
    ui.painter().rect_filled(rect, 255, veil(colour, 0.16));
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, colour);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response
}

/// Names the handle by which a panel is made larger, which knows English only. `salt` is what the panel shown in `ui` is told apart by.
pub fn name_handle(ui: &Ui, salt: &str) {
    let handle = ui.scope_id().with_salt(egui::IdSalt::new(salt)).with("__resize");
    if let Some(handle) = ui.ctx().read_response(handle) {
        handle.accessible_name(text!("panel-resize"));
    }
}

/// The sign of a seat: a disc in its colour with its number, so that colour is not all that tells seats apart.
pub fn seat_mark_ui(ui: &mut Ui, colour: Color32, index: usize, side: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
    paint_seat_mark(ui.painter(), rect, colour, index);
}

/// Draws the sign of a seat.
pub fn paint_seat_mark(painter: &egui::Painter, rect: Rect, colour: Color32, index: usize) {
    let middle = rect.center();
    let radius = rect.width() / 2.0;
    painter.add(Shape::circle_filled(middle + vec2(0.0, 1.0), radius, veil(Color32::BLACK, 0.25)));
    painter.circle_filled(middle, radius, colour);
    if seat_style().has_patterns {
        let mut mesh = egui::Mesh::with_texture(seat_pattern(painter.ctx(), index));
        add_patterned_disc(&mut mesh, middle, radius - 1.0, veil(ink_on(colour), 0.5));
        painter.add(mesh);
        // The number stands on plain colour.
        painter.circle_filled(middle, radius * 0.58, colour);
    }
    painter.circle_stroke(middle, radius - 0.75, Stroke::new(1.5, mix(colour, Color32::BLACK, 0.3)));
    let font = FontId::new(rect.width() * 0.58, bold());
    painter.text(middle, Align2::CENTER_CENTER, (index + 1).to_string(), font, ink_on(colour));
}

/// The height of a row, in points.
const ROW_HEIGHT: f32 = 32.0;
/// The width of a row, in points, unless its text needs more.
const ROW_WIDTH: f32 = 264.0;
/// The side of the icon, in points.
const ROW_ICON: f32 = 18.0;

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
        let label = lay_out(ui, &self.label, FontId::proportional(size::BODY));
        let key = lay_out(ui, &self.key, FontId::proportional(size::SMALL));
        let wanted = space::S + ROW_ICON + space::S + label.size().x + space::XL + key.size().x + space::S;
        let (rect, response) = ui.allocate_exact_size(vec2(wanted.max(ROW_WIDTH), ROW_HEIGHT), Sense::click());
        let enabled = ui.is_enabled();
        response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, self.selected, &self.label));
        if ui.is_rect_visible(rect) {
            let is_over = enabled && (response.hovered() || response.has_focus());
            let over = ui.ctx().animate_bool(response.id, is_over);
            let fill = if self.selected {
                veil(palette.accent, 0.25)
            } else {
                veil(mix(palette.raised, palette.accent, 0.14), over)
            };
            let ink = if enabled { palette.text } else { palette.muted };
            let painter = ui.painter();
            painter.rect_filled(rect, 8, fill);
            let middle = rect.center().y;
            let icon = pos2(rect.left() + space::S + ROW_ICON / 2.0, middle);
            self.icon.paint(painter, Rect::from_center_size(icon, Vec2::splat(ROW_ICON)), ink);
            let text = pos2(rect.left() + 2.0 * space::S + ROW_ICON, middle - label.size().y / 2.0);
            painter.galley(text, label, ink);
            let end = pos2(rect.right() - space::S - key.size().x, middle - key.size().y / 2.0);
            painter.galley(end, key, palette.muted);
        }
        response
    }
}

/// Shows a choice among a few labels side by side. `about` is what is chosen, for those who do not see it. True if it was changed.
pub fn segments_ui<T: PartialEq + Clone>(ui: &mut Ui, about: &str, chosen: &mut T, choices: &[(T, String)]) -> bool {
    let palette = Palette::of(ui.visuals());
    let before = chosen.clone();
    card(palette.raised, palette.line, 8, (2, 2)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.horizontal(|ui| {
            for (value, label) in choices {
                let is_chosen = *chosen == *value;
                if segment_ui(ui, about, label, is_chosen) {
                    *chosen = value.clone();
                }
            }
        });
    });
    before != *chosen
}

fn segment_ui(ui: &mut Ui, about: &str, label: &str, is_chosen: bool) -> bool {
    let palette = Palette::of(ui.visuals());
    let widest = lay_out(ui, label, FontId::new(size::BODY, bold()));
    // As wide as the label is when it is chosen, so that nothing shifts.
    let (rect, response) = ui.allocate_exact_size(vec2(widest.size().x + 2.0 * space::M, 28.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), is_chosen, format!("{about}: {label}")));
    let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
    let (galley, fill, ink) = if is_chosen {
        (widest, palette.accent, palette.on_accent)
    } else {
        let plain = lay_out(ui, label, FontId::proportional(size::BODY));
        (plain, mix(palette.raised, palette.accent, 0.16 * over), palette.text)
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 6, fill);
    if response.has_focus() {
        painter.rect_stroke(rect.expand(1.0), 6, Stroke::new(1.5, palette.text), StrokeKind::Inside);
    }
    painter.galley(rect.center() - galley.size() / 2.0, galley, ink);
    response.clicked()
}
