//! Rules behind the seam: hooks found by name, called with views and turns.

mod bound_hooks;
mod contests;
mod guidance;
mod listeners;
#[cfg(test)]
mod native_costs;
#[cfg(test)]
mod tests;
mod text_protocol;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rhai::{Dynamic, FuncArgs, ImmutableString, Map};
use smallvec::smallvec;

pub(crate) use self::bound_hooks::LookHooks;
use self::bound_hooks::{ActionHooks, RulesHooks};
use super::Program;
use super::api::call_context::{CallContext, SharedContext};
use super::api::handles::View;
use super::api::outcomes::EndOfMatch;
use super::api::{convert, looks};
use super::console;
use super::fault::Fault;
use super::hooks::{self, BoundHook};
use super::limits::LOOKS_BYTES;
use super::lowered::{Inputs, Value as LoweredValue};
use super::meter::Interrupt;
use super::patterns::pattern_of;
use super::strategies::{Origin, ScriptStrategies};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{
    Action, ActionId, Board, CellSet, DecisionId, Declarations, Domain, Fingerprint, Looks, Outcome, Pick, PickMark, Refusal, Rejection,
    SeatId, State, Value,
};
use boardwright_rules::{
    Appearance, Console, Contests, Guidance, Listeners, Pattern, PatternCheck, RequestBudget, RequestKind, Rules, Strategies, TextProtocol,
    Transaction, check_endings, flow,
};

/// Rules made of scripts, for matches on one board with one set of options. Belongs to the thread that made it.
pub struct ScriptRules {
    program: Rc<Program>,
    /// Stops calls for these rules, and not those of others that share the program.
    interrupt: Interrupt,
    context: SharedContext,
    declarations: Arc<Declarations>,
    fingerprint: Fingerprint,
    hooks: RulesHooks,
    /// What hooks that look were at fault with since this was last asked, each thing once.
    faults: RefCell<Vec<Diagnostic>>,
    strategies: Option<ScriptStrategies>,
}

/// The most faults that are kept until they are asked for.
const MOST_FAULTS: usize = 20;

impl ScriptRules {
    pub(super) fn new(
        program: Rc<Program>,
        fingerprint: Fingerprint,
        board: &Arc<Board>,
        declarations: &Arc<Declarations>,
        options: &[Value],
    ) -> Result<Self, Diagnostic> {
        check_endings(declarations, board).map_err(|fault| fault.at(program.place_of(hooks::RULESET.name)))?;
        let context = CallContext::new(board, declarations);
        let hooks = RulesHooks::new(&program, declarations);
        let mut rules = Self {
            program,
            interrupt: Interrupt::default(),
            context,
            declarations: Arc::clone(declarations),
            fingerprint,
            hooks,
            faults: RefCell::default(),
            strategies: None,
        };
        let setup = Arc::new(State::empty(Arc::clone(board), Arc::clone(declarations), options));
        rules.program.meter.request.begin(RequestKind::Whole);
        for (declared, hooks) in declarations.actions.iter().zip(&mut rules.hooks.actions) {
            hooks.pattern = pattern_of(&rules.program, &rules.context, declared, &setup)?;
        }
        rules.program.meter.request.end();
        Ok(rules)
    }

    /// The same rules with the strategies written for them. `make` makes further rules, to try actions with.
    pub(super) fn with_strategies(mut self, origin: Origin, make: Box<dyn Fn() -> Result<Self, Diagnostic>>) -> Self {
        self.strategies = Some(ScriptStrategies::new(origin, &self.declarations, &self.context, make));
        self
    }

    /// The program, for a call that these rules stop.
    fn program(&self) -> &Program {
        self.program.meter.set_interrupt(&self.interrupt);
        &self.program
    }

    fn view(&self) -> View {
        View::new(&self.context)
    }

    fn hooks_of(&self, action: ActionId) -> Option<&ActionHooks> {
        self.hooks.actions.get(action.index())
    }

    /// Calls a hook that reads a state.
    fn read(&self, state: &Arc<State>, seat: Option<SeatId>, hook: &BoundHook, arguments: impl FuncArgs) -> Result<Dynamic, Rejection> {
        let result = self.context.look(state, seat, || hook.call(self.program(), arguments));
        result.map_err(|fault| self.noted(fault.into()))
    }

