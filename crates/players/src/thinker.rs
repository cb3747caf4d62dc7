//! A player on a thread of its own.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::low_priority::lower_priority;
use super::rules_cache::RulesCache;
use super::{Budget, Choice, Decision, Interrupt, Player, PlayerError, Thinking};
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{SeatId, State};
use boardwright_rules::{Request, RequestKind, RulesSource};

/// Makes the player of a thinker, on its thread; again after a breakdown.
pub type Make = Box<dyn Fn() -> Result<Box<dyn Player>, PlayerError> + Send>;

/// Called on the thinker's thread whenever there is something to [`poll`](Thinker::poll).
pub type Wake = Box<dyn Fn() + Send>;

/// A player that thinks on a thread of its own, with rules of its own. Nothing here makes its owner wait.
///
/// Questions are answered in the order in which they were asked; a new one stops the one before. Every decision gets one
/// [`News::Chosen`] or [`News::Failed`], whatever happens to the player.
#[derive(Debug)]
pub struct Thinker {
    questions: Option<Sender<Asked>>,
    answers: Receiver<Answer>,
    thread: Option<JoinHandle<()>>,
    asked: u64,
    open: Option<Interrupt>,
}

/// What a thinker says about a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The number of the decision, as [`Thinker::ask`] gave it.
    pub decision: u64,
    /// What it says.
    pub news: News,
}

/// How far a decision has come.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The player is still thinking.
    Thinking(Thinking),
    /// The rules were found at fault while it thought, and it went on without what they were asked for.
    Faults(Vec<Diagnostic>),
    /// It has chosen.
    Chosen(Choice),
    /// It cannot choose.
    Failed(PlayerError),
}

/// A decision as it goes to the thread of the player.
#[derive(Debug)]
struct Asked {
    number: u64,
    state: Arc<State>,
    seat: SeatId,
    budget: Budget,
}

impl Thinker {
    /// How long a thinker that is dropped is waited for. One that does not end by then is left to itself.
    const PATIENCE: Duration = Duration::from_secs(1);
    /// Search goes deep, and scripts may call one another deeply.
    const STACK_BYTES: usize = 32 << 20;

    /// A thinker with a player made by `make`; `wake` is called, on the thread of the thinker, when there are answers.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn spawn(source: Arc<dyn RulesSource>, name: &str, make: Make, wake: Wake) -> Result<Self, PlayerError> {
        let (questions, asked) = mpsc::channel();
        let (given, answers) = mpsc::channel();
        let thread = thread::Builder::new()
            .name(format!("player {name}"))
            .stack_size(Self::STACK_BYTES)
            .spawn(move || {
                lower_priority();
                let mut work = Work {
                    source,
                    make,
                    wake,
                    player: None,
                    rules: RulesCache::default(),
                };
                for decision in asked {
                    work.answer(decision, &given);
                }
            })
            .map_err(|error| PlayerError::Thread(error.to_string()))?;
        Ok(Self {
            questions: Some(questions),
            answers,
            thread: Some(thread),
            asked: 0,
            open: None,
        })
    }

    /// Asks for the choice of a seat in a state, or in what the seat sees of it. Gives the number of the decision. The decision
    /// before, if it is still open, is stopped.
    pub fn ask(&mut self, state: Arc<State>, seat: SeatId, budget: Budget) -> u64 {
        self.stop();
        self.asked += 1;
        self.open = Some(budget.interrupt.clone());
        let decision = Asked {
            number: self.asked,
            state,
            seat,
            budget,
        };
        // If the thread is gone, `poll` says so.
        drop(self.questions.as_ref().map(|questions| questions.send(decision)));
        self.asked
    }

    /// Stops the open decision, if there is one: the player answers with the best it has found.
    pub fn stop(&self) {
        if let Some(interrupt) = &self.open {
            interrupt.stop();
        }
    }

    /// Lets it go without waiting for it: it stops when it notices.
    pub fn release(mut self) {
        self.thread = None;
    }

    /// Whether a decision is open.
    pub fn is_thinking(&self) -> bool {
        self.open.is_some()
    }

    /// The next answer, if there is one already.
    pub fn poll(&mut self) -> Option<Answer> {
        match self.answers.try_recv() {
            Ok(answer) => Some(self.note(answer)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => self.lost(),
        }
    }

    /// The next answer; `None` if there is none after some time.
    pub fn wait(&mut self, most: Duration) -> Option<Answer> {
        match self.answers.recv_timeout(most) {
            Ok(answer) => Some(self.note(answer)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => self.lost(),
        }
    }

    fn note(&mut self, answer: Answer) -> Answer {
        if answer.decision == self.asked && matches!(answer.news, News::Chosen(_) | News::Failed(_)) {
            self.open = None;
        }
        answer
    }

    /// The answer to an open decision when the thread is gone.
    fn lost(&mut self) -> Option<Answer> {
        self.open.take().map(|_| Answer {
            decision: self.asked,
            news: News::Failed(PlayerError::Panicked("its thread has ended".to_owned())),
        })
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
        self.questions = None;
        if self.thread.is_none() {
            return;
        }
        let begun = Instant::now();
        while let Some(left) = Self::PATIENCE.checked_sub(begun.elapsed()) {
            match self.answers.recv_timeout(left) {
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    drop(self.thread.take().map(JoinHandle::join));
                    return;
                }
            }
        }
        tracing::warn!("a player does not stop and is left behind");
    }
}

