//! What a host says, in the language of the client: the texts of the ruleset and what the program itself says.
//!
//! A host speaks the language its ruleset was written in, and English itself; so do journals and saves. A client that speaks another language
//! looks up what it is told as it arrives. Names that stand for things in messages (of cells, of seats in files, words to choose among) stay
//! as they are; cells get a title, and [`Interpreter::say`] says what the others are called.

use std::borrow::Cow;
use std::sync::Arc;

use super::messages::{Description, FromHost, HistoryEntry, Notice, Preview, Reply, ThinkingReport, ThoughtsReport};
use crate::model::{Effect, Frame, FrameChange, Looks};
use crate::rules::Fault;
use crate::ruleset::{Phrasebook, Phrases};

/// A language that a client speaks, with what the program itself says in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tongue {
    /// The code of the language: `cs`.
    pub language: String,
    /// What the program says.
    pub program: Arc<Phrasebook>,
}

/// Says what a host tells in the language of a client.
#[derive(Clone, Debug, Default)]
pub struct Interpreter {
    tongue: Tongue,
    phrases: Phrases,
}

impl Interpreter {
    /// Speaks another language from now on; whether it is another one.
    pub(super) fn set_tongue(&mut self, tongue: Tongue) -> bool {
        let is_new = self.tongue != tongue;
        if is_new {
            self.phrases = Phrases::new([Arc::clone(&tongue.program)]);
            self.tongue = tongue;
        }
        is_new
    }

