//! What is probably not meant so in scripts that compile.
//!
//! A lint is switched off for the next line, or for the whole function if that line starts one, by a comment
//! `// allow(code): reason`. The comment may be part of a doc comment.

use std::collections::{BTreeMap, BTreeSet};

use super::{BodySymbols, CallSite, FunctionSymbol, Hooks, LostCall, SymbolTable, did_you_mean, foreign_word};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};

/// Functions longer than this are too long to be read at a glance.
pub const LINES_OF_A_FUNCTION: u32 = 40;

/// Numbers that need no name, wherever they stand.
const PLAIN_NUMBERS: std::ops::RangeInclusive<i64> = -10..=10;

/// Functions that are called for their value alone, and what is to be done with it.
const VALUES: [(&str, bool, &str); 16] = [
    ("win", false, "return it: `return win(..);`"),
    ("draw", false, "return it: `return draw(..);`"),
    ("ranking", false, "return it: `return ranking(..);`"),
    (
        "refuse",
        false,
        "write `throw refuse(..);`, or return it where the reference says that a hook gives a refusal",
    ),
    (
        "sorted",
        true,
        "keep it: `let sorted = list.sorted();`, or change the list itself with `list.sort()`",
    ),
    ("sorted_by", true, "keep it: `let sorted = list.sorted_by(..);`"),
    ("filter", true, "keep it: `let kept = list.filter(..);`"),
    (
        "map",
        true,
        "keep it: `let made = list.map(..);`; to do something with each item write `for item in list { .. }`",
    ),
    ("part", true, "keep it: `let part = list.part(..);`"),
    ("join", true, "keep it in a variable, or return it"),
    ("sum", true, "keep it in a variable, or return it"),
    ("copy", true, "keep it: `let own = list.copy();`"),
    ("contains", true, "ask with `if`: `if list.contains(..) { .. }`"),
    ("index_of", true, "keep it in a variable, or ask with `if`"),
    ("some", true, "ask with `if`: `if list.some(..) { .. }`"),
    ("all", true, "ask with `if`: `if list.all(..) { .. }`"),
];

/// Looks a program over. `hooks` says which of its functions are called from outside, `forms` how a native is written, and `others` what was
/// found by other means and may be allowed as well.
///
/// Errors are calls and names that lead nowhere; everything else is a warning.
pub fn lint(outline: &SymbolTable, hooks: &Hooks, forms: &dyn Fn(&str) -> Option<String>, others: &Diagnostics) -> Diagnostics {
    let mut linter = Linter {
        outline,
        hooks,
        forms,
        known: NameIndex::of(outline),
        numbers_its_rules: outline.functions.iter().any(cites_rule),
        cited_subjects: cited_subjects(outline, hooks),
        found: Diagnostics::new(),
    };
    linter.found.extend(others.iter().cloned());
    linter.numbers();
    for function in &outline.functions {
        linter.body(&function.body, &linter.lacking(function));
        linter.function(function);
        linter.parameters(function);
    }
    for constant in &outline.constants {
        linter.body(&constant.body, &[]);
        if !linter.known.used.contains(constant.name.as_str()) {
            let message = format!("nothing uses the constant `{}`", constant.name);
            linter.warn(
                Code::Unused,
                message,
                &constant.place,
                Some("take it away, or see whether a name that should be this one is misspelt"),
            );
        }
    }
    let mut found = suppress(linter.found, outline);
    found.sort();
    found
}

/// Names, for quick answers.
struct NameIndex<'a> {
    /// The numbers of parameters of functions of scripts.
    scripts: BTreeMap<&'a str, BTreeSet<usize>>,
    constants: BTreeSet<&'a str>,
    /// Names that something calls or reads.
    used: BTreeSet<&'a str>,
    /// Names that stand as values.
    values: BTreeSet<&'a str>,
    /// Calls of functions of scripts, with the number of arguments.
    calls: BTreeSet<(&'a str, usize)>,
}

/// The name an author wrote, without what `base::` and `global::` were turned into.
fn written(name: &str) -> &str {
    let name = name.strip_prefix("global__").unwrap_or(name);
    match name.strip_prefix("base__").and_then(|rest| rest.split_once("__")) {
        Some((_, name)) => name,
        None => name,
    }
}

