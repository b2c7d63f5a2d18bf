//! Burnside, the symmetry-reducing model checker: check orbits, not states.
//!
//! [`check`] is all of it without printing or exiting: source text to a [`Report`].
//!
//! ```
//! use burnside::{Options, Source, check};
//!
//! let source = Source::new(
//!     "counter.m",
//!     r#"
//!     var x : 0..3;
//!     startstate x := 0; end;
//!     rule "up" x < 3 ==> x := x + 1; end;
//!     rule "wrap" x = 3 ==> x := 0; end;
//!     invariant "small" x < 3;
//!     "#,
//! );
//! let report = check(&source, &Options::default()).expect("the model is correct Murphi");
//! assert_eq!(report.verdict, burnside::Verdict::Violated);
//! assert_eq!(report.properties[0].name, "small");
//! assert_eq!(report.properties[0].violations[0].trace.steps.len(), 4);
//! println!("{}", burnside::report::text::render(&report, &Default::default()));
//! ```

#![warn(missing_docs)]

mod analysis;
mod certificate;
mod claims;
mod course;
pub mod engines;
pub mod exit;
pub mod explore;
pub mod files;
mod glance;
mod group;
mod hall;
mod memory;
mod on_the_fly;
mod options;
mod outcome;
mod plan;
mod prove;
mod race;
mod rounds;
mod running;
mod runs;
pub mod simulate;
mod subject;
mod summary;
pub mod table;
mod timed;
mod timed_symmetry;
mod timed_trace;
mod why;
mod witness;

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::{Rejected, Request};
use burnside_model::code::simplify_conditions;
use course::Recorder;
use hall::Check;
use running::Known;
use subject::{Beyond, Subject};
use table::Way;

pub use analysis::symmetry;
pub use burnside_certify::{Accepted, Claim, Scope};
pub use burnside_counting::Form;
pub use burnside_lang::diag;
pub use burnside_lang::source::{MAX_BYTES, Source};
pub use burnside_lang::{Kind as ModelKind, Language, Loaded};
pub use burnside_model::code::{Semantics, Undefined};
pub use burnside_model::findings;
pub use burnside_model::{Cancel, Count, DeadlockMode, Events, Limit, Limits, Progress, Verdict};
pub use burnside_report as report;
pub use burnside_report::Report;
pub use burnside_sat::search::Method;
pub use burnside_symbolic::Sizes;
pub use burnside_symbolic::on_the_fly::under::{Choice, Under};
pub use burnside_symbolic::reduce::alpha::Sorting;
pub use burnside_symbolic::reduce::quotient::Kind;
pub use burnside_symbolic::search::Search;
pub use burnside_symbolic::variables::Order;
pub use burnside_symmetry::Canon;
pub use burnside_timed::check::Wanted;
pub use certificate::{Verification, verify_certificate};
pub use memory::default_memory_limit;
pub use memory::resident_memory;
pub use options::{Counters, Custom, Detect, Diagrams, Engine, Options, Patience, Reduce};
pub use prove::{ProveOptions, Proved, is_proof_certificate, prove, verify_proof};
pub use running::Running;

/// The page of the book about the library: its code is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/library.md")]
pub struct Book;

/// Why there is no report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The model has errors; warnings are among them.
    Input(Vec<Diagnostic>),
    /// The model is correct, but what is asked cannot be done, and why.
    Refused(String),
    /// Burnside itself is wrong; nothing is known of the model.
    Internal(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(diagnostics) => match diagnostics.iter().find(|d| d.is_error()) {
                Some(error) => write!(f, "the model has errors: {}", error.message),
                None => f.write_str("the model has errors"),
            },
            Failure::Refused(message) => f.write_str(message),
            Failure::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Failure {}

/// The stack on which a check runs: a model's functions may call themselves.
const STACK_BYTES: usize = 512 << 20;

/// Checks a model.
pub fn check(source: &Source, options: &Options) -> Result<Report, Failure> {
    check_with(source, options, &mut ())
}

/// Checks a model, and says what happens meanwhile.
pub fn check_with(
    source: &Source,
    options: &Options,
    events: &mut (dyn Events + Send),
) -> Result<Report, Failure> {
    on_large_stack("check", || run(source, options, events, None))
        .unwrap_or_else(|said| Err(Failure::Internal(said)))
}

/// Does some work on a thread of its own, with much stack; an error is what a panic said.
fn on_large_stack<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
        let running =
            thread.spawn_scoped(scope, work).map_err(|error| format!("cannot start a thread: {error}"))?;
        running.join().map_err(|panic| panic_message(panic.as_ref()))
    })
}

/// What a panic said.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned()
}

/// The program that counts the elements of a model: plain Murphi, with as many states as the model has orbits.
pub fn counter_program(source: &Source, options: &Options, form: Form) -> Result<String, Failure> {
    on_large_stack("translate", || {
        let (subject, _) = load(source, options)?;
        engines::counting::print(subject.rules("counting elements is")?, source, options, form)
    })
    .unwrap_or_else(|said| Err(Failure::Internal(said)))
}

