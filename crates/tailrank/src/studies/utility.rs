//! UT08: mean utility Ū tells models apart that MAD and MSE take for equal; its surface; and, on real data with rare extremes,
//! whether it ranks models as MAD and MSE do.
//!
//! UT08 gives no data for its two models, so the same construction is built here. Its printed scores cannot come from the
//! settings of its Fig. 4, as [`table_2`] shows.

mod construction;

use tailrank_metrics::{Measure, Relevance, utility::Ut08};
use tailrank_report::{
    claims::{Claim, Standing},
    figures::{
        Heading, Quantity, RankFlow, Scores, UtilitySurface, rank_flow, scored_variants, utility_surface,
    },
};
use tailrank_score::score::{Comparison, Results, VariantId};
use tailrank_stats::{Resamples, percentile_interval, spearman_rho};

use super::{
    Conclusion, Figure, Found, Kind, Opening, Result, Study, Table,
    decide::{above, all_of, digits, digits_or_dash, finding, identity, set_up, two},
    stock_returns::rules,
};

/// The study.
pub(super) static UTILITY: Study = Study {
    id: "utility",
    title: "Does mean utility rank models as MAD and MSE do, where rare extremes matter?",
    paper: "Ribeiro & Torgo 2008 (UT08)",
    size: "26 models, 3 tasks, 5 folds",
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
    claims.extend(real_data(found.results, found.plan.experiment.seed)?);
    let tables = vec![headline(found.results)?, pair.table()?];
    let mut figures = vec![surface.figure()?];
    figures.extend(pair.figures()?);
    figures.extend(rank_flows(found.results)?);
    let others =
        |m: Measure| verdicts(found.results, m).iter().filter(|v| v.best_chosen != v.best_judged).count();
    let opening = Opening {
        paper: "The paper says that mean utility tells models apart that MAD and MSE take for equal, and that models on top by MAD or MSE may be \
                sub-optimal where rare extremes matter."
            .to_owned(),
        found: format!(
            "On {} data sets with rare extremes the best by Ū is another model than the best by MAD on {}, and than the best by MSE on {}.",
            found.results.names.tasks.len(),
            others(Measure::Mad),
            others(Measure::Mse)
        ),
        sure: "Losses of utility are decided by the confidence set of the best by Ū (bootstrap of the cases), orders by resampling the models; \
               three data sets are few, and t, p and the relevance are chosen here."
            .to_owned(),
    };
    Ok(Conclusion { opening, claims, tables, figures, ..Conclusion::default() })
}

/// Whether Table 2's scores can come from Fig. 4's settings with B = 1. Only errors above t give negative utility, of at least
/// −B each, so Ū < 0 needs a share of at least |Ū|/B of them; and then MSE > |Ū|/B · t².
fn table_2() -> Claim {
    let (mse, utility) = (4.7454, 0.1332);
    let least = utility * T * T;
    let largest_t = f64::sqrt(mse / utility);
    set_up(
        "UT08 §3.3, Table 2",
        "M1 has MSE 4.7454 and Ū = −0.1332, with settings similar to Fig. 4's (t = 15).",
    )
    .holds(
        can_come_from(mse, utility, T),
        format!(
            "Not with t = 15 and a benefit B of 1: Ū = −0.1332 would need an MSE above {}. With B = 1, t is below {}; with \
             t = 15, B is above {}.",
            digits(least),
            digits(largest_t),
            digits(least / mse)
        ),
        "each error above t costs at most B, so MSE > |Ū|·t²/B; differ if the printed MSE is below that, agree if not",
    )
}

