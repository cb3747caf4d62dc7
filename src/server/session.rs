//! The thread that owns a match.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use super::chronicle::Chronicle;
use super::clients::{Claim, Clients, SessionCommand, SessionHandle, ToSession};
use super::computers::Computers;
use super::control::error;
use super::oracle::Oracle;
use super::setup::{About, KeepMatch, Record, ReloadRules, SaveMatch, SessionError, SessionSetup};
use crate::client::messages::{Answer, ChatLine, Command, FromHost, Notice, Problem, Reply, Request};
use crate::host::{Access, ClientId, Match};
use crate::model::{Fingerprint, Frame, SeatId, State};
use crate::players::PlayerSpec;
use crate::rules::{Fault, RulesSource, Sentence, sentence};

/// The client in whose name computer players hold their seats.
const COMPUTERS: ClientId = ClientId(0);

/// Scripts may call one another deeply.
const STACK_BYTES: usize = 16 << 20;

/// Tells whether a match has changed since it was kept.
#[derive(PartialEq, Eq)]
struct Mark {
    position: usize,
    length: usize,
    last: u64,
    players: Vec<PlayerSpec>,
}

/// A match on a thread of its own: it takes the requests of any number of clients one after the other, answers each, and tells
/// all of them what happens. Nothing a client sends and no fault of the rules ends it.
pub struct Session {
    /// The newest rules: those in force, unless events are looked back at or the newest do not fit.
    pub(super) newest: Arc<dyn RulesSource>,
    /// What was found in them that does not keep them from being used.
    pub(super) newest_problems: Vec<Problem>,
    pub(super) start: State,
    pub(super) playing: Match,
    pub(super) access: Access,
    pub(super) clients: Clients,
    pub(super) players: Vec<PlayerSpec>,
    pub(super) is_paused: bool,
    pub(super) computers: Computers,
    pub(super) chronicle: Chronicle,
    pub(super) about: About,
    pub(super) problems: Vec<Problem>,
    /// What players said to one another.
    pub(super) said: Vec<ChatLine>,
    /// What clients were told of what the rules in force are at fault with.
    pub(super) told_faults: Vec<Fault>,
    pub(super) save: Option<SaveMatch>,
    keep: Option<KeepMatch>,
    /// The match as it was kept last.
    kept: Option<Mark>,
    pub(super) reload: Option<ReloadRules>,
    pub(super) oracle: Oracle,
    /// The rules and declarations that clients know.
    pub(super) told: (Fingerprint, Arc<Frame>),
    pub(super) ends_when_left: bool,
    has_ended: bool,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({:?})", self.playing)
    }
}

impl Session {
    /// Begins a match, or takes up a saved one, on a thread of its own. Returns when it has begun.
    ///
    /// # Errors
    /// If the rules do not work on the board, the journal does not fit, or no thread can be started.
    pub fn spawn(setup: SessionSetup) -> Result<SessionHandle, SessionError> {
        let (to, inbox) = mpsc::channel();
        let (begun, result) = mpsc::sync_channel(1);
        let sender = to.clone();
        let name = format!("match {}/{}", setup.about.ruleset, setup.about.scenario);
        let body = move || match catch_unwind(AssertUnwindSafe(|| Self::begin(setup, sender))) {
            Ok(Ok(session)) => {
                if begun.send(Ok(())).is_ok() {
                    session.run(&inbox);
                }
            }
            Ok(Err(error)) => drop(begun.send(Err(error))),
            Err(panic) => drop(begun.send(Err(SessionError::Broken(panic_text(&*panic))))),
        };
        let thread = thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(body)?;
        match result.recv() {
            Ok(Ok(())) => Ok(SessionHandle::new(to, thread)),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(SessionError::Broken("its thread is gone".to_owned())),
        }
    }

    fn begin(setup: SessionSetup, to: Sender<ToSession>) -> Result<Self, SessionError> {
        let SessionSetup {
            source,
            start,
            journal,
            earlier,
            seed,
            policy,
            mut players,
            about,
            problems,
            pace,
            is_paused,
            ends_when_left,
            save,
            keep,
            reload,
            make_player,
        } = setup;
        let playing = match journal {
            None => Match::begin(Arc::clone(&source), start.clone(), seed, policy)?,
            Some(journal) => {
                let sources: Vec<_> = earlier.into_iter().chain([Arc::clone(&source)]).collect();
                Match::resume(&sources, start.clone(), seed, policy, journal)?
            }
        };
        players.resize(start.frame().seats.len(), PlayerSpec::Human);
        let mut session = Self {
            newest: source,
            start,
            newest_problems: problems.clone(),
            told: (playing.rules().fingerprint(), Arc::clone(playing.state().frame())),
            playing,
            access: Access::default(),
            clients: Clients::default(),
            players,
            is_paused,
            computers: Computers::new(to, make_player, pace, seed),
            chronicle: Chronicle::default(),
            about,
            problems,
            said: Vec::new(),
            told_faults: Vec::new(),
            save,
            keep,
            kept: None,
            reload,
            oracle: Oracle::default(),
            ends_when_left,
            has_ended: false,
        };
        for seat in session.playing.state().frame().all_seats().iter() {
            if !session.is_human(seat) {
                session.access.seat(COMPUTERS, seat);
            }
        }
        session.write_chronicle()?;
        Ok(session)
    }

