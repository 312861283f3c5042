//! Where the files of a page go: a folder, or one file that holds them all.

use super::stage::Stage;
use crate::Result;

/// Takes the files of a page.
pub(crate) trait Sink {
    /// One file, by its path inside the report.
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()>;

    /// Something that whoever writes the page should be told.
    fn notice(&mut self, notice: String);
}

impl Sink for Stage {
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        Self::write(self, name, bytes)
    }

    fn notice(&mut self, notice: String) {
        self.notices.push(notice);
    }
}
