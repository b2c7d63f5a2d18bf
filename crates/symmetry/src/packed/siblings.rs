//! State symmetries: of the steps that a symmetry of the state maps to each other, one is brought into form.
//!
//! Two elements with equal blocks are mostly twins: exchanging them changes nothing in the state, and maps the steps of
//! one to the steps of the other. So a step that changes the block of such an element is compared with earlier ones after
//! the element was exchanged with the first of its kind. What is compared was made by a permutation of the group from the
//! step's own target, so equal ones are of one orbit whether or not the elements are twins: nothing has to be believed.
//! Every rule instance still counts as fired, and what goes wrong in it is still seen.
//!
//! Source: SMC's state symmetries (paper 000, §2.4 and §4), which fires one instance per orbit of the stabiliser; here
//! compiled code makes the steps of all instances at once, and what costs is the form.

use burnside_model::Packing;

use super::moves::Moves;
use crate::layout::Layout;

/// The bits of an element's block.
#[derive(Clone, Copy, Debug)]
struct Block {
    word: usize,
    words: usize,
    shift: u8,
    mask: u64,
    /// Its element, among all active ones.
    element: usize,
}

impl Block {
    /// Whether it has another content in one state than a block of the same domain in another.
    #[inline]
    fn differs(&self, other: &Block, a: &[u64], b: &[u64]) -> bool {
        (0..self.words).any(|i| {
            let (a, b) = (a[self.word + i] >> self.shift, b[other.word + i] >> other.shift);
            (a ^ b) & self.mask != 0
        })
    }
}

/// The exchanges of elements, and what was seen of the steps of one state.
#[derive(Clone, Debug)]
pub(super) struct Siblings {
    /// The blocks of each domain's elements.
    domains: Vec<Vec<Block>>,
    /// The exchange of each element with an earlier one of its domain, once it was needed.
    exchanges: Vec<Option<Box<Moves>>>,
    elements: usize,
    /// Per block of all domains: the position of the first with the same content in its domain, in the state at hand.
    kinds: Vec<usize>,
    /// Whether two elements have the same block.
    any: bool,
    /// The targets of steps after the exchange, and their forms, one behind the other.
    seen: Vec<u64>,
    moved: Vec<u64>,
}

impl Siblings {
    /// For states of this layout.
    pub fn new(layout: &Layout, packing: &Packing) -> Self {
        let mut domains = Vec::new();
        for (position, domain) in layout.domains.iter().enumerate() {
            let blocks = packing.blocks().iter().filter(|block| block.domain == *domain);
            let blocks: Vec<_> = blocks
                .map(|block| Block {
                    word: block.word as usize,
                    words: block.bits.div_ceil(64).max(1) as usize,
                    shift: block.shift,
                    mask: u64::MAX >> (64 - block.bits.clamp(1, 64)),
                    element: (layout.firsts[position] + block.element) as usize,
                })
                .collect();
            domains.push(blocks);
        }
        let elements = layout.elements();
        Siblings {
            kinds: vec![0; domains.iter().map(Vec::len).sum()],
            domains,
            exchanges: vec![None; elements * elements],
            elements,
            any: false,
            seen: Vec::new(),
            moved: vec![0; packing.words()],
        }
    }

    /// Looks at the state whose steps come next; whether it has elements with equal blocks.
    pub fn enter(&mut self, state: &[u64]) -> bool {
        self.seen.clear();
        self.any = false;
        let mut kinds = self.kinds.iter_mut();
        for blocks in &self.domains {
            for (i, (block, kind)) in blocks.iter().zip(&mut kinds).enumerate() {
                let first = blocks[..i].iter().position(|other| !block.differs(other, state, state));
                *kind = first.unwrap_or(i);
                self.any |= first.is_some();
            }
        }
        self.any
    }

    /// The form of a step's target, if an earlier step was its sibling; else what it is known by later stays in `moved`.
    pub fn find(
        &mut self,
        layout: &Layout,
        packing: &Packing,
        state: &[u64],
        target: &[u64],
    ) -> Option<&[u64]> {
        self.moved.copy_from_slice(target);
        let mut from = 0;
        for blocks in &self.domains {
            let kinds = &self.kinds[from..from + blocks.len()];
            from += blocks.len();
            let changed = |(block, _): &(&Block, &usize)| block.differs(block, state, target);
            let mut changed = blocks.iter().zip(kinds).filter(changed);
            // A step of one element; others are known as they are.
            if let (Some((block, kind)), None) = (changed.next(), changed.next()) {
                let first = blocks[*kind].element;
                if first != block.element {
                    let exchange = &mut self.exchanges[block.element * self.elements + first];
                    let exchange = exchange.get_or_insert_with(|| {
                        let mut images: Vec<u32> = layout.sizes.iter().flat_map(|size| 0..*size).collect();
                        images.swap(first, block.element);
                        Box::new(Moves::new(layout, packing, &images))
                    });
                    exchange.apply(target, &mut self.moved);
                }
                break;
            }
        }
        let words = target.len();
        let found = self.seen.chunks_exact(2 * words).position(|known| known[..words] == *self.moved)?;
        Some(&self.seen[(2 * found + 1) * words..(2 * found + 2) * words])
    }

    /// Remembers the form of the target that was not found.
    pub fn add(&mut self, form: &[u64]) {
        self.seen.extend_from_slice(&self.moved);
        self.seen.extend_from_slice(form);
    }
}
