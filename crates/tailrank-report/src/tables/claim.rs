//! What a paper says beside what a run found.

use tailrank_score::table::{Format, Table, column};

use crate::claims::Claim;

/// One row per claim.
pub fn claims(found: &[Claim]) -> Table {
    type C<'a> = &'a Claim;
    use Format::{Name, Prose};
    Table::of(
        "claims",
        "What the paper says, and what this run found",
        found,
        vec![
            column("tag", "kind", Name, "identity, set-up, the paper's finding, or ours", |c: &C<'_>| {
                c.tag.to_string()
            }),
            column("source", "source", Name, "where the paper says it", |c: &C<'_>| c.source.as_str()),
            column("says", "the paper says", Prose, "the claim", |c: &C<'_>| c.says.as_str()),
            column("found", "this run found", Prose, "what was found", |c: &C<'_>| c.found.as_str()),
            column(
                "evidence",
                "evidence",
                Prose,
                "the rule that decides, and what would have made it come out otherwise",
                |c: &C<'_>| c.evidence.as_str(),
            ),
            column("standing", "standing", Name, "whether they agree", |c: &C<'_>| c.standing.to_string()),
        ],
    )
}
