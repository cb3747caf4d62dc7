//! The player that looks one action ahead.

use std::sync::Arc;

use super::budget::ThreadBudget;
use super::prior::priors;
use super::{Choice, Decision, Player, PlayerError, Thinking, value};
use boardwright_model::{Action, Evaluation, Rejection, SeatId, State};
use boardwright_rules::{Generator, Luck, Rules, Transaction, flow};

/// Tries every candidate action and takes one of those after which the value for its seat is highest, of equal ones the likeliest by their
/// priors. Plays by any rules: where an action draws, it is tried several times with luck of the player's own.
#[derive(Clone, Debug)]
pub struct Greedy {
    generator: Generator,
}

const SAMPLES: i64 = 8;

/// The mean value of the states that an action leads to; `None` if it is refused when tried. On a view something unseen may stand in the
/// way of what is listed, or be missed by the rules: there `skips_faults` leaves out what fails.
pub(super) fn expected_value(
    rules: &dyn Rules,
    trial: &mut Transaction,
    seat: SeatId,
    action: &Action,
    skips_faults: bool,
    evaluate: &mut dyn FnMut(&Arc<State>) -> Result<i64, Rejection>,
) -> Result<Option<i64>, Rejection> {
    let mark = trial.mark();
    let drawn_before = trial.draws().len();
    let (mut sum, mut count) = (0_i64, 0);
    for _ in 0..SAMPLES {
        let result = flow::perform_legal(rules, trial, action).and_then(|()| match trial.state().outcome() {
            Some(outcome) => Ok(i64::from(value::of_outcome(outcome, seat, 1))),
            None => Ok(i64::from(value::of_points(evaluate(trial.state())?))),
        });
        let has_drawn = trial.draws().len() > drawn_before;
        trial.rollback(mark);
        match result {
            Ok(value) => {
                sum += value;
                count += 1;
            }
            Err(Rejection::Refused(_)) => {}
            Err(fault) if !skips_faults => return Err(fault),
            Err(_) => {}
        }
        if !has_drawn {
            break;
        }
    }
    Ok((count > 0).then(|| sum / count))
}

/// One of the best of some actions, by their indexes and ranks; any of so many where none is ranked.
pub(super) fn best_of<R: Ord + Copy>(ranks: &[(usize, R)], actions: usize, generator: &mut Generator) -> (usize, Option<R>) {
    let best = ranks.iter().map(|(_, rank)| *rank).max();
    let equal: Vec<usize> = match best {
        Some(best) => ranks.iter().filter(|(_, rank)| *rank == best).map(|(index, _)| *index).collect(),
        None => (0..actions).collect(),
    };
    let chosen = generator.below(equal.len() as u32) as usize;
    (equal.get(chosen).copied().unwrap_or(0), best)
}

/// Whether an action is neither held back nor loses for certain, its value, and its prior.
type Rank = (bool, i64, i32);

impl Greedy {
    /// A player with luck of its own, for ties and samples.
    pub fn new(seed: u64) -> Self {
        Self {
            generator: Generator::new(seed),
        }
    }

    /// The ranks of the actions that the budget allows to try, by their indexes.
    fn ranks(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        actions: &[Action],
        budget: &mut ThreadBudget<'_>,
    ) -> Result<Vec<(usize, Rank)>, Rejection> {
        let priors = priors(rules, state, actions)?;
        let luck = Luck::Roll(Generator::new(self.generator.next_seed()));
        let mut trial = Transaction::new(Arc::new(State::clone(state)), luck);
        let mut ranks = Vec::with_capacity(actions.len());
        for (index, (action, prior)) in actions.iter().zip(priors).enumerate() {
            if budget.tick().is_err() {
                break;
            }
            let mut evaluate = |state: &Arc<State>| value::of_state(rules, state, seat);
            if let Some(value) = expected_value(rules, &mut trial, seat, action, state.may_hide(), &mut evaluate)? {
                let is_open = !prior.is_held_back && !matches!(Evaluation::of_score(value), Evaluation::LosesIn(_));
                ranks.push((index, (is_open, value, prior.hundredths)));
            }
        }
        Ok(ranks)
    }
}

