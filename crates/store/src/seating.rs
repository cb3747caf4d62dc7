//! What becomes of seats: the same in every store.

use super::{Holder, SeatChange, Seating, Status, StoreError, name_key};

impl SeatChange {
    /// What it brings about in a match of a status, with its holders.
    pub(super) fn seating(&self, status: Status, holders: &[Holder]) -> Result<Seating, StoreError> {
        let is_held = |seat: u8| holders.iter().any(|holder| holder.seat == seat);
        let free = |seat: u8| Seating { seat, name: None, status };
        match self {
            Self::Leave { token_hash } => {
                let held = holders.iter().find(|holder| holder.token_hash == *token_hash);
                held.map(|holder| free(holder.seat)).ok_or(StoreError::NotHeld)
            }
            Self::Free { seat } => Some(free(*seat)).filter(|_| is_held(*seat)).ok_or(StoreError::NotHeld),
            Self::Take { seats, people, name, .. } => {
                if status == Status::Ended {
                    return Err(StoreError::TooLate);
                }
                let key = name_key(name);
                if holders.iter().any(|holder| name_key(&holder.name) == key) {
                    return Err(StoreError::NameTaken(name.clone()));
                }
                let seat = seats.iter().copied().find(|seat| !is_held(*seat)).ok_or(StoreError::SeatTaken)?;
                let begins = status == Status::Waiting && holders.len() + 1 >= *people;
                Ok(Seating {
                    seat,
                    name: Some(name.clone()),
                    status: if begins { Status::Playing } else { status },
                })
            }
        }
    }
}
