//! A model of somebody else's among those of a run.

use tailrank_models::Params;

use super::{Predictions, VariantName};

/// Predictions made elsewhere for the test cases of a run's tasks: one more model, and a family of its own.
#[derive(Clone, Debug)]
pub struct Submission {
    /// What the model is called.
    pub name: String,
    /// Its predictions, task by task; missing where it made none.
    pub tasks: Vec<Predictions>,
}

impl Submission {
    pub(super) fn as_variant(&self) -> VariantName {
        VariantName {
            label: self.name.clone(),
            group: self.name.clone(),
            params: Params::new(),
            recipe: "plain".to_owned(),
            reference: false,
        }
    }
}
