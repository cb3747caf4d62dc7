//! The sentences that triggers are made of: one table, from which choices, scripts, reading and texts follow.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use boardwright_model::Scope;

/// The place of a sentence in a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What happens.
    When,
    /// What has to hold besides.
    If,
    /// What is done.
    Then,
}

/// What a field of a sentence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The name of a region of the map.
    Region,
    /// The name of a cell.
    Cell,
    /// A seat: a certain one, or the one on turn.
    Seat,
    /// The name of a kind.
    Kind,
    /// The name of a terrain.
    Terrain,
    /// The name of a zone that each seat has.
    Zone,
    /// The name of an action.
    Action,
    /// The name of a property that is a whole number.
    NumberOf(Scope),
    /// The name of a property that is a text, a choice or a flag.
    WordOf(Scope),
    /// A whole number.
    Number,
    /// A text for people.
    Text,
    /// A text or a flag, as a property has it.
    Word,
    /// How two numbers are compared.
    Comparison,
}

/// A field of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, which stands in braces in the text of the sentence.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
}

/// A sort of sentence.
#[derive(Debug, PartialEq, Eq)]
pub struct Form {
    /// Identifies it: `enters_region`.
    pub id: &'static str,
    /// Where it stands.
    pub part: Part,
    /// How it reads in English, with its fields in braces.
    pub text: &'static str,
    /// Its fields, in the order of their values.
    pub fields: &'static [Field],
    /// The hook that hears of it; of sentences behind `when` only.
    pub(crate) hook: &'static str,
    /// What is written for it, with its fields behind `$`. Behind `when` this is the condition that narrows the hook down, or nothing.
    pub(crate) script: &'static str,
    /// The parameter of the hook that it speaks of, if it does.
    pub(crate) needs: &'static str,
    /// The hook with which it is not offered, because what happens can say the same there.
    pub(crate) except: &'static str,
}

impl Form {
    /// The form of an id.
    pub fn find(id: &str) -> Option<&'static Self> {
        FORMS.iter().find(|form| form.id == id)
    }

    /// The forms that may stand in a part of a trigger that begins with `when`.
    pub fn offered(part: Part, when: &'static Self) -> impl Iterator<Item = &'static Self> {
        FORMS.iter().filter(move |form| form.part == part && form.fits(when))
    }

    /// Whether it may stand in a trigger that begins with another. What happens may begin any.
    pub fn fits(&self, when: &Self) -> bool {
        let parameters = parameters(when.hook).unwrap_or_default();
        let knows = self.needs.is_empty() || parameters.split(", ").any(|name| name == self.needs);
        self.part == Part::When || (knows && (self.except.is_empty() || self.except != when.hook))
    }

    /// How it reads in a language: `en`, or one that there is a translation for; else in English.
    pub fn text_in(&self, language: &str) -> &str {
        let translated = TRANSLATED.get(language).and_then(|texts| texts.get(self.id));
        translated.map_or(self.text, String::as_str)
    }
}

static TRANSLATED: LazyLock<BTreeMap<&str, BTreeMap<String, String>>> = LazyLock::new(|| {
    let czech = serde_json::from_str(include_str!("forms.cs.json")).unwrap_or_default();
    BTreeMap::from([("cs", czech)])
});

/// The hooks that triggers hang on, with their parameters.
const HOOKS: [(&str, &str); 11] = [
    ("on_begin", "turn"),
    ("on_round", "turn"),
    ("on_turn", "turn"),
    ("on_action", "turn, done"),
    ("on_enter", "turn, piece, cell"),
    ("on_leave", "turn, piece, cell"),
    ("on_create", "turn, piece"),
    ("on_remove", "turn, piece"),
    ("on_give", "turn, piece, before"),
    ("on_change", "turn, changed"),
    ("on_settle", "turn"),
];

/// The parameters of a hook.
pub(crate) fn parameters(hook: &str) -> Option<&'static str> {
    HOOKS.iter().find(|(name, _)| *name == hook).map(|(_, parameters)| *parameters)
}

/// The hook that a function is by its name.
pub(crate) fn hook_of(function: &str) -> Option<&'static str> {
    let is_it = |hook: &str| {
        function
            .strip_prefix(hook)
            .is_some_and(|label| label.is_empty() || label.starts_with('_'))
    };
    HOOKS.iter().map(|(name, _)| *name).find(|name| is_it(name))
}

