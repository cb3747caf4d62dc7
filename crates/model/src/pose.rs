//! How a shape is turned and mirrored.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How a shape lies on a square grid: mirrored or not, and then turned clockwise by quarters. There are eight poses; of
/// shapes with a symmetry several of them are the same, see [`Figure`](super::Figure).
///
/// In texts a pose is the angle in degrees, with an `m` before it if the shape is mirrored.
///
/// ```
/// use boardwright_model::Pose;
///
/// let pose: Pose = "m90".parse()?;
/// assert_eq!(pose.turned().to_string(), "m180");
/// assert_eq!(pose.mirrored().to_string(), "270");
/// # Ok::<(), boardwright_model::PoseFault>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pose(u8);

/// A text that is no pose.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no pose: write 0, 90, 180 or 270, with an m before it if it is mirrored")]
pub struct PoseFault(String);

const WORDS: [&str; 8] = ["0", "90", "180", "270", "m0", "m90", "m180", "m270"];
/// Mirrored poses have this bit; the two below it count the quarter turns.
const MIRRORED: u8 = 4;

impl Pose {
    /// As the shape was drawn.
    pub const UPRIGHT: Self = Self(0);

    /// All poses: first the turns, then those of the mirror image.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Its place in [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether left and right are exchanged before it is turned.
    pub const fn is_mirrored(self) -> bool {
        self.0 & MIRRORED != 0
    }

    /// By how many quarters it is turned clockwise, 0 to 3.
    pub const fn quarters(self) -> u8 {
        self.0 & 3
    }

    /// Turned a quarter further clockwise.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(self.0 & MIRRORED | (self.quarters() + 1) & 3)
    }

    /// Turned a quarter back.
    #[must_use]
    pub const fn turned_back(self) -> Self {
        self.turned().turned().turned()
    }

    /// With left and right exchanged, as it lies.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self((self.0 ^ MIRRORED) & MIRRORED | (4 - self.quarters()) & 3)
    }

    /// The word for it in texts.
    pub fn word(self) -> &'static str {
        WORDS.get(self.index()).copied().unwrap_or_default()
    }
}

impl fmt::Display for Pose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Pose {
    type Err = PoseFault;

    fn from_str(text: &str) -> Result<Self, PoseFault> {
        let found = Self::ALL.into_iter().find(|pose| pose.word() == text);
        found.ok_or_else(|| PoseFault(text.to_owned()))
    }
}

impl Serialize for Pose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Pose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_turns_or_two_mirrorings_lead_back() {
        for pose in Pose::ALL {
            assert_eq!(pose.turned().turned().turned().turned(), pose);
            assert_eq!(pose.turned().turned_back(), pose);
            assert_eq!(pose.mirrored().mirrored(), pose);
            // A mirror turns the other way round.
            assert_eq!(pose.mirrored().turned().mirrored(), pose.turned_back());
        }
    }

    #[test]
    fn every_pose_has_a_word_of_its_own() {
        for pose in Pose::ALL {
            assert_eq!(pose.word().parse(), Ok(pose));
            let text = serde_json::to_string(&pose).unwrap();
            assert_eq!(serde_json::from_str::<Pose>(&text).unwrap(), pose);
        }
        for wrong in ["", "45", "90m", "m"] {
            assert!(wrong.parse::<Pose>().is_err(), "{wrong}");
        }
    }
}
