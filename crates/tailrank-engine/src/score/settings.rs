//! The settings of an experiment turned into the settings of the measures, for one task.

use tailrank_metrics::{
    Accuracy, Measure, MetricError, Relevance, Settings,
    classic::Reference,
    relevance::{BoxPlot, Extremes},
    trading::TradingRule,
    utility::{Uba, Ut08, tloss},
};

use crate::config::{self, AlphaShape, Measures, Problem, RelevanceKind, RelevanceSettings, Trading};

/// What a task is scored by.
#[derive(Clone, Debug)]
pub struct ScoringRules {
    /// The measures asked for, in order.
    pub measures: Vec<Measure>,
    /// Measure settings and trading rule of the experiment.
    pub settings: Measures,
    /// The trading rule, if any.
    pub trading: Option<Trading>,
}

/// The measures an experiment asks for, each known and with the settings it needs.
pub fn scoring_rules(settings: &Measures, trading: Option<&Trading>) -> Result<ScoringRules, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut measures: Vec<Measure> = Vec::new();
    for (i, id) in settings.ids.iter().enumerate() {
        match Measure::from_id(id) {
            Ok(m) if measures.contains(&m) => {}
            Ok(m) => measures.push(m),
            Err(e) => problems.push(Problem::new(format!("measures.list.{}", i + 1), e.to_string())),
        }
    }
    for measure in &measures {
        for need in measure.info().needs {
            use tailrank_metrics::registry::Need;
            let missing = match need {
                Need::Accuracy if settings.t_l.is_none() => {
                    Some("t_l, the largest error that still counts as good, in units of the target")
                }
                Need::Utility if settings.t_l.is_none() && settings.utility.t.is_none() => {
                    Some("utility.t (or t_l), the largest admissible error")
                }
                Need::Trading if trading.is_none() => Some("a [trading] section with its threshold"),
                _ => None,
            };
            if let Some(what) = missing {
                problems.push(Problem::new("measures", format!("'{}' needs {what}", measure.id())));
            }
        }
    }
    problems.extend(numbers(settings, trading));
    if measures.is_empty() && problems.is_empty() {
        problems.push(Problem::new("measures.list", "name at least one measure (`tailrank list metrics`)"));
    }
    if problems.is_empty() {
        Ok(ScoringRules { measures, settings: settings.clone(), trading: trading.cloned() })
    } else {
        Err(problems)
    }
}

/// Numbers that no measure can be computed with: found before anything is fitted, not after.
fn numbers(settings: &Measures, trading: Option<&Trading>) -> Vec<Problem> {
    let Measures { t_l, alpha_k, beta, utility, .. } = settings;
    let above = |v: f64| v > 0.0 && v.is_finite();
    let from = |v: f64| v >= 0.0 && v.is_finite();
    let share = |v: f64| (0.0..=1.0).contains(&v);
    let checks = [
        ("measures.t_l", *t_l, t_l.is_none_or(above), "must be above 0, in units of the target"),
        ("measures.alpha_k", Some(*alpha_k), above(*alpha_k), "must be above 0, such as 8"),
        (
            "measures.beta",
            Some(*beta),
            from(*beta),
            "must be 0 or more: below 1 favours precision, above 1 recall",
        ),
        ("measures.utility.benefit", Some(utility.benefit), above(utility.benefit), "must be above 0"),
        (
            "measures.utility.t",
            utility.t,
            utility.t.is_none_or(above),
            "must be above 0, in units of the target",
        ),
        ("measures.utility.p", Some(utility.p), share(utility.p), "must lie between 0 and 1"),
        (
            "trading.threshold",
            trading.map(|t| t.threshold),
            trading.is_none_or(|t| from(t.threshold)),
            "must be a return of 0 or more, such as 0.02",
        ),
    ];
    let wrong = checks.into_iter().filter(|(_, _, fine, _)| !fine);
    wrong
        .map(|(key, value, _, expected)| {
            Problem::new(key, format!("{} {expected}", value.map_or_else(String::new, |v| v.to_string())))
        })
        .collect()
}

impl ScoringRules {
    /// The measures' settings for one task; `train` are its training targets.
    pub fn for_task(
        &self,
        relevance: &RelevanceSettings,
        train: &[f64],
        horizon: Option<usize>,
    ) -> Result<Settings, MetricError> {
        let phi = relevance.build(train)?;
        let s = &self.settings;
        let accuracy = s.t_l.map(|t_l| match s.alpha {
            AlphaShape::Indicator => Accuracy::indicator(t_l),
            AlphaShape::Linear => Accuracy::linear(t_l),
            AlphaShape::Smooth => Accuracy::smooth(t_l, s.alpha_k),
        });
        let utility = s.utility.t.or(s.t_l).map(|t| Ut08::new(s.utility.benefit, t, s.utility.p, None));
        // uba's utility is defined on the bumps of a piecewise cubic φ alone.
        let uba = match &phi {
            Relevance::Pchip(pchip) => Some(Uba::new(pchip, s.utility.p, tloss(train)?)?),
            _ => None,
        };
        let mean = train.iter().sum::<f64>() / train.len().max(1) as f64;
        let rule = self.trading.as_ref().map(|t| TradingRule::new(t.threshold, horizon.unwrap_or(1)));
        Ok(Settings {
            relevance: Some(phi),
            t_e: relevance.event_threshold,
            accuracy: accuracy.transpose()?,
            beta: s.beta,
            utility: utility.transpose()?,
            uba,
            reference: (!train.is_empty()).then_some(Reference::TrainingMean(mean)),
            trading: rule,
            ..Settings::default()
        })
    }
}

