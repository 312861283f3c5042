//! Static figures, as SVG: functions over plain data that return a whole document.
//!
//! | figure | shows | paper |
//! |---|---|---|
//! | [`top_lists()`] | the best by each of two measures, on both scales | PR09 Fig. 2, left |
//! | [`rank_scatter()`] | rank by one measure against rank by the other | PR09 Fig. 2, right |
//! | [`rank_flow()`] | how ranks move from measure to measure | |
//! | [`trade_off()`] | one measure against the other in real units, with intervals, front and baselines | |
//! | [`grid()`] | the score over the parameters of each family | |
//! | [`events_vs_false_alarms()`] | events caught against false alarms, and at which cost the choice flips | |
//! | [`critical_difference()`] | average ranks and what differs significantly | Demšar 2006 |
//! | [`relevance()`] | φ over the target's distribution, with the events | UT08 Fig. 2 |
//! | [`utility_surface()`] | utility of every pair of true and predicted value | UT08 Fig. 4 |
//! | [`rec_curves()`] | distribution of the error | REC05 Fig. 1 |
//! | [`rec_surface()`], [`rec_surface_3d()`] | the error over the target | REC05 Fig. 2–4 |
//! | [`partial_rec()`] | the error on chosen targets | REC05 Fig. 5, 6, 8 |
//! | [`partial_y_cdf()`] | where errors of one size occur | REC05 Fig. 7, 9 |
//! | [`pr_curves()`] | precision and recall over t_E | |
//! | [`predicted_true()`] | every prediction, with events, hits and misses | UT08 Fig. 1 |
//! | [`episodes()`] | episodes of events and alarms of signals along time | |
//! | [`equity()`], [`signals()`] | what the trading rule earned, and when it acted | PR09 §5.2 |
//! | [`rank_heat_map()`] | ranks of all variants on all tasks | |
//!
//! A title states the finding, by rule from the numbers; [`Heading::title`] replaces it. Colour and marker name the
//! family and nothing else ([`style`]), dashes tell variants of one family apart, so every figure reads in grey.
//!
//! The documents are written directly. Chart libraries were looked at: plotters' SVG backend rounds to whole pixels,
//! writes one element per point (4,700 of them in a scatter), has no groups, no text alternatives and no iso-lines, and
//! offers nothing for diagrams of critical differences, rank flows and paired lists. Bytes depend on the data alone:
//! coordinates have two decimals, there are no identifiers and no dates. Marks that would lie within half a pixel of
//! another are left out of long lines; clouds of points are merged to one path per class, one point per half pixel.

mod axis;
mod chart;
mod contour;
mod critical_difference;
mod data;
mod episodes;
mod events_vs_false_alarms;
mod forest;
mod grid;
mod labels;
mod lines;
mod path;
mod pr_curves;
mod predicted_true;
mod rank_flow;
mod rank_heat_map;
mod rank_scatter;
mod rec_curves;
mod rec_surface;
mod relevance;
pub mod style;
mod svg;
mod text;
mod top_lists;
mod trade_off;
mod trading;
mod utility_surface;

pub use critical_difference::{AverageRanks, CriticalDifference, critical_difference};
pub use data::{Heading, MeasurePair, Paper, Quantity, Scores, Variant, scored_variants};
pub use episodes::{EpisodeStrip, episodes};
pub use events_vs_false_alarms::{EventsVsFalseAlarms, Got, events_vs_false_alarms};
pub use forest::{Forest, ForestRow, forest};
pub use grid::{Grid, GridVariant, grid};
pub use pr_curves::{PrCurves, VariantPr, pr_curves};
pub use predicted_true::{PredictedTrue, predicted_true};
pub use rank_flow::{RankFlow, rank_flow};
pub use rank_heat_map::{RankHeatMap, rank_heat_map};
pub use rank_scatter::rank_scatter;
pub use rec_curves::{
    PartialRec, PartialYCdf, RangePanel, RecCurves, VariantCurve, partial_rec, partial_y_cdf, rec_curves,
};
pub use rec_surface::{RecSurfaceFigure, Tail, rec_surface, rec_surface_3d};
pub use relevance::{RelevanceFigure, relevance};
pub use top_lists::top_lists;
pub use trade_off::{TradeOff, TradeOffPoint, trade_off};
pub use trading::{Equity, EquityCurve, Signals, equity, signals};
pub use utility_surface::{UtilitySurface, utility_surface};

// What every figure is drawn with; a figure takes it by `use super::*`.
use tailrank_data::Date;
use tailrank_metrics::Better;

use self::{
    axis::{Scale, Tick, Time, extent, padded, quantile},
    chart::{BODY, Entry, MARGIN, Panel, SMALL, joined},
    data::{ascending, finite, or_undefined, require, same_length},
    labels::{Callouts, spread},
    lines::{LineLook, thinned},
    path::Path,
    style::{
        BAD, BARS, Families, GOOD, GUIDE, INK, Look, MISSED, MUTED, Marker, NEAR, PRICE, QUIET, RULE, SHADE,
        count, digits, diverging, is_dark, percent, places, sentence_case, sequential, short, two,
    },
    svg::{Anchor, Pen, Svg, Type},
};
use crate::{ReportError, Result, error::problem};

/// A figure that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it finds, as plain text.
    pub title: String,
    /// The whole document.
    pub svg: String,
}
