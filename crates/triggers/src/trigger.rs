//! A trigger as data, printed as a function of a script and read back from one.

use super::form::{FORMS, Field, FieldKind, Form, Part, hook_of, parameters};
use super::tokens::{Token, is_hidden, quote, tokens};

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are named as they are read")]
pub enum Comparison {
    Equal,
    NotEqual,
    AtLeast,
    AtMost,
    More,
    Less,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Equal, Self::NotEqual, Self::AtLeast, Self::AtMost, Self::More, Self::Less];

    /// How scripts write it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::Less => "<",
        }
    }
}

/// What a field of a sentence stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A name that the map or the ruleset gives: of a region, a kind, a property.
    Name(String),
    /// A seat by its name; without one the seat on turn.
    Seat(Option<String>),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// How two numbers are compared.
    Comparison(Comparison),
}

impl FieldValue {
    /// Whether a field of a kind may hold it.
    pub fn fits(&self, kind: FieldKind) -> bool {
        match self {
            Self::Seat(_) => kind == FieldKind::Seat,
            Self::Number(_) => kind == FieldKind::Number,
            Self::Text(_) => matches!(kind, FieldKind::Text | FieldKind::Word),
            Self::Flag(_) => kind == FieldKind::Word,
            Self::Comparison(_) => kind == FieldKind::Comparison,
            // A property is written as a name behind a point too.
            Self::Name(name) => match kind {
                FieldKind::NumberOf(_) | FieldKind::WordOf(_) => is_name(name),
                FieldKind::Region | FieldKind::Cell | FieldKind::Kind | FieldKind::Terrain | FieldKind::Zone | FieldKind::Action => true,
                _ => false,
            },
        }
    }

    /// As a script has it; `is_member` says that it stands behind a point.
    fn print(&self, is_member: bool) -> String {
        match self {
            Self::Name(name) if is_member => name.clone(),
            Self::Name(text) | Self::Text(text) => quote(text),
            Self::Seat(None) => "turn.seat".to_owned(),
            Self::Seat(Some(name)) => format!("turn.seat_named({})", quote(name)),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Comparison(comparison) => comparison.sign().to_owned(),
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// A sentence of a trigger: its form, and what its fields stand at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    form: &'static Form,
    values: Vec<FieldValue>,
}

impl Sentence {
    /// A sentence; none if the values do not fit its fields.
    pub fn new(form: &'static Form, values: Vec<FieldValue>) -> Option<Self> {
        let fits = |(field, value): (&Field, &FieldValue)| value.fits(field.kind);
        let fit = form.fields.len() == values.len() && form.fields.iter().zip(&values).all(fits);
        fit.then_some(Self { form, values })
    }

    /// Its form.
    pub fn form(&self) -> &'static Form {
        self.form
    }

    /// What its fields stand at, in their order.
    pub fn values(&self) -> &[FieldValue] {
        &self.values
    }

    fn value(&self, name: &str) -> Option<&FieldValue> {
        let index = self.form.fields.iter().position(|field| field.name == name)?;
        self.values.get(index)
    }

    /// What is written for it.
    fn print(&self) -> String {
        let mut parts = self.form.script.split('$');
        let mut printed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            let value = self.value(name).map(|value| value.print(printed.ends_with('.')));
            printed.push_str(&value.unwrap_or_default());
            printed.push_str(rest);
        }
        printed
    }

    /// Reads a sentence of a form from the front of tokens; gives what stands behind it.
    fn read<'t>(form: &'static Form, mut rest: &'t [Token]) -> Option<(Self, &'t [Token])> {
        let mut values: Vec<Option<FieldValue>> = vec![None; form.fields.len()];
        let mut is_member = false;
        for wanted in tokens(form.script)? {
            let Token::Hole(name) = &wanted else {
                let (first, after) = rest.split_first()?;
                if *first != wanted {
                    return None;
                }
                (rest, is_member) = (after, wanted == Token::Sign("."));
                continue;
            };
            let index = form.fields.iter().position(|field| field.name == *name)?;
            let (value, after) = read_value(form.fields.get(index)?.kind, rest, is_member)?;
            let slot = values.get_mut(index)?;
            if slot.as_ref().is_some_and(|before| *before != value) {
                return None;
            }
            *slot = Some(value);
            (rest, is_member) = (after, false);
        }
        let values: Option<Vec<FieldValue>> = values.into_iter().collect();
        Some((Self::new(form, values?)?, rest))
    }
}

