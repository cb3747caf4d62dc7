//! How far a long import is, and whether it shall go on.

use std::fmt;
use std::ops::ControlFlow;

use super::ImportError;

/// A step of an import that takes a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The colours of the mask are counted and snapped.
    Colours,
    /// Parts of areas are found, and specks mended.
    Parts,
    /// Borders are followed.
    Borders,
    /// Borders are simplified.
    Simplifying,
    /// Labels and pieces get their places.
    Pivots,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Colours => "reading colours",
            Self::Parts => "finding areas",
            Self::Borders => "following borders",
            Self::Simplifying => "simplifying borders",
            Self::Pivots => "placing labels",
        })
    }
}

type Tell<'a> = dyn FnMut(Stage, u8) -> ControlFlow<()> + 'a;

/// Is told how far an import is, in percent of each [`Stage`], and may stop it. A stage tells about a hundred times at most.
pub struct Progress<'a> {
    tell: Box<Tell<'a>>,
    last: Option<(Stage, u8)>,
}

impl<'a> Progress<'a> {
    /// Progress that a function is told. The import ends with [`ImportError::Stopped`] when it breaks.
    pub fn new(tell: impl FnMut(Stage, u8) -> ControlFlow<()> + 'a) -> Self {
        Self {
            tell: Box::new(tell),
            last: None,
        }
    }

    /// Progress that nobody is told.
    pub fn silent() -> Self {
        Self::new(|_, _| ControlFlow::Continue(()))
    }

    pub(crate) fn at(&mut self, stage: Stage, done: usize, of: usize) -> Result<(), ImportError> {
        let percent = (done * 100 / of.max(1)).min(100) as u8;
        if self.last == Some((stage, percent)) {
            return Ok(());
        }
        self.last = Some((stage, percent));
        match (self.tell)(stage, percent) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ImportError::Stopped),
        }
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("last", &self.last).finish_non_exhaustive()
    }
}
