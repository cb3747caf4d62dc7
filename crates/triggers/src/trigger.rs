//! A trigger as data, printed as a function of a script and read back from one.

use super::form::{FORMS, Field, FieldKind, Form, Part, hook_of, parameters};
use super::tokens::{Token, is_hidden, placed_tokens, quote, tokens};
use super::unread::{Unread, UnreadReason};

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
    /// A number or a seat that is computed.
    Computed(Box<Sentence>),
}

impl FieldValue {
    /// Whether a field of a kind may hold it.
    pub fn fits(&self, kind: FieldKind) -> bool {
        match self {
            Self::Seat(_) => kind == FieldKind::Seat,
            Self::Number(_) => kind == FieldKind::Number,
            Self::Text(text) if kind == FieldKind::Dice => is_dice(text),
            Self::Text(_) => matches!(kind, FieldKind::Text | FieldKind::Word),
            Self::Flag(_) => kind == FieldKind::Word,
            Self::Comparison(_) => kind == FieldKind::Comparison,
            Self::Computed(sentence) => kind.computed() == Some(sentence.form.part),
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
            Self::Computed(sentence) => sentence.print(),
        }
    }
}

/// Whether a text says dice as scripts do: `2d6`.
fn is_dice(text: &str) -> bool {
    let is_number =
        |digits: &str| (1..=2).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit()) && !digits.starts_with('0');
    text.split_once('d')
        .is_some_and(|(count, sides)| (count.is_empty() || is_number(count)) && is_number(sides))
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

    /// The same with another value in a field; none if that does not fit.
    #[must_use]
    pub fn with(&self, field: usize, value: FieldValue) -> Option<Self> {
        let mut values = self.values.clone();
        *values.get_mut(field)? = value;
        Self::new(self.form, values)
    }

    /// Whether it may stand in a trigger that begins with a form, with all that is computed in it. What happens is told by what is written down.
    pub fn may_stand(&self, when: &Form) -> bool {
        let computed = |value: &FieldValue| match value {
            FieldValue::Computed(sentence) => self.form.part != Part::When && sentence.may_stand(when),
            _ => true,
        };
        self.form.fits(when) && self.values.iter().all(computed)
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
    // The seat on turn is the beginning of others that are computed of it.
    let computed = FORMS.iter().filter(|form| kind.computed() == Some(form.part));
    if let Some((sentence, rest)) = computed.into_iter().find_map(|form| Sentence::read(form, tokens)) {
        return Some((FieldValue::Computed(Box::new(sentence)), rest));
    }
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
        (FieldKind::Word | FieldKind::Text | FieldKind::Dice, Text(text)) => (FieldValue::Text(text.clone()), after),
        (FieldKind::Number | FieldKind::Comparison | FieldKind::Word | FieldKind::Text | FieldKind::Dice, _) => return None,
        (_, Word(name)) if is_member => (FieldValue::Name(name.clone()), after),
        (_, Text(name)) if !is_member => (FieldValue::Name(name.clone()), after),
        _ => return None,
    })
}

/// What begins the comment of a trigger; its name follows.
pub(crate) const MARK: &str = "/// Trigger: ";

/// What begins each line of a trigger that is off.
pub(crate) const OFF: &str = "// ";

/// When something happens, and if something holds, something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    name: String,
    comment: String,
    off: bool,
    when: Sentence,
    conditions: Vec<Sentence>,
    consequences: Vec<Sentence>,
    once: bool,
}

/// A field of a trigger, or a sentence of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotPath {
    /// The part of the trigger.
    pub part: Part,
    /// The position of the sentence in it.
    pub sentence: usize,
    /// The field of the sentence, and of what is computed there, and so on; none for the whole sentence.
    pub fields: Vec<usize>,
}

