//! What polars is asked, and what it cannot answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use polars::prelude::PolarsResult;

use crate::{DataError, Result};

/// The answer of `read`; an error or a panic inside polars becomes an error that names the file.
pub(super) fn asked<T>(file: &str, form: &str, read: impl FnOnce() -> PolarsResult<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => {
            let said = error.to_string();
            let said = said.lines().next().unwrap_or_default();
            Err(if said.contains("ot yet supported") {
                unusual(file, form, said)
            } else {
                damaged(file, form, said)
            })
        }
        // The file may be sound: it is the reader that has no answer to it.
        Err(_) => Err(DataError::File {
            file: file.to_owned(),
            problem: format!("cannot be read as {form} (the reader failed, and the file may be sound)"),
            fix: "save it as CSV instead".to_owned(),
        }),
    }
}

/// The error for a sound file that is written in a way that polars does not read.
fn unusual(file: &str, form: &str, problem: &str) -> DataError {
    DataError::File {
        file: file.to_owned(),
        problem: format!("cannot be read as {form} ({problem})"),
        fix: "write it with plain encodings, or save it as CSV".to_owned(),
    }
}

/// The error for a file that does not hold what it announces.
pub(super) fn damaged(file: &str, form: &str, problem: &str) -> DataError {
    DataError::File {
        file: file.to_owned(),
        problem: format!("cannot be read as {form} ({problem})"),
        fix: "write the file again with the program it comes from".to_owned(),
    }
}
