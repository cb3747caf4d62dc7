//! Input that arrives in one frame, handed over press by press.
//!
//! While frames are long, several presses and releases arrive in one of them. A widget sees only where the pointer is at the end of a
//! frame, so that two quick clicks on two cards would be one click on the second. Here a frame ends with the first button or key that
//! goes down or up, and what came behind it waits for the next. A frame that works off such a backlog gets the time at which its input
//! arrived, so that a double click stays one.

use std::collections::VecDeque;

use egui::{Context, Event, Plugin, RawInput, Ui};

/// How long a button may be held for a click, in seconds. The press counts from the frame that it came in: were it a second, as usual, clicks
/// would be lost where frames take as long.
pub(crate) const LONGEST_CLICK: f64 = 20.0;
/// The same on a touch screen, where a touch that is held longer stands for the second button.
const LONGEST_TAP: f64 = 0.8;
/// With more events than this waiting, keys are no longer told apart: a held key must not lag behind.
const MOST_WAITING: usize = 64;

/// The plugin that hands the input over.
#[derive(Debug, Default)]
pub(crate) struct InputPacing {
    waiting: VecDeque<(Option<f64>, Event)>,
    /// The time of the newest frame: time does not run backwards.
    time: f64,
}

impl Plugin for InputPacing {
    fn debug_name(&self) -> &'static str {
        "input pacing"
    }

    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        if input.events.iter().any(|event| matches!(event, Event::Touch { .. })) {
            context.options_mut(|options| options.input_options.max_click_duration = LONGEST_TAP);
        }
        let time = input.time;
        self.waiting.extend(input.events.drain(..).map(|event| (time, event)));
        // What is written stays together, and the field that has the focus keeps it.
        let splits_keys = self.waiting.len() <= MOST_WAITING && !context.text_edit_focused();
        let count = length_of_frame(self.waiting.iter().map(|(_, event)| event), splits_keys);
        let arrived = self.waiting.front().and_then(|(time, _)| *time);
        input.events.extend(self.waiting.drain(..count).map(|(_, event)| event));
        if let Some(time) = arrived.or(time) {
            self.time = time.max(self.time);
            input.time = Some(self.time);
        }
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        if !self.waiting.is_empty() {
            ui.ctx().request_repaint();
        }
    }
}

/// How many of the events belong to one frame. The pointer is seen at its place before its button is released there.
fn length_of_frame<'a>(events: impl Iterator<Item = &'a Event>, splits_keys: bool) -> usize {
    let (mut has_moved, mut has_key, mut count) = (false, false, 0);
    for event in events {
        match event {
            // What a key writes belongs to it.
            Event::Text(_) | Event::Ime(_) => {}
            _ if has_key => return count,
            Event::PointerMoved(_) => has_moved = true,
            Event::PointerButton { pressed: false, .. } if has_moved => return count,
            Event::PointerButton { .. } => return count + 1,
            Event::Key {
                pressed: true,
                repeat: false,
                ..
            } => has_key = splits_keys,
            _ => {}
        }
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Key, Modifiers, PointerButton, Pos2, pos2};

    fn button(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }
    }

    fn key(key: Key) -> Event {
        Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }
    }

    /// The lengths of the frames that some events are handed over in.
    fn frames(events: &[Event], splits_keys: bool) -> Vec<usize> {
        let (mut lengths, mut rest) = (Vec::new(), events);
        while !rest.is_empty() {
            let length = length_of_frame(rest.iter(), splits_keys);
            lengths.push(length);
            rest = &rest[length..];
        }
        lengths
    }

    #[test]
    fn two_clicks_of_one_frame_are_handed_over_press_by_press() {
        let (a, b) = (pos2(1.0, 1.0), pos2(9.0, 9.0));
        let clicks = [
            Event::PointerMoved(a),
            button(a, true),
            button(a, false),
            Event::PointerMoved(b),
            button(b, true),
            button(b, false),
        ];
        assert_eq!(frames(&clicks, true), [2, 1, 2, 1]);
    }

    #[test]
    fn a_drag_is_seen_on_its_way_before_it_ends() {
        let (a, b) = (pos2(1.0, 1.0), pos2(9.0, 9.0));
        let drag = [
            Event::PointerMoved(a),
            button(a, true),
            Event::PointerMoved(pos2(4.0, 4.0)),
            Event::PointerMoved(b),
            button(b, false),
        ];
        assert_eq!(frames(&drag, true), [2, 2, 1]);
    }

    #[test]
    fn keys_are_handed_over_one_by_one_unless_something_is_written() {
        let keys = [
            key(Key::N),
            Event::Text("n".to_owned()),
            key(Key::Space),
            Event::Text(" ".to_owned()),
        ];
        assert_eq!(frames(&keys, true), [2, 2]);
        assert_eq!(frames(&keys, false), [4]);
    }

    #[test]
    fn a_backlog_keeps_the_time_at_which_it_arrived() {
        let (context, a) = (Context::default(), pos2(1.0, 1.0));
        let mut pacing = InputPacing::default();
        let mut times = Vec::new();
        for (time, events) in [
            (5.0, vec![button(a, true), button(a, false), button(a, true)]),
            (6.0, vec![]),
            (7.0, vec![]),
            (8.0, vec![]),
        ] {
            let mut input = RawInput {
                time: Some(time),
                events,
                ..RawInput::default()
            };
            pacing.input_hook(&context, &mut input);
            times.push((input.time.unwrap() as u32, input.events.len()));
        }
        assert_eq!(times, [(5, 1), (5, 1), (5, 1), (8, 0)]);
    }
}
