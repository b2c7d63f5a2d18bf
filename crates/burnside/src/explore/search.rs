//! Searches in a model that is walked: the shortest way to a condition, random walks, and the graph of orbits.
//!
//! These are for looking at a model, not for verdicts: every state is made by the reference interpreter, and all searches
//! have a limit. A search that ends without its goal says whether it saw every state or only as many as it may.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use burnside_model::Deadline;
use serde_json::{Value as Json, json};

use super::world::{StateId, TermId, Told, World};

/// When a search ends early.
pub(crate) struct Patience<'p> {
    /// When the time is over.
    pub deadline: Deadline,
    /// Set by whoever does not want to wait.
    pub stop: &'p AtomicBool,
}

impl Patience<'_> {
    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.has_passed()
    }
}

/// What came of a search for a state.
pub(crate) struct Found {
    /// The choices that lead there, or were made at random until the end.
    pub choices: Vec<usize>,
    /// Whether the condition holds at their end.
    pub reached: bool,
    /// How many states were looked at.
    pub seen: usize,
    /// Whether these are all states that can be reached.
    pub all: bool,
}

/// The shortest way from a state (or, without one, from the starts) to one where a condition holds; at least one step
/// from a state.
pub(crate) fn shortest(
    world: &mut dyn World,
    from: Option<StateId>,
    goal: TermId,
    most: usize,
    patience: &Patience<'_>,
) -> Told<Found> {
    /// Where a state was reached from, and by which choice.
    type Parent = (Option<StateId>, usize);
    let mut parents: HashMap<StateId, Parent> = HashMap::new();
    let mut queue: VecDeque<Option<StateId>> = VecDeque::from([from]);
    let back = |parents: &HashMap<StateId, Parent>, mut at: StateId| {
        let mut choices = Vec::new();
        while let Some((before, choice)) = parents.get(&at) {
            choices.push(*choice);
            match before {
                Some(before) if Some(*before) != from => at = *before,
                _ => break,
            }
        }
        choices.reverse();
        choices
    };
    while let Some(state) = queue.pop_front() {
        let over = patience.is_over();
        if over || parents.len() >= most {
            return Ok(Found { choices: Vec::new(), reached: false, seen: parents.len(), all: false });
        }
        let moves = match state {
            Some(state) => world.moves(state)?,
            None => world.starts()?,
        };
        for (choice, step) in moves.iter().enumerate() {
            let Ok(to) = step.to else { continue };
            if parents.contains_key(&to) {
                continue;
            }
            parents.insert(to, (state, choice));
            if world.value(goal, to)? == "true" {
                let choices = back(&parents, to);
                return Ok(Found { choices, reached: true, seen: parents.len(), all: false });
            }
            queue.push_back(Some(to));
        }
    }
    Ok(Found { choices: Vec::new(), reached: false, seen: parents.len(), all: true })
}

/// A random walk: so many steps, or until a condition holds, or until nothing can be done.
pub(crate) fn random(
    world: &mut dyn World,
    from: Option<StateId>,
    steps: usize,
    seed: u64,
    goal: Option<TermId>,
    patience: &Patience<'_>,
) -> Told<Found> {
    let (mut at, mut rng) = (from, Rng(seed));
    let mut choices = Vec::new();
    while choices.len() < steps && !patience.is_over() {
        let moves = match at {
            Some(state) => world.moves(state)?,
            None => world.starts()?,
        };
        let possible: Vec<(usize, StateId, f64)> = moves
            .iter()
            .enumerate()
            .filter_map(|(choice, step)| {
                let weight = step.chance.map_or(1.0, |(_, weight)| weight);
                step.to.as_ref().ok().map(|to| (choice, *to, weight))
            })
            .collect();
        // Probabilities of a choice add up to 1, so that choices are alike; rates race.
        let total: f64 = possible.iter().map(|(_, _, weight)| weight).sum();
        let mut left = rng.unit() * total;
        let chosen = possible.iter().find(|(_, _, weight)| {
            left -= weight;
            left < 0.0
        });
        let Some((choice, to, _)) = chosen.or(possible.last()) else { break };
        choices.push(*choice);
        at = Some(*to);
        if let Some(goal) = goal
            && world.value(goal, *to)? == "true"
        {
            let seen = choices.len();
            return Ok(Found { choices, reached: true, seen, all: false });
        }
    }
    let seen = choices.len();
    Ok(Found { choices, reached: false, seen, all: false })
}

/// The graph of what can be reached: one node for each orbit.
#[derive(Default)]
pub(crate) struct Graph {
    /// The representatives, in the order of their distance from the starts.
    pub nodes: Vec<StateId>,
    /// The node from which each was found first; starts have none.
    parents: Vec<Option<usize>>,
    depths: Vec<usize>,
    sizes: Vec<Option<String>>,
    /// From, to, and by which rules.
    edges: Vec<(usize, usize, Vec<usize>)>,
    rules: Vec<String>,
    /// Whether something goes wrong on a step out of a node.
    faults: Vec<bool>,
    /// Whether nothing is missing.
    all: bool,
}

