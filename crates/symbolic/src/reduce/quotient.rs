//! The reductions as the engine uses them: representatives of what is reachable from a model's start states.

use std::cell::RefCell;
use std::ops::ControlFlow;

use burnside_encode::Refusal;
use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_model::system::{Binder, PropertyKind};
use burnside_symmetry::Action;

use crate::algebra::Failed;
use crate::bdd::{Bdd, Manager, OutOfNodes};
use crate::relation::Frames;
use crate::search::{Ended, Reach, Search, Stop, Watch};
use crate::system::System;
use crate::transitions::Transitions;

use super::alpha::{self, Alpha, Sorting};
use super::model::{self, Fixed};
use super::multiple_representatives::MultipleRepresentatives;
use super::orbit_relation::{OrbitRelation, permuted};
use super::space::{Index, Space, Which};
use super::{Image, Relations, component, dynamic};

/// Which reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    OrbitRelation,
    /// With several representatives for each orbit.
    MultipleRepresentatives,
    /// By sorting the successors.
    Dynamic,
    /// By sorting the successors of one component after the other.
    Component,
    /// Likewise, and of components that are in the same state only one takes steps.
    ComponentState,
}

impl Kind {
    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::OrbitRelation => "orbit-relation",
            Kind::MultipleRepresentatives => "multiple-representatives",
            Kind::Dynamic => "dynamic",
            Kind::Component => "component",
            Kind::ComponentState => "component+state",
        }
    }

    /// Whether representatives are found by sorting.
    pub fn sorts(self) -> bool {
        matches!(self, Kind::Dynamic | Kind::Component | Kind::ComponentState)
    }

    /// Whether there is one representative for each orbit.
    pub fn is_unique(self, space: &Space) -> bool {
        match self {
            Kind::OrbitRelation => true,
            Kind::MultipleRepresentatives => false,
            Kind::Dynamic | Kind::Component | Kind::ComponentState => alpha::unique(space),
        }
    }

    /// Whether states can be found in the order of their distance from a start state.
    pub fn can_have_levels(self) -> bool {
        !matches!(self, Kind::Component | Kind::ComponentState)
    }
    pub fn has_levels(self, search: Search) -> bool {
        self.can_have_levels() && (self != Kind::Dynamic || search == Search::Bfs)
    }
}

/// A reduction by a verified symmetry.
#[derive(Clone, Debug)]
pub struct Reduction {
    pub kind: Kind,
    /// How neighbours are exchanged.
    pub sorting: Sorting,
    /// Whether the relation between representatives is built; if not, successors are replaced by theirs. Not where they are
    /// found by sorting.
    pub related: bool,
    /// By the name of a local variable, the order of its values, the least first; as users write them.
    pub local_order: Vec<(String, Vec<String>)>,
    pub action: Action,
}

/// How representatives are found.
enum Map<'q> {
    Orbits(OrbitRelation),
    Several(MultipleRepresentatives<'q>),
    Sorted(Alpha<'q>),
}

/// The states of a model up to symmetry.
pub struct Quotient<'q> {
    system: &'q System<'q>,
    reduction: Reduction,
    space: Space,
    map: Map<'q>,
    unique: bool,
    /// Per component of the system, its index in the space.
    parts: Vec<Option<Index>>,
    frames: RefCell<Frames>,
}

impl<'q> Quotient<'q> {
    /// What the reduction needs, if it applies.
    pub fn new(system: &'q System<'q>, reduction: &Reduction) -> Result<Self, Failed> {
        Quotient::fixing(system, reduction, None)
    }

    /// The same by those permutations only that leave some elements where they are.
    pub fn fixing(
        system: &'q System<'q>,
        reduction: &Reduction,
        fixed: Option<&Fixed>,
    ) -> Result<Self, Failed> {
        let refused = |reason: String| Failed::Refused(Refusal { reason, span: None });
        let (manager, variables) = (system.diagrams.manager, system.diagrams.variables);
        let mut space = model::space(system.encoding, variables, &reduction.action, fixed)
            .map_err(|why| refused(why.0))?;
        space.are_listed = system.executed.is_some();
        let order = model::local_order(system.encoding, &reduction.action, &reduction.local_order)
            .map_err(|why| refused(why.0))?;
        let unique = reduction.kind.is_unique(&space);
        if let Some(reason) = obstacle(system.encoding.model, unique).filter(|_| fixed.is_none()) {
            return Err(refused(reason));
        }
        let map = match reduction.kind {
            Kind::OrbitRelation => Map::Orbits(OrbitRelation::new(manager, &space)?),
            Kind::MultipleRepresentatives => {
                Map::Several(MultipleRepresentatives::new(manager, &space, &order)?)
            }
            _ => Map::Sorted(Alpha::new(manager, &space, &order, Which::Current, reduction.sorting)?),
        };
        let index = |(domain, element): (DomainId, u32)| {
            let position = reduction.action.domains().iter().position(|active| *active == domain)?;
            let index = (position, element as usize);
            fixed.map_or(Some(index), |fixed| fixed.rank(index))
        };
        let parts = system.components.iter().map(|steps| steps.element.and_then(index)).collect();
        let reduction = reduction.clone();
        let frames = RefCell::new(Frames::of_parts(system.diagrams.sizes.relation));
        Ok(Quotient { system, reduction, space, map, unique, parts, frames })
    }

