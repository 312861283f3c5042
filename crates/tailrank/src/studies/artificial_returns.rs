//! PR09 Tables 1 and 3: two models with the same MAD and MSE that recall and precision tell apart.
//!
//! The predictions stand in `experiments/artificial-returns.csv` and come in by the same door as a user's. Errata, found by
//! calculation: the text says adj = ±1.5, Table 3 comes from centres at ±2.0; the k of eq. 9 is never stated, Table 3 needs 8;
//! M1's precision is printed cut, not rounded.

use tailrank_experiment::{
    config::{Measures, RelevanceSettings},
    rules::scoring_rules,
};
use tailrank_metrics::{Accuracy, Measure, MetricError, Relevance};
use tailrank_report::{
    claims::{Claim, Standing},
    figures::{Heading, PredictedTrue, Quantity, Variant, predicted_true},
};
use tailrank_score::{
    external::{ColumnNames, PredictionTable, predictions_of},
    score::{self, Predictions, TaskScores, TaskTruth, VariantId, VariantStatus},
};

use super::{
    Conclusion, Figure, Kind, Opening, Result, Setting, Study, StudyError, Table,
    decide::{digits_or_dash, finding, identity, set_up},
};

/// The study.
pub(super) static ARTIFICIAL_RETURNS: Study = Study {
    id: "artificial-returns",
    title: "Two models with equal MAD and MSE: do precision and recall tell them apart?",
    paper: "Torgo & Ribeiro 2009 (PR09), Tables 1 and 3",
    size: "2 models, 10 returns",
    kind: Kind::Calculation(calculate),
};

/// The predictions of Table 1.
const TABLE_1: &str = include_str!("../../experiments/artificial-returns.csv");
/// The centre that gives Table 3, and the one the text names.
const CENTRE: f64 = 2.0;
const CENTRE_OF_THE_TEXT: f64 = 1.5;
const T_E: f64 = 0.75;
const T_L: f64 = 0.5;
const ALPHA_K: f64 = 8.0;

/// Table 3 as printed.
const TABLE_3: [(&str, &str); 7] = [
    ("φ(Y)", "1.00 1.00 0.98 0.00 0.00 0.00 0.00 0.01 0.99 1.00"),
    ("φ(Ŷ1)", "1.00 0.63 0.86 0.00 0.00 0.00 0.00 0.50 0.22 0.80"),
    ("L(Ŷ1,Y)", "0.89 0.59 0.23 0.30 0.20 0.30 0.46 0.54 0.67 0.79"),
    ("α(Ŷ1,Y)", "0.00 0.00 0.90 0.72 0.94 0.72 0.05 0.00 0.00 0.00"),
    ("φ(Ŷ2)", "1.00 1.00 1.00 0.00 0.00 0.00 0.00 0.00 1.00 1.00"),
    ("L(Ŷ2,Y)", "0.20 0.30 0.46 0.89 0.79 0.67 0.59 0.54 0.30 0.23"),
    ("α(Ŷ2,Y)", "0.94 0.72 0.05 0.00 0.00 0.00 0.00 0.00 0.72 0.90"),
];

fn calculate(_: &Setting<'_>) -> Result<Conclusion> {
    let table =
        predictions_of("experiments/artificial-returns.csv", TABLE_1.as_bytes(), &ColumnNames::default())?
            .pop()
            .filter(|t| t.models.len() == 2)
            .ok_or_else(|| StudyError::Missing("Table 1 holds two models".to_owned()))?;
    let scores = score(&table, CENTRE)?;
    let mut claims = equal_errors(&scores);
    claims.push(where_the_errors_are(&table)?);
    let cells = cells(&table, CENTRE, ALPHA_K)?;
    claims.extend(table_3_claims(&cells));
    claims.extend(precision_and_recall(&scores));
    claims.push(more_useful(&scores));
    let centres = centres_of_the_text(&table)?;
    claims.push(centres.clone());
    claims.push(smoothness(&table)?);
    let centres = centres.standing;
    let opening = Opening {
        paper: "The paper says that two models with the same MAD and MSE are told apart by precision and recall, which see that one is right on the \
                large returns."
            .to_owned(),
        found: format!(
            "{} of its {} printed statements come out to the digit{}.",
            claims.iter().filter(|c| c.standing == Standing::Agree).count(),
            claims.len(),
            if centres == Standing::Differ { ", with centres at ±2.0 where the text says ±1.5" } else { "" }
        ),
        sure: "All of it is arithmetic on ten printed numbers, nothing is fitted; centres and smoothness follow from the printed digits.".to_owned(),
    };
    Ok(Conclusion {
        opening,
        claims,
        tables: vec![headline(&table, &scores), table_3(&table, &cells)],
        figures: figures(&table)?,
        ..Conclusion::default()
    })
}

