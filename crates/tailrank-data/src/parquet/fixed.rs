//! Values of a fixed size, in every encoding they may have.

use super::{Found, OrDamaged, damaged, delta, hybrid, page::*};

/// The 96 bits in which old writers keep times: nanoseconds of a day and the Julian day.
#[derive(Clone, Copy)]
pub(crate) struct Int96(pub(crate) i64, pub(crate) i32);

/// A value as Parquet stores it.
pub(crate) trait Fixed: Copy {
    /// Bytes of a value.
    const SIZE: usize;
    /// The value of exactly [`Self::SIZE`] bytes.
    fn of(bytes: &[u8]) -> Option<Self>;
    /// Appends values that stand one after the other.
    fn extend(out: &mut Vec<Self>, bytes: &[u8]);
    /// A whole number that was written by its difference.
    fn of_integer(value: i64) -> Option<Self>;
}

macro_rules! fixed {
    ($type:ty, $value:ident => $integer:expr) => {
        impl Fixed for $type {
            const SIZE: usize = size_of::<$type>();
            fn of(bytes: &[u8]) -> Option<Self> {
                Some(Self::from_le_bytes(bytes.try_into().ok()?))
            }
            fn extend(out: &mut Vec<Self>, bytes: &[u8]) {
                out.extend(bytes.as_chunks().0.iter().map(|word| Self::from_le_bytes(*word)));
            }
            fn of_integer($value: i64) -> Option<Self> {
                $integer
            }
        }
    };
}

// Differences of 32 bits wrap around at 32 bits.
fixed!(i32, value => Some(value as i32));
fixed!(i64, value => Some(value));
fixed!(f32, _value => None);
fixed!(f64, _value => None);

impl Fixed for Int96 {
    const SIZE: usize = 12;
    fn of(bytes: &[u8]) -> Option<Self> {
        let (time, day) = bytes.split_first_chunk()?;
        Some(Self(i64::from_le_bytes(*time), i32::from_le_bytes(day.try_into().ok()?)))
    }
    fn extend(out: &mut Vec<Self>, bytes: &[u8]) {
        out.extend(bytes.as_chunks::<12>().0.iter().filter_map(|word| Self::of(word)));
    }
    fn of_integer(_: i64) -> Option<Self> {
        None
    }
}

/// As many values as plainly stand in `bytes`.
pub(super) fn plain<T: Fixed>(bytes: &[u8], count: usize, out: &mut Vec<T>) -> Found<()> {
    let size = count.checked_mul(T::SIZE);
    T::extend(out, size.and_then(|size| bytes.get(..size)).or_damaged("values are cut short")?);
    Ok(())
}

/// The values of a page.
pub(super) fn decode<T: Fixed>(data: &Data<'_>, dictionary: &[T], out: &mut Vec<T>) -> Found<()> {
    let bytes = data.bytes();
    match data.encoding {
        PLAIN => plain(bytes, data.values, out),
        PLAIN_DICTIONARY | RLE_DICTIONARY => {
            let places = places(bytes, data.values)?;
            out.reserve(places.len());
            for place in places {
                out.push(*dictionary.get(place as usize).or_damaged("a value is not in the dictionary")?);
            }
            Ok(())
        }
        DELTA_BINARY_PACKED => delta::integers(bytes, data.values, |value| {
            out.push(T::of_integer(value).or_damaged("differences of what are not whole numbers")?);
            Ok(())
        })
        .map(|_| ()),
        BYTE_STREAM_SPLIT => {
            let mut word = vec![0; T::SIZE];
            split(bytes, data.values, &mut word, |word| {
                out.push(T::of(word).or_damaged("values are cut short")?);
                Ok(())
            })
        }
        other => unknown(other),
    }
}

/// Places in a dictionary: their count of bits, then the places.
pub(super) fn places(bytes: &[u8], count: usize) -> Found<Vec<u32>> {
    let mut places = Vec::new();
    if count > 0 {
        let (width, bytes) = bytes.split_first().or_damaged("places are cut short")?;
        hybrid::decode(bytes, u32::from(*width), count, &mut places)?;
    }
    Ok(places)
}

/// Values whose first bytes stand together, then their second bytes, and so on.
pub(super) fn split(
    bytes: &[u8],
    count: usize,
    word: &mut [u8],
    mut each: impl FnMut(&[u8]) -> Found<()>,
) -> Found<()> {
    if Some(bytes.len()) != count.checked_mul(word.len()) {
        return damaged("values are cut short");
    }
    for i in 0..count {
        word.iter_mut().enumerate().for_each(|(k, byte)| *byte = bytes[k * count + i]);
        each(word)?;
    }
    Ok(())
}

pub(super) fn unknown<T>(encoding: i64) -> Found<T> {
    damaged(format!("its values are encoded in a way that is not known ({encoding})"))
}
