//! Which family to start with: entries over many tasks, without a mean over units.
//!
//! An entry is a family, or a family with one recipe; on each task it is its model with the best score on the
//! validation rows, judged on the test. Without validation rows every model is an entry. The best baseline of
//! each task is an entry too, and stands in wherever a result is missing. Clusters of tasks count once.

use indexmap::IndexMap;
use tailrank_metrics::{Better, Measure};
use tailrank_stats::{
    Alternative, ClusterMethod, FEWEST_CLUSTERS, bradley_terry, cluster_interval, paired_t, rank_scores,
};

use super::{
    Names, TaskScores, VariantId,
    answer::{Reason, Untestable, Verdict},
    clusters::Clusters,
    holm,
    regret::counted,
};
use crate::table::{Format, Table};

/// What is compared over tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A family with all its settings and recipes.
    Family,
    /// A family with one recipe and all its settings.
    Recipe,
    /// One model.
    Model,
    /// The best baseline of each task.
    Baseline,
}

impl EntryKind {
    /// The kind for files and scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::Family => "family",
            Self::Recipe => "recipe",
            Self::Model => "model",
            Self::Baseline => "baseline",
        }
    }
}

/// A number with its interval over clusters of tasks; no interval below six clusters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number: a mean over clusters.
    pub value: f64,
    /// Lower and upper end.
    pub interval: Option<(f64, f64)>,
}

/// One entry by one measure over all tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The measure.
    pub measure: Measure,
    /// What the entry is called.
    pub entry: String,
    /// What it is.
    pub kind: EntryKind,
    /// Tasks counted.
    pub tasks: usize,
    /// Tasks on which it has no result and the best baseline's stands in.
    pub missing: usize,
    /// Gain over the best baseline: 1 less the geometric mean of score ratios for losses, the mean share of
    /// the possible gain for measures up to 1; none for others.
    pub skill: Option<Estimate>,
    /// The same for the entry's best model on each test: an upper bound that no user can reach.
    pub grid_skill: Option<f64>,
    /// Share of the other entries that it beats; ties count half.
    pub win_rate: Estimate,
    /// Average rank among the entries of its kind and the best baseline.
    pub average_rank: Estimate,
    /// Bradley and Terry's rating in Elo points above the best baseline; none among more than [`MOST_RATED`].
    pub rating: Option<Estimate>,
    /// p of the skill being above 0, one-sided over clusters.
    pub p_baseline: Option<f64>,
    /// The same, corrected by Holm over the entries of its kind.
    pub p_adjusted: Option<f64>,
    /// Whether it cannot be told apart from the first of its kind.
    pub tied: bool,
    /// Its gain over the best baseline task by task: a log ratio for losses, else a share; none where there
    /// is none.
    pub gains: Vec<Option<f64>>,
    /// Its rank task by task.
    pub ranks: Vec<f64>,
}

/// Which entry to start with, by the deciding measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The entry with the best skill: a place in [`Standings::rows`].
    pub row: usize,
    /// Start with it, or with none.
    pub verdict: Verdict,
    /// Other entries that are tied with it: places.
    pub tied: Vec<usize>,
}

/// What is known over all tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standings {
    /// One row per measure and entry, best first by skill, else by rank.
    pub rows: Vec<Standing>,
    /// Clusters of tasks that count once.
    pub clusters: usize,
    /// The verdict; none below two tasks.
    pub start: Option<Start>,
}

/// Entries that are rated against each other: a rating costs the cube of their number.
pub const MOST_RATED: usize = 200;

/// Penalty of the rating's log-strengths, against entries that win or lose all.
const RIDGE: f64 = 0.05;

/// Ratios beyond this are one model's accident, not its skill.
const LARGEST_RATIO: f64 = 100.0;

struct Entry {
    label: String,
    kind: EntryKind,
    members: Vec<VariantId>,
}

