//! What the fields of sentences may be chosen from, on a board and under declarations.

use boardwright_model::{Board, Declarations, RegionId, Scope, ValueType};

use super::form::{FORMS, FieldKind, Form, Part};
use super::trigger::{Comparison, FieldValue, Sentence, SlotPath, Trigger};

/// Something to choose: what the field then stands at, and how it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value of the field.
    pub value: FieldValue,
    /// What people read; empty for the seat on turn.
    pub title: String,
}

/// The names that a map and a ruleset give, each with its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    regions: Vec<Choice>,
    cells: Vec<Choice>,
    seats: Vec<Choice>,
    kinds: Vec<Choice>,
    terrains: Vec<Choice>,
    zones: Vec<Choice>,
    actions: Vec<Choice>,
    comparisons: Vec<Choice>,
    numbers: Vec<(Scope, Choice)>,
    words: Vec<(Scope, Choice)>,
    types: Vec<(Scope, String, ValueType)>,
}

/// Something wrong with a trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: SlotPath,
    /// What.
    pub kind: FaultKind,
}

/// What is wrong with a trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A field names something that is not there.
    Missing(String),
    /// Nothing stands in a field.
    Empty,
    /// A number is not in the range of its property, or of its field.
    Range(i64, i64),
    /// A value is none of its property.
    Value(String),
    /// Nothing is done.
    DoesNothing,
}

impl Choices {
    /// Those of a board and declarations.
    pub fn of(board: &Board, declarations: &Declarations) -> Self {
        let choice = |name: &str, title: &str| Choice {
            value: FieldValue::Name(name.to_owned()),
            title: title.to_owned(),
        };
        let seat = |seat: Option<(&str, &str)>| Choice {
            value: FieldValue::Seat(seat.map(|(name, _)| name.to_owned())),
            title: seat.map_or_else(String::new, |(_, title)| title.to_owned()),
        };
        let properties = |is_it: fn(&ValueType) -> bool| {
            let all = declarations.properties.iter().filter(|property| is_it(&property.value_type));
            all.map(|property| (property.scope, choice(&property.name, &property.title)))
                .collect()
        };
        let regions = (0..board.region_count()).map(|index| board.region_name(RegionId::from_index(index)));
        let seats = declarations.seats.iter().map(|one| seat(Some((&one.name, &one.title))));
        let of_seats = declarations.zones.iter().filter(|zone| zone.owner.is_some());
        let mut zones: Vec<Choice> = of_seats.map(|zone| choice(&zone.name, &zone.title)).collect();
        zones.dedup_by(|a, b| a.value == b.value);
        Self {
            regions: regions.map(|name| choice(name, name)).collect(),
            cells: board
                .cells()
                .map(|cell| choice(board.cell_name(cell), board.cell_name(cell)))
                .collect(),
            seats: seats.chain([seat(None)]).collect(),
            kinds: declarations.kinds.iter().map(|kind| choice(&kind.name, &kind.title)).collect(),
            terrains: declarations
                .terrains
                .iter()
                .map(|terrain| choice(&terrain.name, &terrain.title))
                .collect(),
            zones,
            actions: declarations
                .actions
                .iter()
                .map(|action| choice(&action.name, &action.title))
                .collect(),
            comparisons: Comparison::ALL
                .into_iter()
                .map(|comparison| Choice {
                    value: FieldValue::Comparison(comparison),
                    title: comparison.sign().to_owned(),
                })
                .collect(),
            types: declarations
                .properties
                .iter()
                .map(|property| (property.scope, property.name.to_string(), property.value_type.clone()))
                .collect(),
            numbers: properties(|value_type| matches!(value_type, ValueType::Integer { .. })),
            words: properties(|value_type| matches!(value_type, ValueType::Text | ValueType::Choice { .. } | ValueType::Flag)),
        }
    }

