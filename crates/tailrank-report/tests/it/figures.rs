//! Figures: stable bytes, well-formed XML, text alternatives, no name becomes markup, bad input is refused.

use crate::figures_inputs;

use std::path::PathBuf;

use figures_inputs::{across, draw_all, draw_all_on};
use quick_xml::{Reader, events::Event};
use tailrank_metrics::{Better, Measure, Relevance};
use tailrank_models::Params;
use tailrank_report::figures::*;

/// Set this to rewrite the golden files from what is drawn now.
const BLESS: &str = "TAILRANK_BLESS";

/// Names as an attacker, or a careless user, would give them.
const HOSTILE: &str = "</text><script>alert('1')</script> & \"]]> \u{0}\u{8} <!-- ";

/// An element's name and its attributes.
type Tag = (String, Vec<(String, String)>);

/// Start tags with their attributes, and all text; panics where the document is not well-formed.
fn parse(name: &str, svg: &str) -> (Vec<Tag>, String) {
    let mut reader = Reader::from_str(svg);
    reader.config_mut().check_comments = true;
    let (mut tags, mut text, mut depth) = (Vec::new(), String::new(), 0);
    loop {
        match reader.read_event().unwrap_or_else(|e| panic!("{name}: {e}")) {
            Event::Start(e) => {
                depth += 1;
                tags.push(tag(name, &e));
            }
            Event::Empty(e) => tags.push(tag(name, &e)),
            Event::End(_) => depth -= 1,
            Event::Text(t) => text.push_str(&t.decode().unwrap()),
            Event::GeneralRef(r) => text.push_str(&format!("&{};", r.decode().unwrap())),
            Event::Eof => break,
            other => panic!("{name}: unexpected {other:?}"),
        }
    }
    assert_eq!(depth, 0, "{name}: an element is left open");
    (tags, text)
}

fn tag(name: &str, e: &quick_xml::events::BytesStart<'_>) -> Tag {
    let attributes = e
        .attributes()
        .map(|a| {
            let a = a.unwrap_or_else(|e| panic!("{name}: {e}"));
            (
                String::from_utf8_lossy(a.key.as_ref()).into_owned(),
                String::from_utf8_lossy(&a.value).into_owned(),
            )
        })
        .collect();
    (String::from_utf8_lossy(e.name().as_ref()).into_owned(), attributes)
}

#[test]
fn figures_equal_the_golden_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let bless = std::env::var_os(BLESS).is_some();
    let mut different = Vec::new();
    for (name, svg) in draw_all("") {
        let path = folder.join(format!("{name}.svg"));
        if bless {
            std::fs::write(&path, &svg).unwrap();
        }
        if std::fs::read_to_string(&path).ok().as_deref() != Some(svg.as_str()) {
            different.push(name);
        }
    }
    assert!(
        different.is_empty(),
        "these figures changed: {different:?}; look at them, then run the test once with {BLESS}=1"
    );
}

#[test]
fn figures_are_well_formed_and_have_text_alternatives() {
    for (name, svg) in draw_all("") {
        let (tags, _) = parse(name, &svg);
        let kinds: Vec<&str> = tags.iter().map(|t| t.0.as_str()).collect();
        assert_eq!(kinds[..3], ["svg", "title", "desc"], "{name}");
        assert!(svg.contains("role=\"img\""), "{name}");
        let title = svg.split("<title>").nth(1).and_then(|t| t.split("</title>").next()).unwrap();
        let desc = svg.split("<desc>").nth(1).and_then(|t| t.split("</desc>").next()).unwrap();
        assert!(title.len() > 10 && desc.len() > 20, "{name}: '{title}', '{desc}'");
        assert!(svg.len() < 120_000, "{name}: {} bytes", svg.len());
    }
}

#[test]
fn coordinates_are_finite_and_inside_the_page() {
    for (name, svg) in draw_all("") {
        for word in ["NaN", "inf", "Infinity"] {
            assert!(
                !svg.split(['"', ' ', 'M', 'L', 'C', 'h', 'v', 'a'])
                    .any(|t| t == word || t == format!("-{word}")),
                "{name}"
            );
        }
        let (tags, _) = parse(name, &svg);
        let size = |key: &str| {
            tags[0].1.iter().find(|(k, _)| k == key).and_then(|(_, v)| v.parse::<f64>().ok()).unwrap()
        };
        let (width, height) = (size("width"), size("height"));
        for (kind, attributes) in &tags[1..] {
            for (key, value) in attributes {
                let limit = match key.as_str() {
                    "x" | "x1" | "x2" => width,
                    "y" | "y1" | "y2" => height,
                    _ => continue,
                };
                let at: f64 = value.parse().unwrap_or_else(|_| panic!("{name}: {kind} {key}={value}"));
                assert!((-1.0..=limit + 1.0).contains(&at), "{name}: {kind} {key}={value} beyond {limit}");
            }
        }
    }
}

