//! Answers to queries, with runs that were executed.

use burnside_model::code::{Cell, DomainId, Expr, Fault, Stop};
use burnside_model::network::{Query, QueryKind};
use burnside_model::{Deadline, Limit, Network, Verdict};

use crate::conditions::{Run, mentions_deadlock};
use crate::explore::{Abstraction, Covering, Explorer, Visit};
use crate::extremes;
use crate::fastest;
use crate::lasso::{Prefix, lasso};
use crate::limits::Observed;
use crate::live::{Claim, Live, Outcome, Root};
use crate::run::{TimedRun, execute, steps_to};
use crate::somewhere::{Asked, Exchangeable, Question};
use crate::steps::Stepper;
use crate::times::{Leg, timed};
use crate::waiting::Order;
use crate::zone::{Extrapolation, Federation, Zone};

/// When to stop early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// When the time is over.
    pub deadline: Deadline,
    /// The most bytes that stored states may take.
    pub memory: Option<u64>,
}

/// Which run shows that a goal is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The one that is found first.
    #[default]
    First,
    /// One with the fewest steps.
    Shortest,
    /// One that takes the least time.
    Fastest,
}

/// How queries are answered.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// When to stop early.
    pub bounds: Bounds,
    /// Which states are looked at first.
    pub order: Order,
    /// Which runs are looked for.
    pub run: Wanted,
}

impl From<Bounds> for How {
    fn from(bounds: Bounds) -> How {
        How { bounds, ..How::default() }
    }
}

/// What no run to the goal of a query is better than.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    /// So many steps; the run has as many.
    Steps(usize),
    /// So much time.
    Time {
        /// In time units.
        least: i32,
        /// Whether the run takes as much; otherwise every run takes more, however little.
        taken: bool,
    },
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether what it claims holds.
    pub verdict: Verdict,
    /// A run that shows it: to where an `E<>` holds, or an `A[]` does not.
    pub run: Option<TimedRun>,
    /// If such a run was asked for: what no run is better than.
    pub best: Option<Best>,
    /// Why nothing is known, where it is no limit.
    pub reason: Option<String>,
}

impl Answer {
    /// An answer with a run.
    fn shown(verdict: Verdict, run: TimedRun) -> Answer {
        Answer { verdict, run: Some(run), best: None, reason: None }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// One for each query.
    pub answers: Vec<Answer>,
    /// What went wrong at run time, and the run there.
    pub fault: Option<(Fault, Option<TimedRun>)>,
    /// How many states were stored at the end.
    pub stored: u64,
    /// How many discrete states were found.
    pub discrete: u64,
    /// The limit that ended the search early.
    pub limit: Option<Limit>,
}

/// Why there is no answer: the search is wrong.
pub type Wrong = String;

/// Keeps everything that can be told apart by guards and steps, also infinite runs.
const EXACT: Abstraction =
    Abstraction { extrapolation: Some(Extrapolation::MPlus), local: true, covering: Covering::Inclusion };

/// Answers the queries of a network under the symmetry of some of its domains.
///
/// What can be reached is asked of one search for all queries, which tells apart no more than edges and invariants do. A
/// stored zone stands for more points than it has: if the goal of a query is at none of them, it is nowhere. If it is at
/// one of the zone itself, it is reached. Otherwise the query gets a search of its own. So does one that is reached, if not
/// any run is wanted.
pub fn check(network: &Network, domains: &[DomainId], how: impl Into<How>) -> Result<Checked, Wrong> {
    let how = how.into();
    let mut checked = Checked::unknown(network);
    let (reached, other): (Vec<usize>, Vec<usize>) =
        (0..network.queries.len()).partition(|query| goal(&network.queries[*query].kind).is_some());
    if !reached.is_empty() || network.queries.is_empty() {
        for query in explore(network, domains, &reached, false, how, &mut checked)? {
            if checked.goes_on() {
                explore(network, domains, &[query], true, how, &mut checked)?;
            }
        }
    }
    for query in reached {
        if checked.goes_on() && checked.answers[query].run.is_some() {
            match how.run {
                Wanted::First => {}
                Wanted::Shortest => shortest(network, domains, query, how, &mut checked)?,
                Wanted::Fastest => fastest::answer(network, domains, query, how, &mut checked)?,
            }
        }
    }
    for query in other {
        if !checked.goes_on() {
            break;
        }
        match &network.queries[query].kind {
            QueryKind::Sup(..) | QueryKind::Inf(..) => {
                extremes::answer(network, domains, query, how, &mut checked)?;
            }
            _ => live(network, domains, query, how, &mut checked)?,
        }
    }
    Ok(checked)
}

impl Checked {
    /// Nothing is known.
    #[must_use]
    pub fn unknown(network: &Network) -> Checked {
        let unknown = Answer { verdict: Verdict::Unknown, run: None, best: None, reason: None };
        Checked { answers: vec![unknown; network.queries.len()], ..Checked::default() }
    }

