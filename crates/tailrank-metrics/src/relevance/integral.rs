//! Integrals of φ along the target axis, in closed form for every kind of φ.
//!
//! Scores that look only where it matters, and still rank the conditional mean first, integrate a weight
//! between forecast and truth (Taggart 2022). Here the weight is φ.

use super::{Relevance, Sigmoid, pieces::Pieces};
use crate::exp;

/// φ integrated over a stretch [a, b] of the target axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// ∫ φ(θ) dθ.
    pub area: f64,
    /// ∫ φ(θ)·(b − θ) dθ.
    pub to_upper: f64,
    /// ∫ φ(θ)·(θ − a) dθ.
    pub to_lower: f64,
}

impl Stretch {
    /// The stretch [a, b] from `self` over [a, m], of length `below`, and `next` over [m, b], of length
    /// `above`.
    pub(super) fn join(self, below: f64, next: Self, above: f64) -> Self {
        Self {
            area: self.area + next.area,
            to_upper: self.to_upper + above * self.area + next.to_upper,
            to_lower: self.to_lower + below * next.area + next.to_lower,
        }
    }

    /// The same stretch of the mirrored axis.
    const fn mirrored(self) -> Self {
        Self { area: self.area, to_upper: self.to_lower, to_lower: self.to_upper }
    }
}

/// A relevance function prepared for integration: polynomials piece by piece, or logistic curves.
///
/// ```
/// use tailrank_metrics::Relevance;
/// // φ rises from 0 at 0 to 1 at 2.
/// let ramp = Relevance::table(&[(0.0, 0.0), (2.0, 1.0)])?.integral();
/// assert_eq!(ramp.over(0.0, 2.0).area, 1.0);
/// assert_eq!(ramp.over(-5.0, 3.0).area, 2.0);
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RelevanceIntegral {
    kind: Kind,
    /// Where the antiderivatives are zero.
    anchor: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Pieces(Pieces),
    /// The low curve up to the valley, the high curve beyond.
    Sigmoid {
        low: Logistic,
        high: Logistic,
        valley: f64,
        /// The valley as an end of the low and of the high curve.
        at_valley: (End, End),
    },
}

impl Relevance {
    /// φ prepared for integration.
    pub fn integral(&self) -> RelevanceIntegral {
        let kind = match self {
            Self::Sigmoid(sigmoid) => Kind::sigmoid(sigmoid),
            Self::Pchip(pchip) => Kind::Pieces(Pieces::of_pchip(pchip)),
            Self::Table(table) => Kind::Pieces(Pieces::of_table(table)),
            Self::Indicator(indicator) => Kind::Pieces(Pieces::of_indicator(indicator)),
        };
        let valley = self.valley();
        let anchor = match &kind {
            _ if valley.is_finite() => valley,
            Kind::Pieces(pieces) => pieces.first_knot(),
            Kind::Sigmoid { low, high, .. } => if valley > 0.0 { low } else { high }.centre,
        };
        RelevanceIntegral { kind, anchor }
    }
}

impl RelevanceIntegral {
    /// φ integrated from `from` to `to`, for `from` ≤ `to`.
    pub fn over(&self, from: f64, to: f64) -> Stretch {
        self.between(self.end(from), self.end(to))
    }

    /// What the integrals over all stretches that end at `y` share.
    #[inline]
    pub(crate) fn end(&self, y: f64) -> End {
        let tail = match &self.kind {
            Kind::Pieces(_) => Tail::default(),
            Kind::Sigmoid { low, valley, .. } if y <= *valley => Tail::at(low.falling_logit(y)),
            Kind::Sigmoid { high, .. } => Tail::at(high.logit(y)),
        };
        End { y, tail }
    }

    /// The tails of many ends at once, in vectors: their softplus and its integral.
    pub(crate) fn tails_into(&self, values: &[f64], softplus: &mut [f64], integral: &mut [f64]) {
        match &self.kind {
            Kind::Pieces(_) => {
                softplus.fill(0.0);
                integral.fill(0.0);
            }
            Kind::Sigmoid { low, high, valley, .. } => {
                let (low, high, valley) = (*low, *high, *valley);
                exp::map_into(
                    values,
                    softplus,
                    #[inline(always)]
                    |y| Tail::softplus_of(if y <= valley { low.falling_logit(y) } else { high.logit(y) }),
                );
                exp::map_into(
                    softplus,
                    integral,
                    #[inline(always)]
                    |w| -dilogarithm(w),
                );
            }
        }
    }

