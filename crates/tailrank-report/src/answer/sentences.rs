//! The sentences of the answer. Every one is made here, whoever prints it.

use super::*;

/// A verdict: the words that stand out, and the rest of the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictLine {
    /// `USE mars 2.` or `NO MODEL.`
    pub head: String,
    /// What follows, with a blank before it.
    pub rest: String,
    /// Whether a model is to be used.
    pub is_use: bool,
}

impl VerdictLine {
    /// The whole sentence.
    pub fn text(&self) -> String {
        format!("{}{}", self.head, self.rest)
    }
}

pub(super) fn symbol(measure: Measure) -> &'static str {
    measure.info().symbol
}

/// A model's name; models with the same predictions are one, with their number.
pub fn model_name(results: &Results, decision: &Decision, model: VariantId) -> String {
    let copies = results.scores[decision.task].copies()[model.0];
    let label = results.names.label(model);
    if copies > 1 { format!("{label} ×{copies}") } else { label.to_owned() }
}

/// Use a model, or none and why.
pub fn verdict(results: &Results, decision: &Decision) -> VerdictLine {
    let name = decision.model.map(|m| model_name(results, decision, m)).unwrap_or_default();
    let (head, rest) = match decision.verdict {
        Verdict::Use => (format!("USE {name}."), gain(decision)),
        Verdict::NoModel(reason) => ("NO MODEL.".to_owned(), why(results, decision, reason)),
    };
    VerdictLine { head, rest: format!(" {rest}"), is_use: decision.verdict == Verdict::Use }
}

/// What the model does, for one who uses it.
fn gain(decision: &Decision) -> String {
    match (decision.counts, decision.events) {
        (Some(counts), Some(events)) => format!("It {}.", catches(counts, events)),
        _ => {
            let score = decision.score.map(digits).unwrap_or_default();
            let ends = decision.lower.zip(decision.upper);
            let ends = ends.map(|(l, u)| format!(" (95% CI {})", interval(l, u))).unwrap_or_default();
            format!("Its {} is {score}{ends}.", symbol(decision.measure))
        }
    }
}

/// `catches 179 of 261 events with 344 false alarms`
fn catches(counts: Counts, events: usize) -> String {
    if counts.signals == 0 {
        return format!("never signals and misses all {}", count(events, "event"));
    }
    let (events, alarms) = (count(events, "event"), count(counts.false_alarms, "false alarm"));
    format!("catches {} of {events} with {alarms}", thousands(counts.caught))
}

/// `0.29–0.37`, `−0.02 to 0.03`
pub fn interval(lower: f64, upper: f64) -> String {
    let ends = digits_together(&[lower, upper]);
    let between = if ends.iter().any(|e| e.contains(['−', 'e'])) { " to " } else { "–" };
    ends.join(between)
}

/// Why no model is to be used.
fn why(results: &Results, decision: &Decision, reason: Reason) -> String {
    let measure = symbol(decision.measure);
    let name = decision.model.map(|m| model_name(results, decision, m)).unwrap_or_default();
    let not_beaten = |what: &str, score: Option<f64>, p: Option<f64>| {
        let both = [decision.score, score].map(|v| v.unwrap_or(f64::NAN));
        let [own, other] = <[String; 2]>::try_from(digits_together(&both)).unwrap_or_default();
        let (leading, after) = (leading(decision), corrected(decision, p));
        let p = p.map(|p| format!(", {}", p_is(p))).unwrap_or_default();
        format!("The {leading} ({name}, {own}) does not clearly beat {what} ({other}{p}{after}).")
    };
    match reason {
        Reason::NoEventCaught => match decision.events {
            Some(0) => "The test has no event to catch.".to_owned(),
            _ => "None catches a single event.".to_owned(),
        },
        Reason::FewEvents => {
            let events = decision.events.unwrap_or(0);
            format!("The test has only {}; a verdict needs 10.", count(events, "event"))
        }
        Reason::NotBetterThanChance => not_beaten("chance", decision.chance, decision.p_chance),
        Reason::NotBetterThanBaseline => {
            let label = decision.baseline.map_or("", |b| results.names.label(b));
            let baseline = format!("the baseline {}", label.strip_prefix("baseline ").unwrap_or(label));
            not_beaten(&baseline, decision.baseline_score, decision.p_baseline)
        }
        Reason::NotTestable(why) => format!("{measure} cannot be tested: {}.", untestable(why)),
    }
}

