//! PR09 §5.2: 57 variants of four families on the h-day returns of four companies. Does ranking by F instead
//! of MAD change the winner, and what does it cost?
//!
//! The paper names neither its test of the rankings nor its rule for models without a score. Here the test is
//! Kendall's τ-b of the two rankings, corrected by Holm over the tasks; a model without a signal has no F and
//! ranks last, tied.

pub(super) mod figures;
mod rank_tests;
pub(super) mod trading;

use tailrank_experiment::plan::{Plan, Task};
use tailrank_report::answer;

use super::prelude::*;

/// The study.
pub(super) const KIND: Kind =
    Kind::experiment(include_str!("../../experiments/stock-returns.toml"), conclude);

const SESSIONS: usize = 9725;
const FIG_2: &str = "BA 3d";

fn conclude(found: &Run, _: &[Run]) -> Result<Conclusion> {
    let (plan, results) = (&found.plan, &found.results);
    let verdicts = verdicts(results);
    let fig_2 = verdicts.iter().find(|v| results.names.tasks[v.task] == FIG_2);
    let fig_2 = fig_2.ok_or_else(|| missing(format!("the run has no task '{FIG_2}'")))?;
    let mut claims = vec![sessions(plan), variants(plan), events(plan)?];
    claims.extend(figure_2(results, fig_2));
    claims.extend(every_task(results, &verdicts));
    claims.extend(rank_tests::claims(&verdicts));
    let subsets = rank_tests::subsets(results, &verdicts);
    claims.extend(rank_tests::beyond_the_paper(&subsets));
    let horizon = |t: TaskId| plan.tasks[t.0].horizon.unwrap_or(1);
    claims.extend(trading::claims(results, &horizon));
    let rank_tests = rank_tests::table(results, &verdicts, &subsets);
    let tables = vec![headline(results, &verdicts), rank_tests, trading::table(results)];
    Ok(Conclusion {
        opening: opening(results, &verdicts, claims[0].standing == Standing::Agree),
        claims,
        tables,
        figures: figures::figure_2(results, &verdicts, FIG_2)?,
        ..Conclusion::default()
    })
}

fn opening(results: &Results, verdicts: &[&Comparison], all_sessions: bool) -> String {
    let never = |v: &&&Comparison| v.best_chosen.and_then(|b| results.scores[v.task].signals(b)) == Some(0);
    let against = |v: &&&Comparison| opposed(tau_of(v), v.tau_holm_p) == Standing::Agree;
    let (n, silent) = (verdicts.len(), verdicts.iter().filter(never).count());
    let (other, against) = (other_first(verdicts), verdicts.iter().filter(against).count());
    let beyond = trading::beyond_chance(results);
    let note = if all_sessions { "" } else { "; not all series have the paper's 9725 sessions" };
    words::opening("stock-returns", &[&silent, &n, &other, &against, &n, &beyond, &n, &note])
}

/// The comparison of MAD with F on every task.
pub(super) fn verdicts(results: &Results) -> Vec<&Comparison> {
    comparisons(results, Measure::Mad, Measure::F)
}

/// Kendall's τ of the two rankings.
pub(super) fn tau_of(v: &Comparison) -> Option<f64> {
    v.tau.as_ref()?.estimate
}

/// The rows of an embedding tell how long its series was: n − (lags − 1) − 2h.
fn sessions(plan: &Plan) -> Claim {
    let lags = plan.experiment.target.lags as usize;
    let length = |task: &Task| task.data.rows() + lags.saturating_sub(1) + 2 * task.horizon.unwrap_or(0);
    let lengths = distinct(plan.tasks.iter().map(|task| (task.source.as_str(), length(task))));
    let list: Vec<String> = lengths.iter().map(|(name, n)| format!("{name} {n}")).collect();
    let short: Vec<&str> = lengths.iter().filter(|(_, n)| *n != SESSIONS).map(|(name, _)| *name).collect();
    let note = if short.is_empty() {
        String::new()
    } else {
        format!(" {} runs on the years there are, with a split of its own.", short.join(", "))
    };
    let all = lengths.len() == 4 && short.is_empty();
    claim("stock-returns/sessions").holds(all, &[&list.join(", "), &note])
}

