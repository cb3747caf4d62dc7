//! What is shown: the server on the left with the form for a new match, its matches beside it.

use std::path::PathBuf;

use boardwright_network::{JoinMatch, MatchSummary};
use boardwright_ui::keys::{Act, button_of, is_entered, pressed};
use boardwright_ui::theme::{
    ButtonKind, Icon, IconButton, Palette, card, from_right_ui, heading_ui, icon_ui, panel_frame, remark, remark_ui, size, space, title,
};
use boardwright_ui::{EditRequest, MatchBehind, Screen, ScreenCommand, text};
use egui::{Align, CentralPanel, Context, Frame, Id, Label, Layout, Margin, Panel, Popup, ScrollArea, TextEdit, Ui};

use crate::match_card::{Membership, Wanted, match_ui};
use crate::new_match::NewMatch;
use crate::server::{Matches, Server};

/// Where a server listens that is started without options on this machine.
const LOCAL: &str = "localhost:7474";
/// The width of the panel on the left, in points.
const WIDTH: f32 = 300.0;

/// The screen.
#[derive(Debug)]
pub(crate) struct OnlineScreen {
    context: Context,
    tokens: Option<PathBuf>,
    address: String,
    /// The name that others see.
    name: String,
    /// The password of matches that ask for one.
    password: String,
    server: Option<Server>,
    new: NewMatch,
}

impl OnlineScreen {
    pub(crate) fn new(context: &Context, tokens: Option<PathBuf>) -> Self {
        let stored = |id: Id| context.data_mut(|data| data.get_persisted::<String>(id));
        Self {
            context: context.clone(),
            tokens,
            address: stored(address_id()).unwrap_or_else(|| LOCAL.to_owned()),
            name: stored(name_id()).unwrap_or_default(),
            password: String::new(),
            server: None,
            new: NewMatch::default(),
        }
    }

    fn connect(&mut self) {
        let address = self.address.trim().to_owned();
        self.context.data_mut(|data| data.insert_persisted(address_id(), address.clone()));
        self.server = Some(Server::new(&address, &self.context, self.tokens.clone()));
    }

    fn may_join(&self) -> bool {
        !self.name.trim().is_empty() && self.server.as_ref().is_some_and(|server| !server.is_busy)
    }

    fn who(&self, seat: Option<String>, password: Option<String>) -> JoinMatch {
        let name = self.name.trim().to_owned();
        self.context.data_mut(|data| data.insert_persisted(name_id(), name.clone()));
        JoinMatch {
            name,
            seat,
            password,
            luck: None,
        }
    }

    fn given_password(&self) -> Option<String> {
        (!self.password.is_empty()).then(|| self.password.clone())
    }

    fn head_ui(ui: &mut Ui, has_keys: bool, commands: &mut Vec<ScreenCommand>) {
        // Before that it leaves a field or closes a list.
        let is_elsewhere = !has_keys || ui.memory(|memory| memory.focused().is_some()) || Popup::is_any_open(ui.ctx());
        ui.horizontal(|ui| {
            ui.set_height(34.0);
            if ui.add(button_of(Icon::Back, Act::ListLeave)).clicked() || (!is_elsewhere && pressed(ui, Act::ListLeave)) {
                commands.push(ScreenCommand::Leave);
            }
            ui.label(title(text!("online-title"), size::TITLE));
            from_right_ui(ui, |ui| {
                if ui.add(IconButton::icon(Icon::Gear, text!("settings"))).clicked() {
                    commands.push(ScreenCommand::ShowSettings);
                }
            });
        });
    }

