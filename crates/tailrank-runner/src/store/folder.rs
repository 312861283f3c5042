//! Whether a folder may become a run's, or is one: a folder that others use is refused before anything is
//! written to it.

use super::{current::LOCK, lock::owner_of, output::listed, *};

/// Accepts a folder that is missing, empty, a run, what a session that was stopped at once left, or a run
/// whose `run.json` is damaged or gone while its cells are there.
pub(super) fn check(store: &Store<'_>) -> Result<()> {
    check_links(store)?;
    let entries = store.list(&store.root)?;
    let found = store.read(&store.root.join("run.json"))?;
    let is_run = |found: &Option<Vec<u8>>| found.as_ref().is_some_and(|bytes| Manifest::read(bytes).is_ok());
    let has_work = || Ok(!store.files()?.is_empty() || !store.events().entries()?.is_empty());
    if entries.is_empty() || is_run(&found) || has_work()? {
        return Ok(());
    }
    let what = match found {
        Some(_) => "its run.json is not of tailrank, or damaged, and no fit is stored".to_owned(),
        // Another worker may have begun the run while this one looked.
        None if is_begun(store, &store.root)? || is_run(&store.read(&store.root.join("run.json"))?) => {
            return Ok(());
        }
        None => {
            let name = |path: &PathBuf| path.file_name().map(|n| n.to_string_lossy().into_owned());
            let names: Vec<String> = entries.iter().filter_map(name).collect();
            format!("it holds other files ({}) and no run.json", listed(&names))
        }
    };
    Err(store.refuse(format!("{what}; give a new or empty folder with --out DIR, or move these files away")))
}

/// Refuses a run whose folders are links: they may lead anywhere.
pub(super) fn check_links(store: &Store<'_>) -> Result<()> {
    for name in ["log/workers", "results", "cells", "scored", "log", "log/tmp", "log/damaged"] {
        if store.root.join(name).is_symlink() {
            let reason = format!("{name} is a link; put the folder that it leads to in its place");
            return Err(store.refuse(reason));
        }
    }
    Ok(())
}

/// Whether nothing is there but empty folders, and what a session makes before `run.json`: its lock, and
/// files on their way.
fn is_begun(store: &Store<'_>, folder: &Path) -> Result<bool> {
    for path in store.list(folder)? {
        let is_of_process = folder.ends_with("log/tmp") && owner_of(&path, "").is_some();
        let is_ours = is_of_process || path == store.root.join(LOCK);
        if !is_ours && (!path.is_dir() || !is_begun(store, &path)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{super::disk::RealDisk, *};

    fn open(root: &Path) -> Option<String> {
        Store::open(&RealDisk, root, "name = \"t\"\n", "t").err().map(|e| e.to_string())
    }

    #[test]
    fn only_folders_of_ours_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str, files: &[(&str, &str)]| {
            let root = dir.path().join(name);
            fs::create_dir(&root).unwrap();
            for (file, text) in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            root
        };
        let cell = format!("cells/00/{}.{}.parquet", "0".repeat(32), "1".repeat(32));
        assert_eq!(open(&dir.path().join("missing/deep")), None);
        assert_eq!(open(&folder("empty", &[])), None);
        assert_eq!(open(&folder("cells", &[(&cell, "x")])), None, "cells alone are enough");
        assert_eq!(open(&folder("damaged", &[("run.json", "{"), (&cell, "x")])), None);
        let scratch = format!("log/tmp/{}/0", super::super::lock::process_name());
        assert_eq!(open(&folder("begun", &[(&scratch, "half")])), None);

        for (name, files) in [
            ("data", &[("prices.csv", "1")][..]),
            ("tables", &[("results/prices.csv", "1")]),
            ("other", &[("run.json", "{ \"tool\": 1 }")]),
            ("page", &[("report/index.html", "<h1>mine</h1>")]),
            ("logs", &[("log/tmp/mine.txt", "1")]),
        ] {
            let root = folder(name, files);
            let refused = open(&root).unwrap_or_default();
            assert!(refused.contains("--out DIR"), "{name}: {refused}");
            for (file, text) in files {
                assert_eq!(fs::read_to_string(root.join(file)).unwrap(), *text, "{name}");
            }
            assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "{name}: nothing was added");
        }
        let many = folder("many", &[("a", ""), ("b", ""), ("c", ""), ("d", "")]);
        assert!(open(&many).unwrap_or_default().contains("(a, b, c and 1 more)"));
    }
}
