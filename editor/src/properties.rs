//! The fields of what is selected: of the file, of cells and edges, of pieces, of a scenario.

use std::collections::BTreeMap;

use boardwright_editing::{Edit, Splice, Step, StepKind, setup};
use boardwright_model::{
    AuthoredProperties, Board, CellId, Map, MapCell, MapEdge, Pose, PropertyDeclaration, Scenario, Scope, SetupPiece, SetupPlace,
    SetupTarget, Topology,
};
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, from_right_ui, heading_ui, remark_ui, seat_colour, seat_mark_ui, space, strong};
use boardwright_ui::{offered_players, player_title};
use egui::{ComboBox, DragValue, Id, TextEdit, Ui};

use crate::editor::Ask;
use crate::file::OpenFile;
use crate::values::{Changed, Typed, goes_on, property_ui, text_ui, value_row_ui};

/// Shows the fields.
pub(crate) fn properties_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    match file.document.draft().scenario() {
        None => {
            if file.selection.cells().is_empty() {
                file_ui(ui, file, asks);
            } else {
                cells_ui(ui, file, asks);
            }
        }
        Some(scenario) => {
            if file.selection.pieces().is_empty() && file.selection.cells().is_empty() {
                scenario_ui(ui, file, scenario, asks);
            } else {
                pieces_ui(ui, file, scenario, asks);
                cell_values_ui(ui, file, scenario, asks);
            }
        }
    }
}

fn title_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    let draft = file.document.draft();
    let label = ui.label(text!("new-title")).id;
    if let Some(title) = text_ui(ui, Id::unique("drawing title").with(file.document.path()), draft.title(), label) {
        asks.push(Ask::Apply(Step::one(StepKind::Title, Edit::Title(title))));
    }
}

fn file_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    heading_ui(ui, Icon::Map, &text!("side-map"));
    title_ui(ui, file, asks);
    ui.add_space(space::XS);
    let facts = [
        text!("map-id", id = file.document.draft().id()),
        text!("map-ruleset", title = file.ruleset.title.as_str()),
        file.status(),
    ];
    for fact in facts {
        remark_ui(ui, fact);
    }
    ui.add_space(space::S);
    remark_ui(ui, text!("properties-none-selected"));
    if !file.ruleset.findings.is_empty() {
        ui.add_space(space::S);
        heading_ui(ui, Icon::Warning, &text!("edit-without-ruleset"));
        file.ruleset
            .findings
            .iter()
            .take(3)
            .for_each(|problem| boardwright_ui::problem_ui(ui, problem));
    }
}

/// What a map says of a cell.
fn entry(map: &Map, file: &OpenFile, cell: CellId) -> MapCell {
    let place = file.place(cell);
    if map.topology == Topology::Graph {
        return map.cells.get(cell.index()).cloned().unwrap_or_default();
    }
    let listed = map.cells.iter().find(|known| (known.x, known.y) == place);
    listed.cloned().unwrap_or_else(|| MapCell::new("", place.0, place.1))
}

/// A step that says something else of cells.
fn changed_cells(file: &OpenFile, kind: StepKind, change: impl Fn(&mut MapCell)) -> Option<Step> {
    let map = file.map()?;
    let selected = file.selection.cells().iter();
    if map.topology == Topology::Graph {
        let changed = selected.map(|cell| {
            let mut entry = entry(map, file, *cell);
            change(&mut entry);
            Edit::Points(Splice::replace(cell.index(), entry))
        });
        return Some(Step::new(kind, changed.collect()));
    }
    // Grids list cells by rows, and may have many.
    let listed: BTreeMap<_, &MapCell> = map.cells.iter().map(|cell| ((cell.x, cell.y), cell)).collect();
    let changed = selected.map(|cell| {
        let place = file.place(*cell);
        let mut entry = listed
            .get(&place)
            .map_or_else(|| MapCell::new("", place.0, place.1), |cell| MapCell::clone(cell));
        change(&mut entry);
        (place, Some(entry))
    });
    Some(Step::one(kind, Edit::Cells(changed.collect())))
}

