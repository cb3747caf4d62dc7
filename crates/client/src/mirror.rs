//! What a client knows of a match, known up to date by what the host sends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use super::clocks::Clocks;
use super::difference::Difference;
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Board, Declarations, SeatId, SeatSet, State, UndoPolicy};
use boardwright_protocol::{
    ChatLine, Command, Description, FromHost, History, HistoryEntry, Notice, Offer, PROTOCOL, PauseReport, Reply, SeatEvent,
    ThinkingReport, ViewSnapshot,
};

/// The view of a seat, after `at` events.
#[derive(Clone, Debug)]
struct SeatView {
    state: Arc<State>,
    at: usize,
    /// After how many events it differed from the host's: the host is asked for its own then.
    is_wrong_at: Option<usize>,
    /// Whether it knows the positions of the past, if the rules ask for them: a view that was sent whole does not.
    knows_past: bool,
}

/// The history as a viewer may read it.
#[derive(Clone, Debug, Default)]
struct Record {
    entries: Vec<HistoryEntry>,
    variations: Vec<Vec<HistoryEntry>>,
    revision: u64,
}

/// What a client knows of a match: description, the view and the history of each of its seats, players.
///
/// It sends nothing itself: [`opening`](Self::opening) and [`handle`](Self::handle) return what to ask the host. A view whose digest
/// differs from the host's is asked for again, so a mirror cannot stay wrong.
#[derive(Debug, Default)]
pub struct Mirror {
    description: Option<Arc<Description>>,
    board: Option<Arc<Board>>,
    declarations: Option<Arc<Declarations>>,
    seats: SeatSet,
    views: BTreeMap<Option<SeatId>, SeatView>,
    at: usize,
    length: usize,
    records: BTreeMap<Option<SeatId>, Record>,
    players: Vec<String>,
    is_paused: bool,
    pace: u64,
    thinking: BTreeMap<SeatId, ThinkingReport>,
    hint: Option<ThinkingReport>,
    paused_strategy: Option<PauseReport>,
    problems: Vec<Diagnostic>,
    chat: Vec<ChatLine>,
    offers: Vec<Offer>,
    is_guest: bool,
    names: Vec<Option<String>>,
    gone: SeatSet,
    substitutes: SeatSet,
    clocks: Option<Clocks>,
    resyncs: u64,
    difference: Option<Difference>,
    /// Whose view was shown at the newest event.
    newest_viewer: Option<SeatId>,
}

impl Mirror {
    /// A mirror that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What to ask first, in order.
    pub fn opening() -> Vec<Command> {
        vec![
            Command::Hello { protocol: PROTOCOL },
            Command::Describe,
            Command::Problems,
            Command::ChatLog,
        ]
    }

    /// Ruleset, scenario, map, declarations, help and pictures.
    pub fn description(&self) -> Option<&Arc<Description>> {
        self.description.as_ref()
    }

    /// Whether play may go on from any position, and variations be taken up.
    pub fn undoes_freely(&self) -> bool {
        self.description
            .as_ref()
            .is_some_and(|description| description.undo == UndoPolicy::Free)
    }

    /// The declarations.
    pub fn declarations(&self) -> Option<&Arc<Declarations>> {
        self.declarations.as_ref()
    }

    /// The board.
    pub fn board(&self) -> Option<&Arc<Board>> {
        self.board.as_ref()
    }

    /// The seats this client holds.
    pub fn seats(&self) -> SeatSet {
        self.seats
    }

    /// The view of a seat; that of spectators if the seat's view is not known here.
    pub fn view(&self, seat: Option<SeatId>) -> Option<&Arc<State>> {
        let known = self.views.get(&seat).or_else(|| self.views.get(&None));
        known.map(|known| &known.state)
    }

    /// The view to show by default: of the held seat that is to act, of any held seat, of spectators.
    pub fn main_view(&self) -> Option<&Arc<State>> {
        let first = self.views.values().next()?;
        self.view(self.main_viewer()).or(Some(&first.state))
    }

    /// Whose view [`main_view`](Self::main_view) is; none for spectators. Where undo is not free, who looks back goes on seeing the same side.
    pub fn main_viewer(&self) -> Option<SeatId> {
        let kept = self.newest_viewer.filter(|_| self.at < self.length() && !self.undoes_freely());
        kept.filter(|seat| self.views.contains_key(&Some(*seat)))
            .or_else(|| self.viewer_to_act())
    }