/// Scores both models as `tailrank score` would.
fn score(table: &PredictionTable, centre: f64) -> Result<TaskScores> {
    let ids = ["mad", "mse", "precision", "recall", "f"];
    let measures =
        Measures { ids: ids.map(str::to_owned).to_vec(), t_l: Some(T_L.into()), ..Measures::default() };
    let relevance = RelevanceSettings {
        low: Some(-centre),
        high: Some(centre),
        event_threshold: T_E,
        ..RelevanceSettings::default()
    };
    let wrong = |p: Vec<tailrank_experiment::problem::Problem>| {
        StudyError::Missing(p.iter().map(|p| p.message.clone()).collect::<Vec<_>>().join("; "))
    };
    let rules = scoring_rules(&measures, None).map_err(wrong)?;
    let settings = rules.for_task(&relevance, &table.truth, None)?;
    let parts = [TaskTruth::new(table.truth.clone(), settings)];
    let predictions: Vec<Predictions> = table
        .models
        .iter()
        .map(|(_, p)| Predictions { status: VariantStatus::Fine, parts: vec![p.clone()] })
        .collect();
    Ok(score::evaluate(&parts, &rules.measures, &predictions)?)
}

fn both_are(pair: (f64, f64), printed: f64) -> bool {
    (pair.0 - printed).abs() < 1e-12 && (pair.1 - printed).abs() < 1e-12
}

/// The first has the smaller error on the small returns, the second on the large ones.
fn better_where(first: (f64, f64), second: (f64, f64)) -> bool {
    first.0 < second.0 && second.1 < first.1
}

fn all_alike(alike: usize, cells: usize) -> bool {
    alike == cells && cells > 0
}

fn rounded(value: f64, printed: &str) -> bool {
    format!("{value:.3}") == printed
}

fn cut(value: f64, printed: &str) -> bool {
    format!("{:.3}", (value * 1000.0).floor() / 1000.0) == printed
}

fn only_eight(fit: &[String]) -> bool {
    fit == ["8"]
}

/// Ahead by every one of the measures.
fn ahead_by_all(pairs: &[(f64, f64)]) -> bool {
    pairs.iter().all(|(first, second)| second > first)
}

fn value(scores: &TaskScores, model: usize, measure: Measure) -> f64 {
    scores.score(VariantId(model), measure).and_then(tailrank_metrics::Score::value).unwrap_or(f64::NAN)
}

fn equal_errors(scores: &TaskScores) -> Vec<Claim> {
    let both = |m| (value(scores, 0, m), value(scores, 1, m));
    let (mad, mse) = (both(Measure::Mad), both(Measure::Mse));
    vec![
        identity("PR09 §2, Table 1", "Both models have the same MAD, 0.497.").holds(
            both_are(mad, 0.497),
            format!("MAD {:.6} and {:.6}.", mad.0, mad.1),
            "agree if both are within 1e-12 of 0.497, differ otherwise",
        ),
        identity("PR09 §2, Table 1", "Both models have the same MSE, 0.29893.").holds(
            both_are(mse, 0.29893),
            format!("MSE {:.6} and {:.6}.", mse.0, mse.1),
            "agree if both are within 1e-12 of 0.29893, differ otherwise",
        ),
    ]
}

/// Mean absolute errors on the events (φ(y) ≥ t_E) and on the rest.
fn where_the_errors_are(table: &PredictionTable) -> Result<Claim> {
    let phi = Relevance::sigmoid(Some(-CENTRE), Some(CENTRE), 0.5, 1e-4)?;
    let mean = |model: usize, events: bool| {
        let errors: Vec<f64> = table
            .truth
            .iter()
            .zip(&table.models[model].1)
            .filter(|(y, _)| (phi.phi(**y) >= T_E) == events)
            .map(|(y, z)| (z - y).abs())
            .collect();
        errors.iter().sum::<f64>() / errors.len() as f64
    };
    let (m1, m2) = ((mean(0, false), mean(0, true)), (mean(1, false), mean(1, true)));
    Ok(finding("PR09 §2", "M1 is more accurate at the small returns, M2 at the large ones.").holds(
        better_where(m1, m2),
        format!(
            "Mean error on small returns {:.3} and {:.3}, on large ones {:.3} and {:.3}.",
            m1.0, m2.0, m1.1, m2.1
        ),
        "mean absolute error where φ(y) < 0.75 and where φ(y) ≥ 0.75; differ if either order were the other",
    ))
}

