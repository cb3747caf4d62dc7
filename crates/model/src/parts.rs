//! A state as plain parts, to be sent or stored.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Board, Decision, Declarations, EdgeId, Effect, EffectError, Outcome, PhaseId, Piece, PieceId, Place, PropertyId, SeatId, SeatSet,
    State, Target, TerrainId, TurnMark, Value, ZoneId,
};

/// Everything in a state but the board, the frame and the past positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateParts {
    /// The values of the options.
    pub options: Vec<Value>,
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// The pieces of each zone in order, and how many more it holds unseen.
    pub zones: Vec<(Vec<PieceId>, u32)>,
    /// The cells whose ground is not the map's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terrains: Vec<(super::CellId, TerrainId)>,
    /// The properties that are not at their default, but for those of pieces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(Target, PropertyId, Value)>,
    /// The seats that are out.
    pub eliminated: SeatSet,
    /// Round, turn and seat.
    pub mark: TurnMark,
    /// The phase.
    pub phase: PhaseId,
    /// The open decisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The outcome, if the match has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

impl State {
    /// The state as plain parts.
    pub fn parts(&self) -> StateParts {
        let mut values = Vec::new();
        let mut add = |target, property, value: Option<&Value>, default: &Value| {
            if let Some(value) = value.filter(|value| *value != default) {
                values.push((target, property, value.clone()));
            }
        };
        for (index, declared) in self.frame.properties.iter().enumerate() {
            let id = PropertyId::from_index(index);
            let mut each = |target| add(target, id, self.value(target, id), &declared.default);
            match declared.scope {
                super::Scope::Match => each(Target::Match),
                super::Scope::Seat => (0..self.frame.seats.len()).for_each(|seat| each(Target::Seat(SeatId::from_index(seat)))),
                super::Scope::Cell => self.board.cells().for_each(|cell| each(Target::Cell(cell))),
                super::Scope::Edge => (0..self.board.edge_count()).for_each(|edge| each(Target::Edge(EdgeId::from_index(edge)))),
                super::Scope::Piece => {}
            }
        }
        let changed = |cell: &super::CellId| self.terrain(*cell) != Some(self.frame.terrain_of(&self.board, *cell));
        StateParts {
            options: self.options.to_vec(),
            pieces: self.pieces().cloned().collect(),
            zones: self.zones.iter().map(|zone| (zone.pieces.clone(), zone.unseen)).collect(),
            terrains: self
                .board
                .cells()
                .filter(changed)
                .filter_map(|cell| Some((cell, self.terrain(cell)?)))
                .collect(),
            values,
            eliminated: self.eliminated,
            mark: self.sequence.mark,
            phase: self.sequence.phase,
            decisions: self.sequence.decisions.clone(),
            outcome: self.outcome.clone(),
        }
    }

    /// The state of some parts. The past positions are not among them: [`position`](Self::position) is that of the state the
    /// parts come from, [`digest`](Self::digest) only where the frame does not count positions.
    ///
    /// # Errors
    /// If the parts do not fit board and frame.
    pub fn from_parts(board: Arc<Board>, frame: Arc<Declarations>, parts: &StateParts) -> Result<Self, EffectError> {
        let mut state = Self::empty(board, frame, &parts.options);
        for piece in &parts.pieces {
            state.apply(&Effect::Spawn(Box::new(Piece {
                place: Place::Off,
                ..piece.clone()
            })))?;
        }
        let put = |state: &mut Self, piece: &Piece, to_index: u16| {
            state.apply(&Effect::Move {
                piece: piece.id,
                from: Place::Off,
                from_index: 0,
                to: piece.place,
                to_index,
            })
        };
        for piece in parts
            .pieces
            .iter()
            .filter(|piece| piece.place.zone().is_none() && !piece.place.is_off())
        {
            put(&mut state, piece, 0)?;
        }
        for (index, (pieces, unseen)) in parts.zones.iter().enumerate() {
            let zone = ZoneId::from_index(index);
            for (place, id) in pieces.iter().enumerate() {
                let piece = parts.pieces.iter().find(|piece| piece.id == *id).ok_or(EffectError::NoPiece(*id))?;
                if piece.place != Place::Zone(zone) {
                    return Err(EffectError::Differs("the pieces of a zone".to_owned()));
                }
                put(&mut state, piece, place.min(usize::from(u16::MAX)) as u16)?;
            }
            if *unseen > 0 {
                state.apply(&Effect::Unseen {
                    zone,
                    old: 0,
                    new: *unseen,
                })?;
            }
        }
        for (cell, new) in &parts.terrains {
            let old = state.terrain(*cell).unwrap_or(TerrainId(0));
            state.apply(&Effect::Terrain {
                cell: *cell,
                old,
                new: *new,
            })?;
        }
        for (target, property, new) in &parts.values {
            let old = state.value(*target, *property).cloned().unwrap_or_default();
            state.apply(&Effect::Set {
                target: *target,
                property: *property,
                old,
                new: new.clone(),
            })?;
        }
        for seat in parts.eliminated.iter() {
            state.apply(&Effect::Eliminate(seat))?;
        }
        state.apply(&Effect::Turn {
            old: TurnMark::default(),
            new: parts.mark,
            fresh: true,
            displacement: None,
        })?;
        if parts.phase != PhaseId(0) {
            state.apply(&Effect::Phase {
                old: PhaseId(0),
                new: parts.phase,
            })?;
        }
        for decision in &parts.decisions {
            state.apply(&Effect::OpenDecision(Box::new(decision.clone())))?;
        }
        if let Some(outcome) = &parts.outcome {
            state.apply(&Effect::End(Box::new(outcome.clone())))?;
        }
        Ok(state)
    }
}
