//! What is heard of a match: which sound goes with what happened ([`cues_of`]), the sounds, made in code, and whoever plays them.

mod cues;
#[cfg(any(windows, target_os = "macos"))]
mod device;
#[cfg(target_os = "linux")]
mod pulse;
mod synth;
#[cfg(any(target_os = "linux", windows, target_os = "macos"))]
mod thread_speaker;

use serde::{Deserialize, Serialize};

pub use cues::cues_of;
#[cfg(any(windows, target_os = "macos"))]
pub use device::device_speaker;
#[cfg(target_os = "linux")]
pub use pulse::pulse_speaker;
#[cfg(any(windows, target_os = "macos"))]
use synth::resampled;
pub use synth::{RATE, samples};
#[cfg(any(target_os = "linux", windows, target_os = "macos"))]
pub use thread_speaker::ThreadSpeaker;

/// Something that is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cue {
    /// A piece comes to a cell, or changes there.
    Move,
    /// A piece is taken from the board, or changes hands.
    Capture,
    /// Dice fall.
    Dice,
    /// A piece goes from hand to hand, or from a deck.
    Card,
    /// The match has ended.
    End,
    /// The rules say no.
    Refusal,
}

impl Cue {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Move, Self::Capture, Self::Dice, Self::Card, Self::End, Self::Refusal];
}

/// How loud everything is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Volume {
    /// Nothing is heard.
    Off,
    /// For those who share a room.
    Quiet,
    /// At the normal volume.
    #[default]
    Normal,
    /// As loud as the system lets it be.
    Loud,
}

impl Volume {
    /// The share of the full volume.
    pub const fn share(self) -> f32 {
        match self {
            Self::Off => 0.0,
            Self::Quiet => 0.25,
            Self::Normal => 0.55,
            Self::Loud => 1.0,
        }
    }
}

/// Plays sounds. Nothing it does may keep the window waiting.
pub trait Speaker: Send {
    /// Whether anything can be heard, as far as that is known by now.
    fn is_there(&self) -> bool;

    /// Plays some sounds one after the other. Where too many wait already, they are left out.
    fn play(&mut self, cues: &[Cue], volume: Volume);
}

/// No device: nothing is heard, and nobody is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence;

impl Speaker for Silence {
    fn is_there(&self) -> bool {
        false
    }

    fn play(&mut self, _: &[Cue], _: Volume) {}
}

/// The speaker of the system, as far as it is known how to reach it.
pub fn system_speaker() -> Box<dyn Speaker> {
    #[cfg(target_os = "linux")]
    if let Some(speaker) = pulseaudio::socket_path_from_env().and_then(pulse_speaker) {
        return Box::new(speaker);
    }
    #[cfg(any(windows, target_os = "macos"))]
    if let Some(speaker) = device_speaker() {
        return Box::new(speaker);
    }
    Box::new(Silence)
}
