//! Pieces on their way: what the effects of an action look like while they happen.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use egui::Pos2;

use super::geometry::Geometry;
use boardwright_model::{CellId, Effect, PieceId, Place};

/// How long a piece takes from cell to cell, in seconds.
const STEP: f64 = 0.22;
/// How long a piece takes to appear or to go.
const FADE: f64 = 0.2;
/// In seconds, however many pieces move.
const LONGEST: f64 = 1.6;

/// The pieces that are on their way.
#[derive(Clone, Debug, Default)]
pub struct Travels {
    /// Their times are in seconds from the beginning, at the normal speed.
    pieces: BTreeMap<PieceId, Travel>,
    number: u64,
    begin: f64,
    end: f64,
    /// How many times the normal speed.
    pace: f64,
}

#[derive(Clone, Debug, Default)]
struct Travel {
    legs: Vec<Leg>,
    appears: Option<f64>,
    vanishes: Option<(CellId, f64)>,
}

#[derive(Clone, Copy, Debug)]
struct Leg {
    from: CellId,
    to: CellId,
    start: f64,
}

/// How a piece is seen at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Its middle in the drawing; none where it rests.
    pub middle: Option<Pos2>,
    /// 1 when it can be seen whole, 0 when it is gone.
    pub opacity: f32,
    /// Its size, 1 for its own.
    pub scale: f32,
    /// How high it is above the board, 0 to 1.
    pub lift: f32,
}

impl Travels {
    /// The ways that the pieces take by some effects, beginning now. Times are in seconds.
    /// `speed` is how many times the normal one.
    pub fn start(effects: &[Effect], now: f64, speed: f64) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let mut pieces: BTreeMap<PieceId, Travel> = BTreeMap::new();
        let mut clock = 0.0;
        for effect in effects {
            match effect {
                Effect::Move { piece, from, to, .. } => match (from.cell(), to.cell()) {
                    (Some(from), Some(to)) => {
                        let start = clock;
                        pieces.entry(*piece).or_default().legs.push(Leg { from, to, start });
                        clock += STEP;
                    }
                    (Some(cell), None) => pieces.entry(*piece).or_default().vanishes = Some((cell, f64::max(clock - STEP * 0.4, 0.0))),
                    (None, Some(_)) => pieces.entry(*piece).or_default().appears = Some(clock),
                    (None, None) => {}
                },
                Effect::Spawn(piece) if matches!(piece.place, Place::Cell(_) | Place::Side(..)) => {
                    pieces.entry(piece.id).or_default().appears = Some(clock);
                }
                _ => {}
            }
        }
        let whole = if pieces.is_empty() { 0.0 } else { clock + FADE };
        let pace = f64::max(whole / LONGEST, 1.0) * speed.max(0.1);
        Self {
            pieces,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            begin: now,
            end: now + whole / pace,
            pace,
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether a piece is one of them.
    pub(super) fn has(&self, piece: PieceId) -> bool {
        self.pieces.contains_key(&piece)
    }

    /// Whether anything is still on its way.
    pub fn is_under_way(&self, now: f64) -> bool {
        now < self.end
    }

    /// The pieces on their way.
    pub fn pieces(&self) -> impl Iterator<Item = PieceId> {
        self.pieces.keys().copied()
    }

    /// How a piece is seen; `None` if it rests where the state says.
    pub fn shown(&self, piece: PieceId, geometry: &Geometry, now: f64) -> Option<Shown> {
        if !self.is_under_way(now) {
            return None;
        }
        let travel = self.pieces.get(&piece)?;
        let time = (now - self.begin) * self.pace;
        let moving = |middle: Pos2| Shown {
            middle: Some(middle),
            opacity: 1.0,
            scale: 1.0,
            lift: 0.0,
        };
        let share = |start: f64| ((now - self.begin - start / self.pace) / FADE).clamp(0.0, 1.0) as f32;
        if let Some(leg) = travel.legs.iter().find(|leg| time < leg.start + STEP) {
            let along = ((time - leg.start) / STEP).clamp(0.0, 1.0) as f32;
            let eased = along * along * (3.0 - 2.0 * along);
            return Some(Shown {
                lift: (std::f32::consts::PI * eased).sin(),
                ..moving(geometry.middle(leg.from).lerp(geometry.middle(leg.to), eased))
            });
        }
        if let Some((cell, start)) = travel.vanishes {
            return Some(Shown {
                opacity: 1.0 - share(start),
                scale: 1.0 - 0.3 * share(start),
                ..moving(geometry.middle(cell))
            });
        }
        if let Some(leg) = travel.legs.last() {
            return Some(moving(geometry.middle(leg.to)));
        }
        // A piece that has appeared rests where it is until the others have arrived.
        let share = share(travel.appears?);
        Some(Shown {
            middle: None,
            opacity: share,
            scale: 1.3 - 0.3 * share,
            lift: 1.0 - share,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{Board, Map, Topology};

    fn geometry() -> Geometry {
        let topology = Topology::Square {
            width: 5,
            height: 1,
            diagonals: false,
        };
        Geometry::of(&Board::from_map(&Map::new("m", "M", topology)).unwrap())
    }

    fn hop(piece: u32, from: Place, to: Place) -> Effect {
        Effect::Move {
            piece: PieceId(piece),
            from,
            from_index: 0,
            to,
            to_index: 0,
        }
    }

    #[test]
    fn a_chain_of_hops_is_travelled_cell_by_cell() {
        let cell = |index| Place::Cell(CellId(index));
        let effects = [
            hop(0, cell(0), cell(2)),
            hop(7, cell(1), Place::Off),
            hop(0, cell(2), cell(4)),
            hop(8, cell(3), Place::Off),
        ];
        let (travels, geometry) = (Travels::start(&effects, 10.0, 1.0), geometry());
        let x = |now| travels.shown(PieceId(0), &geometry, now).unwrap().middle.unwrap().x;
        assert!((x(10.0) - 0.5).abs() < 1e-3);
        assert!((x(10.0 + STEP) - 2.5).abs() < 1e-2);
        assert!((x(10.0 + 2.0 * STEP) - 4.5).abs() < 1e-2);
        assert_eq!(travels.shown(PieceId(0), &geometry, 12.0), None);
        let taken = |now| travels.shown(PieceId(7), &geometry, now).unwrap().opacity;
        assert!(taken(10.0) > 0.99 && taken(10.0 + STEP + FADE) < 0.01);
    }

    #[test]
    fn many_pieces_do_not_keep_players_waiting() {
        let effects: Vec<_> = (0..200)
            .map(|piece| hop(piece, Place::Cell(CellId(0)), Place::Cell(CellId(4))))
            .collect();
        let travels = Travels::start(&effects, 0.0, 1.0);
        assert!(travels.is_under_way(LONGEST - 0.01) && !travels.is_under_way(LONGEST + 0.01));
        assert!(!Travels::start(&[], 5.0, 1.0).is_under_way(5.0));
    }
}
