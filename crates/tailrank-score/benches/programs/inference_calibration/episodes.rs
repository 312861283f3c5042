//! Chance by episode: signals without skill of this truth, where events come in clusters.

use tailrank_metrics::EpisodeRule;
use tailrank_score::score::{
    EpisodeTask, Predictions, RowDesign, TaskId, TaskTruth, VariantId, VariantStatus,
};

use super::{
    ask::{Events, Outcome, settings},
    report::{Part, Promise, Row},
    worlds::{Process, Random},
};

const RULE: EpisodeRule = EpisodeRule { gap: 3, lead: 2, cooldown: 2 };

/// A law of the rows of each entity, truth and signals alike; values beyond the bound are events.
struct World {
    name: &'static str,
    process: Process,
    rows: usize,
    entities: usize,
    bound: f64,
}

const WORLDS: [World; 4] = [
    World { name: "GARCH (500 rows)", process: Process::Garch, rows: 500, entities: 1, bound: 1.6 },
    World { name: "GARCH (1800 rows)", process: Process::Garch, rows: 1800, entities: 1, bound: 2.0 },
    World {
        name: "GARCH (4 symbols × 300 dates)",
        process: Process::Garch,
        rows: 300,
        entities: 4,
        bound: 1.6,
    },
    World { name: "volatility (500 rows)", process: Process::Volatility, rows: 500, entities: 1, bound: 1.6 },
];

impl World {
    /// p against chance; none where no event or no signal is there.
    fn p(&self, random: &mut Random) -> Outcome<Option<f64>> {
        let mut column =
            || (0..self.entities).flat_map(|_| random.series(self.rows, self.process)).collect::<Vec<f64>>();
        let n = self.rows * self.entities;
        let parts = [TaskTruth {
            rows: (0..n).collect(),
            ..TaskTruth::new(column(), settings(Events::Beyond(self.bound))?)
        }];
        let predictions = Predictions { status: VariantStatus::Fine, parts: vec![column()] };
        let design = RowDesign {
            steps: Some((0..n).map(|i| i % self.rows).collect()),
            entities: Some((0..n).map(|i| i / self.rows).collect()),
            ..RowDesign::default()
        };
        let task = EpisodeTask::new(TaskId(0), &parts, RULE, None, &design, false).ok_or("no episodes")?;
        Ok(task.of(VariantId(0), &predictions).and_then(|found| found.p_chance))
    }
}

pub(crate) fn by_episode(worlds: usize, only: &str) -> Outcome<Part> {
    let mut rows = Vec::new();
    for (place, world) in WORLDS.iter().enumerate().filter(|(_, w)| w.name.contains(only)) {
        let p = (0..worlds).map(|w| world.p(&mut Random::new(184, w + 100_000 * place)));
        let p: Vec<f64> = p.collect::<Outcome<Vec<_>>>()?.into_iter().flatten().collect();
        rows.push(Row {
            world: world.name.to_owned(),
            what: "chance".to_owned(),
            measure: "episodes caught".to_owned(),
            replications: worlds,
            answered: p.len(),
            count: p.iter().filter(|p| **p < 0.05).count(),
            promise: Promise::Exact,
        });
    }
    let EpisodeRule { gap, lead, cooldown } = RULE;
    let says = format!(
        "Truth and predictions are unrelated paths of one law whose events come in clusters. How often the signals are called better than \
         chance at 5 %, by episodes caught (gap = {gap}, lead = {lead}, cooldown = {cooldown})."
    );
    Ok(Part { name: "episodes", heading: "Chance by episode", says, rows })
}
