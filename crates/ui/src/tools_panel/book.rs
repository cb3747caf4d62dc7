//! The rule book of a ruleset: its pages, the rules as its scripts say them, and a search through both.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, ComboBox, CornerRadius, FontId, Frame, Label, Layout, Margin, RichText, ScrollArea, Sense, TextEdit, Ui};

use super::Place;
use super::markdown::{Block, plain, read};
use super::page::{Ink, append_marked, block_ui, find};
use crate::board::Art;
use crate::command::AppCommand;
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, bold, size, space, veil};
use boardwright_client::content::BookContent;
use boardwright_model::rule_number;
use boardwright_protocol::{HelpPage, RuleText};

/// The most places that a search lists.
const MOST_HITS: usize = 60;
/// How many letters of a place are shown on each side of what was found.
const AROUND: usize = 48;

#[derive(Clone, Debug)]
struct Page {
    name: String,
    title: String,
    blocks: Vec<Block>,
}

/// Where in the book something is: a page or, behind the last page, the rules of the scripts; and there a block or a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spot {
    page: usize,
    block: usize,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    of: Option<BookContent>,
    pages: Vec<Page>,
    art: Art,
    at: usize,
    search: String,
    /// What is to be brought into sight, and is marked then.
    sought: Option<Spot>,
    shown: Option<Spot>,
}

impl Book {
    /// Sets the content of the book. The page stays open if only the language has changed.
    pub(super) fn take(&mut self, ui: &Ui, content: &BookContent) {
        let key = |content: &BookContent| (content.ruleset.clone(), content.fingerprint);
        let is_same = |known: &BookContent| key(known) == key(content) && known.pages == content.pages;
        if self.of.as_ref().is_some_and(is_same) {
            return;
        }
        if self.of.as_ref().is_none_or(|known| known.ruleset != content.ruleset) {
            self.at = 0;
            self.shown = None;
            self.search.clear();
        }
        let page = |page: &HelpPage| Page {
            name: page.name.clone(),
            title: page.title.clone(),
            blocks: read(&page.text),
        };
        self.pages = content.pages.iter().map(page).collect();
        self.art = Art::new(ui.ctx(), &content.art);
        self.of = Some(content.clone());
        self.at = self.at.min(self.last());
    }

    fn rules(&self) -> &[RuleText] {
        self.of.as_ref().map(|content| content.rules.as_slice()).unwrap_or_default()
    }

    /// The last page: that of the scripts, if they say any rules.
    fn last(&self) -> usize {
        if self.rules().is_empty() {
            self.pages.len().saturating_sub(1)
        } else {
            self.pages.len()
        }
    }

    fn page_title(&self, page: usize) -> String {
        self.pages
            .get(page)
            .map_or_else(|| text!("book-scripts"), |page| page.title.clone())
    }

    /// Opens the book at a rule: where the pages speak of it, or else where the scripts do.
    pub(super) fn open_rule(&mut self, number: &str) {
        self.search.clear();
        let sought = self.find_rule(number);
        if let Some(spot) = sought {
            self.at = spot.page;
        }
        self.sought = sought;
    }

    fn find_rule(&self, number: &str) -> Option<Spot> {
        let speaks = |spans: &[super::markdown::Span]| plain(spans).split_whitespace().next().and_then(rule_number) == Some(number);
        let in_pages = |is_wanted: &dyn Fn(&Block) -> bool| {
            self.pages.iter().enumerate().find_map(|(page, content)| {
                let block = content.blocks.iter().position(is_wanted)?;
                Some(Spot { page, block })
            })
        };
        let heading = in_pages(&|block| matches!(block, Block::Heading(_, spans) if speaks(spans)));
        let paragraph = || in_pages(&|block| matches!(block, Block::Paragraph(spans) | Block::Item(_, _, spans) if speaks(spans)));
        let script = || {
            let block = self.rules().iter().position(|rule| rule.number == number)?;
            Some(Spot {
                page: self.pages.len(),
                block,
            })
        };
        heading.or_else(paragraph).or_else(script)
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) {
        let palette = Palette::of(ui.visuals());
        if self.pages.is_empty() && self.rules().is_empty() {
            ui.label(RichText::new(text!("book-empty")).color(palette.muted));
            return;
        }
        let field = TextEdit::singleline(&mut self.search)
            .hint_text(text!("book-search"))
            .desired_width(f32::INFINITY);
        ui.add(field).accessible_name(text!("book-search"));
        let search = self.search.trim().to_lowercase();
        if search.chars().count() > 1 {
            self.hits_ui(ui, &search);
            return;
        }
        self.pages_ui(ui);
        ui.separator();
        let at = self.at;
        ScrollArea::vertical()
            .id_salt(("page", at))
            .auto_shrink([false, false])
            .show(ui, |ui| {
                if at < self.pages.len() {
                    self.page_ui(ui, commands);
                } else {
                    self.rules_ui(ui, commands);
                }
                ui.add_space(space::XL);
            });
    }

