use super::*;
use boardwright_model::{CellSet, Path, Pick, PieceId, RefusalCode, sentence};

const MOVE: ActionId = ActionId(0);
const SEAT: SeatId = SeatId(1);

fn cell(index: u16) -> CellId {
    CellId(index)
}

fn path(cells: &[u16]) -> Path {
    cells.iter().copied().map(CellId).collect()
}

fn offered(action: ActionId, picks: usize) -> Offered {
    Offered {
        action,
        picks,
        gives_way: false,
    }
}

/// Answers every open query with the domain that a function names; none refuses.
fn inform(picker: &mut ActionPicker, rules: impl Fn(&DomainQuery) -> Option<Domain>) {
    for _ in 0..4 {
        for query in picker.queries() {
            match rules(&query) {
                Some(domain) => picker.answer(query, Some(domain), "which?".into(), Vec::new()),
                None => picker.refuse(query, None),
            }
        }
    }
}

/// Piece 5 on cell 10 may go to 11, over 11 to 12 and 13, or to 20; piece 6 on cell 30 may go to 31.
fn moves(query: &DomainQuery) -> Option<Domain> {
    match query.picks.as_slice() {
        [] => Some(Domain::Pieces(vec![PieceId(5), PieceId(6)])),
        [Pick::Piece(PieceId(5))] => Some(Domain::Paths(vec![path(&[11]), path(&[11, 12]), path(&[11, 12, 13]), path(&[20])])),
        [Pick::Piece(PieceId(6))] => Some(Domain::Paths(vec![path(&[31])])),
        _ => None,
    }
}

fn picker() -> ActionPicker {
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2)]);
    inform(&mut picker, moves);
    picker
}

fn click(picker: &mut ActionPicker, at: u16, pieces: &[u32]) -> Clicked {
    let pieces: Vec<_> = pieces.iter().copied().map(PieceId).collect();
    let clicked = picker.click(cell(at), &pieces);
    inform(picker, moves);
    clicked
}

fn cells(picker: &ActionPicker) -> Vec<u16> {
    picker.cells().iter().map(|cell| cell.0).collect()
}

fn trail(picker: &ActionPicker) -> Vec<u16> {
    picker.trail().iter().map(|cell| cell.0).collect()
}

fn picks(piece: u32, cells: &[u16]) -> Picks {
    Picks::from_iter([Pick::Piece(PieceId(piece)), Pick::Path(path(cells))])
}

#[test]
fn at_first_the_pieces_that_may_act_are_offered() {
    let picker = picker();
    assert_eq!(picker.pieces().into_iter().collect::<Vec<_>>(), [PieceId(5), PieceId(6)]);
    assert!(picker.cells().is_empty() && picker.playable().is_empty() && !picker.has_picked());
}

#[test]
fn a_piece_and_the_points_of_its_path_are_an_action() {
    let mut picker = picker();
    assert_eq!(click(&mut picker, 10, &[5]), Clicked::Picked);
    assert_eq!(cells(&picker), [11, 20]);
    assert!(picker.sole().is_none());
    assert_eq!(click(&mut picker, 11, &[]), Clicked::Picked);
    assert_eq!(picker.sole().map(|action| action.picks), Some(picks(5, &[11])));
    assert!(picker.may_grow());
    click(&mut picker, 12, &[]);
    click(&mut picker, 13, &[]);
    assert!(!picker.may_grow());
    assert_eq!(trail(&picker), [10, 11, 12, 13]);
    let action = picker.sole().unwrap();
    assert_eq!((action.seat, action.action, action.picks), (SEAT, MOVE, picks(5, &[11, 12, 13])));
}

#[test]
fn a_click_on_a_chosen_point_takes_it_and_what_follows_back() {
    let mut picker = picker();
    for (at, pieces) in [(10, &[5][..]), (11, &[]), (12, &[]), (13, &[])] {
        click(&mut picker, at, pieces);
    }
    assert_eq!(click(&mut picker, 12, &[]), Clicked::TakenBack);
    assert_eq!(trail(&picker), [10, 11]);
    assert_eq!(picker.sole().map(|action| action.picks), Some(picks(5, &[11])));
    assert_eq!(click(&mut picker, 11, &[]), Clicked::TakenBack);
    assert_eq!((trail(&picker), cells(&picker)), (vec![10], vec![11, 20]));
    assert_eq!(click(&mut picker, 10, &[5]), Clicked::TakenBack);
    assert!(!picker.has_picked());
    assert_eq!(picker.pieces().len(), 2);
}

