//! Runs many jobs on few threads: longest first, within a memory limit, each with a deadline, none able to
//! end the rest.
//!
//! A job has a thread to itself, not a place in a thread pool. A pool's worker that waits for nested work may
//! start another job in the meantime, which would count against the first one's deadline; and a job that
//! hangs would take the worker with it for good. Here a hanging job costs its own thread only, and a thread
//! whose job returned takes the next one. Nested parallelism inside a job goes to rayon's global pool, which
//! the program sizes to the same number of threads.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use tailrank_experiment::threads::STACK;
use tailrank_models::Cancel;

use super::work_clock::{TICK, WorkClock};
use crate::{EngineError, Result};

/// What the scheduler knows of a job.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Forecast of CPU seconds: the longest start first.
    pub seconds: f64,
    /// Forecast of memory.
    pub bytes: usize,
}

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
    /// Job number … ended, after so long.
    Ended(usize, JobEnd<T>, Duration),
}

/// What a job does: given its number and the token that tells it to stop.
pub type Work<T> = Arc<dyn Fn(usize, &Cancel) -> T + Send + Sync>;

/// Runs every job and tells `on_step` of each start and end, on the calling thread.
///
/// # Errors
/// `Interrupted` once `cancel` fires and the running jobs have stopped or were given up; or the first error
/// of `on_step`, which fires `cancel` itself.
pub fn run_jobs<T: Send + 'static>(
    jobs: &[Job],
    capacity: &Capacity,
    cancel: &Cancel,
    work: Work<T>,
    mut on_step: impl FnMut(Step<T>) -> Result<()>,
) -> Result<()> {
    let mut waiting: Vec<usize> = (0..jobs.len()).collect();
    // Longest first, so that the last to finish is a short one; reversed, because jobs are taken from the
    // end.
    waiting.sort_by(|&a, &b| jobs[a].seconds.total_cmp(&jobs[b].seconds).then(b.cmp(&a)));
    let mut running: Vec<Running> = Vec::new();
    let (sender, receiver) = mpsc::channel::<(usize, JobEnd<T>)>();
    let mut threads = Threads { work, ends: sender, idle: Vec::new() };
    let mut failure: Option<EngineError> = None;
    let mut clock = WorkClock::new();

    loop {
        while failure.is_none() && !cancel.is_cancelled() && running.len() < capacity.jobs.max(1) {
            let used: usize = running.iter().map(|r| jobs[r.job].bytes).sum();
            let fits =
                |&j: &usize| running.is_empty() || used.saturating_add(jobs[j].bytes) <= capacity.bytes;
            let Some(place) = waiting.iter().rposition(fits) else { break };
            let job = waiting.remove(place);
            if let Err(e) = on_step(Step::Started(job)) {
                failure = Some(e);
                break;
            }
            let (now, stop) = (clock.look(), Cancel::default());
            match threads.start(job, &stop) {
                Ok(thread) => running.push(Running {
                    job,
                    started: now,
                    deadline: capacity.timeout.map(|t| now.saturating_add(t)),
                    stop,
                    thread,
                }),
                Err(e) => failure = Some(e),
            }
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
        let ended = match receiver.recv_timeout(next_wake(&running, now, capacity.grace)) {
            Ok(ended) => Some(ended),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                overdue(&running, clock.look(), capacity.grace)
            }
        };
        // A job given up as hung may still answer later; nobody waits for it then.
        let Some((job, end)) = ended else { continue };
        let Some(place) = running.iter().position(|r| r.job == job) else { continue };
        let ended = running.remove(place);
        let elapsed = clock.look().saturating_sub(ended.started);
        // What a panic left behind on its thread, or a job that was given up, meets no other job.
        if matches!(end, JobEnd::Done(_)) {
            threads.idle.push(ended.thread);
        }
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
    /// When it is asked to stop.
    deadline: Option<Duration>,
    /// Asks it. Only the scheduler looks at the clock: a fit that goes on after a suspension would find its
    /// deadline passed before anyone could put it off.
    stop: Cancel,
    thread: Thread,
}

impl Running {
    /// When it is given up. Without this, one deaf fit would hold an interrupt for good.
    fn give_up(&self, grace: Duration) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_add(grace))
    }
}

/// A thread that takes one job after the other, and ends once nobody can give it any.
type Thread = mpsc::Sender<(usize, Cancel)>;

/// The threads of a run.
struct Threads<T> {
    work: Work<T>,
    ends: mpsc::Sender<(usize, JobEnd<T>)>,
    /// Those without a job.
    idle: Vec<Thread>,
}

impl<T: Send + 'static> Threads<T> {
    /// Starts a job on an idle thread, or on a new one.
    fn start(&mut self, job: usize, stop: &Cancel) -> Result<Thread> {
        let thread = match self.idle.pop() {
            Some(thread) => thread,
            None => self.spawn(job)?,
        };
        thread.send((job, stop.clone())).map_err(|e| EngineError::internal("cells", e))?;
        Ok(thread)
    }

    /// A new thread, named after its first job.
    fn spawn(&self, job: usize) -> Result<Thread> {
        let (thread, orders) = mpsc::channel::<(usize, Cancel)>();
        let (work, ends) = (Arc::clone(&self.work), self.ends.clone());
        thread::Builder::new()
            .name(format!("cell-{job}"))
            .stack_size(STACK)
            .spawn(move || {
                for (job, stop) in orders {
                    let end = match catch_unwind(AssertUnwindSafe(|| work(job, &stop))) {
                        Ok(value) => JobEnd::Done(value),
                        Err(payload) => JobEnd::Panicked(panic_text(&*payload)),
                    };
                    // The receiver is gone only when this job was given up.
                    if ends.send((job, end)).is_err() {
                        return;
                    }
                }
            })
            .map_err(|e| EngineError::no_thread("a fit", &e))?;
        Ok(thread)
    }
}

/// Wakes at the next moment a job must be stopped or given up, and often enough for the clock and for an
/// interrupt.
fn next_wake(running: &[Running], now: Duration, grace: Duration) -> Duration {
    running
        .iter()
        .filter_map(|r| if r.stop.is_cancelled() { r.give_up(grace) } else { r.deadline })
        .map(|moment| moment.saturating_sub(now))
        .fold(TICK, Duration::min)
}

fn overdue<T>(running: &[Running], now: Duration, grace: Duration) -> Option<(usize, JobEnd<T>)> {
    running.iter().find(|r| r.give_up(grace).is_some_and(|g| g <= now)).map(|r| (r.job, JobEnd::Hung))
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
    use std::{sync::Mutex, time::Instant};

    use super::*;

    fn capacity(jobs: usize) -> Capacity {
        Capacity { jobs, bytes: 100, timeout: None, grace: Duration::from_millis(20) }
    }

    fn job(seconds: f64, bytes: usize) -> Job {
        Job { seconds, bytes }
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
        jobs: &[Job],
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
