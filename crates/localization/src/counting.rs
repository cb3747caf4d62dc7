//! How languages count: which form of a word stands with which number.

use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use unic_langid::LanguageIdentifier;

/// The forms in which phrases list them.
const ORDER: [PluralCategory; 6] = [
    PluralCategory::ZERO,
    PluralCategory::ONE,
    PluralCategory::TWO,
    PluralCategory::FEW,
    PluralCategory::MANY,
    PluralCategory::OTHER,
];
/// Whole numbers up to here show every form of the languages there are, but for forms of millions.
const SHOWN: u64 = 200;

fn rules_of(language: &str) -> Option<PluralRules> {
    let language: LanguageIdentifier = language.parse().ok()?;
    PluralRules::create(language, PluralRuleType::CARDINAL).ok()
}

/// The forms that whole numbers take, in the order in which phrases list them, each with the first number that takes it.
fn forms(rules: &PluralRules) -> Vec<(PluralCategory, u64)> {
    let first = |form: &PluralCategory| (1..=SHOWN).chain([0]).find(|number| rules.select(*number).as_ref() == Ok(form));
    let forms = ORDER.into_iter().filter_map(|form| first(&form).map(|number| (form, number)));
    forms.collect()
}

/// In how many forms a language counts: 3 in Czech. A language that is not known counts in one.
pub fn counts_in(language: &str) -> usize {
    rules_of(language).map_or(1, |rules| forms(&rules).len())
}

/// A number for each form of a language, in the order in which phrases list the forms: `1, 2, 5` in Czech.
pub fn example_of(language: &str) -> String {
    let numbers = rules_of(language).map_or_else(Vec::new, |rules| forms(&rules));
    let texts: Vec<String> = numbers.iter().map(|(_, number)| number.to_string()).collect();
    texts.join(", ")
}

/// Which form a number takes, from 0.
pub(super) fn form_of(language: &str, number: i64) -> usize {
    let Some(rules) = rules_of(language) else { return 0 };
    let forms = forms(&rules);
    let taken = rules.select(number.unsigned_abs()).ok();
    let other = forms.len().saturating_sub(1);
    forms.iter().position(|(form, _)| Some(form) == taken.as_ref()).unwrap_or(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_count_in_their_own_ways() {
        assert_eq!((counts_in("cs"), counts_in("en"), counts_in("ja"), counts_in("??")), (3, 2, 1, 1));
        assert_eq!(
            (example_of("cs"), example_of("en"), example_of("pl")),
            ("1, 2, 5".into(), "1, 2".into(), "1, 2, 5".into())
        );
        assert_eq!([1, 3, 5, 0, -1, 22].map(|number| form_of("cs", number)), [0, 1, 2, 2, 0, 2]);
    }
}
