//! TailArena: many tasks, one board. Which family to start with for rare extremes, do learning steps help and
//! by which scores, and how often the ordinary error picks the wrong model.
//!
//! Every answer is decided by a rule from intervals over independent clusters of tasks. A family's place is
//! that of its setting chosen on validation rows; its grid's best on the test stands beside it as an upper
//! bound.

mod effects;

use tailrank_data::bundled;
use tailrank_experiment::text::{p_value, percent, thousands};
use tailrank_report::{
    answer::verdict_word,
    claims::Standing as Outcome,
    figures::{RankHeatMap, rank_heat_map},
};
use tailrank_score::score::{EntryKind, Estimate, Standing, StepEffect, answer::Verdict};
use tailrank_stats::{ClusterMethod, cluster_interval};

use self::effects::effects;
use super::prelude::*;

/// The board.
pub(super) const KIND: Kind = Kind::experiment(EXPERIMENT, conclude);

/// Its tasks, splits and models.
pub(super) const EXPERIMENT: &str = include_str!("../../experiments/arena.toml");

/// The scores of the headline: a consistent one, the score of events, and the ordinary error.
const HEADLINE: [Measure; 3] = [Measure::Rwse, Measure::F, Measure::Mad];
/// The scores by which learning steps are judged.
const JUDGED: [Measure; 4] = [Measure::Rwse, Measure::Sera, Measure::F, Measure::Mad];

fn conclude(found: &Run, _: &[Run]) -> Result<Conclusion> {
    let results = &found.results;
    let effects = effects(&results.standings, &clusters(results), &JUDGED);
    let mut claims = vec![first_family(results)?];
    claims.extend(steps(&effects));
    claims.extend([Measure::Rwse, Measure::F].map(|by| mad_costs(results, by)));
    let tables = [board(results), effects::table(&effects), tasks_table(results)];
    let body = readme(results, &claims, &tables);
    let (tasks, clusters) = (results.names.tasks.len(), results.standings.clusters);
    Ok(Conclusion {
        opening: words::opening("arena", &[&tasks, &clusters, &super::headline_of(&claims)]),
        claims,
        tables: tables.into(),
        figures: vec![heat_map(results)?],
        pages: vec![Page { name: "README".to_owned(), title: "TailArena".to_owned(), body }],
    })
}

/// The cluster of each task.
fn clusters(results: &Results) -> Vec<usize> {
    results.scores.iter().enumerate().map(|(t, s)| s.cluster.unwrap_or(t)).collect()
}

fn rows(results: &Results, measure: Measure, kind: EntryKind) -> impl Iterator<Item = &Standing> {
    results.standings.rows.iter().filter(move |r| r.measure == measure && r.kind == kind)
}

fn estimated(estimate: Option<Estimate>, print: fn(f64) -> String) -> String {
    estimate.map_or_else(|| DASH.to_owned(), |e| with_interval(e.value, e.interval, print))
}

fn whole(value: f64) -> String {
    let rounded = value.round();
    if rounded == 0.0 { "0".to_owned() } else { format!("{rounded:.0}").replace('-', "−") }
}

/// One row per family: skill, rating and rank by the scores of the headline.
fn board(results: &Results) -> Table {
    let headings = HEADLINE.iter().flat_map(|measure| {
        let symbol = measure.info().symbol;
        [format!("skill by {symbol}"), "grid's best".to_owned(), format!("rating by {symbol}")]
    });
    let row = |first: &Standing| {
        let mut cells = vec![first.entry.clone() + if first.tied { " =" } else { "" }];
        for measure in HEADLINE {
            let row = rows(results, measure, EntryKind::Family).find(|r| r.entry == first.entry);
            cells.push(estimated(row.and_then(|r| r.skill), percent));
            cells.push(or_dash(row.and_then(|r| r.grid_skill), percent));
            cells.push(estimated(row.and_then(|r| r.rating), whole));
        }
        cells.push(first.missing.to_string());
        cells
    };
    let families = rows(results, HEADLINE[0], EntryKind::Family);
    words::table("arena/board")
        .with_headings(headings)
        .with_headings(["missing"])
        .with_rows(families.map(row))
}

/// One row per task: domain, rows, events, and its verdict.
fn tasks_table(results: &Results) -> Table {
    let row = |(task, name): (TaskId, &str)| {
        let [cases, events] = [results.scores[task].cases, results.scores[task].events].map(thousands);
        let source = name.strip_suffix(" 1d").unwrap_or(name);
        let set = bundled().iter().find(|b| b.name == source);
        let [domain, cluster, event, licence] =
            set.map_or([DASH; 4], |s| [s.domain, s.cluster, s.event, s.licence]).map(str::to_owned);
        let decision = results.answer.deciding(task);
        let verdict = decision.map_or_else(|| DASH.to_owned(), |d| verdict_word(d.verdict, true));
        let model = label(results, decision.and_then(|d| d.model));
        let p = or_dash(decision.and_then(|d| d.p_adjusted), p_value);
        [name.to_owned(), domain, cluster, cases, events, event, verdict, model, p, licence]
    };
    words::table("arena/tasks").with_rows(tasks(results).map(row))
}

