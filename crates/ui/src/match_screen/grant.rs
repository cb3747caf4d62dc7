//! What panels and the board asked for is granted in one place.

use super::{MatchScreen, MatchWish};
use boardwright_client::MatchChoice;
use boardwright_protocol::Command;
use boardwright_model::Pose;
use crate::desk::Branch;
use crate::wish::{Turn, Wish};

impl MatchScreen {
    /// The same match from the beginning, with the players who sit there now.
    fn again(&self) -> Option<MatchChoice> {
        let names = self.desk.mirror().frame()?.seats.iter().map(|seat| seat.name.to_string());
        let players = names.zip(self.desk.mirror().players().iter().cloned()).collect();
        self.choice.clone().map(|choice| MatchChoice { players, ..choice })
    }

    /// Grants what the panels asked for.
    pub(super) fn grant(&mut self, wishes: Vec<Wish>, within: egui::Rect, now: f64) -> Option<MatchWish> {
        let mut leaving = None;
        for wish in wishes {
            match wish {
                wish if wish.chooses() => self.choose_or_keep(wish),
                Wish::StopAgain => self.desk.stop_again(),
                Wish::Send(command) => self.desk.send(command),
                Wish::SayByHand(text) => self.desk.say_by_hand(text),
                Wish::Clear => {
                    self.forget_kept();
                    self.desk.close_fan();
                    self.desk.choose(|picking| _ = picking.clear());
                }
                Wish::CloseFan => self.desk.close_fan(),
                Wish::Show(tool) => self.show_tool(tool, now),
                Wish::Hint => self.desk.ask_hint(),
                Wish::Save => self.desk.save(),
                Wish::Fit => self.board.camera_mut().fit(),
                Wish::Zoom(factor) => self.board.zoom(within, factor),
                Wish::ReloadSeen => self.desk.reload = None,
                Wish::ShowScripts => leaving = Some(MatchWish::ShowScripts),
                Wish::Edit(place) => leaving = Some(MatchWish::Edit(place)),
                Wish::ShowRule(number) => leaving = Some(MatchWish::ShowRule(number)),
                Wish::OutcomeSeen => self.outcome_seen = true,
                Wish::ShowOutcome => self.outcome_seen = false,
                Wish::Run(runs) => {
                    let (first, at, length) = (self.desk.first(), self.desk.mirror().at(), self.desk.mirror().length());
                    if let Some(position) = self.replay.run(runs, now, first, at, length) {
                        self.desk.send(Command::GoTo { position });
                    }
                }
                Wish::Compare(compares) => {
                    self.replay.compares = compares;
                    self.replay.shows_present = false;
                    self.desk.set_compared(compares);
                }
                Wish::LookBack => self.replay.is_open = true,
                Wish::ToPresent => {
                    self.replay.close();
                    self.desk.set_compared(false);
                    let position = self.desk.mirror().length();
                    if self.desk.mirror().at() < position {
                        self.desk.send(Command::GoTo { position });
                    }
                }
                Wish::GoOnFromHere => {
                    self.replay.run(false, now, 0, 0, 0);
                    self.desk.to_confirm = Some(Branch::GoOn);
                }
                Wish::ShowStatistics => self.shows_statistics = true,
                Wish::Confirm(true) => self.desk.confirm(),
                Wish::Confirm(false) => self.desk.to_confirm = None,
                Wish::Rematch => match self.again() {
                    Some(choice) => leaving = Some(MatchWish::Rematch(choice)),
                    None => self.desk.send(Command::GoTo {
                        position: self.desk.first(),
                    }),
                },
                Wish::Leave => leaving = Some(MatchWish::Leave),
                _ => {}
            }
        }
        leaving
    }

    /// Carries out a wish that chooses an action or plays it.
    pub(super) fn choose(&mut self, wish: Wish) {
        self.note_chosen(&wish);
        match wish {
            Wish::Click(cell, is_double) => _ = self.desk.click(cell, is_double),
            Wish::Lift(cell) => self.desk.lift(cell),
            Wish::DropOn(cell) => self.desk.drop_on(cell),
            Wish::Drag(from, to) => self.drag(from, to),
            Wish::Play(action) => self.desk.play(action),
            Wish::PlayChosen => _ = self.desk.play_chosen(),
            Wish::StepBack => self.desk.choose(|picking| _ = picking.step_back()),
            Wish::Want(action) => self.desk.choose(|picking| picking.want(action)),
            Wish::Pick(action, pick) => self.desk.choose(|picking| _ = picking.pick(action, pick)),
            Wish::PickAgain(action, pick) => self.desk.pick_again(action, pick),
            Wish::PickPiece(piece) => self.desk.click_piece(piece),
            Wish::PickOf(cell, piece) => self.desk.click_one_of(cell, piece),
            Wish::Turn(turn) => self.desk.change_pose(match turn {
                Turn::On => Pose::turned,
                Turn::Back => Pose::turned_back,
                Turn::Mirror => Pose::mirrored,
            }),
            Wish::GoOn(action) => self.desk.choose(|picking| _ = picking.go_to_next(action)),
            _ => {}
        }
    }
}
