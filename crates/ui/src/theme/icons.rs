//! The icons, drawn by code so that they follow the colours and stay sharp at every size.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

/// An icon on a field of 24 by 24.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    Book,
    Script,
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
}

impl Icon {
    /// Draws the icon into the middle of a rectangle.
    pub fn paint(self, painter: &Painter, rect: Rect, colour: Color32) {
        let side = rect.width().min(rect.height());
        let origin = rect.center() - vec2(side, side) / 2.0;
        let pen = Pen {
            painter,
            origin,
            scale: side / 24.0,
            colour,
        };
        match self {
            Self::Undo => pen.turn(false),
            Self::Redo => pen.turn(true),
            Self::Back => pen.lines(&[&[(15, 5), (8, 12), (15, 19)]]),
            Self::Previous => pen.lines(&[&[(14, 6), (8, 12), (14, 18)]]),
            Self::Next => pen.lines(&[&[(10, 6), (16, 12), (10, 18)]]),
            Self::First => pen.lines(&[&[(18, 6), (12, 12), (18, 18)], &[(7, 6), (7, 18)]]),
            Self::Last => pen.lines(&[&[(6, 6), (12, 12), (6, 18)], &[(17, 6), (17, 18)]]),
            Self::Play => pen.fill(&[(8, 5), (19, 12), (8, 19)]),
            Self::Pause => {
                pen.fill(&[(7, 5), (10, 5), (10, 19), (7, 19)]);
                pen.fill(&[(14, 5), (17, 5), (17, 19), (14, 19)]);
            }
            Self::Stop => pen.fill(&[(6, 6), (18, 6), (18, 18), (6, 18)]),
            Self::Hint => {
                pen.arc((12.0, 10.0), 6.0, 135.0, 405.0);
                pen.lines(&[&[(8, 14), (9, 17), (15, 17), (16, 14)], &[(10, 20), (14, 20)]]);
            }
            Self::Save => pen.lines(&[
                &[(5, 5), (16, 5), (19, 8), (19, 19), (5, 19), (5, 5)],
                &[(8, 5), (8, 9), (14, 9), (14, 5)],
                &[(8, 19), (8, 14), (16, 14), (16, 19)],
            ]),
            Self::Open => pen.lines(&[
                &[(3, 18), (3, 6), (9, 6), (11, 8), (18, 8), (18, 11)],
                &[(3, 18), (6, 11), (21, 11), (18, 18), (3, 18)],
            ]),
            Self::Swap => pen.lines(&[
                &[(4, 9), (19, 9)],
                &[(15, 5), (19, 9), (15, 13)],
                &[(20, 15), (5, 15)],
                &[(9, 11), (5, 15), (9, 19)],
            ]),
            Self::Sun => {
                pen.circle((12.0, 12.0), 4.0);
                for step in 0..8 {
                    let angle = step as f32 * std::f32::consts::FRAC_PI_4;
                    let (sin, cos) = angle.sin_cos();
                    pen.line(&[(12.0 + 6.8 * cos, 12.0 + 6.8 * sin), (12.0 + 9.2 * cos, 12.0 + 9.2 * sin)]);
                }
            }
            Self::Moon => {
                pen.arc((11.0, 12.5), 7.5, 20.0, 270.0);
                pen.arc((15.5, 8.5), 5.7, 75.0, 222.0);
            }
            Self::Fit => pen.lines(&[
                &[(4, 9), (4, 4), (9, 4)],
                &[(15, 4), (20, 4), (20, 9)],
                &[(20, 15), (20, 20), (15, 20)],
                &[(9, 20), (4, 20), (4, 15)],
            ]),
            Self::ZoomIn => pen.lines(&[&[(12, 5), (12, 19)], &[(5, 12), (19, 12)]]),
            Self::ZoomOut => pen.lines(&[&[(5, 12), (19, 12)]]),
            Self::Person => {
                pen.circle((12.0, 8.0), 4.0);
                pen.arc((12.0, 21.0), 8.0, 190.0, 350.0);
            }
            Self::Computer => pen.lines(&[
                &[(3, 5), (21, 5), (21, 16), (3, 16), (3, 5)],
                &[(8, 20), (16, 20)],
                &[(12, 16), (12, 20)],
            ]),
            Self::Warning => {
                pen.lines(&[&[(12, 4), (21, 20), (3, 20), (12, 4)], &[(12, 10), (12, 14)]]);
                pen.dot((12.0, 17.0));
            }
            Self::Error => {
                pen.circle((12.0, 12.0), 9.0);
                pen.lines(&[&[(12, 7), (12, 13)]]);
                pen.dot((12.0, 16.5));
            }
            Self::Note => {
                pen.circle((12.0, 12.0), 9.0);
                pen.lines(&[&[(12, 11), (12, 17)]]);
                pen.dot((12.0, 7.5));
            }
            Self::Chat => pen.lines(&[&[(4, 5), (20, 5), (20, 15), (12, 15), (7, 20), (7, 15), (4, 15), (4, 5)]]),
            Self::Check => pen.lines(&[&[(5, 12), (10, 17), (19, 7)]]),
            Self::Close => pen.lines(&[&[(6, 6), (18, 18)], &[(18, 6), (6, 18)]]),
            Self::History => {
                pen.circle((12.0, 12.0), 8.5);
                pen.lines(&[&[(12, 7), (12, 12), (16, 14)]]);
            }
            Self::Trophy => {
                pen.lines(&[
                    &[(7, 4), (17, 4), (17, 9), (14, 14), (10, 14), (7, 9), (7, 4)],
                    &[(7, 6), (3, 6), (4, 10), (8, 11)],
                    &[(17, 6), (21, 6), (20, 10), (16, 11)],
                    &[(12, 14), (12, 19)],
                    &[(8, 20), (16, 20)],
                ]);
            }
            Self::Again => {
                pen.arc((12.0, 12.0), 7.5, -50.0, 220.0);
                pen.lines(&[&[(17, 2), (17, 7), (12, 7)]]);
            }
            Self::Book => pen.lines(&[
                &[
                    (12, 7),
                    (9, 5),
                    (3, 5),
                    (3, 18),
                    (9, 18),
                    (12, 20),
                    (15, 18),
                    (21, 18),
                    (21, 5),
                    (15, 5),
                    (12, 7),
                ],
                &[(12, 7), (12, 20)],
            ]),
            Self::Script => pen.lines(&[&[(8, 7), (3, 12), (8, 17)], &[(16, 7), (21, 12), (16, 17)], &[(14, 5), (10, 19)]]),
            Self::Trash => pen.lines(&[
                &[(4, 7), (20, 7)],
                &[(6, 7), (7, 20), (17, 20), (18, 7)],
                &[(9, 7), (10, 4), (14, 4), (15, 7)],
                &[(10, 11), (10, 16)],
                &[(14, 11), (14, 16)],
            ]),
            Self::Clock => {
                pen.circle((12.0, 12.0), 8.5);
                pen.lines(&[&[(12, 7), (12, 12), (8, 14)]]);
            }
            Self::Question => {
                pen.arc((12.0, 9.0), 4.2, 180.0, 400.0);
                pen.lines(&[&[(15, 12), (12, 15), (12, 16)]]);
                pen.dot((12.0, 20.0));
            }
            Self::Search => {
                pen.circle((10.5, 10.5), 6.0);
                pen.lines(&[&[(15, 15), (20, 20)]]);
            }
            Self::Eye => {
                pen.lines(&[&[(2, 12), (6, 8), (12, 6), (18, 8), (22, 12), (18, 16), (12, 18), (6, 16), (2, 12)]]);
                pen.circle((12.0, 12.0), 3.0);
            }
            Self::Folder => pen.lines(&[&[(3, 19), (3, 6), (9, 6), (11, 9), (21, 9), (21, 19), (3, 19)]]),
            Self::Layers => pen.lines(&[&[(12, 4), (21, 9), (12, 14), (3, 9), (12, 4)], &[(3, 14), (12, 19), (21, 14)]]),
            Self::Keyboard => {
                pen.lines(&[&[(3, 6), (21, 6), (21, 18), (3, 18), (3, 6)], &[(8, 15), (16, 15)]]);
                for dot in [(7.0, 10.5), (12.0, 10.5), (17.0, 10.5)] {
                    pen.dot(dot);
                }
            }
            Self::Chart => pen.lines(&[&[(4, 4), (4, 20), (20, 20)], &[(7, 16), (11, 10), (14, 13), (20, 6)]]),
            Self::Compare => {
                pen.lines(&[
                    &[(10, 5), (4, 5), (4, 19), (10, 19)],
                    &[(14, 5), (20, 5), (20, 19), (14, 19)],
                    &[(12, 3), (12, 21)],
                ]);
            }
            Self::Branch => pen.lines(&[
                &[(6, 4), (6, 20)],
                &[(6, 14), (12, 14), (16, 10), (16, 5)],
                &[(12, 8), (16, 4), (20, 8)],
            ]),
            Self::Turn => {
                pen.arc((12.0, 13.0), 7.0, -60.0, 210.0);
                pen.lines(&[&[(12, 3), (16, 7), (11, 10)]]);
            }
            Self::Mirror => {
                pen.lines(&[
                    &[(9, 6), (3, 18), (9, 18), (9, 6)],
                    &[(15, 6), (21, 18), (15, 18), (15, 6)],
                    &[(12, 4), (12, 20)],
                ]);
            }
            Self::Dice => {
                pen.lines(&[&[(4, 4), (20, 4), (20, 20), (4, 20), (4, 4)]]);
                for dot in [(8.5, 8.5), (15.5, 8.5), (12.0, 12.0), (8.5, 15.5), (15.5, 15.5)] {
                    pen.dot(dot);
                }
            }
            Self::More => {
                for dot in [(5.0, 12.0), (12.0, 12.0), (19.0, 12.0)] {
                    pen.dot(dot);
                }
            }
            Self::Gear => {
                pen.circle((12.0, 12.0), 3.2);
                pen.circle((12.0, 12.0), 6.8);
                for step in 0..8 {
                    let (sin, cos) = ((step as f32 + 0.5) * std::f32::consts::FRAC_PI_4).sin_cos();
                    pen.line(&[(12.0 + 6.8 * cos, 12.0 + 6.8 * sin), (12.0 + 9.4 * cos, 12.0 + 9.4 * sin)]);
                }
            }
        }
    }
}

