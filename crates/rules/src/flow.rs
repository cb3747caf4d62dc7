//! How play goes on: which actions are legal, what happens when one is carried out, when turns and matches end.
//!
//! What writes to a transaction either happens as a whole or, where the rules refuse or are at fault, leaves it as it was.
#![expect(clippy::missing_errors_doc, reason = "said above")]

use std::sync::Arc;

use super::endings::{NoActionsCheck, declared_outcome};
use super::listeners::Watch;
pub(super) use super::listing::enumerate_by;
use super::listing::is_left_for_later;
pub use super::listing::{MOST_ACTIONS, available, candidates, has_legal, legal, list, list_candidates};
use super::notation::shortened;
pub use super::notation::{pick_text, plain_notation, read_pick};
use super::transaction::Requests;
use super::{Occurrence, Request, RequestKind, Rules, Transaction, endings, turns};
use boardwright_model::diagnostic::Code;
use boardwright_model::{
    Action, ActionId, CellId, Declarations, Domain, Idle, PhaseId, Pick, PickDeclaration, PickKind, PieceId, Refusal, RefusalCode,
    Rejection, SeatId, Sentence, State, TurnMark, sentence,
};

/// The most phases, turns and hooks that may follow one another without anyone being asked.
const MOST_STEPS: usize = 10_000;

/// After so many turns that were passed over one after the other nobody is taken to be able to act, whatever may still be thrown: where a double six
/// is waited for, it comes before that but for one time in a million.
const MOST_PASSES: usize = 500;
/// What rules are told that end a turn or phase too early.
pub const ENDS_AT_OPEN_QUESTION: &str = "a turn or phase cannot end while a question is open: end it where the question is answered";

/// The actions that fit the phase and the open decision, for a seat that may act. Those that stand beside the play are left out.
pub fn offered(state: &State, seat: SeatId) -> impl Iterator<Item = ActionId> {
    fitting(state, seat).filter(|action| state.declarations().action(*action).is_some_and(|declared| !declared.is_aside))
}

/// The actions that fit the phase and the open decision, for a seat that may act.
pub fn fitting(state: &State, seat: SeatId) -> impl Iterator<Item = ActionId> {
    let may_act = state.acting().contains(seat);
    let decision = state.sequence().decision().map(|decision| decision.action);
    let phase = state.sequence().phase;
    let all = state.declarations().action_ids().filter(move |(id, declared)| {
        may_act
            && match decision {
                Some(asked) => state.declarations().may_answer(*id, asked),
                None => !declared.answers_decision && (declared.phases.is_empty() || declared.phases.contains(&phase)),
            }
    });
    all.map(|(id, _)| id)
}

/// What may be picked next, after some picks that are checked first. `None` when the picks are complete.
///
/// # Errors
/// If the action cannot be asked now, a pick is not offered, or the rules are at fault.
pub fn next_domain(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    action: ActionId,
    picked: &[Pick],
) -> Result<Option<Domain>, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    check_asked(rules, state, seat, action)?;
    let declared = state.declarations().action(action).map_or(&[][..], |declared| &declared.picks);
    if picked.len() > declared.len() {
        let reason = sentence!("{given} picks given, {asked} asked", given = picked.len(), asked = declared.len());
        return Err(Refusal::new(RefusalCode::WrongPicks, reason).into());
    }
    for (index, (pick, _)) in picked.iter().zip(declared).enumerate() {
        let domain = rules.domain(state, seat, action, picked.get(..index).unwrap_or_default())?;
        if !domain.contains(pick) {
            if picked
                .iter()
                .zip(declared)
                .all(|(pick, declared)| is_there(state, pick, declared.kind))
                && let Some(refusal) = rules.explain(state, seat, action, picked)
            {
                return Err(refusal.into());
            }
            let pick = shortened(&pick_text(state, pick));
            let reason = match domain {
                Domain::Numbers { min, max, step: 1 } if min < max => {
                    sentence!("{pick} cannot be picked: choose a number from {min} to {max}")
                }
                _ => sentence!("{pick} cannot be picked"),
            };
            let refusal = Refusal::new(RefusalCode::NotOffered, reason);
            return Err(refusal.of_rule(rule_of(state, action, Some(index))).into());
        }
    }
    if picked.len() == declared.len() {
        Ok(None)
    } else {
        rules.domain(state, seat, action, picked).map(Some)
    }
}

