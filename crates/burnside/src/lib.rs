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

mod analysis;
mod certificate;
mod claims;
mod counting;
pub mod exit;
mod group;
mod languages;
mod lasso;
mod memory;
mod on_the_fly;
mod options;
mod partial;
mod plan;
mod reasons;
mod run;
mod runs;
mod summary;
mod symbolic;
mod threads;
mod timed;
mod timed_symmetry;
mod witness;

use std::time::Instant;

use burnside_lang::diag::Diagnostic;
use burnside_model::Model;
use burnside_model::code::simplify_conditions;

pub use analysis::symmetry;
pub use burnside_certify::{Accepted, Claim, Scope};
pub use burnside_counting::Form;
pub use burnside_explicit::{Events, Progress};
pub use burnside_lang::diag;
pub use burnside_lang::source::Source;
pub use burnside_model::code::Semantics;
pub use burnside_model::{DeadlockMode, Limit, Limits, Verdict};
pub use burnside_report as report;
pub use burnside_report::Report;
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
pub use options::{Counters, Detect, Diagrams, Engine, Options, Reduce};
pub use threads::is_threads;
pub use timed::is_uppaal;

/// Why there is no report.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The model has errors; warnings are among them.
    Input(Vec<Diagnostic>),
    /// The model is correct, but what is asked cannot be done, and why.
    Refused(String),
    /// Burnside itself is wrong; nothing is known of the model.
    Internal(String),
}

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
    on_large_stack("check", || run(source, options, events))
        .unwrap_or_else(|said| Err(Failure::Internal(said)))
}

/// Does some work on a thread of its own, with much stack; an error is what a panic said.
fn on_large_stack<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
        let running =
            thread.spawn_scoped(scope, work).map_err(|error| format!("cannot start a thread: {error}"))?;
        running.join().map_err(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned()
        })
    })
}

/// The program that counts the elements of a model: plain Murphi, with as many states as the model has orbits.
pub fn counter_program(source: &Source, options: &Options, form: Form) -> Result<String, Failure> {
    on_large_stack("translate", || {
        let (model, _) = load(source, options)?;
        counting::print(&model, source, options, form)
    })
    .unwrap_or_else(|said| Err(Failure::Internal(said)))
}

/// The phases of a check.
fn run(source: &Source, options: &Options, events: &mut dyn Events) -> Result<Report, Failure> {
    if timed::is_uppaal(source) {
        return timed::run(source, options);
    }
    if threads::is_threads(source) {
        return threads::run(source, options);
    }
    if options.init.is_some() || options.target.is_some() {
        return Err(Failure::Refused(
            "`--init` and `--target` are for threads only: `.tts` and `.bp`".to_owned(),
        ));
    }
    let options = &*languages::adjusted(source, options);
    if options.depth_first || options.run != Wanted::First {
        let option = if options.depth_first { "--search dfs" } else { "--run" };
        return Err(Failure::Refused(format!("`{option}` is for timed models only")));
    }
    let begun = Instant::now();
    let (model, mut diagnostics) = load(source, options)?;
    let left_out = languages::left_out(&diagnostics);
    let report = checked(source, options, &model, &mut diagnostics, begun, events)?;
    Ok(languages::weakened(report, left_out))
}

/// Checks a model that was read.
fn checked(
    source: &Source,
    options: &Options,
    model: &Model,
    diagnostics: &mut Vec<Diagnostic>,
    begun: Instant,
    events: &mut dyn Events,
) -> Result<Report, Failure> {
    if counting::is_best(model, options) {
        let counting = counting::on_trial(options);
        match execute(source, model, diagnostics.clone(), &counting, begun, events) {
            Ok(report) if counting::gave_up(&report) => diagnostics.push(counting::given_up(model)),
            Err(Failure::Refused(_)) => {}
            done => return done,
        }
    }
    execute(source, model, std::mem::take(diagnostics), options, begun, events)
}

fn execute(
    source: &Source,
    model: &Model,
    diagnostics: Vec<Diagnostic>,
    options: &Options,
    begun: Instant,
    events: &mut dyn Events,
) -> Result<Report, Failure> {
    let mut runs = runs::Runs::new(model, options);
    let outcome = runs.execute(model, source, options, begun, events)?;
    Ok(summary::Summary { source, options, model, runs: &runs, diagnostics }.report(outcome, begun))
}

fn load(source: &Source, options: &Options) -> Result<(Model, Vec<Diagnostic>), Failure> {
    match languages::load(source, options) {
        (Some(mut model), diagnostics) => {
            if options.semantics.undefined_is_error {
                // As rumur, whose rule that is.
                simplify_conditions(&mut model);
            }
            Ok((model, diagnostics))
        }
        (None, diagnostics) => Err(Failure::Input(diagnostics)),
    }
}
