//! The tutorial, followed to the letter in a folder of its own.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use boardwright_fixtures::copy_folder;

use super::console;
use super::page::{Block, blocks};
use crate::common::root;

const TUTORIAL: &str = "docs/authors/first-ruleset.md";
const STRATEGIES: &str = "docs/strategy-authors/strategies.md";
const HEX_WAR_GAME: &str = "docs/authors/hex-war-game.md";
/// What that page has differently from the game it is taken from, which has more of everything.
const SIMPLER: [&str; 4] = ["ruleset", "actions", "start", "REINFORCEMENTS"];
/// How long to wait for a changed file to be noticed.
const MOST_WAIT: Duration = Duration::from_mins(1);

#[test]
fn the_tutorial_leads_where_it_says() {
    let folder = tempfile::tempdir().unwrap();
    for content in ["rulesets", "maps", "scripts"] {
        copy_folder(&root().join(content), &folder.path().join(content)).unwrap();
    }
    let (mut files, mut commands) = (0, 0);
    let mut open: Option<OpenMatch> = None;
    for block in blocks(TUTORIAL) {
        if block.is("console") {
            commands += console::follow(&block, folder.path());
            if block.text.contains("boardwright check") {
                let (printed, _) = console::execute(["check", "drop-four"].into_iter(), "", folder.path());
                assert!(printed.contains("0 errors, 0 warnings"), "{}: {printed}", block.place());
            }
            if block.says("window") {
                open = Some(OpenMatch::begin(&block, folder.path()));
            }
            continue;
        }
        write(&block, folder.path());
        files += 1;
        let Some(playing) = open.as_mut().filter(|_| block.is("rhai") && !block.says("test")) else {
            continue;
        };
        if block.says("whole") {
            playing.wait_for("The changed rules have problems; the old ones stay in force");
            open = None;
        } else {
            playing.wait_for("The rules were read again");
            if block.text.contains("shift(") {
                playing.say("moves");
                playing.wait_for("7 actions:");
            }
        }
    }
    assert!(files >= 9 && commands >= 6, "{files} files, {commands} commands");
}

#[test]
fn the_walk_through_a_strategy_leads_where_it_says() {
    let folder = tempfile::tempdir().unwrap();
    for content in ["rulesets", "maps", "scripts"] {
        copy_folder(&root().join(content), &folder.path().join(content)).unwrap();
    }
    let (mut files, mut commands) = (0, 0);
    let mut open: Option<OpenMatch> = None;
    for block in blocks(STRATEGIES) {
        if block.is("console") {
            commands += console::follow(&block, folder.path());
            if block.says("window") {
                open = Some(OpenMatch::begin(&block, folder.path()));
            }
            continue;
        }
        write(&block, folder.path());
        files += 1;
        if let Some(playing) = open.as_mut().filter(|_| block.says("saved")) {
            playing.wait_for("The rules were read again");
        }
    }
    assert!(files >= 5 && commands >= 5, "{files} files, {commands} commands");
}

#[test]
fn the_page_about_a_hex_war_game_leads_to_one() {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&root().join("scripts"), &folder.path().join("scripts")).unwrap();
    fs::create_dir_all(folder.path().join("maps")).unwrap();
    let (mut files, mut commands) = (0, 0);
    for block in blocks(HEX_WAR_GAME) {
        if block.is("console") {
            commands += console::follow(&block, folder.path());
        } else {
            write(&block, folder.path());
            files += 1;
        }
    }
    assert!(files >= 15 && commands >= 4, "{files} files, {commands} commands");

    // What it arrives at is the bundled game, function by function.
    let bundled = root().join("rulesets/river-crossing");
    let chapters = fs::read_dir(bundled).unwrap().map(|entry| entry.unwrap().path());
    let chapters = chapters.filter(|path| path.extension().is_some_and(|ending| ending == "rhai"));
    let whole: Vec<(String, String)> = chapters.flat_map(|path| items(&fs::read_to_string(path).unwrap())).collect();
    let built = items(&fs::read_to_string(folder.path().join("rulesets/my-war/rules.rhai")).unwrap());
    for (name, text) in built.iter().filter(|(name, _)| !SIMPLER.contains(&name.as_str())) {
        let other = whole.iter().find(|(other, _)| other == name);
        let (_, other) = other.unwrap_or_else(|| panic!("River Crossing has no `{name}`"));
        assert!(other.ends_with(text.as_str()), "`{name}` is\n{other}\nand on the page\n{text}");
    }
}

