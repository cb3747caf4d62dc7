//! Inspecting a ruleset before it is played: everything that is wrong with it, and how each of its scenarios begins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::references::{self, missing_picture, place_of_pictures};
use crate::rehearsal::{pictures_of, rehearse};
use crate::translations::RulesetTexts;
use crate::{BeginError, CompiledRules, Prepared, compiled, pictures, players, prepare_with};
use boardwright_client::MatchChoice;
use boardwright_content::xml::{Source, place_of};
use boardwright_content::{Catalog, MANIFEST_FILE, MAPS, RULESETS, RulesetEntry};
use boardwright_host::{HostError, Match};
use boardwright_localization::Localizer;
use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location, Severity};
use boardwright_model::{Declarations, Looks, Policy, Rejection, State};
use boardwright_rules::{RequestKind, RulesSource, flow, looks};
use boardwright_ruleset::{Layer, Sources};
use boardwright_script::{ScriptSource, check_tests};

/// The scenarios of a ruleset are played no longer than this in all. Nothing is said of those that were left out: what was not tried is not wrong.
const LONGEST_PLAY: Duration = Duration::from_secs(15);

/// What an inspection of a ruleset found.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// Everything that is wrong with its files, its scripts, each of its scenarios, and the first turn of each.
    pub found: Diagnostics,
    /// The declarations; none if the scripts do not compile.
    pub declarations: Option<Arc<Declarations>>,
    /// The scenarios that can be begun.
    pub scenarios: Vec<InspectedScenario>,
    /// The pictures: SVG by file name.
    pub art: BTreeMap<String, String>,
    /// The names of its strategies, which may sit at seats like other computer players.
    pub strategies: Vec<String>,
}

/// How a scenario begins.
#[derive(Clone, Debug)]
pub struct InspectedScenario {
    /// Its id.
    pub id: String,
    /// The position in which play begins, as spectators see it.
    pub state: Arc<State>,
    /// How it looks.
    pub looks: Looks,
}

/// Inspects a ruleset: compiles it, begins each scenario, and asks the rules what they are asked first.
pub fn inspect(catalog: &Catalog, id: &str) -> Inspection {
    look_at(catalog, id, false)
}

/// The same, and plays some random actions of each scenario, writing them down, judging them and asking the strategies; and follows what
/// scripts and maps name. It takes longer, and is for authors.
pub fn examine(catalog: &Catalog, id: &str) -> Inspection {
    look_at(catalog, id, true)
}

fn look_at(catalog: &Catalog, id: &str, is_thorough: bool) -> Inspection {
    let mut inspection = look_over(catalog, id, is_thorough);
    inspection.found = once_each(inspection.found);
    inspection
}

/// What is told of one place in one file once: what is read twice is not wrong twice, and what a lint saw need not fail as well.
fn once_each(found: Diagnostics) -> Diagnostics {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for one in found {
        let is_known = |known: &Diagnostic| match (&known.place, &one.place) {
            (Some(a), Some(b)) if a.column > 0 => (&a.file, a.line, a.column) == (&b.file, b.line, b.column),
            (a, b) => a == b && known.message == one.message,
        };
        match kept.iter_mut().find(|known| is_known(known)) {
            // Of one sort two things may be wrong in one place.
            Some(known) if known.message == one.message || (known.severity == Severity::Error && known.code != one.code) => {
                known.help = known.help.take().or(one.help);
            }
            _ => kept.push(one),
        }
    }
    for one in &mut kept {
        let is_script = one.place.as_ref().is_some_and(|place| place.file.ends_with(".rhai"));
        one.help = one.help.take().or_else(|| default_cure(one.code, is_script).map(str::to_owned));
    }
    kept.into_iter().collect()
}

/// What to do about most mistakes of a sort, in a script or another file, where nothing better is known.
const fn default_cure(code: Code, is_script: bool) -> Option<&'static str> {
    Some(match code {
        Code::DuplicateName | Code::DuplicateDefinition => "give one of them another name, or take it away",
        Code::MissingValue if is_script => "write it: `boardwright docs` says what each declaration has",
        Code::MissingValue => "write it: `boardwright docs --form documents` says what each element has",
        Code::UnknownName => "see whether it is misspelt, or has to be declared",
        Code::BadValue if is_script => "`boardwright docs` has the allowed values, under Declarations",
        Code::BadValue => "`boardwright docs --form documents` has the allowed values of each attribute",
        Code::Document => "see that each element and each quote that is opened is closed",
        Code::File => "put the file there, or name one that is there",
        Code::WrongArguments | Code::WrongType => "`boardwright docs` has the signature of each function",
        Code::MissingHook => "write the function, or see whether its name is misspelt",
        Code::Effect | Code::NoSuchThing => "look first whether it is there and fits",
        Code::LuckForbidden => "draw in hooks that change the match: `do_ACTION`, `start`, `enter_PHASE`",
        Code::WrongDraw => "dice are written such as \"1d6\" or \"2d6\"",
        _ => return None,
    })
}

