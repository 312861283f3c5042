//! Draws the splits an experiment asks for.

use std::sync::Arc;

use tailrank_data::{Date, Kind, Leak, Past, SplitPlan, WindowStart, strata_by_class, strata_by_relevance};

use super::{Task, sources::Source};
use crate::config::{Experiment, LeakRule, Problem, SplitKind, SplitSettings, Stratify};

/// Every source as a task with its splits.
pub(super) fn tasks(experiment: &Experiment, sources: Vec<Source>, problems: &mut Vec<Problem>) -> Vec<Task> {
    let mut tasks = Vec::new();
    for source in sources {
        let settings = experiment.split_of(&source.task, &source.source);
        let relevance = experiment.relevance_of(&source.task, &source.source).clone();
        let key = experiment.relevance_key(&source.task, &source.source);
        // The experiment's own settings are checked once, not for every task.
        if key != "relevance" {
            problems.extend(relevance.problems(&key));
        }
        let mut task = Task {
            name: source.task,
            source: source.source,
            horizon: source.horizon,
            data: Arc::new(source.data),
            splits: Vec::new(),
            pooled: !matches!(settings.kind, SplitKind::Kfold | SplitKind::Bootstrap),
            folds: settings.folds.unwrap_or(1),
            relevance,
        };
        let leak = match settings.leak {
            LeakRule::Purge => Leak::Purged,
            LeakRule::Paper => Leak::Paper,
        };
        let drawn = scheme(settings, &task, experiment.seed)
            .and_then(|plan| plan.splits(&task.data.timeline(), leak).map_err(|e| e.to_string()))
            .and_then(|drawn| {
                if drawn.is_empty() {
                    Err("it has no split; raise repeats or folds".to_owned())
                } else {
                    Ok(drawn)
                }
            });
        match drawn {
            Ok(splits) => {
                task.splits = splits;
                tasks.push(task);
            }
            Err(message) => {
                let problem = Problem::new("split", format!("task '{}': {message}", task.name));
                if !problems.iter().any(|p| p.message == problem.message) {
                    problems.push(problem);
                }
            }
        }
    }
    tasks
}

fn scheme(s: &SplitSettings, task: &Task, seed: u64) -> Result<SplitPlan, String> {
    check_keys(s)?;
    let need = |key: &str| format!("kind = \"{}\" needs {key}", kind_name(s.kind));
    let rows = task.data.rows();
    match s.kind {
        SplitKind::Date => {
            let at = date("at", s.at.as_deref().ok_or_else(|| need("at = \"YYYY-MM-DD\""))?)?;
            match s.validation_at.as_deref() {
                Some(v) => Ok(SplitPlan::Dates { validation_at: date("validation_at", v)?, at }),
                None => Ok(SplitPlan::Date { at }),
            }
        }
        SplitKind::Fraction => {
            let train = s.train.ok_or_else(|| need("train, such as train = 0.7"))?;
            match s.validation {
                Some(validation) => Ok(SplitPlan::Fractions { train, validation }),
                None => Ok(SplitPlan::Fraction { train }),
            }
        }
        SplitKind::Sliding | SplitKind::Growing => {
            let window = s.window.ok_or_else(|| need("window, the rows of the first training window"))?;
            let step = s.step.ok_or_else(|| need("step, the rows tested before relearning"))?;
            if window == 0 {
                return Err(
                    "window = 0 has no row to learn from; give the rows of the training window".to_owned()
                );
            }
            if window >= rows {
                return Err(format!("window = {window} leaves no test row: the task has {rows} rows"));
            }
            let past = if s.kind == SplitKind::Sliding { Past::Sliding { window } } else { Past::Growing };
            Ok(SplitPlan::Windows { start: WindowStart::Row(window), step, past })
        }
        SplitKind::Kfold => Ok(SplitPlan::KFold {
            folds: folds(s.folds.ok_or_else(|| need("folds, such as folds = 10"))?, rows)?,
            repeats: repeats(s.repeats.unwrap_or(1))?,
            // Neighbouring rows of a series share most of their inputs: blocks keep folds apart.
            shuffle: s.shuffle.unwrap_or(task.horizon.is_none()),
            strata: strata(s, task)?,
            seed,
        }),
        SplitKind::Bootstrap => Ok(SplitPlan::Bootstrap { repeats: repeats(s.repeats.unwrap_or(10))?, seed }),
    }
}

fn folds(folds: usize, rows: usize) -> Result<usize, String> {
    if (2..=rows).contains(&folds) {
        return Ok(folds);
    }
    Err(format!("folds = {folds} must lie between 2 and the task's {rows} rows"))
}

/// Every repeat is a split with its own rows and cells; far fewer tell what there is to tell.
fn repeats(repeats: usize) -> Result<usize, String> {
    const MOST: usize = 10_000;
    if (1..=MOST).contains(&repeats) {
        return Ok(repeats);
    }
    Err(format!("repeats = {repeats} must lie between 1 and {MOST}"))
}

