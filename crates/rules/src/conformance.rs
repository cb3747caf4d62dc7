//! What any ruleset must hold to: random matches, checked at every step.

use std::sync::Arc;

use super::{Generator, Luck, Rules, Transaction, flow};
use boardwright_model::{Action, ActionId, Domain, Effect, Pick, Rejection, SeatId, State, Touched, Visibility};

/// Rules that can say by hooks what their patterns say. Nothing else compares the two.
pub trait PatternCheck {
    /// Whether all picks of an action that has a pattern could also be picked by hooks.
    fn has_hooks(&self, action: ActionId) -> bool;

    /// What may be picked next as hooks say it, whether or not there is a pattern.
    ///
    /// # Errors
    /// As [`Rules::domain`].
    fn hook_domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection>;
}

/// What a random match showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Playout {
    /// The actions, in order.
    pub actions: Vec<Action>,
    /// The state at the end.
    pub end: Arc<State>,
    /// Whether the match came to its end within the number of actions allowed.
    pub is_over: bool,
}

/// A ruleset that does not hold to what it must.
#[derive(Debug, thiserror::Error)]
#[error("after {played} actions: {flaw}")]
pub struct Breach {
    /// How many actions were played.
    pub played: usize,
    /// What is wrong.
    pub flaw: Flaw,
}

/// What is wrong with a ruleset.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// A hook is at fault or refuses what it listed.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// A promise is broken.
    #[error("{0}")]
    Broken(String),
}

/// Fails with what is broken unless it holds.
fn hold(holds: bool, broken: impl FnOnce() -> String) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(Flaw::Broken(broken())) }
}

/// Plays random actions from a state on and checks at every step that
/// the legal list is sorted, unique and not empty while someone may act;
/// each listed action passes the check that submitted ones pass, and seats that may not act have none;
/// where an action has both a pattern and hooks, they allow the same;
/// every action is taken back to the very same state;
/// copies of a state equal it;
/// the digest kept up to date equals the digest from scratch;
/// the view of each seat is made without error, and is led by projected effects to what it is made again.
/// At the end everything is taken back to the start and played again to the same end.
///
/// # Errors
/// The first breach found.
pub fn random_match(rules: &dyn Rules, start: &Arc<State>, seed: u64, most_actions: usize) -> Result<Playout, Breach> {
    let mut generator = Generator::new(seed);
    let luck = Luck::Roll(Generator::new(generator.next_seed()));
    let mut transaction = Transaction::new(Arc::new(State::clone(start)), luck);
    let mut actions: Vec<Action> = Vec::new();
    let beginning = transaction.mark();
    while let Some(seat) = transaction.state().acting().first()
        && actions.len() < most_actions
    {
        let action = play_checked(rules, &mut transaction, seat, &mut generator);
        let played = actions.len();
        actions.push(action.map_err(|flaw| Breach { played, flaw })?);
    }
    let end = Arc::new(State::clone(transaction.state()));
    transaction.rollback(beginning);
    let is_back = **transaction.state() == **start;
    let played = actions.len();
    hold(is_back, || "taking everything back does not lead to the start".to_owned()).map_err(|flaw| Breach { played, flaw })?;
    let is_over = end.outcome().is_some();
    Ok(Playout { actions, end, is_over })
}

