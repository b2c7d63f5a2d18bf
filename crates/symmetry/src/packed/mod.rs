//! Canonical forms of packed states.
//!
//! How a model's states are brought into canonical form is decided once, from its cells (`choose`):
//!
//! * *Sorted*: the elements of a domain own blocks of data and are named by cells that belong to no element. The blocks
//!   are sorted by content and by which of those cells name their element (`sort`); elements that agree in both are
//!   twins, so the order is canonical. This is §4.2 of the survey with the test of §9 of our notes, on whole words.
//! * *Turned*: a ring whose elements occur with those of no other domain is turned by itself (`ring`), whatever else is done.
//! * *Tried*: a domain of few elements that occurs anywhere else (as the values of another's blocks, say, or beside
//!   another index) has each of its permutations compiled to moves of bits (`moves`); the others are sorted after each,
//!   and the least state is the form.
//! * *Linked*: elements that occur in each other's blocks, or in pairs as indices, are refined on the words (`linked`).
//! * *Refined*: whatever is left, also groups given by generators, goes through the [`Canonicaliser`] on unpacked cells (`refined`).
//!   Few elements, here and if linked, are first compared by keys that mostly suffice (`keyed`).
//!
//! So the form of a state depends on the model, but for one model it is a function of the orbit. The number of tried
//! permutations that lead to the form, times the orders of the twins, is the order of the stabiliser.

mod choose;
mod keyed;
mod linked;
mod moves;
mod narrow;
mod network;
mod pieces;
mod quotient;
mod refined;
mod ring;
mod slots;
mod sort;
mod twins;

use std::cmp::Ordering;

use burnside_model::Packing;
use burnside_model::code::Cell;

pub use quotient::PackedQuotient;

use self::keyed::Keyed;
use self::linked::Linked;
use self::moves::Moves;
use self::refined::Refined;
use self::ring::Turned;
use self::sort::Sorted;
use crate::action::Action;
use crate::canonical::{self, Canonicaliser};
use crate::methods::{Canon, Choose, Other};
use crate::permutation::Permutation;
use crate::quotient::Canonical;

/// So many permutations are tried rather than elements refined.
const FEW: u128 = 2;

/// How canonical forms are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// There is nothing to permute.
    Trivial,
    /// By sorting blocks, and turning rings.
    Sorted,
    /// By trying so many permutations of small domains, and sorting the blocks of the others.
    Tried(u32),
    /// By colour refinement on packed states.
    Linked,
    /// By colour refinement, or the search of a stabiliser chain, on unpacked states.
    Refined,
    /// In another way, on unpacked states.
    Other(Canon),
}

/// Computes canonical forms of packed states. One per thread.
#[derive(Clone, Debug)]
pub struct PackedCanonicaliser {
    method: Method,
    packing: Packing,
    /// The rings that are turned by themselves.
    turned: Vec<Turned>,
    /// The domains that are sorted.
    sorted: Vec<Sorted>,
    /// The permutations of the domains that are tried, but for the identity.
    tried: Vec<Moves>,
    /// All domains, if they are refined: of few elements, most states are brought into form by keys.
    keyed: Option<Keyed>,
    /// All domains, if they are refined as packed.
    linked: Option<Linked>,
    refined: Refined,
    /// Another way to choose representatives, if there is one.
    other: Option<Other>,
    /// The order of the group: the size of most orbits.
    order: Option<u128>,
    /// The bits that sorting does not change, by word.
    fixed: Vec<u64>,
    /// A state and its images under the tried permutations.
    images: Vec<u64>,
    ties: Vec<u32>,
    /// An unpacked state, and what stands for it.
    cells: (Vec<Cell>, Vec<Cell>),
}

