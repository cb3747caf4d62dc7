//! How clicks become an action: a state machine without a window.
//!
//! It asks the rules what may be picked next ([`Picking::questions`]), is told ([`Picking::answer`]), and is clicked on. All
//! declared actions are followed side by side as far as the clicks fit them, so that nobody has to say first what they want to do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::model::{Action, ActionId, CellId, Domain, Path, Pick, Picks, PieceId, SeatId};

/// A declared action and how many picks it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The action.
    pub action: ActionId,
    /// How many picks it takes.
    pub picks: usize,
}

/// What has to be asked of the rules: the domain of the next pick of an action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// The action.
    pub action: ActionId,
    /// The picks already made.
    pub picks: Picks,
}

/// The rules' answer to a question.
#[derive(Clone, Debug, PartialEq)]
enum Reply {
    Asked,
    Closed,
    Open(Domain, Arc<str>),
}

/// What a click did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clicked {
    /// Something more is picked.
    Picked,
    /// Something picked was taken back.
    TakenBack,
    /// The choice began anew with this click.
    StartedOver,
    /// It fits nothing.
    Nothing,
}

/// A pick that is not finished: more of a path, or more of a set. In the order of the clicks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    None,
    Path(Path),
    Cells(Vec<CellId>),
    Pieces(Vec<PieceId>),
}

impl Part {
    fn is_set(&self) -> bool {
        matches!(self, Self::Cells(_) | Self::Pieces(_))
    }

    fn truncate(&mut self, length: usize) {
        match self {
            Self::Path(path) => path.truncate(length),
            Self::Cells(cells) => cells.truncate(length),
            Self::Pieces(pieces) => pieces.truncate(length),
            Self::None => {}
        }
        if length == 0 {
            *self = Self::None;
        }
    }

    /// Takes one out of a set.
    fn remove(&mut self, place: usize) {
        match self {
            Self::Cells(cells) if place < cells.len() => drop(cells.remove(place)),
            Self::Pieces(pieces) if place < pieces.len() => drop(pieces.remove(place)),
            _ => {}
        }
        if matches!(self, Self::Cells(cells) if cells.is_empty()) || matches!(self, Self::Pieces(pieces) if pieces.is_empty()) {
            *self = Self::None;
        }
    }
}

/// One action as far as it was picked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Attempt {
    offered: Offered,
    picks: Picks,
    part: Part,
    /// The cells that were clicked, with how many picks were made before each.
    trail: Vec<(CellId, usize)>,
}

impl Attempt {
    fn new(offered: Offered) -> Self {
        Self {
            offered,
            picks: Picks::new(),
            part: Part::None,
            trail: Vec::new(),
        }
    }

    fn question(&self) -> Option<Question> {
        (self.picks.len() < self.offered.picks).then(|| Question {
            action: self.offered.action,
            picks: self.picks.clone(),
        })
    }

    /// The picks with the unfinished one taken as it is, if its domain allows it.
    fn finished(&self, domain: Option<&Domain>) -> Option<Picks> {
        let pick = match &self.part {
            Part::None => return None,
            Part::Path(path) => Pick::Path(path.clone()),
            Part::Cells(cells) => Pick::Cells(rising(cells)),
            Part::Pieces(pieces) => Pick::Pieces(rising(pieces)),
        };
        let is_allowed = domain.is_some_and(|domain| domain.contains(&pick));
        is_allowed.then(|| {
            let mut picks = self.picks.clone();
            picks.push(pick);
            picks
        })
    }

    fn take(&mut self, pick: Pick) {
        self.picks.push(pick);
        self.part = Part::None;
    }
}

fn rising<T: Copy + Ord>(items: &[T]) -> Vec<T> {
    let mut sorted = items.to_vec();
    sorted.sort_unstable();
    sorted
}

/// A step that a panel has to offer, because no cell stands for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The action.
    pub action: ActionId,
    /// What the player is asked.
    pub prompt: Arc<str>,
    /// What may be picked.
    pub domain: Domain,
    /// Whether what is picked so far may be taken as it is, to go on to the next pick.
    pub may_go_on: bool,
}

