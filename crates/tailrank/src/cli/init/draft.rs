//! An experiment in the making: everything but its choice of relevance, which is the first that passes the check.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use tailrank_data::Library;
use tailrank_experiment::{
    EngineError,
    plan::{Plan, TestEvents},
};

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
    pub(super) relevances: Vec<String>,
    /// Sections between `[relevance]` and the models.
    pub(super) rest: String,
    /// The models and limits, the richest first.
    pub(super) models: Vec<String>,
    /// What the user should know beside the file.
    pub(super) remarks: Vec<String>,
}

/// An experiment that passes its check.
pub(super) struct Checked {
    pub(super) text: String,
    /// What it would do.
    pub(super) plan: Plan,
}

impl Draft {
    /// The experiment with the first relevance that passes its check, and the richest models that a minute allows; `file` is the
    /// data as seen from the folder `base`.
    ///
    /// # Errors
    /// What the check says when none passes.
    pub(super) fn checked(
        &self,
        file: &Path,
        base: &Path,
        library: &Library,
    ) -> std::result::Result<Checked, String> {
        let plan = |text: &str| Plan::from_text(text, Path::new("experiment.toml"), base, library);
        let (mut refused, mut second) = (None, None);
        let richest = self.models.first().map_or("", String::as_str);
        for relevance in &self.relevances {
            match plan(&self.text(file, relevance, richest)) {
                Ok(planned) if has_usual_events(&planned) => {
                    return Ok(self.affordable(file, relevance, planned, &plan));
                }
                Ok(planned) => second = second.or(Some((relevance, planned))),
                Err(e) => refused = refused.or(Some(e)),
            }
        }
        if let Some((relevance, planned)) = second {
            return Ok(self.affordable(file, relevance, planned, &plan));
        }
        Err(match refused {
            None => "its values never change, so there is nothing to predict".to_owned(),
            Some(EngineError::Experiment { problems, .. }) => {
                let list: Vec<String> = problems.iter().map(|p| p.message.clone()).collect();
                format!("no experiment can be made of it: {}", list.join("; "))
            }
            Some(other) => other.to_string(),
        })
    }

    /// The experiment with the richest models that a minute allows.
    fn affordable(
        &self,
        file: &Path,
        relevance: &str,
        mut planned: Plan,
        plan: &impl Fn(&str) -> tailrank_experiment::Result<Plan>,
    ) -> Checked {
        let mut text = planned.text.clone();
        for models in self.models.iter().skip(1) {
            if planned.cost().cpu_seconds <= BUDGET {
                break;
            }
            let cheaper = self.text(file, relevance, models);
            if let Ok(found) = plan(&cheaper) {
                (text, planned) = (cheaper, found);
            }
        }
        Checked { text, plan: planned }
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

/// A TOML basic string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The folder a file stands in; the current one for a bare name.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// `file` as seen from `folder`; both as typed in the current folder.
pub(super) fn seen_from(folder: &Path, file: &Path) -> io::Result<PathBuf> {
    if file.is_absolute() {
        return Ok(file.to_owned());
    }
    let (from, to) = (fs::canonicalize(folder)?, fs::canonicalize(folder_of(file))?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let down = to.components().skip(shared);
    let mut path: PathBuf = up.chain(down).collect();
    path.push(file.file_name().unwrap_or_default());
    Ok(path)
}
