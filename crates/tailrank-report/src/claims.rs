//! What a paper says, what a run found, and whether the two agree.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Whether a run bears a claim out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The run shows the same.
    Agree,
    /// The run shows something else.
    Differ,
    /// The difference that decides is within its own interval.
    TooClose,
    /// These data cannot tell.
    NotTestable,
}

impl Standing {
    /// All, in the order they are counted.
    pub const ALL: [Self; 4] = [Self::Agree, Self::Differ, Self::TooClose, Self::NotTestable];

    /// How many of `claims` stand so.
    pub fn count<'a>(self, claims: impl IntoIterator<Item = &'a Claim>) -> usize {
        claims.into_iter().filter(|c| c.standing == self).count()
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agree => "agree",
            Self::Differ => "differ",
            Self::TooClose => "too close to call",
            Self::NotTestable => "not testable",
        })
    }
}

/// What kind of statement a claim is. Only findings say how well a paper stands up: the others hold by
/// construction, describe what was run, or are not the paper's. In the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// What the paper found, and what these data could have shown otherwise.
    Finding,
    /// A question of this project's own, which the paper does not ask.
    Ours,
    /// What data, models or settings the paper used.
    SetUp,
    /// True by definition or arithmetic; a wrong program would fail it, no data could.
    Identity,
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identity => "identity",
            Self::SetUp => "set-up",
            Self::Finding => "the paper's finding",
            Self::Ours => "ours",
        })
    }
}

/// A figure of a paper, drawn from what a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperFigure {
    /// Its file, without the ending: `fig_5` for the paper's Fig. 5, `fig_2_ba` for a part of Fig. 2, another
    /// name for one of ours.
    pub name: String,
    /// What it finds, as plain text.
    pub title: String,
    /// The file's text.
    pub svg: String,
}

impl PaperFigure {
    /// The paper's number of it; none for one of ours.
    pub fn number(&self) -> Option<u32> {
        self.name.strip_prefix("fig_")?.split('_').next()?.parse().ok()
    }

    /// Whether a claim points at it, as `REC05 Fig. 5` points at `fig_5`.
    pub fn shows(&self, claim: &Claim) -> bool {
        let after = claim.source.split("Fig. ").skip(1);
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
        after.map(digits).any(|number| number.parse().is_ok_and(|n| Some(n) == self.number()))
    }
}

/// One statement of a paper beside what a run found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What kind of statement it is.
    pub tag: Tag,
    /// Where the paper says it, such as `PR09 §5.2, Fig. 2`.
    pub source: String,
    /// What the paper says.
    pub says: String,
    /// What this run found.
    pub found: String,
    /// The rule it was decided by: what makes it agree, and what would have made it come out otherwise.
    pub evidence: String,
    /// The decision, made by code from those numbers.
    pub standing: Standing,
}

/// The paper's findings among `claims`.
pub fn findings(claims: &[Claim]) -> impl Iterator<Item = &Claim> + Clone {
    claims.iter().filter(|c| c.tag == Tag::Finding)
}

/// Claims by their kind, findings first: the rest holds by construction, describes what was run, or is not
/// the paper's.
pub fn by_tag(claims: &[Claim]) -> Vec<&Claim> {
    let mut all: Vec<&Claim> = claims.iter().collect();
    all.sort_by_key(|claim| claim.tag);
    all
}

/// How claims stand: `7 agree, 2 differ, 1 too close to call`.
///
/// ```
/// use tailrank_report::claims::{Claim, Standing, Tag, findings, tally};
/// let claim = |tag, standing| Claim {
///     tag,
///     source: "PR09 §5.2".into(),
///     says: "the top fives are disjoint".into(),
///     found: "they share 0 of 5".into(),
///     evidence: "agree if they share none, differ if they share any".into(),
///     standing,
/// };
/// let claims = [claim(Tag::Finding, Standing::Agree), claim(Tag::Identity, Standing::Agree)];
/// assert_eq!(tally(findings(&claims)), "1 agree");
/// ```
pub fn tally<'a>(claims: impl Iterator<Item = &'a Claim> + Clone) -> String {
    let counted = Standing::ALL.map(|standing| (standing, standing.count(claims.clone())));
    let parts = counted.iter().filter(|(_, n)| *n > 0).map(|(standing, n)| format!("{n} {standing}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// How the paper's findings stand: `Of the paper's 9 findings: 7 agree, 2 differ.`
pub fn headline(claims: &[Claim]) -> String {
    match findings(claims).count() {
        0 => "None of these is a finding of the paper.".to_owned(),
        1 => format!("The paper's one finding: {}.", tally(findings(claims))),
        n => format!("Of the paper's {n} findings: {}.", tally(findings(claims))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(tag: Tag, standing: Standing) -> Claim {
        let text = || String::from("x");
        Claim { tag, source: text(), says: text(), found: text(), evidence: text(), standing }
    }

    #[test]
    fn only_findings_are_counted_as_such() {
        let claims = [
            claim(Tag::Finding, Standing::Differ),
            claim(Tag::Finding, Standing::TooClose),
            claim(Tag::Finding, Standing::TooClose),
            claim(Tag::Identity, Standing::Agree),
            claim(Tag::SetUp, Standing::NotTestable),
            claim(Tag::Ours, Standing::Agree),
        ];
        assert_eq!(tally(findings(&claims)), "1 differ, 2 too close to call");
        assert_eq!(tally(claims.iter()), "2 agree, 1 differ, 2 too close to call, 1 not testable");
        assert_eq!(tally(claims[..0].iter()), "");
    }

    #[test]
    fn files_hold_the_tags_by_name() {
        let text = serde_json::to_value(claim(Tag::SetUp, Standing::TooClose)).unwrap();
        assert_eq!((&text["tag"], &text["standing"]), (&"set_up".into(), &"too_close".into()));
    }
}
