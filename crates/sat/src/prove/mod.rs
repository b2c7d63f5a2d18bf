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
use std::time::Instant;

use burnside_encode::Refusal;
use burnside_model::Model;
use burnside_model::code::{DomainId, Semantics};
use burnside_model::{DeadlockMode, Limit};
use burnside_symmetry::verify;

use crate::clause::{Clause, Schema, Value, lift};
use crate::fixed::{Decided, decide, scalarsets, verified};
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
    /// The choices that the language leaves open.
    pub semantics: Semantics,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The largest size at which invariants are looked for.
    pub most: u32,
    /// Told what happens.
    pub told: &'t mut dyn FnMut(&str),
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
    let refused = |reason: String| Refusal { reason, span: None };
    let count = task.domains.len();
    let model = (task.load)(&vec![3; count], false).map_err(refused)?;
    let summary = fragment(&model, &task.domains);
    let mut schema = Schema::new(scalarsets(&model, verified(&model).as_ref()));
    let mut pool: BTreeSet<Clause> = BTreeSet::new();
    let (mut checked, mut closest) = (0, None);
    for size in 1..=task.most {
        let model = match (task.load)(&vec![size; count], false) {
            Ok(model) => model,
            Err(reason) => return Ok(Verdict::Open(checked, Reason::Refused(reason))),
        };
        let action = verified(&model);
        let mut system = System::new(&model, question)?;
        (task.told)(&format!("size {size}: searching"));
        let found = decide(&mut system, action.as_ref(), question, task.deadline, &mut |_| {})?;
        match found.decided {
            Decided::Violated(violation) => return Ok(Verdict::Violated(size, violation)),
            Decided::Unknown(limit) => return Ok(Verdict::Open(checked, Reason::Limit(limit))),
            Decided::Holds(_) => checked = size,
        }
        let Ok(summary) = &summary else { continue };
        let layout = schema.layout(&system, "");
        pool.extend(found.orbits.iter().map(|cube| lift(&layout, cube)));
        if size < 3 {
            continue;
        }
        pool.extend(always_defined(&schema, &layout, &system));
        drop(system);
        (task.told)(&format!("size {size}: {} candidates", pool.len()));
        let candidates: Vec<Clause> = pool.iter().cloned().collect();
        match check::check(task, &mut schema, summary, &candidates)? {
            Checked::Proof(mut proof) => {
                proof.base = size;
                return Ok(Verdict::ForAll(proof));
            }
            Checked::Failed(Failed::Time) => {
                return Ok(Verdict::Open(checked, Reason::Limit(Limit::Time)));
            }
            Checked::Failed(Failed::Read(reason)) => {
                return Ok(Verdict::Open(checked, Reason::Refused(reason)));
            }
            Checked::Failed(Failed::Closest(failed)) => closest = Some(failed),
        }
    }
    let reason = match summary {
        Err(outside) => Reason::Outside(outside),
        Ok(_) => Reason::NoInvariant(closest),
    };
    Ok(Verdict::Open(checked, reason))
}

/// Whether the argument covers a model.
pub fn fragment(model: &Model, domains: &[DomainId]) -> Result<Summary, Vec<Outside>> {
    let asymmetric = verify::verify(model).into_iter().filter(|refusal| domains.contains(&refusal.domain));
    let asymmetric: Vec<Outside> =
        asymmetric.map(|refusal| Outside { span: refusal.span, reason: refusal.reason }).collect();
    if !asymmetric.is_empty() {
        return Err(asymmetric);
    }
    analyse(model, domains)
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
