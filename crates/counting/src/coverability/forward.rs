//! The forward search with a fixed number of threads at the start, counted by local state; and the execution of runs.

use std::collections::{HashMap, VecDeque};

use burnside_model::Deadline;
pub use burnside_model::threads::ThreadRun as Run;
use burnside_model::threads::{Population, ThreadState, ThreadSystem, ThreadTarget, covers};

use super::Figures;

/// The most configurations of a first look.
pub(super) const FIRST_LOOK: usize = 3_000;

/// The most of a first look at a system that starts threads.
pub(super) const SPAWNING_LOOK: usize = 20_000;

/// The most threads that are started in a look.
const MOST_SPAWNED: u32 = 3;

/// The most when it is known that there is something to find.
pub(super) const SECOND_LOOK: usize = 100_000;

/// How a search ended.
pub(super) enum Outcome {
    Found(Run),
    /// Everything was seen.
    Exhausted,
    GaveUp,
}

type Configuration = (ThreadState, Population);

/// Looks for the target with so many threads at the start.
pub(super) fn search(
    system: &ThreadSystem,
    target: &ThreadTarget,
    threads: u32,
    most: usize,
    deadline: Deadline,
    figures: &mut Figures,
) -> Outcome {
    let mut seen: HashMap<Configuration, Option<(usize, Configuration)>> = HashMap::new();
    let mut open: VecDeque<Configuration> = VecDeque::new();
    let mut cut = false;
    for start in starts(system, threads, most) {
        let start = (system.start.shared, start);
        seen.insert(start.clone(), None);
        open.push_back(start);
    }
    while let Some(here) = open.pop_front() {
        figures.configurations += 1;
        if here.0 == target.shared && covers(&here.1, &target.locals) {
            return Outcome::Found(back(&seen, here));
        }
        // Spawning would go on for ever; where it is cut, not everything is seen.
        let alive: u32 = here.1.values().sum();
        for (number, step) in system.steps.iter().enumerate() {
            if step.shared.0 != here.0 || !here.1.contains_key(&step.local.0) {
                continue;
            }
            if step.spawned.is_some() && alive >= threads + MOST_SPAWNED {
                cut = true;
                continue;
            }
            let Some(all) = successors(system, number, &here, most) else { return Outcome::GaveUp };
            for next in all {
                let next = (step.shared.1, next);
                if !seen.contains_key(&next) {
                    seen.insert(next.clone(), Some((number, here.clone())));
                    open.push_back(next);
                }
            }
        }
        if seen.len() > most || deadline.has_passed() {
            return Outcome::GaveUp;
        }
    }
    if cut { Outcome::GaveUp } else { Outcome::Exhausted }
}

fn back(seen: &HashMap<Configuration, Option<(usize, Configuration)>>, end: Configuration) -> Run {
    let (mut steps, mut at) = (Vec::new(), end);
    while let Some(Some((step, before))) = seen.get(&at) {
        steps.push((*step, at.0, at.1.clone()));
        at = before.clone();
    }
    steps.reverse();
    Run { start: at.1, steps }
}

/// All starts with so many threads.
fn starts(system: &ThreadSystem, threads: u32, most: usize) -> Vec<Population> {
    let fixed: u32 = system.start.fixed.values().sum();
    let mut all = vec![system.start.fixed.clone()];
    if system.start.unbounded.is_empty() {
        return if threads == fixed.max(1) { all } else { Vec::new() };
    }
    for _ in fixed..threads {
        let mut longer: Vec<Population> = Vec::new();
        for one in &all {
            for local in &system.start.unbounded {
                let mut one = one.clone();
                *one.entry(*local).or_default() += 1;
                longer.push(one);
            }
        }
        longer.sort();
        longer.dedup();
        all = longer;
        if all.len() > most {
            break;
        }
    }
    all
}

/// What a step may lead to; nothing if it cannot be taken. `None` if there is too much.
pub(super) fn successors(
    system: &ThreadSystem,
    number: usize,
    (shared, threads): &Configuration,
    most: usize,
) -> Option<Vec<Population>> {
    let step = &system.steps[number];
    if *shared != step.shared.0 || !threads.contains_key(&step.local.0) {
        return Some(Vec::new());
    }
    let mut others = threads.clone();
    if let Some(count) = others.get_mut(&step.local.0) {
        *count -= 1;
    }
    others.retain(|_, count| *count > 0);
    let mut moved = Population::new();
    *moved.entry(step.local.1).or_default() += 1;
    if let Some(spawned) = step.spawned {
        *moved.entry(spawned).or_default() += 1;
    }
    let mut all = vec![moved];
    for (local, count) in others {
        let goes = step.goes(local);
        let shares = shares(count, goes.len());
        let mut longer = Vec::new();
        for one in &all {
            for share in &shares {
                let mut one = one.clone();
                for (to, count) in goes.iter().zip(share).filter(|(_, count)| **count > 0) {
                    *one.entry(*to).or_default() += count;
                }
                longer.push(one);
            }
        }
        longer.sort();
        longer.dedup();
        all = longer;
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// All ways to share `count` threads among `parts` targets.
fn shares(count: u32, parts: usize) -> Vec<Vec<u32>> {
    match parts {
        0 => Vec::new(),
        1 => vec![vec![count]],
        _ => (0..=count)
            .flat_map(|first| {
                shares(count - first, parts - 1).into_iter().map(move |mut rest| {
                    rest.insert(0, first);
                    rest
                })
            })
            .collect(),
    }
}

/// Executes steps, each of which must lead above the threads that are wanted behind it.
pub(super) fn execute(
    system: &ThreadSystem,
    start: Population,
    steps: &[usize],
    wanted: &[Population],
    _target: &ThreadTarget,
) -> Run {
    let mut here = (system.start.shared, start.clone());
    let mut run = Run { start, steps: Vec::new() };
    for (number, wanted) in steps.iter().zip(wanted) {
        let all = successors(system, *number, &here, usize::MAX).unwrap_or_default();
        let Some(next) = all.into_iter().find(|next| covers(next, wanted)) else { break };
        here = (system.steps[*number].shared.1, next);
        run.steps.push((*number, here.0, here.1.clone()));
    }
    run
}

/// Whether this is a run of the system that covers its target: every step is executed.
pub fn is_violation(run: &Run, system: &ThreadSystem) -> bool {
    let Some(target) = &system.target else { return false };
    let begins = run.start.iter().all(|(local, count)| {
        let fixed = system.start.fixed.get(local).copied().unwrap_or(0);
        *count == fixed || *count > fixed && system.start.unbounded.contains(local)
    }) && covers(&run.start, &system.start.fixed);
    let mut here = (system.start.shared, run.start.clone());
    for (number, shared, threads) in &run.steps {
        let next = (*shared, threads.clone());
        let all = successors(system, *number, &here, usize::MAX).unwrap_or_default();
        if system.steps[*number].shared.1 != *shared || !all.contains(threads) {
            return false;
        }
        here = next;
    }
    begins && here.0 == target.shared && covers(&here.1, &target.locals)
}
