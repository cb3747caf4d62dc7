//! Placements proposed one at a time, for those who want to know whether there is one, or to sample one, and not to see all.
//!
//! A set of cells is kept as one word a row, and so is a shape in a pose: whether it fits takes an operation a row. Which shapes can fit over a
//! contact at all is looked up by its eight neighbours: most of those that would not fit are never proposed.

use std::ops::Range;

use smallvec::SmallVec;

use super::PatternMove;
use crate::{Generator, PlayoutWeights};
use boardwright_model::{Board, CellId, CellSet, Declarations, Figure, KindId, PieceId, Place, Pose, Shape, State};

/// The shapes of all kinds in all poses.
#[derive(Clone, Debug)]
pub(super) struct Stencils {
    by_kind: Vec<OfKind>,
    all: Vec<Stencil>,
    /// By the neighbours that are free, and then by kind, how many of its stencils may fit.
    counts: Vec<u16>,
    size: (usize, usize),
    /// How far a shape reaches from one of its squares: so many empty rows and columns lie around the board.
    margin: usize,
}

/// A shape in a pose, with one of its squares on a contact.
#[derive(Clone, Debug)]
struct Stencil {
    pose: Pose,
    /// Its rows, with its columns as bits.
    rows: SmallVec<[u64; 6]>,
    /// Its first column and row, from the square on the contact.
    corner: (i32, i32),
    /// Its first square, from there.
    first: (i32, i32),
}

/// The stencils of a kind by what is free around the contact.
#[derive(Clone, Debug)]
struct OfKind {
    /// How many squares it has.
    squares: u32,
    /// By the neighbours that are free, where its stencils stand in the list.
    by_neighbours: Vec<Range<u32>>,
    list: Vec<u16>,
}

/// The neighbours of a cell as bits, by rows.
const NEIGHBOURS: [(i16, i16); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Stencil {
    fn new(pose: Pose, shape: &Shape, square: (i16, i16)) -> Self {
        let (x, y) = square;
        let left = shape.offsets().iter().map(|(x, _)| *x).min().unwrap_or(0);
        let top = shape.offsets().iter().map(|(_, y)| *y).min().unwrap_or(0);
        let mut rows = SmallVec::from_elem(0, usize::from(shape.height()));
        for (x, y) in shape.offsets() {
            if let Some(row) = rows.get_mut((y - top) as usize) {
                *row |= 1 << (x - left);
            }
        }
        Self {
            pose,
            rows,
            corner: ((left - x).into(), (top - y).into()),
            first: ((-x).into(), (-y).into()),
        }
    }
}

impl OfKind {
    /// Adds the stencils of a kind to all; `any_square` says whether any of the squares may lie on the contact, or only the first.
    fn new(figure: Option<&Figure>, any_square: bool, stencils: &mut Vec<Stencil>) -> Option<Self> {
        let mut own = Vec::new();
        for pose in figure.into_iter().flat_map(Figure::poses) {
            let shape = figure?.lying(pose);
            let count = if any_square { shape.count() } else { 1 };
            for square in shape.offsets().iter().take(count) {
                let is_part = |(x, y): (i16, i16)| shape.offsets().contains(&(square.0 + x, square.1 + y));
                let needed = (0..).zip(NEIGHBOURS).filter(|(_, neighbour)| is_part(*neighbour));
                let needed = needed.fold(0_usize, |needed, (bit, _)| needed | 1 << bit);
                own.push((u16::try_from(stencils.len()).ok()?, needed));
                stencils.push(Stencil::new(pose, shape, *square));
            }
        }
        let mut list = Vec::new();
        let by_neighbours = (0..1 << NEIGHBOURS.len()).map(|free: usize| {
            let start = list.len() as u32;
            list.extend(own.iter().filter(|(_, needed)| needed & !free == 0).map(|(index, _)| *index));
            start..list.len() as u32
        });
        Some(Self {
            squares: figure.map_or(0, |figure| figure.shape().count()) as u32,
            by_neighbours: by_neighbours.collect(),
            list,
        })
    }

    /// The places of those that may fit on a contact with some free neighbours.
    fn among(&self, free: usize) -> &[u16] {
        let range = self.by_neighbours.get(free);
        range
            .and_then(|range| self.list.get(range.start as usize..range.end as usize))
            .unwrap_or_default()
    }
}

impl Stencils {
    /// Those of the kinds that are declared. `None` on boards that are no square grids, where a row of the board does not fit into a word, and
    /// where there are too many.
    pub(super) fn new(board: &Board, declarations: &Declarations, any_square: bool) -> Option<Self> {
        let size = board.square_size()?;
        let figures = declarations.kinds.iter().map(|kind| kind.figure.as_deref());
        let reach = figures
            .clone()
            .flatten()
            .map(|figure| figure.shape().width().max(figure.shape().height()));
        let margin = usize::from(reach.max()?);
        if size.0 + 2 * margin > u64::BITS as usize {
            return None;
        }
        let mut all = Vec::new();
        let by_kind = figures
            .map(|figure| OfKind::new(figure, any_square, &mut all))
            .collect::<Option<Vec<OfKind>>>()?;
        let neighbours = 0..1 << NEIGHBOURS.len();
        let counts = neighbours.flat_map(|free| by_kind.iter().map(move |of_kind| of_kind.among(free).len() as u16));
        Some(Self {
            counts: counts.collect(),
            by_kind,
            all,
            size,
            margin,
        })
    }

    fn squares(&self, kind: KindId) -> u32 {
        self.by_kind.get(kind.index()).map_or(0, |of_kind| of_kind.squares)
    }

    /// By kind, how many stencils may fit on a contact.
    fn counts(&self, contact: &Contact) -> &[u16] {
        let kinds = self.by_kind.len();
        let start = contact.free * kinds;
        self.counts.get(start..start + kinds).unwrap_or_default()
    }

    /// The places of the stencils of a kind that may fit on a contact.
    fn places(&self, kind: KindId, contact: &Contact) -> &[u16] {
        self.by_kind.get(kind.index()).map_or(&[], |of_kind| of_kind.among(contact.free))
    }

    /// The stencils of a kind that may fit on a contact.
    fn among(&self, kind: KindId, contact: &Contact) -> impl Iterator<Item = &Stencil> {
        let places = self.places(kind, contact).iter();
        places.filter_map(|place| self.all.get(usize::from(*place)))
    }

    /// One of them, by its number.
    fn nth_among(&self, kind: KindId, contact: &Contact, number: usize) -> Option<&Stencil> {
        self.all.get(usize::from(*self.places(kind, contact).get(number)?))
    }

    /// Fills in the rows of a set, with the empty ones around.
    fn write_rows(&self, set: &CellSet, rows: &mut Vec<u64>) {
        let (width, height) = self.size;
        rows.clear();
        rows.resize(height + 2 * self.margin, 0);
        let words = set.words();
        let whole = u64::MAX >> (u64::BITS as usize - width);
        for (y, row) in rows.iter_mut().skip(self.margin).take(height).enumerate() {
            let (at, bits) = (y * width / 64, y * width % 64);
            let low = words.get(at).map_or(0, |word| word >> bits);
            let high = words.get(at + 1).map_or(0, |word| word.checked_shl(64 - bits as u32).unwrap_or(0));
            *row = ((low | high) & whole) << self.margin;
        }
    }
}

/// A contact, where it lies among the rows, and which of its neighbours are free.
#[derive(Clone, Debug)]
struct Contact {
    column: i32,
    row: i32,
    free: usize,
}

/// What can be proposed in one state: some pieces, each in each pose with one of its squares on a contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposals {
    ground: Vec<u64>,
    /// The contacts; `None` where there is no such condition, and all of the ground is one.
    condition: Option<CellSet>,
    contacts: Vec<Contact>,
    /// The pieces with their kinds.
    pieces: Vec<(PieceId, KindId)>,
    margin: i32,
}

