//! The chosen model put to use: fitted to everything that is known, it predicts rows that are new.
//!
//! Its steps, scaling and relevance are those of its recipe. How far it errs is told by its out-of-sample
//! errors in the run, which is split conformal prediction (Vovk, Gammerman & Shafer 2005; Lei et al. 2018):
//! of n errors the ⌈(n + 1) · level⌉-th smallest in size covers a new one with at least that probability
//! where old and new cases are exchangeable. Signals err otherwise than quiet predictions do, so each kind is
//! measured by its own errors wherever there are enough of them.

use serde::Serialize;
use tailrank_data::Library;
use tailrank_metrics::{Relevance, relevance::Flank};
use tailrank_models::Cancel;

use std::path::Path;

use crate::{
    EngineError, Result,
    plan::Plan,
    run::{RunOptions, fit_alone},
    score::{StoredPredictions, TaskId, VariantId, VariantStatus},
    store::Store,
    table::{Format, Table},
};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// On which task of the run.
    pub task: TaskId,
    /// By which variant.
    pub variant: VariantId,
    /// A file with what is new; for a series none is needed: the time after its last session is predicted.
    pub file: Option<&'a Path>,
    /// Share of new cases that the intervals are to hold.
    pub level: f64,
}

/// What a model says of new rows.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    /// The task.
    pub task: String,
    /// The model.
    #[serde(rename = "model")]
    pub variant: String,
    /// What is predicted.
    pub target: String,
    /// Rows it was fitted to.
    pub train_rows: usize,
    /// Names everything that the predictions depend on.
    pub key: String,
    /// Share of new cases that the intervals are to hold.
    pub level: f64,
    /// Whether the fit ended by itself.
    pub converged: bool,
    /// The rows.
    pub rows: Vec<ForecastRow>,
    /// What the user should know.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// One new row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForecastRow {
    /// The origin's date, or the row's number in its file.
    pub row: String,
    /// What the model says.
    pub predicted: f64,
    /// Where the interval begins; none where there are too few errors to tell.
    pub from: Option<f64>,
    /// Where it ends.
    pub to: Option<f64>,
    /// Relevance of the prediction.
    pub relevance: f64,
    /// The side on which it signals an event, `low` or `high`, if it does.
    pub signal: Option<&'static str>,
    /// The true value, where it is known already.
    pub truth: Option<f64>,
}

/// Fits the asked variant to everything that is known and predicts what is new.
///
/// ```
#[doc = include_str!("doc_example_setup.txt")]
/// use tailrank_score::{predict::{Question, predict}, score::{TaskId, VariantId}};
///
/// // `plan`, `store` and `library` as on the crate's first page; what was run says how far the model errs.
/// # run::run(&plan, &store, &RunOptions::default(), &Cancel::default(), &mut ())?;
/// let question = Question { task: TaskId(0), variant: VariantId(0), file: None, level: 0.9 };
/// let forecast = predict(&plan, &store, &library, question, &RunOptions::default(), &Cancel::default())?;
/// assert_eq!((forecast.task.as_str(), forecast.variant.as_str()), ("KO 1d", "linear"));
/// // The day after the last session: nobody knows its return yet.
/// let row = forecast.rows.last().ok_or("no row")?;
/// assert!(row.truth.is_none() && row.from < Some(row.predicted) && Some(row.predicted) < row.to);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file does not fit the run's data, or the model cannot be fitted.
pub fn predict(
    plan: &Plan,
    store: &Store<'_>,
    library: &Library,
    question: Question<'_>,
    options: &RunOptions,
    cancel: &Cancel,
) -> Result<Forecast> {
    let Question { task, variant, file, level } = question;
    if !(0.5..1.0).contains(&level) {
        let problem = format!("{level} is not a share of cases; give one from 0.5 to below 1, such as 0.9");
        return Err(EngineError::Option { option: "level", problem });
    }
    let mut new = plan.new_rows(task.0, variant.0, file, library)?;
    let of = &new.plan.tasks[0];
    let train = of.train_targets(0);
    let phi = of.relevance.build(&train).map_err(|e| EngineError::score(&of.name, e))?;
    let t_e = of.relevance.event_threshold;
    let errors = Errors::of(plan, store, task, variant, &phi, t_e)?;
    let fit = fit_alone(&new.plan, options, cancel)?;
    let rows = fit
        .predictions
        .iter()
        .zip(new.names.iter().zip(&new.truth))
        .map(|(&predicted, (name, truth))| {
            let relevance = phi.phi(predicted);
            let signal = (relevance >= t_e).then(|| match phi.flank(predicted) {
                Flank::Low => "low",
                Flank::High => "high",
            });
            let reach = errors.reach(signal.is_some(), level);
            ForecastRow {
                row: name.clone(),
                predicted,
                from: reach.map(|r| predicted - r),
                to: reach.map(|r| predicted + r),
                relevance,
                signal,
                truth: *truth,
            }
        })
        .collect::<Vec<_>>();
    if rows.iter().any(|row| row.from.is_none()) {
        new.warnings.push(format!("no interval: {}", errors.too_few(level)));
    }
    Ok(Forecast {
        task: of.name.clone(),
        variant: new.plan.variants[0].label.clone(),
        target: of.data.target_name(),
        train_rows: train.len(),
        key: new.plan.cells.first().map(|cell| cell.key.as_str().to_owned()).unwrap_or_default(),
        level,
        converged: fit.converged,
        rows,
        warnings: new.warnings,
    })
}

