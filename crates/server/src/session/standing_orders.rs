//! Standing orders of people: what the rules go on with for them.

use super::Session;
use boardwright_model::{Action, SeatId, sentence};
use boardwright_rules::{MOST_STANDING_ACTIONS, standing_action};

/// Whether standing orders may call for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StandingOrders {
    /// Something has happened since they were asked about.
    Due,
    /// They called for nothing more, or could not be carried out.
    AtRest,
}

impl Session {
    /// Carries out what the standing orders of a person who is to act call for, one action after the other.
    pub(super) fn follow_standing_orders(&mut self) {
        if self.ends_when_left && !self.roster.has_clients() {
            return;
        }
        for _ in 0..MOST_STANDING_ACTIONS {
            let Some(action) = self.next_standing_action() else { return };
            if let Err(error) = self.perform(&action, self.game.position()) {
                self.standing_orders = StandingOrders::AtRest;
                let seat = self.game.state().declarations().seat_title(action.seat);
                return self.roster.notify_message(sentence!(
                    "the standing orders of {seat} cannot be carried out: {error}",
                    error = error.to_string()
                ));
            }
            self.autosave();
        }
        let most = MOST_STANDING_ACTIONS;
        self.standing_orders = StandingOrders::AtRest;
        self.roster.notify_message(sentence!(
            "standing orders called for {most} actions in a row: what is left of them waits"
        ));
    }

    /// What is to be carried out next, if nothing keeps it. Nobody is asked again before something has happened.
    fn next_standing_action(&mut self) -> Option<Action> {
        let is_busy = self.is_halted || self.roster.is_far_behind() || self.awaiting.is_some() || self.game.journal().later() > 0;
        if is_busy || self.standing_orders == StandingOrders::AtRest {
            return None;
        }
        let people: Vec<SeatId> = self
            .game
            .state()
            .acting()
            .iter()
            .filter(|seat| self.roster.is_human(*seat))
            .collect();
        for seat in people {
            let view = self.game.view_of(Some(seat));
            match standing_action(self.game.rules(), &view, seat) {
                Ok(None) => {}
                Ok(found) => return found,
                Err(_) => {
                    let faults = self.game.rules().take_faults();
                    self.problems.add_faults(faults, &mut self.roster);
                }
            }
        }
        self.standing_orders = StandingOrders::AtRest;
        None
    }
}
