//! The content of the content folders and the saved matches of a folder, for the window.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::reload::{notify_changes, watched};
use crate::{
    AUTOSAVES, BeginError, LocalMatch, SavedMatch, autosave_file, default_file, finish_autosaves, forget_autosave, inspect,
    interrupted_autosaves, is_autosave, is_running, read_book, tutorial,
};
use boardwright_client::content::{
    BookContent, Content, ContentChange, ContentUpdate, OpenedMatch, PACE, RulesetCard, RulesetIndex, SaveCard, SavedContent, ScenarioCard,
    SourceFile,
};
use boardwright_client::{Locale, MatchChoice, Wake, localize_declarations};
use boardwright_content::{
    Catalog, LIBRARY, MAPS, Manifest, RULESETS, RulesetCopy, RulesetEntry, SAVE_ENDING, SaveSummary, ScenarioEntry, io_error_text,
    read_text, user_content, write_atomic,
};
use boardwright_localization::Localizer;
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Declarations, Looks, State, sentence};
use boardwright_ruleset::SourceLimits;

/// Draws a position as SVG, with the pictures of its ruleset by file name.
pub type DrawBoard = fn(&State, &Looks, &BTreeMap<String, String>) -> String;

/// The most copies of one ruleset.
const MOST_COPIES: usize = 10_000;

/// The content of some folders.
#[derive(Clone, Debug)]
pub struct ContentLibrary {
    roots: Vec<PathBuf>,
    bundled: Option<PathBuf>,
    problem: Option<Diagnostic>,
    saves: Option<PathBuf>,
    draw: Option<DrawBoard>,
    /// The log of a crash that people are told of.
    crash: Option<PathBuf>,
    /// The catalog that is read while the window opens, for the first look.
    ahead: Arc<Mutex<Option<JoinHandle<Catalog>>>>,
}

impl ContentLibrary {
    /// The content of some folders, best first. Matches are neither listed nor kept.
    pub fn new(roots: Vec<PathBuf>) -> Self {
        Self {
            roots,
            bundled: None,
            problem: None,
            saves: None,
            draw: None,
            crash: None,
            ahead: Arc::default(),
        }
    }

    /// The same, where one of the folders is the program's own: what lies there is played and read, but not written. `problem` is why
    /// there is none.
    #[must_use]
    pub fn with_bundled(self, folder: Option<PathBuf>, problem: Option<Diagnostic>) -> Self {
        Self {
            bundled: folder,
            problem,
            ..self
        }
    }

    /// The same with a folder of saved matches, in which running ones are kept as well.
    #[must_use]
    pub fn with_saves(self, folder: PathBuf) -> Self {
        Self {
            saves: Some(folder),
            ..self
        }
    }

    /// The same with pictures of boards on the cards of scenarios.
    #[must_use]
    pub fn with_pictures(self, draw: DrawBoard) -> Self {
        Self { draw: Some(draw), ..self }
    }

    /// The same, and it tells that the program broke down when it ran before, if there is a log of that.
    #[must_use]
    pub fn with_crash(self, log: Option<PathBuf>) -> Self {
        Self { crash: log, ..self }
    }

    /// Whether a path lies in the folder of the program.
    fn is_bundled(&self, path: &Path) -> bool {
        self.bundled.as_ref().is_some_and(|folder| path.starts_with(folder))
    }

    /// The catalog that was read ahead, which counts once, or else the one of now.
    fn newest_catalog(&self) -> Catalog {
        let ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner).take();
        let read = ahead.and_then(|thread| thread.join().ok());
        read.unwrap_or_else(|| Catalog::scan(&self.roots))
    }

    /// Where a match is saved, and kept by itself while it runs. `file` is the one it was taken up from.
    fn keeping(&self, choice: MatchChoice, file: Option<&Path>) -> MatchChoice {
        let scenario = choice.scenario.as_deref().unwrap_or("match");
        let autosave = self.saves.as_ref().map(|saves| match file.filter(|file| is_autosave(file)) {
            Some(file) => file.to_path_buf(),
            None => autosave_file(saves, &choice.ruleset, scenario),
        });
        MatchChoice {
            autosave,
            saves: self.saves.clone(),
            ..choice
        }
    }
}

