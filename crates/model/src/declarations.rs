//! What a ruleset declares once as data: seats, kinds, properties, terrains, zones, phases, actions, options, endings.
//!
//! Every declaration has a `name`, by which files, scripts and the command line know it and after which hooks are named, a `title` for
//! players, and where it follows a rule the number of that `rule`.
#![expect(missing_docs, reason = "the names of fields that all declarations have are described above")]

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ActionId, Board, Ending, Figure, KindId, PhaseId, PropertyId, SeatId, SeatSet, TerrainId, Value, ValueType, ZoneId};

/// The declarations of a ruleset, with all names resolved to ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declarations {
    /// The seats a match has, in turn order.
    pub seats: Vec<SeatDeclaration>,
    /// The names of the seats of the ruleset that do not take part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent_seats: Vec<Arc<str>>,
    pub kinds: Vec<KindDeclaration>,
    /// The sorts of ground. The first is the ground of cells that name none.
    pub terrains: Vec<TerrainDeclaration>,
    /// The zones, with those that each seat has one of listed once a seat.
    pub zones: Vec<ZoneDeclaration>,
    /// The turns of a round, in order. Empty where every seat has one, in the order of the seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnDeclaration>,
    /// What happens when a seat can do nothing in its turn.
    #[serde(default, skip_serializing_if = "Idle::is_asked")]
    pub idle: Idle,
    /// What becomes of a seat that forfeits while two others or more play on.
    #[serde(default, skip_serializing_if = "Forfeits::is_played_on")]
    pub forfeits: Forfeits,
    /// The phases of a turn, in order; at least one.
    pub phases: Vec<PhaseDeclaration>,
    pub actions: Vec<ActionDeclaration>,
    /// What may be set before a match.
    pub options: Vec<OptionDeclaration>,
    /// What may be set before a map is generated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub map_options: Vec<OptionDeclaration>,
    /// What is decided by luck round by round, so that its odds can be worked out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contests: Vec<ContestDeclaration>,
    /// What the rules can show a number of for each cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heat_maps: Vec<HeatMapDeclaration>,
    /// The properties of the match, its seats, pieces, cells and edges.
    pub properties: Vec<PropertyDeclaration>,
    /// How a match ends, checked in this order after every action. Rules that these cannot express are in a hook.
    pub endings: Vec<Ending>,
    /// A whole-number property of the match that counts the turns since a piece last went out of play.
    pub progress_clock: Option<PropertyId>,
    /// The lead in value that triples the odds of winning, if the rules say so; at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_scale: Option<u32>,
    /// How many actions a playout of a Monte Carlo player has before the value is asked for, if the rules say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playout_depth: Option<u32>,
    /// Whether positions are counted, so that rules can speak of repetition.
    pub counts_positions: bool,
    /// Whether cells can be hidden from a seat (the ruleset decides which).
    pub has_fog: bool,
    /// Whether the map is unknown to a seat until it sees it, beside fog. With fog alone seats know the map, as if it were printed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_shroud: bool,
    /// What earlier rules of the match declared and these do not.
    #[serde(default, skip_serializing_if = "Gone::is_empty")]
    pub gone: Gone,
}

/// What rules that changed under a running match no longer declare. It keeps its id, for the journal goes on naming it, and can no
/// longer be found by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gone {
    pub kinds: Vec<KindId>,
    pub terrains: Vec<TerrainId>,
    pub zones: Vec<ZoneId>,
    pub actions: Vec<ActionId>,
    /// Indexes of options.
    pub options: Vec<usize>,
    pub properties: Vec<PropertyId>,
}

impl Gone {
    /// Whether everything that was ever declared still is.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A slot that may act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// The colour, `0xRRGGBB`.
    pub colour: u32,
}

/// A sort of piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// One or two characters that stand for the piece where there is no picture.
    pub glyph: Arc<str>,
    /// Values of piece properties that differ from their default.
    pub values: Vec<(PropertyId, Value)>,
    /// The figure of pieces that lie on several cells.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "shape")]
    pub figure: Option<Arc<Figure>>,
}

/// A sort of ground.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerrainDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// The colour, `0xRRGGBB`.
    pub colour: u32,
}

/// Who sees what is in a zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZoneVisibility {
    /// Everyone.
    #[default]
    Everyone,
    /// The seat it belongs to.
    Owner,
    /// No one.
    NoOne,
}

/// An ordered place for pieces off the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneDeclaration {
    /// The declared name; zones of several seats share it.
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// The seat it belongs to; none for common zones.
    pub owner: Option<SeatId>,
    /// Who sees its pieces. How many there are is known to all.
    pub visibility: ZoneVisibility,
}

