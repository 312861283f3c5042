//! PR09's last sentence, and what followed from it: do models that aim at rare extremes find them, and what does it cost?
//!
//! Two studies of one design: stock returns, which can hardly be predicted, and tables whose extremes can be.

mod effects;
mod rules;

use tailrank_metrics::{Measure, Score, Undefined};
use tailrank_report::claims::Claim;
use tailrank_score::score::{Results, TaskId, VariantId};

use self::effects::{effect, effects_table, told};
use super::{
    Conclusion, Found, Kind, Opening, Result, Study, StudyError, Table,
    decide::{all_of, digits, digits_or_dash, finding, ours},
};

/// PR09's tasks.
pub(super) static EXTREME_LEARNERS: Study = Study {
    id: "extreme-learners",
    title: "Do weights, re-sampling and stretched predictions find extreme returns that plain models miss?",
    paper: "Torgo & Ribeiro 2009 (PR09), §5.2; Branco, Torgo & Ribeiro 2016; Moniz, Branco & Torgo 2017",
    size: "66 models, 12 tasks",
    kind: Kind::Experiment {
        text: include_str!("../../experiments/extreme-learners.toml"),
        conclude: conclude_on_series,
    },
};

/// Tables with rare values that can be predicted.
pub(super) static EXTREME_TABLES: Study = Study {
    id: "extreme-tables",
    title: "Do weights, re-sampling and stretched predictions find the rare values of three tables?",
    paper: "Branco, Torgo & Ribeiro 2016",
    size: "45 models, 3 tasks",
    kind: Kind::Experiment {
        text: include_str!("../../experiments/extreme-tables.toml"),
        conclude: conclude_on_tables,
    },
};

/// The re-sampling steps as they are named in tables, without those that prefer recent rows.
const RESAMPLING: [&str; 6] = ["under", "over", "smote", "smogn", "wercs", "bag bags=5"];
const STRETCH: &str = "stretch f";
/// A step, and the same step with recent rows preferred.
const RECENT: [(&str, &str); 2] = [("under", "under recent=true"), ("smote", "smote recent=true")];

fn conclude_on_series(found: &Found<'_>) -> Result<Conclusion> {
    let mut claims = vec![optimising_f(found.results)?];
    claims.extend(common(found.results)?);
    claims.extend(recent(found.results)?);
    let says = "The paper says that F and MAD would differ even more among models that aim at rare extremes, such as models that optimise F.";
    Ok(conclusion(found.results, says, claims))
}

fn conclude_on_tables(found: &Found<'_>) -> Result<Conclusion> {
    let says = "The paper says that re-sampling the training rows improves F where rare values matter.";
    Ok(conclusion(found.results, says, common(found.results)?))
}

fn conclusion(results: &Results, says: &str, claims: Vec<Claim>) -> Conclusion {
    let tables = vec![effects_table(results), best(results), luck_table(results)];
    let tasks = results.names.tasks.len();
    let opening = Opening {
        paper: says.to_owned(),
        found: format!("The same models with and without such steps, {tasks} tasks. {}", super::headline_of(&claims)),
        sure: "Each is decided by the 95 % interval of the median task's effect, and whether the best F is more than luck is tested beside."
            .to_owned(),
    };
    Conclusion { opening, claims, tables, ..Conclusion::default() }
}

/// What is asked of series and tables alike.
fn common(results: &Results) -> Result<Vec<Claim>> {
    let mut claims = vec![resampling(results)?];
    claims.extend(price(results)?);
    claims.push(errors_where_it_matters(results)?);
    claims.push(luck(results)?);
    Ok(claims)
}

/// F with silence as 0, as regrets count it.
fn f_of(results: &Results, task: TaskId, variant: VariantId) -> Option<f64> {
    match results.scores[task].score(variant, Measure::F)? {
        Score::Value(v) => Some(v),
        Score::Undefined(Undefined::NoSignals) => Some(0.0),
        Score::Undefined(_) => None,
    }
}

fn variants<'a>(results: &'a Results, recipe: &'a str) -> impl Iterator<Item = VariantId> + 'a {
    let names = &results.names.variants;
    VariantId::all(names.len()).filter(move |&v| names[v].recipe == recipe && !names[v].reference)
}

