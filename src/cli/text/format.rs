//! The text of events, results, refusals and reports.

use std::fmt::Write as _;
use std::time::Instant;

use super::canvas::painted;
use boardwright_client::{Clocks, clock_text};
use boardwright_model::diagnostic::Diagnostic;
use boardwright_model::{Declarations, Outcome, Refusal, SeatId, State};
use boardwright_protocol::{ChatLine, EntryCause, Evaluation, HistoryEntry, Offer, OfferKind, ThinkingReport, ThoughtLine, ThoughtsReport};

/// The title of a seat in its colour.
pub(super) fn seat(declarations: &Declarations, seat: SeatId) -> String {
    let colour = declarations.seats.get(seat.index()).map(|seat| seat.colour);
    painted(&declarations.seat_title(seat), colour)
}

/// What stands in front of a line that is typed at a seat, or by somebody at none.
pub(super) fn prompt(declarations: &Declarations, seat: Option<SeatId>) -> String {
    let seat = seat.and_then(|seat| declarations.seats.get(seat.index()));
    format!("{}> ", seat.map_or("", |seat| &seat.name))
}

/// The names of all seats, as they are written in commands.
pub(super) fn seat_names(declarations: &Declarations) -> String {
    let names: Vec<&str> = declarations.seats.iter().map(|seat| &*seat.name).collect();
    names.join(", ")
}

/// Who does something: `Red`, `Red and Blue`.
pub(super) fn seats(declarations: &Declarations, seats: impl Iterator<Item = SeatId>) -> String {
    let names: Vec<String> = seats.map(|one| seat(declarations, one)).collect();
    match names.as_slice() {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

pub(in crate::cli) fn event(declarations: &Declarations, entry: &HistoryEntry) -> String {
    let notation = &*entry.notation;
    let mut text = match (entry.cause, entry.seat) {
        (EntryCause::Edit, _) if notation.is_empty() => "an edit".to_owned(),
        (EntryCause::Edit, _) => format!("edit: {notation}"),
        (_, Some(one)) => format!("{} {notation}", seat(declarations, one)),
        (_, None) if notation.is_empty() => "the match begins".to_owned(),
        (_, None) => notation.to_owned(),
    };
    if !entry.remarks.is_empty() {
        let _ = write!(
            text,
            "  ({})",
            entry.remarks.iter().map(|remark| &*remark.text).collect::<Vec<_>>().join("; ")
        );
    }
    text
}

/// Whether nothing of an action is known but who acted.
pub(super) fn is_unseen(entry: &HistoryEntry) -> bool {
    entry.cause == EntryCause::Action && entry.notation.ends_with("(unseen)")
}

/// An event, and in lines of their own what was drawn in the turn that began after it.
pub(super) fn event_and_turn(declarations: &Declarations, entry: &HistoryEntry) -> Vec<String> {
    let drawn = entry.next_turn.iter();
    let drawn = drawn.map(|drawn| format!("{}: {}", seat(declarations, drawn.seat), drawn.text));
    std::iter::once(event(declarations, entry)).chain(drawn).collect()
}

/// Where the match stands: round, phase and who is to act, with the question that is open.
pub(super) fn status(state: &State) -> String {
    let declarations = state.declarations();
    let sequence = state.sequence();
    let mut text = format!("Round {}", sequence.mark.round);
    if declarations.phases.len() > 1
        && let Some(phase) = declarations.phases.get(sequence.phase.index())
    {
        let _ = write!(text, ", {}", phase.title);
    }
    let acting = state.acting();
    if let Some(turn) = declarations.turn(sequence.mark.place)
        && sequence.mark.seat.is_some_and(|seat| declarations.seat_title(seat) != turn.title)
    {
        let _ = write!(text, ", turn of {}", turn.title);
    }
    let _ = write!(text, ", {} to move", seats(declarations, acting.iter()));
    if let Some(action) = sequence.decision().and_then(|decision| declarations.action(decision.action)) {
        let _ = write!(text, ": {}", action.title);
    }
    text
}

/// What is offered, and how it is answered.
pub(super) fn offer(declarations: &Declarations, offer: &Offer) -> String {
    let name = seat(declarations, offer.seat);
    let what = match offer.offer {
        OfferKind::Draw => "offer of a draw",
        OfferKind::Undo => "request to undo the last action",
        OfferKind::Wait => "vote to go on waiting for those who are gone",
    };
    format!("{name}: {what}. `accept` or `decline` it.")
}

/// What seats have left on their clocks.
pub(super) fn clocks(declarations: &Declarations, clocks: &Clocks, now: Instant) -> String {
    let seats = declarations.all_seats().iter();
    let left = seats.filter_map(|one| Some(format!("{} {}", seat(declarations, one), clock_text(clocks.left(one, now)?))));
    format!("Time left: {}", left.collect::<Vec<_>>().join(", "))
}

/// Something that was said, and to whom.
pub(super) fn chat_line(declarations: &Declarations, line: &ChatLine) -> String {
    let from = line.from.map_or_else(|| "A spectator".to_owned(), |one| seat(declarations, one));
    let to = line
        .to
        .map_or_else(String::new, |one| format!(" to {} alone", seat(declarations, one)));
    format!("{from}{to}: {}", line.text)
}

pub(in crate::cli) fn outcome(declarations: &Declarations, outcome: &Outcome) -> String {
    let mut text = if outcome.is_draw() {
        "The match is drawn".to_owned()
    } else {
        format!("{} won", seats(declarations, outcome.winners()))
    };
    if !outcome.reason.is_empty() {
        let _ = write!(text, ": {}", outcome.reason);
    }
    if !outcome.rule.is_empty() {
        let _ = write!(text, " (rule {})", outcome.rule);
    }
    if outcome.places.len() > 2 || !outcome.scores.is_empty() {
        let mut order: Vec<usize> = (0..outcome.places.len()).collect();
        order.sort_by_key(|index| outcome.places.get(*index).copied());
        for index in order {
            let place = outcome.places.get(index).copied().unwrap_or(0);
            let _ = write!(text, "\n  {place}. {}", seat(declarations, SeatId::from_index(index)));
            if let Some(score) = outcome.scores.get(index) {
                let _ = write!(text, ", {score}");
            }
        }
    }
    text
}

/// A text with its longer lines broken at blanks. What begins a line further in, as items of lists do, goes on there; tables stay.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.chars().count() <= width || line.trim_start().starts_with('|') {
            lines.push(line.to_owned());
            continue;
        }
        let begin = line.len() - line.trim_start().len();
        let item = line.trim_start().split_once(' ').map_or("", |(first, _)| first);
        let is_item = matches!(item, "-" | "*") || item.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok());
        let inner = begin + if is_item { item.len() + 1 } else { 0 };
        let mut current = " ".repeat(begin);
        let mut length = begin;
        for (index, word) in line.split_whitespace().enumerate() {
            let long = word.chars().count();
            if index > 0 && length + 1 + long > width {
                lines.push(std::mem::replace(&mut current, " ".repeat(inner)));
                length = inner;
            } else if index > 0 {
                current.push(' ');
                length += 1;
            }
            current.push_str(word);
            length += long;
        }
        lines.push(current);
    }
    lines.join("\n")
}