/// A match that is left open while files are changed. What the page opens in the window is opened here in the terminal.
struct OpenMatch {
    child: Child,
    lines: Receiver<String>,
    seen: String,
}

impl OpenMatch {
    fn begin(block: &Block, folder: &Path) -> Self {
        let command = block.text.trim().strip_prefix("$ boardwright ").unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(command.split_whitespace())
            .arg("--text")
            .current_dir(folder)
            .env_remove("BOARDWRIGHT_CONTENT")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let mut playing = Self {
            child,
            lines,
            seen: String::new(),
        };
        // The board has been drawn, and someone is asked.
        playing.say("board");
        playing.wait_for("to move");
        playing
    }

    fn say(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits until a line has a text in it. What happens meanwhile is told with the next line that is typed.
    fn wait_for(&mut self, text: &str) {
        let begun = Instant::now();
        while begun.elapsed() < MOST_WAIT {
            match self.lines.recv_timeout(Duration::from_millis(100)) {
                Ok(line) => {
                    self.seen += &line;
                    self.seen.push('\n');
                    if line.contains(text) {
                        return;
                    }
                }
                Err(_) => self.say(""),
            }
        }
        panic!("`{text}` does not appear:\n{}", self.seen);
    }
}

impl Drop for OpenMatch {
    fn drop(&mut self) {
        // The end of what is typed ends the program; if it does not listen, it is ended.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Does with a block what a reader does: it is a whole file, or its functions and constants take the places of those with the same name.
fn write(block: &Block, folder: &Path) {
    let file = block.words.get(1).unwrap_or_else(|| panic!("{}: names no file", block.place()));
    let path = folder.join(file);
    let text = if !block.is("rhai") || block.says("whole") {
        block.text.clone()
    } else {
        // The first functions of a file make it.
        let mut items = items(&fs::read_to_string(&path).unwrap_or_default());
        for (name, text) in self::items(&block.text) {
            match items.iter_mut().find(|(other, _)| *other == name) {
                Some((_, old)) => *old = text,
                None => items.push((name, text)),
            }
        }
        items.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n\n")
    };
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The functions and constants of a script, each with the comments above it, by the line that names it.
fn items(text: &str) -> Vec<(String, String)> {
    let mut items: Vec<(String, String)> = Vec::new();
    let mut name: Option<String> = None;
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let named = ["fn ", "const "].iter().find_map(|word| line.strip_prefix(word));
        if let Some(rest) = named {
            let end = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(rest.len());
            name = Some(rest[..end].to_owned());
        }
        if !(lines.is_empty() && line.is_empty()) {
            lines.push(line);
        }
        // An item ends with its closing brace or bracket, or with the line of a constant.
        let ends = ["}", "};", "];"].contains(&line) || (line.ends_with([';', '}']) && named.is_some());
        if let Some(name) = name.take_if(|_| ends) {
            items.push((name, std::mem::take(&mut lines).join("\n")));
        }
    }
    assert!(lines.is_empty(), "something is left over: {lines:?}");
    items
}

#[test]
fn scripts_fall_into_functions_and_constants() {
    let found =
        items("// Head.\n\n/// One.\nconst A = 1;\n\n/// 2 Two.\nfn b(x) {\n    if x { 1 }\n}\n\nfn c() {}\n\nconst D = [\n    1,\n];\n");
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["A", "b", "c", "D"]);
    assert!(found.iter().any(|(_, text)| text == "/// 2 Two.\nfn b(x) {\n    if x { 1 }\n}"));
}
