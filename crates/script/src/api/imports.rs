//! Words for reading files of other programs.

use rhai::plugin::*;
use rhai::{Dynamic, INT, ImmutableString, Map};

use super::super::importing::{Given, GivenCell, GivenPiece, GivenScenario, Importing};
use super::super::map_generation::read_grid;
use super::super::value::{Answer, described, wrong, wrong_with};
use super::convert::{cure_of_name, list_items, map_entries};
use super::handles::{Draft, Element, Elements};
use boardwright_model::diagnostic::{Code, Diagnostic};
use boardwright_model::{MOST_CELLS, MapCell, SetupPiece, SetupPlace};

/// The most pieces of a scenario.
const MOST_PIECES: usize = u16::MAX as usize;
/// The most bytes of a script.
const MOST_SCRIPT_BYTES: usize = 1 << 20;
/// The most scripts.
const MOST_SCRIPTS: usize = 50;
/// What a cell or a piece takes beside its texts, in bytes.
const THING_BYTES: usize = 200;
/// The digits behind the point that are read.
const DECIMALS: usize = 3;

/// What it takes to add something, in operations.
const WORK: usize = 20;

/// A reader of an attribute: what its text means, or why it means nothing.
type Meaning = Result<Dynamic, (String, Option<String>)>;

/// Reads an attribute. What is missing or means nothing is a fault of the file, and gives `()`.
fn read_as(element: &Element, attribute: &str, default: Option<Dynamic>, mean: impl FnOnce(&str) -> Meaning) -> Dynamic {
    let importing = &element.importing;
    let Some(text) = importing.read(element.index, attribute) else {
        return default.unwrap_or_else(|| {
            let message = format!("{} has no `{attribute}`", importing.called(element.index));
            importing.tell(element.index, None, Diagnostic::error(Code::MissingValue, message));
            Dynamic::UNIT
        });
    };
    mean(&text).unwrap_or_else(|(expected, cure)| {
        let shown: String = text.chars().take(60).collect();
        let mut told = Diagnostic::error(Code::BadValue, format!("`{attribute}`: expected {expected}, found {shown:?}"));
        told.help = cure;
        importing.tell(element.index, Some(attribute), told);
        Dynamic::UNIT
    })
}

fn whole(text: &str) -> Meaning {
    let number = text.parse::<INT>().map(Dynamic::from_int);
    number.map_err(|_| ("a whole number".to_owned(), None))
}

fn flag(text: &str) -> Meaning {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Ok(Dynamic::TRUE),
        "false" | "no" | "0" => Ok(Dynamic::FALSE),
        _ => Err(("true or false".to_owned(), None)),
    }
}

/// A decimal number in thousandths; further digits are cut off.
fn thousandths(text: &str) -> Meaning {
    let read = || {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, behind) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        if whole.is_empty() || !whole.bytes().chain(behind.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let behind: String = behind.chars().chain("000".chars()).take(DECIMALS).collect();
        let number = whole.parse::<INT>().ok()?.checked_mul(1000)?;
        number.checked_add(behind.parse().ok()?)?.checked_mul(sign)
    };
    read().map(Dynamic::from_int).ok_or_else(|| ("a number".to_owned(), None))
}

/// One of some words: of a list the word itself, of a map what stands under it.
fn one_of(words: &Dynamic) -> Answer<impl Fn(&str) -> Meaning> {
    let entries: Option<Vec<(String, Dynamic)>> = match map_entries(words) {
        Some(map) => Some(map.into_iter().map(|(word, value)| (word.to_string(), value)).collect()),
        None => list_items(words).map(|list| list.into_iter().map(|word| (word.to_string(), word)).collect()),
    };
    let entries = entries.ok_or_else(|| wrong("read_choice takes a list of words, or a map from words to values"))?;
    Ok(move |text: &str| {
        let found = entries.iter().find(|(word, _)| word == text);
        found.map(|(_, value)| value.clone()).ok_or_else(|| {
            let known: Vec<&str> = entries.iter().map(|(word, _)| &**word).collect();
            ("one of the words that are known".to_owned(), cure_of_name(text, &known))
        })
    })
}

/// A map that a word was given, whose keys are taken out one by one.
struct Keys<'a> {
    word: &'a str,
    map: Map,
    /// The element, and whether something of it is missing that is no fault of the file yet.
    element: &'a Element,
    lacks: Option<&'static str>,
}

