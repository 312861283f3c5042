//! A tour of a minute: one stock, one horizon, a thinned grid of the stock-returns study.

use super::{
    prelude::*,
    stock_returns::{figures::figure_2, headline, tau_of, trading, verdicts},
};

/// The study.
pub(super) const KIND: Kind = Kind::experiment(include_str!("../../experiments/quick.toml"), conclude);

/// All claims are about the models of the grid: baselines are references and stand outside the ranks.
fn conclude(found: &Run, _: &[Run]) -> Result<Conclusion> {
    let results = &found.results;
    let verdicts = verdicts(results);
    let verdict = verdicts.first().ok_or_else(|| missing("the run has no task"))?;
    let scores = &results.scores[verdict.task];
    let both = [verdict.best_chosen, verdict.best_judged];
    let [model_mad, model_f] = both.map(|v| label(results, v));
    let [by_mad, by_f] = both.map(|v| v.and_then(|v| scores.signals(v)).unwrap_or(0) as u64);
    let (tau, p) = (tau_of(verdict), verdict.tau.as_ref().map(|t| t.p_value));
    let chance =
        inference_of(results, verdict.task).and_then(|i| i.measure(Measure::F)?.chance.as_ref().map(|l| l.p));
    let claims = vec![
        claim("quick/other-on-top").stands(other_on_top(results, verdict), &[&model_mad, &model_f]),
        claim("quick/disagree").stands(opposed(tau, p), &[&tau.unwrap_or(f64::NAN)]),
        claim("quick/almost-never").stands(
            below(share_interval(by_mad as f64, scores.cases as f64), trading::ALMOST_NEVER),
            &[&by_mad, &scores.cases],
        ),
        claim("quick/several").holds(by_f >= trading::SEVERAL, &[&by_f]),
        claim("quick/chance")
            .stands(chance.map_or(Standing::NotTestable, |p| tested(true, p)), &[&p_value(chance)]),
    ];
    Ok(Conclusion {
        opening: words::opening("quick", &[&model_mad, &by_mad, &model_f, &by_f, &p_value(chance)]),
        claims,
        tables: vec![headline(results, &verdicts)],
        figures: figure_2(results, &verdicts, "KO 3d")?,
        ..Conclusion::default()
    })
}
