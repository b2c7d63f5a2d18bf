//! A model as diagrams: its start states, its steps, and the sets of states in which something is wrong.

use std::collections::HashMap;
use std::ops::ControlFlow;

use burnside_encode::{Component, Condition, Encoding, FaultCase, Instance, Step};
use burnside_model::code::{Cell, DomainId, Fault};
use burnside_model::findings::{Checks, Ending};
use burnside_model::system::{Machine, Outcome, PropertyKind};
use burnside_model::{DeadlockMode, System as _};

use crate::algebra::{Diagrams, Failed};
use crate::bdd::{Bdd, Counter, OutOfNodes};
use crate::count::Count;
use crate::decide::Target;
use crate::late::Late;
use crate::pieces;
use crate::relation::{Frames, Relation, Updates};
use crate::search::Stop;
use crate::tally::tally;
use crate::temporal::facts::Facts;

/// Relations of one component are united as long as they have fewer nodes than this together.
const SMALL_RELATION: usize = 500;

/// So many steps that differ only in constants that they write are taken together at once.
const MOST_CHOICES: usize = 64;

/// Where covers hold, by property.
type Covers = Vec<(u32, Bdd)>;

/// One instance of a liveness property.
pub struct LiveInstance {
    /// The values of its parameters.
    pub args: Vec<Cell>,
    /// Where there is such an instance.
    pub claimed: Bdd,
    /// Where it holds.
    pub holds: Bdd,
}

/// A liveness property.
pub struct Live {
    /// Where it cannot be evaluated.
    pub faulty: Bdd,
    /// Its instances.
    pub instances: Vec<LiveInstance>,
}

/// The steps of one component as functions of the state before: small where their relations may be large.
pub struct Steps {
    /// The element that all have as their outermost parameter, if they have one.
    pub element: Option<(DomainId, u32)>,
    /// Where each step can be taken, and what the bits that it writes become.
    pub steps: Vec<(Bdd, Updates)>,
}

/// A model as diagrams.
pub struct System<'m> {
    /// Where the diagrams are, and which variable is which bit.
    pub diagrams: Diagrams<'m>,
    /// How states are written in bits.
    pub encoding: &'m Encoding<'m>,
    /// The start states.
    pub initial: Bdd,
    /// All steps, component by component; none where a reduction makes them when their turn comes.
    pub relations: Vec<Relation>,
    /// What they are made from, where a reduction makes them.
    pub components: Vec<Steps>,
    /// What can go wrong.
    pub targets: Vec<Target>,
    /// And what more, which is looked at where states are found.
    pub late: Late,
    /// What goes wrong in start states.
    pub failed_starts: Vec<Ending>,
    /// The liveness properties, by their position in the model.
    pub live: HashMap<usize, Live>,
    /// What temporal formulas need to know.
    pub facts: Facts,
    /// Where some rule goes on, so that there is no deadlock.
    pub(crate) progress: Bdd,
    /// The check of errors at run time.
    faults: usize,
    /// How many nodes something may take that could be looked at late.
    pub(crate) room: usize,
    /// Where rule instances are enabled, and how many in a row are so at the same states.
    enabled: Vec<(u32, Bdd, u64)>,
    /// Where covers hold, by property: each counts once per state.
    covers: Vec<(u32, Bdd)>,
    /// How often cover statements held on the way to start states, by property.
    start_covers: Vec<u64>,
}

impl<'m> System<'m> {
    /// Builds the diagrams of everything that the checks need; relations only if they are wanted now, and large sets of
    /// states where something is wrong only if all of them are wanted.
    pub fn new(
        encoding: &'m Encoding<'m>,
        diagrams: Diagrams<'m>,
        checks: &Checks,
        deadlock: DeadlockMode,
        with_relations: bool,
        with_all_targets: bool,
    ) -> Result<Self, Failed> {
        let (no, sizes) = (diagrams.manager.constant(false), diagrams.sizes);
        let mut system = System {
            diagrams,
            encoding,
            initial: no.clone(),
            relations: Vec::new(),
            components: Vec::new(),
            targets: Vec::new(),
            late: Late::default(),
            failed_starts: Vec::new(),
            live: HashMap::new(),
            facts: Facts::new(encoding.model, &no),
            progress: no.clone(),
            faults: checks.faults,
            room: if with_all_targets { usize::MAX } else { sizes.condition },
            enabled: Vec::new(),
            covers: Vec::new(),
            start_covers: Vec::new(),
        };
        system.start()?;
        system.properties(checks)?;
        let mut frames = Frames::of_parts(sizes.relation);
        for component in encoding.instances()? {
            let steps = system.component(&component, checks, deadlock)?;
            if with_relations {
                let relations = system.relations_of(&steps, &mut frames)?;
                system.relations.extend(relations);
            } else {
                system.components.push(steps);
            }
        }
        if let Some(check) = checks.deadlocks.filter(|_| system.late.deadlocks.is_none()) {
            let states = system.progress.not();
            system.targets.extend(target(check, &states, Ending::Deadlock));
        }
        Ok(system)
    }