impl<'a> Keys<'a> {
    fn of(word: &'a str, element: &'a Element, value: &Dynamic, known: &[&str]) -> Answer<Self> {
        let map = map_entries(value).ok_or_else(|| wrong(format!("{word} takes a map, not {}", described(value))))?;
        if let Some(key) = map.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(wrong_with(format!("{word} has no key `{key}`"), cure_of_name(key, known)));
        }
        element.importing.ask(element.index);
        element.importing.charge(THING_BYTES)?;
        Ok(Self {
            word,
            map,
            element,
            lacks: None,
        })
    }

    fn take(&mut self, key: &str) -> Option<Dynamic> {
        self.map.remove(key).filter(|value| !value.is_unit())
    }

    fn wrong_type(&self, key: &str, expected: &str, found: &Dynamic) -> Box<rhai::EvalAltResult> {
        wrong(format!("`{key}` of {}: expected {expected}, not {}", self.word, described(found)))
    }

    fn text(&mut self, key: &str) -> Answer<Option<String>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let text = value.as_immutable_string_ref();
        let text = text.map_err(|_| self.wrong_type(key, "a text", &value))?;
        self.element.importing.charge(text.len())?;
        Ok(Some(text.to_string()))
    }

    fn number(&mut self, key: &str) -> Answer<Option<i32>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = value.as_int().map_err(|_| self.wrong_type(key, "a whole number", &value))?;
        // What is far off the board stays off it.
        Ok(Some(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32))
    }

    /// A value that has to be there; where it is not, the element has to have a fault.
    fn needed<T: Default>(&mut self, key: &'static str, value: Option<T>) -> T {
        value.unwrap_or_else(|| {
            self.lacks = self.lacks.or(Some(key));
            T::default()
        })
    }

    /// A text, or a cell as `[column, row]`.
    fn given(&mut self, key: &str) -> Answer<Option<Given>> {
        self.take(key)
            .map(|value| self.given_of(key, &value))
            .transpose()
            .map(Option::flatten)
    }

    /// The same of a value; `None` for a cell that was not read.
    fn given_of(&self, key: &str, value: &Dynamic) -> Answer<Option<Given>> {
        self.element.importing.charge(THING_BYTES)?;
        if let Ok(text) = value.as_immutable_string_ref() {
            self.element.importing.charge(text.len())?;
            return Ok(Some(Given::Text(text.to_string())));
        }
        if let Ok(number) = value.as_int() {
            return Ok(Some(Given::Text(number.to_string())));
        }
        if let Ok(flag) = value.as_bool() {
            return Ok(Some(Given::Text(if flag { "yes" } else { "no" }.to_owned())));
        }
        match list_items(value).as_deref() {
            Some([x, y]) if x.is_unit() || y.is_unit() => Ok(None),
            Some([x, y]) if x.is_int() && y.is_int() => {
                let number = |value: &Dynamic| value.as_int().map_or(-1, |number| i32::try_from(number).unwrap_or(-1));
                Ok(Some(Given::At(number(x), number(y))))
            }
            // Words of a subset, written as in files.
            Some(words) if words.iter().all(Dynamic::is_string) => {
                let words: Vec<String> = words.iter().map(ToString::to_string).collect();
                let text = words.join(", ");
                self.element.importing.charge(text.len())?;
                Ok(Some(Given::Text(text)))
            }
            _ => Err(self.wrong_type(
                key,
                "a text, a number, true or false, a list of words, or a cell as [column, row]",
                value,
            )),
        }
    }

    /// A map of values.
    fn values(&mut self, key: &str) -> Answer<Vec<(String, Given)>> {
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let map = map_entries(&value).ok_or_else(|| self.wrong_type(key, "a map", &value))?;
        let mut values = Vec::new();
        for (name, value) in map.into_iter().filter(|(_, value)| !value.is_unit()) {
            let given = self.given_of(key, &value)?;
            values.extend(given.map(|given| (name.to_string(), given)));
        }
        Ok(values)
    }

    /// A map of values that are no cells.
    fn plain_values(&mut self, key: &str) -> Answer<Vec<(String, String)>> {
        let values = self.values(key)?.into_iter();
        let plain = values.map(|(name, given)| match given {
            Given::Text(text) => Ok((name, text)),
            Given::At(..) => Err(wrong(format!("`{key}` of {} are no cells", self.word))),
        });
        plain.collect()
    }

    /// Whether nothing is missing. What is missing although nothing is wrong with the element becomes a fault.
    fn is_whole(&self) -> bool {
        let (importing, index) = (&self.element.importing, self.element.index);
        let Some(key) = self.lacks else { return true };
        if !importing.is_faulty(index) {
            let message = format!("{} does not say `{key}` of what is made of it", importing.called(index));
            importing.tell(index, None, Diagnostic::error(Code::MissingValue, message));
        }
        false
    }
}

