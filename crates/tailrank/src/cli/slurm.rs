//! `tailrank slurm`

use std::{collections::BTreeSet, path::absolute, process::Command};

use tailrank_runner::{
    slurm::{GatherOptions, JobOptions, Jobs, Scripts, Shares, megabytes, shell_word, write_scripts},
    status::{list_plan, status},
    store::check_origin,
};

use super::{duration::seconds, prelude::*};

/// Write job scripts that spread a run over a Slurm cluster; with --submit, submit them.
#[derive(Clone, Debug, Args)]
#[command(after_help = include_str!("help/slurm.txt"))]
pub(crate) struct SlurmArguments {
    /// The experiment file.
    experiment: PathBuf,
    /// Folder of the run, on a shared file system; runs/NAME by default.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Tasks of the array; by default one for every 15 minutes of forecast work per CPU, at most 1000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    array_size: Option<u32>,
    /// Tasks that run at the same time; as many as the cluster lets by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_running: Option<u32>,
    /// CPUs of each job; it makes as many fits at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    cpus: u32,
    /// Partition of all jobs.
    #[arg(long)]
    partition: Option<String>,
    /// Time limit of each job, such as 90 (minutes), 4:00:00 or 2-12 (days-hours).
    #[arg(long)]
    time: Option<String>,
    /// Memory of each job, such as 8G; at least limits.memory_mb of the experiment.
    #[arg(long)]
    memory: Option<String>,
    /// CPUs of the gather job; as --cpus by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    gather_cpus: Option<u32>,
    /// Time limit of the gather job; as --time by default.
    #[arg(long, value_name = "TIME")]
    gather_time: Option<String>,
    /// Memory of the gather job, which holds all scores and tables; as --memory by default.
    #[arg(long, value_name = "MEMORY")]
    gather_memory: Option<String>,
    /// Let the gather job write tables only: a report holds every prediction once more.
    #[arg(long)]
    no_report: bool,
    /// Account to charge.
    #[arg(long)]
    account: Option<String>,
    /// A further option for both jobs, such as --sbatch=--mail-type=END; may be given several times.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// The tailrank program as the nodes see it; this one by default.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Let the experiment run the programs it names.
    #[arg(long)]
    allow_commands: bool,
    /// Submit both jobs.
    #[arg(long, conflicts_with = "dry_run")]
    submit: bool,
    /// Print the scripts and write nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn slurm(session: &Session, arguments: &SlurmArguments) -> Result<Exit> {
    let plan = Plan::load(&arguments.experiment, &session.library)?;
    check_programs(&plan, arguments.allow_commands)?;
    session.print_warnings(ten_of_a_kind(&plan.warnings));
    let out = absolute(run_folder(arguments.out.as_ref(), &plan))?;
    check_origin(&RealDisk, &out, &arguments.experiment, &plan.text)?;
    session.print_warnings(memory_warnings(arguments, plan.experiment.limits.memory_mb));
    session.print_warnings(busy_warning(&out));
    let shares = shares(&plan, arguments, &out)?;
    if shares.is_empty() {
        let [experiment, run] = [&arguments.experiment, &out].map(|path| word(path));
        let score = format!("tailrank run {experiment} --out {run}");
        let text = format!("All fits are stored in {}. Score them with: {score}", out.display());
        print(&wrap(&text, width()));
        return Ok(Exit::Fine);
    }
    let jobs = jobs(session, arguments, &plan, &out)?;
    let scripts = jobs.scripts(&shares)?;
    if arguments.dry_run {
        let Scripts { array, gather, submit, .. } = &scripts;
        for (name, text) in [("array.sh", array), ("gather.sh", gather), ("submit.sh", submit)] {
            print(&format!("# {}\n{text}", scripts.folder.join(name).display()));
        }
        print(&wrap(&summary(&shares), width()));
        return Ok(Exit::Fine);
    }
    let store = Store::open(&RealDisk, &out, &plan.text, &plan.experiment.name)?;
    session.print_warnings(store.take_notices());
    list_plan(&plan, &store)?;
    write_scripts(&store, &scripts)?;
    print(&wrap(&summary(&shares), width()));
    let submit = scripts.folder.join("submit.sh");
    if arguments.submit {
        print(&submitted(&submit)?);
        print(&format!("How it goes: tailrank status {}", word(&out)));
    } else {
        print(&format!("Submit with: sh {}", word(&submit)));
    }
    Ok(Exit::Fine)
}

/// A path as a user may paste it into a shell.
fn word(path: &Path) -> String {
    shell_word(&path.display().to_string())
}

