//! Drop patterns: where pieces come onto the board.

use rhai::plugin::*;

use super::move_patterns::{EnclosurePattern, Unknown, Word, kind, seats};
use super::placement_patterns::zones_of;
use boardwright_model::{Board, Declarations, KindId, ZoneId, ZoneVisibility};
use boardwright_rules::{CellsOf, Drop, Each};

/// A drop pattern as a script builds it: names are looked up when the match begins.
#[derive(Clone, Debug)]
pub struct DropPattern {
    kind: Word,
    zone: Option<Word>,
    seats: Vec<Word>,
    enclosures: Vec<EnclosurePattern>,
    drop: Drop,
}

impl DropPattern {
    fn new(kind: Word) -> Self {
        Self {
            kind,
            zone: None,
            seats: Vec::new(),
            enclosures: Vec::new(),
            drop: Drop {
                rule: "".into(),
                kind: KindId(0),
                from: None,
                seats: Vec::new(),
                on: CellsOf::Empty,
                enclosures: Vec::new(),
                must_capture: false,
            },
        }
    }

    /// The drop with its names looked up. `None` if it is one of seats that do not take part.
    pub(crate) fn resolve<'a>(&'a self, board: &'a Board, declarations: &'a Declarations) -> Result<Option<Drop>, Unknown<'a>> {
        let zone = |word: &'a Word| {
            let known = declarations.zones.iter().map(|zone| &*zone.name);
            word.look_up("zone", zones_of(declarations, word.text()), known.collect())
        };
        let drop = Drop {
            kind: kind(&self.kind, declarations)?,
            from: self.zone.as_ref().map(zone).transpose()?,
            seats: seats(&self.seats, declarations)?,
            enclosures: self
                .enclosures
                .iter()
                .map(|enclosure| enclosure.resolve(board, declarations))
                .collect::<Result<_, _>>()?,
            ..self.drop.clone()
        };
        let is_of_absent = drop.seats.is_empty() && !self.seats.is_empty();
        Ok((!is_of_absent).then_some(drop))
    }
}

impl DropPattern {
    /// Where the script wrote it.
    pub(crate) fn position(&self) -> Position {
        self.kind.position()
    }

    /// What is wrong with a drop although all its names are known.
    pub(crate) fn fault_of(&self, drop: &Drop, declarations: &Declarations) -> Option<String> {
        if declarations.kind(drop.kind).is_some_and(|kind| kind.figure.is_some()) {
            let kind = self.kind.text();
            return Some(format!(
                "{kind} has a shape: `place_from` places such pieces, `drop` puts others on one cell"
            ));
        }
        if drop.must_capture && drop.enclosures.is_empty() {
            return Some("a drop with `must_capture` and without `capturing` is never possible".to_owned());
        }
        let is_hidden = |zone: &ZoneId| {
            let zone = declarations.zones.get(zone.index());
            zone.is_some_and(|zone| match zone.visibility {
                ZoneVisibility::Everyone => false,
                ZoneVisibility::Owner => zone.owner.is_none(),
                ZoneVisibility::NoOne => true,
            })
        };
        let hidden = match drop.from.as_ref()? {
            Each::Always(zone) => is_hidden(zone),
            Each::InTurn(zones) | Each::OfSeat(zones) => zones.iter().any(is_hidden),
        };
        hidden.then(|| "a piece cannot be dropped from a zone that the seat does not see into".to_owned())
    }
}

#[export_module]
pub(super) mod drops {
    use super::super::handles::PatternCells;
    use super::{DropPattern, EnclosurePattern, NativeCallContext, Word};

    /// Puts a new piece of a kind on a cell, for the seat to act. On an empty cell, unless said otherwise.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("mark")] }
    /// ```
    pub fn drop(context: NativeCallContext<'_>, kind: &str) -> DropPattern {
        DropPattern::new(Word::new(kind, &context))
    }

    /// The piece is the first of its kind in a zone: a common one, or that of the seat to act where every seat has one. It belongs to the seat
    /// then, whoever owned it. Where there is none, nothing can be dropped.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("card").from("hand")] }
    /// ```
    pub fn from(context: NativeCallContext<'_>, mut pattern: DropPattern, zone: &str) -> DropPattern {
        pattern.zone = Some(Word::new(zone, &context));
        pattern
    }

    /// The cells it may come to.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("mark").on(view.empty & view.region("centre"))] }
    /// ```
    pub fn on(mut pattern: DropPattern, cells: PatternCells) -> DropPattern {
        pattern.drop.on = cells.cells;
        pattern
    }

    /// Only for a seat. Said again, for several seats.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("mark").owned_by("red")] }
    /// ```
    pub fn owned_by(context: NativeCallContext<'_>, mut pattern: DropPattern, seat: &str) -> DropPattern {
        pattern.seats.push(Word::new(seat, &context));
        pattern
    }

    /// Enemies next to the cell are captured if they are enclosed as said. Said again, for other kinds.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("mark").capturing(enclosed().in_rows())] }
    /// ```
    pub fn capturing(mut pattern: DropPattern, enclosed: EnclosurePattern) -> DropPattern {
        pattern.enclosures.push(enclosed);
        pattern
    }

    /// It may come only to a cell where it captures something.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("mark").capturing(enclosed().in_rows().turning()).must_capture()] }
    /// ```
    pub fn must_capture(mut pattern: DropPattern) -> DropPattern {
        pattern.drop.must_capture = true;
        pattern
    }

    /// The number of the rule it stands in.
    ///
    /// ```rhai
    /// fn pattern_put(view) { [drop("mark").rule("2.1")] }
    /// ```
    pub fn rule(mut pattern: DropPattern, rule: &str) -> DropPattern {
        pattern.drop.rule = rule.into();
        pattern
    }
}
