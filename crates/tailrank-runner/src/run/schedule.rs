//! Runs many jobs on few threads: longest first, within a memory limit, each with a deadline, none able to
//! end the rest.
//!
//! A job has a thread to itself, not a place in a thread pool. A pool's worker that waits for nested work may
//! start another job in the meantime, which would count against the first one's deadline; and a job that
//! hangs would take the worker with it for good. Here a hanging job costs its own thread only. Nested
//! parallelism inside a job goes to rayon's global pool, which the program sizes to the same number of
//! threads.

use std::{any::Any, sync::mpsc};

use tailrank_experiment::threads::STACK;

use super::*;

/// How a job ended.
#[derive(Clone, Debug, PartialEq)]
pub enum JobEnd<T> {
    /// It returned.
    Done(T),
    /// It panicked, with this message.
    Panicked(String),
    /// It passed its deadline and did not stop when asked.
    Hung,
}

/// What all jobs share.
#[derive(Clone, Debug)]
pub struct Capacity {
    /// Jobs at the same time.
    pub jobs: usize,
    /// Memory for all running jobs together. A job that needs more runs alone.
    pub bytes: usize,
    /// Time at work a job may take; the time for which the process was suspended does not count.
    pub timeout: Option<Duration>,
    /// Time a job gets to notice that it should stop, before it is given up.
    pub grace: Duration,
}

/// Something the scheduler tells while it works.
#[derive(Debug)]
pub enum Step<T> {
    /// Job number … starts.
    Started(usize),
    /// Some time has passed.
    Waiting,
    /// Job number … ended, after so long.
    Ended(usize, JobEnd<T>, Duration),
}

/// What a job does: given its number and the token that tells it to stop.
pub type Work<T> = Arc<dyn Fn(usize, &Cancel) -> T + Send + Sync>;

/// Runs every job, of which the forecast is known, and tells `on_step` of each start and end, on the calling
/// thread.
///
/// # Errors
/// `Interrupted` once `cancel` fires and the running jobs have stopped or were given up; or the first error
/// of `on_step`, which fires `cancel` itself.
pub fn run_jobs<T: Send + 'static>(
    jobs: &[Cost],
    capacity: &Capacity,
    cancel: &Cancel,
    work: Work<T>,
    mut on_step: impl FnMut(Step<T>) -> Result<()>,
) -> Result<()> {
    let mut waiting: Vec<usize> = (0..jobs.len()).collect();
    // Longest first, so that the last to finish is a short one; reversed, because jobs are taken from the
    // end.
    waiting.sort_by(|&a, &b| jobs[a].cpu_seconds.total_cmp(&jobs[b].cpu_seconds).then(b.cmp(&a)));
    let mut running: Vec<Running> = Vec::new();
    let (sender, receiver) = mpsc::channel::<(usize, JobEnd<T>)>();
    // Starts a job on a thread of its own.
    let start = |job: usize, stop: Cancel| {
        let (work, ends) = (Arc::clone(&work), sender.clone());
        let run = move || {
            let end = catch_unwind(AssertUnwindSafe(|| work(job, &stop)));
            let end = end.map_or_else(|payload| JobEnd::Panicked(panic_text(&*payload)), JobEnd::Done);
            // The receiver is gone only when this job was given up.
            let _ = ends.send((job, end));
        };
        let spawned = thread::Builder::new().name(format!("cell-{job}")).stack_size(STACK).spawn(run);
        spawned.map(drop).map_err(|e| EngineError::no_thread("a fit", &e))
    };
    let mut failure: Option<EngineError> = None;
    let mut clock = WorkClock::new();

    loop {
        while failure.is_none() && !cancel.is_cancelled() && running.len() < capacity.jobs.max(1) {
            let used: usize = running.iter().map(|r| jobs[r.job].bytes).sum();
            let fits =
                |&j: &usize| running.is_empty() || used.saturating_add(jobs[j].bytes) <= capacity.bytes;
            let Some(place) = waiting.iter().rposition(fits) else { break };
            let job = waiting.remove(place);
            let (started, stop) = (clock.look(), Cancel::default());
            let deadline = capacity.timeout.map(|t| started.saturating_add(t));
            match on_step(Step::Started(job)).and_then(|()| start(job, stop.clone())) {
                Ok(()) => running.push(Running { job, started, deadline, stop }),
                Err(e) => failure = Some(e),
            }
        }
        if let Err(e) = on_step(Step::Waiting) {
            failure.get_or_insert(e);
        }
        if failure.is_some() {
            cancel.cancel();
        }
        let now = clock.look();
        for job in &mut running {
            if cancel.is_cancelled() {
                job.deadline = Some(job.deadline.map_or(now, |d| d.min(now)));
            }
            if job.deadline.is_some_and(|d| d <= now) {
                job.stop.cancel();
            }
        }
        if running.is_empty() {
            break;
        }
        let ended = receiver.recv_timeout(TICK).ok().or_else(|| {
            let now = clock.look();
            let is_overdue =
                |r: &&Running| r.deadline.is_some_and(|d| d.saturating_add(capacity.grace) <= now);
            running.iter().find(is_overdue).map(|r| (r.job, JobEnd::Hung))
        });
        // A job given up as hung may still answer later; nobody waits for it then.
        let Some((job, end)) = ended else { continue };
        let Some(place) = running.iter().position(|r| r.job == job) else { continue };
        let ended = running.remove(place);
        let elapsed = clock.look().saturating_sub(ended.started);
        if let Err(e) = on_step(Step::Ended(job, end, elapsed)) {
            failure.get_or_insert(e);
        }
    }
    match failure {
        Some(e) => Err(e),
        None if waiting.is_empty() => Ok(()),
        None => Err(EngineError::Interrupted),
    }
}

