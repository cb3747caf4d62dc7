//! The borders of a mask: lines between the places where more than two areas meet. Each is there once, for both of its sides.

use std::collections::{BTreeMap, HashMap};

use boardwright_model::diagnostic::{Code, Diagnostic};

use super::Mask;
use super::simplify::{self, Line};
use crate::progress::Stage;
use crate::{ImportError, Progress};

/// The most points of all borders. A mask that has more is a photograph, or noise.
const MOST_POINTS: usize = 8_000_000;

/// A point in half pixels, from the upper left corner of the picture.
pub type HalfPixels = (i32, i32);

/// The borders of a mask.
#[derive(Clone, Debug, Default)]
pub struct Borders {
    arcs: Vec<Arc>,
    /// Closed lines with the area on their left, by area.
    rings: Vec<(u16, Vec<Half>)>,
    areas: usize,
}

/// A stretch of border between the same two areas.
#[derive(Clone, Debug, Default)]
struct Arc {
    left: u16,
    right: u16,
    line: Line,
    /// In sides of pixels.
    length: u32,
}

/// An arc in one of its two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Half {
    arc: usize,
    is_reversed: bool,
}

/// Two areas that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// The lower area.
    pub a: u16,
    /// The higher one.
    pub b: u16,
    /// The length of their border, in sides of pixels.
    pub length: u32,
}

/// Directions along the sides of pixels, each a right turn from the one before.
const EAST: u8 = 0;
const SOUTH: u8 = 1;
const WEST: u8 = 2;
const NORTH: u8 = 3;
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Follows borders along the corners of pixels.
struct Tracer<'a> {
    mask: &'a Mask,
    /// For each corner whether the side to the east and that to the south were followed.
    seen: Vec<u8>,
    borders: Borders,
    points: usize,
    /// The arc that leaves a corner in a direction.
    leaving: HashMap<(i32, i32, u8), Half>,
    /// Corner and direction in which each arc ends, forwards and reversed.
    ends: Vec<[(i32, i32, u8); 2]>,
}

impl Borders {
    /// Follows the borders of a mask.
    ///
    /// # Errors
    /// It was stopped, or the borders have more than eight million points.
    pub fn trace(mask: &Mask, progress: &mut Progress<'_>) -> Result<Self, ImportError> {
        let corners = (mask.width() as usize + 1) * (mask.height() as usize + 1);
        let mut tracer = Tracer {
            mask,
            seen: vec![0; corners],
            borders: Self {
                areas: mask.colours().len(),
                ..Self::default()
            },
            points: 0,
            leaving: HashMap::new(),
            ends: Vec::new(),
        };
        tracer.follow_all(true, progress)?;
        tracer.follow_all(false, progress)?;
        tracer.join();
        progress.at(Stage::Borders, 1, 1)?;
        Ok(tracer.borders)
    }

    /// Which areas touch along at least so many sides of pixels, in order.
    pub fn touching(&self, least: u32) -> Vec<Touch> {
        let mut lengths: BTreeMap<(u16, u16), u32> = BTreeMap::new();
        for arc in self.arcs.iter().filter(|arc| arc.left != 0 && arc.right != 0) {
            *lengths.entry((arc.left.min(arc.right), arc.left.max(arc.right))).or_default() += arc.length;
        }
        let touches = lengths.into_iter().map(|((a, b), length)| Touch { a, b, length });
        touches.filter(|touch| touch.length >= least).collect()
    }