    fn server_ui(&mut self, ui: &mut Ui) {
        heading_ui(ui, Icon::Computer, &text!("online-server"));
        let width = ui.available_width() - 8.0;
        let label = ui.label(text!("online-address")).id;
        let field = TextEdit::singleline(&mut self.address).desired_width(width).hint_text(LOCAL);
        let field = ui.add(field).labelled_by(label);
        let label = ui.label(text!("online-name")).id;
        let name = TextEdit::singleline(&mut self.name).desired_width(width).char_limit(40);
        let name = ui.add(name).labelled_by(label);
        let is_entered = is_entered(ui, &field) || is_entered(ui, &name);
        let is_other = self.server.as_ref().is_none_or(|server| !server.is_of(self.address.trim()));
        ui.add_space(space::XS);
        let kind = if is_other { ButtonKind::Primary } else { ButtonKind::Plain };
        let connect = IconButton::text(text!("online-connect")).kind(kind).height(36.0);
        let may = !self.address.trim().is_empty();
        if ui.add_enabled(may, connect).clicked() || is_entered && may {
            self.connect();
        }
        ui.add_space(space::M);
    }

    fn form_ui(&mut self, ui: &mut Ui) {
        if let Some(server) = self.server.as_ref().filter(|server| server.matches.is_some()) {
            self.new.ui(ui, &server.rulesets);
        }
    }

    /// What stays in sight below the form.
    fn create_ui(&mut self, ui: &mut Ui) {
        let may_create = self.may_join();
        let Some(server) = self.server.as_ref().filter(|server| server.matches.is_some()) else {
            return;
        };
        if self.name.trim().is_empty() && !server.rulesets.is_empty() {
            remark_ui(ui, text!("online-name-first"));
        }
        if let Some(wanted) = self.new.create_ui(ui, &server.rulesets, may_create) {
            let who = self.who(None, self.new.password());
            if let Some(server) = &mut self.server {
                server.create(wanted, who);
            }
        }
    }

    /// The password of matches of others, where one of them asks for it.
    fn password_ui(&mut self, ui: &mut Ui) {
        let matches = self.server.as_ref().and_then(|server| server.matches.as_ref());
        let is_asked = matches.is_some_and(|matches| matches.waiting.iter().chain(&matches.playing).any(|found| found.has_password));
        if !is_asked {
            return;
        }
        ui.horizontal(|ui| {
            let label = ui.label(text!("online-password")).id;
            let width = ui.available_width() - 8.0;
            let field = TextEdit::singleline(&mut self.password).password(true).desired_width(width);
            ui.add(field).labelled_by(label);
        });
        remark_ui(ui, text!("online-password-hint"));
        ui.add_space(space::M);
    }

    fn matches_ui(&mut self, ui: &mut Ui) {
        let may_join = self.may_join();
        let Some(server) = &self.server else {
            return middle_ui(ui, &text!("online-nothing"));
        };
        if let Some(problem) = &server.problem {
            problem_ui(ui, problem);
        }
        let Some(matches) = &server.matches else {
            if server.problem.is_none() {
                middle_ui(ui, &text!("online-connecting"));
            }
            return;
        };
        if let Some(link) = server.created.as_ref().filter(|_| server.awaited.is_some()) {
            link_ui(ui, link);
        }
        let mut wanted = None;
        let Matches { own, waiting, playing } = matches;
        let awaited = server.awaited.as_deref();
        for (heading, icon, found, is_own) in [
            (text!("online-own"), Icon::Person, own, true),
            (text!("online-waiting"), Icon::Clock, waiting, false),
            (text!("online-playing"), Icon::Eye, playing, false),
        ] {
            if found.is_empty() && heading != text!("online-waiting") {
                continue;
            }
            heading_ui(ui, icon, &heading);
            if found.is_empty() {
                remark_ui(ui, text!("online-none"));
            }
            for found in found {
                let membership = match is_own {
                    true if awaited == Some(&*found.id) => Membership::Awaited,
                    true => Membership::Own,
                    false => Membership::Other { may_join },
                };
                ui.push_id(&found.id, |ui| {
                    if let Some(clicked) = match_ui(ui, &server.rulesets, found, membership) {
                        wanted = Some((found.clone(), clicked));
                    }
                });
            }
            ui.add_space(space::S);
        }
        if let Some((found, wanted)) = wanted {
            self.carry_out(&found, &wanted);
        }
    }

