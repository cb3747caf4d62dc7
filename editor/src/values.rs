//! Fields for declared values: each by its type, with its range.

use std::sync::Arc;

use boardwright_model::{Declarations, PropertyDeclaration, Value, ValueType};
use boardwright_ui::text;
use egui::{ComboBox, DragValue, Id, Label, Response, TextEdit, Ui};

/// What a value was changed to.
pub(crate) struct Changed {
    /// The value; nothing for its default.
    pub(crate) new: Option<String>,
    /// Whether it goes on with the change before, see [`goes_on`].
    pub(crate) goes_on: bool,
}

impl Changed {
    fn to(new: Option<String>) -> Self {
        Self { new, goes_on: false }
    }
}

/// A text that is being typed into a field: it counts when the field is left.
pub(crate) struct Typed {
    salt: Id,
    /// What stands in the field.
    pub(crate) text: String,
}

impl Typed {
    /// The text of a field: what is being typed there, else what it says `now`.
    pub(crate) fn begin(ui: &Ui, salt: Id, now: &str) -> Self {
        let typed = Self {
            salt,
            text: now.to_owned(),
        };
        let field = typed.field();
        // What was typed into a field that is gone was said when that was left.
        let is_typed = ui.memory(|memory| memory.has_focus(field) || memory.had_focus_last_frame(field));
        let known: Option<String> = ui.data(|data| data.get_temp(salt)).filter(|_| is_typed);
        Self {
            text: known.unwrap_or(typed.text),
            ..typed
        }
    }

    /// The id of the field.
    pub(crate) fn field(&self) -> Id {
        self.salt.with("field")
    }

    /// What the text was changed to, if the field is left.
    pub(crate) fn end(self, ui: &Ui, field: &Response, now: &str) -> Option<String> {
        if is_left(ui, field) {
            ui.data_mut(|data| data.remove::<String>(self.salt));
            return (self.text != now).then_some(self.text);
        }
        if field.has_focus() {
            ui.data_mut(|data| data.insert_temp(self.salt, self.text));
        }
        None
    }
}

/// Whether a field is left: by a key, or because the pointer is pressed elsewhere. What is chosen there may take the place of the field at once,
/// before it hears that it has lost the focus.
pub(crate) fn is_left(ui: &Ui, field: &Response) -> bool {
    let is_pressed = ui.input(|input| input.pointer.any_pressed());
    let is_elsewhere = is_pressed && field.has_focus() && !field.contains_pointer();
    if is_elsewhere {
        field.surrender_focus();
    }
    is_elsewhere || field.lost_focus()
}

/// Whether a change of a number goes on with the one before: while it is dragged, and while its field has the focus, all changes are one step.
pub(crate) fn goes_on(ui: &Ui, field: &Response) -> bool {
    let id = field.id.with("goes_on");
    let is_held = field.dragged() || field.has_focus();
    let has_begun = ui.data(|data| data.get_temp(id)).unwrap_or(false);
    ui.data_mut(|data| data.insert_temp(id, is_held && (has_begun || field.changed())));
    has_begun
}

/// A value as authors write it in files.
pub(crate) fn written(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Text(text) => text.to_string(),
        Value::List(items) => items.iter().map(written).collect::<Vec<_>>().join(", "),
        _ => String::new(),
    }
}

/// Shows the field of a property with its name before it, and a way back to its default. Gives what it was changed to.
pub(crate) fn property_ui(
    ui: &mut Ui,
    salt: impl std::hash::Hash + std::fmt::Debug,
    property: &PropertyDeclaration,
    declarations: &Declarations,
    set: Option<&str>,
) -> Option<Changed> {
    let salt = Id::unique("property").with(salt).with(&*property.name);
    value_row_ui(
        ui,
        salt,
        &property.title,
        &property.value_type,
        &property.default,
        declarations,
        set,
    )
}

/// The same of any declared value.
pub(crate) fn value_row_ui(
    ui: &mut Ui,
    salt: Id,
    title: &str,
    value_type: &ValueType,
    default: &Value,
    declarations: &Declarations,
    set: Option<&str>,
) -> Option<Changed> {
    let mut changed = None;
    ui.horizontal(|ui| {
        let default = written(default);
        let now = set.unwrap_or(&default).to_owned();
        let name = if set.is_some() {
            boardwright_ui::theme::strong(title)
        } else {
            egui::RichText::new(title)
        };
        // Long names are broken, so that there is room for the field.
        let reset = if set.is_some() { 34.0 } else { 0.0 };
        let width = ui.available_width();
        let room = (0.5 * width).min(width - field_width(value_type) - reset).max(60.0);
        let label = ui.scope(|ui| {
            ui.set_min_width(room);
            ui.set_max_width(room);
            ui.add(Label::new(name).wrap())
        });
        let label = label.inner.on_hover_text(value_type.describe());
        let (new, goes_on) = field_ui(ui, salt, value_type, declarations, &now, label.id, title);
        if let Some(new) = new.filter(|new| *new != now) {
            changed = Some(Changed {
                new: (new != default).then_some(new),
                goes_on,
            });
        }
        if set.is_some() {
            let reset = boardwright_ui::theme::IconButton::icon(boardwright_ui::theme::Icon::Undo, text!("value-reset", title = title));
            if ui.add(reset.height(24.0)).clicked() {
                changed = Some(Changed::to(None));
            }
        }
    });
    changed
}

