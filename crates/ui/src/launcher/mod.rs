//! The first screen: what there is to play, and how.

mod card;
mod form;
mod options;
mod recent;
mod saved;

use egui::{CentralPanel, Frame, Label, Margin, Panel, ScrollArea, TextEdit, Ui, Vec2};

use card::CardClick;
pub(crate) use form::Form;
pub use options::option_ui;
pub(crate) use recent::Recents;

use super::command::{AppCommand, button_ui};
use super::panels::{linked_problem_ui, problem_ui};
use super::screen::EditRequest;
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, from_right_ui, heading_ui, remark, size, space, text_width, title};
use super::toolbar::{Place, toolbar_ui, toolbar_width};
use super::tools_panel::{TextPosition, ToolsTab};
use boardwright_client::content::{ContentUpdate, RulesetCard, RulesetIndex, SaveCard};
use boardwright_model::diagnostic::Diagnostic;

/// The least width of a card, and the most.
const CARD_WIDTH: (f32, f32) = (248.0, 330.0);
const FORM_WIDTH: f32 = 380.0;
/// The most of the window that the form takes.
const MOST_OF_WINDOW: f32 = 0.52;
/// The least width of the cards beside the form, and the share of the height that the form takes below them, in points.
const LEAST_CARDS: f32 = 400.0;
const BELOW: f32 = 0.5;
/// How wide the field to search in is, and how much room it needs with the buttons beside it, in points.
const SEARCH: f32 = 160.0;
const BESIDE_QUESTION: f32 = SEARCH + 100.0;
/// From how many rulesets on there is a field to search in.
const MANY: usize = 7;

/// Which screens there are beside the launcher and matches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OtherScreens {
    /// Whether maps and scenarios can be edited.
    pub(crate) has_editor: bool,
    /// Whether matches on servers can be played.
    pub(crate) has_online: bool,
}

/// The state of the first screen.
#[derive(Debug, Default)]
pub(crate) struct Launcher {
    /// What there is to play; none before it was looked through for the first time.
    pub(crate) shelf: Option<RulesetIndex>,
    pub(crate) is_looking: bool,
    pub(crate) is_busy: bool,
    /// The other screens to which it leads.
    pub(crate) screens: OtherScreens,
    /// Why the last match could not be begun.
    pub(crate) problems: Vec<Diagnostic>,
    form: Option<Form>,
    /// The ruleset that is to be chosen as soon as it is there.
    wanted: Option<String>,
    search: String,
}

impl Launcher {
    /// Takes what was seen of the content; what was chosen and filled in stays so if it is still there.
    pub(crate) fn add_content(&mut self, seen: ContentUpdate, recents: &Recents) {
        match seen {
            ContentUpdate::RulesetIndex(mut shelf) => {
                // Cards that were read stay until they are read again, so that nothing flickers.
                for card in &mut shelf.rulesets {
                    if let Some(known) = self.shelf.as_ref().and_then(|shelf| shelf.find(&card.id)) {
                        *card = known.clone();
                    }
                }
                self.shelf = Some(shelf);
            }
            ContentUpdate::Card(card) => {
                if let Some(form) = self.form.as_mut().filter(|form| form.ruleset == card.id) {
                    form.fit(&card);
                }
                if let Some(shelf) = &mut self.shelf {
                    shelf.put(*card);
                }
            }
        }
        let Some(shelf) = &self.shelf else {
            return;
        };
        if let Some(card) = self.wanted.as_ref().and_then(|wanted| shelf.find(wanted))
            && card.is_read
        {
            self.form = Some(Form::of(card));
            self.wanted = None;
        }
        if self.form.as_ref().is_some_and(|form| shelf.find(&form.ruleset).is_none()) {
            self.form = None;
        }
        if self.form.is_none() {
            // Those before it may still be read, and the first of all is to be chosen, not that which was read first.
            let is_offered = |card: &&RulesetCard| card.is_playable() || !card.is_read;
            let last = recents.ruleset().and_then(|id| shelf.find(id)).filter(is_offered);
            let first = last.or_else(|| shelf.rulesets.iter().find(is_offered));
            let first = first.filter(|card| card.is_playable());
            self.form = first.map(|card| Form::again(card, recents.last_of(&card.id)));
        }
    }

