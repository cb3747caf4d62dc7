//! One try after the other: down the tree, a match played on from there, and back up with what came of it.

use smallvec::SmallVec;

use super::edge::Edge;
use super::formula::{self, Formula, WHOLE, Worths, for_seat};
use super::latest::Latest;
use super::node::Node;
use super::packed::Packed;
use super::search::{Search, keyed};
use super::waiting::Candidate;
use crate::model::{Action, DrawKind, SeatId};
use crate::players::budget::{Share, Spent};
use crate::players::ordering::action_key;
use crate::rules::{Generator, Luck, Promise, Rejection, Room, Rules, Transaction, draw_action, flow, imagine};

/// Why a try, or all of them, end early.
#[derive(Debug)]
pub(super) enum Stop {
    Spent,
    Rejected(Box<Rejection>),
}

impl From<Spent> for Stop {
    fn from(_: Spent) -> Self {
        Self::Spent
    }
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(Box::new(rejection))
    }
}

/// What one thread needs to take part in a search.
pub(super) struct Climber<'a> {
    search: &'a Search,
    rules: &'a dyn Rules,
    share: Share<'a>,
    generator: Generator,
    trial: Transaction,
    room: Room,
    /// The way down the tree.
    steps: Vec<(&'a Node, &'a Edge)>,
    /// What was played, in the tree and after it: by whom, and its key.
    played: Vec<(SeatId, u32)>,
    latest: Latest,
    /// Faults of rules on imagined states, since the last try that went well.
    faults: u32,
}

impl<'a> Climber<'a> {
    /// The longest way down.
    const DEEPEST: usize = 200;
    /// The most ways in which one action goes on that are told apart.
    const MOST_WAYS: usize = 48;
    /// So many faults one after the other on imagined states are taken for one of the rules.
    const MOST_FAULTS: u32 = 50;

    pub(super) fn new(search: &'a Search, rules: &'a dyn Rules, seed: u64) -> Self {
        let mut generator = Generator::new(seed);
        let luck = Luck::Roll(Generator::new(generator.next_seed()));
        Self {
            search,
            rules,
            share: search.pool.share(),
            generator,
            // Nobody else may hold the state: it would be copied at every action.
            trial: Transaction::new(std::sync::Arc::new(crate::model::State::clone(&search.root)), luck),
            room: Room::default(),
            steps: Vec::new(),
            played: Vec::new(),
            latest: Latest::default(),
            faults: 0,
        }
    }

    /// Tries once.
    pub(super) fn climb(&mut self) -> Result<(), Stop> {
        self.share.begin_simulation()?;
        self.steps.clear();
        self.played.clear();
        match self.descend() {
            Ok(worths) => {
                self.faults = 0;
                self.back_up(&worths);
                Ok(())
            }
            Err(stop) => {
                for (node, edge) in self.steps.drain(..) {
                    node.abandon();
                    edge.abandon();
                }
                match stop {
                    // What was imagined may be something the rules never come to.
                    Stop::Rejected(_) if self.search.hides && self.faults < Self::MOST_FAULTS => {
                        self.faults += 1;
                        Ok(())
                    }
                    stop => Err(stop),
                }
            }
        }
    }