/// The correction over tasks, where it alone keeps a p from being small.
fn corrected(decision: &Decision, p: Option<f64>) -> String {
    const SMALL: f64 = 0.05;
    match (p, decision.p_adjusted) {
        (Some(p), Some(adjusted)) if p < SMALL && adjusted > p => {
            format!("; {} after correction over tasks", p_is(adjusted))
        }
        _ => String::new(),
    }
}

/// The good end of a measure, where nothing is earned yet.
pub fn end(measure: Measure) -> &'static str {
    end_word(measure.better())
}

/// `highest F`; `highest F of the models` where a baseline's is higher.
pub(crate) fn leading(decision: &Decision) -> String {
    words::leading(decision.measure.better(), symbol(decision.measure), is_beaten(decision))
}

/// Whether a baseline is ahead of all models.
pub(super) fn is_beaten(decision: &Decision) -> bool {
    words::is_beaten(decision.measure.better(), decision.score, decision.baseline_score)
}

/// Tests with fewer events have wide intervals; below ten there is no verdict.
const FEW: std::ops::Range<usize> = 10..30;

/// Whether a verdict rests on few events.
pub(super) fn is_thin(decision: &Decision) -> bool {
    decision.lower.is_some() && decision.events.is_some_and(|n| FEW.contains(&n))
}

/// What to know of a verdict that rests on few events.
pub fn thin(decision: &Decision) -> Option<String> {
    let events = decision.events.filter(|_| is_thin(decision))?;
    Some(format!("Only {events} events: intervals are wide."))
}

/// Why a question cannot be tested.
pub fn untestable(why: Untestable) -> String {
    match why {
        Untestable::InferenceOff => "inference is off (set inference.enabled = true)".to_owned(),
        Untestable::NoScore => "no model has a score".to_owned(),
        Untestable::NotResampled => "it cannot be resampled".to_owned(),
        Untestable::FewCases(n) => format!("the test has {}, and 10 are needed", count(n, "case")),
        Untestable::FewEvents(n) => format!("the test has {}, and 10 are needed", count(n, "event")),
        Untestable::FewRearrangements(n) => {
            format!("the data allow only {} of the test cases", count(n, "rearrangement"))
        }
        Untestable::FewBlocks(n) => {
            let blocks = count(n, "block");
            format!("the test has only {blocks} of cases that resemble each other, and 20 are needed")
        }
        Untestable::Constant => "it is the same on every resample".to_owned(),
        Untestable::NothingToCompare => "there is one model and no baseline".to_owned(),
        Untestable::Setting(name) => format!("inference.{name} does not fit the data"),
        Untestable::MostlyUndefined => "it is undefined on most resamples".to_owned(),
        Untestable::TooLarge(_) => {
            "so many resamples need too much memory (lower inference.resamples)".to_owned()
        }
    }
}

/// Why no model is to be used: the code of `decisions.csv`, the words of tables, and the words of sentences.
const REASONS: [(&str, &str, &str); 5] = [
    ("no_event_caught", "none caught", "no event caught"),
    ("few_events", "few events", "too few events"),
    ("not_better_than_chance", "chance", "no clear gain over chance"),
    ("not_better_than_baseline", "baseline", "no clear gain over a baseline"),
    ("not_testable", "untestable", "not testable"),
];

/// The reason in one or two words, for tables.
pub fn reason_word(reason: Reason) -> &'static str {
    reason_of_code(reason.code())
}

/// [`reason_word`] of a code in `decisions.csv`.
pub fn reason_of_code(code: &str) -> &'static str {
    REASONS.iter().find(|(known, ..)| *known == code).map_or("unknown", |(_, word, _)| word)
}

/// On how many tasks there is no model for a reason.
pub(super) fn tasks_with_reason(all: &[&Decision], code: &str) -> usize {
    all.iter().filter(|d| d.verdict.reason().is_some_and(|r| r.code() == code)).count()
}

