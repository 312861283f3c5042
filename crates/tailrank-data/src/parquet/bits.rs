//! Whole numbers of a fixed count of bits, packed from the lowest bit of the first byte on.

use super::{Found, OrDamaged};

/// Bytes that `count` numbers of `width` bits take.
pub(super) fn bytes_of(count: usize, width: u32) -> Option<usize> {
    Some(count.checked_mul(width as usize)?.div_ceil(8))
}

/// Calls `each` with `count` numbers of at most 64 bits.
pub(super) fn unpack(
    bytes: &[u8],
    width: u32,
    count: usize,
    mut each: impl FnMut(u64) -> Found<()>,
) -> Found<()> {
    debug_assert!(width <= 64);
    let bytes = bytes_of(count, width)
        .and_then(|size| bytes.get(..size))
        .or_damaged("packed numbers are cut short")?;
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    for i in 0..count {
        let bit = i * width as usize;
        let (byte, shift) = (bit / 8, bit % 8);
        let number = match bytes.get(byte..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(word) if width <= 56 => u64::from_le_bytes(*word) >> shift,
            _ => {
                let rest = &bytes[byte.min(bytes.len())..];
                let mut word = [0; 16];
                let size = rest.len().min(word.len());
                word[..size].copy_from_slice(&rest[..size]);
                (u128::from_le_bytes(word) >> shift) as u64
            }
        };
        each(number & mask)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written bit by bit.
    fn packed(numbers: &[u64], width: u32) -> Vec<u8> {
        let bits: Vec<bool> = numbers.iter().flat_map(|n| (0..width).map(move |b| n >> b & 1 == 1)).collect();
        bits.chunks(8).map(|byte| byte.iter().enumerate().map(|(i, b)| u8::from(*b) << i).sum()).collect()
    }

    #[test]
    fn every_width_comes_back() {
        for width in 0..=64 {
            let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            let numbers: Vec<u64> =
                (1..40u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask).collect();
            let bytes = packed(&numbers, width);
            let mut found = Vec::new();
            unpack(&bytes, width, numbers.len(), |n| {
                found.push(n);
                Ok(())
            })
            .unwrap();
            assert_eq!(found, numbers, "{width} bits");
            if width > 0 {
                assert!(unpack(&bytes[..bytes.len() - 1], width, numbers.len(), |_| Ok(())).is_err());
            }
        }
    }
}
