//! `index.html`: the frame of the page.

use super::*;
use crate::escape::GENERATOR;

/// Nothing may be loaded from a network; 3-D surfaces compile code at run time.
const POLICY: &str = "default-src 'none'; script-src 'self' file: 'unsafe-eval'; style-src 'self' file: 'unsafe-inline'; \
                      img-src 'self' file: data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'";

/// What else the report holds, for links.
pub(super) struct Files {
    /// Figures over all tasks.
    pub(super) overall: Vec<StaticFigure>,
    /// Figures of each task.
    pub(super) of_tasks: Vec<Vec<StaticFigure>>,
    /// Which tasks have a page.
    pub(super) pages: Vec<bool>,
    /// Tables by name, with their files.
    pub(super) tables: written_tables::TableLinks,
}

/// The page.
pub(super) fn page(subject: PageInput<'_>, files: &Files) -> Result<String> {
    let name = text(subject.name);
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{GENERATOR}\n<title>{name} – tailrank</title>\n\
         <link rel=\"stylesheet\" href=\"report.css\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <script src=\"report.js\" defer></script>\n<script src=\"timings.js\" defer></script>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
         <nav class=\"top\" aria-label=\"Tasks\"><a href=\"#\">{name}</a><span id=\"task-nav\"></span></nav>\n\
         <main id=\"main\" tabindex=\"-1\">\n<div id=\"overview\">\n{}</div>\n\
         <div id=\"task\" hidden></div>\n{}\
         <noscript><p class=\"note\">The task pages need JavaScript; the tables above do not.</p></noscript>\n</main>\n\
         <footer>Made by tailrank {} from stored predictions. Nothing on this page is loaded from a network.</footer>\n\
         <div id=\"announce\" class=\"unseen\" aria-live=\"polite\"></div>\n\
         <script type=\"application/json\" id=\"run\">{}</script>\n</body>\n</html>\n",
        overview::html(subject, files),
        settings::html(subject, &files.tables)?,
        env!("CARGO_PKG_VERSION"),
        escape::json(run_data::object(subject, files)),
    ))
}