impl Proposals {
    /// Takes in where pieces of a zone may be placed.
    pub(super) fn set(&mut self, stencils: &Stencils, state: &State, (ground, contacts): (&CellSet, Option<&CellSet>), pieces: &[PieceId]) {
        self.pieces.clear();
        self.pieces
            .extend(pieces.iter().filter_map(|piece| Some((*piece, state.piece(*piece)?.kind))));
        self.condition = contacts.map(|contacts| contacts.intersection(ground));
        stencils.write_rows(ground, &mut self.ground);
        self.contacts.clear();
        let (width, margin) = (stencils.size.0, stencils.margin as i32);
        self.margin = margin;
        let rows = &self.ground;
        let contact = |cell: CellId| {
            let (column, row) = ((cell.index() % width) as i32 + margin, (cell.index() / width) as i32 + margin);
            let row_of = |y: i32| rows.get((row + y) as usize).map_or(0, |bits| bits >> (column - 1)) as usize;
            let (above, beside, below) = (row_of(-1) & 7, row_of(0), row_of(1) & 7);
            let free = above | (beside & 1) << 3 | (beside >> 2 & 1) << 4 | below << 5;
            Contact { column, row, free }
        };
        self.contacts.extend(self.condition.as_ref().unwrap_or(ground).iter().map(contact));
    }

    /// Whether a stencil on a contact covers nothing but ground.
    #[inline]
    fn fits(&self, stencil: &Stencil, contact: &Contact) -> bool {
        let (x, y) = (contact.column + stencil.corner.0, contact.row + stencil.corner.1);
        let rows = self.ground.get(y as usize..).unwrap_or_default().iter();
        rows.zip(&stencil.rows).all(|(row, own)| (row >> x) & own == *own)
    }

    /// Whether any fits.
    pub(super) fn any(&self, stencils: &Stencils) -> bool {
        self.pieces.iter().any(|(_, kind)| {
            let fits = |contact: &Contact| stencils.among(*kind, contact).any(|stencil| self.fits(stencil, contact));
            self.contacts.iter().any(fits)
        })
    }

