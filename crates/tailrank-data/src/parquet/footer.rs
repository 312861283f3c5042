//! The metadata at the end of a file.

use super::{
    Found, MAGIC, OrDamaged, damaged,
    schema::{self, Field},
    thrift::{Reader, Value},
};

/// More than any schema takes, less than would hurt.
const LARGEST: usize = 64 << 20;

/// What a file says of itself.
pub(crate) struct Footer {
    pub(crate) fields: Vec<Field>,
    /// Rows, as far as they can be counted.
    pub(crate) rows: u64,
    /// Bytes of all pages once unpacked.
    pub(crate) stored: u64,
    pub(crate) notes: Vec<(String, String)>,
    pub(super) groups: Vec<Group>,
}

/// Some rows of all columns.
pub(super) struct Group {
    pub(super) rows: usize,
    pub(super) chunks: Vec<Chunk>,
}

/// Some rows of one column.
#[derive(Clone, Copy)]
pub(super) struct Chunk {
    /// Where its first page begins.
    pub(super) start: usize,
    pub(super) codec: i64,
}

impl Footer {
    pub(crate) fn of(file: &[u8]) -> Found<Self> {
        const DAMAGED: &str = "its metadata are damaged";
        let footer = file.strip_suffix(MAGIC).and_then(last_part).or_damaged(DAMAGED)?;
        if footer.len() > LARGEST {
            return damaged(DAMAGED);
        }
        let metadata = Reader::new(footer).structure(0).or_damaged(DAMAGED)?;
        let notes = metadata.list(5).unwrap_or_default();
        let notes = notes.iter().filter_map(|note| Some((note.text(1)?, note.text(2)?))).collect::<Vec<_>>();
        let (fields, leaves) = schema::fields(metadata.list(2).or_damaged(DAMAGED)?, &notes)?;
        let mut groups = Vec::new();
        let (mut rows, mut stored) = (0u64, 0u64);
        for group in metadata.list(4).or_damaged(DAMAGED)? {
            let count = |field: i16| group.int(field).and_then(|n| u64::try_from(n).ok()).or_damaged(DAMAGED);
            rows = rows.saturating_add(count(3)?);
            stored = stored.saturating_add(count(2)?);
            let chunks = group.list(1).or_damaged(DAMAGED)?;
            if chunks.len() != leaves {
                return damaged(format!("its schema has {leaves} columns, its rows have {}", chunks.len()));
            }
            let chunks = chunks.iter().map(chunk).collect::<Found<_>>()?;
            groups.push(Group { rows: usize::try_from(count(3)?).or(damaged(DAMAGED))?, chunks });
        }
        let claimed = metadata.int(3).and_then(|n| u64::try_from(n).ok()).or_damaged(DAMAGED)?;
        Ok(Self { fields, rows: rows.max(claimed), stored, notes, groups })
    }
}

/// The metadata stand before their length, at the end.
fn last_part(body: &[u8]) -> Option<&[u8]> {
    let (rest, length) = body.split_last_chunk::<4>()?;
    rest.get(rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?..)
}

fn chunk(chunk: &Value<'_>) -> Found<Chunk> {
    let meta = chunk.field(3).or_damaged("a column is stored in another file")?;
    let place = |field: i16| meta.int(field).and_then(|n| usize::try_from(n).ok());
    let data = place(9).or_damaged("a column has no pages")?;
    // A dictionary stands before the pages that use it; some writers say 0 where there is none.
    let start = place(11).filter(|dictionary| (1..data).contains(dictionary)).unwrap_or(data);
    Ok(Chunk { start, codec: meta.int(4).unwrap_or(0) })
}
