//! Actions of a node that are not open yet, in little room.

use super::packed::Packed;

/// An action before it is opened.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) action: Packed,
    pub(super) key: u32,
    /// What it is expected to bring, as a worth.
    pub(super) prior: u32,
    /// How likely it is the best, before any was tried: 0 to 1, all of a node together 1. 0 where nothing is said about it.
    pub(super) chance: f32,
}

/// Actions that wait to be opened, the next one last.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    bytes: Vec<u8>,
    /// Where the bytes of each action begin, its key, prior and chance.
    pub(super) actions: Vec<(u32, u32, u32, f32)>,
}

impl Waiting {
    /// Takes in candidates, the best first.
    pub(super) fn new(candidates: &[Candidate]) -> Self {
        let mut waiting = Self::default();
        for candidate in candidates.iter().rev() {
            let start = waiting.bytes.len() as u32;
            waiting.bytes.extend_from_slice(candidate.action.bytes());
            waiting.actions.push((start, candidate.key, candidate.prior, candidate.chance));
        }
        waiting.bytes.shrink_to_fit();
        waiting.actions.shrink_to_fit();
        waiting
    }

    pub(super) fn next(&mut self) -> Option<Candidate> {
        let (start, key, prior, chance) = self.actions.pop()?;
        let action = Packed::from_bytes(self.bytes.get(start as usize..).unwrap_or_default());
        self.bytes.truncate(start as usize);
        Some(Candidate {
            action,
            key,
            prior,
            chance,
        })
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + self.actions.capacity() * size_of::<(u32, u32, u32, f32)>()
    }
}
