//! The thread that owns a match, and the way of each request to the part that answers it.

mod agreements;
mod computers;
mod history;
mod luck;
mod reload;
mod rules_trial;
mod standing_orders;
mod time;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

pub use computers::MOST_PACE_MILLISECONDS;
use luck::AwaitingNumbers;
use reload::NewestRules;
pub(super) use rules_trial::TrialReport;
use time::ToldNews;

use self::standing_orders::StandingOrders;
use super::absences::Absences;
use super::chat::Chat;
use super::clock::Clock;
use super::debugger::DebugSession;
use super::evaluation::{check_strategy, evaluate, evaluate_cells, heat_map};
use super::failure::{Answered, Failure, ensure, error, refused};
use super::handle::{SessionHandle, ToSession};
use super::hosted_match::{HostedMatch, Update};
use super::mailbox::Mailbox;
use super::odds_cache::OddsCache;
use super::offers::Offers;
use super::player_pool::PlayerPool;
use super::problems::ProblemList;
use super::queries;
use super::roster::Roster;
use super::saving::{Beside, Saving};
use super::setup::{MatchInfo, SessionError, SessionSetup, TellSeat, TimeSource};
use super::statistics::statistics;
use super::turn_clocks::TurnClocks;
use boardwright_host::{ClientId, Match};
use boardwright_model::{Evaluation, LuckTerms, RefusalCode, SeatId, SeatSet, Sentence, State, sentence};
use boardwright_players::{DecisionBreaks, PlayerSpec};
use boardwright_protocol::{Answer, Command, FromHost, Notice, Reply, Request};
use boardwright_rules::RequestKind;

/// Scripts may call one another deeply.
pub(super) const STACK_BYTES: usize = 16 << 20;

/// A match on a thread of its own. It handles the requests of any number of clients one after the other, answers each, and
/// notifies all of them of what happens. Nothing that a client sends and no fault of the rules ends it.
pub struct Session {
    info: MatchInfo,
    game: HostedMatch,
    roster: Roster,
    clock: Clock,
    pool: PlayerPool,
    debugger: DebugSession,
    newest: NewestRules,
    problems: ProblemList,
    chat: Chat,
    offers: Offers,
    /// What the computer player of a seat found last.
    evaluations: BTreeMap<SeatId, Evaluation>,
    odds: OddsCache,
    saving: Saving,
    to: Mailbox,
    time: TimeSource,
    clocks: Option<TurnClocks>,
    absences: Absences,
    /// The seats that have forfeited in the events that are applied.
    forfeited: SeatSet,
    tell: Option<TellSeat>,
    told: ToldNews,
    standing_orders: StandingOrders,
    /// The action that waits for the numbers of its luck.
    awaiting: Option<AwaitingNumbers>,
    /// The request that is being handled.
    request: Option<(ClientId, u64)>,
    ends_when_left: bool,
    /// What its lines in the log belong to.
    span: tracing::Span,
    /// Whether whoever runs the program has halted the match.
    is_halted: bool,
    has_ended: bool,
}

impl Session {
    /// Begins a match, or resumes a saved one, on a thread of its own. Returns when it has begun.
    ///
    /// # Errors
    /// If the rules do not work on the board, the journal does not fit, or no thread can be started.
    pub fn spawn(setup: SessionSetup) -> Result<SessionHandle, SessionError> {
        let (to, inbox) = mpsc::channel();
        let mailbox = Mailbox::new(move |message| to.send(message).is_ok());
        let (handle, end) = SessionHandle::new(mailbox.clone());
        let (begun, result) = mpsc::sync_channel(1);
        let name = format!("match {}/{}", setup.info.ruleset, setup.info.scenario);
        let body = move || {
            match Self::begin(setup, mailbox) {
                Ok(session) => {
                    if begun.send(Ok(())).is_ok() {
                        session.run(&inbox);
                    }
                }
                Err(error) => drop(begun.send(Err(error))),
            }
            // Whoever waits for the end finds nobody there any more.
            drop(inbox);
            drop(end);
        };
        thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(body)?;
        match result.recv() {
            Ok(begun) => begun.map(|()| handle),
            Err(_) => Err(SessionError::Broken("its thread is gone".to_owned())),
        }
    }