    /// What a field of a kind can be chosen from; nothing where it is typed in, as numbers and texts are.
    pub fn of_field(&self, kind: FieldKind) -> impl Iterator<Item = &Choice> {
        let (all, of_scope): (&[Choice], &[(Scope, Choice)]) = match kind {
            FieldKind::Region => (&self.regions, &[]),
            FieldKind::Cell => (&self.cells, &[]),
            FieldKind::Seat => (&self.seats, &[]),
            FieldKind::Kind => (&self.kinds, &[]),
            FieldKind::Terrain => (&self.terrains, &[]),
            FieldKind::Zone => (&self.zones, &[]),
            FieldKind::Action => (&self.actions, &[]),
            FieldKind::Comparison => (&self.comparisons, &[]),
            FieldKind::NumberOf(_) => (&[], &self.numbers),
            FieldKind::WordOf(_) => (&[], &self.words),
            FieldKind::Number | FieldKind::Dice | FieldKind::Text | FieldKind::Word => (&[], &[]),
        };
        let fits = move |scope: Scope| matches!(kind, FieldKind::NumberOf(of) | FieldKind::WordOf(of) if of == scope);
        let of_scope = of_scope.iter().filter(move |(scope, _)| fits(*scope));
        all.iter().chain(of_scope.map(|(_, choice)| choice))
    }

    /// The choice that a value of a field is, if it is there.
    pub fn find(&self, kind: FieldKind, value: &FieldValue) -> Option<&Choice> {
        self.of_field(kind).find(|choice| choice.value == *value)
    }

    /// The type of the property that a sentence speaks of, if there is one of that name.
    pub fn type_of(&self, sentence: &Sentence) -> Option<&ValueType> {
        let fields = sentence.form().fields.iter().zip(sentence.values());
        let mut named = fields.filter_map(|(field, value)| match (field.kind, value) {
            (FieldKind::NumberOf(scope) | FieldKind::WordOf(scope), FieldValue::Name(name)) => Some((scope, name)),
            _ => None,
        });
        let (scope, name) = named.next()?;
        let mut types = self.types.iter();
        types
            .find(|(of, known, _)| *of == scope && known == name)
            .map(|(.., value_type)| value_type)
    }

    /// A sentence of a form with the first choice in each field; none where there is nothing to choose, such as a region on a map without any.
    pub fn first(&self, form: &'static Form) -> Option<Sentence> {
        let value = |kind: FieldKind| match kind {
            FieldKind::Number => Some(FieldValue::Number(1)),
            FieldKind::Dice => Some(FieldValue::Text("1d6".to_owned())),
            FieldKind::Text | FieldKind::Word => Some(FieldValue::Text(String::new())),
            kind => self.of_field(kind).next().map(|choice| choice.value.clone()),
        };
        let values: Option<Vec<FieldValue>> = form.fields.iter().map(|field| value(field.kind)).collect();
        Some(self.adapted(Sentence::new(form, values?)?))
    }

    /// The same sentence with a value that its property may have, where it has another.
    #[must_use]
    pub fn adapted(&self, sentence: Sentence) -> Sentence {
        let kinds = sentence.form().fields.iter().map(|field| field.kind);
        let Some(word) = kinds.clone().position(|kind| kind == FieldKind::Word) else {
            return sentence;
        };
        let default = match (self.type_of(&sentence), sentence.values().get(word)) {
            (Some(ValueType::Flag), Some(FieldValue::Text(_))) => FieldValue::Flag(true),
            (Some(ValueType::Text), Some(FieldValue::Flag(_))) => FieldValue::Text(String::new()),
            (Some(ValueType::Choice { words }), Some(FieldValue::Text(text))) if words.iter().any(|word| **word == **text) => {
                return sentence;
            }
            (Some(ValueType::Choice { words }), _) => FieldValue::Text(words.first().map(ToString::to_string).unwrap_or_default()),
            _ => return sentence,
        };
        sentence.with(word, default).unwrap_or(sentence)
    }

