//! Relevance φ: how much a target value matters, from 0 (not at all) to 1.
//!
//! | constructor | shape | source |
//! |---|---|---|
//! | [`Relevance::sigmoid`] | logistic curve per tail | PR09 eq. 4–5 |
//! | [`Relevance::sigmoid_from_box_plot`] | the same, centres from training targets | PR09 §4.1 |
//! | [`Relevance::extremes`] | piecewise cubic, whiskers to median | uba, UBL, IRon |
//! | [`Relevance::range`] | piecewise cubic through the user's points | uba, UBL, IRon |
//! | [`Relevance::table`] | straight lines through the user's points | |
//! | [`Relevance::indicator`] | 1 inside ranges, 0 outside | classification |
//!
//! [`Relevance::phi`] is always within [0, 1]. The uba utility takes φ unclamped ([`Pchip::phi_unclamped`]),
//! as uba does.

mod box_plot;
mod events;
mod flank;
mod integral;
mod pchip;
mod pieces;
mod sigmoid;
mod table;

use crate::{Result, exp::map_into};

pub use box_plot::{BoxPlot, BoxStats};
pub use events::{EventCheck, EventRange};
pub use flank::Flank;
pub use integral::{RelevanceIntegral, Stretch};
pub use pchip::{ControlPoint, Pchip};
pub use sigmoid::{Extremes, Sigmoid};
pub use table::{Indicator, Table};

pub(crate) use events::check_event_threshold;
pub(crate) use integral::{End, Tail};

/// A relevance function φ: ℝ → [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub enum Relevance {
    /// One or two logistic curves (PR09 eq. 4).
    Sigmoid(Sigmoid),
    /// Piecewise cubic through control points (uba, UBL, IRon).
    Pchip(Pchip),
    /// Straight lines through the user's points.
    Table(Table),
    /// 1 inside ranges, 0 outside.
    Indicator(Indicator),
}

