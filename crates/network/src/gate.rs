//! How much one address may take: connections, requests, matches. Whoever comes through a proxy has the address that the proxy names.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ipnet::IpNet;

/// The most addresses that are kept in mind; beyond, those that take nothing at the moment are forgotten.
const MOST_KNOWN: usize = 10_000;
/// How many requests to the lobby may come at once before they are slowed down to their rate.
const REQUEST_BURST: u32 = 100;
/// The bits of an address of IPv6 that name a network: whoever has one has all addresses in it.
const NETWORK_BITS: u8 = 64;

/// What one address may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressLimits {
    /// The most connections at the same time, web sockets among them.
    pub connections: usize,
    /// The most requests to the lobby a second, after a hundred at once.
    pub requests: u32,
    /// The most matches that are created in an hour.
    pub matches: u32,
    /// Proxies: the header `X-Forwarded-For` that they send is believed, and what comes from them without one is not limited.
    pub proxies: Vec<IpNet>,
}

impl Default for AddressLimits {
    fn default() -> Self {
        Self {
            connections: 200,
            requests: 20,
            matches: 60,
            proxies: vec![
                IpNet::from(IpAddr::from([127, 0, 0, 1])),
                IpNet::from(IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])),
            ],
        }
    }
}

/// The rate of something that may come so often: it may also save up some, and then comes at once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// When everything that has come would have come one after the other at its rate.
    through: Option<Instant>,
}

impl Pace {
    /// Counts something that comes now; if it is too much, how long to wait, and it is not counted.
    pub(super) fn step(&mut self, now: Instant, every: Duration, burst: u32) -> Result<(), Duration> {
        let through = self.through.map_or(now, |through| through.max(now)) + every;
        let ahead = through.saturating_duration_since(now);
        let most = every * burst.max(1);
        if let Some(wait) = ahead.checked_sub(most).filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        self.through = Some(through);
        Ok(())
    }

    /// Counts one more that was let through though it came too early.
    pub(super) fn add(&mut self, every: Duration) {
        self.through = self.through.map(|through| through + every);
    }

    fn is_idle(&self, now: Instant) -> bool {
        self.through.is_none_or(|through| through <= now)
    }
}

/// What an address takes.
#[derive(Debug, Default)]
struct Use {
    connections: usize,
    requests: Pace,
    matches: Pace,
}

impl Use {
    fn is_idle(&self, now: Instant) -> bool {
        self.connections == 0 && self.requests.is_idle(now) && self.matches.is_idle(now)
    }
}

/// Who asks: the address that counts, and whether it is limited at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    pub(super) is_limited: bool,
    /// Whether another node stands for it, which has limited it.
    pub(super) is_forwarded: bool,
}

/// Counts what each address takes.
#[derive(Debug, Default)]
pub(super) struct Gate {
    limits: AddressLimits,
    uses: Mutex<HashMap<IpAddr, Use>>,
}

/// A connection that is counted. Dropped, it is gone.
#[derive(Debug)]
pub(super) struct AddressPermit(Option<(Arc<Gate>, IpAddr)>);

impl Drop for AddressPermit {
    fn drop(&mut self) {
        if let Some((gate, key)) = self.0.take()
            && let Some(used) = gate.uses().get_mut(&key)
        {
            used.connections = used.connections.saturating_sub(1);
        }
    }
}

impl Gate {
    pub(super) fn new(limits: AddressLimits) -> Self {
        Self {
            limits,
            uses: Mutex::default(),
        }
    }

