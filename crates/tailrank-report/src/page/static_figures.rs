//! The static figures of a run, as files beside the page: `figures/*.svg`.

use serde::Serialize;
use tailrank_metrics::{
    PrCurve, pr_curve,
    rec::{
        Interval, RecError, RecSurface, StepCurve, even_grid, partial_rec_curve, partial_y_cdf, rec_curve,
    },
    trading::TradingRecord,
};
use tailrank_score::{score::TaskTruth, table::slug};

use super::*;
use crate::{TaskPages, claims::PaperFigure};

/// Pairs of measures with figures of their own; tables made elsewhere compare every pair.
const MOST_PAIRS: usize = 4;

/// A figure that was drawn.
#[derive(Clone, Serialize)]
pub(super) struct StaticFigure {
    /// What it is, for its link.
    pub(super) name: String,
    /// Its path inside the report.
    pub(super) file: String,
    /// Its title, which states the finding, as plain text.
    #[serde(skip)]
    pub(super) title: String,
}

/// Figures written so far.
pub(super) struct Folder<'s> {
    stage: &'s mut dyn Sink,
    prefix: String,
    /// What all of them are of.
    pub(super) heading: Heading<'s>,
    written: Vec<StaticFigure>,
}

impl Folder<'_> {
    /// Writes a figure; one that these data do not allow, or the paper is too narrow for, is left out.
    pub(super) fn add(&mut self, name: &str, figure: Result<Figure>) -> Result<()> {
        let Figure { title, svg } = match figure {
            Ok(figure) => figure,
            Err(e @ (ReportError::Figure { .. } | ReportError::TooNarrow { .. })) => {
                self.stage.left_out(&format!("{}{}", self.prefix, slug(name)), &e);
                return Ok(());
            }
            Err(e) => return Err(e),
        };
        let file = format!("figures/{}{}.svg", self.prefix, slug(name));
        self.stage.write(&file, svg.as_bytes())?;
        self.written.push(StaticFigure { name: name.to_owned(), file, title });
        Ok(())
    }
}

/// Figures over all tasks: critical differences and heat maps of the headline pair.
pub(super) fn overall(
    subject: PageInput<'_>,
    paper: Option<Paper>,
    stage: &mut dyn Sink,
) -> Result<Vec<StaticFigure>> {
    let results = subject.results;
    let tasks = results.names.tasks.len();
    let Some(&(a, b)) = subject.pairs.first().filter(|_| tasks > 1) else { return Ok(Vec::new()) };
    let context = format!("{}, {tasks} tasks", subject.name);
    let heading = Heading { paper, ..Heading::of(&context) };
    let mut folder = Folder { stage, prefix: String::new(), heading, written: Vec::new() };
    if let Some(data) = decision_figures::forest_of_tasks(results, heading) {
        folder.add(decision_figures::FOREST, figures::forest(&data))?;
    }
    let alpha = subject.compare.alpha;
    if let Some(mut data) = figures::CriticalDifference::of_results(results, alpha, heading) {
        data.measures.retain(|m| [a, b].iter().any(|x| x.info().symbol == m.symbol));
        folder.add("critical difference", figures::critical_difference(&data))?;
    }
    // Of more tasks a map of ranks cannot be read.
    for measure in [a, b].into_iter().filter(|_| tasks <= TaskPages::MANY) {
        let svg = figures::rank_heat_map(&figures::RankHeatMap {
            heading,
            symbol: measure.info().symbol,
            tasks: results.names.tasks.iter().map(String::as_str).collect(),
            variants: results.names.variants.iter().map(Variant::from).collect(),
            ranks: results.scores.iter().map(|s| s.ranks(measure)).collect(),
        });
        folder.add(&format!("ranks by {}", measure.id()), svg)?;
    }
    Ok(folder.written)
}

