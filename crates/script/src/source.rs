//! Compiled sources that rules for matches are made from.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak as WeakProgram};
use std::sync::{Arc, Weak};

use super::api::turn::{HAPPENED, ONCE};
use super::rules::ScriptRules;
use super::strategies::{self, Origin};
use super::{Limits, Program, api, compile, declare, hooks, look_over};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_model::{Board, Declarations, Fingerprint, PropertyDeclaration, Scope, Value, ValueType};
use boardwright_rules::{Rules, RulesSource, Settings};
use boardwright_ruleset::{CitedRule, Sources};

/// The script that most rulesets begin with.
const RULES_FILE: &str = "rules.rhai";

/// Sources that compile and whose declarations are sound. Shared between threads; each thread makes its own rules from it.
#[derive(Debug)]
pub struct ScriptSource {
    sources: Arc<Sources>,
    limits: Limits,
    declarations: Arc<Declarations>,
    fingerprint: Fingerprint,
    findings: Diagnostics,
    cited: Vec<CitedRule>,
    named_regions: Vec<(String, Location)>,
    named_rules: Vec<(String, Location)>,
    settings: Arc<BTreeMap<String, Settings>>,
    generates_maps: bool,
    pub(super) imports_files: bool,
}

/// Compiles sources with the whole script API.
///
/// # Errors
/// Everything that is wrong with them.
pub fn compile_rules(sources: &Sources, limits: &Limits) -> Result<Program, Diagnostics> {
    compile(sources, limits, &|sandbox| api::register(&mut sandbox.engine))
}

/// A program that rules on this thread are made of, and what it was compiled from.
struct ProgramOnThread {
    sources: Weak<Sources>,
    limits: Limits,
    program: WeakProgram<Program>,
}

thread_local! {
    static PROGRAMS: RefCell<Vec<ProgramOnThread>> = const { RefCell::new(Vec::new()) };
}

/// The program of sources on this thread: all rules that are made of the same `Arc` share one, as a thread with many matches has many. While one of them
/// answers a request, further rules get a program of their own, so that each request has its own budget.
fn program_on_thread(sources: &Arc<Sources>, limits: Limits) -> Result<Rc<Program>, Diagnostics> {
    let known = PROGRAMS.with_borrow_mut(|programs| {
        programs.retain(|known| known.program.strong_count() > 0);
        let is_it = |known: &&ProgramOnThread| std::ptr::eq(known.sources.as_ptr(), Arc::as_ptr(sources)) && known.limits == limits;
        programs.iter().find(is_it)?.program.upgrade()
    });
    if let Some(known) = known.filter(|known| known.meter().request.is_idle()) {
        return Ok(known);
    }
    let program = Rc::new(compile_rules(sources, &limits)?);
    PROGRAMS.with_borrow_mut(|programs| {
        programs.push(ProgramOnThread {
            sources: Arc::downgrade(sources),
            limits,
            program: Rc::downgrade(&program),
        });
    });
    Ok(program)
}

