//! The controller of a match: what the window knows of it and does in it, without drawing anything.
//!
//! Its parts own their fields, each in a file of its own. The controller routes: commands of widgets become requests
//! ([`MatchController::choose_or_queue`], [`MatchController::handle`]), answers and notices of the host go to the part they are for.

mod action_choice;
mod board_marks;
mod debugger;
mod event_display;
mod explanation;
mod forecast;
mod history_view;
mod input_queue;
mod insight;
mod lesson;
mod requests;
mod rules_status;
mod submission;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::Ui;

use self::action_choice::{ActionChoice, ChoiceBasis};
pub(crate) use self::board_marks::{board_marks, ghost};
pub(crate) use self::debugger::{DebugCommand, DecisionBreaks, StrategyDebugger};
use self::event_display::EventDisplay;
use self::explanation::Explanation;
use self::forecast::{OddsQuery, PreviewQuery};
use self::history_view::{HistoryView, StatisticsQuery};
pub(crate) use self::input_queue::InputFocus;
use self::input_queue::{InputQueue, InputState, PendingInput};
pub(crate) use self::insight::HeatMapSource;
use self::insight::{Moment, StrategyInsight};
pub(crate) use self::lesson::Lesson;
use self::requests::{Failure, Pending, Requests};
pub(crate) use self::rules_status::ReloadNotice;
use self::rules_status::RulesStatus;
use self::submission::{Submission, ToConfirm};
use super::action_picker::{ActionPicker, Clicked};
use super::board::ActionPreview;
use super::command::{CellClick, ChoiceCommand, MatchCommand};
use super::panels::chat_text;
use super::settings::{Motion, Settings};
use super::sound::Cue;
use super::texts::{sentence, text};
use super::toasts::Toasts;
use super::tools_panel::TextPosition;
use boardwright_client::{Link, LinkClosed, Locale, Mirror, Translator};
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Action, ActionId, CellId, Looks, Outcome, Pick, Refusal, SeatId, State};
use boardwright_protocol::{
    Answer, Command, EntryCause, FromHost, HistoryEntry, Notice, OddsReport, OfferKind, Reply, Statistics, ThinkingReport,
};

/// What computer players think, and the hint that is awaited.
#[derive(Debug, Default)]
pub(crate) struct ThinkingReports {
    pub(crate) latest: BTreeMap<SeatId, ThinkingReport>,
    /// The seat of the newest report.
    newest: Option<SeatId>,
    pub(crate) awaits_hint: bool,
}

/// An edit of the position by the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ManualEdit {
    pub(crate) text: String,
    /// The result, once the host has answered: what a script printed, or why nothing has changed.
    pub(crate) result: Option<Result<String, String>>,
}

/// A running match as a client sees it.
#[derive(Debug)]
pub struct MatchController {
    requests: Requests,
    choice: ActionChoice,
    input: InputQueue,
    explanation: Explanation,
    submission: Submission,
    preview: PreviewQuery,
    odds: OddsQuery,
    statistics: StatisticsQuery,
    display: EventDisplay,
    history: HistoryView,
    rules: RulesStatus,
    thinking: ThinkingReports,
    insight: StrategyInsight,
    debugger: StrategyDebugger,
    /// All edits from here, oldest first.
    edits: Vec<ManualEdit>,
    toasts: Toasts,
    /// Whether an action in which nothing is left to choose waits until the player says that it is to be played.
    confirms: bool,
    /// Whether the past that is shown was gone to through the history, and not by undoing.
    looks_back: bool,
    /// How many later actions the action on its way takes the place of, if it was played while looking back.
    replaced: Option<usize>,
    /// The file in which the match is saved.
    file: Option<PathBuf>,
    /// The file of its autosave.
    autosave: Option<PathBuf>,
    /// Whether the beginning of the match is shown as soon as the match is known.
    goes_to_beginning: bool,
    /// The file of a scenario that was made of the match, until it is opened.
    exported: Option<PathBuf>,
    /// The tutorial that the match is played for.
    lesson: Option<Lesson>,
}

/// Opening, updating, and what is asked of the host by itself.
impl MatchController {
    /// Takes part in a match.
    ///
    /// # Errors
    /// If the host is gone.
    pub fn open(link: Box<dyn Link>) -> Result<Self, LinkClosed> {
        Ok(Self {
            requests: Requests::open(link)?,
            choice: ActionChoice::default(),
            input: InputQueue::default(),
            explanation: Explanation::default(),
            submission: Submission::default(),
            preview: PreviewQuery::default(),
            odds: OddsQuery::default(),
            statistics: StatisticsQuery::default(),
            display: EventDisplay::default(),
            history: HistoryView::default(),
            rules: RulesStatus::default(),
            thinking: ThinkingReports::default(),
            insight: StrategyInsight::default(),
            debugger: StrategyDebugger::default(),
            edits: Vec::new(),
            toasts: Toasts::default(),
            confirms: false,
            looks_back: false,
            replaced: None,
            file: None,
            autosave: None,
            goes_to_beginning: false,
            exported: None,
            lesson: None,
        })
    }

    /// Sets the language; what is known already is requested again.
    pub fn set_language(&mut self, locale: Locale) {
        if self.requests.set_language(locale) {
            self.display.invalidate_looks();
            self.choice.invalidate();
        }
    }

