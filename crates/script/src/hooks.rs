//! The hooks: functions of scripts that the engine finds by name. How a program is searched for them, what lints know and what is missing
//! follow from the tables below.

use std::rc::Rc;

use rhai::{Dynamic, FuncArgs};

use super::api::call_context::SharedContext;
use super::call::Function;
use super::fault::Fault;
use super::lowered::{Inputs, Value as LoweredValue};
use super::parse::base_name;
use super::reference::chapters;
use super::value::described;
use super::{Program, source};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{ActionDeclaration, Declarations, EndingResult, PickDeclaration};
use boardwright_rules::OccurrenceKind;
use boardwright_ruleset::SymbolTable;

/// What a hook belongs to: there is one function for each.
#[derive(Clone, Copy, Debug)]
enum Family {
    Ruleset,
    Phase,
    Action,
    /// An action that answers a question.
    Answer,
    Pick,
    Contest,
    HeatMap,
    /// Something that happens: each layer may have one function for it, and any number with a label of the author's behind the name.
    Listener,
}

/// A function of a script that the engine calls if it is there. When, and what it has to return, stands in a table of the reference.
#[derive(Debug)]
pub(crate) struct Hook {
    /// Its name; words in capitals stand for declared names.
    pub(crate) name: &'static str,
    family: Family,
    /// The parameters of each form that it may have; the first form that is there is called.
    forms: &'static [&'static str],
    /// Whether its doc comment has to start with the number of a rule.
    cites_rule: bool,
}

/// The doc comment has to start with the number of a rule.
const BY_RULE: bool = true;
const PLAIN: bool = false;