/// The largest F among the variants of one recipe.
fn best_f(results: &Results, task: TaskId, recipe: &str) -> Option<f64> {
    variants(results, recipe).filter_map(|v| f_of(results, task, v)).max_by(f64::total_cmp)
}

/// F of the plain variant that MAD chooses.
fn f_of_mad_choice(results: &Results, task: TaskId) -> Option<f64> {
    let mad = |v: VariantId| results.scores[task].score(v, Measure::Mad).and_then(Score::value);
    let scored = variants(results, "plain").filter_map(|v| Some((mad(v)?, v)));
    let (_, chosen) = scored.min_by(|a, b| a.0.total_cmp(&b.0))?;
    f_of(results, task, chosen)
}

/// "The differences": what choosing by MAD instead of F costs. Grids of the same size: the plain variants, and the same
/// variants stretched for F.
fn optimising_f(results: &Results) -> Result<Claim> {
    let mut gaps: Vec<(f64, f64)> = Vec::new();
    for task in TaskId::all(results.names.tasks.len()) {
        let of =
            (f_of_mad_choice(results, task), best_f(results, task, "plain"), best_f(results, task, STRETCH));
        if let (Some(chosen), Some(plain), Some(stretched)) = of {
            gaps.push((plain - chosen, stretched - chosen));
        }
    }
    let widened: Vec<f64> = gaps.iter().map(|(plain, aimed)| aimed - plain).collect();
    let (plain, aimed): (Vec<f64>, Vec<f64>) = gaps.into_iter().unzip();
    let before = rules::middle(&plain).ok_or_else(|| missing("an F"))?;
    let after = rules::middle(&aimed).ok_or_else(|| missing("an F"))?;
    Ok(finding("PR09 §5.2", "The differences would be even more marked with models that optimise F.").stands(
        rules::rises(&widened),
        format!(
            "From the plain model that MAD chooses to the best by F, F rises by {} (median task) among plain models, and by {} \
             where the same models are stretched for F. Stretching adds {}.",
            digits(before),
            digits(after),
            rules::told(&widened)
        ),
        "best.csv; silence counts as F = 0; agree if the 95 % interval of the median of what the stretched grid adds lies above 0, \
         differ if below, else too close",
    ))
}

fn missing(what: &str) -> StudyError {
    StudyError::Missing(format!("no task has {what}"))
}

fn resampling(results: &Results) -> Result<Claim> {
    let mut list = Vec::new();
    let mut parts = Vec::new();
    for step in RESAMPLING {
        let effect = effect(results, step, Measure::F)?;
        parts.push(rules::effect_above(effect.interval));
        list.push(format!("{step} {}", told(effect)));
    }
    Ok(finding("Branco, Torgo & Ribeiro 2016", "Re-sampling improves F over the plain learner.").stands(
        super::decide::most_of(&parts),
        format!("Change of F: {}.", list.join("; ")),
        "effects.csv, all families; agree if the 95 % intervals of most strategies lie above 0, differ if those of half of them lie \
         below, else too close",
    ))
}

/// Each variant that prefers recent rows against the one that does not.
fn recent(results: &Results) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for (step, recent) in RECENT {
        let mut middles = Vec::new();
        for task in TaskId::all(results.names.tasks.len()) {
            let pairs = variants(results, step).zip(variants(results, recent));
            let differences: Vec<f64> =
                pairs.filter_map(|(a, b)| Some(f_of(results, task, b)? - f_of(results, task, a)?)).collect();
            middles.extend(rules::middle(&differences));
        }
        if middles.is_empty() {
            return Err(missing(&format!("an F with '{recent}'")));
        }
        let text = format!("Time-aware re-sampling beats plain re-sampling ({step}).");
        claims.push(finding("Moniz, Branco & Torgo 2017", &text).stands(
            rules::rises(&middles),
            format!("When {step} prefers recent rows, F changes by {}.", rules::told(&middles)),
            "median over families, task by task, with and without `recent`; agree if the 95 % interval of the median task lies above 0, \
             differ if below, else too close",
        ));
    }
    Ok(claims)
}

