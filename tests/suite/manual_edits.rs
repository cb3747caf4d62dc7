//! A running match changed by hand: what can be said, that it is recorded and marked, and that a rated match refuses it.

use std::sync::Arc;

use crate::command_line::{run, run_in};
use crate::common::{Bundled, root};
use crate::rated::begun;
use boardwright::client::Connection;
use boardwright::host::{Cause, HostError, Journal, Match, verify};
use boardwright::model::{EditCommand, ManualEdit, Policy, complete_edit};
use boardwright::model::{RefusalCode, Rejection};
use boardwright::model::{SeatId, State};
use boardwright::protocol::{Command, EntryCause, Reply};
use boardwright::rules::{RulesSource, flow};
use boardwright::script::line_completions;

struct Table {
    playing: Match,
    start: State,
    source: Arc<dyn RulesSource>,
}

impl Table {
    fn new(policy: Policy) -> Self {
        let bundled = Bundled::read("conquest", "war");
        let start = bundled.setup();
        let source: Arc<dyn RulesSource> = bundled.source.clone();
        let playing = Match::begin(Arc::clone(&source), start.clone(), 5, policy).unwrap();
        Self { playing, start, source }
    }

    fn tries(&mut self, text: &str) -> Result<String, HostError> {
        let command = ManualEdit::read(text, self.playing.state()).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        self.playing.apply_edit(text, &command).map(|(_, printed)| printed)
    }