fn cells_ui(ui: &mut Ui, file: &OpenFile, asks: &mut Vec<Ask>) {
    let (Some(map), Some(first)) = (file.map(), file.selection.cells().first().copied()) else {
        return;
    };
    let board = file.drawn.board();
    let declarations = file.drawn.state.declarations();
    let count = file.selection.cells().len();
    let heading = if count == 1 {
        text!("cell-one", name = board.cell_name(first))
    } else {
        text!("cell-several", count = count)
    };
    heading_ui(ui, Icon::Select, &heading);
    let shown = entry(map, file, first);
    if count == 1 {
        ui.horizontal(|ui| {
            let label = ui.label(text!("cell-name")).id;
            let salt = Id::unique("cell name").with(first.index());
            if let Some(name) = text_ui(ui, salt, &shown.name, label) {
                asks.push(crate::paint::rename_cell(map, file, first, name.trim()));
            }
        });
    }
    let mut push = |step: Option<Step>, goes_on: bool| asks.extend(step.map(|step| Ask::of(step, goes_on)));
    if !declarations.terrains.is_empty() {
        ui.horizontal(|ui| {
            let label = ui.label(text!("cell-terrain"));
            let default = declarations
                .terrains
                .first()
                .map(|terrain| terrain.title.to_string())
                .unwrap_or_default();
            let known = shown
                .terrain
                .as_ref()
                .and_then(|name| declarations.terrains.iter().find(|terrain| *terrain.name == **name));
            let title = known.map_or_else(|| shown.terrain.clone().unwrap_or(default), |terrain| terrain.title.to_string());
            let combo = ComboBox::from_id_salt("cell terrain")
                .selected_text(title)
                .width(130.0)
                .show_ui(ui, |ui| {
                    for (index, terrain) in declarations.terrains.iter().enumerate() {
                        let name = (index > 0).then(|| terrain.name.to_string());
                        if ui.selectable_label(shown.terrain == name, &*terrain.title).clicked() {
                            push(changed_cells(file, StepKind::Paint, |cell| cell.terrain.clone_from(&name)), false);
                        }
                    }
                });
            combo.response.labelled_by(label.id);
        });
    }
    ui.horizontal(|ui| {
        let label = ui.label(text!("cell-height"));
        let mut height = shown.elevation;
        let field = ui
            .add(DragValue::new(&mut height).range(-999..=999).speed(0.05))
            .labelled_by(label.id);
        let goes_on = goes_on(ui, &field);
        if field.changed() {
            push(changed_cells(file, StepKind::Elevation, |cell| cell.elevation = height), goes_on);
        }
    });
    if map.topology == Topology::Graph && count == 1 {
        ui.horizontal(|ui| {
            let mut place = (shown.x, shown.y);
            let label = ui.label(text!("cell-place"));
            let x = ui.add(DragValue::new(&mut place.0).speed(10)).labelled_by(label.id);
            let y = ui.add(DragValue::new(&mut place.1).speed(10)).labelled_by(label.id);
            for field in [x, y] {
                let goes_on = goes_on(ui, &field);
                if field.changed() {
                    push(changed_cells(file, StepKind::Points, |cell| (cell.x, cell.y) = place), goes_on);
                }
            }
        });
    }
    let properties = declarations.properties_of(Scope::Cell);
    for (_, property) in properties {
        let set = shown.properties.get(&*property.name).map(String::as_str);
        if let Some(Changed { new, goes_on }) = property_ui(ui, ("cell", first.index()), property, declarations, set) {
            let name = property.name.to_string();
            let step = changed_cells(file, StepKind::Property, |cell| {
                set_property(&mut cell.properties, &name, new.clone());
            });
            push(step, goes_on);
        }
    }
    if count == 1 {
        edges_ui(ui, file, map, first, asks);
    }
    ui.add_space(space::S);
    remark_ui(ui, crate::status_line::cell_text(file, first));
}

fn set_property(properties: &mut AuthoredProperties, name: &str, value: Option<String>) {
    match value {
        Some(value) => drop(properties.insert(name.to_owned(), value)),
        None => drop(properties.remove(name)),
    }
}

