//! Iterative deepening: the actions at the root, the loop over depths, and the blunders of low levels.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use super::budget::Stop;
use super::move_ordering::push_shuffled;
use super::value;
use super::{Budget, Choice, Thinking};
use boardwright_model::{Action, Rejection, SeatId, State};
use boardwright_model::{CERTAIN, WIN};
use boardwright_rules::{Generator, Rules, flow};

pub(super) struct RootAction {
    pub(super) action: Action,
    /// What a negative hint of the rules takes off its value.
    pub(super) penalty: i32,
    pub(super) value: i64,
}

/// The candidate actions, in a random order but for the hints of the rules.
pub(super) fn root_actions(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    generator: &mut Generator,
) -> Result<Vec<RootAction>, Rejection> {
    let mut found: Vec<(i32, RootAction)> = Vec::new();
    for action in flow::candidates(rules, state, seat)? {
        let hint = value::of_points(rules.guidance().ordering_points(state, &action)?.unwrap_or(0));
        let action = RootAction {
            action,
            penalty: hint.min(0),
            value: 0,
        };
        push_shuffled(&mut found, (hint, action), generator);
    }
    found.sort_by_key(|(hint, _)| Reverse(*hint));
    Ok(found.into_iter().map(|(_, action)| action).collect())
}

/// A search that can be asked for one depth after the other.
pub(super) trait DepthSearch {
    /// Searches the root actions to a depth and puts the best first, the others behind it in their order. `best` is updated as soon as
    /// something better is found, so that it holds where the search ends early: the first action was the best of the depth before.
    /// `needs_all` asks for exact values of all actions, not of the best alone.
    fn search_to(&mut self, actions: &mut Vec<RootAction>, depth: u32, needs_all: bool, best: &mut Choice) -> Result<(), Stop>;

    /// Whether the last depth judged anything by its score instead of searching it to the end of the match.
    fn met_horizon(&self) -> bool;

    fn nodes(&self) -> u64;

    fn elapsed(&self) -> Duration;
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
        match search.search_to(&mut actions, depth, blunder.is_some(), best) {
            Ok(()) => best.depth = depth,
            Err(Stop::Spent) => break,
            Err(Stop::Rejected(rejection)) => return Err(*rejection),
        }
        report(&Thinking {
            score: best.score,
            depth,
            nodes: search.nodes(),
            line: best.line.clone(),
            elapsed: search.elapsed(),
        });
        let is_certain = best.score.abs() >= i64::from(CERTAIN) && i64::from(WIN) - best.score.abs() <= i64::from(depth);
        // A depth takes several times as long as the one before.
        let is_late = budget.time.is_some_and(|time| search.elapsed() > time.mul_f32(0.6));
        if is_certain || !search.met_horizon() || is_late {
            break;
        }
    }
    if let Some(generator) = blunder
        && best.depth > 0
        && best.score < i64::from(WIN) - 1
    {
        actions.sort_by_key(|action| Reverse(action.value));
        let better_half = actions.len().div_ceil(2);
        let blunder = actions.swap_remove(generator.below(better_half as u32) as usize);
        best.line = vec![blunder.action.clone()];
        best.score = blunder.value;
        best.action = blunder.action;
    }
    Ok(())
}
