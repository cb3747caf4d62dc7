//! What the player likes, kept between sittings.

mod form;

use egui::ThemePreference;
use serde::{Deserialize, Serialize};

pub(super) use form::SettingsForm;

use super::sound::Volume;
use super::texts::Language;
use super::theme::SeatStyle;

/// What the player likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Light, dark, or as the system.
    pub theme: ThemePreference,
    /// How large everything is.
    pub text_size: TextSize,
    /// How seats are distinguished.
    pub seats: SeatStyle,
    /// How fast pieces travel their way.
    pub motion: Motion,
    /// How loud sounds are.
    pub volume: Volume,
    /// Whether an action in which nothing is left to choose waits for a confirmation before it is played.
    pub confirm_moves: bool,
    /// Whether a match in which people at this screen may not see the same is covered until the next one is there.
    pub hands_over: bool,
    /// Whether names of cells are written on the board.
    pub shows_names: bool,
    /// The language; none for that of the system.
    pub language: Option<Language>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemePreference::System,
            text_size: TextSize::default(),
            seats: SeatStyle::default(),
            motion: Motion::default(),
            volume: Volume::default(),
            confirm_moves: false,
            hands_over: true,
            shows_names: true,
            language: None,
        }
    }
}

/// How fast pieces travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// They are where they go at once.
    Off,
    /// At half the normal speed.
    Slow,
    /// At the normal speed.
    #[default]
    Normal,
    /// At twice the normal speed.
    Fast,
}

impl Motion {
    /// How many times the normal speed; none if nothing travels.
    pub const fn speed(self) -> Option<f64> {
        match self {
            Self::Off => None,
            Self::Slow => Some(0.5),
            Self::Normal => Some(1.0),
            Self::Fast => Some(2.0),
        }
    }
}

/// How large texts and everything beside them are, in hundredths of the normal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextSize(u16);

impl Default for TextSize {
    fn default() -> Self {
        Self(100)
    }
}

impl TextSize {
    /// The smallest.
    pub const SMALLEST: Self = Self(80);
    /// The largest.
    pub const LARGEST: Self = Self(160);
    /// How far the next size is away.
    const STEP: u16 = 10;

    /// So many hundredths, as far as that is allowed.
    pub fn of_percent(percent: u16) -> Self {
        Self(percent).clamp(Self::SMALLEST, Self::LARGEST)
    }

    /// In hundredths.
    pub const fn percent(self) -> u16 {
        self.0
    }

    /// As a factor.
    pub fn factor(self) -> f32 {
        f32::from(self.clamp(Self::SMALLEST, Self::LARGEST).0) / 100.0
    }

    /// The next larger one.
    #[must_use]
    pub fn larger(self) -> Self {
        Self::of_percent(self.0 + Self::STEP)
    }

    /// The next smaller one.
    #[must_use]
    pub fn smaller(self) -> Self {
        Self::of_percent(self.0.saturating_sub(Self::STEP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stay_within_their_limits() {
        assert_eq!(TextSize::LARGEST.larger(), TextSize::LARGEST);
        assert_eq!(TextSize::SMALLEST.smaller(), TextSize::SMALLEST);
        assert_eq!(TextSize::default().larger().smaller(), TextSize::default());
        assert!((TextSize(7000).factor() - 1.6).abs() < 1e-6);
    }

    #[test]
    fn settings_of_an_older_version_are_read_with_what_they_say() {
        let old = r#"{ "theme": "Dark", "moves": false, "shows_names": false, "language": "czech" }"#;
        let read: Settings = serde_json::from_str(old).unwrap();
        assert_eq!(
            read,
            Settings {
                theme: ThemePreference::Dark,
                shows_names: false,
                language: Some(Language::Czech),
                ..Settings::default()
            }
        );
        let kept = serde_json::to_string(&Settings {
            motion: Motion::Fast,
            text_size: TextSize(130),
            ..Settings::default()
        });
        let back: Settings = serde_json::from_str(&kept.unwrap()).unwrap();
        assert_eq!((back.motion, back.text_size.percent()), (Motion::Fast, 130));
    }
}
