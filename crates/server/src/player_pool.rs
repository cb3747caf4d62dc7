//! The computer players of a session: each thinks on a thread of its own, on what its seat sees.
//!
//! One question is open at a time for the seats, and one for a hint. When the match changes, the question is forgotten and an
//! answer that still arrives is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::debugger::thought_line;
use super::handle::ToSession;
use super::hosted_match::HostedMatch;
use super::queries::readable;
use super::roster::Roster;
use super::setup::MakePlayer;
use boardwright_host::ClientId;
use boardwright_model::{Action, SeatId, State, sentence};
use boardwright_players::{
    Answer, Budget, Choice, Debugger, Level, News, Player, PlayerContext, PlayerError, PlayerSpec, Thinker, Thinking, WithFallback,
};
use boardwright_protocol::{LegalAction, Notice, ThinkingReport, ThoughtsReport};
use boardwright_rules::{Generator, Luck, Rules, RulesSource, Transaction, flow, prior};

/// The least time between two reports of one question.
const REPORT_PACE: Duration = Duration::from_millis(100);

/// The player asked for a hint when none is named: the one that uses priors if the rules give any.
pub(super) fn adviser(rules: &dyn Rules, view: &Arc<State>, seat: SeatId) -> PlayerSpec {
    if flow::offered(view, seat).any(|action| prior(rules, view, seat, action).is_some()) {
        PlayerSpec::MonteCarlo(Level::HIGHEST)
    } else {
        PlayerSpec::Search(Level::HIGHEST)
    }
}

struct Seated {
    spec: PlayerSpec,
    thinker: Thinker,
}

/// A question that a player was asked.
pub(super) struct Question {
    number: u64,
    pub(super) player: PlayerSpec,
    pub(super) seat: SeatId,
    view: Arc<State>,
    reported: Option<Instant>,
}

/// A hint that is thought about, and the client that asked for it.
struct Hint {
    question: Question,
    client: ClientId,
}

pub(super) struct PlayerPool {
    to: Sender<ToSession>,
    make: MakePlayer,
    generator: Generator,
    seats: BTreeMap<SeatId, Seated>,
    adviser: Option<Seated>,
    question: Option<Question>,
    hint: Option<Hint>,
    /// The clients that are told what players thought.
    watchers: BTreeSet<ClientId>,
}

impl PlayerPool {
    pub(super) fn new(to: Sender<ToSession>, make: MakePlayer, seed: u64) -> Self {
        Self {
            to,
            make,
            generator: Generator::new(seed.rotate_left(32) ^ 0x5eed),
            seats: BTreeMap::new(),
            adviser: None,
            question: None,
            hint: None,
            watchers: BTreeSet::new(),
        }
    }

    /// Checks that such a player can be made. Strategies are those of the rules in force.
    pub(super) fn check(&self, spec: &PlayerSpec, strategies: &[String]) -> Result<(), PlayerError> {
        match spec {
            PlayerSpec::Strategy { name, .. } if !strategies.iter().any(|known| **known == **name) => {
                Err(PlayerError::Unknown(spec.to_string()))
            }
            spec => (self.make)(spec, &PlayerContext::new(0)).map(drop),
        }
    }

    /// The luck of players that fail.
    pub(super) fn generator(&mut self) -> &mut Generator {
        &mut self.generator
    }

    /// Whether a player is thinking about the action of a seat.
    pub(super) fn is_thinking(&self) -> bool {
        self.question.is_some()
    }

    /// What the player of a seat was asked on, while it thinks.
    pub(super) fn view_for(&self, seat: SeatId) -> Option<Arc<State>> {
        let question = self.question.as_ref().filter(|question| question.seat == seat);
        question.map(|question| Arc::clone(&question.view))
    }

    /// Tells a client what players thought, from now on or no longer.
    pub(super) fn watch(&mut self, client: ClientId, is_watching: bool) {
        if is_watching {
            self.watchers.insert(client);
        } else {
            self.watchers.remove(&client);
        }
    }

    /// The match has changed: what was asked is of no interest any more.
    pub(super) fn interrupt(&mut self) {
        self.stop();
        self.question = None;
        self.hint = None;
    }

    /// Whoever is thinking is to answer with what it has found.
    pub(super) fn stop(&self) {
        let all = self.seats.values().chain(&self.adviser);
        all.for_each(|seated| seated.thinker.stop());
    }