    /// Takes what comes until nobody is left.
    fn run(mut self, inbox: &Receiver<ToSession>) {
        self.guarded(Self::tend_computers);
        while !self.has_ended {
            let message = match self.computers.due() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(ToSession::Join {
                    client,
                    claim,
                    is_host,
                    deliver,
                }) => {
                    self.clients.add(client, is_host, deliver);
                    self.claim(client, claim);
                }
                Ok(ToSession::Request(client, request)) => self.take_request(client, request),
                Ok(ToSession::Leave(client)) => self.leave(client),
                Ok(ToSession::Computers) => self.guarded(Self::take_news),
                // Told below, as after everything else.
                Ok(ToSession::Followed) => {}
                Ok(ToSession::Command(SessionCommand::Reload { noticed })) => {
                    self.guarded(|session| drop(session.reload_rules(noticed, false)));
                }
                Ok(ToSession::Command(SessionCommand::Close)) | Err(RecvTimeoutError::Disconnected) => self.has_ended = true,
                Err(RecvTimeoutError::Timeout) => self.guarded(Self::act_when_due),
            }
            self.guarded(Self::tell_halt);
            self.guarded(Self::tend_computers);
            self.guarded(Self::keep_match);
        }
        self.computers.stop_all();
    }

    /// Has the match kept if it changed since it was kept last.
    fn keep_match(&mut self) {
        let Some(keep) = &mut self.keep else {
            return;
        };
        let journal = self.playing.journal();
        let mark = Mark {
            position: journal.position(),
            length: journal.events().len(),
            last: journal.events().last().map_or(0, |event| event.digest),
            players: self.players.clone(),
        };
        if self.kept.as_ref() == Some(&mark) {
            return;
        }
        self.kept = Some(mark);
        let told = keep(&Record {
            start: &self.start,
            playing: &self.playing,
            players: &self.players,
            about: &self.about,
            file: None,
        });
        if let Some(text) = told {
            self.say(text);
        }
    }

    fn take_request(&mut self, client: ClientId, request: Request) {
        let Request { id, command } = request;
        let quits = matches!(command, Command::Quit);
        let result = catch_unwind(AssertUnwindSafe(|| self.answer(client, command)));
        let reply = result.unwrap_or_else(|panic| {
            let message = panic_text(&*panic);
            self.recover();
            error(sentence!("the request broke down, nothing has changed: {message}"))
        });
        let mut faults = self.playing.rules().take_faults();
        if let Reply::Fault(answered) = &reply {
            faults.retain(|fault| fault != &**answered);
        }
        self.tell_faults(faults);
        self.tell_halt();
        self.clients.send(client, FromHost::Answer(Answer { id, reply }));
        if quits {
            self.leave(client);
        }
    }

    /// Runs something that must not end the session.
    fn guarded(&mut self, run: impl FnOnce(&mut Self)) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(self))) {
            let text = sentence!(
                "something broke down, nothing has changed: {message}",
                message = panic_text(&*panic)
            );
            self.recover();
            self.is_paused = true;
            self.say(text);
        }
    }

    /// Makes the match anew from its journal after a panic, which may have left an action half done.
    fn recover(&mut self) {
        self.computers.stop_all();
        let recovered = catch_unwind(AssertUnwindSafe(|| self.playing.recover(self.start.clone())));
        match recovered {
            Ok(Ok(playing)) => self.playing = playing,
            Ok(Err(error)) => self.say(sentence!("the match could not be taken up again: {error}")),
            Err(panic) => self.say(sentence!(
                "the match could not be taken up again: {error}",
                error = panic_text(&*panic)
            )),
        }
    }

    /// Gives a client the seats it asks for, as far as no computer and no other client has them.
    fn claim(&mut self, client: ClientId, claim: Claim) {
        let all = self.playing.state().frame().all_seats();
        let others: Vec<ClientId> = self.clients.ids();
        for seat in all.iter() {
            let asked = match claim {
                Claim::Onlooker => false,
                Claim::Seats(seats) => seats.contains(seat),
                Claim::AllPeople => true,
            };
            let is_taken = others.iter().any(|other| self.access.seats(*other).contains(seat));
            if asked && !is_taken && self.is_human(seat) {
                self.access.seat(client, seat);
            }
        }
    }

    fn leave(&mut self, client: ClientId) {
        self.access.leave(client);
        self.computers.drop_hint_of(client);
        self.drop_follower(client);
        if self.clients.remove(client) && self.clients.is_empty() && self.ends_when_left {
            self.has_ended = true;
        }
    }

    /// Where the rules in force come from.
    pub(super) fn source_in_force(&self) -> Arc<dyn RulesSource> {
        Arc::clone(self.playing.source().unwrap_or(&self.newest))
    }

    /// Whether a person plays the seat.
    pub(super) fn is_human(&self, seat: SeatId) -> bool {
        self.players.get(seat.index()).is_none_or(PlayerSpec::is_human)
    }

    /// Takes a seat from whoever holds it, for a computer player.
    pub(super) fn seat_computer(&mut self, seat: SeatId) {
        self.access.seat(COMPUTERS, seat);
    }

    /// Tells everyone something.
    pub(super) fn say(&mut self, text: Sentence) {
        self.clients.send_all(&Notice::Message { text: text.into() });
    }
}

/// What a panic said.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".to_owned())
}
