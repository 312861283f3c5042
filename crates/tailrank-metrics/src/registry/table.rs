//! The rows of the registry. To add a measure: a row here and its computation in `scoring/formula.rs`.

use super::{MeasureInfo, Need, OwnMeasure};
use crate::score::{Better, Undefined};

/// Writes the enum of measures and the table of their rows from one list. A row reads: variant = id | other ids /
/// symbol / name: good end [settings needed] else [reasons to be undefined], formula by citation.
macro_rules! measures {
    ($($variant:ident = $id:literal $(| $alias:literal)* / $symbol:literal / $name:literal:
        $better:ident [$($need:ident),*] else [$($undefined:ident),*]
        $formula:literal by $citation:literal;)*) => {
        /// A measure of the registry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(into = "&'static str", try_from = "String"))]
        #[non_exhaustive]
        pub enum Measure {
            $(#[doc = $name] $variant,)*
            /// A measure [registered](OwnMeasure::register) from outside.
            Own(OwnMeasure),
        }

        /// Every built-in measure, in the order in which lists show them.
        pub static MEASURES: &[MeasureInfo] = &[$(MeasureInfo {
            measure: Measure::$variant,
            id: $id,
            aliases: &[$($alias),*],
            name: $name,
            symbol: $symbol,
            better: Better::$better,
            citation: $citation,
            formula: $formula,
            needs: &[$(Need::$need),*],
            undefined: &[$(Undefined::$undefined),*],
        }),*];

        /// The places of the rows.
        enum Row { $($variant),* }

        impl Measure {
            /// The measure's row.
            pub fn info(self) -> &'static MeasureInfo {
                match self {
                    $(Self::$variant => &MEASURES[Row::$variant as usize],)*
                    Self::Own(own) => own.info(),
                }
            }
        }
    };
}

