//! Applying effects and their inverses: the only code that writes to a state.

use std::sync::Arc;

use smallvec::SmallVec;

use super::digest::{self, Digests};
use super::position_history::PositionHistory;
use super::sight::Sight;
use super::{
    CellId, Change, Decision, Displacement, Effect, EffectError, ExploredCell, Outcome, Piece, PieceId, Place, PropertyId, Scope, SeatId,
    SightChange, State, Target, TerrainId, TurnMark, Value, ValueType, ZoneId,
};

type Applied = Result<(), EffectError>;

fn differs(what: &str) -> EffectError {
    EffectError::Differs(what.to_owned())
}

/// Fails unless the state is as the effect says that it was before.
fn expect(is_as_before: bool, what: &str) -> Applied {
    if is_as_before { Ok(()) } else { Err(differs(what)) }
}

fn replace<T: PartialEq>(value: &mut T, old: &T, new: T, what: &str) -> Applied {
    expect(value == old, what)?;
    *value = new;
    Ok(())
}

fn piece_mut(pieces: &mut [Option<Arc<Piece>>], id: PieceId) -> Result<&mut Piece, EffectError> {
    let piece = pieces.get_mut(id.index()).and_then(Option::as_mut);
    piece.map(Arc::make_mut).ok_or(EffectError::NoPiece(id))
}

fn unknown(what: &str, index: usize) -> EffectError {
    EffectError::Unknown(format!("{what} {index}"))
}