impl Graph {
    /// Explores a model level by level, up to so many orbits.
    pub fn new(world: &mut dyn World, most: usize, patience: &Patience<'_>) -> Told<Graph> {
        let mut graph = Graph { all: true, ..Graph::default() };
        let (mut numbers, mut rules) = (HashMap::new(), HashMap::new());
        let starts = world.starts()?;
        for to in starts.iter().filter_map(|start| start.to.as_ref().ok()) {
            graph.node(world, *to, None, most, &mut numbers)?;
        }
        let mut at = 0;
        while at < graph.nodes.len() {
            if patience.is_over() {
                graph.all = false;
                break;
            }
            let mut edges: Vec<(usize, usize, Vec<usize>)> = Vec::new();
            for step in world.moves(graph.nodes[at])? {
                let Ok(to) = step.to else {
                    graph.faults[at] = true;
                    continue;
                };
                let Some(to) = graph.node(world, to, Some(at), most, &mut numbers)? else { continue };
                let next = rules.len();
                let rule = *rules.entry(step.rule.clone()).or_insert(next);
                if rule == graph.rules.len() {
                    graph.rules.push(step.rule);
                }
                match edges.iter_mut().find(|(_, known, _)| *known == to) {
                    Some((_, _, list)) if !list.contains(&rule) => list.push(rule),
                    Some(_) => {}
                    None => edges.push((at, to, vec![rule])),
                }
            }
            graph.edges.append(&mut edges);
            at += 1;
        }
        Ok(graph)
    }

    /// The node of a state; nothing if there are too many already.
    fn node(
        &mut self,
        world: &mut dyn World,
        state: StateId,
        from: Option<usize>,
        most: usize,
        numbers: &mut HashMap<StateId, usize>,
    ) -> Told<Option<usize>> {
        let orbit = world.orbit(state)?;
        let (representative, size) = orbit.map_or((state, None), |orbit| (orbit.representative, orbit.size));
        if let Some(known) = numbers.get(&representative) {
            return Ok(Some(*known));
        }
        if self.nodes.len() >= most {
            self.all = false;
            return Ok(None);
        }
        let number = self.nodes.len();
        numbers.insert(representative, number);
        self.nodes.push(representative);
        self.parents.push(from);
        self.depths.push(from.map_or(0, |from| self.depths[from] + 1));
        self.sizes.push(size);
        self.faults.push(false);
        Ok(Some(number))
    }

    /// The graph for the page.
    pub fn json(&self, world: &mut dyn World) -> Told<Json> {
        let mut nodes = Vec::new();
        for (number, state) in self.nodes.iter().enumerate() {
            let fails =
                world.statuses(*state)?.iter().any(|status| status.holds == Some(false) && is_bad(status));
            nodes.push(json!({
                "state": state,
                "depth": self.depths[number],
                "size": self.sizes[number],
                "bad": fails || self.faults[number],
            }));
        }
        let edges: Vec<Json> = self.edges.iter().map(|(from, to, rules)| json!([from, to, rules])).collect();
        Ok(json!({ "nodes": nodes, "edges": edges, "rules": self.rules, "all": self.all }))
    }

    /// A walk to a node: at each state, a step to the orbit of the next node.
    pub fn walk_to(&self, world: &mut dyn World, node: usize) -> Told<Vec<usize>> {
        let mut path = vec![node];
        while let Some(Some(before)) = path.last().and_then(|last| self.parents.get(*last)) {
            path.push(*before);
        }
        path.reverse();
        let (mut choices, mut at) = (Vec::new(), None);
        for number in path {
            let wanted = *self.nodes.get(number).ok_or("the graph has no such node")?;
            let moves = match at {
                Some(state) => world.moves(state)?,
                None => world.starts()?,
            };
            let mut next = None;
            for (choice, step) in moves.iter().enumerate() {
                let Ok(to) = step.to else { continue };
                let orbit = world.orbit(to)?.map_or(to, |orbit| orbit.representative);
                if orbit == wanted {
                    next = Some((choice, to));
                    break;
                }
            }
            let (choice, to) = next.ok_or("no walk to this node was found")?;
            choices.push(choice);
            at = Some(to);
        }
        Ok(choices)
    }
}

/// Whether it is bad that a property does not hold in a state: not for a goal that is merely not reached there.
pub(crate) fn is_bad(status: &super::world::Status) -> bool {
    match status.kind {
        "invariant" | "assume" | "deadlock" => true,
        "query" => status.name.trim_start().starts_with("A[]"),
        _ => false,
    }
}

/// Splitmix64: small, quick, and the same everywhere.
struct Rng(u64);

impl Rng {
    /// A number from 0 to 1, without 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
