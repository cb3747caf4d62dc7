//! Imports: only from the shared library, which is in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rhai::{AST, Engine, Module, Scope};

use super::SharedModule;
use super::compile::fault_of;
use super::constants::{Constants, Definition, Room};
use super::limits::Limits;
use super::lines::LineMap;
use super::parse::{Parsed, Parser};
use super::symbols::{Import, Rules, read_bodies, read_constant};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use boardwright_ruleset::SCRIPT_ENDING;

/// The scripts of the library that are in use.
pub(crate) struct Library<'a> {
    lines: &'a LineMap,
    limits: &'a Limits,
    takers: &'a BTreeSet<String>,
    parser: &'a Parser,
    constants: &'a Rc<Constants>,
    /// What each script in use has been made into. `None` while it is being made, or if it could not be.
    modules: BTreeMap<String, Option<SharedModule>>,
    /// The scripts that are being read, outermost first.
    reading: Vec<String>,
    /// What scripts offer under which number of arguments, by path and name.
    pub(crate) functions: BTreeMap<String, BTreeSet<usize>>,
    pub(crate) constant_names: BTreeSet<String>,
}

impl<'a> Library<'a> {
    pub(crate) fn new(
        lines: &'a LineMap,
        limits: &'a Limits,
        takers: &'a BTreeSet<String>,
        parser: &'a Parser,
        constants: &'a Rc<Constants>,
    ) -> Self {
        Self {
            lines,
            limits,
            takers,
            parser,
            constants,
            modules: BTreeMap::new(),
            reading: Vec::new(),
            functions: BTreeMap::new(),
            constant_names: BTreeSet::new(),
        }
    }

    /// Takes a script of the library into use, with everything it imports. False if that failed.
    pub(crate) fn import(&mut self, engine: &mut Engine, import: &Import, problems: &mut Diagnostics) -> bool {
        let path = import.path.as_str();
        if let Some(module) = self.modules.get(path) {
            return module.is_some();
        }
        let mut problem = |code, message: String, help: String| {
            problems.push(
                Diagnostic::error(code, message)
                    .at(self.lines.place(import.position))
                    .with_help(help),
            );
            false
        };
        if path.starts_with('/') || path.contains(['\\', ':']) || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
            let help = format!("a path names a script of the library; there are: {}", self.names());
            return problem(Code::Import, format!("`{path}` leads out of the library"), help);
        }
        if let Some(start) = self.reading.iter().position(|other| other == path) {
            let way: Vec<_> = self.reading.iter().skip(start).map(String::as_str).chain([path]).collect();
            return problem(Code::ImportCycle, format!("`{path}` imports itself"), way.join(" -> "));
        }
        let file = format!("{path}{SCRIPT_ENDING}");
        let sources = self.lines.sources();
        let Some(source) = sources.iter().find(|source| source.layer.is_none() && source.path == file) else {
            let own = sources.iter().any(|source| source.path == file);
            let message = if own {
                format!("`{path}` is a script of the rules themselves, which see each other without import")
            } else {
                format!("there is no script `{path}` in the library")
            };
            return problem(Code::Import, message, format!("there are: {}", self.names()));
        };
        let module = self.parser.read(engine, source, self.lines, problems).and_then(|parsed| {
            self.reading.push(path.to_owned());
            let failed = parsed
                .top
                .imports
                .iter()
                .filter(|import| !self.import(engine, import, problems))
                .count();
            self.reading.pop();
            if failed == 0 {
                self.make(engine, path, &parsed, problems)
            } else {
                None
            }
        });
        if let Some(module) = &module {
            engine.register_static_module(path, module.clone());
        }
        self.modules.insert(path.to_owned(), module.clone());
        module.is_some()
    }

    fn names(&self) -> String {
        let library = self.lines.sources().iter().filter(|source| source.layer.is_none());
        let names: Vec<_> = library.map(|source| source.path.trim_end_matches(SCRIPT_ENDING)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    /// Makes a module of a script.
    fn make(&mut self, engine: &Engine, path: &str, parsed: &Parsed, problems: &mut Diagnostics) -> Option<SharedModule> {
        let name = path.to_owned();
        let mut functions = Module::new();
        functions.set_id(name.clone());
        let (mut names, mut scripts) = (BTreeSet::new(), BTreeSet::new());
        for (_, _, function, arguments, definition) in parsed.ast.shared_lib().iter_script_fn_info() {
            functions.set_script_fn(definition.clone());
            if !function.starts_with("anon$") {
                names.insert(function.to_owned());
                scripts.insert((function.to_owned(), arguments));
                self.functions.entry(format!("{name}::{function}")).or_default().insert(arguments);
            }
        }
        let rules = Rules {
            lines: self.lines,
            limits: self.limits,
            takers: self.takers,
            scripts: &scripts,
        };
        let before = problems.count(Severity::Error);
        read_bodies(&rules, [&parsed.ast], problems);
        for (_, value, _) in &parsed.top.constants {
            read_constant(&rules, value, problems);
        }
        if problems.count(Severity::Error) > before {
            return None;
        }
        self.constants.watch(self.parser.grown_inside());
        let functions: SharedModule = functions.into();
        let constants = parsed.top.constants.iter().cloned();
        let definitions = constants
            .map(|(name, value, position)| {
                (
                    name,
                    Definition {
                        value,
                        position,
                        below: None,
                    },
                )
            })
            .collect();
        self.constants
            .add(&name, Room::new(functions.clone(), definitions, names, BTreeMap::new()));
        let failed = self.constants.work_out_all(engine, &name);
        let whole = failed.is_empty();
        for (constant, position, error) in failed {
            problems.push(fault_of(&constant, position, *error, self.lines));
        }
        let ast = AST::new_with_source([], functions, name.as_str());
        let module = Module::eval_ast_as_new(Scope::new(), &ast, engine);
        match module {
            Ok(mut module) if whole => {
                for (constant, value) in self.constants.values(&name) {
                    self.constant_names.insert(format!("{name}::{constant}"));
                    module.set_var(constant, value);
                }
                module.build_index();
                Some(module.into())
            }
            Ok(_) => None,
            Err(error) => {
                problems.push(fault_of(path, rhai::Position::NONE, *error, self.lines));
                None
            }
        }
    }
}
