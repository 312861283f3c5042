// Taken in by `include!` where a test must not take a multiple of the time as its input grows.

/// Seconds that this thread has spent on a processor, however busy the machine is; none where the system does
/// not tell.
fn cpu_seconds() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(told.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
