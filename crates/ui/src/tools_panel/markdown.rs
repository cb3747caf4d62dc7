//! Pages of a rule book, taken apart: the small part of Markdown that they are written in.

use std::mem::take;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Text(Shape, Vec<Span>),
    Code(String),
    Pictures(Vec<Picture>),
    /// Rows of cells; the first row is the head.
    Table(Vec<Vec<Vec<Span>>>),
    Line,
}

/// What a text is in a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// A heading with its level, from 1.
    Heading(u8),
    #[default]
    Paragraph,
    /// An entry of a list: how deep it stands, from 0, and its number if it has one.
    Item(u8, Option<u64>),
}

/// A run of text of one look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) look: Look,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) is_strong: bool,
    pub(super) is_emphasized: bool,
    pub(super) is_code: bool,
    pub(super) link: Option<String>,
}

/// A picture by the name of its file in the art.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) file: String,
    /// What is on it, for those who do not see it; also its caption.
    pub(super) text: String,
}

/// The text of some spans without their looks.
pub(super) fn plain(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

impl Block {
    /// Its text, to be searched.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Text(_, spans) => plain(spans),
            Self::Code(text) => text.clone(),
            Self::Pictures(pictures) => pictures.iter().map(|picture| picture.text.as_str()).collect::<Vec<_>>().join(" "),
            Self::Table(rows) => {
                let cells = rows.iter().flatten().map(|cell| plain(cell));
                cells.collect::<Vec<_>>().join(" ")
            }
            Self::Line => String::new(),
        }
    }
}

/// Takes a page apart. What is not understood is left out.
pub(super) fn read(text: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        reader.take(event);
    }
    reader.end_block();
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    /// What the spans being read are.
    shape: Shape,
    spans: Vec<Span>,
    pictures: Vec<Picture>,
    look: Look,
    /// The numbers of the lists that are open, none for lists of points.
    lists: Vec<Option<u64>>,
    code: Option<String>,
    in_picture: bool,
    table: Vec<Vec<Vec<Span>>>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, false),
            Event::Code(text) => self.text(&text, true),
            Event::SoftBreak => self.text(" ", false),
            Event::HardBreak => self.text("\n", false),
            Event::Rule => {
                self.end_block();
                self.blocks.push(Block::Line);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.begin(Shape::Heading(level as u8)),
            Tag::List(first) => {
                self.end_block();
                self.lists.push(first);
            }
            Tag::Item => {
                let depth = self.lists.len().saturating_sub(1) as u8;
                let number = self.lists.last_mut().and_then(|next| next.replace((*next)? + 1));
                self.begin(Shape::Item(depth, number));
            }
            Tag::CodeBlock(_) => {
                self.end_block();
                self.code = Some(String::new());
            }
            Tag::Strong => self.look.is_strong = true,
            Tag::Emphasis => self.look.is_emphasized = true,
            Tag::Link { dest_url, .. } => self.look.link = Some(dest_url.into_string()),
            Tag::Image { dest_url, .. } => {
                let file = dest_url.rsplit("art/").next().unwrap_or(&dest_url).to_owned();
                self.pictures.push(Picture { file, text: String::new() });
                self.in_picture = true;
            }
            Tag::Table(_) => self.end_block(),
            Tag::TableHead | Tag::TableRow => self.table.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            // The paragraph inside an item belongs to the item.
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item => self.end_block(),
            TagEnd::List(_) => {
                self.end_block();
                self.lists.pop();
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                self.blocks.push(Block::Code(code.trim_end().to_owned()));
            }
            TagEnd::Strong => self.look.is_strong = false,
            TagEnd::Emphasis => self.look.is_emphasized = false,
            TagEnd::Link => self.look.link = None,
            TagEnd::Image => self.in_picture = false,
            TagEnd::TableCell => {
                if let Some(row) = self.table.last_mut() {
                    row.push(take(&mut self.spans));
                }
            }
            TagEnd::Table => self.blocks.push(Block::Table(take(&mut self.table))),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, is_code: bool) {
        if let Some(code) = &mut self.code {
            code.push_str(text);
        } else if let Some(picture) = self.pictures.last_mut().filter(|_| self.in_picture) {
            picture.text.push_str(text);
        } else {
            let look = Look {
                is_code,
                ..self.look.clone()
            };
            match self.spans.last_mut() {
                Some(last) if last.look == look => last.text.push_str(text),
                _ => self.spans.push(Span {
                    text: text.to_owned(),
                    look,
                }),
            }
        }
    }

    fn begin(&mut self, shape: Shape) {
        self.end_block();
        self.shape = shape;
    }

    fn end_block(&mut self) {
        let (shape, spans, pictures) = (take(&mut self.shape), take(&mut self.spans), take(&mut self.pictures));
        if !plain(&spans).trim().is_empty() {
            self.blocks.push(Block::Text(shape, spans));
        }
        if !pictures.is_empty() {
            self.blocks.push(Block::Pictures(pictures));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_taken_apart_into_its_blocks() {
        let page = "# 2 Moving\n\nA *piece* goes\nalong **a line**, see [3.1](3.md).\n\n- one\n- two\n  1. deep\n\n\
                    ![A step](../art/help-step.svg) ![Two](../art/two.svg)\n\n```\nx = 1\n```\n\n| a | b |\n| - | - |\n| 1 | `2` |\n\n---\n";
        let blocks = read(page);
        let texts: Vec<String> = blocks
            .iter()
            .map(|block| match block {
                Block::Text(Shape::Heading(level), spans) => format!("h{level} {}", plain(spans)),
                Block::Text(Shape::Paragraph, spans) => {
                    format!("p {}", spans.iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join("|"))
                }
                Block::Text(Shape::Item(depth, number), spans) => format!("i{depth} {number:?} {}", plain(spans)),
                Block::Code(text) => format!("c {text}"),
                Block::Pictures(pictures) => {
                    let captions = pictures.iter().map(|picture| format!("{}={}", picture.file, picture.text));
                    format!("v {}", captions.collect::<Vec<_>>().join(", "))
                }
                Block::Table(rows) => format!(
                    "t {}",
                    rows.iter()
                        .map(|row| row.iter().map(|cell| plain(cell)).collect::<Vec<_>>().join("+"))
                        .collect::<Vec<_>>()
                        .join("/")
                ),
                Block::Line => "-".to_owned(),
            })
            .collect();
        assert_eq!(
            texts,
            [
                "h1 2 Moving",
                "p A |piece| goes along |a line|, see |3.1|.",
                "i0 None one",
                "i0 None two",
                "i1 Some(1) deep",
                "v help-step.svg=A step, two.svg=Two",
                "c x = 1",
                "t a+b/1+2",
                "-",
            ]
        );
    }

    #[test]
    fn nothing_that_is_no_page_breaks_the_reader() {
        for text in [
            "",
            "![",
            "# ",
            "|||\n|-|\n",
            "- - - -\n",
            "<script>alert()</script>",
            "[a](b",
            "\u{0}\u{feff}",
        ] {
            read(text);
        }
    }
}
