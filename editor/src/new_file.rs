//! The dialogs in which new maps and scenarios are begun, and copies made.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardwright_content::Catalog;
use boardwright_content::xml::is_id;
use boardwright_editing::Draft;
use boardwright_model::diagnostic::Diagnostics;
use boardwright_model::{Map, MapCell, MapLine, Offset, Orientation, Scenario, Topology};
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, remark_ui, segments_ui, space, titled_dialog_ui};
use boardwright_ui::{keys, text};
use egui::{ComboBox, DragValue, Grid, TextEdit, Ui};

use crate::file::path_for;
use crate::picture::PictureRequest;
use crate::random_map::RandomMap;
use crate::ruleset::Ruleset;

/// What a new map begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Beginning {
    /// An empty board.
    #[default]
    Empty,
    /// A mask, and a drawing.
    Picture,
    /// What the ruleset generates.
    Random,
    /// A copy of the map with an id.
    Copy(String),
}

/// How the cells of a new map lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    #[default]
    HexFlat,
    HexPointy,
    Square,
    Points,
    Areas,
}

/// The greatest width and height that the dialog offers.
const MOST_SIDE: u16 = 500;
/// The same of points and areas.
const MOST_DRAWN: u16 = 30;

/// What is filled in for a new map.
#[derive(Debug)]
pub(crate) struct NewMap {
    ruleset: String,
    title: String,
    id: String,
    has_own_id: bool,
    shape: Shape,
    has_diagonals: bool,
    width: u16,
    height: u16,
    beginning: Beginning,
    mask: String,
    drawing: String,
    random: RandomMap,
    /// What kept a random map, or one from a picture, from being made.
    fault: Option<String>,
}

/// What is filled in for a new scenario.
#[derive(Debug)]
pub(crate) struct NewScenario {
    ruleset: String,
    title: String,
    id: String,
    has_own_id: bool,
    map: Option<String>,
    /// The scenario that it is a copy of.
    original: Option<Scenario>,
    /// Whether its map is copied as well.
    copies_map: bool,
}

/// Files to be made and opened.
#[derive(Debug)]
pub(crate) struct Made {
    /// Where each is to lie, and what is to be in it.
    pub(crate) files: Vec<(PathBuf, Draft)>,
}

/// What became of a dialog in a frame.
#[derive(Debug)]
pub(crate) enum Reply {
    /// It stays.
    Open,
    /// It is closed.
    Closed,
    /// It is closed, and files are to be made.
    Made(Made),
    /// It is closed, and a map is to be made of a picture.
    Import(PictureRequest),
}

/// An id made of a title: `Two rivers` is `two-rivers`.
fn id_of(title: &str) -> String {
    let plain = |letter: char| match letter.to_ascii_lowercase() {
        letter @ ('a'..='z' | '0'..='9') => letter,
        _ => '-',
    };
    let words: String = title.chars().map(plain).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-").chars().take(64).collect()
}

fn ruleset_row_ui(ui: &mut Ui, catalog: &Catalog, ruleset: &mut String) -> bool {
    let before = ruleset.clone();
    let label = ui.label(text!("new-ruleset"));
    let shown = catalog
        .rulesets
        .get(ruleset)
        .map_or(ruleset.as_str(), |entry| entry.title())
        .to_owned();
    let combo = ComboBox::from_id_salt("new ruleset")
        .selected_text(shown)
        .width(240.0)
        .show_ui(ui, |ui| {
            for entry in catalog.rulesets.values() {
                ui.selectable_value(ruleset, entry.id.clone(), entry.title());
            }
        });
    combo.response.labelled_by(label.id);
    ui.end_row();
    *ruleset != before
}

/// The title, in which one can write at once, and the name of the file; true if Enter was pressed in one of them.
fn title_rows_ui(ui: &mut Ui, title: &mut String, id: &mut String, has_own_id: &mut bool) -> bool {
    let label = ui.label(text!("new-title"));
    let field = ui.add(TextEdit::singleline(title).desired_width(240.0)).labelled_by(label.id);
    if field.changed() && !*has_own_id {
        *id = id_of(title);
    }
    if title.is_empty() && ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    let mut is_entered = keys::is_entered(ui, &field);
    ui.end_row();
    let label = ui.label(text!("new-id"));
    let field = ui.add(TextEdit::singleline(id).desired_width(240.0)).labelled_by(label.id);
    *has_own_id |= field.changed();
    is_entered |= keys::is_entered(ui, &field);
    ui.end_row();
    is_entered
}

