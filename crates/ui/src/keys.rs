//! Which key does what: one table, from which keys are handled and the list of shortcuts is drawn. No other file of the window
//! handles keys, so the list cannot be wrong. What the player has changed of the table is in force on the thread of the window.

use std::cell::RefCell;
use std::collections::BTreeMap;

use egui::{Event, Key, Modifiers, Ui};
use serde::{Deserialize, Serialize};

use super::texts::text;
use super::theme::{Icon, IconButton};

/// A key with what is held beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shortcut {
    modifiers: Modifiers,
    key: Key,
}

pub(super) struct Binding {
    pub(super) act: Act,
    /// What it is stored by when its keys are changed.
    name: &'static str,
    pub(super) place: KeyContext,
    shortcuts: &'static [Shortcut],
    pub(super) label: fn() -> String,
}

const fn plain(key: Key) -> Shortcut {
    held(Modifiers::NONE, key)
}

const fn command(key: Key) -> Shortcut {
    held(Modifiers::COMMAND, key)
}

const fn shift(key: Key) -> Shortcut {
    held(Modifiers::SHIFT, key)
}

const fn held(modifiers: Modifiers, key: Key) -> Shortcut {
    Shortcut { modifiers, key }
}

/// Makes the table, with an [`Act`] for each line and a [`KeyContext`] for each part.
macro_rules! bindings {
    ($($place:ident: $title:expr, { $($act:ident: $($shortcut:expr),+ => $label:expr;)+ })+) => {
        /// What keys do.
        #[expect(missing_docs, reason = "the list of keys says what each does")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Act {
            $($($act),+),+
        }

        /// Where they do it.
        #[expect(missing_docs, reason = "the list of keys has their titles")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum KeyContext {
            $($place),+
        }

        impl KeyContext {
            /// All places, in the order in which they are listed.
            pub(super) const ALL: &[Self] = &[$(Self::$place),+];

            pub(super) fn title(self) -> String {
                match self {
                    $(Self::$place => $title,)+
                }
            }
        }

        pub(super) const BINDINGS: &[Binding] = &[$($(Binding {
            act: Act::$act,
            name: stringify!($act),
            place: KeyContext::$place,
            shortcuts: &[$($shortcut),+],
            label: || $label,
        }),+),+];
    };
}