/// The verdict of a code in `decisions.csv`; a measure that does not decide carries no recommendation.
pub fn verdict_of_code(code: &str, decides: bool) -> &'static str {
    match (code == Verdict::Use.code(), decides) {
        (true, true) => "use",
        (false, true) => "no model",
        (true, false) => "passes",
        (false, false) => "fails",
    }
}

/// The verdict in a word or two, for tables.
pub fn verdict_word(verdict: Verdict, decides: bool) -> String {
    let word = verdict_of_code(verdict.code(), decides);
    verdict.reason().map_or_else(|| word.to_owned(), |reason| format!("{word} ({})", reason_word(reason)))
}

/// What stands behind a verdict, in a sentence: chance and baseline where a model is to be used, what the
/// leading model does where none is.
pub fn evidence(results: &Results, decision: &Decision) -> Option<String> {
    let model = decision.model?;
    if decision.verdict != Verdict::Use {
        let (counts, events) = (decision.counts?, decision.events?);
        let name = model_name(results, decision, model);
        // Of models that are all at 0 none leads.
        if counts.caught == 0 {
            return None;
        }
        let did = catches(counts, events);
        // These verdicts have named the measure already.
        return Some(match decision.verdict.reason() {
            Some(Reason::NotBetterThanChance | Reason::NotBetterThanBaseline) => format!("{name} {did}."),
            _ => format!("The {} is {name}'s, which {did}.", leading(decision)),
        });
    }
    let [own, chance, baseline] = compared(decision);
    let measure = symbol(decision.measure);
    Some(match (decision.chance, decision.baseline_score) {
        (Some(_), Some(_)) => format!(
            "Clearly better than chance ({measure} {own} vs {chance}) and the best baseline ({baseline})."
        ),
        (Some(_), None) => {
            let has_baselines = results.names.variants.iter().any(|v| v.reference);
            let of_baselines = if has_baselines { "Baselines never signal" } else { "No baseline was run" };
            format!("Clearly better than chance ({measure} {own} vs {chance}). {of_baselines}.")
        }
        (None, Some(_)) => format!("Clearly better than the best baseline ({measure} {own} vs {baseline})."),
        (None, None) => return None,
    })
}

/// The score of the leading model, of chance and of the leading baseline, with digits enough to tell them
/// apart.
pub(super) fn compared(d: &Decision) -> [String; 3] {
    let all = [d.score, d.chance, d.baseline_score].map(|v| v.unwrap_or(f64::NAN));
    digits_together(&all).try_into().unwrap_or_default()
}

/// Whether the ordinary measure picks another model: yes, no or undecided, with the reason.
pub fn changes(results: &Results, picks: &Picks, task: &TaskPicks) -> Option<String> {
    let (a, b) = (symbol(picks.chosen_by), symbol(picks.judged_by));
    let label = |model: Option<VariantId>| model.map_or("no model", |m| results.names.label(m));
    Some(match task.changes {
        Changes::Yes => format!("Yes: {b} picks {}, {a} another.", label(task.judged)),
        Changes::No => format!("No: {a} and {b} both pick {}.", label(task.judged)),
        Changes::Undecided(Undecided::Tied) => format!("Undecided: by {b} the two picks are tied."),
        Changes::Undecided(Undecided::NoPick(by)) => format!("Undecided: {} picks no model.", symbol(by)),
        Changes::Undecided(Undecided::NoModel(reason)) => {
            format!("Undecided: {b} has no model to use ({}).", reason_word(reason))
        }
    })
}

/// Which model the ordinary measure picks, and what that means for the events.
pub fn pick(results: &Results, picks: &Picks, task: &TaskPicks) -> Option<String> {
    let chosen = task.chosen?;
    let (a, b) = (symbol(picks.chosen_by), symbol(picks.judged_by));
    let scores = &results.scores[task.task];
    let name = results.names.label(chosen);
    if task.judged.is_some_and(|j| scores.same_as[j] == scores.same_as[chosen]) {
        return Some(format!("{a} picks the same model."));
    }
    if task.changes == Changes::Undecided(Undecided::Tied) {
        return Some(format!("{a} picks {name}, tied with it by {b}."));
    }
    let missed = match scores.counts[chosen] {
        None => String::new(),
        Some(c) if c.signals == 0 => ", which never signals".to_owned(),
        Some(c) if c.missed == 0 => ", which misses no event".to_owned(),
        Some(c) => {
            let mean = (c.missed as f64 / scores.repeats.max(1) as f64).round() as usize;
            format!(", which misses {}", count(mean, "event"))
        }
    };
    Some(format!("{a} picks {name}{missed}."))
}

