//! Formulas of CTL and LTL, with fairness, on the quotient.
//!
//! After the search, the steps between the stored states become a graph whose edges keep their permutations ([`labelled`]).
//! A formula is decided on its nodes together with the values that the formula follows ([`arena`]): CTL by fixpoints over
//! sets of them ([`ctl`]), LTL beside an automaton ([`ltl`]), both by components in which a run can stay and be fair
//! ([`components`]). A run that shows why becomes one of states ([`loops`], [`runs`]) before it leaves. What violates a
//! formula of LTL is looked for during the search, too ([`early`]).
//!
//! What a formula says of the future holds for a state and values if and only if it does for their images. So it does not
//! matter whether all images of start states are start states; only what looks back needs that.

mod arena;
mod components;
mod ctl;
mod early;
mod facts;
mod fairness;
mod labelled;
mod loops;
mod ltl;
mod runs;
mod sets;
mod silent;
mod tuples;

use burnside_model::code::Cell;
use burnside_model::findings::{Edges, Ending, Lasso, Witness};
use burnside_model::system::{Formula, Property, PropertyKind};
use burnside_model::{Deadline, Limit, Model};
use burnside_symmetry::closed;

use crate::Indexed;
use crate::liveness::States;
use ctl::{Shown, World};
pub(crate) use early::Early;
use facts::Facts;
use fairness::Fairness;
use labelled::Labelled;
use runs::Runs;
use silent::Silent;
use tuples::Renaming;

/// Why a formula was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Limit(Limit),
    Refused(String),
}

impl Stop {
    /// Something is not where it must be: representatives are not found again.
    fn unstored() -> Stop {
        Stop::Refused("a state that was reached is not found again".to_owned())
    }
}

/// What was found of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    Violated,
}

/// What was found of a formula, with a run that shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It holds, as a run may show.
    Holds(Option<Witness>),
    Violated(Witness),
    /// A condition in it, or in a fairness constraint, cannot be evaluated where this run ends.
    Faulty(Witness),
    Refused(String),
}

/// What was found of all formulas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decided {
    /// Each, by its position in the model.
    pub formulas: Vec<(usize, Found)>,
    /// The graph that they were decided on.
    pub edges: Edges,
    /// Whether some start state has no fair run, so that whatever is said of all its fair runs holds.
    pub unfair: bool,
}

impl Decided {
    /// None of them, and why.
    pub fn refused(formulas: &[usize], why: &str) -> Decided {
        let refused = formulas.iter().map(|formula| (*formula, Found::Refused(why.to_owned())));
        Decided { formulas: refused.collect(), ..Decided::default() }
    }
}

/// Decides formulas of a system all of whose states are stored. The threads share the steps between them.
pub fn decide<S: Indexed>(
    system: &mut S,
    model: &Model,
    states: &mut States<'_>,
    formulas: &[usize],
    threads: usize,
    deadline: Deadline,
) -> Result<Decided, Limit> {
    match decide_all(system, model, states, formulas, threads, deadline, false) {
        Ok(decided) => Ok(decided),
        Err(Stop::Limit(limit)) => Err(limit),
        Err(Stop::Refused(why)) => Ok(Decided::refused(formulas, &why)),
    }
}

