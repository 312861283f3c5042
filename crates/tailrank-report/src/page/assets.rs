//! Style sheet, scripts and the chart library, as they are written beside the page.

use flate2::Compression;

use super::{
    packed_numbers::{self, gzip},
    single_file::packed,
};
use crate::Result;

/// The style sheet.
pub(super) const STYLE: &str = include_str!("../../assets/report.css");

/// The scripts in the order in which they build on each other.
const SCRIPTS: [&str; 17] = [
    include_str!("../../assets/js/start.js"),
    include_str!("../../assets/js/files.js"),
    include_str!("../../assets/js/scoring.js"),
    include_str!("../../assets/js/ranks.js"),
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
    include_str!("../../assets/js/card.js"),
    include_str!("../../assets/js/main.js"),
];

/// Measures and ranks compiled for the browser: `scripts/check/wasm.sh` builds it from crates/tailrank-wasm.
const SCORING: &[u8] = include_bytes!("../../assets/scoring.wasm");

/// All scripts as one file, the compiled measures packed inside: a page opened from disk may not fetch.
pub(super) fn script() -> Result<String> {
    let (main, parts) = SCRIPTS.split_last().map_or(("", &SCRIPTS[..]), |(main, parts)| (*main, parts));
    let scoring = packed(SCORING, Compression::best())?;
    Ok(format!("{}\ntailrank.compiled = \"{scoring}\";\n{main}", parts.join("\n")))
}

/// The chart library as a script that the page unpacks: a third of its size, for a few milliseconds.
pub(super) fn plotly() -> Result<Vec<u8>> {
    Ok(packed_numbers::script(
        "tailrank.packed(",
        &gzip(&[plotly_code().as_bytes()], Compression::default())?,
    ))
}

/// The chart library, as the plotly crate carries it (MIT licence, named in its first lines).
fn plotly_code() -> String {
    let tags = plotly::Plot::offline_js_sources();
    // The first script element is Plotly, the second a formula renderer that no label here needs.
    let script = tags.split_once('>').and_then(|(_, rest)| rest.split_once("</script>"));
    script.map(|(code, _)| code.to_owned()).unwrap_or_default()
}
