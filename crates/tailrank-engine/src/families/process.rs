//! Programs that fit for us: started in a group of their own, listened to, stopped with all they started.

use std::{
    fmt::Write as _,
    io::{self, Read},
    mem,
    process::{Child, Command, ExitStatus},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

/// What a program says on a pipe, read while it runs, so that a full pipe cannot block it.
pub(crate) struct Listener {
    heard: Arc<Mutex<Vec<u8>>>,
    closed: mpsc::Receiver<()>,
}

impl Listener {
    /// Listens to a pipe; keeps the last `most` bytes.
    pub(crate) fn new(pipe: Option<impl Read + Send + 'static>, most: usize) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (close, closed) = mpsc::channel();
        let kept = Arc::clone(&heard);
        thread::spawn(move || {
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
        });
        Self { heard, closed }
    }

    /// What was said. The program has ended, but something it left behind may hold the pipe open for good: it is waited
    /// for so long only.
    pub(crate) fn heard(self, patience: Duration) -> Vec<u8> {
        let _ = self.closed.recv_timeout(patience);
        mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Listens to a program's complaints: the last 4 KiB.
pub(crate) fn complaints_of(child: &mut Child) -> Listener {
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

/// How the program ended, if it has; what it left behind in its group is ended too.
pub(crate) fn ended(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        let Some(pid) = pid_of(child) else { return child.try_wait() };
        // Looked at without being collected: until then its number, which names the group, is given to nobody else.
        match waitid(Id::Pid(pid), flags) {
            Ok(WaitStatus::StillAlive) => return Ok(None),
            _ => end_group(child),
        }
    }
    child.try_wait()
}

/// Ends the program and everything in its group.
pub(crate) fn stop(child: &mut Child) {
    end_group(child);
    let _ = child.kill();
    let _ = child.wait();
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
