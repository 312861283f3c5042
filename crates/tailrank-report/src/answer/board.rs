//! The board: families, and a model of somebody else's, over all tasks of a run.

use indexmap::IndexSet;
use tailrank_score::score::EntryKind;

use super::{
    sentences::{skill, symbol},
    *,
};

/// Where an entry stands over all tasks, by the deciding measure, with its skill by the others beside.
pub fn board(results: &Results, name: &str, width: usize) -> Screen {
    let mut out = Screen::default();
    let standings = &results.standings;
    let tasks = results.names.tasks.len();
    let (all, clusters) = (count(tasks, "task"), count(standings.clusters, "independent cluster"));
    out.push(Line::new(Tone::Strong, format!("{name} · {all} in {clusters}")));
    let Some(decide_by) = results.answer.decide_by else { return out };
    let rows: Vec<&Standing> = first_kind(results, decide_by);
    let Some(place) = rows.iter().position(|r| r.entry == name) else { return out };
    let own = rows[place];
    let skill = skill(own).map(|skill| format!(", with a skill of {skill}"));
    let of = rows.iter().filter(|r| r.kind != EntryKind::Baseline).count();
    let by = symbol(decide_by);
    let missing = match own.missing {
        0 => String::new(),
        n => format!(" {} missing: there the best baseline's result counts.", count(n, "task")),
    };
    let place = format!("Place {} of {of} by {by}{}.{missing}", place + 1, skill.unwrap_or_default());
    out.wrapped(Tone::Plain, &place, width, 0);
    let picked = |t: TaskId| {
        results.answer.deciding(t).filter(|d| d.model.is_some_and(|m| results.names.label(m) == name))
    };
    let picks: Vec<_> = TaskId::all(tasks).filter_map(picked).collect();
    let used = picks.iter().filter(|d| d.verdict == Verdict::Use).count();
    let picked = format!(
        "It has the {} {by} on {} of {tasks} tasks; the verdict is use on {used} of them.",
        end(decide_by),
        picks.len()
    );
    out.wrapped(Tone::Plain, &picked, width, 0);
    out.gap();
    out.extend(table(results, &rows, decide_by, name).lay_out(width).0);
    out.push(Line::new(
        Tone::Dim,
        " Skill is the gain over each task's best baseline. = is tied with the first.",
    ));
    out
}

/// Families where they were chosen on validation rows, else models, and the best baseline; in their order.
fn first_kind(results: &Results, measure: Measure) -> Vec<&Standing> {
    let of_measure = || results.standings.rows.iter().filter(move |r| r.measure == measure);
    let kind = of_measure().map(|r| r.kind).find(|kind| *kind != EntryKind::Baseline);
    let mut rows: Vec<&Standing> = of_measure().filter(|r| Some(r.kind) == kind).collect();
    rows.extend(of_measure().find(|r| r.kind == EntryKind::Baseline));
    rows
}

fn table(results: &Results, rows: &[&Standing], decide_by: Measure, name: &str) -> TextTable {
    let compared = results.answer.picks.iter().flat_map(|p| [p.chosen_by, p.judged_by]);
    let compared: IndexSet<Measure> = compared.filter(|m| *m != decide_by).collect();
    let skill_by = |row: &Standing, measure: Measure| {
        let found = first_kind(results, measure).into_iter().find(|r| r.entry == row.entry)?.skill;
        found.map(|s| percent(s.value))
    };
    let has_skill = |m: &Measure| rows.iter().any(|row| skill_by(row, *m).is_some());
    let others: Vec<Measure> = compared.into_iter().filter(has_skill).collect();
    let skill_heading = |measure: Measure| format!(">{} skill", symbol(measure));
    let mut headings = vec![">place".to_owned(), "model".to_owned(), skill_heading(decide_by)];
    headings.extend([">95% CI", ">", ">win rate", ">rank"].map(str::to_owned));
    headings.extend(others.iter().copied().map(skill_heading));
    let cells = |(place, row): (usize, &&Standing)| {
        let interval = row.skill.and_then(|s| s.interval);
        let is_baseline = row.kind == EntryKind::Baseline;
        let mut cells = vec![
            if is_baseline { DASH.to_owned() } else { (place + 1).to_string() },
            row.entry.clone(),
            or_dash(row.skill.map(|s| s.value), percent),
            interval
                .map_or_else(|| DASH.to_owned(), |(low, high)| format!("{}–{}", percent(low), percent(high))),
            if row.tied && place > 0 { "=".to_owned() } else { String::new() },
            percent(row.win_rate.value),
            two_decimals(row.average_rank.value),
        ];
        cells.extend(others.iter().map(|m| skill_by(row, *m).unwrap_or_else(|| DASH.to_owned())));
        cells
    };
    let strong = rows.iter().position(|r| r.entry == name).into_iter().collect();
    let headings = headings.iter().map(String::as_str);
    TextTable { strong, ..TextTable::new(headings, rows.iter().enumerate().map(cells)) }
}