/// The properties of the edges of a cell, neighbour by neighbour.
fn edges_ui(ui: &mut Ui, file: &OpenFile, map: &Map, cell: CellId, asks: &mut Vec<Ask>) {
    let (board, declarations) = (file.drawn.board(), file.drawn.state.declarations());
    if declarations.properties_of(Scope::Edge).next().is_none() {
        return;
    }
    ui.add_space(space::S);
    heading_ui(ui, Icon::Line, &text!("cell-edges"));
    let here = board.cell_name(cell).to_owned();
    for other in board.neighbours(cell) {
        let there = board.cell_name(*other).to_owned();
        let is_edge = |edge: &&MapEdge| (edge.a == here && edge.b == there) || (edge.a == there && edge.b == here);
        let index = map.edges.iter().position(|edge| is_edge(&edge));
        let entry = index.and_then(|index| map.edges.get(index));
        for (_, property) in declarations.properties_of(Scope::Edge) {
            let named = of_edge(property, &there);
            let set = entry.and_then(|edge| edge.properties.get(&*property.name)).map(String::as_str);
            let Some(Changed { new, goes_on }) = property_ui(ui, ("edge", cell.index(), other.index()), &named, declarations, set) else {
                continue;
            };
            let mut edge = entry.cloned().unwrap_or_else(|| MapEdge {
                a: here.clone(),
                b: there.clone(),
                ..MapEdge::default()
            });
            set_property(&mut edge.properties, &property.name, new);
            let splice = match index {
                Some(index) if edge.properties.is_empty() => Splice::remove(index),
                Some(index) => Splice::replace(index, edge),
                None => Splice::insert(map.edges.len(), edge),
            };
            asks.push(Ask::of(Step::one(StepKind::Property, Edit::Edges(splice)), goes_on));
        }
    }
}

/// A property of an edge under a title that says to which cell the edge leads.
fn of_edge(property: &PropertyDeclaration, there: &str) -> PropertyDeclaration {
    PropertyDeclaration {
        title: text!("cell-edge-to", title = &*property.title, name = there).into(),
        ..property.clone()
    }
}

fn scenario_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, asks: &mut Vec<Ask>) {
    let declarations = &file.ruleset.declarations;
    heading_ui(ui, Icon::Pawn, &text!("side-scenario"));
    title_ui(ui, file, asks);
    let label = ui.label(text!("scenario-description")).id;
    let salt = Id::unique("scenario description").with(file.document.path());
    if let Some(description) = lines_ui(ui, salt, &scenario.description, label) {
        asks.push(Ask::Apply(Step::one(StepKind::Title, Edit::Description(description))));
    }
    remark_ui(
        ui,
        text!("scenario-map", map = scenario.map.as_str(), ruleset = file.ruleset.title.as_str()),
    );
    if !declarations.seats.is_empty() {
        ui.add_space(space::S);
        heading_ui(ui, Icon::Person, &text!("scenario-seats"));
        seats_ui(ui, file, scenario, asks);
    }
    if !declarations.options.is_empty() {
        ui.add_space(space::S);
        heading_ui(ui, Icon::Gear, &text!("scenario-options"));
        for option in &declarations.options {
            let index = scenario.setup.options.iter().position(|(name, _)| **name == *option.name);
            let set = index
                .and_then(|index| scenario.setup.options.get(index))
                .map(|(_, value)| value.as_str());
            let salt = Id::unique("scenario option").with(&*option.name);
            let new = value_row_ui(ui, salt, &option.title, &option.value_type, &option.default, declarations, set);
            if let Some(Changed { new, goes_on }) = new {
                let name = option.name.to_string();
                let splice = spliced(index, scenario.setup.options.len(), new.map(|value| (name, value)));
                asks.push(Ask::of(Step::one(StepKind::Options, Edit::Options(splice)), goes_on));
            }
        }
    }
    for (scope, heading) in [
        (Scope::Match, text!("scenario-match")),
        (Scope::Seat, text!("scenario-seat-values")),
    ] {
        if declarations.properties_of(scope).next().is_none() {
            continue;
        }
        ui.add_space(space::S);
        heading_ui(ui, Icon::Note, &heading);
        let seats = declarations.seats.iter().filter(|seat| takes_part(scenario, &seat.name));
        let targets: Vec<(SetupTarget, String)> = match scope {
            Scope::Match => vec![(SetupTarget::Match, String::new())],
            _ => seats
                .map(|seat| (SetupTarget::Seat(seat.name.to_string()), seat.title.to_string()))
                .collect(),
        };
        for (target, title) in targets {
            if !title.is_empty() {
                ui.label(strong(title));
            }
            values_ui(ui, file, scenario, scope, &target, asks);
        }
    }
    ui.add_space(space::S);
    remark_ui(ui, text!("scenario-hint"));
}