fn replaced(sentence: &Sentence, fields: &[usize], value: FieldValue) -> Option<Sentence> {
    let (first, inner) = fields.split_first()?;
    let value = match sentence.values.get(*first)? {
        _ if inner.is_empty() => value,
        FieldValue::Computed(computed) => FieldValue::Computed(Box::new(replaced(computed, inner, value)?)),
        _ => return None,
    };
    sentence.with(*first, value)
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
        let stands = |part: Part, sentence: &Sentence| sentence.form.part == part && sentence.may_stand(when.form);
        let condition = conditions.iter().find(|sentence| !stands(Part::If, sentence));
        let consequence = consequences.iter().find(|sentence| !stands(Part::Then, sentence));
        let begins = Some(&when).filter(|when| !stands(Part::When, when));
        if let Some(misplaced) = begins.or(condition).or(consequence) {
            return Err(Misplaced(misplaced.form));
        }
        Ok(Self {
            name: clean(name),
            comment: String::new(),
            off: false,
            when,
            conditions,
            consequences,
            once,
        })
    }

    /// The same with a comment for authors, of any number of lines.
    #[must_use]
    pub fn with_comment(self, comment: &str) -> Self {
        let line = |line: &str| {
            let seen: String = line.chars().map(visible).collect();
            // It may not look like the mark of another trigger.
            let gap = if seen.starts_with("Trigger:") { " " } else { "" };
            format!("{gap}{}", seen.trim_end())
        };
        let comment = comment.trim().lines().map(line).collect::<Vec<_>>().join("\n");
        Self { comment, ..self }
    }

    /// The same, off or on: off it stays in the script as a comment, and does nothing.
    #[must_use]
    pub fn switched_off(self, off: bool) -> Self {
        Self { off, ..self }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its author says about it; may be empty, or several lines.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Whether it is off.
    pub fn is_off(&self) -> bool {
        self.off
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

    /// The same under another name.
    #[must_use]
    pub fn renamed(self, name: &str) -> Self {
        Self { name: clean(name), ..self }
    }

    /// The same, happening once in a match or whenever it can.
    #[must_use]
    pub fn happening_once(self, once: bool) -> Self {
        Self { once, ..self }
    }

    /// The same with other sentences.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub fn with_sentences(&self, when: Sentence, conditions: Vec<Sentence>, consequences: Vec<Sentence>) -> Result<Self, Misplaced> {
        let new = Self::new(&self.name, when, conditions, consequences, self.once)?;
        Ok(new.with_comment(&self.comment).switched_off(self.off))
    }

    /// The same with something else that happens. Sentences about what is not there then are left out.
    #[must_use]
    pub fn with_when(&self, when: Sentence) -> Self {
        let form = when.form;
        let fitting = |sentences: &[Sentence]| sentences.iter().filter(|sentence| sentence.may_stand(form)).cloned().collect();
        let new = self.with_sentences(when, fitting(&self.conditions), fitting(&self.consequences));
        new.unwrap_or_else(|_| self.clone())
    }

    /// The sentences of a part, in order.
    pub fn sentences(&self, part: Part) -> &[Sentence] {
        match part {
            Part::When => std::slice::from_ref(&self.when),
            Part::If => &self.conditions,
            Part::Then => &self.consequences,
            Part::Number | Part::Seat => &[],
        }
    }

    /// The same with other sentences in a part; none if they cannot stand there.
    pub fn with_part(&self, part: Part, sentences: Vec<Sentence>) -> Option<Self> {
        let kept = || (self.conditions.clone(), self.consequences.clone());
        match part {
            Part::When => sentences.into_iter().next().map(|when| self.with_when(when)),
            Part::If => self.with_sentences(self.when.clone(), sentences, kept().1).ok(),
            Part::Then => self.with_sentences(self.when.clone(), kept().0, sentences).ok(),
            Part::Number | Part::Seat => None,
        }
    }

    /// What a field stands at.
    pub fn value(&self, place: &SlotPath) -> Option<&FieldValue> {
        let (first, inner) = place.fields.split_first()?;
        let mut value = self.sentences(place.part).get(place.sentence)?.values.get(*first)?;
        for field in inner {
            let FieldValue::Computed(sentence) = value else { return None };
            value = sentence.values.get(*field)?;
        }
        Some(value)
    }

    /// The same with another value in a field; none if that does not fit there.
    pub fn with_value(&self, place: &SlotPath, value: FieldValue) -> Option<Self> {
        let mut sentences = self.sentences(place.part).to_vec();
        let sentence = sentences.get_mut(place.sentence)?;
        *sentence = replaced(sentence, &place.fields, value)?;
        self.with_part(place.part, sentences)
    }

    /// The name of its function, as far as no other has it.
    pub(crate) fn function(&self) -> String {
        format!("{}_{}", self.when.form.hook, label(&self.name))
    }

    /// Whether something is asked before anything is done.
    pub(crate) fn has_tests(&self) -> bool {
        !self.when.form.script.is_empty() || !self.conditions.is_empty() || self.once
    }

    /// Prints it as a function of a script.
    pub fn print(&self) -> String {
        self.print_as(&self.function())
    }

    /// The same under another name of the function.
    pub(crate) fn print_as(&self, function: &str) -> String {
        let parameters = parameters(self.when.form.hook).unwrap_or("turn");
        let mut printed = format!("{MARK}{}\n", self.name);
        for line in self.comment.lines() {
            printed.push_str(format!("/// {line}").trim_end());
            printed.push('\n');
        }
        printed.push_str(&format!("fn {function}({parameters}) {{\n"));
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
        if self.off {
            printed = printed.lines().map(|line| format!("{OFF}{line}\n")).collect();
        }
        printed
    }

    /// Reads a trigger from the text of its comment and function, which may be set out otherwise than it is printed.
    ///
    /// # Errors
    /// Where and why it is not in the form of one.
    pub(crate) fn read(text: &str) -> Result<Self, Unread> {
        let at = |place: usize, reason: UnreadReason| Unread {
            line: text.get(..place).unwrap_or(text).matches('\n').count(),
            reason,
        };
        let first = text.lines().next().unwrap_or_default();
        let name = first.strip_prefix(MARK).map(str::trim).unwrap_or_default();
        if name.is_empty() || clean(name) != name {
            return Err(at(0, UnreadReason::Name));
        }
        let (comment, function) = comment_of(text).ok_or_else(|| at(0, UnreadReason::Function))?;
        let (tokens, places) =
            placed_tokens(text.get(function..).unwrap_or_default()).map_err(|place| at(function + place, UnreadReason::Unknown))?;
        // What is left over where reading ended tells where that was.
        let left = |rest: &[Token], reason| {
            let place = places.get(tokens.len() - rest.len()).copied();
            at(place.map_or(text.trim_end().len(), |place| function + place), reason)
        };
        let word = |text: &str| Token::Word(text.to_owned());
        let (hook, body) = match &tokens[..] {
            [function, Token::Word(called), Token::Sign("("), rest @ ..] if *function == word("fn") => {
                let hook = hook_of(called).ok_or_else(|| left(rest, UnreadReason::Hook(called.clone())))?;
                let expected = parameters(hook).and_then(super::tokens::tokens).unwrap_or_default();
                let body = rest.strip_prefix(&expected[..]);
                let body = body.and_then(|rest| rest.strip_prefix(&[Token::Sign(")"), Token::Sign("{")]));
                (hook, body.ok_or_else(|| left(rest, UnreadReason::Hook(called.clone())))?)
            }
            _ => return Err(at(function, UnreadReason::Function)),
        };
        let has_tests = body.first() == Some(&word("if"));
        let (tests, mut rest) = match body.split_first() {
            Some((_, rest)) if has_tests => read_tests(hook, rest).map_err(|rest| left(rest, UnreadReason::Condition))?,
            _ => (Tests::default(), body),
        };
        let mut consequences = Vec::new();
        while !matches!(rest.first(), None | Some(Token::Sign("}"))) {
            let mut forms = FORMS.iter().filter(|form| form.part == Part::Then);
            let read = forms.find_map(|form| Sentence::read(form, rest));
            let (sentence, after) = read.ok_or_else(|| left(rest, UnreadReason::Consequence))?;
            consequences.push(sentence);
            rest = after;
        }
        let closed = vec![Token::Sign("}"); if has_tests { 2 } else { 1 }];
        if rest != closed {
            return Err(left(rest.get(1..).unwrap_or_default(), UnreadReason::Consequence));
        }
        if tests.once.as_ref().is_some_and(|once| once != name) {
            return Err(at(function, UnreadReason::Once));
        }
        let bare = || {
            let mut forms = FORMS.iter();
            let form = forms.find(|form| form.part == Part::When && form.hook == hook && form.script.is_empty());
            form.and_then(|form| Sentence::new(form, Vec::new()))
        };
        let when = tests.guard.or_else(bare).ok_or_else(|| at(function, UnreadReason::Condition))?;
        let trigger = Self::new(name, when, tests.conditions, consequences, tests.once.is_some());
        let trigger = trigger.map_err(|misplaced| at(function, UnreadReason::Misplaced(misplaced.0)))?;
        Ok(trigger.with_comment(&comment))
    }
}

