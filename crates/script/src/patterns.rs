//! The patterns of actions: asked for once, before a match, with every name in them looked up.

use std::rc::Rc;
use std::sync::Arc;

use rhai::Dynamic;

use super::Program;
use super::api::call_context::SharedContext;
use super::api::convert;
use super::api::drop_patterns::DropPattern;
use super::api::handles::PatternView;
use super::api::move_patterns::{MotionPattern, Unknown};
use super::api::placement_patterns::PlacementPattern;
use super::hooks::{self, BoundHook};
use boardwright_model::diagnostic::{Code, Diagnostic, Location};
use boardwright_model::{ActionDeclaration, PickKind, State};
use boardwright_rules::{Drops, Motions, Pattern, Placements};

/// The pattern of an action, if the scripts have one for it.
///
/// # Errors
/// If its hook fails, gives back something else, or names what the board or the declarations do not have.
pub(super) fn pattern_of(
    program: &Program,
    context: &SharedContext,
    declared: &ActionDeclaration,
    setup: &Arc<State>,
) -> Result<Option<Rc<Pattern>>, Diagnostic> {
    let Some(hook) = hooks::PATTERN.find(program, &[&declared.name]) else {
        return Ok(None);
    };
    let view = PatternView::new(context);
    let value = context
        .look(setup, None, || hook.call(program, (view,)))
        .map_err(|fault| Diagnostic::from(*fault))?;
    let wrong = || hook.wrong_result(program, &value);
    let items = convert::list_items(&value).ok_or_else(wrong)?;
    let (board, declarations) = (setup.board(), setup.declarations());
    // Where there is nothing in the list, the picks tell which sort of pattern it would be.
    let is_of_picks = |kinds: &[PickKind]| items.is_empty() && declared.picks.iter().map(|pick| pick.kind).eq(kinds.iter().copied());
    let is_first = |is_one: fn(&Dynamic) -> bool| items.first().is_some_and(is_one);
    let is_placement = is_first(|item| item.read_lock::<PlacementPattern>().is_some());
    let is_drop = is_first(|item| item.read_lock::<DropPattern>().is_some());
    let pattern = if is_placement || is_of_picks(&[PickKind::Piece, PickKind::Pose, PickKind::Cell]) {
        let mut placements = Vec::new();
        for item in &items {
            let words = item.read_lock::<PlacementPattern>().ok_or_else(wrong)?;
            let placement = words.resolve(declarations);
            placements.push(placement.map_err(|error| hook.fault(program, Code::BadValue, error.to_string(), None))?);
        }
        Pattern::Placements(Box::new(Placements::new(placements, board, declarations)))
    } else if is_drop || is_of_picks(&[PickKind::Cell]) {
        let mut drops = Vec::new();
        for item in &items {
            let words = item.read_lock::<DropPattern>().ok_or_else(wrong)?;
            let drop = words.resolve(board, declarations);
            let Some(drop) = drop.map_err(|unknown| unknown_word(program, &hook, &unknown))? else {
                continue;
            };
            if let Some(fault) = words.fault_of(&drop, declarations) {
                return Err(hook.fault(program, Code::BadValue, fault, program.lines.place(words.position())));
            }
            drops.push(drop);
        }
        Pattern::Drops(Drops::new(drops, board))
    } else {
        let mut motions = Vec::new();
        for item in &items {
            let words = item.read_lock::<MotionPattern>().ok_or_else(wrong)?;
            let motion = words.resolve(board, declarations);
            motions.extend(motion.map_err(|unknown| unknown_word(program, &hook, &unknown))?);
        }
        Pattern::Motions(Motions::new(motions, board))
    };
    if !declared.picks.iter().map(|pick| pick.kind).eq(pattern.picks().iter().copied()) {
        let needed = match pattern {
            Pattern::Motions(_) => "motions has two picks, a piece and a path",
            Pattern::Placements(_) => "placements has three picks, a piece, a pose and a cell",
            Pattern::Drops(_) => "drops has one pick, a cell",
        };
        let message = format!("an action with a pattern of {needed}; {} has others", declared.name);
        return Err(hook.fault(program, Code::BadValue, message, None));
    }
    Ok(Some(Rc::new(pattern)))
}

/// A name in a pattern that stands for nothing: told where the word is written, or else where the motion is given it.
fn unknown_word(program: &Program, hook: &BoundHook, unknown: &Unknown<'_>) -> Diagnostic {
    let given = program.lines.place(unknown.position);
    let place = given.map(|place| word_in(&place, unknown.word).unwrap_or(place));
    hook.fault(program, Code::UnknownName, unknown.to_string(), place)
}

/// The quoted word that stands first behind a place in its line.
fn word_in(place: &Location, word: &str) -> Option<Location> {
    let line = place.source_line.as_deref()?;
    let before = usize::try_from(place.column).ok()?.saturating_sub(1);
    let start = line.char_indices().nth(before)?.0;
    let found = start + line.get(start..)?.find(&format!("\"{word}\""))?;
    let column = u32::try_from(line.get(..found)?.chars().count()).ok()? + 1;
    Some(Location { column, ..place.clone() })
}