bindings! {
    Match: text!("keys-match"), {
        ChooseAction: plain(Key::Num1), plain(Key::Num2), plain(Key::Num3), plain(Key::Num4), plain(Key::Num5), plain(Key::Num6)
            => text!("keys-choose-action");
        Play: plain(Key::Enter) => text!("keys-play");
        PlayOn: shift(Key::Enter) => text!("keys-play-on");
        Clear: plain(Key::Escape) => text!("choice-clear");
        TakeBack: plain(Key::Backspace) => text!("keys-take-back");
        Undo: command(Key::Z) => text!("match-undo");
        Redo: command(Key::Y), held(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z) => text!("match-redo");
        Hint: plain(Key::H) => text!("match-hint");
        NumberUp: plain(Key::CloseBracket) => text!("keys-number-up");
        NumberDown: plain(Key::OpenBracket) => text!("keys-number-down");
        NextPiece: plain(Key::P) => text!("keys-next-piece");
        PreviousPiece: shift(Key::P) => text!("keys-previous-piece");
        Turn: plain(Key::R) => text!("pose-turn");
        TurnBack: shift(Key::R) => text!("pose-turn-back");
        Mirror: plain(Key::F) => text!("pose-mirror");
        Save: command(Key::S) => text!("match-save");
        SaveAs: held(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::S) => text!("toolbar-save-as");
        Odds: plain(Key::O) => text!("odds-title");
        Insight: plain(Key::T) => text!("insight-title");
        HeatMap: plain(Key::M) => text!("heat-map-next");
        Chat: plain(Key::S) => text!("chat-title");
        Console: plain(Key::Backtick), plain(Key::F12) => text!("console-title");
    }
    History: text!("keys-history"), {
        Beginning: plain(Key::Home) => text!("history-beginning");
        StepBack: plain(Key::PageUp) => text!("history-back");
        ReplayBack: plain(Key::ArrowLeft) => text!("keys-replay-back");
        Run: plain(Key::Space) => text!("keys-run");
        StepForward: plain(Key::PageDown) => text!("history-forward");
        ReplayForward: plain(Key::ArrowRight) => text!("keys-replay-forward");
        Newest: plain(Key::End) => text!("history-newest");
        Compare: plain(Key::C) => text!("keys-compare");
    }
    Board: text!("keys-board"), {
        FocusLeft: plain(Key::ArrowLeft) => text!("keys-left");
        FocusRight: plain(Key::ArrowRight) => text!("keys-right");
        FocusUp: plain(Key::ArrowUp) => text!("keys-up");
        FocusDown: plain(Key::ArrowDown) => text!("keys-down");
        NextOffered: plain(Key::N) => text!("keys-next-offered");
        PreviousOffered: shift(Key::N) => text!("keys-previous-offered");
        ClickCell: plain(Key::Space), plain(Key::Enter) => text!("keys-click");
        Larger: plain(Key::Plus) => text!("board-larger");
        Smaller: plain(Key::Minus) => text!("board-smaller");
        Whole: plain(Key::Num0) => text!("board-whole");
        PanLeft: shift(Key::ArrowLeft) => text!("keys-pan-left");
        PanRight: shift(Key::ArrowRight) => text!("keys-pan-right");
        PanUp: shift(Key::ArrowUp) => text!("keys-pan-up");
        PanDown: shift(Key::ArrowDown) => text!("keys-pan-down");
    }
    Program: text!("keys-program"), {
        Shortcuts: plain(Key::Questionmark), shift(Key::F1) => text!("keys-shortcuts");
        RuleBook: plain(Key::F1) => text!("tools-book");
        Scripts: plain(Key::F4) => text!("tools-scripts");
        Open: command(Key::O) => text!("toolbar-open");
        LargerText: command(Key::Plus) => text!("settings-text-larger");
        SmallerText: command(Key::Minus) => text!("settings-text-smaller");
    }
    Drawing: text!("keys-drawing"), {
        ToolHand: plain(Key::V) => text!("tool-hand");
        ToolBrush: plain(Key::B) => text!("tool-brush");
        ToolLine: plain(Key::L) => text!("tool-line");
        ToolRectangle: plain(Key::R) => text!("tool-rectangle");
        ToolFill: plain(Key::F) => text!("tool-fill");
        ToolReplace: plain(Key::G) => text!("tool-replace");
        ToolDropper: plain(Key::I) => text!("tool-dropper");
        ToolHole: plain(Key::H) => text!("tool-hole");
        ToolHeight: plain(Key::E) => text!("tool-height");
        ToolRegion: plain(Key::Q) => text!("tool-region");
        ToolEdge: plain(Key::W) => text!("tool-edge");
        ToolSelect: plain(Key::S) => text!("tool-select");
        ToolPiece: plain(Key::P) => text!("tool-piece");
        ToolPoint: plain(Key::O) => text!("tool-point");
        ToolOutline: plain(Key::U) => text!("tool-outline");
        ToolLink: plain(Key::K) => text!("tool-link");
        Swatch: plain(Key::Num1), plain(Key::Num2), plain(Key::Num3), plain(Key::Num4), plain(Key::Num5), plain(Key::Num6)
            => text!("keys-swatch");
        BrushSmaller: plain(Key::OpenBracket) => text!("brush-smaller");
        BrushLarger: plain(Key::CloseBracket) => text!("brush-larger");
        Symmetry: plain(Key::M) => text!("keys-symmetry");
        DrawUndo: command(Key::Z) => text!("match-undo");
        DrawRedo: command(Key::Y), held(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z) => text!("match-redo");
        CopyCells: command(Key::C) => text!("edit-copy");
        CutCells: command(Key::X) => text!("edit-cut");
        PasteCells: command(Key::V) => text!("edit-paste");
        TurnCells: shift(Key::T) => text!("edit-turn");
        MirrorCells: shift(Key::M) => text!("edit-mirror");
        SelectAll: command(Key::A) => text!("edit-select-all");
        DeleteDrawn: plain(Key::Delete), plain(Key::Backspace) => text!("edit-delete");
        LeaveTool: plain(Key::Escape) => text!("edit-leave");
        ShowGrid: shift(Key::G) => text!("layer-coordinates");
        ShowRegions: shift(Key::Q) => text!("layer-regions");
        ShowHeights: shift(Key::E) => text!("layer-heights");
        NextProblem: plain(Key::F8) => text!("keys-next-problem");
        TryOut: plain(Key::F5) => text!("edit-try");
        SaveDrawing: command(Key::S) => text!("edit-save");
        NewFile: command(Key::N) => text!("edit-new");
        NewScenario: held(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::N) => text!("edit-new-scenario");
        CloseFile: command(Key::W) => text!("edit-close");
        NextFile: command(Key::PageDown) => text!("keys-next-file");
        PreviousFile: command(Key::PageUp) => text!("keys-previous-file");
    }
    Lists: text!("keys-lists"), {
        ListUp: plain(Key::ArrowUp) => text!("keys-list-up");
        ListDown: plain(Key::ArrowDown) => text!("keys-list-down");
        ListOpen: plain(Key::Enter) => text!("open-open");
        ListDelete: plain(Key::Delete) => text!("open-delete");
        ListLeave: plain(Key::Escape) => text!("keys-list-leave");
    }
    Editor: text!("keys-editor"), {
        SaveScript: command(Key::S) => text!("scripts-save");
        GoOn: plain(Key::F8) => text!("debug-go-on");
        StepOver: plain(Key::F10) => text!("debug-over");
        StepInto: plain(Key::F11) => text!("debug-into");
        StepOut: shift(Key::F11) => text!("debug-out");
    }
    Console: text!("keys-console"), {
        ConsoleSay: plain(Key::Enter) => text!("console-say");
        ConsoleComplete: plain(Key::Tab) => text!("console-complete");
        ConsoleEarlier: plain(Key::ArrowUp) => text!("console-earlier");
        ConsoleLater: plain(Key::ArrowDown) => text!("console-later");
        ConsoleClose: plain(Key::Escape) => text!("console-close");
    }
}

