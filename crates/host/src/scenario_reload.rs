//! A map and a scenario that were changed while a match of them is running: what changed in them is changed in the match, as far as it is still
//! as they had it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{HostError, Match};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Board, CellId, EdgeId, Piece, PieceId, Place, Rejection, Scope, SeatId, Sentence, State, Target, Value, sentence};
use boardwright_rules::{Luck, Transaction, flow};

/// What came of a changed scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioReload {
    /// Whether the match has changed, by an event of its own.
    pub has_changed: bool,
    /// What could not be carried over, and why.
    pub left_out: Vec<Sentence>,
}

impl Match {
    /// Carries over what differs between the beginnings of two versions of its scenario: terrains, properties and pieces. What has changed
    /// in the match since it began stays as it is. That is an event like a manual edit, which is undone as one. The board keeps its cells: the
    /// versions are compared by the names of cells.
    ///
    /// # Errors
    /// If the policy forbids it, or the rules fail on what comes of it; the match stands as before.
    pub fn reload_scenario(&mut self, old: &State, new: &State) -> Result<ScenarioReload, HostError> {
        if !self.policy.reload {
            return Err(Rejection::at_fault(Code::Policy, "the rules allow no reload in this match").into());
        }
        let mut left_out = Vec::new();
        let mut tried = Transaction::new(Arc::clone(self.state()), Luck::Forbidden);
        carry_over(&mut tried, old, new, &mut left_out)?;
        let has_changed = !tried.effects().is_empty();
        if has_changed {
            let what = sentence!("the scenario was read again");
            self.debug(what.text(), |rules, transaction| {
                carry_over(transaction, old, new, &mut Vec::new())?;
                flow::resume(rules, transaction)
            })?;
        }
        Ok(ScenarioReload { has_changed, left_out })
    }
}

/// Two versions of the beginning, and how names of the new one stand in the match.
struct Versions<'a> {
    old: &'a State,
    new: &'a State,
}

fn carry_over(transaction: &mut Transaction, old: &State, new: &State, left_out: &mut Vec<Sentence>) -> Result<(), Rejection> {
    let versions = Versions { old, new };
    versions.cells(transaction, left_out)?;
    versions.values(transaction, left_out)?;
    versions.pieces(transaction, left_out)
}

