//! Scenarios as files, `maps/<ruleset>/<id>.scenario.xml`.

use crate::model::{Scenario, Setup, SetupPiece, SetupPlace, SetupTarget, SetupValue};
use crate::ruleset::{Code, Diagnostics};

use super::manifest::is_inner_path;
use super::properties::{self, PROPERTY, Seen};
use super::scenario_positions::{PieceSpots, PlayerSpots, ScenarioPositions, ValueSpots};
use super::xml::{self, AttributeShape, Count, Element, Faults, Format, Kind, Shape, Source, Spot, Tag, TextRule, lists};

/// The ending of scenario files.
pub const SCENARIO_ENDING: &str = ".scenario.xml";

static DESCRIPTION: Shape = Shape::text("description");
pub(super) static PLAYER: Shape = Shape::plain(
    "player",
    &[
        AttributeShape::required("seat", Kind::Name),
        AttributeShape::required("plays", Kind::Name),
    ],
);
static OPTION: Shape = Shape::plain(
    "option",
    &[
        AttributeShape::required("name", Kind::Name),
        AttributeShape::required("value", Kind::Text),
    ],
);
static PIECE: Shape = Shape {
    name: "piece",
    attributes: &[
        AttributeShape::required("kind", Kind::Name),
        AttributeShape::optional("owner", Kind::Name),
        AttributeShape::optional("at", Kind::Name),
        AttributeShape::optional("side", Kind::Name),
        AttributeShape::optional("pose", Kind::Name),
        AttributeShape::optional("zone", Kind::Name),
        AttributeShape::optional("zone_owner", Kind::Name),
        AttributeShape::optional("off", Kind::Flag),
    ],
    children: &[Count::Many.of(&PROPERTY)],
    text: TextRule::None,
};
static PIECES: Shape = Shape {
    name: "pieces",
    attributes: &[
        AttributeShape::required("kind", Kind::Name),
        AttributeShape::optional("owner", Kind::Name),
        AttributeShape::required("at", Kind::List),
    ],
    children: &[Count::Many.of(&PROPERTY)],
    text: TextRule::None,
};
/// A property of the match, a seat, a cell or an edge.
static VALUE: Shape = Shape::plain(
    "property",
    &[
        AttributeShape::required("of", Kind::Name),
        AttributeShape::required("name", Kind::Name),
        AttributeShape::required("value", Kind::Text),
    ],
);
static OVERLAY: Shape = Shape::plain("overlay", &[AttributeShape::required("file", Kind::Name)]);
pub(super) static ROOT: Shape = Shape {
    name: "scenario",
    attributes: &[
        AttributeShape::required("id", Kind::Id),
        AttributeShape::required("title", Kind::Name),
        AttributeShape::required("ruleset", Kind::Id),
        AttributeShape::required("map", Kind::Id),
        AttributeShape::optional("seats", Kind::List),
    ],
    children: &[
        Count::Optional.of(&DESCRIPTION),
        Count::Many.of(&PLAYER),
        Count::Many.of(&OPTION),
        Count::Many.of(&PIECES),
        Count::Many.of(&PIECE),
        Count::Many.of(&VALUE),
        Count::Optional.of(&OVERLAY),
    ],
    text: TextRule::None,
};
/// The format of scenarios.
pub static SCENARIO_FORMAT: Format = Format {
    root: &ROOT,
    upgrades: &[],
};

/// A scenario with where its parts stand in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioDocument {
    /// The scenario. Its overlay has a file name and no text yet.
    pub scenario: Scenario,
    /// Where its parts stand.
    pub positions: ScenarioPositions,
}

impl ScenarioDocument {
    /// Reads a scenario.
    ///
    /// # Errors
    /// Everything that is wrong with the document. Whether its names stand for something is told by
    /// [`Setup::build`](crate::model::Setup::build).
    pub fn read(source: &Source) -> Result<Self, Diagnostics> {
        xml::read(source, &SCENARIO_FORMAT, build)
    }
}

