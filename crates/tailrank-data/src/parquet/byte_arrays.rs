//! Byte arrays, in every encoding they may have.

use std::{borrow::Cow, ops::Range};

use super::{
    Found, OrDamaged, damaged, delta,
    fixed::{places, split, unknown},
    page::*,
    thrift::Reader,
};

/// The values a column's places point to.
#[derive(Default)]
pub(super) struct Dictionary<'a> {
    bytes: Cow<'a, [u8]>,
    ranges: Vec<Range<usize>>,
}

impl<'a> Dictionary<'a> {
    pub(super) fn of(bytes: Cow<'a, [u8]>, count: usize, width: Option<usize>) -> Found<Self> {
        let mut ranges = Vec::new();
        let mut end = 0;
        plain(&bytes, count, width, |value| {
            let start = end + if width.is_none() { PREFIX } else { 0 };
            end = start + value.len();
            ranges.push(start..end);
            Ok(())
        })?;
        Ok(Self { bytes, ranges })
    }
}

/// Calls `each` with the values of a page; all have `width` bytes where that is given.
pub(super) fn decode(
    data: &Data<'_>,
    dictionary: &Dictionary<'_>,
    width: Option<usize>,
    mut each: impl FnMut(&[u8]) -> Found<()>,
) -> Found<()> {
    let (bytes, count) = (data.bytes(), data.values);
    match data.encoding {
        PLAIN => plain(bytes, count, width, each),
        PLAIN_DICTIONARY | RLE_DICTIONARY => places(bytes, count, |place, times| {
            let range = dictionary.ranges.get(place).or_damaged("a value is not in the dictionary")?;
            (0..times).try_for_each(|_| each(&dictionary.bytes[range.clone()]))
        }),
        DELTA_LENGTH_BYTE_ARRAY => {
            let (lengths, rest) = lengths(bytes, count)?;
            let mut reader = Reader::new(rest);
            lengths.into_iter().try_for_each(|length| each(reader.take(length).or_damaged(CUT)?))
        }
        DELTA_BYTE_ARRAY => {
            let (kept, rest) = lengths(bytes, count)?;
            let (added, rest) = lengths(rest, count)?;
            let mut reader = Reader::new(rest);
            // The first bytes of a value are those of the value before.
            let mut value = Vec::new();
            kept.into_iter().zip(added).try_for_each(|(kept, added)| {
                if kept > value.len() {
                    return damaged("a text shares more than the text before it has");
                }
                value.truncate(kept);
                value.extend_from_slice(reader.take(added).or_damaged(CUT)?);
                each(&value)
            })
        }
        BYTE_STREAM_SPLIT => {
            let mut word = vec![0; width.filter(|width| *width <= bytes.len()).or_damaged(CUT)?];
            split(bytes, count, &mut word, each)
        }
        other => unknown(other),
    }
}

const CUT: &str = "texts are cut short";

fn plain(
    bytes: &[u8],
    count: usize,
    width: Option<usize>,
    mut each: impl FnMut(&[u8]) -> Found<()>,
) -> Found<()> {
    let mut reader = Reader::new(bytes);
    for _ in 0..count {
        let value = match width {
            Some(width) => reader.take(width),
            None => prefixed(&mut reader),
        };
        each(value.or_damaged(CUT)?)?;
    }
    Ok(())
}

fn lengths(bytes: &[u8], count: usize) -> Found<(Vec<usize>, &[u8])> {
    let mut lengths = Vec::new();
    let rest = delta::integers(bytes, count, |length| {
        lengths.push(usize::try_from(length).or(damaged("a text has a negative length"))?);
        Ok(())
    })?;
    Ok((lengths, rest))
}
