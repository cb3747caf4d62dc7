//! Which of the hooks that rules may have are there.

use std::rc::Rc;

use super::super::Program;
use super::super::contests::ContestHooks;
use crate::model::{ActionDeclaration, Frame};
use crate::rules::{Fault, Pattern};

/// The hooks of one declared action.
pub(super) struct ActionHooks {
    pub(super) carry_out: Option<String>,
    pub(super) may: Option<String>,
    pub(super) notation: Option<String>,
    pub(super) why: Option<String>,
    pub(super) contest: Option<String>,
    /// The hook of each pick and whether it takes the picks before it.
    pub(super) domains: Vec<Option<(String, bool)>>,
    pub(super) pattern: Option<Rc<Pattern>>,
    pub(super) suggest: Option<String>,
    pub(super) order: Option<String>,
    pub(super) lots: Option<String>,
}

impl ActionHooks {
    /// Those of an action, but for its pattern, which has to be asked for.
    fn new(program: &Program, declared: &ActionDeclaration) -> Self {
        let named = |name: String, arity: usize| program.has(&name, arity).then_some(name);
        let domains = declared.picks.iter().map(|pick| {
            let name = format!("{}_{}", declared.name, pick.name);
            named(name.clone(), 2)
                .map(|name| (name, true))
                .or_else(|| named(name, 1).map(|name| (name, false)))
        });
        Self {
            carry_out: named(format!("do_{}", declared.name), 2),
            may: named(format!("may_{}", declared.name), 1),
            notation: named(format!("notation_{}", declared.name), 2),
            why: named(format!("why_{}", declared.name), 2),
            contest: named(format!("contest_{}", declared.name), 2),
            domains: domains.collect(),
            pattern: None,
            suggest: named(format!("suggest_{}", declared.name), 1),
            order: named(format!("order_{}", declared.name), 2),
            lots: named(format!("playout_{}", declared.name), 1),
        }
    }
}

/// The hooks that are there.
#[expect(clippy::struct_excessive_bools, reason = "one for each hook that may be there")]
pub(super) struct Found {
    pub(super) actions: Vec<ActionHooks>,
    pub(super) contests: Vec<ContestHooks>,
    pub(super) enter: Vec<Option<String>>,
    pub(super) leave: Vec<Option<String>>,
    pub(super) start: bool,
    pub(super) outcome: bool,
    pub(super) tally: bool,
    pub(super) score: bool,
    pub(super) order: bool,
    pub(super) visible: bool,
    pub(super) imagine: bool,
    pub(super) notation: bool,
    pub(super) migrate: bool,
}

impl Found {
    /// Those of a program with the declarations of a frame.
    pub(super) fn new(program: &Program, frame: &Frame) -> Result<Self, Fault> {
        let phases = |word: &str| {
            let names = frame.phases.iter().map(|phase| format!("{word}_{}", phase.name));
            names.map(|name| program.has(&name, 1).then_some(name)).collect()
        };
        Ok(Self {
            actions: frame.actions.iter().map(|declared| ActionHooks::new(program, declared)).collect(),
            contests: ContestHooks::of(program, frame)?,
            enter: phases("enter"),
            leave: phases("leave"),
            start: program.has("start", 1),
            outcome: program.has("outcome", 1),
            tally: program.has("tally", 1),
            score: program.has("score", 1),
            order: program.has("order", 2),
            visible: program.has("visible", 1),
            imagine: program.has("imagine", 1),
            notation: program.has("notation", 2),
            migrate: program.has("migrate", 1),
        })
    }
}