/// Everything about entries over tasks. `validation` has the scores on each task's validation rows, or
/// nothing.
pub(super) fn standings(
    names: &Names,
    tasks: &[TaskScores],
    validation: &[Option<TaskScores>],
    decide_by: Option<Measure>,
    alpha: f64,
    level: f64,
) -> Standings {
    let Some(first) = tasks.first().filter(|_| tasks.len() > 1) else { return Standings::default() };
    let chosen = !validation.is_empty() && validation.iter().all(Option::is_some);
    let clusters = Clusters::of(tasks);
    let mut found = Standings { clusters: clusters.count, ..Standings::default() };
    for kinds in entries(names, tasks, chosen) {
        for &measure in &first.measures {
            let judge = Judge { tasks, validation: if chosen { validation } else { &[] }, measure };
            let rows = judge.rows(&kinds, &clusters, alpha, level);
            if found.start.is_none() && decide_by == Some(measure) && !rows.is_empty() {
                found.start = start(&rows, found.rows.len(), clusters.count, alpha);
            }
            found.rows.extend(rows);
        }
    }
    found
}

/// Entries to be ranked among each other: families, then families with recipes; or models where nothing was
/// chosen.
fn entries(names: &Names, tasks: &[TaskScores], chosen: bool) -> Vec<Vec<Entry>> {
    let candidates: Vec<VariantId> =
        VariantId::all(names.variants.len()).filter(|v| !names.variants[*v].reference).collect();
    let grouped = |kind: EntryKind, label: &dyn Fn(VariantId) -> String| -> Vec<Entry> {
        let mut members: IndexMap<String, Vec<VariantId>> = IndexMap::new();
        candidates.iter().for_each(|&v| members.entry(label(v)).or_default().push(v));
        members.into_iter().map(|(label, members)| Entry { label, kind, members }).collect()
    };
    if !chosen {
        // Models with the same predictions on every task are one.
        let is_copy =
            |v: VariantId| tasks.iter().all(|t| t.same_as[v] != v && t.same_as[v] == tasks[0].same_as[v]);
        let mut models = grouped(EntryKind::Model, &|v| names.label(v).to_owned());
        models.retain(|e| !is_copy(e.members[0]));
        return vec![models];
    }
    let family = |v: VariantId| names.variants[v].group.clone();
    let recipe = |v: VariantId| match names.variants[v].recipe.as_str() {
        "plain" => family(v),
        recipe => format!("{} · {recipe}", family(v)),
    };
    let families = grouped(EntryKind::Family, &family);
    let recipes = grouped(EntryKind::Recipe, &recipe);
    if recipes.len() > families.len() { vec![families, recipes] } else { vec![families] }
}

/// Scores of entries by one measure.
struct Judge<'a> {
    tasks: &'a [TaskScores],
    validation: &'a [Option<TaskScores>],
    measure: Measure,
}

/// What one entry has on one task: the score of its model chosen on validation rows, and of its best on the
/// test.
type Found = (Option<f64>, Option<f64>);

