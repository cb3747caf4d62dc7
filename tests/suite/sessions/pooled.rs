//! Sessions that share a thread.

use std::sync::mpsc;

use boardwright::protocol::Request;
use boardwright::server::SessionPool;

use super::*;

fn begin(pool: &SessionPool) -> SessionHandle {
    let (begun, has_begun) = mpsc::channel();
    pool.spawn(setup(), move |result| begun.send(result).unwrap());
    has_begun.recv().unwrap().unwrap()
}

fn asks(handle: &SessionHandle) -> bool {
    let joined = handle.join(Claim::Spectator, false, Box::new(|_| true));
    joined.request(Request {
        id: 1,
        command: Command::Describe,
    })
}

#[test]
fn requests_to_a_session_that_has_ended_are_not_taken_while_others_on_its_thread_go_on() {
    let pool = SessionPool::new(1).unwrap();
    let (ended, running) = (begin(&pool), begin(&pool));
    let watcher = connect(&running, Claim::Spectator);
    // It ends when its only client leaves.
    drop(connect(&ended, Claim::AllPeople));
    ended.wait();
    assert!(!asks(&ended));
    assert!(asks(&running));
    drop(watcher);
    running.wait();
}

#[test]
fn matches_begin_on_the_other_threads_when_one_is_gone() {
    let pool = SessionPool::new(2).unwrap();
    // What tells of the beginning is called on the thread of the match.
    pool.spawn(setup(), |_| panic!("this thread goes"));
    for _ in 0..10 {
        let (begun, result) = mpsc::channel();
        pool.spawn(setup(), move |result| begun.send(result).unwrap());
        // While the thread goes, what it was to begin goes with it.
        if let Ok(begun) = result.recv() {
            drop(begun.unwrap());
        }
    }
    assert!(asks(&begin(&pool)));
}
