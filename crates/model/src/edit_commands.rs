//! The commands of manual edits: one list of forms, from which the help is written and lines are completed.

use serde::{Deserialize, Serialize};

use super::manual_edit::Names;
use crate::{Scope, State, ValueType};

macro_rules! commands {
    ($($name:ident = $form:literal, $help:literal;)*) => {
        /// A command of manual edits, by the word with which it begins.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each has its help")]
        pub enum EditCommand {
            $($name,)*
        }

        impl EditCommand {
            /// All of them, in the order of the help.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// How it is written. Words in capitals are placeholders; what is behind a comma may be repeated.
            pub const fn form(self) -> &'static str {
                match self { $(Self::$name => $form,)* }
            }

            /// What it does.
            pub const fn help(self) -> &'static str {
                match self { $(Self::$name => $help,)* }
            }
        }
    };
}

commands! {
    Set = "set THING.PROPERTY = VALUE", "sets a declared property of `match`, of a seat, of a cell, or of the piece on a cell";
    Owner = "owner CELL, CELL = OWNER", "gives the pieces on cells to a seat, or to `nobody`";
    Exchange = "exchange CELL, CELL", "exchanges the owners of the pieces on two cells";
    Strip = "strip SEAT = SEAT", "gives all that the first seat has on the board to the second, but for the pieces on one cell";
    Add = "add KIND of SEAT = PLACE", "puts a new piece onto a cell or into a zone; `of SEAT` may be left out";
    Move = "move PLACE = PLACE", "moves the pieces of a cell, or the last piece of a zone; a zone of a seat is written `hand of red`";
    Remove = "remove CELL, CELL", "takes the pieces on cells out of the match";
    Dice = "dice 6, 6, 1", "says how the next dice fall, one after the other";
    Phase = "phase PHASE", "goes to a phase of the present turn";
    Turn = "turn SEAT", "begins the turn of a seat";
    Run = "run SCRIPT", "runs a line of a script, which may do all that a `turn` can: `run turn.red_reserve = 3`";
}

impl EditCommand {
    /// The word with which it begins, and what follows it.
    pub fn parts(self) -> (&'static str, &'static str) {
        self.form().split_once(' ').unwrap_or((self.form(), ""))
    }

    /// The command that begins with a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|command| command.parts().0 == word)
    }

    /// The words of all of them.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|command| command.parts().0)
    }
}

/// Words by where they can stand; those that take something end with the bracket that opens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCompletions {
    /// Behind `turn.` and `view.`.
    pub of_turn: Vec<String>,
    /// Behind the point of any other thing.
    pub of_things: Vec<String>,
    /// Where no point stands before.
    pub plain: Vec<String>,
}

impl LineCompletions {
    /// Whether nothing is known of scripts.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// How a line that is being written can go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where the text begins that a word takes the place of, in bytes.
    pub start: usize,
    /// What can stand there, in the order of the declarations and of the map.
    pub words: Vec<String>,
    /// What follows behind such a word.
    pub then: &'static str,
}

impl Completion {
    /// Those of some words that begin as what was written, whether in small letters or large.
    fn among(start: usize, written: &str, words: impl IntoIterator<Item = String>, then: &'static str) -> Self {
        let written = written.to_lowercase();
        let mut found: Vec<String> = Vec::new();
        for word in words {
            if word.to_lowercase().starts_with(&written) && !found.contains(&word) {
                found.push(word);
            }
        }
        Self { start, words: found, then }
    }
}

/// What stands in front of a line of a script.
const RUN: &str = "run ";

/// Completes an edit command. `state` is the match as its author sees it, `words` what a line of a script may say.
pub fn complete_edit(line: &str, state: &State, words: &LineCompletions) -> Completion {
    if line.trim_start().starts_with(RUN) {
        return complete_script(line, state, words);
    }
    let begun = line.trim_start();
    let mut start = line.len() - begun.len();
    let Some((word, mut rest)) = begun.split_once(' ') else {
        let words = EditCommand::words().chain(["help"]).map(str::to_owned);
        return Completion::among(start, begun, words, " ");
    };
    start += word.len() + 1;
    let Some((_, form)) = EditCommand::of_word(word).map(EditCommand::parts) else {
        return Completion::default();
    };
    let (left, right) = form.split_once(" = ").map_or((form, None), |(left, right)| (left, Some(right)));
    let (mut side, mut given) = (left, "");
    if let Some((right, (before, behind))) = right.zip(rest.split_once('=')) {
        (side, given, rest) = (right, before, behind);
        start += before.len() + 1;
    }
    // The last of several stands for all that follow.
    let items = rest.split(',').count();
    let mut slot = side.split(", ").take(items).last().unwrap_or_default();
    let last = rest.rsplit(',').next().unwrap_or_default();
    let mut text = last.trim_start();
    start += rest.len() - text.len();
    if let Some((first, second)) = slot.split_once(" of ") {
        slot = first;
        if let Some((kind, seat)) = text.split_once(" of ") {
            start += kind.len() + " of ".len();
            (slot, text) = (second, seat);
        }
    }
    let goes_on = right.is_some() && given.is_empty() && side == left && !side.contains(", ");
    Candidates(state).complete((slot, given), (start, text), if goes_on { " = " } else { "" })
}

