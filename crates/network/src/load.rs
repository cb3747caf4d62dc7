//! A server under load: how long it takes to answer, and how much it carries. Everything is bounded by what is asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use boardwright_model::Action;
use boardwright_protocol::{Command, PROTOCOL, Request};

use super::encryption::{ClientSocket, open_socket};
use super::lobby::{CreateMatch, JoinMatch};
use super::remote_link::{RemoteError, RemoteLobby};

/// How long an answer may take before the measurement is given up.
const MOST_WAITING: Duration = Duration::from_mins(1);

/// What a server is put under.
#[derive(Clone, Debug)]
pub struct Load {
    /// How a match is created. All of its seats are played from here.
    pub wanted: CreateMatch,
    /// Actions that follow one another from the beginning of such a match, which has no luck. When they are through, another match is begun.
    pub actions: Arc<[Action]>,
    /// How many actions are played in each match that is measured.
    pub each: usize,
    /// How many matches are played at the same time, after one that is played alone.
    pub matches: usize,
    /// How many matches are opened in which nothing happens.
    pub idle: usize,
    /// How many spectators follow one match.
    pub spectators: usize,
    /// How often somebody comes back to a match in which so many actions were played as in each.
    pub rejoins: usize,
}

/// How long something took that was done many times.
#[derive(Clone, Debug, PartialEq)]
pub struct Latencies {
    /// What was done.
    pub what: String,
    /// How long all of it took together.
    pub all: Duration,
    times: Vec<Duration>,
}

impl Latencies {
    /// Of times in any order.
    pub fn new(what: impl Into<String>, all: Duration, mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self {
            what: what.into(),
            all,
            times,
        }
    }

    /// How often it was done.
    pub fn count(&self) -> usize {
        self.times.len()
    }

    /// The time that so many of a hundred took at most; zero if it was never done.
    pub fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.times.len() * percent).div_ceil(100).saturating_sub(1);
        self.times.get(rank).copied().unwrap_or_default()
    }

    /// How often it was done in a second, all at the same time.
    pub fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.all.as_secs_f64().max(f64::EPSILON)
    }
}

/// Puts a server under load, one kind after the other.
///
/// # Errors
/// If the server cannot be reached, says no or does not answer.
pub async fn put_under_load(address: &str, load: &Load) -> Result<Vec<Latencies>, RemoteError> {
    let runner = Arc::new(Runner {
        lobby: RemoteLobby::new(address),
        load: load.clone(),
    });
    let mut report = Vec::new();
    report.push(runner.play(1, "actions in one match alone").await?);
    if load.matches > 1 {
        report.push(runner.play(load.matches, &format!("actions in {} matches", load.matches)).await?);
    }
    if load.idle > 0 {
        report.push(runner.open_idle().await?);
    }
    if load.spectators > 0 {
        report.push(runner.show().await?);
    }
    if load.rejoins > 0 {
        report.push(runner.come_back().await?);
    }
    Ok(report)
}

struct Runner {
    lobby: RemoteLobby,
    load: Load,
}

/// A client of a match, which reads no more of messages than it needs.
struct Client {
    socket: ClientSocket,
    id: u64,
}

/// What is read of a message.
#[derive(serde::Deserialize)]
struct Seen<'a> {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    reply: Option<&'a str>,
    #[serde(default)]
    notice: Option<&'a str>,
}

fn lost(error: impl std::fmt::Display) -> RemoteError {
    RemoteError::Unreachable(error.to_string())
}

impl Client {
    async fn open(lobby: &RemoteLobby, id: &str, tokens: &[String]) -> Result<Self, RemoteError> {
        let (mut socket, _) = timeout(MOST_WAITING, open_socket(lobby.socket(id)))
            .await
            .map_err(lost)?
            .map_err(lost)?;
        let hello = json!({"protocol": PROTOCOL, "tokens": tokens}).to_string();
        socket.send(Message::text(hello)).await.map_err(lost)?;
        let mut client = Self { socket, id: 0 };
        client.ask(Command::Hello { protocol: PROTOCOL }).await?;
        Ok(client)
    }

