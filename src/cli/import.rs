//! `import`: maps out of pictures and the files of other programs.

mod by_rules;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use super::content::{Content, shown};
use super::output::{Out, counted, progress};
use super::{Exit, Failure};
use boardwright_content::xml::is_id;
use boardwright_content::{MAP_ENDING, SCENARIO_ENDING, read_bytes, read_text, save_map, save_scenario};
use boardwright_import::areas::{
    AreaPlan, Borders, ColourOptions, FindOptions, FoundAreas, NamedArea, Specks, find_areas, read_links, read_names,
};
use boardwright_import::{
    Colour, ImportError, MOST_SVG_BYTES, Picture, Progress, TiledOptions, draw_svg_mask, read_area_config, read_legend, read_terrain_table,
    read_tiled,
};
use boardwright_model::diagnostic::{Diagnostic, Diagnostics};
use boardwright_model::{Board, Map, Offset, Orientation, Scenario, Setup, Topology};

/// The most bytes of a text that is read.
const MOST_TEXT: usize = 16 << 20;
/// How many specks are told one by one.
const MOST_SPECKS: usize = 10;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true
)]
pub(super) struct ImportArguments {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    by_rules: Option<by_rules::RulesArguments>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A map of areas, out of a drawing and a mask in which each area has a colour of its own
    Picture(PictureArguments),
    /// A map of areas, out of the filled paths of an SVG drawing
    Svg(SvgArguments),
    /// A map of squares or hexes, out of a TMX or TMJ file of the Tiled editor
    Tiled(TiledArguments),
    /// A map of squares or hexes, out of a table of terrain codes (CSV)
    Table(TableArguments),
}

#[derive(Debug, Args)]
struct OutputArguments {
    /// The map to write; its id is the name of the file
    #[arg(long, short, value_name = "ID.map.xml")]
    output: PathBuf,
    /// What people call the map; without it its id
    #[arg(long)]
    title: Option<String>,
}

#[derive(Debug, Args)]
struct AreaArguments {
    /// A table with the columns colour (or id), name and, as you like, terrain, region, x and y; an area named - is none
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// A table with the columns from and to: neighbours that do not touch
    #[arg(long, value_name = "FILE")]
    links: Option<PathBuf>,
    /// How far borders may be from those of the mask, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1.0)]
    tolerance: f64,
    /// Areas are neighbours that touch along so many sides of pixels
    #[arg(long, value_name = "SIDES", default_value_t = 4)]
    least_border: u32,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Args)]
struct PictureArguments {
    /// The drawing, PNG or JPEG, that the mask was painted over
    drawing: PathBuf,
    /// The mask, of the same size
    mask: PathBuf,
    /// An XML configuration with names, colours, pivots and neighbours, instead of tables
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "links"])]
    config: Option<PathBuf>,
    /// A colour of no area, such as the sea; may be given several times. Without it that of the rim
    #[arg(long, value_name = "#RRGGBB", value_parser = colour)]
    nothing: Vec<Colour>,
    /// A colour of lines between areas, which are shared out among them; may be given several times
    #[arg(long, value_name = "#RRGGBB", value_parser = colour)]
    line: Vec<Colour>,
    /// Parts with fewer pixels are specks
    #[arg(long, value_name = "PIXELS", default_value_t = 12)]
    least_part: u32,
    /// What becomes of specks
    #[arg(long, value_enum, default_value_t = SpecksArgument::Join)]
    specks: SpecksArgument,
    #[command(flatten)]
    areas: AreaArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SpecksArgument {
    /// They belong to what they touch most
    Join,
    /// They belong to no area
    Drop,
    /// They stay
    Keep,
}

#[derive(Debug, Args)]
struct SvgArguments {
    /// The drawing
    file: PathBuf,
    /// How many pixels the longer side has while borders are found
    #[arg(long, value_name = "PIXELS", default_value_t = 3000)]
    pixels: u32,
    /// Gaps of at most so many pixels between two areas are closed
    #[arg(long, value_name = "PIXELS", default_value_t = 4)]
    gap: u32,
    #[command(flatten)]
    areas: AreaArguments,
}

