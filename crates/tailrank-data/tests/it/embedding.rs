//! The embedding against a naive double loop, to the bit, and what extra inputs may look at.

use proptest::prelude::*;
use tailrank_data::{
    Calendar, DataError, Dataset, Date, Embedding, ExtraInput, Interval, PriceSeries, Transform, synthetic,
};

fn series(sessions: usize, seed: u64) -> PriceSeries {
    synthetic::series("S", sessions, seed).unwrap()
}

fn of_returns(
    series: &PriceSeries,
    horizon: usize,
    lags: usize,
    extras: &[ExtraInput],
) -> Result<Embedding, DataError> {
    Embedding::of(series, Transform::Return, horizon, lags, extras)
}

fn other_returns(series: PriceSeries, horizon: usize, lags: usize) -> ExtraInput {
    ExtraInput::OtherValues { series, transform: Transform::Return, horizon, lags }
}

/// SPEC's formulas written out: R_h(t) from prices, one row per t, one column per lag.
fn naive(c: &[f64], h: usize, p: usize) -> (Vec<f64>, Vec<f64>, Vec<usize>) {
    let r = |t: usize| (c[t] - c[t - h]) / c[t - h];
    let (mut inputs, mut targets, mut origins) = (Vec::new(), Vec::new(), Vec::new());
    for t in 0..c.len() {
        if t + 1 >= p + h && t + h < c.len() {
            for k in 0..p {
                inputs.push(r(t - k));
            }
            targets.push(r(t + h));
            origins.push(t);
        }
    }
    (inputs, targets, origins)
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

proptest! {
    #[test]
    fn equals_the_naive_loop_to_the_bit(sessions in 3usize..300, h in 1usize..10, p in 1usize..40, seed in 0u64..1000) {
        let series = series(sessions, seed);
        let (inputs, targets, origins) = naive(series.prices(), h, p);
        match Embedding::new(&series, h, p) {
            Err(DataError::TooShort { needed, .. }) => {
                prop_assert!(origins.is_empty());
                prop_assert_eq!(needed, 2 * h + p);
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
            Ok(embedding) => {
                prop_assert_eq!(bits(&embedding.materialise(0..embedding.rows())), bits(&inputs));
                prop_assert_eq!(bits(embedding.targets()), bits(&targets));
                prop_assert_eq!(embedding.rows(), sessions + 1 - 2 * h - p);
                for (row, t) in origins.iter().enumerate() {
                    let interval = embedding.interval(row);
                    prop_assert_eq!((interval.start, interval.origin, interval.end), (t + 1 - p - h, *t, t + h));
                    prop_assert_eq!(embedding.origin_date(row), series.dates()[*t]);
                    prop_assert_eq!(embedding.label_end_date(row), series.dates()[t + h]);
                }
            }
        }
    }

    /// A row depends on the prices of its interval and on no other, extra inputs included.
    #[test]
    fn a_row_uses_its_interval_and_nothing_else(
        h in 1usize..5, p in 1usize..6, window in 1usize..30, lags in 1usize..5, other_h in 1usize..5, skip in 1usize..4,
        pick in 0.0f64..1.0, seed in 0u64..500,
    ) {
        let own = series(90, seed);
        // The other market is closed on some of our sessions.
        let other = thinned(&series(90, seed + 1), skip + 1);
        let extras = |volumes: &PriceSeries, other: PriceSeries| {
            let other = other_returns(other, other_h, lags);
            let extras = [other, ExtraInput::VolumeChange { lags }, ExtraInput::MovingAverage { window }];
            of_returns(volumes, h, p, &extras).unwrap()
        };
        let before = extras(&own, other.clone());
        let row = ((before.rows() - 1) as f64 * pick) as usize;
        let interval = before.interval(row);
        let touch = |s: &PriceSeries, hit: &dyn Fn(usize) -> bool| {
            let position = |i: usize| own.dates().partition_point(|d| *d <= s.dates()[i]) - 1;
            let change = |v: &[f64]| -> Vec<f64> {
                v.iter().enumerate().map(|(i, v)| if hit(position(i)) { v * 1.25 + 1.0 } else { *v }).collect()
            };
            PriceSeries::new("S", s.dates().to_vec(), change(s.prices()), s.volumes().map(change)).unwrap()
        };
        let both = |hit: &dyn Fn(usize) -> bool| {
            let (own, other) = (touch(&own, hit), touch(&other, hit));
            let other = other.renamed("S");
            extras(&own, other)
        };
        let outside = both(&|i| i < interval.start || i > interval.end);
        prop_assert_eq!(bits(&outside.materialise([row])), bits(&before.materialise([row])));
        prop_assert_eq!(outside.targets()[row].to_bits(), before.targets()[row].to_bits());
        // Inputs know nothing after the origin.
        let later = both(&|i| i > interval.origin);
        prop_assert_eq!(bits(&later.materialise([row])), bits(&before.materialise([row])));
        prop_assert!(later.targets()[row] != before.targets()[row]);
        // The look-back is not wider than it must be: its first session matters.
        let first = both(&|i| i == interval.start);
        prop_assert!(bits(&first.materialise([row])) != bits(&before.materialise([row])));
    }
}

/// Every `n`-th session left out.
fn thinned(series: &PriceSeries, n: usize) -> PriceSeries {
    let kept: Vec<usize> = (0..series.len()).filter(|i| i % (n + 1) != n).collect();
    PriceSeries::new(
        series.name(),
        kept.iter().map(|i| series.dates()[*i]).collect(),
        kept.iter().map(|i| series.prices()[*i]).collect(),
        None,
    )
    .unwrap()
}

#[test]
fn extra_inputs_by_hand() {
    let dates: Vec<_> = series(6, 1).dates().to_vec();
    let own = PriceSeries::new(
        "A",
        dates.clone(),
        vec![1.0, 2.0, 4.0, 4.0, 2.0, 8.0],
        Some(vec![1.0, 2.0, 3.0, 6.0, 6.0, 3.0]),
    );
    // The other has no session on the fourth day: its third stands in.
    let pick = |i: &[usize]| i.iter().map(|i| dates[*i]).collect::<Vec<_>>();
    let other = PriceSeries::new("B", pick(&[0, 1, 2, 4]), vec![10.0, 20.0, 30.0, 60.0], None).unwrap();
    let extras = [
        other_returns(other, 1, 2),
        ExtraInput::VolumeChange { lags: 1 },
        ExtraInput::MovingAverage { window: 3 },
    ];
    let embedding = of_returns(&own.unwrap(), 1, 1, &extras).unwrap();
    assert_eq!(embedding.input_names(), ["R1(t)", "B_R1(t)", "B_R1(t-1)", "dV(t)", "MA3(t)"]);
    assert_eq!(embedding.target_name(), "R1(t+1)");
    // Rows at the third, fourth and fifth session.
    let ma = |a: f64, b: f64, c: f64| c / ((a + b + c) / 3.0) - 1.0;
    let expected = [
        [1.0, 0.5, 1.0, 0.5, ma(1.0, 2.0, 4.0)],
        [0.0, 0.5, 1.0, 1.0, ma(2.0, 4.0, 4.0)],
        [-0.5, 1.0, 0.5, 0.0, ma(4.0, 4.0, 2.0)],
    ];
    assert_eq!(embedding.materialise(0..3), expected.concat());
    assert_eq!(embedding.targets(), [0.0, -0.5, 3.0]);
}

#[test]
fn the_hash_follows_the_content() {
    let series = series(200, 1);
    let hash = |e: &Embedding| e.content_hash();
    let base = Embedding::new(&series, 3, 24).unwrap();
    assert_eq!(hash(&base), hash(&Embedding::new(&series.clone().renamed("T"), 3, 24).unwrap()));
    assert_eq!(Dataset::from(base.clone()).content_hash(), hash(&base));
    let ma = [ExtraInput::MovingAverage { window: 5 }];
    let mut prices = series.prices().to_vec();
    prices[100] *= 1.0 + 1e-15;
    let nudged = PriceSeries::new("S", series.dates().to_vec(), prices, None).unwrap();
    let others = [
        Embedding::new(&series, 3, 23).unwrap(),
        Embedding::new(&series, 2, 24).unwrap(),
        of_returns(&series, 3, 24, &ma).unwrap(),
        Embedding::new(&nudged, 3, 24).unwrap(),
    ];
    for (i, a) in others.iter().enumerate() {
        assert_ne!(hash(a), hash(&base), "{i}");
        for b in &others[..i] {
            assert_ne!(hash(a), hash(b));
        }
    }
}

/// Seeds of published runs are drawn from the hash, so its recipe stays: the kind of content, of other than
/// returns what is taken, the four counts, then days, values and extra inputs, each led by its length.
#[test]
fn the_hash_is_blake3_of_what_is_documented() {
    struct Recipe(Vec<u8>);
    impl Recipe {
        fn count(&mut self, count: usize) {
            self.0.extend((count as u64).to_le_bytes());
        }
        fn text(&mut self, text: &str) {
            self.count(text.len());
            self.0.extend(text.as_bytes());
        }
        fn numbers(&mut self, values: &[f64]) {
            self.count(values.len());
            values.iter().for_each(|v| self.0.extend(v.to_le_bytes()));
        }
    }
    let days: Vec<Date> = (1..=6).map(|d| Date::constant(2008, 7, d)).collect();
    let own = PriceSeries::new("A", days.clone(), vec![1.0, 2.0, 4.0, 4.0, 2.0, 8.0], None).unwrap();
    let average = [ExtraInput::MovingAverage { window: 2 }];
    for (transform, name, values) in [
        (Transform::Return, None, vec![1.0, 1.0, 0.0, -0.5, 3.0]),
        (Transform::Difference, Some("difference"), vec![1.0, 2.0, 0.0, -2.0, 6.0]),
    ] {
        let embedding = Embedding::of(&own, transform, 1, 2, &average).unwrap();
        let mut recipe = Recipe(Vec::new());
        recipe.text("embedding");
        name.iter().for_each(|name| recipe.text(name));
        // Horizon, lags, the session of the first row (from 0), and rows at sessions 2, 3 and 4.
        [1, 2, 2, 3].into_iter().for_each(|count| recipe.count(count));
        recipe.count(6);
        for day in &days {
            recipe.0.extend(day.year().to_le_bytes());
            recipe.0.extend([day.month() as u8, day.day() as u8]);
        }
        recipe.numbers(&values);
        recipe.text("MA2");
        recipe.count(1);
        let ma = |a: f64, b: f64| b / ((a + b) / 2.0) - 1.0;
        recipe.numbers(&[ma(1.0, 2.0), ma(2.0, 4.0), ma(4.0, 4.0), ma(4.0, 2.0), ma(2.0, 8.0)]);
        // The mean of sessions t − 1 and t stands at place t − 1.
        [1, 2, 3].into_iter().for_each(|place| recipe.count(place));
        assert_eq!(embedding.content_hash().as_bytes(), blake3::hash(&recipe.0).as_bytes(), "{transform}");
        assert_eq!((embedding.lags(), embedding.horizon(), embedding.rows()), (2, 1, 3));
    }
}

/// A change of volume at t looks at t − 1; so three lags reach back three sessions.
#[test]
fn volumes_count_in_the_look_back() {
    let own = series(40, 1);
    let volume = [ExtraInput::VolumeChange { lags: 3 }];
    let embedding = of_returns(&own, 1, 1, &volume).unwrap();
    for row in 0..embedding.rows() {
        let Interval { start, origin, end } = embedding.interval(row);
        assert_eq!((start, origin, end), (row, row + 3, row + 4));
    }
    for (wrong, shown) in [(f64::NAN, "missing"), (0.0, "0"), (-1.0, "-1")] {
        let mut volumes = own.volumes().unwrap().to_vec();
        volumes[7] = wrong;
        let series =
            PriceSeries::new("S", own.dates().to_vec(), own.prices().to_vec(), Some(volumes)).unwrap();
        let message = of_returns(&series, 1, 1, &volume).unwrap_err().to_string();
        let expected = format!(
            "S: input 1: the volume of {} is {shown}, which is not above zero; fill the gap, or leave this input out",
            own.dates()[7]
        );
        assert_eq!(message, expected);
    }
}

#[test]
fn impossible_settings_say_what_is_needed() {
    let short = series(30, 1);
    let message = Embedding::new(&short, 5, 24).unwrap_err().to_string();
    assert_eq!(
        message,
        "S: horizon 5 with a look-back of 28 needs at least 34 sessions, and it has 30; \
         give a longer series, fewer lags or a shorter horizon"
    );
    assert!(Embedding::new(&series(34, 1), 5, 24).is_ok());
    assert!(Embedding::new(&short, 0, 24).unwrap_err().to_string().contains("horizon = 0"));
    assert!(Embedding::new(&short, 1, 0).unwrap_err().to_string().contains("lags = 0"));
    assert!(Embedding::new(&short, usize::MAX, 1).is_err());
    let zeros = [
        ("lags", ExtraInput::VolumeChange { lags: 0 }),
        ("window", ExtraInput::MovingAverage { window: 0 }),
        ("lags", other_returns(short.clone(), 1, 0)),
        ("horizon", other_returns(short.clone(), 0, 1)),
    ];
    for (name, extra) in zeros {
        let message = of_returns(&short, 1, 1, &[extra]).unwrap_err().to_string();
        assert_eq!(message, format!("S: input 1: {name} = 0 is not allowed; give at least 1"));
    }
    let never = [ExtraInput::MovingAverage { window: 500 }];
    assert!(of_returns(&short, 1, 1, &never).is_err());
    let volume = [ExtraInput::VolumeChange { lags: 1 }];
    let without = PriceSeries::new("S", short.dates().to_vec(), short.prices().to_vec(), None).unwrap();
    let message = of_returns(&without, 1, 1, &volume).unwrap_err().to_string();
    assert!(message.contains("S has no volume column"), "{message}");
}

/// The definitions written out, whatever is taken of the series.
fn naive_of(transform: Transform, c: &[f64], h: usize, p: usize) -> (Vec<f64>, Vec<f64>, Vec<usize>) {
    let back = if transform == Transform::Level { 0 } else { h };
    let value = |t: usize| match transform {
        Transform::Return => (c[t] - c[t - h]) / c[t - h],
        Transform::LogReturn => (c[t] / c[t - h]).ln(),
        Transform::Difference => c[t] - c[t - h],
        _ => c[t],
    };
    let (mut inputs, mut targets, mut origins) = (Vec::new(), Vec::new(), Vec::new());
    for t in 0..c.len() {
        if t + 1 >= p + back && t + h < c.len() {
            inputs.extend((0..p).map(|k| value(t - k)));
            targets.push(value(t + h));
            origins.push(t);
        }
    }
    (inputs, targets, origins)
}

proptest! {
    #[test]
    fn every_kind_equals_the_naive_loop_to_the_bit(
        sessions in 3usize..120, h in 1usize..8, p in 1usize..20, kind in 0usize..4, seed in 0u64..1000,
    ) {
        let transform = Transform::ALL[kind];
        let prices = series(sessions, seed);
        // Differences and levels are taken of values around zero.
        let shift = if kind >= 2 { prices.prices()[0] } else { 0.0 };
        let values: Vec<f64> = prices.prices().iter().map(|v| v - shift).collect();
        let shifted = PriceSeries::of_values("S", prices.dates().to_vec(), values).unwrap();
        let (inputs, targets, origins) = naive_of(transform, shifted.prices(), h, p);
        match Embedding::of(&shifted, transform, h, p, &[]) {
            Err(DataError::TooShort { needed, .. }) => {
                prop_assert!(origins.is_empty());
                prop_assert!(needed > sessions);
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
            Ok(embedding) => {
                prop_assert_eq!(bits(&embedding.materialise(0..embedding.rows())), bits(&inputs));
                prop_assert_eq!(bits(embedding.targets()), bits(&targets));
                for (row, t) in origins.iter().enumerate() {
                    let back = if transform == Transform::Level { 0 } else { h };
                    let interval = embedding.interval(row);
                    prop_assert_eq!((interval.start, interval.origin, interval.end), (t + 1 - p - back, *t, t + h));
                }
            }
        }
    }
}

#[test]
fn kinds_have_names_and_hashes_of_their_own() {
    let prices = series(60, 1);
    let embed = |transform| Embedding::of(&prices, transform, 3, 2, &[]).unwrap();
    let names: Vec<(String, String)> = Transform::ALL
        .iter()
        .map(|t| (embed(*t).input_names()[1].clone(), embed(*t).target_name()))
        .collect();
    let expected =
        [("R3(t-1)", "R3(t+3)"), ("L3(t-1)", "L3(t+3)"), ("D3(t-1)", "D3(t+3)"), ("Y(t-1)", "Y(t+3)")];
    assert!(names.iter().zip(expected).all(|((a, b), (c, d))| a == c && b == d), "{names:?}");
    let hashes: std::collections::HashSet<_> =
        Transform::ALL.iter().map(|t| embed(*t).content_hash()).collect();
    assert_eq!(hashes.len(), 4);
    assert_eq!(
        embed(Transform::Return).content_hash(),
        Embedding::new(&prices, 3, 2).unwrap().content_hash()
    );
}

#[test]
fn zeros_have_no_returns() {
    let days: Vec<Date> = (1..=9).map(|d| Date::constant(2008, 7, d)).collect();
    let rain =
        PriceSeries::of_values("rain", days.clone(), vec![1.0, 0.0, 2.0, 0.0, 0.0, 8.0, 1.0, 0.0, 3.0])
            .unwrap();
    for transform in [Transform::Return, Transform::LogReturn] {
        let message = Embedding::of(&rain, transform, 1, 1, &[]).unwrap_err().to_string();
        assert_eq!(
            message,
            format!(
                "kind = \"{transform}\" is not allowed: rain is 0 on 2008-07-02, and a {transform} needs values above \
                 zero; predict its differences or levels"
            )
        );
    }
    let average = [ExtraInput::MovingAverage { window: 2 }];
    let message = Embedding::of(&rain, Transform::Level, 1, 1, &average).unwrap_err().to_string();
    assert!(message.contains("rain has values of zero or below"), "{message}");
    let prices = PriceSeries::new("P", days, vec![1.0; 9], None).unwrap();
    let other = [other_returns(rain.clone(), 1, 1)];
    let message = of_returns(&prices, 1, 1, &other).unwrap_err().to_string();
    assert_eq!(
        message,
        "P: input 1: rain is 0 on 2008-07-02, and a return needs values above zero; take its differences or levels"
    );
    let levels = ExtraInput::OtherValues { series: rain, transform: Transform::Level, horizon: 1, lags: 2 };
    let embedding = of_returns(&prices, 1, 1, &[levels, ExtraInput::Calendar(Calendar::Season)]).unwrap();
    assert_eq!(embedding.input_names(), ["R1(t)", "rain(t)", "rain(t-1)", "season_sin", "season_cos"]);
    assert_eq!(embedding.materialise([0])[..3], [0.0, 0.0, 1.0]);
    assert_eq!(embedding.interval(0).start, 0);
}

/// A day's value is known when the day is over; an hour's when the hour is.
#[test]
fn other_series_are_matched_by_what_is_known_in_time() {
    let at = |d: i8, h: i8| Date::constant(2008, 7, d).at(h, 0, 0, 0);
    let times = vec![at(10, 9), at(10, 17), at(11, 9), at(11, 17), at(14, 9)];
    let hourly = PriceSeries::at_times("H", times, None, vec![1.0, 2.0, 3.0, 4.0, 5.0], None).unwrap();
    let days = vec![Date::constant(2008, 7, 9), Date::constant(2008, 7, 10), Date::constant(2008, 7, 11)];
    let daily = PriceSeries::of_values("D", days.clone(), vec![90.0, 100.0, 110.0]).unwrap();
    let level = |series: &PriceSeries| ExtraInput::OtherValues {
        series: series.clone(),
        transform: Transform::Level,
        horizon: 1,
        lags: 1,
    };
    let rows = |series: &PriceSeries, extra: ExtraInput| {
        let embedding = Embedding::of(series, Transform::Level, 1, 1, &[extra]).unwrap();
        embedding.materialise(0..embedding.rows())
    };
    // At 17:00 of the tenth, the day of the tenth is not over.
    assert_eq!(rows(&hourly, level(&daily)), [1.0, 90.0, 2.0, 90.0, 3.0, 100.0, 4.0, 100.0]);
    let later = vec![at(10, 12), at(11, 12), at(11, 18)];
    let other = PriceSeries::at_times("O", later, None, vec![7.0, 8.0, 9.0], None).unwrap();
    assert_eq!(rows(&hourly, level(&other)), [2.0, 7.0, 3.0, 7.0, 4.0, 8.0]);
    let late = PriceSeries::of_values("L", days, vec![1.0, 2.0, 3.0]).unwrap();
    assert_eq!(rows(&late, level(&hourly)), [2.0, 2.0]);
    let hours = [ExtraInput::Calendar(Calendar::Hour)];
    assert!(Embedding::of(&hourly, Transform::Level, 1, 1, &hours).unwrap().cols() == 25);
    let message = Embedding::of(&late, Transform::Level, 1, 1, &hours).unwrap_err().to_string();
    assert_eq!(message, "L: input 1: L has no times of day; leave this input out");
    assert_eq!(Embedding::of(&hourly, Transform::Level, 1, 1, &[]).unwrap().origin_time(1), Some(at(10, 17)));
}
