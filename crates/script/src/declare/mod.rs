//! From what `ruleset()` gives back to a frame, checked strictly: every unknown key and every wrong value is a diagnostic.

mod endings;
mod reader;
mod turns;

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::api::convert::{map_entries, plain_value};
use super::keys::{self, Key, actions, contests, kinds, phases, picks, properties, ruleset, seats, terrains, zones};
use boardwright_model::diagnostic::{Diagnostics, Place};
use boardwright_model::{
    ActionDeclaration, ContestDeclaration, Declarations, EndingCondition, Figure, Idle, KindDeclaration, OptionDeclaration,
    PhaseDeclaration, PhaseId, PickDeclaration, PickKind, PropertyDeclaration, Scope, SeatDeclaration, SeatId, SeatSet, Shape,
    TerrainDeclaration, TurnSet, Value, ValueType, ZoneDeclaration, ZoneVisibility, sentence,
};
use reader::{Item, Reader};

/// The keys that say the type of a property or an option.
const TYPES: [Key; 9] = [
    keys::INTEGER,
    keys::FLAG,
    keys::TEXT,
    keys::CHOICE,
    keys::CELL,
    keys::PIECE,
    keys::SEAT,
    keys::KIND,
    keys::LIST,
];

/// Finds the place of a declared key: the way of keys and list positions that leads to it.
pub(super) type Locate<'a> = dyn Fn(&[String]) -> Option<Place> + 'a;

/// Reads a frame from the value of `ruleset()`.
pub(super) fn frame(value: &Dynamic, locate: &Locate<'_>) -> Result<Declarations, Diagnostics> {
    let mut reader = Reader {
        problems: Diagnostics::default(),
        way: Vec::new(),
        locate,
    };
    let mut frame = Declarations::default();
    match map_entries(value) {
        Some(map) => reader.frame(&map, &mut frame),
        None => reader.complain("ruleset() has to give back a map of declarations"),
    }
    if reader.problems.has_errors() {
        Err(reader.problems)
    } else {
        Ok(frame)
    }
}

