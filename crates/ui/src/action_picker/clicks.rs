//! What clicks and the choices of panels do to what is picked.

use super::attempt::{Attempt, Spot};
use super::{ActionPicker, Clicked};
use boardwright_model::{Action, ActionId, CellId, Domain, Path, Pick, PieceId};

impl ActionPicker {
    /// A click on a cell with these pieces on it, the top one last.
    pub fn click(&mut self, cell: CellId, pieces: &[PieceId]) -> Clicked {
        self.click_spot(Spot::Cell(cell), pieces)
    }

    /// A click on a piece beside the board, such as a card of a hand.
    pub fn click_beside(&mut self, piece: PieceId) -> Clicked {
        self.click_spot(Spot::Piece(piece), &[piece])
    }

    fn click_spot(&mut self, spot: Spot, pieces: &[PieceId]) -> Clicked {
        let before = self.attempts.clone();
        if self.go_on(spot, pieces) {
            return Clicked::Picked;
        }
        if self.take_back(spot) {
            return Clicked::TakenBack;
        }
        // Another end for what was picked before.
        let last = self.considered().map(|attempt| attempt.trail.len()).max().unwrap_or(0);
        let follows_others = |attempt: &Attempt| attempt.trail.first().is_some_and(|(_, picks)| *picks > 0);
        if !self.is_set() && (last > 1 || self.considered().any(follows_others)) {
            self.keep(last - 1);
            if self.go_on(spot, pieces) {
                return Clicked::Picked;
            }
        }
        self.restart();
        if self.go_on(spot, pieces) {
            return if before.iter().any(|attempt| !attempt.picks.is_empty()) {
                Clicked::StartedOver
            } else {
                Clicked::Picked
            };
        }
        self.attempts = before;
        Clicked::Nothing
    }

    /// One of several pieces of a cell is chosen; of a set that is being picked it is put back if it is in it.
    pub fn click_piece(&mut self, cell: CellId, piece: PieceId) -> Clicked {
        let place = |attempt: &Attempt| attempt.part_pieces().iter().position(|picked| *picked == piece);
        if !self.considered().any(|attempt| place(attempt).is_some()) {
            return self.click(cell, &[piece]);
        }
        for attempt in &mut self.attempts {
            let Some(place) = place(attempt) else { continue };
            attempt.remove_from_part(place);
            // A set has a click for each of its pieces.
            let first = attempt.trail.iter().position(|(_, picks)| *picks == attempt.picks.len());
            if let Some(click) = first.map(|first| first + place).filter(|click| *click < attempt.trail.len()) {
                attempt.trail.remove(click);
            }
        }
        Clicked::TakenBack
    }

    /// Something picked is dropped on a cell with these pieces on it: it goes there, or nothing changes.
    pub fn drop_on(&mut self, cell: CellId, pieces: &[PieceId]) -> Clicked {
        if self.go_on(Spot::Cell(cell), pieces) {
            Clicked::Picked
        } else {
            Clicked::Nothing
        }
    }

    /// Whether a click on a cell means the action that ends there: the last cell that was clicked, with nothing left that has to be
    /// picked. A click on a cell of a set takes it back; only a double click means all of the set.
    pub fn action_ending_at(&self, cell: CellId, is_double: bool) -> Option<Action> {
        let ends_there = self.has_picked() && self.trail().last() == Some(&cell) && (is_double || !self.is_set());
        ends_there.then(|| self.sole()).flatten()
    }

    pub(super) fn go_on(&mut self, spot: Spot, pieces: &[PieceId]) -> bool {
        let next = self.considered().filter_map(|attempt| self.advanced(attempt, spot, pieces));
        let goes_on = self.go_on_with(next.collect());
        if goes_on {
            self.go_past_whole_paths();
        }
        goes_on
    }

    /// Takes what a pick has made of the attempts, if any of them took it.
    fn go_on_with(&mut self, next: Vec<Attempt>) -> bool {
        let goes_on = !next.is_empty();
        if goes_on {
            self.attempts = next;
        }
        goes_on
    }

