//! A family that fails on demand, for testing that one bad model cannot end a run.

use std::{thread, time::Duration};

use tailrank_models::{
    Cost, Family, Fit, FitContext, Job, ModelError, ParamKind, ParamSpec, Params, Result, Shape,
};

/// Errors, panics, hangs, or answers with NaN or too few predictions. Hidden from lists.
#[derive(Clone, Copy, Debug)]
pub struct DebugFamily;

const FAULTS: &[&str] = &[
    "none",
    "error",
    "panic",
    "abort",
    "allocate",
    "hang",
    "ignore_cancel",
    "nan",
    "short",
    "not_converged",
];

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec { name: "fault", kind: ParamKind::Choice(FAULTS), default: "none", doc: "what goes wrong" },
    ParamSpec {
        name: "id",
        kind: ParamKind::Int { min: 0, max: i64::MAX },
        default: "0",
        doc: "tells variants apart; the prediction is the training mean plus id",
    },
    ParamSpec {
        name: "sleep_ms",
        kind: ParamKind::Int { min: 0, max: 3_600_000 },
        default: "0",
        doc: "time the fit takes",
    },
];

impl Family for DebugFamily {
    fn name(&self) -> &'static str {
        "debug"
    }

    fn version(&self) -> u32 {
        1
    }

    fn summary(&self) -> &'static str {
        "fails on demand"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        PARAMETERS
    }

    fn estimate(&self, _: Shape, variants: &[Params]) -> Cost {
        let ms: i64 = variants.iter().map(|v| v.int("sleep_ms", 0)).sum();
        Cost { cpu_seconds: ms as f64 / 1000.0, bytes: 0 }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        variants.iter().map(|v| fit(job, v)).collect()
    }
}

fn fit(job: Job<'_>, variant: &Params) -> Result<Fit> {
    let Job { train, test, context } = job;
    let pause = Duration::from_millis(variant.int("sleep_ms", 0).unsigned_abs());
    thread::sleep(pause);
    let mean = train.y.iter().sum::<f64>() / train.y.len() as f64;
    let mut fit = Fit::converged(vec![mean + variant.int("id", 0) as f64; test.rows()]);
    match variant.text("fault", "none") {
        "error" => {
            return Err(ModelError::Numerical { family: "debug", problem: "failed on demand".to_owned() });
        }
        #[allow(clippy::panic, reason = "the fault asked for")]
        "panic" => panic!("panicked on demand"),
        "abort" => std::process::abort(),
        "allocate" => hoard(context)?,
        "hang" => loop {
            context.check()?;
            thread::sleep(Duration::from_millis(5));
        },
        "ignore_cancel" => loop {
            thread::sleep(Duration::from_secs(3600));
        },
        "nan" => fit.predictions.iter_mut().for_each(|p| *p = f64::NAN),
        "short" => fit.predictions.truncate(test.rows() / 2),
        "not_converged" => fit.converged = false,
        _ => {}
    }
    Ok(fit)
}

/// Fills twice the memory that the cell may have: enough to break its limit, not the machine.
fn hoard(context: &FitContext) -> Result<()> {
    const BLOCK: usize = 16 << 20;
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    while blocks.len() * BLOCK < 2 * context.memory_bytes {
        context.check()?;
        blocks.push(std::hint::black_box(vec![1; BLOCK]));
    }
    Ok(())
}