/// How the two rankings compare on one task.
pub fn rankings(comparison: &Comparison) -> Option<String> {
    let (rho, tau) = (comparison.rho.as_ref()?.estimate?, comparison.tau.as_ref()?);
    let (a, b) = (symbol(comparison.chosen_by), symbol(comparison.judged_by));
    let top = comparison.top.as_ref().filter(|t| t.k < comparison.variants.len());
    let top =
        top.map(|t| format!("; {} of the top {} shared", two_digits(t.shared), t.k)).unwrap_or_default();
    let (rho, p, tau) = (two_decimals(rho), p_is(tau.p_value), two_decimals(tau.estimate?));
    Some(format!("Rankings by {a} and {b}: ρ {rho}, τ {tau} ({p}){top}."))
}

/// How the two rankings compare over several tasks.
pub fn rankings_over_tasks(comparisons: &[&Comparison]) -> Option<String> {
    let first = comparisons.first()?;
    let of = |test: fn(&Comparison) -> Option<f64>| -> Vec<f64> {
        comparisons.iter().filter_map(|c| test(c)).collect()
    };
    let rhos = of(|c| c.rho.as_ref()?.estimate);
    let taus = of(|c| c.tau.as_ref()?.estimate);
    let opposed = rhos.iter().filter(|r| **r < 0.0).count();
    let (a, b, n) = (symbol(first.chosen_by), symbol(first.judged_by), rhos.len());
    let (rho, tau) = (two_decimals(median(&rhos)?), two_decimals(median(&taus)?));
    Some(format!("Rankings by {a} and {b}: median ρ {rho}, τ {tau}; opposed on {opposed} of {n} tasks."))
}

/// The rungs of a cost ladder, in false alarms: `< 0.65: none · 0.65–2.3: mars 2 · > 2.3: mars 2 · weights`.
pub(super) fn ladder(results: &Results, ladder: &Ladder) -> String {
    let rungs = &ladder.rungs;
    let prices = prices(&rungs.iter().map(|r| r.from).collect::<Vec<_>>());
    let one = |i: usize| {
        let rung = &rungs[i];
        let range = match (i, rungs.get(i + 1)) {
            (0, None) => "any cost".to_owned(),
            (0, Some(_)) => format!("< {}", prices[1]),
            (_, Some(_)) => format!("{}–{}", prices[i], prices[i + 1]),
            (_, None) => format!("> {}", prices[i]),
        };
        format!("{range}: {}", rung.model.map_or("none", |m| results.names.label(m)))
    };
    (0..rungs.len()).map(one).collect::<Vec<_>>().join(" · ")
}

/// Two significant digits, or more where neighbours would look alike.
fn prices(values: &[f64]) -> Vec<String> {
    let short = |v: &f64| match *v {
        v if v >= 9.95 => fixed(v, 0),
        v if v >= 0.995 => fixed(v, 1),
        v => fixed(v, 2),
    };
    let texts: Vec<String> = values.iter().map(short).collect();
    if texts.windows(2).any(|pair| pair[0] == pair[1]) { digits_together(values) } else { texts }
}

/// What became of the episodes by the decision's model:
/// `It catches 31 of 476 episodes, the median 2 rows ahead, with 14 false alarms a year.`
pub(super) fn episodes(results: &Results, decision: &Decision) -> Option<String> {
    let found =
        results.episodes.iter().find(|e| e.task == decision.task && Some(e.variant) == decision.model)?;
    let lead = median_lead(found).map_or_else(String::new, |lead| format!(", the median {lead}"));
    let (caught, all) = (thousands(found.counts.caught), count(found.counts.episodes, "episode"));
    Some(format!("It catches {caught} of {all}{lead}, with {}.", false_alarms(found)))
}

/// `2 rows ahead`; none where no episode is caught.
fn median_lead(found: &TaskEpisodes) -> Option<String> {
    Some(match found.counts.median_lead()? {
        lead if lead > 0.0 => format!("{} rows ahead", digits(lead)),
        _ => "not before its start".to_owned(),
    })
}

