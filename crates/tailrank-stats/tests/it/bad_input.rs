//! What a user reads when the input is wrong: what, where (row from 1) and how to fix it.

use crate::fixture::ranked;

use tailrank_stats::{
    Alternative, Better, Correction, CorrelationMethod, LongRunVariance, PostHoc, StatsError, WilcoxonMethod,
    adjust, automatic_block_length, average_ranks, cliques, corrected_resampled_t, critical_difference,
    diebold_mariano, friedman, kendall_tau, kendall_test, paired_t, permutation_test, rank_biased_overlap,
    rank_scores, sign_test, spearman_rho, spearman_test, studentized_range_quantile, top_k_overlap,
    wilcoxon_signed_rank,
};

const BOTH: Alternative = Alternative::TwoSided;

fn message<T: std::fmt::Debug>(result: Result<T, StatsError>) -> String {
    result.unwrap_err().to_string()
}

/// A function of two parallel vectors, reduced to its success.
type Paired = fn(&[f64], &[f64]) -> Result<(), StatsError>;

const PAIRED: [(&str, Paired); 11] = [
    ("kendall_tau", |x, y| kendall_tau(x, y).map(drop)),
    ("kendall_test", |x, y| kendall_test(x, y, CorrelationMethod::Auto, BOTH).map(drop)),
    ("spearman_rho", |x, y| spearman_rho(x, y).map(drop)),
    ("spearman_test", |x, y| spearman_test(x, y, CorrelationMethod::Auto, BOTH).map(drop)),
    ("permutation_test", |x, y| permutation_test(x, y, 10, 1, BOTH).map(drop)),
    ("paired_t", |x, y| paired_t(x, y, BOTH).map(drop)),
    ("corrected_resampled_t", |x, y| corrected_resampled_t(x, y, 9, 1, BOTH).map(drop)),
    ("sign_test", |x, y| sign_test(x, y, BOTH).map(drop)),
    ("wilcoxon", |x, y| wilcoxon_signed_rank(x, y, WilcoxonMethod::Auto, BOTH).map(drop)),
    ("diebold_mariano", |x, y| diebold_mariano(x, y, 1, LongRunVariance::Rectangular, BOTH).map(drop)),
    ("rank_biased_overlap", |x, y| rank_biased_overlap(x, y, 0.9).map(drop)),
];

#[test]
fn every_paired_function_refuses_lengths_nan_infinity_and_nothing() {
    let good = [1.0, 3.0, 2.0, 5.0];
    for (name, call) in PAIRED {
        assert!(call(&good, &[2.0, 1.0, 4.0, 3.5]).is_ok(), "{name}");
        assert_eq!(
            message(call(&good, &[1.0, 2.0, 3.0])),
            "x has 4 rows but y has 3: give one value per case in both",
            "{name}"
        );
        assert_eq!(
            message(call(&good, &[1.0, f64::NAN, 3.0, 4.0])),
            "y row 2 is NaN: every value must be finite; drop or impute that case",
            "{name}"
        );
        assert_eq!(
            message(call(&[1.0, 2.0, 3.0, f64::INFINITY], &good)),
            "x row 4 is inf: every value must be finite; drop or impute that case",
            "{name}"
        );
        assert!(matches!(call(&[], &[]), Err(StatsError::TooFew { rows: 0, .. })), "{name}");
    }
}

#[test]
fn too_few_rows_are_named_with_the_number_needed() {
    assert_eq!(
        message(kendall_tau(&[1.0], &[1.0])),
        "Kendall's rank correlation needs 2 or more usable rows, and x has 1: add cases"
    );
    assert_eq!(
        message(spearman_test(&[1.0, 2.0], &[1.0, 2.0], CorrelationMethod::Auto, BOTH)),
        "Spearman's rank correlation needs 3 or more usable rows, and x has 2: add cases"
    );
    assert_eq!(
        message(wilcoxon_signed_rank(&[1.0, 2.0], &[1.0, 2.0], WilcoxonMethod::Auto, BOTH)),
        "Wilcoxon's signed-rank test needs 1 or more usable rows, and x - y has 0: \
         x and y are equal everywhere; there is no difference to test"
    );
    assert_eq!(
        message(sign_test(&[1.0], &[1.0], BOTH)),
        "Sign test needs 1 or more usable rows, and x - y has 0: \
         x and y are equal everywhere; there is no difference to test"
    );
    assert!(message(average_ranks(&[])).starts_with("ranking needs 1 or more usable rows, and values has 0"));
    assert!(message(rank_scores(&[], Better::Lower)).contains("usable rows, and scores has 0"));
    assert!(message(automatic_block_length(&[1.0; 5])).contains("needs 10 or more"));
    let one = ranked(&[[1.0, 2.0]], Better::Lower).unwrap();
    assert_eq!(
        message(friedman(&one)),
        "Friedman's test needs 2 or more usable rows, and the table has 1: add cases"
    );
    assert_eq!(
        message(ranked(&[[1.0], [2.0]], Better::Lower)),
        "a rank table needs 2 or more usable rows, and models has 1: rank at least two models on one task"
    );
}

