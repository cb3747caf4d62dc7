//! The program `boardwright`: everything is in the library's `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    boardwright::cli::run()
}
