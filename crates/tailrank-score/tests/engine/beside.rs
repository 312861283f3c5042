//! Settings beside the papers': panels, episodes on both sides, clusters, costs, few cases, and a choice that
//! the test would not make.

use std::fmt::Write as _;

use tailrank_metrics::{EpisodeCounts, EpisodeRule, Measure, Settings, relevance::Flank};
use tailrank_runner::store::Store;
use tailrank_score::score::{
    Predictions, StoredPredictions, TaskId, TaskTruth, VariantId, VariantStatus, evaluate, selections,
    test_parts,
};

use crate::lab::{FRAME, Lab, SIX, Unsynced, whole};

fn swing(i: usize) -> f64 {
    let t = i as f64;
    2.0 * (t * 1.1).sin() + (t * 0.37).cos() + (t * 2.9).sin()
}

/// Days of some entities, one row each; a year may stand before them.
fn days(from: usize, to: usize, year: u16, entities: &[&str]) -> String {
    let mut csv = "day,entity,x,y\n".to_owned();
    for (i, entity) in (from..to).flat_map(|day| entities.iter().map(move |e| (day, *e))) {
        let row = 7 * i + entity.len() * 131;
        let _ = writeln!(
            csv,
            "{year}-{:02}-{:02},{entity},{},{}",
            i / 28 + 1,
            i % 28 + 1,
            swing(row) + 0.4 * swing(3 * row),
            swing(row)
        );
    }
    csv
}

/// Episodes and alarms of each entity and each side on its own, from the stored predictions by hand.
#[test]
fn episodes_end_with_their_entity_and_their_side() {
    let lab = Lab::new();
    lab.write("p.csv", &days(0, 160, 2001, &["a", "bb", "ccc"]));
    let plan = lab.plan(&format!(
        "{FRAME}[data]\ntables = [{{ name = \"p\", file = \"p.csv\", target = \"y\", time = \"day\", entity = \"entity\" }}]\n\
         [events]\ngap = 3\nlead = 1\ncooldown = 2\n[[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"knn\"\n"
    ));
    let root = lab.path("run");
    let (_, results) = whole(&plan, &root, &Unsynced, 2).unwrap();
    let store = Store::open(&Unsynced, &root, &plan.text, "lab").unwrap();
    let stored = StoredPredictions::list(&plan, &store).unwrap();
    let task = &plan.tasks[0];
    let part = &test_parts(&plan, task).unwrap()[0];
    let (phi, t_e) = (part.settings.relevance.as_ref().unwrap(), part.settings.t_e);
    let timeline = task.data.timeline();
    let entities = timeline.entities().unwrap();
    let rule = EpisodeRule { gap: 3, lead: 1, cooldown: 2 };
    for v in VariantId::all(plan.variants.len()) {
        let predicted = stored.of_variant(TaskId(0), v).unwrap().parts.remove(0);
        let is_on = |y: f64, flank: Flank| phi.phi(y) >= t_e && phi.flank(y) == flank;
        let flags = |values: &[f64], of: Option<usize>, flank: Flank| -> Vec<bool> {
            let cases =
                values.iter().zip(&part.rows).filter(|(_, row)| of.is_none_or(|e| entities[**row] == e));
            cases.map(|(y, _)| is_on(*y, flank)).collect()
        };
        let (mut by_hand, mut episodes_of_all) = (EpisodeCounts::default(), EpisodeCounts::default());
        for flank in [Flank::Low, Flank::High] {
            episodes_of_all.add(EpisodeCounts::of(
                &flags(&part.truth, None, flank),
                &flags(&predicted, None, flank),
                rule,
            ));
        }
        for (e, flank) in (0..3).flat_map(|e| [(Some(e), Flank::Low), (Some(e), Flank::High)]) {
            by_hand.add(EpisodeCounts::of(&flags(&part.truth, e, flank), &flags(&predicted, e, flank), rule));
        }
        let found = results.episodes.iter().find(|e| e.variant == v).unwrap();
        assert_eq!(found.counts, by_hand, "{}", plan.variants[v].label);
        assert_ne!(by_hand.episodes, episodes_of_all.episodes, "one after the other they would be others");
        assert!(by_hand.caught > 3);
    }
}

/// The better model on validation rows is the worse one on the test.
#[test]
fn the_choice_is_made_without_the_test() {
    let scores = |first: f64, second: f64| {
        let of = |v: f64| Predictions { status: VariantStatus::Fine, parts: vec![vec![v; 4]] };
        let truth = TaskTruth::new(vec![0.0; 4], Settings::default());
        evaluate(&[truth], &[Measure::Mad], &[of(first), of(second)]).unwrap()
    };
    let (validation, test) = (scores(1.0, 2.0), scores(4.0, 3.0));
    let found = selections(TaskId(0), &validation, &test).remove(0);
    assert_eq!((found.chosen, found.best), (Some(VariantId(0)), Some(VariantId(1))));
    let of = |score: Option<tailrank_metrics::Score>| score.unwrap().value().unwrap();
    assert_eq!([of(found.validation_score), of(found.test_score), of(found.best_score)], [1.0, 4.0, 3.0]);
    assert_eq!((found.test_rank, found.loss.unwrap().absolute), (Some(2.0), 1.0));
}

