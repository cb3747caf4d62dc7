//! Several servers that share a store, the nodes of a cluster: each match is run by one of them, and all know which one.

use std::fmt;

use super::{MatchId, StoreError};

/// Who runs a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This node, until it stops, or is declared dead.
    Here,
    /// The node at this address.
    At(String),
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its number: another one each time it starts.
    pub id: u64,
    /// Where other nodes reach it.
    pub address: String,
    /// Whether it is this one.
    pub is_here: bool,
    /// How many matches are its own.
    pub matches: u64,
}

/// What a node hears of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterNews {
    /// Seats of a match were taken or left through another node, or it was deleted.
    Changed {
        /// The match.
        id: MatchId,
        /// The seat, from 0.
        seat: Option<u8>,
    },
    /// Something may have changed that was not heard of.
    Missed,
    /// These matches are of no node any more, for theirs is gone.
    Orphans(Vec<MatchId>),
    /// This node was declared dead, and is about to begin again: others may run its matches.
    DeclaredDead,
    /// The node at this address is gone, without having left.
    Gone(String),
    /// Something that another node tells all others.
    Told(String),
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} at {}, {} matches", self.id, self.address, self.matches)
    }
}

/// Called with what a node hears, on a thread that must go on at once: it must not block.
pub type Heard = Box<dyn Fn(ClusterNews) + Send + Sync>;

/// Which node runs which match. A node says twice a second that it is alive, and its matches are its own as long as it does; then others take them over.
/// Which of them is late only the clock of the database says. What a node stores of a match of which it only believes that it is its own is refused.
pub trait Cluster: Send + Sync {
    /// Makes a match this node's own, unless it is of another one that is alive.
    ///
    /// # Errors
    /// [`StoreError::NoMatch`].
    fn claim(&self, id: MatchId) -> Result<Owner, StoreError>;

    /// Gives up a match that does not run here: the next node that claims it has it.
    ///
    /// # Errors
    /// If the database fails.
    fn release(&self, id: MatchId) -> Result<(), StoreError>;

    /// All nodes, in the order in which they came.
    ///
    /// # Errors
    /// If the database fails.
    fn nodes(&self) -> Result<Vec<Node>, StoreError>;

    /// What only nodes of this cluster know.
    fn secret(&self) -> &str;

    /// What all nodes keep in common beside matches, as one text; empty at first.
    ///
    /// # Errors
    /// If the database fails.
    fn notes(&self) -> Result<String, StoreError>;

    /// Changes it; nobody else does meanwhile. It stays as it is if there is nothing to change.
    ///
    /// # Errors
    /// If the database fails.
    fn change_notes(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> Result<(), StoreError>;

    /// Has everything told from now on that this node hears. The first news is [`Missed`](ClusterNews::Missed): what was heard before is lost.
    fn listen(&self, heard: Heard);

    /// Tells all other nodes something, of less than 7,000 bytes, without waiting for it.
    fn tell(&self, text: String);

    /// Gives up all matches at once, when none runs here any more. Nothing of matches is stored after it.
    fn leave(&self);
}
