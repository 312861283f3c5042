//! Names come from data and configs: they enter a page as text, never as markup or script.

use serde::Serialize;

use crate::{ReportError, Result};

/// Marks a page as ours.
pub(crate) const GENERATOR: &str = "<meta name=\"generator\" content=\"tailrank\">";

/// Text for an element or a quoted attribute.
pub(crate) fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// JSON that can stand in a script of any kind: no `<`, so no `</script>` and no `<!--`; no line separators of JavaScript.
pub(crate) fn json(value: &impl Serialize) -> Result<String> {
    let plain = serde_json::to_string(value)
        .map_err(|e| ReportError::Figure { figure: "page".to_owned(), problem: e.to_string() })?;
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            // In JSON these stand inside strings only, where an escape means the same.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(text("<a href=\"x\" id='y'>&"), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;");
    }

    #[test]
    fn a_script_cannot_be_ended_from_inside() {
        let hostile = "</script><!-- \u{2028} & \"";
        let safe = json(&hostile).unwrap();
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
    }
}
