//! One simulation: selection down the tree, expansion, a playout from there, and backing up the values it came to.

use std::sync::Arc;

use smallvec::SmallVec;

use super::amaf_table::AmafTable;
use super::edge::Edge;
use super::node::Node;
use super::packed_action::PackedAction;
use super::prior::{candidates, likeliest};
use super::search::{Search, keyed};
use super::value::{self, Values, WHOLE, for_seat};
use crate::budget::{Stop, ThreadBudget};
use crate::move_ordering::action_key;
use boardwright_model::{Action, DrawKind, Rejection, SeatId, State};
use boardwright_rules::{Generator, Luck, PlayoutBuffers, Rules, Transaction, determinize, draw_action, flow};

/// Runs simulations of a search on one thread.
pub(super) struct Simulator<'a> {
    search: &'a Search,
    rules: &'a dyn Rules,
    /// The state at the root, a copy for this thread alone.
    root: Arc<State>,
    budget: ThreadBudget<'a>,
    generator: Generator,
    trial: Transaction,
    room: PlayoutBuffers,
    /// The edges selected, from the root.
    steps: Vec<(&'a Node, &'a Edge)>,
    /// What was played, in the tree and after it: by whom, and its key.
    played: Vec<(SeatId, u32)>,
    amaf: AmafTable,
    /// Faults of rules on determinized states, since the last simulation that went well.
    faults: u32,
}

impl<'a> Simulator<'a> {
    const DEEPEST: usize = 200;
    /// The most ways in which one action goes on that are told apart.
    const MOST_WAYS: usize = 48;
    /// So many faults one after the other on determinized states are taken for one of the rules.
    const MOST_FAULTS: u32 = 50;

    pub(super) fn new(search: &'a Search, rules: &'a dyn Rules, seed: u64) -> Self {
        let mut generator = Generator::new(seed);
        let luck = Luck::Roll(Generator::new(generator.next_seed()));
        let root = Arc::new(search.root.unshared());
        Self {
            search,
            rules,
            budget: search.budget.for_thread(),
            generator,
            // Nobody else may hold the state: it would be copied at every action.
            trial: Transaction::new(Arc::new(State::clone(&root)), luck),
            root,
            room: PlayoutBuffers::default(),
            steps: Vec::new(),
            played: Vec::new(),
            amaf: AmafTable::default(),
            faults: 0,
        }
    }

    pub(super) fn simulate(&mut self) -> Result<(), Stop> {
        self.budget.begin_simulation()?;
        self.steps.clear();
        self.played.clear();
        match self.descend() {
            Ok(values) => {
                self.faults = 0;
                self.back_up(&values);
                Ok(())
            }
            Err(stop) => {
                for (node, edge) in self.steps.drain(..) {
                    node.abandon();
                    edge.abandon();
                }
                match stop {
                    // What was determinized may be something the rules never come to.
                    Stop::Rejected(_) if self.search.hides && self.faults < Self::MOST_FAULTS => {
                        self.faults += 1;
                        Ok(())
                    }
                    stop => Err(stop),
                }
            }
        }
    }

