//! Programs that fit for us: started in a group of their own, listened to, stopped with all they started.

use std::{
    fmt::Write as _,
    io::Read,
    process::{Child, Command},
    thread,
};

/// Reads the program's complaints while it runs, so that a full pipe cannot block it; keeps the last 4 KiB.
pub(crate) fn collect_stderr(child: &mut Child) -> thread::JoinHandle<String> {
    let pipe = child.stderr.take();
    thread::spawn(move || {
        let mut kept: Vec<u8> = Vec::new();
        let mut buffer = [0u8; 4096];
        if let Some(mut pipe) = pipe {
            while let Ok(n @ 1..) = pipe.read(&mut buffer) {
                kept.extend_from_slice(&buffer[..n]);
                let surplus = kept.len().saturating_sub(4096);
                kept.drain(..surplus);
            }
        }
        String::from_utf8_lossy(&kept).into_owned()
    })
}

pub(crate) fn last_lines(said: &str) -> String {
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

pub(crate) fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGKILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
