//! What a test says when it cannot check something here; test crates take it in by `#[path]`.

#![allow(dead_code, reason = "no test crate needs all of it")]

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// How often a slow test does what it does: often where `TAILRANK_SLOW` is set, as in CI, a few times
/// elsewhere.
pub(crate) fn times(often: usize, few: usize) -> usize {
    if env::var_os("TAILRANK_SLOW").is_some() { often } else { few }
}

/// Something `.ci/run` installs is missing: a failure where `TAILRANK_STRICT` is set.
pub(crate) fn for_want_of(what: &str) {
    assert!(
        env::var_os("TAILRANK_STRICT").is_none(),
        "TAILRANK_STRICT is set, and {what} is missing: install it, or unset the variable"
    );
    for_good_reason(&format!("{what} is missing"));
}

/// What is missing cannot be installed, such as data that may not be passed on: said, whatever is set.
pub(crate) fn for_good_reason(why: &str) {
    let count = 1 + COUNT.fetch_add(1, Ordering::Relaxed);
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    // Not by `eprintln!`, which the test harness keeps from view when a test passes.
    let _ = writeln!(io::stderr(), "skipped ({count}) {test}: {why}");
}

/// A file of data that may not be passed on, in the folder `TAILRANK_CHECK_DATA` or in `shared/data` beside
/// the repository.
pub(crate) fn check_data(name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(2).map(|a| a.join("shared/data"));
    let named = env::var_os("TAILRANK_CHECK_DATA").map(PathBuf::from);
    let found = named.into_iter().chain(beside).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        for_good_reason(&format!(
            "{name} is neither in TAILRANK_CHECK_DATA nor in shared/data beside the repository"
        ));
    }
    found
}