    /// Handles what has arrived and requests what is missing. Never waits. `now` is in seconds.
    pub fn update(&mut self, now: f64, settings: &Settings) {
        let was_closed = self.requests.is_closed;
        self.confirms = settings.confirm_moves;
        let mut jumped = false;
        while let Some(message) = self.requests.receive() {
            match message {
                FromHost::Answer(answer) => self.handle_answer(answer, now),
                FromHost::Notice(notice) => {
                    jumped |= matches!(notice, Notice::View(_));
                    self.handle_notice(notice, now, settings.motion);
                }
            }
        }
        if self.requests.is_closed && !was_closed {
            self.toasts.error(text!("toast-host-gone"), now);
        }
        let before = self.history.update(self.requests.mirror(), &self.display.looks);
        if let (true, Some((before_at, before)), Some(state)) = (jumped, before, self.requests.mirror().main_view()) {
            let at = self.requests.mirror().at();
            self.display.on_jump((before_at, &before), (at, state), now, settings.motion);
        }
        self.go_to_beginning();
        self.ask_looks();
        self.renew_choice();
        self.choice.ask_domains(&mut self.requests);
        let are_pieces_moving = self.display.travels.is_under_way(now);
        self.submission.go_on(&mut self.requests, now, are_pieces_moving);
        if let Some(lesson) = &mut self.lesson {
            lesson.go_on(&mut self.requests, now, are_pieces_moving);
        }
        self.play_complete();
    }

    fn go_to_beginning(&mut self) {
        let mirror = self.mirror();
        if self.goes_to_beginning && mirror.length() > 0 && mirror.history().len() == mirror.length() {
            self.goes_to_beginning = false;
            self.send(Command::GoTo { position: self.first() });
        }
    }

    fn ask_looks(&mut self) {
        let Some(state) = self.state() else { return };
        let seat = self.viewer().filter(|_| state.may_hide());
        let digest = state.digest();
        self.display.ask_looks(digest, seat, &mut self.requests);
    }

    fn renew_choice(&mut self) {
        let mirror = self.requests.mirror();
        let basis = self.acting_here().map(|seat| ChoiceBasis {
            at: mirror.at(),
            length: mirror.length(),
            seat,
            rules_version: self.rules.version,
        });
        self.choice.renew(basis, mirror.main_view().map(|state| &**state));
    }

    fn send(&mut self, command: Command) {
        let pending = match command {
            Command::GoTo { position } => Pending::GoTo(position),
            _ => Pending::Nothing,
        };
        self.requests.send(command, pending);
    }
}

/// Commands.
impl MatchController {
    /// Carries out a command that depends on nothing that is still to come.
    pub fn handle(&mut self, command: MatchCommand) {
        match command {
            MatchCommand::Send(command) => {
                self.input.on_other_command();
                if matches!(command, Command::GoTo { .. }) {
                    self.looks_back = true;
                } else if matches!(
                    command,
                    Command::Undo | Command::Redo | Command::Branch | Command::PromoteVariation { .. }
                ) {
                    self.looks_back = false;
                }
                self.send(command);
            }
            MatchCommand::Edit(text) => {
                let edit = Command::Edit { text: text.clone() };
                self.requests.send(edit, Pending::Edit(self.edits.len()));
                self.edits.push(ManualEdit { text, result: None });
            }
            MatchCommand::ClearChoice => {
                self.input.waiting.clear();
                self.choice.candidates = None;
                self.choice.change(&mut self.requests, |picker| _ = picker.clear());
            }
            MatchCommand::StopRepeating => self.submission.repetition = None,
            MatchCommand::ClosePieceChooser => self.choice.candidates = None,
            MatchCommand::Hint => {
                self.thinking.awaits_hint = true;
                let hint = Command::Hint {
                    player: None,
                    milliseconds: Some(2000),
                };
                self.requests.send(hint, Pending::Hint);
            }
            MatchCommand::Save => {
                let file = self.file.as_ref().map(|file| file.display().to_string());
                self.requests.send(Command::Save { file, overwrite: false }, Pending::Save);
            }
            MatchCommand::ExportScenario => {
                let (file, overwrite) = (None, false);
                self.requests.send(Command::ExportScenario { file, overwrite }, Pending::Export);
            }
            MatchCommand::DismissReload => self.rules.notice = None,
            MatchCommand::NextLesson => {
                if let Some(lesson) = &mut self.lesson {
                    lesson.go_to_next();
                }
            }
            MatchCommand::LeaveLesson => {
                let seats = self.state().map_or(0, |state| state.declarations().seats.len());
                let opponents = self.lesson.take().map(|lesson| lesson.opponents(seats).collect());
                opponents
                    .into_iter()
                    .flat_map(|all: Vec<Command>| all)
                    .for_each(|one| self.send(one));
            }
            MatchCommand::Confirm(true) => {
                let offer = OfferKind::Draw;
                match self.submission.to_confirm.take() {
                    Some(ToConfirm::Action(action)) => self.submit(action),
                    Some(ToConfirm::Resign(seat)) => self.send(Command::Resign { seat: Some(seat) }),
                    Some(ToConfirm::Draw(seat)) => self.send(Command::Offer { offer, seat: Some(seat) }),
                    None => {}
                }
            }
            MatchCommand::AskResign(seat) => self.submission.to_confirm = Some(ToConfirm::Resign(seat)),
            MatchCommand::AskDraw(seat) => self.submission.to_confirm = Some(ToConfirm::Draw(seat)),
            MatchCommand::Confirm(false) => self.submission.to_confirm = None,
        }
    }