    /// The same for a hook that is asked at every action.
    fn read_in(&self, state: &Arc<State>, seat: Option<SeatId>, hook: &BoundHook, inputs: Inputs) -> Result<LoweredValue, Rejection> {
        let result = self
            .context
            .look(state, seat, || hook.call_in(self.program(), &self.context, inputs));
        result.map_err(|fault| self.noted(fault.into()))
    }

    /// What a hook gave, as the engine has it.
    fn dynamic(&self, value: LoweredValue) -> Dynamic {
        value.into_dynamic(&self.context)
    }

    /// Calls a hook that reads a state and no picks, if it is there. `convert` gives nothing for what such a hook may not return.
    fn ask<T>(
        &self,
        state: &Arc<State>,
        seat: Option<SeatId>,
        hook: Option<&BoundHook>,
        convert: impl FnOnce(&Dynamic) -> Option<T>,
    ) -> Result<Option<T>, Rejection> {
        let Some(hook) = hook else { return Ok(None) };
        let value = self.read(state, seat, hook, (self.view(),))?;
        convert(&value).map(Some).ok_or_else(|| self.wrong_result(hook, &value))
    }

    /// Keeps a fault for those who ask for all of them.
    fn noted(&self, rejection: Rejection) -> Rejection {
        let mut faults = self.faults.borrow_mut();
        if let Rejection::Fault(fault) = &rejection
            && faults.len() < MOST_FAULTS
            && !faults.contains(fault)
        {
            faults.push(Diagnostic::clone(fault));
        }
        drop(faults);
        rejection
    }

    /// Calls a hook that changes the match, if it is there.
    fn act(&self, transaction: &mut Transaction, hook: Option<&BoundHook>) -> Result<(), Rejection> {
        let Some(hook) = hook else { return Ok(()) };
        let seat = transaction.state().sequence().mark.seat;
        let call = || hook.call_in(self.program(), &self.context, smallvec![LoweredValue::View]);
        drop(self.call_acting(transaction, seat, hook, call)?);
        self.check_end(transaction, hook, None)
    }

    /// A hook may not end a turn or phase while a question stays open.
    fn check_end(&self, transaction: &Transaction, hook: &BoundHook, answering: Option<(DecisionId, SeatId)>) -> Result<(), Rejection> {
        if transaction.ends_at_open_question(answering) {
            let fault = hook.fault(&self.program, Code::OpenQuestion, flow::ENDS_AT_OPEN_QUESTION.to_owned(), None);
            return Err(self.noted(fault.into()));
        }
        Ok(())
    }

    /// Runs a hook that changes the match. A draw that failed is a fault of the hook, whatever the script made of it.
    fn call_acting<T>(
        &self,
        transaction: &mut Transaction,
        seat: Option<SeatId>,
        hook: &BoundHook,
        call: impl FnOnce() -> Result<T, Box<Fault>>,
    ) -> Result<T, Rejection> {
        let result = self.context.act(transaction, seat, call).map_err(Rejection::from);
        match (transaction.draw_error(), &result) {
            // The fault of the draw itself knows its line.
            (Some(error), Err(Rejection::Fault(fault))) if fault.code == error.code() => result,
            (Some(error), _) => Err(hook.fault(&self.program, error.code(), error.to_string(), None).into()),
            (None, _) => result,
        }
    }

    fn picked(&self, state: &State, action: ActionId, picks: &[Pick]) -> Map {
        let declared = self.declarations.action(action).map_or(&[][..], |declared| &declared.picks);
        let named = declared.iter().zip(picks);
        named
            .map(|(declared, pick)| ((&*declared.name).into(), convert::pick_to_script(&self.context, state, pick)))
            .collect()
    }

    /// A hook returned something else than the reference says.
    fn wrong_result(&self, hook: &BoundHook, returned: &Dynamic) -> Rejection {
        self.noted(hook.wrong_result(&self.program, returned).into())
    }

    /// An action with its picks by name, as hooks give it back. `None` where a pick is missing or of another kind.
    fn action_of(&self, seat: SeatId, action: ActionId, picked: &Map) -> Option<Action> {
        let declared = self.declarations.action(action)?;
        let picks = declared.picks.iter();
        let picks = picks.map(|declared| convert::to_pick(picked.get(&*declared.name)?, declared.kind));
        Some(Action {
            seat,
            action,
            picks: picks.collect::<Option<_>>()?,
        })
    }

