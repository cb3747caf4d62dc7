//! The sentences that triggers are made of: one table, from which choices, scripts, reading and texts follow.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use boardwright_model::Scope;

/// The place of a sentence in a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// What happens.
    When,
    /// What has to hold besides.
    If,
    /// What is done.
    Then,
    /// A number, in the place of one that is written down.
    Number,
    /// A seat, in the place of one that is named.
    Seat,
}

/// What a sentence is about, for lists of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Rounds, turns and the match as it goes on.
    Time,
    /// Actions of players.
    Action,
    /// Pieces and where they are.
    Piece,
    /// Properties.
    Value,
    /// Cells and their terrain.
    Board,
    /// What people are told.
    Message,
    /// Who is out, and how the match ends.
    Match,
}

impl Subject {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 7] = [
        Self::Time,
        Self::Action,
        Self::Piece,
        Self::Value,
        Self::Board,
        Self::Message,
        Self::Match,
    ];
}

/// What a field of a sentence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The name of a region of the map.
    Region,
    /// The name of a cell.
    Cell,
    /// A seat: a certain one, the one on turn, or one that is computed.
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
    /// A whole number, written down or computed.
    Number,
    /// Dice, as in `2d6`.
    Dice,
    /// A text for people.
    Text,
    /// A text or a flag, as a property has it.
    Word,
    /// How two numbers are compared.
    Comparison,
}

impl FieldKind {
    /// The part of the sentences that may stand in such a field in the place of what is written down.
    pub const fn computed(self) -> Option<Part> {
        match self {
            Self::Number => Some(Part::Number),
            Self::Seat => Some(Part::Seat),
            _ => None,
        }
    }
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
    /// What it is about.
    pub subject: Subject,
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
    /// Whether it gives a property the number in it.
    pub(crate) sets_number: bool,
}

impl Form {
    /// The same that gives a property the number in it.
    const fn setting_number(self) -> Self {
        Self { sets_number: true, ..self }
    }

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

    /// Whether the number in it is one of rounds or turns.
    pub(crate) fn counts(&self) -> bool {
        self.subject == Subject::Time && self.fields.iter().any(|field| field.kind == FieldKind::Number)
    }

    /// Its sentence cut at its fields, in a language: the texts between them, and the fields by their indices.
    pub fn pieces_in(&self, language: &str) -> Vec<SentencePiece<'_>> {
        let mut pieces = Vec::new();
        let mut rest = self.text_in(language);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after.split_once('}').unwrap_or((after, ""));
            if !before.is_empty() {
                pieces.push(SentencePiece::Text(before));
            }
            let index = self.fields.iter().position(|field| field.name == name);
            pieces.extend(index.map(SentencePiece::Field));
            rest = behind;
        }
        if !rest.is_empty() {
            pieces.push(SentencePiece::Text(rest));
        }
        pieces
    }

    /// How it reads in a language: `en`, or one that there is a translation for; else in English.
    pub fn text_in(&self, language: &str) -> &str {
        let translated = TRANSLATED.get(language).and_then(|texts| texts.get(self.id));
        translated.map_or(self.text, String::as_str)
    }
}

