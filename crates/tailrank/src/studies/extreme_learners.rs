//! PR09's last sentence, and what followed from it: do models that aim at rare extremes find them, and what
//! does it cost?
//!
//! Two studies of one design: stock returns, which can hardly be predicted, and tables whose extremes can be.

use tailrank_metrics::Undefined;
use tailrank_score::score::{ChanceTest, StepEffect, TaskInference};

use super::prelude::*;

/// PR09's tasks.
pub(super) const ON_SERIES: Kind =
    Kind::experiment(include_str!("../../experiments/extreme-learners.toml"), conclude_on_series);

/// Tables with rare values that can be predicted.
pub(super) const ON_TABLES: Kind =
    Kind::experiment(include_str!("../../experiments/extreme-tables.toml"), conclude_on_tables);

/// The steps as they are named in tables, without those that prefer recent rows; the first six re-sample.
const STEPS: [&str; 8] = ["under", "over", "smote", "smogn", "wercs", "bag bags=5", "weights", STRETCH];
const RESAMPLING: usize = 6;
const STRETCH: &str = "stretch f";
/// A step, and the same step with recent rows preferred.
const RECENT: [(&str, &str); 2] = [("under", "under recent=true"), ("smote", "smote recent=true")];

fn conclude_on_series(found: &Run, _: &[Run]) -> Result<Conclusion> {
    let mut claims = vec![optimising_f(&found.results)?];
    claims.extend(common(&found.results)?);
    claims.extend(recent(&found.results)?);
    Ok(conclusion("extreme-learners", &found.results, claims))
}

fn conclude_on_tables(found: &Run, _: &[Run]) -> Result<Conclusion> {
    Ok(conclusion("extreme-tables", &found.results, common(&found.results)?))
}

fn conclusion(study: &str, results: &Results, claims: Vec<Claim>) -> Conclusion {
    let opening = words::opening(study, &[&results.names.tasks.len(), &super::headline_of(&claims)]);
    let tables = vec![effects_table(results), best(results), chance_table(results)];
    Conclusion { opening, claims, tables, ..Conclusion::default() }
}

/// What is asked of series and tables alike.
fn common(results: &Results) -> Result<Vec<Claim>> {
    let weights = claim("extreme-learners/price-weights");
    let stretch = claim("extreme-learners/price-stretch");
    let (list, most) = changes(results, &STEPS[..RESAMPLING], Measure::F, 1.0)?;
    let mut claims = vec![claim("extreme-learners/resampling").stands(most, &[&list])];
    // What F gains, MAD pays.
    for (step, words) in [("weights", weights), (STRETCH, stretch)] {
        let (f, mad) = (effect(results, step, Measure::F)?, effect(results, step, Measure::Mad)?);
        let both = all_of(&[effect_above(f.interval), effect_above(mad.interval)]);
        claims.push(words.stands(both, &[&told(f), &told(mad)]));
    }
    // F can be raised by signalling more. rwse weighs every error by relevance and is consistent for the mean
    // (Taggart 2022): no exaggeration lowers its expectation.
    let (list, most) = changes(results, &STEPS, Measure::Rwse, -1.0)?;
    claims.push(claim("extreme-learners/errors").stands(most, &[&list]));
    claims.push(chance(results)?);
    Ok(claims)
}

/// The effect of a step on a measure over all families.
fn effect<'a>(results: &'a Results, step: &str, measure: Measure) -> Result<&'a StepEffect> {
    let found = results.steps.iter().find(|e| e.family.is_none() && e.step == step && e.measure == measure);
    found.ok_or_else(|| missing(format!("the run has no effect of '{step}' on {}", measure.id())))
}

/// `0.011 [0.004, 0.019], gains on 7 of 8 tasks`.
fn told(effect: &StepEffect) -> String {
    let change = with_interval(effect.change, effect.interval, digits);
    format!("{change}, gains on {} of {} tasks", effect.tasks_better, effect.tasks)
}

/// `0.011 [0.004, 0.019], upwards on 7 of 8 tasks`.
fn told_differences(differences: &[f64]) -> String {
    let more = differences.iter().filter(|d| **d > 0.0).count();
    let middle = median(differences).unwrap_or(f64::NAN);
    let change = with_interval(middle, median_interval(differences), digits);
    format!("{change}, upwards on {more} of {} tasks", differences.len())
}

/// Every step's effect over all families: on F and its parts, on the usual error, and on the errors where it
/// matters.
fn effects_table(results: &Results) -> Table {
    let shown = [Measure::F, Measure::Precision, Measure::Recall, Measure::Mad, Measure::Rwse];
    let effects = results.steps.iter().filter(|e| e.family.is_none() && shown.contains(&e.measure));
    words::table("extreme-learners/effects").with_rows(effects.map(|e| effect_row(e, e.measure.id())))
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
    let scored =
        variants(results, "plain").filter_map(|v| Some((score_of(results, task, v, Measure::Mad)?, v)));
    let (_, chosen) = scored.min_by(|a, b| a.0.total_cmp(&b.0))?;
    f_of(results, task, chosen)
}

