//! Finished cells put in place, one by one or many together: as durable either way.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::{PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use tailrank_experiment::digest::{CellKey, digest};

use super::{SHARD_DIGITS, Store, disk::Disk, unique_name};
use crate::{EngineError, Result};

/// From this many cells on, one sync of the whole file system is tried before one of each file and folder.
const MANY: usize = 8;

/// Where a cell's share of such a sync takes longer than this, others are writing much: files are synced one
/// by one from then on.
const LONG: Duration = Duration::from_millis(20);

impl Store<'_> {
    /// Puts a finished cell in place, durably.
    pub fn write_cell(&self, key: &CellKey, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.cell_path(key, bytes)?;
        self.write(&path, bytes)?;
        Ok(path)
    }

    /// Puts finished cells in place, durably. As with a single one no file has its name before its content is
    /// durable, and all names are durable at the end.
    pub(crate) fn write_cells(&self, cells: &[(&CellKey, &[u8])]) -> Result<()> {
        if let [(key, bytes)] = cells {
            return self.write_cell(key, bytes).map(drop);
        }
        let targets =
            cells.iter().map(|(key, bytes)| self.cell_path(key, bytes)).collect::<Result<Vec<_>>>()?;
        let files: Vec<PathBuf> = cells.iter().map(|_| self.scratch().join(unique_name())).collect();
        let placed = self.place(cells, &files, &targets);
        if placed.is_err() {
            // The first error is the one to report; a temporary file left behind is harmless.
            files.iter().for_each(|file| self.discard(file));
        }
        placed
    }

    fn place(&self, cells: &[(&CellKey, &[u8])], files: &[PathBuf], targets: &[PathBuf]) -> Result<()> {
        for ((file, target), (_, bytes)) in files.iter().zip(targets).zip(cells) {
            self.disk.write(file, bytes).map_err(|e| EngineError::io("write", target, e))?;
        }
        let each: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        self.sync_many(cells.len(), &each, |disk, file| disk.sync_file(file))?;
        for (file, target) in files.iter().zip(targets) {
            self.disk.rename(file, target).map_err(|e| EngineError::io("write", target, e))?;
        }
        let folders: BTreeSet<&Path> = targets.iter().filter_map(|target| target.parent()).collect();
        let folders: Vec<&Path> = folders.into_iter().collect();
        self.sync_many(cells.len(), &folders, |disk, folder| disk.sync_dir(folder))
    }

    /// Makes files or folders durable: all at once where that is possible and pays.
    fn sync_many(
        &self,
        cells: usize,
        paths: &[&Path],
        sync: fn(&dyn Disk, &Path) -> io::Result<()>,
    ) -> Result<()> {
        if cells >= MANY && !self.syncs_one_by_one.load(Ordering::Relaxed) {
            let started = Instant::now();
            let all = self.disk.sync_all(&self.root).map_err(|e| EngineError::io("sync", &self.root, e))?;
            let is_long = started.elapsed() > LONG.saturating_mul(cells as u32);
            self.syncs_one_by_one.store(!all || is_long, Ordering::Relaxed);
            if all {
                return Ok(());
            }
        }
        paths.iter().try_for_each(|path| sync(self.disk, path).map_err(|e| EngineError::io("sync", path, e)))
    }

    /// Where a cell's file belongs.
    fn cell_path(&self, key: &CellKey, bytes: &[u8]) -> Result<PathBuf> {
        let shard = self.shard(&key.as_str()[..SHARD_DIGITS])?;
        Ok(shard.join(format!("{}.{}.parquet", key.as_str(), digest(bytes))))
    }

    /// The folder of a shard; its own entry is made durable once a session.
    fn shard(&self, name: &str) -> Result<PathBuf> {
        let folder = self.cells().join(name);
        let mut known = self.shards.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains(name) {
            self.disk.create_dir(&folder).map_err(|e| EngineError::io("create", &folder, e))?;
            self.disk.sync_dir(&self.cells()).map_err(|e| EngineError::io("sync", &self.cells(), e))?;
            known.insert(name.to_owned());
        }
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::disk::{Disk, RealDisk},
        *,
    };

    #[test]
    fn many_cells_come_back_as_one_by_one() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&RealDisk, dir.path(), "name = \"t\"\n", "t").unwrap();
        for count in [0, 1, 3, 40] {
            let cells: Vec<(CellKey, Vec<u8>)> =
                (0..count).map(|i| (CellKey::of(&format!("{count} {i}")), vec![i as u8; 100])).collect();
            let before = store.finished().unwrap().len();
            let each: Vec<(&CellKey, &[u8])> = cells.iter().map(|(k, b)| (k, b.as_slice())).collect();
            store.write_cells(&each).unwrap();
            let files = store.files().unwrap();
            assert_eq!(files.len(), before + count);
            for (key, bytes) in &cells {
                assert_eq!(store.read_cell(&files[key][0]).unwrap().as_deref(), Some(bytes.as_slice()));
            }
        }
        // What is left of files on their way is the sign that this process lives.
        assert!(RealDisk.list(&store.scratch()).unwrap().len() <= 1);
    }
}
