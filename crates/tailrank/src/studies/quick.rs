//! A tour of a minute: one stock, one horizon, a thinned grid of the stock-returns study.

use super::{Conclusion, Found, Kind, Result, Study};

/// The study.
pub(super) static QUICK: Study = Study {
    id: "quick",
    title: "Does ranking by F instead of MAD change the winner? Coca-Cola, 3-day returns",
    paper: "after Torgo & Ribeiro 2009 (PR09), §5.2",
    size: "16 variants, 1 task",
    time: "10 s",
    kind: Kind::Experiment { text: include_str!("../../experiments/quick.toml"), conclude },
};

fn conclude(_found: &Found<'_>) -> Result<Conclusion> {
    Ok(Conclusion::default())
}
