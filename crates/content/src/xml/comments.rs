//! Comments of a document that is written again: each stays in front of the element it stood in front of.

use std::fmt::Write as _;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// An element of a text, in the order in which elements begin.
struct Begun {
    /// Where it begins.
    at: usize,
    name: String,
    attributes: Vec<(String, String)>,
    /// The comments in front of it.
    comments: Vec<String>,
}

/// The elements of a text with the comments in front of them, and the comments behind all elements.
#[derive(Default)]
struct Outline {
    begun: Vec<Begun>,
    last: Vec<String>,
    /// Where the outermost element ends.
    end: usize,
}

/// The new text of a document with the comments of the old one, each in front of the element that says the same as the one it stood in
/// front of, or has the same name and the same place among those of its name. What stood in front of nothing that is left, and at the end of
/// an element, comes at the end.
pub fn keep_comments(old: &str, new: &str) -> String {
    let (old, new_outline) = (outline(old), outline(new));
    if old.last.is_empty() && old.begun.iter().all(|begun| begun.comments.is_empty()) {
        return new.to_owned();
    }
    let mut taken = vec![false; new_outline.begun.len()];
    let mut insertions: Vec<(usize, Vec<String>)> = Vec::new();
    let mut homeless = Vec::new();
    for (index, begun) in old.begun.iter().enumerate() {
        let found = find(&old.begun, index, &new_outline.begun, &taken);
        if let Some(taken) = found.and_then(|found| taken.get_mut(found)) {
            *taken = true;
        }
        match found.and_then(|found| new_outline.begun.get(found)) {
            _ if begun.comments.is_empty() => {}
            Some(found) => insertions.push((found.at, begun.comments.clone())),
            None => homeless.extend(begun.comments.iter().cloned()),
        }
    }
    homeless.extend(old.last);
    if !homeless.is_empty() {
        insertions.push((new_outline.end, homeless));
    }
    insertions.sort_by_key(|insertion| insertion.0);
    woven(new, insertions)
}

/// The element of the new text that stands for one of the old.
fn find(old: &[Begun], index: usize, new: &[Begun], taken: &[bool]) -> Option<usize> {
    let wanted = old.get(index)?;
    let named = |(_, begun): &(usize, &Begun)| begun.name == wanted.name;
    let is_free = |(at, _): &(usize, &Begun)| !taken.get(*at).copied().unwrap_or(true);
    let same = new.iter().enumerate().filter(named).filter(is_free);
    let mut sorted = wanted.attributes.clone();
    sorted.sort();
    let says_the_same = |(_, begun): &(usize, &Begun)| {
        let mut attributes = begun.attributes.clone();
        attributes.sort();
        attributes == sorted
    };
    let first = wanted.attributes.first();
    let begins_alike = |(_, begun): &(usize, &Begun)| begun.attributes.first() == first;
    let place = old.iter().take(index).filter(|begun| begun.name == wanted.name).count();
    let at_place = new.iter().enumerate().filter(named).nth(place).filter(is_free);
    let found = same
        .clone()
        .find(says_the_same)
        .or_else(|| same.clone().find(begins_alike))
        .or(at_place);
    found.map(|(at, _)| at)
}

/// A text with comments at some places, in lines of their own.
fn woven(text: &str, insertions: Vec<(usize, Vec<String>)>) -> String {
    let mut woven = String::with_capacity(text.len());
    let mut done = 0;
    for (at, comments) in insertions {
        let line = text
            .get(..at)
            .and_then(|before| before.rfind('\n'))
            .map_or(0, |newline| newline + 1);
        let indent = text.get(line..at).filter(|indent| indent.trim().is_empty()).unwrap_or_default();
        woven.push_str(text.get(done..at).unwrap_or_default());
        for comment in comments {
            let _ = write!(woven, "<!--{comment}-->\n{indent}");
        }
        done = at;
    }
    woven.push_str(text.get(done..).unwrap_or_default());
    woven
}

fn outline(text: &str) -> Outline {
    let mut reader = Reader::from_str(text);
    let mut outline = Outline::default();
    let mut waiting = Vec::new();
    loop {
        let at = reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::Comment(comment)) => waiting.push((*comment).to_owned()),
            Ok(Event::Start(start)) => outline.begun.push(begun(at, &start, &mut waiting)),
            Ok(Event::Empty(start)) => {
                outline.begun.push(begun(at, &start, &mut waiting));
                outline.end = at;
            }
            Ok(Event::End(_)) => {
                outline.last.append(&mut waiting);
                outline.end = at;
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    outline.last.append(&mut waiting);
    outline
}

fn begun(at: usize, start: &BytesStart<'_>, comments: &mut Vec<String>) -> Begun {
    let attributes = start.attributes().flatten();
    Begun {
        at,
        name: start.name().as_ref().to_owned(),
        attributes: attributes
            .map(|attribute| (attribute.key.as_ref().to_owned(), attribute.value.into_owned()))
            .collect(),
        comments: std::mem::take(comments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_in_front_of_what_they_were_written_about() {
        let old = "<!-- The board. -->\n<map>\n  <!-- in the middle\n       of it -->\n  <cell x='1' name='b'/>\n\n  <!-- a corner --><cell name='a'/>\n</map>\n";
        let new = "<map>\n  <cell name=\"a\"/>\n  <cell name=\"b\" x=\"1\"/>\n</map>\n";
        let expected = "<!-- The board. -->\n<map>\n  <!-- a corner -->\n  <cell name=\"a\"/>\n  <!-- in the middle\n       of it -->\n  <cell name=\"b\" x=\"1\"/>\n</map>\n";
        assert_eq!(keep_comments(old, new), expected);
        assert_eq!(keep_comments(expected, new), expected, "and stay there");
        assert_eq!(keep_comments(new, new), new);
    }

    #[test]
    fn what_was_changed_is_found_by_its_first_attribute_or_its_place() {
        let old = "<m><!-- one --><c name='a' x='1'/><!-- two --><line cells='a b'/></m>";
        let new = "<m>\n  <c name=\"z\"/>\n  <c name=\"a\" x=\"7\"/>\n  <line cells=\"a c\"/>\n</m>";
        let kept = keep_comments(old, new);
        assert!(
            kept.contains("<!-- one -->\n  <c name=\"a\" x=\"7\"/>") && kept.contains("<!-- two -->\n  <line"),
            "{kept}"
        );
    }

    #[test]
    fn no_comment_is_lost() {
        let old = "<m><!-- gone --><c name='a'/><d><!-- inside --></d><!-- last --></m><!-- behind -->";
        let kept = keep_comments(old, "<m>\n  <d/>\n</m>\n");
        for comment in ["gone", "inside", "last", "behind"] {
            assert!(kept.contains(&format!("<!-- {comment} -->")), "{comment}: {kept}");
        }
        assert!(kept.ends_with("</m>\n"), "{kept}");
    }
}