    /// Begins a match, or resumes a saved one, on this thread, on which it has to stay.
    pub(super) fn begin(setup: SessionSetup, to: Mailbox) -> Result<Self, SessionError> {
        let _logged = setup.span.clone().entered();
        let begun = catch_unwind(AssertUnwindSafe(|| Self::try_begin(setup, to)));
        let mut session = begun.unwrap_or_else(|panic| Err(SessionError::Broken(panic_text(&*panic))))?;
        session.guarded(Self::find_forfeits);
        session.guarded(Self::follow_people);
        if session.clocks.is_some() {
            // Nobody may come to make it go on.
            session.follow_up();
        }
        session.guarded(Self::follow_standing_orders);
        session.guarded(Self::ask_computers);
        session.roster.deliver();
        Ok(session)
    }

    fn try_begin(setup: SessionSetup, to: Mailbox) -> Result<Self, SessionError> {
        let (source, start, seed, policy) = (Arc::clone(&setup.source), setup.start.clone(), setup.seed, setup.policy);
        let is_new = setup.journal.as_ref().is_none_or(|journal| journal.events().is_empty());
        let playing = match setup.journal {
            None => match setup.luck {
                Some(luck) => Match::begin_verifiable(source, start, seed, policy, luck)?,
                None => Match::begin(source, start, seed, policy)?,
            },
            Some(journal) => {
                let sources: Vec<_> = setup.earlier.into_iter().chain([source]).collect();
                let mut resumed = Match::resume(&sources, start, seed, policy, journal)?;
                if setup.keeps_luck_verifiable {
                    resumed.keep_luck_verifiable()?;
                }
                resumed
            }
        };
        let mut players = setup.players;
        players.resize(setup.start.declarations().seats.len(), PlayerSpec::Human);
        let (is_over, acting) = (playing.state().outcome().is_some(), playing.state().acting());
        let mut session = Self {
            roster: Roster::new(players, playing.state().declarations().all_seats(), setup.most_held),
            clock: Clock::new(setup.pace, setup.is_paused),
            pool: PlayerPool::new(to.clone(), setup.make_player, seed.fold()),
            debugger: DebugSession::new(to.clone()),
            newest: NewestRules::new(
                setup.source,
                setup.problems.clone(),
                setup.reload,
                &playing,
                setup.start.clone(),
                to.clone(),
            ),
            problems: ProblemList::new(setup.problems),
            game: HostedMatch::new(setup.start, playing)?,
            info: setup.info,
            offers: Offers::default(),
            evaluations: BTreeMap::new(),
            chat: Chat::new(setup.chat, setup.keep_chat, setup.chat_pace),
            odds: OddsCache::default(),
            saving: Saving::new(setup.save, setup.autosave, setup.export),
            to,
            time: setup.time,
            clocks: None,
            absences: Absences::new(setup.grace),
            forfeited: SeatSet::EMPTY,
            // Whoever was to act when the match was closed was told then.
            told: ToldNews::new(if is_new { SeatSet::EMPTY } else { acting }, is_over),
            tell: setup.tell,
            standing_orders: StandingOrders::Due,
            awaiting: None,
            request: None,
            ends_when_left: setup.ends_when_left,
            span: setup.span,
            is_halted: false,
            has_ended: false,
        };
        for (seat, name) in setup.names.into_iter().enumerate().filter(|(_, name)| name.is_some()) {
            session.roster.set_name(SeatId::from_index(seat), name);
        }
        session.clocks = setup.clocks.map(|clocks| {
            let seats = session.game.state().declarations().seats.len();
            TurnClocks::new(&clocks, seats, session.turn_moment(), session.now())
        });
        Ok(session)
    }