#[test]
fn a_click_on_another_own_piece_starts_over() {
    let mut picker = picker();
    click(&mut picker, 10, &[5]);
    click(&mut picker, 11, &[]);
    assert_eq!(click(&mut picker, 30, &[6]), Clicked::StartedOver);
    assert_eq!((trail(&picker), cells(&picker)), (vec![30], vec![31]));
}

#[test]
fn a_click_that_fits_nothing_changes_nothing() {
    let mut picker = picker();
    assert_eq!(click(&mut picker, 99, &[77]), Clicked::Nothing);
    click(&mut picker, 10, &[5]);
    assert_eq!(click(&mut picker, 31, &[]), Clicked::Nothing);
    assert_eq!(trail(&picker), [10]);
}

#[test]
fn a_click_on_the_end_that_is_chosen_means_the_action_and_one_on_a_point_before_it_does_not() {
    let mut picker = picker();
    click(&mut picker, 10, &[5]);
    assert_eq!(picker.action_ending_at(cell(10), true), None, "nothing is whole yet");
    click(&mut picker, 11, &[]);
    click(&mut picker, 12, &[]);
    assert!(picker.may_stop());
    assert_eq!(picker.action_ending_at(cell(11), false), None);
    let action = picker.action_ending_at(cell(12), false);
    assert_eq!(action.map(|action| action.picks), Some(picks(5, &[11, 12])));
}

#[test]
fn what_is_dropped_goes_on_from_what_is_picked_and_never_begins_again() {
    let mut picker = picker();
    click(&mut picker, 10, &[5]);
    assert_eq!(picker.drop_on(cell(30), &[PieceId(6)]), Clicked::Nothing);
    assert_eq!(trail(&picker), [10]);
    assert_eq!(picker.drop_on(cell(20), &[]), Clicked::Picked);
    assert_eq!(picker.sole().map(|action| action.picks), Some(picks(5, &[20])));
}

#[test]
fn escape_takes_everything_back_and_backspace_one_step() {
    let mut picker = picker();
    click(&mut picker, 10, &[5]);
    click(&mut picker, 11, &[]);
    assert!(picker.step_back());
    assert_eq!(trail(&picker), [10]);
    assert!(picker.clear() && !picker.has_picked());
    assert!(!picker.clear() && !picker.step_back());
}

#[test]
fn a_path_may_come_back_to_a_cell() {
    let circle = |query: &DomainQuery| match query.picks.as_slice() {
        [] => Some(Domain::Pieces(vec![PieceId(5)])),
        _ => Some(Domain::Paths(vec![path(&[11, 12, 10]), path(&[11, 12, 10, 11])])),
    };
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2)]);
    inform(&mut picker, circle);
    for (at, pieces) in [(10, &[PieceId(5)][..]), (11, &[]), (12, &[]), (10, &[PieceId(5)]), (11, &[])] {
        assert_eq!(picker.click(cell(at), pieces), Clicked::Picked);
        inform(&mut picker, circle);
    }
    assert_eq!(trail(&picker), [10, 11, 12, 10, 11]);
    assert!(picker.sole().is_some());
}

#[test]
fn clicks_are_followed_for_several_actions_until_they_part() {
    let (walk, fire) = (ActionId(0), ActionId(1));
    let rules = |query: &DomainQuery| match (query.action, query.picks.len()) {
        (_, 0) => Some(Domain::Pieces(vec![PieceId(5)])),
        (ActionId(0), _) => Some(Domain::Cells(CellSet::from_cells(50, [cell(11), cell(12)]))),
        _ => Some(Domain::Cells(CellSet::from_cells(50, [cell(12), cell(13)]))),
    };
    let begun = || {
        let mut picker = ActionPicker::new(SEAT, vec![offered(walk, 2), offered(fire, 2)]);
        inform(&mut picker, rules);
        picker.click(cell(10), &[PieceId(5)]);
        inform(&mut picker, rules);
        picker
    };
    let mut parted = begun();
    assert_eq!(cells(&parted), [11, 12, 13]);
    parted.click(cell(13), &[]);
    assert_eq!(parted.sole().map(|action| action.action), Some(fire));

    let mut both = begun();
    both.click(cell(12), &[]);
    assert_eq!(both.playable().len(), 2);
    assert_eq!(both.sole(), None);

    let mut wanted = begun();
    wanted.want(walk);
    inform(&mut wanted, rules);
    wanted.click(cell(10), &[PieceId(5)]);
    inform(&mut wanted, rules);
    wanted.click(cell(12), &[]);
    assert_eq!(wanted.sole().map(|action| action.action), Some(walk));
}

