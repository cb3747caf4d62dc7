//! The console of a server: what operators say to it, line by line, and what it answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::{Notify, mpsc};
use tokio::task::spawn_blocking;

use boardwright_model::SeatId;
use boardwright_protocol::{Command as Ask, FromHost, Notice, Reply, SeatEvent};
use boardwright_server::{Claim, Joined};
use boardwright_store::{MatchId, Node, Status};

use super::lobby::{Lobby, LobbyError, MatchSummary, SeatState};
use super::moderation::Banned;

/// The most messages of watched matches that wait to be written; more are left out.
const MOST_WATCHED: usize = 1_000;

/// What somebody may say to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// To look, and to keep order: no changes of matches, no files, no end of the server.
    Moderator,
    /// Everything.
    Operator,
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Moderator => "moderator",
            Self::Operator => "operator",
        })
    }
}

/// A command: how it is written, who may give it, and what it does.
struct Known {
    form: &'static str,
    role: Role,
    help: &'static str,
}

const fn known(form: &'static str, role: Role, help: &'static str) -> Known {
    Known { form, role, help }
}

const COMMANDS: &[Known] = &[
    known("help [COMMAND]", Role::Moderator, "lists the commands, or explains one"),
    known(
        "list [waiting|playing|ended]",
        Role::Moderator,
        "lists matches, those changed last first, private ones too; those that wait and are played if no status is given",
    ),
    known(
        "show MATCH",
        Role::Moderator,
        "shows a match: its seats, who holds them, and the clients that are connected",
    ),
    known(
        "clients",
        Role::Moderator,
        "lists the clients of matches that are connected, with their addresses",
    ),
    known(
        "watch MATCH",
        Role::Moderator,
        "prints what happens in a match, as spectators see it, until `unwatch`",
    ),
    known("unwatch [MATCH]", Role::Moderator, "stops watching a match, or all of them"),
    known(
        "kick MATCH SEAT",
        Role::Moderator,
        "frees a seat: whoever holds it is disconnected, and the token is worthless",
    ),
    known(
        "disconnect ADDRESS",
        Role::Moderator,
        "disconnects the clients of an address or a range of them; they may come again",
    ),
    known(
        "ban address ADDRESS [REASON]",
        Role::Moderator,
        "bans an address or a range, such as 192.0.2.0/24, and disconnects its clients; the reason is told to them",
    ),
    known(
        "ban name NAME",
        Role::Moderator,
        "lets nobody of this name take a seat; who holds one keeps it until `kick`",
    ),
    known(
        "unban address ADDRESS",
        Role::Moderator,
        "lifts a ban of an address or a range, as `bans` shows it",
    ),
    known("unban name NAME", Role::Moderator, "lifts a ban of a name"),
    known("bans", Role::Moderator, "lists bans"),
    known(
        "pause MATCH",
        Role::Moderator,
        "pauses a match: nobody acts in it, computer players neither, also after a restart",
    ),
    known("resume MATCH", Role::Moderator, "lets a paused match go on"),
    known(
        "nodes",
        Role::Moderator,
        "lists the servers that share the store, and how many matches are run by each",
    ),
    known("announce TEXT", Role::Moderator, "tells all clients of matches something"),
    known("tell MATCH TEXT", Role::Moderator, "tells the clients of a match something"),
    known(
        "save MATCH [FILE]",
        Role::Operator,
        "writes a match as a save, hidden things included; without a file into `saves` in the data folder",
    ),
    known(
        "load FILE [NAME]",
        Role::Operator,
        "makes a match of a save, with free seats for its people, in which it goes on when they are taken",
    ),
    known(
        "reload MATCH",
        Role::Operator,
        "reads the rules of a match again from its ruleset's files, if its policy is `supervised`; broken ones leave those in force",
    ),
    known(
        "edit MATCH [COMMAND]",
        Role::Operator,
        "changes a match past its rules, if its policy is `supervised`; without a command it lists the edit commands",
    ),
    known("stop", Role::Operator, "stops the server when everything is stored"),
];

