//! uba's ROC and precision–recall curves of utility and their summaries: AUCROC, AUCPR, MAP11, BFM.

use super::uba::Uba;
use crate::{
    Result,
    error::check_pair,
    precision_recall::{check_beta, f_value},
    relevance::check_event_threshold,
};

/// Step in utility between the points uba puts on a curve.
const STEP: f64 = 0.01;

/// Summaries of the curves over utility; all 0 when every or no case is an event, as in uba.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UbaCurve {
    /// Area under the ROC hull.
    pub auc_roc: f64,
    /// Area under the precision–recall curve.
    pub auc_pr: f64,
    /// Mean precision at ten recalls.
    pub map11: f64,
    /// Best F over the curve.
    pub best_f: f64,
}

/// Benefit gained on events and lost on the others by the cases above some utility.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Point {
    tp: f64,
    fp: f64,
}

impl Uba {
    /// The curve summaries at the event threshold `t_e` (0 counts as 0.01, as in uba).
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, utility::Uba};
    /// let relevance = Relevance::range(&[(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)], Some(&[0.0; 3]))?;
    /// let Relevance::Pchip(phi) = relevance else { unreachable!() };
    /// let truth = [-4.0, -3.2, -1.0, 0.0, 0.3, 1.1, 2.0, 3.5];
    /// let curve = Uba::new(&phi, 0.5, 0.6)?.curve(&truth, &truth, 0.8, 1.0)?;
    /// assert!(curve.auc_roc > 0.5);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn curve(&self, truth: &[f64], predicted: &[f64], t_e: f64, beta: f64) -> Result<UbaCurve> {
        check_event_threshold(t_e)?;
        check_beta(beta)?;
        check_pair(truth, predicted)?;
        let cases = truth.iter().zip(predicted).map(|(&y, &z)| self.curve_case(y, z, t_e));
        Ok(UbaCurve::of_cases(cases.collect(), beta))
    }

    /// What one case adds to the curve.
    fn curve_case(&self, truth: f64, predicted: f64, t_e: f64) -> CurveCase {
        let t_e = if t_e == 0.0 { 0.01 } else { t_e };
        let [phi, _, utility] = self.case(truth, predicted);
        let event = phi >= t_e;
        let worth = if event { 1.0 + phi } else { 2.0 - self.p() * (1.0 - phi) };
        CurveCase { utility, event, worth }
    }
}

/// A case as the curves see it: its utility, whether it is an event, and what it adds to the totals.
#[derive(Clone, Copy, Debug)]
struct CurveCase {
    utility: f64,
    event: bool,
    worth: f64,
}

impl UbaCurve {
    /// The summaries over cases, whatever φ and p each was measured with.
    fn of_cases(mut cases: Vec<CurveCase>, beta: f64) -> Self {
        let mut total = Point::default();
        let (mut events, mut others) = (0usize, 0usize);
        for case in &cases {
            if case.event {
                total.tp += case.worth;
                events += 1;
            } else {
                total.fp += case.worth;
                others += 1;
            }
        }
        if events == 0 || others == 0 {
            return Self::default();
        }
        cases.sort_by(|a, b| b.utility.total_cmp(&a.utility));
        let points = operating_points(&cases);
        // Every event was predicted as badly as can be (U = −1): no point rises, and the four areas are 0.
        if points.is_empty() {
            return Self::default();
        }
        summaries(&hull(&points, total), total, beta)
    }
}

/// The curve's corners: one before each new utility, highest first, and the totals.
fn operating_points(cases: &[CurveCase]) -> Vec<Point> {
    let mut points = Vec::new();
    let mut sum = Point::default();
    for (i, &CurveCase { utility: u, event, .. }) in cases.iter().enumerate() {
        if i == 0 || u != cases[i - 1].utility {
            points.push(sum);
        }
        if event {
            sum.tp += 1.0 + u;
        } else {
            sum.fp += 1.0 - u;
        }
    }
    points.push(sum);
    points.drain(..points.iter().take_while(|p| p.tp == 0.0).count());
    if let Some(&first) = points.first()
        && first.tp >= STEP
        && first.fp > 0.0
    {
        let lead = Point { tp: STEP, fp: STEP * first.fp / first.tp };
        if !points.contains(&lead) {
            points.insert(0, lead);
        }
    }
    points
}

