//! A sheet of characters with colours.

/// A character on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ink {
    letter: char,
    colour: Option<u32>,
}

const BLANK: Ink = Ink { letter: ' ', colour: None };

/// A sheet of characters that grows to the right and downwards as it is written on.
#[derive(Clone, Debug, Default)]
pub(super) struct Canvas {
    rows: Vec<Vec<Ink>>,
}

impl Canvas {
    fn slot(&mut self, x: i32, y: i32) -> Option<&mut Ink> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        let row = self.rows.get_mut(y)?;
        if row.len() <= x {
            row.resize(x + 1, BLANK);
        }
        row.get_mut(x)
    }

    /// Writes a text over what is there. What lies left of or above the sheet is cut.
    pub(super) fn put(&mut self, x: i32, y: i32, text: &str, colour: Option<u32>) {
        for (offset, letter) in text.chars().enumerate() {
            if let Some(slot) = self.slot(x + offset as i32, y) {
                *slot = Ink { letter, colour };
            }
        }
    }

    /// Draws a straight line, both ends left out, with the characters `-`, `|`, `/` and `\`; `X` where two slopes cross.
    pub(super) fn line(&mut self, (x, y): (i32, i32), (to_x, to_y): (i32, i32)) {
        let (dx, dy) = (to_x - x, to_y - y);
        let letter = if dx.abs() >= 4 * dy.abs() {
            '-'
        } else if dy.abs() >= 3 * dx.abs() {
            '|'
        } else if (dx < 0) == (dy < 0) {
            '\\'
        } else {
            '/'
        };
        let steps = if letter == '-' { dx.abs() } else { dy.abs() };
        for step in 1..steps {
            let along = |from: i32, distance: i32| from + (2 * distance * step + steps * distance.signum()) / (2 * steps);
            let (here_x, here_y) = (along(x, dx), along(y, dy));
            if let Some(slot) = self.slot(here_x, here_y) {
                slot.letter = match (slot.letter, letter) {
                    (' ', letter) => letter,
                    ('/', '\\') | ('\\', '/') => 'X',
                    ('-', '|') | ('|', '-') => '+',
                    (there, _) => there,
                };
            }
        }
    }

    /// The sheet as text, without blanks at the ends of lines.
    pub(super) fn print(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let length = row.iter().rposition(|ink| ink.letter != ' ').map_or(0, |last| last + 1);
            let letters = row.iter().take(length).map(|ink| painted(&ink.letter.to_string(), ink.colour));
            text.extend(letters);
            text.push('\n');
        }
        text
    }
}

/// A text in a colour `0xRRGGBB`, bold.
pub(super) fn painted(text: &str, colour: Option<u32>) -> String {
    match colour {
        Some(colour) => format!("\x1b[1;38;5;{}m{text}\x1b[0m", nearest_of_256(colour)),
        None => text.to_owned(),
    }
}

/// The nearest colour of the cube that nearly every terminal has.
fn nearest_of_256(colour: u32) -> u32 {
    let level = |shift: u32| {
        let value = (colour >> shift) & 0xff;
        match value {
            ..48 => 0,
            48..115 => 1,
            _ => (value - 35) / 40,
        }
    };
    16 + 36 * level(16) + 6 * level(8) + level(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_slope_meet_at_their_points() {
        let mut canvas = Canvas::default();
        let points = [(0, 0), (4, 0), (8, 0), (0, 2), (4, 2), (8, 2)];
        for (from, to) in [
            ((0, 0), (8, 0)),
            ((0, 0), (0, 2)),
            ((0, 0), (4, 2)),
            ((4, 0), (0, 2)),
            ((8, 0), (4, 2)),
            ((0, 2), (8, 2)),
        ] {
            canvas.line(from, to);
        }
        for (x, y) in points {
            canvas.put(x, y, "o", None);
        }
        assert_eq!(canvas.print(), "o---o---o\n| X   /\no---o---o\n");
    }

    #[test]
    fn colours_come_from_the_cube_of_256() {
        assert_eq!(nearest_of_256(0x00_00_00), 16);
        assert_eq!(nearest_of_256(0xff_ff_ff), 231);
        assert_eq!(nearest_of_256(0xff_00_00), 196);
        assert_eq!(painted("x", Some(0xff_00_00)), "\x1b[1;38;5;196mx\x1b[0m");
    }
}
