//! Episodes of events and alarms of signals along time.

use tailrank_metrics::{EpisodeCounts, EpisodeMeetings, relevance::Flank};

use super::*;
use crate::answer;

const FIGURE: &str = "episodes";
/// Height of one line of time: episodes above, alarms below.
const LINE: f64 = 58.0;
const ALARM: (&str, Mark, f64) = ("alarm", Mark::filled(Marker::Triangle, GOOD, 1.0), 4.0);
const FALSE_ALARM: (&str, Mark, f64) = ("false alarm", Mark::stroke(Shape::Cross, Pen::new(BAD, 1.3)), 3.8);

/// The input of [`episodes()`].
#[derive(Clone, Debug)]
pub struct EpisodeStrip<'a> {
    /// Whose signals they are.
    pub variant: Variant<'a>,
    /// Days of the rows; without them rows are numbered.
    pub dates: Option<&'a [Date]>,
    /// Number of rows.
    pub rows: usize,
    /// What happened, on one side of the target or on both.
    pub met: Vec<EpisodeMeetings>,
    /// What is said of it, as in the table: lead, rate of false alarms, chance.
    pub note: &'a str,
}

/// The model that the decision is about.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    if let Some(figure) = episodes_of_task(task, sheet.heading) {
        sheet.add("", figure)?;
    }
    Ok(())
}

/// The strip of a task under another heading; none unless its rows are one sequence in time order.
pub(crate) fn episodes_of_task(task: &TaskView<'_>, heading: Heading<'_>) -> Option<Result<Figure>> {
    let (plan, _) = task.subject.run()?;
    let planned = &plan.tasks[task.number];
    let rule = plan.experiment.events_of(&planned.name, &planned.source)?;
    let model = task.decision()?.model?;
    let episodes_of = &task.subject.results.episodes;
    let counted = episodes_of.iter().find(|e| e.task == task.number && e.variant == model)?;
    let (settings, predicted) = (task.settings()?, task.predicted(model)?);
    let phi = settings.relevance.as_ref()?;
    let met = [Flank::Low, Flank::High].map(|flank| {
        let flags = |values: &[f64]| EpisodeCounts::flags(values, phi, settings.t_e, flank);
        EpisodeMeetings::of(&flags(&task.truth), &flags(predicted), rule)
    });
    // The entities of a panel are counted apart; their rows make no single line of time.
    let drawn: usize = met.iter().map(|m| m.episodes.len()).sum();
    if drawn != counted.counts.episodes {
        return None;
    }
    let data = EpisodeStrip {
        variant: task.variant(model),
        dates: task.dates.as_deref(),
        rows: task.truth.len(),
        met: met.into(),
        note: &answer::episode_note(counted),
    };
    Some(episodes(heading, &data))
}

/// Draws every episode above a line of time and every alarm below it. Long periods are broken into several
/// lines.
pub fn episodes(heading: Heading<'_>, data: &EpisodeStrip<'_>) -> Result<Figure> {
    let time = Time::new(FIGURE, data.dates, data.rows)?;
    let all = || data.met.iter().flat_map(|m| &m.episodes);
    let alarms = || data.met.iter().flat_map(|m| &m.alarms);
    let inside = all().all(|(e, _)| e.end < data.rows) && alarms().all(|(a, _)| a.end < data.rows);
    require(FIGURE, inside, "an episode lies outside the rows")?;
    require(FIGURE, all().next().is_some(), "there is no episode")?;
    let (episodes, caught) = (all().count(), all().filter(|(_, by)| by.is_some()).count());
    let false_alarms = alarms().filter(|(_, is_true)| !is_true).count();
    // About one episode or alarm in twelve units keeps them apart.
    let crowd = 12.0 * episodes.max(alarms().count()) as f64;
    let [missed_ones, true_alarms] = [episodes - caught, alarms().count() - false_alarms].map(count);
    let (name, [caught, episodes, wrong]) = (data.variant.label, [caught, episodes, false_alarms].map(count));
    let finding = match alarms().next() {
        None => format!("{name} never signals: all {episodes} episodes are missed"),
        Some(_) => format!("{name} catches {caught} of {episodes} episodes; {wrong} alarms are false"),
    };
    let alarm =
        |(name, mark, r): (&str, Mark, f64), n: &str| Entry::mark(format!("{name} ({n})"), mark, 10.0, r);
    let entries = [
        Entry::new(format!("episode, caught ({caught})"), 14.0, |svg, x, y| {
            svg.rect(x, y - 6.0, 14.0, 10.0, GOOD);
        }),
        Entry::new(format!("missed ({missed_ones})"), 14.0, |svg, x, y| {
            missed(svg, (x, y - 6.0), 14.0, 10.0);
        }),
        alarm(ALARM, &true_alarms),
        alarm(FALSE_ALARM, &wrong),
    ];
    let (mut svg, y) = chart::start(FIGURE, 860.0, heading, finding, data.note, &entries);
    let (left, right) = (MARGIN + 8.0, svg.width - MARGIN - 8.0);
    let lines = ((crowd / (right - left)).ceil() as usize).clamp(1, 8).min(data.rows);
    let (from, to) = time.range();
    let span = ((to - from) / lines as f64).max(f64::MIN_POSITIVE);
    for line in 0..lines {
        let low = from + span * line as f64;
        let top = y + 4.0 + line as f64 * (LINE + 22.0);
        let panel = Panel::new(left, top, right, top + LINE, (low, low + span), (0.0, 1.0));
        let middle = top + 0.5 * LINE;
        panel.across(&mut svg, middle, Pen::new(RULE, 0.8));
        time.ticks_below(&mut svg, &panel);
        let is_last = line + 1 == lines;
        let holds = |row: usize| {
            let at = time.at(row);
            at >= low && (is_last || at < low + span)
        };
        for (episode, by) in all().filter(|(e, _)| holds(e.start)) {
            let (a, b) = (panel.x.within(time.at(episode.start)), panel.x.within(time.at(episode.end)));
            let wide = (b - a).max(3.0);
            let hint = match by {
                None => "missed".to_owned(),
                Some(by) if *by <= episode.start => format!("caught, {} rows ahead", episode.start - by),
                Some(by) => format!("caught, {} rows after its start", by - episode.start),
            };
            svg.hint(&hint, |svg| match by {
                None => missed(svg, (a, top + 6.0), wide, 18.0),
                Some(by) => {
                    svg.rect(a, top + 6.0, wide, 18.0, GOOD);
                    let (signal, start) = (panel.x.within(time.at(*by)), a + 0.5 * wide.min(3.0));
                    svg.line((signal, middle + 9.0), (start, top + 24.0), Pen::new(GOOD, 0.8));
                }
            });
        }
        for (found, is_true) in alarms().filter(|(a, _)| holds(a.start)) {
            let at = (panel.x.within(time.at(found.start)), middle + 14.0);
            let (hint, mark, r) = if *is_true { ALARM } else { FALSE_ALARM };
            svg.hint(hint, |svg| svg.marks(mark, &[at], r));
        }
    }
    let rows = count(data.rows);
    let description = format!(
        "{episodes} episodes of events over {rows} rows, of which {name} catches {caught}; {wrong} false alarms."
    );
    svg.finish(y + 4.0 + lines as f64 * (LINE + 22.0) + 8.0, &description)
}

/// An episode that no signal announced: an empty frame.
fn missed(svg: &mut Svg, (x, y): Point, wide: f64, high: f64) {
    let mut frame = Path::default();
    frame.rectangle(x, y, wide, high);
    svg.fill_path(&frame, "#ffffff", 1.0, Some(Pen::new(BAD, 1.1)));
}
