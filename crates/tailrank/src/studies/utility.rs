//! UT08: mean utility Ū tells models apart that MAD and MSE take for equal; its surface; and, on real data with rare extremes,
//! whether it ranks models as MAD and MSE do.
//!
//! UT08 gives no data for its two models, so the same construction is built here. Its printed scores cannot come from the
//! settings of its Fig. 4, as [`table_2`] shows.

mod construction;

use tailrank_engine::score::{Comparison, Results, VariantId};
use tailrank_metrics::{Measure, Relevance, utility::Ut08};
use tailrank_report::{
    claims::Claim,
    figures::{
        Heading, Quantity, RankFlow, Scores, UtilitySurface, rank_flow, scored_variants, utility_surface,
    },
};
use tailrank_stats::spearman_rho;

use super::{
    Conclusion, Figure, Found, Kind, Result, Study, Table,
    decide::{digits, digits_or_dash, says, two},
};

/// The study.
pub(super) static UTILITY: Study = Study {
    id: "utility",
    title: "Does mean utility rank models as MAD and MSE do, where rare extremes matter?",
    paper: "Ribeiro & Torgo 2008 (UT08)",
    size: "26 variants, 3 tasks, 5 folds",
    time: "2 min",
    kind: Kind::Experiment { text: include_str!("../../experiments/utility.toml"), conclude },
};

/// UT08 Fig. 4: values above 40 are relevant, t = 15, p = 0.6.
const RELEVANT: f64 = 40.0;
const T: f64 = 15.0;
const P: f64 = 0.6;

fn conclude(found: &Found<'_>) -> Result<Conclusion> {
    let pair = construction::Pair::new()?;
    let mut claims = pair.claims()?;
    claims.push(table_2());
    let surface = Surface::new()?;
    claims.extend(surface.claims());
    claims.extend(real_data(found.results)?);
    let tables = vec![headline(found.results)?, pair.table()?];
    let mut figures = vec![surface.figure()?];
    figures.extend(pair.figures()?);
    figures.extend(rank_flows(found.results)?);
    Ok(Conclusion { claims, tables, figures })
}

/// Whether Table 2's scores can come from Fig. 4's settings with B = 1. Only errors above t give negative utility, of at least
/// −B each, so Ū < 0 needs a share of at least |Ū|/B of them; and then MSE > |Ū|/B · t².
fn table_2() -> Claim {
    let (mse, utility) = (4.7454, 0.1332);
    let least = utility * T * T;
    let largest_t = f64::sqrt(mse / utility);
    says(
        "UT08 §3.3, Table 2",
        "M1 has MSE 4.7454 and Ū = −0.1332, with settings similar to Fig. 4's (t = 15).",
    )
    .holds(
        least < mse,
        format!(
            "Not with t = 15 and a benefit B of 1: Ū = −0.1332 would need an MSE above {}. With B = 1, t is below {}; with \
             t = 15, B is above {}.",
            digits(least),
            digits(largest_t),
            digits(least / mse)
        ),
        "each error above t costs at most B, so MSE > |Ū|·t²/B",
    )
}

/// UT08 Fig. 4 on a grid from 0 to 60.
struct Surface {
    grid: Vec<f64>,
    heights: Vec<Vec<f64>>,
}

impl Surface {
    fn new() -> Result<Self> {
        let phi = Relevance::sigmoid(None, Some(RELEVANT), 0.5, 1e-4)?;
        let utility = Ut08::new(1.0, T, P, None)?;
        let grid: Vec<f64> = (0..=60).map(f64::from).collect();
        let heights = utility.surface(&grid, &grid, &phi)?;
        Ok(Self { grid, heights })
    }

    fn figure(&self) -> Result<Figure> {
        let data = UtilitySurface {
            heading: Heading { title: None, context: "t = 15, p = 0.6, relevant above 40 (UT08 Fig. 4)" },
            target: Quantity::new("value", ""),
            truth: &self.grid,
            predicted: &self.grid,
            heights: &self.heights,
        };
        Ok(Figure { name: "fig_4".to_owned(), svg: utility_surface(&data)? })
    }

    /// What the paper says of it.
    fn claims(&self) -> Vec<Claim> {
        let (grid, heights) = (&self.grid, &self.heights);
        let diagonal: Vec<f64> = (0..grid.len()).map(|i| heights[i][i]).collect();
        let grows = diagonal.windows(2).all(|w| w[1] >= w[0]);
        let negative_near = (0..grid.len())
            .any(|i| (0..grid.len()).any(|j| (grid[i] - grid[j]).abs() <= T && heights[i][j] < 0.0));
        let last = grid.len() - 1;
        let (missed, false_alarm) = (heights[last][0], heights[0][last]);
        let mut deepest = (0, 0);
        for i in 0..grid.len() {
            for j in 0..grid.len() {
                if heights[i][j] < heights[deepest.0][deepest.1] {
                    deepest = (i, j);
                }
            }
        }
        vec![
        says("UT08 Fig. 4", "Near the diagonal utility is positive and grows with the values.").holds(
            grows && !negative_near && diagonal[last] > 0.9,
            format!("On the diagonal from {} at 0 to {} at 60; nowhere negative within the error of 15.", digits(diagonal[0]), digits(diagonal[last])),
            "t = 15, p = 0.6, φ a sigmoid at 40; 61 × 61 pairs",
        ),
        says("UT08 Fig. 4", "The corners are costs, the higher ones where events are missed.").holds(
            missed < false_alarm && false_alarm < 0.0,
            format!(
                "Missed event {}, false alarm {}. The deepest point of all, {}, lies where both values are relevant and \
                 the error is beyond t: y = {}, ŷ = {}.",
                digits(missed),
                digits(false_alarm),
                digits(heights[deepest.0][deepest.1]),
                grid[deepest.0],
                grid[deepest.1]
            ),
            "U(ŷ = 0, y = 60) and U(ŷ = 60, y = 0); agree if both negative, the first the lower",
        ),
    ]
    }
}

