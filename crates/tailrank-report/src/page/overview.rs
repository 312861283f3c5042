//! The first screen: what was run, which model to use, and whether the ordinary measure picks another. Plain
//! HTML, readable before any script has run.

use tailrank_data::{Leak, LeakCheck, Split};

use super::{task_data::any_scored, *};
use crate::{
    claims::{Claim, PaperFigure, Standing, by_tag, headline},
    figures::style::Families,
};

/// More pairs of measures than this stand together behind one line.
const MOST_PAIRS: usize = 4;

/// Everything above the task pages.
pub(super) fn html(subject: PageInput<'_>, files: &Files) -> Markup {
    let picks = &subject.results.answer.picks;
    let others = html! { @for picks in picks.iter().skip(1) { (pair(subject, files, picks, false)) } };
    html! {
        (head(subject))
        (card::html(subject, files))
        @if let Some(first) = picks.first() { (pair(subject, files, first, true)) }
        // Tables made elsewhere compare every pair of measures.
        @if picks.len() > 1 + MOST_PAIRS {
            (details(&format!("{} of measures", count(picks.len() - 1, "other pair")), others))
        } @else {
            (others)
        }
        (claims(subject.claims, subject.paper_figures, &files.paper))
        (across(&files.overall))
        (costs(subject))
        (glossary())
    }
}

fn head(subject: PageInput<'_>) -> Markup {
    let plan = subject.run().map(|(plan, _)| plan);
    let splits: Vec<&Split> = plan.into_iter().flat_map(|p| &p.tasks).flat_map(|t| &t.splits).collect();
    let leaking: usize = splits.iter().map(|s| s.leaking).sum();
    html! {
        header.run {
            h1 { (subject.name) }
            @if !subject.title.is_empty() { p.lead { (subject.title) } }
            ul.facts { (items(short_facts(subject))) }
            @if splits.iter().any(|s| s.leak == Leak::Paper) {
                p.stamp {
                    strong { "leak = \"paper\"" } ": " (leaking)
                    " training rows have seen the test period and were kept, as the paper did. Scores look too good."
                }
            }
        }
    }
}

/// What the first screen says of the run: models, tasks and the event.
fn short_facts(subject: PageInput<'_>) -> Vec<String> {
    let mut all = facts(subject);
    all.truncate(if subject.results.names.tasks.len() < 2 { 1 } else { 2 });
    all.extend(answer::event_line(subject.results).map(|event| format!("event: {event}")));
    all
}

