//! Which sound goes with what happened. It follows from the effects alone, so that every ruleset is heard without saying anything.

use super::Cue;
use boardwright_model::{DrawKind, Effect, Place, Target};
use boardwright_protocol::SeatEvent;

/// The sounds of an event, in the order in which they are heard.
pub fn cues_of(event: &SeatEvent) -> Vec<Cue> {
    let mut cues = Vec::new();
    if event.draws.iter().any(|draw| matches!(draw.kind, DrawKind::Dice { .. })) {
        cues.push(Cue::Dice);
    }
    if event.outcome.is_some() {
        cues.push(Cue::End);
    } else {
        // Of everything that happens at once the weightiest is heard.
        cues.extend(event.happened().iter().filter_map(cue_of).max_by_key(|cue| weight(*cue)));
    }
    cues
}

fn weight(cue: Cue) -> u8 {
    match cue {
        Cue::Card => 1,
        Cue::Move => 2,
        _ => 3,
    }
}

fn cue_of(effect: &Effect) -> Option<Cue> {
    match effect {
        Effect::Move { from, to, .. } => match (from.cell().is_some(), to.cell().is_some()) {
            (_, true) => Some(Cue::Move),
            (true, false) => Some(Cue::Capture),
            (false, false) => (from.zone().is_some() || to.zone().is_some()).then_some(Cue::Card),
        },
        Effect::Unspawn { piece, .. } if piece.place.cell().is_some() => Some(Cue::Capture),
        Effect::Owner { .. } => Some(Cue::Capture),
        Effect::Spawn(piece) if piece.place.cell().is_some() => Some(Cue::Move),
        Effect::Spawn(piece) if matches!(piece.place, Place::Zone(_)) => Some(Cue::Card),
        Effect::Reveal { .. } | Effect::Unseen { .. } => Some(Cue::Card),
        Effect::Terrain { .. }
        | Effect::Set {
            target: Target::Piece(_) | Target::Cell(_) | Target::Edge(_),
            ..
        } => Some(Cue::Move),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::{CellId, Draw, Outcome, PieceId, ZoneId};
    use boardwright_protocol::{EntryCause, HistoryEntry};

    fn event(effects: Vec<Effect>) -> SeatEvent {
        SeatEvent {
            seat: None,
            at: 1,
            entry: HistoryEntry {
                event: 0,
                round: 1,
                seat: None,
                cause: EntryCause::Host,
                notation: "x".into(),
                plain: None,
                sentence: "".into(),
                contest: None,
                cell: None,
                remarks: Vec::new(),
                next_turn: Vec::new(),
            },
            action: None,
            draws: Vec::new(),
            luck: None,
            effects,
            position: 0,
            outcome: None,
        }
    }

    fn goes(from: Place, to: Place) -> Effect {
        Effect::Move {
            piece: PieceId(1),
            from,
            from_index: 0,
            to,
            to_index: 0,
        }
    }

    #[test]
    fn what_is_heard_follows_from_what_happened() {
        let (a, b, hand, deck) = (
            Place::Cell(CellId(0)),
            Place::Cell(CellId(1)),
            Place::Zone(ZoneId(0)),
            Place::Zone(ZoneId(1)),
        );
        let heard = |effects: Vec<Effect>| cues_of(&event(effects));
        assert_eq!(heard(vec![goes(a, b)]), [Cue::Move]);
        assert_eq!(heard(vec![goes(a, b), goes(b, Place::Off)]), [Cue::Capture]);
        assert_eq!(heard(vec![goes(deck, hand)]), [Cue::Card]);
        assert_eq!(heard(vec![goes(hand, deck), goes(hand, a)]), [Cue::Move]);
        assert_eq!(heard(vec![goes(hand, Place::Off)]), [Cue::Card]);
        assert_eq!(heard(Vec::new()), []);
    }

    #[test]
    fn dice_are_heard_before_what_they_bring_and_the_end_above_all() {
        let (a, b) = (Place::Cell(CellId(0)), Place::Cell(CellId(1)));
        let mut thrown = event(vec![goes(b, Place::Off), goes(a, b)]);
        thrown.draws.push(Draw {
            kind: DrawKind::Dice { count: 2, sides: 6 },
            purpose: "the attack".into(),
            result: [3, 4].as_slice().into(),
            next_turn: None,
        });
        assert_eq!(cues_of(&thrown), [Cue::Dice, Cue::Capture]);
        thrown.outcome = Some(Outcome {
            places: Vec::new(),
            scores: Vec::new(),
            rule: "1".into(),
            reason: "over".into(),
        });
        assert_eq!(cues_of(&thrown), [Cue::Dice, Cue::End]);
    }
}
