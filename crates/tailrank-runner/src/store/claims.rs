//! Which cells a session is at, so that several sessions of one folder never fit the same cell at the same
//! time.
//!
//! A claim is a lock on one byte of `log/claims`, at a place that the cell's key names. The system gives it
//! back when the process ends, however it ends, so that no claim outlives its session; and it takes no file
//! of its own, however many cells there are.

use std::fs::File;

use tailrank_experiment::digest::CellKey;

use super::Store;

/// The claims of one session.
pub(crate) struct CellLocks {
    /// None where nothing can be claimed: then every cell is free.
    file: Option<File>,
}

impl Store<'_> {
    /// The claims of a session. A worker's cells are its own: it claims none.
    pub(crate) fn claims(&self) -> CellLocks {
        if self.is_worker() {
            return CellLocks { file: None };
        }
        let path = self.root.join("log/claims");
        // Without locks a cell may be fitted twice, to the same bytes.
        CellLocks {
            file: File::options().create(true).truncate(false).read(true).write(true).open(path).ok(),
        }
    }
}

impl CellLocks {
    /// CellLocks a cell; false where another session has it.
    pub(crate) fn claim(&self, key: &CellKey) -> bool {
        self.lock(key, Change::Claim)
    }

    /// Gives a cell back.
    pub(crate) fn release(&self, key: &CellKey) {
        self.lock(key, Change::Release);
    }

    /// Whether no other session has a cell.
    pub(crate) fn is_free(&self, key: &CellKey) -> bool {
        let free = self.claim(key);
        if free {
            self.release(key);
        }
        free
    }

    #[cfg(target_os = "linux")]
    fn lock(&self, key: &CellKey, change: Change) -> bool {
        use nix::{
            errno::Errno,
            fcntl::{FcntlArg, fcntl},
            libc,
        };
        let Some(file) = &self.file else { return true };
        let kind = match change {
            Change::Claim => libc::F_WRLCK,
            Change::Release => libc::F_UNLCK,
        };
        // Places are whole numbers of 63 bits; 60 of the key's are enough to tell cells apart.
        let place = i64::from_str_radix(&key.as_str()[..15], 16).unwrap_or(0);
        let lock = libc::flock {
            l_type: kind as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: place,
            l_len: 1,
            l_pid: 0,
        };
        // Where the file system knows no locks, every cell is free.
        !matches!(fcntl(file, FcntlArg::F_OFD_SETLK(&lock)), Err(Errno::EAGAIN | Errno::EACCES))
    }

    #[cfg(not(target_os = "linux"))]
    fn lock(&self, _: &CellKey, _: Change) -> bool {
        true
    }
}

#[derive(Clone, Copy)]
enum Change {
    Claim,
    Release,
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{super::disk::RealDisk, *};

    #[test]
    fn a_claim_keeps_others_away_until_it_is_given_back() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&RealDisk, dir.path(), "name = \"t\"\n", "t").unwrap();
        let (mine, yours) = (store.claims(), store.claims());
        let (a, b) = (CellKey::of("a"), CellKey::of("b"));
        assert!(mine.claim(&a) && mine.claim(&a), "one session may ask twice");
        assert!(!yours.claim(&a) && !yours.is_free(&a) && yours.claim(&b));
        mine.release(&a);
        assert!(yours.is_free(&a) && mine.is_free(&a));
        assert!(!mine.is_free(&b));
        drop(yours);
        assert!(mine.is_free(&b), "a session that is gone has no claims");
    }
}
