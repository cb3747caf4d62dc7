//! Playing a few random actions before anybody plays: hooks that only fail in the middle of a match are found by `check`, with everything
//! that players of all kinds ask rules.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Prepared;
use super::references::place_of_function;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Action, Looks, Rejection, SeatId, State, Visibility};
use boardwright_rules::{
    Consultation, Generator, Luck, Request, RequestKind, Rules, RulesSource, Settings, Transaction, determinize, flow, is_spent, looks,
};

/// Of how many actions of each scenario everything is asked that players ask.
const MOST_JUDGED: usize = 16;
/// How many actions are played of each scenario, so that what is possible only later is found too. Everything is asked where an action is legal
/// that was not before.
const MOST_ACTIONS: usize = 300;
/// How long the actions after the first ones may take.
const LONGEST_ON: Duration = Duration::from_millis(1_500);
/// How many of the legal actions are written down and judged each time.
const MOST_TRIED: u32 = 12;
/// How often strategies are asked.
const MOST_DECISIONS: usize = 3;
/// The steps that a strategy may take for a decision.
const OPERATIONS: u64 = 2_000_000;
/// Slow rules are not played on after this. Nothing is said of it: what was not tried is not wrong.
const LONGEST: Duration = Duration::from_secs(4);
/// No more faults are told of one scenario.
const MOST_FAULTS: usize = 12;

/// What playing showed.
#[derive(Debug, Default)]
pub(super) struct Rehearsed {
    /// What went wrong, each once.
    pub(super) faults: Vec<Diagnostic>,
    /// The pictures that looks named.
    pub(super) pictures: BTreeSet<String>,
}

/// Plays random actions from the beginning of a scenario, which can be begun, and no longer than to a moment.
pub(super) fn rehearse(prepared: &Prepared, begun: &Arc<State>, until: Instant) -> Rehearsed {
    let source = &prepared.source;
    let mut rehearsal = Rehearsal {
        prepared,
        // What is wrong with strategies as they stand is told already.
        strategies: if source.check_strategies().is_empty() {
            source.strategies()
        } else {
            Vec::new()
        },
        until: until.min(Instant::now() + LONGEST),
        found: Rehearsed::default(),
    };
    let source: &dyn RulesSource = &*prepared.source;
    if let Ok(rules) = source.rules(begun.board(), begun.declarations(), begun.options()) {
        rehearsal.play(&*rules, begun);
    }
    rehearsal.found
}

struct Rehearsal<'a> {
    prepared: &'a Prepared,
    strategies: Vec<String>,
    until: Instant,
    found: Rehearsed,
}

