//! Computer players: they think on threads of their own, on what their seat sees.
//!
//! One question is open at a time for the seats, and one for a hint. Every question has a number; when the match goes another
//! way the number is forgotten, and an answer that still comes is dropped.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::clients::ToSession;
use super::session::{Session, panic_text};
use super::setup::MakePlayer;
use crate::client::messages::{FromHost, Notice, ThinkingReport};
use crate::host::ClientId;
use crate::model::{Action, SeatId, State};
use crate::players::{Budget, Choice, Interrupt, Level, Player, PlayerError, PlayerSpec, Thinking};
use crate::rules::{Generator, Rejection, Rules, RulesSource, flow};

/// Search goes deep.
const STACK_BYTES: usize = 32 << 20;
/// The least time between two reports of one question.
const REPORT_PACE: Duration = Duration::from_millis(100);

/// The players asked for a hint when none is named, the strongest first. The first that suits the rules answers.
pub(super) fn strongest() -> Vec<PlayerSpec> {
    vec![
        PlayerSpec::Search(Level::HIGHEST),
        PlayerSpec::MonteCarlo(Level::HIGHEST),
        PlayerSpec::Greedy,
    ]
}

/// A question to a computer player.
struct Question {
    number: u64,
    seat: SeatId,
    candidates: Vec<PlayerSpec>,
    view: Arc<State>,
    budget: Budget,
}

/// What a computer player says.
pub(super) struct Report {
    number: u64,
    player: PlayerSpec,
    said: Said,
}

enum Said {
    Progress(Thinking),
    Chosen(Result<Choice, PlayerError>),
}

/// A question that is open.
struct Open {
    number: u64,
    seat: SeatId,
    view: Arc<State>,
    interrupt: Interrupt,
    reported: Option<Instant>,
    /// The client that asked for a hint; none for a seat's own action.
    asked_by: Option<ClientId>,
}

/// The computer players of a session.
pub(super) struct Computers {
    to: Sender<ToSession>,
    make: MakePlayer,
    generator: Generator,
    pace: Duration,
    last_action: Option<Instant>,
    next: u64,
    seats: Option<Sender<Question>>,
    hints: Option<Sender<Question>>,
    thinking: Option<Open>,
    hinting: Option<Open>,
    /// An action that waits for its time.
    chosen: Option<(Instant, Action)>,
}

impl Computers {
    pub(super) fn new(to: Sender<ToSession>, make: MakePlayer, pace: Duration, seed: u64) -> Self {
        Self {
            to,
            make,
            generator: Generator::new(seed.rotate_left(32) ^ 0x5eed),
            pace,
            last_action: None,
            next: 1,
            seats: None,
            hints: None,
            thinking: None,
            hinting: None,
            chosen: None,
        }
    }

    /// Whether such a player can be made.
    pub(super) fn try_make(&mut self, spec: &PlayerSpec) -> Result<(), PlayerError> {
        (self.make)(spec, 0).map(drop)
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
        for open in [self.thinking.take(), self.hinting.take()].into_iter().flatten() {
            open.interrupt.stop();
        }
        self.chosen = None;
        self.last_action = Some(Instant::now());
    }

    /// Whoever is thinking is to answer with what it has found.
    pub(super) fn stop_thinking(&mut self) {
        for open in [&self.thinking, &self.hinting].into_iter().flatten() {
            open.interrupt.stop();
        }
        if let Some(chosen) = &mut self.chosen {
            chosen.0 = Instant::now();
        }
    }

    pub(super) fn drop_hint_of(&mut self, client: ClientId) {
        if let Some(open) = self.hinting.take_if(|open| open.asked_by == Some(client)) {
            open.interrupt.stop();
        }
    }

    /// Other rules are in force: players are made anew.
    pub(super) fn new_rules(&mut self) {
        self.interrupt();
        self.seats = None;
        self.hints = None;
    }

    pub(super) fn stop_all(&mut self) {
        self.new_rules();
    }