    /// Carries out a command of the debugger. The first break point attaches all strategies, for somebody has to pause there.
    pub fn handle_debug(&mut self, command: DebugCommand) {
        if matches!(command, DebugCommand::ToggleBreakPoint(..)) && !self.debugger.is_attached() {
            for seat in self.strategy_seats() {
                self.handle_debug(DebugCommand::Attach(seat, Some(DecisionBreaks::default())));
            }
        }
        let command = self.debugger.handle(command);
        self.send(command);
    }

    /// Saves the match in a file, which is its own from now on. Whether a file may be written over that is there was asked before.
    pub fn save_in(&mut self, file: PathBuf) {
        let command = Command::Save {
            file: Some(file.display().to_string()),
            overwrite: true,
        };
        self.file = Some(file);
        self.requests.send(command, Pending::Save);
    }

    /// Plays on from the position shown.
    pub fn play_from_here(&mut self) {
        self.send(Command::Branch);
    }

    /// Carries out a command that chooses, or queues it until the rules have answered.
    pub fn choose_or_queue(&mut self, command: ChoiceCommand) {
        let state = self.input_state();
        if state == InputState::Closed {
            self.explain_closed(&command);
        }
        if let Some(command) = self.input.admit(command, state) {
            self.choose(command);
        }
    }

    /// Says why nothing can be chosen now, where somebody has tried.
    fn explain_closed(&mut self, command: &ChoiceCommand) {
        let (ChoiceCommand::Click(CellClick { cell, .. }) | ChoiceCommand::Lift(cell) | ChoiceCommand::Drag(cell, _)) = *command else {
            return;
        };
        let Some(state) = self.state().filter(|state| state.outcome().is_none()) else {
            return;
        };
        let acting = state.acting().iter().map(|seat| state.declarations().seat_title(seat).to_string());
        let acting = acting.collect::<Vec<_>>().join(", ");
        if !acting.is_empty() && self.mirror().at() == self.mirror().length() {
            self.explanation.tell(cell, text!("choice-not-your-turn", seats = acting));
        }
    }

    /// Carries out queued input, as far as the rules have answered.
    pub fn handle_queued_input(&mut self, ui: &Ui, focus: InputFocus, now: f64) {
        let continues = self.continues_here();
        if self.input.begin_frame(self.input_state(), self.choice.number, continues) {
            self.toasts.note(text!("toast-overtaken"), now);
        }
        let has_dialog = |controller: &Self| focus.is_in_dialog || controller.submission.to_confirm.is_some();
        if self.awaits_rules() && !has_dialog(self) && !ui.ctx().text_edit_focused() {
            let has_picked = self.picker().is_some_and(ActionPicker::has_picked);
            self.input.queue_keys(ui, self.input_state(), focus, has_picked);
        }
        while self.input_state() == InputState::Ready && !has_dialog(self) {
            match self.input.waiting.pop_front() {
                Some(PendingInput::Command(command)) => self.choose(command),
                Some(PendingInput::Key(event)) => return self.input.release_key(ui, event),
                None => return,
            }
        }
    }

    /// Forgets input that waits for the rules: somebody else comes to the screen.
    pub(crate) fn drop_queued_input(&mut self) {
        self.input.waiting.clear();
    }

    fn choose(&mut self, command: ChoiceCommand) {
        self.explanation.withdraw();
        self.input.begin(&command);
        self.carry_out(command);
        self.play_complete();
    }

    fn carry_out(&mut self, command: ChoiceCommand) {
        match command {
            ChoiceCommand::Click(click) => _ = self.click(click),
            ChoiceCommand::Lift(cell) => self.lift(cell),
            ChoiceCommand::DropOn(cell) => self.drop_on(cell),
            // What comes of the drop is known when the rules have answered.
            ChoiceCommand::Drag(from, to) => {
                if board_marks(self).can_be_lifted(from) {
                    self.lift(from);
                    self.input
                        .waiting
                        .push_front(PendingInput::Command(ChoiceCommand::DropOn(Some(to))));
                }
            }
            ChoiceCommand::Pick(action, pick) => self.change(|picker| _ = picker.pick(action, pick)),
            ChoiceCommand::PickRepeatedly(action, pick) => self.pick_repeatedly(action, pick),
            ChoiceCommand::PickPiece(piece) => self.change(|picker| _ = picker.click_beside(piece)),
            ChoiceCommand::PickOneOf(cell, piece) => self.choice.pick_one_of(cell, piece, &mut self.requests),
            ChoiceCommand::Select(action) => self.select(action),
            ChoiceCommand::Mean(action) => self.change(|picker| picker.mean(action)),
            ChoiceCommand::NextPick(action) => {
                self.choice.candidates = None;
                self.change(|picker| _ = picker.go_to_next(action));
            }
            ChoiceCommand::Turn(turn) => self.choice.turn(turn, &mut self.requests),
            ChoiceCommand::StepBack => {
                self.choice.candidates = None;
                self.change(|picker| _ = picker.step_back());
            }
            ChoiceCommand::Play(action) => self.play(action),
            ChoiceCommand::PlayChosen => self.play_chosen(),
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut ActionPicker)) {
        self.choice.change(&mut self.requests, change);
    }

