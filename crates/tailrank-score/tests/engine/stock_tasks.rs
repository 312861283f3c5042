//! Rows and events of the twelve tasks of the stock-returns study, drawn by its own experiment.

use std::path::Path;

use tailrank_data::Library;
use tailrank_experiment::plan::Plan;

/// Task, training rows and events, test rows and events. They stand here so that a change of data or of code
/// that moves them is seen.
const TASKS: [(&str, usize, usize, usize, usize); 12] = [
    ("IBM 1d", 5030, 636, 4670, 941),
    ("IBM 3d", 5026, 1766, 4668, 1940),
    ("IBM 5d", 5022, 2327, 4666, 2507),
    ("KO 1d", 5030, 740, 4670, 690),
    ("KO 3d", 5026, 1984, 4668, 1652),
    ("KO 5d", 5022, 2600, 4666, 2140),
    ("BA 1d", 2776, 497, 2578, 636),
    ("BA 3d", 2772, 1203, 2576, 1252),
    ("BA 5d", 2768, 1472, 2574, 1509),
    ("GM 1d", 5030, 746, 4670, 1352),
    ("GM 3d", 5026, 1975, 4668, 2470),
    ("GM 5d", 5022, 2548, 4666, 2932),
];

/// `--nocapture` shows the table.
#[test]
#[allow(clippy::print_stdout, reason = "the table is for people")]
fn rows_and_events_of_the_twelve_tasks() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/stock-returns.toml");
    let plan = Plan::load(&path, &Library::default()).unwrap();
    println!("task    train  events  purged   test  events   share");
    let mut found = Vec::new();
    for task in &plan.tasks {
        let (train, test) = (task.train_targets(0), task.test_targets(0));
        let rules = plan.rules.for_task(&task.relevance, &train, task.horizon).unwrap();
        let phi = rules.relevance.unwrap();
        let events = |targets: &[f64]| targets.iter().filter(|r| phi.phi(**r) >= rules.t_e).count();
        let (train_events, test_events) = (events(&train), events(&test));
        let split = &task.splits[0];
        println!(
            "{:6} {:>6} {train_events:>7} {:>7} {:>6} {test_events:>7} {:>6.1}%",
            task.name,
            train.len(),
            split.purged,
            test.len(),
            100.0 * test_events as f64 / test.len() as f64
        );
        assert_eq!(split.purged, task.horizon.unwrap() - 1);
        assert_eq!(train.len() + split.purged + test.len(), task.data.rows());
        found.push((task.name.as_str(), train.len(), train_events, test.len(), test_events));
    }
    assert_eq!(found, TASKS);
}
