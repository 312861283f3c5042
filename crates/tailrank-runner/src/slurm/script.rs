//! The job scripts: an array over shares, a gather job after it, and what submits both.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use tailrank_experiment::digest::digest;

use super::{
    Shares,
    quote::{directive, one_line, path, shell_word},
    validate::{extra, memory, time},
};
use crate::{EngineError, Result, store::Store};

/// What a user asks of Slurm; what is absent is left to the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobOptions {
    /// `--partition`.
    pub partition: Option<String>,
    /// `--time` of each job.
    pub time: Option<String>,
    /// `--mem` of each job.
    pub memory: Option<String>,
    /// `--account`.
    pub account: Option<String>,
    /// CPUs of each job; as many cells run at the same time.
    pub cpus: usize,
    /// Tasks that run at the same time.
    pub max_running: Option<usize>,
    /// Further options for `#SBATCH` lines, as they are.
    pub extra: Vec<String>,
    /// What the gather job asks for instead.
    pub gather: GatherOptions,
}

/// What the gather job needs otherwise than the tasks; what is absent is as theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatherOptions {
    /// CPUs.
    pub cpus: Option<usize>,
    /// `--time`.
    pub time: Option<String>,
    /// `--mem`.
    pub memory: Option<String>,
    /// Write tables only.
    pub no_report: bool,
}

/// What the jobs run, and where. All paths are absolute.
#[derive(Clone, Debug)]
pub struct Jobs {
    /// The experiment's name.
    pub name: String,
    /// This program, as the nodes see it.
    pub program: PathBuf,
    /// The experiment file.
    pub experiment: PathBuf,
    /// The run's folder, shared by all nodes.
    pub run: PathBuf,
    /// Where the jobs start.
    pub working_folder: PathBuf,
    /// Folder of data that goes before the bundled one.
    pub data: Option<PathBuf>,
    /// Whether the experiment may run the programs it names.
    pub allow_commands: bool,
    /// What is asked of Slurm.
    pub options: JobOptions,
}

/// The files of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripts {
    /// Their folder, in the run's folder.
    pub folder: PathBuf,
    /// The shares.
    pub shares: String,
    /// The array job.
    pub array: String,
    /// The gather job.
    pub gather: String,
    /// Submits both.
    pub submit: String,
}

impl Jobs {
    /// Writes nothing: the texts of all files.
    ///
    /// ```
    #[doc = include_str!("../doc_example_setup.txt")]
    /// use tailrank_runner::slurm::{JobOptions, Jobs, Shares};
    ///
    /// // `plan` as on the crate's first page; nothing is stored, so all its cells are left.
    /// let shares = Shares::new(&plan, |_| true, 2);
    /// let options = JobOptions { cpus: 4, time: Some("01:00:00".to_owned()), ..JobOptions::default() };
    /// let jobs = Jobs {
    ///     name: plan.experiment.name.clone(),
    ///     program: "/opt/tailrank".into(),
    ///     experiment: "/home/me/two.toml".into(),
    ///     run: "/home/me/runs/two".into(),
    ///     working_folder: "/home/me".into(),
    ///     data: None,
    ///     allow_commands: false,
    ///     options,
    /// }; let scripts = jobs.scripts(&shares)?; assert!(scripts.array.contains("#SBATCH --array=1-2\n") &&
    /// scripts.array.contains("--cpus-per-task=4")); assert!(scripts.submit.contains("sbatch"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When an option or path would not be one line of a script.
    pub fn scripts(&self, shares: &Shares) -> Result<Scripts> {
        let text = shares.to_text().map_err(|e| EngineError::internal("shares", e))?;
        // The same cells left give the same folder: submitting twice leaves one set of files.
        let folder = self.run.join("slurm").join(&digest(text.as_bytes())[..12]);
        let shares_file = path("out", &folder)?.to_owned() + "/shares.json";
        let o = &self.options;
        let running = o.max_running.map(|n| format!("%{n}")).unwrap_or_default();
        let array = Job {
            suffix: "",
            array: Some(format!("1-{}{running}", shares.len())),
            log: "%a",
            cpus: o.cpus,
            time: ("time", o.time.as_deref()),
            memory: ("memory", o.memory.as_deref()),
            arguments: format!(" --share \"$SLURM_ARRAY_TASK_ID\"/{}", shares.len()),
        };
        let gather = Job {
            suffix: "-gather",
            array: None,
            log: "gather",
            cpus: o.gather.cpus.unwrap_or(o.cpus),
            time: o.gather.time.as_deref().map_or(array.time, |t| ("gather-time", Some(t))),
            memory: o.gather.memory.as_deref().map_or(array.memory, |m| ("gather-memory", Some(m))),
            arguments: if o.gather.no_report { " --no-report" } else { "" }.to_owned(),
        };
        let in_folder = |name: &str| Ok::<_, EngineError>(shell_word(path("out", &folder.join(name))?));
        let submit = submit_script(&in_folder("array.sh")?, &in_folder("gather.sh")?);
        Ok(Scripts {
            array: self.script(&folder, &array, &shares_file)?,
            gather: self.script(&folder, &gather, &shares_file)?,
            shares: text,
            folder,
            submit,
        })
    }

