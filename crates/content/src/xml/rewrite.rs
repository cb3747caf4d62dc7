//! A text changed where it says something else now, and nowhere else: layout, order and comments stay.

use std::ops::Range;

use super::print::{WIDEST_LINE, push_text};
use super::text::escape_attribute;
use super::tree::words_of;
use super::{Element, Tag, lists};
use crate::align::{align, pair_between, pairs_by_key};

/// The text with the changes that lead from one value of its outermost element to another. `order` lists the groups of elements in it as they
/// are printed. `None` if the old value is not what the text says.
pub(crate) fn rewrite(text: &str, root: &Element<'_>, old: &Tag, new: &Tag, order: &[&'static str]) -> Option<String> {
    let mut rewriter = Rewriter {
        text,
        line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
        patches: Vec::new(),
    };
    rewriter.element(root, old, new, order)?;
    Some(rewriter.finish())
}

/// Replaces parts of a text.
struct Rewriter<'a> {
    text: &'a str,
    line_end: &'static str,
    patches: Vec<(Range<usize>, String)>,
}

/// What becomes of the elements of one group.
struct Group<'e, 'a, 't> {
    elements: Vec<&'e Element<'a>>,
    old: Vec<&'t Tag>,
    new: Vec<&'t Tag>,
    /// For each new one the old one in whose place it stands.
    places: Vec<Option<usize>>,
}

