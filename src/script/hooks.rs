//! The hooks of rules: the functions that the engine looks for by name. One list, for the reference and for lints.

/// A function of a ruleset that the engine calls if it is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hook {
    /// Its name; words in capitals stand for declared names.
    pub(crate) name: &'static str,
    /// Its parameters.
    pub(crate) takes: &'static str,
    /// What it has to give back.
    pub(crate) gives: &'static str,
    /// When it is called, and what for.
    pub(crate) help: &'static str,
}

pub(crate) const fn hook(name: &'static str, takes: &'static str, gives: &'static str, help: &'static str) -> Hook {
    Hook { name, takes, gives, help }
}

/// Every hook, in the order in which a match comes to them.
pub(crate) const HOOKS: &[Hook] = &[
    hook(
        "ruleset",
        "()",
        "a map of declarations",
        "Called once when the sources are loaded. The only hook that every ruleset needs.",
    ),
    hook(
        "pattern_ACTION",
        "(view)",
        "a list of motions or of layings",
        "Called once before a match. Motions are for an action with two picks, a piece and a path; layings for one with three, a piece, a \
         pose and a cell. The engine then lists all that can be picked by itself, and carries it out if there is no `do_ACTION`. The view \
         is one of no state in particular: it has the options, and describes sets of cells.",
    ),
    hook(
        "start",
        "(turn)",
        "nothing",
        "Called when a match begins: shuffles decks, deals hands, decides who goes first.",
    ),
    hook("enter_PHASE", "(turn)", "nothing", "Called when a phase has begun."),
    hook(
        "leave_PHASE",
        "(turn)",
        "nothing",
        "Called when a phase is about to end, at the end of a turn too.",
    ),
    hook(
        "may_ACTION",
        "(view)",
        "true or false",
        "Whether the action can be asked at all now. Only called where phase and open question fit. Without it: yes.",
    ),
    hook(
        "ACTION_PICK",
        "(view) or (view, picked)",
        "the domain of the pick",
        "What may be picked. `picked` holds the picks before this one by name. Needed for every pick of an action without a pattern. An \
         action with a pattern may have them as well; then both have to say the same, which tests compare.",
    ),
    hook(
        "why_ACTION",
        "(view, picked)",
        "`refuse(rule, reason)` or `()`",
        "Why what was picked is not offered, for players. `picked` holds as many picks as were made, and they may be anything.",
    ),
    hook(
        "do_ACTION",
        "(turn, picked)",
        "nothing",
        "Carries the action out; `picked` holds its picks by name. `throw refuse(rule, reason)` takes everything back.",
    ),
    hook(
        "outcome",
        "(view)",
        "`()`, `win(..)`, `draw(..)` or `ranking(..)`",
        "Called after every action, when the declared endings say nothing: whether the match is over.",
    ),
    hook(
        "tally",
        "(view)",
        "a list of numbers, one for each seat",
        "The points of the seats, in turn order, when a match ends by an ending with `then: \"ranking\"`.",
    ),
    hook(
        "visible",
        "(view)",
        "a set of cells",
        "The cells that `view.seat` sees, in rulesets that declare `fog: true`. Called for each seat, and for onlookers with `view.seat` \
         as `()`.",
    ),
    hook(
        "score",
        "(view)",
        "a number",
        "How good the state is for `view.seat`, for computer players. 0 is level. Without it: own pieces against those of others. Only \
         what makes up the position may go into it.",
    ),
    hook(
        "order",
        "(view, picked)",
        "a number or `()`",
        "How an action looks before it is tried, in points of `score`. Higher is tried sooner; points below 0 are taken off what a \
         computer player expects of the action. Without it: what layings say by `worth`.",
    ),
    hook(
        "order_ACTION",
        "(view, picked)",
        "a number or `()`",
        "The same for one action alone; `order` is then not asked about it.",
    ),
    hook(
        "suggest_ACTION",
        "(view)",
        "a list of maps with the picks by name",
        "The ways to carry the action out that computer players should think about, where there are too many to think about all. They \
         have to be legal. An empty list: all.",
    ),
    hook(
        "playout_ACTION",
        "(view)",
        "a list of pairs: what, and a number",
        "How computer players choose when they play a match on to see how it ends: each way to carry the action out has one lot in the \
         draw, and more for what it picks. The first of a pair is cells (lots for each that the action covers; of a path its last cell \
         counts), pieces, the name of a kind, or a word to choose. Without it layings go by their `worth`, and all else is equally \
         likely.",
    ),
    hook(
        "imagine",
        "(turn)",
        "nothing",
        "Puts into what `turn.seat` sees what it does not see and may well be there, for computer players: the cards of other hands, the \
         order of a deck. Draw with `turn.roll`, `turn.shuffle` and the like. What is created in a zone counts among the pieces there \
         that were not seen. Without it they think as if nothing were there.",
    ),
    hook(
        "notation_ACTION",
        "(view, picked)",
        "a text",
        "How players write an action, seen from the state in which it is asked.",
    ),
    hook(
        "notation",
        "(view, picked)",
        "a text",
        "How players write the actions that have no `notation_ACTION`. Without it: the action and its picks.",
    ),
    hook(
        "contest_ACTION",
        "(view, picked)",
        "`()` or a map with the name of a contest and what its sides stand at",
        "The contest that an action begins, so that players can be told its odds before they decide: `#{ battle: #{ attackers: 3, defenders: \
         2 } }`. `picked` holds as many picks as were made; `()` as long as they do not tell.",
    ),
    hook(
        "round_CONTEST",
        "(view, sides)",
        "`()` or a map",
        "What the luck of the next round of a contest depends on, given what its sides stand at: how many dice each side rolls, what is \
         added to them. `()` when the contest is over. The odds of rounds that are alike are worked out once.",
    ),
    hook(
        "clash_CONTEST",
        "(turn, round)",
        "a map of numbers",
        "Rolls for one round and says by how much each side goes up. Rules call it themselves when the contest is fought.",
    ),
    hook(
        "result_CONTEST",
        "(view, sides)",
        "one of the declared results",
        "What the sides stand for when the contest is over or broken off.",
    ),
    hook(
        "look_board",
        "(view)",
        "`()` or a map: `fill`, `texture`",
        "How the ground looks that the board lies on, such as the sea around areas. `fill` is a colour, `texture` a file in `art/` that is laid \
         over all of it, again and again.",
    ),
    hook(
        "look_cell",
        "(view, cell)",
        "`()` or a map: `fill`, `texture`, `icon`, `facing`, `overlays`, `glyph`, `label`, `badge`, `outline`",
        "How a cell looks, where it is not as its terrain says. `fill` and `outline` are colours; `texture` (laid over the whole ground) and \
         `icon` are files in `art/`, `overlays` a list of them above the icon; `facing` turns the icon, in degrees clockwise from up; \
         `glyph` is one or two large characters, `label` a short text below the middle, `badge` one at the corner.",
    ),
    hook(
        "look_piece",
        "(view, piece)",
        "`()` or a map: `fill`, `icon`, `glyph`, `badge`, `facing`, `outline`, `overlays`, `vectors`",
        "How a piece looks, where it is not as its kind says. `fill` and `outline` are colours, `icon` is a file in `art/`, `overlays` a list of \
         them above it; `facing` is a direction in degrees, clockwise from up; `vectors` are arrows: a list of the cells they end at, \
         or of maps `#{ to: cell, fill: colour, label: text }`.",
    ),
    hook(
        "panel",
        "(view)",
        "a list of pairs: label and value",
        "Lines shown beside the board.",
    ),
    hook(
        "migrate",
        "(turn)",
        "nothing",
        "Called when these rules take over a match that began under others, so that it can suit the state to them.",
    ),
];

