//! What figures draw, at the settings of the last [`evaluate`](crate::evaluate).

use tailrank_metrics::{
    Relevance,
    trading::{Side, TradingRecord},
};

use crate::{Answer, answer, page::Page, told};

/// φ of `values`, which come part after part, each by its own part's function.
fn phi_by_part(page: &Page, values: &[f64]) -> Answer {
    let mut out = vec![0.0; values.len()];
    let mut start = 0;
    for (part, values) in page.parts.iter().zip(page.cut(values)) {
        let end = start + values.len();
        page.phi_of(part).map_err(told)?.phi_into(values, &mut out[start..end]);
        start = end;
    }
    Ok(out)
}

fn first_phi(page: &Page) -> Result<Relevance, String> {
    page.phi_of(page.parts.first().ok_or("no task is open")?).map_err(told)
}

/// φ of every true value.
#[unsafe(no_mangle)]
pub extern "C" fn phi_of_truth() -> i32 {
    answer(|page| {
        let truth: Vec<f64> = page.parts.iter().flat_map(|p| p.truth.iter().copied()).collect();
        phi_by_part(page, &truth)
    })
}

/// φ of every prediction of a variant.
#[unsafe(no_mangle)]
pub extern "C" fn phi_of_predicted(variant: usize) -> i32 {
    answer(|page| {
        let predicted = page.predictions.get(variant).and_then(Option::as_ref).ok_or("no predictions")?;
        phi_by_part(page, predicted)
    })
}

/// Where the flanks of φ meet, part by part.
#[unsafe(no_mangle)]
pub extern "C" fn valleys() -> i32 {
    answer(|page| page.parts.iter().map(|p| Ok(page.phi_of(p).map_err(told)?.valley())).collect())
}

/// The first part's φ at the values given as input.
#[unsafe(no_mangle)]
pub extern "C" fn curve() -> i32 {
    answer(|page| {
        let phi = first_phi(page)?;
        let mut out = vec![0.0; page.input.len()];
        phi.phi_into(&page.input, &mut out);
        Ok(out)
    })
}

/// The ranges between `from` and `to` where the first part's φ reaches t_E, two numbers each.
#[unsafe(no_mangle)]
pub extern "C" fn event_ranges(from: f64, to: f64) -> i32 {
    answer(|page| {
        let ranges = first_phi(page)?.event_bounds(page.what_if.t_e).map_err(told)?;
        let shown = ranges.iter().filter(|r| r.from <= to && r.to >= from);
        Ok(shown.flat_map(|r| [r.from.max(from), r.to.min(to)]).collect())
    })
}

/// UT08's utility at every pair of the values given as input: true value after true value.
#[unsafe(no_mangle)]
pub extern "C" fn utility_surface() -> i32 {
    answer(|page| {
        let (phi, grid) = (first_phi(page)?, &page.input);
        let utility = page.utility().map_err(told)?.ok_or("utility needs t")?;
        Ok(utility.surface(grid, grid, &phi).map_err(told)?.concat())
    })
}

/// A variant's trades over one test period.
///
/// Long and short signals, returns beyond the threshold and on the wrong side, missed moves, the sum of
/// returns, the account's growth, the number of trades; then row, side (±1), return, and 1 where it went
/// beyond the threshold, for each; then row and value of the account after each trade that it took.
#[unsafe(no_mangle)]
pub extern "C" fn trades(variant: usize) -> i32 {
    answer(|page| {
        let rule = page.trading().ok_or("the run has no trading rule")?;
        let predicted = page.predictions.get(variant).and_then(Option::as_ref).ok_or("no predictions")?;
        let truth = &page.parts.first().ok_or("no task is open")?.truth;
        let record = TradingRecord::new(truth, predicted, rule).map_err(told)?;
        let (counts, account) = (record.counts(), record.one_position());
        let [long, short] = counts.signals.map(|n| n as f64);
        let rates = [counts.beyond_threshold, counts.wrong_side, counts.missed_moves].map(|n| n as f64);
        let mut out = vec![long, short];
        out.extend(rates);
        out.extend([counts.profit, account.total, record.trades().len() as f64]);
        for trade in record.trades() {
            let side = if trade.side == Side::Long { 1.0 } else { -1.0 };
            let beyond = rule.movement(truth[trade.row]) == Some(trade.side);
            out.extend([trade.row as f64, side, trade.profit, f64::from(u8::from(beyond))]);
        }
        out.extend(account.equity.iter().flat_map(|&(row, value)| [row as f64, value]));
        Ok(out)
    })
}