macro_rules! hooks {
    ($(#[$doc:meta])* $list:ident:
     $($id:ident = $family:ident $cites_rule:ident $name:literal [$($form:literal),*];)*) => {
        $(pub(crate) static $id: Hook = Hook {
            name: $name,
            family: Family::$family,
            forms: &[$($form),*],
            cites_rule: $cites_rule,
        };)*

        $(#[$doc])*
        pub(crate) static $list: &[&Hook] = &[$(&$id),*];
    };
}

hooks! {
    /// The hooks of rules, in the order in which a match comes to them.
    HOOKS:
    RULESET = Ruleset BY_RULE "ruleset" [""];
    PATTERN = Action BY_RULE "pattern_ACTION" ["view"];
    START = Ruleset BY_RULE "start" ["turn"];
    ENTER_PHASE = Phase BY_RULE "enter_PHASE" ["turn"];
    LEAVE_PHASE = Phase BY_RULE "leave_PHASE" ["turn"];
    END_ROUND = Ruleset BY_RULE "end_round" ["turn"];
    MAY = Action BY_RULE "may_ACTION" ["view"];
    DOMAIN = Pick BY_RULE "ACTION_PICK" ["view, picked", "view"];
    WHY = Action BY_RULE "why_ACTION" ["view, picked"];
    DO = Action BY_RULE "do_ACTION" ["turn, picked"];
    OUTCOME = Ruleset BY_RULE "outcome" ["view"];
    FINAL_SCORE = Ruleset BY_RULE "final_score" ["view"];
    VISIBLE = Ruleset BY_RULE "visible" ["view"];
    VALUE = Ruleset PLAIN "value" ["view"];
    PRIOR = Ruleset PLAIN "prior" ["view, picked"];
    PRIOR_ACTION = Action PLAIN "prior_ACTION" ["view, picked"];
    CANDIDATES = Action PLAIN "candidates_ACTION" ["view"];
    PLAYOUT_WEIGHTS = Action PLAIN "playout_weights_ACTION" ["view"];
    DETERMINIZE = Ruleset PLAIN "determinize" ["turn"];
    NOTATION_ACTION = Action PLAIN "notation_ACTION" ["view, picked"];
    NOTATION = Ruleset PLAIN "notation" ["view, picked"];
    SENTENCE_ACTION = Action PLAIN "sentence_ACTION" ["view, picked, after"];
    SENTENCE = Ruleset PLAIN "sentence" ["view, picked, after"];
    MARKS = Action PLAIN "marks_ACTION" ["view, picked"];
    CONTEST = Action PLAIN "contest_ACTION" ["view, picked"];
    ROUND = Contest BY_RULE "round_CONTEST" ["view, sides"];
    CLASH = Contest BY_RULE "clash_CONTEST" ["turn, round"];
    RESULT = Contest BY_RULE "result_CONTEST" ["view, sides"];
    STANDING_ACTION = Ruleset PLAIN "standing_action" ["view"];
    LOOK_BOARD = Ruleset PLAIN "look_board" ["view"];
    LOOK_CELL = Ruleset PLAIN "look_cell" ["view, cell"];
    LOOK_EDGE = Ruleset PLAIN "look_edge" ["view, edge"];
    LOOK_PIECE = Ruleset PLAIN "look_piece" ["view, piece"];
    HEAT_MAP = HeatMap PLAIN "heat_map_MAP" ["view"];
    PANEL = Ruleset PLAIN "panel" ["view"];
    LEFT_TO_DO = Ruleset PLAIN "left_to_do" ["view"];
    READ_LINE = Ruleset PLAIN "read_line" ["view, line"];
    WRITE_LINES = Ruleset PLAIN "write_lines" ["view, news"];
    MIGRATE = Ruleset PLAIN "migrate" ["turn"];
    MAP_GRID = Ruleset PLAIN "map_grid" ["view"];
    GENERATE_MAP = Ruleset PLAIN "generate_map" ["turn"];
    IMPORT_FILE = Ruleset PLAIN "import_file" ["document, draft"];
    ON_BEGIN = Listener PLAIN "on_begin" ["turn"];
    ON_ROUND = Listener PLAIN "on_round" ["turn"];
    ON_TURN = Listener PLAIN "on_turn" ["turn"];
    ON_ACTION = Listener PLAIN "on_action" ["turn, done"];
    ON_ENTER = Listener PLAIN "on_enter" ["turn, piece, cell"];
    ON_LEAVE = Listener PLAIN "on_leave" ["turn, piece, cell"];
    ON_CREATE = Listener PLAIN "on_create" ["turn, piece"];
    ON_REMOVE = Listener PLAIN "on_remove" ["turn, piece"];
    ON_GIVE = Listener PLAIN "on_give" ["turn, piece, before"];
    ON_CHANGE = Listener PLAIN "on_change" ["turn, changed"];
    ON_ELIMINATE = Listener PLAIN "on_eliminate" ["turn, seat"];
    ON_SETTLE = Listener PLAIN "on_settle" ["turn"];
}

/// The hook that listens to a sort of occurrence.
pub(crate) fn listener(kind: OccurrenceKind) -> &'static Hook {
    match kind {
        OccurrenceKind::Begun => &ON_BEGIN,
        OccurrenceKind::RoundBegun => &ON_ROUND,
        OccurrenceKind::TurnBegun => &ON_TURN,
        OccurrenceKind::Done => &ON_ACTION,
        OccurrenceKind::Entered => &ON_ENTER,
        OccurrenceKind::Left => &ON_LEAVE,
        OccurrenceKind::Created => &ON_CREATE,
        OccurrenceKind::Removed => &ON_REMOVE,
        OccurrenceKind::Given => &ON_GIVE,
        OccurrenceKind::Changed => &ON_CHANGE,
        OccurrenceKind::Eliminated => &ON_ELIMINATE,
        OccurrenceKind::Settled => &ON_SETTLE,
    }
}

/// Whether a function is a listener by its name: `on_enter`, `on_enter_the_ford`.
pub(crate) fn is_listener(function: &str) -> bool {
    HOOKS.iter().any(|hook| hook.listens_as(function))
}

hooks! {
    /// The hooks of strategies, in the order in which they are looked for.
    STRATEGY_HOOKS:
    ANSWER = Answer PLAIN "answer_ACTION" ["view, agent"];
    DECIDE_IN_PHASE = Phase PLAIN "decide_PHASE" ["view, agent"];
    DECIDE = Ruleset PLAIN "decide" ["view, agent"];
    EVALUATE = Ruleset PLAIN "evaluate" ["view, agent"];
    EVALUATE_CELLS = Ruleset PLAIN "evaluate_cells" ["view, agent"];
}

fn arity(form: &str) -> usize {
    if form.is_empty() { 0 } else { form.split(',').count() }
}

impl Hook {
    /// The signature of its row in the reference, and what it has to return.
    fn row(&self) -> Option<(String, String)> {
        let start = format!("`{}(", self.name);
        let rows = [chapters::HOOKS, chapters::STRATEGIES].into_iter().flat_map(chapters::rows);
        let row = rows
            .into_iter()
            .find(|row| row.first().is_some_and(|cell| cell.starts_with(&start)));
        let [signature, gives, _] = <[String; 3]>::try_from(row?).ok()?;
        Some((signature, gives))
    }

    /// The name and the parameters: `final_score(view)`.
    pub(crate) fn signature(&self) -> String {
        self.signatures(self.name)
    }

    /// The same for declared names: `do_march(turn, picked)`.
    pub(crate) fn signature_for(&self, declared: &[&str]) -> String {
        self.signatures(&self.name_for(declared))
    }

    /// The form of it that is looked for first.
    fn declared_form(&self, declared: &[&str]) -> String {
        format!("{}({})", self.name_for(declared), self.forms.first().unwrap_or(&""))
    }

    fn signatures(&self, name: &str) -> String {
        let forms: Vec<String> = self.forms.iter().rev().map(|form| format!("{name}({form})")).collect();
        forms.join(" or ")
    }

    /// The name with declared names in place of the words in capitals.
    fn name_for(&self, declared: &[&str]) -> String {
        let mut declared = declared.iter();
        let parts = self.name.split('_').map(|part| {
            let is_capital = part.starts_with(|c: char| c.is_ascii_uppercase());
            if is_capital {
                declared.next().copied().unwrap_or(part)
            } else {
                part
            }
        });
        parts.collect::<Vec<_>>().join("_")
    }

    /// The function of a program for declared names.
    pub(crate) fn find(&'static self, program: &Program, declared: &[&str]) -> Option<BoundHook> {
        let name = self.name_for(declared);
        let function = self.forms.iter().find_map(|form| program.hook(&name, arity(form)))?;
        Some(BoundHook { hook: self, function })
    }

    /// Whether a function of a name listens to what the hook is told of.
    fn listens_as(&self, function: &str) -> bool {
        let label = function.strip_prefix(self.name);
        matches!(self.family, Family::Listener) && label.is_some_and(|label| label.is_empty() || label.starts_with('_'))
    }

    /// All functions of a program that listen to what the hook is told of: the lowest layer first, in each as they stand there.
    pub(crate) fn find_listeners(&'static self, program: &Program) -> Vec<BoundHook> {
        let arity = self.forms.first().map_or(0, |form| arity(form));
        let functions = program.outline().in_force();
        let listening =
            functions.filter(|function| self.listens_as(&function.name) && !function.is_private && function.params.len() == arity);
        let bound = listening.filter_map(|function| {
            let found = program.hook_of(&base_name(function.layer + 1, &function.name), arity, &function.name);
            Some(BoundHook {
                hook: self,
                function: found?,
            })
        });
        bound.collect()
    }

    /// The fault of declarations that need the function.
    pub(crate) fn missing(&self, what: &str, declared: &[&str]) -> Diagnostic {
        let function = self.signature_for(declared);
        let name = declared.first().unwrap_or(&"");
        let cure = format!(
            "write `fn {} {{ .. }}`, or see whether its name is misspelt",
            self.declared_form(declared)
        );
        Diagnostic::error(Code::MissingHook, format!("{what} {name} needs a function {function}")).with_help(cure)
    }

    /// The names that it has under these declarations, each with the action, phase, contest or heat map that it belongs to.
    fn names(&self, declarations: &Declarations) -> Vec<(String, Option<String>)> {
        let actions = declarations.actions.iter();
        let of = |subject: &str| (self.name_for(&[subject]), Some(subject.to_owned()));
        match self.family {
            Family::Ruleset | Family::Listener => vec![(self.name.to_owned(), None)],
            Family::Phase => declarations.phases.iter().map(|phase| of(&phase.name)).collect(),
            Family::Action => actions.map(|action| of(&action.name)).collect(),
            Family::Answer => {
                let answers = actions.filter(|action| action.answers_decision && action.instead_of.is_none());
                answers.map(|action| of(&action.name)).collect()
            }
            Family::Pick => {
                let picks = actions.flat_map(|action| action.picks.iter().map(move |pick| (action, pick)));
                let name = |(action, pick): (&ActionDeclaration, &PickDeclaration)| {
                    (self.name_for(&[&action.name, &pick.name]), Some(action.name.to_string()))
                };
                picks.map(name).collect()
            }
            Family::Contest => declarations.contests.iter().map(|contest| of(&contest.name)).collect(),
            Family::HeatMap => declarations.heat_maps.iter().map(|map| of(&map.name)).collect(),
        }
    }
}

/// The functions of a table that a program may have under these declarations; its own listeners are among them.
pub(crate) fn of(table: &[&Hook], declarations: &Declarations, program: &SymbolTable) -> boardwright_ruleset::Hooks {
    let known = |hook: &&Hook| {
        let labelled = program.functions.iter().map(|function| &function.name);
        let labelled = labelled.filter(|name| hook.listens_as(name) && *name != hook.name).cloned();
        let names = hook.names(declarations).into_iter().chain(labelled.map(|name| (name, None)));
        let (cites_rule, is_table) = (hook.cites_rule, hook.name == RULESET.name);
        let parameters: Vec<usize> = hook.forms.iter().map(|form| arity(form)).collect();
        let preferred = hook.forms.first().copied().unwrap_or_default();
        let hooks = names.map(move |(name, subject)| boardwright_ruleset::Hook {
            signature: format!("{name}({preferred})"),
            name,
            cites_rule,
            subject,
            is_table,
            parameters: parameters.clone(),
        });
        hooks.collect::<Vec<_>>()
    };
    table.iter().flat_map(known).collect()
}

/// What declared actions, contests and heat maps need and a program does not have.
pub(crate) fn missing(program: &Program, declarations: &Declarations) -> Diagnostics {
    let mut missing = Diagnostics::default();
    let mut need = |hook: &'static Hook, (what, list, index): (&str, &str, usize), declared: &[&str]| {
        if hook.find(program, declared).is_none() {
            let place = source::locate(program, &[list.to_owned(), index.to_string()]);
            missing.push(hook.missing(what, declared).at(place));
        }
    };
    for (index, action) in declarations.actions.iter().enumerate() {
        if PATTERN.find(program, &[&action.name]).is_some() {
            continue;
        }
        let at = ("action", "actions", index);
        need(&DO, at, &[&action.name]);
        for pick in &action.picks {
            need(&DOMAIN, at, &[&action.name, &pick.name]);
        }
    }
    for (index, contest) in declarations.contests.iter().enumerate() {
        let at = ("contest", "contests", index);
        need(&CLASH, at, &[&contest.name]);
        // One of them without the other says half of how it goes on.
        if [&ROUND, &RESULT]
            .into_iter()
            .any(|hook| hook.find(program, &[&contest.name]).is_some())
        {
            need(&ROUND, at, &[&contest.name]);
            need(&RESULT, at, &[&contest.name]);
        }
    }
    for (index, map) in declarations.heat_maps.iter().enumerate() {
        need(&HEAT_MAP, ("heat map", "heat_maps", index), &[&map.name]);
    }
    let ranking = declarations
        .endings
        .iter()
        .position(|ending| ending.result == EndingResult::Ranking);
    if let Some(index) = ranking.filter(|_| FINAL_SCORE.find(program, &[]).is_none()) {
        let place = source::locate(program, &["endings".to_owned(), index.to_string()]);
        missing.push(no_final_score().at(place));
    }
    missing
}

