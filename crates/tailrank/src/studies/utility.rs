//! UT08: mean utility Ū tells models apart that MAD and MSE take for equal; its surface; and, on real data
//! with rare extremes, whether it ranks models as MAD and MSE do.
//!
//! UT08 gives no data for its two models, so the same construction is built here. Its printed scores cannot
//! come from the settings of its Fig. 4, as [`table_2`] shows.

mod construction;

use tailrank_metrics::utility::Ut08;
use tailrank_report::figures::utility_surface;
use tailrank_score::score::answer::Counts;
use tailrank_stats::{Resamples, percentile_interval, spearman_rho};

use super::{prelude::*, stock_returns::tau_of};

/// The study.
pub(super) const KIND: Kind = Kind::experiment(include_str!("../../experiments/utility.toml"), conclude);

/// UT08 Fig. 4: values above 40 are relevant, t = 15, p = 0.6.
const RELEVANT: f64 = 40.0;
const T: f64 = 15.0;
const P: f64 = 0.6;

fn conclude(found: &Run, _: &[Run]) -> Result<Conclusion> {
    let results = &found.results;
    let pair = construction::Pair::new();
    let mut claims = pair.claims()?;
    claims.push(table_2());
    let (surface, figure) = surface()?;
    claims.extend(surface);
    claims.extend(real_data(results, found.plan.experiment.seed)?);
    let mut figures = vec![figure];
    figures.extend(pair.figures()?);
    for (task, _) in tasks(results) {
        figures.push(rank_flow_of(results, task, &[Measure::Mad, Measure::Mse, Measure::Utility])?);
    }
    let [mad, mse] =
        [Measure::Mad, Measure::Mse].map(|m| other_first(&comparisons(results, m, Measure::Utility)));
    Ok(Conclusion {
        opening: words::opening("utility", &[&results.names.tasks.len(), &mad, &mse]),
        claims,
        tables: vec![headline(results), pair.table()?],
        figures,
        ..Conclusion::default()
    })
}

/// Whether Table 2's scores can come from Fig. 4's settings with B = 1. Only errors above t give negative
/// utility, of at least −B each, so Ū < 0 needs a share of at least |Ū|/B of them; and then MSE > |Ū|/B · t².
fn table_2() -> Claim {
    let (mse, utility) = (4.7454, 0.1332);
    let least = utility * T * T;
    let [least_mse, most_t, least_b] = [least, f64::sqrt(mse / utility), least / mse].map(digits);
    claim("utility/table-2").holds(least < mse, &[&least_mse, &most_t, &least_b])
}

fn relevance() -> Result<Relevance> {
    Ok(Relevance::sigmoid(None, Some(RELEVANT), 0.5, 1e-4)?)
}

/// UT08 Fig. 4 on a grid from 0 to 60, and what the paper says of it.
fn surface() -> Result<([Claim; 2], Figure)> {
    const LAST: usize = 60;
    let grid: Vec<f64> = (0..=LAST as u32).map(f64::from).collect();
    let heights = Ut08::new(1.0, T, P, None)?.surface(&grid, &grid, &relevance()?)?;
    let heading = Heading::of("t = 15, p = 0.6, relevant above 40 (UT08 Fig. 4)");
    let figure = figure("fig_4", utility_surface(heading, Quantity::new("value", ""), &grid, &heights)?);

    let diagonal: Vec<f64> = (0..=LAST).map(|i| heights[i][i]).collect();
    let pairs = || (0..=LAST).flat_map(|i| (0..=LAST).map(move |j| (i, j)));
    let negative_near = pairs().any(|(i, j)| (grid[i] - grid[j]).abs() <= T && heights[i][j] < 0.0);
    let (missed, false_alarm) = (heights[LAST][0], heights[0][LAST]);
    let deepest = pairs().min_by(|a, b| heights[a.0][a.1].total_cmp(&heights[b.0][b.1]));
    let (y, predicted) = deepest.unwrap_or_default();
    let claims = [
        claim("utility/diagonal")
            .holds(rises(&diagonal) && !negative_near, &[&digits(diagonal[0]), &digits(diagonal[LAST])]),
        claim("utility/corners").holds(
            missed < false_alarm && false_alarm < 0.0,
            &[
                &digits(missed),
                &digits(false_alarm),
                &digits(heights[y][predicted]),
                &grid[y],
                &grid[predicted],
            ],
        ),
    ];
    Ok((claims, figure))
}

/// From near nothing to near the full benefit, and never down.
fn rises(diagonal: &[f64]) -> bool {
    diagonal.windows(2).all(|w| w[1] >= w[0]) && diagonal.last().is_some_and(|l| *l > 0.9)
}

/// What the models of a task score, as goodness: by Ū, MAD, MSE, and by their mistakes on the cases that
/// matter, events missed and false alarms. Baselines are no models of the grid.
fn goodness(results: &Results, task: TaskId) -> Vec<[f64; 4]> {
    let scores = &results.scores[task];
    let of = |v: VariantId, m: Measure| {
        let value = score_of(results, task, v, m)?;
        Some(if m.better() == Better::Lower { -value } else { value })
    };
    let row = |v: VariantId| {
        let counts = Counts::of(scores, v)?;
        let mistakes = (counts.missed + counts.false_alarms) as f64;
        Some([of(v, Measure::Utility)?, of(v, Measure::Mad)?, of(v, Measure::Mse)?, -mistakes])
    };
    scores.candidates().into_iter().filter_map(row).collect()
}

