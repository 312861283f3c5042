//! An experiment for a table.

use tailrank_data::{
    ColumnKind, ColumnProfile, DateFormat, Kind, Missing, Order, RowDates, Suspicion, TableOptions,
};

use super::{
    super::prelude::{count, with_minus},
    ask::{PARTS, is_class, is_id},
    decimal,
    draft::{Draft, keys, quoted, quoted_list},
    look::Look,
    name_of,
    relevance::{self, Training},
    round,
    series::{FIRST_ROWS, TRAINED},
    spread, written,
};

/// Fewer rows than this teach and test nothing.
const FEWEST: usize = 20;
/// With fewer rows the division itself is luck, so that it is repeated.
const FEW: usize = 200;

pub(super) fn draft(look: &Look<'_>, target: &str) -> Result<Draft, String> {
    let profile = look.profile;
    let column = profile.column(target).ok_or("it has no such column")?;
    can_be_predicted(look, column)?;
    let date = look.time.as_ref().filter(|time| time.name != target && !look.is_by_rows());
    let ignored = ignored(look, target, date);
    let is_date = |c: &ColumnProfile| date.is_some_and(|date| date.name == c.name);
    let is_kept = |c: &ColumnProfile| c.name != target && !ignored.iter().any(|(name, _)| *name == c.name);
    if !profile.columns.iter().any(|c| is_kept(c) && !is_date(c)) {
        let past = if date.is_some() { "; to predict it from its own past, add --horizon 1" } else { "" };
        return Err(format!(
            "no column is left to predict '{target}' from: dates, names and empty columns are not inputs{past}"
        ));
    }
    let drops = column.missing > 0 || date.is_some_and(|d| d.missing > 0);
    let options = TableOptions {
        ignore: ignored.iter().map(|(name, _)| (*name).to_owned()).collect(),
        date: date.map_or_else(RowDates::default, |d| RowDates::Column(d.name.clone())),
        date_format: date.map_or(DateFormat::Auto, |d| look.date_format(d)),
        numbers: look.arguments.decimal.unwrap_or_default(),
        missing: if drops { Missing::Drop } else { Missing::Refuse },
        ..TableOptions::new(target)
    };
    let table = look.file.table(&options).map_err(|e| e.to_string())?.value;
    if *table.kind() != Kind::Regression {
        let instead = "correct it, or name another column";
        return Err(format!("column '{target}' does not hold numbers alone; {instead}"));
    }
    let y = table.targets();
    if y.len() < FEWEST {
        let rows = count(y.len(), "row");
        return Err(format!("it has {rows} with a value in '{target}'; at least {FEWEST} are needed"));
    }
    if y.iter().all(|v| *v == y[0]) {
        let value = with_minus(&y[0].to_string());
        return Err(format!("column '{target}' is {value} in every row; name another column with --target"));
    }
    let in_order = match date {
        Some(_) => None,
        None if look.is_by_rows() => Some("the file"),
        None => ordered_by(look, target),
    };
    let repeats = date.filter(|date| date.distinct < profile.rows);
    let entity = repeats.and_then(|date| look.entities(date, target)).map(|(column, ..)| column);
    let group = if date.is_none() { group_of(look, target) } else { None };
    let format = date.and_then(|d| look.written_format(d));
    let keys = keys([
        ("target", Some(quoted(target))),
        ("date", date.map(|d| quoted(&d.name))),
        ("entity", entity.as_deref().map(quoted)),
        ("group", group.map(quoted)),
        ("date_format", format.as_deref().map(quoted)),
        ("decimal", decimal(look.arguments.decimal).map(quoted)),
        ("missing", drops.then(|| quoted("drop"))),
        ("ignore", Some(quoted_list(ignored.iter().map(|(name, _)| *name)))),
    ]);
    let mut remarks = Vec::new();
    if let ColumnKind::Number { discrete: true, .. } = column.kind {
        let values = count(column.distinct, "different value");
        remarks.push(format!("column '{target}' has only {values}; it is predicted as a quantity"));
    }
    let order = date.map(|d| d.name.as_str()).or(in_order);
    let train = match order {
        Some(_) => Training {
            values: &y[..(y.len() as f64 * TRAINED) as usize],
            tested: (1.0 - TRAINED) / TRAINED,
            rows: FIRST_ROWS,
        },
        None => Training { values: y, tested: 1.0, rows: "all rows" },
    };
    let by = match (&entity, group) {
        (Some(entity), _) => format!(", several a date by {entity}"),
        (None, Some(group)) => format!(", whole by {group}"),
        _ => String::new(),
    };
    let gaps = profile.columns.iter().any(|c| c.missing > 0 && is_kept(c));
    Ok(Draft {
        predicts: format!("{target}: its values, from the other columns of the row"),
        divides: match (order, group) {
            (Some(order), _) => format!("first 70% train, last 30% test, in the order of {order}"),
            (None, Some(group)) => format!("rows drawn at random, those of one {group} together"),
            (None, None) => "rows drawn at random".to_owned(),
        },
        about: format!("{}, {}{by}", count(profile.rows, "row"), count(profile.columns.len(), "column")),
        entry: (
            format!("tables = [{{ name = {}, file = ", quoted(&name_of(&look.arguments.file))),
            format!("{keys} }}]"),
        ),
        split: notes(look, column, &ignored, entity.is_some(), group, gaps) + &split(date, order, y.len()),
        relevances: relevance::for_values(train),
        rest: format!(
            r#"[measures]
list = ["mad", "rmse", "precision", "recall", "f", "utility", "sera"]     # tailrank list metrics
t_l = {t_l}         # error tolerance in units of {target}
beta = 1.0

[compare]
pairs = [["mad", "f"], ["rmse", "sera"]]"#,
            t_l = written(round(spread(y) / 20.0)),
            target = quoted(target),
        ),
        remarks,
        ..Draft::default()
    })
}