/// "The differences": what choosing by MAD instead of F costs. Grids of the same size: the plain variants,
/// and the same variants stretched for F.
fn optimising_f(results: &Results) -> Result<Claim> {
    let (mut plain, mut aimed) = (Vec::new(), Vec::new());
    for (task, _) in tasks(results) {
        let of = |recipe| best_f(results, task, recipe);
        if let (Some(chosen), Some(best), Some(stretched)) =
            (f_of_mad_choice(results, task), of("plain"), of(STRETCH))
        {
            plain.push(best - chosen);
            aimed.push(stretched - chosen);
        }
    }
    let widened: Vec<f64> = aimed.iter().zip(&plain).map(|(aimed, plain)| aimed - plain).collect();
    let (before, after) = median(&plain).zip(median(&aimed)).ok_or_else(|| missing("no task has an F"))?;
    Ok(claim("extreme-learners/optimising-f").stands(
        effect_above(median_interval(&widened)),
        &[&digits(before), &digits(after), &told_differences(&widened)],
    ))
}

/// What steps change by a measure, one after the other, and whether each raises it (or lowers it, for `sign`
/// −1).
fn changes(results: &Results, steps: &[&str], measure: Measure, sign: f64) -> Result<(String, Standing)> {
    let (mut list, mut parts) = (Vec::new(), Vec::new());
    for step in steps {
        let effect = effect(results, step, measure)?;
        let turned = effect.interval.map(|(from, to)| if sign < 0.0 { (-to, -from) } else { (from, to) });
        parts.push(effect_above(turned));
        list.push(format!("{step} {}", told(effect)));
    }
    Ok((list.join("; "), most_of(&parts)))
}

/// Each variant that prefers recent rows against the one that does not.
fn recent(results: &Results) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for (step, recent) in RECENT {
        let middle = |(task, _): (TaskId, &str)| {
            let pairs = variants(results, step).zip(variants(results, recent));
            let difference = |(a, b)| Some(f_of(results, task, b)? - f_of(results, task, a)?);
            median(&pairs.filter_map(difference).collect::<Vec<_>>())
        };
        let middles: Vec<f64> = tasks(results).filter_map(middle).collect();
        if middles.is_empty() {
            return Err(missing(format!("no task has an F with '{recent}'")));
        }
        claims.push(
            claim("extreme-learners/recent")
                .with(&[&step])
                .stands(effect_above(median_interval(&middles)), &[&step, &told_differences(&middles)]),
        );
    }
    Ok(claims)
}

/// The test of a task's best F against chance.
fn chance_of(task: &TaskInference) -> Option<&ChanceTest> {
    task.measure(Measure::F)?.chance.as_ref()
}

/// The best F of all variants against what chance gives them.
fn chance(results: &Results) -> Result<Claim> {
    let found: Vec<&ChanceTest> = results.inference.iter().filter_map(chance_of).collect();
    if found.is_empty() {
        return Err(missing("no task has a test of F against chance"));
    }
    let sure = found.iter().filter(|l| l.p_holm < results.alpha).count();
    let middle =
        |of: fn(&ChanceTest) -> f64| digits_or_dash(median(&found.iter().map(|l| of(l)).collect::<Vec<_>>()));
    Ok(claim("extreme-learners/chance").with(&[&results.alpha]).stands(
        often(sure, found.len()),
        &[&sure, &found.len(), &middle(|l| l.score), &middle(|l| l.chance)],
    ))
}

/// The best F of each recipe's models on each task.
fn best(results: &Results) -> Table {
    let models = results.names.variants.iter().filter(|v| !v.reference);
    let recipes = distinct(models.map(|v| v.recipe.as_str()));
    let row = |(task, name): (TaskId, &str)| {
        let best = recipes.iter().map(move |recipe| digits_or_dash(best_f(results, task, recipe)));
        [name.to_owned(), digits_or_dash(f_of_mad_choice(results, task))].into_iter().chain(best)
    };
    words::table("extreme-learners/best").with_headings(&recipes).with_rows(tasks(results).map(row))
}

/// The best F on each task beside the best that chance gives.
fn chance_table(results: &Results) -> Table {
    let row = |(task, name): (&TaskInference, &String)| {
        let test = chance_of(task)?;
        let numbers = [test.score, test.chance, test.p, test.p_holm].map(digits);
        Some([name.clone(), label(results, Some(test.variant))].into_iter().chain(numbers))
    };
    let rows = results.inference.iter().zip(&results.names.tasks).filter_map(row);
    words::table("extreme-learners/chance").with_rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_with_their_interval() {
        let differences: Vec<f64> = (1..=12).map(|v| f64::from(v) - 2.5).collect();
        assert_eq!(told_differences(&differences), "4.00 [0.500, 7.50], upwards on 10 of 12 tasks");
        assert_eq!(told_differences(&[1.0]), "1.00, upwards on 1 of 1 tasks");
    }
}
