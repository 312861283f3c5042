//! Costs of asymmetric losses and of trades, from the experiment file to the scores.

use std::sync::Arc;

use tailrank_experiment::{EngineError, config::Change, plan::Plan};
use tailrank_metrics::{Measure, Score, loss::Loss};
use tailrank_runner::store::Store;
use tailrank_score::score;

use crate::{
    lab::{FRAME, Lab, Unsynced, whole},
    own_family::{constant, planned},
};

const MODELS: &str = r#"
[trading]
threshold = 0.5
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }]
[[models]]
family = "constant"
"#;

const MEASURES: [&str; 5] = ["mad", "linlin", "quadquad", "linex", "return_per_trade"];

/// A run whose one model always predicts 1, which is a signal and mostly wrong on both sides.
fn fitted(lab: &Lab) -> (Arc<Plan>, Store<'static>) {
    let list = MEASURES.map(|id| format!("\"{id}\"")).join(", ");
    let frame = FRAME
        .replace("list = [\"mad\", \"mse\", \"precision\", \"recall\", \"f\"]", &format!("list = [{list}]"));
    let plan = Arc::new(planned(lab, &format!("{frame}{MODELS}"), constant(1, 1.0)).unwrap());
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    (plan, Store::open_existing(&Unsynced, &root).unwrap().0)
}

fn scores(plan: &Plan, store: &Store<'_>, changes: &[&str]) -> Vec<f64> {
    let changes: Vec<Change> = changes.iter().map(|c| Change::parse(c).unwrap()).collect();
    let rescored = plan.rescored(&changes).unwrap();
    let results = score::results(&rescored, store).unwrap();
    MEASURES
        .map(|id| Measure::from_id(id).unwrap())
        .map(|m| results.scores[0].score(score::VariantId(0), m).and_then(Score::value).unwrap())
        .to_vec()
}

#[test]
fn costs_in_the_file_change_the_scores() {
    let lab = Lab::new();
    let (plan, store) = fitted(&lab);
    let truth = plan.tasks[0].test_targets(0);
    let predicted = vec![1.0; truth.len()];
    let mean = |loss: Loss| loss.mean(&truth, &predicted).unwrap().value().unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} {b}");

    let usual = scores(&plan, &store, &[]);
    near(usual[1], usual[0]);
    let changed = scores(
        &plan,
        &store,
        &[
            "measures.loss.over = 2.0",
            "measures.loss.under = 5.0",
            "measures.linex.shape = -0.7",
            "measures.linex.scale = 3.0",
        ],
    );
    near(changed[1], mean(Loss::LinLin { over: 2.0, under: 5.0 }));
    near(changed[2], mean(Loss::QuadQuad { over: 2.0, under: 5.0 }));
    near(changed[3], mean(Loss::Linex { shape: -0.7, scale: 3.0 }));
    for (place, (a, b)) in usual.iter().zip(&changed).enumerate().filter(|(i, _)| [1, 2, 3].contains(i)) {
        assert!((a - b).abs() > 1e-3, "{} stays {a}", MEASURES[place]);
    }
    let swapped = scores(&plan, &store, &["measures.loss.over = 5.0", "measures.loss.under = 2.0"]);
    assert!((swapped[1] - changed[1]).abs() > 1e-3, "over and under are one");

    let paid = scores(&plan, &store, &["trading.cost = 0.25"]);
    // Both sides of a trade are paid.
    near(paid[4], usual[4] - 0.5);
    near(paid[0], usual[0]);
}

#[test]
fn costs_that_mean_nothing_are_refused() {
    let lab = Lab::new();
    let (plan, _) = fitted(&lab);
    for (change, key) in [
        ("measures.loss.over = -1.0", "measures.loss.over: -1 must be 0 or more"),
        ("measures.linex.shape = 0.0", "measures.linex.shape: 0 must be a number other than 0"),
        ("measures.linex.scale = 0.0", "measures.linex.scale: 0 must be above 0"),
        ("trading.cost = nan", "trading.cost: NaN must be a return of 0 or more"),
        ("measures.loss = { over = 0.0, under = 0.0 }", "measures.loss: with over = 0 and under = 0"),
    ] {
        match plan.rescored(&[Change::parse(change).unwrap()]) {
            Err(e @ EngineError::Experiment { .. }) => assert!(e.to_string().contains(key), "{e}"),
            other => panic!("{change}: {:?}", other.map(|_| ())),
        }
    }
}

/// A series is traded by the best of each measure where there is a rule; a table never is.
#[test]
fn trades_are_told_of_series_with_a_rule() {
    let lab = Lab::new();
    let mut prices = "Date,Close\n".to_owned();
    for i in 0..120 {
        prices +=
            &format!("2001-{:02}-{:02},{}\n", i / 25 + 1, i % 25 + 1, 100.0 + 20.0 * f64::from(i).sin());
    }
    lab.write("p.csv", &prices);
    let traded = |data: &str, rule: &str, folder: &str| {
        let text = format!("{FRAME}{rule}[data]\n{data}\n[[models]]\nfamily = \"linear\"\n");
        let plan = lab.plan(&text);
        let root = lab.path(folder);
        whole(&plan, &root, &Unsynced, 1).unwrap();
        let store = Store::open_existing(&Unsynced, &root).unwrap().0;
        let results = score::results(&plan, &store).unwrap();
        // A table that is asked for by its name is the one that all of them hold.
        for table in results.tables() {
            let alone = results.table(&table.id).map(|t| (t.id, t.rows.len()));
            assert_eq!(alone, Some((table.id, table.rows.len())));
        }
        assert!(results.table("none").is_none());
        // The full form has every table but the decisions, which it has in words.
        let full = results.full_json();
        assert!(full["scores"].is_array() && full["ranks"].is_array(), "{full}");
        // 95 rows of 24 lags, of which the last 48 test: the first is the 72nd session, 22 March, and the
        // last truth is known on 20 May, 59 days later.
        if let Some(years) = results.scores[0].years {
            assert!((years - 59.0 / 365.25).abs() < 1e-12, "{years}");
        }
        assert_eq!(results.scores[0].years.is_some(), data.starts_with("series"));
        (results.trading.len(), results.backtests.len())
    };
    let series = "series = [{ name = \"p\", file = \"p.csv\" }]";
    let table = "tables = [{ name = \"a\", file = \"a.csv\", target = \"y\" }]";
    let rule = "[trading]\nthreshold = 0.02\n";
    let (rows, accounts) = traded(series, rule, "ruled");
    assert!(rows >= 2 && accounts == 1, "{rows} rows, {accounts} accounts");
    assert_eq!(traded(series, "", "unruled"), (0, 0));
    assert_eq!(traded(table, rule, "table"), (0, 0));
}
