//! Editor.
fn main() {}