/// Shows why nothing can be made yet, and the buttons; true if it is to be made. Enter in a field does that too.
fn buttons_ui(ui: &mut Ui, fault: Option<String>, is_entered: bool, reply: &mut Reply) -> bool {
    ui.add_space(space::S);
    let is_right = fault.is_none();
    remark_ui(ui, fault.unwrap_or_else(|| text!("new-remark")));
    ui.add_space(space::XS);
    let mut makes = false;
    ui.horizontal(|ui| {
        let make = IconButton::with_text(Icon::Check, text!("new-make")).kind(ButtonKind::Primary);
        makes = ui.add_enabled(is_right, make).clicked();
        if ui.add(IconButton::text(text!("dialog-cancel"))).clicked() {
            *reply = Reply::Closed;
        }
    });
    makes || (is_entered && is_right)
}

fn fault_of(id: &str, title: &str, path: &Path) -> Option<String> {
    if title.trim().is_empty() {
        return Some(text!("new-no-title"));
    }
    if !is_id(id) {
        return Some(text!("new-no-id"));
    }
    path.exists().then(|| text!("new-taken", file = path.display().to_string()))
}

impl NewMap {
    /// A form for a map of a ruleset.
    pub(crate) fn new(ruleset: String) -> Self {
        Self {
            ruleset,
            title: String::new(),
            id: String::new(),
            has_own_id: false,
            shape: Shape::default(),
            has_diagonals: true,
            width: 16,
            height: 12,
            beginning: Beginning::default(),
            mask: String::new(),
            drawing: String::new(),
            random: RandomMap::default(),
            fault: None,
        }
    }

    /// The ruleset that is chosen.
    pub(crate) fn ruleset(&self) -> &str {
        &self.ruleset
    }

    /// The same form, which says why nothing could be made of the picture.
    pub(crate) fn refused(self, found: &Diagnostics) -> Self {
        let fault = found.iter().next().map(ToString::to_string);
        Self { fault, ..self }
    }

    /// Fills in a picture: as the mask if its name says so or the drawing is filled in already.
    pub(crate) fn take_picture(&mut self, path: &Path) {
        self.beginning = Beginning::Picture;
        let name = path
            .file_stem()
            .map(|name| name.to_string_lossy().to_lowercase())
            .unwrap_or_default();
        let is_mask = name.contains("mask") || (!self.drawing.is_empty() && self.mask.is_empty());
        let field = if is_mask { &mut self.mask } else { &mut self.drawing };
        *field = path.display().to_string();
    }

    /// Shows the form. `root_for` gives the content folder in which files of a ruleset are made.
    pub(crate) fn ui(&mut self, ui: &Ui, catalog: &Catalog, rules: &Ruleset, root_for: &dyn Fn(&str) -> PathBuf) -> Reply {
        let mut reply = Reply::Open;
        let stays = titled_dialog_ui(ui, "new-map", text!("edit-new-map"), 460.0, |ui| {
            let grid = Grid::new("new-map").num_columns(2).spacing([space::M, space::S]);
            let mut is_entered = false;
            grid.show(ui, |ui| {
                if ruleset_row_ui(ui, catalog, &mut self.ruleset) {
                    // Pictures belong to no ruleset.
                    if self.beginning != Beginning::Picture {
                        self.beginning = Beginning::default();
                    }
                    self.random = RandomMap::default();
                    self.fault = None;
                }
                is_entered = title_rows_ui(ui, &mut self.title, &mut self.id, &mut self.has_own_id);
                let before = self.beginning.clone();
                self.beginning_row_ui(ui, catalog, rules);
                if self.beginning != before {
                    self.fault = None;
                }
                if self.beginning == Beginning::Picture {
                    let before = (self.mask.clone(), self.drawing.clone());
                    is_entered |= self.picture_rows_ui(ui);
                    if before != (self.mask.clone(), self.drawing.clone()) {
                        self.fault = None;
                    }
                }
            });
            ui.add_space(space::S);
            match self.beginning {
                Beginning::Empty => self.shape_ui(ui),
                Beginning::Picture => remark_ui(ui, text!("new-picture-remark")),
                Beginning::Random => {
                    if self.random.ui(ui, rules) {
                        self.fault = None;
                    }
                }
                Beginning::Copy(_) => {}
            }
            let path = path_for(&root_for(&self.ruleset), &self.ruleset, &self.id, true);
            let fault = fault_of(&self.id, &self.title, &path);
            let fault = fault.or_else(|| self.picture_fault()).or_else(|| self.fault.clone());
            if buttons_ui(ui, fault, is_entered, &mut reply) {
                reply = self.made(path, catalog, rules);
            }
        });
        if stays || !matches!(reply, Reply::Open) {
            reply
        } else {
            Reply::Closed
        }
    }

