//! Sets of multisets as diagrams.
//!
//! A multiset of numbers is a sorted sequence; a set of sequences is a list of alternatives for the first number, in
//! ascending order, each with the set of what follows it. Equal sets are the same node. A node has no level, so that sets
//! are shared wherever in the sequences they occur, and so are the results of operations.

use burnside_model::Count;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// A set of multisets that all have the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Set(u32);

/// No multiset.
pub(crate) const NONE: Set = Set(0);
/// The empty multiset alone.
pub(crate) const UNIT: Set = Set(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    value: u32,
    /// What follows the value.
    down: Set,
    /// The alternatives with greater values.
    right: Set,
}

/// A hash of a few small numbers.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl std::hash::Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
            self.write_u64(word);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// There is no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// What an operation gives, if there is room for it.
pub(crate) type Room<T> = Result<T, Full>;

/// All nodes, and what operations gave before.
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    numbers: Map<Node, Set>,
    unions: Map<(Set, Set), Set>,
    differences: Map<(Set, Set), Set>,
    inserted: Map<(u32, Set), Set>,
    removed: Map<(u32, Set), Set>,
    /// The most nodes.
    limit: usize,
    /// The most nodes that there were.
    pub peak: usize,
}

impl Diagrams {
    pub fn new(limit: usize) -> Self {
        let none = Node { value: 0, down: NONE, right: NONE };
        Diagrams {
            // The first two stand for `NONE` and `UNIT`; nobody looks inside.
            nodes: vec![none; 2],
            numbers: Map::default(),
            unions: Map::default(),
            differences: Map::default(),
            inserted: Map::default(),
            removed: Map::default(),
            limit,
            peak: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len() - 2
    }

    /// Whether there is so much, or so much was done, that it pays to forget what nobody needs.
    pub fn is_crowded(&self) -> bool {
        let done = [&self.unions, &self.differences].iter().map(|m| m.len()).sum::<usize>();
        let done = done + self.inserted.len() + self.removed.len();
        self.len() > self.limit / 2 || done > self.limit
    }

    /// Forgets what operations gave before, if that is much. All sets keep their names.
    pub fn forget(&mut self) {
        let done = self.unions.len() + self.differences.len() + self.inserted.len() + self.removed.len();
        if done > self.limit {
            self.unions = Map::default();
            self.differences = Map::default();
            self.inserted = Map::default();
            self.removed = Map::default();
        }
    }

    /// The first value, what follows it, and the alternatives; nothing for the sets without one.
    pub fn open(&self, set: Set) -> Option<(u32, Set, Set)> {
        if set == NONE || set == UNIT {
            return None;
        }
        let Node { value, down, right } = self.nodes[set.0 as usize];
        Some((value, down, right))
    }

    pub fn node(&mut self, value: u32, down: Set, right: Set) -> Room<Set> {
        if down == NONE {
            return Ok(right);
        }
        let node = Node { value, down, right };
        if let Some(set) = self.numbers.get(&node) {
            return Ok(*set);
        }
        if self.len() >= self.limit {
            return Err(Full);
        }
        let set = Set(self.nodes.len() as u32);
        self.nodes.push(node);
        self.numbers.insert(node, set);
        self.peak = self.peak.max(self.len());
        Ok(set)
    }

    /// The set of one multiset, given in ascending order.
    pub fn single(&mut self, values: &[u32]) -> Room<Set> {
        values.iter().rev().try_fold(UNIT, |set, value| self.node(*value, set, NONE))
    }

    pub fn union(&mut self, a: Set, b: Set) -> Room<Set> {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == NONE {
            return Ok(b);
        }
        let (Some((v, down, right)), Some((w, other, rest))) = (self.open(a), self.open(b)) else {
            debug_assert!(false, "multisets of different sizes");
            return Ok(b);
        };
        if let Some(set) = self.unions.get(&(a, b)) {
            return Ok(*set);
        }
        let set = match v.cmp(&w) {
            std::cmp::Ordering::Less => {
                let right = self.union(right, b)?;
                self.node(v, down, right)?
            }
            std::cmp::Ordering::Greater => {
                let right = self.union(a, rest)?;
                self.node(w, other, right)?
            }
            std::cmp::Ordering::Equal => {
                let right = self.union(right, rest)?;
                let down = self.union(down, other)?;
                self.node(v, down, right)?
            }
        };
        self.unions.insert((a, b), set);
        Ok(set)
    }

    /// What is in the first set, but not in the second.
    pub fn minus(&mut self, a: Set, b: Set) -> Room<Set> {
        if a == b || a == NONE {
            return Ok(NONE);
        }
        let (Some((v, down, right)), Some((w, other, rest))) = (self.open(a), self.open(b)) else {
            return Ok(a);
        };
        if let Some(set) = self.differences.get(&(a, b)) {
            return Ok(*set);
        }
        let set = match v.cmp(&w) {
            std::cmp::Ordering::Less => {
                let right = self.minus(right, b)?;
                self.node(v, down, right)?
            }
            std::cmp::Ordering::Greater => self.minus(a, rest)?,
            std::cmp::Ordering::Equal => {
                let right = self.minus(right, rest)?;
                let down = self.minus(down, other)?;
                self.node(v, down, right)?
            }
        };
        self.differences.insert((a, b), set);
        Ok(set)
    }

    pub fn both(&mut self, a: Set, b: Set) -> Room<Set> {
        let others = self.minus(a, b)?;
        self.minus(a, others)
    }

    /// Each multiset with one more of this value.
    pub fn insert(&mut self, value: u32, set: Set) -> Room<Set> {
        let Some((v, down, right)) = self.open(set) else {
            return if set == NONE { Ok(NONE) } else { self.node(value, UNIT, NONE) };
        };
        if v >= value {
            return self.node(value, set, NONE);
        }
        if let Some(set) = self.inserted.get(&(value, set)) {
            return Ok(*set);
        }
        let rest = self.insert(value, right)?;
        let down = self.insert(value, down)?;
        let result = self.node(v, down, rest)?;
        self.inserted.insert((value, set), result);
        Ok(result)
    }

    /// Each multiset with one more of any of these values, given in ascending order, each with whether the set is known
    /// to have, with every multiset that has it, the same with any greater one of the values in its place.
    pub fn insert_any(
        &mut self,
        values: &[(u32, bool)],
        set: Set,
        done: &mut Map<(u32, Set), Set>,
    ) -> Room<Set> {
        let Some(((least, closed), greater)) = values.split_first() else { return Ok(NONE) };
        if set == NONE {
            return Ok(NONE);
        }
        if let Some(result) = done.get(&(*least, set)) {
            return Ok(*result);
        }
        let result = match self.open(set) {
            Some((v, down, right)) if v < *least => {
                let right = self.insert_any(values, right, done)?;
                let down = self.insert_any(values, down, done)?;
                self.node(v, down, right)?
            }
            Some((v, down, right)) if v == *least => {
                let rest = self.insert_any(greater, right, done)?;
                // Those with the value once more, and those with a greater one behind it.
                let all = match closed {
                    true => set,
                    false => {
                        let more = self.insert_any(greater, down, done)?;
                        self.union(set, more)?
                    }
                };
                self.node(v, all, rest)?
            }
            _ => {
                let rest = self.insert_any(greater, set, done)?;
                self.node(*least, set, rest)?
            }
        };
        done.insert((*least, set), result);
        Ok(result)
    }

    /// Those multisets that have this value, each with one less of it.
    pub fn remove(&mut self, value: u32, set: Set) -> Room<Set> {
        let Some((v, down, right)) = self.open(set) else { return Ok(NONE) };
        match v.cmp(&value) {
            std::cmp::Ordering::Equal => return Ok(down),
            std::cmp::Ordering::Greater => return Ok(NONE),
            std::cmp::Ordering::Less => {}
        }
        if let Some(set) = self.removed.get(&(value, set)) {
            return Ok(*set);
        }
        let rest = self.remove(value, right)?;
        let down = self.remove(value, down)?;
        let result = self.node(v, down, rest)?;
        self.removed.insert((value, set), result);
        Ok(result)
    }

    /// Those multisets that have none of these values, given in ascending order.
    pub fn without(&mut self, values: &[u32], set: Set, done: &mut Map<Set, Set>) -> Room<Set> {
        let Some((value, down, right)) = self.open(set) else { return Ok(set) };
        if let Some(rest) = done.get(&set) {
            return Ok(*rest);
        }
        let mut rest = self.without(values, right, done)?;
        if values.binary_search(&value).is_err() {
            let down = self.without(values, down, done)?;
            rest = self.node(value, down, rest)?;
        }
        done.insert(set, rest);
        Ok(rest)
    }

    /// The multisets of which one of these comes when every value goes where it is told; those that nothing is told of
    /// come from nowhere.
    pub fn unmap(&mut self, goes: &[(u32, u32)], set: Set, done: &mut Map<Set, Set>) -> Room<Set> {
        let Some((value, down, right)) = self.open(set) else { return Ok(set) };
        if let Some(before) = done.get(&set) {
            return Ok(*before);
        }
        let rest = self.unmap(goes, right, done)?;
        let down = self.unmap(goes, down, done)?;
        let mut from: Vec<(u32, bool)> =
            goes.iter().filter(|(_, to)| *to == value).map(|(from, _)| (*from, false)).collect();
        from.sort_unstable();
        let with = self.insert_any(&from, down, &mut Map::default())?;
        let before = self.union(with, rest)?;
        done.insert(set, before);
        Ok(before)
    }

    pub fn count(&self, set: Set, counts: &mut Map<Set, Count>) -> Count {
        let Some((_, down, right)) = self.open(set) else { return Count::from(u32::from(set == UNIT)) };
        if let Some(count) = counts.get(&set) {
            return count.clone();
        }
        let count = self.count(down, counts) + self.count(right, counts);
        counts.insert(set, count.clone());
        count
    }

    /// The values that occur, in ascending order.
    pub fn values(&self, set: Set) -> Vec<u32> {
        let (mut seen, mut stack) = (Map::<Set, ()>::default(), vec![set]);
        let mut values = Vec::new();
        while let Some(set) = stack.pop() {
            if let Some((value, down, right)) = self.open(set)
                && seen.insert(set, ()).is_none()
            {
                values.push(value);
                stack.extend([down, right]);
            }
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    /// One of the multisets, in ascending order.
    pub fn pick(&self, mut set: Set) -> Option<Vec<u32>> {
        let mut values = Vec::new();
        while let Some((value, down, _)) = self.open(set) {
            values.push(value);
            set = down;
        }
        (set == UNIT).then_some(values)
    }

    /// The multisets, each in ascending order.
    pub fn each(&self, set: Set) -> Vec<Vec<u32>> {
        let Some((value, down, right)) = self.open(set) else {
            return if set == UNIT { vec![Vec::new()] } else { Vec::new() };
        };
        let mut all: Vec<Vec<u32>> =
            self.each(down).into_iter().map(|rest| [&[value], &rest[..]].concat()).collect();
        all.extend(self.each(right));
        all
    }

    /// Forgets what nobody needs; the given sets are those that are needed, and have new names afterwards.
    pub fn collect<'s>(&mut self, needed: impl Iterator<Item = &'s mut Set>) {
        self.unions = Map::default();
        self.differences = Map::default();
        self.inserted = Map::default();
        self.removed = Map::default();
        let old = std::mem::take(&mut self.nodes);
        self.nodes.extend_from_slice(&old[..2]);
        self.numbers.clear();
        let mut names: Vec<Set> = vec![NONE; old.len()];
        names[1] = UNIT;
        for set in needed {
            *set = self.keep(&old, &mut names, *set);
        }
    }

    fn keep(&mut self, old: &[Node], names: &mut [Set], set: Set) -> Set {
        if set.0 < 2 || names[set.0 as usize] != NONE {
            return names[set.0 as usize];
        }
        let Node { value, down, right } = old[set.0 as usize];
        let (down, right) = (self.keep(old, names, down), self.keep(old, names, right));
        let (node, name) = (Node { value, down, right }, Set(self.nodes.len() as u32));
        self.nodes.push(node);
        self.numbers.insert(node, name);
        names[set.0 as usize] = name;
        name
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    type Sets = BTreeSet<Vec<u32>>;

    fn all(d: &Diagrams, set: Set) -> Sets {
        let Some((value, down, right)) = d.open(set) else {
            return if set == UNIT { [Vec::new()].into() } else { Sets::new() };
        };
        let mut found = all(d, right);
        for mut rest in all(d, down) {
            rest.insert(0, value);
            found.insert(rest);
        }
        found
    }

    fn random(seed: &mut u64, n: u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        (*seed >> 11) % n
    }

    fn some(d: &mut Diagrams, seed: &mut u64, size: usize) -> (Set, Sets) {
        let (mut set, mut model) = (NONE, Sets::new());
        for _ in 0..random(seed, 9) {
            let mut values: Vec<u32> = (0..size).map(|_| random(seed, 5) as u32).collect();
            values.sort_unstable();
            let single = d.single(&values).expect("room");
            set = d.union(set, single).expect("room");
            model.insert(values);
        }
        (set, model)
    }

    /// All multisets of so many values.
    fn multisets(values: u32, size: usize) -> Vec<Vec<u32>> {
        let Some(less) = size.checked_sub(1) else { return vec![Vec::new()] };
        let more = |rest: Vec<u32>| {
            let first = rest.last().copied().unwrap_or(0);
            (first..values).map(move |value| [&rest[..], &[value]].concat())
        };
        multisets(values, less).into_iter().flat_map(more).collect()
    }

    #[test]
    fn operations_are_those_of_sets() {
        let (mut d, mut seed) = (Diagrams::new(1 << 20), 0x9e37_79b9);
        for round in 0..3000 {
            let size = 1 + round % 4;
            let ((a, x), (b, y)) = (some(&mut d, &mut seed, size), some(&mut d, &mut seed, size));
            assert_eq!(all(&d, a), x);
            let union = d.union(a, b).expect("room");
            assert_eq!(all(&d, union), &x | &y);
            let difference = d.minus(a, b).expect("room");
            assert_eq!(all(&d, difference), &x - &y);
            let both = d.both(a, b).expect("room");
            assert_eq!(all(&d, both), &x & &y);
            let goes = [(0, 1), (1, 1), (2, 4), (3, 2)];
            let before = d.unmap(&goes, a, &mut Map::default()).expect("room");
            let told = |values: &&Vec<u32>| {
                let mut after: Vec<u32> = values.iter().map(|v| goes[*v as usize].1).collect();
                after.sort_unstable();
                x.contains(&after)
            };
            assert_eq!(all(&d, before), multisets(4, size).iter().filter(told).cloned().collect());
            assert_eq!(d.count(a, &mut Map::default()), x.len() as u64);
            let value = random(&mut seed, 5) as u32;
            let more = |values: &Vec<u32>| {
                let mut values = values.clone();
                values.push(value);
                values.sort_unstable();
                values
            };
            let inserted = d.insert(value, a).expect("room");
            assert_eq!(all(&d, inserted), x.iter().map(more).collect());
            let any: Vec<(u32, bool)> =
                (0..5).filter(|_| random(&mut seed, 2) == 1).map(|value| (value, false)).collect();
            let with_any = d.insert_any(&any, a, &mut Map::default()).expect("room");
            let mut each = NONE;
            for (value, _) in any {
                let with = d.insert(value, a).expect("room");
                each = d.union(each, with).expect("room");
            }
            assert_eq!(with_any, each);
            let less = |values: &Vec<u32>| {
                let mut values = values.clone();
                let at = values.iter().position(|v| *v == value)?;
                values.remove(at);
                Some(values)
            };
            let removed = d.remove(value, a).expect("room");
            assert_eq!(all(&d, removed), x.iter().filter_map(less).collect());
            let without = d.without(&[1, 3], a, &mut Map::default()).expect("room");
            let has_none = |values: &&Vec<u32>| !values.contains(&1) && !values.contains(&3);
            assert_eq!(all(&d, without), x.iter().filter(has_none).cloned().collect());
            assert_eq!(d.each(a).into_iter().collect::<Sets>(), x);
            let values: BTreeSet<u32> = x.iter().flatten().copied().collect();
            assert_eq!(d.values(a), values.into_iter().collect::<Vec<_>>());
            assert_eq!(d.pick(a).is_some_and(|values| x.contains(&values)), !x.is_empty());
            if round % 100 == 99 {
                let mut needed = [a, union];
                d.collect(needed.iter_mut());
                assert_eq!((all(&d, needed[0]), all(&d, needed[1])), (x.clone(), &x | &y));
                let again = d.union(needed[0], needed[1]).expect("room");
                assert_eq!(again, needed[1]);
            }
        }
    }

    #[test]
    fn equal_sets_are_one() {
        let mut d = Diagrams::new(1000);
        let (a, b) = (d.single(&[1, 2]).expect("room"), d.single(&[1, 3]).expect("room"));
        let (c, e) = (d.union(a, b).expect("room"), d.union(b, a).expect("room"));
        assert_eq!(c, e);
        assert_eq!(d.minus(c, a).expect("room"), b);
    }
}
