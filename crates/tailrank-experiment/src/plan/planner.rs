//! Reads an experiment and plans it.

use std::path::Path;

use tailrank_data::{Library, Transform};
use tailrank_metrics::relevance::Extremes;

use super::{
    Plan,
    cells::cells,
    check::{LeftOut, check_columns, check_events, unknown_task_settings},
    files::Loader,
    splits,
    variants::{expand, missing_programs},
};
use crate::{
    EngineError, Result,
    config::{self, Experiment, MOST_VARIANTS, ModelGrid},
    families::{Families, ProgramFiles},
    problem::{Problem, with_lines},
    rules::scoring_rules,
};

/// What an experiment is planned with: the data it may name, its families, and what is known of its programs.
///
/// ```
/// use std::path::Path;
/// use tailrank_data::Library;
/// use tailrank_experiment::{families::Families, plan::Planner};
/// use tailrank_models::engines::own::OwnModel;
///
/// let zero = OwnModel::new("zero", &[], |_train, test, _variant, _context| Ok(vec![0.0; test.rows()]));
/// let text = r#"
///     name = "own"
///     data.series = ["KO"]
///     split = { kind = "date", at = "1990-01-01" }
///     measures = { list = ["mad", "f"], t_l = 0.01 }
///     models = [{ family = "zero" }, { family = "linear" }]
/// "#;
/// let (library, families) = (Library::default(), Families::built_in().with(zero)?);
/// let plan = Planner::new(&library).families(&families).from_text(text, Path::new("own.toml"), Path::new(""))?;
/// assert_eq!(plan.variants[0].label, "zero");
/// // Two grids, and the references that every answer is held against.
/// assert_eq!(plan.cells.len(), 3);
/// # Ok::<(), tailrank_experiment::EngineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planner<'a> {
    library: &'a Library,
    families: Families,
    programs: Option<&'a ProgramFiles>,
    outline: bool,
}

impl<'a> Planner<'a> {
    /// With the families of this program.
    pub fn new(library: &'a Library) -> Self {
        Self { library, families: Families::built_in(), programs: None, outline: false }
    }

    /// With these families.
    #[must_use]
    pub fn families(mut self, families: &Families) -> Self {
        self.families = families.clone();
        self
    }

    /// For a run that is only to be read: programs it once ran need not be there any more, if it is known
    /// what was in them.
    #[must_use]
    pub fn programs(mut self, known: &'a ProgramFiles) -> Self {
        self.programs = Some(known);
        self
    }

    /// For who runs nothing: such a plan has no cells, whose keys would take a look at every row of every
    /// split.
    #[must_use]
    pub fn outline(self) -> Self {
        Self { outline: true, ..self }
    }

    /// Reads an experiment file and plans it.
    ///
    /// # Errors
    /// Everything found wrong with the file, at once.
    pub fn load(&self, path: &Path) -> Result<Plan> {
        let text = config::read_file(path)?;
        self.from_text(&text, path, path.parent().unwrap_or(Path::new("")))
    }

    /// Plans the text of an experiment; `path` stands for it in messages, `base` is where its files are
    /// looked for.
    ///
    /// # Errors
    /// Everything found wrong with the text, at once, each with its line.
    pub fn from_text(&self, text: &str, path: &Path, base: &Path) -> Result<Plan> {
        let (experiment, misread) = Experiment::read(text);
        let planned = match experiment {
            Some(experiment) => self.plan(experiment, &misread, text, base),
            None => Err(Vec::new()),
        };
        planned.map_err(|problems| {
            let all = misread.iter().cloned().chain(unrelated(problems, &misread)).collect();
            EngineError::Experiment { path: path.to_owned(), problems: with_lines(text, all) }
        })
    }

    /// The experiment of a text and its variants, without a look at its data; none where something is wrong
    /// with it.
    ///
    /// Who has planned it with other models takes the rest from that plan.
    pub fn models(&self, text: &str, base: &Path) -> Option<(Experiment, Vec<super::Variant>)> {
        let (experiment, misread) = Experiment::read(text);
        let mut experiment = experiment.filter(|_| misread.is_empty())?;
        let mut problems = experiment.problems();
        add_references(&mut experiment, &self.families);
        let variants = self.variants(&experiment, base, &mut problems);
        problems.is_empty().then_some((experiment, variants))
    }