struct Work {
    source: Arc<dyn RulesSource>,
    make: Make,
    wake: Wake,
    player: Option<Box<dyn Player>>,
    rules: RulesCache,
}

impl Work {
    fn answer(&mut self, decision: Asked, answers: &Sender<Answer>) {
        let number = decision.number;
        let tell = |news| {
            // The owner may have gone.
            drop(answers.send(Answer { decision: number, news }));
        };
        let chosen = catch_unwind(AssertUnwindSafe(|| {
            self.choose(&decision, &mut |thinking, wake| {
                tell(News::Thinking(thinking.clone()));
                wake();
            })
        }));
        let faults = self.rules.take_faults();
        if !faults.is_empty() {
            tell(News::Faults(faults));
        }
        // Given back before the answer: its owner may want to change it in place.
        drop(decision);
        tell(match chosen {
            Ok(Ok(choice)) => News::Chosen(choice),
            Ok(Err(error)) => News::Failed(error),
            Err(panic) => {
                self.player = None;
                self.rules.clear();
                News::Failed(PlayerError::Panicked(panic_text(&*panic)))
            }
        });
        drop(catch_unwind(AssertUnwindSafe(|| (self.wake)())));
    }

    fn choose(&mut self, decision: &Asked, report: &mut dyn FnMut(&Thinking, &dyn Fn())) -> Result<Choice, PlayerError> {
        let state = &decision.state;
        let rules = self.rules.rules_for(&*self.source, state)?;
        let player = match &mut self.player {
            Some(player) => player,
            None => self.player.insert((self.make)()?),
        };
        let wake = &self.wake;
        let _request = Request::begin(rules, RequestKind::Search);
        player.choose(
            Decision {
                rules,
                state,
                seat: decision.seat,
                budget: &decision.budget,
            },
            &mut |thinking| {
                report(thinking, wake);
            },
        )
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a word".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::{AlphaBeta, Level, PlayerContext, PlayerSpec, WithFallback};
    use boardwright_fixtures::{Race, Rows, Skirmish};
    use boardwright_rules::{Generator, Luck, Transaction, flow};

    const LONG: Duration = Duration::from_secs(20);

    fn thinker(rules: &Skirmish, spec: &str) -> Thinker {
        let spec: PlayerSpec = spec.parse().unwrap();
        let source: Arc<dyn RulesSource> = Arc::new(rules.clone());
        let context = PlayerContext::on_all_cores(&source, 1);
        Thinker::spawn(source, "a player", Box::new(move || spec.build_with(&context)), Box::new(|| {})).unwrap()
    }

    /// The last answer to the decision asked last.
    fn last_answer(thinker: &mut Thinker) -> News {
        loop {
            let answer = thinker.wait(LONG).unwrap();
            if answer.decision == thinker.asked && matches!(answer.news, News::Chosen(_) | News::Failed(_)) {
                return answer.news;
            }
        }
    }

    #[test]
    fn it_tells_of_its_progress_and_answers() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let state = rules.full().unwrap();
        let mut thinker = thinker(&rules, "search:9");
        let number = thinker.ask(Arc::clone(&state), SeatId(0), Budget::depth(3));
        assert!(thinker.is_thinking());
        let mut depths = Vec::new();
        let choice = loop {
            let answer = thinker.wait(LONG).unwrap();
            assert_eq!(answer.decision, number);
            match answer.news {
                News::Thinking(thinking) => depths.push(thinking.depth),
                News::Chosen(choice) => break choice,
                News::Failed(error) => panic!("{error}"),
                News::Faults(faults) => panic!("{faults:?}"),
            }
        };
        assert_eq!(depths, [1, 2, 3]);
        flow::check(&rules, &state, &choice.action).unwrap();
        assert!(!thinker.is_thinking() && thinker.poll().is_none());
        assert_eq!(Arc::strong_count(&state), 1, "the state is given back");
    }

