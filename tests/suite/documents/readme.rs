//! The change of a rule that the front page tells to make, made to the letter.

use std::fs;

use super::console::execute;
use super::page::blocks;
use crate::common::root;
use boardwright_fixtures::copy_folder;

#[test]
fn the_change_of_a_rule_on_the_front_page_leads_to_single_jumps() {
    let folder = tempfile::tempdir().unwrap();
    for content in ["rulesets", "maps", "scripts"] {
        copy_folder(&root().join(content), &folder.path().join(content)).unwrap();
    }
    let page = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, told) = page.split_once("open `").unwrap();
    let (file, told) = told.split_once('`').unwrap();
    let (_, told) = told.split_once("take `").unwrap();
    let (word, told) = told.split_once('`').unwrap();
    assert!(told.trim_start().starts_with("out of this"), "{told:.40}");
    let line = blocks("README.md").into_iter().find(|block| block.is("rhai")).unwrap().text;
    let path = folder.path().join(file);
    let rules = fs::read_to_string(&path).unwrap();
    assert!(rules.contains(line.trim()), "{file} has no line {line}");
    fs::write(&path, rules.replace(line.trim(), &line.trim().replacen(word, "", 1))).unwrap();

    let (printed, code) = execute(["check", "sixteen-soldiers"].into_iter(), "", folder.path());
    assert_eq!(code, Some(0), "{printed}");
    // The worked examples of single jumps hold; those of chains do not.
    let (printed, code) = execute(["test", "sixteen-soldiers", "--json"].into_iter(), "", folder.path());
    assert_eq!(code, Some(1), "{printed}");
    let results: serde_json::Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let is_passed = |name: &str| {
        let all = results[0]["tests"].as_array().unwrap_or_else(|| panic!("{printed}"));
        let result = all.iter().find(|result| result["name"] == name);
        result.unwrap_or_else(|| panic!("{printed}"))["is_passed"].as_bool().unwrap()
    };
    assert!(is_passed("test_a_jump_captures") && is_passed("test_a_jump_in_any_direction"));
    assert!(!is_passed("test_a_chain_of_jumps"));
}
