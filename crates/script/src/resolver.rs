//! Imports: only from the shared library, which is in memory.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, Engine, Module, Scope};

use super::SharedModule;
use super::compile::fault_of;
use super::constants::{Constants, Definition, Room};
use super::parse::{Parsed, Parser};
use super::symbols::{Import, Rules, Signatures, read_bodies, read_constant};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use boardwright_ruleset::SCRIPT_ENDING;

/// The scripts of the library that are in use.
pub(crate) struct Library<'a> {
    pub(crate) rules: Rules<'a>,
    pub(crate) parser: &'a Parser,
    pub(crate) constants: &'a Constants,
    pub(crate) used: Used,
}

/// What became of the scripts of the library that are in use.
#[derive(Default)]
pub(crate) struct Used {
    /// What each script in use has been made into. `None` while it is being made, or if it could not be.
    modules: BTreeMap<String, Option<SharedModule>>,
    /// The scripts that are being read, outermost first.
    reading: Vec<String>,
    /// What scripts offer under which number of arguments, by path and name.
    pub(crate) functions: BTreeMap<String, BTreeSet<usize>>,
    pub(crate) constant_names: BTreeSet<String>,
}

impl Library<'_> {
    /// Takes a script of the library into use, with everything it imports. False if that failed.
    pub(crate) fn import(&mut self, engine: &mut Engine, import: &Import, problems: &mut Diagnostics) -> bool {
        let path = import.path.as_str();
        if let Some(module) = self.used.modules.get(path) {
            return module.is_some();
        }
        let mut problem = |code, message: String, help: String| {
            let place = self.rules.lines.place(import.position);
            problems.push(Diagnostic::error(code, message).at(place).with_help(help));
            false
        };
        if path.starts_with('/') || path.contains(['\\', ':']) || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
            let help = format!("a path names a script of the library; there are: {}", self.names());
            return problem(Code::Import, format!("`{path}` leads out of the library"), help);
        }
        if let Some(start) = self.used.reading.iter().position(|other| other == path) {
            let way: Vec<_> = self.used.reading.iter().skip(start).map(String::as_str).chain([path]).collect();
            return problem(Code::ImportCycle, format!("`{path}` imports itself"), way.join(" -> "));
        }
        let file = format!("{path}{SCRIPT_ENDING}");
        let sources = self.rules.lines.sources();
        let Some(source) = sources.iter().find(|source| source.layer.is_none() && source.path == file) else {
            let own = sources.iter().any(|source| source.path == file);
            let message = if own {
                format!("`{path}` is a script of the rules themselves, which see each other without import")
            } else {
                format!("there is no script `{path}` in the library")
            };
            return problem(Code::Import, message, format!("there are: {}", self.names()));
        };
        let module = self.parser.read(engine, source, self.rules.lines, problems).and_then(|parsed| {
            self.used.reading.push(path.to_owned());
            let imports = parsed.top.imports.iter();
            let failed = imports.filter(|import| !self.import(engine, import, problems)).count();
            self.used.reading.pop();
            (failed == 0).then(|| self.make(engine, path, &parsed, problems))?
        });
        if let Some(module) = &module {
            engine.register_static_module(path, module.clone());
        }
        self.used.modules.insert(path.to_owned(), module.clone());
        module.is_some()
    }

    fn names(&self) -> String {
        let library = self.rules.lines.sources().iter().filter(|source| source.layer.is_none());
        let names: Vec<_> = library.map(|source| source.path.trim_end_matches(SCRIPT_ENDING)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    /// Makes a module of a script.
    fn make(&mut self, engine: &Engine, path: &str, parsed: &Parsed, problems: &mut Diagnostics) -> Option<SharedModule> {
        let name = path.to_owned();
        let mut functions = Module::new();
        functions.set_id(name.clone());
        let (mut names, mut scripts) = (BTreeSet::new(), Signatures::new());
        for (_, _, function, arguments, definition) in parsed.ast.shared_lib().iter_script_fn_info() {
            functions.set_script_fn(definition.clone());
            if !function.starts_with("anon$") {
                names.insert(function.to_owned());
                scripts.insert((function.to_owned(), arguments));
                self.used
                    .functions
                    .entry(format!("{name}::{function}"))
                    .or_default()
                    .insert(arguments);
            }
        }
        let before = problems.count(Severity::Error);
        read_bodies(self.rules, &scripts, [&parsed.ast], problems);
        for (_, value, _) in &parsed.top.constants {
            read_constant(self.rules, &scripts, value, problems);
        }
        if problems.count(Severity::Error) > before {
            return None;
        }
        self.constants.watch(self.parser.grown_inside());
        let functions: SharedModule = functions.into();
        let constants = parsed.top.constants.iter().cloned();
        let room = Room {
            definitions: constants
                .map(|(name, value, position)| (name, Definition::new(value, position)))
                .collect(),
            ..Room::new(&functions, names)
        };
        self.constants.add(&name, room);
        let failed = self.constants.work_out_all(engine, &name);
        let whole = failed.is_empty();
        for (constant, position, error) in failed {
            problems.push(fault_of(&constant, position, *error, self.rules.lines));
        }
        let ast = AST::new_with_source([], functions, name.as_str());
        let module = Module::eval_ast_as_new(Scope::new(), &ast, engine);
        match module {
            Ok(mut module) if whole => {
                for (constant, value) in self.constants.values(&name) {
                    self.used.constant_names.insert(format!("{name}::{constant}"));
                    module.set_var(constant, value);
                }
                module.build_index();
                Some(module.into())
            }
            Ok(_) => None,
            Err(error) => {
                problems.push(fault_of(path, rhai::Position::NONE, *error, self.rules.lines));
                None
            }
        }
    }
}
