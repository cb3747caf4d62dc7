//! Words for strategies: what they think with, the actions they choose, and what they may expect.

use rhai::plugin::*;

use super::super::strategies::{Agent, Expectation, ScriptAction};
use super::super::value::{Answer, wrong};
use super::convert;
use boardwright_model::{ContestDeclaration, Sides, State};

/// Chances and means are told in thousandths.
const WHOLE: f64 = 1000.0;

fn thousandths(number: f64) -> rhai::INT {
    (number * WHOLE).round() as rhai::INT
}

/// What is declared about a contest.
fn declared<R>(expectation: &Expectation, read: impl FnOnce(&ContestDeclaration) -> Answer<R>) -> Answer<R> {
    expectation.context.read(|state| {
        let contest = state.declarations().contests.get(expectation.contest);
        read(contest.ok_or_else(|| wrong("there is no such contest"))?)
    })
}

fn parameter(contest: &ContestDeclaration, name: &str) -> Answer<usize> {
    let mut parameters = contest.parameters.iter();
    parameters
        .position(|parameter| *parameter.name == *name)
        .ok_or_else(|| wrong(format!("the contest {} has no side {name:?}", contest.name)))
}

fn result(contest: &ContestDeclaration, name: &str) -> Answer<usize> {
    let mut results = contest.results.iter();
    results
        .position(|result| **result == *name)
        .ok_or_else(|| wrong(format!("the contest {} has no result {name:?}", contest.name)))
}

/// What the sides of a contest stand at, given by name: those that are not named have their defaults.
fn to_sides(state: &State, contest: &ContestDeclaration, given: &rhai::Map) -> Answer<Sides> {
    let sides = contest.parameters.iter().map(|side| match given.get(&*side.name) {
        None => Ok(side.default.clone()),
        Some(value) => {
            let value = convert::from_script(state, value, &side.value_type)?;
            let checked = side.value_type.check(&value);
            checked.map_err(|error| wrong(format!("{}: {error}", side.name)))?;
            Ok(value)
        }
    });
    sides.collect()
}

fn make(agent: &Agent, name: &str, picks: &rhai::Map) -> Answer<ScriptAction> {
    let action = agent.context().read(|state| {
        let declarations = state.declarations();
        let id = convert::found_action(declarations, name)?;
        convert::action_of(declarations, agent.seat(), id, picks).map_err(|problem| wrong(format!("the action {name} needs {problem}")))
    })?;
    Ok(ScriptAction::new(agent.context(), action))
}

fn legal(agent: &Agent, name: Option<&str>) -> Answer<rhai::Array> {
    let legal = agent.legal(name)?.into_iter();
    let legal = legal.map(|action| ScriptAction::new(agent.context(), action));
    Ok(legal.map(rhai::Dynamic::from).collect())
}

#[export_module]
pub(super) mod agents {
    use std::rc::Rc;

    use rhai::{Array, Dynamic, INT, Map, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::value::{Answer, wrong};
    use super::super::call_context::CallContext;
    use super::super::convert::{self, found};
    use super::super::handles::{Cells, View};
    use super::{Agent, Expectation, ScriptAction};

    /// A parameter of the strategy, read by its name: `agent.patience`. Fails if it has no value.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn parameter(agent: &mut Agent, name: &str) -> Answer<Dynamic> {
        let value = agent.value(name)?;
        agent.context().read(|state| Ok(convert::to_script(agent.context(), state, value)))
    }

    /// Whether somebody is told what the strategy thinks. What is only worked out to be told can be left out otherwise.
    ///
    /// ```rhai
    /// fn decide(view, agent) { if agent.is_watched { agent.weigh(agent.legal()[0], view.seat.cells.count); } }
    /// ```
    #[rhai_fn(get = "is_watched", pure)]
    pub fn is_watched(agent: &mut Agent) -> bool {
        agent.is_watched()
    }

