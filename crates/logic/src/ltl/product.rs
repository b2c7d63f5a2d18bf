//! A graph and an automaton side by side: whether a fair run is accepted, and one that is.

use std::convert::Infallible;

use super::Buchi;
use crate::fair::{feasible, lasso, reach_within};
use crate::graph::{Bits, Edge, Graph, GraphSets};
use crate::{Atom, Constraint, Path, StateSets, Step};

/// A run of a graph, from a start state, that meets the constraints and that an automaton accepts; `holds` says whether
/// an atom of the automaton, by number, holds in a state.
pub fn accepted_run<E>(
    graph: &Graph,
    constraints: &[Constraint<Bits>],
    buchi: &Buchi,
    holds: &mut dyn FnMut(usize, usize) -> Result<bool, E>,
) -> Result<Option<Path<Bits>>, E> {
    let width = buchi.states.len();
    let agents = graph.edges.iter().flat_map(|edge| &edge.agents).max().map_or(0, |last| last + 1);
    let agents = constraints.iter().fold(agents, |agents, constraint| match constraint {
        Constraint::Infinitely(_) => agents,
        Constraint::Weak(agent) | Constraint::Strong(agent) | Constraint::Taken(agent) => {
            agents.max(agent + 1)
        }
    });
    let product = product(graph, buchi, agents, holds)?;
    let dead = product.states - 1;
    let lift = |kept: &dyn Fn(usize) -> bool| {
        let mut lifted = Bits::none(product.states);
        (0..dead).filter(|node| kept(node / width)).for_each(|node| lifted.insert(node));
        lifted
    };
    let mut all: Vec<Constraint<Bits>> = vec![Constraint::Infinitely(lift(&|_| true))];
    all.extend((0..buchi.acceptance).map(|set| Constraint::Taken(agents + set)));
    all.extend(constraints.iter().map(|constraint| match constraint {
        Constraint::Infinitely(goal) => Constraint::Infinitely(lift(&|state| goal.contains(state))),
        other => other.clone(),
    }));
    let mut sets = GraphSets::new(&product, |_, _: &Atom<'_>| Ok(true));
    let Ok(run) = find(&mut sets, &all);
    let below = |step: Step<Bits>| {
        let mut state = Bits::none(graph.states);
        step.state.states().for_each(|node| state.insert(node / width));
        Step { state, by: step.by.filter(|agent| *agent < agents) }
    };
    Ok(run.map(|path| Path { steps: path.steps.into_iter().map(below).collect(), back: path.back }))
}

/// The steps of both together; the automaton reads a state as the run leaves it. Where it cannot, all ends in the last
/// node, so that an agent is enabled beside the automaton where it is enabled without.
fn product<E>(
    graph: &Graph,
    buchi: &Buchi,
    agents: usize,
    holds: &mut dyn FnMut(usize, usize) -> Result<bool, E>,
) -> Result<Graph, E> {
    let width = buchi.states.len();
    let dead = graph.states * width;
    let mut edges = vec![Edge { from: dead, to: dead, agents: Vec::new() }];
    let mut from: Vec<Vec<(usize, &[usize])>> = vec![Vec::new(); graph.states];
    graph.edges.iter().for_each(|edge| from[edge.from].push((edge.to, &edge.agents)));
    for (state, mut steps) in from.into_iter().enumerate() {
        if steps.is_empty() {
            steps.push((state, &[]));
        }
        for (at, transitions) in buchi.states.iter().enumerate() {
            let from = state * width + at;
            let mut blocked = true;
            for transition in transitions {
                let mut enabled = true;
                for (atom, wanted) in &transition.guard {
                    enabled = enabled && holds(state, *atom)? == *wanted;
                }
                if !enabled {
                    continue;
                }
                blocked = false;
                let accepting = (0..buchi.acceptance).filter(|set| !transition.missed.contains(set));
                let accepting: Vec<usize> = accepting.map(|set| agents + set).collect();
                edges.extend(steps.iter().map(|(to, by)| Edge {
                    from,
                    to: to * width + transition.to,
                    agents: [*by, &accepting].concat(),
                }));
            }
            if blocked {
                edges.push(Edge { from, to: dead, agents: Vec::new() });
            }
        }
    }
    let initial = graph.initial.iter().map(|state| state * width).collect();
    Ok(Graph { states: dead + 1, initial, edges })
}

fn find<S: StateSets<Error = Infallible>>(
    sets: &mut S,
    constraints: &[Constraint<S::Set>],
) -> Result<Option<Path<S::Set>>, Infallible> {
    let universe = sets.universe()?;
    let core = feasible(sets, constraints, &universe)?;
    let fair = reach_within(sets, &universe, &core)?;
    let initial = sets.initial()?;
    let starts = sets.and(&initial, &fair)?;
    match sets.pick(&starts)? {
        Some(start) => lasso(sets, constraints, &start, &universe, &core),
        None => Ok(None),
    }
}