#[test]
fn actions_that_the_rules_close_are_not_offered() {
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2), offered(ActionId(1), 1), offered(ActionId(2), 0)]);
    assert_eq!(picker.queries().len(), 3);
    assert!(picker.queries().is_empty(), "a query is asked once");
    assert!(!picker.is_settled());
    picker.answer(
        DomainQuery {
            action: MOVE,
            picks: Picks::new(),
        },
        Some(Domain::Pieces(vec![PieceId(5)])),
        "which?".into(),
        Vec::new(),
    );
    let first = |action| DomainQuery {
        action,
        picks: Picks::new(),
    };
    picker.refuse(first(ActionId(1)), None);
    assert!(picker.is_settled());
    picker.answer(first(ActionId(2)), None, "".into(), Vec::new());
    assert_eq!(picker.actions(), [MOVE, ActionId(2)]);
    assert_eq!(picker.playable().len(), 1, "an action without picks can be played at once");
    assert_eq!(picker.sole(), None, "but Enter does not play it by accident");
}

#[test]
fn an_action_without_picks_that_is_refused_is_offered_with_the_reason_and_not_played() {
    let done = ActionId(2);
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2), offered(done, 0)]);
    assert_eq!(picker.queries().len(), 2);
    assert_eq!(picker.refusal_of(done), None, "it is not known yet");
    let refusal = Refusal::new(RefusalCode::NotNow, sentence!("the match is over"));
    let query = DomainQuery {
        action: done,
        picks: Picks::new(),
    };
    picker.refuse(query, Some(refusal));
    assert_eq!(picker.actions(), [done]);
    assert!(picker.playable().is_empty());
    let reason = picker.refusal_of(done).map(|refusal| refusal.reason.to_string());
    assert_eq!(reason.as_deref(), Some("the match is over"));
}

#[test]
fn sets_grow_and_shrink_by_clicks_and_are_whole_between_their_bounds() {
    let rules = |query: &DomainQuery| {
        (query.picks.is_empty()).then(|| Domain::SomeCells {
            of: CellSet::from_cells(50, (1..6).map(CellId)),
            min: 2,
            max: 3,
        })
    };
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 1)]);
    inform(&mut picker, rules);
    picker.click(cell(4), &[]);
    assert!(picker.playable().is_empty());
    picker.click(cell(2), &[]);
    assert_eq!(
        picker.sole().map(|action| action.picks),
        Some(Picks::from_iter([Pick::Cells(vec![cell(2), cell(4)])]))
    );
    picker.click(cell(5), &[]);
    assert_eq!(picker.click(cell(4), &[]), Clicked::TakenBack);
    assert_eq!(trail(&picker), [2, 5], "only the one that was clicked leaves a set");
    picker.click(cell(3), &[]);
    assert_eq!(
        picker.click(cell(1), &[]),
        Clicked::Picked,
        "a full set begins again with another cell"
    );
    assert_eq!(trail(&picker), [1]);
}

#[test]
fn numbers_and_words_are_picked_in_a_panel() {
    let rules = |query: &DomainQuery| match query.picks.len() {
        0 => Some(Domain::Numbers { min: 1, max: 6, step: 1 }),
        1 => Some(Domain::Choices(vec!["left".into(), "right".into()])),
        _ => None,
    };
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2)]);
    inform(&mut picker, rules);
    assert!(!picker.pick(MOVE, Pick::Number(7)));
    assert!(picker.pick(MOVE, Pick::Number(3)));
    inform(&mut picker, rules);
    assert_eq!(picker.asked().len(), 1);
    assert!(picker.pick(MOVE, Pick::Choice("left".into())));
    assert_eq!(
        picker.sole().map(|action| action.picks),
        Some(Picks::from_iter([Pick::Number(3), Pick::Choice("left".into())]))
    );
}

