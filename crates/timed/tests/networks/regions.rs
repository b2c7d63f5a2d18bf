//! An oracle: the region graph, region by region (R. Alur, D. L. Dill, *A theory of timed automata*, 1994). It is exact
//! for every network that compares no differences of clocks, also for infinite runs.

use std::collections::HashMap;

use burnside_model::Network;
use burnside_model::code::Cell;
use burnside_model::network::{Query, QueryKind};
use burnside_timed::limits::{LocalLimits, Observed};
use burnside_timed::live::Claim;
use burnside_timed::steps::Stepper;
use burnside_timed::zone::{Constraint, Point, Zone};

/// A clock in a region: its integer part, and the rank of its fraction, 0 if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Value {
    At(i64, usize),
    /// Beyond all constants.
    Beyond,
}

type Region = Vec<Value>;

/// The region graph.
pub struct Regions<'m> {
    stepper: Stepper<'m>,
    nodes: Vec<(Vec<Cell>, Region)>,
    /// Where time and steps lead.
    next: Vec<Vec<usize>>,
    limits: Vec<Option<i64>>,
}

impl<'m> Regions<'m> {
    /// The graph, unless it is too large or something goes wrong.
    pub fn new(network: &'m Network, most: usize) -> Option<Self> {
        let mut stepper = Stepper::interpreting(network).ok()?;
        let start = stepper.start().ok()?;
        let asked = network.queries.iter().flat_map(|query| {
            query.kind.exprs().into_iter().map(|expr| (&query.frame, expr, true)).collect::<Vec<_>>()
        });
        let observed = Observed { conditions: asked.collect(), ..Observed::default() };
        let found = LocalLimits::new(network, &stepper.clocks, &stepper.instances, &start.state, &observed);
        let global = found.global();
        let limits = (0..=stepper.clocks.count())
            .map(|clock| if clock == 0 { None } else { global.both(clock).map(i64::from) })
            .collect();
        let mut graph = Regions { stepper, nodes: Vec::new(), next: Vec::new(), limits };
        let mut region = vec![Value::At(0, 0); graph.limits.len()];
        graph.set(&mut region, &(1..graph.limits.len()).map(|clock| (clock, 0)).collect::<Vec<_>>());
        graph.set(&mut region, &start.resets);
        let mut known = HashMap::new();
        if graph.allowed(&start.state, &region)? {
            graph.nodes.push((start.state.clone(), region.clone()));
            known.insert((start.state, region), 0);
        }
        let mut at = 0;
        while at < graph.nodes.len() {
            if graph.nodes.len() > most {
                return None;
            }
            let mut next = Vec::new();
            for successor in graph.successors(at)? {
                let number = *known.entry(successor.clone()).or_insert(graph.nodes.len());
                if number == graph.nodes.len() {
                    graph.nodes.push(successor);
                }
                next.push(number);
            }
            graph.next.push(next);
            at += 1;
        }
        Some(graph)
    }

    fn set(&self, region: &mut Region, resets: &[(usize, i32)]) {
        for (clock, value) in resets {
            let value = i64::from(*value);
            let known = self.limits[*clock].is_some_and(|limit| value <= limit);
            region[*clock] = if known { Value::At(value, 0) } else { Value::Beyond };
        }
        rank(region);
    }

    /// A point of the region.
    fn point(&self, region: &Region) -> Point {
        let ranks = region.iter().map(|value| if let Value::At(_, rank) = value { *rank } else { 0 });
        let denominator = ranks.max().unwrap_or(0) as i64 + 1;
        let value = |(clock, value): (usize, &Value)| match value {
            Value::At(whole, rank) => whole * denominator + *rank as i64,
            Value::Beyond => (self.limits[clock].unwrap_or(0) + 1) * denominator,
        };
        Point { denominator, numerators: region.iter().enumerate().map(value).collect() }
    }

    fn satisfied(&self, constraints: &[Constraint], region: &Region) -> bool {
        let point = self.point(region);
        let values = &point.numerators;
        constraints.iter().all(|c| c.bound.allows(values[c.left] - values[c.right], point.denominator))
    }

    fn allowed(&mut self, state: &[Cell], region: &Region) -> Option<bool> {
        let standing = self.stepper.standing(state).ok()?;
        Some(standing.allowed && self.satisfied(&standing.invariant, region))
    }

