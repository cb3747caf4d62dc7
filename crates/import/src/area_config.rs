//! The XML configuration that goes with a mask in other programs: for each area its name, its colour in the mask, a pivot in each of its parts,
//! and its neighbours.
//!
//! ```xml
//! <map>
//!   <area id="0" name="North Cape" color="#c04040">
//!     <pivot x="120" y="80"/>
//!     <neighbour id="1"/>
//!   </area>
//! </map>
//! ```

use std::fmt::Write as _;

use boardwright_model::diagnostic::{Code, Diagnostic, Diagnostics, Location};
use roxmltree::Node;

use crate::Colour;
use crate::foreign_xml::{Lines, parse};

/// A configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AreaConfig {
    /// The areas, in the order of the document.
    pub areas: Vec<ConfiguredArea>,
}

/// An area of a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfiguredArea {
    /// What neighbours call it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its colour in the mask.
    pub colour: Colour,
    /// A pixel in each of its parts, the first for labels and pieces.
    pub pivots: Vec<(i32, i32)>,
    /// The positions of its neighbours in the list of areas, in order.
    pub neighbours: Vec<usize>,
}

/// Reads a configuration. Attributes or elements may say what an area is; `color` and `neighbor` are read too. Neighbours are named by id or
/// name, and it is enough that one of two names the other.
///
/// # Errors
/// All that is wrong in it, with lines.
pub fn read_area_config(text: &str, file: &str) -> Result<AreaConfig, Diagnostics> {
    let document = parse(text, file).map_err(|found| Diagnostics::from_iter([found]))?;
    let lines = Lines::of(&document);
    let mut found = Diagnostics::new();
    let mut config = AreaConfig::default();
    let is_area = |node: &Node<'_, '_>| node.is_element() && ["area", "country", "territory"].contains(&node.tag_name().name());
    let nodes: Vec<Node<'_, '_>> = document
        .root_element()
        .descendants()
        .filter(is_area)
        .take(super::areas::MOST_AREAS)
        .collect();
    if nodes.is_empty() {
        let message = "the document has no `<area>`";
        found.push(Diagnostic::error(Code::MissingValue, message).at(Location::at(file, 1, 1)));
    }
    for node in &nodes {
        let mut wrong = |code, message: String| found.push(Diagnostic::error(code, message).at(Location::at(file, lines.line(*node), 1)));
        let text_of = |names: &[&str]| text_of(*node, names);
        let number = config.areas.len();
        let name = text_of(&["name", "title"]).unwrap_or_default();
        let id = text_of(&["id"]).unwrap_or_else(|| number.to_string());
        let colour = text_of(&["colour", "color", "key", "mask"]);
        let read = colour.as_deref().and_then(colour_of);
        if read.is_none() {
            wrong(
                Code::BadValue,
                format!(
                    "area {name:?}: expected a colour such as #a0c3ff, found {:?}",
                    colour.unwrap_or_default()
                ),
            );
        }
        let colour = read.unwrap_or_default();
        if name.is_empty() {
            wrong(Code::MissingValue, format!("area {id:?} has no name"));
        }
        if config.areas.iter().any(|area| area.id == id || area.name == name) {
            wrong(Code::DuplicateName, format!("there are two areas {name:?} with the id {id:?}"));
        }
        let mut pivots = Vec::new();
        for pivot in node
            .descendants()
            .filter(|child| ["pivot", "point"].contains(&child.tag_name().name()))
        {
            let number = |name| pivot.attribute(name).and_then(|text: &str| text.trim().parse::<i32>().ok());
            match number("x").zip(number("y")) {
                Some(at) => pivots.push(at),
                None => wrong(Code::BadValue, format!("area {name:?} has a pivot without `x` and `y` in pixels")),
            }
        }
        config.areas.push(ConfiguredArea {
            id,
            name,
            colour,
            pivots,
            neighbours: Vec::new(),
        });
    }
    let mut pairs = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        let is_neighbour = |child: &Node<'_, '_>| ["neighbour", "neighbor", "border"].contains(&child.tag_name().name());
        for neighbour in node.descendants().filter(is_neighbour) {
            let name = text_of(neighbour, &["id", "area", "name"]).or_else(|| neighbour.text().map(|text| text.trim().to_owned()));
            let name = name.unwrap_or_default();
            let known = config.areas.iter().position(|area| area.id == name || area.name == name);
            match known {
                Some(other) if other != number => pairs.extend([(number, other), (other, number)]),
                _ => {
                    let message = format!(
                        "area {:?} has an unknown neighbour {name:?}",
                        text_of(*node, &["name", "title"]).unwrap_or_default()
                    );
                    found.push(Diagnostic::error(Code::UnknownName, message).at(Location::at(file, lines.line(neighbour), 1)));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    for (one, other) in pairs {
        if let Some(area) = config.areas.get_mut(one) {
            area.neighbours.push(other);
        }
    }
    if found.has_errors() { Err(found) } else { Ok(config) }
}

/// What an attribute or an element inside says.
fn text_of(node: Node<'_, '_>, names: &[&str]) -> Option<String> {
    let attribute = names.iter().find_map(|name| node.attribute(*name));
    let child = || {
        let is_it = |child: &Node<'_, '_>| names.contains(&child.tag_name().name());
        node.children().find(is_it).and_then(|child| child.text())
    };
    Some(attribute.or_else(child)?.trim().to_owned())
}

/// A colour as `#rrggbb`, `0xrrggbb` or three numbers.
fn colour_of(text: &str) -> Option<Colour> {
    let numbers: Vec<u8> = text.split([',', ' ', ';']).filter_map(|part| part.trim().parse().ok()).collect();
    if let [red, green, blue] = numbers[..] {
        return Some(Colour([red, green, blue]));
    }
    Colour::parse(text.strip_prefix("0x").unwrap_or(text))
}

/// The text of a configuration.
pub fn print_area_config(config: &AreaConfig) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map>\n".to_owned();
    for area in &config.areas {
        let (id, name, colour) = (escaped(&area.id), escaped(&area.name), area.colour);
        let _ = writeln!(text, "  <area id=\"{id}\" name=\"{name}\" color=\"{colour}\">");
        for (x, y) in &area.pivots {
            let _ = writeln!(text, "    <pivot x=\"{x}\" y=\"{y}\"/>");
        }
        for neighbour in area.neighbours.iter().filter_map(|place| config.areas.get(*place)) {
            let _ = writeln!(text, "    <neighbor id=\"{}\"/>", escaped(&neighbour.id));
        }
        text.push_str("  </area>\n");
    }
    text.push_str("</map>\n");
    text
}

/// A text inside an attribute or an element.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' | '\r' => escaped.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn attributes_and_elements_say_the_same() {
        let attributes = "<map><area id='0' name='North' color='#c04040'><pivot x='3' y='4'/><neighbor id='1'/></area><area id='1' name='South' color='1, 2, 3'/></map>";
        let elements = "<world><areas><area><name>North</name><colour>0xc04040</colour><pivots><pivot x='3' y='4'/></pivots></area>
            <area><name>South</name><colour>#010203</colour><neighbours><neighbour>North</neighbour></neighbours></area></areas></world>";
        let config = read_area_config(attributes, "a.xml").unwrap();
        assert_eq!(read_area_config(elements, "e.xml").unwrap(), config);
        assert_eq!(
            (config.areas[0].neighbours.clone(), config.areas[1].neighbours.clone()),
            (vec![1], vec![0])
        );
    }

    #[test]
    fn all_that_is_wrong_is_told_with_its_line() {
        let text = "<map>\n<area name='A' color='red'/>\n<area color='#010203'><pivot x='1'/>\n<neighbour>B</neighbour></area></map>";
        let found = read_area_config(text, "c.xml").unwrap_err();
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                "c.xml:2:1: error[bad-value]: area \"A\": expected a colour such as #a0c3ff, found \"red\"",
                "c.xml:3:1: error[missing-value]: area \"1\" has no name",
                "c.xml:3:1: error[bad-value]: area \"\" has a pivot without `x` and `y` in pixels",
                "c.xml:4:1: error[unknown-name]: area \"\" has an unknown neighbour \"B\"",
            ]
        );
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(names in prop::collection::btree_set("[a-zA-Z<&\"' éž]{0,8}[a-z]", 1..8), links: u64, pivot in 0..500_i32) {
            let count = names.len();
            let mut config = AreaConfig::default();
            for (place, name) in names.into_iter().enumerate() {
                config.areas.push(ConfiguredArea {
                    id: place.to_string(),
                    name: name.trim().to_owned(),
                    colour: Colour([place as u8, 7, 200]),
                    pivots: vec![(pivot, place as i32), (0, 0)],
                    neighbours: (0..count).filter(|other| *other != place && links >> ((place + other) % 64) & 1 == 1).collect(),
                });
            }
            let names: std::collections::BTreeSet<_> = config.areas.iter().map(|area| area.name.clone()).collect();
            // Names that are numbers, or alike without blanks, would be ids of others.
            prop_assume!(names.len() == count);
            prop_assert_eq!(read_area_config(&print_area_config(&config), "c.xml").unwrap(), config);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(<map>|<area name='|<pivot x='1'|/>|</area>|</map>|'|[a-z#<>&]){0,40}") {
            drop(read_area_config(&text, "c.xml"));
        }
    }
}
