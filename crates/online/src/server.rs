//! What is asked of a server, each on a thread of its own, and what it has answered.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use boardwright_client::content::OpenedMatch;
use boardwright_client::{KeepSecret, LuckSecret};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_network::{
    CreateMatch, JoinMatch, KeptRules, KeptTokens, MatchSummary, RemoteError, RemoteLobby, RulesetSummary, SeatState, TakenSeat,
    kept_nowhere,
};
use boardwright_ui::StartMatch;
use egui::Context;

/// How often the list of matches is read again while it is shown.
const REFRESH: Duration = Duration::from_secs(2);

/// The matches of a server.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Matches {
    /// Those in which the player has seats, whatever has become of them.
    pub(crate) own: Vec<MatchSummary>,
    /// Others that wait for players.
    pub(crate) waiting: Vec<MatchSummary>,
    /// Others that are played.
    pub(crate) playing: Vec<MatchSummary>,
}

type Answer = Box<dyn FnOnce(&mut Server) + Send>;

/// A server, and what is known of it.
pub(crate) struct Server {
    lobby: RemoteLobby,
    context: Context,
    folder: Option<PathBuf>,
    /// The tokens that could not be kept in a folder, by match.
    unkept: BTreeMap<String, Vec<String>>,
    /// The player's part in the luck of matches, where it could not be kept in a folder.
    unkept_luck: BTreeMap<String, Vec<LuckSecret>>,
    /// What can be played there; empty until it has answered.
    pub(crate) rulesets: Vec<RulesetSummary>,
    /// Its matches; none until it has answered.
    pub(crate) matches: Option<Matches>,
    /// Why it does not answer, or said no to what was asked last.
    pub(crate) problem: Option<String>,
    /// The match for which the player waits: it is shown when it begins.
    pub(crate) awaited: Option<String>,
    /// The link of a match that was created here last.
    pub(crate) created: Option<String>,
    /// A match that is to be shown.
    start: Option<StartMatch>,
    /// Whether something is asked that the player waits for.
    pub(crate) is_busy: bool,
    is_reading: bool,
    read: Option<Instant>,
    answers: Receiver<Answer>,
    sender: Sender<Answer>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.lobby.address())
    }
}

impl Server {
    pub(crate) fn new(address: &str, context: &Context, folder: Option<PathBuf>) -> Self {
        let (sender, answers) = channel();
        let mut server = Self {
            lobby: RemoteLobby::new(address).keeping_rules(folder.as_deref().map(KeptRules::of_player)),
            context: context.clone(),
            folder,
            unkept: BTreeMap::new(),
            unkept_luck: BTreeMap::new(),
            rulesets: Vec::new(),
            matches: None,
            problem: None,
            awaited: None,
            created: None,
            start: None,
            is_busy: true,
            is_reading: false,
            read: None,
            answers,
            sender,
        };
        server.ask(RemoteLobby::rulesets, |server, answer| {
            server.is_busy = false;
            server.rulesets = server.accept(answer).unwrap_or_default();
        });
        server
    }

    pub(crate) fn address(&self) -> &str {
        self.lobby.address()
    }

    /// Whether it is the server at an address.
    pub(crate) fn is_of(&self, address: &str) -> bool {
        RemoteLobby::new(address).address() == self.address()
    }