    pub(crate) fn chosen(&self) -> Option<&RulesetCard> {
        self.shelf.as_ref()?.find(&self.form.as_ref()?.ruleset)
    }

    /// Chooses a ruleset as soon as it has been looked through.
    pub(crate) fn choose_when_known(&mut self, ruleset: String) {
        self.wanted = Some(ruleset);
    }

    fn choose(&mut self, card: &RulesetCard, recents: &Recents) {
        if self.form.as_ref().is_none_or(|form| form.ruleset != card.id) {
            self.form = Some(Form::again(card, recents.last_of(&card.id)));
        }
        self.problems.clear();
    }

    /// Shows the screen.
    pub(crate) fn ui(&mut self, ui: &mut Ui, saves: &[SaveCard], recents: &Recents, commands: &mut Vec<AppCommand>) {
        let palette = Palette::of(ui.visuals());
        let ground = Frame::NONE.fill(palette.ground);
        Panel::top("launcher head")
            .frame(ground.inner_margin(Margin::symmetric(space::XXL as i8, space::L as i8)))
            .show_separator_line(false)
            .show(ui, |ui| head_ui(ui, self.screens, commands));
        let shelf = self.shelf.take();
        let chosen = self.form.as_ref().map(|form| form.ruleset.clone());
        let card = chosen.and_then(|id| shelf.as_ref()?.find(&id));
        // Its room is kept while nothing is known yet, so that nothing moves when it is.
        let is_reading = shelf.as_ref().is_none_or(|shelf| shelf.rulesets.iter().any(|card| !card.is_read));
        if card.is_some() || is_reading {
            let frame = Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::XL as i8));
            let width = FORM_WIDTH.min(ui.available_width() * MOST_OF_WINDOW);
            // Beside an open tools panel there may not be room for both.
            let is_below = ui.available_width() - width < LEAST_CARDS;
            let panel = if is_below {
                Panel::bottom("launcher form below").exact_size(ui.available_height() * BELOW)
            } else {
                Panel::right("launcher form").exact_size(width)
            };
            panel.resizable(false).frame(frame).show(ui, |ui| {
                let Some(card) = card else { return };
                if is_below {
                    // The way to begin stays in sight; there is no room for more.
                    ui.add(Label::new(title(&card.title, size::TITLE)).truncate());
                    self.start_ui(ui, card, commands);
                    ui.add_space(space::S);
                    let rest = ScrollArea::vertical().id_salt("whole form").auto_shrink([false, false]);
                    rest.show(ui, |ui| {
                        self.players_ui(ui, card);
                        self.form_rest_ui(ui, card, commands);
                    });
                } else {
                    self.form_head_ui(ui, card, commands);
                    ScrollArea::vertical()
                        .id_salt("form")
                        .auto_shrink([false, false])
                        .show(ui, |ui| self.form_rest_ui(ui, card, commands));
                }
            });
        }
        CentralPanel::no_frame()
            .frame(ground.inner_margin(Margin {
                left: space::XXL as i8,
                ..Margin::ZERO
            }))
            .show(ui, |ui| {
                // The scroll bar stands at the edge, not beside the cards.
                let beside_bar = Frame::NONE.inner_margin(Margin {
                    right: space::XXL as i8,
                    ..Margin::ZERO
                });
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    beside_bar.show(ui, |ui| {
                        // One line to go on with what was played; the games come first.
                        if !saved::interrupted_ui(ui, saves, self.is_busy, commands) {
                            saved::continue_ui(ui, saves, shelf.as_ref(), self.is_busy, commands);
                        }
                        match &shelf {
                            Some(shelf) => self.shelf_ui(ui, shelf, recents, commands),
                            None => {
                                ui.horizontal(|ui| {
                                    ui.spinner();
                                    ui.label(text!("launcher-looking"));
                                });
                            }
                        }
                        recent::recents_ui(ui, recents, shelf.as_ref(), self.is_busy, commands);
                        saved::finished_ui(ui, saves, self.is_busy, commands);
                        ui.add_space(space::XXL);
                    });
                });
            });
        self.shelf = shelf;
    }

    fn shelf_ui(&mut self, ui: &mut Ui, shelf: &RulesetIndex, recents: &Recents, commands: &mut Vec<AppCommand>) {
        let question = title(text!("launcher-question"), size::SCREEN);
        let is_wide = ui.available_width() >= text_width(ui, question.clone()) + BESIDE_QUESTION;
        if !is_wide {
            ui.label(question.clone());
        }
        ui.horizontal(|ui| {
            if is_wide {
                ui.label(question);
            }
            from_right_ui(ui, |ui| {
                let again = IconButton::icon(Icon::Again, text!("launcher-look-again"));
                button_ui(ui, again, AppCommand::Refresh, commands);
                if self.is_looking {
                    ui.spinner();
                }
                if shelf.rulesets.len() >= MANY {
                    let field = TextEdit::singleline(&mut self.search)
                        .hint_text(text!("launcher-search"))
                        .desired_width(SEARCH);
                    ui.add(field).accessible_name(text!("launcher-search"));
                }
            });
        });
        ui.add_space(space::S);
        if shelf.rulesets.is_empty() {
            ui.label(text!("launcher-nothing"));
        }
        let search = self.search.trim().to_lowercase();
        let fits = |card: &&RulesetCard| {
            let words = [&card.id, &card.title, &card.line].into_iter().chain(&card.plays_like);
            search.is_empty() || words.into_iter().any(|text| text.to_lowercase().contains(&search))
        };
        let listed: Vec<&RulesetCard> = shelf.rulesets.iter().filter(fits).collect();
        if listed.is_empty() && !shelf.rulesets.is_empty() {
            ui.weak(text!("launcher-none-found"));
        }
        let (least, most) = CARD_WIDTH;
        let room = ui.available_width();
        let across = (((room + space::L) / (least + space::L)).floor() as usize).max(1);
        let width = ((room + space::L) / across as f32 - space::L).min(most).min(room).floor();
        for row in listed.chunks(across) {
            let height = row.iter().map(|card| card::height(ui, card, width)).fold(0.0, f32::max);
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::L;
                for card in row {
                    self.card_ui(ui, card, Vec2::new(width, height), recents, commands);
                }
            });
            ui.add_space(space::S);
        }
        if !shelf.problems.is_empty() {
            ui.add_space(space::L);
            ui.weak(text!("launcher-elsewhere"));
            shelf.problems.iter().for_each(|problem| problem_ui(ui, problem));
        }
    }

    /// Shows a card, with the way to begin at once as the form of its ruleset says, or would say.
    fn card_ui(&mut self, ui: &mut Ui, card: &RulesetCard, size: Vec2, recents: &Recents, commands: &mut Vec<AppCommand>) {
        let form = self.form.as_ref().filter(|form| form.ruleset == card.id);
        let is_chosen = form.is_some();
        let may_begin = card.is_read && card.is_playable() && !self.is_busy;
        let again = || Form::again(card, recents.last_of(&card.id));
        let form = may_begin.then(|| form.cloned().unwrap_or_else(again));
        let players = form.as_ref().map(|form| form.players_text(card));
        match card::card_ui(ui, card, is_chosen, size, players.as_deref()) {
            Some(CardClick::Play) => {
                // Should it fail, the form is where it is told.
                self.choose(card, recents);
                commands.extend(form.map(|form| AppCommand::Begin(form.choice(card))));
            }
            Some(CardClick::Choose) => self.choose(card, recents),
            None => {}
        }
    }

    /// What stays in sight of the form: what is chosen, who plays, and the way to begin.
    fn form_head_ui(&mut self, ui: &mut Ui, card: &RulesetCard, commands: &mut Vec<AppCommand>) {
        ui.label(title(&card.title, size::SCREEN));
        self.players_ui(ui, card);
        ui.add_space(space::XS);
        self.start_ui(ui, card, commands);
        ui.add_space(space::S);
    }

    fn players_ui(&mut self, ui: &mut Ui, card: &RulesetCard) {
        if let Some(form) = self.form.as_mut().filter(|_| card.is_read) {
            form.players_ui(ui, card);
        }
    }

    fn form_rest_ui(&mut self, ui: &mut Ui, card: &RulesetCard, commands: &mut Vec<AppCommand>) {
        ui.label(&card.line);
        if !card.plays_like.is_empty() {
            ui.label(remark(text!("card-plays-like", names = card.plays_like.join(", "))));
        }
        ui.add_space(space::S);
        self.problems_ui(ui, card, commands);
        if !card.is_read {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.weak(text!("card-reading"));
            });
        } else if let Some(form) = &mut self.form {
            form.ui(ui, card);
        }
        if self.screens.has_editor {
            ui.add_space(space::M);
            self.editing_ui(ui, card, commands);
        }
    }

    /// The ways into the editor: what is chosen as a copy, or something new.
    fn editing_ui(&self, ui: &mut Ui, card: &RulesetCard, commands: &mut Vec<AppCommand>) {
        let ruleset = || card.id.clone();
        let scenario = self.form.as_ref().and_then(|form| form.choice(card).scenario);
        heading_ui(ui, Icon::Pencil, &text!("launcher-make"));
        ui.horizontal_wrapped(|ui| {
            let new = [
                (Icon::Map, text!("launcher-new-map"), Some(EditRequest::NewMap(ruleset()))),
                (
                    Icon::Pawn,
                    text!("launcher-new-scenario"),
                    Some(EditRequest::NewScenario(ruleset())),
                ),
                (
                    Icon::Layers,
                    text!("launcher-copy"),
                    scenario.map(|scenario| EditRequest::Copy(ruleset(), scenario)),
                ),
            ];
            for (icon, label, request) in new {
                if let Some(request) = request {
                    button_ui(ui, IconButton::with_text(icon, label), AppCommand::OpenEditor(request), commands);
                }
            }
        });
    }

    fn start_ui(&self, ui: &mut Ui, card: &RulesetCard, commands: &mut Vec<AppCommand>) {
        let Some(form) = &self.form else { return };
        ui.horizontal(|ui| {
            let button = IconButton::with_text(Icon::Play, text!("launcher-start"));
            let button = button.kind(ButtonKind::Primary).height(42.0);
            if ui.add_enabled(card.is_playable() && !self.is_busy, button).clicked() {
                commands.push(AppCommand::Begin(form.choice(card)));
            }
            if self.is_busy {
                ui.spinner();
            }
            let rules = text!("launcher-rule-book");
            if card.has_tutorial {
                let learn = IconButton::with_text(Icon::Hint, text!("launcher-learn")).height(42.0);
                let book = IconButton::icon(Icon::Book, &*rules).height(42.0).width(ui);
                let fits = learn.width(ui) + ui.spacing().item_spacing.x + book <= ui.available_width();
                let learn = if fits {
                    learn
                } else {
                    IconButton::icon(Icon::Hint, text!("launcher-learn"))
                        .kind(ButtonKind::Plain)
                        .height(42.0)
                };
                if ui.add_enabled(card.is_playable() && !self.is_busy, learn).clicked() {
                    commands.push(AppCommand::Learn(card.id.clone()));
                }
            }
            from_right_ui(ui, |ui| {
                // Both do not fit beside each other with their texts.
                let book = if card.has_tutorial {
                    IconButton::icon(Icon::Book, rules)
                } else {
                    IconButton::with_text(Icon::Book, rules).kind(ButtonKind::Quiet)
                };
                button_ui(ui, book.height(42.0), AppCommand::ShowTools(ToolsTab::Book), commands);
            });
        });
    }

    fn problems_ui(&self, ui: &mut Ui, card: &RulesetCard, commands: &mut Vec<AppCommand>) {
        let problems: Vec<&Diagnostic> = self.problems.iter().chain(&card.problems).collect();
        if problems.is_empty() {
            return;
        }
        let heading = if card.is_playable() {
            text!("launcher-suggested")
        } else {
            text!("launcher-unplayable")
        };
        heading_ui(ui, Icon::Warning, &heading);
        for problem in problems {
            if linked_problem_ui(ui, problem) {
                commands.push(AppCommand::Edit(TextPosition::of(problem)));
            }
        }
        ui.add_space(space::S);
    }
}