    /// What is to be made, or why a random map cannot be.
    fn made(&mut self, path: PathBuf, catalog: &Catalog, rules: &Ruleset) -> Reply {
        let (id, title) = (self.id.clone(), self.title.trim().to_owned());
        let map = match &self.beginning {
            Beginning::Picture => {
                let drawing = self.drawing.trim();
                return Reply::Import(PictureRequest {
                    path,
                    id,
                    title,
                    mask: PathBuf::from(self.mask.trim()),
                    drawing: (!drawing.is_empty()).then(|| PathBuf::from(drawing)),
                });
            }
            Beginning::Random => match self.random.map(rules, &id, &title) {
                Ok(map) => map,
                Err(found) => {
                    self.fault = found.iter().next().map(|first| first.message.clone());
                    return Reply::Open;
                }
            },
            Beginning::Copy(of) => match catalog.map(&self.ruleset, of) {
                Ok(document) => Map { id, title, ..document.map },
                Err(_) => self.empty_map(),
            },
            Beginning::Empty => self.empty_map(),
        };
        Reply::Made(Made {
            files: vec![(path, Draft::Map(map))],
        })
    }

    fn beginning_row_ui(&mut self, ui: &mut Ui, catalog: &Catalog, rules: &Ruleset) {
        let label = ui.label(text!("new-template"));
        let maps = catalog.rulesets.get(&self.ruleset).map(|entry| &entry.maps);
        let shown = match &self.beginning {
            Beginning::Empty => text!("new-empty"),
            Beginning::Picture => text!("new-picture"),
            Beginning::Random => text!("new-random"),
            Beginning::Copy(id) => maps.and_then(|maps| maps.get(id)).map_or(id.clone(), |map| map.title.clone()),
        };
        let combo = ComboBox::from_id_salt("new template")
            .selected_text(shown)
            .width(240.0)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut self.beginning, Beginning::Empty, text!("new-empty"));
                ui.selectable_value(&mut self.beginning, Beginning::Picture, text!("new-picture"));
                if rules.generates_maps() {
                    ui.selectable_value(&mut self.beginning, Beginning::Random, text!("new-random"));
                }
                for map in maps.into_iter().flat_map(|maps| maps.values()) {
                    ui.selectable_value(&mut self.beginning, Beginning::Copy(map.id.clone()), &map.title);
                }
            });
        combo.response.labelled_by(label.id);
        ui.end_row();
    }

    /// The fields for the two pictures; true if Enter was pressed in one.
    fn picture_rows_ui(&mut self, ui: &mut Ui) -> bool {
        let mut is_entered = false;
        for (path, name) in [(&mut self.mask, text!("new-mask")), (&mut self.drawing, text!("new-drawing"))] {
            let label = ui.label(name);
            let field = TextEdit::singleline(path).desired_width(320.0).hint_text(text!("new-picture-hint"));
            let field = ui.add(field).labelled_by(label.id);
            is_entered |= keys::is_entered(ui, &field);
            ui.end_row();
        }
        is_entered
    }

    /// What the pictures lack.
    fn picture_fault(&self) -> Option<String> {
        if self.beginning != Beginning::Picture {
            return None;
        }
        if self.mask.trim().is_empty() {
            return Some(text!("new-no-mask"));
        }
        let pictures = [self.mask.trim(), self.drawing.trim()].into_iter().filter(|path| !path.is_empty());
        let missing = pictures.map(Path::new).find(|path| !path.is_file());
        missing.map(|path| text!("new-no-picture", file = path.display().to_string()))
    }

    fn shape_ui(&mut self, ui: &mut Ui) {
        let shapes = [
            (Shape::HexFlat, text!("new-hex-flat")),
            (Shape::HexPointy, text!("new-hex-pointy")),
            (Shape::Square, text!("new-square")),
            (Shape::Points, text!("new-points")),
            (Shape::Areas, text!("new-areas")),
        ];
        segments_ui(ui, &text!("new-shape"), &mut self.shape, &shapes);
        ui.add_space(space::S);
        let is_drawn = matches!(self.shape, Shape::Points | Shape::Areas);
        let most = if is_drawn { MOST_DRAWN } else { MOST_SIDE };
        ui.horizontal(|ui| {
            for (value, name) in [(&mut self.width, text!("new-width")), (&mut self.height, text!("new-height"))] {
                *value = (*value).clamp(1, most);
                let label = ui.label(name);
                ui.add(DragValue::new(value).range(1..=most)).labelled_by(label.id);
            }
            if self.shape == Shape::Square {
                ui.checkbox(&mut self.has_diagonals, text!("new-diagonals"));
            }
        });
        if is_drawn {
            remark_ui(ui, text!("new-drawn-remark"));
        }
    }

    fn empty_map(&self) -> Map {
        let (width, height) = (self.width, self.height);
        let hex = |orientation| Topology::Hex {
            width,
            height,
            orientation,
            offset: Offset::Odd,
        };
        let topology = match self.shape {
            Shape::HexFlat => hex(Orientation::Flat),
            Shape::HexPointy => hex(Orientation::Pointy),
            Shape::Square => Topology::Square {
                width,
                height,
                diagonals: self.has_diagonals,
            },
            Shape::Points | Shape::Areas => Topology::Graph,
        };
        let mut map = Map::new(self.id.clone(), self.title.trim(), topology);
        if topology == Topology::Graph {
            draw_rows(&mut map, width.into(), height.into(), self.shape == Shape::Areas);
        }
        map
    }
}

