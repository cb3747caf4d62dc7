//! The player that looks one action ahead.

use std::sync::Arc;

use super::budget::Meter;
use super::{Budget, Choice, Player, PlayerError, Thinking, worth};
use crate::model::{Action, SeatId, State};
use crate::rules::{Generator, Luck, Rejection, Rules, Transaction, flow};

/// Tries every legal action and takes one of those after which its seat stands best. Plays by any rules: where an action
/// draws, it is tried several times with luck of the player's own.
#[derive(Clone, Debug)]
pub struct Greedy {
    generator: Generator,
}

impl Greedy {
    /// How often an action that draws is tried.
    const SAMPLES: i64 = 8;

    /// A player with luck of its own, for ties and samples.
    pub fn new(seed: u64) -> Self {
        Self {
            generator: Generator::new(seed),
        }
    }

    /// The worth of an action for a seat; `None` if it is refused when tried.
    fn worth(rules: &dyn Rules, trial: &mut Transaction, seat: SeatId, action: &Action) -> Result<Option<i64>, Rejection> {
        let mark = trial.mark();
        let drawn_before = trial.draws().len();
        let (mut sum, mut count) = (0, 0);
        for _ in 0..Self::SAMPLES {
            let result = flow::perform_legal(rules, trial, action).and_then(|()| match trial.state().outcome() {
                Some(outcome) => Ok(worth::of_outcome(outcome, seat, 1)),
                None => rules.score(trial.state(), seat).map(worth::of_points),
            });
            let has_drawn = trial.draws().len() > drawn_before;
            trial.rollback(mark);
            match result {
                Ok(worth) => {
                    sum += i64::from(worth);
                    count += 1;
                }
                // On a view something unseen may stand in the way of what is listed, or be missed by the rules.
                Err(Rejection::Fault(_)) if trial.state().may_hide() => {}
                Err(Rejection::Refused(_)) => {}
                Err(fault) => return Err(fault),
            }
            if !has_drawn {
                break;
            }
        }
        Ok((count > 0).then(|| sum / count))
    }

    /// The worth of each action that could be tried, until the budget is spent.
    fn worths(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        actions: &[Action],
        meter: &mut Meter,
    ) -> Result<Vec<(usize, i64)>, Rejection> {
        let luck = Luck::Roll(Generator::new(self.generator.next_seed()));
        let mut trial = Transaction::new(Arc::new(State::clone(state)), luck);
        let mut worths = Vec::with_capacity(actions.len());
        for (index, action) in actions.iter().enumerate() {
            if meter.tick().is_err() {
                break;
            }
            if let Some(worth) = Self::worth(rules, &mut trial, seat, action)? {
                let hint = rules.order(state, action)?.unwrap_or(0).min(0);
                worths.push((index, worth.saturating_add(hint)));
            }
        }
        Ok(worths)
    }
}

impl Player for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(
        &mut self,
        rules: &dyn Rules,
        state: &Arc<State>,
        seat: SeatId,
        budget: &Budget,
        _report: &mut dyn FnMut(&Thinking),
    ) -> Result<Choice, PlayerError> {
        let mut meter = budget.meter();
        let mut actions = flow::considered(rules, state, seat)?;
        if actions.is_empty() {
            return Err(PlayerError::no_action(state, seat));
        }
        let worths = self.worths(rules, state, seat, &actions, &mut meter)?;
        let best = worths.iter().map(|(_, worth)| *worth).max();
        let mut candidates: Vec<usize> = match best {
            Some(best) => worths.iter().filter(|(_, worth)| *worth == best).map(|(index, _)| *index).collect(),
            None => (0..actions.len()).collect(),
        };
        let chosen = candidates.swap_remove(self.generator.below(candidates.len() as u32) as usize);
        let action = actions.swap_remove(chosen);
        Ok(Choice {
            line: vec![action.clone()],
            action,
            score: best.unwrap_or(0),
            depth: u32::from(best.is_some()),
            nodes: meter.nodes(),
            elapsed: meter.elapsed(),
            instead_of: None,
            thoughts: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::fixture::{Rows, Skirmish};
    use crate::players::{PlayerSpec, Random, Verdict};
    use crate::rules::fixture::Race;

    fn greedy(rules: &dyn Rules, state: &Arc<State>, seed: u64) -> Choice {
        let seat = state.acting().first().unwrap();
        Greedy::new(seed)
            .choose(rules, state, seat, &Budget::unlimited(), &mut |_| {})
            .unwrap()
    }

    #[test]
    fn a_win_that_lies_there_is_taken() {
        let rules = Rows::new(3, 3, 3);
        let state = rules.begun("rr. bb. ...").unwrap();
        let choice = greedy(&rules, &state, 1);
        assert_eq!(
            (rules.notation(&state, &choice.action), choice.verdict()),
            ("place c1".to_owned(), Verdict::Wins(1))
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
            .choose(&rules, &state, SeatId(0), &Budget::nodes(0), &mut |_| {})
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
            let sight = crate::model::Sight::new(Some(seat), rules.visible(transaction.state(), Some(seat)).unwrap());
            let view = transaction.state().project(&sight);
            let player = &mut players[seat.index()];
            let choice = player.choose(rules, &view, seat, &Budget::unlimited(), &mut |_| {}).unwrap();
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
        transaction.state().outcome().and_then(crate::model::Outcome::sole_winner)
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
