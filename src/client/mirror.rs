//! What a client knows of a match, kept up to date by what the host sends.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::messages::{
    ChatLine, Command, Description, FromHost, HaltReport, History, HistoryEntry, Notice, PROTOCOL, Problem, Reply, SeatEvent,
    ThinkingReport, ViewSnapshot,
};
use crate::model::{Board, Frame, Map, SeatId, SeatSet, State};

/// A view and how many events it has seen.
#[derive(Clone, Debug)]
struct Kept {
    state: Arc<State>,
    at: usize,
}

/// What a client knows of a match: description, the view of each of its seats, history, players.
///
/// It sends nothing itself: [`opening`](Self::opening) and [`take`](Self::take) say what to ask the host. A view that does not
/// come to the position the host tells is asked for anew, so a mirror can not stay wrong.
#[derive(Debug, Default)]
pub struct Mirror {
    description: Option<Arc<Description>>,
    board: Option<Arc<Board>>,
    frame: Option<Arc<Frame>>,
    seats: SeatSet,
    views: BTreeMap<Option<SeatId>, Kept>,
    at: usize,
    length: usize,
    history: Vec<HistoryEntry>,
    players: Vec<String>,
    is_paused: bool,
    pace: u64,
    thinking: BTreeMap<SeatId, ThinkingReport>,
    hint: Option<ThinkingReport>,
    halted: Option<HaltReport>,
    problems: Vec<Problem>,
    said: Vec<ChatLine>,
    asked_anew: u64,
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
            Command::History { from: 0 },
            Command::Problems,
            Command::Said,
        ]
    }

    /// Whether everything needed to show the match is there.
    pub fn is_ready(&self) -> bool {
        self.description.is_some() && !self.views.is_empty()
    }

    /// Ruleset, scenario, map, declarations, help and pictures.
    pub fn description(&self) -> Option<&Arc<Description>> {
        self.description.as_ref()
    }

    /// The declarations.
    pub fn frame(&self) -> Option<&Arc<Frame>> {
        self.frame.as_ref()
    }

    /// The board.
    pub fn board(&self) -> Option<&Arc<Board>> {
        self.board.as_ref()
    }

    /// The seats this client holds.
    pub fn seats(&self) -> SeatSet {
        self.seats
    }

    /// The match as a seat sees it; as onlookers do if the seat's view is not known here.
    pub fn view(&self, seat: Option<SeatId>) -> Option<&Arc<State>> {
        let kept = self.views.get(&seat).or_else(|| self.views.get(&None));
        kept.map(|kept| &kept.state)
    }

    /// The view to show when nothing else is asked for: of the held seat that may act, of any held seat, of onlookers.
    pub fn main_view(&self) -> Option<&Arc<State>> {
        let first = self.views.values().next()?;
        self.view(self.main_viewer()).or(Some(&first.state))
    }

    /// Whose view that is: none for that of onlookers.
    pub fn main_viewer(&self) -> Option<SeatId> {
        let first = self.views.values().next()?;
        let mut held = first.state.acting().iter().filter(|seat| self.seats.contains(*seat));
        let wanted = held.next().or_else(|| self.seats.first());
        wanted.filter(|seat| self.views.contains_key(&Some(*seat)))
    }

    /// The views that are known, each with the seat whose view it is; none for that of onlookers.
    pub fn views(&self) -> impl Iterator<Item = (Option<SeatId>, &Arc<State>)> {
        self.views.iter().map(|(viewer, kept)| (*viewer, &kept.state))
    }

    /// How many events stand.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many events there are, those taken back included.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The events in readable form, those taken back included.
    pub fn history(&self) -> &[HistoryEntry] {
        &self.history
    }

    /// Who plays each seat.
    pub fn players(&self) -> &[String] {
        &self.players
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

    /// Where a strategy that is followed has halted.
    pub fn halted(&self) -> Option<&HaltReport> {
        self.halted.as_ref()
    }

    /// What is wrong with the rules.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// What players said, as far as it may be read here, the oldest first.
    pub fn said(&self) -> &[ChatLine] {
        &self.said
    }

    /// How often a view had to be asked for because it did not come to the position the host told.
    pub fn asked_anew(&self) -> u64 {
        self.asked_anew
    }

    /// Takes what the host sent. Returns what has to be asked now.
    pub fn take(&mut self, message: &FromHost) -> Vec<Command> {
        match message {
            FromHost::Answer(answer) => match &answer.reply {
                Reply::Welcome { seats, .. } => {
                    self.seats = *seats;
                    Vec::new()
                }
                Reply::Description(description) => self.take_description(description),
                Reply::View(snapshot) => self.take_view(snapshot),
                Reply::History(history) => {
                    self.take_history(history);
                    Vec::new()
                }
                Reply::Problems { problems } => {
                    self.problems.clone_from(problems);
                    Vec::new()
                }
                Reply::Said { lines } => {
                    self.said.clone_from(lines);
                    Vec::new()
                }
                _ => Vec::new(),
            },
            FromHost::Notice(notice) => self.take_notice(notice),
        }
    }

    fn take_notice(&mut self, notice: &Notice) -> Vec<Command> {
        match notice {
            Notice::Event(event) => return self.take_event(event),
            Notice::View(snapshot) => return self.take_view(snapshot),
            Notice::Players {
                players,
                paused,
                pace,
                seats,
            } => {
                self.players.clone_from(players);
                (self.is_paused, self.pace) = (*paused, *pace);
                let gained = self.seats != *seats;
                self.seats = *seats;
                if gained {
                    let viewers = self.viewers();
                    self.views.retain(|viewer, _| viewers.contains(viewer));
                    let missing = viewers.into_iter().filter(|viewer| !self.views.contains_key(viewer));
                    return missing.map(|seat| Command::View { seat }).collect();
                }
            }
            Notice::Thinking(report) => {
                self.thinking.insert(report.seat, (**report).clone());
            }
            Notice::Thought { seat } => {
                self.thinking.remove(seat);
            }
            Notice::Hint(report) => {
                self.thinking.remove(&report.seat);
                self.hint = Some((**report).clone());
            }
            Notice::Halted(report) => self.halted = Some((**report).clone()),
            Notice::WentOn { .. } => self.halted = None,
            Notice::Reloaded { frame, .. } => {
                if let Some(frame) = frame {
                    self.frame = Some(Arc::new((**frame).clone()));
                }
                return vec![Command::Describe];
            }
            Notice::Problems { problems } => self.problems.clone_from(problems),
            Notice::Fault(fault) => self.problems.push(Problem::from(&**fault)),
            Notice::Said(line) => self.said.push(line.clone()),
            Notice::Turn { .. } | Notice::Thoughts(_) | Notice::Message { .. } => {}
        }
        Vec::new()
    }

    fn take_description(&mut self, description: &Description) -> Vec<Command> {
        if self.description.as_ref().map(|known| &known.map) != Some(&description.map) {
            self.board = board_of(&description.map);
            self.views.clear();
        }
        if self.frame.as_deref() != Some(&description.frame) {
            self.frame = Some(Arc::new(description.frame.clone()));
            self.views.clear();
        }
        self.description = Some(Arc::new(description.clone()));
        let missing = self.viewers().into_iter().filter(|viewer| !self.views.contains_key(viewer));
        missing.map(|seat| Command::View { seat }).collect()
    }

    /// The seats whose events the host sends: those held, or onlookers if none are held or nothing can be hidden.
    fn viewers(&self) -> Vec<Option<SeatId>> {
        let hides = match (&self.board, &self.frame) {
            (Some(board), Some(frame)) => State::empty(Arc::clone(board), Arc::clone(frame), &[]).may_hide(),
            _ => false,
        };
        if hides && !self.seats.is_empty() {
            self.seats.iter().map(Some).collect()
        } else {
            vec![None]
        }
    }

    fn take_view(&mut self, snapshot: &ViewSnapshot) -> Vec<Command> {
        let (Some(board), Some(frame)) = (&self.board, &self.frame) else {
            return Vec::new();
        };
        let Ok(state) = State::from_parts(Arc::clone(board), Arc::clone(frame), &snapshot.state) else {
            tracing::warn!("a view that does not fit board and declarations");
            return Vec::new();
        };
        let kept = Kept {
            state: Arc::new(state),
            at: snapshot.at,
        };
        self.views.insert(snapshot.seat, kept);
        self.players.clone_from(&snapshot.players);
        (self.is_paused, self.pace) = (snapshot.paused, snapshot.pace);
        let came_on = snapshot.at == snapshot.length && snapshot.at > self.at;
        let known = self.history.len().min(snapshot.length);
        let from = if came_on { known.min(self.at) } else { known };
        self.went_to(snapshot.at);
        self.length = snapshot.length;
        self.history.truncate(known);
        if from < snapshot.length {
            vec![Command::History { from }]
        } else {
            Vec::new()
        }
    }

    fn went_to(&mut self, at: usize) {
        if self.at != at {
            self.thinking.clear();
            self.hint = None;
        }
        self.at = at;
    }

    fn take_history(&mut self, history: &History) {
        if let Some(first) = history.entries.first()
            && first.event <= self.history.len()
        {
            self.history.truncate(first.event);
            self.history.extend(history.entries.iter().cloned());
            self.length = self.length.max(self.history.len());
        }
    }

    fn take_event(&mut self, event: &SeatEvent) -> Vec<Command> {
        self.went_to(event.at);
        self.length = event.at;
        let mut asks = Vec::new();
        let index = event.entry.event;
        if index < self.history.len() {
            self.history.truncate(index);
        }
        if index == self.history.len() {
            self.history.push(event.entry.clone());
        } else {
            asks.push(Command::History { from: self.history.len() });
        }
        let Some(kept) = self.views.get_mut(&event.seat) else {
            asks.push(Command::View { seat: event.seat });
            return asks;
        };
        // A view asked for in between may be ahead of the event.
        if kept.at >= event.at {
            return asks;
        }
        let is_next = kept.at + 1 == event.at;
        let state = Arc::make_mut(&mut kept.state);
        let applied = is_next && event.effects.iter().all(|effect| state.apply(effect).is_ok());
        if applied && state.position() == event.position {
            kept.at = event.at;
        } else {
            self.asked_anew += 1;
            asks.push(Command::View { seat: event.seat });
        }
        asks
    }
}

fn board_of(map: &Map) -> Option<Arc<Board>> {
    match Board::from_map(map) {
        Ok(board) => Some(Arc::new(board)),
        Err(faults) => {
            tracing::warn!("a map that makes no board: {faults:?}");
            None
        }
    }
}
