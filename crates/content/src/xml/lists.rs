//! Lists of names in one attribute.
//!
//! Blanks separate names. Where names have blanks in them, commas separate them, and where they have commas too, semicolons:
//! `a1 b2`, `Gaul, Western Europe`, and for a single such name `Western Europe,`.

const SEPARATORS: [char; 2] = [';', ','];

/// The names of a list, with the bytes before each.
pub(super) fn split_with_offsets(text: &str) -> Vec<(&str, usize)> {
    let Some(separator) = SEPARATORS.into_iter().find(|&separator| text.contains(separator)) else {
        return super::tree::words_of(text).collect();
    };
    text.split(separator)
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(|name| (name, name.as_ptr().addr() - text.as_ptr().addr()))
        .collect()
}

/// The names of a list.
pub fn split(text: &str) -> Vec<&str> {
    split_with_offsets(text).into_iter().map(|(name, _)| name).collect()
}

/// The list of these names, separated so that [`split`] gives them back. Only a name with a semicolon, or with blanks at its
/// ends, cannot be written.
pub fn join<T: AsRef<str>>(names: &[T]) -> String {
    let has = |letters: &[char]| names.iter().any(|name| name.as_ref().contains(letters));
    let separator = if has(&[',']) {
        ";"
    } else if names.iter().any(|name| name.as_ref().contains(char::is_whitespace)) {
        ","
    } else {
        ""
    };
    let text = names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(&format!("{separator} "));
    if names.len() == 1 { text + separator } else { text }
}

/// What stands between the names of a list made by [`join`], if it has several. The blanks of a single name separate nothing.
pub(super) fn separator(list: &str) -> Option<&'static str> {
    let separator = match SEPARATORS.into_iter().find(|&separator| list.contains(separator)) {
        Some(';') => "; ",
        Some(_) => ", ",
        None => " ",
    };
    list.contains(separator).then_some(separator)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_with_blanks_are_separated_by_commas() {
        assert_eq!(split(" a1  b2\n c3 "), ["a1", "b2", "c3"]);
        assert_eq!(split("Gaul, Western Europe,"), ["Gaul", "Western Europe"]);
        assert_eq!(split("Gaul, North; Gaul, South"), ["Gaul, North", "Gaul, South"]);
        assert_eq!(join(&["Western Europe"]), "Western Europe,");
        assert_eq!(split_with_offsets("a,  b c"), [("a", 0), ("b c", 4)]);
        assert!(split(" , ").is_empty());
    }

    #[test]
    fn only_what_stands_between_names_is_a_separator() {
        assert_eq!(separator("a1 b2"), Some(" "));
        assert_eq!(separator("Gaul, Western Europe"), Some(", "));
        assert_eq!(separator("Gaul, North; Gaul, South"), Some("; "));
        assert_eq!(separator("Gaul, North;"), None);
        assert_eq!(separator("Western Europe,"), None);
        assert_eq!(separator("a1"), None);
    }

    proptest! {
        #[test]
        fn lists_read_back(names in prop::collection::vec("[a-z,é]([a-z ,]{0,6}[a-z,])?", 0..6)) {
            let names: Vec<_> = names.iter().map(|name| name.trim()).collect();
            let text = join(&names);
            prop_assert_eq!(split(&text), names);
        }
    }
}