    /// How many bits a state has.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.diagrams.variables.bits()
    }

    /// The start states, and what goes wrong in others.
    fn start(&mut self) -> Result<(), Failed> {
        self.initial = self.encoding.initial(&mut self.diagrams)?;
        let mut machine = Machine::new(self.encoding.model, self.encoding.semantics);
        let failed = &mut self.failed_starts;
        // The machine has no deadline.
        let _ = machine.initial(&mut |step| {
            if let Outcome::Fault(fault) | Outcome::GuardFault(fault) = step.outcome {
                let (rule, args) = (step.rule, step.args.to_vec());
                failed.push(Ending::Fault { fault, rule, args, in_guard: false });
            }
            ControlFlow::Continue(())
        });
        self.start_covers = machine.side_effects().covered;
        Ok(())
    }

    /// Where properties do not hold or cannot be evaluated.
    fn properties(&mut self, checks: &Checks) -> Result<(), Failed> {
        for (check, property, kind) in &checks.evaluated {
            if *kind == PropertyKind::Invariant {
                let mut diagrams = self.diagrams.with_room(self.room);
                let made = self.invariant(&mut diagrams, *check, *property);
                match diagrams.unless_large(made)? {
                    Some((targets, covers)) => {
                        self.targets.extend(targets);
                        self.covers.extend(covers);
                    }
                    None => self.late.invariants.push((*check, *property)),
                }
                continue;
            }
            let condition = self.encoding.property(&mut self.diagrams, *property)?;
            let mut faulty = self.diagrams.manager.constant(false);
            for case in &condition.faults {
                faulty = faulty.or(&case.condition)?;
                let ending = Ending::PropertyFault { fault: fault(case), property: *property };
                self.targets.extend(target(checks.faults, &case.condition, ending));
            }
            self.covers.extend(condition.covers.iter().cloned());
            match kind {
                PropertyKind::Cover => {
                    for instance in &condition.instances {
                        let holds = instance.exists.and(&instance.holds)?.minus(&faulty)?;
                        self.covers.push((*property as u32, holds));
                    }
                }
                _ => {
                    self.live.insert(*property, live(condition, faulty));
                }
            }
        }
        for (property, case) in self.facts.evaluate(self.encoding, &mut self.diagrams)? {
            let ending = Ending::PropertyFault { fault: fault(&case), property };
            self.targets.extend(target(checks.faults, &case.condition, ending));
        }
        Ok(())
    }

    /// Where an invariant does not hold or cannot be evaluated, and where covers in functions that it calls hold.
    pub(crate) fn invariant(
        &self,
        diagrams: &mut Diagrams<'m>,
        check: usize,
        property: usize,
    ) -> Result<(Vec<Target>, Covers), Failed> {
        let condition = self.encoding.property(diagrams, property)?;
        let mut faulty = diagrams.manager.constant(false);
        let mut targets = Vec::new();
        for case in &condition.faults {
            let states = diagrams.within(&case.condition)?;
            faulty = faulty.or(&states)?;
            let ending = Ending::PropertyFault { fault: fault(case), property };
            targets.extend(target(self.faults, &states, ending));
        }
        let bad = diagrams.within(&condition.holds.or(&faulty)?.not())?;
        targets.extend(target(check, &bad, Ending::Invariant));
        let covers = condition.covers.iter().map(|(cover, states)| Ok((*cover, diagrams.within(states)?)));
        Ok((targets, covers.collect::<Result<_, OutOfNodes>>()?))
    }

    /// The steps of one component, and what its rules do besides.
    fn component(
        &mut self,
        component: &Component,
        checks: &Checks,
        deadlock: DeadlockMode,
    ) -> Result<Steps, Failed> {
        let mut steps = Steps { element: component.element, steps: Vec::new() };
        let (mut last, mut first): (Option<&Instance>, usize) = (None, 0);
        for (instance, step) in pieces::steps(self.encoding, &self.diagrams, &component.instances)? {
            if let Some(check) = checks.deadlocks {
                self.goes_on(&step, deadlock, check)?;
            }
            if last != Some(instance) {
                (last, first) = (Some(instance), self.targets.len());
            }
            for case in &step.faults {
                let (rule, args, in_guard) = (step.rule, step.args.clone(), case.in_guard);
                let ending = Ending::Fault { fault: fault(case), rule, args, in_guard };
                // Something may go wrong in several cases of one instance.
                match self.targets[first..].iter_mut().find(|target| target.ending == ending) {
                    Some(known) => known.states = known.states.or(&case.condition)?,
                    None => self.targets.extend(target(checks.faults, &case.condition, ending)),
                }
            }
            match self.enabled.last_mut() {
                Some((rule, guard, times)) if (*rule, &*guard) == (step.rule, &step.guard) => *times += 1,
                _ => self.enabled.push((step.rule, step.guard.clone(), 1)),
            }
            self.covers.extend(step.covers.iter().cloned());
            self.facts.note(self.encoding.model, instance, &step)?;
            if !step.next.is_false() && !step.updates.is_empty() {
                steps.steps.push((step.next, step.updates));
            }
        }
        Ok(steps)
    }

    /// The relations of a component's steps, small ones united.
    pub fn relations_of(&self, steps: &Steps, frames: &mut Frames) -> Result<Vec<Relation>, OutOfNodes> {
        let (manager, variables) = (self.diagrams.manager, self.diagrams.variables);
        let mut relations: Vec<Relation> = Vec::new();
        // How many nodes the last one had when they were counted, and about how many it has now.
        let (mut counted, mut about) = (0, 0);
        for choices in steps.steps.chunk_by(alike).flat_map(|choices| choices.chunks(MOST_CHOICES)) {
            let updates: Vec<&Updates> = choices.iter().map(|(_, updates)| updates).collect();
            let relation = Relation::of_updates(manager, variables, frames, &choices[0].0, &updates)?;
            let size = relation.size();
            self.diagrams.manager.tidy();
            if let Some(last) = relations.last_mut() {
                if about + size >= SMALL_RELATION || about > 2 * counted {
                    counted = last.size();
                    about = counted;
                }
                if about + size < SMALL_RELATION {
                    *last = last.union(&relation, manager, variables, frames)?;
                    about += size;
                    continue;
                }
            }
            relations.push(relation);
            (counted, about) = (size, size);
        }
        Ok(relations)
    }

    /// Makes one relation of all steps.
    pub fn unite_relations(&mut self) -> Result<(), Stop> {
        let (manager, variables) = (self.diagrams.manager, self.diagrams.variables);
        let mut frames = Frames::default();
        let mut relations = std::mem::take(&mut self.relations).into_iter();
        let Some(mut all) = relations.next() else { return Ok(()) };
        for relation in relations {
            all = all.union(&relation, manager, variables, &mut frames)?;
            self.diagrams.pause()?;
        }
        self.relations = vec![all];
        Ok(())
    }

    /// Takes note of where a step counts as one that a deadlock does not have.
    fn goes_on(&mut self, step: &Step<Bdd>, deadlock: DeadlockMode, check: usize) -> Result<(), Stop> {
        let mut goes_on = step.dropped.clone();
        for case in &step.faults {
            goes_on = goes_on.or(&case.condition)?;
        }
        let changes = match deadlock {
            DeadlockMode::Stuck => Some(step.next.clone()),
            _ if self.late.deadlocks.is_some() => None,
            _ => self.changes(step)?,
        };
        match changes {
            Some(changes) => goes_on = goes_on.or(&changes)?,
            None => {
                self.late.deadlocks = Some(check);
                self.late.steps.push((step.next.clone(), step.updates.clone()));
            }
        }
        if self.late.deadlocks.is_some() {
            self.late.progress.push(goes_on);
            return Ok(());
        }
        let nodes = self.diagrams.manager.nodes();
        self.progress = self.progress.or(&goes_on)?;
        if self.diagrams.manager.nodes().saturating_sub(nodes) > self.room / 8 {
            self.late.deadlocks = Some(check);
        }
        Ok(())
    }

    /// One of these states, as a set.
    pub fn pick(&self, states: &Bdd) -> Result<Bdd, OutOfNodes> {
        let Some(values) = states.pick() else { return Ok(states.clone()) };
        let variables = self.diagrams.variables;
        let bits = variables.values_now(&values);
        self.diagrams
            .manager
            .cube(bits.into_iter().enumerate().map(|(bit, value)| (variables.now(bit), value)))
    }

    /// The state of a set of one.
    #[must_use]
    pub fn state(&self, set: &Bdd) -> Vec<Cell> {
        let values = set.pick().unwrap_or_else(|| vec![false; self.diagrams.variables.variables()]);
        self.encoding.unpack(&self.diagrams.variables.values_now(&values))
    }

    /// Where a cover holds.
    pub fn cover(&self, property: usize) -> Result<Bdd, OutOfNodes> {
        let sets = self.covers.iter().filter(|(of, _)| *of as usize == property);
        sets.map(|(_, set)| set).try_fold(self.diagrams.manager.constant(false), |all, set| all.or(set))
    }

    /// How often each cover held, by property; no more than fit.
    pub fn covered(&self, reached: &Bdd) -> Result<Vec<u64>, Stop> {
        let mut covers = vec![Vec::new(); self.start_covers.len()];
        for (property, states) in self.covers.iter().chain(&*self.late.covers.borrow()) {
            covers[*property as usize].push((states.clone(), 1));
        }
        let mut counter = Counter::new(self.bits());
        let mut covered = self.start_covers.clone();
        for (covers, covered) in covers.iter().zip(&mut covered) {
            let count = self.tally(&mut counter, reached, covers)?;
            *covered = covered.saturating_add(count.to_u64().unwrap_or(u64::MAX));
        }
        Ok(covered)
    }

    /// How many instances of each rule are enabled at these states, summed up; none if more than fit.
    pub fn fired(&self, reached: &Bdd) -> Result<Option<Vec<u64>>, Stop> {
        let mut counter = Counter::new(self.bits());
        if counter.count(reached).to_u64().is_none() {
            return Ok(None);
        }
        let mut instances = vec![Vec::new(); self.encoding.model.rules.len()];
        for (rule, enabled, times) in &self.enabled {
            instances[*rule as usize].push((enabled.clone(), *times));
        }
        let mut fired = Vec::new();
        for instances in &instances {
            fired.push(self.tally(&mut counter, reached, instances)?.to_u64());
        }
        Ok(fired.into_iter().collect())
    }

    fn tally(&self, counter: &mut Counter, reached: &Bdd, functions: &[(Bdd, u64)]) -> Result<Count, Stop> {
        self.diagrams.pause()?;
        Ok(tally(self.diagrams.manager, counter, reached, functions)?)
    }
}

