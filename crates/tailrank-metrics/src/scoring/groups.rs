//! The terms of each group, written once for sums and for columns alike.

use super::part::Part;
use super::scorer::Derived;
use crate::loss::{Loss, exp_beyond_linear};
use crate::precision_recall::{SIGNAL_TERMS, signal_terms};
use crate::relevance::{End, Tail};
use crate::term::{Group, Sink, Term::*};
use crate::trading::{TRADING_TERMS, trading_terms};

impl Derived<'_> {
    /// Gives the terms of `group` for one part to `sink`. A part that lacks a setting of the group gives
    /// nothing.
    pub(super) fn give(&mut self, group: Group, part: usize, sink: &mut impl Sink) {
        let (scorer, centres) = (self.scorer, (self.scorer.centre, self.centre));
        let (number, part) = (part, &scorer.parts[part]);
        let (ys, zs) = (part.truth(), self.predicted[number]);
        match group {
            Group::Truth => truth(part, centres.0, sink),
            Group::Errors => sink.take([Absolute, Squared], [ys, zs], |[y, z]| {
                let error = z - y;
                [error.abs(), error * error]
            }),
            Group::Asymmetric => {
                let Loss::LinLin { over, under } = part.settings().linlin() else { return };
                sink.take([LinLin, QuadQuad], [ys, zs], |[y, z]| {
                    let error = z - y;
                    let cost = if error > 0.0 { over } else { under };
                    [cost * error.abs(), cost * (error * error)]
                });
            }
            Group::Linex => {
                let (shape, scale) = (part.settings().linex_shape, part.settings().linex_scale);
                sink.take([Linex], [ys, zs], |[y, z]| [scale * exp_beyond_linear(shape * (y - z))]);
            }
            Group::Moments => {
                let (c, d) = centres;
                let terms = [Predicted, PredictedSquared, Product];
                sink.take(terms, [ys, zs], |[y, z]| {
                    let deviation = z - d;
                    [deviation, deviation * deviation, deviation * (y - c)]
                });
            }
            Group::Signals => {
                self.fill_phi();
                self.fill_alpha();
                let Some(truth) = part.relevance() else { return };
                let buffers = &self.buffers;
                let [phi, alpha, loss] =
                    [&buffers.phi, &buffers.alpha, &buffers.loss].map(|b| &b[part.rows()]);
                // Without an accuracy there is no hit; events and signals are counted all the same.
                let t_l = part.settings().accuracy.map_or(-1.0, |accuracy| accuracy.t_l());
                let kernel = signal_terms(part.settings().t_e, t_l, truth.valley);
                sink.take(SIGNAL_TERMS, [&truth.phi, phi, alpha, loss, ys, zs], kernel);
            }
            Group::Relevant => {
                let Some(truth) = part.relevance() else { return };
                let t_e = part.settings().t_e;
                sink.take([Sera, EventAbsolute], [ys, zs, &truth.phi], |[y, z, phi]| {
                    let error = z - y;
                    [phi * (error * error), if phi >= t_e { error.abs() } else { 0.0 }]
                });
            }
            Group::Integrals => {
                // Each group is given part by part; the first part fills for all.
                if number == 0 {
                    self.fill_tails();
                }
                let Some(truth) = part.relevance() else { return };
                let q = part.settings().quantile;
                let (integral, [y_softplus, y_integral]) = (&truth.integral, truth.tails(ys));
                let [z_softplus, z_integral] = self.buffers.tails.each_ref().map(|t| &t[part.rows()]);
                let inputs = [ys, y_softplus, y_integral, zs, z_softplus, z_integral];
                let end = |y, softplus, integral| End { y, tail: Tail { softplus, integral } };
                sink.take([Rwse, Rwae, Rwqs], inputs, |[y, ys, yi, z, zs, zi]| {
                    let (below, truth, predicted) = (z <= y, end(y, ys, yi), end(z, zs, zi));
                    let stretch = if below {
                        integral.between(predicted, truth)
                    } else {
                        integral.between(truth, predicted)
                    };
                    let (moment, side) =
                        if below { (stretch.to_upper, q) } else { (stretch.to_lower, 1.0 - q) };
                    [2.0 * moment, stretch.area, side * stretch.area]
                });
            }
            Group::SignalMoments => {
                self.fill_phi();
                if part.relevance().is_none() {
                    return;
                }
                let ((c, d), t_e) = (centres, part.settings().t_e);
                let terms = [SignalTruth, SignalPredicted, SignalSquared, SignalProduct];
                sink.take(terms, [ys, zs, &self.buffers.phi[part.rows()]], |[y, z, phi]| {
                    let signal = if phi >= t_e { 1.0 } else { 0.0 };
                    let (y, z) = (signal * (y - c), signal * (z - d));
                    [y, z, z * z, y * z]
                });
            }
            Group::Utility => {
                self.fill_loss();
                self.fill_phi();
                let (Some(utility), Some(truth)) = (part.settings().utility, part.relevance()) else {
                    return;
                };
                let inputs = [&truth.phi, &self.buffers.phi[part.rows()], &self.buffers.loss[part.rows()]];
                sink.take([Utility], inputs, |[phi_y, phi_z, loss]| [utility.of_parts(phi_y, phi_z, loss)]);
            }
            Group::Uba => {
                let Some(uba) = &part.settings().uba else { return };
                let t_e = part.settings().t_e;
                let terms = [UbaUtility, UbaRelevant, UbaRecalled, UbaSignalled, UbaConfirmed];
                sink.take(terms, [ys, zs], |[y, z]| {
                    let [phi_y, phi_z, utility] = uba.case(y, z);
                    let rate = |phi: f64| {
                        if phi >= t_e { ((1.0 + phi).abs(), (1.0 + utility).abs()) } else { (0.0, 0.0) }
                    };
                    let (relevant, recalled) = rate(phi_y);
                    let (signalled, confirmed) = rate(phi_z);
                    [utility, relevant, recalled, signalled, confirmed]
                });
            }
            Group::Trading => {
                let Some(rule) = part.settings().trading else { return };
                sink.take(TRADING_TERMS, [ys, zs], trading_terms(rule));
            }
        }
    }
}

/// The terms that depend on the true values alone.
pub(super) fn truth(part: &Part<'_>, centre: f64, sink: &mut impl Sink) {
    let ys = part.truth();
    sink.take([Case, Truth, TruthSquared], [ys], |[y]| [1.0, y - centre, (y - centre) * (y - centre)]);
    if let Some(m) = part.reference {
        sink.take([ReferenceAbsolute, ReferenceSquared], [ys], |[y]| [(y - m).abs(), (y - m) * (y - m)]);
    }
}