impl Player for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(&mut self, decision: Decision<'_>, _report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision {
            rules,
            state,
            seat,
            budget,
        } = decision;
        let shared = budget.shared();
        let mut budget = shared.for_thread();
        let mut actions = flow::candidates(rules, state, seat)?;
        if actions.is_empty() {
            return Err(PlayerError::no_action(state, seat));
        }
        let ranks = self.ranks(rules, state, seat, &actions, &mut budget)?;
        let (chosen, best) = best_of(&ranks, actions.len(), &mut self.generator);
        Ok(Choice {
            evaluation: best.map(|(_, value, _)| Evaluation::of_score(value)),
            depth: u32::from(best.is_some()),
            nodes: budget.nodes(),
            elapsed: budget.elapsed(),
            ..Choice::of(actions.swap_remove(chosen))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, PlayerSpec, Random};
    use boardwright_fixtures::{Race, Rows, Skirmish};

    fn greedy(rules: &dyn Rules, state: &Arc<State>, seed: u64) -> Choice {
        let seat = state.acting().first().unwrap();
        Greedy::new(seed)
            .choose(
                Decision {
                    rules,
                    state,
                    seat,
                    budget: &Budget::unlimited(),
                },
                &mut |_| {},
            )
            .unwrap()
    }

    #[test]
    fn a_win_that_lies_there_is_taken() {
        let rules = Rows::new(3, 3, 3);
        let state = rules.begun("rr. bb. ...").unwrap();
        let choice = greedy(&rules, &state, 1);
        assert_eq!(
            (rules.notation(&state, &choice.action), choice.evaluation),
            ("place c1".to_owned(), Some(Evaluation::WinsIn(1)))
        );
    }

    #[test]
    fn the_longest_capture_is_taken() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let state = rules.begun("r.... b.... ..... b.... ....b").unwrap();
        assert_eq!(rules.notation(&state, &greedy(&rules, &state, 1).action), "go a1 a3-a5");
    }

    #[test]
    fn ties_are_broken_by_the_seed() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let state = rules.full().unwrap();
        let chosen: Vec<Action> = (0..20).map(|seed| greedy(&rules, &state, seed).action).collect();
        assert!(chosen.iter().any(|action| *action != chosen[0]));
        assert_eq!(greedy(&rules, &state, 7).action, chosen[7]);
    }

    #[test]
    fn without_any_budget_it_still_acts() {
        let rules = Rows::new(3, 3, 3);
        let state = rules.begun("").unwrap();
        let choice = Greedy::new(1)
            .choose(
                Decision {
                    rules: &rules,
                    state: &state,
                    seat: SeatId(0),
                    budget: &Budget::nodes(0),
                },
                &mut |_| {},
            )
            .unwrap();
        assert_eq!((choice.depth, choice.nodes), (0, 0));
        flow::check(&rules, &state, &choice.action).unwrap();
    }

    /// Plays a match between two players on what their seats see; gives the winner.
    fn winner(rules: &dyn Rules, start: Arc<State>, seed: u64, players: &mut [Box<dyn Player>; 2]) -> Option<SeatId> {
        let mut transaction = Transaction::new(start, Luck::Roll(Generator::new(seed)));
        if transaction.state().acting().is_empty() {
            flow::begin(rules, &mut transaction).unwrap();
        }
        while let Some(seat) = transaction.state().acting().first() {
            let sight = boardwright_model::Visibility::new(Some(seat), rules.visible(transaction.state(), Some(seat)).unwrap());
            let view = transaction.state().project(&sight);
            let player = &mut players[seat.index()];
            let choice = player
                .choose(
                    Decision {
                        rules,
                        state: &view,
                        seat,
                        budget: &Budget::unlimited(),
                    },
                    &mut |_| {},
                )
                .unwrap();
            drop(view);
            match flow::perform(rules, &mut transaction, &choice.action) {
                // The view does not show everything that a refusal may rest on.
                Err(Rejection::Refused(_)) => {
                    let legal = flow::legal(rules, transaction.state(), seat).unwrap();
                    flow::perform(rules, &mut transaction, &legal[0]).unwrap();
                }
                result => result.unwrap(),
            }
        }
        transaction.state().outcome().and_then(boardwright_model::Outcome::sole_winner)
    }

    #[test]
    fn it_beats_the_random_player_far_more_often_than_not() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let (mut won, mut lost) = (0, 0);
        for seed in 0..20 {
            let mut players: [Box<dyn Player>; 2] = [Box::new(Greedy::new(seed)), Box::new(Random::new(seed))];
            match winner(&rules, rules.full().unwrap(), seed, &mut players) {
                Some(SeatId(0)) => won += 1,
                Some(_) => lost += 1,
                None => {}
            }
        }
        assert!(won >= 12 && lost <= 2, "{won} won, {lost} lost");
    }

    #[test]
    fn luck_and_hidden_cards_do_not_stop_it() {
        let rules = Race::default();
        let mut won = 0;
        for seed in 0..30 {
            let spec = |text: &str| text.parse::<PlayerSpec>().unwrap().build(seed).unwrap();
            let mut players = [spec("greedy"), spec("random")];
            won += i32::from(winner(&rules, Race::start().unwrap(), seed, &mut players) == Some(SeatId(0)));
        }
        assert!(won > 5, "{won} of 30 won");
    }
}