fn false_alarms(found: &TaskEpisodes) -> String {
    match found.false_alarms_a_year {
        Some(a_year) => format!("{} false alarms a year", digits(a_year)),
        None => format!("{} false alarms per 1,000 rows", digits(found.false_alarms_per_1000)),
    }
}

/// What stands beside a figure of episodes:
/// `median signal 2 rows ahead · 14 false alarms a year · against chance p = 0.03`.
pub(crate) fn episode_note(found: &TaskEpisodes) -> String {
    let lead = median_lead(found).map(|lead| format!("median signal {lead}"));
    let chance = found.p_chance.map(|p| format!("against chance {}", p_is(p)));
    [lead, Some(false_alarms(found)), chance].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// `12% (95% CI 3% to 20%)`
pub(super) fn skill(row: &Standing) -> Option<String> {
    let skill = row.skill?;
    let ends = skill.interval.map(|(low, high)| format!(" (95% CI {} to {})", percent(low), percent(high)));
    Some(percent(skill.value) + &ends.unwrap_or_default())
}

/// Which family or model to start with, by the verdict over tasks; none where the tasks are too few to test
/// it.
pub(super) fn start(results: &Results) -> Option<String> {
    let start = results.standings.start.as_ref()?;
    let row = results.standings.rows.get(start.row)?;
    let (name, what) = (&row.entry, symbol(row.measure));
    match start.verdict {
        Verdict::Use => {
            let tied = match start.tied.len() {
                0 => String::new(),
                n => format!("; {n} {} tied with it", if n == 1 { "is" } else { "are" }),
            };
            Some(format!("Over all tasks, start with {name}: {what} skill {}{tied}.", skill(row)?))
        }
        Verdict::NoModel(Reason::NotTestable(_)) => None,
        Verdict::NoModel(reason) => {
            let words = REASONS.iter().find(|(code, ..)| *code == reason.code()).map(|(.., words)| *words)?;
            Some(format!("Over all tasks, start with no model: {words} by {what}."))
        }
    }
}

/// What a warning says and what to do about it.
pub fn warning(results: &Results, warning: &Warning) -> String {
    let label = |model: &VariantId| results.names.label(*model);
    let rests = |measure: &Measure, model: &VariantId, on: &Caution| {
        format!("{} of {} rests on {on}", sentence_case(measure.info().name), label(model))
    };
    let only = |events: &usize| match events {
        0 => "no event".to_owned(),
        n => format!("only {}", count(*n, "event")),
    };
    match warning {
        Warning::EventsNotRare { events, cases } => format!(
            "Events are not rare ({} of the test): raise relevance.event_threshold.",
            percent(*events as f64 / (*cases).max(1) as f64)
        ),
        Warning::FewEvents { events } => {
            let events = only(events);
            format!("The test has {events}: test on more rows or lower relevance.event_threshold.")
        }
        Warning::FewTrainingEvents { events } => {
            format!("The training rows hold {} to learn from.", only(events))
        }
        Warning::GridEdge { parameter: name, value, end, .. } => {
            let end = if *end == GridEnd::Smallest { "smallest" } else { "largest" };
            let place = format!("{name} = {value}, the {end}");
            format!("The top model is at the edge of the grid ({place}): extend the grid.")
        }
        Warning::NotConverged { model } => {
            format!("{} stopped at its iteration limit: raise the limit.", label(model))
        }
        Warning::LabelOverlap => {
            "Labels of training rows overlap the test period (leak = \"paper\"): scores look too good."
                .to_owned()
        }
        Warning::Unsure { model, measure, caution } => match caution {
            Caution::FewHits(_) => rests(measure, model, caution) + "; its interval is unreliable.",
            Caution::FewEvents(_) | Caution::FewBlocks(_) => {
                rests(measure, model, caution) + "; its interval may be too narrow."
            }
            _ => format!("The test has only {caution}; intervals may be too narrow."),
        },
        Warning::AllTied { models: 2 } => "Both models are tied.".to_owned(),
        Warning::AllTied { models } => format!("All {models} models are tied."),
        Warning::CalibrationSlope { model, slope } => {
            let (name, fault, slope) = (label(model), miscalibration(*slope), digits(*slope));
            format!("{name} {fault}: its signals have a calibration slope of {slope}.")
        }
    }
}

/// What a model does whose signals have this calibration slope: outcomes grow less than its predictions, or
/// more.
fn miscalibration(slope: f64) -> &'static str {
    if slope < 1.0 { "exaggerates" } else { "understates" }
}

