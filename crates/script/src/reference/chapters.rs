//! Chapters of the reference that are kept as text, and the tables in them.

pub(crate) const INTRODUCTION: &str = include_str!("chapters/introduction.md");
/// The hooks of rules, each with what it gives back, and when it is called.
pub(crate) const HOOKS: &str = include_str!("chapters/hooks.md");
/// Every sort of declaration, with a section for each list of `ruleset()`.
pub(crate) const DECLARATIONS: &str = include_str!("chapters/declarations.md");
pub(crate) const TYPES: &str = include_str!("chapters/types.md");
/// What strategies are, and their hooks.
pub(crate) const STRATEGIES: &str = include_str!("chapters/strategies.md");
pub(crate) const TESTS: &str = include_str!("chapters/tests.md");
/// The words of the plain language that the sandbox knows: numbers, texts, lists, maps.
pub(crate) const LANGUAGE: &str = include_str!("chapters/language.md");

/// The sections of a chapter, each with its title.
pub(crate) fn sections(chapter: &str) -> impl Iterator<Item = (&str, &str)> {
    chapter.split("\n### ").skip(1).filter_map(|section| section.split_once('\n'))
}

/// The rows of the tables in a text, cell by cell. The first cell of a row stands in back quotes.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|row| row.split(" | ").map(|cell| cell.replace("\\|", "|")).collect())
}

/// What stands in the back quotes around a cell.
pub(crate) fn quoted(cell: &str) -> String {
    cell.trim_matches('`').to_owned()
}
