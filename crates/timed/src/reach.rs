//! Answers to `E<>` and `A[]`: one search for all of them, and one more for each that it leaves in doubt.
//!
//! In the common search only edges and invariants tell clock values apart. A stored zone stands for more points than it
//! has: a goal at none of them is nowhere, and a goal at a point of the zone itself is reached. The search is breadth first, and
//! gives a share of its states to depth first, as some goals are far away on every way.

use burnside_model::code::{Cell, DomainId, Expr, Stop};
use burnside_model::network::{Query, QueryKind};
use burnside_model::{Network, Verdict};

use crate::check::{
    Answer, Best, Checked, How, Wrong, begun_wrong, exceeded, failed, goal, legs_to, observed,
};
use crate::conditions::{Run, mentions_deadlock};
use crate::explore::{Abstraction, Explorer, Visit};
use crate::limits::Observed;
use crate::live::Claim;
use crate::moves::Moves;
use crate::run::{TimedRun, execute};
use crate::somewhere::{Asked, Exchangeable, Question};
use crate::steps::Stepper;
use crate::times::timed;
use crate::waiting::Order;
use crate::zone::{Federation, Zone};

/// Looks for a run with the fewest steps to the goal of a query, which is known to be reached.
pub(crate) fn shortest(
    network: &Network,
    domains: &[DomainId],
    query: usize,
    how: How,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    let verdict = checked.answers[query].verdict;
    explore(network, domains, &[query], true, How { order: Order::Levels, ..how }, checked)?;
    let answer = &mut checked.answers[query];
    if answer.verdict != verdict {
        return Err("a goal was reached before, and is not now".to_owned());
    }
    if checked.goes_on() {
        let answer = &mut checked.answers[query];
        answer.best = answer.run.as_ref().map(|run| Best::Steps(run.steps.len()));
    }
    Ok(())
}

/// Searches all states for the goals of some queries, or of one `alone`; those that are left open.
pub(crate) fn explore(
    network: &Network,
    domains: &[DomainId],
    queries: &[usize],
    alone: bool,
    how: How,
    checked: &mut Checked,
) -> Result<Vec<usize>, Wrong> {
    let observed = if alone { observed(network, queries) } else { Observed::default() };
    std::thread::scope(|scope| {
        let explorer = Explorer::observing(network, domains, Abstraction::default(), &observed);
        let mut explorer = match explorer {
            Ok(explorer) => explorer.in_order(how.order).until(how.bounds.deadline),
            Err(stop) => return begun_wrong(stop, checked).map(|()| Vec::new()),
        };
        let stage = if alone { Stage::Alone } else { Stage::Common };
        let mut open = Open::all(network, queries, stage);
        let (mut seen, deadlocks) = (Vec::new(), open.iter().any(|open| open.asks_deadlock(network)));
        let (mut expanded, mut share) = (0, FIRST_SHARE);
        while let Some(node) = explorer.take_next() {
            expanded += 1;
            if expanded == how.helped_after.max(1) {
                for _ in 1..how.threads {
                    let Some(helper) = explorer.ahead() else { break };
                    let observed = &observed;
                    scope.spawn(move || {
                        // What goes wrong did so before.
                        let moves = Moves::new(network, domains, Abstraction::default(), observed);
                        moves.map(|(mut moves, _)| helper.work(&mut moves, how.bounds.deadline))
                    });
                }
            }
            if expanded == share && !alone && how.order == Order::Breadth {
                share *= 4;
                let examples = open.iter().map(|open| open.query);
                let examples =
                    examples.filter(|query| matches!(network.queries[*query].kind, QueryKind::Possibly(_)));
                deeper(network, domains, &examples.collect::<Vec<_>>(), how, expanded / 2, checked)?;
                open.retain(|open| checked.answers[open.query].run.is_none());
            }
            let visit = explorer.visit(node);
            at_node(&mut explorer, &visit, &mut open, (&mut seen, deadlocks), checked)?;
            open.retain(|open| open.stage != Stage::Found);
            if open.is_empty() && !queries.is_empty() || checked.fault.is_some() {
                break;
            }
            if let Some(limit) = exceeded(&explorer, how.bounds) {
                checked.limit = Some(limit);
                break;
            }
            if let Err(stop) = explorer.expand_from(&visit) {
                failed(&mut explorer, stop, checked)?;
                break;
            }
        }
        checked.conclude(network, &open, stage);
        checked.count(&explorer, 0);
        Ok(open.iter().filter(|open| open.stage != stage).map(|open| open.query).collect())
    })
}

