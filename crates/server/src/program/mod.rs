//! Players that are programs of their own. They are started as child processes and speak the protocol.
//!
//! Between two choices nobody reads what such a program writes. When its seat is to act it is notified, and its requests are answered
//! until it has acted. A program that ends, hangs, or keeps sending illegal actions loses this one choice: for the next it is asked
//! again, and restarted if need be.

mod answerer;
mod process;

use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use answerer::Answerer;
use process::Process;

use super::failure::Failure;
use super::setup::{MakePlayer, MatchInfo};
use boardwright_model::{Action, Rejection, SeatId, Sentence, State, sentence};
use boardwright_players::{Budget, Choice, Decision, Player, PlayerError, PlayerSpec, Thinking};
use boardwright_protocol::{Answer, FromHost, Notice, Reply, Request};
use boardwright_rules::Rules;

/// A program that plays.
#[derive(Debug)]
pub struct Program {
    command: Arc<str>,
    info: Arc<MatchInfo>,
    patience: Duration,
    process: Option<Process>,
    /// How many choices it was asked for: what it is told as the position in the journal, which it cannot see.
    asked: usize,
}

/// What became of a request.
enum Outcome {
    /// It was answered.
    Answered(Reply),
    /// It is the choice.
    Acted(Action),
    /// It is an action that is not legal.
    Illegal(Rejection),
    /// The program takes its leave.
    Quit,
}

impl Program {
    /// How long a program may take for a choice where no time is set.
    pub const PATIENCE: Duration = Duration::from_secs(10);
    /// How much longer than its time it may take: it does not know when its time began.
    const GRACE: Duration = Duration::from_millis(300);
    /// So many actions that are not legal cost it the choice.
    const MOST_ILLEGAL: u32 = 3;
    /// How long between two looks at the interrupt.
    const LOOK: Duration = Duration::from_millis(10);

    /// A program, which is started when it is first asked. `command` is its path and its arguments; what belongs together although there
    /// are spaces in it stands in quotes.
    pub fn new(command: &str, info: Arc<MatchInfo>, patience: Duration) -> Self {
        Self {
            command: Arc::from(command),
            info,
            patience,
            process: None,
            asked: 0,
        }
    }

    fn failure(&self, what: Sentence) -> PlayerError {
        PlayerError::Outside {
            player: self.name(),
            what: what.into(),
        }
    }

    /// The program at work; started if it is not.
    fn running(&mut self) -> Result<&mut Process, PlayerError> {
        let running = self.process.take().and_then(|mut process| process.is_running().then_some(process));
        let start = || Process::start(&self.command).map_err(|error| self.failure(sentence!("it cannot be started: {error}")));
        let process = running.map_or_else(start, Ok)?;
        Ok(self.process.insert(process))
    }

    /// Sends the program a message. Whether it reads it is not known.
    fn send(&mut self, message: &FromHost) -> Result<(), PlayerError> {
        let sent = self.running()?.send(message);
        sent.map_err(|error| self.failure(sentence!("it does not listen: {error}")))
    }

    /// Answers what the program asks until it has acted.
    fn wait_for_action(&mut self, answerer: &Answerer<'_>, budget: &Budget) -> Result<Action, PlayerError> {
        let deadline = Instant::now() + budget.time.map_or(self.patience, |time| time + Self::GRACE);
        let mut illegal = 0;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || budget.interrupt.is_stopped() {
                // What it says later would be taken for an answer to a later decision.
                self.process = None;
                return Err(self.failure(sentence!("it did not act in time, and was ended")));
            }
            let received = match &self.process {
                Some(process) => process.requests.recv_timeout(left.min(Self::LOOK)),
                None => Err(RecvTimeoutError::Disconnected),
            };
            let Request { id, command } = match received {
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {
                    self.process = None;
                    return Err(self.failure(sentence!("it has ended")));
                }
                Ok(Ok(request)) => request,
                Ok(Err(answer)) => {
                    self.send(&FromHost::Answer(answer))?;
                    illegal += 1;
                    if illegal >= Self::MOST_ILLEGAL {
                        return Err(self.failure(sentence!("what it writes is no request")));
                    }
                    continue;
                }
            };
            let (reply, result) = match answerer.answer(command) {
                Outcome::Answered(reply) => (reply, None),
                Outcome::Acted(action) => (Reply::Done { at: self.asked + 1 }, Some(Ok(action))),
                Outcome::Illegal(why) => {
                    illegal += 1;
                    let is_enough = illegal >= Self::MOST_ILLEGAL;
                    let reply = Failure::from(why.clone()).into();
                    let why = sentence!("what it does is not legal: {why}");
                    (reply, is_enough.then(|| Err(self.failure(why))))
                }
                Outcome::Quit => (Reply::Done { at: self.asked }, Some(Err(self.failure(sentence!("it has quit"))))),
            };
            self.send(&FromHost::Answer(Answer { id, reply }))?;
            if let Some(result) = result {
                return result;
            }
        }
    }
}

