//! A tiny set of rules in Rust, for tests of everything that stands on [`Rules`]: luck, a hidden hand, a decision, two phases.
//!
//! Two runners race along a row of seven squares. In the first phase a seat runs (a die of three), plays its card (two squares)
//! or bars the way of the other, who then chooses to wait or to step back; in the second, automatic one it earns a token.

use std::sync::Arc;

use super::{Fault, Rejection, Rules, RulesSource, Transaction};
use crate::model::{
    Action, ActionDeclaration, ActionId, Board, CellId, Domain, DrawKind, Fingerprint, Declarations, KindDeclaration, Map, Outcome,
    PhaseDeclaration, PhaseId, Pick, PickDeclaration, PickKind, Place, PropertyDeclaration, PropertyId, Scope, SeatDeclaration, SeatId,
    SeatSet, Setup, SetupPiece, SetupPlace, State, Target, TerrainDeclaration, Topology, Value, ValueType, ZoneDeclaration, ZoneId,
    ZoneVisibility,
};

const RUN: ActionId = ActionId(0);
const PLAY: ActionId = ActionId(1);
const BAR: ActionId = ActionId(2);
const GIVE_WAY: ActionId = ActionId(3);
const TOKENS: PropertyId = PropertyId(0);
const DECK: ZoneId = ZoneId(0);
const LAST_COLUMN: u16 = 6;

/// The rules of the fixture.
#[derive(Clone, Debug)]
pub struct Race {
    frame: Arc<Declarations>,
}

impl Default for Race {
    fn default() -> Self {
        Self { frame: Arc::new(frame()) }
    }
}

fn name(text: &str) -> Arc<str> {
    Arc::from(text)
}

fn frame() -> Declarations {
    let seat = |title: &str, colour| SeatDeclaration {
        name: name(title),
        title: name(title),
        colour,
    };
    let kind = |title: &str, glyph: &str| KindDeclaration {
        name: name(title),
        title: name(title),
        glyph: name(glyph),
        values: Vec::new(),
        figure: None,
    };
    let zone = |title: &str, owner, visibility| ZoneDeclaration {
        name: name(title),
        title: name(title),
        owner,
        visibility,
    };
    let phase = |title: &str, automatic| PhaseDeclaration {
        name: name(title),
        title: name(title),
        automatic,
    };
    let action = |title: &str, picks, answers_decision| ActionDeclaration {
        name: name(title),
        title: name(title),
        rule: name("1"),
        picks,
        phases: if answers_decision { Vec::new() } else { vec![PhaseId(0)] },
        answers_decision,
        ends_turn: false,
        is_aside: false,
        is_open: false,
        begins_contest: false,
    };
    let pick = |title: &str, kind| PickDeclaration {
        name: name(title),
        prompt: name(title),
        rule: name(""),
        kind,
    };
    Declarations {
        seats: vec![seat("red", 0xcc_33_33), seat("blue", 0x33_33_cc)],
        kinds: vec![kind("runner", "R"), kind("card", "C")],
        terrains: vec![TerrainDeclaration {
            name: name("track"),
            title: name("track"),
            colour: 0xdd_dd_cc,
        }],
        zones: vec![
            zone("deck", None, ZoneVisibility::NoOne),
            zone("hand", Some(SeatId(0)), ZoneVisibility::Owner),
            zone("hand", Some(SeatId(1)), ZoneVisibility::Owner),
        ],
        phases: vec![phase("race", false), phase("earn", true)],
        actions: vec![
            action("run", Vec::new(), false),
            action("play", vec![pick("card", PickKind::Piece)], false),
            action("bar", vec![pick("cost", PickKind::Number)], false),
            action("give_way", vec![pick("how", PickKind::Choice)], true),
        ],
        properties: vec![PropertyDeclaration {
            name: name("tokens"),
            title: name("tokens"),
            scope: Scope::Seat,
            slot: 0,
            value_type: ValueType::Integer { min: 0, max: 99 },
            default: Value::Integer(0),
            in_position: true,
            is_secret: false,
        }],
        ..Declarations::default()
    }
}

