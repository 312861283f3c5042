//! Vectors of four numbers on every machine.
//!
//! AVX2 registers where the processor has them, four plain numbers elsewhere. The width is fixed and
//! multiply-add is fused everywhere, so the results are the same bits on every machine.

use pulp::{Arch, Scalar256b, Simd, WithSimd};

/// Numbers in a vector.
pub(crate) const LANES: usize = 4;

/// Runs `op` with vectors of [`LANES`] numbers.
pub(crate) fn with_four_lanes<Op: WithSimd>(op: Op) -> Op::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return Simd::vectorize(simd, op);
    }
    Simd::vectorize(Scalar256b, op)
}

/// Runs plain loops compiled for the vectors of the processor at hand; every operation rounds as written.
/// What they call must be `#[inline(always)]`.
macro_rules! vectorised {
    ($work:expr) => {
        $crate::linalg::run_vectorised(
            #[inline(always)]
            || $work,
        )
    };
}

pub(crate) use vectorised;

/// [`vectorised`] for a closure. `pulp` runs closures, too, but leaves large ones outside the function that is
/// compiled for the processor.
#[inline(always)]
pub(crate) fn run_vectorised<R>(work: impl FnOnce() -> R) -> R {
    struct Work<F>(F);

    impl<R, F: FnOnce() -> R> WithSimd for Work<F> {
        type Output = R;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> R {
            (self.0)()
        }
    }

    Arch::new().dispatch(Work(work))
}

/// The sum over a vector.
#[inline(always)]
pub(crate) fn sum<S: Simd>(v: S::f64s) -> f64 {
    let v: [f64; LANES] = pulp::cast(v);
    (v[0] + v[2]) + (v[1] + v[3])
}
