//! The power fails at any call: what was not synced is lost, torn or reordered. Nothing torn is believed, the
//! folder opens, cells that were lost are fitted again, and the run ends with the same bytes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
};

use rand::{RngExt, SeedableRng, rngs::SmallRng};
use tailrank_runner::store::disk::{Disk, RealDisk};

use crate::lab::{FRAME, Lab, SIX, Unsynced, cell_files, outputs, snapshot, whole, write_page};

/// A file's content as programs see it, and as the disk holds it.
#[derive(Clone, Default)]
struct Content {
    now: Vec<u8>,
    durable: Vec<u8>,
}

/// Which names there are, as programs see them and as the disk holds them.
#[derive(Default)]
struct Model {
    contents: Vec<Content>,
    now: BTreeMap<PathBuf, usize>,
    durable: BTreeMap<PathBuf, usize>,
    folders_now: BTreeSet<PathBuf>,
    folders_durable: BTreeSet<PathBuf>,
    calls: usize,
}

struct PowerLossDisk {
    root: PathBuf,
    model: Mutex<Model>,
    /// The call at which the power fails.
    off_at: usize,
}

impl PowerLossDisk {
    /// A disk that holds what is in `root`, all of it durable.
    fn new(root: &Path, off_at: usize) -> Self {
        let mut model = Model::default();
        for (name, bytes) in snapshot(root) {
            let path = root.join(name);
            model
                .folders_now
                .extend(path.ancestors().skip(1).filter(|f| f.starts_with(root)).map(Path::to_owned));
            model.now.insert(path, model.contents.len());
            model.contents.push(Content { now: bytes.clone(), durable: bytes });
        }
        model.durable.clone_from(&model.now);
        model.folders_durable.clone_from(&model.folders_now);
        Self { root: root.to_owned(), model: Mutex::new(model), off_at }
    }

    fn turn(&self) -> io::Result<()> {
        let mut model = self.model.lock().unwrap();
        model.calls += 1;
        if model.calls > self.off_at { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }

    /// What the disk holds when the power comes back, written to `target`.
    fn after(&self, random: &mut SmallRng, target: &Path) {
        let model = self.model.lock().unwrap();
        let moved = |path: &Path| target.join(path.strip_prefix(&self.root).unwrap());
        let mut folders = BTreeSet::from([self.root.clone()]);
        for folder in &model.folders_now {
            let is_there = model.folders_durable.contains(folder) || random.random_bool(0.5);
            if is_there && folder.parent().is_some_and(|parent| folders.contains(parent)) {
                folders.insert(folder.clone());
            }
        }
        for folder in &folders {
            fs::create_dir_all(moved(folder)).unwrap();
        }
        let names: BTreeSet<&PathBuf> = model.now.keys().chain(model.durable.keys()).collect();
        for name in names {
            let (now, durable) = (model.now.get(name), model.durable.get(name));
            let entry = if random.random_bool(0.5) { now } else { durable };
            let (Some(&file), true) = (entry, folders.contains(name.parent().unwrap())) else { continue };
            let Content { now, durable } = &model.contents[file];
            let bytes = match random.random_range(0..4) {
                _ if now == durable => now.clone(),
                0 => now.clone(),
                1 => durable.clone(),
                2 => now[..random.random_range(0..=now.len())].to_vec(),
                _ => vec![0; now.len()],
            };
            fs::write(moved(name), bytes).unwrap();
        }
    }
}

impl Disk for PowerLossDisk {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.turn()?;
        RealDisk.create_dir(path)?;
        let folders = path.ancestors().filter(|f| f.starts_with(&self.root)).map(Path::to_owned);
        self.model.lock().unwrap().folders_now.extend(folders);
        Ok(())
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.turn()?;
        RealDisk.write(path, bytes)?;
        let mut model = self.model.lock().unwrap();
        let new = model.contents.len();
        model.contents.push(Content { now: bytes.to_vec(), durable: Vec::new() });
        model.now.insert(path.to_owned(), new);
        Ok(())
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.turn()?;
        let mut model = self.model.lock().unwrap();
        let file = model.now[path];
        let now = model.contents[file].now.clone();
        model.contents[file].durable = now;
        Ok(())
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.turn()?;
        let mut model = self.model.lock().unwrap();
        let inside = |name: &Path| name.parent() == Some(path);
        let entries: Vec<(PathBuf, usize)> = model
            .now
            .iter()
            .filter(|(name, _)| inside(name))
            .map(|(name, file)| (name.clone(), *file))
            .collect();
        model.durable.retain(|name, _| !inside(name));
        model.durable.extend(entries);
        let folders: Vec<PathBuf> = model.folders_now.iter().filter(|f| inside(f)).cloned().collect();
        model.folders_durable.extend(folders);
        Ok(())
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.turn()?;
        RealDisk.rename(from, to)?;
        let mut model = self.model.lock().unwrap();
        let moved: Vec<PathBuf> = model.now.keys().filter(|name| name.starts_with(from)).cloned().collect();
        for name in moved {
            let file = model.now.remove(&name).unwrap();
            let rest = name.strip_prefix(from).unwrap();
            let name = if rest.as_os_str().is_empty() { to.to_owned() } else { to.join(rest) };
            model.now.insert(name, file);
        }
        let folders: Vec<PathBuf> =
            model.folders_now.iter().filter(|name| name.starts_with(from)).cloned().collect();
        for name in folders {
            model.folders_now.remove(&name);
            let rest = name.strip_prefix(from).unwrap();
            model.folders_now.insert(if rest.as_os_str().is_empty() { to.to_owned() } else { to.join(rest) });
        }
        Ok(())
    }
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.turn()?;
        RealDisk.append(path, bytes)?;
        let mut model = self.model.lock().unwrap();
        let new = model.contents.len();
        let file = *model.now.entry(path.to_owned()).or_insert(new);
        if file == new {
            model.contents.push(Content::default());
        }
        model.contents[file].now.extend_from_slice(bytes);
        Ok(())
    }
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.turn().and_then(|()| RealDisk.read(path))
    }
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.turn().and_then(|()| RealDisk.list(path))
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.turn()?;
        RealDisk.remove_folder(path)?;
        self.model.lock().unwrap().now.retain(|name, _| !name.starts_with(path));
        Ok(())
    }
}

