//! Properties of splits over random series, horizons, lags and settings.

use proptest::prelude::*;
use tailrank_data::{
    Bootstrap, ByDate, ByFraction, DataError, Dataset, Date, Day, Embedding, Growing, Interval, KFold, Leak,
    LeakCheck, PriceSeries, Rows, Scaler, Scheme, Sliding, Split, SplitRows, Stratify, TableOptions,
    Timeline, check_leak, draw_splits, read_table_bytes, strata_by_class, strata_by_relevance, synthetic,
};

use crate::drawn::{Drawn, by_date, kfold};

fn series(sessions: usize, seed: u64) -> PriceSeries {
    synthetic::series("S", sessions, seed).unwrap()
}

/// The definition, pair by pair: a row uses sessions start … end, a held-out label owns (origin, end].
fn meets(row: Interval, held: Interval) -> bool {
    row.origin == held.origin || (row.start.max(held.origin + 1) <= row.end.min(held.end))
        // A test origin inside the row's label: the row knows what comes after the prediction is due.
        || (row.origin < held.origin && row.end > held.origin)
}

fn list(rows: &Rows) -> Vec<usize> {
    rows.iter().collect()
}

/// Nothing leaks, and every candidate that was left out had to be.
fn purged_exactly(split: &Split, candidates: &[usize], timeline: &Timeline) {
    let held = list(&split.test);
    let train = list(&split.train);
    let leaks = |row: usize| held.iter().any(|t| meets(timeline.interval(row), timeline.interval(*t)));
    let expected: Vec<usize> = candidates.iter().copied().filter(|r| !leaks(*r)).collect();
    assert_eq!(train, expected, "{}", split.description);
    assert_eq!(split.purged, candidates.len() - expected.len());
    assert_eq!(split.leaking, 0);
    check_leak(split, timeline).unwrap();
    if let Some(first) = held.first() {
        let first = timeline.interval(*first).origin;
        let is_apart = |i: Interval| i.origin > first || i.end <= first;
        assert!(train.iter().all(|row| is_apart(timeline.interval(*row))));
    }
}

