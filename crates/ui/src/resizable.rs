//! Panels whose size the player changes.

use egui::{Frame, Panel, Ui};

use super::theme::name_handle;

/// Shows a panel whose size the player changes; `sizes` are the first, the least and the greatest, in points.
pub(super) fn resizable_ui<T>(
    ui: &mut Ui,
    side: fn(&'static str) -> Panel,
    name: &'static str,
    sizes: [f32; 3],
    frame: Frame,
    add: impl FnOnce(&mut Ui) -> T,
) -> T {
    let [first, least, most] = sizes;
    let panel = side(name).resizable(true).default_size(first).size_range(least..=most).frame(frame);
    let shown = panel.show(ui, add);
    name_handle(ui, name);
    shown.inner
}