impl Judge<'_> {
    fn rows(&self, entries: &[Entry], clusters: &Clusters, alpha: f64, level: f64) -> Vec<Standing> {
        let Self { tasks, measure, .. } = *self;
        let all_tasks = || 0..tasks.len();
        // The best baseline may be undefined, as F is for one that never signals: silence earns nothing.
        let baseline = |t: usize| {
            let scored = tasks[t].scored().into_iter();
            self.best(t, scored.filter(|&v| tasks[t].references[v]))
        };
        let baselines: Vec<Option<f64>> = all_tasks().map(baseline).collect();
        let of_entry = |entry| all_tasks().map(|t| self.found(entry, t)).collect();
        let found: Vec<Vec<Found>> = entries.iter().map(of_entry).collect();
        if found.iter().flatten().all(|(score, _)| score.is_none()) {
            return Vec::new();
        }
        let count = entries.len() + 1;
        // One row per task: the entries, then the best baseline, which stands in where a result is missing.
        let filled = |t: usize| found.iter().map(|f| f[t].0.or(baselines[t])).chain([baselines[t]]).collect();
        let table: Vec<Vec<Option<f64>>> = all_tasks().map(filled).collect();
        let ranks: Vec<Vec<f64>> =
            table.iter().map(|row| rank_scores(row, measure.better()).unwrap_or_default()).collect();
        let ratings = (count <= MOST_RATED).then(|| self.ratings(&table, clusters));
        let gain = |t: usize, score: Option<f64>| self.gain(score?, baselines[t]?);
        let means_of = |value: &dyn Fn(usize) -> Option<f64>| {
            clusters.means(&all_tasks().filter_map(|t| Some((t, value(t)?))).collect::<Vec<_>>())
        };
        let means: Vec<Vec<f64>> = (0..entries.len()).map(|e| means_of(&|t| gain(t, table[t][e]))).collect();
        let p: Vec<Option<f64>> = means.iter().map(|m| above_zero(m)).collect();
        let adjusted = holm(&p);
        let skill = |means: &[f64]| estimate(means, level).map(|s| self.as_skill(s));
        let within = |(low, high): (f64, f64), value: &dyn Fn(usize) -> Option<f64>| {
            let found = estimate(&means_of(value), level).unwrap_or(Estimate { value: 0.0, interval: None });
            Estimate { interval: found.interval.map(|(a, b)| (a.max(low), b.min(high))), ..found }
        };
        let standing = |e: usize| {
            let beaten = |t: usize| Some((count as f64 - ranks[t][e]) / (count - 1).max(1) as f64);
            let (entry, of_tasks) = (entries.get(e), found.get(e));
            Standing {
                measure,
                entry: entry.map_or_else(|| "best baseline".to_owned(), |entry| entry.label.clone()),
                kind: entry.map_or(EntryKind::Baseline, |entry| entry.kind),
                tasks: tasks.len(),
                missing: of_tasks.map_or(0, |f| f.iter().filter(|(score, _)| score.is_none()).count()),
                skill: means.get(e).and_then(|m| skill(m)),
                grid_skill: of_tasks
                    .and_then(|f| skill(&means_of(&|t| gain(t, f[t].1.or(baselines[t])))))
                    .map(|s| s.value),
                win_rate: within((0.0, 1.0), &beaten),
                average_rank: within((1.0, count as f64), &|t| Some(ranks[t][e])),
                rating: ratings.as_ref().and_then(|all| estimate(&all[e], level)),
                p_baseline: p.get(e).copied().flatten(),
                p_adjusted: adjusted.get(e).copied().flatten(),
                tied: false,
                gains: all_tasks().map(|t| gain(t, table[t][e])).collect(),
                ranks: ranks.iter().map(|row| row[e]).collect(),
            }
        };
        let mut rows: Vec<Standing> = (0..count).map(standing).collect();
        self.mark_ties(&mut rows, &means, alpha);
        let key = |s: &Standing| -s.skill.map_or(f64::NEG_INFINITY, |s| s.value);
        rows.sort_by(|a, b| {
            let is_last = |s: &Standing| s.kind == EntryKind::Baseline;
            let by_rank = a.average_rank.value.total_cmp(&b.average_rank.value);
            is_last(a).cmp(&is_last(b)).then(key(a).total_cmp(&key(b))).then(by_rank)
        });
        rows
    }

    fn score(&self, t: usize, v: VariantId) -> Option<f64> {
        self.tasks[t].score(v, self.measure).and_then(counted)
    }

    /// The best score of some variants on a task.
    fn best(&self, t: usize, variants: impl Iterator<Item = VariantId>) -> Option<f64> {
        let all = variants.filter_map(|v| self.score(t, v));
        all.reduce(|a, b| if self.is_better(b, a) { b } else { a })
    }

    fn found(&self, entry: &Entry, t: usize) -> Found {
        let members = || entry.members.iter().copied();
        let chosen = match self.validation.get(t).and_then(Option::as_ref) {
            Some(validation) => validation
                .best_among(members(), self.measure)
                .or_else(|| members().find(|&v| self.score(t, v).is_some())),
            None => members().next(),
        };
        (chosen.and_then(|v| self.score(t, v)), self.best(t, members()))
    }

    fn is_better(&self, a: f64, b: f64) -> bool {
        if self.measure.better() == Better::Higher { a > b } else { a < b }
    }

    /// 1 for a win, ½ for a tie; a missing result loses to any other.
    fn wins(&self, a: Option<f64>, b: Option<f64>) -> f64 {
        match (a, b) {
            (Some(a), Some(b)) if a == b => 0.5,
            (Some(a), Some(b)) => f64::from(self.is_better(a, b)),
            (None, None) => 0.5,
            (a, _) => f64::from(a.is_some()),
        }
    }

    /// The gain over a baseline's score: the log of the ratio for losses, the share of what there was to win
    /// up to 1 for others.
    fn gain(&self, score: f64, baseline: f64) -> Option<f64> {
        if self.measure.better() == Better::Lower {
            let ratio = if score == baseline { 1.0 } else { baseline / score };
            let ratio = if ratio.is_nan() || ratio < 0.0 { return None } else { ratio };
            return Some(ratio.clamp(1.0 / LARGEST_RATIO, LARGEST_RATIO).ln());
        }
        let is_share = (0.0..=1.0).contains(&score) && (0.0..1.0).contains(&baseline);
        is_share.then(|| ((score - baseline) / (1.0 - baseline)).max(-1.0))
    }

    /// The mean gain as a skill: for losses, 1 less the geometric mean of score / baseline.
    fn as_skill(&self, gain: Estimate) -> Estimate {
        if self.measure.better() == Better::Higher {
            return gain;
        }
        let skill = |g: f64| 1.0 - (-g).exp();
        Estimate { value: skill(gain.value), interval: gain.interval.map(|(a, b)| (skill(a), skill(b))) }
    }

    /// Ratings above the last entry as jackknife pseudo-values over clusters, entry by entry, centred at the
    /// rating: their mean and interval are those of the rating.
    fn ratings(&self, table: &[Vec<Option<f64>>], clusters: &Clusters) -> Vec<Vec<f64>> {
        let count = table.first().map_or(0, Vec::len);
        let mut of_clusters = vec![vec![vec![0.0; count]; count]; clusters.count];
        for (t, row) in table.iter().enumerate() {
            let together = clusters.of_task.iter().filter(|&&c| c == clusters.of_task[t]).count();
            let weight = 1.0 / together as f64;
            for i in 0..count {
                for j in (0..count).filter(|j| *j != i) {
                    of_clusters[clusters.of_task[t]][i][j] += weight * self.wins(row[i], row[j]);
                }
            }
        }
        let rated = |left_out: Option<usize>| -> Vec<f64> {
            let mut wins = vec![vec![0.0; count]; count];
            for (_, own) in of_clusters.iter().enumerate().filter(|(c, _)| Some(*c) != left_out) {
                wins.iter_mut().flatten().zip(own.iter().flatten()).for_each(|(sum, w)| *sum += w);
            }
            let strengths = bradley_terry(&wins, RIDGE).unwrap_or_else(|_| vec![0.0; count]);
            let anchor = strengths.last().copied().unwrap_or(0.0);
            strengths.iter().map(|s| 400.0 / std::f64::consts::LN_10 * (s - anchor)).collect()
        };
        let all = rated(None);
        let n = clusters.count as f64;
        let without: Vec<Vec<f64>> = match clusters.count {
            0 | 1 => vec![all.clone()],
            many => (0..many).map(|c| rated(Some(c))).collect(),
        };
        let of_entry = |e: usize| {
            let mean = without.iter().map(|w| w[e]).sum::<f64>() / without.len() as f64;
            without.iter().map(|w| all[e] + (n - 1.0) * (mean - w[e])).collect()
        };
        (0..count).map(of_entry).collect()
    }

    /// Marks the entries whose gains do not differ from the first one's, corrected by Holm.
    fn mark_ties(&self, rows: &mut [Standing], means: &[Vec<f64>], alpha: f64) {
        let skill = |s: &Standing| s.skill.map_or(f64::NEG_INFINITY, |s| s.value);
        let Some(first) = (0..means.len()).max_by(|&a, &b| skill(&rows[a]).total_cmp(&skill(&rows[b])))
        else {
            return;
        };
        let differs = |e: usize| {
            if means[e].len() < FEWEST_CLUSTERS || means[e].len() != means[first].len() {
                return None;
            }
            paired_t(&means[first], &means[e], Alternative::TwoSided).ok().map(|t| t.p_value)
        };
        let p: Vec<Option<f64>> =
            (0..means.len()).map(|e| if e == first { None } else { differs(e) }).collect();
        for (e, p) in holm(&p).into_iter().enumerate() {
            rows[e].tied = e != first && p.is_none_or(|p| p >= alpha);
        }
    }
}

