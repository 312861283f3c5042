//! How often a division may be repeated.

/// Every repeat is a split with its own rows and cells; far fewer tell what there is to tell.
const MOST_REPEATS: usize = 10_000;

pub(super) fn is_count_of_repeats(repeats: usize) -> bool {
    (1..=MOST_REPEATS).contains(&repeats)
}

pub(super) fn between_repeats(repeats: usize) -> String {
    format!("{repeats} must lie between 1 and {MOST_REPEATS}")
}
