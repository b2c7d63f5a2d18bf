//! The quotient by brute force: of each orbit the least state, found by trying every permutation.
//!
//! It shares nothing with the real one but the convention (π·s)[π(i)] = s[i], so the two check each other; and it is
//! where the mistakes of [`super::planted`] are made.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use burnside_explicit::{Indexed, Move, MoveSink};
use burnside_logic::Atom;
use burnside_model::code::*;
use burnside_model::system::{Machine, Outcome, SideEffects, Sink, Step, System, TimeUp};
use burnside_model::{Deadline, Model};
use burnside_symmetry::{Action, Permutation};

use super::compare::{Findings, search};
use super::planted::Mistake;

/// The images of the elements, by domain.
pub type Images = Vec<Vec<u32>>;

/// A model's quotient, with a mistake in it or none.
#[derive(Clone)]
pub struct Brute<'m> {
    model: &'m Model,
    machine: Machine<'m>,
    group: Vec<Images>,
    action: Action,
    mistake: Option<Mistake>,
    /// What was computed before.
    known: HashMap<Vec<Cell>, (Vec<Cell>, Images)>,
    starts: HashSet<Vec<Cell>>,
    /// Whether the start states are whole orbits.
    closed: Arc<AtomicBool>,
}

impl<'m> Brute<'m> {
    pub fn new(model: &'m Model, semantics: Semantics, mistake: Option<Mistake>) -> Self {
        let mut group: Vec<Images> = vec![Vec::new()];
        for domain in &model.types.domains {
            let one = match domain.kind {
                DomainKind::Full => permutations(domain.size),
                DomainKind::Ring => rotations(domain.size),
            };
            group = group
                .iter()
                .flat_map(|images| one.iter().map(|p| [&images[..], std::slice::from_ref(p)].concat()))
                .collect();
        }
        let machine = Machine::new(model, semantics);
        let closed = Arc::new(AtomicBool::new(true));
        let domains: Vec<DomainId> = (0..model.types.domains.len() as u32).map(DomainId).collect();
        let action = Action::new(model, &domains);
        Brute {
            model,
            machine,
            group,
            action,
            mistake,
            known: HashMap::new(),
            starts: HashSet::new(),
            closed,
        }
    }

    /// The search of a model's quotient.
    pub fn search(model: &'m Model, mistake: Option<Mistake>) -> Findings {
        let closed = Arc::new(AtomicBool::new(true));
        let found = search(model, &|| Brute {
            closed: Arc::clone(&closed),
            ..Brute::new(model, Semantics::default(), mistake)
        });
        let found = Findings::from(&found);
        Findings { full_states: found.full_states.filter(|_| closed.load(Ordering::Relaxed)), ..found }
    }