impl Rewriter<'_> {
    fn finish(mut self) -> String {
        // Insertions come before what is replaced at the same place.
        self.patches.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = String::with_capacity(self.text.len());
        let mut done = 0;
        for (range, new) in self.patches {
            text.push_str(self.text.get(done..range.start).unwrap_or_default());
            text.push_str(&new);
            done = done.max(range.end);
        }
        text.push_str(self.text.get(done..).unwrap_or_default());
        text
    }

    fn replace(&mut self, range: Range<usize>, new: impl Into<String>) {
        self.patches.push((range, new.into()));
    }

    fn insert(&mut self, at: usize, new: impl Into<String>) {
        self.replace(at..at, new);
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Where the line of a place begins.
    fn line_start(&self, at: usize) -> usize {
        self.slice(0..at).rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// The blanks before a place, if nothing else stands before it in its line.
    fn indent(&self, at: usize) -> Option<&str> {
        let indent = self.slice(self.line_start(at)..at);
        indent.trim().is_empty().then_some(indent)
    }

    /// Where the line of a place ends, before what ends it.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.slice(at..self.text.len());
        let line = rest.split('\n').next().unwrap_or_default();
        at + line.strip_suffix('\r').unwrap_or(line).len()
    }

    fn element(&mut self, element: &Element<'_>, old: &Tag, new: &Tag, order: &[&'static str]) -> Option<()> {
        if old == new {
            return Some(());
        }
        self.attributes(element, old, new);
        if old.text != new.text {
            self.text_in(element, new.text.as_deref().unwrap_or_default());
        }
        if old.words != new.words {
            let (old, new) = (old.words.as_deref(), new.words.as_deref());
            self.words_in(element, old.unwrap_or_default(), new.unwrap_or_default());
        }
        if old.children != new.children {
            self.children(element, old, new, order)?;
        }
        Some(())
    }

    fn attributes(&mut self, element: &Element<'_>, old: &Tag, new: &Tag) {
        let of = |tag: &Tag, name: &str| tag.attributes.iter().find(|(known, ..)| *known == name).cloned();
        let mut behind = element.spot.offset() + 1 + element.name.len();
        for (name, value, is_list) in &new.attributes {
            let written = element.attribute(name);
            let before = of(old, name);
            let is_same = before.as_ref().is_some_and(|(_, before, _)| before == value);
            match written {
                Some(_) if is_same => {}
                Some(written) => {
                    let range = written.value_spot.offset()..written.value_end.offset();
                    let is_patched = *is_list && before.is_some_and(|(_, before, _)| self.list(range.clone(), &before, value));
                    if !is_patched {
                        let quote = self.slice(range.end..range.end + 1).to_owned();
                        self.replace(range, quoted(value, &quote));
                    }
                }
                None => self.insert(behind, format!(" {name}=\"{}\"", escape_attribute(value))),
            }
            behind = written.map_or(behind, |written| written.value_end.offset() + 1);
        }
        for (name, ..) in &old.attributes {
            if of(new, name).is_none()
                && let Some(written) = element.attribute(name)
            {
                let start = self.slice(0..written.spot.offset()).trim_end().len();
                self.replace(start..written.value_end.offset() + 1, "");
            }
        }
    }

    /// Changes a list of names within an attribute; `false` if it has to be written again.
    fn list(&mut self, range: Range<usize>, old: &str, new: &str) -> bool {
        let raw = self.slice(range.clone());
        let quote = self.slice(range.end..range.end + 1).to_owned();
        let there = lists::split_with_offsets(raw);
        let (old_names, names) = (lists::split(old), lists::split(new));
        let separator = lists::separator(new);
        let is_alike = separator == lists::separator(old) && separator.is_some();
        if !is_alike || raw.contains('&') || there.iter().map(|(name, _)| *name).ne(old_names.iter().copied()) {
            return false;
        }
        let separator = separator.unwrap_or_default();
        let spans: Vec<Range<usize>> = there
            .iter()
            .map(|(name, at)| range.start + at..range.start + at + name.len())
            .collect();
        let breaks = raw.rfind('\n').and_then(|newline| {
            let line = raw.get(newline + 1..)?;
            line.get(..line.len() - line.trim_start().len())
        });
        let indent = breaks.map_or_else(
            || {
                let line = self.slice(self.line_start(range.start)..range.start);
                format!("{}    ", line.get(..line.len() - line.trim_start().len()).unwrap_or_default())
            },
            str::to_owned,
        );
        let places = align(&old_names, &names);
        let mut next = 0;
        let mut arrived: Vec<&str> = Vec::new();
        let ends = places.iter().zip(&names).map(|(place, name)| (*place, *name));
        for (place, name) in ends.chain([(Some(spans.len()), "")]) {
            let Some(place) = place else {
                arrived.push(name);
                continue;
            };
            self.run(&spans, next..place, &arrived, (separator, &indent, &quote));
            arrived.clear();
            next = place + 1;
        }
        true
    }

    /// Puts names in the place of some of a list.
    fn run(&mut self, spans: &[Range<usize>], gone: Range<usize>, names: &[&str], (separator, indent, quote): (&str, &str, &str)) {
        let names: Vec<String> = names.iter().map(|name| quoted(name, quote)).collect();
        let before = gone.start.checked_sub(1).and_then(|index| spans.get(index)).map(|span| span.end);
        let after = spans.get(gone.end).map(|span| span.start);
        let first = spans.get(gone.start).filter(|_| !gone.is_empty()).map(|span| span.start);
        let last = gone.end.checked_sub(1).and_then(|index| spans.get(index)).map(|span| span.end);
        match (first.zip(last), before, after) {
            (None, ..) if names.is_empty() => {}
            (Some((first, last)), ..) if !names.is_empty() => {
                self.replace(first..last, names.join(separator));
            }
            // The rest of a line goes with the separator before it, else what goes takes the separator behind it along.
            (Some((_, last)), Some(before), after) if after.is_none_or(|after| self.slice(last..after).contains('\n')) => {
                self.replace(before..last, "");
            }
            (Some((first, last)), _, after) => self.replace(first..after.unwrap_or(last), ""),
            (None, Some(before), _) => {
                let mut width = self.slice(self.line_start(before)..before).chars().count();
                let mut text = String::new();
                for name in names {
                    width += name.chars().count() + separator.len();
                    text.push_str(separator.trim_end());
                    if width > WIDEST_LINE {
                        text.push_str(self.line_end);
                        text.push_str(indent);
                        width = indent.len() + name.chars().count();
                    } else {
                        text.push(' ');
                    }
                    text.push_str(&name);
                }
                self.insert(before, text);
            }
            (None, None, Some(after)) => self.insert(after, names.join(separator) + separator),
            (None, None, None) => {}
        }
    }

    /// Gives an element another text.
    fn text_in(&mut self, element: &Element<'_>, text: &str) {
        let at = element.spot.offset();
        let line = self.slice(self.line_start(at)..at);
        let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default().to_owned();
        let mut content = String::new();
        push_text(&mut content, text, &indent);
        self.content(element, content);
    }

    /// Puts something between the tags of an element.
    fn content(&mut self, element: &Element<'_>, content: String) {
        let (start_end, end) = (element.tags.start_end.offset(), element.tags.end.offset());
        if end < element.tags.end_end.offset() {
            self.replace(start_end..end, content);
        } else {
            let slash = self.slice(0..start_end).trim_end_matches('>').trim_end_matches('/').len();
            self.replace(slash..start_end, format!(">{content}</{}>", element.name));
        }
    }

    /// Changes the words of an element one by one.
    fn words_in(&mut self, element: &Element<'_>, old: &str, new: &str) {
        let (start, end) = (element.tags.start_end.offset(), element.tags.end.offset());
        let raw = self.slice(start..end);
        let (old_words, words): (Vec<&str>, Vec<&str>) = (old.split_whitespace().collect(), new.split_whitespace().collect());
        let there: Vec<(&str, usize)> = words_of(raw).collect();
        if there.iter().map(|(word, _)| *word).ne(old_words.iter().copied()) {
            // References or comments stand between the words.
            self.content(element, quick_xml::escape::escape(new).into_owned());
            return;
        }
        let spans: Vec<Range<usize>> = there.iter().map(|(word, at)| start + at..start + at + word.len()).collect();
        if old_words.len() == words.len() {
            for (index, (word, (old, span))) in words.iter().zip(old_words.iter().zip(&spans)).enumerate() {
                if word != old {
                    let gap = spans.get(index + 1).map(|next| self.slice(span.end..next.start));
                    let (range, padding) = padded(span.clone(), gap, old, word);
                    self.replace(range, quick_xml::escape::escape(*word).into_owned() + &padding);
                }
            }
            return;
        }
        let places = align(&old_words, &words);
        let (mut next, mut arrived) = (0, Vec::new());
        for (place, word) in places.iter().copied().zip(words).chain([(Some(spans.len()), "")]) {
            let Some(place) = place else {
                arrived.push(word);
                continue;
            };
            self.run(&spans, next..place, &arrived, (" ", "", "\""));
            arrived.clear();
            next = place + 1;
        }
    }

    fn children(&mut self, element: &Element<'_>, old: &Tag, new: &Tag, order: &[&'static str]) -> Option<()> {
        let mut names: Vec<&'static str> = order.to_vec();
        for tag in new.children.iter().chain(&old.children) {
            if !names.contains(&tag.group) {
                names.push(tag.group);
            }
        }
        let group_of = |child: &Element<'_>| {
            let tag = old.children.iter().find(|tag| child.name == tag.name)?;
            Some(tag.group)
        };
        // Few names, many children.
        let mut known: Vec<(&str, &'static str)> = Vec::new();
        let mut child_groups = Vec::with_capacity(element.children.len());
        for child in &element.children {
            let group = if let Some((_, group)) = known.iter().find(|(name, _)| *name == child.name) {
                *group
            } else {
                let group = group_of(child)?;
                known.push((&child.name, group));
                group
            };
            child_groups.push(group);
        }
        let mut groups = Vec::with_capacity(names.len());
        for name in &names {
            let of = |tag: &&Tag| tag.group == *name;
            let elements = element.children.iter().zip(&child_groups).filter(|(_, group)| *group == name);
            let mut group = Group {
                elements: elements.map(|(child, _)| child).collect(),
                old: old.children.iter().filter(of).collect(),
                new: new.children.iter().filter(of).collect(),
                places: Vec::new(),
            };
            if group.elements.len() != group.old.len() {
                return None;
            }
            group.places = group.paired();
            groups.push(group);
        }
        let mut behind: Option<(&Element<'_>, bool)> = None;
        let mut first_inside = String::new();
        let mut opens_with = Vec::new();
        for group in &groups {
            let is_kept: Vec<bool> = {
                let mut kept = vec![false; group.old.len()];
                for place in group.places.iter().flatten() {
                    if let Some(slot) = kept.get_mut(*place) {
                        *slot = true;
                    }
                }
                kept
            };
            for (child, is_kept) in group.elements.iter().zip(&is_kept) {
                if !is_kept {
                    let range = self.range_of(child);
                    self.replace(range, "");
                }
            }
            // Before the first of its group stands what stands before it in the text, whatever that is.
            if let Some(first) = group.elements.first() {
                let index = element.children.iter().position(|child| child.spot == first.spot).unwrap_or(0);
                let before = index.checked_sub(1).and_then(|index| element.children.get(index));
                if let Some(before) = before {
                    let kept = !is_removed(before, &groups);
                    behind = Some((before, kept));
                } else {
                    behind = None;
                }
            }
            for (place, tag) in group.places.iter().zip(&group.new) {
                let there = place.and_then(|place| Some((*group.elements.get(place)?, *group.old.get(place)?)));
                match there {
                    Some((child, old)) => {
                        self.element(child, old, tag, &[])?;
                        behind = Some((child, true));
                    }
                    None => match behind {
                        Some((anchor, is_kept)) => self.insert_behind(anchor, is_kept, tag),
                        None => opens_with.push(*tag),
                    },
                }
            }
            if let Some(last) = group.elements.last()
                && !group.elements.is_empty()
                && group
                    .places
                    .iter()
                    .flatten()
                    .next_back()
                    .is_none_or(|place| *place + 1 < group.old.len())
            {
                let is_kept = is_kept.last().copied().unwrap_or(false);
                behind = Some((*last, is_kept));
            }
        }
        if !opens_with.is_empty() {
            let at = element.spot.offset();
            let own = self.indent(at).map(str::to_owned);
            let own = own.unwrap_or_default();
            let indent = element.children.first().and_then(|child| self.indent(child.spot.offset()));
            let indent = indent.map_or_else(|| format!("{own}  "), str::to_owned);
            for tag in opens_with {
                first_inside.push_str(self.line_end);
                first_inside.push_str(&self.lines(tag, &indent));
            }
            let is_empty = self
                .slice(element.tags.start_end.offset()..element.tags.end.offset())
                .trim()
                .is_empty();
            if is_empty && element.children.is_empty() {
                let content = format!("{first_inside}{}{own}", self.line_end);
                self.content(element, content);
            } else {
                // What is said in the line of the start tag stays there.
                let start_end = element.tags.start_end.offset();
                let line_end = self.line_end(start_end);
                let at = if self.is_free(start_end..line_end) { line_end } else { start_end };
                self.insert(at, first_inside);
            }
        }
        Some(())
    }

    /// The lines of an element that is new.
    fn lines(&self, tag: &Tag, indent: &str) -> String {
        let text = tag.print_indented(indent);
        if self.line_end == "\n" {
            text
        } else {
            text.replace('\n', self.line_end)
        }
    }

    /// Whether there is nothing but one comment in a part of a line.
    fn is_free(&self, part: Range<usize>) -> bool {
        let rest = self.slice(part).trim();
        rest.is_empty() || (rest.starts_with("<!--") && rest.find("-->").is_some_and(|at| at + 3 == rest.len()))
    }

    /// What goes with an element: the lines it has to itself, or else the element alone.
    fn range_of(&self, element: &Element<'_>) -> Range<usize> {
        let (start, end) = (element.spot.offset(), element.tags.end_end.offset());
        let line_end = self.line_end(end);
        let is_alone = self.indent(start).is_some() && self.slice(end..line_end).trim().is_empty();
        if !is_alone {
            return start..end;
        }
        let rest = self.slice(line_end..self.text.len());
        let newline = rest.len() - rest.strip_prefix('\r').unwrap_or(rest).strip_prefix('\n').unwrap_or(rest).len();
        self.line_start(start)..line_end + newline
    }

    /// Puts an element behind another, in a line of its own if that has one.
    fn insert_behind(&mut self, anchor: &Element<'_>, is_kept: bool, tag: &Tag) {
        let (start, end) = (anchor.spot.offset(), anchor.tags.end_end.offset());
        let Some(indent) = self.indent(start).map(str::to_owned) else {
            let text = self.lines(tag, "");
            self.insert(end, text);
            return;
        };
        let lines = self.lines(tag, &indent);
        if !is_kept {
            let range = self.range_of(anchor);
            if range.start < start || range.start == self.line_start(start) {
                self.insert(range.start, lines + self.line_end);
                return;
            }
        }
        let line_end = self.line_end(end);
        // A comment behind an element stays with it.
        let at = if self.is_free(end..line_end) { line_end } else { end };
        let line_break = self.line_end;
        self.insert(at, format!("{line_break}{lines}"));
    }
}

