//! What can be picked next, and what could be played.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::attempt::{Attempt, Spot};
use super::{ActionPicker, Asked, DomainQuery, Offered, Reply};
use boardwright_model::{Action, ActionId, CellId, Domain, Pick, Picks, PieceId};

/// Of how many actions the rules are asked why a click means none of them.
const MOST_DOUBTS: usize = 6;

impl ActionPicker {
    /// The actions that could be played as they are picked now. Actions without picks are among them only when nothing else is
    /// picked.
    pub fn playable(&self) -> Vec<Action> {
        let whole = |attempt: &Attempt| {
            if self.is_refused(attempt.offered) {
                return None;
            }
            let is_whole = attempt.picks.len() == attempt.offered.picks;
            let picks = if is_whole {
                attempt.picks.clone()
            } else {
                attempt.finished(self.domain(attempt))?
            };
            (picks.len() == attempt.offered.picks).then_some(Action {
                seat: self.seat,
                action: attempt.offered.action,
                picks,
            })
        };
        self.considered().filter_map(whole).collect()
    }

    /// The actions without picks that could be played, whatever else is picked or wanted.
    pub fn without_picks(&self) -> Vec<Action> {
        let is_known = |offered: &&Offered| offered.picks == 0 && matches!(self.first_reply(**offered), Some(Reply::Whole));
        let whole = |offered: &Offered| Action {
            seat: self.seat,
            action: offered.action,
            picks: Picks::new(),
        };
        self.offered.iter().filter(is_known).map(whole).collect()
    }

    /// The action that Enter plays: the only one that is picked whole. One that gives way is only meant when nothing else can be.
    pub fn sole(&self) -> Option<Action> {
        let playable = self.playable();
        let is_meant = |action: &&Action| !action.picks.is_empty() && !self.is_one_of_several(action);
        let picked = || playable.iter().filter(is_meant);
        match (picked().count(), playable.len()) {
            (1, _) => picked().next().cloned(),
            (0, 1) if self.wanted.is_some() || self.attempts.len() == 1 => playable.into_iter().next(),
            _ => None,
        }
    }

    /// Whether an action that gives way is picked whole while others could still be meant.
    fn is_one_of_several(&self, action: &Action) -> bool {
        let others = || self.considered().filter(|attempt| attempt.offered.action != action.action);
        self.gives_way(action.action) && others().any(|attempt| !attempt.picks.is_empty() || attempt.part.is_some())
    }

    fn gives_way(&self, action: ActionId) -> bool {
        self.offered.iter().any(|offered| offered.action == action && offered.gives_way)
    }

    /// The action that a click on a cell with these pieces would complete, if it is just one.
    pub fn ahead(&self, cell: CellId, pieces: &[PieceId]) -> Option<Action> {
        // Looked up first: a copy of all attempts is only made where a click would do something.
        let goes_on = |attempt: &Attempt| self.advanced(attempt, Spot::Cell(cell), pieces).is_some();
        let mut clicked = self.considered().any(goes_on).then(|| self.clone())?;
        clicked.go_on(Spot::Cell(cell), pieces).then(|| clicked.sole()).flatten()
    }

    /// Whether a cell was picked last, as a place or the end of a path, and not what lies there.
    pub fn ends_in(&self, cell: CellId) -> bool {
        self.considered()
            .any(|attempt| match attempt.part.as_ref().or(attempt.picks.last()) {
                Some(Pick::Cell(last)) => *last == cell,
                Some(Pick::Path(path)) => path.last() == Some(&cell),
                _ => false,
            })
    }

    /// Whether an action is picked whole but only meant when the player says so: it gives way, and others could be meant.
    pub fn awaits_choice(&self, action: &Action) -> bool {
        self.wanted != Some(action.action) && self.is_one_of_several(action)
    }

    /// The action that a pick in a panel would complete, if it is just one.
    pub fn with(&self, action: ActionId, pick: Pick) -> Option<Action> {
        let mut chosen = self.clone();
        chosen.pick(action, pick).then(|| chosen.sole()).flatten()
    }

    /// Whether what is picked could become longer: a path that goes on, a set with room, an action that asks for more. What gives way does not keep
    /// an action waiting that does not.
    pub fn may_grow(&self) -> bool {
        let is_meant = self.sole().is_some_and(|action| !self.gives_way(action.action));
        let holds = |attempt: &&Attempt| !is_meant || !attempt.offered.gives_way;
        self.considered()
            .filter(holds)
            .any(|attempt| match (&attempt.part, self.domain(attempt)) {
                (Some(Pick::Path(path)), Some(Domain::Paths(paths))) => {
                    paths.iter().any(|offered| offered.len() > path.len() && offered.starts_with(path))
                }
                (Some(Pick::Cells(cells)), Some(Domain::SomeCells { of, max, .. })) => cells.len() < usize::from(*max).min(of.count()),
                (Some(Pick::Pieces(pieces)), Some(Domain::SomePieces { of, max, .. })) => pieces.len() < usize::from(*max).min(of.len()),
                _ => attempt.picks.len() < attempt.offered.picks,
            })
    }

