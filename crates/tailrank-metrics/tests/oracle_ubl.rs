//! UBL 0.0.9's interpolated utilities and measures.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod oracle;

use oracle::{Largest, Row, column, data, number, rows};
use tailrank_metrics::{
    Relevance,
    relevance::{BoxPlot, Extremes, Pchip},
    utility::ubl::{Interpolation, UblSurface, eval_regress_metrics},
};

fn pchip(cfg: &str) -> Pchip {
    let extremes = if cfg == "both" { Extremes::Both } else { Extremes::High };
    match Relevance::extremes(&data("y"), extremes, 1.5, BoxPlot::Plain).unwrap() {
        Relevance::Pchip(phi) => phi,
        _ => panic!("not piecewise cubic"),
    }
}

/// The fixture does not name its domain and corner utilities. A fit of the 400 `idw` values with all four
/// free gives minimum − 5, maximum + 5, −1 and 0 to 1e-14: the settings of the example in UBL's manual page.
fn surface(cfg: &str, method: Interpolation) -> UblSurface {
    let y = data("y");
    let low = y.iter().copied().fold(f64::INFINITY, f64::min) - 5.0;
    let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max) + 5.0;
    let corners = [(low, high, -1.0), (high, low, 0.0)];
    UblSurface::new(&pchip(cfg), (low, high), &corners, method).unwrap()
}

/// The largest difference between fixture and surface over both configurations and both models, and how many
/// are beyond `close`. A value that is not a number is beyond everything.
fn compare(name: &str, method: Interpolation, close: f64) -> (Largest, usize) {
    let all = rows("c_UBL_UtilInterpol.csv");
    let (mut largest, mut beyond) = (Largest::default(), 0);
    for cfg in ["both", "high"] {
        let surface = surface(cfg, method);
        let chosen: Vec<Row> =
            all.iter().filter(|r| r["cfg"] == cfg && r["method"] == name).cloned().collect();
        let got = surface.utilities(&column(&chosen, "y"), &column(&chosen, "ypred")).unwrap();
        for (row, &utility) in chosen.iter().zip(&got) {
            let expected = number(row, "util");
            largest.see(utility, expected, || format!("{row:?}"));
            beyond +=
                usize::from((utility - expected).abs().partial_cmp(&close) != Some(std::cmp::Ordering::Less));
        }
    }
    (largest, beyond)
}

#[test]
fn c_ubl_util_interpol_idw() {
    compare("idw", Interpolation::InverseDistance, 1e-14).0.check(800, 1e-14);
}

/// Where the only off-diagonal neighbour lies almost at the edge of the local fit its weight (1 − r³)³ is
/// lost in rounding, and R's own loess gives answers that differ by 1.4e-9 with the order of the points.
/// Elsewhere the fits agree to 1e-10.
#[test]
fn c_ubl_util_interpol_bilinear() {
    let (largest, beyond) = compare("bilinear", Interpolation::Bilinear, 1e-10);
    largest.check(800, 3e-9);
    assert!(beyond <= 6, "{beyond} of 800 differ by more than 1e-10");
}

/// 5e-8: the size of single-precision rounding, which the fixture shows: no B-spline of this lattice fits its
/// values closer than 1.8e-9, so they carry noise of that order themselves.
#[test]
fn c_ubl_util_interpol_splines() {
    compare("splines", Interpolation::Splines, 5e-8).0.check(800, 5e-8);
}

#[test]
fn c_ubl_eval_regress_metrics() {
    let utilities = rows("c_UBL_UtilInterpol.csv");
    let y = data("y");
    let mut seen = Largest::default();
    for row in rows("c_UBL_EvalRegressMetrics.csv") {
        let same = |r: &&Row| ["cfg", "model", "method"].iter().all(|key| r[*key] == row[*key]);
        let util: Vec<f64> = utilities.iter().filter(same).map(|r| number(r, "util")).collect();
        let (thr, beta) = (number(&row, "thr"), number(&row, "beta"));
        let scores =
            eval_regress_metrics(&y, &data(&row["model"]), &util, &pchip(&row["cfg"]), thr, beta).unwrap();
        let got = match row["metric"].as_str() {
            "totUtil" => scores.total,
            "MUtil" => scores.mean,
            "NMUtil" => scores.normalised_mean,
            "precPhi" => scores.precision,
            "recPhi" => scores.recall,
            "FPhi" => scores.f,
            other => panic!("unknown metric {other}"),
        };
        seen.see(got, number(&row, "value"), || format!("{row:?}"));
    }
    seen.check(288, 1e-12);
}

