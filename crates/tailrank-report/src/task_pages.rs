//! Which tasks of a run get a page of their own.

use tailrank_experiment::text::thousands;
use tailrank_score::score::{
    Results, TaskId,
    answer::{Changes, TaskPicks},
};

use crate::{ReportError, Result};

/// Which tasks get a page of their own, with figures and tables of scores. Every task has its line in the
/// tables of the first screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskPages {
    /// All of up to [`MANY`](Self::MANY) tasks. Of more, the [`CHOSEN`](Self::CHOSEN) that the answer points
    /// at: first those where the measure clearly changes the choice, then those where the other choice costs
    /// most.
    #[default]
    Chosen,
    /// All tasks, however many.
    All,
    /// The tasks with these names.
    Named(Vec<String>),
}

impl TaskPages {
    /// With more tasks than this, pages are written for some of them only.
    pub const MANY: usize = 100;
    /// For so many.
    pub const CHOSEN: usize = 30;

    /// Whether each task has a page.
    ///
    /// # Errors
    /// `UnknownTask` for a name that is not a task's.
    pub(crate) fn of(&self, results: &Results) -> Result<Vec<bool>> {
        let tasks = &results.names.tasks;
        match self {
            Self::Chosen if tasks.len() > Self::MANY => {
                let chosen: Vec<TaskId> = most_telling(results).into_iter().take(Self::CHOSEN).collect();
                Ok(TaskId::all(tasks.len()).map(|task| chosen.contains(&task)).collect())
            }
            Self::All | Self::Chosen => Ok(vec![true; tasks.len()]),
            Self::Named(names) => {
                if let Some(name) = names.iter().find(|name| !tasks.contains(name)) {
                    let known = tasks.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
                    let more = if tasks.len() > 5 { ", …" } else { "" };
                    return Err(ReportError::UnknownTask { name: name.clone(), known: known + more });
                }
                Ok(tasks.iter().map(|task| names.contains(task)).collect())
            }
        }
    }
}

/// All tasks, those first that the answer of the first pair of measures points at.
fn most_telling(results: &Results) -> Vec<TaskId> {
    let Some(picks) = results.answer.first_picks() else {
        return TaskId::all(results.names.tasks.len()).collect();
    };
    let mut told: Vec<&TaskPicks> = picks.tasks.iter().collect();
    let cost = |v: &TaskPicks| v.loss.as_ref().map_or(0.0, |loss| loss.absolute);
    told.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    told.sort_by_key(|v| v.changes != Changes::Yes);
    told.into_iter().map(|v| v.task).collect()
}

/// What a reader should know where some tasks have no page; none where all have one.
pub(crate) fn notice(pages: &[bool]) -> Option<String> {
    let (written, all) = (pages.iter().filter(|&&page| page).count(), pages.len());
    (written < all).then(|| {
        format!(
            "{} of {} tasks have a page of their own, with figures and tables of scores; the tables over all tasks hold every \
             task. `tailrank report RUN --task-pages A,B` writes those of tasks A and B, `--task-pages all` those of all",
            thousands(written),
            thousands(all)
        )
    })
}
