//! A map from a picture: the import, on a thread of its own, and what stays open to choice while the map is not yet edited.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use boardwright_editing::{Draft, Step, StepKind, differences};
use boardwright_import::areas::{AreaPlan, Borders, FindOptions, find_areas};
use boardwright_import::{Colour, ImportError, Picture, Progress, Stage};
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics};
use boardwright_model::{CellId, Map, MapLine};
use boardwright_ui::theme::{Icon, IconButton, Palette, heading_ui, remark_ui, space, titled_dialog_ui};
use boardwright_ui::{keys, text};
use egui::{
    Color32, ColorImage, Context, DragValue, Id, Painter, ProgressBar, Rect, Sense, Slider, TextEdit, TextureHandle, TextureOptions, Ui,
    vec2,
};

use crate::editor::Ask;
use crate::file::OpenFile;
use crate::values::{Typed, goes_on};

/// How far borders may be from those of the mask at first, in pixels, and at most.
const TOLERANCE: f64 = 1.0;
const MOST_TOLERANCE: f64 = 12.0;
/// Areas are neighbours that touch along so many sides of pixels, at first and at most.
const LEAST_BORDER: u32 = 4;
const MOST_LEAST_BORDER: u32 = 200;
/// The most pixels a side of the drawing that is shown below the areas.
const MOST_SHOWN: u32 = 2048;
/// How much of the drawing is seen through the areas, of 255.
const OPACITY: u8 = 140;

/// The pictures a map is to be made of, and where.
#[derive(Clone, Debug)]
pub(crate) struct PictureRequest {
    /// The file of the map.
    pub(crate) path: PathBuf,
    /// Its id.
    pub(crate) id: String,
    /// Its title.
    pub(crate) title: String,
    /// The mask.
    pub(crate) mask: PathBuf,
    /// The drawing that the mask was painted over, if there is one.
    pub(crate) drawing: Option<PathBuf>,
}

/// What the thread of an import sends.
enum ImportMessage {
    At(Stage, u8),
    Done(Box<Result<TracedPicture, Diagnostics>>),
}

/// An import under way. It stops when this is dropped.
pub(crate) struct PictureImport {
    request: PictureRequest,
    messages: Receiver<ImportMessage>,
    is_stopped: Arc<AtomicBool>,
    at: (Stage, u8),
}

impl std::fmt::Debug for PictureImport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PictureImport")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

