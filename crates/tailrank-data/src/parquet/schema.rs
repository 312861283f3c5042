//! What the columns are: how they are stored and what they mean.

use std::collections::HashMap;

use super::{
    Found, OrDamaged,
    arrow_schema::{self, Hint},
    damaged,
    thrift::Value,
};

/// How the values of a column are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Physical {
    Boolean,
    Int32,
    Int64,
    Int96,
    Float,
    Double,
    Bytes,
    /// Byte arrays of this length.
    Fixed(usize),
}

/// What the values of a column mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Number,
    Unsigned,
    /// Numbers of half precision.
    Half,
    /// Whole numbers, divided by this power of ten.
    Decimal(u32),
    Text,
    /// Days since 1970.
    Date,
    /// Time since 1970, in units of which so many make a second.
    Time {
        per_second: i64,
        zone: Option<String>,
    },
    /// What is not read, by name.
    Other(&'static str),
}

/// A column of the table; lists and structures have several columns below them, or none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) physical: Physical,
    pub(crate) kind: Kind,
    /// Whether values may be missing.
    pub(super) optional: bool,
    /// Which of the stored columns it is, or the first below it.
    pub(super) leaf: usize,
}

/// The columns of a table and how many are stored.
pub(super) fn fields(elements: &[Value<'_>], notes: &[(String, String)]) -> Found<(Vec<Field>, usize)> {
    const CUT: &str = "its schema is cut short";
    let hints = arrow_schema::hints(notes);
    let (root, mut rest) = elements.split_first().or_damaged(CUT)?;
    let (mut found, mut leaf) = (Vec::new(), 0);
    for _ in 0..children(root) {
        let (element, mut below) = rest.split_first().or_damaged(CUT)?;
        found.push(field(element, leaf, &hints)?);
        if children(element) == 0 {
            leaf += 1;
        }
        let mut left = children(element);
        while left > 0 {
            let (element, behind) = below.split_first().or_damaged(CUT)?;
            leaf += usize::from(children(element) == 0);
            left = left - 1 + children(element);
            below = behind;
        }
        rest = below;
    }
    if rest.is_empty() { Ok((found, leaf)) } else { damaged("its schema is longer than its columns") }
}

fn children(element: &Value<'_>) -> u64 {
    // As many as a list can have: sums of such numbers do not overflow.
    element.int(5).and_then(|n| u32::try_from(n).ok()).unwrap_or(0).into()
}

fn field(element: &Value<'_>, leaf: usize, hints: &HashMap<String, Hint>) -> Found<Field> {
    let name = element.text(4).or_damaged("a column has no name")?;
    const REPEATED: i64 = 2;
    let nested = children(element) > 0 || element.int(3) == Some(REPEATED);
    let physical = match element.int(1) {
        _ if nested => Physical::Bytes,
        Some(0) => Physical::Boolean,
        Some(1) => Physical::Int32,
        Some(2) => Physical::Int64,
        Some(3) => Physical::Int96,
        Some(4) => Physical::Float,
        Some(5) => Physical::Double,
        Some(6) => Physical::Bytes,
        Some(7) => {
            let width = element.int(2).and_then(|n| usize::try_from(n).ok()).filter(|width| *width > 0);
            Physical::Fixed(width.or_damaged("a column has no width")?)
        }
        _ => return damaged("a column has no type"),
    };
    let kind = match hints.get(&name) {
        _ if nested => Kind::Other(nested_name(element)),
        Some(Hint::Duration) => Kind::Other("duration"),
        hint => match (kind(element, physical), hint) {
            (Kind::Time { per_second, .. }, Some(Hint::Time(zone))) => {
                Kind::Time { per_second, zone: zone.clone() }
            }
            (kind, _) => kind,
        },
    };
    Ok(Field { name, physical, kind, optional: element.int(3) == Some(1), leaf })
}

/// By logical type (field 10), or by converted type (field 6), its forerunner.
fn nested_name(element: &Value<'_>) -> &'static str {
    let logical = |id: i16| element.field(10).is_some_and(|l| l.field(id).is_some());
    match element.int(6) {
        Some(1 | 2) => "map",
        Some(3) => "list",
        _ if logical(2) => "map",
        _ if logical(3) || children(element) == 0 => "list",
        _ => "structure",
    }
}

fn kind(element: &Value<'_>, physical: Physical) -> Kind {
    use Physical as P;
    let logical = element.field(10);
    let is = |id: i16| logical.and_then(|l| l.field(id));
    // A logical type goes before the converted type beside it.
    let converted = if logical.is_some() { None } else { element.int(6) };
    match physical {
        P::Boolean | P::Float | P::Double => Kind::Number,
        P::Int96 => time(1_000_000_000, false),
        P::Int32 | P::Int64 | P::Bytes | P::Fixed(_) if is(5).is_some() || converted == Some(5) => {
            decimal(element, physical)
        }
        P::Int32 if is(6).is_some() || converted == Some(6) => Kind::Date,
        P::Int32 | P::Int64 if is(7).is_some() || matches!(converted, Some(7 | 8)) => {
            Kind::Other("time of day")
        }
        P::Int64 if is(8).is_some() => {
            let Some(stamp) = is(8) else { return Kind::Other("time") };
            let unit = |id: i16| stamp.field(2).is_some_and(|unit| unit.field(id).is_some());
            let per_second =
                [(1, 1_000), (2, 1_000_000), (3, 1_000_000_000)].iter().find(|(id, _)| unit(*id));
            let in_utc = stamp.int(1) == Some(1);
            per_second
                .map_or(Kind::Other("time in unknown units"), |(_, per_second)| time(*per_second, in_utc))
        }
        P::Int64 if converted == Some(9) => time(1_000, false),
        P::Int64 if converted == Some(10) => time(1_000_000, false),
        P::Int32 | P::Int64 => {
            let unsigned = is(10).is_some_and(|integer| integer.int(2) == Some(0));
            if unsigned || matches!(converted, Some(11..=14)) { Kind::Unsigned } else { Kind::Number }
        }
        // Text, one of few texts, JSON.
        P::Bytes
            if [1, 4, 12].iter().any(|id| is(*id).is_some()) || matches!(converted, Some(0 | 4 | 19)) =>
        {
            Kind::Text
        }
        P::Fixed(2) if is(15).is_some() => Kind::Half,
        P::Fixed(12) if converted == Some(21) => Kind::Other("interval"),
        P::Bytes | P::Fixed(_) => Kind::Other("binary"),
    }
}

fn time(per_second: i64, in_utc: bool) -> Kind {
    Kind::Time { per_second, zone: in_utc.then(|| "UTC".to_owned()) }
}

fn decimal(element: &Value<'_>, physical: Physical) -> Kind {
    const MOST_DIGITS: i64 = 38;
    let logical = element.field(10).and_then(|l| l.field(5));
    let number = |inner: i16, outer: i16| logical.map_or_else(|| element.int(outer), |l| l.int(inner));
    let (scale, precision) = (number(1, 7).unwrap_or(0), number(2, 8).unwrap_or(0));
    match u32::try_from(scale) {
        _ if precision > MOST_DIGITS || matches!(physical, Physical::Fixed(17..)) => {
            Kind::Other("Decimal256")
        }
        Ok(scale) if i64::from(scale) <= MOST_DIGITS => Kind::Decimal(scale),
        _ => Kind::Other("decimal with an unusual scale"),
    }
}
