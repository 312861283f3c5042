//! The studies of the papers, ready to run: each an experiment of the engine or a small calculation, and the
//! paper's claims decided by code from the numbers found.
//!
//! ```no_run
//! use std::path::Path;
//! use tailrank::{data::Library, models::Cancel, studies};
//!
//! let study = studies::find("quick")?;
//! let library = Library::default();
//! let options = studies::Options::new(&library, Path::new("runs/quick"));
//! let found = studies::reproduce(study, &options, &Cancel::default(), &mut ())?;
//! for claim in &found.conclusion.claims {
//!     println!("{}: {} {}", claim.standing, claim.says, claim.found);
//! }
//! # Ok::<(), studies::StudyError>(())
//! ```
//!
//! To add a study: a file here with its [`Kind`], its words in `words/`, one line in `ALL`, and, if the
//! engine runs it, its experiment in `experiments/`. `scripts/summaries.sh` writes its committed summary.

mod arena;
mod artificial_returns;
mod decide;
mod error;
mod extreme_learners;
mod lookup;
mod numeric_measures;
mod oarp;
mod quick;
mod rec_surfaces;
mod reproduce;
mod stock_returns;
mod study;
mod utility;
mod words;
mod write;

use std::sync::LazyLock;

use self::words::Words;

pub use error::{Result, StudyError};
pub(crate) use lookup::distinct;
pub use reproduce::{Options, Reproduction, arena_plan, reproduce};
pub use study::{Conclusion, Kind, Page, Study};
pub use tailrank_report::{
    claims::{PaperFigure as Figure, headline as headline_of},
    tables::PrintedTable as Table,
};
pub(crate) use write::with_minus;

/// What most studies use: measures and results, claims with the rules that decide them, tables and figures
/// with their words.
mod prelude {
    pub(in crate::studies) use tailrank_experiment::text::{DASH, median, or_dash};
    pub(in crate::studies) use tailrank_metrics::{Better, Measure, Relevance, Score};
    pub(in crate::studies) use tailrank_report::{
        claims::{Claim, Standing},
        figures::{Heading, PredictedTrue, Quantity, Variant},
    };
    pub(in crate::studies) use tailrank_score::score::{Comparison, Results, TaskId, VariantId};

    pub(in crate::studies) use crate::Run;

    pub(in crate::studies) use super::{
        Conclusion, Figure, Kind, Page, Result, Table,
        decide::*,
        error::missing,
        lookup::*,
        words::{self, claim, filled},
    };
}

/// Every study: its name, its words and how it is done.
const ALL: [(&str, &str, Kind); 10] = [
    ("stock-returns", include_str!("words/stock-returns.toml"), stock_returns::KIND),
    ("artificial-returns", include_str!("words/artificial-returns.toml"), artificial_returns::KIND),
    ("utility", include_str!("words/utility.toml"), utility::KIND),
    ("rec-surfaces", include_str!("words/rec-surfaces.toml"), rec_surfaces::KIND),
    ("numeric-measures", include_str!("words/numeric-measures.toml"), numeric_measures::KIND),
    ("oarp", include_str!("words/oarp.toml"), oarp::KIND),
    ("extreme-learners", include_str!("words/extreme-learners.toml"), extreme_learners::ON_SERIES),
    ("extreme-tables", include_str!("words/extreme-tables.toml"), extreme_learners::ON_TABLES),
    ("arena", include_str!("words/arena.toml"), arena::KIND),
    ("quick", include_str!("words/quick.toml"), quick::KIND),
];

static STUDIES: LazyLock<Vec<Study>> = LazyLock::new(|| {
    let study = |(id, _, kind)| {
        let Words { title, paper, size, .. } = words::of(id)?;
        Some(Study { id, title, paper, size, kind })
    };
    ALL.into_iter().filter_map(study).collect()
});

/// Every study; the first is the one that `tailrank reproduce` alone runs.
pub fn studies() -> &'static [Study] {
    &STUDIES
}

/// The study of this name.
///
/// ```
/// use tailrank::studies::find;
/// assert!(find("stock-returns").unwrap().paper.contains("PR09"));
/// assert!(find("stocks").is_err());
/// ```
///
/// # Errors
/// `Unknown`, with the names there are.
pub fn find(name: &str) -> Result<&'static Study> {
    let has = || studies().iter().map(|s| s.id).collect();
    let found = studies().iter().find(|s| s.id == name);
    found.ok_or_else(|| StudyError::Unknown { name: name.to_owned(), has: has() })
}
