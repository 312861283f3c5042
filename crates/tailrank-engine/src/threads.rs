//! The stacks of threads, so that neither `ulimit -s` nor RUST_MIN_STACK decides whether a run ends.

/// Of a thread that fits cells: what Rust gives a thread by default. Trees are grown without recursion, and files are read to a
/// bounded depth.
pub const STACK: usize = 2 << 20;

/// Of a thread that only waits and tells.
pub(crate) const SMALL_STACK: usize = 256 << 10;
