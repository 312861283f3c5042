//! Many tasks at once, and effects over tasks.

use tailrank_metrics::Measure;
use tailrank_score::score::RowDesign;
use tailrank_stats::{ClusterMethod, Correction, adjust, cluster_interval};

use super::{
    ask::{Asked, Events, Outcome, inferred, p_values, settings},
    report::{Part, Promise, Row},
    worlds::Random,
};
use tailrank_score::score::{Predictions, TaskTruth, VariantStatus};

const MEASURES: [Measure; 2] = [Measure::Rwse, Measure::F];
/// Cases of a task without skill, and of one with a nearly perfect model.
const CASES: [usize; 2] = [130, 200];

/// p against chance, against the baseline and of the verdict, by each measure, of one task among `tests`.
fn p_of_task(random: &mut Random, tests: usize, perfect: bool, seed: u64) -> Outcome<[[f64; 3]; 2]> {
    let cases = CASES[usize::from(perfect)];
    let truth = random.normals(cases);
    let mut models: Vec<Vec<f64>> = (0..3).map(|_| random.normals(cases)).collect();
    if perfect {
        models[0] = truth.iter().map(|y| y + 0.01 * random.normal()).collect();
    }
    let parts = [TaskTruth::new(truth, settings(Events::Beyond(1.2))?)];
    let of = |p: Vec<f64>| Predictions { status: VariantStatus::Fine, parts: vec![p] };
    let predictions: Vec<Predictions> = models.into_iter().map(of).collect();
    let asked = Asked {
        baselines: 1,
        horizon: None,
        lags: 0,
        design: &RowDesign::default(),
        tests,
        measures: &MEASURES,
        draws: (199, 199),
        seed,
    };
    let found = inferred(&parts, &predictions, &asked)?;
    // What cannot be tested is no discovery.
    let of =
        |m| found.measure(m).map_or([1.0; 3], |of| p_values(of, &found.variants).map(|p| p.unwrap_or(1.0)));
    Ok(MEASURES.map(of))
}

/// Studies of 60 and 1,000 tasks without skill: how often any task is called good after Holm's correction;
/// perfect tasks.
pub(crate) fn many(worlds: usize, _: &str) -> Outcome<Part> {
    let mut all = Vec::new();
    for (tests, studies) in [(60, worlds), (1000, worlds.div_ceil(10))] {
        let mut any = [[0; 3]; 2];
        for study in 0..studies {
            let mut random = Random::new(197, study);
            let tasks = (0..tests).map(|t| p_of_task(&mut random, tests, false, (study * tests + t) as u64));
            let tasks = tasks.collect::<Outcome<Vec<_>>>()?;
            for (m, any) in any.iter_mut().enumerate() {
                for (test, any) in any.iter_mut().enumerate() {
                    let p: Vec<f64> = tasks.iter().map(|of| of[m][test]).collect();
                    *any += usize::from(adjust(&p, Correction::Holm)?.iter().any(|&p| p < 0.05));
                }
            }
        }
        let world = format!("{tests} tasks of {} cases, no skill", CASES[0]);
        for (what, test) in
            [("any task against chance", 0), ("any task against an equal baseline", 1), ("any verdict", 2)]
        {
            let promise = Promise::Size;
            all.extend(
                MEASURES
                    .iter()
                    .zip(any)
                    .map(|(m, any)| row(&world, what, m.id(), studies, any[test], promise)),
            );
        }
    }
    for tests in [60, 1000] {
        // Every task of the 60, a sample of the thousand.
        let tried = if tests == 60 { 60 } else { 20 };
        let mut p = [Vec::new(), Vec::new()];
        for task in 0..tried {
            let found = p_of_task(&mut Random::new(182, task), tests, true, task as u64)?;
            p.iter_mut().zip(found).for_each(|(p, found)| p.push(found[2]));
        }
        for (measure, p) in MEASURES.iter().zip(p) {
            // Holm's first step holds for all that pass it.
            let passed = p.iter().filter(|&&p| p * (tests as f64) < 0.05).count();
            let world = format!("{tests} tasks of {} cases, each with a nearly perfect model", CASES[1]);
            all.push(row(
                &world,
                "verdict after correction",
                measure.id(),
                tried,
                passed,
                Promise::AtLeast(1.0),
            ));
        }
    }
    Ok(Part {
        name: "tasks",
        heading: "Many tasks",
        says: "Three models and an equal baseline on every task. How often any task of a study without skill passes Holm's correction \
               over all its tasks at 5 %; and how many tasks with a model that is nearly right pass it."
            .to_owned(),
        rows: all,
    })
}

fn row(world: &str, what: &str, measure: &str, replications: usize, count: usize, promise: Promise) -> Row {
    let (world, what, measure) = (world.to_owned(), what.to_owned(), measure.to_owned());
    Row { world, what, measure, replications, answered: replications, count, promise }
}

/// Intervals of an effect over clusters of tasks that share neither rows nor dates.
pub(crate) fn effects(worlds: usize, _: &str) -> Outcome<Part> {
    let mut all = Vec::new();
    for clusters in [6, 12, 30] {
        for (name, skewed) in [("normal effects", false), ("skewed effects", true)] {
            let mut held = 0;
            for world in 0..worlds {
                let values = Random::new(183, world + 10_000 * clusters).normals(clusters);
                // The median of the lognormal law is 1.
                let values: Vec<f64> =
                    values.iter().map(|z| if skewed { z.exp() - 1.0 } else { *z }).collect();
                let interval = cluster_interval(&values, ClusterMethod::Sign, 0.95)?;
                held += usize::from(interval.lower <= 0.0 && 0.0 <= interval.upper);
            }
            let world = format!("{clusters} clusters, {name}");
            all.push(row(&world, "sign interval of the median", "any", worlds, held, Promise::AtLeast(0.94)));
        }
    }
    Ok(Part {
        name: "effects",
        heading: "Effects over tasks",
        says: "Share of the 95 % intervals of a step's effect that hold no effect where there is none. Below six clusters there is none."
            .to_owned(),
        rows: all,
    })
}
