//! What was found out about single tasks by the processes that fitted them, for the one that gathers.
//!
//! A cache: a file is taken for its key and its checksum alone, and anything else in its place is as good as
//! nothing.

use super::*;

impl Store<'_> {
    /// Keeps what was found out about the task at a place in the plan; `key` names all that it follows from.
    pub fn write_scored(&self, task: usize, key: &str, content: &[u8]) -> Result<()> {
        self.create_folder(&self.root.join(SCORED))?;
        let bytes = [seal(key, content).as_bytes(), content].concat();
        self.write_atomically(&self.scored(task), &bytes, false)
    }

    /// What is kept of a task under this key.
    pub fn read_scored(&self, task: usize, key: &str) -> Result<Option<Vec<u8>>> {
        let bytes = self.read(&self.scored(task))?.unwrap_or_default();
        let parts = bytes.split_at_checked(seal("", &[]).len());
        let whole = parts.filter(|(sealed, content)| *sealed == seal(key, content).as_bytes());
        Ok(whole.map(|(_, content)| content.to_vec()))
    }

    fn scored(&self, task: usize) -> PathBuf {
        self.root.join(SCORED).join(task.to_string())
    }
}

/// What a file begins with: nothing but this key and this content gives it.
fn seal(key: &str, content: &[u8]) -> String {
    digest(format!("{key} {}", digest(content)).as_bytes())
}
