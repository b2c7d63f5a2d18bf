//! Runs of timed automata in words: for each step the delay before it, the absolute time, the edges, and what changed.
//!
//! The run is executed once more, step by step, and the clocks that are shown are those of this execution. A reader can
//! check each number: a clock grows by the delay, and is then set or not. A run ends where its query is decided. Often
//! that takes a last delay, in which no step is taken; then the run has a last entry without edges.

use burnside_lang::source::Source;
use burnside_model::Network;
use burnside_model::code::{Cell, Expr, Semantics};
use burnside_model::network::{Query, QueryKind};
use burnside_model::system::StateCell;
use burnside_report::{
    Change, ClockReport, EdgeReport, Failing, Firing, Fraction, Moment, TraceReport, TraceStepReport, Value,
};
use burnside_timed::conditions::{Run, mentions_deadlock};
use burnside_timed::limits::clocks_read;
use burnside_timed::run::{Ending, TimedRun, TimedStep, execute};
use burnside_timed::steps::{Stepper, Taken};
use burnside_timed::stuck::stuck_at;
use burnside_timed::zone::{Federation, Point, Zone};

use crate::why::Explainer;

/// Tells runs of a network.
pub(crate) struct Teller<'n> {
    network: &'n Network,
    stepper: Stepper<'n>,
    query: Option<&'n Query>,
    /// Tells why invariants fail, if that is asked for.
    explainer: Option<Explainer<'n>>,
    /// The variables and locations that are shown, by cell.
    shown: Vec<(usize, StateCell)>,
    /// The names of the clocks, by number from 1 on, and whether the query reads them.
    clocks: Vec<(String, bool)>,
}

impl<'n> Teller<'n> {
    /// For runs that show something about a query.
    pub(crate) fn new(network: &'n Network, query: Option<&'n Query>) -> Run<Self> {
        let mut stepper = Stepper::new(network)?;
        let cells = network.model.state_cells();
        let start = stepper.start()?.state;
        let read =
            query.map(|query| clocks_read(network, &stepper.clocks, &start, query)).unwrap_or_default();
        let name = |(number, cell): (usize, &u32)| {
            (cells[*cell as usize].name.clone(), read.binary_search(&number).is_ok())
        };
        let clocks = (1..).zip(&network.clocks).map(name).collect();
        let shown =
            cells.iter().cloned().enumerate().filter(|(cell, _)| !is_hidden(network, *cell as u32)).collect();
        Ok(Teller { network, stepper, query, explainer: None, shown, clocks })
    }

    /// The same, which also tells which invariants hold in each state; the queries are in this source.
    pub(crate) fn judging(mut self, queries: &'n Source) -> Self {
        self.explainer = Some(Explainer::new(&self.network.model, queries, Semantics::default()));
        self
    }

    /// A run in words.
    pub(crate) fn trace(&mut self, run: &TimedRun) -> TraceReport {
        let passed = execute(&mut self.stepper, run).ok().flatten();
        let clocks_after = |number: usize| passed.as_ref().map(|passed| passed[number].as_slice());
        let start = Firing { start: true, rule: "start".to_owned(), named: false, parameters: Vec::new() };
        let moment = self.moment(run, (0, 0), None, (clocks_after(0), clocks_after(0)), &run.start);
        let state = self.values(&run.start);
        let mut steps =
            vec![TraceStepReport { firing: start, state, changed: Vec::new(), moment: Some(moment) }];
        let (mut before, mut now) = (&run.start, 0);
        for (number, step) in (1..).zip(&run.steps) {
            let rule = self.happens(run, step, number == run.steps.len());
            let clocks = (clocks_after(number - 1), clocks_after(number));
            let moment = Some(self.moment(run, (now, step.time), Some(step), clocks, before));
            let (state, changed) = (self.values(&step.state), self.changes(before, &step.state));
            steps.push(TraceStepReport { firing: taken(rule), state, changed, moment });
            (before, now) = (&step.state, step.time);
        }
        if let Some(rule) = self.end(run, now) {
            let clocks = (clocks_after(run.steps.len()), clocks_after(run.steps.len() + 1));
            let moment = Some(self.moment(run, (now, run.end), None, clocks, before));
            let state = self.values(before);
            steps.push(TraceStepReport { firing: taken(rule), state, changed: Vec::new(), moment });
        }
        let mut reasons = vec![Vec::new(); steps.len()];
        if let (Some(last), Some(clocks)) = (reasons.last_mut(), clocks_after(run.steps.len() + 1)) {
            last.extend(self.stuck(run, before, clocks).unwrap_or(None));
        }
        let back = match run.ending {
            Ending::Loop { back, .. } => Some(back),
            _ => None,
        };
        let (judged, fails) = match &passed {
            Some(passed) => self.judged(run, steps.len(), passed).unwrap_or_default(),
            None => Default::default(),
        };
        TraceReport { steps, back, reasons, judged, fails, ..TraceReport::default() }
    }

