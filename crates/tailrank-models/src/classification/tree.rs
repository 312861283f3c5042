//! linfa's decision tree as a classifier.

use linfa::{
    DatasetBase,
    traits::{Fit, Predict},
};
use linfa_trees::DecisionTree as LinfaTree;
use ndarray::Array1;

use super::{ClassSet, check_columns};
use crate::{MatrixView, ModelError, Result, engines::linfa::to_array};

const NAME: &str = "decision tree";

/// A positive row weighs this much less than a negative one.
///
/// linfa-trees 0.8 takes the class of a leaf from a hash map with a random order, so a leaf with as many rows
/// of either class would change from run to run. With unequal weights such leaves are negative. A power of
/// two keeps sums exact, and other leaves keep their majority up to 8190 rows.
const LIGHTER: f32 = 1.0 / 4096.0;

/// linfa's decision tree by Gini impurity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionTree {
    /// Most splits between root and leaf.
    pub max_depth: usize,
    /// Least number of training rows in a leaf.
    pub min_leaf: usize,
}

impl DecisionTree {
    /// Learns from `train` and says of each row of `test` whether it is positive.
    ///
    /// ```
    /// use tailrank_models::{Matrix, classification::{ClassSet, DecisionTree}};
    ///
    /// let x = Matrix::from_rows(&[[0.1], [0.2], [0.3], [0.6], [0.8]])?;
    /// let train = ClassSet::new(x.view(), &[false, false, false, true, true])?;
    /// let tree = DecisionTree { max_depth: 3, min_leaf: 1 };
    /// let test = Matrix::from_rows(&[[0.4], [0.5]])?;
    /// assert_eq!(tree.fit_predict(train, test.view())?, [false, true]);
    /// # Ok::<(), tailrank_models::ModelError>(())
    /// ```
    pub fn fit_predict(&self, train: ClassSet<'_>, test: MatrixView<'_>) -> Result<Vec<bool>> {
        for (name, value) in [("max_depth", self.max_depth), ("min_leaf", self.min_leaf)] {
            if value == 0 {
                return Err(ModelError::parameter(NAME, name, "0", "at least 1"));
            }
        }
        train.check_learnable()?;
        check_columns(train, test)?;
        let weights = train.positive.iter().map(|&p| if p { 1.0 - LIGHTER } else { 1.0 }).collect();
        let dataset = DatasetBase::new(to_array(train.x)?, Array1::from(train.positive.to_vec()))
            .with_weights(Array1::from_vec(weights));
        let tree = LinfaTree::<f64, bool>::params()
            .max_depth(Some(self.max_depth))
            // Between what `min_leaf` positive rows weigh and what one row less would.
            .min_weight_leaf(self.min_leaf as f32 - 0.5)
            .fit(&dataset)
            .map_err(|e: linfa::Error| ModelError::numerical(NAME, e.to_string()))?;
        let predicted: Array1<bool> = tree.predict(&to_array(test)?);
        Ok(predicted.to_vec())
    }
}
