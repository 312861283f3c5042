//! R's `wilcox.test`, `t.test`, `binom.test`, `psignrank`, exactRankTests' `wilcox.exact`; SciPy's `wilcoxon`, `ttest_rel`, `mannwhitneyu`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod fixture;

use fixture::{Agreement, alternative, pairs, rows};
use tailrank_stats::{
    Alternative, SignedRanks, WilcoxonMethod, ZeroMethod, mann_whitney, paired_t, sign_test,
    signed_rank_null_cdf, welch_t, wilcoxon_signed_rank,
};

const CLOSED_FORM: f64 = 1e-12;

#[test]
fn r_paired_tests() {
    let inputs = pairs("b_paired_input.csv");
    let mut agreement = Agreement::default();
    let mut numbers = 0;
    for row in rows("b_paired_R.csv") {
        let (x, y) = &inputs[row.text("case")];
        let side = alternative(row.text("alternative"));
        let source = row.text("source");
        let place = format!("{} {} {}", row.text("case"), row.text("alternative"), row.text("exact"));
        // With ties or zeros R leaves the exact method (note column) for the normal approximation.
        let approximate = !row.flag("exact") || !row.text("note").is_empty();
        let method = match (approximate, row.flag("correct")) {
            (false, _) => WilcoxonMethod::Exact,
            (true, true) => WilcoxonMethod::AsymptoticContinuity,
            (true, false) => WilcoxonMethod::Asymptotic,
        };
        let answer = match source {
            "R_wilcox.test_paired" => wilcoxon_signed_rank(x, y, ZeroMethod::Wilcox, method, side),
            "exactRankTests_wilcox.exact" => {
                wilcoxon_signed_rank(x, y, ZeroMethod::Wilcox, WilcoxonMethod::Exact, side)
            }
            "R_t.test_paired" => paired_t(x, y, side),
            "R_t.test_welch" => welch_t(x, y, side),
            "R_binom.test_sign" => sign_test(x, y, side),
            "R_wilcox.test_unpaired" => mann_whitney(x, y, side),
            other => panic!("unknown source {other}"),
        }
        .unwrap();
        let kind = format!("{source}, {}", answer.method);
        agreement.check(
            &format!("{kind} statistic"),
            &place,
            answer.statistic,
            row.get("statistic"),
            CLOSED_FORM,
        );
        agreement.check(&format!("{kind} p"), &place, answer.p_value, row.get("p_value"), CLOSED_FORM);
        numbers += 2;
        if let Some(parameter) = row.number("parameter") {
            let got = answer.df.unwrap_or(answer.n as f64);
            agreement.check(&format!("{kind} parameter"), &place, got, parameter, CLOSED_FORM);
            numbers += 1;
        }
        if let Some(estimate) = row.number("estimate") {
            agreement.check(
                &format!("{kind} estimate"),
                &place,
                answer.estimate.unwrap(),
                estimate,
                CLOSED_FORM,
            );
            numbers += 1;
        }
    }
    agreement.report("b_paired_R", numbers);
    assert_eq!(numbers, 2 * 405 + 3 * 45 + 2 * 45);
}

#[test]
fn scipy_paired_tests() {
    let inputs = pairs("b_paired_input.csv");
    let mut agreement = Agreement::default();
    for row in rows("b_paired_scipy.csv") {
        let (x, y) = &inputs[row.text("case")];
        let side = alternative(row.text("alternative"));
        let source = row.text("source");
        let zero = match row.text("zero_method") {
            "pratt" => ZeroMethod::Pratt,
            "zsplit" => ZeroMethod::Split,
            _ => ZeroMethod::Wilcox,
        };
        let method = match (row.text("mode"), row.flag("correction")) {
            ("exact", _) => WilcoxonMethod::Exact,
            (_, true) => WilcoxonMethod::AsymptoticContinuity,
            (_, false) => WilcoxonMethod::Asymptotic,
        };
        let place = format!("{} {}", row.text("case"), row.text("alternative"));
        let kind = format!("{source} {} {}", row.text("zero_method"), row.text("mode"));
        let (statistic, p) = match source {
            "scipy_wilcoxon" => {
                let answer = wilcoxon_signed_rank(x, y, zero, method, side).unwrap();
                let ranks = SignedRanks::new(x, y, zero).unwrap();
                // SciPy prints the smaller rank sum when two-sided.
                let statistic =
                    if side == Alternative::TwoSided { ranks.plus.min(ranks.minus) } else { ranks.plus };
                (statistic, answer.p_value)
            }
            "scipy_ttest_rel" => paired_t(x, y, side).map(|t| (t.statistic, t.p_value)).unwrap(),
            "scipy_mannwhitneyu" => mann_whitney(x, y, side).map(|u| (u.statistic, u.p_value)).unwrap(),
            other => panic!("unknown source {other}"),
        };
        agreement.check(&format!("{kind} statistic"), &place, statistic, row.get("statistic"), CLOSED_FORM);
        agreement.check(&format!("{kind} p"), &place, p, row.get("p_value"), CLOSED_FORM);
    }
    agreement.report("b_paired_scipy", 2 * 405);
}

#[test]
fn r_signed_rank_distribution() {
    let mut agreement = Agreement::default();
    for row in rows("b_signrank_cdf_R.csv") {
        let (n, v) = (row.index("n"), row.index("V"));
        agreement.check("cdf", &format!("n {n} V {v}"), signed_rank_null_cdf(n, v), row.get("cdf"), 1e-14);
    }
    agreement.report("b_signrank_cdf_R", 1993);
}

/// SciPy 1.17's `method="exact"` uses the untied distribution here (0.109375); 26 of the 256 signs are as extreme.
#[test]
fn exact_wilcoxon_with_ties_counts_the_signs_at_hand() {
    let d = [1.0, 1.0, 1.0, 1.0, 2.0, -2.0, 3.0, 3.0];
    let answer =
        wilcoxon_signed_rank(&d, &[0.0; 8], ZeroMethod::Wilcox, WilcoxonMethod::Exact, Alternative::TwoSided)
            .unwrap();
    assert_eq!((answer.statistic, answer.p_value), (30.5, 26.0 / 256.0));
}
