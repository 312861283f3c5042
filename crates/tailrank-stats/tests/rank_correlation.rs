//! R's `cor.test` and `pKendall`, SciPy's `spearmanr`, `kendalltau`, `pearsonr`, `weightedtau` and `somersd`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod fixture;

use fixture::{Agreement, alternative, pairs, rows};
use tailrank_stats::{
    CorrelationMethod, StatsError, kendall_null_cdf, kendall_tau_c, kendall_test, pearson_test, somers_d,
    spearman_test, weighted_tau,
};

const CLOSED_FORM: f64 = 1e-12;

#[test]
fn r_cor_test() {
    let inputs = pairs("a_rankcorr_input.csv");
    let mut agreement = Agreement::default();
    let mut refused = 0;
    for row in rows("a_rankcorr_R.csv") {
        let (x, y) = &inputs[row.text("case")];
        let side = alternative(row.text("alternative"));
        let place = format!("{} {} {:?}", row.text("case"), row.text("alternative"), row.text("exact"));
        let exact = row.flag("exact");
        let method = match (exact, row.flag("continuity")) {
            // R warns of ties and falls back to the plain approximation; here `Exact` refuses and `Auto` falls back.
            (true, _) if row.text("note").is_empty() => CorrelationMethod::Exact,
            (true, _) => CorrelationMethod::Auto,
            (false, false) => CorrelationMethod::Asymptotic,
            (false, true) => CorrelationMethod::AsymptoticContinuity,
        };
        let kind = row.text("method").to_owned();
        let answer = match kind.as_str() {
            "pearson" => pearson_test(x, y, side).unwrap(),
            "kendall" => kendall_test(x, y, method, side).unwrap(),
            _ => spearman_test(x, y, method, side).unwrap(),
        };
        if method == CorrelationMethod::Auto {
            assert_eq!(answer.method, "asymptotic", "{place}");
            let forced = if kind == "kendall" {
                kendall_test(x, y, CorrelationMethod::Exact, side)
            } else {
                spearman_test(x, y, CorrelationMethod::Exact, side)
            };
            assert!(matches!(forced, Err(StatsError::Ties { .. })), "{place}");
            refused += 1;
        }
        assert_eq!(answer.statistic_name, row.text("stat_name"), "{place}");
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
    }
    assert_eq!(refused, 102);
    agreement.report("a_rankcorr_R", 3 * 756);
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
        if kind == "scipy_weightedtau" {
            agreement.check(kind, &place, weighted_tau(x, y).unwrap(), row.get("statistic"), CLOSED_FORM);
            numbers += 1;
            continue;
        }
        let side = alternative(row.text("alternative"));
        let method = if mode == "exact" { CorrelationMethod::Exact } else { CorrelationMethod::Asymptotic };
        let answer = match kind {
            "scipy_spearmanr" => spearman_test(x, y, CorrelationMethod::Asymptotic, side),
            "scipy_pearsonr" => pearson_test(x, y, side),
            "scipy_somersd" => somers_d(x, y, side),
            _ => kendall_test(x, y, method, side),
        }
        .unwrap();
        let estimate = match kind {
            "scipy_kendalltau_c" => kendall_tau_c(x, y).unwrap(),
            _ => answer.estimate.unwrap(),
        };
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
    assert_eq!(numbers, 2 * 582 + 36);
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
        let p = kendall_test(&x, y, CorrelationMethod::Exact, alternative("two-sided")).unwrap().p_value;
        assert!((p / expected - 1.0).abs() < 1e-13, "{p:e} against {expected:e}");
    }
}
