//! When a match is saved: on request, and by the autosave after each change.

use super::failure::{Answered, Failure, error, refused};
use super::hosted_match::HostedMatch;
use super::mailbox::Mailbox;
use super::roster::Roster;
use super::setup::{Autosave, MatchInfo, NotSaved, Receipt, Record, SaveMatch};
use boardwright_model::{RefusalCode, Sentence, sentence};
use boardwright_players::PlayerSpec;
use boardwright_protocol::Reply;

#[derive(PartialEq, Eq)]
struct Mark {
    position: usize,
    length: usize,
    last: u64,
    revision: u64,
    players: Vec<PlayerSpec>,
}

/// What is saved beside the match: ruleset, scenario and map, and what seats have left on their clocks.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    pub(super) info: &'a MatchInfo,
    pub(super) clocks: Option<&'a [u64]>,
}

pub(super) struct Saving {
    save: Option<SaveMatch>,
    export: Option<SaveMatch>,
    autosave: Option<Autosave>,
    autosaved: Option<Mark>,
}

impl Saving {
    pub(super) fn new(save: Option<SaveMatch>, autosave: Option<Autosave>, export: Option<SaveMatch>) -> Self {
        Self {
            save,
            export,
            autosave,
            autosaved: None,
        }
    }

    pub(super) fn save(&mut self, game: &HostedMatch, roster: &Roster, info: &MatchInfo, file: Option<&str>, overwrite: bool) -> Answered {
        let Some(save) = &mut self.save else {
            return Err(error(sentence!("this match cannot be saved")));
        };
        let record = Record {
            file,
            overwrite,
            ..record(game, roster, info)
        };
        let file = save(&record).map_err(failure)?;
        Ok(Reply::Saved { file })
    }

    /// Writes a scenario that begins where the match stands.
    pub(super) fn export(
        &mut self,
        game: &HostedMatch,
        roster: &Roster,
        info: &MatchInfo,
        file: Option<&str>,
        overwrite: bool,
    ) -> Answered {
        let Some(export) = &mut self.export else {
            return Err(error(sentence!("no scenario can be made of this match")));
        };
        let record = Record {
            file,
            overwrite,
            ..record(game, roster, info)
        };
        let file = export(&record).map_err(failure)?;
        let mut left_out = vec![
            sentence!("what happened so far is not in it: there is nothing to undo"),
            sentence!("luck is drawn again"),
        ];
        if game.state().declarations().counts_positions {
            left_out.push(sentence!("position repetitions are not carried over"));
        }
        let left_out = left_out.into_iter().map(String::from).collect();
        Ok(Reply::Exported { file, left_out })
    }

    /// Saves the match if it has changed since the last time. Returns what everyone is to be told.
    pub(super) fn autosave(&mut self, game: &HostedMatch, roster: &mut Roster, beside: Beside<'_>, to: &Mailbox) -> Option<Sentence> {
        let autosave = self.autosave.as_mut()?;
        let mark = Mark {
            position: game.position(),
            length: game.journal().events().len(),
            last: game.journal().events().last().map_or(0, |event| event.digest),
            revision: game.revision(),
            players: roster.players().to_vec(),
        };
        if self.autosaved.as_ref() == Some(&mark) {
            return None;
        }
        self.autosaved = Some(mark);
        let receipt = Receipt {
            number: roster.begin_change(),
            to: to.clone(),
            is_lost: false,
        };
        let record = Record {
            clocks: beside.clocks.map(<[u64]>::to_vec),
            ..record(game, roster, beside.info)
        };
        autosave(&record, receipt)
    }

    /// Has the match saved again though nothing has happened in it.
    pub(super) fn forget_last(&mut self) {
        self.autosaved = None;
    }
}

fn failure(not_saved: NotSaved) -> Failure {
    match not_saved {
        NotSaved::WouldOverwrite(why) => refused(RefusalCode::WouldOverwrite, why),
        NotSaved::Failed(why) => error(why),
    }
}

fn record<'a>(game: &'a HostedMatch, roster: &'a Roster, info: &'a MatchInfo) -> Record<'a> {
    Record {
        start: game.start(),
        playing: game.playing(),
        players: roster.players(),
        info,
        clocks: None,
        file: None,
        overwrite: false,
    }
}
