//! Which candidates are inductive together at every size up to the bound.
//!
//! This is Houdini (Flanagan and Leino, 2001), driven by need: first it is asked which candidates exclude what is wrong,
//! then which ones keep these, and so on. A candidate that is not kept is dropped, and what rested on it is asked again.
//! What is left is an inductive invariant that contains only clauses that the property needs.
//!
//! A first round at small sizes leaves few candidates; only those are then checked at all sizes up to *their* bound. At
//! each size every cell may be undefined and arrays of ids are widened, so no state is left out that the argument of
//! [`crate::fragment`] needs. One rule instance of each orbit is enough, since candidates are closed under permutations; where a
//! scalarset could not be verified, all of them are checked.

use std::collections::{BTreeSet, VecDeque};

use burnside_encode::{Encoding, FaultCase, Instance, Refusal};
use burnside_model::code::{DomainId, FaultKind, LocalId};
use burnside_model::system::Binder;
use burnside_model::{Deadline, DeadlockMode, Model, Span};

use crate::circuit::Ref;
use crate::clause::{Clause, Layout, Schema, Value};
use crate::cube::{Cube, contains, literal};
use crate::fragment::Summary;
use crate::induction::Induction;
use crate::solver::TimeUp;
use crate::system::{Question, State, System};

use super::{Closest, Proof, Task};

/// How many elements each parameterised domain has.
pub type Sizes = Vec<u32>;

/// How the element outside the state is shown; see `Shape::widened`.
pub const OTHER: &str = "another";

/// Sizes up to this are looked at in the first round.
const FIRST: u32 = 3;

/// What comes of a check.
pub enum Checked {
    Proof(Box<Proof>),
    Failed(Failed),
}

/// Why there is none.
pub enum Failed {
    Time,
    /// The model could not be read at some size.
    Read(String),
    /// The candidates do not suffice.
    Closest(Closest),
}

/// A system of some size.
struct Sized<'m> {
    sizes: Sizes,
    layout: Layout,
    /// For each step the elements that it names, by quantified domain.
    fixed: Vec<Vec<Vec<u32>>>,
    starts: Vec<State>,
    bad: Ref,
    model: &'m Model,
}

/// What a round found.
enum Round {
    /// The candidates that are needed, by position.
    Needed(Vec<usize>, Vec<usize>),
    /// Something wrong is not excluded.
    Stuck(Closest),
}

/// Checks candidates; a proof if those that are inductive suffice.
pub fn check(
    task: &mut Task<'_>,
    schema: &mut Schema,
    (summary, symmetric): (&Summary, &[DomainId]),
    candidates: &[Clause],
) -> Result<Checked, Refusal> {
    let fits = |clause: &&Clause| clause.some.is_none() || clause.is_pinned(schema);
    let mut clauses: Vec<Clause> = candidates.iter().filter(fits).cloned().collect();
    let first: Sizes = bound(schema, summary, &clauses).iter().map(|size| (*size).min(FIRST)).collect();
    for limits in [Some(first), None] {
        let whole = bound(schema, summary, &clauses);
        let bound = limits.unwrap_or_else(|| whole.clone());
        let last = bound == whole;
        let (needed, dead) = match round(task, schema, (summary, symmetric), &clauses, &bound)? {
            Err(failed) => return Ok(Checked::Failed(failed)),
            Ok(Round::Stuck(closest)) => return Ok(Checked::Failed(Failed::Closest(closest))),
            Ok(Round::Needed(needed, dead)) => (needed, dead),
        };
        clauses = needed.iter().map(|i| clauses[*i].clone()).collect();
        if last {
            let quantifiers = most_quantifiers(schema, summary, &clauses);
            let (summary, schema) = (summary.clone(), schema.clone());
            let witnesses = witnesses(&schema, &summary, &clauses);
            let proof = Proof { clauses, schema, bound, summary, quantifiers, witnesses, base: 0, dead };
            return Ok(Checked::Proof(Box::new(proof)));
        }
    }
    Ok(Checked::Failed(Failed::Read("no bound was checked".to_owned())))
}

/// The bound for clauses: the summands of the model, and one witness for each clause that says "some other element".
fn bound(schema: &Schema, summary: &Summary, clauses: &[Clause]) -> Sizes {
    let mut bound = summary.bound(&most_quantifiers(schema, summary, clauses));
    for (size, witnesses) in bound.iter_mut().zip(witnesses(schema, summary, clauses)) {
        *size += witnesses;
    }
    bound
}

