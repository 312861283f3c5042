//! What polars is asked, and what it cannot answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use polars::prelude::PolarsResult;

use super::too_large;
use crate::{DataError, Result, names::quoted};

/// Why a file is not handed over to polars.
#[derive(Debug, PartialEq)]
pub(super) enum Refusal {
    /// It does not hold what it announces.
    Damaged(&'static str),
    /// It unpacks to more than is allowed.
    TooLarge,
    /// Its pages are packed in a way that is not read.
    Packed(i32),
}

impl Refusal {
    pub(super) fn error(&self, file: &str, form: &str, column: Option<&str>, max_bytes: u64) -> DataError {
        let column = column.map(|column| format!("column {}", quoted(column)));
        match self {
            Self::TooLarge => too_large(file, max_bytes),
            Self::Damaged(problem) => match column {
                Some(column) => damaged(file, form, &format!("{column}: {problem}")),
                None => damaged(file, form, problem),
            },
            Self::Packed(codec) => {
                let how = match codec {
                    3 => "with LZO".to_owned(),
                    other => format!("in a way that is not known ({other})"),
                };
                let problem = format!("{} is packed {how}", column.unwrap_or_default());
                let fix = "write it with Zstandard, Snappy, gzip or LZ4, or without compression";
                DataError::file(file, problem, fix)
            }
        }
    }
}

/// The answer of `read`; an error or a panic inside polars becomes an error that names the file.
pub(super) fn guarded<T>(file: &str, form: &str, read: impl FnOnce() -> PolarsResult<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => {
            let said = error.to_string();
            let said = said.lines().next().unwrap_or_default();
            if said.contains("ot yet supported") {
                let fix = "write it with plain encodings, or save it as CSV";
                return Err(DataError::file(file, format!("cannot be read as {form} ({said})"), fix));
            }
            Err(damaged(file, form, said))
        }
        // The file may be sound: it is the reader that has no answer to it.
        Err(_) => {
            let problem = format!("cannot be read as {form} (the reader failed, and the file may be sound)");
            Err(DataError::file(file, problem, "save it as CSV instead"))
        }
    }
}

/// The error for a file that is not what it was when it was opened.
pub(super) fn changed(file: &str) -> DataError {
    DataError::file(file, "changed while it was read", "let the program that writes it finish first")
}

/// The error for a file that does not hold what it announces.
pub(super) fn damaged(file: &str, form: &str, problem: &str) -> DataError {
    let fix = "write the file again with the program it comes from";
    DataError::file(file, format!("cannot be read as {form} ({problem})"), fix)
}