/// With how many parameters the engine calls a function of this name, the form that goes before others first.
pub(super) fn parameters_of(name: &str, families: &[(&str, &str)]) -> &'static [usize] {
    let is_it = |hook: &&Hook| {
        let in_family = |(word, own): &(&str, &str)| hook.name.strip_suffix(own).is_some_and(|start| name == format!("{start}{word}"));
        hook.name == name || families.iter().any(in_family)
    };
    match HOOKS.iter().find(is_it).map(|hook| hook.takes) {
        Some("()") => &[0],
        Some(takes) if takes.contains(" or ") => &[2, 1],
        Some(takes) if takes.contains(',') => &[2],
        Some(_) => &[1],
        None => &[2, 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that a source asks programs for, with the words in braces as they stand.
    fn asked(source: &str) -> Vec<String> {
        let code = source.split("#[cfg(test)]").next().unwrap();
        let quoted = |from: &str| {
            code.split(from)
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let mut names = quoted("program.has(\"");
        names.extend(quoted("named(format!(\""));
        names.extend(quoted("needed(format!(\""));
        names.extend(quoted("let name = format!(\""));
        names
    }

    #[test]
    fn the_list_holds_every_hook_that_the_engine_asks_for_and_no_other() {
        let sources = [
            include_str!("rules/found.rs"),
            include_str!("contests.rs"),
            include_str!("patterns.rs"),
            include_str!("source.rs"),
            include_str!("api/looks.rs"),
        ];
        let mut found: Vec<String> = sources
            .into_iter()
            .flat_map(asked)
            .map(|name| match name.as_str() {
                "do_{}" | "may_{}" | "pattern_{}" | "why_{}" | "suggest_{}" | "order_{}" | "playout_{}" | "notation_{}" | "contest_{}" => {
                    name.replace("{}", "ACTION")
                }
                "round_{}" | "clash_{}" | "result_{}" => name.replace("{}", "CONTEST"),
                "{}_{}" => "ACTION_PICK".to_owned(),
                _ => name,
            })
            .chain(["enter_PHASE".to_owned(), "leave_PHASE".to_owned()])
            .filter(|name| !name.starts_with("{word}"))
            .collect();
        found.sort();
        found.dedup();
        let mut listed: Vec<&str> = HOOKS.iter().map(|hook| hook.name).collect();
        listed.sort_unstable();
        assert_eq!(found, listed);
    }
}
