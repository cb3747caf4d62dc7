//! Something wrong in files or scripts, told to the person who wrote them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The source cannot be used as it stands.
    Error,
    /// The source can be used, but something in it is probably not meant so.
    Warning,
    /// Worth knowing.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// What a [`Diagnostic`] is about. The text forms are stable: `// allow(code)` comments and other programs rely on them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl Code {
            /// Every code, in order of declaration.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The text form: words joined by hyphens.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// A script is not well formed.
    Syntax = "syntax";
    /// The sources are too many or too large.
    SourceLimit = "source-limit";
    /// A source holds characters that make it look different from what it does.
    HiddenText = "hidden-text";
    /// A statement stands where only constants, imports and functions may stand.
    TopLevelStatement = "top-level-statement";
    /// Two definitions of the same name in one layer.
    DuplicateDefinition = "duplicate-definition";
    /// `base::name` names something that no lower layer defines.
    UnknownBase = "unknown-base";
    /// An import that cannot be followed.
    Import = "import";
    /// Imports that lead back to themselves.
    ImportCycle = "import-cycle";
    /// A construct that the sandbox does not allow.
    Forbidden = "forbidden";
    /// A function or an expression holds more values at once than the sandbox allows.
    TooComplex = "too-complex";
    /// The value of a constant depends on itself.
    ConstantCycle = "constant-cycle";

    /// A function that exists nowhere.
    UnknownFunction = "unknown-function";
    /// A function exists, but not with this number of arguments.
    WrongArity = "wrong-arity";
    /// A variable or constant that exists nowhere.
    UnknownVariable = "unknown-variable";
    /// A private function or a constant that nothing uses.
    Unused = "unused";
    /// A function whose name is nearly that of a hook.
    UnknownHook = "unknown-hook";
    /// An action that lacks a function it needs.
    MissingHook = "missing-hook";
    /// A hook whose doc comment does not start with the number of a rule.
    MissingRule = "missing-rule";
    /// A value that a call gives and that nothing takes.
    LostValue = "lost-value";
    /// A function changes its own copy of what it was given.
    ChangedCopy = "changed-copy";
    /// A comparison of values of different types.
    MixedComparison = "mixed-comparison";
    /// No action ends a turn.
    EndlessTurn = "endless-turn";
    /// A hook says what can be declared, and is then run natively.
    Declarable = "declarable";
    /// A value in a table that is of another type than those beside it.
    MixedTable = "mixed-table";
    /// A number that stands in several functions and belongs into a constant.
    MagicNumber = "magic-number";
    /// A function that is longer than a paragraph.
    LongFunction = "long-function";
    /// A function of a script has the name of a native and takes its place.
    ShadowsNative = "shadows-native";
    /// A variable has the name of a function, which closures would take instead of it.
    ShadowsFunction = "shadows-function";
    /// A function assigns to a variable of another function.
    SharedState = "shared-state";
    /// An `allow` comment that allows nothing or gives no reason.
    UnusedAllow = "unused-allow";

    /// A value has the wrong type.
    WrongType = "wrong-type";
    /// A function was called with arguments it does not take.
    WrongArguments = "wrong-arguments";
    /// A calculation has no result: overflow, division by zero.
    Arithmetic = "arithmetic";
    /// A list or text has no such position.
    IndexOutOfRange = "index-out-of-range";
    /// A map, table or object has no such key.
    MissingKey = "missing-key";
    /// A script tried to change a constant.
    ConstantMutation = "constant-mutation";
    /// A call ran for more operations than it may.
    BudgetOperations = "budget-operations";
    /// A call ran for longer than it may.
    BudgetTime = "budget-time";
    /// All calls that one request caused ran for longer together than they may.
    BudgetRequest = "budget-request";
    /// Calls were nested deeper than they may be.
    BudgetDepth = "budget-depth";
    /// A value or the number of values grew beyond its limit.
    BudgetSize = "budget-size";
    /// A call was stopped from outside.
    Interrupted = "interrupted";
    /// Something was to be drawn where nothing may be drawn.
    LuckForbidden = "luck-forbidden";
    /// What was recorded or laid down is used up, or is no result of what is drawn.
    LuckRecord = "luck-record";
    /// One draw has too many results to go through each of them.
    TooManyResults = "too-many-results";
    /// Something was to be drawn that makes no sense: no die, too many sides, weights of nothing.
    WrongDraw = "wrong-draw";
    /// One action changed more than it may.
    BudgetEffects = "budget-effects";
    /// One action drew more often than it may.
    BudgetDraws = "budget-draws";
    /// A change that does not fit the state of the match.
    Effect = "effect";
    /// Rules asked for, or named, something that the match does not have.
    NoSuchThing = "no-such-thing";
    /// The engine itself failed.
    Panic = "panic";
    /// The rules refused something where no refusal is expected.
    Refused = "refused";
    /// A script threw a value.
    Thrown = "thrown";
    /// A hook returned something else than was expected of it.
    ReturnType = "return-type";
    /// An action has more ways to be carried out than can be listed.
    TooManyActions = "too-many-actions";
    /// The rules name a candidate action that they refuse.
    IllegalCandidate = "illegal-candidate";
    /// The rules list an action as legal that they refuse.
    ListedButRefused = "listed-but-refused";
    /// A strategy chose an action that the rules refuse.
    IllegalAction = "illegal-action";
    /// A question that no seat or no action can answer.
    Ask = "ask";
    /// A turn or a phase was to end while a question is open.
    OpenQuestion = "open-question";
    /// Phases follow each other without anyone being asked.
    EndlessPhases = "endless-phases";
    /// The match goes on, and no seat has an action.
    NobodyCanAct = "nobody-can-act";
    /// An outcome that does not give a place to every seat.
    Outcome = "outcome";
    /// A contest that never ends, leads nowhere or grows beyond what can be counted.
    Contest = "contest";
    /// Rules that run no lines of scripts were asked to run one.
    NoScripts = "no-scripts";
    /// A match cannot begin as it was chosen.
    Begin = "begin";
    /// Sources were needed as a program and do not compile.
    DoesNotCompile = "does-not-compile";
    /// An edit command that names nothing of the match.
    ManualEdit = "manual-edit";
    /// A match was not taken over by changed rules: their `migrate` refused.
    Migrate = "migrate";
    /// The rules that a journal goes on with are not at hand.
    NoRules = "no-rules";
    /// A journal that cannot be replayed.
    Journal = "journal";
    /// The policy of the match does not allow it.
    Policy = "policy";
    /// A test of a ruleset found something else than it expects.
    Expectation = "expectation";
    /// Anything else that went wrong in a script.
    Script = "script";

    /// A key that is not known here.
    UnknownKey = "unknown-key";
    /// A key that is needed and missing.
    MissingValue = "missing-value";
    /// A value that is outside its range or names nothing.
    BadValue = "bad-value";
    /// Two things with the same name.
    DuplicateName = "duplicate-name";
    /// A name that stands for nothing.
    UnknownName = "unknown-name";
    /// A file that is not there or cannot be read.
    File = "file";
    /// A document that is not well formed.
    Document = "document";
    /// A document of a version this program does not read.
    Version = "version";
    /// A text that is not said in a language.
    Untranslated = "untranslated";
    /// Something that was compiled from the sources does not fit a running match.
    DoesNotFit = "does-not-fit";
}