impl Race {
    /// The track with its runners and cards, before the match begins.
    ///
    /// # Errors
    /// Never with this map; the type says that making a board can fail.
    pub fn start() -> Result<Arc<State>, Fault> {
        let map = Map::new(
            "track",
            "The track",
            Topology::Square {
                width: LAST_COLUMN + 1,
                height: 2,
                diagonals: false,
            },
        );
        let board = Board::from_map(&map).map_err(|faults| Fault::new("map", format!("{faults:?}")))?;
        let piece = |kind: &str, owner: Option<&str>, place| SetupPiece {
            kind: kind.to_owned(),
            owner: owner.map(str::to_owned),
            place,
            values: Vec::new(),
        };
        let mut pieces = vec![
            piece("runner", Some("red"), SetupPlace::Cell("a1".to_owned())),
            piece("runner", Some("blue"), SetupPlace::Cell("a2".to_owned())),
        ];
        pieces.extend((0..6).map(|_| piece("card", None, SetupPlace::Zone("deck".to_owned(), None))));
        let setup = Setup {
            pieces,
            ..Setup::default()
        };
        let state = setup
            .build(&Arc::new(board), &Self::default().frame)
            .map_err(|faults| Fault::new("setup", format!("{faults:?}")))?;
        Ok(Arc::new(state))
    }

    fn tokens(state: &State, seat: SeatId) -> i64 {
        state.value(Target::Seat(seat), TOKENS).and_then(Value::as_integer).unwrap_or(0)
    }

    fn hand(seat: SeatId) -> ZoneId {
        ZoneId(1 + u16::from(seat.0))
    }

    fn advance(transaction: &mut Transaction, seat: SeatId, squares: i32) -> Result<(), Rejection> {
        let runner = crate::model::PieceId(u32::from(seat.0));
        let Some(cell) = transaction.state().piece(runner).and_then(|piece| piece.place.cell()) else {
            return Ok(());
        };
        let column = i32::from(cell.0 % (LAST_COLUMN + 1));
        let target = (column + squares).clamp(0, i32::from(LAST_COLUMN));
        let cell = CellId((i32::from(cell.0) - column + target) as u16);
        transaction.move_piece(runner, Place::Cell(cell), None)
    }
}

impl Rules for Race {
    fn frame(&self) -> &Arc<Declarations> {
        &self.frame
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(b"race")
    }

    fn may(&self, state: &Arc<State>, seat: SeatId, action: ActionId) -> Result<bool, Rejection> {
        Ok(match action {
            PLAY => state.zone(Self::hand(seat)).is_some_and(|hand| !hand.pieces().is_empty()),
            BAR => Self::tokens(state, seat) > 0,
            _ => true,
        })
    }

    fn domain(&self, state: &Arc<State>, seat: SeatId, action: ActionId, _picked: &[Pick]) -> Result<Domain, Rejection> {
        Ok(match action {
            PLAY => Domain::Pieces(state.zone(Self::hand(seat)).map_or(Vec::new(), |hand| hand.pieces().to_vec())),
            BAR => Domain::Numbers {
                min: 1,
                max: Self::tokens(state, seat).min(2),
                step: 1,
            },
            _ => Domain::Choices(vec![name("wait"), name("step_back")]),
        })
    }

    fn begin(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        transaction.shuffle(DECK, "the deck")?;
        for seat in [SeatId(0), SeatId(1)] {
            let top = transaction.state().zone(DECK).and_then(|deck| deck.pieces().last().copied());
            if let Some(card) = top {
                transaction.move_piece(card, Place::Zone(Self::hand(seat)), None)?;
            }
        }
        Ok(())
    }

