//! Eight Kingdoms on the wire: a hundred matches at random, and every line that a seat is sent of them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crate::common::{Bundled, root};
use crate::hidden_things::{Tapped, named};
use boardwright::client::Connection;
use boardwright::content::MapDocument;
use boardwright::content::xml::{Document as _, Source};
use boardwright::host::Match;
use boardwright::local::LocalLink;
use boardwright::model::{
    Action, CellId, CellSet, CellSight, Domain, Effect, Pick, PieceId, Policy, PropertyId, Scope, SeatId, SeatSet, State, Target,
};
use boardwright::protocol::{Command, HistoryEntry, Reply};
use boardwright::rules::{Generator, Rules, RulesSource, flow};
use boardwright::server::{Claim, MatchInfo, Session, SessionSetup};

const ROWAN: SeatId = SeatId(0);
const JUNIPER: SeatId = SeatId(1);
const MATCHES: u64 = 100;
const ACTIONS: usize = 30;

/// What a seat has seen of a match so far.
struct Seen {
    pieces: BTreeSet<PieceId>,
    cells: CellSet,
}

impl Seen {
    /// Takes in what the seat sees of a state.
    fn look(&mut self, rules: &dyn Rules, state: &Arc<State>) {
        let visible = rules.visible(state, Some(ROWAN)).unwrap().unwrap();
        let is_seen = |cell: CellId| visible.contains(cell);
        let pieces = state
            .pieces()
            .filter(|piece| piece.owner == Some(ROWAN) || piece.place.cell().is_some_and(is_seen));
        self.pieces.extend(pieces.map(|piece| piece.id));
        self.cells = self.cells.union(&visible);
    }
}