/// The console of a server, for who has a role.
#[derive(Clone, Debug)]
pub struct Console {
    lobby: Arc<Lobby>,
    role: Role,
    saves: PathBuf,
    stop: Arc<Notify>,
}

/// What a command came to: lines to print, or what is wrong and what to do about it.
type Said = Result<Vec<String>, String>;

/// A match that is watched.
struct Watched {
    seats: Vec<String>,
    _joined: Joined,
}

/// What a conversation keeps between two lines.
struct Conversation {
    news: mpsc::Sender<(MatchId, FromHost)>,
    watched: BTreeMap<MatchId, Watched>,
    stops_server: bool,
}

impl Console {
    /// A console of a lobby. Matches are saved into the folder `saves` if no file is named, and `stop` is notified to stop the server.
    pub fn new(lobby: Arc<Lobby>, role: Role, saves: PathBuf, stop: Arc<Notify>) -> Self {
        Self { lobby, role, saves, stop }
    }

    /// Carries out the lines of an operator until there are no more, or nobody reads the answers. Each is answered by lines of text, of which the last
    /// is `ok`, or begins with `error: `. What happens in matches that are watched is told meanwhile. Whether it ends because the server is to stop: then
    /// [`stop_server`](Self::stop_server) is called when the answers are written.
    pub async fn converse(&self, mut lines: mpsc::Receiver<String>, out: mpsc::Sender<String>) -> bool {
        let (news, mut heard) = mpsc::channel(MOST_WATCHED);
        let mut conversation = Conversation {
            news,
            watched: BTreeMap::new(),
            stops_server: false,
        };
        loop {
            let texts = tokio::select! {
                line = lines.recv() => match line.as_deref().map(str::trim) {
                    None => return false,
                    Some("") => continue,
                    Some(line) => {
                        tracing::info!(role = %self.role, command = line, "a command of the console");
                        match self.carry_out(line, &mut conversation).await {
                            Ok(mut texts) => {
                                texts.push("ok".to_owned());
                                texts
                            }
                            Err(why) => vec![format!("error: {why}")],
                        }
                    }
                },
                Some((id, message)) = heard.recv() => conversation.told(id, message),
            };
            for text in texts {
                if out.send(text).await.is_err() {
                    return conversation.stops_server;
                }
            }
            if conversation.stops_server {
                return true;
            }
        }
    }

    /// Stops the server.
    pub fn stop_server(&self) {
        self.stop.notify_one();
    }

    async fn carry_out(&self, line: &str, conversation: &mut Conversation) -> Said {
        let (name, rest) = split(line);
        let Some(Known { form, role, .. }) = find(name) else {
            return Err(format!("there is no command `{name}`; `help` lists them"));
        };
        if *role > self.role {
            return Err(format!("`{name}` is for the {role} of this server: a {} may not say it", self.role));
        }
        match name {
            "help" => return self.help(rest),
            "list" => return self.list(rest).await,
            "clients" => return Ok(self.clients()),
            "bans" => return Ok(self.bans()),
            "nodes" => return self.nodes().await,
            "stop" => {
                conversation.stops_server = true;
                return Ok(vec!["the server stops".to_owned()]);
            }
            "announce" => return Ok(self.announce(needed(rest, "announce TEXT")?)),
            "ban" => return self.ban(rest).await,
            "unban" => return self.unban(rest).await,
            "disconnect" => {
                let banned = Banned::addresses(needed(rest, "disconnect ADDRESS")?)?;
                return Ok(vec![format!(
                    "{} clients are disconnected",
                    self.lobby.disconnect(&banned, "an operator has ended the connection")
                )]);
            }
            "load" => return self.load(needed(rest, "load FILE [NAME]")?).await,
            "unwatch" if rest.is_empty() => {
                conversation.watched.clear();
                return Ok(Vec::new());
            }
            _ => {}
        }
        let (id, rest) = split(needed(rest, form)?);
        let id: MatchId = id.parse().map_err(|_| format!("`{id}` is no id of a match; `list` shows them"))?;
        match name {
            "show" => self.show(id).await,
            "watch" => self.watch(id, conversation).await,
            "unwatch" => {
                let was = conversation.watched.remove(&id).is_some();
                if was {
                    Ok(Vec::new())
                } else {
                    Err("this match is not watched".to_owned())
                }
            }
            "kick" => {
                let seat = needed(rest, form)?.to_owned();
                self.blocking(move |lobby| lobby.free_seat(id, &seat)).await?;
                Ok(Vec::new())
            }
            "pause" => self.pause(id, true).await,
            "resume" => self.pause(id, false).await,
            "tell" => {
                self.blocking(move |lobby| lobby.summary(id)).await?;
                self.lobby.announce(Some(id), needed(rest, form)?);
                Ok(Vec::new())
            }
            "save" => self.save(id, rest).await,
            "reload" => self.reload(id).await,
            "edit" => self.edit(id, rest).await,
            _ => Err(format!("`{name}` is not known")),
        }
    }