    fn carry_out(&self, transaction: &mut Transaction, action: &Action) -> Result<(), Rejection> {
        let seat = action.seat;
        let other = SeatId(1 - seat.0.min(1));
        match (action.action, action.picks.first()) {
            (RUN, _) => {
                let die = transaction.draw(DrawKind::Dice { count: 1, sides: 3 }, "run")?;
                Self::advance(transaction, seat, die.first().map_or(0, |face| *face as i32))?;
                transaction.next_phase();
            }
            (PLAY, Some(Pick::Piece(card))) => {
                transaction.remove(*card)?;
                Self::advance(transaction, seat, 2)?;
                transaction.next_phase();
            }
            (BAR, Some(Pick::Number(cost))) => {
                if *cost > 1 && Self::tokens(transaction.state(), other) == 0 {
                    return Transaction::refuse("1.2", "a poor runner is barred for one token");
                }
                let left = Self::tokens(transaction.state(), seat) - cost;
                transaction.set(Target::Seat(seat), TOKENS, Value::Integer(left))?;
                transaction.ask(SeatSet::one(other), GIVE_WAY, vec![(name("cost"), Value::Integer(*cost))])?;
            }
            (GIVE_WAY, Some(Pick::Choice(how))) => {
                if &**how == "step_back" {
                    Self::advance(transaction, seat, -1)?;
                    transaction.next_phase();
                } else {
                    transaction.end_turn(Some(other));
                }
            }
            _ => return Err(Fault::new("fixture", "an action without its pick").into()),
        }
        // The question is answered before turn and phase go on.
        Ok(())
    }

    fn enter_phase(&self, transaction: &mut Transaction) -> Result<(), Rejection> {
        let sequence = transaction.state().sequence();
        if let (PhaseId(1), Some(seat)) = (sequence.phase, sequence.mark.seat) {
            let tokens = Self::tokens(transaction.state(), seat) + 1;
            transaction.set(Target::Seat(seat), TOKENS, Value::Integer(tokens.min(9)))?;
        }
        Ok(())
    }

    /// All cards are alike: those that are not seen are put where they are known to be.
    fn determinize(&self, transaction: &mut Transaction, _seat: SeatId) -> Result<bool, Rejection> {
        for zone in [DECK, Self::hand(SeatId(0)), Self::hand(SeatId(1))] {
            let unseen = transaction.state().zone(zone).map_or(0, crate::model::Zone::unseen);
            for _ in 0..unseen {
                transaction.spawn(crate::model::KindId(1), None, Place::Zone(zone))?;
            }
        }
        Ok(true)
    }

    fn outcome(&self, state: &Arc<State>) -> Result<Option<Outcome>, Rejection> {
        let arrived = |piece: &&crate::model::Piece| piece.place.cell().is_some_and(|cell| cell.0 % (LAST_COLUMN + 1) == LAST_COLUMN);
        let winner = state.pieces().find(arrived).and_then(|piece| piece.owner);
        Ok(winner.map(|seat| Outcome::win(2, seat, "2", "first at the end of the track")))
    }
}

impl RulesSource for Race {
    fn frame(&self) -> &Arc<Declarations> {
        &self.frame
    }

    fn fingerprint(&self) -> Fingerprint {
        Rules::fingerprint(self)
    }

