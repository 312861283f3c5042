//! The stacks of threads, so that neither `ulimit -s` nor RUST_MIN_STACK decides whether a run ends.

/// Of a thread that fits cells: what Rust gives a thread by default. Trees are grown without recursion, and
/// files are read to a bounded depth.
pub const STACK: usize = 2 << 20;

/// Of a thread that only waits and tells.
pub const SMALL_STACK: usize = 256 << 10;

/// Whether a panic's message says that no thread could be started: the standard library's words, and rayon's.
pub fn is_thread_exhaustion(message: &str) -> bool {
    ["failed to spawn thread", "global thread pool has not been initialized", "ThreadPoolBuildError"]
        .iter()
        .any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn want_of_threads_is_told_from_other_panics() {
        let of_std = format!("failed to spawn thread: {:?}", std::io::Error::from_raw_os_error(11));
        assert!(is_thread_exhaustion(&of_std));
        assert!(!is_thread_exhaustion("index 7 out of bounds"));
    }
}