    /// The next region that time reaches; the same if all clocks are beyond their constants.
    fn later(&self, region: &Region) -> Region {
        let mut later = region.clone();
        let whole = |value: &Value| matches!(value, Value::At(_, 0));
        if region.iter().skip(1).any(whole) {
            for (clock, value) in later.iter_mut().enumerate().skip(1) {
                *value = match *value {
                    Value::At(whole, 0) if self.limits[clock] == Some(whole) => Value::Beyond,
                    Value::At(whole, rank) => Value::At(whole, rank + 1),
                    Value::Beyond => Value::Beyond,
                };
            }
        } else {
            let last =
                region.iter().filter_map(|v| if let Value::At(_, r) = v { Some(*r) } else { None }).max();
            for value in later.iter_mut().skip(1) {
                if let Value::At(whole, rank) = *value
                    && Some(rank) == last
                {
                    *value = Value::At(whole + 1, 0);
                }
            }
        }
        rank(&mut later);
        later
    }

    fn successors(&mut self, node: usize) -> Option<Vec<(Vec<Cell>, Region)>> {
        let (state, region) = self.nodes[node].clone();
        let standing = self.stepper.standing(&state).ok()?;
        let steps = self.stepper.steps(&state).ok()?;
        let mut found = Vec::new();
        if !standing.still && !self.stepper.is_urgent(&steps) {
            let later = self.later(&region);
            if self.satisfied(&standing.invariant, &later) {
                found.push((state.clone(), later));
            }
        }
        let mut enabled = Vec::new();
        for step in &steps {
            if !self.satisfied(&step.guard, &region) {
                continue;
            }
            let outcome = self.stepper.take(&state, step).ok()?;
            let mut after = region.clone();
            self.set(&mut after, &outcome.resets);
            if self.allowed(&outcome.state, &after)? {
                enabled.push((step.priority, outcome.state, after));
            }
        }
        let priorities: Vec<_> = enabled.iter().map(|(priority, _, _)| *priority).collect();
        for (priority, state, region) in enabled {
            if !priorities.iter().any(|other| *other > priority) {
                found.push((state, region));
            }
        }
        Some(found)
    }

    /// Where a claim is true.
    fn truths(&mut self, claim: Claim) -> Option<Vec<bool>> {
        let all = Zone::universal(self.limits.len() - 1);
        let mut truths = Vec::new();
        for node in 0..self.nodes.len() {
            let state = self.nodes[node].0.clone();
            let standing = self.stepper.standing(&state).ok()?;
            let mut zone = all.clone();
            zone.constrain_all(&standing.invariant);
            let points = claim.points(&mut self.stepper, &state, &zone).ok()?;
            truths.push(points.contains(&self.point(&self.nodes[node].1)));
        }
        Some(truths)
    }

    /// The nodes with a maximal path on which something is true.
    fn forever(&self, truths: &[bool]) -> Vec<bool> {
        let mut forever = truths.to_vec();
        loop {
            let mut changed = false;
            for node in 0..forever.len() {
                let next = &self.next[node];
                if forever[node] && !next.is_empty() && !next.iter().any(|next| forever[*next]) {
                    forever[node] = false;
                    changed = true;
                }
            }
            if !changed {
                return forever;
            }
        }
    }

    /// Whether a query holds.
    pub fn holds(&mut self, query: &'m Query) -> Option<bool> {
        let claim = |expr, holds| Claim { frame: &query.frame, expr, holds };
        Some(match &query.kind {
            QueryKind::PotentiallyAlways(p) => {
                let truths = self.truths(claim(p, true))?;
                self.forever(&truths).first().copied().unwrap_or(false)
            }
            QueryKind::Eventually(p) => {
                let truths = self.truths(claim(p, false))?;
                !self.forever(&truths).first().copied().unwrap_or(false)
            }
            QueryKind::LeadsTo(p, q) => {
                let (from, never) = (self.truths(claim(p, true))?, self.truths(claim(q, false))?);
                let forever = self.forever(&never);
                !(0..from.len()).any(|node| from[node] && forever[node])
            }
            QueryKind::Possibly(p) => self.truths(claim(p, true))?.contains(&true),
            QueryKind::Invariantly(p) => !self.truths(claim(p, false))?.contains(&true),
            _ => return None,
        })
    }
}

/// Numbers the ranks of fractions without gaps.
fn rank(region: &mut Region) {
    let mut ranks: Vec<usize> = region
        .iter()
        .filter_map(|value| if let Value::At(_, rank) = value { Some(*rank) } else { None })
        .collect();
    ranks.push(0);
    ranks.sort_unstable();
    ranks.dedup();
    for value in region {
        if let Value::At(_, rank) = value {
            *rank = ranks.binary_search(rank).unwrap_or(0);
        }
    }
}
