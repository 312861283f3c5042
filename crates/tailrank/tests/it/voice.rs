//! Everything a person reads is plain English: no phrase that readers stumbled over, no endless sentence, the
//! typographic minus.

use serde_json::Value;

use crate::{Desk, denied::recommendations, noise};

/// Phrases that first-time readers did not understand.
const BANNED: [&str; 32] = [
    "What comes is",
    "says nothing of",
    "cannot be told",
    "are level",
    "is level with",
    "run against each other",
    "of the way from",
    "for want of",
    "want of room",
    "comes along",
    "come along",
    "stands at the edge",
    "passed over",
    "going on where",
    "goes on where",
    "go on where",
    "less happy",
    "held against",
    "cries",
    "is no valid",
    "without learning anything",
    "clearly tell",
    "it is; without the question",
    "go before the bundled",
    "by luck",
    "than luck",
    " variant",
    " variants",
    " cell ",
    " cells",
    "won before",
    "take this model",
];

const LONGEST: usize = 25;

/// Text of one kind: prose is checked for the length of its sentences, data for nothing but its words.
struct Printed {
    source: String,
    text: String,
    is_prose: bool,
}

impl Printed {
    fn prose(source: impl Into<String>, text: impl Into<String>) -> Self {
        Self { source: source.into(), text: text.into(), is_prose: true }
    }

    fn data(source: impl Into<String>, text: impl Into<String>) -> Self {
        Self { is_prose: false, ..Self::prose(source, text) }
    }
}

/// Wrapped lines put together again: a paragraph ends at a blank line, and where a table, an option or a
/// command begins.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let bare = line.trim();
        let is_table = bare.contains("  ") || bare.contains('│');
        let begins = bare.starts_with('-') || bare.starts_with("tailrank ") || bare.starts_with("Usage:");
        if bare.is_empty() || is_table {
            open = false;
            continue;
        }
        match all.last_mut().filter(|_| open && !begins) {
            Some(last) => {
                last.push(' ');
                last.push_str(bare);
            }
            None => all.push(bare.to_owned()),
        }
        open = !(bare.starts_with("tailrank ") || bare.ends_with(':'));
    }
    all
}

fn sentences(paragraph: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut words = paragraph.split(' ').peekable();
    while let Some(word) = words.next() {
        let last = all.last_mut().unwrap();
        last.push_str(word);
        last.push(' ');
        let ends = word.ends_with(['.', '?', '!', ';', ':']) && word.len() > 2;
        if ends && words.peek().is_some() {
            all.push(String::new());
        }
    }
    all
}

fn words(sentence: &str) -> usize {
    sentence.split_whitespace().filter(|w| w.chars().any(char::is_alphanumeric)).count()
}

/// A hyphen that stands for a minus: before a digit, after a blank or a bracket, outside commands.
fn has_ascii_minus(line: &str) -> bool {
    let is_command = ["tailrank ", "--", "http", "jq ", " = "].iter().any(|c| line.contains(c));
    let letters: Vec<char> = line.chars().collect();
    !is_command && letters.windows(3).any(|w| " ([|→".contains(w[0]) && w[1] == '-' && w[2].is_ascii_digit())
}

