//! The panels for those who want to know more, or try things out: a menu in the head of the match, and its keys.

use egui::{Popup, PopupCloseBehavior, Ui};

use super::MatchScreen;
use boardwright_model::State;
use crate::keys::{Act, key_of, self};
use crate::texts::text;
use crate::theme::{Icon, IconButton, MenuRow};
use crate::wish::Wish;

/// A panel that is opened by need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The odds of what is chosen.
    Odds,
    /// What strategies think.
    Insight,
    /// The line in which the match is changed by hand.
    Console,
    /// What players say to one another.
    Talk,
}

impl Tool {
    const ALL: [Self; 4] = [Self::Talk, Self::Odds, Self::Insight, Self::Console];

    fn act(self) -> Act {
        match self {
            Self::Odds => Act::Odds,
            Self::Insight => Act::Insight,
            Self::Console => Act::Console,
            Self::Talk => Act::Talk,
        }
    }

    fn icon(self) -> Icon {
        match self {
            Self::Odds => Icon::Dice,
            Self::Insight => Icon::Computer,
            Self::Console => Icon::Gear,
            Self::Talk => Icon::Talk,
        }
    }

    fn title(self) -> String {
        match self {
            Self::Odds => text!("odds-title"),
            Self::Insight => text!("insight-title"),
            Self::Console => text!("console-title"),
            Self::Talk => text!("talk-title"),
        }
    }
}

impl MatchScreen {
    /// The button in the head with the menu of the panels.
    pub(super) fn tools_menu_ui(&self, ui: &mut Ui, state: &State, wishes: &mut Vec<Wish>) {
        let is_any_open = Tool::ALL.into_iter().any(|tool| self.is_open(tool));
        let more = ui.add(IconButton::icon(Icon::More, text!("match-tools")).selected(is_any_open));
        Popup::menu(&more).close_behavior(PopupCloseBehavior::CloseOnClick).show(|ui| {
            for tool in Tool::ALL {
                let row = MenuRow::new(tool.icon(), tool.title())
                    .key(key_of(tool.act()))
                    .selected(self.is_open(tool));
                let why_not = self.why_not(tool, state);
                let shown = ui.add_enabled(why_not.is_none(), row);
                let shown = match why_not {
                    Some(reason) => shown.on_disabled_hover_text(reason),
                    None => shown,
                };
                if shown.clicked() {
                    wishes.push(Wish::Show(tool));
                }
            }
        });
    }

    /// The keys of the panels.
    pub(super) fn tool_keys(ui: &Ui, wishes: &mut Vec<Wish>) {
        for tool in [Tool::Odds, Tool::Insight, Tool::Talk] {
            if keys::pressed(ui, tool.act()) {
                wishes.push(Wish::Show(tool));
            }
        }
    }

    /// Opens or closes a panel, or tells why it has nothing to show.
    pub(super) fn show_tool(&mut self, tool: Tool, now: f64) {
        let why_not = self.desk.state().cloned().and_then(|state| self.why_not(tool, &state));
        match (why_not.filter(|_| !self.is_open(tool)), tool) {
            (Some(reason), _) => self.desk.toasts.note(reason, now),
            (None, Tool::Odds) => self.odds.toggle(),
            (None, Tool::Insight) => self.insight.toggle(),
            (None, Tool::Console) => self.console.toggle(),
            (None, Tool::Talk) => self.talk.toggle(self.desk.mirror()),
        }
    }

    fn is_open(&self, tool: Tool) -> bool {
        match tool {
            Tool::Odds => self.odds.is_open(),
            Tool::Insight => self.insight.is_open(),
            Tool::Console => self.console.is_open(),
            Tool::Talk => self.talk.is_shown(self.desk.mirror()),
        }
    }

    /// Why a panel has nothing to show in this match.
    fn why_not(&self, tool: Tool, state: &State) -> Option<String> {
        let strategies = self
            .desk
            .mirror()
            .description()
            .map_or(0, |description| description.strategies.len());
        match tool {
            Tool::Odds => state.frame().contests.is_empty().then(|| text!("odds-never")),
            Tool::Insight => (strategies == 0).then(|| text!("insight-none")),
            Tool::Console | Tool::Talk => None,
        }
    }
}
