//! MARS against R's `mda::mars` 0.5-3.

use crate::compare;
use crate::reference;
use crate::tables;

use compare::assert_close;
use reference::{coca_cola, r_grid, rows, small_task};
use tables::number;
use tailrank_models::{FitContext, Params, fit_grid, mars::Mars, mars::MarsFamily};

/// `mars_d1_p2_t0.001` → degree, penalty, threshold.
fn settings(model: &str) -> Mars {
    let part = |i: usize| number(&model.split('_').nth(i).unwrap()[1..]);
    let params = Params::new().with("degree", part(1)).with("penalty", part(2)).with("threshold", part(3));
    Mars::new(&params).unwrap()
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
        let model = settings(&name).fit(task.train_set(), &FitContext::new(0)).unwrap();
        let lines: Vec<_> = fixture.iter().filter(|r| r[0] == name).collect();
        assert_eq!(lines.len(), 5 * model.terms.len(), "{name}: number of terms");
        for line in lines {
            let term = &model.terms[number(&line[1]) as usize - 1];
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
        let model = settings(&line[0]).fit(task.train_set(), &FitContext::new(0)).unwrap();
        assert!((model.gcv - number(&line[2])).abs() < 1e-14, "{}: {}", line[0], model.gcv);
    }
}

#[test]
fn predictions_of_d_predictions() {
    let task = small_task();
    let fixture = rows("d_predictions.csv");
    for name in mars_models() {
        let model = settings(&name).fit(task.train_set(), &FitContext::new(0)).unwrap();
        let expected: Vec<f64> = fixture.iter().filter(|r| r[0] == name).map(|r| number(&r[2])).collect();
        let got = model.predict_rows(task.test.view()).unwrap();
        assert_close(&name, &got, &expected, 1e-12);
    }
}

/// The 16 MARS variants of the stock-returns study from one call: MAD and RMSE to 10 digits, equal signals
/// and terms.
#[test]
fn coca_cola_grid() {
    let (task, r) = (coca_cola(), r_grid("mars"));
    assert_eq!(r.rows.len(), 16);
    let variant =
        |i| Params::new().with("penalty", r.number(i, "first")).with("threshold", r.number(i, "second"));
    let grid: Vec<Params> = (0..16).map(variant).collect();
    let fits = fit_grid(&MarsFamily, task.train_set(), task.test.view(), &grid, &FitContext::new(1)).unwrap();
    for (i, fit) in fits.into_iter().enumerate() {
        let fit = fit.unwrap();
        let [mad, rmse, signals] = task.scores(&fit.predictions);
        let terms = fit.details.iter().find(|d| d.0 == "terms").unwrap().1;
        let errors = [r.number(i, "mad"), r.number(i, "rmse")];
        assert_close(&grid[i].to_string(), &[mad, rmse], &errors, 1e-12);
        assert_eq!((signals, terms), (r.number(i, "signals"), r.number(i, "extra")), "{}", grid[i]);
    }
}
