//! What strategies of a ruleset think of a match, and what its heat maps show of it.

use std::sync::Arc;
use std::time::Duration;

use super::failure::{Answered, Failure, error};
use boardwright_model::{SeatId, State, sentence};
use boardwright_protocol::Reply;
use boardwright_rules::{Consultation, Rules, Settings, strategies_of};

/// The most operations of a script for an evaluation, and for that of all cells.
const OPERATIONS: u64 = 200_000;
const OPERATIONS_FOR_CELLS: u64 = 2_000_000;
/// The longest time: the match waits for it.
const WALL: Duration = Duration::from_millis(100);

pub(super) fn check_strategy(known: &[String], strategy: &str) -> Result<(), Failure> {
    if known.iter().any(|known| known == strategy) {
        return Ok(());
    }
    Err(error(if known.is_empty() {
        sentence!("there is no strategy `{strategy}`: the ruleset has none")
    } else {
        sentence!("there is no strategy `{strategy}`; there are: {known}", known = known.join(", "))
    }))
}

fn consultation<'a>(strategy: &'a str, settings: &'a Settings, state: &'a Arc<State>, seat: SeatId, operations: u64) -> Consultation<'a> {
    Consultation {
        strategy,
        settings,
        state,
        seat,
        seed: 1,
        operations,
        wall: WALL,
        is_watched: false,
        debugger: None,
    }
}

/// A strategy's value of each cell for a seat.
pub(super) fn evaluate_cells(rules: &dyn Rules, view: &Arc<State>, strategy: &str, seat: SeatId) -> Answered {
    let settings = Settings::default();
    let cells = strategies_of(rules, strategy)?.evaluate_cells(&consultation(strategy, &settings, view, seat, OPERATIONS_FOR_CELLS))?;
    Ok(Reply::HeatMap { cells })
}

/// The value of a view for each seat that is still in the match.
pub(super) fn evaluate(rules: &dyn Rules, view: &Arc<State>, strategy: &str) -> Answered {
    let settings = Settings::default();
    let strategies = strategies_of(rules, strategy)?;
    let value = |seat| {
        if view.eliminated().contains(seat) {
            Ok(None)
        } else {
            strategies.evaluate(&consultation(strategy, &settings, view, seat, OPERATIONS))
        }
    };
    let seats: Result<Vec<Option<i64>>, _> = view.declarations().all_seats().iter().map(value).collect();
    Ok(Reply::Evaluation { seats: seats? })
}

/// A heat map of the rules, for a seat or whoever looks on.
pub(super) fn heat_map(rules: &dyn Rules, view: &Arc<State>, name: &str, seat: Option<SeatId>) -> Answered {
    let declarations = view.declarations();
    let map = declarations.find_heat_map(name).ok_or_else(|| {
        let known: Vec<&str> = declarations.heat_maps.iter().map(|map| &*map.name).collect();
        error(if known.is_empty() {
            sentence!("there is no heat map `{name}`: the ruleset has none")
        } else {
            sentence!("there is no heat map `{name}`; there are: {known}", known = known.join(", "))
        })
    })?;
    let cells = boardwright_rules::heat_map(rules, view, seat, map)?;
    Ok(Reply::HeatMap { cells })
}