pub(super) fn build(root: &Element<'_>, faults: &mut Faults) -> Option<ScenarioDocument> {
    let taking_part = root.names("seats");
    let mut setup = Setup {
        seats: taking_part.iter().map(|(seat, _)| (*seat).to_owned()).collect(),
        ..Setup::default()
    };
    let mut spots = ScenarioPositions {
        source: faults.source().clone(),
        root: root.spot,
        ruleset: root.spot_of("ruleset"),
        map: root.spot_of("map"),
        seats: taking_part.iter().map(|(_, spot)| *spot).collect(),
        players: Vec::new(),
        options: Vec::new(),
        pieces: Vec::new(),
        values: Vec::new(),
        overlay: None,
    };
    let mut players = Vec::new();
    let mut seats = Seen::new("player of seat");
    for player in root.all("player") {
        let (Some(seat), Some(plays)) = (player.text_of("seat"), player.text_of("plays")) else {
            continue;
        };
        seats.add(&seat, player.spot_of("seat"), faults);
        players.push((seat, plays));
        spots.players.push(PlayerSpots {
            seat: player.spot_of("seat"),
            plays: player.spot_of("plays"),
        });
    }
    let mut names = Seen::new("option");
    for option in root.all("option") {
        let (Some(name), Some(value)) = (option.text_of("name"), option.text_of("value")) else {
            continue;
        };
        names.add(&name, option.spot_of("name"), faults);
        setup.options.push((name, value));
        spots.options.push(option.spot);
    }
    for element in root.children.iter().filter(|child| child.name == "piece" || child.name == "pieces") {
        let values = properties::read_list(element, faults)
            .into_iter()
            .map(|(name, value, _)| (name, value))
            .collect();
        let Some(kind) = element.text_of("kind") else { continue };
        let written = SetupPiece {
            kind,
            owner: element.text_of("owner"),
            place: SetupPlace::Off,
            values,
        };
        let at = PieceSpots {
            element: element.spot,
            kind: element.spot_of("kind"),
            owner: element.spot_of("owner"),
            place: element.spot,
        };
        if element.name == "pieces" {
            for (cell, spot) in element.names("at") {
                let place = SetupPlace::Cell(cell.to_owned());
                setup.pieces.push(SetupPiece { place, ..written.clone() });
                spots.pieces.push(PieceSpots { place: spot, ..at });
            }
        } else if let Some((place, spot)) = place(element, faults) {
            setup.pieces.push(SetupPiece { place, ..written });
            spots.pieces.push(PieceSpots { place: spot, ..at });
        }
    }
    for element in root.all("property") {
        let (Some(of), Some(name), Some(value)) = (element.get("of"), element.text_of("name"), element.text_of("value")) else {
            continue;
        };
        let Some(target) = target(of) else {
            let message = format!("`of`: expected match, seat:NAME, cell:NAME or edge:NAME-NAME, found {of:?}");
            faults.error(element.spot_of("of"), Code::BadValue, message);
            continue;
        };
        setup.values.push(SetupValue { target, name, value });
        spots.values.push(ValueSpots {
            of: element.spot_of("of"),
            name: element.spot_of("name"),
            value: element.spot_of("value"),
        });
    }
    let overlay = root.first("overlay").and_then(|overlay| {
        let file = overlay.text_of("file")?;
        let spot = overlay.spot_of("file");
        spots.overlay = Some(spot);
        if !is_inner_path(&file) || file.contains('/') || !file.ends_with(crate::ruleset::SCRIPT_ENDING) {
            faults.error(
                spot,
                Code::BadValue,
                format!("`file`: expected the name of a script beside the scenario, found {file:?}"),
            );
        }
        Some((file, String::new()))
    });
    Some(ScenarioDocument {
        scenario: Scenario {
            id: root.text_of("id")?,
            title: root.text_of("title")?,
            description: root.first("description").map_or_else(String::new, |text| text.text.clone()),
            ruleset: root.text_of("ruleset")?,
            map: root.text_of("map")?,
            players,
            setup,
            overlay,
        },
        positions: spots,
    })
}

/// Where a piece starts, from `at`, `at` with `side` or `pose`, `zone` with `zone_owner`, or `off`.
fn place(element: &Element<'_>, faults: &mut Faults) -> Option<(SetupPlace, Spot)> {
    let given: Vec<_> = ["at", "zone", "off"]
        .into_iter()
        .filter(|name| element.attribute(name).is_some())
        .collect();
    let [place] = given[..] else {
        let message = if given.is_empty() {
            "the piece has no place: say `at`, `zone` or `off`".to_owned()
        } else {
            format!("the piece has several places: {}", given.join(", "))
        };
        faults.error(
            element.spot,
            if given.is_empty() {
                Code::MissingValue
            } else {
                Code::DuplicateName
            },
            message,
        );
        return None;
    };
    for (name, needed) in [("side", "at"), ("pose", "at"), ("zone_owner", "zone")] {
        if let Some(attribute) = element.attribute(name)
            && place != needed
        {
            faults.error(attribute.spot, Code::BadValue, format!("`{name}` stands with `{needed}` only"));
        }
    }
    let text = element.text_of(place)?;
    let read = match place {
        "at" => match (element.text_of("side"), element.text_of("pose")) {
            (Some(_), Some(_)) => {
                faults.error(element.spot_of("pose"), Code::BadValue, "`pose` and `side` do not stand together");
                return None;
            }
            (Some(side), None) => SetupPlace::Side(text, side),
            (None, Some(pose)) => SetupPlace::Lying(text, pose),
            (None, None) => SetupPlace::Cell(text),
        },
        "zone" => SetupPlace::Zone(text, element.text_of("zone_owner")),
        _ => {
            if !element.flag("off") {
                faults.error(
                    element.spot_of("off"),
                    Code::BadValue,
                    "`off` may only say yes; otherwise say where the piece is",
                );
            }
            SetupPlace::Off
        }
    };
    Some((read, element.spot_of(place)))
}

