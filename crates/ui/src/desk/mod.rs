//! What the window knows of a running match and does in it, without drawing anything: the connection, the choice of an action,
//! marks, looks, and what has to be told to the player.

mod again;
mod choosing;
mod following;
mod foresight;
mod hand;
mod insight;
mod intake;
mod marks;
mod odds;
mod past;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use self::again::Repeated;
use self::choosing::proper;
pub use self::following::{FollowWish, Following, HaltsAround};
use self::foresight::Foresight;
pub use self::hand::Said;
use self::insight::Insight;
use self::odds::Foretold;
use self::past::Past;
use boardwright_protocol::{Command, FromHost, Notice, Problem, Statistics, ThinkingReport};
use boardwright_client::{Connection, Link, LinkClosed, Locale, Mirror};
use boardwright_model::{Action, ActionId, CellId, Draw, Looks, Outcome, PieceId, SeatId, State};
use crate::board::Travels;
use crate::picking::{Offered, Picking, Question};
use crate::settings::Motion;
use crate::sound::Cue;
use crate::texts::text;
use crate::toasts::Toasts;

/// What an answer that is still to come belongs to.
#[derive(Clone, Debug)]
enum Awaited {
    Domain(Question, u64),
    Looks,
    Submit,
    Save,
    Hint,
    Statistics,
    /// Why a click fits nothing.
    Why,
    /// What an action would bring about.
    Preview,
    /// What comes of a change by hand, by its number.
    ManualEdit(usize),
    /// Odds, by the number of the asking.
    Odds(u64),
    Evaluation,
    HeatMap,
    /// Whether something can be carried out again.
    Again,
    Other,
}

/// Rules that were changed while the match ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReloadNotice {
    /// What changed.
    pub changes: Vec<String>,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
}

/// What would drop actions that were taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branch {
    /// Playing this.
    Play(Action),
    /// Going on from here, whoever is to act.
    GoOn,
}

/// A running match as a client sees it.
#[derive(Debug)]
pub struct Desk {
    connection: Connection,
    awaited: BTreeMap<u64, Awaited>,
    looks: Arc<Looks>,
    /// For which view the looks were asked for last.
    looks_of: Option<(u64, Option<SeatId>)>,
    picking: Option<Picking>,
    /// Counts choices; an answer to a question of an earlier one is dropped.
    choice: u64,
    /// The position, seat and rules the choice belongs to.
    choice_of: Option<(usize, usize, SeatId, u64)>,
    /// The cells of the last action, by how many events stood after it.
    last: BTreeMap<usize, Vec<CellId>>,
    travels: Travels,
    /// What to tell the player.
    pub toasts: Toasts,
    /// Rules that were changed, until the player has seen it.
    pub reload: Option<ReloadNotice>,
    /// The changes of rules that came into force while the match ran, oldest first.
    pub changes: Vec<ReloadNotice>,
    /// What would drop later actions, until the player says whether it may.
    pub to_confirm: Option<Branch>,
    /// The file the match was saved in by name.
    pub file: Option<PathBuf>,
    /// Whether the match is to be looked at from its beginning as soon as it is known.
    pub goes_to_beginning: bool,
    /// Whether the host is gone.
    pub is_closed: bool,
    reloads: u64,
    /// The action that was sent and not answered yet. Until then the choice belongs to a position that may be gone.
    submitting: Option<u64>,
    /// How many events stood when the newest action sent from here was carried out.
    played_to: Option<usize>,
    asks_hint: bool,
    fault: Option<Problem>,
    past: Past,
    /// How the match went, and for which length and rules that was asked last.
    statistics: Option<Arc<Statistics>>,
    statistics_of: Option<(usize, u64)>,
    /// Pieces of a cell of which a click could mean any, until the player says which.
    fan: Option<(CellId, Vec<PieceId>)>,
    /// What is known of the action that is chosen or pointed at.
    foresight: Option<Foresight>,
    /// The draws of the newest event.
    draws: Vec<Draw>,
    /// How many events stood after it.
    draws_of: usize,
    /// What is to be heard.
    cues: Vec<Cue>,
    /// How many events stood after the one that was heard last: it is told once for each view.
    heard: usize,
    /// What computer players thought last.
    thoughts: BTreeMap<SeatId, ThinkingReport>,
    /// The seat of the one that was heard of last.
    thinker: Option<SeatId>,
    /// What is carried out again and again.
    again: Option<Repeated>,
    following: Following,
    /// What was said to change the match by hand.
    said: Vec<Said>,
    foretold: Foretold,
    insight: Insight,
}

/// What the player likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// How fast pieces travel.
    pub motion: Motion,
    /// Whether an action is played as soon as nothing is left to choose.
    pub plays_at_once: bool,
}

