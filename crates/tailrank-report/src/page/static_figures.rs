//! The static figures of a run, as files beside the page: `figures/*.svg`.

use serde::Serialize;
use tailrank_score::table::slug;

use super::*;
use crate::{
    claims::PaperFigure,
    figures::{Drawing, draw_task},
};

/// A figure that was drawn.
#[derive(Clone, Serialize)]
pub(super) struct StaticFigure {
    /// What it is, for its link.
    pub(super) name: String,
    /// Its path inside the report.
    pub(super) file: String,
    /// Its title, which states the finding, as plain text.
    #[serde(skip)]
    pub(super) title: String,
    /// What tells it from other drawings of the same figure.
    #[serde(skip)]
    pub(super) detail: String,
    /// The question it answers on the first screen; empty where it is not shown there.
    #[serde(skip)]
    pub(super) question: &'static str,
}

/// Writes drawings; one that could not be drawn is left out.
pub(super) fn write(prefix: &str, drawings: Vec<Drawing>, stage: &mut dyn Sink) -> Result<Vec<StaticFigure>> {
    let mut written = Vec::new();
    for Drawing { spec, detail, figure } in drawings {
        let name = format!("{}{detail}", spec.name);
        let stem = format!("{prefix}{}", slug(&name));
        match figure {
            Ok(Figure { title, svg }) => {
                let file = format!("figures/{stem}.svg");
                stage.write(&file, svg.as_bytes())?;
                written.push(StaticFigure { name, file, title, detail, question: spec.question });
            }
            Err(why) => stage.left_out(&stem, &why),
        }
    }
    Ok(written)
}

/// Figures of one task.
pub(super) fn of_task(
    task: &TaskView<'_>,
    paper: Option<Paper>,
    stage: &mut dyn Sink,
) -> Result<Vec<StaticFigure>> {
    write(&format!("{}-{}-", task.number.0 + 1, slug(task.name)), draw_task(task, paper)?, stage)
}

/// The figures of a study's paper, in the order of its numbers.
pub(super) fn of_paper(figures: &[PaperFigure], stage: &mut dyn Sink) -> Result<Vec<StaticFigure>> {
    let mut figures: Vec<_> = figures.iter().collect();
    figures.sort_by_key(|figure| figure.number().unwrap_or(u32::MAX));
    let mut write = |figure: &PaperFigure| {
        let file = format!("figures/paper-{}.svg", figure.name);
        stage.write(&file, figure.svg.as_bytes())?;
        let (name, title) = (figure.name.clone(), figure.title.clone());
        Ok(StaticFigure { name, file, title, detail: String::new(), question: "" })
    };
    figures.into_iter().map(&mut write).collect()
}