/// What replaces an entry of a list, joins it or goes from it.
fn spliced<T>(index: Option<usize>, count: usize, new: Option<T>) -> Splice<T> {
    match (index, new) {
        (Some(index), Some(new)) => Splice::replace(index, new),
        (Some(index), None) => Splice::remove(index),
        (None, Some(new)) => Splice::insert(count, new),
        (None, None) => Splice {
            at: 0,
            remove: 0,
            insert: Vec::new(),
        },
    }
}

/// Properties of the match, a seat, a cell or an edge.
fn values_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, scope: Scope, target: &SetupTarget, asks: &mut Vec<Ask>) {
    let declarations = &file.ruleset.declarations;
    for (_, property) in declarations.properties_of(scope) {
        let set = setup::property_of(scenario, target, &property.name);
        // Without a value of its own it has the one that the map gives it.
        let mut property = match target {
            SetupTarget::Edge(_, there) => of_edge(property, there),
            _ => property.clone(),
        };
        if let Some(authored) = authored(file, target, &property.name).filter(|_| set.is_none()) {
            property.default = property.value_type.parse(authored).unwrap_or(property.default);
        }
        if let Some(Changed { new, goes_on }) = property_ui(ui, format!("{target:?}"), &property, declarations, set) {
            let edits = setup::property(scenario, target, &property.name, new.as_deref());
            asks.push(Ask::of(Step::new(StepKind::Property, edits), goes_on));
        }
    }
}

/// What the map says of a property of a cell or an edge.
fn authored<'a>(file: &'a OpenFile, target: &SetupTarget, name: &str) -> Option<&'a str> {
    let board = file.drawn.board();
    match target {
        SetupTarget::Cell(cell) => board.authored_properties(board.find_cell(cell)?).get(name).map(String::as_str),
        SetupTarget::Edge(a, b) => {
            let edge = board.edge_between(board.find_cell(a)?, board.find_cell(b)?)?;
            board.authored_edge_properties(edge).get(name).map(String::as_str)
        }
        SetupTarget::Match | SetupTarget::Seat(_) => None,
    }
}

fn takes_part(scenario: &Scenario, seat: &str) -> bool {
    scenario.setup.seats.is_empty() || scenario.setup.seats.iter().any(|known| known == seat)
}

/// The seats that take part, and who plays each.
fn seats_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, asks: &mut Vec<Ask>) {
    let declarations = &file.ruleset.declarations;
    for (index, seat) in declarations.seats.iter().enumerate() {
        let is_in = takes_part(scenario, &seat.name);
        ui.horizontal(|ui| {
            let colour = seat_colour(declarations, boardwright_model::SeatId::from_index(index));
            seat_mark_ui(ui, colour, index, 20.0);
            let mut wanted = is_in;
            let check = ui.checkbox(&mut wanted, &*seat.title).on_hover_text(text!("scenario-seat-hint"));
            if check.changed() {
                asks.push(Ask::Apply(seat_step(file, scenario, &seat.name, wanted)));
            }
            if is_in {
                from_right_ui(ui, |ui| player_ui(ui, file, scenario, (&seat.name, &seat.title), asks));
            }
        });
    }
}

fn seat_step(file: &OpenFile, scenario: &Scenario, seat: &str, joins: bool) -> Step {
    let declared = file.ruleset.declarations.seats.iter().map(|seat| seat.name.to_string());
    let wanted = declared
        .filter(|known| if known == seat { joins } else { takes_part(scenario, known) })
        .collect();
    let all = Splice {
        at: 0,
        remove: scenario.setup.seats.len(),
        insert: wanted,
    };
    let mut edits = vec![Edit::Seats(all)];
    let player = scenario.players.iter().position(|(known, _)| known == seat).filter(|_| !joins);
    edits.extend(player.map(|index| Edit::Players(Splice::remove(index))));
    Step::new(StepKind::Seats, edits)
}