    /// The outline of each area, from area 1 on, with borders that leave out what lies nearer than `tolerance` pixels to a straight line.
    /// Areas side by side have the same points between them, and no line meets another but at its ends.
    ///
    /// An outline is a list of polygons: the parts of the area, the largest first, and then the holes in them.
    pub fn outlines(&self, tolerance: f64) -> Vec<Vec<Vec<HalfPixels>>> {
        let lines: Vec<&Line> = self.arcs.iter().map(|arc| &arc.line).collect();
        let kept = simplify::simplified(&lines, tolerance * 2.0);
        let mut outlines = vec![Vec::new(); self.areas];
        for (area, ring) in &self.rings {
            let mut polygon: Vec<HalfPixels> = Vec::new();
            for half in ring {
                let Some((line, kept)) = lines.get(half.arc).zip(kept.get(half.arc)) else {
                    continue;
                };
                let points = kept.iter().filter_map(|index| line.point(*index));
                let mut points: Vec<HalfPixels> = points.collect();
                if half.is_reversed {
                    points.reverse();
                }
                polygon.extend(points);
                polygon.dedup();
            }
            if polygon.len() > 1 && polygon.first() == polygon.last() {
                polygon.pop();
            }
            if let Some(outline) = outlines.get_mut(usize::from(*area).wrapping_sub(1)) {
                outline.push(polygon);
            }
        }
        for outline in &mut outlines {
            // Parts run against the clock on the screen, holes with it.
            outline.sort_by_key(|polygon| {
                let twice = twice_area(polygon);
                (twice > 0, std::cmp::Reverse(twice.abs()))
            });
        }
        outlines
    }

    /// How many points the borders have before they are simplified.
    pub fn point_count(&self) -> usize {
        self.arcs.iter().map(|arc| arc.line.points.len()).sum()
    }
}

/// Twice the area of a polygon, positive where it runs with the clock on the screen.
pub(super) fn twice_area(polygon: &[HalfPixels]) -> i64 {
    let next = polygon.iter().cycle().skip(1);
    let part = |((ax, ay), (bx, by)): (&HalfPixels, &HalfPixels)| i64::from(*ax) * i64::from(*by) - i64::from(*bx) * i64::from(*ay);
    polygon.iter().zip(next).map(part).sum()
}

