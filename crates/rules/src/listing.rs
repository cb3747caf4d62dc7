//! Which actions a seat has: all that are legal, or the candidates of computer players.
#![expect(
    clippy::missing_errors_doc,
    reason = "they fail if the rules are at fault, and listings of all sorts only where that leaves nothing to list"
)]

use std::sync::Arc;

use super::flow::{check, offered};
use super::notation::plain_notation;
use super::request::{check_budget, is_spent};
use super::{Request, RequestKind, Rules};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Action, ActionId, Domain, Pick, Picks, Rejection, SeatId, State};

/// The most actions listed for one seat.
pub const MOST_ACTIONS: usize = 200_000;
/// The most bytes that the lists, paths and texts picked in the listed actions of one sort may take together.
pub(super) const MOST_PICK_BYTES: usize = 8 << 20;

/// Appends the legal actions of a seat, in any order and perhaps twice. The quick form, for playouts. Sorts of actions that the rules
/// cannot list because they are at fault are left out, if there are others.
pub fn list(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, out: &mut Vec<Action>) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    let before = out.len();
    let mut left_out = None;
    for resort in Resort::BOTH {
        if out.len() == before {
            for action in resort.of(state, seat) {
                list_if_sound(rules, state, seat, action, out, &mut left_out);
            }
        }
    }
    fault_if_none(left_out, out.len() > before)
}

/// Whether actions are legal beside others, or only where no other is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resort {
    First,
    Last,
}

impl Resort {
    const BOTH: [Self; 2] = [Self::First, Self::Last];

    /// The actions of the sort that a seat is offered.
    fn of(self, state: &State, seat: SeatId) -> impl Iterator<Item = ActionId> {
        offered(state, seat).filter(move |action| is_last_resort(state, *action) == (self == Self::Last))
    }
}

pub(super) fn is_last_resort(state: &State, action: ActionId) -> bool {
    state.declarations().action(action).is_some_and(|declared| declared.is_last_resort)
}

/// Whether an action is legal only where no other is, and another one is.
pub(super) fn is_left_for_later(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId) -> bool {
    is_last_resort(state, action) && has_any(rules, state, seat, Resort::First).unwrap_or(false)
}

/// Legal actions that differ in their last pick alone.
#[derive(Debug)]
pub(super) struct Bunch {
    action: ActionId,
    /// The picks before the last one.
    picked: Picks,
    /// What the last one is taken from; nothing where the action has no picks.
    last: Option<Domain>,
}

impl Bunch {
    /// How many they are.
    pub(super) fn count(&self) -> usize {
        self.last.as_ref().map_or(1, Domain::count)
    }

    /// One of them, for a seat.
    pub(super) fn nth(&self, index: usize, seat: SeatId) -> Option<Action> {
        let mut picks = self.picked.clone();
        if let Some(last) = &self.last {
            picks.push(last.each_pick().nth(index)?);
        }
        Some(Action {
            seat,
            action: self.action,
            picks,
        })
    }
}

/// More actions than these are listed one by one, which knows what is too much.
const MOST_BUNCHED: usize = 10_000;

/// Appends the legal actions of a seat in the order of [`list`], in bunches: so one can be drawn without a list of all. False if some are
/// weighed or have a pattern, if they are many, or if the rules are at fault: then they have to be listed.
pub(super) fn list_bunches(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, out: &mut Vec<Bunch>) -> bool {
    let _request = Request::begin(rules, RequestKind::Step);
    let is_weighed = |action| !matches!(rules.guidance().playout_weights(state, seat, action), Ok(None));
    if offered(state, seat).any(|action| rules.pattern(action).is_some() || is_weighed(action)) {
        return false;
    }
    for action in Resort::First.of(state, seat).chain(Resort::Last.of(state, seat)) {
        if is_last_resort(state, action) && out.iter().any(|bunch| bunch.count() > 0 && !is_last_resort(state, bunch.action)) {
            break;
        }
        let picks = state.declarations().action(action).map_or(0, |declared| declared.picks.len());
        let is_listed = match may(rules, state, seat, action) {
            Ok(true) => add_bunches(
                &|picked| rules.domain(state, seat, action, picked),
                (action, picks),
                &mut Picks::new(),
                out,
            ),
            Ok(false) => true,
            Err(_) => false,
        };
        if !is_listed {
            return false;
        }
    }
    out.iter().map(Bunch::count).fold(0, usize::saturating_add) <= MOST_BUNCHED
}

