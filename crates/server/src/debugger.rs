//! The debugger of strategies: who is attached, and what they are told when a strategy pauses.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::failure::{Failure, ensure, error, refused};
use super::handle::ToSession;
use super::hosted_match::HostedMatch;
use super::mailbox::Mailbox;
use super::player_pool::PlayerPool;
use super::roster::Roster;
use boardwright_host::ClientId;
use boardwright_model::{Action, BreakPoint, RefusalCode, SeatId, Sentence, State, StepKind, sentence};
use boardwright_players::{Debugger, DecisionBreaks, PausedStrategy, PlayerSpec};
use boardwright_protocol::{Notice, PauseReport, ThoughtLine};
use boardwright_rules::{Remark, Rules};

const MOST_BREAK_POINTS: usize = 200;
const MOST_WATCHES: usize = 20;
/// The longest expression that is watched or a condition, in bytes.
const LONGEST_EXPRESSION: usize = 500;

pub(super) struct DebugSession {
    /// What players report to while they decide.
    pub(super) engine: Arc<Debugger>,
    /// The clients that are attached.
    clients: BTreeSet<ClientId>,
    /// The pause that they were told of: its number, and the seat whose strategy has paused.
    reported: Option<(u64, SeatId)>,
}

impl DebugSession {
    pub(super) fn new(to: Mailbox) -> Self {
        Self {
            engine: Arc::new(Debugger::new(move || {
                to.send(ToSession::DebuggerNews);
            })),
            clients: BTreeSet::new(),
            reported: None,
        }
    }

    /// Attaches a client to the strategy of a seat, from its next decision on.
    pub(super) fn attach(
        &mut self,
        game: &HostedMatch,
        roster: &Roster,
        client: ClientId,
        seat: SeatId,
        pauses: DecisionBreaks,
    ) -> Result<(), Failure> {
        match roster.player(seat).map(PlayerSpec::unlimited) {
            Some(PlayerSpec::Strategy { .. }) => {}
            Some(player) => {
                let seat = game.state().declarations().seat_title(seat);
                return Err(error(sentence!("{seat} is played by {player}; only strategies can be debugged")));
            }
            None => return Err(refused(RefusalCode::NotYourSeat, sentence!("there is no such seat"))),
        }
        self.engine.attach(seat, pauses);
        if self.clients.insert(client) {
            // A pause that stands was reported to others only.
            self.reported = None;
        }
        Ok(())
    }

    pub(super) fn detach(&mut self, game: &HostedMatch, roster: &mut Roster, pool: &PlayerPool, seat: SeatId) {
        self.engine.detach(seat);
        self.report(game, roster, pool);
        if !self.engine.is_attached_anywhere() {
            self.clients.clear();
        }
    }

    pub(super) fn set_break_points(&mut self, points: Vec<BreakPoint>) -> Result<(), Failure> {
        let (most, count) = (MOST_BREAK_POINTS, points.len());
        ensure(count <= most, || error(sentence!("there may be {most} break points, not {count}")))?;
        check_lengths(points.iter().filter_map(|point| point.condition.as_deref()))?;
        self.engine.set_break_points(points);
        Ok(())
    }

    pub(super) fn set_watches(&mut self, expressions: &[String]) -> Result<(), Failure> {
        let (most, count) = (MOST_WATCHES, expressions.len());
        ensure(count <= most, || error(sentence!("{most} expressions may be watched, not {count}")))?;
        check_lengths(expressions.iter().map(String::as_str))?;
        let expressions = expressions.iter().map(|expression| Arc::from(expression.trim()));
        self.engine.set_watches(expressions.collect());
        Ok(())
    }

    /// Pauses the strategy that is deciding, if a client is attached to it.
    pub(super) fn pause(&mut self) -> Result<(), Failure> {
        ensure(self.engine.is_attached_anywhere(), || error(sentence!("no strategy is debugged")))?;
        self.engine.ask_to_pause();
        Ok(())
    }

    pub(super) fn step(&mut self, kind: StepKind) -> Result<(), Failure> {
        ensure(self.engine.go_on(kind), || error(sentence!("no strategy has paused")))
    }

    /// A client has left. With the last one gone, a strategy that has paused resumes.
    pub(super) fn leave(&mut self, client: ClientId) {
        if self.clients.remove(&client) && self.clients.is_empty() {
            self.engine.detach_all();
        }
    }

    /// Tells clients that are attached of a pause, or of its end, if they do not know yet.
    pub(super) fn report(&mut self, game: &HostedMatch, roster: &mut Roster, pool: &PlayerPool) {
        let (reported, pause) = (self.reported, self.engine.pause_number());
        if pause == reported.map(|reported| reported.0) {
            return;
        }
        let paused = self.engine.paused();
        self.reported = paused.as_ref().map(|paused| (paused.number, paused.seat));
        let notice = match (paused, reported) {
            (Some(paused), _) => {
                let seat = paused.seat;
                let view = pool.view_for(seat).unwrap_or_else(|| game.view_of(Some(seat)));
                let player = roster.player(seat).map(ToString::to_string).unwrap_or_default();
                Notice::Paused(Box::new(report_of(paused, player, game.rules(), &view)))
            }
            (None, Some((_, seat))) => Notice::Resumed { seat },
            (None, None) => return,
        };
        for client in &self.clients {
            roster.notify(*client, notice.clone());
        }
    }

    /// Says that a decision which has paused begins again: the rules it belongs to are no longer in force.
    pub(super) fn restart_message(&self, game: &HostedMatch) -> Option<Sentence> {
        let title = game.state().declarations().seat_title(self.engine.paused()?.seat);
        Some(sentence!(
            "the decision of {seat} begins again under the changed scripts",
            seat = title
        ))
    }
}

fn check_lengths<'a>(expressions: impl Iterator<Item = &'a str>) -> Result<(), Failure> {
    let (most, count) = (LONGEST_EXPRESSION, expressions.map(str::len).max().unwrap_or(0));
    ensure(count <= most, || {
        error(sentence!("an expression has at most {most} bytes, not {count}"))
    })
}

fn report_of(paused: PausedStrategy, player: String, rules: &dyn Rules, view: &Arc<State>) -> PauseReport {
    let pause = paused.pause;
    let notation = |action: &Action| rules.notation(view, action);
    let thoughts = pause.remarks.iter().chain(&paused.weighed);
    let innermost = pause.stack.first();
    PauseReport {
        seat: paused.seat,
        player,
        cause: pause.cause,
        file: innermost.map(|call| call.file.clone()).unwrap_or_default(),
        line: innermost.map_or(0, |call| call.line),
        source_line: pause.source_line,
        hits: pause.hits,
        problem: pause.problem,
        thoughts: thoughts.map(|thought| thought_line(thought, None, rules, view)).collect(),
        evaluated: paused.evaluated.as_ref().map(notation),
        chosen: paused.chosen.as_ref().map(notation),
        stack: pause.stack,
        variables: pause.variables,
        watches: pause.watches,
    }
}

/// A thought of a player as clients are sent it: its text, or the action it weighed in the notation of the ruleset, and its number. `chosen` is
/// what the player chose, if it has chosen.
pub(super) fn thought_line(thought: &Remark, chosen: Option<&Action>, rules: &dyn Rules, view: &Arc<State>) -> ThoughtLine {
    ThoughtLine {
        text: match &thought.action {
            Some(action) => rules.notation(view, action),
            None => thought.text.to_string(),
        },
        number: thought.number,
        weighed: thought.action.is_some(),
        chosen: chosen.is_some() && thought.action.as_ref() == chosen,
    }
}
