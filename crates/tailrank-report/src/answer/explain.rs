//! Everything behind the answer, in sections of tables with one sentence each.

use super::{
    leaderboard::{leaderboard, marks_ties},
    sentences::symbol,
    *,
};

/// Rows of a table that are shown.
const MOST_ROWS: usize = 60;

/// What to explain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explained<'a> {
    /// One task; all of them if none.
    pub task: Option<TaskId>,
    /// One measure; the deciding one if none.
    pub measure: Option<Measure>,
    /// What a paper says beside what was found.
    pub claims: &'a [Claim],
    /// Columns of the terminal.
    pub width: usize,
}

/// The sections, one after the other.
pub fn explain(results: &Results, asked: Explained<'_>) -> Screen {
    let mut out = Book { results, asked, screen: Screen::default() };
    let all = || TaskId::all(results.scores.len()).collect();
    let tasks: Vec<TaskId> = asked.task.map_or_else(all, |task| vec![task]);
    if let [task] = tasks[..] {
        out.one_task(task);
    } else {
        out.several_tasks(&tasks);
    }
    out.pairs(&tasks);
    out.costs(&tasks);
    out.over_tasks();
    out.warnings(&tasks);
    out.claims();
    out.screen
}

struct Book<'a> {
    results: &'a Results,
    asked: Explained<'a>,
    screen: Screen,
}

/// A measure's symbol, marked where it decides.
fn marked(measure: Measure, decides: bool) -> String {
    format!("{}{}", symbol(measure), if decides { " *" } else { "" })
}