    /// Whether nothing has ended the search.
    pub(crate) fn goes_on(&self) -> bool {
        self.fault.is_none() && self.limit.is_none()
    }

    /// Counts what was stored.
    pub(crate) fn count(&mut self, explorer: &Explorer, more: usize) {
        self.stored = self.stored.max((explorer.stored() + more) as u64);
        self.discrete = self.discrete.max(explorer.places.len() as u64);
    }
}

/// Answers `E[]`, `A<>` or `-->`.
fn live(
    network: &Network,
    domains: &[DomainId],
    query: usize,
    how: How,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    let asked = &network.queries[query];
    let conditions = asked.kind.exprs().into_iter().map(|expr| (&asked.frame, expr, true)).collect();
    let observed = Observed { conditions, ..Observed::default() };
    let mut explorer = match Explorer::observing(network, domains, EXACT, &observed) {
        Ok(explorer) => explorer.in_order(how.order),
        Err(stop) => return begun_wrong(stop, checked),
    };
    let claim = |expr, holds| Claim { frame: &asked.frame, expr, holds };
    let (claim, begins, example) = match &asked.kind {
        QueryKind::PotentiallyAlways(p) => (claim(p, true), Vec::new(), true),
        QueryKind::Eventually(p) => (claim(p, false), Vec::new(), false),
        QueryKind::LeadsTo(p, q) => (claim(q, false), vec![claim(p, true), claim(q, false)], false),
        _ => return Err("a query of another kind".to_owned()),
    };
    let begun = if begins.is_empty() {
        at_start(&mut explorer)
    } else {
        loop {
            if let Some(limit) = exceeded(&explorer, how.bounds) {
                checked.limit = Some(limit);
                return Ok(());
            }
            match explorer.expand() {
                Ok(Some(_)) => {}
                Ok(None) => break wherever(&mut explorer, &begins),
                Err(stop) => break Err(stop),
            }
        }
    };
    let roots = match begun {
        Ok(roots) => roots,
        Err(stop) => return failed(&mut explorer, stop, checked),
    };
    let mut search = Live::new(&mut explorer, claim, roots);
    let found = search.search(how.bounds);
    let stored = search.stored();
    let answer = |found: bool| if found == example { Verdict::Holds } else { Verdict::Violated };
    match found {
        Ok(Outcome::None) => checked.answers[query].verdict = answer(false),
        Ok(Outcome::Limit(limit)) => checked.limit = Some(limit),
        Ok(Outcome::Found(found)) => {
            let wrong = |_: Stop| "a run that was found cannot be executed".to_owned();
            let root = search.root(&found).node;
            let (steps, back) = match root {
                Some(node) => steps_to(search.explorer(), node).map_err(wrong)?,
                None => (Vec::new(), search.explorer().representatives.as_ref().map(|r| r.action.identity())),
            };
            let prefix = Prefix { steps, back, moment: root.is_some() };
            let run = lasso(&mut search, &found, &prefix, &begins, claim)
                .map_err(wrong)?
                .ok_or("a run that was found is none")?;
            checked.answers[query] = Answer::shown(answer(true), run);
        }
        Err(stop) => {
            // The plain search shows how to get there.
            explore(network, domains, &[], false, how, checked)?;
            if checked.goes_on() {
                failed(&mut explorer, stop, checked)?;
            }
            return Ok(());
        }
    }
    checked.count(&explorer, stored);
    Ok(())
}

/// Runs begin at the start.
fn at_start(explorer: &mut Explorer) -> Run<Vec<Root>> {
    let start = explorer.stepper.start()?;
    let entry = explorer.entry(start)?;
    Ok(entry.into_iter().map(|(state, zone, _)| Root { node: None, state, zone }).collect())
}

/// Runs begin wherever some conditions hold.
fn wherever(explorer: &mut Explorer, begins: &[Claim]) -> Run<Vec<Root>> {
    let mut roots = Vec::new();
    for number in 0..explorer.nodes.len() as u32 {
        if explorer.nodes[number as usize].superseded {
            continue;
        }
        let (state, zone) = explorer.state_of(number);
        let mut zones = vec![zone];
        for claim in begins {
            let mut both = Vec::new();
            for zone in &zones {
                both.extend_from_slice(claim.points(&mut explorer.stepper, &state, zone)?.zones());
            }
            zones = both;
        }
        roots.extend(zones.into_iter().map(|zone| Root { node: Some(number), state: state.clone(), zone }));
    }
    Ok(roots)
}

/// What a query looks for, and whether it is an example of what is claimed or of the contrary.
pub(crate) fn goal(kind: &QueryKind) -> Option<(&Expr, bool)> {
    match kind {
        QueryKind::Possibly(p) => Some((p, true)),
        QueryKind::Invariantly(p) => Some((p, false)),
        _ => None,
    }
}

/// What must be told apart for the goals of some queries.
pub(crate) fn observed<'q>(network: &'q Network, queries: &[usize]) -> Observed<'q> {
    let mut observed = Observed::default();
    for query in queries {
        let asked = &network.queries[*query];
        if let Some((expr, example)) = goal(&asked.kind) {
            observed.conditions.push((&asked.frame, expr, example));
            // Simulation up to guards keeps no deadlocks, unless it works both ways.
            observed.both |= mentions_deadlock(network, expr);
        }
    }
    observed
}

