//! All that one round can come to.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigUint;
use num_integer::Integer;

use crate::{Changes, Contests, DrawError, Enumeration, Luck, Round, Transaction};
use boardwright_model::{Rejection, State};

/// The most results of its draws that a round is run through.
const MOST_RESULTS: usize = 300_000;

/// What a round changes, with how many parts of the whole each change is likely.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    pub(super) changes: Vec<(Changes, BigUint)>,
    pub(super) whole: BigUint,
}

/// Rounds of one contest that were run through all their results.
#[derive(Clone, Debug, Default)]
pub struct Rounds(BTreeMap<Round, Option<Arc<Clash>>>);

impl Rounds {
    /// How many different rounds were met.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none was met yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clash(
        &mut self,
        contests: &dyn Contests,
        state: &Arc<State>,
        contest: usize,
        round: &Round,
    ) -> Result<Option<Arc<Clash>>, Rejection> {
        if let Some(known) = self.0.get(round) {
            return Ok(known.clone());
        }
        let found = clash(contests, state, contest, round)?.map(Arc::new);
        self.0.insert(round.clone(), found.clone());
        Ok(found)
    }
}

/// Runs a round through every result of its draws; `None` if there are too many.
fn clash(contests: &dyn Contests, state: &Arc<State>, contest: usize, round: &Round) -> Result<Option<Clash>, Rejection> {
    let mut transaction = Transaction::new(Arc::clone(state), Luck::Forbidden);
    let mark = transaction.mark();
    let mut enumeration = Enumeration::default();
    // Grouped by the denominator of the path, so that large numbers are only added at the end.
    let mut parts: BTreeMap<(Changes, u128), u128> = BTreeMap::new();
    for _ in 0..MOST_RESULTS {
        transaction.set_luck(Luck::Enumerate(enumeration));
        let changes = contests.clash(&mut transaction, contest, round);
        let has_too_many = matches!(transaction.draw_error(), Some(DrawError::TooManyResults(_)));
        transaction.rollback(mark);
        let Luck::Enumerate(ran) = transaction.set_luck(Luck::Forbidden) else {
            return Ok(None);
        };
        enumeration = ran;
        if has_too_many {
            return Ok(None);
        }
        let changes = changes?;
        let product = enumeration
            .probability()
            .iter()
            .try_fold((1u128, 1u128), |(above, below), (weight, of)| {
                let (above, below) = (above.checked_mul((*weight).into())?, below.checked_mul((*of).into())?);
                let common = above.gcd(&below).max(1);
                Some((above / common, below / common))
            });
        let Some((above, below)) = product else { return Ok(None) };
        let Some(sum) = parts.get(&(changes.clone(), below)).copied().unwrap_or(0).checked_add(above) else {
            return Ok(None);
        };
        parts.insert((changes, below), sum);
        if !enumeration.advance() {
            return Ok(Some(add_up(parts)));
        }
    }
    Ok(None)
}

fn add_up(parts: BTreeMap<(Changes, u128), u128>) -> Clash {
    let whole = parts
        .keys()
        .fold(BigUint::from(1u8), |whole, (_, below)| whole.lcm(&BigUint::from(*below)));
    let mut changes: Vec<(Changes, BigUint)> = Vec::new();
    for ((change, below), above) in parts {
        let share = BigUint::from(above) * (&whole / BigUint::from(below));
        match changes.last_mut().filter(|(last, _)| *last == change) {
            Some((_, sum)) => *sum += share,
            None => changes.push((change, share)),
        }
    }
    Clash { changes, whole }
}
