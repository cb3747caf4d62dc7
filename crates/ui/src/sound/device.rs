//! Sounds on Windows and macOS, through the audio of the system.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Device, Error, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig};

use super::{Cue, Speaker, Volume, resampled, samples};

/// How many sounds may wait to be heard. What comes later than that would be heard too late to mean anything.
const MOST_WAITING: usize = 3;
/// How long after its last sample a sound may still be on its way to the ear.
const ON_ITS_WAY: Duration = Duration::from_millis(80);

/// Plays on the device that the system uses for everything, on a thread of its own.
#[derive(Debug)]
pub struct DeviceSpeaker {
    outbox: SyncSender<(Cue, Volume)>,
    is_there: Arc<AtomicBool>,
}

impl DeviceSpeaker {
    /// The device of the system, which is looked for on the other thread; none if no thread can be started.
    pub fn of_system() -> Option<Self> {
        let (outbox, inbox) = sync_channel(MOST_WAITING);
        let is_there = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_there);
        let body = move || {
            let told = &*told;
            serve(&inbox, told);
            told.store(false, Ordering::Relaxed);
        };
        thread::Builder::new().name("sound".to_owned()).spawn(body).ok()?;
        Some(Self { outbox, is_there })
    }
}

impl Speaker for DeviceSpeaker {
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

/// Plays what comes in. The device is asked for again at each sound: people plug headphones in and out. Between sounds none is open, so that
/// nothing is computed in silence.
fn serve(inbox: &Receiver<(Cue, Volume)>, is_there: &AtomicBool) {
    is_there.store(cpal::default_host().default_output_device().is_some(), Ordering::Relaxed);
    for (cue, volume) in inbox {
        let played = play(&samples(cue, volume));
        if let Err(error) = &played {
            tracing::debug!("a sound was not played: {error}");
        }
        is_there.store(played.is_ok(), Ordering::Relaxed);
    }
}

fn play(sound: &[i16]) -> Result<(), Error> {
    let device = cpal::default_host()
        .default_output_device()
        .ok_or(Error::from(ErrorKind::DeviceNotAvailable))?;
    let config = device.default_output_config()?;
    let format = config.sample_format();
    let config: StreamConfig = config.into();
    let sound = resampled(sound, config.sample_rate);
    match format {
        SampleFormat::F32 => play_as::<f32>(&device, config, sound),
        SampleFormat::I32 => play_as::<i32>(&device, config, sound),
        SampleFormat::I16 => play_as::<i16>(&device, config, sound),
        SampleFormat::U16 => play_as::<u16>(&device, config, sound),
        _ => Err(ErrorKind::UnsupportedConfig.into()),
    }
}

fn play_as<T: SizedSample + FromSample<i16>>(device: &Device, config: StreamConfig, sound: Vec<i16>) -> Result<(), Error> {
    let channels = usize::from(config.channels).max(1);
    let lasts = Duration::from_secs_f64(sound.len() as f64 / f64::from(config.sample_rate.max(1)));
    let mut left = sound.into_iter();
    let fill = move |room: &mut [T], _: &cpal::OutputCallbackInfo| {
        for frame in room.chunks_mut(channels) {
            frame.fill(T::from_sample(left.next().unwrap_or_default()));
        }
    };
    let fail = |error| tracing::debug!("while a sound was played: {error}");
    let stream = device.build_output_stream(config, fill, fail, None)?;
    stream.play()?;
    thread::sleep(lasts + ON_ITS_WAY);
    Ok(())
}
