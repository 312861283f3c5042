//! Does inference keep its promises? Simulated worlds whose truth is known, through the same function that a
//! run calls.
//!
//!     cargo run --example inference_calibration FOLDER [replications, 1000 if not given] [part] [worlds whose name has this]
//!
//! Parts are size, power, equal, folds, tasks, effects and episodes; all of them if none is named. Each
//! writes its table to `FOLDER`; `scripts/calibration.sh` puts them together in `results/calibration/`.
//!
//! The rules were adjusted on other worlds: AR(.2), AR(.5), AR(.8) and AR(.97), GARCH and volatility of daily
//! returns, lognormal targets, panels of 8 symbols whose dates follow an AR(.6), 48 groups of normal effects,
//! labels over 10 steps, 500 rows in folds; tails of differences of F on 90 and 220 cases, with models of
//! correlation 0 and .4 with the truth.
#![allow(clippy::print_stdout)]

mod ask;
mod designs;
mod episodes;
mod folds;
mod report;
mod size;
mod tasks;
mod worlds;

use ask::Outcome;
use report::Part;

type Make = fn(usize, &str) -> Outcome<Part>;
const PARTS: [(&str, Make); 7] = [
    ("size", size::size),
    ("power", size::power),
    ("equal", size::equal),
    ("folds", folds::folds_of_tables),
    ("tasks", tasks::many),
    ("effects", tasks::effects),
    ("episodes", episodes::by_episode),
];

fn main() -> Outcome {
    let mut args = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(args.next().ok_or("name a folder for the tables")?);
    let worlds = args.next().map_or(Ok(1000), |a| a.parse())?;
    let (part, only) = (args.next(), args.next().unwrap_or_default());
    let asked: Vec<(&str, Make)> =
        PARTS.into_iter().filter(|(name, _)| part.as_ref().is_none_or(|p| p == name)).collect();
    if asked.is_empty() {
        return Err(format!("choose one of {}", PARTS.map(|p| p.0).join(", ")).into());
    }
    for (name, make) in asked {
        let part = make(worlds, &only)?;
        std::fs::write(folder.join(format!("{name}.csv")), part.csv())?;
        std::fs::write(folder.join(format!("{name}.md")), part.markdown())?;
        println!("{}{} promises broken\n", part.markdown(), part.broken());
    }
    Ok(())
}