/// Whether a mean utility of −|Ū| is possible with this MSE and B = 1.
fn can_come_from(mse: f64, utility: f64, t: f64) -> bool {
    utility * t * t < mse
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
        Ok(Figure { name: "fig_4".to_owned(), svg: utility_surface(&data)?.svg })
    }

    /// What the paper says of it.
    fn claims(&self) -> Vec<Claim> {
        let (grid, heights) = (&self.grid, &self.heights);
        let diagonal: Vec<f64> = (0..grid.len()).map(|i| heights[i][i]).collect();
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
        identity("UT08 Fig. 4", "Near the diagonal utility is positive and grows with the values.").holds(
            rises(&diagonal) && !negative_near,
            format!("On the diagonal from {} at 0 to {} at 60; nowhere negative within the error of 15.", digits(diagonal[0]), digits(diagonal[last])),
            "t = 15, p = 0.6, φ a sigmoid at 40; 61 × 61 pairs; differ if it falls or is negative anywhere there",
        ),
        identity("UT08 Fig. 4", "The corners are costs, the higher ones where events are missed.").holds(
            costs(missed, false_alarm),
            format!(
                "Missed event {}, false alarm {}. The deepest point of all, {}, lies where both values are relevant and \
                 the error is beyond t: y = {}, ŷ = {}.",
                digits(missed),
                digits(false_alarm),
                digits(heights[deepest.0][deepest.1]),
                grid[deepest.0],
                grid[deepest.1]
            ),
            "U(ŷ = 0, y = 60) and U(ŷ = 60, y = 0); agree if both negative, the first the lower, differ otherwise",
        ),
    ]
    }
}

/// From near nothing to near the full benefit, and never down.
fn rises(diagonal: &[f64]) -> bool {
    diagonal.windows(2).all(|w| w[1] >= w[0]) && diagonal.last().is_some_and(|l| *l > 0.9)
}

fn costs(missed: f64, false_alarm: f64) -> bool {
    missed < false_alarm && false_alarm < 0.0
}

fn verdicts(results: &Results, a: Measure) -> Vec<&Comparison> {
    results.comparisons.iter().filter(|v| (v.chosen_by, v.judged_by) == (a, Measure::Utility)).collect()
}

/// What the models of a task score, as goodness: by Ū, MAD, MSE and on the events. Baselines are no models of the grid.
fn goodness(results: &Results, task: usize) -> Vec<[f64; 4]> {
    let scores = &results.scores[task];
    let of = |m: Measure| {
        let sign = if m.better() == tailrank_metrics::Better::Lower { -1.0 } else { 1.0 };
        let values = scores.values(m);
        move |v: VariantId| values[v].map(|x| sign * x)
    };
    let columns = [Measure::Utility, Measure::Mad, Measure::Mse, Measure::EventMad].map(of);
    let row = |v: VariantId| Some([columns[0](v)?, columns[1](v)?, columns[2](v)?, columns[3](v)?]);
    scores.candidates().into_iter().filter_map(row).collect()
}

/// Spearman's ρ of each measure with the error on the events; NaN where there is none.
fn follow_events(models: &[[f64; 4]]) -> [f64; 3] {
    let column = |k: usize| models.iter().map(|m| m[k]).collect::<Vec<f64>>();
    let events = column(3);
    [0, 1, 2].map(|k| spearman_rho(&column(k), &events).unwrap_or(f64::NAN))
}

/// By how much Ū follows the events better than the better of MAD and MSE, with its interval over resampled models.
fn lead(models: &[[f64; 4]], seed: u64) -> Result<(f64, f64)> {
    let of = |models: &[[f64; 4]]| {
        let [u, mad, mse] = follow_events(models);
        u - mad.max(mse)
    };
    let resamples = Resamples::cases(models.len(), 999, seed)?;
    let values: Vec<f64> = (0..resamples.draws())
        .map(|d| of(&resamples.rows(d).iter().map(|&r| models[r as usize]).collect::<Vec<_>>()))
        .collect();
    Ok(percentile_interval(of(models), &values, 0.95).map_or((f64::NAN, f64::NAN), |i| (i.lower, i.upper)))
}

/// Whether the best by another measure gives utility away on a task: none if it is Ū's best itself, too close if it cannot be told from it.
fn gives_away(results: &Results, v: &Comparison) -> Standing {
    let scores = &results.scores[v.task];
    let in_the_set = results.inference.iter().find(|i| i.task == v.task).is_some_and(|i| {
        let level =
            i.measure(Measure::Utility).map(|m| m.in_set(results.inferred_by.set_level)).unwrap_or_default();
        v.best_chosen.and_then(|b| i.place(b, scores)).is_some_and(|place| level.contains(&place))
    });
    rules::other_on_top(v.best_chosen == v.best_judged, in_the_set)
}

