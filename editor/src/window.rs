//! The window: the files there are on the left, the board in the middle, what it is made of on the right.

use std::path::{Path, PathBuf};

use boardwright_content::Catalog;
use boardwright_model::RegionId;
use boardwright_model::diagnostic::Diagnostic;
use boardwright_ui::board::{Art, BoardView, Clicks, Marks, Scene, Travels};
use boardwright_ui::problem_ui;
use boardwright_ui::theme::{self, Icon, IconButton, Palette, heading_ui, size, space, title};
use egui::{Align2, CentralPanel, Context, FontId, Frame, Margin, Panel, RichText, ScrollArea, Ui, vec2};

use crate::{Sheet, Sort};

/// The editor.
#[derive(Debug, Default)]
pub struct Editor {
    catalog: Catalog,
    path: Option<PathBuf>,
    sheet: Option<Sheet>,
    problems: Vec<Diagnostic>,
    board: BoardView,
    marks: Marks,
    /// The region whose cells are marked.
    region: Option<String>,
}

impl Editor {
    /// An editor over some content folders, with a file open in it if one is named.
    pub fn new(context: &Context, roots: &[PathBuf], file: Option<PathBuf>) -> Self {
        theme::install(context);
        egui_extras::install_image_loaders(context);
        let mut editor = Self {
            catalog: Catalog::scan(roots),
            ..Self::default()
        };
        if let Some(file) = file {
            editor.open(&file);
        }
        editor
    }

    /// Opens a file; what is wrong with it is shown instead of it.
    pub fn open(&mut self, path: &Path) {
        let opened = Sheet::open(&self.catalog, path);
        let problems = opened.as_ref().map_or_else(Clone::clone, |sheet| sheet.findings.clone());
        *self = Self {
            catalog: std::mem::take(&mut self.catalog),
            path: Some(path.to_owned()),
            sheet: opened.ok(),
            problems: problems.into(),
            ..Self::default()
        };
    }

    /// Shows the window.
    pub fn draw(&mut self, ui: &mut Ui) {
        let palette = Palette::of(ui.visuals());
        let panel = Frame::NONE.fill(palette.surface).inner_margin(Margin::same(space::L as i8));
        let chosen = Panel::left("files")
            .default_size(240.0)
            .frame(panel)
            .show(ui, |ui| self.files_ui(ui))
            .inner;
        if let Some(sheet) = &self.sheet {
            let region = Panel::right("contents")
                .default_size(260.0)
                .frame(panel)
                .show(ui, |ui| contents_ui(ui, sheet, &self.problems, self.region.as_deref()))
                .inner;
            if let Some(name) = region {
                self.mark(name);
            }
        }
        CentralPanel::no_frame()
            .frame(Frame::NONE.fill(palette.ground))
            .show(ui, |ui| self.board_ui(ui));
        if let Some(path) = chosen {
            self.open(&path);
        }
    }

    /// The files of the content folders; the one that was clicked.
    fn files_ui(&self, ui: &mut Ui) -> Option<PathBuf> {
        let mut chosen = None;
        heading_ui(ui, Icon::Open, "Maps and scenarios");
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            for ruleset in self.catalog.rulesets.values() {
                ui.add_space(space::S);
                ui.label(title(ruleset.title(), size::BODY));
                let maps = ruleset.maps.values().map(|map| (&map.title, &map.path, "map"));
                let scenarios = ruleset.scenarios.values();
                let scenarios = scenarios.map(|scenario| (&scenario.title, &scenario.path, "scenario"));
                for (name, path, sort) in maps.chain(scenarios) {
                    let is_open = self.path.as_ref() == Some(path);
                    let label = ui
                        .selectable_label(is_open, name)
                        .on_hover_text(format!("{}: {sort}", path.display()));
                    if label.clicked() {
                        chosen = Some(path.clone());
                    }
                }
            }
        });
        chosen
    }

    fn mark(&mut self, name: String) {
        let Some(sheet) = &self.sheet else { return };
        let board = sheet.state.board();
        let is_same = self.region.as_ref() == Some(&name);
        self.region = (!is_same).then_some(name);
        let region = self.region.as_ref().and_then(|name| board.find_region(name));
        self.marks.pointed_out = region.map(|region| board.region(region).iter().collect()).unwrap_or_default();
    }

    fn board_ui(&mut self, ui: &mut Ui) {
        let Some(sheet) = &self.sheet else {
            ui.vertical_centered(|ui| {
                ui.add_space(ui.available_height() * 0.35);
                if self.problems.is_empty() {
                    ui.label(RichText::new("Choose a map or a scenario.").size(size::TITLE));
                }
                for problem in &self.problems {
                    problem_ui(ui, problem);
                }
            });
            return;
        };
        let (art, travels) = (Art::default(), Travels::default());
        let scene = Scene {
            state: &sheet.state,
            looks: &sheet.looks,
            art: &art,
            marks: &self.marks,
            travels: &travels,
            title: &sheet.title,
            clicks: Clicks::Ignored,
            shows_names: true,
            takes_wheel: false,
        };
        let reply = self.board.ui(ui, &scene);
        if let Some(cell) = reply.hovered {
            let corner = reply.response.rect.left_bottom() + vec2(space::M, -space::M);
            let (font, colour) = (FontId::proportional(size::BODY), Palette::of(ui.visuals()).text);
            ui.painter().text(corner, Align2::LEFT_BOTTOM, scene.cell_text(cell), font, colour);
        }
    }
}

impl eframe::App for Editor {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
    }
}

/// What a map or scenario is made of; the region that was clicked.
fn contents_ui(ui: &mut Ui, sheet: &Sheet, problems: &[Diagnostic], region: Option<&str>) -> Option<String> {
    let board = sheet.state.board();
    let mut clicked = None;
    ui.label(title(&sheet.title, size::TITLE));
    let sort = if sheet.sort == Sort::Map { "Map" } else { "Scenario" };
    ui.weak(format!("{sort} {}, read only", sheet.id));
    ui.add_space(space::S);
    let mut facts = vec![sheet.shape(), format!("{} cells", board.cell_count())];
    if !board.lines().is_empty() {
        facts.push(format!("{} lines", board.lines().len()));
    }
    facts.push(format!("{} edges", board.edge_count()));
    if sheet.sort == Sort::Scenario {
        facts.push(format!("{} pieces", sheet.state.pieces().count()));
    }
    for fact in facts {
        ui.label(fact);
    }
    if board.region_count() > 0 {
        ui.add_space(space::S);
        heading_ui(ui, Icon::Fit, "Regions");
        ui.horizontal_wrapped(|ui| {
            for index in 0..board.region_count() {
                let id = RegionId::from_index(index);
                let name = board.region_name(id);
                let button = IconButton::text(name).height(28.0).selected(region == Some(name));
                if ui.add(button.hint(format!("{} cells", board.region(id).count()))).clicked() {
                    clicked = Some(name.to_owned());
                }
            }
        });
    }
    if !problems.is_empty() {
        ui.add_space(space::S);
        heading_ui(ui, Icon::Warning, "Drawn without its ruleset");
        ScrollArea::vertical().show(ui, |ui| problems.iter().for_each(|problem| problem_ui(ui, problem)));
    }
    clicked
}
