//! The page as one HTML file that can be mailed: style and scripts inside it, everything else packed (gzip,
//! base64) and unpacked by the page when it is asked for.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::Compression;

use super::{packed_numbers::gzip, *};

/// The files of a page, held in memory.
#[derive(Default)]
pub(crate) struct Bundle {
    files: Vec<(String, Vec<u8>)>,
}

impl Sink for Bundle {
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.files.push((name.to_owned(), bytes.to_vec()));
        Ok(())
    }
}

impl Bundle {
    fn text(&self, name: &str) -> String {
        let found = self.files.iter().find(|(n, _)| n == name);
        found.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }

    /// The one document.
    pub(crate) fn html(&self) -> Result<String> {
        let style = format!("<style>\n{}</style>", self.text("report.css"));
        let mut page = self
            .text("index.html")
            .replacen("<link rel=\"stylesheet\" href=\"report.css\">", &style, 1)
            .replacen(SCRIPT.0, "", 1)
            .replacen("script-src 'self' file: 'unsafe-eval'", "script-src 'unsafe-inline' 'unsafe-eval'", 1)
            // Pictures are set once they are unpacked.
            .replace("<img src=\"figures/", "<img data-src=\"figures/");
        let mut tail = String::new();
        for (name, bytes) in self.files.iter().filter(|(name, _)| is_packed(name)) {
            let file = packed(bytes, Compression::best())?;
            html! { script type="application/gzip" data-file=(name) { (PreEscaped(file)) } }
                .render_to(&mut tail);
        }
        html! { script { (PreEscaped(self.text("report.js"))) } }.render_to(&mut tail);
        if let Some(end) = page.rfind("</body>") {
            page.insert_str(end, &tail);
        }
        Ok(page)
    }
}

/// What is inside the page itself is not packed again; of every table one form is enough.
fn is_packed(name: &str) -> bool {
    !matches!(name, "index.html" | "report.css" | "report.js" | "files.json") && !name.ends_with(".parquet")
}

/// Gzip in base64.
pub(super) fn packed(bytes: &[u8], level: Compression) -> Result<String> {
    Ok(STANDARD.encode(gzip(&[bytes], level)?))
}
