//! Runs that show why a temporal formula does not hold, or does, executed once more by the reference interpreter.
//!
//! Every step must be one; if the run goes on in a loop, the loop must close and be fair to everyone. Where the run is said
//! to show everything, the formula is evaluated on it as if there were no other: it must not hold there either, or must.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::ctl::{Bindings, atoms, instances};
use crate::graph::{Edge, Graph, GraphSets};
use crate::ltl::is_bad_prefix;
use crate::{Atom, Checker};
use burnside_model::code::{Cell, Fault, Quantifier};
use burnside_model::findings::Lasso;
use burnside_model::system::{Agent, FormulaKind, Machine, Outcome, Property, PropertyKind, Step, Strength};
use burnside_model::{Model, Reason, System, Trace, TraceStep};

use crate::reasons;

/// A rule or start state, the values of its parameters, and the state that it leads to.
type Successor = (u32, Vec<Cell>, Vec<Cell>);

/// Whether a property is a formula, or restricts the runs that formulas speak of.
pub fn is_temporal(property: &Property) -> bool {
    property.kind.logic().is_some() || property.kind == PropertyKind::Fairness
}

/// What goes wrong in a condition of a temporal property in a state.
pub fn fault(model: &Model, machine: &mut Machine<'_>, property: usize, state: &[Cell]) -> Option<Fault> {
    let property = &model.properties[property];
    let mut evaluated = atoms(model, property).into_iter().map(|(condition, bindings)| {
        machine.atom_holds(&property.frame, &bindings, condition, state).ok().and_then(Result::err)
    });
    evaluated.find_map(|fault| fault)
}

/// Executes a run and checks that it shows what it should: that the formula `holds`, or that it does not.
pub fn execute(
    model: &Model,
    machine: &mut Machine<'_>,
    property: usize,
    path: &[Vec<Cell>],
    lasso: &Lasso,
    holds: bool,
) -> Result<Trace, String> {
    let mut trace = Trace::default();
    let closing = lasso.agents.get(path.len()).map_or(&[][..], Vec::as_slice);
    let back = lasso.back.and_then(|back| path.get(back).map(|state| (state, closing)));
    let stated = path.iter().zip(lasso.agents.iter().map(Vec::as_slice)).chain(back);
    for (state, agents) in stated {
        let successors = successors(machine, trace.steps.last())?;
        if successors.is_empty() && trace.steps.last().is_some_and(|last| last.state == *state) {
            // Nothing can happen any more.
            trace.back = Some(trace.steps.len() - 1);
            continue;
        }
        let by = |rule: u32, args: &[Cell]| {
            let of = Agent::of(model, rule, args);
            agents.iter().all(|agent| of.iter().any(|(other, _)| other == agent))
        };
        let found = successors.into_iter().find(|(rule, args, to)| to == state && by(*rule, args));
        let Some((rule, args, state)) = found else {
            return Err(format!("no step leads to state {} of the run", trace.steps.len()));
        };
        trace.steps.push(TraceStep { rule, args, state });
    }
    let stated = &model.properties[property];
    if stated.kind == PropertyKind::Ltl && lasso.back.is_none() {
        return match is_bad(model, machine, stated, path, lasso)? {
            true => Ok(trace),
            false => Err("the formula can still hold after the run".to_owned()),
        };
    }
    trace.back = trace.back.or(lasso.back);
    if let Some(back) = trace.back {
        is_fair(model, machine, &trace.steps, back)?;
    }
    if lasso.complete && holds_on(model, machine, stated, &trace, lasso)? != holds {
        return Err(format!("the formula {} on the run", if holds { "does not hold" } else { "holds" }));
    }
    if lasso.complete && !holds {
        trace.reasons = reasons_on(model, machine, stated, &trace, lasso)?;
    }
    Ok(trace)
}

/// Whether a formula of LTL cannot hold any more after these states, whatever follows.
fn is_bad(
    model: &Model,
    machine: &mut Machine<'_>,
    property: &Property,
    path: &[Vec<Cell>],
    lasso: &Lasso,
) -> Result<bool, String> {
    let Some(formula) = &property.formula else { return Ok(false) };
    // Quantifiers around it say for which values.
    let (mut formula, mut bindings) = (formula, lasso.bindings.clone());
    while let FormulaKind::Quantified(Quantifier::Forall, _, inner) = &formula.kind {
        formula = inner;
    }
    is_bad_prefix(
        model,
        &property.frame,
        formula,
        &mut bindings,
        path.len(),
        &mut |at, condition, bindings| match machine.atom_holds(
            &property.frame,
            bindings,
            condition,
            &path[at],
        ) {
            Ok(Ok(holds)) => Ok(holds),
            _ => Err("a condition cannot be evaluated".to_owned()),
        },
    )
}

