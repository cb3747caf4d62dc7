//! The fields of a sentence, each edited where it stands by what fits it: a list of names, a number, a text, a cell that is clicked on the board.

use boardwright_model::ValueType;
use boardwright_triggers::{
    Choice, Choices, Comparison, Fault, FaultKind, Field, FieldKind, FieldValue, Form, Part, Sentence, SentencePiece, SlotPath,
};
use boardwright_ui::theme::{Icon, IconButton, MenuRow, Palette, mix, remark_ui, space, veil};
use boardwright_ui::{keys::is_entered, text};
use egui::{
    DragValue, FontId, Id, Label, Popup, PopupCloseBehavior, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, Ui,
    WidgetInfo, vec2,
};

use super::Pointing;
use crate::values::{Typed, is_left};

/// From so many choices on a list is searched.
const MANY: usize = 9;
/// How many choices of a list are shown at most.
const MOST_SHOWN: usize = 80;
/// The height of a field, in points.
const HEIGHT: f32 = 22.0;

/// What the fields of a trigger are shown with.
pub(super) struct Slots<'a> {
    pub(super) part: usize,
    pub(super) choices: &'a Choices,
    pub(super) when: &'a Form,
    pub(super) faults: &'a [Fault],
    pub(super) pointing: &'a mut Option<Pointing>,
}

/// A language as forms know it.
pub(super) fn language() -> &'static str {
    boardwright_ui::texts::language().code()
}

/// What a field is, for its list and for those who do not see where it stands.
pub(super) fn field_title(field: Field) -> String {
    match field.kind {
        FieldKind::Region => text!("field-region"),
        FieldKind::Cell => text!("field-cell"),
        FieldKind::Seat => text!("field-seat"),
        FieldKind::Kind => text!("field-kind"),
        FieldKind::Terrain => text!("field-terrain"),
        FieldKind::Zone => text!("field-zone"),
        FieldKind::Action => text!("field-action"),
        FieldKind::NumberOf(_) | FieldKind::WordOf(_) => text!("field-property"),
        FieldKind::Number => text!("field-number"),
        FieldKind::Dice => text!("field-dice"),
        FieldKind::Text => text!("field-text"),
        FieldKind::Word => text!("field-word"),
        FieldKind::Comparison => text!("field-comparison"),
    }
}

/// How a comparison is read.
fn comparison_text(comparison: Comparison) -> String {
    match comparison {
        Comparison::Equal => text!("compare-equal"),
        Comparison::NotEqual => text!("compare-not-equal"),
        Comparison::AtLeast => text!("compare-at-least"),
        Comparison::AtMost => text!("compare-at-most"),
        Comparison::More => text!("compare-more"),
        Comparison::Less => text!("compare-less"),
    }
}

/// What people read of a choice.
fn choice_text(choice: &Choice) -> String {
    match &choice.value {
        FieldValue::Seat(None) => text!("field-seat-on-turn"),
        FieldValue::Comparison(comparison) => comparison_text(*comparison),
        _ => choice.title.clone(),
    }
}

/// What people read of a value.
fn value_text(choices: &Choices, kind: FieldKind, value: &FieldValue) -> String {
    let text = match value {
        FieldValue::Computed(sentence) => return sentence_text(choices, sentence),
        FieldValue::Number(number) => number.to_string(),
        FieldValue::Flag(true) => text!("field-yes"),
        FieldValue::Flag(false) => text!("field-no"),
        FieldValue::Text(text) => text.clone(),
        FieldValue::Comparison(comparison) => comparison_text(*comparison),
        FieldValue::Seat(None) => text!("field-seat-on-turn"),
        FieldValue::Name(name) | FieldValue::Seat(Some(name)) => choices.find(kind, value).map_or_else(|| name.clone(), choice_text),
    };
    if text.trim().is_empty() { "…".to_owned() } else { text }
}

/// A sentence as it is read.
pub(super) fn sentence_text(choices: &Choices, sentence: &Sentence) -> String {
    let pieces = sentence.form().pieces_in(language()).into_iter();
    let label = pieces.map(|piece| match piece {
        SentencePiece::Text(text) => text.to_owned(),
        SentencePiece::Field(index) => {
            let field = sentence.form().fields.get(index).zip(sentence.values().get(index));
            field
                .map(|(field, value)| value_text(choices, field.kind, value))
                .unwrap_or_default()
        }
    });
    label.collect()
}

