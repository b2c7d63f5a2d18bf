//! Ends a check from another thread, and watches it meanwhile: what is known by then is in the report.
//!
//! ```sh
//! cargo run --release --example cancel
//! ```

use std::time::Duration;

use burnside::{Cancel, Events, Limit, Limits, Options, Progress, Source, check_with};

const MODEL: &str = r#"
    var a : array [0..11] of 0..15;
    startstate for i : 0..11 do a[i] := 0; end; end;
    ruleset i : 0..10 do rule "step" a[i] := (a[i] + a[i + 1] + i + 1) % 16; end; end;
    rule "first" a[11] := (a[11] + 1) % 16; end;
    invariant "small" a[0] < 16;
"#;

/// Prints how far a check has come.
struct Watch;

impl Events for Watch {
    fn progress(&mut self, progress: &Progress) {
        println!("{} states, depth {}", progress.states, progress.depth);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cancel = Cancel::new();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(2));
        cancel.cancel(Limit::Cancelled);
    });
    let limits = Limits { cancel: Some(cancel), memory: Some(1 << 30), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let report = check_with(&Source::new("endless.m", MODEL), &options, &mut Watch)?;
    println!("{}: {} after {} states", report.model, report.verdict.name(), report.states);
    Ok(())
}