    pub(super) fn advanced(&self, attempt: &Attempt, spot: Spot, pieces: &[PieceId]) -> Option<Attempt> {
        let mut next = attempt.clone();
        match self.domain(attempt)? {
            Domain::Cells(cells) => {
                let cell = spot.cell().filter(|cell| cells.contains(*cell))?;
                next.take(Pick::Cell(cell));
            }
            Domain::Pieces(offered) => {
                let piece = pieces.iter().rev().find(|piece| offered.contains(piece))?;
                next.take(Pick::Piece(*piece));
            }
            Domain::Paths(paths) => {
                let begun = attempt.part_cells();
                let path = longer(paths, begun, spot.cell()?)?;
                let steps = path.iter().skip(begun.len());
                next.trail.extend(steps.map(|step| (Spot::Cell(*step), attempt.picks.len())));
                next.part = Some(Pick::Path(path));
                return Some(next);
            }
            Domain::SomeCells { of, max, .. } => {
                let (cell, begun) = (spot.cell()?, attempt.part_cells());
                if !of.contains(cell) || begun.len() >= usize::from(*max) || begun.contains(&cell) {
                    return None;
                }
                next.part = Some(Pick::Cells([begun, &[cell]].concat()));
            }
            Domain::SomePieces { of, max, .. } => {
                let begun = attempt.part_pieces();
                let piece = pieces.iter().rev().find(|piece| of.contains(piece) && !begun.contains(piece))?;
                if begun.len() >= usize::from(*max) {
                    return None;
                }
                next.part = Some(Pick::Pieces([begun, &[*piece]].concat()));
            }
            _ => return None,
        }
        next.trail.push((spot, attempt.picks.len()));
        Some(next)
    }

    /// Paths that end and are followed by another pick are taken when they cannot be made longer.
    pub(super) fn go_past_whole_paths(&mut self) {
        let attempts = std::mem::take(&mut self.attempts);
        let settle = |mut attempt: Attempt| {
            let is_last = attempt.picks.len() + 1 == attempt.offered.picks;
            if let (false, Some(Pick::Path(path)), Some(Domain::Paths(paths))) = (is_last, &attempt.part, self.domain(&attempt))
                && paths.iter().filter(|offered| offered.starts_with(path)).count() == 1
                && paths.contains(path)
            {
                let path = path.clone();
                attempt.take(Pick::Path(path));
            }
            attempt
        };
        self.attempts = attempts.into_iter().map(settle).collect();
    }

    /// Takes a click back: of a set that one, otherwise what follows it as well.
    pub(super) fn take_back(&mut self, spot: Spot) -> bool {
        let place = |attempt: &Attempt| attempt.trail.iter().rposition(|(clicked, _)| *clicked == spot);
        let Some(kept) = self.considered().filter_map(place).min() else {
            return false;
        };
        let in_set = |attempt: &Attempt| {
            let first = attempt.trail.iter().position(|(_, picks)| *picks == attempt.picks.len())?;
            attempt.is_set().then(|| kept.checked_sub(first)).flatten()
        };
        if self.attempts.iter().all(|attempt| in_set(attempt).is_some()) {
            for attempt in &mut self.attempts {
                if let Some(place) = in_set(attempt) {
                    attempt.remove_from_part(place);
                    attempt.trail.remove(kept);
                }
            }
        } else {
            self.keep(kept);
        }
        true
    }

    /// Keeps the first clicks, takes the others back.
    pub(super) fn keep(&mut self, kept: usize) {
        // What was picked in a panel before the first click stays.
        let began_with_click = |attempt: &Attempt| attempt.trail.first().is_none_or(|(_, picks)| *picks == 0);
        if kept == 0 && self.attempts.iter().all(began_with_click) {
            self.restart();
            return;
        }
        for attempt in &mut self.attempts {
            let gone: Vec<(Spot, usize)> = attempt.trail.split_off(kept.min(attempt.trail.len()));
            let Some((_, picks)) = gone.first() else {
                continue;
            };
            if let Some(pick) = attempt.picks.get(*picks) {
                let may_be_part = matches!(pick, Pick::Path(_) | Pick::Cells(_) | Pick::Pieces(_));
                attempt.part = may_be_part.then(|| pick.clone());
            }
            attempt.picks.truncate(*picks);
            let kept_of_part = attempt.trail.iter().filter(|(_, before)| before == picks).count();
            attempt.truncate_part(kept_of_part);
        }
    }