/// A refusal, with where to read on.
pub(super) fn refusal(refusal: &Refusal, has_help: bool) -> String {
    let mut text = format!("Not possible: {refusal}.");
    if !refusal.rule.is_empty() && has_help {
        let _ = write!(text, " `help {}` shows the rule.", refusal.rule);
    }
    text
}

/// A fault of the rules: where and in which line. Nothing has happened then.
pub(super) fn fault(fault: &Diagnostic) -> String {
    with_line("The rules have a mistake, and nothing has happened:", fault)
}

/// A fault of the rules without which the match goes on.
pub(super) fn fault_aside(fault: &Diagnostic) -> String {
    with_line("The rules have a mistake; the match goes on without what depends on it:", fault)
}

fn with_line(head: &str, fault: &Diagnostic) -> String {
    let mut text = format!("{head}\n  {fault}");
    add_source_line(&mut text, fault.line(), fault.source_line());
    text
}

/// Adds a line of a script to what is said of it.
pub(super) fn add_source_line(text: &mut String, number: u32, line: Option<&str>) {
    if let Some(line) = line {
        let _ = write!(text, "\n  {number:>4} | {}", line.trim_end());
    }
}

pub(super) fn problem(problem: &Diagnostic) -> String {
    let mut text = problem.to_string();
    add_source_line(&mut text, problem.line(), problem.source_line().filter(|_| problem.line() > 0));
    if let Some(help) = &problem.help {
        let _ = write!(text, "\n  {help}");
    }
    text
}

/// The most thoughts that are told with a hint.
const MOST_THOUGHTS: usize = 6;

pub(super) fn hint(report: &ThinkingReport) -> String {
    let Some(first) = report.line.first() else {
        return format!("{} has no idea", report.player);
    };
    let mut text = format!("{} would play {}", report.player, first.notation);
    if let Some(evaluation) = report.evaluation.filter(|_| report.depth > 0) {
        let depth = report.depth;
        let _ = match evaluation {
            Evaluation::Chance(thousandths) => {
                let percent = f64::from(thousandths) / 10.0;
                write!(text, " (wins with {percent:.0} %, {depth} ahead)")
            }
            Evaluation::Points(points) => write!(text, " ({points:+} points, {depth} ahead)"),
            Evaluation::WinsIn(0 | 1) => write!(text, " (wins at once)"),
            Evaluation::WinsIn(actions) => write!(text, " (wins within {actions} actions)"),
            Evaluation::LosesIn(0 | 1) => write!(text, " (loses at once)"),
            Evaluation::LosesIn(actions) => write!(text, " (loses within {actions} actions)"),
        };
    }
    if report.line.len() > 1 {
        let rest: Vec<&str> = report.line.iter().skip(1).map(|action| action.notation.as_str()).collect();
        let _ = write!(text, ", then {}", rest.join(", "));
    }
    for one in report.thoughts.iter().take(MOST_THOUGHTS) {
        let _ = write!(text, "\n  {}", thought(one));
    }
    text
}

