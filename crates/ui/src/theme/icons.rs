//! The icons. Their drawings are data, in `icons.json`; they follow the colours and stay sharp at every size.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};
use serde::Deserialize;

/// An icon on a field of 24 by 24.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the variants name what the icon shows")]
pub enum Icon {
    Undo,
    Redo,
    Back,
    Play,
    Pause,
    Stop,
    Hint,
    Save,
    Open,
    Swap,
    Sun,
    Moon,
    Fit,
    ZoomIn,
    ZoomOut,
    Person,
    Computer,
    Warning,
    Error,
    Note,
    Check,
    Close,
    History,
    Trophy,
    Again,
    Gear,
    First,
    Last,
    Next,
    Previous,
    Up,
    Down,
    Book,
    Script,
    Trigger,
    Trash,
    Clock,
    Question,
    Search,
    Eye,
    Folder,
    Layers,
    Keyboard,
    Chart,
    Compare,
    Branch,
    Turn,
    Mirror,
    Dice,
    More,
    Chat,
    Wrap,
    Pencil,
    Plus,
    Brush,
    Line,
    Rectangle,
    Bucket,
    Replace,
    Dropper,
    Select,
    Hole,
    Height,
    Region,
    Edge,
    Hand,
    Pawn,
    Point,
    Link,
    Grid,
    Map,
    Resize,
}

type Point = (f32, f32);

/// What an icon is made of.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Drawing {
    /// Middle and radius.
    circles: Vec<(f32, f32, f32)>,
    /// Middle and radius, and two angles in degrees, clockwise from the right.
    arcs: Vec<(f32, f32, f32, f32, f32)>,
    lines: Vec<Vec<Point>>,
    fills: Vec<Vec<Point>>,
    dots: Vec<Point>,
}

fn read() -> serde_json::Result<BTreeMap<Icon, Drawing>> {
    serde_json::from_str(include_str!("icons.json"))
}

impl Icon {
    /// Draws the icon into the middle of a rectangle.
    pub fn paint(self, painter: &Painter, rect: Rect, colour: Color32) {
        static DRAWINGS: LazyLock<BTreeMap<Icon, Drawing>> = LazyLock::new(|| read().unwrap_or_default());
        let side = rect.width().min(rect.height());
        let (origin, scale) = (rect.center() - vec2(side, side) / 2.0, side / 24.0);
        let at = |(x, y): Point| origin + vec2(x, y) * scale;
        let stroke = Stroke::new((1.9 * scale).max(1.2), colour);
        let draw_line = |points: Vec<Pos2>| {
            for end in [points.first(), points.last()].into_iter().flatten() {
                painter.circle_filled(*end, stroke.width / 2.0, colour);
            }
            painter.add(Shape::line(points, stroke));
        };
        let Some(drawing) = DRAWINGS.get(&self) else { return };
        for (x, y, radius) in &drawing.circles {
            painter.circle_stroke(at((*x, *y)), radius * scale, stroke);
        }
        for (x, y, radius, from, to) in &drawing.arcs {
            let angle = |step: u8| (from + (to - from) * f32::from(step) / 24.0).to_radians();
            let point = |step: u8| at((x + radius * angle(step).cos(), y + radius * angle(step).sin()));
            draw_line((0..=24).map(point).collect());
        }
        for line in &drawing.lines {
            draw_line(line.iter().copied().map(at).collect());
        }
        for corners in &drawing.fills {
            let corners = corners.iter().copied().map(at).collect();
            painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
        }
        for dot in &drawing.dots {
            painter.circle_filled(at(*dot), 1.3 * scale, colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_icon_is_drawn_within_its_field() {
        let drawings = read().unwrap();
        assert_eq!(drawings.len(), Icon::Resize as usize + 1);
        for (icon, drawing) in drawings {
            let mut points = [drawing.lines, drawing.fills, vec![drawing.dots]].concat().concat();
            points.extend(
                drawing
                    .circles
                    .iter()
                    .flat_map(|(x, y, radius)| [(x - radius, y - radius), (x + radius, y + radius)]),
            );
            points.extend(drawing.arcs.iter().map(|(x, y, ..)| (*x, *y)));
            assert!(!points.is_empty(), "{icon:?}");
            for (x, y) in points {
                assert!((0.0..=24.0).contains(&x) && (0.0..=24.0).contains(&y), "{icon:?}: {x}, {y}");
            }
        }
    }
}