fn player_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, (seat, title): (&str, &str), asks: &mut Vec<Ask>) {
    let index = scenario.players.iter().position(|(known, _)| known == seat);
    let now = index
        .and_then(|index| scenario.players.get(index))
        .map(|(_, player)| player.as_str());
    let shown = now.map_or_else(|| text!("scenario-anybody"), player_title);
    let mut chosen = None;
    let combo = ComboBox::from_id_salt(("player", seat))
        .selected_text(shown)
        .width(100.0)
        .truncate()
        .height(420.0)
        .show_ui(ui, |ui| {
            if ui.selectable_label(now.is_none(), text!("scenario-anybody")).clicked() {
                chosen = Some(None);
            }
            for player in offered_players(&file.ruleset.strategies()) {
                if ui.selectable_label(now == Some(&*player), player_title(&player)).clicked() {
                    chosen = Some(Some((seat.to_owned(), player)));
                }
            }
        });
    combo.response.accessible_name(text!("seats-player-of", seat = title));
    if let Some(chosen) = chosen {
        let splice = spliced(index, scenario.players.len(), chosen);
        asks.push(Ask::Apply(Step::one(StepKind::Players, Edit::Players(splice))));
    }
}

/// A field of several lines whose text counts when it is left.
fn lines_ui(ui: &mut Ui, salt: Id, now: &str, label: Id) -> Option<String> {
    let mut typed = Typed::begin(ui, salt, now);
    let id = typed.field();
    let field = TextEdit::multiline(&mut typed.text)
        .id(id)
        .desired_rows(3)
        .desired_width(f32::INFINITY);
    let field = ui.add(field).labelled_by(label);
    typed.end(ui, &field, now)
}

/// The pieces that are selected, and those of the selected cell.
fn pieces_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, asks: &mut Vec<Ask>) {
    let declarations = &file.ruleset.declarations;
    let count = file.selection.pieces().len();
    if count == 0 {
        return;
    }
    let Some((first, piece)) = file
        .selection
        .pieces()
        .first()
        .and_then(|index| Some((*index, scenario.setup.pieces.get(*index)?)))
    else {
        return;
    };
    let kind = declarations.find_kind(&piece.kind).and_then(|kind| declarations.kind(kind));
    let title = kind.map_or(piece.kind.as_str(), |kind| &kind.title);
    let heading = if count == 1 {
        text!("piece-one", title = title, place = place_text(&piece.place))
    } else {
        text!("piece-several", count = count)
    };
    heading_ui(ui, Icon::Pawn, &heading);
    let change = |change: &dyn Fn(&mut SetupPiece)| {
        let changed = file.selection.pieces().iter().filter_map(|index| {
            let mut piece = scenario.setup.pieces.get(*index)?.clone();
            change(&mut piece);
            Some(Edit::Pieces(Splice::replace(*index, piece)))
        });
        Ask::Apply(Step::new(StepKind::Pieces, changed.collect()))
    };
    ui.horizontal(|ui| {
        let label = ui.label(text!("palette-owner"));
        let seat = piece.owner.as_deref().and_then(|owner| declarations.find_seat(owner));
        let seat = seat.and_then(|seat| declarations.seats.get(seat.index()));
        let shown = seat.map_or_else(|| text!("palette-nobody"), |seat| seat.title.to_string());
        let combo = ComboBox::from_id_salt("piece owner")
            .selected_text(shown)
            .width(130.0)
            .show_ui(ui, |ui| {
                if ui.selectable_label(piece.owner.is_none(), text!("palette-nobody")).clicked() {
                    asks.push(change(&|piece| piece.owner = None));
                }
                for seat in &declarations.seats {
                    let is_chosen = piece.owner.as_deref() == Some(&*seat.name);
                    if ui.selectable_label(is_chosen, &*seat.title).clicked() {
                        asks.push(change(&|piece| piece.owner = Some(seat.name.to_string())));
                    }
                }
            });
        combo.response.labelled_by(label.id);
    });
    zone_ui(ui, file, piece, &change, asks);
    facing_ui(ui, file, piece, kind.is_some_and(|kind| kind.figure.is_some()), &change, asks);
    let values = kind.map(|kind| &kind.values);
    for (id, property) in declarations.properties_of(Scope::Piece) {
        let set = piece
            .values
            .iter()
            .find(|(name, _)| **name == *property.name)
            .map(|(_, value)| value.as_str());
        let mut property = property.clone();
        if let Some((_, default)) = values.and_then(|values| values.iter().find(|(known, _)| *known == id)) {
            property.default = default.clone();
        }
        if let Some(Changed { new, goes_on }) = property_ui(ui, ("piece", first), &property, declarations, set) {
            let changed = change(&|piece| {
                piece.values.retain(|(name, _)| **name != *property.name);
                piece.values.extend(new.clone().map(|value| (property.name.to_string(), value)));
            });
            asks.push(match changed {
                Ask::Apply(step) => Ask::of(step, goes_on),
                other => other,
            });
        }
    }
    ui.add_space(space::XS);
    let delete = IconButton::with_text(Icon::Trash, text!("piece-delete", count = count));
    if ui.add(delete).clicked() {
        asks.push(Ask::Delete);
    }
    ui.add_space(space::S);
}