/// The rest of what there is to say of the run, for the settings.
pub(super) fn long_facts(subject: PageInput<'_>) -> Markup {
    html! { ul.facts { (items(facts(subject).into_iter().skip(2))) } }
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

fn pair(subject: PageInput<'_>, files: &Files, picks: &Picks, headline: bool) -> Markup {
    let said = answer::pair_sentences(subject.results, picks);
    let first = said.first().map_or("", String::as_str);
    let body = html! {
        div.answer {
            p { strong { (first) } @for detail in said.iter().skip(1) { " " (detail) } }
            p.note { "p-values of rank correlations are descriptive: neighbours in a grid are not independent." }
        }
        (comparison_table(subject, files, picks))
    };
    let [a, b] = [picks.chosen_by, picks.judged_by].map(|measure| measure.info().symbol);
    if headline {
        let question = html! { h3 { "Do " (a) " and " (b) " pick different models?" } (body) };
        return section("verdict", "Rankings", question);
    }
    html! { details.pair { summary { (a) " and " (b) ": " (first) } (body) } }
}

fn comparison_table(subject: PageInput<'_>, files: &Files, picks: &Picks) -> Markup {
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
    tables::html(&results.comparison_table(a, b), "verdicts", &cell)
}

/// A task's name that opens its page.
pub(super) fn task_link(results: &Results, task: TaskId) -> Markup {
    html! { a href=(task_href(task)) { (results.names.task(task)) } }
}

/// A variant's label with its family's colour.
pub(super) fn variant_name(subject: PageInput<'_>, variant: VariantId) -> Markup {
    let name = &subject.results.names.variants[variant];
    let params = name.params.to_string();
    let told = if params.is_empty() { &name.label } else { &params };
    html! { span.variant title=(told) { (chip(subject, &name.group)) (name.label) } }
}

/// The families of a run with their looks, in the order of the experiment file.
pub(super) fn families(results: &Results) -> Families {
    Families::new(results.names.variants.iter().map(|v| v.group.as_str()))
}

/// A dot in a family's colour.
pub(super) fn chip(subject: PageInput<'_>, family: &str) -> Markup {
    let colour = families(subject.results).look(family).colour;
    html! {
        svg.chip viewBox="0 0 8 8" aria-hidden="true" { circle cx="4" cy="4" r="4" fill=(colour) {} }
    }
}

/// What a paper says beside what was found, and the paper's figures, which stand in the files `written`.
pub(super) fn claims(claims: &[Claim], figures: &[PaperFigure], written: &[StaticFigure]) -> Markup {
    if claims.is_empty() {
        return Markup::default();
    }
    let headings = ["standing", "kind", "the paper says", "this run found", "decided by", "where"];
    let rows = html! {
        @for c in by_tag(claims) {
            tr {
                td { (standing(c)) } td { (c.tag.to_string()) }
                td { (c.says) } td { (c.found) } td { (c.evidence) } td.note { (c.source) }
            }
        }
    };
    let body = html! {
        p { (headline(claims)) }
        (table("claims", &headings, rows))
        (paper_figures(claims, figures, written))
    };
    section("claims", "Paper", body)
}

/// How a claim stands, with a mark.
fn standing(claim: &Claim) -> Markup {
    let (class, mark) = match claim.standing {
        Standing::Agree => ("agree", "✓"),
        Standing::Differ => ("differ", "✗"),
        Standing::TooClose => ("open", "≈"),
        Standing::NotTestable => ("open", "?"),
    };
    html! {
        span.standing.(class) { span aria-hidden="true" { (mark) } " " (claim.standing.to_string()) }
    }
}

/// The paper's figures under their numbers, each with what the paper says of it and by which rule that is
/// decided.
fn paper_figures(claims: &[Claim], figures: &[PaperFigure], written: &[StaticFigure]) -> Markup {
    let caption = |drawn: &PaperFigure| {
        html! {
            figcaption {
                @if let Some(number) = drawn.number() { "Fig. " (number) ": " }
                code { (drawn.name) ".svg" }
                ul {
                    @for c in claims.iter().filter(|c| drawn.shows(c)) {
                        li { (standing(c)) " " (c.says) " " span.note { (c.evidence) } }
                    }
                }
            }
        }
    };
    html! {
        @if !written.is_empty() {
            div.pair.paper {
                @for file in written {
                    @if let Some(drawn) = figures.iter().find(|drawn| drawn.name == file.name) {
                        (card::picture(file, "drawn", caption(drawn)))
                    }
                }
            }
        }
    }
}

/// Figures over all tasks; their titles state the finding.
fn across(figures: &[StaticFigure]) -> Markup {
    if figures.is_empty() {
        return Markup::default();
    }
    // Critical differences are wide, heat maps stand side by side.
    let class = |f: &StaticFigure| if f.name.starts_with("critical") { "drawn whole" } else { "drawn" };
    let images = figures.iter().map(|f| card::picture(f, class(f), Markup::default()));
    section("across", "Tasks", html! { div.pair { @for image in images { (image) } } })
}

/// Terms of the page: their anchor in the guide's glossary, which `tailrank help` prints, and one sentence
/// each.
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

fn glossary() -> Markup {
    let terms = html! {
        dl.versions {
            @for (term, anchor, meaning) in TERMS {
                dt { (term) }
                dd { (meaning) " " code { "tailrank help " (anchor) } }
            }
        }
    };
    section("glossary", "Glossary", terms)
}

/// What choosing by each measure loses by each other.
fn costs(subject: PageInput<'_>) -> Markup {
    let Some(table) = subject.results.table("costs").filter(|t| t.rows.len() > 1) else {
        return Markup::default();
    };
    let cells = tables::html(&table, "regret", &|_, _| None);
    section("cost", "Regret", html! { p { (table.caption) "." } (cells) })
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
