//! What must hold for every registered family and engine.

use crate::tasks;

use std::{sync::mpsc, thread, time::Duration};

use tailrank_models::{
    Family, Fit, FitContext, Matrix, MatrixView, ModelError, ParamKind, ParamSpec, ParamValue, Params,
    Result, accepted_parameters, families, fit_grid,
};
use tasks::Task;

/// Long enough for a loaded machine, short enough to notice a hang.
const PATIENCE: Duration = Duration::from_secs(300);

/// The defaults, and every choice and flag of the parameter table turned once.
fn variants_of(family: &dyn Family) -> Vec<Params> {
    let mut variants = vec![Params::new()];
    for spec in accepted_parameters(family) {
        let one = |value| Params::new().with(spec.name, value);
        match spec.kind {
            ParamKind::Choice(words) => {
                variants.extend(
                    words.iter().filter(|w| **w != spec.default).map(|w| Params::new().with(spec.name, *w)),
                );
            }
            ParamKind::Flag => variants.push(one(spec.default != "true")),
            _ => {}
        }
    }
    variants
}

fn label(family: &dyn Family) -> String {
    format!("{}/{}", family.name(), family.engine())
}

/// Runs a fit in a thread of its own; a panic or a hang fails the test.
fn within_patience<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let _ = send.send(work());
    });
    receive
        .recv_timeout(PATIENCE)
        .unwrap_or_else(|e| panic!("{what}: {e} (a panic, or more than {PATIENCE:?})"))
}

fn fit_all(family: &dyn Family, task: &Task, variants: &[Params]) -> Result<Vec<Result<Fit>>> {
    fit_grid(family, task.train(), task.test.view(), variants, &FitContext::new(7))
}

fn map_inputs(m: MatrixView<'_>, f: impl Fn(usize, usize, f64) -> f64) -> Matrix {
    let values =
        (0..m.rows()).flat_map(|i| (0..m.cols()).map(move |j| (i, j))).map(|(i, j)| f(i, j, m.at(i, j)));
    Matrix::new(m.rows(), m.cols(), values.collect()).unwrap()
}

fn bad_tasks() -> Vec<(&'static str, Task)> {
    let plain = Task::synthetic(40, 4, 10);
    let inputs = |f: &dyn Fn(usize, usize, f64) -> f64| Task {
        x: map_inputs(plain.x.view(), f),
        test: map_inputs(plain.test.view(), f),
        y: plain.y.clone(),
    };
    let targets = |f: &dyn Fn(usize, f64) -> f64| {
        let y = plain.y.iter().enumerate().map(|(i, v)| f(i, *v)).collect();
        Task { y, ..plain.clone() }
    };
    let mut outlier = inputs(&|_, _, v| v);
    outlier.test = map_inputs(plain.test.view(), |_, _, v| 1e300 * v);
    vec![
        ("ordinary", plain.clone()),
        ("constant column", inputs(&|_, j, v| if j == 1 { 0.1 } else { v })),
        ("all columns constant", inputs(&|_, _, _| 0.1)),
        ("duplicated columns", inputs(&|i, j, v| if j % 2 == 1 { plain.x.view().at(i, j - 1) } else { v })),
        ("equal rows", inputs(&|_, j, _| j as f64)),
        ("one row", Task::synthetic(1, 4, 3)),
        ("two rows", Task::synthetic(2, 4, 3)),
        ("more columns than rows", Task::synthetic(8, 30, 5)),
        ("inputs of 1e150", inputs(&|_, _, v| 1e150 * v)),
        ("inputs of 1e-150", inputs(&|_, _, v| 1e-150 * v)),
        ("inputs of both", inputs(&|_, j, v| if j % 2 == 0 { 1e150 * v } else { 1e-150 * v })),
        ("targets of 1e150", targets(&|_, v| 1e150 * v)),
        ("targets of 1e-150", targets(&|_, v| 1e-150 * v)),
        ("equal targets", targets(&|_, _| 0.1)),
        ("one target apart", targets(&|i, _| if i == 3 { 1.0 } else { 0.0 })),
        ("test rows of 1e300", outlier),
    ]
}