/// One turn of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnDeclaration {
    /// The name in files and scripts: what is played in it, such as a colour or a hand.
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// Whose turn it is. Several seats take it in turn, one a round; at least one.
    pub seats: Vec<SeatId>,
}

impl TurnDeclaration {
    /// Whose turn it is in a round, counted from 1.
    pub fn seat(&self, round: u32) -> Option<SeatId> {
        let index = (round.max(1) as usize - 1).checked_rem(self.seats.len())?;
        self.seats.get(index).copied()
    }
}

/// What happens when a seat can do nothing in its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Idle {
    /// It is asked all the same; rules where that can happen declare an ending for it.
    #[default]
    Asked,
    /// The turn is passed over.
    Passes,
    /// The turn is passed over and does not come again.
    DropsOut,
}

impl Idle {
    /// All of them with their words in declarations.
    pub const ALL: [(Self, &'static str); 3] = [(Self::Asked, "asked"), (Self::Passes, "passes"), (Self::DropsOut, "drops_out")];

    fn is_asked(&self) -> bool {
        *self == Self::Asked
    }
}

/// What becomes of a seat that forfeits, by resigning or on time, while two others or more play on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forfeits {
    /// A computer player plays it on: what the rules do not know of cannot confuse them.
    #[default]
    PlayedOn,
    /// It is out of the match.
    DropsOut,
}

impl Forfeits {
    /// All of them with their words in declarations.
    pub const ALL: [(Self, &'static str); 2] = [(Self::PlayedOn, "played_on"), (Self::DropsOut, "drops_out")];

    fn is_played_on(&self) -> bool {
        *self == Self::PlayedOn
    }
}

/// A part of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// Whether the rules go through it without asking anyone.
    pub automatic: bool,
}

/// A sort of action.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a key that authors write by itself, and any of them may stand beside any other"
)]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    pub rule: Arc<str>,
    /// What is picked, in order.
    pub picks: Vec<PickDeclaration>,
    /// The phases in which it may be asked; empty for all.
    pub phases: Vec<PhaseId>,
    /// Whether it is only asked as the answer to an open decision.
    pub answers_decision: bool,
    /// The name of an action in whose place it may answer a decision: to decline, or to answer in another way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<Arc<str>>,
    /// Whether it ends the turn when it has been carried out.
    pub ends_turn: bool,
    /// Whether it stands beside the play, as giving up does: people may ask for it, but it is not among the legal actions that
    /// are listed, and computer players and counts leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_aside: bool,
    /// Whether it is legal only where no other action is: a pass that is forced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_last_resort: bool,
    /// Whether everybody may know that it was carried out, with all its picks and dice, even where something that followed from it is
    /// hidden from them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
    /// Whether it begins a contest, which may take several of it: clients offer to carry it out again until that is decided.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub begins_contest: bool,
    /// Whether people confirm it when all is picked: a client shows what was picked and plays it on request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_confirmed: bool,
}

/// One pick of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickDeclaration {
    pub name: Arc<str>,
    /// What is picked, in a word or two: "Attackers". Empty where the prompt says it.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub title: Arc<str>,
    /// What the player is asked: "which piece?".
    pub prompt: Arc<str>,
    /// The number of the rule that says what may be picked; empty where it is the rule of the action.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub rule: Arc<str>,
    /// What is picked.
    pub kind: PickKind,
}

/// What is picked at one step: the variants are those of [`Pick`](super::Pick).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PickKind {
    Cell,
    Cells,
    Piece,
    Pieces,
    Seat,
    Number,
    Choice,
    Path,
    Pose,
    Text,
}

impl PickKind {
    /// All kinds with their words in declarations.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Cell, "cell"),
        (Self::Cells, "cells"),
        (Self::Piece, "piece"),
        (Self::Pieces, "pieces"),
        (Self::Seat, "seat"),
        (Self::Number, "number"),
        (Self::Choice, "choice"),
        (Self::Path, "path"),
        (Self::Pose, "pose"),
        (Self::Text, "text"),
    ];
}

/// Something that may be set before a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// What it changes, in a sentence.
    pub help: Arc<str>,
    /// The values it may take.
    pub value_type: ValueType,
    /// The value it has when nothing else is said.
    pub default: Value,
}

/// Something that luck decides in one or more rounds: a battle, an assault, a chase. Rules say how a round goes; odds follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    pub rule: Arc<str>,
    /// The words for how it may end, the one that odds are first asked for in front.
    pub results: Vec<Arc<str>>,
    /// What it begins with, and what changes in it.
    pub parameters: Vec<OptionDeclaration>,
    /// For each parameter the number above which it makes no difference to how a round goes; `None` if every number may. Empty if none is declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts_up_to: Vec<Option<i64>>,
}

/// Something that cells have more or less of for a seat, such as danger, which clients draw over the board when they are asked to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeatMapDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    /// What the numbers mean, in a sentence.
    pub help: Arc<str>,
}

