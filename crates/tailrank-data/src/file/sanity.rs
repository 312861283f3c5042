//! Whether a Parquet file's counts are sane.
//!
//! polars sets memory aside for as many items, values and bytes as a file claims to have. Where a damaged file claims absurd
//! numbers, that ends the program, and no error can stop it: so they are looked at first.

use crate::thrift::{Reader, Value};

/// More than any schema takes, less than would hurt.
const LARGEST_FOOTER: usize = 64 << 20;

/// Whether metadata and page headers hold what they announce. What is unusual but not absurd is left to the reader.
pub(super) fn is_sane(file: &[u8]) -> bool {
    let Some((_, footer)) = file.strip_suffix(b"PAR1").and_then(split_footer) else { return false };
    if footer.len() > LARGEST_FOOTER {
        return false;
    }
    let Some(metadata) = Reader::new(footer).structure(0) else { return false };
    let groups = metadata.list(4).unwrap_or_default();
    groups.iter().flat_map(|group| group.list(1).unwrap_or_default()).all(|chunk| pages_of(file, chunk))
}

/// The metadata stand before their length, at the end.
fn split_footer(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let (rest, length) = body.split_last_chunk::<4>()?;
    rest.split_at_checked(rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?)
}

/// Whether no page of a column claims to hold more than its column.
fn pages_of(file: &[u8], chunk: &Value<'_>) -> bool {
    let Some(meta) = chunk.field(3) else { return true };
    let (Some(values), Some(size), Some(data)) = (meta.int(5), meta.int(7), meta.int(9)) else { return true };
    let start = meta.int(11).filter(|dictionary| (1..data).contains(dictionary)).unwrap_or(data);
    let range = |start: usize, size: usize| file.get(start..start.checked_add(size)?);
    let (Ok(start), Ok(size)) = (usize::try_from(start), usize::try_from(size)) else { return false };
    let Some(mut rest) = range(start, size) else { return false };
    while !rest.is_empty() {
        let mut reader = Reader::new(rest);
        // Some writers count a column's bytes a little short: its last page is then cut here, not in the file.
        let Some(header) = reader.structure(0) else { return true };
        if !counts(&header, values) {
            return false;
        }
        let Some(size) = header.int(3).and_then(|size| usize::try_from(size).ok()) else { return false };
        let Some(next) = reader.rest().get(size..) else { return true };
        rest = next;
    }
    true
}

/// The numbers of a page's header; a dictionary may hold more values than its column uses.
fn counts(header: &Value<'_>, values: i64) -> bool {
    let count = |page: i16, field: i16| header.field(page).and_then(|h| h.int(field)).unwrap_or(0);
    let first = header.int(2).unwrap_or(0) >= 0 && (0..=values).contains(&count(5, 1)) && count(7, 1) >= 0;
    let second = [1, 2, 3].iter().all(|field| (0..=values).contains(&count(8, *field)));
    first && second && count(8, 5) >= 0 && count(8, 6) >= 0
}
