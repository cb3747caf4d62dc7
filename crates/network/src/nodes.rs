//! This server as one of several nodes that share a store: which of them runs a match, and what one hears of the others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::interval;

use boardwright_model::SeatId;
use boardwright_store::{Cluster, ClusterNews, MatchId, Node, Owner};

use super::api::blocking;
use super::lobby::{Lobby, LobbyError, Order};
use super::open_matches::Slot;

/// The most news of other nodes that are not taken note of yet.
const MOST_NEWS: usize = 4_096;
/// How often matches are given up that nobody comes to any more, so that the next node that somebody comes to has them.
const RELEASE_EVERY: Duration = Duration::from_secs(5);

/// Where a match is run.
pub(super) enum Place {
    /// At this node, as long as the slot is held.
    Here(Slot),
    /// At the node of this address.
    At(String),
}

/// What nodes tell each other.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Told {
    /// Clients of a match, or of all matches, are told something.
    Announce(Option<String>, String),
    /// Connections from some addresses end, with a reason.
    Disconnect(IpNet, String),
    /// Bans and paused matches have changed.
    Moderation,
}

/// Listens to the other nodes, if there may be some, as long as the lobby is there.
pub(super) fn listen(lobby: &Arc<Lobby>) -> Option<JoinHandle<()>> {
    let cluster = lobby.cluster()?;
    let (to, news) = mpsc::channel(MOST_NEWS);
    let here = Arc::downgrade(lobby);
    cluster.listen(Box::new(move |heard| {
        if heard == ClusterNews::DeclaredDead {
            // At once, before the node begins again.
            if let Some(lobby) = here.upgrade() {
                lobby.abandon_all();
            }
        } else if to.try_send(heard).is_err() {
            tracing::warn!("more comes from other nodes than can be taken note of");
        }
    }));
    Some(tokio::spawn(hear(Arc::downgrade(lobby), news)))
}

async fn hear(lobby: Weak<Lobby>, mut news: mpsc::Receiver<ClusterNews>) {
    let mut times = interval(RELEASE_EVERY);
    let is_adopting = Arc::new(AtomicBool::new(false));
    loop {
        let heard = tokio::select! {
            heard = news.recv() => match heard {
                Some(heard) => Some(heard),
                None => return,
            },
            _ = times.tick() => None,
        };
        let Some(lobby) = lobby.upgrade() else { return };
        match heard {
            None => drop(tokio::spawn(async move { lobby.release_idle().await })),
            Some(ClusterNews::Changed { id, seat }) => drop(tokio::spawn(async move { lobby.hear_of_seat(id, seat).await })),
            Some(ClusterNews::Missed) => {
                lobby.look_again();
                tokio::spawn(async move { lobby.read_moderation().await });
            }
            Some(ClusterNews::Orphans(ids)) => {
                // They are told of again and again until there are none.
                if !is_adopting.swap(true, Ordering::Relaxed) {
                    let is_adopting = Arc::clone(&is_adopting);
                    tokio::spawn(async move {
                        lobby.adopt(ids).await;
                        is_adopting.store(false, Ordering::Relaxed);
                    });
                }
            }
            Some(ClusterNews::Gone(address)) => lobby.order(Order::Gone(address.into())),
            Some(ClusterNews::Told(text)) => match serde_json::from_str(&text) {
                Ok(Told::Announce(id, text)) => lobby.order(Order::Announce(id.and_then(|id| id.parse().ok()), text.into())),
                Ok(Told::Disconnect(range, reason)) => lobby.order(Order::Disconnect(range, reason.into())),
                Ok(Told::Moderation) => drop(tokio::spawn(async move { lobby.read_moderation().await })),
                Err(error) => tracing::warn!("what another node tells is not understood: {error}"),
            },
            Some(ClusterNews::DeclaredDead) => {}
        }
    }
}

impl Lobby {
    /// The nodes that share the store, if there may be several.
    pub(super) fn cluster(&self) -> Option<&dyn Cluster> {
        self.store.cluster()
    }

    /// All nodes; none if there is only this server. Blocks.
    ///
    /// # Errors
    /// If the store fails.
    pub fn nodes(&self) -> Result<Vec<Node>, LobbyError> {
        Ok(self.cluster().map_or_else(|| Ok(Vec::new()), Cluster::nodes)?)
    }