impl Drop for PictureImport {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl PictureImport {
    /// Begins an import, whose thread wakes the window.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn begin(request: PictureRequest, context: &Context) -> std::io::Result<Self> {
        let (sender, messages) = channel();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (stop, context, asked) = (Arc::clone(&is_stopped), context.clone(), request.clone());
        std::thread::Builder::new().name("import".to_owned()).spawn(move || {
            let mut progress = Progress::new(|stage, percent| {
                let is_heard = sender.send(ImportMessage::At(stage, percent)).is_ok();
                context.request_repaint();
                if is_heard && !stop.load(Ordering::Relaxed) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            let done = traced(&asked, &mut progress);
            drop(progress);
            drop(sender.send(ImportMessage::Done(Box::new(done))));
            context.request_repaint();
        })?;
        Ok(Self {
            request,
            messages,
            is_stopped,
            at: (Stage::Colours, 0),
        })
    }

    /// Shows how far it is, with a button that stops it; false when it is over.
    pub(crate) fn ui(&mut self, ui: &Ui, asks: &mut Vec<Ask>) -> bool {
        loop {
            match self.messages.try_recv() {
                Ok(ImportMessage::At(stage, percent)) => self.at = (stage, percent),
                Ok(ImportMessage::Done(done)) => {
                    asks.push(Ask::Imported(Box::new((self.request.clone(), *done))));
                    return false;
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    // It ended without a word: a panic is in the log.
                    let failed = Diagnostic::error(Code::File, text!("picture-failed"));
                    asks.push(Ask::Report(failed.into()));
                    return false;
                }
            }
        }
        let (stage, percent) = self.at;
        let mut is_stopped = false;
        let stays = titled_dialog_ui(ui, "picture-import", text!("picture-importing"), 420.0, |ui| {
            let done = (stage as usize as f32 + f32::from(percent) / 100.0) / STAGES as f32;
            ui.add(ProgressBar::new(done).text(stage_text(stage)));
            ui.add_space(space::S);
            is_stopped = ui.add(IconButton::text(text!("dialog-cancel"))).clicked();
        });
        stays && !is_stopped
    }
}

/// How many stages an import has.
const STAGES: usize = Stage::Pivots as usize + 1;

fn stage_text(stage: Stage) -> String {
    match stage {
        Stage::Colours => text!("picture-stage-colours"),
        Stage::Parts => text!("picture-stage-parts"),
        Stage::Borders => text!("picture-stage-borders"),
        Stage::Simplifying => text!("picture-stage-simplifying"),
        Stage::Pivots => text!("picture-stage-pivots"),
    }
}

/// Whether a file is a picture that can be imported, by its name.
pub(crate) fn is_picture(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    matches!(ending.as_deref(), Some("png" | "jpg" | "jpeg"))
}

fn traced(request: &PictureRequest, progress: &mut Progress<'_>) -> Result<TracedPicture, Diagnostics> {
    let mask = Picture::read(&request.mask)?;
    let mask_name = request.mask.display().to_string();
    let in_mask = |error: ImportError| match error.in_file(&mask_name) {
        ImportError::Wrong(found) => found,
        stopped @ ImportError::Stopped => Diagnostics::from(Diagnostic::error(Code::File, stopped.to_string())),
    };
    let drawing = match &request.drawing {
        Some(path) => {
            let drawing = Picture::read(path)?;
            drawing.check_size(&path.display().to_string(), &mask, &mask_name)?;
            Some(reduced(&drawing))
        }
        None => None,
    };
    let found = find_areas(&mask, &FindOptions::default(), progress).map_err(in_mask)?;
    let borders = Borders::trace(&found.mask, progress).map_err(in_mask)?;
    let plan = AreaPlan::new(&request.id, &request.title, &found, &borders, TOLERANCE, LEAST_BORDER, progress).map_err(in_mask)?;
    let mut traced = TracedPicture {
        pixels: [mask.width(), mask.height()],
        parts: found.parts.len(),
        specks: found.specks.len(),
        plan,
        borders,
        drawing,
        texture: None,
        shows_drawing: true,
        tolerance: TOLERANCE,
        least_border: LEAST_BORDER,
        tolerances: BTreeMap::new(),
        least_borders: BTreeMap::new(),
        seen: None,
        row: None,
    };
    let map = traced.map();
    traced.tolerances.insert(outlines_hash(&map), TOLERANCE);
    traced.least_borders.insert(lines_hash(&map), LEAST_BORDER);
    Ok(traced)
}

/// A picture of at most [`MOST_SHOWN`] pixels a side.
fn reduced(picture: &Picture) -> ColorImage {
    let [width, height] = [picture.width(), picture.height()];
    let block = width.max(height).div_ceil(MOST_SHOWN).max(1);
    let [columns, rows] = [width, height].map(|side| side.div_ceil(block));
    let pixel = |x: u32, y: u32| picture.pixels().get((y * width + x) as usize).copied().unwrap_or_default();
    let mean = |column: u32, row: u32| {
        let inside = (0..block).flat_map(|y| (0..block).map(move |x| (column * block + x, row * block + y)));
        let inside = inside.filter(|(x, y)| *x < width && *y < height);
        let (mut sums, mut count) = ([0_u32; 4], 0);
        for (x, y) in inside {
            for (sum, part) in sums.iter_mut().zip(pixel(x, y)) {
                *sum += u32::from(part);
            }
            count += 1;
        }
        let [red, green, blue, opacity] = sums.map(|sum| (sum / count.max(1)) as u8);
        Color32::from_rgba_unmultiplied(red, green, blue, opacity)
    };
    let pixels = (0..rows).flat_map(|row| (0..columns).map(move |column| mean(column, row)));
    ColorImage::new([columns as usize, rows as usize], pixels.collect())
}

/// What a map was traced from, for as long as its file is open.
pub(crate) struct TracedPicture {
    plan: AreaPlan,
    borders: Borders,
    /// The size of the mask.
    pixels: [u32; 2],
    parts: usize,
    specks: usize,
    drawing: Option<ColorImage>,
    texture: Option<TextureHandle>,
    shows_drawing: bool,
    tolerance: f64,
    least_border: u32,
    /// The tolerances that were chosen, by the hash of the outlines that each gives: so undo and redo are recognized.
    tolerances: BTreeMap<u64, f64>,
    /// The least borders that were chosen, by the hash of the lines that each gives.
    least_borders: BTreeMap<u64, u32>,
    /// The revision that was looked at last, and what of the map is as it was traced then.
    seen: Option<(u64, Untouched)>,
    /// The area whose row was brought into sight last.
    row: Option<CellId>,
}

impl std::fmt::Debug for TracedPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TracedPicture")
            .field("pixels", &self.pixels)
            .finish_non_exhaustive()
    }
}

