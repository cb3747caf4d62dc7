//! What a view becomes when the match goes on: it sees what is in sight as it is, and remembers the rest as it was last seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{CellId, EdgeId, Effect, Piece, PieceId, Place, PropertyId, Scope, Sequence, SightChange, State, Target, Visibility, ZoneId};

/// Which parts of a view may have to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// What the effects name, and what came into sight.
    ByEffects,
    /// Everything: after a change of rules, or for a view that has seen nothing yet.
    Everything,
}

/// What a view is sent of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewUpdate {
    /// The effects that lead from the view before to the view after.
    pub effects: Vec<Effect>,
    /// Whether the view saw every effect of the event as it was.
    pub is_whole: bool,
    /// How many pieces, cells, edges and zones were looked at: the work, which grows with what changed and not with the board.
    pub looked_at: usize,
}

/// What has to be looked at after the effects.
#[derive(Default)]
struct Parts {
    pieces: BTreeSet<PieceId>,
    cells: BTreeSet<CellId>,
    edges: BTreeSet<EdgeId>,
    zones: BTreeSet<ZoneId>,
    values: BTreeSet<(Target, PropertyId)>,
}

impl State {
    /// The view of someone who has seen nothing of this state but whose turn it is and what is asked.
    #[must_use]
    pub fn unseen_view(&self) -> Self {
        let declarations = &self.declarations;
        let board = if declarations.has_fog && declarations.has_shroud {
            Arc::new(self.board.veiled())
        } else {
            Arc::clone(&self.board)
        };
        let mut view = Self::empty(board, Arc::clone(declarations), &self.options);
        if declarations.has_fog {
            if !declarations.has_shroud {
                view.set_open_values_of_map();
            }
            view.begin_sight(declarations.has_shroud);
        }
        view.eliminated = self.eliminated;
        view.sequence = Sequence::clone(&self.sequence);
        view.outcome.clone_from(&self.outcome);
        view.digests = view.digests_from_scratch();
        view
    }

    /// Leads a view from one state of the match to the next, and gives the effects that do the same with a copy of the view.
    ///
    /// Effects that are seen from beginning to end are taken as they are. Then sight changes, what came into sight is shown as it is now,
    /// and what went out of it is left as it was: a piece that is remembered somewhere goes when that place, or the piece elsewhere, is
    /// seen.
    ///
    /// # Errors
    /// If the view does not fit the states; it may then be half changed.
    pub fn update_view(
        &mut self,
        (before, earlier): (&Self, &Visibility),
        (after, later): (&Self, &Visibility),
        effects: &[Effect],
        touched: Touched,
    ) -> Result<ViewUpdate, super::EffectError> {
        // Whoever sees all in fog does so with eyes, and has not seen what happened before.
        let later = &later.on(after);
        let mut update = Update {
            view: self,
            sent: Vec::new(),
        };
        let always = earlier.and(later);
        let mut state = before.clone();
        let mut is_whole = true;
        for effect in effects {
            is_whole &= update.take(&mut state, effect, &always)?;
        }
        let change = update.change_of_sight(after, later);
        let mut parts = match touched {
            Touched::ByEffects => Parts::of_effects(effects),
            Touched::Everything => Parts::everything(update.view, after),
        };
        parts.add_cells(after, &change.gained);
        if !change.is_empty() {
            update.send(Effect::Sight(Box::new(change)))?;
        }
        parts.add_pieces(update.view, after);
        update.show(after, later, &parts)?;
        let looked_at = parts.pieces.len() + parts.cells.len() + parts.edges.len() + parts.zones.len() + parts.values.len();
        Ok(ViewUpdate {
            effects: update.sent,
            is_whole,
            looked_at,
        })
    }
}

impl Parts {
    fn of_effects(effects: &[Effect]) -> Self {
        let mut parts = Self::default();
        for effect in effects {
            match effect {
                Effect::Set { target, property, .. } => match target {
                    Target::Piece(piece) => {
                        parts.pieces.insert(*piece);
                    }
                    Target::Match | Target::Seat(_) | Target::Cell(_) | Target::Edge(_) => {
                        parts.values.insert((*target, *property));
                    }
                },
                Effect::Move { piece, from, to, .. } => {
                    parts.pieces.insert(*piece);
                    parts.zones.extend([from, to].into_iter().filter_map(|place| place.zone()));
                }
                Effect::Spawn(piece) | Effect::Unspawn { piece, .. } => {
                    parts.pieces.insert(piece.id);
                    parts.zones.extend(piece.place.zone());
                }
                Effect::Owner { piece, .. } | Effect::Reveal { piece, .. } => {
                    parts.pieces.insert(*piece);
                }
                Effect::Terrain { cell, .. } => {
                    parts.cells.insert(*cell);
                }
                Effect::Reorder { zone, .. } | Effect::Unseen { zone, .. } => {
                    parts.zones.insert(*zone);
                }
                Effect::Sight(_)
                | Effect::OpenDecision(_)
                | Effect::AnswerDecision { .. }
                | Effect::CloseDecision(_)
                | Effect::Phase { .. }
                | Effect::Turn { .. }
                | Effect::Eliminate(_)
                | Effect::End(_)
                | Effect::Resume(_)
                | Effect::Note { .. }
                | Effect::Rules { .. } => {}
            }
        }
        parts
    }

