//! An experiment for series.

use tailrank_data::{Frequency, PriceSeries, Transform};

use super::{
    super::prelude::{count, with_minus},
    decimal,
    draft::{Draft, keys, quoted, quoted_list},
    look::{Look, SeriesLook},
    moves::is_persistent,
    name_of,
    question::{Reading, Refusal},
    relevance::{self, Training},
    round, spread, written,
};

/// Rows that train: the first seven tenths.
pub(super) const TRAINED: f64 = 0.7;
/// What they are called.
pub(super) const FIRST_ROWS: &str = "the first 70% of rows";
/// Fewer sessions than this teach and test nothing.
pub(super) const FEWEST: usize = 30;

pub(super) fn draft(look: &Look<'_>, found: &SeriesLook) -> Result<Draft, Refusal> {
    let longest = found.series.iter().max_by_key(|s| s.len()).ok_or("it has no series".to_owned())?;
    if longest.len() < FEWEST {
        let values = count(longest.len(), "value");
        return Err(format!("its longest series has {values}; at least {FEWEST} are needed").into());
    }
    if longest.prices().iter().all(|v| *v == longest.prices()[0]) {
        return Err("its values never change, so there is nothing to predict".to_owned().into());
    }
    let (kind, why) = kind_of(look, found)?;
    let mut horizons = look.arguments.horizon.clone();
    if horizons.is_empty() {
        horizons.push(1);
    }
    horizons.sort_unstable();
    horizons.dedup();
    // Which values are extreme is learned from the rows that train.
    let trained = |h: u32| -> Vec<f64> {
        let first = |s: &PriceSeries| s.prices()[..(s.len() as f64 * TRAINED) as usize].to_vec();
        found.series.iter().flat_map(|s| kind.of(&first(s), h as usize)).collect()
    };
    let changes = trained(horizons[0]);
    let train = Training { values: &changes, tested: (1.0 - TRAINED) / TRAINED, rows: FIRST_ROWS };
    let level = kind == Transform::Level;
    // What are changes already is as a change is: both sides matter, and the season does not.
    let values = level && !is_change(found);
    let one_task = found.series.len() == 1 && horizons.len() == 1;
    let relevances = match (one_task, values) {
        (true, true) => relevance::for_values(train),
        (true, false) => relevance::for_changes(train),
        (false, true) => relevance::for_each_task(relevance::extremes_of(&changes)),
        (false, false) => relevance::for_each_task("both"),
    };
    let scales: Vec<(u32, Scale)> = horizons.iter().map(|&h| (h, Scale::of(&trained(h), values))).collect();
    let t_l = by_horizon(&scales, |scale| scale.t_l);
    let trading = if kind == Transform::Return && found.priced {
        let trade = by_horizon(&scales, |scale| scale.trade);
        format!("\n\n[trading]\nthreshold = {trade}  # long above, short below minus this")
    } else {
        String::new()
    };
    // Who adds a horizon later needs its tolerance too: steps that know nothing of each other spread by √h.
    let each = match (&scales[..], level) {
        ([(h, scale)], false) => {
            let (now, later) = (written(scale.t_l), written(round(scale.t_l * 3f64.sqrt())));
            format!("; {{ {h} = {now}, {} = {later} }} gives each horizon its own", 3 * h)
        }
        _ if t_l.starts_with('{') => ", at each horizon".to_owned(),
        _ => String::new(),
    };
    let beta = if level { "beta = 1.0" } else { "beta = 0.5          # F: twice the weight on precision" };
    // A cycle of the series, as far as its length allows.
    let pace = Pace::of(longest.frequency());
    let lags = pace.lags.min(longest.len() / 10).max(1);
    let steps = if look.is_by_rows() { "rows" } else { pace.steps };
    let list = horizons.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let unit = match &found.value {
        Some(name) if level => format!(" in units of {}", quoted(name)),
        _ => String::new(),
    };
    let by_rows = "# Rows have no dates: they are counted as days from 2000-01-01.\n";
    let order = if look.is_by_rows() { by_rows } else { "" };
    let calendar = if values { pace.calendar } else { "" };
    let others = other_columns(look, found);
    Ok(Draft {
        predicts: predicts(look, found, kind, &list, steps),
        divides: "first 70% train, last 30% test".to_owned(),
        remarks: left_out(found),
        about: about(look, found, longest),
        entry: entry(look, found),
        split: format!(
            r#"{order}# Several files make several tasks.

[target]
kind = "{kind}"{why}
horizons = [{list}]      # {steps} ahead; [1, 3, 5] makes three tasks
lags = {lags}           # past values used as inputs
{calendar}{others}
[split]
kind = "fraction"   # first 70% train, last 30% test; or "date" with at = "YYYY-MM-DD", "sliding", "growing"
train = 0.7"#
        ),
        relevances,
        rest: format!(
            r#"[measures]
list = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]     # tailrank list metrics
t_l = {t_l}         # error tolerance{unit}{each}
{beta}

[compare]
pairs = [["mad", "f"]]{trading}"#
        ),
        ..Draft::default()
    })
}