const REGION: Field = field("region", FieldKind::Region);
const CELL: Field = field("cell", FieldKind::Cell);
const SEAT: Field = field("seat", FieldKind::Seat);
const KIND: Field = field("kind", FieldKind::Kind);
const TERRAIN: Field = field("terrain", FieldKind::Terrain);
const ZONE: Field = field("zone", FieldKind::Zone);
const ACTION: Field = field("action", FieldKind::Action);
const NUMBER: Field = field("number", FieldKind::Number);
const TEXT: Field = field("text", FieldKind::Text);
const WORD: Field = field("word", FieldKind::Word);
const COMPARISON: Field = field("comparison", FieldKind::Comparison);

const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind }
}

const fn number_of(scope: Scope) -> Field {
    field("property", FieldKind::NumberOf(scope))
}

const fn word_of(scope: Scope) -> Field {
    field("property", FieldKind::WordOf(scope))
}

const fn when(id: &'static str, text: &'static str, hook: &'static str, script: &'static str, fields: &'static [Field]) -> Form {
    Form {
        id,
        part: Part::When,
        text,
        fields,
        hook,
        script,
        needs: "",
        except: "",
    }
}

const fn condition(id: &'static str, text: &'static str, needs: &'static str, script: &'static str, fields: &'static [Field]) -> Form {
    Form {
        part: Part::If,
        needs,
        ..when(id, text, "", script, fields)
    }
}

const fn then(id: &'static str, text: &'static str, needs: &'static str, script: &'static str, fields: &'static [Field]) -> Form {
    Form {
        part: Part::Then,
        ..condition(id, text, needs, script, fields)
    }
}