    fn carry_out(&mut self, found: &MatchSummary, wanted: &Wanted) {
        let password = self.given_password().filter(|_| found.has_password);
        let who = match wanted {
            Wanted::Seat(seat) => Some(self.who(Some(seat.clone()), password.clone())),
            _ => None,
        };
        let Some(server) = &mut self.server else { return };
        match wanted {
            Wanted::Seat(_) => {
                if let Some(who) = who {
                    server.join(&found.id, who);
                }
            }
            Wanted::Show => server.show(&found.id, password),
            Wanted::Wait => server.wait_for(&found.id),
            Wanted::Leave => server.leave(&found.id),
            Wanted::Forget => server.forget(&found.id),
        }
    }
}

fn address_id() -> Id {
    Id::unique("address of a server")
}

fn name_id() -> Id {
    Id::unique("name on servers")
}

fn middle_ui(ui: &mut Ui, message: &str) {
    ui.add_space(ui.available_height() * 0.3);
    ui.vertical_centered(|ui| ui.add(Label::new(remark(message)).wrap()));
}

fn problem_ui(ui: &mut Ui, problem: &str) {
    let palette = Palette::of(ui.visuals());
    card(palette.surface, palette.danger, 10, (12, 8)).show(ui, |ui| {
        ui.horizontal(|ui| {
            icon_ui(ui, Icon::Error, 18.0, palette.danger);
            ui.add(Label::new(problem).wrap());
        });
    });
    ui.add_space(space::S);
}

/// The link that others are sent.
fn link_ui(ui: &mut Ui, link: &str) {
    let palette = Palette::of(ui.visuals());
    card(palette.surface, palette.accent, 10, (12, 8)).show(ui, |ui| {
        ui.horizontal(|ui| {
            from_right_ui(ui, |ui| {
                if ui.add(IconButton::text(text!("online-copy-link")).height(28.0)).clicked() {
                    ui.ctx().copy_text(link.to_owned());
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    icon_ui(ui, Icon::Link, 18.0, palette.accent);
                    ui.add(Label::new(text!("online-link", link = link)).wrap());
                });
            });
        });
    });
    ui.add_space(space::S);
}

impl Screen for OnlineScreen {
    fn open(&mut self, _: EditRequest) {}

    fn ui(&mut self, ui: &mut Ui, has_keys: bool, _: Option<MatchBehind<'_>>) -> Vec<ScreenCommand> {
        let mut commands = Vec::new();
        if let Some(start) = self.server.as_mut().and_then(Server::update) {
            commands.push(ScreenCommand::Play(start));
        }
        let palette = Palette::of(ui.visuals());
        let margin = Margin::same(space::S as i8);
        Panel::top("online head")
            .frame(Frame::NONE.fill(palette.surface).inner_margin(margin))
            .show(ui, |ui| Self::head_ui(ui, has_keys, &mut commands));
        Panel::left("online server")
            .frame(panel_frame(palette).corner_radius(0))
            .exact_size(WIDTH)
            .resizable(false)
            .show(ui, |ui| {
                let frame = Frame::NONE.inner_margin(Margin {
                    top: space::S as i8,
                    ..Margin::ZERO
                });
                Panel::bottom("online create")
                    .frame(frame)
                    .show_separator_line(false)
                    .show(ui, |ui| self.create_ui(ui));
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    self.server_ui(ui);
                    self.password_ui(ui);
                    self.form_ui(ui);
                });
            });
        CentralPanel::no_frame()
            .frame(Frame::NONE.fill(palette.ground).inner_margin(Margin::same(space::L as i8)))
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .auto_shrink([false, false])
                    .show(ui, |ui| self.matches_ui(ui));
            });
        commands
    }

    fn title(&self) -> String {
        text!("online-title")
    }

    fn unsaved(&self) -> Vec<String> {
        Vec::new()
    }

    fn save_all(&mut self) {}
}