    fn everything(view: &State, after: &State) -> Self {
        let mut values = BTreeSet::new();
        for (index, declared) in after.declarations.properties.iter().enumerate() {
            let property = PropertyId::from_index(index);
            if matches!(declared.scope, Scope::Match | Scope::Seat) {
                after.each_target(property, declared.scope, |target| {
                    values.insert((target, property));
                });
            }
        }
        let set_edges = view.edge_values.keys().chain(after.edge_values.keys());
        Self {
            pieces: view.pieces().chain(after.pieces()).map(|piece| piece.id).collect(),
            cells: after.board.cells().collect(),
            edges: set_edges.map(|(edge, _)| *edge).collect(),
            zones: (0..after.zones.len()).map(ZoneId::from_index).collect(),
            values,
        }
    }

    /// Adds what lies on cells that came into sight.
    fn add_cells(&mut self, after: &State, gained: &[CellId]) {
        let has_edges = after.declarations.properties.iter().any(|declared| declared.scope == Scope::Edge);
        self.cells.extend(gained);
        if has_edges {
            self.edges.extend(gained.iter().flat_map(|cell| after.board.edges_of(*cell)));
        }
    }

    /// Adds the pieces on those cells, what is aboard of pieces, and the zones they are in.
    fn add_pieces(&mut self, view: &State, after: &State) {
        for cell in &self.cells {
            self.pieces.extend(view.pieces_at(*cell));
            self.pieces.extend(after.pieces_at(*cell));
        }
        let mut aboard: BTreeMap<PieceId, Vec<PieceId>> = BTreeMap::new();
        for piece in view.pieces().chain(after.pieces()) {
            if let Place::Aboard(carrier) = piece.place {
                aboard.entry(carrier).or_default().push(piece.id);
            }
        }
        let mut rest: Vec<PieceId> = if aboard.is_empty() {
            Vec::new()
        } else {
            self.pieces.iter().copied().collect()
        };
        while let Some(piece) = rest.pop() {
            let carried = aboard.remove(&piece).unwrap_or_default();
            rest.extend(carried.into_iter().filter(|carried| self.pieces.insert(*carried)));
        }
        for piece in &self.pieces {
            let places = [view, after].map(|state| state.piece(*piece).and_then(|piece| piece.place.zone()));
            self.zones.extend(places.into_iter().flatten());
        }
    }
}

/// A view on its way to what it becomes.
struct Update<'a> {
    view: &'a mut State,
    sent: Vec<Effect>,
}

type Sent = Result<(), super::EffectError>;

