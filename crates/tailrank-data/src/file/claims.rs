//! What a Parquet file claims of itself, held against its size: polars sets memory aside for what is claimed.

use super::{
    guard::Refusal,
    prefixes::{self, Stored},
};
use crate::plain_parquet::{
    MAGIC,
    thrift::{Reader, Value},
};

/// More than any schema takes, less than would hurt.
const LARGEST_FOOTER: usize = 64 << 20;
/// Lists of structures of lists: deeper than any table, shallower than the stack.
const DEEPEST_SCHEMA: usize = 64;

type Found<T> = std::result::Result<T, Refusal>;

const METADATA: Refusal = Refusal::Damaged("its metadata are damaged");

/// What a file says of itself.
pub(super) struct Claims {
    pub(super) rows: u64,
    /// Bytes of all pages once unpacked.
    pub(super) stored: u64,
    fields: Vec<Field>,
    groups: Vec<Vec<Chunk>>,
}

/// A column of the table.
struct Field {
    /// Which of the stored columns it is, or the first below it.
    leaf: usize,
    /// Bytes that a value takes at least.
    width: u64,
    /// Whether values may be missing.
    optional: bool,
}

/// Some rows of a stored column.
struct Chunk {
    pages: std::ops::Range<usize>,
    codec: i64,
    values: u64,
}

impl Claims {
    pub(super) fn of(file: &[u8]) -> Found<Self> {
        let footer = file.strip_suffix(MAGIC).and_then(last_part).ok_or(METADATA)?;
        if footer.len() > LARGEST_FOOTER {
            return Err(METADATA);
        }
        let metadata = Reader::new(footer).structure(0).ok_or(METADATA)?;
        let (fields, leaves) = fields(metadata.list(2).ok_or(METADATA)?)?;
        let (mut rows, mut stored, mut groups) = (0u64, 0u64, Vec::new());
        for group in metadata.list(4).ok_or(METADATA)? {
            let own = count(group, 3)?;
            rows = rows.saturating_add(own);
            stored = stored.saturating_add(count(group, 2)?);
            let chunks = group.list(1).ok_or(METADATA)?;
            if chunks.len() != leaves {
                return Err(Refusal::Damaged("its schema and its rows have different numbers of columns"));
            }
            groups.push(chunks.iter().map(|chunk| Chunk::of(chunk, file.len())).collect::<Found<_>>()?);
        }
        if count(&metadata, 3)? != rows {
            return Err(Refusal::Damaged("it has another number of rows than it announces"));
        }
        Ok(Self { rows, stored, fields, groups })
    }

    /// Goes from page to page of a column; what they unpack to is taken from `left`.
    pub(super) fn check_pages(&self, file: &[u8], column: usize, left: &mut u64) -> Found<()> {
        let field = self.fields.get(column).ok_or(METADATA)?;
        for group in &self.groups {
            let chunk = group.get(field.leaf).ok_or(METADATA)?;
            chunk.check_pages(file, field, left)?;
        }
        Ok(())
    }
}

impl Chunk {
    fn of(chunk: &Value<'_>, file: usize) -> Found<Self> {
        let meta = chunk.field(3).ok_or(Refusal::Damaged("a column is stored in another file"))?;
        let place = |field: i16| meta.int(field).and_then(|n| usize::try_from(n).ok());
        let data = place(9).ok_or(METADATA)?;
        // A dictionary stands before the pages that use it; some writers say 0 where there is none.
        let start = place(11).filter(|dictionary| (1..data).contains(dictionary)).unwrap_or(data);
        let end = place(7).and_then(|size| start.checked_add(size)).filter(|end| *end <= file);
        let end = end.ok_or(Refusal::Damaged("a column ends behind the end of the file"))?;
        Ok(Self { pages: start..end, codec: meta.int(4).unwrap_or(0), values: count(meta, 5)? })
    }