    /// φ integrated from one end to another at or above it.
    #[inline]
    pub(crate) fn between(&self, from: End, to: End) -> Stretch {
        match &self.kind {
            Kind::Pieces(pieces) => pieces.over(from.y, to.y),
            Kind::Sigmoid { low, high, valley, at_valley: (end_of_low, start_of_high) } => {
                if to.y <= *valley {
                    low.falling(from, to)
                } else if from.y > *valley {
                    high.rising(from, to)
                } else if from.y == *valley {
                    high.rising(*start_of_high, to)
                } else {
                    let (below, above) = (valley - from.y, to.y - valley);
                    low.falling(from, *end_of_low).join(below, high.rising(*start_of_high, to), above)
                }
            }
        }
    }

    /// The antiderivative A of φ and that of A, at `y`. With them rwae = |A(y) − A(ŷ)| and rwse = 2·(B(y) −
    /// B(ŷ) − (y − ŷ)·A(ŷ)): quick where many pairs are formed of few values, at the price of the digits that
    /// the subtraction costs.
    pub fn antiderivatives(&self, y: f64) -> (f64, f64) {
        if y >= self.anchor {
            let stretch = self.over(self.anchor, y);
            (stretch.area, stretch.to_upper)
        } else {
            let stretch = self.over(y, self.anchor);
            (-stretch.area, stretch.to_lower)
        }
    }
}

impl Kind {
    fn sigmoid(sigmoid: &Sigmoid) -> Self {
        let ((low, high), (low_slope, high_slope)) = (sigmoid.centres(), sigmoid.slopes());
        let curve = |centre: Option<f64>, slope| Logistic { centre: centre.unwrap_or(0.0), slope };
        let (low, high, valley) = (curve(low, low_slope), curve(high, high_slope), sigmoid.valley());
        // A φ with one flank has no valley, and no stretch meets it.
        let end = |logit: f64| End {
            y: valley,
            tail: if valley.is_finite() { Tail::at(logit) } else { Tail::default() },
        };
        Self::Sigmoid {
            low,
            high,
            valley,
            at_valley: (end(low.falling_logit(valley)), end(high.logit(valley))),
        }
    }
}

/// A logistic curve with its centre and (positive) slope.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Logistic {
    centre: f64,
    slope: f64,
}

/// Up to this many units of the logit, 16 nodes integrate a logistic curve to the last digit; beyond, the
/// closed form loses none.
const NEAR: f64 = 4.0;

impl Logistic {
    const fn logit(self, y: f64) -> f64 {
        self.slope * (y - self.centre)
    }

    /// The logit on the mirrored axis, where a falling curve rises.
    const fn falling_logit(self, y: f64) -> f64 {
        self.slope * (-y - -self.centre)
    }

    #[inline]
    fn rising(self, from: End, to: End) -> Stretch {
        self.scaled(self.logit(from.y), from.tail, self.logit(to.y), to.tail)
    }

    #[inline]
    fn falling(self, from: End, to: End) -> Stretch {
        self.scaled(self.falling_logit(to.y), to.tail, self.falling_logit(from.y), from.tail).mirrored()
    }

    #[inline]
    fn scaled(self, p: f64, at_p: Tail, q: f64, at_q: Tail) -> Stretch {
        let slope = self.slope;
        let unit = if q - p <= NEAR { gauss_legendre(p, q) } else { closed_form(p, at_p, q, at_q) };
        Stretch {
            area: unit.area / slope,
            to_upper: unit.to_upper / (slope * slope),
            to_lower: unit.to_lower / (slope * slope),
        }
    }
}

/// A value as the end of a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct End {
    pub(crate) y: f64,
    pub(crate) tail: Tail,
}

