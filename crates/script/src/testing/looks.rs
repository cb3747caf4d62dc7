//! How things look: what the words of tests say about it.

use std::sync::Arc;

use rhai::{Array, Dynamic, INT, ImmutableString, Map};

use super::super::api::convert;
use super::super::value::Answer;
use super::context::{TestContext, fail};
use super::pieces;
use boardwright_model::{Arrow, CellId, Looks, PanelLine, PanelSection, PieceId};

fn text(text: Option<Arc<str>>) -> Dynamic {
    convert::or_unit(text.map(|text| ImmutableString::from(&*text)))
}

fn colour(colour: Option<u32>) -> Dynamic {
    convert::or_unit(colour.map(|colour| ImmutableString::from(format!("#{colour:06x}"))))
}

fn texts(list: Vec<Arc<str>>) -> Dynamic {
    Dynamic::from_array(list.into_iter().map(|item| text(Some(item))).collect())
}

fn map<const N: usize>(entries: [(&str, Dynamic); N]) -> Map {
    entries.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

impl TestContext {
    fn looks(&mut self) -> Answer<Looks> {
        let running = self.running()?;
        let state = running.state();
        let looks = boardwright_rules::looks(&*running.rules, state, state.acting().first());
        looks.map_err(|rejection| fail(rejection.to_string()))
    }

    /// How the first piece on a cell looks.
    pub(crate) fn look(&mut self, cell: &str) -> Answer<Map> {
        let state = self.state()?;
        let id = pieces::find_cell(&state, cell)?;
        let piece = state.piece_at(id).ok_or_else(|| fail(format!("there is no piece on {cell}")))?;
        self.look_of(piece.id)
    }

    /// How the edge between two cells looks.
    pub(crate) fn look_at_edge(&mut self, one: &str, other: &str) -> Answer<Map> {
        let state = self.state()?;
        let cells = (pieces::find_cell(&state, one)?, pieces::find_cell(&state, other)?);
        let edge = state.board().edge_between(cells.0, cells.1);
        let edge = edge.ok_or_else(|| fail(format!("{one} and {other} are no neighbours")))?;
        let look = self.looks()?.edges.remove(&edge).unwrap_or_default();
        Ok(map([
            ("fill", colour(look.fill)),
            ("width", convert::or_unit(look.width.map(INT::from))),
            ("dashed", Dynamic::from(look.dashed)),
        ]))
    }

    /// How a piece looks.
    pub(crate) fn look_of(&mut self, piece: PieceId) -> Answer<Map> {
        let look = self.looks()?.pieces.remove(&piece).unwrap_or_default();
        Ok(map([
            ("fill", colour(look.fill)),
            ("icon", text(look.icon)),
            ("glyph", text(look.glyph)),
            ("badge", text(look.badge)),
            ("facing", convert::or_unit(look.facing.map(INT::from))),
            ("outline", colour(look.outline)),
            ("overlays", texts(look.overlays)),
            ("vectors", self.arrows(&look.vectors)?),
        ]))
    }

    /// Arrows in the words in which rules give them.
    fn arrows(&mut self, arrows: &[Arrow]) -> Answer<Dynamic> {
        let state = self.state()?;
        let name = |cell: CellId| Some(Arc::from(state.board().cell_name(cell)));
        let arrow = |arrow: &Arrow| {
            Dynamic::from_map(map([
                ("to", text(name(arrow.to))),
                ("from", text(arrow.from.and_then(name))),
                ("fill", colour(arrow.fill)),
                ("label", text(arrow.label.clone())),
                ("faint", Dynamic::from(arrow.faint)),
                ("dashed", Dynamic::from(arrow.dashed)),
                ("headless", Dynamic::from(arrow.headless)),
            ]))
        };
        Ok(Dynamic::from_array(arrows.iter().map(arrow).collect()))
    }

    /// What stands beside the last pick of an action while it is picked.
    pub(crate) fn mark_of(&mut self, action: &str) -> Answer<Map> {
        let mark = self.mark(action)?;
        let is_faint = mark.as_ref().is_some_and(|mark| mark.faint);
        let (title, said) = mark.map_or((None, None), |mark| (mark.title, mark.text));
        Ok(map([
            ("title", text(title)),
            ("text", text(said)),
            ("faint", Dynamic::from(is_faint)),
        ]))
    }

    /// How a cell looks.
    pub(crate) fn look_at(&mut self, cell: &str) -> Answer<Map> {
        let id = pieces::find_cell(&self.state()?, cell)?;
        let look = self.looks()?.cells.remove(&id).unwrap_or_default();
        Ok(map([
            ("fill", colour(look.fill)),
            ("texture", text(look.texture)),
            ("icon", text(look.icon)),
            ("glyph", text(look.glyph)),
            ("label", text(look.label)),
            ("badge", text(look.badge)),
            ("facing", convert::or_unit(look.facing.map(INT::from))),
            ("outline", colour(look.outline)),
            ("overlays", texts(look.overlays)),
        ]))
    }

    /// How the ground looks that the board lies on.
    pub(crate) fn look_at_board(&mut self) -> Answer<Map> {
        let look = self.looks()?.board;
        let state = self.state()?;
        let names = look.marked.iter().map(|cell| Arc::from(state.board().cell_name(*cell)));
        Ok(map([
            ("fill", colour(look.fill)),
            ("texture", text(look.texture)),
            ("marked", texts(names.collect())),
            ("mark", colour(look.mark)),
        ]))
    }

    /// The numbers of a heat map by the names of the cells that have one.
    pub(crate) fn heat_map(&mut self, name: &str) -> Answer<Map> {
        let running = self.running()?;
        let state = running.state();
        let map = state.declarations().find_heat_map(name);
        let map = map.ok_or_else(|| fail(format!("there is no heat map {name:?}")))?;
        let values = boardwright_rules::heat_map(&*running.rules, state, state.acting().first(), map);
        let values = values.map_err(|rejection| fail(rejection.to_string()))?;
        let numbered = state.board().cells().zip(values);
        let entry = |(cell, number): (CellId, Option<i64>)| Some((state.board().cell_name(cell).into(), Dynamic::from(number?)));
        Ok(numbered.filter_map(entry).collect())
    }

    /// What the seat to act has left to do: the name of the cell, or an empty text, and the words.
    pub(crate) fn left_to_do(&mut self) -> Answer<Array> {
        let looks = self.looks()?;
        let state = self.state()?;
        let pair = |line: &PanelLine| {
            let cell = line.cell.map(|cell| Arc::from(state.board().cell_name(cell)));
            Dynamic::from_array(vec![
                text(Some(cell.unwrap_or_default())),
                text(Some(line.text(state.declarations()).into())),
            ])
        };
        Ok(looks.left_to_do.iter().map(pair).collect())
    }

    /// The lines beside the board.
    pub(crate) fn panel(&mut self) -> Answer<Array> {
        let looks = self.looks()?;
        // Those of the match: a scenario has its own order of seats.
        let declarations = Arc::clone(self.state()?.declarations());
        let text = |text: &str| Dynamic::from(ImmutableString::from(text));
        let pair = |line: &PanelLine| Dynamic::from_array(vec![text(&line.heading(&declarations)), text(&line.value)]);
        let heading = |section: &PanelSection| (!section.title.is_empty()).then(|| text(&section.title));
        let of_section = |section: &PanelSection| {
            heading(section)
                .into_iter()
                .chain(section.lines.iter().map(pair))
                .collect::<Array>()
        };
        Ok(looks.panel.iter().flat_map(of_section).collect())
    }
}