    fn click(&mut self, click: CellClick) -> Clicked {
        self.submission.interrupt(self.acting_here());
        if !self.may_choose() || self.input.is_spent(click, self.choice.number) {
            return Clicked::Nothing;
        }
        if let Some(action) = self.choice.action_ending_at(click) {
            self.play(action);
            return Clicked::Picked;
        }
        let (looks, explanation) = (&self.display.looks, &mut self.explanation);
        self.choice.click(click, looks, explanation, &mut self.requests)
    }

    /// What was dragged is let go: it plays if that was all that was left to choose, and goes back where it cannot be.
    fn drop_on(&mut self, cell: Option<CellId>) {
        self.submission.interrupt(self.acting_here());
        let from = self.picker().and_then(|picker| picker.trail().last().copied());
        if !self.may_choose() || (cell.is_some() && cell == from) {
            return;
        }
        let (looks, requests) = (&self.display.looks, &mut self.requests);
        let dropped = cell.map_or(Clicked::Nothing, |cell| self.choice.drop_on(cell, looks, requests));
        if self.choice.candidates.is_some() {
            // Which of the pieces there is meant is said first.
            return;
        }
        if dropped != Clicked::Picked {
            if let Some(cell) = cell {
                self.choice.explain(cell, &mut self.explanation, &mut self.requests);
            }
            self.change(|picker| _ = picker.step_back());
        } else if let Some(action) = self.choice.sole_action().filter(|action| !self.waits(action)) {
            self.play(action);
        }
    }

    /// Plays what is chosen if nothing is left to choose and the player need not confirm it.
    fn play_complete(&mut self) {
        if !self.submission.is_pending()
            && self.submission.to_confirm.is_none()
            && let Some(action) = self.choice.complete_action().filter(|action| !self.waits(action))
        {
            self.play(action);
        }
    }

    /// Chooses an action by its button; one without picks is played at once, also where the rules had not answered when it was clicked.
    fn select(&mut self, action: ActionId) {
        let Some(picker) = self.picker() else { return };
        if let Some(whole) = picker.without_picks().into_iter().find(|whole| whole.action == action) {
            self.play(whole);
        } else if picker.refusal_of(action).is_none() {
            self.change(|picker| picker.want(action));
        }
    }

    fn lift(&mut self, cell: CellId) {
        if !self.choice.back_to(cell) {
            self.click(CellClick {
                cell,
                side: None,
                is_double: false,
            });
        }
    }

    fn pick_repeatedly(&mut self, action: ActionId, pick: Pick) {
        self.change(|picker| _ = picker.pick(action, pick));
        if let Some(chosen) = self.choice.sole_action().filter(|chosen| chosen.action == action) {
            let at = self.mirror().at();
            self.play(chosen.clone());
            if self.submission.to_confirm.is_none() {
                self.submission.repeat(chosen, at);
            }
        }
    }

    fn play_chosen(&mut self) {
        if let Some(action) = self.choice.sole_action() {
            self.play(action);
        }
    }

    /// Plays an action; asks first about one without picks that stands beside the play, such as resigning, or that is confirmed.
    fn play(&mut self, action: Action) {
        let at = self.mirror().at();
        if self.lesson.as_mut().is_some_and(|lesson| !lesson.admits(&action, at)) {
            self.choice.clear_picks();
            self.display.cues.push(Cue::Refusal);
            return;
        }
        self.submission.interrupt(Some(action.seat));
        // Without picks there was nothing to look at before it, and a slip is enough.
        let asks_first = self.confirms_by_rule(action.action) || self.is_aside(action.action);
        if action.picks.is_empty() && asks_first {
            self.submission.to_confirm = Some(ToConfirm::Action(action));
        } else {
            self.submit(action);
        }
    }

    fn submit(&mut self, action: Action) {
        self.choice.clear_picks();
        self.input.on_play();
        self.toasts.withdraw_refusal();
        self.replaced = self.looks_back.then(|| self.mirror().length().saturating_sub(self.mirror().at()));
        self.looks_back = false;
        self.submission.submit(action, &mut self.requests);
    }
}