/// Refuses words, dates, names of rows and classes, with what to do.
fn can_be_predicted(look: &Look<'_>, column: &ColumnProfile) -> Result<(), String> {
    let name = &column.name;
    let others = look.profile.targets().filter(|c| c.name != *name && !is_class(c));
    let others: Vec<&str> = others.map(|c| c.name.as_str()).take(12).collect();
    let instead = match others.is_empty() {
        true => "no other column holds quantities".to_owned(),
        false => format!("name a column of quantities: {}", others.join(", ")),
    };
    let examples = with_minus(&column.examples.join(", "));
    let why = match (&column.kind, column.suspicion) {
        (ColumnKind::Empty, _) => "has no value".to_owned(),
        (ColumnKind::Text, _) => format!("holds words ({examples}), and models here predict quantities"),
        (ColumnKind::Date { .. }, _) => "holds dates".to_owned(),
        (_, Some(Suspicion::Constant)) => {
            format!("is {} in every row", with_minus(column.examples.first().map_or("", String::as_str)))
        }
        (_, Some(Suspicion::RowNumber)) => "counts the rows".to_owned(),
        (_, Some(Suspicion::Identifier)) => "names the rows".to_owned(),
        _ if is_class(column) => {
            let values = count(column.distinct, "different value");
            format!("has only {values} ({examples}): classes, not quantities, and relevance needs a scale")
        }
        _ => return Ok(()),
    };
    Err(format!("column '{name}' {why}; {instead}"))
}

/// Columns to leave out, each with the reason.
fn ignored<'a>(look: &Look<'a>, target: &str, date: Option<&ColumnProfile>) -> Vec<(&'a str, String)> {
    /// A column of more words than this is an input for each of them.
    const WORDS: usize = 100;
    let rows = look.profile.rows;
    let why = |c: &ColumnProfile| match (&c.kind, c.suspicion) {
        _ if look.ignores(c) => Some("as asked".to_owned()),
        (ColumnKind::Empty, _) => Some("no values".to_owned()),
        (ColumnKind::Date { .. }, _) => Some("dates are not inputs".to_owned()),
        (_, Some(Suspicion::RowNumber)) => Some("counts the rows".to_owned()),
        (_, Some(Suspicion::Identifier)) => Some("names the rows".to_owned()),
        (_, Some(Suspicion::Constant)) => Some("the same in every row".to_owned()),
        (ColumnKind::Text, _) if c.distinct > WORDS => Some(format!("{} different words", c.distinct)),
        _ if c.missing * 5 > rows * 4 => Some("hardly any values".to_owned()),
        _ => None,
    };
    let is_other = |c: &&ColumnProfile| c.name != target && date.is_none_or(|date| date.name != c.name);
    let others = look.profile.columns.iter().filter(is_other);
    others.filter_map(|c| Some((c.name.as_str(), why(c)?))).collect()
}