/// The keys that the player has changed, by what they do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct KeyMap(BTreeMap<String, Vec<Shortcut>>);

thread_local! {
    static CHANGED: RefCell<KeyMap> = RefCell::default();
}

/// Puts the changed keys of a player in force on this thread.
pub(super) fn set_key_map(map: KeyMap) {
    CHANGED.set(map);
}

/// The changed keys that are in force on this thread.
pub(super) fn key_map() -> KeyMap {
    CHANGED.with_borrow(Clone::clone)
}

impl KeyMap {
    /// The keys of a line of the table.
    fn shortcuts(&self, binding: &Binding) -> Vec<Shortcut> {
        self.0.get(binding.name).cloned().unwrap_or_else(|| binding.shortcuts.to_vec())
    }

    /// Sets the keys of a line of the table.
    fn set(&mut self, binding: &Binding, shortcuts: Vec<Shortcut>) {
        if shortcuts == binding.shortcuts {
            self.0.remove(binding.name);
        } else {
            self.0.insert(binding.name.to_owned(), shortcuts);
        }
    }
}

impl Binding {
    /// The keys in force.
    pub(super) fn shortcuts(&self) -> Vec<Shortcut> {
        CHANGED.with_borrow(|map| map.shortcuts(self))
    }

    /// Whether the player has changed its keys.
    pub(super) fn is_changed(&self) -> bool {
        CHANGED.with_borrow(|map| map.0.contains_key(self.name))
    }

    /// Gives it a key: in place of the one at `index`, or one more. It is taken from whatever it would be ambiguous with.
    pub(super) fn bind(&self, index: usize, shortcut: Shortcut) {
        for other in self.rivals(shortcut) {
            let mut kept = other.shortcuts();
            kept.retain(|known| *known != shortcut);
            CHANGED.with_borrow_mut(|map| map.set(other, kept));
        }
        let mut shortcuts = self.shortcuts();
        match shortcuts.get_mut(index) {
            Some(slot) => *slot = shortcut,
            None => shortcuts.push(shortcut),
        }
        CHANGED.with_borrow_mut(|map| map.set(self, shortcuts));
    }

    /// Gives it the keys of the table again; keys that others have got meanwhile stay with them.
    pub(super) fn reset(&self) {
        let mut own = self.shortcuts.to_vec();
        own.retain(|shortcut| self.rivals(*shortcut).next().is_none());
        CHANGED.with_borrow_mut(|map| map.set(self, own));
    }

