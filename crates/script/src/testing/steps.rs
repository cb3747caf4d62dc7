//! Playing and looking: what the words of tests do.

use std::sync::Arc;

use rhai::{Dynamic, INT, Map};

use super::super::api::call_context::CallContext;
use super::super::api::convert;
use super::super::api::handles::View;
use super::super::contests;
use super::super::value::Answer;
use super::context::{Running, TestContext, fail, fail_with};
use super::pieces;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{
    Action, Effect, Forfeit, Outcome, PickDeclaration, PickKind, PickMark, Picks, Rejection, SeatId, State, Value, Visibility,
};
use boardwright_rules::odds::{Chance, ContestQuery, Fraction, odds};
use boardwright_rules::{
    Contests, MOST_STANDING_ACTIONS, Request, RequestKind, are_alike, flow, forfeit, playout_weights, prior, split_pick, standing_action,
};

/// Each result of a contest with its chance.
pub(crate) type OddsFound = Vec<(Arc<str>, Fraction)>;

/// No more actions than this are told in a message.
const MOST_TOLD: usize = 30;

impl Running {
    /// What hooks were at fault that only say how things look or read.
    fn take_faults(&self) -> Answer<()> {
        match self.rules.take_faults().into_iter().next() {
            Some(fault) => Err(fail(fault.to_string())),
            None => Ok(()),
        }
    }

    /// The legal actions of the seats that may act, or of one of them, with their notation.
    fn legal(&self, seat: Option<SeatId>) -> Answer<Vec<(String, Action)>> {
        let state = self.state();
        let mut found = Vec::new();
        for acting in state.acting().iter().filter(|acting| seat.is_none_or(|seat| seat == *acting)) {
            let legal = flow::legal(&*self.rules, state, acting).map_err(|rejection| fail(rejection.to_string()))?;
            found.extend(legal.into_iter().map(|action| (self.rules.notation(state, &action), action)));
        }
        Ok(found)
    }

