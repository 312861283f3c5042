//! The HTML report: one folder that opens from disk in any browser, without a network.
//!
//! ```text
//! index.html           the first screen, complete without scripts; the frame of the task pages
//! report.css, report.js
//! plotly.js            the chart library, packed, loaded after the first screen stands
//! tasks/<n>.js         truth and predictions of one task, loaded when it is opened
//! figures/*.svg        static figures for papers
//! tables/*             Markdown, LaTeX, a JSON summary; CSV and Parquet where the run's `results` are elsewhere
//! files.json           what the report was made from, and the files above with their checksums
//! ```

mod assets;
mod card;
mod overview;
mod packed_numbers;
mod run_data;
mod settings;
mod single_file;
mod stage;
mod static_figures;
mod study;
mod task_data;
mod written_tables;

pub use stage::check_folder;
pub use study::{StudyPage, write_study_report};

pub(crate) use single_file::Bundle;
pub(crate) use stage::begin;

// What the parts of a page are made from; most files of this module take it by `use super::*`.
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use tailrank_experiment::{
    EngineError,
    plan::{Plan, Task},
    text::{count, digits, digits_together, p_value, thousands},
};
use tailrank_metrics::{Measure, Settings};
use tailrank_score::{
    external::PredictionTable,
    score::{
        Results, StoredPredictions, TaskId, TaskScores, VariantId, VariantStatus,
        answer::{Decision, Picks},
    },
    table::Table,
};

use self::static_figures::StaticFigure;
use crate::{
    Result, answer,
    escape::{self, GENERATOR},
    figures::{Figure, Heading, TaskView, draw_run, draw_task, episodes_of_task, rank_flow_of_task},
    page_input::{Origin, PageInput},
    tables,
    task_pages::notice,
};

/// Where the files of a page go: a folder, or one file that holds them all.
pub(crate) trait Sink {
    /// Takes one file, by its path inside the report.
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()>;
}

/// The predictions of a run; none for a table made elsewhere.
pub(crate) fn stored<'a>(subject: PageInput<'a>) -> Result<Option<StoredPredictions<'a>>> {
    Ok(subject.run().map(|(plan, store)| StoredPredictions::list(plan, store)).transpose()?)
}

/// Writes every file of the report, unless it is stopped between two tasks; returns what whoever asked for it
/// should be told.
pub(crate) fn write(
    stopped: &dyn Fn() -> bool,
    subject: PageInput<'_>,
    stage: &mut dyn Sink,
) -> Result<Option<String>> {
    let check_cancelled = || if stopped() { Err(EngineError::Interrupted) } else { Ok(()) };
    let pages = subject.pages.of(subject.results)?;
    let overall = static_figures::write(draw_run(&subject, None)?, stage)?;
    let paper = static_figures::of_paper(subject.paper_figures, stage)?;
    let stored = stored(subject)?;
    let tasks = subject.results.names.tasks.len();
    let mut of_tasks = Vec::with_capacity(tasks);
    for number in 0..tasks {
        check_cancelled()?;
        if !pages[number] {
            of_tasks.push(Vec::new());
            continue;
        }
        let task = TaskView::load(subject, TaskId(number), stored.as_ref())?;
        // The page's own have no context below their title, and their lines can be clicked.
        let heading = Heading::of(task.name);
        let drawn =
            [rank_flow_of_task(&task, heading).ok(), episodes_of_task(&task, heading).and_then(Result::ok)];
        let [flow, episodes] = drawn.each_ref().map(|figure| figure.as_ref().map(|f| f.svg.as_str()));
        let script = task_data::script(&task, flow, episodes)?;
        stage.write(&format!("tasks/{}.js", number + 1), &script)?;
        of_tasks.push(static_figures::write(draw_task(&task, None, |_| true)?, stage)?);
    }
    let tables = written_tables::write(subject, &pages, stage)?;
    let notice = notice(&pages);
    let files = Files { overall, paper, of_tasks, tables, pages };
    stage.write("index.html", index(subject, &files)?.0.as_bytes())?;
    stage.write("report.css", assets::STYLE.as_bytes())?;
    stage.write("report.js", assets::script()?.as_bytes())?;
    stage.write("plotly.js", &assets::plotly()?)?;
    check_cancelled()?;
    Ok(notice)
}

/// Nothing may be loaded from a network; 3-D surfaces compile code at run time.
const POLICY: &str = "default-src 'none'; script-src 'self' file: 'unsafe-eval'; style-src 'self' file: 'unsafe-inline'; \
                      img-src 'self' file: data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'";

/// What else the report holds, for links.
struct Files {
    /// Figures over all tasks.
    overall: Vec<StaticFigure>,
    /// Figures of the study's paper.
    paper: Vec<StaticFigure>,
    /// Figures of each task.
    of_tasks: Vec<Vec<StaticFigure>>,
    /// Which tasks have a page.
    pages: Vec<bool>,
    /// Tables by name, with their files.
    tables: written_tables::TableLinks,
}

/// Loads the script of a page, where it has any.
const SCRIPT: PreEscaped<&str> = PreEscaped("<script src=\"report.js\" defer></script>");

/// `index.html` of a run.
fn index(subject: PageInput<'_>, files: &Files) -> Result<Markup> {
    let body = html! {
        div #overview { (overview::html(subject, files)) }
        div #task hidden {}
        (settings::html(subject, &files.tables)?)
        noscript { p.note { "The task pages need JavaScript; the tables above do not." } }
    };
    let data = html! {
        div.unseen #announce aria-live="polite" {}
        script #run type="application/json" { (PreEscaped(escape::json(run_data::object(subject, files)))) }
    };
    Ok(document(subject.name, "from stored predictions", SCRIPT, body, data))
}

/// The frame of every page: `made` says what it was made from, and `data` stands below what is seen.
fn document(name: &str, made: &str, script: PreEscaped<&str>, body: Markup, data: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                (PreEscaped(GENERATOR))
                title { (name) " – tailrank" }
                link rel="stylesheet" href="report.css";
                link rel="icon" href="data:,";
                (script)
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                nav.top aria-label="Tasks" { a href="#" { (name) } span #task-nav {} }
                main #main tabindex="-1" { (body) }
                footer {
                    "Made by tailrank " (env!("CARGO_PKG_VERSION")) " " (made)
                    ". Nothing on this page is loaded from a network."
                }
                (data)
            }
        }
    }
}

/// A section of the page under a heading, which names it.
fn section(id: &str, title: &str, body: Markup) -> Markup {
    html! { section aria-labelledby=(id) { h2 id=(id) { (title) } (body) } }
}

/// Something that opens on demand.
fn details(summary: &str, body: Markup) -> Markup {
    html! { details { summary { (summary) } (body) } }
}

fn paragraphs(sentences: &[String]) -> Markup {
    html! { @for sentence in sentences { p { (sentence) } } }
}

/// Items of a list.
fn items(all: impl IntoIterator<Item = impl Render>) -> Markup {
    html! { @for item in all { li { (item) } } }
}

/// A table that scrolls; a heading that begins with `>` stands over a column of numbers.
fn table(class: &str, headings: &[&str], rows: Markup) -> Markup {
    let number = |heading: &str| heading.starts_with('>').then_some("n");
    html! {
        div.wide {
            table class=(class) {
                thead {
                    tr { @for h in headings { th scope="col" class=[number(h)] { (h.trim_start_matches('>')) } } }
                }
                tbody { (rows) }
            }
        }
    }
}

/// Where a task's page opens.
fn task_href(task: TaskId) -> String {
    format!("#task={}", task.0 + 1)
}
