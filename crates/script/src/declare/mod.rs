//! From what `ruleset()` gives back to declarations, checked strictly: every unknown key and every wrong value is a diagnostic.

mod endings;
mod reader;
mod turns;

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::api::convert::{map_entries, plain_value};
use super::contests::RESULT_KEY;
use boardwright_model::diagnostic::{Code, Diagnostics, Location};
use boardwright_model::{
    ActionDeclaration, ContestDeclaration, Declarations, EndingCondition, Figure, HeatMapDeclaration, Idle, KindDeclaration,
    OptionDeclaration, PhaseDeclaration, PickDeclaration, PickKind, PropertyDeclaration, PropertyId, Scope, SeatDeclaration, SeatId,
    SeatSet, Shape, TerrainDeclaration, TurnSet, Value, ValueType, ZoneDeclaration, ZoneVisibility, sentence,
};
use reader::{Item, Reader};

/// The keys that say the type of a property or an option.
/// The greatest playout depth: playouts to the end have no more actions.
const MOST_PLAYOUT_DEPTH: u32 = 2_000;

const TYPES: [&str; 10] = [
    "integer", "flag", "text", "choice", "subset", "cell", "piece", "seat", "kind", "list",
];
/// Those that say the type of what a contest begins with.
const PARAMETER_TYPES: [&str; 3] = ["integer", "flag", "choice"];

const SCOPES: [(Scope, &str); 5] = [
    (Scope::Match, "match"),
    (Scope::Seat, "seat"),
    (Scope::Piece, "piece"),
    (Scope::Cell, "cell"),
    (Scope::Edge, "edge"),
];
const VISIBILITIES: [(ZoneVisibility, &str); 3] = [
    (ZoneVisibility::Everyone, "everyone"),
    (ZoneVisibility::Owner, "owner"),
    (ZoneVisibility::NoOne, "no one"),
];

/// Finds the place of a declared key: the way of keys and list positions that leads to it.
pub(super) type Locate<'a> = dyn Fn(&[String]) -> Option<Location> + 'a;

/// Reads declarations from the value of `ruleset()`.
pub(super) fn declarations(value: &Dynamic, locate: &Locate<'_>) -> Result<Declarations, Diagnostics> {
    let mut reader = Reader {
        problems: Diagnostics::default(),
        way: Vec::new(),
        locate,
    };
    let mut declarations = Declarations::default();
    if let Some(map) = map_entries(value) {
        reader.declarations(map, &mut declarations);
    } else {
        let cure = "write `fn ruleset() { #{ seats: [..], kinds: [..], actions: [..] } }`";
        reader.complain_with(Code::BadValue, "ruleset() has to give back a map of declarations", cure);
    }
    if reader.problems.has_errors() {
        Err(reader.problems)
    } else {
        Ok(declarations)
    }
}

