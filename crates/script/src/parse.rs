//! From the text of a file to its syntax tree, with the names that lead into other layers and files put in their place.
//!
//! The first reading of a file finds out where `base::`, `global::` and the names of imports stand. If there are any, the file is
//! read a second time, with `base::name` turned into one name of its own, which no author may define, and the names of imports
//! turned into the paths of what they stand for. Everything keeps its line and column.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rhai::{AST, Engine, Position, Token};

use super::lines::{LineMap, Source};
use super::locked::names_of_values;
use super::symbols::{TopLevel, grown_inside, top_level};
use super::syntax::mistake;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};

/// Line and column in the whole program.
type Spot = (usize, usize);

/// What the tokens of the file being read are looked through for.
#[derive(Default)]
enum Work {
    /// Nothing.
    #[default]
    Idle,
    /// Names in front of `::`.
    Find {
        last: Option<(Spot, String)>,
        found: BTreeMap<Spot, String>,
    },
    /// Names to be replaced.
    Replace(BTreeMap<Spot, String>),
}

/// Reads files for one engine.
#[derive(Clone, Default)]
pub(crate) struct Parser {
    work: Rc<RefCell<Work>>,
    /// Variables in whose insides something may grow, in all files that were read.
    grown_inside: Rc<RefCell<BTreeSet<String>>>,
}

/// A file that has been read.
pub(crate) struct Parsed {
    pub(crate) ast: AST,
    pub(crate) top: TopLevel,
}

fn spot(position: Position) -> Option<Spot> {
    Some((position.line()?, position.position()?))
}

impl Parser {
    /// A parser for an engine, which it gets ready.
    pub(crate) fn new(engine: &mut Engine) -> Self {
        let parser = Self::default();
        let work = parser.work.clone();
        #[expect(
            deprecated,
            reason = "not deprecated, but marked so because it may change; the version of rhai is pinned"
        )]
        engine.on_parse_token(move |token, position, _| match &mut *work.borrow_mut() {
            Work::Idle => token,
            Work::Find { last, found } => {
                match (&token, last.take()) {
                    (Token::Identifier(name), _) => *last = spot(position).map(|spot| (spot, name.to_string())),
                    (Token::DoubleColon, Some((spot, name))) => drop(found.insert(spot, name)),
                    _ => {}
                }
                token
            }
            Work::Replace(names) => match (&token, spot(position).and_then(|spot| names.get(&spot))) {
                (Token::Identifier(_), Some(name)) => Token::Identifier(Box::new(name.as_str().into())),
                _ => token,
            },
        });
        parser
    }

    /// Variables in whose insides something may grow, in all files read so far.
    pub(crate) fn grown_inside(&self) -> BTreeSet<String> {
        self.grown_inside.borrow().clone()
    }

    /// Reads a file.
    pub(crate) fn read(&self, engine: &Engine, source: &Source, lines: &LineMap, problems: &mut Diagnostics) -> Option<Parsed> {
        *self.work.borrow_mut() = Work::Find {
            last: None,
            found: BTreeMap::new(),
        };
        let first = engine.compile(source.padded(&source.text));
        let Work::Find { found, .. } = self.work.take() else { return None };
        let ast = first.map_err(|error| problems.push(mistake(&error, source, lines))).ok()?;
        let top = top_level(&ast, lines, problems);
        self.grown_inside.borrow_mut().extend(grown_inside(&ast));
        let values = names_of_values(&ast);
        if found.is_empty() && top.imports.is_empty() && values.is_empty() {
            return Some(Parsed { ast, top });
        }

        let paths: BTreeMap<_, _> = top.imports.iter().map(|one| (one.alias.as_str(), one.path.as_str())).collect();
        let mut text = Columns::of(&source.text);
        let values = values.into_iter();
        let mut names: BTreeMap<Spot, String> = values.filter_map(|(position, name)| Some((spot(position)?, name))).collect();
        for (spot, name) in found {
            let at = (spot.0.saturating_sub(source.before), spot.1);
            if let Some(&path) = paths.get(name.as_str()) {
                names.insert(spot, path.to_owned());
            } else if name == "base" || name == "global" {
                match text.join(at, &name) {
                    Some(rest) if name == "global" => drop(names.insert(spot, global_name(&rest))),
                    Some(rest) => drop(names.insert(spot, base_name(source.layer.unwrap_or(0), &rest))),
                    None => problems.push(
                        Diagnostic::error(Code::Syntax, format!("a name belongs right behind `{name}::`"))
                            .at(lines.place(Position::new(spot.0 as u16, spot.1 as u16))),
                    ),
                }
            }
        }
        for one in &top.imports {
            if let Some((line, column)) = spot(one.position) {
                text.blank_statement((line.saturating_sub(source.before), column));
            }
        }
        *self.work.borrow_mut() = Work::Replace(names);
        let second = engine.compile(source.padded(&text.into_text()));
        self.work.take();
        let ast = second.map_err(|error| problems.push(mistake(&error, source, lines))).ok()?;
        let constants = top_level(&ast, lines, &mut Diagnostics::new()).constants;
        Some(Parsed {
            ast,
            top: TopLevel {
                constants,
                imports: top.imports,
            },
        })
    }
}

/// How the names begin that `base::` and `global::` become. Authors may not define such names.
pub(crate) const RESERVED: [&str; 3] = ["base__", "global__", "value__"];

/// The name that `base::name` on a layer becomes. It has to look like any name, or the engine takes it for that of a native.
pub(crate) fn base_name(layer: usize, name: &str) -> String {
    format!("base__{layer}__{name}")
}

/// The layer and the name that a name made by [`base_name`] stands for.
pub(crate) fn split_base_name(name: &str) -> Option<(usize, &str)> {
    let (layer, name) = name.strip_prefix("base__")?.split_once("__")?;
    Some((layer.parse().ok()?, name))
}

/// The name that `global::name` becomes.
pub(crate) fn global_name(name: &str) -> String {
    format!("global__{name}")
}

/// The name that [`global_name`] made something of, or the name itself.
pub(crate) fn without_global(name: &str) -> &str {
    name.strip_prefix("global__").unwrap_or(name)
}

/// The text of a file, by line and column.
struct Columns(Vec<Vec<char>>);

impl Columns {
    fn of(text: &str) -> Self {
        Self(text.split('\n').map(|line| line.chars().collect()).collect())
    }

    /// Turns `name::rest` at a spot into one name of the same length, and gives the rest.
    fn join(&mut self, (line, column): Spot, name: &str) -> Option<String> {
        let rest = self.0.get_mut(line.checked_sub(1)?)?.get_mut(column.checked_sub(1)?..)?;
        let len = name.chars().count();
        if !rest.iter().take(len).copied().eq(name.chars()) || rest.get(len..len + 2)? != [':', ':'] {
            return None;
        }
        let word: String = rest
            .get(len + 2..)?
            .iter()
            .take_while(|c| c.is_ascii_alphanumeric() || **c == '_')
            .collect();
        rest.get_mut(len..len + 2)?.fill('_');
        if word.is_empty() { None } else { Some(word) }
    }

    /// Turns an import, which holds no `;` but at its end, into blanks.
    fn blank_statement(&mut self, (line, column): Spot) {
        let mut column = column.saturating_sub(1);
        for text in self.0.iter_mut().skip(line.saturating_sub(1)) {
            for character in text.iter_mut().skip(column) {
                let end = *character == ';';
                *character = ' ';
                if end {
                    return;
                }
            }
            column = 0;
        }
    }

    fn into_text(self) -> String {
        self.0.into_iter().map(String::from_iter).collect::<Vec<_>>().join("\n")
    }
}