    /// Lets messages come until one is wanted.
    async fn hear(&mut self, is_wanted: impl Fn(&Seen<'_>) -> bool) -> Result<String, RemoteError> {
        loop {
            let message = timeout(MOST_WAITING, self.socket.next()).await.map_err(lost)?;
            match message {
                Some(Ok(Message::Text(text))) => {
                    // What cannot be read without copying is not what is waited for.
                    if serde_json::from_str(&text).is_ok_and(|seen| is_wanted(&seen)) {
                        return Ok(text.to_string());
                    }
                }
                Some(Ok(Message::Close(frame))) => return Err(lost(frame.map_or_else(String::new, |frame| frame.reason.to_string()))),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(lost(error)),
                None => return Err(lost("the connection has ended")),
            }
        }
    }

    async fn ask(&mut self, command: Command) -> Result<(), RemoteError> {
        self.id += 1;
        let id = self.id;
        let line = serde_json::to_string(&Request { id, command }).map_err(lost)?;
        self.socket.send(Message::text(line)).await.map_err(lost)?;
        let answer = self.hear(|seen| seen.reply.is_some() && seen.id == Some(id)).await?;
        let is_no = ["error", "refused", "fault"]
            .iter()
            .any(|no| answer.contains(&format!("\"reply\":\"{no}\"")));
        if is_no { Err(RemoteError::Refused(answer)) } else { Ok(()) }
    }

    async fn close(mut self) {
        drop(timeout(MOST_WAITING, self.socket.close(None)).await);
    }
}

impl Runner {
    /// A match of which every seat is held; its id and tokens.
    async fn begin(&self) -> Result<(String, Vec<String>), RemoteError> {
        let (lobby, wanted) = (self.lobby.clone(), self.load.wanted.clone());
        let begun = spawn_blocking(move || {
            let (found, _) = lobby.create(&wanted)?;
            let join = |number: usize| {
                let who = JoinMatch {
                    name: format!("Player {number}"),
                    ..JoinMatch::default()
                };
                Ok(lobby.join(&found.id, &who)?.1)
            };
            let tokens = (1..=found.seats.len()).map(join).collect::<Result<_, RemoteError>>()?;
            Ok((found.id, tokens))
        });
        begun.await.map_err(lost)?
    }

    async fn open(&self) -> Result<(String, Vec<String>, Client), RemoteError> {
        let (id, tokens) = self.begin().await?;
        let client = Client::open(&self.lobby, &id, &tokens).await?;
        Ok((id, tokens, client))
    }

    /// Actions from the beginning of a match, of which the first event is its beginning.
    async fn act(&self, client: &mut Client, count: usize, times: &mut Vec<Duration>) -> Result<(), RemoteError> {
        for (index, action) in self.load.actions.iter().take(count).enumerate() {
            let (action, begun) = (action.clone(), Instant::now());
            client.ask(Command::Submit { action, at: index + 1 }).await?;
            times.push(begun.elapsed());
        }
        Ok(())
    }

    /// Plays matches at the same time. What is measured is from an action to its answer.
    async fn play(self: &Arc<Self>, matches: usize, what: &str) -> Result<Latencies, RemoteError> {
        let mut clients = Vec::new();
        for _ in 0..matches {
            clients.push(self.open().await?.2);
        }
        let mut playing = JoinSet::new();
        let begun = Instant::now();
        for mut client in clients {
            let runner = Arc::clone(self);
            playing.spawn(async move {
                let mut times = Vec::with_capacity(runner.load.each);
                loop {
                    let left = runner.load.each - times.len();
                    runner.act(&mut client, left, &mut times).await?;
                    if times.len() >= runner.load.each {
                        client.close().await;
                        return Ok::<_, RemoteError>(times);
                    }
                    client.close().await;
                    client = runner.open().await?.2;
                }
            });
        }
        let mut times = Vec::new();
        while let Some(played) = playing.join_next().await {
            times.extend(played.map_err(lost)??);
        }
        Ok(Latencies::new(what, begun.elapsed(), times))
    }