    fn has(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    /// π·s
    fn act(&self, images: &Images, state: &[Cell]) -> Vec<Cell> {
        let mut moved = state.to_vec();
        for global in &self.model.globals {
            let at = global.offset as usize..(global.offset + self.model.types[global.ty].cells) as usize;
            self.act_on(images, global.ty, 0, &state[at.clone()], &mut moved[at.clone()]);
            if !self.has(Mistake::UnsortedMultiset) {
                normalise(&self.model.types, global.ty, &mut moved[at]);
            }
        }
        moved
    }

    /// The same for a value below so many array indices.
    fn act_on(&self, images: &Images, ty: TypeId, depth: usize, from: &[Cell], to: &mut [Cell]) {
        let types = &self.model.types;
        match &types[ty].kind {
            TypeKind::Array { index, element } => {
                let size = types[*element].cells as usize;
                let (lo, hi) = types.bounds(*index);
                let union = matches!(types[*index].kind, TypeKind::Union(_));
                let stays = (self.has(Mistake::ForgottenSecondIndex) && depth > 0)
                    || (self.has(Mistake::ForgottenUnionIndex) && union);
                for i in lo..=hi {
                    let j = if stays { i } else { self.rename(images, *index, i) };
                    let (i, j) = ((i - lo) as usize * size, (j - lo) as usize * size);
                    self.act_on(images, *element, depth + 1, &from[i..i + size], &mut to[j..j + size]);
                }
            }
            TypeKind::Record(fields) => {
                for field in fields {
                    let at = field.offset as usize;
                    let at = at..at + types[field.ty].cells as usize;
                    self.act_on(images, field.ty, depth, &from[at.clone()], &mut to[at]);
                }
            }
            TypeKind::Multiset { element, .. } => {
                let size = types[*element].cells as usize + 1;
                for (from, to) in from.chunks(size).zip(to.chunks_mut(size)) {
                    to[0] = from[0];
                    self.act_on(images, *element, depth + 1, &from[1..], &mut to[1..]);
                }
            }
            kind => {
                let union = matches!(kind, TypeKind::Union(_));
                let forgotten = (self.has(Mistake::ForgottenGlobalId) && depth == 0)
                    || (self.has(Mistake::ForgottenLocalId) && depth > 0)
                    || (self.has(Mistake::ForgottenUnionValue) && union);
                to[0] = if forgotten { from[0] } else { self.rename_content(images, ty, from[0]) };
            }
        }
    }

    fn rename_content(&self, images: &Images, ty: TypeId, value: Cell) -> Cell {
        if self.has(Mistake::WrongDirection) {
            return self.rename(&inverse(images), ty, value);
        }
        if self.has(Mistake::UndefinedRenamed) && value == UNDEFINED {
            return self.model.types.domains_of(ty).first().map_or(value, |(_, first)| *first);
        }
        self.rename(images, ty, value)
    }

    /// What becomes of a value, whatever it is used for.
    fn rename(&self, images: &Images, ty: TypeId, value: Cell) -> Cell {
        if value == UNDEFINED {
            return value;
        }
        for (domain, first) in self.model.types.domains_of(ty) {
            let images = &images[domain.0 as usize];
            if (first..first + images.len() as i64).contains(&value) {
                let base = if self.has(Mistake::ForgottenUnionOffset) { 0 } else { first };
                return base + i64::from(images[(value - first) as usize]);
            }
        }
        value
    }

    /// The least state of the orbit, and a permutation that leads there.
    fn canonical(&mut self, state: &[Cell]) -> (Vec<Cell>, Images) {
        if let Some(found) = self.known.get(state) {
            return found.clone();
        }
        let all = self.group.iter().map(|images| (self.act(images, state), images));
        let (least, images) = if self.has(Mistake::OnlySorted) {
            all.min_by_key(|(moved, _)| self.id_free(moved)).expect("a group is not empty")
        } else {
            all.min().expect("a group is not empty")
        };
        let found = (least, images.clone());
        self.known.insert(state.to_vec(), found.clone());
        found
    }

    /// The cells that hold no ids.
    fn id_free(&self, state: &[Cell]) -> Vec<Cell> {
        let cells = self.model.state_cells();
        let holds_id = |i: usize| !self.model.types.domains_of(cells[i].ty).is_empty();
        (0..cells.len()).filter(|i| !holds_id(*i)).map(|i| state[i]).collect()
    }

    /// Passes steps on with states replaced by representatives.
    fn collect(steps: &mut Vec<Owned>, step: Step<'_>) -> ControlFlow<()> {
        let (state, fault) = match step.outcome {
            Outcome::State(state) => (Some(state.to_vec()), None),
            Outcome::Dropped => (None, None),
            Outcome::GuardFault(fault) => (None, Some((fault, true))),
            Outcome::Fault(fault) => (None, Some((fault, false))),
        };
        let (rule, args, stutters) = (step.rule, step.args.to_vec(), step.stutters);
        steps.push(Owned { rule, args, state, fault, stutters });
        ControlFlow::Continue(())
    }

    fn emit(&mut self, steps: Vec<Owned>, sink: &mut Sink<'_>) {
        for step in steps {
            let state = step.state.map(|state| self.canonical(&state).0);
            let outcome = match (&state, step.fault) {
                (Some(state), _) => Outcome::State(state),
                (None, Some((fault, true))) => Outcome::GuardFault(fault),
                (None, Some((fault, false))) => Outcome::Fault(fault),
                (None, None) => Outcome::Dropped,
            };
            let step = Step { rule: step.rule, args: &step.args, outcome, stutters: step.stutters };
            if sink(step).is_break() {
                break;
            }
        }
    }
}

/// A step that owns its parts.
struct Owned {
    rule: u32,
    args: Vec<Cell>,
    state: Option<Vec<Cell>>,
    fault: Option<(Fault, bool)>,
    stutters: bool,
}

impl System for Brute<'_> {
    fn model(&self) -> &Model {
        self.model
    }

    fn initial(&mut self, sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        let mut steps = Vec::new();
        self.machine.initial(&mut |step| Self::collect(&mut steps, step))?;
        let states: HashSet<_> = steps.iter().filter_map(|step| step.state.clone()).collect();
        let correct = Brute::new(self.model, Semantics::default(), None);
        for state in &states {
            let whole = self.group.iter().all(|images| states.contains(&correct.act(images, state)));
            self.closed.fetch_and(whole, Ordering::Relaxed);
            let start = self.canonical(state).0;
            self.starts.insert(start);
        }
        self.emit(steps, sink);
        Ok(())
    }