impl Rehearsal<'_> {
    fn fault(&mut self, fault: Diagnostic) {
        let faults = &mut self.found.faults;
        let is_known = faults.iter().any(|known| known.repeats(&fault));
        if !is_known && faults.len() < MOST_FAULTS && fault.code != Code::Interrupted {
            faults.push(fault);
        }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Notes a fault of what is asked here together and elsewhere one by one: that it takes too long together is none.
    fn ask_beside<T>(&mut self, answer: Result<T, Rejection>) -> Option<T> {
        match answer {
            Err(rejection) if is_spent(&rejection) => None,
            answer => self.ask(answer),
        }
    }

    /// Notes a fault; a refusal is none.
    fn ask<T>(&mut self, answer: Result<T, Rejection>) -> Option<T> {
        match answer {
            Ok(value) => Some(value),
            Err(Rejection::Fault(fault)) => {
                self.fault(*fault);
                None
            }
            Err(Rejection::Refused(_)) => None,
        }
    }

    fn play(&mut self, rules: &dyn Rules, begun: &Arc<State>) {
        let mut generator = Generator::new(1);
        let luck = Luck::Roll(Generator::new(generator.next_seed()));
        let mut transaction = Transaction::new(Arc::clone(begun), luck);
        let (mut seen, mut is_stuck) = (BTreeSet::new(), false);
        if begun.outcome().is_some() {
            let found = Diagnostic::warning(Code::Outcome, "the match is over before anybody acts");
            let cure = "look at `outcome` and the endings, and whether something may be picked at the beginning";
            self.fault(found.with_help(cure));
        }
        for played in 0..MOST_ACTIONS {
            if played == MOST_JUDGED {
                self.until = self.until.min(Instant::now() + LONGEST_ON);
            }
            let state = Arc::clone(transaction.state());
            let Some(seat) = state.acting().first().filter(|_| !self.is_over()) else {
                break;
            };
            let Some(legal) = self.ask(flow::legal(rules, &state, seat)) else {
                break;
            };
            if legal.is_empty() {
                is_stuck = self.ask(flow::has_legal(rules, &state, seat)) == Some(false);
                break;
            }
            let known = seen.len();
            seen.extend(legal.iter().map(|action| action.action));
            let is_new = played < MOST_JUDGED || seen.len() > known;
            if is_new {
                self.judge(rules, &state, seat, &legal, &mut generator);
            }
            if played < MOST_DECISIONS {
                let visible = self.ask(rules.visible(&state, Some(seat))).flatten();
                self.decide(rules, &state.project(&Visibility::new(Some(seat), visible)), seat);
            }
            let index = generator.below(legal.len() as u32) as usize;
            let Some(action) = legal.get(index) else { break };
            match flow::perform_legal(rules, &mut transaction, action) {
                Ok(()) => {}
                Err(Rejection::Fault(fault)) => {
                    self.fault(*fault);
                    break;
                }
                Err(Rejection::Refused(refusal)) => {
                    let what = flow::plain_notation(&state, action);
                    let message = format!("`{what}` is listed as legal and then refused: {refusal}");
                    let cure = "leave it out of what may be picked, or do not refuse it";
                    let name = state
                        .declarations()
                        .action(action.action)
                        .map(|declared| format!("do_{}", declared.name));
                    let place = name.and_then(|name| place_of_function(&self.prepared.source, &name));
                    self.fault(Diagnostic::error(Code::ListedButRefused, message).at(place).with_help(cure));
                    break;
                }
            }
            if is_new {
                self.ask_for_sentence(rules, &state, action, transaction.state());
                self.look(rules, &state, transaction.state());
            }
        }
        for fault in rules.take_faults() {
            self.ask_beside::<()>(Err(fault.into()));
        }
        // Where a hook has failed its actions are left out.
        if is_stuck && self.found.faults.is_empty() {
            let found = Diagnostic::warning(Code::Outcome, "the seat to act can do nothing, and the match does not end");
            let cure =
                "declare an ending `no_actions`, `idle: \"passes\"` with an ending `nobody_can_act`, or an action that is a `last_resort`";
            let place = place_of_function(&self.prepared.source, "ruleset");
            self.fault(found.at(place).with_help(cure));
        }
    }

    /// Asks everything about a position that players ask.
    fn judge(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId, legal: &[Action], generator: &mut Generator) {
        let _request = Request::begin(rules, RequestKind::Whole);
        let mut tried: Vec<&Action> = Vec::new();
        // One of each sort, and some at random.
        for action in legal {
            if tried.iter().all(|other| other.action != action.action) {
                tried.push(action);
            }
        }
        let more = (0..MOST_TRIED).filter_map(|_| legal.get(generator.below(legal.len() as u32) as usize));
        tried.extend(more);
        for action in tried {
            drop(rules.notation(state, action));
            self.ask_for_marks(rules, state, action);
            self.ask_beside(rules.guidance().prior_of(state, action));
        }
        self.ask_beside(rules.guidance().value(state, seat));
        self.ask_beside(flow::candidates(rules, state, seat));
        let sorts: BTreeSet<_> = legal.iter().map(|action| action.action).collect();
        for sort in sorts {
            self.ask_beside(rules.guidance().playout_weights(state, seat, sort));
        }
        let visible = self.ask_beside(rules.visible(state, Some(seat))).flatten();
        let view = state.project(&Visibility::new(Some(seat), visible));
        if view.may_hide() {
            self.ask_beside(determinize(rules, &view, seat, generator));
        }
    }

    /// Asks each strategy what it would do.
    fn decide(&mut self, rules: &dyn Rules, view: &Arc<State>, seat: SeatId) {
        let Some(strategies) = rules.strategies() else { return };
        let settings = Settings::default();
        for strategy in self.strategies.clone() {
            let asked = Consultation {
                strategy: &strategy,
                settings: &settings,
                state: view,
                seat,
                seed: 1,
                operations: OPERATIONS,
                wall: self.until.saturating_duration_since(Instant::now()),
                is_watched: true,
                debugger: None,
            };
            // A strategy that thinks longer than this is not at fault.
            match strategies.consult(&asked) {
                Err(Rejection::Fault(fault)) if !matches!(fault.code, Code::BudgetOperations | Code::BudgetTime) => self.fault(*fault),
                _ => {}
            }
        }
    }

    /// Asks what stands beside each pick of an action, as a window does while it is picked. `take_faults` tells what fails.
    fn ask_for_marks(&mut self, rules: &dyn Rules, state: &Arc<State>, action: &Action) {
        let Some(appearance) = rules.appearance() else { return };
        for count in 0..action.picks.len() {
            let picked = action.picks.get(..count).unwrap_or_default();
            if let Some(Some(domain)) = self.ask_beside(flow::next_domain(rules, state, action.seat, action.action, picked)) {
                drop(appearance.marks(state, action.seat, action.action, picked, &domain));
            }
        }
    }

    /// Asks for the sentence of an action that was played, as a match does: it is made of what everybody may see. `take_faults` tells what fails.
    fn ask_for_sentence(&mut self, rules: &dyn Rules, before: &Arc<State>, action: &Action, after: &Arc<State>) {
        if !rules.has_sentence(action.action) {
            return;
        }
        let mut seen_by_all = |state: &Arc<State>| {
            let visible = self.ask_beside(rules.visible(state, None))?;
            Some(state.project(&Visibility::new(None, visible)))
        };
        if let (Some(before), Some(after)) = (seen_by_all(before), seen_by_all(after)) {
            drop(rules.sentence(&before, action, &after));
        }
    }

    fn look(&mut self, rules: &dyn Rules, before: &Arc<State>, after: &Arc<State>) {
        if before.position() == after.position() {
            return;
        }
        let _request = Request::begin(rules, RequestKind::Whole);
        for seat in after.declarations().all_seats().iter().map(Some).chain([None]) {
            let visible = self.ask_beside(rules.visible(after, seat)).flatten();
            let view = after.project(&Visibility::new(seat, visible));
            if let Some(seen) = self.ask_beside(looks(rules, &view, seat)) {
                self.found.pictures.extend(pictures_of(&seen));
            }
        }
    }
}

/// The pictures that looks name.
pub(super) fn pictures_of(seen: &Looks) -> BTreeSet<String> {
    let board = seen.board.texture.iter();
    let cells = seen
        .cells
        .values()
        .flat_map(|look| look.icon.iter().chain(&look.texture).chain(&look.overlays));
    let pieces = seen.pieces.values().flat_map(|look| look.icon.iter().chain(&look.overlays));
    board.chain(cells).chain(pieces).map(ToString::to_string).collect()
}
