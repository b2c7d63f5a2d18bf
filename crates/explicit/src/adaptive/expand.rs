//! Firing rules at the states that a node stands for, and filing what they lead to.

use burnside_model::code::Cell;
use burnside_model::system::{Batch, Batcher, PropertyKind, TimeUp};
use burnside_model::{DeadlockMode, Limit};
use burnside_symmetry::partial::Blocks;
use std::collections::HashSet;

use super::found::Found;
use super::nodes::START;
use super::partitions::PartitionId;
use super::{Search, Stopped, is_lost};
use burnside_model::findings::Ending;

/// If it is on trial, adapting is given up where a rule sees a node in more ways than this.
const MANY_PARTS: usize = 10_000;

/// Start states beyond this many are not searched for symmetry among them.
const MANY_STARTS: usize = 10_000;

impl<B: Batcher> Search<'_, B> {
    /// Finds the start states. They are reachable, and what else is follows; so each stands at first for itself and
    /// those that permutations make of it which map the start states onto themselves.
    pub(super) fn start(&mut self) -> Result<(), Stopped> {
        let mut batch = Batch::default();
        self.batcher.initial(&mut batch)?;
        self.record_faults(&mut batch, &|_| true, None, false);
        let words = self.task.packing.words();
        let mut seen = HashSet::new();
        let mut states: Vec<(Vec<Cell>, u32)> = Vec::new();
        for (i, rule) in batch.rules.iter().enumerate() {
            let state = self.unpack(&batch.states[i * words..(i + 1) * words]);
            if seen.insert(state.clone()) {
                states.push((state, *rule));
            }
        }
        let blocks = self.start_blocks(&seen);
        let blocks = self.partitions.intern(blocks);
        for (state, rule) in states {
            self.reach(&state, blocks, (START, rule), false)?;
        }
        Ok(())
    }

    /// The coarsest blocks such that permutations map the start states onto themselves.
    fn start_blocks(&mut self, states: &HashSet<Vec<Cell>>) -> Blocks {
        let sizes = &self.task.invariance.sizes;
        let mut blocks = Blocks::discrete(sizes);
        if states.len() > MANY_STARTS {
            return blocks;
        }
        for (a, b) in Blocks::whole(sizes).pairs_apart_in(&blocks) {
            let maps = |state: &Vec<Cell>| states.contains(&self.young.exchange(a, b, state));
            if !blocks.together(a, b) && states.iter().all(maps) {
                blocks.join(a, b);
            }
        }
        blocks
    }

    /// Fires every rule at one state of every orbit that it leaves of the node.
    pub(super) fn expand(&mut self, node: u32, at_bound: bool) -> Result<(), Stopped> {
        let (state, blocks) = (self.unpack(&self.nodes.get(node).state), self.nodes.get(node).blocks);
        let groups = self.rule_groups.at(&mut self.partitions, blocks);
        // Whether some rules do something wherever they are fired: then no state of the node is a deadlock.
        let mut safe = false;
        for group in groups.iter() {
            let mut all = true;
            for state in self.divided(&state, blocks, group.blocks)? {
                all &= self.fire(node, &state, &group.members, group.blocks, at_bound)?;
            }
            safe |= all;
        }
        if let Some(check) = self.checks.deadlocks
            && !safe
        {
            let apart = self.partitions.meet(blocks, self.unanimous);
            for state in self.divided(&state, blocks, apart)? {
                if self.is_deadlock(&state)? {
                    let at = Some((node, state));
                    self.found.push(Found { check, late: false, at, ending: Ending::Deadlock });
                }
            }
        }
        Ok(())
    }

    /// One state of every orbit under finer blocks.
    pub(super) fn divided(
        &mut self,
        state: &[Cell],
        blocks: PartitionId,
        finer: PartitionId,
    ) -> Result<Vec<Vec<Cell>>, Stopped> {
        if blocks == finer {
            return Ok(vec![state.to_vec()]);
        }
        let (blocks, finer) = (self.partitions.get(blocks), self.partitions.get(finer));
        let (mut states, mut late, mut lost, mut spent) = (Vec::new(), false, false, false);
        let deadline = self.deadline;
        let (trial, stood_for) = (self.on_trial(), self.stood_for);
        let limits = &self.task.config.limits;
        let limit = |limit: Option<u64>| limit.filter(|_| !self.telling).unwrap_or(u64::MAX);
        let (forms, bytes) = (limit(limits.states), limit(limits.memory) / 4);
        let most = if trial { MANY_PARTS } else { usize::MAX };
        let room = bytes / (state.len() as u64 + 1) / size_of::<Cell>() as u64;
        self.young.divide(state, &blocks, &finer, &mut |young, state| {
            states.push(state.to_vec());
            lost = trial && is_lost(young.work(), stood_for);
            late = deadline.has_passed();
            spent = young.work() >= forms;
            !late && !lost && !spent && states.len() <= most && states.len() as u64 <= room
        });
        match states.len() {
            _ if late => Err(Stopped::Limit(Limit::Time)),
            _ if spent => Err(Stopped::Limit(Limit::States)),
            parts if lost || parts > most => Err(Stopped::NotWorthwhile),
            parts if parts as u64 > room => Err(Stopped::Limit(Limit::Memory)),
            _ => Ok(states),
        }
    }

    /// Fires these rules at one state of a node; whether they did something that is no deadlock.
    fn fire(
        &mut self,
        node: u32,
        state: &[Cell],
        rules: &[usize],
        blocks: PartitionId,
        at_bound: bool,
    ) -> Result<bool, Stopped> {
        self.fired_at += 1;
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        self.batcher.successors(&self.pack(state), &mut batch)?;
        let ours = |rule: u32| rules.contains(&(rule as usize));
        let fired = batch.faults.iter().filter(|fault| !fault.in_guard).map(|fault| fault.rule);
        for rule in batch.rules.iter().chain(&batch.dropped).copied().chain(fired).filter(|rule| ours(*rule))
        {
            self.tally.fire(rule);
        }
        let progress = self.progress(&batch, &ours);
        self.record_faults(&mut batch, &ours, Some((node, state)), at_bound);
        let words = self.task.packing.words();
        for (i, rule) in batch.rules.iter().enumerate() {
            if ours(*rule) && !batch.stutters[i] {
                let next = self.unpack(&batch.states[i * words..(i + 1) * words]);
                self.reach(&next, blocks, (node, *rule), at_bound)?;
            }
        }
        self.batch = batch;
        Ok(progress)
    }

    /// Whether some of these rules did something that is no deadlock.
    fn progress(&self, batch: &Batch, ours: &dyn Fn(u32) -> bool) -> bool {
        let any_rule = self.task.config.deadlock == DeadlockMode::Stuck;
        let steps = batch.rules.iter().zip(&batch.stutters);
        batch.dropped.iter().any(|rule| ours(*rule))
            || batch.faults.iter().any(|fault| ours(fault.rule))
            || steps.into_iter().any(|(rule, stutters)| ours(*rule) && (any_rule || !stutters))
    }

    fn is_deadlock(&mut self, state: &[Cell]) -> Result<bool, TimeUp> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        self.batcher.successors(&self.pack(state), &mut batch)?;
        let progress = self.progress(&batch, &|_| true);
        self.batch = batch;
        Ok(!progress)
    }

    /// Files a state that was reached, with all that permutations respecting the blocks make of it.
    fn reach(
        &mut self,
        state: &[Cell],
        blocks: PartitionId,
        link: (u32, u32),
        at_bound: bool,
    ) -> Result<(), Stopped> {
        let form = self.young.form(state).to_vec();
        let form = self.pack(&form);
        let reached = self.partitions.get(blocks);
        for filed in self.nodes.filed(&form).to_vec() {
            let (other, around) = self.known(filed);
            if self.young.inside(state, &reached, &other, &around) {
                return Ok(());
            }
        }
        if at_bound {
            self.tally.beyond = true;
            return Ok(());
        }
        let coarse = self.young.coarsen(state, &reached);
        let (member, _) = self.young.canonical(state, &coarse);
        let mut void = Vec::new();
        for filed in self.nodes.filed(&form).to_vec() {
            let (other, around) = self.known(filed);
            if self.young.inside(&other, &around, &member, &coarse) {
                void.push(filed);
            }
        }
        if self.on_trial() {
            let orbit = self.young.orbit(&member, &coarse).unwrap_or(u128::MAX);
            self.stood_for = self.stood_for.saturating_add(orbit);
        }
        let (words, blocks) = (self.pack(&member), self.partitions.intern(coarse));
        let node = self.nodes.add(form, words, blocks, link, &void);
        self.evaluate(node, &member, blocks)
    }

    /// The state and blocks of a node.
    fn known(&self, node: u32) -> (Vec<Cell>, std::rc::Rc<Blocks>) {
        let node = self.nodes.get(node);
        (self.unpack(&node.state), self.partitions.get(node.blocks))
    }

    /// Evaluates every property in one state of every orbit that it leaves of a new node.
    fn evaluate(&mut self, node: u32, state: &[Cell], blocks: PartitionId) -> Result<(), Stopped> {
        let groups = self.property_groups.at(&mut self.partitions, blocks);
        for group in groups.iter() {
            for state in self.divided(state, blocks, group.blocks)? {
                let words = self.pack(&state);
                for member in &group.members {
                    let (check, property, kind) = self.checks.evaluated[*member];
                    let (check, ending) = match self.batcher.holds(property, &words)? {
                        Ok(held) if kind == PropertyKind::Cover => {
                            self.tally.covered[check] += held;
                            continue;
                        }
                        Ok(0) if kind == PropertyKind::Invariant => (check, Ending::Invariant),
                        Ok(_) => continue,
                        Err(fault) => (self.checks.faults, Ending::PropertyFault { fault, property }),
                    };
                    let at = Some((node, state.clone()));
                    self.found.push(Found { check, late: true, at, ending });
                }
            }
        }
        Ok(())
    }

    /// Records what went wrong with these rules; what a step does that leads beyond the bound is beyond it.
    fn record_faults(
        &mut self,
        batch: &mut Batch,
        ours: &dyn Fn(u32) -> bool,
        at: Option<(u32, &[Cell])>,
        at_bound: bool,
    ) {
        for fault in std::mem::take(&mut batch.faults).into_iter().filter(|fault| ours(fault.rule)) {
            if at_bound && !fault.in_guard {
                self.tally.beyond = true;
                continue;
            }
            let (rule, args, in_guard) = (fault.rule, fault.args, fault.in_guard);
            let ending = Ending::Fault { fault: fault.fault, rule, args, in_guard };
            let at = at.map(|(node, state)| (node, state.to_vec()));
            self.found.push(Found { check: self.checks.faults, late: false, at, ending });
        }
    }
}
