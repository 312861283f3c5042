//! Why a test could not be made.

use tailrank_stats::StatsError;

/// Why a question cannot be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    Setting(&'static str),
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
            StatsError::Parameter { name, .. } => Self::Setting(name),
            StatsError::Constant { .. } => Self::Constant,
            _ => Self::MostlyUndefined,
        }
    }
}
