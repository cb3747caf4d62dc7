//! `boardwright serve` in a process of its own, which is killed when it is dropped.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use boardwright::network::RemoteLobby;

use crate::common::root;

/// A server that runs.
pub(crate) struct Served {
    pub(crate) child: Child,
    /// What it speaks at.
    pub(crate) address: String,
    /// Somebody reads what it says.
    _output: BufReader<ChildStdout>,
}

/// The command for a server; port 0 is one that the system chooses.
pub(crate) fn serve(listen: &str, data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
    command
        .args(["serve", "--listen", listen, "--data"])
        .arg(data)
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

impl Served {
    /// Runs a command until it says at which address it listens.
    pub(crate) fn start(command: &mut Command) -> Self {
        Self::speaking("Listening at ", command)
    }

    /// Runs a command until it says an address behind some words.
    pub(crate) fn speaking(words: &str, command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        let address = loop {
            let begin = said.len();
            assert!(output.read_line(&mut said).unwrap() > 0, "the server does not begin: {said}");
            if let Some((_, address)) = said[begin..].trim().split_once(words) {
                break address.to_owned();
            }
        };
        Self {
            child,
            address,
            _output: output,
        }
    }

    pub(crate) fn lobby(&self) -> RemoteLobby {
        RemoteLobby::new(&self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
