//! What REC05 says, decided from the statistics of a test period.

use tailrank_metrics::rec::{Interval, RecError, RecSurface, even_grid};

use super::{
    CART, ERROR_AXIS, ERROR_AXIS_8, EXAMPLE, EXTREME, FOREST, NNET, SMALL, SVM, Test, centre,
    statistics::{Estimate, Statistics},
};
use crate::studies::{prelude::*, words::ClaimWords};

/// Below this share of its cases a curve is flat to the eye.
const FLAT: f64 = 0.01;
/// A lead of one curve that the eye does not see.
const UNSEEN: f64 = 0.005;

/// The findings, in the order of the figures.
pub(super) fn findings(of: &Statistics<'_>) -> Vec<Claim> {
    let above_0 = |e: Estimate| above(e.range, 0.0);
    let slice = |y: f64| y > 0.01 && y <= 0.02;
    let far_below_015 = of.of(|d| d.far_of(EXAMPLE, 0.015));
    let (few, ratio) = (of.of(|d| d.share_in(slice)), of.of(|d| d.error_ratio(slice)));
    let ahead = of.of(|d| d.gain((NNET, CART), ERROR_AXIS, centre));
    let behind = of.of(|d| d.behind(centre)).of_maximum();
    let low = of.of(|d| d.gain((CART, NNET), ERROR_AXIS, |y| y <= -0.03));
    let wider = of.of(|d| d.wider((NNET, CART)));
    let more_small = |a: usize, b: usize| of.of(|d| d.more_small((a, b), false));
    let more_far = |model: usize| of.of(|d| d.more_small((model, NNET), true));
    let by_cart = more_small(CART, NNET);
    let by_nnet = [FOREST, SVM].map(|m| more_small(NNET, m));
    let on_far = [FOREST, SVM].map(more_far);
    // A forecast within 0.005 of a return beyond ±0.02 is itself beyond ±0.015, and these models make next to
    // none: the curve is flat by arithmetic.
    let near_zero = |words: ClaimWords, model: usize| {
        let far = of.of(|d| d.far_of(model, SMALL));
        words.stands(below(far.range, FLAT), &[&far.share()])
    };
    let figure_8 = |side: &str, range: fn(f64) -> bool| {
        let gains = [FOREST, SVM].map(|m| of.of(|d| d.gain((NNET, m), ERROR_AXIS_8, range)));
        let [forest, svm] = gains.map(Estimate::shown);
        claim("rec-surfaces/fig-8").with(&[&side]).stands(all_of(&gains.map(above_0)), &[&forest, &svm])
    };
    vec![
        claim("rec-surfaces/fig-3").stands(below(far_below_015.range, FLAT), &[&far_below_015.share()]),
        claim("rec-surfaces/fig-4").stands(
            all_of(&[below(few.range, 0.2), above(ratio.range, 1.0)]),
            &[&few.share(), &ratio.shown()],
        ),
        claim("rec-surfaces/fig-5").stands(
            all_of(&[above_0(ahead), below(behind.range, UNSEEN)]),
            &[&ahead.shown(), &behind.share()],
        ),
        claim("rec-surfaces/fig-6").stands(above_0(low), &[&low.shown()]),
        claim("rec-surfaces/fig-7-small").stands(above_0(by_cart), &[&by_cart.share()]),
        near_zero(claim("rec-surfaces/fig-7-near-zero"), CART),
        claim("rec-surfaces/fig-7-wider").stands(above_0(wider), &[&wider.shown()]),
        figure_8("On Y < −0.02", |y| y <= -EXTREME),
        figure_8("On Y > 0.02", |y| y > EXTREME),
        claim("rec-surfaces/fig-9-small")
            .stands(all_of(&by_nnet.map(above_0)), &[&by_nnet[0].share(), &by_nnet[1].share()]),
        near_zero(claim("rec-surfaces/fig-9-near-zero"), NNET),
        claim("rec-surfaces/fig-9-far")
            .stands(all_of(&on_far.map(above_0)), &[&on_far[0].share(), &on_far[1].share()]),
    ]
}

/// What was run, and what holds whatever the data.
pub(super) fn set_up_and_identities(found: &Run, test: &Test) -> Result<Vec<Claim>> {
    let task = &found.plan.tasks[0];
    let days = task.splits[0].test.len();
    let years = days as f64 / 252.0;
    let of_ibm = task.source == "IBM" && task.horizon == Some(1);
    let ten_years = claim("rec-surfaces/ten-years")
        .holds(of_ibm && (9.5..10.5).contains(&years), &[&days, &task.source, &years]);
    // §2 to §4: the area over the curve, the surface's last slice, a partial curve as a difference.
    let errors = even_grid(Interval::new(0.0, ERROR_AXIS)?, 51)?;
    let mut targets = even_grid(Interval::new(-0.04, 0.05)?, 91)?;
    targets.push(f64::INFINITY);
    let (predicted, axes) = (&test.predicted[EXAMPLE], (errors.clone(), targets.clone()));
    let surface = RecSurface::new(&test.truth, predicted, RecError::Absolute, axes.0, axes.1)?;
    let curve = test.rec(EXAMPLE)?;
    let last = surface.along_errors(targets.len() - 1);
    let apart = largest(last.iter().zip(curve.at_points(&errors)).map(|(a, b)| (a - b).abs()));

    let (from, to) = (0.01, 0.02);
    let slice = test.partial_rec(EXAMPLE, Interval::new(from, to)?)?;
    let at = |y: f64| test.partial_rec(EXAMPLE, Interval::at_most(y)?);
    let (low, high) = (at(from)?, at(to)?);
    let difference = largest(errors.iter().map(|&e| (slice.at(e) - (high.at(e) - low.at(e))).abs()));

    let area = curve.area_over();
    let mean = mean(&(0..test.truth.len() as u32).map(|row| test.error(EXAMPLE, row)).collect::<Vec<_>>());
    Ok(vec![
        ten_years,
        claim("rec-surfaces/area").holds(same((area - mean).abs()), &[&digits(area), &digits(mean)]),
        claim("rec-surfaces/slice").holds(same(apart), &[&errors.len(), &apart]),
        claim("rec-surfaces/partial").holds(same(difference), &[&format!("{difference:.0e}")]),
    ])
}

/// What each equation of the paper asks of the program: none may be off by more than rounding.
fn same(difference: f64) -> bool {
    difference < 1e-12
}

fn largest(differences: impl Iterator<Item = f64>) -> f64 {
    differences.fold(0.0, |most: f64, d| if most.is_nan() || d <= most { most } else { d })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_allows_rounding_and_nothing_else() {
        assert!(same(8e-17) && !same(1e-9) && !same(f64::NAN));
        assert!(largest([0.1, f64::NAN, 0.2].into_iter()).is_nan());
        assert_eq!(largest([0.1, 0.3, 0.2].into_iter()), 0.3);
    }
}