    fn descend(&mut self) -> Result<Values, Stop> {
        let search = self.search;
        let world = if search.hides {
            determinize(self.rules, &search.root, search.seat, &mut self.generator)?
        } else {
            None
        };
        self.trial.restart(world.as_deref().unwrap_or(&self.root));
        let mut node: &'a Node = &search.tree.root;
        loop {
            node.enter();
            let chosen = if node.is_exact {
                self.select_exact(node)
            } else {
                self.select_available(node)
            };
            let Some((edge, action)) = chosen.inspect_err(|_| node.abandon())? else {
                node.abandon();
                return self.playout();
            };
            edge.begin();
            self.steps.push((node, edge));
            self.budget.tick()?;
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
                            return self.values();
                        }
                    }
                    continue;
                }
                Err(fault) => return Err(fault.into()),
            }
            self.played.push((action.seat, edge.key));
            let state = self.trial.state();
            let Some(seat) = state.acting().first() else { return self.values() };
            let (mut mark, mut is_exact) = self.mark(seat, drawn);
            is_exact &= node.is_exact;
            node = match edge.find_child(mark) {
                Some(child) => child,
                None if edge.visits() < 2 || !search.tree.has_room() || self.steps.len() >= Self::DEEPEST => return self.playout(),
                None => {
                    if edge.children().count() >= Self::MOST_WAYS {
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

    /// Progressive widening: how many actions of a node are expanded after so many visits, where there are many.
    fn width(visits: u32) -> u32 {
        12 + 2 * visits.isqrt()
    }

    /// The actions a seat may choose from in the present state, each with its key.
    fn actions(&self, node: &Node) -> Result<Vec<(u32, Action)>, Rejection> {
        if self.search.is_root(node) {
            return Ok(self.search.actions.clone());
        }
        let mut actions = Vec::new();
        flow::list_candidates(self.rules, self.trial.state(), node.seat, &mut actions)?;
        actions.sort_unstable();
        actions.dedup();
        Ok(keyed(self.trial.state(), actions))
    }

    /// Selects among the actions of a node that stands for one state. `None` if there are none.
    fn select_exact(&mut self, node: &'a Node) -> Result<Option<(&'a Edge, Action)>, Stop> {
        let search = self.search;
        let wanted = Self::width(node.visits());
        if !node.is_complete() && node.open() < wanted && (node.open() == 0 || search.tree.has_room()) {
            let base = self.base(node);
            node.expand_to(&search.tree, wanted, |most| {
                let state = self.trial.state();
                if !search.is_root(node)
                    && let Some(found) = likeliest(self.rules, (state, node.seat), base, most, &mut self.generator)?
                {
                    return Ok(found);
                }
                let actions = self.actions(node)?;
                candidates(self.rules, self.trial.state(), &actions, base, &mut self.generator)
            })?;
        }
        let policy = if node.open() <= Node::FEW as u32 && node.is_complete() {
            search.policy
        } else {
            search.policy.among_many()
        };
        let best = most(search.open_edges(node), |edge| {
            policy.selection_score(&edge.statistics(), node.visits())
        });
        Ok(best.and_then(|edge| Some((edge, edge.action.unpack(node.seat)?))))
    }

    /// Selects, in a node that stands for many states, among the actions that are legal in the present one. An action is as often
    /// available as it was legal when the node was visited, and that counts in place of the node's visits (ISMCTS).
    fn select_available(&mut self, node: &'a Node) -> Result<Option<(&'a Edge, Action)>, Stop> {
        let search = self.search;
        let mut actions = self.actions(node)?;
        actions.sort_by_key(|(key, _)| *key);
        let find = |key: u32| actions.binary_search_by_key(&key, |(key, _)| *key).ok();
        let there = node.edges().filter(|edge| find(edge.key).is_some()).count();
        let wanted = if actions.len() <= Node::FEW {
            actions.len()
        } else {
            Self::width(node.visits()) as usize
        };
        if there < wanted.min(actions.len()) && (there == 0 || search.tree.has_room()) {
            let mut candidates = candidates(self.rules, self.trial.state(), &actions, self.base(node), &mut self.generator)?;
            for candidate in &mut candidates.first {
                candidate.action = PackedAction::default();
            }
            node.expand_new(&search.tree, node.open() + (wanted - there) as u32, candidates.first.into_iter());
        }
        let edges = node.edges().filter(|edge| find(edge.key).is_some());
        let best = most(edges, |edge| {
            edge.note_available();
            search.policy.selection_score(&edge.statistics(), edge.availability())
        });
        Ok(best.and_then(|edge| Some((edge, actions.get(find(edge.key)?)?.1.clone()))))
    }

    /// The value that the way to a node has brought so far, for the seat that acts in it.
    fn base(&self, node: &Node) -> u32 {
        let Some((before, edge)) = self.steps.last() else {
            return WHOLE / 2;
        };
        let mean = (self.search.policy.mean(&edge.statistics()) * WHOLE as f32) as u32;
        let seats = self.search.root.declarations().seats.len() as u32;
        if before.seat == node.seat {
            mean
        } else if seats == 2 {
            WHOLE.saturating_sub(mean)
        } else {
            WHOLE / 2
        }
    }

    /// Plays the match on to its end, or so far that its score says enough.
    fn playout(&mut self) -> Result<Values, Stop> {
        let mut refused = 0;
        let mut played = 0;
        while played < self.search.most_playout_actions && refused < 8 {
            let state = self.trial.state();
            if state.acting().is_empty() {
                break;
            }
            let Some(action) = draw_action(self.rules, state, &mut self.generator, &mut self.room)? else {
                break;
            };
            let key = if self.search.policy.uses_rave {
                action_key(state, &action)
            } else {
                0
            };
            self.budget.tick()?;
            match flow::perform_in_playout(self.rules, &mut self.trial, &action) {
                Ok(()) => {
                    self.trial.forget();
                    self.played.push((action.seat, key));
                    played += 1;
                }
                Err(Rejection::Refused(_)) => refused += 1,
                Err(fault) => return Err(fault.into()),
            }
        }
        flow::conclude(self.rules, &mut self.trial)?;
        self.values()
    }

    fn values(&mut self) -> Result<Values, Stop> {
        let state = self.trial.state();
        let seats = state.declarations().seats.len();
        if let Some(outcome) = state.outcome() {
            return Ok(value::of_outcome(outcome, seats));
        }
        let scale = &self.search.scale;
        let of_seat = |seat: SeatId| -> Result<u32, Rejection> {
            let points = crate::value::of_state(self.rules, state, seat)?;
            scale.note(points);
            Ok(value::of_score(points, scale.points()))
        };
        if seats == 2 {
            let own = of_seat(self.search.seat)?;
            let mut values: Values = SmallVec::from_slice(&[WHOLE - own; 2]);
            if let Some(value) = values.get_mut(self.search.seat.index()) {
                *value = own;
            }
            return Ok(values);
        }
        let values: Result<Values, Rejection> = (0..seats).map(|index| of_seat(SeatId::from_index(index))).collect();
        Ok(values?)
    }

    fn back_up(&mut self, values: &Values) {
        let uses_rave = self.search.policy.uses_rave;
        if uses_rave {
            self.amaf.clear();
            for (index, (seat, key)) in self.played.iter().enumerate() {
                self.amaf.note(*seat, *key, index);
            }
        }
        for (depth, (node, edge)) in self.steps.iter().enumerate() {
            let value = for_seat(values, node.seat);
            edge.end(value);
            if uses_rave {
                let later = node.edges().filter(|edge| self.amaf.has_since(node.seat, edge.key, depth));
                later.for_each(|edge| edge.note_amaf(value));
            }
        }
    }
}

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
