//! The one table of measures: what each is called, how it is computed, what it needs and when it has no
//! value.
//!
//! Lists on the command line, the checking of experiment files and the legends of reports are drawn from it.

mod table;

use std::sync::{PoisonError, RwLock};

use crate::{
    error::{MetricError, Result},
    score::{Better, Score, Undefined},
};

pub use table::{MEASURES, Measure};

/// A row of the registry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureInfo {
    /// The measure.
    pub measure: Measure,
    /// Its name in experiment files.
    pub id: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// Its name in words.
    pub name: &'static str,
    /// Its symbol in tables and on axes.
    pub symbol: &'static str,
    /// Which end is the good one.
    pub better: Better,
    /// Where it is defined.
    pub citation: &'static str,
    /// Its formula in one line.
    pub formula: &'static str,
    /// The settings it is computed from.
    pub needs: &'static [Need],
    /// What leaves it without a value. A missing setting and an overflow may do so for any measure.
    pub undefined: &'static [Undefined],
}

/// A setting that a measure needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Need {
    /// The relevance function φ.
    Relevance,
    /// The event threshold t_E.
    EventThreshold,
    /// The accuracy α with its loss threshold t_L.
    Accuracy,
    /// The weight β of recall in F.
    Beta,
    /// B, t and p of UT08's utility.
    Utility,
    /// The piecewise cubic φ and p of uba's utility.
    Uba,
    /// The mean that relative errors are held against.
    Reference,
    /// The costs c_o and c_u of over- and under-prediction.
    Loss,
    /// Shape a and scale b of LINEX.
    Linex,
    /// The level of the quantile score.
    Quantile,
    /// The trading rule: threshold θ, horizon, cost.
    Trading,
}

impl Need {
    /// The setting in words, for messages and lists.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Relevance => "a relevance function",
            Self::EventThreshold => "the event threshold t_E",
            Self::Accuracy => "an accuracy function with its loss threshold t_L",
            Self::Beta => "beta",
            Self::Utility => "the utility settings B, t and p",
            Self::Uba => "a piecewise cubic relevance function and p",
            Self::Reference => "the mean of the training targets",
            Self::Loss => "the costs of over- and under-prediction",
            Self::Linex => "the shape and scale of LINEX",
            Self::Quantile => "the level of the quantile",
            Self::Trading => "the trading threshold and horizon",
        }
    }
}

impl From<Measure> for &'static str {
    fn from(measure: Measure) -> Self {
        measure.id()
    }
}

impl TryFrom<String> for Measure {
    type Error = MetricError;

    fn try_from(id: String) -> Result<Self> {
        Self::from_id(&id)
    }
}

impl Measure {
    /// The name in experiment files.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// Which end is the good one.
    pub fn better(self) -> Better {
        self.info().better
    }

    /// Whether noise, or larger predictions, can raise a score that honest ones do not reach (Taggart 2022): so it is with all measures
    /// that look at relevance, but the consistent ones.
    ///
    /// ```
    /// use tailrank_metrics::Measure;
    ///
    /// assert!([Measure::F, Measure::Sera, Measure::Utility].into_iter().all(Measure::noise_can_raise));
    /// assert!(![Measure::Rwse, Measure::Rwae, Measure::Mad, Measure::Rmse].into_iter().any(Measure::noise_can_raise));
    /// ```
    pub fn noise_can_raise(self) -> bool {
        let consistent = [Self::Rwse, Self::Rwae, Self::Rwqs, Self::EventMad];
        let needs = self.info().needs;
        (needs.contains(&Need::Relevance) || needs.contains(&Need::Uba)) && !consistent.contains(&self)
    }

    /// The least and the largest value it can take; infinite where there is no bound.
    ///
    /// ```
    /// use tailrank_metrics::Measure;
    ///
    /// assert_eq!(Measure::F.bounds(), (0.0, 1.0));
    /// assert_eq!(Measure::Mad.bounds(), (0.0, f64::INFINITY));
    /// ```
    pub fn bounds(self) -> (f64, f64) {
        use Measure::*;
        match self {
            Precision | Recall | F | PrArea | UbaNmu | SeraShare => (0.0, 1.0),
            BeyondRate | WrongSideRate | MissedRate => (0.0, 1.0),
            Correlation | Sedi | Utility | UbaMu => (-1.0, 1.0),
            ReturnPerTrade | TotalReturn | Growth | Own(_) => (f64::NEG_INFINITY, f64::INFINITY),
            // Errors, losses, and rates of utility.
            _ => (0.0, f64::INFINITY),
        }
    }

