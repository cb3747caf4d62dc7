//! Changes of the course of a match: questions and answers, phases, turns, the end.

use std::sync::Arc;

use super::{Transaction, missing};
use boardwright_model::diagnostic::Code;
use boardwright_model::{
    ActionId, CellId, Decision, DecisionId, Displacement, Effect, Outcome, PhaseId, Place, Rejection, SeatId, SeatSet, State, TurnMark,
    Value,
};

impl Transaction {
    /// Puts a question to seats, to be answered with an action.
    ///
    /// # Errors
    /// If the action cannot answer, or no seat is asked.
    pub fn ask(&mut self, seats: SeatSet, action: ActionId, data: Vec<(Arc<str>, Value)>) -> Result<DecisionId, Rejection> {
        let declared = self.state.declarations().action(action).ok_or_else(|| missing("the action"))?;
        if !declared.answers_decision {
            let message = format!("action {} is not declared as an answer (answers: true)", declared.name);
            return Err(Rejection::at_fault(Code::Ask, message));
        }
        let all = self.state.declarations().all_seats();
        let is_in = |seat: &SeatId| all.contains(*seat) && !self.state.eliminated().contains(*seat);
        let asked: SeatSet = seats.iter().filter(is_in).collect();
        if asked.is_empty() {
            let message = format!("{} is asked of no seat in the match", declared.name);
            return Err(Rejection::at_fault(Code::Ask, message));
        }
        let id = DecisionId(self.state.sequence().next_decision);
        self.apply(Effect::OpenDecision(Box::new(Decision {
            id,
            action,
            asked,
            waiting: asked,
            data,
        })))?;
        Ok(id)
    }

    /// Notes that a seat has answered a question, which closes when all have. Questions that were put in answering it stay open.
    pub(crate) fn answer(&mut self, seat: SeatId, decision: DecisionId) -> Result<(), Rejection> {
        let find = |state: &State| state.sequence().decisions.iter().find(|open| open.id == decision).cloned();
        if !find(&self.state).is_some_and(|open| open.waiting.contains(seat)) {
            return Ok(());
        }
        self.apply(Effect::AnswerDecision { decision, seat })?;
        match find(&self.state) {
            Some(open) if open.waiting.is_empty() => self.apply(Effect::CloseDecision(Box::new(open))),
            _ => Ok(()),
        }
    }

    /// Whether a turn or phase is to end while a question stays open. `answering` is the question that is being answered, and by whom.
    pub fn ends_at_open_question(&self, answering: Option<(DecisionId, SeatId)>) -> bool {
        let stays_open =
            |open: &Decision| answering.is_none_or(|(decision, seat)| open.id != decision || open.waiting != SeatSet::one(seat));
        self.requests.go_on() && self.state.sequence().decisions.iter().any(stays_open)
    }

    /// Tells players something, about a cell perhaps.
    ///
    /// # Errors
    /// If there are too many effects.
    pub fn note(&mut self, to: SeatSet, text: &str, cell: Option<CellId>) -> Result<(), Rejection> {
        let text = Arc::from(text);
        self.apply(Effect::Note { to, text, cell })
    }

    /// Puts a seat out of the match.
    ///
    /// # Errors
    /// If the seat does not exist.
    pub fn eliminate(&mut self, seat: SeatId) -> Result<(), Rejection> {
        if self.state.eliminated().contains(seat) {
            Ok(())
        } else {
            self.apply(Effect::Eliminate(seat))
        }
    }

    /// Ends the match. A second call changes nothing: the first ending stands.
    ///
    /// # Errors
    /// If the outcome does not name a place for each seat.
    pub fn end(&mut self, outcome: Outcome) -> Result<(), Rejection> {
        if outcome.places.len() != self.state.declarations().seats.len() {
            return Err(Rejection::at_fault(Code::Outcome, "the outcome must give a place to every seat"));
        }
        if self.state.outcome().is_some() {
            Ok(())
        } else {
            self.apply(Effect::End(Box::new(outcome)))
        }
    }

    /// Asks for the turn to end once the hook has returned. `next` is the seat that follows; by default the next one in the
    /// order of declaration that is still in the match.
    pub fn end_turn(&mut self, next: Option<SeatId>) {
        self.requests.end_turn = true;
        self.requests.next_seat = next;
    }

    /// Asks for the phase to end once the hook has returned. After the last phase the turn ends.
    pub fn next_phase(&mut self) {
        self.requests.next_phase = true;
    }

    pub(crate) fn set_phase(&mut self, new: PhaseId) -> Result<(), Rejection> {
        let old = self.state.sequence().phase;
        self.change(old, new, |old, new| Effect::Phase { old, new })
    }

    pub(crate) fn set_turn(&mut self, new: TurnMark) -> Result<(), Rejection> {
        let old = self.state.sequence().mark;
        let fresh = std::mem::take(&mut self.removed);
        let counts_positions = self.state.declarations().counts_positions;
        let displacement = counts_positions.then(|| self.displacement(old.seat)).flatten();
        self.apply(Effect::Turn {
            old,
            new,
            fresh,
            displacement,
        })
    }

    /// The displacement of the first piece a seat moved since its turn began.
    fn displacement(&self, seat: Option<SeatId>) -> Option<Displacement> {
        let turn = self.effects.iter().rposition(|effect| matches!(effect, Effect::Turn { .. }));
        let since = turn.map_or(0, |turn| turn + 1);
        let moves = self.effects.get(since..)?.iter().filter_map(|effect| match effect {
            Effect::Move {
                piece,
                from: Place::Cell(from),
                ..
            } => Some((*piece, *from)),
            _ => None,
        });
        let mut own = moves
            .filter_map(|(id, from)| Some((self.state.piece(id)?, from)))
            .filter(|(piece, _)| piece.owner == seat);
        let (piece, from) = own.next()?;
        Some(Displacement {
            piece: piece.id,
            from,
            to: piece.place.cell()?,
        })
    }
}