impl Book<'_> {
    /// The measure that is asked about.
    fn measure(&self) -> Option<Measure> {
        self.asked.measure.or(self.results.answer.decide_by)
    }

    /// A heading with one sentence below it.
    fn section(&mut self, title: &str, sentence: &str) {
        self.screen.gap();
        self.screen.push(Line::new(Tone::Strong, title));
        if !sentence.is_empty() {
            self.screen.wrapped(Tone::Dim, sentence, self.asked.width, 0);
        }
    }

    /// A section with a table; what of it does not fit is in a file.
    fn table(&mut self, title: &str, sentence: &str, table: TextTable, file: &str) {
        self.section(title, sentence);
        let place = format!("in results/{file}.csv");
        self.screen.extend(table.lay_out_most(MOST_ROWS, self.asked.width, ["row", "column"], &place));
    }

    /// A table of the run's files, if it has rows.
    fn stored(&mut self, id: &str, sentence: &str, keys: &[(&str, &str)], without: &[&str]) {
        let Some(table) = self.results.table(id) else { return };
        let table = super::in_words(table).part(keys).without(without);
        if !table.rows.is_empty() {
            let text = TextTable { indent: 1, ..TextTable::of(&table) };
            self.table(&table.caption, sentence, text, id);
        }
    }

    fn one_task(&mut self, task: TaskId) {
        let results = self.results;
        let scores = &results.scores[task];
        if let Some(meaning) = event::definition(scores) {
            let (events, cases) = (thousands(scores.events), thousands(scores.cases));
            let name = results.names.task(task);
            let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
            let share = event::share_of(scores);
            let text = format!("{name}an event is {meaning}, in {events} of {cases} test cases ({share}).");
            self.screen.wrapped(Tone::Plain, &text, self.asked.width, 0);
        }
        let decisions: Vec<&Decision> = results.answer.decisions.iter().filter(|d| d.task == task).collect();
        let about = "Only the verdict of the deciding measure (*) counts; the others are exploratory.";
        self.table("Verdict by measure", about, by_measure(results, &decisions), "decisions");
        let about = "Each p follows what it compares with, and allows for the choice among all models. p adj is the larger one, corrected over tasks.";
        self.table("Chance and baselines", about, chance(results, &decisions), "decisions");

        let measure = self.measure();
        if let Some(decision) = measure.and_then(|m| results.answer.decision(task, m)) {
            let other = results.answer.first_picks().map(|p| p.chosen_by).filter(|m| *m != decision.measure);
            let table = leaderboard(results, decision, other, None);
            let mut notes = Vec::new();
            if marks_ties(&table) {
                notes.push("= is tied with the first.");
            }
            if table.headings.iter().any(|(h, _)| h == "slope") {
                notes.push(
                    "Calibration slope of signals: below 1 predictions are too large, above 1 too small.",
                );
            }
            let title = format!("Leaderboard by {}", symbol(decision.measure));
            self.table(&title, &notes.join(" "), table, "scores");
        }
        let id = measure.map(Measure::id).unwrap_or_default();
        let name = results.names.task(task);
        self.stored("families", "Over resamples of the test cases.", &[("task", name), ("measure", id)], &[]);
    }

    fn several_tasks(&mut self, tasks: &[TaskId]) {
        let results = self.results;
        if let Some(event) = event::line(results) {
            self.screen.wrapped(Tone::Plain, &format!("Event: {event}."), self.asked.width, 0);
        }
        let measure = self.measure();
        let of_measure: Vec<&Decision> =
            tasks.iter().filter_map(|&t| results.answer.decision(t, measure?)).collect();
        let title = format!("Verdict by {}", measure.map_or("no measure", symbol));
        let about = "tailrank explain RUN --task TASK shows the leaderboard of one task.";
        self.table(&title, about, tasks::table(results, &of_measure), "decisions");
        let rows = results.measures().into_iter().map(|m| {
            let of: Vec<&Decision> = results.answer.decisions.iter().filter(|d| d.measure == m).collect();
            let used = of.iter().filter(|d| d.verdict == Verdict::Use).count();
            let for_reason = CODES.map(|code| sentences::tasks_with_reason(&of, code).to_string());
            let name = marked(m, Some(m) == results.answer.decide_by);
            [name, used.to_string()].into_iter().chain(for_reason).collect()
        });
        const CODES: [&str; 5] = [
            "not_better_than_chance",
            "not_better_than_baseline",
            "no_event_caught",
            "few_events",
            "not_testable",
        ];
        let headings = "measure|>use|>chance|>baseline|>none caught|>few events|>untestable";
        let about = "Only the deciding measure (*) is corrected over tasks; the others are exploratory.";
        self.table(
            "Verdicts by measure, in tasks",
            about,
            TextTable::new(headings.split('|'), rows),
            "decisions",
        );
    }

    fn pairs(&mut self, tasks: &[TaskId]) {
        let results = self.results;
        let shown: Vec<&Comparison> =
            results.comparisons.iter().filter(|c| tasks.contains(&c.task)).collect();
        if shown.is_empty() {
            return;
        }
        let one = tasks.len() == 1;
        let row = |c: &&Comparison| {
            let is_pair = |p: &&Picks| (p.chosen_by, p.judged_by) == (c.chosen_by, c.judged_by);
            let picks = results.answer.picks.iter().find(is_pair);
            let picked = picks.and_then(|p| p.tasks.iter().find(|t| t.task == c.task));
            let changes = picked.map_or(DASH, |t| match t.changes {
                Changes::Yes => "yes",
                Changes::No => "no",
                Changes::Undecided(_) => "undecided",
            });
            let pair = format!("{} · {}", symbol(c.chosen_by), symbol(c.judged_by));
            let mut cells = if one { vec![pair] } else { vec![results.names.task(c.task).to_owned(), pair] };
            for test in [&c.rho, &c.tau] {
                cells.push(or_dash(test.as_ref().and_then(|t| t.estimate), two_decimals));
                cells.push(or_dash(test.as_ref().map(|t| t.p_value), p_value));
            }
            let shared = c.top.as_ref().map(|t| format!("{} of {}", two_digits(t.shared), t.k));
            cells.extend([shared.unwrap_or_else(|| DASH.to_owned()), changes.to_owned()]);
            cells
        };
        let headings = "task|measures|>ρ|>p(ρ)|>τ|>p(τ)|>shared top|other pick?";
        let headings = if one { headings.trim_start_matches("task|") } else { headings };
        let about = "Rank correlations are descriptive: neighbours in a grid are not independent.";
        let table = TextTable::new(headings.split('|'), shown.iter().map(row));
        self.table("Pairs of measures", about, table, "comparisons");
    }

    fn costs(&mut self, tasks: &[TaskId]) {
        let results = self.results;
        if let [task] = tasks[..]
            && let Some(ladder) =
                results.answer.ladders.iter().find(|l| l.task == task && !l.rungs.is_empty())
        {
            let price = digits_together(&ladder.rungs.iter().map(|r| r.from).collect::<Vec<_>>());
            let rows = ladder.rungs.iter().zip(price).map(|(rung, from)| {
                vec![
                    from,
                    rung.model.map_or("act on none", |m| results.names.label(m)).to_owned(),
                    thousands(rung.caught),
                    thousands(rung.false_alarms),
                ]
            });
            let about =
                "Baselines and models that catch fewer than ten events are left out; this is no test.";
            let headings = [">from cost", "cheapest to act on", ">caught", ">false alarms"];
            let table = TextTable::new(headings, rows);
            self.table("Cost of a missed event, in false alarms", about, table, "alarms");
        }
        if results.measures().len() > 1 {
            self.stored(
                "costs",
                "0 where both choose the same model; in the units of each column's measure.",
                &[],
                &[],
            );
        }
    }

    fn over_tasks(&mut self) {
        let id = self.measure().map(Measure::id).unwrap_or_default();
        if self.asked.task.is_none() && self.results.scores.len() > 1 {
            self.stored("wins", "", &[("measure", id)], &[]);
            self.stored("friedman", "Whether the models differ over the tasks at all.", &[], &[]);
        }
        self.stored("steps", "", &[("measure", id)], &["clusters", "tasks"]);
        self.stored("selection", "The choice of someone who never sees the test.", &[], &[]);
        self.stored("trading", "", &[], &[]);
    }

    fn warnings(&mut self, tasks: &[TaskId]) {
        let results = self.results;
        let several = tasks.len() > 1;
        let mut lines = Vec::new();
        for &task in tasks {
            for warning in results.answer.warnings.get(task.0).into_iter().flatten() {
                let said = sentences::warning(results, warning);
                lines.push(if several { format!("{}: {said}", results.names.task(task)) } else { said });
            }
        }
        for group in crate::failures::failure_groups(results) {
            let what = if group.fits.len() == 1 { "failed" } else { "failed alike" };
            lines.push(format!("{} {what}: {}", group.who(results), group.reason.trim_end()));
        }
        if lines.is_empty() {
            return;
        }
        self.section("Warnings", "");
        let left = lines.len().saturating_sub(MOST_ROWS);
        for line in lines.into_iter().take(MOST_ROWS) {
            self.screen.wrapped(Tone::Plain, &format!(" {line}"), self.asked.width, 3);
        }
        if left > 0 {
            self.screen.push(Line::new(Tone::Dim, format!(" … {left} more with --task TASK")));
        }
    }

    fn claims(&mut self) {
        if self.asked.claims.is_empty() {
            return;
        }
        self.section("What the paper says, and what was found", "");
        let width = self.asked.width;
        for claim in by_tag(self.asked.claims) {
            let (standing, says) =
                (format!(" {}", claim.standing), format!("  {} [{}]", claim.says, claim.source));
            self.screen.headed((Tone::Strong, &standing), &says, width, 3);
            self.screen.wrapped(Tone::Plain, &format!("   → {}", claim.found), width, 5);
        }
    }
}

