//! What players write to one another. It is kept with the session and is no part of the match.

use super::failure::{Failure, ensure, error, refused};
use super::hosted_match::HostedMatch;
use super::roster::Roster;
use boardwright_host::ClientId;
use boardwright_model::{RefusalCode, SeatId, sentence};
use boardwright_protocol::{ChatLine, Notice, Reply};

/// The longest line, in characters.
const MOST_CHARS: usize = 500;
/// How many lines are kept; older ones are forgotten.
const MOST_LINES: usize = 500;

#[derive(Debug, Default)]
pub(super) struct Chat {
    lines: Vec<ChatLine>,
}

impl Chat {
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
        let line = ChatLine {
            from,
            to,
            text: text.to_owned(),
        };
        for reader in roster.clients() {
            if may_read(roster, reader, &line) {
                roster.notify(reader, Notice::Chat(line.clone()));
            }
        }
        if self.lines.len() >= MOST_LINES {
            self.lines.remove(0);
        }
        self.lines.push(line);
        Ok(())
    }

    /// The lines that a client may read: those for everyone, and those from or to a seat that it holds.
    pub(super) fn lines_for(&self, roster: &Roster, client: ClientId) -> Reply {
        let lines = self.lines.iter().filter(|line| may_read(roster, client, line));
        Reply::ChatLog {
            lines: lines.cloned().collect(),
        }
    }
}

fn may_read(roster: &Roster, client: ClientId, line: &ChatLine) -> bool {
    let held = roster.seats_of(client);
    line.to.is_none() || [line.from, line.to].into_iter().flatten().any(|seat| held.contains(seat))
}