/// Whether there is such a thing in a match as was picked.
fn is_there(state: &State, pick: &Pick, kind: PickKind) -> bool {
    let cell = |cell: &CellId| cell.index() < state.board().cell_count();
    let piece = |piece: &PieceId| state.piece(*piece).is_some();
    match (pick, kind) {
        (Pick::Cell(picked), PickKind::Cell) => cell(picked),
        (Pick::Cells(picked), PickKind::Cells) => picked.iter().all(cell),
        (Pick::Path(picked), PickKind::Path) => picked.iter().all(cell),
        (Pick::Piece(picked), PickKind::Piece) => piece(picked),
        (Pick::Pieces(picked), PickKind::Pieces) => picked.iter().all(piece),
        (Pick::Seat(picked), PickKind::Seat) => state.declarations().all_seats().contains(*picked),
        (Pick::Number(_), PickKind::Number)
        | (Pick::Choice(_), PickKind::Choice)
        | (Pick::Pose(_), PickKind::Pose)
        | (Pick::Text(_), PickKind::Text) => true,
        _ => false,
    }
}

/// The rule that says what may be picked, or when the action can be asked.
fn rule_of(state: &State, action: ActionId, pick: Option<usize>) -> Arc<str> {
    let declared = state.declarations().action(action);
    let of_pick = declared.and_then(|declared| Some(&declared.picks.get(pick?)?.rule));
    let rule = of_pick
        .filter(|rule| !rule.is_empty())
        .or_else(|| declared.map(|declared| &declared.rule));
    rule.map_or_else(|| Arc::from(""), Arc::clone)
}

