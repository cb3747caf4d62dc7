//! What holds across layers, in one program: linked once, it builds in a fraction of the time that a program a file would take.
//!
//! A file is a subject. What needs a process of its own (the peak of memory, clocks, a window) stays a program of its own, beside this folder.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod common;
mod golden;

mod alike_pieces;
mod arena;
mod authors;
mod bare_picks;
mod bundle;
mod catalog;
mod command_line;
mod copies;
mod cornered_brute_force;
mod debugging;
mod declared_words;
mod documents;
mod encryption;
mod engine;
mod failing_hooks;
mod fog;
mod format_round_trips;
mod formats;
mod golden_matches;
mod hidden_things;
mod imports;
mod imports_by_rules;
mod kills;
mod kingdoms_on_the_wire;
mod languages;
mod listeners;
mod lowered;
mod manual_edits;
mod map_generation;
mod measured_rulesets;
mod mistakes;
mod moments;
mod movement_words;
mod odds;
mod order_of_the_opening;
mod player_hooks;
mod previews;
mod promises;
mod promotions;
mod protocol_page;
mod rated;
mod refusals;
mod reload;
mod reload_declarations;
mod request_budgets;
mod ruleset_tests;
mod rulesets;
mod saves;
mod scenario_reload;
mod script_lints;
mod script_programs;
mod script_reference;
mod scripted_dice;
#[cfg(feature = "server")]
mod served;
mod serving;
mod serving_nodes;
mod sessions;
mod shipped_maps;
mod sixteen_soldiers_brute_force;
mod standing_orders;
mod strategies;
mod talk;
mod terminal;
mod terminal_ruleset;
mod text_protocol;
mod triggers;
mod trying;
mod tutorials;
mod undo_under_fog;
mod variations;
mod watching;
mod wrong_input;
