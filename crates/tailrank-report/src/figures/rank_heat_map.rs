//! Ranks of all variants on all tasks, by one measure.

use std::collections::BTreeSet;

use tailrank_score::score::{TaskScores, VariantId};

use super::*;
use crate::{PageInput, TaskPages};

/// Models that are shown; more cannot be read.
const MOST_ROWS: usize = 24;
const FIGURE: &str = "rank heat map";

/// The input of [`rank_heat_map()`].
#[derive(Clone, Debug)]
pub struct RankHeatMap<'a> {
    /// The measure's symbol.
    pub symbol: &'a str,
    /// Names of the tasks.
    pub tasks: Vec<&'a str>,
    /// All variants.
    pub variants: Vec<Variant<'a>>,
    /// One row per task, one rank per variant; `None` where a variant has no score on the task.
    pub ranks: Vec<Vec<Option<f64>>>,
}

/// The measures of the first pair, the judge first.
pub(super) fn draw(run: &PageInput<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    let (results, Some(&(a, b))) = (run.results, run.pairs.first()) else { return Ok(()) };
    // Of more tasks a map of ranks cannot be read.
    if results.names.tasks.len() > TaskPages::MANY {
        return Ok(());
    }
    // Baselines have no rank.
    let is_model = |v: &VariantId| results.scores.iter().any(|s| !s.references[*v]);
    let models: Vec<VariantId> = VariantId::all(results.names.variants.len()).filter(is_model).collect();
    for measure in [b, a] {
        let of_task = |scores: &TaskScores| {
            let ranks = scores.ranks(measure);
            models.iter().map(|v| ranks[v.0]).collect()
        };
        let data = RankHeatMap {
            symbol: measure.info().symbol,
            tasks: results.names.tasks.iter().map(String::as_str).collect(),
            variants: models.iter().map(|&v| Variant::from(&results.names.variants[v])).collect(),
            ranks: results.scores.iter().map(of_task).collect(),
        };
        sheet.add(&format!(" by {}", measure.id()), rank_heat_map(sheet.heading, &data))?;
    }
    Ok(())
}

