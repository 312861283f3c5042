//! The first screen: what was run, whether the measure changes the winner, and what that costs. Plain HTML, readable before
//! any script has run.

use tailrank_engine::score::{Regret, VariantStatus, Verdict};
use tailrank_metrics::Measure;

use super::{
    drawn::Drawn,
    escape::text,
    family::families,
    scatter,
    sentences::{median, signed, verdict},
    task_data::any_scored,
};
use crate::{Source, claims::Standing, figures::style};

/// Everything above the task pages.
pub(super) fn html(source: Source<'_>, figures: &[Drawn]) -> String {
    let mut out = head(source);
    for (i, &(a, b)) in source.plan.pairs.iter().enumerate() {
        let verdicts: Vec<&Verdict> =
            source.results.verdicts.iter().filter(|v| (v.chosen_by, v.judged_by) == (a, b)).collect();
        out.push_str(&pair(source, &verdicts, a, b, i == 0));
    }
    out.push_str(&claims(source));
    out.push_str(&across(figures));
    out.push_str(&regret_matrix(source));
    out
}

fn head(source: Source<'_>) -> String {
    let e = &source.plan.experiment;
    let title = if e.title.is_empty() {
        String::new()
    } else {
        format!("<p class=\"lead\">{}</p>\n", text(&e.title))
    };
    let facts: Vec<String> = facts(source).into_iter().map(|f| format!("<li>{}</li>", text(&f))).collect();
    let leaking: usize = source.plan.tasks.iter().flat_map(|t| &t.splits).map(|s| s.leaking).sum();
    let paper =
        source.plan.tasks.iter().flat_map(|t| &t.splits).any(|s| s.leak == tailrank_data::Leak::Paper);
    let stamp = if paper {
        format!(
            "<p class=\"stamp\"><strong>leak = \"paper\"</strong>: {leaking} training rows have seen the test period and were \
             kept, as the paper did. Scores look better than they are.</p>\n"
        )
    } else {
        String::new()
    };
    format!(
        "<header class=\"run\">\n<h1>{}</h1>\n{title}<ul class=\"facts\">{}<li id=\"timings\" hidden></li></ul>\n{stamp}</header>\n",
        text(&e.name),
        facts.join("")
    )
}

fn facts(source: Source<'_>) -> Vec<String> {
    let (plan, results) = (source.plan, source.results);
    let (variants, tasks) = (results.variants.len(), results.tasks.len());
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let of = |wanted: fn(&VariantStatus) -> bool| {
        results.scores.iter().flat_map(|s| &s.status).filter(|s| wanted(s)).count()
    };
    let mut fits = format!("{}, {} failed", count(variants * tasks, "fit"), results.failures().count());
    let missing = of(|s| *s == VariantStatus::Missing);
    if missing > 0 {
        fits.push_str(&format!(", {missing} not run"));
    }
    let limited = of(|s| *s == VariantStatus::NotConverged);
    if limited > 0 {
        fits.push_str(&format!(", {limited} stopped at an iteration limit"));
    }
    let mut all = vec![
        format!("{} × {}", count(variants, "variant"), count(tasks, "task")),
        fits,
        format!("seed {}", plan.experiment.seed),
    ];
    let purged: usize = plan.tasks.iter().flat_map(|t| &t.splits).map(|s| s.purged).sum();
    if plan.tasks.iter().flat_map(|t| &t.splits).all(|s| s.leak == tailrank_data::Leak::Purged) {
        all.push(format!("no leakage: {} purged", count(purged, "training row")));
    }
    let events: usize = results.scores.iter().map(|s| s.events).sum();
    let cases: usize = results.scores.iter().map(|s| s.cases).sum();
    all.push(format!("{} events in {} test cases", style::count(events), style::count(cases)));
    all
}

fn pair(source: Source<'_>, verdicts: &[&Verdict], a: Measure, b: Measure, headline: bool) -> String {
    let said = verdict(source.results, verdicts);
    let details: String = said.details.iter().map(|d| format!(" {}", text(d))).collect();
    let (sa, sb) = (text(a.info().symbol), text(b.info().symbol));
    let answer = format!(
        "<div class=\"answer\"><p><strong>{}</strong>{details}</p>\n<p class=\"note\">p-values describe the disagreement of \
         two rankings; they do not prove one, since variants of one family are not independent.</p></div>\n",
        text(&said.answer)
    );
    let table = verdict_table(source, verdicts, &sa, &sb);
    if headline {
        format!(
            "<section aria-labelledby=\"verdict\">\n<h2 id=\"verdict\">Does the measure change the winner? {sa} against {sb}</h2>\n{answer}{table}</section>\n"
        )
    } else {
        format!(
            "<details class=\"pair\"><summary>{sa} against {sb}: {}</summary>\n{answer}{table}</details>\n",
            text(&said.answer)
        )
    }
}

