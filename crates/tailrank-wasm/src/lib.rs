//! What the report's page computes: scores at moved settings, ranks, φ, utility and trades, by the code that
//! scored the run. The page holds no formula of its own, so its numbers have the command line's bits.
//!
//! The browser hands over numbers alone. It asks for room with [`input`], writes its numbers there and calls
//! a function; what the function answers stands at [`output`], as many numbers as it returns. A negative
//! return is the length of a message, one number a byte. A task is told part by part (`sigmoid` …, then
//! [`part`]), then its predictions and measures; after that [`evaluate`] may be called as often as a slider
//! moves, and the figures' functions speak of the settings it was last called with.

mod figures;
mod page;
mod ranks;

use std::cell::RefCell;

use page::{Page, Part, Rules, Shape, WhatIf};
use tailrank_metrics::{Measure, MetricError, Relevance};

thread_local! {
    /// A page has one thread and one task in front.
    static PAGE: RefCell<Page> = RefCell::default();
}

/// What a function answers: nothing, numbers, or why there are none.
type Answer = Result<Vec<f64>, String>;

fn told<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// Runs `work` on the page and lays its answer out.
fn answer(work: impl FnOnce(&mut Page) -> Answer) -> i32 {
    PAGE.with_borrow_mut(|page| match work(page) {
        Ok(numbers) => {
            page.output = numbers;
            page.output.len() as i32
        }
        Err(message) => {
            page.output = message.bytes().map(f64::from).collect();
            -(page.output.len() as i32)
        }
    })
}

/// A number that may be missing.
const fn given(value: f64) -> Option<f64> {
    if value.is_nan() { None } else { Some(value) }
}

/// Room for `numbers` of the caller's.
#[unsafe(no_mangle)]
pub extern "C" fn input(numbers: usize) -> *mut f64 {
    PAGE.with_borrow_mut(|page| {
        page.input.clear();
        page.input.resize(numbers, 0.0);
        page.input.as_mut_ptr()
    })
}

/// Where the last answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const f64 {
    PAGE.with_borrow(|page| page.output.as_ptr())
}

/// Forgets the task in front.
#[unsafe(no_mangle)]
pub extern "C" fn task() {
    PAGE.with_borrow_mut(|page| *page = Page::default());
}

fn relevance(page: &mut Page, phi: Result<Relevance, MetricError>) -> Answer {
    page.phi = Some(phi.map_err(told)?);
    Ok(Vec::new())
}

fn pairs(numbers: &[f64]) -> Vec<(f64, f64)> {
    numbers.chunks_exact(2).map(|c| (c[0], c[1])).collect()
}

/// The next part's φ: two logistic curves, either of which may be missing.
#[unsafe(no_mangle)]
pub extern "C" fn sigmoid(low: f64, high: f64, k: f64, delta: f64) -> i32 {
    answer(|page| relevance(page, Relevance::sigmoid(given(low), given(high), k, delta)))
}

/// The next part's φ: a piecewise cubic through (y, φ, slope).
#[unsafe(no_mangle)]
pub extern "C" fn pchip() -> i32 {
    answer(|page| {
        let points: Vec<(f64, f64)> = page.input.chunks_exact(3).map(|c| (c[0], c[1])).collect();
        let slopes: Vec<f64> = page.input.chunks_exact(3).map(|c| c[2]).collect();
        relevance(page, Relevance::range(&points, Some(&slopes)))
    })
}

/// The next part's φ: straight between (y, φ).
#[unsafe(no_mangle)]
pub extern "C" fn table() -> i32 {
    answer(|page| relevance(page, Relevance::table(&pairs(&page.input))))
}

/// The next part's φ: 1 within the ranges (from, to).
#[unsafe(no_mangle)]
pub extern "C" fn indicator() -> i32 {
    answer(|page| relevance(page, Relevance::indicator(&pairs(&page.input))))
}

/// What all parts share: shape of α (0 indicator, 1 linear, 2 smooth) and its k, the utility's benefit and
/// own t, the costs, and the trading rule's horizon (0: no trading) and cost.
#[unsafe(no_mangle)]
pub extern "C" fn rules(
    shape: i32,
    alpha_k: f64,
    benefit: f64,
    t: f64,
    over: f64,
    under: f64,
    linex_shape: f64,
    linex_scale: f64,
    horizon: usize,
    cost: f64,
) {
    let shape = match shape {
        0 => Shape::Indicator,
        1 => Shape::Linear,
        _ => Shape::Smooth,
    };
    let trading = (horizon > 0).then_some((horizon, cost));
    let rules =
        Rules { shape, alpha_k, benefit, t: given(t), over, under, linex_shape, linex_scale, trading };
    PAGE.with_borrow_mut(|page| page.rules = rules);
}

/// A part of the truth, given as input: its repeat, the mean of its training targets and uba's loss, where
/// there are such.
#[unsafe(no_mangle)]
pub extern "C" fn part(repeat: usize, reference: f64, tloss: f64) -> i32 {
    answer(|page| {
        let phi = page.phi.take().ok_or("a part needs a relevance function")?;
        let truth = std::mem::take(&mut page.input);
        page.parts.push(Part { truth, phi, repeat, reference: given(reference), tloss: given(tloss) });
        Ok(Vec::new())
    })
}

/// The predictions of the next variant, given as input, part after part; none where the input is empty.
#[unsafe(no_mangle)]
pub extern "C" fn prediction() -> i32 {
    answer(|page| {
        let predicted = std::mem::take(&mut page.input);
        let cases: usize = page.parts.iter().map(|p| p.truth.len()).sum();
        if !predicted.is_empty() && predicted.len() != cases {
            return Err(format!("{} predictions for {cases} cases", predicted.len()));
        }
        page.predictions.push((!predicted.is_empty()).then_some(predicted));
        Ok(Vec::new())
    })
}

/// A measure of the run, by its id.
#[unsafe(no_mangle)]
pub extern "C" fn measure() -> i32 {
    answer(|page| {
        let id: String = page.input.iter().map(|&c| char::from(c as u8)).collect();
        page.measures.push(Measure::from_id(&id).map_err(told)?);
        Ok(Vec::new())
    })
}

/// The scores at other settings, of the measures whose places are given as input.
///
/// The answer: the number of events; then for each variant 1 and its signals, hits, and a number and a reason
/// per measure, where reason 0 says that the number is the score; or 0 alone for a variant without
/// predictions.
#[unsafe(no_mangle)]
pub extern "C" fn evaluate(
    t_e: f64,
    t_l: f64,
    beta: f64,
    p: f64,
    low: f64,
    high: f64,
    threshold: f64,
) -> i32 {
    let what_if = WhatIf {
        t_e,
        t_l: given(t_l),
        beta,
        p,
        low: given(low),
        high: given(high),
        threshold: given(threshold),
    };
    answer(|page| {
        page.what_if = what_if;
        page.evaluate().map_err(told)
    })
}

/// A reason why a score has no value, as text.
#[unsafe(no_mangle)]
pub extern "C" fn reason(code: usize) -> i32 {
    answer(|_| {
        let reason = page::REASONS.get(code.wrapping_sub(1)).ok_or("no such reason")?;
        Ok(reason.reason().bytes().map(f64::from).collect())
    })
}
