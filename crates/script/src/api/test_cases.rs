//! Words for the tests of a ruleset.

use rhai::plugin::*;
use rhai::{INT, Map};

use super::super::testing::{OddsFound, TestCase};
use super::super::value::{Answer, wrong};
use super::convert::{list_items, list_of};
use boardwright_model::SetupTarget;
use boardwright_rules::odds::Fraction;

/// A value as authors write it in files.
fn written(value: &Dynamic) -> String {
    if let Some(items) = list_items(value) {
        return items.iter().map(written).collect::<Vec<_>>().join(", ");
    }
    match value.as_bool() {
        Ok(flag) => if flag { "yes" } else { "no" }.to_owned(),
        Err(_) if value.is_unit() => "nothing".to_owned(),
        Err(_) => value.to_string(),
    }
}

fn target(test: &TestCase, name: &str) -> SetupTarget {
    if test.0.borrow().declarations().find_seat(name).is_some() {
        SetupTarget::Seat(name.to_owned())
    } else {
        SetupTarget::Cell(name.to_owned())
    }
}

fn faces(results: &Dynamic) -> Answer<Vec<u32>> {
    let faces = list_of(results, |item| u32::try_from(item.as_int().ok()?).ok());
    faces.ok_or_else(|| wrong("dice takes a list of numbers, one for each die"))
}

/// Chances as fractions.
fn fractions(odds: &OddsFound) -> Map {
    let chance = |fraction: &Fraction| Dynamic::from(fraction.to_string());
    odds.iter()
        .map(|(result, fraction)| ((&**result).into(), chance(fraction)))
        .collect()
}

/// Chances in parts per million.
fn millionths(odds: &OddsFound) -> Map {
    let chance = |fraction: &Fraction| Dynamic::from((fraction.value() * 1_000_000.0).round() as INT);
    odds.iter()
        .map(|(result, fraction)| ((&**result).into(), chance(fraction)))
        .collect()
}

#[export_module]
pub(super) mod test_cases {
    use rhai::{Array, Dynamic, INT, ImmutableString, Map};

    use super::super::super::testing::{TestCase, fail};
    use super::super::super::value::Answer;
    use super::super::convert::or_unit;
    use super::super::handles::Piece;
    use super::super::handles::View;
    use boardwright_model::{SetupTarget, SetupValue};

