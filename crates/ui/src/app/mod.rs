//! The program behind the window: which screen is shown. Work on other threads is in `background`, the content of the tools panel in `tools_panel`.

mod background;
mod first_picture;
mod tools_panel;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use egui::{Context, OpenUrl, ScrollArea, Ui, ViewportCommand};

use self::background::{Arrival, OpenMode};
use self::first_picture::FirstPicture;
use crate::close_dialog::CloseDialog;
use crate::command::AppCommand;
use crate::input_pacing::{InputPacing, LONGEST_CLICK};
use crate::keys::{self, Act, KeyMap};
use crate::launcher::{Launcher, Recents};
use crate::match_screen::{Drawing, MatchScreen};
use crate::panels::problem_ui;
use crate::save_dialogs::{SaveDialogs, SaveFilter};
use crate::screen::{EditRequest, MatchBehind, Screen, ScreenCommand, ScreenFactory};
use crate::settings::{Settings, SettingsForm};
use crate::shortcuts_dialog::ShortcutsDialog;
use crate::sound::{Cue, Silence, Speaker, Volume};
use crate::texts::{self, Language, text};
use crate::theme::{self, ButtonKind, IconButton, dialog_ui, size, space, title};
use crate::tools_panel::{TextPosition, ToolsPanel, ToolsTab};
use boardwright_client::MatchChoice;
use boardwright_client::content::{BookContent, Content, SourceFile};
use boardwright_model::diagnostic::Diagnostic;

const SETTINGS: &str = "settings";
const RECENTS: &str = "recent";
const KEYS: &str = "keys";
/// The key under which the open tab of the tools panel is stored.
const TOOLS_TAB: &str = "tools";
/// The key under which it is stored whether lines of scripts are wrapped.
const WRAPS_LINES: &str = "wraps-lines";
/// How long the end of the program waits for automatic copies.
const LAST_AUTOSAVES: Duration = Duration::from_secs(3);

/// What the window begins with.
#[derive(Clone, Debug, Default)]
pub enum StartScreen {
    /// The launcher.
    #[default]
    Launcher,
    /// A match.
    Match(MatchChoice),
    /// A saved match.
    Saved(PathBuf),
    /// A saved match, to be watched from its beginning.
    Watched(PathBuf),
    /// The editor, if the window has one.
    Editor(EditRequest),
}

/// Whether the editor is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Editing {
    No,
    /// It is shown; a match may go on behind it.
    InFront,
    /// The match in front of it is shown.
    BehindMatch,
}

/// The program behind the window.
pub struct App {
    content: Arc<dyn Content>,
    context: Context,
    launcher: Launcher,
    running: Option<MatchScreen>,
    /// Makes the editor; windows without one offer none.
    make_editor: Option<ScreenFactory>,
    editor: Option<Box<dyn Screen>>,
    editing: Editing,
    /// Whether the running match was begun from the editor.
    is_tried: bool,
    /// Makes the screen for matches on servers; windows without one offer none.
    make_online: Option<ScreenFactory>,
    online: Option<Box<dyn Screen>>,
    /// Whether that screen is shown, or the match that was begun from it is, in front of it.
    is_online: bool,
    files: SaveDialogs,
    /// What the player likes.
    pub settings: Settings,
    recents: Recents,
    speaker: Box<dyn Speaker>,
    tools_panel: ToolsPanel,
    book: Option<BookContent>,
    reads_book: Option<String>,
    files_of: Option<String>,
    /// The copy of a ruleset that was made to be changed, and the file to be opened as soon as its files are known.
    own_copy: Option<(String, String)>,
    reads: BTreeSet<SourceFile>,
    close_dialog: CloseDialog,
    settings_form: SettingsForm,
    shortcuts_dialog: ShortcutsDialog,
    /// Why a match could not be opened, until it has been seen.
    trouble: Vec<Diagnostic>,
    system_language: Language,
    language: Language,
    /// The number of the newest look through the content; older ones end when they see it.
    look: Arc<AtomicU64>,
    /// Whether files of the content changed while a match was shown.
    is_stale: bool,
    results: Receiver<Arrival>,
    sender: Sender<Arrival>,
    /// Gone with the window: threads that serve it end when they see that.
    alive: Arc<()>,
    /// What the window begins with, until the first frame.
    beginning: Option<StartScreen>,
    first_picture: FirstPicture,
    window_title: String,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App")
            .field("launcher", &self.launcher)
            .field("running", &self.running)
            .finish_non_exhaustive()
    }
}