/// Ranks of the families with their recipes on every task, by the deciding score.
fn heat_map(results: &Results) -> Result<Figure> {
    let entries: Vec<&Standing> = rows(results, HEADLINE[0], EntryKind::Recipe)
        .chain(rows(results, HEADLINE[0], EntryKind::Baseline).last())
        .collect();
    let variants = entries
        .iter()
        .map(|e| Variant { label: &e.entry, family: e.entry.split(" · ").next().unwrap_or(&e.entry) })
        .collect();
    let tasks: Vec<&str> = results.names.tasks.iter().map(String::as_str).collect();
    let ranks = (0..tasks.len()).map(|t| entries.iter().map(|e| e.ranks.get(t).copied()).collect()).collect();
    let title = Some("Ranks by RWSE, task by task");
    let heading = Heading { title, ..Heading::of("settings chosen on validation rows") };
    let data = RankHeatMap { symbol: HEADLINE[0].info().symbol, tasks, variants, ranks };
    Ok(figure("heat_map", rank_heat_map(heading, &data)?))
}

/// Whether one family beats the best baseline over tasks.
fn first_family(results: &Results) -> Result<Claim> {
    let start = results.standings.start.as_ref().ok_or_else(|| missing("no family has a skill"))?;
    let row = &results.standings.rows[start.row];
    let tied: Vec<&str> =
        start.tied.iter().filter_map(|&r| Some(results.standings.rows.get(r)?.entry.as_str())).collect();
    let tied = match &tied[..] {
        [] => "None is tied with it.".to_owned(),
        tied => format!("Tied with it: {}.", tied.join(", ")),
    };
    let outcome = match start.verdict {
        Verdict::Use => Outcome::Agree,
        Verdict::NoModel(_) => effect_above(row.skill.and_then(|s| s.interval)),
    };
    let (skill, rating) = (estimated(row.skill, percent), estimated(row.rating, whole));
    Ok(claim("arena/first-family").stands(outcome, &[&row.entry, &skill, &rating, &tied]))
}

/// Whether a step helps, by each score.
fn steps(effects: &[StepEffect]) -> Vec<Claim> {
    let asked: [(&str, &str, &[Measure]); 3] = [
        ("smote", "Re-sampling (SMOTE)", &[Measure::F, Measure::Sera, Measure::Rwse]),
        ("weights", "Weighting rows by relevance", &[Measure::F, Measure::Rwse]),
        ("stretch f", "Stretching predictions for F", &[Measure::F, Measure::Rwse]),
    ];
    let mut claims = Vec::new();
    for (step, what, by) in asked {
        let of = |measure: Measure| effects.iter().find(|e| e.step == step && e.measure == measure);
        for effect in by.iter().filter_map(|&m| of(m)) {
            let words = match (step, effect.measure) {
                ("smote", Measure::F) => claim("arena/step-finding"),
                _ => claim("arena/step"),
            };
            let words = words.with(&[&what, &effect.measure.info().symbol]);
            let change = with_interval(effect.change, effect.interval, digits);
            claims.push(
                words.stands(effect_above(effect.interval), &[&change, &effect.tasks_better, &effect.tasks]),
            );
        }
    }
    claims
}

/// What choosing by MAD costs by another score, both on validation rows, judged on the test.
fn mad_costs(results: &Results, by: Measure) -> Claim {
    let clusters = clusters(results);
    let (mut differs, mut worse) = (0, 0);
    // The log ratio of losses or the difference of other scores, MAD's choice being worse above 0.
    let mut costs: Vec<(usize, f64)> = Vec::new();
    for (task, _) in tasks(results) {
        let chosen =
            |measure| results.selection.iter().find(|s| s.task == task && s.measure == measure)?.chosen;
        let scores = &results.scores[task];
        let value = |v| scores.score(v, by).map(|s| s.value().unwrap_or(0.0));
        let (Some(mad), Some(own)) = (chosen(Measure::Mad), chosen(by)) else { continue };
        let (Some(a), Some(b)) = (value(mad), value(own)) else { continue };
        let cost = match by.better() {
            Better::Lower if a > 0.0 && b > 0.0 => (a / b).ln(),
            Better::Lower => continue,
            Better::Higher => b - a,
        };
        differs += usize::from(scores.same_as[mad] != scores.same_as[own]);
        worse += usize::from(cost > 0.0);
        costs.push((clusters[task.0], cost));
    }
    let means = effects::by_cluster(&costs);
    let interval = cluster_interval(&means, ClusterMethod::T, 0.95).ok().map(|i| (i.lower, i.upper));
    let print = |v: f64| match by.better() {
        Better::Lower => percent(v.exp() - 1.0),
        Better::Higher => digits(v),
    };
    let cost = if means.is_empty() { DASH.to_owned() } else { with_interval(mean(&means), interval, print) };
    let symbol = by.info().symbol;
    claim("arena/mad-costs")
        .with(&[&symbol])
        .stands(effect_above(interval), &[&differs, &costs.len(), &symbol, &worse, &cost])
}

/// The board's page.
fn readme(results: &Results, claims: &[Claim], tables: &[Table; 3]) -> String {
    let models = results.names.variants.iter().filter(|v| !v.reference).count();
    let (count, clusters) = (results.names.tasks.len(), results.standings.clusters);
    let answer = |c: &Claim| format!("- **{}** {} {}\n", c.says, sentence_of(c.standing), c.found);
    let answers: String = claims.iter().map(answer).collect();
    let [board, effects, tasks] = tables.each_ref().map(Table::markdown);
    let page = include_str!("words/arena-readme.md");
    filled(page, &[&count, &clusters, &models, &board, &answers, &effects, &tasks])
}

fn sentence_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Agree => "Yes.",
        Outcome::Differ => "No: the opposite.",
        Outcome::TooClose => "Undecided.",
        _ => "Not testable.",
    }
}