/// Whether an element goes.
fn is_removed(element: &Element<'_>, groups: &[Group<'_, '_, '_>]) -> bool {
    let found = groups.iter().find_map(|group| {
        let index = group.elements.iter().position(|other| other.spot == element.spot)?;
        Some(!group.places.contains(&Some(index)))
    });
    found.unwrap_or(false)
}

impl Group<'_, '_, '_> {
    /// For each new element the old one that it is or becomes: first those that stay as they are, then between them those with the same name
    /// and first attribute, then those at the same place.
    fn paired(&self) -> Vec<Option<usize>> {
        let key = |tags: &[&Tag], at: usize| tags.get(at).map(|tag| (tag.name, tag.attributes.first().cloned()));
        let mut places = align(&self.old, &self.new);
        pair_between(&mut places, self.old.len(), |old, new| {
            pairs_by_key((old, new), |at| key(&self.old, at), |at| key(&self.new, at))
        });
        pair_between(&mut places, self.old.len(), |old, new| self.by_place(old, new));
        places
    }

    fn by_place(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        if old.len() != new.len() {
            return Vec::new();
        }
        let pairs = new.clone().zip(old.clone());
        let is_alike = |(new, old): &(usize, usize)| self.new.get(*new).map(|tag| tag.name) == self.old.get(*old).map(|tag| tag.name);
        pairs.filter(is_alike).collect()
    }
}

