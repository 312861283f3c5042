//! Any text as an experiment file: a plan, or problems that name lines of the text.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tailrank_data::Library;
use tailrank_experiment::{
    EngineError,
    config::{Experiment, apply, differences},
    plan::Planner,
};

/// Grids that take no longer to plan than to read.
const MOST_VARIANTS: u128 = 200;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines = text.split('\n').count();
    let (experiment, problems) = Experiment::read(text);
    assert!(experiment.is_some() || !problems.is_empty());
    assert!(problems.iter().all(|p| p.line <= lines && !p.message.is_empty()));
    let Some(experiment) = experiment else { return };
    if problems.is_empty() {
        let again = Experiment::parse(&apply(text, &[]).unwrap()).unwrap();
        assert_eq!(differences(&experiment, &again), []);
    }
    // A command may name any folder, all of which is read; a path may name a device.
    let elsewhere = experiment.models.iter().any(|grid| !grid.command.is_empty()) || text.contains('/');
    let variants = experiment.models.iter().fold(0, |sum: u128, grid| sum.saturating_add(grid.count()));
    if elsewhere || variants > MOST_VARIANTS {
        return;
    }
    let library = Library::default();
    match Planner::new(&library).from_text(text, Path::new("e.toml"), Path::new("no such folder")) {
        Ok(plan) => assert!(problems.is_empty() && !plan.cells.is_empty()),
        Err(EngineError::Experiment { problems, .. }) => {
            assert!(!problems.is_empty());
            assert!(problems.iter().all(|p| p.line <= lines && !p.message.is_empty()));
        }
        Err(other) => panic!("{other}"),
    }
});
