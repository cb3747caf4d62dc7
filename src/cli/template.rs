//! What commands report, as templates with the values filled in: their wording and layout are in `templates/`.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};

use super::table::{columns, decimals, percent, probability, signed};
use super::{Failure, failed};

/// Fills values into a template. The ending of its name says what it makes: in HTML, texts are escaped.
pub(super) fn render(name: &str, template: &str, values: Value) -> Result<String, Failure> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build().map_err(failed)?);
    environment.add_filter("columns", columns);
    environment.add_filter("decimals", decimals);
    environment.add_filter("percent", percent);
    environment.add_filter("probability", probability);
    environment.add_filter("signed", signed);
    let rendered = environment.render_named_str(name, template, values);
    rendered.map_err(failed)
}