/// Looks for a run with the fewest steps to the goal of a query, which is known to be reached.
fn shortest(
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
fn explore(
    network: &Network,
    domains: &[DomainId],
    queries: &[usize],
    alone: bool,
    how: How,
    checked: &mut Checked,
) -> Result<Vec<usize>, Wrong> {
    let observed = if alone { observed(network, queries) } else { Observed::default() };
    let mut explorer = match Explorer::observing(network, domains, Abstraction::default(), &observed) {
        Ok(explorer) => explorer.in_order(how.order),
        Err(stop) => return begun_wrong(stop, checked).map(|()| Vec::new()),
    };
    let stage = if alone { Stage::Alone } else { Stage::Common };
    let open = queries.iter().filter_map(|query| {
        let (expr, example) = goal(&network.queries[*query].kind)?;
        Some(Open { query: *query, stage, question: Question::new(network, expr, example) })
    });
    let mut open: Vec<Open> = open.collect();
    let asks_deadlock = |query: &usize| {
        network.queries[*query].kind.exprs().iter().any(|expr| mentions_deadlock(network, expr))
    };
    let (mut seen, deadlocks) = (Vec::new(), queries.iter().any(asks_deadlock));
    while let Some(node) = explorer.take_next() {
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
    if checked.goes_on() {
        for open in open.iter().filter(|open| open.stage == stage) {
            let example = goal(&network.queries[open.query].kind).is_some_and(|(_, example)| example);
            checked.answers[open.query].verdict = if example { Verdict::Violated } else { Verdict::Holds };
        }
    }
    checked.count(&explorer, 0);
    Ok(open.iter().filter(|open| open.stage != stage).map(|open| open.query).collect())
}

/// A query whose goal is looked for.
struct Open<'q> {
    query: usize,
    stage: Stage,
    question: Question<'q>,
}

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
    /// Its goal is reached.
    Found,
}