/// What a property belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    Match,
    Seat,
    Piece,
    Cell,
    Edge,
}

/// A declared property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyDeclaration {
    pub name: Arc<str>,
    pub title: Arc<str>,
    pub scope: Scope,
    /// Its index among the properties of its scope.
    pub slot: u16,
    /// The values it may take.
    pub value_type: ValueType,
    /// The value at the start.
    pub default: Value,
    /// Whether two positions that differ in it are different positions. Counters are not part of the position.
    pub in_position: bool,
    /// Whether only the seat it belongs to sees it (properties of seats and of pieces).
    pub is_secret: bool,
}

fn position<T>(list: &[T], name: &str, name_of: impl Fn(&T) -> &str) -> Option<usize> {
    list.iter().position(|item| name_of(item) == name)
}

/// The first of those that are still declared and are meant.
fn find<T, Id: PartialEq>(list: &[T], gone: &[Id], id: impl Fn(usize) -> Id, is_meant: impl Fn(&T) -> bool) -> Option<Id> {
    let mut declared = list.iter().enumerate().map(|(index, item)| (id(index), item));
    let found = declared.find(|(id, item)| is_meant(item) && !gone.contains(id));
    found.map(|(id, _)| id)
}

impl Declarations {
    /// The seat of a name.
    pub fn find_seat(&self, name: &str) -> Option<SeatId> {
        position(&self.seats, name, |seat| &seat.name).map(SeatId::from_index)
    }

    /// The kind of a name.
    pub fn find_kind(&self, name: &str) -> Option<KindId> {
        find(&self.kinds, &self.gone.kinds, KindId::from_index, |kind| &*kind.name == name)
    }

    /// The terrain of a name.
    pub fn find_terrain(&self, name: &str) -> Option<TerrainId> {
        find(&self.terrains, &self.gone.terrains, TerrainId::from_index, |terrain| {
            &*terrain.name == name
        })
    }

    /// The zone of a name that belongs to a seat, or the common zone of that name.
    pub fn find_zone(&self, name: &str, owner: Option<SeatId>) -> Option<ZoneId> {
        find(&self.zones, &self.gone.zones, ZoneId::from_index, |zone| {
            &*zone.name == name && zone.owner == owner
        })
    }

    /// The phase of a name.
    pub fn find_phase(&self, name: &str) -> Option<PhaseId> {
        position(&self.phases, name, |phase| &phase.name).map(PhaseId::from_index)
    }

    /// The action of a name.
    pub fn find_action(&self, name: &str) -> Option<ActionId> {
        find(&self.actions, &self.gone.actions, ActionId::from_index, |action| {
            &*action.name == name
        })
    }

    /// The contest of a name.
    pub fn find_contest(&self, name: &str) -> Option<usize> {
        position(&self.contests, name, |contest| &contest.name)
    }

    /// The heat map of a name.
    pub fn find_heat_map(&self, name: &str) -> Option<usize> {
        position(&self.heat_maps, name, |map| &map.name)
    }

    /// The index of an option.
    pub fn find_option(&self, name: &str) -> Option<usize> {
        find(&self.options, &self.gone.options, |index| index, |option| &*option.name == name)
    }

    /// The property of a name in a scope.
    pub fn find_property(&self, scope: Scope, name: &str) -> Option<PropertyId> {
        find(&self.properties, &self.gone.properties, PropertyId::from_index, |property| {
            property.scope == scope && &*property.name == name
        })
    }

    /// The properties of a scope, in the order of their slots, those gone included.
    pub fn properties_of(&self, scope: Scope) -> impl Iterator<Item = (PropertyId, &PropertyDeclaration)> {
        let all = self.properties.iter().enumerate();
        all.filter(move |(_, property)| property.scope == scope)
            .map(|(index, property)| (PropertyId::from_index(index), property))
    }

    /// Where a word of a property of pieces stands in a list of all the words of such properties, the first [`MOST_WORDS`](Self::MOST_WORDS) of
    /// them. `None` for other properties, and for values that are not offered.
    pub(super) fn word_place(&self, property: PropertyId, value: &Value) -> Option<usize> {
        let Value::Text(wanted) = value else { return None };
        let (first, words) = self
            .worded()
            .find(|(id, ..)| *id == property)
            .map(|(_, first, words)| (first, words))?;
        let place = first + words.iter().position(|word| word == wanted)?;
        (place < Self::MOST_WORDS).then_some(place)
    }

    /// How many words there are in that list.
    pub(super) fn word_count(&self) -> usize {
        let words = self.worded().map(|(.., words)| words.len()).sum::<usize>();
        words.min(Self::MOST_WORDS)
    }

