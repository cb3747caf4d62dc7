//! Placement patterns: where pieces that have a shape may be placed.

use rhai::plugin::*;

use super::super::value::{Answer, wrong};
use boardwright_model::{Declarations, Scope, SeatId, ValueType, ZoneId};
use boardwright_rules::{Around, CellsOf, Each, Feature, Placement, PlayoutWeights};

/// A placement pattern as a script builds it: names are looked up when the match begins.
#[derive(Clone, Debug)]
pub struct PlacementPattern {
    zone: Option<String>,
    on: CellsOf,
    covering: Option<CellsOf>,
    dated: Option<String>,
    playout_weights: Vec<(CellsOf, u32)>,
    playout_factors: Vec<(usize, u32)>,
    features: Vec<Feature>,
    rule: String,
}

impl PlacementPattern {
    fn new(zone: Option<String>) -> Self {
        Self {
            zone,
            on: CellsOf::Empty,
            covering: None,
            dated: None,
            playout_weights: Vec::new(),
            playout_factors: Vec::new(),
            features: Vec::new(),
            rule: String::new(),
        }
    }

    /// The pattern with its names looked up.
    pub(crate) fn resolve(&self, declarations: &Declarations) -> Answer<Placement> {
        let dated = self.dated.as_ref().map(|name| {
            let property = declarations.find_property(Scope::Piece, name);
            let is_number = |declared: &boardwright_model::PropertyDeclaration| matches!(declared.value_type, ValueType::Integer { .. });
            property
                .filter(|id| declarations.property(*id).is_some_and(is_number))
                .ok_or_else(|| wrong(format!("pieces have no property {name:?} that is a whole number")))
        });
        Ok(Placement {
            rule: self.rule.as_str().into(),
            from: self.zones(declarations)?,
            on: self.on.clone(),
            covering: self.covering.clone(),
            dated: dated.transpose()?,
            playout_weights: self.playout_weights.clone(),
            playout_factors: self.playout_factors.clone(),
            features: self.features.clone(),
        })
    }

    /// The zone the pieces come from: a common one, that of the seat to act, or the one called as the turn is.
    fn zones(&self, declarations: &Declarations) -> Answer<Each<ZoneId>> {
        let common = |name: &str| {
            declarations
                .find_zone(name, None)
                .ok_or_else(|| wrong(format!("there is no zone {name:?}")))
        };
        let Some(name) = &self.zone else {
            if declarations.turns.is_empty() {
                return Err(wrong("there are no declared turns, so a turn has no name here"));
            }
            let zones: Answer<Vec<ZoneId>> = declarations.turns.iter().map(|turn| common(&turn.name)).collect();
            return Ok(Each::InTurn(zones?));
        };
        zones_of(declarations, name).ok_or_else(|| wrong(format!("there is no zone {name:?}")))
    }
}

/// A common zone, or that of each seat.
pub(super) fn zones_of(declarations: &Declarations, name: &str) -> Option<Each<ZoneId>> {
    let own = (0..declarations.seats.len()).map(|index| declarations.find_zone(name, Some(SeatId::from_index(index))));
    match own.collect::<Option<Vec<ZoneId>>>() {
        Some(zones) => Some(Each::OfSeat(zones)),
        None => declarations.find_zone(name, None).map(Each::Always),
    }
}

#[export_module]
pub(super) mod placements {
    use rhai::INT;

    use super::super::super::value::{Answer, whole_number};
    use super::super::handles::{PatternCells, PatternTurnName};
    use super::{PlacementPattern, PlayoutWeights};

    /// Places pieces that have a shape from a zone onto the board, in any pose: a common zone, or that of the seat to act where every seat
    /// has one. On empty cells, unless said otherwise.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve")] }
    /// ```
    pub fn place_from(zone: &str) -> PlacementPattern {
        PlacementPattern::new(Some(zone.to_owned()))
    }

    /// Places pieces from the common zone that is called as the turn is.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from(view.turn_name)] }
    /// ```
    #[rhai_fn(name = "place_from")]
    pub fn place_from_turn(_zone: PatternTurnName) -> PlacementPattern {
        PlacementPattern::new(None)
    }

    /// The cells that a piece may cover.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").on(view.empty - view.seat.cells.sides)] }
    /// ```
    pub fn on(mut pattern: PlacementPattern, cells: PatternCells) -> PlacementPattern {
        pattern.on = cells.cells;
        pattern
    }