    fn ask(
        &mut self,
        source: &Arc<dyn RulesSource>,
        seat: SeatId,
        candidates: Vec<PlayerSpec>,
        view: Arc<State>,
        time: Option<Duration>,
        asked_by: Option<ClientId>,
    ) -> Result<(), PlayerError> {
        let number = self.next;
        self.next += 1;
        let budget = Budget {
            time,
            ..Budget::unlimited()
        };
        let open = Open {
            number,
            seat,
            view: Arc::clone(&view),
            interrupt: budget.interrupt.clone(),
            reported: None,
            asked_by,
        };
        let mut question = Question {
            number,
            seat,
            candidates,
            view,
            budget,
        };
        let slot = if asked_by.is_some() { &mut self.hints } else { &mut self.seats };
        if let Some(worker) = slot {
            match worker.send(question) {
                Ok(()) => {
                    *(if asked_by.is_some() {
                        &mut self.hinting
                    } else {
                        &mut self.thinking
                    }) = Some(open);
                    return Ok(());
                }
                Err(mpsc::SendError(returned)) => question = returned,
            }
        }
        let (worker, inbox) = mpsc::channel();
        let seed = self.generator.next_seed();
        let (to, make, source) = (self.to.clone(), Arc::clone(&self.make), Arc::clone(source));
        thread::Builder::new()
            .name("computer player".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || think(&inbox, &to, &make, &*source, seed))
            .map_err(|error| PlayerError::Thread(error.to_string()))?;
        drop(worker.send(question));
        *slot = Some(worker);
        *(if asked_by.is_some() {
            &mut self.hinting
        } else {
            &mut self.thinking
        }) = Some(open);
        Ok(())
    }

    /// Asks for a hint; one asked for before is dropped.
    pub(super) fn hint(
        &mut self,
        source: &Arc<dyn RulesSource>,
        client: ClientId,
        seat: SeatId,
        candidates: Vec<PlayerSpec>,
        view: Arc<State>,
        time: Duration,
    ) {
        if let Some(open) = self.hinting.take() {
            open.interrupt.stop();
        }
        if let Err(error) = self.ask(source, seat, candidates, view, Some(time), Some(client)) {
            tracing::warn!("hint: {error}");
        }
    }
}

