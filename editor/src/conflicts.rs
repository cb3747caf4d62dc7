//! Where another program changed the same as was drawn: both sides, and the choice between them.

use boardwright_editing::{Conflict, ConflictSubject};
use boardwright_model::Topology;
use boardwright_ui::text;
use boardwright_ui::theme::{ButtonKind, Icon, IconButton, from_right_ui};
use egui::{Label, RichText, ScrollArea, Ui};

use crate::banner::{banner_ui, banners_ui, message_ui};
use crate::editor::Ask;

/// The most room that the list takes, in points.
const MOST_HEIGHT: f32 = 150.0;

/// Which side of a conflict stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Mine,
    Theirs,
}

/// Shows the conflicts of a file until each is decided.
pub(crate) fn conflicts_ui(ui: &mut Ui, conflicts: &[Conflict], asks: &mut Vec<Ask>) {
    if conflicts.is_empty() {
        return;
    }
    banners_ui(ui, "editor-conflicts", |ui| {
        let title = RichText::new(text!("conflict-title", count = conflicts.len())).strong();
        let chosen = banner_ui(
            ui,
            |ui| message_ui(ui, Icon::Note, title),
            |ui| {
                let theirs = ui.add(IconButton::text(text!("conflict-all-theirs"))).clicked();
                let mine = ui.add(IconButton::text(text!("conflict-all-mine"))).clicked();
                [(theirs, Chosen::Theirs), (mine, Chosen::Mine)]
            },
            |ui| {
                ScrollArea::vertical()
                    .max_height(MOST_HEIGHT)
                    .auto_shrink([false, true])
                    .show(ui, |ui| {
                        for (index, conflict) in conflicts.iter().enumerate() {
                            ui.push_id(index, |ui| conflict_ui(ui, conflict, index, asks));
                        }
                    });
            },
        );
        asks.extend(
            chosen
                .into_iter()
                .filter(|(clicked, _)| *clicked)
                .map(|(_, side)| Ask::DecideAll(side)),
        );
    });
}

fn conflict_ui(ui: &mut Ui, conflict: &Conflict, index: usize, asks: &mut Vec<Ask>) {
    let side = |side: &str| {
        if side.is_empty() {
            text!("conflict-nothing")
        } else {
            side.to_owned()
        }
    };
    ui.horizontal(|ui| {
        from_right_ui(ui, |ui| {
            for (label, chosen) in [(text!("conflict-theirs"), Chosen::Theirs), (text!("conflict-mine"), Chosen::Mine)] {
                if ui.add(IconButton::text(label).kind(ButtonKind::Quiet).height(26.0)).clicked() {
                    asks.push(Ask::Decide(index, chosen));
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let text = text!(
                    "conflict-sides",
                    what = subject_text(&conflict.subject),
                    mine = side(&conflict.ours),
                    theirs = side(&conflict.theirs)
                );
                ui.add(Label::new(&text).truncate()).on_hover_text(text);
            });
        });
    });
}

/// What a conflict is about.
fn subject_text(subject: &ConflictSubject) -> String {
    match subject {
        ConflictSubject::Id => text!("conflict-id"),
        ConflictSubject::Title => text!("conflict-of-title"),
        ConflictSubject::Topology => text!("conflict-topology"),
        ConflictSubject::Cell((column, row)) => {
            let name = Topology::default_name(*column, *row).unwrap_or_else(|| format!("{column}, {row}"));
            text!("conflict-cell", name = name)
        }
        ConflictSubject::Point(name) => text!("conflict-point", name = name.as_str()),
        ConflictSubject::Line(name) => text!("conflict-line", name = name.as_str()),
        ConflictSubject::Region(name) => text!("conflict-region", name = name.as_str()),
        ConflictSubject::Edge(a, b) => text!("conflict-edge", a = a.as_str(), b = b.as_str()),
        ConflictSubject::Description => text!("conflict-description"),
        ConflictSubject::Ruleset => text!("conflict-ruleset"),
        ConflictSubject::Map => text!("conflict-map"),
        ConflictSubject::Overlay => text!("conflict-overlay"),
        ConflictSubject::Seats => text!("conflict-seats"),
        ConflictSubject::Player(seat) => text!("conflict-player", seat = seat.as_str()),
        ConflictSubject::Option(name) => text!("conflict-option", name = name.as_str()),
        ConflictSubject::Pieces => text!("conflict-pieces"),
        ConflictSubject::Property(name) => text!("conflict-property", name = name.as_str()),
    }
}
