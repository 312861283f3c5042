//! All additions that split one parent column on one variable.
//!
//! For every admissible knot the gain needs inner products of the hinge with each orthonormal column. Walking
//! the rows from the largest value down gives them for all knots in one pass per column, and since
//! orthonormal columns never change, a candidate keeps the running totals of the columns it has seen: a
//! forward step costs it one pass for each column the previous step added, however many there are already.

use super::orthogonal::{Cases, Orthogonal, dot};

/// Smallest `Σz²` of what the linear form adds to the span. Absolute, as in the reference: it depends on the
/// scale.
const LINEAR_ADDS: f64 = 0.01;
/// Smallest share of a hinge that may lie outside the span of the columns.
const HINGE_ADDS: f64 = 0.01;

/// What a search shares between its candidates.
pub(super) struct Search<'a> {
    pub(super) cases: Cases<'a>,
    /// Target, times the weights.
    pub(super) y: &'a [f64],
    /// Target minus its mean, times the weights.
    pub(super) centred: &'a [f64],
    /// Inputs, column by column.
    pub(super) x: &'a [Vec<f64>],
    /// Rows in ascending order of each input; ties keep their order.
    pub(super) orders: &'a [Vec<u32>],
    /// Each input in ascending order.
    pub(super) sorted: &'a [Vec<f64>],
}

/// The best addition of one candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addition {
    pub(super) gain: f64,
    pub(super) parent: usize,
    pub(super) variable: usize,
    pub(super) cut: f64,
    /// Both hinges are added: a knot of a form not yet in the model.
    pub(super) pair: bool,
}

/// One admissible knot and its running totals over the rows above it.
#[derive(Default)]
struct Knot {
    cut: f64,
    /// Distance to the knot above.
    drop: f64,
    /// How many of the candidate's rows lie above.
    above: usize,
    /// `Σwh` for hinge h.
    hinge_sum: f64,
    /// `Σw(h - mean h)²`.
    hinge_square: f64,
    /// Target along the part of the hinge outside the span of the columns seen.
    along_target: f64,
    /// Squared norm of that part.
    outside: f64,
}

/// All additions that split parent column `parent` on `variable`.
pub(super) struct Candidate {
    parent: usize,
    pub(super) variable: usize,
    /// The rows above some knot where the parent is positive, by their rank in the order of the variable,
    /// from the largest down.
    ranks: Vec<u32>,
    /// The parent column at these rows.
    parents: Vec<f64>,
    knots: Vec<Knot>,
    /// The linear form outside the span of the columns seen; dropped once it is not new.
    linear: Option<Vec<f64>>,
    /// Orthonormal columns taken into the totals.
    pub(super) seen: usize,
}

impl Candidate {
    /// Bytes a candidate holds, at most.
    pub(super) fn bytes(rows: usize, inputs: usize) -> usize {
        // Parents that are positive on few rows have narrower spans, and fewer rows.
        let knots = rows / Spans::new(inputs, rows.div_ceil(16), rows).min;
        rows * (size_of::<u32>() + 2 * size_of::<f64>()) + knots * size_of::<Knot>()
    }

    pub(super) fn new(search: &Search<'_>, parent: usize, column: &[f64], variable: usize) -> Self {
        let x = &search.x[variable];
        let order = &search.orders[variable];
        let n = x.len();
        let spans = Spans::new(search.x.len(), column.iter().filter(|b| **b > 0.0).count(), n);
        let mut ranks: Vec<u32> = Vec::with_capacity(n);
        let mut knots: Vec<Knot> = Vec::new();
        for k in (1..n).rev() {
            // Ranks from 1, as the rules are stated: the row of rank k + 1 joins those above the knot at rank
            // k.
            let row = order[k];
            let b = column[row as usize];
            if b > 0.0 {
                ranks.push(k as u32);
            }
            let cut = x[order[k - 1] as usize];
            let tied_below = k > 1 && cut == x[order[k - 2] as usize];
            if b > 0.0 && spans.admit(k) && !tied_below {
                let drop = knots.last().map_or(0.0, |k: &Knot| k.cut - cut);
                knots.push(Knot { cut, drop, above: ranks.len(), ..Knot::default() });
            }
        }
        ranks.truncate(knots.last().map_or(0, |k| k.above));
        ranks.shrink_to_fit();
        knots.shrink_to_fit();
        let parents = ranks.iter().map(|&rank| column[order[rank as usize] as usize]).collect();

        // The constant is taken out of it here, and out of the hinges' squares and the target in `start`.
        let mut linear: Vec<f64> = x.iter().zip(column).map(|(x, b)| x * b).collect();
        let mean = search.cases.mean(&linear);
        linear.iter_mut().for_each(|v| *v -= mean);
        let mut candidate = Self { parent, variable, ranks, parents, knots, linear: Some(linear), seen: 1 };
        candidate.start(search);
        candidate
    }