/// Appends the actions of one sort that begin with some picks. False if they have to be listed.
fn add_bunches(
    domain: &dyn Fn(&[Pick]) -> Result<Domain, Rejection>,
    (action, count): (ActionId, usize),
    picked: &mut Picks,
    out: &mut Vec<Bunch>,
) -> bool {
    let Some(further) = count.checked_sub(picked.len() + 1) else {
        out.push(Bunch {
            action,
            picked: Picks::new(),
            last: None,
        });
        return true;
    };
    let choices = match domain(picked) {
        Err(Rejection::Refused(_)) => return true,
        Err(Rejection::Fault(_)) => return false,
        Ok(choices) => choices,
    };
    // Paths and lists may take much room, of which the listing takes care.
    let is_small = match &choices {
        Domain::SomeCells { of, .. } => of.count() <= MOST_OF_SUBSETS,
        Domain::SomePieces { of, .. } => of.len() <= MOST_OF_SUBSETS,
        Domain::Paths(_) | Domain::Text { .. } => false,
        _ => true,
    };
    if !is_small || choices.count() > MOST_BUNCHED || out.len() > MOST_BUNCHED {
        return false;
    }
    if further == 0 {
        out.push(Bunch {
            action,
            picked: picked.clone(),
            last: Some(choices),
        });
        return true;
    }
    choices.each_pick().all(|pick| {
        picked.push(pick);
        let is_listed = add_bunches(domain, (action, count), picked, out);
        picked.pop();
        is_listed
    })
}

/// Subsets of no more things are drawn without a list.
const MOST_OF_SUBSETS: usize = 64;

/// Appends all legal actions of one sort that is offered, or notes why they are left out.
fn list_if_sound(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    action: ActionId,
    out: &mut Vec<Action>,
    left_out: &mut Option<Rejection>,
) {
    let before = out.len();
    // What was listed before may have taken long without a call: by a pattern, for instance.
    let is_left = if before > 0 || left_out.is_some() {
        check_budget(rules)
    } else {
        Ok(())
    };
    if let Err(rejection) = is_left.and_then(|()| list_sort(rules, state, seat, action, out)) {
        out.truncate(before);
        if is_spent(&rejection) {
            *left_out = Some(rejection);
        } else {
            left_out.get_or_insert(rejection);
        }
    }
}

/// What is left out is the answer where nothing is left; and where the budget is spent, for what could still be listed would depend on it.
fn fault_if_none(left_out: Option<Rejection>, has_found: bool) -> Result<(), Rejection> {
    left_out.filter(|rejection| !has_found || is_spent(rejection)).map_or(Ok(()), Err)
}

/// Appends all legal actions of one sort that is offered.
pub(super) fn list_sort(
    rules: &dyn Rules,
    state: &Arc<State>,
    seat: SeatId,
    action: ActionId,
    out: &mut Vec<Action>,
) -> Result<(), Rejection> {
    if !may(rules, state, seat, action)? {
        return Ok(());
    }
    if !rules.list(state, seat, action, out)? {
        enumerate_by(&|picked| rules.domain(state, seat, action, picked), (seat, action), state, out)?;
    }
    Ok(())
}

/// The legal actions of a seat of one sort, sorted and unique; none if that sort is not offered.
pub fn legal_of(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<Vec<Action>, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    let mut found = Vec::new();
    if offered(state, seat).any(|offered| offered == action) && !is_left_for_later(rules, state, seat, action) {
        list_sort(rules, state, seat, action, &mut found)?;
    }
    Ok(sorted(found))
}

/// All legal actions of a seat, sorted and unique.
///
/// # Errors
/// If the rules are at fault with any of them.
pub fn legal(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<Vec<Action>, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    let mut actions = Vec::new();
    for resort in Resort::BOTH {
        if actions.is_empty() {
            for action in resort.of(state, seat) {
                list_sort(rules, state, seat, action, &mut actions)?;
                check_budget(rules)?;
            }
        }
    }
    Ok(sorted(actions))
}

/// The legal actions of a seat, sorted and unique, without those that the rules cannot list because they are at fault: a mistake in
/// one action leaves the others to be played. What was wrong is told by [`Rules::take_faults`].
pub fn available(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<Vec<Action>, Rejection> {
    let mut actions = Vec::new();
    list(rules, state, seat, &mut actions)?;
    Ok(sorted(actions))
}

/// Appends the candidate actions of a seat, in any order and perhaps twice: those that the rules name, and all legal ones of the sorts of
/// which they name none. Named ones are not checked. What the rules are at fault with is left out, as in [`list`].
pub fn list_candidates(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, out: &mut Vec<Action>) -> Result<(), Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    let before = out.len();
    let mut left_out = None;
    for action in Resort::First.of(state, seat).chain(Resort::Last.of(state, seat)) {
        let length = out.len();
        if is_last_resort(state, action)
            && out
                .get(before..)
                .is_some_and(|found| found.iter().any(|found| !is_last_resort(state, found.action)))
        {
            break;
        }
        if rules.guidance().candidates(state, seat, action, out).is_err() {
            out.truncate(length);
        }
        if out.len() == length {
            list_if_sound(rules, state, seat, action, out, &mut left_out);
        }
    }
    fault_if_none(left_out, out.len() > before)
}

fn sorted(mut actions: Vec<Action>) -> Vec<Action> {
    actions.sort_unstable();
    actions.dedup();
    actions
}