#[test]
fn a_path_before_another_pick_is_taken_when_it_cannot_grow_and_on_request_before() {
    let rules = |query: &DomainQuery| match query.picks.as_slice() {
        [] => Some(Domain::Paths(vec![path(&[1]), path(&[1, 2])])),
        [Pick::Path(_)] => Some(Domain::Cells(CellSet::from_cells(50, [cell(40)]))),
        _ => None,
    };
    let begun = || {
        let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2)]);
        inform(&mut picker, rules);
        picker.click(cell(1), &[]);
        inform(&mut picker, rules);
        picker
    };
    let mut long = begun();
    assert_eq!(cells(&long), [2]);
    long.click(cell(2), &[]);
    inform(&mut long, rules);
    assert_eq!(cells(&long), [40]);

    let mut short = begun();
    assert!(short.asked()[0].may_go_on);
    assert!(short.go_to_next(MOVE));
    inform(&mut short, rules);
    short.click(cell(40), &[]);
    let expected = Picks::from_iter([Pick::Path(path(&[1])), Pick::Cell(cell(40))]);
    assert_eq!(short.sole().map(|action| action.picks), Some(expected));
    assert!(short.step_back());
    inform(&mut short, rules);
    assert_eq!(cells(&short), [40]);
}

#[test]
fn a_click_on_the_end_of_a_path_takes_the_whole_way_if_there_is_just_one() {
    let mut picker = picker();
    click(&mut picker, 10, &[5]);
    assert_eq!(click(&mut picker, 13, &[]), Clicked::Picked);
    assert_eq!(trail(&picker), [10, 11, 12, 13]);
    assert_eq!(picker.sole().unwrap().picks[1], Pick::Path(path(&[11, 12, 13])));
    assert!(picker.step_back());
    assert_eq!(trail(&picker), [10, 11, 12]);
}

/// Piece 5 may lie upright on 10 and 11, turned on 10 alone, and mirrored nowhere.
fn placement(query: &DomainQuery) -> Option<Domain> {
    let (upright, turned) = (Pose::UPRIGHT, Pose::UPRIGHT.turned());
    match query.picks.as_slice() {
        [] => Some(Domain::Pieces(vec![PieceId(5)])),
        [Pick::Piece(_)] => Some(Domain::Poses(vec![upright, turned])),
        [Pick::Piece(_), Pick::Pose(pose)] => {
            let cells = if *pose == upright { vec![10, 11] } else { vec![10] };
            Some(Domain::Cells(CellSet::from_cells(40, cells.into_iter().map(cell))))
        }
        _ => None,
    }
}

fn settle(picker: &mut ActionPicker) {
    for _ in 0..3 {
        picker.settle_poses(|_, pose| pose);
        inform(picker, placement);
    }
}

#[test]
fn a_pose_is_picked_by_itself_and_changed_while_the_piece_stays_where_it_lies() {
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 3)]);
    inform(&mut picker, placement);
    assert!(picker.pick(MOVE, Pick::Piece(PieceId(5))));
    inform(&mut picker, placement);
    settle(&mut picker);
    assert_eq!(cells(&picker), [10, 11]);
    assert_eq!(picker.click(cell(10), &[]), Clicked::Picked);
    assert!(picker.change_pose(Pose::turned, |_, pose| pose));
    settle(&mut picker);
    let laid = picker.placement().unwrap();
    assert_eq!((laid.pose, laid.cell), (Pose::UPRIGHT.turned(), Some(cell(10))));
    assert!(!picker.change_pose(Pose::mirrored, |_, pose| pose), "mirrored it fits nowhere");
    assert!(picker.sole().is_some());
}

#[test]
fn a_piece_that_no_longer_fits_where_it_lay_is_taken_up_again() {
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 3)]);
    inform(&mut picker, placement);
    picker.pick(MOVE, Pick::Piece(PieceId(5)));
    inform(&mut picker, placement);
    settle(&mut picker);
    picker.click(cell(11), &[]);
    picker.change_pose(Pose::turned, |_, pose| pose);
    settle(&mut picker);
    assert_eq!(picker.placement().unwrap().cell, None);
    assert_eq!(cells(&picker), [10]);
}

#[test]
fn a_click_on_another_end_takes_the_place_of_the_last_one() {
    let mut picker = picker();
    click(&mut picker, 10, &[5]);
    click(&mut picker, 11, &[]);
    assert_eq!(click(&mut picker, 20, &[]), Clicked::Picked);
    assert_eq!(trail(&picker), [10, 20]);
}

/// Three of the pieces 1 to 4 beside the board are handed in, one after the other.
fn cards(query: &DomainQuery) -> Option<Domain> {
    let picked = |piece: &PieceId| query.picks.contains(&Pick::Piece(*piece));
    let left = (1..=4).map(PieceId).filter(|piece| !picked(piece)).collect();
    (query.picks.len() < 3).then(|| Domain::Pieces(left))
}

