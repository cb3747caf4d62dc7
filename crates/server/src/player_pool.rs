//! The computer players of a session: each thinks on a thread of its own, on what its seat sees.
//!
//! One decision is open at a time for the seats, and one for a hint. When the match changes, they are forgotten and an
//! answer that still arrives is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::debugger::thought_line;
use super::handle::ToSession;
use super::hosted_match::HostedMatch;
use super::mailbox::Mailbox;
use super::queries::readable;
use super::roster::Roster;
use super::setup::MakePlayer;
use boardwright_host::ClientId;
use boardwright_model::{Action, Evaluation, SeatId, State, sentence};
use boardwright_players::{
    Answer, Budget, Choice, Debugger, Level, News, Player, PlayerContext, PlayerError, PlayerSpec, Thinker, Thinking, WithFallback,
};
use boardwright_protocol::{LegalAction, Notice, ThinkingReport, ThoughtsReport};
use boardwright_rules::{Generator, Luck, Rules, RulesSource, Transaction, flow, prior};

/// The least time between two reports of one decision.
const REPORT_PACE: Duration = Duration::from_millis(100);

/// The player asked for a hint when none is named: the one that uses priors if the rules give any.
pub(super) fn advisor(rules: &dyn Rules, view: &Arc<State>, seat: SeatId) -> PlayerSpec {
    if flow::offered(view, seat).any(|action| prior(rules, view, seat, action).is_some()) {
        PlayerSpec::MonteCarlo(Level::HIGHEST)
    } else {
        PlayerSpec::Search(Level::HIGHEST)
    }
}

/// Where a player sits: at a seat, or beside the board to give hints.
pub(super) type Place = Option<SeatId>;

struct Seated {
    spec: PlayerSpec,
    thinker: Thinker,
    decision: Option<PendingDecision>,
}

/// A decision that a player was asked.
pub(super) struct PendingDecision {
    number: u64,
    pub(super) player: PlayerSpec,
    pub(super) seat: SeatId,
    view: Arc<State>,
    reported: Option<Instant>,
    /// The client that asked for a hint; none if the seat is to act.
    pub(super) client: Option<ClientId>,
}

pub(super) struct PlayerPool {
    to: Mailbox,
    make: MakePlayer,
    generator: Generator,
    players: BTreeMap<Place, Seated>,
    /// The clients that are told what players thought.
    watchers: BTreeSet<ClientId>,
}

impl PlayerPool {
    pub(super) fn new(to: Mailbox, make: MakePlayer, seed: u64) -> Self {
        Self {
            to,
            make,
            generator: Generator::new(seed.rotate_left(32) ^ 0x5eed),
            players: BTreeMap::new(),
            watchers: BTreeSet::new(),
        }
    }

    /// Checks that such a player can be made. Strategies are those of the rules in force.
    pub(super) fn check(&self, spec: &PlayerSpec, strategies: &[String]) -> Result<(), PlayerError> {
        match spec.unlimited() {
            PlayerSpec::Strategy { name, .. } if !strategies.iter().any(|known| **known == **name) => {
                let name = spec.to_string();
                Err(match strategies {
                    [] => PlayerError::Unknown(name),
                    known => PlayerError::UnknownStrategy {
                        name,
                        strategies: known.join(", "),
                    },
                })
            }
            _ => (self.make)(spec, &PlayerContext::new(0)).map(drop),
        }
    }

    /// The luck of players that fail.
    pub(super) fn generator(&mut self) -> &mut Generator {
        &mut self.generator
    }

    /// Whether a player is thinking about the action of a seat.
    pub(super) fn is_thinking(&self) -> bool {
        let mut questions = self.players.values().filter_map(|seated| seated.decision.as_ref());
        questions.any(|decision| decision.client.is_none())
    }

    /// What the player of a seat was asked on, while it thinks.
    pub(super) fn view_for(&self, seat: SeatId) -> Option<Arc<State>> {
        let decision = self.players.get(&Some(seat))?.decision.as_ref()?;
        Some(Arc::clone(&decision.view))
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
        self.players.values_mut().for_each(|seated| seated.decision = None);
    }

    /// Whoever is thinking is to answer with what it has found.
    pub(super) fn stop(&self) {
        self.players.values().for_each(|seated| seated.thinker.stop());
    }