/// The seven computed rows of Table 3, to the two digits printed.
fn cells(table: &PredictionTable, centre: f64, k: f64) -> std::result::Result<Vec<Vec<String>>, MetricError> {
    let phi = Relevance::sigmoid(Some(-centre), Some(centre), 0.5, 1e-4)?;
    let alpha = Accuracy::smooth(T_L, k)?;
    let print = |values: Vec<f64>| values.iter().map(|v| format!("{v:.2}")).collect::<Vec<_>>();
    let relevance = |values: &[f64]| print(values.iter().map(|&v| phi.phi(v)).collect());
    let mut rows = vec![relevance(&table.truth)];
    for (_, model) in &table.models {
        let losses: Vec<f64> = table.truth.iter().zip(model).map(|(y, z)| (z - y).abs()).collect();
        rows.push(relevance(model));
        rows.push(print(losses.clone()));
        rows.push(print(losses.iter().map(|&l| alpha.of_loss(l)).collect()));
    }
    Ok(rows)
}

/// How many cells of a row are as printed.
fn same(row: &[String], printed: &str) -> usize {
    row.iter().zip(printed.split(' ')).filter(|(a, b)| a == b).count()
}

fn table_3_claims(cells: &[Vec<String>]) -> Vec<Claim> {
    TABLE_3
        .iter()
        .zip(cells)
        .map(|((name, printed), row)| {
            let alike = same(row, printed);
            identity("PR09 Table 3", &format!("{name}: {printed}")).holds(
                all_alike(alike, row.len()),
                format!("{alike} of {} cells the same.", row.len()),
                "every cell equal to the two digits printed, with c = ±2.0, k = 0.5, Δ = 1e-4, α's k = 8; differ if any is not",
            )
        })
        .collect()
}

fn precision_and_recall(scores: &TaskScores) -> Vec<Claim> {
    let printed = [
        (Measure::Recall, "Recall is 0.178 for M1 and 0.670 for M2.", ["0.178", "0.670"]),
        (Measure::Precision, "Precision is 0.292 for M1 and 0.668 for M2.", ["0.292", "0.668"]),
    ];
    printed
        .into_iter()
        .map(|(measure, text, digits)| {
            let found: Vec<f64> = (0..2).map(|m| value(scores, m, measure)).collect();
            let rounded = |i: usize| rounded(found[i], digits[i]);
            let cut = |i: usize| cut(found[i], digits[i]);
            let by_cut: Vec<&str> = (0..2).filter(|&i| !rounded(i) && cut(i)).map(|i| digits[i]).collect();
            let note = if by_cut.is_empty() {
                String::new()
            } else {
                format!(" The paper's {} is cut, not rounded.", by_cut.join(" and "))
            };
            finding("PR09 §5.1", text).holds(
                (0..2).all(|i| rounded(i) || cut(i)),
                format!("{:.4} and {:.4}.{note}", found[0], found[1]),
                "agree if the three printed digits are rounded or cut from these, differ otherwise",
            )
        })
        .collect()
}

fn more_useful(scores: &TaskScores) -> Claim {
    let both = |m| (value(scores, 0, m), value(scores, 1, m));
    let ahead = ahead_by_all(&[Measure::Precision, Measure::Recall, Measure::F].map(both));
    let (f1, f2) = (value(scores, 0, Measure::F), value(scores, 1, Measure::F));
    finding("PR09 §5.1", "The new measures give M2 the better score, where MAD and MSE see no difference.")
        .holds(
            ahead,
            format!("F (β = 1) {f1:.3} for M1, {f2:.3} for M2."),
            "agree if M2 is ahead by precision, recall and F, differ if not by any",
        )
}

fn centres_of_the_text(table: &PredictionTable) -> Result<Claim> {
    let rows = cells(table, CENTRE_OF_THE_TEXT, ALPHA_K)?;
    let alike: usize = TABLE_3.iter().zip(&rows).map(|((_, printed), row)| same(row, printed)).sum();
    let all = rows.iter().map(Vec::len).sum::<usize>();
    let scores = score(table, CENTRE_OF_THE_TEXT)?;
    let pair = |m| format!("{:.3} and {:.3}", value(&scores, 0, m), value(&scores, 1, m));
    Ok(set_up("PR09 §5.1", "Table 3 is made with adj_L = −1.5 and adj_H = 1.5.").holds(
        all_alike(alike, all),
        format!(
            "With ±1.5 only {alike} of {all} cells are as printed, recall would be {}, precision {}. All {all} come from ±2.0.",
            pair(Measure::Recall),
            pair(Measure::Precision)
        ),
        "every cell of Table 3 recomputed with the text's centres; agree if all are as printed, differ otherwise",
    ))
}

