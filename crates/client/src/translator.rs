//! Localizes what a host sends: the texts of the ruleset and the program's own sentences.
//!
//! A host, its journals and saves use the language of the ruleset, and English for the program's own sentences. A client with another
//! locale translates messages as they arrive. Names that identify things in messages (cells, seats in files, words to choose among)
//! stay as they are; cells get a title, and [`Translator::translate`] translates the others.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use boardwright_localization::{Localizer, MessageCatalog};
use boardwright_model::{Declarations, Effect, ExploredCell, Looks};
use boardwright_protocol::{Description, EntryCause, FromHost, HistoryEntry, LegalAction, Notice, Reply, ViewSnapshot};

/// The language of a client, with the program's own sentences in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Locale {
    /// The code of the language: `cs`.
    pub language: String,
    /// The program's own sentences.
    pub program: Arc<MessageCatalog>,
}

/// Translates what a host sends for a client.
#[derive(Clone, Debug, Default)]
pub struct Translator {
    locale: Locale,
    localizer: Localizer,
}

impl Translator {
    /// Translates into another language from now on; whether it differs.
    pub(super) fn set_locale(&mut self, locale: Locale) -> bool {
        let is_new = self.locale != locale;
        if is_new {
            self.localizer = Localizer::new([Arc::clone(&locale.program)]);
            self.locale = locale;
        }
        is_new
    }

    /// A text in the language of the client.
    pub fn translate<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.localizer.translate(text)
    }

    /// A number of pieces as text, if the ruleset translates `{n} pieces`.
    pub fn pieces(&self, count: usize) -> Option<String> {
        let text = format!("{count} pieces");
        match self.translate(&text) {
            Cow::Owned(translated) => Some(translated),
            Cow::Borrowed(_) => None,
        }
    }

    pub(super) fn localize(&mut self, message: &mut FromHost) {
        if let FromHost::Answer(answer) = message
            && let Reply::Description(description) = &mut answer.reply
        {
            self.learn_texts(description);
        }
        if self.localizer.is_empty() {
            return;
        }
        match message {
            FromHost::Answer(answer) => self.localize_reply(&mut answer.reply),
            FromHost::Notice(notice) => self.localize_notice(notice),
        }
    }

    /// Takes the texts of the ruleset out of its description.
    fn learn_texts(&mut self, description: &mut Description) {
        // The texts of all languages are large; they are asked for again when the language changes.
        let mut languages = std::mem::take(&mut description.languages);
        let own = languages.remove(&self.locale.language);
        let book = own.map(|own| {
            description.help = own.help;
            MessageCatalog::new(&self.locale.language, &own.texts)
        });
        self.localizer = Localizer::new([Arc::new(book.unwrap_or_default()), Arc::clone(&self.locale.program)]);
    }

    fn localize_reply(&self, reply: &mut Reply) {
        match reply {
            Reply::Description(description) => self.localize_description(description),
            Reply::Looks(looks) => self.localize_looks(looks),
            Reply::Preview(preview) => self.localize_looks(&mut preview.looks),
            Reply::Domain { domain: _, prompt, marks } => {
                self.replace(prompt);
                self.replace_all(marks.iter_mut().flat_map(|mark| mark.title.iter_mut().chain(&mut mark.text)));
            }
            Reply::Legal { at: _, actions, outcome } => {
                self.localize_actions(actions);
                self.replace_all(outcome.iter_mut().map(|outcome| &mut outcome.reason));
            }
            Reply::History(history) => {
                let entries = history.entries.iter_mut().chain(history.variations.iter_mut().flatten());
                entries.for_each(|entry| self.localize_entry(entry));
            }
            Reply::Exported { file: _, left_out } => self.replace_all(left_out.iter_mut()),
            Reply::Refused(refusal) => self.replace(&mut refusal.reason),
            Reply::Fault(fault) => self.replace(&mut fault.message),
            Reply::Error { message } => self.replace(message),
            // The titles of cells are no part of the digest of a view.
            Reply::View(snapshot) => self.localize_view(snapshot),
            // Problems and what edits print are for authors of rulesets; the chat belongs to the players.
            Reply::Problems { .. }
            | Reply::Edited { .. }
            | Reply::Welcome { .. }
            | Reply::Done { .. }
            | Reply::Evaluation { .. }
            | Reply::HeatMap { .. }
            | Reply::Odds { .. }
            | Reply::Statistics(_)
            | Reply::Saved { .. }
            | Reply::ChatLog { .. } => {}
        }
    }

    fn localize_notice(&self, notice: &mut Notice) {
        match notice {
            Notice::Event(event) => {
                self.localize_entry(&mut event.entry);
                self.replace_all(event.draws.iter_mut().map(|draw| &mut draw.purpose));
                event.effects.iter_mut().for_each(|effect| self.localize_effect(effect));
                self.replace_all(event.outcome.iter_mut().map(|outcome| &mut outcome.reason));
            }
            Notice::Thinking(report) | Notice::Hint(report) => {
                self.replace_all(report.thoughts.iter_mut().map(|thought| &mut thought.text));
                self.localize_actions(&mut report.line);
            }
            Notice::Thoughts(report) => {
                let thoughts = report.thoughts.iter_mut().map(|thought| &mut thought.text);
                self.replace_all(thoughts.chain([&mut report.chosen]));
            }
            Notice::Reloaded { changes, declarations, .. } => {
                self.replace_all(changes);
                if let Some(declarations) = declarations {
                    self.localize_declarations(declarations);
                }
            }
            Notice::Paused(report) => {
                // Variables and expressions are those of a script.
                let thoughts = report.thoughts.iter_mut().map(|thought| &mut thought.text);
                let actions = report.evaluated.iter_mut().chain(&mut report.chosen);
                self.replace_all(thoughts.chain(actions));
            }
            Notice::Fault(fault) => self.replace(&mut fault.message),
            Notice::Message { text } | Notice::CutOff { reason: text } => self.replace(text),
            Notice::View(snapshot) => self.localize_view(snapshot),
            Notice::Turn { .. }
            | Notice::Players { .. }
            | Notice::Offers { .. }
            | Notice::Clocks { .. }
            | Notice::ThinkingEnded { .. }
            | Notice::Resumed { .. }
            | Notice::Problems { .. }
            | Notice::Reveal { .. }
            | Notice::Chat(_) => {}
        }
    }

    fn localize_description(&self, description: &mut Description) {
        self.replace(&mut description.title);
        self.replace(&mut description.scenario_title);
        self.replace(&mut description.map.title);
        for cell in &mut description.map.cells {
            if let Cow::Owned(translated) = self.translate(&cell.name) {
                cell.title = translated;
            }
        }
        self.localize_declarations(&mut description.declarations);
        self.replace_all(description.rules.iter_mut().map(|rule| &mut rule.text));
    }

    fn localize_view(&self, snapshot: &mut ViewSnapshot) {
        let explored = snapshot.state.sight.as_mut().and_then(|sight| sight.explored.as_mut());
        self.localize_explored(explored.map_or(&mut [], Vec::as_mut_slice));
    }

    fn localize_explored(&self, explored: &mut [ExploredCell]) {
        for cell in explored.iter_mut().filter(|cell| !cell.name.is_empty()) {
            if let Cow::Owned(translated) = self.translate(&cell.name) {
                cell.title = translated;
            }
        }
    }

    fn localize_looks(&self, looks: &mut Looks) {
        localize_looks(&self.localizer, looks);
    }

    fn localize_entry(&self, entry: &mut HistoryEntry) {
        // The notation of an edit is the command that was typed.
        if entry.cause != EntryCause::Edit {
            self.replace(&mut entry.notation);
        }
        self.replace(&mut entry.sentence);
        self.replace_all(entry.remarks.iter_mut().map(|remark| &mut remark.text));
        self.replace_all(entry.next_turn.iter_mut().map(|drawn| &mut drawn.text));
    }

    fn localize_effect(&self, effect: &mut Effect) {
        if let Effect::Rules {
            declarations: Some(change),
            ..
        } = effect
        {
            self.localize_declarations(Arc::make_mut(&mut change.old));
            self.localize_declarations(Arc::make_mut(&mut change.new));
        }
        if let Effect::Sight(change) = effect {
            self.localize_explored(&mut change.explored);
        }
    }

    fn localize_actions(&self, actions: &mut [LegalAction]) {
        self.replace_all(actions.iter_mut().map(|action| &mut action.notation));
    }

    fn localize_declarations(&self, declarations: &mut Declarations) {
        localize_declarations(&self.localizer, declarations);
    }

    fn replace<T: Deref<Target = str> + From<String>>(&self, text: &mut T) {
        replace(&self.localizer, text);
    }

    fn replace_all<'a, T: Deref<Target = str> + From<String> + 'a>(&self, texts: impl IntoIterator<Item = &'a mut T>) {
        for text in texts {
            self.replace(text);
        }
    }
}