fn signature(function: &FunctionSymbol) -> String {
    format!("{}({})", function.name, function.params.join(", "))
}

impl<'a> NameIndex<'a> {
    /// Whether something calls a function of a script with so many arguments, or passes it on as a value.
    fn calls(&self, name: &str, arguments: usize) -> bool {
        self.values.contains(name) || self.calls.contains(&(name, arguments))
    }

    fn of(outline: &'a SymbolTable) -> Self {
        let mut scripts: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for function in &outline.functions {
            scripts.entry(&function.name).or_default().insert(function.params.len());
        }
        let functions = outline.functions.iter().map(|function| (&function.name, &function.body));
        let constants = outline.constants.iter().map(|constant| (&constant.name, &constant.body));
        let (mut used, mut values, mut called) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (own, body) in functions.chain(constants) {
            values.extend(body.names.iter().map(|(name, _)| written(name)));
            let others = body.calls.iter().filter(|call| call.name != *own);
            called.extend(others.map(|call| (written(&call.name), call.arguments - usize::from(call.is_method))));
            let names = body.names.iter().map(|(name, _)| name);
            let calls = body.calls.iter().map(|call| &call.name);
            // What only calls itself is not used.
            used.extend(names.chain(calls).filter(|name| *name != own).map(|name| written(name)));
        }
        Self {
            scripts,
            constants: outline.constants.iter().map(|constant| constant.name.as_str()).collect(),
            used,
            values,
            calls: called,
        }
    }
}

struct Linter<'a> {
    outline: &'a SymbolTable,
    hooks: &'a Hooks,
    forms: &'a dyn Fn(&str) -> Option<String>,
    known: NameIndex<'a>,
    /// Whether any comment starts with the number of a rule.
    numbers_its_rules: bool,
    /// The actions, phases and contests of which a hook cites a rule: what is said at one of them holds for the others.
    cited_subjects: BTreeSet<&'a str>,
    found: Diagnostics,
}

fn cited_subjects<'a>(outline: &SymbolTable, hooks: &'a Hooks) -> BTreeSet<&'a str> {
    let citing = outline.functions.iter().filter(|function| cites_rule(function));
    citing
        .filter_map(|function| hooks.find(&function.name)?.subject.as_deref())
        .collect()
}

/// Whether the comment of a function starts with the number of a rule.
fn cites_rule(function: &FunctionSymbol) -> bool {
    let first = function.doc.first().and_then(|line| line.split_whitespace().next());
    first.is_some_and(|word| word.chars().any(|c| c.is_ascii_digit()))
}

