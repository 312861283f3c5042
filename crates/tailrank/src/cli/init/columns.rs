//! What the columns of a table are: numbers, words, dates, or nothing to learn from.

use tailrank_data::{Date, DateFormat, frame::Column};

/// What a column is taken for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Words that many rows share.
    Words,
    /// When a row was seen: never an input.
    Dates(Order),
    /// No row has a value.
    Empty,
    /// Names or numbers rows.
    Identifier,
}

/// How rows lie in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    OldestFirst,
    NewestFirst,
    None,
}

pub(super) fn role(name: &str, column: &Column) -> Role {
    let cells: Vec<Option<String>> = match column {
        Column::Real(v) => v.iter().map(|x| (!x.is_nan()).then(|| x.to_string())).collect(),
        Column::Int(v) => v.iter().map(|x| Some(x.to_string())).collect(),
        Column::Text(v) => v.iter().map(|t| present(t)).collect(),
    };
    let filled: Vec<&str> = cells.iter().flatten().map(String::as_str).collect();
    if filled.is_empty() {
        return Role::Empty;
    }
    if let Some(order) = dates(&filled) {
        return Role::Dates(order);
    }
    let name = name.trim().to_lowercase();
    let numbers: Option<Vec<f64>> = cells
        .iter()
        .map(|c| c.as_ref().map_or(Some(f64::NAN), |c| c.parse().ok().filter(|x: &f64| x.is_finite())))
        .collect();
    let distinct = distinct(&filled);
    match numbers {
        // Seconds since some day, and the like.
        Some(v) if is_time(&name) && distinct * 2 > v.len() => match order(&v) {
            Order::None => Role::Numbers(v),
            order => Role::Dates(order),
        },
        Some(_) if is_row_name(&name) && distinct == filled.len() => Role::Identifier,
        Some(v) => Role::Numbers(v),
        // One-hot coding would give such a column nearly an input per row.
        None if distinct > 20 && distinct * 2 > filled.len() => Role::Identifier,
        None => Role::Words,
    }
}

/// A cell's text, unless it stands for no value.
fn present(cell: &str) -> Option<String> {
    const MISSING: [&str; 10] = ["", "?", ".", "-", "na", "n/a", "nan", "null", "none", "#n/a"];
    let cell = cell.trim();
    (!MISSING.contains(&cell.to_lowercase().as_str())).then(|| cell.to_owned())
}

fn is_time(name: &str) -> bool {
    ["date", "datetime", "time", "timestamp"].contains(&name)
}

fn is_row_name(name: &str) -> bool {
    ["", "id", "index", "row", "unnamed: 0"].contains(&name)
}

fn distinct(cells: &[&str]) -> usize {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// The order of a column of dates; none if it holds anything else.
fn dates(cells: &[&str]) -> Option<Order> {
    let read = |form: &DateFormat| cells.iter().map(|c| form.parse(c)).collect::<Option<Vec<Date>>>();
    // Eight digits may be any number: as dates they lie in living memory.
    let likely = |d: &Date| (1800..2200).contains(&d.year());
    let orders: Vec<Order> = DateFormat::FORMS
        .iter()
        .filter_map(read)
        .filter(|d| d.iter().all(likely))
        .map(|d| order(&d))
        .collect();
    // Where day and month could be either, the form that puts the rows in order is the likely one.
    [Order::OldestFirst, Order::NewestFirst, Order::None].into_iter().find(|o| orders.contains(o))
}

fn order<T: PartialOrd>(values: &[T]) -> Order {
    if values.is_sorted() {
        Order::OldestFirst
    } else if values.is_sorted_by(|a, b| a >= b) {
        Order::NewestFirst
    } else {
        Order::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, cells: &[&str]) -> Role {
        role(name, &Column::Text(cells.iter().map(|c| (*c).to_owned()).collect()))
    }

    #[test]
    fn dates_are_no_numbers() {
        assert_eq!(of("day", &["20200101", "20200102"]), Role::Dates(Order::OldestFirst));
        assert_eq!(of("t", &["2020-01-02 01:00", "2020-01-01 02:00"]), Role::Dates(Order::NewestFirst));
        assert_eq!(of("t", &["20.01.2020", "01.03.2020", "15.02.2020"]), Role::Dates(Order::None));
        assert_eq!(of("timestamp", &["1577836800", "1577840400"]), Role::Dates(Order::OldestFirst));
        assert!(matches!(of("size", &["10000000", "20000000"]), Role::Numbers(_)));
    }

    #[test]
    fn missing_values_leave_numbers_numbers() {
        let Role::Numbers(v) = of("y", &["NA", "1.5", "", "2"]) else { panic!("numbers") };
        assert!(v[0].is_nan() && v[1] == 1.5 && v[2].is_nan());
        assert_eq!(of("e", &["", "NA"]), Role::Empty);
        assert_eq!(of("colour", &["r", "g", "r", "g"]), Role::Words);
        assert_eq!(of("id", &["1", "2", "3"]), Role::Identifier);
    }
}