impl ScriptSource {
    /// Compiles sources, reads their declarations and looks for what is probably not meant so.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn new(sources: Arc<Sources>, limits: Limits) -> Result<Self, Diagnostics> {
        Self::compile(sources, limits).map(|(source, _)| source)
    }

    /// The same with the compiled program, from which [`ScriptSource::rules_of`] makes rules without compiling again.
    ///
    /// # Errors
    /// As [`ScriptSource::new`].
    pub fn compile(sources: Arc<Sources>, limits: Limits) -> Result<(Self, Program), Diagnostics> {
        let program = compile_rules(&sources, &limits)?;
        let mut declarations = read_declarations(&program, &sources)?;
        let mut contests = declarations.contests.iter();
        // A contest of one throw is over with the action that begins it.
        let has_rounds = contests.any(|contest| hooks::ROUND.find(&program, &[&contest.name]).is_some());
        for action in declarations
            .actions
            .iter_mut()
            .filter(|action| has_rounds && !action.answers_decision)
        {
            action.begins_contest = hooks::CONTEST.find(&program, &[&action.name]).is_some();
        }
        remember_once(&program, &mut declarations);
        let mut findings = program.lint(&hooks::of(hooks::HOOKS, &declarations, program.outline()), Some(&declarations));
        let actions = locate(&program, &["actions".to_owned()]);
        findings.extend(look_over::endless_turn(&declarations, program.outline(), actions));
        let missing = hooks::missing(&program, &declarations);
        if missing.has_errors() {
            // What is there under another name is among the findings.
            return Err(missing.into_iter().chain(findings).collect());
        }
        let source = Self {
            cited: program.outline().cited_rules(),
            named_regions: named_regions(&program, &declarations),
            named_rules: named_rules(&program),
            fingerprint: program.fingerprint(),
            sources,
            limits,
            declarations: Arc::new(declarations),
            findings,
            settings: Arc::default(),
            generates_maps: hooks::GENERATE_MAP.find(&program, &[]).is_some(),
            imports_files: hooks::IMPORT_FILE.find(&program, &[]).is_some(),
        };
        Ok((source, program))
    }

    /// Rules as [`RulesSource::rules`] makes them, from the program that this source was compiled to.
    ///
    /// # Errors
    /// If the rules do not work on that board.
    pub fn rules_of(
        &self,
        program: Program,
        board: &Arc<Board>,
        declarations: &Arc<Declarations>,
        options: &[Value],
    ) -> Result<Box<dyn Rules>, Diagnostic> {
        self.rules_with(program.into(), board, declarations, options)
    }

    fn rules_with(
        &self,
        program: Rc<Program>,
        board: &Arc<Board>,
        declarations: &Arc<Declarations>,
        options: &[Value],
    ) -> Result<Box<dyn Rules>, Diagnostic> {
        let rules = ScriptRules::new(program, self.fingerprint, board, declarations, options)?;
        let origin = Origin {
            sources: Arc::clone(&self.sources),
            limits: self.limits,
            settings: Arc::clone(&self.settings),
        };
        let (sources, limits, fingerprint) = (Arc::clone(&self.sources), self.limits, self.fingerprint);
        let (board, declarations, options) = (Arc::clone(board), Arc::clone(declarations), options.to_vec());
        let make = move || {
            let program = compile_rules(&sources, &limits).map_err(|problems| does_not_compile(&problems))?;
            ScriptRules::new(program.into(), fingerprint, &board, &declarations, &options)
        };
        Ok(Box::new(rules.with_strategies(origin, Box::new(make))))
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
        strategies::check(&self.sources, &self.limits, &self.declarations, &self.settings)
    }

    /// Whether the rules generate maps.
    pub fn generates_maps(&self) -> bool {
        self.generates_maps
    }

    /// What calls of it may take.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The sources.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// The rules as the comments of their functions say them, by number.
    pub fn cited_rules(&self) -> &[CitedRule] {
        &self.cited
    }

    /// The regions that functions in force name, and where.
    pub fn named_regions(&self) -> &[(String, Location)] {
        &self.named_regions
    }

    /// The numbers of rules that functions in force give with refusals, endings, patterns and declarations, and where.
    pub fn named_rules(&self) -> &[(String, Location)] {
        &self.named_rules
    }

    /// What is probably not meant so, though the rules can be played.
    pub fn findings(&self) -> &Diagnostics {
        &self.findings
    }
}

/// Declares where `turn.once(..)` keeps what has happened, if a script uses it.
fn remember_once(program: &Program, declarations: &mut Declarations) {
    let mut calls = program.outline().in_force().flat_map(|function| &function.body.calls);
    let is_declared = declarations.find_property(Scope::Match, HAPPENED).is_some();
    if is_declared || !calls.any(|call| call.name == ONCE && call.is_method) {
        return;
    }
    let slots = declarations.properties_of(Scope::Match).count();
    declarations.properties.push(PropertyDeclaration {
        name: HAPPENED.into(),
        title: "Happened".into(),
        scope: Scope::Match,
        slot: u16::try_from(slots).unwrap_or(u16::MAX),
        value_type: ValueType::List,
        default: Value::List(Arc::default()),
        in_position: true,
        is_secret: false,
    });
}