impl App {
    /// The program with some content. Theme and fonts are put into the context.
    pub fn new(context: &Context, content: Arc<dyn Content>, beginning: StartScreen, settings: Settings) -> Self {
        theme::install(context);
        context.add_plugin(InputPacing::default());
        context.options_mut(|options| options.input_options.max_click_duration = LONGEST_CLICK);
        egui_extras::install_image_loaders(context);
        let (sender, results) = channel();
        let app = Self {
            content,
            context: context.clone(),
            launcher: Launcher::default(),
            running: None,
            make_editor: None,
            editor: None,
            editing: Editing::No,
            is_tried: false,
            make_online: None,
            online: None,
            is_online: false,
            files: SaveDialogs::default(),
            settings,
            recents: Recents::default(),
            speaker: Box::new(Silence),
            tools_panel: ToolsPanel::default(),
            book: None,
            reads_book: None,
            files_of: None,
            own_copy: None,
            reads: BTreeSet::new(),
            close_dialog: CloseDialog::default(),
            settings_form: SettingsForm::default(),
            shortcuts_dialog: ShortcutsDialog::default(),
            trouble: Vec::new(),
            system_language: Language::of_system(),
            language: Language::default(),
            look: Arc::default(),
            is_stale: false,
            results,
            sender,
            alive: Arc::default(),
            beginning: Some(beginning),
            first_picture: FirstPicture::default(),
            window_title: String::new(),
        };
        keys::set_key_map(KeyMap::default());
        app
    }

    /// Begins to read what there is, once what was stored is known: the language above all.
    fn start(&mut self, beginning: StartScreen) {
        texts::set_language(self.settings.language.unwrap_or(self.system_language));
        self.language = texts::language();
        self.refresh();
        self.watch();
        match beginning {
            StartScreen::Launcher => {}
            StartScreen::Match(choice) => self.begin(choice),
            StartScreen::Saved(file) => self.resume(file, OpenMode::Resumed),
            StartScreen::Watched(file) => self.resume(file, OpenMode::Watched),
            StartScreen::Editor(request) => self.edit(request),
        }
    }

    /// The same as it was when it was closed last, as far as it is in the storage of the window.
    #[must_use]
    pub fn as_stored(mut self, storage: Option<&dyn eframe::Storage>) -> Self {
        if let Some(storage) = storage {
            self.settings = eframe::get_value(storage, SETTINGS).unwrap_or(self.settings);
            self.recents = eframe::get_value(storage, RECENTS).unwrap_or_default();
            keys::set_key_map(eframe::get_value(storage, KEYS).unwrap_or_default());
            self.tools_panel.tab = eframe::get_value(storage, TOOLS_TAB).flatten();
            self.tools_panel.scripts.wraps = eframe::get_value(storage, WRAPS_LINES).unwrap_or_default();
        }
        self
    }

    /// The same with somebody who plays its sounds; without, nothing is heard.
    #[must_use]
    pub fn with_speaker(mut self, speaker: Box<dyn Speaker>) -> Self {
        self.speaker = speaker;
        self
    }

    /// The same with a way to make the editor, which the launcher then offers.
    #[must_use]
    pub fn with_editor(mut self, make: ScreenFactory) -> Self {
        self.make_editor = Some(make);
        self.launcher.screens.has_editor = true;
        self
    }

    /// The same with a way to make the screen for matches on servers, which the launcher then offers.
    #[must_use]
    pub fn with_online(mut self, make: ScreenFactory) -> Self {
        self.make_online = Some(make);
        self.launcher.screens.has_online = true;
        self
    }

    fn show_online(&mut self) {
        let Some(make) = &self.make_online else { return };
        let context = &self.context;
        self.online.get_or_insert_with(|| make(context));
        self.is_online = true;
    }

    /// Shows the editor with something opened in it.
    fn edit(&mut self, request: EditRequest) {
        let Some(make) = &self.make_editor else { return };
        let context = &self.context;
        self.editor.get_or_insert_with(|| make(context)).open(request);
        self.editing = Editing::InFront;
    }

    /// Whether rulesets are still being looked through.
    pub fn is_looking(&self) -> bool {
        self.launcher.is_looking
    }

    /// The running match, if there is one.
    pub fn running(&self) -> Option<&MatchScreen> {
        self.running.as_ref()
    }