/// "May be sub-optimal": agree if it clearly is on some data set, differ if on every one the best is Ū's best too, else too close.
fn may_be_sub_optimal(sets: &[Standing]) -> Standing {
    if sets.contains(&Standing::Agree) {
        Standing::Agree
    } else if !sets.is_empty() && sets.iter().all(|s| *s == Standing::Differ) {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

/// Ū follows the events better than both others on every data set.
fn ranks_correctly(leads: &[(f64, f64)]) -> Standing {
    all_of(&leads.iter().map(|&l| above(l, 0.0)).collect::<Vec<_>>())
}

fn real_data(results: &Results, seed: u64) -> Result<Vec<Claim>> {
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
        let standings: Vec<Standing> = of.iter().map(|v| gives_away(results, v)).collect();
        let clear = standings.iter().filter(|s| **s == Standing::Agree).count();
        claims.push(finding("UT08 §3.3", &text).stands(
            may_be_sub_optimal(&standings),
            format!(
                "Another winner on {other} of {} data sets, clearly so on {clear}; utility lost by choosing by {symbol}: {}.",
                of.len(),
                lost.join(", ")
            ),
            "agree if on some data set the best by this measure is outside the confidence set of the best by Ū, differ if on every one both are \
             the same model, else too close",
        ));
    }
    let (mut lines, mut leads) = (Vec::new(), Vec::new());
    for (t, task) in results.names.tasks.iter().enumerate() {
        let models = goodness(results, t);
        let [u, mad, mse] = follow_events(&models);
        let (low, high) = lead(&models, seed)?;
        lines.push(format!("{task}: Ū {u:.2}, MAD {mad:.2}, MSE {mse:.2}, lead {low:+.2} to {high:+.2}"));
        leads.push((low, high));
    }
    claims.push(
        finding(
            "UT08 §3.3",
            "Ū ranks alternative models correctly, by how they do on the cases that matter.",
        )
        .stands(
            ranks_correctly(&leads),
            format!("Rank correlation with the error on the events: {}.", lines.join("; ")),
            "Spearman's ρ with MAD on the events; agree if Ū's lead over the better of the others is above 0 on every data set by its interval over \
             resampled models, differ if below 0 on any, else too close",
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
            ranges: Vec::new(),
        };
        figures.push(Figure { name: format!("ranks_{task}"), svg: rank_flow(&data)?.svg });
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use Standing::{Agree, Differ, TooClose};

    use super::*;

    #[test]
    fn sub_optimal_on_some_set_or_on_none() {
        assert_eq!(may_be_sub_optimal(&[Differ, Agree, TooClose]), Agree);
        assert_eq!(may_be_sub_optimal(&[Differ, Differ]), Differ);
        assert_eq!(may_be_sub_optimal(&[Differ, TooClose]), TooClose);
    }

    #[test]
    fn a_lead_must_be_clear_everywhere() {
        assert_eq!(ranks_correctly(&[(0.1, 0.3), (0.05, 0.2)]), Agree);
        assert_eq!(ranks_correctly(&[(0.1, 0.3), (-0.2, -0.05)]), Differ);
        assert_eq!(ranks_correctly(&[(0.1, 0.3), (-0.2, 0.1)]), TooClose);
    }

    #[test]
    fn the_lead_of_what_follows_the_events_is_positive() {
        // Ū orders as the events do, MAD and MSE the other way round.
        let models: Vec<[f64; 4]> = (0..20).map(f64::from).map(|i| [i, -i, -i, i]).collect();
        assert_eq!(follow_events(&models), [1.0, -1.0, -1.0]);
        let (low, high) = lead(&models, 1).unwrap();
        assert!(low > 1.9 && high <= 2.0 + 1e-12, "{low} {high}");
        // Over the better of the two others: where one of them follows the events as well, nothing is left.
        let models: Vec<[f64; 4]> = (0..20).map(f64::from).map(|i| [i, -i, i, i]).collect();
        assert_eq!(lead(&models, 1).unwrap(), (0.0, 0.0));
    }

    #[test]
    fn arithmetic_of_table_2_and_figure_4() {
        assert!(!can_come_from(4.7454, 0.1332, 15.0) && can_come_from(4.7454, 0.1332, 5.0));
        assert!(rises(&[0.0, 0.5, 1.0]) && !rises(&[0.0, 0.5, 0.4, 1.0]) && !rises(&[0.0, 0.5]));
        assert!(costs(-0.6, -0.4) && !costs(-0.4, -0.6) && !costs(-0.6, 0.1));
    }
}