#[test]
fn cards_are_picked_one_after_the_other_and_taken_back_by_another_click() {
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 3)]);
    inform(&mut picker, cards);
    let clicks = |picker: &mut ActionPicker, piece: u32| {
        let clicked = picker.click_beside(PieceId(piece));
        inform(picker, cards);
        clicked
    };
    for piece in [3, 1] {
        assert_eq!(clicks(&mut picker, piece), Clicked::Picked);
    }
    assert_eq!(clicks(&mut picker, 1), Clicked::TakenBack);
    assert_eq!(picker.picked_pieces().into_iter().collect::<Vec<_>>(), [PieceId(3)]);
    for piece in [4, 2] {
        clicks(&mut picker, piece);
    }
    let order = [3, 4, 2].map(|piece| Pick::Piece(PieceId(piece)));
    assert_eq!(picker.sole().map(|action| action.picks), Some(Picks::from_iter(order)));
    assert_eq!(clicks(&mut picker, 1), Clicked::Picked, "the last card is exchanged");
    assert!(picker.picked_pieces().contains(&PieceId(1)) && !picker.picked_pieces().contains(&PieceId(2)));
    assert_eq!(clicks(&mut picker, 3), Clicked::TakenBack, "the first one takes what follows along");
    assert!(!picker.has_picked());
}

#[test]
fn a_set_of_cards_grows_and_shrinks_by_clicks() {
    let rules = |query: &DomainQuery| {
        query.picks.is_empty().then(|| Domain::SomePieces {
            of: (1..=4).map(PieceId).collect(),
            min: 2,
            max: 3,
        })
    };
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 1)]);
    inform(&mut picker, rules);
    picker.click_beside(PieceId(4));
    assert!(picker.is_set() && picker.sole().is_none());
    for piece in [2, 3] {
        picker.click_beside(PieceId(piece));
    }
    assert_eq!(picker.click_beside(PieceId(4)), Clicked::TakenBack);
    let left = Picks::from_iter([Pick::Pieces(vec![PieceId(2), PieceId(3)])]);
    assert_eq!(picker.sole().map(|action| action.picks), Some(left));
    assert!(picker.step_back());
    assert_eq!(picker.picked_pieces().into_iter().collect::<Vec<_>>(), [PieceId(2)]);
}

#[test]
fn what_a_click_would_complete_is_known_before_it() {
    let mut picker = picker();
    click(&mut picker, 10, &[5]);
    assert_eq!(picker.ahead(cell(11), &[]).map(|action| action.picks), Some(picks(5, &[11])));
    assert_eq!(
        picker.ahead(cell(13), &[]).map(|action| action.picks),
        Some(picks(5, &[11, 12, 13]))
    );
    assert_eq!(picker.ahead(cell(30), &[PieceId(6)]), None);
    assert_eq!(trail(&picker), [10], "nothing was clicked");
}

/// An action without picks beside one with two: a set of the pieces 1 to 3, and then a cell.
fn sets(query: &DomainQuery) -> Option<Domain> {
    match query.picks.as_slice() {
        [] => Some(Domain::SomePieces {
            of: (1..=3).map(PieceId).collect(),
            min: 1,
            max: 3,
        }),
        [_] => Some(Domain::Cells(CellSet::from_cells(50, [cell(20)]))),
        _ => None,
    }
}

#[test]
fn a_piece_of_a_set_is_put_back_by_itself_wherever_it_lies() {
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2)]);
    inform(&mut picker, sets);
    assert!(picker.asks_for_set_of_pieces());
    for (at, piece) in [(10, 1), (10, 2), (11, 3)] {
        assert_eq!(picker.click_piece(cell(at), PieceId(piece)), Clicked::Picked);
    }
    assert_eq!(picker.click_piece(cell(10), PieceId(1)), Clicked::TakenBack);
    assert_eq!(picker.picked_pieces().into_iter().collect::<Vec<_>>(), [PieceId(2), PieceId(3)]);
    assert_eq!(trail(&picker), [10, 11]);
    assert_eq!(picker.choosable(&[PieceId(1), PieceId(2)]), [PieceId(1), PieceId(2)]);
    assert!(picker.earlier_cells().is_empty());
    assert!(picker.go_to_next(MOVE));
    inform(&mut picker, sets);
    assert_eq!(picker.earlier_cells().into_iter().collect::<Vec<_>>(), [cell(10), cell(11)]);
    assert_eq!(picker.cells_of_sets(), picker.earlier_cells());
    picker.click(cell(20), &[]);
    assert_eq!(picker.earlier_cells().into_iter().collect::<Vec<_>>(), [cell(10), cell(11)]);
}