#[derive(Debug, Args)]
struct TiledArguments {
    /// The file, TMX or TMJ
    file: PathBuf,
    /// A table with the columns code and terrain: which terrain a tile stands for
    #[arg(long, value_name = "FILE")]
    legend: Option<PathBuf>,
    /// Write the pieces into a scenario too
    #[arg(long, value_name = "ID.scenario.xml", requires = "ruleset")]
    scenario: Option<PathBuf>,
    /// The ruleset of the scenario
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Args)]
struct TableArguments {
    /// The table: a line for each row, a code for each cell; . stands for a cell without a terrain, - for a hole
    file: PathBuf,
    /// How the cells lie
    #[arg(long, value_enum, default_value_t = Grid::Square)]
    grid: Grid,
    /// A table with the columns code and terrain; without it codes are names of terrains
    #[arg(long, value_name = "FILE")]
    legend: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Grid {
    /// Squares with four neighbours
    Square,
    /// Squares with eight neighbours
    SquareDiagonals,
    /// Hexes with a corner at the top, odd rows shifted
    HexPointyOdd,
    /// Hexes with a corner at the top, even rows shifted
    HexPointyEven,
    /// Hexes with a side at the top, odd columns shifted
    HexFlatOdd,
    /// Hexes with a side at the top, even columns shifted
    HexFlatEven,
}

impl Grid {
    /// The topology, of one cell.
    const fn topology(self) -> Topology {
        let (orientation, offset) = match self {
            Self::Square | Self::SquareDiagonals => {
                return Topology::Square {
                    width: 1,
                    height: 1,
                    diagonals: matches!(self, Self::SquareDiagonals),
                };
            }
            Self::HexPointyOdd => (Orientation::Pointy, Offset::Odd),
            Self::HexPointyEven => (Orientation::Pointy, Offset::Even),
            Self::HexFlatOdd => (Orientation::Flat, Offset::Odd),
            Self::HexFlatEven => (Orientation::Flat, Offset::Even),
        };
        Topology::Hex {
            width: 1,
            height: 1,
            orientation,
            offset,
        }
    }
}

fn colour(text: &str) -> Result<Colour, String> {
    Colour::parse(text).ok_or_else(|| "expected a colour such as #a0c3ff".to_owned())
}

pub(super) fn run(content: &Content, arguments: &ImportArguments, out: &mut Out) -> Result<Exit, Failure> {
    match (&arguments.what, &arguments.by_rules) {
        (Some(What::Picture(arguments)), _) => picture(arguments, out),
        (Some(What::Svg(arguments)), _) => svg(arguments, out),
        (Some(What::Tiled(arguments)), _) => tiled(arguments, out),
        (Some(What::Table(arguments)), _) => table(arguments, out),
        (None, Some(arguments)) => by_rules::run(content, arguments, out),
        (None, None) => Err(Failure::Usage("say what to import: `boardwright import --help`".to_owned())),
    }
}

fn wrong(found: &Diagnostic) -> Failure {
    Failure::Failed(found.render())
}

fn all_wrong(found: &Diagnostics) -> Failure {
    Failure::Failed(found.render())
}

fn not_imported(error: ImportError) -> Failure {
    match error {
        ImportError::Wrong(found) => all_wrong(&found),
        stopped @ ImportError::Stopped => Failure::Failed(stopped.to_string()),
    }
}

fn text_of(path: &Path) -> Result<String, Failure> {
    read_text(path, &shown(path), MOST_TEXT).map_err(|found| wrong(&found))
}

/// The id that the name of a file says.
fn id_of(path: &Path, ending: &str) -> Result<String, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let id = name.strip_suffix(ending).unwrap_or_default();
    if is_id(id) {
        return Ok(id.to_owned());
    }
    Err(Failure::Usage(format!(
        "{}: expected a name such as north-coast{ending}: small letters, digits and hyphens",
        shown(path)
    )))
}

impl OutputArguments {
    fn id_and_title(&self) -> Result<(String, String), Failure> {
        let id = id_of(&self.output, MAP_ENDING)?;
        let title = self.title.clone().unwrap_or_else(|| id.replace('-', " "));
        Ok((id, title))
    }

    /// Writes the map, if a board can be made of it.
    fn write(&self, map: &Map, warnings: &Diagnostics, out: &mut Out) -> Result<Exit, Failure> {
        for one in warnings {
            out.line(one.to_string())?;
        }
        let board = match Board::from_map(map) {
            Ok(board) => board,
            Err(faults) => {
                for fault in &faults {
                    out.line(format!("error: {fault}"))?;
                }
                out.line("no map was written")?;
                return Ok(Exit::Findings);
            }
        };
        save_map(&self.output, map).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
        let cells = counted(board.all().count(), "cell");
        out.line(format!(
            "{}: {cells}, {}, {}",
            shown(&self.output),
            counted(map.lines.len(), "line"),
            counted(map.regions.len(), "region")
        ))?;
        Ok(Exit::Fine)
    }
}

