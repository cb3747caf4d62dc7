//! The values a match is made of: boards, pieces, states, actions, and the effects that change a state.
//!
//! A [`Map`] as authored becomes a [`Board`]; a [`Setup`] on a board becomes a [`State`]; [`Effect`]s change it, and only
//! [`State::apply`] writes to it. What a seat may see of it is a projection ([`State::project`]).
//!
//! Promised: a checked type is valid; an effect and its [inverse](Effect::inverse) leave a state as it was; digests, paths and all
//! orders are the same on every machine. Everything is pure data without floats: no rules, scripts, files, clocks or threads are
//! named here, and nothing above this room.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod action;
mod apply;
mod board;
mod board_build;
mod board_drawing;
mod board_sets;
mod board_shapes;
mod board_veil;
#[cfg(test)]
mod boards_for_tests;
mod cell_set;
mod cell_shift;
mod columns;
mod contest;
mod debugger;
mod declarations;
mod declarations_change;
mod declarations_of_seats;
pub mod diagnostic;
mod digest;
mod draw;
mod edge_values;
mod edit_commands;
mod effect;
mod effect_text;
mod ending;
mod evaluation;
mod field_of_view;
mod figure;
mod fingerprint;
mod foreign_document;
mod generator;
mod graph;
mod hex;
mod ids;
mod line_of_sight;
mod links;
mod look;
mod manual_edit;
mod map;
mod map_check;
mod map_doubt;
mod map_fault;
mod moment;
mod occupancy;
mod outcome;
mod parts;
mod path;
mod piece;
mod policy;
mod pose;
mod position_history;
mod projection;
mod refusal;
mod scenario;
mod seat;
mod seat_range;
mod seed;
mod sentence;
mod sequence;
mod set_words;
mod setup;
mod shape;
mod sight;
mod square;
mod stacks;
mod state;
mod state_copies;
mod time_control;
mod topology;
mod value;
mod vector;
mod verifiable_luck;
mod view_update;

pub use action::{Action, Domain, Path, Pick, Picks};
pub use board::{Board, BoardLine, Ray};
pub use board_drawing::Bounds;
pub use board_veil::ExploredCell;
pub use cell_set::{CellSet, Cells};
pub use contest::{SideError, Sides};
pub use debugger::{BreakPoint, PauseCause, StackFrame, StepKind, Variable, WatchResult};
pub use declarations::{
    ActionDeclaration, ContestDeclaration, Declarations, Forfeits, Gone, HeatMapDeclaration, Idle, KindDeclaration, OptionDeclaration,
    PhaseDeclaration, PickDeclaration, PickKind, PropertyDeclaration, Scope, SeatDeclaration, TerrainDeclaration, TurnDeclaration,
    ZoneDeclaration, ZoneVisibility,
};
pub use declarations_change::{DeclarationsChange, Lost};
pub use draw::{Draw, DrawKind};
pub use edit_commands::{Completion, EditCommand, LineCompletions, complete_edit};
pub use effect::{Change, Effect, EffectError, Target};
pub use ending::{Ending, EndingCondition, EndingResult, Limit};
pub use evaluation::{CERTAIN, Evaluation, WIN, chance_of_lead, chances_of_leads};
pub use figure::Figure;
pub use fingerprint::Fingerprint;
pub use foreign_document::{ForeignAttribute, ForeignDocument, ForeignElement, ForeignFormat, ForeignPlace};
pub use generator::Generator;
pub use ids::{
    ActionId, CellId, DecisionId, DirectionId, EdgeId, KindId, PhaseId, PieceId, PropertyId, RegionId, SeatId, TerrainId, ZoneId,
};
pub use line_of_sight::has_line_of_sight;
pub use look::{Arrow, BoardLook, CellLook, EdgeLook, Looks, PanelAction, PanelLine, PanelSection, PickMark, PieceLook};
pub use manual_edit::ManualEdit;
pub use map::{AuthoredProperties, AuthoredValue, Map, MapCell, MapEdge, MapLine, MapRegion, Outline};
pub use map_doubt::MapDoubt;
pub use map_fault::{MOST_CELLS, MapFault, MapPlace};
pub use moment::{MomentError, MomentPiece, MomentTerrain, MomentValue, MomentZone, SetupMoment};
pub use occupancy::Footprint;
pub use outcome::{Forfeit, Outcome};
pub use parts::{SightParts, StateParts};
pub use path::{Reach, Route, Step, reach, reach_by, shortest_path};
pub use piece::{Piece, Place};
pub use policy::{Policy, UndoPolicy};
pub use pose::{Pose, PoseFault};
pub use projection::Visibility;
pub use refusal::{Refusal, RefusalCode, Rejection, rule_number};
pub use scenario::Scenario;
pub use seat::SeatSet;
pub use seat_range::SeatRange;
pub use seed::{Seed, SeedError};
pub use sentence::Sentence;
pub use sequence::{Decision, Displacement, Sequence, TurnMark, TurnSet};
pub use setup::{Setup, SetupFault, SetupFaultKind, SetupItem, SetupPiece, SetupPlace, SetupTarget, SetupValue};
pub use shape::{Shape, ShapeFault};
pub use sight::{CellSight, SightChange};
pub use state::{Ground, State, Zone};
pub use time_control::{NoTimeControl, TimeControl};
pub use topology::{Offset, Orientation, Topology};
pub use value::{Value, ValueError, ValueType};
pub use vector::{CrossedCells, Vector};

pub use verifiable_luck::{
    CHAIN_LENGTH, EventLuck, LuckFault, LuckNumber, LuckRecord, LuckTerms, NumberChain, action_commitment, draw_seed, seed_commitment,
    server_number,
};
pub use view_update::{Touched, ViewUpdate};