fn target(of: &str) -> Option<SetupTarget> {
    if of == "match" {
        return Some(SetupTarget::Match);
    }
    let (what, name) = of.split_once(':')?;
    if name.is_empty() || name.trim() != name {
        return None;
    }
    match what {
        "seat" => Some(SetupTarget::Seat(name.to_owned())),
        "cell" => Some(SetupTarget::Cell(name.to_owned())),
        "edge" => {
            let ends = lists::split(name);
            let (a, b) = match ends[..] {
                [a, b] => (a, b),
                [ends] => ends
                    .split_once('-')
                    .filter(|(a, b)| !a.is_empty() && !b.is_empty() && !b.contains('-'))?,
                _ => return None,
            };
            Some(SetupTarget::Edge(a.to_owned(), b.to_owned()))
        }
        _ => None,
    }
}

fn print_target(target: &SetupTarget) -> String {
    match target {
        SetupTarget::Match => "match".to_owned(),
        SetupTarget::Seat(seat) => format!("seat:{seat}"),
        SetupTarget::Cell(cell) => format!("cell:{cell}"),
        SetupTarget::Edge(a, b) => {
            let is_plain = |name: &String| !name.contains(['-', ',', ';']) && !name.contains(char::is_whitespace);
            if is_plain(a) && is_plain(b) {
                format!("edge:{a}-{b}")
            } else {
                format!("edge:{}", lists::join(&[a, b]))
            }
        }
    }
}

/// The text of the file of a scenario. The text of its overlay is a file of its own.
pub fn print_scenario(scenario: &Scenario) -> String {
    tag(scenario, Some(SCENARIO_FORMAT.version())).print()
}

/// The element of a scenario; in other documents, whose format says it all, without a version of its own.
pub(super) fn tag(scenario: &Scenario, version: Option<usize>) -> Tag {
    let setup = &scenario.setup;
    let pairs = |tag: &'static str, names: [&'static str; 2], list: &[(String, String)]| {
        let pair = |(a, b): &(String, String)| Tag::new(tag).with(names[0], a).with(names[1], b);
        list.iter().map(pair).collect::<Vec<_>>()
    };
    let description = (!scenario.description.is_empty()).then(|| Tag::new("description").text(&scenario.description));
    let tag = Tag::new("scenario")
        .with_some("format", version)
        .with("id", &scenario.id)
        .with("title", &scenario.title)
        .with("ruleset", &scenario.ruleset)
        .with("map", &scenario.map);
    let tag = if setup.seats.is_empty() {
        tag
    } else {
        tag.with_list("seats", &setup.seats)
    };
    tag.children(description)
        .children(pairs("player", ["seat", "plays"], &scenario.players))
        .children(pairs("option", ["name", "value"], &setup.options))
        .children(piece_tags(&setup.pieces))
        .children(setup.values.iter().map(|value| {
            let of = print_target(&value.target);
            Tag::new("property")
                .with("of", of)
                .with("name", &value.name)
                .with("value", &value.value)
        }))
        .children(scenario.overlay.iter().map(|(file, _)| Tag::new("overlay").with("file", file)))
}

/// Pieces that stand on cells and differ in nothing else share an element.
fn piece_tags(pieces: &[SetupPiece]) -> Vec<Tag> {
    let on_cell = |piece: &SetupPiece| matches!(piece.place, SetupPlace::Cell(_));
    let is_alike =
        |a: &SetupPiece, b: &SetupPiece| on_cell(a) && on_cell(b) && a.kind == b.kind && a.owner == b.owner && a.values == b.values;
    pieces
        .chunk_by(is_alike)
        .filter_map(|alike| {
            let first = alike.first()?;
            let tag = Tag::new(if alike.len() > 1 { "pieces" } else { "piece" })
                .with("kind", &first.kind)
                .with_some("owner", first.owner.as_ref());
            let tag = match &first.place {
                SetupPlace::Cell(_) if alike.len() > 1 => {
                    let cells: Vec<&str> = alike
                        .iter()
                        .filter_map(|piece| {
                            if let SetupPlace::Cell(cell) = &piece.place {
                                Some(cell.as_str())
                            } else {
                                None
                            }
                        })
                        .collect();
                    tag.with_list("at", &cells)
                }
                SetupPlace::Cell(cell) => tag.with("at", cell),
                SetupPlace::Side(cell, side) => tag.with("at", cell).with("side", side),
                SetupPlace::Lying(cell, pose) => tag.with("at", cell).with("pose", pose),
                SetupPlace::Zone(zone, owner) => tag.with("zone", zone).with_some("zone_owner", owner.as_ref()),
                SetupPlace::Off => tag.with_flag("off", true),
            };
            Some(tag.children(properties::write(first.values.iter().map(|(name, value)| (name, value)))))
        })
        .collect()
}