    /// Plays on a scenario of the ruleset, with its pieces unless `setup` says others. Without this word: on the one called `standard`.
    ///
    /// ```rhai
    /// t.scenario("standard");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn scenario(t: &mut TestCase, name: &str) -> Answer<()> {
        t.0.borrow_mut().choose_scenario(name)
    }

    /// Puts pieces on the empty board of the scenario, and into zones. Each key is a cell, a cell and one of its sides, a zone, or a seat and
    /// its zone; each value the piece or a list of pieces there. What `start` creates comes
    /// to it.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", b2: ["blue army", "blue army strength=3"], "c3 n": "red army", "red reserve": "army" });
    /// t.expect_at("b2", ["blue army", "blue army strength=3"]);
    /// t.expect(t.view.piece_at(t.view.cell("c3")).side == "n", "on the upper side");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn setup(t: &mut TestCase, pieces: Map) -> Answer<()> {
        t.0.borrow_mut().set_up(&pieces)
    }

    /// Sets an option of the match.
    ///
    /// ```rhai
    /// t.option("long_march", true);
    /// t.expect(t.view.options.long_march, "the option is set");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn option(t: &mut TestCase, name: &str, value: Dynamic) -> Answer<()> {
        t.0.borrow_mut().set_option(name, super::written(&value))
    }

    /// Sets a match property that the match begins with.
    ///
    /// ```rhai
    /// t.set("rounds_left", 1);
    /// t.expect(t.view.rounds_left == 1, "the last round");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn set(t: &mut TestCase, name: &str, value: Dynamic) -> Answer<()> {
        t.0.borrow_mut().set_value(SetupValue {
            target: SetupTarget::Match,
            name: name.to_owned(),
            value: super::written(&value),
        })
    }

    /// Sets a property of a seat or a cell that the match begins with.
    ///
    /// ```rhai
    /// t.set("red", "gold", 7);
    /// t.expect(t.view.seats[0].gold == 7, "seven gold");
    /// ```
    #[rhai_fn(name = "set", return_raw)]
    pub fn set_of(t: &mut TestCase, what: &str, name: &str, value: Dynamic) -> Answer<()> {
        let target = super::target(t, what);
        t.0.borrow_mut().set_value(SetupValue {
            target,
            name: name.to_owned(),
            value: super::written(&value),
        })
    }

    /// Lets a seat have the first turn; where turns are declared, it may also be the name of one.
    ///
    /// ```rhai
    /// t.begins("blue");
    /// t.expect_turn("blue");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn begins(t: &mut TestCase, seat: &str) -> Answer<()> {
        t.0.borrow_mut().set_first(seat)
    }

    /// Lays down the result of the next roll, a number for each die. Said again, for the rolls after it. For a choice by chance the
    /// number is the place of what is chosen, from 0; for a shuffle the numbers are the places where the cards were. What is laid down
    /// has to be drawn by the actions of the test.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", a2: "blue army", c3: "blue army" });
    /// t.dice([6]);
    /// t.plays("attack a1 a2");
    /// t.expect_empty("a2");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn dice(t: &mut TestCase, faces: Dynamic) -> Answer<()> {
        let faces = super::faces(&faces)?;
        t.0.borrow_mut().lay(faces);
        Ok(())
    }

    /// Begins the match now. What was laid down with `dice` before serves the draws of `start` and of the first phase, as far as it fits them: a
    /// roll takes it, a shuffle before that does not. Without this word the match begins with the first action or expectation, and what is
    /// laid down is for the actions.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", a2: "blue army", c3: "blue army" });
    /// t.seed(7);
    /// t.starts();
    /// t.expect_turn("red");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn starts(t: &mut TestCase) -> Answer<()> {
        t.0.borrow_mut().start()
    }

    /// Lets luck follow a generator where nothing is laid down. The shuffles at the beginning of a match follow one in any case.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", a2: "blue army", c3: "blue army" });
    /// t.seed(7);
    /// t.plays("attack a1 a2");
    /// ```
    pub fn seed(t: &mut TestCase, seed: INT) {
        t.0.borrow_mut().seed(seed.unsigned_abs());
    }

    /// Carries an action out for the seat to act. Fails if it is refused.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.plays("march a1 a2");
    /// t.expect_at("a2", "red army");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn plays(t: &mut TestCase, action: &str) -> Answer<()> {
        t.0.borrow_mut().play(action, None)
    }

    /// Carries an action out for a seat, where several may act.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.plays("red", "march a1 a2");
    /// ```
    #[rhai_fn(name = "plays", return_raw)]
    pub fn plays_for(t: &mut TestCase, seat: &str, action: &str) -> Answer<()> {
        t.0.borrow_mut().play(action, Some(seat))
    }

    /// Has a seat resign, whosever turn it is. Fails if it is out of the match, or the match is over.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.resigns("blue");
    /// t.expect_outcome("win red", "");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn resigns(t: &mut TestCase, seat: &str) -> Answer<()> {
        t.0.borrow_mut().resign(seat)
    }

    /// Expects that an action cannot be done. It is written in plain words: the action and its picks.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect_refused("march a1 c3");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_refused(t: &mut TestCase, action: &str) -> Answer<()> {
        t.0.borrow_mut().expect_refused(action, None)
    }

    /// Expects that a rule refuses an action: the one that a hook gives to `refuse`.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect_refused("attack a1 c3", "3.2");
    /// ```
    #[rhai_fn(name = "expect_refused", return_raw)]
    pub fn expect_refused_by(t: &mut TestCase, action: &str, rule: &str) -> Answer<()> {
        t.0.borrow_mut().expect_refused(action, Some(rule))
    }

    /// The legal actions of the seats to act, as players write them.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect("march a1 a2" in t.legal, "an army marches");
    /// ```
    #[rhai_fn(get = "legal", return_raw)]
    pub fn legal(t: &mut TestCase) -> Answer<Array> {
        let legal = t.0.borrow_mut().legal(None)?;
        Ok(legal.into_iter().map(Dynamic::from).collect())
    }

    /// The candidate actions of the seats to act, as players write them: what `candidates_ACTION` gives where there is one, else all that
    /// are legal.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.candidates.len <= t.legal.len, "none of them is made up");
    /// ```
    #[rhai_fn(get = "candidates", return_raw)]
    pub fn candidates(t: &mut TestCase) -> Answer<Array> {
        let candidates = t.0.borrow_mut().candidates()?;
        Ok(candidates.into_iter().map(Dynamic::from).collect())
    }

    /// Expects these legal actions and no other, in any order.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect_legal(["march a1 a2", "march a1 b1", "attack a1 c3"]);
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_legal(t: &mut TestCase, actions: Dynamic) -> Answer<()> {
        t.0.borrow_mut().expect_legal(None, &actions)
    }

    /// Expects these legal actions and no other of those whose first pick is given: a piece by its cell, or a cell.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", b3: "red army", a2: "blue army", c3: "blue army", b1: "blue army" });
    /// t.expect_legal("a1", ["march a1 a3", "march a1 c1", "attack a1 a2", "attack a1 b1", "attack a1 c3"]);
    /// ```
    #[rhai_fn(name = "expect_legal", return_raw)]
    pub fn expect_legal_from(t: &mut TestCase, first: &str, actions: Dynamic) -> Answer<()> {
        t.0.borrow_mut().expect_legal(Some(first), &actions)
    }

    /// Expects a piece on a cell; given a list, these pieces and no other.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army strength=3", c3: "blue army" });
    /// t.expect_at("a1", "red army strength=3");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_at(t: &mut TestCase, cell: &str, piece: Dynamic) -> Answer<()> {
        t.0.borrow_mut().expect_at(cell, &piece)
    }

    /// Expects a cell without a piece.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect_empty("b2");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_empty(t: &mut TestCase, cell: &str) -> Answer<()> {
        t.0.borrow_mut().expect_empty(cell)
    }

    /// Expects that a seat is to act.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.plays("march a1 a2");
    /// t.expect_turn("blue");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_turn(t: &mut TestCase, seat: &str) -> Answer<()> {
        t.0.borrow_mut().expect_turn(seat)
    }

    /// Expects a phase.
    ///
    /// ```rhai
    /// t.expect_phase("play");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_phase(t: &mut TestCase, phase: &str) -> Answer<()> {
        t.0.borrow_mut().expect_phase(phase)
    }

    /// Expects that the match is over: `"draw"`, or `"win"` and the seats in the first place.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", a2: "blue army" });
    /// t.plays("march a1 a3");
    /// t.expect_outcome("win red");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_outcome(t: &mut TestCase, outcome: &str) -> Answer<()> {
        t.0.borrow_mut().expect_outcome(Some(outcome), None)
    }

    /// Expects that the match is over by a rule.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", a2: "blue army" });
    /// t.plays("march a1 a3");
    /// t.expect_outcome("win red", "4.1");
    /// ```
    #[rhai_fn(name = "expect_outcome", return_raw)]
    pub fn expect_outcome_by(t: &mut TestCase, outcome: &str, rule: &str) -> Answer<()> {
        t.0.borrow_mut().expect_outcome(Some(outcome), Some(rule))
    }

    /// Expects that the match is not over.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", a2: "blue army", c3: "blue army" });
    /// t.plays("march a1 a3");
    /// t.expect_no_outcome();
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect_no_outcome(t: &mut TestCase) -> Answer<()> {
        t.0.borrow_mut().expect_outcome(None, None)
    }

    /// Expects anything that can be worked out; the text says what.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.view.occupied.count == 2, "two pieces on the board");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn expect(t: &mut TestCase, condition: bool, text: ImmutableString) -> Answer<()> {
        let _ = t;
        if condition {
            Ok(())
        } else {
            Err(fail(format!("expected: {text}")))
        }
    }

    /// The match, to be looked at with all words of views. `view.seat` is the seat to act.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.view.round == 1, "the first round");
    /// ```
    #[rhai_fn(get = "view", return_raw)]
    pub fn view(t: &mut TestCase) -> Answer<View> {
        t.0.borrow_mut().view()
    }

    /// The match as a seat sees it: pieces and zones that are hidden from it are not there or not known, secret properties read as their default.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.seen_by("blue").seat.name == "blue", "with the eyes of blue");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn seen_by(t: &mut TestCase, seat: &str) -> Answer<View> {
        t.0.borrow_mut().seen_by(seat)
    }

    /// The exact odds of the contest that a legal action begins: a map with the chance of each result as a fraction in lowest terms.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.odds("attack a1 c3").won == "1/2", "an even chance");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn odds(t: &mut TestCase, action: &str) -> Answer<Map> {
        let found = t.0.borrow_mut().odds_of_action(action)?;
        Ok(super::fractions(&found))
    }

    /// The exact odds of a declared contest, whose sides are given by name; those that are not stand at their default.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.odds("combat", #{ strength: 5 }).won == "5/6", "strong attackers win with a two");
    /// ```
    #[rhai_fn(name = "odds", return_raw)]
    pub fn odds_of_contest(t: &mut TestCase, contest: &str, sides: Map) -> Answer<Map> {
        let found = t.0.borrow_mut().odds(contest, &sides)?;
        Ok(super::fractions(&found))
    }

    /// The same in parts per million, rounded: for chances whose fractions are long.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.chances("combat", #{ strength: 5 }).won == 833333, "strong attackers win with a two");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn chances(t: &mut TestCase, contest: &str, sides: Map) -> Answer<Map> {
        let found = t.0.borrow_mut().odds(contest, &sides)?;
        Ok(super::millionths(&found))
    }

    /// The value of the state for a seat, as computer players see it; `()` if the rules have no hook `value`.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.value("blue") == (), "these rules have no hook for it");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn value(t: &mut TestCase, seat: &str) -> Answer<Dynamic> {
        t.0.borrow_mut().value(seat)
    }

    /// The prior of a legal action, in hundredths of log-odds; `()` if the rules say nothing about it.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.prior("attack a1 c3") == (), "nothing is said about attacks");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn prior(t: &mut TestCase, action: &str) -> Answer<Dynamic> {
        t.0.borrow_mut().prior(action)
    }

    /// The playout weight of a legal action; 1 if the rules say nothing about it.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.playout_weight("attack a1 c3") == 1, "nothing is said about attacks");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn playout_weight(t: &mut TestCase, action: &str) -> Answer<INT> {
        t.0.borrow_mut().playout_weight(action)
    }

    /// How the piece on a cell looks: a map of `icon`, `glyph`, `fill`, `badge`, `facing` and `outline`, each `()` where the rules say nothing, and
    /// the lists `overlays` and `vectors`; of the arrows in that `to` and `from` are names of cells.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army strength=3", c3: "blue army" });
    /// t.expect(t.look("a1").badge == "3", "its strength is shown");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn look(t: &mut TestCase, cell: &str) -> Answer<Map> {
        t.0.borrow_mut().look(cell)
    }

    /// How a piece looks, for those that are on no cell.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", "blue reserve": "army strength=3" });
    /// t.expect(t.look(t.view.zone("reserve", t.view.seats[1])[0]).badge == "3", "its strength is shown");
    /// ```
    #[rhai_fn(name = "look", return_raw)]
    pub fn look_of(t: &mut TestCase, piece: Piece) -> Answer<Map> {
        t.0.borrow_mut().look_of(piece.id)
    }

    /// How a cell looks: a map of `fill`, `texture`, `icon`, `glyph`, `label`, `badge`, `facing` and `outline`, each `()` where the rules say
    /// nothing, and the list `overlays`.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.look_cell("b2").fill == (), "as its ground");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn look_cell(t: &mut TestCase, cell: &str) -> Answer<Map> {
        t.0.borrow_mut().look_at(cell)
    }

    /// How the edge between two cells looks: a map of `fill` and `width`, each `()` where the rules say nothing, and `dashed`.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.look_edge("a1", "b1").fill == (), "no river");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn look_edge(t: &mut TestCase, one: &str, other: &str) -> Answer<Map> {
        t.0.borrow_mut().look_at_edge(one, other)
    }

    /// How the ground looks that the board lies on: a map of `fill`, `texture` and `mark`, each `()` where the rules say nothing, and the list of
    /// the names of the cells that are `marked`.
    ///
    /// ```rhai
    /// t.expect(t.look_board.fill == (), "as it usually is");
    /// ```
    #[rhai_fn(get = "look_board", return_raw)]
    pub fn look_board(t: &mut TestCase) -> Answer<Map> {
        t.0.borrow_mut().look_at_board()
    }

    /// What stands beside the last thing that a legal action picks, while it is picked: a map of `title` and `text`, `()` where the rules say nothing, and `faint`.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.mark("march a1 a2").text == (), "a step costs nothing");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn mark(t: &mut TestCase, action: &str) -> Answer<Map> {
        t.0.borrow_mut().mark_of(action)
    }

    /// What a seat was told by `turn.note` since the last action was begun, that action and what followed from it included.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.plays("march a1 a2");
    /// t.expect(t.notes("red") == [], "nobody was told anything");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn notes(t: &mut TestCase, seat: &str) -> Answer<Array> {
        Ok(t.0.borrow_mut().notes(seat)?.into_iter().map(Dynamic::from).collect())
    }

    /// How the history tells the action that was played last; `()` where the rules have no sentence for it.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.plays("march a1 a2");
    /// t.expect(t.sentence == (), "as it is written");
    /// ```
    #[rhai_fn(get = "sentence", return_raw)]
    pub fn sentence(t: &mut TestCase) -> Answer<Dynamic> {
        let sentence = t.0.borrow_mut().sentence()?;
        Ok(or_unit(sentence.map(ImmutableString::from)))
    }

    /// What cells have of a declared heat map, for the seat to act: a map of numbers by the names of the cells that have one.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.heat_map("danger").get("b3", 0) == 1, "the army can come to b3");
    /// ```
    #[rhai_fn(return_raw)]
    pub fn heat_map(t: &mut TestCase, name: &str) -> Answer<Map> {
        t.0.borrow_mut().heat_map(name)
    }

    /// What the seat to act has left to do in its turn: a list of pairs of texts, the name of a cell (empty if it is about none) and the words.
    ///
    /// ```rhai
    /// t.setup(#{ a1: "red army", c3: "blue army" });
    /// t.expect(t.left_to_do == [["a1", "Army can still move"]], "the army has not moved");
    /// ```
    #[rhai_fn(get = "left_to_do", return_raw)]
    pub fn left_to_do(t: &mut TestCase) -> Answer<Array> {
        t.0.borrow_mut().left_to_do()
    }

    /// The lines beside the board: a list of pairs of texts, and of the headings of sections. A line of a seat begins with its title.
    ///
    /// ```rhai
    /// t.expect(t.panel[0] == ["Rounds left", "10"], "the panel counts the rounds");
    /// ```
    #[rhai_fn(get = "panel", return_raw)]
    pub fn panel(t: &mut TestCase) -> Answer<Array> {
        t.0.borrow_mut().panel()
    }
}
