//! Leads a player through a tutorial: which step is shown follows from how far the match has come, so that undo goes back in it too.

use super::requests::{Pending, Requests};
use boardwright_client::content::{Tutorial, TutorialStep, TutorialTask, TutorialTaskKind};
use boardwright_model::{Action, CellId, SeatId};
use boardwright_protocol::Command;

/// How long the others wait before they answer, in seconds.
const ANSWER_PAUSE: f64 = 0.9;
/// Who plays the other seats when the tutorial is left.
const OPPONENT: &str = "search:2";

/// A tutorial that is being played.
#[derive(Debug)]
pub(crate) struct Lesson {
    tutorial: Tutorial,
    /// The step that is shown; all of them when the tutorial is over.
    shown: usize,
    /// The action that was asked for when the player tried another.
    missed: Option<Action>,
    /// When the next answer is due, once that is known.
    due: Option<f64>,
    /// The position at which an edit or an answer was sent.
    sent_at: Option<usize>,
}

impl Lesson {
    pub(crate) fn new(tutorial: Tutorial) -> Self {
        Self {
            tutorial,
            shown: 0,
            missed: None,
            due: None,
            sent_at: None,
        }
    }

    /// The step that is shown; none when the tutorial is over.
    pub(crate) fn step(&self) -> Option<&TutorialStep> {
        self.tutorial.steps.get(self.shown)
    }

    /// The number of the step that is shown, from 1, and how many there are.
    pub(crate) fn progress(&self) -> (usize, usize) {
        let count = self.tutorial.steps.len();
        ((self.shown + 1).min(count), count)
    }

    /// Whether the step that is shown is only to be read.
    pub(crate) fn is_reading(&self) -> bool {
        self.step().is_some_and(|step| step.tasks.is_empty())
    }

    /// Whether the step that is shown is the last.
    pub(crate) fn is_last(&self) -> bool {
        self.shown + 1 >= self.tutorial.steps.len()
    }

    /// The action that was asked for when the player tried another.
    pub(crate) fn missed(&self) -> Option<&Action> {
        self.missed.as_ref()
    }

    /// The action that the player is to play now.
    pub(super) fn asked(&self, at: usize) -> Option<&Action> {
        match &self.task(at)?.kind {
            TutorialTaskKind::Play(asked) => Some(asked),
            TutorialTaskKind::PlayAny | TutorialTaskKind::Edit(_) | TutorialTaskKind::Answer(_) => None,
        }
    }

    /// The cells that are pointed out.
    pub(crate) fn cells(&self) -> &[CellId] {
        self.step().map_or(&[], |step| &step.cells)
    }

    /// The seat of the player who learns.
    pub(super) fn seat(&self) -> SeatId {
        self.tutorial.seat
    }

    /// Goes on from a step that has been read.
    pub(super) fn go_to_next(&mut self) {
        if self.is_reading() {
            self.shown += 1;
        }
    }

    /// Whether an action may be played now; one that was not asked for is remembered as a mistake.
    pub(super) fn admits(&mut self, action: &Action, at: usize) -> bool {
        let asked = match self.task(at).map(|task| &task.kind) {
            Some(TutorialTaskKind::Play(asked)) => asked.clone(),
            Some(TutorialTaskKind::PlayAny) => return true,
            Some(TutorialTaskKind::Edit(_) | TutorialTaskKind::Answer(_)) => return false,
            None => return self.step().is_none(),
        };
        let is_asked = asked == *action;
        self.missed = (!is_asked).then_some(asked);
        is_asked
    }

    /// What is to happen next in the step that is shown.
    fn task(&self, at: usize) -> Option<&TutorialTask> {
        self.step()?.tasks.iter().find(|task| task.after > at)
    }

    /// Whether something is about to happen by itself.
    pub(crate) fn is_under_way(&self, at: usize) -> bool {
        let is_own = |task: &TutorialTask| matches!(task.kind, TutorialTaskKind::Play(_) | TutorialTaskKind::PlayAny);
        !self.is_reading() && self.step().is_some() && !self.task(at).is_some_and(is_own)
    }

    /// Shows the step that the match has come to, and carries out what others do in it.
    pub(super) fn go_on(&mut self, requests: &mut Requests, now: f64, are_pieces_moving: bool) {
        let (at, length) = (requests.mirror().at(), requests.mirror().length());
        if requests.mirror().main_view().is_none() {
            return;
        }
        let is_open = |step: &TutorialStep| step.tasks.iter().any(|task| task.after > at);
        if let Some(open) = self.tutorial.steps.iter().position(is_open)
            && open < self.shown
        {
            // The player has undone something.
            self.shown = open;
            (self.missed, self.due, self.sent_at) = (None, None, None);
        }
        if at != length {
            return;
        }
        let is_sent = self.sent_at == Some(at);
        let command = match self.task(at).map(|task| &task.kind) {
            None => {
                if !are_pieces_moving && !self.is_reading() && self.step().is_some() {
                    self.shown += 1;
                    (self.missed, self.due) = (None, None);
                }
                return;
            }
            Some(TutorialTaskKind::Play(_) | TutorialTaskKind::PlayAny) => return,
            Some(_) if is_sent => return,
            Some(TutorialTaskKind::Edit(text)) => Command::Edit { text: text.clone() },
            Some(TutorialTaskKind::Answer(action)) => {
                let action = action.clone();
                if are_pieces_moving || now < *self.due.get_or_insert(now + ANSWER_PAUSE) {
                    return;
                }
                Command::Submit { action, at }
            }
        };
        self.due = None;
        self.sent_at = Some(at);
        requests.send(command, Pending::Nothing);
    }

    /// What lets the match go on without the tutorial: computers play the other seats.
    pub(super) fn opponents(&self, seats: usize) -> impl Iterator<Item = Command> {
        let own = self.seat();
        let others = (0..seats).map(SeatId::from_index).filter(move |seat| *seat != own);
        others.map(|seat| Command::Assign {
            seat,
            player: OPPONENT.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::ActionId;

    fn action(seat: u8) -> Action {
        Action {
            seat: SeatId(seat),
            action: ActionId(0),
            picks: std::iter::empty().collect(),
        }
    }

    fn lesson() -> Lesson {
        let step = |tasks: Vec<(TutorialTaskKind, usize)>| TutorialStep {
            tasks: tasks.into_iter().map(|(kind, after)| TutorialTask { kind, after }).collect(),
            ..TutorialStep::default()
        };
        Lesson::new(Tutorial {
            seat: SeatId(0),
            steps: vec![
                step(Vec::new()),
                step(vec![
                    (TutorialTaskKind::Play(action(0)), 2),
                    (TutorialTaskKind::Answer(action(1)), 3),
                ]),
            ],
        })
    }

    #[test]
    fn only_the_action_that_is_asked_for_is_admitted() {
        let mut lesson = lesson();
        assert!(!lesson.admits(&action(0), 1), "the text is still to be read");
        lesson.go_to_next();
        assert!(!lesson.admits(&action(1), 1));
        assert_eq!(lesson.missed(), Some(&action(0)));
        assert!(lesson.admits(&action(0), 1));
        assert_eq!((lesson.missed(), lesson.progress()), (None, (2, 2)));
        assert!(!lesson.admits(&action(0), 2), "somebody else is to answer");
        assert!(lesson.is_under_way(2) && lesson.is_last());
    }
}
