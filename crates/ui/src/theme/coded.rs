//! Messages in which words of files and scripts stand between backticks.

use egui::text::LayoutJob;
use egui::{Color32, FontId, TextFormat};

/// A message in which what stands between backticks is set like the text of a script, without them.
pub fn coded(message: &str, size: f32, colour: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    let words = TextFormat::simple(FontId::proportional(size), colour);
    if !message.matches('`').count().is_multiple_of(2) {
        job.append(message, 0.0, words);
        return job;
    }
    let code = TextFormat::simple(FontId::monospace(size * 0.93), colour);
    for (index, part) in message.split('`').enumerate() {
        let format = if index.is_multiple_of(2) { &words } else { &code };
        job.append(part, 0.0, format.clone());
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code_and_a_single_one_stays() {
        let job = coded("the parameter `claim` is given twice", 14.0, Color32::WHITE);
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
        assert_eq!(coded("a ` alone", 14.0, Color32::WHITE).text, "a ` alone");
    }
}