impl Reader<'_> {
    fn frame(&mut self, map: &Map, frame: &mut Declarations) {
        let mut item = Item::new(map.clone(), "");
        frame.seats = self.list(&mut item, ruleset::SEATS, Self::seat);
        frame.properties = self.list(&mut item, ruleset::PROPERTIES, Self::property);
        for scope in [Scope::Match, Scope::Seat, Scope::Piece, Scope::Cell, Scope::Edge] {
            let of_scope = frame.properties.iter_mut().filter(|property| property.scope == scope);
            of_scope
                .enumerate()
                .for_each(|(slot, property)| property.slot = slot.min(usize::from(u16::MAX)) as u16);
        }
        let so_far = frame.clone();
        frame.kinds = self.list(&mut item, ruleset::KINDS, |reader, item| reader.kind(item, &so_far));
        frame.terrains = self.list(&mut item, ruleset::TERRAINS, Self::terrain);
        let zones = self.list(&mut item, ruleset::ZONES, Self::zone);
        for (zone, each) in zones {
            if each {
                let of = |index| ZoneDeclaration {
                    owner: Some(SeatId::from_index(index)),
                    ..zone.clone()
                };
                frame.zones.extend((0..frame.seats.len()).map(of));
            } else {
                frame.zones.push(zone);
            }
        }
        frame.idle = self.idle(&mut item);
        let so_far = frame.clone();
        frame.turns = self.list(&mut item, ruleset::TURNS, |reader, item| reader.turn(item, &so_far));
        turns::complete(frame);
        frame.phases = self.list(&mut item, ruleset::PHASES, Self::phase);
        if frame.phases.is_empty() {
            frame.phases.push(PhaseDeclaration {
                name: Arc::from("play"),
                title: sentence!("Play").into(),
                automatic: false,
            });
        }
        frame.options = self.list(&mut item, ruleset::OPTIONS, Self::option);
        frame.contests = self.list(&mut item, ruleset::CONTESTS, Self::contest);
        let so_far = frame.clone();
        frame.actions = self.list(&mut item, ruleset::ACTIONS, |reader, item| reader.action(item, &so_far));
        frame.endings = self
            .list(&mut item, ruleset::ENDINGS, |reader, item| reader.ending(item, &so_far))
            .into_iter()
            .flatten()
            .collect();
        if let Some(clock) = self.text(&mut item, ruleset::PROGRESS_CLOCK) {
            frame.progress_clock = frame.find_property(Scope::Match, &clock);
            if frame.progress_clock.is_none() {
                self.within(ruleset::PROGRESS_CLOCK.name, |reader| {
                    reader.complain(format!("there is no match property {clock:?}"));
                });
            }
        }
        frame.counts_positions = self.flag(&mut item, ruleset::COUNTS_POSITIONS);
        frame.has_fog = self.flag(&mut item, ruleset::FOG);
        self.leftover(&item);
        self.check(frame);
    }

    fn check(&mut self, frame: &Declarations) {
        if frame.seats.is_empty() || frame.seats.len() > SeatSet::MOST {
            self.complain(format!("a match needs 1 to {} seats", SeatSet::MOST));
        }
        if frame.actions.is_empty() {
            self.complain("a ruleset needs at least one action");
        }
        self.unique("seat", frame.seats.iter().map(|seat| &seat.name));
        self.unique("kind", frame.kinds.iter().map(|kind| &kind.name));
        self.unique("terrain", frame.terrains.iter().map(|terrain| &terrain.name));
        self.unique("turn", frame.turns.iter().map(|turn| &turn.name));
        if frame.turns.len() > TurnSet::MOST {
            self.complain(format!("a round has at most {} turns", TurnSet::MOST));
        }
        let passes_over = frame.endings.iter().any(|ending| ending.condition == EndingCondition::NobodyCanAct);
        if passes_over != (frame.idle != Idle::Asked) {
            self.complain("idle: \"passes\" or \"drops_out\" and an ending with when: \"nobody_can_act\" need each other");
        }
        self.unique("phase", frame.phases.iter().map(|phase| &phase.name));
        self.unique("action", frame.actions.iter().map(|action| &action.name));
        self.unique("option", frame.options.iter().map(|option| &option.name));
        self.unique("contest", frame.contests.iter().map(|contest| &contest.name));
        for scope in [Scope::Match, Scope::Seat, Scope::Piece, Scope::Cell, Scope::Edge] {
            self.unique("property", frame.properties_of(scope).map(|(_, property)| &property.name));
        }
        let counts = frame
            .endings
            .iter()
            .any(|ending| matches!(ending.condition, EndingCondition::Repetition { .. }));
        if counts && !frame.counts_positions {
            self.complain("an ending by repetition needs counts_positions: true");
        }
        if frame.kinds.len() > usize::from(u16::MAX) || frame.actions.len() > 255 || frame.phases.len() > 255 || frame.terrains.len() > 255
        {
            self.complain("too many declarations: at most 255 actions, phases and terrains");
        }
    }

    fn seat(&mut self, item: &mut Item) -> SeatDeclaration {
        let name = self.name(item, keys::NAME);
        SeatDeclaration {
            title: self.title(item, &name),
            colour: self.colour(item, seats::COLOUR, 0x80_80_80),
            name,
        }
    }

    fn kind(&mut self, item: &mut Item, frame: &Declarations) -> KindDeclaration {
        let name = self.name(item, keys::NAME);
        let title = self.title(item, &name);
        let initial = || {
            title
                .chars()
                .next()
                .map_or_else(|| Arc::from("?"), |first| Arc::from(first.to_string()))
        };
        let glyph = self.text(item, kinds::GLYPH).unwrap_or_else(initial);
        let mut values = Vec::new();
        if let Some(given) = item.take(kinds::VALUES) {
            self.within(kinds::VALUES.name, |reader| {
                let Some(given) = map_entries(&given) else {
                    return reader.complain("expected a map of piece properties");
                };
                for (key, value) in &given {
                    reader.within(key, |reader| {
                        let property = frame
                            .find_property(Scope::Piece, key)
                            .and_then(|id| Some((id, frame.property(id)?)));
                        match (property, plain_value(value)) {
                            (None, _) => reader.complain("there is no such piece property"),
                            (Some((id, property)), Some(value)) => match property.value_type.check(&value) {
                                Ok(()) => values.push((id, value)),
                                Err(error) => reader.complain(error.to_string()),
                            },
                            (Some(_), None) => reader.complain("a property can not have this value"),
                        }
                    });
                }
            });
        }
        KindDeclaration {
            figure: self.figure(item),
            name,
            title,
            glyph,
            values,
        }
    }

    /// The figure of a kind, drawn in rows.
    fn figure(&mut self, item: &mut Item) -> Option<Arc<Figure>> {
        let is_given = item.has(kinds::SHAPE);
        let rows = self.words(item, kinds::SHAPE);
        if !is_given {
            return None;
        }
        match Shape::parse(&rows) {
            Ok(shape) => Some(Arc::new(Figure::new(shape))),
            Err(fault) => {
                self.within(kinds::SHAPE.name, |reader| reader.complain(fault.to_string()));
                None
            }
        }
    }

    fn terrain(&mut self, item: &mut Item) -> TerrainDeclaration {
        let name = self.name(item, keys::NAME);
        TerrainDeclaration {
            title: self.title(item, &name),
            colour: self.colour(item, terrains::COLOUR, 0xd8_cf_b8),
            name,
        }
    }

    fn zone(&mut self, item: &mut Item) -> (ZoneDeclaration, bool) {
        let name = self.name(item, keys::NAME);
        let title = self.title(item, &name);
        let each = match self.text(item, zones::EACH).as_deref() {
            None => false,
            Some("seat") => true,
            Some(other) => {
                self.within(zones::EACH.name, |reader| reader.complain(format!("{other:?} is not \"seat\"")));
                false
            }
        };
        let visibility = match self.text(item, zones::SEEN_BY).as_deref() {
            None | Some("everyone") => ZoneVisibility::Everyone,
            Some("owner") => ZoneVisibility::Owner,
            Some("no one") => ZoneVisibility::NoOne,
            Some(other) => {
                self.within(zones::SEEN_BY.name, |reader| {
                    reader.complain(format!("{other:?} is none of everyone, owner, no one"));
                });
                ZoneVisibility::Everyone
            }
        };
        (
            ZoneDeclaration {
                name,
                title,
                owner: None,
                visibility,
            },
            each,
        )
    }

    fn phase(&mut self, item: &mut Item) -> PhaseDeclaration {
        let name = self.name(item, keys::NAME);
        PhaseDeclaration {
            title: self.title(item, &name),
            automatic: self.flag(item, phases::AUTOMATIC),
            name,
        }
    }

    /// The type and default of a property or option: one key says both, as in `integer: 60, min: 1, max: 500` or `flag: true`.
    fn typed(&mut self, item: &mut Item) -> (ValueType, Value) {
        self.typed_as(item, &TYPES)
    }

    /// The same for some of the types.
    fn typed_as(&mut self, item: &mut Item, types: &[Key]) -> (ValueType, Value) {
        let (min, max) = (self.integer(item, keys::MIN), self.integer(item, keys::MAX));
        let words = self.words(item, keys::WORDS);
        let Some((key, default)) = types.iter().find_map(|key| Some((*key, item.take(*key)?))) else {
            let known: Vec<&str> = types.iter().map(|key| key.name).collect();
            self.complain(format!("the type and default are missing: one of {}", known.join(", ")));
            return (ValueType::Flag, Value::Flag(false));
        };
        let value_type = match key {
            keys::INTEGER => ValueType::Integer {
                min: min.unwrap_or(i64::MIN),
                max: max.unwrap_or(i64::MAX),
            },
            keys::FLAG => ValueType::Flag,
            keys::TEXT => ValueType::Text,
            keys::CHOICE => ValueType::Choice { words },
            keys::CELL => ValueType::Cell,
            keys::PIECE => ValueType::Piece,
            keys::SEAT => ValueType::Seat,
            keys::KIND => ValueType::Kind,
            _ => ValueType::List,
        };
        let value = plain_value(&default).unwrap_or_default();
        if let Err(error) = value_type.check(&value) {
            self.within(key.name, |reader| reader.complain(error.to_string()));
        }
        (value_type, value)
    }

    fn option(&mut self, item: &mut Item) -> OptionDeclaration {
        self.settable(item, Self::typed)
    }

    fn parameter(&mut self, item: &mut Item) -> OptionDeclaration {
        self.settable(item, |reader, item| {
            reader.typed_as(item, &[keys::INTEGER, keys::FLAG, keys::CHOICE])
        })
    }

    fn settable(&mut self, item: &mut Item, typed: impl FnOnce(&mut Self, &mut Item) -> (ValueType, Value)) -> OptionDeclaration {
        let name = self.name(item, keys::NAME);
        let title = self.title(item, &name);
        let help = self.text(item, keys::HELP).unwrap_or_else(|| Arc::from(""));
        let (value_type, default) = typed(self, item);
        OptionDeclaration {
            name,
            title,
            help,
            value_type,
            default,
        }
    }

    fn contest(&mut self, item: &mut Item) -> ContestDeclaration {
        let name = self.name(item, keys::NAME);
        let title = self.title(item, &name);
        let rule = self.text(item, contests::RULE).unwrap_or_else(|| Arc::from(""));
        let results = self.words(item, contests::RESULTS);
        if results.is_empty() {
            self.complain("a contest needs results: the words for how it may end");
        }
        let parameters = self.list(item, contests::PARAMETERS, Self::parameter);
        self.unique("parameter", parameters.iter().map(|parameter| &parameter.name));
        ContestDeclaration {
            name,
            title,
            rule,
            results,
            parameters,
        }
    }

    fn property(&mut self, item: &mut Item) -> PropertyDeclaration {
        let name = self.name(item, keys::NAME);
        let title = self.title(item, &name);
        let scopes = [
            ("match", Scope::Match),
            ("seat", Scope::Seat),
            ("piece", Scope::Piece),
            ("cell", Scope::Cell),
            ("edge", Scope::Edge),
        ];
        let of = self.name(item, properties::OF);
        let scope = scopes.iter().find(|(word, _)| *word == &*of).map_or_else(
            || {
                self.within(properties::OF.name, |reader| {
                    reader.complain(format!("{of:?} is none of match, seat, piece, cell, edge"));
                });
                Scope::Match
            },
            |(_, scope)| *scope,
        );
        let (value_type, default) = self.typed(item);
        let (is_counter, is_secret) = (self.flag(item, properties::COUNTER), self.flag(item, properties::SECRET));
        PropertyDeclaration {
            name,
            title,
            scope,
            slot: 0,
            value_type,
            default,
            in_position: !is_counter,
            is_secret,
        }
    }

    fn action(&mut self, item: &mut Item, frame: &Declarations) -> ActionDeclaration {
        let name = self.name(item, keys::NAME);
        let title = self.title(item, &name);
        let rule = self.text(item, actions::RULE).unwrap_or_else(|| Arc::from(""));
        let picks = self.list(item, actions::PICKS, Self::pick);
        self.unique("pick", picks.iter().map(|pick| &pick.name));
        let mut phases = Vec::new();
        for phase in self.words(item, actions::PHASES) {
            match frame.find_phase(&phase) {
                Some(phase) => phases.push(phase),
                None => self.within(actions::PHASES.name, |reader| {
                    reader.complain(format!("there is no phase {phase:?}"));
                }),
            }
        }
        phases.sort_unstable_by_key(|phase: &PhaseId| phase.0);
        let (answers_decision, ends_turn) = (self.flag(item, actions::ANSWERS), self.flag(item, actions::ENDS_TURN));
        let (is_aside, is_open) = (self.flag(item, actions::ASIDE), self.flag(item, actions::OPEN));
        ActionDeclaration {
            name,
            title,
            rule,
            picks,
            phases,
            answers_decision,
            ends_turn,
            is_aside,
            is_open,
            begins_contest: false,
        }
    }

    fn pick(&mut self, item: &mut Item) -> PickDeclaration {
        let name = self.name(item, keys::NAME);
        let prompt = self
            .text(item, picks::PROMPT)
            .unwrap_or_else(|| Arc::from(format!("Which {}?", name.replace('_', " "))));
        let rule = self.text(item, picks::RULE).unwrap_or_else(|| Arc::from(""));
        let word = self.name(item, picks::PICK);
        let kind = PickKind::ALL.iter().find(|(_, known)| *known == &*word).map_or_else(
            || {
                let known: Vec<_> = PickKind::ALL.iter().map(|(_, word)| *word).collect();
                self.within(picks::PICK.name, |reader| {
                    reader.complain(format!("{word:?} is none of {}", known.join(", ")));
                });
                PickKind::Cell
            },
            |(kind, _)| *kind,
        );
        PickDeclaration { name, prompt, rule, kind }
    }
}

/// A colour written as `#RRGGBB`.
pub(super) fn read_colour(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    u32::from_str_radix(digits, 16).ok()
}
