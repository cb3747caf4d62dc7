//! Messages with code between backticks.

use egui::text::LayoutJob;
use egui::{Color32, FontId, TextFormat};

/// A message whose code spans are set in monospace, without their backticks.
pub fn with_code(message: &str, size: f32, colour: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let plain = TextFormat::simple(FontId::proportional(size), colour);
    if !message.matches('`').count().is_multiple_of(2) {
        job.append(message, 0.0, plain);
        return job;
    }
    let code = TextFormat::simple(FontId::monospace(size * 0.93), colour);
    for (index, part) in message.split('`').enumerate() {
        let format = if index.is_multiple_of(2) { &plain } else { &code };
        job.append(part, 0.0, format.clone());
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code_and_a_single_one_stays() {
        let job = with_code("the parameter `claim` is given twice", 14.0, Color32::WHITE);
        assert_eq!(job.text, "the parameter claim is given twice");
        let families: Vec<_> = job.sections.iter().map(|section| section.format.font_id.family.clone()).collect();
        assert_eq!(
            families,
            [
                egui::FontFamily::Proportional,
                egui::FontFamily::Monospace,
                egui::FontFamily::Proportional
            ]
        );
        assert_eq!(with_code("a ` alone", 14.0, Color32::WHITE).text, "a ` alone");
    }
}
