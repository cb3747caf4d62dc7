//! What the window knows of a running match and does in it, without drawing anything: the connection, the choice of an action,
//! marks, looks, and what has to be told to the player.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::board::{Marks, Travels};
use super::picking::{Clicked, Offered, Picking, Question};
use super::settings::Motion;
use super::texts::text;
use super::toasts::Toasts;
use crate::client::messages::{Answer, Command, FromHost, Notice, Problem, Reply, SeatEvent};
use crate::client::{Connection, Link, LinkClosed, Mirror};
use crate::model::{Action, ActionId, CellId, Effect, Looks, Pick, PieceId, SeatId, State};

/// What an answer that is still to come belongs to.
#[derive(Clone, Debug)]
enum Awaited {
    Domain(Question, u64),
    Looks,
    Submit,
    Save,
    Hint,
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
    /// An action that would drop later ones, until the player says whether it may.
    pub to_confirm: Option<Action>,
    /// The file the match was saved in by name.
    pub file: Option<PathBuf>,
    /// Whether the match is to be looked at from its beginning as soon as it is known.
    pub goes_to_beginning: bool,
    /// Whether the host is gone.
    pub is_closed: bool,
    reloads: u64,
    /// The action that was sent and not answered yet. Until then the choice belongs to a position that may be gone.
    submitting: Option<u64>,
    asks_hint: bool,
    fault: Option<Problem>,
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
            asks_hint: false,
            fault: None,
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
        self.mirror().history().iter().take_while(|entry| entry.seat.is_none()).count()
    }

    /// Whether a hint was asked for and is still thought about.
    pub fn awaits_hint(&self) -> bool {
        self.asks_hint
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
        while !self.is_closed {
            match self.connection.poll(Some(Duration::ZERO)) {
                Ok(Some(FromHost::Answer(answer))) => self.take_answer(answer, now),
                Ok(Some(FromHost::Notice(notice))) => self.take_notice(notice, now, manner),
                Ok(None) => break,
                Err(LinkClosed) => {
                    self.is_closed = true;
                    self.toasts.error(text!("toast-host-gone"), now);
                }
            }
        }
        self.go_to_beginning();
        self.ask_looks();
        self.renew_choice();
        self.ask_domains();
        if manner.plays_at_once {
            self.play_if_whole();
        }
    }

    fn take_answer(&mut self, answer: Answer, now: f64) {
        let awaited = self.awaited.remove(&answer.id).unwrap_or(Awaited::Other);
        self.submitting.take_if(|id| *id == answer.id);
        match (answer.reply, awaited) {
            (Reply::Domain { domain, prompt }, Awaited::Domain(question, choice)) => {
                if let Some(picking) = self.picking.as_mut().filter(|_| choice == self.choice) {
                    picking.answer(question, domain, prompt);
                }
            }
            (Reply::Refused(_) | Reply::Error { .. }, Awaited::Domain(question, choice)) => {
                if let Some(picking) = self.picking.as_mut().filter(|_| choice == self.choice) {
                    picking.refuse(question);
                }
            }
            (Reply::Looks(looks), _) => self.looks = Arc::from(looks),
            (Reply::Saved { file }, _) => {
                let file = PathBuf::from(file);
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                self.toasts.good(text!("toast-saved", file = name), now);
                self.file = Some(file);
            }
            (Reply::Refused(refusal), awaited) => {
                self.asks_hint &= !matches!(awaited, Awaited::Hint);
                let reason = sentence(&refusal.reason);
                self.toasts.refusal(reason, &refusal.rule, now);
                self.choice_of = None;
            }
            (Reply::Fault(fault), awaited) => {
                if let Awaited::Domain(question, choice) = awaited
                    && let Some(picking) = self.picking.as_mut().filter(|_| choice == self.choice)
                {
                    picking.refuse(question);
                }
                self.toasts
                    .error(sentence(&text!("toast-fault", message = fault.message.as_str())), now);
                self.fault = Some(Problem {
                    severity: "error".to_owned(),
                    code: fault.code.to_string(),
                    message: if fault.hook.is_empty() {
                        fault.message
                    } else {
                        format!("{} (in {})", fault.message, fault.hook)
                    },
                    file: fault.file,
                    line: fault.line,
                    column: fault.column,
                    source_line: fault.source_line,
                    help: None,
                });
            }
            (Reply::Error { message }, awaited) => {
                self.asks_hint &= !matches!(awaited, Awaited::Hint);
                self.toasts.error(sentence(&message), now);
            }
            _ => {}
        }
    }

    fn take_notice(&mut self, notice: Notice, now: f64, manner: Manner) {
        match notice {
            Notice::Event(event) => {
                self.last.split_off(&event.at);
                self.last.insert(event.at, cells_of_event(&event));
                if let Some(speed) = manner.motion.speed() {
                    self.travels = Travels::start(&event.effects, now, speed);
                }
            }
            Notice::View(_) => self.travels = Travels::default(),
            Notice::Hint(report) => {
                self.asks_hint = false;
                if report.line.is_empty() {
                    self.toasts.note(text!("toast-no-hint"), now);
                }
            }
            Notice::Reloaded { changes, milliseconds, .. } => {
                self.reloads += 1;
                self.looks_of = None;
                self.fault = None;
                let notice = ReloadNotice { changes, milliseconds };
                self.changes.push(notice.clone());
                self.reload = Some(notice);
            }
            Notice::Problems { problems } => {
                self.fault = None;
                if problems.iter().any(|problem| problem.severity == "error") {
                    self.toasts.error(text!("toast-rules-broken"), now);
                }
            }
            Notice::Fault(fault) => self
                .toasts
                .error(sentence(&format!("The rules are at fault: {}", fault.message)), now),
            Notice::Message { text } => self.toasts.note(sentence(&text), now),
            Notice::Turn { .. } | Notice::Players { .. } | Notice::Thinking(_) | Notice::Thought { .. } => {}
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
        self.choice_of = wanted;
        self.picking = match (wanted, self.state()) {
            (Some((_, _, seat, _)), Some(state)) => Some(Picking::new(seat, offered(state))),
            _ => None,
        };
    }

    fn ask_domains(&mut self) {
        let Some(picking) = self.picking.as_mut() else {
            return;
        };
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

    /// Whether clicks can choose something now.
    pub fn may_choose(&self) -> bool {
        self.picking.is_some() && self.submitting.is_none()
    }

    /// A click on a cell.
    pub fn click(&mut self, cell: CellId, is_double: bool) -> Clicked {
        if !self.may_choose() {
            return Clicked::Nothing;
        }
        let pieces: Vec<PieceId> = self.state().map_or_else(Vec::new, |state| state.pieces_at(cell).to_vec());
        let Some(picking) = self.picking.as_mut() else {
            return Clicked::Nothing;
        };
        if is_double && let Some(action) = picking.double_click(cell) {
            self.play(action);
            return Clicked::Picked;
        }
        if is_double && picking.trail().last() == Some(&cell) {
            return Clicked::Nothing;
        }
        let clicked = picking.click(cell, &pieces);
        self.ask_domains();
        clicked
    }

    /// A click on a piece that is not on the board.
    pub fn click_piece(&mut self, piece: PieceId) {
        if let Some(picking) = self.picking.as_mut() {
            let actions = picking.actions();
            let took = actions.into_iter().any(|action| picking.pick(action, Pick::Piece(piece)));
            if !took {
                picking.clear();
            }
            self.ask_domains();
        }
    }

    /// Plays what is chosen, if that is just one action; false if not.
    pub fn play_chosen(&mut self) -> bool {
        let action = self.picking.as_ref().and_then(Picking::sole);
        let is_one = action.is_some();
        if let Some(action) = action {
            self.play(action);
        }
        is_one
    }

    /// Plays an action; asks first if that drops later ones.
    pub fn play(&mut self, action: Action) {
        if self.mirror().at() < self.mirror().length() {
            self.to_confirm = Some(action);
        } else {
            self.submit(action, false);
        }
    }

    /// Plays the action that waits for a confirmation.
    pub fn confirm(&mut self) {
        if let Some(action) = self.to_confirm.take() {
            self.submit(action, true);
        }
    }

    fn submit(&mut self, action: Action, drop_later: bool) {
        let submit = Command::Submit {
            action,
            at: self.mirror().at(),
            drop_later,
        };
        if let Some(picking) = self.picking.as_mut() {
            picking.clear();
        }
        self.submitting = self.request(submit, Awaited::Submit);
    }

    /// Changes the choice by something else than a click on a cell.
    pub fn choose(&mut self, change: impl FnOnce(&mut Picking)) {
        if let Some(picking) = self.picking.as_mut() {
            change(picking);
            self.ask_domains();
        }
    }

    /// The name of an action for players.
    pub fn action_title(&self, action: ActionId) -> String {
        let frame = self.mirror().frame();
        frame
            .and_then(|frame| frame.action(action))
            .map_or_else(|| text!("choice-act"), |declared| declared.title.to_string())
    }

    /// What is marked on the board.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        let Some(state) = self.state() else {
            return marks;
        };
        marks.last = self.last.get(&self.mirror().at()).cloned().unwrap_or_default();
        if let Some(first) = self.mirror().hint().and_then(|report| report.line.first()) {
            marks.hint = cells_of_action(state, &first.action);
        }
        if let Some(picking) = self.picking.as_ref().filter(|_| self.may_choose()) {
            marks.chosen = picking.trail();
            marks.targets = picking.cells();
            let cell_of = |piece: PieceId| state.piece(piece)?.place.cell();
            let cells = picking.pieces().into_iter().filter_map(cell_of);
            if marks.chosen.is_empty() {
                marks.pickable = cells.collect();
            } else {
                marks.targets.extend(cells);
            }
        }
        marks
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

/// The cells an event is about: where its piece went, or what appeared.
fn cells_of_event(event: &SeatEvent) -> Vec<CellId> {
    let picked = event.action.as_ref().and_then(|action| {
        action.picks.iter().find_map(|pick| match pick {
            Pick::Piece(piece) => Some(*piece),
            _ => None,
        })
    });
    let mut mover = picked;
    let mut cells: Vec<CellId> = Vec::new();
    for effect in &event.effects {
        match effect {
            Effect::Move { piece, from, to, .. } if to.cell().is_some() && mover.is_none_or(|mover| mover == *piece) => {
                mover = Some(*piece);
                if cells.is_empty() {
                    cells.extend(from.cell());
                }
                cells.extend(to.cell());
            }
            Effect::Spawn(piece) if mover.is_none() && cells.is_empty() => cells.extend(piece.place.cell()),
            _ => {}
        }
    }
    if cells.is_empty() {
        let picks = event.action.iter().flat_map(|action| &action.picks);
        cells.extend(picks.flat_map(cells_of_pick));
    }
    cells
}

fn cells_of_pick(pick: &Pick) -> Vec<CellId> {
    match pick {
        Pick::Cell(cell) => vec![*cell],
        Pick::Cells(cells) => cells.clone(),
        Pick::Path(path) => path.to_vec(),
        _ => Vec::new(),
    }
}

/// The cells of an action that was not played yet.
fn cells_of_action(state: &State, action: &Action) -> Vec<CellId> {
    let cells = |pick: &Pick| match pick {
        Pick::Piece(piece) => state.piece(*piece).and_then(|piece| piece.place.cell()).into_iter().collect(),
        Pick::Pieces(pieces) => pieces.iter().filter_map(|piece| state.piece(*piece)?.place.cell()).collect(),
        other => cells_of_pick(other),
    };
    action.picks.iter().flat_map(cells).collect()
}

/// A reason as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let mut said: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    said.extend(letters);
    if !said.ends_with(['.', '!', '?']) {
        said.push('.');
    }
    said
}
