//! Running a program and measuring it: processor time and wall time as bash's `time` has them, to the millisecond, and
//! the peak of its resident memory as the kernel reports it while it runs.
//!
//! `timeout` is around it, so that what runs too long is ended with all its children.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a run took, and what it said.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Seconds of processor time, of all threads, in user and in system mode.
    pub cpu: f64,
    /// Seconds on the wall.
    pub wall: f64,
    /// Peak of the resident memory in bytes; 0 if it was over before anyone looked.
    pub peak: u64,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
    /// Its exit code; `None` if it was ended by a signal.
    pub code: Option<i32>,
}

/// Runs a program to its end, or for so many seconds.
pub fn run(program: &[String], seconds: u64) -> Result<Run, String> {
    const SCRIPT: &str = r#"exec 3>&2; TIMEFORMAT="time %3R %3U %3S"; time "$0" "$@" 2>&3 3>&-"#;
    let mut child = Command::new("timeout")
        .args(["--signal=KILL", &seconds.to_string(), "bash", "-c", SCRIPT])
        .args(program)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {program:?}: {error}"))?;
    let (id, mut stdout, mut stderr) = (child.id(), child.stdout.take(), child.stderr.take());
    let read = |pipe: &mut dyn Read| {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let (status, peak, output, errors) = std::thread::scope(|scope| {
        let output = scope.spawn(|| stdout.as_mut().map_or(String::new(), |pipe| read(pipe)));
        let errors = scope.spawn(|| stderr.as_mut().map_or(String::new(), |pipe| read(pipe)));
        let mut peak = 0;
        let status = loop {
            peak = peak.max(resident_peak(id));
            match child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Ok(Some(status)) => break Ok(status),
                Err(error) => break Err(error.to_string()),
            }
        };
        (status, peak, output.join().unwrap_or_default(), errors.join().unwrap_or_default())
    });
    let code = status?.code();
    let line = errors.lines().rev().find_map(|line| line.strip_prefix("time "));
    let times: Vec<f64> = line.into_iter().flat_map(str::split_whitespace).flat_map(str::parse).collect();
    let [wall, user, system] = times[..] else {
        return Err(format!("{} was ended after {seconds} s: {}", program[0], errors.trim()));
    };
    Ok(Run { cpu: user + system, wall, peak, output, errors, code })
}

/// Runs a program to its end, or for so many seconds of processor time: how busy the machine is matters little. What was
/// ended so has no output, and a code above 128.
pub fn run_cpu(program: &[String], seconds: u64) -> Result<Run, String> {
    /// How much longer than its processor time it may take.
    const PATIENCE: u64 = 20;
    let script = format!("ulimit -t {seconds}; exec \"$0\" \"$@\"");
    let mut limited = vec!["bash".to_owned(), "-c".to_owned(), script];
    limited.extend_from_slice(program);
    run(&limited, PATIENCE * seconds + 5)
}

/// The peak of the resident memory of the innermost descendant of a process: not `timeout`, nor the shell.
fn resident_peak(id: u32) -> u64 {
    let (mut id, mut depth) = (id, 0);
    while let Ok(children) = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")) {
        match children.split_whitespace().next().and_then(|child| child.parse().ok()) {
            Some(child) => (id, depth) = (child, depth + 1),
            None => break,
        }
    }
    if depth < 2 {
        return 0;
    }
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The run with the least processor time of several; fails if one does.
pub fn best(times: u32, mut run: impl FnMut() -> Result<Run, String>) -> Result<Run, String> {
    let mut best = run()?;
    for _ in 1..times {
        let next = run()?;
        // The peak is sampled, so the largest sample is the nearest.
        let peak = best.peak.max(next.peak);
        if next.cpu < best.cpu {
            best = next;
        }
        best.peak = peak;
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, seconds: u64) -> Result<Run, String> {
        run(&["sh".to_owned(), "-c".to_owned(), script.to_owned()], seconds)
    }

    #[test]
    fn output_code_and_times() {
        let found = shell("echo said; echo error >&2; sleep 0.2; exit 3", 10).unwrap();
        assert_eq!((found.output.as_str(), found.code), ("said\n", Some(3)));
        assert!(found.wall >= 0.2 && found.cpu < 0.2, "{found:?}");
    }

    #[test]
    fn processor_time_is_limited() {
        let script = |text: &str| ["sh".to_owned(), "-c".to_owned(), text.to_owned()];
        let ended = run_cpu(&script("while :; do :; done"), 1).unwrap();
        assert!(ended.code.is_some_and(|code| code > 128) && ended.cpu < 3.0, "{ended:?}");
        assert_eq!(run_cpu(&script("sleep 1.2"), 1).unwrap().code, Some(0));
    }

    #[test]
    fn what_runs_too_long_is_ended() {
        assert!(shell("sleep 20", 1).is_err());
    }
}