    fn descend(&mut self) -> Result<Worths, Stop> {
        let search = self.search;
        let world = if search.hides {
            imagine(self.rules, &search.root, search.seat, &mut self.generator)?
        } else {
            None
        };
        self.trial.restart(world.as_deref().unwrap_or(&search.root));
        let mut node: &'a Node = &search.tree.root;
        loop {
            node.enter();
            let chosen = if node.is_exact {
                self.choose_exact(node)
            } else {
                self.choose_loose(node)
            };
            let Some((edge, action)) = chosen.inspect_err(|_| node.abandon())? else {
                node.abandon();
                return self.play_on();
            };
            edge.begin();
            self.steps.push((node, edge));
            self.share.tick()?;
            let drawn = self.trial.draws().len();
            match flow::perform_legal(self.rules, &mut self.trial, &action) {
                Ok(()) => {}
                Err(Rejection::Refused(_)) => {
                    self.steps.pop();
                    node.abandon();
                    if node.is_exact {
                        edge.refuse();
                    } else {
                        edge.abandon();
                        self.faults += 1;
                        if self.faults >= Self::MOST_FAULTS {
                            return self.worths();
                        }
                    }
                    continue;
                }
                Err(fault) => return Err(fault.into()),
            }
            self.played.push((action.seat, edge.key));
            let state = self.trial.state();
            let Some(seat) = state.acting().first() else { return self.worths() };
            let (mut mark, mut is_exact) = self.mark(seat, drawn);
            is_exact &= node.is_exact;
            node = match edge.find_child(mark) {
                Some(child) => child,
                None if edge.visits() < 2 || !search.tree.has_room() || self.steps.len() >= Self::DEEPEST => return self.play_on(),
                None => {
                    if edge.child_count() >= Self::MOST_WAYS {
                        mark = self.mark(seat, usize::MAX).0;
                        is_exact = false;
                    }
                    edge.add_child(&search.tree, Node::new(mark, self.trial.state().digest(), seat, is_exact))
                }
            };
        }
    }

