//! The answer: which model to use on each task, or that none is worth using, and what stands behind it. Every number is one of
//! `decisions.csv`, so that page, JSON and papers say the same.

use tailrank_score::score::answer::Rung;

use super::{
    overview::{chip, task_link, variant_name},
    *,
};
use crate::figures::style::better_word;

/// The first screen: verdict, figures, and what stands behind them on demand.
pub(super) fn html(subject: PageInput<'_>, files: &Files) -> String {
    let decisions: Vec<&Decision> = subject.results.answer.all_deciding().collect();
    let body = match decisions[..] {
        [] => return String::new(),
        [only] => one(subject, files, only),
        _ => several(subject, files, &decisions),
    };
    format!("<section aria-labelledby=\"decision\" class=\"decision\">\n{body}</section>\n")
}

/// The verdict as a badge, with the rest of its sentence.
fn badge(line: &answer::VerdictLine) -> String {
    format!(
        "<h2 id=\"decision\" class=\"badge {}\">{}</h2>\n<p class=\"gain\">{}</p>\n",
        if line.is_use { "use" } else { "none" },
        text(&line.head),
        text(line.rest.trim_start())
    )
}

/// What is folded away: the words of the terminal that are not on the first screen.
fn why(sentences: &[String], more: &str) -> String {
    let lines = paragraphs(sentences);
    format!("<details class=\"why\"><summary>Why?</summary>\n{lines}{more}</details>\n")
}

/// Opens a task's page.
fn open(decision: &Decision) -> String {
    format!(
        "<p><a class=\"open\" href=\"#task={}\">Move thresholds and costs, look at every model</a></p>",
        decision.task.0 + 1
    )
}

fn one(subject: PageInput<'_>, files: &Files, decision: &Decision) -> String {
    let results = subject.results;
    // The verdict and its evidence stand on the first screen.
    let evidence = answer::evidence(results, decision);
    let said = answer::task_sentences(results, decision.task);
    let rest: Vec<String> = said.into_iter().skip(1).filter(|s| Some(s) != evidence.as_ref()).collect();
    let evidence = paragraphs(evidence.as_slice());
    format!(
        "<div class=\"screen\"><div class=\"first\">\n<div>{}{evidence}</div>\n{}</div>\n{}</div>\n{}{}{}\n",
        badge(&answer::verdict(results, decision)),
        bars(subject, decision),
        shown(&files.of_tasks[decision.task.0], Some(decision)),
        cost(subject, decision.task),
        why(&rest, &(tied(subject, decision) + &by_measure(subject, decision.task))),
        open(decision)
    )
}

/// Tiles of verdicts and figures over all tasks; then a line per task and a card for each.
fn several(subject: PageInput<'_>, files: &Files, decisions: &[&Decision]) -> String {
    let results = subject.results;
    let verdict = answer::verdict_over_tasks(results).map(|line| badge(&line)).unwrap_or_default();
    let rest: Vec<String> = answer::sentences(results).into_iter().skip(1).collect();
    let (tiles, drawn) = (tiles(subject, files, decisions), shown(&files.overall, None));
    let mut out = format!("<div class=\"screen\">{verdict}{tiles}{drawn}</div>\n");
    let mut more = String::new();
    let measure = results.answer.decide_by.map(Measure::id).unwrap_or_default();
    if let Some(table) = decisions_of(subject, ("measure", measure)) {
        let table = table.without(&["deciding", "signals", "missed"]);
        let cell = |row: usize, column: &str| {
            let d = decisions[row];
            match column {
                "task" if files.pages[d.task.0] => Some(task_link(results, d.task)),
                "model" => d.model.map(|m| variant_name(subject, m)),
                _ => None,
            }
        };
        let decoration = Decoration { class: "choices", cell: Some(&cell) };
        more.push_str(&tables::html(&table, decoration));
    }
    if let Some(notice) = notice(&files.pages) {
        more.push_str(&format!("<p class=\"note\">{}.</p>\n", text(&notice)));
    }
    out.push_str(&why(&rest, &more));
    for decision in decisions.iter().filter(|d| files.pages[d.task.0]) {
        out.push_str(&format!(
            "<details class=\"card\"><summary>{}: {}</summary>\n{}{}{}{}{}{}</details>\n",
            text(results.names.task(decision.task)),
            text(&headline(subject, decision)),
            paragraphs(&answer::task_sentences(results, decision.task)),
            bars(subject, decision),
            tied(subject, decision),
            cost(subject, decision.task),
            shown(&files.of_tasks[decision.task.0], Some(decision)),
            open(decision)
        ));
    }
    out
}