/// What is large and what is small among the targets of one horizon.
struct Scale {
    /// The largest error that is still good.
    t_l: f64,
    /// The return from which on a trade is made.
    trade: f64,
}

impl Scale {
    /// By the fences of the box plot, or by the whole range of levels.
    fn of(targets: &[f64], levels: bool) -> Self {
        let (low, high) = relevance::fences(targets);
        let around_zero = !levels && low < 0.0 && high > 0.0;
        let range = spread(targets);
        Self {
            t_l: if around_zero { round(high.min(-low) / 4.0) } else { round(range / 20.0) },
            trade: if high > 0.0 { high } else { round(range / 4.0) },
        }
    }
}

/// One number if it is the same for all horizons, else one for each: moves of five days are wider than those of one.
fn by_horizon(scales: &[(u32, Scale)], pick: impl Fn(&Scale) -> f64) -> String {
    let numbers: Vec<(u32, f64)> = scales.iter().map(|(h, scale)| (*h, pick(scale))).collect();
    match &numbers[..] {
        [(_, first), rest @ ..] if rest.iter().all(|(_, number)| number == first) => written(*first),
        several => {
            let each: Vec<String> =
                several.iter().map(|(h, number)| format!("{h} = {}", written(*number))).collect();
            format!("{{ {} }}", each.join(", "))
        }
    }
}

/// Whether the name of the column says that its values are changes.
fn is_change(found: &SeriesLook) -> bool {
    const CHANGES: [&str; 7] = ["return", "ret", "rendite", "change", "pct", "diff", "growth"];
    let name = found.value.as_deref().unwrap_or_default().to_lowercase();
    name.split(|c: char| !c.is_alphanumeric()).any(|word| {
        let word = word.strip_suffix('s').unwrap_or(word);
        CHANGES.iter().any(|change| word.ends_with(change))
    })
}

/// What is predicted of the series, with the reason as a comment.
fn kind_of(look: &Look<'_>, found: &SeriesLook) -> Result<(Transform, &'static str), Refusal> {
    if let Some(kind) = look.arguments.kind {
        return Ok((kind, "     # as asked; one of \"return\", \"log-return\", \"difference\", \"level\""));
    }
    if is_change(found) {
        let why = "      # the values are already changes; else \"return\", \"log-return\" or \"difference\"";
        return Ok((Transform::Level, why));
    }
    let first_bad = |s: &PriceSeries| {
        let at = s.prices().iter().position(|price| *price <= 0.0)?;
        Some((s.dates()[at], s.prices()[at]))
    };
    if found.priced
        && let Some((day, price)) = found.series.iter().find_map(first_bad)
    {
        let column = found.value.as_deref().unwrap_or_default();
        let text = format!(
            "column '{column}' is {} on {day}, and returns need prices above zero",
            with_minus(&price.to_string())
        );
        let readings: [Reading; 2] = [
            ("predict its changes", |arguments| arguments.kind = Some(Transform::Difference)),
            ("predict its values", |arguments| arguments.kind = Some(Transform::Level)),
        ];
        return Err(Refusal::ask(text, readings));
    }
    let close = found.series.iter().all(|s| is_persistent(s.prices()));
    Ok(match (found.priced, close) {
        (true, _) => (Transform::Return, "     # or \"log-return\", \"difference\", \"level\""),
        (false, true) => (Transform::Difference, "  # changes; or \"level\", and \"return\" of prices"),
        (false, false) => (
            Transform::Level,
            "      # not persistent, so the values themselves; or \"difference\", \"return\"",
        ),
    })
}

/// What is predicted, how far ahead, and why.
fn predicts(look: &Look<'_>, found: &SeriesLook, kind: Transform, horizons: &str, steps: &str) -> String {
    let column = found.value.as_deref().unwrap_or("every column");
    let what = match kind {
        Transform::Return => "returns",
        Transform::LogReturn => "log returns",
        Transform::Difference => "changes",
        _ => "values",
    };
    let why = match kind {
        _ if look.arguments.kind.is_some() => "as asked",
        Transform::Level if is_change(found) => "its name says that they are changes already",
        Transform::Level => "not persistent",
        Transform::Difference => "persistent, not named as a price",
        _ => "positive and persistent, like a price",
    };
    let ahead = match horizons {
        "1" => format!("one {}", steps.trim_end_matches('s')),
        several => format!("{several} {steps}"),
    };
    format!("{column}: {what} {ahead} ahead ({why})")
}

