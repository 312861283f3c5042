//! Every figure, drawn from small inputs that are the same everywhere.

use tailrank_data::Date;
use tailrank_metrics::{
    Accuracy, Better, EpisodeMeetings, EpisodeRule, Measure, Relevance,
    classification::RankedCounts,
    pr_curve,
    rec::{self, Interval, RecError, RecSurface, StepCurve, even_grid, partial_rec_curve, rec_curve},
    relevance::Flank,
    trading::{TradingRecord, TradingRule},
    utility::Ut08,
};
use tailrank_models::Params;
use tailrank_report::figures::*;
use tailrank_score::score::{AcrossTasks, VariantId};

/// Names of variants and families, with `mark` in each.
struct Names {
    labels: Vec<String>,
    families: Vec<String>,
    text: String,
}

impl Names {
    fn new(mark: &str) -> Self {
        let labels = ["nnet 5/.01", "nnet 20/.1", "mars 1", "svm 400/.01", "forest 50", "knn 3"];
        // Families keep their names where the mark is empty, so that their colours are tested too.
        let families = ["nnet", "nnet", "mars", "svm", "forest", "knn"];
        let with = |texts: [&str; 6]| texts.iter().map(|t| format!("{t}{mark}")).collect();
        Self { labels: with(labels), families: with(families), text: format!("KO 3d{mark}") }
    }

    fn variants(&self) -> Vec<Variant<'_>> {
        self.labels.iter().zip(&self.families).map(|(label, family)| Variant { label, family }).collect()
    }
}

/// Numbers in −1..1 without a generator: the fractional parts of multiples of the golden ratio.
fn spread(i: usize, salt: f64) -> f64 {
    2.0 * ((i as f64 + salt) * 0.618_033_988_749_895).fract() - 1.0
}

/// Returns with heavy tails, and predictions of them that get a share `skill` of each right.
fn series(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.015 * spread(i, 1.0) + 0.05 * spread(i, 1.0).powi(9)).collect()
}

fn predictions(truth: &[f64], skill: f64) -> Vec<f64> {
    truth.iter().enumerate().map(|(i, y)| skill * y + 0.008 * spread(i, 7.3)).collect()
}

/// Two grids: one parameter, and two.
fn grid_of(
    heading: Heading<'_>,
    symbol: &str,
    names: &Names,
    f: &Scores<'_>,
) -> tailrank_report::Result<Figure> {
    let variants = names.variants();
    let size = |size: i64| Params::new().with("size", size);
    let svm = |cost: i64, gamma: f64| Params::new().with("cost", cost).with("gamma", gamma);
    let parameters = [size(5), size(20), Params::new(), svm(100, 0.01), svm(400, 0.01), svm(100, 0.1)];
    let of = |i: usize| GridVariant {
        variant: if i > 2 { Variant { family: variants[3].family, ..variants[i] } } else { variants[i] },
        parameters: &parameters[i],
        score: f.values[i],
        interval: f.values[i].map(|v| (v - 0.05, v + 0.07)),
        tied: i == 4,
    };
    grid(
        heading,
        &Grid {
            score: Quantity::new(symbol, ""),
            better: Better::Higher,
            variants: (0..6).map(of).collect(),
            by_chance: Some(0.12),
            baseline: Some(0.2),
        },
    )
}

/// Average ranks of models by a measure.
pub(crate) fn across(measure: Measure, ranks: Vec<f64>, cd: f64, groups: Vec<Vec<usize>>) -> AcrossTasks {
    AcrossTasks {
        measure,
        variants: VariantId::all(ranks.len()).collect(),
        average_ranks: ranks,
        friedman: None,
        iman_davenport: None,
        critical_difference: Some(cd),
        groups,
    }
}

/// Name and document of every figure; `mark` stands in every name that a user could give.
pub(crate) fn draw_all(mark: &str) -> Vec<(&'static str, String)> {
    draw_all_on(None, mark)
}

