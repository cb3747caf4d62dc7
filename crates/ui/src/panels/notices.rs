//! The notice of reloaded rules, and the question before something that no slip should do.

use egui::{Area, Id, Order, Rect, Ui, pos2};

use super::button_ui;
use crate::command::{AppCommand, MatchCommand, UiCommand};
use crate::match_controller::ReloadNotice;
use crate::texts::text;
use crate::theme::{
    ButtonKind, Icon, IconButton, Palette, card, dialog_ui, from_right_ui, icon_ui, mix, remark, size, space, strong, title, veil,
};
use crate::tools_panel::ToolsTab;
use boardwright_model::rule_number;
use boardwright_protocol::HelpPage;

/// The most changes that are listed.
const MOST_CHANGES: usize = 6;

/// How wide the notice of reloaded rules is at most, in points.
const WIDTH: f32 = 560.0;

/// Tells what changed in the rules, over the upper end of the board. `pages` are those of the rule book.
pub(crate) fn reload_ui(ui: &Ui, within: Rect, notice: &ReloadNotice, pages: &[HelpPage], commands: &mut Vec<UiCommand>) {
    let width = (within.width() - 2.0 * space::M).clamp(120.0, WIDTH);
    let corner = pos2(within.center().x - width / 2.0, within.top() + space::S);
    let area = Area::new(Id::unique("match reload")).fixed_pos(corner).order(Order::Foreground);
    area.show(ui.ctx(), |ui| {
        ui.set_width(width);
        notice_ui(ui, notice, pages, commands);
    });
}

fn notice_ui(ui: &mut Ui, notice: &ReloadNotice, pages: &[HelpPage], commands: &mut Vec<UiCommand>) {
    let palette = Palette::of(ui.visuals());
    let good = palette.good;
    let frame = card(mix(palette.surface, good, 0.12), veil(good, 0.7), 10, (12, 8));
    frame.shadow(ui.visuals().popup_shadow).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            icon_ui(ui, Icon::Check, 18.0, good);
            ui.label(strong(text!("reload-in-force")));
            ui.label(remark(text!("reload-after", milliseconds = notice.milliseconds)));
            from_right_ui(ui, |ui| {
                let close = IconButton::icon(Icon::Close, text!("reload-close")).height(24.0);
                button_ui(ui, close, MatchCommand::DismissReload, commands);
                let show = IconButton::with_text(Icon::Script, text!("reload-show")).height(24.0);
                button_ui(ui, show.kind(ButtonKind::Quiet), AppCommand::ShowTools(ToolsTab::Scripts), commands);
            });
        });
        for change in notice.changes.iter().take(MOST_CHANGES) {
            let rule = change.split_whitespace().find_map(|word| rule_number(word.trim_matches(',')));
            let Some(rule) = rule else {
                ui.small(format!("•  {change}"));
                continue;
            };
            ui.horizontal(|ui| {
                let link = rule_title(pages, rule).map_or_else(|| change.clone(), |title| format!("{change}: {title}"));
                if ui.link(link).on_hover_text(text!("reload-open-rule")).clicked() {
                    commands.push(AppCommand::ShowRule(rule.to_owned()).into());
                }
            });
        }
        if notice.changes.len() > MOST_CHANGES {
            ui.label(remark(text!("reload-more", count = notice.changes.len() - MOST_CHANGES)));
        }
    });
}

/// The title of a rule, by its heading in the rule book.
fn rule_title<'a>(pages: &'a [HelpPage], number: &str) -> Option<&'a str> {
    let lines = pages.iter().flat_map(|page| page.text.lines());
    let mut headings = lines.filter_map(|line| line.strip_prefix('#')?.trim_start_matches('#').trim().split_once(' '));
    headings
        .find(|(of, _)| rule_number(of) == Some(number))
        .map(|(_, title)| title.trim())
}

/// Asks whether an action is to be played. Enter says no, as the button does that it begins at.
pub(crate) fn confirm_ui(ui: &Ui, seat: &str, action: &str, is_rated: bool, commands: &mut Vec<UiCommand>) {
    let answer = dialog_ui(ui, "confirm", |ui| {
        ui.set_width(360.0);
        ui.label(title(text!("confirm-title", action = action), size::TITLE));
        ui.label(if is_rated {
            text!("confirm-rated", seat = seat)
        } else {
            text!("confirm-line", seat = seat)
        });
        ui.add_space(space::S);
        ui.horizontal(|ui| {
            let play = ui.add(IconButton::text(action));
            // What cannot be taken back is not done by a hasty Enter.
            let cancel = ui.add(IconButton::text(text!("dialog-cancel")).kind(ButtonKind::Primary));
            if !play.has_focus() && !cancel.has_focus() {
                cancel.request_focus();
            }
            if play.clicked() || cancel.clicked() {
                commands.push(MatchCommand::Confirm(play.clicked()).into());
            }
        });
    });
    if answer.should_close() {
        commands.push(MatchCommand::Confirm(false).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_rule_is_its_heading() {
        let page = |text: &str| HelpPage {
            name: "3".to_owned(),
            title: "Capturing".to_owned(),
            text: text.to_owned(),
        };
        let pages = [page("# 3 Capturing\n\nText.\n\n## 3.1 The jump\n"), page("# 4. The end")];
        let titles = ["3", "3.1", "4", "5"].map(|number| rule_title(&pages, number));
        assert_eq!(titles, [Some("Capturing"), Some("The jump"), Some("The end"), None]);
    }
}
