//! The hooks of contests: how a round goes, and what it comes to.

use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, Map};

use super::Program;
use super::api::convert;
use super::api::stage::SharedStage;
use super::fault::placed;
use super::source::locate;
use super::table::Table;
use crate::model::{ContestDeclaration, Frame, State, Value};
use crate::rules::{Changes, Fault, Round};
use crate::ruleset::Code;

/// The names of the hooks of one contest.
pub(super) struct ContestHooks {
    pub(super) round: String,
    pub(super) clash: String,
    pub(super) result: String,
}

impl ContestHooks {
    /// The hooks of each declared contest.
    ///
    /// # Errors
    /// If one is missing.
    pub(super) fn of(program: &Program, frame: &Frame) -> Result<Vec<Self>, Fault> {
        let contests = frame.contests.iter().enumerate();
        contests.map(|(index, contest)| Self::of_contest(program, index, contest)).collect()
    }

    fn of_contest(program: &Program, index: usize, contest: &ContestDeclaration) -> Result<Self, Fault> {
        let needed = |name: String, parameters: &str| {
            if program.has(&name, 2) {
                return Ok(name);
            }
            let message = format!("contest {} needs a function {name}({parameters})", contest.name);
            let place = locate(program, &["contests".to_owned(), index.to_string()]);
            Err(placed(Fault::new(Code::MissingHook.text(), message), place))
        };
        Ok(Self {
            round: needed(format!("round_{}", contest.name), "view, sides")?,
            clash: needed(format!("clash_{}", contest.name), "turn, round")?,
            result: needed(format!("result_{}", contest.name), "view, sides")?,
        })
    }
}

/// The sides of a contest as scripts see them.
pub(super) fn sides_to_script(stage: &SharedStage, state: &State, contest: &ContestDeclaration, sides: &[Value]) -> Map {
    let named = contest.parameters.iter().zip(sides);
    named
        .map(|(parameter, value)| ((&*parameter.name).into(), convert::to_script(stage, state, value)))
        .collect()
}

/// A round as scripts see it.
pub(super) fn round_to_script(stage: &SharedStage, state: &State, round: &Round) -> Map {
    let item = |(name, value): &(Arc<str>, Value)| ((&**name).into(), convert::to_script(&Rc::clone(stage), state, value));
    round.iter().map(item).collect()
}

fn entries(value: &Dynamic) -> Option<Map> {
    if let Some(map) = value.read_lock::<Map>() {
        return Some(map.clone());
    }
    value.read_lock::<Table>().and_then(|table| table.as_map().cloned())
}

/// What luck depends on, as `round_...` gave it back. `None` if it is no map of plain values.
pub(super) fn read_round(value: &Dynamic) -> Option<Round> {
    let map = entries(value)?;
    let items = map
        .iter()
        .map(|(name, value)| Some((Arc::from(name.as_str()), convert::plain_value(value)?)));
    items.collect()
}

/// What `clash_...` gave back: by how much each parameter that it names goes up. What it says beside them is for the rules.
pub(super) fn read_changes(value: &Dynamic, contest: &ContestDeclaration) -> Option<Changes> {
    let map = entries(value)?;
    let change = |name: &str| map.get(name).map_or(Some(0), |value| value.as_int().ok());
    contest.parameters.iter().map(|parameter| change(&parameter.name)).collect()
}