    pub(super) fn drop_hint_of(&mut self, client: ClientId) {
        if self.hint.take_if(|hint| hint.client == client).is_some()
            && let Some(adviser) = &self.adviser
        {
            adviser.thinker.stop();
        }
    }

    /// Lets all players go; they are made again when they are asked.
    pub(super) fn release_all(&mut self) {
        self.interrupt();
        let all = std::mem::take(&mut self.seats).into_values().chain(self.adviser.take());
        all.for_each(|seated| seated.thinker.release());
    }

    /// A player on a thread of its own: the one that is there, or another in its place. With a debugger it sits at a seat, and a
    /// simpler player stands in where it can not choose.
    fn sit_down(
        &mut self,
        there: Option<Seated>,
        source: &Arc<dyn RulesSource>,
        spec: PlayerSpec,
        debugger: Option<Arc<Debugger>>,
    ) -> Result<Seated, PlayerError> {
        match there {
            Some(seated) if seated.spec == spec => return Ok(seated),
            Some(other) => other.thinker.release(),
            None => {}
        }
        let is_at_seat = debugger.is_some();
        let context = PlayerContext {
            follower: debugger,
            ..PlayerContext::on_all_cores(source, self.generator.next_seed())
        };
        let (make, name, known) = (Arc::clone(&self.make), spec.to_string(), spec.clone());
        let make = move || {
            let player = make(&known, &context)?;
            Ok(if is_at_seat {
                Box::new(WithFallback::new(player, context.seed)) as Box<dyn Player>
            } else {
                player
            })
        };
        let to = self.to.clone();
        let wake = move || drop(to.send(ToSession::PlayerNews));
        let thinker = Thinker::spawn(Arc::clone(source), &name, Box::new(make), Box::new(wake))?;
        Ok(Seated { spec, thinker })
    }

    pub(super) fn ask(
        &mut self,
        source: &Arc<dyn RulesSource>,
        seat: SeatId,
        spec: PlayerSpec,
        view: Arc<State>,
        debugger: Arc<Debugger>,
    ) -> Result<(), PlayerError> {
        let there = self.seats.remove(&seat);
        let seated = self.sit_down(there, source, spec, Some(debugger))?;
        let seated = self.seats.entry(seat).or_insert(seated);
        let budget = Budget {
            is_watched: !self.watchers.is_empty(),
            ..Budget::unlimited()
        };
        self.question = Some(Question::ask(seated, seat, view, budget));
        Ok(())
    }

    /// Asks for a hint; one asked for before is dropped.
    pub(super) fn ask_hint(
        &mut self,
        source: &Arc<dyn RulesSource>,
        client: ClientId,
        seat: SeatId,
        spec: PlayerSpec,
        view: Arc<State>,
        time: Duration,
    ) -> Result<(), PlayerError> {
        let there = self.adviser.take();
        let adviser = self.sit_down(there, source, spec, None)?;
        let question = Question::ask(self.adviser.insert(adviser), seat, view, Budget::time(time));
        self.hint = Some(Hint { question, client });
        Ok(())
    }

    pub(super) fn next_hint_news(&mut self) -> Option<News> {
        let (adviser, hint) = (self.adviser.as_mut()?, self.hint.as_ref());
        next_answer(&mut adviser.thinker, hint.map(|hint| hint.question.number))
    }

    pub(super) fn next_news(&mut self) -> Option<News> {
        let question = self.question.as_ref().map(|question| (question.seat, question.number));
        let mut seats = self.seats.iter_mut();
        seats.find_map(|(seat, seated)| {
            let wanted = question.filter(|question| question.0 == *seat).map(|question| question.1);
            next_answer(&mut seated.thinker, wanted)
        })
    }

    /// Closes the open question, which was answered, and tells clients that nobody thinks about it any more.
    pub(super) fn close_question(&mut self, roster: &mut Roster) -> Option<Question> {
        let question = self.question.take()?;
        roster.notify_all(&Notice::ThinkingEnded { seat: question.seat });
        Some(question)
    }

