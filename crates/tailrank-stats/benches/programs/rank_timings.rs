//! Times rank statistics on request, for `scripts/bench/ranks.py`.
//!
//! Commands come one a line on standard input; each is answered by a line `seconds value`.
//!
//! - `load FILE`: reads little-endian f64, first half x, second half y (answers `0 n`)
//! - `kendall`: τ-b with its asymptotic p value
//! - `permutations COUNT`: permutation tests of ρ and τ
//! - `sorts COUNT`: sorts that many random orders of x
#![allow(clippy::print_stdout)]

use std::{
    error::Error,
    io::{BufRead, Write},
    time::Instant,
};

use tailrank_stats::{Alternative, CorrelationMethod, kendall_test, permutation_test};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
        let (seconds, value) = match command {
            "load" => {
                let bytes = std::fs::read(argument)?;
                let values: Vec<f64> =
                    bytes.as_chunks::<8>().0.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
                let (first, second) = values.split_at(values.len() / 2);
                (x, y) = (first.to_vec(), second.to_vec());
                (0.0, x.len() as f64)
            }
            "kendall" => {
                let start = Instant::now();
                let answer = kendall_test(&x, &y, CorrelationMethod::Asymptotic, Alternative::TwoSided)?;
                (start.elapsed().as_secs_f64(), answer.estimate.unwrap_or(f64::NAN))
            }
            "permutations" => {
                let start = Instant::now();
                let answer = permutation_test(&x, &y, argument.parse()?, 1, Alternative::TwoSided)?;
                (start.elapsed().as_secs_f64(), answer.tau.p_value)
            }
            "sorts" => sorts(&x, argument.parse()?),
            other => {
                return Err(
                    format!("unknown command {other}: use load, kendall, permutations or sorts").into()
                );
            }
        };
        println!("{seconds} {value}");
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// Sorts random orders of `values`; only the sorting is timed but for copying the row.
fn sorts(values: &[f64], count: usize) -> (f64, f64) {
    // 1024 different orders: enough that the branch predictor cannot learn them.
    const ORDERS: usize = 1024;
    let mut state = 1u64;
    let mut orders = values.repeat(ORDERS);
    for order in orders.chunks_mut(values.len().max(1)) {
        for i in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            order.swap(i, (state >> 33) as usize % (i + 1));
        }
    }
    let mut row = values.to_vec();
    let mut sum = 0.0;
    let start = Instant::now();
    for i in 0..count {
        let from = i % ORDERS * values.len();
        row.copy_from_slice(&orders[from..from + values.len()]);
        row.sort_unstable_by(f64::total_cmp);
        sum += row[values.len() / 2];
    }
    (start.elapsed().as_secs_f64(), sum)
}
