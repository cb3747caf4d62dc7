//! The sides of a contest, as players write them.

use super::{ContestDeclaration, Value, ValueError};

/// The values of the parameters of a contest, in the order of their declaration.
pub type Sides = Vec<Value>;

impl ContestDeclaration {
    /// The parameters as they stand when nothing is said about them.
    pub fn default_sides(&self) -> Sides {
        self.parameters.iter().map(|parameter| parameter.default.clone()).collect()
    }

    /// What a round depends on, where the sides stand so: each number no greater than it counts. `None` if that is all of them.
    pub fn counted(&self, sides: &[Value]) -> Option<Sides> {
        let least = |side: &Value, most: &Option<i64>| {
            side.as_integer()
                .zip(*most)
                .filter(|(number, most)| number > most)
                .map(|(_, most)| most)
        };
        let mut limits = sides.iter().zip(&self.counts_up_to);
        limits.any(|(side, most)| least(side, most).is_some()).then(|| {
            let most = self.counts_up_to.iter().copied().chain(std::iter::repeat(None));
            let counted = sides.iter().zip(most);
            counted
                .map(|(side, most)| least(side, &most).map_or_else(|| side.clone(), Value::Integer))
                .collect()
        })
    }

    /// Reads a parameter as it is written: its index, and its value.
    ///
    /// # Errors
    /// If there is no such parameter, with those that there are; or the value is not allowed.
    pub fn read(&self, name: &str, text: &str) -> Result<(usize, Value), SideError> {
        let index = self.parameters.iter().position(|parameter| &*parameter.name == name);
        let found = index.and_then(|index| Some((index, self.parameters.get(index)?)));
        let (index, parameter) = found.ok_or_else(|| {
            let known: Vec<&str> = self.parameters.iter().map(|parameter| &*parameter.name).collect();
            SideError::Unknown(name.to_owned(), known.join(", "))
        })?;
        let value = parameter.value_type.parse(text);
        value
            .map(|value| (index, value))
            .map_err(|error| SideError::Value(name.to_owned(), error))
    }
}

/// A parameter of a contest that cannot be so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum SideError {
    #[error("the contest has no parameter `{0}`; it has {1}")]
    Unknown(String, String),
    #[error("{0}: {1}")]
    Value(String, ValueError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_depends_on_what_counts() {
        let mut contest = ContestDeclaration {
            name: "battle".into(),
            title: "Battle".into(),
            rule: "".into(),
            results: vec!["won".into()],
            parameters: Vec::new(),
            counts_up_to: Vec::new(),
        };
        let sides = [Value::Integer(7), Value::Flag(true), Value::Integer(2), Value::Integer(9)];
        assert_eq!(contest.counted(&sides), None);
        contest.counts_up_to = vec![Some(3), None, Some(2), None];
        let counted = vec![Value::Integer(3), Value::Flag(true), Value::Integer(2), Value::Integer(9)];
        assert_eq!(contest.counted(&sides), Some(counted.clone()));
        assert_eq!(contest.counted(&counted), None);
    }
}