fn new_map(draft: &Draft, element: &Element, of: &Dynamic) -> Answer<()> {
    const KEYS: [&str; 7] = ["title", "topology", "width", "height", "orientation", "offset", "diagonals"];
    let mut keys = Keys::of("set_map", element, of, &KEYS)?;
    let title = keys.text("title")?.unwrap_or_default();
    for key in ["width", "height"] {
        let is_there = keys.map.get(key).is_some_and(|value| !value.is_unit());
        keys.needed(key, is_there.then_some(()));
    }
    if !keys.is_whole() {
        return Ok(());
    }
    let size = |key: &str| keys.map.get(key).and_then(|value| value.as_int().ok());
    if let (Some(width), Some(height)) = (size("width"), size("height"))
        && !(1..=MOST_CELLS as INT).contains(&width.saturating_mul(height.max(0)))
    {
        let message = format!("the grid has {width} by {height} cells; a board has 1 to {MOST_CELLS}");
        element
            .importing
            .tell(element.index, None, Diagnostic::error(Code::BadValue, message));
        return Ok(());
    }
    let topology = read_grid(&keys.map.into()).ok_or_else(|| {
        let cure = "as `map_grid` gives it: topology, width, height, and orientation and offset, or diagonals";
        wrong_with("set_map was given no grid", Some(cure))
    })?;
    draft.importing.made.borrow_mut().map = Some((element.index, title, topology));
    Ok(())
}

fn new_cell(draft: &Draft, element: &Element, of: &Dynamic) -> Answer<()> {
    const KEYS: [&str; 6] = ["x", "y", "name", "terrain", "elevation", "properties"];
    let mut keys = Keys::of("add_cell", element, of, &KEYS)?;
    let (x, y) = (keys.number("x")?, keys.number("y")?);
    let (x, y) = (keys.needed("x", x), keys.needed("y", y));
    let cell = MapCell {
        terrain: keys.text("terrain")?,
        elevation: keys.number("elevation")?.unwrap_or(0).clamp(i16::MIN.into(), i16::MAX.into()) as i16,
        ..MapCell::new(keys.text("name")?.unwrap_or_default(), x, y)
    };
    let properties = keys.values("properties")?;
    let mut made = draft.importing.made.borrow_mut();
    if keys.is_whole() {
        if made.cells.len() >= MOST_CELLS {
            return Err(wrong(format!("a map has at most {MOST_CELLS} cells")));
        }
        made.cells.push((element.index, GivenCell { cell, properties }));
    }
    Ok(())
}

/// Where a piece stands, but for the cell.
fn place_of(keys: &mut Keys<'_>, at: bool) -> Answer<SetupPlace> {
    let (side, pose) = (keys.text("side")?, keys.text("pose")?);
    let (zone, zone_owner, aboard) = (keys.text("zone")?, keys.text("zone_owner")?, keys.text("aboard")?);
    Ok(match (at, side, pose, zone, aboard) {
        (true, Some(side), None, None, None) => SetupPlace::Side(String::new(), side),
        (true, None, Some(pose), None, None) => SetupPlace::Posed(String::new(), pose),
        (true, None, None, None, None) => SetupPlace::Cell(String::new()),
        (false, None, None, Some(zone), None) => SetupPlace::Zone(zone, zone_owner),
        (false, None, None, None, Some(carrier)) => SetupPlace::Aboard(carrier),
        (false, _, _, None, None) => {
            keys.needed("at", None::<()>);
            SetupPlace::Off
        }
        _ => return Err(wrong("a piece has one place: `at` with `side` or `pose`, `zone`, or `aboard`")),
    })
}

