//! A run as one JSON document: what the tables say, in full precision. Undefined is null, with its reason beside it.

use serde_json::{Map, Value, json as value};
use tailrank_engine::{plan::Plan, run::Results, score::VariantStatus};
use tailrank_metrics::{Better, Measure, Score};

use crate::claims::Claim;

/// Everything a run found: measures, scores and ranks, verdicts, average ranks, regret, trading, claims, failures.
pub fn json(plan: &Plan, results: &Results, claims: &[Claim]) -> Value {
    let measures: Vec<Value> = plan.rules.measures.iter().map(|&m| measure(m)).collect();
    value!({
        "name": plan.experiment.name,
        "title": plan.experiment.title,
        "seed": plan.experiment.seed,
        "measures": measures,
        "tasks": tasks(results),
        "verdicts": verdicts(results),
        "average_ranks": average_ranks(results),
        "regrets": regrets(results),
        "trading": trading(results),
        "claims": claims,
    })
}

fn measure(m: Measure) -> Value {
    let info = m.info();
    let better = match info.better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    };
    value!({ "id": info.id, "name": info.name, "symbol": info.symbol, "better": better, "citation": info.citation })
}

fn tasks(results: &Results) -> Vec<Value> {
    let of = |(name, s): (&String, &tailrank_engine::score::TaskScores)| {
        let scored = s.scored();
        let ranks: Vec<Vec<f64>> = s
            .measures
            .iter()
            .map(|&m| {
                let all = s.values(m);
                let picked: Vec<Option<f64>> = scored.iter().map(|&v| all[v]).collect();
                tailrank_stats::rank_scores(&picked, m.better()).unwrap_or_default()
            })
            .collect();
        let variants: Vec<Value> = (0..results.variants.len())
            .map(|v| {
                let place = scored.iter().position(|&x| x == v);
                let (mut scores, mut undefined, mut rank) = (Map::new(), Map::new(), Map::new());
                for (k, m) in s.measures.iter().enumerate() {
                    let score = s.scores[v].get(k).copied();
                    scores.insert(m.id().to_owned(), score.and_then(Score::value).into());
                    if let Some(why) = score.and_then(Score::undefined) {
                        undefined.insert(m.id().to_owned(), why.reason().into());
                    }
                    rank.insert(m.id().to_owned(), place.and_then(|p| ranks[k].get(p).copied()).into());
                }
                let (status, reason) = status(&s.status[v]);
                let name = &results.variants[v];
                value!({
                    "variant": name.label,
                    "family": name.group,
                    "parameters": name.params,
                    "status": status,
                    "reason": reason,
                    "scores": scores,
                    "undefined": undefined,
                    "ranks": rank,
                    "signals": s.signals[v],
                    "hits": s.hits[v],
                })
            })
            .collect();
        value!({ "task": name, "cases": s.cases, "events": s.events, "variants": variants })
    };
    results.tasks.iter().zip(&results.scores).map(of).collect()
}

fn status(status: &VariantStatus) -> (&'static str, Option<&str>) {
    match status {
        VariantStatus::Fine => ("ok", None),
        VariantStatus::NotConverged => ("not converged", None),
        VariantStatus::Failed { reason } => ("failed", Some(reason)),
        VariantStatus::Missing => ("missing", None),
    }
}

fn verdicts(results: &Results) -> Vec<Value> {
    let label = |v: Option<usize>| v.map(|v| results.variants[v].label.as_str());
    let of = |v: &tailrank_engine::score::Verdict| {
        let signals = |best: Option<usize>| best.and_then(|b| results.scores[v.task].signals[b]);
        value!({
            "task": results.tasks[v.task],
            "chosen_by": v.chosen_by.id(),
            "judged_by": v.judged_by.id(),
            "best_chosen": label(v.best_chosen),
            "best_judged": label(v.best_judged),
            "rho": v.rho.as_ref().and_then(|t| t.estimate),
            "rho_p": v.rho.as_ref().map(|t| t.p_value),
            "tau": v.tau.as_ref().and_then(|t| t.estimate),
            "tau_p": v.tau.as_ref().map(|t| t.p_value),
            "tau_p_holm": v.tau_holm_p,
            "tau_permutation_p": v.tau_permutation_p,
            "top_k": v.top.as_ref().map(|t| t.k),
            "top_shared": v.top.as_ref().map(|t| t.shared),
            "rank_biased_overlap": v.rbo,
            "signals_best_chosen": signals(v.best_chosen),
            "signals_best_judged": signals(v.best_judged),
            "regret": v.regret,
        })
    };
    results.verdicts.iter().map(of).collect()
}

fn average_ranks(results: &Results) -> Vec<Value> {
    let of = |a: &tailrank_engine::score::AcrossTasks| {
        let ranks: Vec<Value> = a
            .variants
            .iter()
            .zip(&a.average_ranks)
            .map(|(&v, rank)| value!({ "variant": results.variants[v].label, "average_rank": rank }))
            .collect();
        value!({
            "measure": a.measure.id(),
            "critical_difference": a.critical_difference,
            "friedman_p": a.friedman.as_ref().map(|t| t.p_value),
            "iman_davenport_p": a.iman_davenport.as_ref().map(|t| t.p_value),
            "variants": ranks,
        })
    };
    results.across.iter().map(of).collect()
}

fn regrets(results: &Results) -> Vec<Value> {
    let of = |r: &tailrank_engine::score::Regret| {
        value!({
            "task": results.tasks[r.task],
            "chosen_by": r.chosen_by.id(),
            "chosen": results.variants[r.chosen].label,
            "judged_by": r.judged_by.id(),
            "best": r.best.map(|v| results.variants[v].label.as_str()),
            "chosen_score": r.chosen_score.value(),
            "best_score": r.best_score.and_then(Score::value),
            "regret": r.relative,
        })
    };
    results.regrets.iter().map(of).collect()
}

fn trading(results: &Results) -> Vec<Value> {
    let of = |r: &tailrank_engine::score::TradingRow| {
        let (counts, all, one) = (r.record.counts(), r.record.every_signal(), r.record.one_position());
        value!({
            "task": results.tasks[r.task],
            "chosen_by": r.chosen_by.id(),
            "variant": results.variants[r.variant].label,
            "signals": counts.signal_count(),
            "hits": counts.beyond_threshold,
            "wrong_side": counts.wrong_side,
            "missed_moves": counts.missed_moves,
            "return_per_signal": all.per_trade.value(),
            "return_every_signal": all.total,
            "trades_one_position": one.trades,
            "return_one_position": one.total,
            "drawdown_one_position": one.drawdown,
        })
    };
    results.trading.iter().map(of).collect()
}
