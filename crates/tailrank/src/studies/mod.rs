//! The studies of the papers, ready to run: each an experiment of the engine or a small calculation, and the paper's claims
//! decided by code from the numbers found.
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
//! To add a study: a file here with a `pub static` [`Study`], one line in `STUDIES`, its words in `words/`, and, if the engine
//! runs it, its experiment in `experiments/`. `scripts/summaries.sh` writes its committed summary.

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
mod table;
mod utility;
mod words;
mod write;

pub use error::{Result, StudyError};
pub(crate) use lookup::distinct;
pub use reproduce::{Options, Reproduction, arena_plan, reproduce};
pub use study::{Conclusion, Kind, Opening, Page, Setting, Study};
pub use table::Table;
pub use tailrank_report::claims::{PaperFigure as Figure, headline as headline_of};
pub(crate) use write::with_minus;

/// What most studies use: measures and results, claims with the rules that decide them, tables and figures with their words.
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
        Conclusion, Figure, Kind, Opening, Page, Result, Setting, Study, StudyError, Table,
        decide::*,
        lookup::*,
        words::{self, claim, filled},
    };
}

static STUDIES: &[&Study] = &[
    &stock_returns::STOCK_RETURNS,
    &artificial_returns::ARTIFICIAL_RETURNS,
    &utility::UTILITY,
    &rec_surfaces::REC_SURFACES,
    &numeric_measures::NUMERIC_MEASURES,
    &oarp::OARP,
    &extreme_learners::EXTREME_LEARNERS,
    &extreme_learners::EXTREME_TABLES,
    &arena::ARENA,
    &quick::QUICK,
];

/// Every study; the first is the one that `tailrank reproduce` alone runs.
pub fn studies() -> &'static [&'static Study] {
    STUDIES
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
    let found = studies().iter().copied().find(|s| s.id == name);
    found.ok_or_else(|| StudyError::Unknown { name: name.to_owned(), has: has() })
}