/// The hull under construction: rates and points by position. Entries at or beyond `size` are out of the hull
/// but keep what was shifted there.
struct Hull {
    fpr: Vec<f64>,
    tpr: Vec<f64>,
    points: Vec<Point>,
    size: usize,
}

impl Hull {
    fn insert(&mut self, at: usize, point: Point, fpr: f64, tpr: f64) {
        self.fpr.insert(at, fpr);
        self.tpr.insert(at, tpr);
        self.points.insert(at, point);
    }

    fn remove(&mut self, at: usize) {
        self.fpr.remove(at);
        self.tpr.remove(at);
        self.points.remove(at);
        self.size -= 1;
    }

    /// Which side of segment `a` the place (f, t) lies on; positive is above.
    fn side(&self, a: usize, f: f64, t: f64) -> f64 {
        (self.fpr[a + 1] - self.fpr[a]) * (t - self.tpr[a])
            - (f - self.fpr[a]) * (self.tpr[a + 1] - self.tpr[a])
    }

    /// The first segment from `from` on that begins right of `f` or does not lie above (f, t).
    fn first_stop(&self, from: usize, f: f64, t: f64) -> Option<usize> {
        (from..self.size - 1).find(|&a| f < self.fpr[a] || self.side(a, f, t) >= 0.0)
    }

    fn add(&mut self, point: Point, f: f64, t: f64) {
        let mut from = 0;
        while let Some(a) = self.first_stop(from, f, t) {
            if f < self.fpr[a] {
                return;
            }
            let det = self.side(a, f, t);
            if det > 0.0 {
                self.insert(a + 1, point, f, t);
                self.size += 1;
                // The turn from the new point over the next corner to the one after.
                while a + 3 < self.size
                    && (self.fpr[a + 3] - f) * (self.tpr[a + 2] - t)
                        - (self.fpr[a + 2] - f) * (self.tpr[a + 3] - t)
                        < 0.0
                {
                    self.remove(a + 1);
                }
                return;
            }
            if det == 0.0 && f <= self.fpr[a + 1] && t >= self.tpr[a] && t <= self.tpr[a + 1] {
                self.insert(a + 1, point, f, t);
                return;
            }
            from = a + 1;
        }
    }
}

/// uba's hull, built by insertion. It is no convex hull: after an insertion that leaves a later corner below
/// the line, uba deletes the inserted corner instead of the later one. Reproduced, because every summary
/// depends on it.
///
/// It may keep a share of all points, so the time grows with n².
fn hull(points: &[Point], total: Point) -> Vec<Point> {
    let Some(&first) = points.first() else { return Vec::new() };
    let mut hull = Hull {
        fpr: vec![first.fp / total.fp, 1.0],
        tpr: vec![first.tp / total.tp, 1.0],
        points: vec![first, total],
        size: 2,
    };
    let mut previous = first;
    for &point in &points[..points.len() - 1] {
        // The curve never turns back, so a point that is in the hull already equals the one before it or an
        // end.
        let repeated = point == previous || point == first || point == total;
        previous = point;
        if !(repeated && hull.points[..hull.size].contains(&point)) {
            hull.add(point, point.fp / total.fp, point.tp / total.tp);
        }
    }
    hull.points.truncate(hull.size);
    hull.points
}

fn summaries(hull: &[Point], total: Point, beta: f64) -> UbaCurve {
    let precision = |p: Point| p.tp / (p.tp + p.fp);
    let mut missed = 0.0;
    let mut auc_pr = 0.0;
    let mut last: Option<Point> = None;
    let mut visit = |p: Point| {
        match last {
            None => {
                missed = p.fp / total.fp * (p.tp / total.tp) / 2.0;
                auc_pr = p.tp / total.tp * precision(p);
            }
            Some(q) => {
                let rise = p.tp / total.tp - q.tp / total.tp;
                missed += rise * (p.fp / total.fp + q.fp / total.fp) / 2.0;
                auc_pr += rise * (precision(p) + precision(q)) / 2.0;
            }
        }
        last = Some(p);
    };
    for pair in hull.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if a.tp == b.tp {
            continue;
        }
        let slope = (b.fp - a.fp) / (b.tp - a.tp);
        let mut step = 0.0;
        while a.tp + step * STEP < b.tp {
            visit(Point { tp: a.tp + step * STEP, fp: a.fp + slope * (step * STEP) });
            step += 1.0;
        }
    }
    if let Some(&end) = hull.last() {
        visit(end);
    }
    let grid = precision_grid(hull, total);
    let map11 = (1..=10).map(|k| grid[100 * k - 2]).sum::<f64>() / 10.0;
    let recalls = (1..=1000).map(|k| f64::from(k) / 1000.0);
    let best_f = recalls.zip(&grid).map(|(r, &p)| f_value(p, r, beta)).fold(0.0, f64::max);
    UbaCurve { auc_roc: 1.0 - missed, auc_pr, map11, best_f }
}