/// Why a field is wrong.
fn fault_text(kind: &FaultKind) -> String {
    match kind {
        FaultKind::Missing(name) => text!("fault-missing", name = name.as_str()),
        FaultKind::Empty => text!("fault-empty"),
        FaultKind::Range(least, most) => text!("fault-range", least = *least, most = *most),
        FaultKind::Value(value) => text!("fault-value", value = value.as_str()),
        FaultKind::DoesNothing => text!("fault-nothing"),
    }
}

impl Slots<'_> {
    /// Shows a sentence with its fields in their places. Gives the field that was changed, and to what.
    pub(super) fn sentence_ui(&mut self, ui: &mut Ui, sentence: &Sentence, place: &SlotPath) -> Option<(SlotPath, FieldValue)> {
        let mut changed = None;
        for piece in sentence.form().pieces_in(language()) {
            match piece {
                SentencePiece::Text(text) => {
                    ui.add(Label::new(text.trim()).selectable(false));
                }
                SentencePiece::Field(index) => {
                    let Some((field, value)) = sentence.form().fields.get(index).zip(sentence.values().get(index)) else {
                        continue;
                    };
                    let mut at = place.clone();
                    at.fields.push(index);
                    changed = self.field_ui(ui, sentence, *field, value, &at).or(changed);
                }
            }
        }
        changed
    }

    fn field_ui(
        &mut self,
        ui: &mut Ui,
        sentence: &Sentence,
        field: Field,
        value: &FieldValue,
        place: &SlotPath,
    ) -> Option<(SlotPath, FieldValue)> {
        let salt = Id::unique("trigger field").with((self.part, place.part, place.sentence, &place.fields));
        let title = field_title(field);
        let fault = self
            .faults
            .iter()
            .find(|fault| fault.place == *place)
            .map(|fault| fault_text(&fault.kind));
        let new = match (field.kind, value) {
            (_, FieldValue::Computed(computed)) => {
                let inner = self.sentence_ui(ui, computed, place);
                if inner.is_some() {
                    return inner;
                }
                self.other_ui(ui, salt, field, value, place)
            }
            (FieldKind::Number, FieldValue::Number(number)) => {
                let number = number_ui(ui, salt, *number, self.choices.range(sentence), &title, fault.as_deref());
                let other = self.other_ui(ui, salt, field, value, place);
                number.map(FieldValue::Number).or(other)
            }
            (FieldKind::Text | FieldKind::Dice, FieldValue::Text(text)) => {
                let width = if field.kind == FieldKind::Text { f32::INFINITY } else { 60.0 };
                text_ui(ui, salt, text, &title, width, fault.as_deref()).map(FieldValue::Text)
            }
            (FieldKind::Word, _) => self.word_ui(ui, salt, sentence, value, &title, fault.as_deref()),
            _ => self.choice_ui(ui, salt, field, value, place, &title, fault.as_deref()),
        };
        new.filter(|new| new != value).map(|new| (place.clone(), new))
    }

    /// The value of a property, by its type.
    fn word_ui(
        &self,
        ui: &mut Ui,
        salt: Id,
        sentence: &Sentence,
        value: &FieldValue,
        title: &str,
        fault: Option<&str>,
    ) -> Option<FieldValue> {
        let offered: Vec<FieldValue> = match (self.choices.type_of(sentence), value) {
            (Some(ValueType::Choice { words }), _) => words.iter().map(|word| FieldValue::Text(word.to_string())).collect(),
            (Some(ValueType::Flag), _) | (None, FieldValue::Flag(_)) => vec![FieldValue::Flag(true), FieldValue::Flag(false)],
            (_, FieldValue::Text(text)) => return text_ui(ui, salt, text, title, 110.0, fault).map(FieldValue::Text),
            _ => Vec::new(),
        };
        let choices = offered.into_iter().map(|value| Choice {
            title: value_text(self.choices, FieldKind::Word, &value),
            value,
        });
        let shown = value_text(self.choices, FieldKind::Word, value);
        let pill = pill_ui(ui, &shown, title, fault);
        list_ui(&pill, salt, value, || choices.collect())
    }

    /// A name out of a list, or a cell or a region that is clicked on the board.
    #[expect(clippy::too_many_arguments, reason = "a field with all that it is shown with")]
    fn choice_ui(
        &mut self,
        ui: &mut Ui,
        salt: Id,
        field: Field,
        value: &FieldValue,
        place: &SlotPath,
        title: &str,
        fault: Option<&str>,
    ) -> Option<FieldValue> {
        let shown = value_text(self.choices, field.kind, value);
        let is_pointing = |pointing: &Option<Pointing>| {
            pointing
                .as_ref()
                .is_some_and(|pointing| pointing.part == self.part && pointing.place == *place)
        };
        let waits = is_pointing(self.pointing);
        let pill = pill_ui(ui, if waits { "⌖" } else { &shown }, title, fault);
        let mut new = None;
        let popup = Popup::menu(&pill).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let shown = popup.show(|ui| {
            ui.set_width(230.0);
            if matches!(field.kind, FieldKind::Cell | FieldKind::Region) && ui.add(MenuRow::new(Icon::Hand, text!("field-point"))).clicked()
            {
                *self.pointing = Some(Pointing {
                    part: self.part,
                    place: place.clone(),
                    kind: field.kind,
                });
                ui.close();
            }
            let mut choices: Vec<Choice> = self.choices.of_field(field.kind).cloned().collect();
            choices.extend(self.computed(field.kind, place.part));
            new = choices_ui(ui, salt, &choices, value);
        });
        if shown.is_none() {
            forget_search(ui, salt);
        }
        new
    }

    /// What can be computed in the place of what is written down.
    fn computed(&self, kind: FieldKind, stands_in: Part) -> Vec<Choice> {
        // What happens is told by what is written down.
        let Some(part) = kind.computed().filter(|_| stands_in != Part::When) else {
            return Vec::new();
        };
        let forms = self.choices.offered(part, Some(self.when)).into_iter();
        let sentences = forms.filter_map(|form| self.choices.first(form));
        let choice = |sentence: Sentence| Choice {
            title: sentence_text(self.choices, &sentence),
            value: FieldValue::Computed(Box::new(sentence)),
        };
        sentences.map(choice).collect()
    }

    /// A button that leads from a number or a seat to others that are computed, and back.
    fn other_ui(&self, ui: &mut Ui, salt: Id, field: Field, value: &FieldValue, place: &SlotPath) -> Option<FieldValue> {
        // What happens is told by what is written down.
        if place.part == Part::When {
            return None;
        }
        let title = field_title(field);
        let button = ui.add(IconButton::icon(Icon::Swap, text!("field-other", title = title)).height(HEIGHT));
        list_ui(&button, salt, value, || {
            let mut choices: Vec<Choice> = self.choices.of_field(field.kind).cloned().collect();
            if field.kind == FieldKind::Number {
                let number = if let FieldValue::Number(number) = value { *number } else { 1 };
                choices.push(Choice {
                    title: text!("field-plain-number"),
                    value: FieldValue::Number(number),
                });
            }
            choices.extend(self.computed(field.kind, place.part));
            choices
        })
    }
}

