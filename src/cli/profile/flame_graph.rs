//! A flame graph: chains of calls as bars on each other, as wide as the time they took. An SVG that needs nothing else.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

const WIDTH: f64 = 1200.0;
const BAR: f64 = 18.0;
const EDGE: f64 = 12.0;
const HEADING: f64 = 44.0;
/// Narrower bars are left out.
const NARROWEST: f64 = 0.4;
/// A letter is about so wide.
const LETTER: f64 = 6.6;
/// Warm colours, so that neighbours differ.
const COLOURS: [&str; 6] = ["#e8a15c", "#dd8452", "#e6b35a", "#d9734e", "#ebc06d", "#d68b45"];

/// A call, and the calls it made.
#[derive(Default)]
struct Node {
    time: Duration,
    inside: BTreeMap<String, Node>,
}

impl Node {
    fn add(&mut self, stack: &[String], time: Duration) {
        self.time += time;
        if let Some((first, rest)) = stack.split_first() {
            self.inside.entry(first.clone()).or_default().add(rest, time);
        }
    }

    fn depth(&self) -> usize {
        self.inside.values().map(|node| node.depth() + 1).max().unwrap_or(0)
    }
}

/// Draws chains of calls, the outermost first.
pub(super) fn draw(title: &str, stacks: &[(Vec<String>, Duration)]) -> String {
    let mut all = Node::default();
    for (stack, time) in stacks {
        all.add(stack, *time);
    }
    let height = HEADING + BAR * (all.depth() + 1) as f64 + EDGE;
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fdf8f0\"/>\n\
         <text x=\"{EDGE}\" y=\"20\" font-size=\"15\">{}</text>\n\
         <text x=\"{EDGE}\" y=\"36\" fill=\"#6b5b4a\">{:.2} s; a bar is as wide as the time it took, and stands on what called it</text>\n",
        escaped(title),
        all.time.as_secs_f64()
    );
    let scale = (WIDTH - 2.0 * EDGE) / all.time.as_secs_f64().max(1e-9);
    bars(&mut out, &all, (EDGE, height - EDGE - BAR), scale, all.time, 0);
    out.push_str("</svg>\n");
    out
}

fn bars(out: &mut String, node: &Node, (mut x, y): (f64, f64), scale: f64, whole: Duration, depth: usize) {
    for (index, (name, inner)) in node.inside.iter().enumerate() {
        let width = inner.time.as_secs_f64() * scale;
        if width >= NARROWEST {
            let share = 100.0 * inner.time.as_secs_f64() / whole.as_secs_f64().max(1e-9);
            let colour = COLOURS.get((index + depth * 2) % COLOURS.len()).unwrap_or(&"#e8a15c");
            let _ = write!(
                out,
                "<g><title>{}: {:.1} ms, {share:.1} %</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" fill=\"{colour}\"/>",
                escaped(name),
                inner.time.as_secs_f64() * 1e3,
                (width - 0.5).max(0.3),
                BAR - 1.0
            );
            let letters = ((width - 6.0) / LETTER).max(0.0) as usize;
            if letters >= 3 {
                let shown: String = if name.chars().count() > letters {
                    name.chars().take(letters - 1).chain(['…']).collect()
                } else {
                    name.clone()
                };
                let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 3.0, y + 12.5, escaped(&shown));
            }
            out.push_str("</g>\n");
            bars(out, inner, (x, y - BAR), scale, whole, depth + 1);
        }
        x += width;
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_call_made_stands_on_it_and_is_no_wider() {
        let ms = Duration::from_millis;
        let stack = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let drawing = draw(
            "a < b",
            &[
                (stack(&["do_move", "step"]), ms(30)),
                (stack(&["do_move"]), ms(10)),
                (stack(&["(host)"]), ms(60)),
            ],
        );
        assert!(drawing.contains("<title>do_move: 40.0 ms, 40.0 %</title>"), "{drawing}");
        assert!(drawing.contains("<title>step: 30.0 ms, 30.0 %</title>"), "{drawing}");
        assert!(drawing.contains("a &lt; b"), "{drawing}");
    }
}
