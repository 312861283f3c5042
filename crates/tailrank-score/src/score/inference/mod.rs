//! How sure the scores of a task are: one bootstrap for everything, and what chance alone would give.
//!
//! All variants share the resamples of a task, so that differences between them are as sure as they really
//! are. What is drawn are units: steps of time and whole dates in blocks (stationary bootstrap), whole
//! groups, single cases of other tables within their folds. Where a division was repeated, a case is in
//! another fold each time: rows are drawn, each with its cases of all repeats.

mod bootstrap;
mod chance;
mod design;
mod paired_tests;
mod pairwise;
mod repeats;
mod sample;
mod tables;

/// Why a question cannot be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Untestable {
    /// `[inference] enabled = false`.
    InferenceOff,
    /// No model has a score by the measure.
    NoScore,
    /// The measure is not made of sums over the cases, so that it cannot be resampled.
    NotResampled,
    /// The test has so many cases; ten are the least.
    FewCases(usize),
    /// The test has so many events; ten are the least for a test on events.
    FewEvents(usize),
    /// The cases allow only so many distinct shifts or permutations.
    FewRearrangements(usize),
    /// The period has so few blocks of cases that resemble each other; twenty are the least.
    FewBlocks(usize),
    /// The score is undefined on most resamples or rearrangements.
    MostlyUndefined,
    /// The score is the same on all resamples.
    Constant,
    /// There is only one model and no baseline to compare it with.
    NothingToCompare,
    /// A setting of `[inference]`, such as the block length, does not fit the data.
    Setting(#[serde(deserialize_with = "read_word")] Word),
    /// So many resampled scores would not fit in memory.
    TooLarge(usize),
}

impl Untestable {
    /// The reason for files and scripts.
    pub fn code(self) -> &'static str {
        match self {
            Self::InferenceOff => "inference_off",
            Self::NoScore => "no_score",
            Self::NotResampled => "not_resampled",
            Self::FewCases(_) => "few_cases",
            Self::FewEvents(_) => "few_events",
            Self::FewRearrangements(_) => "few_rearrangements",
            Self::FewBlocks(_) => "few_blocks",
            Self::MostlyUndefined => "mostly_undefined",
            Self::Constant => "constant",
            Self::NothingToCompare => "nothing_to_compare",
            Self::Setting(_) => "setting",
            Self::TooLarge(_) => "too_large",
        }
    }
}

impl From<&StatsError> for Untestable {
    fn from(error: &StatsError) -> Self {
        match *error {
            StatsError::TooFew { rows, .. } => Self::FewCases(rows),
            StatsError::Input(MetricError::Parameter { name, .. }) => Self::Setting(name),
            StatsError::Constant { .. } => Self::Constant,
            _ => Self::MostlyUndefined,
        }
    }
}

#[cfg(test)]
mod tests;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use tailrank_metrics::{Measure, MetricError, Score};
use tailrank_models::Cancel;
use tailrank_stats::{Interval, RankInterval, StatsError, Word, read_word};

pub use design::RowDesign;
pub(super) use paired_tests::has_own_tests;
pub use paired_tests::{Pair, PairedTest};
pub(super) use pairwise::table as pairwise_table;
pub use pairwise::{PairMatrix, Pairwise, Samples, Tested, pair_matrix};
use repeats::{Repeats, mean_of_defined};
pub(super) use tables::{chance_table, confidence_sets, families, intervals};

use super::{Names, Predictions, TaskId, TaskScores, TaskTruth, VariantId, check_cancelled, holm, regret};
pub(super) use crate::rules::FEWEST_EVENTS;
use crate::{EngineError, Result, config::Inference, text::count};

/// Values that may be held at once: resampled scores of all variants and measures (256 MB).
const MOST_VALUES: usize = 1 << 25;

/// With fewer cases nothing is tested.
const FEWEST_CASES: usize = 10;

