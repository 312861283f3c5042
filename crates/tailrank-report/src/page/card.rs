//! The answer: which model to use on each task, or that none is worth using, and what stands behind it. Every
//! number is one of `decisions.csv`, so that page, JSON and papers say the same.

use std::collections::HashSet;

use tailrank_score::score::answer::Rung;

use super::{
    overview::{chip, task_link, variant_name},
    *,
};
use crate::figures::style::better_word;

/// The first screen: verdict, figures, and what stands behind them on demand.
pub(super) fn html(subject: PageInput<'_>, files: &Files) -> Markup {
    let decisions: Vec<&Decision> = subject.results.answer.all_deciding().collect();
    let body = match decisions[..] {
        [] => return Markup::default(),
        [only] => one(subject, files, only),
        _ => several(subject, files, &decisions),
    };
    html! { section.decision aria-labelledby="decision" { (body) } }
}

/// The verdict as a badge, with the rest of its sentence.
fn badge(line: &answer::VerdictLine) -> Markup {
    html! {
        h2.badge.(if line.is_use { "use" } else { "none" }) #decision { (line.head) }
        p.gain { (line.rest.trim_start()) }
    }
}

/// What is folded away: the words of the terminal that are not on the first screen.
fn why(sentences: &[String], more: Markup) -> Markup {
    html! { details.why { summary { "Why?" } (paragraphs(sentences)) (more) } }
}

/// Opens a task's page.
fn open(decision: &Decision) -> Markup {
    let href = task_href(decision.task);
    html! { p { a.open href=(href) { "Move thresholds and costs, look at every model" } } }
}

fn one(subject: PageInput<'_>, files: &Files, decision: &Decision) -> Markup {
    let results = subject.results;
    // The verdict and its evidence stand on the first screen.
    let evidence = answer::evidence(results, decision).into_iter().chain(answer::thin(decision));
    let evidence: Vec<String> = evidence.collect();
    let said = answer::task_sentences(results, decision.task);
    let rest: Vec<String> = said.into_iter().skip(1).filter(|s| !evidence.contains(s)).collect();
    let more = html! {
        (tied(subject, decision))
        @if let Some(table) = decisions_of(subject, ("task", results.names.task(decision.task))) {
            (details("Every measure; only the deciding one carries a verdict", tables::html(&table, "choices", &|_, _| None)))
        }
    };
    html! {
        div.screen {
            div.first {
                div { (badge(&answer::verdict(results, decision))) (paragraphs(&evidence)) }
                (bars(subject, decision))
            }
            (shown(&files.of_tasks[decision.task.0], Some(decision)))
        }
        (cost(subject, decision.task))
        (why(&rest, more))
        (open(decision))
    }
}

/// Tiles of verdicts and figures over all tasks; then a line per task and a card for each.
fn several(subject: PageInput<'_>, files: &Files, decisions: &[&Decision]) -> Markup {
    let results = subject.results;
    let rest: Vec<String> = answer::sentences(results).into_iter().skip(1).collect();
    let measure = results.answer.decide_by.map(Measure::id).unwrap_or_default();
    let cell = |row: usize, column: &str| {
        let d = decisions[row];
        match column {
            "task" if files.pages[d.task.0] => Some(task_link(results, d.task)),
            "model" => d.model.map(|m| variant_name(subject, m)),
            _ => None,
        }
    };
    let more = html! {
        @if let Some(table) = decisions_of(subject, ("measure", measure)) {
            (tables::html(&table.without(&["deciding", "signals", "missed"]), "choices", &cell))
        }
        @if let Some(notice) = notice(&files.pages) { p.note { (notice) "." } }
    };
    html! {
        div.screen {
            @if let Some(line) = answer::verdict_over_tasks(results) { (badge(&line)) }
            (tiles(subject, files, decisions))
            (shown(&files.overall, None))
        }
        (why(&rest, more))
        @for decision in decisions.iter().filter(|d| files.pages[d.task.0]) {
            details.card {
                summary { (results.names.task(decision.task)) ": " (headline(subject, decision)) }
                (paragraphs(&answer::task_sentences(results, decision.task)))
                (bars(subject, decision))
                (tied(subject, decision))
                (cost(subject, decision.task))
                (shown(&files.of_tasks[decision.task.0], Some(decision)))
                (open(decision))
            }
        }
    }
}

