//! R's `wilcox.test`, `t.test`, `binom.test`, exactRankTests' `wilcox.exact`; SciPy's `wilcoxon`,
//! `ttest_rel`, `mannwhitneyu`.

use crate::fixture;

use fixture::{Agreement, alternative, pairs, rows};
use tailrank_stats::{Alternative, WilcoxonMethod, paired_t, sign_test, wilcoxon_signed_rank};

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
        let method = if approximate { WilcoxonMethod::Asymptotic } else { WilcoxonMethod::Auto };
        // The approximation without correction is not offered.
        if source == "R_wilcox.test_paired" && approximate && !row.flag("correct") {
            continue;
        }
        let answer = match source {
            "R_wilcox.test_paired" => wilcoxon_signed_rank(x, y, method, side),
            "exactRankTests_wilcox.exact" => wilcoxon_signed_rank(x, y, WilcoxonMethod::Auto, side),
            "R_t.test_paired" => paired_t(x, y, side),
            "R_binom.test_sign" => sign_test(x, y, side),
            // Two unpaired samples are not compared here.
            "R_t.test_welch" | "R_wilcox.test_unpaired" => continue,
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
    assert_eq!(numbers, 2 * 243 + 2 * 45 + 2 * 45);
}

#[test]
fn scipy_paired_tests() {
    let inputs = pairs("b_paired_input.csv");
    let mut agreement = Agreement::default();
    for row in rows("b_paired_scipy.csv") {
        let (x, y) = &inputs[row.text("case")];
        let side = alternative(row.text("alternative"));
        let source = row.text("source");
        // Zeros that are ranked are not offered.
        if ["pratt", "zsplit"].contains(&row.text("zero_method")) {
            continue;
        }
        let method = match (row.text("mode"), row.flag("correction")) {
            ("exact", _) => WilcoxonMethod::Auto,
            (_, false) if source == "scipy_wilcoxon" => continue,
            _ => WilcoxonMethod::Asymptotic,
        };
        let place = format!("{} {}", row.text("case"), row.text("alternative"));
        let kind = format!("{source} {} {}", row.text("zero_method"), row.text("mode"));
        let (statistic, p) = match source {
            "scipy_wilcoxon" => {
                let answer = wilcoxon_signed_rank(x, y, method, side).unwrap();
                // SciPy prints the smaller rank sum when two-sided.
                let all = (answer.n * (answer.n + 1)) as f64 / 2.0;
                let statistic = if side == Alternative::TwoSided {
                    answer.statistic.min(all - answer.statistic)
                } else {
                    answer.statistic
                };
                (statistic, answer.p_value)
            }
            "scipy_ttest_rel" => paired_t(x, y, side).map(|t| (t.statistic, t.p_value)).unwrap(),
            "scipy_mannwhitneyu" => continue,
            other => panic!("unknown source {other}"),
        };
        agreement.check(&format!("{kind} statistic"), &place, statistic, row.get("statistic"), CLOSED_FORM);
        agreement.check(&format!("{kind} p"), &place, p, row.get("p_value"), CLOSED_FORM);
    }
    agreement.report("b_paired_scipy", 210);
}

/// SciPy 1.17's `method="exact"` uses the untied distribution here (0.109375); 26 of the 256 signs are as
/// extreme.
#[test]
fn exact_wilcoxon_with_ties_counts_the_signs_at_hand() {
    let d = [1.0, 1.0, 1.0, 1.0, 2.0, -2.0, 3.0, 3.0];
    let answer = wilcoxon_signed_rank(&d, &[0.0; 8], WilcoxonMethod::Auto, Alternative::TwoSided).unwrap();
    assert_eq!((answer.statistic, answer.p_value), (30.5, 26.0 / 256.0));
}