/// With fewer hits than this an interval of a score that counts hits carries a warning.
pub(super) const FEW_HITS: usize = 20;

/// With fewer hits a score that rewards them is not told from a baseline's.
pub(super) const FEWEST_HITS: usize = 5;

/// With fewer cases than this an interval of a series carries a warning.
pub(super) const FEW_CASES: usize = 1500;

/// With fewer units than this, such as groups, an interval of a table carries a warning.
pub(super) const FEW_UNITS: usize = 100;

/// With fewer events than this an interval of a score that weighs by relevance carries a warning.
pub(super) const FEW_EVENTS: usize = 50;

/// A period with fewer blocks than this is too short against its own waves for a test of means.
pub(super) const FEWEST_BLOCKS: usize = 20;

/// How sure the scores of one task are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskInference {
    /// Which task.
    pub task: TaskId,
    /// The variants looked at, candidates and references; copies once.
    pub variants: Vec<VariantId>,
    /// Slope of y on the signals of each variant; none with too few of them.
    pub slopes: Vec<Option<f64>>,
    /// One entry per measure that a bootstrap can follow.
    pub measures: Vec<MeasureInference>,
    /// The winner by each measure against every other variant.
    pub pairwise: Vec<Pairwise>,
    /// Mean length of the bootstrap's blocks.
    pub block: f64,
    /// Blocks in the period, where units depend on time.
    pub blocks: Option<usize>,
    /// How chance was imitated: `shift` or `permutation`.
    #[serde(deserialize_with = "read_word")]
    pub chance_by: Word,
    /// Why nothing was computed, if so.
    pub reason: Option<Untestable>,
}

/// How sure the scores by one measure are. Vectors are parallel to the task's variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureInference {
    /// The measure.
    pub measure: Measure,
    /// Each score as inference counts it: silence earns nothing; NaN where it is undefined.
    pub scores: Vec<f64>,
    /// Interval of each score, inside the measure's bounds; none where it would rest on no hit.
    pub intervals: Vec<Option<Interval>>,
    /// What these intervals are for.
    pub scope: IntervalScope,
    /// Share of the resamples on which a variant is the best, baselines among them; 0 where there is but one.
    pub best_shares: Vec<f64>,
    /// Between which ranks a candidate stands; none for references.
    pub ranks: Vec<Option<RankInterval>>,
    /// P(best) of each family, the surest first; empty for a single variant.
    pub families: Vec<(String, f64)>,
    /// Which variants, baselines among them, are tied with the best, as p-values of the confidence set.
    pub set_p: Vec<Option<f64>>,
    /// Why there is no confidence set, if so.
    pub set_reason: Option<Untestable>,
    /// The best candidate against chance.
    pub chance: Option<ChanceTest>,
    /// Why there is no test against chance, if so.
    pub chance_reason: Option<Untestable>,
    /// The best candidate against itself with flipped sides; none where events do not lie on both sides of
    /// zero.
    pub direction: Option<Direction>,
    /// What makes each interval less sure than its level says; none where nothing does.
    pub cautions: Vec<Option<Caution>>,
    /// Each candidate's own step-down adjusted p (Romano & Wolf) that it is no better than a baseline, the
    /// largest over the baselines; none for references and where no baseline has a score.
    pub p_baselines: Vec<Option<f64>>,
}

/// What an interval of a score is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IntervalScope {
    /// The models as they were fitted, on other cases.
    FittedModels,
    /// The method, which learns from other rows another time.
    Method,
}

/// The best candidate against what chance gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChanceTest {
    /// The candidate.
    pub variant: VariantId,
    /// Its score.
    pub score: f64,
    /// The middle of the best scores by chance.
    pub chance: f64,
    /// p of the best score, the choice among all candidates counted.
    pub p: f64,
    /// The same, corrected by Holm over the tasks.
    pub p_holm: f64,
    /// Draws behind it.
    pub draws: usize,
}

