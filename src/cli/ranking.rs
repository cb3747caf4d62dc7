//! What an arena found, for people, for browsers and for spreadsheets.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::Failure;
use super::template::render;
use boardwright_lab::{Plan, Ranking, Record};

/// The tables of an arena in characters.
pub(super) fn text(ranking: &Ranking) -> Result<String, Failure> {
    let mut players: Vec<_> = ranking.players.iter().collect();
    players.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    let has_many_seats = ranking.scenarios.iter().any(|scenario| scenario.seats.len() > 2);
    let values = context! { players => Serde(players), has_many_seats, ..Value::from(Serde(ranking)) };
    render("arena.txt", include_str!("templates/arena.txt"), values)
}

/// A page of its own: tables, and a chart of the parts of matches won.
pub(super) fn page(plan: &Plan, ranking: &Ranking) -> Result<String, Failure> {
    let values = context! { plan => Serde(plan), ..Value::from(Serde(ranking)) };
    render("arena.html", include_str!("templates/arena.html"), values)
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
