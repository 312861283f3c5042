//! The answer of a run in words: the only place where its sentences are made.
//!
//! The facts are [`tailrank_score::score::answer::Answer`]. [`screen`] shows them on one screen of a
//! terminal, [`explain`] all of them, [`task_sentences`] and [`sentences`] as prose for the page, JSON,
//! Markdown and Python.

mod board;
mod event;
mod explain;
mod leaderboard;
mod prose;
mod screen;
mod sentences;
mod tasks;

pub use board::board;
pub use event::{definition as event_definition, definition_of as event_of, line as event_line};
pub use explain::{Explained, explain};
pub use leaderboard::ends;
pub(crate) use prose::in_words;
pub use prose::{comparisons_by, full_json, json, pair_sentences, sentences, task_sentences};
pub use screen::{Frame, models_and_baselines, screen};
pub use sentences::{
    VerdictLine, changes, end, evidence, interval, model_name, pick, rankings, rankings_over_tasks,
    reason_of_code, reason_word, thin, untestable, verdict, verdict_of_code, verdict_over_tasks,
    verdict_word, warning,
};
pub(crate) use sentences::{episode_note, leading};

// What the answer is told from and told with; every file of this module takes it by `use super::*`.
use tailrank_experiment::text::{
    DASH, count, digits, digits_together, fixed, list, median, or_dash, p_is, p_value, percent, thousands,
    two_decimals, two_digits,
};
use tailrank_metrics::Measure;
use tailrank_score::score::{
    Caution, Comparison, Results, Standing, TaskEpisodes, TaskId, TaskScores, VariantId, VariantStatus,
    answer::{
        Changes, Counts, Decision, GridEnd, Ladder, Picks, Reason, TaskPicks, Undecided, Untestable, Verdict,
        Warning,
    },
};

use crate::{
    claims::{Claim, by_tag, findings, tally},
    terminal::{Line, Screen, TextTable, Tone, shorten},
    words::{self, end_word, places, sentence_case, short},
};
