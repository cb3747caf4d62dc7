//! Computer players: each thinks on a thread of its own, on what its seat sees.
//!
//! One question is open at a time for the seats, and one for a hint. When the match goes another way the question is forgotten, and
//! an answer that still comes is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::clients::ToSession;
use super::session::Session;
use super::setup::MakePlayer;
use crate::client::messages::{FromHost, Notice, ThinkingReport};
use crate::host::ClientId;
use crate::model::{Action, SeatId, State};
use crate::players::{
    Answer, Budget, Choice, Follower, Level, News, Outfit, Player, PlayerError, PlayerSpec, Thinker, Thinking, WithFallback,
};
use crate::rules::{Generator, Rules, RulesSource, StandIns, flow, sentence};

/// The least time between two reports of one question.
const REPORT_PACE: Duration = Duration::from_millis(100);

/// The player asked for a hint when none is named: where the rules say which actions look promising, the one that makes use of it.
pub(super) fn adviser(rules: &dyn Rules, view: &Arc<State>, seat: SeatId) -> PlayerSpec {
    if flow::offered(view, seat).any(|action| rules.promise(view, seat, action).is_some()) {
        PlayerSpec::MonteCarlo(Level::HIGHEST)
    } else {
        PlayerSpec::Search(Level::HIGHEST)
    }
}

/// A player and its thread.
struct Seated {
    spec: PlayerSpec,
    thinker: Thinker,
}

/// A question that is open.
pub(super) struct Open {
    number: u64,
    pub(super) player: PlayerSpec,
    pub(super) seat: SeatId,
    pub(super) view: Arc<State>,
    reported: Option<Instant>,
}

/// A hint that is thought about, and who asked for it.
struct Hint {
    open: Open,
    client: ClientId,
}

/// The computer players of a session.
pub(super) struct Computers {
    to: Sender<ToSession>,
    make: MakePlayer,
    generator: Generator,
    pace: Duration,
    last_action: Option<Instant>,
    seats: BTreeMap<SeatId, Seated>,
    adviser: Option<Seated>,
    pub(super) thinking: Option<Open>,
    hinting: Option<Hint>,
    /// Who watches them think.
    pub(super) watchers: BTreeSet<ClientId>,
    /// Follows strategies line by line.
    pub(super) follower: Arc<Follower>,
    /// Who follows them.
    pub(super) followers: BTreeSet<ClientId>,
    /// The halt that those who follow were told of: its number, and whose strategy has halted.
    pub(super) told_halt: Option<(u64, SeatId)>,
    /// An action that waits for its time.
    chosen: Option<(Instant, Action)>,
}

impl Computers {
    pub(super) fn new(to: Sender<ToSession>, make: MakePlayer, pace: Duration, seed: u64) -> Self {
        let halts = to.clone();
        Self {
            follower: Arc::new(Follower::new(move || drop(halts.send(ToSession::Followed)))),
            followers: BTreeSet::new(),
            told_halt: None,
            to,
            make,
            generator: Generator::new(seed.rotate_left(32) ^ 0x5eed),
            pace,
            last_action: None,
            seats: BTreeMap::new(),
            adviser: None,
            thinking: None,
            hinting: None,
            watchers: BTreeSet::new(),
            chosen: None,
        }
    }

    /// Whether such a player can be made.
    pub(super) fn try_make(&self, spec: &PlayerSpec) -> Result<(), PlayerError> {
        (self.make)(spec, &Outfit::new(0)).map(drop)
    }

    /// The least time between an action and the next one of a computer player.
    pub(super) fn pace_milliseconds(&self) -> u64 {
        u64::try_from(self.pace.as_millis()).unwrap_or(u64::MAX)
    }

    pub(super) fn set_pace(&mut self, pace: Duration) {
        self.pace = pace;
    }

    /// When an action that waits for its time is due.
    pub(super) fn due(&self) -> Option<Instant> {
        self.chosen.as_ref().map(|chosen| chosen.0)
    }

    /// The match goes another way: what was asked is of no interest any more.
    pub(super) fn interrupt(&mut self) {
        self.stop();
        self.follower.forget();
        self.thinking = None;
        self.hinting = None;
        self.chosen = None;
        self.last_action = Some(Instant::now());
    }

    fn stop(&self) {
        let all = self.seats.values().chain(&self.adviser);
        all.for_each(|seated| seated.thinker.stop());
    }

    /// Whoever is thinking is to answer with what it has found.
    pub(super) fn stop_thinking(&mut self) {
        self.stop();
        if let Some(chosen) = &mut self.chosen {
            chosen.0 = Instant::now();
        }
    }

    pub(super) fn drop_hint_of(&mut self, client: ClientId) {
        if self.hinting.take_if(|hint| hint.client == client).is_some()
            && let Some(adviser) = &self.adviser
        {
            adviser.thinker.stop();
        }
    }

    /// Other rules are in force: players are made anew.
    pub(super) fn new_rules(&mut self) {
        self.interrupt();
        let all = std::mem::take(&mut self.seats).into_values().chain(self.adviser.take());
        all.for_each(|seated| seated.thinker.release());
    }