    /// Finds a measure by id or alias, upper or lower case; an unknown name gets the most similar one in its
    /// error.
    ///
    /// ```
    /// use tailrank_metrics::registry::Measure;
    ///
    /// assert_eq!(Measure::from_id("MAE")?, Measure::Mad);
    /// let err = Measure::from_id("precison").unwrap_err();
    /// assert_eq!(err.to_string(), "no measure is called `precison`: did you mean `precision`?");
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn from_id(id: &str) -> Result<Self> {
        let wanted = id.trim().to_lowercase();
        let names =
            || MEASURES.iter().flat_map(|m| m.aliases.iter().chain([&m.id]).map(move |&n| (n, m.measure)));
        if let Some((_, measure)) = names().find(|&(name, _)| name == wanted) {
            return Ok(measure);
        }
        if let Some(own) = OwnMeasure::find(&wanted) {
            return Ok(own);
        }
        // A third of the letters may be wrong; beyond that a suggestion would be a guess.
        let close = |name: &str| {
            let distance = strsim::damerau_levenshtein(name, &wanted);
            (3 * distance <= name.len().max(wanted.len()).max(6)).then_some(distance)
        };
        let nearest =
            names().filter_map(|(n, _)| Some((close(n)?, n))).min_by_key(|&(d, _)| d).map(|(_, n)| n);
        Err(MetricError::UnknownMeasure { id: id.to_owned(), nearest })
    }
}

impl std::fmt::Display for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.id())
    }
}

type ScoreFunction = dyn Fn(&[f64], &[f64]) -> Score + Send + Sync;

/// Every measure registered so far. They live as long as the program, as the built-in ones do.
static REGISTERED: RwLock<Vec<&'static Row>> = RwLock::new(Vec::new());

struct Row {
    info: MeasureInfo,
    score: Box<ScoreFunction>,
}

/// A measure registered from outside, known by its id wherever a measure is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnMeasure {
    /// Its place among the registered ones.
    place: usize,
}

impl OwnMeasure {
    /// Registers a measure of true and predicted numbers; those of several folds come one after the other.
    ///
    /// ```
    /// use tailrank_metrics::{Better, Measure, Score, Scorer, Settings, registry::OwnMeasure};
    ///
    /// let largest = |truth: &[f64], predicted: &[f64]| {
    ///     Score::Value(truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).fold(0.0, f64::max))
    /// };
    /// let worst = OwnMeasure::register("worst", "largest absolute error", Better::Lower, largest)?;
    /// assert_eq!(Measure::from_id("worst")?, worst);
    /// let scores = Scorer::new(&[1.0, 2.0], Settings::default())?.score(&[1.5, 4.0], &[worst])?;
    /// assert_eq!(scores[0].value(), Some(2.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    ///
    /// # Errors
    /// A name that is taken or is not in lower case.
    pub fn register(
        id: &'static str,
        name: &'static str,
        better: Better,
        score: impl Fn(&[f64], &[f64]) -> Score + Send + Sync + 'static,
    ) -> Result<Measure> {
        if id.is_empty() || id != id.trim().to_lowercase() || Measure::from_id(id).is_ok() {
            return Err(MetricError::MeasureName { id: id.to_owned() });
        }
        let mut all = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        let measure = Measure::Own(Self { place: all.len() });
        let info = MeasureInfo {
            measure,
            id,
            aliases: &[],
            name,
            symbol: id,
            better,
            citation: "registered by this program",
            formula: name,
            needs: &[],
            undefined: &[],
        };
        all.push(Box::leak(Box::new(Row { info, score: Box::new(score) })));
        Ok(measure)
    }

    /// The measure of this id, if one is registered.
    pub(super) fn find(id: &str) -> Option<Measure> {
        let all = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|row| row.info.id == id).map(|row| row.info.measure)
    }

    fn row(self) -> &'static Row {
        REGISTERED.read().unwrap_or_else(PoisonError::into_inner)[self.place]
    }

    pub(super) fn info(self) -> &'static MeasureInfo {
        &self.row().info
    }

    /// The score of predictions.
    pub(crate) fn score(self, truth: &[f64], predicted: &[f64]) -> Score {
        match (self.row().score)(truth, predicted) {
            Score::Value(value) => Score::finite(value),
            undefined => undefined,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        let mut names: Vec<&str> =
            MEASURES.iter().flat_map(|m| m.aliases.iter().copied().chain([m.id])).collect();
        for row in MEASURES {
            assert_eq!(Measure::from_id(row.id), Ok(row.measure));
            assert!(!row.formula.contains('\n') && !row.name.is_empty() && !row.citation.is_empty());
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let message = |id: &str| Measure::from_id(id).unwrap_err().to_string();
        assert_eq!(message("rsme"), "no measure is called `rsme`: did you mean `rmse`?");
        assert_eq!(message("corelation"), "no measure is called `corelation`: did you mean `correlation`?");
        assert_eq!(
            message("zzzzzzzzz"),
            "no measure is called `zzzzzzzzz`: look it up in the list of measures"
        );
    }

    #[test]
    fn two_letters_of_a_short_name_may_be_wrong() {
        let nearest = |id: &str| match Measure::from_id(id) {
            Err(MetricError::UnknownMeasure { nearest, .. }) => nearest,
            other => panic!("{id}: {other:?}"),
        };
        assert_eq!(nearest("sxrx"), Some("sera"));
        assert_eq!(nearest("sxxx"), None);
    }
}
