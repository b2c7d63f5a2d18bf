//! Models without their scalarsets: each becomes a plain range, and the symmetry has to be found again.

use burnside::{Report, Source};
use burnside_lang::murphi::load;
use burnside_lang::murphi::printer::print;

/// Why a model has no version with plain ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPlain {
    /// It is not a correct model by itself.
    Wrong,
    /// It declares no scalarset.
    NoScalarset,
    /// With ranges it is no model any more, and what is wrong then: a union of two scalarsets would have two ranges.
    Refused(String),
}

/// The text of the model with every `scalarset(N)` replaced by `0 .. N-1`; or, as a union cannot have two ranges, with
/// enums of N members in place of all of them.
pub fn plain_ranges(source: &Source, constants: &[(String, String)]) -> Result<String, NoPlain> {
    let (Some(model), _) = load(source, constants) else { return Err(NoPlain::Wrong) };
    if model.types.domains.is_empty() {
        return Err(NoPlain::NoScalarset);
    }
    let text = print(&model);
    rewritten(&text, &range).or_else(|_| rewritten(&text, &enumeration))
}

fn rewritten(text: &str, plain: &dyn Fn(&str, u32) -> String) -> Result<String, NoPlain> {
    let text: String = text.lines().map(|line| plain_line(line, plain) + "\n").collect();
    match load(&Source::new("plain.m", text.clone()), &[]) {
        (Some(_), _) => Ok(text),
        (None, errors) => Err(NoPlain::Refused(errors[0].message.clone())),
    }
}

/// The printer declares every scalarset on a line of its own, with a number.
fn plain_line(line: &str, plain: &dyn Fn(&str, u32) -> String) -> String {
    let declaration = line.strip_suffix(");").and_then(|line| line.split_once(" : scalarset("));
    let rewritten = declaration.and_then(|(name, size)| Some((name, size.parse().ok()?)));
    rewritten
        .map_or_else(|| line.to_owned(), |(name, size)| format!("{name} : {};", plain(name.trim(), size)))
}

fn range(_: &str, size: u32) -> String {
    format!("0 .. {}", size - 1)
}

fn enumeration(name: &str, size: u32) -> String {
    let members: Vec<_> = (0..size).map(|i| format!("{name}_e{i}")).collect();
    format!("enum {{ {} }}", members.join(", "))
}

/// Whether the detected symmetry has everything that was declared, and the same figures came out. There may be more of
/// it: where something is declared, nothing else is looked for.
pub fn agree(declared: &Report, detected: &Report) -> bool {
    let factors = |report: &Report| -> Vec<String> {
        report.symmetry.structure.split(" x ").map(str::to_owned).collect()
    };
    let found = factors(detected);
    let all = declared.reduction == "none" || factors(declared).iter().all(|factor| found.contains(factor));
    let more = found.len() > factors(declared).len();
    all && declared.verdict == detected.verdict
        && declared.full_states == detected.full_states
        && (declared.states == detected.states || (more && detected.states < declared.states))
}
