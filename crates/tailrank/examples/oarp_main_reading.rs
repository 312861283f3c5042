//! The oarp study as a library call: the main reading alone, without trees. Prints each set's mean test accuracies by
//! accuracy, F and OARP; `scripts/bench_oarp.py` times it.

#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use tailrank::{
    data::Library,
    models::Cancel,
    studies::{
        Setting,
        oarp::{self, Model, Settings},
    },
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut settings = Settings::bundled()?;
    settings.other_readings.clear();
    settings.tree = None;
    let (library, cancel) = (Library::default(), Cancel::default());
    let found = oarp::run(&settings, &Setting { library: &library, cancel: &cancel, progress: &|_, _| {} })?;
    for set in &found.main.sets {
        let mean = |model: Model| set.accuracies(model).iter().sum::<f64>() / set.folds.len() as f64;
        let [accuracy, f, oarp] = Model::CRITERIA.map(mean);
        println!("{},{accuracy:.6},{f:.6},{oarp:.6}", set.label);
    }
    Ok(())
}
