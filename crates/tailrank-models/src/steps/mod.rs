//! Recipes: steps that teach a family to mind the rare values, then the family.
//!
//! Models fitted by squared error shrink towards the mean and never signal an extreme. A [`Recipe`] changes
//! what a family learns from, or what is made of its answer, without touching the family:
//!
//! | kind | steps | what changes |
//! |---|---|---|
//! | weights | `phi`, `dense`, `lds` | how much each training row counts |
//! | re-sampling | `under`, `over`, `smote`, `noise`, `smogn`, `wercs`, `bag` | which rows there are |
//! | decisions | `stretch`, `calibrate` | a map from predictions to predictions |
//!
//! [`STEPS`] lists them with their parameters. SERA is Σφ(y)(ŷ − y)², so a family that minimises squared
//! error under the weights `phi` with `floor = 0` minimises SERA: "SERA-optimal boosting" is boosting with
//! these weights.
//!
//! **What a step may see.** The training rows of one split, after purging, and nothing else
//! ([`StepContext`]). Test rows are never re-sampled. `stretch` and `calibrate` are learned from out-of-fold
//! predictions of training rows. A synthetic row knows its parents ([`Prepared::parents`]).
//!
//! **Bumps.** Re-sampling sorts the training rows by target; a bump ends wherever the relevance φ crosses
//! `threshold`, and is rare if its mean φ is at least that (Torgo, Ribeiro, Pfahringer & Branco 2013; Branco,
//! Torgo & Ribeiro 2016, 2019, as in R's UBL 0.0.9, whose counts are kept). Where UBL goes wrong this crate
//! does not follow: a single rare row is not copied thousands of times, a bump of three rows does not end the
//! program, `pert` is heeded, all inputs and the target of a synthetic row share one place between its
//! parents, "extreme" without a normal row left is refused.
//!
//! **Sharing.** One application of the steps serves every variant of a grid. Randomness comes from
//! [`FitContext::rng`](crate::FitContext::rng) under the recipe's own name, so it does not depend on family,
//! threads or order.
//!
//! ```
//! use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, steps::{Recipe, Step, StepContext}};
//!
//! // Forty ordinary rows and four rare ones.
//! let x = Matrix::new(44, 1, (0..44).map(f64::from).collect())?;
//! let y: Vec<f64> = (0..44).map(|i| if i < 40 { f64::from(i % 5) } else { 20.0 + f64::from(i) }).collect();
//! let relevance = |y: f64| if y > 10.0 { 1.0 } else { 0.0 };
//!
//! let smote = Step::parse(&Params::new().with("resample", "smote").with("k", 3))?;
//! let recipe = Recipe::new(vec![smote])?;
//! assert!(recipe.uses_relevance());
//! let context = StepContext { relevance: Some(&relevance), ..StepContext::new(TrainSet::new(x.view(), &y)) };
//!
//! // What the family will learn from: 22 rows of either kind.
//! let prepared = recipe.prepare(&context, &FitContext::new(1))?;
//! assert_eq!(prepared[0].y().iter().filter(|y| **y > 10.0).count(), 22);
//!
//! let test = Matrix::new(1, 1, vec![42.0])?;
//! let grid = [Params::new().with("trees", 10), Params::new().with("trees", 50)];
//! let fits = recipe.fit_grid(family("forest", None)?, &context, test.view(), &grid, &FitContext::new(1))?;
//! assert!(fits[1].as_ref().unwrap().predictions[0] > 50.0);
//! # Ok::<(), tailrank_models::ModelError>(())
//! ```

mod calibrate;
mod choose;
mod context;
mod create;
mod draw;
mod neighbours;
mod recipe;
mod share;
mod step;
mod stretch;
mod synthetic;
mod table;
mod weights;

pub use calibrate::Isotonic;
pub use context::{Folds, Measure, Prepared, Relevance, Rows, StepContext};
pub use neighbours::{Distance, Neighbours};
pub use recipe::Recipe;
pub use share::{Bump, bumps};
pub use step::{Action, Decide, Decision, Resample, Step, StepSpec, Weigh};

/// Every built-in step, in the order of lists. To add one: its module, and its row here.
pub const STEPS: &[StepSpec] = &[
    weights::PHI,
    weights::DENSE,
    weights::LDS,
    choose::UNDER,
    choose::OVER,
    create::SMOTE,
    create::NOISE,
    create::SMOGN,
    choose::WERCS,
    choose::BAG,
    stretch::F,
    stretch::UTILITY,
    calibrate::STEP,
];