    fn viewer_to_act(&self) -> Option<SeatId> {
        let first = self.views.values().next()?;
        let mut held = first.state.acting().iter().filter(|seat| self.seats.contains(*seat));
        let wanted = held.next().or_else(|| self.seats.first());
        wanted.filter(|seat| self.views.contains_key(&Some(*seat)))
    }

    /// The views that are known, each with its seat; none for spectators.
    pub fn views(&self) -> impl Iterator<Item = (Option<SeatId>, &Arc<State>)> {
        self.views.iter().map(|(viewer, known)| (*viewer, &known.state))
    }

    /// The view of a seat if it is as the host has it after all events that are known here, past positions included: a question about it has the
    /// answer that the host would give.
    pub fn current_view(&self, seat: Option<SeatId>) -> Option<&Arc<State>> {
        let own = self.views.get(&seat);
        let known = own.or_else(|| self.views.get(&None).filter(|all| !all.state.may_hide()))?;
        (known.at == self.at && known.is_wrong_at.is_none() && known.knows_past).then_some(&known.state)
    }

    /// How many events are applied.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many events there are, undone ones included.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The events in readable form, undone ones included, as the seat of [`main_view`](Self::main_view) may read them.
    pub fn history(&self) -> &[HistoryEntry] {
        self.main_record().map_or(&[], |record| &record.entries)
    }

    /// The variations that leave the line, oldest first: their events, as the seat of [`main_view`](Self::main_view) may read them.
    pub fn variations(&self) -> &[Vec<HistoryEntry>] {
        self.main_record().map_or(&[], |record| &record.variations)
    }

    fn main_record(&self) -> Option<&Record> {
        self.records.get(&self.main_viewer())
    }

    /// What to ask for again once the host speaks another language.
    pub fn texts(&self) -> Vec<Command> {
        let histories = self.viewers().into_iter().map(|seat| Command::History { seat, from: 0 });
        [Command::Describe].into_iter().chain(histories).collect()
    }

    /// Who plays each seat.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Whether a person plays a seat, as far as is known.
    pub fn is_person(&self, seat: SeatId) -> bool {
        self.players.get(seat.index()).is_none_or(|player| player == "human")
    }

    /// Whether this client plays a seat: it holds it, and no computer player plays it on. Who looks back where undo is not free plays no other
    /// seats than now.
    pub fn plays(&self, seat: SeatId) -> bool {
        let looks_back = self.at < self.length() && !self.undoes_freely();
        self.seats.contains(seat) && self.is_person(seat) && (!looks_back || self.newest_viewer.is_none_or(|viewer| viewer == seat))
    }

    /// Whether computer players wait.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The least time between an action and the next one of a computer player, in milliseconds.
    pub fn pace(&self) -> u64 {
        self.pace
    }

    /// What computer players think, by seat, while they do.
    pub fn thinking(&self) -> &BTreeMap<SeatId, ThinkingReport> {
        &self.thinking
    }

    /// The newest hint for the present position.
    pub fn hint(&self) -> Option<&ThinkingReport> {
        self.hint.as_ref()
    }

    /// Where a strategy that is being debugged has paused.
    pub fn paused_strategy(&self) -> Option<&PauseReport> {
        self.paused_strategy.as_ref()
    }

    /// What is wrong with the rules.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// The chat, as far as this client may read it, the oldest line first.
    pub fn chat(&self) -> &[ChatLine] {
        &self.chat
    }

    /// The offers that are open.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// Whether others steer the match: this client may not assign players, pause it, save it or edit it.
    pub fn is_guest(&self) -> bool {
        self.is_guest
    }

    /// The name of the person at a seat, if it is known.
    pub fn name(&self, seat: SeatId) -> Option<&str> {
        self.names.get(seat.index())?.as_deref()
    }

    /// The seats of people that no client holds.
    pub fn gone(&self) -> SeatSet {
        self.gone
    }

    /// The seats of people that a computer player plays on.
    pub fn substitutes(&self) -> SeatSet {
        self.substitutes
    }

    /// The clocks, in a match that has some.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// How often a view had to be asked for again because its digest differed from the host's.
    pub fn resyncs(&self) -> u64 {
        self.resyncs
    }

