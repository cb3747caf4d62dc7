//! The sides of a contest, as players write them.

use super::{ContestDeclaration, Value, ValueError};

/// The values of the parameters of a contest, in the order of their declaration.
pub type Sides = Vec<Value>;

impl ContestDeclaration {
    /// The parameters as they stand when nothing is said about them.
    pub fn usual_sides(&self) -> Sides {
        self.parameters.iter().map(|parameter| parameter.default.clone()).collect()
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
