//! The hybrid of repeated and bit-packed numbers in which levels and places in a dictionary are written.

use super::{Found, OrDamaged, bits, damaged, thrift::Reader};

/// Some numbers in a row.
pub(super) enum Run<'a> {
    /// One number, repeated.
    Repeated(u32, usize),
    /// So many packed numbers.
    Packed(&'a [u8], usize),
}

/// Calls `each` with the runs of exactly `count` numbers of `width` bits. No run is longer than what is left to read, whatever the
/// file claims.
pub(super) fn runs<'a>(
    bytes: &'a [u8],
    width: u32,
    count: usize,
    mut each: impl FnMut(Run<'a>) -> Found<()>,
) -> Found<()> {
    const CUT: &str = "a run is cut short";
    if width > 32 {
        return damaged(format!("its places have {width} bits"));
    }
    let mut reader = Reader::new(bytes);
    let mut left = count;
    while left > 0 {
        let heading = reader.varint().or_damaged(CUT)?;
        let size = usize::try_from(heading >> 1).or(damaged("a run is longer than its page"))?;
        let run = if heading & 1 == 0 {
            if size == 0 || size > left {
                return damaged(format!("a run claims {size} values where {left} are left"));
            }
            let mut word = [0; 4];
            let stored = reader.take(width.div_ceil(8) as usize).or_damaged(CUT)?;
            word[..stored.len()].copy_from_slice(stored);
            left -= size;
            Run::Repeated(u32::from_le_bytes(word), size)
        } else {
            // Groups of eight; the last is filled up, and some writers leave out its last bytes.
            let size = size.saturating_mul(8).min(left);
            if size == 0 {
                return damaged("a run is empty");
            }
            let whole = (heading >> 1).saturating_mul(u64::from(width));
            let packed =
                usize::try_from(whole).ok().and_then(|whole| reader.take(whole)).unwrap_or(reader.rest());
            if bits::bytes_of(size, width).is_none_or(|needed| packed.len() < needed) {
                return damaged(CUT);
            }
            left -= size;
            Run::Packed(packed, size)
        };
        each(run)?;
    }
    Ok(())
}

/// Calls `each` with the numbers themselves and how often they stand there.
pub(super) fn decode(
    bytes: &[u8],
    width: u32,
    count: usize,
    mut each: impl FnMut(u32, usize) -> Found<()>,
) -> Found<()> {
    runs(bytes, width, count, |run| match run {
        Run::Repeated(value, size) => each(value, size),
        Run::Packed(packed, size) => bits::unpack(packed, width, size, |value| each(value as u32, 1)),
    })
}

/// Which of `count` values are there, by levels of one bit; none if all are.
pub(super) fn presence(bytes: &[u8], count: usize) -> Found<Option<Vec<bool>>> {
    let mut all = true;
    runs(bytes, 1, count, |run| {
        all &= matches!(run, Run::Repeated(1, _));
        Ok(())
    })?;
    if all {
        return Ok(None);
    }
    let mut presence = Vec::new();
    decode(bytes, 1, count, |level, size| {
        if level > 1 {
            return damaged("a level is above 1");
        }
        presence.resize(presence.len() + size, level == 1);
        Ok(())
    })?;
    Ok(Some(presence))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], width: u32, count: usize) -> Found<Vec<u32>> {
        let mut out = Vec::new();
        decode(bytes, width, count, |value, size| {
            out.resize(out.len() + size, value);
            Ok(())
        })?;
        Ok(out)
    }

    /// The example of the format's description: the numbers 0 to 7 in three bits.
    #[test]
    fn runs_of_both_kinds_are_read() {
        let packed = [0b0000_0011, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        assert_eq!(decoded(&packed, 3, 8).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(decoded(&packed, 3, 5).unwrap(), [0, 1, 2, 3, 4], "filled up");
        assert_eq!(decoded(&packed[..3], 3, 5).unwrap(), [0, 1, 2, 3, 4], "without what fills up");
        assert_eq!(decoded(&[6, 9, 3, 0x21, 0, 0, 0x40], 4, 11).unwrap(), [9, 9, 9, 1, 2, 0, 0, 0, 0, 0, 4]);
        assert_eq!(decoded(&[20], 0, 10).unwrap(), [0; 10], "a dictionary of one value takes no bits");
        assert_eq!(presence(&[20, 1], 10).unwrap(), None);
        assert_eq!(presence(&[2, 1, 4, 0], 3).unwrap(), Some(vec![true, false, false]));
    }

    #[test]
    fn what_a_run_claims_is_not_believed() {
        // 2^61 values in ten bytes.
        let absurd = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1];
        let Err(super::super::Fault::Damaged(said)) = decoded(&absurd, 1, 100) else {
            panic!("it is damaged")
        };
        assert_eq!(said, "a run claims 2305843009213693952 values where 100 are left");
        for (bytes, width) in [
            (&[][..], 1),
            (&[0], 1),
            (&[1], 1),
            (&[0x80], 1),
            (&[200], 8),
            (&[200, 1], 9),
            (&[9, 1], 8),
            (&[2, 1], 33),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 8),
        ] {
            assert!(decoded(bytes, width, 100).is_err(), "{bytes:?}");
        }
    }
}
