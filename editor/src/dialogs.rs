//! The dialogs of the editor. One is shown at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boardwright_content::{Catalog, MAP_ENDING, SCENARIO_ENDING};
use boardwright_editing::resize::{Anchor, resize};
use boardwright_editing::{Draft, Step, StepKind, differences};
use boardwright_model::{Map, Topology};
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, remark_ui, size, space, title, titled_dialog_ui};
use egui::{DragValue, Grid, ScrollArea, TextEdit, Ui};

use crate::editor::{Ask, is_drawing};
use crate::file::OpenFile;
use crate::new_file::{NewMap, NewScenario, Reply};
use crate::picture::PictureImport;
use crate::random_map::RandomMap;
use crate::ruleset::Ruleset;
use crate::welcome::files_ui;

/// A dialog of the editor.
#[derive(Debug)]
pub(crate) enum Dialog {
    /// None.
    None,
    /// A new map.
    NewMap(NewMap),
    /// A map that is being made of a picture.
    Import(PictureImport),
    /// A random map in place of the one shown.
    Random(RandomMap),
    /// A new scenario, or a copy of one.
    NewScenario(Box<NewScenario>),
    /// The list of files.
    Open {
        /// What is searched for, or the path of a file.
        search: String,
    },
    /// Whether a file that is not saved is to be closed.
    Close(usize),
    /// What is to be done about changes of another program.
    ChangedOutside,
    /// The size of a grid.
    Resize {
        /// The new number of columns.
        width: u16,
        /// The new number of rows.
        height: u16,
        /// Which part of the old board stays where it is.
        anchor: Anchor,
    },
}

impl Dialog {
    /// The list of files.
    pub(crate) fn open() -> Self {
        Self::Open { search: String::new() }
    }

    /// The dialog for the size of a grid.
    pub(crate) fn resize(topology: Topology) -> Option<Self> {
        let (width, height) = topology.size()?;
        Some(Self::Resize {
            width,
            height,
            anchor: Anchor::MIDDLE,
        })
    }

    /// Shows it; false when it is done.
    #[expect(clippy::too_many_arguments, reason = "each dialog needs a part of them")]
    pub(crate) fn ui(
        &mut self,
        ui: &Ui,
        catalog: &Catalog,
        rules: &Ruleset,
        recent: &[PathBuf],
        file: Option<&OpenFile>,
        files: &[OpenFile],
        root_for: &dyn Fn(&str) -> PathBuf,
        map_of: &dyn Fn(&str, &str) -> Option<Arc<Map>>,
        asks: &mut Vec<Ask>,
    ) -> bool {
        let reply = match self {
            Self::None => return false,
            Self::NewMap(form) => form.ui(ui, catalog, rules, root_for),
            Self::Import(import) => return import.ui(ui, asks),
            Self::Random(form) => {
                let Some(map) = file.and_then(OpenFile::map) else { return false };
                return random_ui(ui, form, map, rules, asks);
            }
            Self::NewScenario(form) => form.ui(ui, catalog, root_for, map_of),
            Self::Open { search } => return open_ui(ui, catalog, recent, search, asks),
            Self::Close(index) => return close_ui(ui, *index, files, asks),
            Self::ChangedOutside => return changed_ui(ui, asks),
            Self::Resize { width, height, anchor } => {
                let Some(map) = file.and_then(OpenFile::map) else { return false };
                return resize_ui(ui, map, width, height, anchor, asks);
            }
        };
        match reply {
            Reply::Open => true,
            Reply::Closed => false,
            Reply::Made(made) => {
                asks.push(Ask::Make(made));
                false
            }
            Reply::Import(request) => {
                asks.push(Ask::Import(request));
                false
            }
        }
    }

    /// The form of a new map, when it is done.
    pub(crate) fn into_form(self) -> Option<NewMap> {
        match self {
            Self::NewMap(form) => Some(form),
            _ => None,
        }
    }
}

fn open_ui(ui: &Ui, catalog: &Catalog, recent: &[PathBuf], search: &mut String, asks: &mut Vec<Ask>) -> bool {
    let before = asks.len();
    let window = ui.ctx().content_rect();
    let stays = titled_dialog_ui(ui, "open-drawing", text!("edit-open"), 560.0_f32.min(window.width() - 80.0), |ui| {
        let hint = TextEdit::singleline(search)
            .hint_text(text!("open-drawing-hint"))
            .desired_width(f32::INFINITY);
        let field = ui.add(hint);
        field.clone().accessible_name(text!("open-drawing-hint"));
        let is_entered = boardwright_ui::keys::is_entered(ui, &field);
        if ui.memory(|memory| memory.focused().is_none()) {
            field.request_focus();
        }
        let path = Path::new(search.trim());
        let is_path = path.components().count() > 1;
        if is_drawing(path) && path.is_file() {
            let open = IconButton::with_text(Icon::Open, text!("open-drawing-path")).kind(ButtonKind::Primary);
            if ui.add(open).clicked() || is_entered {
                asks.push(Ask::OpenPath(path.to_path_buf()));
            }
        } else if is_path && path.is_file() {
            remark_ui(ui, text!("edit-wrong-ending", map = MAP_ENDING, scenario = SCENARIO_ENDING));
        } else if is_path {
            remark_ui(ui, text!("open-drawing-missing"));
        }
        ui.add_space(space::S);
        ScrollArea::vertical()
            .max_height((window.height() - 220.0).max(160.0))
            .show(ui, |ui| {
                let fits = |path: &&PathBuf| path.display().to_string().to_lowercase().contains(&search.trim().to_lowercase());
                for path in recent.iter().filter(fits).take(4) {
                    let row = IconButton::with_text(Icon::Clock, crate::file::file_name(path)).kind(ButtonKind::Quiet);
                    if ui.add(row.hint(path.display().to_string())).clicked() {
                        asks.push(Ask::OpenPath(path.clone()));
                    }
                }
                files_ui(ui, catalog, search, asks);
            });
    });
    stays && asks.len() == before
}