#[test]
fn names_never_become_markup() {
    for (name, svg) in draw_all(HOSTILE) {
        let (tags, text) = parse(name, &svg);
        let known = ["svg", "title", "desc", "style", "rect", "line", "path", "text", "g"];
        assert!(tags.iter().all(|t| known.contains(&t.0.as_str())), "{name}");
        assert!(text.contains("script"), "{name}: the name is not in the figure at all");
        assert!(tags.iter().flat_map(|t| &t.1).all(|(k, _)| !k.starts_with("on") && k != "href"), "{name}");
        assert!(!svg.contains(['\u{0}', '\u{8}']), "{name}: a character that XML cannot hold");
    }
}

/// At a column's width every letter is at least 6 points high, and nothing lies beyond the page.
#[test]
fn figures_for_papers_keep_the_size_of_their_type() {
    for (width, title) in [(84.0, false), (84.0, true), (174.0, false)] {
        for (name, svg) in draw_all_on(Some(Paper { width, title }), "") {
            let (tags, _) = parse(name, &svg);
            let root = |key: &str| tags[0].1.iter().find(|(k, _)| k == key).unwrap().1.clone();
            assert_eq!(root("width"), format!("{width:.2}mm"), "{name}");
            let view: Vec<f64> = root("viewBox").split(' ').map(|v| v.parse().unwrap()).collect();
            let points = width / 25.4 * 72.0 / view[2];
            for (_, attributes) in tags.iter().filter(|t| t.0 == "text") {
                let value = |key: &str| -> f64 {
                    attributes.iter().find(|(k, _)| k == key).unwrap().1.parse().unwrap()
                };
                assert!(
                    value("font-size") * points >= 6.0 - 1e-9,
                    "{name}: {} points",
                    value("font-size") * points
                );
                let inside = (0.0..=view[2]).contains(&value("x")) && (0.0..=view[3]).contains(&value("y"));
                assert!(inside, "{name}: text at {} {}", value("x"), value("y"));
            }
            let titled = svg.contains("font-size=\"15\"");
            assert_eq!(titled, title, "{name}");
        }
    }
}

#[test]
fn drawing_twice_gives_the_same_bytes() {
    assert_eq!(draw_all("x"), draw_all("x"));
}

fn variants(n: usize) -> Vec<Variant<'static>> {
    vec![Variant { label: "a", family: "nnet" }; n]
}

fn scores(values: Vec<Option<f64>>) -> Scores<'static> {
    Scores { symbol: "MAD", better: Better::Lower, values }
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let scatter = |n, values: Vec<Option<f64>>| {
        let data = MeasurePair { variants: variants(n), a: scores(values.clone()), b: scores(values) };
        rank_scatter(Heading::of(""), &data, 3).unwrap_err().to_string()
    };
    assert_eq!(scatter(0, vec![]), "figure 'rank scatter': there is no variant to show");
    assert_eq!(
        scatter(2, vec![Some(1.0)]),
        "figure 'rank scatter': the first measure has 1 entries where 2 are needed"
    );
    assert!(scatter(2, vec![Some(1.0), Some(f64::NAN)]).contains("NaN"));
    let phi = Relevance::sigmoid(None, Some(1.0), 0.5, 1e-4).unwrap();
    let figure = |values: &[f64]| {
        let target = Quantity::new("y", "");
        relevance(Heading::of(""), &RelevanceFigure { target, values, relevance: &phi, t_e: 0.5 })
    };
    assert_eq!(figure(&[]).unwrap_err().to_string(), "figure 'relevance': the target is empty");
    assert_eq!(
        figure(&[1.0, f64::INFINITY]).unwrap_err().to_string(),
        "figure 'relevance': the target row 2 is inf"
    );
    figure(&[3.0, 3.0]).unwrap();
}

