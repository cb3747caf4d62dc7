//! Questions about a match on a server, answered from its mirror here by the rules that the server has sent.
//!
//! Everything that the server sends passes through one thread, which keeps a mirror and has rules of its own, on its way to the client. So an answer
//! stands among events where the server's would stand, and is the same. The server remains the judge: actions go to it. What cannot be answered here,
//! and everything while the rules are not there, is asked of it as well.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{io, thread};

use tokio::sync::mpsc::UnboundedSender;

use boardwright_client::{Mirror, Wake};
use boardwright_model::{Declarations, Fingerprint, SeatId, State};
use boardwright_protocol::{Answer, Command, FromHost, Notice, Reply, Request};
use boardwright_rules::{Rules, RulesSource};
use boardwright_server::answer_about_view;

/// What comes to the thread of the mirror.
pub(super) enum ToMirror {
    /// What the server has sent.
    Arrived(FromHost),
    /// What the client asks.
    Asked(Request),
    /// The rules of a fingerprint, if they could be had.
    Rules(Fingerprint, Option<Arc<dyn RulesSource>>),
    /// The connection has ended.
    Closed,
}

/// Fetches the rules of a fingerprint, and hands them over as [`ToMirror::Rules`]. It may not block.
pub(super) type FetchRules = Box<dyn Fn(Fingerprint, Sender<ToMirror>) + Send>;

/// Whether a request may be answered from a mirror.
pub(super) fn may_be_answered_here(command: &Command) -> bool {
    matches!(
        command,
        Command::Looks { .. } | Command::Domain { .. } | Command::Preview { .. } | Command::Legal { seat: Some(_) }
    )
}

/// Starts the thread of a mirror. What is for the client goes to `inbox`, what the server has to answer to `outgoing`.
pub(super) fn spawn(
    fetch: FetchRules,
    inbox: Sender<FromHost>,
    outgoing: UnboundedSender<String>,
    wake: Option<Wake>,
) -> io::Result<Sender<ToMirror>> {
    let (to, waiting) = channel();
    let own = to.clone();
    let body = move || {
        let mut mirror = MirrorAnswers {
            mirror: Mirror::new(),
            wanted: None,
            source: None,
            rules: None,
            fetch,
            to: own,
            inbox,
            outgoing,
        };
        mirror.run(&waiting, wake.as_ref());
        drop(mirror);
        if let Some(wake) = &wake {
            wake();
        }
    };
    thread::Builder::new().name("mirror".to_owned()).spawn(body)?;
    Ok(to)
}

/// Rules that were made for a match.
struct MadeRules {
    fingerprint: Fingerprint,
    declarations: Arc<Declarations>,
    rules: Box<dyn Rules>,
}

struct MirrorAnswers {
    mirror: Mirror,
    /// The rules that were asked for last.
    wanted: Option<Fingerprint>,
    source: Option<Arc<dyn RulesSource>>,
    rules: Option<MadeRules>,
    fetch: FetchRules,
    to: Sender<ToMirror>,
    inbox: Sender<FromHost>,
    outgoing: UnboundedSender<String>,
}

impl MirrorAnswers {
    fn run(&mut self, waiting: &Receiver<ToMirror>, wake: Option<&Wake>) {
        while let Ok(message) = waiting.recv() {
            match message {
                ToMirror::Closed => return,
                ToMirror::Rules(fingerprint, source) => {
                    if self.wanted == Some(fingerprint) {
                        (self.source, self.rules) = (source, None);
                    }
                    continue;
                }
                ToMirror::Arrived(message) => {
                    // What the mirror would ask, the client asks; the answers pass here.
                    drop(self.mirror.handle(&message));
                    self.follow_rules(&message);
                    if self.inbox.send(message).is_err() {
                        return;
                    }
                }
                ToMirror::Asked(request) => {
                    let Some(reply) = self.answer_unbroken(&request.command) else {
                        let line = serde_json::to_string(&request);
                        if line.is_ok_and(|line| self.outgoing.send(line).is_err()) {
                            return;
                        }
                        continue;
                    };
                    let answer = Answer { id: request.id, reply };
                    if self.inbox.send(FromHost::Answer(answer)).is_err() {
                        return;
                    }
                }
            }
            if let Some(wake) = wake {
                wake();
            }
        }
    }

    /// Asks for the rules that are in force, if they are others than before. From when others came into force until the match is described again, the
    /// server answers.
    fn follow_rules(&mut self, message: &FromHost) {
        match message {
            FromHost::Notice(Notice::Reloaded { .. }) => (self.wanted, self.source, self.rules) = (None, None, None),
            FromHost::Answer(Answer {
                reply: Reply::Description(description),
                ..
            }) if self.wanted != Some(description.fingerprint) => {
                (self.wanted, self.source, self.rules) = (Some(description.fingerprint), None, None);
                (self.fetch)(description.fingerprint, self.to.clone());
            }
            _ => {}
        }
    }

    /// The answer to a request; none, and no rules any more, if they break down.
    fn answer_unbroken(&mut self, command: &Command) -> Option<Reply> {
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(command)));
        answered.unwrap_or_else(|_| {
            (self.source, self.rules) = (None, None);
            None
        })
    }

    fn answer(&mut self, command: &Command) -> Option<Reply> {
        let seat = match command {
            Command::Looks { seat } | Command::Legal { seat } => *seat,
            Command::Domain { seat, .. } => Some(*seat),
            Command::Preview { action } => Some(action.seat),
            _ => return None,
        };
        let (view, at) = (self.view(seat)?, self.mirror.at());
        let rules = self.rules_for(&view)?;
        answer_about_view(rules, &view, at, command)
    }

    /// The view of a seat that there is, where the server would show it as well.
    fn view(&self, seat: Option<SeatId>) -> Option<Arc<State>> {
        let view = self.mirror.current_view(seat)?;
        let is_seat = seat.is_none_or(|seat| view.declarations().all_seats().contains(seat));
        is_seat.then(|| Arc::clone(view))
    }

    /// Rules for a view: made once, and again when rules or declarations are others.
    fn rules_for(&mut self, view: &Arc<State>) -> Option<&dyn Rules> {
        let source = self.source.as_ref()?;
        let fingerprint = source.fingerprint();
        let fits = |made: &MadeRules| made.fingerprint == fingerprint && made.declarations == *view.declarations();
        if !self.rules.as_ref().is_some_and(fits) {
            let made = source.rules(view.board(), view.declarations(), view.options());
            self.rules = Some(MadeRules {
                fingerprint,
                declarations: Arc::clone(view.declarations()),
                rules: made.ok()?,
            });
        }
        self.rules.as_ref().map(|made| &*made.rules)
    }
}
