//! Lines of text whose parts have a tone, printed plain or with the codes of a terminal.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use super::{one_line, wrap_hanging};

/// How a part of a line stands out on a terminal. Without colours all tones look the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    #[default]
    Plain,
    /// Bold.
    Strong,
    /// Dim: notes and headings.
    Dim,
    /// Bold green: a model to use.
    Good,
    /// Bold yellow: no model, and warnings.
    Caution,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Strong => Style::new().bold(),
            Self::Dim => Style::new().dimmed(),
            Self::Good => Style::new().bold().fg_color(Some(AnsiColor::Green.into())),
            Self::Caution => Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())),
        }
    }
}

/// One line: texts with their tones, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(Tone, String)>);

impl Line {
    /// A line in one tone.
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self(vec![(tone, text.into())])
    }

    /// Adds a part.
    #[must_use]
    pub fn and(mut self, tone: Tone, text: impl Into<String>) -> Self {
        self.0.push((tone, text.into()));
        self
    }

    fn print(&self, colour: bool) -> String {
        let mut out = String::new();
        let last = self.0.len().saturating_sub(1);
        for (i, (tone, text)) in self.0.iter().enumerate() {
            // A line break in a name must not break the layout.
            let text = one_line(text);
            let text = if i == last { text.trim_end() } else { &text };
            match tone.style() {
                style if colour && *tone != Tone::Plain => out.push_str(&format!("{style}{text}{style:#}")),
                _ => out.push_str(text),
            }
        }
        out
    }
}

/// What a command prints at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    lines: Vec<Line>,
}

impl Screen {
    /// Adds a line.
    pub fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Adds an empty line, unless the screen is empty or ends with one.
    pub fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.0.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// Adds text in one tone, wrapped to `width`, with later lines indented by `hang`.
    pub fn wrapped(&mut self, tone: Tone, text: &str, width: usize, hang: usize) {
        let text = one_line(text);
        for line in wrap_hanging(&text, width, hang).lines() {
            self.push(Line::new(tone, line));
        }
    }

    /// Adds `head` in its own tone and then `rest`, wrapped together.
    pub fn headed(&mut self, (tone, head): (Tone, &str), rest: &str, width: usize, hang: usize) {
        let whole = one_line(&format!("{head}{rest}"));
        let mut left = head.width();
        for line in wrap_hanging(&whole, width, hang).lines() {
            let cut = line.char_indices().map(|(i, _)| i).nth(left).unwrap_or(line.len());
            let (strong, plain) = line.split_at(cut);
            // The break took one blank.
            left = left.saturating_sub(line.chars().count() + 1);
            let parts = if strong.is_empty() { Line::default() } else { Line::new(tone, strong) };
            self.push(parts.and(Tone::Plain, plain));
        }
    }

    /// Adds the lines of another screen.
    pub fn extend(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing is to be printed.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The text, with the codes of a terminal if `colour`; no line ends in blanks, nor the text in a line
    /// break.
    pub fn text(&self, colour: bool) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| line.print(colour)).collect();
        lines.join("\n").trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_show_on_terminals_only() {
        let mut screen = Screen::default();
        screen.headed((Tone::Good, "USE a b."), " It is good.", 9, 0);
        assert_eq!(screen.text(false), "USE a b.\nIt is\ngood.");
        assert_eq!(screen.text(true), "\u{1b}[1m\u{1b}[32mUSE a b.\u{1b}[0m\nIt is\ngood.");
        let mut broken = Screen::default();
        broken.headed((Tone::Strong, "one two"), " three", 5, 0);
        assert_eq!(broken.text(true), "\u{1b}[1mone\u{1b}[0m\n\u{1b}[1mtwo\u{1b}[0m\nthree");
    }

    #[test]
    fn names_cannot_command_the_terminal() {
        let mut screen = Screen::default();
        screen.push(Line::new(Tone::Dim, "a\u{1b}[31mb\nc"));
        assert_eq!(screen.text(true), "\u{1b}[2ma\\u001b[31mb\\nc\u{1b}[0m");
    }
}
