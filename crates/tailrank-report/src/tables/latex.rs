//! LaTeX tables with booktabs, for any engine.
//!
//! A fragment to `\input`; its first line names the packages it needs. It fits the text of an article on A4
//! or letter paper. Names keep the letters that every engine can set; any other character becomes its code
//! point, so that no name stops a document from compiling.

use tailrank_score::table::{Cell, Column, Format, Mark, Table, Value};

use super::{marked, notes};

/// Tables with more rows than this break over pages; tables of sentences always may.
const ONE_PAGE: usize = 36;

/// The table with caption, label and notes. The best of a column is bold, the second underlined. A table that
/// is wider than a page's text comes as several, with the leading names in each.
pub fn latex(table: &Table) -> String {
    let places = table.for_people();
    let blocks = blocks(table, &places);
    let parts = blocks.len();
    let part = |(number, block): (usize, &Block)| {
        let (of, label) = if parts == 1 {
            (String::new(), String::new())
        } else {
            (format!(", part {} of {parts}", number + 1), format!("-{}", number + 1))
        };
        // A question ends with its own mark.
        let end = if of.is_empty() && table.caption.ends_with(['?', '.', '!']) { "" } else { "." };
        let caption =
            format!("\\caption{{{}{of}{end}}}\\label{{tab:{}{label}}}", escape(&table.caption), table.id);
        // Notes stand below the last part.
        let is_last = number + 1 == parts;
        let notes =
            if is_last { notes(table, escape, "Bold: first, underlined: second.") } else { String::new() };
        print(table, block, &caption, &notes)
    };
    blocks.iter().enumerate().map(part).collect::<Vec<_>>().join("\n")
}

fn print(table: &Table, block: &Block, caption: &str, notes: &str) -> String {
    let shown: Vec<&Column> = block.places.iter().map(|&c| &table.columns[c]).collect();
    let columns: String = block.columns.concat();
    let headings: Vec<String> = shown.iter().map(|c| heading(c)).collect();
    let heading = format!("{} \\\\\n", headings.join(" & "));
    let rows: String = table.rows.iter().map(|r| row(r, &block.places, &shown)).collect();
    let Size { command, .. } = block.size;
    let note = |before: &str| {
        if notes.is_empty() {
            String::new()
        } else {
            format!("{before}\\begin{{minipage}}{{\\linewidth}}\\footnotesize {notes}\\end{{minipage}}\n")
        }
    };
    if is_long(table, &shown) {
        // Below the table: a note inside would be as wide as a column.
        let note = note("\\noindent");
        return format!(
            "% needs \\usepackage{{array,booktabs,longtable}}\n{{{command}\n\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n{caption} \\\\\n\
             \\toprule\n{heading}\\midrule\n\\endfirsthead\n\\toprule\n{heading}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n\
             \\bottomrule\n\\endlastfoot\n{rows}\\end{{longtable}}\n{note}}}\n"
        );
    }
    let note = note("\\par\\smallskip");
    format!(
        "% needs \\usepackage{{array,booktabs}}\n\\begin{{table}}\n\\centering{command}\n{caption}\n\
         \\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n\\toprule\n{heading}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n{note}\\end{{table}}\n"
    )
}

fn is_long(table: &Table, shown: &[&Column]) -> bool {
    table.rows.len() > ONE_PAGE || shown.iter().any(|c| c.format == Format::Prose)
}

/// The width of the text of LaTeX's article at 10 pt, which is the narrowest usual page of one column.
const TEXT_WIDTH: f64 = 345.0;

/// A size of type: the command, the space on either side of a column, and the width of a digit.
#[derive(Clone, Copy)]
struct Size {
    command: &'static str,
    space: f64,
    digit: f64,
}

/// From large to small. A digit of Computer Modern is half as wide as its size, a little more in small sizes;
/// letters are about as wide.
const SIZES: [Size; 3] = [
    Size { command: "\\small", space: 6.0, digit: 4.7 },
    Size { command: "\\footnotesize\\setlength{\\tabcolsep}{4pt}", space: 4.0, digit: 4.3 },
    Size { command: "\\scriptsize\\setlength{\\tabcolsep}{2.2pt}", space: 2.2, digit: 4.0 },
];

/// Letters of a name beyond which its column breaks lines.
const LONG_NAME: usize = 30;

/// Columns that stand side by side.
struct Block {
    places: Vec<usize>,
    columns: Vec<String>,
    size: Size,
}