/// The settings that keep UBL's forms apart from ours: > at the threshold, φ(ŷ) below recall, 1e-5 for
/// nothing.
#[test]
fn ubl_rules_are_ubls_own() {
    let Relevance::Pchip(phi) = Relevance::range(&[(0.0, 0.0), (1.0, 1.0)], Some(&[0.0; 2])).unwrap() else {
        panic!()
    };
    let at_threshold = eval_regress_metrics(&[0.5], &[0.5], &[0.5], &phi, 0.5, 1.0).unwrap();
    assert_eq!((at_threshold.precision, at_threshold.recall), (1e-5, 1e-5));
    let missed = eval_regress_metrics(&[1.0], &[0.0], &[0.5], &phi, 0.5, 1.0).unwrap();
    assert_eq!((missed.precision, missed.recall), (1e-5, 1.5));
}

#[test]
fn bad_surfaces_are_refused() {
    let phi = pchip("both");
    let message = |domain, points: &[(f64, f64, f64)]| {
        UblSurface::new(&phi, domain, points, Interpolation::Bilinear).unwrap_err().to_string()
    };
    assert_eq!(
        message((2.0, 1.0), &[]),
        "minds = 2 is not allowed: the domain's lower bound must be finite and below its upper bound"
    );
    assert_eq!(
        message((-9.0, 9.0), &[(-9.0, 9.0, -1.0)]),
        "off-diagonal points entry 2: the corner (9, -9) is missing; give the utility of both far corners of the domain"
    );
    assert_eq!(
        message((-9.0, 9.0), &[(-9.0, 9.0, -1.0), (9.0, -9.0, 0.0), (10.0, 0.0, 0.0)]),
        "off-diagonal points entry 3: (10.0, 0.0, 0.0) is not inside [-9, 9]; widen the domain or move the point"
    );
    let error = surface("both", Interpolation::Bilinear).utilities(&[0.0], &[99.0]).unwrap_err().to_string();
    assert_eq!(
        error,
        "predictions entry 1: 99 lies outside the surface's domain [-10.535202, 10.700749]; build the surface on a wider domain"
    );
}

/// (0, 0) is equally far from all four known points. Three of them are its neighbours (span 0.75), none has a
/// weight, and their utilities 1, 1 and −1 count alike.
#[test]
fn loess_has_a_value_where_no_neighbour_has_a_weight() {
    let Relevance::Pchip(phi) = Relevance::range(&[(-1.0, 1.0), (1.0, 1.0)], Some(&[0.0; 2])).unwrap() else {
        panic!()
    };
    let corners = [(-1.0, 1.0, -1.0), (1.0, -1.0, 0.0)];
    let surface = UblSurface::new(&phi, (-1.0, 1.0), &corners, Interpolation::Bilinear).unwrap();
    let utility = surface.utilities(&[0.0], &[0.0]).unwrap()[0];
    assert!((utility - 1.0 / 3.0).abs() < 1e-15, "{utility}");
}

/// Every method gives a number everywhere in its domain, on the diagonal and the known points too.
#[test]
fn utilities_are_numbers_everywhere() {
    for method in [Interpolation::InverseDistance, Interpolation::Bilinear, Interpolation::Splines] {
        for cfg in ["both", "high"] {
            let surface = surface(cfg, method);
            let grid: Vec<f64> = (0..=40).map(|i| -10.5 + 21.2 * f64::from(i) / 40.0).collect();
            for &y in &grid {
                let row = surface.utilities(&vec![y; grid.len()], &grid).unwrap();
                assert!(row.iter().all(|u| u.is_finite()), "{method:?} {cfg} at y = {y}: {row:?}");
            }
        }
    }
}

/// Nothing else lies near the far corners, so every level of the B-splines keeps their utility.
#[test]
fn splines_pass_through_lone_corners() {
    let corners = [(-8.0, 8.0, -1.0), (8.0, -8.0, -0.75)];
    let relevance = Relevance::range(&[(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)], Some(&[0.0; 3])).unwrap();
    let Relevance::Pchip(phi) = relevance else { panic!("not piecewise cubic") };
    let surface = UblSurface::new(&phi, (-8.0, 8.0), &corners, Interpolation::Splines).unwrap();
    let found = surface.utilities(&[-8.0, 8.0], &[8.0, -8.0]).unwrap();
    assert!((found[0] + 1.0).abs() < 1e-3 && (found[1] + 0.75).abs() < 1e-3, "{found:?}");
}
