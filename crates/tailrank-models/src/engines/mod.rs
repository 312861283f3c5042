//! Other crates' estimators as families.
//!
//! [`own`], [`linfa`] and [`smartcore`] turn a user's closure, any linfa regressor or any smartcore estimator
//! into a [`Family`](crate::Family) in a few lines. The engines registered beside the native families are
//! here too: `svm` by libsvm-rs and linfa-svm, `forest` by smartcore.
//!
//! A panic inside another crate becomes a [`ModelError::Numerical`](crate::ModelError::Numerical).

mod guard;
pub mod linfa;
pub mod own;
pub mod smartcore;
mod smartcore_forest;
mod svm_libsvm;
mod svm_linfa;
mod svm_settings;

pub(crate) use guard::guarded;
pub use smartcore_forest::SmartcoreForest;
pub use svm_libsvm::LibsvmSvm;
pub use svm_linfa::LinfaSvm;
