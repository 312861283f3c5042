//! The file of a finished cell: one column of predictions per variant, and how each fit ended.
//!
//! A file depends only on what its key names: no labels, places or times, so that the same cell is the same
//! bytes in every run.

use serde::{Deserialize, Serialize};
use tailrank_data::plain_parquet;
use tailrank_experiment::{digest::CellKey, threads::is_thread_exhaustion};
use tailrank_models::{Fit, ModelError, Params};

use crate::{EngineError, Result};

const NOTE: &str = "tailrank.cell";
const FORMAT: u32 = 1;
/// What came of one variant in one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellVariant {
    /// Canonical parameters.
    pub params: String,
    /// Predictions and how the fit ended, or why there are none.
    pub outcome: std::result::Result<CellFit, CellFailure>,
}

/// A fit that gave predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct CellFit {
    /// One per test row, then one per validation row.
    pub predictions: Vec<f64>,
    /// False when an iteration limit ended the fit.
    pub converged: bool,
    /// Facts the family reports: iterations, gaps, terms.
    pub details: Vec<(String, f64)>,
}

/// What kind of end a fit came to that gave no predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// The family said why.
    Error,
    /// The family panicked.
    Panic,
    /// It was stopped at the time limit.
    Timeout,
    /// It was not begun, because it would need more memory than it may use.
    Refused,
    /// The process of an isolated cell used more memory than it may.
    Memory,
    /// A signal ended the process of an isolated cell.
    Signal,
    /// The machine's fault: never stored.
    System,
}

/// Why a fit gave none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellFailure {
    /// What kind of end it was.
    pub kind: FailureKind,
    /// What happened.
    pub reason: String,
    /// The time limit, for a `timeout`: under another limit the cell is fitted again.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit_ms: Option<u64>,
    /// The memory limit, for `memory` and `refused`: under another limit, or a larger one, the cell is fitted
    /// again.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit_mb: Option<usize>,
}

impl CellFailure {
    /// A failure of a kind.
    pub fn new(kind: FailureKind, reason: &str) -> Self {
        Self { kind, reason: reason.to_owned(), limit_ms: None, limit_mb: None }
    }

    /// A fit that panicked; a thread that cannot be started is the machine's fault.
    pub(crate) fn panicked(message: &str) -> Self {
        match is_thread_exhaustion(message) {
            true => Self::new(FailureKind::System, message),
            false => Self::new(FailureKind::Panic, &format!("panicked: {message}")),
        }
    }
}

impl CellVariant {
    /// From a family's answer.
    pub fn new(params: &Params, answer: std::result::Result<Fit, ModelError>) -> Self {
        let fit = |fit: Fit| CellFit {
            predictions: fit.predictions,
            converged: fit.converged,
            details: fit.details.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        };
        let failure = |e: ModelError| {
            let reason = e.to_string();
            match e {
                ModelError::Cancelled => CellFailure::new(FailureKind::Timeout, "stopped at the time limit"),
                ModelError::Memory { .. } => CellFailure::new(FailureKind::Refused, &reason),
                ModelError::System { problem } => CellFailure::new(FailureKind::System, &problem),
                _ if is_thread_exhaustion(&reason) => CellFailure::new(FailureKind::System, &reason),
                _ => CellFailure::new(FailureKind::Error, &reason),
            }
        };
        Self { params: params.to_string(), outcome: answer.map(fit).map_err(failure) }
    }

    /// The variants of a cell that failed as a whole.
    pub(crate) fn all_failed(params: &[Params], failure: &CellFailure) -> Vec<Self> {
        let failed = |p: &Params| Self { params: p.to_string(), outcome: Err(failure.clone()) };
        params.iter().map(failed).collect()
    }

    /// What the machine, not the model, did wrong.
    pub(crate) fn system_error(&self) -> Option<&str> {
        self.outcome.as_ref().err().filter(|f| f.kind == FailureKind::System).map(|f| f.reason.as_str())
    }

    /// Whether a limit of time or memory ended the fit.
    pub(crate) fn stopped_by_limit(&self) -> bool {
        use FailureKind::{Memory, Refused, Timeout};
        self.outcome.as_ref().is_err_and(|f| matches!(f.kind, Timeout | Memory | Refused))
    }
}

#[derive(Serialize, Deserialize)]
struct Note {
    format: u32,
    /// The cell's key: a file under another cell's name is not that cell's.
    key: String,
    rows: usize,
    variants: Vec<VariantNote>,
}

#[derive(Serialize, Deserialize)]
struct VariantNote {
    params: String,
    converged: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    details: Vec<(String, f64)>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    failure: Option<CellFailure>,
}