/// One small tile per task: a figure of the verdicts.
fn tiles(subject: PageInput<'_>, files: &Files, decisions: &[&Decision]) -> String {
    let tile = |d: &&Decision| {
        let used = d.recommended().is_some();
        let (class, mark) = if used { ("use", "✓") } else { ("none", "–") };
        let name = text(subject.results.names.task(d.task));
        let inside = format!("<span aria-hidden=\"true\">{mark}</span> {name}");
        let told = text(&headline(subject, d));
        let number = d.task.0 + 1;
        match files.pages[d.task.0] {
            true => {
                format!("<li class=\"{class}\"><a href=\"#task={number}\" title=\"{told}\">{inside}</a></li>")
            }
            false => format!("<li class=\"{class}\" title=\"{told}\">{inside}</li>"),
        }
    };
    let used = decisions.iter().filter(|d| d.recommended().is_some()).count();
    format!(
        "<figure class=\"tiles\"><figcaption>Verdict by task: ✓ a model on {used}, – none on {}</figcaption>\n\
         <ul tabindex=\"0\" aria-label=\"Verdict by task\">{}</ul></figure>\n",
        decisions.len() - used,
        decisions.iter().map(tile).collect::<String>()
    )
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

/// What every measure says of one task.
fn by_measure(subject: PageInput<'_>, task: TaskId) -> String {
    let table = decisions_of(subject, ("task", subject.results.names.task(task)));
    let html = |table| tables::html(&table, Decoration { class: "choices", cell: None });
    let about = "Every measure; only the deciding one carries a verdict";
    table.map(|table| details(about, &html(table))).unwrap_or_default()
}

/// A number with its name in `decisions.csv` and its exact value, so that either can be checked against the other.
fn exact(column: &str, value: Option<f64>, text: &str) -> Option<String> {
    value.map(|v| format!("<span data-json=\"{column}\" title=\"{v}\">{text}</span>"))
}

/// The leading score beside chance and the leading baseline, as bars.
fn bars(subject: PageInput<'_>, decision: &Decision) -> String {
    let names = &subject.results.names;
    let Some(model) = decision.model else { return String::new() };
    let all = [decision.score, decision.lower, decision.upper, decision.chance, decision.baseline_score];
    let texts = digits_together(&all.map(|v| v.unwrap_or(f64::NAN)));
    let drawn = [decision.score, decision.chance, decision.baseline_score];
    let longest = drawn.into_iter().flatten().fold(0.0_f64, |most, v| most.max(v.abs()));
    let p = |column: &str, value: Option<f64>| {
        let shown = exact(column, value, &text(&value.map(p_value).unwrap_or_default()));
        shown.map(|p| format!(" <small>p {p}</small>")).unwrap_or_default()
    };
    let bar = |name: String, column: &str, value: Option<f64>, shown: &str, more: String| {
        let number = exact(column, value, shown)?;
        let share = if longest > 0.0 { 55.0 * value?.abs() / longest } else { 0.0 };
        Some(format!(
            "<dt>{name}</dt><dd><span class=\"bar {column}\" style=\"width:{share:.1}%\"></span>{number}{more}</dd>\n"
        ))
    };
    let ends = exact("lower", decision.lower, &texts[1]).zip(exact("upper", decision.upper, &texts[2]));
    let ends = ends.map(|(low, high)| format!(" <small>({low}–{high})</small>")).unwrap_or_default();
    let whole = |column: &str, n: usize| exact(column, Some(n as f64), &thousands(n)).unwrap_or_default();
    let counts = decision.counts.map_or_else(String::new, |c| {
        let (caught, alarms) = (whole("caught", c.caught), whole("false_alarms", c.false_alarms));
        format!("<span class=\"unseen\">{caught} caught, {alarms} false alarms</span>")
    });
    let baseline = decision.baseline.map(|b| names.label(b)).unwrap_or_default();
    let by_baseline = p("p_baseline", decision.p_baseline);
    let name = chip(subject, &names.variants[model].group) + &text(names.label(model));
    let rows = [
        bar("chance".to_owned(), "chance", decision.chance, &texts[3], p("p_chance", decision.p_chance)),
        bar(text(baseline), "baseline_score", decision.baseline_score, &texts[4], by_baseline),
        bar(name, "score", decision.score, &texts[0], ends + &counts),
    ];
    let rows: String = rows.into_iter().flatten().collect();
    let (info, better) = (decision.measure.info(), better_word(decision.measure.better()));
    let caption = text(&format!("{}: {} ({better} is better)", info.symbol, info.name));
    format!("<figure class=\"bars\"><figcaption>{caption}</figcaption><dl>{rows}</dl></figure>\n")
}

/// Models in the confidence set.
fn tied(subject: PageInput<'_>, decision: &Decision) -> String {
    let which = items(decision.tied.iter().map(|&v| subject.results.names.label(v).to_owned()));
    let models = count(decision.tied.len(), "model");
    if which.is_empty() {
        return which;
    }
    format!("<details class=\"level\"><summary>{models} tied</summary><ul>{which}</ul></details>\n")
}

/// At which cost of a missed event which model is the one to act on: a list that reads without scripts, and a slider with them.
fn cost(subject: PageInput<'_>, task: TaskId) -> String {
    let answer = &subject.results.answer;
    let ladder = answer.ladders.iter().find(|l| l.task == task).map(|l| &l.rungs[..]);
    let steps = ladder.unwrap_or_default();
    // Where no model is to be used, none is recommended at any cost.
    if steps.len() < 2 || answer.deciding(task).is_none_or(|d| d.recommended().is_none()) {
        return String::new();
    }
    let rate = subject.rate(task);
    let a_unit = |n: usize| digits(n as f64 * rate.factor);
    let item = |(i, step): (usize, &Rung)| {
        let next = steps.get(i + 1).map(|s| s.from);
        let range = match (i, next) {
            (0, Some(next)) => format!("below {}", digits(next)),
            (_, Some(next)) => format!("{} to {}", digits(step.from), digits(next)),
            (_, None) => format!("above {}", digits(step.from)),
        };
        let take = step.model.map_or_else(
            || "act on no model".to_owned(),
            |v| {
                let (name, caught) = (variant_name(subject, v), a_unit(step.caught));
                let (alarms, unit) = (a_unit(step.false_alarms), rate.unit);
                format!("{name}: {caught} events caught, {alarms} false alarms {unit}")
            },
        );
        format!("<li data-from=\"{}\"><span class=\"range\">{range}</span> {take}</li>", step.from)
    };
    let items: String = steps.iter().enumerate().map(item).collect();
    format!(
        "<div class=\"cost\"><p>A missed event costs as much as <output></output> false alarms:</p>\n<ol>{items}</ol></div>\n"
    )
}

/// The figures that answer a question, one each; of a task those of all models and of the model that was decided for.
fn shown(figures: &[StaticFigure], decision: Option<&Decision>) -> String {
    let note = decision.map(|d| format!("{} {}", answer::end(d.measure), d.measure.info().symbol));
    let is_meant = |f: &StaticFigure| {
        f.detail.is_empty() || note.as_ref().is_none_or(|note| f.detail.ends_with(note.as_str()))
    };
    let mut asked = vec![""];
    let mut drawn = String::new();
    for figure in figures.iter().filter(|f| is_meant(f)) {
        if !asked.contains(&figure.question) {
            asked.push(figure.question);
            drawn +=
                &picture(figure, "drawn", &format!("<figcaption>{}</figcaption>", text(figure.question)));
        }
    }
    if drawn.is_empty() { drawn } else { format!("<div class=\"four\">\n{drawn}</div>\n") }
}

/// A figure that opens its file; its title states the finding.
pub(super) fn picture(figure: &StaticFigure, class: &str, caption: &str) -> String {
    let (file, title) = (&figure.file, text(&figure.title));
    format!(
        "<figure class=\"{class}\">{caption}<a href=\"{file}\"><img src=\"{file}\" loading=\"lazy\" alt=\"{title}\"></a></figure>\n"
    )
}
