//! Clients that do not read what they are sent.

use std::io::{self, BufReader, Write};
use std::sync::Condvar;
use std::thread;

use boardwright::client::Link;
use boardwright::protocol::Request;
use boardwright::server::{MostWaiting, serve_lines};

use super::reloading::{Changed, Pending, reloading};
use super::*;

/// More notices than are kept for a client: each tells of a change with a long name.
const NOTICES: usize = 40;
const LONG_NAME: usize = 1 << 20;

/// Changes the rules so often that what everybody is told of it is more than is kept for anybody.
fn tells_much(player: &mut Connection, pending: &Pending) {
    for number in 0..NOTICES {
        let name: &[u8] = if number % 2 == 0 { b"one" } else { b"other" };
        let mut changed = Changed::named(name);
        changed.change = "x".repeat(LONG_NAME);
        *pending.lock().unwrap() = Some(Ok(changed));
        at(player.ask(Command::Reload).unwrap());
        while player.poll(Some(Duration::ZERO)).unwrap().is_some() {}
    }
}

fn asks(link: &mut LocalLink, id: u64, command: Command) {
    link.send(Request { id, command }).unwrap();
}

/// What waits for a client up to the answer to a request.
fn read_to_answer(link: &mut LocalLink, wanted: u64) -> Vec<FromHost> {
    let mut read = Vec::new();
    loop {
        let message = link.receive(LONG).unwrap().expect("the answer did not come");
        let is_wanted = matches!(&message, FromHost::Answer(answer) if answer.id == wanted);
        read.push(message);
        if is_wanted {
            return read;
        }
    }
}

#[test]
fn a_client_that_does_not_read_is_cut_off_others_are_not_and_it_can_resume() {
    let (setup, pending) = reloading();
    let session = Session::spawn(SessionSetup {
        ends_when_left: false,
        ..setup
    })
    .unwrap();
    let mut player = connect(&session, Claim::AllPeople);
    let mut sleeper = LocalLink::join(&session, Claim::Spectator, false, None);
    tells_much(&mut player, &pending);
    let now = at(plays(&mut player, "run"));

    asks(&mut sleeper, 1, Command::View { seat: None });
    let read = read_to_answer(&mut sleeper, 1);
    let bytes: usize = read.iter().map(|message| serde_json::to_string(message).unwrap().len()).sum();
    assert!(bytes < MostWaiting::LOCAL.bytes + 2 * LONG_NAME, "{bytes} bytes were kept");
    let is_cut_off = |message: &&FromHost| matches!(message, FromHost::Notice(Notice::CutOff { reason }) if !reason.is_empty());
    assert_eq!(read.iter().filter(is_cut_off).count(), 1);
    assert!(
        read.iter().rev().nth(1).is_some_and(|message| is_cut_off(&message)),
        "it is the last notice"
    );

    asks(&mut sleeper, 2, Command::Resume);
    let resumed = read_to_answer(&mut sleeper, 2);
    let is_view = |message: &FromHost| matches!(message, FromHost::Notice(Notice::View(view)) if view.at == now);
    assert!(resumed.iter().any(is_view), "the view comes before the answer");
    at(plays(&mut player, "run"));
    let told = sleeper.receive(LONG).unwrap();
    assert!(
        matches!(&told, Some(FromHost::Notice(Notice::Event(event))) if event.at == now + 1),
        "{told:?}"
    );
}

#[test]
fn a_mirror_that_was_cut_off_catches_up() {
    let (setup, pending) = reloading();
    let session = Session::spawn(setup).unwrap();
    let mut player = connect(&session, Claim::AllPeople);
    let mut sleeper = connect(&session, Claim::Spectator);
    tells_much(&mut player, &pending);
    let now = at(plays(&mut player, "run"));
    wait_until_at(&mut sleeper, now);
    assert_eq!(sleeper.mirror().history().len(), now);
    let next = at(plays(&mut player, "run"));
    wait_until_at(&mut sleeper, next);
    assert_eq!(sleeper.mirror().resyncs(), 0);
}

/// An output that nobody reads for a while: writing to it waits. It knows whether somebody has begun to write, and whether it is read.
#[derive(Clone, Default)]
struct Clogged {
    state: Arc<(Mutex<(bool, bool)>, Condvar)>,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Clogged {
    fn wait_for_writer(&self) {
        let (state, changed) = &*self.state;
        drop(changed.wait_while(state.lock().unwrap(), |state| !state.0).unwrap());
    }

    fn clear(&self) {
        self.state.0.lock().unwrap().1 = true;
        self.state.1.notify_all();
    }
}

impl Write for Clogged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (state, changed) = &*self.state;
        let mut state = state.lock().unwrap();
        state.0 = true;
        changed.notify_all();
        drop(changed.wait_while(state, |state| !state.1).unwrap());
        self.written.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_program_that_does_not_read_its_pipe_is_cut_off_and_the_match_goes_on() {
    let (setup, pending) = reloading();
    let session = Session::spawn(setup).unwrap();
    let mut player = connect(&session, Claim::AllPeople);
    let (input, mut says) = io::pipe().unwrap();
    let output = Clogged::default();
    let (served, clogged) = (session.clone(), output.clone());
    let server = thread::spawn(move || serve_lines(&served, Claim::Spectator, BufReader::new(input), clogged));
    says.write_all(b"{\"id\": 1, \"do\": \"problems\"}\n").unwrap();
    output.wait_for_writer();
    tells_much(&mut player, &pending);
    at(plays(&mut player, "run"));
    output.clear();
    says.write_all(b"{\"id\": 2, \"do\": \"quit\"}\n").unwrap();
    server.join().unwrap().unwrap();
    let written = output.written.lock().unwrap();
    assert!(
        written.len() < MostWaiting::LOCAL.bytes + 2 * LONG_NAME,
        "{} bytes were kept",
        written.len()
    );
    let text = String::from_utf8_lossy(&written);
    let mut last = text.lines().rev();
    assert!(last.next().unwrap().contains("\"done\""));
    assert!(last.next().unwrap().contains("\"cut_off\""));
    assert_eq!(text.matches("\"cut_off\"").count(), 1);
}
