//! From values to the text of a document: indented, escaped, always in the same order.

use super::text::{escape_attribute, escape_text};

/// Longer lists of names are broken into lines.
const WIDEST_LINE: usize = 120;

/// An element to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    name: &'static str,
    attributes: Vec<(&'static str, String, bool)>,
    children: Vec<Tag>,
    text: Option<String>,
    words: Option<String>,
}

impl Tag {
    /// An element without anything in it.
    pub fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    /// The same with an attribute more.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "numbers and texts are written alike")]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.attributes.push((name, value.to_string(), false));
        self
    }

    /// The same with an attribute more, if there is a value.
    #[must_use]
    pub fn with_some(self, name: &'static str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same with an attribute `yes`, if it is so.
    #[must_use]
    pub fn with_flag(self, name: &'static str, is_so: bool) -> Self {
        if is_so { self.with(name, "yes") } else { self }
    }

    /// The same with a list of names more. Long lists take several lines.
    #[must_use]
    pub fn with_list<T: AsRef<str>>(mut self, name: &'static str, names: &[T]) -> Self {
        self.attributes.push((name, super::lists::join(names), true));
        self
    }

    /// The same with an element in it.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// The same with these elements in it.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// The same with a text in it.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The same with words in it, laid out already: how they are separated does not count.
    #[must_use]
    pub fn raw(mut self, words: impl Into<String>) -> Self {
        self.words = Some(words.into());
        self
    }

    /// The text of a document with this as its outermost element.
    pub fn print(&self) -> String {
        let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        let begin = out.len();
        out.push_str(&indent);
        out.push('<');
        out.push_str(self.name);
        for (name, value, is_list) in &self.attributes {
            let list = if *is_list { super::lists::separator(value) } else { None };
            let used = out.len() - begin + name.len() + 4;
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
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
        if self.children.is_empty() {
            self.end(out);
            return;
        }
        out.push('\n');
        for child in &self.children {
            child.write(out, depth + 1);
        }
        out.push_str(&indent);
        self.end(out);
    }

    fn end(&self, out: &mut String) {
        out.push_str("</");
        out.push_str(self.name);
        out.push_str(">\n");
    }
}

/// A list, its names moved to further lines where a line is full. Blanks between names do not count.
fn push_broken(out: &mut String, value: &str, separator: &str, used: usize, indent: &str) {
    let mut width = used;
    for (index, name) in value.split(separator).enumerate() {
        if index > 0 {
            out.push_str(separator.trim_end());
            if width + name.len() + separator.len() > WIDEST_LINE {
                out.push('\n');
                out.push_str(indent);
                out.push_str("    ");
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
fn push_text(out: &mut String, text: &str, indent: &str) {
    let is_plain =
        |paragraph: &str| !paragraph.is_empty() && !paragraph.starts_with(char::is_whitespace) && !paragraph.ends_with(char::is_whitespace);
    let paragraphs: Vec<_> = text.split("\n\n").collect();
    if paragraphs.len() < 2 || !paragraphs.iter().copied().all(is_plain) {
        out.push_str(&escape_text(text));
        return;
    }
    for (index, paragraph) in paragraphs.into_iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { "\n\n" });
        out.push_str(indent);
        out.push_str("  ");
        out.push_str(&escape_text(paragraph));
    }
    out.push('\n');
    out.push_str(indent);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Faults, Source, tree};
    use super::*;

    fn root(source: &Source) -> tree::Element<'_> {
        let mut faults = Faults::new(source);
        let root = tree::parse(source, &mut faults).root;
        assert!(faults.is_empty(), "{}", faults.finish());
        root.unwrap()
    }

    #[test]
    fn elements_are_indented_and_lists_broken() {
        let names: Vec<_> = (1..40).map(|row| format!("a{row}")).collect();
        let tag = Tag::new("map")
            .with("id", "a<b")
            .child(Tag::new("region").with_list("cells", &names))
            .child(Tag::new("text").text("one\n\ntwo"));
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
                let source = Source::new("x.xml", &Tag::new("a").with("b", &value).child(Tag::new("c").text(&text)).print());
                let root = root(&source);
                prop_assert_eq!(root.get("b"), Some(&*value));
                prop_assert_eq!(root.first("c").map(|child| &*child.text), Some(&*text));
            }
        }
    }
}