fn new_piece(draft: &Draft, element: &Element, of: &Dynamic) -> Answer<()> {
    const KEYS: [&str; 10] = [
        "kind",
        "owner",
        "name",
        "at",
        "side",
        "pose",
        "zone",
        "zone_owner",
        "aboard",
        "values",
    ];
    let mut keys = Keys::of("add_piece", element, of, &KEYS)?;
    let at = keys.given("at")?;
    let kind = keys.text("kind")?;
    let piece = SetupPiece {
        kind: keys.needed("kind", kind),
        name: keys.text("name")?,
        owner: keys.text("owner")?,
        place: place_of(&mut keys, at.is_some())?,
        values: Vec::new(),
    };
    let values = keys.values("values")?;
    if keys.is_whole() {
        let mut made = draft.importing.made.borrow_mut();
        if made.pieces.len() >= MOST_PIECES {
            return Err(wrong(format!("a scenario has at most {MOST_PIECES} pieces")));
        }
        made.pieces.push((element.index, GivenPiece { piece, at, values }));
    }
    Ok(())
}

fn new_scenario(draft: &Draft, element: &Element, of: &Dynamic) -> Answer<()> {
    const KEYS: [&str; 6] = ["title", "description", "seats", "players", "options", "values"];
    let mut keys = Keys::of("set_scenario", element, of, &KEYS)?;
    let seats = keys.take("seats").map(|value| {
        let seats = list_items(&value).and_then(|seats| seats.into_iter().map(|seat| seat.into_string().ok()).collect());
        seats.ok_or_else(|| keys.wrong_type("seats", "a list of names", &value))
    });
    let given = GivenScenario {
        seats: seats.transpose()?.unwrap_or_default(),
        title: keys.text("title")?.unwrap_or_default(),
        description: keys.text("description")?.unwrap_or_default(),
        players: keys.plain_values("players")?,
        options: keys.plain_values("options")?,
        values: keys.values("values")?,
    };
    draft.importing.made.borrow_mut().scenario = Some((element.index, given));
    Ok(())
}

fn new_line(importing: &Importing, script: &str, line: &str) -> Answer<()> {
    let stem = script.strip_suffix(".rhai").unwrap_or("");
    if stem.is_empty()
        || !stem
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
    {
        return Err(wrong(format!("{script:?} is no name of a script, such as \"units.rhai\"")));
    }
    importing.charge(line.len())?;
    let mut made = importing.made.borrow_mut();
    let count = made.scripts.len();
    let text = made.scripts.entry(script.to_owned()).or_default();
    if text.len() + line.len() >= MOST_SCRIPT_BYTES || count > MOST_SCRIPTS {
        return Err(wrong("an import makes at most 50 scripts of 1 MiB each"));
    }
    text.push_str(line);
    text.push('\n');
    Ok(())
}

/// The children of an element, all of them or those of a name.
fn children_of(element: &Element, name: Option<&str>) -> Elements {
    element.importing.ask(element.index);
    Elements::new(&element.importing, element.index, name.map(Into::into))
}

fn told(draft: &Draft, element: &Element, attribute: Option<&str>, diagnostic: Diagnostic) {
    draft.importing.tell(element.index, attribute, diagnostic);
}

fn fault_of(text: &str) -> Diagnostic {
    Diagnostic::error(Code::BadValue, text)
}

fn warning_of(text: &str) -> Diagnostic {
    Diagnostic::warning(Code::BadValue, text)
}

fn text_value(text: &str) -> Dynamic {
    Dynamic::from(ImmutableString::from(text))
}

#[export_module]
pub(super) mod imports {
    use rhai::{Dynamic, INT, ImmutableString, NativeCallContext};

    use super::super::super::meter::pay;
    use super::super::super::texts::count;
    use super::super::super::value::Answer;
    use super::super::handles::{Document, Draft, Element, Elements};
    use boardwright_model::ForeignFormat;

    /// The outermost element of an XML document. That of a table is called `table`, has the headings as attributes and the rows as children.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") { draft.warn(army, "there are no armies in this game"); }
    /// }
    /// ```
    #[rhai_fn(get = "root", pure)]
    pub fn root(document: &mut Document) -> Element {
        Element::new(&document.importing, 0)
    }

    /// What the file is: `xml` or `table`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     if document.format == "table" { draft.fault(document.root, "an army list is no map"); }
    /// }
    /// ```
    #[rhai_fn(get = "format", pure)]
    pub fn format(document: &mut Document) -> ImmutableString {
        match document.importing.document.format {
            ForeignFormat::Xml => "xml".into(),
            ForeignFormat::Table => "table".into(),
        }
    }