/// Every sort of sentence. What reads a script takes the first that fits, so that of two that begin alike the longer stands first.
pub static FORMS: &[Form] = &[
    when("match_begins", "the match begins", "on_begin", "", &[]),
    when(
        "round_begins",
        "round {number} begins",
        "on_round",
        "turn.round == $number",
        &[NUMBER],
    ),
    when(
        "every_rounds",
        "every {number} rounds",
        "on_round",
        "turn.round % $number == 0",
        &[NUMBER],
    ),
    when("any_round", "any round begins", "on_round", "", &[]),
    when("seat_turn", "a turn of {seat} begins", "on_turn", "turn.seat == $seat", &[SEAT]),
    when(
        "turn_number",
        "turn {number} of the match begins",
        "on_turn",
        "turn.turn_number == $number",
        &[NUMBER],
    ),
    when("any_turn", "any turn begins", "on_turn", "", &[]),
    when(
        "action_done",
        "the action {action} was carried out",
        "on_action",
        "done.action == $action",
        &[ACTION],
    ),
    when("any_action", "any action was carried out", "on_action", "", &[]),
    when(
        "enters_region",
        "a piece enters the region {region}",
        "on_enter",
        "turn.region($region).contains(cell)",
        &[REGION],
    ),
    when(
        "enters_cell",
        "a piece enters the cell {cell}",
        "on_enter",
        "cell == turn.cell($cell)",
        &[CELL],
    ),
    when("enters", "a piece enters any cell", "on_enter", "", &[]),
    when(
        "leaves_region",
        "a piece leaves the region {region}",
        "on_leave",
        "turn.region($region).contains(cell)",
        &[REGION],
    ),
    when(
        "leaves_cell",
        "a piece leaves the cell {cell}",
        "on_leave",
        "cell == turn.cell($cell)",
        &[CELL],
    ),
    when("leaves", "a piece leaves any cell", "on_leave", "", &[]),
    when("created", "a piece is created", "on_create", "", &[]),
    when("removed", "a piece is destroyed", "on_remove", "", &[]),
    when("given", "a piece changes its owner", "on_give", "", &[]),
    when(
        "match_rises",
        "{property} of the match reaches {number}",
        "on_change",
        "changed.scope == \"match\" && changed.name == $property && changed.before < $number && changed.after >= $number",
        &[number_of(Scope::Match), NUMBER],
    ),
    when(
        "match_falls",
        "{property} of the match falls to {number}",
        "on_change",
        "changed.scope == \"match\" && changed.name == $property && changed.before > $number && changed.after <= $number",
        &[number_of(Scope::Match), NUMBER],
    ),
    when(
        "seat_rises",
        "{property} of {seat} reaches {number}",
        "on_change",
        "changed.of == $seat && changed.name == $property && changed.before < $number && changed.after >= $number",
        &[number_of(Scope::Seat), SEAT, NUMBER],
    ),
    when(
        "seat_falls",
        "{property} of {seat} falls to {number}",
        "on_change",
        "changed.of == $seat && changed.name == $property && changed.before > $number && changed.after <= $number",
        &[number_of(Scope::Seat), SEAT, NUMBER],
    ),
    when(
        "piece_falls",
        "{property} of a piece falls to {number}",
        "on_change",
        "changed.scope == \"piece\" && changed.name == $property && changed.before > $number && changed.after <= $number",
        &[number_of(Scope::Piece), NUMBER],
    ),
    when(
        "owns_region",
        "{seat} has pieces on all of the region {region}",
        "on_settle",
        "turn.region($region).is_within($seat.cells)",
        &[SEAT, REGION],
    ),
    when(
        "region_has",
        "all cells of the region {region} have {property} {word}",
        "on_settle",
        "turn.region($region).having($property, $word).count == turn.region($region).count",
        &[REGION, word_of(Scope::Cell), WORD],
    ),
    when(
        "is_destroyed",
        "{seat} has no piece left",
        "on_settle",
        "$seat.pieces_in_play == 0",
        &[SEAT],
    ),
    when("settled", "an action and all that follows has happened", "on_settle", "", &[]),
    condition("is_kind", "it is a {kind}", "piece", "piece.kind == $kind", &[KIND]),
    condition("is_owned", "it belongs to {seat}", "piece", "piece.owner == $seat", &[SEAT]),
    condition("was_owned", "it belonged to {seat}", "before", "before == $seat", &[SEAT]),
    condition(
        "piece_number",
        "its {property} is {comparison} {number}",
        "piece",
        "piece.$property $comparison $number",
        &[number_of(Scope::Piece), COMPARISON, NUMBER],
    ),
    condition(
        "on_terrain",
        "the cell is {terrain}",
        "cell",
        "cell.terrain == $terrain",
        &[TERRAIN],
    ),
    condition("did_it", "{seat} did it", "done", "done.seat == $seat", &[SEAT]),
    Form {
        except: "on_turn",
        ..condition("is_turn", "it is the turn of {seat}", "", "turn.seat == $seat", &[SEAT])
    },
    condition(
        "round_from",
        "it is round {number} or later",
        "",
        "turn.round >= $number",
        &[NUMBER],
    ),
    condition(
        "round_to",
        "it is round {number} or earlier",
        "",
        "turn.round <= $number",
        &[NUMBER],
    ),
    condition(
        "seat_number",
        "{property} of {seat} is {comparison} {number}",
        "",
        "$seat.$property $comparison $number",
        &[number_of(Scope::Seat), SEAT, COMPARISON, NUMBER],
    ),
    condition(
        "match_number",
        "{property} of the match is {comparison} {number}",
        "",
        "turn.$property $comparison $number",
        &[number_of(Scope::Match), COMPARISON, NUMBER],
    ),
    condition(
        "match_word",
        "{property} of the match is {word}",
        "",
        "turn.$property == $word",
        &[word_of(Scope::Match), WORD],
    ),
    condition(
        "stands_in",
        "{seat} has a piece in the region {region}",
        "",
        "!(turn.region($region) & $seat.cells).is_empty",
        &[SEAT, REGION],
    ),
    condition(
        "stands_not_in",
        "{seat} has no piece in the region {region}",
        "",
        "(turn.region($region) & $seat.cells).is_empty",
        &[SEAT, REGION],
    ),
    condition(
        "region_free",
        "no piece is in the region {region}",
        "",
        "turn.region($region).is_within(turn.empty)",
        &[REGION],
    ),
    condition(
        "cell_free",
        "no piece is on {cell}",
        "",
        "turn.piece_at(turn.cell($cell)) == ()",
        &[CELL],
    ),
    condition(
        "cell_taken",
        "a piece is on {cell}",
        "",
        "turn.piece_at(turn.cell($cell)) != ()",
        &[CELL],
    ),
    then(
        "create",
        "create a {kind} of {seat} on {cell}",
        "",
        "turn.create($kind, $seat, turn.cell($cell));",
        &[KIND, SEAT, CELL],
    ),
    then(
        "create_unowned",
        "create a {kind} of no one on {cell}",
        "",
        "turn.create($kind, turn.cell($cell));",
        &[KIND, CELL],
    ),
    then(
        "create_in_region",
        "create a {kind} of {seat} on each free cell of the region {region}",
        "",
        "for free in turn.region($region) & turn.empty { turn.create($kind, $seat, free); }",
        &[KIND, SEAT, REGION],
    ),
    then(
        "create_in_zone",
        "create a {kind} of {seat} in {zone}",
        "",
        "turn.create_in($zone, $seat, $kind);",
        &[KIND, SEAT, ZONE],
    ),
    then("remove", "take it out of play", "piece", "turn.remove(piece);", &[]),
    then(
        "remove_region",
        "take all pieces of {seat} in the region {region} out of play",
        "",
        "for own in turn.pieces_of($seat) { if own.cell != () && turn.region($region).contains(own.cell) { turn.remove(own); } }",
        &[SEAT, REGION],
    ),
    then(
        "remove_at",
        "take all pieces on {cell} out of play",
        "",
        "for gone in turn.pieces_at(turn.cell($cell)) { turn.remove(gone); }",
        &[CELL],
    ),
    then(
        "move",
        "move it to {cell}",
        "piece",
        "turn.move_piece(piece, turn.cell($cell));",
        &[CELL],
    ),
    then("give", "give it to {seat}", "piece", "turn.give(piece, $seat);", &[SEAT]),
    then(
        "give_region",
        "give all pieces in the region {region} to {seat}",
        "",
        "for given in turn.region($region).pieces { turn.give(given, $seat); }",
        &[REGION, SEAT],
    ),
    then("note_to", "tell {seat}: {text}", "", "turn.note($seat, $text);", &[SEAT, TEXT]),
    then("note", "tell everybody: {text}", "", "turn.note($text);", &[TEXT]),
    then(
        "add_seat",
        "add {number} to {property} of {seat}",
        "",
        "let side = $seat; side.$property += $number;",
        &[NUMBER, number_of(Scope::Seat), SEAT],
    ),
    then(
        "set_seat",
        "set {property} of {seat} to {number}",
        "",
        "let side = $seat; side.$property = $number;",
        &[number_of(Scope::Seat), SEAT, NUMBER],
    ),
    then(
        "say_seat",
        "set {property} of {seat} to {word}",
        "",
        "let side = $seat; side.$property = $word;",
        &[word_of(Scope::Seat), SEAT, WORD],
    ),
    then(
        "add_piece",
        "add {number} to its {property}",
        "piece",
        "piece.$property += $number;",
        &[NUMBER, number_of(Scope::Piece)],
    ),
    then(
        "set_piece",
        "set its {property} to {number}",
        "piece",
        "piece.$property = $number;",
        &[number_of(Scope::Piece), NUMBER],
    ),
    then(
        "say_piece",
        "set its {property} to {word}",
        "piece",
        "piece.$property = $word;",
        &[word_of(Scope::Piece), WORD],
    ),
    then(
        "add_match",
        "add {number} to {property} of the match",
        "",
        "turn.$property += $number;",
        &[NUMBER, number_of(Scope::Match)],
    ),
    then(
        "set_match",
        "set {property} of the match to {number}",
        "",
        "turn.$property = $number;",
        &[number_of(Scope::Match), NUMBER],
    ),
    then(
        "say_match",
        "set {property} of the match to {word}",
        "",
        "turn.$property = $word;",
        &[word_of(Scope::Match), WORD],
    ),
    then(
        "set_terrain",
        "turn {cell} into {terrain}",
        "",
        "turn.set_terrain(turn.cell($cell), $terrain);",
        &[CELL, TERRAIN],
    ),
    then(
        "set_region_terrain",
        "turn the region {region} into {terrain}",
        "",
        "for changed_cell in turn.region($region) { turn.set_terrain(changed_cell, $terrain); }",
        &[REGION, TERRAIN],
    ),
    then("eliminate", "put {seat} out of the match", "", "turn.eliminate($seat);", &[SEAT]),
    then("end_turn", "end the turn", "", "turn.end_turn();", &[]),
    then("refuse", "refuse the action: {text}", "", "throw refuse(\"\", $text);", &[TEXT]),
    then(
        "win",
        "end the match, won by {seat}: {text}",
        "",
        "turn.end_match(win($seat, \"\", $text));",
        &[SEAT, TEXT],
    ),
    then(
        "draw",
        "end the match as a draw: {text}",
        "",
        "turn.end_match(draw(\"\", $text));",
        &[TEXT],
    ),
];
