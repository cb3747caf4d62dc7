//! The list of sentences that may be added to a trigger: searched, and grouped by what they are about.

use boardwright_triggers::{Choices, Form, Part, Sentence, Subject};
use boardwright_ui::text;
use boardwright_ui::theme::{Palette, remark_ui, space, strong};
use egui::{Id, Label, Popup, PopupCloseBehavior, Response, ScrollArea, Ui};

use super::slots::{forget_search, language, search_ui, sentence_text};

/// What sentences are about.
fn subject_title(subject: Subject) -> String {
    match subject {
        Subject::Time => text!("subject-time"),
        Subject::Action => text!("subject-action"),
        Subject::Piece => text!("subject-piece"),
        Subject::Value => text!("subject-value"),
        Subject::Board => text!("subject-board"),
        Subject::Message => text!("subject-message"),
        Subject::Match => text!("subject-match"),
    }
}

/// Shows the list below a button, and gives the sentence that was chosen. `when` is what the trigger begins with, if that is not chosen here.
pub(super) fn sentence_list_ui(button: &Response, salt: Id, choices: &Choices, part: Part, when: Option<&Form>) -> Option<Sentence> {
    let mut chosen = None;
    let popup = Popup::menu(button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = popup.show(|ui| {
        ui.set_width(380.0);
        chosen = list_ui(ui, salt, choices, part, when);
        if chosen.is_some() {
            ui.close();
        }
    });
    if shown.is_none() || chosen.is_some() {
        button.ctx.data_mut(|data| data.remove::<String>(salt.with("sought")));
    }
    chosen
}

fn list_ui(ui: &mut Ui, salt: Id, choices: &Choices, part: Part, when: Option<&Form>) -> Option<Sentence> {
    let search = search_ui(ui, salt.with("sought"));
    let sought = &search.text;
    let offered = choices.offered(part, when).into_iter();
    let mut found: Vec<(Sentence, String)> = offered
        .filter_map(|form| {
            let sentence = choices.first(form)?;
            let text = sentence_text(choices, &sentence);
            let subject = subject_title(form.subject);
            let haystack = format!("{text} {subject} {}", form.text_in(language())).to_lowercase();
            sought
                .split_whitespace()
                .all(|word| haystack.contains(word))
                .then_some((sentence, text))
        })
        .collect();
    // What begins with what is sought is meant sooner than what holds its words somewhere.
    found.sort_by_key(|(sentence, text)| {
        let form = sentence.form().text_in(language()).to_lowercase();
        !(form.starts_with(sought) || text.to_lowercase().starts_with(sought))
    });
    let mut chosen = None;
    let palette = Palette::of(ui.visuals());
    ScrollArea::vertical().id_salt(salt).max_height(340.0).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        for subject in Subject::ALL {
            let of_subject: Vec<_> = found.iter().filter(|(sentence, _)| sentence.form().subject == subject).collect();
            if of_subject.is_empty() {
                continue;
            }
            ui.add_space(space::XS);
            ui.add(Label::new(strong(subject_title(subject)).color(palette.muted)).selectable(false));
            for (sentence, text) in of_subject {
                if ui.selectable_label(false, text).clicked() {
                    chosen = Some(sentence.clone());
                }
            }
        }
        if found.is_empty() {
            remark_ui(ui, text!("field-none-found"));
        }
    });
    if search.is_entered && chosen.is_none() {
        chosen = found.first().map(|(sentence, _)| sentence.clone());
    }
    if chosen.is_some() {
        forget_search(ui, salt);
    }
    chosen
}