/// Series of a long file that are no task, with the reason.
fn left_out(found: &SeriesLook) -> Vec<String> {
    const SHOWN: usize = 3;
    let mut notes: Vec<String> =
        found.left_out.iter().take(SHOWN).map(|(name, why)| format!("{name} is left out: {why}")).collect();
    if found.left_out.len() > SHOWN {
        notes.push(format!("{} more series are left out", found.left_out.len() - SHOWN));
    }
    notes
}

/// What the distance of rows decides.
struct Pace {
    /// After the number of rows.
    word: &'static str,
    /// What horizons count.
    steps: &'static str,
    /// Values of one cycle.
    lags: usize,
    /// Inputs for levels, which follow the calendar; changes seldom do.
    calendar: &'static str,
}

impl Pace {
    fn of(frequency: Frequency) -> Self {
        const HOUR: &str = "inputs = [{ kind = \"calendar\", unit = \"hour\" }]\n";
        const SEASON: &str = "inputs = [{ kind = \"calendar\", unit = \"season\" }]   # the place in the year; or \"month\", \"weekday\"\n";
        let (word, steps, lags, calendar) = match frequency {
            Frequency::Intraday => (", several a day", "rows", 24, HOUR),
            Frequency::Daily => (", daily", "days", 24, SEASON),
            Frequency::Weekly => (", weekly", "weeks", 13, SEASON),
            Frequency::Monthly => (", monthly", "months", 12, SEASON),
            Frequency::Quarterly => (", quarterly", "quarters", 8, ""),
            Frequency::Yearly => (", yearly", "years", 5, ""),
            _ => ("", "rows", 24, ""),
        };
        Self { word, steps, lags, calendar }
    }
}

fn about(look: &Look<'_>, found: &SeriesLook, longest: &PriceSeries) -> String {
    let dates = match (longest.dates().first(), longest.dates().last()) {
        _ if look.is_by_rows() => ", in their order".to_owned(),
        (Some(first), Some(last)) => format!("{}, {first} … {last}", Pace::of(longest.frequency()).word),
        _ => String::new(),
    };
    let rows = count(longest.len(), "row");
    match (found.series.len(), &found.symbol) {
        (1, _) => format!("{rows}{dates}"),
        (n, Some(symbol)) => format!("{n} series by {symbol} of up to {rows}{dates}"),
        (n, None) => format!("{n} series of up to {rows}{dates}"),
    }
}

/// The line of `[data]`, with every setting that the reader would else ask for.
fn entry(look: &Look<'_>, found: &SeriesLook) -> (String, String) {
    let SeriesLook { value, symbol, .. } = found;
    let before = match (value, symbol) {
        (_, Some(_)) => "series = [{ long = ".to_owned(),
        (None, None) => "series = [{ wide = ".to_owned(),
        (Some(_), None) => format!("series = [{{ name = {}, file = ", quoted(&name_of(&look.arguments.file))),
    };
    let chosen = value.is_none() || !found.left_out.is_empty();
    let format = look.profile.column(&found.date).and_then(|date| look.written_format(date));
    let keys = keys([
        ("symbol", symbol.as_deref().map(quoted)),
        ("price", value.as_deref().map(quoted)),
        ("symbols", chosen.then(|| quoted_list(found.series.iter().map(PriceSeries::name)))),
        ("date", Some(quoted(&found.date))),
        ("date_format", format.as_deref().map(quoted)),
        ("decimal", decimal(look.arguments.decimal).map(quoted)),
        ("missing", found.drops.then(|| quoted("drop"))),
    ]);
    (before, format!("{keys} }}]"))
}

/// Other columns of numbers, as inputs to switch on.
fn other_columns(look: &Look<'_>, found: &SeriesLook) -> String {
    const SHOWN: usize = 5;
    let Some(value) = &found.value else { return String::new() };
    let taken = [Some(value), Some(&found.date), look.profile.volume().map(|c| &c.name)];
    let other = look.profile.targets().filter(|c| !taken.contains(&Some(&c.name)));
    let names: Vec<String> = other.take(SHOWN).map(|c| quoted(&c.name)).collect();
    match names.first() {
        None => String::new(),
        Some(first) => format!(
            "# To add other columns as inputs: inputs = [{{ kind = \"column\", column = {first}, lags = 5 }}]. Columns: {}.\n",
            names.join(", ")
        ),
    }
}