    /// Whether the match is one of what is drawn in the editor.
    pub fn is_trial(&self) -> bool {
        self.running.is_some() && self.is_tried
    }

    /// Shows the screen.
    pub fn draw(&mut self, ui: &mut Ui) {
        if let Some(beginning) = self.beginning.take() {
            self.start(beginning);
        }
        self.change_language();
        while let Ok(arrival) = self.results.try_recv() {
            arrival(self);
        }
        theme::set_seat_style(self.settings.seats);
        ui.ctx().set_theme(self.settings.theme);
        ui.ctx().options_mut(|options| options.zoom_with_keyboard = false);
        ui.ctx().set_zoom_factor(self.settings.text_size.factor());
        self.shortcuts_dialog.capture(ui);
        self.keys(ui);
        let mut commands = Vec::new();
        if self.editing == Editing::InFront {
            self.editor_ui(ui);
        } else if self.running.is_some() {
            self.tools_panel_ui(ui, &mut commands);
            self.match_ui(ui, &mut commands);
        } else if self.is_online {
            self.online_ui(ui);
        } else {
            self.tools_panel_ui(ui, &mut commands);
            self.launcher.ui(ui, &self.files.saves, &self.recents, &mut commands);
        }
        commands.drain(..).for_each(|command| self.handle(command));
        self.files.ui(ui, self.launcher.is_busy, &mut commands);
        let volume = self.settings.volume;
        if self.settings_form.ui(ui, &mut self.settings, self.speaker.is_there()) {
            self.shortcuts_dialog.is_shown = true;
        }
        if self.settings.volume != volume {
            self.sound(&[Cue::Move]);
        }
        self.shortcuts_dialog.ui(ui);
        self.trouble_ui(ui);
        // Asks about files that are not saved before the window closes.
        let mut unsaved = self.tools_panel.scripts.unsaved();
        unsaved.extend(self.editor.iter().flat_map(|editor| editor.unsaved()));
        if self.close_dialog.ui(ui, &unsaved) {
            self.tools_panel.scripts.save_all(&mut commands);
            if let Some(editor) = &mut self.editor {
                editor.save_all();
            }
        }
        for command in commands {
            self.handle(command);
        }
        self.set_window_title();
        let has_picture = self.running.is_some() || self.launcher.shelf.is_some();
        if has_picture && self.first_picture.on_frame() {
            ui.ctx().request_repaint();
        }
    }

    fn handle(&mut self, command: AppCommand) {
        match command {
            AppCommand::Begin(choice) => self.begin(choice),
            AppCommand::Learn(ruleset) => self.learn(ruleset),
            AppCommand::Resume(file) => self.resume(file, OpenMode::Resumed),
            AppCommand::Watch(file) => self.resume(file, OpenMode::Watched),
            AppCommand::Leave => self.leave(),
            AppCommand::Refresh => self.refresh(),
            AppCommand::ListSaves(filter) => {
                self.list_saves();
                self.files.show_open(filter);
            }
            AppCommand::AskSaveName => self.show_save_as(),
            AppCommand::SaveAs(file) => {
                if let Some(running) = &mut self.running {
                    running.controller.save_in(file);
                }
            }
            AppCommand::DeleteSave(file) => self.in_background(move |content, outbox| {
                outbox.succeeds(content.delete_save(&file));
                outbox.list_saves(content);
            }),
            AppCommand::ForgetSave(file) => self.in_background(move |content, outbox| {
                content.forget_cut_off(&file);
                outbox.list_saves(content);
            }),
            AppCommand::ShowSettings => self.settings_form.show(),
            AppCommand::SetTheme(theme) => self.settings.theme = theme,
            AppCommand::ShowTools(tab) => self.tools_panel.tab = Some(tab),
            AppCommand::ToggleTools(tab) => self.tools_panel.toggle(tab),
            AppCommand::ShowRule(number) => self.tools_panel.open_rule(number),
            AppCommand::Edit(place) => self.tools_panel.seek(place, true),
            AppCommand::Read(file) => self.read(file),
            AppCommand::Write { file, text, over } => self.write(file, text, over),
            AppCommand::CopyRuleset(file) => self.copy_ruleset(&file),
            AppCommand::OpenElsewhere(file) => self.in_background(move |content, outbox| {
                outbox.succeeds(content.open_elsewhere(&file));
            }),
            AppCommand::Debug(command) => {
                if let Some(running) = &mut self.running {
                    running.controller.handle_debug(command);
                }
            }
            AppCommand::OpenEditor(request) => self.edit(request),
            AppCommand::ShowOnline => self.show_online(),
            AppCommand::ShowEditor => self.editing = Editing::InFront,
            AppCommand::Browse(address) => self.context.open_url(OpenUrl::new_tab(address)),
        }
    }

