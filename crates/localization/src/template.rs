//! One phrase: the text with its holes, and what it becomes.

use crate::counting::{counts_in, example_of, form_of};

/// The most holes of a phrase.
const MOST_HOLES: usize = 12;
/// So many ways to divide a text among the holes are tried.
const MOST_ATTEMPTS: usize = 2_000;

/// A part of a text with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Letters that stand as they are.
    Letters(String),
    /// A hole, by its name, with the forms among which a number chooses.
    Hole(String, Vec<String>),
}

/// What is wrong with a text that has holes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateFault {
    /// A brace that opens or closes nothing.
    #[error("a brace alone: write {{{{ or }}}} for a brace that is meant, and {{name}} for a part that is filled in")]
    Brace,
    /// A hole without a usable name.
    #[error("`{0}` is no name for a part that is filled in: small letters, digits and _")]
    Name(String),
    /// Two holes with nothing between them.
    #[error("between {{{0}}} and {{{1}}} stands nothing, so that nobody can tell where one ends")]
    Adjacent(String, String),
    /// A hole that the text does not have.
    #[error("{{{0}}} is not filled in: the text it translates has no such part")]
    Unknown(String),
    /// A hole with forms in the text itself.
    #[error("{{{0}|..}} has forms: they belong into the translation")]
    Forms(String),
    /// Too few or too many forms.
    #[error("{{{hole}|..}} has {given} forms, and this language counts in {asked}, as with {example}")]
    Count {
        /// The hole.
        hole: String,
        /// How many forms there are.
        given: usize,
        /// How many there should be.
        asked: usize,
        /// A number for each form.
        example: String,
    },
    /// More holes than a text may have.
    #[error("more than {MOST_HOLES} parts are filled in")]
    Many,
}

/// Takes a text with holes apart.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn pieces(text: &str) -> Result<Vec<Piece>, TemplateFault> {
    let mut pieces = Vec::new();
    let mut letters = String::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '{' | '}' if rest.peek() == Some(&letter) => {
                rest.next();
                letters.push(letter);
            }
            '}' => return Err(TemplateFault::Brace),
            '{' => {
                let mut inner = String::new();
                loop {
                    match rest.next() {
                        Some('}') => break,
                        Some('{') | None => return Err(TemplateFault::Brace),
                        Some(letter) => inner.push(letter),
                    }
                }
                if !letters.is_empty() {
                    pieces.push(Piece::Letters(std::mem::take(&mut letters)));
                }
                pieces.push(hole(&inner)?);
            }
            _ => letters.push(letter),
        }
    }
    if !letters.is_empty() {
        pieces.push(Piece::Letters(letters));
    }
    let holes = pieces.iter().filter(|piece| matches!(piece, Piece::Hole(..))).count();
    if holes > MOST_HOLES { Err(TemplateFault::Many) } else { Ok(pieces) }
}

fn hole(inner: &str) -> Result<Piece, TemplateFault> {
    let mut parts = inner.split('|');
    let name = parts.next().unwrap_or_default();
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
    if is_name {
        Ok(Piece::Hole(name.to_owned(), parts.map(str::to_owned).collect()))
    } else {
        Err(TemplateFault::Name(name.to_owned()))
    }
}

/// A phrase, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Template {
    of: Vec<Piece>,
    text: Vec<Piece>,
    language: String,
}

