//! Sounds on Windows and macOS, through the audio of the system.

use std::thread;
use std::time::Duration;

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Device, Error, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig};

use super::{ThreadSpeaker, resampled};

/// How long after its last sample a sound may still be on its way to the ear.
const ON_ITS_WAY: Duration = Duration::from_millis(80);

/// Plays on the device that the system uses for everything. It is asked for again at each sound: people plug headphones in and out. Between
/// sounds none is open, so that nothing is computed in silence. None if no thread can be started.
pub fn device_speaker() -> Option<ThreadSpeaker> {
    ThreadSpeaker::start(|sound| match sound {
        None => cpal::default_host().default_output_device().is_some(),
        Some(sound) => play(&sound)
            .inspect_err(|error| tracing::debug!("a sound was not played: {error}"))
            .is_ok(),
    })
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