/// What of a map is as it was traced: only that can be traced again.
#[derive(Clone, Copy, Debug, Default)]
struct Untouched {
    outlines: bool,
    lines: bool,
    /// Whether there are as many areas as were found.
    areas: bool,
}

fn outlines_hash(map: &Map) -> u64 {
    let mut hasher = DefaultHasher::new();
    map.cells.iter().for_each(|cell| cell.outline.hash(&mut hasher));
    hasher.finish()
}

fn lines_hash(map: &Map) -> u64 {
    let places: BTreeMap<&str, usize> = map
        .cells
        .iter()
        .enumerate()
        .map(|(index, cell)| (cell.name.as_str(), index))
        .collect();
    let mut hasher = DefaultHasher::new();
    for line in &map.lines {
        let ends: Vec<_> = line.cells.iter().map(|name| places.get(name.as_str())).collect();
        ends.hash(&mut hasher);
    }
    hasher.finish()
}

impl TracedPicture {
    /// The map as it was traced, with colours for names.
    pub(crate) fn map(&self) -> Map {
        self.plan.build()
    }

    /// The colours of the areas in the mask, in the order of the cells.
    fn colours(&self) -> Vec<Colour> {
        let there = self.plan.areas.iter().filter(|area| !area.outline.is_empty());
        there.map(|area| area.colour).collect()
    }

    /// Looks at what the map has become.
    fn see(&mut self, revision: u64, map: &Map) -> Untouched {
        if let Some((_, untouched)) = self.seen.filter(|(seen, _)| *seen == revision) {
            return untouched;
        }
        let areas = map.cells.len() == self.colours().len();
        let outlines = self.tolerances.get(&outlines_hash(map)).copied().filter(|_| areas);
        let lines = self.least_borders.get(&lines_hash(map)).copied().filter(|_| areas);
        self.tolerance = outlines.unwrap_or(self.tolerance);
        self.least_border = lines.unwrap_or(self.least_border);
        let untouched = Untouched {
            outlines: outlines.is_some(),
            lines: lines.is_some(),
            areas,
        };
        self.seen = Some((revision, untouched));
        untouched
    }

    /// The map with outlines of another tolerance.
    fn with_tolerance(&mut self, map: &Map, tolerance: f64) -> Map {
        self.plan.simplify(&self.borders, tolerance);
        let mut new = map.clone();
        for (cell, traced) in new.cells.iter_mut().zip(self.plan.build().cells) {
            cell.outline = traced.outline;
        }
        self.tolerances.insert(outlines_hash(&new), tolerance);
        new
    }

    /// The map with the neighbours of another least border.
    fn with_least_border(&mut self, map: &Map, least: u32) -> Map {
        let touching = self.borders.touching(least);
        self.plan.neighbours = touching
            .iter()
            .map(|touch| [usize::from(touch.a) - 1, usize::from(touch.b) - 1])
            .collect();
        let traced = self.plan.build();
        let names: BTreeMap<&str, &str> = traced
            .cells
            .iter()
            .zip(&map.cells)
            .map(|(traced, cell)| (traced.name.as_str(), cell.name.as_str()))
            .collect();
        let named = |line: &MapLine| {
            MapLine::new(
                line.cells
                    .iter()
                    .filter_map(|name| names.get(name.as_str()))
                    .map(|name| (*name).to_owned()),
            )
        };
        let mut new = map.clone();
        new.lines = traced.lines.iter().map(named).collect();
        self.least_borders.insert(lines_hash(&new), least);
        new
    }

