//! Finished cells: one file each, put in place by a rename.
//!
//! Cells are a cache. A cell in place survives any kill; after a loss of power its file may be torn, which
//! its checksum shows, and it is fitted again. Nothing waits for the disk.

use tailrank_experiment::plan::{Cell, Plan};

use super::{cell_file::CellVariant, *};

/// Cells whose keys begin alike share a folder.
const SHARD_DIGITS: usize = 2;

/// The files of cells in place, by the key of their cell.
pub type Files = BTreeMap<CellKey, Vec<PathBuf>>;

/// A whole file of a cell, with what it holds.
pub struct CellContent<'f> {
    /// Where it is.
    pub path: &'f Path,
    /// What came of its variants, in the order of the cell.
    pub variants: Vec<CellVariant>,
}

/// What the files of one cell are worth.
#[derive(Default)]
pub struct CellFiles<'f> {
    /// The whole ones, the one that counts first.
    pub whole: Vec<CellContent<'f>>,
    /// Files that were damaged and are set aside.
    pub damaged: usize,
}

impl Store<'_> {
    /// Puts a finished cell in place.
    pub fn write_cell(&self, key: &CellKey, bytes: &[u8]) -> Result<PathBuf> {
        let shard = self.root.join(CELLS).join(&key.as_str()[..SHARD_DIGITS]);
        self.create_folder(&shard)?;
        if shard.is_symlink() {
            let link = io::Error::new(io::ErrorKind::InvalidInput, "it is a link; remove it");
            return Err(EngineError::io("write to", &shard, link));
        }
        let target = shard.join(format!("{}.{}.parquet", key.as_str(), digest(bytes)));
        self.write_atomically(&target, bytes, false)?;
        Ok(target)
    }

    /// The cells in place. Their content is not read.
    pub fn finished(&self) -> Result<BTreeSet<CellKey>> {
        Ok(self.files()?.into_keys().collect())
    }

    /// Every file of every cell, in order of their names. There are two of one cell where two workers fitted
    /// it and ended differently: one of them at a limit of time or memory, or by an engine of
    /// another crate on processors of different kinds.
    pub fn files(&self) -> Result<Files> {
        let mut found = Files::new();
        for shard in self.list(&self.root.join(CELLS))? {
            // A stray file or a link among the shards is none of ours.
            if shard.file_name().is_none_or(|n| n.len() != SHARD_DIGITS) || shard.is_symlink() {
                continue;
            }
            for path in self.list(&shard)? {
                if let Some((key, _)) = parse_name(&path) {
                    found.entry(key).or_default().push(path);
                }
            }
        }
        Ok(found)
    }

    /// Reads all files of a cell: one rule for running and for scoring. Where two workers ended it
    /// differently, the file with the fewest fits stopped by a limit counts, because a slow, suspended or
    /// smaller machine stops fits that succeed elsewhere; among equals the first by name, so that running and
    /// scoring agree.
    pub fn read_files<'f>(&self, plan: &Plan, cell: &Cell, files: &'f Files) -> Result<CellFiles<'f>> {
        let rows = plan.tasks[cell.task].predicted_rows(cell.split);
        let mut found = CellFiles::default();
        for path in files.get(&cell.key).into_iter().flatten() {
            let Some(bytes) = self.read_cell(path)? else {
                found.damaged += 1;
                continue;
            };
            match cell_file::decode_for(&bytes, &cell.key, rows, &cell.params) {
                Ok(variants) => found.whole.push(CellContent { path, variants }),
                Err(reason) => {
                    self.set_aside(path, &reason)?;
                    found.damaged += 1;
                }
            }
        }
        let stopped = |file: &CellContent<'_>| file.variants.iter().filter(|v| v.stopped_by_limit()).count();
        found.whole.sort_by_key(|file| (stopped(file), file.path));
        Ok(found)
    }

    /// A cell's bytes, if its file is in place and whole. A damaged file is set aside and logged, and so is a
    /// link, pipe or folder that somebody put in its place.
    pub fn read_cell(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        let problem = match self.disk.read(path) {
            Ok(bytes) if parse_name(path).is_some_and(|(_, sum)| sum == digest(&bytes)) => {
                return Ok(Some(bytes));
            }
            Ok(_) => "its content does not match its checksum",
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) if e.kind() == NOT_REGULAR => "it is not a regular file",
            Err(e) => return Err(EngineError::io("read", path, e)),
        };
        self.set_aside(path, problem)?;
        Ok(None)
    }

    /// Moves a damaged file out of the way and logs it.
    pub fn set_aside(&self, path: &Path, reason: &str) -> Result<()> {
        if self.move_to(path, &self.root.join(DAMAGED))?.is_none() {
            return Ok(());
        }
        let file = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        self.events().append(Event::Damaged { file, reason: reason.to_owned() })
    }
}

/// `<key>.<sum>.parquet`, both hexadecimal.
fn parse_name(path: &Path) -> Option<(CellKey, String)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".parquet")?;
    let (key, sum) = name.split_once('.')?;
    Some((CellKey::parse(key)?, is_digest(sum).then(|| sum.to_owned())?))
}
