//! The languages whose models are lowered to the typed model, decided by the name of the file.

use std::borrow::Cow;

use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_lang::{murphi, promela};
use burnside_model::{Model, Verdict};
use burnside_report::Report;

use crate::{DeadlockMode, Options};

/// The name of the language of a source.
pub(crate) fn language(source: &Source) -> &'static str {
    if promela::is_promela(source.name()) {
        return "promela";
    }
    "murphi"
}

/// Reads a model.
pub(crate) fn load(source: &Source, options: &Options) -> (Option<Model>, Vec<Diagnostic>) {
    match language(source) {
        "promela" => {
            let settings = promela::Settings::with_processes(options.processes_max);
            promela::load(source, &options.constants, &settings)
        }
        _ => murphi::load(source, &options.constants),
    }
}

/// The options as they are meant in the language: a step of a Promela process to the same state is a step, so that a
/// state is a deadlock only where nothing can be executed.
pub(crate) fn adjusted<'o>(source: &Source, options: &'o Options) -> Cow<'o, Options> {
    if language(source) == "promela" && options.deadlock == DeadlockMode::Stuttering {
        return Cow::Owned(Options { deadlock: DeadlockMode::Stuck, ..options.clone() });
    }
    Cow::Borrowed(options)
}

/// What the model claims that is not checked, if anything.
pub(crate) fn left_out(diagnostics: &[Diagnostic]) -> Option<&'static str> {
    let claim = diagnostics.iter().any(|diagnostic| diagnostic.code == codes::CLAIM_LEFT_OUT);
    claim.then_some("the never claim of the model is not checked")
}

/// A report that does not plainly hold where something was left out.
pub(crate) fn weakened(mut report: Report, left_out: Option<&'static str>) -> Report {
    if let Some(left_out) = left_out {
        report.assumptions.push(left_out.to_owned());
        if report.verdict == Verdict::Holds {
            report.verdict = Verdict::Unknown;
        }
    }
    report
}