impl RelevanceSettings {
    /// The relevance function; what the settings leave open comes from the training targets alone.
    pub fn build(&self, train: &[f64]) -> Result<Relevance, MetricError> {
        let extremes = match self.extremes {
            config::Extremes::Low => Extremes::Low,
            config::Extremes::High => Extremes::High,
            config::Extremes::Both => Extremes::Both,
        };
        // A point without its two numbers is refused as not finite; `problems` names it before.
        let at = |p: &[f64], i: usize| p.get(i).copied().unwrap_or(f64::NAN);
        let pairs = || self.points.iter().map(|p| (at(p, 0), at(p, 1))).collect::<Vec<_>>();
        match self.kind {
            RelevanceKind::Sigmoid if self.low.is_some() || self.high.is_some() => {
                Relevance::sigmoid(self.low, self.high, self.k, self.delta)
            }
            RelevanceKind::Sigmoid => Relevance::sigmoid_from_box_plot(train, extremes, self.k, self.delta),
            RelevanceKind::Pchip if self.points.is_empty() => {
                let kind = if self.adjusted { BoxPlot::Adjusted } else { BoxPlot::Plain };
                Relevance::extremes(train, extremes, self.coefficient, kind)
            }
            RelevanceKind::Pchip => {
                let slopes: Vec<f64> = self.points.iter().filter_map(|p| p.get(2).copied()).collect();
                Relevance::range(&pairs(), (slopes.len() == self.points.len()).then_some(slopes.as_slice()))
            }
            RelevanceKind::Table => Relevance::table(&pairs()),
            RelevanceKind::Indicator => {
                Relevance::indicator(&self.ranges.iter().map(|r| (r[0], r[1])).collect::<Vec<_>>())
            }
        }
    }

    /// What is wrong with these settings before any data is seen.
    pub fn problems(&self, key: &str) -> Vec<Problem> {
        let mut found = Vec::new();
        for (i, p) in self.points.iter().enumerate() {
            let twice = |y: f64| self.points[..i].iter().any(|q| q.first() == Some(&y));
            let message = match p[..] {
                [y, phi] | [y, phi, _] if !(y.is_finite() && (0.0..=1.0).contains(&phi)) => {
                    format!("y = {y} must be finite, φ = {phi} lie between 0 and 1")
                }
                [_, _, slope] if !slope.is_finite() => format!("a slope of {slope} must be finite"),
                [y, ..] if twice(y) => format!("y = {y} stands twice; give each y once"),
                [_, _] | [_, _, _] => continue,
                _ => format!("a point is [y, φ] or [y, φ, slope], this one has {} numbers", p.len()),
            };
            found.push(Problem::new(format!("{key}.points.{}", i + 1), message));
        }
        let mut check = |name: &str, value: f64, fine: bool, expected: &str| {
            if !fine {
                found.push(Problem::new(format!("{key}.{name}"), format!("{value} {expected}")));
            }
        };
        let share = (0.0..=1.0).contains(&self.event_threshold);
        check("event_threshold", self.event_threshold, share, "must lie between 0 and 1");
        check("k", self.k, self.k > 0.0 && self.k.is_finite(), "must be above 0, such as 0.5");
        check("delta", self.delta, self.delta > 0.0 && self.delta < 0.5, "must lie between 0 and 0.5");
        let whisker = self.coefficient >= 0.0 && self.coefficient.is_finite();
        check("coefficient", self.coefficient, whisker, "must be 0 or more, such as 1.5");
        for (name, centre) in [("low", self.low), ("high", self.high)] {
            let centre = centre.unwrap_or(1.0);
            check(name, centre, centre.is_finite(), "must be a finite number");
        }
        if self.kind == RelevanceKind::Indicator && self.ranges.is_empty() {
            found.push(Problem::new(
                format!("{key}.ranges"),
                "an indicator needs ranges, such as [[0.02, inf]]",
            ));
        }
        if self.kind == RelevanceKind::Table && self.points.is_empty() {
            found.push(Problem::new(
                format!("{key}.points"),
                "a table needs points, such as [[0.0, 0.0], [0.1, 1.0]]",
            ));
        }
        found
    }
}