    fn pages_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let last = self.last();
            let previous = IconButton::icon(Icon::Previous, text!("book-previous"));
            if ui.add_enabled(self.at > 0, previous).clicked() {
                self.turn_to(self.at.saturating_sub(1));
            }
            let width = ui.available_width() - 48.0;
            let mut chosen = self.at;
            let combo = ComboBox::from_id_salt("pages")
                .selected_text(self.page_title(self.at))
                .width(width)
                .truncate()
                .show_ui(ui, |ui| {
                    for page in 0..=last {
                        ui.selectable_value(&mut chosen, page, self.page_title(page));
                    }
                });
            combo.response.accessible_name(text!("book-page"));
            if chosen != self.at {
                self.turn_to(chosen);
            }
            let next = IconButton::icon(Icon::Next, text!("book-next"));
            if ui.add_enabled(self.at < last, next).clicked() {
                self.turn_to((self.at + 1).min(last));
            }
        });
    }

    fn turn_to(&mut self, page: usize) {
        self.at = page;
        self.sought = None;
        self.shown = None;
    }

    /// Brings what is sought into sight; says whether it is marked.
    fn reached(&mut self, ui: &Ui, block: usize) -> bool {
        let spot = Spot { page: self.at, block };
        if self.sought == Some(spot) {
            self.sought = None;
            self.shown = Some(spot);
            ui.scroll_to_cursor(Some(Align::TOP));
        }
        self.shown == Some(spot)
    }

    fn page_ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) {
        let Some(page) = self.pages.get(self.at).cloned() else {
            return;
        };
        let palette = Palette::of(ui.visuals());
        let mut clicked = None;
        for (index, block) in page.blocks.iter().enumerate() {
            let is_marked = self.reached(ui, index);
            let ink = Ink {
                art: &self.art,
                search: "",
            };
            if is_marked {
                Frame::NONE
                    .fill(veil(palette.accent, 0.16))
                    .corner_radius(CornerRadius::same(6))
                    .inner_margin(Margin::symmetric(6, 3))
                    .show(ui, |ui| clicked = block_ui(ui, &ink, block).or(clicked.take()));
            } else {
                clicked = block_ui(ui, &ink, block).or(clicked.take());
            }
        }
        if let Some(link) = clicked {
            self.follow(&link, commands);
        }
    }

    /// Follows a link of a page: to another page by its file or its title, to a rule by its number, or out of the program.
    fn follow(&mut self, link: &str, commands: &mut Vec<AppCommand>) {
        if link.starts_with("https://") || link.starts_with("http://") {
            commands.push(AppCommand::Browse(link.to_owned()));
            return;
        }
        let name = link.rsplit('/').next().unwrap_or(link).trim_start_matches('#');
        let bare = name.trim_end_matches(".md").replace('-', " ").to_lowercase();
        let page = self.pages.iter().position(|page| {
            let title = page.title.to_lowercase();
            page.name == name.trim_end_matches(".md") || title == bare || title.replace(' ', "-") == bare
        });
        match page {
            Some(page) => self.turn_to(page),
            None => self.open_rule(name),
        }
    }

    fn rules_ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) {
        let palette = Palette::of(ui.visuals());
        ui.label(crate::theme::title(text!("book-scripts"), size::SCREEN - 4.0));
        ui.label(RichText::new(text!("book-scripts-line")).color(palette.muted));
        ui.add_space(space::S);
        for (index, rule) in self.rules().to_vec().iter().enumerate() {
            let is_marked = self.reached(ui, index);
            let fill = if is_marked { veil(palette.accent, 0.16) } else { palette.surface };
            Frame::NONE
                .fill(fill)
                .corner_radius(CornerRadius::same(6))
                .inner_margin(Margin::symmetric(6, 3))
                .show(ui, |ui| rule_ui(ui, rule, commands));
        }
    }

    /// The places where what is searched for stands.
    fn hits_ui(&mut self, ui: &mut Ui, search: &str) {
        let palette = Palette::of(ui.visuals());
        let hits = self.hits(search);
        let counted = if hits.is_empty() {
            text!("book-no-hits")
        } else {
            text!("book-hits", count = hits.len())
        };
        ui.label(RichText::new(counted).size(size::SMALL).color(palette.muted));
        let mut chosen = None;
        ScrollArea::vertical().id_salt("hits").auto_shrink([false, false]).show(ui, |ui| {
            for (spot, words) in &hits {
                let mut job = LayoutJob::default();
                let title = TextFormat::simple(FontId::new(size::SMALL, bold()), palette.accent);
                job.append(&format!("{}\n", self.page_title(spot.page)), 0.0, title);
                let format = TextFormat::simple(FontId::proportional(size::BODY), palette.text);
                append_marked(&mut job, search, words, &format, palette);
                let hit = ui.add(Label::new(job).wrap().sense(Sense::click()).selectable(false));
                if hit.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                    chosen = Some(*spot);
                }
                ui.separator();
            }
        });
        if let Some(spot) = chosen {
            self.search.clear();
            self.at = spot.page;
            self.sought = Some(spot);
        }
    }

    fn hits(&self, search: &str) -> Vec<(Spot, String)> {
        let pages = self.pages.iter().enumerate().flat_map(|(page, content)| {
            let blocks = content.blocks.iter().enumerate();
            blocks.map(move |(block, content)| (Spot { page, block }, content.words()))
        });
        let rules = self.rules().iter().enumerate().map(|(block, rule)| {
            let spot = Spot {
                page: self.pages.len(),
                block,
            };
            (spot, format!("{} {}", rule.number, rule.text))
        });
        pages
            .chain(rules)
            .filter_map(|(spot, words)| Some((spot, around(&words, find(&words, search)?))))
            .take(MOST_HITS)
            .collect()
    }
}

