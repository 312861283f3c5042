//! Times the bootstrap of many scores on request, for `scripts/bench/resamples.py`.
//!
//!     cargo run --release -p tailrank-stats --example resample_timings [cases draws variants terms block]
//!
//! Without arguments: the size of one task of the stock-returns study (4668 × 1000 × 57 × 10) for several
//! blocks, the confidence sets, and how time grows with cases, draws and columns. Times are CPU seconds where
//! the system tells them (Linux).
#![allow(clippy::print_stdout)]

use std::{error::Error, sync::OnceLock, time::Instant};

use tailrank_stats::{Better, Draws, Resamples, best_shares, confidence_set_of_scores};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<f64> = std::env::args().skip(1).map(|a| a.parse()).collect::<Result<_, _>>()?;
    if let [cases, draws, variants, terms, block] = arguments[..] {
        let (seconds, _) = scores(cases as usize, draws as usize, variants as usize, terms as usize, block)?;
        println!("{seconds:.6}");
        return Ok(());
    }
    println!("sums of 57 variants x 10 terms, 4668 cases, 1000 draws, one thread");
    for block in [1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0] {
        println!("  block {block:>4}: {:.3} s", scores(4668, 1000, 57, 10, block)?.0);
    }
    println!("growth, block 5");
    for (n, b, k) in
        [(4668, 1000, 57), (9336, 1000, 57), (4668, 2000, 57), (4668, 1000, 114), (46_680, 1000, 57)]
    {
        println!("  {n:>6} cases, {b} draws, {k:>3} variants: {:.3} s", scores(n, b, k, 10, 5.0)?.0);
    }
    println!("from 1000 draws of k scores: P(best), T_max");
    for k in [57, 200, 1000] {
        let (_, draws) = scores(500, 1000, k, 1, 5.0)?;
        let observed: Vec<f64> = draws.iter().map(|c| c.iter().sum::<f64>() / c.len() as f64).collect();
        let mut times = Vec::new();
        let start = cpu_seconds();
        let shares = best_shares(&draws, Better::Lower);
        times.push(cpu_seconds() - start);
        let start = cpu_seconds();
        let set = confidence_set_of_scores(&observed, &draws, Better::Lower)?;
        times.push(cpu_seconds() - start);
        assert!(set.order.len() == k && shares.len() == k);
        println!("  k {k:>4}: {:.4} s, {:.3} s", times[0], times[1]);
    }
    Ok(())
}

fn scores(
    cases: usize,
    draws: usize,
    variants: usize,
    terms: usize,
    block: f64,
) -> Result<(f64, Draws), Box<dyn Error>> {
    let mut state = 1u64;
    let mut scattered = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let columns: Vec<Vec<f64>> =
        (0..variants * terms).map(|_| (0..cases).map(|_| scattered()).collect()).collect();
    let start = cpu_seconds();
    let resamples = Resamples::stationary(cases, block, draws, 1)?;
    let scores = resamples.scores(&columns, terms, 1, |sums, out| out[0] = sums.iter().sum())?;
    Ok((cpu_seconds() - start, scores.into_iter().next().ok_or("no scores")?))
}

/// CPU time of this process so far; the clock's where the system does not tell.
fn cpu_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/self/schedstat");
    let nanoseconds = told.ok().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| ns / 1e9)
}