/// The one-sided p of a mean above 0 over clusters.
fn above_zero(means: &[f64]) -> Option<f64> {
    if means.len() < FEWEST_CLUSTERS {
        return None;
    }
    paired_t(means, &vec![0.0; means.len()], Alternative::Greater).ok().map(|t| t.p_value)
}

/// The mean over clusters with Student's interval.
fn estimate(means: &[f64], level: f64) -> Option<Estimate> {
    let value = means.iter().sum::<f64>() / means.len() as f64;
    let found = cluster_interval(means, ClusterMethod::T, level).ok();
    (!means.is_empty()).then(|| Estimate { value, interval: found.map(|i| (i.lower, i.upper)) })
}

/// The verdict over tasks: the rule of one task, with clusters in the place of cases.
fn start(rows: &[Standing], offset: usize, clusters: usize, alpha: f64) -> Option<Start> {
    let row = rows.iter().position(|r| r.kind != EntryKind::Baseline && r.skill.is_some())?;
    let verdict = match rows[row].p_adjusted {
        Some(p) if p < alpha => Verdict::Use,
        Some(_) => Verdict::NoModel(Reason::NotBetterThanBaseline),
        None => Verdict::NoModel(Reason::NotTestable(Untestable::FewCases(clusters))),
    };
    let tied = (0..rows.len()).filter(|&r| rows[r].tied).map(|r| r + offset).collect();
    Some(Start { row: row + offset, verdict, tied })
}

