//! Boards with pieces on them that no ruleset has, for tests and measurements of the board widget.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "tests and benches take in this file, and each uses some of it"
)]
#![allow(clippy::unwrap_used, clippy::must_use_candidate, reason = "tests fail by panicking")]

use std::sync::Arc;

use boardwright::model::{
    Board, CellId, Declarations, Effect, KindDeclaration, KindId, Looks, Map, MapCell, Offset, Orientation, Piece, PieceId, Place,
    SeatDeclaration, SeatId, SeatSet, State, TerrainDeclaration, Topology,
};
use boardwright::ui::board::{Art, BoardReply, BoardView, Clicks, Marks, Scene, Travels};
use egui::{Color32, Ui};

/// A board on stage: the widget and what it shows.
pub struct Stage {
    pub view: BoardView,
    pub state: Arc<State>,
    pub looks: Arc<Looks>,
    pub art: Art,
    pub marks: Marks,
    pub travels: Travels,
    pub washes: Option<Arc<[Color32]>>,
    pub clicks: Clicks,
    pub shows_names: bool,
}

impl Stage {
    /// A board of a map, without pieces.
    pub fn of(map: &Map) -> Self {
        let board = Arc::new(Board::from_map(map).unwrap());
        Self {
            view: BoardView::default(),
            state: Arc::new(State::empty(board, Arc::new(declarations()), &[])),
            looks: Arc::default(),
            art: Art::default(),
            marks: Marks::default(),
            travels: Travels::default(),
            washes: None,
            clicks: Clicks::Taken,
            shows_names: true,
        }
    }

    /// A piece of a kind and a seat on a cell.
    pub fn put(&mut self, cell: CellId, kind: u8, seat: u8) -> PieceId {
        let state = Arc::make_mut(&mut self.state);
        let piece = Piece {
            id: state.next_piece(),
            kind: KindId(kind.into()),
            owner: Some(SeatId(seat)),
            place: Place::Cell(cell),
            revealed: SeatSet::EMPTY,
            values: smallvec::SmallVec::new(),
        };
        let id = piece.id;
        state.apply(&Effect::Spawn(Box::new(piece))).unwrap();
        id
    }

    pub fn cell(&self, name: &str) -> CellId {
        self.state.board().find_cell(name).unwrap()
    }

    pub fn ui(&mut self, ui: &mut Ui) -> BoardReply {
        let scene = Scene {
            state: &self.state,
            looks: &self.looks,
            art: &self.art,
            marks: &self.marks,
            travels: &self.travels,
            washes: self.washes.as_ref(),
            title: "stage",
            translator: None,
            clicks: self.clicks,
            shows_names: self.shows_names,
            takes_wheel: false,
        };
        let reply = self.view.ui(ui, &scene);
        if self.clicks == Clicks::Drawn {
            self.view.minimap_ui(ui, &scene, &reply.response);
        }
        reply
    }
}

/// Two seats, four kinds and four sorts of ground.
pub fn declarations() -> Declarations {
    let seat = |name: &str, colour| SeatDeclaration {
        name: name.into(),
        title: name.into(),
        colour,
    };
    let kind = |name: &str| KindDeclaration {
        name: name.into(),
        title: name.into(),
        glyph: name.get(..1).unwrap().to_uppercase().into(),
        values: Vec::new(),
        figure: None,
    };
    let terrain = |(name, colour): (&str, u32)| TerrainDeclaration {
        name: name.into(),
        title: name.into(),
        colour,
    };
    let terrains = [
        ("clear", 0x00C8_D890),
        ("wood", 0x005F_8F4F),
        ("hill", 0x00B0_9060),
        ("water", 0x0070_A0B8),
    ];
    Declarations {
        seats: vec![seat("north", 0x00B8_402F), seat("south", 0x002F_5F9E)],
        kinds: ["foot", "horse", "guns", "staff"].map(kind).to_vec(),
        terrains: terrains.map(terrain).to_vec(),
        ..Declarations::default()
    }
}

/// Hexes with every sort of ground.
pub fn hexes(width: u16, height: u16) -> Map {
    let topology = Topology::Hex {
        width,
        height,
        orientation: Orientation::Pointy,
        offset: Offset::Odd,
    };
    let mut map = Map::new("hexes", "Hexes", topology);
    let names = ["clear", "clear", "wood", "hill", "clear", "water"];
    for row in 0..i32::from(height) {
        for column in 0..i32::from(width) {
            let patch = (column / 3 + row / 2 * 2 + column * row / 11) as usize;
            map.cells.push(MapCell {
                terrain: Some(names[patch % names.len()].to_owned()),
                ..MapCell::new("", column, row)
            });
        }
    }
    map
}

/// Squares in wood.
pub fn squares(width: u16, height: u16) -> Map {
    let topology = Topology::Square {
        width,
        height,
        diagonals: true,
    };
    Map::new("squares", "Squares", topology)
}
