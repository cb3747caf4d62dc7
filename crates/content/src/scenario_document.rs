//! Scenarios as files, `maps/<ruleset>/<id>.scenario.xml`.

use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{Scenario, SetupFault, SetupFaultKind, SetupItem, SetupPiece, SetupPlace, SetupTarget};
use boardwright_ruleset::did_you_mean;

use super::manifest::is_inner_path;
use super::moment_document;
use super::properties::{PLAYERS, PROPERTIES, PairSpots, Pairs};
use super::xml::{Document, Element, FLAG, Fields, List, Notation, Position, Source, Spot, Text, lists};

/// The ending of scenario files.
pub const SCENARIO_ENDING: &str = ".scenario.xml";

const OPTIONS: Pairs = Pairs {
    element: "option",
    names: ["name", "value"],
    second: Text::Any,
    what: "option",
};
pub(super) const TARGET: Notation<SetupTarget> = Notation {
    expected: "match, seat:NAME, cell:NAME or edge:NAME-NAME",
    parse: target,
    print: print_target,
};

/// A scenario with where its parts stand in its file. Whether its names stand for something is told by
/// [`Setup::build`](boardwright_model::Setup::build).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioDocument {
    /// The scenario. Its overlay has a file name and no text yet.
    pub scenario: Scenario,
    /// Where its parts stand.
    pub positions: ScenarioPositions,
}

impl From<Scenario> for ScenarioDocument {
    fn from(scenario: Scenario) -> Self {
        Self {
            scenario,
            ..Self::default()
        }
    }
}

/// The text of the file of a scenario. The text of its overlay is a file of its own.
pub fn print_scenario(scenario: &Scenario) -> String {
    ScenarioDocument::from(scenario.clone()).print()
}

impl Document for ScenarioDocument {
    const NAME: &'static str = "scenario";

    fn describe(&mut self, fields: &mut Fields<'_>) {
        let Self {
            scenario,
            positions: spots,
        } = self;
        let setup = &mut scenario.setup;
        spots.source = fields.source();
        spots.root = fields.spot();
        fields.required("id", &Text::Id, &mut scenario.id);
        fields.required("title", &Text::Name, &mut scenario.title);
        spots.ruleset = fields.required("ruleset", &Text::Id, &mut scenario.ruleset);
        spots.map = fields.required("map", &Text::Id, &mut scenario.map);
        fields.default("seats", &List::Filled, &mut setup.seats);
        spots.seats = fields.spots_in("seats");
        let mut description = Some(scenario.description.clone()).filter(|text| !text.is_empty());
        fields.optional_child("description", &mut description, |fields, text| {
            fields.text(text);
        });
        scenario.description = description.unwrap_or_default();
        spots.players = PLAYERS.describe(fields, &mut scenario.players);
        spots.options = OPTIONS.describe(fields, &mut setup.options);
        let mut groups = PieceGroup::all_of(&setup.pieces);
        fields.mixed(&["pieces", "piece"], &mut groups, PieceGroup::element, |fields, name, group| {
            group.describe(name, fields);
        });
        if fields.element().is_some() {
            (setup.pieces, spots.pieces) = groups.into_iter().flat_map(PieceGroup::into_pieces).unzip();
        }
        fields.list("property", &mut setup.values, |fields, value| {
            spots.values.push(ValueSpots {
                of: fields.required("of", &TARGET, &mut value.target),
                name: fields.required("name", &Text::Name, &mut value.name),
                value: fields.required("value", &Text::Any, &mut value.value),
            });
        });
        let mut moment = setup.moment.take().map(|moment| *moment);
        fields.optional_child("moment", &mut moment, |fields, moment| {
            spots.moment = fields.spot();
            moment_document::describe(fields, moment);
        });
        setup.moment = moment.map(Box::new);
        fields.optional_child("overlay", &mut scenario.overlay, |fields, (file, _)| {
            spots.overlay = fields.required("file", &Text::Name, file);
            let is_beside = is_inner_path(file) && !file.contains('/') && file.ends_with(boardwright_ruleset::SCRIPT_ENDING);
            if fields.is_whole() && !is_beside {
                let message = format!("`file`: expected the name of a script beside the scenario, found {file:?}");
                fields.error(spots.overlay, Code::BadValue, message);
            }
        });
    }
}