/// A field as a small framed text in its sentence.
fn pill_ui(ui: &mut Ui, shown: &str, title: &str, fault: Option<&str>) -> Response {
    let palette = Palette::of(ui.visuals());
    let ink = if fault.is_some() { palette.danger } else { palette.text };
    let font = FontId::proportional(14.0);
    let most = (ui.max_rect().width() - 24.0).max(60.0);
    let galley = egui::WidgetText::from(shown).into_galley(ui, Some(egui::TextWrapMode::Truncate), most, font);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + 14.0, HEIGHT), Sense::click());
    let label = format!("{title}: {shown}");
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &label));
    let over = ui.ctx().animate_bool(response.id, response.hovered() || response.has_focus());
    let edge = if fault.is_some() { palette.danger } else { palette.accent };
    let painter = ui.painter();
    let fill = mix(veil(edge, 0.14), veil(edge, 0.3), over);
    painter.rect(rect, 6, fill, Stroke::new(1.0, veil(edge, 0.5 + 0.5 * over)), StrokeKind::Inside);
    painter.galley(rect.center() - galley.size() / 2.0, galley, ink);
    match fault {
        Some(fault) => response.on_hover_text(fault),
        None => response.on_hover_text(title),
    }
}

/// A list below a button, of what can be chosen.
fn list_ui(button: &Response, salt: Id, value: &FieldValue, choices: impl FnOnce() -> Vec<Choice>) -> Option<FieldValue> {
    let mut new = None;
    let popup = Popup::menu(button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = popup.show(|ui| {
        ui.set_width(230.0);
        new = choices_ui(ui, salt, &choices(), value);
    });
    if shown.is_none() {
        button.ctx.data_mut(|data| data.remove::<String>(salt.with("sought")));
    }
    new
}

/// A list that is opened again is not searched yet.
pub(super) fn forget_search(ui: &Ui, salt: Id) {
    ui.data_mut(|data| data.remove::<String>(salt.with("sought")));
}

/// What can be chosen, searched where it is much.
fn choices_ui(ui: &mut Ui, salt: Id, choices: &[Choice], value: &FieldValue) -> Option<FieldValue> {
    let mut new = None;
    let search = if choices.len() >= MANY {
        search_ui(ui, salt.with("sought"))
    } else {
        Search::default()
    };
    let fits = |choice: &&Choice| choice_text(choice).to_lowercase().contains(&search.text);
    let found: Vec<&Choice> = choices.iter().filter(fits).collect();
    ScrollArea::vertical().id_salt(salt).max_height(260.0).show(ui, |ui| {
        for choice in found.iter().take(MOST_SHOWN) {
            if ui.selectable_label(choice.value == *value, choice_text(choice)).clicked() {
                new = Some(choice.value.clone());
            }
        }
        if found.is_empty() {
            remark_ui(ui, text!("field-none-found"));
        } else if found.len() > MOST_SHOWN {
            remark_ui(ui, text!("field-more-found", count = found.len() - MOST_SHOWN));
        }
    });
    if search.is_entered && new.is_none() {
        new = found.first().map(|choice| choice.value.clone());
    }
    if new.is_some() {
        forget_search(ui, salt);
        ui.close();
    }
    new
}

/// What a list is searched for.
#[derive(Default)]
pub(super) struct Search {
    /// In lower case; empty where nothing is sought.
    pub(super) text: String,
    /// Whether the first that fits is chosen with the key that enters a text.
    pub(super) is_entered: bool,
}

/// A field in which a list is searched; it has the focus at once.
pub(super) fn search_ui(ui: &mut Ui, salt: Id) -> Search {
    let known: Option<String> = ui.data(|data| data.get_temp(salt));
    let is_new = known.is_none();
    let mut sought = known.unwrap_or_default();
    let field = TextEdit::singleline(&mut sought)
        .id(salt.with("field"))
        .hint_text(text!("trigger-search"));
    let field = ui.add(field.desired_width(ui.available_width()));
    field.clone().accessible_name(text!("trigger-search"));
    if is_new {
        field.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(salt, sought.clone()));
    ui.add_space(space::XS);
    Search {
        is_entered: is_entered(ui, &field) && !sought.is_empty(),
        text: sought.to_lowercase(),
    }
}

/// A number whose drag or typing is one change.
fn number_ui(ui: &mut Ui, salt: Id, now: i64, (least, most): (i64, i64), title: &str, fault: Option<&str>) -> Option<i64> {
    let held: Option<i64> = ui.data(|data| data.get_temp(salt));
    let mut number = held.unwrap_or(now);
    // What is out of range may be shown, and is brought into it when it is changed.
    let (least, most) = (least.min(now), most.max(now));
    let field = ui.add(DragValue::new(&mut number).range(least..=most).speed(0.1));
    field.clone().accessible_name(title);
    if let Some(fault) = fault {
        let palette = Palette::of(ui.visuals());
        let stroke = Stroke::new(1.5, palette.danger);
        ui.painter().rect_stroke(field.rect, 5, stroke, StrokeKind::Outside);
        field.clone().on_hover_text(fault);
    }
    if field.dragged() || field.has_focus() {
        ui.data_mut(|data| data.insert_temp(salt, number));
    }
    if field.drag_stopped() || is_left(ui, &field) || (field.changed() && !field.dragged() && !field.has_focus()) {
        ui.data_mut(|data| data.remove::<i64>(salt));
        return (number != now).then_some(number);
    }
    None
}

/// A text that counts when its field is left.
pub(super) fn text_ui(ui: &mut Ui, salt: Id, now: &str, title: &str, width: f32, fault: Option<&str>) -> Option<String> {
    let mut typed = Typed::begin(ui, salt, now);
    let id = typed.field();
    let room = (ui.max_rect().right() - ui.cursor().left()).max(0.0);
    let width = if width.is_infinite() && room < 140.0 {
        ui.end_row();
        ui.max_rect().width() - 12.0
    } else {
        width.min(room - 12.0).max(50.0)
    };
    let field = TextEdit::singleline(&mut typed.text).id(id).desired_width(width);
    let field = ui.add(field);
    field.clone().accessible_name(title);
    if let Some(fault) = fault {
        let palette = Palette::of(ui.visuals());
        let stroke = Stroke::new(1.0, palette.warning);
        ui.painter().rect_stroke(field.rect, 4, stroke, StrokeKind::Outside);
        field.clone().on_hover_text(fault);
    }
    typed.end(ui, &field, now)
}
