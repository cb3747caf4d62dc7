//! What people agree upon beside the rules.

use serde::{Deserialize, Serialize};

use boardwright_model::{SeatId, SeatSet};

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// To end the match as a draw.
    Draw,
    /// To wait for those who are gone, for as long again.
    Wait,
    /// To undo the newest action of the seat that offers, with what followed it.
    Undo,
}

impl OfferKind {
    /// All of them with their words in messages.
    pub const ALL: [(Self, &'static str); 3] = [(Self::Draw, "draw"), (Self::Undo, "undo"), (Self::Wait, "wait")];
}

/// An open offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What is offered.
    pub offer: OfferKind,
    /// The seat that offers it.
    pub seat: SeatId,
    /// The seats that have accepted, without the one that offers.
    #[serde(default)]
    pub accepted: SeatSet,
    /// The seats whose answer is awaited.
    pub waiting: SeatSet,
}