    /// The invariants among the queries, and for each of so many steps those that do not hold after it; nothing if one of
    /// them cannot be evaluated.
    fn judged(
        &mut self,
        run: &TimedRun,
        steps: usize,
        passed: &[Vec<i64>],
    ) -> Option<(Vec<String>, Vec<Vec<Failing>>)> {
        let mut explainer = self.explainer.take()?;
        let network = self.network;
        let invariants: Vec<(&Query, &Expr)> = network
            .queries
            .iter()
            .filter_map(|query| match &query.kind {
                QueryKind::Invariantly(expr) => Some((query, expr)),
                _ => None,
            })
            .collect();
        let mut all = Vec::new();
        for number in 0..steps {
            let state = number.checked_sub(1).map_or(&run.start, |at| match run.steps.get(at) {
                Some(step) => &step.state,
                None => run.steps.last().map_or(&run.start, |last| &last.state),
            });
            let mut fails = Vec::new();
            for (query, expr) in &invariants {
                let why = if network.reads_clock(expr) || mentions_deadlock(network, expr) {
                    let point =
                        Point { denominator: run.denominator, numerators: passed.get(number)?.clone() };
                    let holds = self.holds_at(query, expr, state, &point).ok()?;
                    (!holds).then(|| "it fails at these clock values".to_owned())
                } else {
                    let judged = explainer.condition(&query.frame, expr, state).ok()?;
                    judged.why.filter(|_| !judged.holds)
                };
                fails.extend(why.map(|why| Failing { property: query.text.clone(), why }));
            }
            all.push(fails);
        }
        Some((invariants.iter().map(|(query, _)| query.text.clone()).collect(), all))
    }

    /// Whether a condition of a query holds in a discrete state with these clock values.
    fn holds_at(&mut self, query: &Query, expr: &Expr, state: &[Cell], point: &Point) -> Run<bool> {
        let mut all = Zone::universal(self.stepper.clocks.count());
        all.constrain_all(&self.stepper.standing(state)?.invariant);
        let stuck = match mentions_deadlock(self.network, expr) {
            true => stuck_at(&mut self.stepper, state, &all)?,
            false => Federation::none(),
        };
        let mut conditions = self.stepper.conditions(state);
        conditions.interpreter.enter(&query.frame);
        let points = conditions.points(&query.frame, expr, true, &all, &|| stuck.clone())?;
        Ok(points.contains(point))
    }

    /// What a step does, in words.
    fn happens(&self, run: &TimedRun, step: &TimedStep, last: bool) -> String {
        if !step.taken.is_empty() {
            let edges = step.taken.iter().map(|taken| {
                let EdgeReport { process, from, to } = self.edge(taken);
                format!("{process}: {from} -> {to}")
            });
            return edges.collect::<Vec<_>>().join(", ");
        }
        match run.ending {
            Ending::Stays if last => "from here on no step is taken, and time passes for ever".to_owned(),
            Ending::Stuck if last => "the run ends here".to_owned(),
            _ => "here the first condition holds".to_owned(),
        }
    }

    /// What is so at the end of a run to a goal, if time passes before it or clocks decide.
    fn end(&self, run: &TimedRun, now: i64) -> Option<String> {
        let query = self.query.filter(|_| run.ending == Ending::Open)?;
        let decided = match &query.kind {
            QueryKind::Possibly(_) => "holds",
            QueryKind::Invariantly(_) => "fails",
            _ => return None,
        };
        let timed = query
            .kind
            .exprs()
            .iter()
            .any(|expr| self.network.reads_clock(expr) || mentions_deadlock(self.network, expr));
        (run.end > now || timed).then(|| format!("the condition {decided} here"))
    }