/// The pose of a piece with a shape, the side of its cell on which another one is.
fn facing_ui(
    ui: &mut Ui,
    file: &OpenFile,
    piece: &SetupPiece,
    has_shape: bool,
    change: &impl Fn(&dyn Fn(&mut SetupPiece)) -> Ask,
    asks: &mut Vec<Ask>,
) {
    let board = file.drawn.board();
    let (title, names, now) = match &piece.place {
        SetupPlace::Posed(_, pose) => (text!("palette-pose"), pose_names(), Some(pose.as_str())),
        SetupPlace::Cell(_) if has_shape => (text!("palette-pose"), pose_names(), Some(Pose::UPRIGHT.word())),
        SetupPlace::Cell(_) => (text!("piece-side"), side_names(board), None),
        SetupPlace::Side(_, side) => (text!("piece-side"), side_names(board), Some(side.as_str())),
        SetupPlace::Off | SetupPlace::Zone(..) | SetupPlace::Aboard(_) => return,
    };
    if names.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        let label = ui.label(title);
        let shown = now.map_or_else(|| text!("piece-no-side"), str::to_owned);
        let combo = ComboBox::from_id_salt("piece facing").selected_text(shown).width(130.0);
        let combo = combo.show_ui(ui, |ui| {
            if !has_shape && ui.selectable_label(now.is_none(), text!("piece-no-side")).clicked() {
                asks.push(change(&|piece| {
                    if let Some(cell) = setup::cell_of(piece).cloned() {
                        piece.place = SetupPlace::Cell(cell);
                    }
                }));
            }
            for name in &names {
                if ui.selectable_label(now == Some(name.as_str()), name).clicked() {
                    asks.push(change(&|piece| {
                        if let Some(cell) = setup::cell_of(piece).cloned() {
                            piece.place = if has_shape {
                                SetupPlace::Posed(cell, name.clone())
                            } else {
                                SetupPlace::Side(cell, name.clone())
                            };
                        }
                    }));
                }
            }
        });
        combo.response.labelled_by(label.id);
    });
}

fn pose_names() -> Vec<String> {
    Pose::ALL.iter().map(|pose| pose.word().to_owned()).collect()
}

fn side_names(board: &Board) -> Vec<String> {
    board
        .directions()
        .map(|direction| board.direction_name(direction).to_owned())
        .collect()
}

fn zone_ui(ui: &mut Ui, file: &OpenFile, piece: &SetupPiece, change: &impl Fn(&dyn Fn(&mut SetupPiece)) -> Ask, asks: &mut Vec<Ask>) {
    let declarations = file.drawn.state.declarations();
    ui.horizontal(|ui| {
        let label = ui.label(text!("piece-zone"));
        let combo = ComboBox::from_id_salt("piece zone")
            .selected_text(place_text(&piece.place))
            .width(130.0);
        let combo = combo.show_ui(ui, |ui| {
            for (place, title) in crate::zones::places(declarations) {
                if ui.selectable_label(piece.place == place, title).clicked() {
                    asks.push(change(&|piece| piece.place = place.clone()));
                }
            }
        });
        combo.response.labelled_by(label.id);
    });
}

/// Where a piece is, in a word or two.
pub(crate) fn place_text(place: &SetupPlace) -> String {
    match place {
        SetupPlace::Off => text!("piece-off"),
        SetupPlace::Cell(cell) => cell.clone(),
        SetupPlace::Side(cell, side) | SetupPlace::Posed(cell, side) => format!("{cell} {side}"),
        SetupPlace::Aboard(carrier) => text!("piece-aboard", carrier = carrier.as_str()),
        SetupPlace::Zone(zone, owner) => owner.as_ref().map_or_else(|| zone.clone(), |owner| format!("{zone} ({owner})")),
    }
}