/// The card of a save, and the digest of where its match stands.
fn save_card(catalog: &Catalog, file: PathBuf, cut_off: &[PathBuf], locale: &Locale) -> (SaveCard, String) {
    let read = SaveSummary::open(&file, &file.display().to_string());
    let digest = read.as_ref().map(|summary| summary.digest.clone()).unwrap_or_default();
    let content = match read {
        Ok(summary) => {
            let localizer = localizer_of(catalog, &summary.ruleset, locale);
            let translate = |text: &str| localizer.translate(text).into_owned();
            let known = catalog.ruleset(&summary.ruleset);
            let players = summary.players.into_iter();
            Ok(SavedContent {
                title: known.map_or_else(|_| summary.ruleset.clone(), |entry| translate(entry.title())),
                ruleset: summary.ruleset,
                scenario: translate(&summary.title),
                players: players.map(|(seat, player)| (translate(&seat), player)).collect(),
                actions: summary.actions,
                is_finished: summary.is_finished,
            })
        }
        Err(found) => {
            let nothing_told = || Diagnostic::error(Code::Document, "");
            Err(Box::new(found.into_iter().next().unwrap_or_else(nothing_told)))
        }
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let card = SaveCard {
        name: name.trim_end_matches(SAVE_ENDING).to_owned(),
        saved: fs::metadata(&file).and_then(|file| file.modified()).ok(),
        is_autosave: is_autosave(&file),
        was_cut_off: cut_off.contains(&file),
        content,
        file,
    };
    (card, digest)
}

/// What kept a match from beginning, as problems to be shown.
fn diagnostics_of(error: BeginError) -> Vec<Diagnostic> {
    let message = error.to_string();
    match error {
        BeginError::Content(found) => found.into(),
        BeginError::Choice(_) | BeginError::Session(_) => vec![Diagnostic::error(Code::Begin, message)],
    }
}

/// What the texts of a ruleset become in a language.
fn localizer_of(catalog: &Catalog, ruleset: &str, locale: &Locale) -> Localizer {
    Localizer::new([
        Arc::new(catalog.message_catalog(ruleset, &locale.language)),
        Arc::clone(&locale.program),
    ])
}

/// What the program says, in a language.
fn localized(text: &str, locale: &Locale) -> String {
    Localizer::new([Arc::clone(&locale.program)]).translate(text).into_owned()
}

fn translated_declarations(localizer: &Localizer, declarations: &Declarations) -> Declarations {
    let mut translated = declarations.clone();
    localize_declarations(localizer, &mut translated);
    translated
}

/// What the manifest tells of a ruleset.
fn first_card(catalog: &Catalog, entry: &RulesetEntry, locale: &Locale) -> RulesetCard {
    let manifest = entry.manifest.as_ref();
    let picture = manifest.and_then(|manifest| manifest.picture.as_ref());
    let picture = picture.and_then(|picture| fs::read_to_string(entry.folder.join(picture)).ok());
    let below = manifest.and_then(|manifest| manifest.builds_on.as_deref());
    let localizer = localizer_of(catalog, &entry.id, locale);
    let translate = |text: &str| localizer.translate(text).into_owned();
    let title_of = |id: &str| {
        let entry = catalog.rulesets.get(id);
        entry.map_or_else(|| id.to_owned(), |entry| translate(entry.title()))
    };
    let plays_like = manifest.into_iter().flat_map(|manifest| &manifest.plays_like);
    RulesetCard {
        id: entry.id.clone(),
        title: translate(entry.title()),
        line: manifest.map(|manifest| translate(&manifest.description)).unwrap_or_default(),
        builds_on: below.map(title_of),
        plays_like: plays_like.map(|name| translate(name)).collect(),
        picture: picture.map(Arc::from),
        seat_range: manifest.map(|manifest| manifest.seats),
        minutes: manifest.and_then(|manifest| manifest.minutes),
        has_tutorial: entry.tutorial.is_some(),
        localizer,
        ..RulesetCard::default()
    }
}

/// The card of a ruleset with everything that reading its rules tells.
fn read_card(catalog: &Catalog, first: RulesetCard, draw: Option<DrawBoard>) -> RulesetCard {
    let seen = inspect(catalog, &first.id);
    let default = catalog.default_scenario(&first.id).map(|default| default.id.clone());
    let known = catalog.scenarios(&first.id);
    let localizer = &first.localizer;
    let card = |entry: &ScenarioEntry| {
        let begun = seen.scenarios.iter().find(|scenario| scenario.id == entry.id)?;
        Some(ScenarioCard {
            id: entry.id.clone(),
            title: localizer.translate(&entry.title).into_owned(),
            line: localizer.translate(&entry.description).into_owned(),
            picture: draw.map(|draw| {
                // What is to be explored is on no card.
                if begun.state.declarations().has_shroud {
                    draw(&begun.state.unseen_view(), &Looks::default(), &seen.art).into()
                } else {
                    draw(&begun.state, &begun.looks, &seen.art).into()
                }
            }),
            seats: translated_declarations(localizer, begun.state.declarations()).seats,
            players: entry.players.clone(),
            options: begun.state.options().to_vec(),
        })
    };
    let mut scenarios: Vec<ScenarioCard> = known.values().filter_map(|entry| card(entry)).collect();
    scenarios.sort_by_key(|scenario| (default.as_ref() != Some(&scenario.id), scenario.seats.len()));
    let declarations = seen.declarations.filter(|_| !scenarios.is_empty());
    let declarations = declarations
        .map(|declarations| translated_declarations(localizer, &declarations))
        .unwrap_or_default();
    RulesetCard {
        picture: first.picture.or_else(|| scenarios.first()?.picture.clone()),
        is_read: true,
        seats: declarations.seats,
        options: declarations.options,
        scenarios,
        strategies: seen.strategies,
        problems: seen.found.into(),
        ..first
    }
}

/// By title, mods right after what they build on.
fn sort_key(card: &RulesetCard) -> (String, bool, String) {
    let home = card.builds_on.as_ref().unwrap_or(&card.title);
    (home.to_lowercase(), card.builds_on.is_some(), card.title.to_lowercase())
}

/// The saves of a folder, those that editors or a crash left half done not counted.
fn save_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    files
        .filter(|path| path.to_str().is_some_and(|path| path.ends_with(SAVE_ENDING)) && path.is_file())
        .collect()
}

