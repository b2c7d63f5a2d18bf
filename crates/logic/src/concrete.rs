//! The graph of a small model, made by the reference interpreter, and temporal properties on it: nothing reduced and
//! nothing clever, so that engines can be tested against it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::ControlFlow;

use burnside_model::code::{Cell, Expr, Fault, Semantics};
use burnside_model::system::{Agent, Machine, Outcome, Property, PropertyKind, Strength, System};
use burnside_model::{Model, Verdict};

use crate::ctl::{Bindings, Found, atoms, instances};
use crate::graph::{Bits, Edge, Graph, GraphSets};
use crate::ltl::{accepted_run, automaton};
use crate::{Atom, Checker, Constraint, Explanation, StateSets};

/// Says whether an atom holds in a state, by number.
type Holds<'h> = dyn FnMut(usize, &Atom<'_>) -> Result<bool, Box<Fault>> + 'h;

/// A model's reachable states and steps.
pub struct Concrete<'m> {
    model: &'m Model,
    semantics: Semantics,
    /// The states, in the order in which they were met.
    pub states: Vec<Vec<Cell>>,
    pub graph: Graph,
    /// Which agents the scheduler is fair to, and how.
    pub agents: Vec<(Agent, Strength)>,
    /// Whether something went wrong at run time: such a step leads to no state.
    pub faulty: bool,
}