impl Template {
    /// Takes a phrase apart.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(super) fn new(of: &str, text: &str, language: &str) -> Result<Self, TemplateFault> {
        let (of, text) = (pieces(of)?, pieces(text)?);
        let mut names: Vec<&str> = Vec::new();
        let mut before: Option<&str> = None;
        for piece in &of {
            let Piece::Hole(name, forms) = piece else {
                before = None;
                continue;
            };
            if let Some(before) = before {
                return Err(TemplateFault::Adjacent(before.to_owned(), name.clone()));
            }
            if !forms.is_empty() {
                return Err(TemplateFault::Forms(name.clone()));
            }
            names.push(name);
            before = Some(name);
        }
        let asked = counts_in(language);
        for piece in &text {
            if let Piece::Hole(name, forms) = piece {
                if !names.contains(&name.as_str()) {
                    return Err(TemplateFault::Unknown(name.clone()));
                }
                if !forms.is_empty() && forms.len() != asked {
                    return Err(TemplateFault::Count {
                        hole: name.clone(),
                        given: forms.len(),
                        asked,
                        example: example_of(language),
                    });
                }
            }
        }
        Ok(Self {
            of,
            text,
            language: language.to_owned(),
        })
    }

    /// The text it is of and what that becomes, if it has no holes.
    pub(super) fn whole(&self) -> Option<(String, String)> {
        let has_holes = self.of.iter().any(|piece| matches!(piece, Piece::Hole(..)));
        (!has_holes).then(|| (letters(&self.of), letters(&self.text)))
    }

    /// How many letters of its own the text has.
    pub(super) fn letters(&self) -> usize {
        letters(&self.of).chars().count()
    }

    /// What a text becomes, if it is of this form. `may_fill` tells what the holes may take, `say` says what fills them.
    pub(super) fn fill(&self, text: &str, may_fill: &dyn Fn(&str) -> bool, say: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let mut filled = Vec::new();
        let mut attempts = MOST_ATTEMPTS;
        if !divide(&self.of, text, &mut filled, &mut attempts, &|name, part| {
            self.is_fitting(name, part) && may_fill(part)
        }) {
            return None;
        }
        let mut text = String::new();
        for piece in &self.text {
            match piece {
                Piece::Letters(letters) => text.push_str(letters),
                Piece::Hole(name, forms) => {
                    let part = filled.iter().find(|(known, _)| known == name).map_or("", |(_, part)| part);
                    if forms.is_empty() {
                        text.push_str(say(part).as_deref().unwrap_or(part));
                    } else {
                        let number = part.parse().unwrap_or_default();
                        text.push_str(forms.get(form_of(&self.language, number)).map_or("", String::as_str));
                    }
                }
            }
        }
        Some(text)
    }

    /// Whether a part can fill a hole: where forms are chosen by it, it has to be a number.
    fn is_fitting(&self, name: &str, part: &str) -> bool {
        let is_number = || part.parse::<i64>().is_ok();
        let counts = |piece: &Piece| matches!(piece, Piece::Hole(known, forms) if known == name && !forms.is_empty());
        !part.is_empty() && (is_number() || !self.text.iter().any(counts))
    }
}

fn letters(pieces: &[Piece]) -> String {
    let own = pieces.iter().map(|piece| match piece {
        Piece::Letters(letters) => letters.as_str(),
        Piece::Hole(..) => "",
    });
    own.collect()
}

/// Divides a text among the pieces, each hole as short as can be. Whether that was possible.
fn divide<'t>(
    pieces: &[Piece],
    text: &'t str,
    filled: &mut Vec<(String, &'t str)>,
    attempts: &mut usize,
    fits: &dyn Fn(&str, &str) -> bool,
) -> bool {
    let (name, rest) = match pieces.split_first() {
        None => return text.is_empty(),
        Some((Piece::Letters(letters), rest)) => {
            let behind = text.strip_prefix(letters.as_str());
            return behind.is_some_and(|behind| divide(rest, behind, filled, attempts, fits));
        }
        Some((Piece::Hole(name, _), rest)) => (name, rest),
    };
    // The last hole takes all that is left; behind others stand letters.
    let ends: Vec<usize> = match rest.first() {
        None => vec![text.len()],
        Some(Piece::Letters(letters)) => text.match_indices(letters.as_str()).map(|(at, _)| at).collect(),
        Some(Piece::Hole(..)) => Vec::new(),
    };
    for at in ends {
        let Some(left) = attempts.checked_sub(1) else { return false };
        *attempts = left;
        let (part, behind) = text.split_at(at);
        if fits(name, part) {
            filled.push((name.clone(), part));
            if divide(rest, behind, filled, attempts, fits) {
                return true;
            }
            filled.pop();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(of: &str, text: &str) -> String {
        Template::new(of, text, "cs").unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_with_a_phrase_is_said() {
        let wrong = [
            fault("a { b", ""),
            fault("a } b", ""),
            fault("{A}", ""),
            fault("{a}{b}", ""),
            fault("{a}", "{b}"),
            fault("{a|x|y|z}", ""),
            fault("{n} x", "{n|y|z}"),
            fault(&"{a} ".repeat(13), ""),
        ];
        insta::assert_snapshot!(wrong.join("\n"), @r"
        a brace alone: write {{ or }} for a brace that is meant, and {name} for a part that is filled in
        a brace alone: write {{ or }} for a brace that is meant, and {name} for a part that is filled in
        `A` is no name for a part that is filled in: small letters, digits and _
        between {a} and {b} stands nothing, so that nobody can tell where one ends
        {b} is not filled in: the text it translates has no such part
        {a|..} has forms: they belong into the translation
        {n|..} has 2 forms, and this language counts in 3, as with 1, 2, 5
        more than 12 parts are filled in
        ");
    }

    #[test]
    fn holes_are_as_short_as_the_text_allows() {
        let template = Template::new("{a} on {b} with {c}", "{c}/{b}/{a}", "cs").unwrap();
        let say = |_: &str| None;
        let any = |_: &str| true;
        assert_eq!(template.fill("x on y on z with 3", &any, &say).as_deref(), Some("3/y on z/x"));
        assert_eq!(template.fill("x on  with 3", &any, &say), None, "nothing fills no hole");
        assert_eq!(template.fill("x on y", &any, &say), None);
    }
}
