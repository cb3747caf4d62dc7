//! Reading the shapes of kinds.

use std::sync::Arc;

use super::{Item, Reader};
use crate::model::{Figure, Shape};

impl Reader<'_> {
    /// The figure of a kind, drawn in rows.
    pub(super) fn figure(&mut self, item: &mut Item) -> Option<Arc<Figure>> {
        let is_given = item.entries.contains_key("shape");
        let rows = self.words(item, "shape");
        if !is_given {
            return None;
        }
        match Shape::parse(&rows) {
            Ok(shape) => Some(Arc::new(Figure::new(shape))),
            Err(fault) => {
                self.within("shape", |reader| reader.complain(fault.to_string()));
                None
            }
        }
    }
}
