//! Programs that fit for us: started in a group of their own, listened to, stopped with all they started.

use std::{
    fmt::Write as _,
    io::{self, Read},
    mem,
    process::{Child, Command, ExitStatus},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use tailrank_experiment::threads::SMALL_STACK;

/// What a program says on a pipe, read while it runs, so that a full pipe cannot block it.
pub(crate) struct Listener {
    heard: Arc<Mutex<Vec<u8>>>,
    closed: mpsc::Receiver<()>,
}

impl Listener {
    /// Listens to a pipe; keeps the last `most` bytes.
    ///
    /// # Errors
    /// When no thread can be started to listen.
    pub(crate) fn new(pipe: Option<impl Read + Send + 'static>, most: usize) -> io::Result<Self> {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (close, closed) = mpsc::channel();
        let kept = Arc::clone(&heard);
        thread::Builder::new().name("listener".to_owned()).stack_size(SMALL_STACK).spawn(move || {
            let mut buffer = [0u8; 1 << 14];
            if let Some(mut pipe) = pipe {
                while let Ok(n @ 1..) = pipe.read(&mut buffer) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend_from_slice(&buffer[..n]);
                    let surplus = kept.len().saturating_sub(most);
                    kept.drain(..surplus);
                }
            }
            drop(close);
        })?;
        Ok(Self { heard, closed })
    }

    /// What was said. The program has ended, but something it left behind may hold the pipe open for good: it
    /// is waited for so long only.
    pub(crate) fn heard(self, patience: Duration) -> Vec<u8> {
        let _ = self.closed.recv_timeout(patience);
        mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Listens to a program's complaints: the last 4 KiB.
pub(crate) fn complaints_of(child: &mut Child) -> io::Result<Listener> {
    Listener::new(child.stderr.take(), 4096)
}

/// The last lines of a program's complaints, for a message.
pub(crate) fn last_lines(complaints: Listener) -> String {
    let said = complaints.heard(Duration::from_secs(1));
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().filter(|l| !l.trim().is_empty()).collect();
    let mut text = String::new();
    for line in lines.iter().skip(lines.len().saturating_sub(3)) {
        let _ = write!(text, "; {}", line.trim());
    }
    text
}

/// Puts the program into a process group of its own, so that what it starts can be stopped with it.
pub(crate) fn own_process_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Waits for the program and ends what it left behind in its group; none where `is_over` said first that it
/// is to be stopped.
pub(crate) fn wait(
    child: &mut Child,
    is_supervised: bool,
    mut is_over: impl FnMut() -> bool,
) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            // As long as anything is left in the group, its number is given to no other.
            end_group(child);
            return Ok(Some(status));
        }
        if is_over() {
            stop(child, is_supervised);
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Ends the program and everything in its group. A supervisor is told first, by closing its pipe, and given a
/// moment: it alone can find what left the group.
pub(crate) fn stop(child: &mut Child, supervised: bool) {
    drop(child.stdin.take());
    if supervised {
        let told = Instant::now();
        while told.elapsed() < Duration::from_secs(2) && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(2));
        }
    }
    end_group(child);
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether `is_stopped` within a moment: a signal to all processes of a run may reach a program before us.
pub(crate) fn fires_soon(patience: Duration, is_stopped: impl Fn() -> bool) -> bool {
    let ended = Instant::now();
    while !is_stopped() && ended.elapsed() < patience {
        thread::sleep(Duration::from_millis(5));
    }
    is_stopped()
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
        let mut stops = SigSet::empty();
        for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
            stops.add(signal);
        }
        let _ = stops.thread_block();
    }
}

fn end_group(child: &Child) {
    #[cfg(unix)]
    if let Some(pid) = pid_of(child) {
        let _ = nix::sys::signal::killpg(pid, nix::sys::signal::Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = child;
}

#[cfg(unix)]
fn pid_of(child: &Child) -> Option<nix::unistd::Pid> {
    i32::try_from(child.id()).ok().map(nix::unistd::Pid::from_raw)
}
