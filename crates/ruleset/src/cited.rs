//! The rules of a book as the comments of its functions say them.

use super::SymbolTable;
use boardwright_model::diagnostic::Location;
use boardwright_model::rule_number;

/// A rule as the comment of a function says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedRule {
    /// Its number: `3.1`.
    pub number: String,
    /// What it says, in a sentence or two.
    pub text: String,
    /// Where the function is that carries it out.
    pub place: Location,
}

impl SymbolTable {
    /// The rules in force whose comments begin with the number of a rule, in the order of the numbers; of the same number, in that
    /// of their places.
    pub fn cited_rules(&self) -> Vec<CitedRule> {
        let cited = self.in_force().filter_map(|function| {
            let text = function.doc.join(" ");
            let (number, text) = text.trim().split_once(char::is_whitespace)?;
            Some(CitedRule {
                number: rule_number(number)?.to_owned(),
                text: text.trim().to_owned(),
                place: function.place.clone(),
            })
        });
        let mut cited: Vec<CitedRule> = cited.collect();
        cited.sort_by_cached_key(|rule| (sort_key(&rule.number), rule.place.file.clone(), rule.place.line));
        cited
    }
}

/// 10 comes after 9, and 2a after 2.
fn sort_key(number: &str) -> Vec<(u32, String)> {
    let part = |part: &str| {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        let (digits, rest) = part.split_at(digits);
        (digits.parse().unwrap_or(u32::MAX), rest.to_owned())
    };
    number.split('.').map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{BodySymbols, FunctionSymbol};
    use super::*;

    fn function(line: u32, doc: &[&str]) -> FunctionSymbol {
        FunctionSymbol {
            name: format!("f{line}"),
            params: Vec::new(),
            doc: doc.iter().map(|line| (*line).to_owned()).collect(),
            place: Location::at("rules.rhai", line, 1),
            last_line: line,
            is_private: false,
            layer: 0,
            is_replaced: false,
            body: BodySymbols::default(),
        }
    }

    #[test]
    fn rules_stand_in_the_order_of_their_numbers() {
        let replaced = FunctionSymbol {
            is_replaced: true,
            ..function(9, &["1 Gone."])
        };
        let outline = SymbolTable {
            functions: vec![
                function(1, &["10 The end."]),
                function(2, &["2.10 Late", "in two lines."]),
                function(3, &["2.9 Before."]),
                function(4, &["A helper of 3."]),
                function(5, &[]),
                function(6, &["2. A chapter."]),
                replaced,
            ],
            ..SymbolTable::default()
        };
        let text: Vec<String> = outline
            .cited_rules()
            .iter()
            .map(|rule| format!("{} {} :{}", rule.number, rule.text, rule.place.line))
            .collect();
        assert_eq!(
            text,
            ["2 A chapter. :6", "2.9 Before. :3", "2.10 Late in two lines. :2", "10 The end. :1"]
        );
    }

    #[test]
    fn a_number_of_a_rule_is_told_from_other_words() {
        assert_eq!(rule_number("4.3."), Some("4.3"));
        assert_eq!(rule_number("2a:"), Some("2a"));
        for word in ["", "two", "a2", "4..3", "-1", "3rd-party"] {
            assert_eq!(rule_number(word), None, "{word}");
        }
    }
}
