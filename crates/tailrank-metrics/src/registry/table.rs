//! The rows of the registry. To add a measure: a row here and its computation in `scoring/formula.rs`.

use super::{Input, MeasureInfo, Need, OwnMeasure};
use crate::score::{Better, Undefined};

/// Writes the enum of measures and the table of their rows from one list.
macro_rules! measures {
    ($($variant:ident => $name:literal {
        id: $id:literal, aliases: $aliases:expr, symbol: $symbol:literal,
        better: $better:ident, input: $input:ident,
        needs: [$($need:ident),*], undefined: [$($undefined:ident),*],
        citation: $citation:literal,
        formula: $formula:literal,
    })*) => {
        /// A measure of the registry.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Measure {
            $(#[doc = $name] $variant,)*
            /// A measure [registered](OwnMeasure::register) from outside.
            Own(&'static OwnMeasure),
        }

        /// Every built-in measure, in the order in which lists show them.
        pub static MEASURES: &[MeasureInfo] = &[$(MeasureInfo {
            measure: Measure::$variant,
            id: $id,
            aliases: &$aliases,
            name: $name,
            symbol: $symbol,
            better: Better::$better,
            citation: $citation,
            formula: $formula,
            needs: &[$(Need::$need),*],
            undefined: &[$(Undefined::$undefined),*],
            input: Input::$input,
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
    Mad => "mean absolute deviation" {
        id: "mad", aliases: ["mae"], symbol: "MAD", better: Lower, input: Numbers,
        needs: [], undefined: [],
        citation: "WF Table 5.8; PR09 §2",
        formula: "Σ|ŷ − y| / n",
    }
    MedianAbsolute => "median absolute error" {
        id: "medae", aliases: ["median_absolute_error"], symbol: "MedAE", better: Lower, input: Numbers,
        needs: [], undefined: [],
        citation: "Hyndman & Koehler 2006 §2.1",
        formula: "median |ŷ − y|",
    }
    Mse => "mean squared error" {
        id: "mse", aliases: [], symbol: "MSE", better: Lower, input: Numbers,
        needs: [], undefined: [],
        citation: "WF Table 5.8; PR09 §2",
        formula: "Σ(ŷ − y)² / n",
    }
    Rmse => "root mean squared error" {
        id: "rmse", aliases: [], symbol: "RMSE", better: Lower, input: Numbers,
        needs: [], undefined: [],
        citation: "WF Table 5.8",
        formula: "√MSE",
    }
    Rse => "relative squared error" {
        id: "rse", aliases: ["nmse"], symbol: "RSE", better: Lower, input: Numbers,
        needs: [Reference], undefined: [ZeroVariance],
        citation: "WF Table 5.8",
        formula: "Σ(ŷ − y)² / Σ(y − m)², m the reference mean",
    }
    Rrse => "root relative squared error" {
        id: "rrse", aliases: [], symbol: "RRSE", better: Lower, input: Numbers,
        needs: [Reference], undefined: [ZeroVariance],
        citation: "WF Table 5.8",
        formula: "√RSE",
    }
    Rae => "relative absolute error" {
        id: "rae", aliases: ["nmae"], symbol: "RAE", better: Lower, input: Numbers,
        needs: [Reference], undefined: [ZeroVariance],
        citation: "WF Table 5.8",
        formula: "Σ|ŷ − y| / Σ|y − m|, m the reference mean",
    }
    Correlation => "correlation coefficient" {
        id: "correlation", aliases: ["cor", "pearson"], symbol: "r", better: Higher, input: Numbers,
        needs: [], undefined: [ZeroVariance, ConstantPredictions],
        citation: "WF Table 5.8",
        formula: "S_py / √(S_p·S_y)",
    }
    LinLin => "mean LINLIN loss" {
        id: "linlin", aliases: [], symbol: "LINLIN", better: Lower, input: Numbers,
        needs: [Loss], undefined: [],
        citation: "PR09 eq. 1",
        formula: "mean of c_o·|y − ŷ| if ŷ > y, c_u·|y − ŷ| if ŷ < y",
    }
    QuadQuad => "mean QUAD-QUAD loss" {
        id: "quadquad", aliases: [], symbol: "QUAD-QUAD", better: Lower, input: Numbers,
        needs: [Loss], undefined: [],
        citation: "Christoffersen & Diebold 1996; PR09 §3",
        formula: "mean of c_o·(y − ŷ)² if ŷ > y, c_u·(y − ŷ)² if ŷ < y",
    }
    Linex => "mean LINEX loss" {
        id: "linex", aliases: [], symbol: "LINEX", better: Lower, input: Numbers,
        needs: [Linex], undefined: [],
        citation: "Christoffersen & Diebold 1996; PR09 §3",
        formula: "mean of b·(exp(a·(y − ŷ)) − a·(y − ŷ) − 1)",
    }
    Precision => "precision for regression" {
        id: "precision", aliases: [], symbol: "P", better: Higher, input: Numbers,
        needs: [Relevance, EventThreshold, Accuracy], undefined: [NoSignals, ZeroRelevance],
        citation: "PR09 eq. 10",
        formula: "Σ α·φ(ŷ) / Σ φ(ŷ) over φ(ŷ) ≥ t_E",
    }
    Recall => "recall for regression" {
        id: "recall", aliases: [], symbol: "R", better: Higher, input: Numbers,
        needs: [Relevance, EventThreshold, Accuracy], undefined: [NoEvents, ZeroRelevance],
        citation: "PR09 eq. 6",
        formula: "Σ α·φ(y) / Σ φ(y) over φ(y) ≥ t_E",
    }
    F => "F-measure for regression" {
        id: "f", aliases: ["fmeasure", "f_measure"], symbol: "F", better: Higher, input: Numbers,
        needs: [Relevance, EventThreshold, Accuracy, Beta], undefined: [NoSignals, NoEvents, ZeroRelevance],
        citation: "PR09 eq. 11",
        formula: "(β² + 1)·P·R / (β²·P + R)",
    }
    PrArea => "area under the precision–recall curve over t_E" {
        id: "pr_area", aliases: ["aucpr"], symbol: "AUC-PR", better: Higher, input: Numbers,
        needs: [Relevance, Accuracy], undefined: [NoSignals, NoEvents],
        citation: "PR09 §6; UT08 §5",
        formula: "∫ best precision at recall ≥ r dr, t_E swept over every φ",
    }
    EventMad => "mean absolute deviation on the events" {
        id: "event_mad", aliases: [], symbol: "MAD_E", better: Lower, input: Numbers,
        needs: [Relevance, EventThreshold], undefined: [NoEvents],
        citation: "REC05 §4.1",
        formula: "mean |ŷ − y| over φ(y) ≥ t_E: area over the normalised partial REC curve",
    }
    Utility => "mean utility" {
        id: "utility", aliases: ["mu"], symbol: "Ū", better: Higher, input: Numbers,
        needs: [Relevance, Utility], undefined: [],
        citation: "UT08 eq. 1–2",
        formula: "mean of min(φ(y), φ(ŷ))·ζ(L) if L ≤ t, ((1 − p)·φ(ŷ) + p·φ(y))·ζ(L) beyond",
    }
    UbaMu => "mean utility over the bumps of φ" {
        id: "uba_mu", aliases: [], symbol: "MU", better: Higher, input: Numbers,
        needs: [Uba], undefined: [],
        citation: "Ribeiro 2011 (uba)",
        formula: "mean of φ(y)·benefit − (p·φ(y) + (1 − p)·φ(ŷ))·cost",
    }
    UbaNmu => "normalised mean utility over the bumps of φ" {
        id: "uba_nmu", aliases: [], symbol: "NMU", better: Higher, input: Numbers,
        needs: [Uba], undefined: [],
        citation: "Ribeiro 2011 (uba)",
        formula: "(MU + 1) / 2",
    }
    UbaPrecision => "utility precision" {
        id: "uba_precision", aliases: [], symbol: "P_U", better: Higher, input: Numbers,
        needs: [Uba, EventThreshold], undefined: [NoSignals],
        citation: "Ribeiro 2011 (uba)",
        formula: "Σ|1 + U| / Σ|1 + φ(ŷ)| over φ(ŷ) ≥ t_E",
    }
    UbaRecall => "utility recall" {
        id: "uba_recall", aliases: [], symbol: "R_U", better: Higher, input: Numbers,
        needs: [Uba, EventThreshold], undefined: [NoEvents],
        citation: "Ribeiro 2011 (uba)",
        formula: "Σ|1 + U| / Σ|1 + φ(y)| over φ(y) ≥ t_E",
    }
    UbaF => "utility F-measure" {
        id: "uba_f", aliases: [], symbol: "F_U", better: Higher, input: Numbers,
        needs: [Uba, EventThreshold, Beta], undefined: [NoSignals, NoEvents],
        citation: "Ribeiro 2011 (uba)",
        formula: "(β² + 1)·P_U·R_U / (β²·P_U + R_U)",
    }
    Sera => "squared error-relevance area" {
        id: "sera", aliases: [], symbol: "SERA", better: Lower, input: Numbers,
        needs: [Relevance, Sera], undefined: [],
        citation: "Ribeiro & Moniz 2020",
        formula: "∫₀¹ Σ_{φ(y) ≥ t} (ŷ − y)² dt = Σ φ(y)·(ŷ − y)²",
    }
    SeraShare => "SERA as a share of the squared error" {
        id: "sera_norm", aliases: [], symbol: "SERA_n", better: Lower, input: Numbers,
        needs: [Relevance, Sera], undefined: [NoError],
        citation: "Ribeiro & Moniz 2020 (IRon)",
        formula: "SERA / Σ(ŷ − y)²",
    }
    Rwse => "relevance-weighted squared error" {
        id: "rwse", aliases: [], symbol: "RWSE", better: Lower, input: Numbers,
        needs: [Relevance], undefined: [],
        citation: "Taggart 2022, weight φ; consistent for the mean",
        formula: "mean of 2·|∫ φ(θ)·(y − θ) dθ| between ŷ and y",
    }
    Rwae => "relevance-weighted absolute error" {
        id: "rwae", aliases: [], symbol: "RWAE", better: Lower, input: Numbers,
        needs: [Relevance], undefined: [],
        citation: "Taggart 2022, weight φ; consistent for the median",
        formula: "mean of |∫ φ(θ) dθ| between ŷ and y",
    }
    Rwqs => "relevance-weighted quantile score" {
        id: "rwqs", aliases: [], symbol: "RWQS", better: Lower, input: Numbers,
        needs: [Relevance, Quantile], undefined: [],
        citation: "Taggart 2022, weight φ; consistent for the quantile of level q",
        formula: "mean of q·∫ φ from ŷ to y if ŷ ≤ y, (1 − q)·∫ φ from y to ŷ beyond",
    }
    Sedi => "symmetric extremal dependence index" {
        id: "sedi", aliases: [], symbol: "SEDI", better: Higher, input: Numbers,
        needs: [Relevance, EventThreshold], undefined: [NoEvents, NoSignals, CertainRate],
        citation: "Ferro & Stephenson 2011",
        formula: "(ln F − ln H + ln(1 − H) − ln(1 − F)) / (ln F + ln H + ln(1 − H) + ln(1 − F)), \
            H signals on events / events, F false alarms / other cases",
    }
    BeyondRate => "trading signals whose return went beyond the threshold" {
        id: "beyond_rate", aliases: ["hit_rate"], symbol: "beyond", better: Higher, input: Numbers,
        needs: [Trading], undefined: [NoTrades],
        citation: "PR09 §5.2",
        formula: "signals that met a move on their side / signals",
    }
    WrongSideRate => "wrong-side signals per signal" {
        id: "wrong_side_rate", aliases: [], symbol: "wrong", better: Lower, input: Numbers,
        needs: [Trading], undefined: [NoTrades],
        citation: "PR09 §5.2",
        formula: "signals whose return went the other way / signals",
    }
    MissedRate => "moves without a signal" {
        id: "missed_rate", aliases: [], symbol: "missed", better: Lower, input: Numbers,
        needs: [Trading], undefined: [NoEvents],
        citation: "PR09 §5.2",
        formula: "moves without a signal / moves",
    }
    ReturnPerTrade => "mean return per signal" {
        id: "return_per_trade", aliases: [], symbol: "r̄", better: Higher, input: Numbers,
        needs: [Trading], undefined: [NoTrades],
        citation: "PR09 §5.2",
        formula: "mean of ±y − 2·cost over all signals",
    }
    TotalReturn => "total return, one unit per signal" {
        id: "total_return", aliases: [], symbol: "Σr", better: Higher, input: Numbers,
        needs: [Trading], undefined: [],
        citation: "PR09 §5.2",
        formula: "Σ(±y − 2·cost) over all signals; 0 without signals",
    }
    Growth => "growth of one account, one position at a time" {
        id: "growth", aliases: [], symbol: "growth", better: Higher, input: Numbers,
        needs: [Trading], undefined: [SeveralPeriods],
        citation: "PR09 §5.2",
        formula: "Π(1 ± y − 2·cost) − 1 over signals that find no position open; 0 without signals",
    }
    ClassAccuracy => "accuracy" {
        id: "accuracy", aliases: [], symbol: "Acc", better: Higher, input: Classes,
        needs: [], undefined: [EmptyClass],
        citation: "WF §5.1; OARP11",
        formula: "(tp + tn) / n",
    }
    ClassPrecision => "precision of the positive class" {
        id: "class_precision", aliases: [], symbol: "p", better: Higher, input: Classes,
        needs: [], undefined: [NoSignals],
        citation: "WF §5.7",
        formula: "tp / (tp + fp)",
    }
    ClassRecall => "recall of the positive class" {
        id: "class_recall", aliases: [], symbol: "r", better: Higher, input: Classes,
        needs: [], undefined: [EmptyClass],
        citation: "WF §5.7",
        formula: "tp / (tp + fn)",
    }
    ClassF => "F-measure of the positive class" {
        id: "class_f", aliases: [], symbol: "F", better: Higher, input: Classes,
        needs: [Beta], undefined: [NoSignals, EmptyClass],
        citation: "WF §5.7; OARP11",
        formula: "(β² + 1)·p·r / (β²·p + r)",
    }
    OptimisedPrecision => "optimised precision" {
        id: "op", aliases: [], symbol: "OP", better: Higher, input: Classes,
        needs: [], undefined: [EmptyClass],
        citation: "Ranawana & Palade 2006",
        formula: "Acc − |Sp − Sn| / (Sp + Sn)",
    }
    Oarp => "optimised accuracy with recall–precision" {
        id: "oarp", aliases: [], symbol: "OARP", better: Higher, input: Classes,
        needs: [], undefined: [EmptyClass],
        citation: "OARP11 eq. 1–5",
        formula: "Acc − AVRI/10, AVRI = mean of |p₁ − r₂|/(p₁ + r₂) and |p₂ − r₁|/(p₂ + r₁)",
    }
}
