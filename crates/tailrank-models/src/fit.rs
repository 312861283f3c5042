//! The door to every family: what all of them may rely on is checked here, once.

use crate::{Family, Fit, FitContext, MatrixView, ModelError, Params, Result, TrainSet};

/// Checks data and variants, fits the grid and checks what comes back.
///
/// One answer per variant, in order: a variant with bad parameters or bad predictions fails alone. The outer error means
/// that the data suits no variant at all.
pub fn fit_grid(
    family: &dyn Family,
    train: TrainSet<'_>,
    test: MatrixView<'_>,
    variants: &[Params],
    context: &FitContext,
) -> Result<Vec<Result<Fit>>> {
    check_data(train, test)?;
    let mut answers: Vec<Result<Fit>> =
        variants.iter().map(|v| family.check(v).map(|()| Fit::converged(Vec::new()))).collect();
    let accepted: Vec<usize> = (0..variants.len()).filter(|&i| answers[i].is_ok()).collect();
    let grid: Vec<Params> = accepted.iter().map(|&i| variants[i].clone()).collect();
    if grid.is_empty() {
        return Ok(answers);
    }
    let fits = family.fit_grid(train, test, &grid, context);
    if fits.len() != grid.len() {
        return Err(ModelError::Numerical {
            family: family.name(),
            problem: format!("returned {} answers for {} variants", fits.len(), grid.len()),
        });
    }
    for (&i, fit) in accepted.iter().zip(fits) {
        answers[i] = fit.and_then(|f| check_fit(family.name(), f, test.rows()));
    }
    Ok(answers)
}

pub(crate) fn check_data(train: TrainSet<'_>, test: MatrixView<'_>) -> Result<()> {
    let fail = |problem: String| Err(ModelError::Data { problem });
    if train.x.rows() != train.y.len() {
        return fail(format!("{} training rows but {} targets", train.x.rows(), train.y.len()));
    }
    if train.x.rows() == 0 || train.x.cols() == 0 {
        return fail(format!(
            "{} training rows × {} inputs: both must be at least 1",
            train.x.rows(),
            train.x.cols()
        ));
    }
    if test.cols() != train.x.cols() {
        return fail(format!("test rows have {} inputs, training rows {}", test.cols(), train.x.cols()));
    }
    if let Some(i) = train.y.iter().position(|v| !v.is_finite()) {
        return fail(format!("training target row {} is {}", i + 1, train.y[i]));
    }
    for (name, x) in [("training", train.x), ("test", test)] {
        if let Some(i) = x.as_slice().iter().position(|v| !v.is_finite()) {
            let (row, col) = (i / x.cols() + 1, i % x.cols() + 1);
            return fail(format!("{name} input row {row}, column {col} is {}", x.as_slice()[i]));
        }
    }
    Ok(())
}

fn check_fit(family: &'static str, fit: Fit, rows: usize) -> Result<Fit> {
    if fit.predictions.len() != rows {
        let problem = format!("returned {} predictions for {rows} test rows", fit.predictions.len());
        return Err(ModelError::Numerical { family, problem });
    }
    if let Some(i) = fit.predictions.iter().position(|v| !v.is_finite()) {
        let problem = format!("prediction for test row {} is {}", i + 1, fit.predictions[i]);
        return Err(ModelError::Numerical { family, problem });
    }
    Ok(fit)
}