    /// Asks something on a thread of its own; `then` has the answer.
    fn ask<T: Send + 'static>(
        &mut self,
        ask: impl FnOnce(&RemoteLobby) -> Result<T, RemoteError> + Send + 'static,
        then: impl FnOnce(&mut Self, Result<T, RemoteError>) + Send + 'static,
    ) {
        let (lobby, sender, context) = (self.lobby.clone(), self.sender.clone(), self.context.clone());
        let work = move || {
            let answer = ask(&lobby);
            drop(sender.send(Box::new(move |server: &mut Self| then(server, answer))));
            context.request_repaint();
        };
        if let Err(error) = thread::Builder::new().name("online".to_owned()).spawn(work) {
            self.problem = Some(error.to_string());
        }
    }

    fn accept<T>(&mut self, answer: Result<T, RemoteError>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.problem = Some(error.to_string());
                None
            }
        }
    }

    /// Takes in what was answered, and reads the list again if that is due. Gives a match that is to be shown.
    pub(crate) fn update(&mut self) -> Option<StartMatch> {
        while let Ok(answer) = self.answers.try_recv() {
            answer(self);
        }
        if self.read.is_none_or(|read| read.elapsed() >= REFRESH) && !self.is_reading {
            self.read_matches();
        }
        self.context.request_repaint_after(REFRESH);
        self.start.take()
    }

    fn kept_ids(&self) -> Vec<String> {
        let folder = self.folder.as_ref();
        let mut ids = folder.map(|folder| KeptTokens::matches(folder, self.address())).unwrap_or_default();
        ids.extend(self.unkept.keys().cloned());
        ids
    }

    fn read_matches(&mut self) {
        (self.is_reading, self.read) = (true, Some(Instant::now()));
        let kept = self.kept_ids();
        self.ask(
            move |lobby| {
                // One that is gone, or not to be found any more, is not listed.
                let own: Vec<MatchSummary> = kept.iter().filter_map(|id| lobby.one(id).ok()).collect();
                let others = |status| -> Result<Vec<MatchSummary>, RemoteError> {
                    let mut found = lobby.list(status)?;
                    found.retain(|found| own.iter().all(|own| own.id != found.id));
                    Ok(found)
                };
                let (waiting, playing) = (others("waiting")?, others("playing")?);
                Ok(Matches { own, waiting, playing })
            },
            |server, answer| {
                server.is_reading = false;
                match answer {
                    Ok(matches) => {
                        if server.matches.is_none() {
                            server.problem = None;
                        }
                        server.matches = Some(matches);
                        server.begin_awaited();
                    }
                    Err(error) => {
                        server.problem = Some(error.to_string());
                        server.matches = None;
                    }
                }
            },
        );
    }

    /// Shows the match for which the player waits, if all its seats are taken.
    fn begin_awaited(&mut self) {
        let Some(id) = &self.awaited else { return };
        let own = self.matches.iter().flat_map(|matches| &matches.own);
        let Some(found) = own.clone().find(|found| found.id == *id) else {
            return;
        };
        if is_full(found) {
            let id = id.clone();
            self.awaited = None;
            self.show(&id, None);
        }
    }

    /// The tokens of the player's seats in a match.
    fn tokens(&self, id: &str) -> Vec<String> {
        let folder = self.folder.as_ref();
        let kept = folder.and_then(|folder| KeptTokens::of(folder, self.address(), id).find(None).ok());
        let mut tokens = kept.unwrap_or_default();
        tokens.extend(self.unkept.get(id).into_iter().flatten().cloned());
        tokens
    }

    /// The player's part in the luck of a match.
    fn luck(&self, id: &str) -> Vec<(LuckSecret, KeepSecret)> {
        let folder = self.folder.as_ref();
        let mut secrets = folder
            .map(|folder| KeptTokens::of(folder, self.address(), id).luck(None))
            .unwrap_or_default();
        let unkept = self.unkept_luck.get(id).into_iter().flatten();
        secrets.extend(unkept.map(|luck| (luck.clone(), kept_nowhere())));
        secrets
    }

    /// Shows a match: at the player's seats, or as a spectator where the player has none.
    pub(crate) fn show(&mut self, id: &str, password: Option<String>) {
        let (lobby, tokens, secrets, id) = (self.lobby.clone(), self.tokens(id), self.luck(id), id.to_owned());
        self.start = Some(Box::new(move |wake| {
            let link = lobby.connect_with(&id, (&tokens, password.as_deref()), secrets, Some(wake), |_| {});
            let opened = |link| OpenedMatch {
                autosave: None,
                link: Box::new(link),
                file: None,
                tutorial: None,
            };
            link.map(opened)
                .map_err(|error| vec![Diagnostic::error(Code::Begin, error.to_string())])
        }));
    }

    /// Takes a seat, and shows the match as soon as it has begun.
    pub(crate) fn join(&mut self, id: &str, who: JoinMatch) {
        (self.is_busy, self.problem) = (true, None);
        let id = id.to_owned();
        let asked = id.clone();
        self.ask(
            move |lobby| lobby.take_seat(&asked, &who),
            move |server, answer| server.joined(id, answer),
        );
    }

    /// Creates a match and takes a seat in it.
    pub(crate) fn create(&mut self, wanted: CreateMatch, who: JoinMatch) {
        (self.is_busy, self.problem) = (true, None);
        self.ask(
            move |lobby| {
                let (created, token) = lobby.create(&wanted)?;
                let has_free = created.seats.iter().any(|seat| seat.player == SeatState::Free);
                let joined = has_free.then(|| lobby.take_seat(&created.id, &who)).transpose();
                if joined.is_err() {
                    // Nobody else is to find a match whose creator has not come.
                    drop(lobby.cancel(&created.id, &token));
                }
                Ok((created.id, joined?))
            },
            |server, answer| match server.accept(answer) {
                Some((id, Some(joined))) => {
                    server.created = Some(server.lobby.link(&id));
                    server.joined(id, Ok(joined));
                }
                Some((id, None)) => {
                    server.is_busy = false;
                    server.show(&id, None);
                }
                None => server.is_busy = false,
            },
        );
    }

    fn joined(&mut self, id: String, answer: Result<TakenSeat, RemoteError>) {
        self.is_busy = false;
        let Some(TakenSeat { seat, token, luck }) = self.accept(answer) else {
            return;
        };
        let kept = self.folder.as_ref().map(|folder| KeptTokens::of(folder, self.address(), &id));
        if let Some(luck) = luck
            && kept.as_ref().is_none_or(|kept| kept.keep_luck(&seat, &luck).is_err())
        {
            self.unkept_luck.entry(id.clone()).or_default().push(luck);
        }
        if !matches!(kept.map(|kept| kept.keep(&seat, &token)), Some(Ok(()))) {
            self.unkept.entry(id.clone()).or_default().push(token);
        }
        self.awaited = Some(id);
        self.read = None;
    }

    /// Waits for a match in which the player has a seat.
    pub(crate) fn wait_for(&mut self, id: &str) {
        self.awaited = Some(id.to_owned());
        self.begin_awaited();
    }

    /// Gives the player's seats in a match up.
    pub(crate) fn leave(&mut self, id: &str) {
        (self.is_busy, self.problem, self.awaited) = (true, None, None);
        let (tokens, id) = (self.tokens(id), id.to_owned());
        let asked = id.clone();
        self.ask(
            move |lobby| tokens.iter().try_for_each(|token| lobby.leave(&asked, token)),
            move |server, answer| {
                server.is_busy = false;
                if server.accept(answer).is_some() {
                    server.forget(&id);
                }
            },
        );
    }

    /// Forgets the player's seats in a match that has ended.
    pub(crate) fn forget(&mut self, id: &str) {
        self.unkept.remove(id);
        self.unkept_luck.remove(id);
        let folder = self.folder.as_ref();
        if let Some(Err(error)) = folder.map(|folder| KeptTokens::of(folder, self.address(), id).forget()) {
            self.problem = Some(error.to_string());
        }
        if let Some(matches) = &mut self.matches {
            matches.own.retain(|found| found.id != id);
        }
        self.read = None;
    }
}

/// Whether all seats of a match are taken.
pub(crate) fn is_full(found: &MatchSummary) -> bool {
    found.seats.iter().all(|seat| seat.player != SeatState::Free)
}