/// How large the sign in the head is, in points.
const SIGN: f32 = 46.0;

/// The name of the program, and the ways elsewhere. Where the window is narrow, first the line below the name is left out, then the words
/// on the buttons, and at last the name.
fn head_ui(ui: &mut Ui, screens: OtherScreens, commands: &mut Vec<AppCommand>) {
    let gap = ui.spacing().item_spacing.x;
    let (name, line) = (title(text!("app-name"), size::NAME - 8.0), remark(text!("app-line")));
    let name_width = SIGN + space::XS + 2.0 * gap + text_width(ui, name.clone());
    let line_width = SIGN + space::XS + 2.0 * gap + text_width(ui, line.clone());
    let ways = |has_words: bool| {
        let way = |icon, label, hint: String| {
            let button = if has_words { IconButton::with_text } else { IconButton::icon };
            button(icon, label).kind(ButtonKind::Quiet).hint(hint)
        };
        let edit = || way(Icon::Pencil, text!("launcher-edit"), text!("launcher-edit-hint"));
        let online = || way(Icon::Person, text!("launcher-online"), text!("launcher-online-hint"));
        let edit = screens.has_editor.then(|| (edit(), AppCommand::OpenEditor(EditRequest::Anything)));
        let online = screens.has_online.then(|| (online(), AppCommand::ShowOnline));
        edit.into_iter().chain(online).collect::<Vec<_>>()
    };
    let width = |tools: bool, others: bool| {
        let others = ways(others).iter().map(|(button, _)| button.width(ui) + gap).sum::<f32>();
        toolbar_width(ui, tools) + others
    };
    let room = ui.available_width();
    let has_sign = SIGN + gap + width(false, false) <= room;
    let words = [(true, true), (false, true), (false, false)];
    let fitting = |beside: f32| words.into_iter().find(|(tools, others)| beside + width(*tools, *others) <= room);
    let with_line = fitting(name_width.max(line_width)).filter(|(_, others)| *others);
    let with_name = fitting(name_width);
    let (tools_have_words, others_have_words) = with_line.or(with_name).unwrap_or_default();
    ui.horizontal(|ui| {
        // Beside the tools panel there may not even be room for the sign.
        if has_sign {
            let icon = egui::Image::from_bytes("bytes://boardwright.svg", include_bytes!("../../../../art/icon.svg"));
            ui.add(icon.fit_to_exact_size(egui::Vec2::splat(SIGN)).alt_text(text!("app-name")));
            ui.add_space(space::XS);
        }
        if with_name.is_some() {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.label(name);
                if with_line.is_some() {
                    ui.label(line);
                }
            });
        }
        from_right_ui(ui, |ui| {
            toolbar_ui(
                ui,
                Place::Launcher {
                    has_words: tools_have_words,
                },
                commands,
            );
            for (button, command) in ways(others_have_words) {
                button_ui(ui, button, command, commands);
            }
        });
    });
}