    /// Sums over the hinges themselves, and their inner products with the target.
    fn start(&mut self, search: &Search<'_>) {
        let (order, sorted) = (&search.orders[self.variable], &search.sorted[self.variable]);
        let cases = search.cases;
        let mut from = 0;
        let (mut parents, mut squares) = (0.0, 0.0);
        let (mut hinge_sum, mut hinge_square, mut parent_hinge) = (0.0, 0.0, 0.0);
        for knot in &mut self.knots {
            hinge_sum += parents * knot.drop;
            hinge_square += knot.drop * (2.0 * parent_hinge + knot.drop * squares);
            parent_hinge += knot.drop * squares;
            let rows = from..knot.above;
            for (&rank, &parent) in self.ranks[rows.clone()].iter().zip(&self.parents[rows]) {
                let weight = cases.weight(order[rank as usize] as usize);
                let hinge = parent * (sorted[rank as usize] - knot.cut);
                parents += weight * parent;
                squares += weight * (parent * parent);
                hinge_sum += weight * hinge;
                hinge_square += weight * (hinge * hinge);
                parent_hinge += weight * (parent * hinge);
            }
            from = knot.above;
            knot.hinge_sum = hinge_sum;
            knot.hinge_square = hinge_square - hinge_sum * hinge_sum / cases.total;
            knot.outside = knot.hinge_square;
        }
        let centred = search.centred;
        let take = |knot: &mut Knot, [with_hinge]: [f64; 1]| knot.along_target = with_hinge;
        self.each_knot(search, |_, row| [centred[row]], take);
    }

    /// Takes `K` orthonormal columns from the first unseen one on into the totals; `sorted` has them in the
    /// order of the variable.
    pub(super) fn see<const K: usize>(
        &mut self,
        search: &Search<'_>,
        orthogonal: &Orthogonal,
        sorted: &[[f64; K]],
    ) {
        let columns = self.seen..self.seen + K;
        if let Some(linear) = &mut self.linear {
            columns.clone().for_each(|j| _ = orthogonal.remove(linear, j, search.cases));
        }
        let with_target: [f64; K] = std::array::from_fn(|k| orthogonal.columns[self.seen + k].with_target);
        self.seen = columns.end;
        let take = |knot: &mut Knot, with_hinge: [f64; K]| {
            for k in 0..K {
                knot.outside -= with_hinge[k] * with_hinge[k];
                knot.along_target -= with_target[k] * with_hinge[k];
            }
        };
        self.each_knot(search, |rank, _| sorted[rank], take);
    }

    /// Calls `take` with the inner products of `K` columns and the hinge at each knot, from the largest knot
    /// down. `values` gives the columns at a rank and its row; weights, where there are any, are already in
    /// the columns.
    ///
    /// Between two knots a product grows by the distance times the sum above, plus the rows that join:
    /// differences of nearby values only, so a large offset of the input costs no digits.
    #[inline(always)]
    fn each_knot<const K: usize>(
        &mut self,
        search: &Search<'_>,
        values: impl Fn(usize, usize) -> [f64; K],
        mut take: impl FnMut(&mut Knot, [f64; K]),
    ) {
        let (order, sorted) = (&search.orders[self.variable][..], &search.sorted[self.variable][..]);
        let (mut total, mut with_hinge, mut from) = ([0.0; K], [0.0; K], 0);
        for knot in &mut self.knots {
            for k in 0..K {
                with_hinge[k] += total[k] * knot.drop;
            }
            let rows = from..knot.above;
            for (&rank, &parent) in self.ranks[rows.clone()].iter().zip(&self.parents[rows]) {
                let rank = rank as usize;
                let columns = values(rank, order[rank] as usize);
                let hinge = parent * (sorted[rank] - knot.cut);
                for k in 0..K {
                    total[k] += parent * columns[k];
                    with_hinge[k] += hinge * columns[k];
                }
            }
            from = knot.above;
            take(knot, with_hinge);
        }
    }