impl Checked {
    /// No more states are to be searched: what was not found is nowhere.
    fn conclude(&mut self, network: &Network, open: &[Open], stage: Stage) {
        if !self.goes_on() {
            return;
        }
        for open in open.iter().filter(|open| open.stage == stage && open.in_doubt == 0) {
            let example = goal(&network.queries[open.query].kind).is_some_and(|(_, example)| example);
            self.answers[open.query].verdict = if example { Verdict::Violated } else { Verdict::Holds };
        }
    }
}

/// After so many states, and after four times as many again and again, breadth first gives way to depth first for a while.
const FIRST_SHARE: usize = 2048;

/// Looks for the goals of some `E<>` depth first, in so many states: what is far away may be found there long before breadth first
/// comes to it. What is not found stays open.
fn deeper(
    network: &Network,
    domains: &[DomainId],
    queries: &[usize],
    how: How,
    most: usize,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    if queries.is_empty() {
        return Ok(());
    }
    let found = Explorer::observing(network, domains, Abstraction::default(), &Observed::default());
    let Ok(explorer) = found else { return Ok(()) };
    let mut explorer = explorer.in_order(Order::Depth).until(how.bounds.deadline);
    let mut open = Open::all(network, queries, Stage::Common);
    let (mut seen, deadlocks) = (Vec::new(), open.iter().any(|open| open.asks_deadlock(network)));
    for _ in 0..most {
        let Some(node) = explorer.take_next() else { break };
        let visit = explorer.visit(node);
        at_node(&mut explorer, &visit, &mut open, (&mut seen, deadlocks), checked)?;
        open.retain(|open| open.stage != Stage::Found);
        let over = open.is_empty() || checked.fault.is_some() || exceeded(&explorer, how.bounds).is_some();
        // An error on the way is found again, breadth first.
        if over || explorer.expand_from(&visit).is_err() {
            break;
        }
    }
    Ok(())
}

/// A query whose goal is looked for.
struct Open<'q> {
    query: usize,
    stage: Stage,
    question: Question<'q>,
    /// How often its goal was reached among zones, but no run to it was found.
    in_doubt: usize,
}

impl<'q> Open<'q> {
    /// Those of some queries that have a goal.
    fn all(network: &'q Network, queries: &[usize], stage: Stage) -> Vec<Open<'q>> {
        let open = queries.iter().filter_map(|query| {
            let (expr, example) = goal(&network.queries[*query].kind)?;
            Some(Open { query: *query, stage, question: Question::new(network, expr, example), in_doubt: 0 })
        });
        open.collect()
    }

    fn asks_deadlock(&self, network: &Network) -> bool {
        goal(&network.queries[self.query].kind).is_some_and(|(expr, _)| mentions_deadlock(network, expr))
    }
}

/// How many zones at a goal are looked at for a run to it.
const MOST_DOUBTS: usize = 8;

/// What is known of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// In a search for several queries: its goal is at none of the points that the stored zones stand for.
    Common,
    /// As before, but it is at one that need not exist.
    Doubtful,
    /// As before, and it is at a point of a stored zone, but not reached.
    Left,
    /// In a search of its own: its goal is at no point.
    Alone,
    /// Its goal is reached, or nothing more is done for it.
    Found,
}

