//! The look of every screen: one palette in light and dark, spacing, type scale. Icons are in `icons`.

mod code_spans;
mod icons;
mod seats;
mod widgets;

use std::sync::Arc;

use egui::epaint::Shadow;
use egui::style::{HandleShape, ScrollStyle, WidgetVisuals};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, RichText, Stroke, TextStyle, Theme, vec2,
};

pub use code_spans::with_code;
pub use icons::Icon;
pub use seats::{
    SEAT_COLOURS, SeatColours, SeatStyle, add_patterned_disc, place_in_pattern, seat_colour, seat_pattern, seat_style, set_seat_style,
};
pub use widgets::{
    ButtonKind, IconButton, MenuRow, card, chip_ui, dialog_ui, from_right_ui, heading_ui, heading_with_ui, icon_ui, name_handle,
    paint_seat_mark, panel_frame, remark, remark_ui, seat_mark_ui, segments_ui, titled_dialog_ui,
};
pub(crate) use widgets::{label_in_ui, lay_out, paint_share, text_width};

/// The colours of one theme. Nothing else in the window names a colour, but for what rulesets declare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything.
    pub ground: Color32,
    /// Panels and cards.
    pub surface: Color32,
    /// What stands out of a panel: fields, rows under the pointer.
    pub raised: Color32,
    /// Thin lines between things.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Text of less weight.
    pub muted: Color32,
    /// What is to be pressed first.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// Errors.
    pub danger: Color32,
    /// Warnings.
    pub warning: Color32,
    /// What went well.
    pub good: Color32,
    /// The table the board lies on.
    pub table: Color32,
    /// The rim of the table, where it is darkest.
    pub table_rim: Color32,
    /// The light and the dark grain of the wood.
    pub wood: [Color32; 2],
    /// Lines cut into the wood, and their lit edge.
    pub engraving: [Color32; 2],
    /// What may be picked next.
    pub offered: Color32,
    /// What is picked.
    pub chosen: Color32,
    /// The last action.
    pub last: Color32,
    /// A hint.
    pub hint: Color32,
    /// Shadows.
    pub shadow: Color32,
}

/// `0xRRGGBB` as a colour.
pub const fn rgb(colour: u32) -> Color32 {
    Color32::from_rgb((colour >> 16) as u8, (colour >> 8) as u8, colour as u8)
}

/// The palette for light surroundings: paper, ink and a teal accent.
pub const LIGHT: Palette = Palette {
    ground: rgb(0xEF_EA_E1),
    surface: rgb(0xFB_F9_F5),
    raised: rgb(0xF1_EC_E3),
    line: rgb(0xDD_D5_C8),
    text: rgb(0x2A_25_20),
    muted: rgb(0x6B_62_58),
    accent: rgb(0x17_6B_6B),
    on_accent: rgb(0xFF_FF_FF),
    danger: rgb(0xA8_32_24),
    warning: rgb(0x8A_5A_00),
    good: rgb(0x2B_70_3A),
    table: rgb(0xE3_DC_CF),
    table_rim: rgb(0xCF_C5_B4),
    wood: [rgb(0xE8_C7_92), rgb(0xC9_98_5C)],
    engraving: [rgb(0x5A_35_1A), rgb(0xFF_F0_D4)],
    offered: rgb(0xFF_FB_EC),
    chosen: rgb(0xFF_C8_2E),
    last: rgb(0x2F_7F_A8),
    hint: rgb(0x7A_3E_B1),
    shadow: Color32::from_rgba_premultiplied(0, 0, 0, 70),
};

/// The palette for dark surroundings: walnut, warm white and a light teal accent.
pub const DARK: Palette = Palette {
    ground: rgb(0x17_15_14),
    surface: rgb(0x22_1F_1D),
    raised: rgb(0x2E_2A_27),
    line: rgb(0x3F_39_34),
    text: rgb(0xEF_E9_E0),
    muted: rgb(0xAA_A1_96),
    accent: rgb(0x63_C5_BD),
    on_accent: rgb(0x0C_23_22),
    danger: rgb(0xF0_82_70),
    warning: rgb(0xE8_B4_4C),
    good: rgb(0x86_C9_90),
    table: rgb(0x2B_28_26),
    table_rim: rgb(0x0019_1716),
    wood: [rgb(0xB8_8A_58), rgb(0x8C_5F_36)],
    engraving: [rgb(0x2E_19_0B), rgb(0xE2_BC_86)],
    offered: rgb(0xFF_F6_DC),
    chosen: rgb(0xFF_CB_3D),
    last: rgb(0x74_C4_EC),
    hint: rgb(0xC9_98_F5),
    shadow: Color32::from_rgba_premultiplied(0, 0, 0, 130),
};

