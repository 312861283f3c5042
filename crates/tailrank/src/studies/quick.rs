//! A tour of a minute: one stock, one horizon, a thinned grid of the stock-returns study.

use tailrank_metrics::Measure;
use tailrank_score::score::VariantId;

use super::{
    Conclusion, Found, Kind, Opening, Result, Study, StudyError,
    decide::{finding, ours},
    stock_returns::{figures::figure_2, headline, rules, verdicts},
};

/// The study.
pub(super) static QUICK: Study = Study {
    id: "quick",
    title: "Does ranking by F instead of MAD change the winner? Coca-Cola, 3-day returns",
    paper: "after Torgo & Ribeiro 2009 (PR09), §5.2",
    size: "14 models and 2 baselines, 1 task",
    kind: Kind::Experiment { text: include_str!("../../experiments/quick.toml"), conclude },
};

/// All claims are about the models of the grid: baselines are references and stand outside the ranks.
fn conclude(found: &Found<'_>) -> Result<Conclusion> {
    let results = found.results;
    let verdicts = verdicts(results);
    let verdict = verdicts.first().ok_or_else(|| StudyError::Missing("the run has no task".to_owned()))?;
    let scores = &results.scores[verdict.task];
    let label = |v: Option<VariantId>| v.map_or("none", |v| results.names.variants[v].label.as_str());
    let signals = |v: Option<VariantId>| v.and_then(|v| scores.signals(v)).unwrap_or(0) as u64;
    let (tau, p) = (verdict.tau.as_ref().and_then(|t| t.estimate), verdict.tau.as_ref().map(|t| t.p_value));
    let inference = results.inference.iter().find(|i| i.task == verdict.task);
    // Whether the best by MAD belongs to those that cannot be told from the best by F.
    let in_the_set = inference.is_some_and(|i| {
        let level =
            i.measure(Measure::F).map(|m| m.in_set(results.inferred_by.set_level)).unwrap_or_default();
        verdict.best_chosen.and_then(|v| i.place(v, scores)).is_some_and(|place| level.contains(&place))
    });
    let luck = inference.and_then(|i| i.measure(Measure::F)?.chance.as_ref().map(|l| l.p));
    let (by_mad, by_f) = (signals(verdict.best_chosen), signals(verdict.best_judged));
    let forecasts = scores.cases as u64;
    let claims = vec![
        finding("PR09 §5.2", "MAD and F put other models on top.").stands(
            rules::other_on_top(verdict.best_chosen == verdict.best_judged, in_the_set),
            format!("MAD chooses {}, F chooses {}.", label(verdict.best_chosen), label(verdict.best_judged)),
            "agree if the best by MAD is outside the confidence set of the best by F, differ if both are the same, too close if it is inside",
        ),
        finding("PR09 §5.2", "The rankings disagree.").stands(
            rules::disagree(tau, p),
            format!("Kendall's τ between them is {:.2}.", tau.unwrap_or(f64::NAN)),
            "undefined F last; agree if below 0 and differ if above 0 at p < 0.05, else too close",
        ),
        finding("PR09 §5.2", "The best by MAD almost never issues a signal.").stands(
            rules::almost_never(by_mad, forecasts),
            format!("{by_mad} signals in {forecasts} forecasts."),
            "predictions with φ ≥ 0.5; agree if fewer than one in a hundred by the whole interval, differ if more",
        ),
        finding("PR09 §5.2", "The best by F issues several.").stands(
            rules::several(&[by_f]),
            format!("{by_f} signals."),
            "agree if at least three, differ if fewer",
        ),
        ours("beyond the paper", "The best F is better than luck.").stands(
            beyond_luck(luck),
            format!("p {}.", super::decide::p_value(luck)),
            "predictions shifted in time, the choice among all models counted; agree if p < 0.05, else too close: no p shows that luck is all",
        ),
    ];
    let figures = figure_2(results, &verdicts, "KO 3d")?;
    let opening = Opening {
        paper: "The paper says that MAD and F put other models of stock returns on top, and that the best by MAD almost never signals."
            .to_owned(),
        found: format!(
            "For Coca-Cola's 3-day returns and a thinned grid MAD chooses {} with {by_mad} signals, F chooses {} with {by_f}.",
            label(verdict.best_chosen),
            label(verdict.best_judged)
        ),
        sure: format!("One task only, and luck alone would give such an F with p {}.", super::decide::p_value(luck)),
    };
    let tables = vec![headline(results, &verdicts)];
    Ok(Conclusion { opening, claims, tables, figures, ..Conclusion::default() })
}

fn beyond_luck(p: Option<f64>) -> tailrank_report::claims::Standing {
    use tailrank_report::claims::Standing;
    match p {
        Some(p) if p < 0.05 => Standing::Agree,
        Some(_) => Standing::TooClose,
        None => Standing::NotTestable,
    }
}

#[cfg(test)]
mod tests {
    use tailrank_report::claims::Standing;

    use super::*;

    #[test]
    fn luck_is_beaten_or_left_open() {
        assert_eq!(beyond_luck(Some(0.01)), Standing::Agree);
        assert_eq!(beyond_luck(Some(0.2)), Standing::TooClose);
        assert_eq!(beyond_luck(None), Standing::NotTestable);
    }
}
