//! R's `friedman.test`, `ptukey`, `qtukey`, `p.adjust`; SciPy's `friedmanchisquare`; scikit-posthocs; Demšar
//! (2006).

use crate::fixture;

use std::collections::HashMap;

use fixture::{Agreement, ranked, rows};
use tailrank_stats::{
    Better, Correction, PairComparison, PostHoc, RankTable, adjust, critical_difference, critical_value,
    friedman, iman_davenport, pairwise, studentized_range_upper,
};

const CLOSED_FORM: f64 = 1e-12;
/// R's `ptukey` is a quadrature with errors up to 3.4e-9 here; scikit-posthocs' p values agree with ours to
/// 4e-15.
const PTUKEY: f64 = 1e-8;
/// R's `qtukey` stops its secant search early, which leaves up to 7e-7 (and once 1.2e-4, see below).
const QTUKEY: f64 = 1e-6;

fn tables() -> HashMap<String, RankTable> {
    let mut values: HashMap<String, Vec<Vec<f64>>> = HashMap::new();
    for row in rows("b_friedman_input.csv") {
        let table = values
            .entry(row.text("case").to_owned())
            .or_insert_with(|| vec![vec![f64::NAN; row.index("k")]; row.index("N")]);
        table[row.index("block") - 1][row.index("treat") - 1] = row.get("value");
    }
    values.into_iter().map(|(case, rows)| (case, ranked(&rows, Better::Lower).unwrap())).collect()
}

/// The pairs of each case and test, computed once.
#[derive(Default)]
struct Pairs(HashMap<String, Vec<PairComparison>>);

impl Pairs {
    fn find(&mut self, table: &RankTable, case: &str, kind: PostHoc, i: usize, j: usize) -> PairComparison {
        let pairs =
            self.0.entry(format!("{case} {kind:?}")).or_insert_with(|| pairwise(table, kind).unwrap());
        pairs.iter().find(|p| (p.i, p.j) == (i, j)).unwrap().clone()
    }
}

#[test]
fn r_friedman_iman_davenport_and_critical_differences() {
    let tables = tables();
    let mut agreement = Agreement::default();
    let all = rows("b_friedman_R.csv");
    for row in &all {
        let case = row.text("case");
        let table = &tables[case];
        let (k, n) = (row.index("k"), row.index("N"));
        let corrected = friedman(table).unwrap();
        let f_corrected = iman_davenport(table).unwrap();
        let cd = |kind, alpha| critical_difference(kind, k, n, alpha).unwrap();
        for (column, got, tolerance) in [
            ("R_friedman_chisq_tiecorrected", corrected.statistic, CLOSED_FORM),
            ("df", corrected.df.unwrap(), 0.0),
            ("p_value", corrected.p_value, CLOSED_FORM),
            ("imandavenport_F_tiecorrected", f_corrected.statistic, CLOSED_FORM),
            ("df1", f_corrected.df.unwrap(), 0.0),
            ("df2", f_corrected.df2.unwrap(), 0.0),
            ("p_ID_tiecorrected", f_corrected.p_value, CLOSED_FORM),
            ("CD_nemenyi_05", cd(PostHoc::Nemenyi, 0.05), QTUKEY),
            ("CD_nemenyi_10", cd(PostHoc::Nemenyi, 0.1), QTUKEY),
            ("CD_bonfdunn_05", cd(PostHoc::BonferroniDunn, 0.05), CLOSED_FORM),
            ("CD_bonfdunn_10", cd(PostHoc::BonferroniDunn, 0.1), CLOSED_FORM),
        ] {
            agreement.check(column, case, got, row.get(column), tolerance);
        }
    }
    agreement.report("b_friedman_R", 9 * 11);
}

#[test]
fn scipy_friedman() {
    let tables = tables();
    let mut agreement = Agreement::default();
    for row in rows("b_friedman_scipy.csv") {
        let answer = friedman(&tables[row.text("case")]).unwrap();
        agreement.check("chi-squared", row.text("case"), answer.statistic, row.get("chisq"), CLOSED_FORM);
        agreement.check("p", row.text("case"), answer.p_value, row.get("p_value"), CLOSED_FORM);
    }
    agreement.report("b_friedman_scipy", 18);
}

#[test]
fn r_pairwise_nemenyi_and_bonferroni_dunn() {
    let tables = tables();
    let mut agreement = Agreement::default();
    let mut pairs = Pairs::default();
    for row in rows("b_nemenyi_pairs_R.csv") {
        let table = &tables[row.text("case")];
        let (i, j) = (row.index("i") - 1, row.index("j") - 1);
        let place = format!("{} {i} {j}", row.text("case"));
        let nemenyi = pairs.find(table, row.text("case"), PostHoc::Nemenyi, i, j);
        let dunn = pairs.find(table, row.text("case"), PostHoc::BonferroniDunn, i, j);
        let averages = table.average_ranks();
        agreement.check("average rank", &place, averages[i], row.get("avgrank_i"), CLOSED_FORM);
        agreement.check("average rank", &place, averages[j], row.get("avgrank_j"), CLOSED_FORM);
        agreement.check("z", &place, nemenyi.statistic, row.get("z"), CLOSED_FORM);
        agreement.check("p Nemenyi", &place, nemenyi.p_value, row.get("p_nemenyi"), PTUKEY);
        agreement.check("p Bonferroni-Dunn", &place, dunn.p_value, row.get("p_bonfdunn"), CLOSED_FORM);
    }
    agreement.report("b_nemenyi_pairs_R", 5 * 122);
}