fn strata(s: &SplitSettings, task: &Task) -> Result<Option<Vec<usize>>, String> {
    match s.stratify {
        None => Ok(None),
        Some(Stratify::Class) => match task.data.kind() {
            Kind::Classification { .. } => Ok(Some(strata_by_class(task.data.targets()))),
            Kind::Regression => {
                Err("stratify = \"class\" needs a classification target; use \"relevance\"".to_owned())
            }
        },
        Some(Stratify::Relevance) => {
            // Only the spread of events over folds depends on this φ; every fold's own φ is fitted on its training rows.
            let phi = task.relevance.build(task.data.targets()).map_err(|e| e.to_string())?;
            let mut relevance = vec![0.0; task.data.rows()];
            phi.phi_into(task.data.targets(), &mut relevance);
            Ok(Some(strata_by_relevance(&relevance, 4)))
        }
    }
}

/// Keys of another scheme would silently do nothing.
fn check_keys(s: &SplitSettings) -> Result<(), String> {
    use SplitKind as K;
    let keys: [(&str, bool, &[K]); 10] = [
        ("at", s.at.is_some(), &[K::Date]),
        ("validation_at", s.validation_at.is_some(), &[K::Date]),
        ("train", s.train.is_some(), &[K::Fraction]),
        ("validation", s.validation.is_some(), &[K::Fraction]),
        ("window", s.window.is_some(), &[K::Sliding, K::Growing]),
        ("step", s.step.is_some(), &[K::Sliding, K::Growing]),
        ("folds", s.folds.is_some(), &[K::Kfold]),
        ("repeats", s.repeats.is_some(), &[K::Kfold, K::Bootstrap]),
        ("shuffle", s.shuffle.is_some(), &[K::Kfold]),
        ("stratify", s.stratify.is_some(), &[K::Kfold]),
    ];
    match keys.iter().find(|(_, given, kinds)| *given && !kinds.contains(&s.kind)) {
        Some((key, _, kinds)) => {
            let belongs: Vec<String> = kinds.iter().map(|k| format!("\"{}\"", kind_name(*k))).collect();
            Err(format!(
                "'{key}' belongs to kind = {}, not to \"{}\"",
                belongs.join(" or "),
                kind_name(s.kind)
            ))
        }
        None => Ok(()),
    }
}

fn kind_name(kind: SplitKind) -> &'static str {
    match kind {
        SplitKind::Date => "date",
        SplitKind::Fraction => "fraction",
        SplitKind::Sliding => "sliding",
        SplitKind::Growing => "growing",
        SplitKind::Kfold => "kfold",
        SplitKind::Bootstrap => "bootstrap",
    }
}

fn date(key: &str, text: &str) -> Result<Date, String> {
    text.parse().map_err(|_| format!("{key} = \"{text}\" is no date; write it as YYYY-MM-DD"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> SplitSettings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_key_of_another_scheme_is_named_with_its_own() {
        let good = [
            "kind = \"date\"\nat = \"1990-01-01\"\nvalidation_at = \"1989-01-01\"",
            "kind = \"fraction\"\ntrain = 0.6\nvalidation = 0.2",
            "kind = \"sliding\"\nwindow = 10\nstep = 2",
            "kind = \"growing\"\nwindow = 10\nstep = 2",
            "kind = \"kfold\"\nfolds = 3\nrepeats = 2\nshuffle = true\nstratify = \"class\"",
            "kind = \"bootstrap\"\nrepeats = 2",
        ];
        for text in good {
            assert_eq!(check_keys(&settings(text)), Ok(()), "{text}");
        }
        for (text, said) in [
            ("kind = \"date\"\ntrain = 0.5", "'train' belongs to kind = \"fraction\", not to \"date\""),
            ("kind = \"kfold\"\nat = \"1990-01-01\"", "'at' belongs to kind = \"date\", not to \"kfold\""),
            (
                "kind = \"fraction\"\nstep = 3",
                "'step' belongs to kind = \"sliding\" or \"growing\", not to \"fraction\"",
            ),
            (
                "kind = \"date\"\nvalidation = 0.2",
                "'validation' belongs to kind = \"fraction\", not to \"date\"",
            ),
            (
                "kind = \"growing\"\nvalidation_at = \"1990-01-01\"",
                "'validation_at' belongs to kind = \"date\", not to \"growing\"",
            ),
            ("kind = \"bootstrap\"\nfolds = 3", "'folds' belongs to kind = \"kfold\", not to \"bootstrap\""),
            (
                "kind = \"sliding\"\nrepeats = 3",
                "'repeats' belongs to kind = \"kfold\" or \"bootstrap\", not to \"sliding\"",
            ),
        ] {
            assert_eq!(check_keys(&settings(text)), Err(said.to_owned()));
        }
    }

    #[test]
    fn what_is_no_date_is_named() {
        assert!(date("at", "01.02.1990").unwrap_err().contains("at = \"01.02.1990\" is no date"));
        assert!(date("at", "1990-02-01").is_ok());
    }
}
