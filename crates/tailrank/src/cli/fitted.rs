//! What of a run is fitted, in the same words for every command that reads its predictions.

use tailrank_runner::run::missing_cells;
use tailrank_score::score::{TaskScores, VariantStatus};

use super::prelude::*;

/// Nothing of what is asked for is stored, and why that may be.
fn nothing_stored(what: &str) -> Failure {
    Failure::Other(format!(
        "{what} is stored: the data or the program changed, or nothing was fitted yet; run `tailrank run` again"
    ))
}

/// Refuses a run of which nothing is stored, and warns of one that lacks something: `product` is then incomplete. Returns how
/// many cells are missing. To be called after they were read, which sets damaged ones aside.
pub(super) fn check_cells(session: &Session, plan: &Plan, store: &Store<'_>, product: &str) -> Result<usize> {
    let (missing, all) = (missing_cells(plan, store)?, plan.cells.len());
    if missing == all {
        return Err(nothing_stored("no fit of this run"));
    }
    let text = format!(
        "{missing} of {all} groups of fits are missing: the {product} is incomplete; `tailrank run` fits them"
    );
    session.print_warnings((missing > 0).then_some(text));
    Ok(missing)
}

/// Refuses a task of which no variant is stored, and warns where the best is chosen among a part of them.
pub(super) fn check_variants(session: &Session, task: &str, scores: &TaskScores) -> Result<()> {
    let candidates = scores.status.iter().zip(&scores.references).filter(|(_, is_reference)| !**is_reference);
    let is_missing: Vec<bool> = candidates.map(|(status, _)| *status == VariantStatus::Missing).collect();
    let (missing, all) = (is_missing.iter().filter(|missing| **missing).count(), is_missing.len());
    if missing == all {
        return Err(nothing_stored(&format!("no model of '{task}'")));
    }
    let text = format!("{missing} of {all} models of '{task}' are not fitted yet; `tailrank run` fits them");
    session.print_warnings((missing > 0).then_some(text));
    Ok(())
}
