//! Relevance between its points and PR09's automatic fences against base R (`scripts/fixtures/phi.R`).

use crate::oracle;

use oracle::{Largest, Row, column, data, number, rows};
use tailrank_metrics::{Relevance, relevance::Extremes};

/// The relevance function of a case, by the points in the fixture.
fn relevance(points: &[Row], case: &str) -> Relevance {
    let points: Vec<Row> = points.iter().filter(|p| p["case"] == case).cloned().collect();
    let pairs: Vec<(f64, f64)> = column(&points, "y").into_iter().zip(column(&points, "phi")).collect();
    match points[0]["kind"].as_str() {
        "cubic" => Relevance::range(&pairs, Some(&column(&points, "slope"))).unwrap(),
        _ => Relevance::table(&pairs).unwrap(),
    }
}

#[test]
fn slopes_that_need_it_are_corrected_as_r_corrects_them() {
    let points = rows("c_phi_base_r_points.csv");
    let (mut largest, mut corrected) = (Largest::default(), 0);
    for case in ["steep", "chain", "level", "fall", "gentle"] {
        let Relevance::Pchip(pchip) = relevance(&points, case) else { panic!("not piecewise cubic") };
        let rows = points.iter().filter(|p| p["case"] == case);
        for (row, &slope) in rows.zip(pchip.corrected_slopes()) {
            corrected += usize::from(row["slope"] != row["corrected"]);
            largest.see(slope, number(row, "corrected"), || format!("{row:?}"));
        }
    }
    assert!(corrected >= 10, "only {corrected} slopes need the correction");
    largest.check(19, 1e-14);
}

#[test]
fn cubic_relevance_between_its_points() {
    check("cubic", 5 * 173, 1e-14);
}

#[test]
fn table_relevance_between_its_points() {
    check("table", 2 * 151, 1e-15);
}

fn check(kind: &str, count: usize, tolerance: f64) {
    let points = rows("c_phi_base_r_points.csv");
    let mut largest = Largest::default();
    let mut last: Option<(String, Relevance)> = None;
    for row in rows("c_phi_base_r.csv").iter().filter(|r| r["kind"] == kind) {
        if last.as_ref().is_none_or(|(case, _)| *case != row["case"]) {
            last = Some((row["case"].clone(), relevance(&points, &row["case"])));
        }
        let phi = &last.as_ref().unwrap().1;
        // R's interpolation knows no bounds; relevance does.
        let expected = number(row, "phi").clamp(0.0, 1.0);
        largest.see(phi.phi(number(row, "y")), expected, || format!("{row:?}"));
    }
    largest.check(count, tolerance);
}

#[test]
fn automatic_centres_are_rs_quantiles_and_one_and_a_half_ranges() {
    let mut largest = Largest::default();
    for row in rows("c_fences_base_r.csv") {
        let sample = &data(&row["column"])[..number(&row, "n") as usize];
        let phi = Relevance::sigmoid_from_box_plot(sample, Extremes::Both, 0.5, 1e-4).unwrap();
        let Relevance::Sigmoid(sigmoid) = phi else { panic!("not a sigmoid") };
        let (low, high) = sigmoid.centres();
        largest.see(low.unwrap(), number(&row, "low"), || format!("low {row:?}"));
        largest.see(high.unwrap(), number(&row, "high"), || format!("high {row:?}"));
        // One tail alone takes the same centre.
        for (extremes, low, high) in [(Extremes::Low, low, None), (Extremes::High, None, high)] {
            let one = Relevance::sigmoid_from_box_plot(sample, extremes, 0.5, 1e-4).unwrap();
            assert_eq!(one, Relevance::sigmoid(low, high, 0.5, 1e-4).unwrap());
        }
    }
    largest.check(30, 1e-14);
}
