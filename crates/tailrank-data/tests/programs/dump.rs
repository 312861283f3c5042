//! Prints what is read from files, one JSON line for each: its columns, or why it is refused.
//! `scripts/check/readers.py` compares it with other readers. Paths come from the standard input, one a line.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
};

use tailrank_data::frame::{Column, read};

fn main() -> io::Result<()> {
    std::panic::set_hook(Box::new(|_| {}));
    for path in io::stdin().lines() {
        let path = path?;
        writeln!(io::stdout().lock(), "{}", line(Path::new(&path)))?;
    }
    Ok(())
}

fn line(path: &Path) -> String {
    let name = path.display().to_string();
    let found = std::fs::read(path).map_err(|e| e.to_string());
    let frame = found.and_then(|bytes| read(&name, &bytes).map_err(|e| e.to_string()));
    let frame = match frame {
        Ok(frame) => frame,
        Err(problem) => return format!("{{\"error\": {}}}", json(&problem)),
    };
    let mut text = String::from("{");
    for (i, (name, column)) in frame.columns().iter().enumerate() {
        let cells: Vec<String> = match column {
            // The bits, so that no digit is lost on the way.
            Column::Real(v) => v.iter().map(|x| format!("\"f{:016x}\"", x.to_bits())).collect(),
            Column::Int(v) => v.iter().map(|x| format!("\"f{:016x}\"", (*x as f64).to_bits())).collect(),
            Column::Text(v) => v.iter().map(|x| json(&format!("t{x}"))).collect(),
        };
        let comma = if i > 0 { ", " } else { "" };
        let _ = write!(text, "{comma}{}: [{}]", json(name), cells.join(", "));
    }
    text + "}"
}

fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}
