//! The expectation files beside the corpus: tab-separated, with a header line.

use std::path::Path;

/// The rows of a file, as columns.
pub fn rows(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let rows = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    Ok(rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

/// The models of rumur's test suite on which we knowingly differ, and why; documented in the book.
pub const DIFFERENT: &[(&str, &str)] = &[(
    "uint64-model.m",
    "needs integers above 2^63 - 1; ours are signed, of 64 bits, and larger ones are refused",
)];

/// Expressions about things that do not exist here: the verdict still has to agree.
pub const NO_CONTENT: &[(&str, &str)] = &[
    ("state-reorder.m", "prints the bit offsets that rumur chose for its state"),
    ("scalarset-schedules-off.m", "rumur's option to print scalarset elements without a name"),
    ("scalarset-schedules-off-2.m", "rumur's option to print scalarset elements without a name"),
    ("scalarset-cex.m", "names one of ten interchangeable elements, which one is up to the tool"),
    ("diff-trace-arrays.m", "matches every output"),
];
