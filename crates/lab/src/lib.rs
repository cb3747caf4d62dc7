//! The laboratory: matches between players by the hundred, and what they say about players and rules.
//!
//! A [`Plan`] says who plays whom in which scenarios, how often, and with which seeds; [`run`] plays it on all cores. Each match leaves
//! a [`Record`]; a [`ResultsFile`] keeps them, so that an arena that was killed goes on where it was, and parts played elsewhere
//! are put together. [`Ranking`] says what follows from them. [`Metrics`] says what random play shows about rules.
//!
//! It promises that a plan with the same seed has the same matches, on however many cores and in however many parts it is played, where players are
//! bounded by depth or nodes. It names no file format of rulesets, no session and no window.

mod contestant;
mod cpu_clock;
mod memories;
mod metrics;
mod plan;
mod play;
mod ranking;
mod results;
mod run;
mod statistics;
mod sweep;
mod value_scale;
mod variants;

pub use contestant::Contestant;
pub use cpu_clock::CpuClock;
pub use metrics::{Metrics, MetricsSettings, Spread, measure};
pub use plan::{Allowance, MatchJob, Plan, PlanError, PlannedScenario, Shard};
pub use play::{MOST_ACTIONS, Record, SeatRecord, play};
pub use ranking::{PairLine, PlayerLine, Ranking, ScenarioLine, SeatLine, ShareLine};
pub use results::{ResultsError, ResultsFile, merge, write_merged};
pub use run::{ArenaRun, ArenaScenario, MakeSeat, WatchMatch, run};
pub use statistics::{Rating, binomial_p, share_interval, share_p};
pub use sweep::{Sweep, SweepError, swept};
pub use value_scale::{ValueSample, fit_value_scale, value_samples};
pub use variants::{VariantLine, variants};