/// [`draw_all`], set for a printed page.
pub(crate) fn draw_all_on(paper: Option<Paper>, mark: &str) -> Vec<(&'static str, String)> {
    let names = Names::new(mark);
    let variants = names.variants();
    let heading = Heading { paper, ..Heading::of(&names.text) };
    let unit = format!("3-day return{mark}");
    let target = Quantity::percent(&unit);
    let error = Quantity::percent("absolute error");
    let symbol = [format!("MAD{mark}"), format!("F{mark}"), format!("SERA{mark}")];
    let scores = |k: usize, better, values: [Option<f64>; 6]| Scores {
        symbol: &symbol[k],
        better,
        values: values.to_vec(),
    };
    let mad = scores(0, Better::Lower, [0.0121, 0.0119, 0.0125, 0.0152, 0.0131, 0.0128].map(Some));
    let f = scores(1, Better::Higher, [None, None, Some(0.08), Some(0.31), Some(0.22), Some(0.08)]);
    let sera = scores(2, Better::Lower, [1.9, 1.8, 1.7, 1.2, 1.5, 1.4].map(Some));

    let truth = series(120);
    let phi = Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap();
    let accuracy = Accuracy::smooth(0.005, 8.0).unwrap();
    let some = [variants[0], variants[1], variants[3]];
    let predicted: Vec<Vec<f64>> = [0.2, 0.5, 0.9].iter().map(|&s| predictions(&truth, s)).collect();
    let each = |make: &dyn Fn(&[f64]) -> StepCurve| -> Vec<VariantCurve<'_>> {
        some.iter().zip(&predicted).map(|(&variant, p)| VariantCurve { variant, curve: make(p) }).collect()
    };
    let whole = each(&|p| rec_curve(&truth, p, RecError::Absolute).unwrap());
    let small = Interval::at_most(0.005).unwrap();
    let at_small = each(&|p| rec::partial_y_cdf(&truth, p, RecError::Absolute, small).unwrap());
    let ranges = [Interval::at_most(-0.01).unwrap(), Interval::new(-0.01, 0.01).unwrap()];
    let on_range = |range: Interval| RangePanel {
        range,
        curves: each(&|p| partial_rec_curve(&truth, p, RecError::Absolute, range).unwrap()),
    };
    let errors = even_grid(Interval::new(0.0, 0.03).unwrap(), 12).unwrap();
    let targets = even_grid(Interval::new(-0.05, 0.05).unwrap(), 14).unwrap();
    let of_third = RecSurface::new(&truth, &predicted[2], RecError::Absolute, errors, targets).unwrap();
    let of_pr = |k: usize| {
        let curve = pr_curve(&truth, &predicted[k], &phi, &accuracy).unwrap();
        VariantCurve { variant: some[k], curve }
    };
    let pr = [0, 1, 2].map(of_pr);
    let axis: Vec<f64> = (0..=16).map(|i| -0.04 + 0.005 * f64::from(i)).collect();
    let utility = Ut08::new(1.0, 0.01, 0.6, None).unwrap();
    let heights = utility.surface(&axis, &axis, &phi).unwrap();
    let ranking = |k: usize| {
        let curve = RankedCounts::of_events(&truth, &predicted[k], &phi, 1e-3, Flank::High).unwrap();
        VariantCurve { variant: some[k], curve }
    };
    let rankings = [0, 1, 2].map(ranking);
    let dates: Vec<Date> = (0..truth.len())
        .map(|i| Date::constant(2000 + (i / 24) as i16, 1 + (i % 24 / 2) as i8, 1 + 14 * (i % 2) as i8))
        .collect();
    let prices: Vec<f64> = truth
        .iter()
        .scan(50.0, |p, r| {
            *p *= 1.0 + r;
            Some(*p)
        })
        .collect();
    let records: Vec<TradingRecord> =
        predicted.iter().map(|p| TradingRecord::new(&truth, p, TradingRule::new(0.01, 3)).unwrap()).collect();
    let traded =
        |k: usize, note| EquityCurve { variant: some[k], note, equity: records[k].one_position().equity };
    let averages = [
        across(
            Measure::Mad,
            vec![1.5, 1.9, 2.8, 5.6, 4.4, 4.8],
            2.1,
            vec![vec![0, 1, 2], vec![2, 4, 5], vec![4, 5, 3]],
        ),
        across(
            Measure::F,
            vec![5.4, 5.5, 3.9, 1.1, 2.0, 3.1],
            2.1,
            vec![vec![3, 4, 5], vec![5, 2], vec![2, 0, 1]],
        ),
    ];
    let measures = averages.iter().collect();
    let tasks: Vec<String> = ["KO 1d", "KO 3d", "IBM 5d"].iter().map(|t| format!("{t}{mark}")).collect();

    let pair = MeasurePair { variants: variants.clone(), a: mad.clone(), b: f.clone() };
    let drawn = [
        ("top_lists", top_lists(heading, &pair, 3, None)),
        ("rank_scatter", rank_scatter(heading, &pair, 3)),
        (
            "rank_flow",
            rank_flow(
                heading,
                &RankFlow {
                    variants: variants.clone(),
                    measures: vec![mad.clone(), sera, f.clone()],
                    ranges: vec![vec![Some((1.0, 3.0)); 6], vec![None; 6], vec![Some((1.0, 2.5)); 6]],
                },
            ),
        ),
        (
            "trade_off",
            trade_off(
                heading,
                &TradeOff {
                    scores: pair.clone(),
                    units: [Quantity::percent(&symbol[0]), Quantity::new(&symbol[1], "")],
                    points: (0..6)
                        .map(|i| TradeOffPoint {
                            a: mad.values[i].map(|v| (v - 0.0004, v + 0.0005)),
                            b: f.values[i].map(|v| (v - 0.05, v + 0.07)),
                            tied: i == 3 || i == 4,
                            reference: i == 5,
                        })
                        .collect(),
                },
            ),
        ),
        ("grid", grid_of(heading, &symbol[1], &names, &f)),
        (
            "what_you_get",
            events_vs_false_alarms(
                heading,
                &EventsVsFalseAlarms {
                    models: (0..6)
                        .map(|i| Got {
                            variant: variants[i],
                            caught: [0, 0, 8, 31, 40, 90][i],
                            false_alarms: [0, 2, 20, 60, 190, 600][i],
                            reference: i == 5,
                        })
                        .collect(),
                    steps: vec![
                        (0.0, None),
                        (1.935, Some(variants[3].label)),
                        (14.4, Some(variants[4].label)),
                    ],
                    events: 120,
                    rate: tailrank_report::Rate { factor: 0.1, unit: "a year" },
                },
            ),
        ),
        (
            "critical_difference",
            critical_difference(
                heading,
                &CriticalDifference { variants: variants.clone(), measures, tasks: 12, alpha: 0.05 },
            ),
        ),
        (
            "episodes",
            episodes(
                heading,
                &EpisodeStrip {
                    variant: variants[3],
                    dates: Some(&dates),
                    rows: truth.len(),
                    met: vec![EpisodeMeetings::of(
                        &truth.iter().map(|y| *y > 0.012).collect::<Vec<_>>(),
                        &(0..truth.len()).map(|i| i % 11 == 3).collect::<Vec<_>>(),
                        EpisodeRule { gap: 2, lead: 2, cooldown: 3 },
                    )],
                    note: "median signal 2 rows ahead",
                },
            ),
        ),
        (
            "relevance",
            relevance(heading, &RelevanceFigure { target, values: &truth, relevance: &phi, t_e: 0.5 }),
        ),
        ("utility_surface", utility_surface(heading, target, &axis, &heights)),
        ("rec_curves", rec_curves(heading, error, &whole)),
        ("rec_surface", rec_surface(heading, some[2], target, &of_third, Flank::Low)),
        ("partial_rec", partial_rec(heading, target, &ranges.map(on_range))),
        ("partial_y_cdf", partial_y_cdf(heading, &PartialYCdf { target, range: small, curves: at_small })),
        ("pr_curves", pr_curves(heading, &pr, 0.5)),
        ("zeta", zeta(heading, error, &utility, 0.01)),
        ("event_curves", event_curves(heading, "high events", &rankings)),
        (
            "pair_matrix",
            pair_matrix(
                heading,
                &PairMatrix {
                    variants: variants.clone(),
                    symbol: &symbol[0],
                    test: "Diebold and Mariano's test",
                    p: (0..6)
                        .map(|i| {
                            (0..6)
                                .map(|j| {
                                    [None, Some(0.0004), Some(0.004), Some(0.03), Some(0.4)][(i * j) % 5]
                                })
                                .collect()
                        })
                        .collect(),
                },
            ),
        ),
        (
            "predicted_true",
            predicted_true(
                heading,
                &PredictedTrue {
                    variant: some[2],
                    target,
                    truth: &truth,
                    predicted: &predicted[2],
                    relevance: &phi,
                    t_e: 0.5,
                    accuracy: Some(&accuracy),
                    dates: None,
                },
            ),
        ),
        (
            "over_time",
            predicted_true(
                heading,
                &PredictedTrue {
                    variant: some[2],
                    target,
                    truth: &truth,
                    predicted: &predicted[2],
                    relevance: &phi,
                    t_e: 0.5,
                    accuracy: Some(&accuracy),
                    dates: Some(&dates),
                },
            ),
        ),
        (
            "forest",
            forest(
                heading,
                &Forest {
                    score: Quantity::new("F", ""),
                    better: Better::Higher,
                    finding: format!("{} has the highest F: 0.330", some[0].label),
                    rows: some
                        .iter()
                        .zip([(0.33, 0.29, 0.37), (0.3, 0.26, 0.35), (0.13, 0.1, 0.15)])
                        .enumerate()
                        .map(|(k, (&variant, (score, low, high)))| ForestRow {
                            name: variant.label,
                            variant,
                            score: Some(score),
                            interval: Some((low, high)),
                            tied: k == 1,
                            reference: k == 2,
                            chance: None,
                            baseline: None,
                        })
                        .collect(),
                    left_out: 2,
                    chance: Some(0.08),
                    baseline: Some(0.13),
                },
            ),
        ),
        (
            "equity",
            equity(
                heading,
                &Equity {
                    dates: Some(&dates),
                    prices: &prices,
                    curves: vec![traded(0, "lowest MAD"), traded(2, "highest F")],
                },
            ),
        ),
        (
            "signals",
            signals(
                heading,
                &Signals {
                    variant: some[2],
                    price: Quantity::new("price", "USD"),
                    prices: &prices,
                    dates: Some(&dates),
                    trades: records[2].trades(),
                },
            ),
        ),
        (
            "rank_heat_map",
            rank_heat_map(
                heading,
                &RankHeatMap {
                    symbol: &symbol[1],
                    tasks: tasks.iter().map(String::as_str).collect(),
                    variants: variants.clone(),
                    ranks: vec![
                        vec![Some(5.5), Some(5.5), Some(3.0), Some(1.0), Some(2.0), Some(4.0)],
                        vec![Some(4.0), Some(5.5), Some(5.5), Some(2.0), Some(1.0), Some(3.0)],
                        vec![Some(4.0), None, Some(5.0), Some(1.0), Some(2.0), Some(3.0)],
                    ],
                },
            ),
        ),
    ];
    drawn.map(|(name, figure)| (name, figure.unwrap_or_else(|e| panic!("{name}: {e}")).svg)).to_vec()
}