/// Answers and notices of the host.
impl MatchController {
    fn handle_answer(&mut self, Answer { id, reply }: Answer, now: f64) {
        let reply = Failure::or_reply(reply);
        match self.requests.complete(id) {
            Pending::Edit(index) => {
                if let Some(edit) = self.edits.get_mut(index) {
                    let text = |reply| {
                        if let Reply::Edited { text, .. } = reply {
                            text
                        } else {
                            String::new()
                        }
                    };
                    edit.result = Some(reply.map(text).map_err(|failure| failure.text()));
                }
            }
            Pending::Odds(number) => {
                let reply = self.unless_failed(reply, now);
                self.odds.handle(number, reply);
            }
            Pending::Evaluation => self.insight.handle_evaluation(reply),
            Pending::HeatMap => self.insight.handle_heat_map(reply),
            Pending::Repeat => {
                let reply = self.unless_failed(reply, now);
                self.submission.handle_repeat(reply, &mut self.requests);
            }
            // Without a preview nothing is missed: the choice itself tells what is wrong.
            Pending::Preview => self.preview.handle(id, reply.ok(), &self.requests, &self.display.looks),
            Pending::Statistics => {
                let reply = self.unless_failed(reply, now);
                self.statistics.handle(reply);
            }
            Pending::Domain(question, choice) => {
                match &reply {
                    Err(Failure::Fault(fault)) => self.on_fault(fault, now),
                    Err(Failure::Error(message)) => self.toasts.error(sentence(message), now),
                    // The choice shows what it is refused.
                    Err(Failure::Refused(_)) | Ok(_) => {}
                }
                self.choice.answer(question, choice, reply);
            }
            Pending::Explanation(number) => {
                // A refusal is the explanation, and the choice stays as it is.
                let (refusal, failure) = match reply {
                    Err(Failure::Refused(refusal)) => (Some(refusal), None),
                    failed => (None, failed.err()),
                };
                self.on_failure(failure, now);
                if let Some(reason) = self.explanation.handle(number, refusal) {
                    self.on_refusal(&reason, now);
                }
            }
            Pending::Submit => {
                let accepted_at = if let Ok(Reply::Done { at }) = reply { Some(at) } else { None };
                self.submission.complete(id, accepted_at);
                let replaced = self.replaced.take().filter(|count| *count > 0 && accepted_at.is_some());
                if let Some(count) = replaced {
                    self.toasts.undoable(text!("toast-replaced", count = count), now);
                }
                self.on_failure(reply.err(), now);
            }
            Pending::Hint => {
                self.thinking.awaits_hint &= !matches!(reply, Err(Failure::Refused(_) | Failure::Error(_)));
                self.on_failure(reply.err(), now);
            }
            Pending::Looks => {
                if let Ok(Reply::Looks(looks)) = reply {
                    self.display.looks = Arc::from(looks);
                } else {
                    self.on_failure(reply.err(), now);
                }
            }
            Pending::Save => {
                if let Ok(Reply::Saved { file }) = reply {
                    let file = PathBuf::from(file);
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    self.toasts.good(text!("toast-saved", file = name), now);
                    self.file = Some(file);
                } else {
                    self.on_failure(reply.err(), now);
                }
            }
            Pending::Export => {
                if let Ok(Reply::Exported { file, left_out }) = reply {
                    self.toasts
                        .good(text!("toast-exported", file = file.as_str(), notes = left_out.join("; ")), now);
                    self.exported = Some(PathBuf::from(file));
                } else {
                    self.on_failure(reply.err(), now);
                }
            }
            Pending::GoTo(_) | Pending::Nothing => self.on_failure(reply.err(), now),
        }
    }

    /// The reply to a question that the window asked by itself. What failed is told; that the rules refuse an answer is one.
    fn unless_failed(&mut self, reply: Result<Reply, Failure>, now: f64) -> Option<Reply> {
        match reply {
            Ok(reply) => Some(reply),
            Err(Failure::Refused(_)) => None,
            failed => {
                self.on_failure(failed.err(), now);
                None
            }
        }
    }

    fn on_failure(&mut self, failure: Option<Failure>, now: f64) {
        match failure {
            Some(Failure::Refused(refusal)) => {
                self.on_refusal(&refusal, now);
                self.choice.invalidate();
            }
            Some(Failure::Fault(fault)) => self.on_fault(&fault, now),
            Some(Failure::Error(message)) => self.toasts.error(sentence(&message), now),
            None => {}
        }
    }

    fn on_refusal(&mut self, refusal: &Refusal, now: f64) {
        self.toasts.refusal(sentence(&refusal.reason), &refusal.rule, now);
        self.display.cues.push(Cue::Refusal);
    }

    fn on_fault(&mut self, fault: &Diagnostic, now: f64) {
        self.fault_toast(fault, now);
        self.rules.on_fault(fault);
    }

    fn fault_toast(&mut self, fault: &Diagnostic, now: f64) {
        let text = text!("toast-fault", message = fault.message.as_str());
        self.toasts.error(sentence(&text), now);
    }

    fn handle_notice(&mut self, notice: Notice, now: f64, motion: Motion) {
        match notice {
            Notice::Event(event) => {
                let state = self.requests.mirror().main_view().map(|state| &**state);
                self.display.on_event(&event, state, now, motion);
            }
            Notice::View(view) => self.display.on_view(view.at),
            Notice::Hint(report) => {
                self.thinking.awaits_hint = false;
                if report.line.is_empty() {
                    self.toasts.note(text!("toast-no-hint"), now);
                }
            }
            Notice::Reloaded { changes, milliseconds, .. } => {
                self.display.invalidate_looks();
                self.toasts.withdraw(&text!("toast-rules-broken"));
                if !self.rules.on_reload(changes, milliseconds) {
                    self.toasts.note(text!("toast-rules-same"), now);
                }
            }
            Notice::Problems { problems } => {
                if self.rules.on_problems(&problems) {
                    self.toasts.error(text!("toast-rules-broken"), now);
                }
            }
            Notice::Fault(fault) => self.fault_toast(&fault, now),
            Notice::Chat(line) => {
                if line.from.is_none_or(|seat| !self.mirror().seats().contains(seat))
                    && let Some(declarations) = self.mirror().declarations()
                {
                    let text = chat_text(declarations, &line);
                    self.toasts.note(text, now);
                }
            }
            Notice::Message { text } | Notice::CutOff { reason: text } => self.toasts.note(sentence(&text), now),
            // A hint is shown as one, when it is there.
            Notice::Thinking(report) if self.thinking.awaits_hint && self.acting_here() == Some(report.seat) => {}
            Notice::Thinking(report) => {
                self.thinking.newest = Some(report.seat);
                self.thinking.latest.insert(report.seat, *report);
            }
            Notice::Players { .. } => {
                self.thinking.latest.clear();
                let seats = self.strategy_seats();
                self.debugger.retain_seats(&seats);
            }
            Notice::Paused(report) => self.debugger.on_pause(&report),
            Notice::Thoughts(report) => self.insight.add_decision(*report),
            // The mirror has taken these.
            Notice::Resumed { .. }
            | Notice::Turn { .. }
            | Notice::ThinkingEnded { .. }
            | Notice::Offers { .. }
            | Notice::Clocks { .. }
            | Notice::Reveal { .. } => {}
        }
    }
}