    fn uses(&self) -> MutexGuard<'_, HashMap<IpAddr, Use>> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_proxy(&self, address: IpAddr) -> bool {
        self.limits.proxies.iter().any(|range| range.contains(&address))
    }

    /// Whoever has connected, before anything is known of a request.
    pub(super) fn connected(&self, address: IpAddr) -> Peer {
        let address = address.to_canonical();
        Peer {
            address,
            is_limited: !self.is_proxy(address),
            is_forwarded: false,
        }
    }

    /// Who sends a request: behind proxies the last address of `X-Forwarded-For` that is none of theirs.
    pub(super) fn peer(&self, connected: Peer, forwarded: Option<&str>) -> Peer {
        if connected.is_limited {
            return connected;
        }
        let named = forwarded.into_iter().flat_map(|list| list.rsplit(','));
        let named = named.map_while(|name| address_of(name.trim()));
        let client = named.map(|address| self.connected(address)).find(|peer| peer.is_limited);
        client.unwrap_or(connected)
    }

    /// Counts a connection; none if its address has as many as it may.
    pub(super) fn connect(self: &Arc<Self>, peer: Peer) -> Option<AddressPermit> {
        if !peer.is_limited {
            return Some(AddressPermit(None));
        }
        let key = network(peer.address);
        let mut uses = self.uses();
        let used = room_for(&mut uses, key);
        if used.connections >= self.limits.connections {
            return None;
        }
        used.connections += 1;
        Some(AddressPermit(Some((Arc::clone(self), key))))
    }

    /// Counts a request to the lobby.
    ///
    /// # Errors
    /// How long to wait with it.
    pub(super) fn request(&self, peer: Peer) -> Result<(), Duration> {
        let every = Duration::from_secs(1) / self.limits.requests.max(1);
        self.count(peer, |used, now| used.requests.step(now, every, REQUEST_BURST))
    }

    /// Counts a match that is created.
    ///
    /// # Errors
    /// How long to wait with it.
    pub(super) fn new_match(&self, peer: Peer) -> Result<(), Duration> {
        let most = self.limits.matches.max(1);
        let every = Duration::from_hours(1) / most;
        self.count(peer, |used, now| used.matches.step(now, every, most))
    }

    fn count(&self, peer: Peer, count: impl FnOnce(&mut Use, Instant) -> Result<(), Duration>) -> Result<(), Duration> {
        if !peer.is_limited {
            return Ok(());
        }
        count(room_for(&mut self.uses(), network(peer.address)), Instant::now())
    }
}

fn room_for(uses: &mut HashMap<IpAddr, Use>, key: IpAddr) -> &mut Use {
    if uses.len() >= MOST_KNOWN && !uses.contains_key(&key) {
        let now = Instant::now();
        uses.retain(|_, used| !used.is_idle(now));
    }
    uses.entry(key).or_default()
}

/// An address as proxies write it: perhaps with a port, and in brackets.
fn address_of(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|socket| socket.ip());
    let plain = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    plain.parse().ok().or_else(with_port)
}

/// The addresses that count as one.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(_) => IpNet::new(address, NETWORK_BITS).map_or(address, |range| range.network()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_so_many_connections_and_networks_of_ipv6_count_as_one() {
        let gate = Arc::new(Gate::new(AddressLimits {
            connections: 2,
            ..AddressLimits::default()
        }));
        let from = |text: &str| gate.connect(gate.connected(ip(text)));
        let first = from("2001:db8::1");
        let _second = from("2001:db8::2").unwrap();
        assert!(from("2001:db8::3").is_none());
        assert!(from("2001:db8:0:1::3").is_some());
        drop(first);
        assert!(from("2001:db8::3").is_some());
        // Programs of the same machine, and proxies on it, are not limited.
        let own: Vec<_> = (0..5).map(|_| from("127.0.0.1").unwrap()).collect();
        assert_eq!(own.len(), 5);
        // An address of IPv4 that came over IPv6 is what it is.
        assert_eq!(gate.connected(ip("::ffff:192.0.2.1")).address, ip("192.0.2.1"));
    }

    #[test]
    fn only_proxies_are_believed_whom_they_stand_for() {
        let gate = Gate::new(AddressLimits {
            proxies: vec!["10.0.0.0/8".parse().unwrap()],
            ..AddressLimits::default()
        });
        let peer = |from: &str, forwarded: &str| gate.peer(gate.connected(ip(from)), Some(forwarded)).address;
        assert_eq!(peer("192.0.2.1", "198.51.100.1"), ip("192.0.2.1"));
        assert_eq!(peer("10.0.0.1", "198.51.100.1"), ip("198.51.100.1"));
        // What a client claims stands before what its proxy has added.
        assert_eq!(peer("10.0.0.1", "203.0.113.9, 198.51.100.1, 10.0.0.2"), ip("198.51.100.1"));
        assert_eq!(peer("10.0.0.1", "[2001:db8::1]:4711"), ip("2001:db8::1"));
        assert_eq!(peer("10.0.0.1", "unknown"), ip("10.0.0.1"));
        assert_eq!(peer("10.0.0.1", "203.0.113.9, unknown"), ip("10.0.0.1"));
    }

    #[test]
    fn what_comes_too_often_has_to_wait() {
        let (second, now) = (Duration::from_secs(1), Instant::now());
        let mut pace = Pace::default();
        for _ in 0..3 {
            assert_eq!(pace.step(now, second, 3), Ok(()));
        }
        assert_eq!(pace.step(now, second, 3), Err(second));
        let later = now + second;
        assert_eq!(pace.step(later, second, 3), Ok(()));
        assert_eq!(pace.step(later, second, 3), Err(second));
        // What was not used is saved up, but no more than so much.
        let much_later = now + 100 * second;
        for _ in 0..3 {
            assert_eq!(pace.step(much_later, second, 3), Ok(()));
        }
        assert_eq!(pace.step(much_later, second, 3), Err(second));
    }
}