    fn plan(
        &self,
        mut experiment: Experiment,
        misread: &[Problem],
        text: &str,
        base: &Path,
    ) -> std::result::Result<Plan, Vec<Problem>> {
        let mut problems = experiment.problems();
        add_references(&mut experiment, &self.families);
        let variants = self.variants(&experiment, base, &mut problems);
        let mut loader = Loader::new(&experiment, base, self.library);
        let sources = loader.load();
        problems.extend(loader.problems);
        let mut warnings = loader.warnings;
        let (mut tasks, mut left_out) = splits::tasks(&experiment, sources);
        let also_known: Vec<&str> = left_out.iter().flat_map(|t| [&*t.task, &*t.source]).collect();
        unknown_task_settings(&experiment, &tasks, &also_known, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let rules = scoring_rules(&experiment.measures, experiment.trading.as_ref())?;
        let (pairs, _) = experiment.compare.measure_pairs(&rules.measures);
        tasks.retain_mut(|task| {
            let (mut found, mut remarks) = (Vec::new(), Vec::new());
            check_columns(task, &mut found, &mut remarks);
            check_events(&experiment, task, &rules, &mut found, &mut remarks);
            let report = task.data.leak_report(&task.splits);
            remarks.extend(report.warnings);
            task.leaks = report.lines;
            let is_fine = found.is_empty();
            if is_fine {
                warnings.extend(remarks);
            } else {
                left_out.push(LeftOut {
                    task: task.name.clone(),
                    source: task.source.clone(),
                    problems: found,
                });
            }
            is_fine
        });
        // One task that cannot be tried does not stop the others; the last one is an error.
        match tasks.is_empty() {
            true => problems.extend(left_out.into_iter().flat_map(|task| task.problems)),
            false => warnings.splice(0..0, left_out.iter().map(ToString::to_string)).for_each(drop),
        }
        if !(problems.is_empty() && misread.is_empty()) {
            return Err(problems);
        }
        let cells = if self.outline { Vec::new() } else { cells(&experiment, &tasks, &variants) };
        let (text, base) = (text.to_owned(), base.to_owned());
        Ok(Plan { experiment, text, tasks, variants, cells, rules, pairs, warnings, base })
    }

    /// The variants of all grids; none where there are too many to expand, which is a problem already told.
    fn variants(
        &self,
        experiment: &Experiment,
        base: &Path,
        problems: &mut Vec<Problem>,
    ) -> Vec<super::Variant> {
        let grids: Vec<ModelGrid> = experiment.models.iter().chain(&experiment.references).cloned().collect();
        let count = grids.iter().fold(0, |sum: u128, grid| sum.saturating_add(grid.count()));
        if count > MOST_VARIANTS as u128 {
            return Vec::new();
        }
        let known = ProgramFiles::new();
        let (variants, found) = expand(&grids, &self.families, base, self.programs.unwrap_or(&known));
        problems.extend(found);
        if self.programs.is_none() {
            problems.extend(missing_programs(&grids, base));
        }
        if let Some(own) = variants.iter().find(|v| v.own_family && experiment.limits.isolate) {
            let message = format!(
                "a process of its own cannot fit family '{}', which is part of the calling program; leave \
                 isolate out",
                own.family.name()
            );
            problems.push(Problem::new("limits.isolate", message));
        }
        variants
    }
}

/// The problems that do not come from what could not be read: its defaults are none of the user's choice.
fn unrelated(mut problems: Vec<Problem>, misread: &[Problem]) -> Vec<Problem> {
    fn section(p: &Problem) -> &str {
        p.key.split('.').next().unwrap_or_default()
    }
    let sections: Vec<&str> = misread.iter().map(section).collect();
    // A whole section under an unknown name may be any; and tasks come from data, target and split together.
    if misread.iter().any(|p| !p.key.contains('.')) {
        return Vec::new();
    }
    let rows = ["data", "split", "target"];
    let no_rows = sections.iter().any(|s| rows.contains(s));
    problems.retain(|p| {
        let own = section(p);
        !sections.contains(&own)
            && !(no_rows && (rows.contains(&own) || ["relevance", "tasks"].contains(&own)))
    });
    problems
}

/// The family whose variants are added.
const REFERENCES: &str = "baseline";

/// Adds a grid of the references that an experiment lacks, behind its own: nothing where its grids name
/// baselines, or where inference is off.
fn add_references(experiment: &mut Experiment, families: &Families) {
    let is_baseline = |grid: &ModelGrid| {
        families.find(&grid.family, grid.engine.as_deref()).is_ok_and(|family| family.is_baseline())
    };
    let named = experiment.models.iter().any(is_baseline);
    if named || experiment.models.is_empty() || !experiment.inference.enabled {
        return;
    }
    let mut kinds = vec!["mean"];
    if experiment.data.tables.is_empty() {
        // Zero is a forecast of what changes; of a level it is none.
        if experiment.target.kind != Transform::Level {
            kinds.push("zero");
        }
        kinds.push("last");
    }
    // The constants that signal always.
    kinds.extend(match experiment.relevance.extremes {
        Extremes::Low => &["extreme_low"][..],
        Extremes::High => &["extreme_high"],
        Extremes::Both => &["extreme_low", "extreme_high"],
    });
    let variants: Vec<String> = kinds.iter().map(|kind| format!("{{ kind = \"{kind}\" }}")).collect();
    let text = format!("family = \"{REFERENCES}\"\nvariants = [{}]", variants.join(", "));
    if let Ok(grid) = toml::from_str::<ModelGrid>(&text) {
        experiment.references = vec![grid];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let rest = "name = \"x\"\nsplit = { kind = \"fraction\", train = 0.5 }\n";
        let mut experiment: Experiment = toml::from_str(&format!("{rest}{text}")).unwrap();
        add_references(&mut experiment, &Families::built_in());
        let added = experiment.references.iter().flat_map(|g| &g.variants);
        added.map(|v| format!("{:?}", v["kind"])).collect()
    }

    #[test]
    fn every_run_has_references_unless_it_names_its_own() {
        let series = "data = { series = [\"KO\"] }\nmodels = [{ family = \"linear\" }]\n";
        assert_eq!(kinds(series).len(), 5);
        let table = "data = { tables = [\"boston\"] }\nrelevance = { extremes = \"high\" }\nmodels = [{ \
                     family = \"linear\" }]\n";
        assert_eq!(kinds(table).len(), 2);
        assert_eq!(kinds(&format!("target = {{ kind = \"level\" }}\n{series}")).len(), 4);
        assert_eq!(kinds(&series.replace("linear", "baseline")).len(), 0);
        assert_eq!(kinds(&format!("inference = {{ enabled = false }}\n{series}")).len(), 0);
    }
}
