//! A state as plain parts, to be sent or stored.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Board, CellSet, Decision, Declarations, Effect, EffectError, ExploredCell, Outcome, PhaseId, Piece, PieceId, Place, PropertyId,
    SeatSet, SightChange, State, Target, TerrainId, TurnMark, Value, ZoneId,
};

/// Everything in a state but the board, the declarations and the past positions.
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
    /// What is in sight and explored, in views in rulesets with fog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sight: Option<Box<SightParts>>,
    /// The seats that are out.
    pub eliminated: SeatSet,
    /// Round, turn and seat.
    pub mark: TurnMark,
    /// The phase.
    pub phase: PhaseId,
    /// The open decisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The id the next decision gets.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub next_decision: u32,
    /// The outcome, if the match has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// What a view knows of the cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SightParts {
    /// The cells in sight.
    pub visible: Vec<super::CellId>,
    /// The cells that were ever seen, with what the map says of them; none where the map is known from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<Vec<ExploredCell>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes what it may skip so")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl State {
    /// The state as plain parts.
    pub fn parts(&self) -> StateParts {
        let mut values = Vec::new();
        for (index, declared) in self.declarations.properties.iter().enumerate() {
            let id = PropertyId::from_index(index);
            self.each_target(id, declared.scope, |target| {
                if let Some(value) = self.value(target, id).filter(|value| **value != declared.default) {
                    values.push((target, id, value.clone()));
                }
            });
        }
        let is_changed = |cell: &super::CellId| self.terrain(*cell) != Some(self.declarations.terrain_of(&self.board, *cell));
        let terrains = self.board.cells().filter(is_changed);
        StateParts {
            options: self.options.to_vec(),
            pieces: self.pieces().cloned().collect(),
            zones: self.zones.iter().map(|zone| (zone.pieces.clone(), zone.unseen)).collect(),
            terrains: terrains.filter_map(|cell| Some((cell, self.terrain(cell)?))).collect(),
            values,
            sight: self.sight.as_deref().map(|sight| {
                let explored = |cells: &CellSet| cells.iter().map(|cell| self.board.explored_cell(cell)).collect();
                Box::new(SightParts {
                    visible: sight.visible.iter().collect(),
                    explored: sight.explored.as_ref().map(explored),
                })
            }),
            eliminated: self.eliminated,
            mark: self.sequence.mark,
            phase: self.sequence.phase,
            decisions: self.sequence.decisions.clone(),
            next_decision: self.sequence.next_decision,
            outcome: self.outcome.clone(),
        }
    }

    /// The state of some parts. The past positions are not among them: [`position`](Self::position) is that of the state the
    /// parts come from, [`digest`](Self::digest) only where the declarations do not count positions.
    ///
    /// # Errors
    /// If the parts do not fit board and declarations. Parts with explored cells belong to a [veiled](Board::veiled) board.
    pub fn from_parts(board: Arc<Board>, declarations: Arc<Declarations>, parts: &StateParts) -> Result<Self, EffectError> {
        let mut state = Self::empty(board, declarations, &parts.options);
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
        let is_outside_zones = |piece: &&Piece| piece.place.zone().is_none() && !piece.place.is_off();
        for piece in parts.pieces.iter().filter(is_outside_zones) {
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
        if let Some(sight) = &parts.sight {
            state.begin_sight(sight.explored.is_some());
            state.apply(&Effect::Sight(Box::new(SightChange {
                gained: sight.visible.clone(),
                lost: Vec::new(),
                explored: sight.explored.clone().unwrap_or_default(),
            })))?;
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
        state.sequence.next_decision = parts.next_decision;
        if let Some(outcome) = &parts.outcome {
            state.apply(&Effect::End(Box::new(outcome.clone())))?;
        }
        Ok(state)
    }
}