fn verdicts(results: &Results, a: Measure) -> Vec<&Comparison> {
    results.comparisons.iter().filter(|v| (v.chosen_by, v.judged_by) == (a, Measure::Utility)).collect()
}

/// Spearman's ρ between a measure and the error on the events, both as ranks of goodness.
fn follows_events(results: &Results, task: usize, measure: Measure) -> Option<f64> {
    let scores = &results.scores[task];
    let sign = |m: Measure| if m.better() == tailrank_metrics::Better::Lower { -1.0 } else { 1.0 };
    let (a, b) = (scores.values(measure), scores.values(Measure::EventMad));
    let both: Vec<(f64, f64)> = a
        .iter()
        .zip(&b)
        .filter_map(|(x, y)| Some((sign(measure) * (*x)?, sign(Measure::EventMad) * (*y)?)))
        .collect();
    let (x, y): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    spearman_rho(&x, &y).ok()
}

fn real_data(results: &Results) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for measure in [Measure::Mad, Measure::Mse] {
        let of = verdicts(results, measure);
        let symbol = measure.info().symbol;
        let lost: Vec<String> = of
            .iter()
            .map(|v| {
                format!("{} {}", results.names.tasks[v.task], digits_or_dash(v.loss.map(|l| l.absolute)))
            })
            .collect();
        let other = of.iter().filter(|v| v.best_chosen != v.best_judged).count();
        let text = format!("Models ranked top by {symbol} may be sub-optimal where extremes matter.");
        claims.push(says("UT08 §3.3", &text).holds(
            of.iter().any(|v| v.loss.is_some_and(|l| l.absolute > 0.0)),
            format!(
                "Another winner on {other} of {} data sets; utility lost by choosing by {symbol}: {}.",
                of.len(),
                lost.join(", ")
            ),
            "regret in Ū of the best by this measure; agree if above zero on any data set",
        ));
    }
    let mut lines = Vec::new();
    let mut ahead = 0;
    for (t, task) in results.names.tasks.iter().enumerate() {
        let (u, mad, mse) = (
            follows_events(results, t, Measure::Utility),
            follows_events(results, t, Measure::Mad),
            follows_events(results, t, Measure::Mse),
        );
        if let (Some(u), Some(mad), Some(mse)) = (u, mad, mse) {
            ahead += usize::from(u > mad && u > mse);
        }
        lines.push(format!("{task}: Ū {}, MAD {}, MSE {}", two(u), two(mad), two(mse)));
    }
    claims.push(
        says("UT08 §3.3", "Ū ranks alternative models correctly, by how they do on the cases that matter.").holds(
            ahead == results.names.tasks.len(),
            format!("Rank correlation with the error on the events: {}.", lines.join("; ")),
            "Spearman's ρ with MAD on the events; agree if Ū's is the highest of the three on every data set",
        ),
    );
    Ok(claims)
}

fn headline(results: &Results) -> Result<Table> {
    let headings = [
        "data",
        "events",
        "best by MAD",
        "best by MSE",
        "best by Ū",
        "τ MAD, Ū",
        "τ MSE, Ū",
        "Ū of best by MAD",
        "by MSE",
        "by Ū",
    ];
    let mut table = Table::new("winners", "The best of 26 models by MAD, MSE and mean utility", &headings);
    let (by_mad, by_mse) = (verdicts(results, Measure::Mad), verdicts(results, Measure::Mse));
    for (a, b) in by_mad.iter().zip(&by_mse) {
        let scores = &results.scores[a.task];
        let label = |v: Option<VariantId>| {
            v.map_or_else(|| "–".to_owned(), |v| results.names.variants[v].label.clone())
        };
        let utility =
            |v: Option<VariantId>| digits_or_dash(v.and_then(|v| scores.score(v, Measure::Utility)?.value()));
        let tau = |v: &Comparison| two(v.tau.as_ref().and_then(|t| t.estimate));
        table.row([
            results.names.tasks[a.task].clone(),
            format!("{} of {}", scores.events, scores.cases),
            label(a.best_chosen),
            label(b.best_chosen),
            label(a.best_judged),
            tau(a),
            tau(b),
            utility(a.best_chosen),
            utility(b.best_chosen),
            utility(a.best_judged),
        ]);
    }
    Ok(table)
}

/// How the variants' places move from MAD over MSE to Ū, data set by data set.
fn rank_flows(results: &Results) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (task, scores) in results.names.tasks.iter().zip(&results.scores) {
        let data = RankFlow {
            heading: Heading { title: None, context: task },
            variants: scored_variants(&results.names.variants, scores),
            measures: [Measure::Mad, Measure::Mse, Measure::Utility]
                .map(|m| Scores::of_task(scores, m))
                .to_vec(),
            highlight: Vec::new(),
        };
        figures.push(Figure { name: format!("ranks_{task}"), svg: rank_flow(&data)? });
    }
    Ok(figures)
}
