//! What the documents say is what happens: their scripts compile and play, their maps and scenarios are read, their commands run,
//! and the tutorial, followed to the letter, leads where it says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod common;
#[path = "documents/console.rs"]
mod console;
#[path = "documents/guides.rs"]
mod guides;
#[path = "documents/page.rs"]
mod page;
#[path = "documents/tutorial.rs"]
mod tutorial;
