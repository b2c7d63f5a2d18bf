//! Another process of this program: what it writes, and its end, which comes in any case.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use burnside::Cancel;

/// How often a running process is looked at.
const GLANCE: Duration = Duration::from_millis(3);
/// So much of the end of its errors is kept: a model may print without end.
const MOST_ERRORS: usize = 1 << 16;

/// How a process ended.
pub struct Ended {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Whether that was for taking too long.
    pub too_long: bool,
    /// Its standard output.
    pub output: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub errors: String,
}

/// Runs this program with arguments and an input, for at most so long, or until that is cancelled.
pub fn run(arguments: &[String], input: &[u8], patience: Duration, cancel: Cancel) -> Result<Ended, String> {
    let cannot = |error: std::io::Error| format!("cannot start another process of this program: {error}");
    let mut child = Command::new(std::env::current_exe().map_err(cannot)?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // It may end before it has read all.
        scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(input)));
        let output = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = stdout.map(|mut pipe| pipe.read_to_end(&mut bytes));
            bytes
        });
        let errors = scope.spawn(move || stderr.map(end_of).unwrap_or_default());
        let (status, too_long) = wait(&mut child, patience, cancel);
        Ok(Ended {
            code: status.map_err(cannot)?.code(),
            too_long,
            output: output.join().unwrap_or_default(),
            errors: String::from_utf8_lossy(&errors.join().unwrap_or_default()).into_owned(),
        })
    })
}

fn wait(child: &mut Child, patience: Duration, cancel: Cancel) -> (std::io::Result<ExitStatus>, bool) {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return (Ok(status), false),
            Ok(None) if begun.elapsed() > patience || cancel.reason().is_some() => {
                let _ = child.kill();
                return (child.wait(), true);
            }
            Ok(None) => std::thread::sleep(GLANCE),
            Err(error) => return (Err(error), false),
        }
    }
}

/// Reads to the end, and keeps the last of it.
fn end_of(mut pipe: impl Read) -> Vec<u8> {
    let (mut kept, mut buffer) = (Vec::new(), vec![0; MOST_ERRORS]);
    while let Ok(read @ 1..) = pipe.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..read]);
        let surplus = kept.len().saturating_sub(MOST_ERRORS);
        kept.drain(..surplus);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept() {
        let text = "x".repeat(3 * MOST_ERRORS) + "the end";
        let kept = end_of(text.as_bytes());
        assert_eq!(kept.len(), MOST_ERRORS);
        assert!(kept.ends_with(b"xthe end"));
    }
}
