//! Tables made elsewhere: predictions of any model, scores of any measure.

mod numbers;
mod predictions;
mod scored;
mod scores;
mod submission;

use std::path::Path;

pub use predictions::{ColumnNames, PredictionTable, predictions_of, read_predictions};
pub use scored::score_predictions;
pub use scores::{MeasureColumn, ScoreTable, ScoreTables, read_scores, scores_of};
pub use submission::read_submission;
use tailrank_data::frame::{self, Frame};

use crate::{EngineError, Result};

fn read_frame(path: &Path) -> Result<Frame> {
    let bytes = std::fs::read(path).map_err(|e| EngineError::io("read", path, e))?;
    frame_of(&path.display().to_string(), &bytes)
}

/// A file's bytes as columns; the name stands for it in messages.
fn frame_of(name: &str, bytes: &[u8]) -> Result<Frame> {
    frame::read(name, bytes).map_err(|e| refuse(Path::new(name), e))
}

fn refuse(path: &Path, problem: impl ToString) -> EngineError {
    EngineError::Input { path: path.to_owned(), problem: problem.to_string() }
}
