//! PR09 Tables 1 and 3: two models with the same MAD and MSE that recall and precision tell apart.
//!
//! The predictions stand in `experiments/artificial-returns.csv` and come in by the same door as a user's.
//! Errata, found by calculation: the text says adj = ±1.5, Table 3 comes from centres at ±2.0; the k of eq. 9
//! is never stated, Table 3 needs 8; M1's precision is printed cut, not rounded.

use tailrank_data::Library;
use tailrank_metrics::{
    Accuracy, PrecisionRecall,
    classic::{Classic, Reference, classic},
    precision_recall,
};
use tailrank_models::Cancel;
use tailrank_score::external::{ColumnNames, PredictionTable, predictions_of};

use super::{prelude::*, words::ClaimWords};

/// The study.
pub(super) const KIND: Kind = Kind::Calculation(calculate);

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

fn calculate(_: &Library, _: &Cancel) -> Result<Conclusion> {
    let names = ColumnNames::default();
    let table = predictions_of("experiments/artificial-returns.csv", TABLE_1.as_bytes(), &names)?
        .pop()
        .filter(|t| t.models.len() == 2)
        .ok_or_else(|| missing("Table 1 holds two models"))?;
    let scores = score(&table, CENTRE)?;
    let cells = cells(&table, CENTRE, ALPHA_K)?;
    let mut claims = equal_errors(&scores);
    claims.push(where_the_errors_are(&table)?);
    claims.extend(table_3_claims(&cells));
    claims.extend(precision_and_recall(&scores));
    claims.push(more_useful(&scores));
    let centres = centres_of_the_text(&table)?;
    let note = match centres.standing {
        Standing::Differ => ", with centres at ±2.0 where the text says ±1.5",
        _ => "",
    };
    claims.extend([centres, smoothness(&table)?]);
    let agree = Standing::Agree.count(&claims);
    let relevance = relevance(CENTRE)?;
    let accuracy = Accuracy::smooth(T_L, ALPHA_K)?;
    // UT08 Fig. 1's way to look at them, with the events of φ ≥ t_E.
    let draw = |(name, predicted): &(String, Vec<f64>)| {
        let data = PredictedTrue {
            variant: Variant { label: name, family: name },
            target: Quantity::new("return", "%"),
            truth: &table.truth,
            predicted,
            relevance: &relevance,
            t_e: T_E,
            accuracy: Some(&accuracy),
            dates: None,
        };
        scatter("predicted_true", Heading::of("PR09 Table 1"), &data)
    };
    Ok(Conclusion {
        opening: words::opening("artificial-returns", &[&agree, &claims.len(), &note]),
        claims,
        tables: vec![headline(&table, &scores), table_3(&table, &cells)],
        figures: table.models.iter().rev().map(draw).collect::<Result<_>>()?,
        ..Conclusion::default()
    })
}

fn relevance(centre: f64) -> Result<Relevance> {
    Ok(Relevance::sigmoid(Some(-centre), Some(centre), 0.5, 1e-4)?)
}

/// What a model scores, by its errors and at the events.
struct Scored {
    errors: Classic,
    events: PrecisionRecall,
}

/// One of its scores.
type Measured = fn(&Scored) -> Score;
const PRECISION: Measured = |s| s.events.precision;
const RECALL: Measured = |s| s.events.recall;
const F: Measured = |s| s.events.f;

fn score(table: &PredictionTable, centre: f64) -> Result<Vec<Scored>> {
    let (truth, phi, alpha) = (&table.truth, relevance(centre)?, Accuracy::smooth(T_L, ALPHA_K)?);
    let scored = |(_, predicted): &(String, Vec<f64>)| {
        let errors = classic(truth, predicted, Reference::TestMean)?;
        Ok(Scored { errors, events: precision_recall(truth, predicted, &phi, &alpha, T_E, 1.0)? })
    };
    table.models.iter().map(scored).collect()
}

/// Both models' values of a measure.
fn both(scores: &[Scored], measure: Measured) -> [f64; 2] {
    [0, 1].map(|m| measure(&scores[m]).value().unwrap_or(f64::NAN))
}

fn equal_errors(scores: &[Scored]) -> Vec<Claim> {
    let equal = |words: ClaimWords, measure: Measured, printed: f64| {
        let [a, b] = both(scores, measure);
        words.holds([a, b].iter().all(|v| (v - printed).abs() < 1e-12), &[&a, &b])
    };
    vec![
        equal(claim("artificial-returns/equal-mad"), |s| s.errors.mad, 0.497),
        equal(claim("artificial-returns/equal-mse"), |s| s.errors.mse, 0.29893),
    ]
}

/// Mean absolute errors on the events (φ(y) ≥ t_E) and on the rest.
fn where_the_errors_are(table: &PredictionTable) -> Result<Claim> {
    let phi = relevance(CENTRE)?;
    let mean = |model: usize, events: bool| {
        let cases = table.truth.iter().zip(&table.models[model].1);
        let of = cases.filter(|(y, _)| (phi.phi(**y) >= T_E) == events);
        let errors: Vec<f64> = of.map(|(y, z)| (z - y).abs()).collect();
        self::mean(&errors)
    };
    let [small, large] = [false, true].map(|events| [mean(0, events), mean(1, events)]);
    let as_said = small[0] < small[1] && large[1] < large[0];
    Ok(claim("artificial-returns/where-errors-are")
        .holds(as_said, &[&small[0], &small[1], &large[0], &large[1]]))
}

