//! What the editor knows of a ruleset: what it declares, how things look under it, its pictures.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boardwright_client::{localize_declarations, localize_looks};
use boardwright_content::{Catalog, TextsDocument};
use boardwright_local::{pictures, rules_of};
use boardwright_localization::{Localizer, MessageCatalog};
use boardwright_model::diagnostic::Diagnostics;
use boardwright_model::{Board, Declarations, Looks, Map, State, TerrainDeclaration, Value};
use boardwright_rules::{Rules, RulesSource as _, looks};
use boardwright_ruleset::Sources;
use boardwright_script::{Limits, ScriptSource};
use boardwright_ui::board::Art;
use boardwright_ui::texts::language;
use egui::Context;

/// Rules are asked how things look on boards of at most so many cells.
const MOST_LOOKED_AT: usize = 4_000;
/// How long the rules may take to say how things look while somebody draws.
const PATIENCE: Duration = Duration::from_millis(120);

/// What the editor knows of a ruleset.
#[derive(Debug, Default)]
pub(crate) struct Ruleset {
    /// Its id.
    pub(crate) id: String,
    /// Its title; the id where there is no such ruleset.
    pub(crate) title: String,
    /// What it declares, in the language of the window; nothing where it cannot be read.
    pub(crate) declarations: Arc<Declarations>,
    /// Its pictures.
    pub(crate) art: Art,
    /// The languages into which its texts are translated, with the translations.
    pub(crate) translations: Vec<(String, Localizer)>,
    /// What its texts become in the language of the window.
    localizer: Localizer,
    /// What keeps its rules from being read.
    pub(crate) findings: Diagnostics,
    source: Option<Arc<ScriptSource>>,
}

impl Ruleset {
    /// Reads a ruleset of a catalog, with the script of a scenario laid over it if one is given. One that cannot be read declares nothing.
    pub(crate) fn read(context: &Context, catalog: &Catalog, id: &str, scenario: Option<&str>) -> Self {
        let entry = catalog.rulesets.get(id);
        let named = Self {
            id: id.to_owned(),
            title: entry.map_or(id, |entry| entry.title()).to_owned(),
            ..Self::default()
        };
        let opened = scenario.and_then(|scenario| catalog.open(id, Some(scenario)).ok());
        let rules = match opened {
            Some(opened) => ScriptSource::new(Arc::new(opened.sources), Limits::default()),
            None => rules_of(catalog, id),
        };
        let localizer = localizer_of(catalog, id);
        match rules {
            Ok(source) => Self {
                declarations: localized(&localizer, source.declarations()),
                art: Art::new(context, &pictures(source.sources())),
                translations: translations(source.sources()),
                localizer,
                source: Some(Arc::new(source)),
                ..named
            },
            Err(findings) => Self { findings, ..named },
        }
    }

    /// Whether its rules could be read.
    pub(crate) fn is_known(&self) -> bool {
        self.source.is_some()
    }

    /// Its rules, if they could be read.
    pub(crate) fn source(&self) -> Option<&Arc<ScriptSource>> {
        self.source.as_ref()
    }

    /// The names of its strategies.
    pub(crate) fn strategies(&self) -> Vec<String> {
        self.source.as_ref().map(|source| source.strategies()).unwrap_or_default()
    }

    /// Whether its rules generate maps.
    pub(crate) fn generates_maps(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.generates_maps())
    }

    /// A random map without id and title.
    ///
    /// # Errors
    /// Its rules generate none, or fail.
    pub(crate) fn generate_map(&self, seed: u64, options: &[(String, String)]) -> Result<Map, Diagnostics> {
        match &self.source {
            Some(source) => source.generate_map(seed, options),
            None => Err(self.findings.clone()),
        }
    }

    /// The declarations for a board: where there are no rules, its terrains get colours of their own.
    pub(crate) fn declarations_for(&self, board: &Board) -> Arc<Declarations> {
        if self.is_known() || board.terrain_names().len() == 0 {
            return Arc::clone(&self.declarations);
        }
        let terrain = |(index, name): (usize, &str)| {
            let shade = 0x60 + (index as u32 * 37) % 0x80;
            TerrainDeclaration {
                name: name.into(),
                title: name.into(),
                colour: (shade << 16) | ((0xD0 - shade / 2) << 8) | 0x70,
            }
        };
        Arc::new(Declarations {
            terrains: board.terrain_names().enumerate().map(terrain).collect(),
            ..Declarations::default()
        })
    }
}

