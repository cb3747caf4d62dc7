//! The hooks of contests: how a round goes, and what it comes to.

use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::Program;
use super::api::call_context::SharedContext;
use super::api::convert;
use super::hooks::{self, BoundHook, Hook};
use boardwright_model::{ContestDeclaration, Sides, State, Value};
use boardwright_rules::{Clash, Round};

/// The hooks of one contest.
pub(super) struct ContestHooks {
    pub(super) clash: BoundHook,
    /// How it goes on from round to round; a contest without them is decided by one throw.
    pub(super) course: Option<CourseHooks>,
}

/// The hooks of a contest that is fought round by round.
pub(super) struct CourseHooks {
    pub(super) round: BoundHook,
    pub(super) result: BoundHook,
}

impl ContestHooks {
    /// Those of a program; `None` if one is missing.
    pub(super) fn find(program: &Program, contest: &ContestDeclaration) -> Option<Self> {
        let find = |hook: &'static Hook| hook.find(program, &[&contest.name]);
        let course = find(&hooks::ROUND).zip(find(&hooks::RESULT));
        Some(Self {
            clash: find(&hooks::CLASH)?,
            course: course.map(|(round, result)| CourseHooks { round, result }),
        })
    }
}

/// The sides of a contest as scripts see them.
pub(super) fn sides_to_script(context: &SharedContext, state: &State, contest: &ContestDeclaration, sides: &[Value]) -> Map {
    let named = contest.parameters.iter().zip(sides);
    named
        .map(|(parameter, value)| ((&*parameter.name).into(), convert::to_script(context, state, value)))
        .collect()
}

/// A round as scripts see it.
pub(super) fn round_to_script(context: &SharedContext, state: &State, round: &Round) -> Map {
    let item = |(name, value): &(Arc<str>, Value)| ((&**name).into(), convert::to_script(context, state, value));
    round.iter().map(item).collect()
}

/// The contest that `contest_...` named, and what it says its sides stand at. A side it does not name has its default.
///
/// # Errors
/// Says what should have been given back.
pub(super) fn read_begun(state: &State, value: &Dynamic) -> Result<(usize, Sides), String> {
    let form = || "() or a map such as #{ battle: #{ attackers: 3, defenders: 2 } }".to_owned();
    let begun = convert::map_entries(value).ok_or_else(form)?;
    let mut named = begun.iter();
    let (Some((name, sides)), None) = (named.next(), named.next()) else {
        return Err(form());
    };
    let declarations = state.declarations();
    let found = declarations
        .find_contest(name)
        .and_then(|index| Some((index, declarations.contests.get(index)?)));
    let (index, contest) = found.ok_or_else(|| format!("a declared contest; there is none called {name}"))?;
    let given = convert::map_entries(sides).ok_or_else(form)?;
    if let Some(unknown) = given.keys().find(|key| contest.parameters.iter().all(|side| *side.name != ***key)) {
        return Err(format!("sides of {name}; it has none called {unknown}"));
    }
    let sides = contest.parameters.iter().map(|side| match given.get(&*side.name) {
        None => Ok(side.default.clone()),
        Some(value) => {
            let value = convert::from_script(state, value, &side.value_type).map_err(|wrong| format!("{}: {wrong}", side.name))?;
            let checked = side.value_type.check(&value).map_err(|wrong| format!("{}: {wrong}", side.name));
            checked.map(|()| value)
        }
    });
    Ok((index, sides.collect::<Result<Sides, String>>()?))
}

/// What luck depends on, as `round_...` gave it back. `None` if it is no map of plain values.
pub(super) fn read_round(value: &Dynamic) -> Option<Round> {
    let map = convert::map_entries(value)?;
    let items = map
        .iter()
        .map(|(name, value)| Some((Arc::from(name.as_str()), convert::plain_value(value)?)));
    items.collect()
}

/// The key under which `clash_...` gives the result.
pub(super) const RESULT_KEY: &str = "result";

/// What `clash_...` gave back: by how much each parameter that it names goes up, and the result if it decides the contest. What it says beside
/// them is for the rules.
pub(super) fn read_clash(value: &Dynamic, contest: &ContestDeclaration) -> Option<Clash> {
    let map = convert::map_entries(value)?;
    let change = |name: &str| map.get(name).map_or(Some(0), |value| value.as_int().ok());
    let result = match map.get(RESULT_KEY) {
        None => None,
        Some(value) if value.is_unit() => None,
        Some(value) => {
            let word = value.as_immutable_string_ref().ok()?;
            Some(contest.results.iter().position(|result| **result == **word)?)
        }
    };
    Some(Clash {
        changes: contest
            .parameters
            .iter()
            .map(|parameter| change(&parameter.name))
            .collect::<Option<_>>()?,
        result,
    })
}
