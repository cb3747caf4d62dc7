//! Move ordering, by history heuristic, killers and captures: the sooner a good action comes, the less of the rest is searched.

use boardwright_model::{Action, CellId, Pick, PieceId, State};
use boardwright_rules::Generator;

/// A number that stands for an action wherever it is met: the same stone from the same cell to the same cell has the same
/// key in all positions. Never 0.
pub(super) fn action_key(state: &State, action: &Action) -> u32 {
    let fold = |key: u64, part: u64| (key ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let mut key = fold(u64::from(action.seat.0), u64::from(action.action.0));
    for pick in &action.picks {
        key = match pick {
            Pick::Cell(cell) => fold(key, u64::from(cell.0)),
            Pick::Piece(id) => fold(key, piece_key(state, *id)),
            Pick::Path(cells) => cells.iter().fold(key, |key, cell| fold(key, u64::from(cell.0))),
            Pick::Cells(cells) => cells.iter().fold(key, |key, cell| fold(key, u64::from(cell.0))),
            Pick::Pieces(pieces) => pieces.iter().fold(key, |key, piece| fold(key, piece_key(state, *piece))),
            Pick::Seat(seat) => fold(key, u64::from(seat.0)),
            Pick::Number(number) => fold(key, *number as u64),
            Pick::Pose(pose) => fold(key, pose.index() as u64),
            Pick::Choice(text) | Pick::Text(text) => text.bytes().fold(key, |key, byte| fold(key, u64::from(byte))),
        };
    }
    (key ^ (key >> 32)) as u32 | 1
}

/// A piece on the board is known by its kind and cell: which of two equal ones stands there does not matter. One in a zone is known by
/// its nature: which of two equal cards is played does not matter either.
fn piece_key(state: &State, id: PieceId) -> u64 {
    let Some(piece) = state.piece(id) else {
        return (3 << 40) | u64::from(id.0);
    };
    match piece.place.cell() {
        Some(cell) => (1 << 40) | (u64::from(piece.kind.0) << 16) | u64::from(cell.0),
        None => state.likeness(piece),
    }
}

fn target(action: &Action) -> Option<CellId> {
    match action.picks.last()? {
        Pick::Cell(cell) => Some(*cell),
        Pick::Path(cells) => cells.last().copied(),
        _ => None,
    }
}

/// Whether an action leads to a cell on which only others stand.
pub(super) fn lands_on_enemy(state: &State, action: &Action) -> bool {
    target(action).is_some_and(|cell| state.occupied().contains(cell) && !state.owned_by(action.seat).is_some_and(|own| own.contains(cell)))
}

/// What earlier parts of the search have shown about actions: history, killers, captures.
#[derive(Clone, Debug)]
pub(super) struct HistoryHeuristic {
    history: Vec<i16>,
    /// How many enemies an action took when it was last searched, by its key.
    taken: Vec<u8>,
    /// By ply, two quiet actions that caused a cutoff.
    killers: Vec<[u32; 2]>,
}

impl HistoryHeuristic {
    const SIZE: usize = 1 << 14;
    const MOST_HISTORY: i32 = 8_000;

    pub(super) fn new() -> Self {
        Self {
            history: vec![0; Self::SIZE],
            taken: vec![0; Self::SIZE],
            killers: Vec::new(),
        }
    }

    pub(super) fn fade(&mut self) {
        self.history.iter_mut().for_each(|points| *points /= 4);
        self.killers.clear();
    }

    fn index(key: u32) -> usize {
        (key >> 1) as usize % Self::SIZE
    }

    /// The rank of an action in its node, the highest first.
    pub(super) fn rank(&self, state: &State, action: &Action, key: u32, ahead: usize, from_table: u32) -> i32 {
        if key == from_table {
            return i32::MAX;
        }
        let index = Self::index(key);
        let history = self.history.get(index).map_or(0, |points| i32::from(*points));
        let taken = self.taken.get(index).map_or(0, |taken| i32::from(*taken));
        if taken > 0 || lands_on_enemy(state, action) {
            return 1_000_000 + taken * 20_000 + history;
        }
        match self.killers.get(ahead) {
            Some([first, _]) if *first == key => 900_000,
            Some([_, second]) if *second == key => 800_000,
            _ => history,
        }
    }

    pub(super) fn note_taken(&mut self, key: u32, taken: usize) {
        if let Some(slot) = self.taken.get_mut(Self::index(key)) {
            *slot = taken.min(20) as u8;
        }
    }

    pub(super) fn note_killer(&mut self, key: u32, ahead: usize) {
        if self.killers.len() <= ahead {
            self.killers.resize(ahead + 1, [0; 2]);
        }
        if let Some(killers) = self.killers.get_mut(ahead).filter(|killers| killers[0] != key) {
            *killers = [key, killers[0]];
        }
    }

    /// Notes that an action was good, or had been expected to be better than it was.
    pub(super) fn note_history(&mut self, key: u32, depth: i32, was_good: bool) {
        let depth = depth.max(1);
        let bonus = (depth * depth + 4 * depth).min(400) * if was_good { 1 } else { -1 };
        if let Some(points) = self.history.get_mut(Self::index(key)) {
            let old = i32::from(*points);
            *points = (old + bonus - old * bonus.abs() / Self::MOST_HISTORY) as i16;
        }
    }
}

/// Appends an item to a list in a random order.
pub(super) fn push_shuffled<T>(list: &mut Vec<T>, item: T, generator: &mut Generator) {
    let place = generator.below(list.len() as u32 + 1) as usize;
    list.push(item);
    let last = list.len() - 1;
    list.swap(place, last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_fixtures::Skirmish;
    use boardwright_model::SeatId;
    use boardwright_rules::flow;

    #[test]
    fn different_actions_have_different_keys_and_equal_stones_the_same() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let state = rules.full().unwrap();
        let actions = flow::legal(&rules, &state, SeatId(0)).unwrap();
        let mut keys: Vec<u32> = actions.iter().map(|action| action_key(&state, action)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), actions.len());

        let (one, other) = (rules.begun("r.... r....").unwrap(), rules.begun("..... r.... r....").unwrap());
        let action = |piece, cell| Action {
            seat: SeatId(0),
            action: boardwright_model::ActionId(0),
            picks: [Pick::Piece(PieceId(piece)), Pick::Path([CellId(cell)].into_iter().collect())]
                .into_iter()
                .collect(),
        };
        assert_eq!(action_key(&one, &action(1, 6)), action_key(&other, &action(0, 6)));
        assert_ne!(action_key(&one, &action(1, 6)), action_key(&one, &action(0, 6)));
    }

    #[test]
    fn what_proved_good_comes_sooner() {
        let rules = Skirmish::new(5, 5, false).unwrap();
        let state = rules.full().unwrap();
        let actions = flow::legal(&rules, &state, SeatId(0)).unwrap();
        let key = action_key(&state, &actions[0]);
        let mut history = HistoryHeuristic::new();
        let rank = |history: &HistoryHeuristic| history.rank(&state, &actions[0], key, 2, 0);
        let plain = rank(&history);
        history.note_history(key, 3, true);
        let tried = rank(&history);
        history.note_killer(key, 2);
        let killer = rank(&history);
        history.note_taken(key, 2);
        assert!(plain < tried && tried < killer && killer < rank(&history));
        assert_eq!(history.rank(&state, &actions[0], key, 2, key), i32::MAX);
    }
}