/// Comments on the keys of the table.
fn notes(
    look: &Look<'_>,
    target: &ColumnProfile,
    ignored: &[(&str, String)],
    has_entity: bool,
    group: Option<&str>,
    gaps: bool,
) -> String {
    let reason = |(name, why): &(&str, String)| format!("{} is ignored: {why}.", quoted(name));
    let (rows, column) = (count(target.missing, "row"), quoted(&target.name));
    let group_note =
        |group| format!("group: rows of one {} are never on both sides of a split.", quoted(group));
    let spans = "label_span = 20 if the target reaches 20 rows ahead, \"30 days\" if it reaches so far.";
    let filled =
        "Missing inputs are filled with the median or the most frequent category of the training rows.";
    let notes = [
        ignored.is_empty().then(|| "ignore: columns to leave out, such as identifiers.".to_owned()),
        has_entity.then(|| "entity: what a row is about; dates are cut whole.".to_owned()),
        group.map(group_note),
        look.time.as_ref().map(|_| spans.to_owned()),
        (target.missing > 0).then(|| format!("missing: {rows} without a value in {column} are dropped.")),
        gaps.then(|| filled.to_owned()),
    ];
    ignored.iter().map(reason).chain(notes.into_iter().flatten()).map(|line| format!("# {line}\n")).collect()
}

fn split(date: Option<&ColumnProfile>, order: Option<&str>, rows: usize) -> String {
    if let Some(name) = order {
        let how = if date.is_some() { "put in" } else { "in" };
        return format!(
            "\n[split]\nkind = \"fraction\"   # rows are {how} the order of {}: first 70% train, last 30% test\ntrain = 0.7",
            quoted(name)
        );
    }
    let (folds, repeats) = match rows {
        ..FEW => (5, "\nrepeats = 5         # with few rows, one split depends on chance"),
        FEW..2_000 => (10, ""),
        2_000..10_000 => (5, ""),
        _ => (3, ""),
    };
    format!(
        "\n[split]\nkind = \"kfold\"      # or \"fraction\" with train = 0.7 where rows are in order of time, \"bootstrap\"\nfolds = {folds}{repeats}\n\
         stratify = \"relevance\""
    )
}

/// A column that is named after a part of the date and never falls: the rows are in order of time.
fn ordered_by<'a>(look: &Look<'a>, target: &str) -> Option<&'a str> {
    let is_part = |c: &&ColumnProfile| PARTS.contains(&c.name.trim().to_lowercase().as_str());
    let rises = |c: &&ColumnProfile| c.order == Order::Rising && c.distinct > 1 && c.name != target;
    look.profile.columns.iter().filter(rises).find(is_part).map(|c| c.name.as_str())
}

/// A column that is named as one of things and whose values come again and again: rows of one thing are alike.
fn group_of<'a>(look: &Look<'a>, target: &str) -> Option<&'a str> {
    let repeats = |c: &&ColumnProfile| {
        let whole = matches!(c.kind, ColumnKind::Text | ColumnKind::Number { whole: true, .. });
        whole && c.missing == 0 && c.distinct >= 10 && c.distinct * 2 <= look.profile.rows
    };
    let named = |c: &&ColumnProfile| c.name != target && !look.ignores(c) && is_thing(&c.name);
    look.profile.columns.iter().filter(repeats).find(named).map(|c| c.name.as_str())
}

/// Whether a name is that of a thing of which several rows tell.
fn is_thing(name: &str) -> bool {
    const THINGS: [&str; 9] =
        ["subject", "patient", "person", "participant", "household", "firm", "group", "user", "customer"];
    is_id(name) || THINGS.contains(&name.trim().to_lowercase().as_str())
}