fn around(text: &str, (start, end): (usize, usize)) -> String {
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let first = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(index, _)| index);
    let last = after.char_indices().nth(AROUND).map_or(after.len(), |(index, _)| index);
    let part = text.get(first..end + last).unwrap_or(text);
    let (left, right) = (if first > 0 { "…" } else { "" }, if last < after.len() { "…" } else { "" });
    format!("{left}{part}{right}")
}

fn rule_ui(ui: &mut Ui, rule: &RuleText, commands: &mut Vec<AppCommand>) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal_top(|ui| {
        let mut job = LayoutJob::default();
        job.append(
            &rule.number,
            0.0,
            TextFormat::simple(FontId::new(size::BODY, bold()), palette.accent),
        );
        ui.allocate_ui_with_layout(egui::vec2(38.0, 18.0), Layout::left_to_right(Align::TOP), |ui| {
            ui.set_min_width(38.0);
            ui.label(job);
        });
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add(Label::new(&rule.text).wrap());
            let name = rule.file.rsplit('/').next().unwrap_or(&rule.file);
            let place = text!("book-script-place", file = name, line = rule.line);
            let button = IconButton::with_text(Icon::Script, place).kind(ButtonKind::Quiet).height(24.0);
            if ui.add(button).on_hover_text(text!("book-to-script")).clicked() {
                commands.push(AppCommand::Edit(Place {
                    file: rule.file.clone(),
                    line: rule.line,
                    column: 1,
                }));
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        let page = |title: &str, text: &str| HelpPage {
            name: String::new(),
            title: title.to_owned(),
            text: text.to_owned(),
        };
        let content = BookContent {
            ruleset: "race".to_owned(),
            pages: vec![
                page("1 Moving", "# 1 Moving\n\n## 1.1 Steps\n\nOne step.\n\n1.2 Two steps at once.\n"),
                page("2 Ending", "# 2 Ending\n\nWho is last has lost.\n"),
            ],
            rules: vec![RuleText {
                number: "3".to_owned(),
                text: "Nobody steps back.".to_owned(),
                file: "rulesets/race/rules.rhai".to_owned(),
                line: 7,
            }],
            ..BookContent::default()
        };
        let mut book = Book::default();
        egui::__run_test_ui(|ui| book.take(ui, &content));
        book
    }

    #[test]
    fn a_rule_is_opened_where_the_book_speaks_of_it_and_else_in_the_scripts() {
        let mut book = book();
        let mut at = |number: &str| {
            book.sought = None;
            book.open_rule(number);
            book.sought.map(|spot| (spot.page, spot.block))
        };
        assert_eq!(at("1.1"), Some((0, 1)));
        assert_eq!(at("1.2"), Some((0, 3)));
        assert_eq!(at("3"), Some((2, 0)));
        assert_eq!(at("9"), None);
    }

    #[test]
    fn a_search_finds_words_in_pages_and_scripts() {
        let hits = book().hits("step");
        let found: Vec<(usize, &str)> = hits.iter().map(|(spot, words)| (spot.page, words.as_str())).collect();
        assert_eq!(
            found,
            [
                (0, "1.1 Steps"),
                (0, "One step."),
                (0, "1.2 Two steps at once."),
                (2, "3 Nobody steps back.")
            ]
        );
    }

    #[test]
    fn a_long_text_is_shown_around_what_was_found() {
        let text = format!("{} needle {}", "a ".repeat(60), "b ".repeat(60));
        let shown = around(&text, find(&text, "needle").unwrap());
        assert!(
            shown.starts_with('…') && shown.ends_with('…') && shown.contains(" needle "),
            "{shown}"
        );
        assert!(shown.chars().count() < 110);
        assert_eq!(around("a needle b", (2, 8)), "a needle b");
    }
}