/// The choice of an action by a seat.
#[derive(Clone, Debug)]
pub struct Picking {
    seat: SeatId,
    offered: Vec<Offered>,
    replies: BTreeMap<Question, Reply>,
    attempts: Vec<Attempt>,
    /// What was picked before the last click took some of it back: a double click means what stood before its first half.
    before: Option<(CellId, Vec<Attempt>)>,
    /// The action the player wants, if they said so.
    wanted: Option<ActionId>,
}

impl Picking {
    /// A choice among some actions.
    pub fn new(seat: SeatId, offered: Vec<Offered>) -> Self {
        let attempts = offered.iter().copied().map(Attempt::new).collect();
        Self {
            seat,
            offered,
            replies: BTreeMap::new(),
            attempts,
            before: None,
            wanted: None,
        }
    }

    /// The seat that chooses.
    pub fn seat(&self) -> SeatId {
        self.seat
    }

    /// What has to be asked now; each question is given out once.
    pub fn questions(&mut self) -> Vec<Question> {
        let needed: Vec<Question> = self
            .attempts
            .iter()
            .filter_map(Attempt::question)
            .filter(|question| !self.replies.contains_key(question))
            .collect();
        for question in &needed {
            self.replies.insert(question.clone(), Reply::Asked);
        }
        needed
    }

    /// The domain of a question. Actions that turn out to have nothing to pick are given up.
    pub fn answer(&mut self, question: Question, domain: Option<Domain>, prompt: Arc<str>) {
        let reply = match domain {
            Some(domain) if !domain.is_empty() => Reply::Open(domain, prompt),
            _ => Reply::Closed,
        };
        self.replies.insert(question, reply);
        self.give_up_closed();
    }

    /// The rules do not allow what was asked about.
    pub fn refuse(&mut self, question: Question) {
        self.replies.insert(question, Reply::Closed);
        self.give_up_closed();
    }

    fn give_up_closed(&mut self) {
        let replies = &self.replies;
        let is_open = |attempt: &Attempt| {
            attempt
                .question()
                .is_none_or(|question| replies.get(&question) != Some(&Reply::Closed))
        };
        self.attempts.retain(is_open);
        if self.attempts.is_empty() {
            self.restart();
        }
    }

    fn restart(&mut self) {
        let replies = &self.replies;
        let is_open = |offered: &&Offered| {
            let question = Question {
                action: offered.action,
                picks: Picks::new(),
            };
            offered.picks == 0 || replies.get(&question) != Some(&Reply::Closed)
        };
        self.attempts = self.offered.iter().filter(is_open).copied().map(Attempt::new).collect();
    }

    fn domain(&self, attempt: &Attempt) -> Option<&Domain> {
        match self.replies.get(&attempt.question()?)? {
            Reply::Open(domain, _) => Some(domain),
            Reply::Asked | Reply::Closed => None,
        }
    }

    fn considered(&self) -> impl Iterator<Item = &Attempt> {
        self.attempts
            .iter()
            .filter(|attempt| self.wanted.is_none_or(|wanted| wanted == attempt.offered.action))
    }

    /// Whether the rules have answered what was asked so far.
    pub fn is_settled(&self) -> bool {
        self.considered()
            .filter_map(Attempt::question)
            .all(|question| self.replies.get(&question).is_some_and(|reply| *reply != Reply::Asked))
    }

    /// Whether anything is picked.
    pub fn has_picked(&self) -> bool {
        self.attempts
            .iter()
            .any(|attempt| !attempt.picks.is_empty() || attempt.part != Part::None)
    }

    /// A click on a cell with these pieces on it, the top one last.
    pub fn click(&mut self, cell: CellId, pieces: &[PieceId]) -> Clicked {
        let before = self.attempts.clone();
        self.before = None;
        if self.go_on(cell, pieces) {
            return Clicked::Picked;
        }
        if self.take_back(cell) {
            self.before = Some((cell, before));
            return Clicked::TakenBack;
        }
        self.restart();
        if self.go_on(cell, pieces) {
            return if before.iter().any(|attempt| !attempt.picks.is_empty()) {
                Clicked::StartedOver
            } else {
                Clicked::Picked
            };
        }
        self.attempts = before;
        Clicked::Nothing
    }