/// Makes computer players of all sorts, programs among them. Programs are given the facts of the match.
pub(super) fn maker(info: MatchInfo) -> MakePlayer {
    let info = Arc::new(info);
    Arc::new(move |spec, context| match spec {
        PlayerSpec::Program(command) => Ok(Box::new(Program::new(command, Arc::clone(&info), Program::PATIENCE)) as Box<dyn Player>),
        spec => spec.build_with(context),
    })
}

impl Player for Program {
    fn name(&self) -> String {
        format!("exec:{}", self.command)
    }

    fn choose(&mut self, decision: Decision<'_>, _report: &mut dyn FnMut(&Thinking)) -> Result<Choice, PlayerError> {
        let Decision {
            rules,
            state,
            seat,
            budget,
        } = decision;
        let begun = Instant::now();
        self.asked += 1;
        let info = Arc::clone(&self.info);
        let answerer = Answerer {
            rules,
            view: state,
            seat,
            at: self.asked,
            info: &info,
        };
        let milliseconds = budget.time.map(|time| time.as_millis() as u64);
        self.send(&FromHost::Notice(answerer.view_notice()))?;
        self.send(&FromHost::Notice(Notice::Turn {
            seat,
            at: self.asked,
            milliseconds,
        }))?;
        let action = self.wait_for_action(&answerer, budget)?;
        Ok(Choice {
            elapsed: begun.elapsed(),
            ..Choice::of(action)
        })
    }