impl Desk {
    /// Takes part in a match.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn open(link: Box<dyn Link>) -> Result<Self, LinkClosed> {
        Ok(Self {
            connection: Connection::open(link)?,
            awaited: BTreeMap::new(),
            looks: Arc::default(),
            looks_of: None,
            picking: None,
            choice: 0,
            choice_of: None,
            last: BTreeMap::new(),
            travels: Travels::default(),
            toasts: Toasts::default(),
            reload: None,
            changes: Vec::new(),
            to_confirm: None,
            file: None,
            goes_to_beginning: false,
            is_closed: false,
            reloads: 0,
            submitting: None,
            played_to: None,
            asks_hint: false,
            fault: None,
            past: Past::default(),
            statistics: None,
            statistics_of: None,
            fan: None,
            foresight: None,
            draws: Vec::new(),
            draws_of: 0,
            cues: Vec::new(),
            heard: 0,
            thoughts: BTreeMap::new(),
            thinker: None,
            again: None,
            following: Following::default(),
            said: Vec::new(),
            foretold: Foretold::default(),
            insight: Insight::default(),
        })
    }

    /// Speaks a language from now on; what is known already is asked for again.
    pub fn set_locale(&mut self, tongue: Locale) {
        match self.connection.set_locale(tongue) {
            Ok(true) => (self.looks_of, self.choice_of) = (None, None),
            Ok(false) => {}
            Err(LinkClosed) => self.is_closed = true,
        }
    }

    /// What a word of the ruleset is called in the language of the player.
    pub fn say(&self, text: &str) -> String {
        self.connection.say(text).into_owned()
    }

    /// So many pieces of a seat, in the word that the ruleset has for them.
    pub fn pieces_text(&self, count: usize) -> String {
        self.connection
            .pieces(count)
            .unwrap_or_else(|| text!("seats-pieces", count = count))
    }

    /// How the match ended.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome().map(|outcome| Outcome {
            reason: self.connection.say(&outcome.reason).into(),
            ..outcome.clone()
        })
    }

    /// What is known of the match.
    pub fn mirror(&self) -> &Mirror {
        self.connection.mirror()
    }

    /// The match as the player in front of the window sees it.
    pub fn state(&self) -> Option<&Arc<State>> {
        self.mirror().main_view()
    }

    /// How things look.
    pub fn looks(&self) -> &Arc<Looks> {
        &self.looks
    }

    /// Pieces on their way.
    pub fn travels(&self) -> &Travels {
        &self.travels
    }

    /// The choice of an action, while it is for a player at this window to act.
    pub fn picking(&self) -> Option<&Picking> {
        self.picking.as_ref()
    }

    /// The seat that may act now and is held here.
    pub fn acting_here(&self) -> Option<SeatId> {
        let mirror = self.mirror();
        let acting = self.state()?.acting();
        acting.iter().find(|seat| mirror.seats().contains(*seat))
    }

    /// What is wrong with the rules, the fault met last included.
    pub fn problems(&self) -> Vec<Problem> {
        let told = self.mirror().problems();
        let is_new = |fault: &&Problem| {
            !told
                .iter()
                .any(|known| known.file == fault.file && known.line == fault.line && known.code == fault.code)
        };
        told.iter().chain(self.fault.as_ref().filter(is_new)).cloned().collect()
    }

    /// The position at which play begins: what the rules did by themselves before it cannot be taken back.
    pub fn first(&self) -> usize {
        self.mirror()
            .history()
            .iter()
            .take_while(|entry| entry.seat.is_none() && !entry.by_hand)
            .count()
    }

    /// Whether a hint was asked for and is still thought about.
    pub fn awaits_hint(&self) -> bool {
        self.asks_hint
    }

    /// How the match went, if that is known; asked for when it is not, or not any more.
    pub fn statistics(&mut self) -> Option<&Arc<Statistics>> {
        let wanted = Some((self.mirror().length(), self.reloads));
        if self.statistics_of != wanted {
            self.statistics_of = wanted;
            let seat = self.mirror().main_viewer();
            self.request(Command::Statistics { seat }, Awaited::Statistics);
        }
        self.statistics.as_ref()
    }

    /// Sends a request whose answer only matters if it is a refusal.
    pub fn send(&mut self, command: Command) {
        self.request(command, Awaited::Other);
    }

    /// Asks for a hint.
    pub fn ask_hint(&mut self) {
        self.asks_hint = true;
        let hint = Command::Hint {
            player: None,
            milliseconds: Some(2000),
        };
        self.request(hint, Awaited::Hint);
    }

    /// Saves the match in its file, or in a new one if it has none.
    pub fn save(&mut self) {
        let file = self.file.as_ref().map(|file| file.display().to_string());
        self.request(Command::Save { file }, Awaited::Save);
    }

    /// Saves the match in a file, which is its own from now on.
    pub fn save_in(&mut self, file: PathBuf) {
        self.file = Some(file);
        self.save();
    }

    /// Sends a request and returns its id; none if the host is gone.
    fn request(&mut self, command: Command, awaited: Awaited) -> Option<u64> {
        let Ok(id) = self.connection.send(command) else {
            self.is_closed = true;
            return None;
        };
        self.awaited.insert(id, awaited);
        Some(id)
    }

    /// Takes in what arrived and asks for what is missing. Never waits. `now` is in seconds.
    pub fn pump(&mut self, now: f64, manner: Manner) {
        let mut jumped = false;
        while !self.is_closed {
            match self.connection.poll(Some(Duration::ZERO)) {
                Ok(Some(FromHost::Answer(answer))) => self.take_answer(answer, now),
                Ok(Some(FromHost::Notice(notice))) => {
                    jumped |= matches!(notice, Notice::View(_));
                    self.take_notice(notice, now, manner);
                }
                Ok(None) => break,
                Err(LinkClosed) => {
                    self.is_closed = true;
                    self.toasts.error(text!("toast-host-gone"), now);
                }
            }
        }
        self.note_state(jumped, now, manner);
        self.go_to_beginning();
        self.ask_looks();
        self.renew_choice();
        self.ask_domains();
        self.go_on_again(now);
        if manner.plays_at_once {
            self.play_if_whole();
        }
    }

    fn go_to_beginning(&mut self) {
        let mirror = self.mirror();
        if self.goes_to_beginning && mirror.length() > 0 && mirror.history().len() == mirror.length() {
            self.goes_to_beginning = false;
            self.send(Command::GoTo { position: self.first() });
        }
    }

    fn ask_looks(&mut self) {
        let Some(state) = self.state() else {
            return;
        };
        let seat = if state.may_hide() {
            self.acting_here().or_else(|| self.mirror().seats().first())
        } else {
            None
        };
        let wanted = Some((state.digest(), seat));
        if self.looks_of != wanted {
            self.looks_of = wanted;
            self.request(Command::Looks { seat }, Awaited::Looks);
        }
    }

    /// Begins a new choice when the position, the seat to act or the rules have changed.
    fn renew_choice(&mut self) {
        let wanted = self
            .acting_here()
            .map(|seat| (self.mirror().at(), self.mirror().length(), seat, self.reloads));
        if wanted == self.choice_of && wanted.is_some() == self.picking.is_some() {
            return;
        }
        self.choice += 1;
        self.fan = None;
        self.choice_of = wanted;
        self.picking = match (wanted, self.state()) {
            (Some((_, _, seat, _)), Some(state)) => Some(Picking::new(seat, offered(state))),
            _ => None,
        };
    }

    fn ask_domains(&mut self) {
        let Some(state) = self.state().cloned() else {
            return;
        };
        let Some(picking) = self.picking.as_mut() else {
            return;
        };
        picking.settle_poses(|piece, pose| proper(&state, piece, pose));
        let (seat, questions) = (picking.seat(), picking.questions());
        for question in questions {
            let command = Command::Domain {
                seat,
                action: question.action,
                picks: question.picks.to_vec(),
            };
            self.request(command, Awaited::Domain(question, self.choice));
        }
    }

    fn play_if_whole(&mut self) {
        let whole = self
            .picking
            .as_ref()
            .filter(|picking| picking.has_picked() && picking.is_settled() && !picking.may_grow());
        if let Some(action) = whole.and_then(Picking::sole) {
            self.play(action);
        }
    }

    /// What luck gave in the newest event, as far as it may be known here.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// What is to be heard since this was asked last.
    pub fn take_cues(&mut self) -> Vec<Cue> {
        std::mem::take(&mut self.cues)
    }

    /// What computer players think, or thought last.
    pub fn thoughts(&self) -> &BTreeMap<SeatId, ThinkingReport> {
        &self.thoughts
    }

    /// The computer player that was heard of last: its seat, what it thinks or thought, and whether it still does.
    pub fn thinker(&self) -> Option<(SeatId, &ThinkingReport, bool)> {
        let seat = self.thinker?;
        let now = self.mirror().thinking().get(&seat);
        Some((seat, now.or_else(|| self.thoughts.get(&seat))?, now.is_some()))
    }

    /// The name of an action for players.
    pub fn action_title(&self, action: ActionId) -> String {
        let frame = self.mirror().frame();
        frame
            .and_then(|frame| frame.action(action))
            .map_or_else(|| text!("choice-act"), |declared| declared.title.to_string())
    }
}

/// The actions that may be asked for in this phase, or that answer the open decision.
fn offered(state: &State) -> Vec<Offered> {
    let decision = state.sequence().decision().map(|decision| decision.action);
    let phase = state.sequence().phase;
    let fits = |action: ActionId| {
        let declared = state.frame().action(action);
        declared.is_some_and(|declared| match decision {
            Some(asked) => asked == action,
            None => !declared.answers_decision && (declared.phases.is_empty() || declared.phases.contains(&phase)),
        })
    };
    let all = state.frame().action_ids();
    all.filter(|(action, _)| fits(*action))
        .map(|(action, declared)| Offered {
            action,
            picks: declared.picks.len(),
        })
        .collect()
}