/// The model as a circuit in the AIGER format; what may be wrong is one bad state, deadlocks included if they are asked for.
pub fn aiger(source: &Source, options: &Options) -> Result<String, Failure> {
    on_large_stack("translate", || {
        let (subject, _) = load(source, options)?;
        let model = subject.rules("a circuit is")?;
        let question =
            burnside_sat::system::Question { semantics: options.semantics, deadlock: options.deadlock };
        let mut system = burnside_sat::system::System::new(model, question)
            .map_err(|refusal| Failure::Refused(format!("the model has no circuit: {}", refusal.reason)))?;
        if system.failed_start {
            return Err(Failure::Refused("a start state goes wrong at run time".to_owned()));
        }
        Ok(burnside_sat::aiger::text(&mut system))
    })
    .unwrap_or_else(|said| Err(Failure::Internal(said)))
}

/// The phases of a check.
fn run(
    source: &Source,
    options: &Options,
    events: &mut dyn Events,
    known: Option<&Mutex<Known>>,
) -> Result<Report, Failure> {
    let (begun, deadline) = (Instant::now(), options.limits.deadline());
    let options = &*meant(source, options);
    let language = options.language_of(source);
    let way = Way::of(options, language.kind());
    if let Some(refused) = table::refusal_of(options, language, way) {
        return Err(Failure::Refused(refused));
    }
    let (subject, diagnostics) = load(source, options)?;
    if let Some(nothing) = subject.nothing_to_check().filter(|_| !options.allow_empty) {
        return Err(Failure::Refused(nothing));
    }
    let claim = diagnostics.iter().any(|diagnostic| diagnostic.code == codes::CLAIM_LEFT_OUT);
    let tell = |report| {
        if let Some(known) = known {
            known.lock().unwrap_or_else(PoisonError::into_inner).report = Some(report);
        }
    };
    let check = Check { source, subject: &subject, options, deadline, tell: &tell };
    let mut recorder = Recorder::new(events);
    let mut report = check.run(diagnostics, &mut recorder)?;
    report.course = recorder.course();
    if claim {
        report.assumptions.push("the never claim of the model is not checked".to_owned());
        if report.verdict == Verdict::Holds {
            report.verdict = Verdict::Unknown;
        }
    }
    report.time = begun.elapsed();
    if let Some(mistakes) = report.all_wrong() {
        return Err(Failure::Refused(format!("no property can be checked\n{mistakes}")));
    }
    // Engines stop at a deadline; why there was one is known here.
    if let (Some(Limit::Time), Some(why)) =
        (report.limit, options.limits.cancel.and_then(|cancel| cancel.reason()))
    {
        report.limit = Some(why);
    }
    Ok(report)
}

/// The options as they are meant in the language: a step of a Promela process to the same state is a step, so that a state
/// is a deadlock only where nothing can be executed.
fn meant<'o>(source: &Source, options: &'o Options) -> Cow<'o, Options> {
    if options.language_of(source) == Language::Promela && options.deadlock == DeadlockMode::Stuttering {
        return Cow::Owned(Options { deadlock: DeadlockMode::Stuck, ..options.clone() });
    }
    Cow::Borrowed(options)
}

/// A diagnostic as reports have it: with its place, and the source lines around it.
#[must_use]
pub fn warning(source: &Source, diagnostic: &Diagnostic) -> report::Warning {
    analysis::shown(source, &Options::default(), diagnostic)
}

/// Reads a model, whatever its language; its warnings come with it.
fn load(source: &Source, options: &Options) -> Result<(Subject, Vec<Diagnostic>), Failure> {
    let request = Request {
        language: options.language,
        constants: &options.constants,
        queries: options.queries.as_ref(),
        properties: &options.properties,
        init: options.init.as_deref(),
        target: options.target.as_deref(),
        processes: options.processes_max,
    };
    match burnside_lang::load(source, request) {
        Ok((loaded, diagnostics)) => {
            let mut subject = Subject::new(loaded)?;
            match &mut subject.beyond {
                Beyond::Network(network) => timed::select(network, &options.only)?,
                // As rumur, whose rule that is.
                Beyond::Rules if options.semantics.undefined == Undefined::Error => {
                    simplify_conditions(&mut subject.model);
                }
                _ => {}
            }
            Ok((subject, diagnostics))
        }
        Err(Rejected { diagnostics, text: None }) => Err(Failure::Input(diagnostics)),
        Err(Rejected { diagnostics, text: Some(text) }) => {
            let texts: Vec<String> = diagnostics.iter().map(|d| d.render(&text, options.color)).collect();
            Err(Failure::Refused(format!("what is asked has errors\n{}", texts.join("\n"))))
        }
    }
}
