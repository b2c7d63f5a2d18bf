//! One row per value of a constant: how many orbits stand for how many states.
//!
//! ```sh
//! cargo run --release --example sweep
//! ```

use burnside::{Options, Source, check};

const MODEL: &str = r#"
    const N : 2;
    type Process : scalarset(N); Place : enum { Idle, Trying, Critical };
    var at : array [Process] of Place;
    startstate for i : Process do at[i] := Idle; end; end;
    ruleset i : Process do
      rule "try" at[i] = Idle ==> at[i] := Trying; end;
      rule "enter" at[i] = Trying & forall j : Process do at[j] != Critical end ==> at[i] := Critical; end;
      rule "leave" at[i] = Critical ==> at[i] := Idle; end;
    end;
    invariant "mutual exclusion"
      forall i : Process do forall j : Process do at[i] = Critical & at[j] = Critical -> i = j end end;
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = Source::new("mutex.m", MODEL);
    println!("{:>3} {:>8} {:>10}  verdict", "N", "orbits", "states");
    for n in 2..=10 {
        let constants = vec![("N".to_owned(), n.to_string())];
        let report = check(&source, &Options { constants, ..Options::default() })?;
        let full = report.full_states.map_or_else(String::new, |states| states.to_string());
        println!("{n:>3} {:>8} {full:>10}  {}", report.states, report.verdict.name());
    }
    Ok(())
}
