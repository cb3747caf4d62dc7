//! What the documents say is what happens: their scripts compile and play, their maps and scenarios are read, their commands run,
//! and the tutorial, followed to the letter, leads where it says.

mod console;
mod guides;
mod page;
mod readme;
mod tutorial;
