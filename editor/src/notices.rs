//! What went wrong, or is good to know: above the board, until it is closed.

use std::path::Path;

use boardwright_ui::theme::{ButtonKind, Icon, IconButton};
use boardwright_ui::{problem_ui, text};
use egui::Ui;

use crate::banner::{banner_ui, banners_ui, message_ui};
use crate::editor::{Ask, Notice};
use crate::file::file_name;

/// How many are shown at once; the next one comes when one is closed.
const MOST_SHOWN: usize = 3;

/// Shows the notices, each once; a click closes one. What is about one file is shown above that file only.
pub(crate) fn notices_ui(ui: &mut Ui, notices: &mut Vec<Notice>, file: Option<&Path>, asks: &mut Vec<Ask>) {
    keep_first(notices);
    let belongs_here = |notice: &Notice| notice.file().is_none_or(|of| Some(of) == file);
    if !notices.iter().any(belongs_here) {
        return;
    }
    let mut closed = None;
    banners_ui(ui, "editor-notices", |ui| {
        let here = notices.iter().enumerate().filter(|(_, notice)| belongs_here(notice));
        for (index, notice) in here.take(MOST_SHOWN) {
            let buttons = |ui: &mut Ui| {
                let close = ui.add(IconButton::icon(Icon::Close, text!("problems-close")).height(26.0));
                if let Notice::Bundled(path) = notice {
                    let copy = IconButton::text(text!("edit-save-copy")).kind(ButtonKind::Primary).height(28.0);
                    if ui.add(copy).on_hover_text(text!("edit-save-copy-hint")).clicked() {
                        asks.push(Ask::SaveCopy(path.clone()));
                    }
                }
                close.clicked()
            };
            let message = |ui: &mut Ui| match notice {
                Notice::Problem(problem) => {
                    ui.vertical(|ui| problem_ui(ui, problem));
                }
                Notice::Bundled(path) => message_ui(ui, Icon::Note, text!("edit-bundled", file = file_name(path))),
                Notice::Note(note) | Notice::Outside(_, note) => message_ui(ui, Icon::Note, note),
            };
            if banner_ui(ui, message, buttons, |_| {}) {
                closed = Some(index);
            }
        }
    });
    if let Some(index) = closed {
        notices.remove(index);
    }
}

/// Takes out what is said already.
fn keep_first(notices: &mut Vec<Notice>) {
    let mut kept: Vec<Notice> = Vec::new();
    for notice in notices.drain(..) {
        if !kept.contains(&notice) {
            kept.push(notice);
        }
    }
    *notices = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_that_comes_twice_is_kept_once() {
        let (note, bundled) = (Notice::Note("a".to_owned()), Notice::Bundled("a.map.xml".into()));
        let mut notices = vec![note.clone(), bundled.clone(), note.clone(), bundled.clone()];
        keep_first(&mut notices);
        assert_eq!(notices, [note, bundled]);
    }
}