/// The same; `partly` if there are more states than these. Then only what is violated, in LTL, is really found.
fn decide_all<S: Indexed>(
    system: &mut S,
    model: &Model,
    states: &mut States<'_>,
    formulas: &[usize],
    threads: usize,
    deadline: Deadline,
    partly: bool,
) -> Result<Decided, Stop> {
    if !states.are_countable() {
        return Err(Stop::Limit(Limit::Memory));
    }
    let constraints =
        (0..model.properties.len()).filter(|i| model.properties[*i].kind == PropertyKind::Fairness);
    let evaluated: Vec<usize> = constraints.chain(formulas.iter().copied()).collect();
    let (facts, faults) = Facts::evaluate(system, model, states, &evaluated, threads)?;
    let tracked = evaluated.iter().any(|property| names_values(&model.properties[*property]))
        || !model.fairness.is_empty()
        || model.rules.iter().any(|rule| rule.fairness.is_some());
    let graph = Labelled::build(system, model, states, tracked, partly, threads)?;
    let action = system.action().cloned();
    let renaming = Renaming { action: action.as_ref(), labels: &graph.labels };
    let fairness = Fairness::new(model, &graph, &facts, renaming)?;
    let room = states.room().saturating_sub(graph.memory());
    let starts: Vec<Vec<Cell>> = graph.initial.iter().map(|start| start.state.clone()).collect();
    let whole = action.as_ref().is_none_or(|action| closed(action, &starts));
    let back = |formula: &&usize| {
        names_values(&model.properties[**formula]) && looks_back(&model.properties[**formula])
    };
    let silent = match &action {
        Some(action) if whole && formulas.iter().any(|formula| back(&formula)) => {
            Silent::new(action, states, deadline).map(Some)
        }
        _ => Ok(None),
    };
    let world = World {
        model,
        graph: &graph,
        facts: &facts,
        fairness: &fairness,
        renaming,
        silent: silent.as_ref().ok().and_then(Option::as_ref),
        deadline,
        room,
    };
    let edges =
        Edges { count: graph.edges(), bytes: graph.memory(), permutations: graph.labels.len() as u64 };
    let mut unfair = false;
    let mut decided = Vec::new();
    for number in formulas {
        let property = &model.properties[*number];
        let faulty =
            evaluated.iter().filter(|i| *i == number || model.properties[**i].kind == PropertyKind::Fairness);
        if let Some((of, (state, fault))) = faulty.filter_map(|i| Some((*i, faults.get(i)?))).next() {
            let ending = Ending::PropertyFault { fault: fault.clone(), property: of };
            decided.push((*number, Found::Faulty(Witness { path: states.path(*state), ending })));
            continue;
        }
        let Some(formula) = &property.formula else {
            decided.push((*number, Found::Holds(None)));
            continue;
        };
        let judged = match (property.kind, &silent) {
            _ if looks_back(property) && !whole => Err(Stop::Refused(
                "it looks back, but not all images of start states are start states".to_owned(),
            )),
            (_, Err(why)) if back(&number) => Err(why.clone()),
            (PropertyKind::Ltl, _) => world.ltl(property, formula),
            _ => world.ctl(property, formula),
        };
        let (verdict, shown) = match judged {
            Ok(judged) => judged,
            Err(Stop::Refused(why)) => {
                decided.push((*number, Found::Refused(why)));
                continue;
            }
            Err(limit) => return Err(limit),
        };
        let mut runs = Runs { system, states, model, graph: &graph, action: action.as_ref() };
        let witness = shown.map(|shown| witness(&mut runs, &world, shown)).transpose()?;
        decided.push((
            *number,
            match (verdict, witness) {
                (Verdict::Holds, witness) => Found::Holds(witness),
                (Verdict::Violated, Some(witness)) => Found::Violated(witness),
                (Verdict::Violated, None) => Found::Refused("no run shows why it does not hold".to_owned()),
            },
        ));
    }
    let faulty = faults.keys().any(|property| model.properties[*property].kind == PropertyKind::Fairness);
    if !partly && !faulty {
        unfair = !world.starts_fairly()?;
    }
    Ok(Decided { formulas: decided, edges, unfair })
}

/// The run of states that shows something.
fn witness<S: Indexed>(runs: &mut Runs<'_, '_, S>, world: &World<'_>, shown: Shown) -> Result<Witness, Stop> {
    let run = runs.run(&world.arena(&shown.tuples), &shown.way)?;
    let (locals, values): (Vec<_>, Vec<Cell>) = shown.bindings.into_iter().unzip();
    let values = world.renaming.rename(&run.from, &shown.types, &values);
    let bindings = locals.into_iter().zip(values).collect();
    let lasso = Lasso { back: run.back, agents: run.agents, bindings, complete: shown.complete };
    Ok(Witness { path: run.path, ending: Ending::Temporal(lasso) })
}

/// Whether a property speaks of what was before.
fn looks_back(property: &Property) -> bool {
    property.formula.as_ref().is_some_and(Formula::looks_back)
}

/// Whether a property has variables whose values are followed.
fn names_values(property: &Property) -> bool {
    !property.binders.is_empty() || property.formula.as_ref().is_some_and(|f: &Formula| !f.loops().is_empty())
}