impl Code {
    /// The code with this text form.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.text() == text)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Where in the sources something is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    /// The file, as the reader of the sources named it.
    pub file: String,
    /// The line, counted from 1. Zero stands for the file as a whole.
    #[serde(default)]
    pub line: u32,
    /// The column in characters, counted from 1. Zero stands for the line as a whole.
    #[serde(default)]
    pub column: u32,
    /// The text of the line, if it is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
}

impl Location {
    /// A file as a whole.
    pub fn file(file: impl Into<String>) -> Self {
        Self::at(file, 0, 0)
    }

    /// A line and column of a file, both counted from 1.
    pub fn at(file: impl Into<String>, line: u32, column: u32) -> Self {
        Self {
            file: file.into(),
            line,
            column,
            source_line: None,
        }
    }
}

impl fmt::Display for Location {
    /// `file:line:col`, without the parts that are zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// Something wrong in a file or a script: what, where, and what to do about it.
///
/// ```
/// use boardwright_model::diagnostic::{Code, Diagnostic, Location};
///
/// let place = Location { source_line: Some("let x = foo(1);".into()), ..Location::at("rules.rhai", 3, 9) };
/// let diagnostic = Diagnostic::error(Code::UnknownFunction, "there is no function `foo`").at(place).with_help("did you mean `for`?");
/// assert_eq!(diagnostic.to_string(), "rules.rhai:3:9: error[unknown-function]: there is no function `foo`");
/// assert_eq!(diagnostic.render(), "\
/// rules.rhai:3:9: error[unknown-function]: there is no function `foo`
///   3 | let x = foo(1);
///     |         ^
///     = did you mean `for`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What it is about.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// Where it is. In JSON its fields stand beside the others.
    #[serde(flatten)]
    pub place: Option<Location>,
    /// What to do about it; sometimes a second line with how it came about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The hook that was running when rules failed; empty for what was found in the sources.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hook: String,
}