/// What a computer player thought on the way to a decision.
pub(super) fn thoughts(report: &ThoughtsReport) -> String {
    let mut text = format!("{} thinks, and plays {}:", report.player, report.chosen);
    for one in &report.thoughts {
        let _ = write!(text, "\n  {}", thought(one));
    }
    text
}

pub(super) fn thought(thought: &ThoughtLine) -> String {
    let number = thought.number.map_or_else(String::new, |number| format!(" {number:+}"));
    format!("{}{number}", thought.text)
}

/// A strategy's value of the match for each seat.
pub(super) fn evaluation(declarations: &Declarations, values: &[Option<i64>]) -> String {
    let value = |value: &Option<i64>| value.map_or_else(|| "\u{2013}".to_owned(), |value| value.to_string());
    let seats = declarations.seats.iter().zip(values);
    let lines: Vec<String> = seats.map(|(seat, of_seat)| format!("{}: {}", seat.title, value(of_seat))).collect();
    lines.join("\n")
}

/// Texts side by side in columns, in lines of at most `width` characters.
pub(super) fn columns(texts: &[String], width: usize) -> String {
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 2;
    let count = (width / widest).max(1);
    let mut lines = String::new();
    for row in texts.chunks(count) {
        let line: String = row.iter().map(|text| format!("{text:widest$}")).collect();
        lines.push_str("  ");
        lines.push_str(line.trim_end());
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_fixtures::Race;
    use boardwright_model::{Action, ActionId, Picks};
    use boardwright_protocol::LegalAction;
    use boardwright_rules::Rules as _;

    #[test]
    fn outcomes_name_the_winners_the_reason_and_the_rule() {
        let rules = Race::default();
        let say = |result: &Outcome| outcome(rules.declarations(), result);
        let say = |result: &Outcome| anstream::adapter::strip_str(&say(result)).to_string();
        assert_eq!(
            say(&Outcome::win(2, SeatId(1), "4.1", "no pieces left")),
            "blue won: no pieces left (rule 4.1)"
        );
        assert_eq!(say(&Outcome::draw(2, "", "agreed")), "The match is drawn: agreed");
        let scores = Outcome::by_score(vec![3, 5], "6", "all played");
        assert_eq!(say(&scores), "blue won: all played (rule 6)\n  1. blue, 5\n  2. red, 3");
    }

    #[test]
    fn a_hint_tells_how_good_the_position_is() {
        let report = |evaluation| ThinkingReport {
            seat: SeatId(0),
            player: "search:9".to_owned(),
            depth: 3,
            evaluation,
            nodes: 10,
            milliseconds: 1,
            line: vec![LegalAction {
                action: Action {
                    seat: SeatId(0),
                    action: ActionId(0),
                    picks: Picks::new(),
                },
                text: String::new(),
                notation: "c4".to_owned(),
            }],
            thoughts: Vec::new(),
        };
        let hint = |evaluation| hint(&report(evaluation));
        assert_eq!(hint(None), "search:9 would play c4");
        assert_eq!(
            hint(Some(Evaluation::Chance(634))),
            "search:9 would play c4 (wins with 63 %, 3 ahead)"
        );
        assert_eq!(hint(Some(Evaluation::Points(-12))), "search:9 would play c4 (-12 points, 3 ahead)");
        assert_eq!(hint(Some(Evaluation::WinsIn(3))), "search:9 would play c4 (wins within 3 actions)");
        assert_eq!(hint(Some(Evaluation::WinsIn(1))), "search:9 would play c4 (wins at once)");
        assert_eq!(
            hint(Some(Evaluation::LosesIn(2))),
            "search:9 would play c4 (loses within 2 actions)"
        );
    }

    #[test]
    fn columns_stay_within_their_width() {
        let texts: Vec<String> = (0..10).map(|number| format!("word{number}")).collect();
        let text = columns(&texts, 40);
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.len() <= 42));
    }

    #[test]
    fn long_lines_are_broken_at_blanks_and_items_go_on_further_in() {
        assert_eq!(wrapped("one two three four", 9), "one two\nthree\nfour");
        assert_eq!(wrapped("- one two three", 9), "- one two\n  three");
        assert_eq!(wrapped("12. one two three", 12), "12. one two\n    three");
        assert_eq!(wrapped("| a table that is wide |", 9), "| a table that is wide |");
        assert_eq!(wrapped("short\n\n  unbreakablyLong", 9), "short\n\n  unbreakablyLong");
    }
}