impl Update<'_> {
    fn send(&mut self, effect: Effect) -> Sent {
        self.view.apply(&effect)?;
        self.sent.push(effect);
        Ok(())
    }

    /// Takes an effect of the match, as far as it is seen. Whether it is seen as it is.
    fn take(&mut self, state: &mut State, effect: &Effect, sight: &Visibility) -> Result<bool, super::EffectError> {
        let saw = is_seen(state, self.view, effect, sight);
        state.apply(effect)?;
        if !saw || !is_seen(state, self.view, effect, sight) {
            return Ok(false);
        }
        let shown = self.as_seen(state, effect, sight);
        let is_whole = shown == *effect;
        // What the view knows otherwise is put right afterwards.
        Ok(self.send(shown).is_ok() && is_whole)
    }

    /// An effect as the view is shown it.
    fn as_seen(&self, state: &State, effect: &Effect, sight: &Visibility) -> Effect {
        match effect {
            Effect::Spawn(piece) => Effect::Spawn(Box::new(without_secrets(state, piece, sight))),
            Effect::Unspawn { piece, index } => {
                let known = self.view.piece(piece.id);
                Effect::Unspawn {
                    index: known.map_or(*index, |known| index_of(self.view, known)),
                    piece: Box::new(known.unwrap_or(piece).clone()),
                }
            }
            Effect::Turn { old, new, fresh, .. } => Effect::Turn {
                old: *old,
                new: *new,
                fresh: *fresh,
                displacement: None,
            },
            _ => effect.clone(),
        }
    }

    fn change_of_sight(&self, after: &State, sight: &Visibility) -> SightChange {
        let Some(known) = &self.view.sight else {
            return SightChange::default();
        };
        let visible = sight.cells().map_or_else(|| after.board.all().clone(), Clone::clone);
        let explored = known.explored.as_ref().map(|explored| visible.difference(explored));
        SightChange {
            gained: visible.difference(&known.visible).iter().collect(),
            lost: known.visible.difference(&visible).iter().collect(),
            explored: explored.iter().flatten().map(|cell| after.board.explored_cell(cell)).collect(),
        }
    }

    /// Shows what is in sight as it is.
    fn show(&mut self, after: &State, sight: &Visibility, parts: &Parts) -> Sent {
        for cell in &parts.cells {
            self.show_cell(after, sight, *cell)?;
        }
        for edge in &parts.edges {
            self.show_values(after, sight, Target::Edge(*edge), Scope::Edge)?;
        }
        for (target, property) in &parts.values {
            self.show_value(after, sight, *target, *property)?;
        }
        self.show_pieces(after, sight, &parts.pieces)?;
        for zone in &parts.zones {
            self.show_zone(after, sight, *zone)?;
        }
        Ok(())
    }

    fn show_cell(&mut self, after: &State, sight: &Visibility, cell: CellId) -> Sent {
        if !sight.sees_cell(cell) {
            return Ok(());
        }
        if let (Some(old), Some(new)) = (self.view.terrain(cell), after.terrain(cell))
            && old != new
        {
            self.send(Effect::Terrain { cell, old, new })?;
        }
        self.show_values(after, sight, Target::Cell(cell), Scope::Cell)
    }

    fn show_values(&mut self, after: &State, sight: &Visibility, target: Target, scope: Scope) -> Sent {
        let declarations = Arc::clone(&after.declarations);
        for (property, _) in declarations.properties_of(scope) {
            self.show_value(after, sight, target, property)?;
        }
        Ok(())
    }

    fn show_value(&mut self, after: &State, sight: &Visibility, target: Target, property: PropertyId) -> Sent {
        if !sight.sees_property(after, target, property) {
            return Ok(());
        }
        if let (Some(old), Some(new)) = (self.view.value(target, property), after.value(target, property))
            && old != new
        {
            let (old, new) = (old.clone(), new.clone());
            self.send(Effect::Set {
                target,
                property,
                old,
                new,
            })?;
        }
        Ok(())
    }

    /// Brings pieces to where they are seen or remembered.
    fn show_pieces(&mut self, after: &State, sight: &Visibility, pieces: &BTreeSet<PieceId>) -> Sent {
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for id in pieces {
            let (known, wanted) = (self.view.piece(*id), self.wanted(after, sight, *id));
            if known != wanted.as_ref() {
                gone.extend(known.cloned());
                come.extend(wanted);
            }
        }
        for piece in gone {
            let index = index_of(self.view, &piece);
            self.send(Effect::Unspawn {
                piece: Box::new(piece),
                index,
            })?;
        }
        // What is carried comes after what carries it.
        while !come.is_empty() {
            let is_ready = |piece: &Piece| match piece.place {
                Place::Aboard(carrier) => self.view.piece(carrier).is_some(),
                _ => true,
            };
            let (ready, waiting): (Vec<Piece>, Vec<Piece>) = come.into_iter().partition(is_ready);
            if ready.is_empty() {
                break;
            }
            for piece in ready {
                self.send(Effect::Spawn(Box::new(piece)))?;
            }
            come = waiting;
        }
        Ok(())
    }

    /// A piece as the view is to have it, if it is to have it.
    fn wanted(&self, after: &State, sight: &Visibility, id: PieceId) -> Option<Piece> {
        let now = after.piece(id).filter(|piece| is_known(self.view, after, piece, sight));
        match now {
            Some(piece) => Some(without_secrets(after, piece, sight)),
            None => self.view.piece(id).filter(|piece| self.remembers(after, sight, piece)).cloned(),
        }
    }

    /// Whether a piece that is not seen stays where it was last seen.
    fn remembers(&self, after: &State, sight: &Visibility, piece: &Piece) -> bool {
        if sight.cells().is_none() || sight.is_own(piece) {
            return false;
        }
        match piece.place {
            Place::Off => true,
            Place::Zone(_) => false,
            Place::Cell(_) | Place::Side(..) | Place::Posed(..) => {
                let mut cells = self.view.cells_at(piece.kind, piece.place).into_iter();
                !cells.any(|cell| sight.sees_cell(cell))
            }
            Place::Aboard(carrier) => {
                let is_seen = after
                    .piece(carrier)
                    .is_some_and(|carrier| is_known(self.view, after, carrier, sight));
                let known = self.view.piece(carrier).filter(|carrier| carrier.place != piece.place);
                !is_seen && known.is_some_and(|carrier| self.remembers(after, sight, carrier))
            }
        }
    }

    /// Puts the order of a zone and the number of what is not seen in it right.
    fn show_zone(&mut self, after: &State, sight: &Visibility, zone: ZoneId) -> Sent {
        let (Some(known), Some(now)) = (self.view.zone(zone), after.zone(zone)) else {
            return Ok(());
        };
        let (old, new) = (known.unseen, now.count().saturating_sub(known.pieces.len()) as u32);
        let order: Vec<PieceId> = now.pieces.iter().filter(|piece| known.pieces.contains(piece)).copied().collect();
        let is_ordered = !sight.sees_zone(after, zone) || order == known.pieces || order.len() != known.pieces.len();
        let reorder = (!is_ordered).then(|| Effect::Reorder {
            zone,
            old: known.pieces.as_slice().into(),
            new: order.into(),
        });
        if old != new {
            self.send(Effect::Unseen { zone, old, new })?;
        }
        reorder.map_or(Ok(()), |effect| self.send(effect))
    }
}

