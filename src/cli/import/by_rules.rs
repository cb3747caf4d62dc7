//! Files that a ruleset reads with its own hook.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::content::{Content, shown, usage};
use super::super::output::{Out, counted};
use super::super::{Exit, Failure};
use super::{OutputArguments, all_wrong, id_of, wrong};
use boardwright_content::xml::{Document as _, is_id};
use boardwright_content::{
    MANIFEST_FILE, MAP_ENDING, Manifest, RulesetEntry, SCENARIO_ENDING, Version, read_bytes, save_scenario, write_atomic,
};
use boardwright_import::{MOST_FOREIGN_BYTES, read_foreign_document};
use boardwright_local::rules_of;
use boardwright_model::diagnostic::Diagnostics;
use boardwright_model::{Map, Scenario};
use boardwright_ruleset::{Layer, Sources, did_you_mean};
use boardwright_script::{Imported, Limits, ScriptSource};

/// What is imported without a ruleset.
const FORMATS: [&str; 4] = ["picture", "svg", "tiled", "table"];
/// The licence of a mod as long as nobody has said one.
const NO_LICENCE: &str = "unknown";

#[derive(Debug, Args)]
pub(super) struct RulesArguments {
    /// A ruleset that reads files of other programs with its hook `import_file`
    ruleset: String,
    /// The file: XML, or a table (CSV)
    file: PathBuf,
    /// The map to write, if the file is one; its id is the name of the file
    #[arg(long, short, value_name = "ID.map.xml")]
    output: Option<PathBuf>,
    /// The scenario to write, with the pieces of the file
    #[arg(long, value_name = "ID.scenario.xml", requires = "output")]
    scenario: Option<PathBuf>,
    /// The folder of a mod to write, if the file is a table of the ruleset; its id is the name of the folder
    #[arg(long = "mod", value_name = "FOLDER", conflicts_with = "output")]
    mod_folder: Option<PathBuf>,
    /// What people call the result; without it what the file says, or its id
    #[arg(long)]
    title: Option<String>,
    /// The encoding of a file that does not declare its own, such as windows-1250; without it UTF-8
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
}

pub(super) fn run(content: &Content, arguments: &RulesArguments, out: &mut Out) -> Result<Exit, Failure> {
    let target = Target::of(arguments)?;
    let catalog = content.catalog()?;
    let entry = catalog
        .ruleset(&arguments.ruleset)
        .map_err(|found| unknown(&arguments.ruleset, &found))?;
    let source = rules_of(&catalog, &entry.id).map_err(|found| all_wrong(&found))?;
    if !source.imports_files() {
        let id = &entry.id;
        return Err(Failure::Usage(format!(
            "{id} reads no files of other programs: its scripts need a function import_file(document, draft)"
        )));
    }
    let name = shown(&arguments.file);
    let bytes = read_bytes(&arguments.file, &name, MOST_FOREIGN_BYTES).map_err(|found| wrong(&found))?;
    let document = read_foreign_document(&bytes, &name, arguments.encoding.as_deref()).map_err(|found| all_wrong(&found))?;
    let imported = source.import(document).map_err(|found| all_wrong(&found))?;
    target.check(&imported, &name)?;
    match target {
        Target::Mod { folder, id } => write_mod(&source, entry, &ModToWrite { folder, id, file: &name }, arguments, &imported, out),
        Target::Map { map, scenario } => write_map(&entry.id, (map, scenario), arguments, imported, out),
        Target::Nothing => Ok(Exit::Findings),
    }
}

fn unknown(ruleset: &str, found: &Diagnostics) -> Failure {
    match did_you_mean(ruleset, FORMATS) {
        Some(cure) => Failure::Usage(format!("there is no ruleset {ruleset:?}, and no format of that name; {cure}")),
        None => usage(found),
    }
}

/// What is to be written.
enum Target<'a> {
    Map {
        map: &'a Path,
        scenario: Option<(&'a Path, String)>,
    },
    Mod {
        folder: &'a Path,
        id: String,
    },
    Nothing,
}

impl<'a> Target<'a> {
    fn of(arguments: &'a RulesArguments) -> Result<Self, Failure> {
        if let Some(map) = &arguments.output {
            id_of(map, MAP_ENDING)?;
            let scenario = arguments.scenario.as_ref();
            let scenario = scenario.map(|path| Ok::<_, Failure>((path.as_path(), id_of(path, SCENARIO_ENDING)?)));
            return Ok(Self::Map {
                map,
                scenario: scenario.transpose()?,
            });
        }
        let Some(folder) = &arguments.mod_folder else {
            return Ok(Self::Nothing);
        };
        let id = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !is_id(&id) {
            return Err(Failure::Usage(format!(
                "{}: expected a name such as other-ships: small letters, digits and hyphens",
                shown(folder)
            )));
        }
        if folder.exists() {
            return Err(Failure::Usage(format!("{} is there already", shown(folder))));
        }
        Ok(Self::Mod { folder, id })
    }

