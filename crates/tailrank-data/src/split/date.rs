//! One cut, or two: by date or by share of rows.

use jiff::civil::Date;

use super::{Drawing, Split};
use crate::{DataError, Result};

impl Drawing<'_> {
    pub(super) fn by_date(&self, at: Date, validation: Option<Date>) -> Result<Split> {
        if let Some(day) = validation.filter(|day| *day >= at) {
            return Err(DataError::setting("validation_at", day, format!("a day before at = {at}")));
        }
        let description = match validation {
            None => format!("train before {at}, test from there"),
            Some(day) => format!("train before {day}, validate before {at}, test from there"),
        };
        let test = self.first_row(at)?;
        let from = validation.map(|day| self.first_row(day)).transpose()?;
        self.cut(description, from, test)
    }

    pub(super) fn by_fraction(&self, train: f64, validation: Option<f64>) -> Result<Split> {
        let first = self.share("train", train)?;
        let Some(validation) = validation else {
            return self.cut(format!("train on the first {train} of rows"), None, first);
        };
        self.share("validation", validation)?;
        let test = self.share("train + validation", train + validation)?;
        let description = format!("train on the first {train} of rows, validate on the next {validation}");
        self.cut(description, Some(first), test)
    }

    /// The test begins at row `test`; before it, rows from `validation` on choose models.
    fn cut(&self, description: String, validation: Option<usize>, test: usize) -> Result<Split> {
        let train = 0..validation.unwrap_or(test);
        let validation = validation.map(|from| (from..test).into());
        self.make(description, train.into(), validation, (test..self.timeline.len()).into())
    }

    /// The first row whose origin is on or after `day`.
    pub(super) fn first_row(&self, day: Date) -> Result<usize> {
        let expected = "these rows have no dates; split by kind = \"fraction\" or \"kfold\"";
        let dates = self.timeline.origin_dates().ok_or_else(|| DataError::setting("at", day, expected))?;
        Ok(dates.partition_point(|d| *d < day))
    }

    fn share(&self, name: &'static str, share: f64) -> Result<usize> {
        if !(share > 0.0 && share < 1.0) {
            return Err(DataError::setting(name, share, "a share above 0 and below 1"));
        }
        // 0.57 of 100 rows is 57, though the product is a hair less. It stays below the number of rows, so the cast cannot
        // lose anything but the fraction.
        let row = (share * self.timeline.len() as f64 * (1.0 + 4.0 * f64::EPSILON)).floor() as usize;
        Ok(self.timeline.between_dates(row))
    }
}