    #[test]
    fn a_stopped_question_is_answered_long_before_its_time() {
        let rules = Skirmish::new(8, 8, false).unwrap();
        let mut thinker = thinker(&rules, "search:9");
        thinker.ask(rules.full().unwrap(), SeatId(0), Budget::time(LONG));
        assert!(matches!(thinker.wait(LONG).unwrap().news, News::Thinking(_)));
        let begun = Instant::now();
        thinker.stop();
        assert!(matches!(last_answer(&mut thinker), News::Chosen(_)));
        assert!(begun.elapsed() < LONG / 2, "{:?}", begun.elapsed());
    }

    #[test]
    fn a_new_question_stops_the_one_before_and_both_are_answered() {
        let rules = Skirmish::new(8, 8, false).unwrap();
        let mut thinker = thinker(&rules, "search:9");
        let first = thinker.ask(rules.full().unwrap(), SeatId(0), Budget::time(LONG));
        let second = thinker.ask(rules.full().unwrap(), SeatId(0), Budget::depth(1));
        let mut answered = Vec::new();
        while answered.len() < 2 {
            let answer = thinker.wait(LONG).unwrap();
            if matches!(answer.news, News::Chosen(_)) {
                answered.push(answer.decision);
            }
        }
        assert_eq!(answered, [first, second]);
    }

    #[test]
    fn it_stops_thinking_when_it_is_dropped() {
        let rules = Skirmish::new(8, 8, false).unwrap();
        let mut thinker = thinker(&rules, "search:9");
        thinker.ask(rules.full().unwrap(), SeatId(0), Budget::time(LONG));
        assert!(thinker.wait(LONG).is_some());
        let begun = Instant::now();
        drop(thinker);
        assert!(begun.elapsed() < LONG / 2, "{:?}", begun.elapsed());
    }

    struct Fragile(u32);

    impl Player for Fragile {
        fn name(&self) -> String {
            "fragile".to_owned()
        }

        fn choose(&mut self, decision: Decision<'_>, report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
            assert!(self.0 > 0, "too hard for me");
            super::super::Random::new(1).choose(decision, report)
        }
    }

    #[test]
    fn a_player_that_breaks_down_is_an_error_and_is_made_again() {
        let made = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&made);
        let make = move || Ok(Box::new(Fragile(count.fetch_add(1, Ordering::Relaxed))) as Box<dyn Player>);
        let woken = Arc::new(AtomicU32::new(0));
        let wakes = Arc::clone(&woken);
        let wake = move || {
            wakes.fetch_add(1, Ordering::Relaxed);
        };
        let rules = Rows::new(3, 3, 3);
        let mut thinker = Thinker::spawn(Arc::new(rules.clone()), "fragile", Box::new(make), Box::new(wake)).unwrap();
        let state = rules.begun("").unwrap();
        thinker.ask(Arc::clone(&state), SeatId(0), Budget::unlimited());
        assert_eq!(
            last_answer(&mut thinker),
            News::Failed(PlayerError::Panicked("too hard for me".to_owned()))
        );
        thinker.ask(state, SeatId(0), Budget::unlimited());
        assert!(matches!(last_answer(&mut thinker), News::Chosen(_)));
        drop(thinker);
        assert_eq!((made.load(Ordering::Relaxed), woken.load(Ordering::Relaxed)), (2, 2));
    }

    #[test]
    fn where_a_player_can_not_play_a_simpler_one_does_and_says_why() {
        let rules = Race::default();
        let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(1)));
        flow::begin(&rules, &mut transaction).unwrap();
        let make = || {
            let player = Box::new(AlphaBeta::new(Level::default(), 1));
            Ok(Box::new(WithFallback::new(player, 1)) as Box<dyn Player>)
        };
        let mut thinker = Thinker::spawn(Arc::new(rules), "alpha-beta", Box::new(make), Box::new(|| {})).unwrap();
        thinker.ask(Arc::clone(transaction.state()), SeatId(0), Budget::unlimited());
        let News::Chosen(choice) = last_answer(&mut thinker) else {
            panic!("no choice")
        };
        assert!(matches!(choice.instead_of, Some(PlayerError::Unsuitable { .. })));
    }

    #[test]
    fn a_person_can_not_be_asked() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let mut thinker = thinker(&rules, "human");
        thinker.ask(rules.full().unwrap(), SeatId(0), Budget::unlimited());
        assert_eq!(last_answer(&mut thinker), News::Failed(PlayerError::Unknown("human".to_owned())));
    }
}
