//! `[events]`: episodes of events and alarms of signals, for rows in time order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_metrics::EpisodeRule;

/// What makes an episode, an announcement and an alarm, in rows; without the section rows are counted alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Events {
    /// Events with fewer event-free rows than this between them are one episode.
    pub gap: u32,
    /// An episode is caught by a signal from so many rows before its start to its end.
    pub lead: u32,
    /// A signal so many rows behind another, or fewer, is no new alarm.
    pub cooldown: u32,
}

impl Default for Events {
    fn default() -> Self {
        Self { gap: 1, lead: 0, cooldown: 1 }
    }
}

impl Events {
    /// The rule of the measures.
    pub fn rule(self) -> EpisodeRule {
        let [gap, lead, cooldown] = [self.gap, self.lead, self.cooldown].map(|rows| rows as usize);
        EpisodeRule { gap, lead, cooldown }
    }
}