/// A cell as the bytes of its file.
pub fn encode(key: &CellKey, rows: usize, variants: &[CellVariant]) -> Result<Vec<u8>> {
    // Two engines may share a parameter list, so the place keeps names apart.
    let names: Vec<String> =
        variants.iter().enumerate().map(|(i, variant)| column_name(i, &variant.params)).collect();
    let fitted = names.iter().zip(variants).filter_map(|(name, v)| Some((name, v.outcome.as_ref().ok()?)));
    let columns: Vec<(&str, &[f64])> =
        fitted.map(|(name, fit)| (name.as_str(), fit.predictions.as_slice())).collect();
    let note = |variant: &CellVariant| {
        let outcome = variant.outcome.as_ref();
        VariantNote {
            params: variant.params.clone(),
            converged: outcome.is_ok_and(|fit| fit.converged),
            details: outcome.map_or_else(|_| Vec::new(), |fit| fit.details.clone()),
            failure: outcome.err().cloned(),
        }
    };
    let variants = variants.iter().map(note).collect();
    let note = Note { format: FORMAT, key: key.as_str().to_owned(), rows, variants };
    let note = serde_json::to_string(&note).map_err(|e| EngineError::internal("cell file", e))?;
    plain_parquet::write(&columns, &[(NOTE, &note)]).map_err(|e| EngineError::internal("cell file", e))
}

/// The key and the variants of a cell from the bytes of its file; the reason if they are none.
pub fn decode(bytes: &[u8]) -> std::result::Result<(String, Vec<CellVariant>), String> {
    let mut file = plain_parquet::read(bytes).ok_or("it is no file that this version writes")?;
    let note = file.notes.iter().find(|(key, _)| key == NOTE).ok_or("it has no cell note")?;
    let note: Note = serde_json::from_str(&note.1).map_err(|e| format!("its note cannot be read: {e}"))?;
    if note.format != FORMAT {
        return Err(format!("it has format {}, this version reads {FORMAT}", note.format));
    }
    let mut variants = Vec::with_capacity(note.variants.len());
    // Columns stand in the order of their variants; those that failed have none.
    let mut columns = file.columns.drain(..);
    for (i, v) in note.variants.into_iter().enumerate() {
        let outcome = match v.failure {
            Some(failure) => Err(failure),
            None => match columns.next() {
                Some((name, predictions))
                    if name == column_name(i, &v.params) && predictions.len() == note.rows =>
                {
                    Ok(CellFit { predictions, converged: v.converged, details: v.details })
                }
                _ => return Err(format!("predictions of variant {} are missing", i + 1)),
            },
        };
        variants.push(CellVariant { params: v.params, outcome });
    }
    Ok((note.key, variants))
}

/// A cell from the bytes of its file, checked against its key and what the plan expects of it.
pub fn decode_for(
    bytes: &[u8],
    key: &CellKey,
    rows: usize,
    params: &[Params],
) -> std::result::Result<Vec<CellVariant>, String> {
    let (found, variants) = decode(bytes)?;
    if found != key.as_str() {
        return Err("it is the file of another cell under this one's name".to_owned());
    }
    if !variants.iter().map(|v| v.params.clone()).eq(params.iter().map(Params::to_string)) {
        return Err("it holds other variants than its name says".to_owned());
    }
    match variants.iter().filter_map(|v| v.outcome.as_ref().ok()).find(|fit| fit.predictions.len() != rows) {
        Some(fit) => Err(format!("it holds {} predictions for {rows} rows", fit.predictions.len())),
        None => Ok(variants),
    }
}

fn column_name(place: usize, params: &str) -> String {
    format!("{} {params}", place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(params: &str, kind: FailureKind, reason: &str) -> CellVariant {
        CellVariant { params: params.to_owned(), outcome: Err(CellFailure::new(kind, reason)) }
    }

    #[test]
    fn a_cell_comes_back_as_it_went() {
        let cell = vec![
            CellVariant {
                params: "cost=1".to_owned(),
                outcome: Ok(CellFit {
                    predictions: vec![0.1, -2.5e-300, 3.0],
                    converged: false,
                    details: vec![("iterations".to_owned(), 12.0)],
                }),
            },
            failed("cost=2", FailureKind::Panic, "boom"),
        ];
        let bytes = encode(&CellKey::of("c"), 3, &cell).unwrap();
        assert_eq!(decode(&bytes).unwrap().1, cell);
        assert_eq!(bytes, encode(&CellKey::of("c"), 3, &cell).unwrap());
    }

    #[test]
    fn a_cell_without_any_fit_comes_back() {
        let cell = vec![failed("a=1", FailureKind::Timeout, "stopped at the time limit")];
        assert_eq!(decode(&encode(&CellKey::of("c"), 3, &cell).unwrap()).unwrap().1, cell);
    }

    #[test]
    fn a_file_under_another_name_is_refused() {
        let (params, mine, other) = (Params::new(), CellKey::of("mine"), CellKey::of("other"));
        let cell = vec![failed(&params.to_string(), FailureKind::Error, "no")];
        let grid = [params];
        assert_eq!(decode_for(&encode(&mine, 3, &cell).unwrap(), &mine, 3, &grid).unwrap(), cell);
        let forged = decode_for(&encode(&other, 3, &cell).unwrap(), &mine, 3, &grid).unwrap_err();
        assert!(forged.contains("another cell"), "{forged}");
    }
}