fn check_asked(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<(), Rejection> {
    let refuse = |code, reason: Sentence| Err(Refusal::new(code, reason).into());
    let Some(declared) = state.declarations().action(action) else {
        return refuse(RefusalCode::UnknownAction, sentence!("there is no such action"));
    };
    if state.outcome().is_some() {
        return refuse(RefusalCode::MatchOver, sentence!("the match is over"));
    }
    if !state.acting().contains(seat) {
        let acting: Vec<_> = state.acting().iter().map(|seat| state.declarations().seat_title(seat)).collect();
        let reason = sentence!("it is the turn of {seats}", seats = acting.join(", "));
        return refuse(RefusalCode::NotYourTurn, reason);
    }
    let refuse_now = |reason| {
        let refusal = Refusal::new(RefusalCode::NotNow, reason);
        Err(refusal.of_rule(rule_of(state, action, None)).into())
    };
    if !fitting(state, seat).any(|fitting| fitting == action) || !rules.may(state, seat, action)? {
        return refuse_now(sentence!("{action} cannot be done now", action = declared.title));
    }
    if is_left_for_later(rules, state, seat, action) {
        return refuse_now(sentence!("{action} is for those who can do nothing else", action = declared.title));
    }
    Ok(())
}

/// Checks an action against phase, decision and domains.
///
/// # Errors
/// If it is not legal, with the reason.
pub fn check(rules: &dyn Rules, state: &Arc<State>, action: &Action) -> Result<(), Rejection> {
    if next_domain(rules, state, action.seat, action.action, &action.picks)?.is_none() {
        return Ok(());
    }
    let declared = state.declarations().action(action.action);
    Err(still_to_pick(declared.and_then(|declared| declared.picks.get(action.picks.len()))).into())
}

/// The refusal of an action of which a pick is wanting.
pub(super) fn still_to_pick(pick: Option<&PickDeclaration>) -> Refusal {
    let asks = pick.map_or("", |pick| if pick.prompt.is_empty() { &*pick.name } else { &*pick.prompt });
    Refusal::new(RefusalCode::Unfinished, sentence!("something is still to be picked: {asks}"))
}

/// Begins a match: first round, first phase, and the first seat, or the one that the rules let follow when they prepared the match.
pub fn begin(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    whole(transaction, |transaction| {
        let mut watch = Watch::new(rules, transaction);
        rules.begin(transaction)?;
        let requests = std::mem::take(&mut transaction.requests);
        if transaction.state().sequence().mark.turn == 0
            && let Some(mark) = turns::following(transaction.state(), requests.next_seat)
        {
            transaction.set_turn(mark)?;
        }
        watch.notify(transaction, &Occurrence::Begun)?;
        rules.enter_phase(transaction)?;
        settle(rules, transaction, watch, true)
    })
}

/// Begins a match that a scenario sets up: at its beginning, or where the scenario says that it goes on.
pub fn begin_scenario(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    if transaction.state().sequence().mark.turn > 0 {
        resume(rules, transaction)
    } else {
        begin(rules, transaction)
    }
}

/// Takes up a match under changed rules: it ends at once if by these it is over.
pub fn resume(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    whole(transaction, |transaction| {
        let watch = Watch::new(rules, transaction).until_something_happens();
        settle(rules, transaction, watch, false)
    })
}

/// Checks an action and carries it out, with all that follows from it until someone is asked again or the match has ended.
pub fn perform(rules: &dyn Rules, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    check(rules, transaction.state(), action)?;
    perform_legal(rules, transaction, action)
}

/// Goes to a phase of the present turn, or begins the turn of a seat, as an edit: what happens when one gets there happens.
///
/// # Errors
/// If a question is open, or the rules are at fault; nothing has changed then.
pub fn jump(rules: &dyn Rules, transaction: &mut Transaction, phase: Option<PhaseId>, seat: Option<SeatId>) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    if !transaction.state().sequence().decisions.is_empty() {
        return Err(Rejection::at_fault(
            Code::OpenQuestion,
            "a question is open: it has to be answered first",
        ));
    }
    whole(transaction, |transaction| {
        let watch = Watch::new(rules, transaction);
        if let Some(mark) = seat.and_then(|seat| turns::following(transaction.state(), Some(seat))) {
            transaction.set_turn(mark)?;
        }
        transaction.set_phase(phase.unwrap_or(PhaseId(0)))?;
        rules.enter_phase(transaction)?;
        settle(rules, transaction, watch, seat.is_some())
    })
}

/// Carries out an action that is known to be legal, because it was listed for this very state.
pub fn perform_legal(rules: &dyn Rules, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
    perform_with(rules, transaction, action, NoActionsCheck::Now)
}

/// The same in a playout: endings by `no_actions` are not checked, because drawing the next action tells as much. Call [`conclude`] where no action can be
/// drawn, or where the playout stops.
pub fn perform_in_playout(rules: &dyn Rules, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
    perform_with(rules, transaction, action, NoActionsCheck::Deferred)
}

/// Checks the endings that [`perform_in_playout`] deferred, and ends the match if one applies.
pub fn conclude(rules: &dyn Rules, transaction: &mut Transaction) -> Result<(), Rejection> {
    if transaction.state().outcome().is_none() && transaction.state().sequence().decisions.is_empty() {
        let _request = Request::begin(rules, RequestKind::Step);
        end_if_over(rules, transaction, NoActionsCheck::Now)?;
    }
    Ok(())
}

fn perform_with(rules: &dyn Rules, transaction: &mut Transaction, action: &Action, no_actions: NoActionsCheck) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    whole(transaction, |transaction| {
        let decision = transaction.state().sequence().decision().map(|decision| decision.id);
        let mut watch = Watch::new(rules, transaction);
        rules.carry_out(transaction, action)?;
        if let Some(decision) = decision {
            transaction.answer(action.seat, decision)?;
        }
        let declared = transaction.state().declarations().action(action.action);
        if declared.is_some_and(|declared| declared.ends_turn) {
            transaction.end_turn(transaction.requests.next_seat);
        }
        watch.done(transaction, action)?;
        settle_with(rules, transaction, watch, (false, no_actions))
    })
}

