//! Tells another program of people who are not there that it is their turn, or that their match has ended: it may send them a mail.
//!
//! A thread of its own sends, so that no match waits for it. What cannot be sent is tried again with longer and longer pauses, and given up after
//! some; when too much waits, the newest is left out.

use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread;
use std::time::Duration;

use serde::Serialize;

use super::encryption::http_config;

/// The most that waits to be sent.
const MOST_WAITING: usize = 1_000;
/// How often something is tried to be sent.
const MOST_TRIES: u32 = 6;
/// How long an answer may take.
const MOST_ANSWERING: Duration = Duration::from_secs(10);

/// What is sent, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WebhookMessage {
    /// The id of the match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The name of the seat.
    pub seat: String,
    /// The name of who holds it.
    pub name: String,
    /// `your-turn` or `ended`.
    pub event: &'static str,
}

/// Where it is sent.
#[derive(Clone, Debug)]
pub struct Webhook {
    to: SyncSender<WebhookMessage>,
}

impl Webhook {
    /// Sends to an address of HTTP or HTTPS. `first_pause` is how long it is waited before something is tried again; then twice as long, and so on.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(url: String, first_pause: Duration) -> std::io::Result<Self> {
        let (to, waiting) = mpsc::sync_channel(MOST_WAITING);
        thread::Builder::new()
            .name("webhook".to_owned())
            .spawn(move || send_all(&url, first_pause, &waiting))?;
        Ok(Self { to })
    }

    /// Sends something as soon as it can be. Never waits.
    pub(super) fn send(&self, message: WebhookMessage) {
        match self.to.try_send(message) {
            Ok(()) => {}
            Err(TrySendError::Full(message)) => {
                tracing::warn!(
                    match_id = message.match_id,
                    "too much waits for the webhook: {} is left out",
                    message.event
                );
            }
            Err(TrySendError::Disconnected(_)) => tracing::error!("the thread of the webhook is gone"),
        }
    }
}

fn send_all(url: &str, first_pause: Duration, waiting: &Receiver<WebhookMessage>) {
    let agent = ureq::Agent::from(http_config(MOST_ANSWERING).build());
    while let Ok(message) = waiting.recv() {
        let mut pause = first_pause;
        for attempt in 1..=MOST_TRIES {
            match agent.post(url).send_json(&message) {
                Ok(_) => break,
                Err(error) if attempt == MOST_TRIES => {
                    tracing::error!(
                        match_id = message.match_id,
                        "the webhook was not told of {}: {error}",
                        message.event
                    );
                }
                Err(error) => {
                    tracing::warn!(match_id = message.match_id, "the webhook is tried again in {pause:?}: {error}");
                    thread::sleep(pause);
                    pause *= 2;
                }
            }
        }
    }
}
