//! What a Parquet file claims of itself, held against its size: polars sets memory aside for what is claimed.

use std::ops::Range;

use polars_parquet::parquet::compression::{Compression, DecompressionContext, decompress};
use polars_parquet_format::{
    ColumnChunk, CompressionCodec, Encoding, FieldRepetitionType, FileMetaData, PageHeader, SchemaElement,
    Type, thrift::varint::VarIntReader,
};

use super::guard::Refusal;
use crate::plain_parquet::structure;

/// Lists of structures of lists: deeper than any table, shallower than the stack.
const DEEPEST_SCHEMA: usize = 64;

type Found<T> = std::result::Result<T, Refusal>;

pub(super) const METADATA: Refusal = Refusal::Damaged("its metadata are damaged");

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
    pages: Range<usize>,
    codec: i32,
    values: u64,
}

impl Claims {
    /// Of a file of this size with this footer.
    pub(super) fn of(footer: &[u8], size: usize) -> Found<Self> {
        let (metadata, _): (FileMetaData, _) = structure(footer).ok_or(METADATA)?;
        let (fields, leaves) = fields(&metadata.schema)?;
        let (mut rows, mut stored, mut groups) = (0u64, 0u64, Vec::new());
        for group in &metadata.row_groups {
            rows = rows.saturating_add(count(group.num_rows)?);
            stored = stored.saturating_add(count(group.total_byte_size)?);
            if group.columns.len() != leaves {
                return Err(Refusal::Damaged("its schema and its rows have different numbers of columns"));
            }
            let chunks = group.columns.iter().map(|chunk| Chunk::of(chunk, size));
            groups.push(chunks.collect::<Found<_>>()?);
        }
        if rows != count::<u64>(metadata.num_rows)? {
            return Err(Refusal::Damaged("it has another number of rows than it announces"));
        }
        Ok(Self { rows, stored, fields, groups })
    }

    /// Where the pages of a column stand in the file, for every group of rows.
    pub(super) fn pages(&self, column: usize) -> Found<Vec<Range<usize>>> {
        let leaf = self.fields.get(column).ok_or(METADATA)?.leaf;
        let of_group = |group: &Vec<Chunk>| group.get(leaf).map(|chunk| chunk.pages.clone());
        self.groups.iter().map(of_group).collect::<Option<_>>().ok_or(METADATA)
    }

    /// Goes from page to page of a column in one group of rows; what they unpack to is taken from `left`.
    pub(super) fn check_pages(&self, pages: &[u8], column: usize, group: usize, left: &mut u64) -> Found<()> {
        let field = &self.fields[column];
        self.groups[group][field.leaf].check_pages(pages, field, left)
    }
}

impl Chunk {
    fn of(chunk: &ColumnChunk, file: usize) -> Found<Self> {
        let meta = chunk.meta_data.as_ref().ok_or(Refusal::Damaged("a column is stored in another file"))?;
        let place = |place: i64| usize::try_from(place).ok();
        let data = place(meta.data_page_offset).ok_or(METADATA)?;
        // A dictionary stands before the pages that use it; some writers say 0 where there is none.
        let dictionary = meta.dictionary_page_offset.and_then(place);
        let start = dictionary.filter(|dictionary| (1..data).contains(dictionary)).unwrap_or(data);
        let end = place(meta.total_compressed_size).and_then(|size| start.checked_add(size));
        let end = end.filter(|end| *end <= file);
        let end = end.ok_or(Refusal::Damaged("a column ends behind the end of the file"))?;
        Ok(Self { pages: start..end, codec: meta.codec.0, values: count(meta.num_values)? })
    }

    fn check_pages(&self, mut rest: &[u8], field: &Field, left: &mut u64) -> Found<()> {
        const LZO: i32 = 3;
        if self.codec == LZO || !(0..=7).contains(&self.codec) {
            return Err(Refusal::Packed(self.codec));
        }
        let mut values = 0u64;
        while values < self.values {
            let header = structure::<PageHeader>(rest).ok_or(Refusal::Damaged("a page has no size"));
            let (header, body) = header?;
            let (unpacked, packed) = (header.uncompressed_page_size, header.compressed_page_size);
            let (unpacked, packed): (usize, usize) = (count(unpacked)?, count(packed)?);
            let cut = body.split_at_checked(packed).ok_or(Refusal::Damaged("a page is cut short"));
            let (bytes, behind) = cut?;
            rest = behind;
            *left = left.checked_sub(unpacked as u64).ok_or(Refusal::TooLarge)?;
            let plain = Stored { bytes, codec: self.codec, unpacked, levels: 0, missing: false, values: 0 };
            let (encoding, page) = match header {
                PageHeader { data_page_header: Some(page), .. } => {
                    let values = count(page.num_values)?;
                    (page.encoding, Stored { missing: field.optional, values, ..plain })
                }
                PageHeader { dictionary_page_header: Some(dictionary), .. } => {
                    let least = count::<u64>(dictionary.num_values)?.saturating_mul(field.width);
                    if least > unpacked as u64 {
                        return Err(Refusal::Damaged("a dictionary has fewer values than it announces"));
                    }
                    continue;
                }
                PageHeader { data_page_header_v2: Some(page), .. } => {
                    let (missing, depths) =
                        (page.definition_levels_byte_length, page.repetition_levels_byte_length);
                    let levels = count::<usize>(missing)?.saturating_add(count(depths)?);
                    let codec = if page.is_compressed == Some(false) { 0 } else { self.codec };
                    (page.encoding, Stored { codec, levels, values: count(page.num_values)?, ..plain })
                }
                _ => continue,
            };
            values += page.values as u64;
            // A page of texts that share their beginnings must not claim more than it has.
            if encoding == Encoding::DELTA_BYTE_ARRAY {
                let shared = "a text shares more with the one before than that has";
                let texts = size_of_texts(&page).ok_or(Refusal::Damaged(shared))?;
                *left = left.checked_sub(texts).ok_or(Refusal::TooLarge)?;
            }
        }
        if values == self.values {
            Ok(())
        } else {
            Err(Refusal::Damaged("a column has more values than rows"))
        }
    }
}

