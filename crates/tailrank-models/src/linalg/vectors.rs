//! Operations on vectors, the same bits on every machine.
//!
//! Sums run in four lanes everywhere, in AVX2 registers where the processor has them and in plain numbers
//! elsewhere, and multiply-add is fused. Loops whose elements do not meet take the widest vectors there are.

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

/// [`vectorised`] for a closure.
#[inline(always)]
pub(crate) fn run_vectorised<R>(work: impl FnOnce() -> R) -> R {
    match Wide::detect() {
        Some(wide) => wide.run(work),
        None => run_narrow(work),
    }
}

/// [`run_vectorised`] without the vectors of [`Wide`]. `pulp` runs closures, too, but leaves large ones outside
/// the function that is compiled for the processor.
#[inline(always)]
pub(crate) fn run_narrow<R>(work: impl FnOnce() -> R) -> R {
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

/// Proof that the processor has vectors of 512 bits and 32 registers for them (AVX-512).
///
/// `pulp` offers them by a feature that half of the dependencies would have to be built for.
#[derive(Clone, Copy)]
pub(crate) struct Wide(());

impl Wide {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let found = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        let found = false;
        found.then_some(Self(()))
    }

    /// Runs plain loops compiled for these vectors.
    #[inline(always)]
    #[allow(unsafe_code, reason = "results/benchmarks/kernels.md: twice the speed of products")]
    pub(crate) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
            fn compiled<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
            // SAFETY: only `detect` makes a `Wide`, after it found every feature that `compiled` is built
            // with.
            unsafe { compiled(work) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        work()
    }
}

/// The sum over a vector.
#[inline(always)]
pub(crate) fn sum<S: Simd>(v: S::f64s) -> f64 {
    let v: [f64; LANES] = pulp::cast(v);
    (v[0] + v[2]) + (v[1] + v[3])
}

/// `target += factor · source`, fused.
pub(crate) fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    let source = &source[..target.len()];
    vectorised!({
        for (t, s) in target.iter_mut().zip(source) {
            *t = factor.mul_add(*s, *t);
        }
    });
}

/// Σ aᵢbᵢ in sixteen interleaved fused sums, then what is left over.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    with_four_lanes(Dot { a, b })
}

struct Dot<'a> {
    a: &'a [f64],
    b: &'a [f64],
}

impl WithSimd for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { a, b } = self;
        let whole = a.len() / (4 * LANES) * (4 * LANES);
        let (a, a_rest) = a.split_at(whole);
        let (b, b_rest) = b[..whole + a_rest.len()].split_at(whole);
        let (a, _) = S::as_simd_f64s(a);
        let (b, _) = S::as_simd_f64s(b);
        let mut sums = [simd.splat_f64s(0.0); 4];
        for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
            for k in 0..4 {
                sums[k] = simd.mul_add_f64s(a[k], b[k], sums[k]);
            }
        }
        let sums = simd.add_f64s(simd.add_f64s(sums[0], sums[1]), simd.add_f64s(sums[2], sums[3]));
        a_rest.iter().zip(b_rest).fold(sum::<S>(sums), |sum, (a, b)| a.mul_add(*b, sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_every_length() {
        for n in 0..70 {
            let a: Vec<f64> = (0..n).map(|i| f64::from(i) - 7.0).collect();
            let b: Vec<f64> = (0..n).map(|i| f64::from(i * i % 11)).collect();
            // Small whole numbers: exact in any order.
            assert_eq!(dot(&a, &b), a.iter().zip(&b).map(|(x, y)| x * y).sum::<f64>(), "{n}");
            let mut t = a.clone();
            add_scaled(&mut t, -3.0, &b);
            let want: Vec<f64> = a.iter().zip(&b).map(|(x, y)| x - 3.0 * y).collect();
            assert_eq!(t, want, "{n}");
        }
    }
}