impl PackedCanonicaliser {
    /// Canonical forms under an action on the states that are packed so.
    pub fn new(packing: &Packing, action: Action) -> Self {
        let mut all = PackedCanonicaliser {
            method: Method::Trivial,
            order: action.order(),
            packing: packing.clone(),
            turned: Vec::new(),
            sorted: Vec::new(),
            tried: Vec::new(),
            keyed: None,
            linked: None,
            refined: Refined::new(Canonicaliser::new(action)),
            other: None,
            fixed: vec![u64::MAX; packing.words()],
            images: Vec::new(),
            ties: Vec::new(),
            cells: (Vec::new(), Vec::new()),
        };
        let layout = &all.refined.canonicaliser.action().layout;
        if layout.sizes.iter().all(|size| *size < 2) {
            return all;
        }
        let fitting = |alone: canonical::Alone| Some((alone.domain, Turned::new(layout, packing, &alone)?));
        let (turned, rings): (Vec<usize>, Vec<Turned>) =
            canonical::alone(layout).into_iter().filter_map(fitting).unzip();
        let choice = match all.refined.canonicaliser.action().group {
            Some(_) => None,
            None => choose::choose(layout, &turned),
        };
        if choice.as_ref().is_none_or(|choice| choice.permutations > FEW)
            && turned.is_empty()
            && all.action().permutes_blocks()
        {
            all.keyed = Keyed::new(layout, packing);
            if let Some(linked) = Linked::new(layout, packing) {
                all.linked = Some(linked);
                all.method = Method::Linked;
                return all;
            }
        }
        let Some(choice) = choice else {
            all.method = Method::Refined;
            return all;
        };
        all.keyed = None;
        all.turned = rings;
        all.sorted = choice.sorted.iter().map(|d| Sorted::new(layout, packing, *d)).collect();
        all.tried = moves::all(layout, packing, &choice.tried);
        all.images.resize((all.tried.len() + 1) * packing.words(), 0);
        all.sorted.iter().for_each(|domain| domain.exclude(&mut all.fixed));
        all.method = match all.tried.len() as u32 {
            0 => Method::Sorted,
            others => Method::Tried(others + 1),
        };
        all
    }

    /// Representatives chosen in this way.
    pub fn with(packing: &Packing, action: Action, canon: Canon) -> Self {
        let mut all = PackedCanonicaliser::new(packing, action);
        if all.method != Method::Trivial
            && let Some(other) = Other::new(canon, all.action())
        {
            all.method = Method::Other(canon);
            all.turned.clear();
            all.other = Some(other);
        }
        all
    }

    /// How many states were reached, where that is not what a search stores.
    pub fn reached(&self) -> Option<u64> {
        self.other.as_ref().and_then(Other::reached)
    }

    /// Whether a form costs so much that it pays to look for steps that are alike first. Forms by sorting or keys cost less
    /// than finding the twins of a state.
    fn is_costly(&self) -> bool {
        matches!(self.method, Method::Linked | Method::Refined) && self.keyed.is_none()
    }

    /// How it does it.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The action whose orbits it tells apart.
    pub fn action(&self) -> &Action {
        self.refined.canonicaliser.action()
    }

    /// Replaces a state by its canonical form: the same for all states of its orbit, and one of them. Whether it is known
    /// that no symmetry but the identity keeps it.
    #[inline]
    pub fn canonicalise(&mut self, state: &mut [u64]) -> bool {
        self.turned.iter_mut().for_each(|ring| ring.turn(state));
        match self.method {
            Method::Trivial => {}
            Method::Sorted => self.sorted.iter_mut().for_each(|domain| domain.sort(state)),
            Method::Tried(_) => {
                self.try_all(state);
            }
            Method::Linked | Method::Refined => {
                let layout = &self.refined.canonicaliser.action().layout;
                let keyed = self.keyed.as_mut();
                let found = keyed.and_then(|keyed| keyed.canonicalise(layout, &self.packing, state));
                if let Some(stabilisers) = found {
                    return stabilisers == 1;
                }
                let linked = self.linked.as_mut();
                if !linked.is_some_and(|linked| linked.canonicalise(state)) {
                    self.refined.canonicalise(&self.packing, state);
                }
            }
            Method::Other(_) => {
                if let Some(other) = &mut self.other {
                    self.packing.unpack(state, &mut self.cells.0);
                    other.choose(&self.cells.0, &mut self.cells.1);
                    self.packing.pack(&self.cells.1, state);
                }
            }
        }
        false
    }