/// Whether a view knows a piece as it is: it sees it, or saw it go out of play.
fn is_known(view: &State, state: &State, piece: &Piece, sight: &Visibility) -> bool {
    let was_seen_to_go = piece.place.is_off() && view.piece(piece.id).is_some_and(|known| known.place.is_off());
    was_seen_to_go || sight.sees(state, piece, piece.place)
}

/// A piece without the properties that only its owner sees.
fn without_secrets(state: &State, piece: &Piece, sight: &Visibility) -> Piece {
    let mut shown = piece.clone();
    if !sight.is_own(piece) {
        for (_, declared) in state
            .declarations
            .properties_of(Scope::Piece)
            .filter(|(_, declared)| declared.is_secret)
        {
            if let Some(value) = shown.values.get_mut(usize::from(declared.slot)) {
                *value = declared.default.clone();
            }
        }
    }
    shown
}

/// The place of a piece in the order of its zone.
fn index_of(view: &State, piece: &Piece) -> u16 {
    let zone = piece.place.zone().and_then(|zone| view.zone(zone));
    let index = zone.and_then(|zone| zone.pieces.iter().position(|other| *other == piece.id));
    index.unwrap_or(0).min(usize::from(u16::MAX)) as u16
}

/// Whether an effect is seen, before or after it was applied to the state.
fn is_seen(state: &State, view: &State, effect: &Effect, sight: &Visibility) -> bool {
    let piece_is_seen = |id: PieceId| state.piece(id).is_some_and(|piece| sight.sees(state, piece, piece.place));
    match effect {
        Effect::Note { to, .. } => sight.seat().map_or(*to == state.declarations.all_seats(), |seat| to.contains(seat)),
        Effect::Set { target, property, .. } => sight.sees_property(state, *target, *property),
        Effect::Reorder { zone, .. } => sight.sees_zone(state, *zone),
        Effect::Move { piece, from, to, .. } => {
            let is_open = |place: &Place| place.zone().is_none_or(|zone| sight.sees_zone(state, zone));
            // Where a piece was seen that goes out of play, it is seen to go.
            let goes = to.is_off() && state.piece(*piece).is_some_and(|piece| piece.place.is_off());
            let comes = from.is_off() && state.piece(*piece).is_some_and(|piece| piece.place.is_off());
            let was_off = || view.piece(*piece).is_some_and(|known| known.place.is_off());
            is_open(from) && is_open(to) && ((goes && !comes) || (comes && was_off()) || piece_is_seen(*piece))
        }
        // Whether a piece is there before or after decides which of the two says something.
        Effect::Spawn(piece) | Effect::Unspawn { piece, .. } => state.piece(piece.id).is_none() || piece_is_seen(piece.id),
        Effect::Owner { piece, .. } | Effect::Reveal { piece, .. } => piece_is_seen(*piece),
        Effect::Terrain { cell, .. } => sight.sees_cell(*cell),
        Effect::Unseen { .. } | Effect::Sight(_) => false,
        Effect::OpenDecision(_)
        | Effect::AnswerDecision { .. }
        | Effect::CloseDecision(_)
        | Effect::Phase { .. }
        | Effect::Turn { .. }
        | Effect::Eliminate(_)
        | Effect::End(_)
        | Effect::Resume(_)
        | Effect::Rules { .. } => true,
    }
}
