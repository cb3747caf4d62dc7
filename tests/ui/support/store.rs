//! What the window keeps between two runs, as the frame around it keeps it: texts by keys, and the memory of its panels.

use std::collections::BTreeMap;

use boardwright::ui::App;
use eframe::Storage;
use egui::Context;

/// Where `eframe` keeps the memory of panels.
const MEMORY: &str = "egui";

#[derive(Clone, Debug, Default)]
pub struct Store(BTreeMap<String, String>);

impl Storage for Store {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }

    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }

    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }

    fn flush(&mut self) {}
}

impl Store {
    /// What is kept when the program ends.
    pub fn of(app: &mut App, context: &Context) -> Self {
        let mut store = Self::default();
        eframe::App::save(app, &mut store);
        context.memory(|memory| eframe::set_value(&mut store, MEMORY, memory));
        store
    }

    /// Gives a new window the memory of the old one.
    pub fn restore(&self, context: &Context) {
        if let Some(memory) = eframe::get_value(self, MEMORY) {
            context.memory_mut(|known| *known = memory);
        }
    }
}
