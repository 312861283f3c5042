//! What of a run is fitted, in the same words for every command that reads its predictions.

use tailrank_score::score::{TaskScores, VariantStatus};

use super::{Failure, Result, Session, note};

/// Nothing of what is asked for is stored, and why that may be.
fn nothing_stored(what: &str) -> Failure {
    Failure::Other(format!(
        "{what} is stored: the data or the program changed, or nothing was fitted yet; run `tailrank run` again"
    ))
}

/// Refuses a run of which nothing is stored, and warns of one that lacks something: `product` is then incomplete.
pub(super) fn check_cells(session: &Session, missing: usize, all: usize, product: &str) -> Result<()> {
    if missing == all {
        return Err(nothing_stored("no fit of this run"));
    }
    if missing > 0 {
        note(
            session,
            &format!(
                "warning: {missing} of {all} groups of fits are missing: the {product} is incomplete; `tailrank run` fits them"
            ),
        );
    }
    Ok(())
}

/// Refuses a task of which no variant is stored, and warns where the best is chosen among a part of them.
pub(super) fn check_variants(session: &Session, task: &str, scores: &TaskScores) -> Result<()> {
    let candidates =
        || scores.status.iter().zip(&scores.references).filter(|(_, is_reference)| !**is_reference);
    let all = candidates().count();
    let missing = candidates().filter(|(status, _)| **status == VariantStatus::Missing).count();
    if missing == all {
        return Err(nothing_stored(&format!("no model of '{task}'")));
    }
    if missing > 0 {
        let text = format!(
            "warning: {missing} of {all} models of '{task}' are not fitted yet; `tailrank run` fits them"
        );
        note(session, &text);
    }
    Ok(())
}
