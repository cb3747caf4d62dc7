//! Names of matches and players, and which of them differ in case and form only.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};

/// The most characters of a name.
const LONGEST: usize = 40;

/// A text that is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to {LONGEST} characters, all of them visible")]
pub struct NoName;

/// A name in its normal form (NFKC), without white space around it.
///
/// # Errors
/// [`NoName`] if it is empty or too long, or has characters that are not seen, change the direction of writing, or are not characters of a script: with them
/// one name could pass for another.
pub fn checked_name(text: &str) -> Result<String, NoName> {
    // Four bytes a character, and what NFKC composes.
    if text.len() > 16 * LONGEST {
        return Err(NoName);
    }
    let name = ComposingNormalizerBorrowed::new_nfkc().normalize(text.trim());
    let name = name.trim();
    let categories = CodePointMapData::<GeneralCategory>::new();
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let is_visible = |character: char| {
        !ignorable.contains(character)
            && !matches!(
                categories.get(character),
                GeneralCategory::Control
                    | GeneralCategory::Format
                    | GeneralCategory::LineSeparator
                    | GeneralCategory::ParagraphSeparator
                    | GeneralCategory::PrivateUse
                    | GeneralCategory::Surrogate
                    | GeneralCategory::Unassigned
            )
    };
    if name.is_empty() || name.chars().count() > LONGEST || !name.chars().all(is_visible) {
        return Err(NoName);
    }
    Ok(name.to_owned())
}

/// What names have in common that differ in case and form only.
pub fn name_key(name: &str) -> String {
    let form = ComposingNormalizerBorrowed::new_nfkc();
    form.normalize(&form.normalize(name).to_lowercase()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_script_are_names() {
        for name in ["Ada", "Žofie Nová", "Ολυμπία", "أحمد", "小明", "ひろし", "R2-D2", "🦊"] {
            assert_eq!(checked_name(name).as_deref(), Ok(name));
        }
        assert_eq!(checked_name(" Ada\n").as_deref(), Ok("Ada"));
        assert_eq!(checked_name("Zofie\u{30c}").as_deref(), checked_name("Zofie\u{30c}").as_deref());
        assert_eq!(checked_name("ｆｕｌｌ").as_deref(), Ok("full"));
        assert_eq!(checked_name(&"x".repeat(LONGEST)).map(|name| name.len()), Ok(LONGEST));
    }

    #[test]
    fn what_is_not_seen_is_no_name() {
        let long = "x".repeat(LONGEST + 1);
        for text in [
            "",
            "  ",
            "a\nb",
            "a\u{200b}b",
            "\u{202e}adA",
            "\u{3164}",
            "a\u{fe0f}",
            "\u{e000}",
            "a\u{2028}b",
            "\u{e0041}",
            &long,
        ] {
            assert_eq!(checked_name(text), Err(NoName), "{text:?}");
        }
    }

    #[test]
    fn names_that_look_alike_have_one_key() {
        for (one, other) in [("Žofie", "z\u{30c}OFIE"), ("Ada", "ＡＤＡ"), ("ﬁ", "FI")] {
            assert_eq!(name_key(one), name_key(other));
        }
        assert_ne!(name_key("Ada"), name_key("Adam"));
    }
}
