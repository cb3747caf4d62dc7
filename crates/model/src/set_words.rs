//! The words of a set of cells: in place for boards of up to 512 cells.

use std::ops::{Deref, DerefMut};

/// How many words are held in place.
const IN_PLACE: usize = 8;

/// Words of bits. How many there are decides where they are held.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum SetWords {
    /// The words, and how many of them count; the others are zero.
    InPlace([u64; IN_PLACE], u8),
    Boxed(Box<[u64]>),
}

impl SetWords {
    pub(super) fn zeros(len: usize) -> Self {
        if len <= IN_PLACE {
            Self::InPlace([0; IN_PLACE], len as u8)
        } else {
            Self::Boxed(vec![0; len].into())
        }
    }

    /// A word; zero behind the last.
    #[inline]
    pub(super) fn word(&self, index: usize) -> u64 {
        let word = match self {
            Self::InPlace(words, _) => words.get(index),
            Self::Boxed(words) => words.get(index),
        };
        word.copied().unwrap_or(0)
    }

    /// Makes more words of them, if there are fewer.
    pub(super) fn grow(&mut self, len: usize) {
        if len <= self.len() {
            return;
        }
        match self {
            Self::InPlace(_, own) if len <= IN_PLACE => *own = len as u8,
            _ => {
                let mut grown = vec![0; len];
                grown.iter_mut().zip(self.iter()).for_each(|(mine, own)| *mine = *own);
                *self = Self::Boxed(grown.into());
            }
        }
    }

    /// Combines each word with that of another set, which has zeros where it has no word. `combine` has to make nothing of two zeros.
    #[inline]
    pub(super) fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        match (self, other) {
            // All words each time: a loop of a fixed length becomes a few vector operations.
            (Self::InPlace(mine, _), Self::InPlace(theirs, _)) => {
                for (mine, theirs) in mine.iter_mut().zip(theirs) {
                    *mine = combine(*mine, *theirs);
                }
            }
            (mine, other) => {
                let theirs = other.iter().copied().chain(std::iter::repeat(0));
                for (mine, theirs) in mine.iter_mut().zip(theirs) {
                    *mine = combine(*mine, theirs);
                }
            }
        }
    }
}

impl Deref for SetWords {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Self::InPlace(words, len) => words.get(..usize::from(*len)).unwrap_or_default(),
            Self::Boxed(words) => words,
        }
    }
}

impl DerefMut for SetWords {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            Self::InPlace(words, len) => words.get_mut(..usize::from(*len)).unwrap_or_default(),
            Self::Boxed(words) => words,
        }
    }
}
