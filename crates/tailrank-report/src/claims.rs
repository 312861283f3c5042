//! What a paper says, what a run found, and whether the two agree.

use std::fmt;

use serde::Serialize;

/// Whether a run bears a claim out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The run shows the same.
    Agree,
    /// The run shows something else.
    Differ,
    /// These data cannot tell.
    NotTestable,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agree => "agree",
            Self::Differ => "differ",
            Self::NotTestable => "not testable",
        })
    }
}

/// One statement of a paper beside what a run found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Where the paper says it, such as `PR09 §5.2, Fig. 2`.
    pub source: String,
    /// What the paper says.
    pub says: String,
    /// What this run found.
    pub found: String,
    /// The numbers it was decided by, and where they are kept.
    pub evidence: String,
    /// The decision, made by code from those numbers.
    pub standing: Standing,
}