/// Changes every price a held-out label owns and asks whether a training row, its target or a scaler moves.
fn test_values_cannot_reach_training(prices: &PriceSeries, horizon: usize, lags: usize, split: &Split) {
    let before = Embedding::new(prices, horizon, lags).unwrap();
    let mut changed = prices.prices().to_vec();
    for row in split.test.iter() {
        let held = before.interval(row);
        for session in held.origin + 1..=held.end {
            changed[session] = prices.prices()[session] * 1.5 + 1.0;
        }
    }
    let changed = PriceSeries::new("S", prices.dates().to_vec(), changed, None).unwrap();
    let after = Embedding::new(&changed, horizon, lags).unwrap();
    let prepare = |e: Embedding| Dataset::from(e).prepare(split).unwrap();
    let (before, after) = (prepare(before), prepare(after));
    // φ is fitted on the training targets alone, so equal targets mean equal φ.
    assert_eq!(before.train, after.train);
    assert_ne!(before.test.targets, after.test.targets);
    let fit = |part: &tailrank_data::Part| Scaler::fit(&part.inputs, lags).unwrap();
    assert_eq!(fit(&before.train), fit(&after.train));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_date_split_purges_exactly_h_minus_1(
        sessions in 120usize..400, horizon in 1usize..9, lags in 1usize..30, share in 0.3f64..0.8, seed in 0u64..1000,
    ) {
        let prices = series(sessions, seed);
        let embedding = Embedding::new(&prices, horizon, lags).unwrap();
        let timeline = embedding.timeline();
        let cut = (share * timeline.len() as f64) as usize;
        // Any day after the last training origin and up to the first test origin cuts in the same place.
        let at = embedding.origin_date(cut);
        let split = by_date(at).splits(&timeline, Leak::Purged).unwrap().remove(0);
        prop_assert_eq!(split.purged, (horizon - 1).min(cut));
        prop_assert_eq!(split.train.clone(), Rows::from(0..cut - split.purged));
        prop_assert_eq!(split.test.clone(), Rows::from(cut..timeline.len()));
        purged_exactly(&split, &(0..cut).collect::<Vec<_>>(), &timeline);
        test_values_cannot_reach_training(&prices, horizon, lags, &split);

        let paper = by_date(at).splits(&timeline, Leak::Paper).unwrap().remove(0);
        prop_assert_eq!((paper.purged, paper.leaking, paper.leak), (0, split.purged, Leak::Paper));
        prop_assert_eq!(paper.train.len(), cut);
    }

    #[test]
    fn windows_slide_or_grow_and_test_each_row_once(
        sessions in 150usize..400, horizon in 1usize..7, lags in 1usize..25, step in 1usize..60,
        width in 10usize..60, slide in any::<bool>(), seed in 0u64..1000,
    ) {
        let prices = series(sessions, seed);
        let embedding = Embedding::new(&prices, horizon, lags).unwrap();
        let timeline = embedding.timeline();
        let start = width + timeline.len() / 10;
        let plan: Box<dyn Scheme> = match slide {
            true => Box::new(Sliding { window: start, step }),
            false => Box::new(Growing { window: start, step }),
        };
        let splits = plan.splits(&timeline, Leak::Purged).unwrap();
        let tested: Vec<usize> = splits.iter().flat_map(|s| list(&s.test)).collect();
        prop_assert_eq!(tested, (start..timeline.len()).collect::<Vec<_>>());
        for (i, split) in splits.iter().enumerate() {
            let from = start + i * step;
            let oldest = if slide { from - start } else { 0 };
            prop_assert_eq!(split.train.first(), Some(oldest));
            prop_assert_eq!(split.purged, (horizon - 1).min(from - oldest));
            purged_exactly(split, &(oldest..from).collect::<Vec<_>>(), &timeline);
        }
        test_values_cannot_reach_training(&prices, horizon, lags, &splits[splits.len() / 2]);
    }

    #[test]
    fn blocks_of_a_series_purge_both_sides_and_the_look_back(
        sessions in 200usize..400, horizon in 1usize..7, lags in 1usize..25, k in 2usize..6, seed in 0u64..1000,
    ) {
        let prices = series(sessions, seed);
        let timeline = Embedding::new(&prices, horizon, lags).unwrap().timeline();
        let rows = timeline.len();
        let plan = kfold(k, 1, false);
        let splits = plan.splits(&timeline, Leak::Purged).unwrap();
        let tested: Vec<usize> = splits.iter().flat_map(|s| list(&s.test)).collect();
        prop_assert_eq!(tested, (0..rows).collect::<Vec<_>>());
        for split in &splits {
            let (first, last) = (split.test.first().unwrap(), split.test.last().unwrap());
            let candidates: Vec<usize> = (0..first).chain(last + 1..rows).collect();
            purged_exactly(split, &candidates, &timeline);
            // h − 1 before; after it the label (h) and the embargo of the look-back (h + lags − 1).
            let before = (horizon - 1).min(first);
            let after = (horizon + horizon + lags - 1).min(rows - 1 - last);
            prop_assert_eq!(split.purged, before + after);
            test_values_cannot_reach_training(&prices, horizon, lags, split);
        }
    }

    #[test]
    fn shuffled_folds_partition_the_rows_and_spread_the_strata(
        rows in 4usize..300, k in 2usize..11, repeats in 1usize..4, classes in 1usize..4, stratify in any::<bool>(), seed in any::<u64>(),
    ) {
        prop_assume!(k <= rows);
        let timeline = Timeline::points(rows);
        let class: Vec<f64> = (0..rows).map(|r| ((r * r + seed as usize % 7) % classes) as f64).collect();
        let plan = KFold { stratify: stratify.then_some(Stratify::Class), ..kfold(k, repeats, true) };
        let given = SplitRows { strata: &|_| Ok(strata_by_class(&class)), ..SplitRows::new(&timeline, seed) };
        let splits = draw_splits(&plan, &given, Leak::Purged).unwrap();
        prop_assert_eq!(splits.len(), k * repeats);
        prop_assert_eq!(&draw_splits(&plan, &given, Leak::Purged).unwrap(), &splits);
        for repeat in splits.chunks(k) {
            let mut tested: Vec<usize> = repeat.iter().flat_map(|s| list(&s.test)).collect();
            tested.sort_unstable();
            prop_assert_eq!(tested, (0..rows).collect::<Vec<_>>());
            for split in repeat {
                let test = list(&split.test);
                let rest: Vec<usize> = (0..rows).filter(|r| !test.contains(r)).collect();
                prop_assert_eq!(list(&split.train), rest);
                prop_assert!(test.len() == rows / k || test.len() == rows / k + 1);
                if stratify {
                    for c in 0..classes {
                        let all = class.iter().filter(|v| **v == c as f64).count();
                        let here = test.iter().filter(|r| class[**r] == c as f64).count();
                        prop_assert!(here >= all / k && here <= all / k + 1, "class {c}: {here} of {all} in {k}");
                    }
                }
            }
        }
        if repeats > 1 && rows > 20 {
            prop_assert_ne!(&splits[0].test, &splits[k].test);
        }
    }

    #[test]
    fn a_bootstrap_tests_out_of_bag(rows in 2usize..300, seed in any::<u64>()) {
        let timeline = Timeline::points(rows);
        let given = SplitRows::new(&timeline, seed);
        for split in draw_splits(&Bootstrap { repeats: 3 }, &given, Leak::Purged).unwrap() {
            prop_assert_eq!(split.train.len(), rows);
            let train = list(&split.train);
            let out: Vec<usize> = (0..rows).filter(|r| train.binary_search(r).is_err()).collect();
            prop_assert_eq!(list(&split.test), out);
        }
    }

    #[test]
    fn validation_is_held_out_from_training_and_test_from_both(
        sessions in 150usize..400, horizon in 1usize..7, lags in 1usize..25, train in 0.3f64..0.5, validation in 0.15f64..0.3,
    ) {
        let embedding = Embedding::new(&series(sessions, 5), horizon, lags).unwrap();
        let timeline = embedding.timeline();
        let plan = ByFraction { train, validation: Some(validation) };
        let split = plan.splits(&timeline, Leak::Purged).unwrap().remove(0);
        let chosen = split.validation.clone().unwrap();
        prop_assert_eq!(split.purged, 2 * (horizon - 1));
        let at = |r: Option<usize>| timeline.interval(r.unwrap());
        prop_assert!(at(split.train.last()).end <= at(chosen.first()).origin);
        prop_assert!(at(chosen.last()).end <= at(split.test.first()).origin);
        let (from, to) = (chosen.first().unwrap(), split.test.first().unwrap());
        let dates = ByDate { validation_at: Some(Day(embedding.origin_date(from))), ..by_date(embedding.origin_date(to)) };
        let same = dates.splits(&timeline, Leak::Purged).unwrap().remove(0);
        prop_assert_eq!((same.train, same.validation, same.test), (split.train, split.validation, split.test));
    }

    #[test]
    fn a_share_of_rows_is_what_people_expect(rows in 2usize..2000, hundredths in 1usize..100) {
        let cut = rows * hundredths / 100;
        prop_assume!(cut > 0);
        let plan = ByFraction { train: hundredths as f64 / 100.0, validation: None };
        let split = plan.splits(&Timeline::points(rows), Leak::Purged).unwrap().remove(0);
        prop_assert_eq!(split.train.len(), cut);
    }

    /// The fast check agrees with the pairwise definition on any split of any intervals.
    #[test]
    fn the_check_equals_the_pairwise_definition(
        lengths in prop::collection::vec((0usize..12, 0usize..6), 4..40), parts in prop::collection::vec(0u8..3, 40),
    ) {
        let intervals: Vec<Interval> = lengths
            .iter()
            .enumerate()
            .map(|(t, (back, ahead))| Interval { start: (t + 12) - back, origin: t + 12, end: t + 12 + ahead })
            .collect();
        let part = |p: u8| -> Vec<usize> { (0..intervals.len()).filter(|r| parts[*r] == p).collect() };
        let (train, test) = (part(0), part(1));
        prop_assume!(!train.is_empty() && !test.is_empty());
        let mut split = ByFraction { train: 0.5, validation: None }.splits(&Timeline::points(4), Leak::Purged).unwrap().remove(0);
        split.train = train.clone().into();
        split.test = test.clone().into();
        let leaking: Vec<usize> =
            train.iter().copied().filter(|r| test.iter().any(|t| meets(intervals[*r], intervals[*t]))).collect();
        match check_leak(&split, &intervals.clone().into()) {
            Ok(()) => prop_assert!(leaking.is_empty(), "missed {leaking:?}"),
            Err(DataError::Leak { rows, row, .. }) => {
                prop_assert_eq!((rows, row), (leaking.len(), leaking[0] + 1));
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }
}

#[test]
fn scattered_folds_of_a_series_are_refused_with_the_way_out() {
    let timeline = Embedding::new(&series(300, 1), 3, 24).unwrap().timeline();
    let plan = kfold(5, 1, true);
    let message = plan.splits(&timeline, Leak::Purged).unwrap_err().to_string();
    assert!(
        message.contains("no row is left to train on") && message.contains("use blocks or a wider `window`"),
        "{message}"
    );
    let paper = plan.splits(&timeline, Leak::Paper).unwrap();
    assert!(paper.iter().all(|s| s.leak == Leak::Paper && s.leaking > 0));
}

#[test]
fn a_row_that_is_tested_cannot_train_even_in_paper_mode() {
    let timeline = Timeline::points(10);
    let mut split =
        ByFraction { train: 0.5, validation: None }.splits(&timeline, Leak::Paper).unwrap().remove(0);
    split.train = Rows::from(0..6);
    let message = check_leak(&split, &timeline).unwrap_err().to_string();
    assert!(message.contains("the first is row 6 (it is held out itself)"), "{message}");
    split.train = Rows::from(0..4);
    split.test = Rows::from(5..11);
    assert!(
        check_leak(&split, &timeline).unwrap_err().to_string().contains("names row 11, but there are 10")
    );
}

#[test]
fn settings_out_of_range_are_named() {
    let points = Timeline::points(10);
    let dated = Embedding::new(&series(100, 1), 1, 5).unwrap().timeline();
    let day = Date::constant(1970, 2, 2);
    let fold = |k, repeats, shuffle| -> Box<dyn Scheme> { Box::new(kfold(k, repeats, shuffle)) };
    let growing = |window, step| -> Box<dyn Scheme> { Box::new(Growing { window, step }) };
    let fraction = |train, validation| -> Box<dyn Scheme> { Box::new(ByFraction { train, validation }) };
    let date = |at| -> Box<dyn Scheme> { Box::new(by_date(at)) };
    let validated = ByDate { validation_at: Some(Day(day)), ..by_date(day) };
    for (plan, timeline, expected) in [
        (date(day), &points, "these rows have no dates"),
        (date(Date::constant(1960, 1, 1)), &dated, "no row is left to train on"),
        (date(Date::constant(2060, 1, 1)), &dated, "no row is left to test on"),
        (fraction(1.0, None), &points, "train: 1 must lie above 0 and below 1"),
        (fraction(f64::NAN, None), &points, "train: NaN"),
        (fraction(0.0, None), &points, "train: 0 must lie above 0"),
        (fraction(0.7, Some(0.4)), &points, "train + validation"),
        (Box::new(validated), &dated, "must be a day before at"),
        (fold(1, 1, true), &points, "folds: 1 must be 2 or more"),
        (fold(11, 1, true), &points, "folds = 11 is more than the task's 10 rows"),
        (fold(2, 0, true), &points, "repeats: 0"),
        (fold(2, 2, false), &points, "set shuffle = true"),
        (growing(5, 0), &points, "step: 0"),
        (growing(0, 1), &points, "window: 0"),
        (growing(10, 1), &points, "window = 10 leaves no test row: the task has 10 rows"),
        (Box::new(Sliding { window: 10, step: 1 }), &points, "window = 10 leaves no test row"),
        (Box::new(Bootstrap { repeats: 0 }), &points, "repeats: 0"),
        (Box::new(Bootstrap { repeats: usize::MAX }), &points, "must lie between 1 and 10000"),
        (fold(4, usize::MAX, true), &points, "must lie between 1 and 10000"),
        (fold(1000, 2000, true), &points, "repeats: 2000 is more than 1048, the most with 1000 folds"),
        (growing(usize::MAX, 1), &points, "leaves no test row"),
    ] {
        let message = plan.splits(timeline, Leak::Purged).unwrap_err().to_string();
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
    }
    let stratified = KFold { stratify: Some(Stratify::Class), ..kfold(2, 1, true) };
    let given = SplitRows { strata: &|_| Ok(vec![0; 3]), ..SplitRows::new(&points, 1) };
    let message = draw_splits(&stratified, &given, Leak::Purged).unwrap_err().to_string();
    assert!(message.contains("strata = 3 is not allowed: one stratum per row, 10"), "{message}");
    let message = stratified.splits(&points, Leak::Purged).unwrap_err().to_string();
    assert!(message.contains("no classes"), "{message}");
    // A window of rows that ends within a date ends before it, and is then too short.
    let three_a_day = panel();
    let message = Sliding { window: 4, step: 1 }.splits(&three_a_day, Leak::Purged).unwrap_err().to_string();
    assert!(message.contains("window = 4 is not allowed: 1 … 3"), "{message}");
}

/// Five days of three things.
fn panel() -> Timeline {
    let rows = (0..15).map(|row| format!("2008-07-{:02},{},{row},{row}\n", 1 + row / 3, row % 3));
    let csv = format!("day,thing,x,y\n{}", rows.collect::<String>());
    let options = TableOptions { entity: Some("thing".to_owned()), ..TableOptions::new("y") };
    Dataset::from(read_table_bytes("t.csv", csv.as_bytes(), &options).unwrap().value).timeline()
}

#[test]
fn a_step_beyond_the_end_is_one_window() {
    let points = Timeline::points(10);
    let plan = Growing { window: 5, step: usize::MAX };
    let splits = plan.splits(&points, Leak::Purged).unwrap();
    assert_eq!((splits.len(), &splits[0].test), (1, &Rows::from(5..10)));
}

#[test]
fn relevance_bands_hold_the_extremes_together() {
    assert_eq!(strata_by_relevance(&[0.0, 0.1, 0.6, 0.99, 1.0, f64::NAN], 4), [0, 0, 2, 3, 3, 0]);
}

#[test]
fn folds_are_named_by_repeat_only_where_there_are_several() {
    let named = |repeats| {
        let plan = kfold(2, repeats, true);
        let splits = plan.splits(&Timeline::points(6), Leak::Purged).unwrap();
        splits.into_iter().map(|s| s.description).collect::<Vec<_>>()
    };
    assert_eq!(named(1), ["fold 1 of 2", "fold 2 of 2"]);
    assert_eq!(
        named(2),
        ["repeat 1, fold 1 of 2", "repeat 1, fold 2 of 2", "repeat 2, fold 1 of 2", "repeat 2, fold 2 of 2"]
    );
}

/// Sessions are told from 1, as rows of a file are.
#[test]
fn a_leak_is_told_by_the_sessions_that_meet() {
    let mut split = Split::known_and_new(4..5, 2..3);
    assert_eq!((split.purged, split.leaking, split.leak), (0, 0, Leak::Purged));
    // Each row sees two sessions back and foretells three: row 2 owns sessions 3, 4 and 5, from 0.
    let interval = |t: usize| Interval { start: t.saturating_sub(2), origin: t, end: t + 3 };
    let timeline = Timeline::from((0..9).map(interval).collect::<Vec<_>>());
    let told = |split: &Split| check_leak(split, &timeline).unwrap_err().to_string();
    assert!(
        told(&split).contains("its inputs reach back to session 3, and a held-out label ends at 6"),
        "{}",
        told(&split)
    );
    split.train = Rows::from(1..2);
    assert!(
        told(&split).contains("its label ends at session 5, after the held-out origin 3"),
        "{}",
        told(&split)
    );
    split.train = Rows::from(7..8);
    assert!(told(&split).contains("session 6, and a held-out label ends at 6"), "{}", told(&split));
    split.train = Rows::from(8..9);
    check_leak(&split, &timeline).unwrap();
}

#[test]
fn kept_leaks_are_reported_as_such() {
    let embedding = Embedding::new(&series(120, 1), 3, 4).unwrap();
    let timeline = embedding.timeline();
    assert!(!timeline.is_empty() && Timeline::points(0).is_empty());
    let state = |leak| {
        let splits = ByFraction { train: 0.5, validation: None }.splits(&timeline, leak).unwrap();
        LeakCheck::of(&splits, &timeline)
    };
    assert_eq!((state(Leak::Paper), state(Leak::Purged)), (LeakCheck::Paper, LeakCheck::Passed));
    assert_eq!(LeakCheck::Paper.to_string(), "leaking rows kept");
    // One session ahead no label is cut by the test's beginning: nothing leaks, whatever was asked for.
    let next = Embedding::new(&series(120, 1), 1, 4).unwrap().timeline();
    let splits = ByFraction { train: 0.5, validation: None }.splits(&next, Leak::Paper).unwrap();
    assert_eq!(LeakCheck::of(&splits, &next), LeakCheck::Passed);
}