    /// What a text becomes.
    pub fn say<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.phrases.say(text)
    }

    /// What so many pieces of a seat are called, where the texts of the ruleset say it: as what they make of `{n} pieces`.
    pub fn pieces(&self, count: usize) -> Option<String> {
        let text = format!("{count} pieces");
        match self.say(&text) {
            Cow::Owned(said) => Some(said),
            Cow::Borrowed(_) => None,
        }
    }

    /// Puts what a host has sent into the language of the client.
    pub(super) fn hear(&mut self, message: &mut FromHost) {
        if let FromHost::Answer(answer) = message
            && let Reply::Description(description) = &mut answer.reply
        {
            self.learn(description);
        }
        if self.phrases.is_empty() {
            return;
        }
        match message {
            FromHost::Answer(answer) => self.hear_reply(&mut answer.reply),
            FromHost::Notice(notice) => self.hear_notice(notice),
        }
    }

    /// Takes the texts of a ruleset to hand.
    fn learn(&mut self, description: &mut Description) {
        // They are asked for again when the language changes, and would be many to carry around.
        let mut languages = std::mem::take(&mut description.languages);
        let own = languages.remove(&self.tongue.language);
        let book = own.map(|own| {
            description.help = own.help;
            Phrasebook::new(&self.tongue.language, &own.texts)
        });
        self.phrases = Phrases::new([Arc::new(book.unwrap_or_default()), Arc::clone(&self.tongue.program)]);
    }

    fn hear_reply(&self, reply: &mut Reply) {
        match reply {
            Reply::Description(description) => self.hear_description(description),
            Reply::Looks(looks) => self.hear_looks(looks),
            Reply::Preview(preview) => {
                let Preview {
                    effects: _,
                    looks,
                    is_certain: _,
                } = &mut **preview;
                self.hear_looks(looks);
            }
            Reply::Domain { domain: _, prompt } => self.put(prompt),
            Reply::Legal { at: _, actions, outcome } => {
                for action in actions {
                    self.put_text(&mut action.notation);
                }
                if let Some(outcome) = outcome {
                    self.put(&mut outcome.reason);
                }
            }
            Reply::History(history) => history.entries.iter_mut().for_each(|entry| self.hear_entry(entry)),
            Reply::Refused(refusal) => self.put(&mut refusal.reason),
            Reply::Fault(fault) => self.hear_fault(fault),
            Reply::Error { message } => self.put_text(message),
            // Views are positions, whose digests have to fit; problems are for those who write rulesets, as what is printed by hand; what players
            // say to one another is theirs.
            Reply::View(_)
            | Reply::Problems { .. }
            | Reply::ByHand { .. }
            | Reply::Welcome { .. }
            | Reply::Done { .. }
            | Reply::Evaluation { .. }
            | Reply::HeatMap { .. }
            | Reply::Odds { .. }
            | Reply::Statistics(_)
            | Reply::Saved { .. }
            | Reply::Said { .. } => {}
        }
    }

    fn hear_notice(&self, notice: &mut Notice) {
        match notice {
            Notice::Event(event) => {
                self.hear_entry(&mut event.entry);
                event.draws.iter_mut().for_each(|draw| self.put(&mut draw.purpose));
                event.effects.iter_mut().for_each(|effect| self.hear_effect(effect));
                if let Some(outcome) = &mut event.outcome {
                    self.put(&mut outcome.reason);
                }
            }
            Notice::Thinking(report) | Notice::Hint(report) => self.hear_thinking(report),
            Notice::Thoughts(report) => {
                let ThoughtsReport {
                    seat: _,
                    player: _,
                    chosen,
                    thoughts,
                } = &mut **report;
                self.put_text(chosen);
                for thought in thoughts {
                    self.put_text(&mut thought.text);
                }
            }
            Notice::Reloaded {
                changes,
                fingerprint: _,
                milliseconds: _,
                frame,
            } => {
                for change in changes {
                    self.put_text(change);
                }
                if let Some(frame) = frame {
                    self.hear_frame(frame);
                }
            }
            Notice::Halted(report) => {
                // Variables and expressions are those of a script.
                let said = report.thoughts.iter_mut().map(|thought| &mut thought.text);
                let actions = report.considered.iter_mut().chain(&mut report.chosen);
                said.chain(actions).for_each(|text| self.put_text(text));
            }
            Notice::Fault(fault) => self.hear_fault(fault),
            Notice::Message { text } => self.put_text(text),
            Notice::View(_)
            | Notice::Turn { .. }
            | Notice::Players { .. }
            | Notice::Thought { .. }
            | Notice::WentOn { .. }
            | Notice::Problems { .. }
            | Notice::Said(_) => {}
        }
    }

    fn hear_description(&self, description: &mut Description) {
        self.put_text(&mut description.title);
        self.put_text(&mut description.scenario_title);
        self.put_text(&mut description.map.title);
        for cell in &mut description.map.cells {
            if let Cow::Owned(said) = self.say(&cell.name) {
                cell.title = said;
            }
        }
        self.hear_frame(&mut description.frame);
        for rule in &mut description.rules {
            self.put_text(&mut rule.text);
        }
    }

    fn hear_looks(&self, looks: &mut Looks) {
        for look in looks.cells.values_mut() {
            [&mut look.label, &mut look.badge]
                .into_iter()
                .flatten()
                .for_each(|text| self.put(text));
        }
        for look in looks.pieces.values_mut() {
            look.badge.iter_mut().for_each(|text| self.put(text));
            let labels = look.vectors.iter_mut().filter_map(|vector| vector.label.as_mut());
            labels.for_each(|text| self.put(text));
        }
        for (label, value) in &mut looks.panel {
            self.put(label);
            self.put(value);
        }
    }

    fn hear_entry(&self, entry: &mut HistoryEntry) {
        // What was changed by hand is written in words that are typed.
        if !entry.by_hand {
            self.put(&mut entry.notation);
        }
        entry.remarks.iter_mut().for_each(|remark| self.put_text(remark));
    }

    fn hear_effect(&self, effect: &mut Effect) {
        if let Effect::Rules { frames: Some(change), .. } = effect {
            let FrameChange { old, new, .. } = &mut **change;
            self.hear_frame(Arc::make_mut(old));
            self.hear_frame(Arc::make_mut(new));
        }
    }

    fn hear_thinking(&self, report: &mut ThinkingReport) {
        report.line.iter_mut().for_each(|action| self.put_text(&mut action.notation));
    }

    fn hear_fault(&self, fault: &mut Fault) {
        self.put_text(&mut fault.message);
    }

    /// What is declared. Names stay: scripts, files and messages know things by them.
    fn hear_frame(&self, frame: &mut Frame) {
        frame.each_text(&mut |text| self.put(text));
    }

    fn put(&self, text: &mut Arc<str>) {
        if let Cow::Owned(said) = self.say(text) {
            *text = Arc::from(said);
        }
    }

    fn put_text(&self, text: &mut String) {
        if let Cow::Owned(said) = self.say(text) {
            *text = said;
        }
    }
}
