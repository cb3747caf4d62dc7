//! Values of declared properties and options.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CellId, KindId, PieceId, SeatId};

/// The value of a declared property: a whole number, a flag, a text, an id, or a list of values. There are no floats:
/// ratios and percentages are whole numbers with the unit in the property's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// No value: an id that points at nothing.
    #[default]
    Nothing,
    /// A whole number.
    Integer(i64),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(Arc<str>),
    /// A cell of the board.
    Cell(CellId),
    /// A piece in play.
    Piece(PieceId),
    /// A seat.
    Seat(SeatId),
    /// A sort of piece.
    Kind(KindId),
    /// A list of values.
    List(Arc<[Value]>),
}

impl Value {
    /// The bytes of text in it, and of the places of a list.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::List(values) => size_of_val::<[Self]>(values) + values.iter().map(Self::text_bytes).sum::<usize>(),
            _ => 0,
        }
    }

    /// A text value.
    pub fn text(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }

    /// The number, if this is one.
    #[inline]
    pub fn as_integer(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Flag(true) => f.write_str("yes"),
            Self::Flag(false) => f.write_str("no"),
            Self::Text(text) => f.write_str(text),
            Self::Cell(cell) => write!(f, "cell {}", cell.0),
            Self::Piece(piece) => write!(f, "piece {}", piece.0),
            Self::Seat(seat) => write!(f, "seat {}", seat.0),
            Self::Kind(kind) => write!(f, "kind {}", kind.0),
            Self::List(values) => {
                f.write_str("[")?;
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{value}")?;
                }
                f.write_str("]")
            }
        }
    }
}

/// What values a property or option may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum ValueType {
    /// A whole number between two bounds, both allowed.
    Integer { min: i64, max: i64 },
    /// Yes or no.
    Flag,
    /// A text.
    Text,
    /// One of some named words.
    Choice {
        /// The words, in the order in which they are offered.
        words: Vec<Arc<str>>,
    },
    /// Some of some named words, each at most once: a list of texts.
    Subset {
        /// The words, in the order in which they are offered. None has a comma.
        words: Vec<Arc<str>>,
    },
    /// A cell or nothing.
    Cell,
    /// A piece or nothing.
    Piece,
    /// A seat or nothing.
    Seat,
    /// A sort of piece or nothing.
    Kind,
    /// A list of any values.
    List,
}

/// A value that its declaration does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ValueError {
    #[error("expected {expected}, found {found}")]
    WrongType { expected: String, found: String },
    #[error("{found} is outside {min} to {max}")]
    OutOfRange { found: i64, min: i64, max: i64 },
    #[error("{found:?} is none of {words}")]
    UnknownWord { found: String, words: String },
    #[error("{word:?} is there twice")]
    Repeated { word: String },
}

impl ValueError {
    /// What an author does about it.
    pub fn help(&self) -> String {
        match self {
            Self::WrongType { expected, .. } if expected.starts_with("a whole number") => {
                "write a number, without quotes in scripts".to_owned()
            }
            Self::WrongType { expected, .. } if expected == "yes or no" => {
                "write `yes` or `no` in files, `true` or `false` in scripts".to_owned()
            }
            Self::WrongType { expected, .. } if expected.starts_with("some of ") => {
                "write the words with commas between them, in scripts a list of texts".to_owned()
            }
            Self::WrongType { .. } => "see which type it is declared with".to_owned(),
            Self::OutOfRange { min, max, .. } => format!("keep it between {min} and {max}, or change `min` and `max` where it is declared"),
            Self::UnknownWord { words, .. } => format!("write one of {words}"),
            Self::Repeated { .. } => "name each word once".to_owned(),
        }
    }
}

impl Value {
    /// The value with its type, for messages: the text `0` and the number 0 read the same otherwise.
    fn described(&self) -> String {
        match self {
            Self::Nothing => "nothing, `()`".to_owned(),
            Self::Integer(number) => format!("the number {number}"),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => format!("the text {text:?}"),
            Self::Cell(_) => "a cell".to_owned(),
            Self::Piece(_) => "a piece".to_owned(),
            Self::Seat(_) => "a seat".to_owned(),
            Self::Kind(_) => "a kind".to_owned(),
            Self::List(items) => format!("a list of {}", items.len()),
        }
    }
}

