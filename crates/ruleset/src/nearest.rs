//! Suggestions for names that are not known.

/// Longer words get no suggestion: the distance takes time in proportion to the product of the lengths.
const LONGEST: usize = 64;

/// The known name that is nearest to a word by edit distance (adjacent swaps count as one), or `None` if none is near: one edit for
/// every three letters, three at most. Case does not count.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let most = (length / 3).clamp(1, 3);
    let distance = |other: &str| strsim::osa_distance(&word.to_lowercase(), &other.to_lowercase());
    known
        .into_iter()
        .filter(|other| other.chars().count().abs_diff(length) <= most)
        .map(|other| (distance(other), other))
        .filter(|&(distance, other)| distance <= most && distance < other.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}

/// `did you mean ..?` with the nearest known name.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|meant| format!("did you mean `{meant}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_if_it_is_near() {
        let known = ["width", "height", "terrain", "id"];
        assert_eq!(nearest("widht", known), Some("width"));
        assert_eq!(nearest("Height", known), Some("height"));
        assert_eq!(nearest("terain", known), Some("terrain"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("idd", known), Some("id"));
        assert_eq!(nearest("len", ["lin", "push"]), Some("lin"));
    }
}
