//! What the graph alone decides: states that reach a goal with probability 0 or 1, strongly connected components, and maximal
//! end components.
//!
//! The algorithms are those of Baier and Katoen, *Principles of Model Checking*, chapter 10, on predecessor lists.

use crate::chain::Chain;

/// A set of states.
pub type Set = Vec<bool>;

/// Predecessors: by state, the choices with a branch to it; and the state of every choice.
pub struct Backward {
    first: Vec<u32>,
    choices: Vec<u32>,
    /// By choice, its state.
    pub owner: Vec<u32>,
}

impl Backward {
    pub fn new(chain: &Chain) -> Backward {
        let mut owner = vec![0; chain.choices.len() - 1];
        let mut first = vec![0u32; chain.len() + 2];
        for state in 0..chain.len() {
            for choice in chain.choices_of(state) {
                owner[choice] = state as u32;
            }
        }
        for target in &chain.targets {
            first[*target as usize + 2] += 1;
        }
        for index in 2..first.len() {
            first[index] += first[index - 1];
        }
        let mut choices = vec![0; chain.targets.len()];
        for choice in 0..owner.len() {
            for target in &chain.targets[chain.branches_of(choice)] {
                let place = &mut first[*target as usize + 1];
                choices[*place as usize] = choice as u32;
                *place += 1;
            }
        }
        Backward { first, choices, owner }
    }

    /// The choices with a branch to a state.
    pub fn of(&self, state: usize) -> &[u32] {
        &self.choices[self.first[state] as usize..self.first[state + 1] as usize]
    }
}

/// States from which a goal can be reached by some strategy, passing only allowed states.
pub fn can_reach(back: &Backward, goal: &Set, allowed: &Set) -> Set {
    let mut found = goal.clone();
    let mut work: Vec<usize> = (0..goal.len()).filter(|s| goal[*s]).collect();
    while let Some(state) = work.pop() {
        for choice in back.of(state) {
            let before = back.owner[*choice as usize] as usize;
            if !found[before] && allowed[before] {
                found[before] = true;
                work.push(before);
            }
        }
    }
    found
}

/// States from which every strategy reaches a goal with positive probability, passing only allowed states.
pub fn must_reach(chain: &Chain, back: &Backward, goal: &Set, allowed: &Set) -> Set {
    let mut found = goal.clone();
    let mut hit = vec![false; chain.choices.len() - 1];
    let mut open: Vec<u32> = (0..chain.len()).map(|s| chain.choices_of(s).len() as u32).collect();
    let mut work: Vec<usize> = (0..goal.len()).filter(|s| goal[*s]).collect();
    while let Some(state) = work.pop() {
        for choice in back.of(state) {
            let choice = *choice as usize;
            let before = back.owner[choice] as usize;
            if hit[choice] || found[before] || !allowed[before] {
                continue;
            }
            hit[choice] = true;
            open[before] -= 1;
            if open[before] == 0 {
                found[before] = true;
                work.push(before);
            }
        }
    }
    found
}

/// States from which some strategy reaches a goal with probability 1, passing only allowed states.
pub fn surely_some(chain: &Chain, back: &Backward, goal: &Set, allowed: &Set) -> Set {
    let mut outer = can_reach(back, goal, allowed);
    loop {
        let mut inner = goal.clone();
        let mut work: Vec<usize> = (0..goal.len()).filter(|s| goal[*s]).collect();
        while let Some(state) = work.pop() {
            for choice in back.of(state) {
                let choice = *choice as usize;
                let before = back.owner[choice] as usize;
                if inner[before] || !allowed[before] || !outer[before] {
                    continue;
                }
                if chain.targets[chain.branches_of(choice)].iter().all(|t| outer[*t as usize]) {
                    inner[before] = true;
                    work.push(before);
                }
            }
        }
        if inner == outer {
            return inner;
        }
        outer = inner;
    }
}