    /// Reads an action in plain words: its name and its picks.
    fn read(&self, text: &str, seat: Option<SeatId>) -> Answer<Action> {
        let state = self.state();
        let (name, mut rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        let action = state.declarations().find_action(name);
        let known: Vec<&str> = state.declarations().actions.iter().map(|action| &*action.name).collect();
        let unknown = || fail(format!("{text:?}: there is no action {name:?}; there are {}", known.join(", ")));
        let action = action.ok_or_else(unknown)?;
        let declared = state.declarations().action(action).map_or(&[][..], |declared| &declared.picks);
        let mut words = Vec::with_capacity(declared.len());
        for declared in declared {
            let (word, tail) = split_pick(state, declared.kind, rest);
            words.push(word);
            rest = tail;
        }
        // As in the terminal, a selection that comes last may be left out.
        let last = declared.len().saturating_sub(1);
        let is_selection = |pick: &PickDeclaration| matches!(pick.kind, PickKind::Cells | PickKind::Pieces);
        let mut written = words.iter().zip(declared).enumerate();
        let is_missing = written.any(|(index, (word, pick))| word.is_empty() && !(index == last && is_selection(pick)));
        if !rest.is_empty() || is_missing {
            let names: Vec<&str> = declared.iter().map(|pick| &*pick.name).collect();
            return Err(fail(format!("{text:?}: {name} takes the picks {}", names.join(", "))));
        }
        let mut picks = Picks::new();
        for (word, declared) in words.into_iter().zip(declared) {
            let pick = flow::read_pick(state, declared.kind, word);
            picks.push(pick.map_err(|refusal| fail(format!("{text:?}: {refusal}")))?);
        }
        let acting = seat.or_else(|| state.acting().first());
        let seat = acting.ok_or_else(|| fail("the match is over"))?;
        Ok(Action { seat, action, picks })
    }

    /// Carries out what the standing orders of those who are to act call for, as a match does for people.
    fn follow_standing_orders(&mut self) -> Result<(), Rejection> {
        for _ in 0..MOST_STANDING_ACTIONS {
            let state = Arc::clone(self.state());
            let mut found = None;
            for seat in state.acting().iter() {
                found = standing_action(&*self.rules, &state, seat)?;
                if found.is_some() {
                    break;
                }
            }
            let Some(action) = found else { return Ok(()) };
            self.perform(&action)?;
        }
        let message = format!("standing orders called for {MOST_STANDING_ACTIONS} actions in a row");
        Err(Diagnostic::error(Code::EndlessTurn, message).into())
    }

    fn perform(&mut self, action: &Action) -> Result<(), Rejection> {
        flow::perform(&*self.rules, &mut self.transaction, action)?;
        let told = self.transaction.effects().iter().filter_map(|effect| match effect {
            Effect::Note { to, text, .. } => Some((*to, Arc::clone(text))),
            _ => None,
        });
        self.told.extend(told);
        self.transaction.forget();
        Ok(())
    }

    fn contests(&self) -> Answer<&dyn Contests> {
        self.rules.contests().ok_or_else(|| fail("the rules have no contests"))
    }

    /// The exact chance of each result of a contest.
    fn odds(&self, contest: usize, sides: &[Value]) -> Answer<OddsFound> {
        let query = ContestQuery {
            contest,
            sides,
            rounds: None,
        };
        let _request = Request::begin(&*self.rules, RequestKind::Replay);
        let found = odds(self.contests()?, self.state(), &query, 1).map_err(|rejection| fail(rejection.to_string()))?;
        let results = self
            .state()
            .declarations()
            .contests
            .get(contest)
            .map_or(&[][..], |contest| &contest.results);
        let chances = results.iter().cloned().zip(found.results);
        let exact = |(result, chance): (Arc<str>, Chance)| Some((result, chance.exact?));
        chances
            .map(exact)
            .collect::<Option<_>>()
            .ok_or_else(|| fail("this contest has too many results for exact odds"))
    }

    fn seat(&self, name: &str) -> Answer<SeatId> {
        let found = self.state().declarations().find_seat(name);
        found.ok_or_else(|| fail(format!("there is no seat {name:?}")))
    }

    fn legal_named(&self, text: &str, seat: Option<SeatId>) -> Answer<Option<Action>> {
        let mut found = self.legal(seat)?;
        found.retain(|(notation, _)| notation == text);
        if let [(_, first), others @ ..] = &found[..]
            && !others.iter().all(|(_, other)| are_alike(self.state(), first, other))
        {
            return Err(fail(format!("{text:?} stands for {} actions", found.len())));
        }
        Ok(found.into_iter().next().map(|(_, action)| action))
    }

    fn legal_as_written(&self, text: &str) -> Answer<Action> {
        let found = self.legal_named(text, None)?;
        found.ok_or_else(|| fail(format!("{text:?} is not legal")))
    }
}

/// Some texts in one line.
fn joined(texts: &[String]) -> String {
    let mut line = texts.iter().take(MOST_TOLD).cloned().collect::<Vec<_>>().join(", ");
    if texts.len() > MOST_TOLD {
        line.extend([" and ", &(texts.len() - MOST_TOLD).to_string(), " more"]);
    }
    if line.is_empty() { "none".to_owned() } else { line }
}

/// An outcome in the words of tests.
fn outcome_text(state: &State, outcome: &Outcome) -> String {
    let name = |seat: SeatId| {
        state
            .declarations()
            .seats
            .get(seat.index())
            .map_or("?", |seat| &*seat.name)
            .to_owned()
    };
    if outcome.is_draw() {
        return "draw".to_owned();
    }
    let winners: Vec<String> = outcome.winners().map(name).collect();
    format!("win {}", winners.join(" "))
}

impl TestContext {
    /// The state of the match.
    pub(crate) fn state(&mut self) -> Answer<Arc<State>> {
        Ok(Arc::clone(self.running()?.state()))
    }

    /// Has a seat resign.
    pub(crate) fn resign(&mut self, seat: &str) -> Answer<()> {
        let seat = self.running()?.seat(seat)?;
        let result = self.with_luck(|running| {
            forfeit(&*running.rules, &mut running.transaction, seat, Forfeit::Resigned)?;
            running.transaction.forget();
            Ok(())
        })?;
        result.map_err(|rejection| fail(rejection.to_string()))
    }

