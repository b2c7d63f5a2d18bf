//! The report as text for a terminal.

use std::fmt::Write;
use std::time::Duration;

use burnside_model::system::PropertyKind;
use burnside_model::{Limit, Verdict};

use crate::{PropertyReport, Report, Sat, Stored, TraceMode, measured};

/// What to show, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// How much of a trace.
    pub trace: TraceMode,
    /// Whether to list how often each rule fired.
    pub rule_stats: bool,
    /// Whether to show the verdict only.
    pub quiet: bool,
    /// Whether to use colours.
    pub color: bool,
}

/// The report as text that ends with a line break.
pub fn render(report: &Report, options: &TextOptions) -> String {
    let mut text = String::new();
    if !options.quiet {
        violations(&mut text, report, options);
        properties(&mut text, report, options);
        figures(&mut text, report);
        if options.rule_stats {
            rules(&mut text, report);
        }
    }
    conclusion(&mut text, report, options);
    text
}

fn paint(verdict: Verdict, text: &str, options: &TextOptions) -> String {
    let code = match verdict {
        _ if !options.color => return text.to_owned(),
        Verdict::Holds => "32",
        Verdict::Violated => "31",
        Verdict::Unknown => "33",
    };
    format!("\x1b[1;{code}m{text}\x1b[0m")
}

/// A property as the author knows it.
fn title(property: &PropertyReport) -> String {
    if let Some(measured) = &property.measured {
        return measured::title(&property.name, measured);
    }
    match property.kind {
        PropertyKind::NoFault => "no error at run time".to_owned(),
        PropertyKind::NoDeadlock => "no deadlock".to_owned(),
        kind if property.named => format!("{} \"{}\"", kind.name(), property.name),
        _ => property.name.clone(),
    }
}

fn violations(text: &mut String, report: &Report, options: &TextOptions) {
    for property in &report.properties {
        if let Some(error) = &property.error {
            let _ = writeln!(text, "{}\n", error.trim_end());
        }
        for violation in property.violations.iter().chain(&property.witness) {
            let _ = writeln!(text, "{}", violation.snippet.trim_end());
            let trace = violation.trace.text(options.trace);
            if !trace.is_empty() {
                let _ = writeln!(text, "\n{trace}");
            }
        }
    }
}

fn properties(text: &mut String, report: &Report, options: &TextOptions) {
    for property in &report.properties {
        let verdict = paint(property.verdict, &format!("{:<8}", property.verdict_name()), options);
        let _ = write!(text, "{verdict}  {}", title(property));
        match (property.covered, property.verdict) {
            (Some(1), _) => text.push_str(" (once)"),
            (Some(times), Verdict::Holds) => {
                let _ = write!(text, " ({} times)", grouped(times.into()));
            }
            (Some(_), Verdict::Violated) => text.push_str(" (never)"),
            _ => {}
        }
        if let Some(reason) = &property.reason {
            let _ = write!(text, " ({reason})");
        }
        text.push('\n');
        if let Some(measured) = &property.measured {
            measured::text(text, measured);
        }
    }
    let unstated = |kind: PropertyKind| matches!(kind, PropertyKind::NoFault | PropertyKind::NoDeadlock);
    let stated = report.properties.iter().any(|p| p.place.is_some() || !unstated(p.kind));
    if !stated && report.limit.is_none() {
        text.push_str("the model states no property: nothing else was checked\n");
    }
    text.push('\n');
}

