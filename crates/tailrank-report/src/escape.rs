//! Names come from data and configs: they enter a page as text, never as markup or script.

pub(crate) use tailrank_runner::store::GENERATOR;

/// Text for an element or a quoted attribute of XML.
pub fn text(raw: &str) -> String {
    let text = raw.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// JSON that can stand in a script of any kind: no `<`, so no `</script>` and no `<!--`; no line separators
/// of JavaScript.
pub(crate) fn json(plain: String) -> String {
    // In JSON these stand inside strings only, where an escape means the same.
    let escape = |text: String, c: char| text.replace(c, &format!("\\u{:04x}", u32::from(c)));
    ['<', '>', '&', '\u{2028}', '\u{2029}'].into_iter().fold(plain, escape)
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
        let safe = json(serde_json::to_string(&hostile).unwrap());
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
    }
}
