//! Programs that fit for us: started in a group of their own, listened to, stopped with all they started.

use std::{
    sync::{Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::Instant,
};

use tailrank_experiment::threads::SMALL_STACK;

use super::*;

/// What a program says on a pipe, read while it runs, so that a full pipe cannot block it.
struct Listener {
    heard: Arc<Mutex<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    /// Listens to a pipe, if there is one; keeps the last `most` bytes.
    ///
    /// # Errors
    /// When no thread can be started to listen.
    fn new<P: Read + Send + 'static>(pipe: Option<P>, most: usize) -> io::Result<Self> {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        let listen = |mut pipe: P| {
            spawn("listener", move || {
                let mut buffer = [0u8; 1 << 14];
                while let Ok(n @ 1..) = pipe.read(&mut buffer) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend_from_slice(&buffer[..n]);
                    let surplus = kept.len().saturating_sub(most);
                    kept.drain(..surplus);
                }
            })
        };
        Ok(Self { heard, thread: pipe.map(listen).transpose()? })
    }

    /// What was said. The program has ended, but something it left behind may hold the pipe open for good: it
    /// is waited for so long only.
    fn heard(&self, patience: Duration) -> Vec<u8> {
        fires_soon(patience, || self.thread.as_ref().is_none_or(JoinHandle::is_finished));
        std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Starts a thread that does little.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).stack_size(SMALL_STACK).spawn(work)
}

/// Waits until a pipe that another process holds open is closed.
pub(crate) fn wait_until_closed(mut pipe: impl Read) {
    let mut buffer = [0; 64];
    while matches!(pipe.read(&mut buffer), Ok(1..)) {}
}

/// A program that has ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    complaints: Listener,
    answer: Listener,
}

impl Ended {
    /// The last lines of what it complained, for a message.
    pub(crate) fn last_lines(&self) -> String {
        let said = self.complaints.heard(Duration::from_secs(1));
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        lines.iter().skip(lines.len().saturating_sub(3)).map(|line| format!("; {line}")).collect()
    }

    /// What it wrote on its standard output: all of it is in the pipe, but on a busy machine the listener may
    /// need its time.
    pub(crate) fn answer(&self) -> Vec<u8> {
        self.answer.heard(Duration::from_secs(60))
    }
}

/// Puts the program into a process group of its own, so that what it starts can be stopped with it.
pub(crate) fn own_process_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Listens to a program, called `name` in messages, until it ends, and ends what it left behind in its group;
/// none where `is_over` said first that it is to be stopped.
pub(crate) fn attend(
    mut child: Child,
    name: &str,
    is_supervised: bool,
    mut is_over: impl FnMut() -> bool,
) -> Result<Option<Ended>, String> {
    // The last 4 KiB of complaints, and all of an answer.
    let complaints = Listener::new(child.stderr.take(), 4096);
    let listeners = complaints.and_then(|c| Ok((c, Listener::new(child.stdout.take(), usize::MAX)?)));
    let (complaints, answer) = listeners.map_err(|e| {
        stop(&mut child, is_supervised);
        format!("cannot listen to {name}: {e}")
    })?;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("cannot wait for {name}: {e}"))? {
            // As long as anything is left in the group, its number is given to no other.
            end_group(&child);
            return Ok(Some(Ended { status, complaints, answer }));
        }
        if is_over() {
            stop(&mut child, is_supervised);
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Ends the program and everything in its group. A supervisor is told first, by closing its pipe, and given a
/// moment: it alone can find what left the group.
fn stop(child: &mut Child, is_supervised: bool) {
    drop(child.stdin.take());
    if is_supervised {
        fires_soon(Duration::from_secs(2), || !matches!(child.try_wait(), Ok(None)));
    }
    end_group(child);
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether something happens within a moment, such as that the run is stopped: a signal to all its processes
/// may reach a program before us.
pub(crate) fn fires_soon(patience: Duration, mut has_happened: impl FnMut() -> bool) -> bool {
    let asked = Instant::now();
    while !has_happened() {
        if asked.elapsed() >= patience {
            return false;
        }
        thread::sleep(Duration::from_millis(2));
    }
    true
}

/// The signal that ended a program, if one did.
#[cfg(unix)]
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
pub(crate) fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// Keeps this process, and those it starts, from dumping their memory, and holds them to so much of it.
pub(crate) fn limit_memory(mb: Option<u64>) -> io::Result<()> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, setrlimit};
        setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
        if let Some(bytes) = mb.map(|mb| mb.saturating_mul(1 << 20)) {
            // Data, not address space: threads reserve far more addresses for their stacks and heaps than
            // they ever use.
            setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?;
        }
    }
    let _ = mb;
    Ok(())
}

/// Whether a signal from outside may have ended a program, as a run is stopped or a machine shut down: TERM,
/// INT, HUP or KILL, or the exit code by which shells and supervisors speak of them.
pub(crate) fn may_have_been_stopped(status: ExitStatus) -> bool {
    const STOPS: [i32; 4] = [1, 2, 9, 15];
    signal_of(status).or_else(|| status.code().map(|code| code - 128)).is_some_and(|n| STOPS.contains(&n))
}

/// Keeps the signals that stop a run from this thread and those it starts: a process of ours ends with its
/// parent, which decides what a signal to all of them means. Programs get them all the same, because the
/// standard library clears the mask for them.
pub(crate) fn leave_stopping_to_the_parent() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let _ = SigSet::from_iter([Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP]).thread_block();
    }
}

fn end_group(child: &Child) {
    #[cfg(unix)]
    if let Ok(pid) = i32::try_from(child.id()) {
        use nix::{sys::signal, unistd::Pid};
        let _ = signal::killpg(Pid::from_raw(pid), signal::Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = child;
}
