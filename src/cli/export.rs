//! `export`: pictures of boards for rule books, and masks with a configuration for other programs.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::choice::content_failure;
use super::content::{Content, shown, split_id, usage};
use super::output::{Out, counted};
use super::{Exit, Failure};
use boardwright_content::xml::{Document as _, Source};
use boardwright_content::{BACKUPS, MAP_ENDING, MapDocument, read_text, write_atomic};
use boardwright_import::export::{BoardPicture, PictureOptions, draw_png, draw_svg};
use boardwright_import::{MaskSize, Picture, encode_png, mask_of_map, print_area_config};
use boardwright_local::{declarations, inspect};
use boardwright_model::diagnostic::{Diagnostic, Location};
use boardwright_model::{Board, Declarations};

/// The most bytes of a map.
const MOST_MAP: usize = 16 << 20;
/// Pixels of a PNG for each of an SVG.
const SHARP: f32 = 2.0;

#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A picture of a map or a scenario as SVG
    Svg(PictureArguments),
    /// A picture of a map or a scenario as PNG
    Png(PictureArguments),
    /// A mask of a map of areas with its XML configuration: names, colours, pivots, neighbours
    Config(ConfigArguments),
}

#[derive(Debug, Args)]
struct PictureArguments {
    /// A map (`.map.xml`), or a scenario with its pieces
    #[arg(value_name = "FILE|RULESET/SCENARIO")]
    what: String,
    /// The picture to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Pixels for the distance between neighbouring cells; PNG has twice as many
    #[arg(long, default_value_t = 48.0)]
    scale: f64,
    /// The ruleset that says what terrain looks like; without it the one in whose folder the map is
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    /// Leave out names
    #[arg(long)]
    no_names: bool,
    /// Leave out coordinates
    #[arg(long)]
    no_coordinates: bool,
    /// Leave out pieces
    #[arg(long)]
    no_pieces: bool,
}

#[derive(Debug, Args)]
struct ConfigArguments {
    /// A map of areas (`.map.xml`)
    map: PathBuf,
    /// The configuration to write
    #[arg(long, short, value_name = "FILE.xml")]
    output: PathBuf,
    /// The mask to write
    #[arg(long, value_name = "FILE.png")]
    mask: PathBuf,
    /// How many pixels the longer side of the mask has
    #[arg(long, default_value_t = 2000, conflicts_with = "drawing")]
    pixels: u32,
    /// The drawing that the map was imported with: the mask gets its size and lies over it
    #[arg(long, value_name = "PICTURE")]
    drawing: Option<PathBuf>,
}

pub(super) fn run(content: &Content, arguments: &ExportArguments, out: &mut Out) -> Result<Exit, Failure> {
    match &arguments.what {
        What::Svg(arguments) => write(&arguments.output, draw(content, arguments)?.as_bytes(), out),
        What::Png(arguments) => {
            let svg = draw(content, arguments)?;
            let png = draw_png(&svg, SHARP).map_err(|found| Failure::Failed(found.render()))?;
            write(&arguments.output, &png, out)
        }
        What::Config(arguments) => config(arguments, out),
    }
}

fn write(path: &Path, bytes: &[u8], out: &mut Out) -> Result<Exit, Failure> {
    write_atomic(path, bytes, BACKUPS).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
    out.line(format!("{}: {}", shown(path), counted(bytes.len(), "byte")))?;
    Ok(Exit::Fine)
}

fn read_map(path: &Path) -> Result<(MapDocument, Board), Failure> {
    let name = shown(path);
    let text = read_text(path, &name, MOST_MAP).map_err(|found| Failure::Failed(found.render()))?;
    let document = MapDocument::read(&Source::new(name, &text)).map_err(|found| Failure::Failed(found.render()))?;
    let board = document.board().map_err(|found| Failure::Failed(found.render()))?;
    Ok((document, board))
}

/// The picture as SVG.
fn draw(content: &Content, arguments: &PictureArguments) -> Result<String, Failure> {
    if !(1.0..=1000.0).contains(&arguments.scale) {
        return Err(Failure::Usage("--scale takes 1 to 1000 pixels".to_owned()));
    }
    let options = PictureOptions {
        scale: arguments.scale,
        has_names: !arguments.no_names,
        has_coordinates: !arguments.no_coordinates,
    };
    let path = Path::new(&arguments.what);
    if arguments.what.ends_with(MAP_ENDING) || path.is_file() {
        let (_, board) = read_map(path)?;
        let declared = declared(content, arguments, path)?;
        let picture = BoardPicture {
            board: &board,
            declarations: &declared,
            state: None,
            looks: None,
            art: None,
        };
        return Ok(draw_svg(&picture, &options));
    }
    let (ruleset, scenario) = split_id(&arguments.what);
    let scenario = scenario.unwrap_or_else(|| boardwright_content::STANDARD_SCENARIO.to_owned());
    let catalog = content.catalog_with(&ruleset, Some(&scenario))?;
    let inspection = inspect(&catalog, &ruleset);
    let begun = inspection.scenarios.iter().find(|begun| begun.id == scenario);
    let Some(begun) = begun else {
        return Err(content_failure(&inspection.found, &catalog));
    };
    let picture = BoardPicture {
        board: begun.state.board(),
        declarations: begun.state.declarations(),
        state: Some(&*begun.state).filter(|_| !arguments.no_pieces),
        looks: Some(&begun.looks),
        art: Some(&inspection.art),
    };
    Ok(draw_svg(&picture, &options))
}

/// What the ruleset of a map declares; nothing where it has none.
fn declared(content: &Content, arguments: &PictureArguments, path: &Path) -> Result<Declarations, Failure> {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = whole
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let id = arguments.ruleset.clone().unwrap_or(folder);
    let catalog = content.catalog()?;
    match catalog.ruleset(&id) {
        Ok(_) => declarations(&catalog, &id).map_err(|found| content_failure(&found, &catalog)),
        Err(found) if arguments.ruleset.is_some() => Err(usage(&found)),
        Err(_) => Ok(Declarations::default()),
    }
}

fn config(arguments: &ConfigArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (_, board) = read_map(&arguments.map)?;
    let of_map = |found: Diagnostic| found.at(Location::file(shown(&arguments.map)));
    let size = match &arguments.drawing {
        Some(path) => {
            let drawing = Picture::read(path).map_err(|found| Failure::Failed(found.render()))?;
            MaskSize::OfDrawing {
                width: drawing.width(),
                height: drawing.height(),
            }
        }
        None => MaskSize::LongerSide(arguments.pixels),
    };
    let (mask, config) = mask_of_map(&board, size).map_err(|found| Failure::Failed(of_map(found).render()))?;
    let png = encode_png(&mask).map_err(|error| Failure::Failed(error.to_string()))?;
    write(&arguments.mask, &png, out)?;
    write(&arguments.output, print_area_config(&config).as_bytes(), out)
}
