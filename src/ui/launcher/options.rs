//! The form of one option, made from its declaration.

use egui::{ComboBox, DragValue, RichText, Slider, TextEdit, Ui};

use crate::model::{OptionDeclaration, Value, ValueType};
use crate::ui::theme::{Palette, size, space};

/// The widest range that a slider is good for.
const WIDEST: i64 = 1000;

/// Shows the form of an option with its help and range.
pub(super) fn option_ui(ui: &mut Ui, declared: &OptionDeclaration, value: &mut Value) {
    let palette = Palette::of(ui.visuals());
    let title: &str = &declared.title;
    match (&declared.value_type, &mut *value) {
        (ValueType::Flag, Value::Flag(flag)) => {
            ui.checkbox(flag, title);
        }
        (ValueType::Integer { min, max }, Value::Integer(number)) => {
            ui.label(title);
            if max.saturating_sub(*min) <= WIDEST {
                ui.spacing_mut().slider_width = 220.0;
                ui.add(Slider::new(number, *min..=*max)).accessible_name(title);
            } else {
                ui.add(DragValue::new(number).range(*min..=*max)).accessible_name(title);
            }
        }
        (ValueType::Choice { words }, Value::Text(word)) => {
            ui.label(title);
            let combo = ComboBox::from_id_salt(("option", &*declared.name))
                .selected_text(&**word)
                .show_ui(ui, |ui| {
                    for offered in words {
                        ui.selectable_value(word, offered.clone(), &**offered);
                    }
                });
            combo.response.accessible_name(title);
        }
        (ValueType::Text, Value::Text(text)) => {
            ui.label(title);
            let mut written = text.to_string();
            if ui.add(TextEdit::singleline(&mut written)).accessible_name(title).changed() {
                *text = written.into();
            }
        }
        _ => {
            ui.label(format!("{title}: {value}"));
        }
    }
    let mut help = declared.help.to_string();
    if let ValueType::Integer { .. } = declared.value_type {
        let range = declared.value_type.describe();
        help = if help.is_empty() {
            capital(&range)
        } else {
            format!("{help} {}.", capital(&range))
        };
    }
    if *value != declared.default {
        help = format!("{help} Usually {}.", declared.default);
    }
    ui.label(RichText::new(help.trim()).size(size::SMALL).color(palette.muted));
    ui.add_space(space::S);
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
