//! What OARP11 prints.

use tailrank_metrics::classification::BinaryCounts;

use super::results::Verdict;

/// Table 1: counts, accuracy and OARP of its two solutions.
pub(super) const TABLE_1: [(&str, BinaryCounts, f64, f64); 2] = [
    ("a", BinaryCounts { tp: 95, fp: 5, tn: 0, fn_: 0 }, 0.95, 0.85),
    ("b", BinaryCounts { tp: 90, fp: 0, tn: 5, fn_: 5 }, 0.95, 0.934_545),
];

/// Tables 3 and 4 of one data set.
pub(super) struct Printed {
    pub(super) label: &'static str,
    /// Test accuracy by accuracy, F and OARP.
    pub(super) accuracy: [f64; 3],
    /// OARP against accuracy and against F.
    pub(super) verdicts: [Verdict; 2],
}

const fn printed(label: &'static str, accuracy: [f64; 3], verdict: Verdict) -> Printed {
    Printed { label, accuracy, verdicts: [verdict, verdict] }
}

/// Tables 3 and 4.
pub(super) const SETS: [Printed; 5] = [
    printed("Breast-Cancer", [0.9700, 0.9685, 0.9814], Verdict::Ssw),
    printed("Heart270", [0.8704, 0.8556, 0.8778], Verdict::Sns),
    printed("Hepatitis", [0.8454, 0.8183, 0.8900], Verdict::Ssw),
    printed("Liver", [0.6468, 0.5302, 0.7160], Verdict::Ssw),
    printed("Pima-diabetes", [0.7513, 0.7305, 0.8060], Verdict::Ssw),
];

/// The last line of Table 3.
pub(super) const AVERAGE: [f64; 3] = [0.8168, 0.7806, 0.8542];

/// The average by accuracy as the text gives it.
pub(super) const AVERAGE_IN_TEXT: f64 = 0.8186;

/// Table 4 counted: significant wins, none, significant losses, against accuracy (0) and F (1).
pub(super) fn tally(k: usize) -> [usize; 3] {
    [Verdict::Ssw, Verdict::Sns, Verdict::Ssl].map(|v| SETS.iter().filter(|s| s.verdicts[k] == v).count())
}

/// What the paper prints of a set.
pub(super) fn of(label: &str) -> Option<&'static Printed> {
    SETS.iter().find(|p| p.label == label)
}
