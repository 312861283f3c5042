//! What predictions are scored by: the options, over the settings of an experiment file if one is named.

use std::path::Path;

use tailrank_experiment::{
    EngineError,
    config::{self, Compare, Experiment, Inference, Measures, RelevanceSettings, Trading},
};

use super::{
    super::{Failure, Result, Session, note, place},
    ScoreArguments,
};

/// What predictions are scored by.
pub(super) struct Rules {
    experiment: Option<Experiment>,
    pub(super) relevance: RelevanceSettings,
    pub(super) measures: Measures,
    /// t_E as asked for, which holds for tasks with a relevance of their own as well.
    t_e: Option<f64>,
}

impl Rules {
    pub(super) fn new(session: &Session, arguments: &ScoreArguments) -> Result<Self> {
        let read = |path: &Path| read_settings(path, arguments);
        let experiment = arguments.settings.as_deref().map(read).transpose()?;
        let mut relevance = experiment.as_ref().map(|e| e.relevance.clone()).unwrap_or_default();
        let mut measures = experiment.as_ref().map(|e| e.measures.clone()).unwrap_or_default();
        if experiment.is_none() || !arguments.measures.is_empty() {
            measures.ids = usual_measures(session, arguments);
        }
        measures.t_l = arguments.t_l.map_or(measures.t_l, |t_l| Some(t_l.into()));
        measures.beta = arguments.beta.unwrap_or(measures.beta);
        measures.utility.p = arguments.p.unwrap_or(measures.utility.p);
        relevance.low = arguments.low.or(relevance.low);
        relevance.high = arguments.high.or(relevance.high);
        relevance.extremes = arguments.extremes.unwrap_or(relevance.extremes);
        Ok(Self { experiment, relevance, measures, t_e: arguments.t_e })
    }

    pub(super) fn relevance_of(&self, task: &str) -> RelevanceSettings {
        let own = self.experiment.as_ref().and_then(|e| e.tasks.get(task)?.relevance.as_ref());
        let mut relevance = own.unwrap_or(&self.relevance).clone();
        relevance.event_threshold = self.t_e.unwrap_or(relevance.event_threshold);
        relevance
    }

    pub(super) fn compare(&self) -> Compare {
        self.experiment.as_ref().map(|e| e.compare.clone()).unwrap_or_default()
    }

    pub(super) fn inference(&self) -> Inference {
        self.experiment.as_ref().map(|e| e.inference.clone()).unwrap_or_default()
    }

    pub(super) fn trading(&self) -> Option<&Trading> {
        self.experiment.as_ref().and_then(|e| e.trading.as_ref())
    }
}

/// The settings of an experiment, those of one horizon where each has its own.
fn read_settings(path: &Path, arguments: &ScoreArguments) -> Result<Experiment> {
    place::expect_experiment(path)?;
    let text = config::read_file(path)?;
    let mut experiment = Experiment::parse(&text)
        .map_err(|problems| EngineError::Experiment { path: path.to_owned(), problems })?;
    let measures = experiment.measures.at(arguments.horizon);
    let trading = experiment.trading.as_ref().and_then(|trading| trading.at(arguments.horizon));
    let t_l_is_open = arguments.t_l.is_none() && measures.t_l.is_none() && experiment.measures.t_l.is_some();
    if t_l_is_open || (trading.is_none() && experiment.trading.is_some()) {
        return Err(Failure::input(
            path,
            "has numbers for each horizon; say which with --horizon, such as --horizon 1",
        ));
    }
    (experiment.measures, experiment.trading) = (measures, trading);
    Ok(experiment)
}

/// The measures asked for, or all usual ones that the given options allow.
fn usual_measures(session: &Session, arguments: &ScoreArguments) -> Vec<String> {
    let usual: &[&str] = match (arguments.measures.is_empty(), arguments.t_l) {
        (false, _) => return arguments.measures.clone(),
        (true, Some(_)) => &["mad", "rmse", "precision", "recall", "f", "utility", "sera"],
        (true, None) => {
            note(
                session,
                "note: with --t-l, the largest error that still counts as good, precision, recall, F and utility are scored too",
            );
            &["mad", "rmse", "sera"]
        }
    };
    usual.iter().map(|id| (*id).to_owned()).collect()
}
