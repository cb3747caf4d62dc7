//! Which hooks a program has.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::ImmutableString;

use super::super::Program;
use super::super::api::call_context::SharedContext;
use super::super::api::convert;
use super::super::contests::ContestHooks;
use super::super::hooks::{self, BoundHook, Hook};
use super::super::lowered::{Entries, Keys, Value as LoweredValue};
use super::text_protocol::TextHooks;
use boardwright_model::{ActionDeclaration, Declarations, Pick, State};
use boardwright_rules::{OccurrenceKind, Pattern};

/// The hooks of one declared action.
pub(super) struct ActionHooks {
    pub(super) carry_out: Option<BoundHook>,
    pub(super) may: Option<BoundHook>,
    pub(super) notation: Option<BoundHook>,
    pub(super) sentence: Option<BoundHook>,
    pub(super) marks: Option<BoundHook>,
    pub(super) why: Option<BoundHook>,
    pub(super) contest: Option<BoundHook>,
    /// One for each pick.
    pub(super) domains: Vec<Option<BoundHook>>,
    pub(super) pattern: Option<Rc<Pattern>>,
    pub(super) candidates: Option<BoundHook>,
    pub(super) prior: Option<BoundHook>,
    pub(super) playout_weights: Option<BoundHook>,
    /// For each number of picks that are made: their names in order, and whose each is.
    picked: Vec<(Keys, Vec<usize>)>,
}

impl ActionHooks {
    /// Those of an action. Its pattern is made later.
    fn new(program: &Program, declared: &ActionDeclaration, general: &General) -> Self {
        let find = |hook: &'static Hook| hook.find(program, &[&declared.name]);
        let domains = declared.picks.iter();
        Self {
            carry_out: find(&hooks::DO),
            may: find(&hooks::MAY),
            notation: find(&hooks::NOTATION_ACTION).or_else(|| general.notation.clone()),
            sentence: find(&hooks::SENTENCE_ACTION).or_else(|| general.sentence.clone()),
            marks: find(&hooks::MARKS),
            why: find(&hooks::WHY),
            contest: find(&hooks::CONTEST),
            domains: domains
                .map(|pick| hooks::DOMAIN.find(program, &[&declared.name, &pick.name]))
                .collect(),
            pattern: None,
            candidates: find(&hooks::CANDIDATES),
            prior: find(&hooks::PRIOR_ACTION).or_else(|| general.prior.clone()),
            playout_weights: find(&hooks::PLAYOUT_WEIGHTS),
            picked: (0..=declared.picks.len()).map(|count| names_of(declared, count)).collect(),
        }
    }

    /// Picks by name, as hooks are handed them.
    pub(super) fn picked(&self, context: &SharedContext, state: &State, picks: &[Pick]) -> LoweredValue {
        let made = picks.len().min(self.picked.len().saturating_sub(1));
        let Some((names, order)) = self.picked.get(made) else {
            return LoweredValue::Unit;
        };
        let values = order.iter().filter_map(|place| picks.get(*place));
        let values = values.map(|pick| convert::pick_to_lowered(context, state, pick)).collect();
        LoweredValue::Map(Rc::new(Entries::of(Rc::clone(names), values)))
    }
}

/// The names of the first picks of an action, sorted, and the place of each among the picks.
fn names_of(declared: &ActionDeclaration, count: usize) -> (Keys, Vec<usize>) {
    let names = declared.picks.iter().take(count).map(|pick| ImmutableString::from(&*pick.name));
    let sorted: BTreeMap<ImmutableString, usize> = names.zip(0..).collect();
    let (names, places): (Vec<_>, Vec<_>) = sorted.into_iter().unzip();
    (Rc::new(names), places)
}

/// Hooks that stand in for those of single actions.
struct General {
    notation: Option<BoundHook>,
    sentence: Option<BoundHook>,
    prior: Option<BoundHook>,
}

/// The hooks that are there.
pub(super) struct RulesHooks {
    pub(super) actions: Vec<ActionHooks>,
    pub(super) contests: Vec<Option<ContestHooks>>,
    pub(super) enter: Vec<Option<BoundHook>>,
    pub(super) leave: Vec<Option<BoundHook>>,
    pub(super) start: Option<BoundHook>,
    pub(super) end_round: Option<BoundHook>,
    pub(super) outcome: Option<BoundHook>,
    pub(super) final_score: Option<BoundHook>,
    pub(super) value: Option<BoundHook>,
    pub(super) visible: Option<BoundHook>,
    pub(super) determinize: Option<BoundHook>,
    pub(super) standing_action: Option<BoundHook>,
    pub(super) migrate: Option<BoundHook>,
    pub(super) looks: LookHooks,
    /// The text protocol, if the rules speak one.
    pub(super) text: Option<TextHooks>,
    /// What is told of each sort of occurrence.
    pub(super) listeners: BTreeMap<OccurrenceKind, Vec<BoundHook>>,
}

/// The hooks that say how things look.
pub(crate) struct LookHooks {
    pub(crate) board: Option<BoundHook>,
    pub(crate) cell: Option<BoundHook>,
    pub(crate) edge: Option<BoundHook>,
    pub(crate) piece: Option<BoundHook>,
    /// One for each heat map.
    pub(crate) heat_maps: Vec<Option<BoundHook>>,
    pub(crate) panel: Option<BoundHook>,
    pub(crate) left_to_do: Option<BoundHook>,
}

impl RulesHooks {
    /// Those of a program with these declarations.
    pub(super) fn new(program: &Program, declarations: &Declarations) -> Self {
        let find = |hook: &'static Hook| hook.find(program, &[]);
        let phases = |hook: &'static Hook| declarations.phases.iter().map(|phase| hook.find(program, &[&phase.name])).collect();
        let general = General {
            notation: find(&hooks::NOTATION),
            sentence: find(&hooks::SENTENCE),
            prior: find(&hooks::PRIOR),
        };
        let actions = declarations.actions.iter();
        let contests = declarations.contests.iter();
        let heat_maps = declarations.heat_maps.iter();
        Self {
            actions: actions.map(|declared| ActionHooks::new(program, declared, &general)).collect(),
            contests: contests.map(|contest| ContestHooks::find(program, contest)).collect(),
            enter: phases(&hooks::ENTER_PHASE),
            leave: phases(&hooks::LEAVE_PHASE),
            start: find(&hooks::START),
            end_round: find(&hooks::END_ROUND),
            outcome: find(&hooks::OUTCOME),
            final_score: find(&hooks::FINAL_SCORE),
            value: find(&hooks::VALUE),
            visible: find(&hooks::VISIBLE),
            determinize: find(&hooks::DETERMINIZE),
            standing_action: find(&hooks::STANDING_ACTION),
            migrate: find(&hooks::MIGRATE),
            looks: LookHooks {
                board: find(&hooks::LOOK_BOARD),
                cell: find(&hooks::LOOK_CELL),
                edge: find(&hooks::LOOK_EDGE),
                piece: find(&hooks::LOOK_PIECE),
                heat_maps: heat_maps.map(|map| hooks::HEAT_MAP.find(program, &[&map.name])).collect(),
                panel: find(&hooks::PANEL),
                left_to_do: find(&hooks::LEFT_TO_DO),
            },
            text: find(&hooks::READ_LINE)
                .zip(find(&hooks::WRITE_LINES))
                .map(|(read, write)| TextHooks { read, write }),
            listeners: OccurrenceKind::ALL
                .into_iter()
                .map(|kind| (kind, hooks::listener(kind).find_listeners(program)))
                .filter(|(_, listening)| !listening.is_empty())
                .collect(),
        }
    }
}
