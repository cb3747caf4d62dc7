//! Sounds on Linux, through the sound server of the session. No library of the system is needed: where no server answers, nothing is heard.

use std::fs;
use std::future::Future;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use pulseaudio::protocol::{ChannelMap, ChannelVolume, DEFAULT_SINK, PlaybackStreamParams, SampleFormat, SampleSpec};
use pulseaudio::{AsPlaybackSource, Client, ClientError};

use super::{Cue, RATE, Speaker, Volume, samples};

/// How many sounds may wait to be heard. What comes later than that would be heard too late to mean anything.
const MOST_WAITING: usize = 3;

/// Plays through a server on this machine, on a thread of its own.
#[derive(Debug)]
pub struct PulseSpeaker {
    outbox: SyncSender<(Cue, Volume)>,
    is_there: Arc<AtomicBool>,
}

impl PulseSpeaker {
    /// The server of the user's session; none if there is none, or no thread can be started.
    pub fn of_system() -> Option<Self> {
        Self::at(pulseaudio::socket_path_from_env()?)
    }

    /// The server behind a socket. Whether it answers is found out on the other thread.
    pub fn at(socket: PathBuf) -> Option<Self> {
        let (outbox, inbox) = sync_channel(MOST_WAITING);
        let is_there = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_there);
        let body = move || {
            let told = &*told;
            serve(&socket, &inbox, told);
            told.store(false, Ordering::Relaxed);
        };
        thread::Builder::new().name("sound".to_owned()).spawn(body).ok()?;
        Some(Self { outbox, is_there })
    }
}

impl Speaker for PulseSpeaker {
    fn is_there(&self) -> bool {
        self.is_there.load(Ordering::Relaxed)
    }

    fn play(&mut self, cues: &[Cue], volume: Volume) {
        for cue in cues {
            // Full, or its thread has ended: then nothing is heard.
            _ = self.outbox.try_send((*cue, volume));
        }
    }
}

/// Plays what comes in. A server that has gone is looked for again at the next sound.
fn serve(socket: &Path, inbox: &Receiver<(Cue, Volume)>, is_there: &AtomicBool) {
    let mut client = connect(socket);
    is_there.store(client.is_some(), Ordering::Relaxed);
    for (cue, volume) in inbox {
        client = client.or_else(|| connect(socket));
        let played = client.as_ref().map(|client| wait(play(client, samples(cue, volume))));
        if let Some(Err(error)) = &played {
            tracing::debug!("a sound was not played: {error}");
            client = None;
        }
        is_there.store(client.is_some(), Ordering::Relaxed);
    }
}

fn connect(socket: &Path) -> Option<Client> {
    let cookie = pulseaudio::cookie_path_from_env().and_then(|path| fs::read(path).ok());
    let connected = UnixStream::connect(socket).map_err(ClientError::from);
    let client = connected.and_then(|stream| Client::new_unix(c"Boardwright", stream, cookie));
    client.inspect_err(|error| tracing::debug!("there is no sound: {error}")).ok()
}

async fn play(client: &Client, sound: Vec<i16>) -> Result<(), ClientError> {
    let params = PlaybackStreamParams {
        sample_spec: SampleSpec {
            format: SampleFormat::S16Le,
            channels: 1,
            sample_rate: RATE,
        },
        channel_map: ChannelMap::mono(),
        cvolume: Some(ChannelVolume::norm(1)),
        sink_name: Some(DEFAULT_SINK.to_owned()),
        ..PlaybackStreamParams::default()
    };
    let bytes: Vec<u8> = sound.into_iter().flat_map(i16::to_le_bytes).collect();
    let mut played = 0;
    let source = move |room: &mut [u8]| {
        let left = bytes.get(played..).unwrap_or_default();
        // Whole samples only.
        let count = left.len().min(room.len()) & !1;
        if let (Some(room), Some(next)) = (room.get_mut(..count), left.get(..count)) {
            room.copy_from_slice(next);
        }
        played += count;
        count
    };
    let stream = client.create_playback_stream(params, source.as_playback_source()).await?;
    stream.play_all().await
}

struct Sleeper(Thread);

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits on this thread until something has come about.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Sleeper(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
            return done;
        }
        thread::park();
    }
}