    /// The other lines of the table that a key would be ambiguous with.
    pub(super) fn rivals(&self, shortcut: Shortcut) -> impl Iterator<Item = &'static Binding> {
        let (act, place) = (self.act, self.place);
        let meet = move |other: KeyContext| other == place || other == KeyContext::Program || place == KeyContext::Program;
        let others = BINDINGS.iter().filter(move |other| other.act != act && meet(other.place));
        others.filter(move |other| other.shortcuts().contains(&shortcut))
    }
}

/// Takes the next key that is pressed, whatever it does; `Err` where that is the key that gives up.
pub(super) fn take_any(ui: &Ui) -> Option<Result<Shortcut, ()>> {
    ui.input_mut(|input| {
        let found = input.events.iter().find_map(|event| match event {
            Event::Key {
                key,
                pressed: true,
                modifiers,
                ..
            } => Some(Shortcut::pressed(*key, *modifiers)),
            _ => None,
        })?;
        // The sign that the key writes goes with it.
        input.events.retain(|event| !matches!(event, Event::Key { .. } | Event::Text(_)));
        Some(if found.key == Key::Escape { Err(()) } else { Ok(found) })
    })
}

impl Shortcut {
    /// The shortcut that a pressed key is.
    fn pressed(key: Key, modifiers: Modifiers) -> Self {
        let key = if key == Key::Equals { Key::Plus } else { key };
        let modifiers = Modifiers {
            alt: modifiers.alt,
            shift: modifiers.shift && !is_sign(key),
            command: modifiers.command,
            ..Modifiers::NONE
        };
        Self { modifiers, key }
    }

    /// Whether a pressed key is this one. Where a sign stands on a key depends on the keyboard, so the shift key that brings it up is
    /// not asked about.
    fn is(self, key: Key, modifiers: Modifiers) -> bool {
        // On many keyboards the plus is the upper sign of the key with the equals sign.
        let key = if key == Key::Equals { Key::Plus } else { key };
        let modifiers = if is_sign(key) {
            Modifiers { shift: false, ..modifiers }
        } else {
            modifiers
        };
        self.key == key && modifiers.matches_exact(self.modifiers)
    }

    /// How the key is written: "Ctrl+Shift+S".
    pub(super) fn label(self) -> String {
        let is_mac = cfg!(target_os = "macos");
        let mut label = String::new();
        if self.modifiers.command {
            label.push_str(if is_mac { "⌘" } else { "Ctrl+" });
        }
        if self.modifiers.alt {
            label.push_str(if is_mac { "⌥" } else { "Alt+" });
        }
        if self.modifiers.shift {
            label.push_str(if is_mac { "⇧" } else { "Shift+" });
        }
        match self.key {
            Key::ArrowLeft => label.push('←'),
            Key::ArrowRight => label.push('→'),
            Key::ArrowUp => label.push('↑'),
            Key::ArrowDown => label.push('↓'),
            Key::Space => label.push_str(&text!("key-space")),
            Key::Escape => label.push_str("Esc"),
            Key::Backtick => label.push('`'),
            Key::Minus if self.modifiers.is_none() => label.push('-'),
            Key::Plus | Key::Minus if !self.modifiers.is_none() => label.push_str(self.key.name()),
            key => label.push_str(key.symbol_or_name()),
        }
        label
    }
}

/// Whether a key is one of the row of function keys.
const fn is_function(key: Key) -> bool {
    (key as u8) >= (Key::F1 as u8) && (key as u8) <= (Key::F35 as u8)
}

/// Whether a key writes a sign for which some keyboards need the shift key.
fn is_sign(key: Key) -> bool {
    matches!(key, Key::Plus | Key::Questionmark | Key::OpenBracket | Key::CloseBracket)
}

fn shortcuts(act: Act) -> impl Iterator<Item = Shortcut> {
    let bound = BINDINGS.iter().filter(move |binding| binding.act == act);
    bound.flat_map(Binding::shortcuts)
}

/// Which of the keys that do something an event presses, if it presses one.
fn which(event: &Event, act: Act) -> Option<usize> {
    match event {
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => shortcuts(act).position(|shortcut| shortcut.is(*key, *modifiers)),
        // Window systems have events of their own for these keys.
        Event::Copy => shortcuts(act).position(|shortcut| shortcut == command(Key::C)),
        Event::Cut => shortcuts(act).position(|shortcut| shortcut == command(Key::X)),
        Event::Paste(_) => shortcuts(act).position(|shortcut| shortcut == command(Key::V)),
        _ => None,
    }
}

