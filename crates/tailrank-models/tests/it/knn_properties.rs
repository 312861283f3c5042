//! What must hold for the neighbours and weights of `knn`.

use crate::tasks;

use tailrank_models::{Fit, FitContext, Params, Result, TrainSet, fit_grid, knn::Knn};
use tasks::Task;

fn fit(task: &Task, weights: Option<&[f64]>, grid: &[Params]) -> Vec<Result<Fit>> {
    let train = TrainSet { weights, ..task.train() };
    fit_grid(&Knn, train, task.test.view(), grid, &FitContext::new(3)).unwrap()
}

fn predictions(task: &Task, weights: Option<&[f64]>, grid: &[Params]) -> Vec<Vec<f64>> {
    fit(task, weights, grid).into_iter().map(|f| f.unwrap().predictions).collect()
}

fn grid() -> Vec<Params> {
    let mut grid = Vec::new();
    for weights in ["uniform", "inverse"] {
        for k in [1, 4, 40] {
            grid.push(Params::new().with("k", k).with("weights", weights));
        }
    }
    grid
}

#[test]
fn unit_weights_are_no_weights_to_the_bit() {
    let task = Task::synthetic(300, 4, 50);
    assert_eq!(predictions(&task, Some(&[1.0; 300]), &grid()), predictions(&task, None, &grid()));
}

#[test]
fn case_weights_weigh_the_targets() {
    let column = |values: &[f64]| values.iter().map(|v| vec![*v]).collect::<Vec<_>>();
    let task = Task::new(&column(&[0.0, 1.0, 3.0, 9.0]), &[10.0, 20.0, 40.0, 80.0], &column(&[1.0, 2.0]));
    let variant = |k: i64, weights: &str| Params::new().with("k", k).with("weights", weights);
    let grid = [variant(2, "uniform"), variant(3, "uniform"), variant(3, "inverse")];
    let got = predictions(&task, Some(&[1.0, 2.0, 5.0, 7.0]), &grid);
    // From 1: rows 1 and 0 (before 2, at the same distance as none); from 2: rows 1 and 2 at distance 1, then
    // 0.
    assert_eq!(got[0], [(2.0 * 20.0 + 10.0) / 3.0, (2.0 * 20.0 + 5.0 * 40.0) / 7.0]);
    assert_eq!(got[1], [(40.0 + 10.0 + 200.0) / 8.0, (40.0 + 200.0 + 10.0) / 8.0]);
    // Distance 0 counts alone; else weight over distance.
    assert_eq!(got[2], [20.0, (40.0 + 200.0 + 0.5 * 10.0) / (2.0 + 5.0 + 0.5)]);
}

#[test]
fn a_row_of_weight_zero_is_not_there() {
    let task = Task::synthetic(200, 3, 40);
    let weights: Vec<f64> = (0..200).map(|i| f64::from(u8::from(i % 3 != 0))).collect();
    let kept: Vec<usize> = (0..200).filter(|i| i % 3 != 0).collect();
    let rows: Vec<Vec<f64>> = kept.iter().map(|&i| task.x.view().row(i).to_vec()).collect();
    let y: Vec<f64> = kept.iter().map(|&i| task.y[i]).collect();
    let smaller = Task { test: task.test.clone(), ..Task::new(&rows, &y, &[vec![0.0; 3]]) };
    assert_eq!(predictions(&task, Some(&weights), &grid()), predictions(&smaller, None, &grid()));
    let message =
        fit(&task, Some(&weights), &[Params::new().with("k", 134)])[0].as_ref().unwrap_err().to_string();
    assert_eq!(message, "knn: k = 134 is not allowed: use at most the 133 training rows");
}

#[test]
fn many_queries_are_as_each_alone() {
    let task = Task::synthetic(2500, 6, 101);
    let together = predictions(&task, None, &grid());
    for i in [0, 5, 6, 95, 96, 100] {
        let row = task.test.view().row(i).to_vec();
        let alone = Task { test: tailrank_models::Matrix::from_rows(&[row]).unwrap(), ..task.clone() };
        for (all, one) in together.iter().zip(predictions(&alone, None, &grid())) {
            assert_eq!(all[i], one[0], "query {i}");
        }
    }
}
