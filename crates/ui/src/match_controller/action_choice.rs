//! The choice of an action by the seat to act, and the queries it asks of the rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::explanation::Explanation;
use super::requests::{Failure, Pending, Requests};
use crate::action_picker::{ActionPicker, Clicked, DomainQuery, Offered};
use crate::command::{CellClick, Turn};
use crate::texts::{capitalized, text};
use boardwright_model::{Action, ActionId, CellId, DirectionId, Looks, PieceId, Place, Pose, SeatId, State};
use boardwright_protocol::{Command, Reply};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChoiceBasis {
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) seat: SeatId,
    pub(super) rules_version: u64,
}

/// The choice of an action, while the seat to act is held here.
#[derive(Debug, Default)]
pub(crate) struct ActionChoice {
    pub(super) picker: Option<ActionPicker>,
    /// Counts choices; an answer to a query of an earlier one is dropped.
    pub(super) number: u64,
    basis: Option<ChoiceBasis>,
    /// Pieces of a cell of which a click could mean any, until the player says which.
    pub(crate) candidates: Option<(CellId, Vec<PieceId>)>,
}

impl ActionChoice {
    /// Lets the choice begin again with the next [`renew`](Self::renew).
    pub(super) fn invalidate(&mut self) {
        self.basis = None;
    }

    /// Begins a new choice when the position, the seat to act or the rules have changed.
    pub(super) fn renew(&mut self, basis: Option<ChoiceBasis>, state: Option<&State>) {
        if basis == self.basis && basis.is_some() == self.picker.is_some() {
            return;
        }
        self.number += 1;
        self.candidates = None;
        self.basis = basis;
        self.picker = basis.zip(state).map(|(basis, state)| ActionPicker::new(basis.seat, offered(state)));
    }

    /// Changes the choice by something else than a click on a cell.
    pub(super) fn change(&mut self, requests: &mut Requests, change: impl FnOnce(&mut ActionPicker)) {
        if let Some(picker) = self.picker.as_mut() {
            change(picker);
            self.ask_domains(requests);
        }
    }

    pub(super) fn clear_picks(&mut self) {
        if let Some(picker) = self.picker.as_mut() {
            picker.clear();
        }
    }

    /// Asks the rules what may be picked next, as far as that is not known.
    pub(super) fn ask_domains(&mut self, requests: &mut Requests) {
        let (Some(state), Some(picker)) = (requests.mirror().main_view(), self.picker.as_mut()) else {
            return;
        };
        picker.settle_poses(|piece, pose| canonical_pose(state, piece, pose));
        let seat = picker.seat();
        for query in picker.queries() {
            requests.send(domain_command(seat, &query), Pending::Domain(query, self.number));
        }
    }

    /// Takes the answer to a query, or why there is none.
    pub(super) fn answer(&mut self, query: DomainQuery, number: u64, answer: Result<Reply, Failure>) {
        if let Some(picker) = self.picker.as_mut().filter(|_| number == self.number) {
            match answer {
                Ok(Reply::Domain { domain, prompt, marks }) => picker.answer(query, domain, prompt, marks),
                Err(Failure::Refused(refusal)) => picker.refuse(query, Some(refusal)),
                _ => picker.refuse(query, None),
            }
        }
    }

    /// The action that a click on a cell means because it ends there.
    pub(super) fn action_ending_at(&self, click: CellClick) -> Option<Action> {
        self.picker.as_ref()?.action_ending_at(click.cell, click.is_double)
    }

    /// What was dragged is dropped on a cell.
    pub(super) fn drop_on(&mut self, cell: CellId, looks: &Looks, requests: &mut Requests) -> Clicked {
        let (Some(state), Some(picker)) = (requests.mirror().main_view(), self.picker.as_mut()) else {
            return Clicked::Nothing;
        };
        let pieces: Vec<PieceId> = state.pieces_at(cell).to_vec();
        let choosable = picker.choosable(&pieces);
        if are_several(state, looks, &choosable) {
            self.candidates = Some((cell, choosable));
            return Clicked::Nothing;
        }
        let dropped = picker.drop_on(cell, &pieces);
        self.ask_domains(requests);
        dropped
    }

    /// Asks the rules why a cell cannot be picked; where they know nothing of it, says what is to be picked.
    pub(super) fn explain(&self, cell: CellId, explanation: &mut Explanation, requests: &mut Requests) {
        let (Some(state), Some(picker)) = (requests.mirror().main_view().cloned(), self.picker.as_ref()) else {
            return;
        };
        let queries = picker.doubtful(cell, state.pieces_at(cell));
        if !queries.is_empty() {
            explanation.ask(cell, picker.seat(), queries, requests);
            return;
        }
        let is_on_board = |piece: PieceId| state.piece(piece).is_some_and(|piece| piece.place.cell().is_some());
        let prompts: BTreeSet<Arc<str>> = picker.asked().into_iter().map(|step| step.prompt).collect();
        let mut prompts = prompts.iter().filter(|prompt| !prompt.is_empty());
        let text = match (prompts.next(), prompts.next()) {
            _ if picker.asks_beside_board(is_on_board) => text!("choice-beside-first"),
            (Some(prompt), None) => text!("choice-not-here", prompt = capitalized(prompt)),
            _ => text!("choice-nothing-here"),
        };
        explanation.tell(cell, text);
    }