fn variants(plan: &Plan) -> Claim {
    let count = |family: &str| plan.variants.iter().filter(|v| v.group == family).count();
    let grid = plan.variants.iter().filter(|v| !v.family.is_baseline()).count();
    let found = ["nnet", "mars", "svm", "forest"].map(count);
    let listed = found.map(|n| n.to_string()).join(" + ");
    claim("stock-returns/models").holds(found == [15, 16, 16, 10] && grid == 57, &[&listed])
}

/// t_E = 0.5 on sigmoids centred at ±0.02.
fn events(plan: &Plan) -> Result<Claim> {
    let s = &plan.experiment.relevance;
    let phi = Relevance::sigmoid(s.low, s.high, s.k, s.delta)?;
    let bounds = phi.event_bounds(s.event_threshold)?;
    let low = bounds.iter().find(|range| range.to.is_finite()).map_or(f64::NAN, |range| range.to);
    let high = bounds.iter().find(|range| range.to.is_infinite()).map_or(f64::NAN, |range| range.from);
    let at_two_percent = (low + 0.02).abs() < 1e-12 && (high - 0.02).abs() < 1e-12;
    Ok(claim("stock-returns/events").holds(bounds.len() == 2 && at_two_percent, &[&low, &high]))
}

/// The variants of a verdict by rank, best first; of equals the first in the grid.
fn best(ranks: &[f64], k: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..ranks.len()).collect();
    places.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    places.truncate(k);
    places
}

/// The ranks of all models of the grid, as the paper counts them: models with the same predictions are not
/// taken together.
struct PaperRanks {
    variants: Vec<VariantId>,
    by_mad: Vec<f64>,
    by_f: Vec<f64>,
}

impl PaperRanks {
    fn of(results: &Results, v: &Comparison) -> Self {
        let scores = &results.scores[v.task];
        let variants = scores.candidates();
        let [by_mad, by_f] = [v.chosen_by, v.judged_by].map(|m| ranks_of(scores, &variants, m));
        Self { by_mad, by_f, variants }
    }

    /// Models that both top fives hold.
    fn shared_top_five(&self) -> usize {
        let by_f = best(&self.by_f, 5);
        best(&self.by_mad, 5).iter().filter(|p| by_f.contains(p)).count()
    }

    /// Best place by F among the ten best by MAD.
    fn best_place_of_top_ten(&self) -> f64 {
        best(&self.by_mad, 10).iter().map(|&p| self.by_f[p]).fold(f64::INFINITY, f64::min)
    }

    /// Share of variants whose two places are more than ten apart.
    fn far_from_the_diagonal(&self) -> f64 {
        let far = self.by_mad.iter().zip(&self.by_f).filter(|(a, b)| (*a - *b).abs() > 10.0).count();
        far as f64 / self.by_mad.len().max(1) as f64
    }
}

/// The interval of a model's F; none if it has no F.
fn interval_of_f(results: &Results, v: &Comparison, variant: VariantId) -> Option<(f64, f64)> {
    score_of(results, v.task, variant, Measure::F)?;
    answer::ends(results, v.task, Measure::F, variant)
}

