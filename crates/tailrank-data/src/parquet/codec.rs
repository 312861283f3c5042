//! Pages unpacked, to no more than their header announces.

use std::{borrow::Cow, io::Read};

use super::{Fault, Found, damaged};

const UNCOMPRESSED: i64 = 0;
const SNAPPY: i64 = 1;
const GZIP: i64 = 2;
const BROTLI: i64 = 4;
/// With lengths before every block, as Hadoop does; or without, by some writers' mistake.
const LZ4_HADOOP: i64 = 5;
const ZSTD: i64 = 6;
pub(super) const LZ4: i64 = 7;

/// The `size` bytes that `packed` holds. A panic inside a decompressor becomes an error like any other.
pub(super) fn unpack(codec: i64, packed: &[u8], size: usize) -> Found<Cow<'_, [u8]>> {
    if codec == UNCOMPRESSED {
        return sized(Cow::Borrowed(packed), size);
    }
    // An empty page needs no bytes, whatever packs them.
    if size == 0 {
        return Ok(Cow::Borrowed(&[]));
    }
    let unpacked =
        std::panic::catch_unwind(|| decompress(codec, packed, size)).map_err(|_| Fault::Panic)??;
    sized(Cow::Owned(unpacked), size)
}

fn sized(bytes: Cow<'_, [u8]>, size: usize) -> Found<Cow<'_, [u8]>> {
    if bytes.len() == size { Ok(bytes) } else { damaged("a page does not unpack to its size") }
}

fn decompress(codec: i64, packed: &[u8], size: usize) -> Found<Vec<u8>> {
    match codec {
        SNAPPY if snap::raw::decompress_len(packed) == Ok(size) => {
            snap::raw::Decoder::new().decompress_vec(packed).or(damaged("a page is not Snappy"))
        }
        SNAPPY => damaged("a page is not Snappy"),
        GZIP => streamed(flate2::read::MultiGzDecoder::new(packed), size, "a page is not gzip"),
        BROTLI => {
            streamed(brotli_decompressor::Decompressor::new(packed, 4096), size, "a page is not Brotli")
        }
        ZSTD => {
            /// As zstd's default settings need.
            const WINDOW: u64 = 8 << 20;
            let window = WINDOW.max(size as u64);
            ruzstd::decoding::StreamingDecoder::new_with_max_window_size(packed, window)
                .or(damaged("a page is not Zstandard"))
                .and_then(|decoder| streamed(decoder, size, "a page is not Zstandard"))
        }
        LZ4 => lz4(packed, size),
        LZ4_HADOOP => hadoop(packed, size).map_or_else(|| lz4(packed, size), Ok),
        _ => Err(Fault::NotRead {
            problem: match codec {
                3 => "is packed with LZO".to_owned(),
                other => format!("is packed in a way that is not known ({other})"),
            },
            fix: "write it with Zstandard, Snappy, gzip or LZ4, or without compression",
        }),
    }
}

fn streamed(decoder: impl Read, size: usize, problem: &str) -> Found<Vec<u8>> {
    let mut out = Vec::new();
    match decoder.take(size as u64 + 1).read_to_end(&mut out) {
        Ok(_) => Ok(out),
        Err(_) => damaged(problem),
    }
}

/// A block of LZ4, which shortens its content to a 255th at best.
fn lz4(packed: &[u8], size: usize) -> Found<Vec<u8>> {
    if size / 255 > packed.len() {
        return damaged("a page does not unpack to its size");
    }
    let mut out = vec![0; size];
    match lz4_flex::block::decompress_into(packed, &mut out) {
        Ok(found) if found == size => Ok(out),
        _ => damaged("a page is not LZ4"),
    }
}

/// Blocks with their two lengths before them; none if the bytes are not such blocks.
fn hadoop(mut packed: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    while !packed.is_empty() {
        let (long, rest) = packed.split_first_chunk::<4>()?;
        let (short, rest) = rest.split_first_chunk::<4>()?;
        let (block, rest) = rest.split_at_checked(u32::from_be_bytes(*short) as usize)?;
        let long = u32::from_be_bytes(*long) as usize;
        if long > size - out.len() {
            return None;
        }
        out.extend(lz4(block, long).ok()?);
        packed = rest;
    }
    Some(out)
}

/// As one block of LZ4.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::block::compress(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_page_unpacks_to_more_than_its_size() {
        let bytes = [7; 10_000];
        let packed = pack(&bytes);
        assert_eq!(unpack(LZ4, &packed, bytes.len()).unwrap(), &bytes[..]);
        let mut framed = [10_000u32.to_be_bytes(), (packed.len() as u32).to_be_bytes()].concat();
        framed.extend(&packed);
        assert_eq!(unpack(LZ4_HADOOP, &framed, bytes.len()).unwrap(), &bytes[..]);
        assert_eq!(unpack(LZ4_HADOOP, &packed, bytes.len()).unwrap(), &bytes[..]);
        for (codec, size) in
            [(LZ4, 9_999), (LZ4, 10_001), (LZ4, usize::MAX / 2), (LZ4_HADOOP, 9_999), (UNCOMPRESSED, 5)]
        {
            assert!(matches!(unpack(codec, &packed, size), Err(Fault::Damaged(_))), "{codec} {size}");
        }
    }

    #[test]
    fn bytes_of_another_kind_are_damage() {
        for codec in [SNAPPY, GZIP, BROTLI, ZSTD, LZ4, LZ4_HADOOP] {
            for packed in [&b""[..], b"\xff\xff\xff\xff\xff", b"neither of them, but long enough"] {
                let found = unpack(codec, packed, 1 << 40);
                assert!(matches!(found, Err(Fault::Damaged(_))), "{codec}: {found:?}");
            }
        }
        assert!(
            matches!(unpack(3, b"x", 1), Err(Fault::NotRead { problem, .. }) if problem == "is packed with LZO")
        );
        assert!(unpack(ZSTD, b"", 0).is_ok());
    }
}