fn check(printed: &[Printed]) {
    let mut wrong = Vec::new();
    for Printed { source, text, is_prose } in printed {
        for phrase in BANNED {
            if let Some(at) = text.find(phrase) {
                let from = text[..at].char_indices().rev().nth(40).map_or(0, |(i, _)| i);
                let around: String = text[from..].chars().take(110).collect();
                wrong.push(format!("{source}: {phrase:?} in …{}…", around.replace('\n', " ")));
            }
        }
        if *is_prose {
            for sentence in paragraphs(text).iter().flat_map(|p| sentences(p)) {
                if words(&sentence) > LONGEST {
                    wrong.push(format!("{source}: {} words: {sentence}", words(&sentence)));
                }
            }
            for line in text.lines().filter(|l| has_ascii_minus(l)) {
                wrong.push(format!("{source}: an ASCII minus: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every string of a JSON document.
fn strings(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, all)),
        Value::Object(pairs) => pairs.values().for_each(|item| strings(item, all)),
        _ => {}
    }
}

fn page_text(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let tag = after.split('>').next().unwrap_or_default();
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
        for whole in ["script", "style"] {
            if tag.starts_with(whole) {
                rest = rest.split_once(&format!("</{whole}>")).map_or("", |(_, rest)| rest);
            }
        }
        out.push_str(if ["td", "th", "/td", "/th", "span", "/span"].iter().any(|t| tag.starts_with(t)) {
            "  "
        } else {
            "\n\n"
        });
    }
    (out + rest).replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'").replace("&amp;", "&")
}

/// Texts between quotation marks of a script, with what is put into them left out; words with a blank alone,
/// the rest are names.
fn literals(script: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in script.lines().filter(|l| !l.trim_start().starts_with("//")) {
        let mut letters = line.chars().peekable();
        while let Some(quote) = letters.next() {
            if !"\"'`".contains(quote) {
                continue;
            }
            let (mut text, mut depth) = (String::new(), 0);
            while let Some(c) = letters.next() {
                match c {
                    '$' if letters.peek() == Some(&'{') => depth += 1,
                    '}' if depth > 0 => {
                        depth -= 1;
                        text.push('…');
                    }
                    c if c == quote && depth == 0 => break,
                    c if depth == 0 => text.push(c),
                    _ => {}
                }
            }
            if text.trim().contains(' ') {
                all.push(text);
            }
        }
    }
    all
}

const COMMANDS: [&str; 16] = [
    "run",
    "check",
    "init",
    "score",
    "rank",
    "report",
    "predict",
    "export",
    "explain",
    "compare",
    "reproduce",
    "list",
    "slurm",
    "status",
    "completions",
    "man",
];

#[test]
fn help_and_lists_are_plain() {
    let desk = Desk::new();
    let mut all = vec![Printed::prose("--help", desk.stdout(&["--help"], 0))];
    for command in COMMANDS {
        all.push(Printed::prose(format!("{command} --help"), desk.stdout(&[command, "--help"], 0)));
    }
    for what in ["models", "steps", "metrics", "studies", "data"] {
        all.push(Printed::data(format!("list {what}"), desk.stdout(&["list", what], 0)));
    }
    check(&all);
}

/// Prices with bursts, and a table with rare high values that one column announces.
fn files(desk: &Desk) {
    let (mut prices, mut price) = (String::from("Date,Close\n"), 100.0);
    for (i, r) in noise(900).enumerate() {
        price *= 1.0 + 0.02 * r + if i % 17 == 0 { 0.05 * r } else { 0.0 };
        prices.push_str(&format!("{}-{:02}-{:02},{price}\n", 2000 + i / 336, (i / 28) % 12 + 1, i % 28 + 1));
    }
    desk.write("prices.csv", prices);
    let mut table = String::from("x,w,y\n");
    let values: Vec<f64> = noise(1200).collect();
    for pair in values.chunks(2) {
        table.push_str(&format!("{},{},{}\n", pair[0], pair[1], (4.0 * pair[0]).exp() + pair[1]));
    }
    desk.write("table.csv", table);
    let mut predictions = String::from("y,good,poor\n");
    for pair in values.chunks(2) {
        let y = 6.0 * pair[0].powi(3);
        predictions.push_str(&format!("{y},{},{}\n", 0.9 * y + 0.1 * pair[1], 0.2 * pair[1]));
    }
    desk.write("p.csv", predictions);
}

#[test]
fn what_commands_print_is_plain() {
    let desk = Desk::new();
    files(&desk);
    let mut all = Vec::new();
    for (data, more) in
        [("prices.csv", &[][..]), ("table.csv", &["--target", "y", "--models", "linear,mars,boost"])]
    {
        let toml = format!("{}.toml", data.split('.').next().unwrap());
        let arguments = [&["init", data, "--out", &toml][..], more].concat();
        all.push(Printed::prose(format!("init {data}"), desk.stdout(&arguments, 0)));
        let text = desk.read(&toml);
        let comments: Vec<&str> = text.lines().filter_map(|l| Some(l.split_once('#')?.1.trim())).collect();
        all.push(Printed::prose(toml.clone(), comments.join("\n\n")));
        all.push(Printed::prose(format!("check {toml}"), desk.stdout(&["check", &toml], 0)));
        let run = format!("runs/{}", data.split('.').next().unwrap());
        let output = desk.tailrank(&["run", &toml, "--explain"]).output().unwrap();
        assert!(output.status.success(), "{}", crate::text(&output.stderr));
        all.push(Printed::prose(format!("run {toml}"), crate::text(&output.stdout)));
        all.push(Printed::data(format!("notes of run {toml}"), crate::text(&output.stderr)));
        all.push(Printed::prose(format!("status {run}"), desk.stdout(&["status", &run], 0)));
        all.push(Printed::prose(format!("explain {run}"), desk.stdout(&["explain", &run], 0)));
        all.push(Printed::prose(format!("compare {run}"), desk.stdout(&["compare", &run, &run], 0)));
        let json: Value = serde_json::from_str(&desk.stdout(&["run", &toml, "--json"], 0)).unwrap();
        let mut said = Vec::new();
        for key in ["event", "sentences", "tasks_in_words", "failures"] {
            strings(&json[key], &mut said);
        }
        assert!(said.len() > 3, "{said:?}");
        all.push(Printed::prose(format!("run {toml} --json"), said.join("\n\n")));
        let page = desk.read(&format!("{run}/report/index.html"));
        all.push(Printed::data(format!("page of {run}"), page_text(&page)));
        for (path, bytes) in crate::files(&desk.path(&format!("{run}/report"))) {
            let name = path.display().to_string();
            match path.extension().and_then(|e| e.to_str()) {
                Some("svg") => {
                    let text = crate::text(&bytes);
                    assert!(page_text(&text).contains(' '), "{name} has no text");
                    all.push(Printed::prose(format!("{name} of {run}"), page_text(&text)));
                }
                Some("js") if name == "report.js" => {
                    let said = literals(&crate::text(&bytes));
                    assert!(said.len() > 100, "{} strings", said.len());
                    let found = recommendations(
                        &said.join("\n\n").replace("use strict", "").replace("… is better", ""),
                    );
                    assert!(found.is_empty(), "the page's scripts recommend: {found:?}");
                    all.push(Printed::prose(name, said.join("\n\n")));
                }
                _ => {}
            }
        }
    }
    let by = ["score", "p.csv", "--low", "-2", "--high", "2", "--t-l", "0.5", "--explain"];
    all.push(Printed::prose("score", desk.stdout(&by, 0)));
    all.push(Printed::prose("rank", desk.stdout(&["rank", "runs/table/results/scores.csv"], 0)));
    check(&all);
}

#[test]
fn the_check_itself_finds_what_it_looks_for() {
    let long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                seventeen eighteen nineteen twenty and one and two and three and four.";
    assert!(words(&sentences(long)[0]) > LONGEST);
    assert!(has_ascii_minus("a slope of -0.5") && has_ascii_minus("(-3 or less)"));
    assert!(
        !has_ascii_minus("tailrank score p.csv --low -2")
            && !has_ascii_minus("2008-07-11")
            && !has_ascii_minus("−2")
    );
    assert_eq!(
        literals("a(\"one two\", `three ${x ? \"y\" : z} four`, \"name\") // no"),
        ["one two", "three … four"]
    );
    assert_eq!(paragraphs("one\ntwo.\n\nthree"), ["one two.", "three"]);
    assert_eq!(
        page_text("<p>A <b>b</b></p><script>x</script>").split_whitespace().collect::<Vec<_>>(),
        ["A", "b"]
    );
}