impl Palette {
    /// Whether it is for dark surroundings.
    pub fn is_dark(&self) -> bool {
        self.ground.r() < 128
    }

    /// The palette of the current theme.
    pub fn of(visuals: &egui::Visuals) -> &'static Self {
        if visuals.dark_mode { &DARK } else { &LIGHT }
    }
}

/// The distances between things, in points.
pub mod space {
    /// Within a thing.
    pub const XS: f32 = 4.0;
    /// Between things that belong together.
    pub const S: f32 = 8.0;
    /// Between rows.
    pub const M: f32 = 12.0;
    /// Inside panels and cards.
    pub const L: f32 = 16.0;
    /// Between cards.
    pub const XL: f32 = 24.0;
    /// Around screens.
    pub const XXL: f32 = 40.0;
}

/// The sizes of text, in points.
pub mod size {
    /// Remarks, coordinates.
    pub const SMALL: f32 = 12.0;
    /// Everything else.
    pub const BODY: f32 = 14.0;
    /// The title of a panel or card.
    pub const TITLE: f32 = 17.0;
    /// The title of a screen.
    pub const SCREEN: f32 = 26.0;
    /// The name of the program.
    pub const NAME: f32 = 34.0;
}

/// The family of bold text.
pub fn bold() -> FontFamily {
    FontFamily::Name("bold".into())
}

/// Text for titles of a size.
pub fn title(text: impl Into<String>, size: f32) -> RichText {
    RichText::new(text).font(FontId::new(size, bold()))
}

/// Bold text in the size of everything else.
pub fn strong(text: impl Into<String>) -> RichText {
    title(text, size::BODY)
}

/// The same where something is to stand out, else plain text.
pub(crate) fn strong_if(stands_out: bool, text: &str) -> RichText {
    if stands_out { strong(text) } else { RichText::new(text) }
}

/// A colour between two; `share` 0 is the first, 1 the second.
pub fn mix(a: Color32, b: Color32, share: f32) -> Color32 {
    let part = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share.clamp(0.0, 1.0)).round() as u8;
    Color32::from_rgba_premultiplied(part(a.r(), b.r()), part(a.g(), b.g()), part(a.b(), b.b()), part(a.a(), b.a()))
}

/// A colour made see-through; `share` 0 is gone, 1 is whole.
pub fn veil(colour: Color32, share: f32) -> Color32 {
    colour.gamma_multiply(share)
}

/// Black or white, whichever is read better on a colour.
pub fn ink_on(colour: Color32) -> Color32 {
    let light = 0.299 * f32::from(colour.r()) + 0.587 * f32::from(colour.g()) + 0.114 * f32::from(colour.b());
    if light > 140.0 { rgb(0x22_1A_12) } else { rgb(0xFF_FB_F2) }
}