/// How many clauses say "some other element", per parameterised domain.
fn witnesses(schema: &Schema, summary: &Summary, clauses: &[Clause]) -> Sizes {
    let of = |domain: &DomainId| {
        let says = |clause: &&Clause| clause.some.is_some_and(|some| schema.domains[some] == *domain);
        clauses.iter().filter(says).count() as u32
    };
    summary.domains.iter().map(of).collect()
}

/// How many variables of each parameterised domain the clauses have at most.
fn most_quantifiers(schema: &Schema, summary: &Summary, clauses: &[Clause]) -> Sizes {
    let of = |domain| {
        let position = schema.domains.iter().position(|of| of == domain);
        let count = |clause: &Clause| {
            clause.variables.iter().filter(|variable| Some(**variable) == position).count() as u32
        };
        clauses.iter().map(count).max().unwrap_or(0)
    };
    summary.domains.iter().map(of).collect()
}

/// All sizes up to a bound, small ones first.
fn all_sizes(bound: &Sizes) -> Vec<Sizes> {
    let mut all: Vec<Sizes> = vec![Vec::new()];
    for most in bound {
        all = all
            .into_iter()
            .flat_map(|sizes| (1..=*most).map(move |size| sizes.iter().copied().chain([size]).collect()))
            .collect();
    }
    all.sort_by_key(|sizes: &Sizes| sizes.iter().sum::<u32>());
    all
}

/// Which candidates are inductive together at all sizes up to a bound, and needed.
fn round(
    task: &mut Task<'_>,
    schema: &mut Schema,
    (summary, symmetric): (&Summary, &[DomainId]),
    clauses: &[Clause],
    bound: &Sizes,
) -> Result<Result<Round, Failed>, Refusal> {
    let question = Question { semantics: task.semantics, deadlock: DeadlockMode::Off };
    let mut models = Vec::new();
    for sizes in all_sizes(bound) {
        match (task.load)(&sizes, summary.holds_ids) {
            Ok(model) => models.push((sizes, model)),
            Err(reason) => return Ok(Err(Failed::Read(reason))),
        }
    }
    let genuine = match genuine_faults(task, question)? {
        Ok(genuine) => genuine,
        Err(reason) => return Ok(Err(Failed::Read(reason))),
    };
    let counts = |fault: &FaultCase<Ref>| {
        !summary.holds_ids || fault.kind != FaultKind::UnionMember || genuine.contains(&fault.span)
    };
    let (mut systems, mut sized) = (Vec::new(), Vec::new());
    for (sizes, model) in &models {
        let encoding = Encoding::of_all_states(model, task.semantics)?;
        let all = encoding.instances()?.into_iter().flat_map(|component| component.instances);
        let chosen: Vec<(Instance, Vec<Vec<u32>>)> =
            all.filter_map(|instance| representative(model, schema, symmetric, instance)).collect();
        let instances: Vec<Instance> = chosen.iter().map(|(instance, _)| instance.clone()).collect();
        let system = System::of_instances(encoding, &instances, question, &counts)?;
        let layout = schema.layout(&system, OTHER);
        sized.push(Sized {
            sizes: sizes.clone(),
            fixed: chosen.into_iter().map(|(_, fixed)| fixed).collect(),
            starts: system.starts.iter().map(|start| system.state(start)).collect(),
            bad: system.bad,
            layout,
            model,
        });
        if system.failed_start {
            let what = "a start state goes wrong at run time".to_owned();
            let closest = Closest { sizes: sizes.clone(), what, state: Vec::new() };
            return Ok(Ok(Round::Stuck(closest)));
        }
        systems.push(system);
    }
    let hypotheses: Vec<Cube> = sized.iter().map(|at| impossible(schema, summary, &at.layout)).collect();
    if sized.len() == 1 || bound.iter().any(|size| *size > FIRST) {
        match together(clauses, &mut systems, &sized, &hypotheses, task.deadline) {
            Ok(Some(dead)) => return Ok(Ok(Round::Needed((0..clauses.len()).collect(), dead))),
            Ok(None) => {}
            Err(TimeUp) => return Ok(Err(Failed::Time)),
        }
    }
    let mut inductions = Vec::new();
    for ((system, sized), impossible) in systems.iter_mut().zip(&sized).zip(&hypotheses) {
        let groups: Vec<Vec<Cube>> = clauses.iter().map(|clause| clause.cubes(&sized.layout, None)).collect();
        inductions.push(Induction::new(system, &groups, impossible.clone(), task.deadline));
    }
    match houdini(clauses, &sized, &mut inductions) {
        Ok(round) => Ok(Ok(round)),
        Err(TimeUp) => Ok(Err(Failed::Time)),
    }
}