/// Precision at the recalls 1/1000 … 1, linear in fp between the hull's corners.
fn precision_grid(hull: &[Point], total: Point) -> Vec<f64> {
    let precision = |p: Point| p.tp / (p.tp + p.fp);
    let mut grid = Vec::with_capacity(1000);
    let mut a = 0;
    for k in 1..1000 {
        let tp = f64::from(k) / 1000.0 * total.tp;
        if f64::from(k) / 1000.0 <= hull[0].tp / total.tp {
            grid.push(precision(hull[0]));
            continue;
        }
        while a + 2 < hull.len() && hull[a + 1].tp < tp {
            a += 1;
        }
        let (left, right) = (hull[a], hull[(a + 1).min(hull.len() - 1)]);
        let width = right.tp - left.tp;
        let fp = if width > 0.0 { left.fp + (right.fp - left.fp) * (tp - left.tp) / width } else { right.fp };
        grid.push(precision(Point { tp, fp }));
    }
    grid.push(precision(total));
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relevance::Relevance;

    /// A corner lies on the segment that ends there, the last one of its block.
    #[test]
    fn a_point_on_a_segment_stops_at_it() {
        let fpr: Vec<f64> = (0..=16).map(f64::from).collect();
        let tpr: Vec<f64> = fpr.iter().map(|f| f * (32.0 - f)).collect();
        let hull = Hull { size: 17, points: vec![Point::default(); 17], fpr, tpr };
        assert_eq!(hull.first_stop(0, 8.0, 8.0 * 24.0), Some(7));
    }

    /// One event with utility ½ of 1 and then one other case with utility 0 of 0: the curve goes from (fp,
    /// tp) = (0, 1.5) to (1, 2), so that fp = 2·(tp − 1.5) and the precision is tp / (3·tp − 3).
    #[test]
    fn two_cases_by_hand() {
        let event = CurveCase { utility: 0.5, event: true, worth: 2.0 };
        let other = CurveCase { utility: 0.0, event: false, worth: 1.0 };
        let curve = UbaCurve::of_cases(vec![other, event], 1.0);
        // Above the line from (0, ¾) to (1, 1).
        assert!((curve.auc_roc - 0.875).abs() < 1e-12, "{curve:?}");
        // ¾ at precision 1, then ∫ tp / (3·tp − 3) d(tp/2) from 1.5 to 2 by trapezoids of 0.01.
        assert!((curve.auc_pr - (0.75 + (0.5 + 2.0_f64.ln()) / 6.0)).abs() < 1e-5, "{curve:?}");
        // Precision 1 at the seven recalls 0.099 … 0.699, then 1.598/1.794, 1.798/2.394 and 1.998/2.994.
        let map11 = (7.0 + 1.598 / 1.794 + 1.798 / 2.394 + 1.998 / 2.994) / 10.0;
        assert!((curve.map11 - map11).abs() < 1e-12, "{curve:?}");
        // At recall ¾: 2·¾ / 1¾.
        assert!((curve.best_f - 6.0 / 7.0).abs() < 1e-12, "{curve:?}");
    }

    #[test]
    fn worthless_predictions_of_every_event_have_no_area() {
        let Ok(Relevance::Pchip(phi)) =
            Relevance::range(&[(-2.0, 1.0), (0.0, 0.0), (2.0, 1.0)], Some(&[0.0; 3]))
        else {
            panic!("control points are fine")
        };
        let uba = Uba::new(&phi, 0.5, 1.0).unwrap();
        let curve = uba.curve(&[3.0, 0.0, -3.0], &[-3.0, 0.0, 3.0], 0.6, 1.0).unwrap();
        assert_eq!(curve, UbaCurve::default());
    }
}