    /// Takes the last click back, or what was picked in a panel after it; false if nothing was picked.
    pub fn step_back(&mut self) -> bool {
        if self.take_back_from_panel() {
            return true;
        }
        let clicks = self.considered().map(|attempt| attempt.trail.len()).max().unwrap_or(0);
        if clicks > 0 {
            self.keep(clicks - 1);
        } else if self.has_picked() {
            self.restart();
        } else {
            return false;
        }
        true
    }

    /// Takes back what was picked last if it was a number, a word, a seat or a text.
    fn take_back_from_panel(&mut self) -> bool {
        let is_from_panel = |attempt: &Attempt| {
            let last = attempt.picks.last().filter(|_| attempt.part.is_none());
            matches!(last, Some(Pick::Number(_) | Pick::Choice(_) | Pick::Seat(_) | Pick::Text(_)))
        };
        let takes = {
            let mut begun = self.considered().filter(|attempt| !attempt.picks.is_empty()).peekable();
            begun.peek().is_some_and(|attempt| attempt.picks.len() > 1) && begun.all(is_from_panel)
        };
        if takes {
            for attempt in self.attempts.iter_mut().filter(|attempt| is_from_panel(attempt)) {
                attempt.picks.pop();
            }
        }
        takes
    }

    /// Takes everything back; false if nothing was picked.
    pub fn clear(&mut self) -> bool {
        let had = self.has_picked() || self.wanted.is_some();
        self.wanted = None;
        self.restart();
        had
    }

    /// What is dragged from a cell begins there: what was picked after it is taken back, or all if it was not among that. Whether it is the
    /// last that is picked now.
    pub fn back_to(&mut self, cell: CellId) -> bool {
        while let Some(last) = self.trail().last() {
            if *last == cell {
                return true;
            }
            self.step_back();
        }
        false
    }

    /// Says which action is wanted, where clicks fit several; the same again to take it back.
    pub fn want(&mut self, action: ActionId) {
        self.wanted = if self.wanted == Some(action) { None } else { Some(action) };
        self.restart();
    }

    /// Says which of the actions is meant that what is picked fits. What is picked stays.
    pub fn mean(&mut self, action: ActionId) {
        if self.attempts.iter().any(|attempt| attempt.offered.action == action) {
            self.attempts.retain(|attempt| attempt.offered.action == action);
        }
    }

    pub fn wanted(&self) -> Option<ActionId> {
        self.wanted
    }

    #[expect(clippy::needless_pass_by_value, reason = "a pick is handed over, however many attempts take it")]
    pub fn pick(&mut self, action: ActionId, pick: Pick) -> bool {
        let picked = |attempt: &Attempt| {
            let mut next = attempt.clone();
            next.take(pick.clone());
            self.domain(attempt)?.contains(&pick).then_some(next)
        };
        let of_action = self.considered().filter(|attempt| attempt.offered.action == action);
        self.go_on_with(of_action.filter_map(picked).collect())
    }

    /// Takes the unfinished picks of an action as they are and goes on to the next.
    pub fn go_to_next(&mut self, action: ActionId) -> bool {
        let finished = |attempt: &Attempt| {
            let picks = attempt.finished(self.domain(attempt))?;
            (picks.len() < attempt.offered.picks).then(|| Attempt {
                picks,
                part: None,
                ..attempt.clone()
            })
        };
        let of_action = self.considered().filter(|attempt| attempt.offered.action == action);
        self.go_on_with(of_action.filter_map(finished).collect())
    }
}

/// A path that goes on to a cell: by one step, or else the only one of the offered paths that ends there.
fn longer(paths: &[Path], begun: &[CellId], cell: CellId) -> Option<Path> {
    let next: Path = begun.iter().copied().chain([cell]).collect();
    if paths.iter().any(|offered| offered.starts_with(&next)) {
        return Some(next);
    }
    let mut ending = paths
        .iter()
        .filter(|offered| offered.len() > begun.len() && offered.starts_with(begun) && offered.last() == Some(&cell));
    let only = ending.next()?;
    ending.next().is_none().then(|| only.clone())
}
