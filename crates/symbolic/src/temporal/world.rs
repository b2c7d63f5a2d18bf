//! Sets of states as CTL needs them: of all states that are reachable, or of one representative of each orbit.
//!
//! With representatives, every set that is asked for must be closed under the group: conditions, agents and constraints
//! must be fixed by it. Then a representative is in a set if and only if its whole orbit is, complement is that within the
//! representatives, and the representatives of predecessors are those of predecessors of representatives: α after every
//! image and preimage. That takes representatives that are unique.

use burnside_encode::Refusal;
use burnside_logic::{Atom, StateSets};

use crate::algebra::Failed;
use crate::bdd::{Bdd, OutOfNodes};
use crate::on_the_fly::xi::Xi;
use crate::reduce::orbit_relation::permuted;
use crate::reduce::quotient::Quotient;
use crate::reduce::space::Which;
use crate::search::Stop;
use crate::system::System;
use crate::transitions::Transitions;

/// The steps of a system, made once.
pub struct Relations<'m> {
    /// All; where they are relations, those that write something.
    pub all: Vec<Transitions<'m>>,
    /// Those of each agent.
    pub agents: Vec<Vec<Transitions<'m>>>,
}

/// The reachable states, or their representatives.
pub struct World<'w> {
    system: &'w System<'w>,
    relations: &'w Relations<'w>,
    /// How representatives are found; none if all states are kept.
    quotient: Option<&'w Quotient<'w>>,
    /// Or those that were chosen on the fly.
    xi: Option<&'w Xi>,
    /// Everything reachable.
    universe: Bdd,
    /// The start states, all of them.
    starts: Bdd,
    /// Their representatives.
    initial: Bdd,
    /// Where no step can be taken.
    stuck: Bdd,
}

impl<'w> World<'w> {
    /// What is reachable from these start states, which must be closed under the quotient's group.
    pub fn new(
        system: &'w System<'w>,
        relations: &'w Relations<'w>,
        quotient: Option<&'w Quotient<'w>>,
        starts: Bdd,
        universe: Bdd,
    ) -> Result<Self, Stop> {
        let stuck = system.halted(&universe)?;
        let initial = starts.clone();
        let xi = None;
        let mut world = World { system, relations, quotient, xi, universe, starts, initial, stuck };
        world.initial = world.represent(&world.starts)?;
        Ok(world)
    }

    /// The same with representatives that were chosen on the fly, start states among them.
    pub fn represented(mut self, xi: &'w Xi) -> Self {
        self.xi = Some(xi);
        self
    }

    /// Whether all states are kept.
    pub fn is_unreduced(&self) -> bool {
        self.quotient.is_none() && self.xi.is_none()
    }

    /// Whether a state is in the orbit of a representative, both sets of one.
    pub fn is_represented(&self, state: &Bdd, representative: &Bdd) -> Result<bool, OutOfNodes> {
        representative.implies(&self.represent(state)?)
    }

    /// How many states, or representatives, in decimal.
    pub fn count(&self) -> String {
        self.universe.count(self.system.bits()).to_string()
    }

    /// The representatives of the states of a set.
    pub fn represent(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        match (self.xi, self.quotient) {
            (Some(xi), _) => xi.representatives(set),
            (None, Some(quotient)) => quotient.represent(set),
            (None, None) => Ok(set.clone()),
        }
    }

    /// Those start states whose representatives are in a set.
    pub fn starts_in(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        let found = set.and(&self.initial)?;
        match self.quotient {
            None => Ok(found),
            Some(quotient) => {
                let manager = self.system.diagrams.manager;
                permuted(manager, quotient.space(), Which::Current, found)?.and(&self.starts)
            }
        }
    }

