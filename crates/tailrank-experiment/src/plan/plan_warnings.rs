//! What ruins a run that nothing is wrong with: found from the plan, before anything is trained.

use tailrank_data::Dataset;
use tailrank_metrics::{Relevance, Settings};

use super::{Plan, Task, TestEvents};
use crate::{
    config::{RelevanceKind, RelevanceSettings},
    rules::{FEWEST_EVENTS, RARE},
    text::{count, digits, percent},
};

/// Sentences, each with the key to change.
pub(super) fn plan_warnings(plan: &Plan) -> Vec<String> {
    let mut found = Vec::new();
    for task in &plan.tasks {
        let train = task.train_targets(0);
        let Ok(settings) = task.settings(&plan.rules, &train) else { continue };
        let tested = task.test_events(&plan.rules).ok();
        let of_task = [
            tested.as_ref().and_then(few_tests),
            few_rows(task),
            tested.as_ref().and_then(|tested| event_share(task, tested)),
            wide_tolerance(&settings, &train),
            relevance_peaks_only_at_extreme(&settings, &train),
        ];
        found.extend(of_task.into_iter().flatten().map(|doubt| format!("{}: {doubt}", task.name)));
    }
    found.extend(memory(plan));
    found
}

/// With fewer test rows hardly any difference between models can be told from luck.
const FEWEST_TESTS: usize = 30;

fn few_tests(tested: &TestEvents) -> Option<String> {
    (tested.cases < FEWEST_TESTS).then(|| {
        format!(
            "only {} to test on, too few to tell models apart; let split test on {FEWEST_TESTS} or more",
            count(tested.cases, "row")
        )
    })
}

/// Fewer training rows than twice the inputs let a model learn them by heart.
fn few_rows(task: &Task) -> Option<String> {
    let rows = task.splits.iter().map(|split| split.train.len()).min()?;
    let (inputs, fewer) = match &*task.data {
        Dataset::Series(series) => (series.cols(), "take fewer target.lags"),
        table => (table.inputs(task.splits.first()?.train.iter()), "ignore columns"),
    };
    (rows < 2 * inputs).then(|| {
        format!(
            "only {} to learn from {}; let split train on more, or {fewer}",
            count(rows, "row"),
            count(inputs, "input")
        )
    })
}

fn event_share(task: &Task, tested: &TestEvents) -> Option<String> {
    if task.relevance.event_threshold <= 0.0 && tested.events == tested.cases {
        return Some(
            "relevance.event_threshold = 0 makes every case an event; give one above 0, such as 0.5"
                .to_owned(),
        );
    }
    if tested.cases < FEWEST_TESTS {
        // A share of so few tells nothing about the threshold.
        return None;
    }
    let share = tested.events as f64 / tested.cases.max(1) as f64;
    if share > RARE {
        Some(format!(
            "{} of the test cases are events: not rare; raise relevance.event_threshold{}",
            percent(share),
            further_out(&task.relevance)
        ))
    } else if tested.events < FEWEST_EVENTS {
        Some(format!(
            "the test has only {}; test on more rows, or lower relevance.event_threshold",
            count(tested.events, "event")
        ))
    } else {
        None
    }
}

/// What else moves the border of the events outwards, for each kind of relevance.
fn further_out(relevance: &RelevanceSettings) -> &'static str {
    let by_hand = relevance.low.is_some() || relevance.high.is_some();
    match relevance.kind {
        RelevanceKind::Sigmoid if by_hand => ", or move low and high outwards",
        RelevanceKind::Sigmoid => ", or give low and high",
        RelevanceKind::Pchip if relevance.points.is_empty() => ", or relevance.coefficient",
        RelevanceKind::Pchip | RelevanceKind::Table => ", or move relevance.points outwards",
        RelevanceKind::Indicator => ", or narrow relevance.ranges",
    }
}

/// A tolerance that spans nearly all values makes every prediction a good one.
fn wide_tolerance(settings: &Settings, train: &[f64]) -> Option<String> {
    let t_l = settings.accuracy?.t_l();
    let mut values = train.to_vec();
    let last = values.len().checked_sub(1)? as f64;
    let mut at = |share: f64| *values.select_nth_unstable_by((last * share) as usize, f64::total_cmp).1;
    let spread = at(0.95) - at(0.05);
    (t_l >= spread).then(|| {
        format!(
            "measures.t_l = {} spans 90% of the targets ({}): nearly every prediction is within tolerance; give a smaller one",
            digits(t_l),
            digits(spread)
        )
    })
}

