//! One part of the truth: a test period or a fold, with the settings that were fitted for it.

use std::{ops::Range, sync::OnceLock};

use super::{Reference, Settings};
use crate::error::{Result, check_finite};
use crate::lanes::lane_sums;
use crate::relevance::RelevanceIntegral;

/// True values and the settings that each of them is measured with.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    truth: &'a [f64],
    settings: Settings,
    rows: Range<usize>,
    relevance: Option<TruthRelevance>,
    pub(super) reference: Option<f64>,
}

/// What φ says about the true values.
#[derive(Clone, Debug)]
pub(super) struct TruthRelevance {
    pub(super) phi: Vec<f64>,
    pub(super) valley: f64,
    pub(super) integral: RelevanceIntegral,
    pub(super) events: usize,
    /// Tails of the true values as ends of integrals: their softplus and its integral, found when first asked
    /// for.
    tails: OnceLock<[Vec<f64>; 2]>,
}

impl TruthRelevance {
    /// What integrals that end at the true values share.
    pub(super) fn tails(&self, truth: &[f64]) -> &[Vec<f64>; 2] {
        self.tails.get_or_init(|| {
            let [mut softplus, mut integral] = [(); 2].map(|()| vec![0.0; truth.len()]);
            self.integral.tails_into(truth, &mut softplus, &mut integral);
            [softplus, integral]
        })
    }
}

impl<'a> Part<'a> {
    /// Checks everything; `first_row` is the part's place among all cases.
    pub(super) fn new(truth: &'a [f64], settings: Settings, first_row: usize) -> Result<Self> {
        check_finite("truth", truth)?;
        settings.check()?;
        let relevance = settings.relevance.as_ref().map(|relevance| {
            let mut phi = vec![0.0; truth.len()];
            relevance.phi_into(truth, &mut phi);
            let events = phi.iter().filter(|&&p| p >= settings.t_e).count();
            TruthRelevance {
                phi,
                valley: relevance.valley(),
                integral: relevance.integral(),
                events,
                tails: OnceLock::new(),
            }
        });
        let reference = settings.reference.map(|reference| match reference {
            Reference::TrainingMean(mean) => mean,
            // A constant need not equal its own rounded mean.
            Reference::TestMean if truth.iter().all(|&y| y == truth[0]) => truth[0],
            Reference::TestMean => lane_sums([truth], |[y]| [y])[0] / truth.len() as f64,
        });
        Ok(Self { truth, settings, rows: first_row..first_row + truth.len(), relevance, reference })
    }

    /// The true values.
    pub const fn truth(&self) -> &'a [f64] {
        self.truth
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The part's rows among all cases, part after part.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    pub(super) const fn relevance(&self) -> Option<&TruthRelevance> {
        self.relevance.as_ref()
    }
}