    /// Tells of all elements that share the value of an attribute, which is to be a name of one of them.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     document.check_unique("id");
    ///     for army in document.root.children("army") { draft.warn(army, "left out"); }
    /// }
    /// ```
    #[rhai_fn(pure, return_raw)]
    pub fn check_unique(context: NativeCallContext<'_>, document: &mut Document, attribute: &str) -> Answer<()> {
        pay(&context, document.importing.document.elements.len())?;
        document.importing.check_unique(attribute);
        Ok(())
    }

    /// The name of an element; of the rows of a table `row`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for child in document.root.children { if child.name == "rock" { draft.warn(child, "rocks are left out"); } }
    /// }
    /// ```
    #[rhai_fn(get = "name", pure)]
    pub fn element_name(element: &mut Element) -> ImmutableString {
        let all = &element.importing.document.elements;
        all.get(element.index).map_or("", |element| &*element.name).into()
    }

    /// The text in an element, without that of its children.
    ///
    /// ```rhai
    /// fn import_file(document, draft) { draft.set_scenario(document.root, #{ description: document.root.content }); }
    /// ```
    #[rhai_fn(get = "content", pure)]
    pub fn content(element: &mut Element) -> ImmutableString {
        element.importing.ask(element.index);
        let all = &element.importing.document.elements;
        all.get(element.index).map_or("", |element| &*element.content).into()
    }

    /// The elements in an element, in the order of the file.
    ///
    /// ```rhai
    /// fn import_file(document, draft) { for child in document.root.children { draft.warn(child, "left out"); } }
    /// ```
    #[rhai_fn(get = "children", pure)]
    pub fn children(element: &mut Element) -> Elements {
        super::children_of(element, None)
    }

    /// Those of a name.
    ///
    /// ```rhai
    /// fn import_file(document, draft) { for army in document.root.children("army") { draft.warn(army, "left out"); } }
    /// ```
    #[rhai_fn(name = "children")]
    pub fn children_of_name(element: &mut Element, name: &str) -> Elements {
        super::children_of(element, Some(name))
    }

    /// How many elements there are.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     if document.root.children("army").len > 99 { draft.fault(document.root, "there are too many armies"); }
    /// }
    /// ```
    #[rhai_fn(name = "len", get = "len", pure, return_raw)]
    pub fn number_of_elements(context: NativeCallContext<'_>, elements: &mut Elements) -> Answer<INT> {
        let Elements { importing, parent, name } = elements;
        let all = importing.children(*parent, None, 0).count();
        pay(&context, all / 8)?;
        Ok(count(importing.children(*parent, name.as_deref(), 0).count()))
    }

    /// Whether an element has an attribute, or a row a field that is not empty.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") { if army.contains("rank") { draft.warn(army, "rank", "there are no ranks"); } }
    /// }
    /// ```
    #[rhai_fn(name = "contains", pure)]
    pub fn has_attribute(element: &mut Element, attribute: &str) -> bool {
        let all = &element.importing.document.elements;
        all.get(element.index)
            .is_some_and(|element| element.find_attribute(attribute).is_some())
    }

    /// The text of an attribute. One that is missing is a fault of the file, and gives `()`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     draft.set_map(document.root, #{ title: document.root.read_text("name"), topology: "square", width: 4, height: 4 });
    /// }
    /// ```
    #[rhai_fn(pure)]
    pub fn read_text(element: &mut Element, attribute: &str) -> Dynamic {
        super::read_as(element, attribute, None, |text| Ok(super::text_value(text)))
    }

    /// The same with what it is where the attribute is missing.
    ///
    /// ```rhai
    /// fn import_file(document, draft) { draft.set_scenario(document.root, #{ title: document.root.read_text("title", "A battle") }); }
    /// ```
    #[rhai_fn(name = "read_text", pure)]
    pub fn read_text_or(element: &mut Element, attribute: &str, default: Dynamic) -> Dynamic {
        super::read_as(element, attribute, Some(default), |text| Ok(super::text_value(text)))
    }

