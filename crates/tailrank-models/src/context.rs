//! What a fit may use besides the data: randomness, memory, and whether to go on.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{ModelError, Result};

/// Tells a running fit to stop.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
}

impl Cancel {
    /// Asks every fit that holds this token to stop.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// What a fit may use besides the data.
#[derive(Clone, Debug)]
pub struct FitContext {
    /// Names the randomness of this cell: the experiment's seed, task and split, already hashed together.
    pub seed: u64,
    /// Memory the fit may use for caches and kernel matrices.
    pub memory_bytes: usize,
    /// Whether to go on.
    pub cancel: Cancel,
    /// The inputs before they became numbers, for a family that [asks for them](crate::Family::takes_raw).
    /// None where steps made the training rows, which then exist as numbers only.
    pub raw: Option<Arc<RawInputs>>,
    /// What the rows are called, where that is known. No prediction may depend on it unless the cell's key
    /// says so.
    pub names: Option<Arc<RowNames>>,
}

impl FitContext {
    /// A context with 1 GiB of memory.
    pub fn new(seed: u64) -> Self {
        Self { seed, memory_bytes: 1 << 30, cancel: Cancel::default(), raw: None, names: None }
    }

    /// The random stream of one purpose.
    ///
    /// It depends only on the seed and the names given, never on thread count or order. Variants that share
    /// work pass what they share as `variant`, so that each gets the same numbers alone and inside any grid.
    pub fn rng(&self, family: &str, variant: &str, stream: u64) -> ChaCha8Rng {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed.to_le_bytes());
        // Lengths first, so that no two pairs of names run together into the same bytes.
        for name in [family, variant] {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
        }
        hasher.update(&stream.to_le_bytes());
        ChaCha8Rng::from_seed(*hasher.finalize().as_bytes())
    }

    /// An error once the fit should stop; call it in every long loop.
    pub fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() { Err(ModelError::Cancelled) } else { Ok(()) }
    }
}

/// One input column of some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RawColumn {
    /// Its name in the data.
    pub name: String,
    /// One value per row.
    pub values: RawValues,
}

/// The values of a column; gaps are kept.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValues {
    /// Numbers; a gap is NaN.
    Numbers(Vec<f64>),
    /// Categories, each a place in `levels`; a gap is `None`.
    Categories {
        /// One per row.
        codes: Vec<Option<u32>>,
        /// The categories of the whole data set, in its order.
        levels: Arc<[String]>,
    },
}

/// What rows are called, for families that pass it on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowNames {
    /// The task the rows belong to.
    pub task: String,
    /// The columns of the inputs as numbers.
    pub inputs: Vec<String>,
}

/// The inputs of a cell's rows, for families that make their own numbers of them.
#[derive(Clone, Debug, PartialEq)]
pub struct RawInputs {
    /// Columns of the training rows, in the order of the encoded ones.
    pub train: Vec<RawColumn>,
    /// Columns of the test rows.
    pub test: Vec<RawColumn>,
}
