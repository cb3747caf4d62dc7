//! What a seat asks: an action with its picks, and the domains the picks are taken from.

use std::sync::Arc;

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{ActionId, CellId, CellSet, PieceId, Pose, SeatId};

/// The cells a piece visits, in order, without the one it stands on.
pub type Path = SmallVec<[CellId; 8]>;

/// One thing picked for an action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// A cell.
    Cell(CellId),
    /// Several cells, in rising order.
    Cells(Vec<CellId>),
    /// A piece.
    Piece(PieceId),
    /// Several pieces, in rising order.
    Pieces(Vec<PieceId>),
    /// A seat.
    Seat(SeatId),
    /// A whole number.
    Number(i64),
    /// One of some words.
    Choice(Arc<str>),
    /// The cells a piece visits.
    Path(Path),
    /// How the piece picked before is turned and mirrored.
    Pose(Pose),
    /// A free text.
    Text(Arc<str>),
}

impl Pick {
    /// The bytes of the list, path or text that it holds.
    pub fn list_bytes(&self) -> usize {
        match self {
            Self::Cells(cells) => size_of_val::<[CellId]>(cells),
            Self::Path(cells) => size_of_val::<[CellId]>(cells),
            Self::Pieces(pieces) => size_of_val::<[PieceId]>(pieces),
            Self::Choice(text) | Self::Text(text) => text.len(),
            Self::Cell(_) | Self::Piece(_) | Self::Seat(_) | Self::Number(_) | Self::Pose(_) => 0,
        }
    }
}

/// The picks of an action, in the order of their declaration.
pub type Picks = SmallVec<[Pick; 3]>;

/// What a seat asks to do: a declared action with all its picks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Action {
    /// Who asks.
    pub seat: SeatId,
    /// The declared action.
    pub action: ActionId,
    /// What was picked, in the order of the declaration.
    #[serde(default, skip_serializing_if = "SmallVec::is_empty")]
    pub picks: Picks,
}

/// What may be picked at one step of an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Domain {
    /// One of some cells.
    Cells(CellSet),
    /// Between `min` and `max` of some cells.
    SomeCells { of: CellSet, min: u16, max: u16 },
    /// One of some pieces, in rising order.
    Pieces(Vec<PieceId>),
    /// Between `min` and `max` of some pieces.
    SomePieces {
        /// The pieces to pick from, in rising order.
        of: Vec<PieceId>,
        min: u16,
        max: u16,
    },
    /// One of some seats, in rising order.
    Seats(Vec<SeatId>),
    /// A whole number between two bounds, both allowed, a multiple of `step` above the lower one.
    Numbers {
        min: i64,
        max: i64,
        /// The distance between numbers, at least 1.
        step: i64,
    },
    /// One of some words, in the order in which they are offered.
    Choices(Vec<Arc<str>>),
    /// One of some paths, sorted and unique. A path may be the beginning of another.
    Paths(Vec<Path>),
    /// One of some poses, in rising order.
    Poses(Vec<Pose>),
    /// A text of at most so many characters.
    Text { max_chars: u16 },
}

impl Domain {
    /// Whether the pick may be taken.
    pub fn contains(&self, pick: &Pick) -> bool {
        match (self, pick) {
            (Self::Cells(cells), Pick::Cell(cell)) => cells.contains(*cell),
            (Self::SomeCells { of, min, max }, Pick::Cells(cells)) => {
                is_between(cells.len(), *min, *max) && is_rising(cells) && cells.iter().all(|cell| of.contains(*cell))
            }
            (Self::Pieces(pieces), Pick::Piece(piece)) => pieces.binary_search(piece).is_ok(),
            (Self::SomePieces { of, min, max }, Pick::Pieces(pieces)) => {
                is_between(pieces.len(), *min, *max) && is_rising(pieces) && pieces.iter().all(|piece| of.binary_search(piece).is_ok())
            }
            (Self::Seats(seats), Pick::Seat(seat)) => seats.contains(seat),
            (Self::Numbers { min, max, step }, Pick::Number(number)) => {
                (min..=max).contains(&number) && number.wrapping_sub(*min) % (*step).max(1) == 0
            }
            (Self::Choices(words), Pick::Choice(word)) => words.contains(word),
            (Self::Paths(paths), Pick::Path(path)) => paths.binary_search(path).is_ok(),
            (Self::Poses(poses), Pick::Pose(pose)) => poses.contains(pose),
            (Self::Text { max_chars }, Pick::Text(text)) => text.chars().count() <= usize::from(*max_chars),
            _ => false,
        }
    }