    /// The states to which a step leads from these, of an agent if one is given; not their representatives.
    pub fn successors(&self, set: &Bdd, agent: Option<usize>) -> Result<Bdd, Failed> {
        let none = self.system.diagrams.manager.constant(false);
        let (relations, mut found) = match agent {
            Some(agent) => (&self.relations.agents[agent], none),
            // A state is stuck if those of its orbit are.
            None => {
                let idling = set.and(&self.system.facts.idling)?;
                (&self.relations.all, idling.or(&self.system.halted(set)?)?)
            }
        };
        for relation in relations {
            found = found.or(&relation.image(set)?)?;
            self.system.diagrams.pause()?;
        }
        Ok(found)
    }

    fn predecessors(&self, relations: &[Transitions<'_>], mut found: Bdd, set: &Bdd) -> Result<Bdd, Failed> {
        if let Some(xi) = self.xi {
            return self.predecessors_of_orbits(relations, found, &xi.orbits(set)?);
        }
        if let (Some(quotient), [Transitions::Executed(_)]) = (self.quotient, relations) {
            return self.predecessors_of_orbits(relations, found, &quotient.orbits(set)?);
        }
        // A predecessor may be another state of the orbit of a representative.
        let all = self.system.diagrams.manager.constant(true);
        let within = if self.quotient.is_some() { &all } else { &self.universe };
        for relation in relations {
            found = found.or(&relation.preimage(set, within)?)?;
            self.system.diagrams.pause()?;
        }
        Ok(self.represent(&found)?.and(&self.universe)?)
    }

    /// From whole orbits, whole orbits are found.
    fn predecessors_of_orbits(
        &self,
        relations: &[Transitions<'_>],
        mut found: Bdd,
        orbits: &Bdd,
    ) -> Result<Bdd, Failed> {
        for relation in relations {
            found = found.or(&relation.preimage(orbits, &self.universe)?)?;
            self.system.diagrams.pause()?;
        }
        Ok(found.and(&self.universe)?)
    }
}

impl StateSets for World<'_> {
    type Set = Bdd;
    type Error = Failed;

    fn universe(&mut self) -> Result<Bdd, Failed> {
        Ok(self.universe.clone())
    }

    fn empty(&mut self) -> Result<Bdd, Failed> {
        Ok(self.system.diagrams.manager.constant(false))
    }

    fn initial(&mut self) -> Result<Bdd, Failed> {
        Ok(self.initial.clone())
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Failed> {
        Ok(a.and(b)?)
    }

    fn or(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Failed> {
        Ok(a.or(b)?)
    }

    fn not(&mut self, a: &Bdd) -> Result<Bdd, Failed> {
        Ok(self.universe.minus(a)?)
    }

    fn pre(&mut self, a: &Bdd) -> Result<Bdd, Failed> {
        let idling = a.and(&self.system.facts.idling)?;
        let found = self.predecessors(&self.relations.all, idling, a)?;
        Ok(found.or(&a.and(&self.stuck)?)?)
    }

    fn post(&mut self, a: &Bdd) -> Result<Bdd, Failed> {
        Ok(self.represent(&self.successors(a, None)?)?)
    }

    fn pre_by(&mut self, agent: usize, a: &Bdd) -> Result<Bdd, Failed> {
        let none = self.empty()?;
        self.predecessors(&self.relations.agents[agent], none, a)
    }

    fn atom(&mut self, atom: &Atom<'_>) -> Result<Bdd, Failed> {
        match self.system.facts.condition(atom.condition, atom.bindings) {
            Some(holds) => Ok(holds.and(&self.universe)?),
            None => {
                let reason = "a condition of a formula was not evaluated".to_owned();
                Err(Failed::Refused(Refusal { reason, span: Some(atom.condition.span) }))
            }
        }
    }

    fn is_empty(&mut self, a: &Bdd) -> Result<bool, Failed> {
        Ok(a.is_false())
    }

    fn same(&mut self, a: &Bdd, b: &Bdd) -> Result<bool, Failed> {
        Ok(a == b)
    }

    fn pick(&mut self, a: &Bdd) -> Result<Option<Bdd>, Failed> {
        if a.is_false() { Ok(None) } else { Ok(Some(self.system.pick(a)?)) }
    }

    fn minus(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Failed> {
        Ok(a.minus(b)?)
    }
}
