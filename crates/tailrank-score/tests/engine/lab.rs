//! A small laboratory: experiments over made-up data, in a folder of their own.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tailrank_data::Library;
use tailrank_experiment::{
    Result,
    plan::{InputDigest, Plan},
};
use tailrank_models::Cancel;
use tailrank_runner::{
    run::{self, RunOptions, RunSummary},
    store::{
        Contents, Event, Output, OutputKind, Store,
        disk::{Disk, RealDisk},
    },
};
use tailrank_score::score::{self, Results};

/// Everything but the tables and the models.
pub(crate) const FRAME: &str = r#"
name = "lab"
seed = 7
inference = { enabled = false }
[split]
kind = "fraction"
train = 0.5
[relevance]
low = -1.5
high = 1.5
[measures]
list = ["mad", "mse", "precision", "recall", "f"]
t_l = 0.8
[compare]
permutations = 50
"#;

/// Six cells: three debug variants on two tables.
pub(crate) const SIX: &str = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }, { name = "b", file = "b.csv", target = "y" }]
[[models]]
family = "debug"
grid = { id = [0, 1, 2] }
"#;

/// Every family but `linear`: some scale inputs or targets, some draw at random, some remember.
pub(crate) const OTHER_FAMILIES: &str = r#"
[[models]]
family = "cart"
[[models]]
family = "forest"
grid = { trees = 5 }
[[models]]
family = "boost"
grid = { trees = 5, subsample = 0.5 }
[[models]]
family = "knn"
grid = { k = 3 }
[[models]]
family = "svm"
grid = { cost = 1, gamma = 0.1 }
[[models]]
family = "nnet"
grid = { size = 2, decay = 0.1, standardise = true }
[[models]]
family = "mars"
"#;

pub(crate) struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    pub(crate) fn new() -> Self {
        let lab = Self { folder: tempfile::tempdir().unwrap() };
        lab.write("a.csv", &table(60, 1.3));
        lab.write("b.csv", &table(50, 1.9));
        lab
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn try_plan(&self, text: &str) -> Result<Plan> {
        Plan::from_text(text, Path::new("lab.toml"), self.folder.path(), &Library::default())
    }

    pub(crate) fn plan(&self, text: &str) -> Arc<Plan> {
        Arc::new(self.try_plan(text).unwrap())
    }

    /// Six cells, planned.
    pub(crate) fn six(&self) -> Arc<Plan> {
        self.plan(&format!("{FRAME}{SIX}"))
    }
}

/// A table whose target swings between −3 and 3.
pub(crate) fn table(rows: usize, pace: f64) -> String {
    let mut text = "x1,x2,y\n".to_owned();
    for i in 0..rows {
        let t = i as f64;
        let _ = writeln!(text, "{},{},{}", (t * 0.7).cos(), (t * 0.3).sin(), 3.0 * (t * pace).sin());
    }
    text
}

/// The whole road from a plan to tables.
pub(crate) fn whole(
    plan: &Arc<Plan>,
    root: &Path,
    disk: &dyn Disk,
    jobs: usize,
) -> Result<(RunSummary, Results)> {
    let store = Store::open(disk, root, &plan.text, &plan.experiment.name)?;
    let options = RunOptions { jobs, ..RunOptions::default() };
    let summary = run::run(plan, &store, &options, &Cancel::default(), &mut ())?;
    let results = score::results(plan, &store)?;
    score::write_results(&results, &store)?;
    Ok((summary, results))
}

/// Fits some cells and derives nothing.
pub(crate) fn part(plan: &Arc<Plan>, root: &Path, only: Vec<usize>) -> Result<RunSummary> {
    let store = Store::open(&Unsynced, root, &plan.text, &plan.experiment.name)?;
    let options = RunOptions { jobs: 2, only: Some(only), ..RunOptions::default() };
    run::run(plan, &store, &options, &Cancel::default(), &mut ())
}

/// A page as a report writes it, with its record.
pub(crate) fn write_page(root: &Path) {
    let mut page = Output::begin(
        &Unsynced,
        &root.join("report"),
        Contents::of(OutputKind::Report, &InputDigest::default(), 0),
    )
    .unwrap();
    for (name, text) in [("index.html", "a page"), ("tasks/1.js", "a task")] {
        page.write(name, text.as_bytes()).unwrap();
    }
    page.publish().unwrap();
}

pub(crate) fn events(root: &Path) -> Vec<Event> {
    Store::open_existing(&RealDisk, root).unwrap().0.events().read().unwrap()
}

/// How often each cell was stored.
pub(crate) fn stored(root: &Path) -> BTreeMap<String, usize> {
    let mut count = BTreeMap::new();
    for event in events(root) {
        if let Event::Stored { cell, .. } = event {
            *count.entry(cell).or_default() += 1;
        }
    }
    count
}

/// Every file below a folder, by relative path.
pub(crate) fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for path in entries.map(|e| e.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

pub(crate) fn cell_files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    snapshot(&root.join("cells"))
}

/// Everything that is the same however often a run was stopped: its cells and its tables.
pub(crate) fn outputs(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = snapshot(&root.join("results"));
    assert!(found.keys().all(|name| name.components().count() == 1), "tables only");
    found.extend(cell_files(root).into_iter().map(|(name, bytes)| (Path::new("cells").join(name), bytes)));
    found
}

/// The real file system without its syncs, which only a power failure could tell apart.
pub(crate) struct Unsynced;

impl Disk for Unsynced {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        RealDisk.create_dir(path)
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        RealDisk.write(path, bytes)
    }
    fn sync_file(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)
    }
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        RealDisk.append(path, bytes)
    }
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealDisk.read(path)
    }
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        RealDisk.list(path)
    }
}
