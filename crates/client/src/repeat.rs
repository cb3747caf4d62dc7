//! An action that is repeated until what it began is decided: an attack until the area is taken.

use boardwright_model::{Action, Domain, Pick};
use boardwright_protocol::Command;

/// An action that is to be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedAction {
    action: Action,
}

impl RepeatedAction {
    /// What was carried out once.
    pub fn new(action: Action) -> Self {
        Self { action }
    }

    /// The action as it was carried out last.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// How many of its picks stay what they were: those before the first number, or all.
    fn firm(&self) -> usize {
        let is_number = |pick: &Pick| matches!(pick, Pick::Number(_));
        self.action.picks.iter().position(is_number).unwrap_or(self.action.picks.len())
    }

    /// What has to be asked before it is carried out once more.
    pub fn question(&self) -> Command {
        Command::Domain {
            seat: self.action.seat,
            action: self.action.action,
            picks: self.action.picks.iter().take(self.firm()).cloned().collect(),
        }
    }

    /// The action to be carried out next, by the answer to the question: the same, with a lower number where that number is too high by
    /// now. None if it cannot be carried out any more.
    pub fn next(&self, domain: Option<&Domain>) -> Option<Action> {
        let mut action = self.action.clone();
        match (action.picks.get_mut(self.firm()), domain) {
            (None, None) => Some(action),
            (Some(Pick::Number(number)), Some(Domain::Numbers { min, max, step })) if min <= max => {
                let below = (*number).clamp(*min, *max) - min;
                *number = min + below / (*step).max(1) * (*step).max(1);
                Some(action)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{ActionId, CellId, SeatId};

    fn with(numbers: &[i64]) -> Action {
        let cells = [4, 9].map(|cell| Pick::Cell(CellId(cell)));
        Action {
            seat: SeatId(0),
            action: ActionId(6),
            picks: cells
                .into_iter()
                .chain(numbers.iter().map(|number| Pick::Number(*number)))
                .collect(),
        }
    }

    #[test]
    fn the_number_comes_down_with_what_is_left_and_without_anything_left_it_is_over() {
        let repeated = RepeatedAction::new(with(&[3]));
        assert!(matches!(repeated.question(), Command::Domain { picks, .. } if picks.len() == 2));
        let up_to = |max| Domain::Numbers { min: 1, max, step: 1 };
        let next = |domain: &Domain| repeated.next(Some(domain));
        assert_eq!(next(&up_to(3)), Some(with(&[3])));
        assert_eq!(next(&up_to(2)), Some(with(&[2])));
        assert_eq!(next(&Domain::Numbers { min: 1, max: 9, step: 4 }), Some(with(&[1])));
        assert_eq!(next(&up_to(0)), None);
        assert_eq!(repeated.next(None), None);
        let plain = RepeatedAction::new(with(&[]));
        assert_eq!(plain.next(None), Some(with(&[])));
        assert_eq!(plain.next(Some(&up_to(3))), None);
    }
}