/// What softplus and its integral need at the logits x and −x: w = ln(1 + e^−|x|) and −Li₂(1 − eʷ).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tail {
    pub(crate) softplus: f64,
    pub(crate) integral: f64,
}

impl Tail {
    #[inline(always)]
    fn softplus_of(logit: f64) -> f64 {
        ln_1p(exp::exp(-logit.abs()))
    }

    #[inline]
    fn at(logit: f64) -> Self {
        let softplus = Self::softplus_of(logit);
        Self { softplus, integral: -dilogarithm(softplus) }
    }

    /// Softplus ln(1 + eˣ) and its integral −Li₂(−eˣ) = ∫ ln(1 + eᵗ) dt up to x, where this is the tail at x
    /// or −x.
    #[inline]
    fn softplus(self, x: f64) -> (f64, f64) {
        const ZETA_2: f64 = std::f64::consts::PI * std::f64::consts::PI / 6.0;
        // Li₂'s inversion formula for positive x.
        if x > 0.0 {
            (x + self.softplus, ZETA_2 + x * x / 2.0 - self.integral)
        } else {
            (self.softplus, self.integral)
        }
    }
}

/// The standard logistic curve over [p, q]. Its poles lie π away from the axis, so sixteen nodes over a width
/// of at most four are exact to rounding.
fn gauss_legendre(p: f64, q: f64) -> Stretch {
    let (middle, half) = (p + (q - p) / 2.0, (q - p) / 2.0);
    // All curves first, in vectors; then the sums, node after node.
    let curve = PLACES.map(|place| exp::logistic(middle + half * place));
    let mut sums = Stretch::default();
    for i in 0..PLACES.len() {
        let (w, place) = (NODES[i / 2].1 * curve[i], PLACES[i]);
        sums.area += w;
        sums.to_upper += w * (1.0 - place);
        sums.to_lower += w * (1.0 + place);
    }
    Stretch {
        area: half * sums.area,
        to_upper: half * half * sums.to_upper,
        to_lower: half * half * sums.to_lower,
    }
}

/// The same from softplus, the logistic's antiderivative, and −Li₂(−eˣ), the softplus's.
#[inline]
fn closed_form(p: f64, tail_p: Tail, q: f64, tail_q: Tail) -> Stretch {
    let width = q - p;
    let (area, to_upper) = if p > 0.0 {
        // Where the curve is nearly 1, what it lacks is integrated: no large numbers are subtracted.
        let ((at_p, beyond_p), (at_q, beyond_q)) = (tail_p.softplus(-p), tail_q.softplus(-q));
        let lacks_to_upper = width * at_p - (beyond_p - beyond_q);
        (width - (at_p - at_q), width * width / 2.0 - lacks_to_upper)
    } else {
        let ((at_p, up_to_p), (at_q, up_to_q)) = (tail_p.softplus(p), tail_q.softplus(q));
        (at_q - at_p, (up_to_q - up_to_p) - width * at_p)
    };
    Stretch { area, to_upper, to_lower: width * area - to_upper }
}

/// Li₂(1 − eʷ) for 0 ≤ w ≤ ln 2, by its series in Bernoulli's numbers.
#[inline(always)]
fn dilogarithm(w: f64) -> f64 {
    /// B₂ₖ / (2k + 1)! for k = 8, …, 1.
    const BERNOULLI: [f64; 8] = [
        -1.993_929_586_072_107_4e-14,
        8.921_691_020_456_452e-13,
        -4.064_761_645_144_225_6e-11,
        1.897_886_998_897_1e-09,
        -9.185_773_074_661_964e-08,
        4.724_111_866_969_01e-06,
        -0.000_277_777_777_777_777_8,
        0.027_777_777_777_777_776,
    ];
    let square = w * w;
    let series = BERNOULLI.iter().fold(0.0, |sum, term| sum * square + term);
    -w - square / 4.0 - w * square * series
}

/// ln(1 + u) for 0 ≤ u ≤ 1: 2·artanh(u/(2 + u)), the same bits on every platform.
#[inline(always)]
fn ln_1p(u: f64) -> f64 {
    let t = u / (2.0 + u);
    let square = t * t;
    let series = ODD_INVERSES.iter().fold(0.0, |sum, term| sum * square + term);
    2.0 * t * series
}

