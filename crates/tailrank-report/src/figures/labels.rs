//! Labels that do not overlap.

use tailrank_models::steps::Isotonic;

use super::*;

/// Moves places apart until neighbours are at least `gap` from each other, each as near to its wish as can
/// be, all within `low`..`high` where they fit. The result is in the order of the wishes.
pub(super) fn spread(wishes: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let order = ascending(wishes);
    // Least squares under the order, with the gaps taken out before and put back after.
    let places: Vec<f64> = (0..order.len()).map(|k| k as f64).collect();
    let without_gaps: Vec<f64> = order.iter().zip(&places).map(|(&i, k)| wishes[i] - k * gap).collect();
    let rising = Isotonic::fit(&places, &without_gaps);
    let ceiling = high - gap * order.len().saturating_sub(1) as f64;
    let mut result = vec![0.0; wishes.len()];
    for (&i, &k) in order.iter().zip(&places) {
        result[i] = rising.at(k).min(ceiling).max(low) + k * gap;
    }
    result
}

/// Names beside points, each with a line to its own and where it covers the fewest of the others.
pub(super) struct Callouts<'a> {
    panel: &'a Panel,
    points: &'a [Point],
    taken: Vec<Point>,
}

impl<'a> Callouts<'a> {
    pub(super) fn new(panel: &'a Panel, points: &'a [Point]) -> Self {
        Self { panel, points, taken: Vec::new() }
    }

    /// Names the point `at`.
    pub(super) fn draw(&mut self, svg: &mut Svg, at: Point, name: &str, set: Type<'_>, pen: Pen<'_>) {
        let size = if set.bold { set.size * text::BOLD } else { set.size };
        let (x, y, anchor) = self.free_place(at, text::width(name, size));
        self.taken.push((x, y));
        svg.line(at, (x + if anchor == Anchor::End { 3.0 } else { -3.0 }, y - 4.0), pen);
        svg.text(x, y, name, set.anchor(anchor).halo());
    }

    /// Where a label beside `at` covers the fewest points and no other label: left or right of it, level,
    /// above or below.
    fn free_place(&self, at: Point, width: f64) -> (f64, f64, Anchor) {
        let offsets = [4.0, -12.0, 20.0, -26.0, 34.0, -42.0, 50.0, -58.0, 66.0];
        let places = offsets
            .iter()
            .flat_map(|&dy| [(at.0 + 12.0, at.1 + dy, Anchor::Start), (at.0 - 12.0, at.1 + dy, Anchor::End)]);
        let cost = |&(x, y, anchor): &(f64, f64, Anchor)| {
            let left = if anchor == Anchor::End { x - width } else { x };
            let inside =
                |p: &&Point| p.0 > left - 6.0 && p.0 < left + width + 6.0 && (p.1 - (y - 4.0)).abs() < 11.0;
            let outside = left < self.panel.left() + 2.0
                || left + width > self.panel.right() + 30.0
                || y - 12.0 < self.panel.top()
                || y + 4.0 > self.panel.bottom();
            let near = self.taken.iter().any(|t| (t.1 - y).abs() < 16.0);
            self.points.iter().filter(inside).count() + 1000 * usize::from(outside) + 100 * usize::from(near)
        };
        places.min_by_key(cost).unwrap_or((at.0, at.1, Anchor::Start))
    }
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
