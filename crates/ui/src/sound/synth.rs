//! The sounds, made of sines and noise. They are short, and begin and end in silence so that nothing clicks.

use std::f32::consts::TAU;

use super::{Cue, Volume};

/// Samples a second, of one channel.
pub const RATE: u32 = 44_100;

/// How long the beginning and the end of a sound are faded, in seconds.
const FADE: f32 = 0.002;
/// How far of the full volume the loudest moment of a sound goes.
const PEAK: f32 = 0.8;

/// A sound, sample by sample.
pub fn samples(cue: Cue, volume: Volume) -> Vec<i16> {
    let sound = match cue {
        Cue::Move => Sound::of_seconds(0.13).with(0.0, wood(420.0, 7)),
        Cue::Capture => capture(),
        Cue::Dice => dice(),
        Cue::Card => card(),
        Cue::End => end(),
        Cue::Refusal => refusal(),
    };
    let loud = PEAK * volume.share() * f32::from(i16::MAX);
    sound.settled().map(|sample| (sample * loud) as i16).collect()
}

/// A sound for a device that takes another number of samples a second: between two samples it goes straight from one to the other.
#[cfg(any(test, windows, target_os = "macos"))]
pub(super) fn resampled(sound: &[i16], rate: u32) -> Vec<i16> {
    let (rate, own) = (u64::from(rate.max(1)), u64::from(RATE));
    let count = sound.len() as u64 * rate / own;
    let at = |place: u64| {
        let first = (place * own / rate) as usize;
        let share = (place * own % rate) as f32 / rate as f32;
        let before = sound.get(first).copied().map_or(0.0, f32::from);
        let after = sound.get(first + 1).copied().map_or(0.0, f32::from);
        (before + (after - before) * share) as i16
    };
    (0..count).map(at).collect()
}

/// A sound while it is made; samples of any size.
struct Sound(Vec<f32>);

impl Sound {
    fn of_seconds(seconds: f32) -> Self {
        Self(vec![0.0; (seconds * RATE as f32) as usize])
    }

    /// Adds something that begins at a moment: a function of the seconds since then.
    fn with(mut self, begin: f32, wave: impl FnMut(f32) -> f32) -> Self {
        let first = (begin * RATE as f32) as usize;
        let values = (0..).map(|step| step as f32 / RATE as f32).map(wave);
        for (sample, value) in self.0.iter_mut().skip(first).zip(values) {
            *sample += value;
        }
        self
    }

    /// Its samples with the loudest moment at the full volume, and its ends faded.
    fn settled(self) -> impl Iterator<Item = f32> {
        let loudest = self.0.iter().fold(0.0_f32, |most, sample| most.max(sample.abs())).max(1e-6);
        let (count, fade) = (self.0.len(), FADE * RATE as f32);
        self.0.into_iter().enumerate().map(move |(place, sample)| {
            let from_end = place.min(count - 1 - place) as f32;
            sample * ((from_end / fade).min(1.0) / loudest)
        })
    }
}

fn noise(seed: u32) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as f32 / 32_768.0 - 1.0
    }
}

fn sine(frequency: f32, time: f32) -> f32 {
    (TAU * frequency * time).sin()
}

/// A piece of wood set down on wood: two tones that die away at once, and a touch of noise.
fn wood(frequency: f32, seed: u32) -> impl FnMut(f32) -> f32 {
    let mut noise = noise(seed);
    move |time| {
        let body = sine(frequency, time) * (-time * 42.0).exp();
        let edge = sine(frequency * 2.7, time) * (-time * 75.0).exp() * 0.45;
        body + edge + noise() * (-time * 260.0).exp() * 0.5
    }
}

/// Set down harder, with the other piece knocked over.
fn capture() -> Sound {
    let mut knocked = wood(560.0, 13);
    Sound::of_seconds(0.3)
        .with(0.0, wood(260.0, 11))
        .with(0.075, move |time| knocked(time) * 0.7)
        .with(0.0, |time| sine(130.0 - 160.0 * time, time) * (-time * 18.0).exp() * 0.6)
}

fn dice() -> Sound {
    let mut sound = Sound::of_seconds(0.62);
    let mut at = 0.0;
    let mut chance = noise(29);
    for knock in 0..9_u16 {
        let strength = 1.0 - f32::from(knock) * 0.07;
        let mut struck = wood(900.0 + 420.0 * chance(), 31 + u32::from(knock));
        sound = sound.with(at, move |time| struck(time) * strength);
        at += 0.03 + f32::from(knock) * 0.008 + 0.012 * chance().abs();
    }
    sound
}

