//! Transition relations that only speak of what they change.
//!
//! A relation is a set of pairs of states, over the variables of now and, for the bits that some step writes, of next.
//! Bits that are not written keep their value without being mentioned: an image quantifies and renames only the written
//! ones. That is much smaller and faster than a relation with a frame condition for every bit.
//!
//! A large relation is a conjunction of parts, each with the next values of some bits. In an image, the value now of a
//! bit is forgotten after the last part that mentions it, so that few values of both states meet.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::bdd::{Bdd, Manager, Renaming, Result, Var};
use crate::variables::Variables;

/// The bits that a step writes, ascending, and what they become.
pub type Updates = Vec<(usize, Bdd)>;

/// A set of bits that steps write, and what images over them need; made once per set.
pub struct Written {
    /// The bits, ascending.
    pub bits: Vec<usize>,
    now: Bdd,
    next: Bdd,
    to_now: Renaming,
    to_next: Renaming,
}

/// All sets of written bits so far.
#[derive(Default)]
pub struct Frames {
    known: HashMap<Vec<usize>, Rc<Written>>,
    /// The most nodes of a part; none if relations have one part.
    large: Option<usize>,
}

impl Frames {
    /// For relations in parts that have no more nodes than this, where that is possible.
    pub fn of_parts(nodes: usize) -> Self {
        Self { large: Some(nodes), ..Self::default() }
    }

    /// The set of these bits.
    pub fn written(
        &mut self,
        manager: &Manager,
        variables: &Variables,
        mut bits: Vec<usize>,
    ) -> Result<Rc<Written>> {
        bits.sort_unstable();
        bits.dedup();
        if let Some(written) = self.known.get(&bits) {
            return Ok(written.clone());
        }
        let each = || bits.iter().copied();
        let written = Rc::new(Written {
            now: manager.variables(each().map(|bit| variables.now(bit)))?,
            next: manager.variables(each().map(|bit| variables.next(bit)))?,
            to_now: variables.to_now(manager, each())?,
            to_next: variables.to_next(manager, each())?,
            bits: bits.clone(),
        });
        self.known.insert(bits, written.clone());
        Ok(written)
    }
}

/// A set of steps: those on which all parts agree.
#[derive(Clone)]
pub struct Relation {
    /// At least one.
    parts: Vec<Part>,
    /// What they write; all other bits stay.
    pub written: Rc<Written>,
}

/// One of the conditions that steps satisfy.
#[derive(Clone)]
struct Part {
    /// The pairs that satisfy it.
    pairs: Bdd,
    /// The values now, of written bits, that no later part mentions.
    now: Bdd,
    /// The next values that it mentions: no other part does.
    next: Bdd,
}

impl Relation {
    /// The steps between these pairs of states.
    pub fn new(pairs: Bdd, written: Rc<Written>) -> Self {
        let part = Part { pairs, now: written.now.clone(), next: written.next.clone() };
        Self { parts: vec![part], written }
    }

