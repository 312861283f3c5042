//! LaTeX tables with booktabs, for any engine.
//!
//! A fragment to `\input`; its first line names the packages it needs. Names keep the letters that every engine can set;
//! any other character becomes its code point, so that no name stops a document from compiling.

use tailrank_engine::{
    table::{Cell, Column, Format, Mark, Table, Value},
    text::p_exponent,
};

use super::is_right;

/// Tables with more rows than this break over pages.
const ONE_PAGE: usize = 36;
/// And tables of sentences with more than this.
const PROSE_PAGE: usize = 6;

/// The table with caption, label and notes. The best of a column is bold, the second underlined.
pub fn latex(table: &Table) -> String {
    // Prose takes several lines a row.
    let prose = table.columns.iter().any(|c| c.format == Format::Prose);
    let long = table.rows.len() > if prose { PROSE_PAGE } else { ONE_PAGE };
    let places = table.for_people();
    let shown: Vec<&Column> = places.iter().map(|&c| &table.columns[c]).collect();
    let columns: String = shown.iter().map(|c| column(&shown, c)).collect();
    let headings: Vec<String> = shown.iter().map(|c| heading(c)).collect();
    let heading = format!("{} \\\\\n", headings.join(" & "));
    let caption = format!("\\caption{{{}.}}\\label{{tab:{}}}", escape(&table.caption), table.id);
    let mut notes: Vec<String> = table.notes.iter().map(|n| escape(n)).collect();
    if table.rows.iter().flatten().any(|c| c.mark == Mark::Best) {
        notes.insert(0, "Bold: best, underlined: second.".to_owned());
    }
    let notes = notes.join(" ");
    let rows: String = table.rows.iter().map(|r| row(r, &places, &shown)).collect();
    let width = shown.len();
    let set = setting(width);
    if long {
        let note = if notes.is_empty() {
            String::new()
        } else {
            format!(
                "\\addlinespace[2pt]\n\\multicolumn{{{width}}}{{@{{}}p{{\\linewidth}}@{{}}}}{{\\footnotesize {notes}}} \\\\\n"
            )
        };
        return format!(
            "% needs \\usepackage{{booktabs,longtable}}\n{{{set}\n\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n{caption} \\\\\n\
             \\toprule\n{heading}\\midrule\n\\endfirsthead\n\\toprule\n{heading}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n\
             \\bottomrule\n{note}\\endlastfoot\n{rows}\\end{{longtable}}\n}}\n"
        );
    }
    let note = if notes.is_empty() {
        String::new()
    } else {
        format!("\\par\\smallskip\\begin{{minipage}}{{\\linewidth}}\\footnotesize {notes}\\end{{minipage}}\n")
    };
    format!(
        "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering{set}\n{caption}\n\
         \\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n\\toprule\n{heading}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n{note}\\end{{table}}\n"
    )
}

/// The type size and the space between columns that let a table of so many columns fit a page of one column.
fn setting(columns: usize) -> &'static str {
    match columns {
        ..=6 => "\\small",
        7..=8 => "\\footnotesize\\setlength{\\tabcolsep}{4pt}",
        _ => "\\scriptsize\\setlength{\\tabcolsep}{2.2pt}",
    }
}

/// A heading; over a column of numbers a long one takes two lines.
fn heading(column: &Column) -> String {
    let text = &column.heading;
    let middle = text.len() / 2;
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    match spaces.min_by_key(|at| at.abs_diff(middle)) {
        Some(at) if is_right(column.format) && text.chars().count() > 8 => {
            format!("\\shortstack[r]{{{}\\\\{}}}", escape(&text[..at]), escape(&text[at + 1..]))
        }
        _ => escape(text),
    }
}

