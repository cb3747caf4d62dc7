//! The table of an arena, for people and for spreadsheets.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::Failure;
use super::output::Out;
use super::table::{Columns, percent, probability, signed};
use boardwright_lab::{Plan, Ranking, Record, ScenarioLine};

pub(super) fn show(ranking: &Ranking, out: &mut Out) -> Result<(), Failure> {
    let mut columns = Columns::default();
    columns.row(["player", "won", "drawn", "lost", "points", "Elo", "95 %", "ms a choice", "tried"]);
    let mut players: Vec<_> = ranking.players.iter().collect();
    players.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    for line in &players {
        columns.row([
            line.player.clone(),
            line.won.to_string(),
            line.drawn.to_string(),
            line.lost.to_string(),
            percent(line.points),
            signed(line.rating.elo),
            format!("{} to {}", signed(line.rating.low), signed(line.rating.high)),
            format!("{:.2}", line.milliseconds),
            format!("{:.0}", line.nodes),
        ]);
    }
    for line in columns.lines() {
        out.line(line)?;
    }
    if ranking.scenarios.iter().any(|scenario| scenario.seats.len() > 2) {
        shares(ranking, out)?;
    }
    if !ranking.variants.is_empty() {
        variants(ranking, out)?;
    }
    let mut columns = Columns::default();
    for pair in &ranking.pairs {
        columns.row([
            format!("{} \u{2013} {}", pair.one, pair.other),
            format!("{} won", pair.won),
            format!("{} drawn", pair.drawn),
            format!("{} lost", pair.lost),
            probability(pair.p),
        ]);
    }
    out.line("")?;
    for line in columns.lines() {
        out.line(line)?;
    }
    out.line("")?;
    for scenario in &ranking.scenarios {
        out.line(scenario_text(scenario))?;
    }
    for line in players.iter().filter(|line| line.replaced > 0) {
        let why = line.mishap.as_deref().unwrap_or("?");
        out.line(format!(
            "{}: {} choices were made in its place; the first time: {why}",
            line.player, line.replaced
        ))?;
    }
    Ok(())
}

/// Strategies with several settings, each beside the first.
fn variants(ranking: &Ranking, out: &mut Out) -> Result<(), Failure> {
    let mut columns = Columns::default();
    columns.row(["settings", "matches", "won", "95 %", "better", "worse", "as the first"]);
    for line in &ranking.variants {
        columns.row([
            line.player.clone(),
            line.matches.to_string(),
            percent(line.share),
            format!("{} to {}", percent(line.low), percent(line.high)),
            line.better.to_string(),
            line.worse.to_string(),
            if line.player == line.base {
                String::new()
            } else {
                probability(line.p)
            },
        ]);
    }
    out.line("")?;
    for line in columns.lines() {
        out.line(line)?;
    }
    Ok(())
}

/// What part of the matches each player won, where there are more than two seats.
fn shares(ranking: &Ranking, out: &mut Out) -> Result<(), Failure> {
    let mut columns = Columns::default();
    for line in ranking.shares.iter().filter(|line| line.matches > 0) {
        columns.row([
            line.player.clone(),
            format!("won {} of {} matches", line.won, line.matches),
            percent(line.share),
            format!("{} to {}", percent(line.low), percent(line.high)),
            format!("fair {}", percent(line.fair)),
            probability(line.p),
        ]);
    }
    out.line("")?;
    for line in columns.lines() {
        out.line(line)?;
    }
    Ok(())
}

fn scenario_text(scenario: &ScenarioLine) -> String {
    let seat = |seat: &boardwright_lab::SeatLine| {
        format!("{} {} ({:+.1})", seat.seat, percent(seat.points), seat.advantage * 100.0).replace('-', "\u{2212}")
    };
    let seats: Vec<String> = scenario.seats.iter().map(seat).collect();
    let p = scenario.p.map_or_else(String::new, |p| format!("; {}", probability(p)));
    format!(
        "{}: {} matches, {} drawn, {:.1} actions on the average; half of the matches take less than {:.0} ms of the processor; by seat {}{p}",
        scenario.id,
        scenario.matches,
        scenario.drawn,
        scenario.actions,
        scenario.median_milliseconds,
        seats.join(", ")
    )
}

pub(super) fn write_csv<'a>(path: &Path, plan: &Plan, records: impl Iterator<Item = &'a Record>) -> Result<(), Failure> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(
        file,
        "number,group,scenario,seed,actions,reason,failure,seat,player,place,score,points,choices,milliseconds,nodes,replaced"
    )?;
    for record in records {
        let scenario = plan.scenarios.get(record.scenario);
        for (index, seat) in record.seats.iter().enumerate() {
            let name = scenario.and_then(|scenario| scenario.seats.get(index)).map_or("", String::as_str);
            let player = plan.players.get(seat.player).map(ToString::to_string).unwrap_or_default();
            let cells = [
                record.number.to_string(),
                record.group.to_string(),
                scenario.map(|scenario| scenario.id.clone()).unwrap_or_default(),
                record.seed.to_string(),
                record.actions.to_string(),
                record.reason.clone(),
                record.failure.clone().unwrap_or_default(),
                name.to_owned(),
                player,
                seat.place.to_string(),
                seat.score.map(|score| score.to_string()).unwrap_or_default(),
                record.points(index).to_string(),
                seat.choices.to_string(),
                format!("{:.3}", seat.microseconds as f64 / 1_000.0),
                seat.nodes.to_string(),
                seat.replaced.to_string(),
            ];
            let quoted: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
            writeln!(file, "{}", quoted.join(","))?;
        }
    }
    file.flush()?;
    Ok(())
}

/// A cell, in quotes where it has to be.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_be_torn_are_quoted() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
