//! A report in the form in which rumur's checker prints its findings, so that the regular expressions of its test suite
//! can be applied to our content.

use std::fmt::Write;

use burnside::Report;
use burnside::Verdict;
use burnside::report::Firing;

/// The transcript of a check; `printed` is what the model itself printed.
pub fn transcript(report: &Report, printed: &str) -> String {
    let mut text = printed.to_owned();
    for property in &report.properties {
        let name = if property.named { format!("\"{}\"", property.name) } else { number(&property.name) };
        match (property.kind.name(), property.covered) {
            ("cover", Some(0)) => _ = writeln!(text, "\tcover {name} not hit"),
            ("cover", Some(count)) => _ = writeln!(text, "\tcover {name} hit {count} times"),
            ("liveness", _) if property.verdict == Verdict::Violated => {
                _ = writeln!(text, "liveness property {name} violated");
            }
            ("invariant", _) if property.verdict == Verdict::Violated => {
                _ = writeln!(text, "invariant {name} failed");
            }
            _ => {}
        }
        for violation in &property.violations {
            _ = writeln!(text, "{}", violation.message);
            for step in &violation.trace.steps {
                _ = writeln!(text, "{} fired.", firing(&step.firing));
                if step.firing.start {
                    for (name, value) in &step.state {
                        _ = writeln!(text, "{name}:{value}");
                    }
                }
                for change in &step.changed {
                    let value = change.to.as_ref().map(ToString::to_string).unwrap_or_default();
                    _ = writeln!(text, "{}:{value}", change.name);
                }
                text.push_str("----------\n\n");
            }
            if let Some(failing) = &violation.trace.failing {
                _ = writeln!(text, "{} fired.\n", firing(failing));
            }
            text.push_str("End of the error trace.\n");
        }
    }
    _ = writeln!(text, "\t{} states", report.states);
    text
}

/// `rule 3` is number 3.
fn number(name: &str) -> String {
    name.rsplit(' ').next().unwrap_or(name).to_owned()
}

fn firing(firing: &Firing) -> String {
    let kind = if firing.start { "Startstate" } else { "Rule" };
    let name = if firing.named { format!("\"{}\"", firing.rule) } else { number(&firing.rule) };
    let mut text = format!("{kind} {name}");
    for (name, value) in &firing.parameters {
        _ = write!(text, ", {name}: {value}");
    }
    text
}