/// Completes the last word of a script: behind `turn.` what a turn can do and properties of the match, behind another point what anything
/// else can do and properties of anything else.
fn complete_script(line: &str, state: &State, words: &LineCompletions) -> Completion {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = line.trim_end_matches(is_of_name);
    let written = line.get(before.len()..).unwrap_or_default();
    let of_turn = ["turn.", "view."].iter().any(|thing| {
        let front = before.strip_suffix(thing);
        front.is_some_and(|front| !front.ends_with(|letter| is_of_name(letter) || letter == '.'))
    });
    let declared = |wanted: &dyn Fn(Scope) -> bool| -> Vec<String> {
        let all = state.declarations().properties.iter().filter(|property| wanted(property.scope));
        all.filter(|property| state.declarations().find_property(property.scope, &property.name).is_some())
            .map(|property| property.name.to_string())
            .collect()
    };
    let (own, declared) = if of_turn {
        (&words.of_turn, declared(&|scope| scope == Scope::Match))
    } else if before.ends_with('.') {
        (&words.of_things, declared(&|scope| scope != Scope::Match))
    } else {
        (&words.plain, Vec::new())
    };
    let mut found: Vec<String> = declared.into_iter().chain(own.iter().cloned()).collect();
    found.retain(|word| word.starts_with(written) && word != written);
    found.sort();
    found.dedup();
    Completion {
        start: before.len(),
        words: found,
        then: "",
    }
}

/// What can stand in the place of the words in capitals.
struct Candidates<'a>(&'a State);

impl Candidates<'_> {
    fn complete(&self, (slot, given): (&str, &str), (start, text): (usize, &str), then: &'static str) -> Completion {
        let words = match slot {
            "THING.PROPERTY" => {
                if let Some((thing, name)) = text.rsplit_once('.') {
                    let properties = self.properties(thing);
                    if !properties.is_empty() {
                        return Completion::among(start + thing.len() + 1, name, properties, then);
                    }
                }
                return Completion::among(start, text, self.things().map(|thing| format!("{thing}.")), "");
            }
            "VALUE" => self.values(given),
            "CELL" => self.cells().collect(),
            "SEAT" => self.seats().collect(),
            "OWNER" => self.seats().chain(["nobody".to_owned()]).collect(),
            "KIND" => self.kinds(),
            "PLACE" => self.zones().chain(self.cells()).collect(),
            "PHASE" => self.0.declarations().phases.iter().map(|phase| phase.name.to_string()).collect(),
            _ => Vec::new(),
        };
        Completion::among(start, text, words, then)
    }

    fn cells(&self) -> impl Iterator<Item = String> {
        let board = self.0.board();
        board.cells().map(|cell| board.cell_name(cell).to_owned())
    }

    fn seats(&self) -> impl Iterator<Item = String> {
        self.0.declarations().seats.iter().map(|seat| seat.name.to_string())
    }

    fn kinds(&self) -> Vec<String> {
        let declarations = self.0.declarations();
        let names = declarations.kinds.iter().map(|kind| &*kind.name);
        names
            .filter(|name| declarations.find_kind(name).is_some())
            .map(str::to_owned)
            .collect()
    }

    fn zones(&self) -> impl Iterator<Item = String> {
        let declarations = self.0.declarations();
        let still = declarations
            .zones
            .iter()
            .filter(|zone| declarations.find_zone(&zone.name, zone.owner).is_some());
        still.map(|zone| match zone.owner.and_then(|seat| declarations.seats.get(seat.index())) {
            Some(seat) => format!("{} of {}", zone.name, seat.name),
            None => zone.name.to_string(),
        })
    }

    fn things(&self) -> impl Iterator<Item = String> {
        let all = std::iter::once("match".to_owned()).chain(self.seats()).chain(self.cells());
        all.filter(|thing| !self.properties(thing).is_empty())
    }

    fn properties(&self, thing: &str) -> Vec<String> {
        let declarations = self.0.declarations();
        let of = |scope: Scope| {
            let declared = declarations.properties.iter().filter(move |property| property.scope == scope);
            declared
                .map(|property| property.name.to_string())
                .filter(move |name| declarations.find_property(scope, name).is_some())
        };
        if thing == "match" {
            return of(Scope::Match).collect();
        }
        if declarations.find_seat(thing).is_some() {
            return of(Scope::Seat).collect();
        }
        let Some(cell) = self.0.board().find_cell(thing) else {
            return Vec::new();
        };
        let of_piece = self.0.piece_at(cell).is_some().then(|| of(Scope::Piece));
        of_piece.into_iter().flatten().chain(of(Scope::Cell)).collect()
    }

    /// The values that the property written in front may have, where they can be listed.
    fn values(&self, given: &str) -> Vec<String> {
        let property = given.trim().rsplit_once('.');
        let property = property.and_then(|(thing, name)| Names(self.0).property(thing.trim(), name.trim()).ok());
        let declared = property.and_then(|(_, property)| self.0.declarations().property(property));
        let or_nothing = |mut words: Vec<String>| {
            words.push("nothing".to_owned());
            words
        };
        match declared.map(|declared| &declared.value_type) {
            Some(ValueType::Flag) => vec!["yes".to_owned(), "no".to_owned()],
            Some(ValueType::Choice { words }) => words.iter().map(ToString::to_string).collect(),
            Some(ValueType::Seat) => or_nothing(self.seats().collect()),
            Some(ValueType::Cell) => or_nothing(self.cells().collect()),
            Some(ValueType::Kind) => or_nothing(self.kinds()),
            _ => Vec::new(),
        }
    }
}