fn count<N>(n: impl TryInto<N>) -> Found<N> {
    n.try_into().map_err(|_| METADATA)
}

/// The columns of the table and how many are stored: a tree written from the root to its leaves, each with
/// its number of children.
fn fields(elements: &[SchemaElement]) -> Found<(Vec<Field>, usize)> {
    let children =
        |element: &SchemaElement| element.num_children.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let (root, rest) = elements.split_first().ok_or(METADATA)?;
    let (mut found, mut leaf) = (Vec::new(), 0);
    // Children that are still to come, on every level.
    let mut open = vec![children(root)];
    for element in rest {
        while open.last() == Some(&0) {
            open.pop();
        }
        if open.len() == 1 {
            let optional = element.repetition_type == Some(FieldRepetitionType::OPTIONAL);
            found.push(Field { leaf, width: width(element), optional });
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
fn width(element: &SchemaElement) -> u64 {
    match element.type_ {
        Some(Type::INT64 | Type::DOUBLE) => 8,
        Some(Type::INT96) => 12,
        Some(Type::FIXED_LEN_BYTE_ARRAY) => {
            element.type_length.and_then(|n| u64::try_from(n).ok()).unwrap_or(1)
        }
        _ => 4,
    }
}

/// How a page is stored.
///
/// Of texts that are stored as what they share with the one before and what follows it (DELTA_BYTE_ARRAY),
/// polars makes room for the shared part as the page claims it, so the claims are read and added up before.
struct Stored<'a> {
    bytes: &'a [u8],
    codec: i32,
    /// Bytes of the page once unpacked, those before the packed ones included.
    unpacked: usize,
    /// Bytes of levels before the packed values, in pages of the second version.
    levels: usize,
    /// Whether the values begin with levels that tell which of them are missing, after their length.
    missing: bool,
    values: usize,
}

/// Bytes of all texts of a page once they are put together; none where the page is damaged.
fn size_of_texts(page: &Stored<'_>) -> Option<u64> {
    let (_, packed) = page.bytes.split_at_checked(page.levels)?;
    let mut unpacked;
    let mut values = match Compression::try_from(CompressionCodec(page.codec)).ok()? {
        Compression::Uncompressed => packed,
        codec => {
            unpacked = vec![0; page.unpacked.checked_sub(page.levels)?];
            decompress(codec, packed, &mut unpacked, &mut DecompressionContext::Unset).ok()?;
            &unpacked[..]
        }
    };
    if page.missing {
        let (length, rest) = values.split_first_chunk::<4>()?;
        values = rest.get(u32::from_le_bytes(*length) as usize..)?;
    }
    let (shared, rest) = lengths(values, page.values)?;
    let (own, texts) = lengths(rest, page.values)?;
    let (mut before, mut taken, mut sum) = (0u64, 0u64, 0u64);
    for (shared, own) in shared.into_iter().zip(own) {
        let (shared, own) = (u64::try_from(shared).ok()?, u64::try_from(own).ok()?);
        taken = taken.checked_add(own).filter(|taken| *taken <= texts.len() as u64)?;
        if shared > before {
            return None;
        }
        before = shared + own;
        sum = sum.saturating_add(before);
    }
    Some(sum)
}

/// At most so many lengths, packed as differences (DELTA_BINARY_PACKED), and what follows them.
fn lengths(mut bytes: &[u8], most: usize) -> Option<(Vec<i64>, &[u8])> {
    let mut size = || usize::try_from(bytes.read_varint::<u64>().ok()?).ok();
    let (block, groups) = (size()?, size()?);
    let count = size().filter(|count| *count <= most)?;
    let first: i64 = bytes.read_varint().ok()?;
    // What polars asserts: whole blocks of whole groups of 32.
    if block == 0 || groups == 0 || block % 128 != 0 || block % groups != 0 || (block / groups) % 32 != 0 {
        return None;
    }
    let mut found = vec![first];
    found.truncate(count);
    while found.len() < count {
        let least: i64 = bytes.read_varint().ok()?;
        let widths = bytes.split_off(..groups)?;
        for width in widths.iter().take((count - found.len()).div_ceil(block / groups)) {
            let width = usize::from(*width).min(65);
            let packed = bytes.split_off(..(block / groups / 8).checked_mul(width)?)?;
            for i in 0..(count - found.len()).min(block / groups) {
                let step = least.wrapping_add(bits(packed, i * width, width)?);
                found.push(found.last()?.wrapping_add(step));
            }
        }
    }
    Some((found, bytes))
}

/// `width` bits from bit `at` on, the lowest first.
fn bits(bytes: &[u8], at: usize, width: usize) -> Option<i64> {
    if width > 64 {
        return None;
    }
    let bit = |i: usize| bytes.get((at + i) / 8).map(|byte| u64::from(byte >> ((at + i) % 8) & 1) << i);
    (0..width).map(bit).sum::<Option<u64>>().map(|bits| bits as i64)
}
