//! Words for move patterns, and for the domains and ends of matches that hooks give back.

use std::fmt;
use std::sync::Arc;

use rhai::INT;
use rhai::plugin::*;

use super::super::value::{Answer, wrong};
use super::convert::{cure_of_name, list_of};
use boardwright_model::{Board, Declarations, DirectionId, KindId, RegionId, Scope, SeatId, ValueType};
use boardwright_rules::{Advance, CellsOf, Enclosure, Gait, IntoCell, Motion, Track, Whose};

/// A name as a script wrote it, to be looked up when the match begins.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    text: String,
    /// Where the motion was given it.
    position: Position,
}

impl Word {
    pub(super) fn new(text: &str, context: &NativeCallContext<'_>) -> Self {
        Self {
            text: text.to_owned(),
            position: context.call_position(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// What the name stands for, among what there is.
    pub(super) fn look_up<'a, T>(&'a self, what: &'static str, found: Option<T>, known: Vec<&'a str>) -> Result<T, Unknown<'a>> {
        found.ok_or(Unknown {
            what,
            word: &self.text,
            known,
            position: self.position,
        })
    }
}

fn direction<'a>(word: &'a Word, board: &'a Board) -> Result<DirectionId, Unknown<'a>> {
    let known = board.directions().map(|known| board.direction_name(known));
    word.look_up("direction", board.find_direction(&word.text), known.collect())
}

pub(super) fn kind<'a>(word: &'a Word, declarations: &'a Declarations) -> Result<KindId, Unknown<'a>> {
    let known = declarations.kinds.iter().map(|kind| &*kind.name);
    word.look_up("kind", declarations.find_kind(&word.text), known.collect())
}

/// The seats of some names; without those that do not take part in the match.
pub(super) fn seats<'a>(words: &'a [Word], declarations: &'a Declarations) -> Result<Vec<SeatId>, Unknown<'a>> {
    let mut found = Vec::new();
    for word in words
        .iter()
        .filter(|word| declarations.absent_seats.iter().all(|absent| **absent != *word.text))
    {
        let known = declarations.seats.iter().map(|seat| &*seat.name);
        found.push(word.look_up("seat", declarations.find_seat(&word.text), known.collect())?);
    }
    Ok(found)
}

/// A list of names that a word was given.
fn words(list: &rhai::Dynamic, context: &NativeCallContext<'_>) -> Option<Vec<Word>> {
    list_of(list, |item| Some(Word::new(&item.as_immutable_string_ref().ok()?, context)))
}

/// A name that stands for nothing on the board or in the declarations.
#[derive(Debug)]
pub(crate) struct Unknown<'a> {
    what: &'static str,
    pub(crate) word: &'a str,
    known: Vec<&'a str>,
    pub(crate) position: Position,
}

impl fmt::Display for Unknown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} `{}`", self.what, self.word)?;
        match cure_of_name(self.word, &self.known) {
            Some(cure) => write!(f, "; {cure}"),
            None => f.write_str(": there are none"),
        }
    }
}

/// A motion as a script builds it: names are looked up when the match begins.
#[derive(Clone, Debug, Default)]
pub struct MotionPattern {
    pub(crate) motion: Motion,
    region: Option<Word>,
    directions: Vec<Word>,
    kinds: Vec<Word>,
    seats: Vec<Word>,
    enclosures: Vec<EnclosurePattern>,
    promotions: Vec<(Word, CellsOf)>,
    track: Option<TrackWords>,
}

/// A track as a script names it.
#[derive(Clone, Debug)]
struct TrackWords {
    cells: Vec<Word>,
    by: AdvanceWords,
    is_closed: bool,
}

#[derive(Clone, Debug)]
enum AdvanceWords {
    Number(INT),
    Property(Word),
}