    /// Samples a placement by its weight. `None` if some proposals did not come to one.
    ///
    /// Those that fit are accepted in proportion to their weight, divided by the number of contacts that they cover: so many proposals come
    /// to the same.
    pub(super) fn sample(
        &self,
        stencils: &Stencils,
        state: &State,
        weights: Option<&PlayoutWeights>,
        generator: &mut Generator,
    ) -> Option<PatternMove<'static>> {
        let bound =
            |piece: PieceId, kind: KindId| weights.map_or(1, |weights| weights.most_of_placement(state, piece, stencils.squares(kind)));
        let pieces: SmallVec<[(PieceId, KindId, u32); 32]> = self
            .pieces
            .iter()
            .map(|(piece, kind)| (*piece, *kind, bound(*piece, *kind)))
            .collect();
        let ways = |contact: &Contact| {
            let counts = stencils.counts(contact);
            let count = move |kind: KindId| counts.get(kind.index()).map_or(0, |count| u64::from(*count));
            pieces.iter().map(move |(_, kind, bound)| count(*kind) * u64::from(*bound))
        };
        let by_contact: SmallVec<[u64; 64]> = self.contacts.iter().map(|contact| ways(contact).sum()).collect();
        let total = by_contact.iter().sum::<u64>();
        for _ in 0..Self::PLAIN {
            let mut left = generator.below_u64(total);
            let contact = pick(self.contacts.iter().zip(by_contact.iter().copied()), &mut left)?;
            let proposed = *pick(pieces.iter().zip(ways(contact)), &mut left)?;
            let stencil = stencils.nth_among(proposed.1, contact, (left / u64::from(proposed.2)) as usize)?;
            if self.fits(stencil, contact)
                && let Some(found) = self.accept(stencil, contact, proposed, (state, weights), generator)
            {
                return Some(found);
            }
        }
        // What is likeliest may not fit any more. So from now on, when a piece is proposed on a contact, those of its stencils that fit there are
        // counted, and that is its share: what does not fit is not proposed again, and what fits is as likely as before.
        let mut shares: Vec<u64> = self.contacts.iter().flat_map(ways).collect();
        let mut by_contact = by_contact;
        let mut counted = vec![false; shares.len()];
        for _ in 0..Self::MOST {
            let mut left = generator.below_u64(by_contact.iter().sum());
            let (row, contact) = pick(self.contacts.iter().enumerate().zip(by_contact.iter().copied()), &mut left)?;
            let start = row * pieces.len();
            let (at, proposed) = pick((start..).zip(&pieces).zip(shares.get(start..)?.iter().copied()), &mut left)?;
            let bound = u64::from(proposed.2);
            let (share, is_counted) = shares.get_mut(at).zip(counted.get_mut(at))?;
            let place = (left / bound) as usize;
            let mut fitting = stencils.among(proposed.1, contact).filter(|stencil| self.fits(stencil, contact));
            let stencil = if *is_counted {
                fitting.nth(place)?
            } else {
                *is_counted = true;
                let of_row = by_contact.get_mut(row)?;
                *of_row -= *share;
                *share = fitting.count() as u64 * bound;
                *of_row += *share;
                stencils.nth_among(proposed.1, contact, place)?
            };
            if !self.fits(stencil, contact) {
                continue;
            }
            let found = self.accept(stencil, contact, *proposed, (state, weights), generator);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Accepts a proposed placement that fits with a probability of its weight divided by the bound and by the number of contacts that it covers.
    fn accept(
        &self,
        stencil: &Stencil,
        contact: &Contact,
        (piece, kind, bound): (PieceId, KindId, u32),
        (state, weights): (&State, Option<&PlayoutWeights>),
        generator: &mut Generator,
    ) -> Option<PatternMove<'static>> {
        let (column, row) = (
            contact.column + stencil.first.0 - self.margin,
            contact.row + stencil.first.1 - self.margin,
        );
        let anchor = state.board().cell_at(column, row)?;
        let cells = state.cells_at(kind, Place::Posed(anchor, stencil.pose));
        let own = weights.map_or(1, |weights| weights.of_cells(state, piece, &cells));
        let condition = self.condition.as_ref();
        let alike = condition.map_or(1, |contacts| cells.iter().filter(|cell| contacts.contains(**cell)).count());
        let among = bound.checked_mul(alike as u32)?;
        (own == among || generator.below(among) < own).then_some(PatternMove::Posed(piece, stencil.pose, anchor))
    }

    /// So many proposals are made before shares are counted.
    const PLAIN: usize = 6;

    /// So many proposals are made at most.
    const MOST: usize = 64;
}

/// The one in whose share of a sum a number lies, which is made one within that share.
fn pick<T>(shares: impl Iterator<Item = (T, u64)>, left: &mut u64) -> Option<T> {
    for (item, own) in shares {
        if *left < own {
            return Some(item);
        }
        *left -= own;
    }
    None
}
