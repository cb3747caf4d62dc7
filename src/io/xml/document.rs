//! A kind of document with the versions of its format.

use crate::rules::sentence;
use crate::ruleset::{Code, Diagnostics, Place};

use super::shape::{self, FORMAT};
use super::{Element, Faults, Shape, Source, tree};

/// Turns a document of one version of a format into one of the next.
pub type Upgrade = fn(&mut Element<'_>);

/// A kind of document.
#[derive(Debug)]
pub struct Format {
    /// What its outermost element looks like, in the current version. The attribute `format` is understood.
    pub root: &'static Shape,
    /// What leads from version 1 to 2, from 2 to 3, and so on. The current version is one more than their number.
    pub upgrades: &'static [Upgrade],
}

impl Format {
    /// The version that is written.
    pub const fn version(&self) -> usize {
        self.upgrades.len() + 1
    }
}

/// Reads a document of any version up to the current one.
///
/// `build` fills a value from the tree. It is called even if the shape of the document is wrong, so that it can tell what else
/// is; it answers `None` where something it needs is missing, without a word: the shape has told that.
///
/// # Errors
/// Everything that is wrong with the document.
pub fn read<T>(source: &Source, format: &Format, build: impl FnOnce(&Element<'_>, &mut Faults) -> Option<T>) -> Result<T, Diagnostics> {
    let mut faults = Faults::new(source);
    let tree = tree::parse(source, &mut faults);
    let mut value = None;
    if let Some(mut root) = tree.root.filter(|_| tree.is_whole)
        && let Some(version) = version(&root, format, &mut faults)
    {
        for upgrade in format.upgrades.iter().skip(version - 1) {
            upgrade(&mut root);
        }
        shape::check(&root, format.root, &mut faults);
        value = build(&root, &mut faults);
        if value.is_none() && faults.is_empty() {
            faults.error(root.spot, Code::Document, format!("`<{}>` could not be read", root.name));
        }
    }
    match value {
        Some(value) if faults.is_empty() => Ok(value),
        _ => Err(faults.finish()),
    }
}

/// Where the value of an attribute of the outermost element, or of a child of it, is written; the document as a whole if it is not.
pub fn place_of(source: &Source, child: Option<&str>, attribute: &str) -> Place {
    let tree = tree::parse(source, &mut Faults::new(source));
    let found = tree.root.as_ref().and_then(|root| {
        let element = match child {
            Some(child) => root.first(child)?,
            None => root,
        };
        Some(element.attribute(attribute)?.value_spot)
    });
    found.map_or_else(|| Place::file(source.file()), |spot| source.place(spot))
}

/// The name of the outermost element of a document.
///
/// # Errors
/// A document that is not well formed.
pub fn root_name(source: &Source) -> Result<String, Diagnostics> {
    let mut faults = Faults::new(source);
    let tree = tree::parse(source, &mut faults);
    match tree.root.filter(|_| tree.is_whole) {
        Some(root) => Ok(root.name.into_owned()),
        None => Err(faults.finish()),
    }
}

/// The version of a format that a document is written in.
///
/// # Errors
/// What keeps the version from being found.
pub fn format_of(source: &Source, format: &Format) -> Result<usize, Diagnostics> {
    let mut faults = Faults::new(source);
    let tree = tree::parse(source, &mut faults);
    let root = tree.root.filter(|_| tree.is_whole);
    match root.and_then(|root| version(&root, format, &mut faults)) {
        Some(version) if faults.is_empty() => Ok(version),
        _ => Err(faults.finish()),
    }
}

/// The version that the outermost element names, if this program reads it.
fn version(root: &Element<'_>, format: &Format, faults: &mut Faults) -> Option<usize> {
    let (name, current) = (format.root.name, format.version());
    if root.name != name {
        let message = sentence!("the document is a `<{found}>`, not a `<{name}>`", found = root.name);
        faults.error(root.spot, Code::Document, message);
        return None;
    }
    let Some(written) = root.attribute(FORMAT) else {
        let help = Some(format!("write <{name} {FORMAT}=\"{current}\" ..>"));
        let message = format!("`<{name}>` lacks the attribute `{FORMAT}`");
        faults.error_with_help(root.spot, Code::MissingValue, message, help);
        return Some(current);
    };
    match written.value.trim().parse::<u32>() {
        Ok(version) if version as usize > current => {
            let message = sentence!("the document is of format {version}; this program reads formats up to {current}");
            let help = Some(sentence!("a newer program wrote it: update this one").into());
            faults.error_with_help(written.value_spot, Code::Version, message, help);
            None
        }
        Ok(version @ 1..) => Some(version as usize),
        _ => {
            let message = format!("`{FORMAT}`: expected a whole number from 1, found {:?}", written.value);
            faults.error(written.value_spot, Code::BadValue, message);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AttributeShape, Kind};
    use super::*;

    static NOTE: Shape = Shape::plain("note", &[AttributeShape::required("title", Kind::Name)]);

    fn name_to_title(root: &mut Element<'_>) {
        for attribute in root.attributes.iter_mut().filter(|attribute| attribute.name == "name") {
            attribute.name = "title".into();
        }
    }

    #[test]
    fn older_documents_are_upgraded_before_they_are_checked() {
        let format = Format {
            root: &NOTE,
            upgrades: &[name_to_title],
        };
        let title = |text: &str| read(&Source::new("n.xml", text), &format, |root, _| root.text_of("title"));
        assert_eq!(title("<note format='1' name='a'/>").unwrap(), "a");
        assert_eq!(title("<note format='2' title='a'/>").unwrap(), "a");
        assert!(
            title("<note format='2' name='a'/>")
                .unwrap_err()
                .to_string()
                .contains("no attribute `name`")
        );
        let newer = title("<note format='3' subject='a'/>").unwrap_err().to_string();
        assert_eq!(
            newer,
            "n.xml:1:15: error[version]: the document is of format 3; this program reads formats up to 2"
        );
        assert_eq!(format_of(&Source::new("n.xml", "<note format='1' name='a'/>"), &format).unwrap(), 1);
    }

    #[test]
    fn a_builder_that_fails_in_silence_is_told() {
        let format = Format {
            root: &NOTE,
            upgrades: &[],
        };
        let found = read::<()>(&Source::new("n.xml", "<note format='1' title='a'/>"), &format, |_, _| None);
        assert!(found.unwrap_err().to_string().contains("could not be read"));
    }
}
