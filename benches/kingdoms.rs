//! What fog and movement over heights cost in a large war: what a seat sees, asked of the rules, and what a unit can reach, on the map of eight
//! kingdoms. Figures stand in docs/performance.md.
//!
//!     cargo bench --bench kingdoms [UNITS]
//!
//! Each seat has so many units, 30 if nothing is said. They stand on land, at random.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench that cannot run has to stop, and tells figures"
)]

#[path = "../tests/suite/common.rs"]
mod common;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boardwright::host::Match;
use boardwright::model::{CellId, Policy, SeatId, SetupPiece, SetupPlace};
use boardwright::rules::{Generator, RulesSource, legal_of};
use common::Bundled;

const RULESET: &str = "eight-kingdoms";
const KINDS: [&str; 6] = ["militia", "spearmen", "archers", "outriders", "scout", "lancers"];
const TIMES: usize = 400;

fn main() {
    let units = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(30);
    let mut bundled = Bundled::read(RULESET, "eight");
    let board = Arc::clone(&bundled.board);
    let mut generator = Generator::new(1);
    let mut free: Vec<CellId> = board
        .cells()
        .filter(|cell| board.base_terrain_name(*cell) != Some("water"))
        .collect();
    bundled.scenario.setup.pieces.clear();
    let seats: Vec<String> = bundled
        .source
        .declarations()
        .seats
        .iter()
        .map(|seat| seat.name.to_string())
        .collect();
    for seat in &seats {
        for unit in 0..units {
            let cell = free.swap_remove(generator.below(free.len() as u32) as usize);
            bundled.scenario.setup.pieces.push(SetupPiece {
                kind: KINDS[unit % KINDS.len()].to_owned(),
                owner: Some(seat.clone()),
                place: SetupPlace::Cell(board.cell_name(cell).to_owned()),
                ..SetupPiece::default()
            });
        }
    }
    let one = Match::begin(bundled.source.clone(), bundled.setup(), 1, Policy::default()).unwrap_or_else(|error| panic!("{error}"));
    let state = Arc::clone(one.state());
    let mut seen = 0;
    told(&format!("what a seat with {units} units sees"), TIMES, |turn| {
        let seat = SeatId((turn % seats.len()) as u8);
        seen += one.rules().visible(&state, Some(seat)).unwrap().map_or(0, |cells| cells.count());
    });
    println!("each sees {} cells on the average", seen / TIMES);
    told("what all eight see", TIMES / 8, |_| {
        for seat in 0..seats.len() {
            black_box(one.rules().visible(&state, Some(SeatId(seat as u8))).unwrap());
        }
    });
    let seat = state.acting().first().unwrap();
    let view = one.view(Some(seat)).unwrap();
    let action = state.declarations().find_action("move").unwrap();
    let mut moves = 0;
    told(&format!("all moves of {units} units"), 20, |_| {
        moves = legal_of(one.rules(), &view, seat, action).unwrap().len();
    });
    println!("there are {moves} moves");
}

/// Runs something so many times and tells the median.
fn told(what: &str, times: usize, mut run: impl FnMut(usize)) {
    run(0);
    let mut taken: Vec<Duration> = (0..times)
        .map(|turn| {
            let begun = Instant::now();
            run(turn);
            begun.elapsed()
        })
        .collect();
    taken.sort_unstable();
    let part = |of: usize| taken[(times * of / 100).min(times - 1)].as_secs_f64() * 1e6;
    println!("{what}: {times} times, median {:.0} µs, 95 % under {:.0} µs", part(50), part(95));
}