impl Versions<'_> {
    /// The cell of the match that has the name of a cell of the new version.
    fn own_cell(&self, transaction: &Transaction, cell: CellId) -> Option<CellId> {
        transaction.state().board().find_cell(self.new.board().cell_name(cell))
    }

    fn cells(&self, transaction: &mut Transaction, left_out: &mut Vec<Sentence>) -> Result<(), Rejection> {
        let (old, new) = (self.old, self.new);
        for cell in new.board().cells() {
            let name = new.board().cell_name(cell);
            let (Some(own), Some(before)) = (self.own_cell(transaction, cell), old.board().find_cell(name)) else {
                left_out.push(sentence!("the cell {cell} is new: it is there when a match begins", cell = name));
                continue;
            };
            let terrain = |state: &State, cell| {
                let terrain = state.terrain(cell)?;
                Some(state.declarations().terrains.get(terrain.index())?.name.to_string())
            };
            let (was, is, now) = (terrain(old, before), terrain(new, cell), terrain(transaction.state(), own));
            let Some(is) = is.filter(|is| was.as_ref() != Some(is) && now.as_ref() != Some(is)) else {
                continue;
            };
            let wanted = transaction.state().declarations().find_terrain(&is);
            match wanted.filter(|_| now == was) {
                Some(terrain) => transaction.set_terrain(own, terrain)?,
                None => left_out.push(sentence!("the terrain of {cell} has changed in the match and stays", cell = name)),
            }
        }
        for cell in old.board().cells() {
            let name = old.board().cell_name(cell);
            if new.board().find_cell(name).is_none() {
                left_out.push(sentence!("the cell {cell} is gone: it stays until a match begins", cell = name));
            }
        }
        Ok(())
    }

    /// A value of the new version as the match has it.
    fn own_value(&self, transaction: &Transaction, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Cell(cell) => Value::Cell(self.own_cell(transaction, *cell)?),
            Value::Kind(kind) => Value::Kind(
                transaction
                    .state()
                    .declarations()
                    .find_kind(&self.new.declarations().kind(*kind)?.name)?,
            ),
            Value::Piece(_) => return None,
            Value::List(values) => {
                let own: Option<Vec<Value>> = values.iter().map(|value| self.own_value(transaction, value)).collect();
                Value::List(own?.into())
            }
            value => value.clone(),
        })
    }

    fn values(&self, transaction: &mut Transaction, left_out: &mut Vec<Sentence>) -> Result<(), Rejection> {
        let (old, new) = (self.old, self.new);
        let seats = (0..new.declarations().seats.len()).map(SeatId::from_index);
        let mut targets = vec![(Target::Match, Some(Target::Match), Some(Target::Match), Scope::Match)];
        targets.extend(seats.map(|seat| (Target::Seat(seat), Some(Target::Seat(seat)), Some(Target::Seat(seat)), Scope::Seat)));
        for cell in new.board().cells() {
            let before = old.board().find_cell(new.board().cell_name(cell)).map(Target::Cell);
            let own = self.own_cell(transaction, cell).map(Target::Cell);
            targets.push((Target::Cell(cell), before, own, Scope::Cell));
        }
        for edge in (0..new.board().edge_count()).map(EdgeId::from_index) {
            let (a, b) = new.board().edge_ends(edge);
            let (a, b) = (new.board().cell_name(a), new.board().cell_name(b));
            let find = |board: &Board| Some(Target::Edge(board.edge_between(board.find_cell(a)?, board.find_cell(b)?)?));
            targets.push((
                Target::Edge(edge),
                find(old.board()),
                find(transaction.state().board()),
                Scope::Edge,
            ));
        }
        for (target, before, own, scope) in targets {
            let (Some(before), Some(own)) = (before, own) else { continue };
            for (id, property) in new.declarations().properties_of(scope) {
                let was = old
                    .declarations()
                    .find_property(scope, &property.name)
                    .and_then(|id| old.value(before, id));
                let Some(is) = new.value(target, id).filter(|is| was.is_some_and(|was| was != *is)) else {
                    continue;
                };
                let declared = transaction.state().declarations().find_property(scope, &property.name);
                let Some((declared, value)) = declared.zip(self.own_value(transaction, is)) else {
                    continue;
                };
                let now = transaction.state().value(own, declared);
                if now == Some(&value) {
                    continue;
                }
                if now == was {
                    transaction.set(own, declared, value)?;
                } else {
                    left_out.push(sentence!(
                        "{property} has changed in the match and stays",
                        property = property.title
                    ));
                }
            }
        }
        Ok(())
    }

    /// The identity of a piece of a setup: kind, owner, place and values, by their names.
    fn key(state: &State, piece: &Piece) -> (String, String) {
        let declarations = state.declarations();
        let kind = declarations.kind(piece.kind).map_or_else(String::new, |kind| kind.name.to_string());
        let owner = piece.owner.map_or(String::new(), |seat| declarations.seat_title(seat).to_string());
        (
            format!("{kind}/{owner}"),
            format!("{} {:?}", state.place_text(piece.place), piece.values),
        )
    }

    fn pieces(&self, transaction: &mut Transaction, left_out: &mut Vec<Sentence>) -> Result<(), Rejection> {
        let mut gone: BTreeMap<(String, String), Vec<PieceId>> = BTreeMap::new();
        for piece in self.old.pieces() {
            gone.entry(Self::key(self.old, piece)).or_default().push(piece.id);
        }
        let mut added: Vec<&Piece> = Vec::new();
        for piece in self.new.pieces() {
            match gone.get_mut(&Self::key(self.new, piece)) {
                Some(same) if !same.is_empty() => drop(same.remove(0)),
                _ => added.push(piece),
            }
        }
        for id in gone.into_values().flatten() {
            let Some(before) = self.old.piece(id) else { continue };
            let title = self.old.declarations().kind(before.kind).map_or("", |kind| &kind.title);
            let place = self.old.place_text(before.place);
            let now = transaction.state().piece(id);
            if now.is_some_and(|now| now.place == before.place && now.owner == before.owner && now.kind == before.kind) {
                transaction.remove(id)?;
            } else {
                left_out.push(sentence!(
                    "{kind} ({place} at first) is gone from the scenario but has moved on, and stays",
                    kind = title
                ));
            }
        }
        for piece in added {
            self.add(transaction, piece, left_out)?;
        }
        Ok(())
    }

    fn add(&self, transaction: &mut Transaction, piece: &Piece, left_out: &mut Vec<Sentence>) -> Result<(), Rejection> {
        let declared = self.new.declarations().kind(piece.kind);
        let title = declared.map_or("", |kind| &kind.title);
        let kind = declared.and_then(|kind| transaction.state().declarations().find_kind(&kind.name));
        let cell = |cell| self.own_cell(transaction, cell);
        let place = match piece.place {
            Place::Cell(at) => cell(at).map(Place::Cell),
            Place::Side(at, side) => cell(at).map(|at| Place::Side(at, side)),
            Place::Posed(at, pose) => cell(at).map(|at| Place::Posed(at, pose)),
            place @ (Place::Off | Place::Zone(_)) => Some(place),
            Place::Aboard(_) => None,
        };
        let fits = |(kind, place): &(_, Place)| {
            let state = transaction.state();
            let covered = state.cells_at(*kind, *place);
            let is_on_board = matches!(place, Place::Cell(_) | Place::Side(..) | Place::Posed(..));
            (!is_on_board || !covered.is_empty()) && covered.iter().all(|cell| state.pieces_at(*cell).is_empty())
        };
        let Some((kind, place)) = kind.zip(place).filter(fits) else {
            let place = self.new.place_text(piece.place);
            left_out.push(sentence!("{kind} has no room now: {place}", kind = title));
            return Ok(());
        };
        let id = transaction.spawn(kind, piece.owner, place)?;
        for ((_, property), value) in self.new.declarations().properties_of(Scope::Piece).zip(&piece.values) {
            let own = transaction.state().declarations().find_property(Scope::Piece, &property.name);
            if let Some((own, value)) = own.zip(self.own_value(transaction, value)) {
                transaction.set(Target::Piece(id), own, value)?;
            }
        }
        Ok(())
    }
}