/// Reads the value of a field from the front of tokens.
fn read_value(kind: FieldKind, tokens: &[Token], is_member: bool) -> Option<(FieldValue, &[Token])> {
    use Token::{Number, Sign, Text, Word};
    let word = |text: &str| Word(text.to_owned());
    let (first, after) = tokens.split_first()?;
    Some(match (kind, first) {
        (FieldKind::Seat, turn) if *turn == word("turn") => {
            let after = after.strip_prefix(&[Sign(".")])?;
            match after {
                [named, Sign("("), Text(name), Sign(")"), rest @ ..] if *named == word("seat_named") => {
                    (FieldValue::Seat(Some(name.clone())), rest)
                }
                [seat, rest @ ..] if *seat == word("seat") => (FieldValue::Seat(None), rest),
                _ => return None,
            }
        }
        (FieldKind::Number, Number(number)) => (FieldValue::Number(i64::try_from(*number).ok()?), after),
        (FieldKind::Number, Sign("-")) => match after {
            [Number(number), rest @ ..] => (FieldValue::Number(0_i64.checked_sub_unsigned(*number)?), rest),
            _ => return None,
        },
        (FieldKind::Comparison, Sign(sign)) => {
            let comparison = Comparison::ALL.into_iter().find(|comparison| comparison.sign() == *sign)?;
            (FieldValue::Comparison(comparison), after)
        }
        (FieldKind::Word, Word(flag)) => (FieldValue::Flag(flag.parse().ok()?), after),
        (FieldKind::Word | FieldKind::Text, Text(text)) => (FieldValue::Text(text.clone()), after),
        (FieldKind::Number | FieldKind::Comparison | FieldKind::Word | FieldKind::Text, _) => return None,
        (_, Word(name)) if is_member => (FieldValue::Name(name.clone()), after),
        (_, Text(name)) if !is_member => (FieldValue::Name(name.clone()), after),
        _ => return None,
    })
}

/// What begins the comment of a trigger; its name follows.
pub(crate) const MARK: &str = "/// Trigger: ";

/// When something happens, and if something holds, something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    name: String,
    when: Sentence,
    conditions: Vec<Sentence>,
    consequences: Vec<Sentence>,
    once: bool,
}

/// A sentence that stands where it cannot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced(pub &'static Form);

impl std::fmt::Display for Misplaced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\" cannot stand there", self.0.text)
    }
}

impl std::error::Error for Misplaced {}