    /// Tells the other nodes something.
    pub(super) fn tell_nodes(&self, told: &Told) {
        if let (Some(cluster), Ok(text)) = (self.cluster(), serde_json::to_string(told)) {
            cluster.tell(text);
        }
    }

    /// Makes a match this node's own, unless another one has it.
    pub(super) async fn claim(self: &Arc<Self>, id: MatchId) -> Result<Place, LobbyError> {
        let slot = self.open.slot(id);
        if self.cluster().is_some() {
            // Not while it is given up.
            let held = slot.lock().await;
            let owner = self.owner(id).await;
            drop(held);
            match owner {
                Ok(Owner::Here) => {}
                Ok(Owner::At(address)) => {
                    self.open.forget(id, &slot);
                    return Ok(Place::At(address));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Place::Here(slot))
    }

    /// Who runs a match, which is this node if no other one does.
    pub(super) async fn owner(self: &Arc<Self>, id: MatchId) -> Result<Owner, LobbyError> {
        if self.cluster().is_none() {
            return Ok(Owner::Here);
        }
        let lobby = Arc::clone(self);
        blocking(move || Ok(lobby.cluster().map_or(Ok(Owner::Here), |cluster| cluster.claim(id))?)).await
    }

    /// Ends all matches here without what is not stored: others may run them by now.
    fn abandon_all(&self) {
        self.writers.lose_all();
        for slot in self.open.take_all() {
            // One that is being opened is ended by whoever opens it.
            if let Ok(slot) = slot.try_lock()
                && let Some(handle) = slot.as_ref()
            {
                handle.abandon();
            }
        }
        self.order(Order::Moved);
    }

    /// Gives up matches that do not run, and that nobody waits for.
    async fn release_idle(self: &Arc<Self>) {
        for (id, slot) in self.open.idle() {
            let Ok(held) = slot.try_lock() else { continue };
            let lobby = Arc::clone(self);
            let released = spawn_blocking(move || lobby.cluster().map_or(Ok(()), |cluster| cluster.release(id))).await;
            match released {
                Ok(Ok(())) => {
                    self.open.forget(id, &slot);
                    drop(held);
                }
                // It is tried again later.
                Ok(Err(error)) => return tracing::warn!("matches that nobody comes to are not given up: {error}"),
                Err(error) => return tracing::error!("{error}"),
            }
        }
    }

    /// A seat of a match was taken or left through another node, or the match is gone.
    async fn hear_of_seat(self: &Arc<Self>, id: MatchId, seat: Option<u8>) {
        // Whoever waits for the match or plays it does so here, or it is of no interest.
        let Some(slot) = self.open.find(id) else { return };
        if let Some(seat) = seat {
            let lobby = Arc::clone(self);
            match blocking(move || Ok(lobby.store.holders(id)?)).await {
                Ok(holders) => {
                    let holder = holders.into_iter().find(|holder| holder.seat == seat);
                    if let Some(handle) = slot.lock().await.as_ref() {
                        handle.seat(SeatId(seat), holder.map(|holder| holder.name));
                    }
                }
                Err(error) => tracing::warn!(match_id = %id, "who holds its seats is not known: {error}"),
            }
        }
        self.seat_has_changed(id);
        self.open_if_timed(id).await;
    }

    /// Bans or pauses were changed at another node.
    async fn read_moderation(self: &Arc<Self>) {
        let lobby = Arc::clone(self);
        match spawn_blocking(move || lobby.moderation().read_again()).await {
            Ok(Ok(changed)) => {
                for id in changed.iter().filter_map(|id| id.parse().ok()) {
                    self.halt_if_open(id, self.moderation().is_paused(id)).await;
                }
            }
            Ok(Err(error)) => tracing::error!("bans of other nodes cannot be read: {error}"),
            Err(error) => tracing::error!("{error}"),
        }
    }

    /// Whoever waits looks again.
    fn look_again(&self) {
        for id in self.open.ids() {
            self.seat_has_changed(id);
        }
    }

    /// Goes on with matches whose node is gone if their time runs; the others wait until somebody comes.
    async fn adopt(self: &Arc<Self>, ids: Vec<MatchId>) {
        for id in ids {
            match self.claim(id).await {
                Ok(Place::Here(_slot)) => self.open_if_timed(id).await,
                Ok(Place::At(_)) | Err(LobbyError::NoMatch) => {}
                Err(error) => return tracing::warn!(match_id = %id, "a match whose node is gone is not taken over: {error}"),
            }
        }
        self.release_idle().await;
    }
}
