//! Pieces that have a shape: those that wait to be laid, and the poses of one.

use super::canvas::{Canvas, painted};
use super::cell_marks::Marks;
use boardwright_model::{Declarations, Figure, KindId, Piece, Pose, Shape, State, ZoneId};

/// Shapes side by side, each with a word below it.
struct Row<'a> {
    shapes: Vec<(&'a Shape, &'a str)>,
    width: usize,
}

/// Draws shapes side by side in rows of at most `width` characters, with the words below them.
fn draw(shapes: &[(&Shape, &str)], width: usize, sign: char, colour: Option<u32>) -> String {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (shape, word) in shapes {
        let own = usize::from(shape.width()).max(word.chars().count()) + 2;
        match rows.last_mut().filter(|row| row.width + own <= width) {
            Some(row) => {
                row.shapes.push((shape, word));
                row.width += own;
            }
            None => rows.push(Row {
                shapes: vec![(shape, word)],
                width: own,
            }),
        }
    }
    let mut canvas = Canvas::default();
    let mut top = 0;
    for row in rows {
        let height = row.shapes.iter().map(|(shape, _)| i32::from(shape.height())).max().unwrap_or(0);
        let mut left = 2;
        for (shape, word) in row.shapes {
            let first = shape.offsets().iter().map(|offset| offset.0).min().unwrap_or(0);
            let lift = height - i32::from(shape.height());
            for (x, y) in shape.offsets() {
                let (x, y) = (left + i32::from(x - first), top + lift + i32::from(*y));
                canvas.put(x, y, &sign.to_string(), colour);
            }
            canvas.put(left, top + height, word, None);
            left += usize::from(shape.width()).max(word.chars().count()) as i32 + 2;
        }
        top += height + 2;
    }
    let mut text = canvas.print();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn figure(declarations: &Declarations, kind: KindId) -> Option<&Figure> {
    declarations.kind(kind)?.figure.as_deref()
}

/// The first character a piece is written with.
fn sign(marks: &Marks<'_>, piece: &Piece) -> (char, Option<u32>) {
    let (text, colour) = marks.piece(piece);
    (text.chars().next().unwrap_or('#'), colour)
}

/// The pieces in a zone that have a shape: drawn where they wait for the seat to act, else by their names. `None` if there are
/// none.
pub(super) fn tray(state: &State, marks: &Marks<'_>, zone: ZoneId, width: usize) -> Option<String> {
    let declarations = state.declarations();
    let declared = declarations.zones.get(zone.index())?;
    let pieces = state.zone(zone)?.pieces().iter().filter_map(|id| state.piece(*id));
    let shaped: Vec<(&Piece, &Figure, &str)> = pieces
        .filter_map(|piece| Some((piece, figure(declarations, piece.kind)?, &*declarations.kind(piece.kind)?.name)))
        .collect();
    let (first, ..) = shaped.first()?;
    let (sign, colour) = sign(marks, first);
    let title = painted(&format!("{sign} {}", declared.title), colour);
    let mark = state.sequence().mark;
    let is_in_turn = match declarations.turn(mark.place) {
        Some(turn) => turn.name == declared.name,
        None => declared.owner.is_some() && declared.owner == mark.seat,
    };
    if !is_in_turn || state.outcome().is_some() {
        let names: Vec<&str> = shaped.iter().map(|(_, _, name)| *name).collect();
        return Some(format!("{title}: {}", names.join(" ")));
    }
    let shapes: Vec<(&Shape, &str)> = shaped
        .iter()
        .map(|(_, figure, name)| (figure.lying(Pose::UPRIGHT), *name))
        .collect();
    Some(format!("{title}, to be placed:\n\n{}", draw(&shapes, width, sign, colour)))
}

/// A kind that has a shape in all its poses, or in some. `None` if there is no such kind.
pub(super) fn poses(declarations: &Declarations, kind: &str, wanted: Option<&[String]>, width: usize) -> Option<String> {
    let figure = figure(declarations, declarations.find_kind(&kind.to_lowercase())?)?;
    let shapes: Vec<(&Shape, &str)> = figure
        .poses()
        .filter(|pose| wanted.is_none_or(|wanted| wanted.iter().any(|word| word == pose.word())))
        .map(|pose| (figure.lying(pose), pose.word()))
        .collect();
    Some(draw(&shapes, width, '#', None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::parse(text.lines()).unwrap().rooted()
    }

    #[test]
    fn shapes_stand_side_by_side_on_one_line_with_their_words_below() {
        let (long, bent) = (shape("X\nX\nX"), shape(".X\nXX"));
        let text = draw(&[(&long, "90"), (&bent, "m180")], 40, 'B', None);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines, ["  B", "  B    B", "  B   BB", "  90  m180"]);
    }

    #[test]
    fn what_does_not_fit_goes_into_the_next_row() {
        let bar = shape("XXXX");
        let text = draw(&[(&bar, "a"), (&bar, "b"), (&bar, "c")], 14, '#', None);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines, ["  ####  ####", "  a     b", "", "  ####", "  c"]);
    }
}