/// The figures of a study's paper, in the order of its numbers.
pub(super) fn of_paper(figures: &[PaperFigure], stage: &mut dyn Sink) -> Result<Vec<StaticFigure>> {
    let mut figures: Vec<_> = figures.iter().collect();
    figures.sort_by_key(|figure| figure.number().unwrap_or(u32::MAX));
    let mut write = |figure: &PaperFigure| {
        let file = format!("figures/paper-{}.svg", figure.name);
        stage.write(&file, figure.svg.as_bytes())?;
        Ok(StaticFigure { name: figure.name.clone(), file, title: figure.title.clone() })
    };
    figures.into_iter().map(&mut write).collect()
}

/// Figures of one task.
pub(super) fn of_task(
    loaded: &Loaded<'_>,
    paper: Option<Paper>,
    stage: &mut dyn Sink,
) -> Result<Vec<StaticFigure>> {
    let prefix = format!("{}-{}-", loaded.number.0 + 1, slug(loaded.name));
    let context = context(loaded);
    let mut folder =
        Folder { stage, prefix, heading: Heading { paper, ..Heading::of(&context) }, written: Vec::new() };
    rankings(loaded, &mut folder)?;
    let winners = winners(loaded);
    errors(loaded, &winners, &mut folder)?;
    relevance(loaded, &mut folder)?;
    trading(loaded, &winners, &mut folder)?;
    Ok(folder.written)
}

/// `KO 3d, test 1990–2008`
fn context(loaded: &Loaded<'_>) -> String {
    let name = loaded.name;
    match loaded.dates.as_deref() {
        Some([first, .., last]) => format!("{name}, test {}–{}", first.year(), last.year()),
        _ => format!("{name}, {} test cases", loaded.truth.len()),
    }
}

fn rankings(loaded: &Loaded<'_>, folder: &mut Folder<'_>) -> Result<()> {
    let heading = folder.heading;
    let (subject, scores) = (loaded.subject, loaded.scores);
    let variants = figures::scored_variants(&subject.results.names.variants, scores);
    for &(a, b) in subject.pairs.iter().take(MOST_PAIRS) {
        let ids = format!("{} and {}", a.id(), b.id());
        let (shared, variants) = (shared_top(loaded, a, b), variants.clone());
        let (a, b) = (Scores::of_task(scores, a), Scores::of_task(scores, b));
        let pair = figures::MeasurePair { heading, variants, a, b };
        folder.add(&format!("top lists by {ids}"), figures::top_lists(&pair, 5, shared))?;
        let scatter = figures::rank_scatter(&pair, subject.compare.top);
        folder.add(&format!("rank scatter by {ids}"), scatter)?;
    }
    decision_figures::draw(loaded, folder)
}

/// How many of the first places two measures share, as `explain` says it.
fn shared_top(loaded: &Loaded<'_>, a: Measure, b: Measure) -> Option<(f64, usize)> {
    let all = &loaded.subject.results.comparisons;
    let found = all.iter().find(|c| c.task == loaded.number && (c.chosen_by, c.judged_by) == (a, b))?;
    found.top.as_ref().map(|t| (t.shared, t.k))
}

/// The first by each measure of the headline pair: who, why, and what it predicted.
struct Winner<'a> {
    variant: Variant<'a>,
    note: String,
    predicted: Vec<f64>,
}

fn winners<'a>(loaded: &Loaded<'a>) -> Vec<Winner<'a>> {
    let results = loaded.subject.results;
    let mut found: Vec<(VariantId, Winner<'a>)> = Vec::new();
    let Some(winners) = results.comparisons.iter().find(|c| c.task == loaded.number) else {
        return Vec::new();
    };
    let both = [(winners.best_chosen, winners.chosen_by), (winners.best_judged, winners.judged_by)];
    for (v, measure) in both.into_iter().filter_map(|(best, measure)| Some((best?, measure))) {
        let note = format!("{} {}", answer::end(measure), measure.info().symbol);
        if let Some((_, known)) = found.iter_mut().find(|(known, _)| *known == v) {
            known.note.push_str(&format!(" and {note}"));
        } else if let Some(predicted) = loaded.predicted(v) {
            let variant = Variant::from(&results.names.variants[v]);
            found.push((v, Winner { variant, note, predicted: predicted.to_vec() }));
        }
    }
    found.into_iter().map(|(_, winner)| winner).collect()
}

