//! What REC05 says, decided from the statistics of a test period.

use tailrank_metrics::rec::{Interval, RecError, RecSurface, even_grid};
use tailrank_report::claims::Claim;

use super::{
    CART, ERROR_AXIS, EXAMPLE, FOREST, NNET, SVM, Test,
    rules::{self, Range},
    statistics::{Statistic as S, Statistics},
};
use crate::studies::{
    Found, Result,
    decide::{digits, finding, identity, percent, set_up},
};

/// `0.00034 (−0.00010 to 0.00081)`.
fn shown(of: &Statistics, s: S) -> String {
    let (low, high): Range = of.range(s);
    format!("{} ({} to {})", digits(of.value(s)), digits(low), digits(high))
}

/// `1.2 % (0.3 to 2.0 %)`.
fn shares(of: &Statistics, s: S) -> String {
    let (low, high) = of.range(s);
    format!("{} ({:.1} to {})", percent(of.value(s)), 100.0 * low, percent(high))
}

/// The findings, in the order of the figures.
pub(super) fn findings(of: &Statistics) -> Vec<Claim> {
    let range = |s| of.range(s);
    vec![
        finding("REC05 §3, Fig. 3", "Errors below 0.015 concentrate on Y around zero; the surface is flat at the extremes.").stands(
            rules::flat(range(S::FarOfBelow015)),
            format!("{} of randomForest's errors below 0.015 fall on |Y| > 0.02.", shares(of, S::FarOfBelow015)),
            "agree if fewer than 1 % do, by the whole interval; differ if more, by the whole interval: a model with bold forecasts \
             would have more",
        ),
        finding("REC05 §3, Fig. 4", "Few cases have 0.01 < Y < 0.02, and they lead to large errors.").stands(
            rules::few_and_large(range(S::SliceShare), range(S::SliceRatio)),
            format!(
                "{} of the cases; their median error is {} times that of all cases.",
                shares(of, S::SliceShare),
                shown(of, S::SliceRatio)
            ),
            "randomForest; agree if fewer than a fifth of the cases and a ratio above 1, by the whole intervals; differ if either is \
             clearly not so: a model that foresees rises would have a ratio below 1",
        ),
        finding("REC05 Fig. 5", "On −0.01 < Y < 0.01 cart clearly dominates nnet.").stands(
            rules::dominates(range(S::CentreGain), range(S::CentreBehind)),
            format!(
                "cart's mean error is smaller by {}; somewhere nnet is ahead by {} of the cases.",
                shown(of, S::CentreGain),
                shares(of, S::CentreBehind)
            ),
            "agree if cart's mean error is smaller and nnet is nowhere ahead by more than 0.5 % of the range's cases, by the whole \
             intervals (that of a maximum turned round); differ if either is clearly not so",
        ),
        finding("REC05 Fig. 6", "Below −0.03 cart's advantage is not clear, and nnet makes smaller errors more often.").stands(
            rules::better(&[range(S::LowGain)]),
            format!("nnet's area over the curve to 0.05 is smaller by {}.", shown(of, S::LowGain)),
            "agree if nnet's area over the curve is smaller by the whole interval; differ if cart's is",
        ),
        finding("REC05 Fig. 7", "cart makes errors below 0.005 more often than nnet.").stands(
            rules::better(&[range(S::MoreSmall(CART, NNET))]),
            format!("cart's share of such cases is higher by {}.", shares(of, S::MoreSmall(CART, NNET))),
            "final heights of the partial Y CDFs; agree if cart's is higher by the whole interval; differ if nnet's is",
        ),
        finding("REC05 Fig. 7", "cart's small errors lie near zero: its CDF is flat at the extremes; nnet's are more widespread.").stands(
            rules::flat_and_wider(range(S::Far(CART)), range(S::Wider)),
            format!(
                "{} of cart's small errors fall on |Y| > 0.02; the middle 90 % of Y is wider for nnet by {}.",
                shares(of, S::Far(CART)),
                shown(of, S::Wider)
            ),
            "agree if fewer than 1 % of cart's fall there and nnet's middle 90 % is wider, by the whole intervals; differ if either is \
             clearly not so",
        ),
        figure_8(of, "On Y < −0.02", [S::GainLow(FOREST), S::GainLow(SVM)]),
        figure_8(of, "On Y > 0.02", [S::GainHigh(FOREST), S::GainHigh(SVM)]),
        finding("REC05 Fig. 9", "nnet makes errors below 0.005 more often than randomForest and svm.").stands(
            rules::better(&[range(S::MoreSmall(NNET, FOREST)), range(S::MoreSmall(NNET, SVM))]),
            format!(
                "nnet's share of such cases is higher by {} than randomForest's and by {} than svm's.",
                shares(of, S::MoreSmall(NNET, FOREST)),
                shares(of, S::MoreSmall(NNET, SVM))
            ),
            "agree if higher than both by the whole intervals; differ if either is clearly higher than nnet's",
        ),
        finding("REC05 Fig. 9", "nnet's small errors lie near zero; outside a small band its CDF is horizontal.").stands(
            rules::flat(range(S::Far(NNET))),
            format!("{} of nnet's small errors fall on |Y| > 0.02.", shares(of, S::Far(NNET))),
            "agree if fewer than 1 % do, by the whole interval; differ if more, by the whole interval",
        ),
        finding("REC05 Fig. 9", "randomForest and svm make small errors on larger returns too.").stands(
            rules::better(&[range(S::MoreFar(FOREST, NNET)), range(S::MoreFar(SVM, NNET))]),
            format!(
                "Share of the cases with a small error on |Y| > 0.02, beside nnet's: randomForest {}, svm {}.",
                shares(of, S::MoreFar(FOREST, NNET)),
                shares(of, S::MoreFar(SVM, NNET))
            ),
            "agree if both have more than nnet by the whole intervals; differ if either has clearly fewer",
        ),
    ]
}

