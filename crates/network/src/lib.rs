//! Matches over the network.
//!
//! A [`Lobby`] is where people find matches: they create one, take a seat, wait, play, leave and come back. It keeps every match in a
//! [`Store`](boardwright_store::Store), opens it when somebody comes to play, and closes it when nobody is left; what was played is on disk before
//! anybody is told of it. [`serve`] puts a lobby behind HTTP and each match behind a web socket, [`RemoteLink`] is the other end of one.
//!
//! It promises that a seat belongs to whoever holds its token, that nobody who comes over the network has the rights of a host, that nothing
//! that a client sends or leaves unread takes more than a bounded amount of memory, and that no answered action is lost when the program is
//! killed.
//!
//! - `lobby`: creating, joining, leaving, opening and closing matches
//! - `open_matches`: the matches that run
//! - `journal_writer`: the changes of a match on their way to the store
//! - `first_numbers`: what players give for the luck of the beginning, where it can be verified
//! - `passwords`: passwords of matches
//! - `kept_rules`: the rules of servers that players keep
//! - `mirror_answers`: questions that a client answers itself, from its mirror
//! - `kept_tokens`: the tokens that players keep for coming back
//! - `token`: tokens of seats and creators
//! - `api`: the lobby over HTTP
//! - `gate`: what one address may take
//! - `moderation`: who is banned, and which matches are paused
//! - `nodes`, `forwarding`: several servers that share a store: who runs a match, and clients who come to another one
//! - `client_list`: the clients that are connected
//! - `console`: what operators say to a server
//! - `admin_socket`: the console behind sockets of the file system
//! - `connections`: how many connections there are, and for how long
//! - `socket`: a match over a web socket
//! - `text_port`, `text_desk`: text protocols of rulesets: connections, and who plays over them
//! - `remote_link`: the client's end of a web socket
//! - `round_trip`: how long a message and its answer take
//! - `load`: a server under load, measured from outside
//! - `encryption`: connections to other servers
//! - `webhook`: people who are not there are told that it is their turn
//! - `metrics`: what operators watch

#[cfg(unix)]
mod admin_socket;
mod api;
mod client_list;
mod connections;
mod console;
mod encryption;
mod first_numbers;
mod forwarding;
mod gate;
mod journal_writer;
mod kept_rules;
mod kept_tokens;
mod load;
mod lobby;
mod metrics;
mod mirror_answers;
mod moderation;
mod nodes;
mod open_matches;
mod passwords;
mod remote_link;
mod round_trip;
mod socket;
mod text_desk;
mod text_port;
mod token;
mod webhook;

#[cfg(unix)]
pub use admin_socket::AdminSocket;
pub use api::{Limits, Server, serve, serve_with_text};
pub use client_list::ConnectedClient;
pub use console::{Console, Role};
pub use gate::AddressLimits;
pub use kept_rules::KeptRules;
pub use kept_tokens::{KeptTokens, kept_nowhere};
pub use load::{Latencies, Load, put_under_load};
pub use lobby::{
    CreateMatch, FakeTime, JoinMatch, Lobby, LobbyError, LobbyOptions, MatchPolicy, MatchSummary, OutOfTime, RulesetSummary,
    ScenarioSummary, SeatState, SeatSummary,
};
pub use moderation::{Banned, Moderation};
pub use remote_link::{RemoteError, RemoteLink, RemoteLobby, TakenSeat};
pub use text_port::TextPort;
pub use token::Token;
pub use webhook::{Webhook, WebhookMessage};
