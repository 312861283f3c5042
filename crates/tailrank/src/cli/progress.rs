//! Progress of a run: one bar weighted by cost and one line per running cell on a terminal, plain lines elsewhere.

use std::{
    collections::{HashMap, HashSet},
    io::IsTerminal,
    time::{Duration, Instant},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use tailrank_experiment::{plan::Plan, text::count};
use tailrank_report::terminal::visible;
use tailrank_runner::run::{CellReport, Observer};

use super::{duration::span, output::print_status};

/// Tells the user how a run goes.
pub(crate) struct Progress {
    mode: Mode,
    /// Places in the plan of the cells asked for; all of them if none.
    only: Option<Vec<usize>>,
    done: usize,
    total: usize,
    cost_done: f64,
    cost_total: f64,
    last_line: Instant,
}

enum Mode {
    Silent,
    Lines,
    Bars { all: MultiProgress, main: ProgressBar, cells: HashMap<usize, ProgressBar> },
}

const PARTS: u64 = 10_000;
const TICK: Duration = Duration::from_millis(250);

/// A style of a bar; the plain one where the template is wrong, which no template here is.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Progress {
    pub(crate) fn new(silent: bool, only: Option<Vec<usize>>) -> Self {
        let mode = if silent {
            Mode::Silent
        } else if std::io::stderr().is_terminal() {
            let all = MultiProgress::new();
            let main = all.add(ProgressBar::new(PARTS).with_style(style("{bar:30} {msg}")));
            Mode::Bars { all, main, cells: HashMap::new() }
        } else {
            Mode::Lines
        };
        Self { mode, only, done: 0, total: 0, cost_done: 0.0, cost_total: 0.0, last_line: Instant::now() }
    }

    pub(crate) fn finish(&mut self) {
        if let Mode::Bars { all, main, cells } = &mut self.mode {
            // A bar that still ticks would draw itself again.
            cells.drain().for_each(|(_, line)| line.finish_and_clear());
            main.finish_and_clear();
            let _ = all.clear();
        }
    }

    fn share(&self) -> f64 {
        if self.cost_total > 0.0 { (self.cost_done / self.cost_total).min(1.0) } else { 0.0 }
    }

    fn message(&self, elapsed: Duration) -> String {
        let share = self.share();
        // Before a twentieth of the work is done a forecast would be a guess.
        let left = if share > 0.05 && share < 1.0 {
            format!(", about {} left", span(elapsed.mul_f64((1.0 - share) / share)))
        } else {
            String::new()
        };
        format!("{}/{} fits{left}", self.done, self.total)
    }
}

/// A millisecond more than forecast, so that many free cells do not weigh nothing.
fn cost(plan: &Plan, cell: usize) -> f64 {
    plan.cells[cell].cost.cpu_seconds + 1e-3
}

fn name(plan: &Plan, cell: usize) -> String {
    visible(&plan.cell_name(cell)).into_owned()
}

impl Observer for Progress {
    fn planned(&mut self, plan: &Plan, finished: &[usize]) {
        let wanted: Vec<usize> = self.only.clone().unwrap_or_else(|| (0..plan.cells.len()).collect());
        let finished: HashSet<usize> = finished.iter().copied().collect();
        let left: Vec<usize> = wanted.iter().copied().filter(|c| !finished.contains(c)).collect();
        let fits = |cells: &[usize]| cells.iter().map(|&c| plan.cells[c].variants.len()).sum::<usize>();
        self.total = fits(&wanted);
        self.done = self.total - fits(&left);
        self.cost_total = left.iter().map(|&c| cost(plan, c)).sum();
        match &self.mode {
            Mode::Silent => {}
            Mode::Lines => {
                print_status(&format!(
                    "{} to do, {} done before",
                    count(self.total - self.done, "fit"),
                    self.done
                ));
            }
            Mode::Bars { main, .. } => {
                main.set_message(self.message(Duration::ZERO));
                main.enable_steady_tick(TICK);
            }
        }
    }

    fn started(&mut self, plan: &Plan, cell: usize) {
        if let Mode::Bars { all, cells, .. } = &mut self.mode {
            let line = all.add(ProgressBar::new_spinner().with_style(style("  {elapsed:>4} {msg}")));
            line.set_message(name(plan, cell));
            line.enable_steady_tick(TICK);
            cells.insert(cell, line);
        }
    }

    fn ended(&mut self, plan: &Plan, report: &CellReport) {
        self.done += plan.cells[report.cell].variants.len();
        self.cost_done += cost(plan, report.cell);
        let share = self.share();
        let cell = name(plan, report.cell);
        let failure = report.reason.as_ref().map(|r| format!("{cell}: {} failed: {r}", report.failed));
        match &mut self.mode {
            Mode::Silent => {}
            Mode::Lines => {
                let line = failure.unwrap_or_else(|| format!("{cell}  {}", span(report.elapsed)));
                // A line a second at most, unless something failed.
                if report.reason.is_some() || self.last_line.elapsed() > Duration::from_secs(1) {
                    self.last_line = Instant::now();
                    print_status(&format!("[{}/{}] {line}", self.done, self.total));
                }
            }
            Mode::Bars { main, cells, .. } => {
                if let Some(line) = cells.remove(&report.cell) {
                    line.finish_and_clear();
                }
                if let Some(text) = failure {
                    main.println(visible(&text));
                }
                main.set_position((share * PARTS as f64) as u64);
            }
        }
        if let Mode::Bars { main, .. } = &self.mode {
            main.set_message(self.message(main.elapsed()));
        }
    }
}
