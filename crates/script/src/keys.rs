//! The keys that `ruleset()` may declare: one table, for the reader of declarations and for the reference.

/// A key of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// What its value has to be.
    pub(crate) value: &'static str,
    /// What it says, and what holds without it.
    pub(crate) help: &'static str,
}

/// Declarations of one sort.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// The key of the list they stand in. Empty for the map that `ruleset()` gives back.
    pub(crate) list: &'static str,
    /// What they declare.
    pub(crate) about: &'static str,
    pub(crate) keys: &'static [Key],
    /// Every key in use. All examples together are one ruleset.
    pub(crate) example: &'static str,
}

const fn key(name: &'static str, value: &'static str, help: &'static str) -> Key {
    Key { name, value, help }
}

pub(crate) const NAME: Key = key(
    "name",
    "text",
    "Needed. How rules and files call it: small letters, digits and `_`, a letter first.",
);
pub(crate) const TITLE: Key = key("title", "text", "How players read it. Without it: the name with a capital.");

// What says the type and the value at the beginning of properties, options and parameters.
pub(crate) const INTEGER: Key = key("integer", "number", "A whole number.");
pub(crate) const MIN: Key = key("min", "number", "The least number allowed.");
pub(crate) const MAX: Key = key("max", "number", "The greatest number allowed.");
pub(crate) const FLAG: Key = key("flag", "true or false", "Yes or no.");
pub(crate) const TEXT: Key = key("text", "text", "A text.");
pub(crate) const CHOICE: Key = key("choice", "text", "One of some `words`.");
pub(crate) const WORDS: Key = key("words", "list of texts", "The words of a `choice`.");
pub(crate) const CELL: Key = key("cell", "`()`", "A cell, or `()`.");
pub(crate) const PIECE: Key = key("piece", "`()`", "A piece, or `()`.");
pub(crate) const SEAT: Key = key("seat", "`()`", "A seat, or `()`.");
pub(crate) const LIST: Key = key("list", "list", "A list of such values.");
pub(crate) const KIND: Key = key("kind", "`()`", "The name of a kind, or `()`.");
pub(crate) const HELP: Key = key("help", "text", "What it means, in a sentence.");

macro_rules! key {
    ($id:ident) => {
        #[allow(unused_imports, reason = "some keys are read for several sections at once")]
        pub(crate) use super::$id;
    };
    ($id:ident = $name:literal, $value:literal, $help:literal) => {
        pub(crate) const $id: Key = key($name, $value, $help);
    };
}

/// A module of keys for each section, and the list of all sections.
macro_rules! sections {
    ($($section:ident $list:literal: $about:literal { $($id:ident $(= $name:literal, $value:literal, $help:literal)?;)* } $example:literal;)*) => {
        $(pub(crate) mod $section {
            #[allow(unused_imports, reason = "not every section has keys of its own")]
            use super::{Key, key};

            $(key!($id $(= $name, $value, $help)?);)*
        })*

        /// Every sort of declaration.
        pub(crate) const SECTIONS: &[Section] = &[$(Section {
            list: $list,
            about: $about,
            keys: &[$($section::$id),*],
            example: $example,
        }),*];
    };
}