/// One small tile per task: a figure of the verdicts.
fn tiles(subject: PageInput<'_>, files: &Files, decisions: &[&Decision]) -> Markup {
    let is_used = |d: &&Decision| d.recommended().is_some();
    let used = decisions.iter().copied().filter(is_used).count();
    html! {
        figure.tiles {
            figcaption { "Verdict by task: ✓ a model on " (used) ", – none on " (decisions.len() - used) }
            ul tabindex="0" aria-label="Verdict by task" {
                @for d in decisions {
                    @let (class, mark) = if is_used(d) { ("use", "✓") } else { ("none", "–") };
                    @let told = headline(subject, d);
                    @let inside = html! { span aria-hidden="true" { (mark) } " " (subject.results.names.task(d.task)) };
                    @if files.pages[d.task.0] {
                        li class=(class) { a href=(task_href(d.task)) title=(told) { (inside) } }
                    } @else {
                        li class=(class) title=(told) { (inside) }
                    }
                }
            }
        }
    }
}

/// `use mars 2`, `no model (chance)`
fn headline(subject: PageInput<'_>, decision: &Decision) -> String {
    match decision.recommended() {
        Some(model) => format!("use {}", subject.results.names.label(model)),
        None => answer::verdict_word(decision.verdict, true),
    }
}

/// The rows of `decisions` of one measure or one task, without details.
fn decisions_of(subject: PageInput<'_>, key: (&str, &str)) -> Option<Table> {
    let table = answer::in_words(subject.results.table("decisions")?).part(&[key]);
    Some(table.without(&["family", "p_verdict", "cost_from", "cost_to", "tied"]))
}

/// A number with its name in `decisions.csv` and its exact value, so that either can be checked against the
/// other.
fn exact(column: &str, value: f64, text: &str) -> Markup {
    html! { span data-json=(column) title=(value) { (text) } }
}

/// The leading score beside chance and the leading baseline, as bars.
fn bars(subject: PageInput<'_>, decision: &Decision) -> Markup {
    let names = &subject.results.names;
    let Some(model) = decision.model else { return Markup::default() };
    let all = [decision.score, decision.lower, decision.upper, decision.chance, decision.baseline_score];
    let texts = digits_together(&all.map(|v| v.unwrap_or(f64::NAN)));
    let drawn = [decision.score, decision.chance, decision.baseline_score];
    let longest = drawn.into_iter().flatten().fold(0.0_f64, |most, v| most.max(v.abs()));
    let p = |column: &str, value: Option<f64>| {
        html! { @if let Some(p) = value { " " small { "p " (exact(column, p, &p_value(p))) } } }
    };
    let bar = |name: &str, column: &str, value: Option<f64>, shown: &str, more: Markup| {
        let share = |value: f64| if longest > 0.0 { 55.0 * value.abs() / longest } else { 0.0 };
        html! {
            @if let Some(value) = value {
                dt { @if column == "score" { (chip(subject, &names.variants[model].group)) } (name) }
                dd {
                    span.bar.(column) style={ "width:" (format_args!("{:.1}", share(value))) "%" } {}
                    (exact(column, value, shown)) (more)
                }
            }
        }
    };
    let whole = |column: &str, n: usize| exact(column, n as f64, &thousands(n));
    let behind = html! {
        @if let (Some(low), Some(high)) = (decision.lower, decision.upper) {
            " " small { "(" (exact("lower", low, &texts[1])) "–" (exact("upper", high, &texts[2])) ")" }
        }
        @if let Some(c) = decision.counts {
            span.unseen { (whole("caught", c.caught)) " caught, " (whole("false_alarms", c.false_alarms)) " false alarms" }
        }
    };
    let baseline = decision.baseline.map(|b| names.label(b)).unwrap_or_default();
    let (info, better) = (decision.measure.info(), better_word(decision.measure.better()));
    html! {
        figure.bars {
            figcaption { (info.symbol) ": " (info.name) " (" (better) " is better)" }
            dl {
                (bar("chance", "chance", decision.chance, &texts[3], p("p_chance", decision.p_chance)))
                (bar(baseline, "baseline_score", decision.baseline_score, &texts[4], p("p_baseline", decision.p_baseline)))
                (bar(names.label(model), "score", decision.score, &texts[0], behind))
            }
        }
    }
}