/// The state of input.
impl MatchController {
    fn input_state(&self) -> InputState {
        match self.picker() {
            _ if self.submission.is_pending() => InputState::Submitting,
            None if self.awaits_decision() => InputState::AwaitingDecision,
            None => InputState::Closed,
            Some(picker) if picker.is_settled() => InputState::Ready,
            Some(_) => InputState::AwaitingRules,
        }
    }

    pub fn may_choose(&self) -> bool {
        self.input_state().may_choose()
    }

    /// Whether it is not known yet what can be chosen, or input is queued for then.
    pub fn awaits_rules(&self) -> bool {
        let awaits = [InputState::Submitting, InputState::AwaitingDecision, InputState::AwaitingRules];
        awaits.contains(&self.input_state()) || self.has_queued_input()
    }

    /// Whether another seat decides something inside a turn of a seat here.
    fn awaits_decision(&self) -> bool {
        let newest = self.mirror().at() == self.mirror().length();
        let turn = self.state().filter(|_| newest).map(|state| state.sequence());
        turn.is_some_and(|turn| turn.decision().is_some() && turn.mark.seat.is_some_and(|seat| self.mirror().seats().contains(seat)))
    }

    /// Whether the host was asked something that it has not answered yet.
    pub fn awaits_answers(&self) -> bool {
        self.requests.are_open()
    }

    pub fn has_queued_input(&self) -> bool {
        !self.input.waiting.is_empty()
    }

    /// Whether the newest action sent from here was carried out, nothing has happened since but what others decided in the same turn, and the next
    /// one is chosen here.
    fn continues_here(&self) -> bool {
        let (at, length) = (self.mirror().at(), self.mirror().length());
        let Some(accepted) = self.submission.accepted_at else {
            return false;
        };
        let turn = self.state().map(|state| state.sequence().mark.turn);
        let since = self.mirror().history().get(accepted..at);
        let is_others = |entry: &HistoryEntry| entry.seat.is_some_and(|seat| !self.mirror().seats().contains(seat));
        let is_same_turn = at == accepted || (turn.is_some() && turn == self.submission.turn);
        self.may_choose() && at == length && is_same_turn && since.is_some_and(|since| since.iter().all(is_others))
    }

    /// The choice of an action, while it is for a player at this window to act.
    pub fn picker(&self) -> Option<&ActionPicker> {
        self.choice.picker.as_ref()
    }

    /// The action that is repeated, unless other players at this window are to answer first.
    pub fn repeated_action(&self) -> Option<ActionId> {
        let action = self.submission.repeated()?;
        let others_answer = self.acting_here().is_some_and(|seat| seat != action.seat);
        (!others_answer).then_some(action.action)
    }

    /// Whether an action in which nothing is left to choose waits until the player says that it is to be played: by the settings, or by the rules.
    pub fn confirms(&self, action: ActionId) -> bool {
        self.confirms || self.confirms_by_rule(action)
    }

    pub(crate) fn confirms_by_rule(&self, action: ActionId) -> bool {
        let declared = self.mirror().declarations().and_then(|declarations| declarations.action(action));
        declared.is_some_and(|declared| declared.is_confirmed)
    }

    /// Whether an action is not played as soon as nothing is left to choose.
    fn waits(&self, action: &Action) -> bool {
        self.confirms(action.action) || self.shows_odds_first(action)
    }

    /// The action in which nothing is left to choose, and that the player is to confirm.
    pub fn action_to_confirm(&self) -> Option<Action> {
        self.choice.complete_action().filter(|action| self.confirms(action.action))
    }

    /// Whether an action stands beside the play, as resigning does: it is set apart, and asks first.
    pub fn is_aside(&self, action: ActionId) -> bool {
        let declared = self.mirror().declarations().and_then(|declarations| declarations.action(action));
        declared.is_some_and(|declared| declared.is_aside)
    }

    /// Whether an action waits until its odds have been seen, or are known not to be there: they depend on a set that was picked last, so that
    /// nobody has seen them before.
    pub fn shows_odds_first(&self, action: &Action) -> bool {
        let has_odds = self.odds.is_known() || self.odds.is_pending();
        has_odds && matches!(action.picks.last(), Some(Pick::Pieces(_) | Pick::Cells(_)))
    }

    pub fn may_repeat(&self, action: ActionId) -> bool {
        let declared = self.mirror().declarations().and_then(|declarations| declarations.action(action));
        declared.is_some_and(|declared| declared.begins_contest)
    }
}

/// What the screens around it say.
impl MatchController {
    /// The match was opened: from a file, for a tutorial, or as a new one.
    pub(crate) fn on_opened(&mut self, (file, autosave): (Option<PathBuf>, Option<PathBuf>), lesson: Option<Lesson>) {
        (self.file, self.autosave, self.lesson) = (file, autosave, lesson);
    }

    /// The autosave with which the match can go on by a copy of a ruleset, if it is played by that; none of a rated match, whose rules stay as they are.
    pub(crate) fn autosave_for(&self, ruleset: &str) -> Option<&Path> {
        let description = self.mirror().description()?;
        let may_go_on = !description.rated && description.ruleset == ruleset;
        self.autosave.as_deref().filter(|_| may_go_on)
    }