/// What F gains, MAD pays.
fn price(results: &Results) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for (step, what) in [
        ("weights", "Weighting rows by their relevance raises F, and costs MAD."),
        (STRETCH, "Stretching predictions for F raises it, and costs MAD."),
    ] {
        let (f, mad) = (effect(results, step, Measure::F)?, effect(results, step, Measure::Mad)?);
        claims.push(ours("PR09 §5.2", what).stands(
            all_of(&[rules::effect_above(f.interval), rules::effect_above(mad.interval)]),
            format!("F {}; MAD {}.", told(f), told(mad)),
            "effects.csv, all families; agree if both 95 % intervals lie above 0, differ if one lies below, else too close",
        ));
    }
    Ok(claims)
}

/// F can be raised by signalling more. rwse weighs every error by relevance and is consistent for the mean (Taggart 2022): no
/// exaggeration lowers its expectation.
fn errors_where_it_matters(results: &Results) -> Result<Claim> {
    let mut list = Vec::new();
    let mut parts = Vec::new();
    for step in RESAMPLING.into_iter().chain(["weights", STRETCH]) {
        let effect = effect(results, step, Measure::Rwse)?;
        parts.push(rules::effect_below(effect.interval));
        list.push(format!("{step} {}", told(effect)));
    }
    Ok(ours("Branco, Torgo & Ribeiro 2016", "What is learned for the extremes has smaller errors there (rwse).").stands(
        super::decide::most_of(&parts),
        format!("Change of rwse: {}.", list.join("; ")),
        "effects.csv, all families; agree if the 95 % intervals of most steps lie below 0, differ if those of half of them lie above, \
         else too close",
    ))
}

/// The best F of all variants against what luck gives them.
fn luck(results: &Results) -> Result<Claim> {
    let found: Vec<_> =
        results.inference.iter().filter_map(|task| task.measure(Measure::F)?.chance.as_ref()).collect();
    if found.is_empty() {
        return Err(missing("a test of F against luck"));
    }
    let sure = found.iter().filter(|l| l.p_holm < results.alpha).count();
    let middle = |of: &dyn Fn(&tailrank_score::score::ChanceTest) -> f64| {
        rules::middle(&found.iter().map(|l| of(l)).collect::<Vec<_>>())
    };
    let (score, by_luck) = (digits_or_dash(middle(&|l| l.score)), digits_or_dash(middle(&|l| l.chance)));
    Ok(ours("PR09 §5.2", "The best F of models that aim at extremes is more than luck.").stands(
        rules::more_than_luck(sure, found.len()),
        format!(
            "On {sure} of {} tasks (Holm). The best F is {score} on the median task; the best of as many models whose predictions \
             are set against the truth of another time or case reaches {by_luck}.",
            found.len()
        ),
        format!(
            "chance.csv; agree if p is below {} on most tasks, differ if on none, else too close; the choice among all variants is counted",
            results.alpha
        ),
    ))
}

/// The best F of each recipe's models on each task.
fn best(results: &Results) -> Table {
    let mut recipes: Vec<&str> = Vec::new();
    for name in results.names.variants.iter().filter(|v| !v.reference) {
        if !recipes.contains(&name.recipe.as_str()) {
            recipes.push(&name.recipe);
        }
    }
    let headings: Vec<&str> =
        ["task", "plain, chosen by MAD"].into_iter().chain(recipes.iter().copied()).collect();
    let mut table = Table::new("best", "The best F of all families, recipe by recipe", &headings);
    for (task, name) in TaskId::all(results.names.tasks.len()).zip(&results.names.tasks) {
        let bests = recipes.iter().map(|recipe| digits_or_dash(best_f(results, task, recipe)));
        let start = [name.clone(), digits_or_dash(f_of_mad_choice(results, task))];
        table.row(start.into_iter().chain(bests));
    }
    table
}

/// The best F on each task beside the best that luck gives.
fn luck_table(results: &Results) -> Table {
    let headings = ["task", "best by F", "F", "by luck", "p", "p Holm"];
    let mut table = Table::new("luck", "The best F of all variants, and what luck would give", &headings);
    for (task, name) in results.inference.iter().zip(&results.names.tasks) {
        let Some(luck) = task.measure(Measure::F).and_then(|m| m.chance.as_ref()) else { continue };
        let model = results.names.variants[luck.variant].label.clone();
        let numbers = [luck.score, luck.chance, luck.p, luck.p_holm].map(digits);
        table.row([name.clone(), model].into_iter().chain(numbers));
    }
    table
}
