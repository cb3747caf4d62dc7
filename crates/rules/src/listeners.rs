//! Listeners: rules that are told of what happened in a match and may answer with changes of their own.
//!
//! They are told in the order in which things happened, after the hook that caused them has returned, and inside the same transaction: what
//! they change is undone with the action, and is itself something that happened, which listeners are told of next.

use smallvec::SmallVec;

use super::{Rules, Transaction};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Action, CellId, Effect, PieceId, Place, PropertyId, Rejection, SeatId, State, Target, Value};

/// Something that happened in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// The match has begun: it is prepared, and nobody has acted.
    Begun,
    /// A round has begun. Told before the turn that it begins with.
    RoundBegun,
    /// A turn has begun. Told before its first phase is entered.
    TurnBegun,
    /// An action has been carried out. Told before what it changed.
    Done(Action),
    /// A piece covers a cell that it did not cover before.
    Entered(PieceId, CellId),
    /// A piece no longer covers a cell.
    Left(PieceId, CellId),
    /// A piece came into being.
    Created(PieceId),
    /// A piece went out of play.
    Removed(PieceId),
    /// A piece belongs to another seat than before: the one given here, if any.
    Given(PieceId, Option<SeatId>),
    /// A property changed.
    Changed {
        /// Whose it is.
        target: Target,
        /// Which.
        property: PropertyId,
        /// The value before.
        before: Value,
        /// The value after.
        after: Value,
    },
    /// A seat was put out of the match.
    Eliminated(SeatId),
    /// Everything that followed from an action has happened: the endings are checked next.
    Settled,
}

/// What happens in a match, by sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "they are those of `Occurrence`")]
pub enum OccurrenceKind {
    Begun,
    RoundBegun,
    TurnBegun,
    Done,
    Entered,
    Left,
    Created,
    Removed,
    Given,
    Changed,
    Eliminated,
    Settled,
}

impl OccurrenceKind {
    /// All sorts.
    pub const ALL: [Self; 12] = [
        Self::Begun,
        Self::RoundBegun,
        Self::TurnBegun,
        Self::Done,
        Self::Entered,
        Self::Left,
        Self::Created,
        Self::Removed,
        Self::Given,
        Self::Changed,
        Self::Eliminated,
        Self::Settled,
    ];
}

impl Occurrence {
    /// Its sort.
    pub fn kind(&self) -> OccurrenceKind {
        match self {
            Self::Begun => OccurrenceKind::Begun,
            Self::RoundBegun => OccurrenceKind::RoundBegun,
            Self::TurnBegun => OccurrenceKind::TurnBegun,
            Self::Done(_) => OccurrenceKind::Done,
            Self::Entered(..) => OccurrenceKind::Entered,
            Self::Left(..) => OccurrenceKind::Left,
            Self::Created(_) => OccurrenceKind::Created,
            Self::Removed(_) => OccurrenceKind::Removed,
            Self::Given(..) => OccurrenceKind::Given,
            Self::Changed { .. } => OccurrenceKind::Changed,
            Self::Eliminated(_) => OccurrenceKind::Eliminated,
            Self::Settled => OccurrenceKind::Settled,
        }
    }
}

/// Rules that listen.
pub trait Listeners {
    /// Whether anything is told of occurrences of a sort.
    fn hears(&self, kind: OccurrenceKind) -> bool;

    /// Tells of an occurrence.
    ///
    /// # Errors
    /// If the rules refuse or are at fault: nothing of what led to it happens then.
    fn on(&self, transaction: &mut Transaction, occurrence: &Occurrence) -> Result<(), Rejection>;
}

/// The most occurrences that one action may cause.
const MOST_OCCURRENCES: usize = 10_000;

/// Tells listeners what happens in a transaction.
pub(super) struct Watch<'a> {
    listeners: Option<&'a dyn Listeners>,
    /// How many of the effects of the transaction were looked at.
    heard: usize,
    announced: usize,
    /// Whether nothing is to be told before something has changed.
    waits: bool,
}

impl<'a> Watch<'a> {
    /// Watches a transaction from here on.
    pub(super) fn new(rules: &'a dyn Rules, transaction: &Transaction) -> Self {
        Self {
            listeners: rules.listeners(),
            heard: transaction.effects().len(),
            announced: 0,
            waits: false,
        }
    }

    /// The same, but silent about a match that stands as it stood.
    pub(super) fn until_something_happens(self) -> Self {
        Self { waits: true, ..self }
    }

