//! `run.json`: which format a run has and which experiment it was made from.

use super::*;

/// Raised when files of a run change their meaning. In format 1 keys and seeds of cells came from the whole
/// data.
const FORMAT: u32 = 2;

/// Where the manifest is.
const RECORD: &str = "run.json";

/// The exact text that the run was made from.
const EXPERIMENT: &str = "experiment.toml";

/// What `run.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Format of the run's files.
    pub format: u32,
    /// The experiment's name.
    pub name: String,
    /// Checksum of `experiment.toml`.
    pub experiment: String,
    /// Checksum of all other fields: tells a damaged file from one of another version.
    #[serde(default)]
    pub checksum: String,
}

impl Manifest {
    fn new(experiment: &str, name: &str) -> Result<Self> {
        let experiment = digest(experiment.as_bytes());
        let mut manifest =
            Self { format: FORMAT, name: name.to_owned(), experiment, checksum: String::new() };
        let fields = serde_json::to_vec(&manifest).map_err(|e| EngineError::internal("run.json", e))?;
        manifest.checksum = checksum(&fields).unwrap_or_default();
        Ok(manifest)
    }

    /// Reads a manifest of any version; the reason if it is none, or damaged.
    pub fn read(bytes: &[u8]) -> std::result::Result<Self, String> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        let intact = manifest.checksum.is_empty() || checksum(bytes).as_ref() == Some(&manifest.checksum);
        if intact { Ok(manifest) } else { Err("its checksum does not match".to_owned()) }
    }
}

/// The digest of every field but the checksum, in the order of their names: fields of a later version count
/// as well.
fn checksum(bytes: &[u8]) -> Option<String> {
    let mut fields: BTreeMap<String, Value> = serde_json::from_slice(bytes).ok()?;
    fields.remove("checksum");
    Some(digest(&serde_json::to_vec(&fields).ok()?))
}

/// Refuses a run of another format or experiment, before anything is written.
pub(super) fn check(store: &Store<'_>, name: &str) -> Result<()> {
    // A damaged manifest is replaced; a whole one of another format is never touched.
    let found = store.read(&store.root.join(RECORD))?;
    let Some(old) = found.and_then(|bytes| Manifest::read(&bytes).ok()) else { return Ok(()) };
    check_format(store, &old)?;
    // A changed experiment goes on in its folder; another one would take it over.
    if old.name == name {
        return Ok(());
    }
    Err(store.refuse(format!(
        "it holds a run of experiment '{}', not of '{name}'; choose another folder (--out DIR) or delete \
         this one",
        old.name
    )))
}

/// Writes the experiment and the manifest. An older manifest is replaced: cells are found by their keys
/// alone, so a changed experiment reuses exactly the cells it did not touch.
pub(super) fn record(store: &Store<'_>, experiment: &str, name: &str) -> Result<()> {
    let (path, text_path) = (store.root.join(RECORD), store.root.join(EXPERIMENT));
    let record = json_text(&Manifest::new(experiment, name)?)?;
    let old = store.read(&path)?;
    if old.as_ref() != Some(&record) {
        store.remove_derived()?;
    }
    let known = old.as_deref().map(Manifest::read);
    match &known {
        // Before the experiment, so that a session that is stopped at once leaves a folder that is known as a
        // run's.
        None => store.write(&path, &record)?,
        Some(Err(_)) => store.keep_aside(&path, "was damaged")?,
        Some(Ok(_)) => {}
    }
    // A text that is not what the old manifest says was edited in the run's folder.
    let recorded = known.and_then(std::result::Result::ok).map(|old| old.experiment);
    let is_ours = |text: &Vec<u8>| text == experiment.as_bytes() || recorded == Some(digest(text));
    if store.read(&text_path)?.is_some_and(|text| !is_ours(&text)) {
        store.keep_aside(&text_path, "was changed by hand")?;
    }
    store.write(&text_path, experiment.as_bytes())?;
    store.write(&path, &record)
}

/// Reads the manifest and the experiment of an existing run.
pub(super) fn recall(store: &Store<'_>) -> Result<String> {
    let path = store.root.join(RECORD);
    let Some(bytes) = store.read(&path)? else { return Err(store.refuse(no_run(store))) };
    let restore = |what: &str| store.refuse(format!("{what}; run the experiment again to restore it"));
    let manifest = Manifest::read(&bytes).map_err(|e| restore(&format!("run.json is damaged ({e})")))?;
    check_format(store, &manifest)?;
    let path = store.root.join(EXPERIMENT);
    let bytes = store.read(&path)?.ok_or_else(|| restore("experiment.toml is missing"))?;
    if digest(&bytes) != manifest.experiment {
        return Err(restore("experiment.toml does not match run.json"));
    }
    String::from_utf8(bytes).map_err(|_| store.refuse("experiment.toml is not UTF-8"))
}

/// Why a folder without run.json is not a run, and which ones beside it are.
fn no_run(store: &Store<'_>) -> String {
    const SHOWN: usize = 8;
    let around =
        [parent(&store.root), Path::new("runs")].map(|folder| store.list(folder).unwrap_or_default());
    let is_run = |folder: &PathBuf| store.read(&folder.join(RECORD)).is_ok_and(|found| found.is_some());
    let runs: BTreeSet<PathBuf> = around.into_iter().flatten().filter(is_run).collect();
    let names: Vec<String> = runs.iter().take(SHOWN).map(|run| run.display().to_string()).collect();
    let what = if store.root.exists() { "it has no run.json" } else { "no such run" };
    let more = if runs.len() > SHOWN { ", …" } else { "" };
    match names.is_empty() {
        true => what.to_owned(),
        false => format!("{what}; there are {}{more}", names.join(", ")),
    }
}

fn check_format(store: &Store<'_>, manifest: &Manifest) -> Result<()> {
    if manifest.format == FORMAT {
        return Ok(());
    }
    Err(store.refuse(format!(
        "it has format {}, this version reads format {FORMAT}; use the version that made it or another \
         folder",
        manifest.format
    )))
}
