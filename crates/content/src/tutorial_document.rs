//! The tutorial of a ruleset, `tutorial.xml` in its folder: a scenario that is played step by step.

use super::xml::{Document, Fields, List, Source, Text};
use boardwright_model::diagnostic::{Code, Location};

/// The name of the file in the folder of a ruleset.
pub const TUTORIAL_FILE: &str = "tutorial.xml";

/// A tutorial as its author wrote it. Whether its actions can be played is found by playing it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TutorialDocument {
    /// The id of the scenario that is played.
    pub scenario: String,
    /// The name of the seat of the player who learns.
    pub seat: String,
    /// The steps, in order.
    pub steps: Vec<TutorialStep>,
    /// Where each step stands.
    pub places: Vec<Location>,
}

/// A step of a tutorial: what is said, what is done before, what the player is to do, and what the others answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TutorialStep {
    /// What the player reads.
    pub text: String,
    /// The names of the cells that are pointed out.
    pub show: Vec<String>,
    /// Edit commands that are carried out before, such as `dice 6, 6, 1`.
    pub edits: Vec<String>,
    /// The action that the player is to play, as text; without it the step is only read.
    pub play: Option<String>,
    /// Whether the player may play any action.
    pub is_free: bool,
    /// The actions of the seats that act after that, as text, in order.
    pub answers: Vec<String>,
}

impl Document for TutorialDocument {
    const NAME: &'static str = "tutorial";

    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("scenario", &Text::Id, &mut self.scenario);
        fields.required("seat", &Text::Name, &mut self.seat);
        let source: Source = fields.source();
        let mut is_over = false;
        let spots = fields.list("step", &mut self.steps, |fields, step| {
            fields.default("show", &List::Filled, &mut step.show);
            let free = fields.spot_of("free");
            fields.default("free", &super::xml::FLAG, &mut step.is_free);
            fields.text_child("text", &mut step.text);
            fields.text_list("edit", &mut step.edits);
            fields.optional_child("play", &mut step.play, |fields, text| {
                fields.text(text);
            });
            fields.text_list("answer", &mut step.answers);
            if !fields.is_whole() {
                return;
            }
            let acts = step.play.is_some() || step.is_free || !step.edits.is_empty() || !step.answers.is_empty();
            if step.is_free && (step.play.is_some() || !step.answers.is_empty()) {
                let message = "where the player may do anything, nothing is to be played or answered";
                fields.error(free, Code::BadValue, message);
            }
            if is_over && acts {
                let message = "the player did anything in a step before, so nobody knows where the match stands: only texts may follow";
                fields.error(fields.spot(), Code::BadValue, message);
            }
            is_over |= step.is_free;
        });
        self.places = spots.into_iter().map(|spot| source.place(spot)).collect();
        if fields.element().is_some() && fields.is_whole() && self.steps.is_empty() {
            fields.error(fields.spot(), Code::MissingValue, "a tutorial needs a `<step>`");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<tutorial format=\"1\" scenario=\"standard\" seat=\"red\">\n\
        <step show=\"a1 b2\"><text>Red begins.</text><edit>dice 6, 1</edit><play>a1-b2</play><answer>c1-c2</answer></step>\n\
        <step free=\"yes\"><text>Go on as you like.</text></step>\n\
        </tutorial>";

    fn messages(text: &str) -> String {
        TutorialDocument::read(&Source::new("t", text)).unwrap_err().to_string()
    }

    #[test]
    fn a_tutorial_is_read_and_printed() {
        let read = TutorialDocument::read(&Source::new("t", TEXT)).unwrap();
        let [first, last] = &read.steps[..] else { panic!() };
        assert_eq!((first.show.len(), first.play.as_deref(), last.is_free), (2, Some("a1-b2"), true));
        assert_eq!(read.places[1].line, 3);
        let again = TutorialDocument::read(&Source::new("t", &read.print())).unwrap();
        assert_eq!(again.steps, read.steps);
    }

    #[test]
    fn what_cannot_be_led_is_told_where_it_stands() {
        let late = TEXT.replace("</tutorial>", "<step><text>x</text><play>a1-a2</play></step></tutorial>");
        assert!(messages(&late).contains("t:4:1: error[bad-value]"), "{}", messages(&late));
        let both = TEXT.replace("like.</text>", "like.</text><play>a1-a2</play>");
        assert!(messages(&both).contains("t:3:"), "{}", messages(&both));
        assert!(messages("<tutorial format='1' scenario='a' seat='b'/>").contains("needs a `<step>`"));
    }
}
