//! Orbits under the permutations that respect blocks.
//!
//! The blocks become part of the state, as the colours of the elements: a permutation maps the coloured state onto
//! another one with the same colours just if it moves no element out of its block. So the canonical form of the coloured
//! state under *all* permutations tells these orbits apart, and sending the colours back to where they were gives the
//! member of the orbit that stands for it.

use std::collections::HashSet;

use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, TypeId, TypeKind, Types};

use super::Blocks;
use crate::action::Action;
use crate::canonical::Canonicaliser;
use crate::permutation::Permutation;

/// The most parts of an orbit that are looked at to find out whether it is inside another.
const LOOKED_AT: usize = 1000;

/// The orbits of a model's states under all permutations that respect given blocks.
#[derive(Clone, Debug)]
pub struct Young {
    /// On states.
    plain: Canonicaliser,
    /// On states with colours behind.
    coloured: Canonicaliser,
    /// Per element, counted through all domains: its domain's position, and itself counted within.
    places: Vec<(usize, u32)>,
    /// Per element, where its colour is, counted from the end of the state.
    colours: Vec<usize>,
    /// How many cells the colours take.
    colour_cells: usize,
    buffer: Vec<Cell>,
    /// How many states were brought into a form, or exchanged for one: what all this costs.
    work: u64,
}

impl Young {
    /// The orbits on a model's states, for some of its domains; `None` if the state is too large to be coloured.
    pub fn new(model: &Model, domains: &[DomainId]) -> Option<Self> {
        let plain = Action::new(model, domains);
        let mut coloured = model.clone();
        let mut colours = Vec::new();
        for domain in plain.domains() {
            let (index, first) = index_type(&model.types, *domain)?;
            let size = model.types.domain(*domain).size;
            let before = (coloured.cells - model.cells) as usize;
            let at = |element| (first as usize) + model.types.offset(*domain, element) as usize;
            colours.extend((0..size).map(|element| before + at(element)));
            let element = coloured.types.add(None, TypeKind::Range(0, i64::from(size) - 1))?;
            let array = coloured.types.add(None, TypeKind::Array { index, element })?;
            coloured.add_global("", array, burnside_model::Span::default())?;
        }
        let places = plain
            .sizes()
            .iter()
            .enumerate()
            .flat_map(|(domain, size)| (0..*size).map(move |element| (domain, element)));
        Some(Young {
            places: places.collect(),
            colours,
            colour_cells: (coloured.cells - model.cells) as usize,
            coloured: Canonicaliser::new(Action::new(&coloured, domains)),
            plain: Canonicaliser::new(plain),
            buffer: Vec::new(),
            work: 0,
        })
    }

    pub fn action(&self) -> &Action {
        self.plain.action()
    }

    /// The same for all states that any permutation maps onto each other.
    pub fn form(&mut self, state: &[Cell]) -> &[Cell] {
        self.plain.canonicalise(state)
    }

    /// How many states were brought into a form so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The state that stands for this one's orbit, and the permutation that respects the blocks and leads there.
    pub fn canonical(&mut self, state: &[Cell], blocks: &Blocks) -> (Vec<Cell>, Permutation) {
        self.work += 1;
        if blocks.is_discrete() {
            return (state.to_vec(), self.action().identity());
        }
        self.colour(state, blocks);
        let form = self.coloured.canonicalise(&self.buffer);
        let colour = |element: usize| form[state.len() + self.colours[element]] as u32;
        // The elements of each colour in turn, here and in the form.
        let mut back: Vec<Vec<u32>> =
            self.plain.action().sizes().iter().map(|n| vec![0; *n as usize]).collect();
        let mut taken = vec![false; blocks.len()];
        for (from, (domain, element)) in self.places.iter().enumerate() {
            let first = from as u32 - element;
            let colour = first + colour(from);
            let to = (0..blocks.len() as u32).find(|to| blocks.of(*to) == colour && !taken[*to as usize]);
            // Invariant: the form has as many elements of each colour as there are in the block.
            let to = to.unwrap_or(from as u32);
            taken[to as usize] = true;
            back[*domain][*element as usize] = to - first;
        }
        let back = Permutation::from_images(back).unwrap_or_else(|| self.action().identity());
        let permutation = back.compose(&self.coloured.permutation());
        let mut member = Vec::new();
        self.plain.action().apply(&permutation, state, &mut member);
        (member, permutation)
    }

    /// How many states are in the orbit; `None` if that does not fit.
    pub fn orbit(&mut self, state: &[Cell], blocks: &Blocks) -> Option<u128> {
        self.colour(state, blocks);
        self.coloured.canonicalise(&self.buffer);
        // The colours alone can be arranged in so many ways, and each as often.
        let mut placed = vec![0u128; self.action().sizes().len()];
        let mut arrangements = 1u128;
        for block in blocks.blocks() {
            let among = &mut placed[self.places[block[0] as usize].0];
            for one in 1..=block.len() as u128 {
                *among += 1;
                arrangements = arrangements.checked_mul(*among)? / one;
            }
        }
        self.coloured.orbit()?.checked_div(arrangements)
    }