    /// The cells of which a piece has to cover at least one.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").covering(view.region("centre"))] }
    /// ```
    pub fn covering(mut pattern: PlacementPattern, cells: PatternCells) -> PlacementPattern {
        pattern.covering = Some(cells.cells);
        pattern
    }

    /// A property of pieces, a whole number, in which the turn is noted when a piece is placed.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").dated("strength")] }
    /// ```
    pub fn dated(mut pattern: PlacementPattern, property: &str) -> PlacementPattern {
        pattern.dated = Some(property.to_owned());
        pattern
    }

    /// The playout weight of covering a cell of a set, 1 or more: playouts of Monte Carlo players sample placements in proportion to 1 and
    /// the weights of the cells they cover. Said again, for other cells.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").playout_weight(view.cells, 10).playout_weight(view.region("centre"), 3)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn playout_weight(mut pattern: PlacementPattern, cells: PatternCells, weight: INT) -> Answer<PlacementPattern> {
        let weight = whole_number("the weight of `playout_weight`", &weight.into(), 1..=PlayoutWeights::MOST)?;
        pattern.playout_weights.push((cells.cells, weight));
        Ok(pattern)
    }

    /// The factor, 1 or more, by which the playout weight of a piece of so many squares is multiplied: large pieces can be many times as likely.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").playout_weight_of_size(5, 20)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn playout_weight_of_size(mut pattern: PlacementPattern, squares: INT, factor: INT) -> Answer<PlacementPattern> {
        let size = size("playout_weight_of_size", squares)?;
        let factor = whole_number("the factor of `playout_weight_of_size`", &factor.into(), 1..=PlayoutWeights::MOST)?;
        pattern.playout_factors.push((size, factor));
        Ok(pattern)
    }

    /// What covering a cell of a set adds to the prior of a placement, in hundredths of log-odds: a placement with 100 more is e times as
    /// likely to be the best. Said again, for other cells; below 0 for what makes it less likely.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").prior(view.region("centre"), 30)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn prior(pattern: PlacementPattern, cells: PatternCells, points: INT) -> Answer<PlacementPattern> {
        let points = hundredths("prior", points)?;
        Ok(with_feature(pattern, Feature::Cells(Around::Covered, cells.cells, points)))
    }

    /// The same for each cell of a set beside what is placed.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").prior_beside(view.occupied, 40)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn prior_beside(pattern: PlacementPattern, cells: PatternCells, points: INT) -> Answer<PlacementPattern> {
        let points = hundredths("prior_beside", points)?;
        Ok(with_feature(pattern, Feature::Cells(Around::Sides, cells.cells, points)))
    }

    /// The same for each cell of a set at a corner of what is placed.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").prior_at_corners(view.empty, 30)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn prior_at_corners(pattern: PlacementPattern, cells: PatternCells, points: INT) -> Answer<PlacementPattern> {
        let points = hundredths("prior_at_corners", points)?;
        Ok(with_feature(pattern, Feature::Cells(Around::Corners, cells.cells, points)))
    }

    /// The same for a piece of so many squares.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").prior_of_size(5, 120)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn prior_of_size(pattern: PlacementPattern, squares: INT, points: INT) -> Answer<PlacementPattern> {
        let size = size("prior_of_size", squares)?;
        let points = hundredths("prior_of_size", points)?;
        Ok(with_feature(pattern, Feature::Size(size, points)))
    }

    fn size(word: &str, squares: INT) -> Answer<usize> {
        whole_number(format_args!("the number of squares of `{word}`"), &squares.into(), 1..=1_024)
    }

    fn hundredths(word: &str, points: INT) -> Answer<i32> {
        whole_number(format_args!("what `{word}` adds"), &points.into(), -2_000..=2_000)
    }

    fn with_feature(mut pattern: PlacementPattern, feature: Feature) -> PlacementPattern {
        pattern.features.push(feature);
        pattern
    }

    /// The number of the rule it stands in.
    ///
    /// ```rhai
    /// fn pattern_place(view) { [place_from("reserve").rule("2.1")] }
    /// ```
    pub fn rule(mut pattern: PlacementPattern, rule: &str) -> PlacementPattern {
        rule.clone_into(&mut pattern.rule);
        pattern
    }
}