#[test]
fn nothing_that_rowan_has_not_seen_is_sent_to_rowan_in_a_hundred_matches() {
    let bundled = Bundled::read("eight-kingdoms", "small");
    let text = std::fs::read_to_string(root().join("maps/eight-kingdoms/small.map.xml")).unwrap();
    let map = MapDocument::read(&Source::new("small.map.xml", &text)).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let (mut lines_read, mut enemies_met, mut enemies_hidden, mut orders_given, mut actions_untold) = (0, 0, 0, 0, 0);
    for seed in 1..=MATCHES {
        let mut truth = Match::begin(bundled.source.clone(), bundled.setup(), seed, Policy::default()).unwrap();
        let setup = SessionSetup::new(bundled.source.clone(), bundled.setup(), MatchInfo::of_map(map.map.clone()), seed);
        let session = Session::spawn(setup).unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let tapped = Tapped {
            link: LocalLink::join(&session, Claim::Seats(SeatSet::one(ROWAN)), false, None),
            lines: Arc::clone(&lines),
        };
        let mut rowan = Connection::open(Box::new(tapped)).unwrap();
        let seats = Claim::Seats(SeatSet::one(JUNIPER));
        let mut juniper = Connection::open(Box::new(LocalLink::join(&session, seats, true, None))).unwrap();
        rowan.settle().unwrap();
        juniper.settle().unwrap();

        let rules = bundled
            .source
            .rules(&bundled.board, truth.state().declarations(), truth.state().options())
            .unwrap();
        let mut seen = Seen {
            pieces: BTreeSet::new(),
            cells: CellSet::empty(bundled.board.cell_count()),
        };
        seen.look(&*rules, truth.state());
        let mut generator = Generator::new(seed);
        let mut untold = BTreeSet::new();
        for step in 0..ACTIONS {
            let Some(acting) = truth.state().acting().first() else { break };
            let client = if acting == ROWAN { &mut rowan } else { &mut juniper };
            let Reply::Legal { actions, at, .. } = client.ask(Command::Legal { seat: Some(acting) }).unwrap() else {
                panic!("no actions")
            };
            let mut action = actions[generator.below(actions.len() as u32) as usize].action.clone();
            // Standing orders are not among the listed actions: now and then a unit is told to hold.
            let hold = truth.state().declarations().find_action("hold").unwrap();
            if generator.below(8) == 0 {
                let free = rules.domain(truth.state(), acting, hold, &[]).unwrap();
                if let Domain::Pieces(units) = free
                    && let Some(unit) = units.first()
                {
                    action = Action {
                        seat: acting,
                        action: hold,
                        picks: [Pick::Piece(*unit)].into_iter().collect(),
                    };
                    orders_given += 1;
                }
            }
            let submit = Command::Submit {
                action: action.clone(),
                at,
            };
            assert!(matches!(client.ask(submit).unwrap(), Reply::Done { .. }));
            // What is seen on the way is seen for good.
            let mut state = State::clone(truth.state());
            truth.submit(&action, at).unwrap();
            let effects = truth.journal().last().unwrap().effects.clone();
            for effect in &effects {
                state.apply(effect).unwrap();
                if !matches!(effect, Effect::Set { .. }) {
                    seen.look(&*rules, &Arc::new(state.clone()));
                }
            }
            seen.look(&*rules, truth.state());
            // What is done where Rowan has never looked is not told either.
            let is_unseen = |pick: &Pick| matches!(pick, Pick::Cell(cell) if !seen.cells.contains(*cell));
            if acting == JUNIPER && action.picks.iter().any(is_unseen) {
                untold.insert(format!("\"{}\"", truth.journal().last().unwrap().notation));
            }
            let everything = [
                Command::Looks { seat: Some(ROWAN) },
                Command::Legal { seat: Some(JUNIPER) },
                Command::History {
                    seat: Some(ROWAN),
                    from: 0,
                },
                Command::History {
                    seat: Some(JUNIPER),
                    from: 0,
                },
                Command::View { seat: Some(JUNIPER) },
                Command::View { seat: Some(ROWAN) },
                Command::HeatMap {
                    name: "danger".to_owned(),
                    seat: Some(ROWAN),
                },
            ];
            // Whatever is asked, the mirror has taken in all that was sent before.
            let asked = if step % 5 == 4 { everything.len() } else { 1 };
            for command in everything.into_iter().take(asked) {
                rowan.ask(command).unwrap();
            }
            for line in lines.lock().unwrap().drain(..) {
                lines_read += 1;
                if let Some(notation) = untold.iter().find(|notation| line.contains(notation.as_str())) {
                    panic!("match {seed}: Rowan was told of {notation}: {line}");
                }
                // A colour begins as the number of a piece does.
                let named = named(&line.replace("\"#", "\""));
                if let Some(piece) = named.iter().find(|piece| !seen.pieces.contains(piece) && is_there(&truth, **piece)) {
                    panic!("match {seed}: piece {} was sent to Rowan, who has not seen it: {line}", piece.0);
                }
            }
            check_mirror(rowan.mirror().view(Some(ROWAN)).unwrap(), &seen);
            enemies_hidden += theirs(&truth).filter(|piece| !seen.pieces.contains(piece)).count();
        }
        actions_untold += untold.len();
        enemies_met += theirs(&truth).filter(|piece| seen.pieces.contains(piece)).count();
    }
    assert!(
        lines_read > 10_000 && enemies_hidden > 10_000,
        "{lines_read} lines, {enemies_hidden} hidden"
    );
    assert!(enemies_met > 50 && orders_given > 200, "{enemies_met} met, {orders_given} orders");
    assert!(actions_untold > 200, "{actions_untold} actions where Rowan has not looked");
}

#[test]
fn around_one_screen_everybody_reads_a_history_of_their_own() {
    let bundled = Bundled::read("eight-kingdoms", "small");
    let text = std::fs::read_to_string(root().join("maps/eight-kingdoms/small.map.xml")).unwrap();
    let map = MapDocument::read(&Source::new("small.map.xml", &text)).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let setup = SessionSetup::new(bundled.source.clone(), bundled.setup(), MatchInfo::of_map(map.map), 1);
    let session = Session::spawn(setup).unwrap();
    let link = LocalLink::join(&session, Claim::Seats([ROWAN, JUNIPER].into_iter().collect()), true, None);
    let mut both = Connection::open(Box::new(link)).unwrap();
    both.settle().unwrap();
    let mut differ = 0;
    for step in 0..5 {
        let acting = both.mirror().main_viewer().unwrap();
        let shown = both.mirror().history().to_vec();
        let own = [ROWAN, JUNIPER].map(|seat| history_of(&mut both, seat));
        assert_eq!(shown, own[acting.index()], "{step}");
        differ += usize::from(own[0] != own[1]);
        let command = if step == 3 {
            Command::Undo
        } else {
            Command::Play {
                text: "done".to_owned(),
                seat: Some(acting),
                at: None,
            }
        };
        let reply = both.ask(command).unwrap();
        assert!(matches!(reply, Reply::Done { .. }), "{reply:?}");
        both.settle().unwrap();
    }
    assert!(differ > 2, "both read the same");
}

