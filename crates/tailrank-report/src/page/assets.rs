//! Style sheet, scripts and the chart library, as they are written beside the page.

use flate2::Compression;

use super::{
    packed_numbers::{self, gzip},
    single_file::packed,
};
use crate::Result;

/// The style sheet.
pub(super) const STYLE: &str = include_str!("../../assets/report.css");

/// The scripts of `assets/js` as one: `scripts/check/page.sh` bundles them.
const SCRIPT: &str = include_str!("../../assets/report.js");

/// Measures and ranks compiled for the browser: `scripts/check/wasm.sh` builds it from crates/tailrank-wasm.
const SCORING: &[u8] = include_bytes!("../../assets/scoring.wasm");

/// The scripts, with the compiled measures packed inside: a page opened from disk may not fetch.
pub(super) fn script() -> Result<String> {
    let scoring = packed(SCORING, Compression::best())?;
    Ok(format!("{SCRIPT}tailrank.start(\"{scoring}\");\n"))
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
