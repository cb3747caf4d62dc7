//! Merges the layers of a ruleset into one program.
//!
//! All files of all layers become one set of functions. A function of a higher layer takes the place of one with the same name and
//! number of parameters below it, for calls from lower layers too; the lower one stays under a name that only `base::` leads to.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Expr, Module, Position, ScriptFuncDef, Shared};

use super::constants::Definition;
use super::limits::Limits;
use super::lines::LineMap;
use super::parse::{Parsed, RESERVED, base_name, split_base_name};
use super::symbols::{Body, Rules, read_bodies, read_constant};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Place};
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
    pub(crate) lines: &'a LineMap,
    pub(crate) limits: &'a Limits,
    pub(crate) takers: &'a BTreeSet<String>,
    pub(crate) problems: &'a mut Diagnostics,
}

impl Merge<'_> {
    /// Puts the layers together.
    pub(crate) fn run(&mut self) -> Merged {
        let functions = self.functions();
        let scripts: BTreeSet<(String, usize)> = functions.keys().cloned().collect();
        let names: BTreeSet<String> = scripts.iter().map(|(name, _)| name.clone()).collect();
        let rules = Rules {
            lines: self.lines,
            limits: self.limits,
            takers: self.takers,
            scripts: &scripts,
        };
        let asts = self.layers.iter().flatten().map(|parsed| &parsed.ast);
        let bodies = read_bodies(&rules, asts, self.problems);
        let mut module = Module::new();
        for (_, _, name, _, function) in self
            .layers
            .iter()
            .flatten()
            .flat_map(|parsed| parsed.ast.shared_lib().iter_script_fn_info())
        {
            if name.starts_with("anon$") {
                module.set_script_fn(function.clone());
            }
        }
        let mut outlines = Vec::new();
        for definitions in functions.values() {
            for (index, defined) in definitions.iter().enumerate() {
                let is_replaced = index + 1 < definitions.len();
                if !is_replaced {
                    module.set_script_fn(defined.function.clone());
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

    /// The definitions of each function, from the lowest layer to the highest.
    fn functions(&mut self) -> BTreeMap<(String, usize), Vec<Defined>> {
        let mut functions: BTreeMap<(String, usize), Vec<Defined>> = BTreeMap::new();
        for (layer, parsed) in self
            .layers
            .iter()
            .enumerate()
            .flat_map(|(layer, files)| files.iter().map(move |file| (layer, file)))
        {
            for (_, _, name, arguments, function) in parsed.ast.shared_lib().iter_script_fn_info() {
                if name.starts_with("anon$") {
                    continue;
                }
                self.reserved(name, function.body.start_position());
                let definitions = functions.entry((name.to_owned(), arguments)).or_default();
                if let Some(other) = definitions.last().filter(|other| other.layer == layer) {
                    let (a, b) = (&other.function.body, &function.body);
                    let (first, second) = if a.start_position() < b.start_position() { (a, b) } else { (b, a) };
                    let message = format!("`{name}` with {arguments} arguments is defined twice in one layer");
                    let place = self.lines.place(second.start_position());
                    let help = self
                        .lines
                        .place(first.start_position())
                        .map(|place| format!("the other one is at {place}"));
                    self.problems.push(Diagnostic {
                        help,
                        ..Diagnostic::error(Code::DuplicateDefinition, message).at(place)
                    });
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
            self.problems
                .push(Diagnostic::error(Code::Forbidden, message).at(self.lines.place(position)));
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
            }
        }
        let found = self.lines.find(first);
        let place = found.and_then(|(source, line)| {
            let text = source.line(line)?;
            let column = text.find("fn ").unwrap_or(0) as u32 + 1;
            Some(Place {
                file: source.name.clone(),
                line: line as u32,
                column,
                source_line: Some(text.to_owned()),
            })
        });
        let place = place.unwrap_or_else(|| Place::file(""));
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
    fn constants(
        &mut self,
        names: &BTreeSet<String>,
        scripts: &BTreeSet<(String, usize)>,
    ) -> (Vec<ConstantSymbol>, BTreeMap<String, Definition>) {
        let mut outlines: Vec<ConstantSymbol> = Vec::new();
        let mut layers_of: BTreeMap<String, Vec<(usize, Definition)>> = BTreeMap::new();
        for (layer, parsed) in self
            .layers
            .iter()
            .enumerate()
            .flat_map(|(layer, files)| files.iter().map(move |file| (layer, file)))
        {
            for (name, value, position) in &parsed.top.constants {
                let place = self.lines.place(*position).unwrap_or_else(|| Place::file(""));
                let chain = layers_of.entry(name.clone()).or_default();
                if chain.last().is_some_and(|(other, _)| *other == layer) {
                    let message = format!("the constant `{name}` is defined twice in one layer");
                    let other = outlines.iter().rfind(|outline| outline.name == *name);
                    let help = other.map(|other| format!("the other one is at {}", other.place));
                    self.problems.push(Diagnostic {
                        help,
                        ..Diagnostic::error(Code::DuplicateDefinition, message).at(place)
                    });
                    continue;
                }
                self.reserved(name, *position);
                if names.contains(name) {
                    let message = format!("`{name}` is a constant and a function");
                    self.problems
                        .push(Diagnostic::error(Code::DuplicateDefinition, message).at(place.clone()));
                }
                chain.push((
                    layer,
                    Definition {
                        value: value.clone(),
                        position: *position,
                        below: None,
                    },
                ));
                let rules = Rules {
                    lines: self.lines,
                    limits: self.limits,
                    takers: self.takers,
                    scripts,
                };
                let body = read_constant(&rules, value, self.problems);
                outlines.push(ConstantSymbol {
                    name: name.clone(),
                    place,
                    layer,
                    body,
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
            place: self.lines.place(key.pos).unwrap_or_else(|| Place::file("")),
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
                self.problems
                    .push(Diagnostic::error(Code::UnknownBase, message).at(call.place.clone()));
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
                self.problems.push(Diagnostic::error(Code::UnknownBase, message).at(place.clone()));
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
