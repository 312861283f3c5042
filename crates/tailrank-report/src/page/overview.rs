//! The first screen: what was run, which model to use, and whether the ordinary measure picks another. Plain HTML, readable
//! before any script has run.

use tailrank_data::{Leak, LeakCheck, Split};

use super::{task_data::any_scored, *};
use crate::{
    claims::{Claim, PaperFigure, Standing, by_tag, headline},
    figures::style::Families,
};

/// More pairs of measures than this stand together behind one line.
const MOST_PAIRS: usize = 4;

/// Everything above the task pages.
pub(super) fn html(subject: PageInput<'_>, files: &Files) -> String {
    let picks = &subject.results.answer.picks;
    let first = picks.first().map(|first| pair(subject, files, first, true)).unwrap_or_default();
    let mut others: String = picks.iter().skip(1).map(|picks| pair(subject, files, picks, false)).collect();
    // Tables made elsewhere compare every pair of measures.
    if picks.len() > 1 + MOST_PAIRS {
        others = details(&format!("{} of measures", count(picks.len() - 1, "other pair")), &others);
    }
    let (head, card) = (head(subject), card::html(subject, files));
    let claims = claims(subject.claims, subject.paper_figures, &files.paper);
    let (across, costs) = (across(&files.overall), costs(subject));
    format!("{head}{card}{first}{others}{claims}{across}{costs}{}", glossary())
}

fn head(subject: PageInput<'_>) -> String {
    let title = match subject.title {
        "" => String::new(),
        title => format!("<p class=\"lead\">{}</p>\n", text(title)),
    };
    let plan = subject.run().map(|(plan, _)| plan);
    let splits: Vec<&Split> = plan.into_iter().flat_map(|p| &p.tasks).flat_map(|t| &t.splits).collect();
    let leaking: usize = splits.iter().map(|s| s.leaking).sum();
    let paper = splits.iter().any(|s| s.leak == Leak::Paper);
    let stamp = format!(
        "<p class=\"stamp\"><strong>leak = \"paper\"</strong>: {leaking} training rows have seen the test period and were \
         kept, as the paper did. Scores look too good.</p>\n"
    );
    let stamp = if paper { stamp } else { String::new() };
    format!(
        "<header class=\"run\">\n<h1>{}</h1>\n{title}<ul class=\"facts\">{}</ul>\n{stamp}</header>\n",
        text(subject.name),
        items(short_facts(subject))
    )
}

/// What the first screen says of the run: models, tasks and the event.
fn short_facts(subject: PageInput<'_>) -> Vec<String> {
    let mut all = facts(subject);
    all.truncate(if subject.results.names.tasks.len() < 2 { 1 } else { 2 });
    all.extend(answer::event_line(subject.results).map(|event| format!("event: {event}")));
    all
}

/// The rest of what there is to say of the run, for the settings.
pub(super) fn long_facts(subject: PageInput<'_>) -> String {
    let facts = items(facts(subject).into_iter().skip(2));
    format!("<ul class=\"facts\">{facts}<li id=\"timings\" hidden></li></ul>\n")
}

fn facts(subject: PageInput<'_>) -> Vec<String> {
    let results = subject.results;
    let (variants, tasks) = (results.names.variants.len(), results.names.tasks.len());
    let with = |wanted: VariantStatus| {
        results.scores.iter().flat_map(|s| &s.status).filter(|s| **s == wanted).count()
    };
    let baselines = results.names.variants.iter().filter(|v| v.reference).count();
    let models = answer::models_and_baselines(variants - baselines, baselines);
    let mut all = vec![models, count(tasks, "task")];
    let events: usize = results.scores.iter().map(|s| s.events).sum();
    let cases: usize = results.scores.iter().map(|s| s.cases).sum();
    let seen = format!("{} events in {} test cases", thousands(events), thousands(cases));
    let Some((plan, _)) = subject.run() else {
        all.extend(["predictions made elsewhere".to_owned(), seen]);
        return all;
    };
    // A variant is fitted to every split, and fails as a whole.
    let splits: usize = plan.tasks.iter().map(|t| t.splits.len()).sum();
    let failed = results.failures().count();
    let failed = if splits > tasks { count(failed, "model") } else { failed.to_string() };
    let mut fits = format!("{}, {failed} failed", count(variants * splits, "fit"));
    let others = [
        (with(VariantStatus::Missing), "not run"),
        (with(VariantStatus::NotConverged), "stopped at an iteration limit"),
    ];
    for (n, how) in others.into_iter().filter(|(n, _)| *n > 0) {
        fits.push_str(&format!(", {n} {how}"));
    }
    all.extend([fits, format!("seed {}", subject.seed)]);
    let purged: usize = plan.tasks.iter().flat_map(|t| &t.splits).map(|s| s.purged).sum();
    // Of rows without time nothing can be said.
    if plan.tasks.iter().all(|task| task.leak_check() == LeakCheck::Passed) {
        all.push(format!("no leakage: {} purged", count(purged, "training row")));
    }
    all.push(seen);
    all
}

