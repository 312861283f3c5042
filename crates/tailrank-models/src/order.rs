//! Rows in the order of an input.

/// Rows in ascending order of finite `values`, equal ones in their own order; 0 and −0 are one value.
pub(crate) fn ascending(values: &[f64]) -> Vec<u32> {
    let mut rows: Vec<(u64, u32)> = values.iter().map(|v| ascending_bits(*v)).zip(0..).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Whole numbers in the order of finite floats.
fn ascending_bits(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}