#[test]
fn an_action_without_picks_can_be_played_while_another_is_wanted_or_picked() {
    let done = ActionId(2);
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2), offered(done, 0)]);
    for query in picker.queries() {
        let domain = (query.action == MOVE).then(|| moves(&query)).flatten();
        picker.answer(query, domain, "which?".into(), Vec::new());
    }
    let whole = |picker: &ActionPicker| picker.without_picks().iter().map(|action| action.action).collect::<Vec<_>>();
    assert_eq!(whole(&picker), [done]);
    picker.want(MOVE);
    assert_eq!(whole(&picker), [done]);
    picker.click(cell(10), &[PieceId(5)]);
    assert_eq!(whole(&picker), [done]);
}

#[test]
fn an_action_that_gives_way_is_not_meant_while_others_could_be() {
    let strike = ActionId(1);
    let confirmed = Offered {
        gives_way: true,
        ..offered(strike, 1)
    };
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2), confirmed]);
    inform(&mut picker, moves);
    picker.click(cell(10), &[PieceId(5)]);
    inform(&mut picker, moves);
    assert_eq!(picker.playable().len(), 1, "a button plays it");
    assert_eq!(picker.sole(), None);
    assert!(picker.awaits_choice(&picker.playable()[0]), "the button says only that it is meant");
    assert_eq!(picker.action_ending_at(cell(10), true), None);
    let mut meant = picker.clone();
    meant.mean(strike);
    assert_eq!(meant.sole().map(|action| action.action), Some(strike), "what was picked stays");
    assert!(!meant.awaits_choice(&meant.playable()[0]));
    picker.want(strike);
    inform(&mut picker, moves);
    picker.click(cell(10), &[PieceId(5)]);
    assert_eq!(picker.sole().map(|action| action.action), Some(strike));
}

#[test]
fn an_action_that_gives_way_is_meant_where_no_other_leads() {
    let (far, longer) = (ActionId(1), ActionId(2));
    let beside = |action, picks| Offered {
        gives_way: true,
        ..offered(action, picks)
    };
    let rules = |query: &DomainQuery| match (query.picks.len(), query.action) {
        (0, _) => Some(Domain::Pieces(vec![PieceId(5)])),
        (1, MOVE) => Some(Domain::Cells(CellSet::from_cells(64, [cell(11)]))),
        (1, _) => Some(Domain::Cells(CellSet::from_cells(64, [cell(11), cell(12)]))),
        (2, action) if action == longer => Some(Domain::Numbers { min: 1, max: 6, step: 1 }),
        _ => None,
    };
    let picked = |offered: Vec<Offered>, to: u16| {
        let mut picker = ActionPicker::new(SEAT, offered);
        inform(&mut picker, rules);
        picker.click(cell(10), &[PieceId(5)]);
        inform(&mut picker, rules);
        picker.click(cell(to), &[]);
        inform(&mut picker, rules);
        (picker.sole().map(|action| action.action), picker.may_grow())
    };
    let two = vec![offered(MOVE, 2), beside(far, 2)];
    assert_eq!(picked(two.clone(), 11), (Some(MOVE), false));
    assert_eq!(picked(two.clone(), 12), (Some(far), false));
    // What gives way and asks for more keeps nobody waiting but others of its like.
    let three = [two, vec![beside(longer, 3)]].concat();
    assert_eq!(picked(three.clone(), 11), (Some(MOVE), false));
    assert_eq!(picked(three, 12), (None, true));
}

#[test]
fn a_number_is_taken_back_before_the_click_that_led_to_it() {
    let rules = |query: &DomainQuery| match query.picks.len() {
        0 => Some(Domain::Pieces(vec![PieceId(5)])),
        1 => Some(Domain::Numbers { min: 1, max: 6, step: 1 }),
        _ => None,
    };
    let mut picker = ActionPicker::new(SEAT, vec![offered(MOVE, 2)]);
    inform(&mut picker, rules);
    picker.click(cell(10), &[PieceId(5)]);
    inform(&mut picker, rules);
    assert!(picker.pick(MOVE, Pick::Number(3)) && picker.sole().is_some());
    assert!(picker.step_back() && picker.sole().is_none());
    assert_eq!(trail(&picker), [10]);
    assert!(picker.step_back() && !picker.has_picked());
}