/// A piece of a sentence as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentencePiece<'a> {
    /// A text.
    Text(&'a str),
    /// A field, by its index.
    Field(usize),
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
const DICE: Field = field("dice", FieldKind::Dice);
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

const fn when(
    subject: Subject,
    id: &'static str,
    text: &'static str,
    hook: &'static str,
    script: &'static str,
    fields: &'static [Field],
) -> Form {
    Form {
        id,
        part: Part::When,
        subject,
        text,
        fields,
        hook,
        script,
        needs: "",
        except: "",
        sets_number: false,
    }
}

const fn condition(
    subject: Subject,
    id: &'static str,
    text: &'static str,
    needs: &'static str,
    script: &'static str,
    fields: &'static [Field],
) -> Form {
    Form {
        part: Part::If,
        needs,
        ..when(subject, id, text, "", script, fields)
    }
}

const fn then(
    subject: Subject,
    id: &'static str,
    text: &'static str,
    needs: &'static str,
    script: &'static str,
    fields: &'static [Field],
) -> Form {
    Form {
        part: Part::Then,
        ..condition(subject, id, text, needs, script, fields)
    }
}

const fn computed(
    part: Part,
    subject: Subject,
    id: &'static str,
    text: &'static str,
    needs: &'static str,
    script: &'static str,
    fields: &'static [Field],
) -> Form {
    Form {
        part,
        ..condition(subject, id, text, needs, script, fields)
    }
}

/// Every sort of sentence. What reads a script takes the first that fits, so that of two that begin alike the longer stands first.
pub static FORMS: &[Form] = &[
    when(Subject::Time, "match_begins", "the match begins", "on_begin", "", &[]),
    when(
        Subject::Time,
        "round_begins",
        "round {number} begins",
        "on_round",
        "turn.round == $number",
        &[NUMBER],
    ),
    when(
        Subject::Time,
        "every_rounds",
        "every {number} rounds",
        "on_round",
        "turn.round % $number == 0",
        &[NUMBER],
    ),
    when(Subject::Time, "any_round", "any round begins", "on_round", "", &[]),
    when(
        Subject::Time,
        "seat_turn",
        "a turn of {seat} begins",
        "on_turn",
        "turn.seat == $seat",
        &[SEAT],
    ),
    when(
        Subject::Time,
        "turn_number",
        "turn {number} of the match begins",
        "on_turn",
        "turn.turn_number == $number",
        &[NUMBER],
    ),
    when(Subject::Time, "any_turn", "any turn begins", "on_turn", "", &[]),
    when(
        Subject::Action,
        "action_done",
        "the action {action} was carried out",
        "on_action",
        "done.action == $action",
        &[ACTION],
    ),
    when(Subject::Action, "any_action", "any action was carried out", "on_action", "", &[]),
    when(
        Subject::Piece,
        "enters_region",
        "a piece enters the region {region}",
        "on_enter",
        "turn.region($region).contains(cell)",
        &[REGION],
    ),
    when(
        Subject::Piece,
        "enters_cell",
        "a piece enters the cell {cell}",
        "on_enter",
        "cell == turn.cell($cell)",
        &[CELL],
    ),
    when(Subject::Piece, "enters", "a piece enters any cell", "on_enter", "", &[]),
    when(
        Subject::Piece,
        "leaves_region",
        "a piece leaves the region {region}",
        "on_leave",
        "turn.region($region).contains(cell)",
        &[REGION],
    ),
    when(
        Subject::Piece,
        "leaves_cell",
        "a piece leaves the cell {cell}",
        "on_leave",
        "cell == turn.cell($cell)",
        &[CELL],
    ),
    when(Subject::Piece, "leaves", "a piece leaves any cell", "on_leave", "", &[]),
    when(Subject::Piece, "created", "a piece is created", "on_create", "", &[]),
    when(Subject::Piece, "removed", "a piece is destroyed", "on_remove", "", &[]),
    when(Subject::Piece, "given", "a piece changes its owner", "on_give", "", &[]),
    when(
        Subject::Value,
        "match_rises",
        "{property} of the match reaches {number}",
        "on_change",
        "changed.scope == \"match\" && changed.name == $property && changed.before < $number && changed.after >= $number",
        &[number_of(Scope::Match), NUMBER],
    ),
    when(
        Subject::Value,
        "match_falls",
        "{property} of the match falls to {number}",
        "on_change",
        "changed.scope == \"match\" && changed.name == $property && changed.before > $number && changed.after <= $number",
        &[number_of(Scope::Match), NUMBER],
    ),
    when(
        Subject::Value,
        "seat_rises",
        "{property} of {seat} reaches {number}",
        "on_change",
        "changed.of == $seat && changed.name == $property && changed.before < $number && changed.after >= $number",
        &[number_of(Scope::Seat), SEAT, NUMBER],
    ),
    when(
        Subject::Value,
        "seat_falls",
        "{property} of {seat} falls to {number}",
        "on_change",
        "changed.of == $seat && changed.name == $property && changed.before > $number && changed.after <= $number",
        &[number_of(Scope::Seat), SEAT, NUMBER],
    ),
    when(
        Subject::Value,
        "piece_falls",
        "{property} of a piece falls to {number}",
        "on_change",
        "changed.scope == \"piece\" && changed.name == $property && changed.before > $number && changed.after <= $number",
        &[number_of(Scope::Piece), NUMBER],
    ),
    when(
        Subject::Piece,
        "owns_region",
        "{seat} has pieces on all of the region {region}",
        "on_settle",
        "turn.region($region).is_within($seat.cells)",
        &[SEAT, REGION],
    ),
    when(
        Subject::Value,
        "region_has",
        "all cells of the region {region} have {property} {word}",
        "on_settle",
        "turn.region($region).having($property, $word).count == turn.region($region).count",
        &[REGION, word_of(Scope::Cell), WORD],
    ),
    when(
        Subject::Piece,
        "is_destroyed",
        "{seat} has no piece left",
        "on_settle",
        "$seat.pieces_in_play == 0",
        &[SEAT],
    ),
    when(
        Subject::Time,
        "settled",
        "an action and all that follows has happened",
        "on_settle",
        "",
        &[],
    ),
    condition(Subject::Piece, "is_kind", "it is a {kind}", "piece", "piece.kind == $kind", &[KIND]),
    condition(
        Subject::Piece,
        "is_owned",
        "it belongs to {seat}",
        "piece",
        "piece.owner == $seat",
        &[SEAT],
    ),
    condition(
        Subject::Piece,
        "has_owner",
        "it belongs to somebody",
        "piece",
        "piece.owner != ()",
        &[],
    ),
    condition(
        Subject::Piece,
        "has_no_owner",
        "it belongs to nobody",
        "piece",
        "piece.owner == ()",
        &[],
    ),
    condition(
        Subject::Piece,
        "was_owned",
        "it belonged to {seat}",
        "before",
        "before == $seat",
        &[SEAT],
    ),
    condition(
        Subject::Value,
        "piece_number",
        "its {property} is {comparison} {number}",
        "piece",
        "piece.$property $comparison $number",
        &[number_of(Scope::Piece), COMPARISON, NUMBER],
    ),
    condition(
        Subject::Board,
        "on_terrain",
        "the cell is {terrain}",
        "cell",
        "cell.terrain == $terrain",
        &[TERRAIN],
    ),
    condition(Subject::Action, "did_it", "{seat} did it", "done", "done.seat == $seat", &[SEAT]),
    Form {
        except: "on_turn",
        ..condition(
            Subject::Time,
            "is_turn",
            "it is the turn of {seat}",
            "",
            "turn.seat == $seat",
            &[SEAT],
        )
    },
    condition(
        Subject::Time,
        "round_from",
        "it is round {number} or later",
        "",
        "turn.round >= $number",
        &[NUMBER],
    ),
    condition(
        Subject::Time,
        "round_to",
        "it is round {number} or earlier",
        "",
        "turn.round <= $number",
        &[NUMBER],
    ),
    condition(
        Subject::Value,
        "seat_number",
        "{property} of {seat} is {comparison} {number}",
        "",
        "$seat.$property $comparison $number",
        &[number_of(Scope::Seat), SEAT, COMPARISON, NUMBER],
    ),
    condition(
        Subject::Value,
        "match_number",
        "{property} of the match is {comparison} {number}",
        "",
        "turn.$property $comparison $number",
        &[number_of(Scope::Match), COMPARISON, NUMBER],
    ),
    condition(
        Subject::Value,
        "match_word",
        "{property} of the match is {word}",
        "",
        "turn.$property == $word",
        &[word_of(Scope::Match), WORD],
    ),
    condition(
        Subject::Piece,
        "stands_in",
        "{seat} has a piece in the region {region}",
        "",
        "!(turn.region($region) & $seat.cells).is_empty",
        &[SEAT, REGION],
    ),
    condition(
        Subject::Piece,
        "stands_not_in",
        "{seat} has no piece in the region {region}",
        "",
        "(turn.region($region) & $seat.cells).is_empty",
        &[SEAT, REGION],
    ),
    condition(
        Subject::Piece,
        "region_free",
        "no piece is in the region {region}",
        "",
        "turn.region($region).is_within(turn.empty)",
        &[REGION],
    ),
    condition(
        Subject::Piece,
        "cell_free",
        "no piece is on {cell}",
        "",
        "turn.piece_at(turn.cell($cell)) == ()",
        &[CELL],
    ),
    condition(
        Subject::Piece,
        "cell_taken",
        "a piece is on {cell}",
        "",
        "turn.piece_at(turn.cell($cell)) != ()",
        &[CELL],
    ),
    then(
        Subject::Piece,
        "create",
        "create one {kind} of {seat} on {cell}",
        "",
        "turn.create($kind, $seat, turn.cell($cell));",
        &[KIND, SEAT, CELL],
    ),
    then(
        Subject::Piece,
        "create_unowned",
        "create one {kind} of no one on {cell}",
        "",
        "turn.create($kind, turn.cell($cell));",
        &[KIND, CELL],
    ),
    then(
        Subject::Piece,
        "create_in_region",
        "create one {kind} of {seat} on each free cell of the region {region}",
        "",
        "for free in turn.region($region) & turn.empty { turn.create($kind, $seat, free); }",
        &[KIND, SEAT, REGION],
    ),
    then(
        Subject::Piece,
        "create_in_zone",
        "create one {kind} of {seat} in {zone}",
        "",
        "turn.create_in($zone, $seat, $kind);",
        &[KIND, SEAT, ZONE],
    ),
    then(Subject::Piece, "remove", "take it out of play", "piece", "turn.remove(piece);", &[]),
    then(
        Subject::Piece,
        "remove_region",
        "take all pieces of {seat} in the region {region} out of play",
        "",
        "for own in turn.pieces_of($seat) { if own.cell != () && turn.region($region).contains(own.cell) { turn.remove(own); } }",
        &[SEAT, REGION],
    ),
    then(
        Subject::Piece,
        "remove_at",
        "take all pieces on {cell} out of play",
        "",
        "for gone in turn.pieces_at(turn.cell($cell)) { turn.remove(gone); }",
        &[CELL],
    ),
    then(
        Subject::Piece,
        "move",
        "move it to {cell}",
        "piece",
        "turn.move_piece(piece, turn.cell($cell));",
        &[CELL],
    ),
    then(
        Subject::Piece,
        "give",
        "give it to {seat}",
        "piece",
        "turn.give(piece, $seat);",
        &[SEAT],
    ),
    then(
        Subject::Piece,
        "give_region",
        "give all pieces in the region {region} to {seat}",
        "",
        "for given in turn.region($region).pieces { turn.give(given, $seat); }",
        &[REGION, SEAT],
    ),
    then(
        Subject::Message,
        "note_to",
        "tell {seat}: {text}",
        "",
        "turn.note($seat, $text);",
        &[SEAT, TEXT],
    ),
    then(Subject::Message, "note", "tell everybody: {text}", "", "turn.note($text);", &[TEXT]),
    then(
        Subject::Value,
        "add_seat",
        "add {number} to {property} of {seat}",
        "",
        "let side = $seat; side.$property += $number;",
        &[NUMBER, number_of(Scope::Seat), SEAT],
    ),
    then(
        Subject::Value,
        "set_seat",
        "set {property} of {seat} to {number}",
        "",
        "let side = $seat; side.$property = $number;",
        &[number_of(Scope::Seat), SEAT, NUMBER],
    )
    .setting_number(),
    then(
        Subject::Value,
        "say_seat",
        "set {property} of {seat} to {word}",
        "",
        "let side = $seat; side.$property = $word;",
        &[word_of(Scope::Seat), SEAT, WORD],
    ),
    then(
        Subject::Value,
        "add_piece",
        "add {number} to its {property}",
        "piece",
        "piece.$property += $number;",
        &[NUMBER, number_of(Scope::Piece)],
    ),
    then(
        Subject::Value,
        "set_piece",
        "set its {property} to {number}",
        "piece",
        "piece.$property = $number;",
        &[number_of(Scope::Piece), NUMBER],
    )
    .setting_number(),
    then(
        Subject::Value,
        "say_piece",
        "set its {property} to {word}",
        "piece",
        "piece.$property = $word;",
        &[word_of(Scope::Piece), WORD],
    ),
    then(
        Subject::Value,
        "add_match",
        "add {number} to {property} of the match",
        "",
        "turn.$property += $number;",
        &[NUMBER, number_of(Scope::Match)],
    ),
    then(
        Subject::Value,
        "set_match",
        "set {property} of the match to {number}",
        "",
        "turn.$property = $number;",
        &[number_of(Scope::Match), NUMBER],
    )
    .setting_number(),
    then(
        Subject::Value,
        "say_match",
        "set {property} of the match to {word}",
        "",
        "turn.$property = $word;",
        &[word_of(Scope::Match), WORD],
    ),
    then(
        Subject::Board,
        "set_terrain",
        "turn {cell} into {terrain}",
        "",
        "turn.set_terrain(turn.cell($cell), $terrain);",
        &[CELL, TERRAIN],
    ),
    then(
        Subject::Board,
        "set_region_terrain",
        "turn the region {region} into {terrain}",
        "",
        "for changed_cell in turn.region($region) { turn.set_terrain(changed_cell, $terrain); }",
        &[REGION, TERRAIN],
    ),
    then(
        Subject::Match,
        "eliminate",
        "put {seat} out of the match",
        "",
        "turn.eliminate($seat);",
        &[SEAT],
    ),
    then(Subject::Time, "end_turn", "end the turn", "", "turn.end_turn();", &[]),
    then(
        Subject::Action,
        "refuse",
        "refuse the action: {text}",
        "",
        "throw refuse(\"\", $text);",
        &[TEXT],
    ),
    then(
        Subject::Match,
        "win",
        "end the match, won by {seat}: {text}",
        "",
        "turn.end_match(win($seat, \"\", $text));",
        &[SEAT, TEXT],
    ),
    then(
        Subject::Match,
        "draw",
        "end the match as a draw: {text}",
        "",
        "turn.end_match(draw(\"\", $text));",
        &[TEXT],
    ),
    computed(
        Part::Number,
        Subject::Time,
        "round",
        "the number of the round",
        "",
        "turn.round",
        &[],
    ),
    computed(
        Part::Number,
        Subject::Action,
        "dice",
        "the total of the dice {dice}",
        "",
        "turn.roll($dice, \"trigger\")",
        &[DICE],
    ),
    computed(
        Part::Number,
        Subject::Piece,
        "pieces_in_region",
        "the number of pieces in the region {region}",
        "",
        "turn.region($region).pieces.len()",
        &[REGION],
    ),
    computed(
        Part::Number,
        Subject::Piece,
        "own_in_region",
        "the number of cells of the region {region} with pieces of {seat}",
        "",
        "(turn.region($region) & $seat.cells).count",
        &[REGION, SEAT],
    ),
    computed(
        Part::Number,
        Subject::Piece,
        "pieces_of",
        "the number of pieces of {seat}",
        "",
        "$seat.pieces_in_play",
        &[SEAT],
    ),
    computed(
        Part::Number,
        Subject::Value,
        "seat_value",
        "{property} of {seat}",
        "",
        "$seat.$property",
        &[number_of(Scope::Seat), SEAT],
    ),
    computed(
        Part::Number,
        Subject::Value,
        "piece_value",
        "its {property}",
        "piece",
        "piece.$property",
        &[number_of(Scope::Piece)],
    ),
    computed(
        Part::Number,
        Subject::Value,
        "match_value",
        "{property} of the match",
        "",
        "turn.$property",
        &[number_of(Scope::Match)],
    ),
    computed(
        Part::Seat,
        Subject::Time,
        "next_seat",
        "the seat after the one on turn",
        "",
        "turn.seat.next",
        &[],
    ),
    computed(Part::Seat, Subject::Piece, "owner", "its owner", "piece", "piece.owner", &[]),
    computed(
        Part::Seat,
        Subject::Piece,
        "former_owner",
        "its former owner",
        "before",
        "before",
        &[],
    ),
    computed(Part::Seat, Subject::Action, "actor", "whoever did it", "done", "done.seat", &[]),
];