    /// Why no step can be taken at the end of a run, if that is what the query is about.
    fn stuck(&mut self, run: &TimedRun, state: &[Cell], clocks: &[i64]) -> Run<Option<String>> {
        let asks =
            |query: &Query| query.kind.exprs().iter().any(|expr| mentions_deadlock(self.network, expr));
        if run.ending != Ending::Stuck && !self.query.is_some_and(asks) {
            return Ok(None);
        }
        let standing = self.stepper.standing(state)?;
        let mut all = Zone::universal(self.stepper.clocks.count());
        all.constrain_all(&standing.invariant);
        let point = Point { denominator: run.denominator, numerators: clocks.to_vec() };
        if !stuck_at(&mut self.stepper, state, &all)?.contains(&point) {
            return Ok(None);
        }
        if standing.still || self.stepper.urges(state)? {
            return Ok(Some("a deadlock: no step can be taken, and time cannot pass here".to_owned()));
        }
        // How long the invariant lets time pass.
        let rest = |c: &burnside_timed::zone::Constraint| {
            let value = c.bound.value().filter(|_| c.right == 0)?;
            Some(i64::from(value) * run.denominator - clocks[c.left])
        };
        Ok(Some(match standing.invariant.iter().filter_map(rest).min() {
            Some(0) => "a timelock: no step can be taken, and the invariant lets no time pass".to_owned(),
            Some(rest) => format!(
                "a timelock: no step can be taken from here on, and the invariant lets at most {} more time pass",
                Fraction::new(rest, run.denominator)
            ),
            None => "a deadlock: no step can be taken from here on, however long one waits".to_owned(),
        }))
    }

    /// When something happens: between the times before and now, with the clocks after the last step and after this one,
    /// and the discrete state in between, where some clocks may stand still.
    fn moment(
        &mut self,
        run: &TimedRun,
        (before, now): (i64, i64),
        step: Option<&TimedStep>,
        clocks: (Option<&[i64]>, Option<&[i64]>),
        state: &[Cell],
    ) -> Moment {
        let stopped = self.stepper.standing(state).map(|standing| standing.stopped).unwrap_or_default();
        let passed = |clock: usize| if stopped.contains(&clock) { 0 } else { now - before };
        let fraction = |numerator| Fraction::new(numerator, run.denominator);
        let shown = clocks.0.zip(clocks.1).into_iter().flat_map(|(last, after)| {
            let passed = &passed;
            self.clocks.iter().enumerate().map(move |(at, (name, read))| ClockReport {
                name: name.clone(),
                before: fraction(last[at + 1] + passed(at + 1)),
                after: fraction(after[at + 1]),
                read: *read,
            })
        });
        Moment {
            delay: fraction(now - before),
            time: fraction(now),
            edges: step
                .map(|step| step.taken.iter().map(|taken| self.edge(taken)).collect())
                .unwrap_or_default(),
            channel: step.and_then(|step| step.channel).map(|cell| self.channel(cell)),
            clocks: shown.collect(),
        }
    }

    /// An edge that is taken.
    pub(crate) fn edge(&self, taken: &Taken) -> EdgeReport {
        let types = &self.network.model.types;
        let instance = &self.stepper.instances[taken.instance as usize];
        let process = &self.network.processes[instance.process as usize];
        let edge = &self.network.edges[taken.edge as usize];
        let values = process.params.iter().zip(&instance.params).map(|(ty, value)| types.show(*ty, *value));
        let values: Vec<String> = values.collect();
        let params = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
        EdgeReport {
            process: format!("{}{params}", process.name),
            from: process.locations[edge.source as usize].name.clone(),
            to: process.locations[edge.target as usize].name.clone(),
        }
    }

    /// The name of a channel.
    pub(crate) fn channel(&self, cell: u32) -> String {
        self.network.model.state_cells().get(cell as usize).map(|cell| cell.name.clone()).unwrap_or_default()
    }

    /// The name of a clock, by number from 1 on.
    pub(crate) fn clock(&self, number: usize) -> &str {
        self.clocks.get(number - 1).map_or("", |(name, _)| name)
    }

    /// The variables and locations of a state.
    pub(crate) fn values(&self, state: &[Cell]) -> Vec<(String, Value)> {
        let types = &self.network.model.types;
        let value = |(number, cell): &(usize, StateCell)| {
            (cell.name.clone(), Value::new(types, cell.ty, state[*number]))
        };
        self.shown.iter().map(value).collect()
    }

    fn changes(&self, before: &[Cell], after: &[Cell]) -> Vec<Change> {
        let types = &self.network.model.types;
        let changed = self.shown.iter().filter(|(number, _)| before[*number] != after[*number]);
        changed
            .map(|(number, cell)| Change {
                from: Some(Value::new(types, cell.ty, before[*number])),
                to: Some(Value::new(types, cell.ty, after[*number])),
                name: cell.name.clone(),
            })
            .collect()
    }
}

fn taken(rule: String) -> Firing {
    Firing { start: false, rule, named: false, parameters: Vec::new() }
}

/// Whether a cell has no value of its own to show, or one that never changes.
fn is_hidden(network: &Network, cell: u32) -> bool {
    network.clocks.contains(&cell)
        || network.channels.iter().any(|channel| channel.cell == cell)
        || network.constant.contains(&cell)
        || network.deadlock.is_some_and(|id| network.model.globals[id.0 as usize].offset == cell)
}