/// A card drawn over cloth: noise without its depths, swelling and gone.
fn card() -> Sound {
    const SECONDS: f32 = 0.18;
    let mut noise = noise(3);
    let mut before = 0.0;
    Sound::of_seconds(SECONDS).with(0.0, move |time| {
        let now = noise();
        let bright = now - before * 0.85;
        before = now;
        let share = (time / SECONDS).min(1.0);
        bright * (share * std::f32::consts::PI).sin().powi(2) * (1.0 - 0.5 * share)
    })
}

fn end() -> Sound {
    let notes = [(0.0, 523.25), (0.16, 659.25), (0.32, 783.99)];
    notes.into_iter().fold(Sound::of_seconds(1.25), |sound, (begin, frequency)| {
        sound.with(begin, move |time| {
            let tone = sine(frequency, time) + 0.35 * sine(2.0 * frequency, time) + 0.12 * sine(3.0 * frequency, time);
            tone * (time * 120.0).min(1.0) * (-time * 4.2).exp()
        })
    })
}

fn refusal() -> Sound {
    let notes = [(0.0, 207.65), (0.12, 174.61)];
    notes.into_iter().fold(Sound::of_seconds(0.3), |sound, (begin, frequency)| {
        sound.with(begin, move |time| {
            (sine(frequency, time) + 0.2 * sine(2.0 * frequency, time)) * (time * 90.0).min(1.0) * (-time * 17.0).exp()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loudest(sound: &[i16]) -> i32 {
        sound.iter().map(|sample| i32::from(*sample).abs()).max().unwrap_or(0)
    }

    #[test]
    fn a_sound_is_as_long_and_as_loud_on_a_device_with_another_rate() {
        let sound = samples(Cue::Capture, Volume::Loud);
        let seconds = |sound: &[i16], rate: u32| sound.len() as f32 / rate as f32;
        for rate in [22_050, 44_100, 48_000, 96_000] {
            let other = resampled(&sound, rate);
            assert!((seconds(&other, rate) - seconds(&sound, RATE)).abs() < 0.001, "{rate}");
            assert!((loudest(&other) - loudest(&sound)).abs() < loudest(&sound) / 5, "{rate}");
        }
        assert_eq!(resampled(&sound, RATE), sound);
        assert_eq!(
            resampled(&[0, 100, 200], 2 * RATE),
            [0, 50, 100, 150, 200, 100],
            "it ends in silence"
        );
    }

    #[test]
    fn sounds_are_short_heard_and_without_clicks() {
        for cue in Cue::ALL {
            let sound = samples(cue, Volume::Loud);
            let seconds = sound.len() as f32 / RATE as f32;
            assert!((0.1..1.4).contains(&seconds), "{cue:?} lasts {seconds} seconds");
            let loud = loudest(&sound) as f32 / f32::from(i16::MAX);
            assert!((0.7..0.85).contains(&loud), "{cue:?} goes to {loud}");
            let ends = [sound.first(), sound.last()].map(|sample| sample.copied().unwrap_or(i16::MAX));
            assert!(ends.iter().all(|sample| sample.abs() < 200), "{cue:?} clicks: {ends:?}");
            // What is left at the end must not be cut off.
            let tail = sound.get(sound.len() * 19 / 20..).unwrap_or_default();
            assert!(
                loudest(tail) * 8 < loudest(&sound),
                "{cue:?} is cut off: {} of {}",
                loudest(tail),
                loudest(&sound)
            );
        }
    }

    #[test]
    fn no_two_sounds_are_alike_and_each_is_the_same_every_time() {
        for (place, cue) in Cue::ALL.iter().enumerate() {
            assert_eq!(samples(*cue, Volume::Normal), samples(*cue, Volume::Normal));
            for other in Cue::ALL.iter().take(place) {
                assert_ne!(samples(*cue, Volume::Normal), samples(*other, Volume::Normal));
            }
        }
    }

    #[test]
    fn volumes_rise_from_silence() {
        let loud = [Volume::Off, Volume::Quiet, Volume::Normal, Volume::Loud].map(|volume| loudest(&samples(Cue::Move, volume)));
        assert!(
            loud[0] == 0 && loud.is_sorted() && loud[2] > loud[1] && loud[3] > loud[2],
            "{loud:?}"
        );
    }
}