    /// A click on a cell. What it does not fit is explained.
    pub(super) fn click(&mut self, click: CellClick, looks: &Looks, explanation: &mut Explanation, requests: &mut Requests) -> Clicked {
        let CellClick { cell, side, is_double } = click;
        let (Some(state), Some(picker)) = (requests.mirror().main_view(), self.picker.as_mut()) else {
            return Clicked::Nothing;
        };
        let pieces: Vec<PieceId> = state.pieces_at(cell).to_vec();
        if is_double && picker.trail().last() == Some(&cell) {
            return Clicked::Nothing;
        }
        self.candidates = None;
        let mut choosable = picker.choosable(&pieces);
        // What lies on a side is clicked on there.
        let is_there = |piece: &PieceId| state.piece(*piece).is_some_and(|piece| on_side(piece.place) == side);
        if side.is_some() && choosable.iter().any(is_there) {
            choosable.retain(is_there);
        }
        let pieces = if choosable.is_empty() { pieces } else { choosable.clone() };
        if are_several(state, looks, &choosable) {
            self.candidates = Some((cell, choosable));
            return Clicked::Nothing;
        }
        let clicked = picker.click(cell, &pieces);
        if clicked == Clicked::Nothing {
            self.explain(cell, explanation, requests);
        }
        self.ask_domains(requests);
        clicked
    }

    /// Takes back what was picked after a cell, so that a drag begins there; false if the cell was not picked.
    pub(super) fn back_to(&mut self, cell: CellId) -> bool {
        self.picker.as_mut().is_some_and(|picker| picker.back_to(cell))
    }

    /// Rotates or mirrors the piece that is about to be placed.
    pub(super) fn turn(&mut self, turn: Turn, requests: &mut Requests) {
        let change = match turn {
            Turn::Clockwise => Pose::turned,
            Turn::Counterclockwise => Pose::turned_back,
            Turn::Mirror => Pose::mirrored,
        };
        if let (Some(state), Some(picker)) = (requests.mirror().main_view(), self.picker.as_mut()) {
            picker.change_pose(change, |piece, pose| canonical_pose(state, piece, pose));
        }
        self.ask_domains(requests);
    }

    /// One of several pieces of a cell is chosen. Of a set more may be.
    pub(super) fn pick_one_of(&mut self, cell: CellId, piece: PieceId, requests: &mut Requests) {
        let is_set = self.picker.as_ref().is_some_and(ActionPicker::asks_for_set_of_pieces);
        if !is_set {
            self.candidates = None;
        }
        self.change(requests, |picker| _ = picker.click_piece(cell, piece));
    }

    /// The action that is picked whole and cannot grow any more.
    pub(super) fn complete_action(&self) -> Option<Action> {
        let is_complete = |picker: &&ActionPicker| picker.has_picked() && picker.is_settled() && !picker.may_grow();
        self.picker.as_ref().filter(is_complete).and_then(ActionPicker::sole)
    }

    pub(super) fn sole_action(&self) -> Option<Action> {
        self.picker.as_ref().and_then(ActionPicker::sole)
    }
}

fn domain_command(seat: SeatId, query: &DomainQuery) -> Command {
    Command::Domain {
        seat,
        action: query.action,
        picks: query.picks.to_vec(),
    }
}

/// Whether pieces are more than one to players.
fn are_several(state: &State, looks: &Looks, pieces: &[PieceId]) -> bool {
    let [first, others @ ..] = pieces else { return false };
    others.iter().any(|other| are_distinguishable(state, looks, *first, *other))
}

/// Whether players see a difference between two pieces.
fn are_distinguishable(state: &State, looks: &Looks, a: PieceId, b: PieceId) -> bool {
    let seen = |piece: PieceId| {
        state
            .piece(piece)
            .map(|piece| (piece.kind, piece.owner, on_side(piece.place), looks.pieces.get(&piece.id)))
    };
    seen(a) != seen(b)
}

/// The side of its cell that a piece lies on.
fn on_side(place: Place) -> Option<DirectionId> {
    match place {
        Place::Side(_, side) => Some(side),
        _ => None,
    }
}

/// The pose that stands for all in which a piece covers the same squares.
fn canonical_pose(state: &State, piece: PieceId, pose: Pose) -> Pose {
    let kind = state.piece(piece).and_then(|piece| state.declarations().kind(piece.kind));
    let figure = kind.and_then(|kind| kind.figure.as_ref());
    figure.map_or(pose, |figure| figure.proper(pose))
}

/// The actions that are possible in this phase, or that answer the open decision.
fn offered(state: &State) -> Vec<Offered> {
    let decision = state.sequence().decision().map(|decision| decision.action);
    let phase = state.sequence().phase;
    let fits = |action: ActionId| {
        let declared = state.declarations().action(action);
        declared.is_some_and(|declared| match decision {
            Some(asked) => state.declarations().may_answer(action, asked),
            None => !declared.answers_decision && (declared.phases.is_empty() || declared.phases.contains(&phase)),
        })
    };
    let all = state.declarations().action_ids();
    all.filter(|(action, _)| fits(*action))
        .map(|(action, declared)| Offered {
            action,
            picks: declared.picks.len(),
            gives_way: declared.is_confirmed || declared.is_aside,
        })
        .collect()
}