    /// The actions that are begun, with what was picked for each, an unfinished pick as it is; where a query is open its answer, even if nothing is picked yet.
    pub fn begun(&self) -> Vec<(ActionId, Picks)> {
        let is_only = self.offered.len() == 1;
        let begun = self.considered().filter(|attempt| is_only || !attempt.picks.is_empty());
        let picks = |attempt: &Attempt| attempt.finished(self.domain(attempt)).unwrap_or_else(|| attempt.picks.clone());
        begun.map(|attempt| (attempt.offered.action, picks(attempt))).collect()
    }

    pub fn cells(&self) -> BTreeSet<CellId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            let begun = attempt.part_cells();
            match self.domain(attempt) {
                Some(Domain::Cells(cells)) => found.extend(cells.iter()),
                Some(Domain::Paths(paths)) => {
                    let ahead = paths.iter().filter(|offered| offered.starts_with(begun));
                    found.extend(ahead.filter_map(|offered| offered.get(begun.len())).copied());
                }
                Some(Domain::SomeCells { of, max, .. }) if begun.len() < usize::from(*max) => {
                    found.extend(of.iter().filter(|cell| !begun.contains(cell)));
                }
                _ => {}
            }
        }
        found
    }

    pub fn pieces(&self) -> BTreeSet<PieceId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            let begun = attempt.part_pieces();
            match self.domain(attempt) {
                Some(Domain::Pieces(pieces)) => found.extend(pieces),
                Some(Domain::SomePieces { of, max, .. }) if begun.len() < usize::from(*max) => {
                    found.extend(of.iter().filter(|piece| !begun.contains(piece)));
                }
                _ => {}
            }
        }
        found
    }

    /// The cells that were clicked, in order.
    pub fn trail(&self) -> Vec<CellId> {
        let longest = self.considered().max_by_key(|attempt| attempt.trail.len());
        longest.map_or_else(Vec::new, |attempt| {
            attempt.trail.iter().filter_map(|(spot, _)| spot.cell()).collect()
        })
    }

    /// The cells that were clicked for picks before the one that is being made, or was made last.
    pub fn earlier_cells(&self) -> BTreeSet<CellId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            let current = attempt.picks.len().min(attempt.offered.picks.saturating_sub(1));
            let earlier = attempt.trail.iter().filter(|(_, picks)| *picks < current);
            found.extend(earlier.filter_map(|(spot, _)| spot.cell()));
        }
        found
    }

    /// The cells that were clicked for a set that is picked and no longer grows. No way leads through them.
    pub fn cells_of_sets(&self) -> BTreeSet<CellId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            let is_set = |pick: usize| matches!(attempt.picks.get(pick), Some(Pick::Cells(_) | Pick::Pieces(_)));
            let clicked = attempt.trail.iter().filter(|(_, picks)| is_set(*picks));
            found.extend(clicked.filter_map(|(spot, _)| spot.cell()));
        }
        found
    }

    /// The steps that a panel has to offer: numbers, words, seats, texts, and going on from an unfinished pick.
    pub fn asked(&self) -> Vec<Asked> {
        let asked = |attempt: &Attempt| {
            let Some(Reply::Open(domain, prompt, marks)) = self.replies.get(&attempt.query()?) else {
                return None;
            };
            let is_last = attempt.picks.len() + 1 == attempt.offered.picks;
            Some(Asked {
                action: attempt.offered.action,
                prompt: Arc::clone(prompt),
                domain: domain.clone(),
                marks: marks.clone(),
                is_last,
                place: attempt.picks.len(),
                may_be_none: attempt.part.is_none() && may_be_none(domain),
                may_go_on: !is_last && attempt.finished(Some(domain)).is_some(),
            })
        };
        self.considered().filter_map(asked).collect()
    }

    /// The actions that can be begun or played now, one each, and those without picks that are refused.
    pub fn actions(&self) -> Vec<ActionId> {
        let is_open = |offered: &&Offered| offered.picks == 0 || matches!(self.first_reply(**offered), Some(Reply::Open(..)));
        self.offered.iter().filter(is_open).map(|offered| offered.action).collect()
    }

    /// The pieces of a cell among which a click there would choose, in the order given; of a set those that are picked as well, for a click takes
    /// them back.
    pub fn choosable(&self, pieces: &[PieceId]) -> Vec<PieceId> {
        let mut offered = self.pieces();
        offered.extend(self.considered().flat_map(Attempt::part_pieces));
        pieces.iter().copied().filter(|piece| offered.contains(piece)).collect()
    }

    /// Whether a set of pieces is asked for, and nothing else.
    pub fn asks_for_set_of_pieces(&self) -> bool {
        let is_set = |attempt: &Attempt| matches!(self.domain(attempt), Some(Domain::SomePieces { .. }));
        let mut asking = self.considered().filter(|attempt| attempt.query().is_some()).peekable();
        asking.peek().is_some() && asking.all(is_set)
    }

    /// The pieces of which any could have been picked first, whatever is picked now.
    pub fn first_pieces(&self) -> BTreeSet<PieceId> {
        let mut found = BTreeSet::new();
        for (_, domain) in self.first_domains() {
            if let Domain::Pieces(pieces) | Domain::SomePieces { of: pieces, .. } = domain {
                found.extend(pieces.iter().copied());
            }
        }
        found
    }

    /// The cells of which any could have been picked first, whatever is picked now, where more is picked after them.
    pub fn first_cells(&self) -> BTreeSet<CellId> {
        let mut found = BTreeSet::new();
        for (offered, domain) in self.first_domains() {
            let is_wanted = self.wanted.is_none_or(|wanted| wanted == offered.action);
            if let (Domain::Cells(cells), true) = (domain, is_wanted && offered.picks > 1) {
                found.extend(cells.iter());
            }
        }
        found
    }

    /// What can be picked first of each action, as far as the rules have answered.
    fn first_domains(&self) -> impl Iterator<Item = (&Offered, &Domain)> {
        self.offered.iter().filter_map(|offered| match self.first_reply(*offered)? {
            Reply::Open(domain, ..) => Some((offered, domain)),
            Reply::Asked | Reply::Closed(_) | Reply::Whole => None,
        })
    }

    pub fn picked_pieces(&self) -> BTreeSet<PieceId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            for pick in &attempt.picks {
                match pick {
                    Pick::Piece(piece) => drop(found.insert(*piece)),
                    Pick::Pieces(pieces) => found.extend(pieces),
                    _ => {}
                }
            }
            found.extend(attempt.part_pieces());
        }
        found
    }

    /// Whether what is picked is an action as it is, and could still become longer: it is played only on confirmation.
    pub fn may_stop(&self) -> bool {
        self.has_picked() && self.sole().is_some() && self.may_grow()
    }

    /// What to ask the rules to hear why a click on a cell fits nothing: the picks with that cell, or the piece on it, behind them, for each
    /// action that could have been meant. Where what is chosen asks for something else than a cell, the choice as it begins.
    pub fn doubtful(&self, cell: CellId, pieces: &[PieceId]) -> Vec<DomainQuery> {
        let doubts = |picker: &Self| -> Vec<DomainQuery> {
            let doubts = picker.considered().filter_map(|attempt| picker.doubt(attempt, cell, pieces));
            doubts.take(MOST_DOUBTS).collect()
        };
        let now = doubts(self);
        if !now.is_empty() || !self.has_picked() {
            return now;
        }
        let mut restarted = self.clone();
        restarted.restart();
        doubts(&restarted)
    }

    fn doubt(&self, attempt: &Attempt, cell: CellId, pieces: &[PieceId]) -> Option<DomainQuery> {
        let piece = || pieces.last().copied();
        let pick = match self.domain(attempt)? {
            Domain::Cells(_) => Pick::Cell(cell),
            Domain::Pieces(_) => Pick::Piece(piece()?),
            Domain::Paths(_) => Pick::Path(std::iter::once(cell).collect()),
            Domain::SomeCells { .. } => Pick::Cells(with(attempt.part_cells(), cell)),
            Domain::SomePieces { .. } => Pick::Pieces(with(attempt.part_pieces(), piece()?)),
            _ => return None,
        };
        let mut picks = attempt.picks.clone();
        picks.push(pick);
        Some(DomainQuery {
            action: attempt.offered.action,
            picks,
        })
    }

    /// Whether all that can be picked next are pieces beside the board.
    pub fn asks_beside_board(&self, is_on_board: impl Fn(PieceId) -> bool) -> bool {
        let pieces = self.pieces();
        self.cells().is_empty() && !pieces.is_empty() && !pieces.into_iter().any(is_on_board)
    }
}

/// Whether a set may be empty.
fn may_be_none(domain: &Domain) -> bool {
    matches!(domain, Domain::SomeCells { min: 0, .. } | Domain::SomePieces { min: 0, .. })
}

/// A set that has one more, in rising order.
fn with<T: Copy + Ord>(set: &[T], more: T) -> Vec<T> {
    let all: BTreeSet<T> = set.iter().copied().chain([more]).collect();
    all.into_iter().collect()
}