#[test]
fn scikit_posthocs_pairs() {
    let tables = tables();
    let mut agreement = Agreement::default();
    let mut pairs = Pairs::default();
    for row in rows("b_posthoc_pairs_scikitposthocs.csv") {
        let table = &tables[row.text("case")];
        let kind = match row.text("posthoc") {
            "nemenyi" => PostHoc::Nemenyi,
            "siegel" | "miller" | "conover" => continue,
            other => panic!("unknown test {other}"),
        };
        let (i, j) = (row.index("i") - 1, row.index("j") - 1);
        let pair = pairs.find(table, row.text("case"), kind, i, j);
        let place = format!("{} {i} {j}", row.text("case"));
        agreement.check(row.text("posthoc"), &place, pair.p_value, row.get("p_value"), CLOSED_FORM);
    }
    agreement.report("b_posthoc_pairs_scikitposthocs", 122);
}

#[test]
fn r_critical_values_for_2_to_100_models() {
    let mut agreement = Agreement::default();
    for row in rows("b_critical_q_R.csv") {
        let k = row.index("k");
        for (column, kind, alpha, tolerance) in [
            ("q_nemenyi_01", PostHoc::Nemenyi, 0.01, QTUKEY),
            ("q_nemenyi_05", PostHoc::Nemenyi, 0.05, QTUKEY),
            ("q_nemenyi_10", PostHoc::Nemenyi, 0.1, QTUKEY),
            ("q_bonfdunn_05", PostHoc::BonferroniDunn, 0.05, CLOSED_FORM),
            ("q_bonfdunn_10", PostHoc::BonferroniDunn, 0.1, CLOSED_FORM),
        ] {
            let got = critical_value(kind, k, alpha).unwrap();
            if (k, column) == (83, "q_nemenyi_01") {
                // qtukey(0.99, 83, Inf) is off by 1.7e-4: R's own ptukey there gives 0.0099947 instead of
                // 0.01.
                let tail = |q: f64| studentized_range_upper(q * 2f64.sqrt(), k).unwrap();
                assert!((tail(row.get(column)) - 0.00999472190662506).abs() < 1e-15);
                assert!((tail(got) - alpha).abs() < 1e-15);
                continue;
            }
            agreement.check(column, &format!("k {k}"), got, row.get(column), tolerance);
        }
    }
    agreement.report("b_critical_q_R", 99 * 5 - 1);
}

#[test]
fn r_p_adjust() {
    let table = rows("b_padjust_R.csv");
    let p: Vec<f64> = table.iter().map(|row| row.get("p")).collect();
    let mut agreement = Agreement::default();
    for (column, correction) in [("holm", Correction::Holm), ("BH", Correction::BenjaminiHochberg)] {
        let adjusted = adjust(&p, correction).unwrap();
        for (row, got) in table.iter().zip(adjusted) {
            agreement.check(column, row.text("p"), got, row.get(column), 1e-15);
        }
    }
    agreement.report("b_padjust_R", 20);
}

/// Demšar (2006), Table 6 and section 3.2.2: four classifiers on fourteen data sets.
#[test]
fn demsar_table_6() {
    let auc = [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ];
    let table = ranked(&auc, Better::Higher).unwrap();
    let averages: Vec<String> = table.average_ranks().iter().map(|r| format!("{r:.3}")).collect();
    assert_eq!(averages, ["3.143", "2.000", "2.893", "1.964"]);
    assert!((critical_difference(PostHoc::Nemenyi, 4, 14, 0.10).unwrap() - 1.12).abs() < 0.01);
    assert!((critical_difference(PostHoc::BonferroniDunn, 4, 14, 0.05).unwrap() - 1.16).abs() < 0.01);
}

/// `autorank` 1.3.0 on the same scores: `scripts/fixtures/arena.py` wrote the file.
#[test]
fn average_ranks_and_critical_differences_are_those_of_autorank() {
    let cases: serde_json::Value =
        serde_json::from_str(include_str!("../fixtures/average_ranks.json")).unwrap();
    let numbers = |v: &serde_json::Value| -> Vec<f64> {
        v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    // SciPy 1.x: studentized_range.ppf(0.95, k, inf) · √(k (k + 1) / 12 n).
    let exact = [1.658_302_878_491_707_8, 1.685_908_462_074_413_8];
    for (case, exact) in cases.as_array().unwrap().iter().zip(exact) {
        let rows: Vec<Vec<Option<f64>>> = case["scores"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| numbers(r).into_iter().map(Some).collect())
            .collect();
        let table = RankTable::from_scores(&rows, Better::Higher).unwrap();
        for (a, b) in table.average_ranks().iter().zip(numbers(&case["average_ranks"])) {
            assert!((a - b).abs() < 1e-12, "{a} and {b}");
        }
        let cd = critical_difference(PostHoc::Nemenyi, rows[0].len(), rows.len(), 0.05).unwrap();
        let theirs = case["critical_difference"].as_f64().unwrap();
        assert!((cd - exact).abs() < 1e-9, "{cd} and {exact}");
        // autorank takes the quantile from statsmodels' `qsturng`, an interpolation that is 1.3e-5 off here.
        assert!((cd - theirs).abs() < 2e-5 * cd, "{cd} and {theirs}");
    }
}
