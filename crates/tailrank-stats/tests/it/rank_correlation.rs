//! R's `cor.test` and `pKendall`, SciPy's `spearmanr` and `kendalltau`.

use crate::fixture;

use fixture::{Agreement, alternative, pairs, rows};
use tailrank_stats::{CorrelationMethod, kendall_null_cdf, kendall_test, spearman_test};

const CLOSED_FORM: f64 = 1e-12;

#[test]
fn r_cor_test() {
    let inputs = pairs("a_rankcorr_input.csv");
    let mut agreement = Agreement::default();
    let (mut tied, mut numbers) = (0, 0);
    for row in rows("a_rankcorr_R.csv") {
        let (x, y) = &inputs[row.text("case")];
        let side = alternative(row.text("alternative"));
        let place = format!("{} {} {:?}", row.text("case"), row.text("alternative"), row.text("exact"));
        let method = match (row.flag("exact"), row.flag("continuity")) {
            // R warns of ties and falls back to the plain approximation, as `Auto` does.
            (true, _) => CorrelationMethod::Auto,
            (false, false) => CorrelationMethod::Asymptotic,
            (false, true) => continue,
        };
        let kind = row.text("method").to_owned();
        let answer = match kind.as_str() {
            "pearson" => continue,
            "kendall" => kendall_test(x, y, method, side).unwrap(),
            _ => spearman_test(x, y, method, side).unwrap(),
        };
        if method == CorrelationMethod::Auto {
            let is_asymptotic = answer.method == "asymptotic";
            assert_eq!(is_asymptotic, !row.text("note").is_empty(), "{place}");
            tied += usize::from(is_asymptotic);
        }
        agreement.check(
            &format!("{kind} statistic"),
            &place,
            answer.statistic,
            row.get("statistic"),
            CLOSED_FORM,
        );
        agreement.check(
            &format!("{kind} estimate"),
            &place,
            answer.estimate.unwrap(),
            row.get("estimate"),
            CLOSED_FORM,
        );
        agreement.check(
            &format!("{kind} p, {}", answer.method),
            &place,
            answer.p_value,
            row.get("p_value"),
            CLOSED_FORM,
        );
        numbers += 3;
    }
    assert_eq!(tied, 102);
    agreement.report("a_rankcorr_R", numbers);
    assert!(numbers > 1000);
}

#[test]
fn scipy_correlations() {
    let inputs = pairs("a_rankcorr_input.csv");
    let mut agreement = Agreement::default();
    let mut numbers = 0;
    for row in rows("a_rankcorr_scipy.csv") {
        let (x, y) = &inputs[row.text("case")];
        let (kind, mode) = (row.text("source"), row.text("mode"));
        let place = format!("{} {} {mode}", row.text("case"), row.text("alternative"));
        match kind {
            "scipy_spearmanr" | "scipy_kendalltau_b" => {}
            "scipy_kendalltau_c" | "scipy_pearsonr" | "scipy_weightedtau" | "scipy_somersd" => continue,
            other => panic!("unknown source {other}"),
        }
        let side = alternative(row.text("alternative"));
        let method = if mode == "exact" { CorrelationMethod::Auto } else { CorrelationMethod::Asymptotic };
        let answer = match kind {
            "scipy_spearmanr" => spearman_test(x, y, CorrelationMethod::Asymptotic, side),
            _ => kendall_test(x, y, method, side),
        }
        .unwrap();
        let estimate = answer.estimate.unwrap();
        agreement.check(&format!("{kind} statistic"), &place, estimate, row.get("statistic"), CLOSED_FORM);
        agreement.check(
            &format!("{kind} p, {mode}"),
            &place,
            answer.p_value,
            row.get("p_value"),
            CLOSED_FORM,
        );
        numbers += 2;
    }
    agreement.report("a_rankcorr_scipy", numbers);
    assert_eq!(numbers, 2 * (108 + 165));
}

#[test]
fn r_kendall_null_distribution() {
    let mut agreement = Agreement::default();
    for row in rows("a_kendall_null_cdf_R.csv") {
        let (n, t) = (row.index("n"), row.index("T"));
        let got = kendall_null_cdf(n, t as u64);
        let expected = row.get("cdf");
        agreement.check("cdf", &format!("n {n} T {t}"), got, expected, CLOSED_FORM);
        // The lower tail agrees in relative terms too, down to 1/49!.
        assert!((got / expected - 1.0).abs() < CLOSED_FORM, "n {n} T {t}: {got:e} against {expected:e}");
    }
    agreement.report("a_kendall_null_cdf_R", 1536);
}

/// R 4.2 answers 1.11e-15 to perfect agreement (it subtracts from one) and 2/30! to perfect disagreement.
#[test]
fn both_exact_kendall_tails_keep_their_digits() {
    let x: Vec<f64> = (1..=30).map(f64::from).collect();
    let back: Vec<f64> = x.iter().map(|v| -v).collect();
    let expected = 2.0 / (1..=30).map(f64::from).product::<f64>();
    for y in [&x, &back] {
        let p = kendall_test(&x, y, CorrelationMethod::Auto, alternative("two-sided")).unwrap().p_value;
        assert!((p / expected - 1.0).abs() < 1e-13, "{p:e} against {expected:e}");
    }
}