    async fn blocking<T: Send + 'static>(&self, run: impl FnOnce(&Lobby) -> Result<T, LobbyError> + Send + 'static) -> Result<T, String> {
        let lobby = Arc::clone(&self.lobby);
        let done = spawn_blocking(move || run(&lobby)).await;
        done.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }

    fn help(&self, name: &str) -> Said {
        let mine = COMMANDS.iter().filter(|known| known.role <= self.role);
        let found: Vec<&Known> = mine.filter(|known| name.is_empty() || split(known.form).0 == name).collect();
        if found.is_empty() {
            return Err(format!("there is no command `{name}`; `help` lists them"));
        }
        let widest = found.iter().map(|known| known.form.len()).max().unwrap_or(0);
        Ok(found
            .iter()
            .map(|known| format!("{:widest$}  {}", known.form, known.help))
            .collect())
    }

    async fn list(&self, status: &str) -> Said {
        let wanted: &[Status] = match status {
            "" => &[Status::Waiting, Status::Playing],
            "waiting" => &[Status::Waiting],
            "playing" => &[Status::Playing],
            "ended" => &[Status::Ended],
            other => return Err(format!("`{other}` is no status: say waiting, playing or ended")),
        };
        let mut texts = Vec::new();
        for status in wanted {
            let status = *status;
            for summary in self.blocking(move |lobby| lobby.list_all(status)).await? {
                texts.push(self.text_of(&summary));
            }
        }
        if texts.is_empty() {
            texts.push("there is no such match".to_owned());
        }
        Ok(texts)
    }

    /// A match in one line.
    fn text_of(&self, summary: &MatchSummary) -> String {
        let seats = summary.seats.iter().map(|seat| match &seat.player {
            SeatState::Free => format!("{} free", seat.name),
            SeatState::Computer(player) => format!("{} {player}", seat.name),
            SeatState::Held(name) => format!("{} {name}", seat.name),
        });
        let is_paused = summary.id.parse().is_ok_and(|id| self.lobby.moderation().is_paused(id));
        let clients = summary.id.parse().map_or(0, |id| self.lobby.clients_of(id).len());
        format!(
            "{}  {}{}  {}/{}  {}  [{}]  {clients} clients",
            summary.id,
            summary.status,
            if is_paused { ", paused" } else { "" },
            summary.ruleset,
            summary.scenario,
            summary.name,
            seats.collect::<Vec<_>>().join(", ")
        )
    }

    async fn show(&self, id: MatchId) -> Said {
        let summary = self.blocking(move |lobby| lobby.summary(id)).await?;
        let mut texts = vec![self.text_of(&summary)];
        texts.extend(self.lobby.clients_of(id).iter().map(|client| client.text(&summary.seat_names())));
        Ok(texts)
    }

    fn clients(&self) -> Vec<String> {
        let clients = self.lobby.clients();
        if clients.is_empty() {
            return vec!["nobody is connected to a match".to_owned()];
        }
        clients.iter().map(|client| client.text(&[])).collect()
    }

    async fn nodes(&self) -> Said {
        let nodes = self.blocking(Lobby::nodes).await?;
        if nodes.is_empty() {
            return Ok(vec!["no other server shares the store".to_owned()]);
        }
        let text = |node: &Node| format!("{node}{}", if node.is_here { ", this one" } else { "" });
        Ok(nodes.iter().map(text).collect())
    }

    async fn watch(&self, id: MatchId, conversation: &mut Conversation) -> Said {
        let summary = self.blocking(move |lobby| lobby.summary(id)).await?;
        if summary.status == "waiting" {
            return Err("this match waits for players: watch it when it has begun".to_owned());
        }
        let handle = self.lobby.open(id).await.map_err(|error| error.to_string())?;
        let news = conversation.news.clone();
        let joined = handle.join(
            Claim::Spectator,
            false,
            Box::new(move |message| news.try_send((id, message)).is_ok()),
        );
        let watched = Watched {
            seats: summary.seat_names(),
            _joined: joined,
        };
        conversation.watched.insert(id, watched);
        Ok(vec![self.text_of(&summary)])
    }

    async fn pause(&self, id: MatchId, is_paused: bool) -> Said {
        self.blocking(move |lobby| lobby.summary(id)).await?;
        let lobby = Arc::clone(&self.lobby);
        let is_change = lobby.pause(id, is_paused).await.map_err(|error| error.to_string())?;
        match (is_change, is_paused) {
            (true, _) => Ok(Vec::new()),
            (false, true) => Err("this match is paused already".to_owned()),
            (false, false) => Err("this match is not paused".to_owned()),
        }
    }

    fn announce(&self, text: &str) -> Vec<String> {
        self.lobby.announce(None, text);
        vec![format!("{} clients are told", self.lobby.clients().len())]
    }

    async fn ban(&self, rest: &str) -> Said {
        let (banned, reason) = banned(rest, "ban")?;
        let (lobby, whom, reason) = (Arc::clone(&self.lobby), banned.clone(), reason.to_owned());
        let told = spawn_blocking(move || lobby.ban(&whom, &reason)).await;
        let told = told.map_err(|error| error.to_string())?.map_err(|error| cannot_write(&error))?;
        Ok(vec![format!("{banned} is banned; {told} clients are disconnected")])
    }

    async fn unban(&self, rest: &str) -> Said {
        let (banned, _) = banned(rest, "unban")?;
        let (lobby, whom) = (Arc::clone(&self.lobby), banned.clone());
        let was = spawn_blocking(move || lobby.unban(&whom)).await;
        let was = was.map_err(|error| error.to_string())?.map_err(|error| cannot_write(&error))?;
        if was {
            Ok(Vec::new())
        } else {
            Err(format!("{banned} is not banned; `bans` lists who is"))
        }
    }

    fn bans(&self) -> Vec<String> {
        let text = |(banned, reason): (Banned, String)| match reason.as_str() {
            "" => banned.to_string(),
            reason => format!("{banned}: {reason}"),
        };
        let bans: Vec<String> = self.lobby.moderation().bans().into_iter().map(text).collect();
        if bans.is_empty() {
            vec!["nobody is banned".to_owned()]
        } else {
            bans
        }
    }

    async fn save(&self, id: MatchId, file: &str) -> Said {
        let path = match file {
            "" => self.saves.join(format!("{id}.save.xml")),
            file => PathBuf::from(file),
        };
        let saved = self.blocking(move |lobby| lobby.export(id, &path).map(|()| path)).await?;
        Ok(vec![format!("saved to {}", saved.display())])
    }

    async fn load(&self, rest: &str) -> Said {
        let (file, name) = split(rest);
        let file = Path::new(file).to_owned();
        let name = (!name.is_empty()).then(|| name.to_owned());
        let made = self.blocking(move |lobby| lobby.import(&file, name.as_deref())).await?;
        Ok(vec![self.text_of(&made)])
    }

    async fn reload(&self, id: MatchId) -> Said {
        match self.lobby.ask(id, Ask::Reload).await.map_err(|error| error.to_string())? {
            Reply::Done { at } => Ok(vec![format!("the rules were read again, after {} events", at)]),
            Reply::Problems { problems } => {
                let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
                Err(format!(
                    "the rules in force stay, for the changed ones have mistakes: {}",
                    texts.join("; ")
                ))
            }
            other => Err(why_not(&other)),
        }
    }

    async fn edit(&self, id: MatchId, text: &str) -> Said {
        let ask = Ask::Edit { text: text.to_owned() };
        match self.lobby.ask(id, ask).await.map_err(|error| error.to_string())? {
            Reply::Edited { text, .. } => Ok(text.lines().map(str::to_owned).collect()),
            other => Err(why_not(&other)),
        }
    }
}