/// The pieces on a cell with what is aboard them, lowest first: how deep each is aboard others, and its position among those of the scenario.
fn stack(file: &OpenFile, scenario: &Scenario, cell: CellId) -> Vec<(usize, usize)> {
    let mut open: Vec<(usize, usize)> = file.pieces_on(cell).into_iter().rev().map(|index| (0, index)).collect();
    let mut all: Vec<(usize, usize)> = Vec::new();
    while let Some((depth, index)) = open.pop() {
        if all.iter().all(|(_, known)| *known != index) {
            all.push((depth, index));
            let aboard = setup::aboard(scenario, index).into_iter().rev();
            open.extend(aboard.map(|index| (depth + 1, index)));
        }
    }
    all
}

/// The pieces on a cell: a click selects one of them, and the selected one can be put aboard another, or ashore again.
fn stack_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, cell: CellId, asks: &mut Vec<Ask>) {
    let here = stack(file, scenario, cell);
    if here.len() < 2 {
        return;
    }
    ui.add_space(space::S);
    heading_ui(ui, Icon::Layers, &text!("piece-stack", count = here.len()));
    let declarations = &file.ruleset.declarations;
    let chosen = file.selection.pieces();
    for (number, (depth, index)) in here.into_iter().enumerate() {
        let Some(piece) = scenario.setup.pieces.get(index) else { continue };
        let kind = declarations.find_kind(&piece.kind).and_then(|kind| declarations.kind(kind));
        let title = kind.map_or(piece.kind.as_str(), |kind| &kind.title);
        ui.horizontal(|ui| {
            ui.add_space(depth as f32 * space::L);
            if let Some(seat) = piece.owner.as_deref().and_then(|owner| declarations.find_seat(owner)) {
                seat_mark_ui(ui, seat_colour(declarations, seat), seat.index(), 18.0);
            }
            let row = IconButton::text(text!("piece-in-stack", number = number + 1, title = title))
                .kind(ButtonKind::Quiet)
                .selected(file.selection.pieces().contains(&index))
                .height(26.0);
            if ui.add(row).clicked() {
                asks.push(Ask::SelectPieces([index].into()));
            }
            let small = |icon, label| IconButton::icon(icon, label).height(26.0);
            if chosen.contains(&index) {
                let ashore = small(Icon::Back, text!("piece-ashore", title = title));
                if depth > 0 && ui.add(ashore).clicked() {
                    let cell = file.drawn.board().cell_name(cell).to_owned();
                    asks.push(Ask::PlacePieces([index].into(), SetupPlace::Cell(cell)));
                }
            } else if !chosen.is_empty() {
                let edits = setup::put_aboard(scenario, chosen, index);
                let aboard = small(Icon::Layers, text!("piece-put-aboard", number = number + 1, title = title));
                if ui.add_enabled(!edits.is_empty(), aboard).clicked() {
                    asks.push(Ask::Apply(Step::new(StepKind::Pieces, edits)));
                }
            }
        });
    }
}

/// What a scenario says of the selected cell, or of the one on which the selected piece stands.
fn cell_values_ui(ui: &mut Ui, file: &OpenFile, scenario: &Scenario, asks: &mut Vec<Ask>) {
    let board = file.drawn.board();
    let piece = || {
        let only = file.selection.pieces().first().filter(|_| file.selection.pieces().len() == 1)?;
        let carrier = setup::outermost(scenario, *only);
        let name = setup::cell_of(scenario.setup.pieces.get(carrier)?)?;
        board.find_cell(name)
    };
    let selected = file.selection.only_cell();
    let Some(cell) = selected.or_else(piece) else { return };
    stack_ui(ui, file, scenario, cell, asks);
    let declarations = &file.ruleset.declarations;
    let name = board.cell_name(cell).to_owned();
    heading_ui(ui, Icon::Select, &text!("cell-one", name = name.as_str()));
    remark_ui(ui, crate::status_line::cell_text(file, cell));
    if declarations.properties_of(Scope::Cell).next().is_some() {
        values_ui(ui, file, scenario, Scope::Cell, &SetupTarget::Cell(name.clone()), asks);
    }
    if declarations.properties_of(Scope::Edge).next().is_some() {
        ui.add_space(space::S);
        heading_ui(ui, Icon::Line, &text!("cell-edges"));
        for other in board.neighbours(cell) {
            let there = board.cell_name(*other);
            let target = SetupTarget::Edge(name.clone(), there.to_owned());
            values_ui(ui, file, scenario, Scope::Edge, &target, asks);
        }
    }
}