    #[track_caller]
    fn says(&mut self, text: &str) -> String {
        self.tries(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn plays(&mut self, notation: &str) {
        let seat = self.playing.state().acting().first().unwrap();
        let legal = flow::legal(self.playing.rules(), self.playing.state(), seat).unwrap();
        let found = legal
            .iter()
            .find(|action| self.playing.rules().notation(self.playing.state(), action) == notation);
        let found = found.unwrap_or_else(|| panic!("{notation} is not legal")).clone();
        self.playing.submit(&found, self.playing.journal().position()).unwrap();
    }

    /// The owner and the armies of an area, as scripts see them.
    fn area(&mut self, name: &str) -> String {
        let state = self.playing.state();
        let piece = state.piece_at(state.board().find_cell(name).unwrap());
        let Some(piece) = piece else { return "empty".to_owned() };
        let owner = piece.owner.map_or("nobody".to_owned(), |seat| {
            state.declarations().seats[seat.index()].name.to_string()
        });
        format!("{owner} {}", piece.values[0])
    }
}

#[test]
fn areas_seats_cards_phases_and_turns_are_changed_as_said() {
    let mut table = Table::new(Policy::default());
    let seat = table.playing.state().sequence().mark.seat.unwrap();
    let name = table.playing.state().declarations().seats[seat.index()].name.to_string();
    table.says("set Alaska.armies = 12");
    assert_eq!(table.area("Alaska"), "red 12");
    table.says("owner Alaska, North Africa = green");
    assert_eq!(
        (table.area("Alaska"), table.area("North Africa")),
        ("green 12".to_owned(), "green 6".to_owned())
    );
    table.says("exchange Alaska, Congo");
    assert_eq!(
        (table.area("Alaska"), table.area("Congo")),
        ("blue 12".to_owned(), "green 1".to_owned())
    );
    table.says("owner Alaska = nobody");
    assert_eq!(table.area("Alaska"), "nobody 12");
    table.says("owner Alaska = red");
    table.says("strip blue = red");
    assert_eq!(table.playing.state().owned_by(SeatId(1)).unwrap().count(), 1);
    table.says("set red.reserve = 9");
    table.says("set match.sets_traded = 4");
    let cards = |table: &Table| {
        let declarations = table.playing.state().declarations();
        table
            .playing
            .state()
            .zone(declarations.find_zone("hand", Some(SeatId(0))).unwrap())
            .unwrap()
            .count()
    };
    let before = cards(&table);
    table.says("move deck = hand of red");
    table.says("add wild of red = hand of red");
    assert_eq!(cards(&table), before + 2);
    table.says(&format!("set {name}.reserve = 0"));
    table.says("phase attack");
    let phase = table.playing.state().sequence().phase;
    assert_eq!(&*table.playing.state().declarations().phases[phase.index()].name, "attack");
    table.says("turn green");
    assert_eq!(table.playing.state().sequence().mark.seat, Some(SeatId(2)));
    assert_eq!(
        table.says("run turn.seat.reserve += 5; print(turn.seat.name); turn.round"),
        "green\n1"
    );
    // All of it is in the journal, can be taken back and done again, and passes verification.
    let digest = table.playing.state().digest();
    let end = table.playing.journal().position();
    assert!(matches!(&table.playing.journal().events()[1].cause, Cause::Debug { what } if what == "set Alaska.armies = 12"));
    assert_eq!(&*table.playing.journal().events()[1].notation, "", "cards are hidden in this match");
    table.playing.go_to(1).unwrap();
    assert_eq!(table.area("Alaska"), "red 6");
    table.playing.go_to(end).unwrap();
    assert_eq!(table.playing.state().digest(), digest);
    let events: Vec<_> = table.playing.journal().events().to_vec();
    let seed = Some(table.playing.seed());
    let verified = verify(
        table.start.clone(),
        &Journal::new(events, usize::MAX),
        &[Arc::clone(&table.source)],
        seed,
    )
    .unwrap();
    assert_eq!((verified.repeated, verified.applied), (1, end - 1));
}

#[test]
fn the_next_dice_fall_as_they_were_laid() {
    let mut table = Table::new(Policy::default());
    for text in [
        "turn red",
        "set red.reserve = 0",
        "phase attack",
        "set Alaska.armies = 20",
        "set Kamchatka.armies = 2",
        "dice 6, 6, 6, 1, 1",
    ] {
        table.says(text);
    }
    table.plays("Alaska > Kamchatka with 3");
    table.plays("defend with 2");
    assert_eq!(table.says("run turn.last_dice"), "6 6 6 : 1 1");
    assert!(table.area("Kamchatka").starts_with("red"));
    // What was laid is used up, and the way back and forth leads to the same dice.
    let digest = table.playing.state().digest();
    let end = table.playing.journal().position();
    table.playing.go_to(2).unwrap();
    table.playing.go_to(end).unwrap();
    assert_eq!(table.playing.state().digest(), digest);
    // Drawn again from the seed they fall as they were laid, too.
    let events: Vec<_> = table.playing.journal().events().to_vec();
    let seed = Some(table.playing.seed());
    let verified = verify(
        table.start.clone(),
        &Journal::new(events, usize::MAX),
        &[Arc::clone(&table.source)],
        seed,
    );
    assert!(verified.unwrap_or_else(|difference| panic!("{difference}")).repeated >= 3);
}

/// A battle that is about to be fought, with dice laid for it.
fn with_dice_laid(policy: Policy) -> Table {
    let mut table = Table::new(policy);
    for text in [
        "turn red",
        "set red.reserve = 0",
        "phase attack",
        "set Alaska.armies = 20",
        "set Kamchatka.armies = 20",
        "dice 6, 6, 6, 1, 1, 5, 5",
    ] {
        table.says(text);
    }
    table
}

impl Table {
    /// Fights one round, and says how the dice fell.
    fn fights(&mut self) -> String {
        self.plays("Alaska > Kamchatka with 3");
        self.plays("defend with 2");
        let faces: Vec<String> = self.last_draws().iter().map(ToString::to_string).collect();
        faces.join(" ")
    }

    fn last_draws(&self) -> Vec<u32> {
        let event = self.playing.journal().last().unwrap();
        event.draws.iter().flat_map(|draw| draw.result.iter().copied()).collect()
    }

    /// The same match as a save would open it: from what it began with and its journal, and nothing else.
    fn is_taken_up_again(&self) -> Self {
        let written = serde_json::to_string(&self.playing.journal().events()).unwrap();
        let journal = Journal::new(serde_json::from_str(&written).unwrap(), self.playing.journal().position());
        let sources = [Arc::clone(&self.source)];
        let policy = self.playing.policy();
        Self {
            playing: Match::resume(&sources, self.start.clone(), self.playing.seed(), policy, journal).unwrap(),
            start: self.start.clone(),
            source: Arc::clone(&self.source),
        }
    }
}

#[test]
fn laid_dice_are_taken_back_and_come_again_with_what_laid_them() {
    let mut table = with_dice_laid(Policy::default());
    let laid = table.playing.journal().position();
    assert_eq!(table.fights(), "6 6 6 1 1");
    // Taken back, the battle has not been fought: its dice lie there again.
    table.playing.undo(None).unwrap();
    table.playing.undo(None).unwrap();
    assert_eq!(table.playing.journal().position(), laid);
    assert_eq!(table.fights(), "6 6 6 1 1");
    // What was not used is for the next round.
    assert_eq!(table.playing.journal().forced_dice(), [5, 5]);
    assert!(table.fights().starts_with("5 5 "));
    // Before they were laid there are none.
    table.playing.go_to(laid - 1).unwrap();
    assert_eq!(table.playing.journal().forced_dice(), Vec::<u32>::new());
    let digest = table.playing.state().digest();
    table.playing.leave_later();
    let by_luck = table.fights();
    assert_ne!(by_luck, "6 6 6 1 1");
    // And luck is where it would have been had they never been laid.
    let mut other = Table::new(Policy::default());
    for text in [
        "turn red",
        "set red.reserve = 0",
        "phase attack",
        "set Alaska.armies = 20",
        "set Kamchatka.armies = 20",
    ] {
        other.says(text);
    }
    assert_eq!((other.playing.state().digest(), other.fights()), (digest, by_luck));
}

#[test]
fn laid_dice_are_kept_with_the_match() {
    let table = with_dice_laid(Policy::default());
    let mut again = table.is_taken_up_again();
    assert_eq!(again.fights(), "6 6 6 1 1");
    // In the middle of them as well, and behind what was taken back.
    let mut later = again.is_taken_up_again();
    assert!(later.fights().starts_with("5 5 "));
    later.playing.go_to(table.playing.journal().position()).unwrap();
    let mut back = later.is_taken_up_again();
    back.playing.redo().unwrap();
    back.playing.redo().unwrap();
    assert_eq!(back.playing.journal().forced_dice(), [5, 5]);
    let mut branch = later.playing.branch();
    std::mem::swap(&mut later.playing, &mut branch);
    assert_eq!(later.fights(), "6 6 6 1 1");
    // It can be proved from the seed, and a face that was changed afterwards is found.
    let mut events: Vec<_> = branch.journal().events().to_vec();
    let sources = [Arc::clone(&table.source)];
    let verified = verify(
        table.start.clone(),
        &Journal::new(events.clone(), usize::MAX),
        &sources,
        Some(branch.seed()),
    )
    .unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(verified.repeated >= 5, "{verified:?}");
    let dice = events.iter().position(|event| matches!(event.cause, Cause::Dice { .. })).unwrap();
    let mut changed = (*events[dice]).clone();
    changed.cause = Cause::Dice {
        faces: vec![6, 6, 6, 6, 6],
    };
    events[dice] = Arc::new(changed);
    let wrong = verify(
        table.start.clone(),
        &Journal::new(events, usize::MAX),
        &sources,
        Some(branch.seed()),
    )
    .unwrap_err();
    assert!(wrong.what.contains("luck gives"), "{wrong}");
}

#[test]
fn what_can_not_be_done_changes_nothing_and_says_why() {
    let mut table = Table::new(Policy::default());
    table.says("remove Peru");
    let state = Arc::clone(table.playing.state());
    for (text, why) in [
        (
            "set Peru.armies = 3",
            "there is no piece on Peru, and `armies` is a property of pieces",
        ),
        ("set Peru.colour = red", "Peru has no property `colour`"),
        ("set Alaska.armies = many", "expected a whole number"),
        ("set Alaska.armies = -3", "-3 is outside 0 to 100000"),
        ("set Alaska.colour = red", "Alaska has no property `colour`"),
        ("set armies = 3", "behind a point"),
        ("owner Atlantis = red", "there is no cell `Atlantis`"),
        ("owner Alaska = pink", "there is no seat `pink`; there are red, blue, green"),
        ("exchange Alaska", "write it as in `exchange CELL, CELL`"),
        ("add dragon = Alaska", "there is no kind `dragon`"),
        ("move deck = nowhere", "`nowhere` is no cell and no zone"),
        ("dice 6, x", "write it as in `dice 6, 6, 1`"),
        ("phase lunch", "there is no phase `lunch`; there are claim, deploy"),
        ("frobnicate", "`frobnicate` is none of set, owner, exchange"),
    ] {
        let wrong = ManualEdit::read(text, &state).unwrap_err();
        assert!(wrong.text().contains(why), "{text}: {wrong}");
    }
    let digest = state.digest();
    drop(state);
    for (text, why) in [
        ("run turn.no_such_word()", "no_such_word"),
        ("run loop { }", "budget"),
        ("run let x = ;", "syntax"),
        ("run turn.seat.reserve = -1", "outside 0 to"),
    ] {
        let error = table.tries(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert_eq!((table.playing.state().digest(), table.playing.journal().position()), (digest, 2));
}

#[test]
fn a_rated_match_cannot_be_edited() {
    let mut table = Table::new(Policy {
        debug: false,
        ..Policy::default()
    });
    let error = table.tries("set Alaska.armies = 12").unwrap_err();
    assert!(matches!(error, HostError::Rejected(Rejection::Refused(refusal)) if refusal.code == RefusalCode::Policy));
    assert_eq!(table.area("Alaska"), "red 6");
}

#[test]
fn every_word_of_the_list_is_understood() {
    let table = Table::new(Policy::default());
    for command in EditCommand::ALL {
        let form = command.form();
        let example = form
            .replace("THING.PROPERTY", "match.sets_traded")
            .replace("VALUE", "3")
            .replace("CELL, CELL", "Alaska, Congo")
            .replace("OWNER", "nobody")
            .replace("SEAT = SEAT", "red = blue")
            .replace("SEAT", "red")
            .replace("KIND", "wild")
            .replace("PLACE = PLACE", "deck = discards")
            .replace("PLACE", "discards")
            .replace("PHASE", "attack")
            .replace("SCRIPT", "turn.round");
        ManualEdit::read(&example, table.playing.state()).unwrap_or_else(|wrong| panic!("{example}: {wrong}"));
    }
}

#[test]
fn a_line_is_completed_from_what_there_is_in_the_match() {
    let mut table = Table::new(Policy::default());
    table.says("remove Peru");
    let state = Arc::clone(table.playing.state());
    let complete = |line: &str| {
        let found = complete_edit(line, &state, line_completions());
        assert!(found.start <= line.len(), "{line}");
        let shown: Vec<String> = found
            .words
            .iter()
            .map(|word| format!("{}{word}{}", &line[..found.start], found.then))
            .collect();
        shown.join(" | ")
    };
    for (line, shown) in [
        ("st", "strip "),
        ("he", "help "),
        ("set mat", "set match."),
        ("set match.sets", "set match.sets_traded = "),
        ("set red.res", "set red.reserve = "),
        ("set alas", "set Alaska."),
        ("set Alaska.a", "set Alaska.armies =  | set Alaska.area = "),
        ("set Peru.", ""),
        ("set match.is_opening = ", "set match.is_opening = yes | set match.is_opening = no"),
        ("set match.first = n", "set match.first = nothing"),
        ("set Alaska.armies = 1", ""),
        ("owner Alaska, north af", "owner Alaska, North Africa"),
        ("owner Alaska, North Africa = no", "owner Alaska, North Africa = nobody"),
        ("owner Alaska = g", "owner Alaska = green"),
        ("exchange Alaska, Con", "exchange Alaska, Congo"),
        ("strip g", "strip green = "),
        ("strip green = b", "strip green = blue"),
        ("add wi", "add wild = "),
        ("add wild of r", "add wild of red = "),
        ("add wild of red = hand of r", "add wild of red = hand of red"),
        ("move de", "move deck = "),
        ("move deck = hand of g", "move deck = hand of green"),
        ("phase att", "phase attack"),
        ("turn bl", "turn blue"),
        ("dice 6, ", ""),
        ("run turn.create_i", "run turn.create_in("),
        ("run turn.sets", "run turn.sets_traded"),
        ("run print(view.occ", "run print(view.occupied"),
        ("run turn.seat.rese", "run turn.seat.reserve"),
        ("run prin", "run print("),
        ("run turn.eliminate(turn.seats_l", "run turn.eliminate(turn.seats_left"),
        ("frobnicate x", ""),
    ] {
        assert_eq!(complete(line), shown, "{line}");
    }
    // What is offered is understood, for every word of the list.
    for word in EditCommand::words() {
        let mut line = format!("{word} ");
        for _ in 0..4 {
            let found = complete_edit(&line, &state, line_completions());
            let Some(first) = found.words.iter().find(|word| !line.ends_with(word.as_str())) else {
                break;
            };
            line = format!("{}{first}{}", &line[..found.start], found.then);
            if found.then.is_empty() && !first.ends_with('.') {
                break;
            }
        }
        let is_left_open = matches!(word, "dice" | "run" | "owner" | "exchange" | "remove") || line.ends_with("= ");
        assert!(is_left_open || ManualEdit::read(&line, &state).is_ok(), "{line}");
    }
}

#[test]
fn every_word_has_help_and_completion_and_leaves_a_marked_event_that_a_replay_shows() {
    let examples = [
        "set Alaska.armies = 12",
        "owner Alaska, Congo = green",
        "exchange Alaska, Peru",
        "strip blue = red",
        "add wild of red = hand of red",
        "move deck = hand of red",
        "remove Madagascar",
        "dice 6, 6, 1",
        "phase attack",
        "turn green",
        "run turn.seat.reserve += 5",
    ];
    let (_playing, mut client) = begun(false);
    let said = |client: &mut Connection, text: &str| client.ask(Command::Edit { text: text.to_owned() }).unwrap();
    let Reply::Edited { text: help, .. } = said(&mut client, "help") else {
        panic!("no help")
    };
    assert_eq!(examples.len(), EditCommand::ALL.len());
    for (example, command) in examples.iter().zip(EditCommand::ALL) {
        let (form, words, (word, _)) = (command.form(), command.help(), command.parts());
        assert!(example.starts_with(word) && help.contains(form) && help.contains(words), "{form}");
        let state = Arc::clone(client.mirror().main_view().unwrap());
        let completed = complete_edit(&word[..word.len() - 1], &state, line_completions()).words;
        assert!(completed.iter().any(|known| known == word), "{word}: {completed:?}");
        let length = client.mirror().length();
        let reply = said(&mut client, example);
        assert!(
            matches!(reply, Reply::Edited { at, .. } if at == length + 1),
            "{example}: {reply:?}"
        );
        client.settle().unwrap();
        let newest = client.mirror().history().last().unwrap();
        assert!(newest.cause == EntryCause::Edit && newest.seat.is_none(), "{example}: {newest:?}");
        assert!(newest.notation.is_empty() || *newest.notation == **example, "{newest:?}");
        assert_eq!(newest.event, length);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("by-hand.save.xml").display().to_string();
    let saved = client
        .ask(Command::Save {
            file: Some(file.clone()),
            overwrite: false,
        })
        .unwrap();
    assert!(matches!(saved, Reply::Saved { .. }), "{saved:?}");
    let shown = run_in(&root(), &["replay", &file], "history\n").with(0);
    let edits = shown.out.matches("an edit").count() + shown.out.matches("edit: ").count();
    assert_eq!(edits, examples.len(), "{}", shown.out);
    assert!(shown.out.contains("edit: owner"), "what everybody saw is told: {}", shown.out);
    run(&["verify", &file]).with(0).says("applied and compared by digest");
}

#[test]
fn undo_takes_back_the_newest_edit_alone_and_redo_brings_it_back() {
    let (_playing, mut client) = begun(false);
    let mut ask = |command: Command| client.ask(command).unwrap();
    let edit = |text: &str| Command::Edit { text: text.to_owned() };
    let alone = ask(Command::Undo);
    assert!(
        matches!(&alone, Reply::Refused(refusal) if refusal.code == RefusalCode::NoHistory),
        "{alone:?}"
    );
    assert!(matches!(ask(edit("set Alaska.armies = 7")), Reply::Edited { at: 2, .. }));
    assert_eq!(ask(Command::Undo), Reply::Done { at: 1 });
    assert_eq!(ask(Command::Redo), Reply::Done { at: 2 });
    let Reply::Legal { actions, at, .. } = ask(Command::Legal { seat: None }) else {
        panic!("no legal actions")
    };
    let action = actions[0].action.clone();
    let submit = Command::Submit { action, at };
    assert_eq!(ask(submit), Reply::Done { at: 3 });
    for (count, text) in ["set Alaska.armies = 8", "dice 6"].iter().enumerate() {
        assert!(matches!(ask(edit(text)), Reply::Edited { at, .. } if at == 4 + count));
    }
    // Each edit, then the action, then the first edit.
    for at in [4, 3, 2, 1] {
        assert_eq!(ask(Command::Undo), Reply::Done { at });
    }
    for at in [2, 3, 4, 5] {
        assert_eq!(ask(Command::Redo), Reply::Done { at });
    }
}