/// Is the side of the signals right, or only the size of the moves? The signs of all predictions are flipped
/// by blocks of days.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Direction {
    /// The middle of the best scores with flipped sides.
    pub by_chance: f64,
    /// p of the best score, the choice among all candidates counted.
    pub p: f64,
    /// The same, corrected by Holm over the tasks.
    pub p_holm: f64,
}

/// What makes an interval less sure than its level says (`results/calibration/`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Caution {
    /// So few hits: the score steps from hit to hit.
    FewHits(usize),
    /// So few cases of a series, in which slow waves of volatility do not fit, or of a table.
    FewCases(usize),
    /// So few dates of a panel.
    FewDates(usize),
    /// So few groups of a table.
    FewGroups(usize),
    /// So few events: a few large errors carry the score.
    FewEvents(usize),
    /// So few blocks in time: cases resemble each other over too large a part of the period.
    FewBlocks(usize),
}

impl std::fmt::Display for Caution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::FewHits(n) => f.write_str(&count(n, "hit")),
            Self::FewCases(n) => f.write_str(&count(n, "case")),
            Self::FewDates(n) => f.write_str(&count(n, "date")),
            Self::FewGroups(n) => f.write_str(&count(n, "group")),
            Self::FewEvents(n) => f.write_str(&count(n, "event")),
            Self::FewBlocks(n) => f.write_str(&count(n, "block")),
        }
    }
}

impl TaskInference {
    /// What is known by one measure.
    pub fn measure(&self, measure: Measure) -> Option<&MeasureInference> {
        self.measures.iter().find(|m| m.measure == measure)
    }

    /// The place of a variant, or of the one it is a copy of.
    pub fn place(&self, variant: VariantId, scores: &TaskScores) -> Option<usize> {
        let first = scores.same_as[variant];
        self.variants.iter().position(|&v| v == first)
    }
}

impl MeasureInference {
    /// Nothing is known, for a reason.
    fn unknown(measure: Measure, variants: usize, reason: Untestable) -> Self {
        Self {
            measure,
            scores: vec![f64::NAN; variants],
            intervals: vec![None; variants],
            scope: IntervalScope::FittedModels,
            best_shares: vec![0.0; variants],
            ranks: vec![None; variants],
            families: Vec::new(),
            set_p: vec![None; variants],
            set_reason: Some(reason),
            chance: None,
            chance_reason: Some(reason),
            direction: None,
            cautions: vec![None; variants],
            p_baselines: vec![None; variants],
        }
    }

    /// Places of the variants in the confidence set at its level, baselines among them.
    pub fn in_set(&self, set_level: f64) -> Vec<usize> {
        let in_set = |p: &Option<f64>| p.is_some_and(|p| p >= 1.0 - set_level - 1e-12);
        (0..self.set_p.len()).filter(|&i| in_set(&self.set_p[i])).collect()
    }
}

/// What inference on a task stands on.
pub struct Question<'a> {
    /// Which task.
    pub task: TaskId,
    /// What tasks and variants are called.
    pub names: &'a Names,
    /// Truth and settings of every part.
    pub parts: &'a [TaskTruth],
    /// Days ahead, for series.
    pub horizon: Option<usize>,
    /// Past values among the inputs, for series: no prediction meets a truth it could have known by so many
    /// steps.
    pub lags: usize,
    /// The scores.
    pub scores: &'a TaskScores,
    /// Measures whose winners are tested against chance, beside those that look at signals only.
    pub judged: &'a [Measure],
    /// How the rows of the data depend on each other.
    pub design: &'a RowDesign,
    /// Tasks that are tested: a p is compared with `alpha` over so many.
    pub tests: usize,
    /// Level of the tests.
    pub alpha: f64,
    /// The settings.
    pub settings: &'a Inference,
    /// Names the randomness.
    pub seed: u64,
}