impl ValueType {
    /// Whether a value is allowed.
    ///
    /// # Errors
    /// Says what is wrong with the value.
    pub fn check(&self, value: &Value) -> Result<(), ValueError> {
        match (self, value) {
            (Self::Integer { min, max }, Value::Integer(number)) if number < min || number > max => Err(ValueError::OutOfRange {
                found: *number,
                min: *min,
                max: *max,
            }),
            (Self::Choice { words }, Value::Text(text)) if !words.contains(text) => Err(ValueError::UnknownWord {
                found: text.to_string(),
                words: words.join(", "),
            }),
            (Self::Subset { words }, Value::List(items)) => check_subset(words, items),
            (Self::Integer { .. }, Value::Integer(_))
            | (Self::Flag, Value::Flag(_))
            | (Self::Text | Self::Choice { .. }, Value::Text(_))
            | (Self::Cell, Value::Cell(_) | Value::Nothing)
            | (Self::Piece, Value::Piece(_) | Value::Nothing)
            | (Self::Seat, Value::Seat(_) | Value::Nothing)
            | (Self::Kind, Value::Kind(_) | Value::Nothing)
            | (Self::List, Value::List(_)) => Ok(()),
            _ => Err(ValueError::WrongType {
                expected: self.describe(),
                found: value.described(),
            }),
        }
    }

    /// Reads a value as authors write it in files and on the command line. Ids of cells, pieces, seats and kinds are not
    /// read here: they need names to be looked up.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn parse(&self, text: &str) -> Result<Value, ValueError> {
        let text = text.trim();
        let wrong = || ValueError::WrongType {
            expected: self.describe(),
            found: format!("{text:?}"),
        };
        let value = match self {
            Self::Integer { .. } => Value::Integer(text.parse().map_err(|_| wrong())?),
            Self::Flag => match text {
                "yes" | "true" | "on" | "1" => Value::Flag(true),
                "no" | "false" | "off" | "0" => Value::Flag(false),
                _ => return Err(wrong()),
            },
            Self::Text | Self::Choice { .. } => Value::text(text),
            Self::Subset { .. } => {
                let listed = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
                let listed = listed
                    .split(',')
                    .map(str::trim)
                    .filter(|word| !word.is_empty() && *word != "nothing");
                Value::List(listed.map(Value::text).collect())
            }
            _ if text.is_empty() || text == "nothing" => Value::Nothing,
            _ => return Err(wrong()),
        };
        self.check(&value)?;
        Ok(value)
    }

    /// The type in words, with its range.
    pub fn describe(&self) -> String {
        match self {
            Self::Integer {
                min: i64::MIN,
                max: i64::MAX,
            } => "a whole number".to_owned(),
            Self::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Self::Flag => "yes or no".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Choice { words } => format!("one of {}", words.join(", ")),
            Self::Subset { words } => format!("some of {}", words.join(", ")),
            Self::Cell => "a cell".to_owned(),
            Self::Piece => "a piece".to_owned(),
            Self::Seat => "a seat".to_owned(),
            Self::Kind => "a kind of piece".to_owned(),
            Self::List => "a list".to_owned(),
        }
    }
}

/// Whether a list has known words only, none of them twice.
fn check_subset(words: &[Arc<str>], items: &[Value]) -> Result<(), ValueError> {
    for (index, item) in items.iter().enumerate() {
        match item {
            Value::Text(text) if !words.contains(text) => {
                return Err(ValueError::UnknownWord {
                    found: text.to_string(),
                    words: words.join(", "),
                });
            }
            Value::Text(text) if items[..index].contains(item) => {
                return Err(ValueError::Repeated { word: text.to_string() });
            }
            Value::Text(_) => {}
            other => {
                return Err(ValueError::WrongType {
                    expected: "a text".to_owned(),
                    found: other.described(),
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_is_read_as_it_is_written_and_has_known_words_once() {
        let subset = ValueType::Subset {
            words: ["Sol", "Venus", "New Terra"].map(Arc::from).to_vec(),
        };
        let read = subset.parse("New Terra, Sol").unwrap();
        assert_eq!(read, Value::List([Value::text("New Terra"), Value::text("Sol")].into()));
        assert_eq!(subset.parse(&read.to_string()).unwrap(), read);
        for nothing in ["", "[]", "nothing"] {
            assert_eq!(subset.parse(nothing).unwrap(), Value::List([].into()));
        }
        let told = |text| subset.parse(text).unwrap_err().to_string();
        assert_eq!(told("Sol, Mars"), "\"Mars\" is none of Sol, Venus, New Terra");
        assert_eq!(told("Sol,Venus,Sol"), "\"Sol\" is there twice");
        let one = subset.check(&Value::text("Sol")).unwrap_err();
        assert_eq!(one.to_string(), "expected some of Sol, Venus, New Terra, found the text \"Sol\"");
        assert!(one.help().contains("commas"));
    }

    #[test]
    fn a_number_outside_its_range_is_refused_with_the_range() {
        let error = ValueType::Integer { min: 1, max: 500 }.parse("501").unwrap_err();
        assert_eq!(error.to_string(), "501 is outside 1 to 500");
    }

    #[test]
    fn flags_are_read_in_every_usual_spelling() {
        for (text, flag) in [("yes", true), ("on", true), ("false", false), (" 0 ", false)] {
            assert_eq!(ValueType::Flag.parse(text).unwrap(), Value::Flag(flag));
        }
        assert!(ValueType::Flag.parse("maybe").is_err());
    }
}
