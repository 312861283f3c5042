//! Dates and times as people write them.

mod clock;
mod column;
mod format;
mod frequency;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use clock::{Stamp, read_clock};
pub(crate) use column::{Dates, clock_fault, read_dates, read_forms};
pub use format::DateFormat;
pub use frequency::Frequency;
pub(crate) use frequency::frequency;
pub(crate) use words::{month_of, without_accents};
