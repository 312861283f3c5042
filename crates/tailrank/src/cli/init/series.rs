//! An experiment for series.

use tailrank_data::{ColumnKind, Frequency, PriceSeries, Transform};

use super::{
    super::count,
    draft::{Draft, quoted},
    look::{CLOSE, Layout, Look, SeriesLook, autocorrelation},
    name_of, relevance, round, spread, written,
};

/// Rows that are tested: those after the first seven tenths.
const TESTED: f64 = 0.3;
/// Fewer sessions than this teach and test nothing.
const FEWEST: usize = 30;

pub(super) fn draft(look: &Look<'_>, found: &SeriesLook) -> Result<Draft, String> {
    let longest = found.series.iter().max_by_key(|s| s.len()).ok_or("it has no series")?;
    if longest.len() < FEWEST {
        return Err(format!(
            "its longest series has {}; at least {FEWEST} are needed",
            count(longest.len(), "value")
        ));
    }
    if longest.prices().iter().all(|v| *v == longest.prices()[0]) {
        return Err("its values never change, so there is nothing to predict".to_owned());
    }
    let (kind, why) = kind_of(look, found)?;
    let mut horizons: Vec<u32> = if look.horizons.is_empty() { vec![1] } else { look.horizons.to_vec() };
    horizons.sort_unstable();
    horizons.dedup();
    let one_task = found.series.len() == 1 && horizons.len() == 1;
    let h = horizons[0] as usize;
    let changes: Vec<f64> = found.series.iter().flat_map(|s| kind.of(s.prices(), h)).collect();
    let level = kind == Transform::Level;
    // What are changes already is as a change is: both sides matter, and the season does not.
    let values = level && !is_change(found);
    let relevances = match (one_task, values) {
        (true, true) => relevance::for_values(&changes, TESTED),
        (true, false) => relevance::for_changes(&changes, TESTED),
        (false, true) => relevance::for_each_task(relevance::extremes_of(&changes)),
        (false, false) => relevance::for_each_task("both"),
    };
    let scales = horizons.iter().map(|h| {
        let changes: Vec<f64> = found.series.iter().flat_map(|s| kind.of(s.prices(), *h as usize)).collect();
        (*h, Scale::of(&changes, values))
    });
    let scales: Vec<(u32, Scale)> = scales.collect();
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
            let later = round(scale.t_l * 3f64.sqrt());
            let (now, later) = (written(scale.t_l), written(later));
            format!("; {{ {h} = {now}, {} = {later} }} gives each horizon its own", 3 * h)
        }
        _ if t_l.starts_with('{') => ", at each horizon".to_owned(),
        _ => String::new(),
    };
    let beta = if level { "beta = 1.0" } else { "beta = 0.5          # F: twice the weight on precision" };
    let steps = ahead(longest.frequency());
    let list = horizons.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let lags = lags(longest);
    let unit =
        look.profile.column(found.value.as_deref().unwrap_or_default()).map_or_else(String::new, |c| {
            if level { format!(" in units of {}", quoted(&c.name)) } else { String::new() }
        });
    Ok(Draft {
        about: about(found, longest),
        entry: entry(look, found),
        split: format!(
            r#"# Several files make several tasks.

[target]
kind = "{kind}"{why}
horizons = [{list}]      # {steps} ahead; [1, 3, 5] makes three tasks
lags = {lags}           # past values used as inputs
{calendar}{others}
[split]
kind = "fraction"   # first 70% train, last 30% test; or "date" with at = "YYYY-MM-DD", "sliding", "growing"
train = 0.7"#,
            others = other_columns(look, found),
            calendar = if values { calendar(longest.frequency()) } else { "" },
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
fn kind_of(look: &Look<'_>, found: &SeriesLook) -> Result<(Transform, &'static str), String> {
    let positive = found.series.iter().all(PriceSeries::is_positive);
    let close = found.series.iter().all(|s| autocorrelation(s.prices()) > CLOSE);
    if is_change(found) {
        return Ok((
            Transform::Level,
            "      # the values are already changes; else \"return\", \"log-return\" or \"difference\"",
        ));
    }
    if found.priced && !positive {
        let column = found.value.as_deref().unwrap_or_default();
        let bad = found.series.iter().find_map(|s| {
            let at = s.prices().iter().position(|p| *p <= 0.0)?;
            Some((s.dates()[at], s.prices()[at]))
        });
        if let Some((day, price)) = bad {
            return Err(format!(
                "column {column:?} is {price} on {day}, but prices must be positive; fix or drop the row, or predict the column \
                 itself: --target {column:?} --horizon {}",
                look.horizons.first().unwrap_or(&1)
            ));
        }
    }
    Ok(match (found.priced && positive, close) {
        (true, _) => (Transform::Return, "     # or \"log-return\", \"difference\", \"level\""),
        (false, true) => (Transform::Difference, "  # changes; or \"level\", and \"return\" of prices"),
        (false, false) => (
            Transform::Level,
            "      # not persistent, so the values themselves; or \"difference\", \"return\"",
        ),
    })
}

fn about(found: &SeriesLook, longest: &PriceSeries) -> String {
    let what = if found.priced { "prices" } else { "values" };
    let dates = match (longest.dates().first(), longest.dates().last()) {
        (Some(first), Some(last)) => format!(", {first} to {last}"),
        _ => String::new(),
    };
    match found.series.len() {
        1 => format!("{} {what}{dates}", longest.len()),
        n => format!("{n} series of up to {} {what}{dates}", longest.len()),
    }
}

/// The line of `[data]`, with every setting that the reader would else ask for.
fn entry(look: &Look<'_>, found: &SeriesLook) -> (String, String) {
    let mut keys = String::new();
    let mut key = |name: &str, value: String| keys.push_str(&format!(", {name} = {value}"));
    match found.layout {
        Layout::One => key("price", quoted(found.value.as_deref().unwrap_or_default())),
        Layout::Long => {
            key("symbol", quoted(found.symbol.as_deref().unwrap_or_default()));
            key("price", quoted(found.value.as_deref().unwrap_or_default()));
        }
        Layout::Wide => {
            let names: Vec<String> = found.series.iter().map(|s| quoted(s.name())).collect();
            key("symbols", format!("[{}]", names.join(", ")));
        }
    }
    key("date", quoted(&found.date));
    let format = look.profile.column(&found.date).and_then(|date| look.written_format(date));
    if let Some(format) = format {
        key("date_format", quoted(&format));
    }
    if let Some(sign) = super::table::decimal(look) {
        key("decimal", quoted(sign));
    }
    if found.drops {
        key("missing", "\"drop\"".to_owned());
    }
    let before = match found.layout {
        Layout::One => format!("series = [{{ name = {}, file = ", quoted(&name_of(look.path))),
        Layout::Long => "series = [{ long = ".to_owned(),
        Layout::Wide => "series = [{ wide = ".to_owned(),
    };
    (before, format!("{keys} }}]"))
}

/// Other columns of numbers, as inputs to switch on.
fn other_columns(look: &Look<'_>, found: &SeriesLook) -> String {
    const SHOWN: usize = 5;
    if found.layout == Layout::Wide {
        return String::new();
    }
    let volume = look.profile.volume().map(|c| c.name.as_str());
    let other = look.profile.columns.iter().filter(|c| {
        let is_value = matches!(c.kind, ColumnKind::Number { .. }) && c.suspicion.is_none();
        is_value
            && Some(&c.name) != found.value.as_ref()
            && c.name != found.date
            && Some(c.name.as_str()) != volume
    });
    let names: Vec<String> = other.take(SHOWN).map(|c| quoted(&c.name)).collect();
    match names.first() {
        None => String::new(),
        Some(first) => format!(
            "# To add other columns as inputs: inputs = [{{ kind = \"column\", column = {first}, lags = 5 }}]. Columns: {}.\n",
            names.join(", ")
        ),
    }
}

/// Levels follow the calendar; changes seldom do.
fn calendar(frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::Intraday => "inputs = [{ kind = \"calendar\", unit = \"hour\" }]\n",
        Frequency::Daily | Frequency::Weekly | Frequency::Monthly => {
            "inputs = [{ kind = \"calendar\", unit = \"season\" }]   # the place in the year; or \"month\", \"weekday\"\n"
        }
        _ => "",
    }
}

fn ahead(frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::Daily => "days",
        Frequency::Weekly => "weeks",
        Frequency::Monthly => "months",
        Frequency::Quarterly => "quarters",
        Frequency::Yearly => "years",
        _ => "rows",
    }
}

/// A cycle of the series, as far as its length allows.
fn lags(series: &PriceSeries) -> usize {
    let usual = match series.frequency() {
        Frequency::Weekly => 13,
        Frequency::Monthly => 12,
        Frequency::Quarterly => 8,
        Frequency::Yearly => 5,
        _ => 24,
    };
    usual.min(series.len() / 10).max(1)
}
