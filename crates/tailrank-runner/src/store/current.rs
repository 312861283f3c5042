//! What a run's folder stands for now: `log/current.json`, replaced in one step, names the inputs that tables
//! and page must be made from.
//!
//! Several sessions of one folder may have other settings or data, and the last that was opened decides. What
//! is derived changes under one lock of the run, which the system gives back when a process ends.

use tailrank_experiment::{config::Experiment, plan::settings_digest};

use super::{
    output::{Standing, retire},
    *,
};

/// The file that is locked while what is derived changes: the first that a session makes.
pub(super) const LOCK: &str = "log/lock";

const CURRENT: &str = "log/current.json";

impl Store<'_> {
    /// Makes the folder stand for these inputs. Tables and page that were made from others go, and so do
    /// all when cells are still `to_fit`: a session that ends early must not leave them.
    ///
    /// # Errors
    /// `Superseded` when another session has recorded another experiment since this one opened the folder.
    pub(crate) fn invalidate_if_stale(&self, inputs: &InputDigest, to_fit: bool) -> Result<()> {
        let _lock = self.lock()?;
        if self.is_of_another_experiment(inputs)? {
            return Err(self.superseded());
        }
        if to_fit || self.tables()?.is_none_or(|tables| tables.inputs != *inputs) {
            self.retire_all()?;
        }
        self.write(&self.root.join(CURRENT), &json_text(inputs)?)
    }

    /// Whether the folder still stands for what tables or a page were made from.
    ///
    /// # Errors
    /// `Superseded` when a session with other settings, data or programs has taken the folder over.
    pub fn check_inputs(&self, inputs: &InputDigest) -> Result<()> {
        let current: Option<InputDigest> =
            self.read(&self.root.join(CURRENT))?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let is_other = current.is_some_and(|now| now != *inputs) || self.is_of_another_experiment(inputs)?;
        if is_other { Err(self.superseded()) } else { Ok(()) }
    }

    fn is_of_another_experiment(&self, inputs: &InputDigest) -> Result<bool> {
        let text =
            self.read(&self.root.join("experiment.toml"))?.and_then(|bytes| String::from_utf8(bytes).ok());
        let stored = text.and_then(|text| Experiment::parse(&text).ok());
        Ok(stored.is_some_and(|experiment| settings_digest(&experiment) != inputs.settings))
    }

    fn superseded(&self) -> EngineError {
        EngineError::Superseded { path: self.root.clone() }
    }

    /// Puts a page of these inputs in its place in the run; returns what a user should be told.
    ///
    /// # Errors
    /// `Superseded` when the folder stands for something else by now.
    pub fn publish(&self, page: Output<'_>, inputs: &InputDigest) -> Result<Vec<String>> {
        let _lock = self.lock()?;
        self.check_inputs(inputs)?;
        page.publish()
    }

    /// Replaces the tables by these. Tables that lack fits never take the place of richer ones.
    ///
    /// # Errors
    /// `Superseded` when the folder stands for something else by now.
    pub fn write_tables(
        &self,
        inputs: &InputDigest,
        missing: usize,
        files: &[(String, Vec<u8>)],
    ) -> Result<()> {
        let _lock = self.lock()?;
        self.check_inputs(inputs)?;
        let folder = self.results();
        let mut new = Contents::of(OutputKind::Tables, inputs, missing);
        files.iter().for_each(|(name, bytes)| new.add(name, bytes));
        if let Some(old) = self.tables()?.filter(|old| *old == new || old.missing < missing)
            && old.inputs == *inputs
            && Standing::of(self.disk, &folder)? == Standing::Intact
        {
            if old.missing < missing {
                let lost = missing - old.missing;
                self.notice([format!(
                    "{lost} fits that the tables were made from are missing or damaged by now; the tables were left as they are"
                )]);
            }
            return Ok(());
        }
        let mut output = Output::begin(self.disk, &folder, new)?;
        files.iter().try_for_each(|(name, bytes)| output.write(name, bytes))?;
        self.notice(output.publish()?);
        Ok(())
    }

    /// Whether tables are there, whole and of one piece.
    pub fn has_tables(&self) -> Result<bool> {
        Ok(self.tables()?.is_some() && self.results().join("scores.csv").exists())
    }

    /// The record of the tables in place.
    fn tables(&self) -> Result<Option<Contents>> {
        Contents::read(self.disk, &self.results()).map_err(|e| EngineError::io("read", &self.results(), e))
    }

    /// Removes tables and pages of ours.
    pub(crate) fn remove_derived(&self) -> Result<()> {
        let _lock = self.lock()?;
        self.retire_all()
    }

    fn retire_all(&self) -> Result<()> {
        let mut derived = vec![self.results()];
        // Reports under changed settings are of the same cells and data. A folder of the user's by the same
        // name stays.
        for page in self.list(&self.root)?.into_iter().filter(|path| is_page_name(path)) {
            if is_ours(self.disk, &page, OutputKind::Report)? {
                derived.push(page);
            }
        }
        for folder in derived {
            self.notice(retire(self.disk, &folder)?);
        }
        Ok(())
    }

    /// Waits until no other session changes what is derived, which takes it as long as files are written.
    /// Where the file system knows no locks, nobody waits.
    fn lock(&self) -> Result<Option<File>> {
        self.create_folder(&self.root.join("log"))?;
        let file = open_lock(&self.root.join(LOCK)).ok();
        Ok(file.filter(|file| file.lock().is_ok()))
    }
}

/// `report`, or `report-` and eight digits: a report under changed settings.
fn is_page_name(path: &Path) -> bool {
    let is_hash = |rest: &str| rest.len() == 8 && rest.bytes().all(|b| b.is_ascii_hexdigit());
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let is_changed = |rest: &str| rest == "incomplete" || is_hash(rest);
    path.is_dir() && (name == "report" || name.strip_prefix("report-").is_some_and(is_changed))
}
