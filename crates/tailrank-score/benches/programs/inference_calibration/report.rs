//! The table of what was measured, with its errors and what was promised.

use std::fmt::Write as _;

/// What a share must be.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Promise {
    /// Size of a test.
    Size,
    /// Size of a test that is exact where its assumptions hold.
    Exact,
    /// Coverage of an interval at 95 %.
    Coverage,
    /// Coverage that may be above its level, but not below.
    AtLeast(f64),
    /// Nothing: power, marked intervals, tests of others.
    Nothing,
}

impl Promise {
    fn range(self) -> Option<(f64, f64)> {
        match self {
            Self::Size => Some((0.0, 0.07)),
            Self::Exact => Some((0.03, 0.07)),
            Self::Coverage => Some((0.92, 0.97)),
            Self::AtLeast(least) => Some((least, 1.0)),
            Self::Nothing => None,
        }
    }

    fn text(self) -> String {
        let percent = |share: f64| (100.0 * share).round();
        match self.range() {
            None => "–".to_owned(),
            Some((0.0, most)) => format!("≤ {}", percent(most)),
            Some((least, 1.0)) => format!("≥ {}", percent(least)),
            Some((least, most)) => format!("{}–{}", percent(least), percent(most)),
        }
    }
}

/// A share of replications.
pub(crate) struct Row {
    pub(crate) world: String,
    pub(crate) what: String,
    pub(crate) measure: String,
    pub(crate) replications: usize,
    /// Replications with an answer: a test that could be made, an interval that was printed.
    pub(crate) answered: usize,
    pub(crate) count: usize,
    pub(crate) promise: Promise,
}

impl Row {
    fn share(&self) -> f64 {
        self.count as f64 / self.answered as f64
    }

    /// Standard error of the share.
    fn error(&self) -> f64 {
        (self.share() * (1.0 - self.share()) / self.answered as f64).sqrt()
    }

    fn kept(&self) -> &'static str {
        let Some((least, most)) = self.promise.range() else { return "–" };
        let (share, twice) = (self.share(), 2.0 * self.error());
        match share {
            // Too few answers to tell: the figure is withheld almost always.
            _ if 20 * self.answered < self.replications => "withheld",
            _ if (least..=most).contains(&share) => "yes",
            _ if share > most && self.promise == Promise::Coverage => "wide",
            _ if share < least && self.promise == Promise::Exact => "cautious",
            // As many replications cannot tell it from the promise.
            _ if share - twice <= most && share + twice >= least => "open",
            _ => "NO",
        }
    }
}

/// A part of the table: its heading, a line on what it shows, and its rows.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) heading: &'static str,
    pub(crate) says: String,
    pub(crate) rows: Vec<Row>,
}

impl Part {
    /// Rows of a file, without its header.
    pub(crate) fn csv(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let Row { world, what, measure, replications, answered, .. } = row;
            let (share, error, kept) = (row.share(), row.error(), row.kept());
            let promise = row.promise.text();
            // A string takes every line.
            let _ = writeln!(
                text,
                "{},\"{world}\",\"{what}\",{measure},{replications},{answered},{share:.4},{error:.4},{promise},{kept}",
                self.name
            );
        }
        text
    }

    /// A table for people: a row for each world and test, a column for each measure.
    pub(crate) fn markdown(&self) -> String {
        let mut measures: Vec<&str> = Vec::new();
        let mut keys: Vec<(&str, &str)> = Vec::new();
        for row in &self.rows {
            if !measures.contains(&row.measure.as_str()) {
                measures.push(&row.measure);
            }
            let key = (row.world.as_str(), row.what.as_str());
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let mut text = format!("## {}\n\n{}\n\n", self.heading, self.says);
        let _ = writeln!(text, "| world | what | promised | {} | replications |", measures.join(" | "));
        let _ = writeln!(text, "|---|---|---|{}---|", "---|".repeat(measures.len()));
        for (world, what) in keys {
            let of = |m: &&str| {
                self.rows
                    .iter()
                    .find(|r| (r.world.as_str(), r.what.as_str(), r.measure.as_str()) == (world, what, *m))
            };
            let cell = |m: &&str| of(m).map_or_else(|| "–".to_owned(), figure);
            let cells: Vec<String> = measures.iter().map(cell).collect();
            let Some(first) = measures.iter().find_map(of) else { continue };
            let _ = writeln!(
                text,
                "| {world} | {what} | {} | {} | {} |",
                first.promise.text(),
                cells.join(" | "),
                first.replications
            );
        }
        text.push('\n');
        text
    }

    pub(crate) fn broken(&self) -> usize {
        self.rows.iter().filter(|r| r.kept() == "NO").count()
    }
}

/// "4.8 ± 0.7"; with the share of replications that have an answer where it is not all of them.
fn figure(row: &Row) -> String {
    if 20 * row.answered < row.replications {
        return "withheld".to_owned();
    }
    let (share, error) = (100.0 * row.share(), 100.0 * row.error());
    let mark = match row.kept() {
        "NO" => " **no**",
        "open" => " open",
        "wide" => " wide",
        _ => "",
    };
    let answered = if row.answered < row.replications {
        format!(" (of {:.0} %)", 100.0 * row.answered as f64 / row.replications as f64)
    } else {
        String::new()
    };
    format!("{share:.1} ± {error:.1}{mark}{answered}")
}
