//! Steps that are executed, state by state, as the diagrams of rules would be too large.
//!
//! Queues of messages, multisets, or rules that do many things at once can make rules of millions of nodes. Sets of states
//! then mostly have many nodes for each state, too, and it takes less to go through a set than to combine it with a relation.
//! So the states of a set are listed, the reference interpreter takes their steps, and the states that these lead to become a
//! set again. What goes wrong in a state is noted on the way.
//!
//! Nothing is executed twice without need: what became of the states so far is kept, as sets. Predecessors are found in the
//! [`graph`] of all steps from some states.

mod graph;
mod seen;

use std::cell::RefCell;
use std::ops::ControlFlow;

use burnside_encode::Encoding;
use burnside_model::DeadlockMode;
use burnside_model::code::{Cell, Fault};
use burnside_model::findings::{Checks, Ending};
use burnside_model::system::{Binder, Machine, Outcome, PropertyKind, Rule, Sink, Step, System as _, TimeUp};

use crate::algebra::Diagrams;
use crate::bdd::Bdd;
use crate::decide::Target;
use crate::search::Stop;

use crate::layout::Layout;
use graph::Graph;
use seen::{Few, Seen};

/// So many states are executed before what they lead to becomes a set.
const MOST_STATES: usize = 1 << 15;

/// Rules that are executed.
pub struct Executed<'m> {
    encoding: &'m Encoding<'m>,
    diagrams: Diagrams<'m>,
    /// Which instances; all, if nothing is said.
    only: Option<Vec<Firing>>,
    /// What is looked at in every state beside its steps.
    watched: Watched,
    /// What became of the states so far.
    seen: RefCell<Seen>,
    /// The states that were executed last, and where their steps lead.
    last: RefCell<Option<(Bdd, Bdd)>>,
    /// The steps from the states for which predecessors were asked last.
    graph: RefCell<Option<Graph>>,
}

/// Instances of a rule whose first parameters have the same values: up to a `choose`, as what there is to choose from
/// depends on the state.
struct Firing {
    rule: u32,
    first: Vec<Cell>,
    /// The values of all parameters of each.
    args: Vec<Vec<Cell>>,
}

/// What is looked at in a state.
#[derive(Default)]
struct Watched {
    /// Invariants and covers: check, property, kind.
    properties: Vec<(usize, usize, PropertyKind)>,
    /// The check of errors at run time.
    faults: usize,
    deadlocks: Option<(usize, DeadlockMode)>,
}

impl<'m> Executed<'m> {
    /// All rules; properties and deadlocks are looked at, too.
    pub fn new(
        encoding: &'m Encoding<'m>,
        diagrams: &Diagrams<'m>,
        checks: &Checks,
        deadlock: DeadlockMode,
    ) -> Self {
        let evaluated = checks.evaluated.iter().copied();
        let watched = Watched {
            properties: evaluated.filter(|(.., kind)| *kind != PropertyKind::Liveness).collect(),
            faults: checks.faults,
            deadlocks: checks.deadlocks.map(|check| (check, deadlock)),
        };
        Self::watching(encoding, diagrams, None, watched)
    }

    /// Some rule instances, of which only the steps matter.
    pub fn only<'i>(
        encoding: &'m Encoding<'m>,
        diagrams: &Diagrams<'m>,
        instances: impl IntoIterator<Item = (u32, &'i [Cell])>,
    ) -> Self {
        let mut only: Vec<Firing> = Vec::new();
        for (rule, args) in instances {
            let first = args[..unchosen(&encoding.model.rules[rule as usize]).min(args.len())].to_vec();
            match only.last_mut() {
                Some(last) if (last.rule, &last.first) == (rule, &first) => last.args.push(args.to_vec()),
                _ => only.push(Firing { rule, first, args: vec![args.to_vec()] }),
            }
        }
        Self::watching(encoding, diagrams, Some(only), Watched::default())
    }