impl Reader<'_> {
    fn declarations(&mut self, map: Map, declarations: &mut Declarations) {
        let mut item = Item::new(map, "ruleset()");
        declarations.seats = self.list(&mut item, "seats", Self::seat);
        declarations.properties = self.list(&mut item, "properties", Self::property);
        for (scope, _) in SCOPES {
            let of_scope = declarations.properties.iter_mut().filter(|property| property.scope == scope);
            of_scope.zip(0..=u16::MAX).for_each(|(property, slot)| property.slot = slot);
        }
        declarations.kinds = self.list(&mut item, "kinds", |reader, item| reader.kind(item, declarations));
        declarations.terrains = self.list(&mut item, "terrains", Self::terrain);
        let zones = self.list(&mut item, "zones", |reader, item| reader.zones(item, declarations.seats.len()));
        declarations.zones = zones.concat();
        declarations.idle = self.idle(&mut item);
        declarations.forfeits = self.forfeits(&mut item);
        declarations.turns = self.list(&mut item, "turns", |reader, item| reader.turn(item, declarations));
        turns::complete(declarations);
        declarations.phases = self.list(&mut item, "phases", Self::phase);
        if declarations.phases.is_empty() {
            declarations.phases.push(PhaseDeclaration {
                name: Arc::from("play"),
                title: sentence!("Play").into(),
                automatic: false,
            });
        }
        declarations.options = self.list(&mut item, "options", |reader, item| reader.option(item, &TYPES));
        declarations.map_options = self.list(&mut item, "map_options", |reader, item| reader.option(item, &PARAMETER_TYPES));
        declarations.contests = self.list(&mut item, "contests", Self::contest);
        declarations.heat_maps = self.list(&mut item, "heat_maps", Self::heat_map);
        declarations.actions = self.list(&mut item, "actions", |reader, item| reader.action(item, declarations));
        for action in &declarations.actions {
            let Some(name) = &action.instead_of else { continue };
            let mut answers = declarations
                .actions
                .iter()
                .filter(|action| action.answers_decision && action.instead_of.is_none());
            if !answers.any(|answer| answer.name == *name) {
                self.complain_at("actions", format!("{}: there is no action {name:?} that answers", action.name));
            }
        }
        let endings = self.list(&mut item, "endings", |reader, item| reader.ending(item, declarations));
        declarations.endings = endings.into_iter().flatten().collect();
        if let Some(clock) = self.text(&mut item, "progress_clock") {
            declarations.progress_clock = declarations.find_property(Scope::Match, &clock);
            if declarations.progress_clock.is_none() {
                let known: Vec<&str> = declarations
                    .properties_of(Scope::Match)
                    .map(|(_, property)| &*property.name)
                    .collect();
                self.unknown_at("progress_clock", format!("there is no match property {clock:?}"), &clock, &known);
            }
        }
        if let Some(scale) = self.integer(&mut item, "value_scale") {
            declarations.value_scale = u32::try_from(scale).ok().filter(|scale| *scale > 0);
            if declarations.value_scale.is_none() {
                self.complain_at(
                    "value_scale",
                    format!("the value scale is a whole number from 1 to {}, not {scale}", u32::MAX),
                );
            }
        }
        if let Some(depth) = self.integer(&mut item, "playout_depth") {
            declarations.playout_depth = u32::try_from(depth).ok().filter(|depth| *depth <= MOST_PLAYOUT_DEPTH);
            if declarations.playout_depth.is_none() {
                self.complain_at(
                    "playout_depth",
                    format!("the playout depth is a whole number from 0 to {MOST_PLAYOUT_DEPTH}, not {depth}"),
                );
            }
        }
        declarations.counts_positions = self.flag(&mut item, "counts_positions");
        declarations.has_fog = self.flag(&mut item, "fog");
        declarations.has_shroud = self.flag(&mut item, "shroud");
        // What is not known cannot be watched either.
        declarations.has_fog |= declarations.has_shroud;
        self.leftover(&item);
        self.check(declarations);
    }

    fn check(&mut self, declarations: &Declarations) {
        if declarations.seats.is_empty() || declarations.seats.len() > SeatSet::MOST {
            let message = format!("a match needs 1 to {} seats", SeatSet::MOST);
            self.complain_with(Code::BadValue, &message, "write `seats: [#{ name: \"red\" }, #{ name: \"blue\" }]`");
        }
        if declarations.actions.is_empty() {
            self.complain("a ruleset needs at least one action");
        }
        self.unique("seat", "seats", declarations.seats.iter().map(|seat| &seat.name));
        self.unique("kind", "kinds", declarations.kinds.iter().map(|kind| &kind.name));
        self.unique("terrain", "terrains", declarations.terrains.iter().map(|terrain| &terrain.name));
        self.unique("turn", "turns", declarations.turns.iter().map(|turn| &turn.name));
        if declarations.turns.len() > TurnSet::MOST {
            self.complain(format!("a round has at most {} turns", TurnSet::MOST));
        }
        let passes_over = declarations
            .endings
            .iter()
            .any(|ending| ending.condition == EndingCondition::NobodyCanAct);
        if passes_over != (declarations.idle != Idle::Asked) {
            self.complain("idle: \"passes\" or \"drops_out\" and an ending with when: \"nobody_can_act\" need each other");
        }
        self.unique("phase", "phases", declarations.phases.iter().map(|phase| &phase.name));
        self.unique("action", "actions", declarations.actions.iter().map(|action| &action.name));
        self.unique("option", "options", declarations.options.iter().map(|option| &option.name));
        self.unique(
            "map option",
            "map_options",
            declarations.map_options.iter().map(|option| &option.name),
        );
        self.unique("contest", "contests", declarations.contests.iter().map(|contest| &contest.name));
        self.unique("heat map", "heat_maps", declarations.heat_maps.iter().map(|map| &map.name));
        for (scope, _) in SCOPES {
            let of_scope = declarations
                .properties
                .iter()
                .enumerate()
                .filter(|(_, property)| property.scope == scope);
            self.unique_at("property", "properties", of_scope.map(|(index, property)| (index, &property.name)));
        }
        // A zone for each seat is one declaration.
        let common = declarations
            .zones
            .iter()
            .filter(|zone| zone.owner.is_none_or(|seat| seat.index() == 0));
        self.unique("zone", "zones", common.map(|zone| &zone.name));
        let is_repetition = |condition: &EndingCondition| matches!(condition, EndingCondition::Repetition { .. });
        if declarations.endings.iter().any(|ending| is_repetition(&ending.condition)) && !declarations.counts_positions {
            self.complain("an ending by repetition needs counts_positions: true");
        }
        if declarations.kinds.len() > usize::from(u16::MAX)
            || declarations.actions.len() > 255
            || declarations.phases.len() > 255
            || declarations.terrains.len() > 255
        {
            self.complain("too many declarations: at most 255 actions, phases and terrains");
        }
    }

    fn seat(&mut self, item: &mut Item) -> SeatDeclaration {
        let (name, title) = self.name_and_title(item);
        let colour = self.colour(item, 0x80_80_80);
        SeatDeclaration { name, title, colour }
    }

    fn terrain(&mut self, item: &mut Item) -> TerrainDeclaration {
        let (name, title) = self.name_and_title(item);
        let colour = self.colour(item, 0xd8_cf_b8);
        TerrainDeclaration { name, title, colour }
    }

    fn kind(&mut self, item: &mut Item, declarations: &Declarations) -> KindDeclaration {
        let (name, title) = self.name_and_title(item);
        let glyph = self.text(item, "glyph");
        KindDeclaration {
            glyph: glyph.unwrap_or_else(|| Arc::from(title.chars().next().unwrap_or('?').to_string())),
            values: self.within("values", |reader| reader.values(item, declarations)),
            figure: self.figure(item),
            name,
            title,
        }
    }

    /// The properties in which new pieces of a kind differ from the default.
    fn values(&mut self, item: &mut Item, declarations: &Declarations) -> Vec<(PropertyId, Value)> {
        let mut values = Vec::new();
        let Some(given) = item.take("values") else { return values };
        let Some(given) = map_entries(&given) else {
            self.complain("expected a map of piece properties");
            return values;
        };
        for (key, value) in &given {
            let id = declarations.find_property(Scope::Piece, key);
            let declared = id.and_then(|id| Some((id, declarations.property(id)?)));
            match (declared, plain_value(value)) {
                (None, _) => {
                    let known: Vec<&str> = declarations
                        .properties_of(Scope::Piece)
                        .map(|(_, property)| &*property.name)
                        .collect();
                    self.unknown_at(key, "there is no such piece property", key, &known);
                }
                (Some(_), None) => self.complain_at(key, "a property cannot have this value"),
                (Some((id, property)), Some(value)) => match property.value_type.check(&value) {
                    Ok(()) => values.push((id, value)),
                    Err(error) => self.complain_of(key, &error),
                },
            }
        }
        values
    }

    /// The figure of a kind, drawn in rows.
    fn figure(&mut self, item: &mut Item) -> Option<Arc<Figure>> {
        let is_given = item.has("shape");
        let rows = self.words(item, "shape");
        let shape = is_given.then(|| Shape::parse(&rows))?;
        let shape = shape.map_err(|fault| self.complain_at("shape", fault.to_string()));
        Some(Arc::new(Figure::new(shape.ok()?)))
    }

    /// A common zone, or one for each seat.
    fn zones(&mut self, item: &mut Item, seats: usize) -> Vec<ZoneDeclaration> {
        let (name, title) = self.name_and_title(item);
        let each = self.text(item, "each");
        if let Some(other) = each.as_ref().filter(|each| ***each != *"seat") {
            self.complain_at("each", format!("{other:?} is not \"seat\""));
        }
        let seen_by = self.text(item, "seen_by");
        let visibility = seen_by.and_then(|word| self.meaning("seen_by", &word, &VISIBILITIES));
        let zone = |owner| ZoneDeclaration {
            name: name.clone(),
            title: title.clone(),
            owner,
            visibility: visibility.unwrap_or_default(),
        };
        match each {
            Some(_) => (0..seats).map(|index| zone(Some(SeatId::from_index(index)))).collect(),
            None => vec![zone(None)],
        }
    }

    fn phase(&mut self, item: &mut Item) -> PhaseDeclaration {
        let (name, title) = self.name_and_title(item);
        let automatic = self.flag(item, "automatic");
        PhaseDeclaration { name, title, automatic }
    }

    /// The type and default of a property or option: one key says both, as in `integer: 60, min: 1, max: 500` or `flag: true`.
    fn typed(&mut self, item: &mut Item, types: &[&str]) -> (ValueType, Value) {
        let (min, max) = (self.integer(item, "min"), self.integer(item, "max"));
        let words = self.words(item, "words");
        let Some((key, default)) = types.iter().find_map(|key| Some((*key, item.take(key)?))) else {
            let message = format!("the type and default are missing: one of {}", types.join(", "));
            self.complain_with(
                Code::BadValue,
                &message,
                "write both as one entry, for example `integer: 0` or `flag: false`",
            );
            return (ValueType::Flag, Value::Flag(false));
        };
        let value_type = match key {
            "integer" => ValueType::Integer {
                min: min.unwrap_or(i64::MIN),
                max: max.unwrap_or(i64::MAX),
            },
            "flag" => ValueType::Flag,
            "text" => ValueType::Text,
            "choice" => ValueType::Choice { words },
            "subset" => {
                if let Some(word) = words.iter().find(|word| word.contains(',')) {
                    self.complain(format!(
                        "a word of a subset has no comma, as {word:?} has: commas separate them in files"
                    ));
                }
                ValueType::Subset { words }
            }
            "cell" => ValueType::Cell,
            "piece" => ValueType::Piece,
            "seat" => ValueType::Seat,
            "kind" => ValueType::Kind,
            _ => ValueType::List,
        };
        let value = plain_value(&default).unwrap_or_default();
        if let Err(error) = value_type.check(&value) {
            self.complain_of(key, &error);
        }
        (value_type, value)
    }

    fn option(&mut self, item: &mut Item, types: &[&str]) -> OptionDeclaration {
        let (name, title) = self.name_and_title(item);
        let help = self.text(item, "help").unwrap_or_default();
        let (value_type, default) = self.typed(item, types);
        OptionDeclaration {
            name,
            title,
            help,
            value_type,
            default,
        }
    }

    fn contest(&mut self, item: &mut Item) -> ContestDeclaration {
        let (name, title) = self.name_and_title(item);
        let rule = self.text(item, "rule").unwrap_or_default();
        let results = self.words(item, "results");
        if results.is_empty() {
            self.complain("a contest needs results: the words for how it may end");
        }
        let read = |reader: &mut Self, item: &mut Item| {
            let parameter = reader.option(item, &PARAMETER_TYPES);
            let most = reader.integer(item, "counts_up_to");
            let checked = most.map_or(Ok(()), |most| parameter.value_type.check(&Value::Integer(most)));
            if let Err(error) = checked {
                reader.complain_at("counts_up_to", error.to_string());
            }
            (parameter, most)
        };
        let (parameters, counts_up_to): (Vec<OptionDeclaration>, Vec<Option<i64>>) =
            self.list(item, "parameters", read).into_iter().unzip();
        self.unique("parameter", "parameters", parameters.iter().map(|parameter| &parameter.name));
        if parameters.iter().any(|parameter| *parameter.name == *RESULT_KEY) {
            self.complain(format!(
                "no parameter can be called {RESULT_KEY}: that is what a round gives as the result"
            ));
        }
        ContestDeclaration {
            name,
            title,
            rule,
            results,
            parameters,
            counts_up_to: if counts_up_to.iter().any(Option::is_some) {
                counts_up_to
            } else {
                Vec::new()
            },
        }
    }

    fn heat_map(&mut self, item: &mut Item) -> HeatMapDeclaration {
        let (name, title) = self.name_and_title(item);
        let help = self.text(item, "help").unwrap_or_default();
        HeatMapDeclaration { name, title, help }
    }

    fn property(&mut self, item: &mut Item) -> PropertyDeclaration {
        let (name, title) = self.name_and_title(item);
        let of = self.needed(item, "of");
        let scope = self.meaning("of", &of, &SCOPES).unwrap_or(Scope::Match);
        let (value_type, default) = self.typed(item, &TYPES);
        PropertyDeclaration {
            name,
            title,
            scope,
            slot: 0,
            value_type,
            default,
            in_position: !self.flag(item, "counter"),
            is_secret: self.flag(item, "secret"),
        }
    }

    fn action(&mut self, item: &mut Item, declarations: &Declarations) -> ActionDeclaration {
        let (name, title) = self.name_and_title(item);
        let rule = self.text(item, "rule").unwrap_or_default();
        let picks = self.list(item, "picks", Self::pick);
        self.unique("pick", "picks", picks.iter().map(|pick| &pick.name));
        let mut phases = Vec::new();
        for phase in self.words(item, "phases") {
            if let Some(phase) = declarations.find_phase(&phase) {
                phases.push(phase);
            } else {
                let known: Vec<&str> = declarations.phases.iter().map(|phase| &*phase.name).collect();
                self.unknown_at("phases", format!("there is no phase {phase:?}"), &phase, &known);
            }
        }
        phases.sort_unstable_by_key(|phase| phase.0);
        let instead_of = self.text(item, "instead_of");
        ActionDeclaration {
            name,
            title,
            rule,
            picks,
            phases,
            answers_decision: self.flag(item, "answers") || instead_of.is_some(),
            instead_of,
            ends_turn: self.flag(item, "ends_turn"),
            is_aside: self.flag(item, "aside"),
            is_last_resort: self.flag(item, "last_resort"),
            is_open: self.flag(item, "open"),
            begins_contest: false,
            is_confirmed: self.flag(item, "confirm"),
        }
    }

    fn pick(&mut self, item: &mut Item) -> PickDeclaration {
        let name = self.needed(item, "name");
        let title = self.text(item, "title").unwrap_or_default();
        let prompt = self.text(item, "prompt");
        let prompt = prompt.unwrap_or_else(|| Arc::from(format!("Which {}?", name.replace('_', " "))));
        let rule = self.text(item, "rule").unwrap_or_default();
        let word = self.needed(item, "pick");
        let kind = self.meaning("pick", &word, &PickKind::ALL).unwrap_or(PickKind::Cell);
        PickDeclaration {
            name,
            title,
            prompt,
            rule,
            kind,
        }
    }
}

/// A colour written as `#RRGGBB`.
pub(super) fn read_colour(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    u32::from_str_radix(digits, 16).ok()
}
