//! Iterative deepening: the actions at the root, the loop over depths, and the blunders of low levels.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use super::budget::Stop;
use super::move_ordering::push_shuffled;
use super::prior::{Logit, priors};
use super::{Budget, Choice, Thinking};
use boardwright_model::{Action, CERTAIN, Evaluation, Rejection, SeatId, State};
use boardwright_rules::{Generator, Rules, flow};

pub(super) struct RootAction {
    pub(super) action: Action,
    is_held_back: bool,
    value: i64,
}

/// The candidate actions, the likeliest first by their priors, equal ones in a random order; those that are held back at the end.
pub(super) fn root_actions(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    generator: &mut Generator,
) -> Result<Vec<RootAction>, Rejection> {
    let actions = flow::candidates(rules, state, seat)?;
    let priors = priors(rules, state, &actions)?;
    let mut found: Vec<(Logit, Action)> = Vec::new();
    for pair in priors.into_iter().zip(actions) {
        push_shuffled(&mut found, pair, generator);
    }
    found.sort_by_key(|(prior, _)| (prior.is_held_back, Reverse(prior.hundredths)));
    let root_action = |(prior, action): (Logit, Action)| RootAction {
        action,
        is_held_back: prior.is_held_back,
        value: 0,
    };
    Ok(found.into_iter().map(root_action).collect())
}

/// A search that can be asked for one depth after the other.
pub(super) trait DepthSearch {
    /// Begins a depth: nothing was judged by its value yet.
    fn begin_depth(&mut self);

    /// The value of an action at the root, searched to a depth; `None` if the rules refuse it. Where it is not above `floor` any value that
    /// is not either may be given. `line` becomes what follows the action.
    fn value_of(&mut self, action: &Action, depth: u32, floor: Option<i64>, line: &mut Vec<Action>) -> Result<Option<i64>, Stop>;

    /// Whether the last depth judged anything by its value instead of searching it to the end of the match.
    fn met_horizon(&self) -> bool;

    fn nodes(&self) -> u64;

    fn elapsed(&self) -> Duration;
}

/// Searches the root actions to a depth and puts the best first, the others behind it in their order. `best` is updated as soon as
/// something better is found, so that it holds where the search ends early: the first action was the best of the depth before. `needs_all`
/// asks for exact values of all actions, not of the best alone. Those that are held back are searched where all others lose for certain.
fn search_to(
    search: &mut impl DepthSearch,
    actions: &mut Vec<RootAction>,
    depth: u32,
    needs_all: bool,
    best: &mut Choice,
) -> Result<(), Stop> {
    search.begin_depth();
    let mut most: Option<i64> = None;
    let (mut index, mut first) = (0, 0);
    let mut line = Vec::new();
    while let Some(root) = actions.get_mut(index) {
        if root.is_held_back && most.is_some_and(|most| most > -i64::from(CERTAIN)) {
            break;
        }
        let floor = most.filter(|_| !needs_all);
        let Some(value) = search.value_of(&root.action, depth, floor, &mut line)? else {
            if actions.len() == 1 {
                break;
            }
            actions.remove(index);
            continue;
        };
        root.value = value;
        if most.is_none_or(|most| value > most) {
            most = Some(value);
            first = index;
            best.evaluation = Some(Evaluation::of_score(value));
            best.action = root.action.clone();
            best.line.clear();
            best.line.push(root.action.clone());
            best.line.append(&mut line);
        }
        index += 1;
    }
    if let Some(head) = actions.get_mut(..=first) {
        head.rotate_right(1);
    }
    Ok(())
}

/// Searches deeper and deeper until the budget is spent, the end is certain, or there is nothing deeper. With a generator in `blunder`
/// the choice is then any of the better half of the actions.
pub(super) fn deepen(
    search: &mut impl DepthSearch,
    mut actions: Vec<RootAction>,
    (budget, most_depth): (&Budget, u32),
    blunder: Option<&mut Generator>,
    best: &mut Choice,
    report: &mut dyn FnMut(&Thinking),
) -> Result<(), Rejection> {
    for depth in 1..=most_depth {
        match search_to(search, &mut actions, depth, blunder.is_some(), best) {
            Ok(()) => best.depth = depth,
            Err(Stop::Spent) => break,
            Err(Stop::Rejected(rejection)) => return Err(*rejection),
        }
        report(&Thinking {
            evaluation: best.evaluation,
            depth,
            nodes: search.nodes(),
            line: best.line.clone(),
            elapsed: search.elapsed(),
        });
        let is_certain = match best.evaluation {
            Some(Evaluation::WinsIn(ahead) | Evaluation::LosesIn(ahead)) => ahead <= depth,
            _ => false,
        };
        // A depth takes several times as long as the one before.
        let is_late = budget.time.is_some_and(|time| search.elapsed() > time.mul_f32(0.6));
        if is_certain || !search.met_horizon() || is_late {
            break;
        }
    }
    if let Some(generator) = blunder
        && best.depth > 0
        && !matches!(best.evaluation, Some(Evaluation::WinsIn(0 | 1)))
    {
        actions.sort_by_key(|action| (action.is_held_back, Reverse(action.value)));
        let open = actions.iter().filter(|action| !action.is_held_back).count();
        let better_half = open.max(1).div_ceil(2);
        let blunder = actions.swap_remove(generator.below(better_half as u32) as usize);
        best.line = vec![blunder.action.clone()];
        best.evaluation = Some(Evaluation::of_score(blunder.value));
        best.action = blunder.action;
    }
    Ok(())
}