    fn watching(
        encoding: &'m Encoding<'m>,
        diagrams: &Diagrams<'m>,
        only: Option<Vec<Firing>>,
        watched: Watched,
    ) -> Self {
        let seen = RefCell::new(Seen::new(diagrams.manager, encoding.model));
        let (last, graph) = (RefCell::default(), RefCell::default());
        Self { encoding, diagrams: diagrams.clone(), only, watched, seen, last, graph }
    }

    /// The states that steps from these states lead to.
    pub fn image(&self, states: &Bdd) -> Result<Bdd, Stop> {
        if let Some((last, successors)) = &*self.last.borrow()
            && last == states
        {
            return Ok(successors.clone());
        }
        let are_new = states.and(&self.seen.borrow().states)?.is_false();
        if are_new { self.look(states) } else { Ok(self.execute(states)?.1) }
    }

    /// Those of some states from which a step leads to these states.
    pub fn preimage(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Stop> {
        let manager = self.diagrams.manager;
        let layout = Layout::new(self.encoding, &self.diagrams);
        let mut graph = self.graph.borrow_mut();
        if !graph.as_ref().is_some_and(|graph| graph.is_of(within, &layout)) {
            *graph = None;
            *graph = Some(Graph::new(self, within, layout)?);
        }
        graph.as_ref().map_or_else(|| Ok(states.clone()), |graph| Ok(graph.preimage(manager, states)?))
    }

    /// Those of these states from which there is no step.
    pub fn halted(&self, states: &Bdd) -> Result<Bdd, Stop> {
        self.look_at(states)?;
        Ok(self.seen.borrow().halted.and(states)?)
    }

    /// What is wrong in these states.
    pub fn targets(&self, states: &Bdd) -> Result<Vec<Target>, Stop> {
        self.look_at(states)?;
        let mut targets = Vec::new();
        for target in &self.seen.borrow().wrong {
            let here = target.states.and(states)?;
            if !here.is_false() {
                targets.push(Target { states: here, ..target.clone() });
            }
        }
        Ok(targets)
    }

    /// At these states, summed up: how many instances of each rule are enabled, and how often each cover holds, by
    /// property.
    pub fn counts(&self, states: &Bdd) -> Result<(Vec<u64>, Vec<u64>), Stop> {
        if self.seen.borrow().states == *states {
            let seen = self.seen.borrow();
            return Ok((seen.fired.clone(), seen.covered.clone()));
        }
        let (seen, _) = self.execute(states)?;
        Ok((seen.fired, seen.covered))
    }

    /// Executes the states among these that were not yet.
    fn look_at(&self, states: &Bdd) -> Result<(), Stop> {
        let new = states.minus(&self.seen.borrow().states)?;
        if new.is_false() { Ok(()) } else { self.look(&new).map(|_| ()) }
    }

    /// Executes states that were not yet; gives where their steps lead.
    fn look(&self, states: &Bdd) -> Result<Bdd, Stop> {
        let (found, successors) = self.execute(states)?;
        self.seen.borrow_mut().add(found)?;
        *self.last.borrow_mut() = Some((states.clone(), successors.clone()));
        Ok(successors)
    }

    /// What becomes of these states, and where their steps lead.
    fn execute(&self, states: &Bdd) -> Result<(Seen, Bdd), Stop> {
        let (manager, model) = (self.diagrams.manager, self.encoding.model);
        let mut successors = manager.constant(false);
        let mut seen = Seen::new(manager, model);
        seen.states = states.clone();
        let layout = Layout::new(self.encoding, &self.diagrams);
        let mut machine = self.machine();
        let mut left = states.assignments(manager, layout.columns());
        let mut few = Few::new(layout.columns());
        let mut state = Vec::new();
        let mut count = 0;
        while let Some(row) = left.next_row() {
            layout.unpack(row, &mut state);
            self.execute_one(&mut machine, &layout, row, &state, &mut few, &mut seen)?;
            count += 1;
            if count % MOST_STATES == 0 || few.is_large() {
                successors = successors.or(&seen.take(manager, layout.columns(), &mut few)?)?;
            }
        }
        successors = successors.or(&seen.take(manager, layout.columns(), &mut few)?)?;
        let covered = machine.side_effects().covered;
        seen.covered.iter_mut().zip(covered).for_each(|(all, more)| *all = all.saturating_add(more));
        Ok((seen, successors))
    }

    /// What becomes of a state.
    fn execute_one(
        &self,
        machine: &mut Machine<'m>,
        layout: &Layout<'_>,
        row: &[u64],
        state: &[Cell],
        few: &mut Few,
        seen: &mut Seen,
    ) -> Result<(), Stop> {
        for (check, property, kind) in &self.watched.properties {
            match (machine.holds(*property, state).map_err(time_up)?, kind) {
                (Ok(held), PropertyKind::Cover) => seen.covered[*property] += held,
                (Ok(0), _) => few.wrong(*check, Ending::Invariant, row),
                (Ok(_), _) => {}
                (Err(fault), _) => {
                    let ending = Ending::PropertyFault { fault: plain(fault), property: *property };
                    few.wrong(self.watched.faults, ending, row);
                }
            }
        }
        let (mut halted, mut stuck) = (true, true);
        let stutters = |stuttering| match self.watched.deadlocks {
            Some((_, DeadlockMode::Stuck)) => false,
            _ => stuttering,
        };
        let fired = &mut seen.fired;
        self.each_step(machine, state, &mut |step| {
            let fault = |fault, in_guard| {
                let (rule, args) = (step.rule, step.args.to_vec());
                Ending::Fault { fault: plain(fault), rule, args, in_guard }
            };
            let is_guard_fault = matches!(step.outcome, Outcome::GuardFault(_));
            fired[step.rule as usize] += u64::from(!is_guard_fault);
            stuck &= matches!(step.outcome, Outcome::State(_)) && stutters(step.stutters);
            match step.outcome {
                Outcome::State(next) => {
                    halted = false;
                    layout.pack(next, &mut few.row);
                    few.successors.push(&few.row);
                }
                Outcome::Dropped => {}
                Outcome::GuardFault(wrong) => few.wrong(self.watched.faults, fault(wrong, true), row),
                Outcome::Fault(wrong) => few.wrong(self.watched.faults, fault(wrong, false), row),
            }
            ControlFlow::Continue(())
        })?;
        if halted {
            few.halted.push(row);
        }
        if let Some((check, _)) = self.watched.deadlocks.filter(|_| stuck) {
            few.wrong(check, Ending::Deadlock, row);
        }
        Ok(())
    }

    fn machine(&self) -> Machine<'m> {
        let mut machine = Machine::new(self.encoding.model, self.encoding.semantics);
        machine.set_deadline(self.diagrams.deadline);
        machine
    }

    /// Gives the steps from a state.
    fn each_step(&self, machine: &mut Machine<'m>, state: &[Cell], sink: &mut Sink<'_>) -> Result<(), Stop> {
        let Some(only) = &self.only else { return machine.successors(state, sink).map_err(time_up) };
        for Firing { rule, first, args } in only {
            let mut wanted = |step: Step<'_>| match args.iter().any(|args| *args == step.args) {
                true => sink(step),
                false => ControlFlow::Continue(()),
            };
            machine.fire_instances(*rule, first, state, &mut wanted).map_err(time_up)?;
        }
        Ok(())
    }
}

/// How many parameters of a rule come before the first that is chosen from a multiset.
fn unchosen(rule: &Rule) -> usize {
    let parameters = rule.binders.iter().filter(|binder| !matches!(binder, Binder::Alias(..)));
    parameters.take_while(|binder| !matches!(binder, Binder::Choose(..))).count()
}

fn time_up(_: TimeUp) -> Stop {
    Stop::Time
}

/// What goes wrong; whoever executes it again says it in words.
fn plain(fault: Fault) -> Fault {
    Fault { message: String::new(), ..fault }
}
