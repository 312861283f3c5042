//! The static figures of a run, as files beside the page: `figures/*.svg`.

use serde::Serialize;

use super::*;
use crate::{claims::PaperFigure, figures::Drawing};

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
pub(super) fn write(drawings: Vec<Drawing>, stage: &mut dyn Sink) -> Result<Vec<StaticFigure>> {
    let mut written = Vec::new();
    for Drawing { spec, detail, stem, figure } in drawings {
        if let Ok(Figure { title, svg }) = figure {
            let name = format!("{}{detail}", spec.name);
            let file = format!("figures/{stem}.svg");
            stage.write(&file, svg.as_bytes())?;
            written.push(StaticFigure { name, file, title, detail, question: spec.question });
        }
    }
    Ok(written)
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
