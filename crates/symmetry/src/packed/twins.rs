//! State symmetries: of the steps that a symmetry of the state maps to each other, one is kept.
//!
//! Twins are elements whose exchange leaves a state as it is; in a form they are neighbours. An exchange is a symmetry of
//! the system, so it maps the steps of the state to steps of the state: of those that change the blocks of some twins,
//! there is one for any other choice of as many. The one that changes the first of them is kept, and leads to the orbits of
//! all. Every rule instance still counts as fired, and what goes wrong in it is still seen.
//!
//! That two elements are twins is not concluded from anything: each exchange is applied to the state, and what comes out
//! is compared with it.
//!
//! Source: SMC's state symmetries (paper 000, §2.4 and §4), which fires one instance per orbit of the stabiliser; here
//! compiled code makes the steps of all instances at once, and what is saved is to bring them into form and to store them.

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

/// The elements of a domain.
#[derive(Clone, Debug)]
struct Domain {
    blocks: Vec<Block>,
    /// The exchange of each but the last with the next, once it was needed.
    exchanges: Vec<Option<Box<Moves>>>,
}

/// Finds the twins of a state, and the steps that are kept.
#[derive(Clone, Debug)]
pub(super) struct Twins {
    domains: Vec<Domain>,
    /// The sets of twins of the state at hand: domain, first element, and the one behind the last.
    sets: Vec<(usize, usize, usize)>,
    image: Vec<u64>,
}

impl Twins {
    /// For states of this layout. All permutations must be symmetries.
    pub fn new(layout: &Layout, packing: &Packing) -> Self {
        let domain = |(position, domain)| {
            let blocks = packing.blocks().iter().filter(|block| block.domain == domain);
            let blocks: Vec<_> = blocks
                .map(|block| Block {
                    word: block.word as usize,
                    words: block.bits.div_ceil(64).max(1) as usize,
                    shift: block.shift,
                    mask: u64::MAX >> (64 - block.bits.clamp(1, 64)),
                    element: (layout.firsts[position] + block.element) as usize,
                })
                .collect();
            Domain { exchanges: vec![None; blocks.len()], blocks }
        };
        let domains = layout.domains.iter().copied().enumerate().map(domain).collect();
        Twins { domains, sets: Vec::new(), image: vec![0; packing.words()] }
    }

    /// Looks at the state whose steps come next; whether it has twins.
    #[inline]
    pub fn enter(&mut self, layout: &Layout, packing: &Packing, state: &[u64]) -> bool {
        let Twins { domains, sets, image } = self;
        sets.clear();
        for (number, Domain { blocks, exchanges }) in domains.iter_mut().enumerate() {
            let mut from = 0;
            for (i, (pair, exchange)) in blocks.windows(2).zip(exchanges).enumerate() {
                if !pair[0].differs(&pair[1], state, state)
                    && is_symmetry(
                        exchange,
                        layout,
                        packing,
                        [pair[0].element, pair[1].element],
                        state,
                        image,
                    )
                {
                    continue;
                }
                if i > from {
                    sets.push((number, from, i + 1));
                }
                from = i + 1;
            }
            if blocks.len() > from + 1 {
                sets.push((number, from, blocks.len()));
            }
        }
        !sets.is_empty()
    }

    /// Whether the step to this target is the one that is kept.
    #[inline]
    pub fn keeps(&self, state: &[u64], target: &[u64]) -> bool {
        self.sets.iter().all(|(domain, from, to)| {
            let blocks = &self.domains[*domain].blocks[*from..*to];
            // Behind one that stays as it is, all do.
            !blocks.windows(2).any(|pair| {
                !pair[0].differs(&pair[0], state, target) && pair[1].differs(&pair[1], state, target)
            })
        })
    }
}

/// Whether exchanging two elements leaves the state as it is.
fn is_symmetry(
    exchange: &mut Option<Box<Moves>>,
    layout: &Layout,
    packing: &Packing,
    [a, b]: [usize; 2],
    state: &[u64],
    image: &mut [u64],
) -> bool {
    let exchange = exchange.get_or_insert_with(|| {
        let mut images: Vec<u32> = layout.sizes.iter().flat_map(|size| 0..*size).collect();
        images.swap(a, b);
        Box::new(Moves::new(layout, packing, &images))
    });
    exchange.apply(state, image);
    image == state
}
