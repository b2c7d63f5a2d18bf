//! Proofs for every size: quantified invariants, found at small sizes and checked up to a bound.
//!
//! The model is decided at sizes 1, 2, 3, … by IC3 with orbit clauses. That finds the least size with a violation; where
//! there is none, each orbit of clauses is lifted to a clause that quantifies over elements ([`crate::clause`]). All
//! lifted clauses are candidates. A candidate is only a guess: [`check`](mod@check) keeps those that are inductive together at every
//! size up to the bound of [`crate::fragment`], and if these exclude all that is wrong, they are a proof for every size.
//! If not, the next size gives more candidates.
//!
//! Cost: the sizes of the search are small (3 is mostly enough). The bound is larger, but one representative of each orbit
//! of rule instances is enough there, and questions are asked only for clauses that the property needs.

pub mod check;
mod print;

use std::collections::BTreeSet;
use std::time::Duration;

use burnside_encode::Refusal;
use burnside_model::Model;
use burnside_model::code::{DomainId, Semantics};
use burnside_model::{Deadline, DeadlockMode, Limit};

use crate::clause::{Clause, Schema, Value, lift};
use crate::fixed::{Decided, Found, decide, declared, scalarsets, verified};
use crate::fragment::{Outside, Summary, analyse};
use crate::system::{Question, System};
use crate::trace::Violation;
use check::{Checked, Failed, Sizes};
pub use print::murphi;

/// Gives the model at some sizes of the parameterised domains, perhaps widened.
pub type Load<'t> = dyn FnMut(&Sizes, bool) -> Result<Model, String> + 't;

/// What is asked.
pub struct Task<'t> {
    /// Gives the model at other sizes.
    pub load: &'t mut Load<'t>,
    /// The parameterised domains.
    pub domains: Vec<DomainId>,
    /// If the text itself puts the model outside the fragment: where. Then only sizes are checked.
    pub outside: Vec<Outside>,
    /// The choices that the language leaves open.
    pub semantics: Semantics,
    /// When to stop.
    pub deadline: Deadline,
    /// The largest size at which invariants are looked for.
    pub most: u32,
    /// Told of each size, and how many candidates there are.
    pub told: &'t mut dyn FnMut(u32, usize),
}

/// A proof for every size.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The invariant: all of these hold in every reachable state, at every size.
    pub clauses: Vec<Clause>,
    /// What the clauses speak of.
    pub schema: Schema,
    /// The bound, per domain.
    pub bound: Sizes,
    /// Its summands.
    pub summary: Summary,
    /// How many variables of each domain the clauses have at most.
    pub quantifiers: Sizes,
    /// How many clauses say "some other element", per domain: each needs one witness.
    pub witnesses: Sizes,
    /// The size at which the invariant was found.
    pub base: u32,
    /// Rules that can never fire where the invariant holds, at any size that was checked.
    pub dead: Vec<usize>,
}

/// What is known of a model at all sizes.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds at every size.
    ForAll(Box<Proof>),
    /// It is violated at this size and at no smaller one.
    Violated(u32, Box<Violation>),
    /// It holds up to this size; nothing is known of larger ones, for this reason.
    Open(u32, Reason),
}

/// Why there is no proof for every size.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The model is outside the fragment: here is where.
    Outside(Vec<Outside>),
    /// No inductive invariant was found; the closest attempt failed so.
    NoInvariant(Option<Closest>),
    /// The time was up.
    Limit(Limit),
    /// A model could not be read or encoded at some size.
    Refused(String),
}

/// The attempt that came closest: what failed, from which state.
#[derive(Clone, Debug)]
pub struct Closest {
    /// The sizes at which it failed.
    pub sizes: Sizes,
    /// What is wrong there though all remaining candidates hold.
    pub what: String,
    /// The state, as text of its cells.
    pub state: Vec<(String, String)>,
}

