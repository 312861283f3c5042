//! Style sheet, scripts and the chart library, as they are written beside the page.

/// The style sheet.
pub(super) const STYLE: &str = include_str!("../../assets/report.css");

/// The scripts in the order in which they build on each other.
const SCRIPTS: [&str; 17] = [
    include_str!("../../assets/js/start.js"),
    include_str!("../../assets/js/relevance.js"),
    include_str!("../../assets/js/ranks.js"),
    include_str!("../../assets/js/trading.js"),
    include_str!("../../assets/js/measures.js"),
    include_str!("../../assets/js/state.js"),
    include_str!("../../assets/js/charts.js"),
    include_str!("../../assets/js/pair_figure.js"),
    include_str!("../../assets/js/error_figures.js"),
    include_str!("../../assets/js/surface_figures.js"),
    include_str!("../../assets/js/relevance_figures.js"),
    include_str!("../../assets/js/trading_figures.js"),
    include_str!("../../assets/js/what_if.js"),
    include_str!("../../assets/js/variants_table.js"),
    include_str!("../../assets/js/task.js"),
    include_str!("../../assets/js/overview.js"),
    include_str!("../../assets/js/main.js"),
];

/// All scripts as one file.
pub(super) fn script() -> String {
    SCRIPTS.join("\n")
}

/// The chart library, as the plotly crate carries it.
pub(super) fn plotly() -> String {
    let tags = plotly::Plot::offline_js_sources();
    // The first script element is Plotly, the second a formula renderer that no label here needs.
    let script = tags.split_once('>').and_then(|(_, rest)| rest.split_once("</script>"));
    script.map(|(code, _)| code.to_owned()).unwrap_or_default()
}