    pub(super) fn stop_all(&mut self) {
        self.new_rules();
    }

    /// A player on a thread of its own: the one that is there, or another that takes its place. At a seat it has others behind it that
    /// stand in where it can not choose.
    fn sit_down(
        &mut self,
        there: Option<Seated>,
        source: &Arc<dyn RulesSource>,
        spec: PlayerSpec,
        at_seat: bool,
    ) -> Result<Seated, PlayerError> {
        match there {
            Some(seated) if seated.spec == spec => return Ok(seated),
            Some(other) => other.thinker.release(),
            None => {}
        }
        let outfit = Outfit {
            follower: at_seat.then(|| Arc::clone(&self.follower)),
            ..Outfit::on_all_cores(source, self.generator.next_seed())
        };
        let (make, name, known) = (Arc::clone(&self.make), spec.to_string(), spec.clone());
        let make = move || {
            let player = make(&known, &outfit)?;
            Ok(if at_seat {
                Box::new(WithFallback::new(player, outfit.seed)) as Box<dyn Player>
            } else {
                player
            })
        };
        let to = self.to.clone();
        let wake = move || drop(to.send(ToSession::Computers));
        let thinker = Thinker::spawn_with(Arc::clone(source), &name, Box::new(make), Box::new(wake))?;
        Ok(Seated { spec, thinker })
    }

    /// Asks the player of a seat for an action.
    fn ask(&mut self, source: &Arc<dyn RulesSource>, seat: SeatId, spec: PlayerSpec, view: Arc<State>) -> Result<(), PlayerError> {
        let there = self.seats.remove(&seat);
        let seated = self.sit_down(there, source, spec, true)?;
        let seated = self.seats.entry(seat).or_insert(seated);
        let budget = Budget {
            is_watched: !self.watchers.is_empty(),
            ..Budget::unlimited()
        };
        self.thinking = Some(Open::ask(seated, seat, view, budget));
        Ok(())
    }

    /// Asks for a hint; one asked for before is dropped.
    pub(super) fn hint(
        &mut self,
        source: &Arc<dyn RulesSource>,
        client: ClientId,
        seat: SeatId,
        spec: PlayerSpec,
        view: Arc<State>,
        time: Duration,
    ) -> Result<(), PlayerError> {
        let there = self.adviser.take();
        let adviser = self.sit_down(there, source, spec, false)?;
        let open = Open::ask(self.adviser.insert(adviser), seat, view, Budget::time(time));
        self.hinting = Some(Hint { open, client });
        Ok(())
    }

    /// The next thing an adviser says of a hint that is still wanted.
    fn next_advice(&mut self) -> Option<News> {
        let (adviser, hint) = (self.adviser.as_mut()?, self.hinting.as_ref());
        next_answer(&mut adviser.thinker, hint.map(|hint| hint.open.number))
    }