/// The start state went wrong.
pub(crate) fn begun_wrong(stop: Stop, checked: &mut Checked) -> Result<(), Wrong> {
    let Stop::Fault(fault) = stop else { return Err("the start state cannot be computed".to_owned()) };
    checked.fault = Some((*fault, None));
    Ok(())
}

/// The limit that is exceeded.
pub(crate) fn exceeded(explorer: &Explorer, bounds: Bounds) -> Option<Limit> {
    if bounds.deadline.has_passed() {
        return Some(Limit::Time);
    }
    bounds.memory.is_some_and(|limit| explorer.bytes() > limit).then_some(Limit::Memory)
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
    let network = explorer.stepper.network;
    let (node, state, zone) = (visit.node, &visit.state, &visit.zone);
    let discrete = explorer.nodes[node as usize].discrete;
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
    let plain = explorer.representatives.as_ref().map(|r| r.plain_twins(state));
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
        let stuck = if !self.never_stuck && mentions_deadlock(explorer.stepper.network, expr) {
            explorer.stuck(self.discrete, zone)?
        } else {
            Federation::none()
        };
        let representatives = explorer.representatives.as_ref().zip(self.plain.as_deref());
        let exchangeable = representatives.map(|(representatives, plain)| Exchangeable {
            representatives,
            timed: self.visit.twins(representatives),
            plain,
        });
        let conditions = explorer.stepper.conditions(&self.visit.state);
        conditions.interpreter.enter(&asked.frame);
        let mut here = Asked { conditions, frame: &asked.frame, exchangeable, stuck, named: Vec::new() };
        here.somewhere(question, zone)
    }
}

/// The run to a state where a query's goal holds, executed; nothing if there is none.
fn confirmed(explorer: &mut Explorer, node: u32, query: usize) -> Result<Option<TimedRun>, Wrong> {
    let network = explorer.stepper.network;
    let asked = &network.queries[query];
    let (expr, example) = goal(&asked.kind).ok_or("a query without a goal")?;
    let wrong = |_: Stop| "a run that was found cannot be executed".to_owned();
    let claim = Claim { frame: &asked.frame, expr, holds: example };
    let legs = legs_to(explorer, node).map_err(wrong)?;
    let goal = |stepper: &mut Stepper, state: &[Cell], zone: &Zone| claim.points(stepper, state, zone);
    let Some(run) = timed(&mut explorer.stepper, &legs, goal).map_err(wrong)? else { return Ok(None) };
    match execute(&mut explorer.stepper, &run).map_err(wrong)? {
        Some(_) => Ok(Some(run)),
        None => Err("a run that was found is none".to_owned()),
    }
}

pub(crate) fn legs_to(explorer: &mut Explorer, node: u32) -> Run<Vec<Leg>> {
    Ok(steps_to(explorer, node)?.0.into_iter().map(Leg::from).collect())
}

/// Something went wrong at run time.
pub(crate) fn failed(explorer: &mut Explorer, stop: Stop, checked: &mut Checked) -> Result<(), Wrong> {
    let Stop::Fault(fault) = stop else { return Err("the search ended without a reason".to_owned()) };
    let run = match explorer.at {
        Some(node) => {
            let legs =
                legs_to(explorer, node).map_err(|_| "a run that was found cannot be executed".to_owned())?;
            let anywhere = |_: &mut Stepper, _: &[Cell], zone: &Zone| Ok(Federation::from(zone.clone()));
            timed(&mut explorer.stepper, &legs, anywhere).unwrap_or(None)
        }
        None => None,
    };
    checked.fault = Some((*fault, run));
    Ok(())
}