    /// The same, of an action that is named among its picks.
    fn named_action(&self, seat: SeatId, map: &Map) -> Option<Action> {
        let name = map.get("action")?.read_lock::<ImmutableString>()?;
        self.action_of(seat, self.declarations.find_action(&name)?, map)
    }

    /// A hook returned something else than is described.
    fn unexpected_result(&self, hook: &BoundHook, expected: &str, returned: &Dynamic) -> Rejection {
        self.noted(hook.unexpected_result(&self.program, expected, returned).into())
    }

    fn wrong_look(&self, problem: looks::Problem<'_>) -> Rejection {
        match problem {
            looks::Problem::Rejected(rejection) => rejection,
            looks::Problem::TooLarge(hook) => {
                let message = format!("the looks take more than {} MiB", LOOKS_BYTES >> 20);
                self.noted(hook.fault(&self.program, Code::BudgetSize, message, None).into())
            }
            looks::Problem::Returned(hook, expected) => self.expected_result(hook, &expected),
        }
    }

    /// A hook did not return what is described.
    fn expected_result(&self, hook: &BoundHook, expected: &str) -> Rejection {
        self.noted(hook.expected_result(&self.program, expected).into())
    }
}

impl Rules for ScriptRules {
    fn text_protocol(&self) -> Option<&dyn TextProtocol> {
        self.hooks.text.as_ref().map(|_| self as &dyn TextProtocol)
    }

    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.interrupt.flag())
    }

    fn declarations(&self) -> &Arc<Declarations> {
        &self.declarations
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    fn pattern(&self, action: ActionId) -> Option<&Pattern> {
        self.hooks_of(action)?.pattern.as_deref()
    }

    fn may_capture(&self, state: &State, action: &Action) -> bool {
        // A hook that carries it out, or one that listens, may do anything.
        let hooks = self
            .hooks_of(action.action)
            .filter(|hooks| hooks.carry_out.is_none() && self.listeners().is_none());
        let pattern = hooks.and_then(|hooks| hooks.pattern.as_ref());
        pattern.is_none_or(|pattern| pattern.may_capture(state, action.seat, &action.picks))
    }

    fn may(&self, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<bool, Rejection> {
        let Some(hook) = self.hooks_of(action).and_then(|hooks| hooks.may.as_ref()) else {
            return Ok(true);
        };
        match self.read_in(state, Some(seat), hook, smallvec![LoweredValue::View])? {
            LoweredValue::Bool(may) => Ok(may),
            value => Err(self.wrong_result(hook, &self.dynamic(value))),
        }
    }

    fn domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection> {
        let nothing = || Rejection::from(Diagnostic::error(Code::NoSuchThing, "there is no such pick"));
        let hooks = self.hooks_of(action).ok_or_else(nothing)?;
        if let Some(pattern) = &hooks.pattern {
            return Ok(pattern.domain(state, seat, picked));
        }
        self.hook_domain(state, seat, action, picked)
    }

    fn explain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Option<Refusal> {
        let hook = self.hooks_of(action)?.why.as_ref()?;
        let picked = self.picked(state, action, picked);
        // The picks may be anything: a hook that stumbles over them has nothing to say.
        let call = || hook.call(self.program(), (self.view(), picked));
        match self.context.look(state, Some(seat), call) {
            Ok(value) => value.try_cast::<Refusal>(),
            Err(fault) => fault.refusal(),
        }
    }

    fn begin(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        self.act(transaction, self.hooks.start.as_ref())
    }

    fn carry_out(&self, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
        let Some(hooks) = self.hooks_of(action.action) else {
            return Err(Diagnostic::error(Code::NoSuchThing, "there is no such action").into());
        };
        let Some(hook) = &hooks.carry_out else {
            return match &hooks.pattern {
                Some(pattern) => pattern.follow(transaction, action.seat, &action.picks).map(drop),
                None => Err(Diagnostic::error(Code::NoSuchThing, "the action is carried out by nothing").into()),
            };
        };
        let picked = hooks.picked(&self.context, transaction.state(), &action.picks);
        let call = || hook.call_in(self.program(), &self.context, smallvec![LoweredValue::View, picked]);
        let pattern = hooks.pattern.clone();
        let answering = transaction.state().sequence().decision().map(|decision| (decision.id, action.seat));
        let act = || self.call_acting(transaction, Some(action.seat), hook, call);
        drop(self.context.with_pattern(pattern, act)?);
        self.check_end(transaction, hook, answering)
    }

    fn enter_phase(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        let phase = transaction.state().sequence().phase.index();
        self.act(transaction, self.hooks.enter.get(phase).and_then(Option::as_ref))
    }

    fn leave_phase(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        let phase = transaction.state().sequence().phase.index();
        self.act(transaction, self.hooks.leave.get(phase).and_then(Option::as_ref))
    }

    fn end_round(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        self.act(transaction, self.hooks.end_round.as_ref())
    }

    fn outcome(&self, state: &Arc<State>) -> Result<Option<Outcome>, Rejection> {
        let Some(hook) = &self.hooks.outcome else { return Ok(None) };
        let value = self.read_in(state, None, hook, smallvec![LoweredValue::View])?;
        if matches!(value, LoweredValue::Unit) {
            return Ok(None);
        }
        let end = self
            .dynamic(value)
            .try_cast_result::<EndOfMatch>()
            .map_err(|value| self.wrong_result(hook, &value))?;
        end.outcome(state)
            .map(Some)
            .map_err(|error| self.expected_result(hook, &format!("a fitting end: {error}")))
    }

    fn final_scores(&self, state: &Arc<State>) -> Result<Vec<i64>, Rejection> {
        let scores = self.ask(state, None, self.hooks.final_score.as_ref(), |value| {
            let numbers: Vec<i64> = convert::list_of(value, |item| item.as_int().ok())?;
            Some(numbers).filter(|numbers| numbers.len() == self.declarations.seats.len())
        })?;
        scores.ok_or_else(|| hooks::no_final_score().into())
    }

    fn visible(&self, state: &Arc<State>, seat: Option<SeatId>) -> Result<Option<CellSet>, Rejection> {
        let Some(hook) = &self.hooks.visible else { return Ok(None) };
        match self.read_in(state, seat, hook, smallvec![LoweredValue::View])? {
            LoweredValue::Cells(cells) => Ok(Some(Rc::unwrap_or_clone(cells))),
            value => {
                let value = self.dynamic(value);
                let cells = convert::cell_set(state.board().cell_count(), &value);
                cells.map(Some).ok_or_else(|| self.wrong_result(hook, &value))
            }
        }
    }

    fn notation(&self, state: &Arc<State>, action: &Action) -> String {
        // Where nothing is left to be asked, that is not found out for each action again.
        let is_asked = self.program.meter.request.spent().is_none();
        let hook = self.hooks_of(action.action).and_then(|hooks| hooks.notation.as_ref());
        let written = hook.filter(|_| is_asked).and_then(|hook| {
            let picked = self.picked(state, action.action, &action.picks);
            let value = self.read(state, Some(action.seat), hook, (self.view(), picked)).ok()?;
            // A fault is noted, and the action is written in plain words.
            value
                .try_cast_result::<ImmutableString>()
                .map_err(|value| self.wrong_result(hook, &value))
                .ok()
        });
        written.map_or_else(|| flow::plain_notation(state, action), |text| text.to_string())
    }

    fn sentence(&self, before: &Arc<State>, action: &Action, after: &Arc<State>) -> Option<String> {
        let hook = self.hooks_of(action.action)?.sentence.as_ref()?;
        let picked = self.picked(before, action.action, &action.picks);
        let after = View::new(&CallContext::showing(Arc::clone(after), Some(action.seat)));
        let value = self.read(before, Some(action.seat), hook, (self.view(), picked, after)).ok()?;
        let text = value
            .try_cast_result::<ImmutableString>()
            .map_err(|value| self.wrong_result(hook, &value))
            .ok()?;
        Some(text.to_string()).filter(|text| !text.is_empty())
    }

    fn has_sentence(&self, action: ActionId) -> bool {
        self.hooks_of(action).is_some_and(|hooks| hooks.sentence.is_some())
    }

    fn take_faults(&self) -> Vec<Diagnostic> {
        self.faults.take()
    }

    fn standing_action(&self, view: &Arc<State>, seat: SeatId) -> Result<Option<Action>, Rejection> {
        let Some(hook) = &self.hooks.standing_action else { return Ok(None) };
        let value = self.read(view, Some(seat), hook, (self.view(),))?;
        if value.is_unit() {
            return Ok(None);
        }
        let action = value.read_lock::<Map>().and_then(|map| self.named_action(seat, &map));
        action.map(Some).ok_or_else(|| self.wrong_result(hook, &value))
    }

    fn migrate(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        self.act(transaction, self.hooks.migrate.as_ref())
    }

    fn guidance(&self) -> &dyn Guidance {
        self
    }

    fn contests(&self) -> Option<&dyn Contests> {
        Some(self)
    }

    fn listeners(&self) -> Option<&dyn Listeners> {
        (!self.hooks.listeners.is_empty()).then_some(self as &dyn Listeners)
    }

    fn strategies(&self) -> Option<&dyn Strategies> {
        self.strategies.as_ref().map(|strategies| strategies as &dyn Strategies)
    }

    fn appearance(&self) -> Option<&dyn Appearance> {
        Some(self)
    }

    fn console(&self) -> Option<&dyn Console> {
        Some(self)
    }

    fn request_budget(&self) -> Option<&dyn RequestBudget> {
        Some(&*self.program.meter)
    }

    fn pattern_check(&self) -> Option<&dyn PatternCheck> {
        Some(self)
    }
}

impl PatternCheck for ScriptRules {
    fn has_hooks(&self, action: ActionId) -> bool {
        let hooks = self.hooks_of(action).filter(|hooks| hooks.pattern.is_some());
        hooks.is_some_and(|hooks| hooks.domains.iter().all(Option::is_some))
    }

    fn hook_domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection> {
        let nothing = || Rejection::from(Diagnostic::error(Code::NoSuchThing, "there is no such pick"));
        let hooks = self.hooks_of(action).ok_or_else(nothing)?;
        let declared = self
            .declarations
            .action(action)
            .and_then(|declared| declared.picks.get(picked.len()));
        let declared = declared.ok_or_else(nothing)?;
        let hook = hooks.domains.get(picked.len()).and_then(Option::as_ref).ok_or_else(nothing)?;
        let mut inputs: Inputs = smallvec![LoweredValue::View];
        if hook.arity() > 1 {
            inputs.push(hooks.picked(&self.context, state, picked));
        }
        let value = self.read_in(state, Some(seat), hook, inputs)?;
        let domain = convert::domain_of(&self.context, state, &value, declared.kind);
        domain.ok_or_else(|| self.unexpected_result(hook, convert::domain_text(declared.kind), &self.dynamic(value)))
    }
}

impl Appearance for ScriptRules {
    fn looks(&self, view: &Arc<State>, seat: Option<SeatId>) -> Result<Looks, Rejection> {
        let call = |hook: &BoundHook, thing: Option<Dynamic>| match thing {
            Some(thing) => self.read(view, seat, hook, (self.view(), thing)),
            None => self.read(view, seat, hook, (self.view(),)),
        };
        let action_of = |map: &Map| self.named_action(seat?, map);
        let looks = looks::looks(&self.hooks.looks, &self.context, (view, seat), &call, &action_of);
        looks.map_err(|problem| self.wrong_look(problem))
    }

    fn heat_map(&self, view: &Arc<State>, seat: Option<SeatId>, map: usize) -> Result<Vec<Option<i64>>, Rejection> {
        let Some(hook) = self.hooks.looks.heat_maps.get(map).and_then(Option::as_ref) else {
            return Ok(vec![None; view.board().cell_count()]);
        };
        let value = self.read(view, seat, hook, (self.view(),))?;
        let values = convert::cell_values(view.board().cell_count(), &value);
        values.ok_or_else(|| self.noted(hook.wrong_result(&self.program, &value).into()))
    }

    fn marks(&self, view: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick], domain: &Domain) -> Vec<PickMark> {
        let Some(hook) = self.hooks_of(action).and_then(|hooks| hooks.marks.as_ref()) else {
            return Vec::new();
        };
        let value = self.read(view, Some(seat), hook, (self.view(), self.picked(view, action, picked)));
        // A fault is noted, and nothing is marked.
        let marks = value.and_then(|value| looks::pick_marks(hook, domain, &value).map_err(|problem| self.wrong_look(problem)));
        marks.unwrap_or_default()
    }
}

impl Console for ScriptRules {
    fn run_line(&self, transaction: &mut Transaction, line: &str) -> Result<String, Rejection> {
        let strategies = self.strategies.as_ref();
        let strategies = strategies.ok_or_else(|| Diagnostic::error(Code::NoScripts, "these rules run no lines"))?;
        let program = strategies.compile_line(line)?;
        let seat = transaction.state().sequence().mark.seat;
        self.context.act(transaction, seat, || console::run_line(&program, self.view()))
    }
}
