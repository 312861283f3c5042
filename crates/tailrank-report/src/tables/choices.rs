//! One line per task: does the measure change the choice, who wins by either measure, and what the winner's score is worth.

use tailrank_experiment::text::{digits, or_dash, thousands};
use tailrank_score::{
    score::{Results, TaskVerdict, Verdict},
    table::{Format, Table, column},
};

/// The choices of one pair of measures, task by task.
pub fn choices(results: &Results, verdict: &Verdict) -> Table {
    type V<'a> = &'a TaskVerdict;
    let (a, b) = (verdict.chosen_by.info().symbol, verdict.judged_by.info().symbol);
    let names = &results.names;
    let interval = |v: &V<'_>| {
        let pick = v.judged.as_ref()?;
        let known = results.inference.iter().find(|t| t.task == v.task)?;
        let place = known.place(pick.variant, &results.scores[v.task])?;
        known.measure(verdict.judged_by)?.intervals[place]
    };
    let share = |v: &V<'_>| {
        let family = &names.variants[v.judged.as_ref()?.variant].group;
        let known = results.inference.iter().find(|t| t.task == v.task)?.measure(verdict.judged_by)?;
        known.families.iter().find(|(name, _)| name == family).map(|(_, share)| *share)
    };
    Table::of(
        "choices",
        format!("Does the choice between {a} and {b} change the model, task by task"),
        &verdict.tasks,
        vec![
            column("task", "task", Format::Name, "the task", |v: &V<'_>| names.task(v.task).to_owned()),
            column(
                "verdict",
                "changes?",
                Format::Name,
                "whether the measure changes the choice",
                |v: &V<'_>| v.answer.word(),
            ),
            column("chosen", format!("best by {a}"), Format::Name, "the winner by the first", |v: &V<'_>| {
                v.chosen.as_ref().map(|p| p.label.clone())
            }),
            column(
                "judged",
                format!("best by {b}"),
                Format::Name,
                "the winner by the second",
                |v: &V<'_>| v.judged.as_ref().map(|p| p.label.clone()),
            ),
            column("score", b, Format::Number, "its score by the second", |v: &V<'_>| {
                v.judged.as_ref().and_then(|p| p.score)
            }),
            column("interval", "interval", Format::Name, "how far the score is sure", move |v: &V<'_>| {
                interval(v).map(|i| format!("{} to {}", digits(i.lower), digits(i.upper)))
            }),
            column("luck", "by luck", Format::Name, "the best that luck gives, with p", |v: &V<'_>| {
                let luck = v.luck.as_ref()?;
                Some(format!("{} (p {})", digits(luck.by_luck), tailrank_experiment::text::p_value(luck.p)))
            }),
            column("baseline", "best baseline", Format::Name, "the best baseline's score", |v: &V<'_>| {
                or_dash(v.reference.as_ref().map(|r| r.score), digits)
            }),
            column("family_share", "P(best) of family", Format::Percent, "how sure the family is", share),
            column("counts", "hits / signals / events", Format::Name, "what to expect of it", |v: &V<'_>| {
                let c = v.judged.as_ref()?.counts?;
                Some(format!("{} / {} / {}", thousands(c.hits), thousands(c.signals), thousands(c.events)))
            }),
        ],
    )
}