impl Linter<'_> {
    fn warn(&mut self, code: Code, message: String, place: &Location, help: Option<&str>) {
        self.found.push(Diagnostic {
            help: help.map(str::to_owned),
            ..Diagnostic::warning(code, message).at(place.clone())
        });
    }

    fn fail(&mut self, code: Code, message: String, place: &Location, help: Option<String>) {
        self.found.push(Diagnostic {
            help,
            ..Diagnostic::error(code, message).at(place.clone())
        });
    }

    /// The standard parameters that a hook with too few of them lacks: that is told once, of the hook.
    fn lacking(&self, function: &FunctionSymbol) -> Vec<&'static str> {
        let count = function.params.len();
        let hook = self.hooks.find(&function.name).map_or(&[][..], |hook| &hook.parameters);
        let lacks = hook.first().is_some_and(|wanted| count < *wanted) && !hook.contains(&count);
        let standard = ["view", "turn", "picked", "agent", "piece", "cell", "sides", "round"];
        let own = |name: &&str| function.params.iter().any(|param| param == name);
        standard.into_iter().filter(|name| lacks && !own(name)).collect()
    }

    /// Calls and names that lead nowhere.
    fn body(&mut self, body: &BodySymbols, lacking: &[&str]) {
        for call in &body.calls {
            self.call(call);
        }
        for (name, place) in &body.names {
            let plain = written(name);
            if lacking.contains(&plain) {
                continue;
            }
            let known = self.known.constants.contains(plain)
                || self.known.scripts.contains_key(plain)
                || self.outline.library_constants.contains(plain);
            if !known {
                let known = self.known.constants.iter().chain(self.known.scripts.keys()).copied();
                let known = known.chain(self.outline.library_constants.iter().map(String::as_str));
                let own = body.variables.iter().map(|(name, _)| name.as_str());
                let help = did_you_mean(plain, known.chain(own)).or_else(|| foreign_word(plain));
                let help = help.or_else(|| {
                    let cure = "a variable lives in the function and the block where `let` stands; hand it over as an argument, or make it a constant";
                    Some(cure.to_owned())
                });
                let message = format!("there is no variable or constant `{plain}`");
                self.fail(Code::UnknownVariable, message, place, help);
            }
        }
        for (name, place) in &body.variables {
            if self.known.scripts.contains_key(name.as_str()) {
                let message = format!("the variable `{name}` has the name of a function, which closures take instead of it");
                self.warn(Code::ShadowsFunction, message, place, Some("choose another name"));
            }
        }
        for (name, place) in &body.shared {
            let message = format!("a closure changes `{name}`, which belongs to the function around it");
            let help = "let the closure return a value, or use a loop";
            self.warn(Code::SharedState, message, place, Some(help));
        }
    }

    fn call(&mut self, call: &CallSite) {
        let name = written(&call.name);
        if name != call.name {
            return; // `base::` was followed when the layers were put together.
        }
        let mut fits: BTreeSet<usize> = BTreeSet::new();
        if name.contains("::") {
            fits.extend(self.outline.library.get(name).into_iter().flatten());
        } else {
            fits.extend(self.outline.natives.get(name).into_iter().flatten());
            // Behind a point, the value before it is `this` for a function of a script and no argument.
            let scripts = self.known.scripts.get(name).into_iter().flatten();
            fits.extend(scripts.map(|arguments| arguments + usize::from(call.is_method)));
        }
        if fits.is_empty() {
            let natives = self.outline.natives.keys().chain(self.outline.library.keys());
            let known = self.known.scripts.keys().copied().chain(natives.map(String::as_str));
            let help = did_you_mean(name, known).or_else(|| foreign_word(name));
            let help = help.or_else(|| {
                let cure = "write it, or look for a word that does it in the reference (`boardwright docs`)";
                Some(cure.to_owned())
            });
            self.fail(Code::UnknownFunction, format!("there is no function `{name}`"), &call.place, help);
        } else if !fits.contains(&call.arguments) {
            let before = usize::from(call.is_method);
            let counts = fits.iter().filter_map(|count| count.checked_sub(before));
            let counts = counts.map(|count| count.to_string()).collect::<Vec<_>>().join(" or ");
            let message = format!("`{name}` takes {counts} arguments here, not {}", call.arguments - before);
            let own = self.outline.in_force().filter(|function| function.name == name);
            let own: Vec<String> = own.map(|function| format!("`{}`", signature(function))).collect();
            let forms = if own.is_empty() {
                (self.forms)(name)
            } else {
                Some(own.join(" or "))
            };
            let help = forms.map_or_else(
                || "`boardwright docs` has the signature of each function".to_owned(),
                |forms| format!("it is written {forms}"),
            );
            self.fail(Code::WrongArity, message, &call.place, Some(help));
        }
    }

    /// Numbers that stand in several functions: whoever changes one of them may forget the others.
    fn numbers(&mut self) {
        let mut by_number: BTreeMap<i64, Vec<(&FunctionSymbol, &Location)>> = BTreeMap::new();
        for function in self.outline.in_force() {
            // How things look has measures of its own, and what a scenario adds is made of places and dates.
            if function.name.starts_with("look_")
                || function.name.starts_with("on_")
                || self.hooks.find(&function.name).is_some_and(|hook| hook.is_table)
            {
                continue;
            }
            for (number, place) in function.body.numbers.iter().filter(|(number, _)| !PLAIN_NUMBERS.contains(number)) {
                by_number.entry(*number).or_default().push((function, place));
            }
        }
        for (number, mut places) in by_number {
            places.sort_by_key(|(_, place)| (&place.file, place.line, place.column));
            let Some(((first, place), (other, second))) = places
                .first()
                .and_then(|first| Some((*first, *places.iter().find(|(function, _)| function.name != first.0.name)?)))
            else {
                continue;
            };
            let message = format!(
                "the number {number} occurs in `{}` and in `{}`, at {second}",
                first.name, other.name
            );
            let help = format!("give it a name where both can read it: `const NAME = {number};` at the top of the file");
            self.warn(Code::MagicNumber, message, place, Some(&help));
        }
    }

    /// Values that nothing takes.
    fn lost(&mut self, function: &FunctionSymbol) {
        for call in &function.body.lost {
            let name = written(&call.name);
            let own = self
                .outline
                .in_force()
                .find(|own| own.name == name && own.params.len() == call.variables.len());
            if let Some(own) = own.filter(|_| !call.is_method) {
                self.changed_copy(function, call, own);
                continue;
            }
            let value = VALUES
                .iter()
                .find(|(value, is_method, _)| *value == name && *is_method == call.is_method);
            if let Some((_, _, cure)) = value {
                let message = format!("`{name}(..)` only gives a value, and nothing takes it");
                self.fail(Code::LostValue, message, &call.place, Some((*cure).to_owned()));
            }
        }
    }

    /// A list that is handed to a function which changes it, and used again: the function changed a copy.
    fn changed_copy(&mut self, function: &FunctionSymbol, call: &LostCall, own: &FunctionSymbol) {
        for (param, variable) in own.params.iter().zip(&call.variables) {
            let Some(variable) = variable else { continue };
            let spot = |place: &Location| (place.line, place.column);
            let is_used = function.body.reads.iter().any(|(name, place)| {
                let is_argument = place.line == call.place.line;
                name == variable && !is_argument && spot(place) > spot(&call.place)
            });
            if is_used && own.body.changed.contains(param) {
                let message = format!(
                    "`{}` changes a copy of `{variable}`: functions get copies of lists and maps",
                    own.name
                );
                let help = format!("let it return what it made: `{variable} = {}(..);`", own.name);
                self.warn(Code::ChangedCopy, message, &call.place, Some(&help));
            }
        }
    }

    fn function(&mut self, function: &FunctionSymbol) {
        let name = &function.name;
        self.use_of(function);
        self.lost(function);
        let lines = (function.last_line + 1).saturating_sub(function.place.line);
        let is_table = self.hooks.find(name).is_some_and(|hook| hook.is_table);
        if lines > LINES_OF_A_FUNCTION && !is_table {
            let message = format!("`{name}` has {lines} lines, more than {LINES_OF_A_FUNCTION}");
            let help = "give its steps names of their own";
            self.warn(Code::LongFunction, message, &function.place, Some(help));
        }
        let arguments = function.params.len();
        // The names of hooks are the engine's choice.
        let natives = self.outline.natives.get(name).filter(|_| self.hooks.find(name).is_none());
        if natives.is_some_and(|natives| natives.contains(&arguments) || natives.contains(&(arguments + 1))) {
            let message = format!("`{name}` takes the place of a word of the engine, everywhere");
            self.warn(Code::ShadowsNative, message, &function.place, Some("choose another name"));
        }
    }

    /// Whether a function that was meant to take the place of another, or to be a hook, has another number of parameters and so
    /// is neither.
    fn parameters(&mut self, function: &FunctionSymbol) {
        let (name, count) = (function.name.as_str(), function.params.len());
        if function.is_replaced || function.is_private || self.known.calls(name, count) {
            return;
        }
        let others: Vec<&FunctionSymbol> = self.outline.functions.iter().filter(|other| other.name == *name).collect();
        let called_with = self.hooks.find(name).map_or(&[][..], |hook| &hook.parameters);
        let mut before = called_with.iter().take_while(|form| **form != count);
        let in_force = before.find_map(|form| others.iter().find(|other| other.params.len() == *form));
        if in_force.is_none()
            && let Some(hook) = self
                .hooks
                .find(name)
                .filter(|hook| !hook.parameters.is_empty() && !hook.parameters.contains(&count))
        {
            // Such a function looks like a hook and is never called: the match would go on without it, and nobody be told.
            let forms: Vec<String> = hook.parameters.iter().map(ToString::to_string).collect();
            let forms = forms.join(" or ");
            let noun = if forms == "1" { "argument" } else { "arguments" };
            let message = format!("the engine gives the hook `{name}` {forms} {noun}, not {count}");
            let help = format!("write `fn {}`", hook.signature);
            self.fail(Code::WrongArity, message, &function.place, Some(help));
            return;
        }
        let message = if let Some(other) = in_force {
            format!("nothing calls `{}`: `{}` is asked instead", signature(function), signature(other))
        } else if called_with.contains(&count) {
            return;
        } else {
            let below = || others.iter().filter(|other| other.layer < function.layer);
            let Some(other) = below().next().filter(|_| below().all(|other| other.params.len() != count)) else {
                return;
            };
            let (own, other) = (signature(function), signature(other));
            format!("nothing calls `{own}`: it does not take the place of `{other}`, which has another number of parameters")
        };
        let other = others.iter().find(|other| other.params.len() != count);
        let help = other.map(|other| format!("the other one is at {}", other.place));
        let help = help.or_else(|| Some("its parameters stand in the table of hooks, in `boardwright docs`".to_owned()));
        self.warn(Code::WrongArity, message, &function.place, help.as_deref());
    }

    /// Whether something calls the function, and what its comment says about it.
    fn use_of(&mut self, function: &FunctionSymbol) {
        let name = &function.name;
        let Some(hook) = self.hooks.find(name).filter(|_| !function.is_private) else {
            if self.known.used.contains(name.as_str()) {
                return;
            }
            let mut code = Code::Unused;
            let (message, near) = if function.is_private {
                (
                    format!("nothing calls the private function `{name}`"),
                    Some("take it away, or call it".to_owned()),
                )
            } else if let Some(near) = self.hooks.near(name) {
                code = Code::UnknownHook;
                (
                    format!("`{name}` is no hook, and nothing calls it"),
                    Some(format!("did you mean `{near}`?")),
                )
            } else {
                (
                    format!("nothing calls `{name}`, and it is no hook"),
                    Some("take it away, or call it; the names of hooks stand in the reference (`boardwright docs`)".to_owned()),
                )
            };
            self.warn(code, message, &function.place, near.as_deref());
            return;
        };
        // A replaced function is the business of whoever wrote it, who is told when it is looked over by itself.
        let is_cited_beside = hook
            .subject
            .as_ref()
            .is_some_and(|subject| self.cited_subjects.contains(subject.as_str()));
        if hook.cites_rule && self.numbers_its_rules && !cites_rule(function) && !is_cited_beside && !function.is_replaced {
            let message = format!("the comment of `{name}` does not start with the number of a rule, as others do");
            let help = "write `/// 4.3 What the rule says in one sentence.` before the function";
            self.warn(Code::MissingRule, message, &function.place, Some(help));
        }
    }
}

