//! What the desk makes of what the host sends.

use std::path::PathBuf;
use std::sync::Arc;

use super::marks::cells_of_event;
use super::{Awaited, Desk, Manner, ReloadNotice};
use boardwright_protocol::{Answer, Notice, Problem, Reply};
use crate::board::Travels;
use crate::panels::said_words;
use crate::sound::{Cue, cues_of};
use crate::texts::text;

impl Desk {
    pub(super) fn take_answer(&mut self, answer: Answer, now: f64) {
        let awaited = self.awaited.remove(&answer.id).unwrap_or(Awaited::Other);
        self.submitting.take_if(|id| *id == answer.id);
        if matches!(awaited, Awaited::Submit) && !matches!(answer.reply, Reply::Done { .. }) {
            self.stop_again();
        }
        if let (Reply::Done { at }, Awaited::Submit) = (&answer.reply, &awaited) {
            self.played_to = Some(*at);
        }
        match (answer.reply, awaited) {
            (reply, Awaited::ManualEdit(number)) => self.take_answer_by_hand(number, reply),
            (reply, Awaited::Odds(asking)) => self.take_odds(asking, reply),
            (reply, Awaited::Evaluation) => self.take_evaluation(reply),
            (reply, Awaited::HeatMap) => self.take_heat(reply),
            (reply, Awaited::Again) => self.take_again(&reply),
            (Reply::Domain { domain, prompt }, Awaited::Domain(question, choice)) => {
                if let Some(picking) = self.picking.as_mut().filter(|_| choice == self.choice) {
                    picking.answer(question, domain, prompt);
                }
            }
            (Reply::Refused(_) | Reply::Error { .. }, Awaited::Domain(question, choice)) => {
                if let Some(picking) = self.picking.as_mut().filter(|_| choice == self.choice) {
                    picking.refuse(question);
                }
            }
            (Reply::Preview(preview), Awaited::Preview) => self.take_preview(answer.id, Some(&preview)),
            (_, Awaited::Preview) => self.take_preview(answer.id, None),
            (Reply::Statistics(statistics), _) => self.statistics = Some(statistics.into()),
            (Reply::Refused(_) | Reply::Fault(_) | Reply::Error { .. }, Awaited::Statistics) => self.statistics = None,
            (Reply::Domain { .. } | Reply::Fault(_) | Reply::Error { .. }, Awaited::Why) => {}
            (Reply::Looks(looks), _) => self.looks = Arc::from(looks),
            (Reply::Saved { file }, _) => {
                let file = PathBuf::from(file);
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                self.toasts.good(text!("toast-saved", file = name), now);
                self.file = Some(file);
            }
            (Reply::Refused(refusal), awaited) => {
                self.asks_hint &= !matches!(awaited, Awaited::Hint);
                let reason = sentence(&refusal.reason);
                self.toasts.refusal(reason, &refusal.rule, now);
                self.cues.push(Cue::Refusal);
                if !matches!(awaited, Awaited::Why) {
                    self.choice_of = None;
                }
            }
            (Reply::Fault(fault), awaited) => {
                if let Awaited::Domain(question, choice) = awaited
                    && let Some(picking) = self.picking.as_mut().filter(|_| choice == self.choice)
                {
                    picking.refuse(question);
                }
                self.toasts
                    .error(sentence(&text!("toast-fault", message = fault.message.as_str())), now);
                self.fault = Some(Problem {
                    severity: "error".to_owned(),
                    code: fault.code.to_string(),
                    message: if fault.hook.is_empty() {
                        fault.message
                    } else {
                        text!("fault-in-hook", message = fault.message, hook = fault.hook)
                    },
                    file: fault.file,
                    line: fault.line,
                    column: fault.column,
                    source_line: fault.source_line,
                    help: None,
                });
            }
            (Reply::Error { message }, awaited) => {
                self.asks_hint &= !matches!(awaited, Awaited::Hint);
                self.toasts.error(sentence(&message), now);
            }
            _ => {}
        }
    }

    pub(super) fn take_notice(&mut self, notice: Notice, now: f64, manner: Manner) {
        match notice {
            Notice::Event(event) => {
                // Of several who look here, some may know more of luck than others.
                if self.draws_of != event.at || !event.draws.is_empty() {
                    self.draws.clone_from(&event.draws);
                    self.draws_of = event.at;
                }
                if self.heard != event.at {
                    let cues = cues_of(&event);
                    if !cues.is_empty() {
                        self.heard = event.at;
                    }
                    self.cues.extend(cues);
                }
                self.last.split_off(&event.at);
                self.last.insert(event.at, cells_of_event(&event));
                if let Some(speed) = manner.motion.speed() {
                    self.travels = Travels::start(&event.effects, now, speed);
                }
            }
            Notice::Hint(report) => {
                self.asks_hint = false;
                if report.line.is_empty() {
                    self.toasts.note(text!("toast-no-hint"), now);
                }
            }
            Notice::Reloaded { changes, milliseconds, .. } => {
                self.reloads += 1;
                self.looks_of = None;
                self.fault = None;
                self.toasts.withdraw(&text!("toast-rules-broken"));
                if changes.is_empty() {
                    self.toasts.note(text!("toast-rules-same"), now);
                } else {
                    let notice = ReloadNotice { changes, milliseconds };
                    self.changes.push(notice.clone());
                    self.reload = Some(notice);
                }
            }
            Notice::Problems { problems } => {
                self.fault = None;
                if problems.iter().any(|problem| problem.severity == "error") {
                    self.toasts.error(text!("toast-rules-broken"), now);
                    self.reload = None;
                }
            }
            Notice::Fault(fault) => self
                .toasts
                .error(sentence(&text!("toast-fault", message = fault.message.as_str())), now),
            Notice::Chat(line) => {
                if line.from.is_none_or(|seat| !self.mirror().seats().contains(seat))
                    && let Some(frame) = self.mirror().frame()
                {
                    let words = said_words(frame, &line);
                    self.toasts.note(words, now);
                }
            }
            Notice::Message { text } => self.toasts.note(sentence(&text), now),
            Notice::View(view) if view.at != self.draws_of => {
                self.draws.clear();
                self.heard = 0;
            }
            Notice::Thinking(report) => {
                self.thinker = Some(report.seat);
                self.thoughts.insert(report.seat, *report);
            }
            Notice::Players { .. } => {
                self.thoughts.clear();
                self.forget_followed();
            }
            Notice::Paused(report) => self.following.take_halt(&report),
            Notice::Resumed { .. } | Notice::View(_) | Notice::Turn { .. } | Notice::ThinkingEnded { .. } => {}
            Notice::Thoughts(report) => self.take_decision(*report),
        }
    }
}

/// A reason as a sentence.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let mut said: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    said.extend(letters);
    if !said.ends_with(['.', '!', '?']) {
        said.push('.');
    }
    said
}
