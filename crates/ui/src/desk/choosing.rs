//! How the player chooses an action and plays it: clicks, drags, turns, and what has to be confirmed.

use super::{Awaited, Branch, Desk};
use boardwright_protocol::Command;
use boardwright_model::{Action, CellId, PieceId, Pose, State};
use crate::picking::{Clicked, Picking};

impl Desk {
    /// Whether clicks can choose something now.
    pub fn may_choose(&self) -> bool {
        self.picking.is_some() && self.submitting.is_none()
    }

    /// Whether an action is on its way to be played, so that the position is not known to which a click would belong.
    pub fn is_submitting(&self) -> bool {
        self.submitting.is_some()
    }

    /// Whether the newest action sent from here was carried out, nothing has happened since, and the next one is chosen here.
    pub fn goes_on_here(&self) -> bool {
        let (at, length) = (self.mirror().at(), self.mirror().length());
        self.may_choose() && at == length && self.played_to == Some(at)
    }

    /// Whether the rules have answered what the choice asks, and clicks can choose something now.
    pub fn is_settled(&self) -> bool {
        self.may_choose() && self.picking.as_ref().is_some_and(Picking::is_settled)
    }

    /// Whether something can be chosen as soon as the rules have answered.
    pub fn awaits_rules(&self) -> bool {
        self.may_choose() && !self.is_settled()
    }

    /// Counts the choices: another one begins when the position, the seat to act or the rules change.
    pub fn choice(&self) -> u64 {
        self.choice
    }

    /// A click on a cell.
    pub fn click(&mut self, cell: CellId, is_double: bool) -> Clicked {
        self.stop_again_by(self.acting_here());
        if !self.may_choose() {
            return Clicked::Nothing;
        }
        let pieces: Vec<PieceId> = self.state().map_or_else(Vec::new, |state| state.pieces_at(cell).to_vec());
        let Some(picking) = self.picking.as_mut() else {
            return Clicked::Nothing;
        };
        if is_double && let Some(action) = picking.double_click(cell) {
            self.play(action);
            return Clicked::Picked;
        }
        if is_double && picking.trail().last() == Some(&cell) {
            return Clicked::Nothing;
        }
        self.fan = None;
        let choosable = picking.choosable(cell, &pieces);
        if let [first, others @ ..] = &*choosable
            && others.iter().any(|other| self.tells_apart(*first, *other))
        {
            self.fan = Some((cell, choosable));
            return Clicked::Nothing;
        }
        let Some(picking) = self.picking.as_mut() else {
            return Clicked::Nothing;
        };
        let clicked = picking.click(cell, &pieces);
        if clicked == Clicked::Nothing {
            self.ask_why(cell, &pieces);
        }
        self.ask_domains();
        clicked
    }

    /// Whether players see a difference between two pieces of a cell.
    fn tells_apart(&self, a: PieceId, b: PieceId) -> bool {
        let (Some(state), Some(looks)) = (self.state(), Some(&self.looks)) else {
            return false;
        };
        let seen = |piece: PieceId| {
            state
                .piece(piece)
                .map(|piece| (piece.kind, piece.owner, looks.pieces.get(&piece.id)))
        };
        seen(a) != seen(b)
    }

    /// The pieces of a cell among which the player has to choose.
    pub fn fan(&self) -> Option<(CellId, &[PieceId])> {
        self.fan.as_ref().map(|(cell, pieces)| (*cell, pieces.as_slice()))
    }

    /// Closes the fan without a choice.
    pub fn close_fan(&mut self) {
        self.fan = None;
    }

    /// A click on one of several pieces of a cell.
    pub fn click_one_of(&mut self, cell: CellId, piece: PieceId) {
        self.fan = None;
        self.choose(|picking| _ = picking.click_piece(cell, piece));
    }

    /// Asks the rules why a click fits nothing, where they may know.
    fn ask_why(&mut self, cell: CellId, pieces: &[PieceId]) {
        let doubt = self
            .picking
            .as_ref()
            .and_then(|picking| Some((picking.seat(), picking.doubtful(cell, pieces)?)));
        if let Some((seat, question)) = doubt {
            let command = Command::Domain {
                seat,
                action: question.action,
                picks: question.picks.to_vec(),
            };
            self.request(command, Awaited::Why);
        }
    }

    /// Something begins to be dragged from a cell.
    pub fn lift(&mut self, cell: CellId) {
        if !self.picking.as_mut().is_some_and(|picking| picking.back_to(cell)) {
            self.click(cell, false);
        }
    }

    /// The same where nobody knew yet whether something could be; whether it can.
    pub fn try_to_lift(&mut self, cell: CellId) -> bool {
        let can_be = self.marks().can_be_lifted(cell);
        if can_be {
            self.lift(cell);
        }
        can_be
    }

    /// What is dragged is let go over a cell: that plays, if it is what was left to choose.
    pub fn drop_on(&mut self, cell: CellId) {
        let from = self.picking.as_ref().and_then(|picking| picking.trail().first().copied());
        if Some(cell) != from && self.click(cell, false) == Clicked::Picked {
            self.play_chosen();
        }
    }

    /// Turns or mirrors the piece that is about to be laid.
    pub fn change_pose(&mut self, change: impl Fn(Pose) -> Pose) {
        let Some(state) = self.state().cloned() else {
            return;
        };
        if let Some(picking) = self.picking.as_mut() {
            picking.change_pose(change, |piece, pose| proper(&state, piece, pose));
        }
        self.ask_domains();
    }

    /// A click on a piece that is not on the board.
    pub fn click_piece(&mut self, piece: PieceId) {
        self.choose(|picking| _ = picking.click_beside(piece));
    }

    /// Plays what is chosen, if that is just one action; false if not.
    pub fn play_chosen(&mut self) -> bool {
        let action = self.picking.as_ref().and_then(Picking::sole);
        let is_one = action.is_some();
        if let Some(action) = action {
            self.play(action);
        }
        is_one
    }

    /// Plays an action; asks first if that drops later ones.
    pub fn play(&mut self, action: Action) {
        self.stop_again_by(Some(action.seat));
        if self.mirror().at() < self.mirror().length() {
            self.to_confirm = Some(Branch::Play(action));
        } else {
            self.submit(action, false);
        }
    }

    /// Does what waits for a confirmation.
    pub fn confirm(&mut self) {
        match self.to_confirm.take() {
            Some(Branch::Play(action)) => self.submit(action, true),
            Some(Branch::GoOn) => self.send(Command::DropLater),
            None => {}
        }
    }

    fn submit(&mut self, action: Action, drop_later: bool) {
        let submit = Command::Submit {
            action,
            at: self.mirror().at(),
            drop_later,
        };
        if let Some(picking) = self.picking.as_mut() {
            picking.clear();
        }
        self.played_to = None;
        self.submitting = self.request(submit, Awaited::Submit);
    }

    /// Changes the choice by something else than a click on a cell.
    pub fn choose(&mut self, change: impl FnOnce(&mut Picking)) {
        if let Some(picking) = self.picking.as_mut() {
            change(picking);
            self.ask_domains();
        }
    }
}

/// Which pose stands for all in which a piece lies the same.
pub(super) fn proper(state: &State, piece: PieceId, pose: Pose) -> Pose {
    let kind = state.piece(piece).and_then(|piece| state.frame().kind(piece.kind));
    let figure = kind.and_then(|kind| kind.figure.as_ref());
    figure.map_or(pose, |figure| figure.proper(pose))
}