/// Proves a model for every size, or finds the least size at which it is violated.
pub fn prove(task: &mut Task<'_>) -> Result<Verdict, Refusal> {
    let question = Question { semantics: task.semantics, deadlock: DeadlockMode::Off };
    let count = task.domains.len().max(1);
    let (mut schema, mut symmetric) = (Schema::default(), Vec::new());
    let mut summary = Err(task.outside.clone());
    if task.outside.is_empty() {
        let model = (task.load)(&vec![3; count], false).map_err(|reason| Refusal { reason, span: None })?;
        summary = analyse(&model, &task.domains);
        schema = Schema::new(scalarsets(&model, declared(&model).as_ref()));
        symmetric = scalarsets(&model, verified(&model).as_ref());
    }
    let mut pool: BTreeSet<Clause> = BTreeSet::new();
    // Sizes that hold, and the closest attempt. Small sizes are left for later: a proof includes them.
    let (mut held, mut closest): (BTreeSet<u32>, _) = (BTreeSet::new(), None);
    let first = if summary.is_ok() { FIRST.min(task.most) } else { 1 };
    let order: Vec<u32> = (first..=task.most).collect();
    let (mut reason, mut small) = (None, false);
    for size in order {
        let model = match (task.load)(&vec![size; count], false) {
            Ok(model) => model,
            // Outside the fragment, a small size may make no sense.
            Err(_) if held.is_empty() && size < task.most && !task.outside.is_empty() => continue,
            Err(refused) => {
                reason = Some(Reason::Refused(refused));
                break;
            }
        };
        let (found, system) = match at_size(&model, question, task.deadline) {
            Ok(found) => found,
            Err(refusal) if refusal.reason.starts_with("internal error") => return Err(refusal),
            Err(refusal) => {
                reason = Some(Reason::Refused(refusal.reason));
                break;
            }
        };
        (task.told)(size, pool.len());
        match found.decided {
            Decided::Violated(violation) => {
                let smaller = (1..size).filter(|smaller| !held.contains(smaller)).collect();
                return match smaller_sizes(task, question, smaller)? {
                    Smaller::Violated(least, violation) => Ok(Verdict::Violated(least, violation)),
                    _ => Ok(Verdict::Violated(size, violation)),
                };
            }
            Decided::Unknown(limit) => {
                reason = Some(Reason::Limit(limit));
                break;
            }
            Decided::Holds(_) => drop(held.insert(size)),
        }
        let Ok(summary) = &summary else { continue };
        let layout = schema.layout(&system, "");
        pool.extend(found.orbits.iter().map(|cube| lift(&layout, cube)));
        pool.extend(always_defined(&schema, &layout, &system));
        drop(system);
        (task.told)(size, pool.len());
        let mut outcome = attempt(task, &mut schema, (summary, &symmetric), &pool)?;
        // At sizes below, clauses that name more elements than there are say nothing: others are found there.
        if let Checked::Failed(Failed::Closest(failed)) = &outcome
            && !small
            && failed.sizes.iter().any(|size| *size < first)
        {
            small = true;
            for size in 1..first {
                match smaller(task, question, size)? {
                    Some((model, Found { decided: Decided::Holds(_), orbits, .. })) => {
                        let layout = schema.layout(&System::new(&model, question)?, "");
                        pool.extend(orbits.iter().map(|cube| lift(&layout, cube)));
                    }
                    Some((_, Found { decided: Decided::Violated(violation), .. })) => {
                        return Ok(Verdict::Violated(size, violation));
                    }
                    _ => {}
                }
            }
            outcome = attempt(task, &mut schema, (summary, &symmetric), &pool)?;
        }
        match outcome {
            Checked::Proof(mut proof) => {
                proof.base = size;
                return Ok(Verdict::ForAll(proof));
            }
            Checked::Failed(Failed::Time) => {
                reason = Some(Reason::Limit(Limit::Time));
                break;
            }
            Checked::Failed(Failed::Read(refused)) => {
                reason = Some(Reason::Refused(refused));
                break;
            }
            Checked::Failed(Failed::Closest(failed)) => {
                closest = Some(failed);
            }
        }
    }
    let reason = match summary {
        Err(outside) => Reason::Outside(outside),
        Ok(_) => reason.unwrap_or(Reason::NoInvariant(closest)),
    };
    // Small sizes get a little time of their own.
    task.deadline = task.deadline.and_at_least(SMALL_SIZES);
    match smaller_sizes(task, question, (1..first).collect())? {
        Smaller::Violated(size, violation) => Ok(Verdict::Violated(size, violation)),
        Smaller::Held(true) => Ok(Verdict::Open(held.last().copied().unwrap_or(first - 1), reason)),
        Smaller::Held(false) => Ok(Verdict::Open(0, reason)),
    }
}