fn figure_2(results: &Results, v: &Comparison) -> Vec<Claim> {
    let ranks = PaperRanks::of(results, v);
    let shared = ranks.shared_top_five();
    let top_mad = best(&ranks.by_mad, 5);
    let is_silent = |p: &usize| results.scores[v.task].signals(ranks.variants[*p]) == Some(0);
    let silent = top_mad.iter().filter(|p| is_silent(p)).count();
    let f_of = |p: usize| score_of(results, v.task, ranks.variants[p], Measure::F);
    let with_f = top_mad.iter().filter_map(|&p| Some((f_of(p)?, p)));
    let best_of_mad = with_f.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, p)| p);
    let fifth = best(&ranks.by_f, 5).last().copied();
    let interval = |p: Option<usize>| p.and_then(|p| interval_of_f(results, v, ranks.variants[p]));
    let value = |p: Option<usize>| digits_or_dash(p.and_then(f_of));
    let best_f = match best_of_mad {
        Some(_) => format!("Highest F among them {}", value(best_of_mad)),
        None => "None of them has an F at all".to_owned(),
    };
    let place = ranks.best_place_of_top_ten();
    let far = ranks.far_from_the_diagonal();
    vec![
        claim("stock-returns/top-fives").holds(shared == 0, &[&shared]),
        claim("stock-returns/much-worse")
            .stands(much_worse(interval(best_of_mad), interval(fifth)), &[&best_f, &value(fifth)]),
        claim("stock-returns/silent").stands(every(&top_mad, is_silent), &[&silent, &top_mad.len()]),
        claim("stock-returns/diagonal").holds(far > 0.5, &[&percent(far)]),
        claim("stock-returns/below-45").holds(place > 45.0, &[&place]),
    ]
}

/// MAD's five score worse than F's five: no F at all, or intervals that do not meet.
fn much_worse(best_of_mad: Option<(f64, f64)>, worst_of_f: Option<(f64, f64)>) -> Standing {
    match (best_of_mad, worst_of_f) {
        (_, None) => Standing::NotTestable,
        (None, Some(_)) => Standing::Agree,
        (Some((_, high)), Some((low, _))) if high < low => Standing::Agree,
        (Some((low, _)), Some((_, high))) if high < low => Standing::Differ,
        (Some(_), Some(_)) => Standing::TooClose,
    }
}

fn every_task(results: &Results, verdicts: &[&Comparison]) -> Vec<Claim> {
    let n = verdicts.len();
    let ranks: Vec<PaperRanks> = verdicts.iter().map(|v| PaperRanks::of(results, v)).collect();
    let shared: Vec<usize> = ranks.iter().map(PaperRanks::shared_top_five).collect();
    let places: Vec<f64> = ranks.iter().map(PaperRanks::best_place_of_top_ten).collect();
    let far = ranks.iter().filter(|r| r.far_from_the_diagonal() > 0.5).count();
    let at_most = |most: usize| shared.iter().filter(|s| **s <= most).count();
    let below = places.iter().filter(|p| **p > 45.0).count();
    vec![
        claim("stock-returns/trend-top").stands(every(&shared, |s| *s <= 1), &[&at_most(0), &n, &at_most(1)]),
        claim("stock-returns/trend-end").stands(every(&places, |p| *p > 45.0), &[&below, &n, &far]),
    ]
}

pub(super) fn headline(results: &Results, verdicts: &[&Comparison]) -> Table {
    let row = |v: &&Comparison| {
        let both = [v.best_chosen, v.best_judged];
        let signals = both.map(|best| {
            let signals = best.and_then(|b| results.scores[v.task].signals(b));
            signals.map_or_else(|| DASH.to_owned(), |s| s.to_string())
        });
        let [by_mad, by_f] = both.map(|best| label(results, best));
        [
            results.names.tasks[v.task].clone(),
            by_mad,
            by_f,
            two(v.rho.as_ref().and_then(|t| t.estimate)),
            two(tau_of(v)),
            p_value(v.tau_holm_p),
            two(v.top.as_ref().map(|t| t.shared)).replace(".00", ""),
            signals.join(" / "),
            both.map(|best| shown(results, v.task, best, Measure::F)).join(" / "),
            digits_or_dash(v.loss.map(|l| l.absolute)),
        ]
    };
    words::table("stock-returns/verdicts").with_rows(verdicts.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, NotTestable, TooClose};

    #[test]
    fn scores_are_worse_where_intervals_do_not_meet() {
        assert_eq!(much_worse(None, Some((0.03, 0.04))), Agree);
        assert_eq!(much_worse(Some((0.0, 0.01)), Some((0.03, 0.04))), Agree);
        assert_eq!(much_worse(Some((0.05, 0.06)), Some((0.03, 0.04))), Differ);
        assert_eq!(much_worse(Some((0.02, 0.035)), Some((0.03, 0.04))), TooClose);
        assert_eq!(much_worse(None, None), NotTestable);
    }
}
