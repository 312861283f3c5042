//! What a study is: an experiment or a calculation, and the claims that are decided from it.

use tailrank_data::Library;
use tailrank_engine::{plan::Plan, score::Results, store::Store};
use tailrank_models::Cancel;
use tailrank_report::claims::Claim;

use super::{Result, Table};

/// A study of a paper that can be run again.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// The name it is asked for by.
    pub id: &'static str,
    /// What it asks, in one line.
    pub title: &'static str,
    /// Where it comes from, such as `Torgo & Ribeiro 2009 (PR09), §5.2`.
    pub paper: &'static str,
    /// How much is fitted or calculated.
    pub size: &'static str,
    /// How long it usually takes on two cores.
    pub time: &'static str,
    /// How it is done.
    pub kind: Kind,
}

/// How a study is done.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The engine runs an experiment; the study reads its results.
    Experiment {
        /// The experiment file.
        text: &'static str,
        /// Decides the claims.
        conclude: fn(&Found<'_>) -> Result<Conclusion>,
    },
    /// A calculation of its own; nothing is stored between runs.
    Calculation(fn(&Setting<'_>) -> Result<Conclusion>),
}

/// What the experiment of a study found.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// What was run.
    pub plan: &'a Plan,
    /// Scores, ranks and comparisons.
    pub results: &'a Results,
    /// Where the predictions are (`run::load_predictions`).
    pub store: &'a Store<'a>,
}

/// What a calculation may use. Work in parallel goes to rayon's global pool.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Bundled data, behind the user's own.
    pub library: &'a Library,
    /// Ask it now and then; when it fires, return [`StudyError::Interrupted`](super::StudyError::Interrupted).
    pub cancel: &'a Cancel,
    /// Tell it how many steps of how many are done.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// What a study concludes. Everything in it is the same, byte for byte, run after run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conclusion {
    /// What the paper says beside what was found.
    pub claims: Vec<Claim>,
    /// Tables; the first is the headline.
    pub tables: Vec<Table>,
    /// Figures of the study's own; the first stands in the committed summary.
    pub figures: Vec<Figure>,
}

/// A figure as SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its file, without the ending.
    pub name: String,
    /// The file's text.
    pub svg: String,
}
