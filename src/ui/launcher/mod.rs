//! The first screen: what there is to play, and how.

mod card;
mod form;
mod options;

use egui::{Align, CentralPanel, Frame, Layout, Margin, Panel, RichText, ScrollArea, Ui};

pub use form::Form;

use super::content::{SaveCard, Shelf};
use super::panels::problem_ui;
use super::texts::text;
use super::theme::{ButtonKind, Icon, IconButton, Palette, heading_ui, size, space, title};
use crate::client::local::MatchChoice;
use crate::client::messages::Problem;

/// The width of a card.
const CARD_WIDTH: f32 = 272.0;
/// The width of the form beside the cards.
const FORM_WIDTH: f32 = 380.0;

/// What the player asked for in the launcher.
#[derive(Clone, Debug)]
pub enum LauncherWish {
    /// Begin a match.
    Begin(MatchChoice),
    /// Take up a saved match.
    TakeUp(String),
    /// Look through the content again.
    Refresh,
}

/// The state of the first screen.
#[derive(Debug, Default)]
pub struct Launcher {
    /// What there is to play; none while it is being looked through.
    pub shelf: Option<Shelf>,
    /// The saved matches.
    pub saves: Vec<SaveCard>,
    /// Whether a match is being begun.
    pub is_busy: bool,
    /// Why the last match could not be begun.
    pub problems: Vec<Problem>,
    form: Option<Form>,
    lists_saves: bool,
}

impl Launcher {
    /// Takes new content; what was chosen stays chosen if it is still there.
    pub fn take_shelf(&mut self, shelf: Shelf) {
        let chosen = self.form.as_ref().map(|form| form.ruleset().to_owned());
        let card = chosen.and_then(|id| shelf.rulesets.iter().find(|card| card.id == id));
        if card.is_none() {
            self.form = None;
        }
        let first = shelf.rulesets.iter().find(|card| card.is_playable()).or(shelf.rulesets.first());
        if let (None, Some(card)) = (&self.form, first) {
            self.form = Some(Form::of(card));
        }
        self.shelf = Some(shelf);
    }

