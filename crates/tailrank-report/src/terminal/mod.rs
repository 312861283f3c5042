//! Text for terminals: lines with tones, tables aligned by what the eye sees, paragraphs wrapped between
//! words.
//!
//! Nothing here prints. A [`Screen`] becomes plain text, or text with colours where a terminal shows them.

mod line;
mod table;

pub use line::{Line, Screen, Tone};
pub(crate) use table::shorten;
pub use table::{Align, TextTable, layout_prose};

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;

/// The text with its control characters written out (`\u001b`), but for line breaks and tabs: names come from
/// data, and a terminal obeys what it is sent. In JSON the written-out form means the same character.
pub fn visible(text: &str) -> Cow<'_, str> {
    let shown = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if text.chars().all(shown) {
        return Cow::Borrowed(text);
    }
    let written = |c: char| if shown(c) { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) };
    Cow::Owned(text.chars().map(written).collect())
}

/// A text on one line, as wide as it looks: names come from data and may hold anything.
fn one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Breaks paragraphs between words so that lines fit `width`; line breaks in `text` stay. A paragraph behind
/// two blanks is a command to copy, and stays whole.
pub fn wrap(text: &str, width: usize) -> String {
    wrap_hanging(text, width, 0)
}

/// [`wrap`] with every line after the first indented by `hang` columns; a blank at the start of a paragraph stays.
pub fn wrap_hanging(text: &str, width: usize, hang: usize) -> String {
    let paragraphs = text.split('\n').map(|paragraph| {
        if paragraph.starts_with("  ") {
            return paragraph.to_owned();
        }
        let bare = paragraph.trim_start_matches(' ');
        let mut out = " ".repeat(paragraph.len() - bare.len());
        let mut used = out.len();
        for (i, word) in pieces(bare).into_iter().enumerate() {
            if i > 0 && used + 1 + word.width() > width {
                out.push('\n');
                out.push_str(&" ".repeat(hang));
                used = hang;
            } else if i > 0 {
                out.push(' ');
                used += 1;
            }
            out.push_str(&word);
            used += word.width();
        }
        out
    });
    paragraphs.collect::<Vec<_>>().join("\n")
}

/// Words of a paragraph; a command to copy is one word: `tailrank`, its subcommand, options with their
/// values, and paths.
fn pieces(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut of_command = 0;
    let mut option_open = false;
    for word in text.split(' ') {
        let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let is_place = bare.contains(['/', '.', '_'])
            || (bare.len() > 1 && bare.chars().all(|c| c.is_ascii_uppercase()));
        let joins =
            of_command == 1 || (of_command > 1 && (bare.starts_with("--") || option_open || is_place));
        match all.last_mut().filter(|_| joins && !bare.is_empty()) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
                of_command += 1;
            }
            None => {
                of_command = usize::from(bare.trim_start_matches(['(', '`']) == "tailrank");
                all.push(word.to_owned());
            }
        }
        option_open = bare.starts_with("--") && !bare.contains('=');
        // What ends a clause ends the command.
        if bare.len() < word.len() {
            of_command = 0;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(visible("t\u{1b}[31mRED\u{7}\n\tnaïve"), "t\\u001b[31mRED\\u0007\n\tnaïve");
        let json = serde_json::json!({ "task": "a\u{9b}b\u{7f}" });
        let read: serde_json::Value = serde_json::from_str(&visible(&json.to_string())).unwrap();
        assert_eq!(read, json);
    }

    #[test]
    fn paragraphs_wrap_between_words() {
        assert_eq!(wrap("one two\nthree", 5), "one\ntwo\nthree");
        assert_eq!(wrap_hanging("one two three", 9, 2), "one two\n  three");
        assert_eq!(
            pieces("now tailrank explain RUN --task T (or tailrank run a/b.toml) shows it"),
            ["now", "tailrank explain RUN --task T", "(or", "tailrank run a/b.toml)", "shows", "it"]
        );
    }
}