/// Looks for what the queries ask in a new state.
///
/// For each discrete state that was seen, `seen` tells whether there is no deadlock whatever the clocks are; `deadlocks`
/// is whether that matters.
fn at_node(
    explorer: &mut Explorer,
    visit: &Visit,
    open: &mut [Open],
    (seen, deadlocks): (&mut Vec<Option<bool>>, bool),
    checked: &mut Checked,
) -> Result<(), Wrong> {
    if open.is_empty() {
        return Ok(());
    }
    let network = explorer.moves.stepper.network;
    let (node, state, zone) = (visit.node, &visit.state, &visit.zone);
    let discrete = explorer.store.nodes[node as usize].discrete;
    if seen.len() <= discrete as usize {
        seen.resize(explorer.places.len(), None);
    }
    let fresh = seen[discrete as usize].is_none();
    if fresh {
        // What goes wrong does so later, when the steps are taken.
        seen[discrete as usize] = Some(deadlocks && explorer.is_never_stuck(discrete).unwrap_or(false));
    }
    let never_stuck = seen[discrete as usize] == Some(true);
    // What is asked of variables only is asked once for all zones.
    let asks_clocks = |open: &Open| {
        goal(&network.queries[open.query].kind).is_some_and(|(expr, _)| {
            network.reads_clock(expr) || mentions_deadlock(network, expr) && !never_stuck
        })
    };
    if !fresh && !open.iter().any(|open| open.stage != Stage::Left && asks_clocks(open)) {
        return Ok(());
    }
    let plain = explorer.moves.representatives.as_ref().map(|r| r.plain_twins(state));
    let here = Here { visit, discrete, never_stuck, plain };
    let mut around = None;
    for open in open.iter_mut().filter(|open| open.stage != Stage::Left) {
        let asked = &network.queries[open.query];
        let Some((expr, example)) = goal(&asked.kind) else { continue };
        let timed = asks_clocks(open);
        if !timed && !fresh {
            continue;
        }
        if timed && open.stage == Stage::Common {
            let around = match &around {
                Some(around) => around,
                None => around.insert(explorer.around(discrete, zone).map_err(|_| "a state is none")?),
            };
            // What goes wrong may do so only at points that do not exist.
            if matches!(here.somewhere(explorer, asked, expr, &open.question, around), Ok(false)) {
                continue;
            }
            open.stage = Stage::Doubtful;
        }
        match here.somewhere(explorer, asked, expr, &open.question, zone) {
            Ok(false) => {}
            Ok(true) => match confirmed(explorer, node, open.query)? {
                Some(run) => {
                    let verdict = if example { Verdict::Holds } else { Verdict::Violated };
                    checked.answers[open.query] = Answer::shown(verdict, run);
                    open.stage = Stage::Found;
                }
                // A clock that no edge reads has any value in stored zones.
                None if open.stage == Stage::Doubtful => open.stage = Stage::Left,
                None if network.has_stopwatches() => {
                    let reason = "reached if stopwatches are over-approximated, but no run was found";
                    checked.answers[open.query].reason = Some(reason.to_owned());
                    open.in_doubt += 1;
                    if open.in_doubt >= MOST_DOUBTS {
                        open.stage = Stage::Found;
                    }
                }
                None => return Err("no times were found for a run that was found".to_owned()),
            },
            // A query that is asked of values that a clock does not have may go wrong though it would not.
            Err(_) if open.stage == Stage::Doubtful => open.stage = Stage::Left,
            Err(stop) => return failed(explorer, stop, checked),
        }
    }
    Ok(())
}

/// A stored state, to ask questions about.
struct Here<'v> {
    visit: &'v Visit,
    discrete: u32,
    /// Whether some step can be taken now or later, whatever the clocks are.
    never_stuck: bool,
    /// Which elements can be exchanged as far as variables go.
    plain: Option<Vec<Vec<u32>>>,
}

impl Here<'_> {
    /// Whether what is looked for is at some point of the zone, or of one that follows from it.
    fn somewhere(
        &self,
        explorer: &mut Explorer,
        asked: &Query,
        expr: &Expr,
        question: &Question,
        zone: &Zone,
    ) -> Run<bool> {
        let stuck = if !self.never_stuck && mentions_deadlock(explorer.moves.stepper.network, expr) {
            explorer.stuck(self.discrete, zone)?
        } else {
            Federation::none()
        };
        let representatives = explorer.moves.representatives.as_ref().zip(self.plain.as_deref());
        let exchangeable = representatives.map(|(representatives, plain)| Exchangeable {
            representatives,
            timed: self.visit.twins(representatives),
            plain,
        });
        let conditions = explorer.moves.stepper.conditions(&self.visit.state);
        conditions.interpreter.enter(&asked.frame);
        let mut here = Asked { conditions, frame: &asked.frame, exchangeable, stuck, named: Vec::new() };
        here.somewhere(question, zone)
    }
}

/// The run to a state where a query's goal holds, executed; nothing if there is none.
fn confirmed(explorer: &mut Explorer, node: u32, query: usize) -> Result<Option<TimedRun>, Wrong> {
    let network = explorer.moves.stepper.network;
    let asked = &network.queries[query];
    let (expr, example) = goal(&asked.kind).ok_or("a query without a goal")?;
    let wrong = |_: Stop| "a run that was found cannot be executed".to_owned();
    let claim = Claim { frame: &asked.frame, expr, holds: example };
    let legs = legs_to(explorer, node).map_err(wrong)?;
    let goal = |stepper: &mut Stepper, state: &[Cell], zone: &Zone| claim.points(stepper, state, zone);
    let Some(run) = timed(&mut explorer.moves.stepper, &legs, goal).map_err(wrong)? else { return Ok(None) };
    match execute(&mut explorer.moves.stepper, &run).map_err(wrong)? {
        Some(_) => Ok(Some(run)),
        None => Err("a run that was found is none".to_owned()),
    }
}
