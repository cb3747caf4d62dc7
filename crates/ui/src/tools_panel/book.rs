//! The rule book of a ruleset: its pages, the rules as its scripts say them, and a search through both.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, ComboBox, CursorIcon, FontId, Frame, Label, Layout, Margin, ScrollArea, Sense, TextEdit, Ui, vec2};

use super::TextPosition;
use super::markdown::{Block, Shape, Span, plain, read};
use super::page::{append_marked, block_ui, find};
use crate::board::Art;
use crate::command::AppCommand;
use crate::texts::{self, Language, text};
use crate::theme::{ButtonKind, Icon, IconButton, Palette, bold, remark, size, space, strong, title, veil};
use boardwright_client::content::BookContent;
use boardwright_model::rule_number;
use boardwright_protocol::{HelpPage, RuleText};

/// The most places that a search lists.
const MOST_HITS: usize = 60;
/// How many letters of a place are shown on each side of what was found.
const AROUND: usize = 48;

#[derive(Debug)]
struct Page {
    name: String,
    title: String,
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Block(Block),
    /// A rule as a script says it.
    Rule(RuleText),
}

impl Entry {
    /// Its text, to be searched.
    fn words(&self) -> String {
        match self {
            Self::Block(block) => block.words(),
            Self::Rule(rule) => format!("{} {}", rule.number, rule.text),
        }
    }
}

/// Where in the book something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    page: usize,
    entry: usize,
}

