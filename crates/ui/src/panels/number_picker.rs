//! The choice of a number: by buttons, slider, wheel and keys.

use egui::{Frame, Margin, Slider, Ui};

use crate::action_picker::Asked;
use crate::keys::{Act, key_of};
use crate::texts::text;
use crate::theme::{ButtonKind, Icon, IconButton, Palette, veil};
use boardwright_model::Domain;

/// How far the wheel turns for a step, in points.
const NOTCH: f32 = 40.0;

/// How wide the slider is at least and at most, and what stands beside it, in points.
const SLIDER: (f32, f32) = (48.0, 110.0);
const REST: f32 = 262.0;

#[derive(Clone, Debug, Default)]
pub(crate) struct NumberPicker {
    value: i64,
    of: Option<Asked>,
    wheel: f32,
}

impl NumberPicker {
    pub(crate) fn value(&self) -> i64 {
        self.value
    }

    /// Begins with the greatest number for each new question, and keeps within its bounds.
    pub(crate) fn settle(&mut self, step: &Asked) {
        let Domain::Numbers { min, max, step: by } = step.domain else {
            return;
        };
        if self.of.as_ref() != Some(step) {
            self.of = Some(step.clone());
            self.value = max;
        }
        self.value = min + (self.value.clamp(min, max) - min) / by.max(1) * by.max(1);
    }

    pub(crate) fn step(&mut self, step: &Asked, by_steps: i64) {
        if let Domain::Numbers { min, max, step: by } = step.domain {
            self.value = self.value.saturating_add(by_steps * by.max(1)).clamp(min, max);
            self.settle(step);
        }
    }

    /// Shows the choice; true if the number is taken. `take` is what the button that does it says.
    pub(crate) fn ui(&mut self, ui: &mut Ui, step: &Asked, take: impl FnOnce(i64) -> String) -> bool {
        let Domain::Numbers { min, max, step: by } = step.domain else {
            return false;
        };
        self.settle(step);
        // It stays in one piece with its button, in a row of its own where this one is too short.
        if ui.available_size_before_wrap().x < REST + SLIDER.0 {
            ui.end_row();
        }
        let slider = (ui.available_size_before_wrap().x - REST).clamp(SLIDER.0, SLIDER.1);
        let palette = Palette::of(ui.visuals());
        let shown = Frame::NONE
            .fill(veil(palette.raised, 0.6))
            .corner_radius(8)
            .inner_margin(Margin::symmetric(4, 0));
        let shown = shown.show(ui, |ui| {
            ui.horizontal(|ui| {
                let fewer = IconButton::icon(Icon::ZoomOut, text!("choice-fewer")).hint(key_of(Act::NumberDown));
                if ui.add_enabled(self.value > min, fewer.height(30.0)).clicked() {
                    self.step(step, -1);
                }
                ui.spacing_mut().slider_width = slider;
                let slider = Slider::new(&mut self.value, min..=max).step_by(by.max(1) as f64);
                ui.add(slider).accessible_name(text!("choice-number"));
                let more = IconButton::icon(Icon::ZoomIn, text!("choice-more")).hint(key_of(Act::NumberUp));
                if ui.add_enabled(self.value < max, more.height(30.0)).clicked() {
                    self.step(step, 1);
                }
            });
        });
        if ui.rect_contains_pointer(shown.response.rect) {
            self.wheel += ui.input(|input| input.smooth_scroll_delta().y);
            let notches = (self.wheel / NOTCH).trunc();
            self.wheel -= notches * NOTCH;
            if notches != 0.0 {
                self.step(step, notches as i64);
            }
        }
        let take = IconButton::with_text(Icon::Check, take(self.value));
        let take = take.kind(ButtonKind::Primary).hint(key_of(Act::Play)).height(30.0);
        ui.add(take).clicked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::ActionId;

    fn asked(min: i64, max: i64, step: i64) -> Asked {
        Asked {
            action: ActionId(0),
            prompt: "how many?".into(),
            domain: Domain::Numbers { min, max, step },
            place: 0,
            may_go_on: false,
            may_be_none: false,
            is_last: true,
            marks: Vec::new(),
        }
    }

    #[test]
    fn a_question_begins_with_the_greatest_number_and_steps_stay_within_its_bounds() {
        let mut number = NumberPicker::default();
        let first = asked(1, 8, 3);
        number.settle(&first);
        assert_eq!(number.value(), 7, "the greatest multiple of the step");
        number.step(&first, 1);
        assert_eq!(number.value(), 7);
        number.step(&first, -1);
        assert_eq!(number.value(), 4);
        number.settle(&first);
        assert_eq!(number.value(), 4, "what was chosen stays while the question is the same");
        number.step(&first, -9);
        assert_eq!(number.value(), 1);
        number.settle(&asked(2, 3, 1));
        assert_eq!(number.value(), 3);
    }
}
