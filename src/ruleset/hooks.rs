//! The functions of scripts that are called from outside, by their names.

/// A hook, or a family of hooks with the same beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The name, or its beginning followed by `*`: `outcome`, `do_*`.
    pub name: String,
    /// Whether its doc comment has to start with the number of a rule.
    pub cites_rule: bool,
    /// With how many parameters it is called, the form that goes before others first. Empty where that is not known.
    pub parameters: Vec<usize>,
}

/// The hooks that a program may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    hooks: Vec<Hook>,
    constants: Vec<String>,
}

impl Hooks {
    /// Hooks that carry out or judge by rules: their doc comments cite them. A name that ends in `*` stands for all that begin so.
    #[must_use]
    pub fn with_rules<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let hooks = names.into_iter().map(|name| Hook {
            name: name.to_owned(),
            cites_rule: true,
            parameters: Vec::new(),
        });
        self.hooks.extend(hooks);
        self
    }

    /// Hooks that no rule is behind.
    #[must_use]
    pub fn with_plain<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let hooks = names.into_iter().map(|name| Hook {
            name: name.to_owned(),
            cites_rule: false,
            parameters: Vec::new(),
        });
        self.hooks.extend(hooks);
        self
    }

    /// Constants that are read from outside.
    #[must_use]
    pub fn with_constants<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.constants.extend(names.into_iter().map(str::to_owned));
        self
    }

    /// Says with how many parameters hooks are called.
    #[must_use]
    pub fn with_parameters<'a>(mut self, known: impl Fn(&str) -> &'a [usize]) -> Self {
        for hook in &mut self.hooks {
            hook.parameters = known(&hook.name).to_vec();
        }
        self
    }

    /// The hook that a function is.
    pub fn find(&self, function: &str) -> Option<&Hook> {
        self.hooks.iter().find(|hook| match hook.name.strip_suffix('*') {
            Some(start) => function.strip_prefix(start).is_some_and(|rest| !rest.is_empty()),
            None => hook.name == function,
        })
    }

    /// Whether a constant is read from outside.
    pub fn reads(&self, constant: &str) -> bool {
        self.constants.iter().any(|name| name == constant)
    }

    /// The hook a function was probably meant to be.
    pub fn near(&self, function: &str) -> Option<String> {
        let candidates = self.hooks.iter().map(|hook| match hook.name.strip_suffix('*') {
            Some(start) => {
                let own = function.split_inclusive('_').next().unwrap_or(function);
                format!("{start}{}", function.get(own.len()..).unwrap_or_default())
            }
            None => hook.name.clone(),
        });
        nearest(function, candidates.filter(|name| !name.ends_with('_')))
    }
}

/// The name that is nearest to a word, if one is near: two slips of the pen at most, and fewer in short words.
pub fn nearest(word: &str, names: impl IntoIterator<Item = String>) -> Option<String> {
    let most = (word.chars().count() / 3).clamp(1, 2);
    let near = names.into_iter().map(|name| (distance(word, &name, most), name));
    near.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

/// How many letters have to be put in, taken out, changed or swapped with the next to come from one word to another. More than
/// `most` are not counted.
fn distance(from: &str, to: &str, most: usize) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    if from.len().abs_diff(to.len()) > most {
        return most + 1;
    }
    let width = to.len() + 1;
    let mut rows: Vec<Vec<usize>> = vec![(0..width).collect()];
    let cell =
        |rows: &[Vec<usize>], row: usize, column: usize| rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(usize::MAX / 2);
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let changed = cell(&rows, i, j) + usize::from(a != b);
            let taken = cell(&rows, i, j + 1) + 1;
            let put = row.get(j).copied().unwrap_or(usize::MAX / 2) + 1;
            let mut best = changed.min(taken).min(put);
            if i > 0 && j > 0 && from.get(i - 1) == Some(b) && to.get(j - 1) == Some(a) {
                best = best.min(cell(&rows, i - 1, j - 1) + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    cell(&rows, from.len(), to.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hooks() -> Hooks {
        Hooks::default()
            .with_rules(["do_*", "outcome"])
            .with_plain(["look_*"])
            .with_constants(["TITLE"])
    }

    #[test]
    fn a_hook_is_found_by_name_or_beginning() {
        assert!(hooks().find("do_move").is_some_and(|hook| hook.cites_rule));
        assert!(hooks().find("look_cell").is_some_and(|hook| !hook.cites_rule));
        assert!(hooks().find("outcome").is_some());
        for name in ["do_", "undo_move", "outcomes", ""] {
            assert_eq!(hooks().find(name), None, "{name}");
        }
    }

    #[test]
    fn slips_of_the_pen_are_recognised() {
        assert_eq!(hooks().near("outcmoe").as_deref(), Some("outcome"));
        assert_eq!(hooks().near("loook_cell").as_deref(), Some("look_cell"));
        assert_eq!(hooks().near("di_move").as_deref(), Some("do_move"));
        assert_eq!(hooks().near("cells_around"), None);
        assert_eq!(nearest("len", ["lin".into(), "push".into()]).as_deref(), Some("lin"));
        assert_eq!(nearest("x", ["y".into(), "outcome".into()]).as_deref(), Some("y"));
    }
}
