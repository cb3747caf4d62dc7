//! Merges the layers of a ruleset into one program.
//!
//! All files of all layers become one set of functions. A function of a higher layer takes the place of one with the same name and
//! number of parameters below it, for calls from lower layers too; the lower one stays under a name that only `base::` leads to. Listeners
//! (`on_...`) take the place of nothing: those of all layers are called.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Expr, Module, Position, ScriptFuncDef, Shared};

use super::constants::Definition;
use super::hooks::is_listener;
use super::parse::{Parsed, RESERVED, base_name, split_base_name};
use super::symbols::{Body, Rules, Signatures, read_bodies, read_constant};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use boardwright_ruleset::{BodySymbols, ConstantSymbol, FunctionSymbol, KeySymbol};

/// Everything the layers make up together.
pub(crate) struct Merged {
    pub(crate) module: Module,
    pub(crate) functions: Vec<FunctionSymbol>,
    pub(crate) functions_in_force: BTreeSet<String>,
    pub(crate) constants: Vec<ConstantSymbol>,
    pub(crate) definitions: BTreeMap<String, Definition>,
    pub(crate) aliases: BTreeMap<String, String>,
}

/// A function of a layer.
struct Defined {
    function: Shared<ScriptFuncDef>,
    layer: usize,
}

pub(crate) struct Merge<'a> {
    pub(crate) layers: &'a [Vec<Parsed>],
    pub(crate) rules: Rules<'a>,
    pub(crate) problems: &'a mut Diagnostics,
}

impl<'a> Merge<'a> {
    /// Puts the layers together.
    pub(crate) fn run(&mut self) -> Merged {
        let functions = self.functions();
        let scripts: Signatures = functions.keys().cloned().collect();
        let names: BTreeSet<String> = scripts.iter().map(|(name, _)| name.clone()).collect();
        let asts = self.files().map(|(_, parsed)| &parsed.ast);
        let bodies = read_bodies(self.rules, &scripts, asts, self.problems);
        let mut module = Module::new();
        let all = self.files().flat_map(|(_, parsed)| parsed.ast.shared_lib().iter_script_fn_info());
        for (.., function) in all.filter(|(_, _, name, ..)| name.starts_with("anon$")) {
            module.set_script_fn(function.clone());
        }
        let mut outlines = Vec::new();
        for definitions in functions.values() {
            for (index, defined) in definitions.iter().enumerate() {
                let listens = is_listener(&defined.function.name);
                let is_replaced = index + 1 < definitions.len() && !listens;
                if index + 1 == definitions.len() {
                    module.set_script_fn(defined.function.clone());
                }
                if listens {
                    // Each layer has its own: none takes the place of another.
                    let name = base_name(defined.layer + 1, &defined.function.name).into();
                    module.set_script_fn(ScriptFuncDef {
                        name,
                        ..ScriptFuncDef::clone(&defined.function)
                    });
                }
                outlines.push(self.outline(defined, is_replaced, &bodies));
            }
        }
        outlines.sort_by(|a, b| (a.layer, &a.place).cmp(&(b.layer, &b.place)));
        let (constants, definitions) = self.constants(&names, &scripts);
        let aliases = self.lead_to_base(&functions, &outlines, &constants, &mut module);
        Merged {
            module,
            functions: outlines,
            functions_in_force: names,
            constants,
            definitions,
            aliases,
        }
    }