#[allow(clippy::print_stdout)]
fn the_power_fails_at_any_call(models: &str, prepare: impl Fn(&Lab, &Path), seed: u64) {
    let lab = Lab::new();
    let plan = lab.plan(&format!("{FRAME}{models}"));
    let clean = lab.path("clean");
    fs::create_dir(&clean).unwrap();
    prepare(&lab, &clean);
    let counting = PowerLossDisk::new(&clean, usize::MAX);
    whole(&plan, &clean, &counting, 1).unwrap();
    let expected = outputs(&clean);
    let calls = counting.model.lock().unwrap().calls;
    assert!(calls > 60, "{calls} calls are too few to have gone through the whole road");
    let mut random = SmallRng::seed_from_u64(seed);
    let mut fitted_again = 0;
    for call in 0..=calls {
        let (before, after) = (lab.path(&format!("before-{call}")), lab.path(&format!("after-{call}")));
        fs::create_dir(&before).unwrap();
        prepare(&lab, &before);
        let disk = PowerLossDisk::new(&before, call);
        let _ = whole(&plan, &before, &disk, 1);
        disk.after(&mut random, &after);
        let is_whole = |(name, bytes): &(&PathBuf, &Vec<u8>)| {
            let sum = name.file_name().unwrap().to_str().unwrap().split('.').nth(1).unwrap();
            blake3::hash(bytes).to_hex().starts_with(sum)
        };
        let left = cell_files(&after);
        let (kept, torn): (Vec<_>, Vec<_>) = left.iter().partition(is_whole);
        let again = whole(&plan, &after, &Unsynced, 1);
        assert!(again.is_ok(), "call {call}: {:?}", again.err());
        let key = |name: &PathBuf| name.file_name().unwrap().to_str().unwrap()[..32].to_owned();
        let is_planned = |name: &PathBuf| plan.cells.iter().any(|cell| cell.key.as_str() == key(name));
        let reused = kept.iter().filter(|(name, _)| is_planned(name)).count();
        let damaged = torn.iter().filter(|(name, _)| is_planned(name)).count();
        let (summary, _) = again.unwrap();
        assert_eq!((summary.reused, summary.damaged), (reused, damaged), "call {call}");
        fitted_again += summary.fitted;
        assert!(outputs(&after) == expected, "call {call}: other bytes");
        fs::remove_dir_all(&before).unwrap();
        fs::remove_dir_all(&after).unwrap();
    }
    println!("{} losses of power, {fitted_again} fits made again", calls + 1);
    assert!(fitted_again > plan.cells.len(), "no cell was ever lost: the disk is too kind");
}

#[test]
fn power_fails_in_a_first_run() {
    the_power_fails_at_any_call(SIX, |_, _| (), 3);
}

#[test]
fn power_fails_in_a_changed_run() {
    let prepare = |lab: &Lab, root: &Path| {
        let one = SIX.replace("id = [0, 1, 2]", "id = [0, 5]");
        whole(&lab.plan(&format!("{FRAME}{one}")), root, &Unsynced, 1).unwrap();
        write_page(root);
    };
    the_power_fails_at_any_call(SIX, prepare, 7);
}
