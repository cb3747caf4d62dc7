//! Counts and playthroughs of every bundled ruleset, as they were approved. `BLESS=1` writes them again.

use crate::golden;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{Bundled, bundled, catalog, root};
use boardwright::model::{Effect, Place, SeatId, State, Target, Topology};
use boardwright::rules::{Generator, Luck, Rules, Transaction, flow, perft};

/// Steps that are shown with their boards. Those after them are a line each.
const SHOWN: usize = 30;
/// A playthrough has no more steps.
const MOST_STEPS: usize = 600;
/// When counts are blessed again, no depth is added after this time.
const COUNTING: Duration = Duration::from_secs(15);
const DEEPEST: u32 = 6;

/// How deep the counts of a scenario go in the approved file.
fn approved_depth(file: &str, scenario: &str) -> Option<u32> {
    let text = fs::read_to_string(root().join(file)).ok()?;
    let part = text.split(&format!("scenario {scenario}\n")).nth(1)?.split("\n\n").next()?;
    Some(part.lines().filter(|line| line.starts_with("perft ")).count() as u32)
}

fn counts(ruleset: &str, scenarios: &[String]) -> String {
    let file = format!("tests/golden/{ruleset}.perft");
    let parts = scenarios.iter().map(|scenario| {
        let mut part = format!("id {ruleset}\nscenario {scenario}\n");
        let (rules, start) = Bundled::read(ruleset, scenario).begin(1);
        let (begun, deepest) = (Instant::now(), approved_depth(&file, scenario));
        for depth in 1..=deepest.unwrap_or(DEEPEST) {
            match perft::perft(&*rules, Arc::clone(&start), depth) {
                Ok(count) => writeln!(part, "perft {depth} {count}").unwrap(),
                Err(rejection) if rejection.fault().is_some_and(|fault| fault.message.contains("drawn")) => {
                    writeln!(part, "# luck decides at depth {depth}").unwrap();
                    break;
                }
                Err(rejection) => panic!("{ruleset}/{scenario}: {rejection}"),
            }
            // Each depth takes some ten times as long as the one before it.
            if deepest.is_none() && begun.elapsed() * 10 > COUNTING {
                break;
            }
        }
        part
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// The board: a canvas where cells lie on a grid, else the cells that hold pieces.
fn board_text(state: &State) -> String {
    let declarations = state.declarations();
    let sign = |cell| {
        let Some(piece) = state.piece_at(cell) else { return '.' };
        let seat = piece.owner.and_then(|owner| declarations.seats.get(owner.index()));
        let kind = declarations
            .kind(piece.kind)
            .and_then(|kind| kind.glyph.chars().next())
            .unwrap_or('?');
        if declarations.kind(piece.kind).is_some_and(|kind| kind.figure.is_some()) {
            // Which piece covers the cell tells less than whose it is.
            return seat.map_or('#', |seat| seat.name.chars().next().unwrap_or('?').to_ascii_uppercase());
        }
        match (seat, declarations.kinds.len()) {
            (Some(seat), 1) => seat.name.chars().next().unwrap_or('?').to_ascii_uppercase(),
            _ if piece.owner == Some(SeatId(0)) => kind.to_ascii_uppercase(),
            _ => kind.to_ascii_lowercase(),
        }
    };
    let board = state.board();
    let places: Vec<(i32, i32)> = board.cells().map(|cell| board.position(cell)).collect();
    let is_single = board.cells().all(|cell| state.pieces_at(cell).len() < 2);
    if is_single
        && !matches!(board.topology(), Topology::Hex { .. })
        && places
            .iter()
            .all(|(x, y)| x % 1000 == places[0].0 % 1000 && y % 1000 == places[0].1 % 1000)
    {
        let (left, top) = (
            places.iter().map(|place| place.0).min().unwrap(),
            places.iter().map(|place| place.1).min().unwrap(),
        );
        let mut rows: BTreeMap<i32, BTreeMap<i32, char>> = BTreeMap::new();
        for cell in board.cells() {
            let (x, y) = board.position(cell);
            rows.entry((y - top) / 1000).or_default().insert((x - left) / 1000, sign(cell));
        }
        let line = |row: &BTreeMap<i32, char>| -> String {
            let last = row.keys().last().copied().unwrap_or(0);
            let signs = (0..=last).flat_map(|x| [' ', row.get(&x).copied().unwrap_or(' ')]);
            "  ".chars().chain(signs).chain(['\n']).collect()
        };
        return rows.values().map(line).collect();
    }
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for cell in board.cells() {
        for piece in state.pieces_at(cell).iter().filter_map(|id| state.piece(*id)) {
            let owner = piece
                .owner
                .and_then(|owner| declarations.seats.get(owner.index()))
                .map_or("nobody", |seat| &*seat.name);
            let kind = declarations.kind(piece.kind).map_or("?", |kind| &*kind.name);
            groups
                .entry(format!("{owner} {kind}"))
                .or_default()
                .push(board.cell_name(cell).to_owned());
        }
    }
    let lines = groups
        .iter()
        .map(|(group, cells)| ["   ", group, ": ", &cells.join(" "), "\n"].concat());
    lines.collect()
}

fn place_text(state: &State, place: Place) -> String {
    match place {
        Place::Off => "off".to_owned(),
        Place::Cell(cell) => state.board().cell_name(cell).to_owned(),
        Place::Zone(zone) => state
            .declarations()
            .zones
            .get(zone.index())
            .map_or("?", |zone| &*zone.name)
            .to_owned(),
        Place::Posed(cell, pose) => format!("{} turned {pose}", state.board().cell_name(cell)),
        Place::Side(..) | Place::Aboard(_) => format!("{place:?}"),
    }
}

/// An effect in short.
fn effect_text(state: &State, effect: &Effect) -> String {
    let declarations = state.declarations();
    let seat = |seat: Option<SeatId>| {
        seat.and_then(|seat| declarations.seats.get(seat.index()))
            .map_or("nobody", |seat| &*seat.name)
            .to_owned()
    };
    match effect {
        Effect::Set {
            target,
            property,
            old,
            new,
        } => {
            let name = declarations.property(*property).map_or("?", |property| &*property.name);
            let of = match target {
                Target::Match => String::new(),
                Target::Seat(of) => format!("{}.", seat(Some(*of))),
                Target::Piece(piece) => format!("#{}.", piece.0),
                Target::Cell(cell) => format!("{}.", state.board().cell_name(*cell)),
                Target::Edge(edge) => format!("edge {}.", edge.0),
            };
            format!("{of}{name} {old} > {new}")
        }
        Effect::Move { piece, from, to, .. } => format!("#{} {} > {}", piece.0, place_text(state, *from), place_text(state, *to)),
        Effect::Spawn(piece) => {
            let kind = declarations.kind(piece.kind).map_or("?", |kind| &*kind.name);
            format!(
                "#{} {} {kind} new on {}",
                piece.id.0,
                seat(piece.owner),
                place_text(state, piece.place)
            )
        }
        Effect::Owner { piece, old, new } => format!("#{} {} > {}", piece.0, seat(*old), seat(*new)),
        Effect::Turn { new, .. } => format!("turn {} of {}", new.turn, seat(new.seat)),
        Effect::Phase { new, .. } => format!("phase {}", declarations.phases.get(new.index()).map_or("?", |phase| &*phase.name)),
        Effect::Eliminate(out) => format!("{} is out", seat(Some(*out))),
        Effect::End(outcome) => format!("end by rule {}: {}, places {:?}", outcome.rule, outcome.reason, outcome.places),
        Effect::Note { text, .. } => format!("note {text:?}"),
        Effect::Reorder { zone, new, .. } => format!(
            "{} in order {:?}",
            place_text(state, Place::Zone(*zone)),
            new.iter().map(|id| id.0).collect::<Vec<_>>()
        ),
        Effect::OpenDecision(decision) => format!(
            "asks {:?}",
            declarations.action(decision.action).map_or("?", |action| &*action.name)
        ),
        Effect::CloseDecision(_) => "the question is settled".to_owned(),
        other => format!("{other:?}"),
    }
}

/// A match between two random players, step by step.
fn playthrough(ruleset: &str, scenario: &str) -> String {
    let bundled = Bundled::read(ruleset, scenario);
    let (rules, start): (Box<dyn Rules>, Arc<State>) = bundled.begin(1);
    let mut text = format!("{ruleset}/{scenario}: random actions, seed 1\n");
    for (option, value) in start.declarations().options.iter().zip(start.options().iter()) {
        writeln!(text, "option {} = {value}", option.name).unwrap();
    }
    let mut generator = Generator::new(1);
    let luck = Luck::Roll(Generator::new(generator.next_seed()));
    let mut transaction = Transaction::new(start, luck);
    for step in 1..=MOST_STEPS {
        let state = Arc::clone(transaction.state());
        let Some(seat) = state.acting().first() else { break };
        let legal = flow::legal(&*rules, &state, seat).unwrap_or_else(|rejection| panic!("{rejection}"));
        let chosen = &legal[generator.below(legal.len() as u32) as usize];
        let notation = rules.notation(&state, chosen);
        flow::perform_legal(&*rules, &mut transaction, chosen).unwrap_or_else(|rejection| panic!("{notation}: {rejection}"));
        let (effects, draws) = transaction.take_record();
        let digest = transaction.state().digest();
        if step > SHOWN {
            writeln!(text, "{step} {notation} {digest:016x}").unwrap();
            continue;
        }
        let mark = state.sequence().mark;
        let name = state.declarations().seats.get(seat.index()).map_or("?", |seat| &*seat.name);
        writeln!(text, "\n{step}. round {}, turn {}, {name} to act", mark.round, mark.turn).unwrap();
        text.push_str(&board_text(&state));
        writeln!(text, "   legal {}", legal.len()).unwrap();
        writeln!(text, "   action {notation}").unwrap();
        for draw in draws {
            writeln!(text, "   drawn {:?} for {}", draw.result, draw.purpose).unwrap();
        }
        for effect in effects {
            writeln!(text, "   - {}", effect_text(&state, &effect)).unwrap();
        }
        writeln!(text, "   digest {digest:016x}").unwrap();
        if step == SHOWN {
            text.push('\n');
        }
    }
    let state = transaction.state();
    text.push('\n');
    text.push_str(&board_text(state));
    match state.outcome() {
        Some(outcome) => writeln!(
            text,
            "over by rule {}: {}, places {:?}",
            outcome.rule, outcome.reason, outcome.places
        )
        .unwrap(),
        None => text.push_str("not over\n"),
    }
    text
}

#[test]
fn every_ruleset_has_its_approved_counts() {
    for (ruleset, scenarios) in bundled() {
        assert!(!scenarios.is_empty(), "{ruleset} has no scenario");
        golden::compare(&format!("tests/golden/{ruleset}.perft"), &counts(&ruleset, &scenarios));
    }
}

/// Scenarios that show what the usual one of their ruleset comes to late.
const FURTHER: [(&str, &str); 1] = [("conquest", "war")];

#[test]
fn every_ruleset_has_its_approved_playthrough() {
    for (ruleset, scenarios) in bundled() {
        // Of a mod it is a scenario of its own, if it has one.
        let own: Vec<String> = catalog().rulesets[&ruleset].scenarios.keys().cloned().collect();
        let scenarios = if own.is_empty() { scenarios } else { own };
        let usual = scenarios
            .iter()
            .find(|scenario| *scenario == "standard")
            .or_else(|| scenarios.first());
        let scenario = usual.unwrap_or_else(|| panic!("{ruleset} has no scenario"));
        golden::compare(&format!("tests/golden/{ruleset}.playthrough.txt"), &playthrough(&ruleset, scenario));
    }
    for (ruleset, scenario) in FURTHER {
        let text = playthrough(ruleset, scenario);
        golden::compare(&format!("tests/golden/{ruleset}-{scenario}.playthrough.txt"), &text);
    }
}
