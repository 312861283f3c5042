//! The memory limit and the number of threads change how a fit is made, never its numbers.

use crate::tasks;

use tailrank_models::{Family, Fit, FitContext, ModelError, Params, Result, Svm, families, fit_grid};
use tasks::Task;

/// Megabytes and threads.
const LIMITS: [(usize, usize); 5] = [(4096, 1), (4096, 7), (100, 2), (10, 1), (10, 7)];

fn fit(family: &dyn Family, task: &Task, variants: &[Params], mb: usize, threads: usize) -> Vec<Result<Fit>> {
    let context = FitContext { memory_bytes: mb << 20, ..FitContext::new(5) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| fit_grid(family, task.train(), task.test.view(), variants, &context)).unwrap()
}

/// Variants whose fits are large at 1200 rows.
fn variants(family: &dyn Family) -> Vec<Params> {
    let one = Params::new;
    match (family.name(), family.engine()) {
        ("svm", "linfa") => vec![one()],
        ("svm", _) => {
            // A wide tube leaves few points free, so that the factor fits into the smallest limit.
            let wide = || one().with("epsilon", 0.5);
            vec![
                wide(),
                wide().with("cost", 10.0),
                wide().with("cost", 10.0).with("gamma", 0.5),
                wide().with("cost", 30.0).with("kernel", "polynomial").with("coef0", 1.0),
                wide().with("kernel", "linear"),
                one(),
            ]
        }
        ("forest", _) => vec![
            one().with("trees", 40),
            one().with("trees", 7),
            one().with("trees", 40).with("mtry", 1).with("node_size", 1),
        ],
        ("mars", _) => vec![one(), one().with("degree", 2), one().with("degree", 2).with("nk", 9)],
        ("boost", _) => {
            vec![one(), one().with("max_depth", 9).with("min_rows", 1), one().with("subsample", 0.5)]
        }
        ("nnet", _) => vec![one().with("maxit", 20), one().with("size", 20).with("maxit", 5)],
        ("linear", "native") => {
            ["none", "ridge", "lasso"].into_iter().map(|p| one().with("penalty", p)).collect()
        }
        _ => vec![one()],
    }
}

#[test]
fn numbers_are_the_same_under_every_memory_limit_and_thread_count() {
    let task = Task::synthetic(1200, 6, 100);
    let mut refused = Vec::new();
    for &family in families() {
        let variants = variants(family);
        let what = format!("{}/{}", family.name(), family.engine());
        let mut first: Option<Vec<Result<Fit>>> = None;
        for (mb, threads) in LIMITS {
            let fits = fit(family, &task, &variants, mb, threads);
            let want = first.get_or_insert_with(|| fits.clone());
            for ((variant, want), got) in variants.iter().zip(&*want).zip(&fits) {
                match got {
                    // A limit may refuse a fit; it may not bend it.
                    Err(ModelError::Memory { needed_mb, limit_mb: 10, .. }) if *needed_mb > 10 => {
                        refused.push(format!("{what} [{variant}]"));
                    }
                    _ => assert_eq!(got, want, "{what} [{variant}] at {mb} MB and {threads} threads"),
                }
                assert!(want.is_ok(), "{what} [{variant}]: {want:?}");
            }
        }
    }
    refused.sort();
    refused.dedup();
    println!("refused with 10 MB: {refused:?}");
    assert!(refused.iter().all(|r| r.starts_with("svm/")) && refused.len() <= 4, "{refused:?}");
}

#[test]
fn a_support_vector_machine_without_room_for_its_factor_says_what_it_needs() {
    // Noise and no tube: nearly every point is free.
    let task = Task::synthetic(900, 6, 20);
    let variants = [Params::new().with("epsilon", 0.0).with("cost", 100.0)];
    let whole = fit(&Svm, &task, &variants, 1024, 1);
    let refused = fit(&Svm, &task, &variants, 4, 1);
    let Err(ModelError::Memory { needed_mb, limit_mb: 4, .. }) = refused[0] else {
        panic!("{refused:?}");
    };
    assert!((8..40).contains(&needed_mb), "{needed_mb}");
    assert_eq!(fit(&Svm, &task, &variants, needed_mb as usize + 4, 1), whole);
    assert!(whole[0].as_ref().unwrap().details.iter().any(|(k, v)| *k == "newton_rounds" && *v > 0.0));
}