    fn script(&self, folder: &Path, job: &Job<'_>, shares_file: &str) -> Result<String> {
        let o = &self.options;
        // sbatch replaces %a and its like in names of logs only.
        let logs = path("out", &folder.join("out"))?.replace('%', "%%");
        let mut lines = vec![format!("--job-name={}{}", job_name(&self.name), job.suffix)];
        if let Some(array) = &job.array {
            lines.push(format!("--array={array}"));
        }
        // A job that was preempted or whose node failed goes back to the queue; what is stored stays.
        lines.push("--requeue".to_owned());
        lines.push(format!("--output={}", directive(&format!("{logs}/{}.log", job.log))));
        // A requeued job goes on below what it said before.
        lines.push("--open-mode=append".to_owned());
        lines.push(format!("--chdir={}", directive(path("working folder", &self.working_folder)?)));
        lines.push(format!("--cpus-per-task={}", job.cpus));
        let requested = [
            ("partition", o.partition.as_deref().map(|p| one_line("partition", p))),
            ("time", job.time.1.map(|t| time(job.time.0, t))),
            ("mem", job.memory.1.map(|m| memory(job.memory.0, m))),
            ("account", o.account.as_deref().map(|a| one_line("account", a))),
        ];
        for (name, value) in requested {
            if let Some(value) = value {
                lines.push(format!("--{name}={}", directive(value?)));
            }
        }
        for line in &o.extra {
            lines.push(extra(line)?.to_owned());
        }
        let mut text = "#!/bin/sh\n".to_owned();
        for line in lines {
            let _ = writeln!(text, "#SBATCH {line}");
        }
        // Replacing the shell lets Slurm's signals reach the program, which then ends with its finished cells
        // stored.
        let _ = write!(text, "\nexec {}", shell_word(path("program", &self.program)?));
        if let Some(data) = &self.data {
            let _ = write!(text, " --data {}", shell_word(path("data", data)?));
        }
        let _ = write!(text, " run {}", shell_word(path("experiment", &self.experiment)?));
        for (option, value) in [("--out", path("out", &self.run)?), ("--shares", shares_file)] {
            let _ = write!(text, " \\\n  {option} {}", shell_word(value));
        }
        let _ = write!(text, " \\\n  --jobs {}", job.cpus);
        if self.allow_commands {
            text.push_str(" --allow-commands");
        }
        text.push_str(&job.arguments);
        text.push('\n');
        Ok(text)
    }
}

/// What sets one of the two jobs apart.
struct Job<'a> {
    /// Added to the job's name.
    suffix: &'static str,
    array: Option<String>,
    /// Name of its log.
    log: &'static str,
    cpus: usize,
    /// With the option it was given by, for errors.
    time: (&'static str, Option<&'a str>),
    memory: (&'static str, Option<&'a str>),
    /// Further arguments of the program.
    arguments: String,
}

/// Submits both jobs. `array` and `gather` are the scripts as shell words.
fn submit_script(array: &str, gather: &str) -> String {
    // An array that waits without its gather job is the user's to know about.
    format!(
        "#!/bin/sh\n# Submits the array and the job that gathers what it fitted.\nset -eu\n\
         array=$(sbatch --parsable {array})\narray=${{array%%;*}}\n\
         if ! gather=$(sbatch --parsable --dependency=afterany:\"$array\" {gather}); then\n  \
         printf '%s\\n' \"array job $array is submitted, its gather job is not. Submit that by hand:\" \\\n    \
         \"  sbatch --dependency=afterany:$array \"{again} \\\n    \
         \"or cancel the array: scancel $array\" >&2\n  \
         exit 1\nfi\n\
         echo \"array job $array, gather job ${{gather%%;*}}\"\n",
        again = shell_word(gather),
    )
}

