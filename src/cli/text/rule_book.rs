//! Looking up a rule in the pages of the rule book.

use boardwright_protocol::HelpPage;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page as it is read in a terminal: without marks, addresses and pictures.
pub(super) fn plain(page: &str) -> String {
    let mut text = String::new();
    let mut items: Vec<Option<u64>> = Vec::new();
    let mut pictures = 0_u32;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Image { .. }) => pictures += 1,
            Event::End(TagEnd::Image) => pictures = pictures.saturating_sub(1),
            _ if pictures > 0 => {}
            Event::Start(Tag::List(first)) => items.push(first),
            Event::End(TagEnd::List(_)) => {
                items.pop();
                if items.is_empty() {
                    text.push('\n');
                }
            }
            Event::Start(Tag::Item) => {
                text.push_str(&"  ".repeat(items.len().saturating_sub(1)));
                match items.last_mut() {
                    Some(Some(number)) => {
                        text.push_str(&format!("{number}. "));
                        *number += 1;
                    }
                    _ => text.push_str("- "),
                }
            }
            Event::End(TagEnd::TableCell) => text.push_str("  "),
            Event::Text(words) | Event::Code(words) => text.push_str(&words),
            Event::SoftBreak => text.push(' '),
            Event::End(TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead) | Event::HardBreak if !text.ends_with('\n') => text.push('\n'),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Table | TagEnd::CodeBlock) if items.is_empty() => {
                text.truncate(text.trim_end().len());
                text.push_str("\n\n");
            }
            _ => {}
        }
    }
    text.trim().to_owned()
}

/// The part of the rule book about a rule: under the heading that begins with its number, or the paragraphs that do; a page by
/// its title.
pub(super) fn look_up(pages: &[HelpPage], rule: &str) -> Option<String> {
    let rule = rule.trim();
    let under_heading = pages.iter().find_map(|page| section(&page.text, rule));
    let paragraphs = || {
        let all = pages.iter().flat_map(|page| page.text.split("\n\n"));
        let found: Vec<&str> = all.filter(|paragraph| begins_with(paragraph, rule)).map(str::trim).collect();
        (!found.is_empty()).then(|| found.join("\n\n"))
    };
    let by_title = || {
        let page = pages.iter().find(|page| page.title.to_lowercase().contains(&rule.to_lowercase()))?;
        Some(page.text.trim().to_owned())
    };
    under_heading.or_else(paragraphs).or_else(by_title)
}

/// Whether a text begins with the number of a rule, whatever marks stand before it.
fn begins_with(text: &str, rule: &str) -> bool {
    let text = text.trim_start().trim_start_matches(['#', '*', '-', ' ', '_']);
    text.strip_prefix(rule)
        .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()) && !is_deeper(rest))
}

/// Whether what follows makes it another, deeper number: 4.1 after 4.
fn is_deeper(rest: &str) -> bool {
    rest.strip_prefix('.')
        .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()))
}

fn section(text: &str, rule: &str) -> Option<String> {
    let level = |line: &str| line.chars().take_while(|mark| *mark == '#').count();
    let mut lines = text.lines().skip_while(|line| level(line) == 0 || !begins_with(line, rule));
    let heading = lines.next()?;
    let deep = level(heading);
    let rest = lines.take_while(|line| level(line) == 0 || level(line) > deep);
    let found: Vec<&str> = std::iter::once(heading).chain(rest).collect();
    Some(found.join("\n").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_by_its_number_and_no_other_with_it() {
        let pages = [HelpPage {
            name: String::new(),
            title: "Moving".to_owned(),
            text: "# 2 Moving\n\nOne step.\n\n## 2.1 Steps\n\nAlong a line.\n\n## 2.10 Jumps\n\nOver one.\n\n**3.1** Captures.\n"
                .to_owned(),
        }];
        assert_eq!(look_up(&pages, "2.1").unwrap(), "## 2.1 Steps\n\nAlong a line.");
        assert!(look_up(&pages, "2").unwrap().contains("Over one."));
        assert_eq!(look_up(&pages, "3.1").unwrap(), "**3.1** Captures.");
        assert!(look_up(&pages, "moving").unwrap().starts_with("# 2"));
        assert_eq!(look_up(&pages, "9"), None);
    }

    #[test]
    fn a_page_is_read_without_marks() {
        let page = "## 3 The *end*\n\nThree in a\nrow win, see [rule 2](2-moves.md).\n\n![A card](../art/card.svg)\n\n- one\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let expected = "3 The end\n\nThree in a row win, see rule 2.\n\n- one\n- two\n\na  b  \n1  2";
        assert_eq!(plain(page), expected);
    }
}
