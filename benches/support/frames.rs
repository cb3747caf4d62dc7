//! Frames of a window without a screen: everything egui does for one, and cutting the shapes into triangles, without the graphics card.

use std::hint::black_box;

use boardwright::ui::theme;
use egui::{Context, Event, Pos2, RawInput, Rect, Ui, Vec2, vec2};

/// The size of the window, in points.
pub(crate) const SCREEN: Vec2 = vec2(1600.0, 1000.0);

/// The frames of one window.
pub(crate) struct Frames {
    pub(crate) context: Context,
    count: f64,
}

impl Frames {
    pub(crate) fn new() -> Self {
        let context = Context::default();
        theme::install(&context);
        Self { context, count: 0.0 }
    }

    /// Draws one frame, a sixtieth of a second after the last one.
    pub(crate) fn frame(&mut self, events: Vec<Event>, mut draw: impl FnMut(&mut Ui)) {
        self.count += 1.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SCREEN)),
            time: Some(self.count / 60.0),
            events,
            ..RawInput::default()
        };
        let mut output = self.context.run_ui(input, |ui| draw(ui));
        output.textures_delta.clear();
        black_box(self.context.tessellate(output.shapes, output.pixels_per_point));
    }
}
