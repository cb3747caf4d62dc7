//! What is heard of a match, and how it comes to the sound server of the system.

use std::sync::{Arc, Mutex};

use boardwright::client::MatchChoice;
use boardwright::ui::StartScreen;
use boardwright::ui::sound::{Cue, Speaker, Volume};

use crate::support::{Opening, Window, of_people, project};

/// Remembers what it was to play.
#[derive(Clone, Default)]
struct Ear(Arc<Mutex<Vec<(Cue, Volume)>>>);

impl Ear {
    fn heard(&self) -> Vec<Cue> {
        self.0.lock().unwrap().drain(..).map(|(cue, _)| cue).collect()
    }
}

impl Speaker for Ear {
    fn is_there(&self) -> bool {
        true
    }

    fn play(&mut self, cues: &[Cue], volume: Volume) {
        self.0.lock().unwrap().extend(cues.iter().map(|cue| (*cue, volume)));
    }
}

fn heard(choice: MatchChoice) -> (Window, Ear) {
    let ear = Ear::default();
    let opening = Opening::new(&project(), StartScreen::Match(choice));
    (opening.heard_by(ear.clone()).open(), ear)
}

#[test]
fn pieces_captures_and_refusals_are_heard() {
    let (mut window, ear) = heard(of_people("sixteen-soldiers"));
    window.clicks("c4, red soldier, can be picked");
    assert_eq!(ear.heard(), [], "nothing has happened yet");
    window.clicks_containing("c5, empty").sees("c5, red soldier, last action");
    assert_eq!(ear.heard(), [Cue::Move]);
    window.clicks("c6, blue soldier, can be picked").clicks_containing("c4, empty");
    window.sees("c4, blue soldier, last action");
    assert_eq!(ear.heard(), [Cue::Capture]);
    window.clicks_containing("a7, blue soldier").sees("cannot be picked");
    assert_eq!(ear.heard(), [Cue::Refusal]);
    window.clicks("Undo").sees("c5, red soldier, last action");
    assert_eq!(ear.heard(), [Cue::Move]);
}

#[test]
fn the_end_is_heard() {
    let (mut window, ear) = heard(of_people("tic-tac-toe"));
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        window.clicks(&format!("{cell}, empty, can be chosen"));
        window.sees(&format!("mark {cell}"));
    }
    window.sees(" won");
    assert_eq!(ear.heard(), [Cue::Move, Cue::Move, Cue::Move, Cue::Move, Cue::End]);
}

#[test]
fn dice_and_cards_are_heard_once_though_several_look() {
    let players = ["red", "blue", "green"].map(|seat| (seat.to_owned(), "human".to_owned()));
    let (mut window, ear) = heard(MatchChoice {
        scenario: Some("war".to_owned()),
        players: players.to_vec(),
        seed: Some(2.into()),
        ..of_people("conquest")
    });
    window.clicks_containing("Alaska, ").clicks("Reinforce: 11");
    window.sees("1. Red: ");
    assert_eq!(ear.heard(), [Cue::Move]);
    window
        .clicks("Done")
        .sees("Attack")
        .clicks_containing("Alaska, ")
        .clicks_containing("Kamchatka, ");
    window.clicks("Attack: 3").sees("Defend: 2");
    ear.heard();
    window.clicks("Defend: 2").sees("the attack: ");
    assert_eq!(ear.heard(), [Cue::Dice, Cue::Move]);
}

#[test]
fn sounds_are_made_louder_and_switched_off_in_the_settings() {
    let (mut window, ear) = heard(of_people("tic-tac-toe"));
    window.sees("a1, empty, can be chosen").clicks("Settings").clicks("Sound: Loud");
    assert_eq!(ear.0.lock().unwrap().drain(..).collect::<Vec<_>>(), [(Cue::Move, Volume::Loud)]);
    window.clicks("Sound: Off").clicks("Done");
    window.clicks("a1, empty, can be chosen").sees("mark a1");
    assert_eq!(ear.heard(), []);
}

#[test]
fn a_machine_without_sound_says_so_in_the_settings_and_nowhere_else() {
    let mut window = Window::of_rules(&project(), "tic-tac-toe");
    window.clicks("a1, empty, can be chosen").sees("mark a1");
    assert!(!window.shows("sound"));
    window.clicks("Settings").sees("No sound device was found.");
}

