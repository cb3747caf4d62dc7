//! Listeners of scripts: `on_enter(turn, piece, cell)` and the like, of all layers.

use rhai::{Dynamic, Map};

use super::super::api::convert;
use super::super::api::handles::{Cell, Edge, Piece, Seat};
use super::super::hooks::BoundHook;
use super::ScriptRules;
use boardwright_model::{Rejection, SeatId, State, Target};
use boardwright_rules::{Listeners, Occurrence, OccurrenceKind, Transaction};

impl Listeners for ScriptRules {
    fn hears(&self, kind: OccurrenceKind) -> bool {
        self.hooks.listeners.contains_key(&kind)
    }

    fn on(&self, transaction: &mut Transaction, occurrence: &Occurrence) -> Result<(), Rejection> {
        let listening = self.hooks.listeners.get(&occurrence.kind());
        for hook in listening.into_iter().flatten() {
            if transaction.state().outcome().is_some() {
                break;
            }
            self.call_listener(transaction, hook, occurrence)?;
        }
        Ok(())
    }
}

impl ScriptRules {
    fn call_listener(&self, transaction: &mut Transaction, hook: &BoundHook, occurrence: &Occurrence) -> Result<(), Rejection> {
        let state = transaction.state();
        let acting = match occurrence {
            Occurrence::Done(action) => Some(action.seat),
            _ => state.sequence().mark.seat,
        };
        let piece = |id| Dynamic::from(Piece::new(&self.context, id));
        let cell = |id| Dynamic::from(Cell::new(&self.context, id));
        let values: Vec<Dynamic> = match occurrence {
            Occurrence::Begun | Occurrence::RoundBegun | Occurrence::TurnBegun | Occurrence::Settled => Vec::new(),
            Occurrence::Done(action) => vec![Dynamic::from(self.done(state, action))],
            Occurrence::Entered(moved, on) | Occurrence::Left(moved, on) => vec![piece(*moved), cell(*on)],
            Occurrence::Created(one) | Occurrence::Removed(one) => vec![piece(*one)],
            Occurrence::Given(one, before) => vec![piece(*one), convert::or_unit(before.map(|seat| self.seat(seat)))],
            Occurrence::Changed { .. } => vec![Dynamic::from(self.changed(state, occurrence))],
            Occurrence::Eliminated(seat) => vec![Dynamic::from(self.seat(*seat))],
        };
        let arguments: Vec<Dynamic> = std::iter::once(Dynamic::from(self.view())).chain(values).collect();
        let call = || hook.call(self.program(), arguments);
        let called = self.call_acting(transaction, acting, hook, call);
        let called = called.and_then(|_| self.check_end(transaction, hook, None));
        called.map_err(|rejection| match rejection {
            Rejection::Fault(fault) if fault.hook == hook.name() => {
                let hook = self
                    .program
                    .trigger_of(hook.name())
                    .map(|trigger| format!("{}: {trigger}", fault.hook));
                Rejection::Fault(match hook {
                    Some(hook) => Box::new(fault.in_hook(hook)),
                    None => fault,
                })
            }
            other => other,
        })
    }

    fn seat(&self, seat: SeatId) -> Seat {
        Seat::new(&self.context, seat)
    }

    /// An action that has been carried out, as scripts see it.
    fn done(&self, state: &State, action: &boardwright_model::Action) -> Map {
        let declared = self.declarations.action(action.action);
        let name = declared.map_or_else(String::new, |declared| declared.name.to_string());
        Map::from([
            ("action".into(), Dynamic::from(name)),
            ("seat".into(), Dynamic::from(self.seat(action.seat))),
            ("picked".into(), Dynamic::from(self.picked(state, action.action, &action.picks))),
        ])
    }

    /// A property that has changed, as scripts see it.
    fn changed(&self, state: &State, occurrence: &Occurrence) -> Map {
        let Occurrence::Changed {
            target,
            property,
            before,
            after,
        } = occurrence
        else {
            return Map::new();
        };
        let (scope, of) = match target {
            Target::Match => ("match", Dynamic::from(self.view())),
            Target::Seat(seat) => ("seat", Dynamic::from(self.seat(*seat))),
            Target::Piece(piece) => ("piece", Dynamic::from(Piece::new(&self.context, *piece))),
            Target::Cell(cell) => ("cell", Dynamic::from(Cell::new(&self.context, *cell))),
            Target::Edge(edge) => ("edge", Dynamic::from(Edge::new(&self.context, *edge))),
        };
        let declared = self.declarations.property(*property);
        let name = declared.map_or_else(String::new, |declared| declared.name.to_string());
        Map::from([
            ("of".into(), of),
            ("scope".into(), Dynamic::from(scope.to_owned())),
            ("name".into(), Dynamic::from(name)),
            ("before".into(), convert::to_script(&self.context, state, before)),
            ("after".into(), convert::to_script(&self.context, state, after)),
        ])
    }
}
