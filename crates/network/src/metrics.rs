//! What operators watch: counts and gauges in the text form that Prometheus reads.

use std::sync::atomic::AtomicI64;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// The metrics of a server.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    pub(super) matches_created: Counter,
    pub(super) matches_opened: Counter,
    pub(super) open_matches: Gauge<i64, AtomicI64>,
    pub(super) clients: Gauge<i64, AtomicI64>,
    pub(super) node: Gauge<i64, AtomicI64>,
    pub(super) nodes: Gauge<i64, AtomicI64>,
    pub(super) own_matches: Gauge<i64, AtomicI64>,
    pub(super) requests: Counter,
    pub(super) entries: Counter,
    pub(super) failed_writes: Counter,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("boardwright");
        let mut counter = |name: &str, help: &str| {
            let counter = Counter::default();
            registry.register(name, help, Counter::clone(&counter));
            counter
        };
        let matches_created = counter("matches_created", "Matches that were created");
        let matches_opened = counter("matches_opened", "Matches that were opened, because somebody came to play");
        let requests = counter("requests", "Requests of clients of matches");
        let entries = counter("entries_stored", "Changes of matches that were stored");
        let failed_writes = counter("failed_writes", "Changes that could not be stored at once");
        let mut gauge = |name: &str, help: &str| {
            let gauge = Gauge::default();
            registry.register(name, help, Gauge::clone(&gauge));
            gauge
        };
        let open_matches = gauge("open_matches", "Matches that are open");
        let clients = gauge("clients", "Clients of matches that are connected");
        let node = gauge("node", "The number of this node, 0 without others that share the store");
        let nodes = gauge("nodes", "Nodes that share the store");
        let own_matches = gauge("own_matches", "Matches that no other node may run");
        Self {
            registry,
            matches_created,
            matches_opened,
            open_matches,
            clients,
            node,
            nodes,
            own_matches,
            requests,
            entries,
            failed_writes,
        }
    }

    /// All of them as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if let Err(error) = encode(&mut text, &self.registry) {
            tracing::error!("the metrics cannot be written: {error}");
        }
        text
    }
}