/// Draws ranks as a heat map: a row per variant, best average first, a column per task, dark for good ranks.
pub fn rank_heat_map(heading: Heading<'_>, data: &RankHeatMap<'_>) -> Result<Figure> {
    let (all, t) = (data.variants.len(), data.tasks.len());
    require(FIGURE, all > 0 && t > 0, "there is no task or no variant to show")?;
    same_length(FIGURE, "the ranks", data.ranks.len(), t)?;
    for row in &data.ranks {
        same_length(FIGURE, "a task", row.len(), all)?;
        require(FIGURE, row.iter().flatten().all(|r| r.is_finite()), "a rank is not a number")?;
    }
    let average = |v: usize| {
        let found: Option<Vec<f64>> = data.ranks.iter().map(|r| r[v]).collect();
        found.map(|ranks| ranks.iter().sum::<f64>() / t as f64)
    };
    let averages: Vec<Option<f64>> = (0..all).map(average).collect();
    let last = |rank: Option<f64>| rank.unwrap_or(f64::INFINITY);
    let mut order = ascending(&averages.iter().map(|&rank| last(rank)).collect::<Vec<_>>());
    order.truncate(MOST_ROWS);
    let n = order.len();
    let shown: Vec<_> = order.iter().map(|&v| data.variants[v]).collect();
    let families = Families::of(shown.iter().copied());

    const ROW: f64 = 20.0;
    let names = shown.iter().map(|v| text::width(v.label, SMALL)).fold(50.0, f64::max);
    let names = names.min(220.0 * heading.shrink(820.0));
    let left = MARGIN + 18.0 + names + 8.0;
    let room = heading.width(left + 520.0 + 12.0 + MARGIN) - left - 12.0 - MARGIN;
    let column = (room / (t + 1) as f64).clamp(26.0, 64.0);
    let winner = |r: &Vec<Option<f64>>| {
        let ranked = (0..all).filter(|&v| r[v].is_some());
        ranked.min_by(|&i, &j| last(r[i]).total_cmp(&last(r[j])))
    };
    let winners: BTreeSet<usize> = data.ranks.iter().filter_map(winner).collect();
    let best = order.first().and_then(|&v| Some((data.variants[v].label, averages[v]?)));
    let (symbol, firsts) = (data.symbol, winners.len());
    let finding = match (best, t) {
        (None, _) => format!("No model has a rank by {symbol} on every task"),
        (Some((name, _)), 1) => format!("{name} is first by {symbol}"),
        (Some((name, rank)), _) => {
            let (rank, are) =
                (places((10.0 * rank).round() / 10.0), if firsts == 1 { " is" } else { "s are" });
            format!(
                "By {symbol}, {name} has the first average rank ({rank} of {all}); {firsts} model{are} first on {t} tasks"
            )
        }
    };
    let more = if n < all { format!("; the first {n} of {all} models") } else { String::new() };
    let note = format!("rank on each task; 1 is dark; sorted by the average{more}");
    let width = left + column * (t + 1) as f64 + 12.0 + MARGIN;
    heading.check_room(FIGURE, width)?;
    let (mut svg, y) =
        chart::start(FIGURE, width.max(500.0), heading, finding, &note, &chart::families(&families));
    // Names of tasks stand upright where they do not fit across.
    let heads: Vec<&str> = data.tasks.iter().copied().chain(["mean"]).collect();
    let widest = heads.iter().map(|name| text::width(name, SMALL)).fold(0.0, f64::max);
    let upright = widest > column - 4.0;
    let top = y + if upright { widest.min(110.0) + 10.0 } else { 20.0 };
    let centre = |k: usize| left + column * (k as f64 + 0.5) + if k == t { 8.0 } else { 0.0 };
    for (k, name) in heads.iter().enumerate() {
        let (room, x, set) = match upright {
            true => (110.0, centre(k) + 4.0, Type::new(SMALL).turned(-90.0)),
            false => (column, centre(k), Type::new(SMALL).anchor(Anchor::Middle)),
        };
        svg.text(x, top - 6.0, &text::fit(name, SMALL, room), set);
    }
    for (place, &v) in order.iter().enumerate() {
        let y = top + ROW * place as f64;
        let base = y + 0.5 * ROW + 0.36 * SMALL;
        let variant = data.variants[v];
        svg.marker(families.look(variant.family), MARGIN + 6.0, y + 0.5 * ROW, 0.24 * ROW, false);
        let name = text::fit(variant.label, SMALL, names + 2.0);
        svg.text(left - 6.0, base, &name, Type::new(SMALL).anchor(Anchor::End));
        let set = Type::new(SMALL - 0.5).anchor(Anchor::Middle);
        for (k, of_task) in data.ranks.iter().enumerate() {
            let share = |r: f64| if all > 1 { 1.0 - (r - 1.0) / (all as f64 - 1.0) } else { 1.0 };
            let fill = of_task[v].map_or_else(|| "#ffffff".to_owned(), |r| sequential(share(r)));
            svg.rect(centre(k) - 0.5 * column, y, column - 1.0, ROW - 1.0, &fill);
            let colour = if is_dark(&fill) { "#ffffff" } else { INK };
            let rank = of_task[v].map_or_else(|| "–".to_owned(), places);
            svg.text(centre(k) - 0.5, base - 0.5, &rank, set.colour(colour));
        }
        let mean = averages[v].map_or_else(|| "–".to_owned(), |r| format!("{r:.1}"));
        svg.text(centre(t) - 0.5, base - 0.5, &mean, set.colour(MUTED));
    }
    let bottom = top + ROW * n as f64;
    let before_means = centre(t) - 0.5 * column - 4.0;
    svg.line((before_means, top), (before_means, bottom), Pen::new(INK, 0.6));
    let said = |&v: &usize| Some(format!("{} ({:.1})", data.variants[v].label, averages[v]?));
    let first = joined(order.iter().take(5).filter_map(said), ", ", |said| said);
    let description =
        format!("Ranks of {all} models by {symbol} on {t} tasks. First average ranks: {first}.");
    svg.finish(bottom + 16.0, &description)
}
