//! The page of the protocol: its examples are messages, every message has one, and its bot plays.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use boardwright::protocol::{Answer, FromHost, Notice, Request};
use serde_json::{Value, json};

/// The examples of the page: each line of its blocks marked `json`.
fn examples() -> Vec<String> {
    let page = std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/protocol.md")).unwrap();
    let mut examples = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        match line.trim() {
            "```json" => is_inside = true,
            "```" => is_inside = false,
            line if is_inside && !line.is_empty() => examples.push(line.to_owned()),
            _ => {}
        }
    }
    examples
}

/// A value without the fields that say no more than leaving them out.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let is_said = |value: &Value| !value.is_null() && *value != json!([]) && *value != json!(false);
            let fields = fields.iter().map(|(name, value)| (name.clone(), plain(value)));
            Value::Object(fields.filter(|(_, value)| is_said(value)).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        other => other.clone(),
    }
}

#[test]
fn every_example_of_the_page_is_a_message_that_reads_back() {
    let examples = examples();
    assert!(examples.len() > 50, "{} examples", examples.len());
    for text in &examples {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let again = if value.get("do").is_some() {
            let request: Request = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            serde_json::to_value(&request).unwrap()
        } else {
            let message: FromHost = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(matches!(message, FromHost::Answer(_)), value.get("reply").is_some(), "{text}");
            serde_json::to_value(&message).unwrap()
        };
        assert_eq!(plain(&again), plain(&value), "{text}");
    }
}

#[test]
fn every_message_has_an_example_on_the_page() {
    let examples: Vec<Value> = examples().iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let shown = |field: &str| -> Vec<String> {
        examples
            .iter()
            .filter_map(|example| example.get(field)?.as_str().map(str::to_owned))
            .collect()
    };
    let (requests, replies, notices) = (shown("do"), shown("reply"), shown("notice"));
    // The names come from what serde says it knows, so that a new message without an example fails here.
    for (known, shown) in [
        (known_names::<Request>(json!({"id": 1, "do": "?"})), requests),
        (known_names::<Answer>(json!({"id": 1, "reply": "?"})), replies),
        (known_names::<Notice>(json!({"notice": "?"})), notices),
    ] {
        assert!(known.len() > 8, "{known:?}");
        for name in known {
            assert!(shown.contains(&name), "{name} has no example");
        }
    }
}

/// The names that a field may have, as the error about a wrong one lists them.
fn known_names<T: serde::de::DeserializeOwned>(wrong: Value) -> Vec<String> {
    let error = serde_json::from_value::<T>(wrong).err().unwrap().to_string();
    let names = error.split_once("expected one of ").unwrap_or_else(|| panic!("{error}")).1;
    names.split(", ").map(|name| name.trim_matches('`').to_owned()).collect()
}

#[test]
fn the_bot_of_the_page_plays_against_a_computer_to_the_end() {
    let page = std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/protocol.md")).unwrap();
    let bot = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let programs = PathBuf::from(env!("CARGO_BIN_EXE_boardwright"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new("python3")
        .args(["-c", bot])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_DATA_HOME", crate::command_line::data_home())
        .env("PATH", format!("{}:{path}", programs.parent().unwrap().display()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_mins(1) {
            child.kill().unwrap();
            panic!("the bot does not come to an end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("places: ["), "{said}");
}