/// A piece, or pieces that stand on cells and differ in nothing else, which share an element.
#[derive(Default)]
pub(super) struct PieceGroup {
    piece: SetupPiece,
    spots: PieceSpots,
    /// Where they stand, if there are several.
    cells: Vec<String>,
    cell_spots: Vec<Spot>,
}

impl PieceGroup {
    fn all_of(pieces: &[SetupPiece]) -> Vec<Self> {
        let cell = |piece: &SetupPiece| match &piece.place {
            SetupPlace::Cell(cell) => Some(cell.clone()),
            _ => None,
        };
        let is_alike = |a: &SetupPiece, b: &SetupPiece| {
            let are_nameless = a.name.is_none() && b.name.is_none();
            are_nameless && cell(a).is_some() && cell(b).is_some() && a.kind == b.kind && a.owner == b.owner && a.values == b.values
        };
        let group = |alike: &[SetupPiece]| {
            let several = Some(alike).filter(|alike| alike.len() > 1);
            Some(Self {
                piece: alike.first()?.clone(),
                cells: several.into_iter().flatten().filter_map(cell).collect(),
                ..Self::default()
            })
        };
        pieces.chunk_by(is_alike).filter_map(group).collect()
    }

    /// Some pieces that stand on cells and differ in nothing else.
    pub(super) fn of(pieces: &[SetupPiece]) -> Self {
        let cell = |piece: &SetupPiece| match &piece.place {
            SetupPlace::Cell(cell) => Some(cell.clone()),
            _ => None,
        };
        Self {
            piece: pieces.first().cloned().unwrap_or_default(),
            cells: pieces.iter().filter_map(cell).collect(),
            ..Self::default()
        }
    }

    /// One piece in an element of its own.
    pub(super) fn of_one(piece: &SetupPiece) -> Self {
        Self {
            piece: piece.clone(),
            ..Self::default()
        }
    }

    pub(super) fn element(&self) -> &'static str {
        if self.cells.is_empty() { "piece" } else { "pieces" }
    }

    pub(super) fn describe(&mut self, name: &str, fields: &mut Fields<'_>) {
        let Self { piece, spots, .. } = self;
        spots.element = fields.spot();
        spots.kind = fields.required("kind", &Text::Name, &mut piece.kind);
        spots.owner = fields.optional("owner", &Text::Name, &mut piece.owner);
        if name == "pieces" {
            fields.required("at", &List::Filled, &mut self.cells);
            self.cell_spots = fields.spots_in("at");
        } else {
            spots.name = fields.optional("name", &Text::Name, &mut piece.name);
            spots.place = describe_place(fields, &mut piece.place);
        }
        PROPERTIES.describe(fields, &mut piece.values);
    }

    fn into_pieces(self) -> Vec<(SetupPiece, PieceSpots)> {
        if self.cells.is_empty() {
            return vec![(self.piece, self.spots)];
        }
        let on_cell = |(cell, place)| {
            let mut piece = self.piece.clone();
            piece.place = SetupPlace::Cell(cell);
            (piece, PieceSpots { place, ..self.spots })
        };
        self.cells.into_iter().zip(self.cell_spots).map(on_cell).collect()
    }
}

