//! How a match ended.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{SeatId, SeatSet};

/// How a match ended: a place for every seat, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The place of each seat, 1 for the best. Seats that share a place are level.
    pub places: Vec<u8>,
    /// The final score of each seat; empty where the rules keep none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<i64>,
    /// The rule that ended the match.
    pub rule: Arc<str>,
    /// Why it ended, in words for players.
    pub reason: Arc<str>,
}

/// Why a seat has forfeited the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forfeit {
    /// It has resigned.
    Resigned,
    /// Its time has run out.
    OutOfTime,
}

impl Outcome {
    /// One seat wins, all others share the second place.
    pub fn win(seats: usize, winner: SeatId, rule: &str, reason: &str) -> Self {
        Self {
            places: (0..seats).map(|index| if index == winner.index() { 1 } else { 2 }).collect(),
            ..Self::draw(seats, rule, reason)
        }
    }

    /// All seats are level.
    pub fn draw(seats: usize, rule: &str, reason: &str) -> Self {
        Self {
            places: vec![1; seats],
            scores: Vec::new(),
            rule: Arc::from(rule),
            reason: Arc::from(reason),
        }
    }

    /// The seats that are left share the first place, and the others the one behind them.
    pub fn of_left(seats: usize, left: SeatSet, rule: &str, reason: &str) -> Self {
        let last = 1 + left.count().min(254) as u8;
        let place = |index| if left.contains(SeatId::from_index(index)) { 1 } else { last };
        Self {
            places: (0..seats).map(place).collect(),
            ..Self::draw(seats, rule, reason)
        }
    }

    /// Places by score, the highest first; equal scores share a place.
    pub fn by_score(scores: Vec<i64>, rule: &str, reason: &str) -> Self {
        Self::by_score_among(scores, SeatSet::EMPTY, rule, reason)
    }

    /// Places by score, the highest first; equal scores share a place. Seats that are out come after all others.
    pub fn by_score_among(scores: Vec<i64>, out: SeatSet, rule: &str, reason: &str) -> Self {
        let rank = |index: usize, score: i64| (!out.contains(SeatId::from_index(index)), score);
        let is_better = |other: (usize, &i64), own: (bool, i64)| rank(other.0, *other.1) > own;
        let place = |(index, score): (usize, &i64)| {
            let own = rank(index, *score);
            1 + scores.iter().enumerate().filter(|other| is_better(*other, own)).count().min(254) as u8
        };
        Self {
            places: scores.iter().enumerate().map(place).collect(),
            scores,
            rule: Arc::from(rule),
            reason: Arc::from(reason),
        }
    }

    /// Whether all seats are level.
    pub fn is_draw(&self) -> bool {
        self.places.iter().all(|place| *place == 1)
    }

    /// The seats in the first place; all of them after a draw.
    pub fn winners(&self) -> impl Iterator<Item = SeatId> {
        let first = self.places.iter().enumerate().filter(|(_, place)| **place == 1);
        first.map(|(index, _)| SeatId::from_index(index))
    }

    /// The seat that won alone.
    pub fn sole_winner(&self) -> Option<SeatId> {
        let mut winners = self.winners();
        winners.next().filter(|_| winners.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_share_a_place() {
        assert_eq!(Outcome::by_score(vec![5, 9, 5], "6", "all cards played").places, [2, 1, 2]);
    }

    #[test]
    fn who_is_out_comes_after_all_others() {
        let out = SeatSet::one(SeatId(1)).with(SeatId(3));
        assert_eq!(Outcome::by_score_among(vec![5, 9, 7, 9], out, "6", "").places, [2, 3, 1, 3]);
    }

    #[test]
    fn a_draw_has_no_sole_winner() {
        assert_eq!(Outcome::draw(2, "4.3", "repetition").sole_winner(), None);
        assert_eq!(Outcome::win(2, SeatId(1), "4.1", "no pieces").sole_winner(), Some(SeatId(1)));
    }
}