impl Diagnostic {
    /// A diagnostic without place and help.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            place: None,
            help: None,
            hook: String::new(),
        }
    }

    /// An error without place and help.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning without place and help.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note without place and help.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// The same at a place.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Location>>) -> Self {
        self.place = place.into();
        self
    }

    /// The same with help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same in a hook that was running.
    #[must_use]
    pub fn in_hook(mut self, hook: impl Into<String>) -> Self {
        self.hook = hook.into();
        self
    }

    /// Whether another one says the same of the same place, as when one mistake is found in two ways.
    pub fn repeats(&self, other: &Self) -> bool {
        (&self.place, self.code, &self.message) == (&other.place, other.code, &other.message)
    }

    /// The file; empty where it is about none.
    pub fn file(&self) -> &str {
        self.place.as_ref().map_or("", |place| &place.file)
    }

    /// The line, counted from 1; 0 where it is not known.
    pub fn line(&self) -> u32 {
        self.place.as_ref().map_or(0, |place| place.line)
    }

    /// The column, counted from 1; 0 where it is not known.
    pub fn column(&self) -> u32 {
        self.place.as_ref().map_or(0, |place| place.column)
    }

    /// The text of the line, if it is at hand.
    pub fn source_line(&self) -> Option<&str> {
        self.place.as_ref()?.source_line.as_deref()
    }

    /// Several lines of text: the diagnostic, the line it is about with a caret below the column, and the help.
    pub fn render(&self) -> String {
        use fmt::Write as _;

        let mut out = self.to_string();
        let line = self.place.as_ref().filter(|place| place.line > 0);
        let width = line.map_or(0, |place| place.line.to_string().len());
        // Writing into a `String` cannot fail, so the results are dropped.
        if let Some((place, text)) = line.and_then(|place| Some((place, place.source_line.as_ref()?))) {
            let _ = write!(out, "\n  {} | {}", place.line, text.trim_end());
            if let Some(before) = place.column.checked_sub(1) {
                let indent: String = text
                    .chars()
                    .take(before as usize)
                    .map(|c| if c == '\t' { '\t' } else { ' ' })
                    .collect();
                let _ = write!(out, "\n  {:width$} | {indent}^", "");
            }
        }
        if let Some(help) = &self.help {
            for line in help.lines() {
                let _ = write!(out, "\n  {:width$} = {line}", "");
            }
        }
        out
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        if self.hook.is_empty() {
            Ok(())
        } else {
            write!(f, " (in {})", self.hook)
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Everything that was found wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Nothing wrong.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Whether there is none of any severity.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are of any severity.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// How many there are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.0.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Brings them into the order of the sources: by place, then severity, then code. What is the same twice stays once.
    pub fn sort(&mut self) {
        self.0
            .sort_by(|a, b| (&a.place, a.severity, a.code, &a.message).cmp(&(&b.place, b.severity, b.code, &b.message)));
        self.0.dedup();
    }

    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// All of them as [`Diagnostic::render`] shows them, with an empty line between two.
    pub fn render(&self) -> String {
        self.0.iter().map(Diagnostic::render).collect::<Vec<_>>().join("\n\n")
    }
}

impl fmt::Display for Diagnostics {
    /// One line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, iter: I) {
        self.0.extend(iter);
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<Diagnostics> for Vec<Diagnostic> {
    fn from(found: Diagnostics) -> Self {
        found.0
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_different_text_forms_that_lead_back_to_them() {
        for &code in Code::ALL {
            assert_eq!(Code::from_text(code.text()), Some(code));
            assert_eq!(serde_json::to_value(code).unwrap(), code.text());
            assert!(code.text().chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{code}");
        }
        assert_eq!(Code::from_text("no-such-code"), None);
    }

    #[test]
    fn diagnostics_sort_by_place_and_keep_one_of_two_alike() {
        let at = |line, column| Diagnostic::warning(Code::Unused, "unused").at(Location::at("a.rhai", line, column));
        let mut found: Diagnostics = [at(10, 1), at(2, 5), at(2, 5), at(2, 1)].into_iter().collect();
        found.push(Diagnostic::error(Code::File, "no file"));
        found.sort();
        let lines: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "error[file]: no file",
                "a.rhai:2:1: warning[unused]: unused",
                "a.rhai:2:5: warning[unused]: unused",
                "a.rhai:10:1: warning[unused]: unused",
            ]
        );
        assert!(found.has_errors());
        assert_eq!(
            (
                found.count(Severity::Error),
                found.count(Severity::Warning),
                found.count(Severity::Note)
            ),
            (1, 3, 0)
        );
    }

    #[test]
    fn the_caret_stands_below_the_column_behind_tabs_and_wide_characters() {
        let place = Location {
            source_line: Some("\tä = x".into()),
            ..Location::at("a.rhai", 12, 6)
        };
        let text = Diagnostic::error(Code::UnknownVariable, "no x").at(place).render();
        assert_eq!(text, "a.rhai:12:6: error[unknown-variable]: no x\n  12 | \tä = x\n     | \t    ^");
    }

    #[test]
    fn diagnostics_survive_json() {
        let found: Diagnostics = Diagnostic::note(Code::LongFunction, "long")
            .at(Location::file("a.rhai"))
            .with_help("cut it")
            .into();
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Diagnostics>(&text).unwrap(), found);
        assert_eq!(
            text,
            r#"[{"severity":"note","code":"long-function","message":"long","file":"a.rhai","line":0,"column":0,"help":"cut it"}]"#
        );
        let nowhere = Diagnostic::error(Code::File, "no file");
        let text = serde_json::to_string(&nowhere).unwrap();
        assert_eq!(text, r#"{"severity":"error","code":"file","message":"no file"}"#);
        assert_eq!(serde_json::from_str::<Diagnostic>(&text).unwrap(), nowhere);
    }
}
