//! The generator behind all luck.

use std::collections::VecDeque;

use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

use super::{DrawKind, Seed};

/// A generator of random numbers: `ChaCha` with 12 rounds, seeded with one number. The same seed gives the same numbers on
/// every platform and in every release. How numbers become dice and orders is written here and not taken from a library
/// whose choices may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    seed: Seed,
    stream: ChaCha12Rng,
    /// Forced faces of the next dice.
    forced: VecDeque<u32>,
}

impl Generator {
    /// The name under which saves record it.
    pub const NAME: &'static str = "chacha12";

    /// A generator at its beginning.
    pub fn new(seed: impl Into<Seed>) -> Self {
        let seed = seed.into();
        Self {
            seed,
            stream: match seed {
                Seed::Number(number) => ChaCha12Rng::seed_from_u64(number),
                Seed::Secret(bytes) => ChaCha12Rng::from_seed(bytes),
            },
            forced: VecDeque::new(),
        }
    }

    /// The seed it was made with.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// How many words it has given.
    pub fn position(&self) -> u64 {
        self.stream.get_word_pos() as u64
    }

    /// Goes to a position, forwards or back.
    pub fn set_position(&mut self, position: u64) {
        self.stream.set_word_pos(u128::from(position));
    }

    /// A number below `bound`, each as likely as any other; 0 if `bound` is 0.
    ///
    /// Multiplication with rejection, after Lemire, "Fast Random Integer Generation in an Interval" (2019).
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            let product = u64::from(self.stream.next_u32()) * u64::from(bound);
            // What is unfair is below the bound, so that the remainder is seldom needed.
            let is_fair = product as u32 >= bound || product as u32 >= bound.wrapping_neg() % bound;
            if is_fair {
                return (product >> 32) as u32;
            }
        }
    }

    /// The same for a bound of 64 bits. One of 32 bits draws as [`below`](Self::below) does.
    #[inline]
    pub fn below_u64(&mut self, bound: u64) -> u64 {
        if let Ok(bound) = u32::try_from(bound) {
            return u64::from(self.below(bound));
        }
        let mask = u64::MAX >> bound.leading_zeros();
        loop {
            let number = (u64::from(self.stream.next_u32()) << 32 | u64::from(self.stream.next_u32())) & mask;
            if number < bound {
                return number;
            }
        }
    }

    /// Forces the next dice, in place of those forced before. A face that a die does not have is passed over when its turn comes.
    pub fn force_dice(&mut self, faces: impl IntoIterator<Item = u32>) {
        self.forced = faces.into_iter().collect();
    }

    /// A die. A forced face takes the place of the drawn one, which is drawn all the same.
    fn die(&mut self, sides: u32) -> u32 {
        let drawn = 1 + self.below(sides);
        self.forced.pop_front().filter(|face| *face <= sides).unwrap_or(drawn)
    }

    /// Goes past a draw that was made before.
    pub fn pass(&mut self, kind: &DrawKind) {
        self.draw(kind);
    }

    /// A seed for another generator.
    pub fn next_seed(&mut self) -> u64 {
        self.stream.next_u64()
    }

    /// A result of a draw.
    pub fn draw(&mut self, kind: &DrawKind) -> Vec<u32> {
        match kind {
            DrawKind::Dice { count, sides } => (0..*count).map(|_| self.die(*sides)).collect(),
            DrawKind::Shuffle { count } => {
                let mut order: Vec<u32> = (0..*count).collect();
                for last in (1..*count).rev() {
                    let other = self.below(last + 1);
                    order.swap(last as usize, other as usize);
                }
                order
            }
            DrawKind::Choose { weights } => {
                let total = weights.iter().fold(0u32, |sum, weight| sum.saturating_add(*weight));
                let mut left = self.below(total);
                for (index, weight) in weights.iter().enumerate() {
                    if left < *weight {
                        return vec![index as u32];
                    }
                    left -= weight;
                }
                vec![0]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These numbers must never change: saves and replays depend on them.
    #[test]
    fn the_same_seed_gives_the_same_results_for_ever() {
        let mut generator = Generator::new(42);
        let dice = generator.draw(&DrawKind::Dice { count: 8, sides: 6 });
        let order = generator.draw(&DrawKind::Shuffle { count: 8 });
        assert_eq!((dice, order), (vec![1, 4, 2, 4, 6, 4, 6, 3], vec![5, 6, 4, 1, 2, 3, 0, 7]));
    }

    #[test]
    fn going_back_to_a_position_gives_the_same_results_again() {
        let mut generator = Generator::new(7);
        generator.draw(&DrawKind::Dice { count: 5, sides: 20 });
        let position = generator.position();
        let first = generator.draw(&DrawKind::Shuffle { count: 30 });
        generator.set_position(position);
        assert_eq!(generator.draw(&DrawKind::Shuffle { count: 30 }), first);
    }

    #[test]
    fn numbers_below_large_bounds_are_equally_frequent() {
        let mut generator = Generator::new(1);
        let bound = 3 << 33;
        let mut thirds = [0_u32; 3];
        for _ in 0..30_000 {
            let number = generator.below_u64(bound);
            thirds[(number / (bound / 3)) as usize] += 1;
        }
        assert!(thirds.iter().all(|count| count.abs_diff(10_000) < 400), "{thirds:?}");
        let (mut one, mut other) = (Generator::new(2), Generator::new(2));
        assert_eq!(one.below_u64(6), u64::from(other.below(6)), "small bounds are drawn as ever");
        assert_eq!(one.below_u64(0), 0);
    }

    #[test]
    fn faces_of_a_die_are_equally_frequent() {
        let mut generator = Generator::new(1);
        let faces = generator.draw(&DrawKind::Dice { count: 1000, sides: 6 });
        let more: Vec<u32> = (0..59)
            .flat_map(|_| generator.draw(&DrawKind::Dice { count: 1000, sides: 6 }))
            .chain(faces)
            .collect();
        for face in 1..=6 {
            let count = more.iter().filter(|found| **found == face).count();
            assert!((9_600..10_400).contains(&count), "face {face} came {count} times in 60,000");
        }
    }
}
