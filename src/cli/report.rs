//! What an arena found as a page of its own: tables, and a chart of the parts of matches won.

use std::fmt::Write as _;

use super::table::{percent, probability, signed};
use boardwright_lab::{Plan, Ranking};

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #24211c; background: #fbf9f5 }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse } th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid #ddd6c8 }
th:first-child, td:first-child { text-align: left } th { font-weight: 600 }
svg { display: block; width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: #24211c }
@media (prefers-color-scheme: dark) {
  body { color: #e8e2d6; background: #1f1d1a } th, td { border-color: #47423a } svg text { fill: #e8e2d6 }
}";

/// A part of matches won, as it is drawn.
struct Bar {
    label: String,
    share: f64,
    low: f64,
    high: f64,
    fair: Option<f64>,
}

pub(super) fn page(plan: &Plan, ranking: &Ranking) -> String {
    let ids: Vec<&str> = plan.scenarios.iter().map(|scenario| scenario.id.as_str()).collect();
    let title = format!("Arena: {}", ids.join(", "));
    let mut body = format!("<h1>{}</h1>\n", escaped(&title));
    put(
        &mut body,
        &format!(
            "<p>{} matches, seed {}{}.</p>\n",
            ranking.matches,
            plan.seed,
            if ranking.failed > 0 {
                format!("; {} without a result", ranking.failed)
            } else {
                String::new()
            }
        ),
    );
    put(&mut body, "<h2>Part of the matches won</h2>\n");
    put(&mut body, &chart(&bars(ranking)));
    put(
        &mut body,
        "<p>Lines show where the true part lies in 19 of 20 arenas; a tick shows what would be fair.</p>\n",
    );
    shares(&mut body, ranking);
    variants(&mut body, ranking);
    ratings(&mut body, ranking);
    scenarios(&mut body, ranking);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>{STYLE}\n</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(&title)
    )
}

fn put(out: &mut String, text: &str) {
    out.push_str(text);
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Settings beside one another where there are some, else the players.
fn bars(ranking: &Ranking) -> Vec<Bar> {
    if ranking.variants.is_empty() {
        let played = ranking.shares.iter().filter(|line| line.matches > 0);
        return played
            .map(|line| Bar {
                label: line.player.clone(),
                share: line.share,
                low: line.low,
                high: line.high,
                fair: Some(line.fair),
            })
            .collect();
    }
    let fair = |player: &str| ranking.shares.iter().find(|line| line.player == player).map(|line| line.fair);
    let variants = ranking.variants.iter();
    variants
        .map(|line| Bar {
            label: line.player.clone(),
            share: line.share,
            low: line.low,
            high: line.high,
            fair: fair(&line.player),
        })
        .collect()
}

/// A row for each, with a bar, its interval and what is fair.
fn chart(bars: &[Bar]) -> String {
    const ROW: usize = 28;
    const LEFT: f64 = 300.0;
    const WIDTH: f64 = 560.0;
    let height = bars.len() * ROW + 30;
    let x = |part: f64| LEFT + part * WIDTH;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {} {height}\" role=\"img\" aria-label=\"part of the matches won\">\n",
        LEFT + WIDTH + 40.0
    );
    for step in 0..=4 {
        let part = f64::from(step) / 4.0;
        let (at, bottom) = (x(part), height - 24);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"0\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#a79f90\" stroke-opacity=\".4\"/>"
        );
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{:.0} %</text>",
            height - 8,
            part * 100.0
        );
    }
    for (index, bar) in bars.iter().enumerate() {
        let middle = (index * ROW + ROW / 2) as f64;
        let label = escaped(&bar.label);
        let _ = writeln!(
            svg,
            "<g><title>{label}: {} ({} to {})</title>",
            percent(bar.share),
            percent(bar.low),
            percent(bar.high)
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            middle + 4.0
        );
        let (top, wide) = (middle - 8.0, bar.share * WIDTH);
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"16\" rx=\"2\" fill=\"#3f76a8\"/>"
        );
        let (low, high) = (x(bar.low), x(bar.high));
        let _ = writeln!(
            svg,
            "<line x1=\"{low:.1}\" y1=\"{middle:.1}\" x2=\"{high:.1}\" y2=\"{middle:.1}\" stroke=\"#c2662d\" stroke-width=\"2\"/>"
        );
        if let Some(fair) = bar.fair.map(x) {
            let (top, bottom) = (middle - 11.0, middle + 11.0);
            let _ = writeln!(
                svg,
                "<line x1=\"{fair:.1}\" y1=\"{top:.1}\" x2=\"{fair:.1}\" y2=\"{bottom:.1}\" stroke=\"#2f8a6b\" stroke-width=\"2\"/>"
            );
        }
        put(&mut svg, "</g>\n");
    }
    put(&mut svg, "</svg>\n");
    svg
}

fn table(out: &mut String, title: &str, heads: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = String>| -> String {
        cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell))).collect()
    };
    let head = cells("th", &mut heads.iter().map(ToString::to_string));
    let _ = writeln!(out, "<h2>{title}</h2>\n<table>\n<tr>{head}</tr>");
    for row in rows {
        let _ = writeln!(out, "<tr>{}</tr>", cells("td", &mut row.into_iter()));
    }
    put(out, "</table>\n");
}

fn shares(out: &mut String, ranking: &Ranking) {
    let rows = ranking.shares.iter().filter(|line| line.matches > 0).map(|line| {
        vec![
            line.player.clone(),
            line.matches.to_string(),
            line.won.to_string(),
            percent(line.share),
            format!("{} to {}", percent(line.low), percent(line.high)),
            percent(line.fair),
            probability(line.p),
        ]
    });
    let heads = ["Player", "Matches", "Won", "Part", "95 %", "Fair", "If all were equal"];
    table(out, "Matches won", &heads, rows);
}

fn variants(out: &mut String, ranking: &Ranking) {
    if ranking.variants.is_empty() {
        return;
    }
    let rows = ranking.variants.iter().map(|line| {
        let p = if line.player == line.base {
            String::new()
        } else {
            probability(line.p)
        };
        vec![
            line.player.clone(),
            line.matches.to_string(),
            percent(line.share),
            line.better.to_string(),
            line.worse.to_string(),
            p,
        ]
    });
    let heads = ["Settings", "Matches", "Won", "Better than the first", "Worse", "If both were equal"];
    table(out, "Settings under the same luck", &heads, rows);
}

fn ratings(out: &mut String, ranking: &Ranking) {
    let rows = ranking.players.iter().map(|line| {
        vec![
            line.player.clone(),
            signed(line.rating.elo),
            format!("{} to {}", signed(line.rating.low), signed(line.rating.high)),
            percent(line.points),
            format!("{:.2}", line.milliseconds),
            line.replaced.to_string(),
        ]
    });
    let heads = ["Player", "Elo", "95 %", "Points", "ms a choice", "Replaced"];
    table(out, "Ratings", &heads, rows);
}

fn scenarios(out: &mut String, ranking: &Ranking) {
    let rows = ranking.scenarios.iter().map(|line| {
        let seats: Vec<String> = line
            .seats
            .iter()
            .map(|seat| format!("{} {}", seat.seat, percent(seat.points)))
            .collect();
        vec![
            line.id.clone(),
            line.matches.to_string(),
            line.drawn.to_string(),
            format!("{:.1}", line.actions),
            format!("{:.0}", line.median_milliseconds),
            seats.join(", "),
        ]
    });
    let heads = ["Scenario", "Matches", "Drawn", "Actions", "Median ms", "Points by seat"];
    table(out, "Scenarios", &heads, rows);
}