fn verdict_table(source: Source<'_>, verdicts: &[&Verdict], a: &str, b: &str) -> String {
    let k = verdicts
        .iter()
        .find_map(|v| v.top.as_ref().map(|t| t.k))
        .unwrap_or(source.plan.experiment.compare.top);
    let mut rows = String::new();
    for v in verdicts {
        rows.push_str(&verdict_row(source, v));
    }
    format!(
        "<div class=\"wide\"><table class=\"verdicts\">\n<thead><tr><th scope=\"col\">task</th><th scope=\"col\">best by {a}</th>\
         <th scope=\"col\">best by {b}</th><th scope=\"col\" class=\"n\" title=\"Spearman's rank correlation\">ρ</th>\
         <th scope=\"col\" class=\"n\" title=\"Kendall's τ-b\">τ</th>\
         <th scope=\"col\" class=\"n\" title=\"p of τ, corrected by Holm over the tasks\">p (Holm)</th>\
         <th scope=\"col\" class=\"n\">top {k} shared</th>\
         <th scope=\"col\" class=\"n\" title=\"signals of the best by {a} and of the best by {b}\">signals {a} | {b}</th>\
         <th scope=\"col\" class=\"n\" title=\"share of the best {b} lost by choosing by {a}\">regret in {b}</th>\
         <th scope=\"col\">ranks</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn verdict_row(source: Source<'_>, v: &Verdict) -> String {
    let results = source.results;
    let name = text(&results.tasks[v.task]);
    let scores = &results.scores[v.task];
    let best = |variant: Option<usize>| variant.map_or_else(|| "–".to_owned(), |i| variant_name(source, i));
    let number = |value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |x| format!("<span title=\"{x}\">{}</span>", signed(x)))
    };
    let signals = |variant: Option<usize>| {
        variant.and_then(|i| scores.signals[i]).map_or_else(|| "–".to_owned(), |n| n.to_string())
    };
    let shared = v.top.as_ref().map_or_else(
        || "–".to_owned(),
        |t| format!("{} / {}", format!("{:.1}", t.shared).trim_end_matches(".0"), t.k),
    );
    let task = if any_scored(scores) { format!("<a href=\"#task={}\">{name}</a>", v.task + 1) } else { name };
    format!(
        "<tr><th scope=\"row\">{task}</th><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{shared}</td><td class=\"n\">{} | {}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        best(v.best_chosen),
        best(v.best_judged),
        number(v.rho.as_ref().and_then(|t| t.estimate)),
        number(v.tau.as_ref().and_then(|t| t.estimate)),
        v.tau_holm_p.map_or_else(|| "–".to_owned(), |p| format!("<span title=\"{p}\">{}</span>", p_value(p))),
        signals(v.best_chosen),
        signals(v.best_judged),
        v.regret.map_or_else(|| "–".to_owned(), |r| format!("<span title=\"{r}\">{:.0} %</span>", 100.0 * r)),
        scatter::small(results, v),
    )
}

/// A variant's label with its family's colour.
pub(super) fn variant_name(source: Source<'_>, variant: usize) -> String {
    let name = &source.results.variants[variant];
    let colour =
        families(source.results).iter().find(|f| f.name == name.group).map_or("#8C8C8C", |f| f.colour);
    format!(
        "<span class=\"variant\" title=\"{}\"><svg class=\"chip\" viewBox=\"0 0 8 8\" aria-hidden=\"true\"><circle cx=\"4\" \
         cy=\"4\" r=\"4\" fill=\"{colour}\"/></svg>{}</span>",
        text(&name.params),
        text(&name.label)
    )
}

/// A p-value that small tests and many tasks leave readable.
pub(super) fn p_value(p: f64) -> String {
    if p == 0.0 {
        return "&lt; 1e−300".to_owned();
    }
    if p < 0.001 {
        return format!("{p:.0e}").replace('-', "−");
    }
    format!("{p:.3}")
}

