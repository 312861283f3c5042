//! PR09 §5.2: 57 variants of four families on the h-day returns of four companies. Does ranking by F instead of MAD change
//! the winner, and what does it cost?
//!
//! The paper names neither its test of the rankings nor its rule for models without a score. Here the test is Kendall's τ-b
//! of the two rankings, corrected by Holm over the tasks; a model without a signal has no F and ranks last, tied.

pub(super) mod figures;
mod rank_tests;
pub(super) mod rules;
mod trading;

use tailrank_experiment::plan::Plan;
use tailrank_metrics::{Measure, Relevance};
use tailrank_report::claims::{Claim, Standing};
use tailrank_score::score::{Comparison, Results, TaskId, VariantId};
use tailrank_stats::rank_scores;

use super::{
    Conclusion, Found, Kind, Opening, Result, Study, StudyError, Table,
    decide::{digits_or_dash, finding, identity, p_value, percent, set_up, two},
};

/// The study.
pub(super) static STOCK_RETURNS: Study = Study {
    id: "stock-returns",
    title: "Does ranking models of stock returns by F instead of MAD change the winner?",
    paper: "Torgo & Ribeiro 2009 (PR09), §5.2",
    size: "57 models, 12 tasks, 684 fits",
    kind: Kind::Experiment { text: include_str!("../../experiments/stock-returns.toml"), conclude },
};

const SESSIONS: usize = 9725;
const FIG_2: &str = "BA 3d";

fn conclude(found: &Found<'_>) -> Result<Conclusion> {
    let (plan, results) = (found.plan, found.results);
    let verdicts = verdicts(results);
    let fig_2 = verdicts
        .iter()
        .find(|v| results.names.tasks[v.task] == FIG_2)
        .ok_or_else(|| StudyError::Missing(format!("the run has no task '{FIG_2}'")))?;
    let mut claims = vec![sessions(plan), variants(plan), events(plan)?];
    claims.extend(figure_2(results, fig_2));
    claims.extend(every_task(results, &verdicts));
    claims.extend(rank_tests::claims(&verdicts));
    let tests = rank_tests::table(results, &verdicts)?;
    claims.extend(rank_tests::beyond_the_paper(&tests));
    let horizon = |t: TaskId| plan.tasks[t.0].horizon.unwrap_or(1);
    claims.extend(trading::claims(results, &horizon));
    let tables = vec![headline(results, &verdicts), tests.into_table(), trading::table(results)];
    Ok(Conclusion {
        opening: opening(results, &verdicts, claims[0].standing == Standing::Agree),
        claims,
        tables,
        figures: figures::figure_2(results, &verdicts, FIG_2)?,
        ..Conclusion::default()
    })
}

fn opening(results: &Results, verdicts: &[&Comparison], all_sessions: bool) -> Opening {
    let silent = verdicts
        .iter()
        .filter(|v| v.best_chosen.and_then(|b| results.scores[v.task].signals(b)) == Some(0))
        .count();
    let (n, beyond) = (verdicts.len(), trading::beyond_luck(results));
    let against = verdicts.iter().filter(|v| {
        let tau = v.tau.as_ref().and_then(|t| t.estimate);
        rules::disagree(tau, v.tau_holm_p) == Standing::Agree
    });
    Opening {
        paper: "The paper says that ranking 57 models of stock returns by F instead of MAD puts other models on top, and that those on top \
                by MAD almost never signal a large move."
            .to_owned(),
        found: format!(
            "Here the best by MAD never signals on {silent} of {n} tasks, and on {} another model is the best by F.",
            verdicts.iter().filter(|v| v.best_chosen != v.best_judged).count()
        ),
        sure: format!(
            "The rankings are opposed at p < 0.05 after Holm on {} of {n} tasks, but the best F is above chance on {beyond} of {n}, \
             so that acting on it may not pay{}.",
            against.count(),
            if all_sessions { "" } else { "; not all series have the paper's 9725 sessions" }
        ),
    }
}

/// The comparison of MAD with F on every task.
pub(super) fn verdicts(results: &Results) -> Vec<&Comparison> {
    results.comparisons.iter().filter(|v| (v.chosen_by, v.judged_by) == (Measure::Mad, Measure::F)).collect()
}

/// The rows of an embedding tell how long its series was: n − (lags − 1) − 2h.
fn sessions(plan: &Plan) -> Claim {
    let lags = plan.experiment.target.lags as usize;
    let mut lengths: Vec<(&str, usize)> = Vec::new();
    for task in &plan.tasks {
        let length = task.data.rows() + lags.saturating_sub(1) + 2 * task.horizon.unwrap_or(0);
        if !lengths.iter().any(|(name, _)| *name == task.source) {
            lengths.push((&task.source, length));
        }
    }
    let list: Vec<String> = lengths.iter().map(|(name, n)| format!("{name} {n}")).collect();
    let short: Vec<&str> = lengths.iter().filter(|(_, n)| *n != SESSIONS).map(|(name, _)| *name).collect();
    let note = if short.is_empty() {
        String::new()
    } else {
        format!(" {} runs on the years there are, with a split of its own.", short.join(", "))
    };
    set_up(
        "PR09 §5.2",
        "The quotes cover 1970-01-02 to 2008-07-11, 9725 daily sessions, for all four companies.",
    )
    .holds(
        all_sessions(&lengths.iter().map(|(_, n)| *n).collect::<Vec<_>>()),
        format!("Sessions: {}.{note}", list.join(", ")),
        "sessions of every series; agree if all four have 9725, differ otherwise",
    )
}

