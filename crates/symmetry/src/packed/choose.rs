//! Which domains are sorted and which are tried, from what is known of the cells. A ring is tried, unless it is alone:
//! then it is turned by itself.

use crate::layout::Layout;
use crate::order;

/// The most permutations that are tried: refinement is faster than trying more.
const MOST_TRIED: u128 = 12;

/// What is done with the domains, by their positions among the active ones; those of one element are in neither list.
pub(super) struct Choice {
    pub sorted: Vec<usize>,
    pub tried: Vec<usize>,
    /// How many permutations those have.
    pub permutations: u128,
}

/// The choice that tries the fewest permutations, without the rings that are turned by themselves; `None` if too many
/// would be needed.
pub(super) fn choose(layout: &Layout, turned: &[usize]) -> Option<Choice> {
    let moving: Vec<usize> =
        (0..layout.sizes.len()).filter(|d| layout.sizes[*d] > 1 && !turned.contains(d)).collect();
    if !layout.mixed.is_empty() || moving.iter().any(|domain| layout.has_gaps(*domain)) {
        return None;
    }
    if moving.len() > 8 {
        return None;
    }
    let choices = (0u32..1 << moving.len()).filter_map(|set| {
        let part = |wanted| {
            let member = move |(i, _): &(usize, &usize)| (set >> i & 1 == 1) == wanted;
            moving.iter().enumerate().filter(member).map(|(_, d)| *d).collect::<Vec<_>>()
        };
        let (sorted, tried) = (part(false), part(true));
        if sorted.iter().any(|d| layout.is_ring(*d)) {
            return None;
        }
        let tried_shapes: Vec<_> = tried.iter().map(|d| layout.shapes[*d]).collect();
        let permutations = order::product(&tried_shapes).filter(|count| *count <= MOST_TRIED)?;
        Some(Choice { sorted, tried, permutations })
    });
    let fitting = choices.filter(|choice| independent(layout, &choice.sorted));
    fitting.min_by_key(|choice| choice.permutations)
}

/// Whether no cell belongs to, or belongs to one and names, elements of these domains.
fn independent(layout: &Layout, sorted: &[usize]) -> bool {
    (0..layout.cells.len() as u32).all(|cell| {
        let owners = layout.terms_of(cell).iter().filter(|t| sorted.contains(&layout.domain_of(t.element)));
        let names = layout.ids_of(cell).iter().any(|ids| sorted.contains(&(ids.domain as usize)));
        owners.count() + usize::from(names) <= 1
    })
}