    /// Has the adviser answer a client with what it has found; false if the client has not asked for a hint.
    pub(super) fn stop_hint_of(&self, client: ClientId) -> bool {
        let adviser = self.players.get(&None);
        let adviser = adviser.filter(|adviser| adviser.decision.as_ref().is_some_and(|decision| decision.client == Some(client)));
        adviser.inspect(|adviser| adviser.thinker.stop()).is_some()
    }

    pub(super) fn drop_hint_of(&mut self, client: ClientId) {
        if let Some(adviser) = self.players.get_mut(&None)
            && adviser.decision.take_if(|decision| decision.client == Some(client)).is_some()
        {
            adviser.thinker.stop();
        }
    }

    /// Lets all players go; they are made again when they are asked.
    pub(super) fn release_all(&mut self) {
        self.interrupt();
        let all = std::mem::take(&mut self.players).into_values();
        all.for_each(|seated| seated.thinker.release());
    }

    /// A player on a thread of its own: the one that is there, or another in its place. With a debugger it sits at a seat, and a
    /// simpler player stands in where it cannot choose.
    fn sit_down(
        &mut self,
        place: Place,
        source: &Arc<dyn RulesSource>,
        spec: PlayerSpec,
        debugger: Option<Arc<Debugger>>,
    ) -> Result<&mut Seated, PlayerError> {
        let seated = match self.players.remove(&place) {
            Some(seated) if seated.spec == spec => seated,
            other => {
                if let Some(other) = other {
                    other.thinker.release();
                }
                self.spawn(source, spec, debugger)?
            }
        };
        Ok(self.players.entry(place).or_insert(seated))
    }

    fn spawn(&mut self, source: &Arc<dyn RulesSource>, spec: PlayerSpec, debugger: Option<Arc<Debugger>>) -> Result<Seated, PlayerError> {
        let is_at_seat = debugger.is_some();
        let context = PlayerContext {
            debugger,
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
        let wake = move || {
            to.send(ToSession::PlayerNews);
        };
        Ok(Seated {
            thinker: Thinker::spawn(Arc::clone(source), &name, Box::new(make), Box::new(wake))?,
            spec,
            decision: None,
        })
    }

    pub(super) fn ask(
        &mut self,
        source: &Arc<dyn RulesSource>,
        seat: SeatId,
        spec: PlayerSpec,
        view: Arc<State>,
        debugger: Arc<Debugger>,
    ) -> Result<(), PlayerError> {
        let budget = Budget {
            is_watched: !self.watchers.is_empty(),
            ..Budget::unlimited()
        };
        self.sit_down(Some(seat), source, spec, Some(debugger))?
            .ask(seat, view, budget, None);
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
        let budget = Budget {
            is_watched: true,
            ..Budget::time(time)
        };
        self.sit_down(None, source, spec, None)?.ask(seat, view, budget, Some(client));
        Ok(())
    }

    /// The next answer to an open decision, and where the player sits that gives it.
    pub(super) fn next_news(&mut self) -> Option<(Place, News)> {
        self.players
            .iter_mut()
            .find_map(|(place, seated)| Some((*place, seated.next_news()?)))
    }

    /// Closes a decision, which was answered. Of one about an action, tells clients that nobody thinks about it any more.
    pub(super) fn close_question(&mut self, place: Place, roster: &mut Roster) -> Option<PendingDecision> {
        let decision = self.players.get_mut(&place)?.decision.take()?;
        if decision.client.is_none() {
            roster.notify_all(&Notice::ThinkingEnded { seat: decision.seat });
        }
        Some(decision)
    }

    /// Tells the client that asked for a hint how far the player has come, or all clients, without what would give away hidden things.
    pub(super) fn report_thinking(&mut self, game: &HostedMatch, roster: &mut Roster, place: Place, thinking: &Thinking) {
        let Some(decision) = self.players.get_mut(&place).and_then(|seated| seated.decision.as_mut()) else {
            return;
        };
        if !decision.is_to_be_reported() {
            return;
        }
        let report = decision.report(game.rules(), thinking);
        if let Some(client) = decision.client {
            roster.notify(client, Notice::Thinking(Box::new(report)));
            return;
        }
        notify_all_of(report, game, roster);
    }

    /// Tells all clients what the player of a seat has found, now that it has chosen. Reports before may be of a shallower search, or were
    /// left out because they came too soon after one another.
    pub(super) fn report_choice(&self, game: &HostedMatch, roster: &mut Roster, place: Place, choice: &Choice) {
        let decision = self.players.get(&place).and_then(|seated| seated.decision.as_ref());
        if let Some(decision) = decision.filter(|decision| decision.client.is_none()) {
            notify_all_of(decision.report(game.rules(), &Thinking::of(choice)), game, roster);
        }
    }

    /// Tells watchers what a player thought on the way to its choice.
    pub(super) fn report_thoughts(&self, game: &HostedMatch, roster: &mut Roster, decision: &PendingDecision, choice: &Choice) {
        if self.watchers.is_empty() || choice.thoughts.is_empty() {
            return;
        }
        let (rules, view) = (game.rules(), &decision.view);
        let thoughts = choice
            .thoughts
            .iter()
            .map(|thought| thought_line(thought, Some(&choice.action), rules, view));
        let report = ThoughtsReport {
            seat: decision.seat,
            player: decision.player.to_string(),
            chosen: rules.notation(view, &choice.action),
            thoughts: thoughts.collect(),
        };
        for client in &self.watchers {
            roster.notify(*client, Notice::Thoughts(Box::new(report.clone())));
        }
    }
}

/// Tells all clients what a player thinks, without what would give away hidden things.
fn notify_all_of(mut report: ThinkingReport, game: &HostedMatch, roster: &mut Roster) {
    if game.state().may_hide() {
        report.line.clear();
        report.evaluation = None;
    }
    roster.notify_all(&Notice::Thinking(Box::new(report)));
}

impl Seated {
    fn ask(&mut self, seat: SeatId, view: Arc<State>, budget: Budget, client: Option<ClientId>) {
        self.decision = Some(PendingDecision {
            number: self.thinker.ask(Arc::clone(&view), seat, budget),
            player: self.spec.clone(),
            seat,
            view,
            reported: None,
            client,
        });
    }