/// A job at work; times are the scheduler's [`WorkClock`].
struct Running {
    job: usize,
    started: Duration,
    /// When it is asked to stop; a grace later it is given up, so that a deaf fit holds no interrupt for
    /// good.
    deadline: Option<Duration>,
    /// Asks it. Only the scheduler looks at the clock: a fit that goes on after a suspension would find its
    /// deadline passed before anyone could put it off.
    stop: Cancel,
}

pub(super) fn panic_text(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panicked without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn capacity(jobs: usize) -> Capacity {
        Capacity { jobs, bytes: 100, timeout: None, grace: Duration::from_millis(20) }
    }

    fn job(cpu_seconds: f64, bytes: usize) -> Cost {
        Cost { cpu_seconds, bytes }
    }

    fn ends(steps: &[Step<usize>]) -> Vec<(usize, JobEnd<usize>)> {
        let mut list: Vec<_> = steps
            .iter()
            .filter_map(|s| match s {
                Step::Ended(j, end, _) => Some((*j, end.clone())),
                _ => None,
            })
            .collect();
        list.sort_by_key(|(j, _)| *j);
        list
    }

    fn run(
        jobs: &[Cost],
        capacity: &Capacity,
        work: impl Fn(usize, &Cancel) -> usize + Send + Sync + 'static,
    ) -> Vec<Step<usize>> {
        let mut steps = Vec::new();
        run_jobs(jobs, capacity, &Cancel::default(), Arc::new(work), |s| {
            steps.push(s);
            Ok(())
        })
        .unwrap();
        steps
    }

    #[test]
    fn the_longest_start_first() {
        let jobs = [job(1.0, 1), job(3.0, 1), job(2.0, 1), job(3.0, 1)];
        let steps = run(&jobs, &capacity(1), |j, _| j);
        let order: Vec<usize> =
            steps.iter().filter_map(|s| if let Step::Started(j) = s { Some(*j) } else { None }).collect();
        assert_eq!(order, [1, 3, 2, 0]);
    }

    #[test]
    fn memory_is_never_exceeded_and_a_large_job_runs_alone() {
        let jobs = [job(1.0, 60), job(1.0, 60), job(1.0, 30), job(1.0, 500), job(1.0, 40)];
        let used = Arc::new(Mutex::new((0usize, Vec::new())));
        let seen = Arc::clone(&used);
        let steps = run(&jobs, &capacity(4), move |j, _| {
            {
                let mut u = seen.lock().unwrap();
                u.0 += jobs[j].bytes;
                let now = u.0;
                u.1.push((j, now));
            }
            thread::sleep(Duration::from_millis(5));
            seen.lock().unwrap().0 -= jobs[j].bytes;
            j
        });
        assert_eq!(ends(&steps).len(), 5);
        for (j, bytes) in &used.lock().unwrap().1 {
            assert!(*bytes <= 100 || (*j == 3 && *bytes == 500), "{j} ran with {bytes} bytes in use");
        }
    }

    #[test]
    fn a_panic_and_a_hang_end_alone() {
        let limits = Capacity {
            // Long enough for the job beside the hanging one to get its turn on a busy machine.
            timeout: Some(Duration::from_secs(1)),
            grace: Duration::from_secs(1),
            ..capacity(2)
        };
        let steps = run(&[job(1.0, 1); 3], &limits, |j, _| match j {
            0 => std::panic::panic_any("boom".to_owned()),
            1 => loop {
                thread::sleep(Duration::from_secs(1));
            },
            _ => j,
        });
        assert_eq!(
            ends(&steps),
            [(0, JobEnd::Panicked("boom".to_owned())), (1, JobEnd::Hung), (2, JobEnd::Done(2))]
        );
    }

    #[test]
    fn a_job_that_stops_when_asked_is_not_hung() {
        let limits = Capacity {
            timeout: Some(Duration::from_millis(10)),
            grace: Duration::from_secs(60),
            ..capacity(1)
        };
        let steps = run(&[job(1.0, 1)], &limits, |_, cancel| {
            while !cancel.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            22
        });
        assert_eq!(ends(&steps), [(0, JobEnd::Done(22))]);
    }

    #[test]
    fn an_interrupt_lets_running_jobs_end_and_starts_no_other() {
        let cancel = Cancel::default();
        let stop = cancel.clone();
        let mut ended = Vec::new();
        let result = run_jobs(&[job(1.0, 1); 10], &capacity(2), &cancel, Arc::new(|j, _: &Cancel| j), |s| {
            if let Step::Ended(j, ..) = s {
                stop.cancel();
                ended.push(j);
            }
            Ok(())
        });
        assert!(matches!(result, Err(EngineError::Interrupted)));
        assert!(ended.len() <= 2, "{ended:?}");
    }

    #[test]
    fn an_interrupt_does_not_wait_for_a_deaf_job() {
        let cancel = Cancel::default();
        let stop = cancel.clone();
        let started = Instant::now();
        let deaf = Arc::new(|_: usize, _: &Cancel| thread::sleep(Duration::from_secs(600)));
        let mut ends = Vec::new();
        let result = run_jobs(&[job(1.0, 1); 3], &capacity(2), &cancel, deaf, |s| {
            match s {
                Step::Waiting => {}
                Step::Started(_) => stop.cancel(),
                Step::Ended(_, end, _) => ends.push(end),
            }
            Ok(())
        });
        assert!(matches!(result, Err(EngineError::Interrupted)));
        assert_eq!(ends, [JobEnd::Hung]);
        assert!(started.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_failing_sink_stops_the_run_with_its_error() {
        let result = run_jobs(
            &[job(1.0, 1); 10],
            &capacity(2),
            &Cancel::default(),
            Arc::new(|j, _: &Cancel| j),
            |s| match s {
                Step::Ended(..) => Err(EngineError::internal("test", "disk full")),
                _ => Ok(()),
            },
        );
        assert!(matches!(result, Err(EngineError::Internal { .. })));
    }
}