sections! {
    ruleset "":
        "What `ruleset()` gives back. The lists are described below."
    {
        SEATS = "seats", "list",
            "Needed. Who plays: 1 to 32 seats, in turn order.";
        KINDS = "kinds", "list",
            "The sorts of pieces.";
        TERRAINS = "terrains", "list",
            "The sorts of ground.";
        PROPERTIES = "properties", "list",
            "Values that match, seats, pieces, cells and edges have.";
        ZONES = "zones", "list",
            "Places off the board: hands, decks, reserves.";
        TURNS = "turns", "list",
            "The turns of a round, in order. Without them: every seat has one, in the order of the seats.";
        IDLE = "idle", "`asked`, `passes` or `drops_out`",
            "What happens when a seat can do nothing in its turn: it is asked all the same, the turn is passed over, or it is passed \
                 over and does not come again. With the last two an ending `nobody_can_act` is needed. Without it: asked.";
        PHASES = "phases", "list",
            "The parts of a turn, in order. Without them: one phase, `play`.";
        OPTIONS = "options", "list",
            "What can be chosen before a match begins.";
        CONTESTS = "contests", "list",
            "What luck decides round by round, and whose odds can be asked for.";
        ACTIONS = "actions", "list",
            "Needed. What seats can do.";
        ENDINGS = "endings", "list",
            "How a match ends, beyond what `outcome` says. Tried in order.";
        PROGRESS_CLOCK = "progress_clock", "name of a match property",
            "A number that the engine counts up every turn and sets to 0 when a piece has left play.";
        COUNTS_POSITIONS = "counts_positions", "true or false",
            "Whether positions are counted, for endings by repetition, `view.times_stood` and `view.takes_back`. Without it: false.";
        FOG = "fog", "true or false",
            "Whether seats see only the cells that `visible` gives. Without it: false.";
    }
    "progress_clock: \"quiet_turns\",\ncounts_positions: true,\nfog: false,\nidle: \"passes\",";
    seats "seats":
        "A seat is a slot that may act; a person or a computer player sits there."
    {
        NAME;
        TITLE;
        COLOUR = "colour", "text `#RRGGBB`",
            "The colour of its pieces. Without it: grey.";
    }
    "seats: [\n    #{ name: \"red\", title: \"Red\", colour: \"#b8402f\" },\n    #{ name: \"blue\", title: \"Blue\", colour: \"#2f5f9e\" },\n],";
    kinds "kinds":
        "A sort of piece."
    {
        NAME;
        TITLE;
        GLYPH = "glyph", "text",
            "A sign for boards of text. Without it: the first letter of the title.";
        VALUES = "values", "map",
            "Piece properties of new pieces of this kind that differ from the default.";
        SHAPE = "shape", "list of texts",
            "The rows of its shape on a square grid, `X` for a square that it covers and `.` for one that it does not. Such pieces \
                 are placed in one of eight poses. Without it: the piece is on one cell.";
    }
    "kinds: [\n    #{ name: \"army\", title: \"Army\", glyph: \"A\", values: #{ strength: 4 } },\n    #{ name: \"card\", title: \"Card\" },\n    #{ name: \"hook\", shape: [\"X..\", \"XXX\"] },\n],";
    terrains "terrains":
        "A sort of ground. The first one is that of cells for which the map says nothing."
    {
        NAME;
        TITLE;
        COLOUR = "colour", "text `#RRGGBB`",
            "How cells of it are filled. Without it: sand.";
    }
    "terrains: [\n    #{ name: \"land\", title: \"Land\", colour: \"#d8cfb8\" },\n    #{ name: \"water\", title: \"Water\", colour: \"#7fa3c7\" },\n],";
    properties "properties":
        "A value that rules read and change by its name: `piece.strength`, `seat.gold`, `turn.weather`. One of the keys `integer`, \
                `flag`, `text`, `choice`, `cell`, `piece`, `seat`, `kind`, `list` says its type and its value at the beginning."
    {
        OF = "of", "`match`, `seat`, `piece`, `cell` or `edge`",
            "Needed. What has the property.";
        NAME;
        TITLE;
        INTEGER;
        MIN;
        MAX;
        FLAG;
        TEXT;
        CHOICE;
        WORDS;
        CELL;
        PIECE;
        SEAT;
        KIND;
        LIST;
        COUNTER = "counter", "true or false",
            "It only counts: positions that differ in it alone are the same position. Without it: false.";
        SECRET = "secret", "true or false",
            "Only its owner sees it. Without it: false.";
    }
    "properties: [\n    #{ of: \"match\", name: \"quiet_turns\", title: \"Quiet turns\", integer: 0, min: 0, max: 1000, counter: true },\n    #{ of: \"match\", name: \"weather\", choice: \"fair\", words: [\"fair\", \"rain\"] },\n    #{ of: \"match\", name: \"proverb\", text: \"\" },\n    #{ of: \"seat\", name: \"plan\", list: [], secret: true },\n    #{ of: \"seat\", name: \"favourite\", kind: () },\n    #{ of: \"piece\", name: \"strength\", integer: 1, min: 0, max: 10 },\n    #{ of: \"piece\", name: \"has_moved\", flag: false },\n    #{ of: \"piece\", name: \"target\", piece: () },\n    #{ of: \"piece\", name: \"home\", cell: () },\n    #{ of: \"cell\", name: \"holder\", seat: () },\n],";
    zones "zones":
        "A place off the board that holds pieces in order."
    {
        NAME;
        TITLE;
        EACH = "each", "`seat`",
            "Every seat has a zone of this name. Without it: one common zone.";
        SEEN_BY = "seen_by", "`everyone`, `owner` or `no one`",
            "Who sees the pieces in it. All see how many there are. Without it: everyone.";
    }
    "zones: [\n    #{ name: \"deck\", title: \"Deck\", seen_by: \"no one\" },\n    #{ name: \"hand\", each: \"seat\", seen_by: \"owner\" },\n],";
    turns "turns":
        "A turn of a round, for rounds in which not simply every seat has one: a seat may have several, and several seats may take \
                one in turn, one a round."
    {
        NAME = "name", "text",
            "Needed. What is played in it, such as a colour or a hand: `view.turn_name`.";
        TITLE;
        SEAT = "seat", "name of a seat",
            "Whose turn it is.";
        SEATS = "seats", "list of names",
            "The seats that take it in turn, instead of `seat`.";
    }
    "turns: [\n    #{ name: \"red\", seat: \"red\" },\n    #{ name: \"blue\", seat: \"blue\" },\n    #{ name: \"grey\", title: \"Grey\", seats: [\"red\", \"blue\"] },\n],";
    phases "phases":
        "A part of a turn. A turn begins with the first and ends after the last."
    {
        NAME;
        TITLE;
        AUTOMATIC = "automatic", "true or false",
            "It ends by itself once `enter_PHASE` has run. Without it: false.";
    }
    "phases: [\n    #{ name: \"income\", title: \"Income\", automatic: true },\n    #{ name: \"march\", title: \"March\" },\n],";
    options "options":
        "A choice made before a match begins, read as `view.options.NAME`. Its type and default are given as for properties."
    {
        NAME;
        TITLE;
        HELP;
        INTEGER;
        MIN;
        MAX;
        FLAG;
        TEXT;
        CHOICE;
        WORDS;
        CELL;
        PIECE;
        SEAT;
        KIND;
        LIST;
    }
    "options: [\n    #{ name: \"long_match\", title: \"Long match\", flag: false, help: \"Twice as many turns.\" },\n    #{ name: \"draw_after\", integer: 40, min: 10, max: 200 },\n    #{ name: \"variant\", choice: \"classic\", words: [\"classic\", \"quick\"] },\n    #{ name: \"greeting\", text: \"Good luck\" },\n    #{ name: \"first\", seat: () },\n    #{ name: \"capital\", cell: () },\n    #{ name: \"champion\", piece: () },\n    #{ name: \"trump\", kind: () },\n    #{ name: \"banned\", list: [] },\n],";
    actions "actions":
        "Something that a seat can ask for, with what has to be picked for it."
    {
        NAME;
        TITLE;
        RULE = "rule", "text",
            "The number of the rule it stands in.";
        PICKS = "picks", "list",
            "What is picked for it, in order; see below.";
        PHASES = "phases", "list of names",
            "The phases in which it can be asked. Without it: all.";
        ANSWERS = "answers", "true or false",
            "It answers a question (`turn.ask`) and can be asked only then. Without it: false.";
        ENDS_TURN = "ends_turn", "true or false",
            "The turn ends when it has been carried out. Without it: false.";
        ASIDE = "aside", "true or false",
            "It stands beside the play, as giving up does: people may ask for it, but it is not listed among the legal actions, and \
                 computer players leave it out. Without it: false.";
        OPEN = "open", "true or false",
            "Everybody is told that it was carried out, with its picks and dice, even if something that follows from it is hidden from them, \
                 such as a card that is drawn. Without it: false, and they are told only of what is not hidden at all.";
    }
    "actions: [\n    #{ name: \"march\", title: \"March\", rule: \"2.1\", phases: [\"march\"], ends_turn: true, picks: [\n        #{ name: \"army\", pick: \"piece\", prompt: \"Which army?\" },\n        #{ name: \"path\", pick: \"path\", rule: \"2.2\", prompt: \"Where to?\" },\n    ] },\n    #{ name: \"defend\", rule: \"3.2\", answers: true, picks: [#{ name: \"card\", pick: \"piece\" }] },\n    #{ name: \"resign\", rule: \"5\", aside: true, open: true },\n],";
    picks "picks":
        "One thing picked for an action. The hook `ACTION_PICK` says what may be picked."
    {
        NAME;
        PROMPT = "prompt", "text",
            "What players are asked. Without it: `Which NAME?`";
        RULE = "rule", "text",
            "The number of the rule that says what may be picked. Without it: the rule of the action.";
        PICK = "pick", "`cell`, `cells`, `piece`, `pieces`, `seat`, `number`, `choice`, `path`, `pose` or `text`",
            "Needed. What sort of thing it is.";
    }
    "";
    contests "contests":
        "Something that luck decides in one or more rounds, such as a battle. `round_CONTEST` and `clash_CONTEST` say how a round goes; \
                from them the engine works out the odds."
    {
        NAME;
        TITLE;
        RULE = "rule", "text",
            "The number of the rule it stands in.";
        RESULTS = "results", "list of texts",
            "Needed. The words that `result_CONTEST` gives back, the one whose odds matter most in front.";
        PARAMETERS = "parameters", "list",
            "What it begins with: integers, flags and choices, given as options are.";
    }
    "contests: [\n    #{ name: \"battle\", title: \"Battle\", rule: \"5.4\", results: [\"won\", \"lost\"], parameters: [\n        #{ name: \"attackers\", integer: 3, min: 0, max: 100 },\n        #{ name: \"defenders\", integer: 2, min: 0, max: 100 },\n        #{ name: \"is_uphill\", title: \"Uphill\", flag: false, help: \"The defence stands higher.\" },\n        #{ name: \"ground\", choice: \"open\", words: [\"open\", \"wood\"] },\n    ] },\n],";
    parameters "parameters":
        "Something that a contest begins with. Its type and default are given as for options; only integers can change."
    {
        NAME;
        TITLE;
        HELP;
        INTEGER;
        MIN;
        MAX;
        FLAG;
        CHOICE;
        WORDS;
    }
    "";
    endings "endings":
        "A way for the match to end that the engine watches by itself."
    {
        WHEN = "when", "`no_pieces`, `no_actions`, `nobody_can_act`, `repetition` or `reached`",
            "Needed. A seat has no piece in play; the seat to act can do nothing; no seat can do anything in any turn; the position \
                 has stood several times; a match property has reached a number.";
        THEN = "then", "`loses`, `wins`, `draw` or `ranking`",
            "Needed. What happens to that seat, or to all: with `ranking` the hook `final_score` counts the points.";
        TIMES = "times", "number",
            "With `repetition`: how many times the position has stood, 2 or more.";
        PROPERTY = "property", "name of a match property",
            "With `reached`: the property.";
        LIMIT = "limit", "number or name of an option",
            "With `reached`: the number to be reached.";
        RULE = "rule", "text",
            "The number of the rule.";
        REASON = "reason", "text",
            "Why it ended, as players read it.";
    }
    "endings: [\n    #{ when: \"no_pieces\", then: \"loses\", rule: \"4.1\", reason: \"no army left\" },\n    #{ when: \"repetition\", times: 3, then: \"draw\", rule: \"4.2\" },\n    #{ when: \"reached\", property: \"quiet_turns\", limit: \"draw_after\", then: \"draw\", rule: \"4.3\" },\n    #{ when: \"nobody_can_act\", then: \"ranking\", rule: \"4.4\" },\n],";
}