fn figures(text: &mut String, report: &Report) {
    if let Some(sat) = &report.sat {
        text.push_str(&questions(sat));
    }
    let states = report.states_text.as_deref().map_or_else(|| grouped(report.states.into()), spaced);
    match (report.reduction_factor(), report.full_states) {
        _ if report.stored == Stored::Nothing => {}
        _ if report.stored == Stored::WholeOrbits => {
            let _ = write!(text, "{states} states in whole orbits");
        }
        (Some(factor), Some(full)) => {
            let stand = if report.states == 1 { "stands" } else { "stand" };
            let what = representatives(report);
            let (full, factor) = (grouped(full), times(factor));
            let _ = write!(text, "{states} {what} {stand} for {full} states ({factor} fewer)");
        }
        _ if report.stored != Stored::States => {
            let _ = write!(text, "{states} {}", representatives(report));
        }
        _ => {
            let _ = write!(text, "{states} state{}", if report.states == 1 { "" } else { "s" });
        }
    }
    if let Some(fired) = report.rules_fired {
        let _ = write!(text, ", {} rules fired", grouped(fired.into()));
    }
    if let Some(depth) = report.depth.filter(|_| report.sat.is_none()) {
        let _ = write!(text, ", diameter {depth}");
    }
    if report.sat.is_none() {
        text.push('\n');
    }
    if report.stored != Stored::States && report.symmetry.structure != "trivial" {
        let sure = match (report.symmetry.verified, report.symmetry.derived.as_str()) {
            (false, _) => "not verified",
            (true, _) if report.stored == Stored::AbstractStates => {
                "verified for each rule as far as it goes"
            }
            (true, "declared") => "verified",
            (true, "claimed") => "claimed and verified",
            (true, _) => "detected and verified",
        };
        let structure = &report.symmetry.structure;
        let _ = match unbounded(report) {
            true => writeln!(text, "symmetry: {structure}"),
            false => {
                writeln!(text, "symmetry {structure} of order {}, {sure}", order(&report.symmetry.order))
            }
        };
    }
    if report.stored == Stored::Counts && report.engine == "count" {
        text.push_str("counted: how many elements are in each local state (--engine count)\n");
    }
    report.symmetry.judged.iter().for_each(|generator| text.push_str(&generator.text()));
    for asymmetric in &report.symmetry.asymmetric {
        let line = asymmetric.place.as_ref().map_or(String::new(), |place| format!(" (line {})", place.line));
        let (kind, name, blocks) = (&asymmetric.kind, &asymmetric.name, &asymmetric.blocks);
        let _ = writeln!(text, "  {kind} \"{name}\" keeps {blocks}: {}{line}", asymmetric.reason);
    }
    let several = report.runs.iter().filter(|run| run.tried.is_none()).count() > 1;
    for run in report.runs.iter().filter(|run| several || run.tried.is_some()) {
        if let Some((ended, time)) = &run.tried {
            let _ = writeln!(text, "  {} was tried, too: {ended} after {}", run.engine, duration(*time));
            continue;
        }
        let of = if run.properties.is_empty() { "the rest".to_owned() } else { quoted(&run.properties) };
        let (states, engine) = (spaced(&run.states), &run.engine);
        let orbits = if run.several { "representatives" } else { "orbits" };
        let _ = match run.symmetry.as_str() {
            "trivial" => {
                let what = if run.states == "1" { "state" } else { "states" };
                writeln!(text, "  without symmetry ({engine}): {states} {what}, for {of}")
            }
            symmetry if *engine == report.engine => {
                writeln!(text, "  with {symmetry}: {states} {orbits}, for {of}")
            }
            symmetry => writeln!(text, "  with {symmetry} ({engine}): {states} {orbits}, for {of}"),
        };
    }
    if let Some(edges) = report.edges.filter(|edges| edges.count > 0) {
        let each = edges.bytes as f64 / edges.count as f64;
        let permutations = match edges.permutations {
            0 | 1 => String::new(),
            several => format!(" with {} permutations", grouped(several.into())),
        };
        let _ = writeln!(
            text,
            "formulas on {} edge{}{permutations}, {each:.1} bytes each",
            grouped(edges.count.into()),
            if edges.count == 1 { "" } else { "s" }
        );
    }
    let seconds = report.time.as_secs_f64();
    let _ = write!(text, "{}, {}", duration(report.time), bytes(report.peak_memory));
    if let Some(nodes) = report.nodes {
        let _ = write!(text, ", {} nodes at most", grouped(nodes.peak.into()));
    } else if seconds > 0.0 && report.sat.is_none() {
        let _ = write!(text, ", {} states/s", grouped((report.states as f64 / seconds) as u128));
    }
    text.push('\n');
}

