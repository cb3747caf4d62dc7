//! The hooks: functions of scripts that the engine finds by name. How a program is searched for them, what lints know, what is missing,
//! and the reference all follow from the tables below.

use std::rc::Rc;

use rhai::{Dynamic, FuncArgs};

use super::call::Function;
use super::fault::Fault;
use super::{Program, source};
use boardwright_model::Declarations;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Place};

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
}

/// A function of a script that the engine calls if it is there.
#[derive(Debug)]
pub(crate) struct Hook {
    /// Its name; words in capitals stand for declared names.
    pub(crate) name: &'static str,
    family: Family,
    /// The parameters of each form that it may have; the first form that is there is called.
    forms: &'static [&'static str],
    /// What it has to return.
    pub(crate) gives: &'static str,
    /// Whether its doc comment has to start with the number of a rule.
    cites_rule: bool,
    /// When it is called, and what for.
    pub(crate) help: &'static str,
}

/// The doc comment has to start with the number of a rule.
const BY_RULE: bool = true;
const PLAIN: bool = false;

macro_rules! hooks {
    ($(#[$doc:meta])* $list:ident:
     $($id:ident = $family:ident $cites_rule:ident $name:literal [$($form:literal),*] -> $gives:literal: $help:literal;)*) => {
        $(pub(crate) static $id: Hook = Hook {
            name: $name,
            family: Family::$family,
            forms: &[$($form),*],
            gives: $gives,
            cites_rule: $cites_rule,
            help: $help,
        };)*

        $(#[$doc])*
        pub(crate) static $list: &[&Hook] = &[$(&$id),*];
    };
}

hooks! {
    /// The hooks of rules, in the order in which a match comes to them.
    HOOKS:
    RULESET = Ruleset BY_RULE "ruleset" [""] -> "a map of declarations":
        "Called once when the sources are loaded. The only hook that every ruleset needs.";
    PATTERN = Action BY_RULE "pattern_ACTION" ["view"] -> "a list of motions or of placement patterns":
        "Called once before a match. Motions are for an action with two picks, a piece and a path; placement patterns for one with three, a piece, a \
         pose and a cell. The engine then lists all that can be picked by itself, and carries it out if there is no `do_ACTION`. The view \
         is one of no state in particular: it has the options, and describes sets of cells.";
    START = Ruleset BY_RULE "start" ["turn"] -> "nothing":
        "Called when a match begins: shuffles decks, deals hands, decides who goes first.";
    ENTER_PHASE = Phase BY_RULE "enter_PHASE" ["turn"] -> "nothing":
        "Called when a phase has begun.";
    LEAVE_PHASE = Phase BY_RULE "leave_PHASE" ["turn"] -> "nothing":
        "Called when a phase is about to end, at the end of a turn too.";
    MAY = Action BY_RULE "may_ACTION" ["view"] -> "true or false":
        "Whether the action can be asked at all now. Only called where phase and open question fit. Without it: yes.";
    DOMAIN = Pick BY_RULE "ACTION_PICK" ["view, picked", "view"] -> "the domain of the pick":
        "What may be picked. `picked` holds the picks before this one by name. Needed for every pick of an action without a pattern. An \
         action with a pattern may have them as well; then both have to say the same, which tests compare.";
    WHY = Action BY_RULE "why_ACTION" ["view, picked"] -> "`refuse(rule, reason)` or `()`":
        "Why what was picked is not offered, for players. `picked` holds as many picks as were made, and they may be anything.";
    DO = Action BY_RULE "do_ACTION" ["turn, picked"] -> "nothing":
        "Carries the action out; `picked` holds its picks by name. `throw refuse(rule, reason)` takes everything back.";
    OUTCOME = Ruleset BY_RULE "outcome" ["view"] -> "`()`, `win(..)`, `draw(..)` or `ranking(..)`":
        "Called after every action, when the declared endings say nothing: whether the match is over.";
    FINAL_SCORE = Ruleset BY_RULE "final_score" ["view"] -> "a list of numbers, one for each seat":
        "The points of the seats, in turn order, when a match ends by an ending with `then: \"ranking\"`.";
    VISIBLE = Ruleset BY_RULE "visible" ["view"] -> "a set of cells":
        "The cells that `view.seat` sees, in rulesets that declare `fog: true`. Called for each seat, and for spectators with `view.seat` \
         as `()`.";
    VALUE = Ruleset PLAIN "value" ["view"] -> "a number":
        "The value of the state for `view.seat`, for computer players, in points of the ruleset's own. 0 is level. Without it they count own \
         pieces against those of others. Only what makes up the position may go into it.";
    PRIOR = Ruleset PLAIN "prior" ["view, picked"] -> "a number or `()`":
        "The prior of an action: how likely it is to be the best, before anything is searched, in hundredths of log-odds from -2000 to \
         2000. An action with 100 more is e times as likely; 0 says nothing. Searches try likelier actions first, and Monte Carlo players \
         distribute their simulations by it. An action with -1000 or less is held back: it is chosen only where all others lose for \
         certain. Where it gives `()`, and without it: what placement patterns say by `prior`.";
    PRIOR_ACTION = Action PLAIN "prior_ACTION" ["view, picked"] -> "a number or `()`":
        "The same for one action alone; `prior` is then not asked about it.";
    CANDIDATES = Action PLAIN "candidates_ACTION" ["view"] -> "a list of maps with the picks by name":
        "The candidate actions: the ways to carry the action out that computer players think about, where there are too many to think about \
         all. They have to be legal. An empty list: all.";
    PLAYOUT_WEIGHTS = Action PLAIN "playout_weights_ACTION" ["view"] -> "a list of pairs: what, and a weight":
        "The playout weights: playouts of computer players sample the ways to carry the action out in proportion to them. Each weighs 1, and \
         more for what it picks. The first of a pair is cells (the weight is added for each that the action covers; of a path its last cell \
         counts), pieces, the name of a kind, or a word to choose. Without it placements go by their `playout_weight`, and all else is \
         equally likely.";
    DETERMINIZE = Ruleset PLAIN "determinize" ["turn"] -> "nothing":
        "Puts into what `turn.seat` sees what it does not see and may well be there, for computer players: the cards of other hands, the \
         order of a deck. Draw with `turn.roll`, `turn.shuffle` and the like. What is created in a zone counts among the pieces there \
         that were not seen. Without it they think as if nothing were there.";
    NOTATION_ACTION = Action PLAIN "notation_ACTION" ["view, picked"] -> "a text":
        "How players write an action, seen from the state in which it is asked.";
    NOTATION = Ruleset PLAIN "notation" ["view, picked"] -> "a text":
        "How players write the actions that have no `notation_ACTION`. Without it: the action and its picks.";
    CONTEST = Action PLAIN "contest_ACTION" ["view, picked"] -> "`()` or a map with the name of a contest and what its sides stand at":
        "The contest that an action begins, so that players can be told its odds before they decide: `#{ battle: #{ attackers: 3, defenders: \
         2 } }`. `picked` holds as many picks as were made; `()` as long as they do not tell.";
    ROUND = Contest BY_RULE "round_CONTEST" ["view, sides"] -> "`()` or a map":
        "What the luck of the next round of a contest depends on, given what its sides stand at: how many dice each side rolls, what is \
         added to them. `()` when the contest is over. The odds of rounds that are alike are worked out once.";
    CLASH = Contest BY_RULE "clash_CONTEST" ["turn, round"] -> "a map of numbers":
        "Rolls for one round and says by how much each side goes up. Rules call it themselves when the contest is fought.";
    RESULT = Contest BY_RULE "result_CONTEST" ["view, sides"] -> "one of the declared results":
        "What the sides stand for when the contest is over or broken off.";
    LOOK_BOARD = Ruleset PLAIN "look_board" ["view"] -> "`()` or a map: `fill`, `texture`":
        "How the ground looks that the board lies on, such as the sea around areas. `fill` is a colour, `texture` a file in `art/` that is laid \
         over all of it, again and again.";
    LOOK_CELL = Ruleset PLAIN "look_cell" ["view, cell"] -> "`()` or a map: `fill`, `texture`, `icon`, `facing`, `overlays`, `glyph`, `label`, `badge`, `outline`":
        "How a cell looks, where it is not as its terrain says. `fill` and `outline` are colours; `texture` (laid over the whole ground) and \
         `icon` are files in `art/`, `overlays` a list of them above the icon; `facing` turns the icon, in degrees clockwise from up; \
         `glyph` is one or two large characters, `label` a short text below the middle, `badge` one at the corner.";
    LOOK_PIECE = Ruleset PLAIN "look_piece" ["view, piece"] -> "`()` or a map: `fill`, `icon`, `glyph`, `badge`, `facing`, `outline`, `overlays`, `vectors`":
        "How a piece looks, where it is not as its kind says. `fill` and `outline` are colours, `icon` is a file in `art/`, `overlays` a list of \
         them above it; `facing` is a direction in degrees, clockwise from up; `vectors` are arrows: a list of the cells they end at, \
         or of maps `#{ to: cell, fill: colour, label: text }`.";
    PANEL = Ruleset PLAIN "panel" ["view"] -> "a list of pairs: label and value":
        "Lines shown beside the board.";
    MIGRATE = Ruleset PLAIN "migrate" ["turn"] -> "nothing":
        "Called when these rules take over a match that began under others, so that it can suit the state to them.";
}

hooks! {
    /// The hooks of strategies, in the order in which they are looked for.
    STRATEGY_HOOKS:
    ANSWER = Answer PLAIN "answer_ACTION" ["view, agent"] -> "a map of the picks, an action, or `()`":
        "Answers the question that asks for this action; `view.question` says what it is about.";
    DECIDE_IN_PHASE = Phase PLAIN "decide_PHASE" ["view, agent"] -> "an action, or `()`":
        "Chooses an action in this phase. It is asked again for every action.";
    DECIDE = Ruleset PLAIN "decide" ["view, agent"] -> "an action, or `()`":
        "The same, for all phases and questions that have no function of their own.";
    EVALUATE = Ruleset PLAIN "evaluate" ["view, agent"] -> "a number":
        "How good a state is for `view.seat`: more is better. Asked where the others are missing or give back `()`: each action that may be \
         taken is tried, those with luck in them several times, and the one after which this says most is chosen.";
    EVALUATE_CELLS = Ruleset PLAIN "evaluate_cells" ["view, agent"] -> "a list of pairs: a cell or a set of cells, and a number":
        "What cells are worth to `view.seat`, for whoever looks at the strategy: a map of these is drawn over the board. It decides nothing. \
         Where a cell is named several times, the numbers are added up. Without it: what `evaluate` says, less what it would say without \
         what stands on the cell.";
}

fn arity(form: &str) -> usize {
    if form.is_empty() { 0 } else { form.split(',').count() }
}

impl Hook {
    /// The parameters, with all forms: `(view) or (view, picked)`.
    pub(crate) fn parameters(&self) -> String {
        self.signatures("")
    }

    /// The name and the parameters: `final_score(view)`.
    pub(crate) fn signature(&self) -> String {
        self.signatures(self.name)
    }

    /// The same for declared names: `do_march(turn, picked)`.
    pub(crate) fn signature_for(&self, declared: &[&str]) -> String {
        self.signatures(&self.name_for(declared))
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
        let function = self.forms.iter().find_map(|form| program.function(&name, arity(form)))?;
        Some(BoundHook { hook: self, function })
    }

    /// The fault of declarations that need the function.
    pub(crate) fn missing(&self, what: &str, declared: &[&str]) -> Diagnostic {
        let function = self.signature_for(declared);
        let name = declared.first().unwrap_or(&"");
        Diagnostic::error(Code::MissingHook, format!("{what} {name} needs a function {function}"))
    }

    /// The names that it has under these declarations.
    fn names(&self, frame: &Declarations) -> Vec<String> {
        let actions = frame.actions.iter();
        match self.family {
            Family::Ruleset => vec![self.name.to_owned()],
            Family::Phase => frame.phases.iter().map(|phase| self.name_for(&[&phase.name])).collect(),
            Family::Action => actions.map(|action| self.name_for(&[&action.name])).collect(),
            Family::Answer => {
                let answers = actions.filter(|action| action.answers_decision);
                answers.map(|action| self.name_for(&[&action.name])).collect()
            }
            Family::Pick => {
                let picks = actions.flat_map(|action| action.picks.iter().map(move |pick| (action, pick)));
                picks.map(|(action, pick)| self.name_for(&[&action.name, &pick.name])).collect()
            }
            Family::Contest => frame.contests.iter().map(|contest| self.name_for(&[&contest.name])).collect(),
        }
    }
}

/// The functions of a table that a program may have under these declarations.
pub(crate) fn of(table: &[&Hook], frame: &Declarations) -> boardwright_ruleset::Hooks {
    let known = |hook: &&Hook| {
        let names = hook.names(frame).into_iter();
        let (cites_rule, is_table) = (hook.cites_rule, hook.name == RULESET.name);
        let parameters: Vec<usize> = hook.forms.iter().map(|form| arity(form)).collect();
        let hooks = names.map(move |name| boardwright_ruleset::Hook {
            name,
            cites_rule,
            is_table,
            parameters: parameters.clone(),
        });
        hooks.collect::<Vec<_>>()
    };
    table.iter().flat_map(known).collect()
}

/// What declared actions and contests need and a program does not have.
pub(crate) fn missing(program: &Program, frame: &Declarations) -> Diagnostics {
    let mut missing = Diagnostics::default();
    let mut need = |hook: &'static Hook, (what, list, index): (&str, &str, usize), declared: &[&str]| {
        if hook.find(program, declared).is_none() {
            let place = source::locate(program, &[list.to_owned(), index.to_string()]);
            missing.push(hook.missing(what, declared).at(place));
        }
    };
    for (index, action) in frame.actions.iter().enumerate() {
        if PATTERN.find(program, &[&action.name]).is_some() {
            continue;
        }
        let at = ("action", "actions", index);
        need(&DO, at, &[&action.name]);
        for pick in &action.picks {
            need(&DOMAIN, at, &[&action.name, &pick.name]);
        }
    }
    for (index, contest) in frame.contests.iter().enumerate() {
        for hook in [&ROUND, &CLASH, &RESULT] {
            need(hook, ("contest", "contests", index), &[&contest.name]);
        }
    }
    missing
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

    /// The fault of a function that returned something else than the reference says.
    pub(crate) fn wrong_result(&self, program: &Program) -> Diagnostic {
        self.expected_result(program, &self.hook.gives.replace('`', ""))
    }

    /// The fault of a function that did not return what is described.
    pub(crate) fn expected_result(&self, program: &Program, expected: &str) -> Diagnostic {
        let message = format!("{} has to return {expected}", self.name());
        self.fault(program, Code::ReturnType, message, None)
    }

    /// A fault of the function at a place; without one, where the function begins.
    pub(crate) fn fault(&self, program: &Program, code: Code, message: String, place: Option<Place>) -> Diagnostic {
        let place = place.or_else(|| program.place_of(self.name()));
        Diagnostic::error(code, message).at(place).in_hook(self.name())
    }
}
