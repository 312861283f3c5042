//! Where the files of a page go: a folder, or one file that holds them all.

use crate::Result;

/// Takes the files of a page.
pub(crate) trait Sink {
    /// One file, by its path inside the report.
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()>;
}
