//! Answers to questions about a view that both sessions and programs that play are asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::failure::{Answered, error};
use boardwright_model::diagnostic::Code;
use boardwright_model::{Action, ActionId, Effect, Looks, Pick, PieceId, Rejection, SeatId, SeatSet, State, Target, sentence};
use boardwright_protocol::{Command, LegalAction, PROTOCOL, Preview, Reply};
use boardwright_rules::{Luck, Request, RequestKind, Rules, Transaction, flow, looks as looks_of};

/// The most bytes of text in which the legal actions of a seat are told.
const MOST_TEXT_BYTES: usize = 32 << 20;

/// Answers a greeting; a guest may not steer the match.
pub(super) fn welcome(protocol: u32, seats: SeatSet, guest: bool) -> Answered {
    if protocol != PROTOCOL {
        return Err(error(sentence!(
            "this host speaks version {own} of the protocol, not {protocol}",
            own = PROTOCOL
        )));
    }
    Ok(Reply::Welcome {
        protocol: PROTOCOL,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        seats,
        guest,
    })
}

pub(super) fn looks(rules: &dyn Rules, view: &Arc<State>, seat: Option<SeatId>) -> Answered {
    Ok(Reply::Looks(Box::new(looks_of(rules, view, seat)?)))
}

pub(super) fn domain(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, action: ActionId, picks: &[Pick]) -> Answered {
    let domain = flow::next_domain(rules, view, seat, action, picks)?;
    let declared = view
        .declarations()
        .action(action)
        .and_then(|declared| declared.picks.get(picks.len()));
    let marks = match (&domain, rules.appearance()) {
        (Some(domain), Some(appearance)) => appearance.marks(view, seat, action, picks, domain),
        _ => Vec::new(),
    };
    Ok(Reply::Domain {
        domain,
        marks,
        prompt: declared.map_or_else(|| Arc::from(""), |pick| Arc::clone(&pick.prompt)),
    })
}

/// The legal actions of a seat, when `at` events are applied.
pub(super) fn legal(rules: &dyn Rules, view: &Arc<State>, seat: SeatId, at: usize) -> Answered {
    let actions = flow::available(rules, view, seat)?;
    let mut bytes = 0;
    let in_words = actions.into_iter().map(|action| {
        let readable = readable(rules, view, action);
        bytes += readable.text.len() + readable.notation.len();
        if bytes > MOST_TEXT_BYTES {
            let message = format!("the legal actions take more than {} MiB of text", MOST_TEXT_BYTES >> 20);
            return Err(Rejection::at_fault(Code::BudgetSize, message));
        }
        Ok(readable)
    });
    Ok(Reply::Legal {
        at,
        actions: in_words.collect::<Result<_, _>>()?,
        outcome: view.outcome().cloned(),
    })
}

pub(super) fn readable(rules: &dyn Rules, view: &Arc<State>, action: Action) -> LegalAction {
    LegalAction {
        text: flow::plain_notation(view, &action),
        notation: rules.notation(view, &action),
        action,
    }
}

/// Answers what a client asks about a view, as the host of the match does: `looks`, `domain`, `legal` and `preview`, each for a seat that it names. `at` is
/// how many events led to the view. `None` for everything else, and where the rules are at fault: that is for the host to say.
pub fn answer_about_view(rules: &dyn Rules, view: &Arc<State>, at: usize, command: &Command) -> Option<Reply> {
    let request = Request::begin(rules, RequestKind::Whole);
    let answered = match command {
        Command::Looks { seat } => looks(rules, view, *seat),
        Command::Domain { seat, action, picks } => domain(rules, view, *seat, *action, picks),
        Command::Legal { seat: Some(seat) } => legal(rules, view, *seat, at),
        Command::Preview { action } => preview(rules, view, action),
        _ => return None,
    };
    drop(request);
    let reply = answered.unwrap_or_else(Reply::from);
    (rules.take_faults().is_empty() && !matches!(reply, Reply::Fault(_) | Reply::Error { .. })).then_some(reply)
}

/// Tries an action on what its seat sees. What needs luck, or what the seat does not see, is left out.
pub(super) fn preview(rules: &dyn Rules, view: &Arc<State>, action: &Action) -> Answered {
    let preview = try_out(rules, view, action);
    // What fails here is reported when it is played: on a view, rules may miss what they find in the whole state.
    drop(rules.take_faults());
    Ok(Reply::Preview(Box::new(preview?)))
}

fn try_out(rules: &dyn Rules, view: &Arc<State>, action: &Action) -> Result<Preview, Rejection> {
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
    let looks = looks_of(rules, transaction.state(), Some(action.seat)).unwrap_or_default();
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