    /// Shows the screen. The buttons at its upper right come from `corner`.
    pub fn ui(&mut self, ui: &mut Ui, wishes: &mut Vec<LauncherWish>, corner: impl FnOnce(&mut Ui)) {
        let palette = Palette::of(ui.visuals());
        let ground = Frame::NONE.fill(palette.ground);
        Panel::top("launcher head")
            .frame(ground.inner_margin(Margin::symmetric(space::XXL as i8, space::L as i8)))
            .show_separator_line(false)
            .show(ui, |ui| head_ui(ui, corner));
        let shelf = self.shelf.take();
        if let Some(card) = self.chosen(shelf.as_ref()).cloned() {
            let frame = Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::XL as i8));
            Panel::right("launcher form")
                .exact_size(FORM_WIDTH)
                .resizable(false)
                .frame(frame)
                .show(ui, |ui| self.form_ui(ui, &card, wishes));
        }
        CentralPanel::no_frame()
            .frame(ground.inner_margin(Margin::symmetric(space::XXL as i8, 0)))
            .show(ui, |ui| {
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    self.saves_ui(ui, wishes);
                    match &shelf {
                        Some(shelf) => self.shelf_ui(ui, shelf, wishes),
                        None => {
                            ui.horizontal(|ui| {
                                ui.spinner();
                                ui.label(text!("launcher-looking"));
                            });
                        }
                    }
                    ui.add_space(space::XXL);
                });
            });
        self.shelf = shelf;
    }

    fn chosen<'a>(&self, shelf: Option<&'a Shelf>) -> Option<&'a super::content::RulesetCard> {
        let id = self.form.as_ref()?.ruleset();
        shelf?.rulesets.iter().find(|card| card.id == id)
    }

    /// The match to continue, and the others behind a button.
    fn saves_ui(&mut self, ui: &mut Ui, wishes: &mut Vec<LauncherWish>) {
        if self.saves.is_empty() {
            return;
        }
        let palette = Palette::of(ui.visuals());
        let newest = self.saves.iter().find(|save| !save.is_finished);
        super::theme::panel_frame(palette).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                if let Some(save) = newest {
                    ui.vertical(|ui| {
                        ui.label(title(&save.title, size::TITLE));
                        ui.label(RichText::new(&save.line).color(palette.muted));
                    });
                } else {
                    ui.label(RichText::new(text!("launcher-all-ended")).color(palette.muted));
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let label = if self.lists_saves {
                        text!("launcher-close-list")
                    } else {
                        text!("launcher-open-saved")
                    };
                    if ui
                        .add(IconButton::with_text(Icon::Open, label).selected(self.lists_saves))
                        .clicked()
                    {
                        self.lists_saves = !self.lists_saves;
                    }
                    if let Some(save) = newest {
                        let button = IconButton::with_text(Icon::Play, text!("launcher-continue")).kind(ButtonKind::Primary);
                        if ui.add_enabled(!self.is_busy, button).clicked() {
                            wishes.push(LauncherWish::TakeUp(save.file.clone()));
                        }
                    }
                });
            });
            if self.lists_saves {
                ui.separator();
                for save in &self.saves {
                    ui.horizontal(|ui| {
                        ui.label(&save.title);
                        ui.label(RichText::new(&save.line).size(size::SMALL).color(palette.muted));
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            let open = IconButton::text(text!("launcher-open")).height(26.0);
                            let response = ui.add_enabled(!self.is_busy, open).accessible_name(text!(
                                "launcher-open-one",
                                title = &*save.title,
                                line = &*save.line
                            ));
                            if response.clicked() {
                                wishes.push(LauncherWish::TakeUp(save.file.clone()));
                            }
                        });
                    });
                }
            }
        });
        ui.add_space(space::L);
    }

    fn shelf_ui(&mut self, ui: &mut Ui, shelf: &Shelf, wishes: &mut Vec<LauncherWish>) {
        let palette = Palette::of(ui.visuals());
        ui.horizontal(|ui| {
            ui.label(title(text!("launcher-question"), size::SCREEN));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(IconButton::icon(Icon::Again, text!("launcher-look-again"))).clicked() {
                    wishes.push(LauncherWish::Refresh);
                }
            });
        });
        ui.add_space(space::S);
        if shelf.rulesets.is_empty() {
            ui.label(text!("launcher-nothing"));
        }
        let across = (((ui.available_width() + space::L) / (CARD_WIDTH + space::L)).floor() as usize).max(1);
        for row in shelf.rulesets.chunks(across) {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = space::L;
                for card in row {
                    let is_chosen = self.form.as_ref().is_some_and(|form| form.ruleset() == card.id);
                    if card::card_ui(ui, card, is_chosen, CARD_WIDTH).clicked() {
                        self.form = Some(Form::of(card));
                        self.problems.clear();
                    }
                }
            });
            ui.add_space(space::S);
        }
        if !shelf.problems.is_empty() {
            ui.add_space(space::L);
            ui.label(RichText::new(text!("launcher-elsewhere")).color(palette.muted));
            shelf.problems.iter().for_each(|problem| problem_ui(ui, problem));
        }
    }

    fn form_ui(&mut self, ui: &mut Ui, card: &super::content::RulesetCard, wishes: &mut Vec<LauncherWish>) {
        let is_busy = self.is_busy;
        Panel::bottom("launcher start")
            .frame(Frame::NONE.inner_margin(Margin::symmetric(0, space::S as i8)))
            .show_separator_line(false)
            .show(ui, |ui| {
                let Some(form) = &self.form else {
                    return;
                };
                ui.horizontal(|ui| {
                    let button = IconButton::with_text(Icon::Play, text!("launcher-start"))
                        .kind(ButtonKind::Primary)
                        .height(42.0);
                    if ui.add_enabled(card.is_playable() && !is_busy, button).clicked() {
                        wishes.push(LauncherWish::Begin(form.choice(card)));
                    }
                    if is_busy {
                        ui.spinner();
                    }
                });
            });
        ScrollArea::vertical().id_salt("form").auto_shrink([false, false]).show(ui, |ui| {
            ui.label(title(&card.title, size::SCREEN));
            ui.label(&card.line);
            ui.add_space(space::S);
            let problems: Vec<&Problem> = self.problems.iter().chain(&card.problems).collect();
            if !problems.is_empty() {
                let heading = if card.is_playable() {
                    text!("launcher-worth-a-look")
                } else {
                    text!("launcher-unplayable")
                };
                heading_ui(ui, Icon::Warning, &heading);
                for problem in problems {
                    problem_ui(ui, problem);
                }
                ui.add_space(space::S);
            }
            if let Some(form) = &mut self.form {
                form.ui(ui, card);
            }
        });
    }
}

fn head_ui(ui: &mut Ui, corner: impl FnOnce(&mut Ui)) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal(|ui| {
        let icon = egui::Image::from_bytes("bytes://boardwright.svg", include_bytes!("../../../art/icon.svg"));
        ui.add(icon.fit_to_exact_size(egui::vec2(46.0, 46.0)).alt_text(text!("app-name")));
        ui.add_space(space::XS);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.label(title(text!("app-name"), size::NAME - 8.0));
            ui.label(RichText::new(text!("app-line")).size(size::SMALL).color(palette.muted));
        });
        ui.with_layout(Layout::right_to_left(Align::Center), corner);
    });
}
