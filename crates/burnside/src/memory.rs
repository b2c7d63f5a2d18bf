//! What this computer has: how much memory there is and how much was used.

/// The memory a check may take by default: four fifths of what the computer, or the container, has.
pub fn default_memory_limit() -> Option<u64> {
    let physical = field("/proc/meminfo", "MemTotal:");
    let container =
        std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|max| max.trim().parse().ok());
    let total = match (physical, container) {
        (Some(physical), Some(container)) => physical.min(container),
        (physical, container) => physical.or(container)?,
    };
    Some(total / 5 * 4)
}

/// The most memory this process has had so far.
pub(crate) fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// The memory this process has now.
pub fn resident_memory() -> Option<u64> {
    field("/proc/self/status", "VmRSS:")
}

/// A figure in kilobytes of a file of the kernel's, as bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