    /// Opens matches and leaves them open. What is measured is from the connection to the first answer.
    async fn open_idle(&self) -> Result<Latencies, RemoteError> {
        let mut begun = Vec::new();
        for _ in 0..self.load.idle {
            begun.push(self.begin().await?);
        }
        let (mut clients, mut times) = (Vec::new(), Vec::new());
        let all = Instant::now();
        for (id, tokens) in &begun {
            let one = Instant::now();
            clients.push(Client::open(&self.lobby, id, tokens).await?);
            times.push(one.elapsed());
        }
        let all = all.elapsed();
        let what = format!("openings of a match, up to {} open", clients.len());
        for client in clients {
            client.close().await;
        }
        Ok(Latencies::new(what, all, times))
    }

    /// Plays a match before spectators. What is measured is from an action until the last of them has heard of it.
    async fn show(self: &Arc<Self>) -> Result<Latencies, RemoteError> {
        let (id, _, mut player) = self.open().await?;
        let count = self.load.actions.len().min(self.load.each);
        let heard: Arc<[AtomicUsize]> = (0..count).map(|_| AtomicUsize::new(0)).collect();
        let all_heard = Arc::new(tokio::sync::Notify::new());
        let mut watching = JoinSet::new();
        for _ in 0..self.load.spectators {
            let mut client = Client::open(&self.lobby, &id, &[]).await?;
            let (heard, all_heard, spectators) = (Arc::clone(&heard), Arc::clone(&all_heard), self.load.spectators);
            watching.spawn(async move {
                for action in heard.iter() {
                    client.hear(|seen| seen.notice == Some("event")).await?;
                    if action.fetch_add(1, Ordering::Relaxed) + 1 == spectators {
                        all_heard.notify_one();
                    }
                }
                client.close().await;
                Ok::<_, RemoteError>(())
            });
        }
        let mut times = Vec::new();
        let begun = Instant::now();
        for index in 0..count {
            let one = Instant::now();
            let action = self.load.actions.get(index).cloned();
            let Some(action) = action else { break };
            player.ask(Command::Submit { action, at: index + 1 }).await?;
            timeout(MOST_WAITING, all_heard.notified()).await.map_err(lost)?;
            times.push(one.elapsed());
        }
        let all = begun.elapsed();
        while let Some(watched) = watching.join_next().await {
            watched.map_err(lost)??;
        }
        player.close().await;
        let what = format!("actions until {} spectators know", self.load.spectators);
        Ok(Latencies::new(what, all, times))
    }

    /// Comes back to a match. What is measured is from the connection until the client has all that a window shows.
    async fn come_back(&self) -> Result<Latencies, RemoteError> {
        let (id, tokens, mut stays) = self.open().await?;
        let count = self.load.actions.len().min(self.load.each);
        self.act(&mut stays, count, &mut Vec::new()).await?;
        let (mut times, all) = (Vec::new(), Instant::now());
        for _ in 0..self.load.rejoins {
            let one = Instant::now();
            let mut client = Client::open(&self.lobby, &id, tokens.get(..1).unwrap_or_default()).await?;
            client.ask(Command::Describe).await?;
            client.ask(Command::View { seat: None }).await?;
            client.ask(Command::History { seat: None, from: 0 }).await?;
            times.push(one.elapsed());
            client.close().await;
        }
        let all = all.elapsed();
        stays.close().await;
        Ok(Latencies::new(format!("comings back after {count} actions"), all, times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_times_that_were_measured() {
        let times = (1..=200).rev().map(Duration::from_millis).collect();
        let latencies = Latencies::new("things", Duration::from_secs(2), times);
        let of = |percent| latencies.percentile(percent).as_millis();
        assert_eq!((of(0), of(50), of(99), of(100)), (1, 100, 198, 200));
        assert!((latencies.per_second() - 100.0).abs() < 1e-9);
        let nothing = Latencies::new("nothing", Duration::ZERO, Vec::new());
        assert_eq!((nothing.count(), nothing.percentile(50)), (0, Duration::ZERO));
    }
}
