//! Checks a file and lists its properties, with the first counterexample of each.
//!
//! ```sh
//! cargo run --release --example check -- models/murphi/peterson.m
//! ```

use std::error::Error;

use burnside::report::TraceMode;
use burnside::{Options, Source, check};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: check MODEL")?;
    let source = Source::from_bytes(path.clone(), &std::fs::read(&path)?).map_err(|error| error.message)?;
    let report = check(&source, &Options::default())?;
    for property in &report.properties {
        println!("{:<8} {}", property.verdict.name(), property.name);
        if let Some(violation) = property.violations.first() {
            println!("{}\n{}", violation.message, violation.trace.text(TraceMode::Diff));
        }
    }
    println!("{} states, {} of order {}", report.states, report.symmetry.structure, report.symmetry.order);
    Ok(())
}
