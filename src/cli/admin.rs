//! `admin`: what operators say to a server that runs on this machine.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use clap::Args;

use super::output::Out;
use super::serve::{FOLDER, SOCKET};
use super::{Exit, Failure};
use boardwright_content::user_content;

#[derive(Clone, Debug, Args)]
pub(super) struct AdminArguments {
    /// The socket of the server; without one that of a server that keeps its matches in the folder of your own content
    #[arg(long, value_name = "FILE")]
    socket: Option<PathBuf>,
    /// What to say, such as `list` or `help`; without it lines are read from standard input
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    command: Vec<String>,
}

pub(super) fn run(arguments: &AdminArguments, out: &mut Out) -> Result<Exit, Failure> {
    let socket = match &arguments.socket {
        Some(socket) => socket.clone(),
        None => user_content()
            .ok_or_else(|| Failure::Usage("there is no folder of your own here: name the socket of the server with --socket".to_owned()))?
            .join(FOLDER)
            .join(SOCKET),
    };
    let stream = UnixStream::connect(&socket).map_err(|error| {
        let path = socket.display();
        Failure::Failed(format!(
            "no server is reached at {path}: {error}; `serve` makes `{SOCKET}` in its data folder, name it with --socket"
        ))
    })?;
    let mut answers = BufReader::new(stream.try_clone()?).lines();
    let mut say = |line: &str, out: &mut Out| -> Result<bool, Failure> {
        writeln!(&stream, "{}", line.replace(['\r', '\n'], " "))?;
        for answer in answers.by_ref() {
            let answer = answer?;
            if answer == "ok" {
                return Ok(true);
            }
            if let Some(why) = answer.strip_prefix("error: ") {
                writeln!(io::stderr(), "error: {why}")?;
                return Ok(false);
            }
            out.line(answer)?;
            out.flush()?;
        }
        Err(Failure::Failed("the server has ended the connection".to_owned()))
    };
    let mut all_done = true;
    if arguments.command.is_empty() {
        for line in io::stdin().lines() {
            let line = line?;
            if !line.trim().is_empty() {
                all_done &= say(&line, out)?;
            }
        }
    } else {
        all_done = say(&arguments.command.join(" "), out)?;
        if all_done && arguments.command.first().is_some_and(|command| command == "watch") {
            // What happens comes until somebody has seen enough.
            for text in answers {
                out.line(text?)?;
                out.flush()?;
            }
        }
    }
    Ok(if all_done { Exit::Fine } else { Exit::Findings })
}