    /// The files of all layers, each with the number of its layer.
    fn files(&self) -> impl Iterator<Item = (usize, &'a Parsed)> + use<'a> {
        let layers = self.layers.iter().enumerate();
        layers.flat_map(|(layer, files)| files.iter().map(move |file| (layer, file)))
    }

    fn problem(&mut self, code: Code, message: String, place: impl Into<Option<Location>>) {
        self.problems.push(Diagnostic::error(code, message).at(place));
    }

    /// Something is defined twice in one layer.
    fn twice(&mut self, what: &str, place: Option<Location>, other: Option<Location>) {
        let message = format!("{what} is defined twice in one layer");
        self.problems.push(Diagnostic {
            help: other.map(|other| format!("the other one is at {other}")),
            ..Diagnostic::error(Code::DuplicateDefinition, message).at(place)
        });
    }

    /// The definitions of each function, from the lowest layer to the highest.
    fn functions(&mut self) -> BTreeMap<(String, usize), Vec<Defined>> {
        let mut functions: BTreeMap<(String, usize), Vec<Defined>> = BTreeMap::new();
        for (layer, parsed) in self.files() {
            for (_, _, name, arguments, function) in parsed.ast.shared_lib().iter_script_fn_info() {
                if name.starts_with("anon$") {
                    continue;
                }
                self.reserved(name, function.body.start_position());
                let definitions = functions.entry((name.to_owned(), arguments)).or_default();
                if let Some(other) = definitions.last().filter(|other| other.layer == layer) {
                    let (a, b) = (other.function.body.start_position(), function.body.start_position());
                    let (first, second) = (self.rules.lines.place(a.min(b)), self.rules.lines.place(a.max(b)));
                    self.twice(&format!("`{name}` with {arguments} arguments"), second, first);
                    continue;
                }
                definitions.push(Defined {
                    function: function.clone(),
                    layer,
                });
            }
        }
        functions
    }

    fn reserved(&mut self, name: &str, position: Position) {
        if let Some(start) = RESERVED.iter().find(|start| name.starts_with(**start)) {
            let message = format!("`{name}`: names that begin with `{start}` cannot be defined");
            self.problem(Code::Forbidden, message, self.rules.lines.place(position));
        }
    }

    fn outline(&self, defined: &Defined, is_replaced: bool, bodies: &[(String, usize, Body)]) -> FunctionSymbol {
        let function = &defined.function;
        let (start, end) = (function.body.start_position(), function.body.end_position());
        let first = start.line().unwrap_or(0);
        let last = end.line().unwrap_or(first);
        let mut body = BodySymbols::default();
        for (name, line, part) in bodies {
            let own = *line == first && *name == *function.name;
            if own || (name.starts_with("anon$") && (first..=last).contains(line)) {
                body.calls.extend(part.outline.calls.iter().cloned());
                body.names.extend(part.outline.names.iter().cloned());
                body.numbers.extend(part.outline.numbers.iter().cloned());
                body.variables.extend(part.outline.variables.iter().cloned());
                body.properties.extend(part.outline.properties.iter().cloned());
                body.shared.extend(part.outline.shared.iter().cloned());
                body.lost.extend(part.outline.lost.iter().cloned());
                body.reads.extend(part.outline.reads.iter().cloned());
                body.changed.extend(part.outline.changed.iter().cloned());
                body.rules.extend(part.outline.rules.iter().cloned());
                body.comparisons.extend(part.outline.comparisons.iter().cloned());
            }
        }
        let found = self.rules.lines.find(first);
        let place = found.and_then(|(source, line)| {
            let text = source.line(line)?;
            let column = text.find("fn ").unwrap_or(0) as u32 + 1;
            Some(Location {
                source_line: Some(text.to_owned()),
                ..Location::at(&source.name, line as u32, column)
            })
        });
        let place = place.unwrap_or_else(|| Location::file(""));
        FunctionSymbol {
            name: function.name.to_string(),
            params: function.params.iter().map(ToString::to_string).collect(),
            doc: doc(function),
            last_line: place.line + (last - first) as u32,
            place,
            is_private: function.access.is_private(),
            layer: defined.layer,
            is_replaced,
            body,
        }
    }

    /// The constants of the layers, and how they are worked out.
    fn constants(&mut self, names: &BTreeSet<String>, scripts: &Signatures) -> (Vec<ConstantSymbol>, BTreeMap<String, Definition>) {
        let mut outlines: Vec<ConstantSymbol> = Vec::new();
        let mut layers_of: BTreeMap<String, Vec<(usize, Definition)>> = BTreeMap::new();
        for (layer, parsed) in self.files() {
            for (name, value, position) in &parsed.top.constants {
                let place = self.rules.lines.place(*position).unwrap_or_else(|| Location::file(""));
                let chain = layers_of.entry(name.clone()).or_default();
                if chain.last().is_some_and(|(other, _)| *other == layer) {
                    let other = outlines.iter().rfind(|outline| outline.name == *name);
                    let other = other.map(|other| other.place.clone());
                    self.twice(&format!("the constant `{name}`"), Some(place), other);
                    continue;
                }
                self.reserved(name, *position);
                if names.contains(name) {
                    let message = format!("`{name}` is a constant and a function");
                    let found = Diagnostic::error(Code::DuplicateDefinition, message).at(place.clone());
                    self.problems.push(found.with_help("give one of them another name"));
                }
                chain.push((layer, Definition::new(value.clone(), *position)));
                outlines.push(ConstantSymbol {
                    name: name.clone(),
                    place,
                    layer,
                    body: read_constant(self.rules, scripts, value, self.problems),
                    keys: self.keys(value),
                });
            }
        }
        let mut definitions = BTreeMap::new();
        for (name, chain) in layers_of {
            let highest = chain.last().map(|(layer, _)| *layer);
            let mut below: Option<String> = None;
            for (layer, mut definition) in chain {
                let own = constant_name(&name, layer, highest);
                definition.below = below.replace(own.clone());
                definitions.insert(own, definition);
            }
        }
        (outlines, definitions)
    }

    /// The keys of a value that is written as a map.
    fn keys(&self, value: &Expr) -> Option<Vec<KeySymbol>> {
        let Expr::Map(entries, _) = value else { return None };
        let key = |(key, value): &(rhai::Ident, Expr)| KeySymbol {
            name: key.name.to_string(),
            place: self.rules.lines.place(key.pos).unwrap_or_else(|| Location::file("")),
            takes_away: matches!(value, Expr::Unit(_)),
        };
        Some(entries.0.iter().map(key).collect())
    }

    /// Gives everything that `base::` names its place.
    fn lead_to_base(
        &mut self,
        functions: &BTreeMap<(String, usize), Vec<Defined>>,
        outlines: &[FunctionSymbol],
        constants: &[ConstantSymbol],
        module: &mut Module,
    ) -> BTreeMap<String, String> {
        let bodies = outlines.iter().map(|one| &one.body).chain(constants.iter().map(|one| &one.body));
        for call in bodies.clone().flat_map(|body| &body.calls) {
            let Some((layer, name)) = split_base_name(&call.name) else {
                continue;
            };
            let below = functions.get(&(name.to_owned(), call.arguments));
            let below = below.and_then(|definitions| definitions.iter().rfind(|defined| defined.layer < layer));
            if let Some(below) = below {
                let name = base_name(layer, name).into();
                module.set_script_fn(ScriptFuncDef {
                    name,
                    ..ScriptFuncDef::clone(&below.function)
                });
            } else {
                let message = format!("no lower layer has a function `{name}` with {} arguments", call.arguments);
                self.problem(Code::UnknownBase, message, call.place.clone());
            }
        }
        let mut aliases = BTreeMap::new();
        for (alias, place) in bodies.flat_map(|body| &body.names) {
            let Some((layer, name)) = split_base_name(alias) else { continue };
            let layers = constants
                .iter()
                .filter(|constant| constant.name == name)
                .map(|constant| constant.layer);
            if let Some(below) = layers.clone().filter(|&below| below < layer).max() {
                aliases.insert(alias.clone(), constant_name(name, below, layers.max()));
            } else {
                let message = format!("no lower layer has a constant `{name}`");
                self.problem(Code::UnknownBase, message, place.clone());
            }
        }
        aliases
    }
}

/// The name of a constant of a layer: the plain name for the highest, one that no author can write for the others.
fn constant_name(name: &str, layer: usize, highest: Option<usize>) -> String {
    if highest == Some(layer) {
        name.to_owned()
    } else {
        format!("{name}#{layer}")
    }
}

/// The lines of a doc comment without their marks.
fn doc(function: &ScriptFuncDef) -> Vec<String> {
    let comments = function.comments.iter().flat_map(|comment| comment.lines());
    let line = |line: &str| {
        let text = line.trim();
        let text = text.strip_prefix("///").or_else(|| text.strip_prefix("/**")).unwrap_or(text);
        text.strip_suffix("*/").unwrap_or(text).trim().to_owned()
    };
    comments.map(line).collect()
}
