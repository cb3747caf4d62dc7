//! Actions in a few bytes, as the tree keeps them by the million.

use std::sync::Arc;

use smallvec::SmallVec;

use boardwright_model::{Action, ActionId, CellId, Path, Pick, Picks, PieceId, Pose, SeatId};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedAction(SmallVec<[u8; 16]>);

const CELL: u8 = 0;
const CELLS: u8 = 1;
const PIECE: u8 = 2;
const PIECES: u8 = 3;
const SEAT: u8 = 4;
const NUMBER: u8 = 5;
const CHOICE: u8 = 6;
const PATH: u8 = 7;
const TEXT: u8 = 8;
const POSE: u8 = 9;

impl PackedAction {
    pub(super) fn new(action: &Action) -> Self {
        let mut bytes = SmallVec::new();
        pack(action, &mut bytes);
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Self(SmallVec::from_slice(bytes))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        if self.0.spilled() { self.0.capacity() } else { 0 }
    }

    pub(super) fn unpack(&self, seat: SeatId) -> Option<Action> {
        let mut reader = Reader(&self.0);
        let action = ActionId(reader.byte()?);
        let mut picks = Picks::new();
        while !reader.0.is_empty() {
            picks.push(reader.pick()?);
        }
        Some(Action { seat, action, picks })
    }
}

fn pack(action: &Action, out: &mut SmallVec<[u8; 16]>) {
    out.push(action.action.0);
    for pick in &action.picks {
        let list = |out: &mut SmallVec<[u8; 16]>, tag, items: &mut dyn ExactSizeIterator<Item = u64>| {
            out.push(tag);
            number(out, items.len() as u64);
            items.for_each(|item| number(out, item));
        };
        let one = |out: &mut SmallVec<[u8; 16]>, tag, item| {
            out.push(tag);
            number(out, item);
        };
        let text = |out: &mut SmallVec<[u8; 16]>, tag, text: &str| {
            out.push(tag);
            number(out, text.len() as u64);
            out.extend_from_slice(text.as_bytes());
        };
        match pick {
            Pick::Cell(cell) => one(out, CELL, u64::from(cell.0)),
            Pick::Cells(cells) => list(out, CELLS, &mut cells.iter().map(|cell| u64::from(cell.0))),
            Pick::Piece(piece) => one(out, PIECE, u64::from(piece.0)),
            Pick::Pieces(pieces) => list(out, PIECES, &mut pieces.iter().map(|piece| u64::from(piece.0))),
            Pick::Seat(seat) => one(out, SEAT, u64::from(seat.0)),
            Pick::Number(value) => one(out, NUMBER, ((value << 1) ^ (value >> 63)) as u64),
            Pick::Path(path) => list(out, PATH, &mut path.iter().map(|cell| u64::from(cell.0))),
            Pick::Pose(pose) => one(out, POSE, pose.index() as u64),
            Pick::Choice(word) => text(out, CHOICE, word),
            Pick::Text(word) => text(out, TEXT, word),
        }
    }
}

/// Seven bits a byte, the lowest first.
fn number(out: &mut SmallVec<[u8; 16]>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn list<T, L: FromIterator<T>>(&mut self, make: impl Fn(u64) -> T) -> Option<L> {
        let count = self.number()?;
        (0..count).map(|_| self.number().map(&make)).collect()
    }

    fn text(&mut self) -> Option<Arc<str>> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok().map(Arc::from)
    }

    fn pick(&mut self) -> Option<Pick> {
        let cell = |number: u64| CellId(number as u16);
        let piece = |number: u64| PieceId(number as u32);
        Some(match self.byte()? {
            CELL => Pick::Cell(cell(self.number()?)),
            CELLS => Pick::Cells(self.list(cell)?),
            PIECE => Pick::Piece(piece(self.number()?)),
            PIECES => Pick::Pieces(self.list(piece)?),
            SEAT => Pick::Seat(SeatId(self.number()? as u8)),
            NUMBER => {
                let value = self.number()?;
                Pick::Number((value >> 1) as i64 ^ -((value & 1) as i64))
            }
            CHOICE => Pick::Choice(self.text()?),
            PATH => Pick::Path(self.list::<CellId, Path>(cell)?),
            TEXT => Pick::Text(self.text()?),
            POSE => Pick::Pose(*Pose::ALL.get(self.number()? as usize)?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pick_comes_back_as_it_was() {
        let picks = [
            Pick::Cell(CellId(65_535)),
            Pick::Cells(vec![CellId(0), CellId(127), CellId(128)]),
            Pick::Piece(PieceId(u32::MAX)),
            Pick::Pieces(vec![]),
            Pick::Seat(SeatId(31)),
            Pick::Number(i64::MIN),
            Pick::Number(-1),
            Pick::Number(i64::MAX),
            Pick::Choice("à droite".into()),
            Pick::Text("".into()),
            Pick::Pose(Pose::UPRIGHT.turned().mirrored()),
            Pick::Path((0..20).map(CellId).collect()),
        ];
        for count in 0..=picks.len() {
            let action = Action {
                seat: SeatId(3),
                action: ActionId(200),
                picks: picks.iter().take(count).cloned().collect(),
            };
            let packed = PackedAction::new(&action);
            assert_eq!(packed.unpack(SeatId(3)), Some(action.clone()));
            assert_eq!(PackedAction::from_bytes(packed.bytes()).unpack(SeatId(3)), Some(action));
        }
    }

    #[test]
    fn the_usual_action_needs_no_memory_of_its_own() {
        let action = Action {
            seat: SeatId(0),
            action: ActionId(0),
            picks: [Pick::Piece(PieceId(31)), Pick::Path([CellId(4), CellId(5)].into_iter().collect())]
                .into_iter()
                .collect(),
        };
        assert_eq!(PackedAction::new(&action).heap_bytes(), 0);
    }
}