fn look_over(catalog: &Catalog, id: &str, is_thorough: bool) -> Inspection {
    let mut inspection = Inspection::default();
    let Ok(entry) = catalog.ruleset(id) else {
        return inspection;
    };
    inspection.found = entry.all_diagnostics().cloned().collect();
    if inspection.found.has_errors() && entry.manifest.is_none() {
        return inspection;
    }
    let source = match catalog.sources(id, None).and_then(compiled) {
        Ok(source) => Arc::new(source),
        Err(wrong) => {
            inspection.found.extend(wrong);
            return inspection;
        }
    };
    inspection.found.extend(source.findings().iter().cloned());
    inspection.found.extend(source.check_strategies());
    inspection.found.extend(broken_tests(&source, id));
    inspection.found.extend(wrong_advisor(entry, source.sources()));
    inspection.found.extend(wrong_seats(entry, source.declarations()));
    let texts = RulesetTexts::of(catalog, id, source.sources(), Some(source.declarations()));
    inspection.found.extend(texts.check(id, source.sources()));
    inspection.declarations = Some(Arc::clone(source.declarations()));
    inspection.art = pictures(source.sources());
    inspection.strategies = source.strategies();
    if is_thorough {
        inspection.found.extend(references::check(catalog, id, &source));
    }
    let until = Instant::now() + LONGEST_PLAY;
    let scenarios = catalog.scenarios(id).into_values();
    if scenarios.len() == 0 {
        let found = Diagnostic::warning(Code::MissingValue, "the ruleset has no scenario, so nobody can play it");
        let found = found.at(Location::file(format!("{RULESETS}/{id}/{MANIFEST_FILE}")));
        inspection
            .found
            .push(found.with_help(format!("put a map and a scenario into {MAPS}/{id}/")));
    }
    for scenario in scenarios.filter(|scenario| !scenario.diagnostics.has_errors()) {
        let choice = MatchChoice {
            ruleset: id.to_owned(),
            scenario: Some(scenario.id.clone()),
            ..MatchChoice::default()
        };
        let place = || Location::file(scenario.file_name());
        let prepared = prepare_with(catalog, &choice, &CompiledRules::of(Arc::clone(&source)));
        let wrong = prepared
            .as_ref()
            .ok()
            .and_then(|prepared| wrong_taking_part(entry, prepared.start.declarations()));
        inspection.found.extend(wrong.map(|wrong| wrong.at(place())));
        match prepared {
            Ok(prepared) => match begin(&prepared.source, &prepared.start, &|| true) {
                Ok((state, looks, begun)) => {
                    if is_thorough {
                        played(&prepared, (&begun, &looks), &place(), id, until, &mut inspection);
                    }
                    inspection.scenarios.push(InspectedScenario {
                        id: scenario.id.clone(),
                        state,
                        looks,
                    });
                }
                Err(fault) => inspection.add(placed(fault, place())),
            },
            Err(BeginError::Content(wrong)) => inspection.found.extend(wrong),
            Err(error) => inspection
                .found
                .push(Diagnostic::error(Code::BadValue, error.to_string()).at(place())),
        }
    }
    inspection
}

/// The texts of a ruleset without a translation into a language.
pub fn untranslated(catalog: &Catalog, id: &str, language: &str) -> Diagnostics {
    let Ok(source) = catalog.sources(id, None).and_then(compiled) else {
        return Diagnostics::new();
    };
    let localizer = Localizer::new([Arc::new(catalog.message_catalog(id, language))]);
    RulesetTexts::of(catalog, id, source.sources(), Some(source.declarations())).untranslated(language, &localizer, source.sources())
}

/// What is wrong with the beginning of a match. `otherwise` is where, if the rules do not say.
pub fn check_beginning(prepared: &Prepared, otherwise: Location) -> Option<Diagnostic> {
    check_start(&prepared.source, &prepared.start, otherwise, &|| true)
}

/// The same for a match that need not be in any file: it begins with `start`. Between two questions to the rules, each of which takes a second at
/// most, it is asked whether the answer is still wanted; if not, nothing is found.
pub fn check_start(source: &Arc<ScriptSource>, start: &State, otherwise: Location, is_wanted: &dyn Fn() -> bool) -> Option<Diagnostic> {
    let fault = begin(source, start, is_wanted).err()?;
    (fault.code != Code::Interrupted).then(|| placed(fault, otherwise))
}

/// What is wrong with a player that a scenario names for a seat, under these rules.
pub fn check_player(source: &ScriptSource, player: &str) -> Option<Diagnostic> {
    players::in_scenario(source.sources(), player).err()
}