    /// The steps from where the guard holds, each bit becoming what its function says of the state before. There may be
    /// several choices, which write the same bits.
    pub fn of_updates(
        manager: &Manager,
        variables: &Variables,
        frames: &mut Frames,
        guard: &Bdd,
        choices: &[&Updates],
    ) -> Result<Self> {
        let first: &[(usize, Bdd)] = choices.first().map_or(&[], |updates| updates);
        // From the bottom up, so that each conjunction only adds on top.
        let mut order: Vec<usize> = (0..first.len()).collect();
        order.sort_unstable_by_key(|at| std::cmp::Reverse(manager.level(variables.next(first[*at].0))));
        let (same, varied): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|at| choices.iter().all(|updates| updates[*at] == first[*at]));
        let update = |(bit, becomes): &(usize, Bdd)| manager.var(variables.next(*bit))?.equals(becomes);
        // What to satisfy, and the bits that it gives values to.
        let mut parts: Vec<(Bdd, Vec<usize>)> = Vec::new();
        let (mut part, mut bits) = (guard.clone(), Vec::new());
        let large = frames.large.unwrap_or(usize::MAX);
        // No fewer nodes than the part has.
        let mut about = part.size();
        for at in same {
            let (bit, one) = (first[at].0, update(&first[at])?);
            let nodes = manager.nodes();
            let both = part.and(&one)?;
            about += manager.nodes().saturating_sub(nodes);
            if about > large {
                about = both.size();
            }
            if about > large {
                about = one.size();
                parts.push((std::mem::replace(&mut part, one), std::mem::replace(&mut bits, vec![bit])));
            } else {
                part = both;
                bits.push(bit);
            }
        }
        if !varied.is_empty() {
            let mut chosen = manager.constant(false);
            for updates in choices {
                let all = manager.constant(true);
                chosen =
                    chosen.or(&varied.iter().try_fold(all, |all, at| all.and(&update(&updates[*at])?))?)?;
            }
            part = part.and(&chosen)?;
            bits.extend(varied.iter().map(|at| first[*at].0));
        }
        parts.push((part, bits));
        let written = frames.written(manager, variables, first.iter().map(|(bit, _)| *bit).collect())?;
        match &parts[..] {
            [(pairs, _)] => Ok(Self::new(pairs.clone(), written)),
            _ => Self::of_parts(manager, variables, parts, written),
        }
    }

    /// Finds for each part the bits that can be forgotten after it.
    fn of_parts(
        manager: &Manager,
        variables: &Variables,
        parts: Vec<(Bdd, Vec<usize>)>,
        written: Rc<Written>,
    ) -> Result<Self> {
        let mut left: HashSet<Var> = written.bits.iter().map(|bit| variables.now(*bit)).collect();
        let mut made = Vec::with_capacity(parts.len());
        for (pairs, bits) in parts.into_iter().rev() {
            let support = pairs.support();
            let (mentioned, others) =
                left.into_iter().partition::<HashSet<Var>, _>(|var| support.contains(var));
            left = others;
            let now = manager.variables(mentioned)?;
            let next = manager.variables(bits.iter().map(|bit| variables.next(*bit)))?;
            made.push(Part { pairs, now, next });
        }
        // What no part mentions is forgotten at once.
        let unmentioned = manager.variables(left)?;
        made.reverse();
        made[0].now = made[0].now.and(&unmentioned)?;
        Ok(Self { parts: made, written })
    }

    pub fn pairs(&self) -> Result<Bdd> {
        self.parts[1..].iter().try_fold(self.parts[0].pairs.clone(), |all, part| all.and(&part.pairs))
    }

    /// How many nodes its parts have.
    pub fn size(&self) -> usize {
        self.parts.iter().map(|part| part.pairs.size()).sum()
    }

    /// The variable highest in the order that it speaks of.
    pub fn top(&self, manager: &Manager) -> Option<Var> {
        self.parts.iter().filter_map(|part| part.pairs.top()).min_by_key(|var| manager.level(*var))
    }

    /// The steps of both.
    pub fn union(
        &self,
        other: &Self,
        manager: &Manager,
        variables: &Variables,
        frames: &mut Frames,
    ) -> Result<Self> {
        let bits: Vec<_> = self.written.bits.iter().chain(&other.written.bits).copied().collect();
        let written = frames.written(manager, variables, bits)?;
        let one = self.widened(&written, manager, variables)?;
        let two = other.widened(&written, manager, variables)?;
        Ok(Self::new(one.or(&two)?, written))
    }

    /// The pairs with more bits mentioned, which keep their value.
    pub fn widened(&self, written: &Written, manager: &Manager, variables: &Variables) -> Result<Bdd> {
        let kept = written.bits.iter().filter(|bit| self.written.bits.binary_search(bit).is_err());
        let mut kept: Vec<_> = kept.copied().collect();
        kept.sort_unstable_by_key(|bit| std::cmp::Reverse(manager.level(variables.next(*bit))));
        kept.into_iter().try_fold(self.pairs()?, |pairs, bit| {
            let (now, next) = (manager.var(variables.now(bit))?, manager.var(variables.next(bit))?);
            pairs.and(&now.equals(&next)?)
        })
    }

    /// The states that steps from these states lead to.
    pub fn image(&self, states: &Bdd) -> Result<Bdd> {
        let step = |from: Bdd, part: &Part| from.and_exists(&part.pairs, &part.now);
        self.parts.iter().try_fold(states.clone(), step)?.rename(&self.written.to_now)
    }

    /// The states from which a step leads to these states.
    pub fn preimage(&self, states: &Bdd) -> Result<Bdd> {
        let step = |from: Bdd, part: &Part| from.and_exists(&part.pairs, &part.next);
        self.parts.iter().try_fold(states.rename(&self.written.to_next)?, step)
    }

    /// The steps between these states.
    pub fn within(&self, states: &Bdd) -> Result<Self> {
        let pairs = self.pairs()?.and(states)?.and(&states.rename(&self.written.to_next)?)?;
        Ok(Self::new(pairs, self.written.clone()))
    }
}