    /// Where the view that was asked for again last differed from the host's.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_ref()
    }

    /// Handles what the host sent. Returns what has to be asked now.
    pub fn handle(&mut self, message: &FromHost) -> Vec<Command> {
        let commands = self.take_in(message);
        if self.at == self.length() {
            self.newest_viewer = self.viewer_to_act();
        }
        commands
    }

    fn take_in(&mut self, message: &FromHost) -> Vec<Command> {
        match message {
            FromHost::Answer(answer) => match &answer.reply {
                Reply::Description(description) => return self.handle_description(description),
                Reply::View(snapshot) => return self.handle_view(snapshot),
                Reply::Welcome { seats, guest, .. } => (self.seats, self.is_guest) = (*seats, *guest),
                Reply::History(history) => self.handle_history(history),
                Reply::Problems { problems } => self.problems.clone_from(problems),
                Reply::ChatLog { lines } => self.chat.clone_from(lines),
                // For whoever asked.
                Reply::Looks(_)
                | Reply::Domain { .. }
                | Reply::Preview(_)
                | Reply::Legal { .. }
                | Reply::Done { .. }
                | Reply::Evaluation { .. }
                | Reply::HeatMap { .. }
                | Reply::Odds { .. }
                | Reply::Edited { .. }
                | Reply::Statistics(_)
                | Reply::Saved { .. }
                | Reply::Exported { .. }
                | Reply::Refused(_)
                | Reply::Fault(_)
                | Reply::Error { .. } => {}
            },
            FromHost::Notice(notice) => return self.handle_notice(notice),
        }
        Vec::new()
    }

    fn handle_notice(&mut self, notice: &Notice) -> Vec<Command> {
        match notice {
            Notice::Event(event) => return self.handle_event(event),
            Notice::View(snapshot) => return self.handle_view(snapshot),
            Notice::Players {
                players,
                paused,
                pace,
                seats,
                names,
                gone,
                substitutes,
            } => {
                self.players.clone_from(players);
                self.names.clone_from(names);
                (self.gone, self.substitutes) = (*gone, *substitutes);
                (self.is_paused, self.pace) = (*paused, *pace);
                if self.seats != *seats {
                    self.seats = *seats;
                    let viewers = self.viewers();
                    self.views.retain(|viewer, _| viewers.contains(viewer));
                    self.records.retain(|viewer, _| viewers.contains(viewer));
                    return self.missing_views();
                }
            }
            Notice::Thinking(report) => {
                self.thinking.insert(report.seat, (**report).clone());
            }
            Notice::ThinkingEnded { seat } => {
                self.thinking.remove(seat);
            }
            Notice::Hint(report) => {
                self.thinking.remove(&report.seat);
                self.hint = Some((**report).clone());
            }
            Notice::Paused(report) => self.paused_strategy = Some((**report).clone()),
            Notice::Resumed { .. } => self.paused_strategy = None,
            Notice::Reloaded { declarations, .. } => {
                if let Some(declarations) = declarations {
                    self.declarations = Some(Arc::new((**declarations).clone()));
                }
                return vec![Command::Describe];
            }
            Notice::Problems { problems } => self.problems.clone_from(problems),
            Notice::Fault(fault) => self.problems.push(Diagnostic::clone(fault)),
            Notice::Chat(line) => self.chat.push(line.clone()),
            Notice::Offers { offers } => self.offers.clone_from(offers),
            Notice::Clocks {
                control,
                remaining,
                running,
            } => {
                self.clocks = Some(Clocks::new(*control, remaining, *running, Instant::now()));
            }
            // What was left out is asked for again.
            Notice::CutOff { .. } => {
                self.thinking.clear();
                self.paused_strategy = None;
                return [Command::Resume].into_iter().chain(Self::opening()).collect();
            }
            // Whoever holds the link answers what luck asks for.
            Notice::Reveal { .. } | Notice::Turn { .. } | Notice::Thoughts(_) | Notice::Message { .. } => {}
        }
        Vec::new()
    }

    fn handle_description(&mut self, description: &Description) -> Vec<Command> {
        if self.description.as_ref().map(|known| &known.map) != Some(&description.map) {
            self.board = match Board::from_map(&description.map) {
                Ok(board) => Some(Arc::new(board)),
                Err(faults) => {
                    tracing::warn!("a map that makes no board: {faults:?}");
                    None
                }
            };
            self.views.clear();
        }
        if self.declarations.as_deref() != Some(&description.declarations) {
            self.declarations = Some(Arc::new(description.declarations.clone()));
            self.views.clear();
        }
        // In another language the cells that were explored have other titles.
        if self.description.is_some() && description.declarations.has_shroud {
            self.views.clear();
        }
        self.description = Some(Arc::new(description.clone()));
        self.missing_views()
    }

    fn missing_views(&self) -> Vec<Command> {
        let missing = self.viewers().into_iter().filter(|viewer| !self.views.contains_key(viewer));
        missing.map(|seat| Command::View { seat }).collect()
    }

    /// The viewers whose events the host sends: the seats held, or spectators if none are held or nothing can be hidden.
    fn viewers(&self) -> Vec<Option<SeatId>> {
        let hides = match (&self.board, &self.declarations) {
            (Some(board), Some(declarations)) => State::empty(Arc::clone(board), Arc::clone(declarations), &[]).may_hide(),
            _ => false,
        };
        if hides && !self.seats.is_empty() {
            self.seats.iter().map(Some).collect()
        } else {
            vec![None]
        }
    }

    fn handle_view(&mut self, snapshot: &ViewSnapshot) -> Vec<Command> {
        let (Some(board), Some(declarations)) = (&self.board, &self.declarations) else {
            return Vec::new();
        };
        let Ok(state) = State::from_parts(Arc::clone(board), Arc::clone(declarations), &snapshot.state) else {
            tracing::warn!("a view that does not fit board and declarations");
            return Vec::new();
        };
        let wrong = self
            .views
            .get(&snapshot.seat)
            .filter(|known| known.is_wrong_at == Some(snapshot.at));
        if let Some(wrong) = wrong {
            let difference = Difference::find(snapshot.seat, snapshot.at, &wrong.state, &snapshot.state);
            tracing::warn!("{difference}");
            self.difference = Some(difference);
        }
        let known = SeatView {
            state: Arc::new(state),
            at: snapshot.at,
            is_wrong_at: None,
            knows_past: !declarations.counts_positions || snapshot.state.mark.turn <= 1,
        };
        let before = self.views.insert(snapshot.seat, known);
        self.players.clone_from(&snapshot.players);
        (self.is_paused, self.pace) = (snapshot.paused, snapshot.pace);
        self.names.clone_from(&snapshot.names);
        (self.gone, self.substitutes) = (snapshot.gone, snapshot.substitutes);
        let was_at = before.map_or(0, |known| known.at);
        let came_on = snapshot.at == snapshot.length && snapshot.at > was_at;
        let record = self.records.entry(snapshot.seat).or_default();
        let known = record.entries.len().min(snapshot.length);
        let is_other_line = snapshot.revision != record.revision;
        let from = match () {
            () if is_other_line => 0,
            () if came_on => known.min(was_at),
            () => known,
        };
        record.revision = snapshot.revision;
        record.entries.truncate(known);
        self.set_position(snapshot.at);
        self.length = snapshot.length;
        if from < snapshot.length || is_other_line {
            vec![Command::History { seat: snapshot.seat, from }]
        } else {
            Vec::new()
        }
    }

    fn set_position(&mut self, at: usize) {
        if self.at != at {
            self.thinking.clear();
            self.hint = None;
        }
        self.at = at;
    }

    fn handle_history(&mut self, history: &History) {
        let record = self.records.entry(history.seat).or_default();
        record.variations.clone_from(&history.variations);
        if let Some(first) = history.entries.first()
            && first.event <= record.entries.len()
        {
            record.entries.truncate(first.event);
            record.entries.extend(history.entries.iter().cloned());
            self.length = self.length.max(record.entries.len());
        }
    }

    fn handle_event(&mut self, event: &SeatEvent) -> Vec<Command> {
        self.set_position(event.at);
        self.length = event.at;
        let mut asks = Vec::new();
        let index = event.entry.event;
        // What was undone has become a variation, or one leaves the line later than before.
        let leaves_here = |variation: &Vec<HistoryEntry>| variation.first().is_some_and(|first| first.event == index);
        let record = self.records.entry(event.seat).or_default();
        if index < record.entries.len() || record.variations.iter().any(leaves_here) {
            asks.push(Command::History {
                seat: event.seat,
                from: index,
            });
        }
        record.entries.truncate(index);
        if index == record.entries.len() {
            record.entries.push(event.entry.clone());
        } else {
            asks.push(Command::History {
                seat: event.seat,
                from: record.entries.len(),
            });
        }
        let Some(known) = self.views.get_mut(&event.seat) else {
            asks.push(Command::View { seat: event.seat });
            return asks;
        };
        // A view asked for in between may be ahead of the event.
        if known.at >= event.at {
            return asks;
        }
        let is_next = known.at + 1 == event.at;
        let state = Arc::make_mut(&mut known.state);
        let applied = is_next && event.effects.iter().all(|effect| state.apply(effect).is_ok());
        if applied && state.position() == event.position {
            known.at = event.at;
        } else {
            known.is_wrong_at = is_next.then_some(event.at);
            self.resyncs += 1;
            asks.push(Command::View { seat: event.seat });
        }
        asks
    }
}