    /// Shows the beginning of the match as soon as the match is known.
    pub(crate) fn show_beginning(&mut self) {
        self.goes_to_beginning = true;
    }

    /// Tells something in passing.
    pub(crate) fn notify(&mut self, text: String, now: f64) {
        self.toasts.note(text, now);
    }

    /// Compares what is shown of the past with the present, or no longer.
    pub(crate) fn set_comparing(&mut self, compares: bool) {
        self.history.set_comparing(compares);
    }

    /// The file of a scenario that was made of the match, once.
    pub(crate) fn take_exported(&mut self) -> Option<PathBuf> {
        self.exported.take()
    }

    /// Where a strategy has paused, once.
    pub(crate) fn take_paused_at(&mut self) -> Option<TextPosition> {
        self.debugger.paused_at.take()
    }

    /// The fault at which the rules were found broken, once.
    pub(crate) fn take_broken_at(&mut self) -> Option<Diagnostic> {
        self.rules.broken_at.take()
    }

    /// What is to be heard, once.
    pub(crate) fn take_cues(&mut self) -> Vec<Cue> {
        std::mem::take(&mut self.display.cues)
    }
}

/// The parts of it that screens read.
impl MatchController {
    pub(crate) fn choice(&self) -> &ActionChoice {
        &self.choice
    }

    pub(crate) fn submission(&self) -> &Submission {
        &self.submission
    }

    pub(crate) fn odds_query(&self) -> &OddsQuery {
        &self.odds
    }

    pub(crate) fn display(&self) -> &EventDisplay {
        &self.display
    }

    pub(crate) fn rules(&self) -> &RulesStatus {
        &self.rules
    }

    pub(crate) fn thinking(&self) -> &ThinkingReports {
        &self.thinking
    }

    pub(crate) fn insight(&self) -> &StrategyInsight {
        &self.insight
    }

    pub(crate) fn debugger(&self) -> &StrategyDebugger {
        &self.debugger
    }

    pub(crate) fn edits(&self) -> &[ManualEdit] {
        &self.edits
    }

    pub(crate) fn toasts(&self) -> &Toasts {
        &self.toasts
    }

    /// The same to be shown: they fade, and are closed by a click.
    pub(crate) fn toasts_mut(&mut self) -> &mut Toasts {
        &mut self.toasts
    }

    /// What is told beside a cell that was clicked, to be shown: it goes by itself.
    pub(crate) fn explanation_mut(&mut self) -> &mut Explanation {
        &mut self.explanation
    }

    pub(crate) fn lesson(&self) -> Option<&Lesson> {
        self.lesson.as_ref()
    }

    /// The file in which the match is saved.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

/// What is known of the match.
impl MatchController {
    pub fn mirror(&self) -> &Mirror {
        self.requests.mirror()
    }

    pub fn is_closed(&self) -> bool {
        self.requests.is_closed
    }

    /// The match as the player in front of the window sees it.
    pub fn state(&self) -> Option<&Arc<State>> {
        self.mirror().main_view()
    }

    pub fn localized(&self, text: &str) -> String {
        self.requests.connection.translate(text).into_owned()
    }

    /// What translates the texts of the ruleset.
    pub fn translator(&self) -> &Translator {
        self.requests.connection.translator()
    }

    /// So many pieces of a seat, in the word that the ruleset has for them.
    pub fn pieces_text(&self, count: usize) -> String {
        let text = self.requests.connection.pieces(count);
        text.unwrap_or_else(|| text!("seats-pieces", count = count))
    }

    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome().map(|outcome| Outcome {
            reason: self.localized(&outcome.reason).into(),
            ..outcome.clone()
        })
    }

    pub fn action_title(&self, action: ActionId) -> String {
        let declared = self.mirror().declarations().and_then(|declarations| declarations.action(action));
        declared.map_or_else(|| text!("choice-act"), |declared| declared.title.to_string())
    }

    /// The seat that may act now and is held here.
    pub fn acting_here(&self) -> Option<SeatId> {
        let mirror = self.mirror();
        let acting = self.state()?.acting();
        // In a tutorial the others do what it says.
        let is_led = |seat: SeatId| self.lesson.as_ref().is_some_and(|lesson| lesson.seat() != seat);
        acting.iter().find(|seat| mirror.plays(*seat) && !is_led(*seat))
    }

    /// The seat whose side is shown: the one to act here; who looks back goes on with their own; else the first that is held.
    pub fn viewer(&self) -> Option<SeatId> {
        let mirror = self.mirror();
        let looks_back = || mirror.main_viewer().filter(|_| mirror.at() < mirror.length());
        self.acting_here().or_else(looks_back).or_else(|| mirror.seats().first())
    }

    /// The seat for which something can be done here beside the rules, such as resigning: the one to act, or else the first that is not out.
    pub fn own_seat(&self) -> Option<SeatId> {
        let (mirror, state) = (self.mirror(), self.state()?);
        if state.outcome().is_some() || mirror.at() < mirror.length() || self.lesson.is_some() {
            return None;
        }
        let is_in = |seat: &SeatId| mirror.plays(*seat) && !state.eliminated().contains(*seat);
        self.acting_here().or_else(|| mirror.seats().iter().find(is_in))
    }