    /// Whether nothing can be picked.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Cells(cells) => cells.is_empty(),
            Self::SomeCells { of, min, .. } => of.count() < usize::from(*min),
            Self::Pieces(pieces) => pieces.is_empty(),
            Self::SomePieces { of, min, .. } => of.len() < usize::from(*min),
            Self::Seats(seats) => seats.is_empty(),
            Self::Numbers { min, max, .. } => min > max,
            Self::Choices(words) => words.is_empty(),
            Self::Paths(paths) => paths.is_empty(),
            Self::Poses(poses) => poses.is_empty(),
            Self::Text { .. } => false,
        }
    }

    /// Every single pick of the domain, in order. Texts have too many to list: none is given.
    pub fn each_pick(&self) -> Box<dyn Iterator<Item = Pick> + '_> {
        match self {
            Self::Cells(cells) => Box::new(cells.iter().map(Pick::Cell)),
            Self::SomeCells { of, min, max } => Box::new(subsets(of.iter().collect(), *min, *max).map(Pick::Cells)),
            Self::Pieces(pieces) => Box::new(pieces.iter().copied().map(Pick::Piece)),
            Self::SomePieces { of, min, max } => Box::new(subsets(of.clone(), *min, *max).map(Pick::Pieces)),
            Self::Seats(seats) => Box::new(seats.iter().copied().map(Pick::Seat)),
            Self::Numbers { min, max, step } => {
                let step = usize::try_from(*step).unwrap_or(1).max(1);
                Box::new((*min..=*max).step_by(step).map(Pick::Number))
            }
            Self::Choices(words) => Box::new(words.iter().cloned().map(Pick::Choice)),
            Self::Paths(paths) => Box::new(paths.iter().cloned().map(Pick::Path)),
            Self::Poses(poses) => Box::new(poses.iter().copied().map(Pick::Pose)),
            Self::Text { .. } => Box::new(std::iter::empty()),
        }
    }

    /// How many picks [`each_pick`](Self::each_pick) gives; `usize::MAX` stands for more as well.
    pub fn count(&self) -> usize {
        match self {
            Self::Cells(cells) => cells.count(),
            Self::SomeCells { of, min, max } => count_of_subsets(of.count(), *min, *max),
            Self::Pieces(pieces) => pieces.len(),
            Self::SomePieces { of, min, max } => count_of_subsets(of.len(), *min, *max),
            Self::Seats(seats) => seats.len(),
            Self::Numbers { min, max, .. } if min > max => 0,
            Self::Numbers { min, max, step } => {
                let steps = max.abs_diff(*min) / (*step).max(1).unsigned_abs();
                usize::try_from(steps).unwrap_or(usize::MAX).saturating_add(1)
            }
            Self::Choices(words) => words.len(),
            Self::Paths(paths) => paths.len(),
            Self::Poses(poses) => poses.len(),
            Self::Text { .. } => 0,
        }
    }

    /// The first picks of the domain: up to `limit` of them, and no more lists than take some megabytes.
    pub fn picks(&self, limit: usize) -> Vec<Pick> {
        const MOST_BYTES: usize = 4 << 20;
        let mut bytes = 0;
        let is_in = |pick: &Pick| {
            bytes += pick.list_bytes();
            bytes <= MOST_BYTES
        };
        self.each_pick().take(limit).take_while(is_in).collect()
    }
}