    /// What was made is what is to be written.
    fn check(&self, imported: &Imported, file: &str) -> Result<(), Failure> {
        let (has_map, has_scripts) = (imported.map.is_some(), !imported.scripts.is_empty());
        match self {
            Self::Nothing if has_map => Err(Failure::Usage(format!(
                "{file} is a map: say where to write it, --output ID{MAP_ENDING}"
            ))),
            Self::Map { .. } if has_map => Ok(()),
            Self::Nothing | Self::Map { .. } if has_scripts => Err(Failure::Usage(format!(
                "{file} is a table of the ruleset: say where to write a mod, --mod FOLDER"
            ))),
            Self::Mod { .. } if has_scripts => Ok(()),
            Self::Mod { .. } if has_map => Err(Failure::Usage(format!("{file} is a map, and no table for a mod"))),
            _ => Err(Failure::Failed(format!("the ruleset makes nothing of {file}"))),
        }
    }
}

fn write_map(
    ruleset: &str,
    (path, scenario): (&Path, Option<(&Path, String)>),
    arguments: &RulesArguments,
    imported: Imported,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let map = imported.map.unwrap_or_default();
    let title = |said: &str| {
        arguments
            .title
            .clone()
            .or_else(|| Some(said.to_owned()).filter(|said| !said.is_empty()))
    };
    let output = OutputArguments {
        output: path.to_owned(),
        title: title(&map.title),
    };
    let (map_id, map_title) = output.id_and_title()?;
    let map = Map {
        id: map_id.clone(),
        title: map_title.clone(),
        ..map
    };
    let exit = output.write(&map, &imported.left_out, out)?;
    let made = imported.scenario.filter(|_| exit == Exit::Fine);
    match (scenario, made) {
        (Some((path, id)), made) if exit == Exit::Fine => {
            let made = made.unwrap_or_default();
            let scenario = Scenario {
                id,
                title: title(&made.title).unwrap_or(map_title),
                ruleset: ruleset.to_owned(),
                map: map_id,
                ..made
            };
            save_scenario(path, &scenario).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
            out.line(format!("{}: {}", shown(path), counted(scenario.setup.pieces.len(), "piece")))?;
        }
        (None, Some(made)) if !made.setup.pieces.is_empty() => {
            let pieces = counted(made.setup.pieces.len(), "piece");
            out.line(format!("{pieces} left out: pieces belong into a scenario (--scenario)"))?;
        }
        _ => {}
    }
    Ok(exit)
}

/// A mod, and the file that it is made of.
struct ModToWrite<'a> {
    folder: &'a Path,
    id: String,
    file: &'a str,
}

fn write_mod(
    source: &ScriptSource,
    of: &RulesetEntry,
    to: &ModToWrite<'_>,
    arguments: &RulesArguments,
    imported: &Imported,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut layer = Layer::new(shown(to.folder));
    for (path, text) in &imported.scripts {
        layer = layer.with(path.as_str(), text.as_str());
    }
    let sources = Sources::clone(source.sources()).with_layer(layer);
    ScriptSource::new(sources.into(), Limits::default()).map_err(|found| all_wrong(&found))?;
    for one in &imported.left_out {
        out.line(one.to_string())?;
    }
    let Some(base) = &of.manifest else {
        return Err(Failure::Failed(of.diagnostics.render()));
    };
    let manifest = Manifest {
        id: to.id.clone(),
        title: arguments.title.clone().unwrap_or_else(|| to.id.replace('-', " ")),
        version: Version(0, 1, 0),
        licence: NO_LICENCE.to_owned(),
        builds_on: Some(of.id.clone()),
        description: format!("{} with the table in {}.", base.title, to.file),
        seats: base.seats,
        minutes: base.minutes,
        advisor: base.advisor.clone(),
        ..Manifest::default()
    };
    let failed = |error: std::io::Error| Failure::Failed(format!("{} was not made: {error}", shown(to.folder)));
    std::fs::create_dir_all(to.folder).map_err(failed)?;
    let files = imported.scripts.iter().map(|(path, text)| (path.as_str(), text.clone()));
    for (path, text) in files.chain([(MANIFEST_FILE, manifest.print())]) {
        write_atomic(&to.folder.join(path), text.as_bytes(), 0).map_err(|error| Failure::Failed(format!("{error}: {}", error.help())))?;
    }
    out.line(format!(
        "{} is a mod of {}; its manifest does not say yet under which licence the table is",
        shown(to.folder),
        of.id
    ))?;
    Ok(Exit::Fine)
}
