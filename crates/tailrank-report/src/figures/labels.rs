//! Labels that do not overlap.

/// Moves places apart until neighbours are at least `gap` from each other, each as near to its wish as can be, all within
/// `low`..`high` where they fit. The result is in the order of the wishes.
pub(super) fn spread(wishes: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by(|&i, &j| wishes[i].total_cmp(&wishes[j]));
    // Blocks of labels that touch: (mean wish of the first label, labels). Blocks that would overlap merge and take
    // the mean of their wishes, which is least squares under the order (pool adjacent violators).
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &i in &order {
        blocks.push((wishes[i], 1));
        while blocks.len() > 1 {
            let (b, a) = (blocks[blocks.len() - 1], blocks[blocks.len() - 2]);
            if a.0 + a.1 as f64 * gap <= b.0 {
                break;
            }
            let n = a.1 + b.1;
            let first = (a.0 * a.1 as f64 + (b.0 - a.1 as f64 * gap) * b.1 as f64) / n as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((first, n));
        }
    }
    let mut placed: Vec<f64> =
        blocks.iter().flat_map(|&(first, n)| (0..n).map(move |k| first + k as f64 * gap)).collect();
    let mut ceiling = high;
    for place in placed.iter_mut().rev() {
        *place = place.min(ceiling);
        ceiling = *place - gap;
    }
    let mut floor = low;
    for place in &mut placed {
        *place = place.max(floor);
        floor = *place + gap;
    }
    let mut result = vec![0.0; wishes.len()];
    for (&i, place) in order.iter().zip(placed) {
        result[i] = place;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_labels_stay() {
        assert_eq!(spread(&[50.0, 10.0], 10.0, 0.0, 100.0), [50.0, 10.0]);
    }

    #[test]
    fn touching_labels_share_the_middle() {
        assert_eq!(spread(&[50.0, 50.0, 50.0], 10.0, 0.0, 100.0), [40.0, 50.0, 60.0]);
        assert_eq!(spread(&[1.0, 2.0], 10.0, 0.0, 100.0), [0.0, 10.0]);
        assert_eq!(spread(&[99.0, 98.0], 10.0, 0.0, 100.0), [100.0, 90.0]);
    }

    #[test]
    fn gaps_hold_for_many() {
        let wishes: Vec<f64> = (0..20).map(|i| f64::from((i * 37) % 100)).collect();
        let mut placed = spread(&wishes, 6.0, 0.0, 200.0);
        placed.sort_by(f64::total_cmp);
        assert!(placed.windows(2).all(|w| w[1] - w[0] >= 6.0 - 1e-9));
        assert!(placed[0] >= 0.0 && placed[19] <= 200.0);
    }
}