/// The columns in as few blocks as fit the page, in the largest type that all of them fit in.
fn blocks(table: &Table, places: &[usize]) -> Vec<Block> {
    let letters: Vec<usize> = places.iter().map(|&c| letters(table, c)).collect();
    let formats: Vec<Format> = places.iter().map(|&c| table.columns[c].format).collect();
    let width = |k: usize, size: Size| match formats[k] {
        // Prose takes what is left.
        Format::Prose => 0.0,
        _ => letters[k].min(LONG_NAME) as f64 * size.digit + 2.0 * size.space,
    };
    let prose = formats.iter().filter(|f| **f == Format::Prose).count();
    let block = |of: &[usize], size: Size| {
        let taken: f64 = of.iter().map(|&k| width(k, size)).sum();
        let each = (TEXT_WIDTH - taken - 2.0 * size.space * prose as f64).max(60.0) / prose.max(1) as f64;
        let column = |&k: &usize| match formats[k] {
            Format::Prose => {
                format!(">{{\\raggedright\\arraybackslash}}p{{{:.3}\\linewidth}}", each / TEXT_WIDTH)
            }
            format if !format.is_text() => "r".to_owned(),
            _ if letters[k] > LONG_NAME => {
                let share = LONG_NAME as f64 * size.digit / TEXT_WIDTH;
                format!(">{{\\raggedright\\arraybackslash}}p{{{share:.3}\\linewidth}}")
            }
            _ => "l".to_owned(),
        };
        Block {
            places: of.iter().map(|&k| places[k]).collect(),
            columns: of.iter().map(column).collect(),
            size,
        }
    };
    let all: Vec<usize> = (0..places.len()).collect();
    let fits = |of: &[usize], size: Size| {
        let room = if prose > 0 { TEXT_WIDTH / 2.0 } else { TEXT_WIDTH };
        of.iter().map(|&k| width(k, size)).sum::<f64>() - 2.0 * size.space <= room
    };
    if let Some(size) = SIZES.into_iter().find(|&size| fits(&all, size)) {
        return vec![block(&all, size)];
    }
    let [.., size] = SIZES;
    // The names that say what a row is of stand in every block.
    let lead: Vec<usize> = all.iter().copied().take_while(|&k| formats[k] == Format::Name).take(2).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for &k in all.iter().filter(|k| !lead.contains(k)) {
        match found.last_mut() {
            Some(last) if fits(&[&last[..], &[k]].concat(), size) => last.push(k),
            _ => found.push(lead.iter().copied().chain([k]).collect()),
        }
    }
    if found.is_empty() {
        found.push(all);
    }
    // One size for all blocks, the largest that they fit in.
    let size = SIZES.into_iter().find(|&s| found.iter().all(|of| fits(of, s))).unwrap_or(size);
    found.iter().map(|of| block(of, size)).collect()
}

/// Letters of a column's widest line.
fn letters(table: &Table, place: usize) -> usize {
    let column = &table.columns[place];
    let head = match halves(column) {
        Some((upper, lower)) => upper.chars().count().max(lower.chars().count()),
        None => column.heading.chars().count(),
    };
    let of = |cell: &Cell| {
        let text = match &cell.value {
            Value::Text(t) => t.chars().count(),
            Value::Number(v) => {
                let text = column.format.print(*v);
                // ·10 and a power take more room than the e they stand for.
                text.chars().count() + if text.contains('e') { 3 } else { 0 }
            }
            Value::Undefined(_) => 1,
        };
        // Bold is wider.
        text + usize::from(cell.mark == Mark::Best) + usize::from(cell.significant)
    };
    table.rows.iter().map(|r| of(&r[place])).fold(head, usize::max)
}

/// A heading; over a column of numbers a long one takes two lines.
fn heading(column: &Column) -> String {
    match halves(column) {
        Some((upper, lower)) => format!("\\shortstack[r]{{{}\\\\{}}}", escape(upper), escape(lower)),
        None => escape(&column.heading),
    }
}

/// The two lines of a long heading over numbers.
fn halves(column: &Column) -> Option<(&str, &str)> {
    let text = &column.heading;
    if column.format.is_text() || text.chars().count() <= 8 {
        return None;
    }
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    let at = spaces.min_by_key(|at| at.abs_diff(text.len() / 2))?;
    Some((&text[..at], &text[at + 1..]))
}

fn row(cells: &[Cell], places: &[usize], shown: &[&Column]) -> String {
    let texts: Vec<String> =
        places.iter().zip(shown).map(|(&c, column)| cell(&cells[c], column.format)).collect();
    let line = texts.join(" & ");
    // A bracket or a star at the start would be read as an argument of the rule or the line break above.
    let guard = if line.starts_with(['[', '*']) { "{}" } else { "" };
    format!("{guard}{line} \\\\\n")
}