/// The seven computed rows of Table 3, to the two digits printed.
fn cells(table: &PredictionTable, centre: f64, k: f64) -> Result<Vec<Vec<String>>> {
    let phi = relevance(centre)?;
    let alpha = Accuracy::smooth(T_L, k)?;
    let relevance = |values: &[f64]| values.iter().map(|&v| cell(phi.phi(v))).collect();
    let mut rows = vec![relevance(&table.truth)];
    for (_, model) in &table.models {
        let losses: Vec<f64> = table.truth.iter().zip(model).map(|(y, z)| (z - y).abs()).collect();
        rows.push(relevance(model));
        rows.push(losses.iter().copied().map(cell).collect());
        rows.push(losses.iter().map(|&l| cell(alpha.of_loss(l))).collect());
    }
    Ok(rows)
}

fn cell(value: f64) -> String {
    format!("{value:.2}")
}

/// How many cells of a row are as printed.
fn same(row: &[String], printed: &str) -> usize {
    row.iter().zip(printed.split(' ')).filter(|(a, b)| a == b).count()
}

fn table_3_claims(cells: &[Vec<String>]) -> impl Iterator<Item = Claim> {
    TABLE_3.iter().zip(cells).map(|((name, printed), row)| {
        let (alike, all) = (same(row, printed), row.len());
        claim("artificial-returns/table-3")
            .with(&[&name, &printed])
            .holds(alike == all && all > 0, &[&alike, &all])
    })
}

/// Three digits rounded, and cut.
fn rounded_and_cut(value: f64) -> [String; 2] {
    [value, (value * 1000.0).floor() / 1000.0].map(|v| format!("{v:.3}"))
}

fn precision_and_recall(scores: &[Scored]) -> Vec<Claim> {
    let decide = |words: ClaimWords, measure: Measured, printed: [&str; 2]| {
        let found = both(scores, measure);
        let forms = found.map(rounded_and_cut);
        let is = |m: usize, form: usize| forms[m][form] == printed[m];
        let by_cut: Vec<&str> = (0..2).filter(|&m| !is(m, 0) && is(m, 1)).map(|m| printed[m]).collect();
        let note = match by_cut.len() {
            0 => String::new(),
            _ => format!(" The paper's {} is cut, not rounded.", by_cut.join(" and ")),
        };
        words.holds((0..2).all(|m| is(m, 0) || is(m, 1)), &[&found[0], &found[1], &note])
    };
    vec![
        decide(claim("artificial-returns/recall"), RECALL, ["0.178", "0.670"]),
        decide(claim("artificial-returns/precision"), PRECISION, ["0.292", "0.668"]),
    ]
}

fn more_useful(scores: &[Scored]) -> Claim {
    let measures = [PRECISION, RECALL, F].map(|m| both(scores, m));
    let [f1, f2] = measures[2];
    claim("artificial-returns/more-useful")
        .holds(measures.iter().all(|[first, second]| second > first), &[&f1, &f2])
}

fn centres_of_the_text(table: &PredictionTable) -> Result<Claim> {
    let rows = cells(table, CENTRE_OF_THE_TEXT, ALPHA_K)?;
    let alike: usize = TABLE_3.iter().zip(&rows).map(|((_, printed), row)| same(row, printed)).sum();
    let all = rows.iter().map(Vec::len).sum::<usize>();
    let scores = score(table, CENTRE_OF_THE_TEXT)?;
    let pair = |m| both(&scores, m).map(|v| format!("{v:.3}")).join(" and ");
    Ok(claim("artificial-returns/centres")
        .holds(alike == all, &[&alike, &all, &pair(RECALL), &pair(PRECISION), &all]))
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
    Ok(claim("artificial-returns/smoothness").holds(fit == ["8"], &[&fit.join(", ")]))
}

fn headline(table: &PredictionTable, scores: &[Scored]) -> Table {
    let row = |((name, _), scored): (&(String, Vec<f64>), &Scored)| {
        let Scored { errors, events } = scored;
        let counts = [events.counts.events, events.counts.signals, events.counts.hits];
        let of = |measure: Measured| digits_or_dash(measure(scored).value());
        let start = [name.clone(), of(|s| s.errors.mad), format!("{:.5}", errors.mse)];
        start.into_iter().chain(counts.map(|n| n.to_string())).chain([PRECISION, RECALL, F].map(of))
    };
    words::table("artificial-returns/scores").with_rows(table.models.iter().zip(scores).map(row))
}

fn table_3(table: &PredictionTable, cells: &[Vec<String>]) -> Table {
    let mut out = words::table("artificial-returns/table_3").with_headings(1..=table.truth.len());
    let mut row = |name: &str, cells: Vec<String>| out.row(std::iter::once(name.to_owned()).chain(cells));
    let numbers = |values: &[f64]| values.iter().copied().map(cell).collect();
    row("True", numbers(&table.truth));
    for (i, ((name, _), computed)) in TABLE_3.iter().zip(cells).enumerate() {
        // Rows 1 to 3 are of the first model, 4 to 6 of the second.
        if i % 3 == 1 {
            let (model, values) = &table.models[i / 3];
            row(model, numbers(values));
        }
        row(name, computed.clone());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_digits_are_rounded_or_cut() {
        assert_eq!(rounded_and_cut(0.1782), ["0.178", "0.178"]);
        assert_eq!(rounded_and_cut(0.2928), ["0.293", "0.292"]);
        let row = ["0.10", "0.20"].map(str::to_owned);
        assert_eq!((same(&row, "0.10 0.20"), same(&row, "0.10 0.21")), (2, 1));
    }
}