    /// Words past so many have no place: each takes room for a set of cells in every copy of a state.
    const MOST_WORDS: usize = 16;

    /// The properties of pieces that take one of some words, where the first of them stands among those of all, and the words.
    fn worded(&self) -> impl Iterator<Item = (PropertyId, usize, &[Arc<str>])> {
        let mut before = 0;
        self.properties_of(Scope::Piece).filter_map(move |(id, property)| {
            let ValueType::Choice { words } = &property.value_type else {
                return None;
            };
            let first = before;
            before += words.len();
            Some((id, first, words.as_slice()))
        })
    }

    /// The defaults of the properties of a scope, in the order of their slots.
    pub(super) fn defaults(&self, scope: Scope) -> impl Iterator<Item = Value> {
        self.properties_of(scope).map(|(_, property)| property.default.clone())
    }

    /// The declaration of a property.
    #[inline]
    pub fn property(&self, property: PropertyId) -> Option<&PropertyDeclaration> {
        self.properties.get(property.index())
    }

    /// Whether an action can answer a decision that asks for another, or for itself.
    pub fn may_answer(&self, action: ActionId, asked: ActionId) -> bool {
        let instead_of = || self.action(action)?.instead_of.as_deref();
        action == asked || self.action(asked).is_some_and(|asked| instead_of() == Some(&*asked.name))
    }

    /// The declaration of an action.
    #[inline]
    pub fn action(&self, action: ActionId) -> Option<&ActionDeclaration> {
        self.actions.get(action.index())
    }

    /// A declared turn of a round.
    pub fn turn(&self, place: u8) -> Option<&TurnDeclaration> {
        self.turns.get(usize::from(place))
    }

    /// The declaration of a kind.
    pub fn kind(&self, kind: KindId) -> Option<&KindDeclaration> {
        self.kinds.get(kind.index())
    }

    /// The figure of the pieces of a kind, if they have one.
    pub fn figure(&self, kind: KindId) -> Option<&Arc<Figure>> {
        self.kind(kind)?.figure.as_ref()
    }

    /// The title of a seat, or its number where it is not declared.
    pub fn seat_title(&self, seat: SeatId) -> Arc<str> {
        let declared = self.seats.get(seat.index());
        declared.map_or_else(|| format!("seat {}", seat.0).into(), |declared| Arc::clone(&declared.title))
    }

    /// All seats.
    pub fn all_seats(&self) -> SeatSet {
        SeatSet::first_seats(self.seats.len())
    }

    /// Every action declared, with its id.
    pub fn action_ids(&self) -> impl Iterator<Item = (ActionId, &ActionDeclaration)> {
        let all = self.actions.iter().enumerate();
        all.map(|(index, action)| (ActionId::from_index(index), action))
            .filter(|(id, _)| !self.gone.actions.contains(id))
    }

    /// The terrain of a cell as the map says, the first one where the map names none or an unknown one.
    pub(super) fn terrain_of(&self, board: &Board, cell: super::CellId) -> TerrainId {
        let name = board.base_terrain_name(cell);
        name.and_then(|name| self.find_terrain(name)).unwrap_or(TerrainId(0))
    }

    /// Calls `take` with every text that people read: titles, help, prompts, reasons, the results of contests. Names, by which scripts, files and messages know
    /// things, are not among them.
    pub fn each_text(&mut self, take: &mut dyn FnMut(&mut Arc<str>)) {
        let titles = (self.seats.iter_mut().map(|seat| &mut seat.title))
            .chain(self.kinds.iter_mut().map(|kind| &mut kind.title))
            .chain(self.terrains.iter_mut().map(|terrain| &mut terrain.title))
            .chain(self.zones.iter_mut().map(|zone| &mut zone.title))
            .chain(self.turns.iter_mut().map(|turn| &mut turn.title))
            .chain(self.phases.iter_mut().map(|phase| &mut phase.title))
            .chain(self.properties.iter_mut().map(|property| &mut property.title))
            .chain(self.endings.iter_mut().map(|ending| &mut ending.reason));
        titles.for_each(&mut *take);
        for action in &mut self.actions {
            take(&mut action.title);
            for pick in &mut action.picks {
                take(&mut pick.prompt);
                if !pick.title.is_empty() {
                    take(&mut pick.title);
                }
            }
        }
        for map in &mut self.heat_maps {
            take(&mut map.title);
            take(&mut map.help);
        }
        let parameters = self.contests.iter_mut().flat_map(|contest| {
            take(&mut contest.title);
            contest.results.iter_mut().for_each(&mut *take);
            &mut contest.parameters
        });
        let options: Vec<_> = parameters.collect();
        for option in options.into_iter().chain(&mut self.options).chain(&mut self.map_options) {
            take(&mut option.title);
            take(&mut option.help);
        }
    }
}
