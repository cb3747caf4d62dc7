//! What is shown of a draft: a board, and a state with the pieces on it. A draft may be wrong in many places; whatever of it makes sense is
//! shown.

use std::sync::Arc;

use boardwright_editing::Draft;
use boardwright_model::{
    Board, CellId, Declarations, Effect, Looks, Map, MapFault, MapPlace, PieceId, Scenario, Setup, SetupItem, State, TerrainId, Topology,
};

use crate::ruleset::{Appearance, Ruleset};

/// What is shown of a draft.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The map the board was made of.
    pub(crate) map: Arc<Map>,
    /// The board with what stands on it.
    pub(crate) state: Arc<State>,
    /// How things look.
    pub(crate) looks: Arc<Looks>,
    /// By piece of the state, its position among those of the scenario.
    pieces: Vec<usize>,
    appearance: Appearance,
}

impl Drawn {
    /// Draws a draft; `map` is that of a scenario.
    ///
    /// # Errors
    /// If there is no way to make a board of it.
    pub(crate) fn new(draft: &Draft, map: Option<Arc<Map>>, ruleset: &Ruleset) -> Result<Self, Vec<MapFault>> {
        let map = match draft {
            Draft::Map(map) => Arc::new(map.clone()),
            Draft::Scenario(_) => map.unwrap_or_else(|| Arc::new(empty_map())),
        };
        let board = Arc::new(board_of(&map)?);
        let declarations = ruleset.declarations_for(&board);
        let (state, pieces) = state_of(draft.scenario(), &board, &declarations);
        let mut drawn = Self {
            map,
            state: Arc::new(state),
            looks: Arc::default(),
            pieces,
            appearance: Appearance::default(),
        };
        drawn.look(ruleset);
        Ok(drawn)
    }

    /// Draws again what has changed in a draft. What is seen of the board stays.
    pub(crate) fn update(&mut self, draft: &Draft, map: Option<Arc<Map>>, ruleset: &Ruleset) {
        match (draft, map) {
            (Draft::Map(new), _) if *new == *self.map => {}
            (Draft::Map(new), _) => {
                if differs_in_more_than_terrain(new, &self.map) {
                    self.map = Arc::new(new.clone());
                    if let Ok(board) = board_of(new) {
                        let board = Arc::new(board);
                        let declarations = ruleset.declarations_for(&board);
                        self.state = Arc::new(state_of(None, &board, &declarations).0);
                    }
                } else {
                    // The map that is kept is compared with the next one.
                    self.map = Arc::new(new.clone());
                    self.paint(new.cells.iter().map(|cell| ((cell.x, cell.y), cell.terrain.as_deref())), true);
                }
            }
            (Draft::Scenario(scenario), map) => {
                if let Some(map) = map.filter(|map| !Arc::ptr_eq(map, &self.map) && **map != *self.map) {
                    self.map = map;
                    if let Ok(board) = board_of(&self.map) {
                        let board = Arc::new(board);
                        let declarations = ruleset.declarations_for(&board);
                        self.state = Arc::new(State::empty(board, declarations, &[]));
                    }
                }
                let (board, declarations) = (Arc::clone(self.state.board()), ruleset.declarations_for(self.state.board()));
                let (state, pieces) = state_of(Some(scenario), &board, &declarations);
                (self.state, self.pieces) = (Arc::new(state), pieces);
            }
        }
        self.look(ruleset);
    }

    /// Shows other terrains on cells of a grid. `is_all` is whether those that are not listed have the default one.
    pub(crate) fn paint<'a>(&mut self, changes: impl IntoIterator<Item = ((i32, i32), Option<&'a str>)>, is_all: bool) {
        let board = Arc::clone(self.state.board());
        let declarations = Arc::clone(self.state.declarations());
        let default = TerrainId::from_index(0);
        let mut known: Option<(&str, TerrainId)> = None;
        let mut wanted = is_all.then(|| vec![default; board.cell_count()]);
        let state = Arc::make_mut(&mut self.state);
        let set = |state: &mut State, cell: CellId, new: TerrainId| {
            let old = state.terrain(cell).unwrap_or(default);
            if old != new && board.contains(cell) {
                let applied = state.apply(&Effect::Terrain { cell, old, new });
                debug_assert!(applied.is_ok());
            }
        };
        for (place, terrain) in changes {
            let terrain = match (terrain, known) {
                (None, _) => default,
                (Some(name), Some((last, id))) if last == name => id,
                (Some(name), _) => {
                    let id = declarations.find_terrain(name).unwrap_or(default);
                    known = Some((name, id));
                    id
                }
            };
            let Some(cell) = cell_of(&board, place) else { continue };
            match &mut wanted {
                Some(wanted) => {
                    if let Some(slot) = wanted.get_mut(cell.index()) {
                        *slot = terrain;
                    }
                }
                None => set(state, cell, terrain),
            }
        }
        for (index, terrain) in wanted.into_iter().flatten().enumerate() {
            set(state, CellId::from_index(index), terrain);
        }
    }

    fn look(&mut self, ruleset: &Ruleset) {
        let looks = self.appearance.looks(ruleset, &self.state);
        if *self.looks != looks {
            self.looks = Arc::new(looks);
        }
    }

    /// The map without what is wrong in it: of it the board is made.
    pub(crate) fn sound_map(&self) -> Map {
        sound(&self.map).map_or_else(|| Map::clone(&self.map), |(map, _)| map)
    }

    /// The board.
    pub(crate) fn board(&self) -> &Arc<Board> {
        self.state.board()
    }

    /// The position of a piece among those of the scenario.
    pub(crate) fn setup_index(&self, piece: PieceId) -> Option<usize> {
        self.pieces.get(piece.index()).copied()
    }

    /// The piece that stands for an entry of the scenario; none if the entry is wrong.
    pub(crate) fn piece_of(&self, index: usize) -> Option<PieceId> {
        self.pieces.iter().position(|known| *known == index).map(PieceId::from_index)
    }
}