/// Models in the confidence set.
fn tied(subject: PageInput<'_>, decision: &Decision) -> Markup {
    let which = decision.tied.iter().map(|&v| subject.results.names.label(v));
    html! {
        @if !decision.tied.is_empty() {
            details.level { summary { (count(decision.tied.len(), "model")) " tied" } ul { (items(which)) } }
        }
    }
}

/// At which cost of a missed event which model is the one to act on: a list that reads without scripts, and a
/// slider with them.
fn cost(subject: PageInput<'_>, task: TaskId) -> Markup {
    let answer = &subject.results.answer;
    let ladder = answer.ladders.iter().find(|l| l.task == task).map(|l| &l.rungs[..]);
    let steps = ladder.unwrap_or_default();
    // Where no model is to be used, none is recommended at any cost.
    if steps.len() < 2 || answer.deciding(task).is_none_or(|d| d.recommended().is_none()) {
        return Markup::default();
    }
    let rate = subject.rate(task);
    let a_unit = |n: usize| digits(n as f64 * rate.factor);
    let range = |i: usize, step: &Rung| match (i, steps.get(i + 1)) {
        (0, Some(next)) => format!("below {}", digits(next.from)),
        (_, Some(next)) => format!("{} to {}", digits(step.from), digits(next.from)),
        (_, None) => format!("above {}", digits(step.from)),
    };
    let take = |step: &Rung| {
        html! {
            @if let Some(model) = step.model {
                (variant_name(subject, model)) ": " (a_unit(step.caught)) " events caught, "
                (a_unit(step.false_alarms)) " false alarms " (rate.unit)
            } @else {
                "act on no model"
            }
        }
    };
    html! {
        div.cost {
            h3 { "Model to act on, by the cost of a missed event" }
            p { "A missed event costs as much as " output {} " false alarms:" }
            ol {
                @for (i, step) in steps.iter().enumerate() {
                    li data-from=(step.from) { span.range { (range(i, step)) } " " (take(step)) }
                }
            }
        }
    }
}

/// The figures that answer a question, one each; of a task those of all models and of the model that was
/// decided for.
fn shown(figures: &[StaticFigure], decision: Option<&Decision>) -> Markup {
    let note = decision.map(|d| format!("{} {}", answer::end(d.measure), d.measure.info().symbol));
    let is_meant = |f: &&StaticFigure| {
        f.detail.is_empty() || note.as_ref().is_none_or(|note| f.detail.ends_with(note.as_str()))
    };
    let mut asked = HashSet::from([""]);
    let drawn: Vec<_> = figures.iter().filter(is_meant).filter(|f| asked.insert(f.question)).collect();
    html! {
        @if !drawn.is_empty() {
            div.four { @for figure in drawn { (picture(figure, "drawn", html! { figcaption { (figure.question) } })) } }
        }
    }
}

/// A figure that opens its file; its title states the finding.
pub(super) fn picture(figure: &StaticFigure, class: &str, caption: Markup) -> Markup {
    let (file, title) = (&figure.file, &figure.title);
    html! {
        figure class=(class) { (caption) a href=(file) { img src=(file) loading="lazy" alt=(title); } }
    }
}
