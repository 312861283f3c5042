//! An experiment in the making: everything but its choice of relevance, which is the first that passes the check.

use std::{fs, io, path::Component};

use tailrank_data::Library;
use tailrank_experiment::plan::{Planner, TestEvents};

use super::{super::prelude::*, relevance::Section};

/// Seconds of CPU that a proposed experiment may take.
const BUDGET: f64 = 45.0;

/// The sections of an experiment file.
#[derive(Default)]
pub(super) struct Draft {
    /// Name of the experiment.
    pub(super) name: String,
    /// What the file holds, for the first line.
    pub(super) about: String,
    /// The line of `[data]`, before and after the path of the file.
    pub(super) entry: (String, String),
    /// Notes on the columns, and sections between `[data]` and `[relevance]`.
    pub(super) split: String,
    /// `[relevance]` sections, the best first.
    pub(super) relevances: Vec<Section>,
    /// Sections between `[relevance]` and the models.
    pub(super) rest: String,
    /// The models and limits, the richest first.
    pub(super) models: Vec<String>,
    /// What the user should know beside the file.
    pub(super) remarks: Vec<String>,
    /// What is predicted and why, in words.
    pub(super) predicts: String,
    /// Which rows train and which are tested, in words.
    pub(super) divides: String,
}

/// An experiment that passes its check.
pub(super) struct Checked {
    /// What it would do, with its text.
    pub(super) plan: Plan,
    /// Where the bounds of events come from.
    pub(super) source: String,
}

impl Draft {
    /// The experiment with the first relevance that passes its check, and the richest models that a minute allows; `file` is the
    /// data as seen from the folder `base`.
    ///
    /// # Errors
    /// What the check says when none passes.
    pub(super) fn checked(&self, file: &Path, base: &Path, library: &Library) -> Result<Checked, String> {
        let planner = Planner::new(library).outline();
        let richest = self.models.first().map_or("", String::as_str);
        let (mut refused, mut found) = (None, None);
        for relevance in &self.relevances {
            let text = self.text(file, &relevance.text, richest);
            match planner.from_text(&text, Path::new("experiment.toml"), base) {
                Ok(planned) if has_usual_events(&planned) => {
                    found = Some((relevance, planned));
                    break;
                }
                Ok(planned) => found = found.or(Some((relevance, planned))),
                Err(e) => refused = refused.or(Some(e)),
            }
        }
        let Some((relevance, mut planned)) = found else {
            return Err(match refused {
                None => "its values never change, so there is nothing to predict".to_owned(),
                Some(EngineError::Experiment { problems, .. }) => {
                    let list: Vec<String> = problems.iter().map(|p| p.message.clone()).collect();
                    format!("no experiment can be made of it: {}", list.join("; "))
                }
                Some(other) => other.to_string(),
            });
        };
        for models in self.models.iter().skip(1) {
            if planned.cost().cpu_seconds <= BUDGET {
                break;
            }
            let text = self.text(file, &relevance.text, models);
            if let Some((experiment, variants)) = planner.models(&text, base) {
                planned = Plan { experiment, text, variants, ..planned };
            }
        }
        Ok(Checked { plan: planned, source: relevance.source.clone() })
    }

    fn text(&self, file: &Path, relevance: &str, models: &str) -> String {
        let file = quoted(&file.display().to_string());
        let Self { about, split, rest, entry: (before, after), .. } = self;
        let name = quoted(&self.name);
        format!(
            "# An experiment for {file}: {about}.\n# Check it with `tailrank check`, then run it with `tailrank run`. Paths are \
             relative to this file.\nname = {name}\nseed = 1\n\n[data]\n{before}{file}{after}\n{split}\n\n{relevance}\n\n{rest}\n\n\
             {models}"
        )
    }
}

/// Whether the test rows of every task have events enough to judge by, and few enough to be rare.
fn has_usual_events(plan: &Plan) -> bool {
    plan.tasks.iter().all(|task| {
        let usual = |tested: TestEvents| tested.events >= 10 && tested.events * 5 <= tested.cases;
        task.test_events(&plan.rules).is_ok_and(usual)
    })
}

/// A TOML basic string, which is written as JSON's is but for the character DEL.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

/// A TOML list of strings.
pub(super) fn quoted_list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.map(quoted).collect::<Vec<_>>().join(", "))
}

/// Keys of an inline table with their values, each after a comma; those without a value are left out.
pub(super) fn keys<const N: usize>(all: [(&str, Option<String>); N]) -> String {
    all.into_iter().filter_map(|(key, value)| Some(format!(", {key} = {}", value?))).collect()
}

/// `file` as seen from `folder`; both as typed in the current folder.
pub(super) fn seen_from(folder: &Path, file: &Path) -> io::Result<PathBuf> {
    if file.is_absolute() {
        return Ok(file.to_owned());
    }
    let real = |folder: &Path| fs::canonicalize(Path::new(".").join(folder));
    let (from, to) = (real(folder)?, real(file.parent().unwrap_or(Path::new("")))?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    Ok(path.join(file.file_name().unwrap_or_default()))
}
