//! A text protocol of a ruleset on a port of its own: lines over TCP.
//!
//! What lines say and mean is the ruleset's business ([`TextProtocol`](boardwright_rules::TextProtocol)); here is what is the same for all: connections and
//! their bounds, names and seats, and matches, which are matches of the lobby like others. One thread, the [desk](super::text_desk), owns them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc as async_mpsc, watch};
use tokio::time::{sleep, timeout};

use super::lobby::{CreateMatch, Lobby};
use super::socket::stopped;
use super::text_desk::{Desk, ToDesk};

/// The most bytes of a line, without its end.
pub(super) const MOST_LINE_BYTES: usize = 1_024;
/// The most lines of a client that wait to be read.
const MOST_LINES: usize = 16;
/// The most lines that wait to be sent to a client; one that leaves more unread is given up.
const MOST_UNREAD: usize = 4_096;
/// The most clients at the same time.
const MOST_CLIENTS: usize = 1_000;

/// What is played over a text protocol, and where.
#[derive(Debug)]
pub struct TextPort {
    /// Where it is listened.
    pub listener: TcpListener,
    /// The match that is created when all seats of it are taken.
    pub wanted: CreateMatch,
}

/// Serves a text protocol until the server stops.
pub(super) async fn serve(port: TextPort, lobby: Arc<Lobby>, silence: Duration, stopping: watch::Receiver<bool>) {
    let (to, inbox) = mpsc::channel();
    let desk = Desk::spawn(port.wanted, lobby, tokio::runtime::Handle::current(), to.clone(), inbox);
    if let Err(error) = desk {
        tracing::error!("the text protocol cannot be served: {error}");
        return;
    }
    let (places, next) = (Arc::new(Semaphore::new(MOST_CLIENTS)), AtomicU64::new(1));
    loop {
        let accepted = tokio::select! {
            accepted = port.listener.accept() => accepted,
            () = stopped(stopping.clone()) => break,
        };
        match accepted {
            Ok((stream, _)) => {
                // With too many clients this one finds the connection closed.
                if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                    let client = next.fetch_add(1, Ordering::Relaxed);
                    tokio::spawn(converse(client, stream, to.clone(), silence, place, stopping.clone()));
                }
            }
            // Such as too many open files: it may be better soon.
            Err(error) => {
                tracing::warn!("a client of the text protocol cannot be let in: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    drop(to.send(ToDesk::Stop));
}

async fn converse(
    client: u64,
    stream: TcpStream,
    to: mpsc::Sender<ToDesk>,
    silence: Duration,
    _place: OwnedSemaphorePermit,
    stopping: watch::Receiver<bool>,
) {
    drop(stream.set_nodelay(true));
    let (from, out) = stream.into_split();
    let (lines, unsent) = async_mpsc::channel(MOST_UNREAD);
    let (logged_in, has_seat) = watch::channel(false);
    if to.send(ToDesk::Opened { client, lines, logged_in }).is_err() {
        return;
    }
    let sending = send(out, unsent, silence);
    let receiving = receive(client, from, &to);
    let late = async {
        sleep(silence).await;
        // Who has a seat may think as long as it likes.
        if !*has_seat.borrow() {
            return;
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        // It ends when the desk has nothing more to say to this client.
        () = sending => {}
        _ = receiving => {}
        () = late => {}
        () = stopped(stopping) => {}
    }
    drop(to.send(ToDesk::Closed { client }));
}

/// Sends lines as they come.
async fn send(mut out: OwnedWriteHalf, mut unsent: async_mpsc::Receiver<String>, silence: Duration) {
    while let Some(mut line) = unsent.recv().await {
        line.push('\n');
        match timeout(silence, out.write_all(line.as_bytes())).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
    drop(timeout(silence, out.shutdown()).await);
}

/// Hands lines to the desk; no more are read while too many wait there.
async fn receive(client: u64, from: OwnedReadHalf, to: &mpsc::Sender<ToDesk>) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let waiting = Arc::new(Semaphore::new(MOST_LINES));
    loop {
        let Some(line) = read_line(&mut from).await? else { return Ok(()) };
        let Ok(permit) = Arc::clone(&waiting).acquire_owned().await else {
            return Ok(());
        };
        if to.send(ToDesk::Line { client, line, permit }).is_err() {
            return Ok(());
        }
    }
}

/// A line without its end, or why it is none: it is too long, or no text.
pub(super) type Line = Result<String, &'static str>;

/// The next line; none at the end. Of a line that is too long the rest is passed over.
async fn read_line(from: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let most = MOST_LINE_BYTES as u64 + 2;
    if (&mut *from).take(most).read_until(b'\n', &mut bytes).await? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == most {
        loop {
            bytes.clear();
            let read = (&mut *from).take(most).read_until(b'\n', &mut bytes).await?;
            if read == 0 || bytes.last() == Some(&b'\n') {
                break;
            }
        }
        return Ok(Some(Err("the line is too long")));
    }
    while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        bytes.pop();
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.chars().any(char::is_control));
    Ok(Some(text.ok_or("the line is no text")))
}