fn close_ui(ui: &Ui, index: usize, files: &[OpenFile], asks: &mut Vec<Ask>) -> bool {
    let Some(file) = files.get(index) else { return false };
    let mut is_done = false;
    let stays = titled_dialog_ui(ui, "close-drawing", text!("close-drawing-title", name = file.name()), 440.0, |ui| {
        remark_ui(ui, text!("close-drawing-remark"));
        ui.add_space(space::S);
        ui.horizontal_wrapped(|ui| {
            let save = IconButton::with_text(Icon::Save, text!("edit-save")).kind(ButtonKind::Primary);
            if ui.add(save).clicked() {
                asks.extend([Ask::Show(index), Ask::SaveOrCopy, Ask::Close(index)]);
                is_done = true;
            }
            if ui.add(IconButton::text(text!("close-drawing-anyway"))).clicked() {
                asks.push(Ask::CloseAnyway(index));
                is_done = true;
            }
            is_done |= ui.add(IconButton::text(text!("dialog-cancel"))).clicked();
        });
    });
    stays && !is_done
}

fn changed_ui(ui: &Ui, asks: &mut Vec<Ask>) -> bool {
    let mut is_done = false;
    let stays = titled_dialog_ui(ui, "changed-outside", text!("changed-title"), 460.0, |ui| {
        ui.label(text!("changed-remark"));
        ui.add_space(space::S);
        ui.horizontal(|ui| {
            let merge = IconButton::with_text(Icon::Check, text!("changed-merge")).kind(ButtonKind::Primary);
            if ui.add(merge).clicked() {
                asks.extend([Ask::Merge, Ask::Save]);
                is_done = true;
            }
            is_done |= ui.add(IconButton::text(text!("dialog-cancel"))).clicked();
        });
    });
    stays && !is_done
}

/// A random map in place of the one shown, as a step that can be undone.
fn random_ui(ui: &Ui, form: &mut RandomMap, map: &Map, rules: &Ruleset, asks: &mut Vec<Ask>) -> bool {
    let mut is_done = false;
    let stays = titled_dialog_ui(ui, "random-map", text!("edit-random"), 420.0, |ui| {
        form.ui(ui, rules);
        ui.add_space(space::S);
        remark_ui(ui, text!("random-remark"));
        ui.add_space(space::XS);
        ui.horizontal(|ui| {
            let make = IconButton::with_text(Icon::Dice, text!("random-make")).kind(ButtonKind::Primary);
            if ui.add(make).clicked() {
                asks.push(match form.map(rules, &map.id, &map.title) {
                    Ok(new) => {
                        let edits = differences(&Draft::Map(map.clone()), &Draft::Map(new));
                        Ask::Apply(Step::new(StepKind::Generate, edits))
                    }
                    Err(found) => Ask::Report(found),
                });
                is_done = true;
            }
            is_done |= ui.add(IconButton::text(text!("dialog-cancel"))).clicked();
        });
    });
    stays && !is_done
}

/// The greatest width and height that the dialog offers.
const MOST_SIDE: u16 = 500;

fn resize_ui(ui: &Ui, map: &Map, width: &mut u16, height: &mut u16, anchor: &mut Anchor, asks: &mut Vec<Ask>) -> bool {
    let mut is_done = false;
    let stays = titled_dialog_ui(ui, "resize-drawing", text!("edit-resize"), 380.0, |ui| {
        ui.horizontal(|ui| {
            for (value, name) in [(&mut *width, text!("new-width")), (&mut *height, text!("new-height"))] {
                let label = ui.label(name);
                ui.add(DragValue::new(value).range(1..=MOST_SIDE)).labelled_by(label.id);
            }
        });
        ui.add_space(space::S);
        ui.label(title(text!("resize-anchor"), size::BODY));
        Grid::new("anchor").spacing([4.0, 4.0]).show(ui, |ui| {
            for down in [0, 500, 1000] {
                for across in [0, 500, 1000] {
                    let here = Anchor { across, down };
                    let name = text!(
                        "resize-anchor-one",
                        across = f64::from(across) / 10.0,
                        down = f64::from(down) / 10.0
                    );
                    let icon = if *anchor == here { Icon::Fit } else { Icon::Point };
                    if ui.add(IconButton::icon(icon, name).selected(*anchor == here)).clicked() {
                        *anchor = here;
                    }
                }
                ui.end_row();
            }
        });
        let resized = resize(map, (*width, *height), *anchor);
        let gone = resized.as_ref().map_or(0, |resized| resized.cut_off.len());
        remark_ui(ui, text!("resize-cut-off", count = gone));
        ui.add_space(space::S);
        ui.horizontal(|ui| {
            let button = IconButton::with_text(Icon::Resize, text!("edit-resize")).kind(ButtonKind::Primary);
            let is_clicked = ui.add_enabled(resized.is_some(), button).clicked();
            if let Some(resized) = resized.filter(|_| is_clicked) {
                asks.push(Ask::ApplyResize(Box::new(resized)));
                is_done = true;
            }
            is_done |= ui.add(IconButton::text(text!("dialog-cancel"))).clicked();
        });
    });
    stays && !is_done
}