    /// The next answer to the open decision; answers to others are dropped.
    fn next_news(&mut self) -> Option<News> {
        let wanted = self.decision.as_ref().map(|decision| decision.number);
        loop {
            let Answer { decision, news } = self.thinker.poll()?;
            if Some(decision) == wanted {
                return Some(news);
            }
        }
    }
}

/// What a client that asked for a hint is told.
pub(super) fn hint(game: &HostedMatch, decision: &PendingDecision, result: Result<Choice, PlayerError>) -> Notice {
    let choice = match result {
        Ok(choice) => choice,
        Err(error) => {
            return Notice::Message {
                text: sentence!("no hint: {error}").into(),
            };
        }
    };
    let thoughts = choice.thoughts.iter();
    let thoughts = thoughts
        .map(|thought| thought_line(thought, None, game.rules(), &decision.view))
        .collect();
    Notice::Hint(Box::new(ThinkingReport {
        thoughts,
        ..decision.report(game.rules(), &Thinking::of(&choice))
    }))
}

impl PendingDecision {
    /// Whether it is time for a report; if so, the next one is due later.
    fn is_to_be_reported(&mut self) -> bool {
        let is_time = self.reported.is_none_or(|last| last.elapsed() >= REPORT_PACE);
        if is_time {
            self.reported = Some(Instant::now());
        }
        is_time
    }

    /// An evaluation as a chance of winning, where the rules declare a `value_scale`.
    fn as_chance(&self, evaluation: Evaluation) -> Evaluation {
        let declarations = self.view.declarations();
        let seats_left = declarations
            .all_seats()
            .iter()
            .filter(|seat| !self.view.eliminated().contains(*seat))
            .count();
        match declarations.value_scale {
            Some(scale) => evaluation.as_chance(scale, seats_left),
            None => evaluation,
        }
    }

    fn report(&self, rules: &dyn Rules, thinking: &Thinking) -> ThinkingReport {
        ThinkingReport {
            seat: self.seat,
            player: self.player.to_string(),
            depth: thinking.depth,
            evaluation: thinking.evaluation.map(|evaluation| self.as_chance(evaluation)),
            nodes: thinking.nodes,
            milliseconds: thinking.elapsed.as_millis().min(u128::from(u64::MAX)) as u64,
            line: readable_line(rules, &self.view, &thinking.line),
            thoughts: Vec::new(),
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
