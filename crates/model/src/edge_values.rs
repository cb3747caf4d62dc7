//! The values of edges, of which most boards set few.

use std::collections::BTreeMap;

use super::{EdgeId, PropertyId, Value};

/// What edges have in properties where it differs from the default. Shortest paths ask for it with every step, and mostly of edges that have
/// nothing: that is known without looking it up.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeValues {
    values: BTreeMap<(EdgeId, PropertyId), Value>,
    /// The edges with values, a bit each, as far as the last of them.
    set: Vec<u64>,
}

impl PartialEq for EdgeValues {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl EdgeValues {
    pub(super) fn get(&self, edge: EdgeId, property: PropertyId) -> Option<&Value> {
        let (word, bit) = place(edge);
        let has_values = self.set.get(word).is_some_and(|bits| bits & bit != 0);
        has_values.then(|| self.values.get(&(edge, property)))?
    }

    pub(super) fn insert(&mut self, edge: EdgeId, property: PropertyId, value: Value) {
        mark(&mut self.set, edge);
        self.values.insert((edge, property), value);
    }

    pub(super) fn remove(&mut self, edge: EdgeId, property: PropertyId) -> Option<Value> {
        let removed = self.values.remove(&(edge, property))?;
        let of_edge = (edge, PropertyId::from_index(0))..=(edge, PropertyId(u16::MAX));
        let (word, bit) = place(edge);
        if self.values.range(of_edge).next().is_none()
            && let Some(bits) = self.set.get_mut(word)
        {
            *bits &= !bit;
        }
        Some(removed)
    }

    /// Forgets the values of properties from a place in their list on.
    pub(super) fn truncate_properties(&mut self, known: usize) {
        self.values.retain(|(_, property), _| property.index() < known);
        self.set.clear();
        for (edge, _) in self.values.keys() {
            mark(&mut self.set, *edge);
        }
    }

    /// Where there are values, in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = &(EdgeId, PropertyId)> {
        self.values.keys()
    }
}

fn mark(set: &mut Vec<u64>, edge: EdgeId) {
    let (word, bit) = place(edge);
    if set.len() <= word {
        set.resize(word + 1, 0);
    }
    if let Some(bits) = set.get_mut(word) {
        *bits |= bit;
    }
}

/// The word of an edge, and its bit there.
fn place(edge: EdgeId) -> (usize, u64) {
    (edge.index() / 64, 1 << (edge.index() % 64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_of_a_map(changes in prop::collection::vec((0..200_usize, 0..3_usize, any::<Option<bool>>()), 0..100), known in 0..4_usize) {
            let (mut values, mut expected) = (EdgeValues::default(), BTreeMap::new());
            for (edge, property, value) in changes {
                let (edge, property) = (EdgeId::from_index(edge), PropertyId::from_index(property));
                if let Some(flag) = value {
                    values.insert(edge, property, Value::Flag(flag));
                    expected.insert((edge, property), Value::Flag(flag));
                } else {
                    prop_assert_eq!(values.remove(edge, property), expected.remove(&(edge, property)));
                }
            }
            values.truncate_properties(known);
            expected.retain(|(_, property), _| property.index() < known);
            for edge in (0..300).map(EdgeId::from_index) {
                for property in (0..3).map(PropertyId::from_index) {
                    prop_assert_eq!(values.get(edge, property), expected.get(&(edge, property)));
                }
            }
            prop_assert!(values.keys().eq(expected.keys()));
        }
    }
}