/// Begins a match and asks the rules what they are asked first.
fn begin(source: &Arc<ScriptSource>, start: &State, is_wanted: &dyn Fn() -> bool) -> Result<(Arc<State>, Looks, Arc<State>), Diagnostic> {
    let go_on = || {
        let left = || Diagnostic::error(Code::Interrupted, "the answer is no longer wanted");
        if is_wanted() { Ok(()) } else { Err(Rejection::from(left())) }
    };
    let ask = || -> Result<(Arc<State>, Looks, Arc<State>), HostError> {
        let source: Arc<dyn RulesSource> = Arc::clone(source) as Arc<dyn RulesSource>;
        let playing = Match::begin(source, start.clone(), 1, Policy::default())?;
        let _request = playing.request(RequestKind::Whole);
        let (rules, state) = (playing.rules(), playing.state());
        for seat in state.acting().iter() {
            go_on()?;
            flow::legal(rules, state, seat)?;
            rules.guidance().value(state, seat)?;
        }
        let view = playing.view(None)?;
        let seen = looks(rules, &view, None)?;
        for seat in state.declarations().all_seats().iter() {
            go_on()?;
            looks(rules, &playing.view(Some(seat))?, Some(seat))?;
        }
        Ok((view, seen, Arc::clone(state)))
    };
    ask().map_err(|error| match error {
        HostError::Rejected(Rejection::Fault(fault)) => *fault,
        other => Diagnostic::error(Code::Refused, other.to_string()),
    })
}

/// Plays a scenario that was begun, and tells what is found.
fn played(
    prepared: &Prepared,
    (begun, looks): (&Arc<State>, &Looks),
    place: &Location,
    id: &str,
    until: Instant,
    inspection: &mut Inspection,
) {
    let rehearsed = rehearse(prepared, begun, until);
    for fault in rehearsed.faults {
        inspection.add(placed(fault, place.clone()));
    }
    let folder = format!("{RULESETS}/{id}");
    let named: BTreeSet<String> = pictures_of(looks).into_iter().chain(rehearsed.pictures).collect();
    for name in named.iter().filter(|name| !inspection.art.contains_key(*name)) {
        let missing = missing_picture(name, inspection.art.keys().map(String::as_str), &folder);
        // What stands in a script as it is was told there.
        if inspection.found.iter().all(|known| known.message != missing.message) {
            let put_together = place_of_pictures(&prepared.source, &folder);
            inspection.found.push(missing.at(put_together.unwrap_or_else(|| place.clone())));
        }
    }
}

impl Inspection {
    /// Adds what another scenario may have shown already.
    fn add(&mut self, fault: Diagnostic) {
        if !self.found.iter().any(|known| known.repeats(&fault)) {
            self.found.push(fault);
        }
    }
}

fn placed(mut fault: Diagnostic, otherwise: Location) -> Diagnostic {
    fault.place.get_or_insert(otherwise);
    fault
}

/// What is wrong with the player that the manifest names for hints.
fn wrong_advisor(entry: &RulesetEntry, sources: &Sources) -> Option<Diagnostic> {
    let text = entry.manifest.as_ref()?.advisor.as_ref()?;
    let wrong = players::advisor_of(sources, text).err()?;
    Some(wrong.at(place_in_manifest(entry, "advisor")))
}

/// What is wrong with the number of seats that the manifest tells catalogues.
fn wrong_seats(entry: &RulesetEntry, declarations: &Declarations) -> Option<Diagnostic> {
    let told = entry.manifest.as_ref()?.seats;
    let declared = declarations.seats.len();
    if usize::from(told.most) <= declared {
        return None;
    }
    let message = format!("up to {} may take part, but `ruleset()` declares {declared} seats", told.most);
    let help = format!("declare more seats, or write seats=\"{declared}\" or a range that ends with {declared}");
    let found = Diagnostic::warning(Code::BadValue, message).at(place_in_manifest(entry, "seats"));
    Some(found.with_help(help))
}

/// What is wrong with the number of seats that take part in a scenario.
fn wrong_taking_part(entry: &RulesetEntry, declarations: &Declarations) -> Option<Diagnostic> {
    let told = entry.manifest.as_ref()?.seats;
    let seats = declarations.seats.len();
    if (usize::from(told.least)..=usize::from(told.most)).contains(&seats) {
        return None;
    }
    let message = format!("{seats} take part, but the manifest of the ruleset says seats=\"{told}\"");
    let help = "name other `seats` in the scenario, or change the range in the manifest";
    Some(Diagnostic::warning(Code::BadValue, message).with_help(help))
}

/// Where the value of an attribute of a manifest stands.
fn place_in_manifest(entry: &RulesetEntry, attribute: &str) -> Location {
    let name = format!("{RULESETS}/{}/{MANIFEST_FILE}", entry.id);
    match Source::open(&entry.folder.join(MANIFEST_FILE), name.as_str()) {
        Ok(source) => place_of(&source, None, attribute),
        Err(_) => Location::file(name),
    }
}

fn broken_tests(source: &ScriptSource, id: &str) -> Diagnostics {
    let folder = format!("{RULESETS}/{id}");
    let own = source.sources().layers.iter().filter(|layer| layer.id == folder);
    let files: Vec<(String, &str)> = own.flat_map(Layer::tests).collect();
    let texts: Vec<(&str, &str)> = files.iter().map(|(place, text)| (place.as_str(), *text)).collect();
    check_tests(source, &texts)
}
