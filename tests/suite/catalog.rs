//! The catalogue finds what there is to play, and keeps what is broken from hiding the rest.

use std::fs;
use std::path::{Path, PathBuf};

use boardwright::content::Catalog;
use boardwright::model::diagnostic::Diagnostics;

struct Content(tempfile::TempDir);

impl Content {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with(self, name: &str, text: &str) -> Self {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// A ruleset with a map and a scenario.
    fn ruleset(self, id: &str, builds_on: Option<&str>) -> Self {
        let builds_on = builds_on.map(|below| format!(" builds_on=\"{below}\"")).unwrap_or_default();
        let manifest = format!(
            "<ruleset format=\"1\" id=\"{id}\" title=\"{id}!\" version=\"1\" licence=\"MIT\" seats=\"2\"{builds_on}><description>D</description></ruleset>"
        );
        self.with(&format!("rulesets/{id}/ruleset.xml"), &manifest)
            .with(&format!("rulesets/{id}/rules.rhai"), &format!("// {id}"))
    }

    fn map(self, ruleset: &str, id: &str) -> Self {
        let text = format!("<map format='1' id='{id}' title='M'><square width='2' height='2' diagonals='no'/></map>");
        self.with(&format!("maps/{ruleset}/{id}.map.xml"), &text)
    }

    fn scenario(self, ruleset: &str, id: &str, more: &str) -> Self {
        let text = format!("<scenario format='1' id='{id}' title='{id} of {ruleset}' ruleset='{ruleset}' map='board'>{more}</scenario>");
        self.with(&format!("maps/{ruleset}/{id}.scenario.xml"), &text)
    }

    fn root(&self) -> PathBuf {
        self.0.path().to_path_buf()
    }