    /// The forms that may stand in a part of a trigger, and for which there is something to choose: for what happens all of them.
    pub fn offered(&self, part: Part, when: Option<&Form>) -> Vec<&'static Form> {
        let fits = |form: &&Form| form.part == part && when.is_none_or(|when| form.fits(when));
        FORMS.iter().filter(fits).filter(|form| self.first(form).is_some()).collect()
    }

    /// Everything that is wrong with a trigger on this map under this ruleset.
    pub fn faults(&self, trigger: &Trigger) -> Vec<Fault> {
        let mut faults = Vec::new();
        for part in [Part::When, Part::If, Part::Then] {
            for (index, sentence) in trigger.sentences(part).iter().enumerate() {
                let place = SlotPath {
                    part,
                    sentence: index,
                    fields: Vec::new(),
                };
                self.sentence_faults(sentence, &place, &mut faults);
            }
        }
        if trigger.consequences().is_empty() {
            let place = SlotPath {
                part: Part::Then,
                sentence: 0,
                fields: Vec::new(),
            };
            faults.push(Fault {
                place,
                kind: FaultKind::DoesNothing,
            });
        }
        faults
    }

    fn sentence_faults(&self, sentence: &Sentence, at: &SlotPath, faults: &mut Vec<Fault>) {
        for (index, (field, value)) in sentence.form().fields.iter().zip(sentence.values()).enumerate() {
            let mut place = at.clone();
            place.fields.push(index);
            let kind = match value {
                FieldValue::Computed(computed) => {
                    self.sentence_faults(computed, &place, faults);
                    continue;
                }
                FieldValue::Name(name) | FieldValue::Seat(Some(name)) => {
                    let is_there = self.find(field.kind, value).is_some();
                    let kind = if name.is_empty() {
                        FaultKind::Empty
                    } else {
                        FaultKind::Missing(name.clone())
                    };
                    (!is_there).then_some(kind)
                }
                FieldValue::Text(text) if field.kind == FieldKind::Text => text.trim().is_empty().then_some(FaultKind::Empty),
                FieldValue::Text(text) if field.kind == FieldKind::Word => match self.type_of(sentence) {
                    Some(ValueType::Choice { words }) if words.iter().all(|word| **word != **text) => Some(FaultKind::Value(text.clone())),
                    Some(ValueType::Flag) => Some(FaultKind::Value(text.clone())),
                    _ => None,
                },
                FieldValue::Flag(flag) => {
                    let is_flag = self.type_of(sentence).is_none_or(|value_type| *value_type == ValueType::Flag);
                    (!is_flag).then(|| FaultKind::Value(flag.to_string()))
                }
                FieldValue::Number(number) => {
                    let (least, most) = self.range(sentence);
                    (!(least..=most).contains(number)).then_some(FaultKind::Range(least, most))
                }
                FieldValue::Text(_) | FieldValue::Seat(None) | FieldValue::Comparison(_) => None,
            };
            faults.extend(kind.map(|kind| Fault { place, kind }));
        }
    }

    /// What a field of a trigger can be chosen from.
    pub fn at(&self, trigger: &Trigger, place: &SlotPath) -> Vec<&Choice> {
        let Some((last, outer)) = place.fields.split_last() else {
            return Vec::new();
        };
        let outer = SlotPath {
            fields: outer.to_vec(),
            ..place.clone()
        };
        let sentence = match trigger.value(&outer) {
            Some(FieldValue::Computed(sentence)) => Some(&**sentence),
            _ => trigger.sentences(place.part).get(place.sentence),
        };
        let field = sentence.and_then(|sentence| sentence.form().fields.get(*last));
        field.map(|field| self.of_field(field.kind).collect()).unwrap_or_default()
    }

    /// The range of the number in a sentence: that of the property that it sets, or from 1 where rounds and turns are counted.
    pub fn range(&self, sentence: &Sentence) -> (i64, i64) {
        match self.type_of(sentence) {
            Some(ValueType::Integer { min, max }) if sentence.form().sets_number => (*min, *max),
            None if sentence.form().counts() => (1, i64::MAX),
            _ => (i64::MIN, i64::MAX),
        }
    }
}
