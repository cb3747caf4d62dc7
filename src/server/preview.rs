//! What an action would bring about, told before it is played.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::session::Session;
use crate::client::messages::{Preview, Reply};
use crate::host::{ClientId, HostError};
use crate::model::{Action, Effect, Looks, PieceId, State, Target};
use crate::rules::{Luck, Rejection, Rules, Transaction, flow};

impl Session {
    /// Tries an action on what its seat sees. What needs luck, or what the seat does not see, is not told.
    pub(super) fn preview(&self, client: ClientId, action: &Action) -> Result<Reply, HostError> {
        self.check_sight(client, Some(action.seat))?;
        let rules = self.playing.rules();
        let preview = previewed(rules, &self.view_of(Some(action.seat)), action);
        // What fails here is told when it is played: on a view, rules may miss what they find on the whole state.
        drop(rules.take_faults());
        Ok(Reply::Preview(Box::new(preview?)))
    }
}

/// # Errors
/// If the action is refused.
fn previewed(rules: &dyn Rules, view: &Arc<State>, action: &Action) -> Result<Preview, Rejection> {
    if let Err(Rejection::Refused(refusal)) = flow::check(rules, view, action) {
        return Err(refusal.into());
    }
    let mut transaction = Transaction::new(Arc::clone(view), Luck::Forbidden);
    match rules.carry_out(&mut transaction, action) {
        Ok(()) => {}
        Err(Rejection::Refused(refusal)) => return Err(refusal.into()),
        Err(Rejection::Fault(_)) => return Ok(Preview::default()),
    }
    let effects = transaction.effects().to_vec();
    let touched: BTreeSet<PieceId> = effects.iter().filter_map(touched).collect();
    let looks = rules.looks(transaction.state(), Some(action.seat)).unwrap_or_default();
    let pieces = looks.pieces.into_iter().filter(|(piece, _)| touched.contains(piece));
    let looks = Looks {
        position: transaction.state().position(),
        pieces: pieces.collect(),
        ..Looks::default()
    };
    Ok(Preview {
        effects,
        looks,
        is_certain: true,
    })
}

/// The piece that an effect changes.
fn touched(effect: &Effect) -> Option<PieceId> {
    match effect {
        Effect::Move { piece, .. }
        | Effect::Owner { piece, .. }
        | Effect::Reveal { piece, .. }
        | Effect::Set {
            target: Target::Piece(piece),
            ..
        } => Some(*piece),
        Effect::Spawn(piece) => Some(piece.id),
        _ => None,
    }
}
