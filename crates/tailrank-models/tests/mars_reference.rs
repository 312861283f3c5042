//! MARS against R's `mda::mars` 0.5-3.
#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used)] // a failed test is how they report

mod reference;

use reference::{coca_cola, number, rows, small_task};
use tailrank_models::{FitContext, Params, fit_grid, mars::Mars, mars::MarsFamily};

/// `mars_d1_p2_t0.001` → degree, penalty, threshold.
fn settings(model: &str) -> Mars {
    let part = |i: usize| number(&model.split('_').nth(i).unwrap()[1..]);
    Mars::new().degree(part(1) as usize).penalty(part(2)).threshold(part(3))
}

fn mars_models() -> Vec<String> {
    let mut names: Vec<String> = rows("d_mars_terms.csv").into_iter().map(|r| r[0].clone()).collect();
    names.dedup();
    assert_eq!(names.len(), 9);
    names
}

#[test]
fn terms_of_d_mars_terms() {
    let task = small_task();
    let fixture = rows("d_mars_terms.csv");
    for name in mars_models() {
        let model = settings(&name).fit_rows(task.train.view(), &task.y).unwrap();
        let lines: Vec<_> = fixture.iter().filter(|r| r[0] == name).collect();
        assert_eq!(lines.len(), 5 * model.terms().len(), "{name}: number of terms");
        for line in lines {
            let term = &model.terms()[number(&line[1]) as usize - 1];
            let coefficient = number(&line[3]);
            assert!((term.coefficient - coefficient).abs() < 1e-11, "{name}: {line:?} {term:?}");
            let variable = number(&line[4]) as usize - 1;
            let hinge = term.hinges.iter().find(|h| h.variable == variable);
            let (sign, cut) = hinge.map_or((0.0, 0.0), |h| (h.sign, h.cut));
            assert_eq!((sign, cut), (number(&line[5]), number(&line[6])), "{name}: {line:?}");
        }
    }
}

#[test]
fn gcv_of_d_model_info() {
    let task = small_task();
    for line in rows("d_model_info.csv").iter().filter(|r| r[0].starts_with("mars") && r[1] == "gcv") {
        let model = settings(&line[0]).fit_rows(task.train.view(), &task.y).unwrap();
        assert!((model.gcv() - number(&line[2])).abs() < 1e-14, "{}: {}", line[0], model.gcv());
    }
}

#[test]
fn predictions_of_d_predictions() {
    let task = small_task();
    let fixture = rows("d_predictions.csv");
    for name in mars_models() {
        let model = settings(&name).fit_rows(task.train.view(), &task.y).unwrap();
        let expected: Vec<f64> = fixture.iter().filter(|r| r[0] == name).map(|r| number(&r[2])).collect();
        let got = model.predict_rows(task.test.view()).unwrap();
        assert_eq!(got.len(), expected.len());
        let worst = got.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-12, "{name}: {worst:e}");
    }
}

/// The 16 MARS variants of the stock-returns study from one call: MAD to 10 digits, equal signals and terms.
#[test]
fn coca_cola_grid() {
    let Some(task) = coca_cola() else { return };
    let lines: Vec<_> = rows("r_grid_KO_h3.csv").into_iter().filter(|r| r[1] == "mars").collect();
    assert_eq!(lines.len(), 16);
    let grid: Vec<Params> = lines
        .iter()
        .map(|r| Params::new().with("penalty", number(&r[2])).with("threshold", number(&r[3])))
        .collect();
    let fits = fit_grid(&MarsFamily, task.train_set(), task.test.view(), &grid, &FitContext::new(1)).unwrap();
    for (line, fit) in lines.iter().zip(fits) {
        let fit = fit.unwrap();
        let mad = task.mad(&fit.predictions);
        // φ = 0.5 at ±0.02 and t_E = 0.5: a signal is a prediction beyond 2 %.
        let signals = fit.predictions.iter().filter(|p| p.abs() >= 0.02).count();
        let terms = fit.details.iter().find(|d| d.0 == "terms").unwrap().1;
        assert!((mad - number(&line[4])).abs() < 1e-12, "{}: {mad} {}", line[0], line[4]);
        assert_eq!((signals as f64, terms), (number(&line[9]), number(&line[14])), "{}", line[0]);
    }
}
