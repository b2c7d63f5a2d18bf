//! The rules of a model: as diagrams, component by component, or executed where those would be too large.

use std::collections::HashMap;
use std::rc::Rc;

use burnside_encode::{Component, Instance, Step};
use burnside_model::DeadlockMode;
use burnside_model::code::DomainId;
use burnside_model::findings::{Checks, Ending};

use crate::algebra::Failed;
use crate::bdd::{Bdd, OutOfNodes};
use crate::executed::Executed;
use crate::relation::{Frames, Relation, Updates};
use crate::search::Stop;
use crate::system::{System, fault, target};
use crate::transitions::Transitions;

/// Relations of one component are united as long as they have fewer nodes than this together.
const SMALL_RELATION: usize = 500;

/// So many steps that differ only in constants that they write are taken together at once.
const MOST_CHOICES: usize = 64;

/// Fewer rule instances than this may be as large as so many.
const FEW_INSTANCES: usize = 1 << 8;

/// The steps of one component.
#[derive(Clone, Default)]
pub struct Steps {
    /// The element that all have as their outermost parameter, if they have one.
    pub element: Option<(DomainId, u32)>,
    /// Where each step can be taken, and what the bits that it writes become: small where their relation may be large.
    pub steps: Vec<(Bdd, Updates)>,
    /// Or the rule instances that take them, where they are executed.
    pub executed: Vec<Instance>,
}

/// What rule instances do.
type Encoded<'i> = Vec<(&'i Instance, Step<Bdd>)>;

impl<'m> System<'m> {
    /// Makes the diagrams of all rules; whether they are not too large.
    pub(crate) fn encode(
        &mut self,
        components: &[Component],
        checks: &Checks,
        deadlock: DeadlockMode,
        with_relations: bool,
    ) -> Result<bool, Failed> {
        let mut frames = Frames::of_parts(self.diagrams.sizes.relation);
        let instances: usize = components.iter().map(|component| component.instances.len()).sum();
        let most = self.diagrams.sizes.average.saturating_mul(instances.max(FEW_INSTANCES));
        // How many nodes relations have together, and those of each domain's first element.
        let (mut nodes, mut like_others) = (0usize, HashMap::new());
        for component in components {
            let Some(encoded) = self.encoded(&component.instances)? else { return Ok(false) };
            let steps = self.component(component, encoded, checks, deadlock)?;
            let domain = component.element.map(|(domain, _)| domain);
            nodes = nodes.saturating_add(match like_others.get(&domain) {
                Some(size) if !with_relations => *size,
                _ => {
                    let relations = self.relations_of(&steps, &mut frames)?;
                    let size = relations.iter().filter_map(Transitions::relation).map(Relation::size).sum();
                    like_others.insert(domain, size);
                    self.relations.extend(relations.into_iter().filter(|_| with_relations));
                    size
                }
            });
            self.components.extend((!with_relations).then_some(steps));
            if nodes > most {
                return Ok(false);
            }
        }
        if let Some(check) = checks.deadlocks.filter(|_| self.late.deadlocks.is_none()) {
            let states = self.progress.not();
            self.targets.extend(target(check, &states, Ending::Deadlock));
        }
        Ok(true)
    }

    /// What rule instances do, unless one is too large.
    fn encoded<'i>(&self, instances: &'i [Instance]) -> Result<Option<Encoded<'i>>, Failed> {
        let encode = |instances: &'i [Instance], room| {
            let mut diagrams = self.diagrams.with_room(room);
            let steps = self.encoding.rules(&mut diagrams, instances).map_err(Failed::from);
            diagrams.unless_large(steps)
        };
        // Together, what they have in common is made once.
        if let Some(steps) = encode(instances, self.diagrams.sizes.component)? {
            return Ok(Some(instances.iter().zip(steps).collect()));
        }
        let mut encoded = Encoded::new();
        for instance in instances {
            self.diagrams.pause()?;
            let steps = encode(std::slice::from_ref(instance), self.diagrams.sizes.instance)?;
            let Some(steps) = steps else { return Ok(None) };
            encoded.extend(steps.into_iter().map(|step| (instance, step)));
        }
        Ok(Some(encoded))
    }

    /// The steps of one component; takes note of what its rules do besides.
    fn component(
        &mut self,
        component: &Component,
        encoded: Encoded<'_>,
        checks: &Checks,
        deadlock: DeadlockMode,
    ) -> Result<Steps, Failed> {
        let mut steps = Steps { element: component.element, ..Steps::default() };
        for (instance, step) in encoded {
            if let Some(check) = checks.deadlocks {
                self.goes_on(&step, deadlock, check)?;
            }
            for case in &step.faults {
                let (rule, args, in_guard) = (step.rule, step.args.clone(), case.in_guard);
                let ending = Ending::Fault { fault: fault(case), rule, args, in_guard };
                self.targets.extend(target(checks.faults, &case.condition, ending));
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

    pub(crate) fn execute(&mut self, components: Vec<Component>, checks: &Checks, deadlock: DeadlockMode) {
        let executed = Rc::new(Executed::new(self.encoding, &self.diagrams, checks, deadlock));
        self.relations = vec![Transitions::Executed(executed.clone())];
        self.executed = Some(executed);
        for Component { element, instances } in components {
            instances.iter().for_each(|instance| self.facts.note_executed(self.encoding.model, instance));
            self.components.push(Steps { element, executed: instances, ..Steps::default() });
        }
    }

    /// The relations of a component's steps, small ones united; or the steps as they are executed.
    pub fn relations_of(
        &self,
        steps: &Steps,
        frames: &mut Frames,
    ) -> Result<Vec<Transitions<'m>>, OutOfNodes> {
        if !steps.executed.is_empty() {
            let instances = steps.executed.iter().map(|instance| (instance.rule, &instance.args[..]));
            let only = Executed::only(self.encoding, &self.diagrams, instances);
            return Ok(vec![Transitions::Executed(Rc::new(only))]);
        }
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
        Ok(relations.into_iter().map(Transitions::Related).collect())
    }

    /// Makes one relation of all steps; gives how many nodes it has.
    pub fn unite_relations(&mut self) -> Result<usize, Stop> {
        let (manager, variables) = (self.diagrams.manager, self.diagrams.variables);
        let mut frames = Frames::default();
        let mut relations = self.relations.iter().filter_map(Transitions::relation);
        let Some(mut all) = relations.next().cloned() else { return Ok(0) };
        for relation in relations {
            all = all.union(relation, manager, variables, &mut frames)?;
            self.diagrams.pause()?;
        }
        let size = all.size();
        self.relations = vec![Transitions::Related(all)];
        Ok(size)
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
}

/// Whether two steps differ only in constants that they write to the same bits.
fn alike((one_guard, one): &(Bdd, Updates), (other_guard, other): &(Bdd, Updates)) -> bool {
    let constant = |function: &Bdd| function.is_true() || function.is_false();
    let alike = |((one_bit, one), (other_bit, other)): (&(usize, Bdd), &(usize, Bdd))| {
        one_bit == other_bit && (one == other || constant(one) && constant(other))
    };
    one_guard == other_guard && one.len() == other.len() && one.iter().zip(other).all(alike)
}