/// What can happen after a step, or at the start.
fn successors(machine: &mut Machine<'_>, last: Option<&TraceStep>) -> Result<Vec<Successor>, String> {
    let mut found = Vec::new();
    let mut sink = |step: Step<'_>| {
        if let Outcome::State(state) = step.outcome {
            found.push((step.rule, step.args.to_vec(), state.to_vec()));
        }
        ControlFlow::Continue(())
    };
    let ran = match last {
        None => machine.initial(&mut sink),
        Some(last) => machine.successors(&last.state, &mut sink),
    };
    ran.map_err(|_| "the time is up".to_owned())?;
    Ok(found)
}

/// Whether everyone that can do something in the loop is treated as fairly as the model says, and every constraint is met.
fn is_fair(model: &Model, machine: &mut Machine<'_>, steps: &[TraceStep], back: usize) -> Result<(), String> {
    for property in model.properties.iter().filter(|p| p.kind == PropertyKind::Fairness) {
        for (condition, bindings) in atoms(model, property) {
            let mut met = |step: &TraceStep| {
                let held = machine.atom_holds(&property.frame, &bindings, condition, &step.state);
                matches!(held, Ok(Ok(true)))
            };
            if !steps[back..].iter().any(&mut met) {
                return Err(format!("its loop never meets \"{}\"", property.name));
            }
        }
    }
    if model.fairness.is_empty() && model.rules.iter().all(|rule| rule.fairness.is_none()) {
        return Ok(());
    }
    let agents = |rule: u32, args: &[Cell]| Agent::of(model, rule, args).into_iter();
    let executed: HashSet<Agent> = steps[back + 1..]
        .iter()
        .flat_map(|step| agents(step.rule, &step.args))
        .map(|(agent, _)| agent)
        .collect();
    // Per state of the loop, who is enabled there.
    let mut enabled: Vec<HashSet<Agent>> = Vec::new();
    let mut strengths = Vec::new();
    for step in &steps[back..] {
        let mut here = HashSet::new();
        for (rule, args, _) in successors(machine, Some(step))? {
            for (agent, strength) in agents(rule, &args) {
                if here.insert(agent.clone()) {
                    strengths.push((agent, strength));
                }
            }
        }
        enabled.push(here);
    }
    for (agent, strength) in strengths.into_iter().filter(|(agent, _)| !executed.contains(agent)) {
        if strength == Strength::Strong || enabled.iter().all(|here| here.contains(&agent)) {
            return Err(format!("its loop is not fair to {agent:?}"));
        }
    }
    Ok(())
}

/// Whether the formula holds in the first state, if the run is all there is.
fn holds_on(
    model: &Model,
    machine: &mut Machine<'_>,
    property: &Property,
    trace: &Trace,
    lasso: &Lasso,
) -> Result<bool, String> {
    let Some(formula) = &property.formula else { return Ok(true) };
    let graph = graph_of(trace);
    let mut sets = sets(&graph, machine, trace);
    let mut checker = Checker::new(&mut sets, model, Vec::new())?;
    let mut parameters = parameters(model, property, lasso)?;
    Ok(checker.satisfying(&property.frame, formula, &mut parameters)?.contains(0))
}

/// Why the formula does not hold in the first state.
fn reasons_on(
    model: &Model,
    machine: &mut Machine<'_>,
    property: &Property,
    trace: &Trace,
    lasso: &Lasso,
) -> Result<Vec<Reason>, String> {
    let Some(formula) = &property.formula else { return Ok(Vec::new()) };
    let graph = graph_of(trace);
    let next: Vec<usize> = graph.edges.iter().map(|edge| edge.to).collect();
    let mut sets = sets(&graph, machine, trace);
    let checker = Checker::new(&mut sets, model, Vec::new())?;
    reasons::of(checker, model, &property.frame, formula, parameters(model, property, lasso)?, lasso, &next)
}

/// The values of the property's parameters for which the run shows something.
fn parameters(model: &Model, property: &Property, lasso: &Lasso) -> Result<Bindings, String> {
    let found = instances(model, property).into_iter().find(|these| lasso.bindings.starts_with(these));
    found.ok_or_else(|| "its parameters have no such values".to_owned())
}

/// The run as a graph: each state has one step, except the last one of a run that ends.
fn graph_of(trace: &Trace) -> Graph {
    let states = trace.steps.len();
    let step = |from: usize, to: usize| Edge { from, to, agents: Vec::new() };
    let mut edges: Vec<Edge> = (1..states).map(|to| step(to - 1, to)).collect();
    edges.extend(trace.back.map(|to| step(states - 1, (to + 1).min(states - 1))));
    Graph { states, initial: vec![0], edges }
}

/// Sets of its states.
fn sets<'s>(
    graph: &'s Graph,
    machine: &'s mut Machine<'_>,
    trace: &'s Trace,
) -> GraphSets<'s, impl FnMut(usize, &Atom<'_>) -> Result<bool, String>> {
    GraphSets::new(graph, |state: usize, atom: &Atom<'_>| {
        let holds = machine.atom_holds(atom.frame, atom.bindings, atom.condition, &trace.steps[state].state);
        match holds {
            Ok(Ok(holds)) => Ok(holds),
            _ => Err("a condition cannot be evaluated".to_owned()),
        }
    })
}
