//! Where two views of the same moment differ.

use std::fmt;

use boardwright_model::{SeatId, State, StateParts};
use serde_json::Value;

/// The longest part of a value that is shown.
const MOST_SHOWN: usize = 80;

/// The first field in which a view that was led on by events differed from the host's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whose view it is; `None` for spectators.
    pub seat: Option<SeatId>,
    /// After how many events.
    pub at: usize,
    /// The field, as states are written: `pieces.3.place.cell`. Empty if all fields are the same and only the digests differ.
    pub field: String,
    /// What stood there; `nothing` if there is no such field.
    pub here: String,
    /// What the host says.
    pub there: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            at, field, here, there, ..
        } = self;
        if field.is_empty() {
            return write!(
                f,
                "after {at} events the digest of the view differs from the host's, and no field does"
            );
        }
        write!(f, "after {at} events `{field}` of the view is {here}, and {there} for the host")
    }
}

impl Difference {
    /// Compares a view with the host's.
    pub(crate) fn find(seat: Option<SeatId>, at: usize, here: &State, there: &StateParts) -> Self {
        let value = |parts: &StateParts| serde_json::to_value(parts).unwrap_or_default();
        let (field, here, there) = first(&value(&here.parts()), &value(there)).unwrap_or_default();
        Self {
            seat,
            at,
            field,
            here,
            there,
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}..", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The path of the first field that differs, with both values.
fn first(here: &Value, there: &Value) -> Option<(String, String, String)> {
    if here == there {
        return None;
    }
    let within = |name: String, here: Option<&Value>, there: Option<&Value>| match (here, there) {
        (Some(here), Some(there)) => {
            let (field, here, there) = first(here, there)?;
            let path = if field.is_empty() { name } else { format!("{name}.{field}") };
            Some((path, here, there))
        }
        (here, there) => Some((name, shown(here), shown(there))),
    };
    match (here, there) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let names = ours.keys().chain(theirs.keys().filter(|name| !ours.contains_key(*name)));
            let mut found = names.filter_map(|name| within(name.clone(), ours.get(name), theirs.get(name)));
            found.next()
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            let mut found =
                (0..ours.len().max(theirs.len())).filter_map(|index| within(index.to_string(), ours.get(index), theirs.get(index)));
            found.next()
        }
        _ => Some((String::new(), shown(Some(here)), shown(Some(there)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_field_that_differs_is_named_with_both_values() {
        let here = json!({"mark": {"round": 1}, "pieces": [{"id": 0, "place": {"cell": 4}}, {"id": 1}]});
        let there = json!({"mark": {"round": 1}, "pieces": [{"id": 0, "place": {"cell": 5}}]});
        let named = |field: &str, here: &str, there: &str| Some((field.to_owned(), here.to_owned(), there.to_owned()));
        assert_eq!(first(&here, &there), named("pieces.0.place.cell", "4", "5"));
        assert_eq!(first(&json!([1]), &json!([1, 2])), named("1", "nothing", "2"));
        assert_eq!(first(&json!({"a": 1}), &json!({})), named("a", "1", "nothing"));
        assert_eq!(first(&here, &here), None);
        let long = "x".repeat(1_000);
        assert!(first(&json!(long), &json!(1)).unwrap().1.len() < 100);
    }
}