/// A value as it stands between quotes.
fn quoted(value: &str, quote: &str) -> String {
    let text = escape_attribute(value);
    if quote == "'" {
        text.replace("&quot;", "\"").replace('\'', "&apos;")
    } else {
        text
    }
}

/// The place of a word and the blanks behind another one put there, so that the words behind it stay in their columns where they stood in some.
fn padded(span: Range<usize>, gap: Option<&str>, old: &str, new: &str) -> (Range<usize>, String) {
    let (was, is) = (old.chars().count(), new.chars().count());
    let blanks = gap.filter(|gap| gap.bytes().all(|byte| byte == b' ')).map_or(0, str::len);
    if blanks == 0 || was == is {
        return (span, String::new());
    }
    if is < was {
        return (span, " ".repeat(was - is));
    }
    let taken = (is - was).min(blanks - 1);
    (span.start..span.end + taken, String::new())
}

#[cfg(test)]
mod tests {
    use super::super::{Faults, Source, tree};
    use super::*;

    fn tag(name: &'static str, attributes: &[(&'static str, &str)], children: Vec<Tag>) -> Tag {
        Tag {
            attributes: attributes
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned(), *name == "cells"))
                .collect(),
            children,
            ..Tag::new(name)
        }
    }

    fn changed(text: &str, old: &Tag, new: &Tag) -> String {
        let source = Source::new("x", text);
        let root = tree::parse(&source, &mut Faults::new(&source)).unwrap();
        let written = rewrite(text, &root, old, new, &["cell", "region"]).unwrap();
        let back = rewrite(text, &root, old, old, &["cell", "region"]);
        assert_eq!(back.as_deref(), Some(text));
        written
    }

    #[test]
    fn only_what_changed_is_written() {
        let text = "<m  id='a'><!-- one -->\n\t<cell at = 'b'\n x='1'/> <!-- b -->\n\t<cell at='c'/>\n</m>";
        let cell = |at, x: &[(&'static str, &str)]| tag("cell", &[&[("at", at)], x].concat(), Vec::new());
        let old = tag("m", &[("id", "a")], vec![cell("b", &[("x", "1")]), cell("c", &[])]);
        let new = tag(
            "m",
            &[("id", "it's")],
            vec![cell("b", &[]), cell("bb", &[]), cell("c", &[("x", "2")])],
        );
        assert_eq!(
            changed(text, &old, &new),
            "<m  id='it&apos;s'><!-- one -->\n\t<cell at = 'b'/> <!-- b -->\n\t<cell at=\"bb\"/>\n\t<cell at='c' x=\"2\"/>\n</m>"
        );
        let none = tag("m", &[("id", "a")], vec![cell("d", &[]), cell("e", &[]), cell("f", &[])]);
        assert_eq!(
            changed(text, &old, &none),
            "<m  id='a'><!-- one -->\n\t<cell at=\"d\"/>\n\t<cell at=\"e\"/>\n\t<cell at=\"f\"/>\n\t <!-- b -->\n</m>"
        );
    }

    #[test]
    fn elements_are_put_into_elements_that_had_none() {
        let region = |name| tag("region", &[("name", name)], Vec::new());
        let (old, new) = (tag("m", &[], Vec::new()), tag("m", &[], vec![region("a"), region("b")]));
        let inside = "\n  <region name=\"a\"/>\n  <region name=\"b\"/>\n</m>";
        assert_eq!(changed("<m/>", &old, &new), format!("<m>{inside}"));
        assert_eq!(changed("<m></m>", &old, &new), format!("<m>{inside}"));
        assert_eq!(
            changed("<m><!-- c --></m>", &old, &new),
            "<m>\n  <region name=\"a\"/>\n  <region name=\"b\"/><!-- c --></m>"
        );
    }

    #[test]
    fn names_come_and_go_in_the_lines_of_a_list() {
        let text = "<m>\r\n<region cells='a  b,c\r\n   ,d, e'/></m>";
        let list = |cells| tag("m", &[], vec![tag("region", &[("cells", cells)], Vec::new())]);
        let change = |cells| changed(text, &list("a  b, c, d, e"), &list(cells));
        assert_eq!(change("a  b, c, x, d, e"), text.replace("b,c", "b,c, x"));
        assert_eq!(change("c, d, e"), text.replace("a  b,", ""));
        assert_eq!(change("a  b, d, e"), text.replace("b,c\r\n   ,d", "b\r\n   ,d"));
        assert_eq!(change("a  b, c, x, e, y, z"), text.replace(",d, e", ",x, e, y, z"));
        assert_eq!(change("v"), text.replace("a  b,c\r\n   ,d, e", "v"));
    }
}
