//! Canonical forms: one state of each orbit, exactly.
//!
//! Domains whose elements occur nowhere as values, and in no cell together with another index, are *plain*: the blocks
//! of their elements are sorted by content (survey, §4.2), and equal blocks may be in any order. This is decided from
//! the model, once. The elements of all other domains are told apart together, by colour refinement on the state as a
//! hypergraph (`graph`, `partition`); a cell of the partition that stays open consists of twins (`twins`), which may be
//! in any order, or else its elements are individualised one by one (`search`). Every leaf of this search orders all
//! elements and so gives a state of the orbit; the form is the least leaf by what refinement saw on the way, then by
//! content. The survey (§4.3) sorts and then tries all orders of what is tied; refinement leaves less tied, and
//! automorphisms found on the way cut the rest.
//!
//! A ring whose elements occur with those of no other domain has its least rotation found in linear time (`ring`). The
//! rotations of other rings are tried, each followed by the above with the rings' elements told apart from the start
//! (`rotations`).
//!
//! If not all permutations act, but a group given by generators, its stabiliser chain is searched for the least image
//! (`minimal`).
//!
//! The number of least leaves, with what was cut counted in, times the number of rotations that lead to the form, is the
//! order of the state's stabiliser.

mod exhaustive;
mod graph;
mod minimal;
mod partition;
mod plain;
mod ring;
mod rotations;
mod search;
mod twins;

use burnside_model::code::Cell;

pub(crate) use self::ring::{Alone, least_rotation, period};
pub(crate) use self::rotations::alone;
pub use exhaustive::Exhaustive;

use self::graph::Graph;
pub(crate) use self::graph::mix;
use self::minimal::Minimal;
use self::partition::{Partition, Refiner};
use self::plain::PlainDomain;
use self::rotations::Rotations;
use self::search::Search;
use self::twins::Twins;
use crate::action::Action;
use crate::order;
use crate::permutation::Permutation;

/// Computes canonical forms; what is known of the last one stays until the next.
#[derive(Clone, Debug)]
pub struct Canonicaliser {
    action: Action,
    /// The search of a group given by generators; absent if all permutations act.
    minimal: Option<Box<Minimal>>,
    /// How rings are rotated; absent if there are none.
    rotations: Option<Box<Rotations>>,
    /// The domains that are sorted by content.
    plain: Vec<PlainDomain>,
    /// The partition before any refinement.
    coarsest: Partition,
    /// The state as a hypergraph over the elements of the other domains.
    graph: Graph,
    /// The partition of the node at hand.
    partition: Partition,
    refiner: Refiner,
    twins: Twins,
    search: Search,
    /// Per position, the element 0 of its domain.
    first_at: Vec<u32>,
    /// The images of all elements, each within its domain.
    images: Vec<u32>,
    /// The canonical form.
    form: Vec<Cell>,
    /// The sizes of the sets of elements that may be in any order.
    ties: Vec<u32>,
    /// How many leaves of the search are the least; `None` if too many.
    leaves: Option<u128>,
    /// How many rotations of the rings lead to the form.
    turns: u128,
}

impl Canonicaliser {
    /// Canonical forms under an action.
    pub fn new(action: Action) -> Self {
        let layout = &action.layout;
        let joint = plain::joint_domains(layout);
        let plain = plain::plain_domains(layout, &joint);
        let coarsest = Partition::new(&layout.sizes, &joint);
        let first_at =
            layout.sizes.iter().zip(&layout.firsts).flat_map(|(n, f)| (0..*n).map(|_| *f)).collect();
        Canonicaliser {
            minimal: action.group.as_ref().map(|group| Box::new(Minimal::new(layout, group))),
            rotations: Rotations::new(layout).map(Box::new),
            plain,
            graph: Graph::new(layout, &joint),
            partition: coarsest.clone(),
            coarsest,
            refiner: Refiner::new(layout.elements()),
            twins: Twins::new(&action),
            search: Search::default(),
            first_at,
            images: layout.sizes.iter().flat_map(|n| 0..*n).collect(),
            form: Vec::new(),
            ties: Vec::new(),
            leaves: Some(1),
            turns: 1,
            action,
        }
    }

    /// The action whose orbits it tells apart.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The canonical form of a state: the same for all states of its orbit, and one of them.
    pub fn canonicalise(&mut self, state: &[Cell]) -> &[Cell] {
        if let Some(minimal) = &mut self.minimal {
            self.turns = minimal.search(&self.action, state);
            self.form.clone_from(&minimal.form);
            self.images.clone_from(&minimal.images);
        } else if let Some(mut rotations) = self.rotations.take() {
            self.rotate(&mut rotations, state);
            self.rotations = Some(rotations);
        } else {
            self.settle(state);
        }
        &self.form
    }

    /// The canonical form, images and stabiliser under permutations of the scalarsets; rings stay as they are.
    fn settle(&mut self, state: &[Cell]) {
        self.ties.clear();
        self.leaves = Some(1);
        for domain in &mut self.plain {
            domain.sort(state, &mut self.images, &mut self.ties);
        }
        self.partition.copy_from(&self.coarsest);
        if !self.partition.is_discrete() {
            self.graph.load(&self.action.layout, state);
            self.refiner.start(&mut self.partition, &self.graph);
        }
        if !self.partition.is_discrete() {
            self.twins.find(&self.action, &self.graph, &self.partition, state);
            if self.partition.target(&self.twins.of).is_some() {
                self.explore(state);
                return;
            }
            let cells = self.partition.open_cells().map(|start| self.partition.len[start]);
            self.ties.extend(cells);
        }
        self.read_images();
        self.action.apply_images(&self.images, state, &mut self.form);
    }

    /// The permutation π with form = π·state.
    pub fn permutation(&self) -> Permutation {
        let layout = &self.action.layout;
        let images = layout.sizes.iter().zip(&layout.firsts).map(|(size, first)| {
            let first = *first as usize;
            self.images[first..first + *size as usize].to_vec()
        });
        // Invariant: the images list every position of each domain once.
        Permutation::from_images(images.collect()).unwrap_or_else(|| self.action.identity())
    }

    /// How many permutations leave the state as it is; `None` if that does not fit.
    pub fn stabiliser(&self) -> Option<u128> {
        self.leaves?.checked_mul(order::factorials(&self.ties)?)?.checked_mul(self.turns)
    }

    /// How many states are in the orbit; `None` if that does not fit.
    pub fn orbit(&self) -> Option<u128> {
        self.action.orbit_size(&self.ties, self.leaves?.checked_mul(self.turns)?)
    }

    /// Takes the images of the elements of joint domains from the order in the partition.
    fn read_images(&mut self) {
        for (position, element) in self.partition.order.iter().enumerate() {
            // Elements of plain domains have been sorted already.
            if self.coarsest.len[position] > 1 {
                self.images[*element as usize] = position as u32 - self.first_at[position];
            }
        }
    }
}