    /// Handles what comes until it is over.
    fn run(mut self, inbox: &Receiver<ToSession>) {
        while !self.is_over() {
            let message = match self.due() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(message) => self.handle(message),
                Err(RecvTimeoutError::Timeout) => self.handle_due(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// When it has something to do though nothing comes.
    pub(super) fn due(&self) -> Option<Instant> {
        if self.has_ended {
            return self.roster.due();
        }
        let awaiting = self.awaiting.as_ref().map(|awaiting| awaiting.until);
        [self.clock.due(), self.newest.due(), self.roster.due(), self.time_due(), awaiting]
            .into_iter()
            .flatten()
            .min()
    }

    /// Whether the match has ended and everything that it had to say is delivered.
    pub(super) fn is_over(&self) -> bool {
        self.has_ended && !self.roster.is_holding()
    }

    /// Does what is due.
    pub(super) fn handle_due(&mut self) {
        let _logged = self.span.clone().entered();
        if self.has_ended {
            return self.roster.deliver();
        }
        self.guarded(Self::check_time);
        self.guarded(Self::act_when_due);
        self.guarded(Self::await_no_longer);
        self.follow_up();
    }

    /// Handles a message. When the match has ended, requests are not answered any more.
    pub(super) fn handle(&mut self, message: ToSession) {
        let _logged = self.span.clone().entered();
        if self.clocks.is_some() && !self.has_ended {
            // Who acts too late has lost before.
            self.guarded(Self::check_time);
        }
        match message {
            // What waits for it is delivered below.
            ToSession::OnDisk(number) => self.roster.end_changes(number),
            ToSession::Lost => {
                self.end();
                self.roster.abandon();
            }
            _ if self.has_ended => {}
            ToSession::Join {
                client,
                claim,
                is_host,
                deliver,
            } => {
                let seats = self.game.state().declarations().all_seats();
                let losers = self.roster.join(client, claim, is_host, deliver, seats);
                self.guarded(|session| {
                    session.notify_losers(&losers);
                    session.follow_absences(Some(client));
                    session.greet(client);
                });
                if self.is_halted {
                    let text = halted_text().into();
                    self.roster.notify(client, Notice::Message { text });
                }
                self.guarded(|session| session.ask_for_numbers(client));
            }
            ToSession::Request(client, request) => self.handle_request(client, request),
            ToSession::Leave(client) => self.leave(client),
            ToSession::Seated(seat, name) => self.guarded(|session| session.handle_seated(seat, name)),
            ToSession::Halt(is_halted) => self.guarded(|session| session.handle_halt(is_halted)),
            ToSession::Delayed => self.roster.notify_at_once(&sentence!(
                "what happens in this match cannot be stored at the moment; it goes on as soon as it can"
            )),
            ToSession::PlayerNews => self.guarded(Self::handle_news),
            // Reported below, as after everything else.
            ToSession::DebuggerNews => {}
            ToSession::Reload(noticed) => {
                self.guarded(|session| drop(session.begin_trial(noticed, None)));
            }
            ToSession::Tried(report) => self.guarded(|session| session.handle_tried(*report)),
            ToSession::TrialOver => self.guarded(Self::handle_trial_over),
        }
        if self.has_ended {
            return self.roster.deliver();
        }
        self.follow_up();
    }

    /// What follows whatever was handled.
    fn follow_up(&mut self) {
        self.guarded(Self::check_trial);
        self.guarded(Self::perform_awaiting);
        self.guarded(Self::report_pause);
        self.guarded(Self::follow_people);
        if self.ends_when_left && !self.roster.has_clients() && self.clocks.is_some() && self.game.state().outcome().is_some() {
            self.autosave();
            return self.end();
        }
        self.follow_orders();
        self.guarded(Self::ask_computers);
        self.roster.deliver();
    }

    /// Saves what has happened, and carries out what standing orders call for.
    fn follow_orders(&mut self) {
        // First what has happened is counted among what is not on disk: it says whether more may happen.
        self.guarded(Self::autosave);
        self.guarded(Self::follow_standing_orders);
    }

    /// Ends the match for all who are still there. What is held back until it is on disk is still delivered.
    pub(super) fn end(&mut self) {
        if self.clocks.is_some() && !self.has_ended && self.game.state().outcome().is_none() {
            // The time that has passed since the last action.
            self.saving.forget_last();
            self.autosave();
        }
        self.has_ended = true;
        self.newest.stop_trial();
        self.release_players();
    }

    fn handle_request(&mut self, client: ClientId, Request { id, command }: Request) {
        let quits = matches!(command, Command::Quit);
        if command == Command::Reload {
            return self.handle_reload(client, id);
        }
        if changes_match(&command) && self.roster.is_far_behind() {
            let reply = error(sentence!("this cannot be stored at the moment: try again")).into();
            return self.roster.answer_at_once(client, Answer { id, reply });
        }
        if changes_match(&command) && self.is_halted && self.roster.check_host(client).is_err() {
            let reply = Reply::from(refused(RefusalCode::Policy, halted_text()));
            return self.roster.send(client, FromHost::Answer(Answer { id, reply }));
        }
        if changes_match(&command) && self.awaiting.is_some() {
            let reply = error(sentence!(
                "the numbers for the luck of an action are still being collected: try again in a moment"
            ))
            .into();
            return self.roster.send(client, FromHost::Answer(Answer { id, reply }));
        }
        self.request = Some((client, id));
        let request = self.game.playing().request(RequestKind::Whole);
        let result = catch_unwind(AssertUnwindSafe(|| self.answer(client, command)));
        let reply = result.unwrap_or_else(|panic| {
            let message = panic_text(&*panic);
            self.recover();
            Err(error(sentence!("the request broke down, nothing has changed: {message}")))
        });
        let reply = reply.unwrap_or_else(Reply::from);
        drop(request);
        // What waits for numbers is answered when they have come.
        let is_answered = self.request.take().is_some();
        // What follows from it is told before the answer.
        self.guarded(Self::follow_people);
        self.follow_orders();
        let mut faults = self.game.rules().take_faults();
        if let Reply::Fault(answered) = &reply {
            faults.retain(|fault| fault != &**answered);
        }
        self.problems.add_faults(faults, &mut self.roster);
        self.report_pause();
        if is_answered {
            self.roster.send(client, FromHost::Answer(Answer { id, reply }));
        }
        if quits {
            self.leave(client);
        }
    }

    /// Answers a request; clients are notified of everything it causes before this returns.
    fn answer(&mut self, client: ClientId, command: Command) -> Answered {
        match command {
            Command::Hello { protocol } => {
                let is_guest = self.roster.check_host(client).is_err();
                return queries::welcome(protocol, self.roster.seats_of(client), is_guest);
            }
            Command::Describe => return Ok(self.describe()),
            Command::View { seat } => {
                self.game.check_viewer(&self.roster, client, seat)?;
                return Ok(Reply::View(Box::new(self.game.snapshot(seat, &self.roster, &self.clock))));
            }
            Command::Looks { seat } => return queries::looks(self.game.rules(), &self.view_for(client, seat)?, seat),
            Command::Domain { seat, action, picks } => {
                return queries::domain(self.game.rules(), &self.view_for(client, Some(seat))?, seat, action, &picks);
            }
            Command::Preview { action } => {
                return queries::preview(self.game.rules(), &self.view_for(client, Some(action.seat))?, &action);
            }
            Command::Legal { seat } => return self.legal(client, seat),
            Command::History { seat, from } => {
                self.game.check_viewer(&self.roster, client, seat)?;
                return Ok(Reply::History(Box::new(self.game.history(seat, from))));
            }
            Command::Statistics { seat } => {
                self.game.check_viewer(&self.roster, client, seat)?;
                return statistics(&self.game, seat);
            }
            Command::Problems => {
                return Ok(Reply::Problems {
                    problems: self.problems.problems.clone(),
                });
            }
            Command::ChatLog => return Ok(self.chat.lines_for(&self.roster, client)),
            Command::Save { file, overwrite } => {
                self.roster.check_host(client)?;
                // A save holds the seed, and all that is hidden.
                if self.game.state().outcome().is_none() {
                    self.check_unrated(sentence!("this match is rated: it can be saved when it has ended"))?;
                }
                return self.saving.save(&self.game, &self.roster, &self.info, file.as_deref(), overwrite);
            }
            Command::ExportScenario { file, overwrite } => {
                self.roster.check_host(client)?;
                // A scenario holds all that is hidden.
                if self.game.state().outcome().is_none() {
                    self.check_unrated(sentence!("this match is rated: no scenario can be made of it"))?;
                }
                return self.saving.export(&self.game, &self.roster, &self.info, file.as_deref(), overwrite);
            }
            Command::Resume => self.resume(client),
            Command::Evaluate { strategy } => {
                let view = self.view_for_advice(client, &strategy)?;
                return evaluate(self.game.rules(), &view, &strategy);
            }
            Command::EvaluateCells { strategy, seat } => {
                let view = self.view_for_advice(client, &strategy)?;
                ensure(self.game.has_seat(seat), || error(sentence!("there is no such seat")))?;
                return evaluate_cells(self.game.rules(), &view, &strategy, seat);
            }
            Command::HeatMap { name, seat } => {
                let view = self.view_for(client, seat)?;
                return heat_map(self.game.rules(), &view, &name, seat);
            }
            Command::Odds { seat, action, picks } => {
                let view = self.view_for(client, Some(seat))?;
                return self.odds.odds(self.game.rules(), &view, seat, action, &picks);
            }
            Command::Edit { text } => return self.edit(client, &text),
            Command::Submit { action, at } => self.submit(client, &action, at)?,
            Command::Play { text, seat, at } => self.play(client, &text, seat, at)?,
            Command::Resign { seat } => self.resign(client, seat)?,
            Command::Offer { offer, seat } => self.offer(client, offer, seat)?,
            Command::Accept { offer } => self.accept(client, offer)?,
            Command::Decline { offer } => self.decline(client, offer)?,
            Command::Withdraw { offer } => self.withdraw(client, offer)?,
            Command::Reveal { index, numbers } => self.reveal(client, index, &numbers)?,
            Command::Undo => self.undo(client)?,
            Command::Redo => self.redo(client)?,
            Command::GoTo { position } => self.go_to(client, position)?,
            Command::Branch => self.branch(client)?,
            Command::PromoteVariation { variation } => self.promote_variation(client, variation)?,
            Command::DeleteVariation { variation } => self.delete_variation(client, variation)?,
            Command::Assign { seat, player } => self.assign(client, seat, &player)?,
            Command::Swap { a, b } => self.swap(client, a, b)?,
            Command::Pause { paused } => self.pause(client, paused)?,
            Command::Pace { milliseconds } => self.change_pace(client, milliseconds)?,
            Command::Hint { player, milliseconds } => self.hint(client, player.as_deref(), milliseconds)?,
            Command::Say { text, from, to } => self.chat.post(&self.game, &mut self.roster, client, &text, (from, to))?,
            Command::Stop => self.stop_thinking(client)?,
            Command::Watch { watched } => {
                self.check_all_seeing(client, sentence!("nobody may watch computer players think in this match"))?;
                self.pool.watch(client, watched);
            }
            Command::Attach {
                seat,
                attached,
                before,
                after,
            } => {
                self.debugger_for(client)?;
                if attached {
                    self.debugger
                        .attach(&self.game, &self.roster, client, seat, DecisionBreaks { before, after })?;
                } else {
                    self.debugger.detach(&self.game, &mut self.roster, &self.pool, seat);
                }
            }
            Command::BreakPoints { points } => self.debugger_for(client)?.set_break_points(points)?,
            Command::Watches { expressions } => self.debugger_for(client)?.set_watches(&expressions)?,
            Command::DebugPause => self.debugger_for(client)?.pause()?,
            Command::Step { kind } => self.debugger_for(client)?.step(kind)?,
            // A reload is answered when the rules were tried.
            Command::Quit | Command::Reload => {}
        }
        Ok(self.done())
    }

    fn done(&self) -> Reply {
        Reply::Done { at: self.game.position() }
    }

    fn describe(&self) -> Reply {
        let (state, playing) = (self.game.state(), self.game.playing());
        // The seed gives away all luck that is to come.
        let seed = state.outcome().is_some().then(|| playing.seed());
        let luck = playing.luck_terms().map(|terms| LuckTerms::clone(terms));
        let (policy, substitute_after) = (playing.policy(), self.absences.grace());
        self.info
            .description(playing.rules(), state.declarations(), policy, substitute_after, (seed, luck))
    }

    fn legal(&self, client: ClientId, seat: Option<SeatId>) -> Answered {
        let Some(seat) = seat.or_else(|| self.held_acting(client)) else {
            return Ok(Reply::Legal {
                at: self.game.position(),
                actions: Vec::new(),
                outcome: self.game.state().outcome().cloned(),
            });
        };
        let view = self.view_for(client, Some(seat))?;
        queries::legal(self.game.rules(), &view, seat, self.game.position())
    }

    /// The debugger, for a client that may use it.
    fn debugger_for(&mut self, client: ClientId) -> Result<&mut DebugSession, Failure> {
        self.check_all_seeing(client, sentence!("nobody may debug strategies in this match"))?;
        Ok(&mut self.debugger)
    }

    /// The view of a seat, for a client that may look through it.
    fn view_for(&self, client: ClientId, viewer: Option<SeatId>) -> Result<Arc<State>, Failure> {
        self.game.check_viewer(&self.roster, client, viewer)?;
        Ok(self.game.view_of(viewer))
    }

    /// The view on which a strategy advises a client, where advice is allowed.
    fn view_for_advice(&self, client: ClientId, strategy: &str) -> Result<Arc<State>, Failure> {
        self.check_unrated(sentence!("this match is rated: nobody helps"))?;
        check_strategy(&self.info.ruleset_info.strategies, strategy)?;
        Ok(self.game.view_of(self.roster.seats_of(client).first()))
    }

    fn held_acting(&self, client: ClientId) -> Option<SeatId> {
        let held = self.roster.seats_of(client);
        self.game.state().acting().iter().find(|seat| held.contains(*seat))
    }

    /// The seat that a client acts for: the first to act among those that it holds, or else the first of all.
    fn acting_for(&self, client: ClientId) -> Result<SeatId, Failure> {
        let seat = self.held_acting(client).or_else(|| self.game.state().acting().first());
        seat.ok_or_else(|| refused(RefusalCode::MatchOver, sentence!("the match is over")))
    }

    /// Checks that a match is not rated. `why` says what holds in those that are.
    fn check_unrated(&self, why: Sentence) -> Result<(), Failure> {
        ensure(!self.game.playing().policy().is_rated(), || refused(RefusalCode::Policy, why))
    }

    /// Checks that a client may see everything, as who edits the match does: thoughts and variables of strategies give hidden things
    /// away.
    fn check_all_seeing(&self, client: ClientId, why_not: Sentence) -> Result<(), Failure> {
        self.roster.check_host(client)?;
        ensure(self.game.playing().policy().debug, || refused(RefusalCode::Policy, why_not))
    }

    /// Has the rules tried; the answer comes when that is over.
    fn handle_reload(&mut self, client: ClientId, id: u64) {
        let begin = |session: &mut Self| {
            session.roster.check_host(client)?;
            session.begin_trial(Instant::now(), Some((client, id)))
        };
        let begun = catch_unwind(AssertUnwindSafe(|| begin(self)));
        let failed = begun.unwrap_or_else(|panic| Err(error(panic_text(&*panic)))).err();
        if let Some(failure) = failed {
            let reply = failure.into();
            self.roster.send(client, FromHost::Answer(Answer { id, reply }));
        }
    }

    fn leave(&mut self, client: ClientId) {
        for id in self.newest.take_requests_of(client) {
            let reply = error(sentence!("the rules are still being tried")).into();
            self.roster.send(client, FromHost::Answer(Answer { id, reply }));
        }
        self.pool.drop_hint_of(client);
        self.debugger.leave(client);
        self.chat.leave(client);
        let stays_open = self.clocks.is_some() && self.game.state().outcome().is_none();
        if self.roster.leave(client) && !self.roster.has_clients() && self.ends_when_left && !stays_open {
            self.end();
        }
    }

    fn report_pause(&mut self) {
        self.debugger.report(&self.game, &mut self.roster, &self.pool);
    }

    pub(super) fn autosave(&mut self) {
        let clocks = self.clocks_to_store();
        let beside = Beside {
            info: &self.info,
            clocks: clocks.as_deref(),
        };
        if let Some(message) = self.saving.autosave(&self.game, &mut self.roster, beside, &self.to) {
            self.roster.notify_message(message);
        }
    }

    /// Sends a client that was cut off what it has missed: who plays, and whole views.
    fn resume(&mut self, client: ClientId) {
        self.roster.resume(client);
        self.notify_players_to(client);
        let offers = self.offers.open().to_vec();
        self.roster.notify(client, Notice::Offers { offers });
        self.notify_clocks_to(client);
        self.notify_client(client, &Update::Views);
    }

    /// Tells a new client what stands beside the match: what is offered, and whose time runs.
    fn greet(&mut self, client: ClientId) {
        if !self.offers.open().is_empty() {
            let offers = self.offers.open().to_vec();
            self.roster.notify(client, Notice::Offers { offers });
        }
        self.notify_clocks_to(client);
    }

    /// Sends clients what they are to see of a change.
    fn notify(&mut self, update: &Update) {
        for client in self.roster.clients() {
            self.notify_client(client, update);
        }
    }

    fn notify_client(&mut self, client: ClientId, update: &Update) {
        for viewer in self.game.viewers_of(self.roster.seats_of(client)) {
            let notice = match self.game.seat_event(update, viewer) {
                Some(event) => Notice::Event(Box::new(event)),
                None => Notice::View(Box::new(self.game.snapshot(viewer, &self.roster, &self.clock))),
            };
            self.roster.notify(client, notice);
        }
    }

    /// The match has changed: what players think about is of no interest any more.
    fn interrupt(&mut self) {
        self.standing_orders = StandingOrders::Due;
        self.pool.interrupt();
        self.debugger.engine.forget();
        self.clock.restart();
    }

    fn release_players(&mut self) {
        self.interrupt();
        self.pool.release_all();
    }

    fn guarded(&mut self, run: impl FnOnce(&mut Self)) {
        let _request = self.game.playing().request(RequestKind::Whole);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(self))) {
            let message = panic_text(&*panic);
            let text = sentence!("something broke down, nothing has changed: {message}");
            self.recover();
            self.clock.is_paused = true;
            self.roster.notify_message(text);
        }
    }

    fn recover(&mut self) {
        self.release_players();
        self.awaiting = None;
        let error = match catch_unwind(AssertUnwindSafe(|| self.game.recover())) {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic_text(&*panic),
        };
        self.roster
            .notify_message(sentence!("the match could not be taken up again: {error}"));
    }
}

/// Whether a request may change what is stored of a match.
fn changes_match(command: &Command) -> bool {
    matches!(
        command,
        Command::Submit { .. }
            | Command::Play { .. }
            | Command::Edit { .. }
            | Command::Resign { .. }
            | Command::Offer { .. }
            | Command::Accept { .. }
            | Command::Undo
            | Command::Redo
            | Command::GoTo { .. }
            | Command::Branch
            | Command::PromoteVariation { .. }
            | Command::DeleteVariation { .. }
            | Command::Assign { .. }
            | Command::Swap { .. }
    )
}

/// What people are told of a match that is halted.
fn halted_text() -> Sentence {
    sentence!("whoever runs this server has paused the match")
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".to_owned())
}