/// What was asked with SAT.
fn questions(sat: &Sat) -> String {
    let Sat { frames, clauses, orbits, steps, queries } = *sat;
    let asked = format!("{} question{} to the solver", grouped(queries.into()), plural(queries));
    match steps {
        Some(steps) => format!("runs of up to {steps} step{}, {asked}\n", plural(steps)),
        None if clauses > 0 => {
            let (all, of) = (grouped(clauses.into()), grouped(orbits.into()));
            let (s, orbits) = (plural(clauses), plural(orbits));
            format!(
                "inductive invariant of {all} clause{s} in {of} orbit{orbits}; {frames} frames, {asked}\n"
            )
        }
        None => format!("{frames} frames, {asked}\n"),
    }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Whether there are any number of elements, so that orbits have no size.
fn unbounded(report: &Report) -> bool {
    report.stored == Stored::Counts && report.symmetry.order == "unbounded"
}

/// What the stored states are.
fn representatives(report: &Report) -> String {
    if unbounded(report) {
        return format!("configuration{}", if report.states == 1 { "" } else { "s" });
    }
    let what = match (report.stored == Stored::AbstractStates, report.states == 1) {
        _ if !report.exact => {
            let orbits = report.orbits.filter(|orbits| *orbits != report.states);
            let orbits = orbits.map(|orbits| format!(" of {} orbits", grouped(orbits.into())));
            return format!("representatives{}", orbits.unwrap_or_default());
        }
        (true, true) => "abstract state",
        (true, false) => "abstract states",
        (false, true) => "orbit",
        (false, false) => "orbits",
    };
    what.to_owned()
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

fn rules(text: &mut String, report: &Report) {
    text.push_str("\nrules fired\n");
    for rule in &report.rules {
        let _ = writeln!(text, "{:>16}  {}", grouped(rule.fired.into()), rule.rule);
    }
    let never: Vec<_> = report
        .never_fired()
        .map(|rule| match &rule.place {
            Some(place) => format!("{} (line {})", rule.rule, place.line),
            None => rule.rule.clone(),
        })
        .collect();
    if never.is_empty() {
        text.push_str("every rule fired\n");
    } else {
        let _ = writeln!(text, "never fired: {}", never.join(", "));
    }
}

fn conclusion(text: &mut String, report: &Report, options: &TextOptions) {
    let verdict = paint(report.verdict, report.verdict.name(), options);
    let _ = write!(text, "{}: {verdict}", report.model);
    if let Some(limit) = report.limit {
        let why = match limit {
            Limit::Bound => "deeper states were not explored (--bound)",
            Limit::MaxErrors => "the search ended there (--max-errors)",
            Limit::Memory => "stopped at the memory limit (--memory)",
            Limit::Time => "stopped at the time limit (--time)",
            Limit::Cancelled => "stopped by a signal or its caller",
            Limit::States => "stopped after as many states as were wanted",
        };
        let _ = write!(text, ", {why}");
    }
    for assumption in &report.assumptions {
        let _ = write!(text, ", assuming that {assumption}");
    }
    text.push('\n');
}

/// A number with its digits in groups of three.
pub fn grouped(number: u128) -> String {
    spaced(&number.to_string())
}

/// The order of a group, given in decimal: in full as long as that can be read.
pub fn order(digits: &str) -> String {
    match digits.as_bytes() {
        [first, second, rest @ ..] if rest.len() > 24 => {
            format!("about {}.{}e{}", char::from(*first), char::from(*second), digits.len() - 1)
        }
        _ => spaced(digits),
    }
}

fn spaced(digits: &str) -> String {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.to_owned();
    }
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many times as much.
pub fn times(ratio: f64) -> String {
    match ratio {
        ..0.1 => format!("{ratio:.3}x"),
        ..1e7 => format!("{ratio:.1}x"),
        _ => format!("{ratio:.1e}x"),
    }
}

/// A size in memory.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)),
        _ => format!("{:.2} GB", bytes as f64 / f64::from(1 << 30)),
    }
}

/// A stretch of time.
pub fn duration(time: Duration) -> String {
    match time.as_secs() {
        0..120 => format!("{:.2} s", time.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234567), "1,234,567");
        assert_eq!(order("3628800"), "3,628,800");
        assert_eq!(order(&format!("788{}", "0".repeat(372))), "about 7.8e374");
        assert_eq!([0.05, 3.97, 633_825_300_114.0].map(times), ["0.050x", "4.0x", "6.3e11x"]);
        assert_eq!(bytes(3 << 20), "3.0 MB");
        assert_eq!(duration(Duration::from_secs(3671)), "61 min 11 s");
    }
}
