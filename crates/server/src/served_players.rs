//! Computer players of matches that a server runs for others: whoever reaches the server may seat them, so what they take is bounded.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::setup::MakePlayer;
use boardwright_model::{SeatId, State};
use boardwright_players::{Budget, Choice, Decision, Interrupt, Player, PlayerContext, PlayerError, Thinking};
use boardwright_rules::Rules;

/// The longest that a player thinks about a choice: as long as the highest level does by itself.
const MOST_TIME: Duration = Duration::from_secs(3);
/// The memory of one search, in megabytes (2^20 bytes).
const MEMORY_MB: usize = 16;
/// How long between two looks at the interrupt of a player that waits for its turn.
const LOOK: Duration = Duration::from_millis(10);

/// Makes the computer players of a server. Each thinks on one thread, with 16 MB for its search and at most 3 seconds for a choice, whatever limit is
/// written behind its name, and only so many of all matches think at the same time; the others wait. None is a program. Clones share the count.
#[derive(Clone, Debug)]
pub struct ServedPlayers(Arc<Turns>);

impl ServedPlayers {
    /// Players of which so many think at the same time, at least one.
    pub fn new(most_thinking: usize) -> Self {
        Self(Arc::new(Turns {
            free: Mutex::new(most_thinking.max(1)),
            changed: Condvar::new(),
        }))
    }

    /// Makes players for a session.
    pub fn maker(&self) -> MakePlayer {
        let turns = Arc::clone(&self.0);
        Arc::new(move |spec, context| {
            let context = PlayerContext {
                threads: 1,
                memory_mb: context.memory_mb.min(MEMORY_MB),
                ..context.clone()
            };
            // This makes no player of a program, and so starts none.
            let player = spec.build_with(&context)?;
            let turns = Arc::clone(&turns);
            Ok(Box::new(ServedPlayer { player, turns }) as Box<dyn Player>)
        })
    }
}

/// How many more players may think.
#[derive(Debug)]
struct Turns {
    free: Mutex<usize>,
    changed: Condvar,
}

/// The turn of a player to think. Dropped, it is another's.
struct Turn<'a>(&'a Turns);

impl Turns {
    /// Waits for a turn; none if the player was stopped meanwhile.
    fn wait(&self, interrupt: &Interrupt) -> Option<Turn<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            if interrupt.is_stopped() {
                return None;
            }
            free = self.changed.wait_timeout(free, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.changed.notify_one();
    }
}

struct ServedPlayer {
    player: Box<dyn Player>,
    turns: Arc<Turns>,
}

impl Player for ServedPlayer {
    fn name(&self) -> String {
        self.player.name()
    }

    fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        // One that was stopped answers at once with what it finds without searching.
        let _turn = self.turns.wait(&decision.budget.interrupt);
        let budget = Budget {
            time: Some(decision.budget.time.map_or(MOST_TIME, |time| time.min(MOST_TIME))),
            ..decision.budget.clone()
        };
        self.player.choose(
            Decision {
                budget: &budget,
                ..decision
            },
            report,
        )
    }

    fn see_end(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) {
        self.player.see_end(rules, state, seat);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_plays_and_others_have_one_thread_and_little_memory() {
        let make = ServedPlayers::new(1).maker();
        let context = PlayerContext::new(7);
        for program in ["exec:true", "exec:true@5"] {
            let made = make(&program.parse().unwrap(), &context);
            assert!(
                matches!(made.map(|player| player.name()), Err(PlayerError::Unknown(_))),
                "{program}"
            );
        }
        assert_eq!(make(&"mcts:9@7000".parse().unwrap(), &context).unwrap().name(), "mcts:9@7000");
    }

    #[test]
    fn only_so_many_think_at_the_same_time_and_who_is_stopped_waits_no_longer() {
        let turns = Turns {
            free: Mutex::new(1),
            changed: Condvar::new(),
        };
        let interrupt = Interrupt::new();
        let turn = turns.wait(&interrupt);
        assert!(turn.is_some());
        let stopped = Interrupt::new();
        stopped.stop();
        assert!(turns.wait(&stopped).is_none());
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| turns.wait(&interrupt).is_some());
            drop(turn);
            assert!(waits.join().unwrap());
        });
    }
}