/// How much room the field of a type takes at least, in points.
const fn field_width(value_type: &ValueType) -> f32 {
    match value_type {
        ValueType::Flag => 34.0,
        ValueType::Integer { .. } => 70.0,
        ValueType::Choice { .. } | ValueType::Subset { .. } | ValueType::Seat | ValueType::Kind => 136.0,
        ValueType::Text | ValueType::Cell | ValueType::Piece | ValueType::List => 120.0,
    }
}

/// The field of a subset: a list of its words that stays open while they are ticked.
fn subset_ui(ui: &mut Ui, salt: Id, value_type: &ValueType, words: &[Arc<str>], now: &str, label: Id) -> Option<String> {
    let mut has: Vec<bool> = match value_type.parse(now) {
        Ok(Value::List(chosen)) => words.iter().map(|word| chosen.contains(&Value::Text(Arc::clone(word)))).collect(),
        _ => vec![false; words.len()],
    };
    let text_of = |has: &[bool]| {
        let chosen = words.iter().zip(has).filter(|(_, has)| **has);
        chosen.map(|(word, _)| word.to_string()).collect::<Vec<_>>().join(", ")
    };
    let shown = if has.contains(&true) {
        text_of(&has)
    } else {
        text!("value-nothing")
    };
    let combo = ComboBox::from_id_salt(salt).selected_text(shown).width(110.0).truncate();
    let combo = combo.close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let mut is_changed = false;
    let combo = combo.show_ui(ui, |ui| {
        for (word, has) in words.iter().zip(&mut has) {
            is_changed |= ui.checkbox(has, &**word).changed();
        }
    });
    combo.response.labelled_by(label);
    is_changed.then(|| text_of(&has))
}

/// The field of a value: what it was changed to, and whether that goes on with the change before.
fn field_ui(
    ui: &mut Ui,
    salt: Id,
    value_type: &ValueType,
    declarations: &Declarations,
    now: &str,
    label: Id,
    title: &str,
) -> (Option<String>, bool) {
    let names: Vec<(String, String)> = match value_type {
        ValueType::Integer { min, max } => {
            let mut number = now.parse::<i64>().unwrap_or(0);
            let field = ui.add(DragValue::new(&mut number).range(*min..=*max)).labelled_by(label);
            return (field.changed().then(|| number.to_string()), goes_on(ui, &field));
        }
        ValueType::Flag => {
            let mut flag = matches!(now, "yes" | "true" | "on" | "1");
            let field = ui.checkbox(&mut flag, "");
            field.clone().accessible_name(title);
            return (field.changed().then(|| flag.to_string()), false);
        }
        ValueType::Choice { words } => words.iter().map(|word| (word.to_string(), word.to_string())).collect(),
        ValueType::Subset { words } => return (subset_ui(ui, salt, value_type, words, now, label), false),
        ValueType::Seat => declarations
            .seats
            .iter()
            .map(|seat| (seat.name.to_string(), seat.title.to_string()))
            .collect(),
        ValueType::Kind => declarations
            .kinds
            .iter()
            .map(|kind| (kind.name.to_string(), kind.title.to_string()))
            .collect(),
        ValueType::Text | ValueType::Cell | ValueType::Piece | ValueType::List => {
            return (text_ui(ui, salt, now, label), false);
        }
    };
    let may_be_nothing = matches!(value_type, ValueType::Seat | ValueType::Kind);
    let nothing = text!("value-nothing");
    let unknown = if may_be_nothing && now.is_empty() { nothing.as_str() } else { now };
    let shown = names.iter().find(|(name, _)| name == now).map_or(unknown, |(_, title)| title);
    let mut chosen = None;
    let combo = ComboBox::from_id_salt(salt).selected_text(shown).width(110.0).truncate();
    let combo = combo.show_ui(ui, |ui| {
        if may_be_nothing && ui.selectable_label(now.is_empty(), text!("value-nothing")).clicked() {
            chosen = Some("nothing".to_owned());
        }
        for (name, title) in &names {
            if ui.selectable_label(name == now, title).clicked() {
                chosen = Some(name.clone());
            }
        }
    });
    combo.response.labelled_by(label);
    (chosen, false)
}

/// A field of one line whose text counts when it is left.
pub(crate) fn text_ui(ui: &mut Ui, salt: Id, now: &str, label: Id) -> Option<String> {
    let mut typed = Typed::begin(ui, salt, now);
    let (id, width) = (typed.field(), (ui.available_width() - 30.0).max(60.0));
    let field = TextEdit::singleline(&mut typed.text).id(id).desired_width(width);
    let field = ui.add(field).labelled_by(label);
    typed.end(ui, &field, now)
}
