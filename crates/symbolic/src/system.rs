//! A model as diagrams: its start states, its steps, and the sets of states in which something is wrong.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use burnside_encode::{Condition, Encoding, FaultCase};
use burnside_model::code::{Cell, Fault};
use burnside_model::findings::{Checks, Ending};
use burnside_model::system::{Machine, Outcome, PropertyKind};
use burnside_model::{DeadlockMode, System as _};

use crate::algebra::{Diagrams, Failed};
use crate::bdd::{Bdd, Counter, OutOfNodes};
use crate::decide::Target;
use crate::executed::Executed;
use crate::late::Late;
use crate::rules::Steps;
use crate::search::Stop;
use crate::tally::tally;
use crate::temporal::facts::Facts;
use crate::transitions::Transitions;
use burnside_model::Count;

/// Where covers hold, by property.
type Covers = Vec<(u32, Bdd)>;

/// One instance of a liveness property.
pub struct LiveInstance {
    /// The values of its parameters.
    pub args: Vec<Cell>,
    /// Where there is such an instance.
    pub claimed: Bdd,
    pub holds: Bdd,
}

/// A liveness property.
pub struct Live {
    /// Where it cannot be evaluated.
    pub faulty: Bdd,
    pub instances: Vec<LiveInstance>,
}

/// A model as diagrams.
pub struct System<'m> {
    /// Where the diagrams are, and which variable is which bit.
    pub diagrams: Diagrams<'m>,
    /// How states are written in bits.
    pub encoding: &'m Encoding<'m>,
    pub initial: Bdd,
    /// All steps, component by component; none where a reduction makes them when their turn comes.
    pub relations: Vec<Transitions<'m>>,
    /// What they are made from, where a reduction makes them.
    pub components: Vec<Steps>,
    /// All rules, if they are executed state by state.
    pub executed: Option<Rc<Executed<'m>>>,
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
    pub(crate) enabled: Vec<(u32, Bdd, u64)>,
    /// Where covers hold, by property: each counts once per state.
    pub(crate) covers: Vec<(u32, Bdd)>,
    /// How often cover statements held on the way to start states, by property.
    start_covers: Vec<u64>,
}

impl<'m> System<'m> {
    /// Builds the diagrams of everything that the checks need; relations only if they are wanted now, and large sets of
    /// states where something is wrong only if all of them are wanted. Rules that would be too large are executed.
    pub fn new(
        encoding: &'m Encoding<'m>,
        diagrams: &Diagrams<'m>,
        checks: &Checks,
        deadlock: DeadlockMode,
        with_relations: bool,
        with_all_targets: bool,
    ) -> Result<Self, Failed> {
        let room = if with_all_targets { usize::MAX } else { diagrams.sizes.condition };
        let components = encoding.instances()?;
        let mut system = System::empty(encoding, diagrams.clone(), checks, room);
        system.start()?;
        system.properties(checks)?;
        let may_encode = diagrams.sizes.instance > 0;
        if may_encode && system.encode(&components, checks, deadlock, with_relations)? {
            return Ok(system);
        }
        let mut system = System::empty(encoding, diagrams.clone(), checks, room);
        system.start()?;
        system.execute(components, checks, deadlock);
        system.properties(checks)?;
        Ok(system)
    }

    fn empty(encoding: &'m Encoding<'m>, diagrams: Diagrams<'m>, checks: &Checks, room: usize) -> Self {
        let no = diagrams.manager.constant(false);
        System {
            diagrams,
            encoding,
            initial: no.clone(),
            relations: Vec::new(),
            components: Vec::new(),
            executed: None,
            targets: Vec::new(),
            late: Late::default(),
            failed_starts: Vec::new(),
            live: HashMap::new(),
            facts: Facts::new(encoding.model, &no),
            progress: no,
            faults: checks.faults,
            room,
            enabled: Vec::new(),
            covers: Vec::new(),
            start_covers: Vec::new(),
        }
    }

    /// How many bits a state has.
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
        // What is executed is looked at in every state.
        let looked_at = |kind: &PropertyKind| self.executed.is_some() && *kind != PropertyKind::Liveness;
        for (check, property, kind) in checks.evaluated.iter().filter(|(.., kind)| !looked_at(kind)) {
            if *kind == PropertyKind::Invariant {
                // What is late is made for all new states again: it takes much to be worse than that.
                let mut diagrams = self.diagrams.with_room_to_keep(self.room);
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

    /// One of these states, as a set.
    pub fn pick(&self, states: &Bdd) -> Result<Bdd, OutOfNodes> {
        let Some(values) = states.pick() else { return Ok(states.clone()) };
        let variables = self.diagrams.variables;
        let bits = variables.values_now(&values);
        self.diagrams
            .manager
            .cube(bits.into_iter().enumerate().map(|(bit, value)| (variables.now(bit), value)))
    }
    pub fn state(&self, set: &Bdd) -> Vec<Cell> {
        let values = set.pick().unwrap_or_else(|| vec![false; self.diagrams.variables.variables()]);
        self.encoding.unpack(&self.diagrams.variables.values_now(&values))
    }

    /// Those of some states in which no step can be taken.
    pub fn halted(&self, states: &Bdd) -> Result<Bdd, Stop> {
        match &self.executed {
            Some(executed) => executed.halted(states),
            None => Ok(states.minus(&self.facts.moving)?),
        }
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
        if let Some(executed) = &self.executed {
            let (_, counts) = executed.counts(reached)?;
            covered.iter_mut().zip(counts).for_each(|(all, more)| *all = all.saturating_add(more));
        }
        Ok(covered)
    }

    /// How many instances of each rule are enabled at these states, summed up; none if more than fit.
    pub fn fired(&self, reached: &Bdd) -> Result<Option<Vec<u64>>, Stop> {
        if let Some(executed) = &self.executed {
            return Ok(Some(executed.counts(reached)?.0));
        }
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

/// Where something is wrong, if it can be so.
pub(crate) fn target(check: usize, states: &Bdd, ending: Ending) -> Option<Target> {
    (!states.is_false()).then(|| Target { check, states: states.clone(), ending })
}

/// What goes wrong; whoever executes it again says it in words.
pub(crate) fn fault(case: &FaultCase<Bdd>) -> Fault {
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
