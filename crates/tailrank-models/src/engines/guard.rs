//! Panics of other crates, kept from ours.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{ModelError, Result};

/// Runs `work`; a panic inside becomes an error that carries its message.
pub(crate) fn guarded<T>(family: &'static str, engine: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    // Nothing that `work` borrows is read after a panic: the caller gets the error and nothing else.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        Err(ModelError::numerical(family, format!("the engine {engine} failed inside: {message}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let err = guarded::<()>("svm", "linfa", || panic!("index {} out of bounds", 7)).unwrap_err();
        assert_eq!(err.to_string(), "svm: the engine linfa failed inside: index 7 out of bounds");
    }
}