impl TrackWords {
    fn resolve<'a>(&'a self, board: &'a Board, declarations: &'a Declarations) -> Result<Track, Unknown<'a>> {
        let by = match &self.by {
            AdvanceWords::Number(number) => Advance::Number(*number),
            AdvanceWords::Property(word) => {
                let of_match = declarations.properties_of(Scope::Match);
                let numbers = of_match.filter(|(_, declared)| matches!(declared.value_type, ValueType::Integer { .. }));
                let known: Vec<_> = numbers.map(|(id, declared)| (id, &*declared.name)).collect();
                let found = known.iter().find(|(_, name)| *name == word.text).map(|(id, _)| *id);
                let names = known.into_iter().map(|(_, name)| name).collect();
                Advance::Property(word.look_up("match property that counts", found, names)?)
            }
        };
        let cell = |word: &'a Word| {
            let known = || board.cells().map(|known| board.cell_name(known)).collect();
            let found = board.find_cell(&word.text);
            found.map_or_else(|| word.look_up("cell", None, known()), Ok)
        };
        let cells = self.cells.iter().map(cell).collect::<Result<_, _>>()?;
        let track = Track::new(cells, by);
        Ok(if self.is_closed { track.closed() } else { track })
    }
}

/// An enclosure as a script builds it.
#[derive(Clone, Debug, Default)]
pub struct EnclosurePattern {
    enclosure: Enclosure,
    kinds: Vec<Word>,
    with: Vec<Word>,
    directions: Vec<Word>,
}

impl EnclosurePattern {
    pub(super) fn resolve<'a>(&'a self, board: &'a Board, declarations: &'a Declarations) -> Result<Enclosure, Unknown<'a>> {
        let kinds = |words: &'a [Word]| words.iter().map(|word| kind(word, declarations)).collect::<Result<_, _>>();
        Ok(Enclosure {
            kinds: kinds(&self.kinds)?,
            with: kinds(&self.with)?,
            directions: self
                .directions
                .iter()
                .map(|word| direction(word, board))
                .collect::<Result<_, _>>()?,
            ..self.enclosure.clone()
        })
    }
}

impl MotionPattern {
    fn of(gait: Gait) -> Self {
        Self {
            motion: Motion { gait, ..Motion::default() },
            ..Self::default()
        }
    }

    /// The motion with its names looked up. `None` if it is one of seats that do not take part.
    pub(crate) fn resolve<'a>(&'a self, board: &'a Board, declarations: &'a Declarations) -> Result<Option<Motion>, Unknown<'a>> {
        let mut motion = self.motion.clone();
        motion.seats = seats(&self.seats, declarations)?;
        if motion.seats.is_empty() && !self.seats.is_empty() {
            return Ok(None);
        }
        if let Some(region) = &self.region {
            let known = (0..board.region_count()).map(|index| board.region_name(RegionId::from_index(index)));
            motion.starts_in = Some(region.look_up("region", board.find_region(&region.text), known.collect())?);
        }
        for word in &self.directions {
            motion.directions.push(direction(word, board)?);
        }
        if let Some(track) = &self.track {
            motion.track = Some(Arc::new(track.resolve(board, declarations)?));
        }
        for word in &self.kinds {
            motion.kinds.push(kind(word, declarations)?);
        }
        for enclosure in &self.enclosures {
            motion.enclosures.push(enclosure.resolve(board, declarations)?);
        }
        for (word, cells) in &self.promotions {
            motion.promotions.push((kind(word, declarations)?, cells.clone()));
        }
        Ok(Some(motion))
    }
}

fn whose(word: &str) -> Answer<Whose> {
    match word {
        "enemy" => Ok(Whose::Enemy),
        "own" => Ok(Whose::Own),
        "any" => Ok(Whose::Any),
        _ => Err(wrong(format!("{word:?} is none of enemy, own, any"))),
    }
}

#[export_module]
pub(super) mod motions {
    use rhai::INT;

    use super::super::super::value::{Answer, wrong, wrong_with};
    use super::super::handles::PatternCells;
    use super::{AdvanceWords, EnclosurePattern, Gait, IntoCell, MotionPattern, NativeCallContext, TrackWords, Word, whose, words};

    /// A motion to a neighbouring cell.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step()] }
    /// ```
    pub fn step() -> MotionPattern {
        MotionPattern::of(Gait::Step)
    }