/// What the target is called: returns by their days, everything else by its own name.
pub(super) fn target_name(loaded: &Loaded<'_>) -> String {
    match loaded.horizon {
        Some(h) if loaded.is_return => format!("{h}-day return"),
        _ => loaded.target.clone(),
    }
}

pub(super) fn quantity<'a>(loaded: &Loaded<'_>, name: &'a str) -> Quantity<'a> {
    if loaded.is_return { Quantity::percent(name) } else { Quantity::new(name, "") }
}

fn errors(loaded: &Loaded<'_>, winners: &[Winner<'_>], folder: &mut Folder<'_>) -> Result<()> {
    let Some(settings) = loaded.settings().filter(|_| !winners.is_empty()) else { return Ok(()) };
    let (heading, truth, name) = (folder.heading, &loaded.truth, target_name(loaded));
    let (target, error) = (quantity(loaded, &name), quantity(loaded, "absolute error"));
    let failed = |e: tailrank_metrics::MetricError| problem(loaded.name, &e);
    let each = |curve: &dyn Fn(&[f64]) -> tailrank_metrics::Result<StepCurve>| -> Result<Vec<StepCurve>> {
        winners.iter().map(|w| curve(&w.predicted).map_err(failed)).collect()
    };

    let curves = each(&|z| rec_curve(truth, z, RecError::Absolute))?;
    let data = figures::RecCurves { heading, error, curves: pair_up(winners, &curves) };
    folder.add("rec curves", figures::rec_curves(&data))?;

    let events = settings.relevance.as_ref().map(|phi| phi.event_bounds(settings.t_e));
    let events = events.transpose().map_err(failed)?;
    if let (Some(phi), Some(events)) = (&settings.relevance, &events) {
        let ranges = events.iter().filter_map(|r| Interval::new(r.from, r.to).ok());
        let on_range =
            |range| Ok((range, each(&|z| partial_rec_curve(truth, z, RecError::Absolute, range))?));
        let curves: Vec<(Interval, Vec<StepCurve>)> = ranges.map(on_range).collect::<Result<_>>()?;
        let mut panels = Vec::new();
        for (range, curves) in &curves {
            panels.push(figures::RangePanel { range: *range, curves: pair_up(winners, curves) });
        }
        let data = figures::PartialRec { heading, error, target, panels };
        folder.add("partial rec curves on events", figures::partial_rec(&data))?;
        for winner in winners {
            let data = figures::PredictedTrue {
                heading,
                variant: winner.variant,
                target,
                truth,
                predicted: &winner.predicted,
                relevance: phi,
                t_e: settings.t_e,
                accuracy: settings.accuracy.as_ref(),
                dates: None,
            };
            folder.add(&format!("predicted and true, {}", winner.note), figures::predicted_true(&data))?;
            // Of the one that the page shows; folds that are not in the order of time have no line.
            let is_last = winners.last().is_some_and(|last| std::ptr::eq(last, winner));
            if let (true, Some(dates), [_]) = (is_last, loaded.dates.as_deref(), &loaded.parts[..]) {
                let data = figures::PredictedTrue { dates: Some(dates), ..data };
                folder.add(&format!("over time, {}", winner.note), figures::predicted_true(&data))?;
            }
        }
        if let Some(alpha) = &settings.accuracy {
            let curve = |w: &Winner<'_>| pr_curve(truth, &w.predicted, phi, alpha).map_err(failed);
            let curves: Vec<PrCurve> = winners.iter().map(curve).collect::<Result<_>>()?;
            let data = figures::PrCurves { heading, curves: pair_up(winners, &curves), t_e: settings.t_e };
            folder.add("precision and recall", figures::pr_curves(&data))?;
        }
    }
    if let Some(alpha) = &settings.accuracy {
        let range = Interval::at_most(alpha.t_l()).map_err(failed)?;
        let curves = each(&|z| partial_y_cdf(truth, z, RecError::Absolute, range))?;
        let data = figures::PartialYCdf { heading, error, target, range, curves: pair_up(winners, &curves) };
        folder.add("where small errors are", figures::partial_y_cdf(&data))?;
    }
    let lowest = events.is_none_or(|r| r.first().is_none_or(|r| r.from == f64::NEG_INFINITY));
    let tail = if lowest { figures::Tail::Lowest } else { figures::Tail::Highest };
    for winner in winners {
        let Some(surface) = surface(truth, &winner.predicted) else { continue };
        let (variant, surface) = (winner.variant, &surface);
        let data = figures::RecSurfaceFigure { heading, variant, error, target, surface, tail };
        folder.add(&format!("rec surface, {}", winner.note), figures::rec_surface(&data))?;
    }
    Ok(())
}