/// Which whole k of eq. 9 give the printed α: "a positive integer" is all the paper says.
fn smoothness(table: &PredictionTable) -> Result<Claim> {
    let mut fit = Vec::new();
    for k in 1..=50 {
        let rows = cells(table, CENTRE, f64::from(k))?;
        if [3, 6].iter().all(|&r| same(&rows[r], TABLE_3[r].1) == rows[r].len()) {
            fit.push(k.to_string());
        }
    }
    Ok(set_up("PR09 eq. 9", "k of the accuracy α is a positive integer (its value is not given).").holds(
        only_eight(&fit),
        format!("Of 1 … 50 the printed α come from k = {} alone.", fit.join(", ")),
        "both α rows of Table 3 recomputed for each k; agree if exactly k = 8, this project's default, fits, differ otherwise",
    ))
}

fn headline(table: &PredictionTable, scores: &TaskScores) -> Table {
    let headings = ["model", "MAD", "MSE", "events", "signals", "hits", "precision", "recall", "F"];
    let mut out = Table::new(
        "scores",
        "Scores of the two artificial models (c = ±2.0, t_E = 0.75, t_L = 0.5)",
        &headings,
    );
    let count = |n: Option<usize>| n.map_or_else(String::new, |n| n.to_string());
    for (m, (name, _)) in table.models.iter().enumerate() {
        let of = |measure| {
            digits_or_dash(scores.score(VariantId(m), measure).and_then(tailrank_metrics::Score::value))
        };
        out.row([
            name.clone(),
            of(Measure::Mad),
            format!("{:.5}", value(scores, m, Measure::Mse)),
            scores.events.to_string(),
            count(scores.counts[m].map(|c| c.signals)),
            count(scores.counts[m].map(|c| c.hits)),
            of(Measure::Precision),
            of(Measure::Recall),
            of(Measure::F),
        ]);
    }
    out
}

fn table_3(table: &PredictionTable, cells: &[Vec<String>]) -> Table {
    let cases: Vec<String> = (1..=table.truth.len()).map(|i| i.to_string()).collect();
    let headings: Vec<&str> = std::iter::once("").chain(cases.iter().map(String::as_str)).collect();
    let mut out = Table::new("table_3", "PR09 Table 3, recomputed", &headings);
    let numbers = |name: &str, values: &[f64]| {
        std::iter::once(name.to_owned()).chain(values.iter().map(|v| format!("{v:.2}"))).collect::<Vec<_>>()
    };
    let computed = |i: usize| {
        std::iter::once(TABLE_3[i].0.to_owned()).chain(cells[i].iter().cloned()).collect::<Vec<_>>()
    };
    out.row(numbers("True", &table.truth));
    out.row(computed(0));
    for (m, (name, values)) in table.models.iter().enumerate() {
        out.row(numbers(name, values));
        for i in 0..3 {
            out.row(computed(1 + 3 * m + i));
        }
    }
    out
}

/// UT08 Fig. 1's way to look at them, with the events of φ ≥ t_E.
fn figures(table: &PredictionTable) -> Result<Vec<Figure>> {
    let relevance = Relevance::sigmoid(Some(-CENTRE), Some(CENTRE), 0.5, 1e-4)?;
    let accuracy = Accuracy::smooth(T_L, ALPHA_K)?;
    let mut figures = Vec::new();
    for (name, predicted) in table.models.iter().rev() {
        let data = PredictedTrue {
            heading: Heading { title: None, context: "PR09 Table 1" },
            variant: Variant { label: name, family: name },
            target: Quantity::new("return", "%"),
            truth: &table.truth,
            predicted,
            relevance: &relevance,
            t_e: T_E,
            accuracy: Some(&accuracy),
        };
        figures.push(Figure {
            name: format!("predicted_true_{}", name.to_lowercase()),
            svg: predicted_true(&data)?.svg,
        });
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_can_fail() {
        assert!(
            both_are((0.497, 0.497), 0.497)
                && !both_are((0.497, 0.498), 0.497)
                && !both_are((f64::NAN, 0.497), 0.497)
        );
        assert!(
            better_where((0.3, 0.6), (0.7, 0.3))
                && !better_where((0.7, 0.6), (0.3, 0.3))
                && !better_where((0.3, 0.3), (0.7, 0.6))
        );
        assert!(all_alike(70, 70) && !all_alike(62, 70) && !all_alike(0, 0));
        assert!(rounded(0.1782, "0.178") && !rounded(0.1788, "0.178"));
        assert!(cut(0.2928, "0.292") && !rounded(0.2928, "0.292") && !cut(0.2938, "0.292"));
        assert!(
            only_eight(&["8".to_owned()])
                && !only_eight(&["7".to_owned(), "8".to_owned()])
                && !only_eight(&[])
        );
        assert!(ahead_by_all(&[(0.2, 0.6), (0.1, 0.7)]) && !ahead_by_all(&[(0.2, 0.6), (0.7, 0.1)]));
    }
}