/// States from which every strategy reaches a goal with probability 1, passing only allowed states.
pub fn surely_all(chain: &Chain, back: &Backward, goal: &Set, allowed: &Set) -> Set {
    let positive = must_reach(chain, back, goal, allowed);
    let failing: Set = positive.iter().map(|p| !p).collect();
    let before_goal: Set = goal.iter().zip(allowed).map(|(g, a)| !g && *a).collect();
    can_reach(back, &failing, &before_goal).iter().map(|fails| !fails).collect()
}

/// Strongly connected components of a graph, each after all that it leads to (Tarjan, without recursion).
pub fn components(size: usize, mut successors: impl FnMut(usize, &mut Vec<u32>)) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; size];
    let mut low = vec![0u32; size];
    let mut on_stack = vec![false; size];
    let (mut stack, mut found) = (Vec::new(), Vec::new());
    let mut counter = 0;
    let mut calls: Vec<(usize, usize, usize)> = Vec::new();
    let mut edges: Vec<u32> = Vec::new();
    let mut buffer = Vec::new();
    for root in 0..size {
        if index[root] != NEW {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(state) = enter.take() {
                index[state] = counter;
                low[state] = counter;
                counter += 1;
                stack.push(state as u32);
                on_stack[state] = true;
                buffer.clear();
                successors(state, &mut buffer);
                let begin = edges.len();
                edges.extend_from_slice(&buffer);
                calls.push((state, begin, begin));
            }
            let Some((state, begin, next)) = calls.last_mut() else { break };
            let (state, begin) = (*state, *begin);
            if *next < edges.len() {
                let target = edges[*next] as usize;
                *next += 1;
                if index[target] == NEW {
                    enter = Some(target);
                } else if on_stack[target] {
                    low[state] = low[state].min(index[target]);
                }
                continue;
            }
            edges.truncate(begin);
            calls.pop();
            if let Some((parent, ..)) = calls.last() {
                low[*parent] = low[*parent].min(low[state]);
            }
            if low[state] == index[state] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member as usize == state {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}

/// The maximal end components among some states and choices: states with the choices that stay inside.
pub fn end_components(chain: &Chain, inside: &Set, usable: &dyn Fn(usize) -> bool) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    // Stays of a choice, within the candidate that a state belongs to.
    let mut class: Vec<u32> = inside.iter().map(|i| u32::from(*i)).collect();
    let mut classes = 1;
    let mut work = vec![(0..chain.len() as u32).filter(|s| inside[*s as usize]).collect::<Vec<_>>()];
    while let Some(mut candidate) = work.pop() {
        let stays = |choice: usize, own: u32, class: &[u32]| {
            usable(choice)
                && chain.targets[chain.branches_of(choice)].iter().all(|t| class[*t as usize] == own)
        };
        // States without a choice that stays leave, one after the other.
        classes += 1;
        let own = classes;
        candidate.iter().for_each(|s| class[*s as usize] = own);
        loop {
            let before = candidate.len();
            candidate.retain(|s| {
                let keeps = chain.choices_of(*s as usize).any(|choice| stays(choice, own, &class));
                if !keeps {
                    class[*s as usize] = 0;
                }
                keeps
            });
            if candidate.len() == before {
                break;
            }
        }
        if candidate.is_empty() {
            continue;
        }
        let mut local = std::collections::HashMap::with_capacity(candidate.len());
        for (index, state) in candidate.iter().enumerate() {
            local.insert(*state, index as u32);
        }
        let parts = components(candidate.len(), |index, out| {
            let state = candidate[index] as usize;
            for choice in chain.choices_of(state).filter(|choice| stays(*choice, own, &class)) {
                out.extend(chain.targets[chain.branches_of(choice)].iter().map(|t| local[t]));
            }
        });
        if parts.len() == 1 {
            candidate.iter().for_each(|s| class[*s as usize] = 0);
            found.push(candidate);
            continue;
        }
        for part in parts {
            let part: Vec<u32> = part.iter().map(|index| candidate[*index as usize]).collect();
            classes += 1;
            part.iter().for_each(|s| class[*s as usize] = classes);
            work.push(part);
        }
    }
    found
}