    fn see_end(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId) {
        // One that is not there any more need not know.
        if self.process.as_mut().is_some_and(Process::is_running) {
            let info = Arc::clone(&self.info);
            let answerer = Answerer {
                rules,
                view: state,
                seat,
                at: self.asked + 1,
                info: &info,
            };
            drop(self.send(&FromHost::Notice(answerer.view_notice())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_fixtures::Rows;
    use boardwright_model::{Map, Topology};
    use boardwright_players::WithFallback;
    use boardwright_rules::flow;

    /// A bot in Python that does something when it is its turn, after the common beginning.
    fn bot(turn: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot with spaces.py");
        let text = format!(
            "import json, sys, time\n\
             def ask(**request):\n    print(json.dumps({{'id': 1, **request}}), flush=True)\n    return answer()\n\
             def answer():\n    for line in sys.stdin:\n        message = json.loads(line)\n        if 'reply' in message:\n            return message\n    sys.exit()\n\
             turns = 0\n\
             for line in sys.stdin:\n    message = json.loads(line)\n    if message.get('notice') == 'turn':\n        turns += 1\n{turn}"
        );
        std::fs::write(&path, text).unwrap();
        let command = format!("python3 \"{}\"", path.display());
        (folder, command)
    }

    fn program(command: &str) -> Program {
        let topology = Topology::Square {
            width: 3,
            height: 3,
            diagonals: false,
        };
        let info = MatchInfo::of_map(Map::new("field", "The field", topology));
        Program::new(command, Arc::new(info), Duration::from_secs(20))
    }

    fn choose(player: &mut dyn Player, budget: &Budget) -> Result<Choice, PlayerError> {
        let rules = Rows::new(3, 3, 3);
        let state = rules.begun("rr. bb. ...").unwrap();
        let choice = player.choose(
            Decision {
                rules: &rules,
                state: &state,
                seat: SeatId(0),
                budget,
            },
            &mut |_| {},
        )?;
        flow::check(&rules, &state, &choice.action).unwrap();
        Ok(choice)
    }

    const PLAYS: &str = "        found = ask(do='legal')\n        ask(do='submit', at=found['at'], **{key: found['actions'][-1][key] for key in ('seat', 'action', 'picks')})\n";

    #[test]
    fn a_program_looks_and_acts_as_it_would_at_the_engine() {
        let (_folder, command) = bot(&format!(
            "        assert ask(do='hello', protocol=1)['seats'] == [0]\n        assert ask(do='describe')['map']['id'] == 'field'\n        assert ask(do='view', seat=0)['state']['mark']['seat'] == 0\n        assert ask(do='domain', seat=0, action=0, picks=[])['domain']\n        assert ask(do='undo')['reply'] == 'refused'\n{PLAYS}"
        ));
        let mut player = program(&command);
        for _ in 0..3 {
            let choice = choose(&mut player, &Budget::unlimited()).unwrap();
            assert_eq!(choice.line.len(), 1);
        }
    }

    #[test]
    fn one_that_acts_by_text_is_understood() {
        let (_folder, command) = bot("        assert ask(do='play', text='place c1')['reply'] == 'done'\n");
        let mut player = program(&command);
        let choice = choose(&mut player, &Budget::unlimited()).unwrap();
        assert_eq!(choice.action.picks.len(), 1);
    }

    #[test]
    fn one_that_hangs_is_ended_and_started_again_for_the_next_choice() {
        let (folder, command) = bot(&format!(
            "        import os\n        if not os.path.exists('{{}}'):\n            open('{{}}', 'w').close()\n            time.sleep(60)\n{PLAYS}"
        ));
        let mark = folder.path().join("has hung").display().to_string();
        let path = folder.path().join("bot with spaces.py");
        let text = std::fs::read_to_string(&path).unwrap().replace("{}", &mark);
        std::fs::write(&path, text).unwrap();
        let mut player = program(&command);
        let begun = Instant::now();
        let error = choose(&mut player, &Budget::time(Duration::from_millis(1_500))).unwrap_err();
        assert!(error.to_string().contains("did not act in time"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        choose(&mut player, &Budget::unlimited()).unwrap();
    }

    #[test]
    fn one_that_crashes_is_started_again_for_the_next_choice() {
        let (_folder, command) = bot(&format!("        if turns == 2:\n            sys.exit(3)\n{PLAYS}"));
        let mut player = program(&command);
        choose(&mut player, &Budget::unlimited()).unwrap();
        let error = choose(&mut player, &Budget::unlimited()).unwrap_err();
        assert!(error.to_string().contains("it has ended"), "{error}");
        choose(&mut player, &Budget::unlimited()).unwrap();
    }

    #[test]
    fn one_that_does_what_is_not_legal_loses_that_choice_alone() {
        let (_folder, command) = bot(&format!(
            "        if turns == 1:\n            for cell in range(3):\n                ask(do='submit', seat=0, action=0, picks=[{{'cell': 0}}], at=turns)\n            continue\n{PLAYS}"
        ));
        let mut player = program(&command);
        let error = choose(&mut player, &Budget::unlimited()).unwrap_err();
        assert!(error.to_string().contains("not legal"), "{error}");
        choose(&mut player, &Budget::unlimited()).unwrap();
    }

    #[test]
    fn an_action_for_an_earlier_choice_is_stale_and_costs_nothing() {
        let (_folder, command) = bot(&format!(
            "        answer_ = ask(do='submit', seat=0, action=0, picks=[{{'cell': 2}}], at=turns - 1)\n        assert answer_['code'] == 'stale', answer_\n{PLAYS}"
        ));
        let mut player = program(&command);
        choose(&mut player, &Budget::unlimited()).unwrap();
        choose(&mut player, &Budget::unlimited()).unwrap();
    }

    #[test]
    fn where_there_is_no_such_program_a_simpler_player_acts() {
        let mut player = WithFallback::new(Box::new(program("./there-is-no-such-program --at all")), 1);
        let choice = choose(&mut player, &Budget::unlimited()).unwrap();
        let why = choice.instead_of.unwrap().to_string();
        assert!(
            why.starts_with("exec:./there-is-no-such-program --at all: it cannot be started"),
            "{why}"
        );
    }
}
