//! An experiment for a table.

use tailrank_data::{
    ColumnKind, ColumnProfile, DateFormat, Kind, Missing, NumberFormat, Order, RowDates, Suspicion,
    TableOptions, read_table,
};

use super::{
    super::count,
    ask::{PARTS, is_class},
    draft::{Draft, quoted},
    look::Look,
    name_of, relevance, round, spread, written,
};

/// Fewer rows than this teach and test nothing.
const FEWEST: usize = 20;
/// With fewer rows the division itself is luck, so that it is repeated.
const FEW: usize = 200;

pub(super) fn draft(look: &Look<'_>, target: &str) -> Result<Draft, String> {
    let profile = look.profile;
    let column = profile.column(target).ok_or("it has no such column")?;
    can_be_predicted(look, column)?;
    let date = profile.time().filter(|time| time.name != target && !look.ignore.contains(&time.name));
    let ignored = ignored(look, target, date);
    let kept = |c: &&ColumnProfile| {
        c.name != target
            && Some(&c.name) != date.map(|d| &d.name)
            && !ignored.iter().any(|(n, _)| *n == c.name)
    };
    if !profile.columns.iter().any(|c| kept(&c)) {
        let past = if date.is_some() { "; to predict it from its own past, add --horizon 1" } else { "" };
        return Err(format!(
            "no column is left to predict '{target}' from: dates, names and empty columns are not inputs{past}"
        ));
    }
    let drops = column.missing > 0 || date.is_some_and(|d| d.missing > 0);
    let format = date.and_then(|d| look.written_format(d));
    let options = TableOptions {
        ignore: ignored.iter().map(|(name, _)| (*name).to_owned()).collect(),
        date: date.map_or_else(RowDates::default, |d| RowDates::Column(d.name.clone())),
        date_format: format.as_deref().map_or(DateFormat::Auto, DateFormat::from),
        numbers: look.numbers,
        missing: if drops { Missing::Drop } else { Missing::Refuse },
        ..TableOptions::new(target)
    };
    let table = read_table(look.path, &options).map_err(|e| e.to_string())?.value;
    if *table.kind() != Kind::Regression {
        return Err(format!(
            "column '{target}' does not hold numbers alone; correct it, or name another column"
        ));
    }
    let y = table.targets();
    if y.len() < FEWEST {
        return Err(format!(
            "it has {} with a value in '{target}'; at least {FEWEST} are needed",
            count(y.len(), "row")
        ));
    }
    if y.iter().all(|v| *v == y[0]) {
        return Err(format!("column '{target}' is {} in every row; name another column with --target", y[0]));
    }
    let in_order = if date.is_none() { ordered_by(look, target) } else { None };
    let in_time = date.is_some() || in_order.is_some();
    let mut keys = format!(", target = {}", quoted(target));
    let mut key = |name: &str, value: String| keys.push_str(&format!(", {name} = {value}"));
    if let Some(date) = date {
        key("date", quoted(&date.name));
    }
    if let Some(format) = &format {
        key("date_format", quoted(format));
    }
    if let Some(sign) = decimal(look) {
        key("decimal", quoted(sign));
    }
    if drops {
        key("missing", "\"drop\"".to_owned());
    }
    let names: Vec<String> = ignored.iter().map(|(name, _)| quoted(name)).collect();
    key("ignore", format!("[{}]", names.join(", ")));
    let mut remarks = Vec::new();
    if let ColumnKind::Number { discrete: true, .. } = column.kind {
        remarks.push(format!(
            "column '{target}' has only {}; it is predicted as a quantity",
            count(column.distinct, "different value")
        ));
    }
    let signed = |c: &&ColumnProfile| c.suspicion == Some(Suspicion::NumbersWithSign);
    for c in profile.columns.iter().filter(signed).filter(|c| !look.ignore.contains(&c.name)) {
        remarks.push(format!(
            "column '{}' holds numbers with a sign ({}) and is left out; strip the sign in the file to make it an input",
            c.name,
            c.examples.first().map_or("", String::as_str)
        ));
    }
    Ok(Draft {
        about: format!("{}, {}", count(profile.rows, "row"), count(profile.columns.len(), "column")),
        entry: (
            format!("tables = [{{ name = {}, file = ", quoted(&name_of(look.path))),
            format!("{keys} }}]"),
        ),
        split: notes(look, column, &ignored, drops) + &split(date, in_order, y.len()),
        relevances: relevance::for_values(y, if in_time { 0.3 } else { 1.0 }),
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

/// `comma` or `point`, where the user said so: the file does not tell.
pub(super) fn decimal(look: &Look<'_>) -> Option<&'static str> {
    match look.numbers {
        NumberFormat::Auto => None,
        NumberFormat::Point => Some("point"),
        NumberFormat::Comma => Some("comma"),
    }
}

/// Refuses words, dates, names of rows and classes, with what to do.
fn can_be_predicted(look: &Look<'_>, column: &ColumnProfile) -> Result<(), String> {
    let name = &column.name;
    let others: Vec<&str> = look
        .profile
        .targets()
        .filter(|c| c.name != *name && !is_class(c))
        .map(|c| c.name.as_str())
        .take(12)
        .collect();
    let instead = match others.is_empty() {
        true => "no other column holds quantities".to_owned(),
        false => format!("name a column of quantities: {}", others.join(", ")),
    };
    let why = match (&column.kind, column.suspicion) {
        (ColumnKind::Empty, _) => "has no value".to_owned(),
        (_, Some(Suspicion::NumbersWithSign)) => format!(
            "holds numbers with a sign ({}), which are read as words: strip the sign in the file",
            column.examples.join(", ")
        ),
        (ColumnKind::Text, _) => {
            format!("holds words ({}), and models here predict quantities", column.examples.join(", "))
        }
        (ColumnKind::Date { .. }, _) => "holds dates".to_owned(),
        (_, Some(Suspicion::Constant)) => {
            let value = column.examples.first().map_or("", String::as_str);
            return Err(format!("column '{name}' is {value} in every row; {instead}"));
        }
        (_, Some(Suspicion::RowNumber)) => "counts the rows".to_owned(),
        (_, Some(Suspicion::Identifier)) => "names the rows".to_owned(),
        _ if is_class(column) => format!(
            "has only {} ({}): classes, not quantities, and relevance needs a scale",
            count(column.distinct, "different value"),
            column.examples.join(", ")
        ),
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
        _ if look.ignore.contains(&c.name) => Some("as asked".to_owned()),
        (ColumnKind::Empty, _) => Some("no values".to_owned()),
        (ColumnKind::Date { .. }, _) => Some("dates are not inputs".to_owned()),
        (_, Some(Suspicion::RowNumber)) => Some("counts the rows".to_owned()),
        (_, Some(Suspicion::Identifier)) => Some("names the rows".to_owned()),
        (_, Some(Suspicion::NumbersWithSign)) => Some(format!(
            "holds numbers with a sign ({}); strip the sign in the file to make it an input",
            c.examples.first().map_or("", String::as_str)
        )),
        (_, Some(Suspicion::Constant)) => Some("the same in every row".to_owned()),
        (ColumnKind::Text, _) if c.distinct > WORDS => Some(format!("{} different words", c.distinct)),
        _ if c.missing * 5 > rows * 4 => Some("hardly any values".to_owned()),
        _ => None,
    };
    let others =
        look.profile.columns.iter().filter(|c| c.name != target && Some(&c.name) != date.map(|d| &d.name));
    others.filter_map(|c| Some((c.name.as_str(), why(c)?))).collect()
}

fn notes(look: &Look<'_>, target: &ColumnProfile, ignored: &[(&str, String)], drops: bool) -> String {
    let mut text = String::new();
    if ignored.is_empty() {
        text.push_str("# ignore: columns to leave out, such as identifiers.\n");
    }
    for (name, why) in ignored {
        text.push_str(&format!("# {} is ignored: {why}.\n", quoted(name)));
    }
    if drops && target.missing > 0 {
        let rows = count(target.missing, "row");
        text.push_str(&format!(
            "# missing: {rows} without a value in {} are dropped.\n",
            quoted(&target.name)
        ));
    }
    let gaps =
        look.profile.columns.iter().any(|c| {
            c.name != target.name && c.missing > 0 && !ignored.iter().any(|(name, _)| *name == c.name)
        });
    if gaps {
        text.push_str(
            "# Missing inputs are filled with the median or the most frequent category of the training rows.\n",
        );
    }
    text
}

fn split(date: Option<&ColumnProfile>, in_order: Option<&str>, rows: usize) -> String {
    let (ordered, how) = match (date, in_order) {
        (Some(date), _) => (Some(date.name.as_str()), "put in"),
        (None, found) => (found, "in"),
    };
    if let Some(name) = ordered {
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
    let part = |c: &&ColumnProfile| {
        c.name != target
            && c.order == Order::Rising
            && c.distinct > 1
            && PARTS.contains(&c.name.trim().to_lowercase().as_str())
    };
    look.profile.columns.iter().find(part).map(|c| c.name.as_str())
}