/// What the deciding measure says over several tasks.
pub fn verdict_over_tasks(results: &Results) -> Option<VerdictLine> {
    let all: Vec<&Decision> = results.answer.all_deciding().collect();
    let measure = results.answer.decide_by?;
    let uses = all.iter().filter(|d| d.verdict == Verdict::Use).count();
    let n = all.len();
    let (head, mut rest) = match uses {
        0 => ("NO MODEL", format!(" on any of {n} tasks.")),
        u if u == n => ("USE a model", format!(" on all {n} tasks.")),
        u => ("USE a model", format!(" on {u} of {n} tasks.")),
    };
    let below = |p: fn(&Decision) -> Option<f64>| {
        all.iter().filter(|d| p(d).is_some_and(|p| p < results.alpha)).count()
    };
    if uses == 0 && all.iter().any(|d| d.p_chance.is_some()) {
        let whose = if all.iter().any(|d| is_beaten(d)) { "models' " } else { "" };
        rest.push_str(&format!(
            " The {whose}{} {} beats chance on {} and every baseline on {} (none after correction).",
            end(measure),
            symbol(measure),
            below(|d| d.p_chance),
            below(|d| d.p_baseline)
        ));
    } else if uses < n {
        let counted = REASONS.iter().map(|(code, _, words)| (words, tasks_with_reason(&all, code)));
        let told = counted.filter(|(_, n)| *n > 0).map(|(words, n)| format!("{words} on {n}"));
        let reasons = list(&told.collect::<Vec<_>>());
        rest.push_str(&match uses {
            0 => format!(" {}.", sentence_case(&reasons)),
            _ => format!(" The others: {reasons}."),
        });
    }
    if let Some((model, tasks)) = one_for_most(results, &all) {
        rest.push_str(&format!(" {} is used or tied on {tasks} of {n}.", results.names.label(model)));
    }
    if let Some(silent) = results.answer.first_picks().and_then(|picks| silent_picks(results, picks)) {
        rest.push_str(&format!(" {silent}"));
    }
    Some(VerdictLine { head: head.to_owned(), rest, is_use: uses > 0 })
}

/// The model that is used or tied on most tasks, if it is so on more than half.
fn one_for_most(results: &Results, all: &[&Decision]) -> Option<(VariantId, usize)> {
    let with = |model: VariantId| {
        let stands =
            |d: &&&Decision| d.verdict == Verdict::Use && (d.model == Some(model) || d.tied.contains(&model));
        all.iter().filter(stands).count()
    };
    let models = VariantId::all(results.names.variants.len()).map(|m| (m, with(m)));
    models.rev().max_by_key(|(_, n)| *n).filter(|(_, n)| 2 * n > all.len() && *n > 1)
}

/// How often the ordinary measure's pick never signals.
fn silent_picks(results: &Results, picks: &Picks) -> Option<String> {
    let counts: Vec<usize> =
        picks.tasks.iter().filter_map(|t| Some(results.scores[t.task].counts[t.chosen?]?.signals)).collect();
    let silent = counts.iter().filter(|n| **n == 0).count();
    (silent > 0)
        .then(|| format!("{}'s pick never signals on {silent} of {}.", symbol(picks.chosen_by), counts.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_slopes_exaggerate_and_large_ones_understate() {
        let slopes = [-0.1, 0.7, 1.3];
        assert_eq!(slopes.map(miscalibration), ["exaggerates", "exaggerates", "understates"]);
    }

    #[test]
    fn every_reason_has_its_words() {
        let all = [
            Reason::NoEventCaught,
            Reason::FewEvents,
            Reason::NotBetterThanChance,
            Reason::NotBetterThanBaseline,
            Reason::NotTestable(Untestable::NoScore),
        ];
        assert_eq!(all.map(reason_word), ["none caught", "few events", "chance", "baseline", "untestable"]);
        assert_eq!(all.map(Reason::code), REASONS.map(|(code, ..)| code));
    }
}
