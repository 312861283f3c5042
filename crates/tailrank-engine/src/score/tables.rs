//! Scores, ranks, comparisons and regrets as tables for other tools.

use tailrank_data::frame::{Column, Frame};
use tailrank_metrics::Score;
use tailrank_stats::{TestResult, rank_scores};

use super::{AcrossTasks, Regret, Selection, TaskScores, TradingRow, VariantStatus, Verdict};

/// How a variant is named in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantName {
    /// Short name.
    pub label: String,
    /// Family or the grid's own label.
    pub group: String,
    /// Canonical parameters.
    pub params: String,
}

/// All tables of a run, by file name without ending.
pub fn tables(
    task_names: &[String],
    variants: &[VariantName],
    scores: &[TaskScores],
    verdicts: &[Verdict],
    regrets: &[Regret],
    across: &[AcrossTasks],
    trading: &[TradingRow],
    selection: &[Selection],
) -> Vec<(&'static str, Vec<(String, Column)>)> {
    let mut all = vec![
        ("scores", scores_table(task_names, variants, scores)),
        ("ranks", ranks_table(task_names, variants, scores)),
        ("comparisons", comparisons_table(task_names, variants, verdicts)),
        ("regret", regret_table(task_names, variants, regrets)),
    ];
    if !across.is_empty() {
        all.push(("average_ranks", average_ranks_table(variants, across)));
        all.push(("friedman", friedman_table(across)));
    }
    if !trading.is_empty() {
        all.push(("trading", trading_table(task_names, variants, trading)));
    }
    if !selection.is_empty() {
        all.push(("selection", selection_table(task_names, variants, selection)));
    }
    all
}

/// One row per task and variant: status, counts, and every measure.
pub fn scores_table(
    tasks: &[String],
    variants: &[VariantName],
    scores: &[TaskScores],
) -> Vec<(String, Column)> {
    let mut rows = Rows::new(tasks, variants, scores);
    let each = || scores.iter().flat_map(|s| (0..variants.len()).map(move |v| (s, v)));
    let count = |n: Option<usize>| n.map_or(f64::NAN, |n| n as f64);
    rows.text("status", each().map(|(s, v)| status(&s.status[v])));
    rows.text("reason", each().map(|(s, v)| reason(s, v)));
    rows.real("cases", each().map(|(s, _)| s.cases as f64));
    rows.real("events", each().map(|(s, _)| s.events as f64));
    rows.real("signals", each().map(|(s, v)| count(s.signals[v])));
    rows.real("hits", each().map(|(s, v)| count(s.hits[v])));
    for measure in scores.first().map(|s| s.measures.clone()).unwrap_or_default() {
        rows.real(
            measure.id(),
            each().map(|(s, v)| s.score(v, measure).and_then(Score::value).unwrap_or(f64::NAN)),
        );
    }
    rows.columns
}

fn ranks_table(tasks: &[String], variants: &[VariantName], scores: &[TaskScores]) -> Vec<(String, Column)> {
    let mut rows = Rows::new(tasks, variants, scores);
    for measure in scores.first().map(|s| s.measures.clone()).unwrap_or_default() {
        let ranks = scores.iter().flat_map(|s| {
            let scored = s.scored();
            let values = s.values(measure);
            let picked: Vec<Option<f64>> = scored.iter().map(|&v| values[v]).collect();
            let mut all = vec![f64::NAN; variants.len()];
            for (&v, rank) in scored.iter().zip(rank_scores(&picked, measure.better()).unwrap_or_default()) {
                all[v] = rank;
            }
            all
        });
        rows.real(measure.id(), ranks);
    }
    rows.columns
}

