//! Answers to queries, with runs that were executed.

use burnside_model::code::{Cell, DomainId, Expr, Fault, Stop};
use burnside_model::network::QueryKind;
use burnside_model::{Deadline, Limit, Network, Verdict};

use crate::conditions::{Run, mentions_deadlock};
use crate::explore::Explorer;
use crate::extremes;
use crate::fastest;
use crate::forever::live;
use crate::limits::Observed;
use crate::reach::{explore, shortest};
use crate::run::{TimedRun, steps_to};
use crate::steps::Stepper;
use crate::times::{Leg, timed};
use crate::waiting::Order;
use crate::zone::{Federation, Zone};

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
    /// How many threads search, if not one.
    pub threads: usize,
    /// After so many states, the other threads begin: small searches end before they have started.
    pub helped_after: usize,
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
    pub(crate) fn shown(verdict: Verdict, run: TimedRun) -> Answer {
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
    /// Whether an error at run time ended the search to which no run was found: it may be none.
    pub in_doubt: bool,
}

/// Why there is no answer: the search is wrong.
pub type Wrong = String;

/// Answers the queries of a network under the symmetry of some of its domains.
///
/// What can be reached is asked of one search for all queries, which tells apart no more than edges and invariants do. A
/// stored zone stands for more points than it has: if the goal of a query is at none of them, it is nowhere. If it is at
/// one of the zone itself, it is reached. Otherwise the query gets a search of its own. So does one that is reached, if not
/// any run is wanted.
pub fn check(network: &Network, domains: &[DomainId], how: impl Into<How>) -> Result<Checked, Wrong> {
    let how = how.into();
    let mut checked = Checked::unknown(network);
    let stopwatches = network.has_stopwatches();
    let how = if stopwatches { How { run: Wanted::First, ..how } } else { how };
    let asked = (0..network.queries.len()).filter(|query| {
        let decided = !stopwatches || over_approximated(network, &network.queries[*query].kind);
        if !decided {
            let reason = "with stopwatches, only `E<>` and `A[]` without `deadlock` are decided";
            checked.answers[*query].reason = Some(reason.to_owned());
        }
        decided
    });
    let asked: Vec<usize> = asked.collect();
    let none = asked.is_empty();
    let (reached, other): (Vec<usize>, Vec<usize>) =
        asked.into_iter().partition(|query| goal(&network.queries[*query].kind).is_some());
    if !reached.is_empty() || none {
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
            QueryKind::Sup(..) | QueryKind::Inf(..) | QueryKind::Bounds(..) => {
                extremes::answer(network, domains, query, how, &mut checked)?;
            }
            _ => live(network, domains, query, how, &mut checked)?,
        }
    }
    Ok(checked)
}

/// Whether more states than are reached may be looked at to answer a query: if its goal is not among them, it is nowhere.
fn over_approximated(network: &Network, kind: &QueryKind) -> bool {
    goal(kind).is_some_and(|(expr, _)| !mentions_deadlock(network, expr))
}

impl Checked {
    #[must_use]
    pub fn unknown(network: &Network) -> Checked {
        let unknown = Answer { verdict: Verdict::Unknown, run: None, best: None, reason: None };
        Checked { answers: vec![unknown; network.queries.len()], ..Checked::default() }
    }

    /// Whether nothing has ended the search.
    pub(crate) fn goes_on(&self) -> bool {
        self.fault.is_none() && self.limit.is_none() && !self.in_doubt
    }

    /// Counts what was stored.
    pub(crate) fn count(&mut self, explorer: &Explorer, more: usize) {
        self.stored = self.stored.max((explorer.stored() + more) as u64);
        self.discrete = self.discrete.max(explorer.places.len() as u64);
    }
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

/// The start state went wrong.
pub(crate) fn begun_wrong(stop: Stop, checked: &mut Checked) -> Result<(), Wrong> {
    if matches!(stop, Stop::Deadline) {
        checked.limit = Some(Limit::Time);
        return Ok(());
    }
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

pub(crate) fn legs_to(explorer: &mut Explorer, node: u32) -> Run<Vec<Leg>> {
    Ok(steps_to(explorer, node)?.0.into_iter().map(Leg::from).collect())
}

/// Something went wrong at run time.
pub(crate) fn failed(explorer: &mut Explorer, stop: Stop, checked: &mut Checked) -> Result<(), Wrong> {
    if matches!(stop, Stop::Deadline) {
        checked.limit = Some(Limit::Time);
        return Ok(());
    }
    let Stop::Fault(fault) = stop else { return Err("the search ended without a reason".to_owned()) };
    let run = match explorer.at {
        Some(node) => {
            let legs =
                legs_to(explorer, node).map_err(|_| "a run that was found cannot be executed".to_owned())?;
            let anywhere = |_: &mut Stepper, _: &[Cell], zone: &Zone| Ok(Federation::from(zone.clone()));
            timed(&mut explorer.moves.stepper, &legs, anywhere).unwrap_or(None)
        }
        None => None,
    };
    if run.is_none() && explorer.at.is_some() && explorer.moves.stepper.network.has_stopwatches() {
        checked.in_doubt = true;
        for answer in checked.answers.iter_mut().filter(|answer| answer.verdict == Verdict::Unknown) {
            answer.reason =
                Some(format!("an error may be reached, but no run to it was found: {}", fault.message));
        }
        return Ok(());
    }
    checked.fault = Some((*fault, run));
    Ok(())
}
