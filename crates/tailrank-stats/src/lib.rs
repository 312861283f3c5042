//! Ranks, rank correlation, tests and corrections for comparing models.