/// Answers questions on its own thread until nobody can ask any more.
fn think(inbox: &Receiver<Question>, to: &Sender<ToSession>, make: &MakePlayer, source: &dyn RulesSource, seed: u64) {
    let mut generator = Generator::new(seed);
    let mut players: BTreeMap<(SeatId, String), Box<dyn Player>> = BTreeMap::new();
    let mut rules: Option<Box<dyn Rules>> = None;
    while let Ok(question) = inbox.recv() {
        let mut answer = Err(PlayerError::Unknown("nobody".to_owned()));
        let mut player = PlayerSpec::Random;
        for spec in &question.candidates {
            player = spec.clone();
            let key = (question.seat, spec.to_string());
            let mut taken = players.remove(&key);
            let thought = catch_unwind(AssertUnwindSafe(|| {
                if rules.is_none() {
                    let view = &question.view;
                    let made = source.rules(view.board(), view.frame(), view.options());
                    rules = Some(made.map_err(|fault| PlayerError::Rejected(Rejection::from(fault)))?);
                }
                let rules = rules.as_deref().ok_or_else(|| PlayerError::Unknown(spec.to_string()))?;
                let mut chooser = match taken.take() {
                    Some(chooser) => chooser,
                    None => make(spec, generator.next_seed())?,
                };
                let mut report = |thinking: &Thinking| {
                    let report = Report {
                        number: question.number,
                        player: spec.clone(),
                        said: Said::Progress(thinking.clone()),
                    };
                    drop(to.send(ToSession::Computer(report)));
                };
                let choice = chooser.choose(rules, &question.view, question.seat, &question.budget, &mut report)?;
                Ok((choice, chooser))
            }));
            answer = match thought {
                Ok(Ok((choice, chooser))) => {
                    players.insert(key, chooser);
                    Ok(choice)
                }
                Ok(Err(error)) => Err(error),
                Err(panic) => {
                    rules = None;
                    Err(PlayerError::Panicked(panic_text(&*panic)))
                }
            };
            if !matches!(answer, Err(PlayerError::Unsuitable { .. } | PlayerError::Unknown(_))) {
                break;
            }
        }
        let report = Report {
            number: question.number,
            player,
            said: Said::Chosen(answer),
        };
        if to.send(ToSession::Computer(report)).is_err() {
            return;
        }
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
        if let Err(error) = self.computers.ask(&source, seat, vec![spec.clone()], view, None, None) {
            self.replace_choice(seat, &spec, &error.to_string());
        }
    }

    /// Takes what a computer player says.
    pub(super) fn take_report(&mut self, report: Report) {
        let is = |open: &Option<Open>| open.as_ref().is_some_and(|open| open.number == report.number);
        let is_hint = is(&self.computers.hinting);
        if !is_hint && !is(&self.computers.thinking) {
            return;
        }
        match (report.said, is_hint) {
            (Said::Progress(thinking), _) => self.tell_thinking(is_hint, &report.player, &thinking),
            (Said::Chosen(result), true) => {
                let Some(open) = self.computers.hinting.take() else { return };
                self.give_hint(&open, &report.player, result);
            }
            (Said::Chosen(result), false) => {
                let Some(open) = self.computers.thinking.take() else { return };
                self.clients.send_all(&Notice::Thought { seat: open.seat });
                match result {
                    Ok(choice) => {
                        let earliest = self.computers.last_action.map(|last| last + self.computers.pace);
                        let due = earliest.unwrap_or_else(Instant::now);
                        self.computers.chosen = Some((due, choice.action));
                    }
                    Err(error) => self.replace_choice(open.seat, &report.player, &error.to_string()),
                }
            }
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
        self.say(format!(
            "{player}, who plays {title}, could not choose, and a random action is taken: {why}"
        ));
        let mut legal = match flow::legal(self.playing.rules(), self.playing.state(), seat) {
            Ok(legal) => legal,
            Err(rejection) => {
                self.say(format!("{title} can not act: {rejection}"));
                Vec::new()
            }
        };
        let at = self.playing.journal().position();
        while !legal.is_empty() {
            let index = self.computers.generator.below(legal.len().min(1 << 30) as u32) as usize;
            let action = legal.swap_remove(index);
            match self.perform(&action, at) {
                Ok(()) => return,
                Err(error) if legal.is_empty() => self.say(format!("{title} can not act: {error}")),
                Err(_) => {}
            }
        }
        self.is_paused = true;
        self.tell_players();
    }

    fn report_of(&self, open: &Open, player: &PlayerSpec, thinking: &Thinking) -> ThinkingReport {
        ThinkingReport {
            seat: open.seat,
            player: player.to_string(),
            depth: thinking.depth,
            score: thinking.score,
            nodes: thinking.nodes,
            milliseconds: thinking.elapsed.as_millis().min(u128::from(u64::MAX)) as u64,
            line: self.readable_line(&open.view, &thinking.line),
        }
    }

    /// Tells how far a computer player has come: a hint's to who asked for it, an opponent's to all, without what would give
    /// its hidden things away.
    fn tell_thinking(&mut self, is_hint: bool, player: &PlayerSpec, thinking: &Thinking) {
        let slot = if is_hint {
            &mut self.computers.hinting
        } else {
            &mut self.computers.thinking
        };
        let now = Instant::now();
        let Some(open) = slot.take_if(|open| open.reported.is_none_or(|last| now - last >= REPORT_PACE)) else {
            return;
        };
        let mut report = self.report_of(&open, player, thinking);
        if let Some(client) = open.asked_by {
            self.clients.send(client, FromHost::Notice(Notice::Thinking(Box::new(report))));
        } else {
            if self.playing.state().may_hide() {
                report.line.clear();
                report.score = 0;
            }
            self.clients.send_all(&Notice::Thinking(Box::new(report)));
        }
        let slot = if is_hint {
            &mut self.computers.hinting
        } else {
            &mut self.computers.thinking
        };
        *slot = Some(Open {
            reported: Some(now),
            ..open
        });
    }

    fn give_hint(&mut self, open: &Open, player: &PlayerSpec, result: Result<Choice, PlayerError>) {
        let Some(client) = open.asked_by else { return };
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
                Notice::Hint(Box::new(self.report_of(open, player, &thinking)))
            }
            Err(error) => Notice::Message {
                text: format!("no hint: {error}"),
            },
        };
        self.clients.send(client, FromHost::Notice(notice));
    }
}