    /// What a parameter is for one thing: the value in whose line `of` names the thing, or else the one without `of`.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.note("the corner", agent.value_of("value", "a1")); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn value_of(agent: &mut Agent, name: &str, thing: &str) -> Answer<Dynamic> {
        let value = agent.value_of(name, thing)?;
        agent.context().read(|state| Ok(convert::to_script(agent.context(), state, value)))
    }

    /// What a parameter is for each cell of a set, by the names of the cells, added up.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.note("what I hold", agent.total("value", view.seat.cells)); }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn total(context: NativeCallContext<'_>, agent: &mut Agent, name: &str, cells: Cells) -> Answer<INT> {
        pay(&context, cells.set.count() / 8)?;
        agent.total(name, &cells.set)
    }

    /// An action with its picks by name. Whether it is legal shows when it is chosen. Fails if there is no such action, or if picks are
    /// missing or of the wrong sort.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.action("mark", #{ cell: view.empty.first }) }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn action(agent: &mut Agent, name: &str, picks: Map) -> Answer<ScriptAction> {
        super::make(agent, name, &picks)
    }

    /// An action without picks.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.action("pass") }
    /// ```
    #[rhai_fn(name = "action", pure, return_raw)]
    pub fn plain_action(agent: &mut Agent, name: &str) -> Answer<ScriptAction> {
        super::make(agent, name, &Map::new())
    }

    /// The legal actions.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.any(agent.legal()) }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn legal(agent: &mut Agent) -> Answer<Array> {
        super::legal(agent, None)
    }

    /// The legal actions of one name.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.any(agent.legal("mark")) }
    /// ```
    #[rhai_fn(name = "legal", pure, return_raw)]
    pub fn legal_of(agent: &mut Agent, name: &str) -> Answer<Array> {
        super::legal(agent, Some(name))
    }

    /// One of a list or of a set of cells, by luck of the strategy's own; `()` of none.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.action("mark", #{ cell: agent.any(view.empty) }) }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn any(context: NativeCallContext<'_>, agent: &mut Agent, of: Dynamic) -> Answer<Dynamic> {
        let mut items = convert::items_of(&of).ok_or_else(|| wrong("any takes a list or a set of cells"))?;
        pay(&context, items.len() / 8)?;
        if items.is_empty() {
            return Ok(Dynamic::UNIT);
        }
        let index = agent.below(items.len());
        Ok(items.swap_remove(index))
    }

    /// What may be expected of a declared contest that is fought to its end. `sides` holds what its sides stand at, by name.
    ///
    /// ```rhai
    /// fn decide(view, agent) { if agent.odds("duel", #{ skill: 3 }).chance("won") > 500 { agent.note("I dare") } }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn odds(agent: &mut Agent, contest: &str, sides: Map) -> Answer<Expectation> {
        let (index, sides) = agent.context().read(|state| {
            let contests = &state.declarations().contests;
            let names = || contests.iter().map(|contest| &*contest.name);
            let index = found(state.declarations().find_contest(contest), "contest", contest, names())?;
            let declared = found(contests.get(index), "contest", contest, names())?;
            for name in sides.keys() {
                super::parameter(declared, name)?;
            }
            Ok((index, super::to_sides(state, declared, &sides)?))
        })?;
        Ok(Expectation {
            context: Rc::clone(agent.context()),
            contest: index,
            expected: agent.expect(index, &sides)?,
        })
    }

    /// What the match looks like after an action, as far as the seat sees; draws fall by luck of the strategy's own. Fails if the action
    /// cannot be taken.
    ///
    /// ```rhai
    /// fn decide(view, agent) {
    ///     let action = agent.action("mark", #{ cell: view.empty.first });
    ///     agent.note("then I hold", agent.after(view, action).seat.cells.count);
    ///     action
    /// }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn after(agent: &mut Agent, view: View, action: ScriptAction) -> Answer<View> {
        let state = view.context.state().ok_or_else(|| wrong("there is no state to look at"))?;
        let state = agent.after(state, &action.action)?;
        Ok(View {
            context: CallContext::showing(state, Some(agent.seat())),
        })
    }

    /// Says something about the decision, for whoever watches the strategy think.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.note("nothing to be done"); }
    /// ```
    #[rhai_fn(pure)]
    pub fn note(agent: &mut Agent, text: &str) {
        agent.remark(text, None);
    }

    /// The same with a number.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.note("free cells", view.empty.count); }
    /// ```
    #[rhai_fn(name = "note", pure)]
    pub fn note_number(agent: &mut Agent, text: &str, number: INT) {
        agent.remark(text, Some(number));
    }

    /// Notes the value of an action, for whoever watches or follows the strategy: as the engine says it of actions that are
    /// left to `evaluate`. Of an action that is weighed several times the highest value is told.
    ///
    /// ```rhai
    /// fn decide(view, agent) { for action in agent.legal() { agent.weigh(action, agent.after(view, action).seat.cells.count); } }
    /// ```
    #[rhai_fn(pure)]
    pub fn weigh(agent: &mut Agent, action: ScriptAction, value: INT) {
        agent.weigh(&action.action, value);
    }
}