impl Relevance {
    /// Sigmoids centred at `low` and/or `high` (PR09 eq. 4–5).
    ///
    /// ```
    /// use tailrank_metrics::Relevance;
    /// let phi = Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4)?;
    /// assert_eq!(phi.phi(0.02), 0.5);
    /// assert!(phi.phi(-0.03) > 0.99 && phi.phi(0.0) < 1e-4);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn sigmoid(low: Option<f64>, high: Option<f64>, k: f64, delta: f64) -> Result<Self> {
        Sigmoid::new(low, high, k, delta).map(Self::Sigmoid)
    }

    /// Sigmoids whose centres are the training targets' Q1 − 1.5·IQR and Q3 + 1.5·IQR (PR09; quantile type
    /// 7).
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, relevance::Extremes};
    /// let train: Vec<f64> = (1..=9).map(f64::from).collect();
    /// let phi = Relevance::sigmoid_from_box_plot(&train, Extremes::High, 0.5, 1e-4)?;
    /// assert_eq!(phi.phi(13.0), 0.5); // 7 + 1.5 · 4
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn sigmoid_from_box_plot(
        train_targets: &[f64],
        extremes: Extremes,
        k: f64,
        delta: f64,
    ) -> Result<Self> {
        let (low, high) = box_plot::pr09_fences(train_targets)?;
        Self::sigmoid(extremes.low().then_some(low), extremes.high().then_some(high), k, delta)
    }

    /// Method `extremes`: φ is 1 from the whiskers (plain) or fences (adjusted) on, 0 at the median.
    ///
    /// uba and UBL are `BoxPlot::Plain` with `coef` 1.5; IRon's default is `BoxPlot::Adjusted`.
    ///
    /// ```
    /// use tailrank_metrics::{Relevance, relevance::{BoxPlot, Extremes}};
    /// let train = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 80.0];
    /// let phi = Relevance::extremes(&train, Extremes::Both, 1.5, BoxPlot::Plain)?;
    /// assert_eq!((phi.phi(4.5), phi.phi(7.0), phi.phi(1.0)), (0.0, 1.0, 0.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn extremes(train_targets: &[f64], extremes: Extremes, coef: f64, kind: BoxPlot) -> Result<Self> {
        Pchip::extremes(train_targets, extremes, coef, kind).map(Self::Pchip)
    }

    /// Method `range`: a piecewise cubic through `(y, φ)` points; without `slopes` 0 at both ends and the
    /// mean of the neighbouring secants inside.
    ///
    /// ```
    /// use tailrank_metrics::Relevance;
    /// let phi = Relevance::range(&[(-3.0, 1.0), (0.0, 0.0), (3.0, 1.0)], Some(&[0.0; 3]))?;
    /// assert_eq!((phi.phi(-9.0), phi.phi(0.0), phi.phi(1.5)), (1.0, 0.0, 0.5));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn range(points: &[(f64, f64)], slopes: Option<&[f64]>) -> Result<Self> {
        Pchip::range(points, slopes).map(Self::Pchip)
    }

    /// A table of `(y, φ)` points: linear between, constant outside.
    ///
    /// ```
    /// use tailrank_metrics::Relevance;
    /// let phi = Relevance::table(&[(0.0, 0.0), (10.0, 1.0)])?;
    /// assert_eq!((phi.phi(2.5), phi.phi(99.0)), (0.25, 1.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn table(points: &[(f64, f64)]) -> Result<Self> {
        Table::new(points).map(Self::Table)
    }

    /// φ = 1 inside the closed `ranges` (ends may be infinite) and 0 outside.
    ///
    /// ```
    /// use tailrank_metrics::Relevance;
    /// let phi = Relevance::indicator(&[(f64::NEG_INFINITY, -2.0), (2.0, f64::INFINITY)])?;
    /// assert_eq!((phi.phi(-2.0), phi.phi(0.0)), (1.0, 0.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn indicator(ranges: &[(f64, f64)]) -> Result<Self> {
        Indicator::new(ranges).map(Self::Indicator)
    }

    /// φ(y), within [0, 1].
    pub fn phi(&self, y: f64) -> f64 {
        match self {
            Self::Sigmoid(sigmoid) => sigmoid.function()(y),
            Self::Pchip(pchip) => pchip.function()(y),
            Self::Table(table) => table.function()(y),
            Self::Indicator(indicator) => indicator.function()(y),
        }
    }

    /// Writes φ of each of `ys` to `out`, bit for bit equal to [`Relevance::phi`] and quicker; stops at the
    /// shorter slice.
    ///
    /// ```
    /// use tailrank_metrics::Relevance;
    /// let relevance = Relevance::sigmoid(None, Some(2.0), 0.5, 1e-4)?;
    /// let ys = [0.0, 2.0, 4.0];
    /// let mut phi = [0.0; 3];
    /// relevance.phi_into(&ys, &mut phi);
    /// assert_eq!(phi, ys.map(|y| relevance.phi(y)));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn phi_into(&self, ys: &[f64], out: &mut [f64]) {
        match self {
            Self::Sigmoid(sigmoid) => map_into(ys, out, sigmoid.function()),
            Self::Pchip(pchip) => map_into(ys, out, pchip.function()),
            Self::Table(table) => map_into(ys, out, table.function()),
            Self::Indicator(indicator) => map_into(ys, out, indicator.function()),
        }
    }

    /// The ranges of y where φ(y) ≥ t_E, ascending.
    ///
    /// ```
    /// use tailrank_metrics::Relevance;
    /// let relevance = Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4)?;
    /// let bounds = relevance.event_bounds(0.5)?;
    /// assert_eq!((bounds[0].to, bounds[1].from), (-0.02, 0.02));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn event_bounds(&self, t_e: f64) -> Result<Vec<EventRange>> {
        check_event_threshold(t_e)?;
        if t_e == 0.0 {
            return Ok(vec![EventRange { from: f64::NEG_INFINITY, to: f64::INFINITY }]);
        }
        let mut ranges = match self {
            Self::Sigmoid(sigmoid) => sigmoid.event_bounds(t_e),
            Self::Pchip(pchip) => pchip.event_bounds(t_e),
            Self::Table(table) => table.event_bounds(t_e),
            Self::Indicator(indicator) => indicator.ranges().to_vec(),
        };
        ranges.retain(|r| r.from < f64::INFINITY && r.to > f64::NEG_INFINITY);
        // Two wide sigmoids may overlap.
        if let [low, high] = ranges[..]
            && low.to >= high.from
        {
            return Ok(vec![EventRange { from: low.from, to: high.to }]);
        }
        Ok(ranges)
    }

    /// One line that names the shape and every setting.
    pub fn describe(&self) -> String {
        let pairs = |points: &mut dyn Iterator<Item = (f64, f64)>| {
            points.map(|(y, phi)| format!("φ({y}) = {phi}")).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Sigmoid(s) => {
                let (low, high) = s.centres();
                let mut text = String::from("sigmoid");
                for (name, centre) in [("low", low), ("high", high)] {
                    if let Some(c) = centre {
                        text.push_str(&format!(", {name} centre {c}"));
                    }
                }
                text + &format!(", k = {}, Δ = {}", s.k(), s.delta())
            }
            Self::Pchip(p) => {
                format!("piecewise cubic, {}", pairs(&mut p.control_points().iter().map(|c| (c.y, c.phi))))
            }
            Self::Table(t) => format!("table, {}", pairs(&mut t.points().iter().copied())),
            Self::Indicator(i) => {
                let ranges: Vec<String> =
                    i.ranges().iter().map(|r| format!("[{}, {}]", r.from, r.to)).collect();
                format!("1 inside {}, 0 outside", ranges.join(" and "))
            }
        }
    }
}
