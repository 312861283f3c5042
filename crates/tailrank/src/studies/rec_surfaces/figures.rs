//! REC05 Fig. 1–9 with the paper's ranges.

use tailrank_metrics::rec::{Interval, RecError, RecSurface, StepCurve, even_grid};
use tailrank_report::figures::{
    Figure as Drawn, Heading, PartialRec, PartialYCdf, Quantity, RangePanel, RecCurves, RecSurfaceFigure,
    Variant, VariantCurve, partial_rec, partial_y_cdf, rec_curves, rec_surface_3d,
};

use super::{CART, ERROR_AXIS, EXAMPLE, EXTREME, FOREST, MODELS, NNET, SMALL, SVM, Test};
use crate::studies::{Figure, Result};

const ERROR: Quantity<'_> = Quantity::percent("absolute error");
const RETURN: Quantity<'_> = Quantity::percent("daily return");

/// All nine; Fig. 9, the one the paper's advice rests on, stands first.
pub(super) fn figures(test: &Test) -> Result<Vec<Figure>> {
    let pair = [CART, NNET];
    let three = [FOREST, NNET, SVM];
    let draw = |name: &str, figure: Drawn| Figure { name: name.to_owned(), svg: figure.svg };
    Ok(vec![
        draw("fig_9", small_errors(test, &three)?),
        draw("fig_1", whole(test)?),
        draw("fig_2", surface(test, None, (0.0, ERROR_AXIS), (-0.04, 0.05))?),
        draw(
            "fig_3",
            surface(test, Some("Where errors below 1.5 % occur: randomForest"), (0.0, 0.015), (-0.04, 0.05))?,
        ),
        draw(
            "fig_4",
            surface(
                test,
                Some("Errors on returns from 1 to 2 %: randomForest"),
                (0.0, ERROR_AXIS),
                (0.01, 0.02),
            )?,
        ),
        draw("fig_5", ranges(test, &pair, &[Interval::new(-0.01, 0.01)?])?),
        draw("fig_6", ranges(test, &pair, &[Interval::at_most(-0.03)?])?),
        draw("fig_7", small_errors(test, &pair)?),
        draw("fig_8", ranges(test, &three, &[Interval::at_most(-EXTREME)?, Interval::over(EXTREME)?])?),
    ])
}

fn variant(model: usize) -> Variant<'static> {
    let (family, label) = MODELS[model];
    Variant { label, family }
}

const fn heading() -> Heading<'static> {
    Heading { title: None, context: "IBM, daily returns, test 1986–1996" }
}

fn whole(test: &Test) -> Result<Drawn> {
    let curves: Vec<StepCurve> = (0..MODELS.len()).map(|m| test.rec(m)).collect::<Result<_>>()?;
    let curves =
        curves.iter().enumerate().map(|(m, curve)| VariantCurve { variant: variant(m), curve }).collect();
    Ok(rec_curves(&RecCurves { heading: heading(), error: ERROR, curves })?)
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
    };
    Ok(rec_surface_3d(&data)?)
}

fn ranges(test: &Test, models: &[usize], ranges: &[Interval]) -> Result<Drawn> {
    let mut curves: Vec<Vec<StepCurve>> = Vec::new();
    for &range in ranges {
        curves.push(models.iter().map(|&m| test.partial_rec(m, range)).collect::<Result<_>>()?);
    }
    let panels = ranges
        .iter()
        .zip(&curves)
        .map(|(&range, of_range)| RangePanel {
            range,
            curves: models
                .iter()
                .zip(of_range)
                .map(|(&m, curve)| VariantCurve { variant: variant(m), curve })
                .collect(),
        })
        .collect();
    Ok(partial_rec(&PartialRec { heading: heading(), error: ERROR, target: RETURN, panels })?)
}

fn small_errors(test: &Test, models: &[usize]) -> Result<Drawn> {
    let curves: Vec<StepCurve> = models.iter().map(|&m| test.small_errors(m)).collect::<Result<_>>()?;
    let data = PartialYCdf {
        heading: heading(),
        error: ERROR,
        target: RETURN,
        range: Interval::at_most(SMALL)?,
        curves: models
            .iter()
            .zip(&curves)
            .map(|(&m, curve)| VariantCurve { variant: variant(m), curve })
            .collect(),
    };
    Ok(partial_y_cdf(&data)?)
}
