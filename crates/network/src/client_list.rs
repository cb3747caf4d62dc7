//! The clients of matches that are connected, for operators.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use boardwright_model::SeatSet;
use boardwright_store::MatchId;

/// A client of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectedClient {
    /// The match.
    pub id: MatchId,
    /// The seats that it plays; none for a spectator.
    pub seats: SeatSet,
    /// Where it comes from; behind a proxy, as that says.
    pub address: IpAddr,
    /// Since when.
    pub since: Instant,
}

impl ConnectedClient {
    /// In one line; seats have the names of `seats`, or else their numbers.
    pub(super) fn text(&self, seats: &[String]) -> String {
        let name = |index: usize| seats.get(index).cloned().unwrap_or_else(|| format!("seat {index}"));
        let held: Vec<String> = self.seats.iter().map(|seat| name(seat.index())).collect();
        let held = if held.is_empty() { "spectator".to_owned() } else { held.join(", ") };
        let minutes = self.since.elapsed().as_secs() / 60;
        format!("{}  {}  {held}  for {minutes} minutes", self.id, self.address)
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct ClientList {
    clients: Mutex<(u64, BTreeMap<u64, ConnectedClient>)>,
}

/// A client that is in the list. Dropped, it is not.
pub(super) struct Listed {
    list: Arc<ClientList>,
    number: u64,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.list.lock().1.remove(&self.number);
    }
}

impl ClientList {
    fn lock(&self) -> MutexGuard<'_, (u64, BTreeMap<u64, ConnectedClient>)> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a client.
    pub(super) fn add(self: &Arc<Self>, client: ConnectedClient) -> Listed {
        let mut clients = self.lock();
        clients.0 += 1;
        let number = clients.0;
        clients.1.insert(number, client);
        Listed {
            list: Arc::clone(self),
            number,
        }
    }

    /// Those for which something holds, the first that came first.
    pub(super) fn filter(&self, wanted: impl Fn(&ConnectedClient) -> bool) -> Vec<ConnectedClient> {
        self.lock().1.values().filter(|client| wanted(client)).cloned().collect()
    }
}
