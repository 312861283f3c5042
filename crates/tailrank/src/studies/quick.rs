//! A tour of a minute: one stock, one horizon, a thinned grid of the stock-returns study.

use tailrank_engine::score::VariantId;

use super::{
    Conclusion, Found, Kind, Result, Study, StudyError,
    decide::says,
    stock_returns::{figures::figure_2, headline, verdicts},
};

/// The study.
pub(super) static QUICK: Study = Study {
    id: "quick",
    title: "Does ranking by F instead of MAD change the winner? Coca-Cola, 3-day returns",
    paper: "after Torgo & Ribeiro 2009 (PR09), §5.2",
    size: "16 variants, 1 task",
    time: "10 s",
    kind: Kind::Experiment { text: include_str!("../../experiments/quick.toml"), conclude },
};

fn conclude(found: &Found<'_>) -> Result<Conclusion> {
    let results = found.results;
    let verdicts = verdicts(results);
    let verdict = verdicts.first().ok_or_else(|| StudyError::Missing("the run has no task".to_owned()))?;
    let label = |v: Option<VariantId>| v.map_or("none", |v| results.names.variants[v].label.as_str());
    let signals = |v: Option<VariantId>| v.and_then(|v| results.scores[verdict.task].signals(v)).unwrap_or(0);
    let tau = verdict.tau.as_ref().and_then(|t| t.estimate).unwrap_or(f64::NAN);
    let claims = vec![
        says("PR09 §5.2", "MAD and F put other models on top.").holds(
            verdict.best_chosen != verdict.best_judged,
            format!("MAD chooses {}, F chooses {}.", label(verdict.best_chosen), label(verdict.best_judged)),
            "the best by each measure",
        ),
        says("PR09 §5.2", "The rankings disagree.").holds(
            tau < 0.0,
            format!("Kendall's τ between them is {tau:.2}."),
            "agree if below 0, undefined F last",
        ),
        says("PR09 §5.2", "The best by MAD almost never issues a signal.").holds(
            signals(verdict.best_chosen) == 0,
            format!("{} signals in 18 years of test.", signals(verdict.best_chosen)),
            "predictions with φ ≥ 0.5; agree if none",
        ),
        says("PR09 §5.2", "The best by F issues several.").holds(
            signals(verdict.best_judged) >= 3,
            format!("{} signals.", signals(verdict.best_judged)),
            "agree if at least three",
        ),
    ];
    let figures = figure_2(results, &verdicts, "KO 3d")?;
    Ok(Conclusion { claims, tables: vec![headline(results, &verdicts)], figures })
}