/// The comment behind the name of a trigger, and where its function begins. Blanks at its ends are no part of it.
fn comment_of(text: &str) -> Option<(String, usize)> {
    let mut at = text.find('\n')? + 1;
    let mut lines = Vec::new();
    while let Some(line) = text.get(at..)?.strip_prefix("///") {
        let line = line.split_inclusive('\n').next()?;
        lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
        at += "///".len() + line.len();
    }
    Some((lines.join("\n"), at))
}

#[derive(Default)]
struct Tests {
    guard: Option<Sentence>,
    conditions: Vec<Sentence>,
    once: Option<String>,
}

/// Reads what stands between `if` and the brace behind it; gives what stands behind that, or else what could not be read.
fn read_tests<'t>(hook: &str, mut rest: &'t [Token]) -> Result<(Tests, &'t [Token]), &'t [Token]> {
    let once = tokens("turn.once(").unwrap_or_default();
    let mut tests = Tests::default();
    let mut is_first = true;
    loop {
        let is_end = |rest: &[Token]| matches!(rest.first(), Some(Token::Sign("&&" | "{")));
        if let Some([Token::Text(name), Token::Sign(")"), after @ ..]) = rest.strip_prefix(&once[..]) {
            tests.once = Some(name.clone());
            // It has to be the last one: what stands behind it would be asked only the first time.
            return Ok((tests, after.strip_prefix(&[Token::Sign("{")]).ok_or(after)?));
        }
        let read = |form| Sentence::read(form, rest).filter(|(_, after)| is_end(after));
        let guards = FORMS
            .iter()
            .filter(|form| form.part == Part::When && form.hook == hook && !form.script.is_empty());
        let guard = guards.filter(|_| is_first).find_map(read);
        let (sentence, after) = match guard {
            Some(guard) => guard,
            None => FORMS.iter().filter(|form| form.part == Part::If).find_map(read).ok_or(rest)?,
        };
        if sentence.form.part == Part::When {
            tests.guard = Some(sentence);
        } else {
            tests.conditions.push(sentence);
        }
        is_first = false;
        match after.split_first() {
            Some((Token::Sign("&&"), after)) => rest = after,
            Some((_, after)) => return Ok((tests, after)),
            None => return Err(after),
        }
    }
}

/// A character, or a blank in the place of one that is not seen.
fn visible(c: char) -> char {
    if is_hidden(c) { ' ' } else { c }
}

/// A name without what cannot be seen, and without blanks at its ends.
fn clean(name: &str) -> String {
    let seen: String = name.chars().map(visible).collect();
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