/// The candidate actions of a seat, sorted and unique, those that the rules name checked. What the rules cannot list because they are at
/// fault is left out, as in [`list`].
///
/// # Errors
/// If the rules name a candidate that is not legal, or are at fault and nothing can be done for that.
pub fn candidates(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<Vec<Action>, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    let (mut actions, mut left_out) = (Vec::new(), None);
    for action in Resort::First.of(state, seat).chain(Resort::Last.of(state, seat)) {
        let length = actions.len();
        if is_last_resort(state, action) && actions.iter().any(|found: &Action| !is_last_resort(state, found.action)) {
            break;
        }
        rules.guidance().candidates(state, seat, action, &mut actions)?;
        for candidate in actions.get(length..).unwrap_or_default() {
            check(rules, state, candidate).map_err(|rejection| match rejection {
                Rejection::Refused(refusal) => {
                    let what = plain_notation(state, candidate);
                    Diagnostic::error(Code::IllegalCandidate, format!("{what} is a candidate, but not legal: {refusal}")).into()
                }
                fault @ Rejection::Fault(_) => fault,
            })?;
        }
        if actions.len() == length {
            list_if_sound(rules, state, seat, action, &mut actions, &mut left_out);
        }
    }
    fault_if_none(left_out, !actions.is_empty())?;
    Ok(sorted(actions))
}

/// Whether a seat has any legal action.
pub fn has_legal(rules: &dyn Rules, state: &Arc<State>, seat: SeatId) -> Result<bool, Rejection> {
    Ok(has_any(rules, state, seat, Resort::First)? || has_any(rules, state, seat, Resort::Last)?)
}

fn has_any(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, resort: Resort) -> Result<bool, Rejection> {
    let _request = Request::begin(rules, RequestKind::Step);
    let (mut actions, mut left_out) = (Vec::new(), None);
    for action in resort.of(state, seat) {
        let has_any = if let Some(pattern) = rules.pattern(action) {
            matches!(may(rules, state, seat, action), Ok(true)) && pattern.has_any(state, seat)
        } else {
            list_if_sound(rules, state, seat, action, &mut actions, &mut left_out);
            !actions.is_empty()
        };
        if has_any {
            return Ok(true);
        }
    }
    fault_if_none(left_out, false).map(|()| false)
}

/// Whether an action can be asked at all now. Rules may say no by a refusal, which gives the reason.
pub(super) fn may(rules: &dyn Rules, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<bool, Rejection> {
    match rules.may(state, seat, action) {
        Err(Rejection::Refused(_)) => Ok(false),
        result => result,
    }
}

/// Appends all actions of one sort that some domains allow.
pub(super) fn enumerate_by(
    domain: &dyn Fn(&[Pick]) -> Result<Domain, Rejection>,
    of: (SeatId, ActionId),
    state: &State,
    out: &mut Vec<Action>,
) -> Result<(), Rejection> {
    let declared = state.declarations().action(of.1);
    let mut listing = Listing {
        domain,
        of,
        name: declared.map_or("?", |declared| &declared.name),
        count: declared.map_or(0, |declared| declared.picks.len()),
        bytes: 0,
        out,
    };
    listing.go_through(&mut Picks::new())
}

/// The actions of one sort while they are listed.
struct Listing<'a> {
    domain: &'a dyn Fn(&[Pick]) -> Result<Domain, Rejection>,
    of: (SeatId, ActionId),
    name: &'a str,
    /// How many picks the action has.
    count: usize,
    /// Bytes of lists, paths and texts in the picks of what was listed.
    bytes: usize,
    out: &'a mut Vec<Action>,
}

impl Listing<'_> {
    fn go_through(&mut self, picked: &mut Picks) -> Result<(), Rejection> {
        if picked.len() >= self.count {
            return self.add(picked.clone());
        }
        let choices = match (self.domain)(picked) {
            Err(Rejection::Refused(_)) => return Ok(()),
            result => result?,
        };
        let is_last = picked.len() + 1 == self.count;
        for pick in choices.each_pick() {
            if is_last {
                let mut picks = picked.clone();
                picks.push(pick);
                self.add(picks)?;
                continue;
            }
            picked.push(pick);
            let result = self.go_through(picked);
            picked.pop();
            result?;
        }
        Ok(())
    }

    fn add(&mut self, picks: Picks) -> Result<(), Rejection> {
        self.bytes += picks.iter().map(Pick::list_bytes).sum::<usize>();
        if self.out.len() >= MOST_ACTIONS {
            return Err(self.too_many(&format!("more than {MOST_ACTIONS} ways to be carried out")));
        }
        if self.bytes > MOST_PICK_BYTES {
            let ways = format!(
                "ways to be carried out that pick more than {} MiB of lists together",
                MOST_PICK_BYTES >> 20
            );
            return Err(self.too_many(&ways));
        }
        let (seat, action) = self.of;
        self.out.push(Action { seat, action, picks });
        Ok(())
    }

    fn too_many(&self, ways: &str) -> Rejection {
        Diagnostic::error(Code::TooManyActions, format!("{} has {ways}", self.name))
            .with_help("ask for one piece or cell after the other, in picks or actions of their own")
            .into()
    }
}