    /// Tells that an action has been carried out, and of what changed by it.
    pub(super) fn done(&mut self, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
        if self.listeners.is_some_and(|listeners| listeners.hears(OccurrenceKind::Done)) {
            self.notify_one(transaction, &Occurrence::Done(action.clone()))?;
        }
        self.catch_up(transaction)
    }

    /// Tells of an occurrence, and then of what changed since the last time.
    pub(super) fn notify(&mut self, transaction: &mut Transaction, occurrence: &Occurrence) -> Result<(), Rejection> {
        if self.listeners.is_none() || (self.waits && transaction.effects().len() == self.heard) {
            return Ok(());
        }
        self.waits = false;
        self.notify_one(transaction, occurrence)?;
        self.catch_up(transaction)
    }

    /// Tells of what changed since the last time, and of what changes for that.
    pub(super) fn catch_up(&mut self, transaction: &mut Transaction) -> Result<(), Rejection> {
        let Some(listeners) = self.listeners else { return Ok(()) };
        while let Some(effect) = transaction.effects().get(self.heard) {
            self.heard += 1;
            if !kinds_of(effect).iter().any(|kind| listeners.hears(*kind)) {
                continue;
            }
            for occurrence in occurrences(transaction.state(), effect) {
                self.notify_one(transaction, &occurrence)?;
            }
        }
        Ok(())
    }

    fn notify_one(&mut self, transaction: &mut Transaction, occurrence: &Occurrence) -> Result<(), Rejection> {
        let Some(listeners) = self.listeners.filter(|listeners| listeners.hears(occurrence.kind())) else {
            return Ok(());
        };
        if transaction.state().outcome().is_some() {
            return Ok(());
        }
        self.announced += 1;
        if self.announced > MOST_OCCURRENCES {
            let message = format!("listeners caused more than {MOST_OCCURRENCES} things for one action: they probably answer each other");
            return Err(Rejection::at_fault(Code::EndlessPhases, message));
        }
        listeners.on(transaction, occurrence)
    }
}

/// What may happen by an effect.
fn kinds_of(effect: &Effect) -> &'static [OccurrenceKind] {
    match effect {
        Effect::Turn { .. } => &[OccurrenceKind::RoundBegun, OccurrenceKind::TurnBegun],
        Effect::Move { .. } => &[OccurrenceKind::Left, OccurrenceKind::Removed, OccurrenceKind::Entered],
        Effect::Spawn(_) => &[OccurrenceKind::Created, OccurrenceKind::Entered],
        Effect::Owner { .. } => &[OccurrenceKind::Given],
        Effect::Set { .. } => &[OccurrenceKind::Changed],
        Effect::Eliminate(_) => &[OccurrenceKind::Eliminated],
        _ => &[],
    }
}

/// What happened by an effect that has just been, or was a moment ago, applied.
fn occurrences(state: &State, effect: &Effect) -> SmallVec<[Occurrence; 4]> {
    let mut found = SmallVec::new();
    match effect {
        Effect::Turn { old, new, .. } if old.turn != new.turn => {
            if old.round != new.round {
                found.push(Occurrence::RoundBegun);
            }
            found.push(Occurrence::TurnBegun);
        }
        Effect::Move { piece, from, to, .. } => {
            let covered = |place: &Place| {
                let kind = state.piece(*piece).map(|piece| piece.kind);
                kind.map(|kind| state.cells_at(kind, *place)).unwrap_or_default()
            };
            let (before, after) = (covered(from), covered(to));
            let left = before.iter().filter(|cell| !after.contains(cell));
            let entered = after.iter().filter(|cell| !before.contains(cell));
            found.extend(left.map(|cell| Occurrence::Left(*piece, *cell)));
            if to.is_off() && !from.is_off() {
                found.push(Occurrence::Removed(*piece));
            }
            found.extend(entered.map(|cell| Occurrence::Entered(*piece, *cell)));
        }
        Effect::Spawn(piece) => {
            found.push(Occurrence::Created(piece.id));
            found.extend(state.cells_of(piece).iter().map(|cell| Occurrence::Entered(piece.id, *cell)));
        }
        Effect::Owner { piece, old, .. } => found.push(Occurrence::Given(*piece, *old)),
        Effect::Set {
            target,
            property,
            old,
            new,
        } => found.push(Occurrence::Changed {
            target: *target,
            property: *property,
            before: old.clone(),
            after: new.clone(),
        }),
        Effect::Eliminate(seat) => found.push(Occurrence::Eliminated(*seat)),
        _ => {}
    }
    found
}