fn pair(subject: PageInput<'_>, files: &Files, picks: &Picks, headline: bool) -> String {
    let said = answer::pair_sentences(subject.results, picks);
    let first = text(said.first().map_or("", String::as_str));
    let details: String = said.iter().skip(1).map(|d| format!(" {}", text(d))).collect();
    let answer = format!(
        "<div class=\"answer\"><p><strong>{first}</strong>{details}</p>\n<p class=\"note\">p-values of rank correlations are \
         descriptive: neighbours in a grid are not independent.</p></div>\n"
    );
    let table = comparison_table(subject, files, picks);
    let (a, b) = (text(picks.chosen_by.info().symbol), text(picks.judged_by.info().symbol));
    if headline {
        let question = format!("<h3>Do {a} and {b} pick the same model?</h3>\n{answer}{table}");
        return section("verdict", "Rankings", &question);
    }
    format!("<details class=\"pair\"><summary>{a} and {b}: {first}</summary>\n{answer}{table}</details>\n")
}

fn comparison_table(subject: PageInput<'_>, files: &Files, picks: &Picks) -> String {
    let results = subject.results;
    let (a, b) = (picks.chosen_by, picks.judged_by);
    let rows = answer::comparisons_by(results, a, b);
    let named = |variant: Option<VariantId>| variant.map(|v| variant_name(subject, v));
    let cell = |row: usize, column: &str| {
        let c = rows[row];
        match column {
            "chosen" => named(c.best_chosen),
            "judged" => named(c.best_judged),
            "task" if files.pages[c.task.0] && any_scored(&results.scores[c.task]) => {
                Some(task_link(results, c.task))
            }
            _ => None,
        }
    };
    tables::html(&results.comparison_table(a, b), Decoration { class: "verdicts", cell: Some(&cell) })
}

/// A task's name that opens its page.
pub(super) fn task_link(results: &Results, task: TaskId) -> String {
    format!("<a href=\"#task={}\">{}</a>", task.0 + 1, text(results.names.task(task)))
}

/// A variant's label with its family's colour.
pub(super) fn variant_name(subject: PageInput<'_>, variant: VariantId) -> String {
    let name = &subject.results.names.variants[variant];
    let params = name.params.to_string();
    let told = if params.is_empty() { &name.label } else { &params };
    let (told, chip, label) = (text(told), chip(subject, &name.group), text(&name.label));
    format!("<span class=\"variant\" title=\"{told}\">{chip}{label}</span>")
}

/// The families of a run with their looks, in the order of the experiment file.
pub(super) fn families(results: &Results) -> Families {
    Families::new(results.names.variants.iter().map(|v| v.group.as_str()))
}

/// A dot in a family's colour.
pub(super) fn chip(subject: PageInput<'_>, family: &str) -> String {
    let colour = families(subject.results).look(family).colour;
    format!(
        "<svg class=\"chip\" viewBox=\"0 0 8 8\" aria-hidden=\"true\"><circle cx=\"4\" cy=\"4\" r=\"4\" fill=\"{colour}\"/></svg>"
    )
}

/// What a paper says beside what was found, and the paper's figures, which stand in the files `written`.
pub(super) fn claims(claims: &[Claim], figures: &[PaperFigure], written: &[StaticFigure]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for c in by_tag(claims) {
        let [says, found, evidence, source] = [&c.says, &c.found, &c.evidence, &c.source].map(|t| text(t));
        rows.push_str(&format!(
            "<tr><td>{}</td><td>{}</td><td>{says}</td><td>{found}</td><td>{evidence}</td>\
             <td class=\"note\">{source}</td></tr>\n",
            standing(c),
            c.tag
        ));
    }
    let of_findings = headline(claims);
    let table = format!(
        "<p>{of_findings}</p>\n<div class=\"wide\"><table class=\"claims\">\n\
         <thead><tr><th scope=\"col\">standing</th><th scope=\"col\">kind</th><th scope=\"col\">the paper says</th>\
         <th scope=\"col\">this run found</th><th scope=\"col\">decided by</th><th scope=\"col\">where</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n",
    );
    section("claims", "Paper", &(table + &paper_figures(claims, figures, written)))
}

