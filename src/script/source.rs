//! Compiled sources that rules for matches are made from.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::fault::placed;
use super::hooks::parameters_of;
use super::rules::ScriptRules;
use super::strategies::{self, Origin};
use super::{Limits, Program, api, compile, declare};
use crate::model::{Board, Fingerprint, Frame, Value};
use crate::rules::{Fault, Rules, RulesSource, Settings};
use crate::ruleset::{CitedRule, Code, Diagnostic, Diagnostics, Hooks, Place, Sources};

/// The script that most rulesets begin with.
const RULES_FILE: &str = "rules.rhai";

thread_local! {
    /// The program that was compiled last in this thread to check its sources: the first rules made from them here need not compile
    /// them again. A reload is then compiled once.
    static SPARE: Cell<Option<(Fingerprint, Limits, Program)>> = const { Cell::new(None) };
}

/// Sources that compile and whose declarations are sound. Shared between threads; each thread makes its own rules from it.
#[derive(Debug)]
pub struct ScriptSource {
    sources: Arc<Sources>,
    limits: Limits,
    frame: Arc<Frame>,
    fingerprint: Fingerprint,
    findings: Diagnostics,
    cited: Vec<CitedRule>,
    settings: Arc<BTreeMap<String, Settings>>,
}

/// Compiles sources with all words that rules are written in.
///
/// # Errors
/// Everything that is wrong with them.
pub fn compile_rules(sources: &Sources, limits: &Limits) -> Result<Program, Diagnostics> {
    compile(sources, limits, &|sandbox| api::register(&mut sandbox.engine))
}

impl ScriptSource {
    /// Compiles sources, reads their declarations and looks for what is probably not meant so.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn new(sources: Arc<Sources>, limits: Limits) -> Result<Self, Diagnostics> {
        let program = compile_rules(&sources, &limits)?;
        let mut frame = read_frame(&program, &sources)?;
        for action in frame.actions.iter_mut().filter(|action| !action.answers_decision) {
            action.begins_contest = program.has(&format!("contest_{}", action.name), 2);
        }
        let findings = program.lint(&hooks_of(&frame));
        let missing = missing_hooks(&program, &frame);
        if missing.has_errors() {
            // What is there under another name is among the findings.
            return Err(missing.into_iter().chain(findings).collect());
        }
        let cited = program.outline().cited_rules();
        let fingerprint = program.fingerprint();
        SPARE.set(Some((fingerprint, limits, program)));
        Ok(Self {
            sources,
            limits,
            frame: Arc::new(frame),
            fingerprint,
            findings,
            cited,
            settings: Arc::default(),
        })
    }

    /// The same with what the parameters of its strategies stand at, by the names of the strategies.
    #[must_use]
    pub fn with_settings(mut self, settings: BTreeMap<String, Settings>) -> Self {
        self.settings = Arc::new(settings);
        self
    }

    /// What the parameters of its strategies stand at.
    pub fn settings(&self) -> &BTreeMap<String, Settings> {
        &self.settings
    }

    /// The names of its strategies.
    pub fn strategies(&self) -> Vec<String> {
        strategies::names(&self.sources)
    }

    /// What is wrong with its strategies, or probably not meant so. The rules can be played whatever it is.
    pub fn check_strategies(&self) -> Diagnostics {
        strategies::check(&self.sources, &self.limits, &self.frame, &self.settings)
    }

    /// The sources.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// The rules as the comments of their functions say them, by number.
    pub fn cited_rules(&self) -> &[CitedRule] {
        &self.cited
    }

    /// What is probably not meant so, though the rules can be played.
    pub fn findings(&self) -> &Diagnostics {
        &self.findings
    }
}

/// What actions need and do not have: a function for each pick and one that carries them out, or a pattern that does both.
fn missing_hooks(program: &Program, frame: &Frame) -> Diagnostics {
    let has = |name: &str, arities: &[usize]| arities.iter().any(|arity| program.has(name, *arity));
    let mut missing = Diagnostics::default();
    for (index, action) in frame.actions.iter().enumerate() {
        let name = &action.name;
        if has(&format!("pattern_{name}"), &[1]) {
            continue;
        }
        let place = locate(program, &["actions".to_owned(), index.to_string()]);
        let mut miss = |function: String| {
            let found = Diagnostic::error(Code::MissingHook, format!("action {name} needs a function {function}"));
            missing.push(found.at(place.clone()));
        };
        if !has(&format!("do_{name}"), &[2]) {
            miss(format!("do_{name}(turn, picked)"));
        }
        for pick in &action.picks {
            let domain = format!("{name}_{}", pick.name);
            if !has(&domain, &[1, 2]) {
                miss(format!("{domain}(view) or {domain}(view, picked)"));
            }
        }
    }
    missing
}