    /// Which reduction it is, and by which group.
    pub fn reduction(&self) -> &Reduction {
        &self.reduction
    }

    /// How permutations move the cells.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Whether there is one representative for each orbit.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    fn manager(&self) -> &'q Manager {
        self.system.diagrams.manager
    }

    /// The representatives of the states of a set.
    pub fn represent(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        match &self.map {
            Map::Orbits(relation) => relation.represent(set),
            Map::Several(several) => several.represent(set),
            Map::Sorted(alpha) => alpha.apply(set, None),
        }
    }

    /// Finds the representatives of what is reachable.
    pub fn forward(
        &self,
        reach: &mut Reach<'_>,
        search: Search,
        bound: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Stop> {
        let initial = std::mem::replace(&mut reach.reached, self.manager().constant(false));
        let mut ended = Ended::Complete;
        let mut first = true;
        let found = |new: &Bdd| {
            reach.pause()?;
            if !first && bound.is_some_and(|bound| reach.depth >= bound) {
                ended = Ended::Bound;
                return Ok(ControlFlow::Break(()));
            }
            reach.depth += u64::from(!first);
            first = false;
            reach.reached = reach.reached.or(new)?;
            if watch.found(new, reach)? {
                return Ok(ControlFlow::Continue(()));
            }
            ended = Ended::Enough;
            Ok(ControlFlow::Break(()))
        };
        let mut parts = Parts(self);
        let is_executed = self.system.executed.is_some();
        match &self.map {
            Map::Sorted(alpha) if self.reduction.kind != Kind::Dynamic => {
                let symmetries = self.reduction.kind == Kind::ComponentState;
                component::reachable(self.manager(), &mut parts, alpha, symmetries, &initial, found)?
            }
            Map::Sorted(alpha) if search != Search::Bfs && bound.is_none() && !is_executed => {
                dynamic::by_chaining(self.manager(), &mut parts, alpha, &initial, found)?
            }
            Map::Orbits(relation) if self.reduction.related => {
                let quotients =
                    self.quotients(|steps| relation.quotient(self.manager(), &self.space, steps))?;
                let image = |set: &Bdd, quotient: &Bdd| relation.image(set, quotient);
                self.related_levels(&initial, &quotients, image, found)?
            }
            Map::Several(several) if self.reduction.related => {
                let quotients = self.quotients(|steps| several.quotient(steps))?;
                let image = |set: &Bdd, quotient: &Bdd| several.image(set, quotient);
                self.related_levels(&initial, &quotients, image, found)?
            }
            _ => self.levels(&initial, found)?,
        };
        Ok(ended)
    }

    /// Breadth-first: successors, then their representatives.
    fn levels(&self, initial: &Bdd, found: impl super::Observer<Stop>) -> Result<Bdd, Stop> {
        // Where steps are executed, those of all components at once, in the states that were looked at just before.
        let parts = match &self.system.executed {
            Some(all) => vec![Part(vec![Transitions::Executed(all.clone())], self.system)],
            None => {
                let mut parts = Parts(self);
                (0..self.parts.len()).map(|at| parts.part(at)).collect::<Result<_, _>>()?
            }
        };
        let none = self.manager().constant(false);
        // Permuting what is executed is costly: nothing is permuted twice.
        let mut permuted = none.clone();
        let successors = |set: &Bdd| {
            let mut all =
                parts.iter().try_fold(none.clone(), |all, part| Ok::<_, Stop>(all.or(&part.image(set)?)?))?;
            if self.system.executed.is_some() {
                all = all.minus(&permuted)?;
                permuted = permuted.or(&all)?;
            }
            match &self.map {
                // The states before a step are permuted, too; as steps are symmetric, that can be done after it.
                Map::Several(several) => Ok(several.represent_twice(&all)?),
                _ => Ok(self.represent(&all)?),
            }
        };
        dynamic::levels(self.manager(), self.represent(initial)?, successors, found)
    }

    /// The quotient of each component's relation.
    fn quotients(&self, quotient: impl Fn(&Bdd) -> Result<Bdd, OutOfNodes>) -> Result<Vec<Bdd>, Stop> {
        let (manager, variables) = (self.manager(), self.system.diagrams.variables);
        let all = self.frames.borrow_mut().written(manager, variables, (0..self.system.bits()).collect())?;
        let mut quotients = Vec::new();
        for at in 0..self.parts.len() {
            let mut steps = manager.constant(false);
            for relation in self.relations(at)?.iter().filter_map(Transitions::relation) {
                steps = steps.or(&relation.widened(&all, manager, variables)?)?;
            }
            quotients.push(quotient(&steps)?);
            manager.tidy();
        }
        Ok(quotients)
    }

    /// Breadth-first along quotients of relations.
    fn related_levels(
        &self,
        initial: &Bdd,
        quotients: &[Bdd],
        image: impl Fn(&Bdd, &Bdd) -> Result<Bdd, OutOfNodes>,
        found: impl super::Observer<Stop>,
    ) -> Result<Bdd, Stop> {
        let none = self.manager().constant(false);
        let successors = |set: &Bdd| {
            let all = quotients.iter().try_fold(none.clone(), |all, quotient| all.or(&image(set, quotient)?));
            Ok(all?)
        };
        dynamic::levels(self.manager(), self.represent(initial)?, successors, found)
    }

    fn relations(&self, at: usize) -> Result<Vec<Transitions<'q>>, OutOfNodes> {
        self.system.relations_of(&self.system.components[at], &mut self.frames.borrow_mut())
    }

    /// The representatives of predecessors; those that were reached, where representatives are unique.
    fn predecessors(&self, reach: &Reach<'_>, set: &Bdd) -> Result<Bdd, Stop> {
        if let Some(executed) = &self.system.executed {
            return executed.preimage(&self.orbits(set)?, &reach.reached);
        }
        let (mut all, everywhere) = (self.manager().constant(false), self.manager().constant(true));
        for at in 0..self.parts.len() {
            for relation in self.relations(at)? {
                all = all.or(&relation.preimage(set, &everywhere)?)?;
            }
            reach.pause()?;
        }
        let all = self.represent(&all)?;
        Ok(if self.is_unique() { all.and(&reach.reached)? } else { all })
    }

    /// The representatives reached from which these can be reached.
    pub fn backward(&self, reach: &Reach<'_>, states: &Bdd) -> Result<Bdd, Stop> {
        let mut new = states.and(&reach.reached)?;
        let mut all = new.clone();
        while !new.is_false() {
            new = self.predecessors(reach, &new)?.minus(&all)?;
            all = all.or(&new)?;
        }
        Ok(all)
    }

    /// States of the orbits along a run from a start state to one of the targets; empty if there is none.
    pub fn run(
        &self,
        reach: &Reach<'_>,
        initial: &Bdd,
        targets: &Bdd,
        pick: &mut dyn FnMut(&Bdd) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Vec<Bdd>, Stop> {
        let start = self.equivalent(initial)?;
        let mut rings = vec![targets.and(&reach.reached)?];
        let mut seen = rings[0].clone();
        loop {
            let last = &rings[rings.len() - 1];
            let first = last.and(&start)?;
            if !first.is_false() {
                let mut run = vec![pick(&first)?];
                for ring in rings.iter().rev().skip(1) {
                    let mut successors = self.manager().constant(false);
                    for at in 0..self.parts.len() {
                        let image = Part(self.relations(at)?, self.system).image(&run[run.len() - 1])?;
                        successors = successors.or(&image)?;
                    }
                    run.push(pick(&self.equivalent(&successors)?.and(ring)?)?);
                }
                return Ok(run);
            }
            let next = self.predecessors(reach, last)?.minus(&seen)?;
            if next.is_false() {
                return Ok(Vec::new());
            }
            seen = seen.or(&next)?;
            rings.push(next);
        }
    }

    /// States of the same orbits: the representatives where they are unique, else all.
    fn equivalent(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        if self.is_unique() { self.represent(set) } else { self.orbits(set) }
    }

    /// All states of the orbits of these states.
    pub fn orbits(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        permuted(self.manager(), &self.space, Which::Current, set.clone())
    }
}