measures! {
    Mad = "mad" | "mae" / "MAD" / "mean absolute deviation": Lower [] else []
        "Σ|ŷ − y| / n" by "WF Table 5.8; PR09 §2";
    MedianAbsolute = "medae" | "median_absolute_error" / "MedAE" / "median absolute error":
        Lower [] else []
        "median |ŷ − y|" by "Hyndman & Koehler 2006 §2.1";
    Mse = "mse" / "MSE" / "mean squared error": Lower [] else []
        "Σ(ŷ − y)² / n" by "WF Table 5.8; PR09 §2";
    Rmse = "rmse" / "RMSE" / "root mean squared error": Lower [] else []
        "√MSE" by "WF Table 5.8";
    Rse = "rse" | "nmse" / "RSE" / "relative squared error": Lower [Reference] else [ZeroVariance]
        "Σ(ŷ − y)² / Σ(y − m)², m the reference mean" by "WF Table 5.8";
    Rrse = "rrse" / "RRSE" / "root relative squared error": Lower [Reference] else [ZeroVariance]
        "√RSE" by "WF Table 5.8";
    Rae = "rae" | "nmae" / "RAE" / "relative absolute error": Lower [Reference] else [ZeroVariance]
        "Σ|ŷ − y| / Σ|y − m|, m the reference mean" by "WF Table 5.8";
    Correlation = "correlation" | "cor" | "pearson" / "r" / "correlation coefficient":
        Higher [] else [ZeroVariance, ConstantPredictions]
        "S_py / √(S_p·S_y)" by "WF Table 5.8";
    LinLin = "linlin" / "LINLIN" / "mean LINLIN loss": Lower [Loss] else []
        "mean of c_o·|y − ŷ| if ŷ > y, c_u·|y − ŷ| if ŷ < y" by "PR09 eq. 1";
    QuadQuad = "quadquad" / "QUAD-QUAD" / "mean QUAD-QUAD loss": Lower [Loss] else []
        "mean of c_o·(y − ŷ)² if ŷ > y, c_u·(y − ŷ)² if ŷ < y" by "Christoffersen & Diebold 1996; PR09 §3";
    Linex = "linex" / "LINEX" / "mean LINEX loss": Lower [Linex] else []
        "mean of b·(exp(a·(y − ŷ)) − a·(y − ŷ) − 1)" by "Christoffersen & Diebold 1996; PR09 §3";
    Precision = "precision" / "P" / "precision for regression":
        Higher [Relevance, EventThreshold, Accuracy] else [NoSignals, ZeroRelevance]
        "Σ α·φ(ŷ) / Σ φ(ŷ) over φ(ŷ) ≥ t_E" by "PR09 eq. 10";
    Recall = "recall" / "R" / "recall for regression":
        Higher [Relevance, EventThreshold, Accuracy] else [NoEvents, ZeroRelevance]
        "Σ α·φ(y) / Σ φ(y) over φ(y) ≥ t_E" by "PR09 eq. 6";
    F = "f" | "fmeasure" | "f_measure" / "F" / "F-measure for regression":
        Higher [Relevance, EventThreshold, Accuracy, Beta] else [NoSignals, NoEvents, ZeroRelevance]
        "(β² + 1)·P·R / (β²·P + R)" by "PR09 eq. 11";
    PrArea = "pr_area" | "aucpr" / "AUC-PR" / "area under the precision–recall curve over t_E":
        Higher [Relevance, Accuracy] else [NoSignals, NoEvents]
        "∫ best precision at recall ≥ r dr, t_E swept over every φ" by "PR09 §6; UT08 §5";
    EventMad = "event_mad" / "MAD_E" / "mean absolute deviation on the events":
        Lower [Relevance, EventThreshold] else [NoEvents]
        "mean |ŷ − y| over φ(y) ≥ t_E: area over the normalised partial REC curve" by "REC05 §4.1";
    Utility = "utility" | "mu" / "Ū" / "mean utility": Higher [Relevance, Utility] else []
        "mean of min(φ(y), φ(ŷ))·ζ(L) if L ≤ t, ((1 − p)·φ(ŷ) + p·φ(y))·ζ(L) beyond" by "UT08 eq. 1–2";
    UbaMu = "uba_mu" / "MU" / "mean utility over the bumps of φ": Higher [Uba] else []
        "mean of φ(y)·benefit − (p·φ(y) + (1 − p)·φ(ŷ))·cost" by "Ribeiro 2011 (uba)";
    UbaNmu = "uba_nmu" / "NMU" / "normalised mean utility over the bumps of φ": Higher [Uba] else []
        "(MU + 1) / 2" by "Ribeiro 2011 (uba)";
    UbaPrecision = "uba_precision" / "P_U" / "utility precision":
        Higher [Uba, EventThreshold] else [NoSignals]
        "Σ|1 + U| / Σ|1 + φ(ŷ)| over φ(ŷ) ≥ t_E" by "Ribeiro 2011 (uba)";
    UbaRecall = "uba_recall" / "R_U" / "utility recall": Higher [Uba, EventThreshold] else [NoEvents]
        "Σ|1 + U| / Σ|1 + φ(y)| over φ(y) ≥ t_E" by "Ribeiro 2011 (uba)";
    UbaF = "uba_f" / "F_U" / "utility F-measure":
        Higher [Uba, EventThreshold, Beta] else [NoSignals, NoEvents]
        "(β² + 1)·P_U·R_U / (β²·P_U + R_U)" by "Ribeiro 2011 (uba)";
    Sera = "sera" / "SERA" / "squared error-relevance area": Lower [Relevance] else []
        "∫₀¹ Σ_{φ(y) ≥ t} (ŷ − y)² dt = Σ φ(y)·(ŷ − y)²" by "Ribeiro & Moniz 2020";
    SeraShare = "sera_norm" / "SERA_n" / "SERA as a share of the squared error":
        Lower [Relevance] else [NoError]
        "SERA / Σ(ŷ − y)²" by "Ribeiro & Moniz 2020 (IRon)";
    Rwse = "rwse" / "RWSE" / "relevance-weighted squared error": Lower [Relevance] else []
        "mean of 2·|∫ φ(θ)·(y − θ) dθ| between ŷ and y" by "Taggart 2022, weight φ; consistent for the mean";
    Rwae = "rwae" / "RWAE" / "relevance-weighted absolute error": Lower [Relevance] else []
        "mean of |∫ φ(θ) dθ| between ŷ and y" by "Taggart 2022, weight φ; consistent for the median";
    Rwqs = "rwqs" / "RWQS" / "relevance-weighted quantile score": Lower [Relevance, Quantile] else []
        "mean of q·∫ φ from ŷ to y if ŷ ≤ y, (1 − q)·∫ φ from y to ŷ beyond"
        by "Taggart 2022, weight φ; consistent for the quantile of level q";
    Sedi = "sedi" / "SEDI" / "symmetric extremal dependence index":
        Higher [Relevance, EventThreshold] else [NoEvents, NoSignals, CertainRate]
        "(ln F − ln H + ln(1 − H) − ln(1 − F)) / (ln F + ln H + ln(1 − H) + ln(1 − F)), \
        H signals on events / events, F false alarms / other cases"
        by "Ferro & Stephenson 2011";
    BeyondRate = "beyond_rate" | "hit_rate" / "beyond" / "trading signals whose return went beyond the threshold":
        Higher [Trading] else [NoTrades]
        "signals that met a move on their side / signals" by "PR09 §5.2";
    WrongSideRate = "wrong_side_rate" / "wrong" / "wrong-side signals per signal":
        Lower [Trading] else [NoTrades]
        "signals whose return went the other way / signals" by "PR09 §5.2";
    MissedRate = "missed_rate" / "missed" / "moves without a signal": Lower [Trading] else [NoEvents]
        "moves without a signal / moves" by "PR09 §5.2";
    ReturnPerTrade = "return_per_trade" / "r̄" / "mean return per signal":
        Higher [Trading] else [NoTrades]
        "mean of ±y − 2·cost over all signals" by "PR09 §5.2";
    TotalReturn = "total_return" / "Σr" / "total return, one unit per signal":
        Higher [Trading] else []
        "Σ(±y − 2·cost) over all signals; 0 without signals" by "PR09 §5.2";
    Growth = "growth" / "growth" / "growth of one account, one position at a time":
        Higher [Trading] else [SeveralPeriods]
        "Π(1 ± y − 2·cost) − 1 over signals that find no position open; 0 without signals" by "PR09 §5.2";
}
