//! The console of a server behind sockets of the file system: whoever may open the file may use it.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener as StdListener;
use std::os::unix::net::UnixStream as StdStream;
use std::path::{Path, PathBuf};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;

use super::console::{Console, Role};

/// The longest line that is read.
const MOST_LINE_BYTES: u64 = 64 << 10;
/// Lines that wait to be carried out or to be read.
const MOST_LINES: usize = 64;

/// A socket in the file system at which a console is reached. Dropped, its file is gone.
#[derive(Debug)]
pub struct AdminSocket {
    listener: StdListener,
    path: PathBuf,
}

impl AdminSocket {
    /// Makes the socket. That of operators may be opened by their owner alone (mode 0600), that of moderators by their group too (0660).
    ///
    /// # Errors
    /// If it cannot be made, or another server listens there.
    pub fn bind(path: &Path, role: Role) -> io::Result<Self> {
        let wrong = |error: io::Error| io::Error::new(error.kind(), format!("the socket {} cannot be made: {error}", path.display()));
        if StdStream::connect(path).is_ok() {
            return Err(wrong(io::Error::new(io::ErrorKind::AddrInUse, "another server listens there")));
        }
        // Made under another name, so that nobody may open it before it has its mode.
        let new = path.with_extension("new");
        for left in [&new, path] {
            match fs::symlink_metadata(left) {
                Ok(found) if std::os::unix::fs::FileTypeExt::is_socket(&found.file_type()) => fs::remove_file(left).map_err(wrong)?,
                Ok(_) => return Err(wrong(io::Error::new(io::ErrorKind::AlreadyExists, "there is a file of this name"))),
                Err(_) => {}
            }
        }
        let listener = StdListener::bind(&new).map_err(wrong)?;
        let mode = if role == Role::Operator { 0o600 } else { 0o660 };
        let made = fs::set_permissions(&new, fs::Permissions::from_mode(mode)).and_then(|()| fs::rename(&new, path));
        made.and_then(|()| listener.set_nonblocking(true)).map_err(wrong)?;
        Ok(Self {
            listener,
            path: path.to_owned(),
        })
    }

    /// Answers whoever connects, until it is dropped.
    ///
    /// # Errors
    /// If the system does not let it listen.
    pub async fn serve(self, console: Console) -> io::Result<()> {
        let listener = UnixListener::from_std(self.listener.try_clone()?)?;
        loop {
            let (stream, _) = listener.accept().await?;
            let console = console.clone();
            tokio::spawn(async move { converse(stream, &console).await });
        }
    }
}

impl Drop for AdminSocket {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.path));
    }
}

async fn converse(stream: UnixStream, console: &Console) {
    let (from, mut to) = stream.into_split();
    let (said, lines) = mpsc::channel(MOST_LINES);
    let (out, mut texts) = mpsc::channel::<String>(MOST_LINES);
    let read = async move {
        let mut from = BufReader::new(from);
        let mut line = String::new();
        loop {
            line.clear();
            let mut bounded = tokio::io::AsyncReadExt::take(&mut from, MOST_LINE_BYTES);
            match bounded.read_line(&mut line).await {
                Ok(1..) if said.send(line.clone()).await.is_ok() => {}
                _ => return,
            }
        }
    };
    let write = async move {
        while let Some(text) = texts.recv().await {
            // One line of the console is one line here, whatever is in it.
            let text = text.replace(['\r', '\n'], " ") + "\n";
            if to.write_all(text.as_bytes()).await.is_err() {
                return;
            }
        }
    };
    let answer = async move {
        let (stops_server, ()) = tokio::join!(console.converse(lines, out), write);
        if stops_server {
            console.stop_server();
        }
    };
    tokio::join!(read, answer);
}
