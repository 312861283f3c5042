//! `tailrank help TOPIC`: chapters of the guide as text, and `tailrank help TERM`: entries of its glossary.

use std::ffi::OsString;

use tailrank_report::terminal::wrap;

const ANSWER: &str = include_str!("../../guide/answer.md");
const OWN_DATA: &str = include_str!("../../guide/own-data.md");
const GLOSSARY: &str = include_str!("../../guide/glossary.md");

/// Topics with their chapter of the guide, or one section of it.
const TOPICS: [(&str, &str, Option<&str>); 7] = [
    ("relevance", include_str!("../../guide/relevance.md"), None),
    ("thresholds", include_str!("../../guide/thresholds.md"), None),
    ("measures", include_str!("../../guide/measures.md"), None),
    ("verdicts", ANSWER, None),
    ("costs", ANSWER, Some("## Costs")),
    ("splits", OWN_DATA, Some("## Splits")),
    ("panels", OWN_DATA, Some("## A panel")),
];

/// The topic or term that is asked for, as in `tailrank help relevance`, in lines of this width.
pub(crate) fn asked(arguments: &[OsString], width: usize) -> Option<String> {
    let [_, help, name] = arguments else { return None };
    if help != "help" {
        return None;
    }
    let (chapter, heading) = match TOPICS.iter().find(|(topic, ..)| name == topic) {
        Some((_, chapter, heading)) => (*chapter, *heading),
        None => (GLOSSARY, Some(term(name.to_str()?)?)),
    };
    Some(as_text(heading.map_or(chapter, |heading| section(chapter, heading)), width))
}

/// The heading of a term in the glossary, by its anchor: `### False alarm` for `false-alarm`.
fn term(anchor: &str) -> Option<&'static str> {
    let anchor_of = |heading: &str| heading.trim_start_matches("### ").to_lowercase().replace(' ', "-");
    GLOSSARY.lines().find(|line| line.starts_with("### ") && anchor_of(line) == anchor)
}

/// A heading with what stands below it, to the next heading of its level; a term ends at any.
fn section<'a>(chapter: &'a str, heading: &str) -> &'a str {
    let Some((before, after)) = chapter.split_once(&format!("\n{heading}\n")) else { return chapter };
    let text = &chapter[before.len() + 1..];
    let next = if heading.starts_with("### ") { "\n#" } else { "\n## " };
    let length = after.find(next).map_or(text.len(), |end| heading.len() + 1 + end);
    &text[..length]
}

/// Markdown without marks and figures. Paragraphs are wrapped anew; tables and code stay as they are.
fn as_text(markdown: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = String::new();
    let mut is_code = false;
    for line in markdown.lines() {
        let is_fence = line.starts_with("```");
        let begins = line.starts_with(['#', '|', '-', '>']) || line.starts_with(|c: char| c.is_ascii_digit());
        if is_fence || is_code || begins || line.is_empty() {
            flush(&mut paragraph, &mut lines, width);
        }
        is_code ^= is_fence;
        match line {
            _ if is_fence || (!is_code && line.starts_with(['<', '!'])) => {}
            _ if is_code => lines.push(format!("    {line}")),
            "" if lines.last().is_some_and(String::is_empty) => {}
            "" => lines.push(String::new()),
            _ if line.starts_with('|') => lines.push(without_links(line)),
            _ => {
                paragraph.push(' ');
                paragraph.push_str(line.trim());
                if line.starts_with('#') {
                    flush(&mut paragraph, &mut lines, width);
                }
            }
        }
    }
    flush(&mut paragraph, &mut lines, width);
    lines.join("\n").trim().to_owned()
}

fn flush(paragraph: &mut String, lines: &mut Vec<String>, width: usize) {
    if !paragraph.is_empty() {
        lines.push(wrap(&without_links(std::mem::take(paragraph).trim_start()), width));
    }
}

/// The words of links without where they lead.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((_, behind)) = after.split_once(')') else { break };
        let (head, words) = before.rsplit_once('[').unwrap_or(("", before));
        out.push_str(head);
        out.push_str(words);
        rest = behind;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(name: &str) -> Option<String> {
        asked(&["tailrank", "help", name].map(OsString::from), 80)
    }

    #[test]
    fn every_topic_is_a_text_without_marks() {
        for (name, ..) in TOPICS {
            let text = help(name).unwrap();
            assert!(text.starts_with('#') && text.lines().count() > 8, "{name}: {text}");
            assert!(!text.contains("<!--") && !text.contains("```") && !text.contains("]("), "{text}");
        }
        assert!(help("costs").unwrap().len() < help("verdicts").unwrap().len() / 2);
        assert!(help("run").is_none());
    }

    #[test]
    fn a_term_is_its_entry_of_the_glossary() {
        assert_eq!(help("false-alarm").unwrap(), "### False alarm\nA signal without an event on its side.");
        assert!(help("false").is_none());
    }

    #[test]
    fn a_section_ends_where_the_next_begins() {
        let chapter = "# A\n\n## B\none\n\n## C\ntwo\n";
        assert_eq!(section(chapter, "## B"), "## B\none\n");
        assert_eq!(section(chapter, "## C"), "## C\ntwo\n");
        assert_eq!(as_text("a [b](c.md#d) e\nf\n\n<!-- x -->\n- g", 80), "a b e f\n\n- g");
    }
}