    /// A motion over a neighbouring piece (`"enemy"`, `"own"` or `"any"`) to the empty cell straight behind it.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [hop_over("enemy").capturing()] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn hop_over(over: &str) -> Answer<MotionPattern> {
        let mut words = MotionPattern::of(Gait::Hop);
        words.motion.over = whose(over)?;
        Ok(words)
    }

    /// A motion along a direction over any number of empty cells.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [slide().onto("empty or enemy")] }
    /// ```
    pub fn slide() -> MotionPattern {
        MotionPattern::of(Gait::Slide)
    }

    /// A motion along a track, from a cell of it to the one so many cells further, whatever stands between. The track is a list of names of cells,
    /// each of them once. The number, negative to go back, is always the same, or what a match property counts, as one that a die was thrown for; where it
    /// is 0 or leads past an end of the track, the piece does not move.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [advance_along(["a1", "b1", "c1", "c2", "c3"], 2).onto("empty or enemy")] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn advance_along(context: NativeCallContext<'_>, track: rhai::Dynamic, by: rhai::Dynamic) -> Answer<MotionPattern> {
        let cells = words(&track, &context).ok_or_else(|| wrong("advance_along takes a list of names of cells as its track"))?;
        if cells.is_empty() {
            return Err(wrong("the track has no cells"));
        }
        let mut known = std::collections::HashSet::new();
        if let Some(twice) = cells.iter().find(|cell| !known.insert(cell.text())) {
            return Err(wrong(format!("the track comes to {:?} twice", twice.text())));
        }
        let by = match by.as_int() {
            Ok(0) => return Err(wrong("a piece that advances by 0 cells never moves")),
            Ok(number) => AdvanceWords::Number(number),
            Err(_) => match by.as_immutable_string_ref() {
                Ok(property) => AdvanceWords::Property(Word::new(&property, &context)),
                Err(_) => return Err(wrong("advance_along takes a number or the name of a match property")),
            },
        };
        let mut motion = MotionPattern::of(Gait::Advance);
        let is_closed = false;
        motion.track = Some(TrackWords { cells, by, is_closed });
        Ok(motion)
    }

    /// The track is closed: its first cell follows the last, and pieces go around it again and again.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [advance_along(["a1", "d1", "d4", "a4"], 3).around()] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn around(mut motion: MotionPattern) -> Answer<MotionPattern> {
        let track = motion.track.as_mut().ok_or_else(|| wrong("around belongs to advance_along"))?;
        track.is_closed = true;
        Ok(motion)
    }

    /// What is hopped over is captured and leaves the board at once.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [hop_over("enemy").capturing().repeated()] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn capturing(mut motion: MotionPattern) -> Answer<MotionPattern> {
        if motion.motion.gait != Gait::Hop {
            let cure = "what stands where a piece comes to is captured with `.onto(\"empty or enemy\")`, what it encloses with `.capturing(enclosed())`";
            return Err(wrong_with(
                "capturing belongs to hop_over: nothing else is hopped over",
                Some(cure.to_owned()),
            ));
        }
        motion.motion.captures = true;
        Ok(motion)
    }

    /// Enemies next to each cell the piece comes to are captured if they are enclosed as said. Said again, for other kinds.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed())] }
    /// ```
    #[rhai_fn(name = "capturing")]
    pub fn capturing_enclosed(mut motion: MotionPattern, enclosed: EnclosurePattern) -> MotionPattern {
        motion.enclosures.push(enclosed);
        motion
    }

    /// Custodial capture: an enemy between the piece that moved and another of its side, in a line.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed())] }
    /// ```
    pub fn enclosed() -> EnclosurePattern {
        EnclosurePattern::default()
    }

    /// Only pieces of a kind are captured so. Said again, for several kinds.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed().of("mark"))] }
    /// ```
    pub fn of(context: NativeCallContext<'_>, mut enclosed: EnclosurePattern, kind: &str) -> EnclosurePattern {
        enclosed.kinds.push(Word::new(kind, &context));
        enclosed
    }

    /// Only pieces on these cells are captured so.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed().on(view.cells - view.region("centre")))] }
    /// ```
    pub fn on(mut enclosed: EnclosurePattern, cells: PatternCells) -> EnclosurePattern {
        enclosed.enclosure.on = Some(cells.cells);
        enclosed
    }

    /// Only pieces of a kind help the piece that moved. Said again, for several kinds.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed().helped_by("mark"))] }
    /// ```
    pub fn helped_by(context: NativeCallContext<'_>, mut enclosed: EnclosurePattern, kind: &str) -> EnclosurePattern {
        enclosed.with.push(Word::new(kind, &context));
        enclosed
    }

    /// Hostile cells: as long as they are empty they help the piece that moved as another piece of its side would.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed().against(view.region("centre")))] }
    /// ```
    pub fn against(mut enclosed: EnclosurePattern, cells: PatternCells) -> EnclosurePattern {
        enclosed.enclosure.against = Some(cells.cells);
        enclosed
    }

    /// Pieces are enclosed only along the named directions of the map.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed().along(["n", "e", "s", "w"]))] }
    /// ```
    #[rhai_fn(name = "along", return_raw)]
    pub fn enclosed_along(
        context: NativeCallContext<'_>,
        mut enclosed: EnclosurePattern,
        directions: rhai::Dynamic,
    ) -> Answer<EnclosurePattern> {
        let directions = words(&directions, &context).ok_or_else(|| wrong("along takes a list of directions"))?;
        enclosed.directions.extend(directions);
        Ok(enclosed)
    }

    /// Not a single enemy, but any number of them in a row, between the piece that moved and the next one that helps it.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed().in_rows())] }
    /// ```
    pub fn in_rows(mut enclosed: EnclosurePattern) -> EnclosurePattern {
        enclosed.enclosure.in_rows = true;
        enclosed
    }

    /// What is captured changes sides, and stays where it is.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [step().capturing(enclosed().turning())] }
    /// ```
    pub fn turning(mut enclosed: EnclosurePattern) -> EnclosurePattern {
        enclosed.enclosure.turns = true;
        enclosed
    }

    /// A piece has to be enclosed on all its sides, not only in the line of the piece that moved. At the edge of the board none is.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().capturing(enclosed().on_all_sides())] }
    /// ```
    pub fn on_all_sides(mut enclosed: EnclosurePattern) -> EnclosurePattern {
        enclosed.enclosure.on_all_sides = true;
        enclosed
    }

    /// Only for pieces of a seat. Said again, for several seats.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [step().along(["s"]).owned_by("red"), step().along(["n"]).owned_by("blue")] }
    /// ```
    pub fn owned_by(context: NativeCallContext<'_>, mut motion: MotionPattern, seat: &str) -> MotionPattern {
        motion.seats.push(Word::new(seat, &context));
        motion
    }

    /// The piece does not leave these cells on its way: it neither stops nor passes elsewhere.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().within(view.cells - view.region("centre"))] }
    /// ```
    pub fn within(mut motion: MotionPattern, cells: PatternCells) -> MotionPattern {
        motion.motion.within = Some(cells.cells);
        motion
    }

    /// The piece may end only on these cells; it may pass over others.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [slide().ending_on(view.cells - view.region("centre"))] }
    /// ```
    pub fn ending_on(mut motion: MotionPattern, cells: PatternCells) -> MotionPattern {
        motion.motion.ends_on = Some(cells.cells);
        motion
    }

    /// A piece that ends on one of these cells is replaced by one of another kind, whose properties are as they begin.
    ///
    /// ```rhai
    /// fn pattern_move(view) { [step().promoting("mark", view.region("centre"))] }
    /// ```
    pub fn promoting(context: NativeCallContext<'_>, mut motion: MotionPattern, kind: &str, cells: PatternCells) -> MotionPattern {
        motion.promotions.push((Word::new(kind, &context), cells.cells));
        motion
    }

    /// What may be on the cell the piece comes to: `"empty"`, `"enemy"` (captured) or `"empty or enemy"`.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step().onto("empty or enemy")] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn onto(mut motion: MotionPattern, what: &str) -> Answer<MotionPattern> {
        motion.motion.into = match what {
            "empty" => IntoCell::Empty,
            "enemy" => IntoCell::Enemy,
            "empty or enemy" => IntoCell::EmptyOrEnemy,
            _ => return Err(wrong(format!("{what:?} is none of empty, enemy, empty or enemy"))),
        };
        Ok(motion)
    }

    /// Only along the named directions of the map.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step().along(["n", "e", "s", "w"])] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn along(context: NativeCallContext<'_>, mut motion: MotionPattern, directions: rhai::Dynamic) -> Answer<MotionPattern> {
        let directions = words(&directions, &context).ok_or_else(|| wrong("along takes a list of directions"))?;
        if motion.track.is_some() {
            return Err(wrong("a motion along a track has no directions"));
        }
        motion.directions.extend(directions);
        Ok(motion)
    }

    /// Only for pieces that start in a region of the map.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step().starting_in("centre")] }
    /// ```
    pub fn starting_in(context: NativeCallContext<'_>, mut motion: MotionPattern, region: &str) -> MotionPattern {
        motion.region = Some(Word::new(region, &context));
        motion
    }

    /// Only for pieces of a kind. Said again, for several kinds.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [slide().by("mark")] }
    /// ```
    pub fn by(context: NativeCallContext<'_>, mut motion: MotionPattern, kind: &str) -> MotionPattern {
        motion.kinds.push(Word::new(kind, &context));
        motion
    }

    /// Made exactly so many times in one action.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step(), step().times(2)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn times(mut motion: MotionPattern, times: INT) -> Answer<MotionPattern> {
        let times = u8::try_from(times).ok().filter(|times| *times > 0);
        let times = times.ok_or_else(|| wrong("times takes a number from 1 to 255"))?;
        (motion.motion.at_least, motion.motion.at_most) = (times, times);
        Ok(motion)
    }

    /// Made once or more in one action; the player may stop after any.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [hop_over("own").repeated()] }
    /// ```
    pub fn repeated(mut motion: MotionPattern) -> MotionPattern {
        (motion.motion.at_least, motion.motion.at_most) = (1, u8::MAX);
        motion
    }

    /// It may not end where it began.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step().times(2).not_back()] }
    /// ```
    pub fn not_back(mut motion: MotionPattern) -> MotionPattern {
        motion.motion.may_return = false;
        motion
    }

    /// Goes before motions of lower rank: when it is possible for any piece of the seat, those are not. The rank is 0 unless said.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step(), hop_over("enemy").capturing().ranked(1)] }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn ranked(mut motion: MotionPattern, rank: INT) -> Answer<MotionPattern> {
        motion.motion.rank = u8::try_from(rank).map_err(|_| wrong("ranked takes a number from 0 to 255"))?;
        Ok(motion)
    }

    /// The number of the rule it stands in.
    ///
    /// ```rhai
    /// fn pattern_move(options) { [step().rule("2.1")] }
    /// ```
    pub fn rule(mut motion: MotionPattern, rule: &str) -> MotionPattern {
        motion.motion.rule = rule.into();
        motion
    }
}

#[export_module]
pub(super) mod domains {
    use rhai::{Dynamic, INT};

    use super::super::convert::{Numbers, SomeOf};

    /// Whole numbers from `min` to `max`, for a pick of a number.
    ///
    /// ```rhai
    /// fn attack_armies(view, picked) { numbers(1, 3) }
    /// ```
    pub fn numbers(min: INT, max: INT) -> Numbers {
        Numbers { min, max, step: 1 }
    }

    /// Every `step`th whole number from `min` to `max`, for a pick of a number.
    ///
    /// ```rhai
    /// fn buy_tons(view, picked) { numbers(0, 100, 10) }
    /// ```
    #[rhai_fn(name = "numbers")]
    pub fn numbers_by(min: INT, max: INT, step: INT) -> Numbers {
        Numbers { min, max, step }
    }

    /// Between `min` and `max` of a set of cells or a list of pieces, for a pick of several. With 0 as `min` nothing may be picked, which is written `-`.
    ///
    /// ```rhai
    /// fn fortify_cells(view) { some(view.empty, 1, 3) }
    /// ```
    pub fn some(of: Dynamic, min: INT, max: INT) -> SomeOf {
        SomeOf { of, min, max }
    }
}