/// Takes out what comments allow, and puts in what is wrong with those comments.
fn suppress(found: Diagnostics, outline: &SymbolTable) -> Diagnostics {
    let mut of_use = vec![false; outline.allows.len()];
    let covers = |line: u32, file: &str, place: &Location| {
        let begins_there = |function: &&FunctionSymbol| function.place.file == file && function.place.line == line;
        let function = outline.functions.iter().find(begins_there);
        let last = function.map_or(line, |function| function.last_line);
        place.file == file && (line..=last).contains(&place.line)
    };
    let mut kept = Diagnostics::new();
    for diagnostic in found {
        let mut is_allowed = false;
        for (allow, of_use) in outline.allows.iter().zip(&mut of_use) {
            let is_covered = |place| covers(allow.line, &allow.place.file, place);
            let here = diagnostic.place.as_ref().is_some_and(is_covered);
            if here && allow.code == diagnostic.code.text() && !allow.reason.is_empty() {
                (*of_use, is_allowed) = (true, true);
            }
        }
        if !is_allowed {
            kept.push(diagnostic);
        }
    }
    for (allow, of_use) in outline.allows.iter().zip(of_use) {
        let message = match Code::from_text(&allow.code) {
            None => format!("there is no lint `{}`", allow.code),
            Some(_) if allow.reason.is_empty() => "an `allow` without a reason".to_owned(),
            Some(_) if !of_use => format!("there is nothing here that `allow({})` would allow", allow.code),
            Some(_) => continue,
        };
        kept.push(Diagnostic::warning(Code::UnusedAllow, message).at(allow.place.clone()));
    }
    kept
}
