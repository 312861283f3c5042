//! Every pair of the first models by a measure: which differ, and which of the two is better.

use tailrank_metrics::{
    Measure, Scorer,
    scoring::{Statistic, TermTable},
};
use tailrank_score::score::{Samples, VariantId, counted, pair_matrix as tests_of};

use super::*;

const FIGURE: &str = "pairwise tests";
/// Models that are shown; more cannot be read.
const MOST_ROWS: usize = 20;
/// Levels of p, with how strong their colour is.
const LEVELS: [(f64, f64); 3] = [(0.001, 1.0), (0.01, 0.65), (0.05, 0.35)];

/// The input of [`pair_matrix()`].
#[derive(Clone, Debug)]
pub struct PairMatrix<'a> {
    /// The models with their scores, the best first.
    pub variants: Vec<Variant<'a>>,
    /// The measure's symbol.
    pub symbol: &'a str,
    /// What the test is called.
    pub test: &'a str,
    /// The corrected p of each model against each later one; none where there is no answer.
    pub p: Vec<Vec<Option<f64>>>,
}

/// By the judged measure of the first pair; by the other where no test can look at that one.
pub(super) fn draw(task: &TaskView<'_>, sheet: &mut Sheet<'_>) -> Result<()> {
    for measure in task.pairs().take(1).flat_map(|(a, b)| [b, a]) {
        if let Some(data) = of_measure(task, measure)? {
            return sheet.add(&format!(" by {}", measure.id()), pair_matrix(sheet.heading, &data));
        }
    }
    Ok(())
}

/// The first test that answers, of rows in time order and of folds.
fn of_measure<'a>(task: &TaskView<'a>, measure: Measure) -> Result<Option<PairMatrix<'a>>> {
    let scores = task.scores;
    let all = scores.distinct_with_references();
    let tested = |m: Measure| task.inference().is_some_and(|k| k.pairwise.iter().any(|p| p.measure == m));
    let Some(place) = scores.measures.iter().position(|&m| m == measure && tested(m)) else {
        return Ok(None);
    };
    let by_measure = Scores::of_variants(scores, measure, &all);
    let shown: Vec<VariantId> = by_measure.scored(FIGURE)?.map(|place| all[place]).take(MOST_ROWS).collect();
    let of_folds = |v: VariantId| -> Vec<f64> {
        scores.folds[v].iter().map(|fold| counted(fold.scores[place]).unwrap_or(f64::NAN)).collect()
    };
    let samples = match (&task.parts[..], task.horizon) {
        _ if !scores.folds.is_empty() => {
            let rows = (task.parts.iter().map(|p| p.train).sum(), task.truth.len());
            Samples::Folds(shown.iter().map(|&v| of_folds(v)).collect(), rows)
        }
        ([part], Some(horizon)) => {
            let predicted: Vec<[&[f64]; 1]> =
                shown.iter().filter_map(|&v| Some([task.predicted(v)?])).collect();
            let losses = Scorer::new(&part.truth, part.settings.clone())
                .and_then(|scorer| TermTable::new(&scorer, &predicted, &[Statistic::from(measure)]))
                .map_err(|e| task.failed(e))?;
            // One column of its own per model is a loss or a gain of each case.
            if losses.columns_per_variant() != 1 {
                return Ok(None);
            }
            let shared = losses.iter().len() - predicted.len();
            Samples::Cases(losses.iter().skip(shared).map(<[f64]>::to_vec).collect(), horizon)
        }
        _ => return Ok(None),
    };
    let Some(found) = tests_of(&samples, all.len()) else { return Ok(None) };
    let variants = shown.iter().map(|&v| task.variant(v)).collect();
    // A title has no room for the variant of the test.
    let test = found.test.split(" (").next().unwrap_or_default();
    Ok(Some(PairMatrix { variants, symbol: measure.info().symbol, test, p: found.p }))
}

/// Draws a square for each pair: violet where the model of the row is ahead, brown where that of the column
/// is.
pub fn pair_matrix(heading: Heading<'_>, data: &PairMatrix<'_>) -> Result<Figure> {
    let n = data.variants.len();
    require(FIGURE, n > 1, "at least two models are needed")?;
    same_length(FIGURE, "the matrix", data.p.len(), n)?;
    for row in &data.p {
        same_length(FIGURE, "a row of the matrix", row.len(), n)?;
    }
    let answers = || data.p.iter().flatten().flatten();
    let (told_apart, all) = (answers().filter(|p| **p < 0.05).count(), answers().count());
    let finding = format!("{told_apart} of {all} pairs of models differ significantly by {}", data.symbol);
    let of_side = |(who, sign): (&str, f64)| {
        LEVELS
            .map(|(p, strength)| Entry::swatch(&format!("{who} ahead, p < {p}"), &diverging(sign * strength)))
    };
    let mut entries: Vec<Entry<'_>> =
        [("row", 1.0), ("column", -1.0)].into_iter().flat_map(of_side).collect();
    entries.push(Entry::swatch("not told apart", SHADE));
    let widest = data.variants.iter().map(|v| text::width(v.label, SMALL)).fold(40.0, f64::max);
    let names = widest.min(150.0 * heading.shrink(560.0));
    let left = MARGIN + names + 8.0;
    let width = heading.width((left + 22.0 * n as f64 + MARGIN).max(520.0));
    let cell = ((width - left - MARGIN) / n as f64).min(34.0);
    let note = format!("{}, corrected by Holm over all pairs; in the order of their scores", data.test);
    let (mut svg, y) = chart::start(FIGURE, width, heading, finding, &note, &entries);
    let top = y + names + 10.0;
    let fill = |p: Option<f64>, sign: f64| match p {
        None => "#ffffff".to_owned(),
        Some(p) => {
            let level = LEVELS.iter().find(|(limit, _)| p < *limit);
            level.map_or_else(|| SHADE.to_owned(), |(_, strength)| diverging(sign * strength))
        }
    };
    for (i, variant) in data.variants.iter().enumerate() {
        let (x, y) = (left + cell * (i as f64 + 0.5) + 4.0, top + cell * (i as f64 + 0.5) + 4.0);
        let name = text::fit(variant.label, SMALL, names);
        svg.text(left - 6.0, y, &name, Type::new(SMALL).anchor(Anchor::End));
        svg.text(x, top - 6.0, &name, Type::new(SMALL).turned(-90.0));
        for (j, other) in data.variants.iter().enumerate().filter(|(j, _)| *j != i) {
            // Of two, the one that stands first is better.
            let (p, sign) = if i < j { (data.p[i][j], 1.0) } else { (data.p[j][i], -1.0) };
            let said = p.map_or_else(|| "no answer".to_owned(), |p| format!("p {}", digits(p)));
            let (x, y, fill) = (left + cell * j as f64, top + cell * i as f64, fill(p, sign));
            svg.hint(&format!("{} against {}: {said}", variant.label, other.label), |svg| {
                svg.rect(x, y, cell - 1.0, cell - 1.0, &fill);
            });
        }
    }
    let description = format!(
        "{} of every pair of {n} models by {}. {told_apart} of {all} differ.",
        data.test, data.symbol
    );
    svg.finish(top + cell * n as f64 + 16.0, &description)
}