    /// Carries an action out.
    pub(crate) fn play(&mut self, text: &str, seat: Option<&str>) -> Answer<()> {
        let running = self.running()?;
        let seat = seat.map(|seat| running.seat(seat)).transpose()?;
        let (action, help) = if let Some(action) = running.legal_named(text, seat)? {
            (action, None)
        } else {
            let legal: Vec<String> = running.legal(seat)?.into_iter().map(|(notation, _)| notation).collect();
            let state = running.state();
            let help = Some(match (state.outcome(), legal.is_empty()) {
                (Some(outcome), _) => format!("the match is over: {}, by rule {}", outcome_text(state, outcome), outcome.rule),
                (None, true) => "there is no legal action: it may be another seat's turn".to_owned(),
                (None, false) => format!("legal are {}", joined(&legal)),
            });
            match running.read(text, seat) {
                Ok(action) => (action, help),
                Err(_) => return Err(fail_with(format!("{text:?} is not legal"), help)),
            }
        };
        let result = self.with_luck(|running| {
            let before = Arc::clone(running.state());
            running.told.clear();
            running.perform(&action)?;
            running.played = Some((before, action.clone()));
            running.follow_standing_orders()
        })?;
        result.map_err(|rejection| match &rejection {
            Rejection::Refused(refusal) => fail_with(format!("{text:?} is refused: {refusal}"), help),
            Rejection::Fault(fault) if matches!(fault.code, Code::LuckForbidden | Code::LuckRecord) => fail_with(
                format!("{text:?} draws: {fault}"),
                Some("lay the results down with t.dice([..]), one call a roll, or choose a generator with t.seed(..)".to_owned()),
            ),
            Rejection::Fault(fault) => fail(format!("{text:?} fails: {fault}")),
        })
    }

    /// Expects that an action is refused, by a rule if one is given.
    pub(crate) fn expect_refused(&mut self, text: &str, rule: Option<&str>) -> Answer<()> {
        let running = self.running()?;
        // What is listed may be refused all the same, by what carries it out.
        let action = match running.legal_named(text, None)? {
            Some(action) => action,
            None => running.read(text, None)?,
        };
        let result = self.with_luck(|running| {
            let mark = running.transaction.mark();
            let result = flow::perform(&*running.rules, &mut running.transaction, &action);
            running.transaction.rollback(mark);
            result
        })?;
        match (result, rule) {
            (Ok(()), _) => Err(fail(format!("{text:?} is legal"))),
            (Err(Rejection::Fault(fault)), _) => Err(fail(format!("{text:?} fails: {fault}"))),
            (Err(Rejection::Refused(refusal)), Some(rule)) if *refusal.rule != *rule => {
                let by = if refusal.rule.is_empty() {
                    "no rule".to_owned()
                } else {
                    format!("rule {}", refusal.rule)
                };
                Err(fail(format!("{text:?} is refused by {by}, not by rule {rule}: {}", refusal.reason)))
            }
            (Err(Rejection::Refused(_)), _) => Ok(()),
        }
    }

    /// The notation of all legal actions; of those only that begin with a pick, if one is given.
    pub(crate) fn legal(&mut self, from: Option<&str>) -> Answer<Vec<String>> {
        let running = self.running()?;
        let state = running.state();
        let begins = |action: &Action| {
            let first = action.picks.first().map(|pick| flow::pick_text(state, pick));
            from.is_none_or(|from| first.as_deref() == Some(from))
        };
        let mut found: Vec<String> = running
            .legal(None)?
            .into_iter()
            .filter(|(_, action)| begins(action))
            .map(|(notation, _)| notation)
            .collect();
        found.sort();
        Ok(found)
    }

    /// The notation of the candidate actions.
    pub(crate) fn candidates(&mut self) -> Answer<Vec<String>> {
        let running = self.running()?;
        let state = running.state();
        let mut found = Vec::new();
        for acting in state.acting().iter() {
            let candidates = flow::candidates(&*running.rules, state, acting).map_err(|rejection| fail(rejection.to_string()))?;
            found.extend(candidates.iter().map(|action| running.rules.notation(state, action)));
        }
        found.sort();
        Ok(found)
    }

    /// Expects these legal actions and no other.
    pub(crate) fn expect_legal(&mut self, from: Option<&str>, expected: &Dynamic) -> Answer<()> {
        let mut expected = pieces::texts(expected, "expect_legal")?;
        expected.sort();
        let found = self.legal(from)?;
        if found == expected {
            return Ok(());
        }
        let lacking: Vec<String> = expected.iter().filter(|text| !found.contains(text)).cloned().collect();
        let surplus: Vec<String> = found.iter().filter(|text| !expected.contains(text)).cloned().collect();
        Err(fail(format!(
            "expected and not legal: {}; legal and not expected: {}",
            joined(&lacking),
            joined(&surplus)
        )))
    }