    fn leave(&mut self) {
        self.running = None;
        self.is_tried = false;
        if self.editing == Editing::BehindMatch {
            self.editing = Editing::InFront;
        }
        if self.is_stale {
            self.refresh();
        }
        self.in_background(|content, outbox| {
            // The copy of the match that was left is one of those to be listed.
            content.settle(LAST_AUTOSAVES);
            outbox.list_saves(content);
        });
        self.context.request_repaint();
    }

    /// Sets the title of the window to that of the screen, where it has changed.
    fn set_window_title(&mut self) {
        let editor = self.editor.as_ref().filter(|_| self.editing == Editing::InFront);
        let online = self.online.as_ref().filter(|_| self.is_online);
        let title = match (editor.map(|editor| editor.title()), &self.running) {
            (Some(title), _) if title.is_empty() => text!("app-name"),
            (Some(title), _) => text!("edit-title", file = title),
            (None, Some(running)) => running.window_title(),
            (None, None) => online.map_or_else(|| text!("app-name"), |online| online.title()),
        };
        if self.window_title != title {
            self.context.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.window_title = title;
        }
    }

    fn keys(&mut self, ui: &Ui) {
        let settings = &mut self.settings;
        if keys::pressed(ui, Act::LargerText) {
            settings.text_size = settings.text_size.larger();
        }
        if keys::pressed(ui, Act::SmallerText) {
            settings.text_size = settings.text_size.smaller();
        }
        if self.files.is_shown() || ui.ctx().text_edit_focused() {
            return;
        }
        if keys::pressed(ui, Act::Shortcuts) {
            self.shortcuts_dialog.is_shown = !self.shortcuts_dialog.is_shown;
        }
        if self.shortcuts_dialog.is_shown || self.settings_form.is_shown() {
            return;
        }
        // The editor has keys of its own for files, and there is no match to save where one is looked for.
        if self.editing == Editing::InFront || self.is_online && self.running.is_none() {
            return;
        }
        if self.editing == Editing::BehindMatch && keys::pressed(ui, Act::TryOut) {
            self.editing = Editing::InFront;
            return;
        }
        for (act, command) in [
            (Act::RuleBook, AppCommand::ToggleTools(ToolsTab::Book)),
            (Act::Scripts, AppCommand::ToggleTools(ToolsTab::Scripts)),
            (Act::Open, AppCommand::ListSaves(SaveFilter::All)),
            (Act::SaveAs, AppCommand::AskSaveName),
        ] {
            if keys::pressed(ui, act) {
                self.handle(command);
            }
        }
    }

    fn sound(&mut self, cues: &[Cue]) {
        if self.settings.volume != Volume::Off && !cues.is_empty() {
            self.speaker.play(cues, self.settings.volume);
        }
    }

    fn show_save_as(&mut self) {
        let Some(running) = &self.running else {
            return;
        };
        let known = running.controller.file().map(Path::to_path_buf);
        let folder = known.as_ref().and_then(|file| file.parent()).map(PathBuf::from);
        let folder = folder.or_else(|| self.content.saves_folder()).unwrap_or_default();
        let name = match (&known, self.description()) {
            (Some(file), _) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            (None, Some(description)) => self.content.save_name(&description.ruleset, &description.scenario),
            (None, None) => String::new(),
        };
        let name = name.trim_end_matches(self.content.save_ending()).to_owned();
        self.files.show_save_as(folder, name, self.content.save_ending());
    }

    fn editor_ui(&mut self, ui: &mut Ui) {
        let Some(editor) = &mut self.editor else { return };
        let has_dialog = self.shortcuts_dialog.is_shown || self.settings_form.is_shown() || !self.trouble.is_empty();
        if let Some(running) = &mut self.running {
            let now = ui.input(|input| input.time);
            running.controller.update(now, &self.settings);
        }
        let behind = self.running.as_ref().map(|running| MatchBehind {
            is_own: self.is_tried,
            problems: running.controller.mirror().problems(),
        });
        let commands = editor.ui(ui, !has_dialog, behind);
        for command in commands {
            match command {
                ScreenCommand::Leave => {
                    self.editing = Editing::No;
                    if self.is_tried {
                        self.leave();
                    }
                    self.refresh();
                }
                ScreenCommand::Play(start) => self.try_out(start),
                command => self.on_screen_command(&command),
            }
        }
    }