impl Conversation {
    /// A message of a watched match, as lines for people.
    fn told(&self, id: MatchId, message: FromHost) -> Vec<String> {
        let Some(watched) = self.watched.get(&id) else {
            return Vec::new();
        };
        let seat = |seat: Option<SeatId>| {
            let name = seat.and_then(|seat| watched.seats.get(seat.index()));
            name.map_or("spectator", String::as_str).to_owned()
        };
        let text = match message {
            FromHost::Notice(Notice::Event(event)) => event_text(&event, &seat),
            FromHost::Notice(Notice::Chat(line)) => format!("{} says: {}", seat(line.from), line.text),
            FromHost::Notice(Notice::Message { text }) => text,
            FromHost::Notice(Notice::Reloaded { changes, .. }) => format!("other rules are in force: {}", changes.join("; ")),
            FromHost::Notice(Notice::Fault(found)) => found.to_string(),
            _ => return Vec::new(),
        };
        vec![format!("{id}: {text}")]
    }
}

fn event_text(event: &SeatEvent, seat: &impl Fn(Option<SeatId>) -> String) -> String {
    let who = event.entry.seat.map_or_else(|| "host".to_owned(), |acted| seat(Some(acted)));
    let mut text = format!("{}. {who}: {}", event.entry.round, event.entry.notation);
    for remark in &event.entry.remarks {
        text.push_str(&format!(" ({remark})"));
    }
    if let Some(outcome) = &event.outcome {
        let places: Vec<String> = outcome.places.iter().map(ToString::to_string).collect();
        text.push_str(&format!("; the match has ended, places {}", places.join(", ")));
    }
    text
}

