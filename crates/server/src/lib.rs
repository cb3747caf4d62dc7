//! Runs matches for clients.
//!
//! A [`Session`] owns one match, on a thread of its own or on one that it shares with others ([`SessionPool`]). Clients join it through a [`SessionHandle`], send
//! [`Request`](boardwright_protocol::Request)s, and receive answers and notices; whether they are in the same process,
//! at the end of a pipe ([`serve_lines`]) or behind a network makes no difference to it.
//!
//! The session only routes. Its parts own their fields: the match with its projections (`hosted_match`) and the log of who was shown which event
//! (`visibility_log`), who takes part (`roster`), who is gone (`absences`), what time seats have (`turn_clocks`), when computer players act (`clock`), their threads (`player_pool`), the `debugger`, the `chat`, the `offers`, the
//! `odds_cache`, the problems of the rules (`problems`), saves and the autosave (`saving`), the newest rules (`session/reload`) and their trial on
//! another thread (`session/rules_trial`). What waits for a client is bounded (`outbox`), and so is what computer players of a server take
//! (`served_players`).
//!
//! It promises that every request is answered exactly once, that nobody is sent what their seat may not see, and that neither a
//! client nor a fault of the rules ends a match. It names no file, no script engine and no window: what reads and writes files is
//! given to it as functions ([`SessionSetup`]).

mod absences;
mod chat;
mod clock;
mod debugger;
mod evaluation;
mod failure;
mod handle;
mod hosted_match;
mod lines;
mod mailbox;
mod odds_cache;
mod offers;
mod outbox;
mod player_pool;
mod problems;
mod program;
mod queries;
mod roster;
mod saving;
mod seat_views;
mod served_players;
mod session;
mod session_pool;
mod setup;
mod statistics;
mod stdio;
mod turn_clocks;
mod visibility_log;

pub use chat::{ChatEntry, KeepChat};
pub use handle::{Claim, Deliver, Joined, SessionHandle};
pub use lines::{MOST_BYTES as MOST_REQUEST_BYTES, message_line, parse as parse_request};
pub use outbox::{Inbox, MostWaiting, Outbox, json_bytes, must_be_sent, outbox};
pub use program::Program;
pub use queries::answer_about_view;
pub use served_players::ServedPlayers;
pub use session::{MOST_PACE_MILLISECONDS, Session};
pub use session_pool::SessionPool;
pub use setup::{
    Autosave, ClockSetup, MakePlayer, MatchInfo, NewRules, NewScenario, NotSaved, Receipt, Record, ReloadRules, RulesetInfo, SaveMatch,
    SeatNews, SessionError, SessionSetup, TellSeat, TimeSource,
};
pub use stdio::serve_lines;