impl AreaArguments {
    /// The plan of a map, without names.
    fn plan(&self, found: &FoundAreas, progress: &mut Progress<'_>) -> Result<AreaPlan, Failure> {
        let (id, title) = self.output.id_and_title()?;
        if !(0.0..=1000.0).contains(&self.tolerance) {
            return Err(Failure::Usage("--tolerance takes 0 to 1000 pixels".to_owned()));
        }
        let borders = Borders::trace(&found.mask, progress).map_err(not_imported)?;
        AreaPlan::new(&id, &title, found, &borders, self.tolerance, self.least_border, progress).map_err(not_imported)
    }

    fn link(&self, plan: &mut AreaPlan) -> Result<Diagnostics, Failure> {
        let Some(path) = &self.links else { return Ok(Diagnostics::new()) };
        let file = shown(path);
        let links = read_links(&text_of(path)?, &file).map_err(|found| all_wrong(&found))?;
        Ok(plan.link(&links, &file))
    }
}

fn picture(arguments: &PictureArguments, out: &mut Out) -> Result<Exit, Failure> {
    arguments.areas.output.id_and_title()?;
    let mask = Picture::read(&arguments.mask).map_err(|found| wrong(&found))?;
    let drawing = Picture::read(&arguments.drawing).map_err(|found| wrong(&found))?;
    let (name, mask_name) = (shown(&arguments.drawing), shown(&arguments.mask));
    drawing.check_size(&name, &mask, &mask_name).map_err(|found| wrong(&found))?;
    drop(drawing);
    let names = arguments.areas.names.as_ref();
    let names = names
        .map(|path| read_names(&text_of(path)?, &shown(path)).map_err(|found| all_wrong(&found)))
        .transpose()?;
    let config = arguments.config.as_ref();
    let config = config
        .map(|path| read_area_config(&text_of(path)?, &shown(path)).map_err(|found| all_wrong(&found)))
        .transpose()?;
    let named = names.iter().flat_map(|names| names.areas.iter().filter_map(NamedArea::colour));
    let configured = config.iter().flat_map(|config| config.areas.iter().map(|area| area.colour));
    let nothing = names
        .iter()
        .flat_map(|names| names.nothing.iter().filter_map(|key| Colour::parse(key)));
    let options = FindOptions {
        colours: ColourOptions {
            keys: named.chain(configured).collect(),
            nothing: arguments.nothing.iter().copied().chain(nothing).collect(),
            lines: arguments.line.clone(),
        },
        least_part: arguments.least_part,
        specks: match arguments.specks {
            SpecksArgument::Join => Specks::Join,
            SpecksArgument::Drop => Specks::Drop,
            SpecksArgument::Keep => Specks::Keep,
        },
    };
    let bar = progress(100, "");
    let mut watch = Progress::new(|stage, percent| {
        bar.set_message(stage.to_string());
        bar.set_position(percent.into());
        ControlFlow::Continue(())
    });
    let in_file = |error: ImportError| not_imported(error.in_file(&mask_name));
    let found = find_areas(&mask, &options, &mut watch).map_err(in_file)?;
    let mut plan = arguments.areas.plan(&found, &mut watch)?;
    drop(watch);
    bar.finish_and_clear();
    print_areas(&found, out)?;
    let mut warnings = Diagnostics::new();
    if let (Some(names), Some(path)) = (&names, &arguments.areas.names) {
        warnings.extend(plan.name(names, &shown(path)));
    }
    if let (Some(config), Some(path)) = (&config, &arguments.config) {
        warnings.extend(plan.configure(config, &shown(path)));
    }
    warnings.extend(arguments.areas.link(&mut plan)?);
    arguments.areas.output.write(&plan.build(), &warnings, out)
}