/// Puts fonts, palettes and spacing into force.
pub fn install(context: &Context) {
    let mut fonts = FontDefinitions::default();
    let files: [(&str, &'static [u8]); 2] = [
        ("text", include_bytes!("../../../../art/fonts/NotoSans-Regular.ttf")),
        ("bold", include_bytes!("../../../../art/fonts/NotoSans-Bold.ttf")),
    ];
    for (name, bytes) in files {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let rest = fonts.families.entry(FontFamily::Proportional).or_default();
    rest.insert(0, "text".to_owned());
    let mut heavy = rest.clone();
    heavy.insert(0, "bold".to_owned());
    fonts.families.insert(bold(), heavy);
    context.set_fonts(fonts);
    context.style_mut_of(Theme::Light, |style| dress(style, &LIGHT));
    context.style_mut_of(Theme::Dark, |style| dress(style, &DARK));
}

fn dress(style: &mut egui::Style, palette: &Palette) {
    style.text_styles = [
        (TextStyle::Small, FontId::proportional(size::SMALL)),
        (TextStyle::Body, FontId::proportional(size::BODY)),
        (TextStyle::Button, FontId::proportional(size::BODY)),
        (TextStyle::Heading, FontId::new(size::TITLE, bold())),
        (TextStyle::Monospace, FontId::monospace(size::BODY - 1.0)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(space::S, space::S);
    spacing.button_padding = vec2(space::M, 6.0);
    spacing.interact_size = vec2(36.0, 30.0);
    spacing.menu_margin = Margin::same(space::S as i8);
    spacing.window_margin = Margin::same(space::L as i8);
    spacing.combo_width = 96.0;
    spacing.slider_width = 140.0;
    spacing.icon_width = 20.0;
    spacing.icon_width_inner = 12.0;
    // Only the handle is there while nobody rolls: a track would be one more line on the screen.
    spacing.scroll = ScrollStyle {
        dormant_background_opacity: 0.0,
        active_background_opacity: 0.0,
        dormant_handle_opacity: 0.55,
        active_handle_opacity: 0.8,
        interact_background_opacity: 0.3,
        interact_handle_opacity: 1.0,
        ..ScrollStyle::thin()
    };

    // The edges of panels are caught from a little farther away.
    style.interaction.resize_grab_radius_side = 8.0;
    let visuals = &mut style.visuals;
    visuals.weak_text_color = Some(palette.muted);
    visuals.panel_fill = palette.surface;
    visuals.window_fill = palette.surface;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = CornerRadius::same(12);
    visuals.menu_corner_radius = CornerRadius::same(10);
    visuals.window_shadow = shadow(12, 36, palette.shadow);
    visuals.popup_shadow = shadow(6, 18, palette.shadow);
    visuals.extreme_bg_color = palette.raised;
    visuals.faint_bg_color = mix(palette.surface, palette.raised, 0.5);
    visuals.code_bg_color = palette.raised;
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.danger;
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = HandleShape::Circle;
    visuals.selection.bg_fill = veil(palette.accent, 0.35);
    visuals.selection.stroke = Stroke::new(1.0, palette.text);
    let lit = |share: f32| mix(palette.raised, palette.accent, share);
    let widgets = &mut visuals.widgets;
    let states = [
        (&mut widgets.noninteractive, palette.surface, palette.line),
        (&mut widgets.inactive, palette.raised, palette.line),
        (&mut widgets.hovered, lit(0.14), palette.accent),
        (&mut widgets.active, lit(0.28), palette.accent),
        (&mut widgets.open, lit(0.10), palette.line),
    ];
    for (state, fill, edge) in states {
        *state = WidgetVisuals {
            bg_fill: fill,
            weak_bg_fill: fill,
            bg_stroke: Stroke::new(1.0, edge),
            fg_stroke: Stroke::new(1.0, palette.text),
            corner_radius: CornerRadius::same(8),
            expansion: 0.0,
        };
    }
}

/// The shadow of something that lies so far above the rest, in points.
pub(crate) fn shadow(drop: i8, blur: u8, color: Color32) -> Shadow {
    Shadow {
        offset: [0, drop],
        blur,
        spread: 0,
        color,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of two colours as WCAG counts it, 1 to 21.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let light = |colour: Color32| {
            let linear = |part: u8| {
                let part = f32::from(part) / 255.0;
                if part <= 0.04045 {
                    part / 12.92
                } else {
                    ((part + 0.055) / 1.055).powf(2.4)
                }
            };
            0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn any_letters_can_be_shown() {
        let context = Context::default();
        install(&context);
        let text = "A star \u{2605}, \u{6f22}\u{5b57}, \u{0e01}, \u{1f980}, \u{e000}, \u{301}";
        let sizes = [7.3, 9.0, 14.0, 33.3].into_iter();
        for font in sizes.flat_map(|size| [FontId::proportional(size), FontId::new(size, bold()), FontId::monospace(size)]) {
            let mut shown = context.run_ui(egui::RawInput::default(), |ui| {
                let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE);
                assert!(galley.size().x > 30.0);
            });
            shown.textures_delta.clear();
        }
    }

    #[test]
    fn every_text_colour_can_be_read_on_every_ground() {
        for palette in [LIGHT, DARK] {
            for ground in [palette.ground, palette.surface, palette.raised] {
                for text in [
                    palette.text,
                    palette.muted,
                    palette.accent,
                    palette.danger,
                    palette.warning,
                    palette.good,
                ] {
                    assert!(contrast(text, ground) >= 4.5, "{text:?} on {ground:?}: {}", contrast(text, ground));
                }
            }
            assert!(contrast(palette.on_accent, palette.accent) >= 4.5);
        }
    }

    #[test]
    fn ink_can_be_read_on_every_seat_colour() {
        for index in 0..SEAT_COLOURS.len() {
            let colour = Palette::seat(&[], index);
            assert!(contrast(ink_on(colour), colour) >= 3.0, "{colour:?}");
        }
    }
}
