//! Which line of which file a position is in.
//!
//! Every file is compiled behind as many empty lines as the files before it have, so the line number of a position tells the file.

use std::sync::Arc;

use rhai::Position;

use super::locate::locate;
use boardwright_model::diagnostic::Location;

/// Lines with more bytes are not shown.
const LONGEST_LINE: usize = 400;

/// One file of a program.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// How the place of the file is written.
    pub(crate) name: String,
    /// The path inside the layer.
    pub(crate) path: String,
    /// The position of the layer from the bottom. `None` for the library.
    pub(crate) layer: Option<usize>,
    /// Empty lines before the first line of the file.
    pub(crate) before: usize,
    pub(crate) text: Arc<str>,
    /// Where each line begins.
    starts: Arc<[usize]>,
}

impl Source {
    /// A line of the file, counted from 1.
    pub(crate) fn line(&self, line: usize) -> Option<&str> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).copied().unwrap_or(self.text.len());
        self.text.get(start..end)?.lines().next().or(Some(""))
    }

    /// The text behind its empty lines.
    pub(crate) fn padded(&self, text: &str) -> String {
        let mut padded = "\n".repeat(self.before);
        padded.push_str(text);
        padded
    }
}

/// All files of a program, in the order of their lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineMap(Vec<Source>);

impl LineMap {
    /// Adds a file behind those that are there.
    pub(crate) fn add(&mut self, name: String, path: &str, layer: Option<usize>, text: &Arc<str>) {
        let before = self.0.last().map_or(0, |last| last.before + last.starts.len() + 1);
        self.0.push(Source {
            name,
            path: path.to_owned(),
            layer,
            before,
            text: text.clone(),
            starts: [0]
                .into_iter()
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .filter(|at| *at < text.len())
                .collect(),
        });
    }

    /// The place of a declared value, looked for from a place on: see [`locate`](super::locate::locate).
    pub(crate) fn locate(&self, from: &Location, way: &[String]) -> Option<Location> {
        let source = self.0.iter().find(|source| source.name == from.file)?;
        let start = *source.starts.get((from.line as usize).checked_sub(1)?)?;
        let found = locate(&source.text, start, way)?;
        let line = source.starts.partition_point(|start| *start <= found);
        let column = source.text.get(*source.starts.get(line.checked_sub(1)?)?..found)?.chars().count() + 1;
        let mut place = Location::at(source.name.clone(), line as u32, column as u32);
        self.show(&mut place);
        Some(place)
    }

    pub(crate) fn sources(&self) -> &[Source] {
        &self.0
    }

    /// The file that holds a line of the whole program, and the line in the file.
    pub(crate) fn find(&self, line: usize) -> Option<(&Source, usize)> {
        let after = self.0.partition_point(|source| source.before < line);
        let source = self.0.get(after.checked_sub(1)?)?;
        Some((source, line - source.before))
    }

    /// Puts the text of the line to a place that has none.
    pub(crate) fn show(&self, place: &mut Location) {
        let source = self.0.iter().find(|source| source.name == place.file);
        let text = source.and_then(|source| source.line(place.line as usize));
        place.source_line = text.filter(|text| text.len() <= LONGEST_LINE).map(str::to_owned);
    }

    /// A position as people know it, with the text of the line.
    pub(crate) fn place(&self, position: Position) -> Option<Location> {
        let mut place = self.spot(position)?;
        self.show(&mut place);
        Some(place)
    }

    /// A position as people know it, without the text of the line.
    pub(crate) fn spot(&self, position: Position) -> Option<Location> {
        let (source, line) = self.find(position.line()?)?;
        let column = position.position().unwrap_or(1) as u32;
        Some(Location::at(&source.name, line as u32, column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_program_leads_to_the_line_of_its_file() {
        let mut map = LineMap::default();
        for (name, text) in [("a", "1\n2"), ("b", ""), ("c", "x\ny\n")] {
            map.add(name.into(), name, Some(0), &Arc::from(text));
        }
        let at = |line| map.place(Position::new(line, 2)).map(|place| place.to_string());
        let found: Vec<_> = (1..=7).map(at).collect();
        let expected = ["a:1:2", "a:2:2", "a:3:2", "b:1:2", "c:1:2", "c:2:2", "c:3:2"];
        assert_eq!(found, expected.map(|place| Some(place.to_owned())));
        let line = map.place(Position::new(6, 1)).and_then(|place| place.source_line);
        assert_eq!(line.as_deref(), Some("y"));
        assert_eq!(map.place(Position::NONE), None);
    }
}
