//! PR09 §5.2: 57 variants of four families on the h-day returns of four companies. Does ranking by F instead of MAD change
//! the winner, and what does it cost?
//!
//! The paper names neither its test of the rankings nor its rule for models without a score. Here the test is Kendall's τ-b
//! of the two rankings, corrected by Holm over the tasks; a model without a signal has no F and ranks last, tied.

pub(super) mod figures;
mod rank_tests;
mod trading;

use tailrank_engine::{
    plan::Plan,
    score::{Comparison, Results, VariantId},
};
use tailrank_metrics::{Measure, Relevance};
use tailrank_report::claims::Claim;
use tailrank_stats::rank_scores;

use super::{
    Conclusion, Found, Kind, Result, Study, StudyError, Table,
    decide::{digits_or_dash, p_value, percent, says, two},
};

/// The study.
pub(super) static STOCK_RETURNS: Study = Study {
    id: "stock-returns",
    title: "Does ranking models of stock returns by F instead of MAD change the winner?",
    paper: "Torgo & Ribeiro 2009 (PR09), §5.2",
    size: "57 variants, 12 tasks, 684 fits",
    time: "3 min",
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
    claims.extend(trading::claims(results));
    claims.push(
        says("PR09 §5.2", "Differences would be more marked with models that aim at rare extremes.")
            .not_testable("All 57 variants minimise a symmetric error; the grid has no such model."),
    );
    let tables = vec![headline(results, &verdicts), tests.into_table(), trading::table(results)];
    Ok(Conclusion { claims, tables, figures: figures::figure_2(results, &verdicts, FIG_2)? })
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
    says(
        "PR09 §5.2",
        "The quotes cover 1970-01-02 to 2008-07-11, 9725 daily sessions, for all four companies.",
    )
    .holds(
        short.is_empty() && lengths.len() == 4,
        format!("Sessions: {}.{note}", list.join(", ")),
        "sessions of every series; agree if all four have 9725",
    )
}

fn variants(plan: &Plan) -> Claim {
    let count = |family: &str| plan.variants.iter().filter(|v| v.group == family).count();
    let grid = plan.variants.iter().filter(|v| v.family.name() != "baseline").count();
    let found = [count("nnet"), count("mars"), count("svm"), count("forest")];
    says("PR09 §5.2", "57 models: 15 neural networks, 16 MARS, 16 SVMs, 10 random forests.").holds(
        found == [15, 16, 16, 10] && grid == 57,
        format!("{} + {} + {} + {} variants.", found[0], found[1], found[2], found[3]),
        "variants of the experiment",
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
    Ok(says("PR09 §5.2", "With t_E = 0.5 a return above 2 % or below −2 % is an event.").holds(
        bounds.len() == 2 && (low + 0.02).abs() < 1e-12 && (high - 0.02).abs() < 1e-12,
        format!("Events lie below {low:.4} and above {high:.4}."),
        "the bounds of φ ≥ t_E, to 1e-12",
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

fn figure_2(results: &Results, v: &Comparison) -> Vec<Claim> {
    let ranks = PaperRanks::of(results, v);
    let shared = ranks.shared_top_five();
    let scores = &results.scores[v.task];
    let top_mad = best(&ranks.by_mad, 5);
    let silent = top_mad.iter().filter(|&&p| scores.signals(ranks.variants[p]) == Some(0)).count();
    let worst_of_f = best(&ranks.by_f, 5)
        .iter()
        .filter_map(|&p| scores.score(ranks.variants[p], Measure::F)?.value())
        .fold(f64::INFINITY, f64::min);
    let best_f_of_mad = top_mad
        .iter()
        .filter_map(|&p| scores.score(ranks.variants[p], Measure::F)?.value())
        .fold(f64::NEG_INFINITY, f64::max);
    let place = ranks.best_place_of_top_ten();
    let far = ranks.far_from_the_diagonal();
    vec![
        says(
            "PR09 §5.2, Fig. 2",
            "Boeing, 3 days: the five best by MAD and the five best by F are completely different.",
        )
        .holds(
            shared == 0,
            format!("{shared} of 5 shared."),
            "models in both top fives; agree if none",
        ),
        says("PR09 §5.2, Fig. 2", "The best five by MAD score much worse in F than the best five by F.")
            .holds(
                best_f_of_mad < worst_of_f,
                if best_f_of_mad.is_finite() {
                    format!("Best F among them {best_f_of_mad:.4}; the fifth best F is {worst_of_f:.4}.")
                } else {
                    format!("None of them has an F at all; the fifth best F is {worst_of_f:.4}.")
                },
                "largest F of MAD's five below the smallest F of F's five",
            ),
        says("PR09 §5.2, footnote 8", "They have no F at all, because they produce no event signal.").holds(
            silent == top_mad.len(),
            format!("{silent} of {} never signal.", top_mad.len()),
            "signals of MAD's five; agree if none of them signals",
        ),
        says("PR09 §5.2, Fig. 2", "Most models are far from the diagonal.").holds(
            far > 0.5,
            format!("{} of the models are more than ten places apart.", percent(far)),
            "agree if more than half of the 57",
        ),
        says("PR09 §5.2, Fig. 2", "The ten best by MAD all stand below the 45th place by F.").holds(
            place > 45.0,
            format!("The best of them stands at place {place} by F."),
            "smallest rank by F among MAD's ten best, ties averaged",
        ),
    ]
}

fn every_task(results: &Results, verdicts: &[&Comparison]) -> Vec<Claim> {
    let n = verdicts.len();
    let ranks: Vec<PaperRanks> = verdicts.iter().map(|v| PaperRanks::of(results, v)).collect();
    let count = |rule: &dyn Fn(&PaperRanks) -> bool| ranks.iter().filter(|r| rule(r)).count();
    let disjoint = count(&|r| r.shared_top_five() == 0);
    let one = count(&|r| r.shared_top_five() <= 1);
    let below = count(&|r| r.best_place_of_top_ten() > 45.0);
    let far = count(&|r| r.far_from_the_diagonal() > 0.5);
    vec![
        says("PR09 §5.2", "All 12 setups follow a similar trend: other models on top.").holds(
            one == n,
            format!("Top fives disjoint on {disjoint} of {n} tasks, at most one shared on {one}."),
            "agree if the top fives share at most one model on every task",
        ),
        says("PR09 §5.2", "All 12 setups follow a similar trend: the best by MAD at the end by F.").holds(
            below == n,
            format!(
                "On {below} of {n} tasks all ten best by MAD stand below the 45th place by F; on {far} more than half of the \
                 models are more than ten places off the diagonal."
            ),
            "agree if MAD's ten best all stand below the 45th place on every task",
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
