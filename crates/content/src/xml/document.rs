//! Documents: their names, the versions of their formats, and how they are read and printed.

use boardwright_model::diagnostic::{Code, Diagnostics, Location};
use boardwright_model::sentence;

use super::fields::{self, FORMAT, Fields, Outline};
use super::{Element, Faults, Source, Tag, keep_comments, tree};

/// Turns a document of one version of a format into one of the next.
pub type Upgrade = fn(&mut Element<'_>);

/// A kind of document, with the one description that reads, checks, prints and documents it.
pub trait Document: Default + Clone {
    /// The name of the outermost element. It has the attribute `format`, which no description visits.
    const NAME: &'static str;
    /// What leads from version 1 to 2, from 2 to 3, and so on. The current version is one more than their number.
    const UPGRADES: &'static [Upgrade] = &[];

    /// Visits everything that stands in the document.
    fn describe(&mut self, fields: &mut Fields<'_>);

    /// Reads a document of any version up to the current one.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn read(source: &Source) -> Result<Self, Diagnostics> {
        read(source)
    }

    /// The text of the file.
    fn print(&self) -> String {
        let mut root = Tag::new(Self::NAME);
        root.attributes.push((FORMAT, Format::of::<Self>().version.to_string(), false));
        Self::seal(fields::print(root, |fields| self.clone().describe(fields)).print())
    }

    /// The last thing that is done to the text of the file.
    fn seal(text: String) -> String {
        text
    }

    /// What is doubtful in a document taken by itself. What it needs of other files is not looked at.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn check(source: &Source) -> Result<Diagnostics, Diagnostics> {
        Self::read(source).map(|_| Diagnostics::new())
    }

    /// The text of a document as this program writes it, with its comments.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn rewrite(source: &Source) -> Result<String, Diagnostics> {
        Ok(keep_comments(source.text(), &Self::read(source)?.print()))
    }
}

/// What is known of a kind of document.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of the outermost element.
    pub name: &'static str,
    /// The version that is written.
    pub version: usize,
    /// See [`Document::check`].
    pub check: fn(&Source) -> Result<Diagnostics, Diagnostics>,
    /// See [`Document::rewrite`].
    pub rewrite: fn(&Source) -> Result<String, Diagnostics>,
    outline: fn() -> Outline,
}

impl Format {
    /// The format of a kind of document.
    pub fn of<T: Document>() -> Self {
        Self {
            name: T::NAME,
            version: T::UPGRADES.len() + 1,
            check: T::check,
            rewrite: T::rewrite,
            outline: || Outline::of(T::NAME, |fields| T::default().describe(fields)),
        }
    }

    /// The elements and attributes of the document, as text for a reference.
    pub fn outline(&self) -> String {
        (self.outline)().print()
    }
}

/// Reads a document by its description.
///
/// # Errors
/// Everything that is wrong with the document.
pub(crate) fn read<T: Document>(source: &Source) -> Result<T, Diagnostics> {
    let mut faults = Faults::new(source);
    faults.outline = Some(Format::of::<T>().outline);
    let mut value = T::default();
    if let Some(root) = root_of::<T>(source, &mut faults) {
        fields::read(&root, &mut faults, |fields| value.describe(fields));
        if faults.is_empty() {
            return Ok(value);
        }
    }
    Err(faults.finish())
}

/// Reads a document as a tree, of which only the outermost element is checked.
///
/// # Errors
/// A document that is not well formed, of another kind, or of a newer format.
pub(crate) fn read_tree<T: Document>(source: &Source) -> Result<Element<'_>, Diagnostics> {
    let mut faults = Faults::new(source);
    match root_of::<T>(source, &mut faults) {
        Some(root) if faults.is_empty() => Ok(root),
        _ => Err(faults.finish()),
    }
}

/// Reads a document of the current version of its format as a tree, of which only the outermost element is checked. `None` if it is none.
pub(crate) fn current_tree<T: Document>(source: &Source) -> Option<Element<'_>> {
    let mut faults = Faults::new(source);
    let format = Format::of::<T>();
    let root = tree::parse(source, &mut faults)?;
    let is_current = version(&root, &format, &mut faults) == Some(format.version);
    (is_current && faults.is_empty()).then_some(root)
}

fn root_of<'a, T: Document>(source: &'a Source, faults: &mut Faults) -> Option<Element<'a>> {
    let mut root = tree::parse(source, faults)?;
    let version = version(&root, &Format::of::<T>(), faults)?;
    for upgrade in T::UPGRADES.iter().skip(version - 1) {
        upgrade(&mut root);
    }
    root.attributes.retain(|attribute| attribute.name != FORMAT);
    Some(root)
}

/// Where the value of an attribute of the outermost element, or of a child of it, is written; the document as a whole if it is not.
pub fn place_of(source: &Source, child: Option<&str>, attribute: &str) -> Location {
    let root = tree::parse(source, &mut Faults::new(source));
    let element = root.as_ref().and_then(|root| child.map_or(Some(root), |child| root.first(child)));
    let found = element.and_then(|element| Some(element.attribute(attribute)?.value_spot));
    found.map_or_else(|| Location::file(source.file()), |spot| source.place(spot))
}

/// The name of the outermost element of a document.
///
/// # Errors
/// A document that is not well formed.
pub fn root_name(source: &Source) -> Result<String, Diagnostics> {
    let mut faults = Faults::new(source);
    let root = tree::parse(source, &mut faults);
    root.map(|root| root.name.into_owned()).ok_or_else(|| faults.finish())
}

/// The version of a format that a document is written in.
///
/// # Errors
/// What keeps the version from being found.
pub fn format_of(source: &Source, format: &Format) -> Result<usize, Diagnostics> {
    let mut faults = Faults::new(source);
    match tree::parse(source, &mut faults).and_then(|root| version(&root, format, &mut faults)) {
        Some(version) if faults.is_empty() => Ok(version),
        _ => Err(faults.finish()),
    }
}

/// The version that the outermost element names, if this program reads it.
fn version(root: &Element<'_>, format: &Format, faults: &mut Faults) -> Option<usize> {
    let (name, current) = (format.name, format.version);
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
    use super::super::Text;
    use super::*;

    #[derive(Clone, Default)]
    struct Note {
        title: String,
    }

    impl Document for Note {
        const NAME: &'static str = "note";
        const UPGRADES: &'static [Upgrade] = &[name_to_title];

        fn describe(&mut self, fields: &mut Fields<'_>) {
            fields.required("title", &Text::Name, &mut self.title);
        }
    }

    fn name_to_title(root: &mut Element<'_>) {
        for attribute in root.attributes.iter_mut().filter(|attribute| attribute.name == "name") {
            attribute.name = "title".into();
        }
    }

    #[test]
    fn older_documents_are_upgraded_before_they_are_checked() {
        let title = |text: &str| Note::read(&Source::new("n.xml", text)).map(|note| note.title);
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
        let format = Format::of::<Note>();
        assert_eq!(format_of(&Source::new("n.xml", "<note format='1' name='a'/>"), &format).unwrap(), 1);
        assert_eq!(format.outline(), "note: title (a name)\n");
    }
}
