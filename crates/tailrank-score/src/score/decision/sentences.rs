//! A decision in words.

use std::cmp::Ordering;

use tailrank_metrics::{EventCounts, Measure};

use super::{
    super::{inference::FEWEST_EVENTS, verdict::of_counts},
    Camp, Decision,
};
use crate::text::{about, count, digits, list, p_value, percent, two_decimals};

fn symbols(measures: &[Measure]) -> String {
    list(&measures.iter().map(|m| m.info().symbol).collect::<Vec<_>>())
}

impl Decision {
    /// The paragraph.
    pub fn sentences(&self) -> Vec<String> {
        let no_gain =
            self.no_gain.iter().map(|(reason, measures)| format!("By {} {reason}.", symbols(measures)));
        let is_known =
            |place: usize| self.camps[..place].iter().any(|c| c.variant == self.camps[place].variant);
        let camps = self.camps.iter().enumerate().map(|(i, camp)| self.of_camp(camp, is_known(i)));
        let mut all: Vec<String> = no_gain.chain(camps).collect();
        if let (Some(0.0), Some((label, caught))) = (self.flips_at, &self.first_to_act) {
            all.push(format!(
                "{label} catches {} without a false alarm: acting on it pays whatever a missed event costs.",
                count(*caught, "event")
            ));
        } else if let Some(ratio) = self.flips_at {
            all.push(format!(
                "If a missed event costs less than about {}, no model here is worth acting on.",
                about(ratio, "false alarm")
            ));
        } else if self.has_events {
            all.push(format!(
                "No model catches {FEWEST_EVENTS} events: what acting on one is worth cannot be said."
            ));
        }
        all.extend(self.warnings.iter().cloned());
        all
    }

    /// Of a model that an earlier camp has described only how it stands by these measures.
    pub(super) fn of_camp(&self, camp: &Camp, is_known: bool) -> String {
        let mut sure = Vec::new();
        if let Some(share) = camp.family_share {
            sure.push(format!("{} wins in {} of the resamples", camp.family, percent(share)));
        }
        let elsewhere = |n: usize| count(n, "variant") + " of other families";
        match (camp.level.len(), camp.level_elsewhere.len()) {
            (0, 0) => {}
            (1, 0) => sure.push("1 other of its settings is level".to_owned()),
            (n, 0) => sure.push(format!("{n} others of its settings are level")),
            (0, 1) => sure.push("1 variant of another family is level".to_owned()),
            (0, n) => sure.push(format!("{} are level", elsewhere(n))),
            (n, m) => sure.push(format!(
                "{n} {} of its settings and {} are level",
                if n == 1 { "other" } else { "others" },
                if m == 1 { "1 variant of another family".to_owned() } else { elsewhere(m) }
            )),
        }
        let sure = match sure.is_empty() || is_known {
            true => String::new(),
            false => format!(" ({})", sure.join("; ")),
        };
        let own: Vec<Measure> =
            camp.measures.iter().copied().filter(|m| !camp.level_by.contains(m)).collect();
        let first = camp.measures[0].info().symbol;
        let mut text = match camp.beside.as_ref().filter(|b| b.is_unbeaten()) {
            None => format!("By {} take {}{sure}", symbols(&own), camp.label),
            Some(b) => format!(
                "By {} the best model is {}{sure}, but {} is {}",
                symbols(&own),
                camp.label,
                b.label,
                match b.order {
                    Ordering::Less =>
                        format!("better ({first} {} against {})", digits(b.score), digits(b.of_model)),
                    _ => format!("as good ({first} {})", digits(b.score)),
                }
            ),
        };
        if !camp.level_by.is_empty() {
            text.push_str(&format!("; by {} it is level with the best", symbols(&camp.level_by)));
        }
        if is_known {
            return text + ".";
        }
        if let Some(counts) = camp.counts {
            text.push_str(&format!("; it {}{}", of_counts(counts, camp.repeats), self.at_a_rate(counts)));
        }
        if let Some(luck) = &camp.luck {
            let beside = luck.sentence(camp.measures[0].better(), self.alpha);
            text.push_str(&format!(". Its {first} of {} is {beside}", digits(luck.score)));
        }
        if let Some((b, p)) = camp.beside.as_ref().filter(|b| !b.is_unbeaten()).and_then(|b| Some((b, b.p?)))
        {
            text.push_str(&format!(
                ". It is {} {}, which has {} (p {})",
                if p < self.alpha { "better than" } else { "not clearly better than" },
                b.label,
                digits(b.score),
                p_value(p)
            ));
        }
        if let Some(side) = camp.direction.as_ref().filter(|_| camp.counts.is_some_and(|c| c.signals > 0)) {
            text.push_str(&format!(
                ". It {} the side of a move (p {})",
                if side.p_holm < self.alpha { "tells" } else { "does not clearly tell" },
                p_value(side.p)
            ));
        }
        if let Some(slope) = camp.slope.filter(|_| camp.counts.is_some_and(|c| c.signals > 2)) {
            text.push_str(&format!(". Its calibration slope is {}", two_decimals(slope)));
        }
        text.push('.');
        text
    }

    /// Counts a year, or of 1000 cases where there are no dates.
    fn at_a_rate(&self, counts: EventCounts) -> String {
        if counts.signals == 0 {
            return String::new();
        }
        let (scale, unit) = match self.years {
            Some(years) => (1.0 / years, "a year"),
            None if self.cases > 1000 => (1000.0 / self.cases as f64, "of 1000 cases"),
            None => return String::new(),
        };
        let rate = |n: usize, what: &str| about(n as f64 * scale, what);
        format!(
            " ({} caught, {} {unit})",
            rate(counts.hits + counts.near_misses, "event"),
            rate(counts.false_alarms, "false alarm")
        )
    }
}