/// The fault of an ending by points that no function counts.
pub(crate) fn no_final_score() -> Diagnostic {
    let function = FINAL_SCORE.signature();
    Diagnostic::error(
        Code::MissingHook,
        format!("an ending with then: \"ranking\" needs a function {function}"),
    )
}

/// A hook that a program has.
#[derive(Clone, Debug)]
pub(crate) struct BoundHook {
    hook: &'static Hook,
    function: Rc<Function>,
}

impl BoundHook {
    pub(crate) fn name(&self) -> &str {
        &self.function.name
    }

    /// With how many parameters it is called.
    pub(crate) fn arity(&self) -> usize {
        self.function.params.len()
    }

    /// Calls it. `program` is the one that it was found in.
    pub(crate) fn call(&self, program: &Program, arguments: impl FuncArgs) -> Result<Dynamic, Box<Fault>> {
        program.run(&self.function, arguments)
    }

    /// Calls it in a context with values as lowered code has them: see [`Program::run_in`].
    pub(crate) fn call_in(&self, program: &Program, context: &SharedContext, inputs: Inputs) -> Result<LoweredValue, Box<Fault>> {
        program.run_in(&self.function, context, inputs)
    }

    /// The fault of a function that returned something else than the reference says.
    pub(crate) fn wrong_result(&self, program: &Program, returned: &Dynamic) -> Diagnostic {
        let (_, gives) = self.hook.row().unwrap_or_default();
        self.unexpected_result(program, &gives.replace('`', ""), returned)
    }

