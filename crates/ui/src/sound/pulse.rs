//! Sounds on Linux, through the sound server of the session. No library of the system is needed: where no server answers, nothing is heard.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use futures_executor::block_on;
use pulseaudio::protocol::{ChannelMap, ChannelVolume, DEFAULT_SINK, PlaybackStreamParams, SampleFormat, SampleSpec};
use pulseaudio::{AsPlaybackSource, Client, ClientError};

use super::{RATE, ThreadSpeaker};

/// Plays through the server behind a socket. A server that does not answer, or has gone, is looked for again at the next sound. None if no
/// thread can be started.
pub fn pulse_speaker(socket: PathBuf) -> Option<ThreadSpeaker> {
    let mut client = None;
    ThreadSpeaker::start(move |sound| {
        client = client.take().or_else(|| connect(&socket));
        if let (Some(connected), Some(sound)) = (&client, sound)
            && let Err(error) = block_on(play(connected, sound))
        {
            tracing::debug!("a sound was not played: {error}");
            client = None;
        }
        client.is_some()
    })
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
