//! What stands in for a missing cell: the median or the commonest level of the training rows.

/// The median of the values that are there (mean of the middle two, if they are even in number).
pub(crate) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut present: Vec<f64> = values.filter(|v| !v.is_nan()).collect();
    if present.is_empty() {
        return None;
    }
    let upper = present.len() / 2;
    let odd = present.len() % 2 == 1;
    let (below, high, _) = present.select_nth_unstable_by(upper, f64::total_cmp);
    // The lower of the middle two is the largest below the upper one.
    let low = || below.iter().copied().max_by(f64::total_cmp);
    Some(if odd { *high } else { low().map_or(*high, |low| low.midpoint(*high)) })
}

/// The commonest code; of equally common ones, the first in the order of levels.
pub(super) fn mode(codes: impl Iterator<Item = Option<u32>>, levels: usize) -> Option<u32> {
    let mut counts = vec![0usize; levels];
    for code in codes.flatten() {
        counts[code as usize] += 1;
    }
    let most = counts.iter().copied().max().filter(|m| *m > 0)?;
    counts.iter().position(|c| *c == most).and_then(|i| u32::try_from(i).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_modes() {
        assert_eq!(median([3.0, f64::NAN, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([4.0, 1.0].into_iter()), Some(2.5));
        assert_eq!(median([f64::NAN].into_iter()), None);
        assert_eq!(mode([Some(1), Some(0), None, Some(1), Some(0)].into_iter(), 3), Some(0));
        assert_eq!(mode([None].into_iter(), 3), None);
    }
}