impl Content for ContentLibrary {
    fn read_ahead(&self) {
        let roots = self.roots.clone();
        let named = thread::Builder::new().name("catalog".to_owned());
        let thread = named.spawn(move || Catalog::scan(&roots)).ok();
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) = thread;
    }

    fn look_through(&self, locale: &Locale, first: Option<&str>, tell: &mut dyn FnMut(ContentUpdate) -> bool) {
        let catalog = self.newest_catalog();
        let mut rulesets: Vec<_> = catalog.rulesets.values().map(|entry| first_card(&catalog, entry, locale)).collect();
        rulesets.sort_by_key(sort_key);
        let mut problems: Vec<Diagnostic> = catalog.diagnostics.iter().chain(&self.problem).cloned().collect();
        if let Some(log) = &self.crash {
            let told = sentence!(
                "the program broke down when it ran before; what is known of it is in {file}",
                file = log.display()
            );
            problems.insert(0, Diagnostic::warning(Code::File, localized(told.text(), locale)));
        }
        let shelf = RulesetIndex {
            rulesets: rulesets.clone(),
            problems,
        };
        if !tell(ContentUpdate::RulesetIndex(shelf)) {
            return;
        }
        rulesets.sort_by_key(|card| Some(card.id.as_str()) != first);
        for card in rulesets {
            if !tell(ContentUpdate::Card(Box::new(read_card(&catalog, card, self.draw)))) {
                return;
            }
        }
    }

    fn watch(&self, tell: &mut dyn FnMut(ContentChange) -> bool) {
        let folders = self
            .roots
            .iter()
            .flat_map(|root| [RULESETS, MAPS, LIBRARY].map(|folder| root.join(folder)));
        let folders: Vec<PathBuf> = folders.collect();
        let change = |has_changed| {
            if has_changed {
                ContentChange::Files
            } else {
                ContentChange::Nothing
            }
        };
        if let Some(mut watch) = watched(&folders) {
            notify_changes(&mut watch, |has_changed| tell(change(has_changed)));
        }
    }

    fn saves(&self, locale: &Locale) -> Vec<SaveCard> {
        let Some(folder) = &self.saves else { return Vec::new() };
        let catalog = Catalog::scan(&self.roots);
        let cut_off = interrupted_autosaves(folder);
        let all = [folder.clone(), folder.join(AUTOSAVES)];
        let mut cards: Vec<(SaveCard, String)> = all
            .iter()
            .flat_map(|folder| save_files(folder))
            .filter(|file| !is_running(file))
            .map(|file| save_card(&catalog, file, &cut_off, locale))
            .collect();
        // A copy of what was saved by name as well would only be there twice.
        let named = cards.iter().filter(|(card, digest)| !card.is_autosave && !digest.is_empty());
        let named: Vec<String> = named.map(|(_, digest)| digest.clone()).collect();
        cards.retain(|(card, digest)| !card.is_autosave || card.was_cut_off || !named.contains(digest));
        cards.sort_by(|(a, _), (b, _)| (b.saved, &a.file).cmp(&(a.saved, &b.file)));
        cards.into_iter().map(|(card, _)| card).collect()
    }

    fn saves_folder(&self) -> Option<PathBuf> {
        self.saves.clone()
    }

    fn save_name(&self, ruleset: &str, scenario: &str) -> String {
        default_file(ruleset, scenario).trim_end_matches(SAVE_ENDING).to_owned()
    }

    fn save_ending(&self) -> &'static str {
        SAVE_ENDING
    }

    fn settle(&self, most: Duration) {
        finish_autosaves(most);
    }

    fn delete_save(&self, file: &Path) -> Result<(), String> {
        let digest = |file: &Path| SaveSummary::open(file, "").map(|summary| summary.digest).ok();
        let deleted = digest(file).filter(|digest| !digest.is_empty());
        fs::remove_file(file).map_err(|error| error.to_string())?;
        // Copies of the same moment were not listed beside it; they are not to come up in its place.
        let copies = self.saves.iter().flat_map(|folder| save_files(&folder.join(AUTOSAVES)));
        for copy in copies.filter(|copy| deleted.is_some() && !is_running(copy)) {
            if digest(&copy) == deleted {
                drop(fs::remove_file(copy));
            }
        }
        for number in 1.. {
            if fs::remove_file(boardwright_content::backup_path(file, number)).is_err() {
                break;
            }
        }
        forget_autosave(file);
        Ok(())
    }

    fn forget_cut_off(&self, file: &Path) {
        forget_autosave(file);
    }

    fn rule_book(&self, ruleset: &str, locale: &Locale) -> BookContent {
        read_book(&Catalog::scan(&self.roots), ruleset, locale)
    }

    fn sources(&self, ruleset: &str) -> Vec<SourceFile> {
        let catalog = Catalog::scan(&self.roots);
        let found = catalog.editable_files(ruleset).into_iter();
        let file = |(place, path): (String, PathBuf)| SourceFile {
            is_bundled: self.is_bundled(&path),
            place,
            path,
        };
        found.map(file).collect()
    }

    fn read_source(&self, file: &SourceFile, locale: &Locale) -> Result<String, String> {
        read_text(&file.path, &file.place, SourceLimits::default().file_bytes).map_err(|found| localized(&found.message, locale))
    }

    fn write_source(&self, file: &SourceFile, text: &str, locale: &Locale) -> Result<(), String> {
        if self.is_bundled(&file.path) {
            let bundled = sentence!("this file came with the program: change a copy of the ruleset, made with `boardwright new`");
            return Err(localized(bundled.text(), locale));
        }
        write_atomic(&file.path, text.as_bytes(), 0).map_err(|error| {
            let help = localized(error.help().text(), locale);
            format!("{}: {help}", localized(&error.to_string(), locale))
        })
    }

    fn copy_ruleset(&self, ruleset: &str, title: &str, locale: &Locale) -> Result<String, String> {
        let catalog = Catalog::scan(&self.roots);
        let entry = catalog.rulesets.get(ruleset);
        let Some((entry, manifest)) = entry.and_then(|entry| Some((entry, entry.manifest.clone()?))) else {
            let missing = sentence!("the ruleset `{id}` is not there", id = ruleset);
            return Err(localized(missing.text(), locale));
        };
        let own = self.roots.iter().find(|root| !self.is_bundled(root)).cloned();
        let root = own.or_else(user_content).unwrap_or_default();
        let folders = |id: &str| (root.join(RULESETS).join(id), root.join(MAPS).join(id));
        let numbered = |number: usize| match number {
            1 => format!("{ruleset}-copy"),
            _ => format!("{ruleset}-copy-{number}"),
        };
        let is_free = |id: &String| {
            let (rules, maps) = folders(id);
            !catalog.rulesets.contains_key(id) && !rules.exists() && !maps.exists()
        };
        let id = (1..=MOST_COPIES).map(numbered).find(is_free).unwrap_or_default();
        let copy = RulesetCopy {
            ids: (ruleset, &id),
            title: &manifest.title,
            manifest: Manifest {
                id: id.clone(),
                title: title.to_owned(),
                ..manifest.clone()
            },
            left_out: Vec::new(),
            has_translations: true,
        };
        let (rules, maps) = folders(&id);
        let mut old_maps = catalog.roots.iter().map(|root| root.join(MAPS).join(ruleset));
        let old_maps = old_maps.find(|folder| folder.is_dir());
        let made = [&rules, &maps]
            .into_iter()
            .filter_map(|folder| folder.parent())
            .try_for_each(fs::create_dir_all);
        let made = made.and_then(|()| copy.make(&entry.folder, old_maps.as_deref(), (&rules, &maps)));
        made.map_err(|error| format!("{}: {}", rules.display(), io_error_text(&error)))?;
        Ok(id)
    }

    fn open_elsewhere(&self, file: &SourceFile) -> Result<(), String> {
        opener::open(&file.path).map_err(|error| format!("{}: {error}", file.path.display()))
    }

    fn begin(&self, choice: &MatchChoice, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        let catalog = Catalog::scan(&self.roots);
        let mut choice = choice.clone();
        if choice.scenario.is_none() {
            choice.scenario = catalog.default_scenario(&choice.ruleset).map(|scenario| scenario.id.clone());
        }
        let choice = self.keeping(choice, None);
        let begun = LocalMatch::begin(&catalog, &choice).map_err(diagnostics_of)?;
        Ok(OpenedMatch {
            link: Box::new(begun.connect(Some(wake))),
            file: None,
            autosave: choice.autosave,
            tutorial: None,
        })
    }

    fn learn(&self, ruleset: &str, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        let catalog = Catalog::scan(&self.roots);
        let (choice, tutorial) = tutorial(&catalog, ruleset).map_err(Vec::from)?;
        let begun = LocalMatch::begin(&catalog, &choice).map_err(diagnostics_of)?;
        Ok(OpenedMatch {
            link: Box::new(begun.connect(Some(wake))),
            file: None,
            autosave: None,
            tutorial: Some(tutorial),
        })
    }

    fn resume(&self, file: &Path, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        self.take_up(file, SavedMatch::open(file).map_err(Vec::from)?, wake)
    }

    fn resume_as(&self, autosave: &Path, ruleset: &str, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        let mut saved = SavedMatch::open(autosave).map_err(Vec::from)?;
        ruleset.clone_into(&mut saved.save.ruleset);
        ruleset.clone_into(&mut saved.save.scenario.ruleset);
        self.take_up(autosave, saved, wake)
    }
}

impl ContentLibrary {
    /// Resumes a saved match, which goes on being saved in the file if that is an autosave.
    fn take_up(&self, file: &Path, saved: SavedMatch, wake: Wake) -> Result<OpenedMatch, Vec<Diagnostic>> {
        let choice = MatchChoice {
            ruleset: saved.save.ruleset.clone(),
            scenario: Some(saved.save.scenario.id.clone()),
            pace: PACE,
            watches: true,
            ..MatchChoice::default()
        };
        let choice = self.keeping(choice, Some(file));
        let catalog = Catalog::scan(&self.roots);
        let begun = LocalMatch::resume(&catalog, saved, &choice).map_err(diagnostics_of)?;
        Ok(OpenedMatch {
            link: Box::new(begun.connect(Some(wake))),
            file: (!is_autosave(file)).then(|| file.to_path_buf()),
            autosave: choice.autosave,
            tutorial: None,
        })
    }
}