fn column(shown: &[&Column], column: &Column) -> String {
    let prose = shown.iter().filter(|c| c.format == Format::Prose).count();
    match column.format {
        Format::Name => "l".to_owned(),
        Format::Prose => format!("p{{{:.2}\\linewidth}}", 0.66 / prose.max(1) as f64),
        _ => "r".to_owned(),
    }
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
    let text = match cell.mark {
        Mark::None => text,
        Mark::Best => format!("\\textbf{{{text}}}"),
        Mark::Second => format!("\\underline{{{text}}}"),
    };
    if cell.significant { format!("{text}$^{{*}}$") } else { text }
}

fn number(value: f64, format: Format) -> String {
    if format == Format::P && value < 0.001 {
        return format!("$<10^{{{}}}$", p_exponent(value));
    }
    let text = format.print(value);
    match text.split_once('e') {
        Some((lead, power)) => format!("${lead}\\cdot 10^{{{power}}}$"),
        None => text.replace('-', "$-$").replace(" %", "\\,\\%"),
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
            Some(text) => out.push_str(text),
            None if c == ' ' || c.is_ascii_graphic() => out.push(c),
            None if c.is_control() => out.push(' '),
            // Latin letters with accents; the four of Icelandic need a font encoding of their own.
            None if ('À'..='ÿ').contains(&c) && !"ÐðÞþ".contains(c) => out.push(c),
            None => out.push_str(&format!("[U+{:04X}]", c as u32)),
        }
    }
    out
}

/// The command for a character that is special to LaTeX, or is a symbol of ours.
fn known(c: char) -> Option<&'static str> {
    Some(match c {
        '\\' => "\\textbackslash{}",
        '{' => "\\{",
        '}' => "\\}",
        '$' => "\\$",
        '&' => "\\&",
        '#' => "\\#",
        '%' => "\\%",
        '_' => "\\_",
        '^' => "\\textasciicircum{}",
        '~' => "\\textasciitilde{}",
        '<' => "\\textless{}",
        '>' => "\\textgreater{}",
        '|' => "\\textbar{}",
        // Every font encoding has its sign here; \\textquotedbl is missing from the oldest.
        '"' => "\\char34{}",
        '\'' => "\\textquotesingle{}",
        '`' => "\\textasciigrave{}",
        // A hyphen that follows another would join to a dash.
        '-' => "-{}",
        '–' => "--",
        '—' => "---",
        '−' => "$-$",
        '×' => "$\\times$",
        '÷' => "$\\div$",
        '±' => "$\\pm$",
        '·' => "$\\cdot$",
        '…' => "\\ldots{}",
        '↓' => "$\\downarrow$",
        '↑' => "$\\uparrow$",
        '→' => "$\\rightarrow$",
        '≤' => "$\\le$",
        '≥' => "$\\ge$",
        '≈' => "$\\approx$",
        '≠' => "$\\ne$",
        '∞' => "$\\infty$",
        '§' => "\\S{}",
        '†' => "\\dag{}",
        'α' => "$\\alpha$",
        'β' => "$\\beta$",
        'γ' => "$\\gamma$",
        'δ' => "$\\delta$",
        'Δ' => "$\\Delta$",
        'ε' => "$\\varepsilon$",
        'ζ' => "$\\zeta$",
        'η' => "$\\eta$",
        'θ' => "$\\theta$",
        'λ' => "$\\lambda$",
        'μ' => "$\\mu$",
        'ρ' => "$\\rho$",
        'σ' => "$\\sigma$",
        'Σ' => "$\\Sigma$",
        'τ' => "$\\tau$",
        'φ' => "$\\phi$",
        'χ' => "$\\chi$",
        'Ū' => "$\\bar{U}$",
        '²' => "$^2$",
        '’' => "'",
        '‘' => "`",
        '“' => "``",
        '”' => "''",
        '\u{A0}' | '\u{202F}' => "~",
        _ => return None,
    })
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
        assert_eq!(of(1e-20, Format::P, Mark::None, false), "$<10^{-19}$");
        assert_eq!(of(0.5, Format::Percent, Mark::None, false), "50\\,\\%");
        assert_eq!(of(f64::NAN, Format::Number, Mark::None, false), "--");
    }
}
