//! Checks what is asked of Slurm before a job waits in the queue to be refused.

use super::quote::one_line;
use crate::{EngineError, Result};

/// A time limit in one of sbatch's forms.
pub(super) fn time<'a>(option: &'static str, text: &'a str) -> Result<&'a str> {
    let expected = "is not a valid time; give minutes, minutes:seconds, hours:minutes:seconds, days-hours, \
                    days-hours:minutes or days-hours:minutes:seconds, such as 90, 4:00:00 or 2-12";
    checked(option, text, is_time, expected)
}

fn checked<'a>(
    option: &'static str,
    text: &'a str,
    is_valid: fn(&str) -> bool,
    expected: &str,
) -> Result<&'a str> {
    let text = one_line(option, text)?;
    if is_valid(text) {
        return Ok(text);
    }
    Err(EngineError::Option { option, problem: format!("{text:?} {expected}") })
}

fn is_time(text: &str) -> bool {
    if ["unlimited", "infinite"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (Some(days), clock),
        None => (None, text),
    };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    days.is_none_or(is_number) && clock.split(':').all(is_number) && clock.split(':').count() <= 3
}

/// An amount of memory in one of sbatch's forms.
pub(super) fn memory<'a>(option: &'static str, text: &'a str) -> Result<&'a str> {
    let expected = "is not a valid amount of memory; give megabytes, or a whole number with K, M, G or T, such \
                    as 8G";
    checked(option, text, |text| megabytes(text).is_some(), expected)
}

/// Megabytes of an amount as sbatch reads it, `0` being all that a node has; none if it is not one.
///
/// ```
/// use tailrank_runner::slurm::megabytes;
/// assert_eq!(megabytes("8G"), Some(8192));
/// assert_eq!(megabytes("500"), Some(500));
/// assert_eq!(megabytes("much"), None);
/// ```
pub fn megabytes(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    match text[digits..].to_ascii_uppercase().as_str() {
        "K" | "KB" => Some(number.div_ceil(1024)),
        "" | "M" | "MB" => Some(number),
        "G" | "GB" => number.checked_mul(1024),
        "T" | "TB" => number.checked_mul(1024 * 1024),
        _ => None,
    }
}

/// Options of sbatch that the scripts set themselves, and what to give instead.
const OWN: [(&str, Option<char>, &str); 10] = [
    ("array", Some('a'), "give --array-size and --max-running"),
    ("output", Some('o'), "each task's output stands in the run's folder, under slurm/"),
    ("open-mode", None, "output is appended, so that a requeued task goes on below what it said"),
    ("chdir", Some('D'), "jobs start where `tailrank slurm` is typed; change to that folder first"),
    ("cpus-per-task", Some('c'), "give --cpus and --gather-cpus"),
    ("job-name", Some('J'), "jobs are named after the experiment; change its name"),
    ("partition", Some('p'), "give --partition"),
    ("time", Some('t'), "give --time and --gather-time"),
    ("mem", None, "give --memory and --gather-memory"),
    ("account", Some('A'), "give --account"),
];

/// A further option of sbatch, given with or without `#SBATCH`.
pub(super) fn extra(line: &str) -> Result<&str> {
    let refuse = |problem: String| Err(EngineError::Option { option: "sbatch", problem });
    let line = one_line("sbatch", line)?;
    let option = line.strip_prefix("#SBATCH").unwrap_or(line).trim();
    if !option.starts_with('-') {
        return refuse(format!("{line:?} is not an option of sbatch; write it as --sbatch=--mail-type=END"));
    }
    match OWN.iter().find(|(long, short, _)| sets(option, long, *short)) {
        Some((long, _, instead)) => refuse(format!("--{long} is set by the job scripts; {instead}")),
        None => Ok(option),
    }
}

/// Whether an option is this one: written out, shortened as sbatch allows it, or by its letter.
fn sets(option: &str, long: &str, short: Option<char>) -> bool {
    match option.strip_prefix("--") {
        Some(rest) => {
            let name = rest.split(|c: char| c == '=' || c.is_whitespace()).next().unwrap_or(rest);
            name.len() >= 3 && long.starts_with(name)
        }
        None => short.is_some_and(|letter| option[1..].starts_with(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_sbatch_reads_them() {
        for right in ["90", "90:30", "4:00:00", "2-12", "2-12:30", "2-12:30:00", "UNLIMITED"] {
            assert_eq!(time("time", right).unwrap(), right);
        }
        for wrong in ["banana", "", "4h", "1:2:3:4", "-12", "2-", "1::2", "4:00:00 --uid=0"] {
            assert!(time("time", wrong).is_err(), "{wrong}");
        }
        let said = time("gather-time", "banana").unwrap_err().to_string();
        assert!(said.starts_with("--gather-time: ") && said.contains("hours:minutes:seconds"), "{said}");
    }

    #[test]
    fn memory_is_read_as_sbatch_reads_it() {
        let amounts = [("0", 0), ("500", 500), ("2048K", 2), ("8g", 8192), ("1T", 1 << 20), ("8GB", 8192)];
        for (text, expected) in amounts {
            assert_eq!(megabytes(text), Some(expected), "{text}");
        }
        for wrong in ["", "G", "8X", "8.5G", "-1", "99999999999999999999", "99999999999999999T"] {
            assert!(memory("memory", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_the_scripts_set_is_not_set_twice() {
        let own = [
            "--array=1-3",
            "-a 1-3",
            "--output=x",
            "--out=x",
            "-ox",
            "#SBATCH --time=3",
            "-p long",
            "--mem 8G",
        ];
        for option in own.into_iter().chain(["--cpus-per-task=4", "--chdir=/", "-J name", "-A group"]) {
            let said = extra(option).unwrap_err().to_string();
            assert!(said.contains("is set by the job scripts; "), "{option}: {said}");
        }
        assert!(extra("--array=1").unwrap_err().to_string().contains("--array-size"));
        for other in
            ["--mem-per-cpu=2G", "--time-min=10", "--qos=low", "--no-requeue", "-w node1", "--gres=gpu:1"]
        {
            assert_eq!(extra(other).unwrap(), other);
        }
    }
}
