//! Gzip, which every browser since 2023 unpacks by itself.

use std::io::Write;

use flate2::{Compression, GzBuilder};

use crate::{Result, error::problem};

/// The parts one after the other, packed. Without a time, so that the same page has the same bytes.
pub(super) fn gzip(parts: &[&[u8]], level: Compression) -> Result<Vec<u8>> {
    let failed = |e: std::io::Error| problem("page", &e);
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), level);
    for part in parts {
        encoder.write_all(part).map_err(failed)?;
    }
    encoder.finish().map_err(failed)
}