/// The keys of declarations in a list.
pub(crate) fn keys_of(list: &str) -> &'static [Key] {
    SECTIONS
        .iter()
        .find(|section| section.list == list)
        .map_or(&[], |section| section.keys)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Limits, ScriptSource};
    use super::*;
    use boardwright_ruleset::{Layer, Sources};

    /// What the actions and contests of the examples need.
    const HOOKS: &str =
        "fn do_resign(turn, picked) {} fn do_march(turn, picked) {} fn march_army(view) { [] } fn march_path(view, picked) { [] }
        fn do_defend(turn, picked) {} fn defend_card(view) { [] }
        fn round_battle(view, sides) {} fn clash_battle(turn, round) { #{} } fn result_battle(view, sides) { \"lost\" }";

    fn whole(examples: impl Iterator<Item = &'static str>) -> String {
        let body: Vec<&str> = examples.collect();
        format!("fn ruleset() {{\n#{{\n{}\n}}\n}}\n{HOOKS}", body.join("\n"))
    }

    fn read(text: &str) -> Result<ScriptSource, String> {
        let sources = Sources::of(Layer::new("example").with("rules.rhai", text));
        ScriptSource::new(Arc::new(sources), Limits::default()).map_err(|problems| problems.render())
    }

    #[test]
    fn the_examples_of_declarations_are_a_ruleset_that_uses_every_key() {
        let text = whole(SECTIONS.iter().map(|section| section.example));
        read(&text).unwrap_or_else(|problems| panic!("{problems}"));
        for section in SECTIONS {
            let around = match section.list {
                "picks" => "actions",
                "parameters" => "contests",
                other => other,
            };
            let example = SECTIONS.iter().find(|other| other.list == around).unwrap();
            for key in section.keys.iter().filter(|_| !section.list.is_empty()) {
                assert!(
                    example.example.contains(&format!("{}: ", key.name)),
                    "{}: {}",
                    section.list,
                    key.name
                );
            }
        }
        for key in keys_of("") {
            assert!(text.contains(&format!("\n{}: ", key.name)), "{}", key.name);
        }
    }

    #[test]
    fn a_key_that_is_not_there_is_told_with_those_that_are() {
        let text = whole(SECTIONS.iter().map(|section| section.example)).replacen("colour: \"#b8402f\"", "color: \"#b8402f\"", 1);
        let problems = read(&text).expect_err("an unknown key");
        assert!(problems.contains("there are name, title, colour"), "{problems}");
    }
}