    /// The next thing a player says of the action that is still wanted of it.
    fn next_news(&mut self) -> Option<News> {
        let open = self.thinking.as_ref().map(|open| (open.seat, open.number));
        let mut seats = self.seats.iter_mut();
        seats.find_map(|(seat, seated)| {
            let wanted = open.filter(|open| open.0 == *seat).map(|open| open.1);
            next_answer(&mut seated.thinker, wanted)
        })
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

impl Open {
    fn ask(player: &mut Seated, seat: SeatId, view: Arc<State>, budget: Budget) -> Self {
        Self {
            number: player.thinker.ask(Arc::clone(&view), seat, budget),
            player: player.spec.clone(),
            seat,
            view,
            reported: None,
        }
    }

    /// Whether it is time to report again; it is noted that this is done.
    fn is_to_be_reported(&mut self) -> bool {
        let now = Instant::now();
        let is_time = self.reported.is_none_or(|last| now - last >= REPORT_PACE);
        if is_time {
            self.reported = Some(now);
        }
        is_time
    }
}

impl Session {
    /// Asks the computer player that is to act, if nothing keeps it from acting. In a session that is there for its clients, nobody
    /// acts before the first of them has come: it is to see everything.
    pub(super) fn tend_computers(&mut self) {
        if self.ends_when_left && self.clients.is_empty() {
            return;
        }
        let computers = &self.computers;
        if self.is_paused || computers.thinking.is_some() || computers.chosen.is_some() || self.playing.journal().later() > 0 {
            return;
        }
        let Some(seat) = self.playing.state().acting().iter().find(|seat| !self.is_human(*seat)) else {
            return;
        };
        let Some(spec) = self.players.get(seat.index()).cloned() else {
            return;
        };
        let (view, source) = (self.view_of(Some(seat)), self.source_in_force());
        if let Err(error) = self.computers.ask(&source, seat, spec.clone(), view) {
            self.replace_choice(seat, &spec, &error.to_string());
        }
    }

    /// Takes what computer players say.
    pub(super) fn take_news(&mut self) {
        while let Some(news) = self.computers.next_advice() {
            match news {
                News::Thinking(thinking) => self.tell_hinting(&thinking),
                News::Faults(faults) => self.tell_faults(faults),
                News::Chosen(choice) => self.give_hint(Ok(choice)),
                News::Failed(error) => self.give_hint(Err(error)),
            }
        }
        while let Some(news) = self.computers.next_news() {
            match news {
                News::Thinking(thinking) => self.tell_thinking(&thinking),
                News::Faults(faults) => self.tell_faults(faults),
                News::Chosen(choice) => self.take_choice(Ok(choice)),
                News::Failed(error) => self.take_choice(Err(error)),
            }
        }
    }

    /// Takes the choice of the player whose turn it is; it is carried out when the pace allows it.
    fn take_choice(&mut self, result: Result<Choice, PlayerError>) {
        let Some(open) = self.computers.thinking.take() else { return };
        self.clients.send_all(&Notice::Thought { seat: open.seat });
        match result {
            Ok(choice) => {
                if let Some(why) = choice.instead_of {
                    let title = self.playing.state().frame().seat_title(open.seat);
                    self.say(sentence!(
                        "{player}, who plays {seat}, could not choose, and a simpler player does: {why}",
                        player = open.player,
                        seat = title
                    ));
                }
                self.tell_thoughts(&open, &choice.action, &choice.thoughts);
                let earliest = self.computers.last_action.map(|last| last + self.computers.pace);
                let due = earliest.unwrap_or_else(Instant::now);
                self.computers.chosen = Some((due, choice.action));
            }
            Err(error) => self.replace_choice(open.seat, &open.player, &error.to_string()),
        }
    }

    /// Carries out the action of a computer player whose time has come.
    pub(super) fn act_when_due(&mut self) {
        let Some((_, action)) = self.computers.chosen.take_if(|chosen| chosen.0 <= Instant::now()) else {
            return;
        };
        let at = self.playing.journal().position();
        if let Err(error) = self.perform(&action, at) {
            let player = self.players.get(action.seat.index()).cloned().unwrap_or(PlayerSpec::Random);
            self.replace_choice(action.seat, &player, &error.to_string());
        }
    }

    /// Acts at random for a player that failed, and says so. If nothing can be done at all, computer players wait.
    fn replace_choice(&mut self, seat: SeatId, player: &PlayerSpec, why: &str) {
        let title = self.playing.state().frame().seat_title(seat);
        self.say(sentence!(
            "{player}, who plays {seat}, could not choose, and a random action is taken: {why}",
            seat = title
        ));
        let at = self.playing.journal().position();
        let mut last = String::from(sentence!("there is no action to choose from"));
        let mut stand_ins = StandIns::default();
        loop {
            match stand_ins.next(self.playing.rules(), self.playing.state(), seat, &mut self.computers.generator) {
                Ok(Some(action)) => match self.perform(&action, at) {
                    Ok(()) => return,
                    Err(error) => last = error.to_string(),
                },
                Ok(None) => break,
                Err(rejection) => {
                    last = rejection.to_string();
                    break;
                }
            }
        }
        self.say(sentence!("{seat} can not act: {why}", seat = title, why = last));
        self.is_paused = true;
        self.tell_players();
    }

    fn report_of(&self, open: &Open, thinking: &Thinking) -> ThinkingReport {
        ThinkingReport {
            seat: open.seat,
            player: open.player.to_string(),
            depth: thinking.depth,
            score: thinking.score,
            nodes: thinking.nodes,
            milliseconds: thinking.elapsed.as_millis().min(u128::from(u64::MAX)) as u64,
            line: self.readable_line(&open.view, &thinking.line),
        }
    }

    /// Tells all how far an opponent has come, without what would give its hidden things away.
    fn tell_thinking(&mut self, thinking: &Thinking) {
        let Some(mut open) = self.computers.thinking.take() else { return };
        if open.is_to_be_reported() {
            let mut report = self.report_of(&open, thinking);
            if self.playing.state().may_hide() {
                report.line.clear();
                report.score = 0;
            }
            self.clients.send_all(&Notice::Thinking(Box::new(report)));
        }
        self.computers.thinking = Some(open);
    }

    /// Tells who asked for a hint how far it has come.
    fn tell_hinting(&mut self, thinking: &Thinking) {
        let Some(mut hint) = self.computers.hinting.take() else { return };
        if hint.open.is_to_be_reported() {
            let report = self.report_of(&hint.open, thinking);
            self.clients.send(hint.client, FromHost::Notice(Notice::Thinking(Box::new(report))));
        }
        self.computers.hinting = Some(hint);
    }

    fn give_hint(&mut self, result: Result<Choice, PlayerError>) {
        let Some(Hint { open, client }) = self.computers.hinting.take() else {
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
                Notice::Hint(Box::new(self.report_of(&open, &thinking)))
            }
            Err(error) => Notice::Message {
                text: sentence!("no hint: {error}").into(),
            },
        };
        self.clients.send(client, FromHost::Notice(notice));
    }
}