/// φ from a box plot without outliers reaches 1 at the outermost value and nowhere else.
fn relevance_peaks_only_at_extreme(settings: &Settings, train: &[f64]) -> Option<String> {
    const FULL: f64 = 1.0 - 1e-9;
    let phi = settings.relevance.as_ref().filter(|phi| matches!(phi, Relevance::Pchip(_)))?;
    let low = train.iter().copied().min_by(f64::total_cmp)?;
    let high = train.iter().copied().max_by(f64::total_cmp)?;
    let full: Vec<f64> = train.iter().copied().filter(|y| phi.phi(*y) >= FULL).collect();
    let outermost = full.iter().filter(|y| **y == low || **y == high).count();
    let top = *full.first()?;
    (outermost == full.len() && full.len() <= 2).then(|| {
        format!(
            "φ reaches 1 only at the outermost training value ({}); give relevance.points, or lower \
             relevance.coefficient",
            digits(top)
        )
    })
}

fn memory(plan: &Plan) -> Option<String> {
    let (limits, peak) = (&plan.experiment.limits, plan.peak_bytes());
    (peak > limits.memory_bytes()).then(|| {
        format!(
            "the run may need {} MB, more than limits.memory_mb = {}, and would be refused; raise the limit if the machine has \
             the memory, or give fewer rows",
            peak.div_ceil(1 << 20),
            limits.memory_mb
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_top_that_one_value_reaches_is_lonely() {
        let settings = |points: &[(f64, f64)]| Settings {
            relevance: Some(Relevance::range(points, None).unwrap()),
            ..Settings::default()
        };
        let train: Vec<f64> = (0..100).map(f64::from).collect();
        let lonely = relevance_peaks_only_at_extreme(&settings(&[(50.0, 0.0), (99.0, 1.0)]), &train).unwrap();
        assert!(lonely.starts_with("φ reaches 1 only at the outermost training value (99"), "{lonely}");
        assert_eq!(relevance_peaks_only_at_extreme(&settings(&[(50.0, 0.0), (90.0, 1.0)]), &train), None);
    }

    /// What `check` doubts of an experiment on these columns.
    fn said(split: &str, relevance: &str, row: impl Fn(usize) -> String) -> String {
        let folder = tempfile::tempdir().unwrap();
        let rows: String = (0..300).map(row).collect();
        std::fs::write(folder.path().join("t.csv"), format!("a,b,y\n{rows}")).unwrap();
        let text = format!(
            "name = \"t\"\n[data]\ntables = [{{ name = \"t\", file = \"t.csv\", target = \"y\" }}]\n[split]\n\
             kind = \"fraction\"\n{split}\n[relevance]\nkind = \"sigmoid\"\nhigh = \
             90.0\n{relevance}\n[measures]\n\
             list = [\"mad\", \"f\"]\nt_l = 1.0\n[[models]]\nfamily = \"linear\"\n"
        );
        let library = tailrank_data::Library::default();
        let plan = Plan::from_text(&text, std::path::Path::new("t.toml"), folder.path(), &library).unwrap();
        plan.plan_warnings().join("\n")
    }

    fn y(i: usize) -> usize {
        i * 37 % 101
    }

    fn innocent(i: usize) -> String {
        format!("{},7,{}\n", i * 53 % 89, y(i))
    }

    #[test]
    fn few_rows_are_doubted_and_no_threshold_is_blamed() {
        assert_eq!(said("train = 0.7", "", innocent), "");
        let test = said("train = 0.999", "", innocent);
        assert_eq!(
            test,
            "t: only 1 row to test on, too few to tell models apart; let split test on 30 or more"
        );
        let train = said("train = 0.01", "", innocent);
        assert!(train.contains("t: only 3 rows to learn from 2 inputs; let split train on more"), "{train}");
        let all = said("train = 0.7", "event_threshold = 0.0", innocent);
        assert_eq!(
            all,
            "t: relevance.event_threshold = 0 makes every case an event; give one above 0, such as 0.5"
        );
    }
}
