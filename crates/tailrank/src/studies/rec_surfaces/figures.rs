//! REC05 Fig. 1–9 with the paper's ranges.

use tailrank_metrics::{
    rec::{Interval, RecError, RecSurface, StepCurve, even_grid},
    relevance::Flank,
};
use tailrank_report::figures::{
    Figure as Drawn, PartialYCdf, RangePanel, VariantCurve, partial_rec, partial_y_cdf, rec_curves,
    rec_surface,
};

use super::{CART, ERROR_AXIS, EXAMPLE, EXTREME, FOREST, MODELS, NNET, SMALL, SVM, Test};
use crate::studies::prelude::*;

const HEADING: Heading<'_> = Heading::of("IBM, daily returns, test 1986–1996");
const RETURN: Quantity<'_> = Quantity::percent("daily return");

/// All nine; Fig. 9, the one the paper's advice rests on, stands first.
pub(super) fn figures(test: &Test) -> Result<Vec<Figure>> {
    let (pair, three) = ([CART, NNET], [FOREST, NNET, SVM]);
    let (below_015, from_1_to_2) =
        ("Where errors below 1.5 % occur: randomForest", "Errors on returns from 1 to 2 %: randomForest");
    let figures = [
        ("fig_9", small_errors(test, &three)?),
        ("fig_1", whole(test)?),
        ("fig_2", surface(test, None, (0.0, ERROR_AXIS), (-0.04, 0.05))?),
        ("fig_3", surface(test, Some(below_015), (0.0, 0.015), (-0.04, 0.05))?),
        ("fig_4", surface(test, Some(from_1_to_2), (0.0, ERROR_AXIS), (0.01, 0.02))?),
        ("fig_5", ranges(test, &pair, &[Interval::new(-0.01, 0.01)?])?),
        ("fig_6", ranges(test, &pair, &[Interval::at_most(-0.03)?])?),
        ("fig_7", small_errors(test, &pair)?),
        ("fig_8", ranges(test, &three, &[Interval::at_most(-EXTREME)?, Interval::over(EXTREME)?])?),
    ];
    Ok(figures.into_iter().map(|(name, drawn)| figure(name, drawn)).collect())
}

fn variant(model: usize) -> Variant<'static> {
    let (family, label) = MODELS[model];
    Variant { label, family }
}

fn curves(models: &[usize], of: impl Fn(usize) -> Result<StepCurve>) -> Result<Vec<VariantCurve<'static>>> {
    models.iter().map(|&m| Ok(VariantCurve { variant: variant(m), curve: of(m)? })).collect()
}

fn whole(test: &Test) -> Result<Drawn> {
    let curves = curves(&[FOREST, NNET, SVM, CART], |m| test.rec(m))?;
    Ok(rec_curves(HEADING, Quantity::percent("absolute error"), &curves)?)
}

fn surface(test: &Test, title: Option<&str>, errors: (f64, f64), targets: (f64, f64)) -> Result<Drawn> {
    let grid = |(from, to): (f64, f64)| -> Result<Vec<f64>> { Ok(even_grid(Interval::new(from, to)?, 41)?) };
    let predicted = &test.predicted[EXAMPLE];
    let surface = RecSurface::new(&test.truth, predicted, RecError::Absolute, grid(errors)?, grid(targets)?)?;
    Ok(rec_surface(Heading { title, ..HEADING }, variant(EXAMPLE), RETURN, &surface, Flank::Low)?)
}

fn ranges(test: &Test, models: &[usize], ranges: &[Interval]) -> Result<Drawn> {
    let panel =
        |&range: &Interval| Ok(RangePanel { range, curves: curves(models, |m| test.partial_rec(m, range))? });
    let panels: Vec<RangePanel<'_>> = ranges.iter().map(panel).collect::<Result<_>>()?;
    Ok(partial_rec(HEADING, RETURN, &panels)?)
}

fn small_errors(test: &Test, models: &[usize]) -> Result<Drawn> {
    let curves = curves(models, |m| test.small_errors(m))?;
    let range = Interval::at_most(SMALL)?;
    let data = PartialYCdf { target: RETURN, range, curves };
    Ok(partial_y_cdf(HEADING, &data)?)
}
