//! The form of one option, made from its declaration.

use std::sync::Arc;

use egui::{ComboBox, DragValue, Slider, TextEdit, Ui};

use crate::texts::text;
use crate::theme::{remark, space};
use boardwright_localization::Localizer;
use boardwright_model::{OptionDeclaration, Value, ValueType};

const WIDEST: i64 = 1000;
/// How wide a slider is where there is room, and what the number beside it takes, in points.
const SLIDER: f32 = 220.0;
const BESIDE_SLIDER: f32 = 76.0;

/// Shows the form of an option with its help and range, and its default.
pub fn option_ui(ui: &mut Ui, (declared, localizer): (&OptionDeclaration, &Localizer), default: &Value, value: &mut Value) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        value_ui(ui, (declared, localizer), value);
        help_ui(ui, (declared, localizer), default, value);
    });
    ui.add_space(space::XS);
}

fn value_ui(ui: &mut Ui, (declared, localizer): (&OptionDeclaration, &Localizer), value: &mut Value) {
    let title: &str = &declared.title;
    match (&declared.value_type, &mut *value) {
        (ValueType::Flag, Value::Flag(flag)) => {
            ui.checkbox(flag, title);
        }
        (ValueType::Integer { min, max }, Value::Integer(number)) => {
            ui.label(title);
            if max.saturating_sub(*min) <= WIDEST {
                ui.spacing_mut().slider_width = SLIDER.min(ui.available_width() - BESIDE_SLIDER).max(60.0);
                ui.add(Slider::new(number, *min..=*max).step_by(1.0)).accessible_name(title);
            } else {
                ui.add(DragValue::new(number).range(*min..=*max)).accessible_name(title);
            }
        }
        (ValueType::Choice { words }, Value::Text(word)) => {
            ui.label(title);
            let combo = ComboBox::from_id_salt(("option", &*declared.name))
                .selected_text(localizer.translate(word))
                .show_ui(ui, |ui| {
                    for offered in words {
                        ui.selectable_value(word, offered.clone(), localizer.translate(offered));
                    }
                });
            combo.response.accessible_name(title);
        }
        (ValueType::Subset { words }, Value::List(chosen)) => {
            ui.label(title);
            ui.horizontal_wrapped(|ui| {
                for word in words {
                    let mut has = chosen.contains(&Value::Text(Arc::clone(word)));
                    if ui.checkbox(&mut has, localizer.translate(word)).changed() {
                        *chosen = toggled(words, chosen, word);
                    }
                }
            });
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
}

/// A subset with one of its words added or taken out, in the order in which the words are offered.
fn toggled(words: &[Arc<str>], chosen: &[Value], word: &Arc<str>) -> Arc<[Value]> {
    let all = words.iter().map(|word| Value::Text(Arc::clone(word)));
    let toggled = Value::Text(Arc::clone(word));
    all.filter(|word| chosen.contains(word) != (*word == toggled)).collect()
}

fn help_ui(ui: &mut Ui, (declared, localizer): (&OptionDeclaration, &Localizer), default: &Value, value: &Value) {
    let default = (value != default).then(|| text!("option-default", value = spoken(default, localizer)));
    let parts = [Some(declared.help.to_string()), range(&declared.value_type), default];
    let help: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    if !help.is_empty() {
        ui.label(remark(help.join(" ")));
    }
}

/// What numbers are allowed, in a sentence.
fn range(value_type: &ValueType) -> Option<String> {
    match value_type {
        ValueType::Integer {
            min: i64::MIN,
            max: i64::MAX,
        } => None,
        ValueType::Integer { min, max: i64::MAX } => Some(text!("option-at-least", least = min.to_string())),
        ValueType::Integer { min: i64::MIN, max } => Some(text!("option-at-most", most = max.to_string())),
        ValueType::Integer { min, max } => Some(text!("option-range", least = min.to_string(), most = max.to_string())),
        _ => None,
    }
}

fn spoken(value: &Value, localizer: &Localizer) -> String {
    match value {
        Value::Flag(true) => text!("option-yes"),
        Value::Flag(false) => text!("option-no"),
        Value::List(words) if words.is_empty() => text!("option-nothing"),
        Value::List(words) => words.iter().map(|word| spoken(word, localizer)).collect::<Vec<_>>().join(", "),
        other => localizer.translate(&other.to_string()).into_owned(),
    }
}