/// The verdict of every measure on one task.
fn by_measure(results: &Results, decisions: &[&Decision]) -> TextTable {
    let rows = decisions.iter().map(|d| {
        let ends = d.lower.zip(d.upper).map(|(lower, upper)| sentences::interval(lower, upper));
        let [caught, false_alarms] = tasks::counts(d);
        vec![
            marked(d.measure, d.deciding),
            verdict_word(d.verdict, d.deciding),
            tasks::label(results, d.model),
            or_dash(d.score, digits),
            ends.unwrap_or_else(|| DASH.to_owned()),
            caught,
            false_alarms,
        ]
    });
    let level = 100.0 * results.inferred_by.level;
    let headings = format!("measure|verdict|pick|>score|{level:.0}% CI|>caught|>false");
    TextTable::new(headings.split('|'), rows)
}

/// Chance and baselines beside the leading model, measure by measure.
fn chance(results: &Results, decisions: &[&Decision]) -> TextTable {
    let rows = decisions.iter().map(|d| {
        let [score, chance, baseline] = sentences::compared(d);
        vec![
            marked(d.measure, d.deciding),
            score,
            chance,
            or_dash(d.p_chance, p_value),
            tasks::label(results, d.baseline),
            baseline,
            or_dash(d.p_baseline, p_value),
            or_dash(d.p_adjusted, p_value),
            thousands(d.tied.len()),
        ]
    });
    TextTable::new("measure|>score|>chance|>p|baseline|>score|>p|>p adj|>tied".split('|'), rows)
}