/// Spearman's ρ of each measure with the mistakes on the cases that matter; NaN where there is none.
fn follow_mistakes(models: &[[f64; 4]]) -> [f64; 3] {
    let column = |k: usize| models.iter().map(|m| m[k]).collect::<Vec<f64>>();
    let mistakes = column(3);
    [0, 1, 2].map(|k| spearman_rho(&column(k), &mistakes).unwrap_or(f64::NAN))
}

/// By how much Ū follows the mistakes better than the better of MAD and MSE, with its interval over resampled
/// models.
fn lead(models: &[[f64; 4]], seed: u64) -> Result<(f64, f64)> {
    let of = |models: &[[f64; 4]]| {
        let [u, mad, mse] = follow_mistakes(models);
        u - mad.max(mse)
    };
    let resamples = Resamples::cases(models.len(), 999, seed)?;
    let values: Vec<f64> = (0..resamples.draws())
        .map(|d| of(&resamples.rows(d).iter().map(|&r| models[r as usize]).collect::<Vec<_>>()))
        .collect();
    Ok(percentile_interval(of(models), &values, 0.95).map_or((f64::NAN, f64::NAN), |i| (i.lower, i.upper)))
}

/// "May be sub-optimal": agree if it clearly is on some data set, differ if on every one the best is Ū's best
/// too, else too close.
fn may_be_sub_optimal(sets: &[Standing]) -> Standing {
    if sets.contains(&Standing::Agree) {
        Standing::Agree
    } else if !sets.is_empty() && sets.iter().all(|s| *s == Standing::Differ) {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

fn real_data(results: &Results, seed: u64) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for measure in [Measure::Mad, Measure::Mse] {
        let of = comparisons(results, measure, Measure::Utility);
        let symbol = measure.info().symbol;
        let loss = |v: &&Comparison| {
            format!("{} {}", results.names.tasks[v.task], digits_or_dash(v.loss.map(|l| l.absolute)))
        };
        let lost: Vec<String> = of.iter().map(loss).collect();
        let standings: Vec<Standing> = of.iter().map(|v| other_on_top(results, v)).collect();
        let clear = count_of(&standings, Standing::Agree);
        claims.push(claim("utility/sub-optimal").with(&[&symbol]).stands(
            may_be_sub_optimal(&standings),
            &[&other_first(&of), &of.len(), &clear, &symbol, &lost.join(", ")],
        ));
    }
    let (mut lines, mut leads) = (Vec::new(), Vec::new());
    for (t, task) in tasks(results) {
        let models = goodness(results, t);
        let [u, mad, mse] = follow_mistakes(&models);
        let (low, high) = lead(&models, seed)?;
        lines.push(format!("{task}: Ū {u:.2}, MAD {mad:.2}, MSE {mse:.2}, lead {low:+.2} to {high:+.2}"));
        leads.push(above((low, high), 0.0));
    }
    claims.push(claim("utility/ranks-correctly").stands(all_of(&leads), &[&lines.join("; ")]));
    Ok(claims)
}

fn headline(results: &Results) -> Table {
    let [by_mad, by_mse] = [Measure::Mad, Measure::Mse].map(|m| comparisons(results, m, Measure::Utility));
    let row = |(a, b): (&&Comparison, &&Comparison)| {
        let scores = &results.scores[a.task];
        let start = [results.names.tasks[a.task].clone(), format!("{} of {}", scores.events, scores.cases)];
        let best = [a.best_chosen, b.best_chosen, a.best_judged];
        let models = best.map(|v| label(results, v));
        let taus = [two(tau_of(a)), two(tau_of(b))];
        let utilities = best.map(|v| shown(results, a.task, v, Measure::Utility));
        start.into_iter().chain(models).chain(taus).chain(utilities)
    };
    words::table("utility/winners").with_rows(by_mad.iter().zip(&by_mse).map(row))
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
    fn the_lead_of_what_follows_the_events_is_positive() {
        // Ū orders as the events do, MAD and MSE the other way round.
        let models: Vec<[f64; 4]> = (0..20).map(f64::from).map(|i| [i, -i, -i, i]).collect();
        assert_eq!(follow_mistakes(&models), [1.0, -1.0, -1.0]);
        let (low, high) = lead(&models, 1).unwrap();
        assert!(low > 1.9 && high <= 2.0 + 1e-12, "{low} {high}");
        // Over the better of the two others: where one of them follows the events as well, nothing is left.
        let models: Vec<[f64; 4]> = (0..20).map(f64::from).map(|i| [i, -i, i, i]).collect();
        assert_eq!(lead(&models, 1).unwrap(), (0.0, 0.0));
    }

    #[test]
    fn a_diagonal_rises_to_the_benefit() {
        assert!(rises(&[0.0, 0.5, 1.0]) && !rises(&[0.0, 0.5, 0.4, 1.0]) && !rises(&[0.0, 0.5]));
    }
}