    /// What tells apart the ways in which an action can go on, and whether nothing is left open by it.
    fn mark(&self, seat: SeatId, drawn_before: usize) -> (u64, bool) {
        let sequence = self.trial.state().sequence();
        let decision = sequence.decision().map_or(0, |decision| u64::from(decision.action.0) + 1);
        let mut mark = u64::from(seat.0) | u64::from(sequence.phase.0) << 8 | decision << 16;
        let mut is_whole = true;
        for draw in self.trial.draws().get(drawn_before..).unwrap_or_default() {
            // An order that nobody sees yet tells nothing apart.
            if matches!(draw.kind, DrawKind::Shuffle { .. }) {
                is_whole = false;
                continue;
            }
            for number in draw.result.iter() {
                mark = (mark ^ u64::from(*number) ^ 0x5bd1_e995)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29);
            }
        }
        (mark, is_whole)
    }

    /// How many actions of a node are open after so many visits, where there are many.
    fn width(visits: u32) -> u32 {
        12 + 2 * visits.isqrt()
    }

    /// The action to try in a node that stands for one state. `None` if nothing can be tried.
    fn choose_exact(&mut self, node: &'a Node) -> Result<Option<(&'a Edge, Action)>, Stop> {
        let search = self.search;
        let is_root = search.is_root(node);
        let wanted = Self::width(node.visits());
        if !node.is_complete() && node.open() < wanted && (node.open() == 0 || search.tree.has_room()) {
            let base = self.base(node);
            node.open_until(&search.tree, wanted, || {
                let actions = if is_root {
                    search.actions.clone()
                } else {
                    let mut actions = Vec::new();
                    flow::list_considered(self.rules, self.trial.state(), node.seat, &mut actions)?;
                    actions.sort_unstable();
                    actions.dedup();
                    keyed(self.trial.state(), actions)
                };
                self.candidates(actions, base)
            })?;
        }
        let formula = if node.open() <= Node::FEW as u32 && node.is_complete() {
            search.formula
        } else {
            search.formula.among_many()
        };
        let urge = |edge: &&Edge| {
            let mut known = edge.known();
            if is_root {
                known.markdown = search.markdown(edge.key);
            }
            formula.urge(&known, node.visits())
        };
        let edges = node.edges().filter(|edge| !edge.is_refused());
        let best = most(edges, urge);
        Ok(best.and_then(|edge| Some((edge, edge.action.unpack(node.seat)?))))
    }

    /// The action to try in a node that stands for many states, among those that are legal in the present one.
    fn choose_loose(&mut self, node: &'a Node) -> Result<Option<(&'a Edge, Action)>, Stop> {
        let search = self.search;
        let is_root = search.is_root(node);
        let mut actions = if is_root {
            search.actions.clone()
        } else {
            let mut actions = Vec::new();
            flow::list_considered(self.rules, self.trial.state(), node.seat, &mut actions)?;
            actions.sort_unstable();
            actions.dedup();
            keyed(self.trial.state(), actions)
        };
        actions.sort_by_key(|(key, _)| *key);
        let find = |key: u32| actions.binary_search_by_key(&key, |(key, _)| *key).ok();
        let there = node.edges().filter(|edge| find(edge.key).is_some()).count();
        let wanted = if actions.len() <= Node::FEW {
            actions.len()
        } else {
            Self::width(node.visits()) as usize
        };
        if there < wanted.min(actions.len()) && (there == 0 || search.tree.has_room()) {
            let is_new = |(key, _): &&(u32, Action)| node.edges().all(|edge| edge.key != *key);
            let new: Vec<_> = actions.iter().filter(is_new).cloned().collect();
            let base = self.base(node);
            let mut candidates = self.candidates(new, base)?;
            for candidate in &mut candidates {
                candidate.action = Packed::default();
            }
            node.open_new(&search.tree, node.open() + (wanted - there) as u32, candidates.into_iter());
        }
        let urge = |edge: &&Edge| {
            let mut known = edge.known();
            if is_root {
                known.markdown = search.markdown(edge.key);
            }
            edge.note_chance();
            search.formula.urge(&known, edge.chances())
        };
        let edges = node.edges().filter(|edge| find(edge.key).is_some());
        let best = most(edges, urge);
        Ok(best.and_then(|edge| Some((edge, actions.get(find(edge.key)?)?.1.clone()))))
    }

    /// What an untried action of a node may be expected to bring: what the way there has brought so far.
    fn base(&self, node: &Node) -> u32 {
        let Some((before, edge)) = self.steps.last() else {
            return WHOLE / 2;
        };
        let mean = (self.search.formula.mean(&edge.known()) * WHOLE as f32) as u32;
        let seats = self.search.root.frame().seats.len() as u32;
        if before.seat == node.seat {
            mean
        } else if seats == 2 {
            WHOLE.saturating_sub(mean)
        } else {
            WHOLE / 2
        }
    }

    /// Actions with what the rules expect of them, the best first, those of which they expect the same in a random order.
    fn candidates(&mut self, actions: Vec<(u32, Action)>, base: u32) -> Result<Vec<Candidate>, Rejection> {
        let state = self.trial.state();
        if let Some((_, first)) = actions.first()
            && actions.iter().all(|(_, action)| action.action == first.action)
            && let Some(promise) = self.rules.promise(state, first.seat, first.action)
        {
            return Ok(self.promising(actions, base, &promise));
        }
        let usual = self.search.usual.points();
        let mut known_lots: Option<(crate::model::ActionId, Option<crate::rules::Lots>)> = None;
        let mut found: Vec<(i64, u32, Candidate)> = Vec::with_capacity(actions.len());
        for (key, action) in actions {
            let hint = self.rules.order(state, &action)?.unwrap_or(0);
            let lots = match &mut known_lots {
                Some((sort, lots)) if *sort == action.action => lots,
                other => &mut other.insert((action.action, self.rules.lots(state, action.seat, action.action)?)).1,
            };
            let lots = lots.as_ref().map_or(1, |lots| lots.of(state, &action));
            let lift = formula::squash(hint, usual) * 0.25;
            let candidate = Candidate {
                action: Packed::new(&action),
                key,
                prior: (base as f32 + lift * WHOLE as f32).clamp(0.0, WHOLE as f32) as u32,
                chance: 0.0,
            };
            let place = self.generator.below(found.len() as u32 + 1) as usize;
            found.push((hint, lots, candidate));
            let last = found.len() - 1;
            found.swap(place, last);
        }
        let most_lots = found.iter().map(|(_, lots, _)| *lots).max().unwrap_or(1);
        if most_lots > 1 {
            for (_, lots, candidate) in &mut found {
                let lift = *lots as f32 / most_lots as f32 - 0.5;
                let prior = candidate.prior as f32 + 0.2 * lift * WHOLE as f32;
                candidate.prior = prior.clamp(0.0, WHOLE as f32) as u32;
            }
        }
        found.sort_by_key(|(_, _, candidate)| std::cmp::Reverse(candidate.prior));
        Ok(found.into_iter().map(|(_, _, candidate)| candidate).collect())
    }

    /// Actions of one sort of which the rules say how promising they look, the most promising first, equally promising ones in a random order.
    fn promising(&mut self, actions: Vec<(u32, Action)>, base: u32, promise: &Promise) -> Vec<Candidate> {
        let state = self.trial.state();
        let points: Vec<i32> = actions.iter().map(|(_, action)| promise.of(state, action)).collect();
        let shares = Promise::shares(&points);
        let all: f32 = shares.iter().sum();
        let mut found: Vec<Candidate> = Vec::with_capacity(actions.len());
        for ((key, action), share) in actions.into_iter().zip(shares) {
            found.push(Candidate {
                action: Packed::new(&action),
                key,
                prior: Formula::promised(base, share),
                chance: share / all,
            });
            let place = self.generator.below(found.len() as u32) as usize;
            let last = found.len() - 1;
            found.swap(place, last);
        }
        found.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        found
    }

    /// Plays the match on to its end, or so far that its score says enough.
    fn play_on(&mut self) -> Result<Worths, Stop> {
        let mut refused = 0;
        let mut played = 0;
        while played < self.search.most_played && refused < 8 {
            let state = self.trial.state();
            if state.acting().is_empty() {
                break;
            }
            let Some(action) = draw_action(self.rules, state, &mut self.generator, &mut self.room)? else {
                break;
            };
            let key = if self.search.formula.counts_later {
                action_key(state, &action)
            } else {
                0
            };
            self.share.tick()?;
            match flow::perform_legal(self.rules, &mut self.trial, &action) {
                Ok(()) => {
                    self.trial.forget();
                    self.played.push((action.seat, key));
                    played += 1;
                }
                Err(Rejection::Refused(_)) => refused += 1,
                Err(fault) => return Err(fault.into()),
            }
        }
        self.worths()
    }

    /// The worths of the present state: those of its end, or of its score.
    fn worths(&mut self) -> Result<Worths, Stop> {
        let state = self.trial.state();
        let seats = state.frame().seats.len();
        if let Some(outcome) = state.outcome() {
            return Ok(formula::of_outcome(outcome, seats));
        }
        let usual = &self.search.usual;
        let of_seat = |seat: SeatId| -> Result<u32, Rejection> {
            let points = self.rules.score(state, seat)?;
            usual.note(points);
            Ok(formula::of_score(points, usual.points()))
        };
        if seats == 2 {
            let own = of_seat(self.search.seat)?;
            let mut worths: Worths = SmallVec::from_slice(&[WHOLE - own; 2]);
            if let Some(worth) = worths.get_mut(self.search.seat.index()) {
                *worth = own;
            }
            return Ok(worths);
        }
        let worths: Result<Worths, Rejection> = (0..seats).map(|index| of_seat(SeatId::from_index(index))).collect();
        Ok(worths?)
    }

    fn back_up(&mut self, worths: &Worths) {
        let counts_later = self.search.formula.counts_later;
        if counts_later {
            self.latest.clear();
            for (index, (seat, key)) in self.played.iter().enumerate() {
                self.latest.note(*seat, *key, index);
            }
        }
        for (depth, (node, edge)) in self.steps.iter().enumerate() {
            let worth = for_seat(worths, node.seat);
            edge.end(worth);
            if counts_later {
                let later = node.edges().filter(|edge| self.latest.has_since(node.seat, edge.key, depth));
                later.for_each(|edge| edge.note_later(worth));
            }
        }
    }
}

/// The item for which a number is greatest, the first of several.
fn most<T>(items: impl Iterator<Item = T>, number: impl Fn(&T) -> f32) -> Option<T> {
    let mut best: Option<(f32, T)> = None;
    for item in items {
        let own = number(&item);
        if best.as_ref().is_none_or(|(most, _)| own > *most) {
            best = Some((own, item));
        }
    }
    best.map(|(_, item)| item)
}