#[test]
fn degenerate_input_is_drawn() {
    let one = MeasurePair { variants: variants(1), a: scores(vec![Some(1.0)]), b: scores(vec![None]) };
    let svg = top_lists(Heading::of(""), &one, 5, None).unwrap().svg;
    assert!(svg.contains("No model has a score by MAD"));
    // All tied, all undefined.
    for value in [Some(1.0), None] {
        let data =
            MeasurePair { variants: variants(3), a: scores(vec![value; 3]), b: scores(vec![value; 3]) };
        assert!(rank_scatter(Heading::of(""), &data, 10).unwrap().svg.contains("all models are tied"));
        let flow = RankFlow { variants: variants(3), measures: vec![data.a, data.b], ranges: vec![] };
        rank_flow(Heading::of(""), &flow).unwrap();
    }
}

#[test]
fn five_thousand_points_stay_small() {
    let truth: Vec<f64> = (0..5000).map(|i| 0.04 * (f64::from(i) * 0.7).sin().powi(3)).collect();
    let predicted: Vec<f64> =
        truth.iter().enumerate().map(|(i, y)| 0.6 * y + 0.01 * (i as f64).cos()).collect();
    let phi = Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap();
    let svg = predicted_true(
        Heading::of("many"),
        &PredictedTrue {
            variant: Variant { label: "a", family: "svm" },
            target: Quantity::percent("return"),
            truth: &truth,
            predicted: &predicted,
            relevance: &phi,
            t_e: 0.5,
            accuracy: None,
            dates: None,
        },
    )
    .unwrap()
    .svg;
    assert!(svg.len() < 250_000, "{} bytes", svg.len());
    assert!(svg.matches("<path").count() < 12, "one path per class");
}

#[test]
fn a_title_of_the_users_own_replaces_the_finding() {
    let heading = Heading { title: Some("Mine & only mine"), ..Heading::of("") };
    let data = MeasurePair {
        variants: variants(2),
        a: scores(vec![Some(1.0), Some(2.0)]),
        b: scores(vec![Some(1.0), Some(2.0)]),
    };
    let Figure { title, svg } = rank_scatter(heading, &data, 1).unwrap();
    assert_eq!(title, "Mine & only mine");
    assert!(svg.contains("<title>Mine &amp; only mine</title>") && !svg.contains("rank the 2 models"));
}

/// A small generator for inputs of any size and shape.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Ordinary numbers, ties, zeros, tiny and huge ones.
    fn number(&mut self) -> f64 {
        let size = [1.0, 1.0, 1.0, 0.0, 1e-12, 1e9, 1e-300, 1e300][self.below(8)];
        size * (self.below(2001) as f64 / 1000.0 - 1.0)
    }
}

/// Drawn, and then well-formed without a coordinate that is no number; or refused.
fn check(name: &str, figure: tailrank_report::Result<Figure>) -> usize {
    let Ok(Figure { svg, .. }) = figure else { return 0 };
    parse(name, &svg);
    for (_, attributes) in parse(name, &svg).0 {
        for (key, value) in attributes.iter().filter(|(k, _)| k == "d" || k.starts_with(['x', 'y'])) {
            assert!(
                key == "xmlns" || !(value.contains("NaN") || value.contains("inf")),
                "{name}: {key}={value}"
            );
        }
    }
    1
}