/// Sizes of a model's errors on the test rows of a run, ascending.
struct Errors {
    /// How the fits ended that the errors are of.
    status: VariantStatus,
    signals: Vec<f64>,
    others: Vec<f64>,
    all: Vec<f64>,
}

impl Errors {
    fn of(
        plan: &Plan,
        store: &Store<'_>,
        task: TaskId,
        variant: VariantId,
        phi: &Relevance,
        t_e: f64,
    ) -> Result<Self> {
        let predictions = StoredPredictions::list(plan, store)?.of_variant(task, variant)?;
        let of = &plan.tasks[task.0];
        let truths = of
            .parts()
            .into_iter()
            .map(|splits| splits.into_iter().flat_map(|s| of.test_targets(s)).collect::<Vec<f64>>());
        let (mut signals, mut others) = (Vec::new(), Vec::new());
        for (truth, predicted) in truths.zip(&predictions.parts) {
            for (y, p) in truth.iter().zip(predicted) {
                if phi.phi(*p) >= t_e { &mut signals } else { &mut others }.push((y - p).abs());
            }
        }
        let mut all: Vec<f64> = signals.iter().chain(&others).copied().collect();
        for errors in [&mut signals, &mut others, &mut all] {
            errors.sort_by(f64::total_cmp);
        }
        Ok(Self { status: predictions.status, signals, others, all })
    }

    /// Why there is no interval.
    fn too_few(&self, level: f64) -> String {
        match &self.status {
            VariantStatus::Missing => {
                "the model's predictions of the run's test rows are not stored: the data or the program \
                 changed since, or it was not fitted yet; `tailrank run` fits what is missing"
                    .to_owned()
            }
            VariantStatus::Failed { reason } => format!("the model failed in the run ({reason})"),
            VariantStatus::Fine | VariantStatus::NotConverged => format!(
                "{} of the model are too few for one that holds {} of the cases",
                crate::text::count(self.all.len(), "out-of-sample error"),
                share(level)
            ),
        }
    }

    /// How far a prediction may be off, by the errors of its kind, or of all kinds where those are too few.
    fn reach(&self, is_signal: bool, level: f64) -> Option<f64> {
        let own = if is_signal { &self.signals } else { &self.others };
        quantile(own, level).or_else(|| quantile(&self.all, level))
    }
}

/// The ⌈(n + 1) · level⌉-th smallest; none where there are not so many.
fn quantile(ascending: &[f64], level: f64) -> Option<f64> {
    let place = ((ascending.len() + 1) as f64 * level).ceil() as usize;
    ascending.get(place.checked_sub(1)?).copied()
}

/// A share in percent, with all its digits: rounded, 0.9999 would be everything.
fn share(level: f64) -> String {
    format!("{}%", (level * 1e12).round() / 1e10)
}

impl Forecast {
    /// Whether a row has an interval.
    pub fn has_intervals(&self) -> bool {
        self.rows.iter().any(|row| row.from.is_some())
    }

    /// The share of new cases that the intervals are to hold, such as `90%`.
    pub fn share(&self) -> String {
        share(self.level)
    }

    /// Its rows as every printer prints them.
    pub fn table(&self) -> Table {
        use Format::{Name, Number};
        let mut title = format!("{} on {}: {}", self.variant, self.task, self.target);
        if self.has_intervals() {
            title.push_str(&format!(", with the interval that holds {}", self.share()));
        }
        let mut table = Table::of(&self.rows)
            .column(Name, "row", ("row", "date of the origin, or number of the row"), |r| r.row.as_str())
            .column(Number, "predicted", ("predicted", "what the model says"), |r| r.predicted)
            .column(Number, "from", ("from", "where the interval begins"), |r| r.from)
            .column(Number, "to", ("to", "where the interval ends"), |r| r.to)
            .column(Number, "relevance", ("φ", "relevance of the prediction"), |r| r.relevance)
            .column(Name, "signal", "signal", |r| r.signal.unwrap_or(""))
            .means("the side on which an event is signalled");
        if self.rows.iter().any(|r| r.truth.is_some()) {
            table = table.column(Number, "truth", "came", |r| r.truth).means("the true value, where known");
        }
        table.titled("forecast", title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reach_is_the_conformal_quantile() {
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        // ⌈11 · 0.9⌉ = 10, ⌈11 · 0.8⌉ = 9, ⌈11 · 0.5⌉ = 6.
        assert_eq!([0.9, 0.8, 0.5].map(|level| quantile(&ten, level)), [Some(10.0), Some(9.0), Some(6.0)]);
        assert_eq!(quantile(&ten, 0.95), None, "ten errors cannot tell of 95 %");
        assert_eq!(quantile(&ten[..8], 0.9), None);
        assert_eq!(quantile(&ten[..9], 0.9), Some(9.0));
        assert_eq!(quantile(&[], 0.9), None);
    }

    #[test]
    fn few_signals_are_measured_by_all_errors() {
        let signals = vec![5.0; 8];
        let others = vec![1.0; 92];
        let all: Vec<f64> = others.iter().chain(&signals).copied().collect();
        let errors = Errors { status: VariantStatus::Fine, signals, others, all };
        assert_eq!((errors.reach(true, 0.9), errors.reach(false, 0.9)), (Some(1.0), Some(1.0)));
        assert_eq!(errors.reach(true, 0.5), Some(5.0), "eight can tell of a half");
    }

    #[test]
    fn a_share_keeps_its_digits() {
        assert_eq!([0.9, 0.9999, 0.975, 0.999_999_9].map(share), ["90%", "99.99%", "97.5%", "99.99999%"]);
    }
}