/// Puts the files of a submission in the run's folder.
pub fn write_scripts(store: &Store<'_>, scripts: &Scripts) -> Result<()> {
    store.create_folder(&scripts.folder.join("out"))?;
    for (name, text) in [
        ("shares.json", &scripts.shares),
        ("array.sh", &scripts.array),
        ("gather.sh", &scripts.gather),
        ("submit.sh", &scripts.submit),
    ] {
        store.write(&scripts.folder.join(name), text.as_bytes())?;
    }
    Ok(())
}

/// A name from an experiment in the queue's listing: letters, digits and dashes.
fn job_name(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    format!("tailrank-{}", name.chars().take(40).map(safe).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs() -> Jobs {
        Jobs {
            name: "stocks".to_owned(),
            program: "/opt/tailrank".into(),
            experiment: "/home/u/stocks.toml".into(),
            run: "/shared/runs/stocks".into(),
            working_folder: "/home/u".into(),
            data: None,
            allow_commands: false,
            options: JobOptions { cpus: 2, ..JobOptions::default() },
        }
    }

    fn shares() -> Shares {
        let keys = |n: &str| tailrank_experiment::digest::CellKey::of(n).as_str().to_owned();
        let text = format!(
            r#"{{ "experiment": "{}", "cells": [["{}"], ["{}"]], "seconds": [1, 0.5] }}"#,
            keys("e"),
            keys("a"),
            keys("b")
        );
        Shares::from_text(&text).unwrap()
    }

    #[test]
    fn a_plain_submission_reads_like_this() {
        let scripts = jobs().scripts(&shares()).unwrap();
        let folder = scripts.folder.to_str().unwrap();
        assert!(folder.starts_with("/shared/runs/stocks/slurm/"));
        assert_eq!(
            scripts.array.replace(folder, "FOLDER"),
            "#!/bin/sh\n\
             #SBATCH --job-name=tailrank-stocks\n\
             #SBATCH --array=1-2\n\
             #SBATCH --requeue\n\
             #SBATCH --output=FOLDER/out/%a.log\n\
             #SBATCH --open-mode=append\n\
             #SBATCH --chdir=/home/u\n\
             #SBATCH --cpus-per-task=2\n\
             \n\
             exec /opt/tailrank run /home/u/stocks.toml \\\n  --out /shared/runs/stocks \\\n  \
             --shares FOLDER/shares.json \\\n  --jobs 2 --share \"$SLURM_ARRAY_TASK_ID\"/2\n"
        );
        assert_eq!(
            scripts.gather.replace(folder, "FOLDER"),
            "#!/bin/sh\n\
             #SBATCH --job-name=tailrank-stocks-gather\n\
             #SBATCH --requeue\n\
             #SBATCH --output=FOLDER/out/gather.log\n\
             #SBATCH --open-mode=append\n\
             #SBATCH --chdir=/home/u\n\
             #SBATCH --cpus-per-task=2\n\
             \n\
             exec /opt/tailrank run /home/u/stocks.toml \\\n  --out /shared/runs/stocks \\\n  \
             --shares FOLDER/shares.json \\\n  --jobs 2\n"
        );
        assert_eq!(
            scripts.submit.replace(folder, "FOLDER"),
            "#!/bin/sh\n# Submits the array and the job that gathers what it fitted.\nset -eu\n\
             array=$(sbatch --parsable FOLDER/array.sh)\narray=${array%%;*}\n\
             if ! gather=$(sbatch --parsable --dependency=afterany:\"$array\" FOLDER/gather.sh); then\n  \
             printf '%s\\n' \"array job $array is submitted, its gather job is not. Submit that by hand:\" \\\n    \
             \"  sbatch --dependency=afterany:$array \"FOLDER/gather.sh \\\n    \
             \"or cancel the array: scancel $array\" >&2\n  exit 1\nfi\n\
             echo \"array job $array, gather job ${gather%%;*}\"\n"
        );
    }

    #[test]
    fn every_option_has_its_line() {
        let mut jobs = jobs();
        jobs.options = JobOptions {
            partition: Some("long".to_owned()),
            time: Some("1-00:00:00".to_owned()),
            memory: Some("8G".to_owned()),
            account: Some("a group".to_owned()),
            cpus: 4,
            max_running: Some(10),
            extra: vec!["--mail-type=END".to_owned(), "#SBATCH --qos=low".to_owned()],
            gather: GatherOptions::default(),
        };
        jobs.data = Some("/shared/my data".into());
        jobs.allow_commands = true;
        let array = jobs.scripts(&shares()).unwrap().array;
        for line in [
            "#SBATCH --array=1-2%10",
            "#SBATCH --cpus-per-task=4",
            "#SBATCH --partition=long",
            "#SBATCH --time=1-00:00:00",
            "#SBATCH --mem=8G",
            "#SBATCH --account=\"a group\"",
            "#SBATCH --mail-type=END",
            "#SBATCH --qos=low",
        ] {
            assert!(array.lines().any(|l| l == line), "{line} is missing:\n{array}");
        }
        assert!(array.contains("exec /opt/tailrank --data '/shared/my data' run"), "{array}");
        assert!(array.contains("--jobs 4 --allow-commands --share"), "{array}");
    }

    #[test]
    fn the_gather_job_is_as_large_as_the_tasks_unless_asked() {
        let mut jobs = jobs();
        jobs.options.time = Some("60".to_owned());
        jobs.options.memory = Some("2G".to_owned());
        let gather = jobs.scripts(&shares()).unwrap().gather;
        for line in ["#SBATCH --cpus-per-task=2", "#SBATCH --time=60", "#SBATCH --mem=2G"] {
            assert!(gather.lines().any(|l| l == line), "{line} is missing:\n{gather}");
        }
        jobs.options.gather = GatherOptions {
            cpus: Some(16),
            time: Some("1-12".to_owned()),
            memory: Some("64G".to_owned()),
            no_report: true,
        };
        let Scripts { array, gather, .. } = jobs.scripts(&shares()).unwrap();
        for line in ["#SBATCH --cpus-per-task=16", "#SBATCH --time=1-12", "#SBATCH --mem=64G"] {
            assert!(gather.lines().any(|l| l == line), "{line} is missing:\n{gather}");
            assert!(!array.contains(line), "{array}");
        }
        assert!(gather.ends_with("--jobs 16 --no-report\n") && !array.contains("--no-report"), "{gather}");
        jobs.options.gather.memory = Some("much".to_owned());
        assert!(jobs.scripts(&shares()).unwrap_err().to_string().starts_with("--gather-memory: "));
    }

    #[test]
    fn names_are_data() {
        let mut jobs = jobs();
        jobs.name = "x\n#SBATCH --uid=0; $(rm)".to_owned();
        jobs.run = "/runs/it's $(touch owned) #1 50%".into();
        let scripts = jobs.scripts(&shares()).unwrap();
        let directives: Vec<&str> = scripts.array.lines().filter(|l| l.starts_with("#SBATCH")).collect();
        assert_eq!(directives.len(), 7, "{directives:?}");
        assert!(scripts.array.contains("#SBATCH --job-name=tailrank-x--SBATCH---uid-0----rm-\n"));
        assert!(scripts.array.contains(r"--out '/runs/it'\''s $(touch owned) #1 50%' \"));
        let output = directives.iter().find(|l| l.contains("--output")).unwrap();
        assert!(
            output.starts_with(r#"#SBATCH --output="/runs/it's $(touch owned) \#1 50%%/slurm/"#),
            "{output}"
        );
    }

    #[test]
    fn what_is_not_a_line_is_refused() {
        let refused = |change: fn(&mut Jobs)| {
            let mut jobs = jobs();
            change(&mut jobs);
            jobs.scripts(&shares()).unwrap_err().to_string()
        };
        let said = refused(|j| j.options.partition = Some("a\nb".to_owned()));
        assert!(said.contains("--partition"), "{said}");
        assert!(refused(|j| j.options.extra = vec!["--x\r".to_owned()]).contains("--sbatch"));
        assert!(refused(|j| j.options.extra = vec!["touch owned".to_owned()]).contains("not an option"));
        assert!(refused(|j| j.experiment = "mine.toml".into()).contains("absolute"));
        assert!(refused(|j| j.run = "/a\nb".into()).contains("control character"));
    }
}
