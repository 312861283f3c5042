//! A small table of printed cells, as Markdown and CSV.

use serde::Deserialize;

/// Headings and cells as they are printed.
///
/// ```
/// use tailrank_report::tables::PrintedTable;
/// let mut table = PrintedTable::default().with_headings(["model", "MAD"]);
/// table.row(["A|B", "0.497"]);
/// assert_eq!(table.markdown(), "| model | MAD |\n|---|---|\n| A\\|B | 0.497 |\n");
/// assert_eq!(table.csv(), "model,MAD\nA|B,0.497\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrintedTable {
    /// Its file, without the ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Headings.
    pub headings: Vec<String>,
    /// Rows, as long as the headings.
    pub rows: Vec<Vec<String>>,
}

impl PrintedTable {
    /// Adds a row.
    pub fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(|cell| cell.to_string()).collect());
    }

    /// The table with these rows.
    #[must_use]
    pub fn with_rows<R: IntoIterator<Item = String>>(mut self, rows: impl IntoIterator<Item = R>) -> Self {
        rows.into_iter().for_each(|cells| self.row(cells));
        self
    }

    /// The table with further columns.
    #[must_use]
    pub fn with_headings<T: ToString>(mut self, headings: impl IntoIterator<Item = T>) -> Self {
        self.headings.extend(headings.into_iter().map(|heading| heading.to_string()));
        self
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|").replace('\n', " ")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = "|---".repeat(self.headings.len());
        let rows: String = self.rows.iter().map(|r| line(r)).collect();
        format!("{}{rule}|\n{rows}", line(&self.headings))
    }

    /// The table in CSV.
    pub fn csv(&self) -> String {
        let cell = |c: &String| {
            if c.contains([',', '"', '\n']) { format!("\"{}\"", c.replace('"', "\"\"")) } else { c.clone() }
        };
        let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.headings).chain(&self.rows).map(line).collect()
    }
}