/// The functions that are called from outside under these declarations. Those that carry out or judge by rules cite them.
fn hooks_of(frame: &Frame) -> Hooks {
    let mut by_rule = ["ruleset", "outcome", "start", "tally", "visible"].map(str::to_owned).to_vec();
    for action in &frame.actions {
        by_rule.extend(["do", "may", "pattern", "why"].map(|word| format!("{word}_{}", action.name)));
        by_rule.extend(action.picks.iter().map(|pick| format!("{}_{}", action.name, pick.name)));
    }
    for phase in &frame.phases {
        by_rule.extend(["enter", "leave"].map(|word| format!("{word}_{}", phase.name)));
    }
    let mut plain: Vec<String> = [
        "score",
        "order",
        "imagine",
        "notation",
        "look_board",
        "look_cell",
        "look_piece",
        "panel",
        "migrate",
    ]
    .map(str::to_owned)
    .to_vec();
    for action in &frame.actions {
        plain.extend(["order", "suggest", "playout", "notation", "contest"].map(|word| format!("{word}_{}", action.name)));
    }
    for contest in &frame.contests {
        by_rule.extend(["round", "clash", "result"].map(|word| format!("{word}_{}", contest.name)));
    }
    let actions = frame.actions.iter().map(|action| (&*action.name, "ACTION"));
    let phases = frame.phases.iter().map(|phase| (&*phase.name, "PHASE"));
    let contests = frame.contests.iter().map(|contest| (&*contest.name, "CONTEST"));
    let families: Vec<(&str, &str)> = actions.chain(phases).chain(contests).collect();
    Hooks::default()
        .with_rules(by_rule.iter().map(String::as_str))
        .with_plain(plain.iter().map(String::as_str))
        .with_parameters(|name| parameters_of(name, &families))
}

fn read_frame(program: &Program, sources: &Sources) -> Result<Frame, Diagnostics> {
    let mut problems = Diagnostics::default();
    if !program.has("ruleset", 0) {
        let found = Diagnostic::error(
            Code::MissingValue,
            "a ruleset needs a function ruleset() that gives back its declarations",
        );
        // Any script may have it; this one has it in most rulesets.
        let lowest = sources.layers.first().map(|layer| layer.place_of(RULES_FILE));
        problems.push(match lowest {
            Some(file) => found.at(Place::file(file)),
            None => found,
        });
        return Err(problems);
    }
    match program.call("ruleset", ()) {
        Ok(value) => declare::frame(&value, &|way| locate(program, way)),
        Err(fault) => {
            problems.push(fault.diagnostic());
            Err(problems)
        }
    }
}

/// The place of a declared key: the keys of the way are looked for one after the other from the beginning of `ruleset()`.
pub(super) fn locate(program: &Program, way: &[String]) -> Option<Place> {
    let declarations = program.place_of("ruleset")?;
    program.locate(&declarations, way).or(Some(declarations))
}

/// The place of a name in a list of declarations.
fn index_of(frame: &Frame, list: &str, name: &str) -> Option<usize> {
    let is_it = |other: &Arc<str>| **other == *name;
    match list {
        "kinds" => frame.kinds.iter().position(|kind| is_it(&kind.name)),
        "terrains" => frame.terrains.iter().position(|terrain| is_it(&terrain.name)),
        "zones" => frame.zones.iter().position(|zone| is_it(&zone.name)),
        "actions" => frame.actions.iter().position(|action| is_it(&action.name)),
        _ => None,
    }
}

impl RulesSource for ScriptSource {
    fn frame(&self) -> &Arc<Frame> {
        &self.frame
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    fn at_declaration(&self, fault: Fault, list: &str, name: &str) -> Fault {
        let Ok(program) = compile_rules(&self.sources, &self.limits) else {
            return fault;
        };
        let mut way = vec![list.to_owned()];
        way.extend(index_of(&self.frame, list, name).map(|index| index.to_string()));
        placed(fault, locate(&program, &way))
    }

    fn rules(&self, board: &Arc<Board>, frame: &Arc<Frame>, options: &[Value]) -> Result<Box<dyn Rules>, Fault> {
        let failed = |problems: Diagnostics| Fault::new("does-not-compile", problems.render());
        let program = match SPARE.take() {
            Some((fingerprint, limits, program)) if fingerprint == self.fingerprint && limits == self.limits => program,
            _ => compile_rules(&self.sources, &self.limits).map_err(failed)?,
        };
        let rules = ScriptRules::new(program, self.fingerprint, board, frame, options)?;
        let origin = Origin {
            sources: Arc::clone(&self.sources),
            limits: self.limits,
            settings: Arc::clone(&self.settings),
        };
        let (sources, limits, fingerprint) = (Arc::clone(&self.sources), self.limits, self.fingerprint);
        let (board, frame, options): (_, _, Vec<Value>) = (Arc::clone(board), Arc::clone(frame), options.to_vec());
        let make = move || {
            let program = compile_rules(&sources, &limits).map_err(failed)?;
            ScriptRules::new(program, fingerprint, &board, &frame, &options)
        };
        Ok(Box::new(rules.with_strategies(origin, Box::new(make))))
    }
}
