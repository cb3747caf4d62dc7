//! Legal actions already listed, by the digest of their state.
//!
//! A search that goes deeper and deeper comes to the same states again, by the same ways. Where scripts list the actions that costs as
//! much each time; where patterns list them it is quicker to list them again.

use std::sync::Arc;

use boardwright_model::{Action, Rejection, SeatId, State};
use boardwright_rules::{Rules, flow};

/// Lists of actions of states, in a fixed amount of memory. The digest covers everything that hooks can see, so what was listed once
/// holds whenever it comes again.
#[derive(Debug)]
pub(super) struct LegalActionCache {
    slots: Vec<Option<Listed>>,
    bytes: usize,
    most_bytes: usize,
}

#[derive(Debug)]
struct Listed {
    digest: u64,
    seat: SeatId,
    actions: Box<[Action]>,
}

impl Listed {
    fn bytes(&self) -> usize {
        size_of_val(&*self.actions)
    }
}

impl LegalActionCache {
    const SLOTS: usize = 1 << 14;

    pub(super) fn new(megabytes: usize) -> Self {
        Self {
            slots: Vec::new(),
            bytes: 0,
            most_bytes: megabytes << 20,
        }
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.bytes = 0;
    }

    /// Appends the actions that a player should think about, as [`flow::list_candidates`] does.
    pub(super) fn list(&mut self, rules: &dyn Rules, state: &Arc<State>, seat: SeatId, out: &mut Vec<Action>) -> Result<(), Rejection> {
        if flow::offered(state, seat).all(|action| rules.pattern(action).is_some()) {
            return flow::list_candidates(rules, state, seat, out);
        }
        let digest = state.digest();
        if self.slots.is_empty() {
            self.slots.resize_with(Self::SLOTS, || None);
        }
        let index = (digest as usize) % Self::SLOTS;
        if let Some(Some(listed)) = self.slots.get(index)
            && listed.digest == digest
            && listed.seat == seat
        {
            out.extend_from_slice(&listed.actions);
            return Ok(());
        }
        let before = out.len();
        flow::list_candidates(rules, state, seat, out)?;
        let listed = Listed {
            digest,
            seat,
            actions: out.get(before..).unwrap_or_default().into(),
        };
        if self.bytes + listed.bytes() > self.most_bytes {
            return Ok(());
        }
        self.bytes += listed.bytes();
        if let Some(slot) = self.slots.get_mut(index) {
            let old = slot.replace(listed);
            self.bytes -= old.map_or(0, |old| old.bytes());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use boardwright_fixtures::Rows;
    use boardwright_model::{ActionId, Declarations, Domain, Fingerprint, Pick};
    use boardwright_rules::{Luck, Transaction};

    /// Counts how often a domain is asked for.
    struct Counting(Rows, Cell<u32>);

    impl Rules for Counting {
        fn declarations(&self) -> &Arc<Declarations> {
            Rules::declarations(&self.0)
        }

        fn fingerprint(&self) -> Fingerprint {
            Rules::fingerprint(&self.0)
        }

        fn domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, picked: &[Pick]) -> Result<Domain, Rejection> {
            self.1.set(self.1.get() + 1);
            self.0.domain(state, seat, action, picked)
        }

        fn carry_out(&self, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
            self.0.carry_out(transaction, action)
        }
    }

    #[test]
    fn a_state_that_comes_again_is_not_listed_again_and_another_one_is() {
        let rows = Rows::new(3, 3, 3);
        let state = rows.begun("r.b ... ...").unwrap();
        let rules = Counting(rows, Cell::new(0));
        let mut legal_actions = LegalActionCache::new(1);
        let mut list = |state: &Arc<State>, seat| {
            let mut out = Vec::new();
            legal_actions.list(&rules, state, seat, &mut out).unwrap();
            out
        };
        let first = list(&state, SeatId(0));
        assert_eq!(first, flow::legal(&rules, &state, SeatId(0)).unwrap());
        let asked = rules.1.get();
        assert_eq!((list(&state, SeatId(0)), rules.1.get()), (first.clone(), asked));
        let mut transaction = Transaction::new(Arc::clone(&state), Luck::Forbidden);
        flow::perform_legal(&rules, &mut transaction, &first[0]).unwrap();
        assert_eq!(list(transaction.state(), SeatId(1)).len(), first.len() - 1);
        assert!(rules.1.get() > asked);
    }

    #[test]
    fn memory_is_bounded() {
        let rows = Rows::new(3, 3, 3);
        let state = rows.begun("").unwrap();
        let mut legal_actions = LegalActionCache::new(0);
        for _ in 0..2 {
            let mut out = Vec::new();
            legal_actions.list(&rows, &state, SeatId(0), &mut out).unwrap();
            assert_eq!(out.len(), 9);
        }
        assert_eq!(legal_actions.bytes, 0);
    }
}
