//! REC05 Fig. 1–9 with the paper's ranges.

use tailrank_metrics::rec::{Interval, RecError, RecSurface, StepCurve, even_grid};
use tailrank_report::figures::{
    Figure as Drawn, PartialRec, PartialYCdf, RangePanel, RecCurves, RecSurfaceFigure, Tail, VariantCurve,
    partial_rec, partial_y_cdf, rec_curves, rec_surface_3d,
};

use super::{CART, ERROR_AXIS, EXAMPLE, EXTREME, FOREST, MODELS, NNET, SMALL, SVM, Test};
use crate::studies::prelude::*;

const ERROR: Quantity<'_> = Quantity::percent("absolute error");
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

const fn heading() -> Heading<'static> {
    Heading::of("IBM, daily returns, test 1986–1996")
}

type Curves = Vec<(usize, StepCurve)>;

fn curves(models: &[usize], of: impl Fn(usize) -> Result<StepCurve>) -> Result<Curves> {
    models.iter().map(|&m| Ok((m, of(m)?))).collect()
}

fn drawn(curves: &Curves) -> Vec<VariantCurve<'_>> {
    curves.iter().map(|(m, curve)| VariantCurve { variant: variant(*m), curve }).collect()
}

fn whole(test: &Test) -> Result<Drawn> {
    let curves = curves(&[FOREST, NNET, SVM, CART], |m| test.rec(m))?;
    Ok(rec_curves(&RecCurves { heading: heading(), error: ERROR, curves: drawn(&curves) })?)
}

fn surface(test: &Test, title: Option<&str>, errors: (f64, f64), targets: (f64, f64)) -> Result<Drawn> {
    let grid = |(from, to): (f64, f64)| -> Result<Vec<f64>> { Ok(even_grid(Interval::new(from, to)?, 41)?) };
    let predicted = &test.models[EXAMPLE].predicted;
    let surface = RecSurface::new(&test.truth, predicted, RecError::Absolute, grid(errors)?, grid(targets)?)?;
    let data = RecSurfaceFigure {
        heading: Heading { title, ..heading() },
        variant: variant(EXAMPLE),
        error: ERROR,
        target: RETURN,
        surface: &surface,
        tail: Tail::Lowest,
    };
    Ok(rec_surface_3d(&data)?)
}

fn ranges(test: &Test, models: &[usize], ranges: &[Interval]) -> Result<Drawn> {
    let of_ranges: Vec<Curves> =
        ranges.iter().map(|&range| curves(models, |m| test.partial_rec(m, range))).collect::<Result<_>>()?;
    let panels =
        ranges.iter().zip(&of_ranges).map(|(&range, curves)| RangePanel { range, curves: drawn(curves) });
    let panels = panels.collect();
    Ok(partial_rec(&PartialRec { heading: heading(), error: ERROR, target: RETURN, panels })?)
}

fn small_errors(test: &Test, models: &[usize]) -> Result<Drawn> {
    let curves = curves(models, |m| test.small_errors(m))?;
    let data = PartialYCdf {
        heading: heading(),
        error: ERROR,
        target: RETURN,
        range: Interval::at_most(SMALL)?,
        curves: drawn(&curves),
    };
    Ok(partial_y_cdf(&data)?)
}
