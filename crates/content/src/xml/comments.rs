//! Comments of a document that is written again: each stays in front of the element it stood in front of.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// An element of a text.
struct Begun {
    /// Where it begins.
    at: usize,
    name: String,
    /// How many of its name begin before it.
    nth: usize,
    first_attribute: Option<(String, String)>,
    attributes: BTreeMap<String, String>,
    /// The comments in front of it.
    comments: Vec<String>,
}

/// The elements of a text in the order in which they begin, and the comments behind all elements.
#[derive(Default)]
struct Outline {
    begun: VecDeque<Begun>,
    last: Vec<String>,
    /// Where the outermost element ends.
    end: usize,
}

/// The new text of a document with the comments of the old one, each in front of the element that says the same as the one it stood in
/// front of, or has the same name and the same place among those of its name. What stood in front of nothing that is left, and at the end of
/// an element, comes at the end.
pub fn keep_comments(old: &str, new: &str) -> String {
    let (old, Outline { begun: mut free, end, .. }) = (outline(old), outline(new));
    if old.last.is_empty() && old.begun.iter().all(|begun| begun.comments.is_empty()) {
        return new.to_owned();
    }
    let mut insertions: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for begun in old.begun {
        let find = |is_it: fn(&Begun, &Begun) -> bool| free.iter().position(|new| new.name == begun.name && is_it(new, &begun));
        let found = find(|new, old| new.attributes == old.attributes)
            .or_else(|| find(|new, old| new.first_attribute == old.first_attribute))
            .or_else(|| find(|new, old| new.nth == old.nth));
        let at = found.and_then(|found| free.remove(found)).map_or(end, |new| new.at);
        insertions.entry(at).or_default().extend(begun.comments);
    }
    insertions.entry(end).or_default().extend(old.last);
    woven(new, insertions)
}

/// A text with comments at some places, in lines of their own.
fn woven(text: &str, insertions: BTreeMap<usize, Vec<String>>) -> String {
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
    let mut counts = BTreeMap::<String, usize>::new();
    let mut begin = |at, start: &BytesStart<'_>, comments| {
        let name = start.name().as_ref().to_owned();
        let nth = counts.entry(name.clone()).or_default();
        *nth += 1;
        let attributes = start.attributes().flatten();
        let mut attributes = attributes
            .map(|attribute| (attribute.key.as_ref().to_owned(), attribute.value.into_owned()))
            .peekable();
        Begun {
            at,
            name,
            nth: *nth,
            first_attribute: attributes.peek().cloned(),
            attributes: attributes.collect(),
            comments,
        }
    };
    loop {
        let at = reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::Comment(comment)) => waiting.push((*comment).to_owned()),
            Ok(Event::Start(start)) => outline.begun.push_back(begin(at, &start, std::mem::take(&mut waiting))),
            Ok(Event::Empty(start)) => {
                outline.begun.push_back(begin(at, &start, std::mem::take(&mut waiting)));
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