#[test]
fn all_ties_are_undefined() {
    let (flat, rising) = ([2.0; 4], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(
        message(kendall_tau(&rising, &flat)),
        "y does not vary, so Kendall's rank correlation is undefined: leave it out, or compare scores that differ"
    );
    assert_eq!(
        message(spearman_rho(&flat, &rising)),
        "x does not vary, so Spearman's rank correlation is undefined: leave it out, or compare scores that differ"
    );
    assert!(message(permutation_test(&rising, &flat, 10, 1, BOTH)).starts_with("y does not vary"));
    let shifted: Vec<f64> = rising.iter().map(|v| v + 0.1).collect();
    assert_eq!(
        message(paired_t(&shifted, &rising, BOTH)),
        "x - y does not vary, so Paired t test is undefined: \
         all differences are equal; there is no spread to measure against"
    );
    assert!(
        message(diebold_mariano(&shifted, &rising, 1, LongRunVariance::Rectangular, BOTH))
            .contains("all equal")
    );
    let tied = ranked(&[[1.0, 1.0, 1.0], [3.0, 3.0, 3.0]], Better::Lower).unwrap();
    assert_eq!(
        message(friedman(&tied)),
        "the table does not vary, so Friedman's test is undefined: \
         every model ties with every other on every task; compare scores that differ"
    );
}

#[test]
fn settings_outside_their_range_are_named() {
    for alpha in [0.0, 1.0, -0.1, 2.0, f64::NAN] {
        assert_eq!(
            message(critical_difference(PostHoc::Nemenyi, 4, 10, alpha)),
            format!("alpha = {alpha} is not allowed: choose a number above 0 and below 1, such as 0.05")
        );
        assert!(studentized_range_quantile(alpha, 3).is_err());
    }
    assert_eq!(
        message(studentized_range_quantile(0.05, 1)),
        "k = 1 is not allowed: compare at least 2 models"
    );
    assert_eq!(
        message(top_k_overlap(&[1.0, 2.0], &[1.0, 2.0], 3)),
        "k = 3 is not allowed: choose k from 1 to the number of items"
    );
    assert!(message(rank_biased_overlap(&[1.0], &[1.0], 1.0)).starts_with("persistence = 1 is not allowed"));
    assert_eq!(
        message(permutation_test(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], 0, 1, BOTH)),
        "permutations = 0 is not allowed: draw at least 1 permutation, usually 10000 or more"
    );
    assert_eq!(
        message(corrected_resampled_t(&[1.0, 2.0], &[1.0, 3.0], 0, 10, BOTH)),
        "train = 0 is not allowed: give the number of rows in one run, at least 1"
    );
    for horizon in [0, 4] {
        let dm = diebold_mariano(
            &[1.0, 2.0, 4.0, 1.0],
            &[1.0, 1.0, 1.0, 2.0],
            horizon,
            LongRunVariance::Bartlett,
            BOTH,
        );
        assert!(message(dm).starts_with(&format!("horizon = {horizon} is not allowed")));
    }
    assert_eq!(
        message(adjust(&[0.1, 1.5], Correction::Holm)),
        "p_values = 1.5 is not allowed: p values lie between 0 and 1"
    );
    assert!(message(adjust(&[0.1, f64::NAN], Correction::Holm)).starts_with("p_values row 2 is NaN"));
    assert!(adjust(&[], Correction::Holm).unwrap().is_empty());
    assert!(message(cliques(&[1.0, 2.0], f64::NAN)).starts_with("critical_difference = NaN is not allowed"));
}

#[test]
fn ragged_tables_and_bad_scores_name_their_row() {
    assert_eq!(
        message(ranked(&[vec![1.0, 2.0], vec![1.0]], Better::Lower)),
        "row 2 has 1 columns but row 1 has 2: give one score per model in every row"
    );
    assert_eq!(
        message(rank_scores(&[Some(1.0), None, Some(f64::NAN)], Better::Lower)),
        "scores row 3 is NaN: every value must be finite; drop or impute that case"
    );
}
