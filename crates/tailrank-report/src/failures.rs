//! Fits that failed, grouped by their reason: a grid that fails for one cause is one line, not a hundred.

use indexmap::IndexMap;
use tailrank_experiment::text::count;
use tailrank_score::score::{Results, TaskId, VariantId};

/// Fits that failed for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureGroup {
    /// Why.
    pub reason: String,
    /// Which, in the order of tasks.
    pub fits: Vec<(TaskId, VariantId)>,
}

/// The failures of a run, the most frequent reason first; of equals the one that comes first.
pub fn failure_groups(results: &Results) -> Vec<FailureGroup> {
    let mut fits: IndexMap<&str, Vec<(TaskId, VariantId)>> = IndexMap::new();
    for (task, variant, reason) in results.failures() {
        fits.entry(reason).or_default().push((task, variant));
    }
    let group = |(reason, fits): (&str, _)| FailureGroup { reason: reason.to_owned(), fits };
    let mut groups: Vec<FailureGroup> = fits.into_iter().map(group).collect();
    groups.sort_by_key(|g| std::cmp::Reverse(g.fits.len()));
    groups
}

impl FailureGroup {
    /// `KO 3d · svm 400/.01`, or `svm 400/.01 on 12 tasks`, or `8 fits on 2 tasks`.
    pub fn who(&self, results: &Results) -> String {
        let names = &results.names;
        match &self.fits[..] {
            [(task, variant)] => format!("{} · {}", names.task(*task), names.label(*variant)),
            [(_, first), rest @ ..] if rest.iter().all(|(_, v)| v == first) => {
                format!("{} on {}", names.label(*first), count(self.fits.len(), "task"))
            }
            fits => {
                let mut tasks: Vec<TaskId> = fits.iter().map(|f| f.0).collect();
                tasks.dedup();
                match tasks[..] {
                    [task] => format!("{} · {}", names.task(task), count(fits.len(), "fit")),
                    _ => format!("{} on {}", count(fits.len(), "fit"), count(tasks.len(), "task")),
                }
            }
        }
    }
}
