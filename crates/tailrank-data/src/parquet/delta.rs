//! Whole numbers written by their differences (`DELTA_BINARY_PACKED`).

use super::{Found, OrDamaged, bits, damaged, thrift::Reader};

/// Calls `each` with exactly `count` numbers and returns what stands behind them.
pub(super) fn integers(bytes: &[u8], count: usize, mut each: impl FnMut(i64) -> Found<()>) -> Found<&[u8]> {
    const CUT: &str = "differences are cut short";
    let mut reader = Reader::new(bytes);
    let mut number = || reader.varint().and_then(|n| usize::try_from(n).ok()).or_damaged(CUT);
    let (block, parts, total) = (number()?, number()?, number()?);
    if total != count {
        return damaged(format!("{total} differences are announced where {count} are needed"));
    }
    if parts == 0 || block % parts != 0 || block / parts == 0 || (block / parts) % 8 != 0 {
        return damaged(format!("differences come in {parts} parts of {block}"));
    }
    let part = block / parts;
    let mut value = reader.integer().or_damaged(CUT)?;
    if count == 0 {
        return Ok(reader.rest());
    }
    each(value)?;
    let mut left = count - 1;
    while left > 0 {
        let least = reader.integer().or_damaged(CUT)?;
        let widths = reader.take(parts).or_damaged(CUT)?;
        for width in widths.iter().map(|width| u32::from(*width)) {
            if left == 0 {
                break;
            }
            if width > 64 {
                return damaged(format!("a difference has {width} bits"));
            }
            let size = part.min(left);
            // The last part is filled up, and some writers leave out what fills it.
            let whole = bits::bytes_of(part, width).or_damaged(CUT)?;
            let packed = match reader.take(whole) {
                Some(packed) => packed,
                None if size == left => reader.take(reader.rest().len()).or_damaged(CUT)?,
                None => return damaged(CUT),
            };
            bits::unpack(packed, width, size, |difference| {
                value = value.wrapping_add(least).wrapping_add(difference as i64);
                each(value)
            })?;
            left -= size;
        }
    }
    Ok(reader.rest())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], count: usize) -> Found<(Vec<i64>, Vec<u8>)> {
        let mut found = Vec::new();
        let rest = integers(bytes, count, |n| {
            found.push(n);
            Ok(())
        })?;
        let rest = rest.to_vec();
        Ok((found, rest))
    }

    /// The second example of the format's description: 7, 5, 3, 1, 2, 3, 4, 5 in one block.
    #[test]
    fn the_format_s_own_example() {
        let mut bytes = vec![128, 1, 4, 8, 14, 3, 2, 0, 0, 0];
        // Differences above −2 of two bits: 0 0 0 3 3 3 3, filled up to 32.
        bytes.extend([0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"rest");
        assert_eq!(decoded(&bytes, 8).unwrap(), (vec![7, 5, 3, 1, 2, 3, 4, 5], b"rest".to_vec()));
        assert_eq!(decoded(&bytes[..12], 8).unwrap().0.len(), 8, "without what fills up");
        assert_eq!(decoded(&[128, 1, 4, 1, 9], 1).unwrap().0, [-5]);
        assert_eq!(decoded(&[128, 1, 4, 0, 0, b'x'], 0).unwrap(), (vec![], b"x".to_vec()));
    }

    #[test]
    fn damage_is_told() {
        for (bytes, count) in [
            (&[128, 1, 4, 200, 1, 0][..], 8),               // another count
            (&[128, 1, 0, 8, 14], 8),                       // no parts
            (&[128, 1, 3, 8, 14], 8),                       // unequal parts
            (&[4, 4, 8, 14], 8),                            // parts of one
            (&[128, 1, 4, 8, 14, 3, 65, 0, 0, 0], 8),       // 65 bits
            (&[128, 1, 4, 8, 14, 3, 64, 0, 0, 0, 1, 2], 8), // cut
            (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1, 8, 14, 3, 64], 8), // an absurd block
            (&[128, 1], 8),
        ] {
            assert!(decoded(bytes, count).is_err(), "{bytes:?}");
        }
    }
}
