//! What the report's page computes: scores at moved settings, ranks, φ, utility and trades, by the code that
//! scored the run. The page holds no formula of its own, so its numbers have the command line's bits.
//!
//! The browser hands over numbers alone. It asks for room with [`input`], writes its numbers there and calls
//! a function; what the function answers stands at [`output`], as many numbers as it returns. A negative
//! return is the length of a message, one number a byte. A task is told part by part ([`phi`], then
//! [`part`]), then its predictions and measures; after that [`evaluate`] may be called as often as a slider
//! moves, and the figures' functions speak of the settings it was last called with.

mod figures;
mod page;
mod ranks;

use std::cell::RefCell;

use page::{Page, Part, Rules, WhatIf};
use tailrank_metrics::{Measure, Relevance, Settings};

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
    PAGE.with_borrow_mut(|page| {
        *page = Page { reasons: std::mem::take(&mut page.reasons), ..Page::default() };
    });
}

/// The next part's φ, from the numbers given as input. Kind 0 is two logistic curves: their centres, either
/// of which may be missing, k and Δ; 1 a piecewise cubic through (y, φ, slope); 2 straight between (y, φ); 3
/// is 1 within the ranges (from, to).
#[unsafe(no_mangle)]
pub extern "C" fn phi(kind: i32) -> i32 {
    answer(|page| {
        let numbers = &page.input[..];
        let pairs = |size: usize| numbers.chunks_exact(size).map(|c| (c[0], c[1])).collect::<Vec<_>>();
        let slopes = || numbers.chunks_exact(3).map(|c| c[2]).collect::<Vec<_>>();
        let phi = match (kind, numbers) {
            (0, &[low, high, k, delta]) => Relevance::sigmoid(given(low), given(high), k, delta),
            (1, _) => Relevance::range(&pairs(3), Some(&slopes())),
            (2, _) => Relevance::table(&pairs(2)),
            (3, _) => Relevance::indicator(&pairs(2)),
            _ => return Err("no such relevance".to_owned()),
        };
        page.phi = Some(phi.map_err(told)?);
        Ok(Vec::new())
    })
}

/// What all parts share, given as input: shape of α (0 indicator, 1 linear, 2 smooth) and its k, the
/// utility's benefit and own t, the costs, and the trading rule's horizon (0: no trading) and cost.
#[unsafe(no_mangle)]
pub extern "C" fn rules() -> i32 {
    answer(|page| {
        let [shape, alpha_k, benefit, t, over, under, linex_shape, linex_scale, horizon, cost] =
            page.input[..]
        else {
            return Err("the rules are ten numbers".to_owned());
        };
        let costs = Settings { over, under, linex_shape, linex_scale, ..Settings::default() };
        let trading = (horizon > 0.0).then_some((horizon as usize, cost));
        page.rules = Rules { shape: shape as i32, alpha_k, benefit, t: given(t), costs, trading };
        Ok(Vec::new())
    })
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

/// The scores at other settings. Given as input: t_E, t_L, β, p, the centres of φ, the trading threshold,
/// then the places of measures.
///
/// The answer: the number of events; then for each variant 1 and its signals, hits, and a number and a reason
/// per measure, where reason 0 says that the number is the score; or 0 alone for a variant without
/// predictions.
#[unsafe(no_mangle)]
pub extern "C" fn evaluate() -> i32 {
    answer(|page| {
        let [t_e, t_l, beta, p, low, high, threshold, ref places @ ..] = page.input[..] else {
            return Err("the settings are seven numbers".to_owned());
        };
        let asked: Vec<Measure> =
            places.iter().filter_map(|&m| page.measures.get(m as usize).copied()).collect();
        let [t_l, low, high, threshold] = [t_l, low, high, threshold].map(given);
        page.what_if = WhatIf { t_e, t_l, beta, p, low, high, threshold };
        page.evaluate(&asked).map_err(told)
    })
}

/// A reason why a score has no value, as text.
#[unsafe(no_mangle)]
pub extern "C" fn reason(code: usize) -> i32 {
    answer(|page| {
        let reason = page.reasons.get(code.wrapping_sub(1)).ok_or("no such reason")?;
        Ok(reason.reason().bytes().map(f64::from).collect())
    })
}