/// What cannot be decided on representatives, which may be unique.
fn obstacle(model: &Model, unique: bool) -> Option<String> {
    let liveness = |property: &&burnside_model::system::Property| property.kind == PropertyKind::Liveness;
    for property in model.properties.iter().filter(liveness) {
        let name = &property.name;
        if property.binders.iter().any(|binder| !matches!(binder, Binder::Alias(..))) {
            return Some(format!("liveness \"{name}\" has parameters: its instances are not symmetric"));
        }
        if !unique {
            return Some(format!("liveness \"{name}\" needs one representative for each orbit"));
        }
    }
    None
}

/// The components of a system, whose relations are made when they are asked for.
struct Parts<'p, 'q>(&'p Quotient<'q>);

/// The relations of a component.
struct Part<'p>(Vec<Transitions<'p>>, &'p System<'p>);

impl<'q> Relations for Parts<'_, 'q> {
    type Error = Stop;
    type Part = Part<'q>;

    fn parts(&self) -> Vec<Option<Index>> {
        self.0.parts.clone()
    }

    fn part(&mut self, at: usize) -> Result<Part<'q>, Stop> {
        Ok(Part(self.0.relations(at)?, self.0.system))
    }
}

impl Image for Part<'_> {
    type Error = Stop;

    fn image(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let mut all = set.minus(set)?;
        for relation in &self.0 {
            all = all.or(&relation.image(set)?)?;
            self.1.diagrams.pause()?;
        }
        Ok(all)
    }
}