    /// Expects pieces on a cell: one of those there if a text is given, all of them if a list is.
    pub(crate) fn expect_at(&mut self, cell: &str, expected: &Dynamic) -> Answer<()> {
        let state = self.state()?;
        let id = pieces::find_cell(&state, cell)?;
        let texts = pieces::texts(expected, "expect_at")?;
        let mut there: Vec<_> = state.pieces_at(id).iter().filter_map(|id| state.piece(*id)).collect();
        let mut all = true;
        for text in &texts {
            let described = pieces::read(state.declarations(), text)?;
            match there.iter().position(|piece| pieces::is_as_described(&state, piece, &described)) {
                Some(index) => drop(there.remove(index)),
                None => all = false,
            }
        }
        if all && (there.is_empty() || expected.is_string()) {
            return Ok(());
        }
        let found = pieces::describe_cell(&state, id);
        Err(fail(format!("on {cell} is {found}, not {}", texts.join(", "))))
    }

    /// Expects a cell without a piece.
    pub(crate) fn expect_empty(&mut self, cell: &str) -> Answer<()> {
        let state = self.state()?;
        let id = pieces::find_cell(&state, cell)?;
        if state.pieces_at(id).is_empty() {
            return Ok(());
        }
        Err(fail(format!("on {cell} is {}", pieces::describe_cell(&state, id))))
    }

    /// Expects that one seat is to act.
    pub(crate) fn expect_turn(&mut self, seat: &str) -> Answer<()> {
        let running = self.running()?;
        let expected = running.seat(seat)?;
        let state = running.state();
        if state.acting().contains(expected) {
            return Ok(());
        }
        let names = state
            .acting()
            .iter()
            .filter_map(|seat| state.declarations().seats.get(seat.index()));
        let names: Vec<String> = names.map(|seat| seat.name.to_string()).collect();
        Err(fail(format!("to act is {}, not {seat}", joined(&names))))
    }

    /// Expects a phase.
    pub(crate) fn expect_phase(&mut self, phase: &str) -> Answer<()> {
        let state = self.state()?;
        let found = state.declarations().phases.get(state.sequence().phase.index());
        let found = found.map_or("?", |phase| &*phase.name);
        if found == phase {
            return Ok(());
        }
        Err(fail(format!("the phase is {found}, not {phase}")))
    }

    /// Expects that the match is over, or that it goes on.
    pub(crate) fn expect_outcome(&mut self, expected: Option<&str>, rule: Option<&str>) -> Answer<()> {
        let state = self.state()?;
        match (state.outcome(), expected) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(fail("the match is not over")),
            (Some(outcome), expected) => {
                let found = outcome_text(&state, outcome);
                let by = format!("{found}, by rule {}: {}", outcome.rule, outcome.reason);
                if expected.is_some_and(|expected| expected == found) && rule.is_none_or(|rule| *rule == *outcome.rule) {
                    return Ok(());
                }
                Err(fail(format!("the match ended: {by}")))
            }
        }
    }

    /// A view of the match for the seat to act.
    pub(crate) fn view(&mut self) -> Answer<View> {
        let running = self.running()?;
        let state = Arc::clone(running.state());
        let seat = state.acting().first();
        running.context.show(state, seat);
        Ok(View::new(&running.context))
    }

    /// A view of the match as a seat is sent it.
    pub(crate) fn seen_by(&mut self, seat: &str) -> Answer<View> {
        let running = self.running()?;
        let seat = running.seat(seat)?;
        let visible = running.rules.visible(running.state(), Some(seat));
        let visible = visible.map_err(|rejection| fail(rejection.to_string()))?;
        let seen = running.state().project(&Visibility::new(Some(seat), visible));
        Ok(View::new(&CallContext::showing(seen, Some(seat))))
    }