/// Rows of points on lines, or of areas that touch.
fn draw_rows(map: &mut Map, width: i32, height: i32, are_areas: bool) {
    const SIDE: i32 = 1000;
    let name = |column: i32, row: i32| Topology::default_name(column, row).unwrap_or_default();
    for (column, row) in (0..height).flat_map(|row| (0..width).map(move |column| (column, row))) {
        let (x, y) = (column * SIDE, row * SIDE);
        let mut cell = MapCell::new(name(column, row), x, y);
        if are_areas {
            let half = SIDE / 2;
            cell.outline = vec![vec![
                (x - half, y - half),
                (x + half, y - half),
                (x + half, y + half),
                (x - half, y + half),
            ]];
        }
        map.cells.push(cell);
    }
    if are_areas {
        for (column, row) in (0..height).flat_map(|row| (0..width).map(move |column| (column, row))) {
            for (other_column, other_row) in [(column + 1, row), (column, row + 1)] {
                if other_column < width && other_row < height {
                    map.lines.push(MapLine::new([name(column, row), name(other_column, other_row)]));
                }
            }
        }
        return;
    }
    if width > 1 {
        map.lines
            .extend((0..height).map(|row| MapLine::new((0..width).map(|column| name(column, row)))));
    }
    if height > 1 {
        map.lines
            .extend((0..width).map(|column| MapLine::new((0..height).map(|row| name(column, row)))));
    }
}

impl NewScenario {
    /// A form for a scenario of a ruleset.
    pub(crate) fn new(ruleset: String) -> Self {
        Self {
            ruleset,
            title: String::new(),
            id: String::new(),
            has_own_id: false,
            map: None,
            original: None,
            copies_map: false,
        }
    }

    /// A form for a copy of a scenario.
    pub(crate) fn copy_of(original: Scenario) -> Self {
        Self {
            ruleset: original.ruleset.clone(),
            title: text!("new-copy-title", title = original.title.as_str()),
            id: format!("{}-copy", original.id),
            has_own_id: false,
            map: Some(original.map.clone()),
            original: Some(original),
            copies_map: true,
        }
    }

    /// A form for a scenario on a map.
    pub(crate) fn on_map(ruleset: String, map: String) -> Self {
        Self {
            map: Some(map),
            ..Self::new(ruleset)
        }
    }

