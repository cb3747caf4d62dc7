//! Manual edits of a running match: reading a command.

use super::edit_commands::EditCommand;
use super::{CellId, KindId, PhaseId, Place, PropertyId, Scope, SeatId, Sentence, State, Target, Value, ValueType, ZoneId};
use crate::sentence;

/// A manual edit.
#[derive(Clone, Debug, PartialEq)]
pub enum ManualEdit {
    /// Set a declared property.
    Set(Target, PropertyId, Value),
    /// Give the pieces on cells to a seat, or to nobody.
    Owner(Vec<CellId>, Option<SeatId>),
    /// Exchange the owners of the pieces on two cells.
    Exchange(CellId, CellId),
    /// Give what a seat has on the board to another, but for one cell.
    Strip(SeatId, SeatId),
    /// Put a new piece somewhere.
    Add(KindId, Option<SeatId>, Place),
    /// Move the pieces of a place.
    Move(Place, Place),
    /// Take the pieces on cells out of the match.
    Remove(Vec<CellId>),
    /// Force the next dice.
    Dice(Vec<u32>),
    /// Go to a phase.
    Phase(PhaseId),
    /// Begin the turn of a seat.
    Turn(SeatId),
    /// Run a line of a script.
    Run(String),
}

pub(super) struct Names<'a>(pub(super) &'a State);

impl Names<'_> {
    fn seat(&self, name: &str) -> Result<SeatId, Sentence> {
        let declarations = self.0.declarations();
        let known = || declarations.seats.iter().map(|seat| &*seat.name).collect::<Vec<_>>().join(", ");
        declarations
            .find_seat(name)
            .ok_or_else(|| sentence!("there is no seat `{name}`; there are {known}", known = known()))
    }

    fn cell(&self, name: &str) -> Result<CellId, Sentence> {
        let found = self.0.board().find_cell(name);
        found.ok_or_else(|| sentence!("there is no cell `{name}`"))
    }

    fn cells(&self, names: &str) -> Result<Vec<CellId>, Sentence> {
        names.split(',').map(|name| self.cell(name.trim())).collect()
    }

    fn owner(&self, name: &str) -> Result<Option<SeatId>, Sentence> {
        if name == "nobody" { Ok(None) } else { self.seat(name).map(Some) }
    }

    /// A name, and the seat behind `of`.
    fn of<'t>(&self, text: &'t str) -> Result<(&'t str, Option<SeatId>), Sentence> {
        match text.split_once(" of ") {
            Some((name, seat)) => Ok((name.trim(), Some(self.seat(seat.trim())?))),
            None => Ok((text.trim(), None)),
        }
    }

    fn zone(&self, text: &str) -> Result<Option<ZoneId>, Sentence> {
        let (name, owner) = self.of(text)?;
        Ok(self.0.declarations().find_zone(name, owner))
    }

    fn place(&self, text: &str) -> Result<Place, Sentence> {
        if let Some(cell) = self.0.board().find_cell(text) {
            return Ok(Place::Cell(cell));
        }
        let zone = self.zone(text)?;
        zone.map(Place::Zone).ok_or_else(|| sentence!("`{text}` is no cell and no zone"))
    }

    fn value(&self, declared: &ValueType, text: &str) -> Result<Value, Sentence> {
        match declared {
            ValueType::Seat if text != "nothing" => self.seat(text).map(Value::Seat),
            ValueType::Cell if text != "nothing" => self.cell(text).map(Value::Cell),
            ValueType::Kind if text != "nothing" => self.kind(text).map(Value::Kind),
            declared => declared.parse(text).map_err(|error| sentence!("{error}")),
        }
    }

    fn kind(&self, name: &str) -> Result<KindId, Sentence> {
        let found = self.0.declarations().find_kind(name);
        found.ok_or_else(|| sentence!("there is no kind `{name}`"))
    }

    /// Whose property is meant, and which.
    pub(super) fn property(&self, thing: &str, name: &str) -> Result<(Target, PropertyId), Sentence> {
        let declarations = self.0.declarations();
        let of = |scope, target| declarations.find_property(scope, name).map(|property| (target, property));
        let found = if thing == "match" {
            of(Scope::Match, Target::Match)
        } else if let Some(seat) = declarations.find_seat(thing) {
            of(Scope::Seat, Target::Seat(seat))
        } else {
            let cell = self.cell(thing)?;
            let piece = self.0.piece_at(cell);
            let of_cell = of(Scope::Cell, Target::Cell(cell));
            if piece.is_none() && of_cell.is_none() && declarations.find_property(Scope::Piece, name).is_some() {
                return Err(sentence!("there is no piece on {thing}, and `{name}` is a property of pieces"));
            }
            piece.and_then(|piece| of(Scope::Piece, Target::Piece(piece.id))).or(of_cell)
        };
        found.ok_or_else(|| {
            if declarations.find_property(Scope::Piece, name).is_some() {
                sentence!("there is no piece on {thing}, and `{name}` is a property of pieces")
            } else {
                sentence!("{thing} has no property `{name}`")
            }
        })
    }

    fn set(&self, text: &str, form: &str) -> Result<ManualEdit, Sentence> {
        let (left, right) = sides(text, form)?;
        let (thing, name) = left
            .rsplit_once('.')
            .ok_or_else(|| sentence!("write the property behind a point, as in `match.rounds_left`"))?;
        let (target, property) = self.property(thing.trim(), name.trim())?;
        let declared = self.0.declarations().property(property).map(|declared| &declared.value_type);
        let value = self.value(declared.ok_or_else(|| sentence!("the property is not declared any more"))?, right)?;
        Ok(ManualEdit::Set(target, property, value))
    }
}

