//! Certificates of safety for any number of threads, and their checker.
//!
//! A certificate is a set of pairs of shared and local states, and minimal elements. It claims: what is reached has only
//! such pairs, and is above none of the elements. The checker shares no code with the search. It looks forward where the
//! search looks backward: whatever configuration a step leads above an element from must itself have a foreign pair or be
//! above an element. It is enough to look at the least such configurations: per element and step, every assignment of
//! origins to the threads of the element.

use burnside_model::threads::{Population, ThreadState, ThreadSystem};

use super::Pairs;

/// What a safe verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The minimal configurations from which the target may be covered.
    pub elements: Vec<(ThreadState, Population)>,
    /// Which local states occur beside which shared states.
    pub pairs: Pairs,
}

/// Why a certificate proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A start is not excluded by it, or has a foreign pair.
    Start,
    /// The target is not above an element, and has no foreign pair.
    Target,
    /// A step leads from outside the elements into them.
    Step(usize),
    /// A step leads out of the pairs.
    Pair(usize),
}

impl Certificate {
    /// Checks that it proves the target of a system unreachable.
    pub fn check(&self, system: &ThreadSystem) -> Result<(), Flaw> {
        self.check_pairs(system)?;
        let start = &system.start;
        for (shared, threads) in &self.elements {
            let below = |(local, count): (&ThreadState, &u32)| {
                start.unbounded.contains(local) || start.fixed.get(local).is_some_and(|fixed| fixed >= count)
            };
            if *shared == start.shared && threads.iter().all(below) {
                return Err(Flaw::Start);
            }
        }
        if let Some(target) = &system.target
            && !self.excluded(target.shared, &listed(&target.locals))
        {
            return Err(Flaw::Target);
        }
        for (number, step) in system.steps.iter().enumerate() {
            for (shared, threads) in self.elements.iter().filter(|(shared, _)| *shared == step.shared.1) {
                debug_assert_eq!(*shared, step.shared.1);
                let wanted = listed(threads);
                // The thread that moves, and one that is started, may each be any of those that are wanted, or none.
                for mover in std::iter::once(None).chain((0..wanted.len()).map(Some)) {
                    if mover.is_some_and(|at| wanted[at] != step.local.1) {
                        continue;
                    }
                    for child in std::iter::once(None).chain((0..wanted.len()).map(Some)) {
                        let fits = child.is_none_or(|at| step.spawned == Some(wanted[at]) && mover != child);
                        if !fits {
                            continue;
                        }
                        let rest = (0..wanted.len()).filter(|at| Some(*at) != mover && Some(*at) != child);
                        let rest: Vec<ThreadState> = rest.map(|at| wanted[at]).collect();
                        let mut before = vec![step.local.0];
                        if !self.all_excluded(system, number, &rest, &mut before) {
                            return Err(Flaw::Step(number));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether every choice of origins for some threads gives a configuration that is excluded.
    fn all_excluded(
        &self,
        system: &ThreadSystem,
        number: usize,
        rest: &[ThreadState],
        before: &mut Vec<ThreadState>,
    ) -> bool {
        let step = &system.steps[number];
        // More threads than these are excluded too.
        if self.excluded(step.shared.0, before) {
            return true;
        }
        let Some((last, rest)) = rest.split_last() else { return false };
        let mut origins: Vec<ThreadState> =
            step.passive.iter().filter(|(_, to)| to.contains(last)).map(|(from, _)| *from).collect();
        if !step.passive.contains_key(last) {
            origins.push(*last);
        }
        origins.into_iter().all(|origin| {
            before.push(origin);
            let excluded = self.all_excluded(system, number, rest, before);
            before.pop();
            excluded
        })
    }

    /// Whether a configuration with these threads has a foreign pair, or is above an element.
    fn excluded(&self, shared: ThreadState, threads: &[ThreadState]) -> bool {
        let Some(mine) = self.pairs.beside.get(&shared) else { return true };
        let have = |local: &ThreadState| threads.iter().filter(|other| *other == local).count() as u32;
        threads.iter().any(|local| !mine.contains(local))
            || self.elements.iter().any(|(other, element)| {
                *other == shared && element.iter().all(|(local, count)| have(local) >= *count)
            })
    }

    /// The pairs contain the start, and are closed under steps.
    fn check_pairs(&self, system: &ThreadSystem) -> Result<(), Flaw> {
        let start = &system.start;
        let Some(first) = self.pairs.beside.get(&start.shared) else { return Err(Flaw::Start) };
        if !start.fixed.keys().chain(&start.unbounded).all(|local| first.contains(local)) {
            return Err(Flaw::Start);
        }
        for (number, step) in system.steps.iter().enumerate() {
            let Some(here) = self.pairs.beside.get(&step.shared.0) else { continue };
            if !here.contains(&step.local.0) {
                continue;
            }
            let Some(there) = self.pairs.beside.get(&step.shared.1) else { return Err(Flaw::Pair(number)) };
            let stays = |local: &ThreadState| match step.passive.get(local) {
                Some(to) => to.iter().all(|to| there.contains(to)),
                None => there.contains(local),
            };
            if !here.iter().all(stays)
                || !there.contains(&step.local.1)
                || !step.spawned.iter().all(|s| there.contains(s))
            {
                return Err(Flaw::Pair(number));
            }
        }
        Ok(())
    }
}

fn listed(threads: &Population) -> Vec<ThreadState> {
    threads.iter().flat_map(|(local, count)| std::iter::repeat_n(*local, *count as usize)).collect()
}
