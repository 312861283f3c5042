//! Texts that are stored as what they share with the one before and what follows it (DELTA_BYTE_ARRAY): polars makes room for the shared
//! part as the page claims it, so the claims are read and added up before.

use polars_parquet::parquet::compression::{Compression, DecompressionContext, decompress};
use polars_parquet_format::{CompressionCodec, thrift::varint::VarIntReader};

/// How a page is stored.
pub(super) struct Stored<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) codec: i32,
    /// Bytes of the page once unpacked, those before the packed ones included.
    pub(super) unpacked: usize,
    /// Bytes of levels before the packed values, in pages of the second version.
    pub(super) levels: usize,
    /// Whether the values begin with levels that tell which of them are missing, after their length.
    pub(super) missing: bool,
    pub(super) values: usize,
}

/// Bytes of all texts of a page once they are put together; none where the page is damaged.
pub(super) fn size(page: &Stored<'_>) -> Option<u64> {
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