/// The cell of a grid at a column and row.
pub(crate) fn cell_of(board: &Board, (column, row): (i32, i32)) -> Option<CellId> {
    let (width, height) = board.topology().size()?;
    let is_inside = (0..i32::from(width)).contains(&column) && (0..i32::from(height)).contains(&row);
    let index = usize::try_from(row).ok()? * usize::from(width) + usize::try_from(column).ok()?;
    is_inside.then(|| CellId::from_index(index))
}

fn empty_map() -> Map {
    Map::new(
        "empty",
        "",
        Topology::Square {
            width: 1,
            height: 1,
            diagonals: true,
        },
    )
}

/// The board of a map, without what is wrong in it; of a map without any cell, a square.
fn board_of(map: &Map) -> Result<Board, Vec<MapFault>> {
    sound(map).map_or_else(|| Board::from_map(&empty_map()), |(_, board)| Ok(board))
}

/// A map without what is wrong in it, and its board.
fn sound(map: &Map) -> Option<(Map, Board)> {
    let mut kept = map.clone();
    let size = |map: &Map| (map.cells.len(), map.lines.len(), map.regions.len(), map.edges.len());
    loop {
        let faults = match Board::from_map(&kept) {
            Ok(board) => return Some((kept, board)),
            Err(faults) => faults,
        };
        let before = size(&kept);
        drop_faulty(&mut kept, &faults);
        if before == size(&kept) {
            return None;
        }
    }
}

fn drop_faulty(map: &mut Map, faults: &[MapFault]) {
    let mut places: Vec<MapPlace> = faults.iter().map(MapFault::place).collect();
    let index = |place: &MapPlace| match *place {
        MapPlace::Topology => 0,
        MapPlace::Cell(index) | MapPlace::Line(index) | MapPlace::Region(index) | MapPlace::Edge(index) => index,
    };
    places.sort_by_key(|place| std::cmp::Reverse(index(place)));
    places.dedup();
    for place in places {
        match place {
            MapPlace::Topology => {}
            MapPlace::Cell(index) => drop_at(&mut map.cells, index),
            MapPlace::Line(index) => drop_at(&mut map.lines, index),
            MapPlace::Region(index) => drop_at(&mut map.regions, index),
            MapPlace::Edge(index) => drop_at(&mut map.edges, index),
        }
    }
}

fn drop_at<T>(list: &mut Vec<T>, index: usize) {
    if index < list.len() {
        list.remove(index);
    }
}

/// The state of a scenario, or of an empty board: without the entries that are wrong, and the position of each piece among the entries.
fn state_of(scenario: Option<&Scenario>, board: &Arc<Board>, declarations: &Arc<Declarations>) -> (State, Vec<usize>) {
    let empty = || (State::empty(Arc::clone(board), Arc::clone(declarations), &[]), Vec::new());
    // Also without a scenario the map gives cells and edges their properties.
    let mut setup: Setup = scenario.map(|scenario| scenario.setup.clone()).unwrap_or_default();
    let mut pieces: Vec<usize> = (0..setup.pieces.len()).collect();
    // Each time something is dropped, so it ends.
    loop {
        let faults = match setup.build(board, declarations) {
            Ok(state) => return (state, pieces),
            Err(faults) => faults,
        };
        let mut items: Vec<SetupItem> = faults.iter().map(|fault| fault.item).collect();
        items.sort();
        items.dedup();
        let mut is_smaller = false;
        for item in items.into_iter().rev() {
            match item {
                SetupItem::Seat(index) if index < setup.seats.len() => drop(setup.seats.remove(index)),
                SetupItem::Option(index) if index < setup.options.len() => drop(setup.options.remove(index)),
                SetupItem::Piece(index) if index < setup.pieces.len() => {
                    setup.pieces.remove(index);
                    pieces.remove(index);
                }
                SetupItem::Value(index) if index < setup.values.len() => drop(setup.values.remove(index)),
                _ => continue,
            }
            is_smaller = true;
        }
        if !is_smaller {
            return empty();
        }
    }
}

/// Whether maps that differ do so in anything that the board shows besides the terrain of the cells of a grid.
fn differs_in_more_than_terrain(new: &Map, old: &Map) -> bool {
    if new.topology != old.topology || new.topology == Topology::Graph || new.regions != old.regions || new.edges != old.edges {
        return true;
    }
    // Both list the cells of which something is said, by row and column.
    let says_more = |cell: &&boardwright_model::MapCell| {
        cell.absent || cell.elevation != 0 || !cell.name.is_empty() || !cell.title.is_empty() || !cell.properties.is_empty()
    };
    let key = |cell: &boardwright_model::MapCell| (cell.x, cell.y, cell.absent, cell.elevation);
    let (one, other) = (new.cells.iter().filter(says_more), old.cells.iter().filter(says_more));
    !one.map(|cell| (key(cell), &cell.name, &cell.title, &cell.properties))
        .eq(other.map(|cell| (key(cell), &cell.name, &cell.title, &cell.properties)))
}