    fn successors(&mut self, state: &[Cell], sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        let mut steps = Vec::new();
        self.machine.successors(state, &mut |step| Self::collect(&mut steps, step))?;
        if self.has(Mistake::MissedSuccessor) {
            // One instance per rule, as if all elements were alike in every state.
            steps.dedup_by_key(|step| step.rule);
        }
        self.emit(steps, sink);
        Ok(())
    }

    fn holds(&mut self, property: usize, state: &[Cell]) -> Result<Result<u64, Fault>, TimeUp> {
        if self.has(Mistake::OnlyStartChecked) && !self.starts.contains(state) {
            return Ok(Ok(1));
        }
        self.machine.holds(property, state)
    }

    fn weight(&mut self, state: &[Cell]) -> Option<u128> {
        let stabiliser = match self.mistake {
            Some(Mistake::StabiliserForgotten) => 1,
            _ => self.group.iter().filter(|images| self.act(images, state) == state).count(),
        };
        Some((self.group.len() / stabiliser.max(1)) as u128)
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.machine.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        self.machine.side_effects()
    }
}

impl Indexed for Brute<'_> {
    fn instances(
        &mut self,
        property: usize,
        state: &[Cell],
        sink: &mut (dyn FnMut(&[Cell], bool) + '_),
    ) -> Result<Result<(), Fault>, TimeUp> {
        self.machine.instances(property, state, sink)
    }

    fn labelled(
        &mut self,
        state: &[Cell],
        sink: &mut (dyn FnMut(&[Cell], &(dyn Fn(DomainId, u32) -> u32 + '_)) -> ControlFlow<()> + '_),
    ) -> Result<(), TimeUp> {
        let mut next = Vec::new();
        self.machine.successors(state, &mut |step| {
            if let Outcome::State(state) = step.outcome {
                next.push(state.to_vec());
            }
            ControlFlow::Continue(())
        })?;
        let mut reached = HashSet::new();
        for state in next {
            let (state, images) = self.canonical(&state);
            if self.has(Mistake::MergedEdges) && !reached.insert(state.clone()) {
                continue;
            }
            let identity = self.has(Mistake::IdentityLabels);
            let rename = |domain: DomainId, element: u32| match identity {
                true => element,
                false => images[domain.0 as usize][element as usize],
            };
            if sink(&state, &rename).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn action(&self) -> Option<&Action> {
        Some(&self.action)
    }

    fn moves(&mut self, from: Option<&[Cell]>, sink: &mut MoveSink<'_>) -> Result<(), TimeUp> {
        let mut steps = Vec::new();
        let mut collect = |step: Step<'_>| Self::collect(&mut steps, step);
        match from {
            Some(state) => self.machine.successors(state, &mut collect)?,
            None => self.machine.initial(&mut collect)?,
        }
        let stabiliser: Vec<Images> = match from {
            Some(from) => {
                self.group.iter().filter(|images| self.act(images, from) == from).cloned().collect()
            }
            None => Vec::new(),
        };
        let (mut reached, mut fired) = (HashSet::new(), HashSet::new());
        for Owned { rule, args, state, .. } in steps {
            let Some(concrete) = state else { continue };
            let alike = |images: &Images| fired.contains(&(rule, self.act(images, &concrete)));
            if self.has(Mistake::OneOfAlike) && stabiliser.iter().any(alike) {
                continue;
            }
            fired.insert((rule, concrete.clone()));
            let (form, images) = self.canonical(&concrete);
            if self.has(Mistake::MergedEdges) && from.is_some() && !reached.insert(form.clone()) {
                continue;
            }
            let by = match self.has(Mistake::IdentityLabels) && from.is_some() {
                true => self.action.identity(),
                false => Permutation::from_images(images).expect("bijections"),
            };
            if sink(Move { rule, args: &args, concrete: &concrete, form: &form, by: &by }).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn atom(&mut self, atom: &Atom<'_>, state: &[Cell]) -> Result<Result<bool, Fault>, TimeUp> {
        self.machine.atom_holds(atom.frame, atom.bindings, atom.condition, state)
    }
}

fn rotations(size: u32) -> Vec<Vec<u32>> {
    (0..size).map(|by| (0..size).map(|i| (i + by) % size).collect()).collect()
}

fn permutations(size: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for i in 0..size {
        all = all
            .iter()
            .flat_map(|p: &Vec<u32>| (0..=p.len()).map(move |at| [&p[..at], &[i], &p[at..]].concat()))
            .collect();
    }
    all
}

fn inverse(images: &Images) -> Images {
    let invert = |p: &Vec<u32>| {
        (0..p.len() as u32).map(|i| p.iter().position(|x| *x == i).expect("a bijection") as u32).collect()
    };
    images.iter().map(invert).collect()
}
