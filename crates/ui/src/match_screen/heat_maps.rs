//! The heat maps of the rules: which of them is drawn over the board, and what its colours mean.

use std::sync::Arc;

use egui::{Align2, Area, Id, Label, Rect, Ui, Vec2};

use crate::command::{UiCommand, button_ui};
use crate::keys::{Act, key_of};
use crate::match_controller::{HeatMapSource, MatchController};
use crate::panels::heat_scale_ui;
use crate::texts::text;
use crate::theme::{Icon, IconButton, MenuRow, Palette, card, from_right_ui, remark_ui, space, strong};
use boardwright_model::{Declarations, HeatMapDeclaration};

/// The width of what tells the colours, in points, and the height of its button.
const WIDTH: f32 = 210.0;
const BUTTON: f32 = 22.0;

/// The heat map that is shown, if one is.
#[derive(Debug, Default)]
pub(super) struct HeatMaps {
    shown: Option<Arc<str>>,
}

impl HeatMaps {
    /// The one that is shown, as long as the rules declare it.
    fn declared<'d>(&self, declarations: &'d Declarations) -> Option<&'d HeatMapDeclaration> {
        let index = declarations.find_heat_map(self.shown.as_ref()?)?;
        declarations.heat_maps.get(index)
    }

    pub(super) fn source(&self, declarations: &Declarations) -> Option<HeatMapSource> {
        Some(HeatMapSource::Rules(Arc::clone(&self.declared(declarations)?.name)))
    }

    pub(super) fn show(&mut self, name: Option<Arc<str>>) {
        self.shown = name;
    }

    /// The one after the one that is shown; none after the last.
    pub(super) fn next(&self, declarations: &Declarations) -> Option<Arc<str>> {
        let place = match self.declared(declarations) {
            None => 0,
            Some(shown) => declarations.find_heat_map(&shown.name)? + 1,
        };
        Some(Arc::clone(&declarations.heat_maps.get(place)?.name))
    }

    /// A row for each, which shows it or takes it away.
    pub(super) fn menu_ui(&self, ui: &mut Ui, declarations: &Declarations, commands: &mut Vec<UiCommand>) {
        let shown = self.declared(declarations).map(|map| &map.name);
        for map in &declarations.heat_maps {
            let is_shown = shown == Some(&map.name);
            let row = MenuRow::new(Icon::Layers, map.title.to_string())
                .key(key_of(Act::HeatMap))
                .selected(is_shown);
            let mut response = ui.add(row);
            if !map.help.is_empty() {
                response = response.on_hover_text(&*map.help);
            }
            if response.clicked() {
                commands.push(UiCommand::ShowHeatMap((!is_shown).then(|| Arc::clone(&map.name))));
            }
        }
    }

    /// What the colours on the board mean, in a corner of it.
    pub(super) fn legend_ui(
        &self,
        ui: &Ui,
        within: Rect,
        controller: &MatchController,
        declarations: &Declarations,
        commands: &mut Vec<UiCommand>,
    ) {
        let Some(map) = self.declared(declarations) else { return };
        let palette = Palette::of(ui.visuals());
        let area = Area::new(Id::unique("heat map")).pivot(Align2::LEFT_BOTTOM);
        let place = within.left_bottom() + Vec2::new(space::XS, -space::XS);
        area.fixed_pos(place).show(ui.ctx(), |ui| {
            card(palette.surface, palette.line, 8, (8, 5)).show(ui, |ui| {
                ui.set_width(WIDTH);
                ui.spacing_mut().item_spacing = Vec2::new(space::S, space::XS);
                ui.horizontal(|ui| {
                    from_right_ui(ui, |ui| {
                        let close = IconButton::icon(Icon::Close, text!("heat-map-close")).height(BUTTON);
                        button_ui(ui, close, UiCommand::ShowHeatMap(None), commands);
                        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                            ui.add(Label::new(strong(&*map.title)).truncate()).on_hover_text(&*map.help);
                        });
                    });
                });
                let insight = controller.insight();
                match &insight.failure {
                    Some(failure) => remark_ui(ui, failure.clone()),
                    None if insight.cell_values.is_empty() => remark_ui(ui, text!("heat-map-empty")),
                    None => {
                        ui.horizontal(|ui| heat_scale_ui(ui, &insight.cell_values));
                    }
                }
            });
        });
    }
}