    fn online_ui(&mut self, ui: &mut Ui) {
        let Some(online) = &mut self.online else { return };
        let has_dialog = self.shortcuts_dialog.is_shown || self.settings_form.is_shown() || !self.trouble.is_empty();
        let commands = online.ui(ui, !has_dialog, None);
        for command in commands {
            match command {
                ScreenCommand::Leave => self.is_online = false,
                ScreenCommand::Play(start) => self.play_online(start),
                command => self.on_screen_command(&command),
            }
        }
    }

    /// What every screen may ask for.
    fn on_screen_command(&mut self, command: &ScreenCommand) {
        match command {
            ScreenCommand::ShowMatch if self.running.is_some() => self.editing = Editing::BehindMatch,
            // The first two are for whoever shows the screen.
            ScreenCommand::Leave | ScreenCommand::Play(_) | ScreenCommand::ShowMatch => {}
            ScreenCommand::ShowSettings => self.settings_form.show(),
            ScreenCommand::ShowShortcuts => self.shortcuts_dialog.is_shown = true,
            ScreenCommand::SetTheme(theme) => self.settings.theme = *theme,
            ScreenCommand::Refresh => self.refresh(),
        }
    }

    fn match_ui(&mut self, ui: &mut Ui, commands: &mut Vec<AppCommand>) {
        let Some(running) = &mut self.running else {
            return;
        };
        let hides_problems = self.tools_panel.tab == Some(ToolsTab::Scripts);
        running.drawing = match (self.make_editor.is_some(), self.editing) {
            _ if self.is_online => Drawing::Nowhere,
            (false, _) => Drawing::Nowhere,
            (true, Editing::No) => Drawing::Possible,
            (true, _) => Drawing::Open,
        };
        running.ui(ui, &self.settings, hides_problems, commands);
        if let Some(file) = running.controller.take_exported().filter(|_| self.make_editor.is_some()) {
            commands.push(AppCommand::OpenEditor(EditRequest::File(file)));
        }
        if let Some(place) = running.controller.take_paused_at() {
            self.tools_panel.seek(place, false);
            ui.ctx().request_repaint();
        }
        let broken_at = running.controller.take_broken_at();
        if let Some(error) = broken_at.filter(|_| hides_problems) {
            // Whoever is writing keeps the cursor.
            let is_writing = ui.ctx().text_edit_focused();
            self.tools_panel.seek(TextPosition::of(&error), !is_writing);
            ui.ctx().request_repaint();
        }
        let cues = running.controller.take_cues();
        self.sound(&cues);
    }

    /// Sets the language of the window. Content in another language is read again.
    fn change_language(&mut self) {
        let language = self.settings.language.unwrap_or(self.system_language);
        texts::set_language(language);
        if self.language != language {
            self.language = language;
            (self.book, self.reads_book) = (None, None);
            self.refresh();
        }
    }

    /// What went wrong where no screen has a place for it.
    fn trouble_ui(&mut self, ui: &Ui) {
        if self.trouble.is_empty() {
            return;
        }
        let modal = dialog_ui(ui, "trouble", |ui| {
            ui.set_width((ui.ctx().content_rect().width() - 120.0).clamp(320.0, 560.0));
            ui.label(title(text!("trouble-title"), size::TITLE));
            if self.running.is_some() {
                ui.label(text!("trouble-match-goes-on"));
            }
            ui.add_space(space::S);
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                self.trouble.iter().for_each(|problem| problem_ui(ui, problem));
            });
            let close = ui.add(IconButton::text(text!("dialog-ok")).kind(ButtonKind::Primary));
            close.clicked()
        });
        if modal.inner || modal.should_close() {
            self.trouble.clear();
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, SETTINGS, &self.settings);
        eframe::set_value(storage, RECENTS, &self.recents);
        eframe::set_value(storage, KEYS, &keys::key_map());
        eframe::set_value(storage, TOOLS_TAB, &self.tools_panel.tab);
        eframe::set_value(storage, WRAPS_LINES, &self.tools_panel.scripts.wraps);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.running = None;
        self.content.settle(LAST_AUTOSAVES);
    }
}
