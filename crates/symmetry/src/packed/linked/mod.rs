//! Domains whose elements are linked: named in each other's blocks, or beside each other as the indices of a cell.
//!
//! Every element gets a colour, a hash of its block with the ids left out (`memo`) and of which cells outside blocks
//! name it (`colours`). Where colours tie, they take in the colours along the links until that splits nothing more; ties that
//! are left are twins, which may be in any order (`twins`), or are searched (`search`). The order of the colours is the
//! order of the elements in the form, whose words are then written (`write`).
//!
//! This is the [`Canonicaliser`](crate::Canonicaliser)'s method, on words and without lists: a colour is a word that
//! carries its element in the low bits, so that sorting colours sorts elements. What is compared and chosen does not
//! depend on the names of elements, so one state of each orbit is its form; a collision of hashes makes a tie, and costs
//! time only. A search that becomes too long is given up; whether it does is the same for a whole orbit, too, so that
//! another canonical form may take over.

mod colours;
mod memo;
mod search;
mod tables;
mod twins;
mod write;

use burnside_model::Packing;

use self::memo::{Meaning, Memo};
use self::search::Search;
use self::tables::Tables;
use crate::layout::Layout;

/// The element that a cell names if it names none; there are fewer elements than that.
const NOBODY: usize = 63;

/// The room of a state's elements, and of nobody.
const ROOM: usize = 64;

/// Canonical forms of states with linked elements.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    tables: Tables,
    /// The blocks of all elements, at the numbers of their places.
    blocks: Vec<u64>,
    meanings: Vec<Meaning>,
    memo: Memo,
    /// Per cell outside blocks, whom it names.
    globally_named: Vec<u8>,
    /// The cells with two indices, at the numbers of their places.
    pairs: Vec<u64>,
    /// Per element, which ones name it, as bits; that of nobody stands for the cells outside blocks. Made when needed.
    named_by: [u64; ROOM],
    named_by_is_known: bool,
    colours: [u64; ROOM],
    /// What is passed on to each element.
    seen: [u64; ROOM],
    /// By position, what is left of the colour there, and its element in the low bits.
    sorted: [u64; ROOM],
    /// The elements that the search told apart by itself, first to last.
    chosen: Vec<u8>,
    search: Search,
    /// The sizes of the sets of twins of the form that was found.
    ties: Vec<u32>,
}

impl Linked {
    /// `None` if the cells of these states are not of the kinds known here, or there are too many elements.
    pub fn new(layout: &Layout, packing: &Packing) -> Option<Self> {
        let tables = Tables::new(layout, packing)?;
        Some(Linked {
            blocks: vec![0; tables.blocks],
            meanings: vec![Meaning { colour: 0, targets: 0, links: 0 }; tables.blocks],
            memo: Memo::new(),
            globally_named: vec![NOBODY as u8; tables.globals.len()],
            pairs: vec![0; tables.pairs],
            named_by: [0; ROOM],
            named_by_is_known: false,
            colours: [0; ROOM],
            seen: [0; ROOM],
            sorted: [0; ROOM],
            chosen: Vec::new(),
            search: Search::new(packing.words()),
            ties: Vec::new(),
            tables,
        })
    }

    /// Replaces a state by its form; `false` if none was found, for no state of the orbit.
    #[inline]
    pub fn canonicalise(&mut self, state: &mut [u64]) -> bool {
        self.load(state);
        self.chosen.clear();
        if self.refine() {
            self.write(state);
            return true;
        }
        if self.explore(state).is_none() {
            return false;
        }
        state.copy_from_slice(&self.search.form);
        true
    }

    /// The order of the state's stabiliser as the sizes of sets of twins, to be added to `ties`, and a factor; `None` if
    /// no form is found.
    pub fn stabiliser(&mut self, state: &[u64], ties: &mut Vec<u32>) -> Option<u128> {
        self.load(state);
        self.chosen.clear();
        if self.refine() {
            self.read_ties();
            ties.extend_from_slice(&self.ties);
            return Some(1);
        }
        let leaves = self.explore(state)?;
        ties.extend_from_slice(&self.ties);
        Some(leaves)
    }
}