fn all_sessions(lengths: &[usize]) -> bool {
    lengths == [SESSIONS; 4]
}

fn the_papers_grid(families: [usize; 4], all: usize) -> bool {
    families == [15, 16, 16, 10] && all == 57
}

fn at_two_percent(low: f64, high: f64) -> bool {
    (low + 0.02).abs() < 1e-12 && (high - 0.02).abs() < 1e-12
}

fn variants(plan: &Plan) -> Claim {
    let count = |family: &str| plan.variants.iter().filter(|v| v.group == family).count();
    let grid = plan.variants.iter().filter(|v| !v.family.is_baseline()).count();
    let found = [count("nnet"), count("mars"), count("svm"), count("forest")];
    set_up("PR09 §5.2", "57 models: 15 neural networks, 16 MARS, 16 SVMs, 10 random forests.").holds(
        the_papers_grid(found, grid),
        format!("{} + {} + {} + {} variants.", found[0], found[1], found[2], found[3]),
        "variants of the experiment; differ if any number is another",
    )
}

/// t_E = 0.5 on sigmoids centred at ±0.02.
fn events(plan: &Plan) -> Result<Claim> {
    let s = &plan.experiment.relevance;
    let phi = Relevance::sigmoid(s.low, s.high, s.k, s.delta)?;
    let bounds = phi.event_bounds(s.event_threshold)?;
    let (mut low, mut high) = (f64::NAN, f64::NAN);
    for range in &bounds {
        if range.to.is_infinite() {
            high = range.from;
        } else {
            low = range.to;
        }
    }
    Ok(identity("PR09 §5.2", "With t_E = 0.5 a return above 2 % or below −2 % is an event.").holds(
        bounds.len() == 2 && at_two_percent(low, high),
        format!("Events lie below {low:.4} and above {high:.4}."),
        "the bounds of φ ≥ t_E, to 1e-12; differ by a wrong program alone",
    ))
}

/// The variants of a verdict by rank, best first; of equals the first in the grid.
fn best(ranks: &[f64], k: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..ranks.len()).collect();
    places.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    places.truncate(k);
    places
}

/// The ranks of all models of the grid, as the paper counts them: models with the same predictions are not taken together.
struct PaperRanks {
    variants: Vec<VariantId>,
    by_mad: Vec<f64>,
    by_f: Vec<f64>,
}

