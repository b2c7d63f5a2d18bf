//! Who hears a broadcast: all ways in which the other processes receive it.

use burnside_model::network::{Channel, Network};

use crate::enabled::{Enabled, Found, Step};
use crate::steps::{Stepper, Within};
use crate::zone::{Constraint, Zone};

/// One way in which a broadcast is received: who takes part, what is asked beside their guards, and what is left of the
/// zone.
#[derive(Clone)]
struct Way<'e> {
    parts: Vec<&'e Enabled>,
    asked: Vec<Constraint>,
    left: Option<Zone>,
}

impl<'e> Way<'e> {
    /// The same with more conditions, unless none of what was asked for satisfies them.
    fn with(&self, within: Within, conditions: &[Constraint]) -> Option<Way<'e>> {
        let mut way = self.clone();
        match within {
            Within::Zone(_) => way.left.as_mut()?.constrain_all(conditions).then_some(way),
            Within::Point(clocks, denominator) => {
                let holds = |c: &Constraint| c.bound.allows(clocks[c.left] - clocks[c.right], denominator);
                conditions.iter().all(holds).then_some(way)
            }
            Within::Anything | Within::Like(_) => Some(way),
        }
    }
}

impl Stepper<'_> {
    /// All ways in which the other processes receive a broadcast. One that can receive it does so; where this depends on
    /// clocks, there is also the way in which they say that it cannot. Process by process, the ways that are not asked for
    /// are dropped: with a zone, those that none of its points permits.
    pub(crate) fn broadcasts(
        &self,
        (sender, channel): (&Enabled, Channel),
        found: &Found,
        within: Within,
        committed: bool,
        steps: &mut Vec<Step>,
    ) {
        let left = match within {
            Within::Zone(zone) => Some(zone.clone()),
            _ => None,
        };
        let first = Way { parts: vec![sender], asked: Vec::new(), left };
        let mut ways: Vec<Way> = first.with(within, found.guard(sender)).into_iter().collect();
        for edges in found.enabled.chunk_by(|a, b| a.instance == b.instance) {
            let receivers: Vec<&Enabled> =
                edges.iter().filter(|e| e.sync == Some((channel, false))).collect();
            let instance = edges[0].instance;
            if instance == sender.instance || receivers.is_empty() {
                continue;
            }
            let (receives, passes) = match within {
                Within::Like(taken) => {
                    let takes = taken.iter().any(|taken| taken.instance == instance);
                    (takes, !takes)
                }
                _ => (true, true),
            };
            let passed_over = if passes { self.unable(found, &receivers) } else { Vec::new() };
            let mut longer = Vec::new();
            for way in &ways {
                for receiver in receivers.iter().filter(|_| receives) {
                    if matches!(within, Within::Like(taken) if !taken.contains(self.taken_by(receiver))) {
                        continue;
                    }
                    if let Some(mut next) = way.with(within, found.guard(receiver)) {
                        next.parts.push(receiver);
                        longer.push(next);
                    }
                }
                for unable in &passed_over {
                    if let Some(mut next) = way.with(within, unable) {
                        next.asked.extend_from_slice(unable);
                        longer.push(next);
                    }
                }
            }
            ways = longer;
        }
        for way in ways {
            let before = steps.len();
            self.add(found, &way.parts, Some(channel), committed, steps);
            steps[before..].iter_mut().for_each(|step| step.guard.extend_from_slice(&way.asked));
        }
    }

    /// Where the clocks let none of the edges be taken: of these conjunctions, at most one holds.
    fn unable(&self, found: &Found, edges: &[&Enabled]) -> Vec<Vec<Constraint>> {
        let mut unable = vec![Vec::new()];
        for edge in edges {
            let mut longer = Vec::new();
            for asked in &unable {
                for (number, constraint) in found.guard(edge).iter().enumerate() {
                    let mut refused: Vec<Constraint> = asked.clone();
                    refused.extend_from_slice(&found.guard(edge)[..number]);
                    refused.push(constraint.negated());
                    if Zone::universal(self.clocks.count()).constrain_all(&refused) {
                        longer.push(refused);
                    }
                }
            }
            unable = longer;
        }
        unable
    }
}

/// Whether an edge that receives a broadcast has a condition on clocks: others then ask where it does not hold.
pub fn hears_by_clock(network: &Network) -> bool {
    let cells = network.model.state_cells();
    let broadcast = |channel: &burnside_model::code::Place| {
        let mut kinds = network.channels.iter().filter(|other| cells[other.cell as usize].ty == channel.ty);
        kinds.next().is_some_and(|other| other.broadcast)
    };
    network.edges.iter().zip(&network.model.rules).any(|(edge, rule)| {
        edge.sync.as_ref().is_some_and(|sync| !sync.sends && broadcast(&sync.channel))
            && rule.guard.as_ref().is_some_and(|guard| network.reads_clock(guard))
    })
}
