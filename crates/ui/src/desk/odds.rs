//! The odds of what the player is about to begin.

use std::sync::Arc;

use super::{Awaited, Desk};
use boardwright_protocol::{Command, OddsReport, Reply};
use boardwright_model::{ActionId, Picks};
use crate::picking::Picking;

/// What is known of the odds of the choice as it stands.
#[derive(Debug, Default)]
pub(super) struct Foretold {
    /// The choice that was asked about last, and what was begun in it.
    of: Option<(u64, Vec<(ActionId, Picks)>)>,
    /// Counts askings; an answer to an earlier one is dropped.
    asking: u64,
    /// How many answers are still to come.
    awaited: usize,
    /// The first contest among the answers so far.
    next: Option<Arc<OddsReport>>,
    found: Option<Arc<OddsReport>>,
}

impl Desk {
    /// The odds of the contest that begins with the action being chosen, if one does; asked for when the choice has changed. What was found
    /// before stays until the answers are there.
    pub fn odds(&mut self) -> Option<Arc<OddsReport>> {
        let begun = self.picking.as_ref().map_or_else(Vec::new, Picking::begun);
        let wanted = Some((self.choice, begun));
        if self.foretold.of != wanted {
            self.ask_odds(wanted);
        }
        self.foretold.found.clone()
    }

    /// Whether odds are being worked out.
    pub fn awaits_odds(&self) -> bool {
        self.foretold.awaited > 0
    }

    fn ask_odds(&mut self, wanted: Option<(u64, Vec<(ActionId, Picks)>)>) {
        let asking = self.foretold.asking + 1;
        let found = self.foretold.found.take();
        let begun = wanted.as_ref().map_or_else(Vec::new, |(_, begun)| begun.clone());
        self.foretold = Foretold {
            of: wanted,
            asking,
            awaited: begun.len(),
            next: None,
            found: found.filter(|_| !begun.is_empty()),
        };
        let Some(seat) = self.picking.as_ref().map(Picking::seat) else {
            return;
        };
        for (action, picks) in begun {
            let picks = picks.to_vec();
            self.request(Command::Odds { seat, action, picks }, Awaited::Odds(asking));
        }
    }

    /// Takes an answer; one that is no odds counts as none, for the rules tell of their faults themselves.
    pub(super) fn take_odds(&mut self, asking: u64, reply: Reply) {
        if asking != self.foretold.asking {
            return;
        }
        if let Reply::Odds { odds: Some(odds) } = reply {
            self.foretold.next.get_or_insert_with(|| Arc::from(odds));
        }
        self.foretold.awaited = self.foretold.awaited.saturating_sub(1);
        if self.foretold.awaited == 0 {
            self.foretold.found = self.foretold.next.take();
        }
    }
}