/// 1/(2k + 1) for k = 17, …, 0: at t = 1/3 the first term left out is below 1e-18 of artanh's sum.
const ODD_INVERSES: [f64; 18] = {
    let mut terms = [0.0; 18];
    let mut k = 0;
    while k < 18 {
        terms[17 - k] = 1.0 / (2 * k + 1) as f64;
        k += 1;
    }
    terms
};

/// The nodes, each below and above the middle.
const PLACES: [f64; 16] = {
    let mut places = [0.0; 16];
    let mut i = 0;
    while i < NODES.len() {
        (places[2 * i], places[2 * i + 1]) = (-NODES[i].0, NODES[i].0);
        i += 1;
    }
    places
};

/// Positive nodes and their weights of the Gauss–Legendre rule with 16 nodes.
const NODES: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_58),
    (0.458_016_777_657_227_37, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_8, 0.149_595_988_816_576_74),
    (0.755_404_408_355_003, 0.124_628_971_255_533_88),
    (0.865_631_202_387_831_8, 0.095_158_511_682_492_79),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_096),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_special_functions_have_their_known_values() {
        use std::f64::consts::{LN_2, PI};
        let close =
            |got: f64, exact: f64| assert!((got - exact).abs() <= 4e-16 * exact.abs(), "{got} {exact}");
        close(ln_1p(1.0), LN_2);
        close(ln_1p(1e-9), 9.999_999_995e-10);
        let softplus = |x: f64| Tail::at(x).softplus(x);
        close(softplus(0.0).0, LN_2);
        close(softplus(0.0).1, PI * PI / 12.0);
        // Li₂(−1/2) and −Li₂(−e²), computed with 50-digit arithmetic.
        close(dilogarithm(1.5_f64.ln()), -0.448_414_206_923_646_2);
        close(softplus(2.0).1, 3.513_921_582_133_803);
        close(softplus(-30.0).1, 9.357_622_968_839_955e-14);
    }

    #[test]
    fn both_roads_agree_where_they_meet() {
        for i in -60..60 {
            let p = f64::from(i) * 0.5;
            let q = p + NEAR;
            let (near, far) = (gauss_legendre(p, q), closed_form(p, Tail::at(p), q, Tail::at(q)));
            for (a, b) in
                [(near.area, far.area), (near.to_upper, far.to_upper), (near.to_lower, far.to_lower)]
            {
                assert!((a - b).abs() <= 1e-13 * a, "{p}: {a} against {b}");
            }
        }
    }

    #[test]
    fn ends_prepared_together_give_the_same_bits() {
        let sigmoid = |low, high| Relevance::sigmoid(low, high, 0.5, 1e-4).unwrap();
        let functions = [
            sigmoid(Some(-2.0), Some(3.0)),
            sigmoid(Some(-2.0), None),
            sigmoid(None, Some(3.0)),
            Relevance::table(&[(-1.0, 0.2), (2.0, 1.0)]).unwrap(),
        ];
        for phi in functions {
            let integral = phi.integral();
            // The valley itself is among the values.
            let mut values: Vec<f64> = (-40..=40).map(|i| f64::from(i) * 0.13).collect();
            values.extend(Some(phi.valley()).filter(|v| v.is_finite()));
            values.sort_by(f64::total_cmp);
            let [mut softplus, mut of_softplus] = [(); 2].map(|()| vec![0.0; values.len()]);
            integral.tails_into(&values, &mut softplus, &mut of_softplus);
            let end = |i: usize| End {
                y: values[i],
                tail: Tail { softplus: softplus[i], integral: of_softplus[i] },
            };
            for i in 0..values.len() {
                for j in i..values.len() {
                    let (apart, together) =
                        (integral.over(values[i], values[j]), integral.between(end(i), end(j)));
                    assert!(apart.area >= 0.0, "{phi:?} from {} to {}", values[i], values[j]);
                    assert_eq!(apart, together, "{phi:?} from {} to {}", values[i], values[j]);
                }
            }
        }
    }
}