#[test]
fn tasks_whose_tests_share_days_are_one_cluster() {
    let lab = Lab::new();
    let mut tables = Vec::new();
    // The second begins within the first one's test, the third years later; the fourth is put to the third by
    // name.
    for (name, from, to, year) in
        [("a", 0, 120, 2001), ("b", 30, 150, 2001), ("c", 0, 120, 2005), ("d", 0, 120, 2009)]
    {
        lab.write(&format!("{name}.csv"), &days(from, to, year, &["e"]));
        tables.push(format!("{{ name = \"{name}\", file = \"{name}.csv\", target = \"y\", time = \"day\", ignore = [\"entity\"] }}"));
    }
    let text = format!(
        "{FRAME}[data]\ntables = [{}]\n[[models]]\nfamily = \"linear\"\n[tasks.c]\ncluster = \"late\"\n[tasks.d]\ncluster = \"late\"\n",
        tables.join(", ")
    );
    let (_, results) = whole(&lab.plan(&text), &lab.path("run"), &Unsynced, 2).unwrap();
    let clusters: Vec<usize> = results.scores.iter().map(|s| s.cluster.unwrap()).collect();
    assert_eq!(clusters, [0, 0, 2, 2]);
}

/// A side costs what the experiment says: every change of position takes it from the account.
#[test]
fn trades_cost_what_the_experiment_says() {
    let lab = Lab::new();
    let mut prices = "Date,Close\n".to_owned();
    for i in 0..300_usize {
        let _ = writeln!(
            prices,
            "{}-{:02}-{:02},{}",
            2001 + i / 336,
            i / 28 % 12 + 1,
            i % 28 + 1,
            100.0 * (0.03 * swing(i)).exp()
        );
    }
    lab.write("s.csv", &prices);
    let total = |cost: f64| {
        let text = format!(
            "name = \"lab\"\nseed = 7\ninference = {{ enabled = false }}\n[data]\nseries = [{{ name = \"s\", file = \"s.csv\" }}]\n[target]\nlags = 3\n\
             [split]\nkind = \"fraction\"\ntrain = 0.5\n[relevance]\nlow = -0.02\nhigh = 0.02\n[measures]\nlist = [\"mad\"]\nt_l = 0.01\n\
             [trading]\nthreshold = 0.02\ncost = {cost}\n[[models]]\nfamily = \"linear\"\n"
        );
        let plan = lab.plan(&text);
        assert_eq!(test_parts(&plan, &plan.tasks[0]).unwrap()[0].settings.trading.unwrap().cost, cost);
        let (_, results) = whole(&plan, &lab.path(&format!("run-{cost}")), &Unsynced, 2).unwrap();
        results.trading[0].account.as_ref().unwrap().total
    };
    let [free, dear, dearer] = [0.0, 0.002, 0.004].map(total);
    assert!(free > dear && dear > dearer, "{free} {dear} {dearer}");
}

/// Of twelve independent errors the interval of their mean is Student's, not the narrower one of the
/// bootstrap.
#[test]
fn an_interval_of_few_cases_is_as_wide_as_students() {
    let lab = Lab::new();
    let mut csv = "x,y\n".to_owned();
    for i in 0..24_usize {
        let _ = writeln!(
            csv,
            "0,{}",
            if i < 12 { [-3.0, 3.0][i % 2] } else { [-1.5, -1.0, -0.5, 0.5, 1.0, 1.5][i % 6] * 2.0 }
        );
    }
    lab.write("a.csv", &csv);
    let text = FRAME
        .replace("inference = { enabled = false }\n", "inference = { resamples = 20000, shifts = 100 }\n");
    let table = "[data]\ntables = [{ name = \"a\", file = \"a.csv\", target = \"y\" }]\n[[models]]\nfamily = \"debug\"\ngrid = { id = [0] }\n";
    let (_, results) = whole(&lab.plan(&format!("{text}{table}")), &lab.path("run"), &Unsynced, 2).unwrap();
    let of_mad = results.inference[0].measure(Measure::Mad).unwrap();
    let interval = of_mad.intervals[0].unwrap();
    // Errors of 1, 2 and 3, four times each: mean 2, variance 8/11; R: qt(0.975, 11) = 2.200985.
    assert_eq!(interval.estimate, 2.0);
    let half = 2.200985 * (8.0 / 11.0_f64 / 12.0).sqrt();
    let found = (interval.upper - interval.lower) / 2.0;
    assert!((found / half - 1.0).abs() < 0.02, "{found}, Student's {half}");
}

/// A fallback speaks for a side that matters; on the other side no value is an event, however far out.
#[test]
fn a_fallback_makes_no_other_side_relevant() {
    let lab = Lab::new();
    for (extremes, sides) in [("low", [true, false]), ("high", [false, true]), ("both", [true, true])] {
        let own = format!(
            "kind = \"sigmoid\"\nextremes = \"{extremes}\"\nfallback_low = -2.5\nfallback_high = 2.5"
        );
        let plan = lab.plan(&format!("{FRAME}{SIX}").replace("low = -1.5\nhigh = 1.5", &own));
        let settings = &test_parts(&plan, &plan.tasks[0]).unwrap()[0].settings;
        let phi = settings.relevance.as_ref().unwrap();
        assert_eq!([-9.0, 9.0].map(|y| phi.phi(y) >= 0.5), sides, "{extremes}");
        assert!(phi.phi(0.0) < 0.5, "{extremes}");
    }
}