fn figure_8(of: &Statistics, side: &str, gains: [S; 2]) -> Claim {
    finding("REC05 Fig. 8", &format!("{side} randomForest and svm are slightly better than nnet.")).stands(
        rules::better(&gains.map(|g| of.range(g))),
        format!(
            "Area over the curve to 0.06, smaller than nnet's by: randomForest {}, svm {}.",
            shown(of, gains[0]),
            shown(of, gains[1])
        ),
        "normalised partial REC curves; agree if both are smaller by the whole intervals; differ if either is clearly larger",
    )
}

/// What was run, and what holds whatever the data.
pub(super) fn set_up_and_identities(found: &Found<'_>, test: &Test) -> Result<Vec<Claim>> {
    let task = &found.plan.tasks[0];
    let days = task.splits[0].test.len();
    let mut claims = vec![set_up("REC05 §5.1", "Daily returns of IBM, ten years of test cases.").holds(
        task.source == "IBM" && task.horizon == Some(1) && ten_years(days),
        format!("{days} test days of {}, {:.1} years of 252 sessions.", task.source, days as f64 / 252.0),
        "rows of the test period; agree within half a year, differ otherwise",
    )];
    claims.extend(identities(test)?);
    Ok(claims)
}

/// Ten years of 252 sessions, within half a year.
fn ten_years(days: usize) -> bool {
    (9.5..10.5).contains(&(days as f64 / 252.0))
}

/// What each equation of the paper asks of the program: none may be off by more than rounding.
fn same(difference: f64) -> bool {
    difference < 1e-12
}

fn largest(differences: impl Iterator<Item = f64>) -> f64 {
    differences.fold(0.0, |most: f64, d| if most.is_nan() || d <= most { most } else { d })
}

/// §2 to §4: the area over the curve, the surface's last slice, a partial curve as a difference.
fn identities(test: &Test) -> Result<Vec<Claim>> {
    let model = &test.models[EXAMPLE];
    let errors = even_grid(Interval::new(0.0, ERROR_AXIS)?, 51)?;
    let mut targets = even_grid(Interval::new(-0.04, 0.05)?, 91)?;
    targets.push(f64::INFINITY);
    let surface =
        RecSurface::new(&test.truth, &model.predicted, RecError::Absolute, errors.clone(), targets.clone())?;
    let curve = test.rec(EXAMPLE)?;
    let last = surface.along_errors(targets.len() - 1);
    let apart = largest(last.iter().zip(curve.at_points(&errors)).map(|(a, b)| (a - b).abs()));

    let (from, to) = (0.01, 0.02);
    let slice = test.partial_rec(EXAMPLE, Interval::new(from, to)?)?;
    let at = |y: f64| test.partial_rec(EXAMPLE, Interval::at_most(y)?);
    let (low, high) = (at(from)?, at(to)?);
    let difference = largest(errors.iter().map(|&e| (slice.at(e) - (high.at(e) - low.at(e))).abs()));

    let area = curve.area_over();
    let mean = test.truth.iter().zip(&model.predicted).map(|(y, z)| (z - y).abs()).sum::<f64>()
        / test.truth.len() as f64;
    Ok(vec![
        identity("REC05 §2", "The area over a REC curve is the mean error.").holds(
            same((area - mean).abs()),
            format!("randomForest: area {}, mean absolute error {}.", digits(area), digits(mean)),
            "integrated to the largest error; agree to 1e-12, differ by a wrong program alone. (The paper calls it a biased estimate \
             of the expected error)",
        ),
        identity("REC05 §3, Fig. 2", "The REC curve is the surface's last slice, D(ε, ∞).").holds(
            same(apart),
            format!("Largest difference over {} errors: {apart}.", errors.len()),
            "randomForest's surface on a grid of 51 × 92 against its curve, to 1e-12; differ by a wrong program alone",
        ),
        identity("REC05 §4.1", "A partial REC curve is the difference of two iso-lines of Y.").holds(
            same(difference),
            format!("Largest difference on 0.01 < Y < 0.02: {difference:.0e}."),
            "P(ε ≤ e, y1 < Y ≤ y2) against D(e, y2) − D(e, y1), to 1e-12; differ by a wrong program alone",
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_years_are_ten_years() {
        assert!(ten_years(2528) && !ten_years(2000) && !ten_years(9725));
    }

    #[test]
    fn an_identity_allows_rounding_and_nothing_else() {
        assert!(same(8e-17) && !same(1e-9) && !same(f64::NAN));
        assert!(largest([0.1, f64::NAN, 0.2].into_iter()).is_nan());
        assert_eq!(largest([0.1, 0.3, 0.2].into_iter()), 0.3);
    }
}