fn comparisons_table(
    tasks: &[String],
    variants: &[VariantName],
    verdicts: &[Verdict],
) -> Vec<(String, Column)> {
    let mut rows = Rows::default();
    let label = |v: Option<usize>| v.map_or_else(String::new, |v| variants[v].label.clone());
    let estimate = |t: &Option<TestResult>| t.as_ref().and_then(|t| t.estimate).unwrap_or(f64::NAN);
    let p = |t: &Option<TestResult>| t.as_ref().map_or(f64::NAN, |t| t.p_value);
    let method = |t: &Option<TestResult>| t.as_ref().map_or_else(String::new, |t| t.method.to_owned());
    rows.text("task", verdicts.iter().map(|v| tasks[v.task].clone()));
    rows.text("chosen_by", verdicts.iter().map(|v| v.chosen_by.id().to_owned()));
    rows.text("judged_by", verdicts.iter().map(|v| v.judged_by.id().to_owned()));
    rows.text("best_chosen", verdicts.iter().map(|v| label(v.best_chosen)));
    rows.text("best_judged", verdicts.iter().map(|v| label(v.best_judged)));
    rows.real("variants", verdicts.iter().map(|v| v.variants.len() as f64));
    rows.real("rho", verdicts.iter().map(|v| estimate(&v.rho)));
    rows.real("rho_p", verdicts.iter().map(|v| p(&v.rho)));
    rows.text("rho_method", verdicts.iter().map(|v| method(&v.rho)));
    rows.real("rho_permutation_p", verdicts.iter().map(|v| v.rho_permutation_p.unwrap_or(f64::NAN)));
    rows.real("tau", verdicts.iter().map(|v| estimate(&v.tau)));
    rows.real("tau_p", verdicts.iter().map(|v| p(&v.tau)));
    rows.text("tau_method", verdicts.iter().map(|v| method(&v.tau)));
    rows.real("tau_permutation_p", verdicts.iter().map(|v| v.tau_permutation_p.unwrap_or(f64::NAN)));
    rows.real("tau_p_holm", verdicts.iter().map(|v| v.tau_holm_p.unwrap_or(f64::NAN)));
    rows.real("top_k", verdicts.iter().map(|v| v.top.as_ref().map_or(f64::NAN, |t| t.k as f64)));
    rows.real("top_shared", verdicts.iter().map(|v| v.top.as_ref().map_or(f64::NAN, |t| t.shared)));
    rows.real("rbo", verdicts.iter().map(|v| v.rbo.unwrap_or(f64::NAN)));
    rows.real("regret", verdicts.iter().map(|v| v.regret.unwrap_or(f64::NAN)));
    rows.columns
}

fn regret_table(tasks: &[String], variants: &[VariantName], regrets: &[Regret]) -> Vec<(String, Column)> {
    let mut rows = Rows::default();
    let value = |s: Option<Score>| s.and_then(Score::value).unwrap_or(f64::NAN);
    rows.text("task", regrets.iter().map(|r| tasks[r.task].clone()));
    rows.text("chosen_by", regrets.iter().map(|r| r.chosen_by.id().to_owned()));
    rows.text("chosen", regrets.iter().map(|r| variants[r.chosen].label.clone()));
    rows.text("judged_by", regrets.iter().map(|r| r.judged_by.id().to_owned()));
    rows.text("best", regrets.iter().map(|r| r.best.map_or_else(String::new, |v| variants[v].label.clone())));
    rows.real("chosen_score", regrets.iter().map(|r| value(Some(r.chosen_score))));
    rows.real("best_score", regrets.iter().map(|r| value(r.best_score)));
    rows.real("regret", regrets.iter().map(|r| r.relative.unwrap_or(f64::NAN)));
    rows.columns
}

fn average_ranks_table(variants: &[VariantName], across: &[AcrossTasks]) -> Vec<(String, Column)> {
    let mut rows = Rows::default();
    let compared = across.first().map(|a| a.variants.clone()).unwrap_or_default();
    rows.text("variant", compared.iter().map(|&v| variants[v].label.clone()));
    rows.text("family", compared.iter().map(|&v| variants[v].group.clone()));
    for a in across {
        rows.real(a.measure.id(), a.average_ranks.iter().copied());
    }
    rows.columns
}

fn friedman_table(across: &[AcrossTasks]) -> Vec<(String, Column)> {
    let mut rows = Rows::default();
    let of = |t: &Option<TestResult>, f: fn(&TestResult) -> f64| t.as_ref().map_or(f64::NAN, f);
    rows.text("measure", across.iter().map(|a| a.measure.id().to_owned()));
    rows.real("chi_squared", across.iter().map(|a| of(&a.friedman, |t| t.statistic)));
    rows.real("p", across.iter().map(|a| of(&a.friedman, |t| t.p_value)));
    rows.real("iman_davenport_f", across.iter().map(|a| of(&a.iman_davenport, |t| t.statistic)));
    rows.real("iman_davenport_p", across.iter().map(|a| of(&a.iman_davenport, |t| t.p_value)));
    rows.real("critical_difference", across.iter().map(|a| a.critical_difference.unwrap_or(f64::NAN)));
    rows.columns
}