fn history_of(client: &mut Connection, seat: SeatId) -> Vec<HistoryEntry> {
    let ask = Command::History { seat: Some(seat), from: 0 };
    let Reply::History(history) = client.ask(ask).unwrap() else {
        panic!("no history")
    };
    history.entries
}

#[test]
fn what_a_seat_cannot_see_does_not_tell_by_what_it_may_do() {
    let bundled = Bundled::read("eight-kingdoms", "small");
    let text = std::fs::read_to_string(root().join("maps/eight-kingdoms/small.map.xml")).unwrap();
    let map = MapDocument::read(&Source::new("small.map.xml", &text)).unwrap_or_else(|problems| panic!("{}", problems.render()));
    let setup = SessionSetup::new(bundled.source.clone(), bundled.setup(), MatchInfo::of_map(map.map), 1);
    let truth = Match::begin(bundled.source.clone(), bundled.setup(), 1, Policy::default()).unwrap();
    let session = Session::spawn(setup).unwrap();
    let link = LocalLink::join(&session, Claim::Seats(SeatSet::one(ROWAN)), false, None);
    let mut rowan = Connection::open(Box::new(link)).unwrap();
    rowan.settle().unwrap();
    let view = Arc::clone(rowan.mirror().view(Some(ROWAN)).unwrap());
    let unit = view.pieces().find(|piece| piece.owner == Some(ROWAN)).unwrap().id;
    let go_to = view.declarations().find_action("go_to").unwrap();
    let (mut refused, mut open) = (BTreeSet::new(), 0);
    for cell in view.board().cells().filter(|cell| view.cell_sight(*cell) == CellSight::Unexplored) {
        let action = Action {
            seat: ROWAN,
            action: go_to,
            picks: [Pick::Piece(unit), Pick::Cell(cell)].into_iter().collect(),
        };
        open += usize::from(flow::check(&*bundled.rules(), truth.state(), &action).is_ok());
        let submit = Command::Submit {
            action,
            at: rowan.mirror().at(),
        };
        let Reply::Refused(refusal) = rowan.ask(submit).unwrap() else {
            panic!("it may go to what it does not know")
        };
        refused.insert(refusal.reason.to_string());
    }
    assert!(open > 20, "a way leads to {open} of them");
    assert_eq!(refused.len(), 1, "{refused:?}");
}

/// Whether a piece is in the match, or was: a number that no piece ever had is none.
fn is_there(truth: &Match, piece: PieceId) -> bool {
    piece < truth.state().next_piece()
}

/// The pieces of Juniper.
fn theirs(truth: &Match) -> impl Iterator<Item = PieceId> {
    let pieces = truth.state().pieces();
    pieces.filter(|piece| piece.owner == Some(JUNIPER)).map(|piece| piece.id)
}

/// Of cells that were never seen nothing is known, and of others no secret.
fn check_mirror(view: &State, seen: &Seen) {
    for cell in view.board().cells() {
        let is_unexplored = view.cell_sight(cell) == CellSight::Unexplored;
        if !seen.cells.contains(cell) {
            assert!(is_unexplored, "{}", view.board().cell_name(cell));
            let terrain = view.declarations().terrains[view.terrain(cell).unwrap().index()].name.clone();
            assert_eq!((&*terrain, view.board().elevation(cell)), ("unknown", 0));
        }
    }
    let declarations = view.declarations();
    for (index, declared) in declarations
        .properties
        .iter()
        .enumerate()
        .filter(|(_, declared)| declared.is_secret)
    {
        let property = PropertyId::from_index(index);
        if declared.scope == Scope::Seat {
            assert_eq!(
                view.value(Target::Seat(JUNIPER), property),
                Some(&declared.default),
                "{}",
                declared.name
            );
        }
        for piece in view
            .pieces()
            .filter(|piece| declared.scope == Scope::Piece && piece.owner != Some(ROWAN))
        {
            assert_eq!(
                view.value(Target::Piece(piece.id), property),
                Some(&declared.default),
                "{}",
                declared.name
            );
        }
    }
}
