//! What players write to one another. It is kept with the session, and by whoever keeps its matches, and is no part of the match.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::failure::{Failure, ensure, error, refused};
use super::hosted_match::HostedMatch;
use super::roster::Roster;
use boardwright_host::ClientId;
use boardwright_model::{RefusalCode, SeatId, SeatSet, sentence};
use boardwright_protocol::{ChatLine, Notice, Reply};

/// The longest line, in characters.
const MOST_CHARS: usize = 500;
/// How many lines are kept; older ones are forgotten.
const MOST_LINES: usize = 500;

/// Something that happened in the chat of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatEntry {
    /// A line was said.
    Line(ChatLine),
    /// Somebody has left a seat, or another one has taken it: what was said before in private is not theirs.
    SeatChanged(SeatId),
}

/// Keeps a line that was said, for the next session of the match.
pub type KeepChat = Box<dyn FnMut(&ChatEntry) + Send>;

/// The stretch of time in which a client says so many lines at most.
const STRETCH: Duration = Duration::from_secs(10);

#[derive(Default)]
pub(super) struct Chat {
    lines: VecDeque<KeptLine>,
    keep: Option<KeepChat>,
    /// How many lines a client says in [`STRETCH`] at most; without it as many as it likes.
    pace: Option<usize>,
    /// When each client said its newest lines.
    spoken: BTreeMap<ClientId, VecDeque<Instant>>,
}

#[derive(Debug)]
struct KeptLine {
    line: ChatLine,
    /// The seats that somebody else holds since: what was said in private to who held them before is not theirs.
    changed: SeatSet,
}

impl Chat {
    /// A chat in which something was said before.
    pub(super) fn new(entries: Vec<ChatEntry>, keep: Option<KeepChat>, pace: Option<usize>) -> Self {
        let mut chat = Self {
            keep,
            pace,
            ..Self::default()
        };
        for entry in entries {
            match entry {
                ChatEntry::Line(line) => chat.add(line),
                ChatEntry::SeatChanged(seat) => chat.seat_changed(seat),
            }
        }
        chat
    }

    fn add(&mut self, line: ChatLine) {
        if self.lines.len() >= MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(KeptLine {
            line,
            changed: SeatSet::EMPTY,
        });
    }

    /// Sends a line of a client to those it is for, the client itself among them.
    pub(super) fn post(
        &mut self,
        game: &HostedMatch,
        roster: &mut Roster,
        client: ClientId,
        text: &str,
        (from, to): (Option<SeatId>, Option<SeatId>),
    ) -> Result<(), Failure> {
        if let Some(seat) = from {
            roster.check_seat_of(client, seat)?;
        }
        let held = roster.seats_of(client);
        let acting = || game.state().acting().iter().find(|seat| held.contains(*seat));
        let from = from.or_else(acting).or_else(|| held.first());
        if let Some(to) = to {
            game.check_seat(to)?;
            let reason = sentence!("spectators can write to everyone only");
            ensure(from.is_some(), || refused(RefusalCode::NotYourSeat, reason))?;
        }
        let text = text.trim();
        let (most, length) = (MOST_CHARS, text.chars().count());
        ensure(length > 0, || error(sentence!("the message is empty")))?;
        ensure(!text.contains(char::is_control), || {
            error(sentence!("a message is one line of text"))
        })?;
        ensure(length <= most, || {
            error(sentence!("what is said has at most {most} characters, not {length}"))
        })?;
        self.check_pace(client)?;
        let line = ChatLine {
            from,
            to,
            text: text.to_owned(),
        };
        for reader in roster.clients() {
            if may_read(roster, reader, &line, SeatSet::EMPTY) {
                roster.notify(reader, Notice::Chat(line.clone()));
            }
        }
        let entry = ChatEntry::Line(line.clone());
        if let Some(keep) = &mut self.keep {
            keep(&entry);
        }
        self.add(line);
        Ok(())
    }

    /// Counts a line of a client, unless it says too much.
    fn check_pace(&mut self, client: ClientId) -> Result<(), Failure> {
        let Some(most) = self.pace else { return Ok(()) };
        let now = Instant::now();
        let spoken = self.spoken.entry(client).or_default();
        while spoken.pop_front_if(|at| now.duration_since(*at) >= STRETCH).is_some() {}
        let seconds = STRETCH.as_secs();
        ensure(spoken.len() < most, || {
            refused(
                RefusalCode::Policy,
                sentence!("at most {most} messages are said in {seconds} seconds: wait a moment"),
            )
        })?;
        spoken.push_back(now);
        Ok(())
    }

    /// Forgets a client that has left.
    pub(super) fn leave(&mut self, client: ClientId) {
        self.spoken.remove(&client);
    }

    /// Somebody has left a seat, or another one has taken it.
    pub(super) fn seat_changed(&mut self, seat: SeatId) {
        for kept in &mut self.lines {
            kept.changed = kept.changed.with(seat);
        }
    }

    /// The lines that a client may read: those for everyone, and those from or to a seat that it holds.
    pub(super) fn lines_for(&self, roster: &Roster, client: ClientId) -> Reply {
        let lines = self.lines.iter().filter(|kept| may_read(roster, client, &kept.line, kept.changed));
        Reply::ChatLog {
            lines: lines.map(|kept| kept.line.clone()).collect(),
        }
    }
}

fn may_read(roster: &Roster, client: ClientId, line: &ChatLine, changed: SeatSet) -> bool {
    let held = roster.seats_of(client);
    let mut seats = [line.from, line.to].into_iter().flatten();
    line.to.is_none() || seats.any(|seat| held.contains(seat) && !changed.contains(seat))
}
