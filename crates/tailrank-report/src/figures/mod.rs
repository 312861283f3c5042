//! Static figures, as SVG: functions over plain data that return a whole document; and [`FIGURES`], which of
//! them a run has and how they are filled. A program adds its own by [`FigureSpec::register`].
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
//! | [`zeta()`] | what an error earns or costs | UT08 Fig. 3 |
//! | [`utility_surface()`] | utility of every pair of true and predicted value | UT08 Fig. 4 |
//! | [`rec_curves()`] | distribution of the error | REC05 Fig. 1 |
//! | [`rec_surface()`] | the error over the target | REC05 Fig. 2–4 |
//! | [`partial_rec()`] | the error on chosen targets | REC05 Fig. 5, 6, 8 |
//! | [`partial_y_cdf()`] | where errors of one size occur | REC05 Fig. 7, 9 |
//! | [`pr_curves()`] | precision and recall over t_E | |
//! | [`event_curves()`] | ROC, lift and cost curves of event alarms | WF Fig. 5.1–5.4 |
//! | [`pair_matrix()`] | which pairs of models a test tells apart | |
//! | [`predicted_true()`] | every prediction, with events, hits and misses | UT08 Fig. 1 |
//! | [`episodes()`] | episodes of events and alarms of signals along time | |
//! | [`equity()`], [`signals()`] | what the trading rule earned, and when it acted | PR09 §5.2 |
//! | [`rank_heat_map()`] | ranks of all variants on all tasks | |
//!
//! A title states the finding, by rule from the numbers; [`Heading::title`] replaces it. Colour and marker
//! name the family and nothing else ([`style`]), dashes tell variants of one family apart, so every figure
//! reads in grey.
//!
//! The documents are written directly. Chart libraries were looked at: plotters' SVG backend rounds to whole
//! pixels, writes one element per point (4,700 of them in a scatter), has no groups, no text alternatives and
//! no iso-lines, and offers nothing for diagrams of critical differences, rank flows and paired lists. Bytes
//! depend on the data alone: coordinates have two decimals, there are no identifiers and no dates. Marks that
//! would lie within half a pixel of another are left out of long lines; clouds of points are merged to one
//! path per class, one point per half pixel.

mod axis;
mod chart;
mod contour;
mod critical_difference;
mod data;
mod episodes;
mod event_curves;
mod events_vs_false_alarms;
mod forest;
mod grid;
mod labels;
mod lines;
mod pair_matrix;
mod path;
mod pr_curves;
mod predicted_true;
mod rank_flow;
mod rank_heat_map;
mod rank_scatter;
mod rec_curves;
mod rec_surface;
mod registry;
mod relevance;
pub mod style;
mod svg;
mod task;
mod text;
mod top_lists;
mod trade_off;
mod trading;
mod utility_surface;
mod zeta;

// All that a figure's module offers: its drawing function and the data it takes.
pub use self::{
    critical_difference::*, data::*, episodes::*, event_curves::*, events_vs_false_alarms::*, forest::*,
    grid::*, pair_matrix::*, pr_curves::*, predicted_true::*, rank_flow::*, rank_heat_map::*,
    rank_scatter::*, rec_curves::*, rec_surface::*, registry::*, relevance::*, task::TaskView, top_lists::*,
    trade_off::*, trading::*, utility_surface::*, zeta::*,
};

// What every figure is drawn with; a figure takes it by `use super::*`.
use tailrank_data::Date;
use tailrank_metrics::Better;

use self::{
    axis::*,
    chart::{BODY, Entry, MARGIN, Panel, SMALL, joined},
    labels::{Callouts, spread},
    lines::{LineLook, thinned},
    path::Path,
    style::*,
    svg::*,
};
use crate::{ReportError, Result, error::problem};

/// A place in a figure, or in the data.
pub(crate) type Point = (f64, f64);

/// A figure that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it finds, as plain text.
    pub title: String,
    /// The whole document.
    pub svg: String,
}

/// The figures of every run, in the order of lists and of the first screen. Of several that answer one
/// question, the first screen shows the first that was drawn.
pub static FIGURES: &[FigureSpec] = &[
    FigureSpec::of_run("scores with intervals", forest::draw_tasks).answers("How sure is each score?"),
    FigureSpec::of_run("ranks", rank_heat_map::draw).answers("How does each model rank on each task?"),
    FigureSpec::of_run("critical difference", critical_difference::draw),
    FigureSpec::of_task("what you get", events_vs_false_alarms::draw)
        .answers("How many events for how many false alarms?"),
    FigureSpec::of_task("scores with intervals", forest::draw).answers("How sure is each score?"),
    FigureSpec::of_task("rank flow", rank_flow::draw).answers("How does each measure rank the models?"),
    FigureSpec::of_task("over time", predicted_true::draw_over_time).answers("Where does it signal?"),
    FigureSpec::of_task("predicted and true", predicted_true::draw).answers("Where does it signal?"),
    FigureSpec::of_task("episodes and alarms", episodes::draw).answers("Which episodes does it announce?"),
    FigureSpec::of_task("trade-off", trade_off::draw).answers("What does one measure cost by the other?"),
    FigureSpec::of_task("score over the grid", grid::draw)
        .answers("Is the first model a plateau or a spike?"),
    FigureSpec::of_task("top lists", top_lists::draw),
    FigureSpec::of_task("rank scatter", rank_scatter::draw),
    FigureSpec::of_task("pairwise tests", pair_matrix::draw),
    FigureSpec::of_task("rec curves", rec_curves::draw),
    FigureSpec::of_task("partial rec curves on events", rec_curves::draw_events),
    FigureSpec::of_task("where small errors are", rec_curves::draw_small_errors),
    FigureSpec::of_task("rec surface", rec_surface::draw),
    FigureSpec::of_task("precision and recall", pr_curves::draw),
    FigureSpec::of_task("event alarms", event_curves::draw),
    FigureSpec::of_task("relevance", relevance::draw),
    FigureSpec::of_task("utility of an error", zeta::draw),
    FigureSpec::of_task("utility surface", utility_surface::draw),
    FigureSpec::of_task("signals", trading::draw_signals),
    FigureSpec::of_task("equity", trading::draw_equity),
];