    /// Draws the drawing over the areas, half transparent.
    fn paint(&mut self, painter: &Painter, file: &OpenFile) {
        if !self.shows_drawing {
            return;
        }
        if let Some(image) = self.drawing.take() {
            self.texture = Some(painter.ctx().load_texture("drawing", image, TextureOptions::LINEAR));
        }
        let Some(texture) = &self.texture else { return };
        let corner = |[x, y]: [u32; 2]| {
            let place = |pixels: u32| {
                i32::try_from(pixels)
                    .unwrap_or(i32::MAX)
                    .saturating_mul(2)
                    .saturating_mul(self.plan.scale)
            };
            file.view.screen_point((place(x), place(y)))
        };
        let rect = Rect::from_two_pos(corner([0, 0]), corner(self.pixels));
        let whole = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
        painter.image(texture.id(), rect, whole, Color32::from_white_alpha(OPACITY));
    }

    const fn has_drawing(&self) -> bool {
        self.drawing.is_some() || self.texture.is_some()
    }
}

/// Paints the drawing of a traced map over the board.
pub(crate) fn paint_drawing(painter: &Painter, file: &mut OpenFile) {
    if let Some(mut picture) = file.picture.take() {
        picture.paint(painter, file);
        file.picture = Some(picture);
    }
}

/// Shows what a traced map can still be made of: tolerance, neighbours, and the names of its areas.
pub(crate) fn picture_ui(ui: &mut Ui, file: &mut OpenFile, asks: &mut Vec<Ask>) {
    let Some(mut picture) = file.picture.take() else { return };
    let mut selected = None;
    if let Some(map) = file.map() {
        heading_ui(ui, Icon::Layers, &text!("picture-heading"));
        let untouched = picture.see(file.document.revision(), map);
        remark_ui(
            ui,
            text!(
                "picture-found",
                areas = picture.colours().len(),
                parts = picture.parts,
                specks = picture.specks
            ),
        );
        if picture.has_drawing() {
            ui.checkbox(&mut picture.shows_drawing, text!("picture-show-drawing"));
        }
        ui.add_space(space::XS);
        tracing_ui(ui, &mut picture, map, untouched, asks);
        ui.add_space(space::S);
        heading_ui(ui, Icon::Region, &text!("picture-areas"));
        if untouched.areas {
            selected = names_ui(ui, &mut picture, file, map, asks);
        } else {
            remark_ui(ui, text!("picture-areas-changed"));
        }
    }
    if let Some(cell) = selected {
        file.selection.set_cells([cell].into());
    }
    file.picture = Some(picture);
}

/// Shows how the picture is traced. What was edited since is not traced again.
fn tracing_ui(ui: &mut Ui, picture: &mut TracedPicture, map: &Map, untouched: Untouched, asks: &mut Vec<Ask>) {
    let step = |new: Map| Step::new(StepKind::Import, differences(&Draft::Map(map.clone()), &Draft::Map(new)));
    let label = ui.label(text!("picture-tolerance")).id;
    ui.add_enabled_ui(untouched.outlines, |ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - 84.0).max(80.0);
        let mut tolerance = picture.tolerance;
        let slider = Slider::new(&mut tolerance, 0.0..=MOST_TOLERANCE).step_by(0.25).suffix(" px");
        let field = ui.add(slider).labelled_by(label);
        let goes_on = goes_on(ui, &field);
        if field.changed() {
            asks.push(Ask::of(step(picture.with_tolerance(map, tolerance)), goes_on));
        }
    });
    let corners: usize = map.cells.iter().flat_map(|cell| &cell.outline).map(Vec::len).sum();
    remark_ui(
        ui,
        if untouched.outlines {
            text!("picture-corners", count = corners)
        } else {
            text!("picture-outlines-edited")
        },
    );
    ui.add_space(space::XS);
    let label = ui.label(text!("picture-least-border")).id;
    ui.add_enabled_ui(untouched.lines, |ui| {
        let mut least = picture.least_border;
        let number = DragValue::new(&mut least).range(1..=MOST_LEAST_BORDER).suffix(" px");
        let field = ui.add(number).labelled_by(label);
        let goes_on = goes_on(ui, &field);
        if field.changed() {
            asks.push(Ask::of(step(picture.with_least_border(map, least)), goes_on));
        }
    });
    remark_ui(
        ui,
        if untouched.lines {
            text!("picture-neighbours", count = map.lines.len())
        } else {
            text!("picture-lines-edited")
        },
    );
}