impl Tracer<'_> {
    /// The areas left and right of the side that leaves a corner in a direction.
    fn beside(&self, (x, y): (i32, i32), direction: u8) -> (u16, u16) {
        let area = |dx: i32, dy: i32| self.mask.area(x + dx, y + dy);
        match direction {
            EAST => (area(0, -1), area(0, 0)),
            SOUTH => (area(0, 0), area(-1, 0)),
            WEST => (area(-1, 0), area(-1, -1)),
            _ => (area(-1, -1), area(0, -1)),
        }
    }

    fn is_border(&self, corner: (i32, i32), direction: u8) -> bool {
        let (left, right) = self.beside(corner, direction);
        left != right
    }

    /// How many borders meet at a corner.
    fn degree(&self, corner: (i32, i32)) -> usize {
        (0..4).filter(|direction| self.is_border(corner, *direction)).count()
    }

    /// Notes that a side was followed; whether it was already.
    fn mark(&mut self, (x, y): (i32, i32), direction: u8) -> bool {
        let ((x, y), bit) = match direction {
            EAST => ((x, y), 1),
            SOUTH => ((x, y), 2),
            WEST => ((x - 1, y), 1),
            _ => ((x, y - 1), 2),
        };
        let place = y as usize * (self.mask.width() as usize + 1) + x as usize;
        let Some(seen) = self.seen.get_mut(place) else {
            return true;
        };
        let was_seen = *seen & bit != 0;
        *seen |= bit;
        was_seen
    }

    /// Follows borders from the corners where more than two meet; the second time all that is left, which is closed.
    fn follow_all(&mut self, from_junctions: bool, progress: &mut Progress<'_>) -> Result<(), ImportError> {
        let (width, height) = (self.mask.width() as i32, self.mask.height() as i32);
        let offset = if from_junctions { 0 } else { 50 };
        for y in 0..=height {
            progress.at(Stage::Borders, offset + y as usize * 50 / (height as usize + 1), 100)?;
            for x in 0..=width {
                // Most corners lie within one area.
                let (left, right) = self.beside((x, y), EAST);
                if left == right && self.beside((x, y), WEST) == (left, right) {
                    continue;
                }
                if from_junctions && self.degree((x, y)) < 3 {
                    continue;
                }
                for direction in [EAST, SOUTH, WEST, NORTH] {
                    if self.is_border((x, y), direction) && !self.mark((x, y), direction) {
                        self.follow((x, y), direction, from_junctions)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn follow(&mut self, start: (i32, i32), first: u8, is_open: bool) -> Result<(), ImportError> {
        let (left, right) = self.beside(start, first);
        let mut points: Vec<HalfPixels> = Vec::new();
        let (mut corner, mut direction, mut length) = (start, first, 0_u32);
        if is_open {
            points.push((start.0 * 2, start.1 * 2));
        }
        let (mut last, mut run) = (None, 0);
        loop {
            let (dx, dy) = STEPS.get(usize::from(direction)).copied().unwrap_or((1, 0));
            let middle = (corner.0 * 2 + dx, corner.1 * 2 + dy);
            run = if last == Some(direction) { run + 1 } else { 1 };
            // Of a straight stretch only both ends are kept.
            if run > 2 {
                points.pop();
            }
            points.push(middle);
            length += 1;
            last = Some(direction);
            corner = (corner.0 + dx, corner.1 + dy);
            if (is_open && self.degree(corner) > 2) || (!is_open && corner == start) {
                break;
            }
            let back = (direction + 2) % 4;
            let next = (0..4).find(|next| *next != back && self.is_border(corner, *next));
            let Some(next) = next else { break };
            direction = next;
            self.mark(corner, direction);
        }
        if is_open {
            points.push((corner.0 * 2, corner.1 * 2));
        }
        self.points += points.len();
        if self.points > MOST_POINTS {
            let message = format!("the borders of the mask have more than {MOST_POINTS} points");
            let help = "a mask has one plain colour for each area; is this the drawing?";
            return Err(Diagnostic::error(Code::BadValue, message).with_help(help).into());
        }
        let arc = self.borders.arcs.len();
        self.borders.arcs.push(Arc {
            left,
            right,
            line: Line {
                points,
                is_closed: !is_open,
            },
            length,
        });
        self.ends
            .push([(corner.0, corner.1, direction), (start.0, start.1, (first + 2) % 4)]);
        if is_open {
            let back = (direction + 2) % 4;
            self.leaving.insert((start.0, start.1, first), Half { arc, is_reversed: false });
            self.leaving.insert((corner.0, corner.1, back), Half { arc, is_reversed: true });
        }
        Ok(())
    }

    /// The area on the left of an arc.
    fn left_of(&self, half: Half) -> u16 {
        let arc = self.borders.arcs.get(half.arc);
        arc.map_or(0, |arc| if half.is_reversed { arc.right } else { arc.left })
    }

    /// Joins the arcs of each area to closed lines. Where pixels of an area touch at a corner only, the line stays at its side of the corner.
    fn join(&mut self) {
        let mut is_joined = vec![[false; 2]; self.borders.arcs.len()];
        for arc in 0..is_joined.len() {
            for is_reversed in [false, true] {
                let first = Half { arc, is_reversed };
                let area = self.left_of(first);
                let mut ring = Vec::new();
                let mut half = first;
                while area != 0
                    && let Some(joined) = is_joined
                        .get_mut(half.arc)
                        .and_then(|both| both.get_mut(usize::from(half.is_reversed)))
                    && !std::mem::replace(joined, true)
                {
                    ring.push(half);
                    half = match self.next(half, area) {
                        Some(next) => next,
                        None => break,
                    };
                }
                if !ring.is_empty() {
                    self.borders.rings.push((area, ring));
                }
            }
        }
    }

    /// The arc that goes on with the same area on its left.
    fn next(&self, half: Half, area: u16) -> Option<Half> {
        let (x, y, direction) = self.ends.get(half.arc)?.get(usize::from(half.is_reversed)).copied()?;
        let (left, right) = self.beside((x, y), direction);
        let turned = if left != area {
            (direction + 3) % 4
        } else if right != area {
            direction
        } else {
            (direction + 1) % 4
        };
        self.leaving.get(&(x, y, turned)).copied()
    }
}