/// Takes the key that does something, if it is pressed.
pub fn pressed(ui: &Ui, act: Act) -> bool {
    !take_all(ui, &[act]).is_empty()
}

/// Which of the keys that do something is pressed, if one is.
pub fn pressed_which(ui: &Ui, act: Act) -> Option<usize> {
    ui.input_mut(|input| {
        let mut events = input.events.iter().enumerate();
        let (place, which) = events.find_map(|(place, event)| Some((place, which(event, act)?)))?;
        input.events.remove(place);
        Some(which)
    })
}

/// [`pressed`] by a key that writes nothing into the field that has the focus, and changes nothing in it: one with Ctrl, or a function key.
pub fn pressed_while_writing(ui: &Ui, act: Act) -> bool {
    let writes_nothing = |shortcut: &Shortcut| shortcut.modifiers.command || is_function(shortcut.key);
    let keys: Vec<Shortcut> = shortcuts(act).filter(writes_nothing).collect();
    let is_one = |event: &Event| match event {
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => keys.iter().any(|shortcut| shortcut.is(*key, *modifiers)),
        _ => false,
    };
    ui.input_mut(|input| input.events.extract_if(.., |event| is_one(event)).count() > 0)
}

/// [`pressed`] where a field for texts has the focus, or is about to get it: the sign that the key writes is taken with it.
pub(super) fn pressed_beside_field(ui: &Ui, act: Act) -> bool {
    let is_pressed = pressed(ui, act);
    if is_pressed {
        let is_written = |text: &str| shortcuts(act).any(|shortcut| text.eq_ignore_ascii_case(shortcut.key.symbol_or_name()));
        ui.input_mut(|input| input.events.retain(|event| !matches!(event, Event::Text(text) if is_written(text))));
    }
    is_pressed
}

/// Takes the first key that does one of some things in a field for texts, and all that came behind it in the same frame: what was typed
/// before it is still to go into the field, what came after it is for the next frame.
pub(super) fn first_pressed(ui: &Ui, acts: &[Act]) -> Option<(Act, Vec<Event>)> {
    let act_of = |event: &Event| acts.iter().copied().find(|act| which(event, *act).is_some());
    ui.input_mut(|input| {
        let mut events = input.events.iter().enumerate();
        let (place, act) = events.find_map(|(place, event)| Some((place, act_of(event)?)))?;
        let later = input.events.split_off(place + 1);
        input.events.pop();
        Some((act, later))
    })
}

/// Whether an event is the press of a key that does one of some things.
pub(super) fn is_one_of(event: &Event, acts: &[Act]) -> bool {
    acts.iter().any(|act| which(event, *act).is_some())
}

/// Takes the keys that do one of some things, in the order in which they were pressed.
pub(super) fn take_all(ui: &Ui, acts: &[Act]) -> Vec<Event> {
    ui.input_mut(|input| input.events.extract_if(.., |event| is_one_of(event, acts)).collect())
}

/// Lets what came later in the frame before come first in this one.
pub(super) fn give_back(ui: &Ui, later: Vec<Event>) {
    if !later.is_empty() {
        ui.input_mut(|input| drop(input.events.splice(0..0, later)));
    }
}

