//! Other crates' estimators as families.
//!
//! [`own`], [`linfa`] and [`smartcore`] turn a user's closure, any linfa regressor or any smartcore estimator
//! into a [`Family`](crate::Family) in a few lines. The engines registered beside the native families are
//! here too: `svm` by linfa-svm, `forest` by smartcore.
//!
//! Left out are smartcore's SVR, which stops after 49,999 iterations and returns the unfinished model as if
//! it were solved; linfa's linear models, which answer wrongly when inputs depend on each other; and
//! smartcore's linear models and neighbours, which give the predictions of the native engines more slowly.
//!
//! A panic inside another crate becomes a [`ModelError::Numerical`].

pub mod linfa;
pub mod own;
pub mod smartcore;
mod svm;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Fit, Job, ModelError, Params, Result};

pub use smartcore::SmartcoreForest;
pub use svm::LinfaSvm;

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

/// Fits every variant alone, unless the fit is cancelled before.
fn fit_each(
    family: &'static str,
    engine: &str,
    job: Job<'_>,
    variants: &[Params],
    fit: impl Fn(&Params) -> Result<Fit>,
) -> Vec<Result<Fit>> {
    let one = |v: &Params| job.context.check().and_then(|()| guarded(family, engine, || fit(v)));
    variants.iter().map(one).collect()
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
