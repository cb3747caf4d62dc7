//! What every store holds to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use boardwright_store::{Holder, MatchId, MatchRow, NewEntry, SeatChange, Seating, Status, Store, StoreError};

use super::{Postgres, Sqlite, append, claim, entry, row, take};

/// Where a store is that is opened, and opened again.
pub(super) trait Place {
    fn open(&self) -> Arc<dyn Store>;
}

/// Tests of every store.
macro_rules! of_every_store {
    ($($name:ident,)*) => {
        mod sqlite {
            $(#[test] fn $name() { super::$name(&super::Sqlite::new()); })*
        }
        mod postgres {
            $(#[test] fn $name() { super::$name(&super::Postgres::new()); })*
        }
    };
}

of_every_store! {
    what_was_stored_is_there_when_the_store_is_opened_again,
    what_is_called_when_something_is_stored_may_be_the_last_to_hold_the_store,
    an_entry_that_does_not_follow_the_newest_is_refused_and_others_of_its_batch_are_not,
    a_new_head_takes_the_place_of_the_entries_in_it,
    seats_are_taken_and_left_and_a_match_begins_when_all_are_held,
    however_many_want_a_seat_at_once_each_has_one_holder,
    matches_in_which_nothing_has_happened_are_swept,
    matches_in_lists_that_have_not_ended_have_names_that_do_not_look_alike,
    lists_show_what_changed_last_first_and_nothing_private,
    lists_name_who_holds_seats_and_load_gives_what_they_have_committed_to,
    chat_is_kept_in_order_until_its_match_is_gone,
    rules_are_stored_once_and_a_store_that_works_says_so,
}

fn what_was_stored_is_there_when_the_store_is_opened_again(place: &dyn Place) {
    let store = place.open();
    store.create(&row(1), b"head").unwrap();
    for number in 1..=3 {
        append(&*store, entry(1, number)).unwrap();
    }
    let holder = Holder {
        seat: 1,
        name: "Žofie".to_owned(),
        token_hash: [7; 32],
        commitment: Some([9; 32]),
    };
    store.seat(MatchId::new(1), &take(&[1], 1, "Žofie", 7), 6_000).unwrap();
    drop(store);
    let store = place.open();
    let stored = store.load(MatchId::new(1)).unwrap();
    assert_eq!(
        stored.row,
        MatchRow {
            status: Status::Playing,
            changed: 6_000,
            ..row(1)
        }
    );
    assert_eq!((stored.head.as_slice(), stored.head_number), (b"head".as_slice(), 0));
    assert_eq!(stored.entries, [b"1:1".to_vec(), b"1:2".to_vec(), b"1:3".to_vec()]);
    assert_eq!(stored.holders, [holder]);
    assert_eq!(store.counts().unwrap(), [0, 1, 0]);
    append(&*store, entry(1, 4)).unwrap();
}

fn what_is_called_when_something_is_stored_may_be_the_last_to_hold_the_store(place: &dyn Place) {
    let store = place.open();
    store.create(&row(1), b"").unwrap();
    claim(&*store, 1);
    let (last, (done, result)) = (Arc::clone(&store), mpsc::channel());
    let (go_on, waits) = mpsc::channel::<()>();
    let stored = move |stored: Result<(), StoreError>| {
        waits.recv().unwrap();
        stored.unwrap();
        drop(last);
        done.send(()).unwrap();
    };
    store.append(entry(1, 1), Box::new(stored));
    drop(store);
    go_on.send(()).unwrap();
    result.recv().unwrap();
    let store = place.open();
    assert_eq!(store.load(MatchId::new(1)).unwrap().entries, [b"1:1".to_vec()]);
}

fn an_entry_that_does_not_follow_the_newest_is_refused_and_others_of_its_batch_are_not(place: &dyn Place) {
    let store = place.open();
    store.create(&row(1), b"").unwrap();
    store.create(&row(2), b"").unwrap();
    append(&*store, entry(1, 1)).unwrap();
    // Sent again as it is, an entry is stored; another one in its place is not.
    append(&*store, entry(1, 1)).unwrap();
    let changed = NewEntry {
        entry: b"another".to_vec(),
        ..entry(1, 1)
    };
    for wrong in [entry(1, 0), changed, entry(1, 3)] {
        let refused = append(&*store, wrong).unwrap_err();
        assert!(matches!(refused, StoreError::OutOfOrder { newest: 1, .. }), "{refused}");
    }
    assert!(matches!(append(&*store, entry(9, 1)), Err(StoreError::NoMatch(_))));
    let failed = Arc::new(AtomicUsize::new(0));
    let (done, all) = mpsc::channel();
    let other = NewEntry {
        entry: b"another".to_vec(),
        ..entry(1, 2)
    };
    let entries = [2, 2, 3, 9, 4].map(|number| entry(1, number));
    for entry in entries.into_iter().chain([other]) {
        let (failed, done) = (Arc::clone(&failed), done.clone());
        let stored = move |stored: Result<(), StoreError>| {
            failed.fetch_add(usize::from(stored.is_err()), Ordering::Relaxed);
            done.send(()).unwrap();
        };
        store.append(entry, Box::new(stored));
    }
    (0..6).for_each(|_| all.recv().unwrap());
    assert_eq!(failed.load(Ordering::Relaxed), 2);
    assert_eq!(store.load(MatchId::new(1)).unwrap().entries.len(), 4);
}

fn a_new_head_takes_the_place_of_the_entries_in_it(place: &dyn Place) {
    let store = place.open();
    let id = MatchId::new(1);
    store.create(&row(1), b"old").unwrap();
    (1..=5).for_each(|number| append(&*store, entry(1, number)).unwrap());
    store.replace_head(id, b"new", 3).unwrap();
    let stored = store.load(id).unwrap();
    assert_eq!((stored.head.as_slice(), stored.head_number), (b"new".as_slice(), 3));
    assert_eq!(stored.entries, [b"1:4".to_vec(), b"1:5".to_vec()]);
    assert!(matches!(store.replace_head(id, b"ahead", 6), Err(StoreError::OutOfOrder { .. })));
    store.replace_head(id, b"all", 5).unwrap();
    append(&*store, entry(1, 6)).unwrap();
    assert_eq!(store.load(id).unwrap().entries, [b"1:6".to_vec()]);
}

fn seats_are_taken_and_left_and_a_match_begins_when_all_are_held(place: &dyn Place) {
    let store = place.open();
    let id = MatchId::new(1);
    store.create(&row(1), b"").unwrap();
    let seat = |change: &SeatChange| store.seat(id, change, 9_000);
    let names = || -> Vec<(u8, String)> {
        let holders = store.holders(id).unwrap();
        holders.into_iter().map(|holder| (holder.seat, holder.name)).collect()
    };
    assert_eq!(seat(&take(&[0, 1], 2, "Žofie", 1)).unwrap().status, Status::Waiting);
    assert!(matches!(seat(&take(&[0], 2, "Bob", 2)), Err(StoreError::SeatTaken)));
    assert!(matches!(seat(&take(&[1], 2, "žOFIE", 2)), Err(StoreError::NameTaken(_))));
    seat(&SeatChange::Leave { token_hash: [1; 32] }).unwrap();
    assert!(matches!(seat(&SeatChange::Leave { token_hash: [1; 32] }), Err(StoreError::NotHeld)));
    assert!(matches!(seat(&SeatChange::Free { seat: 0 }), Err(StoreError::NotHeld)));
    seat(&take(&[0, 1], 2, "Bob", 2)).unwrap();
    let last = seat(&take(&[0, 1], 2, "Ada", 3)).unwrap();
    let begun = Seating {
        seat: 1,
        name: Some("Ada".to_owned()),
        status: Status::Playing,
    };
    assert_eq!(last, begun);
    assert_eq!(names(), [(0, "Bob".to_owned()), (1, "Ada".to_owned())]);
    assert_eq!(store.counts().unwrap(), [0, 1, 0]);
    // It goes on though somebody is sent away.
    assert_eq!(seat(&SeatChange::Free { seat: 0 }).unwrap().status, Status::Playing);
    assert!(matches!(store.cancel(id), Err(StoreError::TooLate)));
    let ended = NewEntry {
        status: Status::Ended,
        ..entry(1, 1)
    };
    append(&*store, ended).unwrap();
    assert!(matches!(seat(&take(&[0], 2, "Eve", 4)), Err(StoreError::TooLate)));
    assert_eq!(store.counts().unwrap(), [0, 0, 1]);
}

/// Of many that want the seats of a match at the same moment, as many get one as there are seats.
fn however_many_want_a_seat_at_once_each_has_one_holder(place: &dyn Place) {
    let store = place.open();
    let id = MatchId::new(1);
    store.create(&row(1), b"").unwrap();
    let seated = thread::scope(|scope| {
        let store = &store;
        let come = (0..16_u8).map(|guest| scope.spawn(move || store.seat(id, &take(&[0, 1], 2, &format!("Guest {guest}"), guest), 0)));
        let come: Vec<_> = come.collect();
        come.into_iter().filter_map(|come| come.join().unwrap().ok()).count()
    });
    assert_eq!((seated, store.holders(id).unwrap().len()), (2, 2));
    assert_eq!(store.row(id).unwrap().status, Status::Playing);
}

fn matches_in_which_nothing_has_happened_are_swept(place: &dyn Place) {
    let store = place.open();
    for id in 1..=5 {
        store.create(&row(id), b"").unwrap();
    }
    store.seat(MatchId::new(2), &take(&[0], 1, "Ada", 1), 1_002).unwrap();
    let swept = store.sweep(Status::Waiting, 1_005, 2).unwrap();
    assert_eq!(swept, [MatchId::new(1), MatchId::new(3)]);
    assert_eq!(store.sweep(Status::Waiting, 1_005, 2).unwrap(), [MatchId::new(4)]);
    assert_eq!(store.counts().unwrap(), [1, 1, 0]);
    store.cancel(MatchId::new(5)).unwrap();
    assert_eq!(store.counts().unwrap(), [0, 1, 0]);
}

fn matches_in_lists_that_have_not_ended_have_names_that_do_not_look_alike(place: &dyn Place) {
    let store = place.open();
    let named = |id: u64, name: &str, is_listed: bool| {
        let row = MatchRow {
            name: name.to_owned(),
            is_listed,
            ..row(id)
        };
        store.create(&row, b"")
    };
    named(1, "Žofie's", true).unwrap();
    assert!(matches!(named(2, "žofie's", true), Err(StoreError::NameTaken(_))));
    named(2, "žofie's", false).unwrap();
    let ended = NewEntry {
        status: Status::Ended,
        ..entry(1, 1)
    };
    append(&*store, ended).unwrap();
    named(3, "žofie's", true).unwrap();
}

fn lists_show_what_changed_last_first_and_nothing_private(place: &dyn Place) {
    let store = place.open();
    for id in 1..=4 {
        let is_listed = id != 3;
        store.create(&MatchRow { is_listed, ..row(id) }, b"").unwrap();
    }
    append(&*store, entry(2, 1)).unwrap();
    let ids = |listed| -> Vec<u64> {
        let rows = store.list(Status::Waiting, listed, 3).unwrap();
        rows.iter().map(|(row, _)| row.id.number()).collect()
    };
    assert_eq!((ids(true), ids(false)), (vec![2, 4, 1], vec![2, 4, 3]));
    let again = MatchRow {
        name: "Another".to_owned(),
        ..row(1)
    };
    assert!(matches!(store.create(&again, b""), Err(StoreError::Exists(_))));
    store.cancel(MatchId::new(2)).unwrap();
    assert!(matches!(store.cancel(MatchId::new(2)), Err(StoreError::NoMatch(_))));
    assert_eq!(ids(true), [4, 1]);
}

fn lists_name_who_holds_seats_and_load_gives_what_they_have_committed_to(place: &dyn Place) {
    let store = place.open();
    for id in 1..=3 {
        store.create(&row(id), b"").unwrap();
    }
    for (id, seat, name) in [(1, 0, "Ada"), (1, 1, "Bob"), (3, 1, "Eve")] {
        store.seat(MatchId::new(id), &take(&[seat], 3, name, seat), 0).unwrap();
    }
    let listed = store.list(Status::Waiting, true, 10).unwrap();
    let names = |holders: &[Holder]| holders.iter().map(|holder| (holder.seat, holder.name.clone())).collect::<Vec<_>>();
    let listed: Vec<_> = listed.iter().map(|(row, holders)| (row.id.number(), names(holders))).collect();
    let held = |seat: u8, name: &str| (seat, name.to_owned());
    assert_eq!(
        listed,
        [
            (3, vec![held(1, "Eve")]),
            (2, Vec::new()),
            (1, vec![held(0, "Ada"), held(1, "Bob")]),
        ]
    );
    assert_eq!(store.load(MatchId::new(1)).unwrap().holders[1].commitment, Some([9; 32]));
    assert!(matches!(store.load(MatchId::new(9)), Err(StoreError::NoMatch(_))));
    assert!(matches!(store.row(MatchId::new(9)), Err(StoreError::NoMatch(_))));
}

fn chat_is_kept_in_order_until_its_match_is_gone(place: &dyn Place) {
    let store = place.open();
    let id = MatchId::new(1);
    store.create(&row(1), b"").unwrap();
    let text = |number: u32| number.to_string().into_bytes();
    for number in 0..700 {
        store.add_chat(id, text(number));
        store.add_chat(MatchId::new(9), text(number));
    }
    // It is read behind all of it, whatever is still on its way.
    assert_eq!(store.chat(id).unwrap(), (100..700).map(text).collect::<Vec<_>>());
    assert_eq!(store.chat(MatchId::new(9)).unwrap(), [] as [Vec<u8>; 0]);
    store.cancel(id).unwrap();
    store.create(&row(1), b"").unwrap();
    assert_eq!(store.chat(id).unwrap(), [] as [Vec<u8>; 0]);
}

fn rules_are_stored_once_and_a_store_that_works_says_so(place: &dyn Place) {
    let store = place.open();
    store.check().unwrap();
    assert_eq!(store.rules(&[1; 32]).unwrap(), None);
    for sources in [b"one", b"two"] {
        store.put_rules(&[1; 32], sources).unwrap();
    }
    assert_eq!(store.rules(&[1; 32]).unwrap(), Some(b"one".to_vec()));
}
