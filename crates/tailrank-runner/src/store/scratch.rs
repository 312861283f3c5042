//! `log/tmp/<process>`: files on their way to their places, and those between a run and its programs.
//!
//! A process holds the lock in its folder as long as it has the run open. The system gives the lock back when
//! the process ends, however it ends, and shows it to everyone who sees the folder, also to another
//! container, which sees no number of a process.

use super::{
    lock::{LOCK, is_held},
    *,
};

/// Where the processes of a run have their folders.
pub(super) const SCRATCH: &str = "log/tmp";

impl<'d> Store<'d> {
    /// Makes the folder of this process, and removes those that killed processes left.
    pub(super) fn open_scratch(&self) -> Result<HeldFolder<'d>> {
        let held = HeldFolder::create(self.disk, self.scratch.clone())?;
        sweep(self.disk, &self.root.join(SCRATCH), "")?;
        Ok(held)
    }

    /// This process, as the logs call it.
    pub(crate) fn process(&self) -> &str {
        self.scratch.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Where this process writes files on their way, as programs in other folders see it.
    pub(crate) fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// Whether a process holds its folder in this run; none where it has none, or where locks tell nothing.
    pub(crate) fn process_is_running(&self, process: &str) -> Option<bool> {
        is_held(&inside(&self.root.join(SCRATCH), process)?.join(LOCK))
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, process};

    use super::{
        super::{disk::RealDisk, host_name, lock::hold},
        *,
    };

    #[test]
    fn what_the_dead_left_goes_and_what_the_living_write_stays() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Store::open(&RealDisk, dir.path(), "name = \"t\"\n", "t").unwrap();
        drop(open());
        let folder = dir.path().join("log/tmp");
        let (here, mark) = (host_name(), "0123456789abcdef");
        let dead = format!("{here}.{}.{mark}", i32::MAX);
        // As another container sees it: the name of this machine, and a number that is nobody's here.
        let unseen = format!("{here}.{}.{mark}", i32::MAX - 1);
        let reborn = format!("{here}.{}.{mark}", process::id());
        let far = format!("elsewhere.7.{mark}");
        for name in [&dead, &unseen, &reborn, &far, "mine"] {
            fs::create_dir(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("0"), "half").unwrap();
            fs::write(folder.join(name).join(LOCK), "").unwrap();
        }
        let lock = hold(&folder.join(&unseen).join(LOCK));
        let store = open();
        assert_eq!(
            (
                store.process_is_running(&unseen),
                store.process_is_running("../x"),
                store.process_is_running(&dead)
            ),
            (Some(true), None, None)
        );
        let names = || {
            let entries = fs::read_dir(&folder).unwrap();
            entries
                .map(|e| e.unwrap().file_name().into_string().unwrap())
                .collect::<std::collections::BTreeSet<_>>()
        };
        let stays = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(names(), stays(&[&unseen, &far, "mine", store.process()]));
        drop(store);
        drop(lock);
        drop(open());
        assert_eq!(names(), stays(&[&far, "mine"]), "other machines have a week, strangers all time");
    }
}
