//! Pieces of a model as trees: equal trees mean the same.
//!
//! What may move are the leaves that are points; everything else is spelled out as numbers. Where the order of parts has
//! no meaning, they are in a bag.

/// A piece of a model.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// What it is, or a number in it.
    Leaf(i64),
    /// A variable, function or value.
    Point(u32),
    /// Parts in order.
    Seq(Vec<Node>),
    /// Parts in any order.
    Bag(Vec<Node>),
}

const SEQ: i64 = -1;
const BAG: i64 = -2;
const LEAF: i64 = -3;
const POINT: i64 = -4;

impl Node {
    /// Parts in order, after a word for what they are together.
    pub fn of(what: i64, parts: impl IntoIterator<Item = Node>) -> Node {
        Node::Seq(std::iter::once(Node::Leaf(what)).chain(parts).collect())
    }

    pub fn size(&self) -> usize {
        match self {
            Node::Leaf(_) | Node::Point(_) => 1,
            Node::Seq(parts) | Node::Bag(parts) => 1 + parts.iter().map(Node::size).sum::<usize>(),
        }
    }

    pub fn points(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Node::Leaf(_) => {}
            Node::Point(point) => visit(*point),
            Node::Seq(parts) | Node::Bag(parts) => parts.iter().for_each(|part| part.points(visit)),
        }
    }

    /// The tree written down with other points, bags in order of what is written: equal texts are of equal trees.
    pub fn write(&self, images: &[u32]) -> Vec<i64> {
        match self {
            Node::Leaf(number) => vec![LEAF, *number],
            Node::Point(point) => vec![POINT, i64::from(images[*point as usize])],
            Node::Seq(parts) => {
                let mut text = vec![SEQ, parts.len() as i64];
                parts.iter().for_each(|part| text.extend(part.write(images)));
                text
            }
            Node::Bag(parts) => {
                let mut texts: Vec<Vec<i64>> = parts.iter().map(|part| part.write(images)).collect();
                texts.sort_unstable();
                let mut text = vec![BAG, parts.len() as i64];
                texts.iter().for_each(|part| text.extend(part));
                text
            }
        }
    }

    /// A number that equal trees have in common, if points have colours; those of the parts are noted on the way, in
    /// the order in which `spread` meets them again.
    pub fn hash(&self, colours: &[u64], noted: &mut Vec<u64>) -> u64 {
        let at = noted.len();
        noted.push(0);
        let hash = match self {
            Node::Leaf(number) => mix(1, *number as u64),
            Node::Point(point) => mix(2, colours[*point as usize]),
            Node::Seq(parts) => parts.iter().fold(3, |hash, part| mix(hash, part.hash(colours, noted))),
            Node::Bag(parts) => {
                let sum = parts.iter().fold(0u64, |sum, part| {
                    let part = part.hash(colours, noted);
                    sum.wrapping_add(mix(4, part))
                });
                mix(5, sum)
            }
        };
        noted[at] = hash;
        hash
    }

    /// Tells every point where it occurs: `around` stands for the tree outside this one.
    pub fn spread(&self, around: u64, noted: &mut impl Iterator<Item = u64>, told: &mut [u64]) {
        let around = mix(around, noted.next().unwrap_or(0));
        match self {
            Node::Leaf(_) => {}
            Node::Point(point) => {
                let told = &mut told[*point as usize];
                *told = told.wrapping_add(mix(6, around));
            }
            Node::Seq(parts) => {
                for (place, part) in (0..).zip(parts) {
                    part.spread(mix(around, place), noted, told);
                }
            }
            Node::Bag(parts) => parts.iter().for_each(|part| part.spread(mix(around, 7), noted, told)),
        }
    }
}

/// One number of two.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ (mixed >> 32)
}
