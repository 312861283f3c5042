//! What a paper says beside what a run found.

use super::content::{Align, Table};
use crate::claims::Claim;

/// One row per claim.
pub fn claims(found: &[Claim]) -> Table {
    let mut table = Table::new(
        "claims",
        "What the paper says, and what this run found",
        &[
            ("source", Align::Left),
            ("the paper says", Align::Prose),
            ("this run found", Align::Prose),
            ("evidence", Align::Prose),
            ("standing", Align::Left),
        ],
    );
    for c in found {
        let standing = c.standing.to_string();
        let texts = [&c.source, &c.says, &c.found, &c.evidence, &standing];
        table.rows.push(texts.iter().map(|t| t.as_str().into()).collect());
    }
    table
}