/// Tells what was found in a mask, and what was mended.
fn print_areas(found: &FoundAreas, out: &mut Out) -> Result<(), Failure> {
    let colours = found.mask.colours();
    let area = |area: u16| match usize::from(area).checked_sub(1).and_then(|place| colours.get(place)) {
        Some(colour) => colour.to_string(),
        None => "none".to_owned(),
    };
    let nothing: Vec<String> = found.nothing.iter().map(ToString::to_string).collect();
    out.line(format!(
        "{} in {}; of no area: {}",
        counted(colours.len(), "colour"),
        counted(found.parts.len(), "part"),
        if nothing.is_empty() {
            "what is transparent".to_owned()
        } else {
            nothing.join(", ")
        }
    ))?;
    if found.between > 0 {
        out.line(format!(
            "{} of a colour in between went to the area beside them",
            counted(found.between, "pixel")
        ))?;
    }
    for speck in found.specks.iter().take(MOST_SPECKS) {
        let (x, y) = speck.part.at;
        let (was, now) = (area(speck.part.area), area(speck.now));
        out.line(format!(
            "a speck of {} at {x}, {y}: {was} becomes {now}",
            counted(speck.part.pixels as usize, "pixel")
        ))?;
    }
    if found.specks.len() > MOST_SPECKS {
        out.line(format!("and {} more", counted(found.specks.len() - MOST_SPECKS, "speck")))?;
    }
    Ok(())
}

fn svg(arguments: &SvgArguments, out: &mut Out) -> Result<Exit, Failure> {
    let file = shown(&arguments.file);
    let text = read_bytes(&arguments.file, &file, MOST_SVG_BYTES).map_err(|found| wrong(&found))?;
    let drawn = draw_svg_mask(&text, &file, arguments.pixels, arguments.gap).map_err(|found| wrong(&found))?;
    let found = FoundAreas {
        mask: drawn.mask,
        parts: Vec::new(),
        specks: Vec::new(),
        nothing: Vec::new(),
        between: 0,
    };
    let mut plan = arguments.areas.plan(&found, &mut Progress::silent())?;
    let mut warnings = drawn.left_out;
    for (area, id) in plan.areas.iter_mut().zip(&drawn.ids) {
        area.name.clone_from(id);
    }
    if let Some(path) = &arguments.areas.names {
        let names = read_names(&text_of(path)?, &shown(path)).map_err(|found| all_wrong(&found))?;
        warnings.extend(plan.name_by_id(&names, &shown(path)));
    }
    warnings.extend(arguments.areas.link(&mut plan)?);
    arguments.areas.output.write(&plan.build(), &warnings, out)
}

fn legend_of(path: Option<&PathBuf>) -> Result<BTreeMap<String, String>, Failure> {
    let Some(path) = path else { return Ok(BTreeMap::new()) };
    read_legend(&text_of(path)?, &shown(path)).map_err(|found| all_wrong(&found))
}

fn tiled(arguments: &TiledArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (id, title) = arguments.output.id_and_title()?;
    let options = TiledOptions {
        id: id.clone(),
        title: title.clone(),
        legend: legend_of(arguments.legend.as_ref())?,
    };
    let scenario = arguments
        .scenario
        .as_ref()
        .map(|path| Ok::<_, Failure>((path, id_of(path, SCENARIO_ENDING)?)))
        .transpose()?;
    let folder = arguments.file.parent().unwrap_or(Path::new("."));
    let tileset = |name: &str| {
        let path = folder.join(name);
        read_text(&path, &shown(&path), MOST_TEXT)
    };
    let text = text_of(&arguments.file)?;
    let read = read_tiled(&text, &shown(&arguments.file), &options, &tileset).map_err(not_imported)?;
    let exit = arguments.output.write(&read.map, &read.left_out, out)?;
    match scenario {
        Some((path, scenario_id)) if exit == Exit::Fine => {
            let pieces = counted(read.pieces.len(), "piece");
            let scenario = Scenario {
                id: scenario_id,
                title,
                ruleset: arguments.ruleset.clone().unwrap_or_default(),
                map: id,
                setup: Setup {
                    pieces: read.pieces,
                    ..Setup::default()
                },
                ..Scenario::default()
            };
            save_scenario(path, &scenario).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
            out.line(format!("{}: {pieces}", shown(path)))?;
        }
        None if !read.pieces.is_empty() => {
            let pieces = counted(read.pieces.len(), "piece");
            out.line(format!("{pieces} left out: pieces belong into a scenario (--scenario, --ruleset)"))?;
        }
        _ => {}
    }
    Ok(exit)
}

fn table(arguments: &TableArguments, out: &mut Out) -> Result<Exit, Failure> {
    let (id, title) = arguments.output.id_and_title()?;
    let legend = legend_of(arguments.legend.as_ref())?;
    let text = text_of(&arguments.file)?;
    let map = read_terrain_table(&text, &shown(&arguments.file), arguments.grid.topology(), &legend).map_err(|found| all_wrong(&found))?;
    arguments.output.write(&Map { id, title, ..map }, &Diagnostics::new(), out)
}
