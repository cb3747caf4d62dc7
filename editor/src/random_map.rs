//! A random map of a ruleset: its seed and options, and the map they give.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use boardwright_model::Map;
use boardwright_model::diagnostic::Diagnostics;
use boardwright_ui::text;
use boardwright_ui::theme::{Icon, IconButton, space};
use egui::{DragValue, Id, Ui};

use crate::ruleset::Ruleset;
use crate::values::{Changed, value_row_ui};

/// Seeds are short, so that people can tell them to one another.
const MOST_SEED: u64 = 999_999;

/// What is filled in for a random map.
#[derive(Debug)]
pub(crate) struct RandomMap {
    seed: u64,
    /// The options that are not as declared, as authors write them.
    options: BTreeMap<String, String>,
}

impl Default for RandomMap {
    fn default() -> Self {
        Self {
            seed: drawn_seed(),
            options: BTreeMap::new(),
        }
    }
}

/// A seed of the time.
fn drawn_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |since| since.as_micros() as u64 % (MOST_SEED + 1))
}

impl RandomMap {
    /// Shows the seed, and the options that the ruleset declares for random maps. Whether one was changed.
    pub(crate) fn ui(&mut self, ui: &mut Ui, ruleset: &Ruleset) -> bool {
        let mut has_changed = false;
        ui.horizontal(|ui| {
            let label = ui.label(text!("random-seed"));
            let seed = ui.add(DragValue::new(&mut self.seed).range(0..=MOST_SEED)).labelled_by(label.id);
            has_changed |= seed.changed();
            let other = IconButton::icon(Icon::Dice, text!("random-other-seed")).height(28.0);
            if ui.add(other).clicked() {
                self.seed = drawn_seed();
                has_changed = true;
            }
        });
        ui.add_space(space::XS);
        let declarations = &ruleset.declarations;
        for option in &declarations.map_options {
            let set = self.options.get(&*option.name).map(String::as_str);
            let salt = Id::unique("map option").with(&*option.name);
            let row = value_row_ui(ui, salt, &option.title, &option.value_type, &option.default, declarations, set);
            if let Some(Changed { new, .. }) = row {
                has_changed = true;
                match new {
                    Some(value) => drop(self.options.insert(option.name.to_string(), value)),
                    None => drop(self.options.remove(&*option.name)),
                }
            }
        }
        has_changed
    }

    /// The map, with an id and a title. The same seed and options give the same map.
    ///
    /// # Errors
    /// The ruleset generates none, or its hooks are at fault.
    pub(crate) fn map(&self, ruleset: &Ruleset, id: &str, title: &str) -> Result<Map, Diagnostics> {
        let options: Vec<_> = self.options.clone().into_iter().collect();
        let map = ruleset.generate_map(self.seed, &options)?;
        Ok(Map {
            id: id.to_owned(),
            title: title.to_owned(),
            ..map
        })
    }
}
