//! What the modules of words say about themselves.

use rhai::{Engine, FuncMetadata, Module};

/// Words that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// What they are about.
    pub title: String,
    /// The chapter that goes before its words on the page, if it has one.
    pub(super) chapter: Option<&'static str>,
    /// The words, in the order of their names.
    pub words: Vec<Word>,
}

/// A word of scripts: a property, a function, an operator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// The name; `[]` for properties that rules declare.
    pub name: String,
    /// How it is written, and what it gives: `view.cell(name: text) -> Cell`.
    pub signature: String,
    /// The same as a definition for editors of text. Without meaning for declared properties, which they cannot know.
    pub definition: String,
    /// What it does, in a sentence or two.
    pub summary: String,
    /// A piece of a script that uses it. Empty for operators and declared properties.
    pub example: String,
    /// Whether it is an operator or stands for properties that rules declare.
    pub is_operator: bool,
}

/// A parameter as the module declares it.
struct Parameter {
    name: String,
    /// The type in Rust.
    rust: String,
    is_receiver: bool,
}

/// The words of modules.
pub(super) fn topics(modules: Vec<(&'static str, Module)>) -> Vec<Topic> {
    let read = |(title, module): (&'static str, Module)| {
        let mut engine = Engine::new_raw();
        engine.register_global_module(module.into());
        let mut words = engine.collect_fn_metadata(None, |info| Some(word(info.metadata)), true);
        words.sort();
        Topic {
            title: title.to_owned(),
            chapter: None,
            words,
        }
    };
    modules.into_iter().map(read).collect()
}

fn word(function: &FuncMetadata) -> Word {
    let parameters: Vec<Parameter> = function.params_info.iter().map(|text| parameter(text)).collect();
    let gives = result(&function.return_type);
    let (summary, example) = comment(&function.comments);
    let raw = function.name.as_str();
    let is_operator = !raw.starts_with(|c: char| c.is_alphabetic() || c == '_') || raw.starts_with("index$");
    let name = raw.strip_prefix("get$").or_else(|| raw.strip_prefix("set$")).unwrap_or(raw);
    let name = if raw.starts_with("index$") { "[]" } else { name };
    Word {
        name: name.to_owned(),
        signature: signature(raw, name, &parameters, gives),
        definition: definition(raw, name, &parameters, gives),
        summary,
        example,
        is_operator,
    }
}

fn parameter(text: &str) -> Parameter {
    let (name, rust) = text.split_once(':').unwrap_or((text, "Dynamic"));
    let (name, rust) = (name.trim(), rust.trim());
    let plain = rust.strip_prefix("&mut ").unwrap_or(rust).trim();
    Parameter {
        name: name.strip_prefix("mut ").unwrap_or(name).trim_start_matches('_').to_owned(),
        rust: plain.rsplit("::").next().unwrap_or(plain).to_owned(),
        is_receiver: name.starts_with("mut ") || rust.starts_with("&mut "),
    }
}

/// The type of a result, without what says that the function may fail.
fn result(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("Answer<").and_then(|inner| inner.strip_suffix('>'));
    let text = inner.unwrap_or(text).trim();
    text.rsplit("::").next().unwrap_or(text)
}

/// A type as people read it.
fn for_people(rust: &str) -> &str {
    match rust {
        "&str" | "ImmutableString" | "String" => "text",
        "INT" | "i64" => "number",
        "Dynamic" => "value",
        "Array" => "list",
        "Map" => "map",
        other => script_type(other),
    }
}

/// A type as editors of text read it.
fn for_editors(rust: &str) -> &str {
    match rust {
        "&str" | "ImmutableString" | "String" => "String",
        "INT" | "i64" => "int",
        "Dynamic" => "?",
        other => script_type(other),
    }
}

/// The name that scripts know a type by.
fn script_type(rust: &str) -> &str {
    match rust {
        "MotionPattern" => "Motion",
        "TestCase" => "Test",
        "ScriptAction" => "Action",
        "Expectation" => "Odds",
        other => other,
    }
}

fn signature(raw: &str, name: &str, parameters: &[Parameter], gives: &str) -> String {
    let gives = match gives {
        "()" | "" => String::new(),
        gives => format!(" -> {}", for_people(gives)),
    };
    let receiver = parameters.first().map_or("_", |parameter| &parameter.name);
    if raw.starts_with("index$get$") {
        return format!("{receiver}.NAME{gives}");
    }
    if raw.starts_with("index$set$") {
        return format!("{receiver}.NAME = value");
    }
    if raw.starts_with("get$") {
        return format!("{receiver}.{name}{gives}");
    }
    if !name.starts_with(|c: char| c.is_alphabetic()) {
        return format!("{}{gives}", operands(parameters, for_people).join(&format!(" {name} ")));
    }
    let is_method = parameters.first().is_some_and(|parameter| parameter.is_receiver);
    let shown: Vec<String> = parameters
        .iter()
        .skip(usize::from(is_method))
        .map(|parameter| format!("{}: {}", parameter.name, for_people(&parameter.rust)))
        .collect();
    let front = if is_method { format!("{receiver}.") } else { String::new() };
    format!("{front}{name}({}){gives}", shown.join(", "))
}

fn definition(raw: &str, name: &str, parameters: &[Parameter], gives: &str) -> String {
    let gives = if gives.is_empty() { "()" } else { for_editors(gives) };
    let typed = |parameter: &Parameter| format!("{}: {}", parameter.name, for_editors(&parameter.rust));
    let front = if raw.starts_with("get$") {
        format!("fn get {name}")
    } else if name.starts_with(|c: char| c.is_alphabetic()) {
        format!("fn {name}")
    } else {
        return format!("op {name}({}) -> {gives};", operands(parameters, for_editors).join(", "));
    };
    let parameters: Vec<String> = parameters.iter().map(typed).collect();
    format!("{front}({}) -> {gives};", parameters.join(", "))
}

fn operands(parameters: &[Parameter], word: fn(&str) -> &str) -> Vec<&str> {
    parameters.iter().map(|parameter| word(&parameter.rust)).collect()
}

/// The summary and the example of a doc comment.
fn comment(comments: &[impl AsRef<str>]) -> (String, String) {
    let lines = comments.iter().flat_map(|comment| comment.as_ref().lines());
    let lines = lines.map(|line| {
        let text = line.trim_start().strip_prefix("///").unwrap_or(line);
        text.strip_prefix(' ').unwrap_or(text).trim_end()
    });
    let (mut summary, mut example) = (String::new(), Vec::new());
    let mut is_code = false;
    let mut is_new_paragraph = false;
    for line in lines {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            example.push(line);
        } else if line.is_empty() {
            is_new_paragraph = true;
        } else {
            if !summary.is_empty() {
                // The rows of a table stay lines of their own.
                let between = if is_new_paragraph {
                    "\n\n"
                } else if line.starts_with('|') {
                    "\n"
                } else {
                    " "
                };
                summary.push_str(between);
            }
            summary.push_str(line);
            is_new_paragraph = false;
        }
    }
    (summary, example.join("\n"))
}