/// Plays a random action of a seat, with all checks of [`random_match`].
fn play_checked(rules: &dyn Rules, transaction: &mut Transaction, seat: SeatId, generator: &mut Generator) -> Result<Action, Flaw> {
    let before = Arc::clone(transaction.state());
    let title = |seat| before.declarations().seat_title(seat);
    let legal = flow::legal(rules, &before, seat)?;
    hold(!legal.is_empty(), || format!("{} is to act and has no legal action", title(seat)))?;
    let is_rising = legal.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    hold(is_rising, || "the legal actions are not sorted and unique".to_owned())?;
    compare_hooks(rules, &before, seat, &legal)?;
    let all = before.declarations().all_seats();
    for other in all.iter().filter(|other| !before.acting().contains(*other)) {
        let has_none = flow::legal(rules, &before, other)?.is_empty();
        hold(has_none, || format!("{} may not act and has legal actions", title(other)))?;
    }
    let index = generator.below(legal.len() as u32) as usize;
    let action = legal.into_iter().nth(index);
    let action = action.ok_or_else(|| Flaw::Broken("the generator goes beyond its bound".to_owned()))?;
    let notation = || rules.notation(&before, &action);
    flow::check(rules, &before, &action)?;
    let mark = transaction.mark();
    let luck_before = transaction.luck().clone();
    flow::perform_legal(rules, transaction, &action)?;
    let after = Arc::clone(transaction.state());
    let is_true = after.digest() == after.digest_from_scratch();
    hold(is_true, || {
        format!("the digest after {} differs from the digest from scratch", notation())
    })?;
    check_views(rules, &before, &after, transaction.effects_since(mark))?;
    transaction.rollback(mark);
    let is_back = **transaction.state() == *before;
    hold(is_back, || format!("{} is not taken back to the state before", notation()))?;
    let mut copy = after.unshared();
    hold(copy == *after, || {
        format!("a copy of the state after {} differs from it", notation())
    })?;
    copy.copy_from(&before);
    hold(copy == *before, || {
        "a state that becomes a copy of another differs from it".to_owned()
    })?;
    transaction.set_luck(luck_before);
    flow::perform_legal(rules, transaction, &action)?;
    let is_same = transaction.state().digest() == after.digest();
    hold(is_same, || format!("{} leads to another state when it is repeated", notation()))?;
    Ok(action)
}

/// Checks that the hooks of an action allow just what its pattern lists, where it has both.
fn compare_hooks(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, legal: &[Action]) -> Result<(), Flaw> {
    let Some(check) = rules.pattern_check() else { return Ok(()) };
    for sort in flow::offered(state, seat).filter(|sort| check.has_hooks(*sort)) {
        let mut by_hooks = Vec::new();
        let domain = |picked: &[Pick]| check.hook_domain(state, seat, sort, picked);
        flow::enumerate_by(&domain, (seat, sort), state, &mut by_hooks)?;
        by_hooks.sort_unstable();
        let by_pattern: Vec<&Action> = legal.iter().filter(|action| action.action == sort).collect();
        hold(by_hooks.iter().eq(by_pattern.iter().copied()), || {
            let of_hooks = by_hooks.iter().find(|one| !by_pattern.contains(one));
            let strange = of_hooks.or_else(|| by_pattern.iter().copied().find(|one| !by_hooks.contains(one)));
            let what = strange.map_or_else(String::new, |one| rules.notation(state, one));
            format!("the pattern and the hooks of an action differ, as about {what}")
        })?;
    }
    Ok(())
}

fn check_views(rules: &dyn Rules, before: &Arc<State>, after: &Arc<State>, effects: &[Effect]) -> Result<(), Flaw> {
    for seat in before.declarations().all_seats().iter().map(Some).chain([None]) {
        let earlier = Visibility::new(seat, rules.visible(before, seat)?);
        let later = Visibility::new(seat, rules.visible(after, seat)?);
        let base = before.project(&earlier);
        let mut view = State::clone(&base);
        let fits = |error| Flaw::Broken(format!("the view of a seat does not follow an event: {error}"));
        let update = view
            .update_view((before, &earlier), (after, &later), effects, Touched::ByEffects)
            .map_err(fits)?;
        let is_true = view.digest() == view.digest_from_scratch();
        hold(is_true, || "the digest of a view differs from its digest from scratch".to_owned())?;
        let mut led = State::clone(&base);
        for effect in &update.effects {
            let applied = led.apply(effect);
            applied.map_err(|error| Flaw::Broken(format!("an effect sent to a seat does not fit its view: {error}")))?;
        }
        hold(led == view, || {
            "the effects sent to a seat do not lead its view to what it should be".to_owned()
        })?;
        let mut again = State::clone(&base);
        again
            .update_view((before, &earlier), (after, &later), effects, Touched::Everything)
            .map_err(fits)?;
        hold(again == view, || {
            "what an event changes in the view of a seat is not all that has changed for it".to_owned()
        })?;
        for effect in update.effects.iter().rev() {
            let undone = led.apply(effect.inverse());
            undone.map_err(|error| Flaw::Broken(format!("an effect sent to a seat cannot be taken back: {error}")))?;
        }
        hold(led == *base, || {
            "the effects sent to a seat, taken back, do not lead its view to where it was".to_owned()
        })?;
    }
    Ok(())
}