fn sides<'t>(text: &'t str, form: &str) -> Result<(&'t str, &'t str), Sentence> {
    let sides = text.split_once('=').map(|(left, right)| (left.trim(), right.trim()));
    sides
        .filter(|(left, right)| !left.is_empty() && !right.is_empty())
        .ok_or_else(|| sentence!("write it as in `{form}`"))
}

impl ManualEdit {
    /// Reads a command.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(text: &str, state: &State) -> Result<Self, Sentence> {
        let names = Names(state);
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let command = EditCommand::of_word(word).filter(|command| *command != EditCommand::Run || !rest.is_empty());
        let Some(command) = command else {
            let words: Vec<&str> = EditCommand::words().collect();
            return Err(sentence!("`{word}` is none of {words}", words = words.join(", ")));
        };
        let form = command.form();
        Ok(match command {
            EditCommand::Set => names.set(rest, form)?,
            EditCommand::Owner => {
                let (cells, owner) = sides(rest, form)?;
                Self::Owner(names.cells(cells)?, names.owner(owner)?)
            }
            EditCommand::Exchange => match names.cells(rest)?.as_slice() {
                [one, other] => Self::Exchange(*one, *other),
                _ => return Err(sentence!("write it as in `{form}`")),
            },
            EditCommand::Strip => {
                let (loser, winner) = sides(rest, form)?;
                Self::Strip(names.seat(loser)?, names.seat(winner)?)
            }
            EditCommand::Add => {
                let (piece, place) = sides(rest, form)?;
                let (kind, owner) = names.of(piece)?;
                Self::Add(names.kind(kind)?, owner, names.place(place)?)
            }
            EditCommand::Move => {
                let (from, to) = sides(rest, form)?;
                Self::Move(names.place(from)?, names.place(to)?)
            }
            EditCommand::Remove => Self::Remove(names.cells(rest)?),
            EditCommand::Dice => {
                let face = |face: &str| face.trim().parse::<u32>().ok().filter(|face| *face > 0);
                let faces: Option<Vec<u32>> = rest.split([',', ' ']).filter(|face| !face.trim().is_empty()).map(face).collect();
                Self::Dice(
                    faces
                        .filter(|faces| !faces.is_empty())
                        .ok_or_else(|| sentence!("write it as in `{form}`"))?,
                )
            }
            EditCommand::Phase => {
                let phases = &state.declarations().phases;
                let known = || phases.iter().map(|phase| &*phase.name).collect::<Vec<_>>().join(", ");
                let found = state.declarations().find_phase(rest);
                Self::Phase(found.ok_or_else(|| sentence!("there is no phase `{rest}`; there are {known}", known = known()))?)
            }
            EditCommand::Turn => Self::Turn(names.seat(rest)?),
            EditCommand::Run => Self::Run(rest.to_owned()),
        })
    }
}
