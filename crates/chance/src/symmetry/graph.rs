//! A coloured graph of the model, colour refinement, and permutations that its colours suggest.
//!
//! Vertices are the nodes of the normal form, so that equal parts are one vertex; variables, and values of those that hold
//! ids, are leaves. To map `x` to `y`, the graph is refined twice, with `x` and with `y` made unique. Classes with the same
//! colour correspond. Within a class everything that can stay stays, and the rest is paired in order: this finds exchanges
//! rather than arbitrary automorphisms, and whatever is found is verified anyway.

use std::collections::HashMap;

use burnside_model::chance::{Initial, Model};

use super::normal::{Node, Normal, Op, Perm};

pub(super) struct Graph {
    /// Neighbours with the kind of the edge, in both directions.
    edges: Vec<Vec<(u32, u32)>>,
    colors: Vec<u64>,
    /// By variable, its vertex.
    vars: Vec<u32>,
    /// By variable that holds ids, the vertices of its values.
    ids: Vec<Option<Vec<u32>>>,
}

fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xa076_1d64_78bd_642f | 1);
    (wide >> 64) as u64 ^ wide as u64
}

fn hash_of(value: &impl std::hash::Hash) -> u64 {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Candidates that are tried for one pair of variables.
const TRIES: usize = 24;

impl Graph {
    pub fn new(model: &Model, normal: &mut Normal) -> Graph {
        let class_of = normal.class_of.clone();
        let (roots, nodes) = normal.interned();
        let nodes: Vec<Node> = nodes.to_vec();
        let mut graph = Graph {
            edges: vec![Vec::new(); nodes.len()],
            colors: Vec::new(),
            vars: Vec::new(),
            ids: Vec::new(),
        };
        let mut vars: HashMap<u32, u32> = HashMap::new();
        let mut ids: HashMap<(u32, u32), u32> = HashMap::new();
        for (number, node) in nodes.iter().enumerate() {
            let color = match &node.op {
                Op::Var(v) => {
                    vars.insert(*v, number as u32);
                    1
                }
                Op::Id(class, value) => {
                    ids.insert((*class, *value), number as u32);
                    2
                }
                other => hash_of(other),
            };
            graph.colors.push(color);
            for (position, child) in node.children.iter().enumerate() {
                let label = if node.op.ordered() { position as u32 + 1 } else { 0 };
                graph.edge(number as u32, *child, label);
            }
        }
        // How often a step, reward or atom is there.
        for root in &roots {
            graph.colors[*root as usize] = mix(graph.colors[*root as usize], 77);
        }
        for (variable, declared) in model.variables.iter().enumerate() {
            let vertex = *vars.entry(variable as u32).or_insert_with(|| graph.vertex(1));
            let mut color = mix(declared.size(), u64::from(declared.boolean));
            let class = class_of[variable];
            if class.is_none() {
                color = mix(color, declared.low as u64);
                if let Initial::State(state) = &model.initial {
                    color = mix(color, state[variable] as u64 ^ 0x55);
                }
            }
            graph.colors[vertex as usize] = mix(color, 3);
            graph.vars.push(vertex);
            let values = class.map(|class| {
                (0..declared.size() as u32)
                    .map(|value| {
                        let id = *ids.entry((class, value)).or_insert_with(|| graph.vertex(2));
                        graph.edge(vertex, id, 90);
                        if let Initial::State(state) = &model.initial
                            && state[variable] - declared.low == i64::from(value)
                        {
                            graph.edge(vertex, id, 91);
                        }
                        id
                    })
                    .collect()
            });
            graph.ids.push(values);
        }
        graph
    }

    fn vertex(&mut self, color: u64) -> u32 {
        self.edges.push(Vec::new());
        self.colors.push(color);
        (self.edges.len() - 1) as u32
    }

    fn edge(&mut self, from: u32, to: u32, label: u32) {
        self.edges[from as usize].push((to, label * 2));
        self.edges[to as usize].push((from, label * 2 + 1));
    }

    /// Colours that no longer change, with some vertices made unique.
    fn refined(&self, fixed: &[u32]) -> Vec<u64> {
        let mut colors = self.colors.clone();
        for (place, vertex) in fixed.iter().enumerate() {
            colors[*vertex as usize] = mix(colors[*vertex as usize], 1000 + place as u64);
        }
        let mut classes = count(&colors);
        let mut around = Vec::new();
        loop {
            let next: Vec<u64> = (0..colors.len())
                .map(|vertex| {
                    around.clear();
                    around.extend(
                        self.edges[vertex]
                            .iter()
                            .map(|(to, label)| mix(colors[*to as usize], u64::from(*label) + 11)),
                    );
                    around.sort_unstable();
                    around.iter().fold(mix(colors[vertex], 5), |sum, color| mix(sum, *color))
                })
                .collect();
            let more = count(&next);
            colors = next;
            if more <= classes {
                return colors;
            }
            classes = more;
        }
    }

    /// Verified permutations that connect variables which look alike.
    pub fn generators(&self, normal: &mut Normal) -> Vec<Perm> {
        let mut found: Vec<Perm> = Vec::new();
        let base = self.refined(&[]);
        let mut orbit: Vec<usize> = (0..self.vars.len()).collect();
        self.level(&base, &[], normal, &mut found, &mut orbit);
        // Rings may also be turned over: with one variable fixed, others may still be exchanged.
        let involutions = found.iter().all(|perm| perm.then(perm).is_identity());
        if !found.is_empty() && !involutions {
            let moved = found[0].vars.iter().enumerate().find(|(v, to)| *v as u32 != **to).map(|(v, _)| v);
            if let Some(first) = moved {
                let fixed = [self.vars[first]];
                let base = self.refined(&fixed);
                let mut orbit: Vec<usize> = (0..self.vars.len()).collect();
                self.level(&base, &fixed, normal, &mut found, &mut orbit);
            }
        }
        found
    }

    fn level(
        &self,
        base: &[u64],
        fixed: &[u32],
        normal: &mut Normal,
        found: &mut Vec<Perm>,
        orbit: &mut [usize],
    ) {
        for x in 0..self.vars.len() {
            for y in x + 1..self.vars.len() {
                if base[self.vars[x] as usize] != base[self.vars[y] as usize] || orbit[x] == orbit[y] {
                    continue;
                }
                // Only from the first of an orbit, so that exchanges share it.
                if orbit[x] != x {
                    break;
                }
                let mut from = fixed.to_vec();
                let mut to = fixed.to_vec();
                from.push(self.vars[x]);
                to.push(self.vars[y]);
                let mut tries = TRIES;
                if let Some(perm) = self.extend(&mut from, &mut to, normal, &mut tries, 0) {
                    for (v, image) in perm.vars.iter().enumerate() {
                        let (a, b) = (orbit[v], orbit[*image as usize]);
                        let least = a.min(b);
                        orbit.iter_mut().for_each(|o| {
                            if *o == a || *o == b {
                                *o = least;
                            }
                        });
                    }
                    found.push(perm);
                }
            }
        }
    }

    /// A verified permutation that maps the vertices `from` to those of `to`.
    fn extend(
        &self,
        from: &mut Vec<u32>,
        to: &mut Vec<u32>,
        normal: &mut Normal,
        tries: &mut usize,
        depth: usize,
    ) -> Option<Perm> {
        if *tries == 0 || depth > 12 {
            return None;
        }
        *tries -= 1;
        let (left, right) = (self.refined(from), self.refined(to));
        let mut open: Option<(u32, Vec<u32>)> = None;
        let perm = self.matched(&left, &right, &mut open)?;
        if !perm.is_identity() && normal.verify(&perm) {
            return Some(perm);
        }
        let (vertex, candidates) = open?;
        for candidate in candidates {
            from.push(vertex);
            to.push(candidate);
            let found = self.extend(from, to, normal, tries, depth + 1);
            from.pop();
            to.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The permutation that two colourings suggest, and the first place where they leave a choice.
    fn matched(&self, left: &[u64], right: &[u64], open: &mut Option<(u32, Vec<u32>)>) -> Option<Perm> {
        let mut vars = vec![0; self.vars.len()];
        let mut pair = |list: &[u32]| -> Option<HashMap<u32, u32>> {
            let mut by_color: HashMap<u64, (Vec<u32>, Vec<u32>)> = HashMap::new();
            for vertex in list {
                by_color.entry(left[*vertex as usize]).or_default().0.push(*vertex);
                by_color.entry(right[*vertex as usize]).or_default().1.push(*vertex);
            }
            let mut images = HashMap::new();
            for (from, to) in by_color.values() {
                if from.len() != to.len() {
                    return None;
                }
                let mut rest: Vec<u32> = to.iter().copied().filter(|v| !from.contains(v)).collect();
                let moved: Vec<u32> = from.iter().copied().filter(|v| !to.contains(v)).collect();
                from.iter().filter(|v| to.contains(v)).for_each(|v| {
                    images.insert(*v, *v);
                });
                if from.len() > 1
                    && open.as_ref().is_none_or(|(known, _)| moved.first().is_some_and(|m| m < known))
                {
                    if let Some(first) = moved.first() {
                        *open = Some((*first, rest.clone()));
                    } else if open.is_none() {
                        *open = Some((from[0], to.clone()));
                    }
                }
                rest.sort_unstable();
                moved.iter().zip(&rest).for_each(|(a, b)| {
                    images.insert(*a, *b);
                });
            }
            Some(images)
        };
        let images = pair(&self.vars)?;
        let place: HashMap<u32, u32> =
            self.vars.iter().enumerate().map(|(v, vertex)| (*vertex, v as u32)).collect();
        for (variable, vertex) in self.vars.iter().enumerate() {
            vars[variable] = place[&images[vertex]];
        }
        let mut values = vec![None; self.vars.len()];
        let mut all: Vec<u32> = self.ids.iter().flatten().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let id_images = pair(&all)?;
        for (variable, ids) in self.ids.iter().enumerate() {
            let Some(ids) = ids else { continue };
            let target = self.ids[vars[variable] as usize].as_ref()?;
            let map: Vec<u32> = ids
                .iter()
                .map(|id| target.iter().position(|t| *t == id_images[id]).map(|at| at as u32))
                .collect::<Option<_>>()?;
            if map.iter().enumerate().any(|(i, v)| i as u32 != *v) {
                values[variable] = Some(map);
            }
        }
        Some(Perm { vars, values })
    }
}

fn count(colors: &[u64]) -> usize {
    let mut sorted = colors.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