    /// The fault of a function that returned something else than is described.
    pub(crate) fn unexpected_result(&self, program: &Program, expected: &str, returned: &Dynamic) -> Diagnostic {
        self.expected_result(program, &format!("{expected}; it returned {}", described(returned)))
    }

    /// The fault of a function that did not return what is described.
    pub(crate) fn expected_result(&self, program: &Program, expected: &str) -> Diagnostic {
        let message = format!("{} has to return {expected}", self.name());
        let cure = "what a function gives is its last expression, or that of `return`; without one it gives `()`";
        self.fault(program, Code::ReturnType, message, None).with_help(cure)
    }

    /// A fault of the function at a place; without one, where the function begins.
    pub(crate) fn fault(&self, program: &Program, code: Code, message: String, place: Option<Location>) -> Diagnostic {
        let place = place.or_else(|| program.place_of(self.name()));
        Diagnostic::error(code, message).at(place).in_hook(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_has_a_row_for_each_hook_and_no_other() {
        for (hooks, chapter) in [(HOOKS, chapters::HOOKS), (STRATEGY_HOOKS, chapters::STRATEGIES)] {
            let rows: Vec<_> = chapters::rows(chapter).map(|row| row[0].clone()).collect();
            let declared: Vec<_> = hooks.iter().map(|hook| format!("`{}{}`", hook.name, hook.signatures(""))).collect();
            assert_eq!(rows, declared);
            for (hook, row) in hooks.iter().zip(rows) {
                assert_eq!(hook.row().map(|(signature, _)| signature), Some(row));
            }
        }
    }
}