    /// The state with two elements exchanged.
    pub fn exchange(&self, a: u32, b: u32, state: &[Cell]) -> Vec<Cell> {
        let ((domain, a), (_, b)) = (self.places[a as usize], self.places[b as usize]);
        let exchange = Permutation::transposition(self.action().sizes(), domain, a, b);
        let mut out = Vec::new();
        self.action().apply(&exchange, state, &mut out);
        out
    }

    /// Whether the orbit of `state` is that of `member`, which stands for its own.
    pub fn same(&mut self, state: &[Cell], member: &[Cell], blocks: &Blocks) -> bool {
        self.canonical(state, blocks).0 == member
    }

    /// One state of every orbit under `finer` in the orbit of a state under `blocks`; given to `visit` until it breaks.
    ///
    /// Exchanges within blocks lead from each of these orbits to all others. One state of an orbit suffices to find its
    /// neighbours: if p respects `finer`, then x exchanged after p is p after another such exchange. Exchanges within
    /// `finer` stay in the orbit.
    pub fn divide(
        &mut self,
        state: &[Cell],
        blocks: &Blocks,
        finer: &Blocks,
        visit: &mut dyn FnMut(&mut Self, &[Cell]) -> bool,
    ) {
        let pairs = blocks.pairs_apart_in(finer);
        if !visit(self, state) || pairs.is_empty() {
            return;
        }
        let mut seen = HashSet::from([self.canonical(state, finer).0]);
        let mut open = vec![state.to_vec()];
        while let Some(state) = open.pop() {
            for (a, b) in &pairs {
                let (next, _) = self.canonical(&self.exchange(*a, *b, &state), finer);
                if !seen.contains(&next) {
                    if !visit(self, &next) {
                        return;
                    }
                    seen.insert(next.clone());
                    open.push(next);
                }
            }
        }
    }

    /// Whether the orbit of `state` under `blocks` is inside that of `member` under `around`. If that takes too long to
    /// find out, it is not; but it always is if it is the same state and the blocks are finer.
    pub fn inside(&mut self, state: &[Cell], blocks: &Blocks, member: &[Cell], around: &Blocks) -> bool {
        if !self.same(state, member, around) {
            return false;
        }
        if blocks.refines(around) {
            return true;
        }
        let (mut inside, mut looked_at) = (true, 0);
        let both = blocks.meet(around);
        self.divide(state, blocks, &both, &mut |young, state| {
            looked_at += 1;
            inside = looked_at <= LOOKED_AT && young.same(state, member, around);
            inside
        });
        inside
    }

    /// The coarsest blocks under which the orbit of a state is what it is under these.
    ///
    /// Exchanges that map the orbit onto itself join elements. Whether one of two blocks' elements does is the same for
    /// all; and as permutations that respect the blocks map the orbit onto itself, it does if it leads from one state
    /// into the orbit, together with all other exchanges between these two blocks.
    pub fn coarsen(&mut self, state: &[Cell], blocks: &Blocks) -> Blocks {
        let (member, _) = self.canonical(state, blocks);
        let mut coarse = blocks.clone();
        let parts = blocks.blocks();
        for (i, one) in parts.iter().enumerate() {
            for other in &parts[i + 1..] {
                let domain = |elements: &[u32]| self.places[elements[0] as usize].0;
                if domain(one) != domain(other) || coarse.together(one[0], other[0]) {
                    continue;
                }
                let stays = one.iter().all(|a| {
                    other.iter().all(|b| {
                        let exchanged = self.exchange(*a, *b, state);
                        exchanged == state || self.same(&exchanged, &member, blocks)
                    })
                });
                if stays {
                    coarse.join(one[0], other[0]);
                }
            }
        }
        coarse
    }

    fn colour(&mut self, state: &[Cell], blocks: &Blocks) {
        self.buffer.clear();
        self.buffer.extend_from_slice(state);
        // What else the arrays are indexed by has no colour.
        self.buffer.resize(state.len() + self.colour_cells, 0);
        for (at, (_, element)) in (0..).zip(&self.places) {
            let first = at - element;
            self.buffer[state.len() + self.colours[at as usize]] = i64::from(blocks.of(at) - first);
        }
    }
}

/// The smallest type with the elements of a domain among its values, and how far element 0 is from the least value.
fn index_type(types: &Types, domain: DomainId) -> Option<(TypeId, i64)> {
    let place = |ty: TypeId| {
        let (_, first) = types.domains_of(ty).into_iter().find(|(of, _)| *of == domain)?;
        Some((ty, first - types.bounds(ty).0))
    };
    types.ids().filter_map(place).min_by_key(|(ty, _)| types.size(*ty))
}
