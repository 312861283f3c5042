//! OARP11: does choosing a classifier by OARP instead of accuracy or F make it better?
//!
//! Monte Carlo Sampling draws pairs of prototypes and keeps the best by each of three measures, from the same draws;
//! ten runs of ten-fold cross-validation on five medical data sets tell which measure chose best. The paper prints its
//! results in Tables 1, 3 and 4; all three are made again. What the paper leaves open is a setting, and every other
//! reading is run too:
//!
//! - a prototype is a training row of its class: the paper speaks of instance selection and of "one representative
//!   instance" per class (the other reading: any point of the unit cube);
//! - gaps and scales are learned from all rows, test rows among them, as the paper says (or from training rows alone);
//! - symbolic attributes keep their numbers and are scaled like the others (or one-hot);
//! - F is of the rarer class (or the commoner one), folds are stratified (or not);
//! - of candidates with the same value on the training rows the first drawn is kept, and a row as near to both
//!   prototypes is negative.

mod bound;
mod claims;
mod fold;
mod grim;
mod paper;
mod results;
mod rules;
mod run;
mod settings;
mod table_3;
mod tables;
mod ten_folds;
#[cfg(test)]
mod tests;

pub use fold::Fold;
pub use results::{Comparison, Model, OarpResults, ReadingResults, SetResults, Verdict};
pub use run::run;
pub use settings::{
    FClass, OtherReading, Preparation, PrototypeSource, Reading, Set, Settings, Symbolic, Tree,
};

use super::{Conclusion, Kind, Result, Setting, Study};

/// The study.
pub(super) static OARP: Study = Study {
    id: "oarp",
    title: "Does choosing a classifier by OARP instead of accuracy or F make it better?",
    paper: "Hossin, Sulaiman, Mustapha & Rahmat 2011 (OARP11)",
    size: "500 candidates × 100 folds × 5 data sets, 6 readings",
    kind: Kind::Calculation(calculate),
};

fn calculate(setting: &Setting<'_>) -> Result<Conclusion> {
    conclude(&run(&Settings::bundled()?, setting)?)
}

/// Tables and claims of what was found.
pub fn conclude(results: &OarpResults) -> Result<Conclusion> {
    let claims = claims::claims(results)?;
    let pages = vec![table_3::page(results)?];
    let tables = tables::tables(results)?;
    Ok(Conclusion { opening: claims::opening(results)?, claims, tables, figures: Vec::new(), pages })
}