    fn check_pages(&self, file: &[u8], field: &Field, left: &mut u64) -> Found<()> {
        const LZO: i64 = 3;
        if self.codec == LZO || !(0..=7).contains(&self.codec) {
            return Err(Refusal::Packed(self.codec));
        }
        let page = Refusal::Damaged("a page has no size");
        let (mut at, mut values) = (self.pages.start, 0u64);
        while values < self.values {
            let mut reader = Reader::new(file.get(at..self.pages.end).ok_or(METADATA)?);
            let Some(header) = reader.structure(0) else { return Err(page) };
            let (unpacked, packed) = (count(&header, 2)?, count(&header, 3)?);
            let bytes = usize::try_from(packed).ok().and_then(|packed| reader.take(packed));
            let bytes = bytes.ok_or(Refusal::Damaged("a page is cut short"))?;
            at += reader.place();
            *left = left.checked_sub(unpacked).ok_or(Refusal::TooLarge)?;
            match (header.field(5), header.field(7), header.field(8)) {
                (Some(data), ..) | (None, None, Some(data)) => {
                    values += count(data, 1)?;
                    self.check_prefixes(&header, bytes, field, left)?;
                }
                (None, Some(dictionary), _)
                    if count(dictionary, 1)?.saturating_mul(field.width) > unpacked =>
                {
                    return Err(Refusal::Damaged("a dictionary has fewer values than it announces"));
                }
                _ => {}
            }
        }
        if values == self.values {
            Ok(())
        } else {
            Err(Refusal::Damaged("a column has more values than rows"))
        }
    }

    /// A page of texts that share their beginnings must not claim more than it has; what they are put together is taken from `left`.
    fn check_prefixes(&self, header: &Value<'_>, bytes: &[u8], field: &Field, left: &mut u64) -> Found<()> {
        const DELTA_BYTE_ARRAY: i64 = 7;
        let (first, second) = (header.field(5), header.field(8));
        let encoding = first.and_then(|page| page.int(2)).or_else(|| second.and_then(|page| page.int(4)));
        if encoding != Some(DELTA_BYTE_ARRAY) {
            return Ok(());
        }
        let size = |n: u64| usize::try_from(n).map_err(|_| METADATA);
        let data = first.or(second).ok_or(METADATA)?;
        let (levels, packed) = match (first, second) {
            (None, Some(page)) => (count(page, 5)?.saturating_add(count(page, 6)?), page.int(7) != Some(0)),
            _ => (0, true),
        };
        let page = Stored {
            bytes,
            codec: if packed { i32::try_from(self.codec).map_err(|_| METADATA)? } else { 0 },
            unpacked: size(count(header, 2)?)?,
            levels: size(levels)?,
            missing: first.is_some() && field.optional,
            values: size(count(data, 1)?)?,
        };
        let texts = prefixes::size(&page);
        let texts = texts.ok_or(Refusal::Damaged("a text shares more with the one before than that has"))?;
        *left = left.checked_sub(texts).ok_or(Refusal::TooLarge)?;
        Ok(())
    }
}

/// The metadata stand before their length, at the end.
fn last_part(body: &[u8]) -> Option<&[u8]> {
    let (rest, length) = body.split_last_chunk::<4>()?;
    rest.get(rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?..)
}

fn count(value: &Value<'_>, field: i16) -> Found<u64> {
    value.int(field).and_then(|n| u64::try_from(n).ok()).ok_or(METADATA)
}

/// The columns of the table and how many are stored: a tree written from the root to its leaves, each with its number of children.
fn fields(elements: &[Value<'_>]) -> Found<(Vec<Field>, usize)> {
    let children = |element: &Value<'_>| element.int(5).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let (root, rest) = elements.split_first().ok_or(METADATA)?;
    let (mut found, mut leaf) = (Vec::new(), 0);
    // Children that are still to come, on every level.
    let mut open = vec![children(root)];
    for element in rest {
        while open.last() == Some(&0) {
            open.pop();
        }
        if open.len() == 1 {
            found.push(Field { leaf, width: width(element), optional: element.int(3) == Some(1) });
        }
        *open.last_mut().ok_or(METADATA)? -= 1;
        match children(element) {
            0 => leaf += 1,
            below => open.push(below),
        }
        if open.len() > DEEPEST_SCHEMA {
            return Err(METADATA);
        }
    }
    if open.iter().all(|left| *left == 0) { Ok((found, leaf)) } else { Err(METADATA) }
}

/// Bytes of a value: of a text, those of its length.
fn width(element: &Value<'_>) -> u64 {
    match element.int(1) {
        Some(2 | 5) => 8,
        Some(3) => 12,
        Some(7) => element.int(2).and_then(|n| u64::try_from(n).ok()).unwrap_or(1),
        _ => 4,
    }
}
