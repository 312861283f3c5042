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
    /// Takes values that stand one after the other.
    fn add(bytes: &[u8], out: &mut impl Sink<Self>);
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
            fn add(bytes: &[u8], out: &mut impl Sink<Self>) {
                out.add(bytes.as_chunks().0.iter().map(|word| Self::from_le_bytes(*word)));
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
        bytes.first_chunk().map(Self::of_chunk)
    }
    fn add(bytes: &[u8], out: &mut impl Sink<Self>) {
        out.add(bytes.as_chunks().0.iter().map(Self::of_chunk));
    }
    fn of_integer(_: i64) -> Option<Self> {
        None
    }
}

impl Int96 {
    fn of_chunk([a, b, c, d, e, f, g, h, day @ ..]: &[u8; 12]) -> Self {
        Self(i64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]), i32::from_le_bytes(*day))
    }
}

/// Where values go.
pub(crate) trait Sink<T> {
    /// Takes some values.
    fn add(&mut self, values: impl ExactSizeIterator<Item = T>);
}

impl<T> Sink<T> for Vec<T> {
    fn add(&mut self, values: impl ExactSizeIterator<Item = T>) {
        self.extend(values);
    }
}

/// As many values as plainly stand in `bytes`.
pub(super) fn plain<T: Fixed>(bytes: &[u8], count: usize, out: &mut impl Sink<T>) -> Found<()> {
    let size = count.checked_mul(T::SIZE);
    T::add(size.and_then(|size| bytes.get(..size)).or_damaged("values are cut short")?, out);
    Ok(())
}

/// The values of a page.
pub(super) fn decode<T: Fixed>(data: &Data<'_>, dictionary: &[T], out: &mut impl Sink<T>) -> Found<()> {
    let bytes = data.bytes();
    match data.encoding {
        PLAIN => plain(bytes, data.values, out),
        PLAIN_DICTIONARY | RLE_DICTIONARY => places(bytes, data.values, |place, times| {
            let value = *dictionary.get(place).or_damaged("a value is not in the dictionary")?;
            out.add(std::iter::repeat_n(value, times));
            Ok(())
        }),
        DELTA_BINARY_PACKED => delta::integers(bytes, data.values, |value| {
            let value = T::of_integer(value).or_damaged("differences of what are not whole numbers")?;
            out.add(std::iter::once(value));
            Ok(())
        })
        .map(|_| ()),
        BYTE_STREAM_SPLIT => {
            let mut word = vec![0; T::SIZE];
            split(bytes, data.values, &mut word, |word| {
                out.add(std::iter::once(T::of(word).or_damaged("values are cut short")?));
                Ok(())
            })
        }
        other => unknown(other),
    }
}

/// Calls `each` with places in a dictionary and how often they are repeated. Their count of bits stands before them.
pub(super) fn places(
    bytes: &[u8],
    count: usize,
    mut each: impl FnMut(usize, usize) -> Found<()>,
) -> Found<()> {
    if count == 0 {
        return Ok(());
    }
    let (width, bytes) = bytes.split_first().or_damaged("places are cut short")?;
    hybrid::decode(bytes, u32::from(*width), count, |place, times| each(place as usize, times))
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
