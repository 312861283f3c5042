//! The threads of a command: as many as the system gives, or an error that says how many are needed.

use std::thread::{self, available_parallelism};

use tailrank_experiment::threads::{SMALL_STACK, STACK};

use super::{Failure, Result};

/// More fits at the same time gain nothing on any machine, and take a thread each.
const MOST_JOBS: usize = 1024;

/// Threads beside those that compute: one each for a cell, signals, deadlines and a program's output.
const BESIDE: usize = 4;

/// Fits at the same time: as many as asked for, else one per core; fewer where the system gives fewer
/// threads.
///
/// To be called before anything computes: a pool that cannot start its threads later ends the process.
pub(crate) fn use_threads(asked: Option<usize>) -> Result<usize> {
    let cores = available_parallelism().map_or(1, usize::from);
    let jobs = asked.unwrap_or(cores).clamp(1, MOST_JOBS);
    // The data layer has a pool of its own, of this size.
    let of_data = std::env::var("POLARS_MAX_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(cores);
    let pool = jobs.min(cores);
    let free = free_threads(of_data + pool + BESIDE);
    let least = of_data + 1 + BESIDE;
    if free < least {
        return Err(Failure::Other(format!(
            "this needs {least} threads and the system gives {free}; raise the limit of processes (ulimit -u), or set \
             POLARS_MAX_THREADS=1"
        )));
    }
    let pool = pool.min(free - of_data - BESIDE);
    // Nested parallelism of the families goes to this pool, which takes no more threads than there are cores.
    match rayon::ThreadPoolBuilder::new().num_threads(pool).stack_size(STACK).build_global() {
        Err(e) if std::error::Error::source(&e).is_some() => Err(Failure::Other(format!(
            "cannot start {pool} threads ({e}); give a smaller --jobs, or raise the limit of processes (ulimit -u)"
        ))),
        // A pool set twice (in tests) is no harm.
        _ => Ok(if free < of_data + jobs.min(cores) + BESIDE { pool } else { jobs }),
    }
}

/// How many of `wanted` threads the system gives at the same time.
fn free_threads(wanted: usize) -> usize {
    let spawn = |_| thread::Builder::new().stack_size(SMALL_STACK).spawn(thread::park).ok();
    let waiting: Vec<_> = (0..wanted).map_while(spawn).collect();
    let free = waiting.len();
    for thread in waiting {
        thread.thread().unpark();
        let _ = thread.join();
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_and_given_back() {
        assert_eq!((free_threads(3), free_threads(0)), (3, 0));
    }
}