fn pair_up<'a, C>(winners: &[Winner<'a>], curves: &'a [C]) -> Vec<figures::VariantCurve<'a, C>> {
    winners.iter().zip(curves).map(|(w, curve)| figures::VariantCurve { variant: w.variant, curve }).collect()
}

/// The REC surface over the errors up to their 99.5 % quantile and all targets; none where either does not vary.
fn surface(truth: &[f64], predicted: &[f64]) -> Option<RecSurface> {
    const POINTS: usize = 60;
    let mut errors: Vec<f64> = truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let most = *errors.get(errors.len() * 995 / 1000)?;
    let (low, high) =
        truth.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &y| (l.min(y), h.max(y)));
    let errors = even_grid(Interval::new(0.0, most).ok()?, POINTS).ok()?;
    let targets = even_grid(Interval::new(low, high).ok()?, POINTS).ok()?;
    RecSurface::new(truth, predicted, RecError::Absolute, errors, targets).ok()
}

fn relevance(loaded: &Loaded<'_>, folder: &mut Folder<'_>) -> Result<()> {
    let Some(settings) = loaded.settings() else { return Ok(()) };
    let Some(phi) = &settings.relevance else { return Ok(()) };
    let (heading, name, t_e) = (folder.heading, target_name(loaded), settings.t_e);
    let target = quantity(loaded, &name);
    let data = figures::RelevanceFigure { heading, target, values: &loaded.truth, relevance: phi, t_e };
    folder.add("relevance", figures::relevance(&data))?;
    let Some(utility) = settings.utility else { return Ok(()) };
    const POINTS: usize = 80;
    let mut sorted = loaded.truth.clone();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    let Ok(range) = Interval::new(at(0.002), at(0.998)) else { return Ok(()) };
    let (Ok(grid), true) = (even_grid(range, POINTS), !sorted.is_empty()) else { return Ok(()) };
    let Ok(heights) = utility.surface(&grid, &grid, phi) else { return Ok(()) };
    let data = figures::UtilitySurface { heading, target, truth: &grid, predicted: &grid, heights: &heights };
    folder.add("utility surface", figures::utility_surface(&data))
}

fn trading(loaded: &Loaded<'_>, winners: &[Winner<'_>], folder: &mut Folder<'_>) -> Result<()> {
    let [TaskTruth { settings, .. }] = &loaded.parts[..] else { return Ok(()) };
    let (Some(rule), Some(prices)) = (settings.trading, loaded.prices.as_deref()) else { return Ok(()) };
    let (heading, dates, rows) = (folder.heading, loaded.dates.as_deref(), loaded.truth.len());
    let mut accounts = Vec::new();
    for winner in winners {
        let Ok(record) = TradingRecord::new(&loaded.truth, &winner.predicted, rule) else { continue };
        let (variant, price, trades) = (winner.variant, Quantity::new("price", ""), record.trades());
        let data = figures::Signals { heading, variant, price, prices, dates, trades };
        folder.add(&format!("signals, {}", winner.note), figures::signals(&data))?;
        accounts.push((winner, record.one_position()));
    }
    let curves = accounts.iter().map(|(w, account)| figures::EquityCurve {
        variant: w.variant,
        note: &w.note,
        equity: &account.equity,
    });
    let data = figures::Equity { heading, dates, rows, curves: curves.collect(), prices };
    folder.add("equity", figures::equity(&data))
}