fn is_between(count: usize, min: u16, max: u16) -> bool {
    (usize::from(min)..=usize::from(max)).contains(&count)
}

fn is_rising<T: Ord>(items: &[T]) -> bool {
    items.windows(2).all(|pair| matches!(pair, [a, b] if a < b))
}

/// All subsets of between `min` and `max` items, smaller ones first, each in rising order.
fn subsets<T: Copy>(items: Vec<T>, min: u16, max: u16) -> impl Iterator<Item = Vec<T>> {
    let most = usize::from(max).min(items.len());
    (usize::from(min)..=most).flat_map(move |size| items.clone().into_iter().combinations(size))
}

/// How many subsets of between `min` and `max` of so many items there are.
fn count_of_subsets(items: usize, min: u16, max: u16) -> usize {
    let (mut of_size, mut sum) = (1_usize, 0_usize);
    for size in 0..=usize::from(max).min(items) {
        if size >= usize::from(min) {
            sum = sum.saturating_add(of_size);
        }
        // Of one item more: exact, for products of so many neighbouring numbers can be divided by their count.
        of_size = match of_size.checked_mul(items - size) {
            Some(product) => product / (size + 1),
            None => return usize::MAX,
        };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_listed_small_first_and_each_once() {
        let found: Vec<Vec<u8>> = subsets(vec![1, 2, 3], 1, 2).collect();
        assert_eq!(found, [vec![1], vec![2], vec![3], vec![1, 2], vec![1, 3], vec![2, 3]]);
        assert_eq!(subsets(vec![1, 2], 3, 3).count(), 0);
        assert_eq!(subsets::<u8>(Vec::new(), 0, 0).count(), 1);
    }

    #[test]
    fn every_listed_pick_is_in_its_domain() {
        let domains = [
            Domain::Cells(CellSet::from_cells(9, [CellId(2), CellId(5)])),
            Domain::SomePieces {
                of: vec![PieceId(1), PieceId(4), PieceId(7)],
                min: 1,
                max: 3,
            },
            Domain::Numbers { min: 2, max: 11, step: 3 },
            Domain::Choices(vec!["hold".into(), "retreat".into()]),
            Domain::Paths(vec![Path::from_slice(&[CellId(1)]), Path::from_slice(&[CellId(1), CellId(2)])]),
        ];
        for domain in domains {
            let picks = domain.picks(usize::MAX);
            assert!(!picks.is_empty());
            assert_eq!(picks.len(), domain.count(), "{domain:?}");
            assert!(picks.iter().all(|pick| domain.contains(pick)), "{domain:?}");
        }
    }

    #[test]
    fn more_picks_than_there_are_numbers_for_are_counted_as_the_most() {
        let pieces: Vec<PieceId> = (1..200).map(PieceId).collect();
        let of = |min, max| {
            Domain::SomePieces {
                of: pieces.clone(),
                min,
                max,
            }
            .count()
        };
        assert_eq!((of(0, 0), of(1, 1), of(2, 2), of(3, 2)), (1, 199, 199 * 198 / 2, 0));
        assert_eq!(of(1, 199), usize::MAX);
        let numbers = |min, max, step| Domain::Numbers { min, max, step }.count();
        assert_eq!(
            (numbers(i64::MIN, i64::MAX, 1), numbers(3, 2, 1), numbers(3, 3, 7)),
            (usize::MAX, 0, 1)
        );
    }

    #[test]
    fn a_number_between_the_steps_is_not_in_the_domain() {
        let domain = Domain::Numbers { min: 2, max: 11, step: 3 };
        assert!(domain.contains(&Pick::Number(5)) && !domain.contains(&Pick::Number(6)) && !domain.contains(&Pick::Number(14)));
    }
}