/// The first command of a name.
fn find(name: &str) -> Option<&'static Known> {
    COMMANDS.iter().find(|known| split(known.form).0 == name)
}

/// The first word, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    (first, rest.trim_start())
}

fn needed<'a>(rest: &'a str, form: &str) -> Result<&'a str, String> {
    if rest.is_empty() {
        Err(format!("something is missing: write `{form}`"))
    } else {
        Ok(rest)
    }
}

/// Whoever is meant by `address ..` or `name ..`, and what follows an address.
fn banned<'a>(rest: &'a str, command: &str) -> Result<(Banned, &'a str), String> {
    let (sort, rest) = split(rest);
    let form = || format!("write `{command} address ADDRESS` or `{command} name NAME`");
    if rest.is_empty() {
        return Err(form());
    }
    match sort {
        "address" => {
            let (address, reason) = split(rest);
            Ok((Banned::addresses(address)?, reason))
        }
        "name" => Ok((Banned::name(rest)?, "")),
        _ => Err(form()),
    }
}

fn cannot_write(error: &std::io::Error) -> String {
    format!("nothing has changed, for bans cannot be written down: {error}")
}

/// Why a match says no.
fn why_not(reply: &Reply) -> String {
    match reply {
        Reply::Refused(refusal) => refusal.reason.to_string(),
        Reply::Error { message } => message.clone(),
        Reply::Fault(found) => found.to_string(),
        other => format!("an answer that was not expected: {other:?}"),
    }
}