/// What the texts of a ruleset become in the language of the window.
fn localizer_of(catalog: &Catalog, id: &str) -> Localizer {
    Localizer::new([Arc::new(catalog.message_catalog(id, language().code()))])
}

fn localized(localizer: &Localizer, declarations: &Arc<Declarations>) -> Arc<Declarations> {
    let mut localized = Arc::clone(declarations);
    if !localizer.is_empty() {
        localize_declarations(localizer, Arc::make_mut(&mut localized));
    }
    localized
}

/// Says the titles of a catalog in the language of the window.
pub(crate) fn localize_catalog(catalog: &mut Catalog) {
    let localizers: Vec<Localizer> = catalog.rulesets.keys().map(|id| localizer_of(catalog, id)).collect();
    for (entry, localizer) in catalog.rulesets.values_mut().zip(localizers) {
        let manifest = entry.manifest.iter_mut().map(|manifest| &mut manifest.title);
        let maps = entry.maps.values_mut().map(|map| &mut map.title);
        let scenarios = entry.scenarios.values_mut().map(|scenario| &mut scenario.title);
        for title in manifest.chain(maps).chain(scenarios) {
            *title = localizer.translate(title).into_owned();
        }
    }
}

/// What is translated into each language.
fn translations(sources: &Sources) -> Vec<(String, Localizer)> {
    let (texts, _) = boardwright_content::read_texts(sources);
    let of_language = |(language, documents): (String, Vec<TextsDocument>)| {
        let phrases = documents.iter().flat_map(|document| &document.phrases);
        let catalog = MessageCatalog::new(&language, phrases);
        (language, Localizer::new([Arc::new(catalog)]))
    };
    texts.into_iter().map(of_language).collect()
}

/// Rules, with the board and the options for which they were made; none where they cannot be made.
type RulesOf = (Arc<Board>, Vec<Value>, Option<Box<dyn Rules>>);

/// Asks the rules how things look, as long as they are quick about it.
#[derive(Default)]
pub(crate) struct Appearance {
    rules: Option<RulesOf>,
    is_slow: bool,
    /// How things looked last, and on how many cells: a fault in a scenario does not take the ground away.
    last: Option<(usize, Looks)>,
}

impl std::fmt::Debug for Appearance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Appearance").field("is_slow", &self.is_slow).finish_non_exhaustive()
    }
}

impl Appearance {
    /// How a state looks under a ruleset; as declared where the rules cannot be asked, or took too long before.
    pub(crate) fn looks(&mut self, ruleset: &Ruleset, state: &Arc<State>) -> Looks {
        let Some(source) = ruleset.source.as_ref().filter(|_| !self.is_slow) else {
            return Looks::default();
        };
        if state.board().cell_count() > MOST_LOOKED_AT {
            return Looks::default();
        }
        let known = self
            .rules
            .take()
            .filter(|(board, options, _)| Arc::ptr_eq(board, state.board()) && **options == **state.options());
        let begun = Instant::now();
        let rules = known.unwrap_or_else(|| {
            let made = source.rules(state.board(), state.declarations(), state.options()).ok();
            (Arc::clone(state.board()), state.options().to_vec(), made)
        });
        let made = Instant::now();
        let cells = state.board().cell_count();
        let asked = rules.2.as_deref().and_then(|rules| looks(rules, state, None).ok());
        let seen = match asked {
            Some(mut seen) => {
                localize_looks(&ruleset.localizer, &mut seen);
                self.last = Some((cells, seen.clone()));
                seen
            }
            None => self
                .last
                .as_ref()
                .filter(|(of, _)| *of == cells)
                .map(|(_, seen)| seen.clone())
                .unwrap_or_default(),
        };
        self.is_slow = made.elapsed() > PATIENCE || made.duration_since(begun) > 20 * PATIENCE;
        self.rules = Some(rules);
        seen
    }
}