/// One row per measure and entry.
pub(super) fn table(standings: &Standings) -> Table {
    use Format::{Count, Name, Number, P, Percent};
    let end = |e: Option<Estimate>, upper: bool| {
        e.and_then(|e| e.interval).map(|(low, high)| if upper { high } else { low })
    };
    let mut table = Table::of(&standings.rows)
        .measure(|s| s.measure)
        .column(Name, "kind", ("kind", "family, recipe, model or baseline"), |s| s.kind.code())
        .column(Name, "entry", ("entry", "what is compared"), |s| s.entry.as_str())
        .column(Percent, "skill", "skill", |s| s.skill.map(|e| e.value))
        .means(
            "gain over the best baseline: 1 less the geometric mean of score ratios, or the mean \
            share of the possible gain",
        )
        .column(Percent, "skill_lower", "from", |s| end(s.skill, false))
        .means("lower end of its interval over clusters of tasks")
        .column(Percent, "skill_upper", ("to", "upper end"), |s| end(s.skill, true))
        .column(Percent, "grid_skill", "grid's top", |s| s.grid_skill)
        .means("skill of the entry's top model on each test: an upper bound")
        .file_column(P, "p", ("p", "p of a skill above 0 over clusters, one-sided"), |s| s.p_baseline)
        .column(P, "p_adjusted", ("p adj", "the same, corrected by Holm over the entries"), |s| s.p_adjusted)
        .column(Name, "tied", "tied", |s| if s.tied { "yes" } else { "no" })
        .means("yes where it is tied with the first")
        .column(Number, "rating", "rating", |s| s.rating.map(|e| e.value))
        .means("Bradley and Terry's rating in Elo points above the best baseline")
        .column(Number, "rating_lower", "from", |s| end(s.rating, false))
        .means("lower end of its interval (jackknife over clusters)")
        .column(Number, "rating_upper", ("to", "upper end"), |s| end(s.rating, true))
        .column(Percent, "win_rate", "wins", |s| s.win_rate.value)
        .means("share of the other entries that it beats, ties half")
        .file_column(Percent, "win_rate_lower", ("from", "lower end"), |s| end(Some(s.win_rate), false))
        .file_column(Percent, "win_rate_upper", ("to", "upper end"), |s| end(Some(s.win_rate), true))
        .column(Number, "average_rank", ("rank", "average rank, 1 is first"), |s| s.average_rank.value)
        .file_column(Number, "average_rank_lower", "from", |s| end(Some(s.average_rank), false))
        .means("lower end")
        .file_column(Number, "average_rank_upper", ("to", "upper end"), |s| end(Some(s.average_rank), true))
        .column(Count, "tasks", ("tasks", "tasks counted"), |s| s.tasks)
        .column(Count, "missing", "missing", |s| s.missing)
        .means("tasks without a result, on which the best baseline's counts")
        .titled("standings", "Entries over all tasks: gain over the best baseline, wins, ranks and rating");
    if standings.rows.iter().any(|s| s.missing > 0) {
        table.notes.push("A missing result counts as the best baseline's.".to_owned());
    }
    table
}

#[cfg(test)]
mod tests;