    /// How long a message to the host and its answer take, where the host is over the network.
    pub fn latency(&self) -> Option<Duration> {
        self.requests.connection.latency()
    }

    /// Whether somebody plays at another window or terminal, who can be offered something.
    pub fn has_people_elsewhere(&self) -> bool {
        let mirror = self.mirror();
        let seats = mirror.declarations().map(|declarations| declarations.all_seats());
        seats.is_some_and(|seats| seats.iter().any(|seat| mirror.is_person(seat) && !mirror.seats().contains(seat)))
    }

    /// Whether a computer plays a seat.
    pub fn has_computers(&self) -> bool {
        let seats = self.mirror().declarations().map(|declarations| declarations.all_seats());
        seats.is_some_and(|seats| seats.iter().any(|seat| !self.mirror().is_person(seat)))
    }

    /// The title of what waits for the player to confirm it.
    pub(crate) fn title_to_confirm(&self, to_confirm: &ToConfirm) -> String {
        match to_confirm {
            ToConfirm::Action(action) => self.action_title(action.action),
            ToConfirm::Resign(_) => text!("match-resign"),
            ToConfirm::Draw(_) => text!("match-agree-draw"),
        }
    }

    /// The position at which play begins: what the rules did by themselves before it cannot be undone.
    pub fn first(&self) -> usize {
        let history = self.mirror().history().iter();
        history.take_while(|entry| entry.cause == EntryCause::Host).count()
    }

    /// The position of the history that is shown once the host has answered.
    pub fn destination(&self) -> usize {
        self.requests.destination()
    }

    pub fn problems(&self) -> Vec<Diagnostic> {
        self.rules.problems(self.mirror().problems())
    }

    pub fn rule_changes(&self) -> &[ReloadNotice] {
        &self.rules.changes
    }

    /// The computer player of the newest report: its seat, what it thinks or thought, and whether it still does.
    pub fn thinker(&self) -> Option<(SeatId, &ThinkingReport, bool)> {
        let seat = self.thinking.newest?;
        let now = self.mirror().thinking().get(&seat);
        Some((seat, now.or_else(|| self.thinking.latest.get(&seat))?, now.is_some()))
    }

    /// The course of the match, if that is known; requested when it is not, or has changed.
    pub fn statistics(&mut self) -> Option<&Arc<Statistics>> {
        self.statistics.ask(self.rules.version, &mut self.requests)
    }
}

/// What is shown on the board.
impl MatchController {
    /// Whether a past position is shown and the present is known.
    pub fn can_compare(&self) -> bool {
        self.history.can_compare(self.mirror())
    }

    pub fn present(&self) -> Option<(&Arc<State>, &Arc<Looks>)> {
        self.history.present(self.mirror())
    }

    /// Requests a preview of the action that is chosen, or that a click under the pointer or the number being chosen would complete.
    pub fn ask_preview(&mut self, hovered: Option<CellId>, number: Option<(ActionId, Pick)>) {
        let wanted = self.previewed_action(hovered, number);
        let wanted = wanted.map(|action| (self.choice.number, action));
        self.preview.ask(wanted, &mut self.requests);
    }

    fn previewed_action(&self, hovered: Option<CellId>, number: Option<(ActionId, Pick)>) -> Option<Action> {
        let picker = self.picker().filter(|_| self.may_choose())?;
        let state = self.state();
        let clicked = hovered.and_then(|cell| picker.ahead(cell, state.map_or(&[], |state| state.pieces_at(cell))));
        let with_number = || number.and_then(|(action, pick)| picker.with(action, pick));
        let chosen = || Some(picker).filter(|picker| picker.has_picked()).and_then(ActionPicker::sole);
        clicked.or_else(with_number).or_else(chosen)
    }

    /// What the action that is chosen or pointed at would change on the board.
    pub fn preview(&self) -> Option<&ActionPreview> {
        self.preview.of(self.choice.number).filter(|_| self.may_choose())
    }
}

/// Odds, strategies and their debugger.
impl MatchController {
    /// The odds of the contest that the action being chosen begins, if it does and they are asked for; requested when the choice has
    /// changed.
    pub fn odds(&mut self, asks: bool) -> Option<Arc<OddsReport>> {
        let picker = self.choice.picker.as_ref().filter(|_| asks);
        self.odds.ask(self.choice.number, picker, &mut self.requests)
    }

    fn moment(&self) -> Option<Moment> {
        self.state().map(|state| (state.digest(), self.rules.version))
    }

    /// A strategy's value of the state for each seat, as far as it is known; requested when the match has changed.
    pub fn evaluation(&mut self, strategy: &str) -> &[Option<i64>] {
        self.insight.evaluation(strategy, self.moment(), &mut self.requests)
    }

    /// Shows numbers of cells on the board, or nothing.
    pub(crate) fn show_heat_map(&mut self, shown: Option<HeatMapSource>) {
        let viewer = self.viewer();
        self.insight.show_heat_map(shown, viewer, self.moment(), &mut self.requests);
    }

    pub fn watch_strategies(&mut self, watched: bool) {
        self.insight.watch(watched, &mut self.requests);
    }

    pub fn strategy_seats(&self) -> Vec<SeatId> {
        let strategies = self.mirror().description().map_or(&[][..], |description| &description.strategies);
        let players = self.mirror().players().iter().enumerate();
        let seats = players.filter(|(_, player)| debugger::is_strategy(player, strategies));
        seats.map(|(index, _)| SeatId::from_index(index)).collect()
    }
}