/// Runs something whole or not at all.
pub(super) fn whole(transaction: &mut Transaction, run: impl FnOnce(&mut Transaction) -> Result<(), Rejection>) -> Result<(), Rejection> {
    let mark = transaction.mark();
    let result = run(transaction);
    if result.is_err() {
        transaction.rollback(mark);
    }
    result
}

/// Grants what hooks asked for, until someone is asked or the match has ended. `is_fresh` says that nobody has acted in the present
/// turn yet.
pub(super) fn settle(rules: &dyn Rules, transaction: &mut Transaction, watch: Watch<'_>, is_fresh: bool) -> Result<(), Rejection> {
    settle_with(rules, transaction, watch, (is_fresh, NoActionsCheck::Now))
}

fn settle_with(
    rules: &dyn Rules,
    transaction: &mut Transaction,
    mut watch: Watch<'_>,
    (mut is_fresh, no_actions): (bool, NoActionsCheck),
) -> Result<(), Rejection> {
    let mut passes = Passes::after(transaction.draws().len());
    for step in 0..MOST_STEPS {
        watch.catch_up(transaction)?;
        let mut requests = std::mem::take(&mut transaction.requests);
        if waits(transaction.state(), requests)? {
            return Ok(());
        }
        let phase = transaction.state().sequence().phase;
        let phases = &transaction.state().declarations().phases;
        let is_automatic = phases.get(phase.index()).is_some_and(|phase| phase.automatic);
        let is_new_turn = step > 0 && phase == PhaseId(0);
        if !(requests.go_on() || is_automatic) || is_new_turn || is_turn_of_nobody(transaction.state()) {
            watch.notify(transaction, &Occurrence::Settled)?;
            requests = requests.and(std::mem::take(&mut transaction.requests));
            if waits(transaction.state(), requests)? {
                return Ok(());
            }
            // Where play goes on without anyone being asked, no draw follows that could tell.
            let is_asked_next =
                !goes_on(transaction.state(), requests, is_automatic) && transaction.state().declarations().idle == Idle::Asked;
            if end_if_over(rules, transaction, if is_asked_next { no_actions } else { NoActionsCheck::Now })? {
                return Ok(());
            }
        }
        let is_out = is_turn_of_nobody(transaction.state());
        let goes_on = goes_on(transaction.state(), requests, is_automatic);
        let is_idle = !goes_on && is_fresh && pass_over(rules, transaction, &mut passes)?;
        if transaction.state().outcome().is_some() {
            return Ok(());
        }
        if !goes_on && !is_idle {
            return Ok(());
        }
        rules.leave_phase(transaction)?;
        watch.catch_up(transaction)?;
        let last = transaction.state().declarations().phases.len().saturating_sub(1);
        if is_idle || is_out || requests.end_turn || phase.index() >= last {
            if !next_turn(rules, transaction, &mut watch, requests.next_seat)? {
                let outcome = endings::nobody_can_act(rules, transaction.state())?;
                return transaction.end(outcome);
            }
            is_fresh = true;
            transaction.set_phase(PhaseId(0))?;
        } else {
            transaction.set_phase(PhaseId(phase.0 + 1))?;
        }
        watch.catch_up(transaction)?;
        if transaction.state().outcome().is_some() {
            return Ok(());
        }
        rules.enter_phase(transaction)?;
    }
    let message = format!("{MOST_STEPS} phases went by without anyone being asked");
    Err(Rejection::at_fault(Code::EndlessPhases, message))
}

/// Whether play goes on without anyone being asked.
fn goes_on(state: &State, requests: Requests, is_automatic: bool) -> bool {
    requests.go_on() || is_automatic || is_turn_of_nobody(state)
}