    /// Shows the form. `map_of` finds maps, also those that are open.
    pub(crate) fn ui(
        &mut self,
        ui: &Ui,
        catalog: &Catalog,
        root_for: &dyn Fn(&str) -> PathBuf,
        map_of: &dyn Fn(&str, &str) -> Option<Arc<Map>>,
    ) -> Reply {
        let mut reply = Reply::Open;
        let heading = if self.original.is_some() {
            text!("edit-copy-of")
        } else {
            text!("edit-new-scenario")
        };
        let stays = titled_dialog_ui(ui, "new-scenario", heading, 460.0, |ui| {
            let grid = Grid::new("new-scenario").num_columns(2).spacing([space::M, space::S]);
            let mut is_entered = false;
            grid.show(ui, |ui| {
                if self.original.is_none() && ruleset_row_ui(ui, catalog, &mut self.ruleset) {
                    self.map = None;
                }
                is_entered = title_rows_ui(ui, &mut self.title, &mut self.id, &mut self.has_own_id);
                if self.original.is_none() {
                    self.map_row_ui(ui, catalog);
                }
            });
            if self.original.is_some() {
                ui.checkbox(&mut self.copies_map, text!("new-copy-map"))
                    .on_hover_text(text!("new-copy-map-hint"));
            }
            let root = root_for(&self.ruleset);
            let path = path_for(&root, &self.ruleset, &self.id, false);
            let mut fault = fault_of(&self.id, &self.title, &path);
            if self.map.is_none() {
                fault = fault.or_else(|| Some(text!("new-no-map")));
            }
            let map_path = path_for(&root, &self.ruleset, &self.id, true);
            if self.original.is_some() && self.copies_map {
                fault = fault.or_else(|| fault_of(&self.id, &self.title, &map_path));
            }
            if buttons_ui(ui, fault, is_entered, &mut reply) {
                reply = Reply::Made(self.made(path, map_path, map_of));
            }
        });
        if stays || !matches!(reply, Reply::Open) {
            reply
        } else {
            Reply::Closed
        }
    }

    fn map_row_ui(&mut self, ui: &mut Ui, catalog: &Catalog) {
        let label = ui.label(text!("new-map"));
        let maps = catalog.rulesets.get(&self.ruleset).map(|entry| &entry.maps);
        if self.map.is_none() {
            self.map = maps.and_then(|maps| maps.keys().next().cloned());
        }
        let title_of = |id: &String| maps.and_then(|maps| maps.get(id)).map_or(id.clone(), |map| map.title.clone());
        let shown = self.map.as_ref().map(title_of).unwrap_or_default();
        let combo = ComboBox::from_id_salt("new scenario map")
            .selected_text(shown)
            .width(240.0)
            .show_ui(ui, |ui| {
                for map in maps.into_iter().flat_map(|maps| maps.values()) {
                    ui.selectable_value(&mut self.map, Some(map.id.clone()), &map.title);
                }
            });
        combo.response.labelled_by(label.id);
        ui.end_row();
    }

    fn made(&self, path: PathBuf, map_path: PathBuf, map_of: &dyn Fn(&str, &str) -> Option<Arc<Map>>) -> Made {
        let mut files = Vec::new();
        let mut map = self.map.clone().unwrap_or_default();
        if self.original.is_some()
            && self.copies_map
            && let Some(original) = map_of(&self.ruleset, &map)
        {
            map.clone_from(&self.id);
            let copy = Map {
                id: self.id.clone(),
                title: self.title.trim().to_owned(),
                ..Map::clone(&original)
            };
            files.push((map_path, Draft::Map(copy)));
        }
        let scenario = Scenario {
            id: self.id.clone(),
            title: self.title.trim().to_owned(),
            ruleset: self.ruleset.clone(),
            map,
            ..self.original.clone().unwrap_or_default()
        };
        files.push((path, Draft::Scenario(scenario)));
        Made { files }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::Board;

    #[test]
    fn ids_are_made_of_titles() {
        assert_eq!(id_of("Two rivers, one hill!"), "two-rivers-one-hill");
        assert!(is_id(&id_of("Řeka 2")));
    }

    #[test]
    fn new_maps_of_points_and_areas_make_boards() {
        for are_areas in [true, false] {
            let mut map = Map::new("m", "M", Topology::Graph);
            draw_rows(&mut map, 4, 3, are_areas);
            let board = Board::from_map(&map).unwrap();
            assert_eq!((board.cell_count(), board.edge_count()), (12, 17));
        }
    }
}