impl<'m> Concrete<'m> {
    /// Explores a model; nothing if it has more than `most` states.
    pub fn explore(model: &'m Model, semantics: Semantics, most: usize) -> Option<Self> {
        let mut machine = Machine::new(model, semantics);
        let mut found = Concrete {
            model,
            semantics,
            states: Vec::new(),
            graph: Graph::default(),
            agents: Vec::new(),
            faulty: false,
        };
        let mut known: HashMap<Vec<Cell>, usize> = HashMap::new();
        let mut numbers: HashMap<Agent, usize> = HashMap::new();
        let mut next: Option<usize> = None;
        while next.is_none_or(|state| state < found.states.len()) {
            if found.states.len() > most {
                return None;
            }
            let mut steps: Vec<(u32, Vec<Cell>, Vec<Cell>)> = Vec::new();
            let mut faulty = false;
            let mut sink = |step: burnside_model::system::Step<'_>| {
                match step.outcome {
                    Outcome::State(state) => steps.push((step.rule, step.args.to_vec(), state.to_vec())),
                    Outcome::Dropped => {}
                    Outcome::GuardFault(_) | Outcome::Fault(_) => faulty = true,
                }
                ControlFlow::Continue(())
            };
            // There is no deadline.
            let Ok(()) = (match next {
                None => machine.initial(&mut sink),
                Some(state) => machine.successors(&found.states[state], &mut sink),
            }) else {
                return None;
            };
            found.faulty |= faulty;
            for (rule, args, state) in steps {
                let to = *known.entry(state.clone()).or_insert_with(|| {
                    found.states.push(state);
                    found.states.len() - 1
                });
                match next {
                    None => found.graph.initial.push(to),
                    Some(from) => {
                        let agents = found.agents_of(&mut numbers, rule, &args);
                        found.graph.edges.push(Edge { from, to, agents });
                    }
                }
            }
            next = Some(next.map_or(0, |state| state + 1));
        }
        found.graph.states = found.states.len();
        Some(found)
    }

    /// The agents that a rule instance is a step of.
    fn agents_of(&mut self, numbers: &mut HashMap<Agent, usize>, rule: u32, args: &[Cell]) -> Vec<usize> {
        let number = |(agent, strength): (Agent, Strength)| {
            *numbers.entry(agent.clone()).or_insert_with(|| {
                self.agents.push((agent, strength));
                self.agents.len() - 1
            })
        };
        Agent::of(self.model, rule, args).into_iter().map(number).collect()
    }

    /// Whether a temporal property holds; a fault of an atom in some state is an error.
    pub fn check(&self, property: &Property) -> Result<Found<Bits>, Box<Fault>> {
        let mut machine = Machine::new(self.model, self.semantics);
        let mut holds = |state: usize, atom: &Atom<'_>| self.holds(&mut machine, state, atom);
        // Every atom must have a value everywhere, whatever is looked at.
        for (condition, bindings) in atoms(self.model, property) {
            let atom = Atom { frame: &property.frame, condition, bindings: &bindings };
            (0..self.states.len()).try_for_each(|state| holds(state, &atom).map(drop))?;
        }
        let mut sets = GraphSets::new(&self.graph, &mut holds);
        let mut checker = Checker::new(&mut sets, self.model, self.agent_constraints())?;
        if property.kind == PropertyKind::Ctl {
            return checker.check(property);
        }
        let constraints = checker.constraints().to_vec();
        self.check_ltl(property, &constraints, &mut holds)
    }

    /// Looks for a fair run that an `ltl` property does not hold for.
    fn check_ltl(
        &self,
        property: &Property,
        constraints: &[Constraint<Bits>],
        holds: &mut Holds<'_>,
    ) -> Result<Found<Bits>, Box<Fault>> {
        let (frame, formula) = (&property.frame, &property.formula);
        for mut bindings in formula.iter().flat_map(|_| instances(self.model, property)) {
            let Some(formula) = formula else { continue };
            // Without a limit there always is one.
            let made = automaton(self.model, frame, formula, &mut bindings, true, usize::MAX);
            let Some((buchi, atoms)) = made else { continue };
            let mut table = Vec::new();
            for state in 0..self.states.len() {
                let value = |(condition, bindings): &(&Expr, Bindings)| {
                    holds(state, &Atom { frame, condition, bindings })
                };
                table.push(atoms.iter().map(value).collect::<Result<Vec<bool>, _>>()?);
            }
            let Ok(run) = accepted_run::<Infallible>(&self.graph, constraints, &buchi, &mut |state, atom| {
                Ok(table[state][atom])
            });
            if let Some(path) = run {
                return Ok(Found::Violated(Explanation { path, bindings, complete: true }));
            }
        }
        Ok(Found::Holds)
    }

    /// The states where a `ctl` property holds, for all values of its parameters.
    pub fn satisfying(&self, property: &Property) -> Result<Bits, Box<Fault>> {
        let mut machine = Machine::new(self.model, self.semantics);
        let mut holds = |state: usize, atom: &Atom<'_>| self.holds(&mut machine, state, atom);
        let mut sets = GraphSets::new(&self.graph, &mut holds);
        let mut all = sets.universe()?;
        let mut checker = Checker::new(&mut sets, self.model, self.agent_constraints())?;
        for mut bindings in instances(self.model, property) {
            let Some(formula) = &property.formula else { continue };
            let one = checker.satisfying(&property.frame, formula, &mut bindings)?;
            all = checker.sets().and(&all, &one)?;
        }
        Ok(all)
    }

    fn holds(&self, machine: &mut Machine<'_>, state: usize, atom: &Atom<'_>) -> Result<bool, Box<Fault>> {
        let held = machine.atom_holds(atom.frame, atom.bindings, atom.condition, &self.states[state]);
        // There is no deadline.
        held.unwrap_or(Ok(false)).map_err(Box::new)
    }

    fn agent_constraints(&self) -> Vec<Constraint<Bits>> {
        let agents = self.agents.iter().enumerate();
        let constraint = |(i, (_, strength)): (usize, &(Agent, Strength))| match strength {
            Strength::Weak => Constraint::Weak(i),
            Strength::Strong => Constraint::Strong(i),
        };
        agents.map(constraint).collect()
    }

    pub fn verdict(&self, property: &Property) -> Result<Verdict, Box<Fault>> {
        Ok(match self.check(property)? {
            Found::Holds => Verdict::Holds,
            Found::Violated(_) => Verdict::Violated,
        })
    }

    /// The states of an explanation, in order.
    pub fn run(&self, explanation: &Explanation<Bits>) -> Vec<&[Cell]> {
        let states = explanation.path.steps.iter().filter_map(|step| step.state.states().next());
        states.map(|state| self.states[state].as_slice()).collect()
    }
}
