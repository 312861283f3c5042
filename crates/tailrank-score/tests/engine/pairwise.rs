//! The table of pairs, from the folds' scores by hand: the sign of every statistic and Holm's correction of
//! every p.

use tailrank_metrics::Better;

use crate::lab::{Lab, Unsynced, whole};

/// R: p.adjust(c(p, 1, 1, …), "holm") of `all` tests.
fn holm(p: &[f64], all: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let (mut adjusted, mut most) = (vec![0.0; p.len()], 0.0_f64);
    for (place, &i) in order.iter().enumerate() {
        most = most.max(p[i] * (all - place) as f64);
        adjusted[i] = most.min(1.0);
    }
    adjusted
}

#[test]
fn every_p_and_its_sign_follow_from_the_losses() {
    let lab = Lab::new();
    let text = "name = \"pairs\"\nseed = 3\n[data]\ntables = [{ name = \"a\", file = \"a.csv\", target = \"y\" }]\n\
                [split]\nkind = \"kfold\"\nfolds = 5\nshuffle = true\n[relevance]\nlow = -1.5\nhigh = 1.5\n\
                [measures]\nlist = [\"mad\", \"utility\", \"mse\", \"correlation\"]\nt_l = 2.0\n\
                [inference]\nresamples = 100\nshifts = 100\n[compare]\npermutations = 20\n\
                [[models]]\nfamily = \"linear\"\n[[models]]\nfamily = \"cart\"\n\
                [[models]]\nfamily = \"knn\"\ngrid = { k = [1, 3, 9] }\n";
    lab.write("a.csv", &crate::lab::table(180, 0.9));
    let plan = lab.plan(text);
    let (_, results) = whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    let (scores, found) = (&results.scores[0], &results.inference[0]);
    let rows =
        |of: fn(&tailrank_data::Split) -> usize| plan.tasks[0].splits.iter().map(of).sum::<usize>() as f64;
    let ratio = rows(|s| s.test.len()) / rows(|s| s.train.len());
    let (mut gains, mut corrected) = (0, 0);
    for (m, measure) in scores.measures.iter().enumerate() {
        let pairs: Vec<_> = found.pairwise.iter().filter(|p| p.measure == *measure).collect();
        let models = found.variants.len();
        assert_eq!(pairs.len(), models - 1, "{}", measure.id());
        let tested: Vec<_> = pairs.iter().filter_map(|p| Some((p, p.test("resampled_t")?))).collect();
        for (pair, test) in &tested {
            assert_eq!(Some(pair.winner), scores.best(*measure));
            let better = if measure.better() == Better::Higher { -1.0 } else { 1.0 };
            let fold = |v: usize, k: usize| scores.folds[v][k].scores[m].value().unwrap();
            let of_folds = 0..scores.folds[0].len();
            let d: Vec<f64> =
                of_folds.map(|k| better * (fold(pair.winner.0, k) - fold(pair.other.0, k))).collect();
            let n = d.len() as f64;
            let mean = d.iter().sum::<f64>() / n;
            let variance = d.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
            let t = mean / (variance * (1.0 / n + ratio)).sqrt();
            let what = format!("{}: {} against {}", measure.id(), pair.winner.0, pair.other.0);
            assert!((test.statistic - t).abs() <= 1e-9 * t.abs(), "{what}: {} {t}", test.statistic);
            gains += usize::from(better < 0.0 && t < 0.0);
        }
        let p: Vec<f64> = tested.iter().map(|(_, test)| test.p).collect();
        for ((_, test), expected) in tested.iter().zip(holm(&p, models * (models - 1) / 2)) {
            assert!((test.p_holm - expected).abs() <= 1e-12, "{}: {} {expected}", measure.id(), test.p_holm);
            corrected += usize::from(test.p_holm < 1.0);
        }
    }
    assert!(gains > 4, "{gains} gains of the pick");
    assert!(corrected > 4, "{corrected} p below 1");
}
