//! `log/origin.json`: where a run's data was found. Kept outside `results/`, which is the same on every
//! machine.

use tailrank_experiment::families::ProgramFiles;

use super::*;

/// Where a run's data was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Folder that the experiment's paths are relative to.
    pub base: PathBuf,
    /// The experiment's file, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<PathBuf>,
    /// Folder whose files went before the bundled data, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<PathBuf>,
    /// Checksums of the files that commands were made of: a report needs the keys of the cells, not the
    /// programs.
    #[serde(skip_serializing_if = "ProgramFiles::is_empty", default)]
    pub programs: ProgramFiles,
}

impl Store<'_> {
    /// Remembers where the run's data was found; relative folders are taken from the current one.
    pub fn remember_origin(&self, origin: &Origin) -> Result<()> {
        let origin = Origin {
            base: absolute(&origin.base),
            file: origin.file.as_deref().map(absolute),
            data: origin.data.as_deref().map(absolute),
            programs: origin.programs.clone(),
        };
        self.write(&self.root.join("log/origin.json"), &json_text(&origin)?)
    }

    /// Where the run's data was found; none when that was never remembered or cannot be read.
    pub fn origin(&self) -> Result<Option<Origin>> {
        let bytes = self.read(&self.root.join("log/origin.json"))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }
}

/// Two experiments of one name share no folder: the second would take the tables and the report of the first
/// away.
///
/// An experiment that was edited or moved is still the same; one whose file is still there, and says
/// something else, is another.
///
/// # Errors
/// When the folder holds the run of another experiment's file.
pub fn check_origin(disk: &dyn Disk, root: &Path, file: &Path, text: &str) -> Result<()> {
    let origin = Store::at(disk, root).origin()?;
    let Some(first) = origin.and_then(|origin| origin.file) else { return Ok(()) };
    // What cannot be read is told by those who open it.
    let Ok((_, stored)) = Store::open_existing(disk, root) else { return Ok(()) };
    if first == absolute(file) || stored == text || !first.exists() {
        return Ok(());
    }
    let problem = format!(
        "{} holds the run of {}, another experiment of the same name; name another folder with --out, or \
         give the experiment another name",
        root.display(),
        first.display()
    );
    Err(EngineError::Option { option: "out", problem })
}