    /// The least of the sorted images under the tried permutations, by what sorting does not change and then as a whole;
    /// how many of the permutations lead to it.
    fn try_all(&mut self, state: &mut [u64]) -> u128 {
        let words = state.len();
        let PackedCanonicaliser { sorted, tried, fixed, images, .. } = self;
        images[..words].copy_from_slice(state);
        let mut least = 0;
        for (i, moves) in (1..).zip(tried.iter()) {
            let (before, image) = images.split_at_mut(i * words);
            moves.apply(&before[..words], &mut image[..words]);
            if compare(fixed, image, &before[least * words..]).is_lt() {
                least = i;
            }
        }
        state.copy_from_slice(&images[least * words..(least + 1) * words]);
        sorted.iter_mut().for_each(|domain| domain.sort(state));
        let mut count = 1;
        for i in least + 1..=tried.len() {
            let (before, image) = images.split_at_mut(i * words);
            if compare(fixed, image, &before[least * words..]).is_ne() {
                continue;
            }
            let image = &mut image[..words];
            sorted.iter_mut().for_each(|domain| domain.sort(image));
            match (*image).cmp(state) {
                Ordering::Less => {
                    state.copy_from_slice(image);
                    count = 1;
                }
                Ordering::Equal => count += 1,
                Ordering::Greater => {}
            }
        }
        count
    }

    /// How many states are in the orbit of a state; `None` if that does not fit, or is not asked as orbits have several
    /// representatives.
    pub fn orbit(&mut self, state: &[u64]) -> Option<u128> {
        self.ties.clear();
        let stabilisers = match self.method {
            Method::Trivial => return Some(1),
            Method::Other(canon) if !canon.is_exact() => return None,
            Method::Other(_) => return self.refined.orbit(&self.packing, state),
            Method::Linked | Method::Refined => {
                let layout = &self.refined.canonicaliser.action().layout;
                let keyed = self.keyed.as_mut();
                let mut found = keyed.and_then(|keyed| keyed.stabiliser(layout, &self.packing, state));
                if found.is_none() {
                    found = self.linked.as_mut().and_then(|l| l.stabiliser(state, &mut self.ties));
                }
                let Some(found) = found else { return self.refined.orbit(&self.packing, state) };
                found
            }
            Method::Sorted => 1,
            Method::Tried(_) => self.try_all(&mut state.to_vec()),
        };
        let stabilisers = self.turned.iter_mut().fold(stabilisers, |count, ring| count * ring.turns(state));
        for domain in &mut self.sorted {
            domain.ties(state, &mut self.ties);
        }
        if self.ties.is_empty()
            && let Some(order) = self.order
        {
            return Some(if stabilisers == 1 { order } else { order / stabilisers });
        }
        self.refined.canonicaliser.action().orbit_size(&self.ties, stabilisers)
    }
}

impl Canonical for PackedCanonicaliser {
    fn action(&self) -> &Action {
        self.refined.canonicaliser.action()
    }

    fn form(&mut self, state: &[Cell]) -> Vec<Cell> {
        let mut words = vec![0; self.packing.words()];
        self.packing.pack(state, &mut words);
        self.canonicalise(&mut words);
        let mut form = Vec::new();
        self.packing.unpack(&words, &mut form);
        form
    }

    fn canonical(&mut self, state: &[Cell]) -> (Vec<Cell>, Permutation) {
        let form = self.form(state);
        // Both are in one orbit, so the other canonical form leads from one to the other.
        let canonicaliser = &mut self.refined.canonicaliser;
        canonicaliser.canonicalise(state);
        let there = canonicaliser.permutation();
        canonicaliser.canonicalise(&form);
        let back = canonicaliser.permutation().inverse();
        (form, back.compose(&there))
    }

    fn orbit_of(&mut self, state: &[Cell]) -> Option<u128> {
        let mut words = vec![0; self.packing.words()];
        self.packing.pack(state, &mut words);
        self.canonicalise(&mut words);
        self.orbit(&words)
    }
}

/// Compares the bits under the masks.
#[inline]
fn compare(masks: &[u64], a: &[u64], b: &[u64]) -> Ordering {
    let pairs = masks.iter().zip(a).zip(b).map(|((mask, a), b)| (a & mask).cmp(&(b & mask)));
    pairs.fold(Ordering::Equal, Ordering::then)
}