/// Visits where a piece starts: `at`, `at` with `side` or `pose`, `zone` with `zone_owner`, `aboard`, or `off`.
fn describe_place(fields: &mut Fields<'_>, place: &mut SetupPlace) -> Spot {
    let (mut at, mut side, mut pose, mut zone, mut zone_owner, mut aboard, mut off) = (None, None, None, None, None, None, false);
    match std::mem::take(place) {
        SetupPlace::Cell(cell) => at = Some(cell),
        SetupPlace::Side(cell, direction) => (at, side) = (Some(cell), Some(direction)),
        SetupPlace::Posed(cell, lying) => (at, pose) = (Some(cell), Some(lying)),
        SetupPlace::Zone(name, owner) => (zone, zone_owner) = (Some(name), owner),
        SetupPlace::Aboard(carrier) => aboard = Some(carrier),
        SetupPlace::Off => off = fields.element().is_none(),
    }
    fields.optional("at", &Text::Name, &mut at);
    fields.optional("side", &Text::Name, &mut side);
    fields.optional("pose", &Text::Name, &mut pose);
    fields.optional("zone", &Text::Name, &mut zone);
    fields.optional("zone_owner", &Text::Name, &mut zone_owner);
    fields.optional("aboard", &Text::Name, &mut aboard);
    fields.default("off", &FLAG, &mut off);
    let spot = fields
        .element()
        .map_or_else(Spot::default, |element| check_place(fields, element, off));
    *place = match (at, side, pose, zone, aboard) {
        (Some(cell), Some(side), ..) => SetupPlace::Side(cell, side),
        (Some(cell), None, Some(pose), ..) => SetupPlace::Posed(cell, pose),
        (Some(cell), None, None, ..) => SetupPlace::Cell(cell),
        (None, _, _, Some(zone), _) => SetupPlace::Zone(zone, zone_owner),
        (None, _, _, None, Some(carrier)) => SetupPlace::Aboard(carrier),
        (None, _, _, None, None) => SetupPlace::Off,
    };
    spot
}