/// Whether the seat on turn is out of the match: its turn ends.
fn is_turn_of_nobody(state: &State) -> bool {
    state.sequence().mark.seat.is_some_and(|seat| state.eliminated().contains(seat))
}

/// Whether play waits: the match is over, or a question is open.
fn waits(state: &State, requests: Requests) -> Result<bool, Rejection> {
    if state.outcome().is_some() || state.sequence().decisions.is_empty() {
        return Ok(state.outcome().is_some());
    }
    if requests.go_on() {
        return Err(Rejection::at_fault(Code::OpenQuestion, ENDS_AT_OPEN_QUESTION));
    }
    Ok(true)
}

/// The turns that were passed over, one after the other.
struct Passes {
    all: usize,
    /// Those since something was last drawn: another throw may help where the last one did not.
    without_luck: usize,
    /// How much had been drawn at the last of them.
    drawn: usize,
}

impl Passes {
    /// None yet; so much has been drawn.
    fn after(drawn: usize) -> Self {
        let (all, without_luck) = (0, 0);
        Self { all, without_luck, drawn }
    }

    /// One more, after which so much has been drawn.
    fn count(&mut self, drawn: usize) {
        self.all += 1;
        self.without_luck = if drawn == self.drawn { self.without_luck + 1 } else { 0 };
        self.drawn = drawn;
    }

    /// Whether they say that nobody can act.
    fn have_come_to_all(&self, declarations: &Declarations) -> bool {
        let round = declarations.turns.len().max(declarations.seats.len());
        self.without_luck >= round || self.all >= MOST_PASSES
    }
}

/// Whether the seat on turn can do nothing and is passed over for it. Ends the match if that has come to all.
fn pass_over(rules: &dyn Rules, transaction: &mut Transaction, passes: &mut Passes) -> Result<bool, Rejection> {
    let state = transaction.state();
    let idle = state.declarations().idle;
    let mark = state.sequence().mark;
    let Some(seat) = mark.seat.filter(|_| idle != Idle::Asked) else {
        return Ok(false);
    };
    if has_legal(rules, state, seat)? {
        return Ok(false);
    }
    passes.count(transaction.draws().len());
    let (title, everyone) = (turns::title(state), state.declarations().all_seats());
    if idle == Idle::DropsOut {
        transaction.note(everyone, sentence!("{seat} drops out", seat = title).text(), None)?;
        transaction.set_turn(TurnMark {
            closed: mark.closed.with(mark.place),
            ..mark
        })?;
    } else if passes.have_come_to_all(state.declarations()) {
        let outcome = endings::nobody_can_act(rules, transaction.state())?;
        transaction.end(outcome)?;
    } else {
        transaction.note(everyone, sentence!("{seat} passes", seat = title).text(), None)?;
    }
    Ok(true)
}

fn end_if_over(rules: &dyn Rules, transaction: &mut Transaction, no_actions: NoActionsCheck) -> Result<bool, Rejection> {
    let outcome = match rules.outcome(transaction.state())? {
        Some(outcome) => Some(outcome),
        None => declared_outcome(rules, transaction.state(), no_actions)?,
    };
    outcome.map_or(Ok(false), |outcome| transaction.end(outcome).map(|()| true))
}

fn next_turn(rules: &dyn Rules, transaction: &mut Transaction, watch: &mut Watch<'_>, next: Option<SeatId>) -> Result<bool, Rejection> {
    turns::count_progress(transaction)?;
    let mut mark = turns::following(transaction.state(), next);
    if mark.is_some_and(|mark| mark.round > transaction.state().sequence().mark.round) {
        rules.end_round(transaction)?;
        watch.catch_up(transaction)?;
        if transaction.state().outcome().is_some() {
            return Ok(true);
        }
        // Who was put out at the end of the round does not begin the next.
        mark = turns::following(transaction.state(), next);
    }
    mark.map_or(Ok(false), |mark| transaction.set_turn(mark).map(|()| true))
}
