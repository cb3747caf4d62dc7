//! The texts of declarations that people read.

use std::sync::Arc;

use super::Frame;

impl Frame {
    /// Calls `take` with every text that people read: titles, help, prompts, reasons, the results of contests. Names, by which scripts, files and messages know
    /// things, are not among them.
    pub fn each_text(&mut self, take: &mut dyn FnMut(&mut Arc<str>)) {
        let titles = (self.seats.iter_mut().map(|seat| &mut seat.title))
            .chain(self.kinds.iter_mut().map(|kind| &mut kind.title))
            .chain(self.terrains.iter_mut().map(|terrain| &mut terrain.title))
            .chain(self.zones.iter_mut().map(|zone| &mut zone.title))
            .chain(self.turns.iter_mut().map(|turn| &mut turn.title))
            .chain(self.phases.iter_mut().map(|phase| &mut phase.title))
            .chain(self.properties.iter_mut().map(|property| &mut property.title))
            .chain(self.endings.iter_mut().map(|ending| &mut ending.reason));
        titles.for_each(&mut *take);
        for action in &mut self.actions {
            take(&mut action.title);
            action.picks.iter_mut().for_each(|pick| take(&mut pick.prompt));
        }
        let parameters = self.contests.iter_mut().flat_map(|contest| {
            take(&mut contest.title);
            contest.results.iter_mut().for_each(&mut *take);
            &mut contest.parameters
        });
        let options: Vec<_> = parameters.collect();
        for option in options.into_iter().chain(&mut self.options) {
            take(&mut option.title);
            take(&mut option.help);
        }
    }
}
