//! What predictions are scored by: the options, over the settings of an experiment file if one is named.

use std::collections::BTreeMap;

use tailrank_experiment::config::{
    self, Compare, Experiment, Inference, Measures, RelevanceSettings, TaskSettings, Trading,
};

use super::{super::prelude::*, ScoreArguments};

/// What predictions are scored by.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) relevance: RelevanceSettings,
    pub(super) measures: Measures,
    pub(super) compare: Compare,
    pub(super) inference: Inference,
    pub(super) trading: Option<Trading>,
    /// Settings of single tasks.
    tasks: BTreeMap<String, TaskSettings>,
    /// t_E as asked for, which holds for tasks with a relevance of their own as well.
    t_e: Option<f64>,
}

impl Rules {
    pub(super) fn new(session: &Session, arguments: &ScoreArguments) -> Result<Self> {
        let mut rules = match &arguments.settings {
            Some(path) => read_settings(path, arguments)?,
            None => Self::default(),
        };
        let Self { relevance, measures, .. } = &mut rules;
        if arguments.settings.is_none() || !arguments.measures.is_empty() {
            measures.ids = usual_measures(session, arguments);
        }
        measures.t_l = arguments.t_l.map_or(measures.t_l.take(), |t_l| Some(t_l.into()));
        measures.beta = arguments.beta.unwrap_or(measures.beta);
        measures.utility.p = arguments.p.unwrap_or(measures.utility.p);
        relevance.low = arguments.low.or(relevance.low);
        relevance.high = arguments.high.or(relevance.high);
        relevance.extremes = arguments.extremes.unwrap_or(relevance.extremes);
        rules.t_e = arguments.t_e;
        Ok(rules)
    }

    pub(super) fn relevance_of(&self, task: &str) -> RelevanceSettings {
        let own = self.tasks.get(task).and_then(|settings| settings.relevance.as_ref());
        let mut relevance = own.unwrap_or(&self.relevance).clone();
        relevance.event_threshold = self.t_e.unwrap_or(relevance.event_threshold);
        relevance
    }
}

/// The settings of an experiment, those of one horizon where each has its own.
fn read_settings(path: &Path, arguments: &ScoreArguments) -> Result<Rules> {
    path_kind::expect_experiment(path)?;
    let text = config::read_file(path)?;
    let experiment = Experiment::parse(&text)
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
    let Experiment { relevance, compare, inference, tasks, .. } = experiment;
    Ok(Rules { relevance, measures, compare, inference, trading, tasks, t_e: None })
}

/// The measures asked for, or all usual ones that the given options allow.
fn usual_measures(session: &Session, arguments: &ScoreArguments) -> Vec<String> {
    let usual: &[&str] = match (arguments.measures.is_empty(), arguments.t_l) {
        (false, _) => return arguments.measures.clone(),
        (true, Some(_)) => &["mad", "rmse", "precision", "recall", "f", "utility", "sera"],
        (true, None) => {
            let text = "note: with --t-l, the largest error that still counts as good, precision, recall, F and utility are scored too";
            session.print_note(text);
            &["mad", "rmse", "sera"]
        }
    };
    usual.iter().map(|id| (*id).to_owned()).collect()
}
