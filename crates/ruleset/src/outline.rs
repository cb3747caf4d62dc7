//! What is in the scripts of rules, without how it is written: the input of the lints, of references and of the list of hooks.

use std::collections::{BTreeMap, BTreeSet};

use boardwright_model::diagnostic::Location;

/// What is in the scripts of rules.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    /// Every function of every layer, by layer and place. Closures belong to the function around them.
    pub functions: Vec<FunctionSymbol>,
    /// Every constant of every layer, by layer and place.
    pub constants: Vec<ConstantSymbol>,
    /// What the engine itself offers: for each name the numbers of arguments it takes.
    pub natives: BTreeMap<String, BTreeSet<usize>>,
    /// What the library offers under the names scripts see: for each name the numbers of arguments it takes.
    pub library: BTreeMap<String, BTreeSet<usize>>,
    /// The constants of the library.
    pub library_constants: BTreeSet<String>,
    /// Comments that switch lints off.
    pub allows: Vec<Allow>,
}

/// A function of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSymbol {
    /// The name.
    pub name: String,
    /// The names of the parameters.
    pub params: Vec<String>,
    /// The lines of the doc comment, without their marks.
    pub doc: Vec<String>,
    /// Where the definition starts.
    pub place: Location,
    /// The last line of the definition.
    pub last_line: u32,
    /// Whether it is meant for other functions only.
    pub is_private: bool,
    /// The layer that defines it, from the bottom.
    pub layer: usize,
    /// Whether a higher layer replaces it.
    pub is_replaced: bool,
    /// What it does.
    pub body: BodySymbols,
}

/// A constant of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantSymbol {
    /// The name.
    pub name: String,
    /// Where it is defined.
    pub place: Location,
    /// The layer that defines it, from the bottom.
    pub layer: usize,
    /// What its value is made of.
    pub body: BodySymbols,
    /// Its keys, if it is written as a map. Such constants of several layers are joined.
    pub keys: Option<Vec<KeySymbol>>,
}

/// A key of a constant that is a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySymbol {
    /// The key.
    pub name: String,
    /// Where it stands.
    pub place: Location,
    /// Whether it takes the key of lower layers away, by the value `()`.
    pub takes_away: bool,
}

/// What a function or the value of a constant uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodySymbols {
    /// Calls of functions, in order.
    pub calls: Vec<CallSite>,
    /// Names that are no variables of the function: constants and functions as values.
    pub names: Vec<(String, Location)>,
    /// Whole numbers that stand in it.
    pub numbers: Vec<(i64, Location)>,
    /// Parameters and variables that it gives names to.
    pub variables: Vec<(String, Location)>,
    /// Properties that are read of a variable, `variable.name`: the variable, the name, and where.
    pub properties: Vec<(String, String, Location)>,
    /// Variables that a closure assigns to although they belong to the function around it.
    pub shared: Vec<(String, Location)>,
    /// Calls whose value nothing takes.
    pub lost: Vec<LostCall>,
    /// Its own variables where they stand, assignments left out.
    pub reads: Vec<(String, Location)>,
    /// Variables in which it changes something.
    pub changed: Vec<String>,
    /// Numbers of rules that it gives with a refusal, an ending, a pattern or a declaration, and where they stand.
    pub rules: Vec<(String, Location)>,
    /// Comparisons of two values of which something is known.
    pub comparisons: Vec<Comparison>,
}

/// Types that a script shows its values to have, as far as lints tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A whole number.
    Number,
    /// A text.
    Text,
    /// True or false.
    Truth,
    /// A list.
    List,
    /// A map.
    Map,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value of a known type.
    Value(Sort),
    /// `object.name`, where the object is a variable.
    Property {
        /// The variable.
        object: String,
        /// The name of the property.
        name: String,
    },
}

/// A comparison of two values: `==`, `!=`, `<`, `<=`, `>` or `>=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The operator.
    pub operator: String,
    /// What stands before and behind it.
    pub sides: [Operand; 2],
    /// The text that is one of the sides.
    pub text: Option<String>,
    /// Where the operator is.
    pub place: Location,
}

/// A call that is a statement, so that nothing takes its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostCall {
    /// The name of the function.
    pub name: String,
    /// The variables that are arguments, in their places.
    pub variables: Vec<Option<String>>,
    /// Whether it is written `value.name(..)`.
    pub is_method: bool,
    /// Where.
    pub place: Location,
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The name: plain, or `import::name`, or `base::name`.
    pub name: String,
    /// The number of arguments. The value before the point of a method call counts as one.
    pub arguments: usize,
    /// Whether it is written `value.name(..)`.
    pub is_method: bool,
    /// The text that stands as its first argument.
    pub text: Option<String>,
    /// Where.
    pub place: Location,
}

/// A comment `// allow(code): reason`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    /// The text form of the code.
    pub code: String,
    /// Why.
    pub reason: String,
    /// Where the comment is.
    pub place: Location,
    /// The line it is for: its own, if there is something else on it, or the next that is no comment.
    pub line: u32,
}

impl Allow {
    /// The comment in a line of a script, if there is one.
    pub fn read(line: &str) -> Option<(&str, &str)> {
        let comment = line.split_once("//")?.1.trim_start_matches('/').trim_start();
        let (code, rest) = comment.strip_prefix("allow(")?.split_once(')')?;
        Some((code.trim(), rest.trim_start_matches(':').trim()))
    }
}

impl SymbolTable {
    /// The functions that are in force: those that no higher layer replaces.
    pub fn in_force(&self) -> impl Iterator<Item = &FunctionSymbol> {
        self.functions.iter().filter(|function| !function.is_replaced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allow_comment_has_a_code_and_a_reason() {
        assert_eq!(
            Allow::read("  // allow(magic-number): the board has 64 cells"),
            Some(("magic-number", "the board has 64 cells"))
        );
        assert_eq!(Allow::read("/// allow(unused)"), Some(("unused", "")));
        assert_eq!(Allow::read("let x = 1; // allow more"), None);
    }
}