    /// A double click on a cell, whose first click was [clicked](Self::click): the action it plays, if there is just one.
    pub fn double_click(&mut self, cell: CellId) -> Option<Action> {
        if let Some((clicked, before)) = self.before.take()
            && clicked == cell
        {
            self.attempts = before;
        }
        self.sole()
    }

    fn go_on(&mut self, cell: CellId, pieces: &[PieceId]) -> bool {
        let next: Vec<Attempt> = self
            .considered()
            .filter_map(|attempt| self.advanced(attempt, cell, pieces))
            .collect();
        if next.is_empty() {
            return false;
        }
        self.attempts = next;
        self.go_past_whole_paths();
        true
    }

    fn advanced(&self, attempt: &Attempt, cell: CellId, pieces: &[PieceId]) -> Option<Attempt> {
        let mut next = attempt.clone();
        match self.domain(attempt)? {
            Domain::Cells(cells) if cells.contains(cell) => next.take(Pick::Cell(cell)),
            Domain::Pieces(offered) => {
                let piece = pieces.iter().rev().find(|piece| offered.contains(piece))?;
                next.take(Pick::Piece(*piece));
            }
            Domain::Paths(paths) => {
                let mut path = if let Part::Path(path) = &attempt.part {
                    path.clone()
                } else {
                    Path::new()
                };
                path.push(cell);
                if !paths.iter().any(|offered| offered.starts_with(&path)) {
                    return None;
                }
                next.part = Part::Path(path);
            }
            Domain::SomeCells { of, max, .. } => {
                let mut cells = if let Part::Cells(cells) = &attempt.part {
                    cells.clone()
                } else {
                    Vec::new()
                };
                if !of.contains(cell) || cells.len() >= usize::from(*max) || cells.contains(&cell) {
                    return None;
                }
                cells.push(cell);
                next.part = Part::Cells(cells);
            }
            Domain::SomePieces { of, max, .. } => {
                let mut chosen = if let Part::Pieces(chosen) = &attempt.part {
                    chosen.clone()
                } else {
                    Vec::new()
                };
                let piece = pieces.iter().rev().find(|piece| of.contains(piece) && !chosen.contains(piece))?;
                if chosen.len() >= usize::from(*max) {
                    return None;
                }
                chosen.push(*piece);
                next.part = Part::Pieces(chosen);
            }
            _ => return None,
        }
        next.trail.push((cell, attempt.picks.len()));
        Some(next)
    }

    /// Paths that end and are followed by another pick are taken when they cannot be made longer.
    fn go_past_whole_paths(&mut self) {
        let attempts = std::mem::take(&mut self.attempts);
        let settle = |mut attempt: Attempt| {
            let is_last = attempt.picks.len() + 1 == attempt.offered.picks;
            let is_whole = match (&attempt.part, self.domain(&attempt)) {
                (Part::Path(path), Some(Domain::Paths(paths))) => {
                    paths.iter().filter(|offered| offered.starts_with(path)).count() == 1 && paths.contains(path)
                }
                _ => false,
            };
            if let (false, true, Part::Path(path)) = (is_last, is_whole, &attempt.part) {
                let path = path.clone();
                attempt.take(Pick::Path(path));
            }
            attempt
        };
        self.attempts = attempts.into_iter().map(settle).collect();
    }

    /// Takes a clicked cell back: of a set that one, otherwise what follows it as well.
    fn take_back(&mut self, cell: CellId) -> bool {
        let place = |attempt: &Attempt| attempt.trail.iter().rposition(|(clicked, _)| *clicked == cell);
        let Some(kept) = self.considered().filter_map(place).min() else {
            return false;
        };
        let in_set = |attempt: &Attempt| {
            let first = attempt.trail.iter().position(|(_, picks)| *picks == attempt.picks.len())?;
            attempt.part.is_set().then(|| kept.checked_sub(first)).flatten()
        };
        if self.attempts.iter().all(|attempt| in_set(attempt).is_some()) {
            for attempt in &mut self.attempts {
                if let Some(place) = in_set(attempt) {
                    attempt.part.remove(place);
                    attempt.trail.remove(kept);
                }
            }
        } else {
            self.keep(kept);
        }
        true
    }

