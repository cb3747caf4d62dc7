//! The texts that a draft is read from: that of its file, and that of the script which a scenario names.

use std::path::{Path, PathBuf};

use boardwright_content::xml::{MOST_BYTES, Source};
use boardwright_content::{WriteError, read_text};
use boardwright_model::diagnostic::Diagnostics;

use super::Draft;

/// The texts of a file: its own, and that of the script beside it.
#[derive(Clone, Debug)]
pub struct FileTexts {
    /// The text of the map or the scenario.
    pub source: Source,
    /// The text of the script that is laid over the rules; none if there is no such file, or none is named.
    pub script: Option<String>,
    /// The file of the script that the text names.
    pub(crate) named: Option<String>,
}

impl FileTexts {
    /// Reads the script that the text of a file names, if it can be told which, and if it is there.
    ///
    /// # Errors
    /// Everything that keeps the script from being read.
    pub(crate) fn of(path: &Path, source: Source) -> Result<Self, Diagnostics> {
        let draft = Draft::read(&source).ok();
        let named = draft.as_ref().and_then(Draft::overlay).map(|(file, _)| file.to_owned());
        Self::with_script(path, source, named)
    }

    /// Those of a file as it is now, which said `before`.
    ///
    /// # Errors
    /// Everything that keeps it from being read.
    pub(crate) fn again(path: &Path, before: &Self) -> Result<Self, Diagnostics> {
        let source = Source::open(path, before.source.file())?;
        if source.text() == before.source.text() {
            // Which script it names need not be found out again.
            Self::with_script(path, source, before.named.clone())
        } else {
            Self::of(path, source)
        }
    }

    fn with_script(path: &Path, source: Source, named: Option<String>) -> Result<Self, Diagnostics> {
        let beside = named
            .as_ref()
            .and_then(|file| script_path(path, file).ok())
            .filter(|beside| beside.is_file());
        let script = match (&named, beside) {
            (Some(file), Some(beside)) => Some(read_text(&beside, file, MOST_BYTES)?),
            _ => None,
        };
        Ok(Self { source, script, named })
    }

    /// What they say.
    ///
    /// # Errors
    /// Everything that is wrong with the text of the file.
    pub(crate) fn draft(&self) -> Result<Draft, Diagnostics> {
        let mut draft = Draft::read(&self.source)?;
        if let (Draft::Scenario(scenario), Some(script)) = (&mut draft, &self.script)
            && let Some((_, text)) = &mut scenario.overlay
        {
            text.clone_from(script);
        }
        Ok(draft)
    }

    /// Whether they are the same as others.
    pub(crate) fn are(&self, others: &Self) -> bool {
        self.source.text() == others.source.text() && self.script == others.script
    }
}

/// Where a script beside a file lies.
///
/// # Errors
/// The name is that of a file elsewhere.
pub(crate) fn script_path(path: &Path, file: &str) -> Result<PathBuf, WriteError> {
    let beside = path.with_file_name(file);
    if boardwright_content::is_inner_path(file) && !file.contains(['/', '\\']) {
        Ok(beside)
    } else {
        Err(WriteError::NotAFile(beside))
    }
}