    /// Tells all clients how far the player of a seat has come, without what would give away hidden things.
    pub(super) fn report_thinking(&mut self, game: &HostedMatch, roster: &mut Roster, thinking: &Thinking) {
        let Some(question) = &mut self.question else { return };
        if !question.is_to_be_reported() {
            return;
        }
        let mut report = question.report(game.rules(), thinking);
        if game.state().may_hide() {
            report.line.clear();
            report.score = 0;
        }
        roster.notify_all(&Notice::Thinking(Box::new(report)));
    }

    /// Tells the client that asked for a hint how far it has come.
    pub(super) fn report_hint_thinking(&mut self, game: &HostedMatch, roster: &mut Roster, thinking: &Thinking) {
        let Some(Hint { question, client }) = &mut self.hint else { return };
        if question.is_to_be_reported() {
            let report = question.report(game.rules(), thinking);
            roster.notify(*client, Notice::Thinking(Box::new(report)));
        }
    }

    pub(super) fn give_hint(&mut self, game: &HostedMatch, roster: &mut Roster, result: Result<Choice, PlayerError>) {
        let Some(Hint { question, client }) = self.hint.take() else {
            return;
        };
        let notice = match result {
            Ok(choice) => {
                let mut line = choice.line;
                if line.first() != Some(&choice.action) {
                    line = vec![choice.action];
                }
                let thinking = Thinking {
                    score: choice.score,
                    depth: choice.depth,
                    nodes: choice.nodes,
                    line,
                    elapsed: choice.elapsed,
                };
                Notice::Hint(Box::new(question.report(game.rules(), &thinking)))
            }
            Err(error) => Notice::Message {
                text: sentence!("no hint: {error}").into(),
            },
        };
        roster.notify(client, notice);
    }

    /// Tells watchers what a player thought on the way to its choice.
    pub(super) fn report_thoughts(&self, game: &HostedMatch, roster: &mut Roster, question: &Question, choice: &Choice) {
        if self.watchers.is_empty() || choice.thoughts.is_empty() {
            return;
        }
        let (rules, view) = (game.rules(), &question.view);
        let thoughts = choice.thoughts.iter();
        let thoughts = thoughts.map(|thought| thought_line((&thought.text, thought.action.as_ref(), thought.number), rules, view));
        let report = ThoughtsReport {
            seat: question.seat,
            player: question.player.to_string(),
            chosen: rules.notation(view, &choice.action),
            thoughts: thoughts.collect(),
        };
        for client in &self.watchers {
            roster.notify(*client, Notice::Thoughts(Box::new(report.clone())));
        }
    }
}

/// The next answer to a question; answers to others are dropped.
fn next_answer(thinker: &mut Thinker, wanted: Option<u64>) -> Option<News> {
    loop {
        let Answer { question, news } = thinker.poll()?;
        if Some(question) == wanted {
            return Some(news);
        }
    }
}

impl Question {
    fn ask(player: &mut Seated, seat: SeatId, view: Arc<State>, budget: Budget) -> Self {
        Self {
            number: player.thinker.ask(Arc::clone(&view), seat, budget),
            player: player.spec.clone(),
            seat,
            view,
            reported: None,
        }
    }

    /// Whether it is time for a report; if so, the next one is due later.
    fn is_to_be_reported(&mut self) -> bool {
        let now = Instant::now();
        let is_time = self.reported.is_none_or(|last| now - last >= REPORT_PACE);
        if is_time {
            self.reported = Some(now);
        }
        is_time
    }

    fn report(&self, rules: &dyn Rules, thinking: &Thinking) -> ThinkingReport {
        ThinkingReport {
            seat: self.seat,
            player: self.player.to_string(),
            depth: thinking.depth,
            score: thinking.score,
            nodes: thinking.nodes,
            milliseconds: thinking.elapsed.as_millis().min(u128::from(u64::MAX)) as u64,
            line: readable_line(rules, &self.view, &thinking.line),
        }
    }
}

/// Actions that follow one another in readable form, as far as they can be carried out without luck.
fn readable_line(rules: &dyn Rules, view: &Arc<State>, actions: &[Action]) -> Vec<LegalAction> {
    let mut transaction = Transaction::new(Arc::clone(view), Luck::Forbidden);
    let mut line = Vec::with_capacity(actions.len());
    for action in actions {
        line.push(readable(rules, transaction.state(), action.clone()));
        if flow::perform(rules, &mut transaction, action).is_err() {
            break;
        }
    }
    line
}