    /// The linear form is in the model already: only single hinges can follow.
    pub(super) fn form_is_taken(&mut self) {
        self.linear = None;
    }

    /// The addition with the largest gain; the linear form first, then knots from the largest down, earlier
    /// ones winning ties. `rss` and `previous` are the residual sum of squares and the gain of the last
    /// accepted step.
    pub(super) fn best(&mut self, search: &Search<'_>, rss: f64, previous: f64) -> Addition {
        let (parent, variable) = (self.parent, self.variable);
        let mut best = Addition { gain: 0.0, parent, variable, cut: 0.0, pair: false };
        let mut linear_gain = 0.0;
        let mut offer = |gain: f64, cut: f64, pair: bool| {
            if gain > best.gain {
                best = Addition { gain, cut, pair, ..best };
            }
        };
        // The reference sets a gain to zero when it exceeds the residual, or twice the last gain.
        let believable = |gain: f64| gain <= 1.01 * rss && gain <= 2.0 * previous;
        let linear = self.linear.take();
        let weighted = linear.as_ref().map(|z| search.cases.weigh(z));
        let size = linear.as_ref().zip(weighted.as_ref()).map_or(0.0, |(z, weighted)| dot(z, weighted));
        // Projections only shrink it, so a form that adds too little now never adds enough later.
        let adds = size > LINEAR_ADDS;
        if let (true, Some(linear), Some(weighted)) = (adds, &linear, &weighted) {
            let scale = 1.0 / size.sqrt();
            let along = dot(search.y, linear) * scale;
            linear_gain = along * along;
            offer(linear_gain, search.x[variable][search.orders[variable][0] as usize], false);
            let with_target = dot(search.centred, linear) * scale;
            let mean = search.cases.mean(linear);
            let take = |knot: &mut Knot, [with_hinge]: [f64; 1]| {
                let with_hinge = (with_hinge - mean * knot.hinge_sum) * scale;
                let along_target = knot.along_target - with_target * with_hinge;
                let gain = linear_gain + knot.gain(along_target, knot.outside - with_hinge * with_hinge);
                if believable(gain) {
                    offer(gain, knot.cut, true);
                }
            };
            self.each_knot(search, |_, row| [weighted[row]], take);
        } else {
            for knot in &self.knots {
                let gain = linear_gain + knot.gain(knot.along_target, knot.outside);
                if believable(gain) {
                    offer(gain, knot.cut, false);
                }
            }
        }
        drop(weighted);
        self.linear = linear.filter(|_| adds);
        best
    }
}

impl Knot {
    fn gain(&self, along_target: f64, outside: f64) -> f64 {
        if self.hinge_square > 0.0 && outside / self.hinge_square > HINGE_ADDS {
            along_target * along_target / outside
        } else {
            0.0
        }
    }
}

/// `K` orthonormal columns from `first` on in the order of an input: so that rows are fetched from all over
/// memory once for all parents, and two columns in little more time than one.
pub(super) fn in_order<const K: usize>(
    orthogonal: &Orthogonal,
    first: usize,
    order: &[u32],
) -> Vec<[f64; K]> {
    let columns: [&[f64]; K] = std::array::from_fn(|k| &orthogonal.columns[first + k].centred[..]);
    order.iter().map(|&row| columns.map(|column| column[row as usize])).collect()
}

/// Which ranks may hold a knot (Friedman 1991, eq. 43 and 45, with α = 0.05). They count rows, whatever these
/// weigh: the rule guards against runs of noise, and noise comes with rows.
struct Spans {
    min: usize,
    end: usize,
    n: usize,
}

impl Spans {
    fn new(inputs: usize, positive: usize, n: usize) -> Self {
        let p = inputs as f64;
        let min = -(-(0.95f64.ln()) / (p * positive as f64)).log2() / 2.5;
        Self { min: (min as usize).max(1), end: (3.0 - (0.05 / p).log2()) as usize, n }
    }

    fn admit(&self, rank: usize) -> bool {
        rank.is_multiple_of(self.min) && rank >= self.end && rank + self.end <= self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_the_stock_study() {
        let spans = Spans::new(24, 5000, 5000);
        assert_eq!((spans.min, spans.end), (8, 11));
    }
}