    /// The whole number that an attribute is, also with zeros before it. One that is missing or is none is a fault of the file, and gives `()`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     let root = document.root;
    ///     draft.set_map(root, #{ topology: "square", width: root.read_integer("width"), height: root.read_integer("height") });
    /// }
    /// ```
    #[rhai_fn(pure)]
    pub fn read_integer(element: &mut Element, attribute: &str) -> Dynamic {
        super::read_as(element, attribute, None, super::whole)
    }

    /// The same with what it is where the attribute is missing.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     draft.set_map(document.root, #{ topology: "square", width: document.root.read_integer("width", 8), height: 8 });
    /// }
    /// ```
    #[rhai_fn(name = "read_integer", pure)]
    pub fn read_integer_or(element: &mut Element, attribute: &str, default: Dynamic) -> Dynamic {
        super::read_as(element, attribute, Some(default), super::whole)
    }

    /// The number that an attribute is, in thousandths: 500 for `0.5`. One that is missing or is none is a fault of the file, and gives `()`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") {
    ///         if army.read_thousandths("strength") > 2000 { draft.warn(army, "strength", "it is strong"); }
    ///     }
    /// }
    /// ```
    #[rhai_fn(pure)]
    pub fn read_thousandths(element: &mut Element, attribute: &str) -> Dynamic {
        super::read_as(element, attribute, None, super::thousandths)
    }

    /// The same with what it is where the attribute is missing.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") {
    ///         if army.read_thousandths("speed", 1000) < 1000 { draft.warn(army, "speed", "it is slow"); }
    ///     }
    /// }
    /// ```
    #[rhai_fn(name = "read_thousandths", pure)]
    pub fn read_thousandths_or(element: &mut Element, attribute: &str, default: Dynamic) -> Dynamic {
        super::read_as(element, attribute, Some(default), super::thousandths)
    }

    /// Whether an attribute says `true`, `yes` or `1`, or else `false`, `no` or `0`. One that is missing or says anything else is a fault of the
    /// file, and gives `()`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     let root = document.root;
    ///     draft.set_map(root, #{ topology: "square", width: 4, height: 4, diagonals: root.read_flag("diagonals") });
    /// }
    /// ```
    #[rhai_fn(pure)]
    pub fn read_flag(element: &mut Element, attribute: &str) -> Dynamic {
        super::read_as(element, attribute, None, super::flag)
    }

    /// The same with what it is where the attribute is missing.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") { if army.read_flag("lost", false) { draft.warn(army, "left out"); } }
    /// }
    /// ```
    #[rhai_fn(name = "read_flag", pure)]
    pub fn read_flag_or(element: &mut Element, attribute: &str, default: Dynamic) -> Dynamic {
        super::read_as(element, attribute, Some(default), super::flag)
    }

    /// One of some words: the word itself if they are a list, and what stands under it if they are the keys of a map. An attribute that is
    /// missing or says anything else is a fault of the file, and gives `()`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     draft.set_map(document.root, #{ topology: "square", width: 4, height: 4 });
    ///     for army in document.root.children("army") {
    ///         let seat = army.read_choice("side", #{ R: "red", B: "blue" });
    ///         draft.add_piece(army, #{ kind: "army", owner: seat, at: [army.read_integer("x"), army.read_integer("y")] });
    ///     }
    /// }
    /// ```
    #[rhai_fn(return_raw, pure)]
    pub fn read_choice(element: &mut Element, attribute: &str, words: Dynamic) -> Answer<Dynamic> {
        Ok(super::read_as(element, attribute, None, super::one_of(&words)?))
    }

    /// The same with what it is where the attribute is missing.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") {
    ///         if army.read_choice("rank", ["guard", "line"], "line") == "guard" { draft.warn(army, "rank", "there are no guards"); }
    ///     }
    /// }
    /// ```
    #[rhai_fn(name = "read_choice", return_raw, pure)]
    pub fn read_choice_or(element: &mut Element, attribute: &str, words: Dynamic, default: Dynamic) -> Answer<Dynamic> {
        Ok(super::read_as(element, attribute, Some(default), super::one_of(&words)?))
    }