/// Whether a field of one line was left with the key that enters a text.
pub fn is_entered(ui: &Ui, field: &egui::Response) -> bool {
    field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

/// The first key that does something, as it is written.
pub fn key_of(act: Act) -> String {
    key_of_which(act, 0)
}

/// What something is called that keys do.
pub fn label_of(act: Act) -> String {
    BINDINGS
        .iter()
        .find(|binding| binding.act == act)
        .map_or_else(String::new, |binding| (binding.label)())
}

/// A button with an icon that does what keys do.
pub fn button_of(icon: Icon, act: Act) -> IconButton {
    IconButton::icon(icon, label_of(act)).hint(key_of(act))
}

/// The key that does the n-th of what the keys for something do, as it is written.
pub fn key_of_which(act: Act, which: usize) -> String {
    shortcuts(act).nth(which).map(Shortcut::label).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_key_does_one_thing_in_a_place_and_what_the_program_takes_is_free_elsewhere() {
        for place in KeyContext::ALL {
            let bound = BINDINGS
                .iter()
                .filter(|binding| binding.place == *place || binding.place == KeyContext::Program);
            let all: Vec<String> = bound.flat_map(Binding::shortcuts).map(Shortcut::label).collect();
            let each: BTreeSet<&String> = all.iter().collect();
            assert_eq!(each.len(), all.len(), "{place:?}: {all:?}");
        }
    }

    fn read(folder: &Path, take: &mut dyn FnMut(&Path, &str)) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                read(&path, take);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("src/keys.rs") {
                take(&path, &fs::read_to_string(&path).unwrap());
            }
        }
    }

    /// Reads the code of the window and of the editor.
    fn read_all(take: &mut dyn FnMut(&Path, &str)) {
        let window = Path::new(env!("CARGO_MANIFEST_DIR"));
        read(&window.join("src"), take);
        read(&window.join("../../editor/src"), take);
        read(&window.join("../online/src"), take);
    }

    #[test]
    fn keys_are_taken_by_this_table_alone() {
        let mut found = Vec::new();
        read_all(&mut |path, code| {
            // That lets keys through one by one, whatever they are.
            if path.ends_with("src/input_pacing.rs") {
                return;
            }
            let takes = ["consume_key", "consume_shortcut", "key_pressed", "key_down", "Event::Key"];
            found.extend(
                takes
                    .iter()
                    .filter(|word| code.contains(*word))
                    .map(|word| format!("{}: {word}", path.display())),
            );
        });
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn every_line_of_the_table_is_taken_somewhere() {
        let mut code = String::new();
        read_all(&mut |_, text| {
            code.push_str(text);
        });
        for binding in BINDINGS {
            let act = format!("Act::{:?}", binding.act);
            let is_taken = code.match_indices(&act).any(|(at, _)| {
                let rest = code[at + act.len()..].chars().next();
                rest.is_some_and(|letter| !letter.is_alphanumeric())
            });
            assert!(is_taken, "{act}");
        }
    }

    fn binding(act: Act) -> &'static Binding {
        BINDINGS.iter().find(|binding| binding.act == act).unwrap()
    }

    #[test]
    fn a_changed_key_is_taken_from_what_it_did_and_comes_back() {
        let (hint, undo) = (binding(Act::Hint), binding(Act::Undo));
        let taken = command(Key::Z);
        assert_eq!(hint.rivals(taken).map(|rival| rival.act).collect::<Vec<_>>(), [Act::Undo]);
        hint.bind(0, taken);
        assert_eq!((hint.shortcuts(), undo.shortcuts()), (vec![taken], Vec::new()));
        assert_eq!((key_of(Act::Hint), key_of(Act::Undo)), ("Ctrl+Z".to_owned(), String::new()));
        let stored = serde_json::to_string(&key_map()).unwrap();
        set_key_map(KeyMap::default());
        assert!(!hint.is_changed());
        set_key_map(serde_json::from_str(&stored).unwrap());
        undo.reset();
        assert_eq!(undo.shortcuts(), [], "somebody else has its key");
        hint.reset();
        undo.reset();
        assert_eq!(key_map(), KeyMap::default());
    }

    #[test]
    fn a_key_of_one_place_may_do_something_else_in_another() {
        let click = binding(Act::ClickCell);
        assert_eq!(click.rivals(plain(Key::Backspace)).count(), 0);
        assert_eq!(
            click.rivals(plain(Key::F1)).count(),
            1,
            "what the program takes is taken everywhere"
        );
    }

    #[test]
    fn a_sign_is_the_same_key_wherever_the_keyboard_has_it() {
        assert!(plain(Key::Plus).is(Key::Plus, Modifiers::SHIFT));
        assert!(command(Key::Plus).is(Key::Equals, Modifiers::COMMAND));
        assert!(plain(Key::Questionmark).is(Key::Questionmark, Modifiers::SHIFT));
        assert!(!plain(Key::N).is(Key::N, Modifiers::SHIFT));
        assert!(!command(Key::Z).is(Key::Z, Modifiers::COMMAND.plus(Modifiers::SHIFT)));
    }
}