/// Tells which attributes do not together say where a piece starts; where the one that does stands.
fn check_place(fields: &mut Fields<'_>, element: &Element<'_>, is_off: bool) -> Spot {
    let is_given = |name: &&str| element.attribute(name).is_some();
    let given: Vec<_> = ["at", "zone", "aboard", "off"].into_iter().filter(is_given).collect();
    let [place] = given[..] else {
        let (code, message) = if given.is_empty() {
            let message = "the piece has no place: say `at`, `zone`, `aboard` or `off`".to_owned();
            (Code::MissingValue, message)
        } else {
            let message = format!("the piece has several places: {}", given.join(", "));
            (Code::DuplicateName, message)
        };
        fields.error(element.spot, code, message);
        return element.spot;
    };
    for (name, needed) in [("side", "at"), ("pose", "at"), ("zone_owner", "zone")] {
        if let Some(attribute) = element.attribute(name).filter(|_| place != needed) {
            fields.error(attribute.spot, Code::BadValue, format!("`{name}` stands with `{needed}` only"));
        }
    }
    if place == "at" && ["side", "pose"].iter().all(is_given) {
        let message = "`pose` and `side` do not stand together";
        fields.error(element.spot_of("pose"), Code::BadValue, message);
    }
    if place == "off" && !is_off && fields.is_whole() {
        let message = "`off` may only say yes; otherwise say where the piece is";
        fields.error(element.spot_of("off"), Code::BadValue, message);
    }
    element.spot_of(place)
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

/// Where the parts of a scenario stand in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioPositions {
    source: Source,
    root: Spot,
    ruleset: Spot,
    map: Spot,
    seats: Vec<Spot>,
    players: Vec<PairSpots>,
    options: Vec<PairSpots>,
    pieces: Vec<PieceSpots>,
    values: Vec<ValueSpots>,
    overlay: Spot,
    moment: Spot,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PieceSpots {
    element: Spot,
    kind: Spot,
    owner: Spot,
    name: Spot,
    place: Spot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ValueSpots {
    of: Spot,
    name: Spot,
    value: Spot,
}

/// A part of a scenario that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioPart {
    /// The whole.
    Whole,
    /// The name of the ruleset.
    Ruleset,
    /// The name of the map.
    Map,
    /// The seat of an entry of `players`.
    Seat(usize),
    /// The player of an entry of `players`.
    Player(usize),
    /// The file of the overlay.
    Overlay,
    /// An option, piece or value of the setup.
    Item(SetupItem),
}

impl ScenarioPositions {
    /// Line and column of a part of the setup. What stands in the map is not here: then the scenario as a whole.
    pub fn locate(&self, item: SetupItem) -> Position {
        self.source.position(self.spot(ScenarioPart::Item(item)))
    }

    /// A diagnostic about a part of the scenario.
    pub fn at(&self, part: ScenarioPart, found: Diagnostic) -> Diagnostic {
        found.at(self.source.place(self.spot(part)))
    }

    fn spot(&self, part: ScenarioPart) -> Spot {
        let player = |index: usize| self.players.get(index);
        let spot = match part {
            ScenarioPart::Whole | ScenarioPart::Item(SetupItem::MapCell(_) | SetupItem::MapEdge(_)) => None,
            ScenarioPart::Ruleset => Some(self.ruleset),
            ScenarioPart::Map => Some(self.map),
            ScenarioPart::Seat(index) => player(index).map(|[_, seat, _]| *seat),
            ScenarioPart::Player(index) => player(index).map(|[_, _, plays]| *plays),
            ScenarioPart::Overlay => Some(self.overlay),
            ScenarioPart::Item(SetupItem::Moment) => Some(self.moment),
            ScenarioPart::Item(SetupItem::Seat(index)) => self.seats.get(index).copied(),
            ScenarioPart::Item(SetupItem::Option(index)) => self.options.get(index).map(|[element, ..]| *element),
            ScenarioPart::Item(SetupItem::Piece(index)) => self.pieces.get(index).map(|piece| piece.element),
            ScenarioPart::Item(SetupItem::Value(index)) => self.values.get(index).map(|value| value.of),
        };
        spot.unwrap_or(self.root)
    }

    /// What an author is told of a fault of the setup. Faults of the map's own properties stand at the map's name; use
    /// [`MapPositions::at_cell`](super::MapPositions::at_cell) and [`at_edge`](super::MapPositions::at_edge) to show them in the map.
    pub fn diagnostic(&self, fault: &SetupFault) -> Diagnostic {
        let code = match &fault.kind {
            SetupFaultKind::Unknown { .. } => Code::UnknownName,
            SetupFaultKind::Twice(_) | SetupFaultKind::SeatTwice(_) | SetupFaultKind::PieceTwice(_) => Code::DuplicateName,
            SetupFaultKind::Value { .. } | SetupFaultKind::DoesNotLie(_) | SetupFaultKind::AboardItself(_) | SetupFaultKind::TooMany => {
                Code::BadValue
            }
        };
        let found = Diagnostic::error(code, fault.to_string()).at(self.source.place(self.spot_of(fault)));
        let help = match &fault.kind {
            SetupFaultKind::Unknown { name, known, .. } => did_you_mean(name, known.split(", ")),
            SetupFaultKind::Value { error, .. } => Some(error.help()),
            _ => None,
        };
        help.into_iter().fold(found, Diagnostic::with_help)
    }

    /// The attribute that a fault is about, as nearly as it is known.
    fn spot_of(&self, fault: &SetupFault) -> Spot {
        let what = match &fault.kind {
            SetupFaultKind::Unknown { what, .. } => *what,
            _ => "",
        };
        match fault.item {
            SetupItem::Piece(index) => self.pieces.get(index).map(|piece| match what {
                "kind" => piece.kind,
                "seat" => piece.owner,
                "cell" | "zone" | "direction" | "pose" | "piece" => piece.place,
                _ if matches!(fault.kind, SetupFaultKind::DoesNotLie(_) | SetupFaultKind::AboardItself(_)) => piece.place,
                _ if matches!(fault.kind, SetupFaultKind::PieceTwice(_)) => piece.name,
                _ => piece.element,
            }),
            SetupItem::Value(index) => self.values.get(index).map(|value| match (&fault.kind, what) {
                (SetupFaultKind::Value { .. }, _) => value.value,
                (_, "property") => value.name,
                _ => value.of,
            }),
            SetupItem::MapCell(_) | SetupItem::MapEdge(_) => Some(self.map),
            SetupItem::Seat(_) | SetupItem::Option(_) | SetupItem::Moment => None,
        }
        .unwrap_or_else(|| self.spot(ScenarioPart::Item(fault.item)))
    }
}