/// Computes everything for one task; `load` gives the predictions of some variants, in order.
pub fn infer(
    question: &Question<'_>,
    load: &dyn Fn(&[VariantId]) -> Result<Vec<Predictions>>,
    cancel: &Cancel,
) -> Result<TaskInference> {
    let variants = question.scores.distinct_with_references();
    let mut found = TaskInference {
        task: question.task,
        slopes: vec![None; variants.len()],
        variants,
        measures: Vec::new(),
        pairwise: Vec::new(),
        block: 1.0,
        blocks: None,
        chance_by: "permutation",
        reason: None,
    };
    let cases = question.scores.cases;
    let measures = question.scores.measures.len();
    let draws = question.settings.resamples.max(question.settings.shifts);
    found.reason = if found.variants.is_empty() {
        Some(Untestable::NoScore)
    } else if cases < FEWEST_CASES {
        Some(Untestable::FewCases(cases))
    } else {
        let values = found.variants.len() * measures * draws;
        (values > MOST_VALUES).then_some(Untestable::TooLarge(values))
    };
    if found.reason.is_some() {
        return Ok(found);
    }
    let loaded = load(&found.variants)?;
    let repeats = Repeats::new(question, &loaded).map_err(|source| in_task(question, source))?;
    if repeats.in_time() {
        found.chance_by = "shift";
    }
    for (v, slope) in found.slopes.iter_mut().enumerate() {
        let of_repeats: Vec<Option<f64>> = repeats
            .all
            .iter()
            .map(|r| {
                Ok(r.scorer.calibration_slope(&r.predicted[v]).map_err(|e| in_task(question, e))?.value())
            })
            .collect::<Result<_>>()?;
        *slope = Some(mean_of_defined(of_repeats.into_iter().flatten())).filter(|s| !s.is_nan());
    }
    bootstrap::intervals(question, &repeats, &mut found)?;
    check_cancelled(cancel)?;
    chance::test(question, &repeats, &mut found, cancel)?;
    found.pairwise = pairwise::pairwise(question, &repeats, &found)?;
    Ok(found)
}

/// Corrects the tests against chance, and those of the side, by Holm over the tasks, measure by measure.
pub(super) fn holm_over_tasks(tasks: &mut [TaskInference]) {
    let tested = tasks.iter().flat_map(|t| &t.measures).filter(|m| m.chance.is_some());
    let measures: IndexSet<Measure> = tested.map(|m| m.measure).collect();
    for measure in measures {
        let of_measure = tasks.iter_mut().flat_map(|t| &mut t.measures).filter(|m| m.measure == measure);
        let (mut chance, mut direction) = (Vec::new(), Vec::new());
        for m in of_measure {
            chance.extend(m.chance.as_mut().map(|c| (c.p, &mut c.p_holm)));
            direction.extend(m.direction.as_mut().map(|d| (d.p, &mut d.p_holm)));
        }
        for mut tests in [chance, direction] {
            let adjusted = holm(&tests.iter().map(|t| Some(t.0)).collect::<Vec<_>>());
            tests.iter_mut().zip(adjusted).for_each(|(test, p)| *test.1 = p.unwrap_or(*test.1));
        }
    }
}

fn in_task(question: &Question<'_>, source: MetricError) -> EngineError {
    EngineError::score(question.names.task(question.task), source)
}

/// A score as inference counts it: silence earns nothing, what else is undefined is left out.
fn counted(score: Score) -> f64 {
    regret::counted(score).unwrap_or(f64::NAN)
}

/// What a confidence set says of each place; `places` are those of the candidates.
fn spread<T: Clone>(all: usize, places: &[usize], values: Vec<T>) -> Vec<Option<T>> {
    let mut out = vec![None; all];
    for (&place, value) in places.iter().zip(values) {
        out[place] = Some(value);
    }
    out
}

/// Places of the candidates among the task's variants.
fn candidates(scores: &TaskScores, variants: &[VariantId]) -> Vec<usize> {
    (0..variants.len()).filter(|&i| !scores.references[variants[i]]).collect()
}