impl State {
    /// Applies an effect, or the [inverse](Effect::inverse) of the one that was applied last.
    ///
    /// # Errors
    /// If it does not fit; the state is then as it was.
    pub fn apply<'a>(&mut self, change: impl Into<Change<'a>>) -> Applied {
        let change: Change<'a> = change.into();
        let is_forward = !change.is_inverse;
        match change.effect {
            Effect::Move {
                piece,
                from,
                from_index,
                to,
                to_index,
            } => {
                let (from, to) = change.between((*from, *from_index), (*to, *to_index));
                self.move_piece(*piece, from, to)
            }
            Effect::Set {
                target,
                property,
                old,
                new,
            } => {
                let (old, new) = change.between(old, new);
                self.set(*target, *property, old, new)
            }
            Effect::Turn {
                old,
                new,
                fresh,
                displacement,
            } if is_forward => self.begin_turn(*old, *new, *fresh, *displacement),
            Effect::Turn { old, new, .. } => self.revert_turn(*old, *new),
            Effect::Spawn(piece) if is_forward => self.spawn(piece, None),
            Effect::Spawn(piece) => self.unspawn(piece, None),
            Effect::Unspawn { piece, index } if is_forward => self.unspawn(piece, Some(*index)),
            Effect::Unspawn { piece, index } => self.spawn(piece, Some(*index)),
            Effect::Owner { piece, old, new } => {
                let (old, new) = change.between(*old, *new);
                self.change_piece(*piece, |piece| replace(&mut piece.owner, &old, new, "the owner of a piece"))
            }
            Effect::Reveal { piece, old, new } => {
                let (old, new) = change.between(*old, *new);
                self.change_piece(*piece, |piece| replace(&mut piece.revealed, &old, new, "who has seen a piece"))
            }
            Effect::Terrain { cell, old, new } => {
                let (old, new) = change.between(*old, *new);
                self.set_terrain(*cell, old, new)
            }
            Effect::Reorder { zone, old, new } => {
                let (old, new) = change.between(old, new);
                self.reorder(*zone, old, new)
            }
            Effect::Unseen { zone, old, new } => {
                let (old, new) = change.between(*old, *new);
                self.set_unseen(*zone, old, new)
            }
            Effect::Sight(change) => self.change_sight(change, is_forward),
            Effect::OpenDecision(decision) => {
                if is_forward {
                    self.open(decision)?;
                } else {
                    self.close(decision)?;
                }
                self.sequence.next_decision = decision.id.0.saturating_add(u32::from(is_forward));
                Ok(())
            }
            Effect::AnswerDecision { decision, seat } => self.answer(*decision, *seat, is_forward),
            Effect::CloseDecision(decision) if is_forward => self.close(decision),
            Effect::CloseDecision(decision) => self.open(decision),
            Effect::Phase { old, new } => {
                let (old, new) = change.between(*old, *new);
                self.set_phase(old, new)
            }
            Effect::Eliminate(seat) => self.eliminate(*seat, is_forward),
            Effect::End(outcome) if is_forward => self.end(outcome),
            Effect::Resume(outcome) if !is_forward => self.end(outcome),
            Effect::End(outcome) | Effect::Resume(outcome) => self.resume(outcome),
            Effect::Rules {
                declarations: Some(declarations),
                ..
            } => {
                let (old, new) = change.between(&declarations.old, &declarations.new);
                self.change_declarations(declarations, old, new)
            }
            Effect::Note { .. } | Effect::Rules { declarations: None, .. } => Ok(()),
        }
    }

    fn move_piece(&mut self, id: PieceId, (from, from_index): (Place, u16), (to, to_index): (Place, u16)) -> Applied {
        let piece = self.piece(id).ok_or(EffectError::NoPiece(id))?;
        expect(piece.place == from, "the place of a piece")?;
        let kind = piece.kind;
        self.check_place(to, kind, id)?;
        if let Place::Zone(zone) = from {
            let at_index = self.zone(zone).and_then(|zone| zone.pieces.get(usize::from(from_index)));
            expect(at_index == Some(&id), "the order of a zone")?;
        }
        if let Place::Zone(zone) = to {
            let length = self.zone(zone).map_or(0, |zone| zone.pieces.len()) - usize::from(from == to);
            expect(usize::from(to_index) <= length, "the length of a zone")?;
        }
        let piece = piece_mut(&mut self.pieces, id)?;
        let owner = piece.owner;
        self.digests.subtract(digest::piece_key(&self.declarations, piece));
        piece.place = to;
        self.digests.add(digest::piece_key(&self.declarations, piece));
        if from.is_off() != to.is_off() {
            self.count_in_play(owner, from.is_off());
        }
        self.leave(id, kind, owner, from);
        self.enter(id, kind, owner, to, usize::from(to_index));
        Ok(())
    }

    fn spawn(&mut self, piece: &Piece, index: Option<u16>) -> Applied {
        if self.piece(piece.id).is_some() {
            return Err(EffectError::PieceExists(piece.id));
        }
        let slot = piece.id.index();
        if slot > self.pieces.len() + 1_000_000 || self.declarations.kind(piece.kind).is_none() {
            return Err(unknown("the kind or id of piece", slot));
        }
        self.check_place(piece.place, piece.kind, piece.id)?;
        if slot >= self.pieces.len() {
            self.pieces.resize(slot + 1, None);
        }
        if let Some(place) = self.pieces.get_mut(slot) {
            *place = Some(Arc::new(piece.clone()));
        }
        self.digests.add(digest::piece_key(&self.declarations, piece));
        self.count_piece(piece, true);
        let index = index.map_or(usize::MAX, usize::from);
        self.enter(piece.id, piece.kind, piece.owner, piece.place, index);
        Ok(())
    }

    /// `index` is that in its zone, if it is in one; `None` for the last.
    fn unspawn(&mut self, piece: &Piece, index: Option<u16>) -> Applied {
        let found = self.piece(piece.id).ok_or(EffectError::NoPiece(piece.id))?;
        let at_index = |pieces: &[PieceId]| index.map_or(pieces.last(), |index| pieces.get(usize::from(index))).copied();
        let in_zone = piece.place.zone().and_then(|zone| self.zone(zone));
        let is_there = in_zone.is_none_or(|zone| at_index(&zone.pieces) == Some(piece.id));
        expect(found == piece && is_there, "a piece")?;
        self.leave(piece.id, piece.kind, piece.owner, piece.place);
        self.digests.subtract(digest::piece_key(&self.declarations, piece));
        self.count_piece(piece, false);
        if let Some(slot) = self.pieces.get_mut(piece.id.index()) {
            *slot = None;
        }
        while matches!(self.pieces.last(), Some(None)) {
            self.pieces.pop();
        }
        Ok(())
    }

    /// Changes a piece in its slot, keeping digests and indexes true.
    fn change_piece(&mut self, id: PieceId, change: impl FnOnce(&mut Piece) -> Applied) -> Applied {
        let piece = piece_mut(&mut self.pieces, id)?;
        let before = digest::piece_key(&self.declarations, piece);
        let owner = piece.owner;
        change(piece)?;
        self.digests.replace(before, digest::piece_key(&self.declarations, piece));
        let (kind, place, new_owner) = (piece.kind, piece.place, piece.owner);
        if owner != new_owner {
            if !place.is_off() {
                self.count_in_play(owner, false);
                self.count_in_play(new_owner, true);
            }
            for cell in self.cells_at(kind, place) {
                self.index_owners(cell);
            }
        }
        Ok(())
    }

    fn set(&mut self, target: Target, property: PropertyId, old: &Value, new: &Value) -> Applied {
        let declaration = self
            .declarations
            .property(property)
            .ok_or_else(|| unknown("property", property.index()))?;
        let slot = usize::from(declaration.slot);
        if let (Target::Piece(piece), Scope::Piece) = (target, declaration.scope) {
            let has_words = matches!(declaration.value_type, ValueType::Choice { .. });
            self.change_piece(piece, |piece| {
                let value = piece.values.get_mut(slot).ok_or_else(|| unknown("property", property.index()))?;
                replace(value, old, new.clone(), "a property of a piece")
            })?;
            let covered = self.piece(piece).filter(|_| has_words).map(|piece| self.cells_of(piece));
            for cell in covered.unwrap_or_default() {
                self.index_words(cell);
            }
            return Ok(());
        }
        match self.value(target, property) {
            None => {
                let target = self.target_text(target);
                return Err(EffectError::Unknown(format!("property {} of {target}", declaration.name)));
            }
            Some(value) if value != old => return Err(differs(&format!("property {}", declaration.name))),
            Some(_) => {}
        }
        let value = match target {
            Target::Match => self.match_values.get_mut(slot),
            Target::Seat(seat) => self.seat_values.get_mut(seat.index()).and_then(|values| values.get_mut(slot)),
            Target::Cell(cell) => {
                let values = self.cell_values.get_mut(slot);
                values.and_then(|values| Arc::make_mut(values).get_mut(cell.index()))
            }
            // Edges keep only what differs from the default.
            Target::Edge(edge) if declaration.default == *new => {
                Arc::make_mut(&mut self.edge_values).remove(edge, property);
                None
            }
            Target::Edge(edge) => {
                Arc::make_mut(&mut self.edge_values).insert(edge, property, new.clone());
                None
            }
            Target::Piece(_) => None,
        };
        if let Some(value) = value {
            *value = new.clone();
        }
        let key = |value| digest::property_key(&self.declarations, target, property.index(), value);
        self.digests.replace(key(old), key(new));
        Ok(())
    }

    fn set_terrain(&mut self, cell: CellId, old: TerrainId, new: TerrainId) -> Applied {
        match self.terrain(cell) {
            None => return Err(unknown("cell", cell.index())),
            Some(terrain) if terrain != old => return Err(differs("the ground of a cell")),
            Some(_) => {}
        }
        if let Some(terrain) = Arc::make_mut(&mut self.terrains).get_mut(cell.index()) {
            *terrain = new;
        }
        let key = |terrain| digest::terrain_key(cell.index(), terrain);
        self.digests.replace(key(old), key(new));
        Ok(())
    }

    fn reorder(&mut self, id: ZoneId, old: &[PieceId], new: &[PieceId]) -> Applied {
        let zone = self.zone(id).ok_or_else(|| unknown("zone", id.index()))?;
        let sorted = |pieces: &[PieceId]| {
            let mut sorted: SmallVec<[PieceId; 64]> = SmallVec::from_slice(pieces);
            sorted.sort_unstable();
            sorted
        };
        expect(zone.pieces == old && sorted(old) == sorted(new), "the order of a zone")?;
        self.change_zone(id, |pieces| pieces.copy_from_slice(new));
        Ok(())
    }

    fn set_unseen(&mut self, id: ZoneId, old: u32, new: u32) -> Applied {
        let zone = self.zones.get_mut(id.index()).ok_or_else(|| unknown("zone", id.index()))?;
        replace(&mut zone.unseen, &old, new, "the length of a zone")?;
        self.digests.replace(digest::unseen_key(id, old), digest::unseen_key(id, new));
        Ok(())
    }

    fn change_sight(&mut self, change: &SightChange, is_forward: bool) -> Applied {
        let mut sight = self
            .sight
            .take()
            .ok_or_else(|| unknown("the sight of a state that is no view,", 0))?;
        let result = self.change_sight_of(&mut sight, change, is_forward);
        self.sight = Some(sight);
        result
    }

    fn change_sight_of(&mut self, sight: &mut Sight, change: &SightChange, is_forward: bool) -> Applied {
        let is_there = |cell: &CellId| self.board.contains(*cell);
        let (comes, goes) = if is_forward {
            (&change.gained, &change.lost)
        } else {
            (&change.lost, &change.gained)
        };
        expect(
            comes.iter().all(|cell| is_there(cell) && !sight.visible.contains(*cell)),
            "what is in sight",
        )?;
        expect(goes.iter().all(|cell| sight.visible.contains(*cell)), "what is in sight")?;
        if !change.explored.is_empty() {
            let explored = sight.explored.as_mut().ok_or_else(|| differs("what is explored"))?;
            let is_as_before = |known: &ExploredCell| is_there(&known.cell) && explored.contains(known.cell) != is_forward;
            expect(change.explored.iter().all(is_as_before), "what is explored")?;
            let board = Arc::make_mut(&mut self.board);
            for cell in &change.explored {
                let key = digest::explored_key(cell.cell);
                if is_forward {
                    explored.insert(cell.cell);
                    board.learn(cell);
                    self.digests.add(key);
                } else {
                    explored.remove(cell.cell);
                    board.unlearn(cell);
                    self.digests.subtract(key);
                }
            }
        }
        for cell in comes.iter().filter(|cell| sight.visible.insert(**cell)) {
            self.digests.add(digest::visible_key(*cell));
        }
        for cell in goes.iter().filter(|cell| sight.visible.remove(**cell)) {
            self.digests.subtract(digest::visible_key(*cell));
        }
        Ok(())
    }

    fn open(&mut self, decision: &Decision) -> Applied {
        let is_new = self.sequence.decisions.iter().all(|open| open.id != decision.id);
        expect(is_new, "the open decisions")?;
        // Decisions lie in the order in which they were opened, so one that was closed in between goes back to its place.
        let depth = self.sequence.decisions.partition_point(|open| open.id < decision.id);
        self.change_decisions(depth, |decisions| decisions.insert(depth, decision.clone()));
        Ok(())
    }

    fn close(&mut self, decision: &Decision) -> Applied {
        let depth = self.sequence.decisions.iter().position(|open| open == decision);
        let depth = depth.ok_or_else(|| differs("the open decisions"))?;
        self.change_decisions(depth, |decisions| drop(decisions.remove(depth)));
        Ok(())
    }

    /// Changes the open decisions from a depth on.
    fn change_decisions(&mut self, first: usize, change: impl FnOnce(&mut Vec<Decision>)) {
        let keys = |decisions: &[Decision]| {
            let mut sum = Digests::default();
            let changed = decisions.iter().enumerate().skip(first);
            changed.for_each(|(depth, decision)| sum.add(digest::decision_key(depth, decision)));
            sum
        };
        let before = keys(&self.sequence.decisions);
        change(&mut self.sequence.decisions);
        self.digests.replace(before, keys(&self.sequence.decisions));
    }

    fn answer(&mut self, id: super::DecisionId, seat: SeatId, answered: bool) -> Applied {
        let mut open = self.sequence.decisions.iter_mut().enumerate();
        let found = open.find(|(_, decision)| decision.id == id);
        let (depth, decision) = found.ok_or_else(|| differs("the open decisions"))?;
        let is_as_before = decision.waiting.contains(seat) == answered && decision.asked.contains(seat);
        expect(is_as_before, "who has answered")?;
        let before = digest::decision_key(depth, decision);
        decision.waiting = decision.waiting.put(seat, !answered);
        self.digests.replace(before, digest::decision_key(depth, decision));
        Ok(())
    }

    fn set_phase(&mut self, old: super::PhaseId, new: super::PhaseId) -> Applied {
        expect(self.sequence.phase == old, "the phase")?;
        if new.index() >= self.declarations.phases.len() {
            return Err(unknown("phase", new.index()));
        }
        self.sequence.phase = new;
        self.digests.replace(digest::phase_key(old), digest::phase_key(new));
        Ok(())
    }

    fn set_mark(&mut self, old: TurnMark, new: TurnMark) -> Applied {
        expect(self.sequence.mark == old, "the turn")?;
        if new.seat.is_some_and(|seat| seat.index() >= self.declarations.seats.len()) {
            return Err(unknown("the seat on turn", new.seat.map_or(0, SeatId::index)));
        }
        if usize::from(new.place) >= self.declarations.turns.len().max(1) {
            return Err(unknown("the turn of the round", usize::from(new.place)));
        }
        self.sequence.mark = new;
        self.digests.replace(digest::turn_key(old), digest::turn_key(new));
        Ok(())
    }

    fn begin_turn(&mut self, old: TurnMark, new: TurnMark, fresh: bool, displacement: Option<Displacement>) -> Applied {
        self.set_mark(old, new)?;
        let position = self.digests.position;
        self.change_history(|history| history.push(position, fresh, old.seat.zip(displacement)));
        Ok(())
    }

    fn revert_turn(&mut self, old: TurnMark, new: TurnMark) -> Applied {
        self.set_mark(new, old)?;
        self.change_history(PositionHistory::pop);
        Ok(())
    }

    fn change_history(&mut self, change: impl FnOnce(&mut PositionHistory)) {
        if self.declarations.counts_positions {
            let before = self.history.key();
            change(&mut self.history);
            self.digests.replace(before, self.history.key());
        }
    }

    fn eliminate(&mut self, seat: SeatId, out: bool) -> Applied {
        if seat.index() >= self.declarations.seats.len() {
            return Err(unknown("seat", seat.index()));
        }
        expect(self.eliminated.contains(seat) != out, "who is out")?;
        let before = digest::eliminated_key(self.eliminated);
        self.eliminated = self.eliminated.put(seat, out);
        self.digests.replace(before, digest::eliminated_key(self.eliminated));
        Ok(())
    }

    fn end(&mut self, outcome: &Outcome) -> Applied {
        expect(self.outcome.is_none(), "the outcome")?;
        self.digests.add(digest::outcome_key(outcome));
        self.outcome = Some(outcome.clone());
        Ok(())
    }

    fn resume(&mut self, outcome: &Outcome) -> Applied {
        expect(self.outcome.as_ref() == Some(outcome), "the outcome")?;
        self.digests.subtract(digest::outcome_key(outcome));
        self.outcome = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{
        ActionDeclaration, ActionId, Board, CellSet, DecisionId, Declarations, DeclarationsChange, EdgeId, Fingerprint, KindDeclaration,
        KindId, Map, PhaseDeclaration, PhaseId, PropertyDeclaration, SeatDeclaration, SeatSet, TerrainDeclaration, Topology,
        ZoneDeclaration, ZoneVisibility,
    };
    use super::*;

    /// The words of a property of pieces, the last one declared.
    const COLOURS: [&str; 3] = ["white", "grey", "black"];
    const COLOUR: PropertyId = PropertyId::from_index(SCOPES.len());
    const SCOPES: [Scope; 5] = [Scope::Match, Scope::Seat, Scope::Piece, Scope::Cell, Scope::Edge];

    fn declarations() -> Declarations {
        let name = |text: &str| Arc::<str>::from(text);
        let terrain = |title: &str| TerrainDeclaration {
            name: name(title),
            title: name(title),
            colour: 0,
        };
        let zone = |title: &str| ZoneDeclaration {
            name: name(title),
            title: name(title),
            owner: None,
            visibility: ZoneVisibility::NoOne,
        };
        let phase = |title: &str| PhaseDeclaration {
            name: name(title),
            title: name(title),
            automatic: false,
        };
        let seat = |title: &str| SeatDeclaration {
            name: name(title),
            title: name(title),
            colour: 0,
        };
        let property = |scope| PropertyDeclaration {
            name: name("count"),
            title: name("count"),
            scope,
            slot: 0,
            value_type: ValueType::Integer { min: 0, max: 9 },
            default: Value::Integer(0),
            in_position: true,
            is_secret: false,
        };
        let colour = PropertyDeclaration {
            name: name("colour"),
            slot: 1,
            value_type: ValueType::Choice {
                words: COLOURS.map(name).into(),
            },
            default: Value::Text(name(COLOURS[0])),
            ..property(Scope::Piece)
        };
        Declarations {
            seats: ["red", "blue"].map(seat).into(),
            kinds: vec![KindDeclaration {
                name: name("piece"),
                title: name("piece"),
                glyph: name("P"),
                values: Vec::new(),
                figure: None,
            }],
            terrains: ["plain", "wood"].map(terrain).into(),
            zones: ["deck", "bin"].map(zone).into(),
            phases: ["first", "second"].map(phase).into(),
            actions: vec![ActionDeclaration {
                name: name("answer"),
                title: name("answer"),
                rule: name(""),
                picks: Vec::new(),
                phases: Vec::new(),
                answers_decision: true,
                instead_of: None,
                ends_turn: false,
                is_aside: false,
                is_last_resort: false,
                is_open: false,
                begins_contest: false,
                is_confirmed: false,
            }],
            properties: SCOPES.map(property).into_iter().chain([colour]).collect(),
            counts_positions: true,
            ..Declarations::default()
        }
    }

    fn start() -> State {
        let topology = Topology::Square {
            width: 3,
            height: 3,
            diagonals: false,
        };
        let board = Board::from_map(&Map::new("map", "Map", topology)).unwrap();
        State::empty(Arc::new(board), Arc::new(declarations()), &[])
    }

    fn index_in_zone(state: &State, piece: PieceId) -> u16 {
        let zone = state.piece(piece).unwrap().place.zone().and_then(|zone| state.zone(zone));
        let index = zone.map(|zone| zone.pieces.iter().position(|other| *other == piece).unwrap());
        index.unwrap_or(0) as u16
    }

    /// An effect that fits the state, of a sort and about things that are drawn; a note where there is nothing of that sort to do.
    fn effect(state: &State, sort: u8, a: u8, b: u8) -> Effect {
        let note = Effect::Note {
            to: SeatSet::EMPTY,
            text: Arc::from(""),
            cell: None,
        };
        let piece = state.pieces().nth(usize::from(a) % state.pieces().count().max(1));
        let seat = SeatId(a % 2);
        let place = match b % 12 {
            cell @ 0..9 => Place::Cell(CellId(u16::from(cell))),
            9 => Place::Off,
            zone => Place::Zone(ZoneId(u16::from(zone) - 10)),
        };
        let length = |zone: Option<ZoneId>| zone.and_then(|zone| state.zone(zone)).map_or(0, |zone| zone.pieces.len());
        match (sort, piece) {
            (0 | 1, _) => Effect::Spawn(Box::new(Piece {
                id: state.next_piece(),
                kind: KindId(0),
                owner: (!b.is_multiple_of(3)).then_some(seat),
                place,
                revealed: SeatSet::EMPTY,
                values: state.declarations().starting_values(KindId(0)),
            })),
            (2..5, Some(piece)) => Effect::Move {
                piece: piece.id,
                from: piece.place,
                from_index: index_in_zone(state, piece.id),
                to: place,
                to_index: (length(place.zone()) - usize::from(place.zone().is_some() && place == piece.place)) as u16,
            },
            (5, Some(piece)) => Effect::Unspawn {
                piece: Box::new(piece.clone()),
                index: index_in_zone(state, piece.id),
            },
            (6, Some(piece)) => Effect::Owner {
                piece: piece.id,
                old: piece.owner,
                new: (!b.is_multiple_of(3)).then_some(seat),
            },
            (7, Some(piece)) => Effect::Reveal {
                piece: piece.id,
                old: piece.revealed,
                new: SeatSet::one(seat),
            },
            (8 | 9, _) => {
                let targets = [
                    Some(Target::Match),
                    Some(Target::Seat(seat)),
                    piece.map(|piece| Target::Piece(piece.id)),
                    Some(Target::Cell(CellId(u16::from(a) % 9))),
                    Some(Target::Edge(EdgeId::from_index(usize::from(a) % state.board().edge_count()))),
                ];
                let scope = usize::from(b) % SCOPES.len();
                let property = PropertyId::from_index(scope);
                targets[scope].map_or(note, |target| Effect::Set {
                    target,
                    property,
                    old: state.value(target, property).unwrap().clone(),
                    new: Value::Integer(i64::from(b % 10)),
                })
            }
            (10, _) => {
                let cell = CellId(u16::from(a) % 9);
                Effect::Terrain {
                    cell,
                    old: state.terrain(cell).unwrap(),
                    new: TerrainId(b % 2),
                }
            }
            (11, _) => {
                let zone = ZoneId(u16::from(a) % 2);
                let old: Arc<[PieceId]> = state.zone(zone).unwrap().pieces().into();
                let new = old.iter().rev().copied().collect();
                Effect::Reorder { zone, old, new }
            }
            (12, _) => {
                let zone = ZoneId(u16::from(a) % 2);
                Effect::Unseen {
                    zone,
                    old: state.zone(zone).unwrap().unseen,
                    new: u32::from(b),
                }
            }
            (13, _) => Effect::OpenDecision(Box::new(Decision {
                id: DecisionId(state.sequence().next_decision),
                action: ActionId(0),
                asked: SeatSet::one(seat),
                waiting: SeatSet::one(seat),
                data: Vec::new(),
            })),
            (14, _) => match state.sequence().decision() {
                Some(open) if open.waiting.is_empty() => Effect::CloseDecision(Box::new(open.clone())),
                Some(open) => Effect::AnswerDecision {
                    decision: open.id,
                    seat: open.waiting.first().unwrap(),
                },
                None => note,
            },
            (15, _) => Effect::Phase {
                old: state.sequence().phase,
                new: PhaseId(a % 2),
            },
            (16, _) => {
                let old = state.sequence().mark;
                Effect::Turn {
                    old,
                    new: TurnMark {
                        turn: old.turn + 1,
                        seat: Some(seat),
                        ..old
                    },
                    fresh: b.is_multiple_of(2),
                    displacement: None,
                }
            }
            (17, _) if !state.eliminated().contains(seat) => Effect::Eliminate(seat),
            (18, _) => match state.outcome() {
                Some(outcome) => Effect::Resume(Box::new(outcome.clone())),
                None => Effect::End(Box::new(Outcome::win(2, seat, "", "over"))),
            },
            (19, _) => {
                let mut longer = Declarations::clone(state.declarations());
                longer.terrains.push(longer.terrains[0].clone());
                let declarations = DeclarationsChange {
                    old: Arc::clone(state.declarations()),
                    new: Arc::new(longer),
                };
                Effect::Rules {
                    old: Fingerprint::default(),
                    new: Fingerprint::of(b"later"),
                    declarations: Some(Box::new(declarations)),
                }
            }
            (20, Some(piece)) => Effect::Set {
                target: Target::Piece(piece.id),
                property: COLOUR,
                old: piece.values[1].clone(),
                new: Value::Text(Arc::from(COLOURS[usize::from(b) % COLOURS.len()])),
            },
            _ => note,
        }
    }

    fn has_true_words(state: &State) -> bool {
        let has = |piece: &Piece, colour: &str| piece.values[1] == Value::Text(Arc::from(colour));
        COLOURS.iter().all(|colour| {
            let cells = state
                .pieces()
                .filter(|piece| has(piece, colour))
                .filter_map(|piece| piece.place.cell());
            let cells = CellSet::from_cells(state.board().cell_count(), cells);
            state.cells_having(COLOUR, &Value::Text(Arc::from(*colour))) == cells
        })
    }

    proptest! {
        #[test]
        fn an_effect_and_its_inverse_leave_a_state_as_it_was(drawn in prop::collection::vec((0u8..21, any::<u8>(), any::<u8>()), 1..60)) {
            let mut state = start();
            let mut stood = Vec::new();
            for (sort, a, b) in drawn {
                let effect = effect(&state, sort, a, b);
                stood.push((effect.clone(), state.clone()));
                state.apply(effect.inverse().inverse()).unwrap();
                prop_assert_eq!(state.digest(), state.digest_from_scratch());
                prop_assert!(has_true_words(&state), "{:?}", effect);
            }
            for (effect, before) in stood.into_iter().rev() {
                state.apply(effect.inverse()).unwrap();
                prop_assert_eq!(&state, &before, "{:?}", effect);
                prop_assert_eq!(state.digest(), state.digest_from_scratch());
                prop_assert!(has_true_words(&state), "{:?}", effect);
            }
        }
    }
}
