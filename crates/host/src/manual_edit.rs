//! Carrying out manual edits of a running match, each as an event of its own.

use std::sync::Arc;

use super::{Cause, Event, HostError, Match};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{CellId, ManualEdit, PieceId, Place, Rejection, SeatId, State, sentence};
use boardwright_rules::{Rules, Transaction, flow};

/// Carries out an edit; gives what a script printed.
fn carry_out(edit: &ManualEdit, rules: &dyn Rules, transaction: &mut Transaction) -> Result<String, Rejection> {
    match edit {
        ManualEdit::Set(target, property, value) => transaction.set(*target, *property, value.clone())?,
        ManualEdit::Owner(cells, owner) => cells.iter().try_for_each(|cell| give(transaction, *cell, *owner))?,
        ManualEdit::Exchange(one, other) => {
            let owner_of = |cell: CellId| transaction.state().piece_at(cell).and_then(|piece| piece.owner);
            let owners = (owner_of(*one), owner_of(*other));
            give(transaction, *one, owners.1)?;
            give(transaction, *other, owners.0)?;
        }
        ManualEdit::Strip(loser, winner) => {
            let cells: Vec<CellId> = transaction.state().owned_by(*loser).into_iter().flatten().collect();
            cells.iter().skip(1).try_for_each(|cell| give(transaction, *cell, Some(*winner)))?;
        }
        ManualEdit::Add(kind, owner, place) => drop(transaction.spawn(*kind, *owner, *place)?),
        ManualEdit::Move(from, to) => {
            for piece in pieces_of(transaction.state(), *from) {
                transaction.move_piece(piece, *to, None)?;
            }
        }
        ManualEdit::Remove(cells) => {
            let on_cell = |cell: &CellId| transaction.state().pieces_at(*cell).iter().copied();
            let pieces: Vec<PieceId> = cells.iter().flat_map(on_cell).collect();
            pieces.into_iter().try_for_each(|piece| transaction.remove(piece))?;
        }
        ManualEdit::Dice(_) => {}
        ManualEdit::Phase(phase) => flow::jump(rules, transaction, Some(*phase), None)?,
        ManualEdit::Turn(seat) => flow::jump(rules, transaction, None, Some(*seat))?,
        ManualEdit::Run(text) => {
            let none = || Diagnostic::error(Code::NoScripts, "these rules run no lines of scripts");
            return rules.console().ok_or_else(none)?.run_line(transaction, text);
        }
    }
    Ok(String::new())
}

fn pieces_of(state: &State, place: Place) -> Vec<PieceId> {
    match place {
        Place::Cell(cell) => state.pieces_at(cell).to_vec(),
        Place::Zone(zone) => state
            .zone(zone)
            .and_then(|zone| zone.pieces().last())
            .copied()
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

fn give(transaction: &mut Transaction, cell: CellId, owner: Option<SeatId>) -> Result<(), Rejection> {
    let pieces = pieces_of(transaction.state(), Place::Cell(cell));
    if pieces.is_empty() {
        let name = transaction.state().board().cell_name(cell).to_owned();
        return Err(Diagnostic::error(Code::ManualEdit, sentence!("there is no piece on {name}")).into());
    }
    pieces.into_iter().try_for_each(|piece| transaction.set_owner(piece, owner))
}

impl Match {
    /// Carries out a manual edit and records it. Gives the event, and what a script printed.
    ///
    /// # Errors
    /// If the policy forbids it, or it cannot be done. The match stands as before.
    pub fn apply_edit(&mut self, text: &str, command: &ManualEdit) -> Result<(Arc<Event>, String), HostError> {
        let mut printed = String::new();
        if let ManualEdit::Dice(faces) = command {
            let cause = Cause::Dice { faces: faces.clone() };
            let event = Arc::clone(self.run_edit(cause, text.trim(), |_, _| Ok(()))?);
            self.generator.force_dice(self.journal.forced_dice());
            return Ok((event, printed));
        }
        let event = self.debug(text.trim(), |rules, transaction| {
            printed = carry_out(command, rules, transaction)?;
            flow::resume(rules, transaction)
        })?;
        Ok((Arc::clone(event), printed))
    }
}