#[export_module]
pub(super) mod actions {
    use rhai::{Dynamic, ImmutableString};

    use super::super::super::value::{Answer, wrong};
    use super::super::convert;
    use super::ScriptAction;

    /// The name of the action.
    ///
    /// ```rhai
    /// fn decide(view, agent) { for action in agent.legal() { agent.note(action.name); } }
    /// ```
    #[rhai_fn(get = "name", pure, return_raw)]
    pub fn name(action: &mut ScriptAction) -> Answer<ImmutableString> {
        action.context.read(|state| {
            let declared = state.declarations().action(action.action.action);
            Ok(declared.map_or("", |declared| &*declared.name).into())
        })
    }

    /// A pick of the action, read by its name: `action.cell`. Fails if the action has no such pick.
    #[rhai_fn(index_get, pure, return_raw)]
    pub fn pick(action: &mut ScriptAction, name: &str) -> Answer<Dynamic> {
        action.context.read(|state| {
            let declared = state.declarations().action(action.action.action);
            let index = declared.and_then(|declared| declared.picks.iter().position(|pick| *pick.name == *name));
            let pick = index.and_then(|index| action.action.picks.get(index));
            let pick = pick.ok_or_else(|| wrong(format!("the action has no pick {name:?}")))?;
            Ok(convert::pick_to_script(&action.context, state, pick))
        })
    }
}

#[export_module]
pub(super) mod odds {
    use rhai::INT;

    use super::super::super::value::Answer;
    use super::{Expectation, declared, parameter, result, thousandths};

    /// How likely a result of the contest is, in thousandths.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.note("chance", agent.odds("duel", #{ skill: 3 }).chance("won")); }
    /// ```
    #[rhai_fn(name = "chance", pure, return_raw)]
    pub fn chance_of(odds: &mut Expectation, of: &str) -> Answer<INT> {
        let index = declared(odds, |contest| result(contest, of))?;
        Ok(odds.expected.chances.get(index).map_or(0, |chance| thousandths(*chance)))
    }

    /// What a side stands at on average where the contest ends with a result, in thousandths; 0 if it cannot end so.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.note("skill left", agent.odds("duel", #{ skill: 3 }).mean("skill", "won")); }
    /// ```
    #[rhai_fn(name = "mean", pure, return_raw)]
    pub fn mean_with(odds: &mut Expectation, side: &str, with: &str) -> Answer<INT> {
        let (side, with) = declared(odds, |contest| Ok((parameter(contest, side)?, result(contest, with)?)))?;
        Ok(odds.expected.mean(side, with).map_or(0, thousandths))
    }

    /// What a side stands at on average, however the contest ends, in thousandths.
    ///
    /// ```rhai
    /// fn decide(view, agent) { agent.note("skill left", agent.odds("duel", #{ skill: 3 }).mean("skill")); }
    /// ```
    #[rhai_fn(name = "mean", pure, return_raw)]
    pub fn mean_of(odds: &mut Expectation, side: &str) -> Answer<INT> {
        let side = declared(odds, |contest| parameter(contest, side))?;
        Ok(odds.expected.mean_of_all(side).map_or(0, thousandths))
    }
}