/// Jobs with less memory than the experiment lets a cell use: Slurm would kill them in the middle of a fit.
fn memory_warnings(arguments: &SlurmArguments, limit_mb: usize) -> impl Iterator<Item = String> {
    let asked = [("--memory", &arguments.memory), ("--gather-memory", &arguments.gather_memory)];
    asked.into_iter().filter_map(move |(option, text)| {
        let text = text.as_deref()?;
        // No memory at all means all that a node has.
        let mb = megabytes(text).filter(|mb| (1..limit_mb as u64).contains(mb))?;
        Some(format!(
            "{option} {text} is {mb} MB, but limits.memory_mb of the experiment lets a fit use {limit_mb} MB; Slurm would \
             kill a job that does. Give more memory or lower the limit"
        ))
    })
}

/// Workers that are at this run now: what they are at is shared out once more.
fn busy_warning(out: &Path) -> Option<String> {
    // A folder that is no run yet has no workers.
    let (store, _) = Store::open_existing(&RealDisk, out).ok()?;
    let running = status(&store).ok()?.running;
    let workers: BTreeSet<&str> = running.iter().map(|cell| cell.worker.as_str()).collect();
    let first = workers.first()?;
    Some(format!(
        "{} of this run now ({first}{}); fits they have not stored are made twice, which changes no result. To avoid it, \
         wait or cancel them: tailrank status {}",
        count(workers.len(), "worker"),
        if workers.len() == 1 { "" } else { ", …" },
        word(out)
    ))
}

/// Shares of the cells that are not in place. Nothing is created when the folder is not there yet.
fn shares(plan: &Plan, arguments: &SlurmArguments, out: &Path) -> Result<Shares> {
    const TASK_SECONDS: f64 = 900.0;
    const MOST: f64 = 1000.0;
    let stored = match Store::open_existing(&RealDisk, out) {
        Ok((store, _)) => store.finished()?,
        // No run yet, or a damaged one, which the first session puts right.
        Err(_) => Default::default(),
    };
    let left = |key: &_| !stored.contains(key);
    let tasks = match arguments.array_size {
        Some(n) => n as usize,
        None => {
            let all: f64 = Shares::new(plan, left, 1).seconds.iter().sum();
            (all / (TASK_SECONDS * f64::from(arguments.cpus))).ceil().clamp(1.0, MOST) as usize
        }
    };
    Ok(Shares::new(plan, left, tasks))
}

fn jobs(session: &Session, arguments: &SlurmArguments, plan: &Plan, out: &Path) -> Result<Jobs> {
    let program = match (&arguments.program, &session.program[..]) {
        (Some(program), _) => absolute(program)?,
        (None, [program]) => program.into(),
        _ => return usage("say by --program which file starts tailrank on the nodes"),
    };
    let SlurmArguments { partition, time, memory, account, cpus, max_running, sbatch: extra, .. } =
        arguments.clone();
    let SlurmArguments { gather_cpus, gather_time, gather_memory, no_report, .. } = arguments.clone();
    let number = |n: u32| n as usize;
    let (cpus, max_running) = (number(cpus), max_running.map(number));
    let gather =
        GatherOptions { cpus: gather_cpus.map(number), time: gather_time, memory: gather_memory, no_report };
    Ok(Jobs {
        name: plan.experiment.name.clone(),
        program,
        experiment: absolute(&arguments.experiment)?,
        run: out.to_owned(),
        working_folder: std::env::current_dir()?,
        data: session.data.as_ref().map(absolute).transpose()?,
        allow_commands: arguments.allow_commands,
        options: JobOptions { partition, time, memory, account, cpus, max_running, extra, gather },
    })
}

fn summary(shares: &Shares) -> String {
    let longest = seconds(shares.seconds.iter().copied().fold(0.0, f64::max));
    let (groups, tasks) = (count(shares.cells(), "group"), count(shares.len(), "task"));
    let all = seconds(shares.seconds.iter().sum());
    format!("{groups} of fits in {tasks}: about {all} of CPU in all, {longest} in the longest task.")
}

/// Runs the very script a user would; its answer names the jobs.
fn submitted(script: &Path) -> Result<String> {
    let output = Command::new("sh").arg(script).output();
    let output = output.map_err(|e| Failure::Other(format!("cannot run sh {}: {e}", script.display())))?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(format!("Submitted: {}", said(&output.stdout)));
    }
    Err(Failure::Other(format!("sh {} failed: {}", script.display(), said(&output.stderr))))
}
