//! The panels around the board. Each gets what it shows and a list to put its wishes into.

mod chart;
mod choice;
mod console;
mod dice;
mod fan;
mod history;
mod insight;
mod notices;
mod number;
mod odds;
mod outcome;
mod problems;
mod replay;
mod seats;
mod standing;
mod thinking;
mod zones;

pub use chart::{ChartPlace, chart_ui, statistics_ui};
pub use choice::choice_ui;
pub use console::Console;
pub use dice::dice_ui;
pub use fan::fan_ui;
pub use history::history_ui;
pub use insight::{Insight, Known};
pub use notices::{confirm_ui, reload_ui};
pub use number::NumberPick;
pub use odds::OddsPanel;
pub(super) use outcome::headline;
pub use outcome::outcome_ui;
pub use problems::{linked_problem_ui, problem_ui, problems_ui};
pub use replay::{present_sign_ui, replay_ui};
pub use seats::{player_ui, seats_ui};
pub use standing::standing_ui;
pub use zones::zones_ui;