/// The size at which invariants are first looked for: with two elements that a clause names, and another one.
const FIRST: u32 = 3;

/// How long sizes below that may take where there is no proof.
const SMALL_SIZES: Duration = Duration::from_secs(2);

/// What is known of some small sizes.
enum Smaller {
    /// The least that is violated.
    Violated(u32, Box<Violation>),
    /// None was found to be; whether all hold.
    Held(bool),
}

/// Decides small sizes, in ascending order.
fn smaller_sizes(task: &mut Task<'_>, question: Question, sizes: Vec<u32>) -> Result<Smaller, Refusal> {
    let mut all = true;
    for size in sizes {
        match smaller(task, question, size)? {
            Some((_, Found { decided: Decided::Violated(violation), .. })) => {
                return Ok(Smaller::Violated(size, violation));
            }
            Some((_, Found { decided: Decided::Holds(_), .. })) => {}
            _ => all = false,
        }
    }
    Ok(Smaller::Held(all))
}

/// Decides one small size; nothing if the model makes no sense there.
fn smaller(task: &mut Task<'_>, question: Question, size: u32) -> Result<Option<(Model, Found)>, Refusal> {
    let count = task.domains.len().max(1);
    let Ok(model) = (task.load)(&vec![size; count], false) else { return Ok(None) };
    match at_size(&model, question, task.deadline).map(|(found, _)| found) {
        Ok(found) => Ok(Some((model, found))),
        Err(refusal) if refusal.reason.starts_with("internal error") => Err(refusal),
        Err(_) => Ok(None),
    }
}

/// Checks candidates. Clauses that say "some other element" raise the bound: first without them.
fn attempt(
    task: &mut Task<'_>,
    schema: &mut Schema,
    summary: (&Summary, &[DomainId]),
    pool: &BTreeSet<Clause>,
) -> Result<Checked, Refusal> {
    let universal: Vec<Clause> = pool.iter().filter(|clause| clause.some.is_none()).cloned().collect();
    let outcome = check::check(task, schema, summary, &universal)?;
    if universal.len() < pool.len() && matches!(outcome, Checked::Failed(Failed::Closest(_))) {
        let all: Vec<Clause> = pool.iter().cloned().collect();
        return check::check(task, schema, summary, &all);
    }
    Ok(outcome)
}

/// Decides the model at one size.
fn at_size(model: &Model, question: Question, deadline: Deadline) -> Result<(Found, System<'_>), Refusal> {
    let mut system = System::new(model, question)?;
    // A scalarset that could not be verified is mostly one all the same, and every result is checked without it.
    if let Ok(found) = decide(&mut system, declared(model).as_ref(), question, deadline, &mut |_| {}) {
        return Ok((found, system));
    }
    let found = decide(&mut system, verified(model).as_ref(), question, deadline, &mut |_| {})?;
    Ok((found, system))
}

/// The candidates that cells have values which have one in all reachable states.
fn always_defined(schema: &Schema, layout: &crate::clause::Layout, system: &System<'_>) -> Vec<Clause> {
    let mut found: BTreeSet<Clause> = BTreeSet::new();
    for (placed, variable) in layout.placed.iter().zip(&system.variables) {
        let cell = &system.encoding.cells()[variable.cell];
        if cell.undefined || !variable.whole {
            continue;
        }
        let plain = placed.values.iter().filter_map(|value| match value {
            Value::Plain(shown) => Some(shown.clone()),
            _ => None,
        });
        let domains = &schema.families[placed.family].domains;
        found.insert(Clause::everywhere(placed.family, domains, &placed.elements, plain.collect()));
    }
    found.into_iter().collect()
}