impl PaperRanks {
    fn of(results: &Results, v: &Comparison) -> Self {
        let scores = &results.scores[v.task];
        let variants = scores.candidates();
        let ranks = |measure: Measure| {
            let all = scores.values(measure);
            let picked: Vec<Option<f64>> = variants.iter().map(|&v| all[v]).collect();
            rank_scores(&picked, measure.better()).unwrap_or_default()
        };
        Self { by_mad: ranks(v.chosen_by), by_f: ranks(v.judged_by), variants }
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
    let scores = &results.scores[v.task];
    scores.score(variant, Measure::F)?.value()?;
    let inference = results.inference.iter().find(|i| i.task == v.task)?;
    let place = inference.place(variant, scores)?;
    let interval = inference.measure(Measure::F)?.intervals.get(place)?.as_ref()?;
    Some((interval.lower, interval.upper))
}

fn figure_2(results: &Results, v: &Comparison) -> Vec<Claim> {
    let ranks = PaperRanks::of(results, v);
    let shared = ranks.shared_top_five();
    let scores = &results.scores[v.task];
    let top_mad = best(&ranks.by_mad, 5);
    let silent = top_mad.iter().filter(|&&p| scores.signals(ranks.variants[p]) == Some(0)).count();
    let f_of =
        |p: usize| scores.score(ranks.variants[p], Measure::F).and_then(tailrank_metrics::Score::value);
    let with_f: Vec<usize> = top_mad.iter().copied().filter(|&p| f_of(p).is_some()).collect();
    let best_of_mad =
        with_f.into_iter().max_by(|&a, &b| f_of(a).unwrap_or(0.0).total_cmp(&f_of(b).unwrap_or(0.0)));
    let fifth = best(&ranks.by_f, 5).last().copied();
    let interval = |p: Option<usize>| p.and_then(|p| interval_of_f(results, v, ranks.variants[p]));
    let value = |p: Option<usize>| digits_or_dash(p.and_then(f_of));
    let place = ranks.best_place_of_top_ten();
    let far = ranks.far_from_the_diagonal();
    vec![
        finding(
            "PR09 §5.2, Fig. 2",
            "Boeing, 3 days: the five best by MAD and the five best by F are completely different.",
        )
        .stands(
            rules::shared_at_most(&[shared], 0),
            format!("{shared} of 5 shared."),
            "models in both top fives; agree if none, differ if any",
        ),
        finding("PR09 §5.2, Fig. 2", "The best five by MAD score much worse in F than the best five by F.")
            .stands(
                rules::much_worse(interval(best_of_mad), interval(fifth)),
                if best_of_mad.is_some() {
                    format!("Best F among them {}; the fifth best F is {}.", value(best_of_mad), value(fifth))
                } else {
                    format!("None of them has an F at all; the fifth best F is {}.", value(fifth))
                },
                "agree if they have no F or their best interval lies below that of the fifth best, differ if above it, too close if they meet",
            ),
        finding("PR09 §5.2, footnote 8", "They have no F at all, because they produce no event signal.").stands(
            rules::all_silent(silent, top_mad.len()),
            format!("{silent} of {} never signal.", top_mad.len()),
            "signals of MAD's five; agree if none of them signals, differ if one does",
        ),
        finding("PR09 §5.2, Fig. 2", "Most models are far from the diagonal.").stands(
            rules::most_far(far),
            format!("{} of the models are more than ten places apart.", percent(far)),
            "agree if more than half of the 57, differ otherwise",
        ),
        finding("PR09 §5.2, Fig. 2", "The ten best by MAD all stand below the 45th place by F.").stands(
            rules::below_45(&[place]),
            format!("The best of them stands at place {place} by F."),
            "smallest rank by F among MAD's ten best, ties averaged, every model counted; agree if beyond 45, differ otherwise",
        ),
    ]
}

fn every_task(results: &Results, verdicts: &[&Comparison]) -> Vec<Claim> {
    let n = verdicts.len();
    let ranks: Vec<PaperRanks> = verdicts.iter().map(|v| PaperRanks::of(results, v)).collect();
    let shared: Vec<usize> = ranks.iter().map(PaperRanks::shared_top_five).collect();
    let places: Vec<f64> = ranks.iter().map(PaperRanks::best_place_of_top_ten).collect();
    let far = ranks.iter().filter(|r| r.far_from_the_diagonal() > 0.5).count();
    vec![
        finding("PR09 §5.2", "All 12 setups follow a similar trend: other models on top.").stands(
            rules::shared_at_most(&shared, 1),
            format!(
                "Top fives disjoint on {} of {n} tasks, at most one shared on {}.",
                shared.iter().filter(|s| **s == 0).count(),
                shared.iter().filter(|s| **s <= 1).count()
            ),
            "agree if the top fives share at most one model on every task, differ if they share more on any",
        ),
        finding("PR09 §5.2", "All 12 setups follow a similar trend: the best by MAD at the end by F.").stands(
            rules::below_45(&places),
            format!(
                "On {} of {n} tasks all ten best by MAD stand below the 45th place by F; on {far} more than half of the \
                 models are more than ten places off the diagonal.",
                places.iter().filter(|p| **p > 45.0).count()
            ),
            "agree if MAD's ten best all stand below the 45th place on every task, differ if not on any one",
        ),
    ]
}

pub(super) fn headline(results: &Results, verdicts: &[&Comparison]) -> Table {
    let headings = [
        "task",
        "best by MAD",
        "best by F",
        "ρ",
        "τ",
        "p (Holm)",
        "top 10 shared",
        "signals of each",
        "F of each",
        "F lost",
    ];
    let mut table = Table::new("verdicts", "The best by MAD and the best by F on every task", &headings);
    for v in verdicts {
        let scores = &results.scores[v.task];
        let label = |best: Option<VariantId>| {
            best.map_or_else(|| "–".to_owned(), |b| results.names.variants[b].label.clone())
        };
        let signals = |best: Option<VariantId>| {
            best.and_then(|b| scores.signals(b)).map_or_else(|| "–".to_owned(), |s| s.to_string())
        };
        let f =
            |best: Option<VariantId>| digits_or_dash(best.and_then(|b| scores.score(b, Measure::F)?.value()));
        table.row([
            results.names.tasks[v.task].clone(),
            label(v.best_chosen),
            label(v.best_judged),
            two(v.rho.as_ref().and_then(|t| t.estimate)),
            two(v.tau.as_ref().and_then(|t| t.estimate)),
            p_value(v.tau_holm_p),
            v.top.as_ref().map_or_else(|| "–".to_owned(), |t| two(Some(t.shared)).replace(".00", "")),
            format!("{} / {}", signals(v.best_chosen), signals(v.best_judged)),
            format!("{} / {}", f(v.best_chosen), f(v.best_judged)),
            digits_or_dash(v.loss.map(|l| l.absolute)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_up_is_the_papers_or_not() {
        assert!(
            all_sessions(&[9725; 4]) && !all_sessions(&[9725, 9725, 5379, 9725]) && !all_sessions(&[9725; 3])
        );
        assert!(the_papers_grid([15, 16, 16, 10], 57) && !the_papers_grid([15, 16, 16, 10], 58));
        assert!(
            at_two_percent(-0.02, 0.02) && !at_two_percent(-0.02, 0.0201) && !at_two_percent(f64::NAN, 0.02)
        );
    }
}
