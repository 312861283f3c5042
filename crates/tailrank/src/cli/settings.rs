//! Settings of scoring that a report may change, as options.

use tailrank_experiment::config::Change;

use super::prelude::*;

/// Scoring under other settings.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Changed settings")]
pub(crate) struct SettingArguments {
    /// t_E: a value with relevance of at least this is an event.
    #[arg(long)]
    t_e: Option<f64>,
    /// t_L: the largest error that still counts as good, in units of the target.
    #[arg(long)]
    t_l: Option<f64>,
    /// β of F: below 1 favours precision.
    #[arg(long)]
    beta: Option<f64>,
    /// Sigmoid relevance: centre of the low side.
    #[arg(long, allow_negative_numbers = true)]
    low: Option<f64>,
    /// Sigmoid relevance: centre of the high side.
    #[arg(long, allow_negative_numbers = true)]
    high: Option<f64>,
    /// p of the utility: above 0.5 missed events weigh more than false alarms.
    #[arg(long)]
    p: Option<f64>,
    /// Measures, by id (`tailrank list metrics`).
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    measures: Vec<String>,
    /// Pairs of measures whose rankings are compared; the first makes the headline.
    #[arg(long, value_delimiter = ',', value_name = "ID:ID,...", value_parser = pair)]
    pairs: Vec<[String; 2]>,
    /// Any other setting of scoring, as in an experiment file: relevance.k=0.4, compare.top=5, compare.exclude_undefined=true.
    #[arg(long = "set", value_name = "KEY=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
}

impl SettingArguments {
    /// The options as changes of the experiment. Options of relevance hold for every task, also for those with their own.
    pub(crate) fn changes(&self, plan: &Plan) -> Result<Vec<Change>> {
        let parse = |text| Change::parse(text).map_err(|e| Failure::Usage(format!("--set: {e}")));
        let mut changes = self.set.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
        let tasks = plan.experiment.tasks.iter().filter(|(_, t)| t.relevance.is_some());
        let own: Vec<&str> = tasks.map(|(name, _)| name.as_str()).collect();
        let numbers = [
            ("relevance.event_threshold", self.t_e),
            ("relevance.low", self.low),
            ("relevance.high", self.high),
            ("measures.t_l", self.t_l),
            ("measures.beta", self.beta),
            ("measures.utility.p", self.p),
        ];
        for (keys, value) in numbers.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            let keys: Vec<&str> = keys.split('.').collect();
            changes.push(Change::set(&keys, value));
            let tasks = own.iter().filter(|_| keys[0] == "relevance");
            changes.extend(tasks.map(|task| Change::set(&[&["tasks", *task], &keys[..]].concat(), value)));
        }
        changes.extend(self.measures_and_pairs(plan));
        Ok(changes)
    }

    /// A pair needs its measures, and a measure left out takes its pairs along.
    fn measures_and_pairs(&self, plan: &Plan) -> Vec<Change> {
        if self.measures.is_empty() && self.pairs.is_empty() {
            return Vec::new();
        }
        let given = [&self.measures, &plan.experiment.measures.ids].into_iter().find(|ids| !ids.is_empty());
        let mut measures = given.cloned().unwrap_or_default();
        let mut pairs = self.pairs.clone();
        if pairs.is_empty() {
            let named = plan.pairs.iter().map(|(a, b)| [a, b].map(|measure| measure.id().to_owned()));
            pairs.extend(named.filter(|pair| pair.iter().all(|id| measures.contains(id))));
        }
        if let ([], [first, second, ..]) = (&pairs[..], &measures[..]) {
            pairs.push([first.clone(), second.clone()]);
        }
        for id in pairs.iter().flatten() {
            if !measures.contains(id) {
                measures.push(id.clone());
            }
        }
        let pairs: Vec<Vec<String>> = pairs.into_iter().map(Vec::from).collect();
        vec![Change::set(&["measures", "list"], measures), Change::set(&["compare", "pairs"], pairs)]
    }

    /// Whether an option of the sigmoid relevance was given.
    pub(crate) fn names_a_sigmoid(&self) -> bool {
        self.low.is_some() || self.high.is_some()
    }
}

fn pair(text: &str) -> Result<[String; 2], String> {
    match text.split_once(':') {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok([a.to_owned(), b.to_owned()]),
        _ => Err("a pair is written as two measures with a colon, such as mad:f".to_owned()),
    }
}
