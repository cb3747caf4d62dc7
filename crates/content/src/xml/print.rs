//! From values to the text of a document: indented, escaped, always in the same order.

use super::text::{escape_attribute, escape_text};

/// Longer lists of names are broken into lines.
pub(super) const WIDEST_LINE: usize = 120;

/// An element to be printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tag {
    pub(crate) name: &'static str,
    /// The first of the names of elements with which it forms one list.
    pub(crate) group: &'static str,
    /// Names and values, and whether each is a list: long ones take several lines.
    pub(crate) attributes: Vec<(&'static str, String, bool)>,
    pub(crate) children: Vec<Tag>,
    pub(crate) text: Option<String>,
    /// Words, laid out already: how they are separated does not count.
    pub(crate) words: Option<String>,
}

impl Tag {
    pub(crate) fn new(name: &'static str) -> Self {
        Self::of_group(name, name)
    }

    pub(crate) fn of_group(name: &'static str, group: &'static str) -> Self {
        Self {
            name,
            group,
            ..Self::default()
        }
    }

    /// Its text in lines that begin with an indent.
    pub(super) fn print_indented(&self, indent: &str) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text.lines().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
    }

    /// The text of a document with this as its outermost element.
    pub(super) fn print(&self) -> String {
        let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        let begin = out.len();
        out.push_str(&format!("{indent}<{}", self.name));
        for (name, value, is_list) in &self.attributes {
            let list = if *is_list { super::lists::separator(value) } else { None };
            let used = out.len() - begin + name.len() + 4;
            out.push_str(&format!(" {name}=\""));
            match list.filter(|_| used + value.len() > WIDEST_LINE) {
                Some(separator) => push_broken(out, value, separator, used, &indent),
                None => out.push_str(&escape_attribute(value)),
            }
            out.push('"');
        }
        if self.children.is_empty() && self.text.is_none() && self.words.is_none() {
            out.push_str("/>\n");
            return;
        }
        out.push('>');
        if let Some(text) = &self.text {
            push_text(out, text, &indent);
        }
        if let Some(words) = &self.words {
            out.push_str(&quick_xml::escape::escape(words.as_str()));
        }
        if !self.children.is_empty() {
            out.push('\n');
            for child in &self.children {
                child.write(out, depth + 1);
            }
            out.push_str(&indent);
        }
        out.push_str(&format!("</{}>\n", self.name));
    }
}

/// A list, its names moved to further lines where a line is full. Blanks between names do not count.
fn push_broken(out: &mut String, value: &str, separator: &str, used: usize, indent: &str) {
    let mut width = used;
    for (index, name) in value.split(separator).enumerate() {
        if index > 0 {
            out.push_str(separator.trim_end());
            if width + name.len() + separator.len() > WIDEST_LINE {
                out.push_str(&format!("\n{indent}    "));
                width = indent.len() + 4;
            } else {
                out.push(' ');
                width += separator.len();
            }
        }
        out.push_str(&escape_attribute(name));
        width += name.len();
    }
}

/// A text: paragraphs, where there are several, in lines of their own.
pub(super) fn push_text(out: &mut String, text: &str, indent: &str) {
    let paragraphs: Vec<&str> = text.split("\n\n").collect();
    if paragraphs.len() < 2
        || paragraphs
            .iter()
            .any(|paragraph| paragraph.is_empty() || paragraph.trim() != *paragraph)
    {
        out.push_str(&escape_text(text));
        return;
    }
    for (index, paragraph) in paragraphs.into_iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "\n\n" };
        out.push_str(&format!("{gap}{indent}  {}", escape_text(paragraph)));
    }
    out.push_str(&format!("\n{indent}"));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Faults, Source, tree};
    use super::*;

    fn root(source: &Source) -> tree::Element<'_> {
        let mut faults = Faults::new(source);
        let root = tree::parse(source, &mut faults);
        assert!(faults.is_empty(), "{}", faults.finish());
        root.unwrap()
    }

    #[test]
    fn elements_are_indented_and_lists_broken() {
        let names: Vec<_> = (1..40).map(|row| format!("a{row}")).collect();
        let (mut tag, mut region, mut text) = (Tag::new("map"), Tag::new("region"), Tag::new("text"));
        region.attributes.push(("cells", super::super::lists::join(&names), true));
        text.text = Some("one\n\ntwo".to_owned());
        tag.attributes.push(("id", "a<b".to_owned(), false));
        tag.children = vec![region, text];
        assert_eq!(
            tag.print(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map id=\"a&lt;b\">\n  <region cells=\"a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 \
             a13 a14 a15 a16 a17 a18 a19 a20 a21 a22 a23 a24 a25 a26 a27 a28\n      a29 a30 a31 a32 a33 a34 a35 a36 a37 a38 a39\"/>\n  \
             <text>\n    one\n\n    two\n  </text>\n</map>\n"
        );
    }

    proptest! {
        #[test]
        fn any_text_reads_back(value in "[ -~\t\n\r äß語]{0,40}", text in "[ -~\t\n\r äß語]{0,40}", paragraphs in prop::collection::vec("[a-z ]{0,5}", 0..4)) {
            for text in [text, paragraphs.join("\n\n")] {
                let (mut tag, mut child) = (Tag::new("a"), Tag::new("c"));
                child.text = Some(text.clone());
                tag.attributes.push(("b", value.clone(), false));
                tag.children.push(child);
                let source = Source::new("x.xml", &tag.print());
                let root = root(&source);
                prop_assert_eq!(root.get("b"), Some(&*value));
                prop_assert_eq!(root.first("c").map(|child| &*child.text), Some(&*text));
            }
        }
    }
}