#[test]
fn any_scores_are_drawn_or_refused() {
    let mut random = Random(7);
    let mut drawn = 0;
    for round in 0..150 {
        let n = 1 + random.below(70);
        let labels: Vec<String> = (0..n).map(|i| "x".repeat(1 + i * i % 90)).collect();
        let families: Vec<String> = (0..n).map(|i| format!("f{}", i % (1 + round % 30))).collect();
        let variants: Vec<Variant<'_>> =
            labels.iter().zip(&families).map(|(label, family)| Variant { label, family }).collect();
        let mut scores = |symbol| Scores {
            symbol,
            better: if random.below(2) == 0 { Better::Lower } else { Better::Higher },
            values: (0..n).map(|_| (random.below(5) > 0).then(|| random.number())).collect(),
        };
        let (a, b, c) = (scores("A"), scores("B"), scores("C"));
        let heading = Heading::of("any");
        let top = random.below(12);
        let pair = MeasurePair { variants: variants.clone(), a: a.clone(), b: b.clone() };
        drawn += check("top lists", top_lists(heading, &pair, top, None));
        drawn += check("rank scatter", rank_scatter(heading, &pair, top));
        let flow = RankFlow { variants: variants.clone(), measures: vec![a, b, c], ranges: vec![] };
        drawn += check("rank flow", rank_flow(heading, &flow));
        let range = |random: &mut Random| (random.below(3) > 0).then(|| (random.number(), random.number()));
        let points = (0..n)
            .map(|_| TradeOffPoint {
                a: range(&mut random),
                b: range(&mut random),
                tied: random.below(3) == 0,
                reference: random.below(6) == 0,
            })
            .collect();
        let units = [Quantity::percent("A"), Quantity::new("B", "")];
        let trade = TradeOff { scores: pair, units, points };
        drawn += check("trade-off", trade_off(heading, &trade));
        let parameters: Vec<Params> =
            (0..n as i64).map(|i| Params::new().with("c", i % 7).with("g", i % 3)).collect();
        let of_grid = (0..n).map(|i| GridVariant {
            variant: variants[i],
            parameters: &parameters[i],
            score: flow.measures[0].values[i],
            interval: range(&mut random),
            tied: i % 2 == 0,
        });
        let data = Grid {
            score: units[0],
            better: if round % 2 == 0 { Better::Higher } else { Better::Lower },
            variants: of_grid.collect(),
            by_chance: None,
            baseline: Some(0.5),
        };
        drawn += check("grid", grid(heading, &data));
        let got = variants.iter().map(|&variant| Got {
            variant,
            caught: random.below(40),
            false_alarms: random.below(4000),
            reference: random.below(5) == 0,
        });
        let rate = tailrank_report::Rate { factor: 0.3, unit: "a year" };
        let got = EventsVsFalseAlarms {
            models: got.collect(),
            steps: vec![(0.0, None), (2.5, Some(variants[0].label))],
            events: 50,
            rate,
        };
        drawn += check("what you get", events_vs_false_alarms(heading, &got));
        let ranks: Vec<f64> = (0..n).map(|_| 1.0 + random.below(10 * n) as f64 / 10.0).collect();
        let cd = random.below(2 * n) as f64;
        let groups = tailrank_stats::cliques(&ranks, cd).unwrap();
        let row = across(Measure::F, ranks, cd, groups);
        let cd = CriticalDifference { variants, measures: vec![&row], tasks: 3, alpha: 0.05 };
        drawn += check("critical difference", critical_difference(heading, &cd));
    }
    assert!(drawn > 500, "only {drawn} of 600 were drawn");
}

#[test]
fn any_series_is_drawn_or_refused() {
    use tailrank_metrics::{Accuracy, pr_curve, rec};
    let mut random = Random(11);
    let mut drawn = 0;
    for _ in 0..100 {
        let n = 1 + random.below(60);
        let truth: Vec<f64> = (0..n).map(|_| random.number()).collect();
        let predicted: Vec<f64> = (0..n).map(|_| random.number()).collect();
        let phi = Relevance::sigmoid(Some(-0.5), Some(0.5), 0.5, 1e-4).unwrap();
        let (heading, target) = (Heading::of("any"), Quantity::new("y", ""));
        let variant = Variant { label: "a", family: "svm" };
        let figure = RelevanceFigure { target, values: &truth, relevance: &phi, t_e: 0.5 };
        drawn += check("relevance", relevance(heading, &figure));
        let points = PredictedTrue {
            variant,
            target,
            truth: &truth,
            predicted: &predicted,
            relevance: &phi,
            t_e: 0.5,
            accuracy: None,
            dates: None,
        };
        drawn += check("predicted against true", predicted_true(heading, &points));
        let accuracy = Accuracy::indicator(0.5).unwrap();
        let curve = pr_curve(&truth, &predicted, &phi, &accuracy).unwrap();
        let pr = [VariantCurve { variant, curve }];
        drawn += check("precision-recall curves", pr_curves(heading, &pr, 0.5));
        if let Ok(curve) = rec::rec_curve(&truth, &predicted, rec::RecError::Absolute) {
            let curves = [VariantCurve { variant, curve }];
            drawn += check("REC curves", rec_curves(heading, target, &curves));
        }
    }
    assert!(drawn > 350, "only {drawn} of 400 were drawn");
}