    /// Says what grid the map has, as `map_grid` does, and its `title`. The element is where faults of it are told.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     draft.set_map(document.root, #{ topology: "hex", width: 4, height: 4, orientation: "pointy", offset: "odd" });
    /// }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn set_map(draft: &mut Draft, element: Element, of: Dynamic) -> Answer<()> {
        super::new_map(draft, &element, &of)
    }

    /// Says what is special about a cell: its column `x` and row `y`, counted from 0, and as you like `name`, `terrain`, `elevation` and
    /// `properties`. A property that is a cell is written `[x, y]`. A column or row that is `()`, because reading it failed, adds nothing.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     draft.set_map(document.root, #{ topology: "square", width: 4, height: 4 });
    ///     for rock in document.root.children("rock") {
    ///         draft.add_cell(rock, #{ x: rock.read_integer("x"), y: rock.read_integer("y"), terrain: "water" });
    ///     }
    /// }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn add_cell(context: NativeCallContext<'_>, draft: &mut Draft, element: Element, of: Dynamic) -> Answer<()> {
        pay(&context, super::WORK)?;
        super::new_cell(draft, &element, &of)
    }

    /// Puts a piece into the scenario: `kind`, `owner`, `name`, `values` and a place, as in a file: `at` with `side` or `pose`, `zone` with
    /// `zone_owner`, or `aboard` with the name of another piece. A cell is written by its name or as `[x, y]`.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     draft.set_map(document.root, #{ topology: "square", width: 4, height: 4 });
    ///     for army in document.root.children("army") {
    ///         draft.add_piece(army, #{ kind: "army", owner: "red", at: [army.read_integer("x"), army.read_integer("y")], values: #{ strength: 3 } });
    ///     }
    /// }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn add_piece(context: NativeCallContext<'_>, draft: &mut Draft, element: Element, of: Dynamic) -> Answer<()> {
        pay(&context, super::WORK)?;
        super::new_piece(draft, &element, &of)
    }

    /// Says what a scenario says beside its pieces: `title`, `description`, the `seats` that take part, the `players` and `options` by name, and
    /// the `values` of properties of the match.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     draft.set_map(document.root, #{ topology: "square", width: 4, height: 4 });
    ///     draft.set_scenario(document.root, #{ title: "A battle", seats: ["red", "blue"], options: #{ must_take: true } });
    /// }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn set_scenario(draft: &mut Draft, element: Element, of: Dynamic) -> Answer<()> {
        super::new_scenario(draft, &element, &of)
    }

    /// Adds a line to a script of a mod, such as a table of the ruleset with other values.
    ///
    /// ```rhai
    /// fn import_file(document, draft) { draft.add_line("armies.rhai", "const COSTS = #{ army: 3 };"); }
    /// ```
    #[rhai_fn(return_raw)]
    pub fn add_line(context: NativeCallContext<'_>, draft: &mut Draft, script: &str, line: &str) -> Answer<()> {
        pay(&context, super::WORK + line.len() / 64)?;
        super::new_line(&draft.importing, script, line)
    }

    /// Tells of something that is wrong in the file, at an element. Nothing is written then, and the hook goes on, so that all faults are told.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     if document.root.children("army").len > 99 { draft.fault(document.root, "there are too many armies"); }
    /// }
    /// ```
    pub fn fault(draft: &mut Draft, element: Element, text: &str) {
        super::told(draft, &element, None, super::fault_of(text));
    }

    /// The same at an attribute.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") {
    ///         if army.read_integer("x") == 99 { draft.fault(army, "x", "nobody stands so far out"); }
    ///     }
    /// }
    /// ```
    #[rhai_fn(name = "fault")]
    pub fn fault_of_attribute(draft: &mut Draft, element: Element, attribute: &str, text: &str) {
        super::told(draft, &element, Some(attribute), super::fault_of(text));
    }

    /// Tells of something that is not carried over as it stands, at an element. What no hook has asked for is told without it.
    ///
    /// ```rhai
    /// fn import_file(document, draft) { for rock in document.root.children("rock") { draft.warn(rock, "rocks are left out"); } }
    /// ```
    pub fn warn(draft: &mut Draft, element: Element, text: &str) {
        super::told(draft, &element, None, super::warning_of(text));
    }

    /// The same at an attribute.
    ///
    /// ```rhai
    /// fn import_file(document, draft) {
    ///     for army in document.root.children("army") { draft.warn(army, "strength", "all armies are alike"); }
    /// }
    /// ```
    #[rhai_fn(name = "warn")]
    pub fn warn_of_attribute(draft: &mut Draft, element: Element, attribute: &str, text: &str) {
        super::told(draft, &element, Some(attribute), super::warning_of(text));
    }
}
