//! What any ruleset must hold to: random matches, checked at every step.

use std::sync::Arc;

use super::{Generator, Luck, Rules, Transaction, flow};
use boardwright_model::{Action, ActionId, Domain, Pick, Rejection, SeatId, State, Visibility};

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
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum Breach {
    /// A hook is at fault or refuses what it listed.
    #[error("after {played} actions: {rejection}")]
    Rejected { played: usize, rejection: Rejection },
    /// A promise is broken.
    #[error("after {played} actions: {what}")]
    Broken { played: usize, what: String },
}

/// Plays random actions from a state on and checks at every step that
/// the legal list is sorted, unique and not empty while someone may act;
/// each listed action passes the check that submitted ones pass, and seats that may not act have none;
/// where an action has both a pattern and hooks, they allow the same;
/// every action is taken back to the very same state;
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
    while let Some(seat) = transaction.state().acting().first() {
        let played = actions.len();
        if played >= most_actions {
            break;
        }
        let rejected = |rejection| Breach::Rejected { played, rejection };
        let broken = |what: String| Breach::Broken { played, what };
        let before = Arc::clone(transaction.state());
        let legal = flow::legal(rules, &before, seat).map_err(rejected)?;
        if legal.is_empty() {
            return Err(broken(format!(
                "{} is to act and has no legal action",
                before.declarations().seat_title(seat)
            )));
        }
        if !legal.is_sorted() || legal.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
            return Err(broken("the legal actions are not sorted and unique".to_owned()));
        }
        compare_hooks(rules, &before, seat, &legal, played)?;
        for other in before
            .declarations()
            .all_seats()
            .iter()
            .filter(|other| !before.acting().contains(*other))
        {
            if !flow::legal(rules, &before, other).map_err(rejected)?.is_empty() {
                return Err(broken(format!(
                    "{} may not act and has legal actions",
                    before.declarations().seat_title(other)
                )));
            }
        }
        let index = generator.below(legal.len() as u32) as usize;
        let Some(action) = legal.get(index) else { break };
        flow::check(rules, &before, action).map_err(rejected)?;
        let mark = transaction.mark();
        let luck_before = transaction.luck().clone();
        flow::perform_legal(rules, &mut transaction, action).map_err(rejected)?;
        let after = Arc::clone(transaction.state());
        if after.digest() != after.digest_from_scratch() {
            return Err(broken(format!(
                "the digest after {} differs from the digest from scratch",
                rules.notation(&before, action)
            )));
        }
        check_views(rules, &before, &after, transaction.effects_since(mark)).map_err(|what| match what {
            Ok(rejection) => rejected(rejection),
            Err(what) => broken(what),
        })?;
        transaction.rollback(mark);
        if **transaction.state() != *before {
            return Err(broken(format!(
                "{} is not taken back to the state before",
                rules.notation(&before, action)
            )));
        }
        transaction.set_luck(luck_before);
        flow::perform_legal(rules, &mut transaction, action).map_err(rejected)?;
        if transaction.state().digest() != after.digest() {
            return Err(broken(format!(
                "{} leads to another state when it is repeated",
                rules.notation(&before, action)
            )));
        }
        actions.push(action.clone());
    }
    let end = Arc::new(State::clone(transaction.state()));
    let played = actions.len();
    transaction.rollback(beginning);
    if **transaction.state() != **start {
        return Err(Breach::Broken {
            played,
            what: "taking everything back does not lead to the start".to_owned(),
        });
    }
    let is_over = end.outcome().is_some();
    Ok(Playout { actions, end, is_over })
}

/// Checks that the hooks of an action allow just what its pattern lists, where it has both.
fn compare_hooks(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, legal: &[Action], played: usize) -> Result<(), Breach> {
    let Some(check) = rules.pattern_check() else { return Ok(()) };
    for sort in flow::offered(state, seat).filter(|sort| check.has_hooks(*sort)) {
        let mut by_hooks = Vec::new();
        flow::enumerate_by(
            &|picked| check.hook_domain(state, seat, sort, picked),
            (seat, sort),
            state,
            &mut by_hooks,
        )
        .map_err(|rejection| Breach::Rejected { played, rejection })?;
        by_hooks.sort_unstable();
        let by_pattern: Vec<&Action> = legal.iter().filter(|action| action.action == sort).collect();
        if !by_hooks.iter().eq(by_pattern.iter().copied()) {
            let is_strange = |one: &&Action| !by_pattern.contains(one);
            let strange = by_hooks
                .iter()
                .find(is_strange)
                .or_else(|| by_pattern.into_iter().find(|one| !by_hooks.contains(one)));
            let what = strange.map_or_else(String::new, |one| rules.notation(state, one));
            let what = format!("the pattern and the hooks of an action differ, as about {what}");
            return Err(Breach::Broken { played, what });
        }
    }
    Ok(())
}

fn check_views(
    rules: &dyn Rules,
    before: &Arc<State>,
    after: &Arc<State>,
    effects: &[boardwright_model::Effect],
) -> Result<(), Result<Rejection, String>> {
    for seat in before.declarations().all_seats().iter().map(Some).chain([None]) {
        let sight =
            |state| -> Result<Visibility, Result<Rejection, String>> { Ok(Visibility::new(seat, rules.visible(state, seat).map_err(Ok)?)) };
        let (earlier, later) = (sight(before)?, sight(after)?);
        let view = after.project(&later);
        if view.digest() != view.digest_from_scratch() {
            return Err(Err("the digest of a view differs from its digest from scratch".to_owned()));
        }
        if let Some(sent) = State::project_effects(before, after, effects, (&earlier, &later)) {
            let mut led = State::clone(&before.project(&earlier));
            for effect in &sent {
                led.apply(effect)
                    .map_err(|error| Err(format!("an effect sent to a seat does not fit its view: {error}")))?;
            }
            if led.digest() != view.digest() && !before.declarations().counts_positions {
                return Err(Err(
                    "the effects sent to a seat do not lead its view to what it should be".to_owned()
                ));
            }
        }
    }
    Ok(())
}