fn cell(cell: &Cell, format: Format) -> String {
    let text = match &cell.value {
        Value::Text(t) => escape(t),
        Value::Number(v) => number(*v, format),
        Value::Undefined(_) => "--".to_owned(),
    };
    marked(cell, &text, ["\\textbf{", "}"], ["\\underline{", "}"], "$^{*}$")
}

fn number(value: f64, format: Format) -> String {
    let text = format.print(value);
    match text.split_once('e') {
        Some((lead, power)) => format!("${lead}\\cdot 10^{{{power}}}$").replace('−', "-"),
        None => text.replace('−', "$-$").replace('%', "\\%").replace("< ", "$<\\,$"),
    }
}

/// Text in which nothing is a command, from letters that every engine can set.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        // A macron over the letter before it, as in r̄.
        if c.is_ascii_alphabetic() && letters.peek() == Some(&'\u{304}') {
            letters.next();
            out.push_str(&format!("$\\bar{{{c}}}$"));
            continue;
        }
        match known(c) {
            Some(text) => out.push_str(&text),
            None if c == ' ' || c.is_ascii_graphic() => out.push(c),
            None if c.is_control() => out.push(' '),
            // Latin letters with accents; the four of Icelandic need a font encoding of their own.
            None if ('À'..='ÿ').contains(&c) && !"ÐðÞþ".contains(c) => out.push(c),
            None => out.push_str(&format!("[U+{:04X}]", c as u32)),
        }
    }
    out
}

/// Letters with the command that sets each in a formula.
const FORMULAS: &str = r"−- ×\times ÷\div ±\pm ·\cdot ↓\downarrow ↑\uparrow →\rightarrow ≤\le ≥\ge ≈\approx ≠\ne
    ∞\infty α\alpha β\beta γ\gamma δ\delta Δ\Delta ε\varepsilon ζ\zeta η\eta θ\theta λ\lambda μ\mu ρ\rho σ\sigma
    Σ\Sigma τ\tau φ\phi χ\chi Ū\bar{U} ²^2";

/// Letters with the command that sets each in text. Every font encoding has the sign of `\char34`;
/// `\textquotedbl` is missing from the oldest. A hyphen that follows another would join to a dash.
const COMMANDS: &str = r#"\\textbackslash{} {\{ }\} $\$ &\& #\# %\% _\_ ^\textasciicircum{} ~\textasciitilde{}
    <\textless{} >\textgreater{} |\textbar{} "\char34{} '\textquotesingle{} `\textasciigrave{} --{} –-- —---
    …\ldots{} §\S{} †\dag{} ’' ‘` “`` ”''"#;

/// The command for a character that is special to LaTeX, or is a symbol of ours.
fn known(c: char) -> Option<String> {
    let command = |all: &'static str| all.split_whitespace().find_map(|entry| entry.strip_prefix(c));
    match c {
        '\u{A0}' | '\u{202F}' => Some("~".to_owned()),
        _ => command(COMMANDS).map(str::to_owned).or_else(|| Some(format!("${}$", command(FORMULAS)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_commands() {
        assert_eq!(escape("50 % & \\input{x}"), "50 \\% \\& \\textbackslash{}input\\{x\\}");
        assert_eq!(escape("a_b^c~d#e$"), "a\\_b\\textasciicircum{}c\\textasciitilde{}d\\#e\\$");
        assert_eq!(
            escape("ρ ≥ −1, Ū, r\u{304}, é, 中"),
            "$\\rho$ $\\ge$ $-$1, $\\bar{U}$, $\\bar{r}$, é, [U+4E2D]"
        );
    }

    #[test]
    fn cells_carry_their_marks() {
        let of = |value: f64, format, mark, significant| {
            cell(&Cell { value: value.into(), mark, significant }, format)
        };
        assert_eq!(of(0.5, Format::Number, Mark::Best, false), "\\textbf{0.500}");
        assert_eq!(of(-2e-9, Format::Number, Mark::Second, true), "\\underline{$-2.00\\cdot 10^{-9}$}$^{*}$");
        assert_eq!(of(1e-20, Format::P, Mark::None, false), "$<\\,$0.001");
        assert_eq!(of(0.5, Format::Percent, Mark::None, false), "50\\%");
        assert_eq!(of(f64::NAN, Format::Number, Mark::None, false), "--");
    }
}