/// Whether two steps differ only in constants that they write to the same bits.
fn alike((one_guard, one): &(Bdd, Updates), (other_guard, other): &(Bdd, Updates)) -> bool {
    let constant = |function: &Bdd| function.is_true() || function.is_false();
    let alike = |((one_bit, one), (other_bit, other)): (&(usize, Bdd), &(usize, Bdd))| {
        one_bit == other_bit && (one == other || constant(one) && constant(other))
    };
    one_guard == other_guard && one.len() == other.len() && one.iter().zip(other).all(alike)
}

/// Where something is wrong, if it can be so.
fn target(check: usize, states: &Bdd, ending: Ending) -> Option<Target> {
    (!states.is_false()).then(|| Target { check, states: states.clone(), ending })
}

/// What goes wrong; whoever executes it again says it in words.
fn fault(case: &FaultCase<Bdd>) -> Fault {
    Fault { kind: case.kind, span: case.span, message: String::new() }
}

fn live(condition: Condition<Bdd>, faulty: Bdd) -> Live {
    let instance = |instance: burnside_encode::PropertyInstance<Bdd>| LiveInstance {
        args: instance.args,
        claimed: instance.exists,
        holds: instance.holds,
    };
    Live { faulty, instances: condition.instances.into_iter().map(instance).collect() }
}