fn claims(source: Source<'_>) -> String {
    if source.claims.is_empty() {
        return String::new();
    }
    let of = |standing| source.claims.iter().filter(|c| c.standing == standing).count();
    let mut rows = String::new();
    for c in source.claims {
        let (class, mark) = match c.standing {
            Standing::Agree => ("agree", "✓"),
            Standing::Differ => ("differ", "✗"),
            Standing::NotTestable => ("open", "?"),
        };
        rows.push_str(&format!(
            "<tr><td class=\"standing {class}\"><span aria-hidden=\"true\">{mark}</span> {}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"note\">{}</td></tr>\n",
            c.standing,
            text(&c.says),
            text(&c.found),
            text(&c.evidence),
            text(&c.source)
        ));
    }
    format!(
        "<section aria-labelledby=\"claims\">\n<h2 id=\"claims\">What the paper says, what this run found</h2>\n\
         <p>{} agree, {} differ, {} cannot be tested with these data.</p>\n<div class=\"wide\"><table class=\"claims\">\n\
         <thead><tr><th scope=\"col\">standing</th><th scope=\"col\">the paper says</th><th scope=\"col\">this run found</th>\
         <th scope=\"col\">evidence</th><th scope=\"col\">where</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</section>\n",
        of(Standing::Agree),
        of(Standing::Differ),
        of(Standing::NotTestable)
    )
}

/// Figures over all tasks; their titles state the finding.
fn across(figures: &[Drawn]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let images: String = figures
        .iter()
        .map(|f| {
            format!(
                "<figure class=\"drawn{2}\"><a href=\"{0}\"><img src=\"{0}\" loading=\"lazy\" alt=\"{1}\"></a></figure>\n",
                f.file,
                f.title,
                // Critical differences are wide, heat maps stand side by side.
                if f.name.starts_with("critical") { " whole" } else { "" }
            )
        })
        .collect();
    format!(
        "<section aria-labelledby=\"across\">\n<h2 id=\"across\">Over all tasks</h2>\n<div class=\"pair\">\n{images}</div>\n</section>\n"
    )
}

/// The median over tasks of what choosing by each measure costs by each other.
fn regret_matrix(source: Source<'_>) -> String {
    let measures = &source.plan.rules.measures;
    if measures.len() < 2 || source.results.regrets.is_empty() {
        return String::new();
    }
    let cell = |a: Measure, b: Measure| {
        let picked = source.results.regrets.iter().filter(|r: &&Regret| (r.chosen_by, r.judged_by) == (a, b));
        median(&picked.filter_map(|r| r.relative).collect::<Vec<_>>())
    };
    let heads: String = measures
        .iter()
        .map(|m| {
            format!(
                "<th scope=\"col\" class=\"n\" title=\"{}\">{}</th>",
                text(m.info().name),
                text(m.info().symbol)
            )
        })
        .collect();
    let mut rows = String::new();
    for &a in measures {
        rows.push_str(&format!(
            "<tr><th scope=\"row\" title=\"{}\">{}</th>",
            text(a.info().name),
            text(a.info().symbol)
        ));
        for &b in measures {
            // The colour is a hint; the number says it.
            let shade = |r: f64| format!(" style=\"--lost:{:.0}%\"", 100.0 * r.clamp(0.0, 1.0));
            match cell(a, b) {
                _ if a == b => rows.push_str("<td class=\"n same\">·</td>"),
                Some(r) => {
                    rows.push_str(&format!(
                        "<td class=\"n lost\"{} title=\"{r}\">{:.0} %</td>",
                        shade(r),
                        100.0 * r
                    ));
                }
                None => rows.push_str("<td class=\"n\">–</td>"),
            }
        }
        rows.push_str("</tr>\n");
    }
    let over = if source.results.tasks.len() > 1 { "Median over the tasks." } else { "" };
    format!(
        "<section aria-labelledby=\"cost\">\n<h2 id=\"cost\">What it costs to choose by another measure</h2>\n\
         <p>Rows: the measure a model is chosen by. Columns: the measure it is then judged by. Share of the best score lost. {over}</p>\n\
         <div class=\"wide\"><table class=\"regret\">\n<thead><tr><th scope=\"col\">chosen by</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</section>\n"
    )
}
