//! What a study is: an experiment or a calculation, and the claims that are decided from it.

use tailrank_data::Library;
use tailrank_models::Cancel;
use tailrank_report::claims::{Claim, PaperFigure};

use super::{Result, Table};
use crate::Run;

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
    /// How it is done.
    pub kind: Kind,
}

impl Study {
    /// CPU seconds of one run, as `scripts/summaries.sh --times` measured them.
    ///
    /// ```
    /// let quick = tailrank::studies::find("quick")?;
    /// assert!(quick.cpu_seconds().is_some_and(|s| s > 0.0));
    /// # Ok::<(), tailrank::studies::StudyError>(())
    /// ```
    pub fn cpu_seconds(&self) -> Option<f64> {
        let measured = include_str!("times.csv");
        let line = measured.lines().find_map(|l| l.strip_prefix(self.id)?.strip_prefix(','))?;
        line.trim().parse().ok()
    }
}

/// How a study is done.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The engine runs an experiment, and perhaps others made from it, such as the same models on other
    /// periods.
    Experiment {
        /// The experiment file.
        text: &'static str,
        /// The texts of the others, each with a name of its own.
        others: fn(&str) -> Vec<String>,
        /// Decides the claims from the experiment and the others.
        conclude: fn(&Run, &[Run]) -> Result<Conclusion>,
    },
    /// A calculation of its own; nothing is stored between runs. Work in parallel goes to rayon's global
    /// pool. Once the signal fires, it ends as `EngineError::Interrupted`.
    Calculation(fn(&Library, &Cancel) -> Result<Conclusion>),
}

impl Kind {
    /// One experiment alone.
    pub(super) const fn experiment(
        text: &'static str,
        conclude: fn(&Run, &[Run]) -> Result<Conclusion>,
    ) -> Self {
        Self::Experiment { text, others: |_| Vec::new(), conclude }
    }
}

/// What a study concludes. Everything in it is the same, byte for byte, run after run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conclusion {
    /// The three sentences that the study's page opens with.
    pub opening: String,
    /// What the paper says beside what was found.
    pub claims: Vec<Claim>,
    /// Tables; the first is the headline.
    pub tables: Vec<Table>,
    /// Figures of the study's own; the first stands in the committed summary.
    pub figures: Vec<PaperFigure>,
    /// Pages beside the claims, such as what a paper's printed numbers reveal.
    pub pages: Vec<Page>,
}

/// A page of Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its file, without the ending.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What stands below the title.
    pub body: String,
}