impl Trigger {
    /// A trigger with a name for people, which may have any letters. What cannot be seen is left out of it.
    ///
    /// # Errors
    /// The first sentence that cannot stand where it does: a condition about a piece, where what happens happens to none.
    pub fn new(name: &str, when: Sentence, conditions: Vec<Sentence>, consequences: Vec<Sentence>, once: bool) -> Result<Self, Misplaced> {
        let stands = |part: Part, sentence: &Sentence| sentence.form.part == part && sentence.form.fits(when.form);
        let condition = conditions.iter().find(|sentence| !stands(Part::If, sentence));
        let consequence = consequences.iter().find(|sentence| !stands(Part::Then, sentence));
        let begins = Some(&when).filter(|when| when.form.part != Part::When);
        if let Some(misplaced) = begins.or(condition).or(consequence) {
            return Err(Misplaced(misplaced.form));
        }
        Ok(Self {
            name: clean(name),
            when,
            conditions,
            consequences,
            once,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What happens.
    pub fn when(&self) -> &Sentence {
        &self.when
    }

    /// What has to hold besides, all of it.
    pub fn conditions(&self) -> &[Sentence] {
        &self.conditions
    }

    /// What is done, in order.
    pub fn consequences(&self) -> &[Sentence] {
        &self.consequences
    }

    /// Whether it happens once in a match.
    pub fn is_once(&self) -> bool {
        self.once
    }

    /// The name of its function, as far as no other has it.
    pub(crate) fn function(&self) -> String {
        format!("{}_{}", self.when.form.hook, label(&self.name))
    }

    /// Prints it as a function of a script.
    pub fn print(&self) -> String {
        self.print_as(&self.function())
    }

    /// The same under another name of the function.
    pub(crate) fn print_as(&self, function: &str) -> String {
        let parameters = parameters(self.when.form.hook).unwrap_or("turn");
        let mut printed = format!("{MARK}{}\nfn {function}({parameters}) {{\n", self.name);
        let guard = (!self.when.form.script.is_empty()).then(|| self.when.print());
        let conditions = self.conditions.iter().map(Sentence::print);
        let once = self.once.then(|| format!("turn.once({})", quote(&self.name)));
        let tests: Vec<String> = guard.into_iter().chain(conditions).chain(once).collect();
        let indent = if tests.is_empty() { "    " } else { "        " };
        match &tests[..] {
            [] => {}
            [test] => printed.push_str(&format!("    if {test} {{\n")),
            tests => printed.push_str(&format!("    if {}\n    {{\n", tests.join("\n        && "))),
        }
        for consequence in &self.consequences {
            printed.push_str(&format!("{indent}{}\n", consequence.print()));
        }
        if !tests.is_empty() {
            printed.push_str("    }\n");
        }
        printed.push_str("}\n");
        printed
    }

    /// Reads a trigger from the text of its comment and function, which may be set out otherwise than it is printed.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once('\n')?;
        let name = first.strip_prefix(MARK)?.trim();
        let tokens = tokens(rest)?;
        let word = |text: &str| Token::Word(text.to_owned());
        let [function, Token::Word(called), Token::Sign("("), rest @ ..] = &tokens[..] else {
            return None;
        };
        if *function != word("fn") {
            return None;
        }
        let hook = hook_of(called)?;
        let expected = super::tokens::tokens(parameters(hook)?)?;
        let rest = rest.strip_prefix(&expected[..])?;
        let body = rest
            .strip_prefix(&[Token::Sign(")"), Token::Sign("{")])?
            .strip_suffix(&[Token::Sign("}")])?;
        let (tests, body) = match body.split_first() {
            Some((first, rest)) if *first == word("if") => {
                let (tests, rest) = read_tests(hook, rest)?;
                (tests, rest.strip_suffix(&[Token::Sign("}")])?)
            }
            _ => (Tests::default(), body),
        };
        if name.is_empty() || clean(name) != name || tests.once.as_ref().is_some_and(|once| once != name) {
            return None;
        }
        let bare = || {
            FORMS
                .iter()
                .find(|form| form.part == Part::When && form.hook == hook && form.script.is_empty())
        };
        let when = match tests.guard {
            Some(guard) => guard,
            None => Sentence::new(bare()?, Vec::new())?,
        };
        let consequences = read_consequences(body)?;
        Self::new(name, when, tests.conditions, consequences, tests.once.is_some()).ok()
    }
}

#[derive(Default)]
struct Tests {
    guard: Option<Sentence>,
    conditions: Vec<Sentence>,
    once: Option<String>,
}

/// Reads what stands between `if` and the brace behind it; gives what stands behind that.
fn read_tests<'t>(hook: &str, mut rest: &'t [Token]) -> Option<(Tests, &'t [Token])> {
    let once = tokens("turn.once(")?;
    let mut tests = Tests::default();
    let mut is_first = true;
    loop {
        let is_end = |rest: &[Token]| matches!(rest.first(), Some(Token::Sign("&&" | "{")));
        if let Some([Token::Text(name), Token::Sign(")"), after @ ..]) = rest.strip_prefix(&once[..]) {
            tests.once = Some(name.clone());
            rest = after;
            // It has to be the last one: what stands behind it would be asked only the first time.
            return Some((tests, rest.strip_prefix(&[Token::Sign("{")])?));
        }
        let read = |form| Sentence::read(form, rest).filter(|(_, after)| is_end(after));
        let guards = FORMS
            .iter()
            .filter(|form| form.part == Part::When && form.hook == hook && !form.script.is_empty());
        let guard = guards.filter(|_| is_first).find_map(read);
        let (sentence, after) = match guard {
            Some(guard) => guard,
            None => FORMS.iter().filter(|form| form.part == Part::If).find_map(read)?,
        };
        if sentence.form.part == Part::When {
            tests.guard = Some(sentence);
        } else {
            tests.conditions.push(sentence);
        }
        is_first = false;
        match after.split_first()? {
            (Token::Sign("&&"), after) => rest = after,
            (_, after) => return Some((tests, after)),
        }
    }
}

fn read_consequences(mut rest: &[Token]) -> Option<Vec<Sentence>> {
    let mut read = Vec::new();
    while !rest.is_empty() {
        let mut forms = FORMS.iter().filter(|form| form.part == Part::Then);
        let (sentence, after) = forms.find_map(|form| Sentence::read(form, rest))?;
        read.push(sentence);
        rest = after;
    }
    Some(read)
}

/// A name without what cannot be seen, and without blanks at its ends.
fn clean(name: &str) -> String {
    let seen: String = name.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect();
    let name = seen.trim();
    if name.is_empty() { "Trigger".to_owned() } else { name.to_owned() }
}

/// A name as a part of the name of a function: small letters of English, digits and `_`.
fn label(name: &str) -> String {
    let plain = |c: char| match c.to_lowercase().next().unwrap_or(c) {
        c @ ('a'..='z' | '0'..='9') => c,
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'č' | 'ç' | 'ć' => 'c',
        'ď' => 'd',
        'é' | 'è' | 'ê' | 'ë' | 'ě' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ľ' | 'ł' => 'l',
        'ň' | 'ñ' | 'ń' => 'n',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' => 'o',
        'ř' => 'r',
        'š' | 'ś' => 's',
        'ť' => 't',
        'ú' | 'ù' | 'û' | 'ü' | 'ů' => 'u',
        'ý' | 'ÿ' => 'y',
        'ž' | 'ź' | 'ż' => 'z',
        _ => '_',
    };
    let words: String = name.chars().map(plain).collect();
    let label = words.split('_').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    if label.is_empty() { "trigger".to_owned() } else { label }
}