    /// What a seat was told since the last action was begun.
    pub(crate) fn notes(&mut self, seat: &str) -> Answer<Vec<String>> {
        let running = self.running()?;
        let seat = running.seat(seat)?;
        let told = running.told.iter().filter(|(to, _)| to.contains(seat));
        Ok(told.map(|(_, text)| text.to_string()).collect())
    }

    /// How the history tells the action that was played last, if the rules have a sentence for it.
    pub(crate) fn sentence(&mut self) -> Answer<Option<String>> {
        let running = self.running()?;
        let (before, action) = running.played.as_ref().ok_or_else(|| fail("no action was played"))?;
        // As a match does: it is made of what everybody may see.
        let seen_by_all = |state: &Arc<State>| {
            let visible = running.rules.visible(state, None);
            let visible = visible.map_err(|rejection| fail(rejection.to_string()))?;
            Answer::Ok(state.project(&Visibility::new(None, visible)))
        };
        let sentence = running
            .rules
            .sentence(&seen_by_all(before)?, action, &seen_by_all(running.state())?);
        running.take_faults()?;
        Ok(sentence)
    }

    /// What stands beside the last pick of a legal action while it is picked.
    pub(crate) fn mark(&mut self, text: &str) -> Answer<Option<PickMark>> {
        let running = self.running()?;
        let action = running.legal_as_written(text)?;
        let (state, appearance) = (running.state(), running.rules.appearance());
        let [picked @ .., last] = &action.picks[..] else {
            return Err(fail(format!("{text:?} picks nothing")));
        };
        let domain = running.rules.domain(state, action.seat, action.action, picked);
        let domain = domain.map_err(|rejection| fail(rejection.to_string()))?;
        let marks = appearance.map(|appearance| appearance.marks(state, action.seat, action.action, picked, &domain));
        running.take_faults()?;
        Ok(marks.unwrap_or_default().into_iter().find(|mark| mark.pick == *last))
    }

    /// The chances of a contest that a legal action begins.
    pub(crate) fn odds_of_action(&mut self, text: &str) -> Answer<OddsFound> {
        let running = self.running()?;
        let action = running.legal_as_written(text)?;
        let contests = running.contests()?;
        let begun = contests.contest_of(running.state(), action.seat, action.action, &action.picks);
        let begun = begun.map_err(|rejection| fail(rejection.to_string()))?;
        let (contest, sides) = begun.ok_or_else(|| fail(format!("{text:?} begins no contest")))?;
        running.odds(contest, &sides)
    }

    /// The chances of a contest whose sides are named; the others have their defaults.
    pub(crate) fn odds(&mut self, contest: &str, sides: &Map) -> Answer<OddsFound> {
        let running = self.running()?;
        let begun = Map::from([(contest.into(), Dynamic::from_map(sides.clone()))]);
        let begun = contests::read_begun(running.state(), &Dynamic::from_map(begun));
        let (contest, sides) = begun.map_err(|expected| fail(format!("odds takes {expected}")))?;
        running.odds(contest, &sides)
    }

    /// The value of the state for a seat.
    pub(crate) fn value(&mut self, seat: &str) -> Answer<Dynamic> {
        let running = self.running()?;
        let seat = running.seat(seat)?;
        let value = running.rules.guidance().value(running.state(), seat);
        Ok(convert::or_unit(value.map_err(|rejection| fail(rejection.to_string()))?))
    }

    /// The prior of a legal action.
    pub(crate) fn prior(&mut self, text: &str) -> Answer<Dynamic> {
        let running = self.running()?;
        let action = running.legal_as_written(text)?;
        let state = running.state();
        let of_hook = running.rules.guidance().prior_of(state, &action);
        let of_pattern = || Some(prior(&*running.rules, state, action.seat, action.action)?.of(state, &action));
        let prior = of_hook.map_err(|rejection| fail(rejection.to_string()))?.or_else(of_pattern);
        Ok(convert::or_unit(prior.map(i64::from)))
    }

    /// The playout weight of a legal action.
    pub(crate) fn playout_weight(&mut self, text: &str) -> Answer<INT> {
        let running = self.running()?;
        let action = running.legal_as_written(text)?;
        let mut weights = Vec::new();
        let found = playout_weights(&*running.rules, running.state(), [&action], &mut weights);
        found.map_err(|rejection| fail(rejection.to_string()))?;
        Ok(weights.first().map_or(1, |weight| i64::from(*weight)))
    }
}
