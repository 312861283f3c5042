//! What a paper says beside what a run found.

use tailrank_score::table::{Format, Table};

use crate::claims::Claim;

/// One row per claim.
pub fn claims(found: &[Claim]) -> Table {
    use Format::{Name, Prose};
    Table::of(found)
        .column(Name, "tag", "kind", |c| c.tag.to_string())
        .means("identity, set-up, the paper's finding, or ours")
        .column(Name, "source", "source", |c| c.source.as_str())
        .means("where the paper says it")
        .column(Prose, "says", "the paper says", |c| c.says.as_str())
        .means("the claim")
        .column(Prose, "found", "this run found", |c| c.found.as_str())
        .means("what was found")
        .column(Prose, "evidence", "evidence", |c| c.evidence.as_str())
        .means("the rule that decides, and what would have made it come out otherwise")
        .column(Name, "standing", "standing", |c| c.standing.to_string())
        .means("whether they agree")
        .titled("claims", "What the paper says, and what this run found")
}