/// The areas with fields for their names. The area whose field has the focus is selected on the board; Enter goes to the next field.
fn names_ui(ui: &mut Ui, picture: &mut TracedPicture, file: &OpenFile, map: &Map, asks: &mut Vec<Ask>) -> Option<CellId> {
    let palette = Palette::of(ui.visuals());
    let only = file.selection.only_cell();
    let is_new = only.is_some() && only != picture.row;
    picture.row = only;
    let salt = |index: usize| Id::unique("picture name").with(file.document.path()).with(index);
    let (mut selected, mut next) = (None, None);
    for (index, (cell, colour)) in map.cells.iter().zip(picture.colours()).enumerate() {
        let id = CellId::from_index(index);
        let row = ui.horizontal(|ui| {
            let (spot, swatch) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::click());
            let [red, green, blue] = colour.0;
            ui.painter().rect_filled(spot, 4, Color32::from_rgb(red, green, blue));
            let edge = if only == Some(id) { palette.chosen } else { palette.line };
            ui.painter()
                .rect_stroke(spot, 4, egui::Stroke::new(1.5, edge), egui::StrokeKind::Outside);
            let name = text!("picture-area-name", colour = colour.to_string());
            swatch.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            if swatch.clicked() {
                selected = Some(id);
            }
            let mut typed = Typed::begin(ui, salt(index), &cell.name);
            let (field, width) = (typed.field(), (ui.available_width() - 30.0).max(60.0));
            let field = TextEdit::singleline(&mut typed.text).id(field).desired_width(width);
            let field = ui.add(field).labelled_by(swatch.id);
            let is_entered = keys::is_entered(ui, &field);
            let has_focus = field.has_focus();
            if let Some(name) = typed.end(ui, &field, &cell.name) {
                asks.push(crate::paint::rename_cell(map, file, id, name.trim()));
            }
            if has_focus && only != Some(id) {
                selected = Some(id);
            }
            if is_entered && index + 1 < map.cells.len() {
                next = Some(salt(index + 1).with("field"));
            }
        });
        if is_new && only == Some(id) && selected.is_none() {
            row.response.scroll_to_me(None);
        }
    }
    // A field that had the focus already would take the same Enter for itself.
    if let Some(next) = next {
        ui.memory_mut(|memory| memory.request_focus(next));
    }
    selected
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Sender;

    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    fn under_way() -> (Sender<ImportMessage>, PictureImport) {
        let (sender, messages) = channel();
        let request = PictureRequest {
            path: PathBuf::from("maps/a/b.map.xml"),
            id: "b".to_owned(),
            title: "B".to_owned(),
            mask: PathBuf::from("mask.png"),
            drawing: None,
        };
        let import = PictureImport {
            request,
            messages,
            is_stopped: Arc::new(AtomicBool::new(false)),
            at: (Stage::Colours, 0),
        };
        (sender, import)
    }

    /// The dialog in a window: the import while it goes on, and what it asked for.
    fn window(import: PictureImport) -> Harness<'static, (Option<PictureImport>, Vec<Ask>)> {
        let show = |ui: &mut Ui, (import, asks): &mut (Option<PictureImport>, Vec<Ask>)| {
            boardwright_ui::theme::install(ui.ctx());
            let stays = import.as_mut().is_some_and(|import| import.ui(ui, asks));
            if !stays {
                *import = None;
            }
        };
        Harness::new_ui_state(show, (Some(import), Vec::new()))
    }

    #[test]
    fn an_import_that_is_cancelled_is_told_to_stop() {
        let (sender, import) = under_way();
        let is_stopped = Arc::clone(&import.is_stopped);
        let mut window = window(import);
        sender.send(ImportMessage::At(Stage::Borders, 40)).unwrap();
        window.run_steps(4);
        assert!(window.query_by_label_contains("Following borders").is_some());
        assert!(!is_stopped.load(Ordering::Relaxed));
        window.get_by_label("Cancel").click();
        window.run_steps(4);
        assert!(is_stopped.load(Ordering::Relaxed) && window.state().0.is_none());
        assert!(window.state().1.is_empty(), "nothing is made");
    }

    #[test]
    fn an_import_that_is_done_hands_over_what_it_found() {
        let (sender, import) = under_way();
        let mut window = window(import);
        sender.send(ImportMessage::Done(Box::new(Err(Diagnostics::new())))).unwrap();
        window.run_steps(2);
        assert!(matches!(window.state().1.as_slice(), [Ask::Imported(_)]));
    }
}