#[derive(Debug, Default)]
pub(super) struct Book {
    of: Option<(BookContent, Language)>,
    /// The pages; behind them one with the rules of the scripts, if they say any.
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
        let known = self.of.as_ref();
        let is_same = |(known, language): &(BookContent, Language)| {
            let key = |content: &BookContent| (content.ruleset.clone(), content.fingerprint);
            *language == texts::language() && key(known) == key(content) && known.pages == content.pages
        };
        if known.is_some_and(is_same) {
            return;
        }
        if known.is_none_or(|(known, _)| known.ruleset != content.ruleset) {
            self.at = 0;
            self.shown = None;
            self.search.clear();
        }
        let page = |page: &HelpPage| Page {
            name: page.name.clone(),
            title: page.title.clone(),
            entries: read(&page.text).into_iter().map(Entry::Block).collect(),
        };
        self.pages = content.pages.iter().map(page).collect();
        if !content.rules.is_empty() {
            self.pages.push(Page {
                name: "scripts".to_owned(),
                title: text!("book-scripts"),
                entries: content.rules.iter().cloned().map(Entry::Rule).collect(),
            });
        }
        self.art = Art::new(ui.ctx(), &content.art);
        self.of = Some((content.clone(), texts::language()));
        self.at = self.at.min(self.last());
    }

    fn last(&self) -> usize {
        self.pages.len().saturating_sub(1)
    }

    /// Opens the book at a rule: where the pages speak of it, or else where the scripts do.
    pub(super) fn open_rule(&mut self, number: &str) {
        self.search.clear();
        self.sought = self.find_rule(number);
        if let Some(spot) = self.sought {
            self.at = spot.page;
        }
    }

    fn find_rule(&self, number: &str) -> Option<Spot> {
        let speaks = |spans: &[Span]| plain(spans).split_whitespace().next().and_then(rule_number) == Some(number);
        let find = |is_wanted: &dyn Fn(&Entry) -> bool| {
            self.pages.iter().enumerate().find_map(|(page, content)| {
                let entry = content.entries.iter().position(is_wanted)?;
                Some(Spot { page, entry })
            })
        };
        let heading = find(&|entry| matches!(entry, Entry::Block(Block::Text(Shape::Heading(_), spans)) if speaks(spans)));
        let text = || find(&|entry| matches!(entry, Entry::Block(Block::Text(_, spans)) if speaks(spans)));
        let script = || find(&|entry| matches!(entry, Entry::Rule(rule) if rule.number == number));
        heading.or_else(text).or_else(script)
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) {
        if self.pages.is_empty() {
            ui.weak(text!("book-empty"));
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
        ScrollArea::vertical()
            .id_salt(("page", self.at))
            .auto_shrink([false, false])
            .show(ui, |ui| {
                self.page_ui(ui, commands);
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
                .selected_text(self.pages.get(self.at).map_or("", |page| &page.title))
                .width(width)
                .truncate()
                .show_ui(ui, |ui| {
                    for (index, page) in self.pages.iter().enumerate() {
                        ui.selectable_value(&mut chosen, index, &page.title);
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

    fn page_ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) {
        let Some(page) = self.pages.get(self.at) else {
            return;
        };
        if let Some(Entry::Rule(_)) = page.entries.first() {
            ui.label(title(&page.title, size::SCREEN - 4.0));
            ui.weak(text!("book-scripts-line"));
            ui.add_space(space::S);
        }
        let mark = veil(Palette::of(ui.visuals()).accent, 0.16);
        let frame = Frame::NONE.corner_radius(6).inner_margin(Margin::symmetric(6, 3));
        let mut clicked = None;
        for (index, entry) in page.entries.iter().enumerate() {
            let spot = Some(Spot {
                page: self.at,
                entry: index,
            });
            if self.sought == spot {
                (self.sought, self.shown) = (None, spot);
                ui.scroll_to_cursor(Some(Align::TOP));
            }
            let is_marked = self.shown == spot;
            let frame = if is_marked { frame.fill(mark) } else { frame };
            match entry {
                Entry::Block(block) if is_marked => {
                    frame.show(ui, |ui| clicked = block_ui(ui, &self.art, block).or(clicked.take()));
                }
                Entry::Block(block) => clicked = block_ui(ui, &self.art, block).or(clicked.take()),
                Entry::Rule(rule) => _ = frame.show(ui, |ui| rule_ui(ui, rule, commands)),
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

    /// The places where what is searched for stands.
    fn hits_ui(&mut self, ui: &mut Ui, search: &str) {
        let palette = Palette::of(ui.visuals());
        let hits = self.hits(search);
        let counted = if hits.is_empty() {
            text!("book-no-hits")
        } else {
            text!("book-hits", count = hits.len())
        };
        ui.label(remark(counted));
        let mut chosen = None;
        ScrollArea::vertical().id_salt("hits").auto_shrink([false, false]).show(ui, |ui| {
            for (spot, words) in &hits {
                let mut job = LayoutJob::default();
                let title = self.pages.get(spot.page).map_or("", |page| &page.title);
                let format = TextFormat::simple(FontId::new(size::SMALL, bold()), palette.accent);
                job.append(&format!("{title}\n"), 0.0, format);
                let format = TextFormat::simple(FontId::proportional(size::BODY), palette.text);
                append_marked(&mut job, search, words, &format, palette);
                let hit = ui.add(Label::new(job).wrap().sense(Sense::click()).selectable(false));
                if hit.on_hover_cursor(CursorIcon::PointingHand).clicked() {
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
        let entries = self.pages.iter().enumerate().flat_map(|(page, content)| {
            let entries = content.entries.iter().enumerate();
            entries.map(move |(entry, content)| (Spot { page, entry }, content.words()))
        });
        entries
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
        ui.allocate_ui_with_layout(vec2(38.0, 18.0), Layout::left_to_right(Align::TOP), |ui| {
            ui.set_min_width(38.0);
            ui.label(strong(&rule.number).color(palette.accent));
        });
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add(Label::new(&rule.text).wrap());
            let name = rule.file.rsplit('/').next().unwrap_or(&rule.file);
            let place = text!("book-script-place", file = name, line = rule.line);
            let button = IconButton::with_text(Icon::Script, place).kind(ButtonKind::Quiet).height(24.0);
            if ui.add(button).on_hover_text(text!("book-to-script")).clicked() {
                commands.push(AppCommand::Edit(TextPosition::at_line(&rule.file, rule.line)));
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
            book.sought.map(|spot| (spot.page, spot.entry))
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