    /// Keeps the first clicks, takes the others back.
    fn keep(&mut self, kept: usize) {
        if kept == 0 {
            self.restart();
            return;
        }
        for attempt in &mut self.attempts {
            let gone: Vec<(CellId, usize)> = attempt.trail.split_off(kept.min(attempt.trail.len()));
            let Some((_, picks)) = gone.first() else {
                continue;
            };
            attempt.part = match attempt.picks.get(*picks).cloned() {
                Some(Pick::Path(path)) => Part::Path(path),
                Some(Pick::Cells(cells)) => Part::Cells(cells),
                Some(Pick::Pieces(pieces)) => Part::Pieces(pieces),
                Some(_) => Part::None,
                None => std::mem::take(&mut attempt.part),
            };
            attempt.picks.truncate(*picks);
            attempt
                .part
                .truncate(attempt.trail.iter().filter(|(_, before)| before == picks).count());
        }
    }

    /// Takes the last click back; false if nothing was picked.
    pub fn step_back(&mut self) -> bool {
        self.before = None;
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

    /// Takes everything back; false if nothing was picked.
    pub fn clear(&mut self) -> bool {
        let had = self.has_picked() || self.wanted.is_some();
        self.before = None;
        self.wanted = None;
        self.restart();
        had
    }

    /// Says which action is wanted, where clicks fit several; the same again to take it back.
    pub fn want(&mut self, action: ActionId) {
        self.wanted = if self.wanted == Some(action) { None } else { Some(action) };
        self.restart();
    }

    /// The action that is wanted.
    pub fn wanted(&self) -> Option<ActionId> {
        self.wanted
    }

    /// A pick made in a panel.
    #[expect(clippy::needless_pass_by_value, reason = "a pick is handed over, however many attempts take it")]
    pub fn pick(&mut self, action: ActionId, pick: Pick) -> bool {
        let next: Vec<Attempt> = self
            .considered()
            .filter(|attempt| attempt.offered.action == action)
            .filter(|attempt| self.domain(attempt).is_some_and(|domain| domain.contains(&pick)))
            .map(|attempt| {
                let mut next = attempt.clone();
                next.take(pick.clone());
                next
            })
            .collect();
        if next.is_empty() {
            return false;
        }
        self.attempts = next;
        true
    }

    /// Takes the unfinished picks of an action as they are and goes on to the next.
    pub fn go_to_next(&mut self, action: ActionId) -> bool {
        let finished = |attempt: &Attempt| {
            let picks = attempt.finished(self.domain(attempt))?;
            (picks.len() < attempt.offered.picks).then(|| Attempt {
                picks,
                part: Part::None,
                ..attempt.clone()
            })
        };
        let next: Vec<Attempt> = self
            .considered()
            .filter(|attempt| attempt.offered.action == action)
            .filter_map(finished)
            .collect();
        if next.is_empty() {
            return false;
        }
        self.attempts = next;
        true
    }

    /// The actions that could be played as they are picked now. Actions without picks are among them only when nothing else is
    /// picked.
    pub fn playable(&self) -> Vec<Action> {
        let whole = |attempt: &Attempt| {
            let picks = if attempt.picks.len() == attempt.offered.picks {
                attempt.picks.clone()
            } else {
                attempt
                    .finished(self.domain(attempt))
                    .filter(|picks| picks.len() == attempt.offered.picks)?
            };
            Some(Action {
                seat: self.seat,
                action: attempt.offered.action,
                picks,
            })
        };
        self.considered().filter_map(whole).collect()
    }

    /// The action that Enter plays: the only one that is picked whole.
    pub fn sole(&self) -> Option<Action> {
        let playable = self.playable();
        let picked = || playable.iter().filter(|action| !action.picks.is_empty());
        match (picked().count(), playable.len()) {
            (1, _) => picked().next().cloned(),
            (0, 1) if self.wanted.is_some() || self.attempts.len() == 1 => playable.into_iter().next(),
            _ => None,
        }
    }

    /// Whether what is picked could become longer: a path that goes on, a set with room.
    pub fn may_grow(&self) -> bool {
        self.considered().any(|attempt| match (&attempt.part, self.domain(attempt)) {
            (Part::Path(path), Some(Domain::Paths(paths))) => {
                paths.iter().any(|offered| offered.len() > path.len() && offered.starts_with(path))
            }
            (Part::Cells(cells), Some(Domain::SomeCells { of, max, .. })) => cells.len() < usize::from(*max).min(of.count()),
            (Part::Pieces(pieces), Some(Domain::SomePieces { of, max, .. })) => pieces.len() < usize::from(*max).min(of.len()),
            _ => attempt.picks.len() < attempt.offered.picks,
        })
    }

    /// The cells that may be clicked to go on.
    pub fn cells(&self) -> BTreeSet<CellId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            match (self.domain(attempt), &attempt.part) {
                (Some(Domain::Cells(cells)), _) => found.extend(cells.iter()),
                (Some(Domain::Paths(paths)), part) => {
                    let path: &[CellId] = if let Part::Path(path) = part { path } else { &[] };
                    let ahead = paths.iter().filter(|offered| offered.starts_with(path));
                    found.extend(ahead.filter_map(|offered| offered.get(path.len())).copied());
                }
                (Some(Domain::SomeCells { of, max, .. }), part) => {
                    let chosen: &[CellId] = if let Part::Cells(cells) = part { cells } else { &[] };
                    if chosen.len() < usize::from(*max) {
                        found.extend(of.iter().filter(|cell| !chosen.contains(cell)));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The pieces that may be clicked to go on.
    pub fn pieces(&self) -> BTreeSet<PieceId> {
        let mut found = BTreeSet::new();
        for attempt in self.considered() {
            match (self.domain(attempt), &attempt.part) {
                (Some(Domain::Pieces(pieces)), _) => found.extend(pieces.iter().copied()),
                (Some(Domain::SomePieces { of, max, .. }), part) => {
                    let chosen: &[PieceId] = if let Part::Pieces(pieces) = part { pieces } else { &[] };
                    if chosen.len() < usize::from(*max) {
                        found.extend(of.iter().copied().filter(|piece| !chosen.contains(piece)));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The cells that were clicked, in order.
    pub fn trail(&self) -> Vec<CellId> {
        let longest = self.considered().max_by_key(|attempt| attempt.trail.len());
        longest.map_or_else(Vec::new, |attempt| attempt.trail.iter().map(|(cell, _)| *cell).collect())
    }

    /// The steps that a panel has to offer: numbers, words, seats, texts, and going on from an unfinished pick.
    pub fn asked(&self) -> Vec<Asked> {
        let asked = |attempt: &Attempt| {
            let Some(Reply::Open(domain, prompt)) = self.replies.get(&attempt.question()?) else {
                return None;
            };
            let is_last = attempt.picks.len() + 1 == attempt.offered.picks;
            Some(Asked {
                action: attempt.offered.action,
                prompt: Arc::clone(prompt),
                domain: domain.clone(),
                may_go_on: !is_last && attempt.finished(Some(domain)).is_some(),
            })
        };
        self.considered().filter_map(asked).collect()
    }

    /// The actions that can be begun or played now, one each.
    pub fn actions(&self) -> Vec<ActionId> {
        let is_open = |offered: &&Offered| {
            let question = Question {
                action: offered.action,
                picks: Picks::new(),
            };
            offered.picks == 0 || matches!(self.replies.get(&question), Some(Reply::Open(..)))
        };
        self.offered.iter().filter(is_open).map(|offered| offered.action).collect()
    }
}

#[cfg(test)]
mod tests;