#[test]
fn bad_input_gives_a_fit_or_a_typed_error() {
    for &family in families() {
        for (name, task) in bad_tasks() {
            let what = format!("{} on {name}", label(family));
            let variants = variants_of(family);
            let (grid, rows) = (variants.clone(), task.test.view().rows());
            let fits = within_patience(&what, move || fit_all(family, &task, &grid)).unwrap();
            for (variant, fit) in variants.iter().zip(fits) {
                match fit {
                    // `fit_grid` lets only finite predictions through.
                    Ok(fit) => assert_eq!(fit.predictions.len(), rows, "{what}"),
                    Err(e) => {
                        println!("{what} [{variant}]: {e}");
                        assert!(!e.to_string().is_empty() && name != "ordinary", "{what} [{variant}]: {e}");
                        assert!(!matches!(e, ModelError::Cancelled), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn values_that_are_not_finite_are_named() {
    let plain = Task::synthetic(20, 3, 5);
    for &family in families() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut in_x = plain.clone();
            in_x.x.as_mut_slice()[7] = bad;
            let mut in_test = plain.clone();
            in_test.test.as_mut_slice()[4] = bad;
            let mut in_y = plain.clone();
            in_y.y[3] = bad;
            let text = |task: &Task| fit_all(family, task, &[Params::new()]).unwrap_err().to_string();
            assert_eq!(text(&in_x), format!("data: training input row 3, column 2 is {bad}"));
            assert_eq!(text(&in_test), format!("data: test input row 2, column 2 is {bad}"));
            assert_eq!(text(&in_y), format!("data: training target row 4 is {bad}"));
        }
    }
}

#[test]
fn test_rows_may_come_in_any_order_or_alone() {
    let task = Task::synthetic(90, 5, 24);
    let rows = task.test.view().rows();
    let order: Vec<usize> = (0..rows).map(|i| (i * 7 + 3) % rows).collect();
    let pick = |index: &[usize]| {
        let rows: Vec<&[f64]> = index.iter().map(|&i| task.test.view().row(i)).collect();
        Task { test: Matrix::from_rows(&rows).unwrap(), ..task.clone() }
    };
    for &family in families() {
        let variants = variants_of(family);
        let whole = fit_all(family, &task, &variants).unwrap();
        let mixed = fit_all(family, &pick(&order), &variants).unwrap();
        let alone = fit_all(family, &pick(&[5]), &variants).unwrap();
        for (((variant, whole), mixed), alone) in variants.iter().zip(whole).zip(mixed).zip(alone) {
            let (whole, mixed, alone) = (whole.unwrap(), mixed.unwrap(), alone.unwrap());
            let want: Vec<f64> = order.iter().map(|&i| whole.predictions[i]).collect();
            assert_eq!(mixed.predictions, want, "{} [{variant}]", label(family));
            let (one, among) = (alone.predictions[0], whole.predictions[5]);
            // Products of matrices with fewer rows may add up in another order in other crates.
            let slack = if family.engine() == "native" { 0.0 } else { 1e-13 * among.abs().max(1.0) };
            assert!((one - among).abs() <= slack, "{} [{variant}]: {one} {among}", label(family));
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let task = Task::synthetic(90, 5, 150);
    for &family in families() {
        let variants = variants_of(family);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit_all(family, &task, &variants)).unwrap()
        };
        let (one, three) = (run(1), run(3));
        for ((variant, a), b) in variants.iter().zip(one).zip(three) {
            assert_eq!(a, b, "{} [{variant}]", label(family));
        }
    }
}

#[test]
fn a_variant_alone_equals_itself_in_a_grid() {
    let task = Task::synthetic(90, 5, 24);
    let sd = 0.8; // of the targets, about
    for &family in families() {
        let variants = variants_of(family);
        let grid = fit_all(family, &task, &variants).unwrap();
        for (variant, together) in variants.iter().zip(grid) {
            let alone = fit_all(family, &task, std::slice::from_ref(variant)).unwrap().remove(0).unwrap();
            let together = together.unwrap();
            // Warm starts end an SVM elsewhere within its tolerance.
            let tolerance = if family.name() == "svm" { 2e-3 * sd } else { 0.0 };
            for (a, b) in alone.predictions.iter().zip(&together.predictions) {
                assert!((a - b).abs() <= tolerance, "{} [{variant}]: {a} {b}", label(family));
            }
        }
    }
}

#[test]
fn unknown_parameters_and_estimates() {
    let shape = tailrank_models::Shape { train_rows: 5000, test_rows: 3000, inputs: 24 };
    for &family in families() {
        let task = Task::synthetic(10, 2, 2);
        let fits = fit_all(family, &task, &[Params::new().with("no_such_thing", 1)]).unwrap();
        assert!(matches!(fits[0], Err(ModelError::Missing { what: "parameter", .. })), "{}", label(family));
        let cost = family.estimate(shape, &variants_of(family));
        assert!(
            cost.cpu_seconds > 0.0 && cost.cpu_seconds < 1e5 && cost.bytes > 0,
            "{}: {cost:?}",
            label(family)
        );
    }
}

/// The documented default of a parameter as a value; `auto` by the rule its line of the table states.
fn default_value(family: &dyn Family, spec: &ParamSpec, inputs: usize) -> Option<ParamValue> {
    let real = |text: &str| ParamValue::Real(text.parse().unwrap());
    Some(match (spec.default, spec.kind) {
        ("auto", _) => match (family.name(), spec.name) {
            ("svm", "gamma") => (1.0 / inputs as f64).into(),
            ("forest", "mtry") => ((inputs / 3).max(1) as i64).into(),
            ("forest", "sample_fraction") => 1.0.into(),
            ("cart", "minbucket") => 7.into(),
            ("mars", "nk") => 21.into(),
            ("mars", "penalty") => 2.0.into(),
            // Without it the seed is the context's.
            ("nnet", "r_seed") => return None,
            other => panic!("what is 'auto' for {other:?}?"),
        },
        (text, ParamKind::Int { .. }) => ParamValue::Int(text.parse().unwrap()),
        (text, ParamKind::Real { .. }) => real(text),
        (text, ParamKind::Flag) => ParamValue::Flag(text.parse().unwrap()),
        (text, ParamKind::Choice(_)) => text.into(),
        (text, ParamKind::ChoiceOrReal { words, .. }) if words.contains(&text) => text.into(),
        (text, ParamKind::ChoiceOrReal { .. }) => real(text),
    })
}

/// Where the defaults alone would hide a parameter.
fn revealing(family: &dyn Family) -> Vec<Params> {
    let one = Params::new;
    match family.name() {
        // With cp = 0.01 few nodes are small enough for minsplit and minbucket to matter.
        "cart" => vec![one().with("cp", 0.0), one().with("cp", 0.0).with("prune", "min")],
        "svm" if family.engine() == "native" => vec![one().with("kernel", "polynomial")],
        "linear" => vec![one().with("penalty", "ridge")],
        "boost" => vec![one().with("loss", "huber"), one().with("growth", "level")],
        "baseline" => vec![one().with("kind", "ar"), one().with("kind", "extreme_high")],
        _ => vec![],
    }
}

#[test]
fn defaults_are_those_of_the_parameter_table() {
    let task = Task::reference();
    let mut different = Vec::new();
    for &family in families() {
        for base in revealing(family).into_iter().chain([Params::new()]) {
            let mut written = base.clone();
            for spec in accepted_parameters(family) {
                if base.get(spec.name).is_none()
                    && let Some(value) = default_value(family, &spec, 5)
                {
                    written.insert(spec.name, value);
                }
            }
            let silent = fit_all(family, &task, std::slice::from_ref(&base)).unwrap().remove(0).unwrap();
            let spoken = fit_all(family, &task, std::slice::from_ref(&written)).unwrap().remove(0).unwrap();
            if silent != spoken {
                different.push(format!("{} [{base}] is not [{written}]", label(family)));
            }
        }
    }
    assert!(different.is_empty(), "{different:#?}");
}