    fn rules(&self, _board: &Arc<Board>, frame: &Arc<Declarations>, _options: &[Value]) -> Result<Box<dyn Rules>, Fault> {
        Ok(Box::new(Self { frame: Arc::clone(frame) }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Generator, Luck, RefusalCode, conformance, flow};
    use super::*;
    use crate::model::StateParts;

    fn begun(luck: Luck) -> Transaction {
        let mut transaction = Transaction::new(Race::start().unwrap(), luck);
        flow::begin(&Race::default(), &mut transaction).unwrap();
        transaction
    }

    fn rolling() -> Transaction {
        begun(Luck::Roll(Generator::new(3)))
    }

    fn action(seat: u8, action: ActionId, picks: &[Pick]) -> Action {
        Action {
            seat: SeatId(seat),
            action,
            picks: picks.into(),
        }
    }

    #[test]
    fn random_matches_hold_to_everything() {
        for seed in 0..50 {
            let begun = rolling();
            let playout = conformance::random_match(&Race::default(), begun.state(), seed, 500).unwrap();
            assert!(playout.is_over, "seed {seed} did not end");
        }
    }

    #[test]
    fn a_refusal_in_the_middle_of_an_action_leaves_the_state_untouched() {
        let mut transaction = rolling();
        let rules = Race::default();
        flow::perform(&rules, &mut transaction, &action(0, RUN, &[])).unwrap();
        flow::perform(&rules, &mut transaction, &action(1, RUN, &[])).unwrap();
        transaction.set(Target::Seat(SeatId(0)), TOKENS, Value::Integer(2)).unwrap();
        transaction.set(Target::Seat(SeatId(1)), TOKENS, Value::Integer(0)).unwrap();
        let before = transaction.state().digest();
        let rejection = flow::perform(&rules, &mut transaction, &action(0, BAR, &[Pick::Number(2)])).unwrap_err();
        let refusal = rejection.refusal().unwrap();
        assert_eq!((refusal.code, &*refusal.rule), (RefusalCode::Rule, "1.2"));
        assert_eq!(transaction.state().digest(), before);
    }

    #[test]
    fn while_a_question_is_open_only_its_answer_may_be_given() {
        let mut transaction = rolling();
        let rules = Race::default();
        flow::perform(&rules, &mut transaction, &action(0, RUN, &[])).unwrap();
        flow::perform(&rules, &mut transaction, &action(1, RUN, &[])).unwrap();
        flow::perform(&rules, &mut transaction, &action(0, BAR, &[Pick::Number(1)])).unwrap();
        assert_eq!(transaction.state().acting(), SeatSet::one(SeatId(1)));
        let refused = flow::perform(&rules, &mut transaction, &action(1, RUN, &[])).unwrap_err();
        assert_eq!(refused.refusal().unwrap().code, RefusalCode::NotNow);
        flow::perform(&rules, &mut transaction, &action(1, GIVE_WAY, &[Pick::Choice(name("wait"))])).unwrap();
        assert!(transaction.state().sequence().decisions.is_empty());
    }

    #[test]
    fn no_seat_is_sent_the_cards_of_another() {
        let transaction = rolling();
        let state = transaction.state();
        for (seat, hidden) in [(Some(SeatId(0)), 5), (Some(SeatId(1)), 5), (None, 6)] {
            let view = state.project(&crate::model::Visibility::new(seat, None));
            assert_eq!(
                view.pieces().filter(|piece| piece.kind == crate::model::KindId(1)).count(),
                6 - hidden
            );
            assert_eq!(view.zone(DECK).unwrap().count(), 4);
        }
    }

    #[test]
    fn what_happened_is_told_with_names() {
        let rules = Race::default();
        let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(3)));
        flow::begin(&rules, &mut transaction).unwrap();
        let action = flow::legal(&rules, transaction.state(), SeatId(0)).unwrap().remove(0);
        flow::perform(&rules, &mut transaction, &action).unwrap();
        let (effects, _) = transaction.take_record();
        let told: Vec<String> = effects.iter().map(|effect| transaction.state().effect_text(effect)).collect();
        let all = told.join("\n");
        assert!(
            told.iter().any(|words| words.contains(" goes from a") && words.contains(" to ")),
            "{all}"
        );
        for rust in ["CellId", "Some(", "{", "PieceId", "?"] {
            assert!(!all.contains(rust), "{all}");
        }
    }

    #[test]
    fn places_and_targets_have_names() {
        let state = Race::start().unwrap();
        assert_eq!(state.place_text(Place::Off), "off the board");
        assert_eq!(state.target_text(Target::Match), "the match");
        assert_eq!(state.target_text(Target::Seat(SeatId(1))), &*state.frame().seat_title(SeatId(1)));
    }

    #[test]
    fn parts_make_the_same_state_again_also_through_text() {
        for seed in 0..20 {
            let mut transaction = Transaction::new(Race::start().unwrap(), Luck::Roll(Generator::new(seed)));
            flow::begin(&Race::default(), &mut transaction).unwrap();
            let playout = conformance::random_match(&Race::default(), transaction.state(), seed, 7).unwrap();
            let text = serde_json::to_string(&playout.end.parts()).unwrap();
            let parts: StateParts = serde_json::from_str(&text).unwrap();
            let again = State::from_parts(playout.end.board().clone(), playout.end.frame().clone(), &parts).unwrap();
            assert_eq!(again.digest(), playout.end.digest());
            assert_eq!(again.parts(), playout.end.parts());
        }
    }
}