/// How a claim stands, with a mark.
fn standing(claim: &Claim) -> String {
    let (class, mark) = match claim.standing {
        Standing::Agree => ("agree", "✓"),
        Standing::Differ => ("differ", "✗"),
        Standing::TooClose => ("open", "≈"),
        Standing::NotTestable => ("open", "?"),
    };
    let word = claim.standing;
    format!("<span class=\"standing {class}\"><span aria-hidden=\"true\">{mark}</span> {word}</span>")
}

/// The paper's figures under their numbers, each with what the paper says of it and by which rule that is decided.
fn paper_figures(claims: &[Claim], figures: &[PaperFigure], written: &[StaticFigure]) -> String {
    let one = |file: &StaticFigure| {
        let drawn = figures.iter().find(|drawn| drawn.name == file.name)?;
        let number = drawn.number().map(|n| format!("Fig. {n}: ")).unwrap_or_default();
        let claims = claims.iter().filter(|c| drawn.shows(c)).map(|c| {
            let [says, evidence] = [&c.says, &c.evidence].map(|t| text(t));
            format!("<li>{} {says} <span class=\"note\">{evidence}</span></li>", standing(c))
        });
        let caption =
            format!("{number}<code>{}.svg</code><ul>{}</ul>", text(&file.name), claims.collect::<String>());
        Some(card::picture(file, "drawn", &format!("<figcaption>{caption}</figcaption>")))
    };
    let drawn: String = written.iter().filter_map(one).collect();
    if drawn.is_empty() { drawn } else { format!("<div class=\"pair paper\">\n{drawn}</div>\n") }
}

/// Figures over all tasks; their titles state the finding.
fn across(figures: &[StaticFigure]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    // Critical differences are wide, heat maps stand side by side.
    let class = |f: &StaticFigure| if f.name.starts_with("critical") { "drawn whole" } else { "drawn" };
    let images: String = figures.iter().map(|f| card::picture(f, class(f), "")).collect();
    section("across", "Tasks", &format!("<div class=\"pair\">\n{images}</div>\n"))
}

/// Terms of the page: their anchor in the guide's glossary, which `tailrank help` prints, and one sentence each.
const TERMS: [(&str, &str, &str); 14] = [
    ("event", "event", "A true value that matters: its relevance φ(y) is at least t_E."),
    ("signal", "signal", "A prediction that announces an event: φ(ŷ) is at least t_E."),
    ("caught", "caught", "An event with a signal on its side: a hit, or a near miss beyond the tolerance."),
    ("false alarm", "false-alarm", "A signal without an event on its side."),
    ("missed", "missed", "An event without a signal on its side."),
    ("tolerance t_L", "tolerance", "The largest error that still counts as good."),
    ("chance", "chance", "What the same predictions score against the truth of another time or case."),
    ("baseline", "baseline", "A reference without inputs, such as the mean or the last value."),
    ("tied", "tied", "In the confidence set: the test cannot tell it from the first."),
    ("p adj", "holm", "The p of the verdict, corrected over tasks by Holm's method."),
    ("regret", "regret", "The score lost by choosing another model than the first."),
    (
        "calibration slope",
        "calibration-slope",
        "The slope of truth on prediction among signals; below 1 they exaggerate.",
    ),
    ("ρ, τ", "rank-correlation", "Spearman's and Kendall's rank correlations of two rankings."),
    ("REC curve", "rec-curve", "The share of cases within each error; the area above it is the mean error."),
];

fn glossary() -> String {
    let terms = TERMS.map(|(term, anchor, meaning)| {
        format!("<dt>{term}</dt><dd>{meaning} <code>tailrank help {anchor}</code></dd>")
    });
    section("glossary", "Glossary", &format!("<dl class=\"versions\">{}</dl>\n", terms.concat()))
}

/// What choosing by each measure loses by each other.
fn costs(subject: PageInput<'_>) -> String {
    let Some(table) = subject.results.table("costs").filter(|t| t.rows.len() > 1) else {
        return String::new();
    };
    let cells = tables::html(&table, Decoration { class: "regret", cell: None });
    section("cost", "Regret", &format!("<p>{}.</p>\n{cells}", text(&table.caption)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_an_anchor_in_the_guide() {
        let guide = include_str!("../../../../docs/guide/src/glossary.md");
        let headings = guide.lines().filter_map(|line| line.strip_prefix("### "));
        let anchors: Vec<String> = headings.map(|term| term.to_lowercase().replace(' ', "-")).collect();
        for (term, anchor, _) in TERMS {
            assert!(anchors.iter().any(|known| known == anchor), "{term}: #{anchor}");
        }
    }
}