fn named_regions(program: &Program, declarations: &Declarations) -> Vec<(String, Location)> {
    let calls = program.outline().in_force().flat_map(|function| &function.body.calls);
    let named = calls.filter(|call| call.name == "region" && call.is_method);
    let of_endings = declarations.endings.iter().enumerate().flat_map(|(number, ending)| {
        let place = locate(program, &["endings".to_owned(), number.to_string()]);
        let named = |region: &Arc<str>| Some((region.to_string(), place.clone()?));
        ending.condition.regions().iter().filter_map(named).collect::<Vec<_>>()
    });
    named
        .filter_map(|call| Some((call.text.clone()?, shown(program, &call.place))))
        .chain(of_endings)
        .collect()
}

/// The numbers of rules that functions in force give, in order.
fn named_rules(program: &Program) -> Vec<(String, Location)> {
    let rules = program.outline().in_force().flat_map(|function| &function.body.rules);
    rules.map(|(number, place)| (number.clone(), shown(program, place))).collect()
}

/// A place with its line.
fn shown(program: &Program, place: &Location) -> Location {
    let mut place = place.clone();
    program.lines.show(&mut place);
    place
}

fn does_not_compile(problems: &Diagnostics) -> Diagnostic {
    Diagnostic::error(Code::DoesNotCompile, problems.render())
}

fn read_declarations(program: &Program, sources: &Sources) -> Result<Declarations, Diagnostics> {
    let Some(hook) = hooks::RULESET.find(program, &[]) else {
        let message = format!(
            "a ruleset needs a function {} that returns its declarations",
            hooks::RULESET.signature()
        );
        // Any script may have it; this one has it in most rulesets.
        let lowest = sources.layers.first().map(|layer| layer.place_of(RULES_FILE));
        let found = Diagnostic::error(Code::MissingValue, message).at(lowest.map(Location::file));
        let found = found.with_help("write `fn ruleset() { #{ seats: [..], kinds: [..], actions: [..] } }`");
        return Err(found.into());
    };
    match hook.call(program, ()) {
        Ok(value) => declare::declarations(&value, &|way| locate(program, way)),
        Err(fault) => Err(fault.with_calls().into()),
    }
}

/// The place of a declared key: the keys of the way are looked for one after the other from the beginning of `ruleset()`.
pub(super) fn locate(program: &Program, way: &[String]) -> Option<Location> {
    let declarations = program.place_of(hooks::RULESET.name)?;
    program.lines.locate(&declarations, way).or(Some(declarations))
}

/// The place of a name in a list of declarations.
fn index_of(declarations: &Declarations, list: &str, name: &str) -> Option<usize> {
    let is_it = |other: &Arc<str>| **other == *name;
    match list {
        "kinds" => declarations.kinds.iter().position(|kind| is_it(&kind.name)),
        "terrains" => declarations.terrains.iter().position(|terrain| is_it(&terrain.name)),
        "zones" => declarations.zones.iter().position(|zone| is_it(&zone.name)),
        "actions" => declarations.actions.iter().position(|action| is_it(&action.name)),
        _ => None,
    }
}

impl RulesSource for ScriptSource {
    fn declarations(&self) -> &Arc<Declarations> {
        &self.declarations
    }

    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    fn check_settings(&self, strategy: &str, given: &Settings) -> Result<(), Diagnostic> {
        match self.settings.get(strategy) {
            Some(own) => own.check(strategy, given),
            None => Settings::default().check(strategy, given),
        }
    }

    fn at_declaration(&self, fault: Diagnostic, list: &str, name: &str) -> Diagnostic {
        let Ok(program) = compile_rules(&self.sources, &self.limits) else {
            return fault;
        };
        let mut way = vec![list.to_owned()];
        way.extend(index_of(&self.declarations, list, name).map(|index| index.to_string()));
        match locate(&program, &way) {
            Some(place) => fault.at(place),
            None => fault,
        }
    }

    fn rules(&self, board: &Arc<Board>, declarations: &Arc<Declarations>, options: &[Value]) -> Result<Box<dyn Rules>, Diagnostic> {
        let program = program_on_thread(&self.sources, self.limits).map_err(|problems| does_not_compile(&problems))?;
        self.rules_with(program, board, declarations, options)
    }
}