struct Pen<'a> {
    painter: &'a Painter,
    origin: Pos2,
    scale: f32,
    colour: Color32,
}

impl Pen<'_> {
    fn at(&self, (x, y): (f32, f32)) -> Pos2 {
        self.origin + vec2(x, y) * self.scale
    }

    fn stroke(&self) -> Stroke {
        Stroke::new((1.9 * self.scale).max(1.2), self.colour)
    }

    fn line(&self, points: &[(f32, f32)]) {
        let points: Vec<Pos2> = points.iter().map(|point| self.at(*point)).collect();
        let radius = self.stroke().width / 2.0;
        for end in [points.first(), points.last()].into_iter().flatten() {
            self.painter.circle_filled(*end, radius, self.colour);
        }
        self.painter.add(Shape::line(points, self.stroke()));
    }

    fn lines(&self, lines: &[&[(u8, u8)]]) {
        for line in lines {
            let points: Vec<_> = line.iter().map(|(x, y)| (f32::from(*x), f32::from(*y))).collect();
            self.line(&points);
        }
    }

    fn fill(&self, points: &[(u8, u8)]) {
        let points = points.iter().map(|(x, y)| self.at((f32::from(*x), f32::from(*y)))).collect();
        self.painter.add(Shape::convex_polygon(points, self.colour, Stroke::NONE));
    }

    fn circle(&self, middle: (f32, f32), radius: f32) {
        self.painter.circle_stroke(self.at(middle), radius * self.scale, self.stroke());
    }

    fn dot(&self, middle: (f32, f32)) {
        self.painter.circle_filled(self.at(middle), 1.3 * self.scale, self.colour);
    }

    /// A part of a circle between two angles in degrees, clockwise from the right.
    fn arc(&self, middle: (f32, f32), radius: f32, from: f32, to: f32) {
        let steps = 24;
        let points: Vec<_> = (0..=steps)
            .map(|step| {
                let angle = (from + (to - from) * step as f32 / steps as f32).to_radians();
                (middle.0 + radius * angle.cos(), middle.1 + radius * angle.sin())
            })
            .collect();
        self.line(&points);
    }

    /// The arrow of undo, or mirrored that of redo.
    fn turn(&self, mirrored: bool) {
        let x = |x: f32| if mirrored { 24.0 - x } else { x };
        let mut curve = vec![(x(5.0), 9.0), (x(14.0), 9.0)];
        for step in 0..=12 {
            let angle = (-90.0 + 180.0 * step as f32 / 12.0).to_radians();
            curve.push((x(14.0 + 5.0 * angle.cos()), 14.0 + 5.0 * angle.sin()));
        }
        curve.push((x(9.0), 19.0));
        self.line(&curve);
        self.line(&[(x(9.0), 5.0), (x(5.0), 9.0), (x(9.0), 13.0)]);
    }
}

/// The rectangle of an icon of a size around a point.
pub(super) fn field(middle: Pos2, side: f32) -> Rect {
    Rect::from_center_size(pos2(middle.x, middle.y), vec2(side, side))
}