    fn catalog(&self) -> Catalog {
        Catalog::scan(&[self.root()])
    }
}

fn told(found: &Diagnostics) -> String {
    found.to_string()
}

#[test]
fn what_is_shipped_is_found_and_sound() {
    let catalog = Catalog::scan(&[Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()]);
    let opened = catalog.open("tic-tac-toe", None).unwrap_or_else(|found| panic!("{found}"));
    assert_eq!((opened.scenario.scenario.id.as_str(), opened.board.cell_count()), ("standard", 9));
    assert_eq!(opened.sources.layers.last().unwrap().id, "rulesets/tic-tac-toe");
    let entry = &catalog.rulesets["sixteen-soldiers"];
    assert_eq!((entry.title(), entry.maps.len(), entry.scenarios.len()), ("Sixteen Soldiers", 1, 1));
    let found = catalog.all_diagnostics();
    assert!(!found.has_errors(), "{found}");
}

#[test]
fn broken_entries_carry_what_is_wrong_and_hide_nothing() {
    let content = Content::new()
        .ruleset("good", None)
        .map("good", "board")
        .scenario("good", "standard", "")
        .with(
            "maps/good/bad.map.xml",
            "<map format='1' id='bad' title='B'><square width='0' height='1' diagonals='no'/></map>",
        )
        .with("maps/good/other.map.xml", "<map format='1' id='another' title='B'><graph/></map>")
        .with(
            "maps/good/hole.map.xml",
            "<map format='1' id='hole' title='H'>\n <graph/>\n <cell name='a' x='0' y='0'/>\n <line cells='a b'/></map>",
        )
        .with("rulesets/broken/ruleset.xml", "<ruleset")
        .with("rulesets/empty/rules.rhai", "")
        .with("maps/goood/board.map.xml", "<map/>");
    let catalog = content.catalog();
    assert_eq!(catalog.rulesets.keys().collect::<Vec<_>>(), ["broken", "empty", "good"]);
    assert_eq!(catalog.rulesets["broken"].title(), "broken");
    let good = &catalog.rulesets["good"];
    assert!(good.diagnostics.is_empty() && good.scenarios["standard"].diagnostics.is_empty());
    assert!(catalog.open("good", None).is_ok());
    let all = told(&catalog.all_diagnostics());
    for part in [
        "maps/good/bad.map.xml:1:51: error[bad-value]: `width`: 0 is outside 1 to 10000",
        "maps/good/hole.map.xml:4:2: error[unknown-name]: line \"line1\" runs through an unknown cell \"b\"",
        "maps/good/other.map.xml:1:21: error[bad-value]: the map says its id is `another`, but its file is named `other`",
        "rulesets/broken/ruleset.xml:1:1: error[document]",
        "rulesets/empty/ruleset.xml: error[file]: the file is not there",
        "maps/goood: warning[unknown-name]: the folder holds maps of `goood`, but there is no such ruleset",
    ] {
        assert!(all.contains(part), "{part}\n---\n{all}");
    }
    assert!(told(&catalog.open("broken", None).unwrap_err()).contains("rulesets/broken/ruleset.xml"));
}

#[test]
fn a_mod_lies_over_what_it_builds_on() {
    let content = Content::new()
        .ruleset("base", None)
        .ruleset("mod", Some("base"))
        .map("base", "board")
        .scenario("base", "standard", "")
        .scenario("base", "second", "<overlay file='more.rhai'/>")
        .with("maps/base/more.rhai", "// more")
        .scenario("mod", "standard", "")
        .with("scripts/cards/deck.rhai", "// deck")
        .with("scripts/api.d.rhai", "// generated")
        .with("rulesets/mod/help/rules.md", "# Help");
    let catalog = content.catalog();
    let titles: Vec<_> = catalog.scenarios("mod").values().map(|scenario| scenario.title.as_str()).collect();
    assert_eq!(titles, ["second of base", "standard of mod"]);

    let opened = catalog.open("mod", Some("second")).unwrap();
    let layers: Vec<_> = opened
        .sources
        .layers
        .iter()
        .map(|layer| (layer.id.as_str(), layer.files.len()))
        .collect();
    assert_eq!(layers, [("rulesets/base", 2), ("rulesets/mod", 3), ("maps/base", 1)]);
    assert_eq!(&*opened.sources.layers[2].files["more.rhai"], "// more");
    assert_eq!(opened.sources.library.files.keys().collect::<Vec<_>>(), ["cards/deck.rhai"]);
    assert_eq!(opened.folders.len(), 5);
}

#[test]
fn parameters_of_strategies_are_read_and_checked() {
    let text = |value: &str| format!("<parameters format='1'><parameter name='patience' value='{value}'/></parameters>");
    let content = Content::new()
        .ruleset("base", None)
        .ruleset("mod", Some("base"))
        .with("rulesets/base/strategies/bold.xml", &text("1"))
        .with("rulesets/base/strategies/calm.xml", &text("2"))
        .with("rulesets/mod/strategies/calm.xml", &text("3"))
        .with("rulesets/mod/strategies/odd.xml", "<parameters/>");
    let catalog = content.catalog();
    let patience = |strategy| catalog.parameters("mod", strategy).unwrap().values.get("patience").cloned();
    assert_eq!(
        ["bold", "calm", "none"].map(patience),
        [Some("1".to_owned()), Some("3".to_owned()), None]
    );
    assert!(told(&catalog.rulesets["mod"].diagnostics).starts_with("rulesets/mod/strategies/odd.xml:1:1: error[missing-value]"));
}

#[test]
fn rings_and_gaps_between_rulesets_are_told() {
    let content = Content::new()
        .ruleset("a", Some("b"))
        .ruleset("b", Some("c"))
        .ruleset("c", Some("b"))
        .ruleset("d", Some("bb"));
    let catalog = content.catalog();
    let errors: Vec<_> = ["a", "b", "d"].map(|id| told(&catalog.sources(id, None).unwrap_err())).into();
    assert_eq!(
        errors,
        [
            "rulesets/c/ruleset.xml:1:86: error[bad-value]: the ruleset builds on itself: a -> b -> c -> b",
            "rulesets/c/ruleset.xml:1:86: error[bad-value]: the ruleset builds on itself: b -> c -> b",
            "rulesets/d/ruleset.xml:1:86: error[unknown-name]: there is no ruleset `bb`",
        ]
    );
    let help = catalog.rulesets["d"].diagnostics.iter().next().unwrap().help.clone();
    assert_eq!(help.as_deref(), Some("there are: a, b, c, d"));
}

#[test]
fn names_that_are_not_there_are_told_with_what_was_meant() {
    let content = Content::new()
        .ruleset("base", None)
        .map("base", "boards")
        .scenario("base", "standard", "");
    let catalog = content.catalog();
    let help = |found: Diagnostics| found.iter().next().unwrap().help.clone().unwrap();
    assert_eq!(help(catalog.open("bsae", None).unwrap_err()), "did you mean `base`?");
    assert_eq!(help(catalog.open("base", Some("x")).unwrap_err()), "there are: standard");
    let found = catalog.open("base", None).unwrap_err();
    assert_eq!(
        told(&found),
        "maps/base/standard.scenario.xml:1:81: error[unknown-name]: there is no map `board`"
    );
    assert_eq!(help(found), "did you mean `boards`?");
}

#[test]
fn the_first_of_several_content_folders_counts() {
    let first = Content::new().ruleset("base", None).map("base", "board");
    let second = Content::new()
        .ruleset("base", None)
        .ruleset("more", None)
        .map("base", "board")
        .map("base", "larger");
    let catalog = Catalog::scan(&[first.root(), second.root(), first.root().join("missing")]);
    assert!(catalog.rulesets["base"].folder.starts_with(first.root()));
    let maps: Vec<_> = catalog.rulesets["base"]
        .maps
        .values()
        .map(|map| map.path.starts_with(first.root()))
        .collect();
    assert_eq!((maps, catalog.rulesets.len()), (vec![true, false], 2));
    let path = catalog.path_of("maps/base/larger.map.xml").unwrap();
    assert!(path.starts_with(second.root()));
    assert!(catalog.diagnostics.is_empty());
}

#[cfg(unix)]
#[test]
fn unreadable_files_and_folders_are_told() {
    use std::os::unix::fs::PermissionsExt as _;

    let content = Content::new()
        .ruleset("base", None)
        .map("base", "board")
        .scenario("base", "standard", "<overlay file='gone.rhai'/>");
    fs::create_dir_all(content.root().join("maps/base/folder.map.xml")).unwrap();
    let (file, folder) = (content.root().join("rulesets/base/rules.rhai"), content.root().join("scripts"));
    fs::create_dir(&folder).unwrap();
    let forbid = |mode| {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    };
    let catalog = content.catalog();
    let all = told(&catalog.all_diagnostics());
    for part in [
        "maps/base/folder.map.xml: error[file]: this is not a file",
        "maps/base/gone.rhai: error[file]: the file is not there",
    ] {
        assert!(all.contains(part), "{all}");
    }
    forbid(0);
    // For root nothing is unreadable.
    if fs::read(&file).is_err() {
        let found = told(&catalog.sources("base", None).unwrap_err());
        assert!(
            found.contains("rulesets/base/rules.rhai: error[file]: the file cannot be read"),
            "{found}"
        );
        assert!(found.contains("scripts: error[file]: the folder cannot be read"), "{found}");
    }
    forbid(0o755);
}