fn trading_table(
    tasks: &[String],
    variants: &[VariantName],
    trading: &[TradingRow],
) -> Vec<(String, Column)> {
    let mut rows = Rows::default();
    let value = |s: Score| s.value().unwrap_or(f64::NAN);
    rows.text("task", trading.iter().map(|r| tasks[r.task].clone()));
    rows.text("chosen_by", trading.iter().map(|r| r.chosen_by.id().to_owned()));
    rows.text("variant", trading.iter().map(|r| variants[r.variant].label.clone()));
    rows.real("signals", trading.iter().map(|r| r.record.counts().signal_count() as f64));
    rows.real("long", trading.iter().map(|r| r.record.counts().signals[0] as f64));
    rows.real("short", trading.iter().map(|r| r.record.counts().signals[1] as f64));
    rows.real("hits", trading.iter().map(|r| r.record.counts().beyond_threshold as f64));
    rows.real("wrong_side", trading.iter().map(|r| r.record.counts().wrong_side as f64));
    rows.real("missed_moves", trading.iter().map(|r| r.record.counts().missed_moves as f64));
    rows.real("return_per_signal", trading.iter().map(|r| value(r.record.every_signal().per_trade)));
    rows.real("return_every_signal", trading.iter().map(|r| r.record.every_signal().total));
    rows.real("trades_one_position", trading.iter().map(|r| r.record.one_position().trades as f64));
    rows.real("return_one_position", trading.iter().map(|r| r.record.one_position().total));
    rows.columns
}

fn selection_table(
    tasks: &[String],
    variants: &[VariantName],
    selection: &[Selection],
) -> Vec<(String, Column)> {
    let mut rows = Rows::default();
    let value = |s: Option<Score>| s.and_then(Score::value).unwrap_or(f64::NAN);
    let label = |v: Option<usize>| v.map_or_else(String::new, |v| variants[v].label.clone());
    rows.text("task", selection.iter().map(|s| tasks[s.task].clone()));
    rows.text("measure", selection.iter().map(|s| s.measure.id().to_owned()));
    rows.text("chosen", selection.iter().map(|s| label(s.chosen)));
    rows.real("validation_score", selection.iter().map(|s| value(s.validation_score)));
    rows.real("test_score", selection.iter().map(|s| value(s.test_score)));
    rows.real("test_rank", selection.iter().map(|s| s.test_rank.unwrap_or(f64::NAN)));
    rows.text("best", selection.iter().map(|s| label(s.best)));
    rows.real("best_score", selection.iter().map(|s| value(s.best_score)));
    rows.real("regret", selection.iter().map(|s| s.regret.unwrap_or(f64::NAN)));
    rows.columns
}

fn status(status: &VariantStatus) -> String {
    match status {
        VariantStatus::Fine => "ok",
        VariantStatus::NotConverged => "not converged",
        VariantStatus::Failed { .. } => "failed",
        VariantStatus::Missing => "missing",
    }
    .to_owned()
}

/// Why a variant failed, or why its scores are undefined: each reason once.
fn reason(scores: &TaskScores, variant: usize) -> String {
    if let VariantStatus::Failed { reason } = &scores.status[variant] {
        return reason.clone();
    }
    let mut reasons: Vec<&'static str> = Vec::new();
    for why in scores.scores[variant].iter().filter_map(|s| s.undefined()) {
        if !reasons.contains(&why.reason()) {
            reasons.push(why.reason());
        }
    }
    reasons.join("; ")
}

#[derive(Default)]
struct Rows {
    columns: Vec<(String, Column)>,
}

impl Rows {
    /// Starts with task, variant, family and parameters of every task × variant.
    fn new(tasks: &[String], variants: &[VariantName], scores: &[TaskScores]) -> Self {
        let mut rows = Self::default();
        let each = || (0..scores.len()).flat_map(|t| (0..variants.len()).map(move |v| (t, v)));
        rows.text("task", each().map(|(t, _)| tasks[t].clone()));
        rows.text("variant", each().map(|(_, v)| variants[v].label.clone()));
        rows.text("family", each().map(|(_, v)| variants[v].group.clone()));
        rows.text("parameters", each().map(|(_, v)| variants[v].params.clone()));
        rows
    }

    fn text(&mut self, name: &str, values: impl Iterator<Item = String>) {
        self.columns.push((name.to_owned(), Column::Text(values.collect())));
    }

    fn real(&mut self, name: &str, values: impl Iterator<Item = f64>) {
        self.columns.push((name.to_owned(), Column::Real(values.collect())));
    }
}

/// Checks a table and gives it as a frame.
pub fn frame(columns: Vec<(String, Column)>) -> crate::Result<Frame> {
    Frame::new(columns).map_err(|e| crate::EngineError::internal("tables", e))
}
