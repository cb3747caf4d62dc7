//! What the fields of sentences may be chosen from, on a board and under declarations.

use boardwright_model::{Board, Declarations, RegionId, Scope, ValueType};

use super::form::{FieldKind, Form};
use super::trigger::{Comparison, FieldValue, Sentence, Trigger};

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
    numbers: Vec<(Scope, Choice)>,
    words: Vec<(Scope, Choice)>,
}

/// A field that names something that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The form of the sentence.
    pub form: &'static Form,
    /// The index of the field.
    pub field: usize,
    /// What it names.
    pub name: String,
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
            numbers: properties(|value_type| matches!(value_type, ValueType::Integer { .. })),
            words: properties(|value_type| matches!(value_type, ValueType::Text | ValueType::Choice { .. } | ValueType::Flag)),
        }
    }

    /// What a field of a kind can be chosen from; nothing where it is typed in, as numbers and texts are.
    pub fn of_field(&self, kind: FieldKind) -> Vec<Choice> {
        let of = |scope: Scope, all: &[(Scope, Choice)]| -> Vec<Choice> {
            let fitting = all.iter().filter(|(other, _)| *other == scope);
            fitting.map(|(_, choice)| choice.clone()).collect()
        };
        match kind {
            FieldKind::Region => self.regions.clone(),
            FieldKind::Cell => self.cells.clone(),
            FieldKind::Seat => self.seats.clone(),
            FieldKind::Kind => self.kinds.clone(),
            FieldKind::Terrain => self.terrains.clone(),
            FieldKind::Zone => self.zones.clone(),
            FieldKind::Action => self.actions.clone(),
            FieldKind::NumberOf(scope) => of(scope, &self.numbers),
            FieldKind::WordOf(scope) => of(scope, &self.words),
            FieldKind::Comparison => {
                let choice = |comparison: Comparison| Choice {
                    value: FieldValue::Comparison(comparison),
                    title: comparison.sign().to_owned(),
                };
                Comparison::ALL.into_iter().map(choice).collect()
            }
            FieldKind::Number | FieldKind::Text | FieldKind::Word => Vec::new(),
        }
    }

    /// A sentence of a form with the first choice in each field; none where there is nothing to choose, such as a region on a map without any.
    pub fn first(&self, form: &'static Form) -> Option<Sentence> {
        let value = |kind: FieldKind| match kind {
            FieldKind::Number => Some(FieldValue::Number(1)),
            FieldKind::Text | FieldKind::Word => Some(FieldValue::Text(String::new())),
            kind => self.of_field(kind).into_iter().next().map(|choice| choice.value),
        };
        let values: Option<Vec<FieldValue>> = form.fields.iter().map(|field| value(field.kind)).collect();
        Sentence::new(form, values?)
    }

    /// The fields of a trigger that name something that is not there.
    pub fn missing(&self, trigger: &Trigger) -> Vec<Missing> {
        let sentences = std::iter::once(trigger.when())
            .chain(trigger.conditions())
            .chain(trigger.consequences());
        let fields = sentences.flat_map(|sentence| {
            let form = sentence.form();
            let fields = form.fields.iter().zip(sentence.values()).enumerate();
            fields.map(move |(index, (field, value))| (form, index, field.kind, value))
        });
        let missing = fields.filter_map(|(form, field, kind, value)| {
            let (FieldValue::Name(name) | FieldValue::Seat(Some(name))) = value else {
                return None;
            };
            let is_there = self.of_field(kind).iter().any(|choice| choice.value == *value);
            (!is_there).then(|| Missing {
                form,
                field,
                name: name.clone(),
            })
        });
        missing.collect()
    }
}