/// Whether all candidates are inductive together at every size and exclude what is wrong, with one question per step: mostly
/// so after the first round. The rules that never fire then.
fn together(
    clauses: &[Clause],
    systems: &mut [System<'_>],
    sized: &[Sized<'_>],
    hypotheses: &[Cube],
    deadline: Deadline,
) -> Result<Option<Vec<usize>>, TimeUp> {
    let mut dead: Option<BTreeSet<usize>> = None;
    for ((system, at), impossible) in systems.iter_mut().zip(sized).zip(hypotheses) {
        let dead = dead.get_or_insert_with(|| (0..at.model.rules.len()).collect());
        let cubes: Vec<Cube> = clauses.iter().flat_map(|clause| clause.cubes(&at.layout, None)).collect();
        if at.starts.iter().any(|start| cubes.iter().any(|cube| contains(cube, start))) {
            return Ok(None);
        }
        let mut induction = Induction::certain(system, &cubes, impossible.clone(), deadline);
        if induction.never(at.bad, &[])?.is_err() {
            return Ok(None);
        }
        for (step, fixed) in at.fixed.iter().enumerate() {
            let cubes: Vec<Cube> =
                clauses.iter().flat_map(|clause| clause.cubes(&at.layout, Some(fixed))).collect();
            if !induction.keeps_out_of_all(step, &cubes)? {
                return Ok(None);
            }
            let rule = induction.system.steps[step].rule as usize;
            let next = induction.system.steps[step].next;
            if dead.contains(&rule) && induction.never(next, &[])?.is_err() {
                dead.remove(&rule);
            }
        }
    }
    Ok(Some(dead.unwrap_or_default().into_iter().collect()))
}

/// Drops candidates until the rest are inductive, following what the property needs.
fn houdini(
    clauses: &[Clause],
    sized: &[Sized<'_>],
    inductions: &mut [Induction<'_, '_>],
) -> Result<Round, TimeUp> {
    let mut alive: BTreeSet<usize> = (0..clauses.len()).collect();
    // What each candidate rests on, where that was found out.
    let mut rests: Vec<Option<BTreeSet<usize>>> = vec![None; clauses.len()];
    let mut property: Option<BTreeSet<usize>> = None;
    'again: loop {
        let groups: Vec<usize> = alive.iter().copied().collect();
        if !property.as_ref().is_some_and(|on| on.is_subset(&alive)) {
            let mut on = BTreeSet::new();
            for (induction, at) in inductions.iter_mut().zip(sized) {
                match induction.never(at.bad, &groups)? {
                    Ok(core) => on.extend(core),
                    Err(state) => return Ok(Round::Stuck(stuck(at, &state, induction))),
                }
            }
            property = Some(on);
        }
        let mut needed: BTreeSet<usize> = property.iter().flatten().copied().collect();
        let mut queue: VecDeque<usize> = needed.iter().copied().collect();
        while let Some(clause) = queue.pop_front() {
            if !rests[clause].as_ref().is_some_and(|on| on.is_subset(&alive)) {
                rests[clause] = rests_on(&clauses[clause], sized, inductions, &groups)?;
            }
            let Some(on) = &rests[clause] else {
                alive.remove(&clause);
                continue 'again;
            };
            queue.extend(on.iter().copied().filter(|other| needed.insert(*other)));
        }
        let needed: Vec<usize> = needed.into_iter().collect();
        let dead = dead_rules(sized, inductions, &needed)?;
        return Ok(Round::Needed(needed, dead));
    }
}

/// The candidates that keep a clause at all sizes; none if it is not kept.
fn rests_on(
    clause: &Clause,
    sized: &[Sized<'_>],
    inductions: &mut [Induction<'_, '_>],
    groups: &[usize],
) -> Result<Option<BTreeSet<usize>>, TimeUp> {
    let mut on = BTreeSet::new();
    for at in sized {
        let cubes = clause.cubes(&at.layout, None);
        if at.starts.iter().any(|start| cubes.iter().any(|cube| contains(cube, start))) {
            return Ok(None);
        }
    }
    for (induction, at) in inductions.iter_mut().zip(sized) {
        for (step, fixed) in at.fixed.iter().enumerate() {
            for cube in clause.cubes(&at.layout, Some(fixed)) {
                match induction.keeps_out(step, &cube, groups)? {
                    Ok(core) => on.extend(core),
                    Err(_) => return Ok(None),
                }
            }
        }
    }
    Ok(Some(on))
}

/// Rules that can never fire where the invariant holds, at any of the sizes.
fn dead_rules(
    sized: &[Sized<'_>],
    inductions: &mut [Induction<'_, '_>],
    needed: &[usize],
) -> Result<Vec<usize>, TimeUp> {
    let Some(model) = sized.first().map(|at| at.model) else { return Ok(Vec::new()) };
    let mut dead: BTreeSet<usize> = (0..model.rules.len()).collect();
    for induction in inductions.iter_mut().rev() {
        for step in 0..induction.system.steps.len() {
            let rule = induction.system.steps[step].rule as usize;
            let next = induction.system.steps[step].next;
            if dead.contains(&rule) && induction.never(next, needed)?.is_err() {
                dead.remove(&rule);
            }
        }
    }
    Ok(dead.into_iter().collect())
}

/// The attempt as it is shown.
fn stuck(at: &Sized<'_>, state: &State, induction: &Induction<'_, '_>) -> Closest {
    let cells = at.model.state_cells();
    let shown = induction.system.variables.iter().enumerate().filter(|(_, variable)| variable.whole).map(
        |(i, variable)| {
            let content = induction.system.content(i, state[i]);
            (cells[variable.cell].name.clone(), at.model.types.show(cells[variable.cell].ty, content))
        },
    );
    let what = "a property is violated, or something goes wrong, though all candidates hold".to_owned();
    Closest { sizes: at.sizes.clone(), what, state: shown.collect() }
}

/// Values that variables outside arrays do not have: an element that is not among those of the state.
fn impossible(schema: &Schema, summary: &Summary, layout: &Layout) -> Cube {
    let parameterised = |domain: &usize| summary.domains.contains(&schema.domains[*domain]);
    let mut never = Cube::new();
    for (number, placed) in layout.placed.iter().enumerate() {
        if schema.families[placed.family].domains.iter().any(parameterised) {
            continue;
        }
        let values = (0..).zip(&placed.values).filter(|(_, value)| **value == Value::Other);
        never.extend(values.map(|(value, _)| literal(number, value)));
    }
    never
}

/// An instance, if it is the chosen one of its orbit: new elements of verified domains come in ascending order. With the
/// elements that it names, by quantified domain.
fn representative(
    model: &Model,
    schema: &Schema,
    symmetric: &[DomainId],
    instance: Instance,
) -> Option<(Instance, Vec<Vec<u32>>)> {
    let rule = &model.rules[instance.rule as usize];
    // Of a domain that is not verified, all elements are told apart.
    let named = |domain: &DomainId| match symmetric.contains(domain) {
        true => Vec::new(),
        false => (0..model.types.domain(*domain).size).collect(),
    };
    let mut seen: Vec<Vec<u32>> = schema.domains.iter().map(named).collect();
    let locals = rule.binders.iter().filter_map(|binder| match binder {
        Binder::Each(each) => Some(each.local),
        Binder::Choose(local, _) => Some(*local),
        Binder::Alias(..) => None,
    });
    for (local, value) in locals.collect::<Vec<LocalId>>().into_iter().zip(&instance.args) {
        let Some((domain, element)) = model.types.element(rule.frame[local].ty, *value) else { continue };
        let Some(at) = schema.domains.iter().position(|of| *of == domain) else { continue };
        if seen[at].contains(&element) {
            continue;
        }
        if element as usize != seen[at].len() {
            return None;
        }
        seen[at].push(element);
    }
    Some((instance, seen))
}

/// Where a value of a union can be used as the wrong member in the model that is not widened.
fn genuine_faults(
    task: &mut Task<'_>,
    question: Question,
) -> Result<Result<BTreeSet<Span>, String>, Refusal> {
    let sizes = vec![2; task.domains.len()];
    let model = match (task.load)(&sizes, false) {
        Ok(model) => model,
        Err(reason) => return Ok(Err(reason)),
    };
    let encoding = Encoding::of_all_states(&model, question.semantics)?;
    let all = encoding.instances()?.into_iter().flat_map(|component| component.instances);
    let seen = std::cell::RefCell::new(BTreeSet::new());
    let counts = |fault: &FaultCase<Ref>| {
        if fault.kind == FaultKind::UnionMember {
            seen.borrow_mut().insert(fault.span);
        }
        true
    };
    System::of_instances(encoding, &all.collect::<Vec<_>>(), question, &counts)?;
    Ok(Ok(seen.into_inner()))
}