#[cfg(target_os = "linux")]
mod server {
    use std::io::{BufReader, Read, Write};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::Path;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    use boardwright::ui::sound::{Cue, RATE, Speaker, Volume, pulse_speaker, samples};
    use pulseaudio::protocol::{self, Command};

    const LONG: Duration = Duration::from_secs(30);

    /// A sound server that hands on what it is to play: a sound is whole when it is told to play what is left.
    fn server(socket: &Path) -> Receiver<(protocol::SampleSpec, Vec<u8>)> {
        let listener = UnixListener::bind(socket).unwrap();
        let (heard, sounds) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &heard);
            }
        });
        sounds
    }

    fn serve(stream: UnixStream, heard: &Sender<(protocol::SampleSpec, Vec<u8>)>) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut writer = stream;
        let mut version = protocol::MAX_VERSION;
        let mut sound = (protocol::SampleSpec::default(), Vec::new());
        while let Ok(descriptor) = protocol::read_descriptor(&mut reader) {
            let mut payload = vec![0; descriptor.length as usize];
            reader.read_exact(&mut payload).unwrap();
            if descriptor.channel != u32::MAX {
                sound.1.extend(payload);
                continue;
            }
            let (number, command) = Command::read_tag_prefixed(&mut payload.as_slice(), version).unwrap();
            let answered = match command {
                Command::Auth(asked) => {
                    version = version.min(asked.version);
                    let reply = protocol::AuthReply {
                        version,
                        ..Default::default()
                    };
                    protocol::write_reply_message(&mut writer, number, &reply, version)
                }
                Command::SetClientName(_) => {
                    let reply = protocol::SetClientNameReply { client_id: 1 };
                    protocol::write_reply_message(&mut writer, number, &reply, version)
                }
                Command::CreatePlaybackStream(asked) => {
                    sound = (asked.sample_spec, Vec::new());
                    let reply = protocol::CreatePlaybackStreamReply {
                        channel: 5,
                        sample_spec: asked.sample_spec,
                        channel_map: asked.channel_map,
                        buffer_attr: asked.buffer_attr,
                        requested_bytes: 1 << 20,
                        ..Default::default()
                    };
                    protocol::write_reply_message(&mut writer, number, &reply, version)
                }
                Command::DrainPlaybackStream(_) => {
                    heard.send(std::mem::take(&mut sound)).unwrap();
                    protocol::write_ack_message(&mut writer, number)
                }
                _ => protocol::write_ack_message(&mut writer, number),
            };
            answered.unwrap();
            writer.flush().unwrap();
        }
    }

    fn bytes(cue: Cue) -> Vec<u8> {
        samples(cue, Volume::Loud).into_iter().flat_map(i16::to_le_bytes).collect()
    }

    #[test]
    fn whole_sounds_come_to_the_server_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("native");
        let sounds = server(&socket);
        let mut speaker = pulse_speaker(socket).unwrap();
        speaker.play(&[Cue::Dice, Cue::Capture], Volume::Loud);
        for cue in [Cue::Dice, Cue::Capture] {
            let (spec, sound) = sounds.recv_timeout(LONG).unwrap();
            assert_eq!((spec.channels, spec.sample_rate), (1, RATE));
            assert!(sound == bytes(cue), "{cue:?}: {} bytes", sound.len());
        }
        assert!(speaker.is_there());
    }

    #[test]
    fn a_server_that_is_not_there_is_looked_for_again_and_nobody_waits() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("native");
        let mut speaker = pulse_speaker(socket.clone()).unwrap();
        for _ in 0..100 {
            speaker.play(&Cue::ALL, Volume::Loud);
        }
        assert!(!speaker.is_there());
        let sounds = server(&socket);
        let begun = Instant::now();
        let found = loop {
            speaker.play(&[Cue::Move], Volume::Loud);
            match sounds.recv_timeout(Duration::from_millis(50)) {
                Ok((_, sound)) => break sound,
                Err(_) => assert!(begun.elapsed() < LONG, "the server is not found"),
            }
        };
        assert!(!found.is_empty());
    }
}
