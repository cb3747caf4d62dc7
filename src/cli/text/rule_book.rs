//! Looking up a rule in the pages of the rule book.

use boardwright_protocol::HelpPage;

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
}