/// Translates what a ruleset declares. Names stay as they are: scripts, files and messages identify things by them.
pub fn localize_declarations(localizer: &Localizer, declarations: &mut Declarations) {
    declarations.each_text(&mut |text| replace(localizer, text));
}

/// Translates what stands on cells, pieces and the panel.
pub fn localize_looks(localizer: &Localizer, looks: &mut Looks) {
    for look in looks.cells.values_mut() {
        look.label
            .iter_mut()
            .chain(&mut look.badge)
            .for_each(|text| replace(localizer, text));
    }
    for look in looks.pieces.values_mut() {
        let labels = look.vectors.iter_mut().flat_map(|vector| &mut vector.label);
        labels.chain(&mut look.badge).for_each(|text| replace(localizer, text));
    }
    for section in &mut looks.panel {
        replace(localizer, &mut section.title);
    }
    let in_sections = looks.panel.iter_mut().flat_map(|section| &mut section.lines);
    for line in in_sections.chain(&mut looks.left_to_do) {
        replace(localizer, &mut line.label);
        replace(localizer, &mut line.value);
        line.actions.iter_mut().for_each(|offered| replace(localizer, &mut offered.title));
    }
}

fn replace<T: Deref<Target = str> + From<String>>(localizer: &Localizer, text: &mut T) {
    if let Cow::Owned(translated) = localizer.translate(text) {
        *text = T::from(translated);
    }
}
